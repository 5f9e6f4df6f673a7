//! Arguments of the commands that make structures by calls: list, generate, check, show.

use std::path::PathBuf;

use beget_suite::Suite;
use clap::{Args, ValueEnum};

use super::ci::CiArgs;
use super::common::{
    GoingOnArgs, MethodsArg, RunArgs, ScopeArgs, ScopeFileArgs, SummaryFormat, methods,
};
use super::machines::MachinesArgs;
use super::supervision::SupervisionArgs;

/// List the suites, or what a scope file makes of one
///
/// Without SCOPE: each suite of this program with what it is, its types and the number of its
/// methods.
///
/// With SCOPE: the methods with their signatures, and for each whether it takes part, how many
/// calls it stands for and which literals its parameters range over; the bounds of each class; and
/// for each type how its structures are reconstructed for further calls, and what keeps them from a
/// faster strategy. Nothing is run.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// A scope file
    #[arg(value_name = "SCOPE")]
    pub(crate) scope: Option<PathBuf>,

    /// The scope's number, in place of the file's
    #[arg(long = "scope", short, value_name = "N", requires = "scope")]
    pub(crate) k: Option<u32>,

    /// The methods that take part, in place of the file's: `all`, `builders`, or names with commas
    /// between
    #[arg(long, value_name = "METHODS", value_parser = methods, requires = "scope")]
    pub(crate) methods: Option<MethodsArg>,

    /// More objects of each class and more literals on both ends of each range
    #[arg(long, value_name = "S", requires = "scope")]
    pub(crate) slack: Option<u32>,
}

/// Make every structure of a scope
///
/// Makes every call of the scope's methods on every structure, level by level, until nothing new
/// comes. Prints what came out: the number of distinct structures, the calls by outcome, the
/// failures with the calls that show them, and a digest of the set of structures.
///
/// A call that panics is a failure, unless the scope file lists the panic as misuse; so is a
/// subject that is not deterministic. Misuse (a broken rule of use) is counted and otherwise
/// ignored.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  beget generate scopes/tree.ron -k 4
  beget generate scopes/tree.ron --methods new,insert --summary json
  beget generate scopes/tree.ron -k 9 --max-seconds 60 -o trees

Files of -o DIR:
  manifest.json     the names of all files, with their lengths and checksums, for `beget verify`
  structures.jsonl  one JSON object a line: id, type, calls, form, recipe, variable, heap
  structures.ron    the same as one RON value
  summary.json      the JSON summary without times and memory, with the version of the formats
  scope.ron         the scope file, for `verify`
  INCOMPLETE        only if the run stopped early: why

`form` is the canonical form in hexadecimal digits, `recipe` a shortest way to build the structure as Rust statements \
that leave it in `variable`, `heap` its objects, the root first. Equal runs leave equal files.

The JSON summary has these fields: suite, k, methods, complete, stop_reason, generated (structures of the main type), \
generated_by_type, generated_by_objects, explored (the sum of kept, matched, out_of_scope, misuse and failures), levels, \
digest, findings, seconds, cpu_seconds, peak_rss_bytes, store_bytes, disk_bytes (with files), ways, notes. stop_reason is `exhausted` exactly if \
complete is true.")]
pub(crate) struct GenerateArgs {
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,

    /// Write the structures to a new directory
    ///
    /// That it is free, and that its parent can be written to, is checked before the run. It gets
    /// its name when all is written, so that an error leaves nothing. What a run leaves that is
    /// killed is removed by the next one beside it.
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,

    /// How to print the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) summary: SummaryFormat,

    #[command(flatten)]
    pub(crate) run: RunArgs,

    /// Which structures are kept to the end: `all`, or `none` where only totals and findings count
    ///
    /// With `none` a structure is dropped when no call can lead to it any more: as soon as all that
    /// calls are still made on has more objects, as long as no call takes one away. Totals, digest
    /// and findings are the same. Where that cannot be, the run says why.
    #[arg(long, value_name = "WHICH", help_heading = "How to run", default_value = "all")]
    pub(crate) keep: Keep,

