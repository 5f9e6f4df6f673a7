//! Runs of several processes: each saves its part, in a directory of its own below that of the run.
//!
//! The segments of a part hold *all* structures of the run in order, each with its origin, so that
//! a process can continue from its own part alone. They have the form of each structure that the
//! process keeps; of another one only the type tag, which takes hardly any room. Any number of
//! processes can continue from the parts of all: each reads all forms, and keeps its own.
//!
//! The segments of a run on disk are parts too, written as the store settles. The tags of other
//! processes' structures have a partition of their own there, so that deciding on candidates reads
//! only forms.
//!
//! A *step* is a moment at which all processes save. One may be killed after it has saved and
//! before another has, so a part keeps the previous step too. A run continues from the last step
//! that all have. Equal steps have equal fingerprints, of all the run's state besides its
//! structures. Since runs of one plan do the same, parts with equal steps belong together.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use beget_engine::CallIdx;
use beget_engine::store::{Candidates, FormRef, Origin, StoreError, StructureId, TagBits, Totals};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::disk::directory::{
    Directory, Manifest, ManifestFile, StoreForm, files_of_whole, has_manifest, lock_shared,
    part_manifests,
};
use crate::disk::error::DiskError;
use crate::disk::limit::SaveLimit;
use crate::disk::partition::{OF_OTHERS, hash_of, own_partition_of, trimmed};
use crate::disk::recording::{RecordSource, SegmentRecorder};
use crate::disk::segment::Segment;
use crate::disk::stored::{StoredSegments, StructureReader};

/// The number of a part, and the number of all parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PartOf {
    /// The number of the process, from 0 on.
    pub index: u32,
    /// The number of processes.
    pub n: u32,
}

impl PartOf {
    /// The only part.
    pub const WHOLE: PartOf = PartOf { index: 0, n: 1 };

    fn path(self, root: &Path) -> PathBuf {
        root.join(format!("part-{}-of-{}", self.index, self.n))
    }

    /// Returns whether a run of the same number of processes has saved all parts that are in the
    /// directory, this one among them.
    pub fn are_saved(self, root: &Path) -> bool {
        let mut all = (0..self.n).map(|index| PartOf { index, ..self });
        let is_saved = |part: PartOf| part.manifest_path(root).exists();
        is_saved(self) && all.all(|part| !part.path(root).exists() || is_saved(part))
    }

    /// Returns the path of the part's manifest in the directory of the run.
    pub fn manifest_path(self, root: &Path) -> PathBuf {
        ManifestFile::Newest.path(&self.path(root))
    }

    fn of_name(name: &str) -> Option<PartOf> {
        let (index, n) = name.strip_prefix("part-")?.split_once("-of-")?;
        Some(PartOf { index: index.parse().ok()?, n: n.parse().ok()? })
    }
}

/// A moment from which a run can continue.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SavedStep {
    /// The number of structures.
    pub n_structures: u64,
    /// The number of times that the processes had saved.
    step: u64,
    /// The number of processes; `None` if one has saved all of it.
    n_parts: Option<u32>,
    /// True if the structures were in the directory alone, and stay there.
    is_on_disk: bool,
    /// Equal for equal moments of equal runs.
    fingerprint: u64,
}

impl SavedStep {
    /// Returns whether a single process has saved it, not in parts.
    pub fn is_whole(&self) -> bool {
        self.n_parts.is_none()
    }

    /// Returns whether the structures were in the directory alone. A run that continues from it
    /// keeps them there.
    pub fn is_on_disk(&self) -> bool {
        self.is_on_disk
    }

    /// Returns whether the number of processes that saved it is the current one.
    pub fn is_of(&self, me: PartOf) -> bool {
        self.n_parts == Some(me.n)
    }
}

/// The content of a run's directory.
#[derive(Debug, Default)]
pub struct SavedSteps {
    /// The moments from which the process can continue; none if the parts are of different ones.
    pub steps: Vec<SavedStep>,
    /// The manifest of a part that has no moment in common with the parts before it.
    pub mixed: Option<PathBuf>,
    /// The identities of the runs saved there, by manifest.
    pub identities: Vec<(PathBuf, Vec<(String, String)>)>,
}

