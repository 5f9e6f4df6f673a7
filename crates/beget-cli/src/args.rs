//! The arguments: one definition for parsing, help and manual.

use std::num::NonZeroU32;
use std::path::PathBuf;

use beget_emit::Verbosity;
use beget_scope::Budget;
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};

/// Bounded-exhaustive testing: every object that a type's public API can build within a scope
///
/// Given the methods of a type and a scope k, beget makes every distinct object that calls of these methods can build with
/// at most k objects of each class, and keeps for each one a shortest sequence of calls that builds it. Two
/// objects are the same if their heaps have the same shape: classes, values, sharing, cycles.
///
/// The types and methods come from the suites compiled into the program (see `list`), the bounds from a scope file.
#[derive(Debug, Parser)]
#[command(name = "beget", version, max_term_width = 100, after_long_help = AFTER_HELP)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) general: General,
}

const AFTER_HELP: &str = "\
Results go to the standard output, everything else to the standard error. Two runs with the same input give the same \
structures, numbers and recipes, whatever the number of threads.

Exit codes:
  0  the command did its whole job and found nothing wrong
  1  it found failures, or sets that differ (even if it also stopped early)
  2  the input is wrong: arguments, scope file, suite, or the place to write to; nothing was run or written
  3  it stopped early, by a budget or an interrupt: what it has is written and marked incomplete
  4  an error of beget itself, or the system refused to write results

The first interrupt (Ctrl-C) ends a run in good order, the second one at once.

Environment:
  NO_COLOR  if set, nothing is coloured unless --color says so";

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    List(ListArgs),
    Generate(GenerateArgs),
    Repok(RepokArgs),
    Compare(CompareArgs),
    Check(CheckArgs),
    Builders(BuildersArgs),
    Show(ShowArgs),
}

/// What all commands take.
#[derive(Debug, Args)]
#[command(next_help_heading = "General options")]
pub(crate) struct General {
    /// When to colour messages
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,

    /// Say less: no progress, no warnings, no notes
    ///
    /// Errors and results are printed all the same.
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,

    /// Say more
    ///
    /// A summary then lists the levels, how structures were made again, what changed about that in the run, and all
    /// witnesses. Where there is no terminal for a progress bar, each level is announced on the standard error as its first calls are done.
    #[arg(long, short, global = true, action = ArgAction::Count)]
    pub(crate) verbose: u8,
}

impl General {
    pub(crate) fn verbosity(&self) -> Verbosity {
        match self.verbose {
            0 => Verbosity::Normal,
            _ => Verbosity::Verbose,
        }
    }
}

/// When to use colours.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Also in files and pipes
    Always,
    /// Nowhere
    Never,
}

impl Color {
    /// Makes it the choice of the whole process.
    pub(crate) fn choose(self) {
        let choice = match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}

/// List the suites, or what a scope file makes of one
///
/// Without SCOPE: each suite of this program with what it is, its types and the number of its methods.
///
/// With SCOPE: the methods with their signatures, and for each whether it takes part, how many calls it stands for
/// and which literals its parameters range over; the bounds of each class; and for each type how its structures are made again
/// for further calls, and what keeps them from being made in a faster way. Nothing is run.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// A scope file
    #[arg(value_name = "SCOPE")]
    pub(crate) scope: Option<PathBuf>,

    /// The scope's number, in place of the file's
    #[arg(long = "scope", short, value_name = "N", requires = "scope")]
    pub(crate) k: Option<u32>,

    /// The methods that take part, in place of the file's: `all`, `builders`, or names with commas between
    #[arg(long, value_name = "METHODS", value_parser = methods, requires = "scope")]
    pub(crate) methods: Option<Methods>,

    /// More objects of each class and more literals on both ends of each range
    #[arg(long, value_name = "S", requires = "scope")]
    pub(crate) slack: Option<u32>,
}

