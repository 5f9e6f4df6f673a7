//! What is said about wrong scope files: every file of `tests/bad` has its message as a snapshot.
#![allow(clippy::disallowed_methods, reason = "the cases are files")]

use crate::common;

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use beget_plan::scope::{MethodsOverride, Overrides, ScopeFile, unknown_suite};
use beget_suite::{
    Domain, DomainError, DomainKind, Extent, LiteralDomain, Param, ParamKind, Pools,
};

fn message(path: &str, text: &str) -> String {
    match common::resolve(path, text, &Overrides::default()) {
        Ok(_) => format!("{path} is right"),
        Err(problems) => problems.to_string(),
    }
}

#[test]
fn every_mistake_is_shown_where_it_is_with_what_to_write_instead() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad");
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 30);
    for file in files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).unwrap();
        insta::assert_snapshot!(name.clone(), message(&format!("scopes/{name}.ron"), &text));
    }
}

#[test]
fn an_unknown_suite_is_shown_with_the_nearest_one() {
    let file = ScopeFile::parse("x.ron", "Scope(\n\tsuite: \"roops::nlc\",\n\tk: 3)").unwrap();
    let diagnostic = unknown_suite(&file, &["roops::avl", "roops::ncl", "korat::dllist"]);
    insta::assert_snapshot!("unknown_suite", diagnostic.to_string());
}

#[test]
fn a_method_of_the_flag_is_shown_in_the_flag() {
    let text = r#"(suite: "test::list", k: 1, objects: {"*": "k"}, ints: "0..k")"#;
    let methods = |names: &[&str]| Overrides {
        methods: Some(MethodsOverride::Only(names.iter().map(|&name| name.into()).collect())),
        ..Overrides::default()
    };
    let unknown =
        common::resolve("x.ron", text, &methods(&["new", "ad_last", "clea"])).unwrap_err();
    insta::assert_snapshot!("flag_unknown_method", unknown.to_string());
    let nothing = common::resolve("x.ron", text, &methods(&["clear", "append"])).unwrap_err();
    insta::assert_snapshot!("flag_no_constructor", nothing.to_string());
}

#[test]
fn a_bound_is_checked_at_the_k_of_the_run() {
    let text = r#"(suite: "test::list", k: 1, objects: {"*": "k - 1"}, ints: "0..k + 1")"#;
    let overrides = Overrides { k: Some(0), ..Overrides::default() };
    let problems = common::resolve("x.ron", text, &overrides).unwrap_err();
    insta::assert_snapshot!("bound_at_another_k", problems.to_string());
    assert_eq!(problems.iter().next().unwrap().offending, "k - 1");
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_line() {
    let text =
        "\u{feff}Scope(suite: \"test::list\", k: 1, objects: {\"*\": \"n\"}, ints: \"0..k\")";
    let problems = common::resolve("x.ron", text, &Overrides::default()).unwrap_err();
    let problem = problems.iter().next().unwrap();
    assert_eq!((problem.line, problem.column, problem.offending.as_str()), (1, 50, "n"));
    let right = text.replace("\"n\"", "\"k\"");
    assert!(common::resolve("x.ron", &right, &Overrides::default()).is_ok());
}

#[test]
fn of_many_mistakes_the_first_hundred_are_shown() {
    let names: Vec<_> = (0..50_000).map(|index| format!("\"clea{index}\"")).collect();
    let text = format!(
        "(suite: \"test::list\", k: 1, objects: {{\"*\": \"k\"}}, ints: \"0..k\", methods: Only([{}]))",
        names.join(", ")
    );
    let problems = common::resolve("x.ron", &text, &Overrides::default()).unwrap_err();
    assert_eq!(problems.len(), 100);
    let shown = problems.to_string();
    assert!(shown.ends_with("\n\nfurther mistakes are not shown"));
    // The one line is long: only the part around each mistake is shown.
    assert!(shown.len() < 100 * 600, "{}", shown.len());
    assert_eq!(problems.get(99).unwrap().offending, "clea99");
}

#[test]
fn deep_ron_is_refused() {
    for open in ["(", "[", "Some(", "{0:", "/*"] {
        let text = format!("Scope(suite: {}", open.repeat(100_000));
        assert!(ScopeFile::parse("x.ron", &text).is_err(), "{open}");
    }
}

#[test]
fn calls_that_cannot_be_numbered_are_refused() {
    let text = r#"(suite: "test::list", k: 1, objects: {"*": "k"}, ints: "0..400000")"#;
    let problems = common::resolve("x.ron", text, &Overrides::default()).unwrap_err();
    let message =
        "the methods have more than 1000000 literals together, or more than 64 MiB of them";
    assert_eq!(problems.iter().next().unwrap().message, message);
}

/// How many lists of [`Listed`] were made.
static LISTS: AtomicUsize = AtomicUsize::new(0);

/// 600,000 values: a plan has room for them once.
#[derive(Clone)]
struct Listed;

impl Domain for Listed {
    const KIND: DomainKind = DomainKind::Unit;

    fn values(_: &Pools) -> Result<Vec<Self>, DomainError> {
        LISTS.fetch_add(1, Ordering::Relaxed);
        Ok(vec![Listed; 600_000])
    }

    fn extent(_: &Pools) -> Result<Extent, DomainError> {
        Ok(Extent { count: 600_000, bytes: 0 })
    }

    fn to_source(&self) -> String {
        String::new()
    }
}

/// Lists of a million literals took a second each, and were made to be told that they are too long.
#[test]
fn literals_are_not_made_if_the_plan_has_no_room_for_them() {
    let domain = LiteralDomain::of::<Listed>("Listed");
    let takes = |param: &Param| match param.kind {
        ParamKind::Literal { prefix, .. } => {
            Param { kind: ParamKind::Literal { domain, prefix }, ..param.clone() }
        }
        ParamKind::Structure { .. } => param.clone(),
    };
    let mut suite = (*common::list()).clone();
    for method in &mut suite.methods {
        method.params = method.params.iter().map(takes).collect();
    }
    let text = r#"(suite: "test::list", k: 1, objects: {"*": "k"}, slack: 1)"#;
    let file = ScopeFile::parse("x.ron", text).unwrap();
    let problems = file.resolve(&suite.into(), &Overrides::default(), &common::no_files);
    let problems = problems.unwrap_err();
    let message =
        "the methods have more than 1000000 literals together, or more than 64 MiB of them";
    let messages: Vec<_> = problems.iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(messages, [message]);
    // The first of the three parameters takes its literals, once, though it is asked for them with
    // and without slack.
    assert_eq!(LISTS.load(Ordering::Relaxed), 1);
}

#[test]
fn a_pattern_of_omitted_fields_may_be_long_but_not_too_long() {
    let told = |n_bytes: usize| {
        let pattern = "x".repeat(n_bytes);
        let text = format!(
            r#"(suite: "test::list", k: 1, objects: {{"*": "k"}}, ints: "0..k", omit_fields: "{pattern}")"#
        );
        message("x.ron", &text)
    };
    let refused = |n_bytes: usize| told(n_bytes).contains("more than 4096 are refused");
    assert_eq!([4095, 4096, 4097, 5000].map(refused), [false, false, true, true]);
}
