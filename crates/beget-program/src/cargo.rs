//! `cargo beget`: its arguments, and the command line within a crate's own tests.
//!
//! `cargo beget` builds the tests of a crate with this program in them and starts them with a
//! request in the environment. One of the tests, which the macros emit, calls [`answer`]; that runs
//! the command on the suites of the crate and ends the process. The arguments are parsed twice by
//! one definition: before the build, so that mistakes show at once, and in the tests.
//!
//! The test harness writes to stdout before a test begins, so the results cannot go there: the
//! standard *input* of the tests is the standard output of `cargo beget`.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;

use beget_plan::scope::ScopeFile;
use beget_run::InputError;
use beget_search::builders_file::BuildersFile;
use clap::{Args, FromArgMatches, Parser};

use crate::args::{Cli, Command, grouped};
use crate::error::CliError;
use crate::{Catalog, Exit, execute, init, name, print, stdout, supervision};

/// The test that calls [`answer`] has this in its name.
pub const TEST: &str = "enter_beget_command_line";

/// The request to run a command: its arguments in a JSON list.
pub const ARGUMENTS: &str = "BEGET_CARGO_ARGUMENTS";

/// The request for the names of the suites, in a JSON list.
pub const SUITES: &str = "BEGET_CARGO_SUITES";

/// The tests to build, and the way to build them. The options are those of `cargo test`.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Cargo options")]
pub struct CargoArgs {
    /// The package with the suites; by default that of this directory
    #[arg(long, short, global = true, value_name = "SPEC")]
    pub package: Option<String>,

    /// Look for suites in the library only
    #[arg(long, global = true)]
    pub lib: bool,

    /// Look for suites in this test target only
    #[arg(long, global = true, value_name = "NAME", conflicts_with = "lib")]
    pub test: Option<String>,

    /// Features of the package to activate
    #[arg(long, global = true, value_name = "FEATURES", hide_short_help = true)]
    pub features: Vec<String>,

    /// Activate all features of the package
    #[arg(long, global = true, hide_short_help = true)]
    pub all_features: bool,

    /// Do not activate the default features of the package
    #[arg(long, global = true, hide_short_help = true)]
    pub no_default_features: bool,

    /// The manifest of the package
    #[arg(long, global = true, value_name = "PATH", hide_short_help = true)]
    pub manifest_path: Option<PathBuf>,

    /// Build with this profile; by default optimised, with debug assertions
    #[arg(long, global = true, value_name = "PROFILE", hide_short_help = true)]
    pub profile: Option<String>,

    /// Refuse to change Cargo.lock
    #[arg(long, global = true, hide_short_help = true)]
    pub locked: bool,

    /// Never use the network
    #[arg(long, global = true, hide_short_help = true)]
    pub offline: bool,
}

impl CargoArgs {
    /// The options that choose a package and its features, as words for Cargo.
    pub fn selection(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut option = |name: &str, value: Option<&str>| {
            words.push(name.to_owned());
            words.extend(value.map(str::to_owned));
        };
        if let Some(package) = &self.package {
            option("--package", Some(package));
        }
        if let Some(path) = &self.manifest_path {
            option("--manifest-path", Some(&path.to_string_lossy()));
        }
        self.features.iter().for_each(|features| option("--features", Some(features)));
        let flags = [
            (self.all_features, "--all-features"),
            (self.no_default_features, "--no-default-features"),
            (self.locked, "--locked"),
            (self.offline, "--offline"),
        ];
        flags.iter().filter(|(is_given, _)| *is_given).for_each(|(_, flag)| option(flag, None));
        words
    }

    /// The options that choose targets, as words for Cargo. Without one, all that has tests is
    /// built.
    pub fn targets(&self) -> Vec<String> {
        match &self.test {
            _ if self.lib => vec!["--lib".to_owned()],
            Some(name) => vec!["--test".to_owned(), name.clone()],
            None => Vec::new(),
        }
    }
}

