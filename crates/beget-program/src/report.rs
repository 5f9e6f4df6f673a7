//! `beget report`, and the page that `--report` asks for.
//!
//! One self-contained HTML file, without a network and JavaScript.

mod outcomes;
mod page;
mod since;
mod source;
mod tables;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use beget_args::cli::{CheckArgs, CiArgs, General, ReportArgs, SummaryFormat};
use beget_engine::Corpus;
use beget_engine::store::{Store, StructureId};
use beget_plan::finding::{Finding, StopReason};
use beget_run::{CheckRun, RepOkSource, failure_tests};
use beget_search::run::Selection;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::ci::{CiOutput, CiReport, HeldClause};
use crate::error::CliError;
use crate::records::{
    EmitError, FieldRecord, FindingRecord, Header, JSON_LINES, ObjectRecord, SCOPE_FILE,
    StructureRecord, WrittenDir, WrittenError,
};
use crate::{Catalog, Exit, check, name, print};

pub(crate) use outcomes::outcomes_of;
pub(crate) use since::RunMark;
pub(crate) use tables::PageTable;

/// The parts of a page besides findings and passed checks.
#[derive(Clone, Debug, Default)]
pub(crate) struct PageParts {
    /// The summary as `--summary json` prints it.
    pub(crate) summary: Value,
    /// Some of the structures.
    pub(crate) gallery: Vec<StructureRecord>,
    /// Drawings of the course of the run.
    pub(crate) figures: Vec<PageFigure>,
    /// Tables that the summary does not have, before those that it has.
    pub(crate) tables: Vec<PageTable>,
    /// Files that the run could write.
    pub(crate) texts: Vec<PageText>,
    /// The findings as tests, in their order; `None` without a test that fails in the same way.
    pub(crate) tests: Vec<Option<String>>,
    /// The command to repeat, if it is not that of the run.
    pub(crate) rerun: Option<String>,
}

/// A drawing on a page.
#[derive(Clone, Debug)]
pub(crate) struct PageFigure {
    pub(crate) title: &'static str,
    pub(crate) svg: String,
    /// A sentence on how to read it.
    pub(crate) reading: &'static str,
}

/// A file on a page.
#[derive(Clone, Debug)]
pub(crate) struct PageText {
    pub(crate) title: &'static str,
    pub(crate) text: String,
    /// A sentence on its use.
    pub(crate) reading: &'static str,
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

/// Makes the directory of the default page. Errors of the input were found before.
pub(crate) fn make_default_place(path: &Path) -> Result<(), EmitError> {
    match path.parent() {
        Some(parent) if path == page::default_path() => std::fs::create_dir_all(parent)
            .map_err(|source| EmitError::Unwritable { path: path.to_owned(), source }),
        _ => Ok(()),
    }
}

/// The page as HTML; `last` is the mark of the page that it replaces.
pub(crate) fn to_html(report: &CiReport<'_>, last: Option<&RunMark>) -> Result<String, CliError> {
    Ok(page::to_html(report, last)?)
}

/// Some structures of a run.
pub(crate) fn gallery_of<S: Store>(corpus: &Corpus<S>) -> Vec<StructureRecord> {
    let chosen = sample_of(corpus);
    let mut reader = corpus.reader();
    let record = |id| StructureRecord::of(corpus, &mut reader, id).ok().flatten();
    varied(chosen.into_iter().filter_map(record).collect(), page::MOST_PICTURES)
}

/// Structures that are evenly spread over a run; none if the run has none.
fn sample_of<S: Store>(corpus: &Corpus<S>) -> Vec<StructureId> {
    Selection::Gallery(MOST_LOOKED_AT).of(corpus).unwrap_or_default()
}

/// The number of structures from which those of a gallery are chosen.
const MOST_LOOKED_AT: usize = 20 * page::MOST_PICTURES;

/// At most `most` structures, in their order: one of each shape, evenly spread over the sizes, and
/// others where there are fewer shapes.
fn varied(records: Vec<StructureRecord>, most: usize) -> Vec<StructureRecord> {
    let mut known = BTreeSet::new();
    let size = |at: &usize| records[*at].heap.as_ref().map_or(0, Vec::len);
    let (mut first, again): (Vec<usize>, Vec<usize>) =
        (0..records.len()).partition(|&at| known.insert(shape_of(&records[at])));
    first.sort_by_key(size);
    let mut chosen: BTreeSet<usize> =
        spread_places(first.len(), most).map(|at| first[at]).collect();
    let rest = spread_places(again.len(), most - chosen.len().min(most));
    chosen.extend(rest.map(|at| again[at]));
    let mut place = 0..;
    let is_chosen = |_: &StructureRecord| place.next().is_some_and(|at| chosen.contains(&at));
    records.into_iter().filter(is_chosen).collect()
}

/// Classes and references, without values.
fn shape_of(record: &StructureRecord) -> Vec<String> {
    let of_object = |object: &ObjectRecord| {
        let links = object.fields.iter().filter_map(|(path, value)| match value {
            FieldRecord::Reference { object } => Some(format!("{path}:{object}")),
            FieldRecord::Int(length) if path.ends_with("len") => Some(format!("{path}={length}")),
            _ => None,
        });
        format!("{} {}", object.class, links.collect::<Vec<_>>().join(" "))
    };
    record.heap.iter().flatten().map(of_object).collect()
}

/// At most `most` of `n` places, evenly spread from the first to the last.
fn spread_places(n: usize, most: usize) -> impl Iterator<Item = usize> {
    let n_chosen = n.min(most);
    (0..n_chosen).map(move |at| if n_chosen < 2 { 0 } else { at * (n - 1) / (n_chosen - 1) })
}

/// The findings of a check as tests, in the order of its findings.
pub(crate) fn tests_of<S: Store>(run: &CheckRun<S>) -> Vec<Option<String>> {
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

/// The page of a directory that `generate -o` or `repok -o` has written. Nothing is run.
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
    let gallery = spread(&path.join(JSON_LINES), MOST_LOOKED_AT)?;
    let gallery = varied(gallery, page::MOST_PICTURES);
    if !dir.has_heaps()? {
        print::note(
            "the page has no structures: those written with `generate --full` have heaps to draw",
        );
    }
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
            rerun: Some(format!("{} verify {}", name::program(), name::quoted_path(path))),
            summary,
            ..PageParts::default()
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

/// At most `most` lines of a file of structures, evenly spread; the others are not kept in memory.
fn spread(path: &Path, most: usize) -> Result<Vec<StructureRecord>, CliError> {
    let unreadable = |source| WrittenError::Unreadable { path: PathBuf::from(path), source };
    let lines = || File::open(path).map(|file| BufReader::new(file).lines());
    let n_lines = lines().map_err(unreadable)?.count();
    let chosen: Vec<usize> = spread_places(n_lines, most).collect();
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

/// Opens a file with the system's program for it.
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
