//! Counts by k, and their extrapolation.

use crate::estimate::bar::ErrorBar;
use crate::estimate::curve::{GrowthCurve, Point, ln_factorial};

/// The share of the bars that should hold.
pub const CONFIDENCE: f64 = 0.9;

/// The factor from errors and differences to the half width of a bar, in logarithms, so that
/// [`CONFIDENCE`] of the bars hold.
pub const FACTOR: f64 = 1.2;

/// The largest count that is estimated: larger ones are meaningless.
const MOST: f64 = 1e100;

/// The weight of a curve's error at one count relative to that at the next.
const FORGETTING: f64 = 0.6;

/// The assumed error of a curve before it has predicted anything, and its weight.
const EXPECTED_ERROR: f64 = 0.15;
const EXPECTED_WEIGHT: f64 = 0.05;

/// The weight of the curves' variance.
const DIFFERENCE: f64 = 4.0;

/// The remaining uncertainty if all curves agree, for each step of k.
const LEAST_ERROR: f64 = 0.001;

/// The uncertainty of a growth with three counts, for each step of k. It falls with the square of
/// their number.
const NEW_ERROR: f64 = 0.5;

/// The usual multiple of ln k!, because two counts do not show a bend. Its error is `BEND_ERROR`.
const USUAL_BEND: f64 = 0.6;
const BEND_ERROR: f64 = 1.0;

/// Counts of something by k.
#[derive(Clone, Debug, PartialEq)]
pub struct CountGrowth {
    /// Their logarithms. Invariant: by increasing k.
    points: Vec<Point>,
    /// True if the counts never fall: then later ones are assumed not to fall either.
    is_rising: bool,
}

/// A forecast before it becomes a bar.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Forecast {
    log: f64,
    /// The half width of the bar without its factor.
    error: f64,
}

/// A curve's prediction, and its reliability.
struct Opinion {
    log: f64,
    /// The mean square of its errors, for a step of k.
    square: f64,
}

impl CountGrowth {
    /// The growth of counts by k, in any order. Counts of 0 are left out: they only show that the
    /// scope is too small.
    pub fn of(counts: impl IntoIterator<Item = (u32, u64)>) -> CountGrowth {
        let logs = counts.into_iter().filter(|&(_, count)| count > 0);
        let mut points: Vec<Point> = logs.map(|(k, count)| (k, (count as f64).ln())).collect();
        points.sort_by_key(|&(k, _)| k);
        points.dedup_by_key(|&mut (k, _)| k);
        let is_rising = points.is_sorted_by(|(_, one), (_, next)| one <= next);
        CountGrowth { points, is_rising }
    }

    /// The number of usable counts.
    pub fn n_counts(&self) -> usize {
        self.points.len()
    }

    /// The count at `k`: the known one, or else, beyond the last one, an estimate. `None` if there
    /// are too few counts, or `k` is too far.
    pub fn at(&self, k: u32) -> Option<ErrorBar> {
        self.with_factor(k, FACTOR)
    }

    /// Like [`CountGrowth::at`], with another factor than [`FACTOR`], to find out which one holds.
    pub fn with_factor(&self, k: u32, factor: f64) -> Option<ErrorBar> {
        if let Some(&(_, log)) = self.points.iter().find(|&&(at, _)| at == k) {
            return Some(ErrorBar::exact(log.exp().round()));
        }
        let forecast = forecast(&self.points, k)?;
        let range = ErrorBar::around(forecast.log.exp(), factor * forecast.error);
        let least = self.points.last().filter(|_| self.is_rising);
        let range = range.at_least(least.map_or(0.0, |&(_, log)| log.exp()));
        (range.high <= MOST).then_some(range)
    }

    /// The factor by which the bar at `k`, made from errors and differences, must be widened to
    /// contain `count`.
    pub fn factor_for(&self, k: u32, count: f64) -> Option<f64> {
        let Forecast { log, error } = forecast(&self.points, k)?;
        let least = self.points.last().filter(|_| self.is_rising).map_or(log, |&(_, log)| log);
        Some((count.ln() - log.max(least)).abs() / error)
    }
}

fn forecast(points: &[Point], k: u32) -> Option<Forecast> {
    match *points {
        [] | [_] => None,
        [.., (last, _)] if k <= last => None,
        [one, other] => Some(of_two(one, other, k)),
        _ => Some(of_many(points, k)),
    }
}

fn of_two((a, low): Point, (b, high): Point, k: u32) -> Forecast {
    let steps = f64::from(k - b) / f64::from(b - a);
    let straight = |from: f64, to: f64| to + (to - from) * steps;
    let bend = ln_factorial(k) - straight(ln_factorial(a), ln_factorial(b));
    Forecast { log: straight(low, high) + USUAL_BEND * bend, error: BEND_ERROR * bend }
}

