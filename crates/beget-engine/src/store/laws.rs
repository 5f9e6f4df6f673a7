//! The laws that every [`Store`] implementation keeps, as a checker for tests.
//!
//! A store is filled with made-up candidates, in batches and blocks of many sizes, beside a trivial
//! model.
//!
//! ```
//! use beget_engine::store::{ExactStore, laws};
//!
//! laws::check(|tag_bits| ExactStore::new(laws::N_CALLS, tag_bits)).unwrap();
//! ```

use std::collections::BTreeMap;
use std::fmt;

use beget_heap::{CanonicalForm, Form, FormRef, TagBits};

use super::{Candidate, Candidates, CommitCounts, Origin, Store, StoreError, StructureId, Totals};
use crate::data::ids::CallIdx;

/// The calls of candidates have numbers below this.
pub const N_CALLS: u32 = 70_000;

/// The number of types of the candidates' forms.
const N_TYPES: usize = 2;

/// Blocks in each batch, and candidates in each block, in turn.
const BATCHES: [(usize, usize); 6] = [(1, 1), (1, 0), (3, 40), (1, 700), (16, 300), (2, 5000)];

/// The numbers that arguments are counted from, by their call: a store may have more than 2^32
/// structures.
const FIRST_ARGUMENTS: [u64; 6] = [0, 0, 0, (1 << 31) - 40, (1 << 32) - 40, 1 << 40];

