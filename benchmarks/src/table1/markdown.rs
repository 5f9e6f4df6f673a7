//! The table as Markdown.

use std::fmt::Write as _;

use super::measured::{Measured, Verdict};
use super::published::{Beapi, Korat, Mark};
use super::results::Header;
use super::{Line, State};
use crate::table::grouped;

const HEAD: &str = "\
| class | k | structures | calls as published | calls | counts | wall s | CPU s | calls/s | store B/structure | \
peak B/structure | BEAPI s | ratio | Korat s | ratio | Korat structures | Korat candidates | mark |
|---|---:|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|
";

/// What no row may be read without.
const PREAMBLE: &str = "\
Counts and outcomes of BEAPI and Korat are those of Table 1 of the BEAPI paper (FASE 2023), whose runs were limited to 60 \
minutes each on an Intel Core i7-8700 with 16 GB (section 4). Their seconds are as printed there, misprints included. A *ratio* is the \
published time over the wall time here, of another machine and another language: it tells orders of magnitude. It is \
shown where this run took 0.05 s or more; a tool that ran into its limit took more than the number that stands there.
";

const COLUMNS: &str = "\
*structures* and *calls as published* are what the API gives in the paper's way of counting, which calls constructors again \
in each round; *calls* are those beget made. *counts* compares both with what beget counted. Times and peak memory are those \
of the whole process, start-up included: no rate is shown below 0.05 s, and no memory a structure below 10,000 structures. \
*Mark*: P printed in the paper for this class, V enumerated independently, PV both, I inferred from a closed form or another count. \
What a row needs that was not run goes by the largest row of its class that was: CPU time a call, bytes of the store a structure.
";

/// Below this a process has hardly done anything but start.
const LEAST_SECONDS: f64 = 0.05;

/// Below this the memory is that of the program.
const LEAST_STRUCTURES: u64 = 10_000;

