//! The structures that calls build, compared with those that a repOK admits; slack is raised while
//! some are missing.

mod api;
mod nearest;

use std::cell::RefCell;
use std::ops::RangeInclusive;

use crate::repok::{Comparison, FormSet, Group, Names, compare};
use beget_engine::store::{StoreError, StructureId};
use beget_engine::{Corpus, Settings};
use beget_heap::{FormCoding, FormRef, HeapGraph};
use beget_oracle::rep_ok::{Checker, Predicate, Subject};
use beget_plan::finding::{StopReason, Witness};
use beget_plan::scope::{Overrides, Plan, Resolution};

use crate::run::repok::with_search;
use crate::run::space::{CORRECTED, RepOkSpace};
use api::ApiForms;
use beget_run::{Event, Input, InputError, MAX_READS, RunError, StoreKind, Watch, generate};
use nearest::NearestSearch;

/// The number of times that slack is raised, unless the caller sets it.
const MOST_RAISES: u32 = 4;

/// The number of slacks in a row without progress after which no more are tried.
const MOST_IDLE: usize = 2;

/// Witnesses of each side.
const MOST_WITNESSES: usize = 100;

/// A comparison to be made.
#[derive(Debug)]
pub struct ComparePlan<'i> {
    /// The scope with the first slack.
    pub resolved: Resolution,
    input: &'i Input<'i>,
    overrides: Overrides,
    from: RepOkSpace<'i>,
    /// The repOK that names the structures that only the compared one admits.
    other: Option<&'i Predicate>,
    /// True if witnesses have the nearest structure of the other side.
    has_nearest: bool,
    /// The slacks of the run so far.
    steps: RefCell<Steps>,
}

/// A comparison.
#[derive(Debug)]
pub struct CompareRun {
    /// The repOK's name.
    pub rep_ok: &'static str,
    /// The repOK whose clauses name the structures that only the compared one admits.
    pub named_after: Option<&'static str>,
    /// The result of each slack tried.
    pub slack_steps: Vec<SlackStep>,
    /// The step with the least slack among those that built most.
    pub best: CompareStep,
    /// The reason why no more slack was tried.
    pub stop_reason: StopReason,
}

/// One slack of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlackStep {
    /// The slack.
    pub slack: u32,
    /// Structures within the scope proper that calls build.
    pub api: u64,
    /// Structures that the repOK admits and no calls build.
    pub only_rep_ok: u64,
}

/// The comparison with one slack.
#[derive(Debug)]
pub struct CompareStep {
    /// The slack.
    pub slack: u32,
    /// The plan of the calls.
    pub plan: Plan,
    /// Calls that broke a promise.
    pub failures: u64,
    /// True if both sides were explored completely.
    pub is_complete: bool,
    /// The two sets.
    pub comparison: Comparison,
    /// Structures that only calls build, the first or smallest of each kind.
    pub only_api: Vec<SideWitness>,
    /// Structures that only the repOK admits, the first or smallest of each kind.
    pub only_rep_ok: Vec<SideWitness>,
    /// An error if the calls built nothing.
    built: Result<(), InputError>,
    stop_reason: StopReason,
}

/// A structure that represents others of one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideWitness {
    /// The clause that they break; `None` if they share their shape.
    pub clause: Option<String>,
    /// The clause that rejects this one, if it is another.
    pub rejected_by: Option<String>,
    /// The number of structures.
    pub count: u64,
    /// Its heap, and its recipe if calls build it. Its number is that of its kind.
    pub witness: Witness,
    /// The nearest structure of the other side, if that was asked for, with its recipe if calls
    /// build it.
    pub nearest: Option<Witness>,
    /// The number of changes that lead from that to this one.
    pub distance: usize,
}

/// The repOK whose clauses name the structures that only `compared` admits: the corrected one, or
/// else the first other. Structures that only the corrected one admits are named by shape, because
/// a clause of a flawed one may itself be the flaw.
fn naming<'s>(subject: &'s Subject, compared: &Predicate) -> Option<&'s Predicate> {
    let corrected = subject.rep_ok(CORRECTED);
    let other =
        corrected.or_else(|| subject.rep_oks.iter().find(|rep_ok| rep_ok.name != compared.name));
    other.filter(|other| other.name != compared.name)
}

