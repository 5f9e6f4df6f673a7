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
//! *partitions* by their hash, each matched for itself. What goes with a candidate, its
//! *head* (partition, call, arguments), is written in the order of the candidates; so is, within
//! each partition, its form. Matching a partition gives one bit for each of its candidates, in
//! order: whether it is new, that is, neither stored nor the form of an earlier one. Then the heads
//! are read once, in order; each takes the next bit of its partition, and those with a set bit get
//! the next number. Of equal candidates the first is kept, whatever their hash, and nothing is
//! sorted.
//!
//! It knows files and the [`Store`](beget_engine::store::Store) that it is. It must not know plans,
//! scope files or terminals.

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
