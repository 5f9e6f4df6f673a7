//! The four containers of the coverage experiments, with their marks.
//!
//! Visser, Pasareanu and Pelanek compare ways of choosing calls on them (ISSTA 2006), and so do
//! Pacheco, Lahiri, Ernst and Ball (ICSE 2007, §3.1 and Figure 5). Each keeps the points at which
//! the published class counts what is covered, and the fingerprints that it takes there: see
//! [`beget_process::coverage::CodeMarks`]. Points keep their published numbers, of which some do
//! not occur.
//!
//! Nodes lie in one vector and are linked by position. A position means nothing beyond that.
//! Taking a node out moves the last one into the gap.

pub mod binheap;
pub mod bintree;
pub mod fibheap;
pub mod treemap;

use beget::HasSuite;
use beget::suites::Suite;

/// The suites of these containers.
pub(crate) fn suites() -> Vec<Suite> {
    vec![
        bintree::BinTree::suite(),
        binheap::BinomialHeap::suite(),
        fibheap::FibHeap::suite(),
        treemap::TreeMap::suite(),
    ]
}

/// A fingerprint of bits, the first one the highest.
fn bits<const N: usize>(bits: [bool; N]) -> usize {
    bits.into_iter().fold(0, |sum, bit| sum * 2 + usize::from(bit))
}
