//! Writes what each option of random runs is worth: `random_options.md`.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use beget_benchmarks::random_options::table;
use beget_benchmarks::table::grouped;
use clap::Parser;

/// Measure what each option of random runs is worth
#[derive(Parser)]
#[command(version, name = "random_options")]
struct Arguments {
    /// Seeds
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Calls of a run
    #[arg(long, default_value_t = 4_000, value_parser = clap::value_parser!(u64).range(1..))]
    calls: u64,
    /// Where to write
    #[arg(short, long, default_value = "benchmarks/results/random_options.md")]
    output: PathBuf,
}

fn main() -> ExitCode {
    let Arguments { seeds, calls, output } = Arguments::parse();
    let text = format!(
        "# What options of random runs are worth\n\n\
        What `just random-options` makes: runs of {} calls with an option, and without it, by {seeds} seeds. A run without has the defaults, with `ints: \"0..=99\"`. Containers \
        (the first four) are compared by the predicates covered, suites, with all methods, by the different structures of the main type. A cell is the mean with the option divided by that without, \
        and in how many seeds there was more and less. The last column counts subjects: with more in nine of ten seeds, and with less. All numbers depend on seeds alone.\n\n{}",
        grouped(calls),
        table(seeds, calls)
    );
    match fs::write(&output, text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("random_options: {}: {error}", output.display());
            ExitCode::FAILURE
        }
    }
}
