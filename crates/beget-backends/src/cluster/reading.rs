//! Reading forms that other processes keep.
//!
//! During a run all processes read the same at the same time, and each sends all it has. After the
//! run the first process reads alone, and the others serve it.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use beget_engine::store::{FormRef, StoreError, StructureId};
use beget_engine::varint::{put, take};
use xxhash_rust::xxh3::xxh3_64;

use crate::cluster::link::{Messages, ProcessLink, RoundStep};
use crate::cluster::part::{FetchedForms, KeptForms};
use crate::cluster::saving::lock_any;

/// The forms of all processes, as a store reads them.
#[derive(Debug)]
pub(crate) struct SpreadForms {
    link: Arc<ProcessLink>,
    reading: Arc<Reading>,
    part: Arc<dyn KeptForms>,
    /// The forms read last.
    read: Mutex<(Range<u64>, FetchedForms)>,
}

/// The number of forms read at once.
pub(crate) const AT_ONCE: u64 = 4096;

/// Returns the process that keeps a form with this [`owner_hash`].
pub(crate) fn owner_of(hash: u64, n: usize) -> usize {
    ((u128::from(hash) * n as u128) >> 64) as usize
}

/// Returns the hash of a form without padding. The one in the tables of a machine may differ; this
/// one is the same on all.
pub(crate) fn owner_hash(unpadded: &[u8]) -> u64 {
    short_form(unpadded).map_or_else(|| xxh3_64(unpadded), short_owner_hash)
}

/// Returns a form as a number, the first byte lowest, if it fits.
pub(crate) fn short_form(unpadded: &[u8]) -> Option<u128> {
    let mut bytes = [0; size_of::<u128>()];
    bytes.get_mut(..unpadded.len())?.copy_from_slice(unpadded);
    Some(u128::from_le_bytes(bytes))
}

/// Like [`owner_hash`], for a [`short_form`]: most calls leave one, so it takes two
/// multiplications.
#[inline]
pub(crate) fn short_owner_hash(form: u128) -> u64 {
    let (low, high) = (form as u64, (form >> u64::BITS) as u64);
    fold(fold(low ^ MULTIPLIERS[0], high ^ MULTIPLIERS[1]), MULTIPLIERS[2])
}

/// Digits of the fractional part of pi.
const MULTIPLIERS: [u64; 3] = [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344, 0x082e_fa98_ec4e_6c89];

/// Multiplies two numbers, and mixes both halves of the product.
#[inline]
fn fold(one: u64, other: u64) -> u64 {
    let product = u128::from(one) * u128::from(other);
    product as u64 ^ (product >> u64::BITS) as u64
}

impl SpreadForms {
    pub(crate) fn new(
        link: Arc<ProcessLink>,
        reading: Arc<Reading>,
        part: Arc<dyn KeptForms>,
    ) -> Self {
        SpreadForms { link, reading, part, read: Mutex::default() }
    }

    /// Calls `visit` with the forms of `ids`, of `len` structures in all.
    pub(crate) fn scan(
        &self,
        ids: Range<u64>,
        len: u64,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError> {
        let (mut read, mut next) = (lock_any(&self.read), 0);
        for id in ids {
            if !read.0.contains(&id) {
                *read = self.read_chunk(id, len)?;
            }
            let form = read.1.get(StructureId::new(id), &mut next).expect("the chunk has it");
            visit(StructureId::new(id), form);
        }
        Ok(())
    }

    /// Reads the forms around `id`, up to the end of a chunk.
    fn read_chunk(&self, id: u64, len: u64) -> Result<(Range<u64>, FetchedForms), StoreError> {
        let start = id / AT_ONCE * AT_ONCE;
        let ids = start..(start + AT_ONCE).min(len);
        let messages = self.reading.forms(&self.link, &*self.part, ids.clone())?;
        let table = FetchedForms::read(ids.clone().collect(), &messages);
        Ok((ids, table.map_err(|from| self.link.garbled(from))?))
    }

    pub(crate) fn find(&self, form: FormRef<'_>) -> Result<Option<StructureId>, StoreError> {
        let form = form.unpadded();
        let owner = owner_of(owner_hash(form.as_bytes()), self.link.n());
        self.reading.find(&self.link, &*self.part, form, owner)
    }
}

/// The ways to read the forms of others.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// True while the others do something else.
    is_aside: AtomicBool,
    /// True if the others wait for requests.
    is_first: AtomicBool,
}

/// A request of the first process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    Forms(Range<u64>),
    Find(Vec<u8>),
    /// The program ends, with this exit code.
    End(u8),
}

impl Request {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self {
            Request::Forms(ids) => {
                bytes.push(0);
                put(&mut bytes, ids.start);
                put(&mut bytes, ids.end);
            }
            Request::Find(form) => {
                bytes.push(1);
                bytes.extend_from_slice(form);
            }
            Request::End(exit) => bytes.extend([2, *exit]),
        }
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Request> {
        let (kind, mut rest) = bytes.split_first()?;
        match (kind, rest) {
            (0, _) => Some(Request::Forms(take(&mut rest)?..take(&mut rest)?)),
            (1, _) => Some(Request::Find(rest.to_vec())),
            (2, &[exit]) => Some(Request::End(exit)),
            _ => None,
        }
    }
}

impl Reading {
    /// Runs `work` while no other process reads.
    pub(crate) fn aside(&self, work: &mut dyn FnMut()) {
        self.is_aside.store(true, Relaxed);
        work();
        self.is_aside.store(false, Relaxed);
    }

    /// From now on this process reads, and the others serve it.
    pub(crate) fn lead(&self) {
        self.is_first.store(true, Relaxed);
    }

