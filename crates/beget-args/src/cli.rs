//! The arguments: one definition for parsing, help and manual.

mod builders;
mod call;
mod ci;
mod common;
mod emit;
mod estimate;
mod evolve;
mod explore;
mod generation;
mod machines;
mod old;
mod random;
mod repok;
mod report;
mod supervision;
mod verify;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue};
use clap::{ArgAction, Args, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub use builders::{BuildersArgs, SearchKind};
pub use call::{CallArgs, GoalArg};
pub use ci::CiArgs;
pub use common::{
    Budgets, Copies, GoingOnArgs, Making, MethodsArg, RunArgs, ScopeArgs, ScopeFileArgs,
    SequenceArgs, StoreArg, SummaryFormat,
};
pub use emit::{EmitArgs, TestsOf};
pub use estimate::EstimateArgs;
pub use evolve::{EvolveArgs, PointsArg};
pub use explore::ExploreArgs;
pub use generation::{
    CheckArgs, DiffArgs, GenerateArgs, Keep, ListArgs, PictureFormat, SelectionArgs, ShowArgs,
    several_suites,
};
#[cfg(unix)]
pub use machines::HostsArg;
pub use machines::MachinesArgs;
use old::with_new_spelling;
pub use random::{RandomArgs, StrategyArg};
pub use repok::{CompareArgs, RepokArgs};
pub use report::ReportArgs;
pub use supervision::SupervisionArgs;
pub use verify::VerifyArgs;

/// Test a type on every value that its methods can build, up to a size
///
/// Example: beget check scopes/roops/ncl.ron -k 3
///
/// beget builds every value that calls of a type's methods can build within the bounds of a scope,
/// and makes every call on each. It keeps a shortest sequence of calls for each value. Two values
/// are the same if their heaps have the same shape: classes, values, sharing, cycles.
///
/// The types and their methods are suites compiled into the program (see `list`); the bounds are in
/// a scope file.
#[derive(Debug, Parser)]
#[command(name = "beget", version, max_term_width = 100, after_long_help = AFTER_HELP)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub general: General,
}

const AFTER_HELP: &str = "\
Results go to stdout, everything else to stderr. Runs with the same input give the same structures, numbers and recipes \
for any number of threads. The first Ctrl-C ends a run in order, the second one at once.

Exit codes:
  0  the whole job was done and nothing wrong was found
  1  failures were found, or sets that differ (even if the run also stopped early)
  2  the input is wrong: arguments, scope file, suite, or output path; nothing was run or written
  3  the run stopped early, by a budget or an interrupt: its results are written and marked incomplete
  4  an internal error, results could not be written, or the code under test ended the process
  5  `check` found nothing, but the space is almost empty or, with --strict, there are warnings

Environment:
  NO_COLOR  if set, nothing is coloured unless --color says so";

/// The commands by purpose, as the help lists them.
const GROUPS: [(&str, &[&str]); 4] = [
    (
        "Run",
        &["check", "generate", "random", "diff", "repok", "compare", "builders", "call", "evolve"],
    ),
    ("Inspect", &["list", "show", "report", "explore", "estimate", "verify"]),
    ("Write", &["init", "emit"]),
    ("More", &["completions", "man", "help"]),
];

/// Returns the command line of a parser with its commands listed in groups.
pub fn grouped<P: CommandFactory>() -> clap::Command {
    let command = P::command();
    let header = *command.get_styles().get_header();
    let literal = *command.get_styles().get_literal();
    let of = |name: &str| command.find_subcommand(name).and_then(|found| found.get_about());
    let mut commands = String::new();
    for (group, names) in GROUPS {
        commands += &format!("\n{header}{group}:{header:#}\n");
        for name in names {
            // clap adds `help` later.
            let about =
                of(name).map_or("Print the help of a command".to_owned(), |it| it.to_string());
            commands += &format!("  {literal}{name:<11}{literal:#}  {about}\n");
        }
    }
    let options = format!("\n{header}Options:{header:#}\n{{options}}{{after-help}}");
    let start = "{before-help}{about-with-newline}\n{usage-heading} {usage}\n";
    command.help_template(format!("{start}{commands}{options}"))
}

/// An error of a command line, in the words that help most.
pub fn explained<P: CommandFactory>(error: clap::Error, arguments: &[OsString]) -> clap::Error {
    with_new_spelling(with_negative_numbers::<P>(error, arguments), arguments)
}

