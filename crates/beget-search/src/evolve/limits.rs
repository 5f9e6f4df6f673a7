//! The ranges of genes.

use std::ops::RangeInclusive;

/// Calls per test case.
pub(crate) const CALLS: RangeInclusive<u32> = 1..=100_000;

/// Value pools of a type.
pub(crate) const POOLS: RangeInclusive<usize> = 1..=16;

/// Values of a pool.
pub(crate) const VALUES: RangeInclusive<u32> = 1..=100_000;

/// The greatest weight of a method.
pub(crate) const MOST_WEIGHT: u32 = 1_000_000;