/// Make every structure of a scope
///
/// Makes every call of the scope's methods on every structure, level by level, until nothing new comes. Prints what came out:
/// the number of distinct structures, the calls by outcome, the failures with the calls that show them, and a digest of
/// the set of structures.
///
/// A call that panics is a failure, unless the scope file lists the panic as misuse; so is a subject that is not deterministic.
/// Misuse (a broken rule of use) is counted and otherwise ignored.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  beget generate scopes/tree.ron -k 4
  beget generate scopes/tree.ron --methods new,insert --summary json
  beget generate scopes/tree.ron -k 9 --max-seconds 60 -o trees

Files of -o DIR:
  structures.jsonl  one JSON object a line: id, type, calls, form, recipe, variable, heap
  structures.ron    the same as one RON value
  summary.json      the JSON summary without times and memory, with the version of the formats
  INCOMPLETE        only if the run stopped early: why

`form` is the canonical form in hexadecimal digits, `recipe` a shortest way to build the structure as Rust statements \
that leave it in `variable`, `heap` its objects, the root first. Equal runs leave equal files.

The JSON summary has these fields: suite, k, methods, complete, stop_reason, generated (structures of the main type), \
generated_by_type, generated_by_objects, explored (the sum of kept, matched, out_of_scope, misuse and failures), levels, \
digest, findings, seconds, cpu_seconds, peak_rss_bytes, store_bytes, ways, notes. stop_reason is `exhausted` exactly if \
complete is true.")]
pub(crate) struct GenerateArgs {
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,

    /// Write the structures to a new directory
    ///
    /// That it is free, and that its parent can be written to, is checked before the run. It gets its name when all is written, so
    /// that an error leaves nothing.
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,

    /// How to print the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) summary: SummaryFormat,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// Find a smallest set of methods that builds everything, and certify it
///
/// Explores the full API at the scope, chooses methods, and generates anew: with them, and without each one of them. The set is
/// sufficient if it builds every structure that the full API builds, and minimal if it builds less without any one of its methods.
/// For each method, a structure is shown that is lost without it.
///
/// The `methods` of the scope file have no effect: all methods of the suite take part, except those
/// with a parameter that the scope gives no literals.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  beget builders scopes/list.ron -k 3
  beget builders scopes/list.ron -k 3 -o scopes/list.builders.ron --confirm-at 5
  beget builders scopes/list.ron --search exact --summary json

A scope uses the set by `methods: Builders(\"list.builders.ron\")`, a path as seen from the scope file. The file is refused \
once the methods of the suite have changed.

A budget of calls or structures is for each generation; time and memory are for all of them. What stops the search stops it \
without an answer. The exit code is 1 if the set does not suffice, at this scope or one of --confirm-at, and if calls of the \
full API failed: `generate --methods all` shows which. The set holds all the same.

The JSON summary has these fields: suite, k, search, seed, methods, left_out, complete, stop_reason, builders, full_generated \
(structures of the main type that the full API builds), sufficient, sufficient_how, minimal, minimal_how, full, built (structures \
of all types, and their digest), missing, needs, observers, search_notes, confirmed, explored, misuse, failures (of the full API), \
seconds, cpu_seconds, peak_rss_bytes. stop_reason is `exhausted` exactly if complete is true; what is not known is null.")]
pub(crate) struct BuildersArgs {
    /// A scope file: the suite's name and the bounds of the run
    #[arg(value_name = "SCOPE")]
    pub(crate) scope: PathBuf,

    /// The scope's number, in place of the file's
    ///
    /// The bounds in the file are expressions in k, so this scales the whole scope.
    #[arg(long = "scope", short, value_name = "N")]
    pub(crate) k: Option<u32>,

    /// A part of the API to take for all of it: names with commas between
    ///
    /// By default it is all methods whose parameters have literals. A file of builders is about the full API only, so this does not
    /// go with -o.
    #[arg(long, value_name = "METHODS", value_parser = methods, conflicts_with = "output")]
    pub(crate) methods: Option<Methods>,

