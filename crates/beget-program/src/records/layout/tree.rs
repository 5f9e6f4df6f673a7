//! Trees from top to bottom.

use layout::core::geometry::Point;

use crate::records::geometry::{Curve, Rect};

use super::spanning::SpanningTree;
use super::{Arrangement, ArrowLine, BoxGraph, BoxLink, HeapLayout, n_alongside, route, self_loop};

/// Between boxes side by side.
const GAP: f64 = 26.0;
/// Between levels: an arrow with its label.
const LEVEL_GAP: f64 = 46.0;
/// The room for a child that is not there.
const EMPTY_SLOT: f64 = 30.0;
/// More references beside those of the tree make it a graph.
const MOST_CROSSING: usize = 4;

/// Fields that stand for two sides of a node.
const SIDES: [[&str; 2]; 5] =
    [["left", "right"], ["l", "r"], ["lhs", "rhs"], ["low", "high"], ["lo", "hi"]];

/// Heaps whose references form a tree; references to parents and a few others may come on top.
pub(super) struct Trees;

impl HeapLayout for Trees {
    fn arrange(&self, shape: BoxGraph<'_>) -> Option<Arrangement> {
        let tree = SpanningTree::of(shape);
        let is_crossing = |(number, link): &(usize, &BoxLink)| {
            let is_up = tree.parent(shape.links, link.from) == Some(link.to);
            !is_up && link.from != link.to && !tree.has(shape.links, *number)
        };
        let n_crossing = shape.links.iter().enumerate().filter(is_crossing).count();
        (n_crossing <= MOST_CROSSING).then(|| place(shape, &tree))
    }
}

/// The two sides that a class has fields for, if its nodes have children on sides.
pub(super) fn sides(shape: BoxGraph<'_>, object: usize) -> Option<[&'static str; 2]> {
    let node = &shape.nodes[object];
    let has = |side: &str| {
        let of_object = shape.links.iter().filter(|link| link.from == object);
        let mut names = of_object.map(|link| &link.label).chain(&node.empty_fields);
        names.any(|name| last_part(name) == side)
    };
    SIDES.into_iter().find(|sides| sides.iter().all(|side| has(side)))
}

