//! Counts, numbers and words of searches to the last one: budgets, findings, progress, groups, runs
//! in progress, and finitizations at their ends.
#![allow(missing_docs, dead_code)]

use super::common;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex};

use beget::heap::view::{RepOk, Root, Shapes, Table, clause};
use beget::{Heap, HeapView};
use beget_plan::finding::{Finding, Progress, StopReason};
use beget_plan::scope::{FieldDomain, FieldValues};
use beget_search::repok::{
    CandidateSpace, Finitization, FinitizationError, Forms, Names, Relation, Search, ValueDomain,
    compare, naive,
};

use common::ring::{self, Ring};
use common::{ints, layout, nodes, run, slist, space, tree};

/// The search finds what the naive twin finds, nothing twice.
#[track_caller]
fn assert_is_naive<T: Heap + Root>(rep_ok: RepOk<T>, finitization: &Finitization) -> u64 {
    let check = |table: &Table| rep_ok.check(table);
    let expected = naive(&space::<T>(finitization), &check, &layout::<T>());
    let (report, forms) = run(rep_ok, finitization, |_| {});
    assert_eq!(forms.len() as u64, report.generated - report.unrepresentable);
    assert_eq!(forms.len(), expected.len(), "a structure was found twice");
    assert_eq!(forms.into_iter().collect::<std::collections::BTreeSet<_>>(), expected);
    report.generated
}

#[derive(Heap, HeapView)]
struct Rows {
    rows: Vec<Vec<Pair>>,
    single: Option<Single>,
    letter: char,
    color: Color,
}

#[derive(Heap, HeapView)]
struct Pair {
    left: u8,
    right: bool,
}

#[derive(Clone, Copy, Heap, HeapView)]
struct Single {
    only: u8,
}

#[derive(Clone, Copy, Heap, HeapView)]
enum Color {
    Red,
    Black,
    White,
}

fn rows() -> Finitization {
    Finitization::new()
        .field("Rows", "rows", ValueDomain::arrays(2..=2))
        .field("Rows", "rows[]", ValueDomain::arrays(0..=2))
        .field("Rows", "rows[][].left", ints(4..6))
        .field("Rows", "rows[][].right", ValueDomain::all())
        .field("Rows", "single?", ValueDomain::all())
        .field("Rows", "single.only", ints(1..3))
        .field("Rows", "letter", ValueDomain::fixed(i64::from(u32::from('x'))))
        .field("Rows", "color", ValueDomain::all())
}

#[test]
fn elements_of_several_cells_are_varied_each() {
    let anything = RepOk::<Rows>::new("anything", |_| Ok(()));
    let generated = assert_is_naive(anything, &rows());
    // Two rows of none, one or two of four pairs; none or one of two singles; three colours.
    assert_eq!(generated, (1 + 4 + 16) * (1 + 4 + 16) * 3 * 3);
    let last = RepOk::<Rows>::new("last", |rows| {
        let row = rows.rows().get(1).filter(|row| row.len() == 2);
        clause("two", row.is_some_and(|row| row.get(1).is_some_and(|pair| pair.left() == 5)))
    });
    assert_eq!(assert_is_naive(last, &rows()), (1 + 4 + 16) * (4 * 2) * 3 * 3);
}

/// A list whose root is a node as well.
#[derive(Heap, HeapView)]
struct Link {
    value: u8,
    next: Option<Box<Link>>,
    side: Option<Box<Link>>,
}

#[test]
fn objects_of_the_root_s_class_are_numbered_too() {
    let anything = RepOk::<Link>::new("anything", |_| Ok(()));
    let links = Finitization::new()
        .pool("Link", 2)
        .field("Link", "value", ints(0..2))
        .field("Link", "next", nodes())
        .field("Link", "side", nodes());
    assert_is_naive(anything, &links);
    let read = RepOk::<Link>::new("read", |link| {
        let of = |link: Option<LinkView<'_>>| link.map_or(9, |link| link.value());
        clause("differ", of(link.next()) != of(link.side()))
    });
    assert_is_naive(read, &links);
}

#[derive(Heap, HeapView)]
struct Classes {
    first: Option<Box<One>>,
    second: Option<Box<One>>,
    other: Option<Box<Other>>,
}

#[derive(Heap, HeapView)]
struct One {
    value: u8,
}

#[derive(Heap, HeapView)]
struct Other {
    value: u8,
}

