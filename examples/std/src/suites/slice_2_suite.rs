//! A harness for `std_census::slice_type::Slice<[u8; 2]>`, written by `cargo beget init` from the documentation of
//! the crate `std_census`, to be read and changed.
#![allow(deprecated, mismatched_lifetime_syntaxes, unused_imports, clippy::all)]

/// The type under test. Other arguments may stand here; the signatures below go with them.
pub type Slice = std_census::slice_type::Slice<[u8; 2]>;

// 99 of 122 public functions take part.
// Left out:
// - write_copy_of_slice: it is a function of `Slice<MaybeUninit<T>>`
// - write_clone_of_slice: it is a function of `Slice<MaybeUninit<T>>`
// - is_ascii: it is a function of `Slice<u8>`
// - eq_ignore_ascii_case: it is a function of `Slice<u8>`
// - make_ascii_uppercase: it is a function of `Slice<u8>`
// - make_ascii_lowercase: it is a function of `Slice<u8>`
// - escape_ascii: it is a function of `Slice<u8>`
// - trim_ascii_start: it is a function of `Slice<u8>`
// - trim_ascii_end: it is a function of `Slice<u8>`
// - trim_ascii: it is a function of `Slice<u8>`
// - array_windows: rustc: E0284: type annotations needed for `ArrayWindows<'_, [u8; 2], _>`
// - strip_prefix: rustc: E0277: the trait bound `&[[u8; 2]]: SlicePattern` is not satisfied
// - strip_suffix: rustc: E0277: the trait bound `&[[u8; 2]]: SlicePattern` is not satisfied
// - split_off: rustc: E0599: no method named `split_off` found for mutable reference `&mut Box<[[u8; 2]]>` in the current scope
// - split_off_mut: rustc: E0599: no method named `split_off_mut` found for mutable reference `&mut Box<[[u8; 2]]>` in the current scope
// - split_off_first: rustc: E0599: no method named `split_off_first` found for mutable reference `&mut Box<[[u8; 2]]>` in the current scope
// - split_off_first_mut: rustc: E0599: no method named `split_off_first_mut` found for mutable reference `&mut Box<[[u8; 2]]>` in the current scope
// - split_off_last: rustc: E0599: no method named `split_off_last` found for mutable reference `&mut Box<[[u8; 2]]>` in the current scope
// - split_off_last_mut: rustc: E0599: no method named `split_off_last_mut` found for mutable reference `&mut Box<[[u8; 2]]>` in the current scope
// - utf8_chunks: it is a function of `Slice<u8>`
// - join: rustc: E0277: the trait bound `[[u8; 2]]: Join<u8>` is not satisfied
// - to_ascii_uppercase: it is a function of `Slice<u8>`
// - to_ascii_lowercase: it is a function of `Slice<u8>`

/// What is compared of two structures: what `Debug` shows of it, and what observers say.
///
/// Two with the same state count as one, and one of them is extended: what matters and is not
/// here is to be added. What does not matter makes more structures than there are.
#[derive(beget::Heap)]
pub struct SliceState {
    pub text: beget::heap::DebugText,
    pub len: usize,
    pub is_empty: bool,
    pub is_sorted: bool,
}

impl SliceState {
    fn of(slice: &Slice) -> SliceState {
        SliceState {
            text: beget::heap::DebugText::of(slice),
            len: slice.len(),
            is_empty: slice.is_empty(),
            is_sorted: slice.is_sorted(),
        }
    }
}

