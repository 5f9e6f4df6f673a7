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
mod random;
mod repok;
mod report;
mod supervision;
mod verify;

use std::path::{Path, PathBuf};

use crate::records::Verbosity;
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub(crate) use builders::{BuildersArgs, SearchKind};
pub(crate) use call::{CallArgs, GoalArg};
pub(crate) use ci::CiArgs;
pub(crate) use common::{
    Budgets, Copies, GoingOnArgs, Making, MethodsArg, RunArgs, ScopeArgs, ScopeFileArgs,
    SequenceArgs, StoreArg, SummaryFormat,
};
pub(crate) use emit::{EmitArgs, TestsOf};
pub(crate) use estimate::EstimateArgs;
pub(crate) use evolve::{EvolveArgs, PointsArg};
pub(crate) use explore::ExploreArgs;
pub(crate) use generation::{
    CheckArgs, DiffArgs, GenerateArgs, Keep, ListArgs, PictureFormat, SelectionArgs, ShowArgs,
    several_suites,
};
#[cfg(all(unix, feature = "cluster"))]
pub(crate) use machines::HostsArg;
pub(crate) use machines::MachinesArgs;
pub(crate) use random::{ConstantSource, DrawingArgs, MatchArg, RandomArgs, StrategyArg};
pub(crate) use repok::{CompareArgs, RepokArgs};
pub(crate) use report::ReportArgs;
pub(crate) use supervision::SupervisionArgs;
pub(crate) use verify::VerifyArgs;

/// Bounded-exhaustive testing: every object that a type's public API can build within a scope
///
/// Given the methods of a type and a scope k, beget makes every distinct object that calls of these
/// methods can build with at most k objects of each class, and keeps for each one a shortest
/// sequence of calls that builds it. Two objects are the same if their heaps have the same shape:
/// classes, values, sharing, cycles.
///
/// The types and methods come from the suites compiled into the program (see `list`), the bounds
/// from a scope file.
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
  4  an error of beget itself, the system refused to write results, or the code under test ended the process

The first interrupt (Ctrl-C) ends a run in good order, the second one at once.

Environment:
  NO_COLOR  if set, nothing is coloured unless --color says so";

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
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
    /// In the format of man: `beget man | man -l -`.
    Man,
}

/// Write first scope files, or a harness for another crate (`cargo beget` only)
///
/// There is one file for each suite of the crate. It says what `beget::check!(Type, k = 3)` takes
/// without one, with comments on what to change. A suite that has a scope file in the directory
/// keeps it; no file is overwritten.
///
/// With `--crate` and `--type` it writes a crate: a suite of the public functions of a type of a
/// crate that knows nothing of beget, with its scope, and checks it. The functions are read from
/// the crate's documentation. All of it is text to be changed; what is left out is listed in it.
#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Where to write: by default `scopes` in the package, or `NAME-harness` here
    #[arg(value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,

    /// The crate with the type, on the registry unless there is `--path`
    #[arg(long = "crate", value_name = "NAME[@VERSION]", requires = "ty")]
    pub(crate) krate: Option<String>,

    /// The directory of that crate
    #[arg(long, value_name = "DIR", requires = "krate")]
    pub(crate) path: Option<PathBuf>,

    /// The type, by its path
    #[arg(long = "type", value_name = "PATH", requires = "krate")]
    pub(crate) ty: Option<String>,

    /// Its type arguments, separated by commas; chosen where they end
    #[arg(long, value_name = "TYPES", requires = "krate")]
    pub(crate) args: Option<String>,

    /// Write the harness, and do not check it
    #[arg(long, requires = "krate")]
    pub(crate) no_check: bool,
}

/// Print the completions of a shell
///
/// Where a shell looks for them is in its own manual; for bash, for example,
/// `beget completions bash > ~/.local/share/bash-completion/completions/beget`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: Shell,
}

impl Command {
    /// Returns the file that names the suite of the command: a scope file, or the output of a run.
    pub(crate) fn about(&self) -> Option<&Path> {
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
    pub(crate) fn default_scope_of(&self) -> Option<Option<&str>> {
        match self {
            Command::Check(args) if args.scope.path.is_none() => Some(args.scope.suite.as_deref()),
            Command::Report(args) if args.scope.path.is_none() => Some(args.scope.suite.as_deref()),
            _ => None,
        }
    }

    /// Returns whether the command prints JSON.
    pub(crate) fn prints_json(&self) -> bool {
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
    /// A summary then lists the levels, how structures were reconstructed, what changed about that
    /// in the run, and all witnesses. Where there is no terminal for a progress bar, each level is
    /// announced on the standard error as its first calls are done.
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
