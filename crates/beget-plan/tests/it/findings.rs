//! Witnesses, bounds that are passed, and the claims of files of builders.

use crate::common;

use beget_heap::{HeapGraph, PassedBound};
use beget_plan::finding::Witness;
use beget_plan::scope::{
    BoundName, BuildersError, ScopeFile, SuiteFileError, check_builders, suite_fingerprint,
    suite_of_file,
};
use beget_suite::{MethodIdx, Recipe, Sequence};

fn made() -> Recipe {
    Recipe { method: MethodIdx::new(0), arguments: vec![], output: 0, panics: false }
}

#[test]
fn a_witness_has_the_calls_that_lead_there() {
    let suite = common::list();
    let sequence = Sequence::of_recipe(&suite, &made());
    assert_eq!(sequence.statements.len(), 1);
    let built = |witness: Witness| {
        (
            witness.is_call,
            witness.calls(&suite).map(|calls| calls.into_owned()),
            witness.built(&suite),
        )
    };
    let one = (Some(sequence.clone()), vec![sequence.clone()]);
    assert_eq!(built(Witness::of_recipe(made())), (false, one.0.clone(), one.1.clone()));
    assert_eq!(built(Witness::of_call(made())), (true, one.0.clone(), one.1.clone()));
    assert_eq!(built(Witness::of_sequence(sequence.clone())), (false, one.0, one.1));
    assert_eq!(built(Witness::default()), (false, None, vec![]));
    let members = vec![sequence; 3];
    let several = Witness { members: members.clone(), ..Witness::default() };
    assert_eq!(built(several), (false, None, members));
}

#[test]
fn witnesses_are_equal_if_their_numbers_and_their_texts_are() {
    let heap = |value: i32| HeapGraph::of(&Some(value));
    let numbered =
        |number, value| Witness { number: Some(number), ..Witness::of_heap(heap(value)) };
    assert_eq!(numbered(1, 7), numbered(1, 7));
    assert_ne!(numbered(1, 7), numbered(2, 7));
    assert_ne!(numbered(1, 7), numbered(1, 8));
    let before = |values: &[i32]| Witness {
        before: values.iter().map(|&value| heap(value)).collect(),
        ..numbered(1, 7)
    };
    assert_eq!(before(&[5, 6]).text_before(), heap(5).to_text() + &heap(6).to_text());
    assert_ne!(before(&[5]), before(&[6]));
    // A candidate is not a heap that looks like it.
    let candidate = Witness::of_candidate(1, heap(7).to_text());
    assert_eq!(candidate.text(), numbered(1, 7).text());
    assert_ne!(candidate, numbered(1, 7));
}

#[test]
fn bounds_are_named_by_what_they_bound() {
    let schema = common::list().schema();
    let named = |passed| BoundName::new(passed, &schema).to_string();
    assert_eq!(named(PassedBound::Objects { class: 0 }), "the objects of `List`");
    assert_eq!(named(PassedBound::Field { class: 0, field: 1 }), "the range of `List.size`");
    assert_eq!(named(PassedBound::Ints), "the range of integers");
    assert_eq!(named(PassedBound::Arrays), "the length of arrays");
    assert_eq!(named(PassedBound::Texts), "the length of strings");
    assert_eq!(named(PassedBound::Undecided), "the ties that can be broken");
    let returned = "the structures taken out of a returned list";
    assert_eq!(named(PassedBound::Returned), returned);
}

#[test]
fn what_is_no_bound_of_the_file_is_shown_at_its_suite() {
    let text = r#"(suite: "test::list", k: 1, objects: {"*": "k"}, arrays: 7)"#;
    let file = ScopeFile::parse("x.ron", text).unwrap();
    let schema = common::list().schema();
    let problem = |passed, calls| {
        let diagnostic = file.nothing_built(passed, calls, &schema);
        (diagnostic.message, diagnostic.offending)
    };
    let ties = |left: &str| {
        let message = format!(
            "no structure was built: {left} contents in no order that tie in too many ways to be told apart"
        );
        (message, "test::list".to_owned())
    };
    assert_eq!(problem(PassedBound::Undecided, 1), ties("1 call left"));
    assert_eq!(problem(PassedBound::Undecided, 2), ties("2 calls left"));
    assert_eq!(problem(PassedBound::Returned, 1).1, "test::list");
    assert_eq!(problem(PassedBound::Arrays, 1).1, "7");
}

