//! Any heap: boxes in a row, arrows as arcs above them.

use layout::core::geometry::Point;

use crate::records::geometry::{Curve, Rect};

use super::{Arrangement, ArrowLine, BoxGraph};

const GAP: f64 = 28.0;

/// The layout without conditions: boxes stand in a row with their tops in line, so an arc above the
/// row meets none of them.
pub(super) struct Arcs;

impl Arcs {
    pub(super) fn arrange_always(shape: BoxGraph<'_>) -> Arrangement {
        let mut x = 0.0;
        let mut boxes = Vec::new();
        for node in shape.nodes {
            boxes.push(Rect::at(Point::new(x, 0.0), node.size));
            x += node.size.x + GAP;
        }
        let ports = ports(shape, &boxes);
        let arrow = |(number, &(from, to)): (usize, &(f64, f64))| {
            let height = 26.0 + 0.3 * (to - from).abs();
            ArrowLine::new(number, Curve::arch(from, to, 0.0, height))
        };
        let arrows = ports.iter().enumerate().map(arrow).collect();
        Arrangement { boxes, arrows }
    }
}

/// The ends of each arrow on the tops of its boxes: all places of a box differ, and those
/// towards boxes on the left are on the left.
fn ports(shape: BoxGraph<'_>, boxes: &[Rect]) -> Vec<(f64, f64)> {
    let mut ends: Vec<Vec<(usize, usize, bool)>> = vec![Vec::new(); boxes.len()];
    for (number, link) in shape.links.iter().enumerate() {
        ends[link.from].push((link.to, number, true));
        ends[link.to].push((link.from, number, false));
    }
    let mut ports = vec![(0.0, 0.0); shape.links.len()];
    for (ends, place) in ends.iter_mut().zip(boxes) {
        ends.sort_by_key(|&(other, number, is_start)| (other, number, is_start));
        let step = place.width() / (ends.len() as f64 + 1.0);
        for (rank, &(_, number, is_start)) in ends.iter().enumerate() {
            let x = place.left + step * (rank as f64 + 1.0);
            match is_start {
                true => ports[number].0 = x,
                false => ports[number].1 = x,
            }
        }
    }
    ports
}
