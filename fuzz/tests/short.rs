//! The first inputs of the long run, in a few seconds.

use beget_fuzz::{Corpus, Finding, MEMORY, MOST_MEMORY, Totals, install_panic_hook, try_input};

/// Time is not asserted here, since that depends on the machine; the long run does.
#[test]
fn mutated_inputs_are_taken_or_refused_but_never_panic() {
    let corpus = Corpus::new();
    install_panic_hook();
    MEMORY.set_limit(MOST_MEMORY).unwrap();
    let mut totals = Totals::default();
    let mut panics = Vec::new();
    for number in 0..2000 {
        if let Some(Finding::Panic(message)) = try_input(&corpus, 0, number, &mut totals) {
            panics.push((number, message));
        }
    }
    drop(std::panic::take_hook());
    assert_eq!(panics, []);
    // Many of each kind, and many that are right: a mutation that breaks everything finds nothing.
    assert!(totals.by_kind.iter().all(|n| *n > 100), "{totals:?}");
    assert!(totals.taken > 100, "{totals:?}");
}
