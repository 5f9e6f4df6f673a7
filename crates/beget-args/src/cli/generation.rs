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

/// List the suites, or the methods, literals and bounds of a scope
///
/// Example: beget list scopes/roops/ncl.ron -k 3
///
/// Without SCOPE, list prints the suites of this program with their types. With SCOPE, it prints
/// the methods that take part, the number of calls of each and the literals of its parameters, the
/// bounds, and the way structures are reconstructed, with the reason if there is a faster one.
/// Nothing is run.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// The scope file
    #[arg(value_name = "SCOPE")]
    pub scope: Option<PathBuf>,

    /// The number k that scales the scope; overrides the scope file
    #[arg(long = "scope", short, value_name = "N", requires = "scope")]
    pub k: Option<u32>,

    /// The methods to call: `all`, `builders`, or names separated by commas; overrides the scope
    /// file
    #[arg(long, value_name = "METHODS", value_parser = methods, requires = "scope")]
    pub methods: Option<MethodsArg>,

    /// S more objects of each class, and integers at both ends of each range
    #[arg(long, value_name = "S", requires = "scope")]
    pub slack: Option<u32>,
}

/// Build every structure of a scope
///
/// Example: beget generate scopes/tree.ron -k 4
///
/// generate makes every call on every structure, level by level, until nothing new appears. It
/// prints the number of distinct structures, the calls by outcome, the failures with the fewest
/// calls that show them, and a digest of the set.
///
/// A call that panics is a failure, unless the scope file lists the panic as misuse. Nondeterminism
/// is one too.
#[derive(Debug, Args)]
#[command(after_long_help = "\
More examples:
  beget generate scopes/tree.ron --methods new,insert --summary json
  beget generate scopes/tree.ron -k 9 --max-seconds 60 -o trees

Files of -o DIR:
  manifest.json     names, lengths and checksums of the other files, for `beget verify`
  structures.jsonl  one JSON object per line: id, type, calls, made_by, form; with --full id, type, calls, form, recipe, \
variable, heap
  summary.json      the JSON summary without times and memory, with the version of the formats
  scope.ron         the scope file, for `verify`
  INCOMPLETE        the reason, if the run stopped early

`made_by` is the last call of its recipe, on structures named by their numbers, `form` the canonical form in hexadecimal \
digits, `recipe` the Rust statements that build the structure and leave it in `variable`, `heap` its objects, the root \
first. Equal runs write equal files.

The JSON summary has these fields: suite, k, methods, complete, stop_reason, beget (the version), generated (structures \
of the main type), generated_by_type, generated_by_objects, explored (the sum of kept, matched, out_of_scope, misuse and \
failures), out_of_scope_by, expected_panics, levels, digest, findings, advice (what to write in the scope, or null), \
seconds, cpu_seconds, peak_rss_bytes, store_bytes, disk_bytes (with files), ways, notes. stop_reason is `exhausted` \
exactly if complete is true.")]
pub struct GenerateArgs {
    #[command(flatten)]
    pub scope: ScopeArgs,

    /// Write the structures to a new directory
    ///
    /// Its name must be free; this is checked before the run. On an error nothing is written.
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Write each structure with its recipe and its heap, too
    ///
    /// The files are about ten times as large.
    #[arg(long, requires = "output")]
    pub full: bool,

    /// Format of the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub summary: SummaryFormat,

    #[command(flatten)]
    pub run: RunArgs,

    /// Keep `all` structures to the end, or `none` if only totals and findings matter
    ///
    /// With `none` a structure is dropped as soon as no call can lead to it again, which saves
    /// memory. Totals, digest and findings are the same; if they cannot be, the run ends and says
    /// why.
    #[arg(long, value_name = "WHICH", help_heading = "Run options", default_value = "all")]
    pub keep: Keep,

    #[command(flatten)]
    pub supervision: SupervisionArgs,

    #[command(flatten)]
    pub machines: MachinesArgs,

    #[command(flatten)]
    pub ci: CiArgs,
}

/// The structures that a run keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Keep {
    All,
    None,
}

/// Check every call and every structure of a scope
///
/// Example: beget check scopes/roops/ncl.ron -k 3
///
/// check builds every structure as `generate` does, and checks invariants, contracts and repOKs on
/// each. A failure is shown with the fewest calls that lead to it.
///
/// Without SCOPE the scope is that of `beget::check!(Type)`. There, and with `k: Auto` in a scope,
/// the check is made at k = 1, 2, 3, ... until a k shows a failure or time is up: --max-seconds,
/// the variable BEGET_SECONDS, the scope's budget, or five seconds. The summary is that of the last
/// k that was exhausted.
#[derive(Debug, Args)]
#[command(after_long_help = "\
More examples:
  beget check --suite roops::ncl
  beget check scopes/kiasan/treeset.ron --repok corrected --summary json

The JSON summary has the fields of `generate` and: checked (structures that repOKs were checked on), repoks (name and \
number of rejected structures), contracts, thin (why the space is almost empty), witnesses (repok, clause, count, id, \
calls, recipe, heap, text; shortest recipe first), and with `k: Auto` deepening (reached, ended_by, \
next_estimate_seconds, budget_seconds, at_least, message).")]
pub struct CheckArgs {
    #[command(flatten)]
    pub scope: CheckedScopeArgs,

    /// With `k: Auto`, the least k to exhaust; otherwise the check is incomplete [default: 1]
    #[arg(long, value_name = "N", help_heading = "Budgets", value_parser = clap::value_parser!(u32).range(1..))]
    pub at_least: Option<u32>,

    /// Check this repOK only
    #[arg(long, value_name = "NAME")]
    pub repok: Option<String>,

    /// Format of the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub summary: SummaryFormat,

    #[command(flatten)]
    pub going_on: GoingOnArgs,

