//! Literals from a file: Rust source, or a repository of calls.

use std::path::Path;

use beget_plan::scope::Plan;
use beget_search::heuristic::{Repository, literals_of};
use beget_suite::Pools;

use crate::error::CliError;

/// Reads the distinct literals of a file in order. A file named `.ron` is a repository of the
/// plan's suite; any other is Rust source.
pub(crate) fn read(path: &Path, plan: &Plan) -> Result<Pools, CliError> {
    if path.extension().is_some_and(|extension| extension == "ron") {
        return Ok(read_repository(path, plan)?.literals());
    }
    let text = read_text(path)?;
    literals_of(&text).map_err(|error| refused(path, &error))
}

/// Reads a repository of the plan's suite.
pub(crate) fn read_repository(path: &Path, plan: &Plan) -> Result<Repository, CliError> {
    let text = read_text(path)?;
    Repository::from_ron(&text, &plan.suite).map_err(|error| refused(path, &error))
}

/// The text of a file with literals.
pub(crate) fn read_text(path: &Path) -> Result<String, CliError> {
    crate::reading::file_text(path).map_err(|error| refused(path, &error))
}

fn refused(path: &Path, reason: &dyn std::fmt::Display) -> CliError {
    CliError::Usage(format!("cannot read the literals of {}: {reason}", path.display()))
}
