//! The case studies: data structures of the Korat, Kiasan, ROOPS and FAJITA benchmarks, the
//! containers of the coverage experiments, a program from papers that compare input generators, and
//! others.
//!
//! Each module rebuilds one published class with ownership that suits Rust. The same calls reach
//! the same rooted heaps as the original. The module keeps the defects of the published class and
//! lists them, because a corrected case study no longer reaches the published numbers. Code common
//! to two benchmarks is in [`shared`]. Where the original throws an exception, the call returns an
//! error.
#![warn(missing_docs)]
#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "the case studies are code as users write it: none of the laws of the other crates"
)]

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

/// Returns the suites of all case studies, benchmark by benchmark.
pub fn suites() -> Vec<Suite> {
    let published = [roops::suites(), fajita::suites(), korat::suites(), kiasan::suites()];
    let others = [jpf::suites(), apache::suites(), ours::suites(), real::suites()];
    [published.concat(), others.concat(), paper::suites()].concat()
}

/// Returns the suites whose code has coverage marks, by name.
pub fn marks() -> Vec<(&'static str, &'static CodeMarks)> {
    vec![
        ("jpf::bintree", &jpf::bintree::MARKS),
        ("jpf::binheap", &jpf::binheap::MARKS),
        ("jpf::fibheap", &jpf::fibheap::MARKS),
        ("jpf::treemap", &jpf::treemap::MARKS),
        ("paper::triangle", &paper::triangle::MARKS),
    ]
}

/// Returns the suites that have repOKs, with their repOKs, benchmark by benchmark.
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
