//! Comparing what an API builds with what a repOK admits.
#![allow(missing_docs)]

use super::common;

use beget::heap::view::{BrokenClause, RepOk, Table, Verdict, clause};
use beget_heap::{CanonicalForm, Encoder, FormRef, Layout};
use beget_oracle::rep_ok::{Checker, Subject};
use beget_search::repok::{
    CandidateSpace, Comparison, FormSet, Forms, Names, Relation, Search, compare, count,
};

use common::tree::SearchTree;
use common::{heap, layout, space, tree};

const K: i32 = 3;

/// All search trees with keys below 3, by insertion in every order.
fn built(layout: &Layout) -> Forms {
    let mut trees = vec![SearchTree::default()];
    let mut next = 0;
    let mut encoder = Encoder::new(layout);
    let mut forms = Vec::new();
    while let Some(tree) = trees.get(next).cloned() {
        forms.push(encoder.encode(&tree).unwrap().to_canonical());
        for key in 0..K {
            let mut tree = tree.clone();
            tree.insert(key);
            if tree.size > trees[next].size {
                trees.push(tree);
            }
        }
        next += 1;
    }
    forms.into_iter().collect()
}

fn compare_trees(rep_ok: RepOk<SearchTree>, names: Names<'_>) -> Comparison {
    let (space, layout) =
        (space::<SearchTree>(&tree::finitization(K as u32)), layout::<SearchTree>());
    let check = |table: &Table| rep_ok.check(table);
    compare(&Search::new(&space, &check), &layout, &built(&layout), names)
}

#[test]
fn equal_sets_are_equal() {
    let result = compare_trees(tree::REP_OK, Names::Shapes);
    assert_eq!((result.api, result.rep_ok, result.relation), (15, 15, Relation::Equal));
    assert!(result.only_api_groups.is_empty() && result.only_rep_ok_groups.is_empty());
}

/// A set whose forms are looked up so many bytes at a time.
struct BatchedForms(Forms, u64);

impl FormSet for BatchedForms {
    fn numbers(&self) -> Box<dyn Iterator<Item = usize> + '_> {
        self.0.numbers()
    }

    fn find(&self, form: FormRef<'_>) -> Option<usize> {
        self.0.find(form)
    }

    fn lookup_bytes(&self) -> u64 {
        self.1
    }

    fn form(&self, number: usize) -> CanonicalForm {
        self.0.form(number)
    }
}

#[test]
fn how_many_are_looked_up_together_changes_nothing() {
    let (space, layout) =
        (space::<SearchTree>(&tree::finitization(K as u32)), layout::<SearchTree>());
    // Some are only built, some only admitted.
    let odd = RepOk::<SearchTree>::new("odd", |tree| {
        clause("not two nodes", tree.size() != 2)?;
        clause("a tree", tree.root().is_some() || tree.size() > 0)
    });
    let check = |table: &Table| odd.check(table);
    let search = Search::new(&space, &check);
    let one_by_one = compare(&search, &layout, &built(&layout), Names::Shapes);
    assert_eq!(one_by_one.relation, Relation::Different);
    for bytes in [100, 1000, u64::MAX] {
        let together = BatchedForms(built(&layout), bytes);
        assert_eq!(compare(&search, &layout, &together, Names::Shapes), one_by_one, "{bytes}");
    }
}

#[test]
fn zero_bytes_at_the_end_of_a_form_mean_nothing() {
    let forms: Forms =
        [vec![1, 2, 0, 0], vec![0, 3], vec![0]].map(CanonicalForm::from).into_iter().collect();
    let find = |form: &[u8]| forms.find(FormRef::new(form));
    assert_eq!((find(&[1, 2]), find(&[0, 3, 0]), find(&[])), (Some(0), Some(1), Some(2)));
    assert_eq!(find(&[1]), None);
    assert_eq!(forms.len(), 3);
}

#[test]
fn what_only_the_api_builds_is_grouped_by_the_clause_that_rejects_it() {
    let small = RepOk::<SearchTree>::new("small", |tree| {
        clause("at most one node", tree.size() <= 1)?;
        clause("a root", tree.root().is_some())?;
        published(tree)
    });
    let result = compare_trees(small, Names::Shapes);
    assert_eq!((result.only_api, result.only_rep_ok, result.relation), (12, 0, Relation::Over));
    let groups: Vec<_> =
        result.only_api_groups.iter().map(|g| (g.label.as_str(), g.count)).collect();
    assert_eq!(groups, [("a root", 1), ("at most one node", 11)]);
    assert_eq!(result.only_api_groups[0].text, "SearchTree#0 { root: null, size: 0 }\n");
}

