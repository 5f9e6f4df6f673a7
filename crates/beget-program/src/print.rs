//! Writing to the terminal or whatever stands in its place.

use std::io::{ErrorKind, Write};

use beget_plan::scope::{Diagnostic, Markup};
use clap::builder::styling::{AnsiColor, Style};

use crate::Exit;
use crate::error::CliError;
use crate::stdout;
use crate::watchdog::one_line;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const FRAME: Style = AnsiColor::Blue.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default().bold();

/// Writes a result to stdout. A reader that has gone away needs no more of it.
pub(crate) fn result(text: &str) -> Result<(), CliError> {
    match stdout::write(text) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

/// Shows why the arguments cannot be run, or the help that was asked for, and says how to end.
pub(crate) fn usage(message: &clap::Error) -> Exit {
    // A closed pipe is the reader's choice, not an error.
    let _ = message.print();
    if message.use_stderr() { Exit::Usage } else { Exit::Done }
}

/// Writes a line to stderr; there is nobody to tell if that fails.
pub(crate) fn message(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

pub(crate) fn note(text: &str) {
    message(&format!("{NOTE}note:{NOTE:#} {text}"));
}

/// Writes what is wrong with a result: an error, or a warning.
pub(crate) fn problem(is_error: bool, text: &str) {
    match is_error {
        true => message(&format!("{ERROR}error:{ERROR:#} {text}")),
        false => message(&format!("{WARNING}warning:{WARNING:#} {text}")),
    }
}

/// Writes what to do about the message before.
pub(crate) fn help(text: &str) {
    message(&format!("  {NOTE}help:{NOTE:#} {text}"));
}

pub(crate) fn error(error: &CliError) {
    match error.marked(&markup()) {
        Some(text) => message(&text),
        None => message(&format!("{ERROR}error:{ERROR:#} {error}")),
    }
}

pub(crate) fn warning(warning: &Diagnostic) {
    message(&warning.marked(&markup()));
}

/// The colours of messages about scope files. They are taken out again where there is no terminal,
/// or the user wants none.
fn markup() -> Markup {
    let around = |style: Style| [style.render().to_string(), style.render_reset().to_string()];
    Markup { error: around(ERROR), warning: around(WARNING), frame: around(FRAME) }
}

/// The code under test has ended the process, by this call if it is known.
pub(crate) fn subject_exited(call: Option<&str>) {
    let by = call.map_or_else(String::new, |call| format!(" in this call: {}", one_line(call)));
    message(&format!(
        "{ERROR}error:{ERROR:#} the code under test ended the process{by}\n\
         Nothing is written. A method that exits cannot be explored: leave it out with `methods` in the scope"
    ));
}

pub(crate) fn internal_error() {
    message(&format!(
        "{ERROR}error:{ERROR:#} beget itself failed. Please report the message above, the command and the \
         scope file at {}/issues",
        env!("CARGO_PKG_REPOSITORY")
    ));
}