#[test]
fn objects_of_each_class_are_numbered_by_themselves() {
    let anything = RepOk::<Classes>::new("anything", |classes| {
        let of = |one: Option<OneView<'_>>| one.map_or(0, |one| one.value());
        let other = classes.other().map_or(0, |other| other.value());
        clause("read", of(classes.first()) + of(classes.second()) + other >= 0)
    });
    let classes = Finitization::new()
        .pool("One", 2)
        .pool("Other", 2)
        .field("Classes", "first", nodes())
        .field("Classes", "second", nodes())
        .field("Classes", "other", nodes())
        .field("One", "value", ints(0..2))
        .field("Other", "value", ints(0..2));
    // None or one of two values in each of three places; one object in two places of the three is
    // counted, and cannot be.
    assert_eq!(assert_is_naive(anything, &classes), (3 * 3 + 2) * 3);
}

#[test]
fn a_budget_of_structures_counts_the_candidates_before_the_next_one() {
    let cut = |max_generated: u64, max_explored: u64| {
        let (report, _) = run(tree::REP_OK, &tree::finitization(4), |search| {
            search.settings.max_generated = max_generated;
            search.settings.max_explored = max_explored;
        });
        (report.generated, report.explored)
    };
    for n in [1, 20, 40] {
        let (generated, explored) = cut(n, u64::MAX);
        assert_eq!(generated, n);
        // With so many candidates there are so many structures, and with one more another.
        assert_eq!(cut(u64::MAX, explored), (n, explored));
        assert_eq!(cut(u64::MAX, explored + 1), (n + 1, explored + 1));
    }
}

/// Whether it is one of the trees of six nodes that come after thousands of candidates.
fn is_late(tree: tree::SearchTreeView<'_>) -> bool {
    let has_both = |root: tree::NodeView<'_>| root.left().is_some() && root.right().is_some();
    tree.size() == 6 && tree.root().is_some_and(has_both)
}

#[test]
fn findings_are_counted_over_all_jobs_and_stand_with_their_first_candidate() {
    // Where the published repOK admits a tree, these panic.
    let panicking = RepOk::<tree::SearchTree>::new("panicking", |tree| {
        tree::rep_ok(tree)?;
        assert!(!is_late(tree), "late");
        panic!("early")
    });
    let late = RepOk::<tree::SearchTree>::new("late", |tree| clause("late", is_late(tree)));
    let late = |table: &Table| late.check(table);
    let mut first = [None, None];
    let mut counts = [0_u64, 0];
    let published = |table: &Table| tree::REP_OK.check(table);
    let space = space::<tree::SearchTree>(&tree::finitization(6));
    let layout = layout::<tree::SearchTree>();
    beget_search::repok::search(&Search::new(&space, &published), &layout, &mut |found| {
        let mut checker = beget_oracle::rep_ok::Checker::new(space.shapes(), &layout, 10_000);
        let index = usize::from(checker.check(&late, found.form) == Ok(Ok(())));
        counts[index] += 1;
        first[index].get_or_insert(found.ordinal);
    });
    let (report, _) = run(panicking, &tree::finitization(6), |_| {});
    let found = |end: &str| {
        let is_it = |finding: &&Finding| finding.problem.to_string().ends_with(end);
        let finding = report.findings.iter().find(is_it).unwrap();
        (finding.count, finding.witness.number)
    };
    assert_eq!(counts.iter().sum::<u64>(), 731);
    assert_eq!(found("early"), (counts[0], first[0]));
    assert_eq!(found("late"), (counts[1], first[1]));
    assert!(first[1] > Some(4096), "in a later job");
}

#[test]
fn progress_says_how_many_candidates_and_structures_there_are() {
    let seen = Mutex::new(Vec::new());
    let look = |progress: Progress| {
        seen.lock().unwrap().push((progress.explored, progress.structures));
        None::<StopReason>
    };
    let published = |table: &Table| tree::REP_OK.check(table);
    let space = space::<tree::SearchTree>(&tree::finitization(6));
    let search = Search { control: &look, ..Search::new(&space, &published) };
    let report = beget_search::repok::count(&search);
    let seen = seen.into_inner().unwrap();
    assert_eq!(seen[0], (0, 0));
    assert_eq!(report.generated, 731);
    for (explored, structures) in seen.into_iter().step_by(7) {
        let (cut, _) = run(tree::REP_OK, &tree::finitization(6), |search| {
            search.settings.max_explored = explored.max(1);
        });
        assert_eq!(structures, if explored == 0 { 0 } else { cut.generated });
    }
}

