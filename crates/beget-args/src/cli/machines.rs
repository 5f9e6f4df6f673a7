//! Arguments of runs that several processes make together.

use std::path::PathBuf;

use clap::Args;

/// The processes that make the run.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Several machines")]
pub struct MachinesArgs {
    /// Share the run among the processes of a file (one `host:port` per line), or N local ones
    ///
    /// I is the number of this process, from 0: start the same command for each, or write `ssh` to
    /// start the others from process 0, `slurm` for the number that srun gives. The result is that
    /// of one process. Anyone who reaches the ports can take part: use a private network.
    #[arg(long, value_name = "FILE#I|local:N", value_parser = hosts)]
    pub hosts: Option<HostsArg>,
}

/// The place of the processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostsArg {
    /// The file that names them all, and the number of this one in it.
    File(PathBuf, usize),
    /// The same file. This process is the first one, and starts the others by `ssh`.
    Ssh(PathBuf),
    /// This number of processes on this machine.
    Local(usize),
}

fn hosts(text: &str) -> Result<HostsArg, String> {
    if let Some(number) = text.strip_prefix("local:") {
        return match number.parse() {
            Ok(n @ 1..=16) => Ok(HostsArg::Local(n)),
            _ => Err("give a number of processes from 1 to 16, as in `local:2`".to_owned()),
        };
    }
    let (file, me) = text.rsplit_once('#').unwrap_or((text, ""));
    let path = PathBuf::from(file);
    let given = match me {
        "ssh" => return Ok(HostsArg::Ssh(path)),
        "slurm" => {
            std::env::var(SLURM).map_err(|_| format!("`srun` sets {SLURM}, which is not set"))?
        }
        me => me.to_owned(),
    };
    match given.parse() {
        Ok(me) => Ok(HostsArg::File(path, me)),
        Err(_) => Err(format!("add the number of this process in the file, from 0: `{file}#0`")),
    }
}

/// The environment variable with the number of a process that `srun` has started.
const SLURM: &str = "SLURM_PROCID";
