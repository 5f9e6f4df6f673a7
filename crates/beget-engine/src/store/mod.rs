//! Stores: the structures found so far, in the order of their discovery.
//!
//! A [`Store`] decides which of a batch's candidates are new, keeps them, and gives them numbers.
//! Its guarantees are written as [`laws`], which test any implementation:
//!
//! - a candidate is new exactly when its form was not stored before, nor came earlier in the batch
//!   (unless the store [matches](Store::matches) nothing: then every candidate is);
//! - new structures are numbered in the order of the candidates, block by block, whatever the
//!   number of threads;
//! - nothing is lost;
//! - a batch that cannot be kept leaves no trace.
//!
//! # To add a store
//!
//! Write a type that implements [`Store`], try it with [`laws::check`], and pass it to
//! [`Run::go_into`](crate::Run::go_into). How it finds a form, whether it has parts for several
//! threads, and where it keeps what it knows are its own affair. The shortest one that is exact:
//!
//! ```
//! use std::collections::BTreeMap;
//! use std::ops::Range;
//!
//! use beget_engine::store::{Candidates, CommitCounts, Origin, Store, StoreError};
//! use beget_engine::store::{CanonicalForm, FormRef, StructureId, TagBits, Totals, laws};
//!
//! #[derive(Debug, Default)]
//! struct TreeStore {
//!     ids: BTreeMap<CanonicalForm, StructureId>,
//!     structures: Vec<(CanonicalForm, Origin)>,
//!     totals: Totals,
//!     tag_bits: TagBits,
//! }
//!
//! impl Store for TreeStore {
//!     fn commit(&mut self, blocks: &[Candidates]) -> Result<Vec<CommitCounts>, StoreError> {
//!         let mut committed = vec![CommitCounts::default(); blocks.len()];
//!         for (block, committed) in blocks.iter().zip(&mut committed) {
//!             let mut is_call_counted = false;
//!             for candidate in block.iter() {
//!                 is_call_counted &= candidate.continues_call;
//!                 let form = candidate.form.to_canonical();
//!                 if self.ids.contains_key(&form) {
//!                     continue;
//!                 }
//!                 self.ids.insert(form.clone(), StructureId::new(self.structures.len() as u64));
//!                 self.structures.push((form, Origin::of(&candidate)));
//!                 self.totals.add(&candidate, self.tag_bits);
//!                 committed.new += 1;
//!                 committed.calls_with_new += u64::from(!is_call_counted);
//!                 is_call_counted = true;
//!             }
//!         }
//!         Ok(committed)
//!     }
//!
//!     fn scan(
//!         &self,
//!         ids: Range<u64>,
//!         visit: &mut dyn FnMut(StructureId, FormRef<'_>),
//!     ) -> Result<(), StoreError> {
//!         for id in ids {
//!             visit(StructureId::new(id), self.structures[id as usize].0.as_ref());
//!         }
//!         Ok(())
//!     }
//!
//!     fn find(&self, form: FormRef<'_>) -> Result<Option<StructureId>, StoreError> {
//!         Ok(self.ids.get(form.unpadded().as_bytes()).copied())
//!     }
//!
//!     fn origin(&self, id: StructureId) -> Result<Origin, StoreError> {
//!         Ok(self.structures[id.index()].1.clone())
//!     }
//!
//!     fn totals(&self) -> Totals {
//!         self.totals.clone()
//!     }
//!
//!     fn len(&self) -> u64 {
//!         self.structures.len() as u64
//!     }
//!
//!     fn bytes(&self) -> u64 {
//!         self.structures.iter().map(|(form, _)| 2 * form.as_bytes().len() as u64).sum()
//!     }
//! }
//!
//! laws::check(|tag_bits| TreeStore { tag_bits, ..TreeStore::default() }).unwrap();
//! ```
//!
//! # The exact store
//!
//! In the exact store a structure costs
//!
//! | part | bytes |
//! | --- | --- |
//! | its form, without what all forms of its chunk have in common | 3 to 14 as a rule |
//! | a slot of the hash table: 26 bits of index, 6 of hash, at a load of at most 85 % | 4.7 to 5.9 |
//! | its origin: how far argument and call are from its neighbour's | 0.3 to 1 |
//! | its place in discovery order | 0.5 |
//!
//! The forms are the frontier, the set and the output at once; no value is kept alive between
//! calls.
//!
//! It has **16 shards** by hash, so that they can be filled in parallel without a lock; it sorts
//! each block's candidates into them itself. The six bits of hash in a slot are others than those
//! that choose the shard and the slot: of the forms met on the way to a form's slot, one in 64 is
//! compared in vain. Discovery order must not depend on the hash, so it is kept apart: four bits a
//! structure say which shard comes next, and a sample of the shards' positions every 1024
//! structures leads from a number to a form: sixteen of the four bits are looked at together. A
//! shard holds 2^26 - 2 structures; when one is full, the store is. Tables grow by a quarter when
//! they are large, which keeps the peak low. Candidates are looked up in groups of 16, so that
//! cache misses overlap, in three steps: slots; the candidates' own forms and what says where the
//! known ones lie; the known forms, to their last byte. (With two steps and no look at the
//! candidates' own, NCL 8 took 3.66 s in place of 3.42, SinglyLinkedList 9 39.4 s in place of 36.7,
//! SearchTree 12 the same: medians of seven and of three interleaved runs.)
//!
//! Forms are found by number alone: those of a chunk have one stride. A chunk that is full is
//! packed (`crates/beget-engine/src/store/packing.rs`). Neighbours in the order of discovery come
//! from neighbouring parents, so they are alike: lists of one level have the same length and the
//! same pointers, and mostly begin alike; and fields that hold what the constructor left do so in
//! all forms. Of each word, the bits that are the same in all forms of the chunk are kept once, the
//! others as two runs of neighbouring bits at most, so that a word is put together by two masks and
//! two shifts, the same for each form, packed or not. How the words of a chunk are packed lies in a
//! list of its own, so that it is loaded together with the form, not behind it. No form changes by
//! this, and no digest.
//!
//! Structures are found in the order of those that they were made from, and of the calls on each.
//! So the origins of 128 structures are one number, of argument and call, and steps from each to
//! the next, coded as Elias and Fano do: low bits as they are, the rest in unary
//! (`crates/beget-engine/src/store/origins.rs`). It takes about a bit for each call that a
//! structure comes from, where most calls bring one, and two bits more than the logarithm of the
//! calls for each structure where few do. Where only the arguments are in order, the calls stand
//! beside them; where nothing is, arguments take four bytes each, or eight from number 2^31 on.
//! Methods on several structures keep their arguments in a list of tails.

