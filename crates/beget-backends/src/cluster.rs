//! One run of beget made by several processes together, on one machine or on many.
//!
//! Every process makes the same run, in step with the others: the same proposals, counters, numbers
//! and findings. They share the work and the memory. Each process makes every n-th block of a
//! batch; each form is kept by one process, which a hash of its bytes names. So a batch goes
//!
//! ```text
//! forms that a block needs ──> calls ──> results to all ──> candidates to their owners
//!   ──> which are new, to who made them ──> how they were made, to all
//! ```
//!
//! and ends the same for any number of processes: the owner of a form takes the candidates in the
//! order of their blocks, so the first one wins, whichever process made it.
//!
//! Each arrow is a round of messages, which the module `link` makes over a connection for each pair
//! of processes.
//!
//! # Trust
//!
//! Messages are neither encrypted nor signed, so every program that reaches the ports is trusted:
//! connect machines over a private network. Processes of one machine listen on its loopback address
//! alone, and know each other by a secret.
//!
//! # Limits
//!
//! At most sixteen processes. All processes keep all recipes, about one and a half bytes a
//! structure in memory, or about a byte on disk; forms and their tables are spread. A process takes
//! up to 16 MiB to remember what it has sent. A lost process ends the run.
//!
//! # How a batch goes
//!
//! Several processes make one run, each with an `Executor`, `Levels` and all counters of its own,
//! in step: they propose the same blocks, and get the same results. A `Cluster` is their
//! `BlockRunner`, and gives them their store; the run layer takes both from its host
//! (`Host::machines`). A batch is six rounds of messages, in each of which every process sends to
//! every other:
//!
//! | round | goes | to |
//! | --- | --- | --- |
//! | forms | the forms of the structures of a process's blocks, each once in a batch | the process that makes the calls |
//! | results | the results of calls (`BlockResult` without candidates) | all |
//! | candidates | forms that calls left, in the order of blocks and calls | the owner of the form |
//! | new | a bit for each candidate | the process that made it |
//! | origins | call, arguments, owner and type of the new structures, counts by block, totals | all |
//! | agree | the end of time or memory, an interrupt, the time to save the run | all |
//!
//! - **Exactness.** Block *i* of a batch is made by process *i* mod *n*. An owner takes the
//!   candidates of a batch in the order of the blocks, so the first of equal forms wins, as with
//!   one thread: the order key is the place in the message. New structures are numbered in the same
//!   order, in every process. The owner is named by a hash of the form's bytes that is the same on
//!   all machines; equality is decided by the owner's store, in memory an `ExactStore`.
//! - **Placement.** Forms and tables are held by their owners alone. Recipes (1.6 bytes a
//!   structure) and types are held by all: replayed structures, notes and findings need recipes one
//!   at a time, at moments when no process can wait for another. One bit for each structure marks a
//!   process's own.
//! - **On disk** (`crates/beget-backends/src/cluster/disk_store.rs`) a process has its forms and
//!   all recipes in its directory. Which candidates are new is decided when the store settles, so
//!   *new* and *origins* are rounds of settling. In a batch one round is in their place: each
//!   process says that it has kept what arrived.
//! - **What is sent** is packed (`crates/beget-backends/src/cluster/packer.rs`): forms of one block
//!   resemble each other, and so do origins. A form is not sent if its owner made it, or if this
//!   process remembers that it has sent it before (`crates/beget-backends/src/cluster/known.rs`).
//! - **Blocks without forms.** `Store::scan_types` fills the blocks of all processes with types
//!   alone, which decide the content of a block. As all processes know all blocks, an owner sends
//!   the forms that another one needs without being asked.
//! - **In step.** Each message ends with the step that it belongs to, so that processes whose
//!   subjects behave differently end with an error and do not wait for ever. What happens by the
//!   clock (`Observer::look`, `Observer::wait`) is done aside, where forms cannot be read. When the
//!   run is over, process 0 reads forms for what it writes, and the others serve it
//!   (`crates/beget-backends/src/cluster/reading.rs`).
//! - **Rounds** (`crates/beget-backends/src/cluster/link.rs`). The crate `timely` made them before,
//!   as epochs of a dataflow with one operator. Of a dataflow nothing else was used, its threads
//!   panic when a connection breaks, and it was ten crates of a build, so it was a feature of three
//!   of ours.
//! - **A full part** ends the run as a full store does: the owners that had room have kept the
//!   batch's forms, but no process numbers them.
//! - **Checkpoints** (`crates/beget-backends/src/disk/parts.rs`,
//!   `crates/beget-backends/src/cluster/store/saving.rs`). A part is a directory like that of one
//!   process, whose segments have all structures of the run: the form of its own, the type tag of
//!   the others, the origin of all. So a process continues from its own part alone, and machines
//!   need share nothing; the price is that each writes all origins. When all have written, they say
//!   so in one more round. Only after it is the step before superfluous; until then each part keeps
//!   it (`manifest.old`, which names the first of the same segments), so a kill in between costs a
//!   step and not the run. Before a run all say which steps they have, and take the last that all
//!   have in common. Steps are compared by a fingerprint of the run's state beside its structures:
//!   processes in step have the same state, and runs of one plan do the same things, so equal steps
//!   belong together wherever they were made. For another number of processes each reads the parts
//!   of all, in order, and takes the forms that it owns now. Sending forms to their new owners
//!   would save the copies, but would not work for parts whose process is gone.
#![warn(missing_docs)]

