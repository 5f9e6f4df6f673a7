//! Arguments that several commands take.

use std::num::NonZeroU32;
use std::path::PathBuf;

use beget_plan::scope::Budget;
use clap::{Args, ValueEnum};

/// The format of a summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SummaryFormat {
    /// Text for people
    Text,
    /// One JSON object
    Json,
}

/// A scope file, and the options that override it.
#[derive(Clone, Debug, Args)]
pub struct ScopeFileArgs {
    /// The scope file, with the suite's name and the bounds
    #[arg(value_name = "SCOPE")]
    pub path: PathBuf,

    /// The number k that scales the scope; overrides the scope file
    #[arg(long = "scope", short, value_name = "N")]
    pub k: Option<u32>,

    /// The methods to call: `all`, `builders`, or names separated by commas; overrides the scope
    /// file
    #[arg(long, value_name = "METHODS", value_parser = methods)]
    pub methods: Option<MethodsArg>,

    /// The suite whose default scope is used instead of a file.
    #[arg(skip)]
    pub suite: Option<String>,
}

/// The scope to run.
#[derive(Clone, Debug, Args)]
pub struct ScopeArgs {
    #[command(flatten)]
    pub file: ScopeFileArgs,

    /// Explore more than is reported: S more objects of each class, and integers at both ends of
    /// each range
    ///
    /// This finds structures that can only be built from larger ones.
    #[arg(long, value_name = "S")]
    pub slack: Option<u32>,

    /// Add literals of successful calls, from a repository that `call` wrote
    ///
    /// Each parameter takes those of its own method, after the literals of the scope.
    #[arg(long, value_name = "FILE")]
    pub repository: Option<PathBuf>,
}

impl ScopeArgs {
    /// The same with this number.
    pub fn at(&self, k: u32) -> Self {
        ScopeArgs { file: ScopeFileArgs { k: Some(k), ..self.file.clone() }, ..self.clone() }
    }
}

/// The scope of a command that draws sequences of calls and does not exhaust a scope.
#[derive(Debug, Args)]
pub struct SequenceArgs {
    #[command(flatten)]
    pub file: ScopeFileArgs,

    /// The seed of the random numbers: equal seeds give equal runs
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Number of calls, without repeated ones
    ///
    /// The default is the scope's budget, or 1000000 (for `evolve` 10000000).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_calls: Option<u64>,

    /// Format of the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub summary: SummaryFormat,

    #[command(flatten)]
    pub resources: Resources,
}

impl SequenceArgs {
    pub fn to_budget(&self) -> Budget {
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
pub enum MethodsArg {
    All,
    /// Those of the file that the scope names.
    Builders,
    Only(Vec<String>),
}

pub(crate) fn methods(text: &str) -> Result<MethodsArg, String> {
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

/// The options of a run.
#[derive(Clone, Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub budgets: Budgets,

    /// Number of threads; all cores by default. The result does not depend on it
    #[arg(long, value_name = "N", help_heading = "Run options", value_parser = threads)]
    pub threads: Option<usize>,

    /// Keep the structures in `memory` or in `disk:DIR`
    ///
    /// The result is the same. DIR must be empty or new. With it a run takes half of --max-memory,
    /// or 1 GiB, and hardly more for larger runs.
    #[arg(
        long,
        value_name = "STORE",
        help_heading = "Run options",
        default_value = "memory",
        value_parser = store
    )]
    pub store: StoreArg,

    #[command(flatten)]
    pub saving: SavingArgs,

    /// The way calls get copies of their arguments, and the way structures are reconstructed
    ///
    /// Copies: `region` (memory is restored after the call: fastest), `clone` or `remake`.
    /// Reconstruction: `decode`, from the form, or `replay` of the recipe. A type that does not
    /// allow one gets the next. The result is the same.
    #[arg(
        long,
        value_name = "WAYS",
        help_heading = "Run options",
        default_value = "region,decode",
        value_parser = ways,
        hide_short_help = true
    )]
    pub ways: Ways,
}

/// The ways to copy arguments and to reconstruct structures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ways {
    pub copies: Copies,
    pub making: Making,
}

