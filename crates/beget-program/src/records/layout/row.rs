//! Lists: nodes in a row, what they hold below them.

use layout::core::geometry::Point;

use crate::records::geometry::{Curve, Rect};

use super::spanning::SpanningTree;
use super::tree::sides;
use super::{Arrangement, ArrowLine, BoxGraph, HeapLayout, n_alongside, route, self_loop};

/// The least room between nodes.
const GAP: f64 = 44.0;
/// The width of a character of a label, about.
const CHARACTER: f64 = 6.7;
/// Between a row and what hangs below it, and between rows.
const ROW_GAP: f64 = 46.0;
/// Between boxes that hang below one node.
const PAYLOAD_GAP: f64 = 14.0;
const MOST_PAYLOADS: usize = 3;

/// Heaps in which every box leads to one further box at most, boxes that lead nowhere aside.
pub(super) struct Rows;

impl HeapLayout for Rows {
    fn arrange(&self, shape: BoxGraph<'_>) -> Option<Arrangement> {
        let tree = SpanningTree::of(shape);
        if (0..shape.nodes.len()).any(|object| sides(shape, object).is_some()) {
            return None;
        }
        let rows: Option<Vec<ListRow>> =
            tree.roots.iter().map(|&root| row(shape, &tree, root)).collect();
        Some(place(shape, &rows?))
    }
}

/// Nodes from left to right, each with the boxes below it.
type ListRow = Vec<RowNode>;

struct RowNode {
    object: usize,
    payloads: Vec<usize>,
}

fn row(shape: BoxGraph<'_>, tree: &SpanningTree, root: usize) -> Option<ListRow> {
    let mut row = Vec::new();
    let mut next = Some(root);
    while let Some(object) = next {
        let links = &tree.children[object];
        let children: Vec<usize> = links.iter().map(|&link| shape.links[link].to).collect();
        let n_ports = links.iter().filter(|&&link| shape.links[link].port.is_some()).count();
        next = successor(shape, tree, object, &children)?;
        let payloads: Vec<usize> = children.into_iter().filter(|&it| Some(it) != next).collect();
        if payloads.len() > MOST_PAYLOADS || n_ports > 1 {
            return None;
        }
        row.push(RowNode { object, payloads });
    }
    // Nodes that go on by one field or another are no list.
    let is_alike =
        |pair: &&[RowNode]| shape.nodes[pair[0].object].class == shape.nodes[pair[1].object].class;
    let field = |pair: &[RowNode]| {
        tree.parent_link[pair[1].object].map(|link| shape.links[link].label.as_str())
    };
    let mut fields = row.windows(2).filter(is_alike).map(field);
    let first = fields.next();
    fields.all(|other| Some(other) == first).then_some(row)
}

/// The child that goes on with the row, if there is one; `None` outside if several could.
fn successor(
    shape: BoxGraph<'_>,
    tree: &SpanningTree,
    object: usize,
    children: &[usize],
) -> Option<Option<usize>> {
    let leads_on = |child: &&usize| !tree.children[**child].is_empty();
    let is_alike = |child: &&usize| shape.nodes[**child].class == shape.nodes[object].class;
    let leading: Vec<&usize> = children.iter().filter(leads_on).collect();
    let alike: Vec<&usize> = children.iter().filter(is_alike).collect();
    match (&leading[..], &alike[..]) {
        ([one], []) => Some(Some(**one)),
        ([one], [other]) if one == other => Some(Some(**one)),
        ([], [one]) => Some(Some(**one)),
        ([], []) if children.len() < 2 => Some(children.first().copied()),
        _ => None,
    }
}