    #[command(flatten)]
    pub(crate) supervision: SupervisionArgs,

    #[command(flatten)]
    pub(crate) machines: MachinesArgs,

    #[command(flatten)]
    pub(crate) ci: CiArgs,
}

/// Which structures a run keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Keep {
    All,
    None,
}

/// Check every call and every structure of a scope
///
/// Makes every structure of the scope as `generate` does and asks the type's repOKs about each one.
/// A call that fails, and a structure that a repOK rejects, are shown with a shortest sequence of
/// calls that leads there; of the structures that one clause of a repOK rejects, the first.
///
/// A suite without repOKs has its calls checked.
///
/// Without SCOPE the scope is that of `beget::check!(Type)`.
///
/// There, and with `k: Auto` in a scope, the check is made at k = 1, 2, 3, ..., each exhausted, for
/// as many seconds as `--max-seconds`, the variable BEGET_SECONDS or the scope's budget says, or
/// else five. The first k that shows a failure ends it; the summary is that of the last k that was
/// exhausted, the same as with this `-k`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  beget check --suite roops::ncl
  beget check scopes/roops/ncl.ron -k 3
  beget check scopes/kiasan/treeset.ron --repok corrected --summary json

The JSON summary has the fields of `generate` and: checked (structures that the repOKs were asked about), repoks (name and \
number of rejected structures), witnesses (repok, clause, count, id, calls, recipe, heap, text), shortest recipe first; \
with `k: Auto` deepening (reached, ended_by, next_estimate_seconds, budget_seconds, at_least, message).")]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) scope: CheckedScopeArgs,

    /// With `k: Auto`, the least k to exhaust: if it is not, the check is incomplete [default: 1]
    #[arg(long, value_name = "N", help_heading = "Budgets", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) at_least: Option<u32>,

    /// Ask this repOK only
    #[arg(long, value_name = "NAME")]
    pub(crate) repok: Option<String>,

    /// How to print the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) summary: SummaryFormat,

    #[command(flatten)]
    pub(crate) going_on: GoingOnArgs,

    /// Accept a space that is almost empty
    ///
    /// Without a scope file a check ends with 5 if all calls of a method went beyond a bound, if
    /// there are fewer than ten structures while calls did, or if nine calls in ten did.
    #[arg(long)]
    pub(crate) thin: bool,

    /// End with 5 if there are warnings
    ///
    /// They are: a method that was never called with success, an `Err` that changed an argument,
    /// and, with a scope file or `-k`, a space that is almost empty.
    #[arg(long)]
    pub(crate) strict: bool,

    #[command(flatten)]
    pub(crate) run: RunArgs,

    #[command(flatten)]
    pub(crate) supervision: SupervisionArgs,

    #[command(flatten)]
    pub(crate) ci: CiArgs,
}

/// What a check runs.
#[derive(Clone, Debug, Args)]
pub(crate) struct CheckedScopeArgs {
    /// A scope file: the suite's name and the bounds of the run
    #[arg(value_name = "SCOPE")]
    pub(crate) path: Option<PathBuf>,

    /// Without SCOPE, the suite to check; not needed where there is only one
    #[arg(long, value_name = "SUITE", conflicts_with = "path")]
    pub(crate) suite: Option<String>,

    /// The scope's number, in place of the file's
    ///
    /// The bounds in the file are expressions in k, so this scales the whole scope.
    #[arg(long = "scope", short, value_name = "N")]
    pub(crate) k: Option<u32>,

