//! Forms that this process has recently sent to their owners.
//!
//! An owner keeps all it is sent, so such a form is not new any more. Most calls leave a form that
//! another call has left before; it need not be sent again.

use std::fmt;
use std::hint::black_box;

use beget_engine::store::{Candidates, Form, FormRef};

use crate::cluster::reading::{owner_hash, short_form, short_owner_hash};

/// The forms of a set: as many as fill a line of the cache.
const WAYS: usize = 4;

/// Short forms whose hashes lead to the same set, as their bytes, the lowest first. Zero stands for
/// none. The one that was noted last comes first.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct KnownSet([u128; WAYS]);

impl KnownSet {
    /// Puts a form first. Returns whether it was there already.
    #[inline]
    fn note(&mut self, form: u128) -> bool {
        let mut moved = form;
        for known in &mut self.0 {
            std::mem::swap(known, &mut moved);
            if moved == form {
                return true;
            }
        }
        false
    }
}

/// Short forms in sets that their hashes name. A form may be forgotten, but is never taken for
/// another.
pub(crate) struct KnownForms {
    /// None, or a power of two.
    sets: Vec<KnownSet>,
    /// The number of sets that it may grow to.
    most: usize,
    /// The forms noted that were not known, since it has grown.
    n_noted: usize,
    looked_up: Vec<SentForm>,
    bytes: Vec<u8>,
}

/// A form that a call left, on its way to its owner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SentForm {
    /// It is the same on all machines, and names the owner.
    pub(crate) hash: u64,
    /// Bytes without padding.
    pub(crate) len: u32,
    /// True if its owner has it.
    pub(crate) is_known: bool,
    /// The form, or zero for a long one.
    short: u128,
}

impl fmt::Debug for KnownForms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KnownForms").field("sets", &self.sets.len()).finish_non_exhaustive()
    }
}

/// A quarter of a megabyte.
const LEAST_SETS: usize = 1 << 12;

/// Enough for half of all repetitions in a run of some million structures.
const MOST_BYTES: u64 = 16 << 20;

impl KnownForms {
    /// It grows to 16 MiB, or `most_bytes` if that is less.
    pub(crate) fn within(most_bytes: u64) -> Self {
        let most = most_bytes.min(MOST_BYTES) as usize / size_of::<KnownSet>();
        // The greatest power of two that is not above.
        let most = most.checked_ilog2().map_or(0, |log| 1 << log);
        Self::with_sets(LEAST_SETS.min(most), most)
    }

    /// It knows no form.
    pub(crate) fn none() -> Self {
        Self::with_sets(0, 0)
    }

    fn with_sets(n: usize, most: usize) -> Self {
        let (sets, looked_up) = (vec![KnownSet([0; WAYS]); n], Vec::new());
        KnownForms { sets, most, n_noted: 0, looked_up, bytes: Vec::new() }
    }

    pub(crate) fn memory(&self) -> u64 {
        (self.sets.len() * size_of::<KnownSet>()) as u64
    }

    /// Looks up the forms of a block's candidates, and notes them.
    pub(crate) fn note_all(&mut self, block: &Candidates) -> &[SentForm] {
        self.grow();
        let KnownForms { sets, looked_up, bytes, .. } = self;
        looked_up.clear();
        looked_up.extend(block.forms().map(|form| sent_form(form, bytes)));
        let Some(mask) = sets.len().checked_sub(1) else { return looked_up };
        // These loads do not depend on each other, so the processor waits for many at once.
        let loaded = looked_up.iter().map(|sent| sets[sent.hash as usize & mask].0[0] as u64);
        black_box(loaded.fold(0, |all, one| all ^ one));
        for sent in looked_up.iter_mut().filter(|sent| sent.short != 0) {
            sent.is_known = sets[sent.hash as usize & mask].note(sent.short);
            self.n_noted += usize::from(!sent.is_known);
        }
        looked_up
    }

    /// Takes twice the room if more has been noted than has room. What was known is forgotten.
    fn grow(&mut self) {
        let n_sets = (2 * self.sets.len()).min(self.most);
        if self.n_noted > WAYS * self.sets.len() && n_sets > self.sets.len() {
            self.sets = vec![KnownSet([0; WAYS]); n_sets];
            self.n_noted = 0;
        }
    }
}

/// `bytes` is scratch space.
#[inline]
fn sent_form(form: Form<'_>, bytes: &mut Vec<u8>) -> SentForm {
    let short = match *form.words {
        [word] => u128::from(word),
        [low, high] => u128::from(high) << u64::BITS | u128::from(low),
        _ => return long_sent_form(form, bytes),
    };
    let len = (u128::BITS - short.leading_zeros()).div_ceil(u8::BITS);
    SentForm { hash: short_owner_hash(short), len, is_known: false, short }
}

