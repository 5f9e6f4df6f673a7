//! Measures what a call and a structure cost over the size of the scope; writes a table and a plot.

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use beget_benchmarks::growth::{Curve, GrowthPlan, Point, markdown, svg};
use beget_benchmarks::machine::Machine;
use beget_benchmarks::table1::measured::{self, Ended, Measured, Settings};
use clap::Parser;

/// Measure what a call and a structure cost over the size of the scope.
///
/// Writes growth.md and growth.svg.
#[derive(Parser)]
#[command(version, name = "growth")]
struct Arguments {
    /// The plan, a RON file.
    #[arg(default_value = "benchmarks/growth.ron")]
    plan: PathBuf,
    /// Where to write.
    #[arg(short, long, value_name = "DIR", default_value = "benchmarks/results")]
    output: PathBuf,
    /// Run each this often, whatever the plan says.
    #[arg(short, long, value_parser = clap::value_parser!(u32).range(1..))]
    repeats: Option<u32>,
    /// Leave out what is larger than this k.
    #[arg(long, value_name = "K")]
    max_k: Option<u32>,
    /// The program to measure [default: `beget` beside this program].
    #[arg(long, value_name = "FILE")]
    beget: Option<PathBuf>,
}

fn main() -> ExitCode {
    match growth(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("growth: {error}");
            ExitCode::FAILURE
        }
    }
}

fn growth(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let at_plan = |error: &dyn Error| format!("{}: {error}", arguments.plan.display());
    let text = fs::read_to_string(&arguments.plan).map_err(|error| at_plan(&error))?;
    let plan: GrowthPlan = ron::from_str(&text).map_err(|error| at_plan(&error))?;
    let repeats = arguments.repeats.unwrap_or(plan.repeats).max(1);
    let beside = || Ok::<_, std::io::Error>(std::env::current_exe()?.with_file_name("beget"));
    let beget = arguments.beget.clone().map_or_else(beside, Ok)?;
    let settings = Settings { beget, threads: 1, max_memory_mib: None };
    let machine = Machine::read();
    let mut curves = Vec::new();
    for curve in plan.curves {
        let (least, largest) = curve.ks;
        let largest = arguments.max_k.map_or(largest, |most| largest.min(most));
        let points = (least..=largest).map(|k| point(&curve, k, repeats, &settings));
        let points: Vec<Point> = points.collect::<Result<_, _>>()?;
        curves.push((curve, points));
    }
    let write = |name: &str, text: String| {
        let path = arguments.output.join(name);
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    write("growth.svg", svg(&curves)?)?;
    Ok(write("growth.md", markdown(&curves, &machine))?)
}

fn point(
    curve: &Curve,
    k: u32,
    repeats: u32,
    settings: &Settings,
) -> Result<Point, Box<dyn Error>> {
    let mut runs: Vec<Measured> = Vec::new();
    for repeat in 1..=repeats {
        match measured::run(&curve.name, &curve.scope, k, settings)? {
            Ended::Complete(run) => {
                eprintln!("{repeat}/{repeats} {} {k}: {:.2} s CPU", curve.name, run.cpu_seconds);
                runs.push(run);
            }
            Ended::Stopped(reason) => {
                return Err(format!("{} at {k} stopped early: {reason}", curve.scope).into());
            }
        }
    }
    Ok(Point { k, runs })
}
