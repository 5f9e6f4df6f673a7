//! What the built-in contracts say of the case studies, with all methods that are sound. Their
//! calls are audited too, with their memory checked.

use crate::common;

use beget_engine::Settings;
use beget_plan::scope::{MethodsOverride, Overrides};
use beget_run::{Catalog, ContractTally, Host, Input, StoreKind, Watch, check};

struct NoClock;

impl Host for NoClock {
    fn seconds(&self) -> f64 {
        0.0
    }

    /// Whoever runs the test sees it.
    fn outlives_calls(&self) -> bool {
        true
    }
}

/// The contracts that apply, none of which is broken. The scope's methods take part, or all where
/// it names a few: those that it leaves out by `Except` are known to be unsound.
#[track_caller]
fn asked(name: &str, k: u32) -> Vec<ContractTally> {
    let text = common::scope_text(name);
    let all = text.contains("methods: Only").then_some(MethodsOverride::All);
    let overrides = Overrides { k: Some(k), methods: all, ..Overrides::default() };
    let suite_name = name.replace('/', "::");
    let mut suites = beget_subjects::suites();
    suites.retain(|suite| suite.name == suite_name);
    let input = Input::of_text("scope.ron", text, Catalog::new(suites)).unwrap();
    let plan = input.resolve(&overrides).unwrap().plan;
    let watch = Watch::new(plan.budget, &NoClock);
    let run = check(&input, &[], plan, Settings::default(), StoreKind::Exact, &watch).unwrap();
    assert!(run.stop_reason.is_exhausted(), "{name}");
    assert_eq!(run.breaches, [], "{name}");
    let of_memory = ["memory", "leak"];
    let findings = run.corpus.report.findings.iter();
    let found = findings.filter(|finding| of_memory.contains(&finding.problem.kind.name()));
    assert_eq!(found.count(), 0, "{name}: {:#?}", run.corpus.report.findings);
    run.contracts
}

#[test]
fn no_case_study_breaks_a_contract() {
    for suite in beget_subjects::suites() {
        let name = suite.name.replace("::", "/");
        // With all methods, the disjoint sets have too many integers at 3.
        let k = if name.starts_with("real") || name == "kiasan/disjsets" { 2 } else { 3 };
        let contracts = asked(&name, k);
        // Each is `Clone` or `Debug` at least.
        assert!(!contracts.is_empty(), "{name}");
        for of_memory in ["memory_sound", "memory_freed"] {
            assert!(contracts.iter().any(|tally| tally.name == of_memory), "{name}");
        }
        let unasked = contracts.iter().filter(|tally| tally.asked == 0);
        assert_eq!(unasked.map(|tally| tally.name).collect::<Vec<_>>(), [""; 0], "{name}");
    }
}

/// Which contracts apply to collections that everybody knows.
#[test]
fn contracts_are_found_by_names_and_signatures() {
    let of_methods = |name: &str| -> Vec<&str> {
        let contracts = asked(name, 1).into_iter().map(|tally| tally.name);
        let is_of_method =
            |name: &&str| name.ends_with("_is_iteration") || name.ends_with("_is_nth");
        contracts.filter(is_of_method).collect()
    };
    let len = "len_is_iteration";
    let (first, last) = ("first_is_iteration", "last_is_iteration");
    let contains = "contains_is_iteration";
    assert_eq!(of_methods("real/vecdeque"), [len, contains, "get_is_nth", first, last]);
    assert_eq!(of_methods("real/linkedlist"), [len, contains, first, last]);
    assert_eq!(of_methods("real/btreeset"), [len, contains, first, last]);
    let (key, get) = ("contains_key_is_iteration", "get_is_iteration");
    assert_eq!(of_methods("real/btreemap"), [len, key, get, first, last]);
    assert_eq!(of_methods("real/hashmap"), [len, key, get]);
    assert_eq!(of_methods("real/slab"), [len, contains, get]);
    assert_eq!(of_methods("real/binaryheap"), [len, "peek_is_iteration"]);
    assert_eq!(of_methods("roops/ncl"), [""; 0]);
}
