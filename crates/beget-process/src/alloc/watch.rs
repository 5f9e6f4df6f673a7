//! Watched memory: blocks outside all regions that subjects keep, which root scans read too.
//!
//! A table in a static may lie outside: a lazy static is filled by the first call that is made
//! without the region. A pointer stored into its spare capacity later, by a call in a region, would
//! be invisible to a scan of statics alone. So a subject runs outside the region only under a
//! [`MemoryWatch`]: blocks that stay allocated then are watched by all threads, until they are
//! freed.

use std::{
    cell::Cell,
    hash::{BuildHasherDefault, DefaultHasher},
    ops::Range,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use crate::alloc::{roots, thread};

/// The most watched blocks. Watching costs every root scan; a subject that keeps more cannot use
/// the region.
const MOST_BLOCKS: usize = 1 << 12;
const MOST_BYTES: usize = 1 << 20;

/// The number of blocks that a list of them can hold before it grows.
const USUAL_BLOCKS: usize = 64;

/// The number of surviving blocks for which the roots are searched.
const MOST_ASKED: usize = 64;

/// The data that all threads share. The allocator takes the lock when it frees, so nothing is
/// allocated or freed under it, except the two lists at first.
struct WatchedBlocks {
    /// Sorted by address.
    ///
    /// Invariant: these lists never grow beyond their initial capacity.
    blocks: Vec<Range<usize>>,
    n_bytes: usize,
    /// The number of recorders.
    n_recorders: usize,
    /// The blocks freed since the first recorder began, other than by the one that recorded them:
    /// they must not be watched.
    freed: Vec<usize>,
    has_lost_freed: bool,
    /// The first and the last address that other modules listen to; none if the last is less.
    others: (usize, usize),
}

static WATCHED: Mutex<WatchedBlocks> = Mutex::new(WatchedBlocks {
    blocks: Vec::new(),
    n_bytes: 0,
    n_recorders: 0,
    freed: Vec::new(),
    has_lost_freed: false,
    others: (usize::MAX, 0),
});

/// The range of addresses whose frees must be reported.
static LOWEST: AtomicUsize = AtomicUsize::new(usize::MAX);
static HIGHEST: AtomicUsize = AtomicUsize::new(0);

/// True if the list of freed blocks may not be empty. A block is on it before it is freed, so a
/// thread that gets its address next sees this.
static HAS_FREED: AtomicBool = AtomicBool::new(false);

impl WatchedBlocks {
    fn set_bounds(&self) {
        let (lowest, highest) = match (&self.blocks[..], self.n_recorders) {
            ([], 0) => (usize::MAX, 0),
            ([first, .., last], 0) => (first.start, last.start),
            ([only], 0) => (only.start, only.start),
            _ => (0, usize::MAX),
        };
        LOWEST.store(lowest.min(self.others.0), Ordering::Release);
        HIGHEST.store(highest.max(self.others.1), Ordering::Release);
    }

    /// Returns whether there was room.
    fn add(&mut self, blocks: &[(usize, usize)]) -> bool {
        let n_bytes = n_bytes(blocks);
        let n_blocks = self.blocks.len() + blocks.len();
        if self.has_lost_freed || n_blocks > MOST_BLOCKS || self.n_bytes + n_bytes > MOST_BYTES {
            return false;
        }
        let still_there = blocks.iter().filter(|(start, _)| !self.freed.contains(start));
        for &(start, len) in still_there {
            self.blocks.push(start..start + len);
            self.n_bytes += len;
        }
        self.blocks.sort_unstable_by_key(|block| block.start);
        true
    }

    fn forget(&mut self, block: usize) -> bool {
        let index = self.blocks.binary_search_by_key(&block, |watched| watched.start);
        if let Ok(index) = index {
            self.n_bytes -= self.blocks.remove(index).len();
            self.set_bounds();
        }
        if self.n_recorders > 0 {
            self.has_lost_freed |= self.freed.len() == MOST_BLOCKS;
            if !self.has_lost_freed {
                self.freed.push(block);
                HAS_FREED.store(true, Ordering::Relaxed);
            }
        }
        index.is_ok()
    }
}

/// The size from which a list of blocks becomes a table.
const MOST_LISTED: usize = 512;

/// Blocks by address, with their sizes.
///
/// Usually there are few, and most are freed soon after those before them: then a sorted list is
/// faster than a table. A call that makes many blocks frees them in any order, and each free would
/// move half of a list. A table has no nodes that are freed one by one, which would be reported
/// here in turn.
#[derive(Default)]
struct RecordedBlocks {
    /// Invariant: this or the table is empty.
    sorted: Vec<(usize, usize)>,
    #[allow(clippy::disallowed_types, reason = "its seeds are fixed, and it is sorted when read")]
    many: std::collections::HashMap<usize, usize, BuildHasherDefault<DefaultHasher>>,
}

impl RecordedBlocks {
    fn search(&self, block: usize) -> Result<usize, usize> {
        self.sorted.binary_search_by_key(&block, |&(start, _)| start)
    }

    fn insert(&mut self, block: usize, size: usize) {
        if !self.many.is_empty() {
            self.many.insert(block, size);
            return;
        }
        match self.search(block) {
            Ok(index) => self.sorted[index].1 = size,
            Err(_) if self.sorted.len() == MOST_LISTED => {
                self.many.extend(self.sorted.drain(..));
                self.many.insert(block, size);
            }
            Err(index) => self.sorted.insert(index, (block, size)),
        }
    }

    /// Returns whether the block was there.
    fn remove(&mut self, block: usize) -> bool {
        if !self.many.is_empty() {
            return self.many.remove(&block).is_some();
        }
        self.search(block).map(|index| self.sorted.remove(index)).is_ok()
    }

    /// All of them, by address.
    fn into_sorted(self) -> Vec<(usize, usize)> {
        let mut sorted = self.sorted;
        sorted.extend(self.many);
        sorted.sort_unstable();
        sorted
    }
}

fn n_bytes(blocks: &[(usize, usize)]) -> usize {
    blocks.iter().map(|(_, size)| size).sum()
}

#[derive(Default)]
struct Recorder {
    blocks: RecordedBlocks,
    /// True if an older block was freed or resized.
    has_freed_older: bool,
}

thread_local! {
    // The address of a recorder on this thread's stack; 0 if there is none.
    static RECORDER: Cell<usize> = const { Cell::new(0) };
}

/// Records the blocks that pieces of code allocate outside the region and do not free.
pub struct MemoryWatch {
    recorder: Recorder,
}

/// The memory that the code under a [`MemoryWatch`] has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Survivors {
    /// Blocks that are still allocated. An older block that was only resized does not count.
    pub blocks: usize,
    /// Their bytes.
    pub bytes: usize,
    /// True if an older block was freed or resized.
    pub has_freed_older: bool,
    /// True if a static, a thread-local variable or watched memory points to some of it. A leak is
    /// not held.
    pub are_held: bool,
    /// True if all of it is watched now; false if it is too much.
    pub are_watched: bool,
}

