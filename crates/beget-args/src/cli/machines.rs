//! Arguments of runs that several processes make together.

use std::path::PathBuf;

use clap::Args;

/// The processes that make the run.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Several machines")]
pub struct MachinesArgs {
    /// Share the run among the processes of a file (one `host:port` per line), or N local ones
    ///
    /// The result is that of one process; process 0 prints and writes it. Start the same command on
    /// each machine with its --process. Anyone who reaches the ports can take part: use a private
    /// network.
    #[arg(long, value_name = "FILE|local:N", value_parser = hosts)]
    pub hosts: Option<HostsArg>,

    /// The number of this process in the file of --hosts, from 0
    #[arg(long, value_name = "I", requires = "hosts")]
    pub process: Option<usize>,
}

/// The place of the processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostsArg {
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
