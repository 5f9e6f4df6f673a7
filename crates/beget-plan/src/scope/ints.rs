//! The ranges of the integers in structures that a scope implies.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use beget_heap::EXTREME_INTS;

/// The range of the integers in structures that a scope implies if it sets none: that of its
/// integer literals, widened by its counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DerivedInts {
    /// Zero and the literals.
    pub literals: RangeInclusive<i128>,
    /// The number of additional values at both ends: the largest of k and the bounds of objects and
    /// arrays.
    pub margin: u32,
    /// Literals beside those of the scope. Each gets a range around it, like the constants that
    /// constructors leave.
    pub beside: BTreeSet<i128>,
}

impl DerivedInts {
    /// The ranges if constructors leave the integers `constructed`: a constant does not count as
    /// growth. The extremes of integer types need no range.
    pub fn ranges(&self, constructed: &BTreeSet<i128>) -> Vec<RangeInclusive<i128>> {
        let constants =
            constructed.union(&self.beside).filter(|value| !EXTREME_INTS.contains(value));
        let all =
            std::iter::once(self.literals.clone()).chain(constants.map(|&value| value..=value));
        let mut ranges: Vec<RangeInclusive<i128>> = Vec::new();
        for range in all.map(|range| wider(&range, self.margin)) {
            match ranges.iter_mut().find(|known| is_joined(known, &range)) {
                Some(known) => {
                    *known =
                        (*known.start()).min(*range.start())..=(*known.end()).max(*range.end());
                }
                None => ranges.push(range),
            }
        }
        ranges
    }
}

/// `range` with `margin` more values at both ends.
pub(crate) fn wider(range: &RangeInclusive<i128>, margin: u32) -> RangeInclusive<i128> {
    let margin = i128::from(margin);
    range.start().saturating_sub(margin)..=range.end().saturating_add(margin)
}

/// Returns whether two ranges have a value in common or touch.
fn is_joined(first: &RangeInclusive<i128>, second: &RangeInclusive<i128>) -> bool {
    *first.start() <= second.end().saturating_add(1)
        && *second.start() <= first.end().saturating_add(1)
}