    /// How the set is searched for
    #[arg(long, value_name = "SEARCH", default_value = "hill-climbing")]
    pub(crate) search: SearchKind,

    /// Where the random numbers of the genetic search start
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Check the set at a larger scope too
    ///
    /// Generates by the builders, then tries all other methods on what they built until something new comes out. It can be
    /// given several numbers, with commas between.
    #[arg(long, value_name = "K", value_delimiter = ',')]
    pub(crate) confirm_at: Vec<u32>,

    /// Write the set and its certificate to a new file
    ///
    /// That it is free, and that its directory can be written to, is checked before the run.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// How to print the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) summary: SummaryFormat,

    /// Explore more objects of each class, and more literals on both ends of each range of integers
    ///
    /// What is compared is then all that is explored.
    #[arg(long, value_name = "S")]
    pub(crate) slack: Option<u32>,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// Find every structure that a repOK admits
///
/// A repOK says which heaps are structures of the type. This searches all heaps within the bounds that the scope file gives under
/// `repoks`, without any call of the type's methods, and counts those that the repOK admits, isomorphic ones once. The search
/// changes only fields that the repOK has read (Boyapati, Khurshid, Marinov, ISSTA 2002).
///
/// A repOK that panics, reads without end, or answers differently for the same heap is a finding.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  beget repok scopes/roops/ncl.ron -k 3
  beget repok scopes/roops/ncl.ron --repok published --summary json
  beget repok scopes/roops/ncl.ron -k 2 -o lists

Files of -o DIR:
  structures.jsonl  one JSON object a line, as found: number, form, heap
  summary.json      the JSON summary without times and memory, with the version of the formats
  INCOMPLETE        only if the search stopped early: why

`form` is the canonical form in hexadecimal digits, `heap` the objects, the root first. Equal searches leave equal files.

The JSON summary has these fields: suite, k, repok, complete, stop_reason, generated, unrepresentable (of these, heaps that no \
value of the type is like), explored (runs of the repOK), digest (equal to that of `generate` exactly if the sets are), findings, \
seconds, cpu_seconds, peak_rss_bytes. stop_reason is `exhausted` exactly if complete is true.")]
pub(crate) struct RepokArgs {
    /// A scope file: the suite's name and the bounds of the search, under `repoks`
    #[arg(value_name = "SCOPE")]
    pub(crate) scope: PathBuf,

    /// The scope's number, in place of the file's
    ///
    /// The bounds in the file are expressions in k, so this scales the whole scope.
    #[arg(long = "scope", short, value_name = "N")]
    pub(crate) k: Option<u32>,

    /// Which repOK; by default `corrected`, or else the first
    #[arg(long, value_name = "NAME")]
    pub(crate) repok: Option<String>,

    /// Write the structures to a new directory
    ///
    /// That it is free, and that its parent can be written to, is checked before the search. It gets its name when all is written, so
    /// that an error leaves nothing.
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,

    /// How to print the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) summary: SummaryFormat,

    #[command(flatten)]
    pub(crate) budgets: SearchBudgets,

