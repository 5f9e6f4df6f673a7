//! Output to stdout and stderr.

use std::io::{ErrorKind, Write};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use beget_args::cli::SummaryFormat;
use beget_args::style::{self, ERROR, GOOD, NOTE, WARNING, markup};
use beget_plan::scope::Diagnostic;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use crate::error::CliError;
use crate::watchdog::one_line;
use crate::{Exit, stdout};

/// Writes a result to stdout. A closed pipe is no error.
pub(crate) fn result(text: &str) -> Result<(), CliError> {
    match stdout::write(text) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

/// Writes a summary to stdout, as JSON or as `text`. The last line of a text, the verdict, has the
/// colour of the exit code.
pub(crate) fn summary(
    format: SummaryFormat,
    summary: &impl Serialize,
    exit: Exit,
    text: impl FnOnce() -> String,
) -> Result<(), CliError> {
    match format {
        SummaryFormat::Json => result(&(serde_json::to_string(summary)? + "\n")),
        SummaryFormat::Text => result(&with_verdict(&text(), exit)),
    }
}

fn with_verdict(text: &str, exit: Exit) -> String {
    let style = match exit {
        Exit::Done => GOOD,
        Exit::Findings | Exit::Usage | Exit::Internal => ERROR,
        Exit::Stopped | Exit::Thin => WARNING,
    };
    let body = text.strip_suffix('\n').unwrap_or(text);
    let (before, verdict) = body.split_at(body.rfind('\n').map_or(0, |newline| newline + 1));
    format!("{before}{style}{verdict}{style:#}\n")
}

/// The bar at the end of the terminal, if there is one.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

fn bar() -> Option<ProgressBar> {
    BAR.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Shows a bar for progress.
pub(crate) fn new_bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let style =
        ProgressStyle::with_template("{spinner} {prefix}{msg}").expect("the template is valid");
    bar.set_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    *BAR.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar.clone());
    bar
}

/// Removes the bar when the work is over or interrupted.
pub(crate) fn clear_bar() {
    let bar = BAR.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
}

/// The columns of the terminal; without one there is no limit.
pub(crate) fn terminal_width() -> usize {
    let size = terminal_size::terminal_size_of(std::io::stderr());
    size.map_or(usize::MAX, |(width, _)| usize::from(width.0))
}

/// Writes a line to stderr, above the bar if there is one. A failure to write is ignored.
pub(crate) fn message(text: &str) {
    let write = || {
        let _ = writeln!(anstream::stderr().lock(), "{text}");
    };
    match bar() {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

pub(crate) fn note(text: &str) {
    message(&style::note(text));
}

/// Keeps a note for below the error that ends the command.
static AFTER_ERROR: Mutex<Option<String>> = Mutex::new(None);

/// Keeps a note to show below the error, if the command ends with one.
pub(crate) fn note_after_error(text: String) {
    *AFTER_ERROR.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
}

/// Writes a problem of a result: an error, or a warning.
pub(crate) fn problem(is_error: bool, text: &str) {
    match is_error {
        true => message(&style::error(text)),
        false => message(&format!("{WARNING}warning:{WARNING:#} {text}")),
    }
}

/// Writes advice on the message before.
pub(crate) fn help(text: &str) {
    message(&format!("  {NOTE}help:{NOTE:#} {text}"));
}

pub(crate) fn error(error: &CliError) {
    match error.marked(&markup()) {
        Some(text) => message(&text),
        None => message(&style::error(&error.to_string())),
    }
    if let Some(text) = AFTER_ERROR.lock().unwrap_or_else(PoisonError::into_inner).take() {
        note(&text);
    }
}

pub(crate) fn warning(warning: &Diagnostic) {
    message(&warning.marked(&markup()));
}

/// Reports that the code under test ended the process, by this call if it is known.
pub(crate) fn subject_ended(call: Option<&str>) {
    let by = call.map_or_else(String::new, |call| format!(" in this call: {}", one_line(call)));
    message(&style::error(&format!("the code under test ended the process{by}")));
}

/// Reports that a command has no results because the code under test ended the process.
pub(crate) fn nothing_written() {
    message(
        "Nothing is written. Leave the method out with `methods` in the scope; `check` reports such calls",
    );
}

pub(crate) fn internal_error() {
    message(&format!(
        "{ERROR}error:{ERROR:#} beget itself failed. Please report the message above, the command and the \
         scope file{}",
        where_to_report(env!("CARGO_PKG_REPOSITORY"))
    ));
}

/// Names the place for reports of a project with this repository, if it has one.
fn where_to_report(repository: &str) -> String {
    if repository.is_empty() { String::new() } else { format!(" at {repository}/issues") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_place_for_reports_is_named_without_a_repository() {
        assert_eq!(where_to_report(""), "");
        assert_eq!(
            where_to_report("https://example.org/one"),
            " at https://example.org/one/issues"
        );
    }

    #[test]
    fn the_verdict_has_the_colour_of_the_exit_code() {
        for (exit, style) in [
            (Exit::Done, GOOD),
            (Exit::Findings, ERROR),
            (Exit::Internal, ERROR),
            (Exit::Stopped, WARNING),
            (Exit::Thin, WARNING),
        ] {
            let shown = format!("calls 5\n{style}the verdict{style:#}\n");
            assert_eq!(with_verdict("calls 5\nthe verdict\n", exit), shown, "{exit:?}");
        }
        assert_eq!(with_verdict("alone\n", Exit::Done), format!("{GOOD}alone{GOOD:#}\n"));
    }
}
