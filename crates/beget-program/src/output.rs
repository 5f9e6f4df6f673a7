//! Preparing places to write to: what runs before this one left there, and what this one must not
//! leave.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::records::{EmitError, OutputDir, StagedFile};

use crate::error::CliError;
use crate::print;

/// The temporary siblings of this process.
static STAGED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

pub(crate) fn prepare_dir(path: &Path) -> Result<OutputDir, EmitError> {
    tell_leftovers(path);
    let output = OutputDir::prepare(path)?;
    staged().push(output.staged_path().to_owned());
    Ok(output)
}

pub(crate) fn prepare_file(path: &Path) -> Result<StagedFile, EmitError> {
    tell_leftovers(path);
    let output = StagedFile::prepare(path)?;
    staged().push(output.staged_path().to_owned());
    Ok(output)
}

/// Like [`prepare_file`], for a drawing, if one is wanted.
pub(crate) fn prepare_drawing(path: Option<&Path>) -> Result<Option<StagedFile>, CliError> {
    let is_svg = |path: &Path| path.extension().is_some_and(|extension| extension == "svg");
    match path {
        Some(path) if !is_svg(path) => {
            let path = path.display();
            Err(CliError::Usage(format!("name a file .svg for the plot, not `{path}`")))
        }
        path => Ok(path.map(prepare_file).transpose()?),
    }
}

/// A file that is there for a while only.
#[derive(Debug)]
pub(crate) struct Trial {
    path: PathBuf,
}

impl Trial {
    pub(crate) fn write(path: &Path, text: &str) -> Result<Trial, EmitError> {
        staged().push(path.to_owned());
        let trial = Trial { path: path.to_owned() };
        std::fs::write(path, text)?;
        Ok(trial)
    }
}

impl Drop for Trial {
    fn drop(&mut self) {
        // If it cannot be removed now, it is tried again at the end.
        let _ = std::fs::remove_file(&self.path);
    }
}

fn tell_leftovers(path: &Path) {
    for leftover in crate::records::remove_leftovers(path) {
        let leftover = leftover.display();
        print::note(&format!("removed `{leftover}`, left by a run that was killed or aborted"));
    }
}

/// Removes what is not written to its end, for a process that ends without going back.
pub(crate) fn discard_all() {
    for path in staged().drain(..) {
        // One of the two fails, both if it got its name.
        let _ = std::fs::remove_file(&path);
        let _ = std::fs::remove_dir_all(&path);
    }
}

fn staged() -> MutexGuard<'static, Vec<PathBuf>> {
    STAGED.lock().unwrap_or_else(PoisonError::into_inner)
}
