//! Two suites in lockstep.

use std::fmt;

use beget_engine::store::StoreError;
use beget_run::DiffRun;
use beget_suite::{Unpaired, unpaired_notes};
use serde::{Deserialize, Serialize};

use crate::records::text::counted;
use crate::records::{Summary, TextSummary};

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
    pub fn of(run: &DiffRun) -> Result<DiffSummary, StoreError> {
        let record = |unpaired: &Unpaired| {
            let Unpaired { suite, method, difference } = unpaired.clone();
            UnpairedRecord { suite, method: method.to_owned(), difference }
        };
        Ok(DiffSummary {
            summary: Summary::of(&run.corpus)?,
            against: run.against.clone(),
            unpaired: run.unpaired.iter().map(record).collect(),
        })
    }
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
