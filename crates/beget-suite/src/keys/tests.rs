//! A suite of a list that issues keys, by hand: a new key each twelfth time.

use beget_heap::FormRef;

use super::*;
use crate::testing::{method, returned, structure};
use crate::{
    Binding, CloneFn, Operand, Sequence, SourceSink, Statement, Variable, shared_argument, type_of,
    write_source,
};

type Issuer = Vec<u8>;

const ISSUER: TypeIdx = TypeIdx::new(0);
const ISSUED: TypeIdx = TypeIdx::new(1);
const OTHER: TypeIdx = TypeIdx::new(2);

fn issue(call: &mut Call<'_>, owner: usize) -> Outcome {
    let issuer: &mut Issuer = call.structure(owner);
    issuer.push(0);
    let key = (issuer.len() - 1) as u8 / 12;
    call.give(key);
    Outcome::Returned
}

/// Two structures, which may be the same.
fn look_at_both(call: &mut Call<'_>, both: [usize; 2]) -> Outcome {
    let ([], both) = call.borrowed([], both);
    let lengths = both.map(|one| shared_argument::<Issuer>(one).len());
    assert_eq!(lengths, [1, 1]);
    Outcome::Returned
}

struct PanicsWhenDropped;

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        panic!("it is dropped");
    }
}

fn suite() -> Suite {
    use Passing::{Mut, Ref, Value};
    let clone: CloneFn = |key| Box::new(*downcast::<u8>(key));
    let value = LiteralDomain::of::<u8>("u8");
    let value = Param { name: "value", kind: ParamKind::Literal { domain: value, prefix: "" } };
    let shown = StateView {
        state: StateKind::Shown,
        walk: |_, encoder| encoder.primitive(Primitive::Word(7)),
        ..type_of::<Issuer>("Issuer", None).view()
    };
    let issuer = type_of::<Issuer>("Issuer", None).with_view(Some(shown));
    let issuer = issuer.with_own_form(Some(|_| None));
    let types = vec![issuer, type_of::<u8>("Key", Some(clone)), type_of::<u8>("Other", None)];
    let own = |passing| structure("self", ISSUER, passing);
    let key = |passing| structure("key", ISSUED, passing);
    let methods = vec![
        method("Issuer::new", &[], Some(ISSUER), |call| {
            call.give(Issuer::new());
            Outcome::Returned
        }),
        method("Other::other", &[], Some(OTHER), |call| {
            call.give(PanicsWhenDropped);
            Outcome::Returned
        }),
        method("Issuer::peek", &[own(Ref)], Some(ISSUED), |call| {
            call.give(9_u8);
            Outcome::Returned
        }),
        method("Issuer::insert", &[own(Mut), value], Some(ISSUED), |call| issue(call, 0)),
        method(
            "link",
            &[structure("other", OTHER, Ref), structure("to", ISSUER, Mut)],
            Some(ISSUED),
            |call| issue(call, 1),
        ),
        method("Issuer::get", &[own(Ref), key(Ref)], None, returned),
        method("Issuer::join", &[own(Ref), structure("other", ISSUER, Ref), key(Value)], None, {
            |call| look_at_both(call, [0, 1])
        }),
        method("find", &[key(Value), own(Ref), structure("other", ISSUER, Ref)], None, |call| {
            look_at_both(call, [1, 2])
        }),
        method("Issuer::of_key", &[key(Value)], Some(ISSUER), returned),
        method("Issuer::drain", &[own(Value)], None, |call| {
            drop(call.take::<Issuer>(0));
            Outcome::Returned
        }),
        method("Issuer::fail", &[own(Mut)], Some(ISSUED), |call| {
            call.give(1_u8);
            Outcome::Error
        }),
    ];
    Suite { name: "by_hand".into(), types, methods, ..Suite::default() }
}

fn keyed_suite() -> Suite {
    suite().with_keys(&[ISSUED], &[])
}

/// Makes a call of a method on these structures.
fn make(suite: &Suite, name: &str, frame: &mut Frame, literals: &[&Literal]) -> Outcome {
    suite.method_named(name).unwrap().make(&mut Call::new(frame, literals))
}

/// A structure that has issued one key.
fn issuer(suite: &Suite) -> Slot {
    let mut frame = Frame::of(vec![]);
    assert_eq!(make(suite, "new", &mut frame, &[]), Outcome::Returned);
    let mut frame = Frame::of(vec![frame.results[0].take()]);
    assert_eq!(make(suite, "insert", &mut frame, &[&Literal::new(5_u8)]), Outcome::Returned);
    frame.arguments[0].take()
}

fn n_issued(slot: &Slot) -> usize {
    keyed(slot.as_deref().unwrap()).issued[0].len()
}

