//! The forms of one shard, one after another.
//!
//! Forms of a chunk have the same stride, the length of its longest form, so that a form is found
//! by its index alone. Shorter forms are padded with zeros, which keeps them distinct (see
//! [`beget_heap::form`]). A chunk is widened when a longer form comes; chunks are small, so that
//! one long form costs little.
//!
//! A chunk that is full is packed: neighbours in the order of discovery have much in common, and
//! bits that are the same in all forms of a chunk are kept once.

use beget_heap::FormRef;

use super::packing::WordPacking;

const CHUNK: usize = 1024;

/// Room after the last form, so that whole words can be read.
const PADDING: usize = 8;

#[derive(Clone, Debug, Default)]
struct Chunk {
    /// Bytes of a form.
    stride: u32,
    /// Bytes kept of each.
    kept: u32,
    len: u32,
    /// The start of the packings of a form's words in the arena's list.
    first_packing: u32,
    bytes: Vec<u8>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Arena {
    chunks: Vec<Chunk>,
    /// The packing of each word of a form, by chunk. They are in one list, so that they are loaded
    /// together with the forms, not after another step.
    packings: Vec<WordPacking>,
    len: usize,
}

/// The memory for a form that is read.
#[derive(Debug, Default)]
pub(crate) struct FormRoom(Vec<u8>);

impl Arena {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn bytes(&self) -> u64 {
        let chunk = |chunk: &Chunk| (chunk.bytes.capacity() + size_of::<Chunk>()) as u64;
        let packings = self.packings.capacity() * size_of::<WordPacking>();
        self.chunks.iter().map(chunk).sum::<u64>() + packings as u64
    }

    /// Appends a form of `len` bytes; `words` is zero beyond it.
    pub(crate) fn push(&mut self, words: &[u64], len: usize) {
        if self.len.is_multiple_of(CHUNK) {
            self.begin_chunk(len);
        }
        let chunk = self.chunks.last_mut().expect("a chunk was begun");
        if len > chunk.stride as usize {
            chunk.widen(len);
            self.packings.truncate(chunk.first_packing as usize);
            self.packings.extend(WordPacking::of_all(len));
        }
        chunk.push(words);
        self.len += 1;
    }

    /// Packs the last chunk, which is full, and begins another.
    #[cold]
    fn begin_chunk(&mut self, len: usize) {
        let mut stride = len;
        if let Some(last) = self.chunks.last_mut() {
            last.pack(&mut self.packings);
            stride = (last.stride as usize).clamp(len, len + 2);
        }
        let chunk = Chunk {
            stride: stride as u32,
            kept: stride as u32,
            len: 0,
            first_packing: self.packings.len() as u32,
            bytes: vec![0; PADDING],
        };
        self.packings.extend(WordPacking::of_all(stride));
        self.chunks.push(chunk);
    }

    /// Forgets all forms but the first `len`.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.chunks.truncate(len.div_ceil(CHUNK));
        self.len = len;
        let Some(chunk) = self.chunks.last_mut() else {
            return self.packings.clear();
        };
        chunk.len = (len - (len - 1) / CHUNK * CHUNK) as u32;
        chunk.unpack(&mut self.packings);
        let n_bytes = chunk.at(chunk.len as usize);
        chunk.bytes.truncate(n_bytes);
        chunk.bytes.resize(n_bytes + PADDING, 0);
    }

    /// Frees the memory of the forms below `below`, in chunks without other forms. They must not be
    /// requested again.
    pub(crate) fn forget(&mut self, below: usize) {
        self.chunks[..below / CHUNK].fill(Chunk::default());
    }