    /// Threads; all cores by default
    ///
    /// The result is the same for any number.
    #[arg(long, value_name = "N", help_heading = "How to run", value_parser = threads)]
    pub(crate) threads: Option<usize>,
}

/// Compare what the methods build with what a repOK admits
///
/// Makes every structure of the scope by calls, as `generate` does, and every one that the repOK admits, as `repok` does, and tells
/// how the sets relate: `equal`; `under` if the repOK admits structures that no calls build; `over` if it rejects some that calls
/// build; `different` if both. For each kind of structure that is on one side only, one is shown: by the clause of the repOK that
/// rejects it, with a shortest recipe; or by the clause of the corrected repOK, or else of another one of the type, or by its shape. A
/// clause that is broken, but never first, gets a structure of its own, unless that is shown already.
///
/// Some structures can only be built by way of larger ones. So, while structures of the repOK are missing, the calls are made
/// again with one more slack, at most four times, until none is missing or two in a row brought nothing. The first slack is that of the
/// scope file, or else 0. --slack S makes one comparison, with S.
///
/// A budget of calls or structures holds for each run of calls, and as runs of the repOK and structures for each search; one of time or
/// memory for all together.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  beget compare scopes/roops/ncl.ron -k 3 --repok published
  beget compare scopes/kiasan/treeset.ron -k 5
  beget compare scopes/roops/ncl.ron --repok published -o differences

Files of -o DIR:
  only_api.svg    pictures of witnesses that only calls build, if there are some
  only_repok.svg  pictures of witnesses that only the repOK admits, if there are some
  summary.json    the JSON summary without times and memory, with the version of the formats

The JSON summary has these fields: suite, k, methods, repok_name, named_after (the other repOK), complete, stop_reason, api, \
repok, only_api, only_repok (numbers of structures), verdict (null if a side was not explored completely), slack (the least of \
those that built most), slack_steps, failures (of calls), findings (of the repOK), witnesses, seconds, cpu_seconds, \
peak_rss_bytes. Exit code 1 means that the sets differ, that calls failed, or that the repOK misbehaved.")]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,

    /// Which repOK; by default `corrected`, or else the first
    #[arg(long, value_name = "NAME")]
    pub(crate) repok: Option<String>,

    /// Write the summary and pictures of the witnesses to a new directory
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,

    /// How to print the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) summary: SummaryFormat,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// Check every call and every structure of a scope
///
/// Makes every structure of the scope as `generate` does and asks the type's repOKs about each one. A call that fails, and a structure
/// that a repOK rejects, are shown with a shortest sequence of calls that leads there; of the structures that one clause of a repOK
/// rejects, the first.
///
/// A suite without repOKs has its calls checked.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  beget check scopes/roops/ncl.ron -k 3
  beget check scopes/kiasan/treeset.ron --repok corrected --summary json

The JSON summary has the fields of `generate` and: checked (structures that the repOKs were asked about), repoks (name and \
number of rejected structures), witnesses (repok, clause, count, id, calls, recipe, heap, text), shortest recipe first.")]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,

    /// Ask this repOK only
    #[arg(long, value_name = "NAME")]
    pub(crate) repok: Option<String>,

    /// How to print the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) summary: SummaryFormat,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// When to stop a search from a repOK early.
#[derive(Debug, Args)]
#[command(next_help_heading = "Budgets")]
pub(crate) struct SearchBudgets {
    /// Stop after N runs of the repOK
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_calls: Option<u64>,

    /// Stop after N structures
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_structures: Option<u64>,

    /// Stop after about S seconds; not reproducible
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) max_seconds: Option<f64>,

    /// Stop when the process holds N MiB of memory; not reproducible
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_memory: Option<u64>,
}

impl SearchBudgets {
    pub(crate) fn to_budget(&self) -> Budget {
        Budget {
            max_calls: self.max_calls,
            max_structures: self.max_structures,
            max_seconds: self.max_seconds,
            max_memory_mib: self.max_memory,
            max_levels: None,
        }
    }
}

/// The searches for builders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SearchKind {
    /// Add the best method while something grows: fast, and nearly always cheapest
    HillClimbing,
    /// Evolve sets of methods by the variety of what they build
    Genetic,
    /// Prove that no sufficient set is cheaper
    Exact,
}

/// The format of a summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SummaryFormat {
    /// For people
    Text,
    /// One JSON object
    Json,
}

