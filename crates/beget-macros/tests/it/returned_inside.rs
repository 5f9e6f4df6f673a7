//! Structures in lists and counted pointers that a call returns: how many are taken, what recipes
//! write to reach them, and which structures a run then has.
#![allow(missing_docs, clippy::new_without_default, reason = "the signatures are what is tested")]
#![allow(clippy::new_ret_no_self, reason = "a counted pointer to one is a structure too")]
#![allow(clippy::arc_with_non_send_sync, reason = "it need not be sent to be counted")]
#![allow(clippy::let_unit_value, reason = "recipes are uniform")]

use crate::common;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use beget::{HasSuite, Heap};
use beget_suite::{Binding, Operand, Outcome, Sequence, Statement, Variable};
use common::{argument, call, literal, results, structure};

#[derive(Clone, Debug, PartialEq, Heap)]
pub struct Chain {
    links: Vec<u8>,
}

#[beget::api]
impl Chain {
    pub fn new() -> Rc<Self> {
        Rc::new(Chain { links: Vec::new() })
    }

    pub fn push(&mut self, link: u8) {
        self.links.push(link);
    }

    /// Each link for itself.
    pub fn singles(&self) -> Vec<Self> {
        self.links.iter().map(|&link| Chain { links: vec![link] }).collect()
    }

    pub fn halves(mut self) -> [Self; 2] {
        let rest = self.links.split_off(self.links.len() / 2);
        [self, Chain { links: rest }]
    }

    /// The chain without each of its links, with the link.
    pub fn without(self) -> VecDeque<(u8, Option<Self>)> {
        let all = 0..self.links.len();
        let without = |index: usize| {
            let mut links = self.links.clone();
            (links.remove(index), (index > 0).then_some(Chain { links }))
        };
        all.map(without).collect()
    }

    pub fn me<'a>(&'a self, other: &'a Self) -> Vec<&'a Self> {
        vec![self, other]
    }

    pub fn count(&self) -> Result<Vec<u8>, String> {
        Ok(self.links.clone())
    }
}

/// What cannot be cloned, and what is held elsewhere too.
#[derive(Debug, Heap)]
pub struct Token {
    kept: RefCell<Option<Arc<Token>>>,
}

#[beget::api]
impl Token {
    pub fn new() -> Arc<Self> {
        Arc::new(Token { kept: RefCell::new(None) })
    }

    /// The second one is held by the first.
    pub fn pair(&self, keeps: bool) -> (Arc<Self>, Option<Arc<Self>>) {
        let (first, second) = (Token::new(), Token::new());
        if keeps {
            *first.kept.borrow_mut() = Some(Arc::clone(&second));
        }
        (first, Some(second))
    }

    /// One of them, twice.
    pub fn twice(&self) -> (Arc<Self>, Arc<Self>) {
        let token = Token::new();
        (Arc::clone(&token), token)
    }
}

/// A tree, of which parts are lent.
#[derive(Clone, Debug, PartialEq, Heap)]
pub struct Tree {
    children: Vec<Tree>,
}

#[beget::api]
impl Tree {
    pub fn leaf() -> Self {
        Tree { children: Vec::new() }
    }

    pub fn adopt(&mut self, child: Self) {
        self.children.push(child);
    }

    pub fn children(&self) -> &[Self] {
        &self.children
    }

    pub fn first_mut(&mut self) -> Option<&mut Vec<Tree>> {
        (!self.children.is_empty()).then_some(&mut self.children)
    }
}

fn chain(links: &[u8]) -> Chain {
    Chain { links: links.to_vec() }
}

#[test]
fn access_reaches_each_of_the_first_eight() {
    let access = |suite: &beget::suites::Suite, method: &str| -> Vec<_> {
        suite.method_named(method).unwrap().outputs.iter().map(|output| output.access).collect()
    };
    let chains = Chain::suite();
    assert_eq!(access(&chains, "new"), ["std::rc::Rc::unwrap_or_clone({})"]);
    let singles = access(&chains, "singles");
    assert_eq!((singles.len(), singles[0], singles[7]), (8, ".remove(0)", ".remove(7)"));
    assert_eq!(access(&chains, "halves")[1], ".into_iter().collect::<Vec<_>>().remove(1)");
    let without = access(&chains, "without");
    assert_eq!(without[0], ".into_iter().collect::<Vec<_>>().remove(0).1.unwrap()");
    assert_eq!(access(&chains, "me")[1], ".remove(1).clone()");
    assert_eq!(access(&chains, "count"), [""; 0]);
    let tokens = Token::suite();
    assert_eq!(access(&tokens, "new"), ["std::sync::Arc::into_inner({}).unwrap()"]);
    let second = "std::sync::Arc::into_inner({.1.unwrap()}).unwrap()";
    assert_eq!(access(&tokens, "pair")[1], second);
    let trees = Tree::suite();
    assert_eq!(access(&trees, "children")[1], ".get(1).unwrap().clone()");
    assert_eq!(access(&trees, "first_mut")[0], ".unwrap().get(0).unwrap().clone()");
}

