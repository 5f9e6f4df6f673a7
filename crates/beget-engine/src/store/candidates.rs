//! Candidates: forms on their way from the calls of one block to the store.

use std::collections::BTreeSet;

use ahash::RandomState;
use beget_heap::{CanonicalForm, Form};
use serde::{Deserialize, Serialize};

use super::StructureId;
use crate::calls::CallIdx;

/// One form that a call left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate<'c> {
    /// The form.
    pub form: Form<'c>,
    /// The call.
    pub call: CallIdx,
    /// The structures that the call took, in order.
    pub arguments: &'c [StructureId],
    /// How many objects of the counted class it has.
    pub objects: u16,
    /// Whether the candidate before it came from the same call.
    pub continues_call: bool,
}

/// What is kept of a candidate besides its words.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Head {
    /// See [`hash_words`].
    pub(crate) hash: u64,
    pub(crate) call: CallIdx,
    pub(crate) arguments: Arguments,
    /// Where its words begin.
    first_word: u32,
    pub(crate) objects: u16,
    /// Its length in bytes; if [`LONG`], its first word is the length.
    len: u16,
}

/// Stands for a length that does not fit.
const LONG: u16 = u16::MAX;

/// The structures that a call took, in a word: none, one, or where in a list of tails they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Arguments(StructureId);

/// Set if the arguments are in a list of tails. Structures are numbered below it.
const IN_TAILS: u32 = 1 << 31;

impl Arguments {
    const NONE: Arguments = Arguments(StructureId(u32::MAX));

    #[inline(always)]
    pub(crate) fn new(arguments: &[StructureId], tails: &mut Vec<StructureId>) -> Self {
        match *arguments {
            [] => Arguments::NONE,
            [only] => Arguments(only),
            [..] => Arguments::in_tails(arguments, tails),
        }
    }

    /// That of one structure.
    pub(crate) fn one(id: StructureId) -> Self {
        Arguments(id)
    }

    /// The number of the structure, if it is exactly one.
    #[inline(always)]
    pub(crate) fn only(self) -> Option<u32> {
        (self.0.0 & IN_TAILS == 0).then_some(self.0.0)
    }

    #[cold]
    fn in_tails(arguments: &[StructureId], tails: &mut Vec<StructureId>) -> Self {
        let start = tails.len() as u32;
        // The list says itself how many they are.
        tails.push(StructureId(arguments.len() as u32));
        tails.extend_from_slice(arguments);
        Arguments(StructureId(start | IN_TAILS))
    }

    #[inline(always)]
    pub(crate) fn get<'t>(&'t self, tails: &'t [StructureId]) -> &'t [StructureId] {
        if *self == Arguments::NONE {
            return &[];
        }
        if self.0.0 & IN_TAILS == 0 {
            return std::slice::from_ref(&self.0);
        }
        let start = (self.0.0 & !IN_TAILS) as usize;
        let count = tails[start].0 as usize;
        &tails[start + 1..start + 1 + count]
    }
}

/// The candidates of one block of parents, in the order in which the calls were made.
#[derive(Debug, Serialize, Deserialize)]
pub struct Candidates {
    heads: Vec<Head>,
    words: Vec<u64>,
    /// Structure arguments of calls that take several.
    tails: Vec<StructureId>,
    /// The positions of candidates that come from the call of the one before.
    continuing: Vec<u32>,
    #[serde(skip, default = "hasher")]
    hasher: RandomState,
}

impl Default for Candidates {
    fn default() -> Self {
        Candidates {
            heads: Vec::new(),
            words: Vec::new(),
            tails: Vec::new(),
            continuing: Vec::new(),
            hasher: hasher(),
        }
    }
}

/// The hash of forms. Its seeds are fixed, but nothing visible depends on them: the hash only
/// decides where a form is looked for.
pub(crate) fn hasher() -> RandomState {
    RandomState::with_seeds(0x6265_6765, 0x7420_6974, 0x2073_686f, 0x7274_6573)
}

#[inline(always)]
pub(crate) fn hash_words(hasher: &RandomState, words: &[u64]) -> u64 {
    // Trailing zero words are padding and must not count: a shard may store a form wider than it
    // is.
    match *words {
        [a] => hasher.hash_one((a, 0_u64)),
        [a, b] => hasher.hash_one((a, b)),
        [ref rest @ .., 0] => hash_words(hasher, rest),
        _ => hasher.hash_one(words),
    }
}

impl Candidates {
    /// The number of candidates.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Appends a candidate.
    #[inline]
    pub fn push(&mut self, candidate: Candidate<'_>) {
        let Candidate { form, call, arguments, objects, continues_call } = candidate;
        let arguments = match self.heads.last() {
            Some(last) if continues_call => last.arguments,
            _ => Arguments::new(arguments, &mut self.tails),
        };
        if continues_call {
            self.continuing.push(self.heads.len() as u32);
        }
        let first_word = self.words.len() as u32;
        let len = u16::try_from(form.len).unwrap_or(LONG);
        if len == LONG {
            self.words.push(form.len as u64);
        }
        self.heads.push(Head {
            hash: hash_words(&self.hasher, form.words),
            call,
            arguments,
            first_word,
            objects,
            len,
        });
        match *form.words {
            // The usual lengths, without a call to copy.
            [a] => self.words.push(a),
            [a, b] => self.words.extend([a, b]),
            _ => self.words.extend_from_slice(form.words),
        }
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

    /// A hash of each candidate's form, in order. Equal forms have equal hashes, whatever their
    /// padding.
    pub fn hashes(&self) -> impl Iterator<Item = u64> {
        self.heads.iter().map(|head| head.hash)
    }

    pub(crate) fn heads(&self) -> &[Head] {
        &self.heads
    }

    /// The positions of candidates that come from the call of the one before.
    pub(crate) fn continuing(&self) -> &[u32] {
        &self.continuing
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

    pub(crate) fn arguments<'c>(&'c self, head: &'c Head) -> &'c [StructureId] {
        head.arguments.get(&self.tails)
    }
}

/// How many candidates there were at some point.
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

    /// Forgets what was pushed since `mark`.
    pub(crate) fn undo(&mut self, mark: CandidatesMark) {
        self.heads.truncate(mark.n_heads);
        self.words.truncate(mark.n_words);
        self.tails.truncate(mark.n_tails);
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
}
