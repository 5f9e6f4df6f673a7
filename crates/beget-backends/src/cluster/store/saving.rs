//! Saving the part of one process to files.

use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, RwLock};

use crate::disk::{PartForm, PartRecorder, PartStructures, SavedRest};
use beget_engine::CallIdx;
use beget_engine::store::{Candidates, Origin, Store, StoreError, StructureId};
use xxhash_rust::xxh3::xxh3_64;

use super::{SpreadStore, push_form};
use crate::cluster::reading::{owner_hash, owner_of};
use crate::cluster::saving::{SavedPart, all_did, lock_any, read_any, write_any};

/// The number of structures given to the part's store at once.
const AT_ONCE: usize = 1 << 16;

impl SpreadStore {
    /// Makes `recorder` write the structures to files.
    pub(crate) fn record_by(&mut self, recorder: Arc<RwLock<PartRecorder>>) {
        self.disk_bytes = read_any(&recorder).n_bytes();
        self.recorder = Some(recorder);
    }

    /// Writes the new structures, as all processes do.
    pub(super) fn save_part(&mut self, state: &[u8]) -> Result<(), StoreError> {
        let Some(recorder) = self.recorder.clone() else { return Ok(()) };
        let mut recorder = write_any(&recorder);
        let saved = recorder.save(&*self, self.len(), &self.totals, state);
        let n_bytes = recorder.n_bytes();
        let all = all_did(&self.link, xxh3_64(state), saved.map(|()| n_bytes));
        self.disk_bytes = all?;
        recorder.all_have_saved();
        Ok(())
    }

    /// Fills the empty store with the saved state. Returns the recorder that continues writing it,
    /// and the rest of the run.
    pub(crate) fn load(&mut self, saved: SavedPart) -> Result<(PartRecorder, Vec<u8>), StoreError> {
        let SavedPart { root, me, identity, step } = saved;
        let mut loading = PartLoader {
            is_own_part: step.is_of(me),
            store: self,
            block: Candidates::default(),
            words: Vec::new(),
            failed: None,
        };
        let visit = &mut |form: PartForm<'_>, call: CallIdx, arguments: &[StructureId]| {
            loading.push(form, call, arguments);
        };
        let (recorder, rest) = PartRecorder::open(&root, me, identity, &step, visit)?;
        loading.finish(step.n_structures, &root)?;
        let SavedRest { totals, state } = rest;
        self.totals = totals;
        Ok((recorder, state))
    }
}

/// An empty store that is filled with what was saved.
struct PartLoader<'s> {
    store: &'s mut SpreadStore,
    /// True if the forms that come are those of this process.
    is_own_part: bool,
    /// The structures that the part gets next.
    block: Candidates,
    words: Vec<u64>,
    failed: Option<StoreError>,
}

impl PartLoader<'_> {
    fn push(&mut self, form: PartForm<'_>, call: CallIdx, arguments: &[StructureId]) {
        let link = &self.store.link;
        let (tag, is_owned) = match form {
            PartForm::Other(tag) => (tag, false),
            PartForm::Own(form) => {
                let hash = owner_hash(form.unpadded().as_bytes());
                (form, owner_of(hash, link.n()) == link.me())
            }
        };
        if matches!(form, PartForm::Own(_)) && !is_owned && self.is_own_part {
            let reason = "a part has a structure of another one".to_owned();
            self.failed.get_or_insert(StoreError::Failed(reason));
        }
        let SpreadStore { origins, tags, part, .. } = &mut *self.store;
        origins.push(call, arguments);
        tags.push(tag.type_tag(tags.bits) as u32);
        lock_any(part).owned.push(is_owned);
        if is_owned {
            push_form(&mut self.block, tag, &mut self.words);
        }
        if self.block.len() == AT_ONCE {
            self.commit();
        }
    }

    fn commit(&mut self) {
        let block = std::mem::take(&mut self.block);
        if self.failed.is_none() {
            self.failed = lock_any(&self.store.part).store.commit(&[block]).err();
        }
    }

    fn finish(mut self, n_structures: u64, root: &Path) -> Result<(), StoreError> {
        self.commit();
        if let Some(error) = self.failed {
            return Err(error);
        }
        let part = lock_any(&self.store.part);
        let (n, n_owned) = (part.owned.len(), part.owned.n_owned());
        match (n, part.store.len()) == (n_structures, n_owned) {
            true => Ok(()),
            false => {
                let root = root.display();
                let reason = format!("`{root}` is damaged: structures are missing, or in it twice");
                Err(StoreError::Failed(reason))
            }
        }
    }
}

/// A process has the origins of all structures and the forms of its own.
impl PartStructures for SpreadStore {
    fn scan(
        &self,
        ids: Range<u64>,
        visit: &mut dyn FnMut(StructureId, PartForm<'_>),
    ) -> Result<(), StoreError> {
        let part = lock_any(&self.part);
        let other = |id: u64| PartForm::Other(self.tags.get(id));
        let mut next = ids.start;
        let places = part.owned.before(ids.start)..part.owned.before(ids.end);
        part.store.scan(places, &mut |_, form| {
            while !part.owned.has(next) {
                visit(StructureId::new(next), other(next));
                next += 1;
            }
            visit(StructureId::new(next), PartForm::Own(form));
            next += 1;
        })?;
        (next..ids.end).for_each(|id| visit(StructureId::new(id), other(id)));
        Ok(())
    }

    fn origin(&self, id: StructureId) -> Result<Origin, StoreError> {
        Ok(self.origins.get(id.index()))
    }
}
