//! Any heap in layers, from left to right.
//!
//! `layout-rs` arranges them. It turns edges round until there is no cycle, and asks for each of
//! them along all paths between its ends, which in a doubly linked ring are exponentially many. So
//! the edges are turned round here, and come in an order in which the question is answered at once.
//! Arrows from an object to itself are drawn here.

use std::collections::BTreeSet;

use layout::adt::dag::NodeHandle;
use layout::core::base::Orientation;
use layout::core::color::Color;
use layout::core::format::{ClipHandle, RenderBackend};
use layout::core::geometry::Point;
use layout::core::style::{LineStyleKind, StyleAttr};
use layout::std_shapes::shapes::{Arrow, Element, LineEndKind, ShapeKind};
use layout::topo::layout::VisualGraph;

use crate::records::geometry::{Curve, Rect};

use super::{Arrangement, ArrowLine, BoxGraph, BoxLink, HeapLayout};

/// The assumed size of a label's characters, so that there is room for it.
const FONT_SIZE: usize = 7;
const DIRECTION: Orientation = Orientation::LeftToRight;

/// The layout of `layout-rs`.
pub(super) struct LayeredLayout;

impl HeapLayout for LayeredLayout {
    fn arrange(&self, shape: BoxGraph<'_>) -> Option<Arrangement> {
        let look = StyleAttr::new(Color::fast("black"), 1, None, 0, FONT_SIZE);
        let mut graph = VisualGraph::new(DIRECTION);
        // Boxes are made as if the graph grew downwards.
        let direction = DIRECTION.flip();
        // It would look along all paths again.
        graph.dag.set_validate(false);
        for (number, node) in shape.nodes.iter().enumerate() {
            let (look, name) = (look.clone(), number.to_string());
            let kind = ShapeKind::new_box("");
            graph.add_node(Element::create_with_properties(kind, look, direction, node.size, name));
        }
        for edge in edges_of(shape.links, shape.nodes.len()) {
            let arrow = arrow(&edge.link.label);
            let arrow = if edge.is_reversed { arrow.reverse() } else { arrow };
            // Turned round, it has lost its name.
            let arrow = Arrow { properties: Some(edge.number.to_string()), ..arrow };
            graph.add_edge(arrow, NodeHandle::new(edge.from), NodeHandle::new(edge.to));
        }
        let boxes = vec![Rect::at(Point::zero(), Point::zero()); shape.nodes.len()];
        let mut collector = Collector { links: shape.links, boxes, arrows: Vec::new() };
        graph.do_it(false, false, false, &mut collector);
        let Collector { boxes, mut arrows, .. } = collector;
        arrows.sort_by_key(|arrow| arrow.link);
        Some(Arrangement { boxes, arrows })
    }
}

fn arrow(label: &str) -> Arrow {
    let look = StyleAttr::new(Color::fast("black"), 1, None, 0, FONT_SIZE);
    let (start, end) = (LineEndKind::None, LineEndKind::Arrow);
    Arrow::new(start, end, LineStyleKind::Normal, label, &look, &None, &None)
}

/// Takes down what the layout draws. Elements have the number of their object or reference as
/// their properties; the boxes come first.
struct Collector<'h> {
    links: &'h [BoxLink],
    boxes: Vec<Rect>,
    arrows: Vec<ArrowLine>,
}

impl RenderBackend for Collector<'_> {
    fn draw_rect(
        &mut self,
        xy: Point,
        size: Point,
        _: &StyleAttr,
        name: Option<String>,
        _: Option<ClipHandle>,
    ) {
        self.boxes[number(name)] = Rect::at(xy, size);
    }

    fn draw_line(&mut self, _: Point, _: Point, _: &StyleAttr, _: Option<String>) {}

    fn draw_circle(&mut self, _: Point, _: Point, _: &StyleAttr, _: Option<String>) {}

    fn draw_text(&mut self, _: Point, _: &str, _: &StyleAttr) {}

    fn draw_arrow(
        &mut self,
        path: &[(Point, Point)],
        _: bool,
        heads: (bool, bool),
        _: &StyleAttr,
        name: Option<String>,
        _: &str,
    ) {
        let link = number(name);
        let BoxLink { from, to, .. } = self.links[link];
        if from == to {
            // The layout goes to the object by way of the label's place.
            let curve = Curve::around(self.boxes[from], path[1].1);
            self.arrows.push(ArrowLine::new(link, curve));
        } else {
            let curve = Curve::through(path);
            self.arrows.push(ArrowLine { heads, ..ArrowLine::new(link, curve) });
        }
    }

    fn create_clip(&mut self, _: Point, _: Point, _: usize) -> ClipHandle {
        0
    }
}

fn number(name: Option<String>) -> usize {
    name.and_then(|name| name.parse().ok()).expect("what is drawn has its number as its name")
}

/// A reference as the layout gets it.
#[derive(Clone, Copy, Debug)]
struct Edge<'h> {
    from: usize,
    to: usize,
    /// The number of the reference.
    number: usize,
    link: &'h BoxLink,
    /// True if it goes against the reference.
    is_reversed: bool,
}

/// The references without cycles, those that leave an object after all that come to it.
fn edges_of(links: &[BoxLink], n_objects: usize) -> Vec<Edge<'_>> {
    let mut successors = vec![Vec::new(); n_objects];
    let mut edges: Vec<Edge<'_>> = Vec::new();
    for (number, link) in links.iter().enumerate() {
        let is_reversed = link.from != link.to && is_reachable(&successors, link.to, link.from);
        let (from, to) = if is_reversed { (link.to, link.from) } else { (link.from, link.to) };
        edges.push(Edge { from, to, number, link, is_reversed });
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
