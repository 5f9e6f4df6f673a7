//! What can be wrong with the input of a run.

use std::io;
use std::path::PathBuf;

use beget_engine::store::StoreError;
use beget_repok::FinitizationError;
use beget_scope::{Diagnostic, Diagnostics};

/// The input is wrong: nothing was run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// The scope file cannot be read.
    #[error("cannot read `{}`: {source}", .path.display())]
    Unreadable {
        /// The scope file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The scope file is wrong, or does not fit its suite.
    #[error(transparent)]
    Scope(#[from] Diagnostics),
    /// The catalog has no such suite.
    #[error(transparent)]
    UnknownSuite(Box<Diagnostic>),
    /// Builders are asked for, and the scope does not say which they are.
    #[error(
        "`{0}` names no file of builders: find them with `builders {0} -o FILE`, then write \
         `methods: Builders(\"FILE\")` in the scope, FILE as seen from there"
    )]
    NoBuilders(String),
    /// The catalog has no repOK for the suite of that name.
    #[error(
        "no repOK is known for suite `{0}`: implement `beget::HasRepOks` for its type, or give the catalog of the program \
         one with `with_rep_oks`"
    )]
    NoRepOk(String),
    /// The suite has repOKs, but none of that name.
    #[error("no repOK named `{name}` for suite `{suite}`: {help}")]
    UnknownRepOk {
        /// The name.
        name: String,
        /// The suite.
        suite: String,
        /// The nearest right names.
        help: String,
    },
    /// The scope does not bound the search from the repOK.
    #[error(
        "`{path}` does not bound the search from repOK `{name}`: add `repoks: {{\"{name}\": \
         (objects: ..., fields: ...)}}` with a domain for each field"
    )]
    NoSpace {
        /// The scope file.
        path: String,
        /// The repOK.
        name: String,
    },
    /// The bounds of the search from a repOK do not fit its type.
    #[error("`{path}`, repoks, `{name}`: {source}")]
    WrongSpace {
        /// The scope file.
        path: String,
        /// The repOK.
        name: String,
        /// What does not fit.
        source: FinitizationError,
    },
    /// At a larger scope, a builder takes no part.
    #[error("at k = {k} the scope has no literals for builder `{method}`")]
    NoLiterals {
        /// The larger scope's number.
        k: u32,
        /// The builder.
        method: &'static str,
    },
}

impl InputError {
    /// Whether the message says itself that it is an error, and where.
    pub fn is_diagnostic(&self) -> bool {
        matches!(self, InputError::Scope(_) | InputError::UnknownSuite(_))
    }
}

/// A run could not do its job.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The input is wrong.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The store cannot read what it holds.
    #[error(transparent)]
    Store(#[from] StoreError),
}
