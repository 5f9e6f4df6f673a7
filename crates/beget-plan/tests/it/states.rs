//! How structures are identified, and what the suite's constants and listed values add.

use crate::common;

use std::any::Any;
use std::sync::Arc;

use beget_plan::scope::{Overrides, Plan, ScopeFile};
use beget_suite::{
    Constant, Domain, DomainError, DomainKind, LiteralDomain, ParamKind, Pools, Showing,
    ShownMethod, ShownResult, Suite, Type, TypeIdx, TypeTraits, bytes_view, shown_view, type_shown,
};

/// Lists that show their size.
struct Sizes;

impl Showing for Sizes {
    type Of = common::List;

    const METHODS: &'static [ShownMethod] = &[ShownMethod {
        name: "size",
        plain: Some("usize"),
        show: |_: &dyn Any| ShownResult::Unsigned(0),
    }];

    fn traits() -> TypeTraits {
        TypeTraits::default()
    }
}

/// Lists that show nothing.
struct Nothing;

impl Showing for Nothing {
    type Of = common::List;

    const METHODS: &'static [ShownMethod] = &[];

    fn traits() -> TypeTraits {
        TypeTraits::default()
    }
}

/// The suite of lists, whose type is changed.
fn lists(change: fn(Type) -> Type) -> Arc<Suite> {
    let mut suite = (*common::list()).clone();
    suite.types = suite.types.into_iter().map(change).collect();
    Arc::new(suite)
}

fn with_views() -> Arc<Suite> {
    lists(|ty| ty.with_view(shown_view::<Sizes>()).with_view(bytes_view::<Sizes>()))
}

