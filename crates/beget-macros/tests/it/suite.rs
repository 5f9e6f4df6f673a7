//! `suite!`: what the suite tells, and the calls it makes into a type of another crate.
#![deny(missing_docs, warnings)]
#![forbid(unsafe_code)]

use crate::common;

use beget::HasSuite;
use beget_heap::{Bounds, Encoder, Layout};
use beget_suite::{Outcome, ParamKind, Passing, Slice, Text, TypeIdx};
use common::{argument, call, literal, results, structure};

beget::suite! {
    /// The standard double-ended queue.
    ///
    /// Over small integers.
    #[name = "std::deque"]
    pub suite Deque for std::collections::VecDeque<u8> {
        fn new() -> Self;
        fn push_back(&mut self, value: u8);
        fn pop_front(&mut self) -> Option<u8>;
        fn append(&mut self, other: &mut Self);
        fn split_off(&mut self, at: usize) -> Self;
        fn two(first: u8, second: &u8) -> Self = two;
        fn put(&mut self, value: u8) = push_back;
        fn of(values: &[u8]) -> Self = Self::of_slice;
        fn length_of_text(&self, text: &str) -> usize = self::common_length;
        fn reverse(&mut self, values: &mut [u8], more: &mut Vec<u8>) = Reverse::reverse_all;
    }
}

/// Functions that a user adds to a foreign type.
trait Reverse {
    fn of_slice(values: &[u8]) -> Self;
    fn reverse_all(&mut self, values: &mut [u8], more: &mut Vec<u8>);
}

type VecDeque = std::collections::VecDeque<u8>;

impl Reverse for VecDeque {
    fn of_slice(values: &[u8]) -> Self {
        values.iter().copied().collect()
    }

    fn reverse_all(&mut self, values: &mut [u8], more: &mut Vec<u8>) {
        values.reverse();
        self.extend(values.iter().copied());
        self.extend(more.drain(..));
    }
}

fn two(first: u8, second: &u8) -> VecDeque {
    [first, *second].into()
}

fn common_length(deque: &VecDeque, text: &str) -> usize {
    deque.len().min(text.len())
}

#[test]
fn a_suite_tells_names_and_signatures() {
    let suite = Deque::suite();
    assert_eq!(suite.name, "std::deque");
    assert_eq!(suite.doc, "The standard double-ended queue.\n\nOver small integers.");
    assert_eq!(suite.types[0].name, "VecDeque<u8>");
    let described: Vec<_> =
        suite.methods.iter().map(|method| (method.name, method.path, method.signature)).collect();
    assert_eq!(described[0], ("new", "VecDeque::<u8>::new", "fn new() -> Self"));
    assert_eq!(
        described[3],
        ("append", "VecDeque::<u8>::append", "fn append(&mut self, other: &mut Self)")
    );
    assert_eq!(described[5], ("two", "two", "fn two(first: u8, second: &u8) -> Self"));
    assert_eq!(described[6], ("put", "VecDeque::<u8>::push_back", "fn put(&mut self, value: u8)"));
    assert_eq!(described[7], ("of", "VecDeque::<u8>::of_slice", "fn of(values: &[u8]) -> Self"));
    assert_eq!(described[9].1, "Reverse::reverse_all");
}

#[test]
fn a_suite_tells_what_parameters_take_and_how() {
    let suite = Deque::suite();
    let passed: Vec<_> = suite.method_named("append").unwrap().structure_params().collect();
    assert_eq!(passed, [(TypeIdx::new(0), Passing::Mut), (TypeIdx::new(0), Passing::Mut)]);
    let literals = |method: &str| -> Vec<_> {
        let params = suite.method_named(method).unwrap().params.iter();
        let written = params.filter_map(|param| match param.kind {
            ParamKind::Literal { domain, prefix } => Some((param.name, domain.ty, prefix)),
            ParamKind::Structure { .. } => None,
        });
        written.collect()
    };
    assert_eq!(literals("two"), [("first", "u8", ""), ("second", "&u8", "&")]);
    assert_eq!(literals("of"), [("values", "&[u8]", "&")]);
    assert_eq!(literals("length_of_text"), [("text", "&str", "")]);
    assert_eq!(
        literals("reverse"),
        [("values", "&mut [u8]", "&mut "), ("more", "&mut Vec<u8>", "&mut ")]
    );
    assert!(suite.types[0].clone.is_some() && !suite.types[0].is_abstracted());
}

