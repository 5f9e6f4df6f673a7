//! What is refused before anything runs, and by which words.

use crate::common;

use std::error::Error;
use std::io;
use std::path::Path;

use beget::HasSuite;
use beget_engine::store::StoreError;
use beget_plan::scope::{Overrides, Plan};
use beget_run::{Catalog, Input, InputError, RunError, Watch};
use beget_search::builders::BuilderSearch;
use beget_search::builders_file::BuildersFile;
use beget_search::run::{BuildersPlan, RepOkSpace};
use common::{Chain, Scripted, catalog, input, settings};

const ONE: &str = "k: 1, methods: Only([\"new\", \"push\"])";

fn read(text: &str) -> Result<Input<'static>, InputError> {
    Input::of_text("a.ron", text.to_owned(), catalog())
}

fn plan(input: &Input<'_>) -> Plan {
    input.resolve(&Overrides::default()).unwrap_or_else(|error| panic!("{error}")).plan
}

#[test]
fn a_file_that_cannot_be_read_is_named_with_the_reason() {
    let read = |_: &Path| Err(io::Error::other("no such luck"));
    let error = Input::read(Path::new("a.ron"), catalog(), &read).unwrap_err();
    assert_eq!(error.to_string(), "cannot read `a.ron`: no such luck");
    assert_eq!(error.source().map(ToString::to_string).as_deref(), Some("no such luck"));
    assert!(!error.is_diagnostic());
}