#[test]
fn the_digest_depends_on_all_bytes_of_all_forms_and_on_their_order() {
    let digest = |values: &[i64]| {
        let values = values.to_vec();
        let finitization = Finitization::new()
            .field("Long", "first", ValueDomain::ints(values))
            .field("Long", "second", ints(0..2));
        run(RepOk::<Long>::new("anything", |_| Ok(())), &finitization, |_| {}).0.digest
    };
    let big = 1_i64 << 60;
    let lists: [&[i64]; 8] =
        [&[0, 1], &[1, 0], &[0], &[1], &[big], &[big + 1], &[big + (1 << 40)], &[0, 1, 2]];
    let digests: std::collections::BTreeSet<u64> = lists.into_iter().map(digest).collect();
    assert_eq!(digests.len(), lists.len());
    assert!(!digests.contains(&0));
}

#[derive(Heap, HeapView)]
struct Long {
    first: i64,
    second: u8,
}

#[test]
fn what_no_value_can_be_is_admitted_by_the_repok_only() {
    let rep_ok = |table: &Table| ring::ANYTHING.check(table);
    let space = space::<Ring>(&ring::finitization(1));
    let api: Forms = [].into_iter().collect();
    assert!(api.is_empty());
    let one: Forms = [beget_heap::CanonicalForm::from(vec![1])].into_iter().collect();
    assert!(!one.is_empty());
    let result = compare(&Search::new(&space, &rep_ok), &layout::<Ring>(), &api, Names::Shapes);
    // 18 candidates, of which 2 have no header.
    assert_eq!((result.api, result.rep_ok, result.only_rep_ok), (0, 18, 18));
    assert_eq!(result.only_rep_ok_groups.iter().map(|group| group.count).sum::<u64>(), 16);
    assert_eq!(result.relation, Relation::Under);
    let names = [Relation::Equal, Relation::Under, Relation::Over, Relation::Different];
    let names = names.map(|relation| relation.to_string());
    assert_eq!(names, ["equal", "under", "over", "different"]);
}

#[test]
fn the_witness_of_a_group_is_its_smallest_structure() {
    let down = Finitization::new()
        .pool("Entry", 1)
        .field("List", "header", nodes())
        .field("List", "size", ValueDomain::ints([2, 1, 0]))
        .field("Entry", "element", ValueDomain::ints([2, 1, 0]))
        .field("Entry", "next", ValueDomain::null());
    let anything = |_: &Table| Ok(());
    let space = space::<slist::List>(&down);
    let api: Forms = [].into_iter().collect();
    assert_eq!(api.len(), 0);
    let result =
        compare(&Search::new(&space, &anything), &layout::<slist::List>(), &api, Names::Shapes);
    let groups = result.only_rep_ok_groups.iter().map(|group| (group.count, group.text.as_str()));
    let expected = [
        (3, "List#0 { header: null, size: 0 }\n"),
        (9, "List#0 { header: #1, size: 0 }\nEntry#1 { element: 0, next: null }\n"),
    ];
    assert_eq!(groups.collect::<Vec<_>>(), expected);
}

/// Names of clauses, each for one number.
static CLAUSES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    (0..1200).map(|number| &*Box::leak(format!("not {number}").into_boxed_str())).collect()
});

#[test]
fn what_comes_after_a_thousand_groups_is_one_group() {
    let anything = |_: &Table| Ok(());
    let other = RepOk::<Long>::new("other", |long| clause(CLAUSES[long.first() as usize], false));
    let other = |table: &Table| other.check(table);
    // The second field varies slowest: structures of all groups come when there are a thousand.
    let finitization = Finitization::new().field("Long", "second", ints(0..2)).field(
        "Long",
        "first",
        ints(0..1200),
    );
    let space = space::<Long>(&finitization);
    let api: Forms = [].into_iter().collect();
    let names = Names::Clauses(&other);
    let result = compare(&Search::new(&space, &anything), &layout::<Long>(), &api, names);
    let groups = &result.only_rep_ok_groups;
    let (others, named): (Vec<_>, Vec<_>) = groups.iter().partition(|group| !group.is_clause);
    assert!(named.iter().all(|group| group.count == 2));
    let others: Vec<_> = others.iter().map(|group| (&*group.label, group.count)).collect();
    assert_eq!((named.len(), others), (1000, vec![("others", 400)]));
}

