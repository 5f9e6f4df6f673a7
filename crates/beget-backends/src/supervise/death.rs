//! The causes of a worker's death, and their meaning for the call in progress.

use std::process::ExitStatus;

use beget_plan::finding::{Kind, Problem};
use beget_process::guard::{CallInProgress, is_std_place, short_place};
use beget_run::random::CALL_OR_QUESTION;

use crate::supervise::limits::{CallLimits, PassedLimit};

/// The end of a worker that should have sent a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WorkerEnd {
    /// By itself, or by a signal.
    Status(ExitStatus),
    /// It was killed, because its call passed a limit.
    Stopped(PassedLimit),
    /// It sent a malformed message.
    Garbled(String),
}

/// The end of a worker, within a block.
#[derive(Clone, Debug)]
pub(crate) struct Death {
    pub(crate) end: WorkerEnd,
    /// The call in progress; `None` if it had not begun the block.
    pub(crate) at: Option<CallInProgress>,
    /// Its last output.
    pub(crate) printed: Vec<u8>,
}

/// The cause of a death.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Culprit {
    /// Unrelated to the worker's task.
    Unknown,
    Call,
    /// Making, copying or dropping the structures for calls.
    Structure,
    /// Walking what a call left.
    Walk,
    /// Other work, in words: on a call that is over, or asking an oracle.
    Work(String),
}

impl Culprit {
    fn text(&self) -> &str {
        match self {
            Culprit::Unknown => "something",
            Culprit::Call => "the call",
            Culprit::Structure => "making, copying or dropping the structure",
            Culprit::Walk => "walking what the call left",
            Culprit::Work(activity) => activity,
        }
    }
}

impl Death {
    /// Returns the problem that the death shows.
    pub(crate) fn problem(&self, culprit: &Culprit, limits: &CallLimits) -> Problem {
        let problem = self.problem_of(culprit.text(), limits);
        match culprit {
            Culprit::Structure | Culprit::Walk if problem.kind == Kind::Hang => {
                Problem::left_out(culprit.text())
            }
            Culprit::Structure | Culprit::Walk if problem.kind == Kind::Memory => {
                Problem { kind: Kind::LeftOut, ..problem }
            }
            Culprit::Unknown
            | Culprit::Call
            | Culprit::Structure
            | Culprit::Walk
            | Culprit::Work(_) => problem,
        }
    }

    fn problem_of(&self, what: &str, limits: &CallLimits) -> Problem {
        match &self.end {
            WorkerEnd::Stopped(PassedLimit::Time) => {
                Problem::new(Kind::Hang, format!("{what} does not return: it was stopped"))
            }
            WorkerEnd::Stopped(PassedLimit::Memory) => {
                let most = limits.memory_mib;
                let text = format!("{what} takes more than {most} MiB of memory: it was stopped");
                Problem::new(Kind::Memory, text)
            }
            WorkerEnd::Garbled(reason) => {
                let text = format!("{what} disturbed the process that made it: {reason}");
                Problem::new(Kind::Crash, text)
            }
            WorkerEnd::Status(status) => crash(what, *status, &last_words(&self.printed)),
        }
    }
}

/// The problem of a call of a random run whose process ended so, and printed this.
pub fn problem_of_exit(status: ExitStatus, printed: &[u8]) -> Problem {
    crash(CALL_OR_QUESTION, status, &last_words(printed))
}

/// The problem of a call of a random run that was stopped because it passed a limit: of memory, or
/// of time.
pub fn problem_of_limit(memory_mib: Option<u64>) -> Problem {
    let passed = if memory_mib.is_some() { PassedLimit::Memory } else { PassedLimit::Time };
    let limits = CallLimits { time: None, memory_mib: memory_mib.unwrap_or_default() };
    let death = Death { end: WorkerEnd::Stopped(passed), at: None, printed: Vec::new() };
    death.problem(&Culprit::Work(CALL_OR_QUESTION.to_owned()), &limits)
}

fn crash(what: &str, status: ExitStatus, words: &LastWords) -> Problem {
    if words.is_stack_overflow {
        return Problem::new(Kind::Crash, format!("{what} overflowed the stack"));
    }
    let how = match status.code() {
        Some(code) => format!("{what} ended the process with exit code {code}"),
        None => format!("{what} ended the process by {}", signal_name(status)),
    };
    let said = match (&words.panics[..], &words.line) {
        ([], None) => String::new(),
        ([], Some(line)) => format!(": {line}"),
        (panics, _) => format!(": {}", panics.join("; then ")),
    };
    Problem::new(Kind::Crash, how + &said)
}

