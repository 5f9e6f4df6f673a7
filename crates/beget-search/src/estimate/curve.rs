//! Curves through the logarithms of counts.

/// A point: k, and the logarithm of a count.
pub(crate) type Point = (u32, f64);

/// The further term of a logarithm, besides a constant and a multiple of k.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bend {
    None,
    /// A multiple of ln k!: the count has factorials.
    Factorial,
    /// A multiple of ln k: the count has powers of k.
    Power,
}

/// A shape with the number of points that it is fitted to: the last ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GrowthCurve {
    bend: Bend,
    n_points: usize,
}

impl GrowthCurve {
    /// All curves in use. They were chosen on the counts of Table 1: each of them narrows the bars
    /// that hold, whereas ratios that grow linearly, squares of k, and both bends at once did not
    /// help.
    pub(crate) const ALL: [GrowthCurve; 5] = [
        GrowthCurve { bend: Bend::None, n_points: 2 },
        GrowthCurve { bend: Bend::Factorial, n_points: 3 },
        GrowthCurve { bend: Bend::Power, n_points: 3 },
        GrowthCurve { bend: Bend::Factorial, n_points: 4 },
        GrowthCurve { bend: Bend::Power, n_points: 5 },
    ];

    /// The number of points that it needs.
    pub(crate) fn n_points(self) -> usize {
        self.n_points
    }

    /// The logarithm at `k`. `None` if there are too few points.
    ///
    /// Invariant of `points`: by increasing k, none of them 0.
    pub(crate) fn at(self, points: &[Point], k: u32) -> Option<f64> {
        let from = points.len().checked_sub(self.n_points)?;
        let points = &points[from..];
        let last = points.last()?.0;
        // The unknowns are determined best around the last point.
        let terms = |at: u32| {
            let distance = f64::from(at) - f64::from(last);
            [1.0, distance, self.bend_at(at) - self.bend_at(last)]
        };
        let n_terms = if self.bend == Bend::None { 2 } else { 3 };
        let rows = points.iter().map(|&(at, log)| (terms(at), log));
        let coefficients = least_squares(rows, n_terms)?;
        Some(coefficients.iter().zip(terms(k)).map(|(one, term)| one * term).sum())
    }

    fn bend_at(self, k: u32) -> f64 {
        match self.bend {
            Bend::None => 0.0,
            Bend::Factorial => ln_factorial(k),
            Bend::Power => f64::from(k).ln(),
        }
    }
}

/// The largest k for which logarithms of factors are added up; beyond, Stirling's series is as
/// exact.
const ADDED_UP: u32 = 100;

/// ln k!
pub(crate) fn ln_factorial(k: u32) -> f64 {
    if k <= ADDED_UP {
        return (2..=k).map(|factor| f64::from(factor).ln()).sum();
    }
    let k = f64::from(k);
    let series = 1.0 / (12.0 * k) - 1.0 / (360.0 * k.powi(3));
    k * k.ln() - k + 0.5 * (std::f64::consts::TAU * k).ln() + series
}

/// The coefficients of the first `n` terms with the least sum of squared differences; the others
/// are 0. `None` if they are not determined.
fn least_squares(rows: impl Iterator<Item = ([f64; 3], f64)>, n: usize) -> Option<[f64; 3]> {
    // The normal equations, the right-hand side in the last column.
    let mut equations = [[0.0; 4]; 3];
    for (terms, value) in rows {
        for (equation, factor) in equations.iter_mut().zip(terms) {
            let columns = terms.into_iter().chain([value]);
            equation.iter_mut().zip(columns).for_each(|(cell, column)| *cell += factor * column);
        }
    }
    solve(&mut equations[..n], n)
}