mod checked;
mod connect;
mod disk_candidates;
mod disk_part;
mod disk_settling;
mod disk_store;
mod hosts;
mod known;
mod link;
mod local;
mod news;
mod owned;
mod packer;
mod part;
mod reading;
mod runner;
mod saving;
mod store;
mod wire;

use std::io;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use connect::{Haste, RunIdentity, connect, listen, name_of};
use hosts::HostPatience;
pub use hosts::{Hosts, HostsError, MOST_PROCESSES};
use link::ProcessLink;
pub use local::{StartedProcesses, is_started};
pub use runner::Cluster;
pub use saving::{DirectoryFault, OwnDirectory};

/// The reason why there is no cluster.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// The request is impossible.
    #[error("{0}")]
    Usage(String),
    /// The other processes do not come.
    #[error("{0}")]
    Connect(String),
    /// One of them is gone.
    #[error("{0}")]
    Lost(String),
    /// The saved run, or the one to save, cannot be read or written.
    #[error("{0}")]
    Directory(String),
    /// The system refuses.
    #[error("processes cannot be connected: {0}")]
    Io(io::Error),
}

impl Cluster {
    /// Takes part as process number `me` of `hosts`; this one may have `started` others. Equal runs
    /// have equal numbers `run`. Once `is_interrupted`, this process waits for silent ones for two
    /// seconds at most.
    ///
    /// # Errors
    /// If this process cannot listen at its address, the others do not come, or one of them makes
    /// another run.
    pub fn of_hosts(
        (hosts, me): (&Hosts, usize),
        run: u64,
        started: &mut StartedProcesses,
        is_interrupted: fn() -> bool,
    ) -> Result<Cluster, ClusterError> {
        let addresses = hosts.addresses();
        let n = addresses.len();
        if me >= n {
            return Err(ClusterError::Usage(format!(
                "there is no process {me}: the file names {n}, numbered from 0 to {}",
                n - 1
            )));
        }
        let listener = listen(hosts.bind(me))?;
        let identity = RunIdentity { me, n, secret: [0; 16], run };
        let mut haste = Haste::new(is_interrupted);
        let mut look = || started.look().and_then(|()| haste.look());
        let HostPatience { wait, silence } = hosts.patience;
        let sockets = connect(&identity, &listener, (addresses, wait), &mut look)?;
        Cluster::over((identity, sockets, addresses.to_vec()), silence, is_interrupted)
    }

    /// Starts `n` - 1 processes on this machine by `command`, which [join](Cluster::join).
    ///
    /// # Errors
    /// If one of them does not come.
    pub fn start(
        n: usize,
        run: u64,
        command: &dyn Fn() -> Command,
        is_interrupted: fn() -> bool,
    ) -> Result<(Cluster, StartedProcesses), ClusterError> {
        let mut haste = Haste::new(is_interrupted);
        let (connections, processes) = local::start(n, run, command, &mut haste)?;
        let silence = HostPatience::default().silence;
        Ok((Cluster::over(connections, silence, is_interrupted)?, processes))
    }

    /// Takes part in the run of the process that has started this one.
    ///
    /// # Errors
    /// If the others cannot be reached, or make another run.
    pub fn join(run: u64, is_interrupted: fn() -> bool) -> Result<Cluster, ClusterError> {
        let connections = local::join(run, &mut Haste::new(is_interrupted))?;
        Cluster::over(connections, HostPatience::default().silence, is_interrupted)
    }

    fn over(
        (identity, sockets, addresses): local::Connections,
        silence: Duration,
        is_interrupted: fn() -> bool,
    ) -> Result<Cluster, ClusterError> {
        let names = addresses.iter().enumerate();
        let names = names.map(|(process, address)| name_of(process, address)).collect();
        let link = ProcessLink::start(sockets, identity.me, names, (silence, is_interrupted));
        let link = link.map_err(ClusterError::Io)?;
        Ok(Cluster::new(Arc::new(link)))
    }
}
