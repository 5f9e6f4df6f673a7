//! The calls on one structure, made on request: the outcome and results of each.
//!
//! A structure is built by its recipe for every call. Calls are made on a separate thread, like
//! those of films. A call that takes a second structure is not made: the run has made it with every
//! structure, which is more than a page can show.

use std::any::Any;
use std::sync::{Mutex, PoisonError};

use beget_heap::Encoder;
use beget_plan::scope::{ErrorRule, Plan, PlannedIdx, PlannedMethod};
use beget_process::guard::{guarded, last_panic};
use beget_suite::{Operand, ParamKind, Recipe, Sequence, Statement, TypeIdx, without_keys};

use beget_run::{Replay, ReplayError, ThreadLoss, bind_all, observed, on_leavable_thread};

/// The most calls made.
const MOST_CALLS: usize = 500;
/// The most calls made, including those of the recipes.
const MOST_STEPS: usize = 50_000;
/// The most threads left before no more calls are made.
const MOST_STOPPED: u32 = 3;

/// The calls on one structure.
#[derive(Clone, Debug, Default)]
pub struct LiveCalls {
    /// The calls, by method in the order of the plan, then by literals.
    pub calls: Vec<LiveCall>,
    /// The number of calls beyond the limit.
    pub n_left_out: usize,
    /// Methods that take the structure together with another one.
    pub with_others: Vec<&'static str>,
}

/// A call, and its results.
#[derive(Clone, Debug)]
pub struct LiveCall {
    /// The method.
    pub method: &'static str,
    /// The call as Rust source, with the statements that bind its results.
    pub source: String,
    /// Its outcome.
    pub outcome: LiveOutcome,
    /// Its result, or the reason why it failed; empty if there is nothing to show.
    pub message: String,
    /// The structures that it left, its arguments first.
    pub left: Vec<LeftStructure>,
}

/// The outcome of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiveOutcome {
    /// It returned.
    Returned,
    /// It broke a stated precondition.
    Misuse,
    /// It broke a promise.
    Failed,
    /// It ended its thread or did not return, or the recipe had another result.
    Unknown,
}

/// A structure that a call left.
#[derive(Clone, Debug)]
pub struct LeftStructure {
    /// Its type.
    pub ty: TypeIdx,
    /// The bytes of its canonical form; `None` if it is out of scope.
    pub form: Option<Vec<u8>>,
}

impl std::fmt::Display for LiveOutcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            LiveOutcome::Returned => "returned",
            LiveOutcome::Misuse => "misuse",
            LiveOutcome::Failed => "failure",
            LiveOutcome::Unknown => "unknown",
        })
    }
}

/// Makes the calls of the plan that take only the structure of a recipe, of this type.
pub fn make_calls_on(plan: &Plan, recipe: &Recipe, ty: TypeIdx) -> LiveCalls {
    let built = Sequence::of_recipe(&plan.suite, recipe);
    let most = (MOST_STEPS / built.statements.len().max(1)).clamp(1, MOST_CALLS);
    let (mut planned, mut n_left_out, mut with_others) = (Vec::new(), 0, Vec::new());
    for idx in plan.planned_idxs() {
        let PlannedMethod { structures, .. } = plan.planned(idx);
        match &structures[..] {
            [one] if *one == ty => {
                let n_tuples = plan.planned(idx).n_tuples();
                let n_made = n_tuples.min(most - planned.len());
                planned.extend((0..n_made).map(|tuple| call_on(plan, &built, idx, tuple)));
                n_left_out += n_tuples - n_made;
            }
            [_, _, ..] if structures.contains(&ty) => with_others.push(plan.method_name(idx)),
            _ => {}
        }
    }
    LiveCalls { calls: make_all(plan, &planned), n_left_out, with_others }
}

