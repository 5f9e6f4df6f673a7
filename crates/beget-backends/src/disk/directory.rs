//! The directory of a run: its segments, and the manifest, which is replaced at once.
//!
//! The manifest has a checksum of its own, and names each segment by the number of its structures,
//! its length and its checksum. Files that were not saved together are refused before anything in
//! the directory changes.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use beget_engine::store::Totals;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::disk::error::DiskError;
use crate::disk::parts::{PartOf, holds_parts};
use crate::disk::segment::{Segment, SegmentSeal};
use crate::disk::stored::StoredSegments;

/// The version of the files. It changes whenever their bytes do.
const VERSION: u16 = 3;

/// The first bytes of a manifest.
const MAGIC: [u8; 8] = *b"begetrun";

const MANIFEST: &str = "manifest";
const NEW_MANIFEST: &str = "manifest.new";
/// The previous manifest of a part: another part may not have saved the newest step.
const OLD_MANIFEST: &str = "manifest.old";
const LOCK: &str = "lock";

/// The place of a run's structures while it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StoreForm {
    /// In the directory: a [`DiskStore`](crate::disk::DiskStore).
    Disk,
    /// In memory, and in the directory too: a [`RecordedStore`](crate::disk::RecordedStore).
    Recorded,
    /// Spread over processes, each with a [`PartRecorder`](crate::disk::PartRecorder) for its part.
    Part,
    /// Spread over the directories of processes: each has its part there alone.
    DiskPart,
}

impl StoreForm {
    /// Returns whether several processes have the structures.
    pub(crate) fn is_in_parts(self) -> bool {
        matches!(self, StoreForm::Part | StoreForm::DiskPart)
    }

    /// Returns whether the structures are in directories alone.
    pub fn is_on_disk(self) -> bool {
        matches!(self, StoreForm::Disk | StoreForm::DiskPart)
    }
}

/// The saved state of a run besides its structures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The identity of the run, as names and values: a run is continued only with the same.
    pub identity: Vec<(String, String)>,
    /// The part of the run, if several processes make it.
    pub(crate) part: Option<PartOf>,
    /// The place of its structures while it goes on.
    pub store: StoreForm,
    /// The number of structures.
    pub n_structures: u64,
    /// The segments, in order.
    pub(crate) segments: Vec<SegmentSeal>,
    #[serde(with = "TotalsData")]
    pub(crate) totals: Totals,
    pub(crate) state: Vec<u8>,
    /// The file it was read from.
    #[serde(skip)]
    pub(crate) file: ManifestFile,
}

/// A manifest among the files of its directory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ManifestFile {
    #[default]
    Newest,
    /// The previous one.
    Old,
}

impl ManifestFile {
    pub(crate) fn path(self, directory: &Path) -> PathBuf {
        directory.join(match self {
            ManifestFile::Newest => MANIFEST,
            ManifestFile::Old => OLD_MANIFEST,
        })
    }
}

/// Computes a number that is equal for the files of equal runs, or of one part of them.
pub(crate) fn fingerprint_of(manifest: &Manifest) -> u64 {
    fingerprint(&manifest.identity, manifest.part)
}

fn fingerprint(identity: &[(String, String)], part: Option<PartOf>) -> u64 {
    let run = (identity, part);
    xxh3_64(&postcard::to_extend(&run, Vec::new()).expect("plain data can be written"))
}

/// [`Totals`] in manifests.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Totals")]
struct TotalsData {
    by_type: Vec<u64>,
    by_objects: Vec<u64>,
    digest: u128,
}

/// A directory that this process alone uses.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    identity: Vec<(String, String)>,
    part: Option<PartOf>,
    /// Locked as long as the process lives.
    _lock: File,
}

impl Directory {
    /// Makes a directory for a new run, which `identity` describes. It may exist if it is empty.
    ///
    /// # Errors
    /// If there is something in it, or it cannot be made.
    pub fn create(path: &Path, identity: Vec<(String, String)>) -> Result<Self, DiskError> {
        Self::create_for(path, identity, None)
    }

    /// Like [`Directory::create`], for a part of a run.
    pub(crate) fn create_for(
        path: &Path,
        identity: Vec<(String, String)>,
        part: Option<PartOf>,
    ) -> Result<Self, DiskError> {
        fs::create_dir_all(path).map_err(DiskError::io("write", path))?;
        if holds_parts(path) {
            return Err(DiskError::Occupied(path.to_owned()));
        }
        for entry in fs::read_dir(path).map_err(DiskError::io("read", path))? {
            let name = entry.map_err(DiskError::io("read", path))?.file_name();
            if name == MANIFEST || name == OLD_MANIFEST {
                return Err(DiskError::Occupied(path.to_owned()));
            }
            if !is_own(&name.to_string_lossy()) {
                return Err(DiskError::Foreign(path.to_owned()));
            }
        }
        let directory = Directory { path: path.to_owned(), identity, part, _lock: lock(path)? };
        directory.remove_unsaved(0)?;
        Ok(directory)
    }