fn ways(text: &str) -> Result<Ways, String> {
    let (mut copies, mut making) = (None, None);
    for way in text.split(',') {
        let (copy, make) = match way {
            "region" => (Some(Copies::Region), None),
            "clone" => (Some(Copies::Clone), None),
            "remake" => (Some(Copies::Remake), None),
            "decode" => (None, Some(Making::Decode)),
            "replay" => (None, Some(Making::Replay)),
            _ => {
                let known = "one of region, clone, remake, and one of decode, replay";
                return Err(format!("there is no way `{way}`: give {known}, as in `clone,replay`"));
            }
        };
        if (copy.is_some() && copies.is_some()) || (make.is_some() && making.is_some()) {
            return Err("give one of region, clone, remake, and one of decode, replay".to_owned());
        }
        (copies, making) = (copies.or(copy), making.or(make));
    }
    let copies = copies.unwrap_or(Copies::Region);
    Ok(Ways { copies, making: making.unwrap_or(Making::Decode) })
}

pub(crate) fn threads(text: &str) -> Result<usize, String> {
    let number: NonZeroU32 =
        text.parse().map_err(|_| "give a number from 1 on, or leave the option out".to_owned())?;
    match number.get() {
        number @ 1..=1024 => Ok(number as usize),
        _ => Err("at most 1024".to_owned()),
    }
}

/// Options of saved runs.
#[derive(Clone, Debug, Default, Args)]
pub struct SavingArgs {
    /// Save the run in DIR after each level and every ten minutes
    ///
    /// DIR must be empty or new. Runs with `--store disk:DIR` are saved anyway. With --hosts each
    /// process saves its part in DIR.
    #[arg(long, value_name = "DIR", help_heading = "Run options")]
    pub checkpoint: Option<PathBuf>,

    /// Continue the run saved in DIR; a complete one is only read
    ///
    /// Scope, methods and program must be the same. Budgets, threads and the number of processes of
    /// --hosts may differ.
    #[arg(long, value_name = "DIR", help_heading = "Run options", conflicts_with = "checkpoint")]
    pub resume: Option<PathBuf>,

    /// Save the run every M minutes, also within a level [default: 10]
    #[arg(
        long,
        value_name = "M",
        help_heading = "Run options",
        value_parser = minutes,
        hide_short_help = true
    )]
    pub checkpoint_minutes: Option<f64>,
}

impl SavingArgs {
    /// Returns whether the run is saved or continues a saved one.
    pub fn is_asked_for(&self) -> bool {
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
pub enum StoreArg {
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

/// The ways to copy arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copies {
    /// Restores the structure's memory after each call.
    Region,
    /// Uses the type's `Clone`.
    Clone,
    /// Reconstructs the structure for each call.
    Remake,
}

/// The ways to reconstruct structures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Making {
    /// From their canonical forms.
    Decode,
    /// By repeating the calls of their recipes.
    Replay,
}

/// Continuing after a failure.
#[derive(Clone, Debug, Default, Args)]
pub struct GoingOnArgs {
    /// Go on after the first level that shows a failure
    ///
    /// Without it the run ends there, with the shortest witnesses.
    #[arg(long)]
    pub all: bool,
}

/// The budgets of a run.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Budgets")]
pub struct Budgets {
    /// Stop after about N calls, at a reproducible point
    ///
    /// All calls on a structure are made, so there may be a few more.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_calls: Option<u64>,

    /// Stop after about N structures, at a reproducible point
    ///
    /// All calls on a structure are made, so there may be a few more.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_structures: Option<u64>,

    #[command(flatten)]
    pub resources: Resources,

    /// Stop after N levels: the structures that at most N calls build
    ///
    /// The run is incomplete even if there are no others.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_levels: Option<u32>,

    /// Extend known structures too, to measure what state matching is worth
    ///
    /// Such a run rarely ends by itself: give a budget, such as --max-levels.
    #[arg(long)]
    pub no_state_matching: bool,
}

/// The resources that a run may use.
#[derive(Clone, Debug, Default, Args)]
pub struct Resources {
    /// Stop after about S seconds; not reproducible
    #[arg(long, value_name = "S", help_heading = "Budgets", value_parser = seconds)]
    pub max_seconds: Option<f64>,

    /// Stop when the process holds N MiB of memory; not reproducible
    #[arg(
        long,
        value_name = "N",
        help_heading = "Budgets",
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub max_memory: Option<u64>,
}

impl Budgets {
    pub fn to_budget(&self) -> Budget {
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

pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds.is_finite() => Ok(seconds),
        _ => Err("give a positive number of seconds".to_owned()),
    }
}