/// The same error or, if a negative number was taken for an option, that it is too small. The
/// arguments are read once more for that: it costs nothing where they are right.
fn with_negative_numbers<P: CommandFactory>(
    error: clap::Error,
    arguments: &[OsString],
) -> clap::Error {
    let is_number = |option: &str| {
        option
            .strip_prefix('-')
            .is_some_and(|rest| rest.starts_with(|one: char| one.is_ascii_digit()))
    };
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(option)) if is_number(option) => {
            let again = takes_negative_numbers(P::command()).try_get_matches_from(arguments);
            again.err().unwrap_or(error)
        }
        _ => error,
    }
}

/// The same command line, in which `-1` after an option is its value.
fn takes_negative_numbers(command: clap::Command) -> clap::Command {
    let takes = |arg: clap::Arg| match arg.get_long().is_some() && arg.get_action().takes_values() {
        true => arg.allow_negative_numbers(true),
        false => arg,
    };
    let names: Vec<_> = command.get_subcommands().map(|one| one.get_name().to_owned()).collect();
    let with_all =
        |command: clap::Command, name| command.mut_subcommand(name, |one| one.mut_args(takes));
    names.into_iter().fold(command, with_all)
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    List(ListArgs),
    Generate(GenerateArgs),
    Estimate(EstimateArgs),
    Repok(RepokArgs),
    Compare(CompareArgs),
    Check(CheckArgs),
    Random(Box<RandomArgs>),
    Evolve(EvolveArgs),
    Call(CallArgs),
    Diff(DiffArgs),
    Builders(BuildersArgs),
    Emit(EmitArgs),
    Show(ShowArgs),
    Report(Box<ReportArgs>),
    Explore(Box<ExploreArgs>),
    Verify(VerifyArgs),
    Init(InitArgs),
    Completions(CompletionsArgs),
    /// Print the manual page
    ///
    /// Example: beget man | man -l -
    Man,
}

/// Write first scope files, or a harness for another crate (`cargo beget` only)
///
/// Example: cargo beget init --crate slab --type Slab
///
/// Without --crate, init writes a commented scope file for each suite of the crate, with the values
/// of `beget::check!(Type, k = 3)`. Existing files are kept.
///
/// With --crate and --type it writes a new crate with a suite of the type's public functions and a
/// scope, and checks it. It reads the functions from the crate's documentation, and lists those
/// that it leaves out. The harness is yours to edit.
#[derive(Debug, Args)]
pub struct InitArgs {
    /// The directory to write to; by default `scopes` in the package, or `NAME-harness` here
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,

    /// The crate with the type, on the registry unless --path is given
    #[arg(long = "crate", value_name = "NAME[@VERSION]", requires = "ty")]
    pub krate: Option<String>,

    /// The directory of that crate
    #[arg(long, value_name = "DIR", requires = "krate")]
    pub path: Option<PathBuf>,

    /// The type: its path, or the last segment if that is unique
    ///
    /// For a trait that `Vec` has, the functions of the trait are tested on a vector.
    #[arg(long = "type", value_name = "PATH", requires = "krate")]
    pub ty: Option<String>,

    /// The type's arguments, separated by commas; missing ones are chosen
    #[arg(long, value_name = "TYPES", requires = "krate")]
    pub args: Option<String>,

    /// Compile the harness without checking it
    #[arg(long, requires = "krate")]
    pub no_check: bool,
}

/// Print completions for a shell
///
/// Example: beget completions bash > ~/.local/share/bash-completion/completions/beget
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: Shell,
}

impl Command {
    /// Returns the file that names the suite of the command: a scope file, or the output of a run.
    pub fn about(&self) -> Option<&Path> {
        match self {
            Command::List(args) => args.scope.as_deref(),
            Command::Generate(args) => Some(&args.scope.file.path),
            Command::Estimate(args) => Some(&args.file.path),
            Command::Repok(args) => Some(&args.scope),
            Command::Compare(args) => Some(&args.scope.file.path),
            Command::Check(args) => args.scope.path.as_deref(),
            Command::Random(args) => Some(&args.sequences.file.path),
            Command::Call(args) => Some(&args.sequences.file.path),
            Command::Evolve(args) => Some(&args.sequences.file.path),
            Command::Diff(args) => Some(&args.scope.file.path),
            Command::Builders(args) => Some(&args.scope),
            Command::Emit(args) => Some(&args.scope.file.path),
            Command::Show(args) => Some(&args.scope.file.path),
            Command::Explore(args) => Some(&args.scope.file.path),
            Command::Report(args) => args.scope.path.as_deref(),
            Command::Verify(args) => Some(&args.path),
            Command::Init(_) | Command::Completions(_) | Command::Man => None,
        }
    }