#[test]
fn only_a_receiver_called_as_a_method_is_named_self() {
    let suite = Deque::suite();
    let first = |method: &str| suite.method_named(method).unwrap().params[0].name;
    assert_eq!((first("append"), first("put"), first("reverse")), ("self", "self", "receiver"));
}

#[test]
fn calls_reach_the_methods_and_give_what_they_return() {
    let suite = Deque::suite();
    let (frame, outcome) = call(&suite, "new", [], []);
    assert_eq!((results::<VecDeque>(&frame), outcome), (vec![Some([].into())], Outcome::Returned));
    let (frame, _) = call(&suite, "two", [], [literal(1_u8), literal(2_u8)]);
    assert_eq!(results::<VecDeque>(&frame), [Some([1, 2].into())]);
    let deque = || structure(VecDeque::from([1]));
    let (frame, _) = call(&suite, "put", [deque()], [literal(2_u8)]);
    assert_eq!(argument::<VecDeque>(&frame, 0), Some([1, 2].into()));
    let (frame, _) = call(&suite, "of", [], [literal(Slice(vec![3_u8, 4]))]);
    assert_eq!(results::<VecDeque>(&frame), [Some([3, 4].into())]);
    let (frame, _) = call(&suite, "length_of_text", [deque()], [literal(Text("ab".into()))]);
    assert!(frame.results.is_empty());
    let lists = [literal(Slice(vec![2_u8, 3])), literal(vec![4_u8])];
    let (frame, _) = call(&suite, "reverse", [deque()], lists);
    assert_eq!(argument::<VecDeque>(&frame, 0), Some([1, 3, 2, 4].into()));
}

#[test]
fn two_structures_may_both_be_changed() {
    let deques = [structure(VecDeque::from([1])), structure(VecDeque::from([2]))];
    let (frame, _) = call(&Deque::suite(), "append", deques, []);
    assert_eq!(argument::<VecDeque>(&frame, 0), Some([1, 2].into()));
    assert_eq!(argument::<VecDeque>(&frame, 1), Some([].into()));
}

/// A type without `Clone` and without a heap of its own.
#[derive(Debug)]
pub struct Opaque {
    counts: Vec<u8>,
}

impl Opaque {
    fn of(deque: &VecDeque) -> Self {
        Opaque { counts: deque.iter().copied().collect() }
    }

    fn absorb(&mut self, deque: VecDeque) -> VecDeque {
        self.counts.extend(&deque);
        deque
    }
}

beget::suite! {
    suite Two {
        for std::collections::VecDeque<u8> as Bytes {
            fn new() -> Self;
            fn opaque(&self) -> Opaque = Opaque::of;
        }
        for Opaque {
            abstraction |opaque| -> Vec<u8> {
                let mut counts = opaque.counts.clone();
                counts.sort_unstable();
                counts
            };
            fn absorb(&mut self, bytes: Bytes) -> Bytes;
            fn give(&mut self, bytes: std::collections::VecDeque<u8>) -> Bytes = absorb;
        }
    }
}

#[test]
fn types_of_one_suite_know_each_other_by_full_and_short_names() {
    let suite = Two::suite();
    assert_eq!((suite.name.as_str(), suite.doc), ("Two", "The suite `Two`."));
    let names: Vec<_> = suite.types.iter().map(|ty| ty.name).collect();
    assert_eq!(names, ["Bytes", "Opaque"]);
    for method in ["absorb", "give"] {
        let method = suite.method_named(method).unwrap();
        let passed: Vec<_> = method.structure_params().collect();
        assert_eq!(passed, [(TypeIdx::new(1), Passing::Mut), (TypeIdx::new(0), Passing::Value)]);
        assert_eq!(method.outputs[0].ty, TypeIdx::new(0));
    }
    assert_eq!(suite.methods[0].path, "Bytes::new");
    let arguments = [structure(Opaque { counts: vec![2] }), structure(VecDeque::from([1]))];
    let (frame, _) = call(&suite, "absorb", arguments, []);
    assert!(frame.arguments[1].is_none());
    assert_eq!(results::<VecDeque>(&frame), [Some([1].into())]);
}

