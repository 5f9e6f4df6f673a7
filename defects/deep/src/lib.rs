//! Published defects of data structures that no small scope has: a node must split, a bucket be
//! full. Random runs find them, and minimise the calls.
//!
//! Each module is one defect, as in the directory above: what is published of it, the version that
//! has it, the first without it, and the text with which beget finds it. The tests run the text on
//! both, and exhaust a small scope of it, which shows nothing.
#![allow(missing_docs, reason = "modules say what they are on top of their files")]

pub mod deep_defect;
#[path = "../../src/run.rs"]
pub mod run;

pub use deep_defect::DeepDefect;

mod im_ord_map;
mod kiddo_nearest;
mod kiddo_remove;

/// All defects.
pub const DEFECTS: [&DeepDefect; 3] =
    [&im_ord_map::DEFECT, &kiddo_nearest::DEFECT, &kiddo_remove::DEFECT];

/// The results have the calls that are found.
#[test]
#[cfg(not(feature = "fixed"))]
fn the_results_show_what_is_found() {
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let results = squeezed(include_str!("../../../benchmarks/results/deep_defects.md"));
    for defect in DEFECTS {
        let found = (defect.random)();
        let calls = &defect.find(&found).recipe;
        assert!(results.contains(&squeezed(calls)), "{}:\n{calls}", defect.old);
    }
}
