//! Saving runs: each process writes its part, all at the same moments.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::disk::{PartOf, PartRecorder, SaveLimit, SavedRest, SavedStep};
use beget_engine::SavedRun;
use beget_engine::store::{ExactStore, FormRef, StoreError};
use beget_engine::varint::{put, take};
use beget_plan::scope::Plan;
use serde::{Deserialize, Serialize};

use crate::cluster::ClusterError;
use crate::cluster::link::{ProcessLink, RoundStep};
use crate::cluster::reading::{owner_hash, owner_of};
use crate::cluster::runner::Cluster;

/// The directory to which a process saves its part of a run.
#[derive(Debug)]
pub enum OwnDirectory {
    /// In a new directory.
    New(PartRecorder),
    /// In the directory of a saved run.
    Found {
        /// The directory.
        root: PathBuf,
        /// The identity of the run.
        identity: Vec<(String, String)>,
        /// The moments from which this process can continue.
        steps: Vec<SavedStep>,
        /// The limit of saving.
        limit: SaveLimit,
    },
}

/// The reason why a process cannot use its directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectoryFault {
    /// The reason.
    pub message: String,
    /// True if the directory is the wrong one, rather than in a bad state.
    pub is_wrong_input: bool,
}

/// The state of saving in this process.
#[derive(Debug)]
pub(crate) enum SavingState {
    /// The saved state, until the run takes it.
    Loaded(SavedRun, RunRecorder),
    Recording(RunRecorder),
}

/// The recorder of this process's part.
#[derive(Clone, Debug)]
pub(crate) struct RunRecorder {
    pub(crate) recorder: Arc<RwLock<PartRecorder>>,
    /// The memory that a store on disk may take.
    pub(crate) memory: u64,
}

impl RunRecorder {
    fn new(recorder: PartRecorder, memory: u64) -> Self {
        RunRecorder { recorder: Arc::new(RwLock::new(recorder)), memory }
    }
}

/// The saved state from which a process continues.
#[derive(Debug)]
pub(crate) struct SavedPart {
    pub(crate) root: PathBuf,
    pub(crate) me: PartOf,
    pub(crate) identity: Vec<(String, String)>,
    pub(crate) step: SavedStep,
}

/// The moments from which a process can continue, as it tells the others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct SaidSteps {
    /// The manifest of its part.
    manifest: String,
    steps: Vec<SavedStep>,
}

/// The kinds of message about a directory.
const USABLE: u8 = 0;
const WRONG: u8 = 1;
const BAD: u8 = 2;

impl Cluster {
    /// Returns the part of the run that this process has.
    pub fn part_of(&self) -> PartOf {
        PartOf { index: self.link().me() as u32, n: self.link().n() as u32 }
    }

    /// Makes all processes save the run of `plan`, each in its own directory. If there is a saved
    /// state, they continue from the last moment that all of them have, and the number of
    /// structures at that moment is returned. Either all processes call this before the run, or
    /// none; a process that cannot use its directory calls it too, so that the others do not wait.
    /// A run on disk takes about `memory` bytes of memory in this process.
    ///
    /// # Errors
    /// If one of them cannot use its directory, or they have nothing in common.
    pub fn save_in(
        &self,
        own: Result<OwnDirectory, DirectoryFault>,
        memory: u64,
        plan: &Plan,
    ) -> Result<Option<u64>, ClusterError> {
        self.find_and_load(own, memory, plan).map_err(|error| match self.failure() {
            Some(failure) => ClusterError::Lost(reason_of(&failure)),
            None => {
                // All know the error; no process takes another that ends for lost.
                let _ = self.link().end();
                error
            }
        })
    }