#[test]
fn a_run_that_does_not_end_shows_its_candidate() {
    for (stops_at, threads) in [(1, 1), (2, 1), (6, 2)] {
        let (is_stuck, is_released) = (AtomicBool::new(false), AtomicBool::new(false));
        let texts = Mutex::new(Vec::new());
        let number = AtomicU64::new(0);
        let space = space::<slist::List>(&slist::finitization(2));
        // Each candidate once: the repOK is asked twice about the first of a job.
        let seen = Mutex::new(std::collections::BTreeSet::new());
        let rep_ok = |table: &Table| {
            let answer = slist::REP_OK.check(table);
            let text = beget::heap::view::to_text(space.shapes(), table);
            let n_seen = {
                let mut seen = seen.lock().unwrap();
                seen.insert(text.clone());
                seen.len()
            };
            if n_seen == stops_at && !is_released.load(Ordering::SeqCst) {
                is_stuck.store(true, Ordering::SeqCst);
                texts.lock().unwrap().push(text);
                while !is_released.load(Ordering::SeqCst) {
                    std::thread::yield_now();
                }
            }
            answer
        };
        let shown = Mutex::new(Vec::new());
        let wait = |search: &beget_search::repok::SearchInProgress<'_>| {
            if is_stuck.swap(false, Ordering::SeqCst) {
                let runs = search.runs();
                is_released.store(true, Ordering::SeqCst);
                for run in runs {
                    number.store(run.candidate, Ordering::SeqCst);
                    shown.lock().unwrap().extend(search.candidate(run));
                }
            }
        };
        let mut search = Search { wait: Some(&wait), ..Search::new(&space, &rep_ok) };
        search.settings.threads = threads;
        beget_search::repok::search(&search, &layout::<slist::List>(), &mut |_| {});
        assert_eq!(number.into_inner(), stops_at as u64);
        assert_eq!(shown.into_inner().unwrap(), texts.into_inner().unwrap());
    }
}

#[test]
fn a_run_of_a_later_job_shows_its_candidate() {
    let n_calls = AtomicU64::new(0);
    let (is_stuck, is_released) = (AtomicBool::new(false), AtomicBool::new(false));
    let (text, shown) = (Mutex::new(None), Mutex::new(Vec::new()));
    let space = space::<tree::SearchTree>(&tree::finitization(6));
    let rep_ok = |table: &Table| {
        let answer = tree::REP_OK.check(table);
        if n_calls.fetch_add(1, Ordering::SeqCst) == 20_000 {
            *text.lock().unwrap() = Some(beget::heap::view::to_text(space.shapes(), table));
            is_stuck.store(true, Ordering::SeqCst);
            while !is_released.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
        }
        answer
    };
    let wait = |search: &beget_search::repok::SearchInProgress<'_>| {
        if is_stuck.swap(false, Ordering::SeqCst) {
            for run in search.runs() {
                assert!(run.job > 0, "a later job");
                shown.lock().unwrap().extend(search.candidate(run));
            }
            is_released.store(true, Ordering::SeqCst);
        }
    };
    let search = Search { wait: Some(&wait), ..Search::new(&space, &rep_ok) };
    beget_search::repok::count(&search);
    assert_eq!(shown.into_inner().unwrap(), [text.into_inner().unwrap().unwrap()]);
}

#[track_caller]
fn check_refused<T: Heap + beget::heap::view::Viewed>(finitization: &Finitization, message: &str) {
    let error = CandidateSpace::new::<T>(finitization).unwrap_err();
    assert_eq!(error.to_string(), message);
}

