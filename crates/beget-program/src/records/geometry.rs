//! Rectangles, and curves as SVG has them.

use layout::core::geometry::Point;

/// A rectangle with its sides along the axes; y grows downwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rect {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

impl Rect {
    pub(crate) fn at(corner: Point, size: Point) -> Rect {
        let (right, bottom) = (corner.x + size.x, corner.y + size.y);
        Rect { left: corner.x, top: corner.y, right, bottom }
    }

    pub(crate) fn around(middle: Point, size: Point) -> Rect {
        Rect::at(middle.sub(size.scale(0.5)), size)
    }

    pub(crate) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(crate) fn height(&self) -> f64 {
        self.bottom - self.top
    }

    pub(crate) fn middle(&self) -> Point {
        Point::new((self.left + self.right) / 2.0, (self.top + self.bottom) / 2.0)
    }

    pub(crate) fn overlaps(&self, other: &Rect) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    pub(crate) fn contains(&self, point: Point) -> bool {
        (self.left..=self.right).contains(&point.x) && (self.top..=self.bottom).contains(&point.y)
    }

    /// The rectangle with so much more on each side.
    pub(crate) fn widened(&self, by: f64) -> Rect {
        let Rect { left, top, right, bottom } = *self;
        Rect { left: left - by, top: top - by, right: right + by, bottom: bottom + by }
    }

    /// The least rectangle with all of these; without any, an empty one.
    pub(crate) fn of_all(rects: impl IntoIterator<Item = Rect>) -> Rect {
        let both = |a: Rect, b: Rect| Rect {
            left: a.left.min(b.left),
            top: a.top.min(b.top),
            right: a.right.max(b.right),
            bottom: a.bottom.max(b.bottom),
        };
        rects.into_iter().reduce(both).unwrap_or(Rect::at(Point::zero(), Point::zero()))
    }
}

/// Cubic Bézier curves one after another.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    start: Point,
    /// Two control points and the end of each.
    pieces: Vec<[Point; 3]>,
}

impl Curve {
    /// From the layout's path: where it begins and its first control point, then for each piece its
    /// second control point and its end. It goes on smoothly from piece to piece.
    pub(crate) fn through(path: &[(Point, Point)]) -> Curve {
        let (start, mut leaving) = path[0];
        let mut pieces = Vec::new();
        for &(arriving, end) in &path[1..] {
            pieces.push([leaving, arriving, end]);
            leaving = end.scale(2.0).sub(arriving);
        }
        Curve { start, pieces }
    }

    /// A line between two points.
    pub(crate) fn straight(x: f64, y: f64, x_end: f64, y_end: f64) -> Curve {
        let (start, end) = (Point::new(x, y), Point::new(x_end, y_end));
        Curve {
            start,
            pieces: vec![[between(start, end, 1.0 / 3.0), between(start, end, 2.0 / 3.0), end]],
        }
    }

    /// From box to box: a bow to the left of its direction, or to the right if it is negative. It
    /// begins and ends at the sides of the boxes.
    pub(crate) fn between(from: Rect, to: Rect, bow: f64) -> Curve {
        let (start, end) = (from.middle(), to.middle());
        let along = end.sub(start);
        let length = start.distance_to(end).max(1.0);
        // The curve goes three quarters of the way to its control points. y grows downwards.
        let aside = Point::new(along.y, -along.x).scale(bow / 0.75 / length);
        let leaving = between(start, end, 0.25).add(aside);
        let arriving = between(start, end, 0.75).add(aside);
        let whole = Curve { start, pieces: vec![[leaving, arriving, end]] };
        let steps = || (0..=STEPS).map(|step| f64::from(step) / f64::from(STEPS));
        let left = steps().rev().find(|&t| from.contains(whole.at(t))).unwrap_or(0.0);
        let reached = steps().find(|&t| t > left && to.contains(whole.at(t))).unwrap_or(1.0);
        let exit = whole.crossing(from, left, (left + 1.0 / f64::from(STEPS)).min(1.0));
        let entry = whole.crossing(to, reached, (reached - 1.0 / f64::from(STEPS)).max(0.0));
        whole.part(exit, entry)
    }

    /// From a point down to `ground`, and from there to a point below it.
    pub(crate) fn down(x: f64, y: f64, ground: f64, x_end: f64, y_end: f64) -> Curve {
        let middle = (ground + y_end) / 2.0;
        let (start, end) = (Point::new(x, y), Point::new(x_end, y_end));
        let mut pieces = Vec::new();
        if ground > y {
            let corner = Point::new(x, ground);
            pieces.push([
                between(start, corner, 1.0 / 3.0),
                between(start, corner, 2.0 / 3.0),
                corner,
            ]);
        }
        pieces.push([Point::new(x, middle), Point::new(x_end, middle), end]);
        Curve { start, pieces }
    }