/// A type of a crate that knows nothing of beget, for which a harness is to be written.
#[derive(Clone, Debug)]
pub struct ForeignType {
    /// The crate, with a version behind `@` if there is one.
    pub krate: String,
    /// The directory of the crate, if it is not on the registry.
    pub path: Option<PathBuf>,
    /// The path of the type.
    pub ty: String,
    /// Its arguments, separated by commas.
    pub arguments: Option<String>,
    /// The directory for the harness.
    pub dir: Option<PathBuf>,
    /// True if the harness is to be checked.
    pub is_checked: bool,
}

/// The command line of `cargo beget`.
#[derive(Debug)]
pub struct Invocation {
    /// The type of another crate that the command is about.
    pub foreign: Option<ForeignType>,
    /// The tests to build.
    pub cargo: CargoArgs,
    /// The argument that names the suite of the command.
    pub about: About,
    /// True if it writes first scope files for the suites of the package.
    pub is_init: bool,
    /// True for fewer messages.
    pub quiet: bool,
}

/// The argument that names the suite of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// A scope file, or what was written of a run.
    File(PathBuf),
    /// Its name; `None`: it is the only one.
    Suite(Option<String>),
    /// It is about all.
    All,
}

/// The tests to build, from the command line of this process.
static GIVEN: OnceLock<CargoArgs> = OnceLock::new();

/// The options for Cargo that build the package with this manifest as this process was built.
pub(crate) fn selection_of(manifest: PathBuf) -> Vec<String> {
    let given = GIVEN.get().cloned().unwrap_or_default();
    CargoArgs { package: None, manifest_path: Some(manifest), ..given }.selection()
}

#[derive(Debug, Parser)]
#[command(name = "cargo-beget", bin_name = name::CARGO)]
struct CargoCli {
    #[command(flatten)]
    cli: Cli,
    #[command(flatten)]
    cargo: CargoArgs,
}

impl CargoCli {
    fn parse(arguments: &[OsString]) -> Result<CargoCli, Exit> {
        let command = grouped::<CargoCli>().before_long_help(CARGO_HELP);
        let words = std::iter::once("cargo-beget".into()).chain(arguments.iter().cloned());
        let matches = command.try_get_matches_from(words);
        let parsed = matches.and_then(|matches| CargoCli::from_arg_matches(&matches));
        parsed.map_err(|message| print::usage(&message))
    }
}

const CARGO_HELP: &str = "\
cargo beget runs beget on the suites of the crate in this directory, even behind cfg(test). It builds the crate's tests \
optimised, with debug assertions and beget's allocator, in one directory for all crates (~/.cache/beget; target/beget \
if Cargo builds elsewhere than in target). The crate needs beget among its (dev-)dependencies; the manifest does not change.";

/// Reads the arguments of `cargo beget`, without those words.
///
/// # Errors
/// The exit code if there is nothing to build, after help or an error has been shown.
pub fn parse(arguments: &[OsString]) -> Result<Invocation, ExitCode> {
    let CargoCli { cli, cargo } = CargoCli::parse(arguments)?;
    cli.general.color.choose();
    let suite = cli.command.default_scope_of().map(|name| About::Suite(name.map(str::to_owned)));
    let about = cli.command.about().map(|path| About::File(path.to_owned())).or(suite);
    let about = about.unwrap_or(About::All);
    let foreign = foreign_type(&cli.command);
    let is_init = matches!(cli.command, Command::Init(_)) && foreign.is_none();
    Ok(Invocation { foreign, cargo, about, is_init, quiet: cli.general.quiet })
}

/// Refuses a missing file, or a scope file that cannot be read, with a message, before anything is
/// built.
///
/// # Errors
/// The exit code.
pub fn refuse_wrong_file(path: &Path) -> Result<(), ExitCode> {
    if path.is_dir() {
        return Ok(());
    }
    let wrong = match std::fs::read_to_string(path) {
        // Files of builders and of structures are read where their suite is known.
        Ok(text) if !text.contains("Scope(") => return Ok(()),
        Ok(text) => match ScopeFile::parse(&path.to_string_lossy(), &text) {
            Ok(_) => return Ok(()),
            Err(problems) => InputError::from(problems),
        },
        Err(source) if source.kind() == ErrorKind::NotFound => {
            InputError::Unreadable { path: path.to_owned(), source }
        }
        Err(_) => return Ok(()),
    };
    print::error(&CliError::Input(wrong));
    Err(Exit::Usage.into())
}

