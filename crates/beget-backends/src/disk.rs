//! Structures on disk: a store beyond memory, and runs that another process continues.
//!
//! A [`Directory`] holds the **saved** state of a run: segments of structures in the order of their
//! discovery, and a manifest that names them, with the rest of the run. The manifest is replaced at
//! once, so the directory holds one whole state at any moment. Two stores write such directories:
//!
//! - [`DiskStore`] keeps its structures there and nowhere else. It decides later which candidates
//!   are new (delayed duplicate detection), in memory that does not grow with the run.
//! - [`RecordedStore`] is another store, which also writes its structures to files.
//!
//! Each process of a run of several has a [`PartRecorder`], for a run in memory or on disk.
//!
//! # How the order is kept
//!
//! Structures are numbered in the order in which calls leave them, and forms are spread over
//! *partitions* by their hash. The *head* of each candidate (partition, call, arguments) is written
//! in the order of the candidates; so is, within each partition, its form. Partitions are matched
//! one by one. Matching gives one bit for each candidate of the partition, in order: set if the
//! form is new, that is, neither stored nor the form of an earlier candidate. Then the heads are
//! read once, in order; each takes the next bit of its partition, and those with a set bit get the
//! next number. Of equal candidates the first is kept, whatever their hash, and nothing is sorted.
//!
//! It knows files and the [`Store`](beget_engine::store::Store) that it is. It must not know plans,
//! scope files or terminals.
//!
//! # Decisions
//!
//! A store may put off which candidates are new: `commit` takes them, and `settle` decides later.
//! `Levels` proposes `Settle` before it begins a level, since the parents of the next level are not
//! known before; within a level nothing depends on the decision. A strategy that needs it
//! (`Strategy::needs_lessons`), and a budget of structures that the next batch could use up, settle
//! earlier, so that a run ends where it ends in memory. Until candidates are decided on, their
//! calls count as matched.
//!
//! - **The order** is that of the candidates, not of the hash, and nothing is sorted (see above).
//!   So the first of equal candidates wins, and recipes are those of a run in memory.
//! - **Hash partitions, not sorted runs.** Forms are kept once, by partition, in the order of
//!   discovery, and serve for matching, for the frontier and for the output. Sorted runs compress
//!   better, but would need a second copy in the order of discovery, or a number with each form;
//!   both cost more than they save.
//! - **A segment** (`segment.rs`) is the result of one `settle`: chunks of 1024 forms by partition
//!   (columns of differences, by zstd), the sequence of partitions (a byte each, in parts by zstd),
//!   origins (a varint code, by zstd), an index. It is never changed. The manifest names the
//!   segments, each by its number of structures, its length and the checksum of its index, and
//!   holds the rest of the run (`RunState` in `crates/beget-engine/src/run/state.rs`, as the
//!   executor and its strategy wrote it); it is replaced by renaming, after all it names is on the
//!   disk. A file that no manifest names is removed when the directory is opened, which a lock
//!   allows to one process at a time.
//! - **A save that an interrupt cuts short** (`limit.rs`) leaves the directory as it was saved
//!   before. Settling asks the limit too, since it reads all structures.
//! - **A chain of checksums** ties the files of a directory together. The manifest has a checksum
//!   of itself and those of the indices of its segments; an index has the checksums of all blocks,
//!   a fingerprint of the run (its identity and part), the number of the segment and that of its
//!   first structure. So opening a directory reads its indices alone, and refuses every file that
//!   was not saved with the others, before anything in the directory changes; a changed block is
//!   noticed when it is read. The fingerprint is not random: files with equal bytes may stand for
//!   each other, since runs of one plan do the same. A manifest is removed before the segments that
//!   it names.
//! - **Settling** happens within a level when candidates fill their memory and take more bytes than
//!   the structures, which have to be read for it. So reading stays in proportion to writing. It
//!   also happens when there are 2^31 candidates: a segment numbers its structures by 32 bits, a
//!   run by 64.
//! - **Memory**: candidates (a third of the store's memory), a table of one partition for each
//!   thread, an index of 32 bytes for 1024 forms, and one unpacked chunk of each partition for the
//!   frontier.
//! - **Looking up** forms that a repOK accepts (`lookup.rs`): many forms at once, partition by
//!   partition, then once through the order, which gives the numbers; the answers have the order of
//!   the questions. One by one, each would read a partition.
//! - Files are read by position, not mapped: mapping is unsafe code, and another process that cuts
//!   a file short would be a crash in place of a message.
//! - **Checkpoints of runs in memory** are the same files, written by `RecordedStore` from the
//!   store that it wraps. They lack the number of objects of a structure, which only totals need,
//!   and these are in the manifest.
//! - `Plan::identity` (`crates/beget-plan/src/scope/identity.rs`) lists what two runs must share.
//!   It is text, so that the difference can be shown.

mod candidates;
mod codec;
mod directory;
mod disk_store;
mod error;
mod limit;
mod lists;
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
pub use limit::{IsOver, SaveLimit};
pub use parts::{
    PartForm, PartOf, PartRecorder, PartStructures, SavedRest, SavedStep, SavedSteps, holds_parts,
    read_saved, saved_steps,
};
pub use recorded::RecordedStore;

/// The parts of stores on disk of which runs of several processes make their own.
#[cfg(unix)]
pub(crate) use self::{
    candidates::DUE,
    codec::OriginCoder,
    limit::SaveTime,
    lists::{GrowingLists, ListPieces},
    origin_cache::OriginCache,
    partition::{N_PARTITIONS, OF_OTHERS, own_partition_of, trimmed},
    parts::{OWN, put_other, put_own},
    segment::{ChunkBuilder, Segment, SegmentWriter},
    settling::{BitCursor, CandidateMatching, RecordForm},
    stored::LastScan,
};
