//! A suite written by hand: the source of calls on types of awkward names, and what is said of data
//! that is no sequence of it.

use std::rc::Rc;
use std::sync::Arc;

use beget_heap::{Bounds, Decoder, HeapGraph, Layout, Schema, Undecodable, canonical_form};
use beget_suite::{
    Absence, Argument, Binding, CloneFn, HasPart, Literal, Method, MethodIdx, Operand, Outcome,
    Output, Param, ParamKind, Passing, Recipe, Sequence, SequenceError, SequenceProblem, StateKind,
    StateView, Statement, Suite, SuitePart, TypeIdx, UnknownLiteral, Variable, part_probe,
    to_call_source, to_source, to_source_with_keys, type_of,
};

pub(crate) fn method(name: &'static str, path: &'static str, params: Vec<Param>) -> Method {
    Method {
        name,
        signature: "",
        returns: None,
        path,
        params,
        outputs: vec![],
        fallible: false,
        call: |_| Outcome::Returned,
        call_observed: None,
        stand_in: None,
    }
}

pub(crate) fn structure(name: &'static str, passing: Passing) -> Param {
    Param { name, kind: ParamKind::Structure { ty: TypeIdx::new(0), passing } }
}

/// One type of the given name, which two calls make and others take.
fn suite(ty: &'static str) -> Suite {
    let types = vec![type_of::<u8>(ty, None)];
    let made = vec![Output { ty: TypeIdx::new(0), access: "" }];
    let pair = |one| vec![structure(one, Passing::Mut), structure("other", Passing::Ref)];
    let methods = vec![
        Method { outputs: made, ..method("new", "new", vec![]) },
        method("link", "{0}.link(Some({1}))", pair("self")),
        method("join", "join(Some({0}), [{1}])", pair("one")),
        method("eat", "Heap::eat", vec![structure("self", Passing::Value)]),
    ];
    Suite { name: "by_hand".into(), types, methods, ..Suite::default() }
}

const NEW: usize = 0;
const LINK: usize = 1;
const JOIN: usize = 2;
const EAT: usize = 3;

fn call(method: usize, arguments: &[usize]) -> Statement {
    let arguments = arguments.iter().map(|&number| Operand::Variable(Variable(number))).collect();
    Statement {
        method: MethodIdx::new(method),
        arguments,
        bindings: vec![],
        ends: vec![],
        panics: false,
    }
}

/// The call that makes a structure, kept in a variable.
fn make(number: usize) -> Statement {
    let bindings = vec![Binding { output: 0, variable: Variable(number) }];
    Statement { bindings, ..call(NEW, &[]) }
}

fn sequence(statements: Vec<Statement>) -> Sequence {
    Sequence { statements, result: None }
}

#[test]
fn arguments_inside_a_call_stand_as_they_are_passed_and_the_receiver_by_its_name() {
    let calls = vec![make(0), make(1), call(LINK, &[0, 1]), call(JOIN, &[0, 1]), call(EAT, &[0])];
    let (source, _) = sequence(calls).to_source(&suite("Heap"));
    let lines = [
        "let mut heap = new();",
        "let heap_2 = new();",
        "let _ = heap.link(Some(&heap_2));",
        "let _ = join(Some(&mut heap), [&heap_2]);",
        "let _ = heap.eat();",
    ];
    assert_eq!(source.lines().collect::<Vec<_>>(), lines);
}

/// The structure that a constructor makes of two others that may share with it.
fn made_of_two() -> Recipe {
    let new = || {
        let (method, arguments) = (MethodIdx::new(NEW), vec![]);
        Argument::Structure(Box::new(Recipe { method, arguments, output: 0, panics: false }))
    };
    let method = MethodIdx::new(LINK);
    Recipe { method, arguments: vec![new(), new()], output: 0, panics: false }
}

#[test]
fn what_may_share_with_a_structure_ends_before_it_is_used() {
    let alone = "let mut heap = new();\nlet heap_2 = new();\nlet _ = heap.link(Some(&heap_2));";
    let mut suite = suite("Heap");
    assert_eq!(to_source(&suite, &made_of_two()).0, alone);
    suite.types = vec![type_of::<Rc<u8>>("Heap", None)];
    let (source, result) = to_source(&suite, &made_of_two());
    assert_eq!((source, &*result), (format!("{alone}\ndrop(heap_2);"), "heap"));
    // A call by itself ends nothing.
    assert_eq!(to_call_source(&suite, &made_of_two()), alone);
}

#[test]
fn the_source_with_no_keys_is_the_source() {
    let suite = suite("Heap");
    let (source, _) = to_source(&suite, &made_of_two());
    assert_eq!(to_source_with_keys(&suite, &made_of_two(), &[]), (source, vec![]));
}

