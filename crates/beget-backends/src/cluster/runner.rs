//! A run that several processes make together, from the view of one.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use beget_engine::store::{Recipes, Store, StoreError, StructureId, Totals};
use beget_engine::varint::{put, take, take_bytes};
use beget_engine::{
    Block, BlockResult, BlockRunner, CallTable, Explorer, NewStore, SavedRun, Threads,
};
use beget_plan::finding::StopReason;
use beget_plan::scope::Plan;
use beget_run::{AfterBatch, Machines};

use crate::cluster::disk_part::DiskPart;
use crate::cluster::disk_store::SpreadDiskStore;
use crate::cluster::link::{Messages, ProcessLink, RoundStep};
use crate::cluster::part::{FetchedForms, KeptForms, OwnPart};
use crate::cluster::reading::{self, Reading, Request};
use crate::cluster::saving::{RunRecorder, SavingState, all_did, lock_any, write_any};
use crate::cluster::store::{SpreadStore, own_blocks};

/// The processes of a run, of which this is one.
pub struct Cluster {
    link: Arc<ProcessLink>,
    reading: Arc<Reading>,
    /// The part of the search in progress that this process keeps.
    part: Mutex<Option<Arc<dyn KeptForms>>>,
    /// The files to which this process saves its part of the run, if it does.
    saving: Mutex<Option<SavingState>>,
}

impl fmt::Debug for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cluster").field("link", &self.link).finish_non_exhaustive()
    }
}

impl Cluster {
    pub(crate) fn new(link: Arc<ProcessLink>) -> Self {
        Cluster { link, reading: Arc::default(), part: Mutex::new(None), saving: Mutex::new(None) }
    }

    /// Returns whether this is the process that shows and writes the result.
    pub fn is_first(&self) -> bool {
        self.link.me() == 0
    }

    /// Returns the failure of the connection to the other processes, if it has failed.
    pub fn failure(&self) -> Option<StoreError> {
        self.link.failure()
    }

    /// Returns whether a process was lost.
    pub fn has_lost_one(&self) -> bool {
        self.link.lost().is_some()
    }

    /// Returns whether the first process was lost, which is to say how the run ended.
    pub fn has_lost_first(&self) -> bool {
        self.link.lost() == Some(0)
    }

    /// The run is over: the first process reads what it needs, and the others
    /// [serve](Cluster::serve) it.
    pub fn lead(&self) {
        self.reading.lead();
    }

    /// Gives the first process the forms that it asks for, until it [ends](Cluster::end). Returns
    /// the exit code for all.
    ///
    /// # Errors
    /// If a process is lost, or a form cannot be read.
    pub fn serve(&self) -> Result<u8, StoreError> {
        let part = self.part();
        let exit = reading::serve(&self.link, &*part)?;
        self.link.end()?;
        Ok(exit)
    }

    /// Ends all processes with this exit code. Returns the bytes that they have sent to each other.
    ///
    /// # Errors
    /// If a process is lost.
    pub fn end(&self, exit: u8) -> Result<u64, StoreError> {
        reading::ask(&self.link, &Request::End(exit))?;
        self.link.end()
    }

    /// Makes an empty store, of which this process keeps its part in `part`.
    pub(crate) fn spread_store(&self, plan: &Plan, part: Box<dyn Store>) -> SpreadStore {
        let part = Arc::new(Mutex::new(OwnPart::new(part)));
        *lock_any(&self.part) = Some(Arc::clone(&part) as Arc<dyn KeptForms>);
        let (link, reading) = (Arc::clone(&self.link), Arc::clone(&self.reading));
        let n_calls = CallTable::new(plan).n_calls();
        SpreadStore::new(link, part, reading, n_calls, plan.tag_bits())
    }

    /// Makes the store of the structures that the recorder's directory has, with these totals.
    pub(crate) fn spread_disk_store(
        &self,
        plan: &Plan,
        RunRecorder { recorder, memory }: &RunRecorder,
        totals: Totals,
    ) -> SpreadDiskStore {
        let part = Arc::new(DiskPart::new(Arc::clone(recorder), plan.tag_bits()));
        *lock_any(&self.part) = Some(Arc::clone(&part) as Arc<dyn KeptForms>);
        let (link, reading) = (Arc::clone(&self.link), Arc::clone(&self.reading));
        SpreadDiskStore::new(link, reading, part, (totals, plan.tag_bits(), *memory))
    }

    pub(crate) fn link(&self) -> &ProcessLink {
        &self.link
    }

