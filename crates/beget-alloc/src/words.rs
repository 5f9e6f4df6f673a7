//! The bytes of an image, word by word: copying them aside, comparing, copying them back.
//!
//! The words of a frame are whatever the subject left in them: padding, dead fields, live
//! pointers. So they are moved as uninitialised memory and compared by volatile reads.

use std::{mem::MaybeUninit, ptr};

pub(crate) const WORD: usize = size_of::<u64>();
type Word = MaybeUninit<u64>;

/// A copy of a range of memory.
#[derive(Default)]
pub(crate) struct MemoryCopy {
    words: Vec<Word>,
}

impl MemoryCopy {
    /// Copies `n_words` words from `live`, in place of what was saved before.
    ///
    /// # Safety
    ///
    /// `live` is aligned for words, and as many bytes can be read from it.
    pub(crate) unsafe fn save(&mut self, live: *const u8, n_words: usize) {
        self.words.clear();
        self.words.reserve(n_words);
        // SAFETY: the room was reserved, the caller gives the source, and a `MaybeUninit` may hold
        // anything.
        unsafe {
            ptr::copy_nonoverlapping(live.cast::<Word>(), self.words.as_mut_ptr(), n_words);
            self.words.set_len(n_words);
        }
    }

    /// The number of words saved.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// The index of the first word of `live` that differs from the copy, if any does.
    ///
    /// The words were written a moment ago one by one. Reading several at once would have to wait
    /// until they left the store buffer, so they are read as they were written.
    ///
    /// # Safety
    ///
    /// `live` is aligned for words, and as many as were saved can be read from it.
    #[inline]
    pub(crate) unsafe fn first_difference(&self, live: *const u8) -> Option<usize> {
        let (saved, live) = (self.words.as_ptr().cast::<u64>(), live.cast::<u64>());
        let n_words = self.words.len();
        // SAFETY: `index` is below `n_words`, so both words can be read. Volatile, because some
        // may be padding, whose value the language leaves open.
        let differs = |index: usize| unsafe {
            saved.add(index).read_volatile() ^ live.add(index).read_volatile()
        };
        let mut index = 0;
        while index + 4 <= n_words {
            let group =
                [differs(index), differs(index + 1), differs(index + 2), differs(index + 3)];
            if group[0] | group[1] | group[2] | group[3] != 0 {
                return group.iter().position(|&word| word != 0).map(|within| index + within);
            }
            index += 4;
        }
        (index..n_words).find(|&index| differs(index) != 0)
    }

    /// Copies the words from index `first` on back to `live`.
    ///
    /// # Safety
    ///
    /// `live` is aligned for words, as many as were saved can be written to it, and `first` is at
    /// most that number. Nobody may hold a reference into them.
    #[inline]
    pub(crate) unsafe fn restore(&self, live: *mut u8, first: usize) {
        let words = &self.words[first..];
        // SAFETY: the caller's promise.
        unsafe {
            ptr::copy_nonoverlapping(words.as_ptr(), live.cast::<Word>().add(first), words.len());
        }
    }
}