    /// The form at `index`, assembled in `room`.
    #[inline]
    pub(crate) fn read<'r>(&self, index: usize, room: &'r mut FormRoom) -> FormRef<'r> {
        let chunk = &self.chunks[index / CHUNK];
        room.0.clear();
        for packing in self.packings_of(chunk) {
            room.0.extend_from_slice(&chunk.word(index % CHUNK, packing).to_le_bytes());
        }
        room.0.truncate(chunk.stride as usize);
        FormRef::new(&room.0)
    }

    /// Loads the place of the form at `index` into the cache; the result is meaningless.
    #[inline(always)]
    pub(crate) fn touch_chunk(&self, index: usize) -> u32 {
        self.chunks[index / CHUNK].stride
    }

    /// Loads the first and the last byte of the form at `index`, and its packing, into the cache;
    /// the result is meaningless.
    #[inline(always)]
    pub(crate) fn touch(&self, index: usize) -> u32 {
        let chunk = &self.chunks[index / CHUNK];
        // There is padding after the last form.
        let (start, end) = (chunk.at(index % CHUNK), chunk.at(index % CHUNK + 1));
        let packing = self.packings.get(chunk.first_packing as usize).map_or(0, WordPacking::touch);
        u32::from(chunk.bytes[start]) ^ u32::from(chunk.bytes[end]) ^ packing
    }

    /// Returns whether the form at `index` is the one in `words`.
    #[inline(always)]
    pub(crate) fn is(&self, index: usize, words: &[u64], len: usize) -> bool {
        let chunk = &self.chunks[index / CHUNK];
        match len <= chunk.stride as usize {
            true => self.is_in(chunk, index, words),
            false => self.is_cut(index, words),
        }
    }

    /// Like [`Arena::is_padded`], for a chunk that is narrower than the form in `words`: forms read
    /// from a file have lost the zeros at their end.
    #[cold]
    fn is_cut(&self, index: usize, words: &[u64]) -> bool {
        self.is_padded(index, words)
    }

    /// Returns whether the form at `index` is the one in `words`, which zeros may follow.
    pub(crate) fn is_padded(&self, index: usize, words: &[u64]) -> bool {
        let chunk = &self.chunks[index / CHUNK];
        let (within, beyond) = words.split_at(words.len().min(chunk.n_words()));
        self.is_in(chunk, index, within) && beyond.iter().all(|&word| word == 0)
    }

    #[inline(always)]
    fn is_in(&self, chunk: &Chunk, index: usize, words: &[u64]) -> bool {
        let mut packings = self.packings_of(chunk).iter().enumerate();
        packings.all(|(at, packing)| {
            chunk.word(index % CHUNK, packing) == words.get(at).copied().unwrap_or(0)
        })
    }

    /// Calls `visit` with each form as words, in order; zero words may follow it.
    pub(crate) fn for_each_words(&self, mut visit: impl FnMut(usize, &[u64])) {
        let mut words = Vec::new();
        for (chunk, first) in self.chunks.iter().zip((0..).step_by(CHUNK)) {
            let packings = self.packings_of(chunk);
            words.resize(packings.len(), 0);
            for within in 0..chunk.len as usize {
                for (word, packing) in words.iter_mut().zip(packings) {
                    *word = chunk.word(within, packing);
                }
                visit(first + within, &words);
            }
        }
    }

    /// The packings of the words of the chunk's forms.
    #[inline(always)]
    fn packings_of(&self, chunk: &Chunk) -> &[WordPacking] {
        let first = chunk.first_packing as usize;
        &self.packings[first..first + chunk.n_words()]
    }
}

impl Chunk {
    /// Appends a form that is not longer than the stride, to an unpacked chunk.
    fn push(&mut self, words: &[u64]) {
        let start = self.at(self.len as usize);
        if start + self.kept as usize + PADDING > self.bytes.len() {
            self.grow();
        }
        // The unused part of a last word is in the next form's place, and zero.
        for (place, word) in self.bytes[start..].chunks_exact_mut(8).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        self.len += 1;
    }

    /// Makes room for more forms, all zero.
    #[cold]
    fn grow(&mut self) {
        let len = self.len as usize;
        // Beyond an eighth the chunk will probably fill up.
        let room = if len < CHUNK / 8 { (len * 2).max(4) } else { CHUNK };
        let n_bytes = self.at(room) + PADDING;
        self.bytes.reserve_exact(n_bytes - self.bytes.len());
        self.bytes.resize(n_bytes, 0);
    }

    /// Widens the stride of an unpacked chunk.
    #[cold]
    fn widen(&mut self, stride: usize) {
        let len = self.len as usize;
        let mut wider = Vec::with_capacity(len * stride + PADDING);
        for index in 0..len {
            wider.extend_from_slice(&self.bytes[self.at(index)..self.at(index + 1)]);
            wider.resize((index + 1) * stride, 0);
        }
        wider.resize(len * stride + PADDING, 0);
        self.bytes = wider;
        (self.stride, self.kept) = (stride as u32, stride as u32);
    }

    /// Reduces the forms of a full chunk to the bits in which they differ. `packings` ends with
    /// those of this chunk.
    fn pack(&mut self, packings: &mut [WordPacking]) {
        if self.is_packed() {
            return;
        }
        let stride = self.stride as usize;
        let word = |index, at| self.word(index, &WordPacking::whole(stride, at));
        let (packed, kept) = WordPacking::for_all(self.n_words(), CHUNK, word);
        if kept < stride {
            let mut bytes = vec![0; CHUNK * kept + PADDING];
            for index in 0..CHUNK {
                for (at, packing) in packed.iter().enumerate() {
                    packing.write(word(index, at), &mut bytes[index * kept..]);
                }
            }
            packings[self.first_packing as usize..].copy_from_slice(&packed);
            (self.kept, self.bytes) = (kept as u32, bytes);
        }
    }

    /// The opposite of [`Chunk::pack`].
    #[cold]
    fn unpack(&mut self, packings: &mut Vec<WordPacking>) {
        let first = self.first_packing as usize;
        if self.is_packed() {
            let (len, stride) = (self.len as usize, self.stride as usize);
            let mut bytes = vec![0; len * stride + PADDING];
            for index in 0..len {
                let packed = packings[first..].iter().map(|packing| self.word(index, packing));
                for (at, word) in packed.take(self.n_words()).enumerate() {
                    WordPacking::whole(stride, at).write(word, &mut bytes[index * stride..]);
                }
            }
            (self.kept, self.bytes) = (self.stride, bytes);
        }
        packings.truncate(first);
        packings.extend(WordPacking::of_all(self.stride as usize));
    }

