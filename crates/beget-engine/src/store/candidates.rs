//! Candidates: forms on their way from the calls of one block to the store, partitioned by hash.

use std::collections::BTreeSet;

use ahash::RandomState;

/// Into how many parts the store is divided. A part is only ever touched by one thread at a time.
pub const N_SHARDS: usize = 16;

/// One form that a call left.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'f> {
    /// The form, zero-padded to words.
    pub words: &'f [u64],
    /// Its length in bytes.
    pub len: usize,
    /// The call, by its number in the [`crate::CallTable`].
    pub call: u32,
    /// The first structure argument; or where the arguments begin in the tails, if there are several.
    pub parent: u32,
    /// How many objects of the counted class it has.
    pub objects: u16,
    /// Whether an earlier candidate of the block came from the same call.
    pub continues_call: bool,
}

/// What is kept of a candidate besides its words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub(crate) hash: u64,
    pub(crate) call: u32,
    pub(crate) parent: u32,
    /// Position among all candidates of the block.
    pub(crate) position: u32,
    pub(crate) objects: u16,
    pub(crate) len: u16,
}

/// The candidates of one shard, in order.
#[derive(Debug, Default)]
pub(crate) struct ShardCandidates {
    pub(crate) heads: Vec<Head>,
    pub(crate) words: Vec<u64>,
    /// Filled by the store: which heads were new.
    pub(crate) new: Vec<u32>,
}

/// The candidates of one block of parents, in the order in which the calls were made.
#[derive(Debug)]
pub struct Candidates {
    pub(crate) shards: [ShardCandidates; N_SHARDS],
    /// Structure arguments of calls that take several.
    pub(crate) tails: Vec<u32>,
    /// The positions of candidates whose call an earlier candidate came from.
    pub(crate) continuing: Vec<u32>,
    n: u32,
    hasher: RandomState,
}

impl Default for Candidates {
    fn default() -> Self {
        Candidates {
            shards: Default::default(),
            tails: Vec::new(),
            continuing: Vec::new(),
            n: 0,
            hasher: hasher(),
        }
    }
}

/// The hash of forms. Its seeds are fixed, but nothing visible depends on them: the hash only decides
/// where a form is looked for.
pub(crate) fn hasher() -> RandomState {
    RandomState::with_seeds(0x6265_6765, 0x7420_6974, 0x2073_686f, 0x7274_6573)
}

#[inline(always)]
pub(crate) fn hash_words(hasher: &RandomState, words: &[u64]) -> u64 {
    // Trailing zero words are padding and must not count: a shard may store a form wider than it is.
    match *words {
        [a] => hasher.hash_one((a, 0_u64)),
        [a, b] => hasher.hash_one((a, b)),
        [ref rest @ .., 0] => hash_words(hasher, rest),
        _ => hasher.hash_one(words),
    }
}

impl Candidates {
    /// The number of candidates.
    pub fn len(&self) -> u32 {
        self.n
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Appends a candidate.
    #[inline]
    pub fn push(&mut self, candidate: Candidate<'_>) {
        let hash = hash_words(&self.hasher, candidate.words);
        let shard = &mut self.shards[shard_of(hash)];
        shard.heads.push(Head {
            hash,
            call: candidate.call,
            parent: candidate.parent,
            position: self.n,
            objects: candidate.objects,
            len: candidate.len as u16,
        });
        match *candidate.words {
            // The usual lengths, without a call to copy.
            [a] => shard.words.push(a),
            [a, b] => shard.words.extend([a, b]),
            _ => shard.words.extend_from_slice(candidate.words),
        }
        if candidate.continues_call {
            self.continuing.push(self.n);
        }
        self.n += 1;
    }

    /// Notes the structure arguments of a call that takes several; the result goes to
    /// [`Candidate::parent`].
    pub fn push_tail(&mut self, arguments: &[u32]) -> u32 {
        let start = self.tails.len() as u32;
        self.tails.extend_from_slice(arguments);
        start
    }
}

/// How many candidates there were at some point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CandidatesMark {
    shards: [(usize, usize); N_SHARDS],
    n_tails: usize,
    n_continuing: usize,
    n: u32,
}

impl Candidates {
    pub(crate) fn mark(&self) -> CandidatesMark {
        CandidatesMark {
            shards: self.shards.each_ref().map(|shard| (shard.heads.len(), shard.words.len())),
            n_tails: self.tails.len(),
            n_continuing: self.continuing.len(),
            n: self.n,
        }
    }

    /// The forms pushed since `mark`, each once, without trailing zero words.
    pub(crate) fn forms_since(&self, mark: &CandidatesMark) -> BTreeSet<Vec<u64>> {
        let mut forms = BTreeSet::new();
        for (shard, (n_heads, n_words)) in self.shards.iter().zip(mark.shards) {
            let mut words = &shard.words[n_words..];
            for head in &shard.heads[n_heads..] {
                let (own, rest) = words.split_at(usize::from(head.len).div_ceil(8));
                forms.insert(trimmed(own).to_vec());
                words = rest;
            }
        }
        forms
    }

    /// Forgets what was pushed since `mark`.
    pub(crate) fn undo(&mut self, mark: CandidatesMark) {
        for (shard, (n_heads, n_words)) in self.shards.iter_mut().zip(mark.shards) {
            shard.heads.truncate(n_heads);
            shard.words.truncate(n_words);
        }
        self.tails.truncate(mark.n_tails);
        self.continuing.truncate(mark.n_continuing);
        self.n = mark.n;
    }
}

/// The words of a stored form, without trailing zero words.
pub(crate) fn trimmed_words(form: &[u8]) -> Vec<u64> {
    let word_of =
        |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    let words: Vec<u64> = form.chunks(8).map(word_of).collect();
    trimmed(&words).to_vec()
}

fn trimmed(words: &[u64]) -> &[u64] {
    let zeros = words.iter().rev().take_while(|&&word| word == 0).count();
    &words[..words.len() - zeros]
}

#[inline(always)]
pub(crate) fn shard_of(hash: u64) -> usize {
    (hash >> 60) as usize
}