mod arena;
mod candidates;
mod candidates_message;
mod chunked;
mod drop_rule;
mod exact;
pub mod laws;
mod order;
mod origins;
mod packing;
mod shard;
mod unmatched;

use std::fmt;
use std::ops::Range;

pub use crate::data::ids::StructureId;
pub use crate::data::origin::{Origin, Recipes, StoreError};
pub use beget_heap::{CanonicalForm, Form, FormRef, TagBits};
pub use candidates::{Candidate, Candidates};
pub(crate) use candidates::{CandidatesMark, RecentForms};
pub use drop_rule::{DroppedForms, Fall};
pub use exact::ExactStore;
pub use origins::Origins;
pub use unmatched::UnmatchedStore;

/// The results of a committed block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommitCounts {
    /// The number of new structures.
    pub new: u64,
    /// The number of calls that brought at least one of them.
    pub calls_with_new: u64,
}

/// The candidates that a store has not yet decided on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnsettledCandidates {
    /// Candidates of which it does not know yet whether they are new.
    pub candidates: u64,
    /// True if it should [settle](Store::settle) them before it takes more.
    pub is_due: bool,
}

impl Origin {
    /// The origin of a candidate.
    pub fn of(candidate: &Candidate<'_>) -> Self {
        Origin { call: candidate.call, arguments: candidate.arguments.to_vec() }
    }
}

/// Totals over all stored structures, kept while they are inserted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Structures by type.
    pub by_type: Vec<u64>,
    /// Structures of the main type by number of objects of the counted class.
    pub by_objects: Vec<u64>,
    /// The order-free digest: the sum of the [digests](FormRef::digest) of all forms as they were
    /// encoded.
    pub digest: u128,
}

impl Totals {
    /// Counts a structure whose form has a type tag of `tag_bits`.
    #[inline(always)]
    pub fn add(&mut self, candidate: &Candidate<'_>, tag_bits: TagBits) {
        self.count(candidate.form, candidate.objects, tag_bits);
    }

    #[inline(always)]
    pub(crate) fn count(&mut self, form: Form<'_>, objects: u16, tag_bits: TagBits) {
        let ty = form.type_tag(tag_bits) as usize;
        add_at(&mut self.by_type, ty);
        if ty == 0 {
            add_at(&mut self.by_objects, objects.into());
        }
        self.digest = self.digest.wrapping_add(form.digest());
    }

