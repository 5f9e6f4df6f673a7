//! Two suites in lockstep.

use std::fmt;
use std::sync::Arc;

use beget_engine::Corpus;
use beget_engine::store::{Store, StoreError};
use beget_heap::Bounds;
use beget_plan::finding::Finding;
use beget_plan::scope::Plan;
use beget_run::{DiffRun, FilmMaker, FilmStep};
use beget_suite::{Suite, UnpairedMethod, unpaired_notes};
use serde::{Deserialize, Serialize};

use crate::records::text::counted;
use crate::records::{FindingRecord, StepRecord, Summary, TextSummary};

/// The result of a search for differences, the JSON of `--summary json`: the fields of the run's
/// summary, whose structures are pairs, and these.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DiffSummary {
    /// The run.
    #[serde(flatten)]
    pub summary: Summary,
    /// The suite that was compared with.
    pub against: String,
    /// The methods that were not compared.
    pub unpaired: Vec<UnpairedRecord>,
}

/// A method that was not compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnpairedRecord {
    /// Its suite.
    pub suite: String,
    /// Its name.
    pub method: String,
    /// The difference to the other suite's method of that name; null if there is none.
    pub difference: Option<String>,
}

impl DiffSummary {
    /// Makes the summary of a search for differences, without measures.
    ///
    /// # Errors
    /// If the store cannot read the structure of a finding.
    pub fn of<S: Store>(run: &DiffRun<S>) -> Result<DiffSummary, StoreError> {
        let record = |unpaired: &UnpairedMethod| {
            let UnpairedMethod { suite, method, difference } = unpaired.clone();
            UnpairedRecord { suite, method: method.to_owned(), difference }
        };
        let mut summary = Summary::of(&run.corpus)?;
        let Corpus { plan, report, .. } = &run.corpus;
        add_films_of_sides(plan, &report.findings, &mut summary.findings);
        Ok(DiffSummary {
            summary,
            against: run.against.clone(),
            unpaired: run.unpaired.iter().map(record).collect(),
        })
    }
}

/// Replaces the steps of findings, which are those of pairs, by those of both sides.
fn add_films_of_sides(plan: &Plan, findings: &[Finding], records: &mut [FindingRecord]) {
    let Some(sides) = plan.suite.sides() else { return };
    let plans = sides.map(|side| plan_of_side(plan, side));
    let [mut left, mut right] = [0, 1].map(|side| FilmMaker::new(&plans[side]));
    for (finding, record) in findings.iter().zip(records) {
        let Some(calls) = finding.witness.calls(&plan.suite) else { continue };
        let films = [left.film_calls(&calls), right.film_calls(&calls)];
        let gap = films.iter().find_map(|film| film.gap);
        record.steps_note = gap.map(|gap| gap.to_string());
        let [left, right] = films.map(|film| film.steps);
        let step = |(left, right): (&FilmStep, &FilmStep)| StepRecord {
            other: Some(Box::new(StepRecord::of(right))),
            ..StepRecord::of(left)
        };
        record.steps = left.iter().zip(&right).map(step).collect();
    }
}

/// The plan of pairs for one side alone.
fn plan_of_side(plan: &Plan, suite: Suite) -> Plan {
    plan.clone().with(|draft| {
        // The bounds of the scope are those of the left side.
        let omitted = std::mem::take(&mut draft.bounds.omitted);
        draft.bounds = Bounds { omitted, ..Bounds::unlimited() };
        draft.suite = Arc::new(suite);
    })
}

/// Displays a search for differences as text: the differences, the compared methods, the run.
#[derive(Clone, Copy, Debug)]
pub struct DiffText<'s> {
    /// The search.
    pub diff: &'s DiffSummary,
    /// Its run.
    pub run: TextSummary<'s>,
}

impl fmt::Display for DiffText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DiffSummary { summary, against, unpaired } = self.diff;
        let n_methods = summary.header.methods.len() as u64;
        let compared = counted(n_methods, "method");
        let mut details = format!("against     {against}, {compared} compared\n");
        let unpaired = unpaired
            .iter()
            .map(|one| (one.suite.as_str(), one.method.as_str(), one.difference.as_deref()));
        for note in unpaired_notes(unpaired) {
            details.push_str(&format!("            {note}\n"));
        }
        let verdict = match summary.findings.len() {
            0 if summary.header.complete => "equal within these bounds".to_owned(),
            0 => "no difference so far".to_owned(),
            n => format!("different: {}", counted(n as u64, "difference")),
        };
        write!(f, "{}", TextSummary { details: &details, verdict: Some(&verdict), ..self.run })
    }
}
