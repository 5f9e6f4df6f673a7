//! The part of a command line that `cargo beget` acts on, and the files that name a suite.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use beget_args::cargo::{CargoArgs, CargoCli, SCOPE_FILE};
use beget_args::cli::Command;
use beget_args::style;
use beget_plan::scope::{ScopeFile, suite_of_file};

/// A type of a crate that knows nothing of beget, for which a harness is to be written.
#[derive(Clone, Debug)]
pub(crate) struct ForeignType {
    /// The crate, with a version behind `@` if there is one.
    pub(crate) krate: String,
    /// The directory of the crate, if it is not on the registry.
    pub(crate) path: Option<PathBuf>,
    /// The path of the type.
    pub(crate) ty: String,
    /// Its arguments, separated by commas.
    pub(crate) arguments: Option<String>,
    /// The directory for the harness.
    pub(crate) dir: Option<PathBuf>,
    /// True if the harness is to be checked.
    pub(crate) is_checked: bool,
}

/// The command line of `cargo beget`.
#[derive(Debug)]
pub(crate) struct Invocation {
    /// The type of another crate that the command is about.
    pub(crate) foreign: Option<ForeignType>,
    /// The tests to build.
    pub(crate) cargo: CargoArgs,
    /// The argument that names the suite of the command.
    pub(crate) about: About,
    /// True if it writes first scope files for the suites of the package.
    pub(crate) is_init: bool,
    /// True for fewer messages.
    pub(crate) quiet: bool,
}

/// The argument that names the suite of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// A scope file, or what was written of a run.
    File(PathBuf),
    /// Its name; `None`: it is the only one.
    Suite(Option<String>),
    /// It is about all.
    All,
}

impl Invocation {
    pub(crate) fn of(parsed: &CargoCli) -> Invocation {
        let command = &parsed.cli.command;
        let suite = command.default_scope_of().map(|name| About::Suite(name.map(str::to_owned)));
        let about = command.about().map(|path| About::File(path.to_owned())).or(suite);
        let about = about.unwrap_or(About::All);
        let foreign = foreign_type(command);
        let is_init = matches!(command, Command::Init(_)) && foreign.is_none();
        let quiet = parsed.cli.general.quiet;
        Invocation { foreign, cargo: parsed.cargo.clone(), about, is_init, quiet }
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

/// Refuses a missing file, or a scope file that cannot be read, before anything is built.
///
/// # Errors
/// The message, with its place and colours.
pub(crate) fn refuse_wrong_file(path: &Path) -> Result<(), String> {
    if path.is_dir() {
        return Ok(());
    }
    match fs::read_to_string(path) {
        // Files of builders and of structures are read where their suite is known.
        Ok(text) if !text.contains("Scope(") => Ok(()),
        Ok(text) => match ScopeFile::parse(&path.to_string_lossy(), &text) {
            Ok(_) => Ok(()),
            Err(problems) => Err(problems.marked(&style::markup())),
        },
        Err(source) if source.kind() == ErrorKind::NotFound => {
            Err(style::error(&format!("cannot read `{}`: {source}", path.display())))
        }
        Err(_) => Ok(()),
    }
}

/// The name of the suite that a file or directory is about: a scope file, a file of builders, or a
/// directory of structures. `None`: it is none of these.
pub(crate) fn suite_of(path: &Path) -> Option<String> {
    let in_directory = path.join(SCOPE_FILE);
    let path = if path.is_dir() { &in_directory } else { path };
    let text = fs::read_to_string(path).ok()?;
    suite_of_file(&path.to_string_lossy(), &text)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;

    #[test]
    fn a_command_is_about_a_file_or_a_suite_or_all() {
        let of = |line: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            Invocation::of(&CargoCli::read(&words).unwrap())
        };
        assert_eq!(of("check a.ron").about, About::File("a.ron".into()));
        assert_eq!(of("check").about, About::Suite(None));
        assert_eq!(of("check --suite Stack").about, About::Suite(Some("Stack".to_owned())));
        assert_eq!(of("list --lib").about, About::All);
        assert!(of("init").is_init);
        let foreign = of("init --crate slab --type Slab");
        assert!(!foreign.is_init && foreign.foreign.is_some_and(|ty| ty.ty == "Slab"));
    }
}
