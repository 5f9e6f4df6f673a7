//! The repOKs of ROOPS and FAJITA: what Korat counts with them, and how they relate to what the API builds.

mod common;

use beget::repok::{
    Comparison, Finitization, Forms, Names, Predicate, Search, Space, compare, count,
};
use beget_engine::store::Store;
use beget_engine::{Corpus, Settings};

/// A repOK, with the space that the scope file gives it.
struct Case {
    rep_ok: Predicate,
    space: Space,
}

#[track_caller]
fn case(scope: &str, rep_ok: &str, k: u32) -> Case {
    let suite = scope.replace('/', "::");
    let mut subjects = beget_subjects::subjects().into_iter();
    let found = subjects.find(|subject| subject.suite == suite);
    let subject = found.unwrap_or_else(|| panic!("{suite} has no repOKs")).subject;
    let finitizations = common::resolved(scope, k, &[]).finitizations;
    let given = finitizations.iter().find(|given| given.name == rep_ok);
    let given = given.unwrap_or_else(|| panic!("{scope} has no finitization {rep_ok}"));
    let finitization = Finitization::of_scope(given, &subject.shapes);
    let space = finitization.and_then(|finitization| subject.space(&finitization));
    let space = space.unwrap_or_else(|error| panic!("{scope}, {rep_ok}, k = {k}: {error}"));
    let rep_ok = subject.rep_ok(rep_ok).expect("a repOK of that name").clone();
    Case { rep_ok, space }
}

/// Scope file, repOK, and by k from 1: candidates accepted and explored, as the original Korat counts them.
type Row = (&'static str, &'static str, &'static [(u64, u64)]);

const TABLE: &[Row] = &[
    ("roops/avl", "published", &[(1, 5), (3, 159), (26, 8317), (185, 384_321), (1107, 20_935_951)]),
    ("roops/avl", "mended", &[(2, 5), (9, 155), (26, 5233), (185, 247_969), (1107, 12_277_946)]),
    ("roops/bintree", "published", &[(3, 5), (119, 141), (65_376, 65_596)]),
    ("roops/bintree", "corrected", &[(2, 5), (5, 35), (15, 274), (51, 2487)]),
    (
        "roops/binheap",
        "published",
        &[(2, 11), (6, 110), (28, 1036), (120, 12_935), (936, 183_780), (7602, 3_202_245)],
    ),
    ("roops/fibheap", "published", &[(1, 9), (26, 470), (1317, 39_213), (131_444, 5_681_553)]),
    ("roops/fibheap", "mended", &[(2, 10), (12, 937), (270, 223_516)]),
    ("roops/rbt", "published", WITH_RED_ROOTS),
    ("roops/rbt", "corrected", WITH_BLACK_ROOTS),
    (
        "fajita/avl",
        "published",
        &[
            (1, 6),
            (3, 41),
            (11, 300),
            (25, 2279),
            (62, 17_303),
            (157, 128_984),
            (396, 943_814),
            (1017, 6_813_631),
            (2706, 48_822_554),
        ],
    ),
    (
        "fajita/avl",
        "corrected",
        &[
            (2, 6),
            (5, 39),
            (11, 272),
            (25, 2033),
            (62, 15_423),
            (157, 115_624),
            (396, 853_814),
            (1017, 6_232_939),
        ],
    ),
    (
        "fajita/binheap",
        "published",
        &[
            (2, 8),
            (6, 68),
            (28, 450),
            (120, 2470),
            (936, 15_148),
            (7602, 131_256),
            (107_416, 1_447_594),
            (603_744, 13_329_584),
        ],
    ),
    (
        "fajita/bintree",
        "published",
        &[(2, 6), (5, 33), (15, 196), (51, 1277), (188, 8923), (731, 65_154)],
    ),
    (
        "fajita/ncl",
        "published",
        &[(1, 13), (10, 340), (102, 4344), (1252, 64_269), (18_555, 1_205_794)],
    ),
    (
        "fajita/cdlist",
        "published",
        &[(1, 5), (3, 16), (13, 42), (85, 152), (781, 1035), (9331, 11_280), (137_257, 160_244)],
    ),
    (
        "fajita/slist",
        "published",
        &[(1, 4), (3, 10), (13, 28), (85, 127), (781, 996), (9331, 11_224), (137_257, 160_168)],
    ),
    ("fajita/rbt", "published", WITH_RED_ROOTS),
    ("fajita/rbt", "corrected", WITH_BLACK_ROOTS),
];

const WITH_RED_ROOTS: &[(u64, u64)] = &[
    (3, 8),
    (7, 45),
    (16, 248),
    (41, 1603),
    (115, 8609),
    (327, 37_872),
    (911, 163_728),
    (2489, 715_883),
];

const WITH_BLACK_ROOTS: &[(u64, u64)] =
    &[(2, 8), (5, 40), (12, 201), (29, 1068), (74, 5564), (201, 27_680), (573, 134_309)];

/// Rows with more candidates are left to optimized builds, or to whoever has the time.
const MOST_CANDIDATES: u64 = if cfg!(debug_assertions) { 70_000 } else { 60_000_000 };

#[test]
fn candidates_are_counted_as_by_korat() {
    let mut wrong = Vec::new();
    for &(scope, rep_ok, rows) in TABLE {
        let rows = (1..).zip(rows).filter(|(_, row)| row.1 <= MOST_CANDIDATES);
        for (k, &expected) in rows {
            let Case { rep_ok: predicate, space } = case(scope, rep_ok, k);
            let report = count(&Search::new(&space, predicate.as_fn()));
            let found = (report.generated, report.explored);
            if found != expected {
                wrong.push(format!("{scope}, {rep_ok}, k = {k}: {found:?}, not {expected:?}"));
            }
            assert!(report.is_complete(), "{scope}, {rep_ok}, k = {k}: {report:?}");
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// As in [`TABLE`], of corrections that no original was run with: candidates accepted.
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
            let Case { rep_ok, space } = case(scope, "corrected", k);
            let report = count(&Search::new(&space, rep_ok.as_fn()));
            assert_eq!(report.generated, expected, "{scope}, k = {k}");
            assert!(report.is_complete(), "{scope}, k = {k}: {report:?}");
        }
    }
}

fn forms(corpus: &Corpus) -> Forms {
    let mut forms = Vec::new();
    corpus.store.scan(0..corpus.store.len(), &mut |_, form| forms.push(form.to_vec()));
    forms.into_iter().collect()
}

/// Compares what the builders of the scope build with what a repOK admits.
#[track_caller]
fn compared(scope: &str, rep_ok: &str, k: u32) -> Comparison {
    let corpus = common::run(common::plan(scope, k, &[]), Settings::default());
    let Case { rep_ok, space } = case(scope, rep_ok, k);
    // The containers are the first type of each suite; one suite has a second type, nodes.
    let n_types = corpus.plan.suite.types.len();
    let tag = (0, n_types.next_power_of_two().trailing_zeros());
    let search = Search { tag, ..Search::new(&space, rep_ok.as_fn()) };
    compare(&search, &corpus.plan.layout, &forms(&corpus), Names::Shapes)
}

/// Scope file, repOK, and by k from 1: how many structures only the builders make, and how many only the repOK admits.
const DIFFERENCES: &[Row] = &[
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
            let result = compared(scope, rep_ok, k);
            let found = (result.only_api, result.only_rep_ok);
            if found != expected {
                wrong.push(format!("{scope}, {rep_ok}, k = {k}: {found:?}, not {expected:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
