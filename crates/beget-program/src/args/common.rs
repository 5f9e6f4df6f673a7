//! Arguments that several commands take.

use std::num::NonZeroU32;
use std::path::PathBuf;

use beget_plan::scope::Budget;
use clap::{Args, ValueEnum};

/// The format of a summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SummaryFormat {
    /// For people
    Text,
    /// One JSON object
    Json,
}

/// A scope file, and what the command line says in place of it.
#[derive(Clone, Debug, Args)]
pub(crate) struct ScopeFileArgs {
    /// A scope file: the suite's name and the bounds of the run
    #[arg(value_name = "SCOPE")]
    pub(crate) path: PathBuf,

    /// The scope's number, in place of the file's
    ///
    /// The bounds in the file are expressions in k, so this scales the whole scope.
    #[arg(long = "scope", short, value_name = "N")]
    pub(crate) k: Option<u32>,

    /// The methods that take part, in place of the file's: `all`, `builders`, or names with commas
    /// between
    #[arg(long, value_name = "METHODS", value_parser = methods)]
    pub(crate) methods: Option<MethodsArg>,

    /// The suite whose default scope is taken in place of a file.
    #[arg(skip)]
    pub(crate) suite: Option<String>,
}

/// The scope to run.
#[derive(Clone, Debug, Args)]
pub(crate) struct ScopeArgs {
    #[command(flatten)]
    pub(crate) file: ScopeFileArgs,

    /// Explore more than is reported
    ///
    /// Adds S objects of each class, and S literals on both ends of each range of integers.
    /// Structures that can only be built by way of larger ones are found that way; only those
    /// within the scope proper are reported.
    #[arg(long, value_name = "S")]
    pub(crate) slack: Option<u32>,

    /// Literals of calls that went well, from a repository of `call`, beside those of the scope
    ///
    /// Each parameter takes those of its own method. A method's tuples are all combinations, as
    /// with the literals of the scope.
    #[arg(long, value_name = "FILE")]
    pub(crate) repository: Option<PathBuf>,
}

impl ScopeArgs {
    /// The same with this number.
    pub(crate) fn at(&self, k: u32) -> Self {
        ScopeArgs { file: ScopeFileArgs { k: Some(k), ..self.file.clone() }, ..self.clone() }
    }
}

/// The scope of a command that draws sequences of calls and does not exhaust a scope.
#[derive(Debug, Args)]
pub(crate) struct SequenceArgs {
    #[command(flatten)]
    pub(crate) file: ScopeFileArgs,

    /// The seed: equal seeds give equal runs
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// How many calls are made; those that are made again are not counted
    ///
    /// By default as many as the scope's budget says, or 1000000; of `evolve` 10000000.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_calls: Option<u64>,

    /// How to print the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) summary: SummaryFormat,

    #[command(flatten)]
    pub(crate) resources: Resources,
}

impl SequenceArgs {
    pub(crate) fn to_budget(&self) -> Budget {
        Budget {
            max_calls: self.max_calls,
            max_seconds: self.resources.max_seconds,
            max_memory_mib: self.resources.max_memory,
            ..Budget::default()
        }
    }
}

/// Methods chosen on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MethodsArg {
    All,
    /// Those of the file that the scope names.
    Builders,
    Only(Vec<String>),
}

pub(super) fn methods(text: &str) -> Result<MethodsArg, String> {
    match text {
        "all" => Ok(MethodsArg::All),
        "builders" => Ok(MethodsArg::Builders),
        _ => {
            let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
            match names.iter().any(String::is_empty) {
                true => Err("a name is empty".to_owned()),
                false => Ok(MethodsArg::Only(names)),
            }
        }
    }
}

/// How the structures are made.
#[derive(Clone, Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) budgets: Budgets,

    /// Threads; all cores by default
    ///
    /// The result is the same for any number.
    #[arg(long, value_name = "N", help_heading = "How to run", value_parser = threads)]
    pub(crate) threads: Option<usize>,

    /// Keep the structures in `memory`, or on disk with `disk:DIR`
    ///
    /// Both keep whole canonical forms, compressed: no two structures are ever confused, and the
    /// result is the same. `disk:DIR` takes a directory that is empty or not there yet, and needs
    /// memory that hardly grows with the run: half of --max-memory, or 1 GiB.
    #[arg(
        long,
        value_name = "STORE",
        help_heading = "How to run",
        default_value = "memory",
        value_parser = store
    )]
    pub(crate) store: StoreArg,

    #[command(flatten)]
    pub(crate) saving: SavingArgs,

    /// How each call gets its own copy of its arguments
    ///
    /// If a type does not allow a policy, the run falls back to the next one. The result is the
    /// same for each.
    #[arg(
        long,
        value_name = "POLICY",
        help_heading = "How to run",
        default_value = "region",
        hide_short_help = true
    )]
    pub(crate) copies: Copies,

    /// How structures are reconstructed for further calls
    ///
    /// A type that cannot be decoded is replayed. The result is the same for both.
    #[arg(
        long,
        value_name = "STRATEGY",
        help_heading = "How to run",
        default_value = "decode",
        hide_short_help = true
    )]
    pub(crate) making: Making,
}