fn place(shape: BoxGraph<'_>, rows: &[ListRow]) -> Arrangement {
    let mut boxes = vec![Rect::at(Point::zero(), Point::zero()); shape.nodes.len()];
    let size = |object: usize| shape.nodes[object].size;
    let mut below = vec![None; shape.nodes.len()];
    let mut top = 0.0;
    for row in rows {
        let height = row.iter().map(|node| size(node.object).y).fold(0.0, f64::max);
        let mut x = 0.0;
        let mut bottom = top + height;
        for (at, node) in row.iter().enumerate() {
            let inner: f64 = node.payloads.iter().map(|&it| size(it).x + PAYLOAD_GAP).sum();
            let width = size(node.object).x.max(inner - PAYLOAD_GAP);
            boxes[node.object] = centered(x, width, top, size(node.object));
            let mut left = x + (width - (inner - PAYLOAD_GAP)) / 2.0;
            for &payload in &node.payloads {
                let size = size(payload);
                boxes[payload] = Rect::at(Point::new(left, top + height + ROW_GAP), size);
                below[payload] = Some((node.object, top + height));
                left += size.x + PAYLOAD_GAP;
                bottom = bottom.max(boxes[payload].bottom);
            }
            let next = row.get(at + 1).map(|next| next.object);
            x += width + next.map_or(GAP, |next| gap(shape, node.object, next));
        }
        top = bottom + ROW_GAP;
    }
    let mut neighbours = vec![None; shape.nodes.len()];
    for pair in rows.iter().flat_map(|row| row.windows(2)) {
        neighbours[pair[1].object] = Some(pair[0].object);
    }
    let arrow = |number| arrow(shape, &boxes, &below, &neighbours, number);
    let arrows = (0..shape.links.len()).map(arrow).collect();
    Arrangement { boxes, arrows }
}

fn centered(x: f64, width: f64, top: f64, size: Point) -> Rect {
    Rect::at(Point::new(x + (width - size.x) / 2.0, top), size)
}

/// Room for the labels of the arrows between two neighbours.
fn gap(shape: BoxGraph<'_>, one: usize, other: usize) -> f64 {
    let between = shape.links.iter().filter(|link| {
        (link.from, link.to) == (one, other) || (link.from, link.to) == (other, one)
    });
    let longest = between.map(|link| link.label.chars().count()).max().unwrap_or(0);
    GAP.max(longest as f64 * CHARACTER + 26.0)
}

fn arrow(
    shape: BoxGraph<'_>,
    boxes: &[Rect],
    below: &[Option<(usize, f64)>],
    neighbours: &[Option<usize>],
    number: usize,
) -> ArrowLine {
    let link = &shape.links[number];
    let (from, to) = (boxes[link.from], boxes[link.to]);
    let n_before = n_alongside(shape.links, number);
    let beside = 12.0 * n_before as f64;
    if link.from == link.to {
        return ArrowLine::new(number, self_loop(shape.links, number, boxes));
    }
    // The places of several arrows are within the lower box's height.
    let lowest = from.height().min(to.height()) - 4.0;
    let y = from.top + (10.0 + beside).min(lowest);
    if neighbours[link.to] == Some(link.from) {
        return ArrowLine::new(number, Curve::straight(from.right, y, to.left, y));
    }
    if neighbours[link.from] == Some(link.to) {
        return ArrowLine::new(number, Curve::straight(from.left, y, to.right, y));
    }
    if let Some((_, ground)) = below[link.to].filter(|below| below.0 == link.from) {
        let x = link.port.map_or(from.middle().x, |port| from.left + port) + beside;
        let curve = Curve::down(x, from.bottom, ground, to.middle().x + beside, to.top);
        return ArrowLine { is_labelled: link.port.is_none(), ..ArrowLine::new(number, curve) };
    }
    if let Some((_, ground)) = below[link.from].filter(|below| below.0 == link.to) {
        let (x, y) = (to.middle().x + beside, to.bottom);
        let curve = Curve::down(x, y, ground, from.middle().x + beside, from.top);
        return ArrowLine { heads: (true, false), ..ArrowLine::new(number, curve) };
    }
    ArrowLine::new(number, over(boxes, link.from, link.to, n_before))
}

/// An arc over the row, or a way around what stands in between.
fn over(boxes: &[Rect], from: usize, to: usize, n_before: usize) -> Curve {
    let (start, end) = (boxes[from], boxes[to]);
    let aside = 8.0 * (n_before as f64 + 1.0);
    let sign = if end.left > start.left { 1.0 } else { -1.0 };
    let (x, x_end) = (start.middle().x + sign * aside, end.middle().x - sign * aside);
    let height = 22.0 + 0.12 * (x_end - x).abs() + 10.0 * n_before as f64;
    if start.top == end.top {
        return Curve::arch(x, x_end, start.top, height);
    }
    route(boxes, from, to, n_before)
}
