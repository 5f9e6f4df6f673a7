//! A run as a file of Rust tests: one for each structure, which asserts what its calls return, and
//! one for each failure, which fails.

mod assertion;
mod benches;
mod file;
mod layout;
mod regressions;

pub use benches::BenchFile;
pub use file::{TestFile, TestPlace, is_written_by_beget};
pub use regressions::RegressionTests;
