//! The numbers of the literature for the case studies that `counts.rs` leaves out.

mod common;

use beget_engine::Settings;
use beget_engine::store::Store;
use common::counts::Source::{Enumeration, Paper};
use common::counts::{Row, assert_reached};

const TABLE: &[Row] = &[
    // Heights and shapes of all AVL trees over subsets of the keys that insertion alone reaches; removal adds none.
    (
        "roops/avl",
        &[],
        &[
            (2, 5, Enumeration),
            (5, 14, Enumeration),
            (11, 38, Enumeration),
            (25, 106, Enumeration),
            (62, 317, Paper),
            (157, 950, Enumeration),
            (396, 2781, Enumeration),
            (1017, 8146, Enumeration),
            (2706, 24_365, Enumeration),
            (7393, 73_942, Enumeration),
        ],
    ),
    // Sum over n of binomial(k, n) * Catalan(n).
    (
        "roops/bintree",
        &[],
        &[
            (2, 5, Enumeration),
            (5, 14, Enumeration),
            (15, 50, Paper),
            (51, 210, Paper),
            (188, 947, Enumeration),
            (731, 4394, Enumeration),
            (2950, 20_659, Enumeration),
            (12_235, 97_890, Enumeration),
            (51_822, 466_409, Enumeration),
        ],
    ),
    // Every heap of at most k nodes.
    (
        "roops/binheap",
        &[],
        &[
            (2, 7, Enumeration),
            (6, 22, Enumeration),
            (28, 117, Enumeration),
            (120, 606, Enumeration),
            (936, 5623, Enumeration),
            (7602, 53_222, Paper),
            (107_416, 859_337, Paper),
            (603_744, 5_433_706, Paper),
        ],
    ),
    // Binomial trees only.
    (
        "roops/fibheap",
        &[],
        &[
            (2, 7, Enumeration),
            (6, 22, Enumeration),
            (48, 199, Enumeration),
            (335, 1683, Paper),
            (4381, 26_297, Paper),
            (54_159, 379_125, Enumeration),
        ],
    ),
    // The red-black trees over subsets of the keys that need no larger tree on the way.
    (
        "roops/rbt",
        &[],
        &[
            (2, 7, Enumeration),
            (5, 24, Enumeration),
            (11, 71, Enumeration),
            (29, 239, Enumeration),
            (72, 727, Enumeration),
            (197, 2376, Enumeration),
            (561, 7866, Enumeration),
            (1657, 26_526, Enumeration),
            (4748, 85_478, Enumeration),
            (14_077, 281_558, Enumeration),
            (39_942, 878_743, Paper),
            (112_237, 2_693_710, Paper),
        ],
    ),
    // As for the ROOPS tree, which the size does not change.
    (
        "fajita/avl",
        &[],
        &[
            (2, 5, Enumeration),
            (5, 14, Enumeration),
            (11, 38, Enumeration),
            (25, 106, Enumeration),
            (62, 317, Enumeration),
            (157, 950, Enumeration),
            (396, 2781, Enumeration),
            (1017, 8146, Enumeration),
            (2706, 24_365, Enumeration),
            (7393, 73_942, Paper),
            (20_267, 222_950, Paper),
        ],
    ),
    (
        "fajita/binheap",
        &[],
        &[
            (2, 7, Enumeration),
            (6, 22, Enumeration),
            (28, 117, Enumeration),
            (120, 606, Enumeration),
            (936, 5623, Enumeration),
            (7602, 53_222, Enumeration),
            (107_416, 859_337, Paper),
            (603_744, 5_433_706, Paper),
        ],
    ),
    // Sum over n of binomial(k, n) * Catalan(n).
    (
        "fajita/bintree",
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
    // Sum over the m elements of (k - m) * k^m, as for the ROOPS list.
    (
        "fajita/ncl",
        &[],
        &[
            (1, 4, Enumeration),
            (4, 20, Enumeration),
            (18, 114, Enumeration),
            (112, 904, Enumeration),
            (975, 9760, Enumeration),
            (11_196, 134_364, Enumeration),
        ],
    ),
    // Sum of k^m for m < k: one of the k nodes is the header.
    (
        "fajita/cdlist",
        &[],
        &[
            (1, 3, Enumeration),
            (3, 9, Enumeration),
            (13, 43, Enumeration),
            (85, 345, Enumeration),
            (781, 3911, Enumeration),
            (9331, 55_993, Enumeration),
            (137_257, 960_807, Enumeration),
        ],
    ),
    // Sum of k^m for m < k.
    (
        "fajita/slist",
        &[],
        &[
            (1, 3, Enumeration),
            (3, 9, Enumeration),
            (13, 43, Enumeration),
            (85, 345, Enumeration),
            (781, 3911, Enumeration),
            (9331, 55_993, Enumeration),
            (137_257, 960_807, Enumeration),
        ],
    ),
    // As for the ROOPS tree.
    (
        "fajita/rbt",
        &[],
        &[
            (2, 7, Enumeration),
            (5, 24, Enumeration),
            (11, 71, Enumeration),
            (29, 239, Enumeration),
            (72, 727, Enumeration),
            (197, 2376, Enumeration),
            (561, 7866, Enumeration),
            (1657, 26_526, Enumeration),
            (4748, 85_478, Enumeration),
            (14_077, 281_558, Enumeration),
            (39_942, 878_743, Paper),
        ],
    ),
    // binomial(2k - 2, k - 1): at most k - 1 elements of k - 1 values, in order.
    (
        "korat/sortedlist",
        &[],
        &[
            (1, 3, Enumeration),
            (2, 7, Enumeration),
            (6, 22, Enumeration),
            (20, 85, Enumeration),
            (70, 356, Enumeration),
            (252, 1519, Enumeration),
            (924, 6476, Enumeration),
            (3432, 27_465, Enumeration),
        ],
    ),
    (
        "korat/binheap",
        &[],
        &[
            (2, 7, Enumeration),
            (6, 22, Enumeration),
            (28, 117, Enumeration),
            (120, 606, Enumeration),
            (936, 5623, Enumeration),
            (7602, 53_222, Enumeration),
            (107_416, 859_337, Paper),
            (603_744, 5_433_706, Paper),
        ],
    ),
    // As for the ROOPS tree.
    (
        "korat/rbt",
        &[],
        &[
            (2, 7, Enumeration),
            (5, 24, Enumeration),
            (11, 71, Enumeration),
            (29, 239, Enumeration),
            (72, 727, Enumeration),
            (197, 2376, Enumeration),
            (561, 7866, Enumeration),
            (1657, 26_526, Enumeration),
            (4748, 85_478, Enumeration),
            (14_077, 281_558, Enumeration),
            (39_942, 878_743, Paper),
            (112_237, 2_693_710, Paper),
        ],
    ),
    // The valid heaps of every length together with every stale cell behind them.
    (
        "kiasan/binaryheap",
        &[],
        &[
            (1, 4, Enumeration),
            (5, 23, Enumeration),
            (31, 145, Enumeration),
            (249, 1277, Enumeration),
            (2496, 15_036, Enumeration),
            (30_869, 216_161, Enumeration),
            (458_123, 3_665_089, Paper),
        ],
    ),
    (
        "kiasan/binaryheap",
        &["with_capacity", "insert", "delete_min"],
        &[
            (1, 4, Enumeration),
            (5, 23, Enumeration),
            (31, 148, Enumeration),
            (249, 1301, Enumeration),
            (2496, 15_056, Enumeration),
            (30_869, 216_239, Enumeration),
            (458_123, 3_665_180, Enumeration),
        ],
    ),
    // Sum over n of binomial(k, n) * Catalan(n).
    (
        "kiasan/bst",
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
            (223_191, 2_231_922, Enumeration),
        ],
    ),
    // Sum of k^n for n in 1..k: each cell holds -1 or a literal other than its position.
    (
        "kiasan/disjsets",
        &[],
        &[
            (0, 1, Enumeration),
            (2, 14, Enumeration),
            (12, 120, Enumeration),
            (84, 1364, Enumeration),
            (780, 19_530, Enumeration),
            (9330, 335_922, Enumeration),
        ],
    ),
    // Sum of k^m for m < k.
    (
        "kiasan/dllist",
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
    // Sum over the trees of `kiasan/treeset` of k^n for n nodes.
    (
        "kiasan/treemap",
        &[],
        &[
            (2, 7, Enumeration),
            (13, 82, Enumeration),
            (91, 1097, Enumeration),
            (1745, 34_907, Enumeration),
            (34_276, 1_028_287, Paper),
            (1_098_397, 46_132_686, Paper),
        ],
    ),
    // Sum of k^m for m <= k.
    (
        "kiasan/stack",
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
];

/// Scope file, methods that add nothing to what the builders reach, and the largest k to try.
const MORE_METHODS: &[(&str, &[&str], u32)] = &[
    ("roops/avl", &["new", "insert", "remove", "make_empty"], 6),
    ("roops/bintree", &["new", "add", "remove_key"], 5),
    ("fajita/binheap", &["new", "insert", "extract_min", "delete"], 3),
    ("fajita/ncl", &["new", "add_last", "add", "remove_index", "remove"], 4),
    (
        "fajita/cdlist",
        &[
            "new",
            "add",
            "add_last",
            "add_first",
            "add_at",
            "remove_index",
            "remove_first",
            "remove_last",
            "remove",
            "set",
            "clear",
        ],
        4,
    ),
    ("fajita/slist", &["new", "insert_back", "remove", "contains"], 4),
];

/// Rows with more calls are left to optimized builds.
const MOST_CALLS: u64 = if cfg!(debug_assertions) { 400_000 } else { 10_000_000 };

#[test]
fn the_published_numbers_are_reached() {
    assert_reached(TABLE, MOST_CALLS);
}

#[test]
fn the_other_methods_add_nothing_to_what_the_builders_reach() {
    for &(scope, methods, most) in MORE_METHODS {
        for k in 1..=most {
            let builders = common::run(common::plan(scope, k, &[]), Settings::default());
            let more = common::run(common::plan(scope, k, methods), Settings::default());
            assert!(more.report.counters.explored() > builders.report.counters.explored());
            assert_eq!(more.store.totals(), builders.store.totals(), "{scope}, k = {k}");
            assert_eq!(more.report.findings, [], "{scope}, k = {k}");
        }
    }
}
