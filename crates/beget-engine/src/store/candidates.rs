//! Candidates: forms on their way from the calls of one block to the store.

use std::collections::BTreeSet;

use beget_heap::hash::{FixedState, fixed_state, hash_by};
use beget_heap::{CanonicalForm, Form, FormRef};

use super::StructureId;
use crate::data::ids::CallIdx;

/// One form that a call left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate<'c> {
    /// The form.
    pub form: Form<'c>,
    /// The call.
    pub call: CallIdx,
    /// The structures that the call took, in order.
    pub arguments: &'c [StructureId],
    /// The number of its objects of the counted class.
    pub objects: u16,
    /// True if the candidate before it came from the same call.
    pub continues_call: bool,
}

/// The data of a candidate besides its words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    /// See [`hash_words`].
    pub(crate) hash: u64,
    pub(crate) call: CallIdx,
    pub(crate) arguments: Arguments,
    /// The start of its words.
    first_word: u32,
    pub(crate) objects: u16,
    /// Its length in bytes; if [`LONG`], its first word is the length.
    len: u16,
}

/// The data of a candidate in a message besides its form.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReadHead {
    pub(super) call: CallIdx,
    pub(super) arguments: Arguments,
    pub(super) objects: u16,
    pub(super) continues_call: bool,
}

/// Stands for a length that does not fit.
const LONG: u16 = u16::MAX;

/// The structures that a call took, in a word: none, or a place in a list of tails. There is the
/// only one, which neighbours share, or the number of several, and then these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arguments(u32);

/// No structure has this number.
const NO_STRUCTURE: StructureId = StructureId::new(u64::MAX);

/// Set if there are several arguments.
const SEVERAL: u32 = 1 << 31;

impl Arguments {
    const NONE: Arguments = Arguments(u32::MAX);

    /// The word, for messages.
    pub(super) fn number(self) -> u32 {
        self.0
    }

    /// The arguments whose word is `number`.
    pub(super) fn of_number(number: u32) -> Self {
        Arguments(number)
    }

    /// Returns whether they are available in `tails`.
    fn are_in(self, tails: &[StructureId]) -> bool {
        if self == Arguments::NONE {
            return true;
        }
        let start = (self.0 & !SEVERAL) as usize;
        let first = tails.get(start);
        first.is_some_and(|first| self.0 & SEVERAL == 0 || tails.len() - start > first.index())
    }

    #[inline(always)]
    pub(crate) fn get(self, tails: &[StructureId]) -> &[StructureId] {
        if self.0 & SEVERAL == 0 {
            return std::slice::from_ref(&tails[self.0 as usize]);
        }
        if self == Arguments::NONE {
            return &[];
        }
        let start = (self.0 & !SEVERAL) as usize;
        &tails[start + 1..][..tails[start].index()]
    }
}

/// The candidates of one block of parents, in the order in which the calls were made.
#[derive(Debug)]
pub struct Candidates {
    heads: Vec<Head>,
    words: Vec<u64>,
    /// The structure arguments of the calls.
    tails: Vec<StructureId>,
    /// The last one that was the only argument of a call, and its place.
    only: StructureId,
    only_at: u32,
    /// The positions of candidates that come from the same call as the one before.
    continuing: Vec<u32>,
    hasher: FixedState,
}

impl Default for Candidates {
    fn default() -> Self {
        Candidates {
            heads: Vec::new(),
            words: Vec::new(),
            tails: Vec::new(),
            only: NO_STRUCTURE,
            only_at: 0,
            continuing: Vec::new(),
            hasher: fixed_state(),
        }
    }
}

/// The hash of forms, which only decides where a form is searched.
#[inline(always)]
pub(crate) fn hash_words(hasher: &FixedState, words: &[u64]) -> u64 {
    // Trailing zero words are padding and must not count: a shard may pad a form.
    match *words {
        [a] => hash_by(hasher, (a, 0_u64)),
        [a, b] => hash_by(hasher, (a, b)),
        [ref rest @ .., 0] => hash_words(hasher, rest),
        _ => hash_by(hasher, words),
    }
}

impl Candidates {
    /// The number of candidates.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Appends a candidate.
    #[inline]
    pub fn push(&mut self, candidate: Candidate<'_>) {
        let hash = hash_words(&self.hasher, candidate.form.words);
        self.push_hashed(candidate, hash);
    }

