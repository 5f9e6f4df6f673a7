//! Runs the commands of a plan as child processes and writes what they used as a Markdown table.

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use beget_benchmarks::child::{self, Sample};
use beget_benchmarks::machine::Machine;
use beget_benchmarks::plan::{Plan, PublishedTimes, Row};
use beget_benchmarks::table::{self, Measurement, PublishedRun};
use beget_benchmarks::table1::published::Table;
use clap::Parser;

/// Measure CPU time, wall time and peak memory of the commands of a plan.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The plan, a RON file; `{bin}` in its commands is the directory of this program.
    plan: PathBuf,
    /// Where to write the table [default: standard output].
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Run each command this often, whatever the plan says.
    #[arg(short, long, value_parser = clap::value_parser!(u32).range(1..))]
    repeats: Option<u32>,
    /// Keep only the rows whose name contains this text.
    #[arg(long, default_value = "")]
    row: String,
}

fn main() -> ExitCode {
    match measure(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("measure: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let at_plan = |error: &dyn Error| format!("{}: {error}", arguments.plan.display());
    let text = fs::read_to_string(&arguments.plan).map_err(|error| at_plan(&error))?;
    let mut plan = Plan::parse(&text).map_err(|error| at_plan(&error))?;
    plan.rows.retain(|row| row.name.contains(&arguments.row));
    plan.repeats = arguments.repeats.unwrap_or(plan.repeats);
    let machine = Machine::read();
    let published = plan.published.as_ref().map_or_else(|| Ok(Vec::new()), published)?;
    let text = table::markdown(&plan.title, &machine, &run(&plan)?, &published);
    match &arguments.output {
        Some(path) => {
            fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()).into())
        }
        None => {
            print!("{text}");
            Ok(())
        }
    }
}

fn published(times: &PublishedTimes) -> Result<Vec<PublishedRun>, Box<dyn Error>> {
    let PublishedTimes { table, suite } = times;
    let text = fs::read_to_string(table).map_err(|error| format!("{table}: {error}"))?;
    let read = Table::parse(&text).map_err(|error| format!("{table}: {error}"))?;
    let subject = read.subjects.iter().find(|subject| &subject.suite == suite);
    let subject = subject.ok_or_else(|| format!("{table}: there is no suite {suite:?}"))?;
    Ok(subject.rows.iter().flat_map(PublishedRun::of).collect())
}

/// Every repeat runs all rows once, so that a busy minute of the machine does not hit one row only.
fn run(plan: &Plan) -> Result<Vec<Measurement>, Box<dyn Error>> {
    let bin_dir = std::env::current_exe()?.with_file_name("");
    let bin_dir = bin_dir.to_string_lossy();
    let mut measurements: Vec<Measurement> = plan.rows.iter().map(without_samples).collect();
    for repeat in 1..=plan.repeats {
        for (row, measurement) in plan.rows.iter().zip(&mut measurements) {
            let sample = child::run(row, bin_dir.trim_end_matches('/'))
                .map_err(|error| format!("row {:?}: {error}", row.name))?;
            note_progress(&row.name, repeat, plan.repeats, &sample);
            measurement.samples.push(sample);
        }
    }
    Ok(measurements)
}

fn without_samples(row: &Row) -> Measurement {
    let (name, command) = (row.name.clone(), row.command.join(" "));
    Measurement { name, k: row.k, command, samples: Vec::new() }
}

fn note_progress(name: &str, repeat: u32, repeats: u32, sample: &Sample) {
    let (cpu, megabytes) = (sample.cpu.as_secs_f64(), sample.peak_rss / 1_000_000);
    eprintln!("{repeat}/{repeats} {name}: {cpu:.2} s CPU, {megabytes} MB");
}