/// Writes first scope files for suites of these names, as `init` does.
pub fn init(arguments: &[OsString], names: Vec<String>, package: &Path) -> ExitCode {
    let CargoCli { cli, cargo } = match CargoCli::parse(arguments) {
        Ok(parsed) => parsed,
        Err(exit) => return exit.into(),
    };
    name::choose(&[cargo.selection(), cargo.targets()].concat());
    let Command::Init(args) = &cli.command else { return Exit::Internal.into() };
    let written = init::run(args, names.iter().map(String::as_str), package, &cli.general);
    match written {
        Ok(exit) => exit.into(),
        Err(error) => {
            print::error(&error);
            Exit::Usage.into()
        }
    }
}

/// Returns the advice for a command that could be about each of several suites.
pub fn several_suites(names: &[&str]) -> String {
    crate::args::several_suites(names.iter().copied())
}

/// The name of the suite that a file or directory is about: a scope file, a file of builders, or a
/// directory of structures. `None`: it is none of these.
pub fn suite_of(path: &Path) -> Option<String> {
    let in_directory = path.join(crate::records::SCOPE_FILE);
    let path = if path.is_dir() { &in_directory } else { path };
    let text = std::fs::read_to_string(path).ok()?;
    let scope = ScopeFile::parse(&path.to_string_lossy(), &text);
    match scope {
        Ok(scope) => Some(scope.suite_name().to_owned()),
        Err(_) => Some(BuildersFile::from_ron(&text).ok()?.suite),
    }
}

fn foreign_type(command: &Command) -> Option<ForeignType> {
    let Command::Init(args) = command else { return None };
    Some(ForeignType {
        krate: args.krate.clone()?,
        path: args.path.clone(),
        ty: args.ty.clone()?,
        arguments: args.args.clone(),
        dir: args.dir.clone(),
        is_checked: !args.no_check,
    })
}

/// Does what `cargo beget` asks of this process with the suites in `catalog`, and ends the process;
/// returns if `cargo beget` has not started it.
pub fn answer(catalog: impl FnOnce() -> Catalog) {
    let exit = if std::env::var_os(SUITES).is_some() {
        name_suites(&catalog())
    } else if let Ok(arguments) = std::env::var(ARGUMENTS) {
        run(&arguments, catalog())
    } else {
        return;
    };
    std::process::exit(exit as i32)
}

fn name_suites(catalog: &Catalog) -> Exit {
    stdout::divert_from_stdin();
    let names: Vec<&str> = catalog.suites.iter().map(|suite| suite.name.as_str()).collect();
    let written = serde_json::to_string(&names).map(|names| stdout::write(&names));
    if matches!(written, Ok(Ok(()))) { Exit::Done } else { Exit::Internal }
}

fn run(arguments: &str, catalog: Catalog) -> Exit {
    let Ok(arguments) = serde_json::from_str::<Vec<String>>(arguments) else {
        print::message("the request of `cargo beget` cannot be read: is it of another version?");
        return Exit::Internal;
    };
    let arguments: Vec<OsString> = arguments.into_iter().map(OsString::from).collect();
    match CargoCli::parse(&arguments) {
        Ok(CargoCli { cli, cargo }) => {
            let options = [cargo.selection(), cargo.targets()].concat();
            let _ = GIVEN.set(cargo);
            name::choose(&options);
            // A worker has its supervisor there.
            if !supervision::is_at_work() {
                stdout::divert_from_stdin();
            }
            execute(&cli, catalog)
        }
        Err(exit) => exit,
    }
}