#[test]
fn keys_that_are_passed_become_literals_and_those_that_are_issued_no_structures() {
    let shown = |kind: &ParamKind| match kind {
        ParamKind::Structure { .. } => "structure".to_owned(),
        ParamKind::Literal { domain, prefix } => format!("{prefix}{}", domain.ty),
    };
    let methods = keyed_suite().methods;
    let methods = methods.iter().map(|method| {
        let params: Vec<_> = method.params.iter().map(|param| shown(&param.kind)).collect();
        format!("{}({}) {}", method.name, params.join(", "), method.outputs.len())
    });
    let expected = [
        "new() 1",
        "other() 1",
        "peek(structure) 0",
        "insert(structure, u8) 0",
        "link(structure, structure) 0",
        "get(structure, &key) 0",
        "join(structure, structure, key) 0",
        "find(key, structure, structure) 0",
        "of_key(structure) 1",
        "drain(structure) 0",
        "fail(structure) 0",
    ];
    assert_eq!(methods.collect::<Vec<_>>(), expected);
}

#[test]
fn a_structure_that_carries_keys_is_seen_by_each_view_and_cannot_be_decoded() {
    let suite = keyed_suite();
    let ty = &suite.types[0];
    let mut schema = Schema::default();
    ty.describe_in(&mut schema);
    assert_eq!(schema.undecodable, [CARRIES_KEYS]);
    assert!(ty.own_form.is_none());
    let layout = Layout::new(&schema, &Bounds::unlimited());
    let structure = issuer(&suite);
    for (state, n_bytes) in [(StateKind::Fields, 3), (StateKind::Shown, 3)] {
        let mut encoder = Encoder::new(&layout);
        encoder.begin(0);
        (ty.seen_by(state).unwrap().walk)(structure.as_deref().unwrap(), &mut encoder);
        assert_eq!(encoder.finish().unwrap().len, n_bytes, "{state}");
    }
    let mut decoder = Decoder::new(&layout, 1);
    decoder.begin(FormRef::new(&[0; 8]));
    assert!(ty.decode(&mut decoder).is_err());
}

#[test]
fn an_error_issues_nothing_and_what_is_taken_is_gone() {
    let suite = keyed_suite();
    let mut frame = Frame::of(vec![issuer(&suite)]);
    assert_eq!(make(&suite, "fail", &mut frame, &[]), Outcome::Error);
    assert_eq!(make(&suite, "peek", &mut frame, &[]), Outcome::Returned);
    assert_eq!(n_issued(&frame.arguments[0]), 1);
    assert_eq!(make(&suite, "drain", &mut frame, &[]), Outcome::Returned);
    assert!(frame.arguments[0].is_none());
}

#[test]
fn a_structure_that_is_passed_twice_is_found_beside_keys() {
    let suite = keyed_suite();
    let key = &literals_of_keys(&Pools { longest: 1, ..Pools::default() }).unwrap()[0];
    for name in ["join", "find"] {
        let mut frame = Frame::of(vec![issuer(&suite), Some(Box::new(SameAs(0)))]);
        assert_eq!(make(&suite, name, &mut frame, &[key]), Outcome::Returned);
    }
}

#[test]
fn a_structure_made_for_its_keys_may_panic_when_it_is_dropped() {
    let mut suite = suite();
    suite.methods[0].call = |call| {
        call.give(PanicsWhenDropped);
        Outcome::Returned
    };
    suite.methods[3].call = |call| {
        call.give(1_u8);
        Outcome::Returned
    };
    let suite = suite.with_keys(&[ISSUED], &[]);
    let mut frame = Frame::of(vec![]);
    assert_eq!(make(&suite, "new", &mut frame, &[]), Outcome::Returned);
    let mut frame = Frame::of(std::mem::take(&mut frame.results));
    let foreign = literals_of_all_keys(&Pools::default()).unwrap().pop().unwrap();
    assert_eq!(make(&suite, "get", &mut frame, &[&foreign]), Outcome::Returned);
    std::mem::forget(frame);
}

fn statement(suite: &Suite, name: &str, arguments: Vec<Operand>) -> Statement {
    let method = suite.methods.iter().position(|method| method.name == name).unwrap();
    let method = MethodIdx::new(method);
    Statement { method, arguments, bindings: vec![], ends: vec![], panics: false }
}

/// Calls by which keys are issued and passed, with the last key that is passed.
fn calls(suite: &Suite, last: &str) -> Vec<Statement> {
    let [issuer, other] = [0, 1].map(|number| Operand::Variable(Variable(number)));
    let literal = |source: &str| Operand::Literal(source.to_owned());
    let made = |number, name| {
        let bindings = vec![Binding { output: 0, variable: Variable(number) }];
        Statement { bindings, ..statement(suite, name, vec![]) }
    };
    let get = |key| statement(suite, "get", vec![issuer.clone(), literal(key)]);
    vec![
        made(0, "new"),
        made(1, "other"),
        statement(suite, "peek", vec![issuer.clone()]),
        statement(suite, "insert", vec![issuer.clone(), literal("5")]),
        Statement {
            ends: vec![Variable(1)],
            ..statement(suite, "link", vec![other, issuer.clone()])
        },
        get("key_1"),
        get("key_0"),
        get(last),
    ]
}