/// The whole document.
#[must_use]
pub fn markdown(header: &Header, lines: &[Line<'_>]) -> String {
    let Header { machine, threads, version } = header;
    let mut text = format!(
        "# BEAPI against Korat, and beget\n\n{PREAMBLE}\nMachine: {machine}. beget {version}, threads of each run: {threads}.\n\n{}\n",
        summary(lines)
    );
    let mut notes = Vec::new();
    for block in lines.chunk_by(|a, b| a.subject.benchmark == b.subject.benchmark) {
        write!(text, "## {}\n\n{HEAD}", block[0].subject.benchmark).expect("a string takes all");
        for line in block {
            push_row(&mut text, line, &mut notes);
        }
        text.push('\n');
    }
    text.push_str(COLUMNS);
    if !notes.is_empty() {
        text.push_str("\n## Notes\n\n");
    }
    for (at, note) in notes.iter().enumerate() {
        writeln!(text, "{}. {note}", at + 1).expect("a string takes all");
    }
    text
}

/// How many rows were run and how many are as published.
fn summary(lines: &[Line<'_>]) -> String {
    let verdicts: Vec<Verdict> = lines.iter().filter_map(Line::verdict).collect();
    let n_equal = verdicts.iter().filter(|&verdict| *verdict == Verdict::Equal).count();
    let n_unknown = verdicts.iter().filter(|&verdict| *verdict == Verdict::Unknown).count();
    let beyond = |line: &&Line<'_>| line.verdict().is_some() && line.row.beapi == Beapi::TimedOut;
    let is_listed = |line: &&Line<'_>| line.row.beapi != Beapi::NotListed;
    format!(
        "{} of {} rows were run, and {} of the {} that are in the table of the paper: {n_equal} with the counts published, {} with others, {n_unknown} for which none are known. \
         In {} of them BEAPI timed out.\n",
        verdicts.len(),
        lines.len(),
        lines.iter().filter(|line| is_listed(line) && line.verdict().is_some()).count(),
        lines.iter().filter(is_listed).count(),
        verdicts.len() - n_equal - n_unknown,
        lines.iter().filter(beyond).count(),
    )
}

fn push_row(text: &mut String, line: &Line<'_>, notes: &mut Vec<String>) {
    let Line { subject, row, .. } = line;
    let class = format!("{}{}", subject.class, number(subject.note.as_deref(), notes));
    let mark = format!("{}{}", mark(row.mark), number(row.note.as_deref(), notes));
    let mut cells = vec![class, row.k.to_string(), count(row.generated), count(row.explored)];
    cells.extend(measured_cells(line));
    cells.extend(published_cells(line));
    cells.push(mark);
    writeln!(text, "| {} |", cells.join(" | ")).expect("a string takes all");
}

/// A reference to a note, which is the same for the same text.
fn number(note: Option<&str>, notes: &mut Vec<String>) -> String {
    let Some(note) = note else { return String::new() };
    let at = notes.iter().position(|known| known == note).unwrap_or_else(|| {
        notes.push(note.to_owned());
        notes.len() - 1
    });
    format!(" ({})", at + 1)
}

fn measured_cells(line: &Line<'_>) -> [String; 7] {
    match &line.state {
        State::Measured(measured) => cells_of(line, measured),
        State::NotRun(reason) => {
            let needs = line.need.map(|need| format!(": needs {need}")).unwrap_or_default();
            let told = format!("not run ({reason}){needs}");
            [none(), told, none(), none(), none(), none(), none()]
        }
    }
}

fn cells_of(line: &Line<'_>, measured: &Measured) -> [String; 7] {
    let counts = match line.verdict() {
        Some(Verdict::Equal) => "equal".to_owned(),
        Some(Verdict::Differs(how)) => format!("**differ**: {how}"),
        Some(Verdict::Unknown) | None => {
            format!("{} structures, none known", grouped(measured.generated))
        }
    };
    let bytes = measured.bytes_per_structure().filter(|_| measured.generated >= LEAST_STRUCTURES);
    let (store, peak) = bytes.unzip();
    let is_long = measured.wall_seconds >= LEAST_SECONDS;
    [
        grouped(measured.explored),
        counts,
        format!("{:.2}", measured.wall_seconds),
        format!("{:.2}", measured.cpu_seconds),
        rounded(is_long.then(|| measured.calls_per_second())),
        rounded(store),
        rounded(peak),
    ]
}

fn rounded(value: Option<f64>) -> String {
    count(value.map(|value| value.round() as u64))
}

fn published_cells(line: &Line<'_>) -> [String; 6] {
    let wall = line.state.measured().map(|measured| measured.wall_seconds);
    let wall = wall.filter(|&seconds| seconds >= LEAST_SECONDS);
    let [beapi, beapi_ratio] = match line.row.beapi {
        Beapi::Finished { published_seconds } => finished(published_seconds, wall),
        Beapi::TimedOut => timed_out(wall),
        Beapi::NoResult => ["no result".to_owned(), none()],
        Beapi::NotListed => [none(), none()],
    };
    let ([korat, korat_ratio], counts) = match line.row.korat {
        Korat::Finished { generated, explored, published_seconds } => {
            (finished(published_seconds, wall), Some((generated, explored)))
        }
        Korat::TimedOut => (timed_out(wall), None),
        Korat::NoResult => (["no result".to_owned(), none()], None),
        Korat::NotListed => ([none(), none()], None),
    };
    let (generated, explored) = counts.unzip();
    [beapi, beapi_ratio, korat, korat_ratio, count(generated), count(explored)]
}

/// The limit of each run of the paper.
const LIMIT_SECONDS: f64 = 3600.0;

/// The published time of a run that ended, and how many times as long as `wall` that is.
fn finished(published_seconds: Option<f64>, wall: Option<f64>) -> [String; 2] {
    let Some(seconds) = published_seconds else { return ["finished".to_owned(), none()] };
    [seconds.to_string(), wall.map_or_else(none, |wall| ratio(seconds / wall))]
}

fn timed_out(wall: Option<f64>) -> [String; 2] {
    let more = |wall: f64| format!("> {}", ratio(LIMIT_SECONDS / wall));
    ["timeout".to_owned(), wall.map_or_else(none, more)]
}

/// With two digits where it has fewer than three.
fn ratio(ratio: f64) -> String {
    if ratio < 10.0 { format!("{ratio:.1}") } else { grouped(ratio.round() as u64) }
}

fn count(count: Option<u64>) -> String {
    count.map_or_else(none, grouped)
}

fn none() -> String {
    "–".to_owned()
}

fn mark(mark: Mark) -> &'static str {
    match mark {
        Mark::Printed => "P",
        Mark::PrintedAndVerified => "PV",
        Mark::Verified => "V",
        Mark::Inferred => "I",
    }
}