    /// The methods that take part, in place of the file's: `all`, `builders`, or names with commas
    /// between
    #[arg(long, value_name = "METHODS", value_parser = methods)]
    pub(crate) methods: Option<MethodsArg>,

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

impl CheckedScopeArgs {
    /// The scope file, or the default scope of the suite that is named, or of the only one of
    /// `suites`; otherwise what to write.
    pub(crate) fn chosen(&self, suites: &[Suite]) -> Result<ScopeArgs, String> {
        let suite = match (&self.path, &self.suite, suites) {
            (Some(_), ..) => None,
            (None, Some(name), _) => Some(name.clone()),
            (None, None, [only]) => Some(only.name.clone()),
            (None, None, _) => {
                let names = suites.iter().map(|suite| suite.name.as_str());
                return Err(several_suites(names));
            }
        };
        let path = self.path.clone().or(suite.as_ref().map(|name| default_scope_of(name).into()));
        let (k, methods) = (self.k, self.methods.clone());
        let file = ScopeFileArgs { path: path.unwrap_or_default(), k, methods, suite };
        Ok(ScopeArgs { file, slack: self.slack, repository: self.repository.clone() })
    }
}

/// What messages call a scope that is in no file.
fn default_scope_of(suite: &str) -> String {
    format!("the default scope of `{suite}`")
}

/// What to write where a command without a scope file could be about one of many suites.
pub(crate) fn several_suites<'n>(names: impl Iterator<Item = &'n str>) -> String {
    const MOST: usize = 12;
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    let more = match names.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let shown = names[..names.len().min(MOST)].join(", ");
    format!("name a scope file, or one of the suites by `--suite`: {shown}{more}")
}

/// Find differences between two suites
///
/// Builds every pair of structures that the same calls build in two suites, a type and its model or
/// two versions of a type, and compares what the calls return. Methods of one name with the same
/// parameters are called together; the others are listed. The bounds of the scope hold for the
/// structures of its own suite.
///
/// A difference is shown with a shortest sequence of calls that leads to it. Where one side panics
/// and the other does not, that is a difference, unless the scope expects the panic.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  beget diff scopes/real/linkedlist.ron --against real::vecdeque
  cargo beget diff scopes/map.ron --against Model

The JSON summary has the fields of `generate`, of pairs in place of structures, and: against (the other suite), unpaired \
(suite, method, difference). Differences are findings of the kind `model`.")]
pub(crate) struct DiffArgs {
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,

    /// The suite to compare with
    #[arg(long, value_name = "SUITE")]
    pub(crate) against: String,

    /// How to print the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) summary: SummaryFormat,

    #[command(flatten)]
    pub(crate) going_on: GoingOnArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,

    #[command(flatten)]
    pub(crate) supervision: SupervisionArgs,

    #[command(flatten)]
    pub(crate) ci: CiArgs,
}

/// Draw structures of a scope
///
/// Makes the structures of the scope as `generate` does and draws some of them: objects as boxes
/// with their values, references as arrows, each picture with the structure's number and recipe.
/// Without a selection it draws the last structure found, whose recipe is among the longest.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  beget show scopes/tree.ron -k 3 --last
  beget show scopes/tree.ron -k 3 --gallery 16 -o trees.svg
  beget show scopes/kiasan/treeset.ron --color-by color -o treeset.svg
  beget show scopes/tree.ron --id 42 --format dot | dot -Tpdf -o 42.pdf")]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,

    #[command(flatten)]
    pub(crate) selection: SelectionArgs,

    /// The format; by default what the name of the output file tells, or text
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<PictureFormat>,

    /// Colour objects by the value of a field, as `field` or `Class.field`
    ///
    /// The field is one of booleans, integers, characters or an enum. Equal values have the same
    /// colour in all pictures; variants that are called like a colour have that one. Text has no
    /// colours.
    #[arg(long, value_name = "FIELD")]
    pub(crate) color_by: Option<String>,

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
pub(crate) struct SelectionArgs {
    /// The structure with this number
    ///
    /// Structures are numbered from 0 in the order of their discovery; files written by
    /// `generate -o` have the same numbers.
    #[arg(long, value_name = "N")]
    pub(crate) id: Option<u32>,

    /// The last structure of the main type (the default)
    #[arg(long)]
    pub(crate) last: bool,

    /// N structures of the main type, evenly spread over the run
    ///
    /// As SVG they are on one page, in as many columns as let it be shown largest.
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
