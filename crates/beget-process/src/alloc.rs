//! A global allocator with a region mode for snapshots of a subject's heap.
//!
//! Bounded-exhaustive generation makes many calls on copies of one value: the same receiver, each
//! combination of arguments. Making and dropping a copy for each call costs far more than the call.
//! A *region image* makes the value once, in a small piece of memory of its own, copies its bytes
//! aside, and after each call copies them back to the same addresses. References inside the value,
//! reference counts, borrow flags and cycles are all as before, whatever the types are; no `Clone`
//! is needed, and nothing is dropped.
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
//! [`RegionLoss`] says why a region cannot go on. Its memory is abandoned, never used again, so
//! whoever still points there is safe; the next [`Region::build`] begins a fresh region. What to do
//! with the subject is the caller's decision:
//!
//! - [`RegionLoss::Escape`] and [`RegionLoss::Foreign`]: the subject keeps state outside its
//!   values. Results since the last clean [`check_escape`](Region::check_escape) may depend on one
//!   another; make them again in another way, and do not use the region for this type.
//! - [`RegionLoss::Overflow`]: make this one structure in another way.
//! - [`RegionLoss::Unwound`]: the closure should have caught the panic.
//!
//! # The promise
//!
//! No check at run time sees everything, so whoever writes `install!(unsafe)` promises this for the
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
//!   such a table in a call is an escape, growth or replacement is [`RegionLoss::Foreign`].) What
//!   is allocated outside under a [`MemoryWatch`] is scanned with the roots: run "make, call, drop"
//!   in one for each method before it is first called in the region, and on a sample later; its
//!   [`Survivors`] tell what a call leaves, and whether the scan would see it.
//! - Pointers on the stack or in thread-local variables of other threads: a thread that a call
//!   starts and does not join, a static through which one thread takes what another has put there.
//!   [`Image::check_escape`] after the first calls of each method, on one thread, finds the latter.
//! - Pointers in kernel objects, in `pthread_setspecific` slots, in memory that C code allocated,
//!   encoded pointers, and pointers in words that are not aligned.
//! - Resolved backtraces made in a call: std caches what it learns on the way.
//!
//! Statics without memory of their own, such as counters, are neither restored nor reported.
//! Destructors of values in the region do not run, and leaks do not show: where these are what is
//! tested, use plain values. One word that happens to look like an address in the region is enough
//! for a false report, whose cost is one abandoned region.
//!
//! # How it works
//!
//! *Allocation.* While the region is on, a block is a bump of a thread-local address, and a free of
//! a region's block does nothing; the newest block grows in place. All regions lie in one reserved
//! range of addresses, so any thread can tell at any time, by one comparison, whose block it has
//! been given; every other block is the system's, on or off.
//!
//! *Epochs.* Between two root scans no address is used twice. The bump goes on from call to call
//! and from structure to structure; only the bytes of the image are restored. So if a static has
//! come to hold something, what it holds stays as it was left until the scan, apart from the image
//! itself. When an epoch has used its share of memory, the scan decides: if it is clean, the memory
//! is used again; if not, it is abandoned.
//!
//! *The root scan* reads, word by word, all writable segments of the executable and of each shared
//! object (`dl_iterate_phdr`) and the thread's own block of thread-local variables, and takes every
//! word for a pointer. Pages that the loader made read-only are left out. It takes some
//! microseconds, once in thousands of calls. This crate's own bookkeeping stores addresses inverted
//! or as offsets.
//!
//! *Foreign memory.* A call may read and write memory from outside, but if it frees or resizes a
//! block that is not the region's, then either something outside changes with the calls, or the
//! frame owns what it must not; in both cases the frame is not restored.
//!
//! *Warm-up.* What std allocates once and keeps (the buffer of stdout, the handle of the current
//! thread, the list of destructors) is touched before a region is opened, so that a subject that
//! prints or panics is not reported. Captured output of the test harness needs one space printed;
//! uncaptured output gets nothing.
//!
//! On platforms other than 64-bit Linux, and under Miri, [`Region::open`] gives `None` and the
//! allocator only passes through.
//!
//! # Checked memory
//!
//! [`MemoryCheck`] is the other mode: blocks lie between red zones, are filled when they are
//! allocated and freed, and are not used again for as long as the check lasts, so that wrong
//! layouts, blocks freed twice, writes beside blocks or into freed ones, and leaks are noticed. It
//! has a range of addresses of its own. While nobody checks, an allocation outside the region looks
//! at one mark more, and a free at none.
//!
//! # Images
//!
//! [`track`] takes blocks from the same range, zeroed, and knows them as long as they are
//! allocated: a [`MemoryImage`] is a value with all blocks that it leads to, addresses told by what
//! they mean. Padding is in it too, and holds what the stack was painted with, or remains of the
//! call. Those of addresses differ from process to process, so images of two have to be compared;
//! [`vary`] makes a process in which they differ in each byte.
//!
//! # The region image
//!
//! The value is built in a small piece of memory of its own; a **snapshot** copies its bytes aside.
//! After each call they are **restored** to the same addresses. References, reference counts,
//! borrow flags and cycles are then as before, for any type; nothing is dropped. Allocating in the
//! region is a bump of an address.
//!
//! - An **epoch** is the time between two root scans, and no address is used twice in it. So what a
//!   static has come to point at stays as it was until the scan finds it.
//! - The **root scan** reads all writable segments of the program and its libraries and the
//!   thread's own variables for words that point into the region. If there are any, the subject
//!   keeps state outside its values (`Escape`): the memory is abandoned for ever, the batch's calls
//!   are repeated with another strategy, and the region is not used any more. AVX2 looks at 16
//!   words between two branches where the processor has it: one instruction a word in place of
//!   five.
//! - **Watched memory** (`crates/beget-process/src/alloc/watch.rs`) belongs to the roots: blocks
//!   that calls outside the region allocated and left, such as the reserved table behind a lazy
//!   static. The allocator takes a block off the list before it is freed.
//! - `Foreign`: a call frees or resizes memory from outside the region: the same. `Overflow`: this
//!   one structure is too large; it alone is reconstructed.
//! - After a call, memory is compared with the image first: **if no word has changed, nothing is
//!   walked**, and nothing is set up for those who would ask what has (`ImageCalls::attempt`).
//!   Frames begin and end with a line of 64 bytes, which AVX2 compares, and puts back, by two reads
//!   where the processor has it; without it, and with the kept memory of a walked call, a line is
//!   compared by 16 bytes at a time, and one mask tells all halves of words in which it differs
//!   (`crates/beget-process/src/alloc/words.rs`). What calls on one image ask of its place is
//!   worked out once for all of them (`ImageCalls`).
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
pub use ending::{EndGuard, ProcessEnd};
pub use global::BegetAlloc;
pub use image::{BlockKind, BlockPlace, ByteMask, ImageBlock, ImageWord, MemoryImage};
pub use kept::{Difference, DifferenceList, KeptPlace};
pub use leaving::{LeavableThread, Stopped, run_leavable};
pub use live::{LiveDelta, count_live};
pub use loss::{BuildError, RegionLoss};
pub use process::{SHARED_WORDS, forbid_core_files, keep_freed_memory, share};
pub use region::{After, Image, ImageCalls, ImageId, Patch, Region, is_installed, pause};
pub use roots::{Escape, EscapePlace};
pub use tracked::{AddressAnchors, can_track, track, vary};
pub use watch::{MemoryWatch, Survivors};
