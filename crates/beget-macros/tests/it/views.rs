//! Views of arrays, optional values and worklists, and the text of a table, to the last cell.
#![allow(missing_docs)]
#![deny(warnings)]
#![forbid(unsafe_code)]

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::marker::PhantomData;

use beget::heap::view::{NodeSet, NodeView, Shapes, Table, Viewed, Viewer, Worklist, to_text};
use beget::{Heap, HeapView};
use beget_heap::{Bounds, Layout, Schema};

fn with_view<T: Heap + Viewed>(value: &T, look: impl FnOnce(T::View<'_>)) {
    let layout = Layout::new(&Schema::of::<T>(), &Bounds::unlimited());
    look(T::view(Viewer::<T>::new(&layout).value(value).unwrap().root()));
}

#[derive(Clone, Default, Heap, HeapView)]
struct Pair {
    left: u8,
    right: u8,
}

fn pair(left: u8, right: u8) -> Pair {
    Pair { left, right }
}

#[derive(Heap, HeapView)]
struct Rows {
    pairs: Vec<Pair>,
    same: Vec<Pair>,
    none: Vec<Pair>,
    three: [Pair; 3],
    maybe_three: Option<[u8; 3]>,
    no_three: Option<[u8; 3]>,
    name: Option<String>,
    no_name: Option<String>,
    unit: Option<()>,
    kind: Option<PhantomData<u8>>,
    after: u8,
}

fn rows() -> Rows {
    Rows {
        pairs: vec![pair(1, 2), pair(3, 4), pair(5, 6)],
        same: vec![pair(1, 2), pair(3, 4), pair(5, 6)],
        none: vec![],
        three: [pair(10, 20), pair(30, 40), pair(50, 60)],
        maybe_three: Some([7, 8, 9]),
        no_three: None,
        name: Some("name".into()),
        no_name: None,
        unit: Some(()),
        kind: None,
        after: 99,
    }
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[test]
fn elements_of_several_cells_are_read_where_they_are() {
    with_view(&rows(), |rows| {
        let pairs = rows.pairs().iter().map(|pair| (pair.left(), pair.right()));
        assert_eq!(pairs.collect::<Vec<_>>(), [(1, 2), (3, 4), (5, 6)]);
        let three = rows.three().iter().map(|pair| (pair.left(), pair.right()));
        assert_eq!(three.collect::<Vec<_>>(), [(10, 20), (30, 40), (50, 60)]);
        let maybe_three = rows.maybe_three().map(|three| three.iter().collect::<Vec<_>>());
        assert_eq!(maybe_three, Some(vec![7, 8, 9]));
        assert!(rows.no_three().is_none());
        assert_eq!((rows.name(), rows.no_name()), (Some("name"), None));
        assert_eq!((rows.unit(), rows.kind(), rows.after()), (Some(()), None, 99));
    });
}

#[test]
fn arrays_are_equal_by_identity_and_empty_without_elements() {
    with_view(&rows(), |rows| {
        let (pairs, same, none) = (rows.pairs(), rows.same(), rows.none());
        assert!(pairs == rows.pairs() && pairs != same);
        assert_eq!(hash(pairs), hash(rows.pairs()));
        let hashes: BTreeSet<u64> = [pairs, same, none].into_iter().map(hash).collect();
        assert_eq!(hashes.len(), 3);
        assert!(none.is_empty() && !pairs.is_empty());
        assert_eq!((none.len(), pairs.len()), (0, 3));
    });
}

#[test]
fn a_text_has_every_element_where_it_is() {
    let layout = Layout::new(&Schema::of::<Vec<Pair>>(), &Bounds::unlimited());
    let shapes = Shapes::of::<Vec<Pair>>();
    let mut viewer = Viewer::<Vec<Pair>>::new(&layout);
    let table = viewer.value(&rows().pairs).unwrap();
    let text = to_text(&shapes, table);
    let elements = "0.left: 1, 0.right: 2, 1.left: 3, 1.right: 4, 2.left: 5, 2.right: 6";
    assert_eq!(text.rsplit_once("{ ").unwrap().1.trim_end(), format!("{elements} }}"));
}

#[test]
fn a_text_has_booleans_by_name_and_null_for_what_is_not_there() {
    #[derive(Heap, HeapView)]
    struct Flags {
        on: bool,
        off: bool,
        maybe: Option<bool>,
        none: Option<bool>,
    }
    let flags = Flags { on: true, off: false, maybe: Some(true), none: None };
    let layout = Layout::new(&Schema::of::<Flags>(), &Bounds::unlimited());
    let mut viewer = Viewer::<Flags>::new(&layout);
    let text = to_text(&Shapes::of::<Flags>(), viewer.value(&flags).unwrap());
    assert_eq!(text, "Flags#0 { maybe: true, none: null, off: false, on: true }\n");
}

#[derive(Heap, HeapView)]
struct Chain {
    value: u16,
    next: Option<Box<Chain>>,
}

fn chain(n: u16) -> Chain {
    let longer = |next: Chain, value: u16| Chain { value, next: Some(Box::new(next)) };
    (0..n - 1).rev().fold(Chain { value: n - 1, next: None }, longer)
}

#[test]
fn a_set_holds_what_was_put_in_and_nothing_else() {
    with_view(&chain(500), |chain| {
        let nodes: Vec<_> = std::iter::successors(Some(chain), |node| node.next()).collect();
        let mut seen = NodeSet::new();
        assert!(seen.is_empty());
        for node in nodes.iter().step_by(3) {
            assert!(seen.insert(*node));
        }
        assert!(!seen.is_empty());
        assert_eq!(seen.len(), 167);
        for (index, node) in nodes.iter().enumerate() {
            assert_eq!(seen.contains(*node), index % 3 == 0, "{index}");
            assert_eq!(seen.insert_place(node.place()), index % 3 != 0);
        }
        assert_eq!(seen.len(), 500);
    });
}

#[test]
fn a_worklist_is_a_queue_and_a_stack_of_any_length() {
    with_view(&chain(100), |chain| {
        let mut work = Worklist::new();
        assert!(work.is_empty() && work.pop_first().is_none() && work.pop_last().is_none());
        for node in std::iter::successors(Some(chain), |node: &ChainView<'_>| node.next()) {
            work.push(node);
        }
        assert!(!work.is_empty());
        let mut expected: std::collections::VecDeque<i64> = (0..100).collect();
        for step in 0..100 {
            let (popped, wanted) = match step % 3 {
                0 => (work.pop_last(), expected.pop_back()),
                _ => (work.pop_first(), expected.pop_front()),
            };
            assert_eq!(popped.map(|node| node.value()), wanted);
            assert_eq!((work.len(), work.is_empty()), (expected.len(), expected.is_empty()));
        }
        // Places behind the first are used again.
        work.push(chain);
        assert_eq!(work.pop_last().map(|node| node.value()), Some(0));
    });
}

#[test]
fn places_are_the_same_where_their_cells_are() {
    with_view(&chain(3), |chain| {
        let second = chain.next().unwrap();
        assert_eq!(hash(second.place()), hash(chain.next().unwrap().place()));
        assert_ne!(hash(second.place()), hash(chain.place()));
    });
    let table = Table::new();
    table.record(7, |_| false);
    assert!(!table.is_counting());
    table.count_reads(7);
    assert!(table.is_counting());
}
