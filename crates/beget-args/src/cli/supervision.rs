//! Arguments of calls in worker processes.

use std::time::Duration;

use clap::Args;

use super::common::{seconds, threads};

/// The processes that make calls, and their limits.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Worker processes")]
pub struct SupervisionArgs {
    /// Make the calls in N processes, so that a crash or hang does not end the run
    ///
    /// A call that ends its process, does not return or takes too much memory is then a failure. It
    /// is repeated alone in a fresh process, and the run goes on without it.
    #[arg(long, value_name = "N", value_parser = threads)]
    pub processes: Option<usize>,

    /// Limit the seconds of a call
    ///
    /// The default is ten, and one of processor time, or a thousand times the average call if that
    /// is more.
    #[arg(long, value_name = "S", requires = "processes", value_parser = seconds)]
    pub call_seconds: Option<f64>,

    /// Limit the memory of a process to N MiB
    #[arg(long, value_name = "N", requires = "processes", default_value = "4096",
          value_parser = clap::value_parser!(u64).range(16..))]
    pub call_memory: u64,
}

impl SupervisionArgs {
    /// The time that a call may take, if that is given.
    pub fn call_time(&self) -> Option<Duration> {
        self.call_seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
    }
}
