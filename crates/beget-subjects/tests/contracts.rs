//! What the built-in contracts say of the case studies, with all methods that are sound.

mod common;

use beget_engine::Settings;
use beget_engine::store::{Store as _, StructureId};
use beget_oracle::{Inquiry, InquiryResult, Oracle};
use beget_scope::{Overrides, ScopeFile};

/// The scope's methods, or all where it names a few: those that it leaves out by `Except` are
/// known to be unsound.
fn asked(name: &str, k: u32) -> InquiryResult {
    let text = common::scope_text(name);
    let all = text.contains("methods: Only").then_some(beget_scope::MethodsOverride::All);
    let overrides = Overrides { k: Some(k), methods: all, ..Overrides::default() };
    let plan = common::resolved_text(&text, &overrides).plan;
    let corpus = common::run(plan, Settings::default());
    let oracle = Oracle::new(&corpus.plan, &|_| true);
    let mut inquiry = Inquiry::new(&oracle, &|_| ());
    let mut reader = corpus.reader();
    for id in (0..corpus.store.len()).map(StructureId) {
        let ty = corpus.type_of(id).unwrap();
        inquiry.ask(ty, id.0.into(), &mut || reader.reconstruct(id).unwrap());
    }
    inquiry.finish()
}

#[test]
fn no_case_study_breaks_a_contract() {
    for suite in beget_subjects::suites() {
        let name = suite.name.replace("::", "/");
        // With all methods, the disjoint sets have too many integers at 3.
        let k = if name.starts_with("real") || name == "kiasan/disjsets" { 2 } else { 3 };
        let result = asked(&name, k);
        assert_eq!(result.breaches, [], "{name}");
        // Each is `Clone` or `Debug` at least.
        assert!(!result.tallies.is_empty(), "{name}");
        let unasked = result.tallies.iter().filter(|tally| tally.asked == 0);
        assert_eq!(unasked.map(|tally| tally.name).collect::<Vec<_>>(), [""; 0], "{name}");
    }
}

/// Which contracts apply to collections that everybody knows.
#[test]
fn contracts_are_found_by_names_and_signatures() {
    let of_methods = |name: &str| -> Vec<&str> {
        let contracts = asked(name, 1).tallies.into_iter().map(|tally| tally.name);
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
