//! The rivals agree with each other and with the published counts.

use beget_benchmarks::outcome::{Outcome, expected};
use beget_benchmarks::{floor, naive, stateright_model};

/// Scopes 1 to 5 as enumerated independently of this crate; the paper's Table 1 starts at 6.
const COUNTS: [(u8, u64, u64); 5] =
    [(1, 1, 4), (2, 4, 20), (3, 18, 114), (4, 112, 904), (5, 975, 9_760)];

#[track_caller]
fn check(run: impl Fn(u8) -> Outcome) {
    for (k, generated, explored) in COUNTS {
        let outcome = run(k);
        assert_eq!((outcome.generated, outcome.explored), (generated, explored), "k = {k}");
        assert_eq!(outcome, expected(k), "k = {k}");
    }
}

#[test]
fn floor_counts_are_exact() {
    check(floor::run);
    assert_eq!(floor::run(6), expected(6));
    assert_eq!(floor::run(7), expected(7));
}

#[test]
fn stateright_counts_are_exact_for_both_states_on_one_and_two_threads() {
    check(|k| stateright_model::run(k, 1));
    check(|k| stateright_model::run(k, 2));
    check(|k| stateright_model::run_words(k, 1));
    check(|k| stateright_model::run_words(k, 2));
}

#[test]
fn naive_counts_are_exact() {
    check(naive::run);
}

#[test]
fn all_rivals_agree_at_the_first_published_scope() {
    let outcomes = [floor::run(6), stateright_model::run(6, 1), naive::run(6)];
    assert_eq!(
        outcomes.map(|outcome| (outcome.generated, outcome.explored)),
        [(11_196, 134_364); 3]
    );
}

#[test]
#[should_panic(expected = "scope 0 is not in 1..=14")]
fn empty_scope_is_refused() {
    let _ = floor::run(0);
}
