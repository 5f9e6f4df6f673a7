//! Writes what searches for chromosomes find, and what that is worth: `nighthawk.md`.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use beget_benchmarks::nighthawk::Searches;
use clap::Parser;

/// Repeat the experiments of Nighthawk on subjects with marks
#[derive(Parser)]
#[command(version, name = "nighthawk")]
struct Arguments {
    /// Searches of each subject
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Pairs, and fresh runs of a chromosome
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,
    /// Where to write
    #[arg(short, long, default_value = "benchmarks/results/nighthawk.md")]
    output: PathBuf,
}

fn main() -> ExitCode {
    let Arguments { seeds, pairs, output } = Arguments::parse();
    let searches = Searches::new(seeds);
    let text = format!(
        "# What chromosomes are worth to random runs\n\n\
        What `just nighthawk` makes: the experiments of Nighthawk (Andrews, Li and Menzies, ASE 2007) on the containers with marks and on the triangle program. All numbers depend on seeds alone.\n\n\
        ## Searches\n\n\
        {seeds} searches of each subject with the defaults of `beget evolve`: 20 chromosomes, 50 generations, 10 test cases by which each is rated. *Runs that cover all*: in how many searches the ten test \
        cases of one chromosome covered all that is reachable, and in which generation that was first so, on average of these; 0 is the first, of mutants of the template. *Fresh*: what ten fresh test cases of the chromosome found \
        cover, {pairs} times for each search; in parentheses as a share of what is reachable. *Calls*: those of ten such test cases, on average.\n\n{}\n\
        Points are the marked blocks; those that can be reached are known (`containers.md`). Published: 100 % of the directions of the triangle in 10 of 10 runs, after 8.5 generations on average (28 directions there, 34 in the program here); all reachable blocks of the four containers.\n\n\
        ## Weights\n\n\
        The chromosome found with seed 1, and the same with equal weights: what ten test cases cover, by {pairs} pairs of equal seeds. p is that of a sign test.\n\n{}\n\
        ## Other ways of drawing\n\n\
        Blocks and predicates covered by as many calls, on average of {pairs} seeds: by the chromosomes found with seed 1, for blocks, by feedback-directed sequences with `--ints 0..=99`, and by these with `--swarm 100`. The calls of \
        the search itself (some hundred thousand) are not counted.\n\n{}",
        searches.table(pairs),
        searches.weights(pairs),
        searches.strategies(pairs, &[500, 4_000]),
    );
    match fs::write(&output, text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("nighthawk: {}: {error}", output.display());
            ExitCode::FAILURE
        }
    }
}