beget::suite! {
    /// The public functions of `std_census::slice_type::Slice<[u8; 2]>`.
    #[name = "std::slice_2"]
    pub suite SliceSuite for Slice {
        abstraction |slice| -> SliceState { SliceState::of(slice) };
        fn join(&self, separator: u8) -> Vec<u8> = by_hand::join;
        fn len(&self) -> usize;
        fn is_empty(&self) -> bool;
        fn first(&self) -> Option<&[u8; 2]>;
        fn first_mut(&mut self) -> Option<&mut [u8; 2]>;
        fn split_first(&self) -> Option<(&[u8; 2], &[[u8; 2]])>;
        fn split_first_mut(&mut self) -> Option<(&mut [u8; 2], &mut [[u8; 2]])>;
        fn split_last(&self) -> Option<(&[u8; 2], &[[u8; 2]])>;
        fn split_last_mut(&mut self) -> Option<(&mut [u8; 2], &mut [[u8; 2]])>;
        fn last(&self) -> Option<&[u8; 2]>;
        fn last_mut(&mut self) -> Option<&mut [u8; 2]>;
        fn first_chunk(&self) -> Option<&[[u8; 2]; 2]>;
        fn first_chunk_mut(&mut self) -> Option<&mut [[u8; 2]; 2]>;
        fn split_first_chunk(&self) -> Option<(&[[u8; 2]; 2], &[[u8; 2]])>;
        fn split_first_chunk_mut(&mut self) -> Option<(&mut [[u8; 2]; 2], &mut [[u8; 2]])>;
        fn split_last_chunk(&self) -> Option<(&[[u8; 2]], &[[u8; 2]; 2])>;
        fn split_last_chunk_mut(&mut self) -> Option<(&mut [[u8; 2]], &mut [[u8; 2]; 2])>;
        fn last_chunk(&self) -> Option<&[[u8; 2]; 2]>;
        fn last_chunk_mut(&mut self) -> Option<&mut [[u8; 2]; 2]>;
        fn get(&self, index: usize) -> String = calls::get;
        fn get_mut(&mut self, index: usize) -> String = calls::get_mut;
        fn as_ptr(&self) -> String = calls::as_ptr;
        fn as_mut_ptr(&mut self) -> String = calls::as_mut_ptr;
        fn as_ptr_range(&self) -> String = calls::as_ptr_range;
        fn as_mut_ptr_range(&mut self) -> String = calls::as_mut_ptr_range;
        fn as_array(&self) -> Option<&[[u8; 2]; 2]>;
        fn as_mut_array(&mut self) -> Option<&mut [[u8; 2]; 2]>;
        fn swap(&mut self, a: usize, b: usize);
        fn reverse(&mut self);
        fn iter(&self) -> Vec<String> = calls::iter;
        fn iter_mut(&mut self) -> Vec<String> = calls::iter_mut;
        fn windows(&self, size: usize) -> String = calls::windows;
        fn chunks(&self, chunk_size: usize) -> Vec<String> = calls::chunks;
        fn chunks_mut(&mut self, chunk_size: usize) -> String = calls::chunks_mut;
        fn chunks_exact(&self, chunk_size: usize) -> String = calls::chunks_exact;
        fn chunks_exact_mut(&mut self, chunk_size: usize) -> String = calls::chunks_exact_mut;
        fn as_chunks(&self) -> (&[[[u8; 2]; 2]], &[[u8; 2]]);
        fn as_rchunks(&self) -> (&[[u8; 2]], &[[[u8; 2]; 2]]);
        fn as_chunks_mut(&mut self) -> (&mut [[[u8; 2]; 2]], &mut [[u8; 2]]);
        fn as_rchunks_mut(&mut self) -> (&mut [[u8; 2]], &mut [[[u8; 2]; 2]]);
        fn rchunks(&self, chunk_size: usize) -> String = calls::rchunks;
        fn rchunks_mut(&mut self, chunk_size: usize) -> String = calls::rchunks_mut;
        fn rchunks_exact(&self, chunk_size: usize) -> String = calls::rchunks_exact;
        fn rchunks_exact_mut(&mut self, chunk_size: usize) -> String = calls::rchunks_exact_mut;
        fn chunk_by(&self) -> String = calls::chunk_by;
        fn chunk_by_mut(&mut self) -> String = calls::chunk_by_mut;
        fn split_at(&self, mid: usize) -> (&[[u8; 2]], &[[u8; 2]]);
        fn split_at_mut(&mut self, mid: usize) -> (&mut [[u8; 2]], &mut [[u8; 2]]);
        fn split_at_checked(&self, mid: usize) -> Option<(&[[u8; 2]], &[[u8; 2]])>;
        fn split_at_mut_checked(&mut self, mid: usize) -> Option<(&mut [[u8; 2]], &mut [[u8; 2]])>;
        fn split(&self, pred_gives: bool) -> String = calls::split;
        fn split_mut(&mut self, pred_gives: bool) -> String = calls::split_mut;
        fn split_inclusive(&self, pred_gives: bool) -> String = calls::split_inclusive;
        fn split_inclusive_mut(&mut self, pred_gives: bool) -> String = calls::split_inclusive_mut;
        fn rsplit(&self, pred_gives: bool) -> String = calls::rsplit;
        fn rsplit_mut(&mut self, pred_gives: bool) -> String = calls::rsplit_mut;
        fn splitn(&self, n: usize, pred_gives: bool) -> String = calls::splitn;
        fn splitn_mut(&mut self, n: usize, pred_gives: bool) -> String = calls::splitn_mut;
        fn rsplitn(&self, n: usize, pred_gives: bool) -> String = calls::rsplitn;
        fn rsplitn_mut(&mut self, n: usize, pred_gives: bool) -> String = calls::rsplitn_mut;
        fn contains(&self, x: &[u8; 2]) -> bool;
        fn starts_with(&self, needle: &[[u8; 2]]) -> bool;
        fn ends_with(&self, needle: &[[u8; 2]]) -> bool;
        fn binary_search(&self, x: &[u8; 2]) -> Result<usize, usize>;
        fn binary_search_by(&self, f_gives: std::cmp::Ordering) -> Result<usize, usize> = calls::binary_search_by;
        fn binary_search_by_key(&self, b: &u8, f_gives: u8) -> Result<usize, usize> = calls::binary_search_by_key;
        fn sort_unstable(&mut self);
        fn sort_unstable_by(&mut self) = calls::sort_unstable_by;
        fn sort_unstable_by_key(&mut self, f_gives: u8) = calls::sort_unstable_by_key;
        fn select_nth_unstable(&mut self, index: usize) -> (&mut [[u8; 2]], &mut [u8; 2], &mut [[u8; 2]]);
        fn select_nth_unstable_by(&mut self, index: usize) -> (&mut [[u8; 2]], &mut [u8; 2], &mut [[u8; 2]]) = calls::select_nth_unstable_by;
        fn select_nth_unstable_by_key(&mut self, index: usize, f_gives: u8) -> (&mut [[u8; 2]], &mut [u8; 2], &mut [[u8; 2]]) = calls::select_nth_unstable_by_key;
        fn rotate_left(&mut self, mid: usize);
        fn rotate_right(&mut self, k: usize);
        fn fill(&mut self, value: [u8; 2]);
        fn fill_with(&mut self, f_gives: [u8; 2]) = calls::fill_with;
        fn clone_from_slice(&mut self, src: &[[u8; 2]]);
        fn copy_from_slice(&mut self, src: &[[u8; 2]]);
        fn copy_within(&mut self, src: std::ops::Range<usize>, dest: usize);
        fn swap_with_slice(&mut self, other: &mut [[u8; 2]]);
        fn is_sorted(&self) -> bool;
        fn is_sorted_by(&self) -> bool = calls::is_sorted_by;
        fn is_sorted_by_key(&self, f_gives: u8) -> bool = calls::is_sorted_by_key;
        fn partition_point(&self, pred_gives: bool) -> usize = calls::partition_point;
        fn get_disjoint_mut(&mut self, indices: [usize; 2]) -> Result<String, String> = calls::get_disjoint_mut;
        fn element_offset(&self, element: &[u8; 2]) -> Option<usize>;
        fn as_flattened(&self) -> &[u8];
        fn as_flattened_mut(&mut self) -> &mut [u8];
        fn sort(&mut self);
        fn sort_by(&mut self) = calls::sort_by;
        fn sort_by_key(&mut self, f_gives: u8) = calls::sort_by_key;
        fn sort_by_cached_key(&mut self, f_gives: u8) = calls::sort_by_cached_key;
        fn to_vec(&self) -> Vec<[u8; 2]>;
        fn into_vec(self) -> Vec<[u8; 2]>;
        fn repeat(&self, n: usize) -> Vec<[u8; 2]>;
        fn concat(&self) -> String = calls::concat;
        fn eq(&self, other: &Self) -> bool;
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering>;
        fn cmp(&self, other: &Self) -> std::cmp::Ordering;
        fn from(items: Vec<[u8; 2]>) -> Self = calls::from;
    }
}

