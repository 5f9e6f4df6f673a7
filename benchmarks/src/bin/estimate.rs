//! How often the error bars of `beget estimate` hold, on the rows of Table 1 and on other suites, and
//! what it says of the rows that were not run.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use beget_benchmarks::estimates::beyond::QUESTIONS;
use beget_benchmarks::estimates::{classes, elsewhere, markdown};
use clap::Parser;

/// Write estimate.md: how often the error bars of `beget estimate` hold, on the rows of Table 1 of
/// the BEAPI paper and on other suites.
#[derive(Parser)]
#[command(version, name = "estimate")]
struct Arguments {
    /// Ask beget again about other suites and the rows that were not run; writes estimate.json
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
    let classes = classes(&fs::read_to_string(arguments.output.join("table1.csv"))?)?;
    if arguments.run {
        let beside = std::env::current_exe()?.with_file_name("beget");
        let beget = arguments.beget.clone().unwrap_or(beside);
        let beget = beget.to_string_lossy();
        let mut elsewhere = Vec::new();
        for scope in elsewhere::scopes(Path::new("scopes"))? {
            eprintln!("{} ...", scope.display());
            let is_of_table = |suite: &str| classes.iter().any(|class| class.suite == suite);
            for trial in elsewhere::trials(&beget, &scope, is_of_table)? {
                elsewhere.push(serde_json::to_string(&trial)?);
            }
        }
        let mut beyond = Vec::new();
        for question in QUESTIONS {
            eprintln!("{}, k = {} ...", question.suite, question.k);
            beyond.push(question.ask(&beget)?.trim().to_owned());
        }
        let [elsewhere, beyond] = [elsewhere, beyond].map(|lines| lines.join(",\n"));
        let text = format!("{{\"elsewhere\": [\n{elsewhere}\n],\n\"beyond\": [\n{beyond}\n]}}\n");
        fs::write(&file, text)?;
    }
    let printed = serde_json::from_str(&fs::read_to_string(&file)?)?;
    fs::write(arguments.output.join("estimate.md"), markdown::markdown(&classes, &printed))?;
    Ok(())
}
