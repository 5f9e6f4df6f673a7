//! From a heap to a graph for the layout.
//!
//! The layout turns edges round until there is no cycle, and asks for each of them along all paths
//! between its ends, which in a doubly linked ring are exponentially many. So the edges are turned
//! round here, and come in an order in which the question is answered at once.

use std::collections::BTreeSet;

use beget_heap::HeapGraph;
use beget_heap::graph::Reference;
use layout::adt::dag::NodeHandle;
use layout::core::base::Orientation;
use layout::core::color::Color;
use layout::core::style::{LineStyleKind, StyleAttr};
use layout::std_shapes::render::get_shape_size;
use layout::std_shapes::shapes::{Arrow, Element, LineEndKind, ShapeKind};
use layout::topo::layout::VisualGraph;

const FONT_SIZE: usize = 10;
const DIRECTION: Orientation = Orientation::LeftToRight;

/// The graph to lay out: a box for each object, an arrow for each reference.
pub(crate) fn graph_of(heap: &HeapGraph) -> VisualGraph {
    let white = Some(Color::fast("white"));
    let look = StyleAttr::new(Color::fast("black"), 1, white, 0, FONT_SIZE);
    let mut graph = VisualGraph::new(DIRECTION);
    // Boxes are made as if the graph grew downwards.
    let direction = DIRECTION.flip();
    // It would look along all paths again.
    graph.dag.set_validate(false);
    for number in 0..heap.objects().len() {
        let shape = ShapeKind::new_box(&heap.label(number));
        let size = get_shape_size(direction, &shape, FONT_SIZE, false);
        graph.add_node(Element::create(shape, look.clone(), direction, size));
    }
    for edge in edges_of(heap) {
        let arrow = arrow(&edge.link.path);
        let arrow = if edge.is_reversed { arrow.reverse() } else { arrow };
        graph.add_edge(arrow, NodeHandle::new(edge.from), NodeHandle::new(edge.to));
    }
    graph
}

fn arrow(label: &str) -> Arrow {
    let look = StyleAttr::new(Color::fast("black"), 1, None, 0, FONT_SIZE);
    let (start, end) = (LineEndKind::None, LineEndKind::Arrow);
    Arrow::new(start, end, LineStyleKind::Normal, label, &look, &None, &None)
}

/// A reference as the layout gets it.
#[derive(Clone, Copy, Debug)]
struct Edge<'h> {
    from: usize,
    to: usize,
    link: &'h Reference,
    /// Whether it goes against the reference.
    is_reversed: bool,
}

/// The references without cycles, those that leave an object after all that come to it.
fn edges_of(heap: &HeapGraph) -> Vec<Edge<'_>> {
    let n_objects = heap.objects().len();
    let mut successors = vec![Vec::new(); n_objects];
    let mut edges: Vec<Edge<'_>> = Vec::new();
    for link in heap.links() {
        let is_reversed = link.from != link.to && is_reachable(&successors, link.to, link.from);
        let (from, to) = if is_reversed { (link.to, link.from) } else { (link.from, link.to) };
        edges.push(Edge { from, to, link, is_reversed });
        if from != to {
            successors[from].push(to);
        }
    }
    let places = places(&successors);
    edges.sort_by_key(|edge| places[edge.from]);
    edges
}

fn is_reachable(successors: &[Vec<usize>], from: usize, to: usize) -> bool {
    let mut seen = vec![false; successors.len()];
    let mut pending = vec![from];
    while let Some(object) = pending.pop() {
        if object == to {
            return true;
        }
        if !std::mem::replace(&mut seen[object], true) {
            pending.extend(&successors[object]);
        }
    }
    false
}

/// The place of each object in an order along the edges; of those that may come next, the least
/// number does.
fn places(successors: &[Vec<usize>]) -> Vec<usize> {
    let mut n_before = vec![0; successors.len()];
    successors.iter().flatten().for_each(|&object| n_before[object] += 1);
    let is_free = |object: &usize| n_before[*object] == 0;
    let mut free: BTreeSet<usize> = (0..successors.len()).filter(is_free).collect();
    let mut places = vec![0; successors.len()];
    let mut place = 0;
    while let Some(object) = free.pop_first() {
        places[object] = place;
        place += 1;
        for &next in &successors[object] {
            n_before[next] -= 1;
            if n_before[next] == 0 {
                free.insert(next);
            }
        }
    }
    places
}
