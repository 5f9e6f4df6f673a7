//! The repOKs of the Korat and Kiasan benchmarks that `rep_oks.rs` leaves out: how they relate to
//! what the API builds.

use crate::common;

use common::rep_oks::{OnlyInRepOk, assert_only_in_rep_ok, compared};

const ONLY_IN_REP_OK: &[OnlyInRepOk] = &[
    ("korat/sortedlist", "published", &[0, 0, 0, 0, 0, 0]),
    ("korat/binheap", "published", &[0, 0, 0, 0, 0, 0]),
    ("korat/rbt", "published", &[1, 2, 5, 12, 43, 130]),
    ("korat/rbt", "corrected", &[0, 0, 1, 0, 2, 4]),
    ("kiasan/binaryheap", "published", &[0, 5, 2 * 31, 3 * 249, 4 * 2496]),
    ("kiasan/binaryheap", "corrected", &[0, 0, 0, 0, 0]),
    ("kiasan/bst", "published", &[0, 0, 0, 0, 0, 0]),
    ("kiasan/dllist", "published", &[0, 0, 0, 0, 0]),
    // The trees that sets lack, each with every choice of values.
    ("kiasan/treemap", "published", &[0, 0, 27, 0]),
    ("kiasan/stack", "published", &[0, 0, 0, 0, 0]),
];

#[test]
fn rep_oks_admit_what_the_builders_make_and_so_much_more() {
    assert_only_in_rep_ok(ONLY_IN_REP_OK);
}

#[test]
fn unchecked_unions_make_disjoint_sets_that_the_repok_rejects() {
    for (k, rejected) in (1..).zip([0, 1, 8, 64, 635]) {
        let result = compared("kiasan/disjsets", "published", k, None);
        assert_eq!((result.only_api, result.only_rep_ok), (rejected, 0), "k = {k}: {result:#?}");
    }
}
