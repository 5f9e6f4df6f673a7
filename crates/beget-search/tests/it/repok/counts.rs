//! Generated and explored of small subjects, as measured with the original Korat.
#![allow(missing_docs)]

use super::common;

use beget::heap::Heap;
use beget::heap::view::{RepOk, Root, Table};
use beget_search::repok::{Finitization, Search, count};

use common::{heap, ncl, ring, slist, space, tree};

/// Checks the counts for k = 1, 2, ...
#[track_caller]
fn assert_counts<T: Heap + Root>(
    rep_ok: RepOk<T>,
    finitization: fn(u32) -> Finitization,
    expected: &[(u64, u64)],
) {
    for (k, &expected) in (1..).zip(expected) {
        let (space, check) = (space::<T>(&finitization(k)), |table: &Table| rep_ok.check(table));
        let report = count(&Search::new(&space, &check));
        assert_eq!((report.generated, report.explored), expected, "k = {k}");
        assert!(report.is_complete(), "{report:?}");
    }
}

#[test]
fn search_trees_are_counted_as_by_korat() {
    let expected =
        [(2, 6), (5, 31), (15, 178), (51, 1165), (188, 8308), (731, 61950), (2950, 471_708)];
    assert_counts(tree::REP_OK, tree::finitization, &expected);
}

#[test]
fn singly_linked_lists_are_counted_as_by_korat() {
    let expected = [(1, 5), (3, 18), (13, 94), (85, 764), (781, 8559), (9331, 121_000)];
    assert_counts(slist::REP_OK, slist::finitization, &expected);
}

#[test]
fn circular_lists_are_counted_as_by_korat() {
    let expected = [(1, 6), (3, 22), (13, 93), (85, 643), (781, 6554), (9331, 86_989)];
    assert_counts(ring::REP_OK, ring::finitization, &expected);
}

#[test]
fn heaps_in_an_array_are_counted_as_by_korat() {
    let published = [(1, 1), (10, 11), (93, 99), (996, 1030), (12_480, 12_745), (185_214, 187_031)];
    assert_counts(heap::PUBLISHED, heap::finitization, &published);
    let corrected = [(1, 1), (5, 8), (31, 43), (249, 295), (2496, 2781), (30_869, 32_716)];
    assert_counts(heap::CORRECTED, heap::finitization, &corrected);
}

#[test]
fn caching_lists_are_counted_as_by_korat() {
    let published =
        [(2, 10), (21, 136), (228, 746), (2930, 4269), (44_790, 47_605), (800_667, 805_921)];
    assert_counts(ncl::PUBLISHED, ncl::finitization, &published);
    let corrected = [(1, 10), (4, 152), (18, 998), (112, 7642), (975, 88_280), (11_196, 1_335_035)];
    assert_counts(ncl::CORRECTED, ncl::finitization, &corrected);
}
