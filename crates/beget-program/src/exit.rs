//! How the program ends.

use std::process::ExitCode;

use beget_plan::finding::StopReason;
use beget_plan::scope::Budget;

/// The exit codes. Scripts may rely on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// The command did its whole job and found nothing wrong.
    Done = 0,
    /// It found failures, or sets that differ. This wins over [`Exit::Stopped`]: a failure stands
    /// whatever was not explored. Misuse is no failure.
    Findings = 1,
    /// The input is wrong: arguments, scope file, suite, or the place to write to; or a bound of
    /// the scope left nothing to build. Nothing was written.
    Usage = 2,
    /// It stopped early, by a budget or an interrupt. What it has is written, marked incomplete.
    Stopped = 3,
    /// An error of beget itself, the system refused to write results, or the code under test ended
    /// the process.
    Internal = 4,
    /// A check found nothing, but its space is almost empty, or it is strict and has warnings.
    Thin = 5,
}

impl Exit {
    /// The exit with this code, of another process; an error of beget for any other.
    #[cfg(all(unix, feature = "cluster"))]
    pub(crate) fn of_code(code: u8) -> Exit {
        let all = [Exit::Done, Exit::Findings, Exit::Usage, Exit::Stopped, Exit::Thin];
        all.into_iter().find(|exit| *exit as u8 == code).unwrap_or(Exit::Internal)
    }

    /// How a run ends that found something wrong or not, and explored everything or not.
    pub(crate) fn of(has_findings: bool, is_complete: bool) -> Exit {
        match (has_findings, is_complete) {
            (true, _) => Exit::Findings,
            (false, true) => Exit::Done,
            (false, false) => Exit::Stopped,
        }
    }

    /// How a run of calls under a budget ends: a store that failed is an error, whatever was found
    /// before.
    pub(crate) fn of_run(reason: StopReason, budget: &Budget, has_findings: bool) -> Exit {
        match reason {
            StopReason::StoreFailed => Exit::Internal,
            _ => Exit::of(has_findings, reason.is_enough(budget)),
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
