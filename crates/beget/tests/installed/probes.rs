//! Values that are matched though calls tell them apart: `probe` in the scope extends them.
#![allow(clippy::new_without_default, unreachable_pub, reason = "the types stand for a library's")]

use crate::common;

use beget::HasSuite;
use beget_engine::{Corpus, ProbeTally, Run};
use beget_plan::finding::Progress;
use beget_suite::Sequence;
use common::{assert_complete, found, plan, problems, run_all_ways};

/// A stack that panics some calls after it has been emptied: nothing that can be seen tells when.
macro_rules! stack {
    ($module:ident, $name:literal, is_worn = $is_worn:expr) => {
        mod $module {
            /// A stack.
            #[derive(Clone, Debug)]
            pub struct Stack {
                pub items: Vec<u8>,
                pub was_emptied: bool,
            }

            impl Stack {
                /// Empty.
                pub fn new() -> Self {
                    Stack { items: Vec::new(), was_emptied: false }
                }

                /// Puts a number on top.
                pub fn push(&mut self, item: u8) {
                    let is_worn: fn(&Stack) -> bool = $is_worn;
                    assert!(!is_worn(self), "the place of the first item is lost");
                    self.items.push(item);
                }

                /// Takes the top.
                pub fn pop(&mut self) -> Option<u8> {
                    let item = self.items.pop();
                    self.was_emptied |= item.is_some() && self.items.is_empty();
                    item
                }

                /// Puts all of another stack on top.
                pub fn join(&mut self, other: &Stack) {
                    assert!(!other.was_emptied || $name == "sound", "the other has lost its place");
                    self.items.extend(&other.items);
                }
            }

            beget::suite! {
                /// Seen by its items.
                #[name = $name]
                pub suite ByItems for Stack {
                    abstraction |stack| -> Vec<u8> { stack.items.clone() };
                    fn new() -> Self;
                    fn push(&mut self, item: u8);
                    fn pop(&mut self) -> Option<u8>;
                    fn join(&mut self, other: &Stack);
                }
            }
        }
    };
}

stack!(worn, "worn", is_worn = |stack| stack.was_emptied);
stack!(worn_later, "worn_later", is_worn = |stack| stack.was_emptied && stack.items.len() == 1);
stack!(sound, "sound", is_worn = |_| false);

fn scope(methods: &str, probe: u32) -> String {
    format!(
        r#"k: 2, objects: {{"*": "k"}}, arrays: "k", ints: "0..k", methods: Only([{methods}]),
        probe: {probe}"#
    )
}

const ALONE: &str = r#""new", "push", "pop""#;
const JOINED: &str = r#""new", "push", "pop", "join""#;

/// The calls of the findings, one line each.
fn sources(corpus: &Corpus) -> Vec<String> {
    let suite = &corpus.plan.suite;
    let calls = corpus.report.findings.iter().map(|found| found.witness.calls(suite));
    let source = |calls: &Sequence| calls.to_source(suite).0.replace('\n', " ");
    calls.map(|calls| calls.as_deref().map(source).unwrap_or_default()).collect()
}

#[test]
fn a_state_that_was_merged_with_a_healthy_one_is_extended() {
    let of = |suite: fn() -> beget::suites::Suite, probe| {
        run_all_ways(&plan(suite(), &scope(ALONE, probe)))
    };
    // Lists of at most two of two numbers.
    let without = of(worn::ByItems::suite, 0);
    assert_complete(&without, 7);
    assert_eq!(
        (problems(&without).len(), without.report.ledger.probes),
        (0, ProbeTally::default())
    );

    let probed = of(worn::ByItems::suite, 1);
    assert_complete(&probed, 7);
    assert_eq!(found(&probed), found(&without));
    assert_eq!(problems(&probed), ["panic"]);
    let calls = "let mut stack = Stack::new(); let _ = stack.push(0); let _ = stack.pop(); \
                 let _ = stack.push(0);";
    assert_eq!(sources(&probed), [calls]);

    // Here two calls more are needed.
    assert!(problems(&of(worn_later::ByItems::suite, 1)).is_empty());
    let later = of(worn_later::ByItems::suite, 2);
    let calls = "let mut stack = Stack::new(); let _ = stack.push(0); let _ = stack.pop(); \
                 let _ = stack.push(0); let _ = stack.push(0);";
    assert_eq!((problems(&later), sources(&later)), (vec!["panic"], vec![calls.to_owned()]));
    assert_eq!(found(&later), found(&of(worn_later::ByItems::suite, 0)));

    let sound = of(sound::ByItems::suite, 2);
    assert!(problems(&sound).is_empty());
    assert!(sound.report.ledger.probes.calls > 0);
}

