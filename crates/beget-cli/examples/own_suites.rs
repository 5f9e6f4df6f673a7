//! A command line for suites of one's own. The tests of this crate run it.
//!
//! ```text
//! cargo run --example own_suites -- generate crates/beget-cli/tests/scopes/tree.ron -k 3
//! ```

use std::any::Any;
use std::process::ExitCode;

use beget::Heap;
use beget_suite::{
    Domain, LiteralDomain, Method, Outcome, Output, Param, ParamKind, Passing, Suite, TypeIdx,
    type_of,
};

// The types below keep no state outside their values, which is what this promises.
beget_alloc::install!(unsafe);

fn main() -> ExitCode {
    beget_cli::main(vec![tree_suite(), counter_suite()])
}

/// An unbalanced binary search tree.
#[derive(Clone, Debug, Default, Heap)]
struct Tree {
    root: Option<Box<Node>>,
    size: usize,
}

#[derive(Clone, Debug, Heap)]
struct Node {
    info: i32,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

impl Tree {
    fn new() -> Self {
        Tree::default()
    }

    fn insert(&mut self, info: i32) {
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
    fn absorb(&mut self, other: Tree) {
        let mut nodes: Vec<Box<Node>> = other.root.into_iter().collect();
        while let Some(mut node) = nodes.pop() {
            self.insert(node.info);
            nodes.extend(node.right.take());
            nodes.extend(node.left.take());
        }
    }

    /// The least element.
    fn min(&self) -> i32 {
        let mut node = self.root.as_ref().expect("the tree is empty");
        while let Some(left) = &node.left {
            node = left;
        }
        node.info
    }
}

/// Counts without end.
#[derive(Clone, Debug, Default, Heap)]
struct Counter {
    value: u64,
}

impl Counter {
    fn new() -> Self {
        Counter::default()
    }

    fn increment(&mut self) {
        self.value += 1;
    }
}

const MAIN_TYPE: TypeIdx = TypeIdx(0);

fn tree_suite() -> Suite {
    let info = Param { name: "info", kind: literal::<i32>("i32") };
    let other = Param { name: "other", kind: structure(Passing::Value) };
    let constructor = method("new", "fn new() -> Self", "Tree::new", vec![], |call| {
        call.give(Tree::new());
        Outcome::Returned
    });
    let insert = method(
        "insert",
        "fn insert(&mut self, info: i32)",
        "Tree::insert",
        vec![receiver(Passing::Mut), info],
        |call| {
            let info = *call.literal::<i32>(0);
            call.structure::<Tree>(0).insert(info);
            Outcome::Returned
        },
    );
    let absorb = method(
        "absorb",
        "fn absorb(&mut self, other: Tree)",
        "Tree::absorb",
        vec![receiver(Passing::Mut), other],
        |call| {
            let other = call.take::<Tree>(1);
            call.structure::<Tree>(0).absorb(other);
            Outcome::Returned
        },
    );
    let min =
        method("min", "fn min(&self) -> i32", "Tree::min", vec![receiver(Passing::Ref)], |call| {
            call.structure::<Tree>(0).min();
            Outcome::Returned
        });
    Suite {
        name: "tree".into(),
        doc: "An unbalanced binary search tree. Its `min` panics on the empty tree.",
        types: vec![type_of::<Tree>("Tree", Some(clone_of::<Tree>))],
        methods: vec![constructor, insert, absorb, min],
    }
}

fn counter_suite() -> Suite {
    let constructor = method("new", "fn new() -> Self", "Counter::new", vec![], |call| {
        call.give(Counter::new());
        Outcome::Returned
    });
    let increment = method(
        "increment",
        "fn increment(&mut self)",
        "Counter::increment",
        vec![receiver(Passing::Mut)],
        |call| {
            call.structure::<Counter>(0).increment();
            Outcome::Returned
        },
    );
    Suite {
        name: "counter".into(),
        doc: "A counter without a bound: its run ends by a budget only.",
        types: vec![type_of::<Counter>("Counter", Some(clone_of::<Counter>))],
        methods: vec![constructor, increment],
    }
}

/// A method; one without structure parameters is a constructor.
fn method(
    name: &'static str,
    signature: &'static str,
    path: &'static str,
    params: Vec<Param>,
    call: fn(&mut beget_suite::Call<'_>) -> Outcome,
) -> Method {
    let is_constructor = params.is_empty();
    let outputs = is_constructor.then_some(Output { ty: MAIN_TYPE, access: "" });
    let outputs = outputs.into_iter().collect();
    Method { name, signature, path, params, outputs, fallible: false, call }
}

fn receiver(passing: Passing) -> Param {
    Param { name: "self", kind: structure(passing) }
}

fn structure(passing: Passing) -> ParamKind {
    ParamKind::Structure { ty: MAIN_TYPE, passing }
}

fn literal<T: Domain>(ty: &'static str) -> ParamKind {
    ParamKind::Literal { domain: LiteralDomain::of::<T>(ty), prefix: "" }
}

fn clone_of<T: Clone + 'static>(value: &dyn Any) -> Box<dyn Any> {
    Box::new(value.downcast_ref::<T>().expect("a value of the suite's type").clone())
}
