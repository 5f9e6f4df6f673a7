//! Films of findings: the repeated calls of a witness, with the state after each one.
//!
//! A film is made after a run, once for each reported finding. Its calls are made on a separate
//! thread that is left if a call would end the process or does not return; the film then ends
//! there. The last call of such a finding, or of one about misused memory, is not made at all.
//!
//! The module does not know how films are shown.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use beget_heap::{Bounds, Encoder, FormCoding, HeapChange, HeapGraph, Layout};
use beget_plan::finding::{ELEMENTS_SURVIVE_LIES, Finding, Kind, Problem};
use beget_plan::scope::Plan;
use beget_process::guard::{PanicReport, guarded};
use beget_suite::{ReturnValue, Sequence, Statement, TypeIdx, Variable};

use crate::failure_test::{bind_all, broken_invariant};
use crate::leavable::{ThreadLoss, on_leavable_thread};
use crate::replay::{Replay, ReplayError, observed};

/// The steps of a finding's calls.
#[derive(Clone, Debug, Default)]
pub struct Film {
    /// The calls in order; empty if no calls show the finding.
    pub steps: Vec<FilmStep>,
    /// The reason why steps lack their state, if some do.
    pub gap: Option<FilmGap>,
}

/// One call, and its results.
#[derive(Clone, Debug, Default)]
pub struct FilmStep {
    /// The call as Rust source, with the statements that bind and drop its results.
    pub source: String,
    /// The `Debug` text of its result, the structure that it returned, or how it ended; `None` if
    /// unknown.
    pub returned: Option<String>,
    /// The variable of the call's structure.
    pub variable: Option<String>,
    /// Its heap after the call.
    pub heap: Option<HeapGraph>,
    /// The changes by the call to all structures that it was made on, with their variables. A new
    /// structure is a single change.
    pub changes: Vec<(String, HeapChange)>,
}

/// The reason why a film is incomplete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FilmGap {
    /// The last call was not repeated.
    LastCallNotMade,
    /// When repeated, a call has ended its thread, or has not returned.
    Stopped,
    /// When repeated, the calls had another result.
    Differs,
    /// Calls of other findings did not return, so these were not made.
    NotMade,
}

impl std::fmt::Display for FilmGap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            FilmGap::LastCallNotMade => {
                "the last call is not made again: it may end its process, not return, or misuse memory"
            }
            FilmGap::Stopped => {
                "made again, a call ended its thread or did not return: nothing is known from there on"
            }
            FilmGap::Differs => "made again, the calls came to something else than in the run",
            FilmGap::NotMade => "the calls are not made again: those of other findings did not return",
        })
    }
}

/// Films of the findings of one run.
#[derive(Debug)]
pub struct FilmMaker<'p> {
    plan: &'p Plan,
    /// The number of threads left.
    n_stopped: u32,
}

/// The most threads left before no more films are made.
const MOST_STOPPED: u32 = 3;

/// The calls, from the last one back, of which heaps are kept.
const MOST_HEAPS: usize = 50;

/// The most objects in the heaps of a film, counted from the last call back; the last call always
/// keeps its heap.
const MOST_KEPT: usize = 5_000;

/// The most objects of a class, and elements of a list, that are walked of a heap beyond the scope.
const MOST_OBJECTS: u32 = 2_000;

impl Film {
    /// The structure after the last call, one line per object.
    pub fn after(&self) -> Vec<String> {
        let last = self.steps.last().and_then(|step| step.heap.as_ref());
        last.map(HeapGraph::lines).unwrap_or_default()
    }

    /// The changes by the last call, one line per change.
    pub fn changed(&self) -> Vec<String> {
        let changes = self.steps.last().map_or(&[][..], |step| &step.changes);
        let is_one = changes.windows(2).all(|pair| pair[0].0 == pair[1].0);
        let line = |(variable, change): &(String, HeapChange)| match is_one {
            true => change.to_string(),
            false => format!("{change} (in `{variable}`)"),
        };
        changes.iter().map(line).collect()
    }
}