    /// Sends a request to the others, if they wait for one.
    fn begin(&self, link: &ProcessLink, request: &Request) -> Result<(), StoreError> {
        if self.is_aside.load(Relaxed) {
            let reason = "the forms are in other processes, which are at work";
            return Err(StoreError::Failed(reason.to_owned()));
        }
        match self.is_first.load(Relaxed) {
            true => ask(link, request),
            false => Ok(()),
        }
    }

    /// Returns each process's part of the forms of `ids`.
    pub(crate) fn forms(
        &self,
        link: &ProcessLink,
        part: &dyn KeptForms,
        ids: Range<u64>,
    ) -> Result<Messages, StoreError> {
        self.begin(link, &Request::Forms(ids.clone()))?;
        let own = forms(part, ids.clone())?;
        match self.is_first.load(Relaxed) {
            true => link.exchange(RoundStep::Read, key_of(&ids), to_first(link, own)),
            false => link.broadcast(RoundStep::Read, key_of(&ids), own),
        }
    }

    /// Finds the structure with a form, which `owner` keeps if there is one.
    pub(crate) fn find(
        &self,
        link: &ProcessLink,
        part: &dyn KeptForms,
        form: FormRef<'_>,
        owner: usize,
    ) -> Result<Option<StructureId>, StoreError> {
        self.begin(link, &Request::Find(form.as_bytes().to_vec()))?;
        let found = find(part, form)?;
        let answers = link.broadcast(RoundStep::Find, xxh3_64(form.as_bytes()), found)?;
        let number = take(&mut &answers[owner][..]).ok_or_else(|| link.garbled(owner))?;
        Ok(number.checked_sub(1).map(StructureId::new))
    }
}

/// The answer of a process that is asked for a structure.
fn find(part: &dyn KeptForms, form: FormRef<'_>) -> Result<Vec<u8>, StoreError> {
    let mut found = Vec::new();
    put(&mut found, part.find(form)?.map_or(0, |id| id.number() + 1));
    Ok(found)
}

fn forms(part: &dyn KeptForms, ids: Range<u64>) -> Result<Vec<u8>, StoreError> {
    part.forms_of(&ids.collect::<Vec<u64>>())
}

fn key_of(ids: &Range<u64>) -> u64 {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&ids.start.to_le_bytes());
    bytes[8..].copy_from_slice(&ids.end.to_le_bytes());
    xxh3_64(&bytes)
}

fn to_first(link: &ProcessLink, message: Vec<u8>) -> Messages {
    let mut messages = vec![Vec::new(); link.n()];
    messages[0] = message;
    messages
}

/// Sends a request of the first process to the others.
pub(crate) fn ask(link: &ProcessLink, request: &Request) -> Result<(), StoreError> {
    link.broadcast(RoundStep::Ask, 0, request.to_bytes()).map(drop)
}

/// Answers the first process until it ends. Returns its exit code.
pub(crate) fn serve(link: &ProcessLink, part: &dyn KeptForms) -> Result<u8, StoreError> {
    loop {
        let asked = link.broadcast(RoundStep::Ask, 0, Vec::new())?;
        match Request::from_bytes(&asked[0]).ok_or_else(|| link.garbled(0))? {
            Request::Forms(ids) => {
                let own = forms(part, ids.clone())?;
                link.exchange(RoundStep::Read, key_of(&ids), to_first(link, own))?;
            }
            Request::Find(form) => {
                let found = find(part, FormRef::new(&form))?;
                link.broadcast(RoundStep::Find, xxh3_64(&form), found)?;
            }
            Request::End(exit) => return Ok(exit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_have_equal_shares_of_forms() {
        for n in [2, 3, 16] {
            let mut shares = vec![0; n];
            let short = (1..20_000_u64)
                .map(|at| owner_hash(FormRef::new(&at.to_le_bytes()).unpadded().as_bytes()));
            let shifted = (1..20_000_u128).map(|at| short_owner_hash(at << 70));
            let long =
                (1..20_000_u64).map(|at| owner_hash(&[&[7; 9][..], &at.to_le_bytes()].concat()));
            short.chain(shifted).chain(long).for_each(|hash| shares[owner_of(hash, n)] += 1);
            let (least, most) = (shares.iter().min().unwrap(), shares.iter().max().unwrap());
            assert!(most - least < 60_000 / n / 10, "{shares:?}");
        }
    }

    #[test]
    fn the_hash_of_a_short_form_is_that_of_its_bytes() {
        for form in [0, 1, 0xff00, 1 << 63, 1 << 64, u128::MAX] {
            let bytes = form.to_le_bytes();
            let unpadded = FormRef::new(&bytes).unpadded().as_bytes();
            assert_eq!(owner_hash(unpadded), short_owner_hash(form));
        }
        // Saved runs depend on it.
        assert_eq!(short_owner_hash(1), 7_984_386_286_061_318_416);
    }

    #[test]
    fn ranges_of_structures_have_keys_of_their_own() {
        let mut keys = [0..9, 1..9, 0..8, 9..9, 0..9 + (1 << 32)].map(|ids| key_of(&ids)).to_vec();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 5);
    }

    #[test]
    fn requests_come_out_as_they_went_in() {
        let all = [Request::Forms(7..70_000 << 32), Request::Find(vec![1, 2, 3]), Request::End(4)];
        for request in all {
            let bytes = request.to_bytes();
            assert_eq!(Request::from_bytes(&bytes), Some(request));
        }
        assert_eq!(Request::from_bytes(&[]), None);
        assert_eq!(Request::from_bytes(&[3]), None);
        assert_eq!(Request::from_bytes(&[0, 1]), None);
    }
}