/// Functions that take and return what a suite knows, each with one choice of the rest: which
/// closure, which iterator, how what is returned is shown.
pub mod calls {
    use super::Slice;

    /// The most items that are taken of an iterator.
    const MOST_ITEMS: usize = 16;

    /// What an iterator gives, shown by `Debug`.
    fn driven<I: IntoIterator<Item: std::fmt::Debug>>(items: I) -> Vec<String> {
        items.into_iter().take(MOST_ITEMS).map(|item| format!("{item:?}")).collect()
    }

    /// A value shown by `Debug`.
    fn shown(value: &impl std::fmt::Debug) -> String {
        format!("{value:?}")
    }

    pub fn get(slice: &Slice, index: usize) -> String {
        shown(&slice.get(index))
    }

    pub fn get_mut(slice: &mut Slice, index: usize) -> String {
        shown(&slice.get_mut(index))
    }

    pub fn as_ptr(slice: &Slice) -> String {
        shown(&slice.as_ptr())
    }

    pub fn as_mut_ptr(slice: &mut Slice) -> String {
        shown(&slice.as_mut_ptr())
    }

    pub fn as_ptr_range(slice: &Slice) -> String {
        shown(&slice.as_ptr_range())
    }

    pub fn as_mut_ptr_range(slice: &mut Slice) -> String {
        shown(&slice.as_mut_ptr_range())
    }

