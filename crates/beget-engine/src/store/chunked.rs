//! A vector in chunks of fixed size: it grows without copying and wastes at most a chunk.

use std::ops::Range;

const CHUNK: usize = 1 << 16;

#[derive(Clone, Debug)]
pub(crate) struct ChunkedVec<T> {
    chunks: Vec<Vec<T>>,
    len: usize,
}

impl<T> Default for ChunkedVec<T> {
    fn default() -> Self {
        ChunkedVec { chunks: Vec::new(), len: 0 }
    }
}

impl<T: Copy> ChunkedVec<T> {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(crate) fn push(&mut self, value: T) {
        if self.len.is_multiple_of(CHUNK) {
            // The first chunk grows as a plain vector, so that small runs stay small.
            let capacity = if self.chunks.is_empty() { 0 } else { CHUNK };
            self.chunks.push(Vec::with_capacity(capacity));
        }
        self.chunks.last_mut().expect("a chunk was pushed").push(value);
        self.len += 1;
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> T {
        self.chunks[index / CHUNK][index % CHUNK]
    }

    /// The values in `range`, which must lie in one chunk.
    pub(crate) fn slice(&self, range: Range<usize>) -> &[T] {
        let (chunk, start) = (range.start / CHUNK, range.start % CHUNK);
        match range.is_empty() {
            true => &[],
            false => &self.chunks[chunk][start..start + range.len()],
        }
    }

    pub(crate) fn last_mut(&mut self) -> Option<&mut T> {
        self.chunks.last_mut().and_then(|chunk| chunk.last_mut())
    }

    pub(crate) fn bytes(&self) -> u64 {
        let capacity: usize = self.chunks.iter().map(Vec::capacity).sum();
        (capacity * size_of::<T>()) as u64
    }
}
