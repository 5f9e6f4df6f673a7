//! The result of checking written output again.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::records::text::{grouped, write_resources, write_version};
use crate::records::{DifferenceRecord, Header, ResourceUse};

/// The result of checking a written corpus or certificate, the JSON of `--summary json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VerifySummary {
    /// The subject of the check, and its end. It is complete if everything was checked.
    #[serde(flatten)]
    pub header: Header,
    /// The kind of output: `corpus` (structures by calls), `admitted` (those of a repOK) or
    /// `certificate`.
    pub written: String,
    /// The structures that were made again; by the full API, of a certificate.
    pub structures: u64,
    /// True if all is as it is made again.
    pub verified: bool,
    /// The differences, one for each file and each field of a summary.
    pub differences: Vec<DifferenceRecord>,
    /// The values that differ from run to run.
    #[serde(flatten)]
    pub spent: ResourceUse,
}

/// A [`VerifySummary`] for people.
#[derive(Clone, Copy, Debug)]
pub struct VerifyText<'s>(pub &'s VerifySummary);

impl fmt::Display for VerifyText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let VerifySummary { header, written, structures, differences, spent, .. } = self.0;
        let noun = match written.as_str() {
            "corpus" => "corpus of calls",
            "admitted" => "corpus of a repOK",
            _ => "certificate of builders",
        };
        writeln!(f, "written     {noun}, {}, k = {}", header.suite, header.k)?;
        for one in differences {
            write!(f, "DIFFERENT   {}", one.file)?;
            if let Some(line) = one.line {
                write!(f, ", line {line}")?;
            }
            if let Some(id) = one.id {
                write!(f, " (structure {id})")?;
            }
            writeln!(f, ": {}", one.message)?;
            if let Some(more) = one.lines.filter(|&lines| lines > 1) {
                writeln!(f, "            {more} lines of this file differ; this is the first")?;
            }
        }
        write_resources(f, Some(*spent))?;
        write_version(f)?;
        match (self.0.verified, header.complete) {
            (true, _) => {
                let structures = grouped(*structures);
                writeln!(f, "verified: {structures} structures are made again as they are written")
            }
            (false, true) => writeln!(f, "not as it is made again"),
            (false, false) => writeln!(f, "not checked to the end: {}", header.stop_reason),
        }
    }
}