impl<'p> FilmMaker<'p> {
    /// Films of findings of a run of `plan`.
    pub fn new(plan: &'p Plan) -> Self {
        FilmMaker { plan, n_stopped: 0 }
    }

    /// Repeats the calls of a finding.
    pub fn film(&mut self, finding: &Finding) -> Film {
        let (plan, suite) = (self.plan, &self.plan.suite);
        let Some(calls) = finding.witness.calls(suite) else { return Film::default() };
        self.film_by(&calls, || Camera::of_finding(plan, finding, &calls))
    }

    /// Makes the calls of a sequence.
    pub fn film_calls(&mut self, calls: &Sequence) -> Film {
        let plan = self.plan;
        self.film_by(calls, || {
            let mut bound = calls.clone();
            bind_all(plan, &mut bound);
            Camera::new(plan, calls, bound)
        })
    }

    fn film_by<'c>(
        &mut self,
        calls: &Sequence,
        camera: impl FnOnce() -> Camera<'c> + Send,
    ) -> Film {
        let step = |source| FilmStep { source, ..FilmStep::default() };
        let sources = calls.to_sources(&self.plan.suite);
        let mut film = Film { steps: sources.into_iter().map(step).collect(), gap: None };
        if self.n_stopped >= MOST_STOPPED {
            film.gap = Some(FilmGap::NotMade);
            return film;
        }
        let (shown, gap) = self.shoot(camera);
        for (step, shown) in film.steps.iter_mut().zip(shown) {
            *step = FilmStep { source: std::mem::take(&mut step.source), ..shown };
        }
        film.gap = gap;
        cut_heaps(&mut film.steps);
        film
    }

    /// Makes the calls on a thread of their own: what each left, and why there is no more.
    fn shoot<'c>(
        &mut self,
        camera: impl FnOnce() -> Camera<'c> + Send,
    ) -> (Vec<FilmStep>, Option<FilmGap>) {
        let shown = Mutex::new(Vec::new());
        let shoot = || {
            camera().shoot(&mut |step| {
                shown.lock().unwrap_or_else(PoisonError::into_inner).push(step);
            })
        };
        let gap = match on_leavable_thread(shoot) {
            Ok(gap) => gap,
            Err(ThreadLoss::Stopped) => {
                self.n_stopped += 1;
                Some(FilmGap::Stopped)
            }
            Err(ThreadLoss::Failed) => Some(FilmGap::Differs),
        };
        (shown.into_inner().unwrap_or_else(PoisonError::into_inner), gap)
    }
}

/// Drops the heaps of early steps where they are too much in all.
fn cut_heaps(steps: &mut [FilmStep]) {
    let mut n_objects = 0;
    for (back, step) in steps.iter_mut().rev().enumerate() {
        n_objects += step.heap.as_ref().map_or(0, |heap| heap.objects().len());
        if n_objects > MOST_KEPT && back > 0 {
            step.heap = None;
        }
    }
}

/// The calls of a film in progress.
struct Camera<'p> {
    plan: &'p Plan,
    /// The calls, with variables for all results of the last one.
    calls: Sequence,
    names: BTreeMap<Variable, String>,
    /// The types of all variables.
    types: BTreeMap<Variable, TypeIdx>,
    /// The structure of the last call, if known.
    meant: Option<Variable>,
    makes_last: bool,
    /// The last seen heaps of structures.
    heaps: BTreeMap<Variable, HeapGraph>,
    /// For heaps beyond the scope.
    layout: Layout,
}