#[test]
fn a_domain_of_another_kind_is_refused_with_what_the_field_holds() {
    let rows = |path: &str, domain: ValueDomain| {
        let fields = ["rows", "rows[]", "rows[][].left", "rows[][].right", "single?"];
        let fields = fields.into_iter().chain(["single.only", "letter", "color"]);
        let right = |path: &str| match path {
            "rows" | "rows[]" => ValueDomain::arrays(0..=1),
            "single?" | "rows[][].right" | "color" => ValueDomain::all(),
            _ => ints(0..1),
        };
        fields.fold(Finitization::new(), |whole, field| {
            let given = if field == path { domain.clone() } else { right(field) };
            whole.field("Rows", field, given)
        })
    };
    let check = |path: &str, domain: ValueDomain, holds: &str| {
        let message = format!("the field {path} of Rows holds {holds}: give a domain of these");
        check_refused::<Rows>(&rows(path, domain), &message);
    };
    check("rows", nodes(), "an array");
    check("rows", ValueDomain::all(), "an array");
    check("rows[]", ints(0..2), "an array");
    check("single.only", nodes(), "an integer");
    check("letter", ValueDomain::all(), "an integer");
    check("single?", nodes(), "a boolean");
    check("color", nodes(), "an enum");
    assert!(CandidateSpace::new::<Rows>(&rows("", ValueDomain::all())).is_ok());

    let header = |domain: ValueDomain| {
        let size = Finitization::new().field("LinkedList", "size", ints(0..1));
        size.field("LinkedList", "header", domain)
    };
    let message = "the field header of LinkedList holds a reference: give a domain of these";
    check_refused::<Ring>(&header(ints(0..2)), message);
    // An empty pool needs no fields of its class.
    let none = header(nodes()).pool("RingNode", 0);
    assert_eq!(run(ring::ANYTHING, &none, |_| {}).0.generated, 1);
}

#[test]
fn spaces_beyond_their_limits_are_refused() {
    let of = |left: i64, right: i64| {
        let finitization = Finitization::new()
            .field("Long", "first", ValueDomain::ints(0..left))
            .field("Long", "second", ValueDomain::ints(0..right));
        CandidateSpace::new::<Long>(&finitization).map(drop)
    };
    assert_eq!(of(5000, 5000), Ok(()));
    assert_eq!(of(1 << 24, 1), Err(FinitizationError::TooLarge));
    let bytes = |most: u32| {
        let finitization = Finitization::new()
            .field("Bytes", "bytes", ValueDomain::arrays(most..=most))
            .field("Bytes", "bytes[]", ValueDomain::fixed(0));
        CandidateSpace::new::<Bytes>(&finitization).map(drop)
    };
    // Before the elements: what every table has, the root's cell, and the length.
    let most = (1 << 20) - Table::ROOT - 2;
    assert_eq!(bytes(most), Ok(()));
    assert_eq!(bytes(most + 1), Err(FinitizationError::TooLarge));
    assert_eq!(bytes(most + 2), Err(FinitizationError::TooLarge));
    assert_eq!(bytes(u32::MAX), Err(FinitizationError::TooLarge));
}

#[derive(Heap, HeapView)]
struct Bytes {
    bytes: Vec<u8>,
}

#[test]
fn scopes_give_characters_presences_and_arrays() {
    let objects = |name: &str| FieldValues::Objects(name.to_owned());
    let field = |class: &str, field: &str, values: &[FieldValues]| FieldDomain {
        class: class.to_owned(),
        field: field.to_owned(),
        values: values.to_vec(),
    };
    let shapes = Shapes::of::<Rows>();
    let arrays = shapes.classes().iter().filter(|class| class.is_array);
    let is_rows = |name: &str| name.starts_with("Vec<") && name.contains("::Vec<");
    let rows = arrays.map(|class| class.key.name).find(|name| is_rows(name)).unwrap();
    let scope = beget_plan::scope::Finitization {
        name: "published".to_owned(),
        objects: [].into(),
        arrays: 1..4,
        fields: vec![
            field("Rows", "rows", &[objects(rows)]),
            field("Rows", "single", &[FieldValues::Null, objects("Single")]),
            field("Single", "only", &[FieldValues::Ints(3..=3)]),
            field("Rows", "letter", &[FieldValues::Char('x'), FieldValues::Char('b')]),
            field("Rows", "color", &[FieldValues::Variant("White".to_owned())]),
            field("Pair", "left", &[FieldValues::Ints(0..=1)]),
            field("Pair", "right", &[FieldValues::Bool(false)]),
        ],
    };
    let expected = Finitization::new()
        .field("Rows", "rows", ValueDomain::arrays(1..=3))
        .field("Rows", "single?", ValueDomain::ints([0, 1]))
        .field("Rows", "single.only", ValueDomain::fixed(3))
        .field(
            "Rows",
            "letter",
            ValueDomain::ints([i64::from(u32::from('x')), i64::from(u32::from('b'))]),
        )
        .field("Rows", "color", ValueDomain::fixed(2))
        .field("Rows", "rows[][].left", ValueDomain::ints([0, 1]))
        .field("Rows", "rows[][].right", ValueDomain::fixed(0))
        .field("Rows", "rows[]", ValueDomain::arrays(1..=3));
    assert_eq!(Finitization::of_scope(&scope, &shapes), Ok(expected));
}
