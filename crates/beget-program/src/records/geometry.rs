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
        let n = 12 * self.pieces.len();
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

/// A coordinate, to a tenth.
pub(crate) fn shown(number: f64) -> String {
    // Without a negative zero.
    ((number * 10.0).round() / 10.0 + 0.0).to_string()
}
