//! Printed recipes are Rust: a sample of each awkward suite's is compiled into a program and run.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use beget_conformance::awkward;
use beget_conformance::compare::plan;
use beget_engine::store::{Store as _, StructureId};
use beget_engine::{CopyOptions, Run, Settings};
use beget_run::FailureTest;
use beget_suite::to_source;

/// Recipes of each suite, evenly spaced, the last among them.
const SAMPLE: u64 = 8;

/// The suites whose structures share with what they are made from: all their recipes are run, and
/// the calls that panic.
const SHARING: [&str; 3] =
    ["awkward::lent_ends", "awkward::lent_twice", "awkward::sharing_results"];

/// Where destructors panic, the end of a block would, too. Where structures carry keys, a value
/// alone is not the structure.
const LEFT_OUT: [&str; 4] = [
    "awkward::panicking_destructors",
    "awkward::dropping_panics",
    "awkward::late_drops",
    "awkward::foreign_keys",
];

/// A program that makes the calls of recipes, with the number of recipes that build a structure
/// and of those that panic.
struct RecipeProgram {
    source: String,
    n_building: usize,
    n_panicking: usize,
}

fn program() -> RecipeProgram {
    let mut out = String::from("#![allow(unused)]\nfn main() {\n");
    out.push_str("let mut checks = beget_conformance::recipes::RecipeChecks::default();\n");
    let (mut n_building, mut n_panicking) = (0, 0);
    for case in awkward::all() {
        if LEFT_OUT.contains(&&*case.name) {
            continue;
        }
        let wishes = CopyOptions { no_decode: true, no_region: true, no_clone: true };
        let settings = Settings { copy_options: wishes, ..Settings::default() };
        let corpus = Run::new(plan(&case)).settings(settings).go();
        let n = corpus.store.len();
        let is_sharing = SHARING.contains(&&*case.name);
        let n_sampled = if is_sharing { n } else { SAMPLE };
        let ids: std::collections::BTreeSet<u64> =
            (0..n_sampled).map(|index| (n - 1) * index / (n_sampled - 1)).collect();
        for id in ids {
            let recipe = corpus.recipe(StructureId::new(id)).expect("a store in memory is read");
            let (source, variable) = to_source(&corpus.plan.suite, &recipe);
            let name = &case.name;
            writeln!(out, "{{\nuse beget_conformance::{name}::*;\n{source}").expect("a string");
            writeln!(out, "checks.check({name:?}, {id}, &{variable});\n}}").expect("a string");
            n_building += 1;
        }
        for finding in corpus.report.findings.iter().filter(|_| is_sharing) {
            let test = FailureTest::of(&corpus.plan, finding, 1, None);
            assert_eq!(test.verdict, Ok(()), "{}", finding.problem);
            let (name, body) = (&case.name, test.function.body.join("\n"));
            let message = finding.problem.message.to_string();
            writeln!(out, "checks.fails({message:?}, || {{\nuse beget_conformance::{name}::*;")
                .expect("a string");
            writeln!(out, "{body}\n}});").expect("a string");
            n_panicking += 1;
        }
    }
    out.push_str("println!(\"{} {}\", checks.n_compared, checks.n_panics);\n}\n");
    RecipeProgram { source: out, n_building, n_panicking }
}

/// The library that this test is linked with, in the directory of the test; the newest, where
/// builds with other features have left theirs.
fn library(directory: &Path) -> PathBuf {
    let is_library = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with("libbeget_conformance-") && name.ends_with(".rlib")
    };
    let entries = directory.read_dir().expect("the directory of this test is read");
    let paths = entries.map(|entry| entry.expect("it is read").path()).filter(is_library);
    paths
        .max_by_key(|path| path.metadata().and_then(|data| data.modified()).expect("a time"))
        .expect("cargo has built the library")
}

#[track_caller]
fn succeeds(command: &mut Command) -> Output {
    let output = command.output().expect("the program starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}:\n{errors}", output.status);
    output
}

#[test]
fn printed_recipes_compile_and_build_what_they_claim() {
    let program = program();
    assert!(program.n_building > 200, "{} recipes", program.n_building);
    assert!(program.n_panicking > 0, "calls that panic");
    let place = tempfile::tempdir().expect("a temporary directory is made");
    let (source, built) = (place.path().join("recipes.rs"), place.path().join("recipes"));
    std::fs::write(&source, &program.source).expect("the program is written");
    let this = std::env::current_exe().expect("the path of this test");
    let directory = this.parent().expect("it lies in a directory");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(rustc);
    command.args(["--edition", "2024", "--crate-type", "bin", "-o"]).arg(&built).arg(&source);
    command.arg("-L").arg(format!("dependency={}", directory.display()));
    let library = library(directory);
    command.arg("--extern").arg(format!("beget_conformance={}", library.display()));
    succeeds(&mut command);
    let said = succeeds(&mut Command::new(&built)).stdout;
    let counts = format!("{} {}\n", program.n_building, program.n_panicking);
    assert_eq!(String::from_utf8_lossy(&said), counts, "all were compared");
}