#[test]
fn an_abstraction_decides_what_is_equal_and_cannot_be_decoded() {
    let suite = Two::suite();
    let opaque = &suite.types[1];
    assert!(opaque.is_abstracted() && opaque.clone.is_none() && suite.types[0].clone.is_some());
    let schema = suite.schema();
    let layout = Layout::new(&schema, &Bounds::unlimited());
    let form = |counts: &[u8]| {
        let mut encoder = Encoder::new(&layout);
        encoder.begin(0);
        (opaque.walk)(&Opaque { counts: counts.to_vec() }, &mut encoder);
        encoder.finish().unwrap().to_canonical()
    };
    assert_eq!(form(&[1, 2]), form(&[2, 1]));
    assert_ne!(form(&[1, 2]), form(&[1, 1]));
    assert!(!schema.undecodable.is_empty());
}

mod called_by_path {
    use beget::HasSuite;

    fn double(bytes: &mut std::collections::VecDeque<u8>, value: u8) {
        bytes.extend([value, value]);
    }

    beget::suite! {
        pub(super) suite Paths for std::collections::VecDeque<u8> {
            fn new() -> Self;
            fn twice(&mut self, value: u8) = self::double;
            fn push(&mut self, value: u8) = push_back;
            fn pop(&mut self) -> Option<u8> = Self::pop_front;
        }
    }

    /// As the book says: with a receiver a single name is a method, a longer path a function.
    #[test]
    fn a_path_with_a_receiver_is_a_function_that_takes_it_first() {
        let suite = Paths::suite();
        let paths: Vec<_> = suite.methods.iter().map(|method| method.path).collect();
        assert_eq!(
            paths,
            [
                "VecDeque::<u8>::new",
                "double",
                "VecDeque::<u8>::push_back",
                "VecDeque::<u8>::pop_front"
            ]
        );
        let names: Vec<_> =
            suite.methods.iter().map(|method| method.params.first().map(|p| p.name)).collect();
        assert_eq!(names, [None, Some("receiver"), Some("self"), Some("receiver")]);
    }
}

mod keys_of_an_api {
    #![allow(unreachable_pub, reason = "`api` takes public functions")]

    use beget::{HasSuite, Heap};
    use beget_suite::{Param, ParamKind};

    /// Entities that live or not.
    #[derive(Clone, Debug, Heap)]
    pub(super) struct World {
        alive: Vec<bool>,
    }

    #[derive(Clone, Copy, Debug, Heap)]
    pub(super) struct Entity(usize);

    #[beget::api(keys(Entity))]
    impl World {
        pub fn new() -> Self {
            World { alive: Vec::new() }
        }

        pub fn spawn(&mut self) -> Entity {
            self.alive.push(true);
            Entity(self.alive.len() - 1)
        }

        pub fn is_alive(&self, entity: &Entity) -> bool {
            self.alive[entity.0]
        }
    }

    beget::suite! {
        /// The public functions of `World`.
        #[name = "World"]
        pub(super) suite Worlds {
            for World {
                fn new() -> Self;
                fn spawn(&mut self) -> Entity;
                fn is_alive(&self, entity: &Entity) -> bool;
            }
            for Entity { keys; }
        }
    }

    /// The option says the same as `keys;`.
    #[test]
    fn an_api_with_keys_is_the_suite_that_declares_them() {
        let (api, suite) = (World::suite(), Worlds::suite());
        assert_eq!(api.types.len(), 2);
        let described = |suite: &beget_suite::Suite| {
            let types: Vec<_> = suite.types.iter().map(|ty| ty.name).collect();
            let methods = suite.methods.iter().map(|method| {
                let is_literal = |param: &Param| matches!(param.kind, ParamKind::Literal { .. });
                let literals: Vec<_> = method.params.iter().map(is_literal).collect();
                (method.signature, method.path, method.outputs.clone(), literals)
            });
            format!("{types:?} {:?}", methods.collect::<Vec<_>>())
        };
        // Calls take a key as they take a literal.
        assert!(described(&api).contains("World::is_alive\", [], [false, true]"));
        assert_eq!(described(&api), described(&suite));
    }
}
