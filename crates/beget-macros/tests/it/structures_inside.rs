//! Structures inside other types: which methods a signature stands for, and what recipes write.
#![allow(missing_docs, clippy::boxed_local, reason = "the signatures are what is tested")]

use std::any::Any;
use std::rc::Rc;

use beget::{HasSuite, Heap};
use beget_suite::{Argument, Call, Frame, Recipe, Slot, to_source};

#[derive(Clone, Debug, PartialEq, Heap)]
pub struct Chain {
    links: Vec<u8>,
}

#[beget::api]
impl Chain {
    pub fn one(link: u8) -> Self {
        Chain { links: vec![link] }
    }

    pub fn link(&mut self, next: Option<Self>) {
        self.links.extend(next.into_iter().flat_map(|next| next.links));
    }

    pub fn all(chains: Vec<Self>) -> Self {
        Chain { links: chains.into_iter().flat_map(|chain| chain.links).collect() }
    }

    pub fn longest(&self, others: &[Chain]) -> usize {
        others.iter().map(|other| other.links.len()).chain([self.links.len()]).max().unwrap_or(0)
    }

    pub fn shared(self: Rc<Self>) -> usize {
        Rc::strong_count(&self)
    }

    pub fn boxed(self: Box<Self>, other: Option<Box<Chain>>, by: Option<&mut Chain>) -> Self {
        let from = [other.map(|other| *other), by.cloned()].into_iter().flatten();
        Chain { links: from.chain([*self]).flat_map(|chain| chain.links).collect() }
    }
}

/// The recipe that calls a method on links 1, 2, ... and the number 7.
fn source(name: &str) -> String {
    let suite = Chain::suite();
    let method = suite.find_method(name).expect("a method");
    let one = |link: usize| Recipe {
        method: suite.find_method("one").expect("a method"),
        arguments: vec![Argument::Literal(link.to_string())],
        output: 0,
        panics: false,
    };
    let n = suite.method(method).structure_params().count();
    let arguments = (1..=n).map(|link| Argument::Structure(Box::new(one(link)))).collect();
    // The result if it is a structure, else the first argument.
    let output = if suite.method(method).outputs.is_empty() { 0 } else { n };
    to_source(&suite, &Recipe { method, arguments, output, panics: false }).0
}

/// What the call of `source` leaves of its structures, and returns.
fn called(name: &str) -> (Vec<Option<Chain>>, Vec<Option<Chain>>) {
    let suite = Chain::suite();
    let method = suite.method_named(name).expect("a method");
    let n = method.structure_params().count() as u8;
    let one = |link| -> Slot { Some(Box::new(Chain::one(link))) };
    let mut frame = Frame { arguments: (1..=n).map(one).collect(), results: vec![] };
    (method.call)(&mut Call::new(&mut frame, &[]));
    let chains = |slots: Vec<Slot>| {
        let chain = |value: Box<dyn Any>| *value.downcast::<Chain>().expect("a chain");
        slots.into_iter().map(|slot| slot.map(chain)).collect()
    };
    (chains(frame.arguments), chains(frame.results))
}

fn chain(links: &[u8]) -> Option<Chain> {
    Some(Chain { links: links.to_vec() })
}

#[test]
fn a_signature_stands_for_a_method_for_each_number_of_structures() {
    let suite = Chain::suite();
    let names: Vec<_> = suite.methods.iter().map(|method| method.name).collect();
    let expected = [
        "one",
        "link",
        "link_without_next",
        "all_0_chains",
        "all_1_chains",
        "all_2_chains",
        "longest_0_others",
        "longest_1_others",
        "longest_2_others",
        "shared",
        "boxed",
        "boxed_without_by",
        "boxed_without_other",
        "boxed_without_other_without_by",
    ];
    assert_eq!(names, expected);
}

#[test]
fn structures_are_passed_inside_other_types() {
    assert_eq!(called("link"), (vec![chain(&[1, 2]), None], vec![]));
    assert_eq!(called("link_without_next"), (vec![chain(&[1])], vec![]));
    assert_eq!(called("all_0_chains"), (vec![], vec![chain(&[])]));
    assert_eq!(called("all_2_chains"), (vec![None, None], vec![chain(&[1, 2])]));
    assert_eq!(called("shared"), (vec![None], vec![]));
    assert_eq!(called("boxed"), (vec![None, None, chain(&[3])], vec![chain(&[2, 3, 1])]));
    assert_eq!(called("boxed_without_other"), (vec![None, chain(&[2])], vec![chain(&[2, 1])]));
}

#[test]
fn recipes_write_what_is_around_a_structure() {
    let last = |name| source(name).lines().last().expect("a line").to_owned();
    assert_eq!(last("link"), "let _ = chain.link(Some(chain_2));");
    assert_eq!(last("link_without_next"), "let _ = chain.link(None);");
    assert_eq!(last("all_2_chains"), "let chain_3 = Chain::all(vec![chain, chain_2]);");
    assert_eq!(last("longest_1_others"), "let _ = chain.longest(&[chain_2]);");
    assert_eq!(last("shared"), "let _ = std::rc::Rc::new(chain).shared();");
    let boxed = "let chain_4 = Box::new(chain).boxed(Some(Box::new(chain_2)), Some(&mut chain_3));";
    assert_eq!(last("boxed"), boxed);
}
