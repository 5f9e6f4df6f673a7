//! The structures that an API builds, compared with those that a repOK admits.

use std::fmt;

use beget_plan::finding::StopReason;
use beget_search::run::{CompareRun, CompareStep, SideWitness, SlackStep};
use serde::{Deserialize, Serialize};

use crate::records::picture::{self, Picture};
use crate::records::repok::write_misbehaviour;
use crate::records::text::{RunEnd, grouped, write_stop_reason, write_version};
use crate::records::{
    EmitError, FindingRecord, Header, OutputDir, ResourceUse, Verbosity, WitnessRecord,
};

/// The result of a comparison, the JSON of `--summary json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompareSummary {
    /// The run and its end; complete if everything was explored on both sides, with every requested
    /// slack.
    #[serde(flatten)]
    pub header: Header,
    /// The repOK's name.
    pub repok_name: String,
    /// The repOK whose clauses name the structures that only the compared one admits.
    pub named_after: Option<String>,
    /// Structures that calls build.
    pub api: u64,
    /// Structures that the repOK admits.
    pub repok: u64,
    /// Structures that calls build and the repOK rejects.
    pub only_api: u64,
    /// Structures that the repOK admits and no calls build.
    pub only_repok: u64,
    /// `equal`, `under`, `over` or `different`; null if a side was not explored completely, or the
    /// repOK did not answer for each heap.
    pub verdict: Option<String>,
    /// The slack of the run of calls below: the least of those that built most.
    pub slack: u32,
    /// The result with each slack tried.
    pub slack_steps: Vec<SlackRecord>,
    /// Calls that broke a promise.
    pub failures: u64,
    /// The misbehaviour of the repOK.
    pub findings: Vec<FindingRecord>,
    /// Structures of one side only, the first or smallest of each kind, at most 100 kinds of each
    /// side.
    pub witnesses: SidesRecord,
    /// The values that differ from run to run.
    #[serde(flatten)]
    pub spent: Option<ResourceUse>,
}

/// One slack of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlackRecord {
    /// The slack.
    pub slack: u32,
    /// Structures within the scope proper that calls build.
    pub api: u64,
    /// Structures that the repOK admits and no calls build.
    pub only_repok: u64,
}

impl SlackRecord {
    fn of(step: &SlackStep) -> Self {
        SlackRecord { slack: step.slack, api: step.api, only_repok: step.only_rep_ok }
    }
}

/// Witnesses of both sides.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SidesRecord {
    /// The structures that only calls build, by the clause that rejects them, with shortest
    /// recipes.
    pub only_api: Vec<WitnessRecord>,
    /// The structures that only the repOK accepts, by the clause of another repOK that rejects
    /// them, or by shape.
    pub only_repok: Vec<WitnessRecord>,
}

impl CompareSummary {
    /// Makes the summary of a comparison, without its time and memory.
    pub fn of(run: &CompareRun) -> CompareSummary {
        let CompareStep { slack, plan, failures, is_complete, comparison, .. } = &run.best;
        let found = comparison.search.findings.iter();
        let side = |side: &[SideWitness]| {
            side.iter().map(|witness| WitnessRecord::of_side(&plan.suite, witness)).collect()
        };
        CompareSummary {
            header: Header::new(plan, run.stop_reason),
            repok_name: run.rep_ok.to_owned(),
            named_after: run.named_after.map(str::to_owned),
            api: comparison.api,
            repok: comparison.rep_ok,
            only_api: comparison.only_api,
            only_repok: comparison.only_rep_ok,
            verdict: is_complete.then(|| comparison.relation.to_string()),
            slack: *slack,
            slack_steps: run.slack_steps.iter().map(SlackRecord::of).collect(),
            failures: *failures,
            findings: FindingRecord::all(plan, found),
            witnesses: SidesRecord {
                only_api: side(&run.best.only_api),
                only_repok: side(&run.best.only_rep_ok),
            },
            spent: None,
        }
    }

    /// Returns whether the sets differ, or the repOK or a call misbehaved.
    pub fn has_findings(&self) -> bool {
        let differs = self.verdict.as_deref().is_some_and(|verdict| verdict != "equal");
        differs || self.failures > 0 || !self.findings.is_empty()
    }
}

/// Pictures of each side in a directory.
const MOST_PICTURES: usize = 25;

/// Fills a directory with the summary and pictures of the witnesses, and gives it its name.
///
/// # Errors
/// If writing fails.
pub fn write_comparison(output: OutputDir, run: &CompareRun) -> Result<(), EmitError> {
    let summary = CompareSummary::of(run);
    output.write_summary(&summary)?;
    let (best, records) = (&run.best, &summary.witnesses);
    let sides = [
        ("only_api.svg", &best.only_api, &records.only_api),
        ("only_repok.svg", &best.only_rep_ok, &records.only_repok),
    ];
    for (name, witnesses, records) in sides {
        let both = witnesses.iter().zip(records).take(MOST_PICTURES);
        let pictures: Vec<Picture> =
            both.filter_map(|(own, record)| picture_of(own, record)).collect();
        if !pictures.is_empty() {
            output.write_file(name, &picture::to_svg(&pictures)?)?;
        }
    }
    output.commit()
}