/// The other argument may be the value that was matched.
#[test]
fn a_merged_value_takes_each_place_of_a_call() {
    let all = |suite: fn() -> beget::suites::Suite, probe| {
        run_all_ways(&plan(suite(), &scope(JOINED, probe)))
    };
    assert!(problems(&all(worn::ByItems::suite, 0)).is_empty());
    let probed = all(worn::ByItems::suite, 1);
    let joined = "let mut stack = Stack::new(); let mut stack_2 = Stack::new(); \
                  let _ = stack_2.push(0); let _ = stack_2.pop(); let _ = stack.join(&stack_2);";
    assert_eq!(problems(&probed), ["panic", "panic"]);
    assert!(sources(&probed).iter().any(|calls| calls == joined), "{:?}", sources(&probed));
    assert!(problems(&all(sound::ByItems::suite, 1)).is_empty());
}

/// What a loop over real stacks comes to that keeps the first of each list and extends all others
/// by `rounds` calls.
fn by_hand(rounds: u32) -> ProbeTally {
    use worn_later::Stack;
    let calls: [fn(&mut Stack); 3] = [
        |s| s.push(0),
        |s| s.push(1),
        |s| {
            s.pop();
        },
    ];
    let after = |stack: &Stack, call: fn(&mut Stack)| {
        let mut stack = stack.clone();
        let is_worn = stack.was_emptied && stack.items.len() == 1;
        let len = stack.items.len();
        // What panics is told by the rule alone: no panic is printed.
        if is_worn {
            let mut free = Stack { was_emptied: false, ..stack.clone() };
            call(&mut free);
            if free.items.len() > len {
                return None;
            }
        }
        call(&mut stack);
        Some(stack).filter(|stack| stack.items.len() <= 2)
    };
    let mut kept = vec![Stack::new()];
    let (mut merged, mut next) = (Vec::new(), 0);
    while next < kept.len() {
        for call in calls {
            let Some(left) = after(&kept[next], call) else { continue };
            match kept.iter().any(|known| known.items == left.items) {
                true => merged.push(left),
                false => kept.push(left),
            }
        }
        next += 1;
    }
    let mut tally = ProbeTally::default();
    for _ in 0..rounds {
        let mut left = Vec::new();
        for value in std::mem::take(&mut merged) {
            tally.extended += 1;
            for call in calls {
                tally.calls += 1;
                let is_pushed = value.items.len() == 1 && value.was_emptied;
                tally.failures += u64::from(is_pushed && after(&value, call).is_none());
                left.extend(after(&value, call));
            }
        }
        merged = left;
    }
    tally
}

#[test]
fn probes_make_the_calls_that_a_loop_by_hand_makes() {
    for rounds in 1..=3 {
        let corpus = run_all_ways(&plan(worn_later::ByItems::suite(), &scope(ALONE, rounds)));
        assert_eq!(corpus.report.ledger.probes, by_hand(rounds), "{rounds}");
    }
}

mod hidden {
    /// A number whose double is all that is seen, up to a bound that counts it.
    #[derive(Clone, Debug)]
    pub struct Counter {
        pub steps: u8,
    }

    impl Counter {
        /// Zero.
        pub fn new() -> Self {
            Counter { steps: 0 }
        }

        /// One step.
        pub fn step(&mut self) {
            self.steps = (self.steps + 1).min(3);
        }
    }

    beget::suite! {
        /// Seen in steps of two.
        #[name = "halves"]
        pub suite Halves for Counter {
            abstraction |counter| -> u8 { counter.steps / 2 };
            fn new() -> Self;
            fn step(&mut self);
        }
    }
}