pub(super) fn threads(text: &str) -> Result<usize, String> {
    let number: NonZeroU32 =
        text.parse().map_err(|_| "give a number from 1 on, or leave the option out".to_owned())?;
    match number.get() {
        number @ 1..=1024 => Ok(number as usize),
        _ => Err("at most 1024".to_owned()),
    }
}

/// Runs that are written down.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct SavingArgs {
    /// Write the run to DIR after each level, so that it can be resumed
    ///
    /// DIR must be empty, or not be there yet. Runs with `--store disk:DIR` are written down
    /// anyway. With --hosts each process writes its part, to a directory of its own in DIR.
    #[arg(long, value_name = "DIR", help_heading = "How to run")]
    pub(crate) checkpoint: Option<PathBuf>,

    /// Go on with the run in DIR, which was stopped, killed, or is complete
    ///
    /// The scope must be the same; budgets need not be, nor the number of processes of --hosts. A
    /// run that is complete is not made again, only read.
    #[arg(long, value_name = "DIR", help_heading = "How to run", conflicts_with = "checkpoint")]
    pub(crate) resume: Option<PathBuf>,

    /// Write the run every M minutes too, within a level [default: 10]
    #[arg(
        long,
        value_name = "M",
        help_heading = "How to run",
        value_parser = minutes,
        hide_short_help = true
    )]
    pub(crate) checkpoint_minutes: Option<f64>,
}

impl SavingArgs {
    /// Returns whether the run is saved or continues a saved one.
    pub(crate) fn is_asked_for(&self) -> bool {
        self.checkpoint.is_some() || self.resume.is_some()
    }
}

fn minutes(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(minutes) if minutes.is_finite() && minutes >= 0.0 => Ok(minutes),
        _ => Err("give a number of minutes, such as 10 or 0.5".to_owned()),
    }
}

/// The store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StoreArg {
    Memory,
    /// In memory, with so much room in one of its 16 parts.
    Small(u32),
    Disk(PathBuf),
}

fn store(text: &str) -> Result<StoreArg, String> {
    if let Some(dir) = text.strip_prefix("disk:") {
        return match dir {
            "" => Err("name the directory: disk:DIR".to_owned()),
            dir => Ok(StoreArg::Disk(dir.into())),
        };
    }
    match text {
        "memory" | "exact" => Ok(StoreArg::Memory),
        "disk" => Err("name the directory: disk:DIR".to_owned()),
        // Undocumented: to see what a full store does without 2^26 structures.
        _ => match text.strip_prefix("exact:").map(str::parse) {
            Some(Ok(most)) => Ok(StoreArg::Small(most)),
            _ => Err("there are `memory` and `disk:DIR`".to_owned()),
        },
    }
}

/// How calls get their copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Copies {
    /// The structure's memory is restored after each call: the fastest way, for any type without
    /// hidden state
    Region,
    /// By the type's `Clone`
    Clone,
    /// The structure is reconstructed for each call
    Remake,
}

/// How structures are reconstructed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Making {
    /// From their canonical form
    Decode,
    /// By their recipe
    Replay,
}

/// Continuing after a failure.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct GoingOnArgs {
    /// Go on after the first level that shows a failure
    ///
    /// Without it the run ends there: its witnesses are as short as any, and the same every time.
    #[arg(long)]
    pub(crate) all: bool,
}

/// When to stop early.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Budgets")]
pub(crate) struct Budgets {
    /// Stop after about N calls
    ///
    /// The calls on one structure are all made or none, so it can be a few more. Where the run
    /// stops is reproducible.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_calls: Option<u64>,

    /// Stop after about N structures
    ///
    /// The calls on one structure are all made or none, so it can be a few more. Where the run
    /// stops is reproducible.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_structures: Option<u64>,

    #[command(flatten)]
    pub(crate) resources: Resources,

    /// Stop after N levels: structures that take more than N calls are not looked for
    ///
    /// The run is marked incomplete even if there are none. Where it stops is reproducible.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_levels: Option<u32>,

    /// Extend known structures too: only to measure what state matching is worth
    ///
    /// Without state matching a run rarely ends by itself: give a budget, such as --max-levels.
    #[arg(long)]
    pub(crate) no_state_matching: bool,
}

/// The resources that a run may use.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Resources {
    /// Stop after about S seconds; not reproducible
    #[arg(long, value_name = "S", help_heading = "Budgets", value_parser = seconds)]
    pub(crate) max_seconds: Option<f64>,

    /// Stop when the process holds N MiB of memory; not reproducible
    #[arg(
        long,
        value_name = "N",
        help_heading = "Budgets",
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub(crate) max_memory: Option<u64>,
}

impl Budgets {
    pub(crate) fn to_budget(&self) -> Budget {
        Budget {
            max_calls: self.max_calls,
            max_structures: self.max_structures,
            max_seconds: self.resources.max_seconds,
            max_memory_mib: self.resources.max_memory,
            max_levels: self.max_levels,
            is_enough: false,
        }
    }
}

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds.is_finite() => Ok(seconds),
        _ => Err("give a positive number of seconds".to_owned()),
    }
}