    /// Adds what other totals count.
    pub fn merge(&mut self, other: &Totals) {
        add_all(&mut self.by_type, &other.by_type);
        add_all(&mut self.by_objects, &other.by_objects);
        self.digest = self.digest.wrapping_add(other.digest);
    }

    fn clear(&mut self) {
        self.by_type.clear();
        self.by_objects.clear();
        self.digest = 0;
    }
}

fn add_at(counts: &mut Vec<u64>, index: usize) {
    if counts.len() <= index {
        counts.resize(index + 1, 0);
    }
    counts[index] += 1;
}

fn add_all(sums: &mut Vec<u64>, counts: &[u64]) {
    if sums.len() < counts.len() {
        sums.resize(counts.len(), 0);
    }
    for (sum, count) in sums.iter_mut().zip(counts) {
        *sum += count;
    }
}

/// Keeps structures. See the module for what it guarantees, and how to write one.
///
/// Methods that read a store (`scan`, `find`, `origin`) are called from many threads, also while
/// the memory of a structure is being recorded (see `beget_process::alloc::Region`): they must not
/// keep memory that they allocate.
pub trait Store: fmt::Debug + Send + Sync {
    /// Matches the candidates of some blocks against everything stored and keeps what is new; tells
    /// what each block brought. It runs on a thread of a rayon pool, whose other threads are idle.
    ///
    /// A store may put that off: then no block has brought anything yet, and
    /// [`settle`](Store::settle) tells what they did.
    ///
    /// # Errors
    /// If it cannot keep all that is new. Then it keeps nothing of the batch, and is as it was
    /// before.
    fn commit(&mut self, blocks: &[Candidates]) -> Result<Vec<CommitCounts>, StoreError>;

    /// Like [`commit`](Store::commit) of a store that puts nothing off, but returns for each
    /// candidate, block by block, whether it is new.
    ///
    /// # Errors
    /// Like those of [`commit`](Store::commit), or if a form cannot be read.
    fn commit_each(&mut self, blocks: &[Candidates]) -> Result<Vec<bool>, StoreError> {
        let before = self.len();
        self.commit(blocks)?;
        let n = blocks.iter().map(Candidates::len).sum();
        let mut forms = blocks.iter().flat_map(Candidates::forms);
        let mut are_new = Vec::with_capacity(n);
        // New structures are in the order of the candidates, the first of each form.
        self.scan(before..self.len(), &mut |_, stored| {
            for form in forms.by_ref() {
                let is_new = form == stored;
                are_new.push(is_new);
                if is_new {
                    break;
                }
            }
        })?;
        are_new.resize(n, false);
        Ok(are_new)
    }

    /// Decides on all candidates that were put off, and tells what they brought together. It runs
    /// where [`commit`](Store::commit) does.
    ///
    /// # Errors
    /// If it cannot keep all that is new. Then it is as it was after it had last settled.
    fn settle(&mut self) -> Result<CommitCounts, StoreError> {
        Ok(CommitCounts::default())
    }

    /// Returns the candidates that are not yet decided on.
    fn unsettled(&self) -> UnsettledCandidates {
        UnsettledCandidates::default()
    }

    /// Returns whether [`save`](Store::save) does anything.
    fn lasts(&self) -> bool {
        false
    }

    /// Writes down all that is stored, and `state`, the rest of a run, so that the run can go on
    /// from here in another process. Nothing is unsettled.
    ///
    /// # Errors
    /// If it cannot be written. What was saved before is as it was.
    fn save(&mut self, state: &[u8]) -> Result<(), StoreError> {
        let _ = state;
        Ok(())
    }

    /// Between two levels: no call is made any more on structures below `passed`. A store may drop
    /// forms that no call can lead to any more.
    fn pass(&mut self, passed: u64) {
        let _ = passed;
    }

    /// Returns the counts of dropped structures, if the store drops forms.
    fn dropped(&self) -> Option<&DroppedForms> {
        None
    }

