//! The compiler's opinion of a harness: what it refuses is written otherwise, or left out.

use std::process::Stdio;

use beget_args::cargo::CargoArgs;
use beget_discover::{Harness, Refusal};
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticLevel};
use cargo_metadata::{CompilerMessage, Message};

use super::package::HarnessPackage;
use crate::error::Error;
use crate::package::cargo;

/// More rounds than any harness needs: each one takes a form from each function that is refused.
const MOST_ROUNDS: u32 = 60;

/// Writes the source of the harness until it compiles.
pub(crate) fn settle(
    harness: &mut Harness,
    package: &HarnessPackage,
    options: &CargoArgs,
) -> Result<(), Error> {
    let mut message = String::new();
    let mut is_unsized = false;
    for _ in 0..MOST_ROUNDS {
        package.write_source(harness)?;
        let errors = compile(package, options)?;
        if errors.is_empty() {
            return Ok(());
        }
        let path = harness.source_path();
        let refusals: Vec<Refusal> = errors.iter().map(|error| Refusal::of(error, &path)).collect();
        is_unsized = errors.iter().any(is_of_size);
        message = first_of(errors);
        if !harness.refuse(&refusals) {
            break;
        }
    }
    if is_unsized {
        return Err(Error::Unsized(harness.ty().to_owned()));
    }
    Err(Error::NotCompiled { dir: package.dir().to_owned(), message })
}

/// Returns whether an error says that a value has no size known to the compiler.
fn is_of_size(error: &Diagnostic) -> bool {
    error.message.starts_with("the size for values of type")
}

/// The first error as the compiler shows it, and the number of the others.
fn first_of(errors: Vec<Diagnostic>) -> String {
    let n_others = errors.len() - 1;
    let first = errors.into_iter().next();
    let shown = first.map(|error| error.rendered.unwrap_or(error.message)).unwrap_or_default();
    match n_others {
        0 => shown,
        n => format!("{}\n\nand {n} more", shown.trim_end()),
    }
}

/// The errors of the harness.
fn compile(package: &HarnessPackage, options: &CargoArgs) -> Result<Vec<Diagnostic>, Error> {
    let mut command = cargo();
    command.args(["check", "--lib", "--quiet", "--message-format", "json"]);
    command.arg("--manifest-path").arg(package.manifest_path());
    if options.offline {
        command.arg("--offline");
    }
    let ended = command.stdin(Stdio::null()).output().map_err(Error::NoCargo)?;
    let mut errors = Vec::new();
    let mut others = String::new();
    let own = format!("{}-harness", package.krate).replace('-', "_");
    for message in Message::parse_stream(&ended.stdout[..]) {
        if let Message::CompilerMessage(CompilerMessage { message, target, .. }) =
            message.map_err(Error::NoCargo)?
            && matches!(message.level, DiagnosticLevel::Error | DiagnosticLevel::Ice)
        {
            if target.name.replace('-', "_") == own {
                errors.push(message);
            } else {
                others += &message.rendered.unwrap_or(message.message);
            }
        }
    }
    if !ended.status.success() && errors.is_empty() {
        others += &String::from_utf8_lossy(&ended.stderr);
        return Err(Error::NotCompiled { dir: package.dir().to_owned(), message: others });
    }
    Ok(errors)
}
