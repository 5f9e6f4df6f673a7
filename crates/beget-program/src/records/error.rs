//! Errors while writing.

use std::io;
use std::path::PathBuf;

use beget_engine::store::StoreError;

/// An output could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmitError {
    /// The path exists already.
    #[error("`{}` exists already: name a directory that does not exist, or remove it first", .0.display())]
    Exists(PathBuf),
    /// A file cannot replace it.
    #[error("`{}` is {what}: name a file", .path.display())]
    NotAFile {
        /// The place.
        path: PathBuf,
        /// The words for what is there.
        what: &'static str,
    },
    /// `-`, which is no name of such a place.
    #[error("`-` is not the standard output here: name a {0}")]
    StandardOutput(&'static str),
    /// The parent directory does not exist.
    #[error("cannot write to `{}`: the directory that it would be in does not exist", .0.display())]
    NoParent(PathBuf),
    /// The path cannot be written to; nothing was written.
    #[error("cannot write to `{}`: {source}", .path.display())]
    Unwritable {
        /// The place.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Writing failed in the middle.
    #[error("writing failed: {0}")]
    Io(#[from] io::Error),
    /// A value could not be put into JSON.
    #[error("cannot write JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// A structure with more objects than can be drawn.
    #[error(
        "structure {id} has {objects} objects, and pictures with more than {most} are too slow to lay \
         out: take `--format dot` and a layout program, or `--format text`"
    )]
    TooLarge {
        /// The structure's number.
        id: u64,
        /// Its objects.
        objects: usize,
        /// The most that are drawn.
        most: usize,
    },
    /// A structure could not be reconstructed.
    #[error("structure {0} could not be reconstructed: the subject is not deterministic")]
    NotReconstructed(u64),
    /// The store could not read a structure.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl EmitError {
    /// Returns whether the caller named a place that cannot be used, as opposed to a failure while
    /// writing.
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            EmitError::Exists(_)
                | EmitError::NotAFile { .. }
                | EmitError::StandardOutput(_)
                | EmitError::NoParent(_)
                | EmitError::Unwritable { .. }
                | EmitError::TooLarge { .. }
        )
    }
}