/// The form of a structure in a part.
#[derive(Clone, Copy, Debug)]
pub enum PartForm<'f> {
    /// The process keeps the form.
    Own(FormRef<'f>),
    /// Another process keeps it; this is its type tag.
    Other(FormRef<'f>),
}

/// The saved state of a run besides its structures.
#[derive(Clone, Debug)]
pub struct SavedRest {
    /// The totals of all structures.
    pub totals: Totals,
    /// The rest.
    pub state: Vec<u8>,
}

/// The first byte of a structure's record: its form follows, ...
pub(crate) const OWN: u8 = 1;
/// ... or its type tag.
const OTHER: u8 = 0;

impl<'f> PartForm<'f> {
    pub(crate) fn put(self, record: &mut Vec<u8>) {
        let (kind, form) = match self {
            PartForm::Own(form) => (OWN, form),
            PartForm::Other(tag) => (OTHER, tag),
        };
        record.clear();
        record.push(kind);
        record.extend_from_slice(trimmed(form.as_bytes()));
    }

    /// Zeros at the end of a record may be missing.
    pub(crate) fn of_record(record: &'f [u8]) -> Option<Self> {
        match record.split_first() {
            None => Some(PartForm::Other(FormRef::new(&[]))),
            Some((&OTHER, tag)) => Some(PartForm::Other(FormRef::new(tag))),
            Some((&OWN, form)) => Some(PartForm::Own(FormRef::new(form))),
            Some(_) => None,
        }
    }
}

/// Writes the record of a form that the process keeps on disk. Returns its partition.
pub(crate) fn put_own(form: FormRef<'_>, record: &mut Vec<u8>) -> u8 {
    PartForm::Own(form).put(record);
    own_partition_of(hash_of(trimmed(form.as_bytes())))
}

/// Writes the record of a structure that another process keeps. Returns its partition.
pub(crate) fn put_other(tag: u32, record: &mut Vec<u8>) -> u8 {
    PartForm::Other(FormRef::new(&tag.to_le_bytes())).put(record);
    OF_OTHERS
}

/// The source of a part's structures.
pub trait PartStructures {
    /// Calls `visit` with each structure of `ids`, in order.
    ///
    /// # Errors
    /// If one cannot be read.
    fn scan(
        &self,
        ids: Range<u64>,
        visit: &mut dyn FnMut(StructureId, PartForm<'_>),
    ) -> Result<(), StoreError>;

    /// Returns how a structure was made.
    ///
    /// # Errors
    /// If it cannot be read.
    fn origin(&self, id: StructureId) -> Result<Origin, StoreError>;
}

/// The structures of a part as they are written.
struct Records<'s>(&'s dyn PartStructures);

impl RecordSource for Records<'_> {
    fn scan(
        &self,
        ids: Range<u64>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError> {
        let mut record = Vec::new();
        self.0.scan(ids, &mut |id, form| {
            form.put(&mut record);
            visit(id, FormRef::new(&record));
        })
    }

    fn origin(&self, id: StructureId) -> Result<Origin, StoreError> {
        self.0.origin(id)
    }
}

/// Saves the part of one process.
#[derive(Debug)]
pub struct PartRecorder {
    root: PathBuf,
    recording: SegmentRecorder,
    step: u64,
    form: StoreForm,
}

impl PartRecorder {
    /// Makes the directory of a part of a new run below `root`, which may hold those of the other
    /// parts.
    ///
    /// # Errors
    /// If there is anything else, or it cannot be made.
    pub fn create(
        root: &Path,
        me: PartOf,
        identity: Vec<(String, String)>,
    ) -> Result<Self, DiskError> {
        fs::create_dir_all(root).map_err(DiskError::io("write", root))?;
        if has_manifest(root) {
            return Err(DiskError::Occupied(root.to_owned()));
        }
        for (_, part) in names_in(root)? {
            let part = part.ok_or_else(|| DiskError::Foreign(root.to_owned()))?;
            if has_manifest(&part.path(root)) {
                return Err(DiskError::Occupied(root.to_owned()));
            }
        }
        let recording =
            SegmentRecorder::new(Directory::create_for(&me.path(root), identity, Some(me))?);
        let (root, form) = (root.to_owned(), StoreForm::Part);
        Ok(PartRecorder { root, recording, step: 0, form })
    }

    /// Continues from `step`, which is one of those that the process [has](saved_steps). `visit` is
    /// called with each structure in order, as [`read_saved`] does.
    ///
    /// # Errors
    /// If the files are damaged, or another process uses them.
    pub fn open(
        root: &Path,
        me: PartOf,
        identity: Vec<(String, String)>,
        step: &SavedStep,
        visit: &mut dyn FnMut(PartForm<'_>, CallIdx, &[StructureId]),
    ) -> Result<(Self, SavedRest), DiskError> {
        let path = me.path(root);
        let (recording, rest) = if step.n_parts == Some(me.n) {
            let manifest = manifest_of(root, me, step)?;
            let stored = StoredSegments::open(&path, &manifest)?;
            let directory = Directory::open_part(&path, &manifest)?;
            let rest = read_own(&path, &manifest, &stored, visit)?;
            (SegmentRecorder::of(directory, stored), rest)
        } else {
            fs::create_dir_all(&path).map_err(DiskError::io("write", &path))?;
            let directory = Directory::replace_for(&path, identity, Some(me))?;
            (SegmentRecorder::new(directory), read_saved(root, me, step, visit)?)
        };
        let recording = recording.with_older(older_than(root, Some(me))?);
        let (root, form) = (root.to_owned(), StoreForm::Part);
        Ok((PartRecorder { root, recording, step: step.step, form }, rest))
    }

    /// Continues a run on disk from `step`. The part is written anew if the number of processes
    /// was another one; `is_own` returns whether the process keeps a form.
    ///
    /// # Errors
    /// If the files are damaged, or another process uses them.
    pub fn open_on_disk(
        root: &Path,
        me: PartOf,
        identity: Vec<(String, String)>,
        step: &SavedStep,
        (tag_bits, is_own): (TagBits, &dyn Fn(FormRef<'_>) -> bool),
    ) -> Result<(Self, SavedRest), StoreError> {
        let path = me.path(root);
        let (recording, rest) = if step.is_of(me) {
            let manifest = manifest_of(root, me, step)?;
            let stored = StoredSegments::open(&path, &manifest)?;
            let directory = Directory::open_part(&path, &manifest)?;
            let rest = rest_of(&manifest).ok_or_else(|| no_record(&path))?;
            (SegmentRecorder::of(directory, stored), rest)
        } else {
            fs::create_dir_all(&path).map_err(DiskError::io("write", &path))?;
            let directory = Directory::replace_for(&path, identity, Some(me))?;
            let mut recording = SegmentRecorder::new(directory);
            let rest = recording.fill(|filler| {
                let mut record = Vec::new();
                let rest = read_saved(root, me, step, &mut |form, call, arguments| {
                    let (PartForm::Own(form) | PartForm::Other(form)) = form;
                    let partition = match is_own(form) {
                        true => put_own(form, &mut record),
                        false => put_other(form.type_tag(tag_bits) as u32, &mut record),
                    };
                    filler.push(partition, &record, call, arguments);
                })?;
                Ok(rest)
            })?;
            (recording, rest)
        };
        let recording = recording.with_older(older_than(root, Some(me))?);
        let (root, form) = (root.to_owned(), StoreForm::DiskPart);
        Ok((PartRecorder { root, recording, step: step.step, form }, rest))
    }

    /// The same of a new run, whose structures are in the directory alone.
    pub fn that_stores(self) -> Self {
        PartRecorder { form: StoreForm::DiskPart, ..self }
    }

    /// Returns whether the structures are in the directory alone.
    pub fn is_store(&self) -> bool {
        self.form.is_on_disk()
    }

    /// Counts the structures from `first` on: no test can make as many as there may be.
    #[cfg(test)]
    pub(crate) fn counted_from(mut self, first: u64) -> Self {
        self.recording.stored = self.recording.stored.counted_from(first);
        self
    }

    pub(crate) fn stored(&self) -> &StoredSegments {
        &self.recording.stored
    }

    /// Adds the structures of a segment, which was written behind the others.
    pub(crate) fn push(&mut self, segment: Segment) {
        self.recording.stored.push(segment);
    }

    pub(crate) fn no_record(&self) -> DiskError {
        no_record(self.stored().path())
    }

    pub(crate) fn limit(&self) -> SaveLimit {
        self.recording.limit
    }

    /// The same, which gives up saving when `limit` says so.
    pub fn with_limit(mut self, limit: SaveLimit) -> Self {
        self.recording.limit = limit;
        self
    }

    /// Begins anew: what it has saved is worth nothing.
    ///
    /// # Errors
    /// If they cannot be removed.
    pub fn begin_again(&mut self) -> Result<(), DiskError> {
        self.recording.begin_again()
    }

    /// Returns the directory of the run.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the number of written structures.
    pub fn len(&self) -> u64 {
        self.recording.len()
    }

    /// Returns whether nothing is written.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the bytes of the files.
    pub fn n_bytes(&self) -> u64 {
        self.recording.n_bytes()
    }

    /// Saves the structures up to number `end`, and the rest of the run. The previous step is kept
    /// too.
    ///
    /// # Errors
    /// If they cannot be read or written. The saved files are unchanged then.
    pub fn save(
        &mut self,
        structures: &dyn PartStructures,
        end: u64,
        totals: &Totals,
        state: &[u8],
    ) -> Result<(), StoreError> {
        self.recording.write(&Records(structures), end)?;
        Ok(self.save_written(totals, state)?)
    }

    /// Saves the written structures, and the rest of the run. The previous step is kept too.
    pub(crate) fn save_written(&mut self, totals: &Totals, state: &[u8]) -> Result<(), DiskError> {
        let mut stepped = (self.step + 1).to_le_bytes().to_vec();
        stepped.extend_from_slice(state);
        self.recording.save(totals, self.form, &stepped)?;
        self.step += 1;
        Ok(())
    }

    /// Removes the step that the run continued from; called when all processes have saved.
    pub fn all_have_saved(&mut self) {
        self.recording.forget_older();
    }
}

/// Reads the steps in the directory of a run from which process `me` can continue.
///
/// # Errors
/// If there is no run, or a part is missing, or the files are damaged or were not saved together.
pub fn saved_steps(root: &Path, me: PartOf) -> Result<SavedSteps, DiskError> {
    let mut saved = SavedSteps::default();
    let whole = saved.manifests_of(root, None)?;
    saved.steps.extend(whole.iter().filter_map(|whole| step_of(whole, None)));
    let mut missing = None;
    let numbers = numbers_of_parts(root)?;
    for &n in &numbers {
        let mut common: Option<Vec<SavedStep>> = None;
        for part in needed(me, n) {
            let path = part.path(root);
            let manifests = saved.manifests_of(&path, Some(part))?;
            if manifests.is_empty() {
                missing = Some(path.clone());
            }
            let steps = manifests.iter().filter_map(|manifest| step_of(manifest, Some(n)));
            let steps: Vec<SavedStep> = steps.collect();
            let shared: Vec<SavedStep> = match &common {
                None => steps,
                Some(known) => known.iter().filter(|step| steps.contains(step)).cloned().collect(),
            };
            if let Some(manifest) = manifests.first().filter(|_| shared.is_empty()) {
                saved.mixed.get_or_insert(manifest.file.path(&path));
            }
            common = Some(shared);
        }
        saved.steps.extend(common.unwrap_or_default());
    }
    match missing.filter(|_| saved.steps.is_empty()) {
        Some(path) => Err(DiskError::NoPart(path)),
        None if saved.identities.is_empty() => Err(DiskError::NoRun(root.to_owned())),
        None => Ok(saved),
    }
}

impl SavedSteps {
    /// Reads the manifests of a directory, and checks that their segments are as they were saved.
    fn manifests_of(
        &mut self,
        directory: &Path,
        part: Option<PartOf>,
    ) -> Result<Vec<Manifest>, DiskError> {
        let manifests = part_manifests(directory, part)?;
        for manifest in &manifests {
            StoredSegments::open(directory, manifest)?;
            self.identities.push((manifest.file.path(directory), manifest.identity.clone()));
        }
        Ok(manifests)
    }
}

/// Returns whether a directory holds parts of a run.
pub fn holds_parts(root: &Path) -> bool {
    let mut parts = names_in(root).unwrap_or_default().into_iter().filter_map(|(_, part)| part);
    parts.any(|part| has_manifest(&part.path(root)))
}

/// Reads a saved step: `visit` is called with each structure in order. The form is there if the
/// process keeps it, or if the number of processes was another one at `step`.
///
/// # Errors
/// If the files are damaged, or another process writes to them.
pub fn read_saved(
    root: &Path,
    me: PartOf,
    step: &SavedStep,
    visit: &mut dyn FnMut(PartForm<'_>, CallIdx, &[StructureId]),
) -> Result<SavedRest, DiskError> {
    match step.n_parts {
        None => {
            let _lock = lock_shared(root)?;
            let manifest = manifest_at(root, None, step)?;
            let manifest = manifest.ok_or_else(|| DiskError::NoRun(root.to_owned()))?;
            let stored = StoredSegments::open(root, &manifest)?;
            StructureReader::new(&stored).read(u64::MAX, &mut |form, call, arguments| {
                visit(PartForm::Own(form), call, arguments);
            })?;
            Ok(SavedRest { totals: manifest.totals, state: manifest.state })
        }
        Some(n) if n == me.n => {
            let path = me.path(root);
            let _lock = lock_shared(&path)?;
            let manifest = manifest_of(root, me, step)?;
            read_own(&path, &manifest, &StoredSegments::open(&path, &manifest)?, visit)
        }
        Some(n) => read_all(root, n, step, visit),
    }
}

/// Reads one part.
fn read_own(
    path: &Path,
    manifest: &Manifest,
    stored: &StoredSegments,
    visit: &mut dyn FnMut(PartForm<'_>, CallIdx, &[StructureId]),
) -> Result<SavedRest, DiskError> {
    let mut is_whole = true;
    let mut reader = StructureReader::new(stored);
    reader.read(u64::MAX, &mut |record, call, arguments| match PartForm::of_record(
        record.as_bytes(),
    ) {
        Some(form) => visit(form, call, arguments),
        None => is_whole = false,
    })?;
    rest_of(manifest).filter(|_| is_whole).ok_or_else(|| no_record(path))
}

/// Reads all parts at once.
fn read_all(
    root: &Path,
    n: u32,
    step: &SavedStep,
    visit: &mut dyn FnMut(PartForm<'_>, CallIdx, &[StructureId]),
) -> Result<SavedRest, DiskError> {
    let parts = (0..n).map(|index| PartOf { index, n });
    let opened: Result<Vec<_>, DiskError> = parts.map(|part| open_part(root, part, step)).collect();
    let opened = opened?;
    let mut readers: Vec<StructureReader<'_>> =
        opened.iter().map(|part| StructureReader::new(&part.stored)).collect();
    for first in (0..step.n_structures).step_by(AT_ONCE as usize) {
        let n_records = AT_ONCE.min(step.n_structures - first);
        let blocks: Result<Vec<Candidates>, DiskError> =
            readers.iter_mut().map(|reader| read_block(reader, n_records)).collect();
        merge(&blocks?, n_records as usize, visit).ok_or_else(|| no_record(root))?;
    }
    let first = &opened[0];
    rest_of(&first.manifest).ok_or_else(|| no_record(&first.path))
}

/// The number of structures read at once from each part.
const AT_ONCE: u64 = 4096;

struct OpenPart {
    path: PathBuf,
    manifest: Manifest,
    stored: StoredSegments,
    _lock: fs::File,
}

fn open_part(root: &Path, part: PartOf, step: &SavedStep) -> Result<OpenPart, DiskError> {
    let path = part.path(root);
    let lock = lock_shared(&path)?;
    let manifest = manifest_of(root, part, step)?;
    let stored = StoredSegments::open(&path, &manifest)?;
    Ok(OpenPart { path, manifest, stored, _lock: lock })
}

/// Reads the next records of a part.
fn read_block(reader: &mut StructureReader<'_>, n: u64) -> Result<Candidates, DiskError> {
    let (mut block, mut words) = (Candidates::default(), Vec::new());
    reader.read(n, &mut |record, call, arguments| {
        block.push_stored(record, call, arguments, &mut words);
    })?;
    Ok(block)
}

/// Passes on each structure with the form that one part has; `None` if not exactly one has it.
fn merge(
    blocks: &[Candidates],
    n: usize,
    visit: &mut dyn FnMut(PartForm<'_>, CallIdx, &[StructureId]),
) -> Option<()> {
    let mut records: Vec<_> = blocks.iter().map(Candidates::iter).collect();
    let mut bytes = Vec::new();
    let mut own = Vec::new();
    for _ in 0..n {
        let mut n_owners = 0;
        let mut made = None;
        for records in &mut records {
            let record = records.next()?;
            bytes.clear();
            record.form.append_to(&mut bytes);
            if let PartForm::Own(form) = PartForm::of_record(&bytes)? {
                n_owners += 1;
                own.clear();
                own.extend_from_slice(form.as_bytes());
                made = Some((record.call, record.arguments));
            }
        }
        let (call, arguments) = made.filter(|_| n_owners == 1)?;
        visit(PartForm::Own(FormRef::new(&own)), call, arguments);
    }
    Some(())
}

fn no_record(path: &Path) -> DiskError {
    DiskError::damaged(path, "structures are missing, or not those of a part")
}

/// Returns the parts that process `me` needs of a run of `n` processes.
fn needed(me: PartOf, n: u32) -> Vec<PartOf> {
    match n == me.n {
        true => vec![me],
        false => (0..n).map(|index| PartOf { index, n }).collect(),
    }
}

fn numbers_of_parts(root: &Path) -> Result<BTreeSet<u32>, DiskError> {
    Ok(names_in(root)?.into_iter().filter_map(|(_, part)| Some(part?.n)).collect())
}

/// Returns the names in a directory, in order, each with the part that it names; nothing if the
/// directory is missing.
fn names_in(root: &Path) -> Result<Vec<(String, Option<PartOf>)>, DiskError> {
    let entries = match fs::read_dir(root) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(DiskError::io("read", root)(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(DiskError::io("read", root))?.file_name();
        let name = name.to_string_lossy().into_owned();
        let part = PartOf::of_name(&name).filter(|part| part.index < part.n);
        names.push((name, part));
    }
    names.sort();
    Ok(names)
}

/// Returns the files that a run continuing as part `me`, or whole, no longer needs.
pub(crate) fn older_than(root: &Path, me: Option<PartOf>) -> Result<Vec<PathBuf>, DiskError> {
    let mut older = if me.is_some() { files_of_whole(root)? } else { Vec::new() };
    let parts = names_in(root)?.into_iter().filter_map(|(_, part)| part);
    let others = parts.filter(|part| me.is_none_or(|me| me.n != part.n));
    older.extend(others.map(|part| part.path(root)));
    Ok(older)
}

/// Reads the manifest of a part at a step.
fn manifest_of(root: &Path, part: PartOf, step: &SavedStep) -> Result<Manifest, DiskError> {
    let path = part.path(root);
    let found = manifest_at(&path, Some(part), step)?;
    found.ok_or(DiskError::NoPart(path))
}

/// Reads the manifest of a directory at a step.
fn manifest_at(
    path: &Path,
    part: Option<PartOf>,
    step: &SavedStep,
) -> Result<Option<Manifest>, DiskError> {
    let mut manifests = part_manifests(path, part)?.into_iter();
    Ok(manifests.find(|manifest| step_of(manifest, step.n_parts).as_ref() == Some(step)))
}

/// Returns the moment at which a manifest was saved, by `n_parts` processes or by one alone.
fn step_of(manifest: &Manifest, n_parts: Option<u32>) -> Option<SavedStep> {
    let (step, state) = match n_parts {
        None => (0, &manifest.state[..]),
        Some(_) => split_step(manifest)?,
    };
    let Totals { by_type, by_objects, digest } = &manifest.totals;
    let all = (&manifest.identity, by_type, by_objects, digest, state);
    let all = postcard::to_extend(&all, Vec::new()).expect("plain data can be written");
    let (n_structures, fingerprint) = (manifest.n_structures, xxh3_64(&all));
    let is_on_disk = manifest.store.is_on_disk();
    Some(SavedStep { n_structures, step, n_parts, is_on_disk, fingerprint })
}

/// Splits the manifest of a part into the number of its step and the state of the run.
fn split_step(manifest: &Manifest) -> Option<(u64, &[u8])> {
    let is_part = manifest.store.is_in_parts();
    let (step, state) = manifest.state.split_first_chunk().filter(|_| is_part)?;
    Some((u64::from_le_bytes(*step), state))
}

/// Returns the saved state of a part besides its structures.
fn rest_of(manifest: &Manifest) -> Option<SavedRest> {
    let (_, state) = split_step(manifest)?;
    Some(SavedRest { totals: manifest.totals.clone(), state: state.to_vec() })
}