fn picture_of(own: &SideWitness, record: &WitnessRecord) -> Option<Picture> {
    let clause = own.clause.as_deref().unwrap_or("of one shape");
    let title = format!("{clause} ({})", own.count);
    let recipe = record.recipe.iter().flatten().cloned();
    let caption = std::iter::once(title).chain(recipe).collect();
    let number = own.witness.number.unwrap_or(0);
    Some(Picture::of_heap(number, own.witness.heap.clone()?, caption))
}

/// Displays a comparison as text.
#[derive(Clone, Copy, Debug)]
pub struct CompareText<'s> {
    /// The summary.
    pub summary: &'s CompareSummary,
    /// The stop reason with its number.
    pub stop_reason: StopReason,
    /// The level of detail.
    pub verbosity: Verbosity,
}

/// Witnesses of each side shown without `-v`.
const SHOWN: usize = 10;

/// The reason why the search from a repOK misses structures that no clause rejects.
const OUTSIDE: &str = ", with values that the search from the repOK leaves out";

/// The introduction of the witnesses of a side.
struct Words<'w> {
    side: &'w str,
    /// The repOK that rejects them; `None` if it is the compared one.
    judge: Option<&'w str>,
    /// The text for those that no clause rejects.
    shapes: &'w str,
}

impl Words<'_> {
    fn heading(&self, witness: &WitnessRecord) -> String {
        let (side, count) = (self.side, witness.count);
        let structures = if count == 1 { "structure" } else { "structures" };
        let count = grouped(count);
        let Some(clause) = &witness.clause else {
            return format!("{side}{} ({count} {structures} of one shape)", self.shapes);
        };
        let judge = self.judge.map_or_else(|| ":".to_owned(), |judge| format!(" {judge}:"));
        let before = witness.rejected_by.as_ref().map_or_else(String::new, |first| {
            format!(", each rejected by another clause before; this one: {first}")
        });
        format!("{side}, rejected by{judge} {clause} ({count} {structures}{before})")
    }
}

impl fmt::Display for CompareText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let summary = self.summary;
        summary.findings.iter().try_for_each(|finding| write_misbehaviour(f, finding))?;
        // An incomplete search also misses other structures.
        let shapes = if summary.verdict.is_some() { OUTSIDE } else { "" };
        let of_api = Words { side: "only built by calls", judge: None, shapes };
        self.side(f, &of_api, &summary.witnesses.only_api)?;
        let judge = summary.named_after.as_deref();
        let of_repok = Words { side: "only admitted by the repOK", judge, shapes: "" };
        self.side(f, &of_repok, &summary.witnesses.only_repok)?;
        let Header { suite, k, methods, .. } = &summary.header;
        let (methods, repok) = (methods.join(", "), &summary.repok_name);
        writeln!(f, "scope       {suite}, k = {k}, methods {methods}, repOK {repok}")?;
        let [api, only_api, of_repok, only_repok] =
            [summary.api, summary.only_api, summary.repok, summary.only_repok].map(grouped);
        writeln!(f, "built       {api} ({only_api} of them rejected)")?;
        writeln!(f, "admitted    {of_repok} ({only_repok} of them not built)")?;
        self.slack(f)?;
        if summary.failures > 0 {
            let failures = grouped(summary.failures);
            writeln!(f, "failures    {failures}: `generate` or `check` shows them")?;
        }
        if let Some(spent) = &summary.spent {
            write!(f, "{spent}")?;
        }
        write_version(f)?;
        write_stop_reason(f, "", RunEnd::of_all(self.stop_reason))?;
        writeln!(f, "verdict     {}", verdict(summary.verdict.as_deref()))
    }
}

fn verdict(verdict: Option<&str>) -> &'static str {
    match verdict {
        Some("equal") => "equal: the repOK admits exactly what calls build",
        Some("under") => "under: the repOK is underspecified, or calls build too little",
        Some("over") => "over: the repOK is overspecified, or calls build too much",
        Some(_) => "different: each side has what the other has not",
        None => "none: a side was not explored completely, or the repOK did not always answer",
    }
}

impl CompareText<'_> {
    /// The witnesses of one side.
    fn side(
        &self,
        f: &mut fmt::Formatter<'_>,
        words: &Words<'_>,
        witnesses: &[WitnessRecord],
    ) -> fmt::Result {
        let shown = if self.verbosity == Verbosity::Verbose { witnesses.len() } else { SHOWN };
        for witness in witnesses.iter().take(shown) {
            writeln!(f, "{}", words.heading(witness))?;
            let mut lines = witness.recipe.iter().flatten().chain(&witness.text);
            lines.try_for_each(|line| writeln!(f, "    {line}"))?;
        }
        match witnesses.len().saturating_sub(shown) {
            0 => Ok(()),
            more => writeln!(f, "{}: {more} more kinds with -v or --summary json", words.side),
        }
    }

    fn slack(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (slack, steps) = (self.summary.slack, &self.summary.slack_steps);
        let step = |step: &SlackRecord| format!("{}: {} built", step.slack, grouped(step.api));
        match steps.as_slice() {
            [] | [_] => writeln!(f, "slack       {slack}"),
            steps => {
                let tried: Vec<String> = steps.iter().map(step).collect();
                writeln!(f, "slack       {slack} (tried {})", tried.join(", "))
            }
        }
    }
}
