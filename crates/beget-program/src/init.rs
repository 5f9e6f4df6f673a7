//! `cargo beget init` where the suites are not read from the sources.

use std::path::PathBuf;

use beget_args::cli::{General, InitArgs};
use beget_args::first_scopes;

use crate::error::CliError;
use crate::records::EmitError;
use crate::{Exit, print};

/// Writes a first scope file for each suite of these names, if the package has none for it.
pub(crate) fn run<'n>(
    args: &InitArgs,
    suites: impl Iterator<Item = &'n str>,
    general: &General,
) -> Result<Exit, CliError> {
    // The directory of the package of these tests.
    let package = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let written = first_scopes(args, suites, &package)
        .map_err(|error| EmitError::Unwritable { path: error.path, source: error.source })?;
    print::result(&written.text)?;
    if let Some(advice) = written.advice.filter(|_| !general.quiet) {
        print::note(advice);
    }
    Ok(Exit::Done)
}