/// A law that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Violation {
    /// A commit reports wrong counts.
    CommitCounts(Vec<CommitCounts>, Vec<CommitCounts>),
    /// From this candidate of a batch on, it is wrong which ones are new.
    New(usize),
    /// The number of structures is wrong.
    Length(u64, u64),
    /// From this number on, a scan shows other structures, or in another order.
    Scan(u64),
    /// The form of this structure is wrong.
    Form(StructureId),
    /// The origin of this structure is wrong.
    Origin(StructureId),
    /// A lookup of a form contradicts the stored structures.
    Find(CanonicalForm, Option<StructureId>),
    /// The totals contradict the stored structures.
    Totals(Box<(Totals, Totals)>),
    /// A batch was rejected but left a trace.
    Trace(Box<Violation>),
    /// The store fails.
    Failed(StoreError),
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Violation::CommitCounts(told, meant) => {
                write!(f, "a commit tells {told:?} where it brought {meant:?}")
            }
            Violation::New(candidate) => {
                write!(f, "whether candidate {candidate} of a batch is new is wrong")
            }
            Violation::Length(told, meant) => {
                write!(f, "{told} structures where there are {meant}")
            }
            Violation::Scan(id) => write!(f, "a scan is wrong from structure {id} on"),
            Violation::Form(id) => {
                write!(f, "the form of structure {} is another one", id.number())
            }
            Violation::Origin(id) => {
                write!(f, "the origin of structure {} is another one", id.number())
            }
            Violation::Find(form, found) => write!(f, "looked up, {form:x?} gives {found:?}"),
            Violation::Totals(both) => {
                let (told, meant) = &**both;
                write!(f, "totals {told:?} where they are {meant:?}")
            }
            Violation::Trace(violation) => {
                write!(f, "a refused batch must leave no trace, but: {violation}")
            }
            Violation::Failed(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Violation {}

impl From<StoreError> for Violation {
    fn from(error: StoreError) -> Self {
        Violation::Failed(error)
    }
}

/// Checks an implementation. `new` makes an empty store for a plan with [`N_CALLS`] calls, given
/// the width of a form's type tag. A store that gets full must reject the batch as a whole.
///
/// # Errors
///
/// The first law that does not hold.
pub fn check<S: Store>(new: impl Fn(TagBits) -> S) -> Result<(), Violation> {
    let mut store = new(TagBits::for_types(N_TYPES));
    let mut puts_off = false;
    let mut model = StoreModel::default();
    let mut source = CandidateSource::default();
    compare(&store, &model)?;
    for (number, (n_blocks, n_candidates)) in BATCHES.into_iter().enumerate() {
        let blocks: Vec<Candidates> =
            (0..n_blocks).map(|_| source.block(n_candidates, model.forms.len())).collect();
        let answer = match number % 2 == 1 && !puts_off {
            true => store.commit_each(&blocks).map(BatchAnswer::Each),
            false => commit(&mut store, &blocks, &mut puts_off).map(BatchAnswer::Counts),
        };
        match answer {
            Ok(answer) => {
                let counts = model.commit(&blocks, store.matches());
                answer.compare(counts, &model.are_new)?;
                compare(&store, &model)?;
            }
            Err(StoreError::Full) => {
                return compare(&store, &model)
                    .map_err(|violation| Violation::Trace(Box::new(violation)));
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// The answer of a store to a batch.
enum BatchAnswer {
    Counts(Vec<CommitCounts>),
    Each(Vec<bool>),
}

impl BatchAnswer {
    fn compare(self, mut counts: Vec<CommitCounts>, are_new: &[bool]) -> Result<(), Violation> {
        match self {
            BatchAnswer::Counts(own) => {
                if own.len() == 1 {
                    counts = vec![sum(&counts)];
                }
                match own == counts {
                    true => Ok(()),
                    false => Err(Violation::CommitCounts(own, counts)),
                }
            }
            BatchAnswer::Each(own) => {
                let same = own.iter().zip(are_new).take_while(|(one, other)| one == other);
                match own == are_new {
                    true => Ok(()),
                    false => Err(Violation::New(same.count())),
                }
            }
        }
    }
}

/// The counts of each block or, if the store puts off what is new, of all together. Notes whether
/// it does.
fn commit<S: Store>(
    store: &mut S,
    blocks: &[Candidates],
    puts_off: &mut bool,
) -> Result<Vec<CommitCounts>, StoreError> {
    let counts = store.commit(blocks)?;
    if store.unsettled().candidates == 0 {
        return Ok(counts);
    }
    *puts_off = true;
    let later = store.settle()?;
    Ok(vec![sum(&[sum(&counts), later])])
}

fn sum(counts: &[CommitCounts]) -> CommitCounts {
    counts.iter().fold(CommitCounts::default(), |sum, one| CommitCounts {
        new: sum.new + one.new,
        calls_with_new: sum.calls_with_new + one.calls_with_new,
    })
}

/// Everything kept, in order.
#[derive(Default)]
struct StoreModel {
    forms: Vec<CanonicalForm>,
    origins: Vec<Origin>,
    first: BTreeMap<CanonicalForm, StructureId>,
    totals: Totals,
    /// True for each candidate of the last batch that was new.
    are_new: Vec<bool>,
}

impl StoreModel {
    fn commit(&mut self, blocks: &[Candidates], matches: bool) -> Vec<CommitCounts> {
        let mut committed = vec![CommitCounts::default(); blocks.len()];
        self.are_new.clear();
        for (block, committed) in blocks.iter().zip(&mut committed) {
            let mut is_call_counted = false;
            for candidate in block.iter() {
                is_call_counted &= candidate.continues_call;
                let form = candidate.form.to_canonical();
                let is_new = !matches || !self.first.contains_key(&form);
                self.are_new.push(is_new);
                if !is_new {
                    continue;
                }
                self.first.entry(form.clone()).or_insert(StructureId::new(self.forms.len() as u64));
                self.count(&candidate);
                self.forms.push(form);
                self.origins.push(Origin::of(&candidate));
                committed.new += 1;
                committed.calls_with_new += u64::from(!is_call_counted);
                is_call_counted = true;
            }
        }
        committed
    }

    /// Counts without [`Totals::add`], which is being tested too.
    fn count(&mut self, candidate: &Candidate<'_>) {
        let ty = candidate.form.words[0] as usize & 1;
        let Totals { by_type, by_objects, digest } = &mut self.totals;
        by_type.resize(by_type.len().max(ty + 1), 0);
        by_type[ty] += 1;
        if ty == 0 {
            let objects = usize::from(candidate.objects);
            by_objects.resize(by_objects.len().max(objects + 1), 0);
            by_objects[objects] += 1;
        }
        *digest = digest.wrapping_add(candidate.form.to_canonical().digest());
    }
}

fn compare(store: &impl Store, model: &StoreModel) -> Result<(), Violation> {
    let n = model.forms.len() as u64;
    if store.len() != n || store.is_empty() != (n == 0) {
        return Err(Violation::Length(store.len(), n));
    }
    let totals = store.totals();
    if totals != model.totals {
        return Err(Violation::Totals(Box::new((totals, model.totals.clone()))));
    }
    for range in [0..n, n / 3..n / 2, n..n] {
        compare_scan(store, model, range)?;
    }
    for id in (0..n).map(StructureId::new) {
        let (form, index) = (&model.forms[id.index()], id.index());
        if store.form(id)? != *form {
            return Err(Violation::Form(id));
        }
        if store.origin(id)? != model.origins[index] {
            return Err(Violation::Origin(id));
        }
        // Without matching a lookup may take as long as a scan: a sample is enough.
        if store.matches() || index % 512 == 0 {
            compare_find(store, model, form.as_bytes())?;
        }
    }
    compare_find(store, model, &[0xfe; 9])
}

fn compare_scan(
    store: &impl Store,
    model: &StoreModel,
    range: std::ops::Range<u64>,
) -> Result<(), Violation> {
    let (mut next, mut wrong) = (range.start, None);
    store.scan(range.clone(), &mut |id, form| {
        let meant = model.forms.get(next as usize);
        let is_right = id.number() == next && meant.is_some_and(|meant| meant.as_ref() == form);
        if !is_right {
            wrong.get_or_insert(next);
        }
        next += 1;
    })?;
    match wrong {
        Some(first) => Err(Violation::Scan(first)),
        None if next != range.end => Err(Violation::Scan(next)),
        None => Ok(()),
    }
}

/// Looks a form up unchanged, padded, and without its last byte.
fn compare_find(store: &impl Store, model: &StoreModel, bytes: &[u8]) -> Result<(), Violation> {
    let padded = [bytes, &[0; 17]].concat();
    for form in [bytes, &padded, &bytes[..bytes.len() - 1]].map(FormRef::new) {
        let meant = model.first.get(form.unpadded().as_bytes()).copied();
        let found = store.find(form)?;
        if found != meant {
            return Err(Violation::Find(form.to_canonical(), found));
        }
    }
    Ok(())
}

/// Makes up candidates, the same ones each time.
struct CandidateSource(u64);

impl Default for CandidateSource {
    fn default() -> Self {
        CandidateSource(0x0062_6567_6574)
    }
}

impl CandidateSource {
    /// A number below `end` (Knuth's linear congruential generator, its upper half).
    fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end.max(1)
    }

    fn block(&mut self, n_candidates: usize, n_known: usize) -> Candidates {
        let mut block = Candidates::default();
        let mut arguments = Vec::new();
        let mut call = CallIdx::new(0);
        for index in 0..n_candidates {
            let continues_call = index > 0 && self.below(5) == 0;
            if !continues_call {
                call = CallIdx::new(self.below(N_CALLS.into()) as u32);
                let arity = if n_known == 0 { 0 } else { self.below(4) };
                arguments.clear();
                let first = FIRST_ARGUMENTS[call.number() as usize % FIRST_ARGUMENTS.len()];
                let argument = |source: &mut Self| first + source.below(n_known as u64);
                arguments.extend((0..arity).map(|_| StructureId::new(argument(self))));
            }
            let (words, len) = self.form();
            let form = Form { words: &words, len };
            let objects = self.below(7) as u16;
            block.push(Candidate { form, call, arguments: &arguments, objects, continues_call });
        }
        block
    }

    /// A form: short ones are frequent, so that many are known; some are long, many end with zeros.
    /// No form is another one with zeros appended, as with real forms: the first byte determines
    /// the length.
    fn form(&mut self) -> (Vec<u64>, usize) {
        let kind = self.below(64);
        let len = match kind {
            0 => 1,
            1..50 => 2 + kind as usize % 3,
            50..60 => 7 + kind as usize % 4,
            60..63 => 16 + kind as usize % 3,
            _ if self.below(50) == 0 => 200,
            _ => 65,
        };
        let first = if len == 200 { 0xff } else { kind << 1 | self.below(2) };
        let mut bytes = vec![0_u8; len];
        bytes[0] = first as u8;
        let n_written = if len < 5 { len } else { 5 };
        let spread = if len < 5 { 24 } else { 3 };
        bytes[1..n_written].iter_mut().for_each(|byte| *byte = self.below(spread) as u8);
        let last = len - 1;
        if last > 0 {
            bytes[last] = self.below(2) as u8;
        }
        (FormRef::new(&bytes).to_words(), len)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    /// Stores keep forms by their length, so there must be all kinds of lengths, each with its own
    /// first bytes, with and without zeros at the end.
    #[test]
    fn forms_of_many_lengths_are_made_up_and_none_is_another_with_zeros() {
        let mut source = CandidateSource::default();
        let mut len_of = BTreeMap::new();
        let mut ends = BTreeSet::new();
        let mut n_short = 0;
        for _ in 0..20_000 {
            let (words, len) = source.form();
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            assert_eq!(*len_of.entry(bytes[0]).or_insert(len), len);
            assert!(bytes[len..].iter().all(|&byte| byte == 0));
            ends.insert((len, bytes[len - 1] == 0));
            n_short += usize::from(len < 5);
        }
        let lens: BTreeSet<usize> = len_of.values().copied().collect();
        let expected = [1, 2, 3, 4, 7, 8, 9, 10, 16, 17, 18, 65, 200];
        assert_eq!(lens, BTreeSet::from(expected));
        // A form of one byte is never without its kind, which is 0.
        assert_eq!(ends.iter().filter(|(_, is_zero)| *is_zero).count(), expected.len());
        // 50 of 64 kinds.
        assert!((15_000..16_300).contains(&n_short), "{n_short}");
        // Both types have each of the 64 kinds.
        assert_eq!(len_of.len(), 2 * 64 + 1);
    }
}
