//! The course of a run: its results by number of calls.
//!
//! It is kept at few points, however long the run is: where there are too many, every other one is
//! forgotten, and from then on they are twice as far apart. The same run has the same course.

/// The results of a run after a number of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoursePoint {
    /// The calls.
    pub calls: u64,
    /// Sequences in the pool.
    pub pooled: u64,
    /// Distinct structures.
    pub structures: u64,
    /// Points that were covered; 0 where nothing tells.
    pub covered: u64,
}

/// The course of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Course {
    points: Vec<CoursePoint>,
    /// The least number of calls between two points.
    interval: u64,
}

/// Most points that are kept.
const MOST_POINTS: usize = 400;

impl Default for Course {
    fn default() -> Self {
        Course { points: Vec::new(), interval: 1 }
    }
}

impl Course {
    /// The points in order, the last one as noted last.
    pub fn points(&self) -> &[CoursePoint] {
        &self.points
    }

    /// Adds the course of a later round, which begins after `calls` calls.
    pub(crate) fn append(&mut self, later: &Course, calls: u64) {
        for point in &later.points {
            self.push(CoursePoint { calls: calls + point.calls, ..*point });
        }
    }

    /// Notes a point, unless the last is too near. It is made only if it is needed.
    pub(crate) fn note(&mut self, calls: u64, point: impl FnOnce() -> CoursePoint) {
        let next = self.points.last().map_or(0, |last| last.calls + self.interval);
        if calls >= next {
            self.push(point());
        }
    }

    /// Notes the point at which the run ends.
    pub(crate) fn end(&mut self, point: CoursePoint) {
        if self.points.last() != Some(&point) {
            self.push(point);
        }
    }

    fn push(&mut self, point: CoursePoint) {
        if self.points.len() == MOST_POINTS {
            let mut at = 0;
            self.points.retain(|_| {
                at += 1;
                at % 2 == 1
            });
            self.interval *= 2;
        }
        self.points.push(point);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(calls: u64) -> CoursePoint {
        CoursePoint { calls, pooled: calls / 2, structures: calls / 3, covered: 0 }
    }

    #[test]
    fn a_long_run_has_few_points_and_its_ends_are_among_them() {
        for n_calls in [1, 399, 400, 401, 10_000, 123_457] {
            let mut course = Course::default();
            (1..=n_calls).for_each(|calls| course.note(calls, || point(calls)));
            course.end(point(n_calls));
            let points = course.points();
            assert!(points.len() <= MOST_POINTS && points.len() as u64 >= n_calls.min(200));
            assert_eq!((points[0], points[points.len() - 1]), (point(1), point(n_calls)));
            let gaps = points.windows(2).map(|pair| pair[1].calls - pair[0].calls);
            let widest = gaps.max().unwrap_or(1);
            assert!(widest <= course.interval && course.interval.is_power_of_two());
            assert!(points.iter().all(|one| *one == point(one.calls)));
        }
    }

    #[test]
    fn a_later_round_comes_after_the_calls_of_the_first() {
        let (mut course, mut later) = (Course::default(), Course::default());
        course.end(point(2));
        later.end(point(1));
        later.end(point(4));
        course.append(&later, 10);
        assert_eq!(course.points().iter().map(|one| one.calls).collect::<Vec<_>>(), [2, 11, 14]);
    }
}