/// One step is matched with none, so two are never made; the probe makes them, and says that what
/// it left is no structure of the run.
#[test]
fn what_matching_has_lost_is_counted() {
    let fields = |probe| format!(r#"k: 1, objects: {{"*": "k"}}, ints: "0..4", probe: {probe}"#);
    let corpus = run_all_ways(&plan(hidden::Halves::suite(), &fields(1)));
    assert_complete(&corpus, 1);
    let tally = ProbeTally { extended: 1, calls: 1, failures: 0, unknown: 1 };
    assert_eq!(corpus.report.ledger.probes, tally);
    // Of 2 comes 3, which stays: no structure is either of them.
    let corpus = run_all_ways(&plan(hidden::Halves::suite(), &fields(3)));
    let tally = ProbeTally { extended: 3, calls: 3, failures: 0, unknown: 3 };
    assert_eq!(corpus.report.ledger.probes, tally);
}

/// One of each method, and one of the probe.
#[test]
fn progress_counts_the_calls_of_probes() {
    let fields = r#"k: 1, objects: {"*": "k"}, ints: "0..4", probe: 1"#;
    let mut explored = 0;
    let mut watch = |progress: Progress| {
        explored = progress.explored;
        None
    };
    Run::new(plan(hidden::Halves::suite(), fields)).observe(&mut watch).go();
    assert_eq!(explored, 2 + 1);
}

/// A budget of calls is one of probing calls too.
#[test]
fn probes_keep_the_budget() {
    let fields = scope(ALONE, 3) + ", budget: (max_calls: Some(30))";
    let corpus = run_all_ways(&plan(worn_later::ByItems::suite(), &fields));
    assert_eq!(corpus.report.stop_reason.name(), "max_calls");
    assert_eq!(corpus.report.ledger.counters.explored(), 22);
}

/// Where forms tell all there is nothing to extend.
#[test]
fn a_type_with_a_heap_of_its_own_is_not_probed() {
    mod plain {
        #[derive(Clone, Debug, beget::Heap)]
        pub struct Bits(pub u8);

        #[beget::api]
        impl Bits {
            /// None.
            pub fn new() -> Self {
                Bits(0)
            }

            /// The lowest.
            pub fn flip(&mut self) {
                self.0 ^= 1;
            }
        }
    }
    let fields = r#"k: 1, objects: {"*": "k"}, ints: "0..2", probe: 1"#;
    let corpus = run_all_ways(&plan(plain::Bits::suite(), fields));
    assert_eq!(corpus.report.ledger.probes, ProbeTally::default());
}

mod miscounted {
    /// A bag that counts wrongly once it has been emptied.
    #[derive(Clone, Debug)]
    pub struct Bag {
        items: Vec<u8>,
        n_lost: usize,
    }

    impl Bag {
        /// Empty.
        pub fn new() -> Self {
            Bag { items: Vec::new(), n_lost: 0 }
        }

        /// Puts a number in.
        pub fn put(&mut self, item: u8) {
            self.items.push(item);
        }

        /// Takes all out.
        pub fn empty(&mut self) {
            self.n_lost = self.items.len();
            self.items.clear();
        }

        /// How many there are.
        pub fn len(&self) -> usize {
            self.items.len() + self.n_lost
        }
    }

    impl<'b> IntoIterator for &'b Bag {
        type Item = &'b u8;
        type IntoIter = std::slice::Iter<'b, u8>;

        fn into_iter(self) -> Self::IntoIter {
            self.items.iter()
        }
    }

    beget::suite! {
        /// Seen by its items.
        #[name = "miscounted"]
        pub suite ByItems for Bag {
            abstraction |bag| -> Vec<u8> { bag.items.clone() };
            fn new() -> Self;
            fn put(&mut self, item: u8);
            fn empty(&mut self);
            fn len(&self) -> usize;
        }
    }
}

/// Lists of at most two numbers: 1 + 1 + 1. What emptying leaves of the latter two looks empty.
#[test]
fn contracts_are_asked_of_matched_values() {
    let checked = |probe: u32| {
        let check = move || match probe {
            0 => beget::check!(miscounted::ByItems, k = 2, arrays = "k", ints = [0]),
            _ => beget::check!(miscounted::ByItems, k = 2, arrays = "k", ints = [0], probe = 1),
        };
        std::panic::catch_unwind(check)
    };
    assert_eq!(checked(0).unwrap().corpus().store.len(), 3);
    let message = *checked(1).unwrap_err().downcast::<String>().unwrap();
    let broken = "the contract `len_is_iteration` is broken: len() is 1, iteration gives 0 items";
    assert!(message.contains(broken), "{message}");
    let calls = ["let mut bag = Bag::new();", "bag.put(0);", "bag.empty();"];
    assert!(calls.iter().all(|call| message.contains(call)), "{message}");
}

/// Two suites in lockstep have the forms of both, which tell no more.
#[test]
fn pairs_are_probed_and_a_passing_test_says_so() {
    macro_rules! compare {
        ($probe:literal) => {
            std::panic::catch_unwind(|| {
                beget::diff!(
                    worn::ByItems,
                    sound::ByItems,
                    k = 2,
                    arrays = "k",
                    ints = [0],
                    methods = Only(["new", "push", "pop"]),
                    probe = $probe
                )
            })
        };
    }
    assert!(compare!(0).is_ok());
    let message = *compare!(1).unwrap_err().downcast::<String>().unwrap();
    assert!(message.contains("`Stack::push` panics: the place of the first item is lost"));

    let checked = beget::check!(sound::ByItems, k = 2, arrays = "k", ints = [0], probe = 1);
    let ProbeTally { extended, calls, .. } = checked.corpus().report.ledger.probes;
    let told = format!("; {extended} matched values extended by {calls} calls");
    assert!(calls > 0 && checked.to_string().ends_with(&told), "{checked}");
}