#[test]
fn a_suite_that_is_not_there_is_shown_at_its_place() {
    let error = read(r#"Scope(suite: "chair", k: 1)"#).unwrap_err();
    assert!(error.to_string().starts_with("error: no suite named `chair`"), "{error}");
    assert!(error.is_diagnostic() && error.source().is_none());
    assert!(read("Scope(").unwrap_err().is_diagnostic());
    let catalog = Catalog::from(vec![Chain::suite()]);
    assert_eq!((catalog.suites.len(), catalog.subject("chain").is_none()), (1, true));
    let text = r#"Scope(suite: "chain", k: 1)"#;
    let input = Input::of_text("a.ron", text.to_owned(), catalog).unwrap();
    assert_eq!((input.scope_text(), input.path()), (text, Path::new("a.ron")));
}

#[test]
fn repoks_are_asked_for_by_names_that_there_are() {
    let input = input(ONE);
    assert_eq!(input.rep_oks(Some("short")).unwrap()[0].name, "short");
    assert_eq!(input.rep_oks(None).unwrap().len(), 2);
    let error = input.rep_oks(Some("shorn")).unwrap_err().to_string();
    assert!(error.starts_with("no repOK named `shorn` for suite `chain`"), "{error}");
    assert!(error.contains("short"), "{error}");
    let text = r#"Scope(suite: "chain", k: 1, objects: {"*": "k"})"#.to_owned();
    let without = Input::of_text("a.ron", text, Catalog::new(vec![Chain::suite()])).unwrap();
    let error = without.subject().unwrap_err().to_string();
    assert!(error.starts_with("no repOK is known for suite `chain`"), "{error}");
    assert!(without.rep_oks(None).unwrap().is_empty());
    assert!(without.rep_oks(Some("short")).is_err());
}

/// The type has fields, and its repOKs see these.
#[test]
fn repoks_see_structures_as_their_suite_does() {
    let has_subject = |state: &str| {
        read(&format!(r#"Scope(suite: "chain", k: 1, state: {state})"#)).unwrap().subject().is_ok()
    };
    assert_eq!(["Fields", "Shown"].map(has_subject), [true, false]);
}

#[test]
fn contracts_are_named_as_they_are_called() {
    let problems = |fields: &str| {
        let text = format!(r#"Scope(suite: "chain", k: 1, objects: {{"*": "k"}}, {fields})"#);
        let resolved = read(&text).unwrap().resolve(&Overrides::default());
        resolved.err().map(|error| error.to_string()).unwrap_or_default()
    };
    let error = problems(r#"ints: [0], contracts: Except(["debug_return", "clone_equal"])"#);
    assert!(error.starts_with("error: no contract named `debug_return`"), "{error}");
    assert!(error.contains("did you mean `debug_returns`?"), "{error}");
    assert_eq!(error.matches("error: ").count(), 1);
    // With what else is wrong.
    let error = problems(r#"contracts: Only(["x"]), ints: "k..", methods: Only(["nwe"])"#);
    let messages = ["no contract named `x`", "no method named `nwe`"];
    assert!(messages.iter().all(|message| error.contains(message)), "{error}");
    assert_eq!(problems(r#"ints: [0], contracts: Only(["debug_returns"])"#), "");
}

#[test]
fn the_space_of_a_repok_that_the_type_does_not_have_is_refused_at_its_place() {
    let text = r#"Scope(suite: "chain", k: 1, objects: {"*": "k"}, ints: [0], repoks: {
    "shrt": (fields: {}), "corrected": (fields: {}),
})"#;
    let input = read(text).unwrap();
    let error = input.resolve(&Overrides::default()).unwrap_err().to_string();
    assert!(error.starts_with("error: no repOK named `shrt`"), "{error}");
    assert!(error.contains("a.ron:2:6"), "{error}");
    assert!(error.contains("did you mean `short`?"), "{error}");
    assert_eq!(error.matches("error: ").count(), 1);
}

/// Each repOK has the space of its own name.
#[test]
fn the_space_of_a_repok_is_that_of_the_scope_file() {
    let of = |short: &str, name: &str| {
        let text = format!(
            r#"Scope(suite: "chain", k: 1, objects: {{"*": "k"}}, methods: Only(["new"]), repoks: {{
                {short}
                "corrected": (objects: {{"Link": "2"}}, fields: {{
                    "Chain.first": "null | Link", "Chain.len": "0..3", "Link.next": "null | Link",
                }}),
            }})"#
        );
        let input = read(&text)?;
        let resolved = input.resolve(&Overrides::default())?;
        let space = RepOkSpace::new(&input, Some(name), &resolved);
        space.map(|from| from.space.log10_candidates())
    };
    // One of two links or none, a length, and again a link or none after each of the two.
    let found = of("", "corrected").unwrap();
    assert!((found - 81_f64.log10()).abs() < 1e-9, "{found}");
    let error = of("", "short").unwrap_err().to_string();
    assert!(error.starts_with("`a.ron` does not bound the search from repOK `short`"), "{error}");
    let wrong = r#""short": (objects: {"Link": "1"}, fields: {"Chain.len": "null | Link"}),"#;
    let error = of(wrong, "short").unwrap_err();
    assert!(error.to_string().starts_with("`a.ron`, repoks, `short`: "), "{error}");
    assert!(error.source().is_some());
}

#[test]
fn slack_is_that_of_the_file_and_none_for_a_search() {
    let input = input(&format!("{ONE}, slack: 2"));
    assert_eq!(input.file.scope.slack, 2);
    assert_eq!(plan(&input).slack.as_ref().map(|proper| proper.slack), Some(2));
    let without = input.resolve_without_slack(&Overrides::default()).unwrap().plan;
    assert!(without.slack.is_none());
}

/// A file of builders is read by the function that the input was given, and must fit the suite.
#[test]
fn builders_are_read_from_the_file_that_the_scope_names() {
    let scope = |methods: &str| {
        format!(r#"Scope(suite: "chain", k: 1, objects: {{"*": "k"}}, methods: {methods})"#)
    };
    let resolved = |builders: String| {
        let file = scope(r#"Builders("chain.builders.ron")"#);
        let read = move |path: &Path| match path.to_str() {
            Some("a.ron") => Ok(file.clone()),
            Some("chain.builders.ron") => Ok(builders.clone()),
            _ => Err(io::ErrorKind::NotFound.into()),
        };
        let input = Input::read(Path::new("a.ron"), catalog(), &read)?;
        input.require_builders()?;
        input.resolve(&Overrides::default()).map(|resolved| resolved.plan.methods.len())
    };
    let whole = read(&scope("All")).unwrap();
    let found = BuildersPlan::new(&whole, &Overrides::default(), &[]).unwrap();
    let host = Scripted::default();
    let watch = Watch::new(found.resolved.plan.budget, &host);
    let run = found.run(BuilderSearch::HillClimbing, settings(), &watch).unwrap();
    let file = BuildersFile::new(&found.resolved.plan, &run.found.unwrap(), &[]).to_ron();
    // `new`, `push` and `sneak` build all there is.
    assert_eq!(resolved(file.clone()).unwrap(), 3);
    let error = resolved(file.replace("\"chain\"", "\"chair\"")).unwrap_err().to_string();
    assert!(error.contains("these builders are for suite `chair`"), "{error}");
    let error = resolved("nothing".to_owned()).unwrap_err().to_string();
    assert!(error.contains("this is no file of builders"), "{error}");
    let without = read(&scope(r#"Only(["new"])"#)).unwrap();
    let error = without.require_builders().unwrap_err().to_string();
    assert!(error.starts_with("`a.ron` names no file of builders"), "{error}");
}

#[test]
fn a_run_that_could_not_do_its_job_says_why_in_the_same_words() {
    let of_input: RunError = InputError::NoRepOk("chain".to_owned()).into();
    assert_eq!(of_input.to_string(), InputError::NoRepOk("chain".to_owned()).to_string());
    assert!(of_input.source().is_none());
    let failed = StoreError::Failed("the disk is on fire".to_owned());
    assert_eq!(RunError::from(failed.clone()).to_string(), failed.to_string());
    let unreadable = InputError::Unreadable { path: "a".into(), source: io::Error::other("why") };
    assert!(RunError::from(unreadable).source().is_some());
}