    /// Returns the suite whose default scope the command takes, `Some(None)` if it names no suite.
    pub fn default_scope_of(&self) -> Option<Option<&str>> {
        match self {
            Command::Check(args) if args.scope.path.is_none() => Some(args.scope.suite.as_deref()),
            Command::Report(args) if args.scope.path.is_none() => Some(args.scope.suite.as_deref()),
            _ => None,
        }
    }

    /// Returns whether the command prints JSON.
    pub fn prints_json(&self) -> bool {
        let summary = match self {
            Command::Generate(args) => args.summary,
            Command::Estimate(args) => args.summary,
            Command::Repok(args) => args.summary,
            Command::Compare(args) => args.summary,
            Command::Check(args) => args.summary,
            Command::Random(args) => args.sequences.summary,
            Command::Call(args) => args.sequences.summary,
            Command::Evolve(args) => args.sequences.summary,
            Command::Diff(args) => args.summary,
            Command::Builders(args) => args.summary,
            Command::Emit(args) => args.summary,
            Command::Verify(args) => args.summary,
            Command::List(_)
            | Command::Report(_)
            | Command::Explore(_)
            | Command::Show(_)
            | Command::Init(_)
            | Command::Completions(_)
            | Command::Man => SummaryFormat::Text,
        };
        summary == SummaryFormat::Json
    }
}

/// The options of all commands.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "General options")]
pub struct General {
    /// Colour the messages
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,

    /// Print only results and errors: no progress, warnings or notes
    #[arg(long, short, global = true)]
    pub quiet: bool,

    /// Print more: levels, the way structures were reconstructed, all witnesses
    ///
    /// Without a terminal for a progress bar, each level is also announced on stderr.
    #[arg(long, short, global = true, action = ArgAction::Count)]
    pub verbose: u8,
}

impl General {
    pub fn verbosity(&self) -> Verbosity {
        match self.verbose {
            0 => Verbosity::Normal,
            _ => Verbosity::Verbose,
        }
    }
}

/// The level of detail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// The result, the counters, all findings, and the witnesses of some.
    #[default]
    Normal,
    /// Also levels, ways of reconstructing structures, notes, and the witnesses of all findings.
    Verbose,
}

/// The use of colours.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Also in files and pipes
    Always,
    /// Nowhere
    Never,
}

impl Color {
    /// Makes it the choice of the whole process.
    pub fn choose(self) {
        let choice = match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}

#[cfg(test)]
mod tests {
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
        grouped::<Cli>().debug_assert();
    }

    #[test]
    fn k_and_scope_are_one_option() {
        assert_eq!(generate_args("beget generate a.ron -k 3").scope.file.k, Some(3));
        assert_eq!(generate_args("beget generate --scope 3 a.ron").scope.file.k, Some(3));
    }

    #[test]
    fn methods_are_all_or_builders_or_names() {
        let of = |line: &str| generate_args(line).scope.file.methods;
        assert_eq!(of("beget generate a.ron"), None);
        assert_eq!(of("beget generate a.ron --methods all"), Some(MethodsArg::All));
        let names = MethodsArg::Only(vec!["new".to_owned(), "push".to_owned()]);
        assert_eq!(of("beget generate a.ron --methods new,push"), Some(names));
        assert!(parsed("beget generate a.ron --methods new,,push").is_err());
        assert_eq!(of("beget generate a.ron --methods builders"), Some(MethodsArg::Builders));
    }

    #[test]
    fn stores_are_in_memory_or_in_a_directory() {
        for good in ["--store memory", "--store exact", "--store disk:a/b", "--checkpoint a"] {
            assert!(parsed(&format!("beget generate a.ron {good}")).is_ok(), "{good}");
        }
        for (bad, says) in [
            ("--store fingerprint", "there are `memory` and `disk:DIR`"),
            ("--store disk", "name the directory"),
            ("--store disk:", "name the directory"),
            ("--resume a --checkpoint b", "cannot be used with"),
            ("--checkpoint-minutes=-1", "give a number of minutes"),
        ] {
            let error = parsed(&format!("beget generate a.ron {bad}")).unwrap_err();
            assert!(error.contains(says), "{bad}: {error}");
        }
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