fn scope(rest: &str) -> ScopeFile {
    let text = format!(r#"(suite: "test::list", k: 2, objects: {{"*": "k"}}, {rest})"#);
    ScopeFile::parse("x.ron", &text).unwrap_or_else(|problems| panic!("\n{problems}"))
}

fn plan(suite: &Arc<Suite>, rest: &str) -> Plan {
    let resolved = scope(rest).resolve(suite, &Overrides::default(), &common::no_files);
    resolved.unwrap_or_else(|problems| panic!("\n{problems}")).plan
}

/// The only mistake, the part of the file that is wrong, and the help.
fn mistake(suite: &Arc<Suite>, rest: &str) -> (String, String, String) {
    let problems = scope(rest).resolve(suite, &Overrides::default(), &common::no_files);
    let problems = problems.unwrap_err();
    assert_eq!(problems.len(), 1, "{problems}");
    let one = problems.iter().next().unwrap();
    (one.message.clone(), one.offending.clone(), one.help.clone().unwrap_or_default())
}

fn diagnostic(message: &str, offending: &str, help: &str) -> (String, String, String) {
    (message.to_owned(), offending.to_owned(), help.to_owned())
}

#[test]
fn memory_is_the_only_state_that_calls_do_not_repeat() {
    let is_repeatable = |state: &str| {
        let plan = plan(&with_views(), &format!(r#"arrays: 1, ints: [1], state: {state}"#));
        plan.is_repeatable(TypeIdx::new(0))
    };
    assert!(is_repeatable("Fields") && is_repeatable("Shown"));
    assert!(!is_repeatable("Bytes"));
}

#[test]
fn structures_that_show_nothing_are_refused() {
    let dark = lists(|_| type_shown::<Nothing>("List<i32>", None));
    let help = "list a method in the suite that takes `&self` alone, or write an `abstraction`";
    let expected = diagnostic("`List<i32>` shows nothing", "test::list", help);
    assert_eq!(mistake(&dark, "ints: [1]"), expected);
    let shown = lists(|_| type_shown::<Sizes>("List<i32>", None));
    assert_eq!(plan(&shown, "arrays: 1, ints: [1]").methods.len(), 6);
}

#[test]
fn search_spaces_are_for_the_state_of_the_suite() {
    let repoks = r#"arrays: 1, ints: [1], repoks: {"published": (fields: {"List.size": [1]})}"#;
    let with = |state: &str| format!("{repoks}, state: {state}");
    let message = "search spaces of repOKs are for structures as the suite sees them";
    let expected = diagnostic(message, "published", "leave out one of both");
    assert_eq!(mistake(&with_views(), &with("Shown")), expected);
    assert_eq!(plan(&with_views(), &with("Fields")).methods.len(), 6);
}

#[test]
fn memory_as_the_state_is_refused_where_it_cannot_be_read() {
    let refused = |rest: &str| scope(rest).refuse_bytes().map_err(|problems| problems.to_string());
    assert_eq!(refused(""), Ok(()));
    assert_eq!(refused("state: Shown"), Ok(()));
    let message = refused("state: Bytes").unwrap_err();
    let expected = "error: `state: Bytes` is for `generate` and `check` of the command line\n";
    assert!(message.starts_with(expected), "{message}");
}

/// The suite of lists with constants of the type of the values added.
fn with_constants() -> Arc<Suite> {
    let mut suite = (*common::list()).clone();
    suite.constants = vec![Constant::new("LIMIT", 40_i32), Constant::new("ONE", 1_i32)];
    Arc::new(suite)
}

#[test]
fn constants_come_after_the_literals_of_the_scope_each_once() {
    let values = |rest: &str| {
        let plan =
            plan(&with_constants(), &format!(r#"{rest}, methods: Only(["new", "add_last"])"#));
        (format!("{:?}", plan.methods[1].domains), plan.bounds.common_int)
    };
    assert_eq!(values(r#"ints: "0..k""#), ("[[0, 1, 40]]".to_owned(), 40));
    // With no literals in the scope, there are only the constants.
    assert_eq!(values("arrays: 0"), ("[[40, 1]]".to_owned(), 40));
    assert_eq!(values(r#"ints: "0..0""#), ("[[40, 1]]".to_owned(), 40));
}

#[test]
fn structures_may_hold_constants_and_the_characters_of_texts() {
    let ints = |suite: &Arc<Suite>, rest: &str| {
        let plan = plan(suite, rest);
        let derived = plan.derived_ints.as_ref().unwrap();
        (derived.literals.clone(), derived.beside.iter().copied().collect::<Vec<_>>())
    };
    let rest = r#"ints: "0..k", methods: Only(["new", "add_last"])"#;
    assert_eq!(ints(&with_constants(), rest), (0..=1, vec![1, 40]));
    let rest = r#"ints: "0..k", chars: ['z'], strings: ["aé"], arrays: 1,
        methods: Only(["new", "mark", "name"])"#;
    // The bytes of é, its code point, and the others.
    let expected = vec![97, 122, 169, 195, 233];
    assert_eq!(ints(&common::rich(), rest), (0..=1, expected));
}

/// A type whose values a suite lists.
#[derive(Clone)]
struct Shade;

impl Domain for Shade {
    const KIND: DomainKind = DomainKind::User;

    fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
        let known = vec!["DARK", "PALE"];
        match pools.enums.get("Shade").and_then(|names| names.first()) {
            Some(name) => Err(DomainError::NotListed { ty: "Shade", name: name.clone(), known }),
            None => Ok(vec![Shade; 2]),
        }
    }

    fn to_source(&self) -> String {
        "PALE".to_owned()
    }
}

#[test]
fn a_value_that_the_suite_does_not_list_is_shown_with_the_nearest() {
    let mut suite = (*common::list()).clone();
    let domain = LiteralDomain::of::<Shade>("Shade");
    suite.methods[1].params[1].kind = ParamKind::Literal { domain, prefix: "" };
    let rest = r#"ints: [1], enums: {"Shade": ["PAL"]}, methods: Only(["new", "clear"])"#;
    let message = "the suite lists no value `PAL` of type `Shade`";
    let expected = diagnostic(message, "PAL", "did you mean `PALE`?");
    assert_eq!(mistake(&suite.into(), rest), expected);
}