fn of_many(points: &[Point], k: u32) -> Forecast {
    let opinion = |curve: &GrowthCurve| {
        Some(Opinion { log: curve.at(points, k)?, square: square_error(*curve, points) })
    };
    let opinions: Vec<Opinion> = GrowthCurve::ALL.iter().filter_map(opinion).collect();
    let weight = |opinion: &Opinion| (opinion.square + 1e-8).powf(-1.5);
    let sum: f64 = opinions.iter().map(weight).sum();
    let mean = |value: &dyn Fn(&Opinion) -> f64| {
        opinions.iter().map(|one| weight(one) * value(one)).sum::<f64>() / sum
    };
    let log = mean(&|one| one.log);
    let difference = mean(&|one| (one.log - log).powi(2));
    let square = mean(&|one| one.square);
    let last = points.last().map_or(k, |&(k, _)| k);
    let steps = f64::from(k - last);
    let known = (square * steps + DIFFERENCE * difference).sqrt() + LEAST_ERROR * steps;
    let n_beyond_two = (points.len() - 2) as f64;
    let new = NEW_ERROR * steps / n_beyond_two.powi(2);
    Forecast { log, error: known.hypot(new) }
}

/// The mean square of a curve's errors at the points, each predicted from those before it.
fn square_error(curve: GrowthCurve, points: &[Point]) -> f64 {
    let expected = (EXPECTED_WEIGHT, EXPECTED_WEIGHT * EXPECTED_ERROR.powi(2));
    let (weights, squares) = (curve.n_points()..points.len())
        .map(|at| {
            let (before, (k, log)) = (&points[..at], points[at]);
            let steps = before.last().map_or(1.0, |&(last, _)| f64::from(k - last));
            let wrong = curve.at(before, k).map_or(1.0, |found| (found - log) / steps);
            let weight = FORGETTING.powi((points.len() - 1 - at) as i32);
            (weight, weight * wrong * wrong)
        })
        .fold(expected, |sum, one| (sum.0 + one.0, sum.1 + one.1));
    squares / weights
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factorial(n: u32) -> u64 {
        (1..=u64::from(n)).product()
    }

    fn catalan(n: u32) -> u64 {
        (0..u64::from(n)).fold(1, |product, i| product * 2 * (2 * i + 1) / (i + 2))
    }

    fn power_of_two(n: u32) -> u64 {
        1 << n
    }

    /// Estimates a count at `k` from k = 1 to `last`; checks that its bar holds, and that the
    /// likely value is within `most` in logarithms.
    #[track_caller]
    fn check(count: impl Fn(u32) -> u64, last: u32, k: u32, most: f64) -> ErrorBar {
        let found =
            CountGrowth::of((1..=last).map(|k| (k, count(k)))).at(k).expect("enough counts");
        let truth = count(k) as f64;
        assert!(found.contains(truth), "{found:?} does not contain {truth}");
        let error = (found.likely / truth).ln().abs();
        assert!(error <= most, "{found:?} is {error} off {truth}");
        found
    }

    #[test]
    fn factorials_go_on() {
        check(factorial, 8, 9, 0.01);
        check(factorial, 8, 12, 0.1);
        check(factorial, 3, 5, 0.3);
    }

    #[test]
    fn powers_of_two_go_on() {
        check(power_of_two, 8, 20, 1e-6);
        // Two counts are assumed to bend as most counts do.
        check(power_of_two, 2, 4, 1.0);
    }

    #[test]
    fn catalan_numbers_go_on() {
        check(catalan, 8, 9, 0.01);
        check(catalan, 8, 13, 0.05);
    }

    #[test]
    fn lists_of_k_values_go_on() {
        check(|k| u64::from(k).pow(k), 7, 10, 0.1);
        check(|k| u64::from(k).pow(3), 7, 10, 0.05);
    }

    #[test]
    fn a_bar_is_wider_the_farther_it_is_and_the_less_is_known() {
        let half_width = |last: u32, k: u32| {
            let range = CountGrowth::of((1..=last).map(|k| (k, catalan(k)))).at(k).unwrap();
            (range.high / range.likely).ln()
        };
        assert!(half_width(6, 7) < half_width(6, 8) && half_width(6, 8) < half_width(6, 12));
        assert!(half_width(8, 10) < half_width(5, 7) && half_width(5, 7) < half_width(3, 5));
        assert!(half_width(3, 5) < half_width(2, 4));
    }

    /// From 2 at 1 and 8 at 3, the straight line leads to 32 at 5, the bend of factorials to more.
    #[test]
    fn two_counts_go_on_by_the_same_factor_and_six_tenths_of_a_factorials_bend() {
        let found = CountGrowth::of([(1, 2), (3, 8)]).at(5).unwrap();
        let bend = 120.0_f64 / (6.0 * 6.0);
        assert!((found.likely / (32.0 * bend.powf(0.6)) - 1.0).abs() < 1e-9, "{found:?}");
        assert!((found.high / found.likely / bend.powf(1.2) - 1.0).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn jumps_make_wide_bars() {
        // Binomial heaps of the literature: they have one more shape at powers of two.
        let heaps = [2, 6, 28, 120, 936, 7_602, 107_416, 603_744];
        let smooth = CountGrowth::of((1..=8).map(|k| (k, catalan(k)))).at(9).unwrap();
        let heaps = CountGrowth::of((1..).zip(heaps)).at(9).unwrap();
        let width = |range: ErrorBar| (range.high / range.low).ln();
        assert!(width(heaps) > 5.0 * width(smooth), "{heaps:?} {smooth:?}");
    }

    /// The numbers were computed by another program, written from the same description: two steps
    /// ahead, with a gap before and one in between.
    #[test]
    fn estimates_are_those_of_an_independent_program() {
        let heaps = [2, 6, 28, 120, 936, 7_602, 107_416, 603_744];
        let heaps: Vec<(u32, u64)> = (1..).zip(heaps).collect();
        let near = |one: f64, other: f64| (one / other - 1.0).abs() < 1e-9;
        let check = |known: &[(u32, u64)], k: u32, [likely, low, high]: [f64; 3]| {
            let found = CountGrowth::of(known.iter().copied()).at(k).unwrap();
            let ErrorBar { likely: l, low: a, high: b } = found;
            assert!(near(l, likely) && near(a, low) && near(b, high), "{found:?}");
        };
        let two_steps = [41_765.503_492_581_54, 17_334.895_754_783_833, 100_626.926_556_939_83];
        check(&heaps[..5], 7, two_steps);
        let gap = [2_075_814.865_838_632_5, 1_044_163.336_046_763_5, 4_126_756.043_312_823_4];
        check(&[&heaps[..3], &heaps[4..7]].concat(), 8, gap);
        let late = [1_539_457_521.353_907, 555_609_584.554_069_9, 4_265_458_202.912_772];
        check(&[&heaps[..], &[(10, 117_157_172)]].concat(), 11, late);
    }

    #[test]
    fn the_order_in_which_counts_come_does_not_matter() {
        let counts = [(1, 2), (2, 6), (3, 28), (4, 120)];
        let mut turned = counts;
        turned.reverse();
        assert_eq!(CountGrowth::of(turned).at(6), CountGrowth::of(counts).at(6));
    }

    #[test]
    fn one_count_is_too_little() {
        assert_eq!(CountGrowth::of([]).at(2), None);
        assert_eq!(CountGrowth::of([(1, 5)]).at(2), None);
        // A count of 0 says nothing about growth.
        let disjoint_sets = CountGrowth::of([(1, 0), (2, 1), (3, 4)]);
        assert_eq!(disjoint_sets.n_counts(), 2);
        assert!(disjoint_sets.at(4).is_some());
        assert_eq!(CountGrowth::of([(1, 0), (2, 1)]).at(3), None);
    }

    #[test]
    fn of_a_scope_beyond_all_numbers_nothing_is_said() {
        let growth = CountGrowth::of((1..=6).map(|k| (k, factorial(k))));
        assert!(growth.at(20).is_some_and(|bar| bar.high.is_finite()));
        assert_eq!(growth.at(400), None);
        assert_eq!(growth.at(100_000), None);
    }

    #[test]
    fn known_counts_are_no_estimates() {
        let growth = CountGrowth::of([(3, 6), (1, 1), (2, 2)]);
        assert_eq!(growth.at(2), Some(ErrorBar::exact(2.0)));
        assert_eq!(growth.at(3), Some(ErrorBar::exact(6.0)));
        // It extrapolates, and does not interpolate.
        assert_eq!(CountGrowth::of([(1, 1), (3, 6)]).at(2), None);
    }

    #[test]
    fn what_never_falls_is_not_estimated_to_fall() {
        let flat = CountGrowth::of([(1, 5), (2, 7), (3, 7), (4, 7), (5, 7)]).at(8).unwrap();
        assert!(flat.low >= 7.0 - 1e-9 && flat.high < 20.0, "{flat:?}");
        let falling = CountGrowth::of([(1, 16), (2, 8), (3, 4), (4, 2)]).at(5).unwrap();
        assert!(falling.contains(1.0) && falling.likely < 1.1, "{falling:?}");
    }

    #[test]
    fn the_factor_for_a_count_is_that_of_the_bar_that_just_holds_it() {
        let growth = CountGrowth::of((1..=6).map(|k| (k, factorial(k))));
        let factor = growth.factor_for(8, 50_000.0).unwrap();
        let bar = growth.with_factor(8, factor).unwrap();
        assert!((bar.high / 50_000.0 - 1.0).abs() < 1e-9, "{bar:?}");
        assert!(!growth.with_factor(8, 0.99 * factor).unwrap().contains(50_000.0));
    }

    /// The straight line through 2 and 4 leads to 16 at k = 4; the bend of ln k! from its own
    /// straight line, 3 ln 2, is ln 24 - ln 8.
    #[test]
    fn two_counts_continue_on_a_straight_line_with_the_usual_bend() {
        let found = CountGrowth::of([(1, 2), (2, 4)]).at(4).unwrap();
        assert!((found.likely - 16.0 * 3f64.powf(0.6)).abs() < 1e-9, "{found:?}");
        assert!((found.high / found.likely - 3f64.powf(FACTOR)).abs() < 1e-9, "{found:?}");
    }
}
