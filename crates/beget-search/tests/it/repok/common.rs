//! Small subjects, each with its repOK and its finitization as their benchmark has them.
#![allow(missing_docs, dead_code, unreachable_pub)]

use beget::heap::view::{
    BrokenClause, NodeSet, OrBroken, RepOk, Root, Table, Verdict, Viewed, Worklist, clause,
};
use beget::{Heap, HeapView};
use beget_heap::{Bounds, CanonicalForm, Heap as HeapTrait, Layout, Schema};
use beget_search::repok::{CandidateSpace, Finitization, Search, SearchReport, ValueDomain};

pub fn ints(range: std::ops::Range<u32>) -> ValueDomain {
    ValueDomain::ints(range.map(i64::from))
}

pub fn nodes() -> ValueDomain {
    ValueDomain::nodes().or_null()
}

pub fn space<T: HeapTrait + Viewed>(finitization: &Finitization) -> CandidateSpace {
    CandidateSpace::new::<T>(finitization).unwrap()
}

pub fn layout<T: HeapTrait>() -> Layout {
    Layout::new(&Schema::of::<T>(), &Bounds::unlimited())
}

/// The search's report and the forms that it found, on so many threads.
pub fn run<T: HeapTrait + Root>(
    rep_ok: RepOk<T>,
    finitization: &Finitization,
    change: impl FnOnce(&mut Search<'_>),
) -> (SearchReport, Vec<CanonicalForm>) {
    let (space, check) = (space::<T>(finitization), |table: &Table| rep_ok.check(table));
    let mut search = Search::new(&space, &check);
    change(&mut search);
    let mut forms = Vec::new();
    let sink = &mut |found: beget_search::repok::AcceptedCandidate<'_>| {
        forms.push(found.form.to_canonical())
    };
    let report = beget_search::repok::search(&search, &layout::<T>(), sink);
    (report, forms)
}

pub mod tree {
    use super::*;

    #[derive(Clone, Default, Heap, HeapView)]
    pub struct SearchTree {
        pub root: Option<Box<Node>>,
        pub size: usize,
    }

    #[derive(Clone, Heap, HeapView)]
    pub struct Node {
        pub left: Option<Box<Node>>,
        pub right: Option<Box<Node>>,
        pub info: i32,
    }

    impl SearchTree {
        pub fn insert(&mut self, info: i32) {
            let mut place = &mut self.root;
            while let Some(node) = place {
                match info.cmp(&node.info) {
                    std::cmp::Ordering::Less => place = &mut node.left,
                    std::cmp::Ordering::Equal => return,
                    std::cmp::Ordering::Greater => place = &mut node.right,
                }
            }
            *place = Some(Box::new(Node { left: None, right: None, info }));
            self.size += 1;
        }
    }

    pub const REP_OK: RepOk<SearchTree> = RepOk::<SearchTree>::new("published", rep_ok);

    pub fn rep_ok(tree: SearchTreeView<'_>) -> Verdict {
        let Some(root) = tree.root() else {
            return clause("an empty tree has size 0", tree.size() == 0);
        };
        let mut seen = NodeSet::new();
        let mut work = Worklist::new();
        seen.insert(root);
        work.push(root);
        while let Some(node) = work.pop_first() {
            if let Some(left) = node.left() {
                clause("acyclic", seen.insert(left))?;
                work.push(left);
            }
            if let Some(right) = node.right() {
                clause("acyclic", seen.insert(right))?;
                work.push(right);
            }
        }
        clause("size", tree.size() == seen.len() as i64)?;
        clause("ordered", is_ordered(Some(root), None, None))
    }

    fn is_ordered(node: Option<NodeView<'_>>, low: Option<i64>, high: Option<i64>) -> bool {
        node.is_none_or(|node| {
            let info = node.info();
            low.is_none_or(|low| info > low)
                && high.is_none_or(|high| info < high)
                && is_ordered(node.left(), low, Some(info))
                && is_ordered(node.right(), Some(info), high)
        })
    }