    fn find_and_load(
        &self,
        own: Result<OwnDirectory, DirectoryFault>,
        memory: u64,
        plan: &Plan,
    ) -> Result<Option<u64>, ClusterError> {
        let said = self.link().broadcast(RoundStep::Directories, 0, to_bytes(&own, self.part_of()));
        let said = said.map_err(|error| ClusterError::Connect(error.to_string()))?;
        let own = own.map_err(DirectoryFault::into_error)?;
        let last = self.common_steps(&said)?.into_iter().max();
        let n_structures = last.as_ref().map(|step| step.n_structures);
        let saving = match (own, last) {
            (OwnDirectory::New(recorder), _) => {
                SavingState::Recording(RunRecorder::new(recorder, memory))
            }
            (OwnDirectory::Found { root, identity, limit, .. }, Some(step)) => {
                let saved = SavedPart { root, me: self.part_of(), identity, step };
                self.load(saved, (limit, memory), plan)
                    .map_err(|error| ClusterError::Directory(reason_of(&error)))?
            }
            (OwnDirectory::Found { .. }, None) => return Err(self.nothing_in_common(&said)),
        };
        *self.saving() = Some(saving);
        Ok(n_structures)
    }

    /// Returns the moments from which all can continue, by their messages.
    fn common_steps(&self, said: &[Vec<u8>]) -> Result<Vec<SavedStep>, ClusterError> {
        let mut common: Option<Vec<SavedStep>> = None;
        for from in 0..said.len() {
            let SaidSteps { steps, .. } = self.steps_of(said, from)?;
            common = Some(match common {
                None => steps,
                Some(known) => known.into_iter().filter(|step| steps.contains(step)).collect(),
            });
        }
        Ok(common.unwrap_or_default())
    }

    /// Names the first process that has no moment in common with those before it.
    fn nothing_in_common(&self, said: &[Vec<u8>]) -> ClusterError {
        let has_common = |n: usize| self.common_steps(&said[..n]).is_ok_and(|all| !all.is_empty());
        let odd = (0..said.len()).find(|&index| !has_common(index + 1)).unwrap_or(0);
        let manifest = self.steps_of(said, odd).map(|said| said.manifest).unwrap_or_default();
        ClusterError::Usage(format!(
            "there is no moment that all processes have saved: `{manifest}` ({}) and those of the \
             other processes do not belong together",
            self.link().name(odd)
        ))
    }

    /// Reads the message of process `from` about its directory.
    fn steps_of(&self, said: &[Vec<u8>], from: usize) -> Result<SaidSteps, ClusterError> {
        let fault = || ClusterError::Connect(self.link().garbled(from).to_string());
        let (kind, rest) = said[from].split_first().ok_or_else(fault)?;
        if *kind != USABLE {
            let message = String::from_utf8_lossy(rest);
            let message = format!("{}: {message}", self.link().name(from));
            let is_wrong_input = *kind == WRONG;
            return Err(DirectoryFault { message, is_wrong_input }.into_error());
        }
        postcard::from_bytes(rest).map_err(|_| fault())
    }

    /// Reads what was saved, as all do.
    fn load(
        &self,
        saved: SavedPart,
        (limit, memory): (SaveLimit, u64),
        plan: &Plan,
    ) -> Result<SavingState, StoreError> {
        let loaded = match saved.step.is_on_disk() {
            true => self.open_on_disk(saved, (limit, memory), plan),
            false => self.read_into_memory(saved, (limit, memory), plan),
        };
        let done = loaded.as_ref().map(|_| 0).map_err(StoreError::clone);
        all_did(self.link(), 0, done)?;
        let (saved, recorder) = loaded?;
        Ok(SavingState::Loaded(saved, recorder))
    }

    fn read_into_memory(
        &self,
        saved: SavedPart,
        (limit, memory): (SaveLimit, u64),
        plan: &Plan,
    ) -> Result<(SavedRun, RunRecorder), StoreError> {
        let mut store = self.spread_store(plan, Box::new(ExactStore::new(1, plan.tag_bits())));
        let (recorder, state) = store.load(saved)?;
        let recorder = RunRecorder::new(recorder.with_limit(limit), memory);
        store.record_by(Arc::clone(&recorder.recorder));
        Ok((SavedRun { store: Box::new(store), state }, recorder))
    }

