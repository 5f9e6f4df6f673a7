//! The places of arrows' labels: near the middle of the arrow, on no box and no other label.

use layout::core::geometry::Point;

use crate::records::geometry::{Curve, Rect};

/// An arrow with the size of its label.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LabelledArrow<'c> {
    pub(crate) curve: &'c Curve,
    pub(crate) size: Point,
}

/// The number of places along an arrow that are tried.
const PLACES: u32 = 15;
/// The distance between a label and anything else.
const MARGIN: f64 = 1.0;

/// A place for each label, in their order. None overlaps a box or another label; of the free places
/// near an arrow, the one with the fewest arrows is taken, and of these the nearest to the arrow's
/// middle.
pub(crate) fn place(boxes: &[Rect], arrows: &[LabelledArrow<'_>]) -> Vec<Rect> {
    // The points of an arrow, and the least rectangle around them.
    let samples: Vec<(Rect, Vec<Point>)> = arrows
        .iter()
        .map(|arrow| {
            let points = arrow.curve.samples();
            let rects = points.iter().map(|&point| Rect::at(point, Point::zero()));
            (Rect::of_all(rects), points)
        })
        .collect();
    let mut taken = boxes.to_vec();
    let mut places = Vec::new();
    for (number, arrow) in arrows.iter().enumerate() {
        let is_free = |place: &Rect| !taken.iter().any(|other| wider(place).overlaps(other));
        let near = candidates(arrow).into_iter().filter(|(_, place)| is_free(place));
        let cost = |(cost, place): &(f64, Rect)| {
            let near = samples.iter().enumerate().filter(|(_, (all, _))| all.overlaps(place));
            let crossings = near.map(|(other, (_, points))| {
                let weight = if other == number { 4.0 } else { 10.0 };
                weight * points.iter().filter(|point| place.contains(**point)).count() as f64
            });
            cost + crossings.sum::<f64>()
        };
        let best = near.map(|one| (cost(&one), one.1)).min_by(|a, b| a.0.total_cmp(&b.0));
        let place = match best {
            Some((_, place)) => place,
            None => away(arrow).find(is_free).expect("far away there is room"),
        };
        taken.push(place);
        places.push(place);
    }
    places
}

fn wider(place: &Rect) -> Rect {
    let size = Point::new(place.width() + 2.0 * MARGIN, place.height() + 2.0 * MARGIN);
    Rect::around(place.middle(), size)
}

/// Places above, below, on and beside the arrow, each with its penalty.
fn candidates(arrow: &LabelledArrow<'_>) -> Vec<(f64, Rect)> {
    let LabelledArrow { curve, size } = *arrow;
    let (up, side) = (size.y / 2.0 + MARGIN, size.x / 2.0 + 2.0 * MARGIN);
    let offsets = [(0.0, -up), (0.0, up), (side, 0.0), (-side, 0.0), (0.0, 0.0)];
    let mut candidates = Vec::new();
    for step in 0..PLACES {
        let t = f64::from(step + 3) / f64::from(PLACES + 5);
        for (rank, (x, y)) in offsets.into_iter().enumerate() {
            let place = Rect::around(curve.at(t).add(Point::new(x, y)), size);
            candidates.push((20.0 * (t - 0.5).abs() + rank as f64, place));
        }
    }
    candidates
}

/// Places farther and farther from the middle of the arrow, up and down.
fn away(arrow: &LabelledArrow<'_>) -> impl Iterator<Item = Rect> {
    let LabelledArrow { curve, size } = *arrow;
    let middle = curve.at(0.5);
    (1..).flat_map(move |step| {
        let y = f64::from(step) * size.y / 2.0;
        [-y, y].map(|y| Rect::around(middle.add(Point::new(0.0, y)), size))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(from: (f64, f64), to: (f64, f64)) -> Curve {
        let [from, to] = [from, to].map(|(x, y)| Point::new(x, y));
        Curve::through(&[(from, from), (to, to)])
    }

    #[test]
    fn a_label_stands_above_the_middle_of_its_arrow() {
        let curve = line((0.0, 50.0), (100.0, 50.0));
        let size = Point::new(20.0, 10.0);
        let places = place(&[], &[LabelledArrow { curve: &curve, size }]);
        assert_eq!(places, [Rect::at(Point::new(40.0, 39.0), size)]);
    }

    /// Twenty arrows in one place between two boxes that leave no room there.
    #[test]
    fn labels_without_room_keep_off_everything() {
        let curve = line((40.0, 0.0), (60.0, 0.0));
        let size = Point::new(70.0, 10.0);
        let boxes = [
            Rect::at(Point::new(0.0, -30.0), Point::new(40.0, 60.0)),
            Rect::at(Point::new(60.0, -30.0), Point::new(40.0, 60.0)),
        ];
        let places = place(&boxes, &[LabelledArrow { curve: &curve, size }; 20]);
        let all: Vec<Rect> = boxes.into_iter().chain(places).collect();
        for (index, one) in all.iter().enumerate() {
            assert!(!all[..index].iter().any(|other| other.overlaps(one)), "{one:?} in {all:?}");
        }
    }
}
