//! Places to write to, prepared before a run and filled after it.
//!
//! Opening a place checks it and makes a temporary sibling; the result gets its name when
//! everything is written. An error in between leaves nothing behind, unless the process is killed
//! or aborts. Then the sibling stays, and the next run beside it [removes](remove_leftovers) it:
//! each is locked while its process lives.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use beget_engine::Corpus;
use beget_engine::store::Store;
use beget_plan::finding::StopReason;
use serde::Serialize;
use tempfile::{Builder, NamedTempFile, TempDir};

use crate::records::lines::LineMaker;
use crate::records::manifest::{FileList, MANIFEST};
use crate::records::record::{Detail, StructureWriter};
use crate::records::{EmitError, Summary, SummaryFile};

/// The scope file of the run, unchanged.
pub use beget_args::cargo::SCOPE_FILE;

/// The repository of calls whose literals the run had.
pub const REPOSITORY_FILE: &str = "repository.ron";

pub(crate) const JSON_LINES: &str = "structures.jsonl";
pub(crate) const SUMMARY: &str = "summary.json";
pub(crate) const INCOMPLETE: &str = "INCOMPLETE";

/// A directory for a corpus, which gets its name when everything is written.
///
/// It will hold `structures.jsonl` (one [`BriefRecord`](crate::records::BriefRecord) or
/// [`StructureRecord`](crate::records::StructureRecord) a line) and `summary.json`; after a run
/// that was stopped also a file `INCOMPLETE` that says why.
/// The rest that the directory takes to make them again is [written beside
/// them](OutputDir::write_file): [`SCOPE_FILE`], and [`REPOSITORY_FILE`] if there is one.
/// `manifest.json` lists all of them with their checksums.
#[derive(Debug)]
pub struct OutputDir {
    path: PathBuf,
    staged: TempDir,
    /// Marks the directory as in use.
    _lock: Option<File>,
}

impl OutputDir {
    /// Checks that `path` is free and its parent is writable.
    ///
    /// # Errors
    /// If not.
    pub fn prepare(path: &Path) -> Result<OutputDir, EmitError> {
        refuse_standard_output(path, "directory")?;
        if path.symlink_metadata().is_ok() {
            return Err(EmitError::Exists(path.to_owned()));
        }
        let mut builder = staging();
        with_mode(&mut builder, 0o777);
        let parent = parent_of(path)?;
        let make = || builder.tempdir_in(parent);
        let (staged, lock) = locked(make, TempDir::path).map_err(unwritable(path))?;
        Ok(OutputDir { path: path.to_owned(), staged, _lock: lock })
    }

    /// Returns the temporary path of the directory.
    pub fn staged_path(&self) -> &Path {
        self.staged.path()
    }

    /// Writes the corpus and gives the directory its name. The files hold no measurements, so equal
    /// runs leave equal bytes.
    ///
    /// `threads` threads make the lines or, for 0, all cores; the files do not depend on their
    /// number.
    ///
    /// `may_go_on` is asked before each structure. Once it says no, after an interrupt, the files
    /// are closed with those that are written, and the run counts as interrupted. Returns the
    /// summary of the whole run, with [`written`](Summary::written) if structures were left out;
    /// the summary in the directory is of those that are there.
    ///
    /// # Errors
    /// If writing fails; nothing is left then.
    pub fn write<S: Store>(
        self,
        corpus: &Corpus<S>,
        summary: Summary,
        detail: Detail,
        threads: usize,
        may_go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Summary, EmitError> {
        let mut lines = self.create(JSON_LINES)?;
        let mut writer = StructureWriter::new(&mut lines);
        let maker = LineMaker { corpus, detail, by_calls: false, threads };
        let is_whole = writer.write(&maker, corpus.store.len(), may_go_on)?;
        let (n_written, end) = (writer.n_written, writer.end);
        let summary = if is_whole { summary } else { summary.cut_after(n_written) };
        let of_files = Summary { measures: None, ..summary.clone() };
        if is_whole {
            self.write_summary(&of_files)?;
        } else {
            let totals = corpus.reader().totals_of(end)?;
            self.write_summary(&of_files.with_totals(&corpus.plan, &totals))?;
        }
        if !summary.header.complete {
            let reason = if is_whole { corpus.report.stop_reason } else { StopReason::Interrupted };
            self.mark_incomplete(reason, summary.written_of().as_deref())?;
        }
        self.write_manifest()?;
        self.commit()?;
        Ok(summary)
    }

    /// Writes `summary.json`.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write_summary<S: Serialize>(&self, summary: &S) -> Result<(), EmitError> {
        let mut file = self.create(SUMMARY)?;
        serde_json::to_writer_pretty(&mut file, &SummaryFile::new(summary))?;
        writeln!(file)?;
        Ok(file.flush()?)
    }