    /// Opens the directory of a run that was saved.
    ///
    /// # Errors
    /// If there is none, its files are damaged or were not saved together, or another process uses
    /// it.
    pub fn open(path: &Path) -> Result<(Self, Manifest), DiskError> {
        if !Self::holds_run(path) {
            return Err(DiskError::NoRun(path.to_owned()));
        }
        let lock = lock(path)?;
        let manifest = read_manifest(path, ManifestFile::Newest, None)?;
        // Checks the segments before files that the manifest does not name are removed.
        StoredSegments::open(path, &manifest)?;
        let identity = manifest.identity.clone();
        let directory = Directory { path: path.to_owned(), identity, part: None, _lock: lock };
        directory.remove_unsaved(manifest.segments.len() as u32)?;
        Ok((directory, manifest))
    }

    /// Opens the directory of a part that was saved, for a run that goes on from `manifest`, which
    /// is one of [its own](part_manifests), and whose segments were [opened](StoredSegments::open).
    pub(crate) fn open_part(path: &Path, manifest: &Manifest) -> Result<Self, DiskError> {
        let (identity, part) = (manifest.identity.clone(), manifest.part);
        let directory = Directory { path: path.to_owned(), identity, part, _lock: lock(path)? };
        if part_manifests(path, part)?.first() != Some(manifest) {
            // The newest manifest names segments that are written anew from here on.
            let (old, newest) = (path.join(OLD_MANIFEST), path.join(MANIFEST));
            fs::rename(&old, &newest).map_err(DiskError::io("write", &newest))?;
            directory.sync()?;
        }
        directory.remove_unsaved(manifest.segments.len() as u32)?;
        Ok(directory)
    }

    /// Refuses a directory that has anything in it.
    ///
    /// # Errors
    /// If there is something in it, or it cannot be read.
    pub fn require_empty(path: &Path) -> Result<(), DiskError> {
        match fs::read_dir(path) {
            Ok(mut entries) => match entries.next() {
                Some(_) => Err(DiskError::Foreign(path.to_owned())),
                None => Ok(()),
            },
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(DiskError::io("read", path)(error)),
        }
    }

