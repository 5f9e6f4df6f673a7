//! Limits of time and memory.

use std::time::Duration;

use crate::scope::Budget;

use crate::finding::StopReason;

/// The limits of a run that cannot be counted in calls or structures.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Most seconds of wall time.
    pub max_seconds: Option<f64>,
    /// Most memory of the process, in MiB.
    pub max_memory_mib: Option<u64>,
}

impl From<Budget> for Limits {
    fn from(budget: Budget) -> Self {
        let Budget { max_seconds, max_memory_mib, .. } = budget;
        Limits { max_seconds, max_memory_mib }
    }
}

impl Limits {
    /// Returns the reason to stop a run that has taken `seconds` and holds `memory_bytes`.
    ///
    /// The functions are called only if there is a limit, because measuring may be costly.
    pub fn stop_reason(
        &self,
        seconds: impl FnOnce() -> f64,
        memory_bytes: impl FnOnce() -> u64,
    ) -> Option<StopReason> {
        if let Some(most) = self.max_seconds
            && seconds() >= most
        {
            let milliseconds = (most * 1000.0).round() as u64;
            return Some(StopReason::MaxSeconds(Duration::from_millis(milliseconds)));
        }
        let most = self.max_memory_mib?;
        let is_over = memory_bytes() >= most.saturating_mul(1 << 20);
        is_over.then_some(StopReason::MaxMemory(most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_reached_when_it_is_met_and_time_comes_first() {
        let limits = Limits { max_seconds: Some(1.5), max_memory_mib: Some(2) };
        let time = Some(StopReason::MaxSeconds(Duration::from_millis(1500)));
        assert_eq!(limits.stop_reason(|| 1.499, || (2 << 20) - 1), None);
        assert_eq!(limits.stop_reason(|| 1.499, || 2 << 20), Some(StopReason::MaxMemory(2)));
        assert_eq!(limits.stop_reason(|| 1.5, || 2 << 20), time);
        assert_eq!(time.map(|time| time.to_string()).as_deref(), Some("the time of 1.5 s is up"));
    }

    #[test]
    fn what_has_no_limit_is_not_measured() {
        let limits = Limits::default();
        assert_eq!(limits.stop_reason(|| unreachable!(), || unreachable!()), None);
    }
}
