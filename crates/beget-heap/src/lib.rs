//! Rooted heaps: walking, canonical forms, decoding, graphs.
#![warn(missing_docs)]
