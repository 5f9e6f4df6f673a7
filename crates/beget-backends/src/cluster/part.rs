//! The structures that one process keeps, and forms on their way.

use std::fmt;
use std::sync::Mutex;

use beget_engine::store::{FormRef, Store, StoreError, StructureId};
use beget_engine::varint::{put, take, take_bytes};

use crate::cluster::owned::OwnedStructures;
use crate::cluster::saving::lock_any;

/// The forms that a process keeps for all.
pub(crate) trait KeptForms: fmt::Debug + Send + Sync {
    /// Writes the forms of those of `wanted`, in rising order, that are kept here, for a
    /// [`FetchedForms`].
    fn forms_of(&self, wanted: &[u64]) -> Result<Vec<u8>, StoreError>;

    /// Finds the structure with a form, if it is kept here.
    fn find(&self, form: FormRef<'_>) -> Result<Option<StructureId>, StoreError>;
}

impl KeptForms for Mutex<OwnPart> {
    fn forms_of(&self, wanted: &[u64]) -> Result<Vec<u8>, StoreError> {
        lock_any(self).forms_of(wanted)
    }

    fn find(&self, form: FormRef<'_>) -> Result<Option<StructureId>, StoreError> {
        lock_any(self).find(form)
    }
}

/// The structures of one process in memory: their forms, in the order of the run.
#[derive(Debug)]
pub(crate) struct OwnPart {
    /// They have other numbers there, and their recipes have no meaning.
    pub(crate) store: Box<dyn Store>,
    pub(crate) owned: OwnedStructures,
}

/// The distance up to which passing over forms is cheaper than looking the next one up.
pub(crate) const NEAR: u64 = 64;

/// The greatest distance that shares a byte with a length.
const SHORT_DISTANCE: u64 = 7;

impl OwnPart {
    pub(crate) fn new(store: Box<dyn Store>) -> Self {
        OwnPart { store, owned: OwnedStructures::default() }
    }

    /// See [`KeptForms::forms_of`].
    pub(crate) fn forms_of(&self, wanted: &[u64]) -> Result<Vec<u8>, StoreError> {
        let places = (0..).zip(wanted).filter(|&(_, &id)| self.owned.has(id));
        let places: Vec<(u64, u64)> =
            places.map(|(position, &id)| (position, self.owned.before(id))).collect();
        let mut bytes = Vec::new();
        let mut next = 0;
        for run in places.chunk_by(|one, other| other.1 - one.1 <= NEAR) {
            let (first, last) = (run[0].1, run[run.len() - 1].1);
            let mut left = run.iter();
            let mut sought = left.next();
            self.store.scan(first..last + 1, &mut |place, form| {
                if let Some(&(position, _)) = sought.filter(|(_, at)| *at == place.number()) {
                    put_form(&mut bytes, position - next, form);
                    next = position + 1;
                    sought = left.next();
                }
            })?;
        }
        Ok(bytes)
    }

    /// See [`KeptForms::find`].
    pub(crate) fn find(&self, form: FormRef<'_>) -> Result<Option<StructureId>, StoreError> {
        let place = self.store.find(form)?.filter(|place| place.number() < self.owned.n_owned());
        Ok(place.map(|place| StructureId::new(self.owned.at(place.number()))))
    }
}

/// Writes a form that stands `distance` behind the one before among those wanted.
pub(crate) fn put_form(bytes: &mut Vec<u8>, distance: u64, form: FormRef<'_>) {
    let form = form.unpadded().as_bytes();
    put(bytes, (form.len() as u64) << 3 | distance.min(SHORT_DISTANCE));
    if distance >= SHORT_DISTANCE {
        put(bytes, distance - SHORT_DISTANCE);
    }
    bytes.extend_from_slice(form);
}

/// The forms of some structures, from all processes.
#[derive(Default)]
pub(crate) struct FetchedForms {
    wanted: Vec<u64>,
    /// The place of each form in `bytes`.
    places: Vec<(u32, u32)>,
    bytes: Vec<u8>,
}

impl fmt::Debug for FetchedForms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FetchedForms").field("forms", &self.wanted.len()).finish_non_exhaustive()
    }
}

/// Stands for a form that no process has sent.
const MISSING: (u32, u32) = (u32::MAX, 0);

impl FetchedForms {
    /// Reads the forms of `wanted`, which are in rising order, from the messages of all processes.
    /// An error is the process whose message is malformed.
    pub(crate) fn read(wanted: Vec<u64>, messages: &[Vec<u8>]) -> Result<Self, usize> {
        let places = vec![MISSING; wanted.len()];
        let mut table = FetchedForms { wanted, places, bytes: Vec::new() };
        for (from, message) in messages.iter().enumerate() {
            table.take(message).ok_or(from)?;
        }
        match table.places.iter().position(|&place| place == MISSING) {
            None => Ok(table),
            // No process has it, so all are wrong.
            Some(_) => Err(0),
        }
    }

