//! Arguments of calls in worker processes.

use std::time::Duration;

use clap::Args;

use super::common::{seconds, threads};

/// The processes that make calls, and their limits.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Worker processes")]
pub(crate) struct SupervisionArgs {
    /// Make the calls in N processes, so that one that dies or hangs does not end the run
    ///
    /// A call that aborts, exits, overflows the stack, touches memory that is not there, does not
    /// return or takes too much memory is a failure then: it is made once more, alone, in a fresh
    /// process, and the run goes on as if it were not there. Without such calls the result is that
    /// of a run without processes.
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) processes: Option<usize>,

    /// How many seconds a call may take in a process
    ///
    /// By default ten, and no more than one of processor time, unless calls of this scope take
    /// milliseconds: then a thousand times what they take.
    #[arg(long, value_name = "S", requires = "processes", value_parser = seconds)]
    pub(crate) call_seconds: Option<f64>,

    /// How many MiB of memory a process may hold, with the call that it makes
    #[arg(long, value_name = "N", requires = "processes", default_value = "4096",
          value_parser = clap::value_parser!(u64).range(16..))]
    pub(crate) call_memory: u64,
}

impl SupervisionArgs {
    /// The time that a call may take, if that is given.
    pub(crate) fn call_time(&self) -> Option<Duration> {
        self.call_seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
    }
}
