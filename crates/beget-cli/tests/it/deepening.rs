//! `check` without a given k: what it prints, how it ends, and what it does not go with. Budgets of
//! calls cut it at the same place every time.

use std::fs;
use std::path::Path;

use crate::common;

use common::{command, ended, run, summary};
use serde_json::{Value, json};

const CHECK: &str = "check scopes/tree-auto.ron --repok corrected --max-seconds 1000";

/// A summary without what differs from run to run, and without what only this kind of check has.
fn lasting(mut summary: Value) -> Value {
    let fields = summary.as_object_mut().unwrap();
    for field in ["seconds", "cpu_seconds", "peak_rss_bytes", "deepening"] {
        fields.remove(field);
    }
    summary
}

#[test]
fn the_summary_is_that_of_the_last_k_that_was_exhausted() {
    let deep = summary(&format!("{CHECK} --max-calls 100"));
    assert_eq!((&deep["k"], &deep["complete"]), (&json!(3), &json!(true)));
    let alone = summary(&format!("{CHECK} --max-calls 100 -k 3"));
    assert_eq!(alone.get("deepening"), None);
    assert_eq!(lasting(deep.clone()), lasting(alone));
    let mut deepening = deep["deepening"].clone();
    let estimate = deepening["next_estimate_seconds"].take();
    assert!(estimate.as_f64().is_some_and(|seconds| seconds > 0.0), "{deep}");
    let expected = json!({
        "reached": 3,
        "ended_by": "max_calls",
        "next_estimate_seconds": null,
        "budget_seconds": 1000.0,
        "at_least": 1,
        "message": "every value up to k = 3; k = 4 needs more: the budget of 100 calls is spent",
    });
    assert_eq!(deepening, expected);
}

#[test]
fn the_text_says_how_far_it_came_and_the_exit_code_that_this_is_enough() {
    let ended = run(&format!("{CHECK} --max-calls 100"));
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    let shown = "repOK       corrected: 0 of 15 structures rejected\ncontracts   2 hold\n\
                 deepened    every value up to k = 3; k = 4 needs more: the budget of 100 calls is spent\n\
                 scope       tree, k = 3, methods new, insert\n";
    assert!(ended.stdout.starts_with(shown), "{}", ended.stdout);
    assert!(
        ended.stdout.contains("\nno failure found; complete: the space is exhausted\n"),
        "{}",
        ended.stdout
    );
}

#[test]
fn a_least_k_that_is_not_exhausted_ends_with_3() {
    let enough = run(&format!("{CHECK} --max-calls 100 --at-least 3"));
    assert_eq!(enough.code, Some(0), "{enough:?}");
    let ended = run(&format!("{CHECK} --max-calls 100 --at-least 4"));
    assert_eq!(ended.code, Some(3), "{ended:?}");
    assert!(
        ended.stdout.contains("\nno failure found; INCOMPLETE: the budget of 100 calls is spent\n"),
        "{ended:?}"
    );
    assert!(ended.stdout.contains("\nscope       tree, k = 4, "), "{ended:?}");
    assert!(
        ended.stdout.contains("\ndeepened    every value up to k = 3; k = 4 needs more"),
        "{ended:?}"
    );
}

#[test]
fn the_first_k_with_a_failure_ends_with_1_and_names_the_run_that_shows_it() {
    // `min` fails on the empty tree.
    let ended = run("check scopes/tree-auto.ron --repok corrected --methods new,insert,min");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stdout.contains("deepened    a failure at k = 1\n"), "{ended:?}");
    let rerun = "to see the first failure again: own_suites generate scopes/tree-auto.ron -k 1 --methods new,min\n";
    assert!(ended.stdout.contains(rerun), "{ended:?}");
    let found = summary("check scopes/tree-auto.ron --repok too_strict");
    assert_eq!((&found["k"], &found["deepening"]["ended_by"]), (&json!(1), &json!("found")));
    let alone = summary("check scopes/tree-auto.ron --repok too_strict -k 1");
    assert_eq!(lasting(found), lasting(alone));
}