#[test]
fn a_call_leaves_structures_if_it_returned_from_a_right_call() {
    use Outcome::{Broken, Error, LongerList, Misuse, Returned};
    let leaves = [Returned, Error, Misuse, Broken, LongerList].map(Outcome::leaves_structures);
    assert_eq!(leaves, [true, true, false, false, false]);
}

/// A constructor of the second type that is called like a function of the first one's trait.
#[test]
fn a_function_of_a_trait_is_added_for_the_types_that_do_not_list_it() {
    let clone: CloneFn = |_| Box::new(0_u8);
    let types = ["First", "Second"].map(|name| type_of::<u8>(name, Some(clone)));
    let outputs = vec![Output { ty: TypeIdx::new(1), access: "" }];
    let copied = Method { outputs, ..method("copied", "Second::clone", vec![]) };
    let suite = Suite { types: types.into(), methods: vec![copied], ..Suite::default() };
    let names: Vec<_> = suite.trait_methods().iter().map(|method| method.name).collect();
    assert_eq!(names, ["clone"]);
}

#[test]
fn a_type_that_is_seen_another_way_is_decoded_that_way() {
    let view = StateView {
        state: StateKind::Shown,
        decode: |_| Err(Undecodable::new("it is shown")),
        graph: |_, schema, layout| HeapGraph::under(&8_u8, schema, layout),
        ..type_of::<u8>("Number", None).view()
    };
    let ty = type_of::<u8>("Number", None).with_view(Some(view));
    let form = canonical_form(&7_u8, &Bounds::unlimited()).unwrap();
    let layout = Layout::new(&Schema::of::<u8>(), &Bounds::unlimited());
    let decoded = |ty: &beget_suite::Type| {
        let mut decoder = Decoder::new(&layout, 1);
        decoder.begin(form.as_ref());
        ty.decode(&mut decoder).ok().map(|value| *value.downcast::<u8>().unwrap())
    };
    assert_eq!(decoded(&ty), Some(7));
    let shown = ty.seen_by(StateKind::Shown).unwrap();
    assert_eq!((shown.state, decoded(&shown)), (StateKind::Shown, None));
    assert!(!ty.is_abstracted() && shown.is_abstracted());
    let graph =
        |ty: &beget_suite::Type| format!("{:?}", (ty.graph)(&7_u8, &Schema::of::<u8>(), &layout));
    assert_ne!(graph(&shown), graph(&ty));
    assert_eq!(decoded(&shown.seen_by(StateKind::Fields).unwrap()), Some(7));
}

#[test]
fn variables_are_named_after_the_last_name_of_their_type() {
    let name_of = |ty| {
        let last = Sequence { statements: vec![make(0)], result: Some(Variable(0)) };
        last.to_source(&suite(ty)).1
    };
    let names = [
        ("Heap", "heap"),
        ("SkewHeap", "skew_heap"),
        ("a::b::SkewHeap<c::Key, Vec<u8>>", "skew_heap"),
        ("std::collections::BTreeMap<u8, u8>", "b_tree_map"),
        // Two underscores would be no snake case.
        ("Lower_Case2", "lower_case2"),
        ("_Hidden", "_hidden"),
        ("[Heap; 2]", "value"),
        ("(Heap, Heap)", "value"),
        ("<Heap as Parts>::Part", "value"),
    ];
    for (ty, name) in names {
        assert_eq!(name_of(ty), name, "{ty}");
    }
}

#[track_caller]
fn check_problem(
    statements: Vec<Statement>,
    statement: usize,
    problem: SequenceProblem,
    text: &str,
) {
    let error = sequence(statements).check(&suite("Heap")).unwrap_err();
    assert_eq!(error, SequenceError { statement, problem });
    assert_eq!(error.to_string(), format!("statement {statement}: {text}"));
}