    /// Writes the file that says why structures are missing, and how many are `written` of those
    /// that were found if that is not all.
    ///
    /// # Errors
    /// If writing fails.
    pub fn mark_incomplete(
        &self,
        reason: StopReason,
        written: Option<&str>,
    ) -> Result<(), EmitError> {
        let mut mark = self.create(INCOMPLETE)?;
        let what = match reason {
            StopReason::Doubted => "Structures may be missing here",
            _ => "Structures are missing here",
        };
        writeln!(mark, "{what}: {reason}.")?;
        if let Some(written) = written {
            writeln!(mark, "Writing was cut short: {written} are here.")?;
        }
        Ok(mark.flush()?)
    }

    /// Writes the list of all files, which must be written by then, for
    /// [checks](crate::records::WrittenDir) of the directory.
    ///
    /// # Errors
    /// If a file cannot be read, or writing fails.
    pub fn write_manifest(&self) -> Result<(), EmitError> {
        let manifest = FileList::of(self.staged.path())?;
        self.write_file(MANIFEST, &manifest.to_text())
    }

    /// Writes a file of the directory at once.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write_file(&self, name: &str, contents: &str) -> Result<(), EmitError> {
        let mut file = self.create(name)?;
        file.write_all(contents.as_bytes())?;
        Ok(file.flush()?)
    }

    /// A new file of the directory.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn create(&self, name: &str) -> Result<BufWriter<File>, EmitError> {
        Ok(BufWriter::new(File::create(self.staged.path().join(name))?))
    }

    /// Gives the directory its name.
    ///
    /// # Errors
    /// If that fails; nothing is left then.
    pub fn commit(self) -> Result<(), EmitError> {
        // An empty directory would be replaced by the renaming.
        if self.path.symlink_metadata().is_ok() {
            return Err(EmitError::Exists(self.path));
        }
        fs::rename(self.staged.path(), &self.path).map_err(unwritable(&self.path))?;
        // What it would remove is gone from there.
        let _ = self.staged.keep();
        Ok(())
    }
}

/// A file that is replaced as a whole.
#[derive(Debug)]
pub struct StagedFile {
    path: PathBuf,
    staged: NamedTempFile,
    /// Marks the file as in use.
    _lock: Option<File>,
}

impl StagedFile {
    /// Checks that a file can be written at `path`, or where it leads as a symbolic link.
    ///
    /// # Errors
    /// If it cannot, or what is there is no file: a directory, a device, a pipe.
    pub fn prepare(path: &Path) -> Result<StagedFile, EmitError> {
        let path = &target_of(path)?;
        let mut builder = staging();
        with_mode(&mut builder, 0o666);
        let parent = parent_of(path)?;
        let make = || builder.tempfile_in(parent);
        let (staged, lock) = locked(make, NamedTempFile::path).map_err(unwritable(path))?;
        Ok(StagedFile { path: path.to_owned(), staged, _lock: lock })
    }

    /// Returns the place of the file until it gets its name.
    pub fn staged_path(&self) -> &Path {
        self.staged.path()
    }

