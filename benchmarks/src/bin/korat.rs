//! Runs the search from a repOK on every row of Korat's published counts, and writes what it counts
//! beside them.

use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use beget_benchmarks::child::{self, Sample};
use beget_benchmarks::korat::results::{Measured, Results, Verdict};
use beget_benchmarks::korat::{Entry, Published, markdown};
use beget_benchmarks::machine::Machine;
use clap::Parser;

/// Count candidates with the repOKs of the case studies, and compare with the counts of Korat.
///
/// Runs where the directory `scopes` is. Rows that are in the results already are left out, so that
/// a run that was stopped goes on where it was; `--again` makes them anew. Ends with 1 if a count
/// is wrong or a search fails.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The published counts
    #[arg(long, value_name = "FILE", default_value = "benchmarks/published/korat.ron")]
    published: PathBuf,
    /// The directory of `korat.md` and `korat.csv`; they are written after each row
    #[arg(short, long, value_name = "DIR", default_value = "benchmarks/results")]
    output: PathBuf,
    /// Leave out rows with more candidates
    #[arg(long, value_name = "N", default_value_t = 60_000_000)]
    max_explored: u64,
    /// Only subjects whose scope file or repOK contains this text
    #[arg(long, value_name = "TEXT", default_value = "")]
    subject: String,
    /// Threads of each search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    threads: u32,
    /// Run rows that are in the results already
    #[arg(long)]
    again: bool,
    /// The directory of the program `beget` [default: that of this program]
    #[arg(long, value_name = "DIR")]
    bin: Option<PathBuf>,
}

fn main() -> ExitCode {
    match Runner::new(Arguments::parse()).and_then(Runner::run) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(n_bad) => {
            eprintln!("korat: {n_bad} rows are wrong or failed");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("korat: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The run in progress.
struct Runner {
    arguments: Arguments,
    bin: String,
    published: Published,
    results: Results,
    machine: Machine,
}

impl Runner {
    fn new(arguments: Arguments) -> Result<Self, Box<dyn Error>> {
        let at = |path: &Path, error: &dyn Error| format!("{}: {error}", path.display());
        let path = &arguments.published;
        let text = fs::read_to_string(path).map_err(|error| at(path, &error))?;
        let published = Published::parse(&text).map_err(|error| at(path, &error))?;
        let path = arguments.output.join("korat.csv");
        let results = match fs::read_to_string(&path) {
            Ok(text) => Results::parse(&text).map_err(|error| at(&path, &error))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Results::default(),
            Err(error) => return Err(at(&path, &error).into()),
        };
        let bin = match &arguments.bin {
            Some(bin) => bin.clone(),
            None => std::env::current_exe()?.with_file_name(""),
        };
        let bin = bin.to_string_lossy().trim_end_matches('/').to_owned();
        Ok(Runner { arguments, bin, published, results, machine: Machine::read() })
    }

    /// Runs what is to be run; how many rows are bad.
    fn run(self) -> Result<usize, Box<dyn Error>> {
        let Runner { arguments, bin, published, mut results, machine } = self;
        let wanted: Vec<Entry<'_>> =
            published.entries().filter(|entry| arguments.wants(entry)).collect();
        let mut n_failed = 0;
        for entry in &wanted {
            if results.get(entry).is_some() && !arguments.again {
                continue;
            }
            match child::run(&entry.command(arguments.threads), &bin) {
                Ok(sample) => {
                    results.insert(entry, measured(&sample, arguments.threads));
                    note_progress(entry, &sample, results.verdict(entry));
                    write(&arguments.output, &published, &results, &machine)?;
                }
                Err(error) => {
                    eprintln!("{entry}: {error}");
                    n_failed += 1;
                }
            }
        }
        let is_wrong = |entry: &&Entry<'_>| results.verdict(entry) == Verdict::Wrong;
        let n_wrong = wanted.iter().filter(is_wrong).count();
        Ok(n_wrong + n_failed)
    }
}

impl Arguments {
    fn wants(&self, entry: &Entry<'_>) -> bool {
        let names = [&entry.subject.scope, &entry.subject.repok];
        let is_named = names.into_iter().any(|name| name.contains(&self.subject));
        is_named && entry.row.explored <= self.max_explored
    }
}

fn measured(sample: &Sample, threads: u32) -> Measured {
    let seconds = sample.wall.as_secs_f64();
    Measured { counts: sample.counts, seconds, peak_rss: sample.peak_rss, threads }
}

fn note_progress(entry: &Entry<'_>, sample: &Sample, verdict: Verdict) {
    let (counts, seconds) = (sample.counts, sample.wall.as_secs_f64());
    let (generated, explored) = (counts.generated, counts.explored);
    eprintln!("{entry}: {generated} / {explored}, {}, {seconds:.2} s", verdict.word());
}

/// Replaces the files, so that one that is read meanwhile is whole.
fn write(
    directory: &Path,
    published: &Published,
    results: &Results,
    machine: &Machine,
) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    let page = markdown::page(published, results, machine);
    for (name, text) in [("korat.csv", results.to_csv(published)), ("korat.md", page)] {
        let unfinished = directory.join(format!("{name}.new"));
        fs::write(&unfinished, text)?;
        fs::rename(unfinished, directory.join(name))?;
    }
    Ok(())
}