/// Draw structures of a scope
///
/// Makes the structures of the scope as `generate` does and draws some of them: objects as boxes with their values,
/// references as arrows, each picture with the structure's number and recipe. Without a selection it draws the last structure found,
/// whose recipe is among the longest.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  beget show scopes/tree.ron -k 3 --last
  beget show scopes/tree.ron -k 3 --gallery 16 -o trees.svg
  beget show scopes/tree.ron --id 42 --format dot | dot -Tpdf -o 42.pdf")]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,

    #[command(flatten)]
    pub(crate) selection: Selection,

    /// The format; by default what the name of the output file tells, or text
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<PictureFormat>,

    /// Write to a file instead of the standard output
    ///
    /// A file of that name is replaced, once the picture is ready.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// Which structures are drawn.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub(crate) struct Selection {
    /// The structure with this number
    ///
    /// Structures are numbered from 0 in the order of their discovery; files written by `generate -o` have
    /// the same numbers.
    #[arg(long, value_name = "N")]
    pub(crate) id: Option<u32>,

    /// The last structure of the main type (the default)
    #[arg(long)]
    pub(crate) last: bool,

    /// N structures of the main type, evenly spread over the run
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=400))]
    pub(crate) gallery: Option<u32>,
}

/// The format of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PictureFormat {
    /// A picture; structures of up to 200 objects
    Svg,
    /// Input for Graphviz, one graph a structure
    Dot,
    /// One line for each object
    Text,
}

/// What is run.
#[derive(Debug, Args)]
pub(crate) struct ScopeArgs {
    /// A scope file: the suite's name and the bounds of the run
    #[arg(value_name = "SCOPE")]
    pub(crate) scope: PathBuf,

    /// The scope's number, in place of the file's
    ///
    /// The bounds in the file are expressions in k, so this scales the whole scope.
    #[arg(long = "scope", short, value_name = "N")]
    pub(crate) k: Option<u32>,

    /// The methods that take part, in place of the file's: `all`, `builders`, or names with commas between
    #[arg(long, value_name = "METHODS", value_parser = methods)]
    pub(crate) methods: Option<Methods>,

    /// Explore more than is reported
    ///
    /// Adds S objects of each class, and S literals on both ends of each range of integers. Structures that can only be built by way
    /// of larger ones are found that way; only those within the scope proper are reported.
    #[arg(long, value_name = "S")]
    pub(crate) slack: Option<u32>,
}

/// Methods chosen on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Methods {
    All,
    /// Those of the file that the scope names.
    Builders,
    Only(Vec<String>),
}

fn methods(text: &str) -> Result<Methods, String> {
    match text {
        "all" => Ok(Methods::All),
        "builders" => Ok(Methods::Builders),
        _ => {
            let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
            match names.iter().any(String::is_empty) {
                true => Err("a name is empty".to_owned()),
                false => Ok(Methods::Only(names)),
            }
        }
    }
}

/// How the structures are made.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) budgets: Budgets,

    /// Threads; all cores by default
    ///
    /// The result is the same for any number.
    #[arg(long, value_name = "N", help_heading = "How to run", value_parser = threads)]
    pub(crate) threads: Option<usize>,

    /// What keeps the structures
    ///
    /// `exact` keeps each canonical form, compressed, in memory: no two structures are ever confused.
    #[arg(
        long,
        value_name = "STORE",
        help_heading = "How to run",
        default_value = "exact",
        value_parser = store
    )]
    pub(crate) store: Store,

    /// How each call gets its own copy of its arguments
    ///
    /// A way that a type does not allow gives place to the next one. The result is the same for each.
    #[arg(
        long,
        value_name = "WAY",
        help_heading = "How to run",
        default_value = "region",
        hide_short_help = true
    )]
    pub(crate) copies: Copies,

    /// How structures are made again for further calls
    ///
    /// A type that cannot be decoded is replayed. The result is the same for both.
    #[arg(
        long,
        value_name = "WAY",
        help_heading = "How to run",
        default_value = "decode",
        hide_short_help = true
    )]
    pub(crate) making: Making,
}

