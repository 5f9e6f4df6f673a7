//! Calls on a structure, made on request.
//!
//! A file of structures has recipes as text. The run is made again as far as the structure, from
//! the scope file beside them, and kept for the next request.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use beget_args::cli::General;
use beget_engine::store::{Store, StructureId};
use beget_engine::{Corpus, Settings};
use beget_oracle::rep_ok::{Checker, Predicate, Subject};
use beget_plan::scope::{Budget, Plan};
use beget_run::{MAX_READS, StoreKind, Watch};
use beget_search::run::{LiveCall, LiveCalls, LiveOutcome, make_calls_of, make_calls_on};
use beget_suite::{TypeIdx, to_source};

use crate::control::{RunControl, begun};
use crate::error::CliError;
use crate::open::read;
use crate::records::{SCOPE_FILE, StructureRecord, WrittenDir};
use crate::verify::plan_of;
use crate::{Catalog, interrupt};

/// The longest that a request waits for the run.
const MOST_SECONDS: f64 = 30.0;

/// A choice of structures by what is known only when calls and repOKs are run on them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LiveFilter {
    /// A part of a repOK's clause or of an invariant's name, or the whole name of a repOK.
    pub(super) clause: String,
    /// The method of a call on the structure; empty for any.
    pub(super) method: String,
    /// Its outcome; empty for any.
    pub(super) outcome: String,
}

/// Makes calls on the structures of a directory.
pub(super) struct LiveRun {
    path: PathBuf,
    catalog: Catalog,
    general: General,
    /// The run as far as it was needed.
    corpus: RefCell<Option<Corpus>>,
}

impl LiveRun {
    pub(super) fn new(path: &Path, catalog: Catalog, general: &General) -> LiveRun {
        let general = General { quiet: true, ..general.clone() };
        LiveRun { path: path.to_owned(), catalog, general, corpus: RefCell::default() }
    }

    /// Makes the calls on a structure.
    ///
    /// # Errors
    /// If the run cannot be made again, or comes to another structure.
    pub(super) fn calls_on(&self, structure: &StructureRecord) -> Result<LiveCalls, CliError> {
        let id = StructureId::new(structure.id);
        let mut kept = self.corpus.borrow_mut();
        let corpus = match kept.take() {
            Some(corpus) if id.number() < corpus.store.len() => corpus,
            _ => self.run_to(id)?,
        };
        let corpus = kept.insert(corpus);
        let id = reached(corpus, structure)?;
        Ok(make_calls_on(&corpus.plan, &corpus.recipe(id)?, corpus.type_of(id)?))
    }

    /// The structures that a filter by calls or clauses leaves of these, in order.
    ///
    /// # Errors
    /// If the run cannot be made again, comes to another structure, or has no such method.
    pub(super) fn select(
        &self,
        structures: Vec<(u32, StructureRecord)>,
        filter: &LiveFilter,
    ) -> Result<Vec<u32>, CliError> {
        let Some(last) = structures.iter().map(|(_, structure)| structure.id).max() else {
            return Ok(Vec::new());
        };
        let input = read(&self.path.join(SCOPE_FILE), self.catalog.clone())?;
        let subject = input.subject().ok();
        let mut kept = self.corpus.borrow_mut();
        let corpus = match kept.take() {
            Some(corpus) if last < corpus.store.len() => corpus,
            _ => self.run_to(StructureId::new(last))?,
        };
        let corpus = kept.insert(corpus);
        filter.require_known(corpus, subject)?;
        let mut chosen = Vec::new();
        for (position, structure) in structures {
            if interrupt::is_interrupted() {
                return Err(CliError::Stopped("the search was interrupted".to_owned()));
            }
            let id = reached(corpus, &structure)?;
            let has_call = !filter.is_about_calls() || filter.has_call(corpus, id)?;
            if has_call && (filter.clause.is_empty() || filter.breaks(corpus, id, subject)?) {
                chosen.push(position);
            }
        }
        Ok(chosen)
    }

    /// The run as far as a structure, and somewhat further: the next request is likely to need it.
    fn run_to(&self, id: StructureId) -> Result<Corpus, CliError> {
        let most = (id.number() + 1).next_power_of_two();
        let plan = self.plan(most)?;
        let (budget, control) =
            (plan.budget, RunControl::new(plan.budget, begun(&plan), &self.general));
        let watch = Watch::new(budget, &control);
        let corpus = beget_run::generate(plan, Settings::default(), StoreKind::Exact, &watch);
        control.finish();
        Ok(corpus)
    }

