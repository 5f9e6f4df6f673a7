//! Completions for shells and the manual page, made of the arguments that are parsed.

use clap::CommandFactory;
use clap_complete::Shell;

use beget_args::cli::Cli;

use crate::error::CliError;
use crate::{Exit, print};

/// `beget completions SHELL`.
pub(crate) fn print_completions(shell: Shell) -> Result<Exit, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "beget", &mut script);
    print::result(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}

/// `beget man`.
pub(crate) fn print_page() -> Result<Exit, CliError> {
    let mut page = Vec::new();
    // Writing to memory does not fail.
    let _ = clap_mangen::Man::new(Cli::command()).render(&mut page);
    print::result(&String::from_utf8_lossy(&page))?;
    Ok(Exit::Done)
}
