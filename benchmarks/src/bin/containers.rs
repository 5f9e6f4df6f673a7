//! Runs the coverage experiment on four containers and writes its table.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use beget_benchmarks::containers::{CONTAINERS, Covered, options, run};
use beget_benchmarks::machine::Machine;
use beget_benchmarks::table::{Spread, grouped};
use beget_run::random::Direction;
use clap::Parser;

/// Run the coverage experiment on four containers.
///
/// Writes containers.md. Ends with 1 if a run by feedback does not cover what can be covered.
#[derive(Parser)]
#[command(version, name = "containers")]
struct Arguments {
    /// Seeds.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Calls of each run.
    #[arg(long, default_value_t = 2_000_000)]
    calls: u64,
    /// Where to write.
    #[arg(short, long, value_name = "DIR", default_value = "benchmarks/results")]
    output: PathBuf,
}

const HEAD: &str = "\
| container | strategy | blocks | predicates | calls to blocks | calls to predicates | seconds | published seconds |
|---|---|---|---|---:|---:|---:|---:|
";

const NOTE: &str = "What is covered is looked at every 64 sequences, so calls are known to some \
    hundred by feedback, and to 64,000 without, where each sequence has a thousand calls. Seconds are \
    those to the last predicate; published ones (Pentium 4, 3.6 GHz) are to the last block, and to the \
    last predicate.";

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut text = format!("# Coverage of four containers\n\nMachine: {}. ", Machine::read());
    let (seeds, calls) = (arguments.seeds, grouped(arguments.calls));
    writeln!(text, "{seeds} seeds; at most {calls} calls a run. {NOTE}\n\n{HEAD}").expect("text");
    text.pop();
    let mut is_reached = true;
    for container in &CONTAINERS {
        for direction in [Direction::Feedback, Direction::Undirected] {
            let runs: Vec<Covered> = (0..seeds)
                .map(|seed| run(container, &options(direction.clone(), seed, arguments.calls)))
                .collect();
            let all = |reached: &dyn Fn(&Covered) -> usize, most: usize| {
                let least = runs.iter().map(reached).min().unwrap_or(0);
                let hits = runs.iter().filter(|run| reached(run) >= most).count();
                (format!("{hits} of {seeds} seeds {most}, least {least}"), least >= most)
            };
            let (blocks, has_blocks) = all(&|run| run.blocks, container.blocks);
            let (predicates, has_predicates) = all(&|run| run.predicates, container.predicates);
            let is_feedback = direction == Direction::Feedback;
            is_reached &= !is_feedback || has_blocks && has_predicates;
            let spread = |of: &dyn Fn(&Covered) -> f64| Spread::of(runs.iter().map(of));
            let (of_blocks, of_predicates) = container.published_seconds;
            writeln!(
                text,
                "| {} | {} | {blocks} | {predicates} | {} | {} | {} | {} |",
                container.name,
                if is_feedback { "feedback" } else { "undirected" },
                spread(&|run| run.calls_to_blocks as f64).show(0),
                spread(&|run| run.calls_to_predicates as f64).show(0),
                spread(&|run| run.seconds).show(2),
                if is_feedback {
                    format!("{of_blocks}, {of_predicates}")
                } else {
                    "–".to_owned()
                },
            )
            .expect("text");
            eprintln!("{}", text.lines().last().unwrap_or_default());
        }
    }
    let path = arguments.output.join("containers.md");
    match fs::write(&path, text) {
        Ok(()) if is_reached => ExitCode::SUCCESS,
        Ok(()) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("containers: {}: {error}", path.display());
            ExitCode::FAILURE
        }
    }
}