    /// Writes a part of the file, which still lacks its name.
    ///
    /// # Errors
    /// If that fails.
    pub fn append(&mut self, contents: &str) -> Result<(), EmitError> {
        Ok(self.staged.write_all(contents.as_bytes())?)
    }

    /// Writes the rest of the file and gives it its name.
    ///
    /// # Errors
    /// If that fails; what was there before stays then.
    pub fn write(mut self, contents: &str) -> Result<(), EmitError> {
        self.append(contents)?;
        self.staged.persist(&self.path).map_err(|error| unwritable(&self.path)(error.error))?;
        Ok(())
    }
}

/// Elsewhere, locks are no advice: they would keep this process out as well, and directories have
/// none.
const HAS_LOCKS: bool = cfg!(unix);

const PREFIX: &str = ".beget-";
const SUFFIX: &str = ".partial";

fn staging<'b>() -> Builder<'b, 'b> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    builder
}

/// Makes a temporary file or directory and locks it, where the system has such locks.
///
/// Between the two, another process may take it for a leftover. It holds the lock while it removes
/// it, so that the loss shows here, and another is made.
fn locked<T>(
    make: impl Fn() -> io::Result<T>,
    path_of: fn(&T) -> &Path,
) -> io::Result<(T, Option<File>)> {
    loop {
        let made = make()?;
        if !HAS_LOCKS {
            return Ok((made, None));
        }
        let lock = File::open(path_of(&made)).and_then(|file| file.lock().map(|()| file)).ok();
        if path_of(&made).exists() {
            return Ok((made, lock));
        }
    }
}

/// Removes the temporary siblings of `path` whose processes are gone, and returns them.
///
/// A process that is killed or aborts cannot do it itself. They stay if the system cannot say
/// whether the process is gone.
pub fn remove_leftovers(path: &Path) -> Vec<PathBuf> {
    let entries = parent_of(path).ok().and_then(|parent| fs::read_dir(parent).ok());
    let mut leftovers: Vec<PathBuf> = entries
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| is_staged(path) && remove_unlocked(path).is_ok())
        .collect();
    leftovers.sort();
    leftovers
}

fn is_staged(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX))
}

fn remove_unlocked(path: &Path) -> io::Result<()> {
    if !HAS_LOCKS {
        return Err(io::ErrorKind::Unsupported.into());
    }
    let file = File::open(path)?;
    file.try_lock()?;
    if file.metadata()?.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
}

/// Temporary files are private by default; these will be results, so the user's mask decides.
fn with_mode(builder: &mut Builder<'_, '_>, mode: u32) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = (builder, mode);
}

/// Refuses `-`, which other programs take for the standard output.
fn refuse_standard_output(path: &Path, wanted: &'static str) -> Result<(), EmitError> {
    if path == Path::new("-") { Err(EmitError::StandardOutput(wanted)) } else { Ok(()) }
}

/// The place of a file: the target, if a link is there.
fn target_of(path: &Path) -> Result<PathBuf, EmitError> {
    let refused = |what| Err(EmitError::NotAFile { path: path.to_owned(), what });
    refuse_standard_output(path, "file")?;
    let Ok(found) = path.symlink_metadata() else { return Ok(path.to_owned()) };
    if found.is_file() {
        return Ok(path.to_owned());
    }
    match path.canonicalize() {
        Ok(target) if target.is_file() => Ok(target),
        Ok(target) if target.is_dir() => refused("a directory"),
        Ok(_) => refused("a device or a pipe"),
        Err(_) => refused("a link that leads nowhere"),
    }
}

fn parent_of(path: &Path) -> Result<&Path, EmitError> {
    let parent = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    if parent.is_dir() { Ok(parent) } else { Err(EmitError::NoParent(path.to_owned())) }
}

fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> EmitError + use<'_> {
    // The kind alone: the error's text may name the temporary sibling.
    move |error| EmitError::Unwritable { path: path.to_owned(), source: error.kind().into() }
}
