//! Reports for continuous integration: files in SARIF and in JUnit's XML, and lines and a summary
//! for GitHub.
//!
//! It reads the records of findings in the summary. Each format is a module that makes a text; only
//! this one knows files and the environment.

mod github;
mod junit;
mod place;
mod sarif;

use std::cell::RefCell;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use beget_args::cli::CiArgs;
use beget_engine::Corpus;
use beget_engine::store::Store;
use beget_plan::finding::Kind;
use serde::Serialize;
use serde_json::Value;

use crate::records::{CheckSummary, CheckedContract, FindingRecord, Header, StagedFile};

use crate::error::CliError;
use crate::output::prepare_file;
use crate::report::{PageParts, RunMark};
use crate::{print, report};

/// The result of a run.
#[derive(Clone, Debug)]
pub(crate) struct CiReport<'r> {
    /// The command, such as `check`.
    pub(crate) command: &'static str,
    /// The scope file.
    pub(crate) scope: &'r Path,
    /// The scope, and the end of the run.
    pub(crate) header: &'r Header,
    /// The causes.
    pub(crate) findings: &'r [FindingRecord],
    /// The clauses that held.
    pub(crate) held: Vec<HeldClause>,
    /// True if the run did its whole job.
    pub(crate) is_done: bool,
    /// The duration, if known.
    pub(crate) seconds: Option<f64>,
    /// The parts that only a page needs.
    pub(crate) page: PageParts,
}

/// A contract or repOK that held, or the promise that calls return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeldClause {
    /// The kind: `contract`, `repok`, `calls`.
    pub(crate) kind: &'static str,
    /// Its name.
    pub(crate) name: String,
    /// The number of checks.
    pub(crate) asked: u64,
}

impl HeldClause {
    /// The promise that calls return, of a run of which none has failed.
    pub(crate) fn of_calls(explored: u64, failures: u64) -> Vec<HeldClause> {
        let name = "every call returns".to_owned();
        let held = HeldClause { kind: "calls", name, asked: explored };
        if failures == 0 && explored > 0 { vec![held] } else { Vec::new() }
    }

    /// The contracts that were asked and held.
    pub(crate) fn of_contracts(contracts: &[CheckedContract]) -> impl Iterator<Item = HeldClause> {
        let held = contracts.iter().filter(|one| one.asked > 0 && one.broken == 0);
        held.map(|one| HeldClause { kind: "contract", name: one.name.clone(), asked: one.asked })
    }

    /// Everything that held in a check.
    pub(crate) fn of_check(check: &CheckSummary) -> Vec<HeldClause> {
        let repoks = check.repoks.iter().filter(|repok| repok.rejected == 0 && check.checked > 0);
        let asked = check.checked;
        let repoks = repoks.map(|one| HeldClause { kind: "repok", name: one.name.clone(), asked });
        let mut held = HeldClause::of_calls(check.summary.explored, check.summary.failures);
        held.extend(HeldClause::of_contracts(&check.contracts));
        held.extend(repoks);
        held
    }
}

/// Makes the record for an exit code of 1 without a finding of a call: two sets that differ, a
/// method that was not called.
pub(crate) fn verdict_record(kind: &'static str, name: &str, message: String) -> FindingRecord {
    FindingRecord {
        kind: Kind::new(kind),
        name: Some(name.to_owned()),
        method: None,
        message,
        place: None,
        witnesses: 1,
        recipe: Vec::new(),
        before: Vec::new(),
        after: Vec::new(),
        changed: Vec::new(),
        methods: Vec::new(),
        calls: 0,
        steps: Vec::new(),
        steps_note: None,
        first: None,
        candidate: None,
    }
}

/// The targets of findings, beside the standard output.
#[derive(Debug)]
pub(crate) struct CiOutput {
    files: RefCell<Option<CiFiles>>,
}

#[derive(Debug)]
struct CiFiles {
    page: Option<StagedFile>,
    /// The mark of the page that is replaced.
    last: Option<RunMark>,
    sarif: Option<StagedFile>,
    junit: Option<StagedFile>,
    github: Option<GithubOutput>,
}

/// A job of GitHub, with the file that it shows.
#[derive(Debug)]
struct GithubOutput {
    summary: Option<PathBuf>,
}

