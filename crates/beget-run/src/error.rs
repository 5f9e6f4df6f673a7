//! The errors of a run's input.

use std::error::Error;
use std::fmt::{Display, Formatter, Result};
use std::io;
use std::path::PathBuf;

use beget_engine::store::StoreError;
use beget_plan::scope::{Diagnostic, Diagnostics, Markup};
use beget_suite::UnpairedMethod;

/// The input is wrong: nothing was run, or the run had no result.
#[derive(Debug)]
#[non_exhaustive]
pub enum InputError {
    /// The scope file cannot be read.
    Unreadable {
        /// The scope file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The scope file is wrong, or does not fit its suite.
    Scope(Diagnostics),
    /// The catalog has no such suite.
    UnknownSuite(Box<Diagnostic>),
    /// A bound of the scope cut everything: the run has no structure to show.
    NothingBuilt(Box<Diagnostic>),
    /// Builders were requested, but the scope does not name any.
    NoBuilders(String),
    /// The catalog has no repOK for the named suite.
    NoRepOk(String),
    /// The suite has repOKs, but none of that name.
    UnknownRepOk {
        /// The name.
        name: String,
        /// The suite.
        suite: String,
        /// The nearest right names.
        help: String,
    },
    /// The scope does not bound the search from the repOK.
    NoSpace {
        /// The scope file.
        path: String,
        /// The repOK.
        name: String,
    },
    /// The bounds of the search from a repOK do not fit its type.
    WrongSpace {
        /// The scope file.
        path: String,
        /// The repOK.
        name: String,
        /// The mismatch.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The catalog has no suite of that name to compare with.
    UnknownAgainst {
        /// The name.
        name: String,
        /// The nearest right names.
        help: String,
    },
    /// Two suites have no constructor, or nothing else, in common.
    NothingInCommon {
        /// The suite of the scope.
        suite: String,
        /// The other one.
        against: String,
        /// Their methods, and the reasons why they do not match.
        unpaired: Vec<UnpairedMethod>,
    },
    /// At a larger scope, a builder takes no part.
    NoLiterals {
        /// The larger scope's number.
        k: u32,
        /// The builder.
        method: &'static str,
    },
}

impl Display for InputError {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            InputError::Unreadable { path, source } => {
                write!(f, "cannot read `{}`: {source}", path.display())
            }
            InputError::Scope(problems) => problems.fmt(f),
            InputError::UnknownSuite(problem) | InputError::NothingBuilt(problem) => problem.fmt(f),
            InputError::NoBuilders(path) => write!(
                f,
                "`{path}` names no file of builders: find them with `builders {path} -o FILE`, then write \
                 `methods: Builders(\"FILE\")` in the scope, FILE as seen from there"
            ),
            InputError::NoRepOk(suite) => write!(
                f,
                "no repOK is known for suite `{suite}`: implement `beget::HasRepOks` for its type, or give the \
                 catalog of the program one with `with_rep_oks`"
            ),
            InputError::UnknownRepOk { name, suite, help } => {
                write!(f, "no repOK named `{name}` for suite `{suite}`: {help}")
            }
            InputError::NoSpace { path, name } => write!(
                f,
                "`{path}` does not bound the search from repOK `{name}`: add `repoks: {{\"{name}\": \
                 (objects: ..., fields: ...)}}` with a domain for each field"
            ),
            InputError::WrongSpace { path, name, source } => {
                write!(f, "`{path}`, repoks, `{name}`: {source}")
            }
            InputError::UnknownAgainst { name, help } => {
                write!(f, "no suite named `{name}` to compare with: {help}")
            }
            InputError::NothingInCommon { suite, against, unpaired } => {
                write!(
                    f,
                    "`{suite}` and `{against}` have no constructor, or no other method, in common"
                )?;
                let mut different =
                    unpaired.iter().filter_map(|one| Some((one, one.difference.as_ref()?)));
                different.try_for_each(|(one, difference)| {
                    write!(f, "\n  `{}`: {difference}", one.method)
                })
            }
            InputError::NoLiterals { k, method } => {
                write!(f, "at k = {k} the scope has no literals for builder `{method}`")
            }
        }
    }
}

impl Error for InputError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            InputError::Unreadable { source, .. } => Some(source),
            InputError::WrongSpace { source, .. } => Some(&**source),
            _ => None,
        }
    }
}

impl From<Diagnostics> for InputError {
    fn from(problems: Diagnostics) -> Self {
        InputError::Scope(problems)
    }
}

impl InputError {
    /// Returns whether the message has its own "error" prefix and place.
    pub fn is_diagnostic(&self) -> bool {
        self.marked(&Markup::default()).is_some()
    }

    /// That message with `markup`.
    pub fn marked(&self, markup: &Markup) -> Option<String> {
        match self {
            InputError::Scope(problems) => Some(problems.marked(markup)),
            InputError::UnknownSuite(problem) | InputError::NothingBuilt(problem) => {
                Some(problem.marked(markup))
            }
            _ => None,
        }
    }
}

/// A run failed.
#[derive(Debug)]
pub enum RunError {
    /// The input is wrong.
    Input(InputError),
    /// The store cannot read its contents.
    Store(StoreError),
}

impl Display for RunError {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            RunError::Input(error) => error.fmt(f),
            RunError::Store(error) => error.fmt(f),
        }
    }
}

impl Error for RunError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            RunError::Input(error) => error.source(),
            RunError::Store(error) => error.source(),
        }
    }
}

impl From<InputError> for RunError {
    fn from(error: InputError) -> Self {
        RunError::Input(error)
    }
}

impl From<StoreError> for RunError {
    fn from(error: StoreError) -> Self {
        RunError::Store(error)
    }
}