#[test]
fn the_elements_there_are_are_given() {
    let suite = Chain::suite();
    let given = |method, links: &[u8]| {
        let (frame, outcome) = call(&suite, method, [structure(chain(links))], []);
        assert_eq!(outcome, Outcome::Returned);
        let mut given = results::<Chain>(&frame);
        assert!(given.split_off(2).iter().all(Option::is_none));
        given
    };
    assert_eq!(given("singles", &[]), [None, None]);
    assert_eq!(given("singles", &[1]), [Some(chain(&[1])), None]);
    assert_eq!(given("halves", &[1, 2, 3]), [Some(chain(&[1])), Some(chain(&[2, 3]))]);
    assert_eq!(given("without", &[1, 2]), [None, Some(chain(&[1]))]);
    let (frame, _) = call(&suite, "new", [], []);
    assert_eq!(results::<Chain>(&frame), [Some(chain(&[]))]);
    // Two arguments are nothing new.
    let pair = [structure(chain(&[1])), structure(chain(&[2]))];
    assert_eq!(results::<Chain>(&call(&suite, "me", pair, []).0), [const { None }; 8]);
    let tree = Tree { children: vec![Tree { children: vec![Tree::leaf()] }, Tree::leaf()] };
    for method in ["children", "first_mut"] {
        let (frame, _) = call(&Tree::suite(), method, [structure(tree.clone())], []);
        let given: Vec<Tree> = results(&frame).into_iter().flatten().collect();
        assert_eq!(given, tree.children);
        assert_eq!(argument::<Tree>(&frame, 0), Some(tree.clone()));
    }
}

#[test]
fn more_than_eight_are_out_of_scope() {
    let suite = Chain::suite();
    let outcome = |n| call(&suite, "singles", [structure(chain(&vec![1; n]))], []).1;
    assert_eq!((outcome(8), outcome(9)), (Outcome::Returned, Outcome::LongerList));
}

#[test]
fn what_is_held_elsewhere_and_has_no_clone_is_not_taken() {
    let suite = Token::suite();
    for keeps in [false, true] {
        let token = structure(Token { kept: RefCell::new(None) });
        let (frame, _) = call(&suite, "pair", [token], [literal(keeps)]);
        let given = frame.results.iter().map(Option::is_some);
        assert_eq!(given.collect::<Vec<_>>(), [true, !keeps]);
    }
    // As in source, where the other half of the pair is still there.
    assert!(Arc::into_inner(Token { kept: RefCell::new(None) }.twice().1).is_none());
    let token = structure(Token { kept: RefCell::new(None) });
    let (frame, _) = call(&suite, "twice", [token], []);
    assert!(frame.results.iter().all(Option::is_none));
}

/// Two elements of one list, the last of which is removed first.
#[test]
fn several_elements_of_one_list_have_a_variable_each() {
    let suite = Chain::suite();
    let method = |name| suite.find_method(name).unwrap();
    let of = |variable| Operand::Variable(Variable(variable));
    let link = |link: &str| Operand::Literal(link.to_owned());
    let statement = |name, arguments, outputs: &[(usize, usize)]| Statement {
        method: method(name),
        arguments,
        bindings: outputs
            .iter()
            .map(|&(output, variable)| Binding { output, variable: Variable(variable) })
            .collect(),
        ends: vec![],
        panics: false,
    };
    let sequence = Sequence {
        statements: vec![
            statement("new", vec![], &[(0, 0)]),
            statement("push", vec![of(0), link("1")], &[]),
            statement("push", vec![of(0), link("2")], &[]),
            statement("push", vec![of(0), link("3")], &[]),
            statement("singles", vec![of(0)], &[(0, 1), (2, 2)]),
            statement("push", vec![of(1), link("4")], &[]),
            statement("halves", vec![of(1)], &[(0, 3), (1, 4)]),
            statement("me", vec![of(2), of(4)], &[]),
        ],
        result: Some(Variable(3)),
    };
    sequence.check(&suite).unwrap();
    let (source, result) = sequence.to_source(&suite);
    let written = format!("{{\n{source}\n{result}\n}}\n");
    assert_eq!(written, include_str!("recipes/elements.rs.in"));
    let built: Chain = include!("recipes/elements.rs.in");
    assert_eq!(built, chain(&[1]));
}
