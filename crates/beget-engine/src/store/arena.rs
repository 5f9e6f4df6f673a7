//! The forms of one shard, one after another.
//!
//! Forms of a chunk have the same stride, the length of its longest form, so that a form is found
//! by its index alone. Shorter forms are padded with zeros, which keeps them distinct (see
//! [`beget_heap::form`]). A chunk is widened when a longer form comes; chunks are small, so that
//! one long form costs little.

use beget_heap::FormRef;

const CHUNK: usize = 4096;

/// Room behind the last form, so that whole words can be read.
const PADDING: usize = 8;

#[derive(Clone, Debug, Default)]
struct Chunk {
    stride: usize,
    len: usize,
    bytes: Vec<u8>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Arena {
    chunks: Vec<Chunk>,
    len: usize,
}

impl Arena {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.chunks.iter().map(|chunk| (chunk.bytes.capacity() + size_of::<Chunk>()) as u64).sum()
    }

    /// Appends a form of `len` bytes; `words` is zero beyond it.
    pub(crate) fn push(&mut self, words: &[u64], len: usize) {
        if self.len.is_multiple_of(CHUNK) {
            let stride = self.chunks.last().map_or(len, |chunk| chunk.stride.min(len + 2)).max(len);
            self.chunks.push(Chunk { stride, len: 0, bytes: vec![0; PADDING] });
        }
        self.chunks.last_mut().expect("a chunk was pushed").push(words, len);
        self.len += 1;
    }

    /// Forgets all forms but the first `len`.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.chunks.truncate(len.div_ceil(CHUNK));
        if let Some(chunk) = self.chunks.last_mut() {
            chunk.len = len - (len - 1) / CHUNK * CHUNK;
            let n_bytes = chunk.len * chunk.stride;
            chunk.bytes.truncate(n_bytes);
            chunk.bytes.resize(n_bytes + PADDING, 0);
        }
        self.len = len;
    }

    /// Gives up the memory of the forms below `below`, as far as no other form is beside them. They
    /// must not be asked for again.
    pub(crate) fn forget(&mut self, below: usize) {
        self.chunks[..below / CHUNK].fill(Chunk::default());
    }

    /// The form at `index`.
    #[inline(always)]
    pub(crate) fn get(&self, index: usize) -> FormRef<'_> {
        let chunk = &self.chunks[index / CHUNK];
        let start = index % CHUNK * chunk.stride;
        FormRef::new(&chunk.bytes[start..start + chunk.stride])
    }

    /// Loads what says where the form at `index` lies; the result means nothing.
    #[inline(always)]
    pub(crate) fn touch_chunk(&self, index: usize) -> u32 {
        self.chunks[index / CHUNK].stride as u32
    }

    /// Loads the first and the last byte of the form at `index`; the result means nothing.
    #[inline(always)]
    pub(crate) fn touch(&self, index: usize) -> u32 {
        let chunk = &self.chunks[index / CHUNK];
        // There is padding behind the last form.
        let start = index % CHUNK * chunk.stride;
        u32::from(chunk.bytes[start]) ^ u32::from(chunk.bytes[start + chunk.stride])
    }

    /// Whether the form at `index` is the one in `words`.
    #[inline(always)]
    pub(crate) fn is(&self, index: usize, words: &[u64], len: usize) -> bool {
        let chunk = &self.chunks[index / CHUNK];
        match len <= chunk.stride {
            true => chunk.is(index % CHUNK, words),
            false => self.is_cut(index, words),
        }
    }

    /// As [`Arena::is_padded`], where the chunk is narrower than the form in `words`: forms that
    /// were read from a file have lost the zeros at their end.
    #[cold]
    fn is_cut(&self, index: usize, words: &[u64]) -> bool {
        self.is_padded(index, words)
    }

    /// Whether the form at `index` is the one in `words`, behind which zeros may follow.
    pub(crate) fn is_padded(&self, index: usize, words: &[u64]) -> bool {
        let chunk = &self.chunks[index / CHUNK];
        let (within, beyond) = words.split_at(words.len().min(chunk.stride.div_ceil(8)));
        chunk.is(index % CHUNK, within) && beyond.iter().all(|&word| word == 0)
    }

    /// Calls `visit` with each form as words, in order; zero words may follow it.
    pub(crate) fn for_each_words(&self, mut visit: impl FnMut(usize, &[u64])) {
        let mut words = Vec::new();
        for (chunk, first) in self.chunks.iter().zip((0..).step_by(CHUNK)) {
            let n_words = chunk.stride.div_ceil(8);
            words.resize(n_words, 0);
            for within in 0..chunk.len {
                for (at, word) in words.iter_mut().enumerate() {
                    *word = chunk.word(within, at);
                }
                visit(first + within, &words);
            }
        }
    }
}