impl<'i> ComparePlan<'i> {
    /// The scope compared with the repOK of that name, or else `corrected`, or else the first.
    ///
    /// # Errors
    /// If the input is wrong.
    pub fn new(
        input: &'i Input<'i>,
        overrides: Overrides,
        rep_ok: Option<&str>,
    ) -> Result<Self, InputError> {
        let resolved = input.resolve(&overrides)?;
        let from = RepOkSpace::new(input, rep_ok, &resolved)?;
        let other = naming(from.subject, from.rep_ok);
        let (has_nearest, steps) = (false, RefCell::default());
        Ok(ComparePlan { resolved, input, overrides, from, other, has_nearest, steps })
    }

    /// The same, with the nearest structure of the other side beside each witness, if
    /// `has_nearest`.
    #[must_use]
    pub fn with_nearest(self, has_nearest: bool) -> Self {
        ComparePlan { has_nearest, ..self }
    }

    /// Compares with the slack of the scope file, then with increasing slack while structures of
    /// the repOK are missing; or once, with the slack in the overrides. Each slack has its own
    /// store.
    ///
    /// # Errors
    ///
    /// If the scope is wrong with more slack, a bound cut everything with each slack, or a store
    /// failed.
    pub fn run(
        &self,
        settings: Settings,
        store: StoreKind<'_>,
        watch: &Watch<'_>,
    ) -> Result<CompareRun, RunError> {
        self.steps.take();
        let setup = SearchSetup { settings, store, watch };
        let stop_reason = self.raise_slack(setup)?;
        let built = self.steps.borrow_mut().built.take();
        built.expect("a slack was tried")?;
        Ok(self.so_far(stop_reason).expect("a slack was tried"))
    }

    /// The slacks that a run has completed, for one that must end before it returns; `None` before
    /// the first one. It leaves nothing for a second call.
    pub fn so_far(&self, stop_reason: StopReason) -> Option<CompareRun> {
        let steps = self.steps.take();
        Some(CompareRun {
            rep_ok: self.from.rep_ok.name,
            named_after: self.other.map(|other| other.name),
            slack_steps: steps.tried,
            best: steps.best?,
            stop_reason,
        })
    }

    /// The slacks to try, in order.
    pub fn slacks(&self) -> RangeInclusive<u32> {
        match self.overrides.slack {
            Some(only) => only..=only,
            None => {
                self.input.file.scope.slack
                    ..=self.input.file.scope.slack.saturating_add(MOST_RAISES)
            }
        }
    }

    /// The scope with a slack.
    ///
    /// # Errors
    /// If the scope is wrong with it.
    pub fn resolve(&self, slack: u32) -> Result<Resolution, InputError> {
        let wanted = Overrides { slack: Some(slack), ..self.overrides.clone() };
        self.input.resolve(&wanted)
    }

    fn raise_slack(&self, setup: SearchSetup<'_, '_>) -> Result<StopReason, RunError> {
        let gap = || self.steps.borrow().best.as_ref().map(CompareStep::gap);
        let mut n_idle = 0;
        for slack in self.slacks() {
            let gap_before = gap();
            let step = self.step(slack, setup)?;
            let stop_reason = self.steps.borrow_mut().take(step);
            let gap = gap().unwrap_or(0);
            n_idle = if gap_before == Some(gap) { n_idle + 1 } else { 0 };
            let is_closed = gap == 0 || self.steps.borrow().is_undecided();
            if !stop_reason.is_exhausted() || is_closed || n_idle == MOST_IDLE {
                return Ok(stop_reason);
            }
            if slack < *self.slacks().end() {
                setup.watch.report(Event::MoreSlack { slack, gap });
            }
        }
        Ok(StopReason::Exhausted)
    }

