//! State of the whole process, and nearly all unsafe code.
//!
//! - [`alloc`]: the allocator that a program may install, and the region in which calls are made.
//! - [`guard`]: panics of a subject's code, and the call that each thread makes.
//! - [`coverage`]: what calls cover, by marks or by LLVM's counters.
//!
//! It knows nothing of the rest of beget.

pub mod alloc;
pub mod coverage;
pub mod guard;

/// True if this crate is compiled with optimisation. Then the others of beget are, too, as a rule.
pub const IS_OPTIMISED: bool = !cfg!(unoptimised);