    /// Appends a structure stored elsewhere: only its form and its origin are known. `words` is
    /// scratch memory.
    pub fn push_stored(
        &mut self,
        form: FormRef<'_>,
        call: CallIdx,
        arguments: &[StructureId],
        words: &mut Vec<u64>,
    ) {
        words.clear();
        words.extend(form.words());
        let form = Form { words, len: form.as_bytes().len().max(1) };
        self.push(Candidate { form, call, arguments, objects: 0, continues_call: false });
    }

    /// Appends a candidate unless `recent` has its form; returns whether it did.
    #[inline]
    pub(crate) fn push_new(&mut self, candidate: Candidate<'_>, recent: &mut RecentForms) -> bool {
        let hash = hash_words(&self.hasher, candidate.form.words);
        if let Some(entry) = recent.entry(hash) {
            let own = RecentForm { hash: (hash >> 32) as u32, position: self.heads.len() as u32 };
            if entry.hash == own.hash && self.is_at(entry.position as usize, hash, candidate.form) {
                return false;
            }
            *entry = own;
        }
        self.push_hashed(candidate, hash);
        true
    }

    /// Returns whether candidate number `position` exists and has this form.
    #[inline]
    fn is_at(&self, position: usize, hash: u64, form: Form<'_>) -> bool {
        let head = self.heads.get(position);
        head.is_some_and(|head| head.hash == hash && self.form(head) == form)
    }

    /// Appends the candidates of a block that comes right after this one.
    pub(crate) fn append(&mut self, next: &Candidates) {
        for candidate in next.iter() {
            self.push(candidate);
        }
    }

    #[inline(always)]
    fn push_hashed(&mut self, candidate: Candidate<'_>, hash: u64) {
        let Candidate { form, call, arguments, objects, continues_call } = candidate;
        let arguments = match self.heads.last() {
            Some(last) if continues_call => last.arguments,
            _ => self.place_of(arguments),
        };
        if continues_call {
            self.continuing.push(self.heads.len() as u32);
        }
        self.push_form(form, Head { hash, call, arguments, first_word: 0, objects, len: 0 });
    }

    #[inline(always)]
    fn place_of(&mut self, arguments: &[StructureId]) -> Arguments {
        match *arguments {
            [] => Arguments::NONE,
            [only] => {
                if only != self.only {
                    (self.only, self.only_at) = (only, self.tails.len() as u32);
                    self.tails.push(only);
                }
                Arguments(self.only_at)
            }
            [..] => self.push_several(arguments),
        }
    }

    #[cold]
    fn push_several(&mut self, arguments: &[StructureId]) -> Arguments {
        let start = self.tails.len() as u32;
        self.tails.push(StructureId::new(arguments.len() as u64));
        self.tails.extend_from_slice(arguments);
        Arguments(start | SEVERAL)
    }

    /// Appends a form, with the data of `head` besides its place and length.
    #[inline(always)]
    fn push_form(&mut self, form: Form<'_>, head: Head) {
        let first_word = self.words.len() as u32;
        let len = u16::try_from(form.len).unwrap_or(LONG);
        if len == LONG {
            self.words.push(form.len as u64);
        }
        self.heads.push(Head { first_word, len, ..head });
        match *form.words {
            // The usual lengths, without a call to copy.
            [a] => self.words.push(a),
            [a, b] => self.words.extend([a, b]),
            _ => self.words.extend_from_slice(form.words),
        }
    }

    /// Makes an empty list that has room for `n` candidates with forms of one word, from calls on
    /// `n_parents` structures.
    pub(crate) fn with_room_for(n: usize, n_parents: usize) -> Self {
        let (heads, words) = (Vec::with_capacity(n), Vec::with_capacity(n));
        Candidates { heads, words, tails: Vec::with_capacity(n_parents), ..Candidates::default() }
    }

    /// Appends a candidate whose tail, if it has one, comes later.
    #[inline]
    pub(super) fn push_read(&mut self, form: Form<'_>, head: ReadHead) {
        let ReadHead { call, arguments, objects, continues_call } = head;
        let hash = hash_words(&self.hasher, form.words);
        if continues_call {
            self.continuing.push(self.heads.len() as u32);
        }
        self.push_form(form, Head { hash, call, arguments, first_word: 0, objects, len: 0 });
    }

    pub(super) fn push_tail(&mut self, tail: StructureId) {
        self.tails.push(tail);
    }

    pub(super) fn tails(&self) -> &[StructureId] {
        &self.tails
    }

    /// Returns whether all arguments are within bounds.
    pub(super) fn has_its_tails(&self) -> bool {
        self.heads.iter().all(|head| head.arguments.are_in(&self.tails))
    }

