//! Errors of files and directories.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use beget_engine::store::StoreError;

use crate::disk::parts::PartOf;

/// The reason why a directory, or a file in it, cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DiskError {
    /// The system refuses.
    #[error("cannot {action} `{}`: {source}", path.display())]
    Io {
        /// The action: `read`, `write`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file does not hold what was written to it.
    #[error("`{}` is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The damage.
        what: String,
    },
    /// A segment has 2^32 structures, or the forms of a partition take 2^32 bytes.
    #[error("there is no room for more structures")]
    Full,
    /// The time that an interrupt leaves for saving is over.
    #[error("the interrupt has cut saving short")]
    CutShort,
    /// There is a run in the directory already.
    #[error("`{}` holds a run: go on with `--resume`, or name another directory", .0.display())]
    Occupied(PathBuf),
    /// The directory has files that do not belong to a run.
    #[error("`{}` is not empty, and holds no run: name another directory", .0.display())]
    Foreign(PathBuf),
    /// The directory has no run.
    #[error("`{}` holds no saved run", .0.display())]
    NoRun(PathBuf),
    /// A part of a run of several processes is missing.
    #[error(
        "`{}` is not there, a part of the run: to go on with another number of processes, each needs \
         the parts of all in its directory",
        .0.display()
    )]
    NoPart(PathBuf),
    /// A part of a run belongs to another run, or to a moment that the other parts do not have.
    #[error(
        "`{}` and the other parts of the run do not belong together: they were saved by different \
         runs, or at different times",
        .0.display()
    )]
    MixedParts(PathBuf),
    /// A segment is not the one that the manifest names.
    #[error("`{}` and `{}` do not belong together: {what}", file.display(), manifest.display())]
    Mixed {
        /// The segment.
        file: PathBuf,
        /// The manifest.
        manifest: PathBuf,
        /// The difference.
        what: String,
    },
    /// A segment that the manifest names is missing.
    #[error("`{}` is not there, and `{}` names it", file.display(), manifest.display())]
    Missing {
        /// The segment.
        file: PathBuf,
        /// The manifest.
        manifest: PathBuf,
    },
    /// A manifest is in the directory of another part.
    #[error("`{}` does not belong there: it was saved for {}", file.display(), saved_for(*part))]
    Misplaced {
        /// The manifest.
        file: PathBuf,
        /// The manifest's part; `None` if it is of a whole run.
        part: Option<PartOf>,
    },
    /// Another process uses the directory.
    #[error("`{}` is used by another process", .0.display())]
    InUse(PathBuf),
    /// The run was saved by another version.
    #[error(
        "`{}` was written by another version of beget (format {found}, here {known}): go on with that \
         version, or begin the run again in another directory",
        path.display()
    )]
    Version {
        /// The manifest.
        path: PathBuf,
        /// Its version.
        found: u16,
        /// The version here.
        known: u16,
    },
}

impl DiskError {
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| DiskError::Io { action, path, source }
    }

    pub(crate) fn damaged(path: &Path, what: impl Into<String>) -> Self {
        DiskError::Damaged { path: path.to_owned(), what: what.into() }
    }

    /// Returns whether the directory is the wrong one, rather than in a bad state.
    pub fn is_wrong_input(&self) -> bool {
        matches!(
            self,
            DiskError::Occupied(_)
                | DiskError::Foreign(_)
                | DiskError::NoRun(_)
                | DiskError::NoPart(_)
                | DiskError::MixedParts(_)
                | DiskError::Mixed { .. }
                | DiskError::Missing { .. }
                | DiskError::Misplaced { .. }
                | DiskError::Version { .. }
        )
    }
}

fn saved_for(part: Option<PartOf>) -> String {
    match part {
        Some(PartOf { index, n }) => format!("part {index} of {n} of a run"),
        None => "a run of one process".to_owned(),
    }
}

impl From<DiskError> for StoreError {
    fn from(error: DiskError) -> Self {
        match error {
            DiskError::Full => StoreError::Full,
            DiskError::CutShort => StoreError::CutShort,
            error => StoreError::Failed(error.to_string()),
        }
    }
}

/// Reads at a position of a file; other readers have no influence.
#[cfg(unix)]
pub(crate) fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

/// Reads at a position of a file; other readers have no influence.
#[cfg(windows)]
pub(crate) fn read_exact_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            n => {
                bytes = &mut bytes[n..];
                offset += n as u64;
            }
        }
    }
    Ok(())
}
