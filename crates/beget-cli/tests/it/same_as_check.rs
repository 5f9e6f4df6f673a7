//! What the command line refuses, warns about and stops at, `beget::check!` does, too.
//!
//! Each case is one scope file. It is run by the program and in this process, and both must end the
//! same way, for the same reason, with the same warnings.

use crate::common;

#[path = "../../examples/own_suites.rs"]
#[allow(dead_code, reason = "its `main` is not called")]
mod own_suites;

use std::path::Path;

use beget::check::{CheckError, try_check};
use beget_program::Catalog;
use common::run;

/// How both ways of running a scope end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Done = 0,
    Findings = 1,
    Refused = 2,
    Stopped = 3,
}

/// A file of builders that a scope names.
#[derive(Clone, Copy)]
enum Builders {
    None,
    /// As `beget builders` writes it, with each first text exchanged for the second.
    With(&'static [(&'static str, &'static str)]),
}

struct Case {
    /// What is run: `generate` for suites without repOKs, `check` for suites with them.
    command: &'static str,
    scope: &'static str,
    builders: Builders,
    end: End,
    /// What the message, or the finding, says.
    says: &'static str,
}

const TREE: &str = r#"suite: "tree", k: 3, objects: {"*": "k"}, ints: "0..k","#;
const EXPECTED: &str = r#"misuse: (panics: ["the tree is empty"])"#;

/// A scope of trees whose runs find nothing wrong.
macro_rules! trees {
    ($rest:literal) => {
        concat!(
            r#"Scope(suite: "tree", k: 3, objects: {"*": "k"}, ints: "0..k", "#,
            r#"misuse: (panics: ["the tree is empty"]), "#,
            $rest,
            ")"
        )
    };
}

const BY_BUILDERS: &str = trees!(r#"methods: Builders("tree.builders.ron")"#);

const fn refused(scope: &'static str, says: &'static str) -> Case {
    Case { command: "generate", scope, builders: Builders::None, end: End::Refused, says }
}

const fn stopped(scope: &'static str, says: &'static str) -> Case {
    Case { command: "generate", scope, builders: Builders::None, end: End::Stopped, says }
}

const fn done(scope: &'static str, warns: &'static str) -> Case {
    Case { command: "generate", scope, builders: Builders::None, end: End::Done, says: warns }
}

const fn by_builders(
    edits: &'static [(&'static str, &'static str)],
    end: End,
    says: &'static str,
) -> Case {
    let builders = Builders::With(edits);
    Case { command: "generate", scope: BY_BUILDERS, builders, end, says }
}

const fn found(command: &'static str, scope: &'static str, says: &'static str) -> Case {
    Case { command, scope, builders: Builders::None, end: End::Findings, says }
}

const CASES: &[Case] = &[
    // What is as it should be.
    done(trees!(""), ""),
    done(trees!(r#"omit_fields: "mod_count""#), "`mod_count` matches no field"),
    by_builders(&[], End::Done, ""),
    // Wrong words in the scope.
    refused(r#"Scope(suite: "tre", k: 3)"#, "did you mean `tree`?"),
    refused(r#"Scope(suite: "tree", k: "three")"#, "k"),
    refused(r#"Scope(suite: "tree", k: 3, object: {"*": "k"})"#, "did you mean `objects`?"),
    refused(trees!(r#"methods: Only(["new", "insrt"])"#), "did you mean `insert`?"),
    refused(r#"Scope(suite: "tree", k: 3, objects: {"Nod": "k"}, ints: "0..k")"#, "Node"),
    refused(r#"Scope(suite: "tree", k: 3, objects: {"*": "k"})"#, "insert.info"),
    refused(trees!(r#"omit_fields: "(""#), "omit_fields"),
    // Files of builders that are not to be used.
    refused(BY_BUILDERS, "tree.builders.ron"),
    by_builders(&[("fingerprint: \"", "fingerprint: \"not ")], End::Refused, "have changed since"),
    by_builders(&[("structures: 15", "structures: 16")], End::Refused, "do not suffice"),
    by_builders(&[("suite: \"tree\"", "suite: \"bush\"")], End::Refused, "for suite `bush`"),
    by_builders(&[("version: 1", "version: 2")], End::Refused, "version 2"),
    by_builders(&[("Builders(\n", "Bilders(\n")], End::Refused, "no file of builders"),
    // Budgets.
    stopped(trees!("budget: (max_calls: 5)"), "the budget of 5 calls is spent"),
    stopped(trees!("budget: (max_structures: 3)"), "the budget of 3 structures is spent"),
    stopped(trees!("budget: (max_levels: 2)"), "all sequences of 2 calls or fewer were made"),
    stopped(
        r#"Scope(suite: "counter", k: 1, fields: {"*": "any"}, budget: (max_seconds: 0.05))"#,
        "the time of 0.05 s is up",
    ),
    stopped(
        r#"Scope(suite: "counter", k: 1, fields: {"*": "any"}, budget: (max_memory_mib: 1))"#,
        "the memory of 1 MiB is used up",
    ),
    // What is wrong with the subject. It wins over a budget that is spent.
    found(
        "generate",
        r#"Scope(suite: "tree", k: 3, objects: {"*": "k"}, ints: "0..k")"#,
        "the tree is empty",
    ),
    found(
        "generate",
        r#"Scope(suite: "tree", k: 3, objects: {"*": "k"}, ints: "0..k", budget: (max_calls: 9))"#,
        "the tree is empty",
    ),
    found("check", trees!(""), "not empty"),
    found(
        "check",
        r#"Scope(suite: "tree", k: Auto, objects: {"*": "k"}, ints: "0..k")"#,
        "not empty",
    ),
    refused(r#"Scope(suite: "tree", k: Auto, at_least: "three")"#, "an integer from 0"),
    refused(r#"Scope(suite: "tree", k: auto)"#, "did you mean `Auto`?"),
];

/// The scope file at `path`, with the file of builders that the case wants beside it.
fn write(case: &Case, path: &Path) {
    std::fs::write(path, case.scope).unwrap();
    let Builders::With(edits) = case.builders else { return };
    let all = path.with_file_name("all.ron");
    std::fs::write(&all, format!("Scope({TREE} {EXPECTED})")).unwrap();
    let file = path.with_file_name("tree.builders.ron");
    let written = run(&format!("builders {} -o {}", all.display(), file.display()));
    assert_eq!(written.code, Some(0), "{written:?}");
    let mut text = std::fs::read_to_string(&file).unwrap();
    for (from, to) in edits {
        assert!(text.contains(from), "{from}: {text}");
        text = text.replacen(from, to, 1);
    }
    std::fs::write(&file, text).unwrap();
}

#[test]
fn check_ends_as_the_command_line_does() {
    for case in CASES {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("scope.ron");
        write(case, &path);
        compare(case, &path);
    }
    let missing = refused("", "cannot read");
    compare(&missing, Path::new("no/such/scope.ron"));
}

#[track_caller]
fn compare(case: &Case, path: &Path) {
    let catalog = match case.command {
        "check" => own_suites::catalog(),
        _ => Catalog::new(own_suites::catalog().suites),
    };
    let ran = run(&format!("{} {}", case.command, path.display()));
    let mut warnings = Vec::new();
    let checked =
        try_check(catalog, beget::check::ScopeSource::File(path.to_owned()), &mut |warning| {
            warnings.push(warning)
        });
    let (end, message) = match &checked {
        Ok(_) => (End::Done, warnings.concat()),
        Err(error) => (end_of(error), error.to_string()),
    };
    let scope = case.scope;
    assert_eq!(ran.code, Some(case.end as i32), "{scope}\n{ran:?}");
    assert_eq!(end, case.end, "{scope}\n{message}");
    assert!(message.contains(case.says), "{scope}\n{message}");
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert!(said.contains(case.says), "{scope}\n{said}");
    if case.end == End::Refused {
        // A test also says what to do where there is no file.
        let shared = message.trim().split("; `cargo beget init`").next().unwrap();
        assert!(ran.stderr.contains(shared), "{scope}\n{message}\n{}", ran.stderr);
    } else {
        assert_eq!(ran.stderr.trim(), warnings.concat().trim(), "{scope}");
    }
}

fn end_of(error: &CheckError) -> End {
    match error {
        CheckError::Input(_) => End::Refused,
        CheckError::Findings(_) => End::Findings,
        CheckError::Incomplete { .. } => End::Stopped,
        other => panic!("{other}"),
    }
}
