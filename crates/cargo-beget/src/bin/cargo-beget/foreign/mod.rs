//! `cargo beget init --crate NAME --type PATH`: a harness for a type of another crate.
//!
//! `beget_discover` decides what to call and how. This module does the work with processes and
//! files: the [`package`] of the harness, the crate's [`documentation`], the [`compiler`]'s opinion
//! of the harness, and a first [`check`] of it.

mod check;
mod compiler;
mod documentation;
mod package;

use std::process::ExitCode;

use anstream::eprintln;
use beget_args::Exit;
use beget_args::cargo::CargoArgs;
use beget_discover::{Document, ElementKind, Harness, split_arguments};

use crate::error::Error;
use crate::invocation::ForeignType;
use package::HarnessPackage;

/// Writes the harness and checks it; ends as the check does.
pub(crate) fn init(
    foreign: &ForeignType,
    cargo: &CargoArgs,
    quiet: bool,
) -> Result<ExitCode, Error> {
    let says = |what: String| {
        if !quiet {
            eprintln!("{what}");
        }
    };
    let mut package = HarnessPackage::create(foreign, cargo)?;
    says(format!("reading the documentation of {} {}", package.krate, package.version));
    let document = Document::read(&documentation::of(&package, cargo)?)?;
    let arguments = split_arguments(foreign.arguments.as_deref().unwrap_or_default());
    let new = |elements| Harness::new(&document, &foreign.ty, &arguments, elements);
    let mut harness = new(ElementKind::Bytes)?;
    says(format!("compiling a harness for {}", harness.ty()));
    compiler::settle(&mut harness, &package, cargo)?;
    package.write_scope(&harness, &[])?;
    package.keep();
    print!("{}", summary(&harness, &package.dir().display().to_string(), foreign.is_checked));
    let mut harnesses = vec![harness];
    let tracked = new(ElementKind::Tracked).ok().filter(Harness::has_tracked_elements);
    if let Some(tracked) = tracked
        && let Some(tracked) = settled_module(tracked, &harnesses[0], &mut package, cargo)?
    {
        says(format!("and one for {}, in its module `tracked`", tracked.ty()));
        harnesses.push(tracked);
    }
    if !foreign.is_checked {
        return Ok(Exit::Done.into());
    }
    if !harnesses.iter().any(Harness::makes_structures) {
        let (ty, scope) = (harnesses[0].ty().to_owned(), harnesses[0].scope_path());
        return Err(Error::NoConstructor { ty, dir: package.dir().to_owned(), scope });
    }
    says(
        "building the harness with the command line in it, which takes a few minutes the first time"
            .to_owned(),
    );
    check::check(&mut harnesses, &mut package, cargo, quiet)
}

/// Writes a harness as a module of the library, with its scope; `None` if it does not compile, as
/// when the type takes no such elements.
fn settled_module(
    mut harness: Harness,
    library: &Harness,
    package: &mut HarnessPackage,
    cargo: &CargoArgs,
) -> Result<Option<Harness>, Error> {
    let Some(module) = harness.module() else { return Ok(None) };
    package.add_module(library, module)?;
    match compiler::settle(&mut harness, package, cargo) {
        Ok(()) => {
            package.write_scope(&harness, &[])?;
            Ok(Some(harness))
        }
        Err(Error::NotCompiled { .. } | Error::Unsized(_)) => {
            package.remove_module(library)?;
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Describes the written harness, and the items left out; and the next command, unless the harness
/// is checked at once.
fn summary(harness: &Harness, dir: &str, is_checked: bool) -> String {
    let (run, all) = harness.counts();
    let mut text = format!("wrote {dir}: a harness for {}\n", harness.ty());
    text += &format!("      {run} of {all} public functions take part\n");
    for (method, reason) in harness.left_out() {
        text += &format!("      without {}: {reason}\n", method.path);
    }
    if !is_checked {
        text += &format!("      next: cd {dir} && cargo beget check {}\n", harness.scope_path());
    }
    text
}