impl Survivors {
    /// Returns whether nothing was left, and no older block is gone.
    pub fn is_empty(self) -> bool {
        self.blocks == 0 && !self.has_freed_older
    }
}

impl MemoryWatch {
    /// A watch without any recording.
    #[expect(clippy::new_without_default, reason = "it has an effect on all threads")]
    pub fn new() -> Self {
        let mut watched = lock();
        if watched.blocks.capacity() == 0 {
            watched.blocks.reserve_exact(MOST_BLOCKS);
            watched.freed.reserve_exact(MOST_BLOCKS);
        }
        watched.n_recorders += 1;
        watched.set_bounds();
        let sorted = Vec::with_capacity(USUAL_BLOCKS);
        let blocks = RecordedBlocks { sorted, ..RecordedBlocks::default() };
        MemoryWatch { recorder: Recorder { blocks, has_freed_older: false } }
    }

    /// Runs `work` with ordinary allocation and records its allocations and frees on this thread.
    pub fn run<R>(&mut self, work: impl FnOnce() -> R) -> R {
        let _off = thread::Switch::off();
        let _recording = RecordingScope::start(&mut self.recorder);
        work()
    }

    /// The blocks left of those recorded. They are watched from now on.
    pub fn finish(mut self) -> Survivors {
        let Recorder { blocks, has_freed_older } = std::mem::take(&mut self.recorder);
        let blocks = blocks.into_sorted();
        let is_held = |&(start, len): &(usize, usize)| roots::find(start..start + len).is_some();
        Survivors {
            blocks: blocks.len(),
            bytes: n_bytes(&blocks),
            has_freed_older,
            are_held: blocks.iter().take(MOST_ASKED).any(is_held),
            are_watched: blocks.is_empty() || lock().add(&blocks),
        }
    }
}

