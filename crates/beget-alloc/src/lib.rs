//! A global allocator with a region mode for snapshots of a subject's heap.
#![warn(missing_docs)]
