//! Settings of a scope and of a plan, as they are asked for.

use crate::common;

use beget_plan::scope::{
    CallAudits, Diagnostics, ErrorRule, Overrides, PlannedIdx, Resolution, ScopeFile,
};
use beget_suite::StateKind;

fn parsed(rest: &str) -> ScopeFile {
    ScopeFile::parse("x.ron", &format!(r#"(suite: "test::list", {rest})"#)).unwrap()
}

fn list(rest: &str) -> String {
    format!(r#"(suite: "test::list", k: 3, objects: {{"*": "k"}}, ints: "0..k", {rest})"#)
}

#[track_caller]
fn resolved(text: &str, overrides: &Overrides) -> Resolution {
    common::resolve("scopes/x.ron", text, overrides)
        .unwrap_or_else(|problems| panic!("\n{problems}"))
}

/// What is wrong, and the part of the file that is.
fn mistakes(text: &str) -> Vec<(String, String)> {
    let problems = common::resolve("x.ron", text, &Overrides::default()).unwrap_err();
    problems.iter().map(|one| (one.message.clone(), one.offending.clone())).collect()
}

#[test]
fn a_scope_file_has_its_settings_before_it_is_resolved() {
    let bare = parsed("k: 3");
    assert_eq!(
        (bare.k(), bare.scope.at_least, bare.scope.budget.max_seconds),
        (Some(3), None, None)
    );
    assert_eq!((bare.scope.accepts_thin, bare.scope.is_strict, bare.state()), (false, None, None));
    assert_eq!(bare.builders(), None);
    let full = parsed(
        r#"k: Auto, at_least: 5, budget: (max_seconds: 2.5), thin: true, strict: true,
           state: Shown, methods: Builders("list.builders.ron")"#,
    );
    assert_eq!(
        (full.k(), full.scope.at_least, full.scope.budget.max_seconds),
        (None, Some(5), Some(2.5))
    );
    assert!(full.scope.accepts_thin);
    assert_eq!((full.scope.is_strict, full.state()), (Some(true), Some(StateKind::Shown)));
    assert_eq!(full.builders(), Some("list.builders.ron"));
    assert_eq!(parsed("k: 3, strict: false").scope.is_strict, Some(false));
}

#[test]
fn contracts_are_chosen_by_name() {
    let asked = |rest: &str| {
        let file = parsed(&format!("k: 3{rest}"));
        ["len_is_iteration", "eq_is_reflexive"].map(|name| file.asks_contract(name))
    };
    assert_eq!(asked(""), [true, true]);
    assert_eq!(asked(", contracts: All"), [true, true]);
    assert_eq!(asked(", contracts: Off"), [false, false]);
    assert_eq!(asked(r#", contracts: Only(["len_is_iteration"])"#), [true, false]);
    assert_eq!(asked(r#", contracts: Except(["len_is_iteration"])"#), [false, true]);
    let known = ["eq_is_reflexive", "len_is_iteration"];
    let check =
        |contracts: &str| parsed(&format!("k: 3, contracts: {contracts}")).check_contracts(&known);
    assert!(check("Off").is_ok());
    assert!(check(r#"Only(["len_is_iteration"])"#).is_ok());
    let problems = check(r#"Except(["eq_is_reflexive", "len_is_iterator"])"#).unwrap_err();
    let shown: Vec<_> = problems.iter().map(|one| (&*one.message, one.help.as_deref())).collect();
    let message = "no contract named `len_is_iterator`";
    assert_eq!(shown, [(message, Some("did you mean `len_is_iteration`?"))]);
}

#[test]
fn a_value_has_one_content_and_no_more() {
    let methods = mistakes(&list(r#"methods: Only(["new"], ["clear"])"#));
    let wanted = r#"expected `All`, `Only(["new"])`, `Except(["len"])` or `Builders("file.ron")`"#;
    assert_eq!(methods, [(wanted.to_owned(), r#"Only(["new"], ["clear"])"#.to_owned())]);
    let states = mistakes(&list("state: Shown(3)"));
    let wanted = "expected `Fields`, `Abstraction`, `Shown`, `Bytes`";
    assert_eq!(states, [(wanted.to_owned(), "Shown(3)".to_owned())]);
}

#[test]
fn limits_may_be_none_and_seconds_large_integers() {
    let most = "340282366920938463463374607431768211455";
    let text = list(&format!("budget: (max_calls: None, max_seconds: {most})"));
    let budget = resolved(&text, &Overrides::default()).plan.budget;
    assert_eq!((budget.max_calls, budget.max_seconds), (None, Some(u128::MAX as f64)));
}

#[test]
fn an_integer_of_any_width_is_compared_with_the_type_of_its_parameter() {
    let most = "340282366920938463463374607431768211455";
    let text = list("").replace("\"0..k\"", &format!("[{most}]"));
    let message = format!("the literal {most} does not fit `i32` in `add_first.value: i32`");
    let found = mistakes(&text);
    assert!(found.iter().any(|one| one.0.starts_with(&message)), "{found:?}");
}

#[test]
fn errors_are_misuse_if_the_scope_says_so() {
    let rule = |rest: &str| resolved(&list(rest), &Overrides::default()).plan.misuse.clone();
    assert_eq!(rule("misuse: (errors: true)").errors, ErrorRule::Misuse);
    assert_eq!(rule("misuse: (errors: false)").errors, ErrorRule::Returned);
    assert!(rule("misuse: (keep_panicked: true)").keeps_panicked);
    assert!(!rule("misuse: ()").keeps_panicked);
}

#[test]
fn a_run_ends_at_a_failure_unless_the_scope_wants_all() {
    let ends = |ends_at_failure, rest: &str| {
        let overrides = Overrides { ends_at_failure, ..Overrides::default() };
        resolved(&list(rest), &overrides).plan.ends_at_failure
    };
    assert_eq!([ends(true, ""), ends(true, "all: true")], [true, false]);
    assert_eq!([ends(false, ""), ends(false, "all: true")], [false, false]);
}

#[test]
fn what_is_reported_is_coded_by_the_scope_proper() {
    let plain = resolved(&list(""), &Overrides::default()).plan;
    assert!(plain.proper_layout().is_none());
    assert!(std::ptr::eq(plain.reported_coding().layout, plain.layout()));
    let plan = resolved(&list("slack: 1"), &Overrides::default()).plan;
    let proper = plan.proper_layout().unwrap();
    assert!(std::ptr::eq(plan.reported_coding().layout, proper));
    assert!(std::ptr::eq(plan.coding().layout, plan.layout()));
}

#[test]
fn methods_of_a_plan_have_the_names_of_their_suite() {
    let text = list(r#"methods: Except(["add_first"])"#);
    let plan = resolved(&text, &Overrides::default()).plan;
    assert_eq!(plan.method_name(PlannedIdx::new(1)), "add_last");
    let names = plan.method_names(&[PlannedIdx::new(4), PlannedIdx::new(0)]);
    assert_eq!(names, ["clear", "new"]);
}

#[test]
fn one_audit_is_enough_to_have_some() {
    assert!(CallAudits::default().is_idle());
    assert!(!CallAudits { lies: true, ..CallAudits::default() }.is_idle());
}

#[test]
fn mistakes_of_two_readings_are_sorted_and_stay_cut() {
    let problems = |text: &str| ScopeFile::parse("x.ron", text).unwrap_err();
    let first = problems("(suite: \"x\",\nk: ?)");
    let second = problems("(k: 3)");
    let joined = first.joined(second);
    let places: Vec<_> = joined.iter().map(|one| (one.line, one.column)).collect();
    assert_eq!(places, [(1, 1), (2, 4)]);
    let many: Vec<_> = (0..101).map(|n| format!("\"m{n}\"")).collect();
    let text = list(&format!("methods: Only([{}])", many.join(", ")));
    let cut = common::resolve("x.ron", &text, &Overrides::default()).unwrap_err();
    let shown = cut.to_string();
    assert!(shown.ends_with("\n\nfurther mistakes are not shown"));
    assert_eq!(Diagnostics::default().joined(cut).to_string(), shown);
}