/// Returns the name of the signal that ended a process, such as SIGSEGV.
fn signal_name(status: ExitStatus) -> String {
    // `signal: 11 (SIGSEGV) (core dumped)`, with the names of this system.
    let text = status.to_string();
    let name = text.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
    name.map_or_else(|| text.clone(), |(name, _)| name.to_owned())
}

/// A process's last output about its own end.
#[derive(Debug, Default, PartialEq, Eq)]
struct LastWords {
    is_stack_overflow: bool,
    /// The last two panics.
    panics: Vec<String>,
    /// The last line of other output.
    line: Option<String>,
}

/// The greatest number of characters of a line or a message.
const MOST: usize = 200;

fn last_words(printed: &[u8]) -> LastWords {
    let text = String::from_utf8_lossy(printed);
    let mut words = LastWords::default();
    let mut lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    while let Some(line) = lines.next() {
        if line.starts_with("thread '") && line.ends_with(" has overflowed its stack") {
            words.is_stack_overflow = true;
        } else if let Some(place) = place_of_panic(line) {
            // As the hook of the standard library prints it: the message follows.
            words.panics.extend(panic_line(place, lines.next().unwrap_or_default()));
        } else if let Some(rest) = line.strip_prefix("panicked at ") {
            words.panics.extend(rest.split_once(": ").and_then(|(at, said)| panic_line(at, said)));
        } else if !is_of_the_standard_library(line) {
            words.line = Some(line.chars().take(MOST).collect());
        }
    }
    // A panic that was caught before the last call has nothing to do with the end.
    let is_double = text.contains("aborting.");
    words.panics = match is_double {
        true => words.panics.split_off(words.panics.len().saturating_sub(2)),
        false => Vec::new(),
    };
    words
}

/// The place of a panic whose message is on the next line.
fn place_of_panic(line: &str) -> Option<&str> {
    let (_, rest) = line.strip_prefix("thread '")?.split_once("' ")?;
    rest.split_once("panicked at ")?.1.strip_suffix(':')
}

/// The panic without what says no more than the one before it, or nothing that helps: that there
/// was a panic where none may be, and a place in the standard library.
fn panic_line(place: &str, message: &str) -> Option<String> {
    const CONSEQUENCES: [&str; 2] =
        ["panic in a function that cannot unwind", "panic in a destructor during cleanup"];
    if CONSEQUENCES.iter().any(|consequence| message.ends_with(consequence)) {
        return None;
    }
    let message: String = message.chars().take(MOST).collect();
    Some(if is_std_place(place) {
        message
    } else {
        format!("panicked at {}: {message}", short_place(place))
    })
}

