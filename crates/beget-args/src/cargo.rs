//! The arguments that `cargo beget` adds, and its agreement with the program within the tests of a
//! crate.
//!
//! `cargo beget` builds the tests of a crate with the program in them and starts them with a
//! request in the environment. The arguments are parsed twice by one definition: before the build,
//! so that mistakes show at once, and in the tests.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, FromArgMatches, Parser};

use crate::cli::{Cli, explained, grouped};
use crate::name;

/// The test that runs the program has this in its name.
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

/// The arguments of `cargo beget`.
#[derive(Debug, Parser)]
#[command(name = "cargo-beget", bin_name = name::CARGO)]
pub struct CargoCli {
    #[command(flatten)]
    pub cli: Cli,
    #[command(flatten)]
    pub cargo: CargoArgs,
}

impl CargoCli {
    /// Reads the arguments of `cargo beget`, without those words.
    ///
    /// # Errors
    /// Help, or what is wrong with the arguments, to be printed.
    pub fn read(arguments: &[OsString]) -> Result<CargoCli, clap::Error> {
        let mut command = grouped::<CargoCli>().before_long_help(CARGO_HELP);
        let words: Vec<OsString> =
            std::iter::once("cargo-beget".into()).chain(arguments.iter().cloned()).collect();
        let matches = command.try_get_matches_from_mut(&words);
        let parsed = matches.and_then(|matches| CargoCli::from_arg_matches(&matches));
        parsed.map_err(|error| explained::<CargoCli>(error, &words).format(&mut command))
    }
}

const CARGO_HELP: &str = "\
cargo beget runs beget on the suites of the crate in this directory, even behind cfg(test). It builds the crate's tests \
optimised, with debug assertions and beget's allocator, in one directory for all crates (~/.cache/beget; target/beget \
if Cargo builds elsewhere than in target). The crate needs beget among its (dev-)dependencies; the manifest does not change.";

/// The file of a directory of structures that has its scope.
pub const SCOPE_FILE: &str = "scope.ron";

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<CargoCli, String> {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        CargoCli::read(&words).map_err(|message| message.to_string())
    }

    #[test]
    fn an_old_spelling_is_named_with_the_new_one() {
        let message = read("random a.ron --calls 5").unwrap_err();
        assert!(message.contains("`--calls` is now `--max-calls`"), "{message}");
    }
}
