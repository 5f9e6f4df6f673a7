//! Places for the boxes and arrows of a picture.
//!
//! Each [`HeapLayout`] knows one kind of heap: rings, lists, trees. [`arrange`] asks them in order
//! and takes the first arrangement in which no arrow passes through a box and no box meets another.
//! The last one, [`Arcs`], always gives such an arrangement. Layouts know sizes and references;
//! they know nothing of text, colours or SVG.

mod arcs;
mod layered;
mod ring;
mod row;
mod spanning;
mod tree;

use layout::core::geometry::Point;

use crate::records::geometry::{Curve, Rect};

use arcs::Arcs;
use layered::LayeredLayout;
use ring::Rings;
use row::Rows;
use tree::Trees;

/// A reference between boxes.
#[derive(Clone, Debug)]
pub(crate) struct BoxLink {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// The field; shown beside the arrow.
    pub(crate) label: String,
    /// The middle of the cell with the reference, from the left side of its box. Only trees and
    /// rows begin the arrow there.
    pub(crate) port: Option<f64>,
    /// True if a call has changed the field.
    pub(crate) is_changed: bool,
}

/// A box without a place.
#[derive(Clone, Debug)]
pub(crate) struct BoxNode {
    pub(crate) size: Point,
    pub(crate) class: String,
    /// The fields that refer to nothing.
    pub(crate) empty_fields: Vec<String>,
}

/// The input of a layout: boxes in the order of a depth-first walk, and their references.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoxGraph<'s> {
    pub(crate) nodes: &'s [BoxNode],
    pub(crate) links: &'s [BoxLink],
}

/// An arrow: the reference with this number.
#[derive(Clone, Debug)]
pub(crate) struct ArrowLine {
    pub(crate) link: usize,
    pub(crate) curve: Curve,
    /// True for a head at the start of the curve, and at its end.
    pub(crate) heads: (bool, bool),
    /// False if the arrow begins at the cell of the reference, which makes a label redundant.
    pub(crate) is_labelled: bool,
}

impl ArrowLine {
    fn new(link: usize, curve: Curve) -> ArrowLine {
        ArrowLine { link, curve, heads: (false, true), is_labelled: true }
    }
}

/// The boxes in the order of the nodes, and the arrows.
#[derive(Debug)]
pub(crate) struct Arrangement {
    pub(crate) boxes: Vec<Rect>,
    pub(crate) arrows: Vec<ArrowLine>,
}

/// A way to arrange one kind of heap.
pub(crate) trait HeapLayout {
    /// The arrangement; `None` if the heap is not of the kind.
    fn arrange(&self, shape: BoxGraph<'_>) -> Option<Arrangement>;
}

/// Arranges boxes and the arrows between them.
pub(crate) fn arrange(shape: BoxGraph<'_>) -> Arrangement {
    const LAYOUTS: [&dyn HeapLayout; 4] = [&Rings, &Rows, &Trees, &LayeredLayout];
    let mut arrangements = LAYOUTS.iter().filter_map(|layout| layout.arrange(shape));
    let clean = arrangements.find(Arrangement::is_clean);
    clean.unwrap_or_else(|| Arcs::arrange_always(shape))
}

impl Arrangement {
    fn is_clean(&self) -> bool {
        let boxes = &self.boxes;
        let is_alone =
            |(index, one): (usize, &Rect)| !boxes[..index].iter().any(|it| it.overlaps(one));
        boxes.iter().enumerate().all(is_alone)
            && self.arrows.iter().all(|arrow| arrow.curve.is_clear_of(boxes))
    }
}

/// A curve from box to box that passes through none; of several the straightest.
fn route(boxes: &[Rect], from: usize, to: usize, n_before: usize) -> Curve {
    const BOWS: [f64; 8] = [0.0, 0.08, 0.16, 0.3, 0.45, 0.6, 0.9, 1.3];
    let (start, end) = (boxes[from], boxes[to]);
    let length = start.middle().distance_to(end.middle());
    let bows = BOWS.iter().flat_map(|share| [share * length, -share * length]);
    // Arrows between the same boxes lie side by side.
    let curves = bows.map(|bow| Curve::between(start, end, bow + 14.0 * n_before as f64));
    let mut clear = curves.filter(|curve| curve.is_clear_of(boxes));
    clear.next().unwrap_or_else(|| Curve::between(start, end, 0.0))
}

/// The number of arrows before `link` between the same two boxes, in either direction.
fn n_alongside(links: &[BoxLink], link: usize) -> usize {
    let ends = |link: &BoxLink| (link.from.min(link.to), link.from.max(link.to));
    links[..link].iter().filter(|other| ends(other) == ends(&links[link])).count()
}

/// A curve from a box to itself, above it; each further one is higher.
fn self_loop(links: &[BoxLink], link: usize, boxes: &[Rect]) -> Curve {
    let object = boxes[links[link].from];
    let height = 16.0 + 12.0 * n_alongside(links, link) as f64;
    Curve::around(object, Point::new(object.middle().x, object.top - height))
}

#[cfg(test)]
mod tests;