    pub fn iter(slice: &Slice) -> Vec<String> {
        driven(slice.iter())
    }

    pub fn iter_mut(slice: &mut Slice) -> Vec<String> {
        driven(slice.iter_mut())
    }

    pub fn windows(slice: &Slice, size: usize) -> String {
        shown(&slice.windows(size))
    }

    pub fn chunks(slice: &Slice, chunk_size: usize) -> Vec<String> {
        driven(slice.chunks(chunk_size))
    }

    pub fn chunks_mut(slice: &mut Slice, chunk_size: usize) -> String {
        shown(&slice.chunks_mut(chunk_size))
    }

    pub fn chunks_exact(slice: &Slice, chunk_size: usize) -> String {
        shown(&slice.chunks_exact(chunk_size))
    }

    pub fn chunks_exact_mut(slice: &mut Slice, chunk_size: usize) -> String {
        shown(&slice.chunks_exact_mut(chunk_size))
    }

    pub fn rchunks(slice: &Slice, chunk_size: usize) -> String {
        shown(&slice.rchunks(chunk_size))
    }

    pub fn rchunks_mut(slice: &mut Slice, chunk_size: usize) -> String {
        shown(&slice.rchunks_mut(chunk_size))
    }

    pub fn rchunks_exact(slice: &Slice, chunk_size: usize) -> String {
        shown(&slice.rchunks_exact(chunk_size))
    }

    pub fn rchunks_exact_mut(slice: &mut Slice, chunk_size: usize) -> String {
        shown(&slice.rchunks_exact_mut(chunk_size))
    }

    pub fn chunk_by(slice: &Slice) -> String {
        shown(&slice.chunk_by(|a, b| (*a) == (*b)))
    }

    pub fn chunk_by_mut(slice: &mut Slice) -> String {
        shown(&slice.chunk_by_mut(|a, b| (*a) == (*b)))
    }

    pub fn split(slice: &Slice, pred_gives: bool) -> String {
        shown(&slice.split(move |_| pred_gives))
    }

    pub fn split_mut(slice: &mut Slice, pred_gives: bool) -> String {
        shown(&slice.split_mut(move |_| pred_gives))
    }

    pub fn split_inclusive(slice: &Slice, pred_gives: bool) -> String {
        shown(&slice.split_inclusive(move |_| pred_gives))
    }

    pub fn split_inclusive_mut(slice: &mut Slice, pred_gives: bool) -> String {
        shown(&slice.split_inclusive_mut(move |_| pred_gives))
    }