    pub(crate) fn saving(&self) -> MutexGuard<'_, Option<SavingState>> {
        lock_any(&self.saving)
    }

    fn part(&self) -> Arc<dyn KeptForms> {
        lock_any(&self.part).clone().expect("the run has begun, with a store")
    }

    /// Adds the forms to the blocks that this process makes.
    fn fetch(&self, blocks: &[Block]) -> Result<Vec<Block>, StoreError> {
        let (me, n) = (self.link.me(), self.link.n());
        let wanted = |of: usize| {
            let blocks = own_blocks(of, n, blocks.len()).map(|index| &blocks[index]);
            let mut ids: Vec<u64> =
                blocks.flat_map(Block::structures).map(StructureId::number).collect();
            ids.sort_unstable();
            ids.dedup();
            ids
        };
        let part = self.part();
        let messages: Result<Messages, StoreError> =
            (0..n).map(|of| part.forms_of(&wanted(of))).collect();
        let arrived = self.link.exchange(RoundStep::Forms, blocks.len() as u64, messages?)?;
        let table = FetchedForms::read(wanted(me), &arrived);
        let table = table.map_err(|from| self.link.garbled(from))?;
        let mut next = 0;
        let mut form = |id| table.get(id, &mut next).expect("it was asked for");
        let own = own_blocks(me, n, blocks.len()).map(|index| &blocks[index]);
        Ok(own.map(|block| block.with_forms(block.structures().map(&mut form))).collect())
    }

    /// Sends the results of this process's blocks to all, and takes in those of the others.
    fn share(
        &self,
        explorer: &Explorer<'_>,
        n_blocks: usize,
        own: Vec<BlockResult>,
    ) -> Result<Vec<BlockResult>, StoreError> {
        let (me, n) = (self.link.me(), self.link.n());
        let mut message = Vec::new();
        let mut own: Vec<BlockResult> = own;
        for result in &mut own {
            let candidates = std::mem::take(&mut result.candidates);
            let bytes = result.to_bytes(explorer);
            put(&mut message, bytes.len() as u64);
            message.extend(bytes);
            result.candidates = candidates;
        }
        let mut messages = vec![message; n];
        messages[me].clear();
        let arrived = self.link.exchange(RoundStep::Results, n_blocks as u64, messages)?;
        let mut rest: Vec<&[u8]> = arrived.iter().map(Vec::as_slice).collect();
        let mut own = own.into_iter();
        let mut results = Vec::with_capacity(n_blocks);
        for from in (0..n_blocks).map(|index| index % n) {
            let result = match from == me {
                true => own.next(),
                false => read_result(explorer, &mut rest[from])?,
            };
            results.push(result.ok_or_else(|| self.link.garbled(from))?);
        }
        Ok(results)
    }
}

fn read_result(
    explorer: &Explorer<'_>,
    rest: &mut &[u8],
) -> Result<Option<BlockResult>, StoreError> {
    let len = take(rest).and_then(|len| usize::try_from(len).ok());
    let Some(bytes) = len.and_then(|len| take_bytes(rest, len)) else { return Ok(None) };
    let result = BlockResult::from_bytes(explorer, bytes);
    result.map(Some).map_err(|error| StoreError::Failed(error.to_string()))
}

impl BlockRunner for Cluster {
    fn run_all(
        &self,
        explorer: &Explorer<'_>,
        recipes: &dyn Recipes,
        blocks: &[Block],
        wait: &mut dyn FnMut(),
    ) -> Vec<BlockResult> {
        let made = self.fetch(blocks).and_then(|own| {
            let own = Threads.run_all(explorer, recipes, &own, wait);
            self.share(explorer, blocks.len(), own)
        });
        made.unwrap_or_else(|error| {
            blocks.iter().map(|_| BlockResult::failed(error.clone())).collect()
        })
    }
}

impl Machines for Cluster {
    fn new_store(&self, plan: &Plan, part: Box<dyn Store>) -> NewStore {
        let Some(own) = self.recorder() else { return Ok(Box::new(self.spread_store(plan, part))) };
        let mut recorder = write_any(&own.recorder);
        let begun = recorder.begin_again();
        let is_store = recorder.is_store();
        drop(recorder);
        all_did(&self.link, 0, begun.map(|()| 0).map_err(StoreError::from))?;
        if is_store {
            return Ok(Box::new(self.spread_disk_store(plan, &own, Totals::default())));
        }
        let mut store = self.spread_store(plan, part);
        store.record_by(own.recorder);
        Ok(Box::new(store))
    }

    fn saved(&self) -> Option<SavedRun> {
        self.take_loaded()
    }

    fn agree(&self, own: AfterBatch) -> AfterBatch {
        let mut bytes = vec![own.save.into()];
        bytes.extend(reason_to_bytes(own.stop));
        // A lost process ends the run with the next batch.
        let Ok(said) = self.link.broadcast(RoundStep::Agree, 0, bytes) else {
            return AfterBatch::default();
        };
        AfterBatch {
            stop: said.iter().find_map(|bytes| reason_of_bytes(bytes.get(1..)?)),
            save: said.iter().any(|bytes| bytes.first() == Some(&1)),
        }
    }

    fn aside(&self, work: &mut dyn FnMut()) {
        self.reading.aside(work);
    }
}

/// Writes the reasons that may differ between processes; all processes count the others in the same
/// way.
fn reason_to_bytes(reason: Option<StopReason>) -> Vec<u8> {
    let (kind, number) = match reason {
        None => return Vec::new(),
        Some(StopReason::MaxSeconds(time)) => (1, time.as_nanos() as u64),
        Some(StopReason::MaxMemory(mib)) => (2, mib),
        Some(_) => (3, 0),
    };
    let mut bytes = vec![kind];
    put(&mut bytes, number);
    bytes
}

fn reason_of_bytes(bytes: &[u8]) -> Option<StopReason> {
    let (kind, mut rest) = bytes.split_first()?;
    let number = take(&mut rest)?;
    Some(match kind {
        1 => StopReason::MaxSeconds(Duration::from_nanos(number)),
        2 => StopReason::MaxMemory(number),
        _ => StopReason::Interrupted,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_come_out_as_they_went_in() {
        let time = StopReason::MaxSeconds(Duration::from_millis(1500));
        let reasons =
            [None, Some(time), Some(StopReason::MaxMemory(512)), Some(StopReason::Interrupted)];
        for reason in reasons {
            assert_eq!(reason_of_bytes(&reason_to_bytes(reason)), reason);
        }
    }
}