    /// Accept a space that is almost empty
    ///
    /// Without a k a check ends with 5 if a bound cut all calls of a method, if there are fewer
    /// than ten structures while calls were cut, or if one bound cut nine calls in ten.
    #[arg(long)]
    pub thin: bool,

    /// End with 5 if there are warnings
    ///
    /// They are: a method that was never called with success, an `Err` that changed an argument,
    /// and, with a given k, a space that is almost empty.
    #[arg(long)]
    pub strict: bool,

    #[command(flatten)]
    pub run: RunArgs,

    #[command(flatten)]
    pub supervision: SupervisionArgs,

    #[command(flatten)]
    pub ci: CiArgs,
}

/// The scope that a check runs.
#[derive(Clone, Debug, Args)]
pub struct CheckedScopeArgs {
    /// The scope file, with the suite's name and the bounds
    #[arg(value_name = "SCOPE")]
    pub path: Option<PathBuf>,

    /// Without SCOPE, the suite to check; not needed if there is only one
    #[arg(long, value_name = "SUITE", conflicts_with = "path")]
    pub suite: Option<String>,

    /// The number k that scales the scope; overrides the scope file
    #[arg(long = "scope", short, value_name = "N")]
    pub k: Option<u32>,

    /// The methods to call: `all`, `builders`, or names separated by commas; overrides the scope
    /// file
    #[arg(long, value_name = "METHODS", value_parser = methods)]
    pub methods: Option<MethodsArg>,

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

impl CheckedScopeArgs {
    /// The scope file, or the default scope of the suite that is named, or of the only one of
    /// `suites`; otherwise what to write.
    pub fn chosen(&self, suites: &[Suite]) -> Result<ScopeArgs, String> {
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

/// Returns the name, in messages, of a scope without a file.
fn default_scope_of(suite: &str) -> String {
    format!("the default scope of `{suite}`")
}

/// Returns the advice for a command without a scope file that could be about one of many suites.
pub fn several_suites<'n>(names: impl Iterator<Item = &'n str>) -> String {
    const MOST: usize = 12;
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    let more = match names.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let shown = names[..names.len().min(MOST)].join(", ");
    format!("name a scope file, or one of the suites by `--suite`: {shown}{more}")
}

/// Compare a type with a model or another version
///
/// Example: beget diff scopes/real/linkedlist.ron --against real::vecdeque
///
/// diff makes the same calls on structures of two suites, every pair that calls can reach, and
/// compares their results. Methods with the same name and parameters are called together; the
/// others are listed. The bounds hold for the suite of the scope.
///
/// A difference is shown with the fewest calls that lead to it. A panic on one side only is a
/// difference, unless the scope expects it.
#[derive(Debug, Args)]
#[command(after_long_help = "\
More examples:
  cargo beget diff scopes/map.ron --against Model

The JSON summary has the fields of `generate`, for pairs instead of structures, and: against (the other suite), unpaired \
(suite, method, difference). Differences are findings of the kind `model`.")]
pub struct DiffArgs {
    #[command(flatten)]
    pub scope: ScopeArgs,

    /// The suite to compare with
    #[arg(long, value_name = "SUITE")]
    pub against: String,

    /// Format of the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub summary: SummaryFormat,

    #[command(flatten)]
    pub going_on: GoingOnArgs,

    #[command(flatten)]
    pub run: RunArgs,

    #[command(flatten)]
    pub supervision: SupervisionArgs,

    #[command(flatten)]
    pub ci: CiArgs,
}

/// Draw structures of a scope
///
/// Example: beget show scopes/tree.ron -k 3 --gallery 16 -o trees.svg
///
/// show builds the structures as `generate` does and draws some: objects as boxes, references as
/// arrows, each with its number and recipe. By default it draws the structure of the last level
/// with the most different values.
#[derive(Debug, Args)]
#[command(after_long_help = "\
More examples:
  beget show scopes/tree.ron -k 3 --last
  beget show scopes/kiasan/treeset.ron --color-by color -o treeset.svg
  beget show scopes/kiasan/treeset.ron --before-after 7 remove -o remove.svg
  beget show scopes/tree.ron --id 42 --format dot | dot -Tpdf -o 42.pdf")]
pub struct ShowArgs {
    #[command(flatten)]
    pub scope: ScopeArgs,

    #[command(flatten)]
    pub selection: SelectionArgs,

    /// The format; by default that of the output file's name, or text
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<PictureFormat>,

    /// Colour objects by a field of booleans, integers, characters or an enum: `field` or
    /// `Class.field`
    ///
    /// Equal values have the same colour in all pictures. Variants named after a colour have that
    /// colour.
    #[arg(long, value_name = "FIELD")]
    pub color_by: Option<String>,

    /// Write to a file, which is replaced, instead of stdout
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub run: RunArgs,
}

/// The structures to draw.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub struct SelectionArgs {
    /// The structure with this number, from 0 in order of discovery, as in the files of `generate
    /// -o`
    #[arg(long, value_name = "N")]
    pub id: Option<u64>,

    /// The structure of the last level with the most different values (default)
    #[arg(long)]
    pub last: bool,

    /// N structures of the main type, evenly spread over the run, on one page
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=400))]
    pub gallery: Option<u32>,

    /// Structure N before and after a call of this method, with the changes marked
    ///
    /// `add` means the first call of `add` that changes something, `add(1)` the one with that
    /// literal.
    #[arg(long, num_args = 2, value_names = ["N", "METHOD"])]
    pub before_after: Option<Vec<String>>,
}

/// The format of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PictureFormat {
    /// A picture, of structures with up to 200 objects
    Svg,
    /// Input for Graphviz, one graph per structure
    Dot,
    /// One line for each object
    Text,
}