    /// An arc from place to place along a line, up to `height` above it.
    pub(crate) fn arch(x: f64, x_end: f64, y: f64, height: f64) -> Curve {
        let top = y - height / 0.75;
        let pieces = vec![[Point::new(x, top), Point::new(x_end, top), Point::new(x_end, y)]];
        Curve { start: Point::new(x, y), pieces }
    }

    /// The place at which a curve of one piece passes the side of a box. The box has the place at
    /// `inside`, and not that at `outside`.
    fn crossing(&self, object: Rect, inside: f64, outside: f64) -> f64 {
        let (mut inside, mut outside) = (inside, outside);
        for _ in 0..24 {
            let middle = (inside + outside) / 2.0;
            match object.contains(self.at(middle)) {
                true => inside = middle,
                false => outside = middle,
            }
        }
        outside
    }

    /// The part of a curve of one piece between two places.
    fn part(&self, from: f64, to: f64) -> Curve {
        let [leaving, arriving, end] = self.pieces[0];
        let tangent = |t: f64| {
            let u = 1.0 - t;
            let parts = [
                leaving.sub(self.start).scale(3.0 * u * u),
                arriving.sub(leaving).scale(6.0 * u * t),
                end.sub(arriving).scale(3.0 * t * t),
            ];
            parts.into_iter().fold(Point::zero(), |sum, part| sum.add(part))
        };
        let third = (to - from) / 3.0;
        let (start, end) = (self.at(from), self.at(to));
        let pieces =
            vec![[start.add(tangent(from).scale(third)), end.sub(tangent(to).scale(third)), end]];
        Curve { start, pieces }
    }

    /// Returns whether no place of it is within a box.
    pub(crate) fn is_clear_of(&self, boxes: &[Rect]) -> bool {
        let points = self.samples();
        let all = Rect::of_all(points.iter().map(|&point| Rect::at(point, Point::zero())));
        let mut near = boxes
            .iter()
            .map(|object| object.widened(-0.5))
            .filter(|object| object.overlaps(&all.widened(0.1)));
        !near.any(|object| points.iter().any(|&point| object.contains(point)))
    }

    /// From a box to itself by way of a place above or below it; the higher, the wider, so that
    /// several lie one in another.
    pub(crate) fn around(object: Rect, by: Point) -> Curve {
        let middle = object.middle();
        let side = if by.y < middle.y { object.top } else { object.bottom };
        let half = 4.0 + 0.2 * (by.y - side).abs();
        // The curve goes three quarters of the way to its control points.
        let height = (by.y - side) / 0.75;
        let point = |x: f64, y: f64| Point::new(middle.x + x, side + y);
        let pieces =
            vec![[point(-3.0 * half, height), point(3.0 * half, height), point(half, 0.0)]];
        Curve { start: point(-half, 0.0), pieces }
    }

    /// The place at `t`, from 0 at the start to 1 at the end.
    pub(crate) fn at(&self, t: f64) -> Point {
        let along = (t * self.pieces.len() as f64).clamp(0.0, self.pieces.len() as f64);
        let index = (along as usize).min(self.pieces.len() - 1);
        let start = if index == 0 { self.start } else { self.pieces[index - 1][2] };
        let [leaving, arriving, end] = self.pieces[index];
        let (t, u) = (along - index as f64, 1.0 - (along - index as f64));
        let parts = [
            start.scale(u * u * u),
            leaving.scale(3.0 * u * u * t),
            arriving.scale(3.0 * u * t * t),
            end.scale(t * t * t),
        ];
        parts.into_iter().fold(Point::zero(), |sum, part| sum.add(part))
    }

    /// Places all along it, close together.
    pub(crate) fn samples(&self) -> Vec<Point> {
        let n = 24 * self.pieces.len();
        (0..=n).map(|step| self.at(step as f64 / n as f64)).collect()
    }

    /// The `d` of a path, moved by `-origin`.
    pub(crate) fn to_path(&self, origin: Point) -> String {
        let shown = |point: Point| {
            let point = point.sub(origin);
            format!("{} {}", shown(point.x), shown(point.y))
        };
        let mut path = format!("M {}", shown(self.start));
        for &[leaving, arriving, end] in &self.pieces {
            path += &format!(" C {}, {}, {}", shown(leaving), shown(arriving), shown(end));
        }
        path
    }
}

/// Steps along a curve in which its box is looked for.
const STEPS: u32 = 64;

fn between(start: Point, end: Point, share: f64) -> Point {
    start.add(end.sub(start).scale(share))
}

/// A coordinate, to a tenth.
pub(crate) fn shown(number: f64) -> String {
    // Without a negative zero.
    ((number * 10.0).round() / 10.0 + 0.0).to_string()
}
