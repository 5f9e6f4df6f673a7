//! A suite written by hand: a search tree over small integers, and plans for it.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses a part")]

use std::sync::Arc;

use beget_heap::{Bounds, ClassKey, Decoder, Field, Heap, Schema, Undecodable, Walker};
use beget_plan::scope::{Budget, CallAudits, Misuse, Plan, PlanDraft, PlannedMethod};
use beget_suite::{
    Domain, Literal, LiteralDomain, Method, MethodIdx, Outcome, Output, Param, ParamKind, Passing,
    Pools, Suite, TypeIdx, type_of,
};

/// An unbalanced binary search tree.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    root: Option<Box<Node>>,
    size: usize,
}

#[derive(Clone, Debug)]
struct Node {
    info: i32,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

impl Tree {
    pub fn new() -> Self {
        Tree::default()
    }

    pub fn insert(&mut self, info: i32) {
        let mut place = &mut self.root;
        while let Some(node) = place {
            place = match info.cmp(&node.info) {
                std::cmp::Ordering::Less => &mut node.left,
                std::cmp::Ordering::Greater => &mut node.right,
                std::cmp::Ordering::Equal => return,
            };
        }
        *place = Some(Box::new(Node { info, left: None, right: None }));
        self.size += 1;
    }

    /// Moves every element of `other` into `self`.
    pub fn absorb(&mut self, other: Tree) {
        let mut nodes: Vec<Box<Node>> = other.root.into_iter().collect();
        while let Some(mut node) = nodes.pop() {
            self.insert(node.info);
            nodes.extend(node.right.take());
            nodes.extend(node.left.take());
        }
    }

    /// Loses everything once there are `full` elements.
    pub fn spill(&mut self, full: usize) {
        if self.size >= full {
            *self = Tree::new();
        }
    }

    /// The two subtrees of the root.
    pub fn split(&self) -> (Tree, Tree) {
        let of = |root: Option<Box<Node>>| {
            fn count(node: &Option<Box<Node>>) -> usize {
                node.as_ref().map_or(0, |node| 1 + count(&node.left) + count(&node.right))
            }
            Tree { size: count(&root), root }
        };
        match self.root.clone() {
            None => (Tree::new(), Tree::new()),
            Some(node) => (of(node.left), of(node.right)),
        }
    }
}

const NODE: &[Field] = &[
    Field { name: "info", ty: "i32", skipped: false },
    Field { name: "left", ty: "Option<Box<Node>>", skipped: false },
    Field { name: "right", ty: "Option<Box<Node>>", skipped: false },
];
const TREE: &[Field] = &[
    Field { name: "root", ty: "Option<Box<Node>>", skipped: false },
    Field { name: "size", ty: "usize", skipped: false },
];

impl Heap for Node {
    fn class() -> ClassKey {
        ClassKey::new::<Self>("Node")
    }

    fn describe(schema: &mut Schema) {
        if schema.class(Self::class(), NODE) {
            <Option<Box<Node>>>::describe(schema);
        }
    }

    #[inline(always)]
    fn walk<W: Walker>(&self, walker: &mut W) {
        let class = Self::class();
        walker.begin_record(class);
        if walker.field(class, 0) {
            self.info.walk(walker);
        }
        if walker.field(class, 1) {
            self.left.walk(walker);
        }
        if walker.field(class, 2) {
            self.right.walk(walker);
        }
        walker.end_record();
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        let class = Self::class();
        Ok(Node {
            info: decoder.field(class, 0)?,
            left: decoder.field(class, 1)?,
            right: decoder.field(class, 2)?,
        })
    }
}

impl Heap for Tree {
    fn class() -> ClassKey {
        ClassKey::new::<Self>("Tree")
    }

    fn describe(schema: &mut Schema) {
        if schema.class(Self::class(), TREE) {
            <Option<Box<Node>>>::describe(schema);
        }
    }