#[test]
fn the_seconds_are_those_of_the_command_line_or_else_of_the_environment() {
    let of_environment = |seconds: &str, arguments: &str| {
        let mut command = command(arguments);
        command.env("BEGET_SECONDS", seconds);
        ended(command)
    };
    let without_time = of_environment("0", "check scopes/tree-auto.ron --repok corrected");
    assert_eq!(without_time.code, Some(3), "{without_time:?}");
    let said = "deepened    no k is exhausted; k = 1 needs more";
    assert!(without_time.stdout.contains(said), "{without_time:?}");
    assert_eq!(of_environment("0", &format!("{CHECK} --max-calls 100")).code, Some(0));
    let wrong = of_environment("soon", "check scopes/tree-auto.ron");
    let problem = "error: BEGET_SECONDS is a number of seconds, not `soon`\n";
    assert_eq!((wrong.code, wrong.stdout.as_str()), (Some(2), ""));
    assert!(wrong.stderr.ends_with(problem), "{wrong:?}");
    // A run at one k is none of its business.
    let alone = of_environment("soon", "check scopes/tree-auto.ron --repok corrected -k 2");
    assert_eq!(alone.code, Some(0), "{alone:?}");
}

#[test]
fn other_commands_want_a_number_and_say_where() {
    let refusal = "error: `k: Auto` is for `check`, which tries k = 1, 2, 3, ... in turn\n  \
                   --> scopes/tree-auto.ron:4:8\n   |\n 4 |     k: Auto,\n   |        ^^^^\n   \
                   = help: write a number, such as `k: 3`; on the command line give one: `-k 3`\n";
    for line in [
        "list scopes/tree-auto.ron",
        "generate scopes/tree-auto.ron",
        "emit scopes/tree-auto.ron -o no_such_file.rs",
        "compare scopes/tree-auto.ron",
        "diff scopes/tree-auto.ron --against tree",
        "random scopes/tree-auto.ron --max-calls 5",
        "show scopes/tree-auto.ron",
        "builders scopes/tree-auto.ron",
        "explore scopes/tree-auto.ron",
    ] {
        let refused = run(line);
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""), "{line}");
        assert!(refused.stderr.contains(refusal), "{line}: {}", refused.stderr);
    }
    assert_eq!(run("generate scopes/tree-auto.ron -k 2").code, Some(0));
    assert_eq!(run("list scopes/tree-auto.ron -k 2").code, Some(0));
}

#[test]
fn what_needs_one_plan_is_refused_without_a_k() {
    let refused = |options: &str, problem: &str| {
        let ended = run(&format!("check scopes/tree-auto.ron {options}"));
        let expected = (Some(2), "", format!("error: {problem}\n"));
        assert_eq!((ended.code, ended.stdout.as_str(), ended.stderr), expected);
    };
    let one = "without a k, one run is made after the other; give one (`-k 3`), or leave";
    refused("--processes 1", &format!("{one} `--processes` out"));
    let directories = "`--store disk:DIR`, `--checkpoint` and `--resume` out";
    refused("--checkpoint no_such_directory", &format!("{one} {directories}"));
    let both = "`--at-least` goes with a scope with `k: Auto`, and without `-k`";
    refused("-k 3 --at-least 3", both);
}

#[test]
fn a_check_without_a_scope_file_takes_that_of_a_test() {
    let several = run("check");
    let told =
        "error: name a scope file, or one of the suites by `--suite`: `tree`, `counter`, `tally`";
    assert_eq!((several.code, several.stdout.as_str()), (Some(2), ""));
    assert!(several.stderr.starts_with(told), "{several:?}");
    let options = "--methods new,insert --repok corrected --max-calls 100 --max-seconds 1000";
    let summary = summary(&format!("check --suite tree {options}"));
    assert_eq!((&summary["suite"], &summary["k"]), (&json!("tree"), &json!(3)));
    assert_eq!(summary["deepening"]["reached"], 3);
    let page = Path::new(env!("CARGO_TARGET_TMPDIR")).join("of_default_scope.html");
    let _ = fs::remove_file(&page);
    let written = run(&format!("check --suite tree {options} --report {}", page.display()));
    assert_eq!(written.code, Some(0), "{written:?}");
    let page = fs::read_to_string(&page).unwrap();
    assert!(page.contains("own_suites check --suite tree -k 3<"), "{page}");
    let both = run("check scopes/tree.ron --suite tree");
    assert_eq!(both.code, Some(2), "{both:?}");
    assert!(both.stderr.contains("cannot be used with"), "{both:?}");
    let unknown = run("check --suite tre");
    assert_eq!(unknown.code, Some(2), "{unknown:?}");
    let shown = "error: no suite named `tre`\n  --> the default scope of `tre`:2:13\n";
    assert!(unknown.stderr.starts_with(shown), "{unknown:?}");
    assert!(unknown.stderr.ends_with("= help: did you mean `tree`?\n"), "{unknown:?}");
}