    /// Calls `visit` with each structure of `ids` and its form, in order.
    ///
    /// # Errors
    /// If a form cannot be read.
    fn scan(
        &self,
        ids: Range<u64>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError>;

    /// Like [`Store::scan`], but `visit` may get only the type of each form: for a store whose
    /// forms are not all in memory, and whose [`BlockRunner`](crate::BlockRunner) fetches those
    /// that its blocks need.
    ///
    /// # Errors
    /// If a form cannot be read.
    fn scan_types(
        &self,
        ids: Range<u64>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError> {
        self.scan(ids, visit)
    }

    /// The structure with this form, the first one if there are several; `None` if there is none.
    ///
    /// # Errors
    /// If it cannot be looked up.
    fn find(&self, form: FormRef<'_>) -> Result<Option<StructureId>, StoreError>;

    /// Like [`Store::find`], of each of some forms.
    ///
    /// # Errors
    /// If they cannot be looked up.
    fn find_all(&self, forms: &[FormRef<'_>]) -> Result<Vec<Option<StructureId>>, StoreError> {
        forms.iter().map(|&form| self.find(form)).collect()
    }

    /// How many bytes of memory forms may take that are to be [looked up](Store::find_all)
    /// together, where there are many.
    fn lookup_bytes(&self) -> u64 {
        1 << 16
    }

    /// The origin of a structure.
    ///
    /// # Errors
    /// If it cannot be read.
    fn origin(&self, id: StructureId) -> Result<Origin, StoreError>;

    /// Totals over everything stored.
    fn totals(&self) -> Totals;

    /// The number of structures.
    fn len(&self) -> u64;

    /// Returns whether nothing is stored.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory held, allocated but unused ones included.
    fn bytes(&self) -> u64;

    /// Bytes of files held.
    fn disk_bytes(&self) -> u64 {
        0
    }

    /// Returns whether a form that is known already is not stored again. Then calls need not leave
    /// the same form in a block of candidates twice.
    fn matches(&self) -> bool {
        true
    }

    /// The form of one structure.
    ///
    /// # Errors
    /// If it cannot be read.
    fn form(&self, id: StructureId) -> Result<CanonicalForm, StoreError> {
        let mut form = CanonicalForm::default();
        self.scan(id.number()..id.number() + 1, &mut |_, lent| form = lent.to_canonical())?;
        Ok(form)
    }
}

impl<S: Store + ?Sized> Recipes for S {
    fn origin_of(&self, id: StructureId) -> Result<Origin, StoreError> {
        self.origin(id)
    }
}

impl<S: Store + ?Sized> Store for Box<S> {
    fn commit(&mut self, blocks: &[Candidates]) -> Result<Vec<CommitCounts>, StoreError> {
        (**self).commit(blocks)
    }

    fn commit_each(&mut self, blocks: &[Candidates]) -> Result<Vec<bool>, StoreError> {
        (**self).commit_each(blocks)
    }

    fn settle(&mut self) -> Result<CommitCounts, StoreError> {
        (**self).settle()
    }

    fn unsettled(&self) -> UnsettledCandidates {
        (**self).unsettled()
    }

    fn lasts(&self) -> bool {
        (**self).lasts()
    }

    fn save(&mut self, state: &[u8]) -> Result<(), StoreError> {
        (**self).save(state)
    }

    fn pass(&mut self, passed: u64) {
        (**self).pass(passed);
    }

    fn dropped(&self) -> Option<&DroppedForms> {
        (**self).dropped()
    }

    fn scan(
        &self,
        ids: Range<u64>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError> {
        (**self).scan(ids, visit)
    }

    fn scan_types(
        &self,
        ids: Range<u64>,
        visit: &mut dyn FnMut(StructureId, FormRef<'_>),
    ) -> Result<(), StoreError> {
        (**self).scan_types(ids, visit)
    }

    fn find(&self, form: FormRef<'_>) -> Result<Option<StructureId>, StoreError> {
        (**self).find(form)
    }

    fn find_all(&self, forms: &[FormRef<'_>]) -> Result<Vec<Option<StructureId>>, StoreError> {
        (**self).find_all(forms)
    }

    fn lookup_bytes(&self) -> u64 {
        (**self).lookup_bytes()
    }

    fn origin(&self, id: StructureId) -> Result<Origin, StoreError> {
        (**self).origin(id)
    }

    fn totals(&self) -> Totals {
        (**self).totals()
    }

    fn len(&self) -> u64 {
        (**self).len()
    }

    fn bytes(&self) -> u64 {
        (**self).bytes()
    }

    fn disk_bytes(&self) -> u64 {
        (**self).disk_bytes()
    }

    fn matches(&self) -> bool {
        (**self).matches()
    }

    fn form(&self, id: StructureId) -> Result<CanonicalForm, StoreError> {
        (**self).form(id)
    }
}

#[cfg(test)]
pub(crate) mod delayed;
