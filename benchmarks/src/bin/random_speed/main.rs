//! How many sequences and calls a second random runs make, beside `proptest-state-machine` and a
//! loop that makes random calls from scratch and learns nothing.
//!
//! `just random-speed` prints a text in Markdown; with `kiasan/treeset feedback` behind it, the rows
//! of that subject whose name begins so, for profilers. What the columns mean is in the text.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "it measures time and reads scope files"
)]

mod peer;
mod walk;

use std::path::Path;
use std::process::Command;

use beget_benchmarks::machine::Machine;
use beget_oracle::ApplicableContracts;
use beget_plan::scope::{Overrides, Plan};
use beget_run::{Catalog, Direction, Host, Input, RandomOptions, Watch, random};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

use crate::walk::Asked;

/// Scope files, and k: that of the literals.
const SUBJECTS: [(&str, u32); 3] =
    [("kiasan/treeset", 50), ("roops/ncl", 50), ("real/vecdeque", 4)];

const CALLS: u64 = 200_000;

/// With contracts there are fewer calls: no run comes to the number of structures from which on
/// contracts are only sampled.
const CALLS_WITH_CONTRACTS: u64 = 20_000;

/// Calls of a sequence at most.
const LENGTH: usize = 100;

/// What stands before the table.
const HEADING: &str = "\
# Speed of random runs

What `just random-speed` prints: runs of at most 100 calls a sequence, beside `proptest-state-machine` and a loop that draws calls, makes them and learns nothing. These two begin each sequence anew, and \
neither look at structures nor keep them. Where contracts are asked, they are asked of what each call leaves, as a state machine asks its invariants; a run asks them of each structure once. \
With contracts, sequences make 20,000 calls in all, so that each run asks all of them; without, 200,000.

*Calls* are those that are made, and *structures* are new. A sequence of a run by feedback extends others: *calls in sequences* counts the calls of its beginning too, which are not made where its structures \
are decoded. So fewer calls are made a second than by the peers, and more of them lead to something new. `beget random` is the program itself, with all that it does, and with repOKs. *Calls alone* is \
how many times as many sequences as those of the first row there would be if the calls that are made cost what they cost in the naive loop, and all else cost nothing: about the most that a run can reach. \
Time is that of the processor.
";

struct NoClock;

impl Host for NoClock {
    fn seconds(&self) -> f64 {
        0.0
    }
}

/// What was made in so many seconds.
struct Speed {
    seconds: f64,
    sequences: u64,
    calls: u64,
    /// With those that were not made again.
    calls_in_sequences: Option<u64>,
    structures: Option<u64>,
    bytes_a_pooled: Option<f64>,
}

impl Speed {
    /// How many a second.
    fn rate(&self, n: u64) -> f64 {
        n as f64 / self.seconds
    }
}

