//! Time and memory of this process.

use std::time::Instant;

use crate::records::{Measures, ResourceUse};

/// A point in time, to measure from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    wall: Instant,
    cpu_seconds: f64,
}

impl Start {
    pub(crate) fn now() -> Self {
        Start { wall: Instant::now(), cpu_seconds: cpu_seconds() }
    }

    /// Fills in what was used since.
    pub(crate) fn measure(&self, measures: Measures) -> Measures {
        let ResourceUse { seconds, cpu_seconds, peak_rss_bytes } = self.spent();
        Measures { seconds, cpu_seconds, peak_rss_bytes, ..measures }
    }

    /// Returns the resources used since the start.
    pub(crate) fn spent(&self) -> ResourceUse {
        ResourceUse {
            seconds: self.seconds(),
            cpu_seconds: (cpu_seconds() - self.cpu_seconds).max(0.0),
            peak_rss_bytes: peak_rss_bytes(),
        }
    }

    /// Returns the user and system time since the start, if the system has it.
    pub(crate) fn cpu_seconds(&self) -> Option<f64> {
        cfg!(unix).then(|| (cpu_seconds() - self.cpu_seconds).max(0.0))
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.wall.elapsed().as_secs_f64()
    }
}

#[cfg(unix)]
mod usage {
    use nix::sys::resource::{Usage, UsageWho, getrusage};
    use nix::sys::time::TimeValLike;

    /// User and system time of all threads, and of the workers that have ended.
    pub(super) fn cpu_seconds() -> f64 {
        let micros = |usage: Usage| (usage.user_time() + usage.system_time()).num_microseconds();
        let of = |who| getrusage(who).map_or(0.0, |usage| micros(usage) as f64 / 1e6);
        of(UsageWho::RUSAGE_SELF) + of(UsageWho::RUSAGE_CHILDREN)
    }

    pub(super) fn peak_rss_bytes() -> u64 {
        // Linux counts in KiB, the BSDs and their kin in bytes.
        let unit = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
        getrusage(UsageWho::RUSAGE_SELF).map_or(0, |usage| usage.max_rss().unsigned_abs() * unit)
    }
}

#[cfg(not(unix))]
mod usage {
    pub(super) fn cpu_seconds() -> f64 {
        0.0
    }

    pub(super) fn peak_rss_bytes() -> u64 {
        0
    }
}

use usage::{cpu_seconds, peak_rss_bytes};

/// Returns the memory that the process holds now, if the system has it.
pub(crate) fn rss_bytes() -> Option<u64> {
    beget_run::resident_bytes(|path| std::fs::read_to_string(path).ok())
}

/// Returns whether a debugger is attached: then calls may take any time.
pub(crate) fn is_debugged() -> bool {
    beget_run::is_debugged(|path| std::fs::read_to_string(path).ok())
}