/// A file of builders, whose certificate is about these methods and numbers of structures.
fn builders(methods: &str, certified: [&str; 2], structures: [u32; 2]) -> String {
    let [full, built] = structures.map(|n| format!(r#"Extent(structures: {n}, digest: "{n}f")"#));
    let needs = certified.map(|name| format!("Need(method: {name:?}, because: \"\")")).join(", ");
    let fingerprint = suite_fingerprint(&common::list());
    format!(
        r#"Builders(version: 1, suite: "test::list", fingerprint: "{fingerprint}", methods: {methods},
            certificate: Certificate(k: 2, full: {full}, builders: {built}, needs: [{needs}]))"#
    )
}

const TWO: [&str; 2] = ["new", "add_last"];

#[test]
fn a_file_of_builders_suffices_for_the_suite_it_was_made_for() {
    let suite = common::list();
    let right = builders(r#"["new", "add_last"]"#, TWO, [9, 9]);
    let check = |text: &str| check_builders(text, &suite);
    assert_eq!(check(&right), Ok(()));
    let unknown = builders(r#"["new", "ad_last"]"#, ["new", "ad_last"], [9, 9]);
    assert_eq!(check(&unknown), Err(BuildersError::NoMethod("ad_last".to_owned())));
    let fewer = builders(r#"["new", "add_last"]"#, TWO, [9, 8]);
    assert_eq!(check(&fewer), Err(BuildersError::Insufficient { full: 9, builders: 8 }));
    let other = builders(r#"["add_last", "new"]"#, TWO, [9, 9]);
    assert_eq!(check(&other), Err(BuildersError::OtherMethods));
    let refusal = |text: &str| check(text).unwrap_err().to_string();
    let version = "version 2 of builder files is not known; this program reads version 1";
    assert_eq!(refusal(&right.replace("version: 1", "version: 2")), version);
    let suite = "these builders are for suite `test::rich`, not for `test::list`";
    assert_eq!(refusal(&right.replace("test::list", "test::rich")), suite);
    let lacking = "this is no file of builders: 1:1: the field `certificate` is missing";
    assert_eq!(refusal(&right.replace("certificate:", "certified:")), lacking);
    let misnamed = refusal(&right.replace("builders: Extent", "builders: Size"));
    assert!(
        misnamed.contains(r#"a struct such as `Extent(structures: 1, digest: "...")`"#),
        "{misnamed}"
    );
}

#[test]
fn the_fingerprint_of_a_suite_is_that_of_its_methods() {
    let text = builders(r#"["new", "add_last"]"#, TWO, [9, 9]);
    let mut suite = (*common::list()).clone();
    suite.methods.swap(1, 2);
    assert_eq!(check_builders(&text, &suite), Ok(()));
    suite.methods[1].name = "push_last";
    let changed = check_builders(&text, &suite).unwrap_err();
    let BuildersError::File(SuiteFileError::Changed(_, name)) = changed else {
        panic!("{changed:?}")
    };
    assert_eq!(name, "test::list");
}

#[test]
fn a_scope_and_a_file_of_builders_name_their_suite() {
    let of = |text: &str| suite_of_file("x.ron", text);
    assert_eq!(of(r#"(suite: "test::pages", k: 1)"#).as_deref(), Some("test::pages"));
    let text = builders(r#"["new"]"#, TWO, [9, 9]);
    assert_eq!(of(&text).as_deref(), Some("test::list"));
    assert_eq!(of("(k: 1)"), None);
}
