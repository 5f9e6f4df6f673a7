//! The long run: a process that watches, and one that reads and may die.
//!
//! `cargo run --profile fuzz -p beget-fuzz -- --inputs 1000000`

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use beget_fuzz::{
    Corpus, Finding, MEMORY, MOST_MEMORY, Totals, install_panic_hook, show_input, try_input,
};
use clap::Parser;

/// Reads mutated scope files, builders files and command lines, and reports panics, deaths, slow
/// and large ones
#[derive(Clone, Debug, Parser)]
struct Cli {
    /// How many inputs to read
    #[arg(long, default_value_t = 1_000_000)]
    inputs: u64,
    /// The number of the first input
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// What all inputs depend on
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Print the first input instead of reading any
    #[arg(long)]
    show: bool,
    /// Where the reading process writes the number of the input at hand; without it, this process
    /// watches
    #[arg(long, hide = true)]
    at: Option<PathBuf>,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match &cli.at {
        _ if cli.show => {
            println!("{}", show_input(&Corpus::new(), cli.seed, cli.from));
            ExitCode::SUCCESS
        }
        Some(at) => read(&cli, at),
        None => watch(&cli),
    }
}

/// How often the reading process says how far it is.
const BATCH: u64 = 1000;

/// Reads inputs and prints what came of them, a line each.
fn read(cli: &Cli, at: &Path) -> ExitCode {
    let at = File::options().write(true).open(at).expect("the file is there");
    let corpus = Corpus::new();
    install_panic_hook();
    MEMORY.set_limit(MOST_MEMORY).expect("less is held by now");
    let mut totals = Totals::default();
    for number in cli.from..cli.from + cli.inputs {
        at.write_all_at(&number.to_le_bytes(), 0).expect("the file can be written");
        match try_input(&corpus, cli.seed, number, &mut totals) {
            Some(Finding::Panic(message)) => println!("finding {number} panic: {message:?}"),
            Some(Finding::Slow(seconds)) => {
                println!("finding {number} slow: {seconds:.2} s of CPU")
            }
            None => {}
        }
        if (number + 1) % BATCH == 0 || number + 1 == cli.from + cli.inputs {
            let [scopes, builders, arguments] = totals.by_kind;
            let (slowest, seconds) = totals.slowest;
            let peak = MEMORY.max_allocated();
            println!(
                "batch {scopes} {builders} {arguments} {} {slowest} {seconds} {peak}",
                totals.taken
            );
            totals = Totals::default();
        }
    }
    ExitCode::SUCCESS
}

/// What the watching process knows.
#[derive(Debug, Default)]
struct Report {
    totals: Totals,
    peak: usize,
    findings: Vec<String>,
}

/// An input that takes longer than this, by the wall clock, is ended. Slow ones are told by their
/// CPU time.
const PATIENCE: Duration = Duration::from_secs(120);

fn watch(cli: &Cli) -> ExitCode {
    let at = tempfile::NamedTempFile::new().expect("a temporary file");
    let mut report = Report::default();
    let (mut from, end) = (cli.from, cli.from + cli.inputs);
    while from < end {
        at.as_file().set_len(0).expect("the file can be written");
        let mut child = start(&Cli { from, inputs: end - from, ..cli.clone() }, at.path());
        let was_killed = listen(&mut child, at.path(), &mut report);
        let status = child.wait().expect("the process was started");
        if status.success() {
            break;
        }
        let number = number_at(at.path()).expect("the process died before the first input");
        let how = if was_killed { "does not end".to_owned() } else { format!("dies: {status}") };
        note(&mut report, format!("{number} {how}"));
        from = number + 1;
    }
    print(&report, cli.seed);
    if report.findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn start(cli: &Cli, at: &Path) -> Child {
    let program = std::env::current_exe().expect("the program knows its place");
    let numbers = [("--from", cli.from), ("--inputs", cli.inputs), ("--seed", cli.seed)];
    Command::new(program)
        .args(numbers.iter().flat_map(|(flag, number)| [(*flag).to_owned(), number.to_string()]))
        .arg("--at")
        .arg(at)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program can be started")
}

/// Takes down what the process says until it ends; whether it had to be ended.
fn listen(child: &mut Child, at: &Path, report: &mut Report) -> bool {
    let output = BufReader::new(child.stdout.take().expect("it is piped"));
    let (sender, lines) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        output.lines().map_while(Result::ok).all(|line| sender.send(line).is_ok())
    });
    let mut was_killed = false;
    let mut seen = None;
    loop {
        match lines.recv_timeout(PATIENCE) {
            Ok(line) => take(&line, report),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                let number = number_at(at);
                if number.is_some() && seen == number {
                    was_killed = true;
                    child.kill().expect("it runs");
                }
                seen = number;
            }
        }
    }
    reader.join().expect("it only reads");
    was_killed
}

fn take(line: &str, report: &mut Report) {
    if let Some(finding) = line.strip_prefix("finding ") {
        return note(report, finding.to_owned());
    }
    let words: Vec<&str> = line.split(' ').skip(1).collect();
    let number = |index: usize| words[index].parse::<u64>().expect("a number");
    let totals = &mut report.totals;
    let before = totals.inputs();
    (0..3).for_each(|kind| totals.by_kind[kind] += number(kind));
    totals.taken += number(3);
    let slowest = (number(4), words[5].parse().expect("seconds"));
    if slowest.1 > totals.slowest.1 {
        totals.slowest = slowest;
    }
    report.peak = report.peak.max(number(6) as usize);
    let after = totals.inputs();
    if before / 50_000 != after / 50_000 {
        eprintln!("{after} inputs, {} findings", report.findings.len());
    }
}

fn note(report: &mut Report, finding: String) {
    eprintln!("input {finding}");
    report.findings.push(finding);
}

/// The input at hand, if there was one.
fn number_at(at: &Path) -> Option<u64> {
    let bytes = std::fs::read(at).ok()?;
    bytes.try_into().ok().map(u64::from_le_bytes)
}

fn print(report: &Report, seed: u64) {
    let Totals { by_kind: [scopes, builders, arguments], taken, slowest } = report.totals;
    let inputs = report.totals.inputs();
    println!(
        "inputs      {inputs} = {scopes} scope files + {builders} builders files + {arguments} command lines (seed {seed})"
    );
    println!("taken       {taken}, the others refused with a message");
    println!("slowest     {:.3} s of CPU (input {})", slowest.1, slowest.0);
    println!("memory      {} MiB at most", report.peak >> 20);
    println!("findings    {}", report.findings.len());
    report.findings.iter().take(20).for_each(|finding| println!("  input {finding}"));
}