/// Gauss's elimination, the largest pivot first.
fn solve(equations: &mut [[f64; 4]], n: usize) -> Option<[f64; 3]> {
    for column in 0..n {
        let size = |row: &usize| equations[*row][column].abs();
        let pivot = (column..n).max_by(|one, other| size(one).total_cmp(&size(other)))?;
        if size(&pivot) < 1e-12 {
            return None;
        }
        equations.swap(column, pivot);
        let chosen = equations[column];
        for (_, row) in equations.iter_mut().enumerate().filter(|(at, _)| *at != column) {
            let factor = row[column] / chosen[column];
            row.iter_mut().zip(chosen).for_each(|(cell, other)| *cell -= factor * other);
        }
    }
    let mut coefficients = [0.0; 3];
    for (at, (coefficient, row)) in coefficients.iter_mut().zip(&*equations).enumerate() {
        *coefficient = row[3] / row[at];
    }
    Some(coefficients)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXPONENTIAL: GrowthCurve = GrowthCurve::ALL[0];
    const FACTORIAL: GrowthCurve = GrowthCurve::ALL[1];
    const POWER: GrowthCurve = GrowthCurve::ALL[2];

    fn points(ks: std::ops::RangeInclusive<u32>, log: impl Fn(u32) -> f64) -> Vec<Point> {
        ks.map(|k| (k, log(k))).collect()
    }

    #[track_caller]
    fn assert_exact(
        curve: GrowthCurve,
        log: impl Fn(u32) -> f64,
        ks: std::ops::RangeInclusive<u32>,
    ) {
        let found = curve.at(&points(ks, &log), 20).unwrap();
        assert!((found - log(20)).abs() < 1e-8 * log(20), "{found} is not {}", log(20));
    }

    #[test]
    fn each_curve_goes_through_counts_of_its_shape() {
        let power = |k: u32| 7.0 * f64::from(k).ln();
        for (curve, shape) in [
            (EXPONENTIAL, &(|k: u32| f64::from(k) * 2f64.ln()) as &dyn Fn(u32) -> f64),
            (FACTORIAL, &ln_factorial),
            (POWER, &power),
        ] {
            assert_exact(curve, shape, 2..=7);
        }
        for curve in &GrowthCurve::ALL[1..] {
            assert_exact(*curve, |k| 3.0 + f64::from(k) * 5f64.ln(), 1..=9);
        }
        assert_exact(GrowthCurve::ALL[3], ln_factorial, 1..=9);
        assert_exact(GrowthCurve::ALL[4], power, 1..=9);
    }

    #[test]
    fn logarithms_of_factorials_are_exact_on_both_sides_of_the_border() {
        let added: f64 = (2..=120).map(|factor| f64::from(factor).ln()).sum();
        assert!((ln_factorial(120) - added).abs() < 1e-10 * added);
        assert!((ln_factorial(101) - ln_factorial(100) - 101_f64.ln()).abs() < 1e-10);
        assert!(ln_factorial(u32::MAX).is_finite());
    }

    #[test]
    fn gaps_between_points_do_not_matter() {
        let gaps: Vec<Point> = [1, 4, 9].into_iter().map(|k| (k, ln_factorial(k))).collect();
        assert!((FACTORIAL.at(&gaps, 12).unwrap() - ln_factorial(12)).abs() < 1e-9);
    }

    #[test]
    fn a_curve_of_three_unknowns_needs_three_points() {
        let two = points(1..=2, ln_factorial);
        assert_eq!(FACTORIAL.at(&two, 3), None);
        assert!(EXPONENTIAL.at(&two, 3).is_some());
        assert_eq!(EXPONENTIAL.at(&two[..1], 3), None);
    }

    /// More points than unknowns: the differences are orthogonal to each term.
    #[test]
    fn the_nearest_curve_leaves_the_least_squares() {
        let noisy = [(3, 1.0), (4, 2.5), (5, 3.0), (6, 5.5)];
        let curve = GrowthCurve::ALL[3];
        let left = noisy.map(|(k, log)| log - curve.at(&noisy, k).unwrap());
        for term in [|_| 1.0, |k| f64::from(k), ln_factorial as fn(u32) -> f64] {
            let product: f64 = noisy.iter().zip(left).map(|(&(k, _), left)| term(k) * left).sum();
            assert!(product.abs() < 1e-9, "{left:?}");
        }
    }

    /// Beyond ten million, the logarithms of three numbers in a row lie on a straight line.
    #[test]
    fn a_curve_whose_terms_cannot_be_separated_is_not_fitted() {
        let far = points(10_000_000..=10_000_002, f64::from);
        assert_eq!(POWER.at(&far, 10_000_003), None);
        assert!(EXPONENTIAL.at(&far, 10_000_003).is_some());
    }
}