    fn take(&mut self, mut message: &[u8]) -> Option<()> {
        let mut next = 0;
        while !message.is_empty() {
            let head = take(&mut message)?;
            let mut distance = head & SHORT_DISTANCE;
            if distance == SHORT_DISTANCE {
                distance += take(&mut message)?;
            }
            let form = take_bytes(&mut message, usize::try_from(head >> 3).ok()?)?;
            let position = usize::try_from(distance).ok()?.checked_add(next)?;
            let start = self.bytes.len() as u32;
            self.bytes.extend_from_slice(form);
            *self.places.get_mut(position)? = (start, self.bytes.len() as u32);
            next = position + 1;
        }
        Some(())
    }

    /// Returns the form of one of the wanted structures. Most are requested one after another:
    /// `next` is the place of the one after this.
    pub(crate) fn get(&self, id: StructureId, next: &mut usize) -> Option<FormRef<'_>> {
        let place = match self.wanted.get(*next) {
            Some(&wanted) if wanted == id.number() => *next,
            _ => self.wanted.binary_search(&id.number()).ok()?,
        };
        *next = place + 1;
        let (start, end) = self.places[place];
        Some(FormRef::new(&self.bytes[start as usize..end as usize]))
    }
}

#[cfg(test)]
mod tests {
    use beget_engine::CallIdx;
    use beget_engine::store::{Candidate, Candidates, ExactStore, Form, TagBits};

    use super::*;

    /// Two parts of the structures 0 to `n`; the second has every third.
    fn parts(n: u64) -> [OwnPart; 2] {
        let mut parts = [(); 2].map(|()| {
            OwnPart::new(Box::new(ExactStore::new(1, TagBits::default())) as Box<dyn Store>)
        });
        let mut blocks = [Candidates::default(), Candidates::default()];
        for id in 0..n {
            let owner = usize::from(id % 3 == 0);
            blocks[owner].push(Candidate {
                form: Form { words: &[id << 8 | 1], len: 5 },
                call: CallIdx::new(0),
                arguments: &[],
                objects: 0,
                continues_call: false,
            });
            (0..2).for_each(|at| parts[at].owned.push(at == owner));
        }
        for (part, block) in parts.iter_mut().zip(blocks) {
            part.store.commit(&[block]).expect("there is room");
        }
        parts
    }

    #[test]
    fn forms_come_from_their_owners() {
        let parts = parts(5000);
        let all: Vec<u64> = (0..5000).collect();
        let some: Vec<u64> = (0..5000).filter(|id| id % 7 == 1 || id % 501 < 3).collect();
        let few = vec![0, 1, 2, 3, 4998, 4999];
        for wanted in [all, some, few, vec![]] {
            let messages: Vec<Vec<u8>> =
                parts.iter().map(|part| part.forms_of(&wanted).expect("in memory")).collect();
            let table = FetchedForms::read(wanted.clone(), &messages).expect("all are there");
            let mut next = 0;
            // In any order.
            for id in wanted.iter().copied().chain(wanted.iter().rev().copied()) {
                let form = table.get(StructureId::new(id), &mut next).expect("it was wanted");
                assert_eq!(form.to_words(), [id << 8 | 1]);
            }
            assert!(table.get(StructureId::new(5000), &mut next).is_none());
        }
    }

    #[test]
    fn what_is_torn_or_missing_is_noticed() {
        let parts = parts(100);
        let wanted: Vec<u64> = (0..100).collect();
        let messages = parts.map(|part| part.forms_of(&wanted).expect("in memory"));
        let missing = [messages[0].clone(), Vec::new()];
        assert_eq!(FetchedForms::read(wanted.clone(), &missing).unwrap_err(), 0);
        let torn = messages[1][..messages[1].len() - 1].to_vec();
        let torn = [messages[0].clone(), torn];
        assert_eq!(FetchedForms::read(wanted.clone(), &torn).unwrap_err(), 1);
        let beyond = FetchedForms::read(wanted[..50].to_vec(), &messages);
        assert_eq!(beyond.unwrap_err(), 0);
    }

    #[test]
    fn a_form_that_has_no_number_yet_is_not_found() {
        let [part, _] = parts(1000);
        let n_owned = part.owned.n_owned();
        let mut part = OwnPart { owned: OwnedStructures::default(), ..part };
        let form = |id: u64| (id << 8 | 1).to_le_bytes();
        let found = |part: &OwnPart, id| part.find(FormRef::new(&form(id))).expect("in memory");
        assert_eq!(found(&part, 1), None);
        part.owned.push(true);
        assert_eq!((found(&part, 1), found(&part, 2)), (Some(StructureId::new(0)), None));
        assert!(n_owned > 2);
    }

    #[test]
    fn a_form_is_found_where_it_is_kept() {
        let parts = parts(1000);
        for id in [0, 1, 2, 3, 500, 998, 999] {
            let bytes = (id << 8 | 1_u64).to_le_bytes();
            let found = parts.each_ref().map(|part| part.find(FormRef::new(&bytes)).expect("here"));
            let expected =
                [id % 3 != 0, id % 3 == 0].map(|has| has.then_some(StructureId::new(id)));
            assert_eq!(found, expected, "{id}");
        }
    }
}
