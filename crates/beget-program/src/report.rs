//! `beget report`, and the page that `--report` asks for.
//!
//! One HTML file with all that it needs: it is read without a network and without JavaScript.

mod page;
mod source;
mod tables;

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use beget_engine::Corpus;
use beget_engine::store::Store;
use beget_plan::finding::{Finding, StopReason};
use beget_run::{CheckRun, RepOkSource, Selection, failure_tests};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::args::{CheckArgs, CiArgs, General, ReportArgs, SummaryFormat};
use crate::ci::{CiOutput, CiReport, HeldClause};
use crate::error::CliError;
use crate::records::{
    FindingRecord, Header, JSON_LINES, SCOPE_FILE, StructureRecord, WrittenDir, WrittenError,
};
use crate::{Catalog, Exit, check, name, print};

/// What a page shows beside findings and what held.
#[derive(Clone, Debug, Default)]
pub(crate) struct PageParts {
    /// The summary as `--summary json` prints it.
    pub(crate) summary: Value,
    /// Some of the structures.
    pub(crate) gallery: Vec<StructureRecord>,
    /// The findings as tests, in their order; `None` where there is none that fails alike.
    pub(crate) tests: Vec<Option<String>>,
    /// The command to repeat, if it is not that of the run.
    pub(crate) rerun: Option<String>,
}

pub(crate) fn run(
    args: &ReportArgs,
    general: &General,
    catalog: Catalog,
) -> Result<Exit, CliError> {
    let path = args.output.clone().unwrap_or_else(|| page::default_path().to_owned());
    let ci = CiArgs { report: Some(path.clone()), no_annotations: true, ..CiArgs::default() };
    let exit = match args.scope.path.as_deref().filter(|path| path.is_dir()) {
        Some(path) => of_directory(path, &ci)?,
        None => {
            let args = CheckArgs {
                scope: args.scope.clone(),
                at_least: None,
                repok: None,
                summary: SummaryFormat::Text,
                going_on: args.going_on.clone(),
                thin: false,
                strict: false,
                run: args.run.clone(),
                supervision: args.supervision.clone(),
                ci,
            };
            check::run(&args, general, catalog)?
        }
    };
    if !general.quiet {
        print::note(&format!("the page is `{}`", path.display()));
    }
    if args.open {
        open(&path);
    }
    Ok(exit)
}

/// Makes the directory of the page that is written where no other place is named. What is wrong
/// with the input was found before.
pub(crate) fn make_default_place(path: &Path) -> std::io::Result<()> {
    match path.parent() {
        Some(parent) if path == page::default_path() => std::fs::create_dir_all(parent),
        _ => Ok(()),
    }
}

/// The page as HTML.
pub(crate) fn to_html(report: &CiReport<'_>) -> Result<String, CliError> {
    Ok(page::to_html(report)?)
}

/// Some structures of a run.
pub(crate) fn gallery_of<S: Store>(corpus: &Corpus<S>) -> Vec<StructureRecord> {
    // A run that found nothing has nothing to show.
    let chosen = Selection::Gallery(page::MOST_PICTURES).of(corpus).unwrap_or_default();
    let mut reader = corpus.reader();
    let record = |id| StructureRecord::of(corpus, &mut reader, id).ok().flatten();
    chosen.into_iter().filter_map(record).collect()
}

/// The findings of a check as tests, in the order of its findings.
pub(crate) fn tests_of(run: &CheckRun) -> Vec<Option<String>> {
    let source = if name::is_cargo() { RepOkSource::Type } else { RepOkSource::Elsewhere };
    let tests: Vec<_> = failure_tests(run, source).collect();
    let test = |finding: &Finding| {
        let test = tests.iter().find(|test| std::ptr::eq(test.finding, finding))?;
        test.verdict.ok()?;
        let function = test.function.with_uses(&run.corpus.plan.suite);
        let body: Vec<String> = function.body.iter().map(|line| format!("    {line}\n")).collect();
        Some(format!("#[test]\nfn {}() {{\n{}}}", function.name, body.concat()))
    };
    run.findings().map(test).collect()
}

/// The page of what `generate -o` or `repok -o` has written. Nothing is run.
fn of_directory(path: &Path, ci: &CiArgs) -> Result<Exit, CliError> {
    let dir = WrittenDir::open(path)?;
    if let Some(altered) = dir.altered().first() {
        let file = path.join(&altered.file);
        return Err(CliError::Usage(format!("`{}`: {}", file.display(), altered.message)));
    }
    let output = CiOutput::prepare(ci)?;
    let summary = Value::Object(dir.summary().clone());
    let findings: Vec<FindingRecord> = field(&summary, "findings").unwrap_or_default();
    let header: &Header = dir.header();
    let number = |key: &str| summary.get(key).and_then(Value::as_u64).unwrap_or(0);
    let (command, held) = match dir.rep_ok() {
        Some(_) => ("repok", Vec::new()),
        None => ("generate", HeldClause::of_calls(number("explored"), number("failures"))),
    };
    let gallery = spread(&path.join(JSON_LINES), page::MOST_PICTURES)?;
    output.write(&CiReport {
        command,
        scope: &path.join(SCOPE_FILE),
        header,
        findings: &findings,
        held,
        is_done: header.complete,
        seconds: None,
        page: PageParts {
            gallery,
            tests: Vec::new(),
            rerun: Some(format!("{} verify {}", name::program(), name::quoted_path(path))),
            summary,
        },
    })?;
    Ok(Exit::of_run(
        if header.complete { StopReason::Exhausted } else { StopReason::Interrupted },
        &Default::default(),
        !findings.is_empty(),
    ))
}

fn field<T: DeserializeOwned>(summary: &Value, key: &str) -> Option<T> {
    serde_json::from_value(summary.get(key)?.clone()).ok()
}

/// At most `most` lines of a file of structures, evenly spread; no more of it is held.
fn spread(path: &Path, most: usize) -> Result<Vec<StructureRecord>, CliError> {
    let unreadable = |source| WrittenError::Unreadable { path: PathBuf::from(path), source };
    let lines = || File::open(path).map(|file| BufReader::new(file).lines());
    let n_lines = lines().map_err(unreadable)?.count();
    let chosen: Vec<usize> = match n_lines.min(most) {
        0 => return Ok(Vec::new()),
        1 => vec![0],
        n => (0..n).map(|at| at * (n_lines - 1) / (n - 1)).collect(),
    };
    let mut records = Vec::new();
    for (number, line) in lines().map_err(unreadable)?.enumerate() {
        let line = line.map_err(unreadable)?;
        if chosen.binary_search(&number).is_ok() {
            // Lines of a search from a repOK have no recipe, and no picture here.
            records.extend(serde_json::from_str(&line).ok());
        }
    }
    Ok(records)
}

/// Shows a file by the program that the system has for it.
fn open(path: &Path) {
    let opener = match () {
        () if cfg!(target_os = "macos") => "open",
        () if cfg!(windows) => "explorer",
        () => "xdg-open",
    };
    if std::process::Command::new(opener).arg(path).spawn().is_err() {
        print::note(&format!("`{opener}` cannot be started: open the page by hand"));
    }
}