#[test]
fn what_is_wrong_with_a_sequence_is_said_with_the_statement() {
    use SequenceProblem::*;
    check_problem(vec![call(9, &[])], 0, NoMethod("9".into()), "the suite has no method 9");
    let text = "the arguments do not match the method's parameters";
    check_problem(vec![make(0), call(LINK, &[0])], 1, Arguments, text);
    let both = vec![Binding { output: 1, variable: Variable(0) }];
    let text = "the method has no output 1, or it is bound already";
    check_problem(vec![Statement { bindings: both, ..call(NEW, &[]) }], 0, Output(1), text);
    let text = "variable 0 holds nothing here: it is not bound yet, or was taken";
    let calls = vec![make(0), call(EAT, &[0]), call(EAT, &[0])];
    check_problem(calls, 2, Unbound(Variable(0)), text);
    let ended = Statement { ends: vec![Variable(0)], ..make(0) };
    check_problem(vec![ended.clone(), call(EAT, &[0])], 1, Unbound(Variable(0)), text);
    let text = "variable 1 holds nothing here: it is not bound yet, or was taken";
    let never = Statement { ends: vec![Variable(1)], ..make(0) };
    check_problem(vec![never], 0, Unbound(Variable(1)), text);
    assert_eq!(sequence(vec![ended]).to_source(&suite("Heap")).0, "let heap = new();\ndrop(heap);");
    let text = "variable 0 is bound already";
    check_problem(vec![make(0), make(0)], 1, BoundTwice(Variable(0)), text);
    let text = "variable 1 leaves a gap: number the variables from 0 on";
    check_problem(vec![make(1)], 0, Gap(Variable(1)), text);
    let text = "variable 0 is passed twice, but not both times by `&`";
    check_problem(vec![make(0), call(JOIN, &[0, 0])], 1, Aliased(Variable(0)), text);
    let text = "variable 3 is of another type than the parameter";
    assert_eq!(Type(Variable(3)).to_string(), text);
}

#[test]
fn an_unknown_literal_is_named() {
    let error = UnknownLiteral { source: "300".into() };
    assert_eq!(error.to_string(), "`300` is not among the literals of its parameter");
}

#[test]
fn a_method_without_structures_is_a_constructor() {
    let constructors = suite("Heap").methods.iter().map(Method::is_constructor).collect::<Vec<_>>();
    assert_eq!(constructors, [true, false, false, false]);
}

/// Has a second block and no third.
struct InParts;

impl HasPart<2> for InParts {
    fn part() -> SuitePart {
        SuitePart { methods: vec![method("more", "more", vec![])], ..SuitePart::default() }
    }
}

#[test]
fn a_further_block_is_found_where_there_is_one() {
    use part_probe::{IsNoPart as _, IsPart as _, PartProbe};
    let part = PartProbe::<InParts, 2>::new().part();
    assert!((&PartProbe::<InParts, 3>::new()).part().is_none());
    assert!((&PartProbe::<u8, 2>::new()).part().is_none());
    let whole = suite("Heap").with_part(part).with_part(None);
    let names: Vec<_> = whole.methods.iter().map(|method| method.name).collect();
    assert_eq!(names, ["new", "link", "join", "eat", "more"]);
    let reasons = [Absence::NotPublic, Absence::Skipped, Absence::NotChosen];
    assert_eq!(
        reasons.map(|reason| reason.to_string()),
        ["not `pub`", "skipped", "not among `only`"]
    );
}

#[test]
fn a_literal_shows_its_source() {
    let literal = Literal { value: Arc::new(3_u8), source: "1 + 2".into() };
    assert_eq!(format!("{literal:?}"), "1 + 2");
}

#[test]
fn what_a_trait_makes_is_bound_with_its_type() {
    let mut suite = suite("Heap<u8>");
    suite.methods[NEW].path = "From::from";
    let made = Sequence { result: Some(Variable(0)), ..sequence(vec![make(0)]) };
    let (source, _) = made.to_source(&suite);
    assert_eq!(source, "let heap: Heap<u8> = From::from();");
}

#[test]
fn parts_that_come_out_of_one_field_are_bound_together() {
    let mut suite = suite("Heap");
    let part = |access| Output { ty: TypeIdx::new(0), access };
    suite.methods[NEW].outputs = [".0", ".1.0", ".1.1"].map(part).into();
    let bindings = (0..3).map(|output| Binding { output, variable: Variable(output) }).collect();
    let calls = vec![Statement { bindings, ..make(0) }, call(LINK, &[0, 1]), call(LINK, &[2, 1])];
    let (source, _) = sequence(calls).to_source(&suite);
    let lines = [
        "let returned = new();",
        "let mut heap = returned.0;",
        "let returned_2 = returned.1;",
        "let heap_2 = returned_2.0;",
        "let mut heap_3 = returned_2.1;",
        "let _ = heap.link(Some(&heap_2));",
        "let _ = heap_3.link(Some(&heap_2));",
    ];
    assert_eq!(source.lines().collect::<Vec<_>>(), lines);
}

#[test]
fn calls_are_the_words_of_a_name() {
    assert_eq!(made_of_two().to_name(&suite("Heap")), "new_new_link");
}

#[test]
fn only_memory_differs_when_the_same_calls_are_made_again() {
    let repeatable = StateKind::ALL.map(|(state, _)| state.is_repeatable());
    assert_eq!(repeatable, [true, true, true, false]);
}
