//! Writing to the terminal or whatever stands in its place.

use std::io::{ErrorKind, Write};

use clap::builder::styling::{AnsiColor, Style};

use crate::error::CliError;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default().bold();

/// Writes a result to stdout. A reader that has gone away needs no more of it.
pub(crate) fn result(text: &str) -> Result<(), CliError> {
    let mut stdout = anstream::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

/// Writes a line to stderr; there is nobody to tell if that fails.
pub(crate) fn message(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

pub(crate) fn note(text: &str) {
    message(&format!("{NOTE}note:{NOTE:#} {text}"));
}

pub(crate) fn error(error: &CliError) {
    if error.is_diagnostic() {
        message(&error.to_string());
    } else {
        message(&format!("{ERROR}error:{ERROR:#} {error}"));
    }
}

pub(crate) fn internal_error() {
    message(&format!(
        "{ERROR}error:{ERROR:#} beget itself failed. Please report the message above, the command and the \
         scope file at {}/issues",
        env!("CARGO_PKG_REPOSITORY")
    ));
}
