//! Calls on a structure, made on request.
//!
//! A file of structures has recipes as text. The run is made again as far as the structure, from
//! the scope file beside them, and kept for the next request.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use beget_engine::store::StructureId;
use beget_engine::{Corpus, Settings};
use beget_plan::scope::{Budget, Plan};
use beget_run::{StoreKind, Watch};
use beget_search::run::{LiveCalls, make_calls_on};
use beget_suite::to_source;

use crate::Catalog;
use crate::args::General;
use crate::control::{RunControl, begun};
use crate::error::CliError;
use crate::open::read;
use crate::records::{SCOPE_FILE, StructureRecord, WrittenDir};
use crate::verify::plan_of;

/// The longest that a request waits for the run.
const MOST_SECONDS: f64 = 30.0;

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
        let id = StructureId(structure.id);
        let mut kept = self.corpus.borrow_mut();
        let corpus = match kept.take() {
            Some(corpus) if id.0 < corpus.store.len() => corpus,
            _ => self.run_to(id)?,
        };
        let corpus = kept.insert(corpus);
        if id.0 >= corpus.store.len() {
            let reason = corpus.report.stop_reason;
            return Err(CliError::Stopped(format!(
                "the run made again did not reach it: {reason}"
            )));
        }
        calls_of(corpus, id, structure)
    }

    /// The run as far as a structure, and somewhat further: the next request is likely to need it.
    fn run_to(&self, id: StructureId) -> Result<Corpus, CliError> {
        let most = (u64::from(id.0) + 1).next_power_of_two();
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

/// The calls on a structure of the run, if it is the one of the file.
fn calls_of(
    corpus: &Corpus,
    id: StructureId,
    structure: &StructureRecord,
) -> Result<LiveCalls, CliError> {
    let recipe = corpus.recipe(id)?;
    let (source, _) = to_source(&corpus.plan.suite, &recipe);
    if !source.lines().eq(structure.recipe.iter()) {
        let problem = "the run made again has another structure of this number";
        return Err(CliError::Usage(problem.to_owned()));
    }
    Ok(make_calls_on(&corpus.plan, &recipe, corpus.type_of(id)?))
}
