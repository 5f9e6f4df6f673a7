//! Rings: nodes that lead round in a circle by one field.

use std::collections::BTreeSet;
use std::f64::consts::TAU;

use layout::core::geometry::Point;

use crate::records::geometry::{Curve, Rect};

use super::{Arrangement, ArrowLine, BoxGraph, HeapLayout, n_alongside, route, self_loop};

/// Between the boxes of a ring.
const GAP: f64 = 44.0;
/// From a box outside to the ring, and between boxes outside.
const LEAD: f64 = 70.0;
const MOST_IN_RING: usize = 24;

/// Heaps of which most boxes lie on one cycle of a field, such as `next`. A chain of boxes may lead
/// to it, and each box of it may have boxes that lead nowhere.
pub(super) struct Rings;

impl HeapLayout for Rings {
    fn arrange(&self, shape: BoxGraph<'_>) -> Option<Arrangement> {
        let ring = longest_ring(shape)?;
        let lead = lead(shape, &ring)?;
        let payloads = payloads(shape, &ring, &lead)?;
        let boxes = place(shape, &ring, &lead, &payloads);
        let arrow = |number| arrow(shape, &ring, &boxes, number);
        let arrows = (0..shape.links.len()).map(arrow).collect();
        Some(Arrangement { boxes, arrows })
    }
}

/// The longest cycle along one field; the least box of it, which the walk found first, leads it.
/// Two boxes that refer to each other are a pair, and no ring, unless the field is the same.
fn longest_ring(shape: BoxGraph<'_>) -> Option<Vec<usize>> {
    let labels: BTreeSet<&str> = shape.links.iter().map(|link| link.label.as_str()).collect();
    let mut best: Option<Vec<usize>> = None;
    for label in labels.into_iter().filter(|label| !label.is_empty()) {
        let of_field = shape.links.iter().filter(|link| link.label == label);
        let mut next = vec![None; shape.nodes.len()];
        of_field.for_each(|link| next[link.from] = Some(link.to));
        for start in 0..shape.nodes.len() {
            let mut ring = vec![start];
            let mut at = next[start];
            while let Some(object) =
                at.filter(|&object| object > start && ring.len() <= MOST_IN_RING)
            {
                ring.push(object);
                at = next[object];
            }
            let is_closed = at == Some(start) && (2..=MOST_IN_RING).contains(&ring.len());
            // Along `next` the walk numbers the ring upwards; along `previous` it does not.
            let rank = |ring: &Vec<usize>| (ring.len(), std::cmp::Reverse(ring.get(1).copied()));
            if is_closed && best.as_ref().is_none_or(|best| rank(&ring) > rank(best)) {
                best = Some(ring);
            }
        }
    }
    best
}

/// The boxes from the root to the ring's first.
fn lead(shape: BoxGraph<'_>, ring: &[usize]) -> Option<Vec<usize>> {
    let lead: Vec<usize> = (0..ring[0]).collect();
    let leads_on = |&object: &usize| {
        shape.links.iter().any(|link| link.from == object && link.to == object + 1)
    };
    lead.iter().all(leads_on).then_some(lead)
}

/// The boxes outside at each place of the ring; `None` if there are other boxes.
fn payloads(shape: BoxGraph<'_>, ring: &[usize], lead: &[usize]) -> Option<Vec<Vec<usize>>> {
    let mut payloads = vec![Vec::new(); ring.len()];
    for object in 0..shape.nodes.len() {
        if ring.contains(&object) || lead.contains(&object) {
            continue;
        }
        let holder = shape.links.iter().find(|link| link.to == object && link.from != object)?.from;
        let place = ring.iter().position(|&node| node == holder)?;
        payloads[place].push(object);
    }
    Some(payloads)
}

fn place(
    shape: BoxGraph<'_>,
    ring: &[usize],
    lead: &[usize],
    payloads: &[Vec<usize>],
) -> Vec<Rect> {
    let mut boxes = vec![Rect::at(Point::zero(), Point::zero()); shape.nodes.len()];
    let size = |object: usize| shape.nodes[object].size;
    // Clockwise from the left, where the lead comes in.
    let direction = |place: usize| {
        let angle = TAU * (0.5 + place as f64 / ring.len() as f64);
        Point::new(angle.cos(), angle.sin())
    };
    let at = |place: usize, radius: f64| {
        let direction = direction(place);
        Rect::around(
            Point::new(1.25 * radius * direction.x, radius * direction.y),
            size(ring[place]),
        )
    };
    let wide = |one: Rect| one.widened(GAP / 2.0);
    let mut radius = 72.0;
    let has_room = |radius: f64| {
        let all: Vec<Rect> = (0..ring.len()).map(|place| wide(at(place, radius))).collect();
        (0..all.len()).all(|one| !all[..one].iter().any(|other| other.overlaps(&all[one])))
    };
    while !has_room(radius) {
        radius += 6.0;
    }
    for (place, &object) in ring.iter().enumerate() {
        boxes[object] = at(place, radius);
        let mut outside = boxes[object];
        for &payload in &payloads[place] {
            outside = beyond(outside, direction(place), size(payload));
            boxes[payload] = outside;
        }
    }
    let mut right = boxes[ring[0]].left - LEAD;
    for &object in lead.iter().rev() {
        let size = size(object);
        boxes[object] = Rect::at(Point::new(right - size.x, -size.y / 2.0), size);
        right -= size.x + LEAD;
    }
    boxes
}

/// A box farther out than another, by the way that is the shorter one.
fn beyond(inner: Rect, direction: Point, size: Point) -> Rect {
    let middle = inner.middle();
    // The lead comes in from the left: nothing else stands there.
    let is_beside = direction.x > 0.9;
    let offset = match (is_beside, direction.y > 0.0) {
        (true, _) => Point::new((inner.width() + size.x) / 2.0 + LEAD, 0.0),
        (false, true) => Point::new(0.0, (inner.height() + size.y) / 2.0 + GAP),
        (false, false) => Point::new(0.0, -(inner.height() + size.y) / 2.0 - GAP),
    };
    Rect::around(middle.add(offset), size)
}

fn arrow(shape: BoxGraph<'_>, ring: &[usize], boxes: &[Rect], number: usize) -> ArrowLine {
    let link = &shape.links[number];
    if link.from == link.to {
        return ArrowLine::new(number, self_loop(shape.links, number, boxes));
    }
    let place = |object: usize| ring.iter().position(|&node| node == object);
    let (from, to) = (boxes[link.from], boxes[link.to]);
    let n_before = n_alongside(shape.links, number) as f64;
    let bow = match (place(link.from), place(link.to)) {
        // Clockwise outside, back inside.
        (Some(one), Some(other)) if (one + 1) % ring.len() == other && ring.len() > 2 => 12.0,
        (Some(one), Some(other)) if (other + 1) % ring.len() == one && ring.len() > 2 => 10.0,
        (Some(_), Some(_)) if ring.len() == 2 => 14.0 + 16.0 * (n_before / 2.0).floor(),
        _ => {
            let curve = route(boxes, link.from, link.to, n_before as usize);
            return ArrowLine::new(number, curve);
        }
    };
    ArrowLine::new(number, Curve::between(from, to, bow))
}