    fn plan(&self, most: u64) -> Result<Plan, CliError> {
        let dir = WrittenDir::open(&self.path)?;
        if !dir.altered_input().is_empty() {
            let problem =
                "the scope file beside the structures was changed since they were written";
            return Err(CliError::Usage(problem.to_owned()));
        }
        let input = read(&self.path.join(SCOPE_FILE), self.catalog.clone())?;
        let budget = |written: Option<u64>| Budget {
            max_structures: Some(written.map_or(most, |written| written.min(most))),
            max_seconds: Some(MOST_SECONDS),
            ..Budget::default()
        };
        plan_of(&dir, &self.path, &input, budget)
    }
}

impl LiveFilter {
    /// Returns whether it asks for nothing.
    pub(super) fn is_empty(&self) -> bool {
        self == &LiveFilter::default()
    }

    fn is_about_calls(&self) -> bool {
        !self.method.is_empty() || !self.outcome.is_empty()
    }

    fn require_known(&self, corpus: &Corpus, subject: Option<&Subject>) -> Result<(), CliError> {
        let Corpus { plan, .. } = corpus;
        let is_known = |idx| plan.method_name(idx) == self.method;
        if !self.method.is_empty() && !plan.planned_idxs().any(is_known) {
            let message = format!("the run has no method `{}`", self.method);
            return Err(CliError::Usage(message));
        }
        if !self.clause.is_empty() && subject.is_none() && plan.suite.invariants.is_empty() {
            let message = format!("`{}` has neither a repOK nor an invariant", plan.suite.name);
            return Err(CliError::Usage(message));
        }
        Ok(())
    }

    /// Returns whether a call of the method, or of any, on the structure has the outcome.
    fn has_call(&self, corpus: &Corpus, id: StructureId) -> Result<bool, CliError> {
        let (recipe, ty) = (corpus.recipe(id)?, corpus.type_of(id)?);
        let calls = match self.method.as_str() {
            "" => make_calls_on(&corpus.plan, &recipe, ty).calls,
            method => make_calls_of(&corpus.plan, &recipe, ty, method),
        };
        let is_meant = |call: &LiveCall| match self.outcome.as_str() {
            "" => true,
            "out of scope" => call.left.iter().any(|left| left.form.is_none()),
            outcome => call.outcome.to_string() == outcome,
        };
        Ok(calls.iter().any(is_meant))
    }

    /// Returns whether a repOK rejects the structure by the clause, or a call on it leaves one that
    /// breaks the invariant.
    fn breaks(
        &self,
        corpus: &Corpus,
        id: StructureId,
        subject: Option<&Subject>,
    ) -> Result<bool, CliError> {
        let Corpus { plan, store, .. } = corpus;
        let ty = corpus.type_of(id)?;
        if let Some(subject) = subject.filter(|_| ty == TypeIdx::new(0)) {
            let mut checker = Checker::new(&subject.shapes, plan.coding(), MAX_READS);
            let form = store.form(id)?;
            let mut is_broken = |rep_ok: &Predicate| {
                let is_named = rep_ok.name == self.clause;
                match checker.broken(rep_ok.as_fn(), form.as_ref()) {
                    // A repOK that gives no answer admits nothing.
                    Err(_) => is_named,
                    Ok(clauses) => {
                        is_named && !clauses.is_empty()
                            || clauses.iter().any(|clause| clause.contains(&self.clause))
                    }
                }
            };
            if subject.rep_oks.iter().any(&mut is_broken) {
                return Ok(true);
            }
        }
        let mut names = plan.suite.invariants.iter().map(|invariant| invariant.name);
        if !names.any(|name| name.contains(&self.clause)) {
            return Ok(false);
        }
        let made = make_calls_on(plan, &corpus.recipe(id)?, ty);
        let is_of_invariant = |call: &LiveCall| {
            call.outcome == LiveOutcome::Failed && call.message.contains(&self.clause)
        };
        Ok(made.calls.iter().any(is_of_invariant))
    }
}

/// The number of a structure in the run, if the run has it.
fn reached(corpus: &Corpus, structure: &StructureRecord) -> Result<StructureId, CliError> {
    let id = StructureId::new(structure.id);
    if id.number() >= corpus.store.len() {
        let reason = corpus.report.stop_reason;
        return Err(CliError::Stopped(format!("the run made again did not reach it: {reason}")));
    }
    let (source, _) = to_source(&corpus.plan.suite, &corpus.recipe(id)?);
    if !source.lines().eq(structure.recipe.iter()) {
        let problem = "the run made again has another structure of this number";
        return Err(CliError::Usage(problem.to_owned()));
    }
    Ok(id)
}