const NO_REPOK: &str =
    "note: no repOK is known for the suite: only calls and contracts are checked\n";

#[test]
fn a_bound_of_the_default_scope_that_cuts_nearly_everything_is_widened() {
    let arguments = "check --suite counter --max-calls 24 --max-seconds 1000";
    let widened = run(arguments);
    assert_eq!((widened.code, widened.stderr.as_str()), (Some(0), NO_REPOK), "{widened:?}");
    let shown = ", with fields: {\"Counter.value\": \"-k - 16..=k + 16\"}; k = ";
    assert!(widened.stdout.contains(shown), "{widened:?}");
    let summary = summary(arguments);
    let k = summary["k"].as_u64().unwrap();
    // The numbers from 0 to k + 16.
    assert_eq!(summary["generated"].as_u64(), Some(k + 17));
    let fields = json!("fields: {\"Counter.value\": \"-k - 16..=k + 16\"}");
    assert_eq!((&summary["deepening"]["widened"], summary.get("thin")), (&fields, None));
}

#[test]
fn a_space_that_is_almost_empty_without_a_k_ends_with_5() {
    let thin = run("check scopes/counter-thin.ron");
    assert_eq!(thin.code, Some(5), "{thin:?}");
    let expected = format!(
        "{NO_REPOK}error: this run shows little: there are 3 structures only: 1 of 4 calls went beyond the range of \
         `Counter.value`\n  help: write `fields: {{\"Counter.value\": \"-k - 64..=k + 64\"}}` in a scope file, or \
         accept it with `thin: true` there, or `--thin`\n"
    );
    assert_eq!(thin.stderr, expected);
    let json = summary("check scopes/counter-thin.ron");
    let reason =
        "there are 3 structures only: 1 of 4 calls went beyond the range of `Counter.value`";
    assert_eq!(json["thin"], json!([reason]));
    let accepted = run("check scopes/counter-thin.ron --thin");
    assert_eq!((accepted.code, accepted.stderr.as_str()), (Some(0), NO_REPOK), "{accepted:?}");
    // The author of a scope with a k chose its bounds.
    let chosen = run("check scopes/counter-thin.ron -k 3");
    assert_eq!((chosen.code, chosen.stderr.as_str()), (Some(0), NO_REPOK), "{chosen:?}");
}

/// Of the methods that need no literals, one takes a tree by `&mut`, and an empty tree that absorbs
/// an empty one stays as it is.
#[test]
fn a_run_in_which_no_call_changed_a_structure_shows_little() {
    let reason = "no call changed a structure, though 1 method takes one by `&mut`";
    let arguments = "check scopes/tree-auto.ron --methods new,absorb --repok corrected";
    let idle = run(arguments);
    assert_eq!(idle.code, Some(5), "{idle:?}");
    let error = format!("error: this run shows little: {reason}\n");
    assert!(idle.stderr.contains(&error), "{idle:?}");
    assert_eq!(summary(arguments)["thin"], json!([reason]));
    // With a given k it is a warning.
    let chosen = run("check scopes/tree.ron --methods new,absorb -k 2 --repok corrected");
    assert_eq!(chosen.code, Some(0), "{chosen:?}");
    assert!(chosen.stderr.contains(&format!("warning: this run shows little: {reason}\n")));
    // A suite without such a method has nothing that could change.
    let fixed = run("check scopes/tree-auto.ron --methods new,min --repok corrected");
    assert!(!fixed.stderr.contains("shows little"), "{fixed:?}");
}