    /// Returns whether a run was saved there.
    pub fn holds_run(path: &Path) -> bool {
        path.join(MANIFEST).is_file()
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the manifest saved last.
    ///
    /// # Errors
    /// If there is none, or it is damaged.
    pub fn manifest(&self) -> Result<Manifest, DiskError> {
        read_manifest(&self.path, ManifestFile::Newest, self.part)
    }

    /// Returns a number that is equal for the files of equal runs, or of one part of them.
    pub(crate) fn fingerprint(&self) -> u64 {
        fingerprint(&self.identity, self.part)
    }

    /// Like [`Directory::create`], in place of a run of this process that starts again.
    ///
    /// # Errors
    /// If the saved files cannot be removed.
    pub fn replace(path: &Path, identity: Vec<(String, String)>) -> Result<Self, DiskError> {
        Self::replace_for(path, identity, None)
    }

    /// Like [`Directory::replace`], for a part of a run.
    pub(crate) fn replace_for(
        path: &Path,
        identity: Vec<(String, String)>,
        part: Option<PartOf>,
    ) -> Result<Self, DiskError> {
        let directory = Directory { path: path.to_owned(), identity, part, _lock: lock(path)? };
        directory.clear()?;
        Ok(directory)
    }

    /// Removes all saved files.
    pub(crate) fn clear(&self) -> Result<(), DiskError> {
        remove_manifests(&self.path)?;
        self.remove_unsaved(0)
    }

    /// Removes the files of a killed run, which no manifest names.
    fn remove_unsaved(&self, n_segments: u32) -> Result<(), DiskError> {
        let entries = fs::read_dir(&self.path).map_err(DiskError::io("read", &self.path))?;
        for entry in entries {
            let path = entry.map_err(DiskError::io("read", &self.path))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let number = name.strip_prefix(SEGMENT).and_then(|number| number.parse::<u32>().ok());
            let is_left = number.is_some_and(|number| number >= n_segments)
                || name == NEW_MANIFEST
                || name.starts_with(CANDIDATES);
            if is_left {
                fs::remove_file(&path).map_err(DiskError::io("write", &path))?;
            }
        }
        Ok(())
    }

    /// Makes the segments and the rest of a run the content of the directory: all of it, or
    /// nothing.
    pub(crate) fn save(
        &self,
        segments: &[Segment],
        totals: &Totals,
        store: StoreForm,
        state: &[u8],
    ) -> Result<(), DiskError> {
        // Those saved before are on the disk already; syncing them costs nothing.
        segments.iter().rev().try_for_each(Segment::sync)?;
        let manifest = Manifest {
            identity: self.identity.clone(),
            part: self.part,
            store,
            n_structures: segments.iter().map(|segment| u64::from(segment.len())).sum(),
            segments: segments.iter().map(Segment::seal).collect(),
            totals: totals.clone(),
            state: state.to_vec(),
            file: ManifestFile::Newest,
        };
        let body = postcard::to_extend(&manifest, Vec::new()).expect("plain data can be written");
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(xxh3_64(&body).to_le_bytes());
        bytes.extend(body);
        let (new, path) = (self.path.join(NEW_MANIFEST), self.path.join(MANIFEST));
        let written = File::create(&new).and_then(|mut file| {
            file.write_all(&bytes)?;
            file.sync_all()
        });
        written.map_err(DiskError::io("write", &new))?;
        // The names of the segments must be on the disk before the manifest that names them.
        self.sync()?;
        if store.is_in_parts() && path.exists() {
            let old = self.path.join(OLD_MANIFEST);
            fs::rename(&path, &old).map_err(DiskError::io("write", &old))?;
        }
        fs::rename(&new, &path).map_err(DiskError::io("write", &path))?;
        self.sync()
    }

    /// Writes the names of its files to the disk.
    fn sync(&self) -> Result<(), DiskError> {
        let synced = File::open(&self.path).and_then(|directory| directory.sync_all());
        synced.map_err(DiskError::io("write", &self.path))
    }
}

const SEGMENT: &str = "segment-";
const CANDIDATES: &str = "candidates-";

/// Returns the path of a segment.
pub(crate) fn segment_path(directory: &Path, number: u32) -> PathBuf {
    directory.join(format!("{SEGMENT}{number}"))
}

fn is_own(name: &str) -> bool {
    name == LOCK
        || name == NEW_MANIFEST
        || name == OLD_MANIFEST
        || name.starts_with(SEGMENT)
        || name.starts_with(CANDIDATES)
}

/// Reads the manifests of a part, or of a whole run, the newest first; none if it is not there.
pub(crate) fn part_manifests(
    directory: &Path,
    part: Option<PartOf>,
) -> Result<Vec<Manifest>, DiskError> {
    let files = [ManifestFile::Newest, ManifestFile::Old].into_iter();
    let found = files.filter(|file| file.path(directory).is_file());
    found.map(|file| read_manifest(directory, file, part)).collect()
}

/// Returns whether a manifest is there, of a part or of a whole run.
pub(crate) fn has_manifest(directory: &Path) -> bool {
    [ManifestFile::Newest, ManifestFile::Old].iter().any(|file| file.path(directory).is_file())
}

/// Removes the manifests. They go before their segments, so that a kill in between leaves no
/// manifest with missing segments.
pub(crate) fn remove_manifests(directory: &Path) -> Result<(), DiskError> {
    for file in [ManifestFile::Newest, ManifestFile::Old] {
        let path = file.path(directory);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(DiskError::io("write", &path)(error));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns the files of a run that one process has saved whole, the manifest first.
pub(crate) fn files_of_whole(directory: &Path) -> Result<Vec<PathBuf>, DiskError> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).map_err(DiskError::io("read", directory))? {
        let path = entry.map_err(DiskError::io("read", directory))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name == MANIFEST {
            files.insert(0, path);
        } else if name.starts_with(SEGMENT) || name.starts_with(CANDIDATES) {
            files.push(path);
        }
    }
    Ok(files)
}

/// Keeps others from writing to a directory as long as the lock lives.
pub(crate) fn lock_shared(path: &Path) -> Result<File, DiskError> {
    let name = path.join(LOCK);
    let file = match File::open(&name) {
        // A copy may lack it.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => File::create(&name),
        opened => opened,
    };
    let file = file.map_err(DiskError::io("read", &name))?;
    match file.try_lock_shared() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => Err(DiskError::InUse(path.to_owned())),
        Err(fs::TryLockError::Error(source)) => Err(DiskError::io("read", &name)(source)),
    }
}

fn lock(path: &Path) -> Result<File, DiskError> {
    let name = path.join(LOCK);
    let file = File::options().create(true).truncate(false).write(true).open(&name);
    let file = file.map_err(DiskError::io("write", &name))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => Err(DiskError::InUse(path.to_owned())),
        Err(fs::TryLockError::Error(source)) => Err(DiskError::io("write", &name)(source)),
    }
}

/// Reads a manifest, which must be of `part`, or of a whole run.
fn read_manifest(
    directory: &Path,
    file: ManifestFile,
    part: Option<PartOf>,
) -> Result<Manifest, DiskError> {
    let path = file.path(directory);
    let bytes = fs::read(&path).map_err(DiskError::io("read", &path))?;
    let damaged = || DiskError::damaged(&path, "it does not hold what was written");
    let (magic, rest) = bytes.split_first_chunk::<8>().ok_or_else(damaged)?;
    let (version, rest) = rest.split_first_chunk::<2>().ok_or_else(damaged)?;
    let (sum, body) = rest.split_first_chunk::<8>().ok_or_else(damaged)?;
    if *magic != MAGIC {
        return Err(damaged());
    }
    let found = u16::from_le_bytes(*version);
    if found != VERSION {
        return Err(DiskError::Version { path, found, known: VERSION });
    }
    if xxh3_64(body).to_le_bytes() != *sum {
        return Err(damaged());
    }
    let manifest: Manifest = postcard::from_bytes(body).map_err(|_| damaged())?;
    match manifest.part == part {
        true => Ok(Manifest { file, ..manifest }),
        false => Err(DiskError::Misplaced { file: path, part: manifest.part }),
    }
}