    fn is_packed(&self) -> bool {
        self.kept < self.stride
    }

    /// The number of words of a form.
    #[inline(always)]
    fn n_words(&self) -> usize {
        (self.stride as usize).div_ceil(size_of::<u64>())
    }

    /// The start of form number `index`.
    #[inline(always)]
    fn at(&self, index: usize) -> usize {
        index * self.kept as usize
    }

    /// A word of form number `index`, unpacked.
    #[inline(always)]
    fn word(&self, index: usize, packing: &WordPacking) -> u64 {
        packing.read(&self.bytes[self.at(index)..])
    }
}

#[cfg(test)]
mod tests {
    use beget_heap::Form;

    use super::*;

    fn form(index: usize) -> (Vec<u64>, usize) {
        let len = 1 + index % 23;
        let words = (0..len.div_ceil(8)).map(|word| {
            let bytes_here = (len - word * 8).min(8);
            (0x0101_0101_0101_0101 * (index as u64 % 251 + 1)) >> (64 - bytes_here * 8)
        });
        (words.collect(), len)
    }

    /// Forms with much in common, mostly only for a while.
    fn similar(index: usize) -> (Vec<u64>, usize) {
        let while_common = (index / 1500) as u64;
        let words = vec![
            0xf0 | (index as u64 & 0xfff) << 20 | while_common << 50,
            while_common << 3,
            1 << 63 | (index as u64 / 5) << 7,
        ];
        (words, 24)
    }

    /// The form at `index`, read in all ways.
    #[track_caller]
    fn expect(arena: &Arena, index: usize, (words, len): &(Vec<u64>, usize)) {
        assert!(arena.is(index, words, *len), "{index}");
        assert!(arena.is_padded(index, words), "{index}");
        let mut room = FormRoom::default();
        assert_eq!(Form { words, len: *len }, arena.read(index, &mut room), "{index}");
        for bit in 0..len * 8 {
            let mut other = words.clone();
            other[bit / 64] ^= 1 << (bit % 64);
            assert!(!arena.is(index, &other, *len), "{index} without {bit}");
        }
    }

    #[test]
    fn forms_with_much_in_common_are_packed_and_come_out_as_they_went_in() {
        for shift in [0, 1, 4095] {
            let mut arena = Arena::default();
            let n = 3 * CHUNK + 5;
            for index in 0..n {
                let (words, len) = similar(index + shift);
                arena.push(&words, len);
            }
            let kept: Vec<_> = arena.chunks.iter().map(|chunk| chunk.kept).collect();
            // Ten bits of the index in the first word and eight or nine in the third; in the second
            // a bit where the common part changes. A chunk that is not full is not packed.
            assert!(kept[..3].iter().all(|kept| (3..=5).contains(kept)), "{kept:?}");
            assert_eq!(kept[3], 24);
            for index in (0..n).step_by(7) {
                expect(&arena, index, &similar(index + shift));
            }
            let mut shown = 0;
            arena.for_each_words(|index, words| {
                assert_eq!(words, similar(index + shift).0);
                shown += 1;
            });
            assert_eq!(shown, n);
            // Packed chunks are cut, too.
            for kept in [2 * CHUNK, CHUNK + 77] {
                arena.truncate(kept);
                (0..9).for_each(|index| arena.push(&form(index).0, form(index).1));
                (0..9).for_each(|index| expect(&arena, kept + index, &form(index)));
                expect(&arena, kept - 1, &similar(kept - 1 + shift));
            }
        }
    }

    #[test]
    fn a_form_may_have_no_bytes() {
        let mut arena = Arena::default();
        for (index, n) in [0, 1, CHUNK, 2 * CHUNK].into_iter().enumerate() {
            (arena.len()..n).for_each(|_| arena.push(&[], 0));
            assert_eq!(arena.bytes() == 0, n == 0);
            for form in [0, n / 2, n.saturating_sub(1)].into_iter().filter(|_| index > 0) {
                let _ = (arena.touch_chunk(form), arena.touch(form));
                assert!(arena.is(form, &[0], 0) && arena.is_padded(form, &[0, 0]));
                assert!(!arena.is(form, &[1], 1));
                assert_eq!(arena.read(form, &mut FormRoom::default()).as_bytes(), []);
            }
        }
        // Longer ones may follow.
        arena.truncate(CHUNK + 3);
        (0..CHUNK).for_each(|index| arena.push(&form(index).0, form(index).1));
        (0..CHUNK).for_each(|index| expect(&arena, CHUNK + 3 + index, &form(index)));
    }

    /// The last chunk has room for four forms, and is the twentieth.
    #[test]
    fn the_only_form_of_a_late_chunk_is_touched_within_it() {
        let mut arena = Arena::default();
        (0..=19 * CHUNK).for_each(|_| arena.push(&[7], 8));
        let _ = arena.touch(19 * CHUNK);
        expect(&arena, 19 * CHUNK, &(vec![7], 8));
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
                expect(&arena, index, &form(meant));
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
