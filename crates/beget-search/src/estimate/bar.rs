//! Uncertain numbers.

/// A number with bounds that contain it in nine of ten cases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorBar {
    /// The lower bound. Invariant: 0 ≤ `low` ≤ `likely` ≤ `high`.
    pub low: f64,
    /// The expected value.
    pub likely: f64,
    /// The upper bound.
    pub high: f64,
}

impl ErrorBar {
    /// A known number.
    pub fn exact(number: f64) -> ErrorBar {
        ErrorBar { low: number, likely: number, high: number }
    }

    /// A number that may be wrong by a factor of `e^error` either way.
    pub fn around(number: f64, error: f64) -> ErrorBar {
        ErrorBar { low: number * (-error).exp(), likely: number, high: number * error.exp() }
    }

    /// Returns whether the number lies between the bounds, up to rounding.
    pub fn contains(&self, number: f64) -> bool {
        let slack = 1e-9 * number.abs();
        (self.low - slack..=self.high + slack).contains(&number)
    }

    /// The product of two numbers with independent errors.
    #[must_use]
    pub fn times(&self, other: &ErrorBar) -> ErrorBar {
        let likely = self.likely * other.likely;
        if likely <= 0.0 {
            return ErrorBar { low: 0.0, likely, high: self.high * other.high };
        }
        let both = |one: f64, other: f64| one.ln().hypot(other.ln()).exp();
        let below = both(self.likely / self.low, other.likely / other.low);
        let above = both(self.high / self.likely, other.high / other.likely);
        ErrorBar { low: likely / below, likely, high: likely * above }
    }

    /// The same with another unit.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> ErrorBar {
        ErrorBar { low: self.low * factor, likely: self.likely * factor, high: self.high * factor }
    }

    /// The sum with a known number.
    #[must_use]
    pub fn plus(&self, number: f64) -> ErrorBar {
        ErrorBar { low: self.low + number, likely: self.likely + number, high: self.high + number }
    }

    /// The same number, known to be at least `least`.
    #[must_use]
    pub fn at_least(&self, least: f64) -> ErrorBar {
        ErrorBar {
            low: self.low.max(least),
            likely: self.likely.max(least),
            high: self.high.max(least),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn independent_errors_add_up_by_their_squares() {
        let product = ErrorBar::around(10.0, 0.3).times(&ErrorBar::around(2.0, 0.4));
        assert!(
            (product.high / ErrorBar::around(20.0, 0.5).high - 1.0).abs() < 1e-12,
            "{product:?}"
        );
        assert!((product.low / ErrorBar::around(20.0, 0.5).low - 1.0).abs() < 1e-12, "{product:?}");
        assert_eq!(ErrorBar::exact(3.0).times(&ErrorBar::exact(4.0)), ErrorBar::exact(12.0));
        assert_eq!(ErrorBar::exact(0.0).times(&ErrorBar::around(4.0, 1.0)), ErrorBar::exact(0.0));
    }

    #[test]
    fn a_number_that_may_be_nothing_has_the_bounds_of_its_product() {
        let nothing = ErrorBar { low: 0.0, likely: 0.0, high: 3.0 };
        let product = ErrorBar { low: 0.0, likely: 0.0, high: 12.0 };
        assert_eq!(nothing.times(&ErrorBar::exact(4.0)), product);
        assert_eq!(nothing.plus(2.0), ErrorBar { low: 2.0, likely: 2.0, high: 5.0 });
        assert_eq!(nothing.scaled(2.0), ErrorBar { low: 0.0, likely: 0.0, high: 6.0 });
    }

    #[test]
    fn what_was_seen_is_the_least_that_there_is() {
        let range = ErrorBar::around(100.0, 1.0).at_least(50.0);
        assert_eq!((range.low, range.likely), (50.0, 100.0));
        assert_eq!(ErrorBar::around(10.0, 0.1).at_least(50.0), ErrorBar::exact(50.0));
    }

    #[test]
    fn a_known_number_contains_itself_only() {
        let known = ErrorBar::exact(0.1 + 0.2);
        assert!(known.contains(0.3) && !known.contains(0.300_001));
    }

    #[test]
    fn another_unit_changes_all_three_numbers() {
        let bar = ErrorBar { low: 1.0, likely: 2.0, high: 3.0 };
        assert_eq!(bar.scaled(2.0), ErrorBar { low: 2.0, likely: 4.0, high: 6.0 });
    }

    /// Sums of large numbers are rounded by more than those of small ones.
    #[test]
    fn rounding_is_relative_to_the_number() {
        let known = ErrorBar::exact(1e6);
        assert!(known.contains(1e6 + 1e-4) && !known.contains(1e6 + 0.1));
    }
}