impl<'p> Camera<'p> {
    /// The calls of a finding.
    fn of_finding(plan: &'p Plan, finding: &Finding, calls: &Sequence) -> Self {
        let (bound, meant) = match finding.witness.is_call || calls.result.is_none() {
            true => with_all_bound(plan, &finding.problem, calls),
            false => (calls.clone(), calls.result),
        };
        let makes_last = makes_last(&finding.problem);
        Camera { meant, makes_last, ..Camera::new(plan, calls, bound) }
    }

    /// The calls of a sequence, and the same with variables for all that the last one leaves.
    fn new(plan: &'p Plan, calls: &Sequence, bound: Sequence) -> Self {
        let bounds =
            Bounds { other_objects: MOST_OBJECTS, arrays: MOST_OBJECTS, ..Bounds::unlimited() };
        Camera {
            plan,
            names: calls.variable_names(&plan.suite),
            types: types_of(plan, &bound),
            meant: None,
            makes_last: true,
            heaps: BTreeMap::new(),
            layout: Layout::new(plan.schema(), &bounds),
            calls: bound,
        }
    }

    /// Makes the calls, and passes each step to `show`.
    fn shoot(mut self, show: &mut dyn FnMut(FilmStep)) -> Option<FilmGap> {
        let calls = std::mem::take(&mut self.calls);
        let mut replay = Replay::new(self.plan, &calls);
        let last = calls.statements.len().saturating_sub(1);
        for (index, statement) in calls.statements.iter().enumerate() {
            if index == last && !self.makes_last {
                return Some(FilmGap::LastCallNotMade);
            }
            let ended = replay.step(statement, observed);
            let has_heaps = last - index < MOST_HEAPS;
            let mut step = match has_heaps {
                true => self.look(&replay, statement, index == last),
                false => FilmStep::default(),
            };
            let (returned, goes_on) = match ended {
                Ok(value) => (self.returned(&replay, statement, value), true),
                Err(ReplayError::Impossible) => return Some(FilmGap::Differs),
                Err(error) => (error.to_string(), false),
            };
            step.returned = Some(returned);
            show(step);
            if !goes_on && index < last {
                return Some(FilmGap::Differs);
            }
        }
        None
    }

    /// The state after a call.
    fn look(&mut self, replay: &Replay<'_>, statement: &Statement, is_last: bool) -> FilmStep {
        let touched = touched(statement);
        let mut changes = Vec::new();
        for &variable in &touched {
            let before = self.heaps.remove(&variable);
            let Some(after) = self.heap(replay, variable) else { continue };
            if let Some(before) = before {
                let name = self.name(variable);
                changes
                    .extend(before.changes_to(&after).into_iter().map(|one| (name.clone(), one)));
            }
            self.heaps.insert(variable, after);
        }
        let meant = self.meant.filter(|_| is_last);
        let variable = meant.or_else(|| self.about(statement, &touched, is_last));
        let heap = variable.and_then(|variable| self.heaps.get(&variable)).cloned();
        let variable = variable.filter(|_| heap.is_some()).map(|variable| self.name(variable));
        FilmStep { variable, heap, changes, ..FilmStep::default() }
    }

    /// The structure of a call: a result that is kept, or else the first argument; for the last
    /// call the reverse.
    fn about(
        &self,
        statement: &Statement,
        touched: &[Variable],
        is_last: bool,
    ) -> Option<Variable> {
        let n_arguments = touched.len() - statement.bindings.len();
        let (arguments, bound) = touched.split_at(n_arguments);
        let (first, second) = if is_last { (arguments, bound) } else { (bound, arguments) };
        let mut all = first.iter().chain(second);
        all.find(|variable| self.heaps.contains_key(variable)).copied()
    }

    fn name(&self, variable: Variable) -> String {
        self.names.get(&variable).cloned().unwrap_or_else(|| "_".to_owned())
    }