    pub fn finitization(k: u32) -> Finitization {
        Finitization::new()
            .pool("Node", k)
            .field("SearchTree", "root", nodes())
            .field("SearchTree", "size", ints(0..k + 1))
            .field("Node", "left", nodes())
            .field("Node", "right", nodes())
            .field("Node", "info", ints(0..k))
    }
}

pub mod slist {
    use super::*;

    #[derive(Heap, HeapView)]
    pub struct List {
        header: Option<Box<Entry>>,
        size: usize,
    }

    #[derive(Heap, HeapView)]
    pub struct Entry {
        element: Option<i32>,
        next: Option<Box<Entry>>,
    }

    pub const REP_OK: RepOk<List> = RepOk::<List>::new("published", rep_ok);

    fn rep_ok(list: ListView<'_>) -> Verdict {
        let header = list.header().or_broken("header")?;
        clause("the header holds nothing", header.element().is_none())?;
        let (mut seen, mut at) = (NodeSet::new(), header);
        seen.insert(header);
        while let Some(next) = at.next() {
            clause("elements", next.element().is_some())?;
            clause("acyclic", seen.insert(next))?;
            at = next;
        }
        clause("size", seen.len() as i64 - 1 == list.size())
    }

    pub fn finitization(k: u32) -> Finitization {
        Finitization::new()
            .pool("Entry", k)
            .field("List", "header", nodes())
            .field("List", "size", ints(0..k + 1))
            .field("Entry", "element", ints(0..k).or_null())
            .field("Entry", "next", nodes())
    }
}

pub mod ring {
    use super::*;

    #[derive(Heap, HeapView)]
    #[heap(name = "LinkedList")]
    pub struct Ring {
        #[heap(unsafe(pointer))]
        header: std::ptr::NonNull<RingNode>,
        size: usize,
    }

    #[derive(Heap, HeapView)]
    pub struct RingNode {
        value: Option<i32>,
        #[heap(unsafe(pointer))]
        next: *mut RingNode,
        #[heap(unsafe(pointer))]
        previous: *mut RingNode,
    }

    pub const REP_OK: RepOk<Ring> = RepOk::<Ring>::new("published", rep_ok);

    fn rep_ok(list: RingView<'_>) -> Verdict {
        let header = list.header().or_broken("header")?;
        clause("the header holds nothing", header.value().is_none())?;
        let (mut seen, mut at) = (NodeSet::new(), header);
        while seen.insert(at) {
            let next = at.next().or_broken("next")?;
            clause("previous", next.previous() == Some(at))?;
            clause("values", at == header || at.value().is_some())?;
            at = next;
        }
        clause("circular", at == header)?;
        clause("size", seen.len() as i64 - 1 == list.size())
    }

    /// Says nothing: even the header may be null.
    pub const ANYTHING: RepOk<Ring> = RepOk::<Ring>::new("anything", |_| Ok(()));

    pub fn finitization(k: u32) -> Finitization {
        Finitization::new()
            .pool("RingNode", k)
            .field("LinkedList", "header", nodes())
            .field("LinkedList", "size", ints(0..k + 1))
            .field("RingNode", "value", ints(0..k).or_null())
            .field("RingNode", "next", nodes())
            .field("RingNode", "previous", nodes())
    }
}

pub mod heap {
    use super::*;

    #[derive(Heap, HeapView)]
    pub struct BinaryHeap {
        pub array: Vec<i32>,
        pub current_size: usize,
    }

    pub const PUBLISHED: RepOk<BinaryHeap> = RepOk::<BinaryHeap>::new("published", rep_ok);

    pub const CORRECTED: RepOk<BinaryHeap> = RepOk::<BinaryHeap>::new("corrected", |heap| {
        clause("cell 0 is a dummy", heap.array().at(0) == 0)?;
        rep_ok(heap)
    });