/// Returns whether the line says no more than the signal does.
fn is_of_the_standard_library(line: &str) -> bool {
    line == "fatal runtime error: stack overflow, aborting"
        || line.starts_with("thread caused non-unwinding panic")
        || line.starts_with("thread panicked while processing panic")
        || line.starts_with("note: run with `RUST_BACKTRACE")
        || line.starts_with("stack backtrace:")
        || line.starts_with("This indicates a bug in the program. This Undefined Behavior check")
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;

    use super::*;

    #[track_caller]
    fn check(end: WorkerEnd, printed: &str, kind: Kind, message: &str) {
        let death = Death { end, at: None, printed: printed.into() };
        let problem = death.problem(&Culprit::Call, &CallLimits::default());
        assert_eq!((problem.kind.clone(), &*problem.message), (kind, message));
    }

    /// Work left out makes a run incomplete, which depends on the kind of finding.
    #[test]
    fn what_is_not_a_call_and_passes_a_limit_is_left_out() {
        for culprit in [Culprit::Structure, Culprit::Walk] {
            let problem = |end| {
                let death = Death { end, at: None, printed: Vec::new() };
                death.problem(&culprit, &CallLimits::default())
            };
            let late = problem(WorkerEnd::Stopped(PassedLimit::Time));
            assert_eq!(late.kind, Kind::LeftOut);
            let what = culprit.text();
            let message =
                format!("{what} takes too long: it was stopped, and is left out of the run");
            assert_eq!(&*late.message, message);
            assert_eq!(problem(WorkerEnd::Stopped(PassedLimit::Memory)).kind, Kind::LeftOut);
            let died = WorkerEnd::Status(ExitStatus::from_raw(11));
            assert_eq!(problem(died).kind, Kind::Crash);
        }
    }

    /// They say no more than the signal does.
    #[test]
    fn lines_of_the_standard_library_are_no_last_words() {
        for line in [
            "fatal runtime error: stack overflow, aborting",
            "thread caused non-unwinding panic. Aborting",
            "thread panicked while processing panic. Aborting",
            "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
            "stack backtrace:",
        ] {
            let abort = WorkerEnd::Status(ExitStatus::from_raw(6));
            let message = "the call ended the process by SIGABRT: so far";
            check(abort, &format!("so far\n{line}\n"), Kind::Crash, message);
        }
        // Only a thread says that its stack has overflowed.
        for line in ["my thread 'a' has overflowed its stack", "thread 'a' has died"] {
            let abort = WorkerEnd::Status(ExitStatus::from_raw(6));
            let message = format!("the call ended the process by SIGABRT: {line}");
            check(abort, line, Kind::Crash, &message);
        }
    }

    #[test]
    fn a_death_says_how_and_what_was_said_last() {
        let by = |signal| WorkerEnd::Status(ExitStatus::from_raw(signal));
        check(by(11), "", Kind::Crash, "the call ended the process by SIGSEGV");
        check(by(6), "", Kind::Crash, "the call ended the process by SIGABRT");
        check(
            by(0x86),
            "so far\nmalloc(): corrupted top size\n",
            Kind::Crash,
            "the call ended the process by SIGABRT: malloc(): corrupted top size",
        );
        check(
            by(6),
            "thread '<unnamed>' (4711) has overflowed its stack\nfatal runtime error: stack overflow, aborting\n",
            Kind::Crash,
            "the call overflowed the stack",
        );
        check(
            by(6),
            "panicked at a.rs:1:2: zero\npanicked at a.rs:3:4: one\npanicked at a.rs:5:6: two\n\
             panicked at /rustc/1/panicking.rs:2:5: panic in a destructor during cleanup\n\
             thread caused non-unwinding panic. aborting.\n",
            Kind::Crash,
            "the call ended the process by SIGABRT: panicked at a.rs:3:4: one; then panicked at a.rs:5:6: two",
        );
        // The place is that in the crate, and the message is whole.
        let place =
            "/home/a/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/b-1.0.0/src/lib.rs:1:2";
        let message = "m".repeat(MOST);
        check(
            by(6),
            &format!(
                "panicked at {place}: {message}\nthread caused non-unwinding panic. aborting.\n"
            ),
            Kind::Crash,
            &format!(
                "the call ended the process by SIGABRT: panicked at b-1.0.0/src/lib.rs:1:2: {message}"
            ),
        );
        // What is wrong is on the first line.
        check(
            by(6),
            "panicked at /rustc/1/library/core/src/ub_checks.rs:1:2: unsafe precondition(s) violated: a\n\n\
             This indicates a bug in the program. This Undefined Behavior check is optional.\n\
             thread caused non-unwinding panic. aborting.\n",
            Kind::Crash,
            "the call ended the process by SIGABRT: unsafe precondition(s) violated: a",
        );
        check(
            by(6),
            "\nthread '<unnamed>' (12) panicked at a.rs:1:2:\nthe first line\nand the second\n\
             note: run with `RUST_BACKTRACE=1`\n\n\
             thread '<unnamed>' (12) panicked at library/core/src/panicking.rs:2:5:\n\
             panic in a function that cannot unwind\nstack backtrace:\n\
             thread caused non-unwinding panic. aborting.\n",
            Kind::Crash,
            "the call ended the process by SIGABRT: panicked at a.rs:1:2: the first line",
        );
        check(by(3 << 8), "", Kind::Crash, "the call ended the process with exit code 3");
        check(
            WorkerEnd::Stopped(PassedLimit::Time),
            "tick\n",
            Kind::Hang,
            "the call does not return: it was stopped",
        );
        check(
            WorkerEnd::Stopped(PassedLimit::Memory),
            "",
            Kind::Memory,
            "the call takes more than 4096 MiB of memory: it was stopped",
        );
    }
}
