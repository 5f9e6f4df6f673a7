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
    /// Generations of a search, after the first
    #[arg(long, default_value_t = 25)]
    generations: u32,
    /// Pairs, and fresh runs of a chromosome
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,
    /// Only subjects with this in their name, such as `FibHeap, conditions`
    #[arg(long, default_value = "")]
    only: String,
    /// Where to write
    #[arg(short, long, default_value = "benchmarks/results/nighthawk.md")]
    output: PathBuf,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let Arguments { seeds, generations, ref only, ref output, .. } = arguments;
    let searches = Searches::new(seeds, generations, only, &mut |subject| eprintln!("{subject}"));
    match fs::write(output, report(&arguments, &searches)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("nighthawk: {}: {error}", output.display());
            ExitCode::FAILURE
        }
    }
}

fn report(arguments: &Arguments, searches: &Searches) -> String {
    let Arguments { seeds, generations, pairs, .. } = arguments;
    format!(
        "# What chromosomes are worth to random runs\n\n\
        What `just nighthawk` makes: the experiments of Nighthawk (Andrews, Li and Menzies, ASE 2007) on the containers with marks and on the triangle program. All numbers depend on seeds alone.\n\n\
        ## Searches\n\n\
        {seeds} searches of each subject with the defaults of `beget evolve`, but with {generations} generations after the first in place of 50: 20 chromosomes, 10 test cases by which each is rated. The searches made {calls} calls in all. \
        *Searches that cover all*: in how many of them the ten test cases of one chromosome covered all that is reachable, and in which generation that was first so, on average of these; 0 is the first, of mutants of the template. \
        *Least of a search*: the most that ten test cases of one chromosome covered in a search, of the search where that is least. *Fresh*: what ten fresh test cases of the chromosome found cover, {pairs} times for each search; in \
        parentheses as a share of what is reachable.\n\n{table}\n\
        *Blocks* are the marks in the code; those that can be reached are known (`containers.md`). *Conditions* are pairs of a mark and a combination of truth values: at each mark the container looks at a fixed list of conditions of the \
        nodes at hand (is there a left child, is the node red, which key is less, ...), and each combination of their values that was seen there is a point, so it is multiple condition coverage at marks. Reachable are those that some run \
        has reached (`containers.md`). A search for conditions counts them as its points; *all conditions* has the sums of the means.\n\n\
        Published: 100 % of the directions of the triangle in 10 of 10 searches, after 8.5 generations on average (28 directions there, 34 in the program here); all reachable blocks of the four containers; of the reachable combinations of \
        conditions (those of the decisions of the Java code, other ones than here) 1.0, .93, .94 and .85.\n\n\
        ## Weights\n\n\
        The chromosome found with seed 1, and the same with equal weights: what ten test cases cover, by {pairs} pairs of equal seeds. p is that of a two-sided sign test.\n\n{weights}\n\
        ## Other ways of drawing\n\n\
        What as many calls cover, on average of {pairs} seeds: by the chromosomes found with seed 1, by feedback-directed sequences with `ints: \"0..=99\"`, and by these with `swarm: 100`. p is that of a two-sided sign test of pairs of equal \
        seeds. The calls of the search itself are not counted: where another way covers as much with as many calls as the search took beside, the search was not worth it for one run.\n\n{strategies}",
        calls = searches.calls(),
        table = searches.table(*pairs),
        weights = searches.weights(*pairs),
        strategies = searches.strategies(*pairs, &[500, 4_000, 20_000]),
    )
}
