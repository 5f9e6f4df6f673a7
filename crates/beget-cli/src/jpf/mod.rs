//! The four containers of the coverage experiments, with their marks.
//!
//! Visser, Pasareanu and Pelanek use them to compare ways of choosing calls (ISSTA 2006), and so do
//! Pacheco, Lahiri, Ernst and Ball (ICSE 2007, §3.1 and Figure 5). Each container keeps the points
//! at which the published class counts coverage, and the fingerprints that it takes there: see
//! [`beget_process::coverage::CodeMarks`]. Points keep their published numbers, some of which do
//! not occur.
//!
//! The nodes lie in one vector, and links are positions in it. A position has no other meaning.
//! Removing a node moves the last node into the gap.

pub mod binheap;
pub mod bintree;
pub mod fibheap;
pub mod treemap;

use beget::HasSuite;
use beget::suites::Suite;

/// Returns the suites of these containers.
pub(crate) fn suites() -> Vec<Suite> {
    vec![
        bintree::BinTree::suite(),
        binheap::BinomialHeap::suite(),
        fibheap::FibHeap::suite(),
        treemap::TreeMap::suite(),
    ]
}

/// Packs bits into a fingerprint, the first one as the highest bit.
fn bits<const N: usize>(bits: [bool; N]) -> usize {
    bits.into_iter().fold(0, |sum, bit| sum * 2 + usize::from(bit))
}
