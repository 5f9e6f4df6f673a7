//! Worker processes: this program, started again with its own arguments.

#[cfg(unix)]
mod workers {
    use std::fs::File;
    use std::io::{self, Write as _};
    use std::process::Command;

    use beget_args::cli::{RunArgs, SupervisionArgs};
    use beget_backends::supervise::{
        CallLimits, Remains, Supervisor, connection, is_worker, serve,
    };
    use beget_plan::scope::Plan;
    use beget_run::{OracleSet, Workers};

    use crate::error::CliError;
    use crate::open::settings;
    use crate::{exit_guard, machines};

    /// Returns whether this process makes calls for another one.
    pub(crate) fn is_at_work() -> bool {
        is_worker() || machines::is_taking_part()
    }

    /// Starts workers for the calls of `plan`, if `--processes` is given. In a worker, this makes
    /// calls, and asks `oracles`, until the process ends.
    pub(crate) fn workers(
        args: &SupervisionArgs,
        run: &RunArgs,
        plan: &Plan,
        oracles: Option<&OracleSet>,
    ) -> Result<Option<Box<dyn Workers>>, CliError> {
        if is_worker() {
            work(run, plan, oracles)?;
        }
        let Some(n_processes) = args.processes else { return Ok(None) };
        // Its output is that of the code under test.
        let print = |text: &[u8]| drop(io::stderr().write_all(text));
        start(args, n_processes, Remains::Usual, print).map(Some)
    }

    /// Processes that make the same calls on memory with other contents.
    pub(crate) fn start_apart(
        args: &SupervisionArgs,
        n_processes: usize,
    ) -> Result<Box<dyn Workers>, CliError> {
        // This process has printed the same.
        start(args, n_processes, Remains::Apart, |_| ())
    }

    /// Starts this program again, `n_processes` times.
    fn start(
        args: &SupervisionArgs,
        n_processes: usize,
        remains: Remains,
        print: impl Fn(&[u8]) + Send + Sync + 'static,
    ) -> Result<Box<dyn Workers>, CliError> {
        let limits = CallLimits { time: args.call_time(), memory_mib: args.call_memory };
        let program = std::env::current_exe().map_err(CliError::Workers)?;
        let start = move || {
            let mut command = Command::new(&program);
            command.args(std::env::args_os().skip(1));
            command
        };
        let start = Box::new(start);
        let supervisor = Supervisor::start_with(start, n_processes, limits, remains, print);
        let supervisor = supervisor.map_err(|error| CliError::Workers(io::Error::other(error)))?;
        Ok(Box::new(supervisor))
    }

    fn work(run: &RunArgs, plan: &Plan, oracles: Option<&OracleSet>) -> Result<(), CliError> {
        exit_guard::stand_down();
        let stream = connection().map_err(CliError::Workers)?;
        let empty = File::open("/dev/null").and_then(|null| Ok(nix::unistd::dup2_stdin(null)?));
        empty.map_err(CliError::Workers)?;
        serve(stream, plan, settings(run), oracles)
    }
}

#[cfg(not(unix))]
mod workers {
    use beget_args::cli::{RunArgs, SupervisionArgs};
    use beget_plan::scope::Plan;
    use beget_run::{OracleSet, Workers};

    use crate::error::CliError;

    pub(crate) fn is_at_work() -> bool {
        false
    }

    pub(crate) fn workers(
        args: &SupervisionArgs,
        _: &RunArgs,
        _: &Plan,
        _: Option<&OracleSet>,
    ) -> Result<Option<Box<dyn Workers>>, CliError> {
        match args.processes {
            Some(_) => Err(CliError::Usage("`--processes` needs Linux".to_owned())),
            None => Ok(None),
        }
    }

    pub(crate) fn start_apart(_: &SupervisionArgs, _: usize) -> Result<Box<dyn Workers>, CliError> {
        Err(CliError::Usage("several processes need Linux".to_owned()))
    }
}

pub(crate) use workers::{is_at_work, start_apart, workers};
