//! Calls in worker processes: this program, started again with the arguments that it has itself.

#[cfg(unix)]
mod workers {
    use std::fs::File;
    use std::io::{self, Write as _};
    use std::num::NonZeroUsize;
    use std::process::Command;

    use beget_backends::supervise::{
        CallLimits, Remains, Supervisor, connection, is_worker, serve,
    };
    use beget_plan::scope::Plan;
    use beget_run::{N_PEERS, Workers};
    use beget_suite::StateKind;

    use crate::args::{RunArgs, StoreArg, SupervisionArgs};
    use crate::error::CliError;
    use crate::open::settings;
    use crate::{exit_guard, machines};

    /// Returns whether this process makes calls for another one.
    pub(crate) fn is_at_work() -> bool {
        is_worker() || machines::is_taking_part()
    }

    /// Workers for the calls of `plan`, if they are asked for. In a worker, this makes calls until
    /// the process ends.
    pub(crate) fn workers(
        args: &SupervisionArgs,
        run: &RunArgs,
        plan: &Plan,
    ) -> Result<Option<Box<dyn Workers>>, CliError> {
        if is_worker() {
            work(run, plan)?;
        }
        let Some(n_processes) = args.processes else { return Ok(None) };
        // What it prints is the code under test.
        let print = |text: &[u8]| drop(io::stderr().write_all(text));
        start(args, n_processes, Remains::Usual, print).map(Some)
    }

    /// Starts processes that make the calls of `plan` once more, if its structures are told apart
    /// by their memory.
    pub(crate) fn peers(
        args: &SupervisionArgs,
        run: &RunArgs,
        plan: &Plan,
    ) -> Result<Vec<Box<dyn Workers>>, CliError> {
        if plan.state() != StateKind::Bytes {
            return Ok(Vec::new());
        }
        if !beget_process::alloc::can_track() {
            let needed = "`state: Bytes` needs the allocator of beget, which this program has not installed (a crate \
                          with an allocator of its own cannot): write `state: Shown` in the scope";
            return Err(CliError::Usage(needed.to_owned()));
        }
        if matches!(run.store, StoreArg::Disk(_)) || run.saving.is_asked_for() {
            let problem = "a run with `state: Bytes` is kept in memory: it is made several times";
            return Err(CliError::Usage(problem.to_owned()));
        }
        let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let n_peers = run.threads.filter(|n| *n > 0).or(args.processes).unwrap_or_else(cores);
        // The same has been printed already.
        let peers = (0..N_PEERS).map(|_| start(args, n_peers, Remains::Apart, |_| ()));
        peers.collect()
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

    fn work(run: &RunArgs, plan: &Plan) -> Result<(), CliError> {
        exit_guard::stand_down();
        let stream = connection().map_err(CliError::Workers)?;
        let empty = File::open("/dev/null").and_then(|null| Ok(nix::unistd::dup2_stdin(null)?));
        empty.map_err(CliError::Workers)?;
        serve(stream, plan, settings(run))
    }
}

#[cfg(not(unix))]
mod workers {
    use beget_plan::scope::Plan;
    use beget_run::Workers;
    use beget_suite::StateKind;

    use crate::args::{RunArgs, SupervisionArgs};
    use crate::error::CliError;

    pub(crate) fn is_at_work() -> bool {
        false
    }

    pub(crate) fn workers(
        args: &SupervisionArgs,
        _: &RunArgs,
        _: &Plan,
    ) -> Result<Option<Box<dyn Workers>>, CliError> {
        match args.processes {
            Some(_) => Err(CliError::Usage("`--processes` needs Linux".to_owned())),
            None => Ok(None),
        }
    }

    pub(crate) fn peers(
        _: &SupervisionArgs,
        _: &RunArgs,
        plan: &Plan,
    ) -> Result<Vec<Box<dyn Workers>>, CliError> {
        match plan.state() {
            StateKind::Bytes => Err(CliError::Usage("`state: Bytes` needs Linux".to_owned())),
            _ => Ok(Vec::new()),
        }
    }
}

pub(crate) use workers::{is_at_work, peers, workers};
