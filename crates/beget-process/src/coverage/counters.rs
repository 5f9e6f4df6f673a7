//! LLVM's counters: one for each region of the code that was compiled with
//! `-C instrument-coverage`.
//!
//! The flag works on stable, and links a runtime that keeps the counters in the memory of the
//! process; this module reads them there. Their meaning is in the coverage map of the program,
//! which is not read: a search needs only their number. Generic code has counters where it is
//! instantiated, so compile both a subject and its suite with the flag:
//!
//! ```console
//! $ RUSTFLAGS="-C instrument-coverage" LLVM_PROFILE_FILE=/dev/null cargo run
//! ```

use crate::coverage::Coverage;

/// All counters of the program.
#[derive(Clone, Copy, Debug)]
pub struct RegionCounters(());

impl RegionCounters {
    /// The counters, if the program has any.
    pub fn of_this_program() -> Option<Self> {
        cfg!(instrumented).then_some(RegionCounters(()))
    }
}

impl Coverage for RegionCounters {
    fn unit(&self) -> &'static str {
        "regions"
    }

    /// Takes time linear in the number of counters.
    fn covered(&self) -> usize {
        runtime::values().filter(|&value| value != 0).count()
    }

    fn known(&self) -> Option<usize> {
        Some(runtime::values().count())
    }

    fn reset(&self) {
        runtime::reset();
    }
}

#[cfg(instrumented)]
#[allow(unsafe_code, reason = "the counters are memory of the profiling runtime")]
mod runtime {
    unsafe extern "C" {
        safe fn __llvm_profile_begin_counters() -> *mut u64;
        safe fn __llvm_profile_end_counters() -> *mut u64;
        safe fn __llvm_profile_reset_counters();
    }

    /// The values of all counters. Other threads may count meanwhile.
    pub(super) fn values() -> impl Iterator<Item = u64> {
        let (begin, end) = (__llvm_profile_begin_counters(), __llvm_profile_end_counters());
        // SAFETY: both are ends of the one section of the program that holds the counters.
        let n_counters = usize::try_from(unsafe { end.offset_from(begin) }).unwrap_or(0);
        // SAFETY: inside the section. Instrumented code counts by plain writes to it, which a
        // volatile read meets, as in LLVM's own runtime when it writes the profile.
        (0..n_counters).map(move |i| unsafe { begin.add(i).read_volatile() })
    }

    pub(super) fn reset() {
        __llvm_profile_reset_counters();
    }
}

#[cfg(not(instrumented))]
mod runtime {
    pub(super) fn values() -> impl Iterator<Item = u64> {
        std::iter::empty()
    }

    pub(super) fn reset() {}
}