    /// The forms of the candidates, in order.
    pub fn forms(&self) -> impl Iterator<Item = Form<'_>> {
        self.heads.iter().map(|head| self.form(head))
    }

    /// The candidates, in order.
    pub fn iter(&self) -> impl Iterator<Item = Candidate<'_>> {
        let mut continuing = self.continuing.iter().copied().peekable();
        self.heads.iter().zip(0_u32..).map(move |(head, position)| Candidate {
            form: self.form(head),
            call: head.call,
            arguments: self.arguments(head),
            objects: head.objects,
            continues_call: continuing.next_if_eq(&position).is_some(),
        })
    }

    pub(crate) fn heads(&self) -> &[Head] {
        &self.heads
    }

    /// The positions of candidates that come from the same call as the one before.
    pub(crate) fn continuing(&self) -> &[u32] {
        &self.continuing
    }

    /// Loads the start of a form into the cache; the result is meaningless.
    #[inline(always)]
    pub(crate) fn touch(&self, head: &Head) -> u32 {
        self.words.get(head.first_word as usize).map_or(0, |&word| word as u32)
    }

    #[inline(always)]
    pub(crate) fn form(&self, head: &Head) -> Form<'_> {
        let (mut start, mut len) = (head.first_word as usize, usize::from(head.len));
        if head.len == LONG {
            len = self.words[start] as usize;
            start += 1;
        }
        Form { words: &self.words[start..start + len.div_ceil(8)], len }
    }

    pub(crate) fn arguments(&self, head: &Head) -> &[StructureId] {
        head.arguments.get(&self.tails)
    }
}

/// Recently produced forms of this block. Most calls repeat a sibling's result; checking here saves
/// a store lookup.
///
/// It only suggests places, which may be outdated.
#[derive(Debug, Default)]
pub(crate) struct RecentForms {
    /// Empty, or a power of two.
    entries: Vec<RecentForm>,
}

#[derive(Clone, Copy, Debug, Default)]
struct RecentForm {
    /// The upper half of its hash.
    hash: u32,
    /// Its position among the candidates of the block.
    position: u32,
}

/// Few enough to stay in the nearest cache.
const MOST_RECENT: usize = 1 << 12;

impl RecentForms {
    /// A table for the candidates of about `n_calls` calls.
    pub(crate) fn of(n_calls: usize) -> Self {
        let n_entries = n_calls.next_power_of_two().min(MOST_RECENT);
        RecentForms { entries: vec![RecentForm::default(); n_entries] }
    }

    /// The entry of forms with this hash.
    #[inline(always)]
    fn entry(&mut self, hash: u64) -> Option<&mut RecentForm> {
        let mask = self.entries.len().wrapping_sub(1);
        self.entries.get_mut(hash as usize & mask)
    }
}

/// The number of candidates at some point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CandidatesMark {
    n_heads: usize,
    n_words: usize,
    n_tails: usize,
    n_continuing: usize,
}

impl Candidates {
    pub(crate) fn mark(&self) -> CandidatesMark {
        CandidatesMark {
            n_heads: self.heads.len(),
            n_words: self.words.len(),
            n_tails: self.tails.len(),
            n_continuing: self.continuing.len(),
        }
    }

    /// The forms pushed since `mark`, each once.
    pub(crate) fn forms_since(&self, mark: &CandidatesMark) -> BTreeSet<CanonicalForm> {
        let since = self.heads[mark.n_heads..].iter();
        since.map(|head| self.form(head).to_canonical()).collect()
    }