impl Drop for MemoryWatch {
    fn drop(&mut self) {
        let mut watched = lock();
        watched.n_recorders -= 1;
        if watched.n_recorders == 0 {
            watched.freed.clear();
            HAS_FREED.store(false, Ordering::Relaxed);
            watched.has_lost_freed = false;
        }
        watched.set_bounds();
    }
}

/// Records until dropped, and then restores the recorder before.
struct RecordingScope {
    outer: usize,
    was_recording: bool,
}

impl RecordingScope {
    fn start(recorder: &mut Recorder) -> Self {
        let outer = RECORDER.replace(std::ptr::from_mut(recorder).expose_provenance());
        let was_recording = thread::marks() & thread::RECORDING != 0;
        thread::mark(thread::RECORDING);
        RecordingScope { outer, was_recording }
    }
}

impl Drop for RecordingScope {
    fn drop(&mut self) {
        RECORDER.set(self.outer);
        if !self.was_recording {
            thread::unmark(thread::RECORDING);
        }
    }
}

/// Gives `work` the recorder of this thread. The recorder's own allocations are not noted.
fn with_recorder(work: impl FnOnce(&mut Recorder)) {
    let address = RECORDER.replace(0);
    if address == 0 {
        return;
    }
    // SAFETY: `Recording` holds the exclusive borrow of the recorder for as long as its address is
    // set, and the address is not set while it is used here.
    let recorder = unsafe { &mut *std::ptr::with_exposed_provenance_mut::<Recorder>(address) };
    let marks = thread::marks();
    thread::unmark(marks);
    work(recorder);
    thread::mark(marks);
    RECORDER.set(address);
}

/// Suspends the recording on this thread while `work` runs.
pub(crate) fn suspended<R>(work: impl FnOnce() -> R) -> R {
    let _resumed = RecorderReset(RECORDER.replace(0));
    work()
}

struct RecorderReset(usize);

impl Drop for RecorderReset {
    fn drop(&mut self) {
        RECORDER.set(self.0);
    }
}

/// Notes a block that was allocated outside while recording.
#[cold]
pub(crate) fn note_alloc(block: usize, size: usize) {
    with_recorder(|recorder| {
        recorder.blocks.insert(block, size);
        // The address may have been freed before by another thread.
        if HAS_FREED.load(Ordering::Relaxed) {
            lock().freed.retain(|&freed| freed != block);
        }
    });
}

/// Notes a block outside that is freed while recording. Returns whether it was recorded.
#[cold]
pub(crate) fn note_free(block: usize) -> bool {
    let mut is_own = false;
    with_recorder(|recorder| {
        is_own = recorder.blocks.remove(block);
        recorder.has_freed_older |= !is_own;
    });
    is_own
}

fn lock() -> MutexGuard<'static, WatchedBlocks> {
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns whether freeing this block must be reported to [`forget`].
#[inline]
pub(crate) fn listens_to(block: usize) -> bool {
    (LOWEST.load(Ordering::Relaxed)..=HIGHEST.load(Ordering::Relaxed)).contains(&block)
}

/// Adds addresses that others listen to.
pub(crate) fn listen_to(addresses: Range<usize>) {
    let mut watched = lock();
    watched.others = (addresses.start, addresses.end - 1);
    watched.set_bounds();
}

/// Notes that a block outside is about to be freed and must not be read any more. Returns whether
/// it was watched.
#[cold]
pub(crate) fn forget(block: usize) -> bool {
    lock().forget(block)
}

/// Visits watched blocks until `visit` answers false. None is freed meanwhile.
pub(crate) fn each(mut visit: impl FnMut(Range<usize>) -> bool) {
    if HIGHEST.load(Ordering::Acquire) != 0 {
        let watched = lock();
        let _ = watched.blocks.iter().all(|block| visit(block.clone()));
    }
}
