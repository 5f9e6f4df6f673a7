//! A global allocator with a region mode for snapshots of a subject's heap.
//!
//! Bounded-exhaustive generation makes many calls on copies of one value: the same receiver, each
//! combination of arguments. Making and dropping a copy for each call costs far more than the call.
//! A *region image* makes the value once, in a small separate piece of memory, copies its bytes
//! aside, and after each call copies them back to the same addresses. References inside the value,
//! reference counts, borrow flags and cycles are restored, whatever the types are; no `Clone` is
//! needed, and nothing is dropped.
//!
//! ```
//! use beget_process::alloc::Region;
//!
//! beget_process::alloc::install!(unsafe);
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let Some(mut region) = Region::open() else { return Ok(()) }; // not on this platform
//! let mut image = region.build(|| Ok::<_, ()>(vec![1, 2, 3])).expect("it fits");
//! for value in 4..10 {
//!     let sum = image.attempt(
//!         |items| items.push(value),                      // runs in the region
//!         |items, (), _after| items.iter().sum::<i32>(), // runs outside, before the bytes go back
//!     )?;
//!     assert_eq!(sum, 6 + value);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # How to read a failure
//!
//! [`RegionLoss`] says why a region cannot go on. Its memory is abandoned and never reused, so
//! pointers into it stay valid; the next [`Region::build`] begins a fresh region. The caller
//! decides what to do with the subject:
//!
//! - [`RegionLoss::Escape`] and [`RegionLoss::Foreign`]: the subject keeps state outside its
//!   values. Results since the last clean [`check_escape`](Region::check_escape) may depend on one
//!   another; make them again in another way, and do not use the region for this type.
//! - [`RegionLoss::Overflow`]: make this one structure in another way.
//! - [`RegionLoss::Unwound`]: the closure should have caught the panic.
//!
//! # The promise
//!
//! No check at run time sees everything, so by writing `install!(unsafe)` you promise this for the
//! binary: code that runs in a region is *confined*. In detail:
//!
//! 1. Subjects hide no pointer to what a call allocated where the [root scan](#how-it-works) does
//!    not look (next section).
//! 2. The closures given to [`Region::build`] and [`Image::attempt`] move nothing into the frame
//!    that was allocated outside, and nothing out of it: not by captured variables, not by clones
//!    of counted references made while inspecting. Framework code that must allocate for itself
//!    inside a call does so under [`pause`]; so does a panic hook.
//! 3. The inspection leaves the frame as it finds it.
//! 4. What [`Region::patch`] replaces are integers of a value on which nothing else in it depends.
//!
//! # What is not seen
//!
//! - A pointer stored into spare capacity of memory that the subject had allocated outside before
//!   anything was recorded, such as a static table that was reserved before the run. (Allocation of
//!   such a table in a call is an escape, growth or replacement is [`RegionLoss::Foreign`].) Memory
//!   allocated outside under a [`MemoryWatch`] is scanned with the roots: run "make, call, drop" in
//!   one for each method before it is first called in the region, and on a sample later; its
//!   [`Survivors`] show the memory that a call leaves, and whether the scan would see it.
//! - Pointers on the stack or in thread-local variables of other threads: a thread that a call
//!   starts and does not join, a static through which one thread takes what another has stored.
//!   [`Image::check_escape`] after the first calls of each method, on one thread, finds the latter.
//! - Pointers in kernel objects, in `pthread_setspecific` slots, in memory that C code allocated,
//!   encoded pointers, and pointers in words that are not aligned.
//! - Resolved backtraces made in a call: std caches their symbols.
//!
//! Statics without memory of their own, such as counters, are neither restored nor reported.
//! Destructors of values in the region do not run, and leaks do not show: to test these, use plain
//! values. A single word that happens to look like an address in the region causes a false report,
//! which costs one abandoned region.
//!
//! # How it works
//!
//! *Allocation.* While the region is on, a block is a bump of a thread-local address, and freeing a
//! region's block does nothing; the newest block grows in place. All regions lie in one reserved
//! range of addresses, so any thread can recognise a region's block at any time by one comparison;
//! every other block is the system's, on or off.
//!
//! *Epochs.* Between two root scans no address is used twice. The bump goes on from call to call
//! and from structure to structure; only the bytes of the image are restored. So memory held by a
//! static stays as it was left until the scan, apart from the image itself. When an epoch has used
//! its share of memory, the scan decides: if it is clean, the memory is reused; if not, it is
//! abandoned.
//!
//! *The root scan* reads, word by word, all writable segments of the executable and of each shared
//! object (`dl_iterate_phdr`) and the thread's own block of thread-local variables, and takes every
//! word for a pointer. Pages that the loader made read-only are left out. It takes some
//! microseconds, once in thousands of calls. This crate's own bookkeeping stores addresses inverted
//! or as offsets.
//!
//! *Foreign memory.* A call may read and write memory from outside. If it frees or resizes a block
//! outside the region, then either something outside changes with the calls, or the frame owns a
//! block that it must not; in both cases the frame is not restored.
//!
//! *Warm-up.* Allocations that std makes once and keeps (the buffer of stdout, the handle of the
//! current thread, the list of destructors) are made before a region is opened, so that a subject
//! that prints or panics is not reported. Captured output of the test harness needs one space
//! printed; uncaptured output gets nothing.
//!
//! On platforms other than 64-bit Linux, and under Miri, [`Region::open`] gives `None` and the
//! allocator only passes through.
//!
//! # Checked memory
//!
//! [`MemoryCheck`] is the other mode: blocks lie between red zones, are filled when they are
//! allocated and freed, and are not reused while the check lasts, so that wrong layouts, blocks
//! freed twice, writes beside blocks or into freed ones, and leaks are detected. It has its own
//! range of addresses. While no check runs, an allocation outside the region looks at one more
//! mark, and a free at none.
//!
//! # Images
//!
//! [`track`] takes blocks from the same range, zeroed, and knows them as long as they are
//! allocated: a [`MemoryImage`] is a value with all blocks that it leads to, with addresses
//! replaced by their meaning. Padding is in it too, and holds the paint of the stack or remains of
//! the call. Remains of addresses differ from process to process, so the images of two processes
//! have to be compared; [`vary`] makes a process in which they differ in each byte.
//!
//! # The region image
//!
//! The value is built in a small separate piece of memory; a **snapshot** copies its bytes aside.
//! After each call they are **restored** to the same addresses. This restores references, reference
//! counts, borrow flags and cycles, for any type; nothing is dropped. Allocating in the region is a
//! bump of an address.
//!
//! - An **epoch** is the time between two root scans, and no address is used twice in it. So memory
//!   that a static points at stays as it was until the scan finds it.
//! - The **root scan** reads all writable segments of the program and its libraries and the
//!   thread's own variables for words that point into the region. If there are any, the subject
//!   keeps state outside its values (`Escape`): the memory is abandoned for ever, the batch's calls
//!   are repeated with another strategy, and the region is not used any more. With AVX2 it compares
//!   16 words between two branches: one instruction a word in place of five.
//! - **Watched memory** (`crates/beget-process/src/alloc/watch.rs`) belongs to the roots: blocks
//!   that calls outside the region allocated and left, such as the reserved table behind a lazy
//!   static. The allocator takes a block off the list before it is freed.
//! - `Foreign`: a call frees or resizes memory from outside the region, with the same result.
//!   `Overflow`: this one structure is too large; only it is reconstructed.
//! - After a call, memory is compared with the image first: **if no word has changed, nothing is
//!   walked**, and the preparation for a walk is skipped (`ImageCalls::attempt`). Frames begin and
//!   end with a line of 64 bytes, which AVX2 compares and restores by two reads; without it, and
//!   for the kept memory of a walked call, a line is compared by 16 bytes at a time, and one mask
//!   shows all halves of words in which it differs (`crates/beget-process/src/alloc/words.rs`).
//!   Calls on one image share this preparation (`ImageCalls`).
#![warn(missing_docs)]
#![deny(unsafe_op_in_unsafe_fn)]
#![allow(unsafe_code, reason = "an allocator hands out raw memory; the region also copies it")]

mod checked;
mod ending;
mod global;
mod image;
mod kept;
mod leaving;
mod live;
mod loss;
mod process;
mod range;
mod region;
mod roots;
mod thread;
mod tracked;
mod warm;
mod watch;
mod words;

pub use crate::install;
pub use checked::{CheckedMemory, MemoryCheck, MemoryFault, MemoryFill, NoBlock};
pub use ending::{EndGuard, ProcessEnd, is_exit_taken};
pub use global::BegetAlloc;
pub use image::{BlockKind, BlockPlace, ByteMask, ImageBlock, ImageWord, MemoryImage};
pub use kept::{Difference, DifferenceList, KeptPlace};
pub use leaving::{LeavableThread, ThreadStop, run_leavable};
pub use live::{LiveDelta, count_live};
pub use loss::{BuildError, RegionLoss};
pub use process::{SHARED_WORDS, forbid_core_files, keep_freed_memory, share};
pub use region::{After, Image, ImageCalls, ImageId, Patch, Region, is_installed, pause};
pub use roots::{Escape, EscapePlace};
pub use tracked::{AddressAnchors, can_track, track, vary};
pub use watch::{MemoryWatch, Survivors};