    /// Compares with `slack`.
    fn step(&self, slack: u32, setup: SearchSetup<'_, '_>) -> Result<CompareStep, RunError> {
        let SearchSetup { settings, store, watch } = setup;
        let corpus = generate(self.resolve(slack)?.plan, settings, store, watch);
        // What an interrupt has cut short is compared as far as it came.
        let failure = corpus.report.store_failure.clone();
        if let Some(error) = failure.filter(|error| *error != StoreError::CutShort) {
            return Err(error.into());
        }
        let api = ApiForms::new(&corpus)?;
        let plan = &corpus.plan;
        let names = self.other.map_or(Names::Shapes, |other| Names::Clauses(other.as_fn()));
        let threads = (settings.threads > 0).then_some(settings.threads);
        let layout = plan.layout_of_any_ints();
        let coding = FormCoding { layout: &layout, ..plan.coding() };
        let comparison = with_search(&self.from, plan, threads, watch, None, |from| {
            compare(from, coding, &api, names)
        });
        let stop_reason = match corpus.report.stop_reason {
            StopReason::Exhausted => comparison.search.stop_reason,
            stopped => stopped,
        };
        let witnesses = SideReader { corpus: &corpus, api: &api, subject: self.from.subject };
        if let Some(error) = api.failed.get() {
            return Err(error.clone().into());
        }
        let mut only_api = witnesses.all(&comparison.only_api_groups)?;
        let mut only_rep_ok = witnesses.all(&comparison.only_rep_ok_groups)?;
        if self.has_nearest {
            let rep_ok = self.from.rep_ok.as_fn();
            NearestSearch { corpus: &corpus, api: &api, side: &witnesses, rep_ok }
                .fill(&mut only_api, &mut only_rep_ok)?;
        }
        let failures = corpus.report.ledger.counters.failures;
        let is_complete = corpus.report.is_complete() && comparison.search.is_complete();
        let built = self.input.require_built(&corpus);
        let plan = corpus.plan;
        Ok(CompareStep {
            slack,
            plan,
            failures,
            is_complete,
            comparison,
            only_api,
            only_rep_ok,
            built,
            stop_reason,
        })
    }
}

impl CompareStep {
    /// The number of structures that only the repOK admits, without heaps that no value can have.
    pub fn gap(&self) -> u64 {
        self.comparison.only_rep_ok - self.comparison.search.unrepresentable
    }
}

/// The way in which the calls of a comparison are made.
#[derive(Clone, Copy)]
struct SearchSetup<'m, 'h> {
    settings: Settings,
    store: StoreKind<'m>,
    watch: &'m Watch<'h>,
}

/// The slacks so far.
#[derive(Debug, Default)]
struct Steps {
    tried: Vec<SlackStep>,
    best: Option<CompareStep>,
    /// `Ok` if calls built something with any slack; else the error of the first one.
    built: Option<Result<(), InputError>>,
}

impl Steps {
    /// Keeps the result unless a smaller slack gave as much. Returns the reason for its end.
    fn take(&mut self, mut step: CompareStep) -> StopReason {
        let stop_reason = step.stop_reason;
        let built = std::mem::replace(&mut step.built, Ok(()));
        if self.built.is_none() || built.is_ok() {
            self.built = Some(built);
        }
        // A run that was cut counts less than a complete one with less slack.
        if stop_reason.is_exhausted() || self.best.is_none() {
            let Comparison { api, only_rep_ok, .. } = step.comparison;
            self.tried.push(SlackStep { slack: step.slack, api, only_rep_ok });
            if self.best.as_ref().is_none_or(|best| step.gap() < best.gap()) {
                self.best = Some(step);
            }
        }
        stop_reason
    }

    /// Returns whether no slack will help, because the repOK does not always answer.
    fn is_undecided(&self) -> bool {
        self.best.as_ref().is_some_and(|best| !best.comparison.search.findings.is_empty())
    }
}

/// Reads the witnesses of groups.
struct SideReader<'s> {
    corpus: &'s Corpus,
    api: &'s ApiForms<'s>,
    subject: &'s Subject,
}

impl SideReader<'_> {
    /// The witnesses of the first groups.
    fn all(&self, groups: &[Group]) -> Result<Vec<SideWitness>, StoreError> {
        let groups = groups.iter().take(MOST_WITNESSES).zip(0..);
        groups.filter_map(|(group, number)| self.one(group, number).transpose()).collect()
    }

    fn one(&self, group: &Group, number: u64) -> Result<Option<SideWitness>, StoreError> {
        let Some(heap) = self.heap(group.witness.as_ref()) else { return Ok(None) };
        let number_in_api = self.api.find(group.witness.as_ref());
        let recipe =
            number_in_api.map(|number| self.corpus.recipe(StructureId::new(number as u64)));
        let recipe = recipe.transpose()?;
        Ok(Some(SideWitness {
            clause: group.is_clause.then(|| group.label.clone()),
            rejected_by: group.rejected_by.clone(),
            count: group.count,
            witness: Witness { number: Some(number), recipe, ..Witness::of_heap(heap) },
            nearest: None,
            distance: 0,
        }))
    }

    fn heap(&self, form: FormRef<'_>) -> Option<HeapGraph> {
        let plan = &self.corpus.plan;
        let mut checker = Checker::new(&self.subject.shapes, plan.coding(), MAX_READS);
        checker.graph(form, plan.schema(), plan.layout()).ok()
    }
}
