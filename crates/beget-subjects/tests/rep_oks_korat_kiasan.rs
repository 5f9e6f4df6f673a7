//! The repOKs of the Korat and Kiasan benchmarks that `rep_oks.rs` leaves out: what Korat counts with them, and how they relate to
//! what the API builds.

mod common;

use common::rep_oks::{OnlyInRepOk, Row, assert_counts, assert_only_in_rep_ok, compared};

const KORAT: &[Row] = &[
    (
        "korat/sortedlist",
        "published",
        &[
            (1, 5),
            (2, 18),
            (6, 89),
            (20, 667),
            (70, 7083),
            (252, 97_072),
            (924, 1_618_033),
            (3432, 31_637_781),
        ],
    ),
    (
        "korat/binheap",
        "published",
        &[
            (2, 8),
            (6, 58),
            (28, 335),
            (120, 1666),
            (936, 8122),
            (7602, 42_815),
            (107_416, 261_788),
            (603_744, 1_323_194),
        ],
    ),
    (
        "korat/rbt",
        "published",
        &[
            (3, 8),
            (7, 45),
            (16, 212),
            (41, 1105),
            (115, 5369),
            (327, 23_462),
            (911, 103_164),
            (2489, 463_533),
            (6753, 2_145_829),
            (18_439, 10_442_867),
            (51_242, 53_141_999),
        ],
    ),
    (
        "korat/rbt",
        "corrected",
        &[
            (2, 8),
            (5, 40),
            (12, 177),
            (29, 804),
            (74, 3744),
            (201, 17_580),
            (573, 83_405),
            (1673, 376_322),
            (4888, 1_653_544),
            (14_101, 7_499_949),
            (40_074, 35_813_668),
        ],
    ),
];

const KIASAN: &[Row] = &[
    (
        "kiasan/binaryheap",
        "published",
        &[
            (1, 1),
            (10, 11),
            (93, 99),
            (996, 1030),
            (12_480, 12_745),
            (185_214, 187_031),
            (3_206_861, 3_221_407),
        ],
    ),
    (
        "kiasan/binaryheap",
        "corrected",
        &[
            (1, 1),
            (5, 8),
            (31, 43),
            (249, 295),
            (2496, 2781),
            (30_869, 32_716),
            (458_123, 472_711),
            (8_001_809, 8_111_825),
        ],
    ),
    (
        "kiasan/bst",
        "published",
        &[
            (2, 4),
            (5, 25),
            (15, 145),
            (51, 785),
            (188, 4086),
            (731, 20_797),
            (2950, 104_448),
            (12_235, 520_217),
            (51_822, 2_577_196),
            (223_191, 12_723_171),
        ],
    ),
    (
        "kiasan/disjsets",
        "published",
        &[(0, 1), (1, 4), (4, 18), (20, 108), (145, 915), (1441, 10_428), (18_248, 149_422)],
    ),
    (
        "kiasan/dllist",
        "published",
        &[
            (1, 6),
            (3, 26),
            (13, 126),
            (85, 937),
            (781, 10_091),
            (9331, 139_342),
            (137_257, 2_326_622),
            (2_396_745, 45_449_534),
        ],
    ),
    (
        "kiasan/treemap",
        "published",
        &[(2, 9), (13, 84), (118, 796), (1745, 9893), (40_526, 162_375), (1_207_261, 3_381_725)],
    ),
    (
        "kiasan/stack",
        "published",
        &[
            (2, 3),
            (7, 10),
            (40, 46),
            (341, 351),
            (3906, 3921),
            (55_987, 56_008),
            (960_800, 960_828),
        ],
    ),
];

#[test]
fn candidates_of_the_korat_benchmark_are_counted_as_by_korat() {
    assert_counts(KORAT);
}

#[test]
fn candidates_of_the_kiasan_benchmark_are_counted_as_by_korat() {
    assert_counts(KIASAN);
}

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
