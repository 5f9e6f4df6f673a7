//! Extrapolation of counts from small scopes.
//!
//! The number of structures grows with k like a power, an exponential or a factorial, or something
//! between, and some numbers jump where k passes a power of two. No law is known beforehand. So
//! [`CountGrowth`] fits several [curves](self#how) to the logarithms of the counts, checks how well
//! each would have predicted the known counts, and weighs them by that. The result is an
//! [`ErrorBar`] with a likely value.
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
//! It is as wide as the errors of the curves, their current differences, and the uncertainty of
//! having few counts. Its factor is chosen so that nine of ten bars hold on the counts of Table 1
//! of the BEAPI paper, which `benchmarks/results/estimate.md` shows. That is an empirical
//! observation and proves nothing about other types.
//!
//! The module only knows numbers: neither scopes nor runs.
mod bar;
mod curve;
mod growth;

pub use bar::ErrorBar;
pub use growth::{CONFIDENCE, CountGrowth, FACTOR};
