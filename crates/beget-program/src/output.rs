//! Preparing output paths: removing leftovers of earlier runs, and of this one.

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

/// Like [`prepare_file`], for an optional drawing.
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

/// A temporary file.
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
        // If it cannot be removed now, removal is tried again at the end.
        let _ = std::fs::remove_file(&self.path);
    }
}

fn tell_leftovers(path: &Path) {
    for leftover in crate::records::remove_leftovers(path) {
        let leftover = leftover.display();
        print::note(&format!("removed `{leftover}`, left by a run that was killed or aborted"));
    }
}

/// Removes incomplete files, for a process that ends without unwinding.
pub(crate) fn discard_all() {
    for path in staged().drain(..) {
        // One of the two calls fails, or both if the result got its name.
        let _ = std::fs::remove_file(&path);
        let _ = std::fs::remove_dir_all(&path);
    }
}

fn staged() -> MutexGuard<'static, Vec<PathBuf>> {
    STAGED.lock().unwrap_or_else(PoisonError::into_inner)
}
