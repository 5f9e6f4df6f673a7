//! One run of beget that several processes make together, on one machine or on many.
//!
//! Every process makes the same run, in step with the others: the same proposals, counters, numbers
//! and findings. What they share is the work and the memory. Of the blocks of a batch each process
//! makes every n-th; each form is kept by one process, the one that a hash of its bytes names. So
//! a batch goes
//!
//! ```text
//! forms that a block needs ──> calls ──> results to all ──> candidates to their owners
//!   ──> which are new, to who made them ──> how they were made, to all
//! ```
//!
//! and ends the same for any number of processes: the owner of a form takes the candidates in the
//! order of their blocks, so the first one wins, wherever it was made.
//!
//! Each arrow is a round of messages, an epoch of a dataflow of the crate `timely`, which only the
//! module `link` knows.
//!
//! # What it trusts
//!
//! Whoever reaches the ports. Messages are neither encrypted nor signed: connect machines over a
//! private network. Processes of one machine listen on its loopback address alone, and know each
//! other by a secret.
//!
//! # Limits
//!
//! At most sixteen processes. All processes keep all recipes, about one and a half bytes a
//! structure; forms and what finds them are spread. A process that is lost ends the run.
#![warn(missing_docs)]

mod connect;
mod hosts;
mod known;
mod link;
mod local;
mod owned;
mod part;
mod reading;
mod runner;
mod saving;
mod store;
mod stream;
mod wire;

use std::io;
use std::process::Command;

use connect::{RunIdentity, connect, listen, name_of};
pub use hosts::{Hosts, HostsError, MOST_PROCESSES};
use link::ProcessLink;
pub use local::{LocalProcesses, is_started};
pub use runner::Cluster;
pub use saving::{DirectoryFault, OwnDirectory};

/// Why there is no cluster.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// What was asked for cannot be.
    #[error("{0}")]
    Usage(String),
    /// The others do not come.
    #[error("{0}")]
    Connect(String),
    /// One of them is gone.
    #[error("{0}")]
    Lost(String),
    /// What was saved, or is to be, cannot be read or written.
    #[error("{0}")]
    Directory(String),
    /// The system refuses.
    #[error("processes cannot be connected: {0}")]
    Io(io::Error),
}

impl Cluster {
    /// Takes part as process number `me` of `hosts`. Equal runs have equal numbers `run`.
    ///
    /// # Errors
    /// If this process cannot listen at its address, the others do not come, or one of them makes
    /// another run.
    pub fn of_hosts(hosts: &Hosts, me: usize, run: u64) -> Result<Cluster, ClusterError> {
        let addresses = hosts.addresses();
        let own = addresses.get(me).ok_or_else(|| {
            let n = addresses.len();
            ClusterError::Usage(format!(
                "there is no process {me}: the file names {n}, numbered from 0 to {}",
                n - 1
            ))
        })?;
        let listener = listen(own)?;
        let identity = RunIdentity { me, n: addresses.len(), secret: [0; 16], run };
        let sockets = connect(&identity, &listener, addresses, &mut || Ok(()))?;
        Cluster::over((identity, sockets, addresses.to_vec()))
    }

    /// Starts `n` - 1 processes on this machine by `command`, which [join](Cluster::join).
    ///
    /// # Errors
    /// If one of them does not come.
    pub fn start(
        n: usize,
        run: u64,
        command: &dyn Fn() -> Command,
    ) -> Result<(Cluster, LocalProcesses), ClusterError> {
        let (connections, processes) = local::start(n, run, command)?;
        Ok((Cluster::over(connections)?, processes))
    }

    /// Takes part in the run of the process that has started this one.
    ///
    /// # Errors
    /// If the others cannot be reached, or make another run.
    pub fn join(run: u64) -> Result<Cluster, ClusterError> {
        Cluster::over(local::join(run)?)
    }

    fn over((identity, sockets, addresses): local::Connections) -> Result<Cluster, ClusterError> {
        let names = addresses.iter().enumerate();
        let names = names.map(|(process, address)| name_of(process, address)).collect();
        let link = ProcessLink::start(sockets, identity.me, names).map_err(ClusterError::Io)?;
        Ok(Cluster::new(link))
    }
}
