//! The target of results: the stdout of the program at its start.
//!
//! The code under test may print. While a command is in progress its stdout is our stderr, so that
//! results stay unmixed; systems without such descriptors keep one stdout for both.

use std::fs::File;
use std::io::{self, Write};
use std::sync::OnceLock;

use anstream::AutoStream;

static RESULTS: OnceLock<File> = OnceLock::new();

/// Set if the results go to the descriptor of stdin.
static IS_STDIN: OnceLock<()> = OnceLock::new();

/// Redirects everything that others print to stdout to stderr.
pub(crate) fn divert() {
    if RESULTS.get().is_some() {
        return;
    }
    #[cfg(unix)]
    // On an error (no stderr, no descriptor left) stdout stays as it was.
    if let Ok(results) = descriptors::divert() {
        let _ = RESULTS.set(results);
    }
}

/// Sends results to the descriptor of stdin: see [`crate::cargo`].
pub(crate) fn divert_from_stdin() {
    #[cfg(unix)]
    {
        // Flush the output of the test harness before its stdout changes.
        let _ = io::stdout().flush();
        if let Ok(results) = descriptors::divert_from_stdin() {
            let _ = (RESULTS.set(results), IS_STDIN.set(()));
        }
    }
}

/// Gives a program that takes the place of this one the descriptors that this one was started with.
#[cfg(unix)]
pub(crate) fn hand_on(command: &mut std::process::Command) -> io::Result<()> {
    if let Some(results) = RESULTS.get() {
        let results = results.try_clone()?;
        match IS_STDIN.get() {
            Some(()) => command.stdin(results),
            None => command.stdout(results),
        };
    }
    Ok(())
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
    use std::os::fd::{AsFd, OwnedFd};

    pub(super) fn divert() -> io::Result<File> {
        let results = io::stdout().as_fd().try_clone_to_owned()?;
        divert_to_stderr(results)
    }

    /// Makes stdin empty.
    pub(super) fn divert_from_stdin() -> io::Result<File> {
        let results = io::stdin().as_fd().try_clone_to_owned()?;
        nix::unistd::dup2_stdin(File::open("/dev/null")?)?;
        divert_to_stderr(results)
    }

    fn divert_to_stderr(results: OwnedFd) -> io::Result<File> {
        nix::unistd::dup2_stdout(io::stderr())?;
        Ok(results.into())
    }
}
