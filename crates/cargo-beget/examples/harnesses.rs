//! Harnesses for many types of one crate, as modules of one library. The crate is documented once,
//! and one build judges all that changed: `cargo beget init` does both for each type.
//!
//! ```sh
//! harnesses DOCUMENTATION.json PACKAGE < LIST
//! ```
//!
//! A line of the list has a name, the path of a type and its arguments, separated by tabs. The
//! harness of that name is `src/suites/NAME_suite.rs` in the package, its scope
//! `scopes/NAME.ron`; `src/suites.rs` declares the modules. The functions that are left out are
//! printed, each with the name of the harness and the reason.
#![allow(clippy::disallowed_methods, reason = "a program has files; the library has none")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, io};

use beget_discover::{Document, ElementKind, Harness, Refusal, split_arguments};
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticLevel};
use cargo_metadata::{CompilerMessage, Message};

/// More rounds than any harnesses need: each one takes a form from each function that is refused.
const MOST_ROUNDS: u32 = 100;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [documentation, package] = &arguments[..] else {
        return Err("usage: harnesses DOCUMENTATION.json PACKAGE < LIST".into());
    };
    let document = Document::read(&fs::read_to_string(documentation)?)?;
    let mut modules = Vec::new();
    for line in io::read_to_string(io::stdin())?.lines() {
        modules.push(HarnessModule::of_line(&document, line)?);
    }
    settle(&mut modules, package)?;
    for HarnessModule { name, harness } in &modules {
        let scope = harness.scope(harness.usual_k(), &[]);
        fs::write(package.join(format!("scopes/{name}.ron")), scope)?;
        for (function, reason) in harness.left_out() {
            println!("{name}\t{}\t{reason}", function.path);
        }
    }
    Ok(())
}

/// A harness in a module of the library.
struct HarnessModule {
    name: String,
    harness: Harness,
}

impl HarnessModule {
    fn of_line(document: &Document, line: &str) -> Result<HarnessModule, Box<dyn Error>> {
        let words: Vec<&str> = line.split('\t').collect();
        let [name, ty, arguments] = words[..] else {
            return Err(format!("a name, a type and its arguments, not `{line}`").into());
        };
        let arguments = split_arguments(arguments);
        let harness = Harness::new(document, ty, &arguments, ElementKind::Bytes)?;
        Ok(HarnessModule { name: name.to_owned(), harness })
    }

    fn path(&self) -> String {
        format!("src/suites/{}_suite.rs", self.name)
    }

    /// Replaces what errors refuse; returns whether anything changed.
    fn refuse(&mut self, errors: &[Diagnostic]) -> bool {
        let path = self.path();
        let refusals = errors.iter().map(|error| Refusal::of(error, &path));
        let own: Vec<_> = refusals.filter(|refusal| !refusal.lines.is_empty()).collect();
        self.harness.refuse(&own)
    }
}

/// Writes the modules until the library compiles with all of them. After errors, it is compiled
/// with the changed ones alone.
fn settle(modules: &mut [HarnessModule], package: &Path) -> Result<(), Box<dyn Error>> {
    let all: Vec<usize> = (0..modules.len()).collect();
    let mut changed = all.clone();
    for _ in 0..MOST_ROUNDS {
        let mut declared = String::new();
        for HarnessModule { name, harness } in changed.iter().map(|at| &modules[*at]) {
            fs::write(package.join(format!("src/suites/{name}_suite.rs")), harness.source())?;
            declared += &format!("pub mod {name}_suite;\n");
        }
        fs::write(package.join("src/suites.rs"), declared)?;
        let errors = compile(package)?;
        eprintln!("{} harnesses compiled, with {} errors", changed.len(), errors.len());
        changed = match errors.is_empty() {
            true if changed == all => return Ok(()),
            true => all.clone(),
            false => changed.into_iter().filter(|at| modules[*at].refuse(&errors)).collect(),
        };
        if let (true, Some(error)) = (changed.is_empty(), errors.into_iter().next()) {
            return Err(error.rendered.unwrap_or(error.message).into());
        }
    }
    Err("the harnesses still do not compile".into())
}

/// The compiler's errors in the library.
fn compile(package: &Path) -> Result<Vec<Diagnostic>, Box<dyn Error>> {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["check", "--lib", "--quiet", "--message-format", "json", "--manifest-path"]);
    let ended = command.arg(package.join("Cargo.toml")).stdin(Stdio::null()).output()?;
    let mut errors = Vec::new();
    for message in Message::parse_stream(&ended.stdout[..]) {
        if let Message::CompilerMessage(CompilerMessage { message, .. }) = message?
            && matches!(message.level, DiagnosticLevel::Error | DiagnosticLevel::Ice)
        {
            errors.push(message);
        }
    }
    match ended.status.success() || !errors.is_empty() {
        true => Ok(errors),
        false => Err(String::from_utf8_lossy(&ended.stderr).into()),
    }
}