impl Chunk {
    fn push(&mut self, words: &[u64], len: usize) {
        if len > self.stride {
            self.widen(len);
        }
        let start = self.len * self.stride;
        if start + self.stride + PADDING > self.bytes.len() {
            self.grow();
        }
        // Zeros of a last word that the form does not fill come to lie in the next form's place.
        for (place, word) in self.bytes[start..].chunks_exact_mut(8).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        self.len += 1;
    }

    /// Makes room for more forms, all of it zero.
    #[cold]
    fn grow(&mut self) {
        // Past an eighth the chunk will most likely fill up.
        let room = if self.len < CHUNK / 8 { (self.len * 2).max(4) } else { CHUNK };
        let n_bytes = room * self.stride + PADDING;
        self.bytes.reserve_exact(n_bytes - self.bytes.len());
        self.bytes.resize(n_bytes, 0);
    }

    #[cold]
    fn widen(&mut self, stride: usize) {
        let mut wider = Vec::with_capacity(self.len * stride + PADDING);
        for index in 0..self.len {
            let start = index * self.stride;
            wider.extend_from_slice(&self.bytes[start..start + self.stride]);
            wider.resize((index + 1) * stride, 0);
        }
        wider.resize(self.len * stride + PADDING, 0);
        self.bytes = wider;
        self.stride = stride;
    }

    /// Word number `word` of form number `index`; bytes beyond the stride are zero.
    #[inline(always)]
    fn word(&self, index: usize, word: usize) -> u64 {
        let start = index * self.stride + word * 8;
        let bytes = self.bytes[start..start + 8].try_into().expect("eight bytes");
        let beyond = ((word + 1) * 8).saturating_sub(self.stride);
        u64::from_le_bytes(bytes) << (beyond * 8) >> (beyond * 8)
    }

    #[inline(always)]
    fn is(&self, index: usize, words: &[u64]) -> bool {
        let n_words = self.stride.div_ceil(8);
        (0..n_words).all(|word| self.word(index, word) == words.get(word).copied().unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(index: usize) -> (Vec<u64>, usize) {
        let len = 1 + index % 23;
        let words = (0..len.div_ceil(8)).map(|word| {
            let bytes_here = (len - word * 8).min(8);
            (0x0101_0101_0101_0101 * (index as u64 % 251 + 1)) >> (64 - bytes_here * 8)
        });
        (words.collect(), len)
    }

    #[test]
    fn what_is_cut_off_leaves_room_for_other_forms() {
        for kept in [0, 1, 5, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK - 7] {
            let mut arena = Arena::default();
            let push = |arena: &mut Arena, index| {
                let (words, len) = form(index);
                arena.push(&words, len);
            };
            (0..2 * CHUNK + 9).for_each(|index| push(&mut arena, index));
            arena.truncate(kept);
            assert_eq!(arena.len(), kept);
            let others = 11..11 + CHUNK;
            others.clone().for_each(|index| push(&mut arena, index));
            for (index, meant) in (0..kept).chain(others).enumerate() {
                let (words, len) = form(meant);
                assert!(arena.is(index, &words, len), "{index} of {kept} kept");
            }
            let mut n_shown = 0;
            arena.for_each_words(|_, _| n_shown += 1);
            assert_eq!(n_shown, kept + CHUNK);
        }
    }

    #[test]
    fn what_is_forgotten_takes_no_memory_and_moves_nothing() {
        let mut arena = Arena::default();
        for index in 0..3 * CHUNK {
            let (words, len) = form(index);
            arena.push(&words, len);
        }
        let before = arena.bytes();
        arena.forget(2 * CHUNK + 5);
        assert!(arena.bytes() < before / 2, "{} of {before}", arena.bytes());
        for index in 2 * CHUNK..3 * CHUNK {
            let (words, len) = form(index);
            assert!(arena.is(index, &words, len), "{index}");
        }
        let mut shown = Vec::new();
        arena.for_each_words(|index, _| shown.push(index));
        assert!(shown.into_iter().eq(2 * CHUNK..3 * CHUNK));
    }

    #[test]
    fn forms_of_different_lengths_stay_distinct_and_readable() {
        let mut arena = Arena::default();
        for index in 0..3 * CHUNK {
            let (words, len) = form(index);
            arena.push(&words, len);
        }
        for index in 0..3 * CHUNK {
            let (words, len) = form(index);
            assert!(arena.is(index, &words, len), "{index}");
            let other = (index + 1) % (3 * CHUNK);
            let (words, len) = form(other);
            assert!(!arena.is(index, &words, len), "{index} is not {other}");
        }
    }
}
