//! Errors that keep a command from a crate's suites.

use std::io::{self, Write};
use std::path::PathBuf;

use anstream::eprintln;
use beget_args::style;

/// An error; its message says how to repair it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("cannot run Cargo: {0}")]
    NoCargo(io::Error),
    /// Cargo's own words.
    #[error("{}", .0.trim_end())]
    Cargo(String),
    #[error("cannot read what Cargo says: {0}")]
    Unreadable(#[from] serde_json::Error),
    #[error("there is no package `{0}` in this workspace")]
    UnknownPackage(String),
    #[error(
        "no package of this workspace depends on beget: add it to the `[dev-dependencies]` of the one whose types are tested"
    )]
    NoPackage,
    #[error("several packages of this workspace depend on beget: choose one of them with -p: {}", .0.join(", "))]
    ManyPackages(Vec<String>),
    #[error("package `{0}` does not depend on beget: add it to its `[dev-dependencies]`")]
    NoDependency(String),
    #[error("the tests of package `{0}` do not build")]
    Build(String),
    #[error(
        "the tests of package `{0}` have no suite: write `#[cfg_attr(test, beget::api)]` on an impl block, or \
         `beget::suite!` in a module of tests"
    )]
    NoSuites(String),
    #[error(
        "two suites have the name `{0}`: give one of them another one, `#[beget::api(name = \"...\")]` or \
         `#[name = \"...\"]` in `suite!`"
    )]
    SameName(String),
    #[error("{0}")]
    ManySuites(String),
    #[error(transparent)]
    Discover(#[from] beget_discover::DiscoverError),
    #[error("`{}` is there already and is not empty: name a new directory for the harness", .0.display())]
    NotEmpty(PathBuf),
    #[error("`--crate` is written NAME or NAME@VERSION, not `{0}`")]
    BadCrate(String),
    #[error("package `{0}` has no library: there is no type to be tested")]
    NoLibrary(String),
    #[error("cannot write `{}`: {source}", path.display())]
    Unwritable { path: PathBuf, source: io::Error },
    #[error("cannot read `{}`, which rustdoc is to have written: {source}", path.display())]
    NoDocument { path: PathBuf, source: io::Error },
    #[error("rustdoc cannot document package `{krate}`:\n{}", message.trim_end())]
    NotDocumented { krate: String, message: String },
    #[error("the harness in `{}` does not compile, and no function of it is to blame:\n{}", dir.display(), message.trim_end())]
    NotCompiled { dir: PathBuf, message: String },
    #[error(
        "`{0}` has no size that is known at compile time, and such a value cannot be stored; try a type of the crate \
         that owns one, such as a box"
    )]
    Unsized(String),
    #[error(
        "no function of the harness makes a `{ty}` from values: add one to the suite in `{}`, then run `cargo beget \
         check {scope}` there", dir.join("src/lib.rs").display()
    )]
    NoConstructor { ty: String, dir: PathBuf, scope: String },
    #[error("the check of the harness in `{}` cannot be read: it ended with {ended}\n{}", dir.display(), stderr.trim_end())]
    NoSummary { dir: PathBuf, ended: String, stderr: String },
    #[error("`[package.metadata.beget]`: {0}")]
    Defaults(String),
    /// The mistakes in a file, with their places and colours.
    #[error("{0}")]
    InFile(String),
    #[error(transparent)]
    Init(#[from] beget_args::InitError),
    #[error("cannot write to the standard output: {0}")]
    Stdout(io::Error),
    #[error("an argument is not Unicode: {0}")]
    NotUnicode(String),
    #[error("cannot run `{program}`: {source}")]
    NoProgram { program: String, source: io::Error },
}

impl Error {
    /// Writes it to stderr, as Cargo writes its errors.
    pub(crate) fn show(&self) {
        match self {
            Error::Cargo(message) if message.starts_with("error") => eprintln!("{self}"),
            Error::InFile(message) => eprintln!("{message}"),
            _ => eprintln!("{}", style::error(&self.to_string())),
        }
        let _ = io::stderr().flush();
    }
}