    fn open_on_disk(
        &self,
        saved: SavedPart,
        (limit, memory): (SaveLimit, u64),
        plan: &Plan,
    ) -> Result<(SavedRun, RunRecorder), StoreError> {
        let SavedPart { root, me, identity, step } = saved;
        let is_own = |form: FormRef<'_>| {
            let hash = owner_hash(form.unpadded().as_bytes());
            owner_of(hash, self.link().n()) == self.link().me()
        };
        let forms = (plan.tag_bits(), &is_own as &dyn Fn(FormRef<'_>) -> bool);
        let opened = PartRecorder::open_on_disk(&root, me, identity, &step, forms)?;
        let (recorder, SavedRest { totals, state }) = opened;
        let recorder = RunRecorder::new(recorder.with_limit(limit), memory);
        let store = self.spread_disk_store(plan, &recorder, totals);
        Ok((SavedRun { store: Box::new(store), state }, recorder))
    }

    pub(crate) fn recorder(&self) -> Option<RunRecorder> {
        match &*self.saving() {
            Some(SavingState::Loaded(_, recorder) | SavingState::Recording(recorder)) => {
                Some(recorder.clone())
            }
            None => None,
        }
    }

    /// Takes the saved state, for the run to continue.
    pub(crate) fn take_loaded(&self) -> Option<SavedRun> {
        let mut saving = self.saving();
        match saving.take() {
            Some(SavingState::Loaded(saved, recorder)) => {
                *saving = Some(SavingState::Recording(recorder));
                Some(saved)
            }
            other => {
                *saving = other;
                None
            }
        }
    }
}

impl DirectoryFault {
    fn into_error(self) -> ClusterError {
        match self.is_wrong_input {
            true => ClusterError::Usage(self.message),
            false => ClusterError::Directory(self.message),
        }
    }
}

fn to_bytes(own: &Result<OwnDirectory, DirectoryFault>, me: PartOf) -> Vec<u8> {
    let said = match own {
        Ok(OwnDirectory::New(_)) => SaidSteps::default(),
        Ok(OwnDirectory::Found { root, steps, .. }) => {
            let manifest = me.manifest_path(root).display().to_string();
            SaidSteps { manifest, steps: steps.clone() }
        }
        Err(DirectoryFault { message, is_wrong_input }) => {
            let kind = if *is_wrong_input { WRONG } else { BAD };
            return [&[kind], message.as_bytes()].concat();
        }
    };
    postcard::to_extend(&said, vec![USABLE]).expect("plain data can be written")
}

/// The answer of a process about its share: it failed, an interrupt has ended it, or the bytes
/// written above the last number.
const FAILED: u64 = 0;
const CUT_SHORT: u64 = 1;
const DID: u64 = 2;

/// Says to all whether this process could do its share, and how many bytes it has written: those of
/// all together. What they do is the same for all, which `detail` says.
///
/// # Errors
/// If one of them could not.
pub(crate) fn all_did(
    link: &ProcessLink,
    detail: u64,
    own: Result<u64, StoreError>,
) -> Result<u64, StoreError> {
    let mut bytes = Vec::new();
    match &own {
        Ok(n_bytes) => put(&mut bytes, DID + n_bytes),
        Err(StoreError::CutShort) => put(&mut bytes, CUT_SHORT),
        Err(error) => {
            put(&mut bytes, FAILED);
            bytes.extend_from_slice(reason_of(error).as_bytes());
        }
    }
    let said = link.broadcast(RoundStep::Saved, detail, bytes)?;
    own?;
    let mut sum = 0;
    for (from, mut rest) in said.iter().map(Vec::as_slice).enumerate() {
        match take(&mut rest).ok_or_else(|| link.garbled(from))? {
            CUT_SHORT => return Err(StoreError::CutShort),
            FAILED => {
                let reason = String::from_utf8_lossy(rest);
                return Err(StoreError::Failed(format!("{}: {reason}", link.name(from))));
            }
            did => sum += did - DID,
        }
    }
    Ok(sum)
}

pub(crate) fn reason_of(error: &StoreError) -> String {
    match error {
        StoreError::Failed(reason) => reason.clone(),
        full => full.to_string(),
    }
}

pub(crate) fn lock_any<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn read_any<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn write_any<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}
