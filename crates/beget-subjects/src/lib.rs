//! The case studies: data structures of the Korat, Kiasan, ROOPS and FAJITA benchmarks, the
//! containers of the coverage experiments, a program on which input generators are compared, and
//! others.
//!
//! Each module rebuilds one published class with ownership that suits Rust, so that the same calls
//! reach the same rooted heaps as the original. Defects of the published class are kept, and the
//! module lists them: a case study whose defect is fixed no longer reaches the published numbers.
//! Code common to two benchmarks is in [`shared`]. A call that throws an exception in the original
//! returns an error.
#![warn(missing_docs)]

pub mod apache;
pub mod fajita;
pub mod jpf;
pub mod kiasan;
pub mod korat;
pub mod ours;
pub mod paper;
pub mod real;
pub mod roops;
pub mod shared;

mod checked;
mod misuse;
#[cfg(test)]
mod testing;

pub use checked::SuiteRepOks;
pub use misuse::Misuse;

use beget::suites::Suite;
use beget_process::coverage::CodeMarks;

/// The suites of all case studies, benchmark by benchmark.
pub fn suites() -> Vec<Suite> {
    let published = [roops::suites(), fajita::suites(), korat::suites(), kiasan::suites()];
    let others = [jpf::suites(), apache::suites(), ours::suites(), real::suites()];
    [published.concat(), others.concat(), paper::suites()].concat()
}

/// The suites with marks in their code, by name.
pub fn marks() -> Vec<(&'static str, &'static CodeMarks)> {
    vec![
        ("jpf::bintree", &jpf::bintree::MARKS),
        ("jpf::binheap", &jpf::binheap::MARKS),
        ("jpf::fibheap", &jpf::fibheap::MARKS),
        ("jpf::treemap", &jpf::treemap::MARKS),
        ("paper::triangle", &paper::triangle::MARKS),
    ]
}

/// The suites that have repOKs, with these, benchmark by benchmark.
pub fn subjects() -> Vec<SuiteRepOks> {
    let benchmarks = [
        roops::subjects(),
        fajita::subjects(),
        korat::subjects(),
        kiasan::subjects(),
        ours::subjects(),
    ];
    benchmarks.into_iter().flatten().collect()
}
