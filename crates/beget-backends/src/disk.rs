//! Structures on disk: a store beyond memory, and runs that another process goes on with.
//!
//! A [`Directory`] holds what a run has **saved**: segments of structures in the order of their
//! discovery, and a manifest that names them, with the rest of the run. The manifest is replaced at
//! once, so at any moment the directory holds one whole state. Two stores write such directories:
//!
//! - [`DiskStore`] keeps its structures there and nowhere else. It finds out later which candidates
//!   are new (delayed duplicate detection), in memory that does not grow with the run.
//! - [`RecordedStore`] is another store, whose structures are written down too.
//!
//! Of a run that several processes make, each has a [`PartRecorder`].
//!
//! # How the order is kept
//!
//! Structures are numbered in the order in which calls leave them, and forms are spread over
//! *partitions* by their hash, each matched for itself. What goes with a candidate, its *head*
//! (partition, call, arguments), is written in the order of the candidates; so is, within each
//! partition, its form. Matching a partition gives one bit for each of its candidates, in order:
//! whether it is new, that is, neither stored nor the form of an earlier one. Then the heads are
//! read once, in order; each takes the next bit of its partition, and those with a set bit get the
//! next number. Of equal candidates the first is kept, whatever their hash, and nothing is sorted.
//!
//! It knows files and the [`Store`](beget_engine::store::Store) that it is. It must not know plans,
//! scope files or terminals.
//!
//! # Decisions
//!
//! A store may put off which candidates are new: `commit` takes them, and `settle` tells later what
//! they brought. `Levels` proposes `Settle` before it begins a level, since the next one's parents
//! are not known before; within a level nothing depends on what is new. A strategy that does
//! (`Strategy::needs_lessons`), and a budget of structures that the next batch could spend, settle
//! earlier, so that a run is cut where it is cut in memory. Until candidates are decided on, their
//! calls count as matched.
//!
//! - **The order** is that of the candidates, not of the hash, and nothing is sorted: the page of
//!   the crate says how (one bit for each candidate, by partition; the heads of all candidates, in
//!   order, take them). So the first of equal candidates wins, and recipes are those of a run in
//!   memory.
//! - **Hash partitions, not sorted runs.** Forms stand once, by partition, in the order of
//!   discovery, and serve for matching, for the frontier and for the output. Sorted runs compress
//!   better, but would need a second copy in the order of discovery, or a number with each form;
//!   both cost more than they spare.
//! - **A segment** (`segment.rs`) is what one `settle` brought: chunks of 1024 forms by partition
//!   (columns of differences, by zstd), which partition comes next (a byte), origins (a varint
//!   code, by zstd), an index. It is never changed. The manifest names the segments, each by its
//!   number of structures, its length and the checksum of its index, and holds the rest of the run
//!   (`RunState` in `crates/beget-engine/src/run/state.rs`, as the executor and its strategy wrote it);
//!   it is replaced by renaming, after all it names is on the disk. What no manifest names is
//!   removed by whoever opens the directory, which a lock keeps to one process.
//! - **A chain of checksums** ties the files of a directory together. The manifest has a checksum
//!   of itself and those of the indices of its segments; an index has the checksums of all blocks,
//!   a fingerprint of the run (its identity, and which part of it), the number of the segment and
//!   that of its first structure. So opening a directory reads its indices alone, and refuses every
//!   file that was not saved with the others, before anything in the directory changes; a changed
//!   block is noticed when it is read. The fingerprint is no random number: files with equal bytes
//!   may stand for each other, since runs of one plan do the same. A manifest is removed before the
//!   segments that it names.
//! - **When to settle** within a level: when candidates fill their memory and are more bytes than
//!   the structures, which have to be read for it. So what is read stays in proportion to what was
//!   written.
//! - **Memory**: candidates (a third of what the store is given), a table of one partition for each
//!   thread, an index of 32 bytes for 1024 forms, and one unpacked chunk of each partition for the
//!   frontier.
//! - **Looking up** what a repOK admits (`lookup.rs`): many forms at once, partition by partition,
//!   then once through the order, which tells the numbers; the answers have the order of the
//!   questions. One by one each would read a partition.
//! - Files are read by position, not mapped: mapping is unsafe code, and another process that cuts
//!   a file short would be a crash in place of a message.
//! - **Checkpoints of runs in memory** are the same files, written by `RecordedStore` from the
//!   store that it wraps. What they lack is how many objects a structure has, which only totals
//!   need, and these are in the manifest.
//! - `Plan::identity` (`crates/beget-plan/src/scope/identity.rs`) says what two runs must share. It
//!   is text, so that the difference can be shown.

mod candidates;
mod codec;
mod directory;
mod disk_store;
mod error;
mod lookup;
mod origin_cache;
mod partition;
mod parts;
mod recorded;
mod recording;
mod segment;
mod settling;
mod stored;

pub use directory::{Directory, Manifest, StoreForm};
pub use disk_store::DiskStore;
pub use error::DiskError;
pub use parts::{
    PartForm, PartOf, PartRecorder, PartStructures, SavedRest, SavedStep, SavedSteps, holds_parts,
    read_saved, saved_steps,
};
pub use recorded::RecordedStore;
