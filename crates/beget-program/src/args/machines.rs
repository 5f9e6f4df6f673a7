//! Arguments of runs that several processes make together.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use beget_engine::Settings;
use clap::Args;

use crate::machines::is_taking_part;

/// The processes that make the run.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Several machines")]
pub(crate) struct MachinesArgs {
    /// Share the run among the processes of a file (one `host:port` per line), or N local ones
    ///
    /// The result is that of one process; process 0 prints and writes it. Start the same command on
    /// each machine with its --process. Anyone who reaches the ports can take part: use a private
    /// network.
    #[arg(long, value_name = "FILE|local:N", value_parser = hosts)]
    pub(crate) hosts: Option<HostsArg>,

    /// The number of this process in the file of --hosts, from 0
    #[arg(long, value_name = "I", requires = "hosts")]
    pub(crate) process: Option<usize>,
}

impl MachinesArgs {
    /// Returns whether this process shows and writes the result of the run.
    pub(crate) fn is_first(&self) -> bool {
        !is_taking_part() && self.process.is_none_or(|process| process == 0)
    }

    /// The settings of one of the processes: those of one machine share its cores.
    pub(crate) fn share_of(&self, settings: Settings) -> Settings {
        match self.hosts {
            Some(HostsArg::Local(n)) if settings.threads == 0 => {
                let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
                Settings { threads: (cores / n).max(1), ..settings }
            }
            _ => settings,
        }
    }
}

/// The place of the processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HostsArg {
    File(PathBuf),
    /// This number of processes on this machine.
    Local(usize),
}

fn hosts(text: &str) -> Result<HostsArg, String> {
    let Some(number) = text.strip_prefix("local:") else {
        return Ok(HostsArg::File(PathBuf::from(text)));
    };
    match number.parse() {
        Ok(n @ 1..=16) => Ok(HostsArg::Local(n)),
        _ => Err("give a number of processes from 1 to 16, as in `local:2`".to_owned()),
    }
}
