//! Runs with `state: Bytes`: the processes that compare memory, and what such a run cannot do.
//!
//! How memory is a state stands in `crates/beget-suite/src/bytes.rs`, what is believed of it in
//! `crates/beget-run/src/bytes.rs`.

use beget_args::cli::{RunArgs, StoreArg, SupervisionArgs};
use beget_plan::scope::Plan;
use beget_run::{N_PEERS, Workers};
use beget_suite::StateKind;

use crate::error::CliError;
use crate::open::n_cores;
use crate::supervision::start_apart;

/// Returns whether structures are compared by their memory.
pub(crate) fn is_by_bytes(plan: &Plan) -> bool {
    plan.state() == StateKind::Bytes
}

/// Starts processes that repeat the calls of `plan` if its structures are compared by their memory.
pub(crate) fn peers(
    args: &SupervisionArgs,
    run: &RunArgs,
    plan: &Plan,
) -> Result<Vec<Box<dyn Workers>>, CliError> {
    if !is_by_bytes(plan) {
        return Ok(Vec::new());
    }
    if cfg!(not(unix)) {
        return Err(CliError::Usage("`state: Bytes` needs Linux".to_owned()));
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
    let n_peers = run.threads.filter(|n| *n > 0).or(args.processes).unwrap_or_else(n_cores);
    (0..N_PEERS).map(|_| start_apart(args, n_peers)).collect()
}

/// Rejects structures compared by their memory in a run of several machines, which do not compare
/// their structures.
pub(crate) fn refuse_on_machines(plan: &Plan) -> Result<Vec<Box<dyn Workers>>, CliError> {
    match is_by_bytes(plan) {
        true => {
            let problem = "a run with `state: Bytes` is made on one machine: leave out `--hosts`";
            Err(CliError::Usage(problem.to_owned()))
        }
        false => Ok(Vec::new()),
    }
}