#[test]
fn a_clause_that_never_rejects_first_shows_by_a_structure_that_breaks_few() {
    let strict = RepOk::<SearchTree>::new("strict", |tree| {
        clause("no root", tree.root().is_none())?;
        clause("size 0", tree.size() == 0)?;
        clause("at most one node", tree.size() <= 1)?;
        clause("no left child", tree.root().is_none_or(|root| root.left().is_none()))
    });
    let result = compare_trees(strict, Names::Shapes);
    let groups: Vec<_> = result
        .only_api_groups
        .iter()
        .map(|group| (group.label.as_str(), group.rejected_by.as_deref(), group.count))
        .collect();
    // 14 trees are not empty; 6 have two nodes and 5 three, of which 3 and 3 have a left child.
    // That the size is not 0 shows in the first tree already.
    let expected = [
        ("no root", None, 14),
        ("at most one node", Some("no root"), 11),
        ("no left child", Some("no root"), 6),
    ];
    assert_eq!(groups, expected);
}

#[test]
fn a_repok_that_goes_on_after_a_broken_clause_may_panic_or_read_without_end() {
    let heedless = RepOk::<SearchTree>::new("heedless", |tree| {
        clause("at most one node", tree.size() <= 1)?;
        clause("of two nodes none", tree.size() != 2)?;
        assert!(tree.size() != 2, "not asked for");
        while tree.size() > 1 {}
        clause("never reached", false)
    });
    let (space, layout) =
        (space::<SearchTree>(&tree::finitization(K as u32)), layout::<SearchTree>());
    let mut checker = Checker::new(space.shapes(), &layout, 1000);
    let check = |table: &Table| heedless.check(table);
    let api = built(&layout);
    let broken: Vec<_> = api
        .numbers()
        .map(|number| checker.broken(&check, api.form(number).as_ref()).expect("an answer"))
        .collect();
    let count = |clauses: &[&str]| broken.iter().filter(|broken| **broken == clauses).count();
    assert_eq!(count(&["at most one node"]), 5);
    assert_eq!(count(&["at most one node", "of two nodes none"]), 6);
    assert_eq!(count(&["never reached"]), 4);
}

/// As the published one, but sizes and order are not looked at.
fn published(tree: tree::SearchTreeView<'_>) -> Verdict {
    let root = tree.root().is_some();
    clause("size", tree.size() == i64::from(root))?;
    clause("leaf", tree.root().is_none_or(|root| root.left().is_none() && root.right().is_none()))
}

#[test]
fn what_only_the_repok_admits_is_grouped_by_clause_or_shape() {
    let (space, layout) =
        (space::<heap::BinaryHeap>(&heap::finitization(2)), layout::<heap::BinaryHeap>());
    let corrected = |table: &Table| heap::CORRECTED.check(table);
    let mut api = Vec::new();
    beget_search::repok::search(&Search::new(&space, &corrected), &layout, &mut |found| {
        api.push(found.form.to_canonical());
    });
    let api: Forms = api.into_iter().collect();
    let published = |table: &Table| heap::PUBLISHED.check(table);
    let from = Search::new(&space, &published);

    let result = compare(&from, &layout, &api, Names::Clauses(&corrected));
    assert_eq!((result.api, result.rep_ok, result.only_rep_ok), (5, 10, 5));
    assert_eq!(result.relation, Relation::Under);
    let [group] = result.only_rep_ok_groups.as_slice() else { panic!("{result:?}") };
    assert_eq!((group.label.as_str(), group.count), ("cell 0 is a dummy", 5));
    assert_eq!(group.text, "BinaryHeap#0 { array: #1, current_size: 0 }\nVec<i32>#1 { 0: 1 }\n");

    let result = compare(&from, &layout, &api, Names::Shapes);
    assert_eq!(result.only_rep_ok_groups.len(), 1);
    assert_eq!(result.only_rep_ok_groups[0].label, "BinaryHeap#0 { array: #1 }\nVec<i32>#1 {  }\n");
}

#[test]
fn a_subject_has_its_repoks_without_their_type() {
    let subject = Subject::new([heap::PUBLISHED, heap::CORRECTED]);
    let names: Vec<_> = subject.rep_oks.iter().map(|rep_ok| rep_ok.name).collect();
    assert_eq!(names, ["published", "corrected"]);
    assert!(subject.rep_ok("other").is_none());

    let corrected = subject.rep_ok("corrected").unwrap();
    let space = CandidateSpace::of_shapes(subject.shapes.clone(), &heap::finitization(3)).unwrap();
    assert_eq!(count(&Search::new(&space, corrected.as_fn())).generated, 31);

    let layout = layout::<heap::BinaryHeap>();
    let stored = heap::BinaryHeap { array: vec![1, 0], current_size: 1 };
    let form = Encoder::new(&layout).encode(&stored).unwrap().to_canonical();
    let mut checker = Checker::new(&subject.shapes, &layout, 1000);
    let answer = checker.check(corrected.as_fn(), form.as_ref());
    assert_eq!(answer, Ok(Err(BrokenClause("cell 0 is a dummy"))));
    assert_eq!(
        checker.check(&|_| panic!("oh"), form.as_ref()).unwrap_err().to_string().split(": ").last(),
        Some("oh")
    );
}
