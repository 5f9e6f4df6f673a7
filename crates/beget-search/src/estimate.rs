//! How counts go on that were taken at small scopes.
//!
//! The number of structures grows with k as a power, an exponential or a factorial does, or as
//! something between, and some numbers jump where k passes a power of two. No law is known
//! beforehand, so [`CountGrowth`] fits several [curves](self#how) to the logarithms of the counts,
//! asks how well each would have foretold the counts that are known, and weighs them by that. The
//! result is a [`ErrorBar`] with a likely value.
//!
//! ```
//! use beget_search::estimate::CountGrowth;
//!
//! // Binary trees of at most k nodes.
//! let counts = [(1, 2), (2, 4), (3, 9), (4, 23), (5, 65), (6, 197), (7, 626)];
//! let estimate = CountGrowth::of(counts).at(9).unwrap();
//! assert!(estimate.contains(6_918.0) && estimate.high < 1.25 * estimate.low);
//! ```
//!
//! # How
//!
//! With logarithms L of the counts, three shapes are fitted by least squares: L = a + bk through
//! the last two counts, L = a + bk + c ln k! through the last three and nearest to the last four,
//! L = a + bk + c ln k through the last three and nearest to the last five. The first is exact for
//! 2ⁿ, the second for n!, the third nearly so for Catalan numbers. The error of a curve is that of
//! its forecasts of the known counts, each from those before it, later ones with more weight; the
//! estimate is the mean of the curves, weighed by the inverse cubes of their errors.
//!
//! # The error bar
//!
//! It is as wide as what the curves got wrong, as what they differ by now, and as what is not known
//! yet where there are few counts. Its factor is such that nine of ten bars hold: on the counts of
//! Table 1 of the BEAPI paper, which `benchmarks/results/estimate.md` shows. That is an empirical
//! observation and proves nothing of other types.
//!
//! The crate knows numbers only: neither scopes nor runs.
mod bar;
mod curve;
mod growth;

pub use bar::ErrorBar;
pub use growth::{CONFIDENCE, CountGrowth, FACTOR};