    #[inline(always)]
    fn walk<W: Walker>(&self, walker: &mut W) {
        let class = Self::class();
        walker.begin_record(class);
        if walker.field(class, 0) {
            self.root.walk(walker);
        }
        if walker.field(class, 1) {
            self.size.walk(walker);
        }
        walker.end_record();
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        let class = Self::class();
        Ok(Tree { root: decoder.field(class, 0)?, size: decoder.field(class, 1)? })
    }
}

const OWN: TypeIdx = TypeIdx::new(0);

fn receiver(passing: Passing) -> Param {
    Param { name: "self", kind: ParamKind::Structure { ty: OWN, passing } }
}

/// The suite of [`Tree`]: constructor and insertion, then a method on two structures and one with
/// two results.
pub fn suite() -> Suite {
    let new = Method {
        name: "new",
        signature: "fn new() -> Self",
        returns: Some("Self"),
        path: "Tree::new",
        params: vec![],
        outputs: vec![Output { ty: OWN, access: "" }],
        fallible: false,
        call_observed: None,
        stand_in: None,
        call: |call| {
            call.give(Tree::new());
            Outcome::Returned
        },
    };
    let info = ParamKind::Literal { domain: LiteralDomain::of::<i32>("i32"), prefix: "" };
    let insert = Method {
        name: "insert",
        signature: "fn insert(&mut self, info: i32)",
        returns: None,
        path: "Tree::insert",
        params: vec![receiver(Passing::Mut), Param { name: "info", kind: info }],
        outputs: vec![],
        fallible: false,
        call_observed: None,
        stand_in: None,
        call: |call| {
            let info = *call.literal::<i32>(0);
            call.structure::<Tree>(0).insert(info);
            Outcome::Returned
        },
    };
    let other = ParamKind::Structure { ty: OWN, passing: Passing::Value };
    let absorb = Method {
        name: "absorb",
        signature: "fn absorb(&mut self, other: Self)",
        returns: None,
        path: "Tree::absorb",
        params: vec![receiver(Passing::Mut), Param { name: "other", kind: other }],
        outputs: vec![],
        fallible: false,
        call_observed: None,
        stand_in: None,
        call: |call| {
            let other = call.take::<Tree>(1);
            call.structure::<Tree>(0).absorb(other);
            Outcome::Returned
        },
    };
    let split = Method {
        name: "split",
        signature: "fn split(&self) -> (Self, Self)",
        returns: Some("(Self, Self)"),
        path: "Tree::split",
        params: vec![receiver(Passing::Ref)],
        outputs: vec![Output { ty: OWN, access: ".0" }, Output { ty: OWN, access: ".1" }],
        fallible: false,
        call_observed: None,
        stand_in: None,
        call: |call| {
            let (left, right) = call.structure::<Tree>(0).split();
            call.give(left);
            call.give(right);
            Outcome::Returned
        },
    };
    let clone = Some(
        (|value: &dyn std::any::Any| {
            Box::new(value.downcast_ref::<Tree>().expect("a tree").clone())
                as Box<dyn std::any::Any>
        }) as beget_suite::CloneFn,
    );
    Suite {
        name: "tree".into(),
        doc: "A search tree.",
        types: vec![type_of::<Tree>("Tree", clone)],
        methods: vec![new, insert, absorb, split],
        ..Suite::default()
    }
}

/// A plan of `n` stamps, each by one call, and a method on each pair of them, with each of
/// `n_literals` literals, that leaves them as they are.
pub fn pairs(n: u32, n_literals: usize) -> Plan {
    let stamp = |passing| ParamKind::Structure { ty: OWN, passing };
    let number = ParamKind::Literal { domain: LiteralDomain::of::<i32>("i32"), prefix: "" };
    let new = Method {
        name: "stamp",
        signature: "fn stamp(number: i32) -> Stamp",
        returns: Some("Stamp"),
        path: "stamp",
        params: vec![Param { name: "number", kind: number }],
        outputs: vec![Output { ty: OWN, access: "" }],
        fallible: false,
        call_observed: None,
        stand_in: None,
        call: |call| {
            let number = *call.literal::<i32>(0);
            call.give(number as u8);
            Outcome::Returned
        },
    };
    let look = Method {
        name: "look",
        signature: "fn look(&self, other: &Self, number: i32)",
        returns: None,
        path: "Stamp::look",
        params: vec![
            Param { name: "self", kind: stamp(Passing::Ref) },
            Param { name: "other", kind: stamp(Passing::Ref) },
            Param { name: "number", kind: number },
        ],
        outputs: vec![],
        call: |_| Outcome::Returned,
        ..new.clone()
    };
    let suite = Suite {
        name: "stamps".into(),
        types: vec![type_of::<u8>("Stamp", None)],
        methods: vec![new, look],
        ..Suite::default()
    };
    plan(suite, &["stamp", "look"], n).with(|draft| {
        let literals = &mut draft.methods[1].domains[0];
        let last = literals[literals.len() - 1].clone();
        literals.resize(n_literals, last);
    })
}

/// A plan of some methods of `suite` with at most `k` nodes and the literals `0..k`.
pub fn plan(suite: Suite, methods: &[&str], k: u32) -> Plan {
    let suite = Arc::new(suite);
    let bounds = Bounds::uniform(k);
    let pools = Pools { ints: Some((0..i128::from(k)).collect()), ..Pools::default() };
    let planned = |(idx, method): (MethodIdx, &Method)| PlannedMethod {
        method: idx,
        structures: method.structure_params().map(|(ty, _)| ty).collect(),
        domains: method
            .literal_params()
            .map(|(_, domain)| (domain.literals)(&pools).expect("literals"))
            .collect::<Vec<Vec<Literal>>>(),
    };
    let in_use = suite
        .method_idxs()
        .zip(&suite.methods)
        .filter(|(_, method)| methods.contains(&method.name));
    let methods = in_use.map(planned).collect();
    let draft = PlanDraft {
        k,
        methods,
        bounds,
        derived_ints: None,
        doubts: Arc::default(),
        follows_panics: false,
        ends_at_failure: false,
        audits: CallAudits::default(),
        probe: 0,
        misuse: Misuse::default(),
        slack: None,
        budget: Budget::default(),
        suite,
    };
    draft.freeze()
}

/// Every value of `T` for a scope of integers below `k`.
pub fn literals<T: Domain>(k: i128) -> Vec<T> {
    T::values(&Pools { ints: Some((0..k).collect()), ..Pools::default() }).expect("literals")
}
