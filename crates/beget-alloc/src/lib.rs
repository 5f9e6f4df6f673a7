//! A global allocator with a region mode for snapshots of a subject's heap.
#![warn(missing_docs)]
#![deny(unsafe_op_in_unsafe_fn)]
#![allow(unsafe_code, reason = "an allocator hands out raw memory; the region also copies it")]

mod global;
mod live;
mod range;
mod region;
mod roots;
mod thread;
mod warm;
mod words;

pub use global::BegetAlloc;
pub use live::{LiveDelta, count_live};
pub use region::{BuildError, Image, Lost, Region, is_installed, pause};
pub use roots::{Escape, Place};
