//! The repOKs of ROOPS and FAJITA: how they relate to what the API builds.

use crate::common;

use beget_search::repok::{Search, count};
use common::rep_oks::{Case, case, compared};

/// Scope file, and by k from 1 the candidates accepted by corrections that no original was run
/// with.
const CORRECTED: &[(&str, &[u64])] = &[
    ("roops/avl", &[2, 5, 11, 25]),
    ("roops/fibheap", &[2, 9, 78]),
    ("fajita/ncl", &[1, 4, 18, 112]),
    ("fajita/cdlist", &[1, 3, 13, 85, 781]),
];

#[test]
fn corrections_admit_as_many_as_there_should_be() {
    for &(scope, rows) in CORRECTED {
        for (k, &expected) in (1..).zip(rows) {
            let Case { rep_ok, space, .. } = case(scope, "corrected", k);
            let report = count(&Search::new(&space, rep_ok.as_fn()));
            assert_eq!(report.generated, expected, "{scope}, k = {k}");
            assert!(report.is_complete(), "{scope}, k = {k}: {report:?}");
        }
    }
}

/// Scope file, repOK, and by k from 1: how many structures only the builders make, and how many
/// only the repOK admits.
type Difference = (&'static str, &'static str, &'static [(u64, u64)]);

const DIFFERENCES: &[Difference] = &[
    // All but the empty tree are of one set only.
    ("roops/avl", "published", &[(1, 0), (4, 2), (10, 25)]),
    ("roops/avl", "mended", &[(0, 0), (0, 4), (0, 15), (0, 160)]),
    ("roops/avl", "corrected", &[(0, 0), (0, 0), (0, 0), (0, 0)]),
    ("roops/bintree", "corrected", &[(0, 0), (0, 0), (0, 0), (0, 0)]),
    ("roops/binheap", "published", &[(0, 0), (0, 0), (0, 0), (0, 0)]),
    ("roops/fibheap", "mended", &[(0, 0), (0, 6)]),
    ("roops/fibheap", "corrected", &[(0, 0), (0, 3), (0, 30)]),
    ("roops/rbt", "published", &[(0, 1), (0, 2), (0, 5), (0, 12), (0, 43)]),
    ("roops/rbt", "corrected", &[(0, 0), (0, 0), (0, 1), (0, 0), (0, 2)]),
    ("fajita/avl", "published", &[(1, 0), (4, 2), (10, 10)]),
    ("fajita/avl", "corrected", &[(0, 0), (0, 0), (0, 0), (0, 0), (0, 0)]),
    ("fajita/binheap", "published", &[(0, 0), (0, 0), (0, 0), (0, 0), (0, 0)]),
    ("fajita/bintree", "published", &[(0, 0), (0, 0), (0, 0), (0, 0), (0, 0)]),
    ("fajita/ncl", "published", &[(1, 1), (4, 10), (18, 102)]),
    ("fajita/ncl", "corrected", &[(0, 0), (0, 0), (0, 0), (0, 0)]),
    ("fajita/cdlist", "published", &[(1, 1), (3, 3), (13, 13), (85, 85)]),
    ("fajita/cdlist", "corrected", &[(0, 0), (0, 0), (0, 0), (0, 0), (0, 0)]),
    ("fajita/slist", "published", &[(0, 0), (0, 0), (0, 0), (0, 0), (0, 0)]),
    ("fajita/rbt", "published", &[(0, 1), (0, 2), (0, 5), (0, 12), (0, 43)]),
    ("fajita/rbt", "corrected", &[(0, 0), (0, 0), (0, 1), (0, 0), (0, 2)]),
];

#[test]
fn rep_oks_differ_from_what_the_builders_make_by_so_much() {
    let mut wrong = Vec::new();
    for &(scope, rep_ok, rows) in DIFFERENCES {
        for (k, &expected) in (1..).zip(rows) {
            let result = compared(scope, rep_ok, k, None);
            let found = (result.only_api, result.only_rep_ok);
            if found != expected {
                wrong.push(format!("{scope}, {rep_ok}, k = {k}: {found:?}, not {expected:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