/// The sequences that build the structure of a recipe and make one call of a method on it, as
/// [`make_calls_on`] makes them.
pub fn calls_of_method(plan: &Plan, recipe: &Recipe, ty: TypeIdx, method: &str) -> Vec<Sequence> {
    let built = Sequence::of_recipe(&plan.suite, recipe);
    let is_meant = |idx: &PlannedIdx| {
        plan.method_name(*idx) == method && plan.planned(*idx).structures == [ty]
    };
    let of_method = plan.planned_idxs().filter(is_meant);
    let calls = of_method.flat_map(|idx| {
        let built = &built;
        (0..plan.planned(idx).n_tuples()).map(move |tuple| call_on(plan, built, idx, tuple))
    });
    calls.take(MOST_CALLS).collect()
}

/// Makes the calls of one method of the plan that take only the structure of a recipe, as
/// [`make_calls_on`] does.
pub fn make_calls_of(plan: &Plan, recipe: &Recipe, ty: TypeIdx, method: &str) -> Vec<LiveCall> {
    make_all(plan, &calls_of_method(plan, recipe, ty, method))
}

/// The sequence that builds the structure and makes one call on it.
fn call_on(plan: &Plan, built: &Sequence, idx: PlannedIdx, tuple: usize) -> Sequence {
    let planned = plan.planned(idx);
    let structure = built.result.expect("a recipe leaves a structure");
    let mut literals = planned.tuple(tuple).into_iter();
    let argument = |kind: &ParamKind| match kind {
        ParamKind::Structure { .. } => Operand::Variable(structure),
        ParamKind::Literal { .. } => {
            Operand::Literal(literals.next().expect("a literal for each parameter").source.clone())
        }
    };
    let params = plan.method(idx).params.iter();
    let call = Statement {
        method: planned.method,
        arguments: params.map(|param| &param.kind).map(argument).collect(),
        bindings: Vec::new(),
        ends: Vec::new(),
        panics: false,
    };
    let mut statements = built.statements.clone();
    statements.push(call);
    let mut calls = Sequence { statements, result: None };
    bind_all(plan, &mut calls);
    calls
}