fn main() {
    // Calls of the peers panic, as the scope expects.
    std::panic::set_hook(Box::new(|_| {}));
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.is_empty() {
        println!("{HEADING}\nMachine: {}.\n", Machine::read());
    }
    println!(
        "| subject | how | calls/s | times the first | structures/s | sequences/s | times the first | calls alone | calls in sequences/s | bytes a pooled sequence |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    let [wanted, wanted_how] = [0, 1].map(|index| arguments.get(index).map_or("", String::as_str));
    for (name, k) in SUBJECTS.into_iter().filter(|(name, _)| name.starts_with(wanted)) {
        measure(name, k, wanted_how);
    }
}

/// The rows of a subject whose names begin so.
fn measure(name: &str, k: u32, wanted: &str) {
    let (_, plan) = open(name, k, true);
    let oracle = ApplicableContracts::new(&plan, &|_| true);
    for asks in [true, false] {
        let mut peers = Peers { asks, ..Peers::default() };
        let n_calls = if asks { CALLS_WITH_CONTRACTS } else { CALLS };
        let mut show = |how: &str, work: &dyn Fn() -> Speed| {
            let how = if asks { how.to_owned() } else { format!("{how}, no contracts") };
            if how.starts_with(wanted) {
                println!("| {name} {k} | {how} | {}", peers.row(work()));
            }
        };
        show("proptest-state-machine", &|| timed(|| peer::run(&plan, n_calls, LENGTH, asks)));
        let asked = || asks.then(|| Asked::new(&oracle));
        show("naive", &|| timed(|| (walk::naive(&plan, n_calls, LENGTH, asked()), n_calls)));
        let usual =
            RandomOptions { max_calls: n_calls, max_length: LENGTH, ..RandomOptions::default() };
        show("feedback", &|| by_chance(name, k, &usual, asks));
        let by_calls = RandomOptions { is_by_calls: true, ..usual.clone() };
        show("feedback, calls made again", &|| by_chance(name, k, &by_calls, asks));
        let undirected = RandomOptions { direction: Direction::Undirected, ..usual };
        show("undirected", &|| by_chance(name, k, &undirected, asks));
        if asks {
            show("`beget random`", &|| by_program(name, k));
        }
    }
}

/// The first rows of a subject, beside which the others stand.
#[derive(Default)]
struct Peers {
    /// Whether contracts are asked: what calls cost alone is not known then.
    asks: bool,
    first: Option<Speed>,
    naive: Option<Speed>,
}

impl Peers {
    /// The rest of a row.
    fn row(&mut self, speed: Speed) -> String {
        let times =
            |of: fn(&Speed) -> f64| self.first.as_ref().map_or(1.0, |first| of(&speed) / of(first));
        let others = self.first.as_ref().zip(self.naive.as_ref()).filter(|_| !self.asks);
        let alone = others.map(|(first, naive)| {
            let calls_a_sequence = speed.calls as f64 / speed.sequences as f64;
            naive.rate(naive.calls) / calls_a_sequence / first.rate(first.sequences)
        });
        let or_none = |number: Option<f64>, digits: usize| {
            number.map_or("–".to_owned(), |number| format!("{number:.digits$}"))
        };
        let row = format!(
            "{:.0} | {:.1} | {} | {:.0} | {:.1} | {} | {} | {} |",
            speed.rate(speed.calls),
            times(|speed| speed.rate(speed.calls)),
            or_none(speed.structures.map(|structures| speed.rate(structures)), 0),
            speed.rate(speed.sequences),
            times(|speed| speed.rate(speed.sequences)),
            or_none(alone, 1),
            or_none(speed.calls_in_sequences.map(|calls| speed.rate(calls)), 0),
            or_none(speed.bytes_a_pooled, 0),
        );
        if self.first.is_none() {
            self.first = Some(speed);
        } else if self.naive.is_none() {
            self.naive = Some(speed);
        }
        row
    }
}

/// `work` makes sequences and calls.
fn timed(work: impl FnOnce() -> (u64, u64)) -> Speed {
    let start = processor_seconds();
    let (sequences, calls) = work();
    let seconds = processor_seconds() - start;
    let (structures, bytes_a_pooled) = (None, None);
    let calls_in_sequences = Some(calls);
    Speed { seconds, sequences, calls, calls_in_sequences, structures, bytes_a_pooled }
}

/// Processor time of all threads.
fn processor_seconds() -> f64 {
    let usage = getrusage(UsageWho::RUSAGE_SELF).expect("a process may ask of itself");
    let micros = (usage.user_time() + usage.system_time()).num_microseconds();
    micros as f64 / 1e6
}

fn open(name: &str, k: u32, asks_contracts: bool) -> (Input<'static>, Plan) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../scopes/{name}.ron"));
    let mut text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{error}"));
    if !asks_contracts {
        text = text.replacen("    k: ", "    contracts: Off,\n    k: ", 1);
    }
    let input = Input::of_text(name, text, Catalog::new(beget_subjects::suites()));
    let input = input.unwrap_or_else(|error| panic!("{error}"));
    let resolved = input.resolve(&Overrides { k: Some(k), ..Overrides::default() });
    let plan = resolved.unwrap_or_else(|error| panic!("{error}")).plan;
    (input, plan)
}

/// A random run.
fn by_chance(name: &str, k: u32, options: &RandomOptions, asks_contracts: bool) -> Speed {
    let (input, plan) = open(name, k, asks_contracts);
    let watch = Watch::new(plan.budget, &NoClock);
    let start = processor_seconds();
    let run = random(&input, &[], plan, options.clone(), &watch);
    let seconds = processor_seconds() - start;
    let report = &run.report;
    let calls = report.counters.explored() + report.repeated;
    Speed {
        seconds,
        sequences: report.sequences,
        calls,
        calls_in_sequences: Some(calls + report.spared),
        structures: Some(report.distinct.by_type.iter().sum()),
        bytes_a_pooled: Some(report.pool_bytes as f64 / report.kept_sequences.max(1) as f64),
    }
}

/// Ends the program: panics are silent here.
fn fail(reason: &str) -> ! {
    eprintln!("{reason}");
    std::process::exit(1)
}

/// A random run of the program that was built beside this one, on one thread.
fn by_program(name: &str, k: u32) -> Speed {
    let program = std::env::current_exe().expect("it was started").with_file_name("beget");
    let scope = format!("scopes/{name}.ron");
    let (k, n_calls) = (k.to_string(), CALLS.to_string());
    let run = Command::new(&program)
        .args(["random", &scope, "-k", &k, "--max-calls", &n_calls])
        .args(["--threads", "1", "--summary", "json"])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
        .output();
    let run = run.unwrap_or_else(|error| fail(&format!("{}: {error}", program.display())));
    let summary: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap_or_else(|error| {
        fail(&format!("{error}: {}", String::from_utf8_lossy(&run.stderr)))
    });
    let count = |field: &str| {
        summary[field].as_u64().unwrap_or_else(|| fail(&format!("the summary has no `{field}`")))
    };
    Speed {
        seconds: summary["cpu_seconds"].as_f64().expect("all summaries have it"),
        sequences: count("sequences"),
        calls: count("explored") + count("repeated"),
        calls_in_sequences: None,
        structures: Some(count("generated")),
        bytes_a_pooled: None,
    }
}
