//! The exit codes.

use std::process::ExitCode;

use beget_plan::finding::StopReason;
use beget_plan::scope::Budget;

/// The exit codes. Scripts may rely on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// The command did its whole job and found nothing wrong.
    Done = 0,
    /// It found failures, or sets that differ. This takes precedence over [`Exit::Stopped`],
    /// because a failure counts even in an incomplete run. Misuse is no failure.
    Findings = 1,
    /// The input is wrong: arguments, scope file, suite, or output path; or a bound of the scope
    /// left nothing to build. Nothing was written.
    Usage = 2,
    /// It stopped early, by a budget or an interrupt. Its results are written and marked
    /// incomplete.
    Stopped = 3,
    /// An internal error, results could not be written, or the code under test ended the process.
    Internal = 4,
    /// A check found nothing, but its space is almost empty, or it is strict and has warnings.
    Thin = 5,
}

impl Exit {
    /// The exit with the code of another process; unknown codes are internal errors.
    #[cfg(unix)]
    pub fn of_code(code: u8) -> Exit {
        let all = [Exit::Done, Exit::Findings, Exit::Usage, Exit::Stopped, Exit::Thin];
        all.into_iter().find(|exit| *exit as u8 == code).unwrap_or(Exit::Internal)
    }

    /// The exit of a run, by its failures and by its completeness.
    pub fn of(has_findings: bool, is_complete: bool) -> Exit {
        match (has_findings, is_complete) {
            (true, _) => Exit::Findings,
            (false, true) => Exit::Done,
            (false, false) => Exit::Stopped,
        }
    }

    /// The exit of a run of calls under a budget. A failed store is an error even after findings.
    pub fn of_run(reason: StopReason, budget: &Budget, has_findings: bool) -> Exit {
        match reason {
            StopReason::StoreFailed => Exit::Internal,
            _ => Exit::of(has_findings, reason.is_enough(budget)),
        }
    }
}

/// Shows help, or an error of the arguments, and returns the exit.
pub fn show_usage(message: &clap::Error) -> Exit {
    // A closed pipe is the reader's choice, not an error.
    let _ = message.print();
    if message.use_stderr() { Exit::Usage } else { Exit::Done }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
