//! The numbers of the literature, and those that our own subjects must give.

mod common;

use common::counts::Source::{Enumeration, Paper};
use common::counts::{Row, assert_reached};

const TABLE: &[Row] = &[
    // Sum over the m elements of (k - m) * k^m: the cache may have any size.
    (
        "roops/ncl",
        &[],
        &[
            (1, 4, Enumeration),
            (4, 20, Enumeration),
            (18, 114, Enumeration),
            (112, 904, Enumeration),
            (975, 9760, Enumeration),
            (11_196, 134_364, Paper),
            (160_132, 2_241_862, Paper),
        ],
    ),
    (
        "roops/ncl",
        &["new", "add_last", "remove_index", "set_maximum_cache_size", "contains"],
        &[
            (2, 11, Enumeration),
            (12, 101, Enumeration),
            (71, 859, Enumeration),
            (553, 8857, Enumeration),
        ],
    ),
    // Sum of k^m for m < k: one of the k nodes is the header.
    (
        "roops/llist",
        &[],
        &[
            (1, 3, Enumeration),
            (3, 9, Enumeration),
            (13, 43, Enumeration),
            (85, 345, Enumeration),
            (781, 3911, Enumeration),
            (9331, 55_993, Enumeration),
            (137_257, 960_807, Paper),
        ],
    ),
    // Sum of k^m for m <= k: the header is an element.
    (
        "korat/dllist",
        &[],
        &[
            (2, 5, Enumeration),
            (7, 18, Enumeration),
            (40, 125, Enumeration),
            (341, 1370, Enumeration),
            (3906, 19_537, Enumeration),
            (55_987, 335_930, Paper),
            (960_800, 6_725_609, Paper),
        ],
    ),
    // Sum of k^m for m < k.
    (
        "korat/slist",
        &[],
        &[
            (1, 3, Enumeration),
            (3, 9, Enumeration),
            (13, 43, Enumeration),
            (85, 345, Enumeration),
            (781, 3911, Enumeration),
            (9331, 55_993, Enumeration),
            (137_257, 960_807, Paper),
        ],
    ),
    // Sum over n of binomial(k, n) * Catalan(n).
    (
        "korat/searchtree",
        &[],
        &[
            (2, 5, Enumeration),
            (5, 14, Enumeration),
            (15, 50, Enumeration),
            (51, 210, Enumeration),
            (188, 947, Enumeration),
            (731, 4394, Enumeration),
            (2950, 20_659, Enumeration),
            (12_235, 97_890, Enumeration),
            (51_822, 466_409, Enumeration),
            (223_191, 2_231_922, Paper),
        ],
    ),
    (
        "korat/fibheap",
        &[],
        &[
            (2, 7, Enumeration),
            (6, 22, Enumeration),
            (48, 199, Enumeration),
            (335, 1683, Paper),
            (4381, 26_297, Paper),
            (54_159, 379_125, Paper),
            (898_394, 7_187_167, Paper),
        ],
    ),
    (
        "kiasan/disjsets_fast",
        &[],
        &[
            (0, 1, Enumeration),
            (1, 10, Enumeration),
            (4, 57, Enumeration),
            (14, 296, Enumeration),
            (83, 2520, Enumeration),
            (544, 22_890, Paper),
            (4397, 246_288, Paper),
        ],
    ),
    (
        "kiasan/treeset",
        &[],
        &[
            (2, 7, Enumeration),
            (5, 24, Enumeration),
            (11, 71, Enumeration),
            (29, 239, Enumeration),
            (72, 727, Enumeration),
            (197, 2376, Enumeration),
            (561, 7866, Paper),
            (1657, 26_526, Paper),
            (4748, 85_478, Enumeration),
            (14_077, 281_558, Enumeration),
            (39_942, 878_743, Paper),
            (112_237, 2_693_710, Paper),
        ],
    ),
];

/// Rows with more calls are left to optimized builds.
const MOST_CALLS: u64 = if cfg!(debug_assertions) { 1_000_000 } else { u64::MAX };

#[test]
fn the_published_numbers_are_reached() {
    assert_reached(TABLE, MOST_CALLS);
}
