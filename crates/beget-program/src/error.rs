//! Errors that end a command early.

use std::io;

use crate::records::{EmitError, WrittenError};
use beget_engine::store::StoreError;
use beget_plan::scope::{Diagnostic, Markup};
use beget_run::{InputError, RunError};
use beget_search::run::SelectionError;

use crate::Exit;

/// A command could not do its job.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    #[error(transparent)]
    Input(#[from] InputError),
    #[error("{0}")]
    Usage(String),
    /// A mistake in a file, with its place.
    #[error("{0}")]
    InFile(Box<Diagnostic>),
    /// The run ended before it built the requested structure.
    #[error("{0}")]
    Stopped(String),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Emit(#[from] EmitError),
    #[error("{0}")]
    Workers(io::Error),
    /// The processes of a run are not connected, or no longer.
    #[cfg(unix)]
    #[error("{0}")]
    Machines(String),
    /// The process that started this one reports the error.
    #[cfg(unix)]
    #[error("told elsewhere")]
    Elsewhere(Exit),
    #[error("cannot write to the standard output: {0}")]
    Stdout(#[from] io::Error),
    #[error("cannot write the page: {0}")]
    Page(#[from] askama::Error),
    #[error("cannot write JSON: {0}")]
    Json(#[from] serde_json::Error),
}

impl From<RunError> for CliError {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Input(error) => CliError::Input(error),
            RunError::Store(error) => CliError::Store(error),
        }
    }
}

impl From<SelectionError> for CliError {
    fn from(error: SelectionError) -> Self {
        match error {
            SelectionError::Store(error) => CliError::Store(error),
            SelectionError::NoStructure { .. } => CliError::Usage(error.to_string()),
            _ => CliError::Stopped(error.to_string()),
        }
    }
}

impl From<WrittenError> for CliError {
    fn from(error: WrittenError) -> Self {
        match error {
            WrittenError::Made(error) => CliError::Emit(error),
            error => CliError::Usage(error.to_string()),
        }
    }
}

impl CliError {
    pub(crate) fn exit(&self) -> Exit {
        match self {
            CliError::Emit(error) if error.is_usage() => Exit::Usage,
            #[cfg(unix)]
            CliError::Machines(_) => Exit::Internal,
            #[cfg(unix)]
            CliError::Elsewhere(exit) => *exit,
            CliError::Stopped(_) => Exit::Stopped,
            CliError::Store(StoreError::Full | StoreError::CutShort) => Exit::Stopped,
            CliError::Store(_)
            | CliError::Emit(_)
            | CliError::Workers(_)
            | CliError::Stdout(_)
            | CliError::Json(_) => Exit::Internal,
            _ => Exit::Usage,
        }
    }

    /// Returns whether another process reports the error.
    pub(crate) fn is_told_elsewhere(&self) -> bool {
        #[cfg(unix)]
        return matches!(self, CliError::Elsewhere(_));
        #[cfg(not(unix))]
        false
    }

    /// A message with its own `markup` that includes the word error.
    pub(crate) fn marked(&self, markup: &Markup) -> Option<String> {
        match self {
            CliError::Input(error) => error.marked(markup),
            CliError::InFile(diagnostic) => Some(diagnostic.marked(markup)),
            _ => None,
        }
    }
}
