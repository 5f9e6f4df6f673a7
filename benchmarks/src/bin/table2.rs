//! Measures what builders and state matching are worth, and writes tables.
//!
//! The runs are made by this program too: called by the name `beget`, it is `beget`.

use std::error::Error;
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use beget_benchmarks::machine::Machine;
use beget_benchmarks::table2::ablation::{self, Reach};
use beget_benchmarks::table2::data::Data;
use beget_benchmarks::table2::journal::{Journal, Origin};
use beget_benchmarks::table2::runner::{Limits, Runner};
use beget_benchmarks::table2::sets;
use clap::{Args, Parser, Subcommand};

// SAFETY: the case studies keep no state outside their values, as the promise of `beget_process::alloc`
// asks.
beget_process::alloc::install!(unsafe);

/// Measure what builders and state matching are worth
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Find the builders of every subject by every search, and compare with the published ones
    Builders(Options),
    /// Generate with and without builders and state matching, at growing scopes
    Ablation(AblationOptions),
}

#[derive(Args)]
struct Options {
    /// What to measure
    #[arg(long, default_value = "benchmarks/published/table2.ron")]
    data: PathBuf,
    /// Where to write, without extension [default: benchmarks/results/builders or table2]
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Only subjects whose names contain this; can be given several times
    #[arg(long)]
    suite: Vec<String>,
    /// Most seconds of one identification
    #[arg(long, default_value_t = 600.0)]
    identify_seconds: f64,
    /// Most memory of a run, in MiB
    #[arg(long, default_value_t = 6000)]
    max_memory: u64,
    /// Threads of a run
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Small scopes and short runs, to see that everything works
    #[arg(long)]
    quick: bool,
    /// Forget what was measured before
    #[arg(long)]
    fresh: bool,
}

#[derive(Args)]
struct AblationOptions {
    #[command(flatten)]
    options: Options,
    /// Most seconds of one run
    #[arg(long, default_value_t = 60.0)]
    seconds: f64,
    /// The largest scope to try
    #[arg(long, default_value_t = 40)]
    largest: u32,
}

/// Scopes and seconds of quick runs.
const QUICK: (u32, f64) = (3, 2.0);

fn main() -> ExitCode {
    let name = env::args_os().next().map(PathBuf::from);
    if name.is_some_and(|name| name == Path::new("beget")) {
        return beget_program::main(beget_subjects::suites());
    }
    let ended = match Cli::parse().command {
        Command::Builders(options) => builders(&options),
        Command::Ablation(options) => ablation(&options),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("table2: {error}");
            ExitCode::FAILURE
        }
    }
}

fn builders(options: &Options) -> Result<(), Box<dyn Error>> {
    let output = options.output("benchmarks/results/builders");
    let (data, mut runner) = (options.data()?, options.runner(&output)?);
    let about = about(&runner, &options.identification());
    let mut measured = Vec::new();
    for subject in &data.subjects {
        let k = subject.k.min(options.largest_identification());
        measured.push(sets::measure(subject, k, &mut runner, options.identification())?);
        write(&output, sets::documents(&data, &measured, &about))?;
    }
    Ok(())
}

fn ablation(
    AblationOptions { options, seconds, largest }: &AblationOptions,
) -> Result<(), Box<dyn Error>> {
    let output = options.output("benchmarks/results/table2");
    let (data, mut runner) = (options.data()?, options.runner(&output)?);
    let quick = options.quick.then_some(QUICK);
    let (most_k, most_seconds) = quick.unwrap_or((*largest, *seconds));
    let reach = Reach {
        runs: options.limits(seconds.min(most_seconds)),
        identification: options.identification(),
        largest: most_k.min(*largest),
        largest_identification: options.largest_identification(),
    };
    let about = about(&runner, &reach.runs);
    let mut measured = Vec::new();
    for subject in &data.subjects {
        measured.push(ablation::measure(subject, &mut runner, reach)?);
        write(&output, ablation::documents(&data, &measured, &about))?;
    }
    Ok(())
}

impl Options {
    fn data(&self) -> Result<Data, Box<dyn Error>> {
        let at_data = |error: &dyn Error| format!("{}: {error}", self.data.display());
        let text = fs::read_to_string(&self.data).map_err(|error| at_data(&error))?;
        let mut data = Data::parse(&text).map_err(|error| at_data(&error))?;
        data.choose(&self.suite)?;
        Ok(data)
    }

    fn output(&self, default: &str) -> PathBuf {
        self.output.clone().unwrap_or_else(|| PathBuf::from(default))
    }

    fn runner(&self, output: &Path) -> io::Result<Runner> {
        let program = env::current_exe()?;
        let journal = output.with_extension("jsonl");
        if self.fresh && journal.exists() {
            fs::remove_file(&journal)?;
        }
        let machine = Machine::read().to_string();
        let journal = Journal::open(&journal, Origin { build: build(&program)?, machine })?;
        Ok(Runner { program, root: env::current_dir()?, journal })
    }

    fn largest_identification(&self) -> u32 {
        if self.quick { QUICK.0 } else { u32::MAX }
    }

    fn identification(&self) -> Limits {
        self.limits(self.identify_seconds)
    }

    fn limits(&self, seconds: f64) -> Limits {
        Limits { seconds, memory: self.max_memory, threads: self.threads }
    }
}

/// What tells this build from others.
fn build(program: &Path) -> io::Result<String> {
    // A fixed hash: the journal must mean the same tomorrow.
    let mut hasher = DefaultHasher::new();
    let mut file = BufReader::new(fs::File::open(program)?);
    // Piece by piece: what this process holds at most counts as held by those that it starts.
    loop {
        let piece = file.fill_buf()?;
        if piece.is_empty() {
            return Ok(format!("{:016x}", hasher.finish()));
        }
        hasher.write(piece);
        let len = piece.len();
        file.consume(len);
    }
}

fn about(runner: &Runner, limits: &Limits) -> String {
    let Limits { seconds, memory, threads } = limits;
    format!(
        "Machine: {}. Limits of a run: {seconds} s, {memory} MiB; threads: {threads}.",
        runner.journal.machine()
    )
}

fn write(output: &Path, (markdown, csv): (String, String)) -> io::Result<()> {
    fs::write(output.with_extension("md"), markdown)?;
    fs::write(output.with_extension("csv"), csv)
}