fn last_part(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

fn place(shape: BoxGraph<'_>, tree: &SpanningTree) -> Arrangement {
    let depths = depths(shape, tree);
    let n_levels = depths.iter().max().map_or(0, |deepest| deepest + 1);
    let mut heights = vec![0.0_f64; n_levels];
    for (node, &depth) in shape.nodes.iter().zip(&depths) {
        heights[depth] = heights[depth].max(node.size.y);
    }
    let mut tops = vec![0.0; n_levels];
    for level in 1..n_levels {
        tops[level] = tops[level - 1] + heights[level - 1] + LEVEL_GAP;
    }
    let middles = middles(shape, tree);
    let corner = |(object, node): (usize, &super::BoxNode)| {
        let corner = Point::new(middles[object] - node.size.x / 2.0, tops[depths[object]]);
        Rect::at(corner, node.size)
    };
    let boxes: Vec<Rect> = shape.nodes.iter().enumerate().map(corner).collect();
    let ground = |object: usize| tops[depths[object]] + heights[depths[object]];
    let arrow = |number| arrow(shape, tree, &boxes, number, &ground);
    let arrows = (0..shape.links.len()).map(arrow).collect();
    Arrangement { boxes, arrows }
}

fn arrow(
    shape: BoxGraph<'_>,
    tree: &SpanningTree,
    boxes: &[Rect],
    number: usize,
    ground: &dyn Fn(usize) -> f64,
) -> ArrowLine {
    let link = &shape.links[number];
    let (from, to) = (boxes[link.from], boxes[link.to]);
    let beside = 9.0 * n_alongside(shape.links, number) as f64;
    if link.from == link.to {
        return ArrowLine::new(number, self_loop(shape.links, number, boxes));
    }
    if tree.parent(shape.links, link.to) == Some(link.from) {
        let x = link.port.map_or(start_towards(from, to), |port| from.left + port) + beside;
        let curve = Curve::down(x, from.bottom, ground(link.from), to.middle().x + beside, to.top);
        return ArrowLine { is_labelled: link.port.is_none(), ..ArrowLine::new(number, curve) };
    }
    if tree.parent(shape.links, link.from) == Some(link.to) {
        let (x, y) = (start_towards(to, from) + beside, to.bottom);
        let curve = Curve::down(x, y, ground(link.to), from.middle().x + beside, from.top);
        return ArrowLine { heads: (true, false), ..ArrowLine::new(number, curve) };
    }
    ArrowLine::new(number, route(boxes, link.from, link.to, n_alongside(shape.links, number)))
}

/// A place on the bottom of a box, on the side of the box below that an arrow leads to.
fn start_towards(from: Rect, to: Rect) -> f64 {
    let most = 0.36 * from.width();
    from.middle().x + (0.3 * (to.middle().x - from.middle().x)).clamp(-most, most)
}

fn depths(shape: BoxGraph<'_>, tree: &SpanningTree) -> Vec<usize> {
    let mut depths = vec![0; shape.nodes.len()];
    let mut pending = tree.roots.clone();
    while let Some(object) = pending.pop() {
        for &link in &tree.children[object] {
            let child = shape.links[link].to;
            depths[child] = depths[object] + 1;
            pending.push(child);
        }
    }
    depths
}

/// A place below a node, from left to right.
#[derive(Clone, Copy)]
enum TreeSlot {
    Child(usize),
    Empty,
}

fn slots(shape: BoxGraph<'_>, tree: &SpanningTree, object: usize) -> Vec<TreeSlot> {
    let links = &tree.children[object];
    let child = |&link: &usize| TreeSlot::Child(shape.links[link].to);
    let sides = sides(shape, object).filter(|_| !links.is_empty());
    let Some([left, right]) = sides else { return links.iter().map(child).collect() };
    let on =
        |side: &'static str| move |link: &&usize| last_part(&shape.links[**link].label) == side;
    let (left, right) = (links.iter().find(on(left)), links.iter().find(on(right)));
    let others = links.iter().filter(|link| Some(*link) != left && Some(*link) != right);
    let slot = |link: Option<&usize>| link.map_or(TreeSlot::Empty, child);
    // A payload stands between the sides.
    std::iter::once(slot(left)).chain(others.map(child)).chain([slot(right)]).collect()
}

/// The middle of each box, from left to right.
fn middles(shape: BoxGraph<'_>, tree: &SpanningTree) -> Vec<f64> {
    let n = shape.nodes.len();
    let slots: Vec<Vec<TreeSlot>> = (0..n).map(|object| slots(shape, tree, object)).collect();
    // Boxes are found after their parents, so that their widths are known from the last on.
    let order = order(shape, tree);
    let mut widths = vec![0.0_f64; n];
    for &object in order.iter().rev() {
        widths[object] = shape.nodes[object].size.x.max(width(&slots[object], &widths));
    }
    let mut middles = vec![0.0; n];
    let mut lefts = vec![0.0; n];
    let mut x = 0.0;
    for &root in &tree.roots {
        lefts[root] = x;
        x += widths[root] + GAP;
    }
    for &object in &order {
        let inner = width(&slots[object], &widths);
        let mut x = lefts[object] + (widths[object] - inner) / 2.0;
        let mut ends: Option<(f64, f64)> = None;
        for slot in &slots[object] {
            let width = slot.width(&widths);
            if let TreeSlot::Child(child) = *slot {
                lefts[child] = x;
            }
            let middle = x + width / 2.0;
            ends = Some((ends.map_or(middle, |ends| ends.0), middle));
            x += width + GAP;
        }
        let (half, left) = (shape.nodes[object].size.x / 2.0, lefts[object]);
        let middle = ends.map_or(left + widths[object] / 2.0, |(first, last)| (first + last) / 2.0);
        // Not `clamp`: where the box has all of the width, the bounds may be out of order by a bit.
        middles[object] = middle.min(left + widths[object] - half).max(left + half);
    }
    middles
}

impl TreeSlot {
    fn width(self, widths: &[f64]) -> f64 {
        match self {
            TreeSlot::Child(child) => widths[child],
            TreeSlot::Empty => EMPTY_SLOT,
        }
    }
}

fn width(slots: &[TreeSlot], widths: &[f64]) -> f64 {
    let sum: f64 = slots.iter().map(|slot| slot.width(widths)).sum();
    sum + GAP * slots.len().saturating_sub(1) as f64
}

fn order(shape: BoxGraph<'_>, tree: &SpanningTree) -> Vec<usize> {
    let mut order = Vec::new();
    let mut pending = tree.roots.clone();
    while let Some(object) = pending.pop() {
        order.push(object);
        pending.extend(tree.children[object].iter().map(|&link| shape.links[link].to));
    }
    order
}