    pub fn rsplit(slice: &Slice, pred_gives: bool) -> String {
        shown(&slice.rsplit(move |_| pred_gives))
    }

    pub fn rsplit_mut(slice: &mut Slice, pred_gives: bool) -> String {
        shown(&slice.rsplit_mut(move |_| pred_gives))
    }

    pub fn splitn(slice: &Slice, n: usize, pred_gives: bool) -> String {
        shown(&slice.splitn(n, move |_| pred_gives))
    }

    pub fn splitn_mut(slice: &mut Slice, n: usize, pred_gives: bool) -> String {
        shown(&slice.splitn_mut(n, move |_| pred_gives))
    }

    pub fn rsplitn(slice: &Slice, n: usize, pred_gives: bool) -> String {
        shown(&slice.rsplitn(n, move |_| pred_gives))
    }

    pub fn rsplitn_mut(slice: &mut Slice, n: usize, pred_gives: bool) -> String {
        shown(&slice.rsplitn_mut(n, move |_| pred_gives))
    }

    pub fn binary_search_by(slice: &Slice, f_gives: std::cmp::Ordering) -> Result<usize, usize> {
        slice.binary_search_by(move |_| f_gives.clone())
    }

    pub fn binary_search_by_key(slice: &Slice, b: &u8, f_gives: u8) -> Result<usize, usize> {
        slice.binary_search_by_key(b, move |_| f_gives)
    }

    pub fn sort_unstable_by(slice: &mut Slice) {
        slice.sort_unstable_by(|a, b| (*a).cmp(&(*b)))
    }

    pub fn sort_unstable_by_key(slice: &mut Slice, f_gives: u8) {
        slice.sort_unstable_by_key(move |_| f_gives)
    }

    pub fn select_nth_unstable_by<'a>(
        slice: &'a mut Slice,
        index: usize,
    ) -> (&'a mut [[u8; 2]], &'a mut [u8; 2], &'a mut [[u8; 2]]) {
        slice.select_nth_unstable_by(index, |a, b| (*a).cmp(&(*b)))
    }

    pub fn select_nth_unstable_by_key<'a>(
        slice: &'a mut Slice,
        index: usize,
        f_gives: u8,
    ) -> (&'a mut [[u8; 2]], &'a mut [u8; 2], &'a mut [[u8; 2]]) {
        slice.select_nth_unstable_by_key(index, move |_| f_gives)
    }

    pub fn fill_with(slice: &mut Slice, f_gives: [u8; 2]) {
        slice.fill_with(move || f_gives.clone())
    }

    pub fn is_sorted_by(slice: &Slice) -> bool {
        slice.is_sorted_by(|a, b| (*a) == (*b))
    }

    pub fn is_sorted_by_key(slice: &Slice, f_gives: u8) -> bool {
        slice.is_sorted_by_key(move |_| f_gives)
    }

    pub fn partition_point(slice: &Slice, pred_gives: bool) -> usize {
        slice.partition_point(move |_| pred_gives)
    }

    pub fn get_disjoint_mut(slice: &mut Slice, indices: [usize; 2]) -> Result<String, String> {
        slice.get_disjoint_mut(indices).map(|value| shown(&value)).map_err(|error| shown(&error))
    }

    pub fn sort_by(slice: &mut Slice) {
        slice.sort_by(|a, b| (*a).cmp(&(*b)))
    }

    pub fn sort_by_key(slice: &mut Slice, f_gives: u8) {
        slice.sort_by_key(move |_| f_gives)
    }

    pub fn sort_by_cached_key(slice: &mut Slice, f_gives: u8) {
        slice.sort_by_cached_key(move |_| f_gives)
    }

    pub fn concat(slice: &Slice) -> String {
        shown(&slice.concat())
    }

    pub fn from(items: Vec<[u8; 2]>) -> Slice {
        <Slice as From<_>>::from(items)
    }
}

mod by_hand {
    pub fn join(this: &super::Slice, separator: u8) -> Vec<u8> {
        this.join(&separator)
    }
}
