//! Measures beget on the rows of Table 1 of the BEAPI paper, and checks the counts.
//!
//! Small rows run first. After each one the table is written again, so a killed run keeps what it
//! has.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use beget_benchmarks::machine::Machine;
use beget_benchmarks::table::grouped;
use beget_benchmarks::table1::measured::{self, Ended, Measured, Settings};
use beget_benchmarks::table1::published::{Row, Subject, Table};
use beget_benchmarks::table1::results::{Header, Results};
use beget_benchmarks::table1::{Line, State, csv, differing, estimate, markdown};
use clap::Parser;

/// Measure beget on the rows of Table 1 of the BEAPI paper (FASE 2023), check its counts, and write
/// the table.
///
/// Writes table1.md, table1.csv and table1.jsonl, of which the last is read by `--continue`. Ends
/// with 1 if a row counts something else than what is published, or fails.
#[derive(Parser)]
#[command(version, name = "table1")]
struct Arguments {
    /// Run only rows of at most 2,000,000 calls: seconds.
    #[arg(long, conflicts_with = "max_explored")]
    quick: bool,
    /// Run only rows of at most N calls, by their published number.
    #[arg(long, value_name = "N")]
    max_explored: Option<u64>,
    /// Run only classes whose suite contains TEXT, as in `roops::` or `rbt`.
    #[arg(long, value_name = "TEXT", default_value = "")]
    subject: String,
    /// Threads of each run [default: all cores].
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Leave out rows that need more memory than this, and stop those that take more.
    #[arg(long, value_name = "MIB")]
    max_memory: Option<u64>,
    /// Keep the rows measured before.
    #[arg(long = "continue")]
    continues: bool,
    /// Where to write.
    #[arg(short, long, value_name = "DIR", default_value = "benchmarks/results")]
    output: PathBuf,
    /// What is published.
    #[arg(long, value_name = "FILE", default_value = "benchmarks/published/table1.ron")]
    table: PathBuf,
    /// The program to measure [default: `beget` beside this program].
    #[arg(long, value_name = "FILE")]
    beget: Option<PathBuf>,
}

/// What `--quick` runs.
const QUICK: u64 = 2_000_000;

fn main() -> ExitCode {
    match table1(&Arguments::parse()) {
        Ok(wrong) if wrong.is_empty() => ExitCode::SUCCESS,
        Ok(wrong) => {
            eprintln!("table1: wrong rows: {}\n{}", wrong.len(), wrong.join("\n"));
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("table1: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs and writes all; returns what is wrong with rows.
fn table1(arguments: &Arguments) -> Result<Vec<String>, Box<dyn Error>> {
    let table = table(&arguments.table)?;
    let mut session = Session::new(arguments, &table)?;
    session.write()?;
    for (subject, row) in table.rows_by_calls() {
        if session.state(subject, row) == Some(State::NotRun(NOT_YET.to_owned())) {
            session.measure(subject, row)?;
            session.write()?;
        }
    }
    let lines = session.lines();
    let failed = session.failed.iter().filter(|failed| failed.is_error);
    let failed =
        failed.map(|Failed { suite, k, reason, .. }| format!("{suite}, k = {k}: {reason}"));
    Ok(differing(&lines).into_iter().chain(failed).collect())
}

fn table(path: &Path) -> Result<Table, String> {
    let at = |error: &dyn Error| format!("{}: {error}", path.display());
    let text = fs::read_to_string(path).map_err(|error| at(&error))?;
    Table::parse(&text).map_err(|error| at(&error))
}

/// A row that gave no measurement in this run.
struct Failed {
    suite: String,
    k: u32,
    reason: String,
    is_error: bool,
}

struct Session<'a> {
    arguments: &'a Arguments,
    table: &'a Table,
    settings: Settings,
    results: Results,
    failed: Vec<Failed>,
}

/// The state of a row that is still to be run.
const NOT_YET: &str = "not yet";

impl<'a> Session<'a> {
    fn new(arguments: &'a Arguments, table: &'a Table) -> Result<Self, Box<dyn Error>> {
        let beside = std::env::current_exe()?.with_file_name("beget");
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = arguments.threads.unwrap_or(cores);
        let beget = arguments.beget.clone().unwrap_or(beside);
        let settings = Settings { beget, threads, max_memory_mib: arguments.max_memory };
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let header = Header { machine: Machine::read().to_string(), threads, version };
        fs::create_dir_all(&arguments.output)?;
        let path = arguments.output.join("table1.jsonl");
        let results = match arguments.continues {
            true => Results::resume(&path, header)?,
            false => Results::create(&path, header)?,
        };
        Ok(Self { arguments, table, settings, results, failed: Vec::new() })
    }

    fn is_chosen(&self, subject: &Subject) -> bool {
        subject.suite.contains(&self.arguments.subject)
    }

    /// `None`: the row was not asked for.
    fn state(&self, subject: &Subject, row: &Row) -> Option<State> {
        if let Some(measured) = self.results.of(&subject.suite, row.k) {
            return Some(State::Measured(measured.clone()));
        }
        let is_it = |failed: &&Failed| failed.suite == subject.suite && failed.k == row.k;
        let reason = match self.failed.iter().find(is_it) {
            Some(failed) => failed.reason.clone(),
            None => self.left_out(subject, row).unwrap_or_else(|| NOT_YET.to_owned()),
        };
        self.is_chosen(subject).then_some(State::NotRun(reason))
    }

    /// Why a row is not to be run.
    fn left_out(&self, subject: &Subject, row: &Row) -> Option<String> {
        let quick = self.arguments.quick.then_some(QUICK);
        if let Some(most) = quick.or(self.arguments.max_explored)
            && subject.likely_explored(row.k).is_none_or(|calls| calls > most as f64)
        {
            return Some(format!("more than {} calls", grouped(most)));
        }
        let of_subject: Vec<&Measured> =
            self.results.measured.iter().filter(|one| one.suite == subject.suite).collect();
        let most = self.arguments.max_memory?;
        let need = estimate::need(subject, row, &of_subject)?;
        let is_too_much = need.bytes > most as f64 * f64::from(1 << 20);
        is_too_much.then(|| format!("more than {} MiB", grouped(most)))
    }

    fn measure(&mut self, subject: &Subject, row: &Row) -> Result<(), Box<dyn Error>> {
        eprintln!("{}, k = {} ...", subject.suite, row.k);
        let (reason, is_error) =
            match measured::run(&subject.suite, &subject.scope, row.k, &self.settings) {
                Ok(Ended::Complete(measured)) => return Ok(self.results.add(measured)?),
                Ok(Ended::Stopped(reason)) => (format!("stopped by {reason}"), false),
                Err(error) => (error.to_string(), true),
            };
        self.failed.push(Failed { suite: subject.suite.clone(), k: row.k, reason, is_error });
        Ok(())
    }

    fn lines(&self) -> Vec<Line<'a>> {
        Line::all(self.table, |subject, row| self.state(subject, row))
    }

    fn write(&self) -> Result<(), Box<dyn Error>> {
        let lines = self.lines();
        let text = markdown::markdown(&self.results.header, &lines);
        fs::write(self.arguments.output.join("table1.md"), text)?;
        fs::write(self.arguments.output.join("table1.csv"), csv::csv(&lines))?;
        Ok(())
    }
}