fn threads(text: &str) -> Result<usize, String> {
    let number: NonZeroU32 =
        text.parse().map_err(|_| "give a number from 1 on, or leave the option out".to_owned())?;
    match number.get() {
        number @ 1..=1024 => Ok(number as usize),
        _ => Err("at most 1024".to_owned()),
    }
}

/// The kinds of stores that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Store {
    Exact,
}

fn store(text: &str) -> Result<Store, String> {
    match text {
        "exact" => Ok(Store::Exact),
        "fingerprint" | "disk" => Err("not available in this version; there is `exact`".to_owned()),
        _ => Err("there is `exact`".to_owned()),
    }
}

/// How calls get their copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Copies {
    /// The structure's memory is put back after each call: the fastest way, for any type without hidden state
    Region,
    /// By the type's `Clone`
    Clone,
    /// The structure is made again for each call
    Remake,
}

/// How structures are made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Making {
    /// From their canonical form
    Decode,
    /// By their recipe
    Replay,
}

/// When to stop early.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Budgets")]
pub(crate) struct Budgets {
    /// Stop after about N calls
    ///
    /// The calls on one structure are all made or none, so it can be a few more. Where the run stops is reproducible.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_calls: Option<u64>,

    /// Stop after about N structures
    ///
    /// The calls on one structure are all made or none, so it can be a few more. Where the run stops is reproducible.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_structures: Option<u64>,

    /// Stop after about S seconds; not reproducible
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) max_seconds: Option<f64>,

    /// Stop when the process holds N MiB of memory; not reproducible
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_memory: Option<u64>,

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

impl Budgets {
    pub(crate) fn to_budget(&self) -> Budget {
        Budget {
            max_calls: self.max_calls,
            max_structures: self.max_structures,
            max_seconds: self.max_seconds,
            max_memory_mib: self.max_memory,
            max_levels: self.max_levels,
        }
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds.is_finite() => Ok(seconds),
        _ => Err("give a positive number of seconds".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn parsed(line: &str) -> Result<Cli, String> {
        Cli::try_parse_from(line.split(' ')).map_err(|error| error.to_string())
    }

    fn generate_args(line: &str) -> GenerateArgs {
        match parsed(line).unwrap().command {
            Command::Generate(args) => args,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_definition_of_the_arguments_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn k_and_scope_are_one_option() {
        assert_eq!(generate_args("beget generate a.ron -k 3").scope.k, Some(3));
        assert_eq!(generate_args("beget generate --scope 3 a.ron").scope.k, Some(3));
    }

    #[test]
    fn methods_are_all_or_builders_or_names() {
        let of = |line: &str| generate_args(line).scope.methods;
        assert_eq!(of("beget generate a.ron"), None);
        assert_eq!(of("beget generate a.ron --methods all"), Some(Methods::All));
        let names = Methods::Only(vec!["new".to_owned(), "push".to_owned()]);
        assert_eq!(of("beget generate a.ron --methods new,push"), Some(names));
        assert!(parsed("beget generate a.ron --methods new,,push").is_err());
        assert_eq!(of("beget generate a.ron --methods builders"), Some(Methods::Builders));
    }

    #[test]
    fn a_store_that_is_not_there_yet_is_refused_by_name() {
        let error = parsed("beget generate a.ron --store fingerprint").unwrap_err();
        assert!(error.contains("not available in this version"), "{error}");
    }

    #[test]
    fn numbers_that_make_no_sense_are_refused() {
        for flag in ["--threads 0", "--max-seconds -1", "--max-seconds nan", "--max-calls 0"] {
            assert!(parsed(&format!("beget generate a.ron {flag}")).is_err(), "{flag}");
        }
    }

    #[test]
    fn a_picture_has_one_selection() {
        assert!(parsed("beget show a.ron --id 3 --last").is_err());
        assert!(parsed("beget show a.ron --gallery 9").is_ok());
    }
}