    fn rep_ok(heap: BinaryHeapView<'_>) -> Verdict {
        let (array, size) = (heap.array(), heap.current_size());
        clause("size", size < array.len() as i64)?;
        let size = size as usize;
        for i in 1..size {
            for child in [2 * i, 2 * i + 1] {
                if child <= size && array.at(i) > array.at(child) {
                    return Err(BrokenClause("heap order"));
                }
            }
        }
        Ok(())
    }

    pub fn finitization(k: u32) -> Finitization {
        Finitization::new()
            .field("BinaryHeap", "array", ValueDomain::arrays(1..=k))
            .field("BinaryHeap", "array[]", ints(0..k))
            .field("BinaryHeap", "current_size", ints(0..k))
    }
}

pub mod ncl {
    use super::*;

    /// A circular list with a header, and a stack of nodes to be used again.
    #[derive(Heap, HeapView)]
    pub struct CachingList {
        #[heap(unsafe(pointer))]
        header: std::ptr::NonNull<ListNode>,
        size: usize,
        maximum_cache_size: usize,
        #[heap(unsafe(pointer))]
        first_cached_node: *mut ListNode,
        cache_size: usize,
    }

    #[derive(Heap, HeapView)]
    pub struct ListNode {
        #[heap(unsafe(pointer))]
        next: *mut ListNode,
        #[heap(unsafe(pointer))]
        previous: *mut ListNode,
        value: Option<i32>,
    }

    pub const PUBLISHED: RepOk<CachingList> =
        RepOk::<CachingList>::new("published", |list| rep_ok(list, |_, _| Ok(())));

    pub const CORRECTED: RepOk<CachingList> = RepOk::<CachingList>::new("corrected", |list| {
        rep_ok(list, |has_value, node| {
            clause("values are where they belong", node.value().is_some() == has_value)
        })
    });

    /// `values` is asked whether a node has a value exactly if it should.
    fn rep_ok(
        list: CachingListView<'_>,
        values: impl Fn(bool, ListNodeView<'_>) -> Verdict,
    ) -> Verdict {
        let header = list.header().or_broken("header")?;
        header.next().or_broken("next of the header")?;
        values(false, header)?;
        header.previous().or_broken("previous of the header")?;
        clause("cache size", list.cache_size() <= list.maximum_cache_size())?;
        let mut at = header;
        let mut n_nodes = 0;
        clause("size is not negative", list.size() >= 0)?;
        loop {
            n_nodes += 1;
            let previous = at.previous().or_broken("previous")?;
            clause("next of previous", previous.next() == Some(at))?;
            let next = at.next().or_broken("next")?;
            clause("previous of next", next.previous() == Some(at))?;
            if at != header {
                values(true, at)?;
            }
            at = next;
            if at == header {
                break;
            }
        }
        clause("size", list.size() == n_nodes - 1)?;
        is_cache_ok(list, values)
    }

    fn is_cache_ok(
        list: CachingListView<'_>,
        values: impl Fn(bool, ListNodeView<'_>) -> Verdict,
    ) -> Verdict {
        let (mut at, mut seen) = (list.first_cached_node(), NodeSet::new());
        while let Some(node) = at {
            clause("acyclic cache", seen.insert(node))?;
            clause("previous of cached nodes", node.previous().is_none())?;
            values(false, node)?;
            at = node.next();
        }
        clause("length of the cache", list.cache_size() == seen.len() as i64)
    }

    pub fn finitization(k: u32) -> Finitization {
        Finitization::new()
            .pool("ListNode", k)
            .field("CachingList", "header", nodes())
            .field("CachingList", "size", ints(0..k + 1))
            .field("CachingList", "first_cached_node", nodes())
            .field("CachingList", "cache_size", ints(0..k + 1))
            .field("CachingList", "maximum_cache_size", ValueDomain::fixed(20))
            .field("ListNode", "value", ints(0..k).or_null())
            .field("ListNode", "next", nodes())
            .field("ListNode", "previous", nodes())
    }
}
