//! How often the error bars of `beget estimate` hold on the rows of Table 1, and what it says of the
//! rows that were not run.

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use beget_benchmarks::estimates::beyond::{QUESTIONS, answers};
use beget_benchmarks::estimates::{classes, markdown};
use clap::Parser;

/// Write estimate.md: how often the error bars of `beget estimate` hold on the rows of Table 1 of
/// the BEAPI paper.
#[derive(Parser)]
#[command(version, name = "estimate")]
struct Arguments {
    /// Ask beget again about the rows that were not run; writes estimate.json
    #[arg(long)]
    run: bool,
    /// Where table1.csv is, and where to write.
    #[arg(short, long, value_name = "DIR", default_value = "benchmarks/results")]
    output: PathBuf,
    /// The program to ask [default: `beget` beside this program].
    #[arg(long, value_name = "FILE")]
    beget: Option<PathBuf>,
}

fn main() -> ExitCode {
    match estimate(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("estimate: {error}");
            ExitCode::FAILURE
        }
    }
}

fn estimate(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let file = arguments.output.join("estimate.json");
    if arguments.run {
        let beside = std::env::current_exe()?.with_file_name("beget");
        let beget = arguments.beget.clone().unwrap_or(beside);
        let mut printed = Vec::new();
        for question in QUESTIONS {
            eprintln!("{}, k = {} ...", question.suite, question.k);
            printed.push(question.ask(&beget.to_string_lossy())?.trim().to_owned());
        }
        fs::write(&file, format!("[\n{}\n]\n", printed.join(",\n")))?;
    }
    let classes = classes(&fs::read_to_string(arguments.output.join("table1.csv"))?)?;
    let answers = answers(&fs::read_to_string(&file)?)?;
    fs::write(arguments.output.join("estimate.md"), markdown::markdown(&classes, &answers))?;
    Ok(())
}
