//! Suites in lockstep: the methods and types of two suites that are paired, and those that are not.

use beget_suite::{
    CloneFn, Method, Output, Passing, Suite, TypeIdx, UnpairedMethod, in_lockstep, type_of,
    unpaired_notes,
};

use crate::sources::{method, structure};

/// A suite with types of these names, and a constructor of each.
fn suite(name: &str, types: &[&'static str]) -> Suite {
    let constructor = |index: usize| {
        let name = ["first", "second", "third"][index];
        let outputs = vec![Output { ty: TypeIdx::new(index), access: "" }];
        Method { outputs, ..method(name, name, vec![]) }
    };
    Suite {
        name: name.to_owned(),
        types: types.iter().map(|ty| type_of::<u8>(ty, None)).collect(),
        methods: (0..types.len()).map(constructor).collect(),
        ..Suite::default()
    }
}

/// The methods that are called on pairs.
fn paired(left: &Suite, right: &Suite) -> Vec<&'static str> {
    let lockstep = in_lockstep(left, right);
    let methods = lockstep.suite.method_idxs().filter(|&method| lockstep.is_paired(method));
    methods.map(|method| lockstep.suite.method(method).name).collect()
}

#[test]
fn further_types_are_paired_by_name_or_else_by_position() {
    let of = |types: &[&'static str]| suite("other", types);
    let own = suite("own", &["Own", "A", "B"]);
    assert_eq!(paired(&own, &of(&["Other", "C", "D"])), ["first", "second", "third"]);
    // The constructor of the second type makes another one.
    assert_eq!(paired(&own, &of(&["Other", "B", "A"])), ["first"]);
    // Of another number of types only those of one name.
    assert_eq!(paired(&own, &of(&["Other", "A"])), ["first", "second"]);
    assert_eq!(paired(&own, &of(&["Other", "C"])), ["first"]);
}

#[test]
fn a_way_of_passing_may_differ_if_there_is_one_structure() {
    let with = |name, passing, n_others| {
        let mut suite = suite(name, &["Own"]);
        let others = (0..n_others).map(|_| structure("other", Passing::Ref));
        let params = std::iter::once(structure("self", passing)).chain(others).collect();
        suite.methods.push(method("look", "look", params));
        suite
    };
    let own = |n_others| with("own", Passing::Ref, n_others);
    assert_eq!(paired(&own(0), &with("other", Passing::Mut, 0)), ["first", "look"]);
    assert_eq!(paired(&own(0), &with("other", Passing::Value, 0)), ["first"]);
    assert_eq!(paired(&own(1), &with("other", Passing::Ref, 1)), ["first", "look"]);
    let other = with("other", Passing::Mut, 1);
    assert_eq!(paired(&own(1), &other), ["first"]);
    let difference = Some("its parameter `self` is another one in other, ``".to_owned());
    let unpaired = UnpairedMethod { suite: "own".to_owned(), method: "look", difference };
    assert_eq!(in_lockstep(&own(1), &other).unpaired, [unpaired]);
}

#[test]
fn pairs_can_be_cloned_if_both_sides_can() {
    let with = |clone| Suite { types: vec![type_of::<u8>("Own", clone)], ..suite("own", &[]) };
    let clone: CloneFn = |_| Box::new(0_u8);
    for (left, right) in [(None, None), (None, Some(clone)), (Some(clone), None)] {
        assert!(in_lockstep(&with(left), &with(right)).suite.types[0].clone.is_none());
    }
    assert!(in_lockstep(&with(Some(clone)), &with(Some(clone))).suite.types[0].clone.is_some());
    // A clone of the right side would share with it.
    let counted = type_of::<std::rc::Rc<u8>>("Own", Some(clone));
    let counted = Suite { types: vec![counted], ..suite("own", &[]) };
    let pair = &in_lockstep(&with(Some(clone)), &counted).suite.types[0];
    assert!(pair.clone.is_none() && pair.may_share());
    assert!(!in_lockstep(&with(None), &with(None)).suite.types[0].may_share());
}

#[test]
fn notes_list_differences_and_then_what_only_one_suite_has() {
    let unpaired = [
        ("left", "a", None),
        ("left", "b", Some("it returns no `Result`")),
        ("right", "c", None),
        ("left", "d", None),
    ];
    let notes =
        ["not compared: `b`, it returns no `Result`", "only in left: a, d", "only in right: c"];
    assert_eq!(unpaired_notes(unpaired), notes);
    assert_eq!(unpaired_notes([]), [""; 0]);
}