    /// Removes everything pushed since `mark`.
    pub(crate) fn undo(&mut self, mark: CandidatesMark) {
        self.heads.truncate(mark.n_heads);
        self.words.truncate(mark.n_words);
        self.tails.truncate(mark.n_tails);
        self.only = NO_STRUCTURE;
        self.continuing.truncate(mark.n_continuing);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_any_length_come_out_as_they_went_in() {
        let mut block = Candidates::default();
        let forms = [3, 65_534, 65_535, 65_536, 70_000, 9].map(|len: usize| {
            let words: Vec<u64> = (1..=len.div_ceil(8) as u64).collect();
            (words, len)
        });
        for (words, len) in &forms {
            let form = Form { words, len: *len };
            let candidate = Candidate {
                form,
                call: CallIdx::new(0),
                arguments: &[],
                objects: 0,
                continues_call: false,
            };
            block.push(candidate);
        }
        let read: Vec<_> =
            block.iter().map(|left| (left.form.words.to_vec(), left.form.len)).collect();
        assert_eq!(read, forms);
    }

    #[test]
    fn recent_forms_are_left_out_and_no_others() {
        for mut recent in [RecentForms::default(), RecentForms::of(4), RecentForms::of(64)] {
            let knows_none = recent.entries.is_empty();
            let mut block = Candidates::default();
            let mut push = |block: &mut Candidates, value: u64| {
                let (form, call) = (Form { words: &[value], len: 2 }, CallIdx::new(0));
                let (arguments, objects, continues_call) = (&[][..], 0, false);
                block.push_new(
                    Candidate { form, call, arguments, objects, continues_call },
                    &mut recent,
                )
            };
            let values = |block: &Candidates| -> Vec<u64> {
                block.iter().map(|left| left.form.words[0]).collect()
            };
            let mut n_left_out = 0;
            for step in 0..500_u64 {
                let value = step * step % 23;
                let before = values(&block);
                if push(&mut block, value) {
                    continue;
                }
                n_left_out += 1;
                assert!(before.contains(&value), "{value}");
                assert_eq!(values(&block), before);
            }
            assert_eq!(n_left_out > 0, !knows_none);
            // An undone form is not known any more.
            let mark = block.mark();
            assert!(push(&mut block, 1000));
            block.undo(mark);
            assert!(push(&mut block, 1000));
            assert_eq!(push(&mut block, 1000), knows_none);
        }
    }

    /// Neighbours share a place among the tails, which goes when they are undone.
    #[test]
    fn arguments_come_out_as_they_went_in_whatever_comes_before_them() {
        let far = 1 << 32;
        let lists: [&[u64]; 9] =
            [&[5], &[5], &[5 + far], &[], &[5 + far], &[5, far], &[far], &[5 + far], &[5, 6, 5]];
        let lists =
            lists.map(|list| list.iter().copied().map(StructureId::new).collect::<Vec<_>>());
        let push = |block: &mut Candidates, arguments: &[StructureId]| {
            let (form, call) = (Form { words: &[1], len: 1 }, CallIdx::new(0));
            block.push(Candidate { form, call, arguments, objects: 0, continues_call: false });
        };
        for undoes in [false, true] {
            let mut block = Candidates::default();
            for list in &lists {
                if undoes {
                    let mark = block.mark();
                    push(&mut block, list);
                    push(&mut block, &lists[0]);
                    block.undo(mark);
                }
                push(&mut block, list);
            }
            let found: Vec<Vec<StructureId>> =
                block.iter().map(|candidate| candidate.arguments.to_vec()).collect();
            assert_eq!((found, block.has_its_tails()), (lists.to_vec(), true));
            // A number that is the only one of two calls in a row is there once, if none is undone.
            assert!(undoes || block.tails().len() == 11, "{:?}", block.tails());
        }
    }

    #[test]
    fn a_stored_structure_is_a_candidate_with_its_form_and_origin() {
        let mut block = Candidates::default();
        let (arguments, mut words) = ([3, 5].map(StructureId::new), vec![7]);
        let form = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        block.push_stored(FormRef::new(&form), CallIdx::new(4), &arguments, &mut words);
        block.push_stored(FormRef::new(&[]), CallIdx::new(0), &[], &mut words);
        let pushed: Vec<Candidate<'_>> = block.iter().collect();
        assert_eq!(pushed.len(), 2);
        let first = pushed[0];
        assert_eq!(first.form.to_canonical().as_bytes(), form);
        assert_eq!((first.call, first.arguments), (CallIdx::new(4), &arguments[..]));
        assert_eq!((first.objects, first.continues_call), (0, false));
        // A form has a byte at the least.
        assert_eq!(pushed[1].form.len, 1);
    }

    /// Neither the hash nor the form is enough: two forms may have one hash.
    #[test]
    fn a_candidate_is_at_its_position_with_its_hash_and_its_form() {
        let mut block = Candidates::default();
        let form = |value: &'static [u64; 1]| Form { words: value, len: 2 };
        let (call, arguments) = (CallIdx::new(0), &[][..]);
        let own = form(&[5]);
        let candidate = Candidate { form: own, call, arguments, objects: 0, continues_call: false };
        block.push_hashed(candidate, 77);
        assert!(block.is_at(0, 77, own));
        assert!(!block.is_at(0, 77, form(&[6])));
        assert!(!block.is_at(0, 78, own));
        assert!(!block.is_at(1, 77, own));
    }
}