fn lines(suite: &Suite, last: &str) -> Vec<String> {
    let (source, _) = Sequence { statements: calls(suite, last), result: None }.to_source(suite);
    source.lines().map(str::to_owned).collect()
}

const LINES: [&str; 8] = [
    "let mut issuer = Issuer::new();",
    "let other = Other::other();",
    "let _ = issuer.peek();",
    "let key = issuer.insert(5);",
    "let key_2 = link(&other, &mut issuer);",
    "drop(other);",
    "let _ = issuer.get(&key_2);",
    "let _ = issuer.get(&key);",
];

#[test]
fn source_names_the_calls_that_issue_keys() {
    let suite = keyed_suite();
    assert_eq!(lines(&suite, "key_0"), [&LINES[..], &["let _ = issuer.get(&key);"]].concat());
    // Without literals each call is said to issue a key of its own.
    let foreign = [
        "let mut issuer_2 = Issuer::new();",
        "let _ = issuer_2.insert(0);",
        "let _ = issuer_2.insert(1);",
        "let foreign_key = issuer_2.insert(2);",
        "let _ = issuer.get(&foreign_key);",
    ];
    assert_eq!(lines(&suite, FOREIGN), [&LINES[..], &foreign].concat());
}

/// The statements whose text may be remembered, by their positions.
#[derive(Default)]
struct Remembered(Vec<usize>);

impl SourceSink for Remembered {
    fn names_units(&self) -> bool {
        true
    }

    fn push_line(&mut self, _: &str) {}

    fn push_call(&mut self, _: usize, _: &str) -> bool {
        false
    }

    fn push_known(&mut self, index: usize, variable: &str) -> bool {
        assert_eq!(variable, "issuer");
        self.0.push(index);
        false
    }
}

#[test]
fn source_with_keys_or_two_variables_is_not_remembered() {
    let remembered = |suite: &Suite, n_calls| {
        let calls = calls(suite, "key_0");
        let mut remembered = Remembered::default();
        write_source(suite, &calls.iter().take(n_calls).collect::<Vec<_>>(), &mut remembered);
        remembered.0
    };
    assert_eq!(remembered(&keyed_suite(), 8), []);
    // Without keys: of `peek`, `insert` and `link`, the last takes two structures.
    assert_eq!(remembered(&suite(), 5), [2, 3]);
}

#[test]
fn source_calls_until_another_structure_issues_a_key_that_is_new() {
    let keys = literals_of_all_keys(&Pools { longest: 2, ..Pools::default() }).unwrap();
    let literals = [(3, vec![Literal::new(5_u8)]), (5, keys)];
    let literals = literals.iter().map(|(method, all)| (MethodIdx::new(*method), 0, all));
    let plain = keyed_suite();
    let suite = plain.knowing(literals).expect("there are keys of others");
    let lines = lines(&suite, FOREIGN);
    let inserts = (0..12).map(|number| format!("let _ = issuer_2.insert({});", number % 8));
    let foreign = std::iter::once("let mut issuer_2 = Issuer::new();".to_owned()).chain(inserts);
    let foreign = foreign.chain(["let foreign_key = issuer_2.insert(4);".to_owned()]);
    let foreign = foreign.chain(["let _ = issuer.get(&foreign_key);".to_owned()]);
    assert_eq!(lines[8..], foreign.collect::<Vec<_>>());
    let known = Suite { literals: suite.literals, ..crate::in_lockstep(&plain, &plain).suite };
    assert_eq!(known.sides().unwrap().map(|side| side.literals.len()), [2, 2]);
}

#[test]
fn keys_are_values_that_can_only_be_given_back() {
    let found = |names: &[&str]| {
        let mut suite = suite();
        suite.types.truncate(2);
        suite.methods.push(method(
            "free",
            &[structure("key", ISSUED, Passing::Ref)],
            None,
            returned,
        ));
        suite.methods.push(method("made", &[], Some(ISSUED), returned));
        suite.methods.retain(|method| names.contains(&method.name));
        suite.found_keys()
    };
    assert_eq!(found(&["new", "insert", "get"]), [ISSUED]);
    assert_eq!(found(&["new", "insert", "peek", "get"]), [ISSUED]);
    // Not issued, not passed, passed alone, or made alone.
    assert_eq!(found(&["new", "peek", "get"]), []);
    assert_eq!(found(&["new", "insert"]), []);
    assert_eq!(found(&["new", "insert", "get", "free"]), []);
    assert_eq!(found(&["new", "insert", "get", "made"]), []);
}
