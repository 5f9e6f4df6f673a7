//! Makes the random runs with and without builders, and writes `builders_random.{md,csv}`.
//!
//! What a suite came to is written the moment it is known; a measurement that was stopped goes on
//! behind that.

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use beget_benchmarks::builders_random::cases::{Case, cases};
use beget_benchmarks::builders_random::{Budgets, Runs, journal, measure, text};
use beget_benchmarks::machine::Machine;
use beget_benchmarks::table2::data::Data;
use clap::Parser;

/// Measure what builders are worth to random runs
#[derive(Parser)]
#[command(version, name = "builders_random")]
struct Arguments {
    /// The suites, and the methods that cannot take part
    #[arg(long, default_value = "benchmarks/published/table2.ron")]
    data: PathBuf,
    /// Their builders, with what the certificates say
    #[arg(long, default_value = "benchmarks/results/builders.csv")]
    builders: PathBuf,
    /// Where to write, without extension
    #[arg(short, long, default_value = "benchmarks/results/builders_random")]
    output: PathBuf,
    /// Only suites whose names contain this; can be given several times
    #[arg(long)]
    suite: Vec<String>,
    /// Calls of a run
    #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    calls: u64,
    /// Calls that a second of the search for builders is worth
    #[arg(long, default_value_t = 200_000)]
    calls_per_second: u64,
    /// The most calls that the search for builders is worth
    #[arg(long, default_value_t = 20_000)]
    most_more: u64,
    /// Seeds
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Forget what was measured before
    #[arg(long)]
    fresh: bool,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("builders_random: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let Arguments { calls, calls_per_second, most_more, seeds, .. } = *arguments;
    let budgets = Budgets { calls, calls_per_second, most_more, seeds };
    let cases = arguments.cases()?;
    let csv = arguments.output.with_extension("csv");
    let mut all = match fs::read_to_string(&csv) {
        Ok(text) if !arguments.fresh => known(&text, &cases, &budgets).map_err(|line| {
            format!("{}: {line:?} is of another measurement; give --fresh", csv.display())
        })?,
        _ => Vec::new(),
    };
    let machine = Machine::read().to_string();
    for case in &cases {
        if all.iter().any(|runs| runs.suite == case.suite) {
            continue;
        }
        eprintln!("{}", case.suite);
        all.extend(measure(case, &budgets)?);
        fs::write(&csv, journal::to_csv(&all))?;
    }
    let markdown = text::markdown(&cases, &all, &budgets, &machine);
    Ok(fs::write(arguments.output.with_extension("md"), markdown)?)
}

/// What was measured before, if with the same budgets.
fn known(text: &str, cases: &[Case], budgets: &Budgets) -> Result<Vec<Runs>, String> {
    let known = journal::parse(text)?;
    let is_same = |runs: &Runs| {
        let case = cases.iter().find(|case| case.suite == runs.suite);
        let has_calls = case.is_some_and(|case| budgets.calls_of(case, runs.arm) == runs.calls);
        has_calls && runs.left.len() as u64 == budgets.seeds
    };
    match known.iter().find(|runs| !is_same(runs)) {
        Some(other) => Err(other.suite.clone()),
        None => Ok(known),
    }
}

impl Arguments {
    fn cases(&self) -> Result<Vec<Case>, Box<dyn Error>> {
        let read = |path: &PathBuf| {
            fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let mut data = Data::parse(&read(&self.data)?)?;
        data.choose(&self.suite)?;
        Ok(cases(&data, &read(&self.builders)?)?)
    }
}