/// Makes calls one after another; skips one that stops its thread.
fn make_all(plan: &Plan, planned: &[Sequence]) -> Vec<LiveCall> {
    let made = Mutex::new(Vec::with_capacity(planned.len()));
    let n_made = || made.lock().unwrap_or_else(PoisonError::into_inner).len();
    let push = |call| made.lock().unwrap_or_else(PoisonError::into_inner).push(call);
    let mut n_lost = 0;
    while n_made() < planned.len() && n_lost < MOST_STOPPED {
        let rest = &planned[n_made()..];
        let make_rest = || rest.iter().for_each(|calls| push(make(plan, calls)));
        if let Err(loss) = on_leavable_thread(make_rest) {
            n_lost += 1;
            let message = match loss {
                ThreadLoss::Stopped => "it ended its thread or did not return",
                ThreadLoss::Failed => "it could not be made",
            };
            push(unknown(plan, &planned[n_made()], message));
        }
    }
    let rest = &planned[n_made()..];
    rest.iter()
        .for_each(|calls| push(unknown(plan, calls, "not made: other calls did not return")));
    made.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn unknown(plan: &Plan, calls: &Sequence, message: &str) -> LiveCall {
    let method = calls.statements.last().expect("the call").method;
    LiveCall {
        method: plan.suite.method(method).name,
        source: calls.to_sources(&plan.suite).pop().unwrap_or_default(),
        outcome: LiveOutcome::Unknown,
        message: message.to_owned(),
        left: Vec::new(),
    }
}

/// Builds the structure and makes the call.
fn make(plan: &Plan, calls: &Sequence) -> LiveCall {
    let (call, before) = calls.statements.split_last().expect("the call");
    let mut replay = Replay::new(plan, calls);
    let is_built = before.iter().all(|statement| replay.step(statement, observed).is_ok());
    let unknown = unknown(plan, calls, "the recipe came to something else than in the run");
    if !is_built {
        return unknown;
    }
    let mut typed = calls.clone();
    let variables = bind_all(plan, &mut typed);
    let structure = call.variables().next().map(|(_, variable)| variable);
    let structure_type = variables.iter().find(|(one, _)| Some(*one) == structure);
    let form_before =
        structure_type.and_then(|&(variable, ty)| Some(form_of(plan, replay.value(variable)?, ty)));
    let ended = replay.step(call, observed);
    let (outcome, message) = match ended {
        Ok(value) => (LiveOutcome::Returned, value.map(|one| one.to_string()).unwrap_or_default()),
        Err(error) => (outcome_of(plan, &error), error.to_string()),
    };
    if outcome != LiveOutcome::Returned {
        return LiveCall { outcome, message, ..unknown };
    }
    let values = variables.iter().filter_map(|&(one, ty)| Some((replay.value(one)?, ty)));
    let values: Vec<(&dyn Any, TypeIdx)> = values.collect();
    let broken = values.iter().find_map(|&(value, ty)| broken_invariant(plan, value, ty));
    if let Some(broken) = broken {
        return LiveCall { outcome: LiveOutcome::Failed, message: broken, ..unknown };
    }
    let form = |&(value, ty): &(&dyn Any, TypeIdx)| form_of(plan, value, ty).map(|form| (form, ty));
    let forms: Result<Vec<_>, String> = values.iter().map(form).collect();
    let forms = match forms {
        Ok(forms) => forms,
        Err(message) => return LiveCall { outcome: LiveOutcome::Failed, message, ..unknown },
    };
    let is_changed = || forms.first().map(|(form, _)| Ok(form.clone())) != form_before;
    let is_misuse = replay.returned_error()
        && match plan.misuse.errors {
            ErrorRule::Returned => false,
            ErrorRule::Misuse => true,
            ErrorRule::MisuseUnlessChanged => !is_changed(),
        };
    let outcome = if is_misuse { LiveOutcome::Misuse } else { LiveOutcome::Returned };
    let left = match is_misuse {
        true => Vec::new(),
        false => forms.into_iter().map(|(form, ty)| LeftStructure { ty, form }).collect(),
    };
    LiveCall { outcome, message, left, ..unknown }
}

/// The outcome of a call that did not return as it should.
fn outcome_of(plan: &Plan, error: &ReplayError) -> LiveOutcome {
    let expects = |message: &String| plan.misuse.expects(message);
    let is_misuse = match error {
        ReplayError::Panicked(report) => expects(&report.message),
        ReplayError::Broken(breach) => breach.panic.as_ref().is_some_and(expects),
        ReplayError::Refused => true,
        ReplayError::Impossible => return LiveOutcome::Unknown,
        ReplayError::Returned | ReplayError::Dropped(_) => false,
    };
    if is_misuse { LiveOutcome::Misuse } else { LiveOutcome::Failed }
}

/// The message of the first invariant that a structure breaks.
fn broken_invariant(plan: &Plan, value: &dyn Any, ty: TypeIdx) -> Option<String> {
    let mut invariants = plan.suite.invariants.iter().filter(|one| one.ty == ty);
    let broken = invariants
        .find(|one| !matches!(guarded(|| (one.check)(without_keys(value))), Ok(Ok(()))))?;
    Some(format!("it left a structure that breaks the invariant `{}`", broken.name))
}

/// The form under which the structure is stored; `None` if it is out of scope.
///
/// # Errors
///
/// The message of a panic of the walk.
fn form_of(plan: &Plan, value: &dyn Any, ty: TypeIdx) -> Result<Option<Vec<u8>>, String> {
    let mut encoder = Encoder::new(plan.reported_coding());
    encoder.begin(ty.index() as u64);
    let walk = plan.suite.types[ty.index()].walk;
    guarded(|| walk(value, &mut encoder)).map_err(|_| last_panic().message)?;
    Ok(encoder.finish().ok().map(|form| form.to_canonical().as_bytes().to_vec()))
}
