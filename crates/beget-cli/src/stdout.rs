//! Where results go: to what stdout was when the program began.
//!
//! The code under test may print. While a command is in progress its stdout is our stderr, so that
//! results stay what they are; systems without such descriptors keep one stdout for both.

use std::fs::File;
use std::io::{self, Write};
use std::sync::OnceLock;

use anstream::AutoStream;

static RESULTS: OnceLock<File> = OnceLock::new();

/// From here on, what anybody else prints to stdout goes to stderr.
pub(crate) fn divert() {
    #[cfg(unix)]
    // What cannot be done here (no stderr, no descriptor left) leaves stdout as it was.
    if let Ok(results) = descriptors::divert() {
        let _ = RESULTS.set(results);
    }
}

/// Writes a result.
pub(crate) fn write(text: &str) -> io::Result<()> {
    match RESULTS.get() {
        Some(results) => write_to(AutoStream::auto(results.try_clone()?), text),
        None => write_to(anstream::stdout().lock(), text),
    }
}

fn write_to(mut stdout: impl Write, text: &str) -> io::Result<()> {
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())
}

#[cfg(unix)]
mod descriptors {
    use std::fs::File;
    use std::io;
    use std::os::fd::AsFd;

    pub(super) fn divert() -> io::Result<File> {
        let results = io::stdout().as_fd().try_clone_to_owned()?;
        nix::unistd::dup2_stdout(io::stderr())?;
        Ok(results.into())
    }
}
