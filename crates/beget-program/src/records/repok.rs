//! The results of a search from a repOK: a summary, and every structure in a file.

use std::fmt;
use std::io::Write;

use beget_heap::{FormRef, Layout, Schema};
use beget_oracle::rep_ok::Checker;
use beget_plan::finding::StopReason;
use beget_plan::scope::Plan;
use beget_search::run::RepOkRun;
use serde::{Deserialize, Serialize};

use crate::records::record::hex;
use crate::records::text::{Bytes, RunEnd, causes, grouped, write_stop_reason, write_version};
use crate::records::{EmitError, FindingRecord, Header, ObjectRecord, ResourceUse, objects_of};

/// The result of a search from a repOK, the JSON of `--summary json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RepokSummary {
    /// The run and its end.
    #[serde(flatten)]
    pub header: Header,
    /// The repOK's name.
    pub repok: String,
    /// Structures that the repOK admits, isomorphic ones counted once.
    pub generated: u64,
    /// Of these, candidates that no value can be: a null where the type has none, an object with
    /// two owners. They are in no digest.
    pub unrepresentable: u64,
    /// Candidates explored: runs of the repOK.
    pub explored: u64,
    /// An order-free digest of the set of canonical forms, as that of a run on the API: 32
    /// hexadecimal digits.
    pub digest: String,
    /// The misbehaviour of the repOK.
    pub findings: Vec<FindingRecord>,
    /// The values that differ from run to run.
    #[serde(flatten)]
    pub spent: Option<ResourceUse>,
}

impl RepokSummary {
    /// Makes the summary of a search from the repOK of that name, without its time and memory.
    pub fn of(plan: &Plan, repok: &str, run: &RepOkRun) -> RepokSummary {
        let report = &run.report;
        RepokSummary {
            // No calls are made.
            header: Header::without_methods(plan, report.stop_reason),
            repok: repok.to_owned(),
            generated: report.generated,
            unrepresentable: report.unrepresentable,
            explored: report.explored,
            digest: format!("{:032x}", run.digest),
            findings: FindingRecord::all(plan, &report.findings),
            spent: None,
        }
    }
}

/// The misbehaviour of the repOK in a search, as text.
pub(crate) fn write_misbehaviour(
    f: &mut fmt::Formatter<'_>,
    finding: &FindingRecord,
) -> fmt::Result {
    let (count, first) = (finding.witnesses, finding.first.unwrap_or(0));
    let plural = if count == 1 { "" } else { "s" };
    writeln!(
        f,
        "finding     {}, on {count} candidate{plural}, first on number {first}:",
        finding.message
    )?;
    finding.candidate.iter().flatten().try_for_each(|line| writeln!(f, "    {line}"))
}

/// Displays a summary as text. The last lines say why the search ended.
#[derive(Clone, Copy, Debug)]
pub struct RepokText<'s> {
    /// The summary.
    pub summary: &'s RepokSummary,
    /// The stop reason with its number.
    pub stop_reason: StopReason,
}

impl fmt::Display for RepokText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let summary = self.summary;
        summary.findings.iter().try_for_each(|finding| write_misbehaviour(f, finding))?;
        let Header { suite, k, .. } = &summary.header;
        writeln!(f, "scope       {suite}, k = {k}, repOK {}", summary.repok)?;
        write!(f, "structures  {}", grouped(summary.generated))?;
        match summary.unrepresentable {
            0 => writeln!(f)?,
            n => writeln!(f, " ({n} of them are like no value of the type)")?,
        }
        writeln!(f, "candidates  {}", grouped(summary.explored))?;
        if let Some(spent) = &summary.spent {
            write!(f, "{spent}")?;
        }
        writeln!(f, "digest      {}", summary.digest)?;
        write_version(f)?;
        write_stop_reason(f, &causes(&summary.findings), RunEnd::of_all(self.stop_reason))
    }
}

impl fmt::Display for ResourceUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, cpu_seconds) = (self.seconds, self.cpu_seconds);
        let memory = Bytes(self.peak_rss_bytes);
        writeln!(
            f,
            "took        {seconds:.2} s, {cpu_seconds:.2} s of CPU; memory {memory} at most"
        )
    }
}

/// A structure that a repOK admits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AdmittedRecord {
    /// Its position in the order of the search, from 0.
    pub number: u64,
    /// Its canonical form, in hexadecimal digits.
    pub form: String,
    /// Its heap, the root first.
    pub heap: Vec<ObjectRecord>,
}

/// Writes admitted structures as they are found, one JSON object a line.
pub struct AdmittedWriter<'a, W> {
    checker: Checker<'a>,
    schema: &'a Schema,
    layout: &'a Layout,
    lines: W,
    number: u64,
}

impl<'a, W: Write> AdmittedWriter<'a, W> {
    /// Writes to `lines`. Forms are read by `checker`, whose layout is `layout`, made from
    /// `schema`.
    pub fn new(checker: Checker<'a>, schema: &'a Schema, layout: &'a Layout, lines: W) -> Self {
        AdmittedWriter { checker, schema, layout, lines, number: 0 }
    }

    /// Writes one structure.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write(&mut self, form: FormRef<'_>) -> Result<(), EmitError> {
        let number = self.number;
        self.number += 1;
        let heap = self.checker.graph(form, self.schema, self.layout);
        let heap = objects_of(&heap.expect("what has a form is like a value"));
        serde_json::to_writer(&mut self.lines, &AdmittedRecord { number, form: hex(form), heap })?;
        Ok(writeln!(self.lines)?)
    }

    /// Ends the file.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn finish(mut self) -> Result<(), EmitError> {
        Ok(self.lines.flush()?)
    }
}
