//! Literals from a file: Rust source, or a repository of calls.

use std::path::Path;

use beget_heuristic::{Repository, literals_of};
use beget_scope::Plan;
use beget_suite::Pools;

use crate::error::CliError;

/// Reads a file's literals, each once, in the order in which they stand there. A file named `.ron`
/// is a repository of the plan's suite; any other is Rust source.
pub(crate) fn read(path: &Path, plan: &Plan) -> Result<Pools, CliError> {
    let refused = |reason: &dyn std::fmt::Display| {
        CliError::Usage(format!("cannot read the literals of {}: {reason}", path.display()))
    };
    let text = std::fs::read_to_string(path).map_err(|error| refused(&error))?;
    match path.extension().is_some_and(|extension| extension == "ron") {
        true => {
            let repository = Repository::from_ron(&text, &plan.suite);
            Ok(repository.map_err(|error| refused(&error))?.literals())
        }
        false => literals_of(&text).map_err(|error| refused(&error)),
    }
}