impl CiOutput {
    /// Makes sure that the files can be written.
    pub(crate) fn prepare(args: &CiArgs) -> Result<CiOutput, CliError> {
        let file = |path: &Option<PathBuf>| path.as_deref().map(prepare_file).transpose();
        let is_github = std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value != "false");
        let named = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let github = (is_github && !args.no_annotations)
            .then(|| GithubOutput { summary: named("GITHUB_STEP_SUMMARY").map(PathBuf::from) });
        args.report.as_deref().map_or(Ok(()), report::make_default_place)?;
        let (sarif, junit) = (file(&args.sarif)?, file(&args.junit)?);
        let last = args.report.as_deref().and_then(RunMark::read);
        let files = CiFiles { page: file(&args.report)?, last, sarif, junit, github };
        Ok(CiOutput { files: RefCell::new(Some(files)) })
    }

    /// The summary for a page, if there is one.
    pub(crate) fn page(&self, summary: &impl Serialize) -> Result<PageParts, CliError> {
        let summary = match self.wants_page() {
            true => serde_json::to_value(summary)?,
            false => Value::Null,
        };
        Ok(PageParts { summary, ..PageParts::default() })
    }

    /// The same, with some of the structures of a run.
    pub(crate) fn page_of<S: Store>(
        &self,
        summary: &impl Serialize,
        corpus: &Corpus<S>,
    ) -> Result<PageParts, CliError> {
        if !self.wants_page() {
            return self.page(summary);
        }
        let (gallery, tables) = (report::gallery_of(corpus), report::outcomes_of(corpus));
        Ok(PageParts { gallery, tables: tables.into_iter().collect(), ..self.page(summary)? })
    }

    pub(crate) fn wants_page(&self) -> bool {
        self.files.borrow().as_ref().is_some_and(|files| files.page.is_some())
    }

    /// Writes all outputs, once.
    pub(crate) fn write(&self, report: &CiReport<'_>) -> Result<(), CliError> {
        let Some(CiFiles { page, last, sarif, junit, github }) = self.files.take() else {
            return Ok(());
        };
        if let Some(file) = page {
            file.write(&report::to_html(report, last.as_ref())?)?;
        }
        if let Some(file) = sarif {
            let sarif = serde_json::to_string_pretty(&sarif::log_of(report))?;
            file.write(&(sarif + "\n"))?;
        }
        if let Some(file) = junit {
            file.write(&junit::to_xml(report))?;
        }
        if let Some(github) = github {
            github.write(report);
        }
        Ok(())
    }
}

impl GithubOutput {
    fn write(&self, report: &CiReport<'_>) {
        github::annotations(report).iter().for_each(|line| print::message(line));
        let Some(path) = &self.summary else { return };
        let file = OpenOptions::new().append(true).create(true).open(path);
        let text = github::step_summary(report);
        if let Err(error) = file.and_then(|mut file| file.write_all(text.as_bytes())) {
            print::note(&format!("cannot write the summary of the step: {error}"));
        }
    }
}

/// The report of a small run, for the tests of formats.
#[cfg(test)]
fn with_report(check: impl FnOnce(&CiReport<'_>)) {
    let finding = |place: Option<&str>, message: &str| -> FindingRecord {
        let finding = serde_json::json!({
            "kind": "panic", "name": null, "method": "min", "message": message, "place": place,
            "witnesses": 3, "recipe": ["let tree = Tree::new();", "let _ = tree.min();"],
            "methods": ["new", "min"], "calls": 2, "steps": [],
        });
        serde_json::from_value(finding).expect("it has all fields")
    };
    let findings = [
        finding(Some("src/my tree.rs:67:43"), "panicked at src/my tree.rs:67:43: 100 %, <empty>"),
        finding(None, "it is, so: wrong\nin two lines"),
    ];
    let header = Header {
        suite: "tree".to_owned(),
        k: 3,
        methods: vec!["new".to_owned(), "min".to_owned()],
        complete: true,
        stop_reason: "exhausted".to_owned(),
        beget: "0.1.0".to_owned(),
    };
    check(&CiReport {
        command: "check",
        scope: Path::new("scopes/tree.ron"),
        header: &header,
        findings: &findings,
        held: vec![HeldClause { kind: "contract", name: "clone_equal".to_owned(), asked: 15 }],
        is_done: true,
        seconds: Some(0.25),
        page: PageParts::default(),
    });
}
