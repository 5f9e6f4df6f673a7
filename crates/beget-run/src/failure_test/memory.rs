//! Tests of calls that misuse or leak memory: the calls, made while memory is checked.

use beget_plan::finding::{Kind, MEMORY_FREED, MEMORY_SOUND, Problem};
use beget_plan::scope::Plan;
use beget_process::alloc::{CheckedMemory, MemoryCheck, MemoryFill};
use beget_suite::Sequence;

use super::{NoFailure, called};
use crate::replay::{Replay, unobserved};

/// The statements of a test that fails as the problem describes, if the repeated calls show it.
pub(super) fn body(
    plan: &Plan,
    calls: &Sequence,
    problem: &Problem,
) -> Result<Vec<String>, NoFailure> {
    let name = problem.name.as_deref().unwrap_or_default();
    if ![MEMORY_SOUND, MEMORY_FREED].contains(&name) {
        return Err(NoFailure::Kind);
    }
    let calls = Sequence { result: None, ..calls.clone() };
    let checked = checked(plan, &calls).ok_or(NoFailure::Kind)?;
    let shows = match problem.kind == Kind::Leak {
        true => checked.has_leak(),
        false => checked.fault.is_some(),
    };
    // A read of freed memory shows in no fault.
    shows.then_some(()).ok_or(NoFailure::Kind)?;
    let lines = called(plan, &calls).into_iter().map(|line| format!("    {line}"));
    let first = "beget::assert_memory(|| {".to_owned();
    Ok(std::iter::once(first).chain(lines).chain(["});".to_owned()]).collect())
}

fn checked(plan: &Plan, calls: &Sequence) -> Option<CheckedMemory> {
    let mut check = MemoryCheck::open()?;
    check.run(MemoryFill::PAIR[0], || {
        let mut replay = Replay::new(plan, calls);
        let _ = replay.run(calls, unobserved);
        let _ = replay.end();
    });
    Some(check.finish())
}