/// Like [`sent_form`], of any number of words.
fn long_sent_form(form: Form<'_>, bytes: &mut Vec<u8>) -> SentForm {
    bytes.clear();
    form.append_to(bytes);
    let unpadded = FormRef::new(bytes).unpadded().as_bytes();
    let (len, short) = (unpadded.len() as u32, short_form(unpadded).unwrap_or(0));
    SentForm { hash: owner_hash(unpadded), len, is_known: false, short }
}

impl SentForm {
    /// Appends the bytes of the form without padding, which is that of `candidate`.
    #[inline]
    pub(crate) fn append_to(&self, form: Form<'_>, bytes: &mut Vec<u8>) {
        let len = self.len as usize;
        if let Some(short) = self.short.to_le_bytes().get(..len) {
            bytes.extend_from_slice(short);
            return;
        }
        let end = bytes.len() + len;
        form.append_to(bytes);
        bytes.truncate(end);
    }
}

#[cfg(test)]
mod tests {
    use beget_engine::CallIdx;
    use beget_engine::store::{Candidate, StructureId};

    use super::*;

    /// A block of candidates with these forms.
    fn block_of(forms: &[Vec<u64>]) -> Candidates {
        let mut block = Candidates::default();
        for words in forms {
            let form = Form { words, len: words.len() * 8 };
            let (call, arguments) = (CallIdx::new(0), &[StructureId::new(0)]);
            block.push(Candidate { form, call, arguments, objects: 0, continues_call: false });
        }
        block
    }

    fn known_of(known: &mut KnownForms, forms: &[Vec<u64>]) -> Vec<bool> {
        known.note_all(&block_of(forms)).iter().map(|sent| sent.is_known).collect()
    }

    #[test]
    fn a_form_is_known_when_it_comes_again() {
        let mut known = KnownForms::within(u64::MAX);
        let forms: Vec<Vec<u64>> = (1..500).map(|at| vec![at * 7, at]).collect();
        assert_eq!(known_of(&mut known, &forms), [false; 499]);
        assert_eq!(known_of(&mut known, &forms), [true; 499]);
        // Within a block, too.
        let of_one = known_of(&mut known, &[vec![1], vec![1], vec![2], vec![1]]);
        assert_eq!(of_one, [false, true, false, true]);
    }

    #[test]
    fn no_form_is_taken_for_another() {
        // One set, which each form leads to.
        let mut known = KnownForms::with_sets(1, 1);
        let mut naive: Vec<u64> = Vec::new();
        let mut rng = fastrand::Rng::with_seed(3);
        for _ in 0..5000 {
            let form = rng.u64(1..9);
            let place = naive.iter().position(|&one| one == form);
            assert_eq!(known_of(&mut known, &[vec![form]]), [place.is_some()]);
            naive.retain(|&one| one != form);
            naive.insert(0, form);
            naive.truncate(WAYS);
        }
    }

    #[test]
    fn what_has_no_room_is_not_known() {
        let long = vec![vec![1, 2, 3], vec![0, 0, 1], vec![0]];
        let mut known = KnownForms::within(u64::MAX);
        assert_eq!(known_of(&mut known, &long), [false; 3]);
        assert_eq!(known_of(&mut known, &long), [false; 3]);
        let mut none = KnownForms::none();
        assert_eq!(known_of(&mut none, &[vec![1], vec![1]]), [false; 2]);
        assert_eq!(none.memory(), 0);
    }

    #[test]
    fn it_grows_with_what_it_is_given_and_not_beyond_its_room() {
        for (most_bytes, expected) in [(1 << 20, 1 << 20), (1 << 19, 1 << 19), (70_000, 65_536)] {
            let mut known = KnownForms::within(most_bytes);
            for round in 0..40 {
                let forms: Vec<Vec<u64>> =
                    (0..5000).map(|at| vec![round * 5000 + at + 1]).collect();
                known.note_all(&block_of(&forms));
                assert!(known.memory() <= most_bytes);
            }
            assert_eq!(known.memory(), expected);
        }
    }

    #[test]
    fn forms_are_sent_without_padding() {
        let words: [&[u64]; 6] =
            [&[0x0102], &[0, 0x01], &[u64::MAX; 2], &[7, 0], &[0, 0, 0x0301], &[1, 2, 3, 0]];
        let mut known = KnownForms::within(u64::MAX);
        let block = block_of(&words.map(<[u64]>::to_vec));
        let sent = known.note_all(&block);
        for (candidate, sent) in block.iter().zip(sent) {
            let (mut whole, mut bytes) = (Vec::new(), vec![9]);
            candidate.form.append_to(&mut whole);
            let unpadded = FormRef::new(&whole).unpadded().as_bytes();
            sent.append_to(candidate.form, &mut bytes);
            assert_eq!(bytes[1..], *unpadded);
            assert_eq!((sent.len as usize, sent.hash), (unpadded.len(), owner_hash(unpadded)));
        }
    }
}