    /// The result of a call, as text.
    fn returned(
        &self,
        replay: &Replay<'_>,
        statement: &Statement,
        value: Option<ReturnValue>,
    ) -> String {
        if let Some(PanicReport { message, .. }) = replay.caught().filter(|_| statement.panics) {
            return format!("panicked: {message}");
        }
        if let Some(value) = value {
            return value.to_string();
        }
        if self.plan.suite.method(statement.method).returns.is_none() {
            return "()".to_owned();
        }
        let [binding] = &statement.bindings[..] else { return "_".to_owned() };
        match self.heaps.get(&binding.variable) {
            Some(heap) => heap.lines().join("; "),
            None if replay.value(binding.variable).is_none() => "None".to_owned(),
            None => "_".to_owned(),
        }
    }

    /// The heap of a variable, if it holds a structure that can be walked.
    fn heap(&self, replay: &Replay<'_>, variable: Variable) -> Option<HeapGraph> {
        let (value, &ty) = (replay.value(variable)?, self.types.get(&variable)?);
        let plan = self.plan;
        let ends = self.is_within(value, ty, plan.coding())
            || self.is_within(value, ty, FormCoding { layout: &self.layout, ..plan.coding() });
        let graph = plan.suite.types[ty.index()].graph;
        // Walks are the subject's code.
        ends.then(|| guarded(|| graph(value, plan.schema(), plan.layout())).ok()).flatten()
    }

    /// Returns whether a walk of the value ends within the bounds.
    fn is_within(&self, value: &dyn Any, ty: TypeIdx, coding: FormCoding<'_>) -> bool {
        let mut encoder = Encoder::new(coding);
        encoder.begin(ty.index() as u64);
        let walk = self.plan.suite.types[ty.index()].walk;
        guarded(|| walk(value, &mut encoder)).is_ok() && encoder.finish().is_ok()
    }
}

/// The calls with variables for all results of the last one, and the variable of the problem's
/// structure, if known.
fn with_all_bound(
    plan: &Plan,
    problem: &Problem,
    calls: &Sequence,
) -> (Sequence, Option<Variable>) {
    if let (true, Some(name)) = (problem.kind == Kind::Invariant, &problem.name)
        && let Ok((calls, _)) = broken_invariant(plan, calls, name)
    {
        let meant = calls.result;
        return (calls, meant);
    }
    let mut calls = calls.clone();
    bind_all(plan, &mut calls);
    (calls, None)
}

/// Returns whether the last call can be repeated in this process.
fn makes_last(problem: &Problem) -> bool {
    !problem.kind.is_fatal() && problem.name.as_deref() != Some(ELEMENTS_SURVIVE_LIES)
}

/// The structures that a call was made on, each once, and its results.
fn touched(statement: &Statement) -> Vec<Variable> {
    let mut touched: Vec<Variable> = Vec::new();
    for (_, variable) in statement.variables() {
        if !touched.contains(&variable) {
            touched.push(variable);
        }
    }
    touched.extend(statement.bindings.iter().map(|binding| binding.variable));
    touched
}

fn types_of(plan: &Plan, calls: &Sequence) -> BTreeMap<Variable, TypeIdx> {
    let of_statement = |statement: &Statement| {
        let outputs = &plan.suite.method(statement.method).outputs;
        let typed = |binding: &beget_suite::Binding| (binding.variable, outputs[binding.output].ty);
        statement.bindings.iter().map(typed).collect::<Vec<_>>()
    };
    calls.statements.iter().flat_map(of_statement).collect()
}

impl std::fmt::Display for ReplayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReplayError::Panicked(report) => write!(f, "panicked: {}", report.message),
            ReplayError::Dropped(report) => {
                write!(f, "returned, and a destructor panicked: {}", report.message)
            }
            ReplayError::Broken(breach) => f.write_str(&breach.message),
            ReplayError::Returned => f.write_str("returned, where a panic is expected"),
            ReplayError::Refused => f.write_str("refused: a rule of use forbids it"),
            ReplayError::Impossible => f.write_str("not made: what it takes is not there"),
        }
    }
}

#[cfg(test)]
mod tests;
