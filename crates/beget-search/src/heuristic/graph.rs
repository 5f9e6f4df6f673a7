//! The type graph of a plan: which methods need which types, and which give them.
//!
//! The paper's parameter graph (Kuperberg and Omri, section 2). There are no subtypes in Rust, so
//! a type's way to be had are the methods that give it: constructors, and others.

use std::collections::BTreeMap;

use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::TypeIdx;
use petgraph::graph::{DiGraph, NodeIndex};

/// A node of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ApiNode {
    /// A type.
    Type(TypeIdx),
    /// A method.
    Method(PlannedIdx),
}

/// Why there is an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApiEdge {
    /// From a type to a method: its parameter of that number takes it.
    Needs(usize),
    /// From a method to a type: its output of that number is one.
    Gives(usize),
}

/// The types and methods of a plan, and what it takes to call each method.
#[derive(Clone, Debug)]
pub struct TypeGraph {
    graph: DiGraph<ApiNode, ApiEdge>,
    /// By method of the plan; none if there is no way to call it.
    complexities: Vec<Option<u64>>,
}

/// What a literal weighs in a signature, and a structure.
const LITERAL: u64 = 1;
const STRUCTURE: u64 = 2;

impl TypeGraph {
    /// The graph of a plan.
    pub fn of(plan: &Plan) -> Self {
        let mut graph = DiGraph::new();
        let types: Vec<NodeIndex> = (0..plan.suite.types.len())
            .map(|number| graph.add_node(ApiNode::Type(TypeIdx(number))))
            .collect();
        for idx in plan.planned_idxs() {
            let node = graph.add_node(ApiNode::Method(idx));
            let method = plan.method(idx);
            for (number, (ty, _)) in method.structure_params().enumerate() {
                graph.add_edge(types[ty.0], node, ApiEdge::Needs(number));
            }
            for (number, output) in method.outputs.iter().enumerate() {
                graph.add_edge(node, types[output.ty.0], ApiEdge::Gives(number));
            }
        }
        TypeGraph { complexities: complexities(plan), graph }
    }

    /// The graph: types, then methods, each in the order of the suite.
    pub fn graph(&self) -> &DiGraph<ApiNode, ApiEdge> {
        &self.graph
    }

    /// What it takes to call a method: the weights of its parameters, and for each structure what
    /// the simplest method takes that gives one. `None`: no sequence of calls gives what it takes.
    pub fn complexity(&self, method: PlannedIdx) -> Option<u64> {
        self.complexities[method.index()]
    }

    /// The methods that can be called, the simplest first: what gives a structure comes before what
    /// takes it.
    pub fn order(&self) -> Vec<PlannedIdx> {
        let methods = (0..self.complexities.len()).map(PlannedIdx::new);
        let mut order: Vec<_> =
            methods.filter_map(|idx| Some((self.complexity(idx)?, idx))).collect();
        order.sort_unstable();
        order.into_iter().map(|(_, idx)| idx).collect()
    }
}

/// The complexities of the methods: the least ones that fit each other.
fn complexities(plan: &Plan) -> Vec<Option<u64>> {
    let mut simplest: BTreeMap<TypeIdx, u64> = BTreeMap::new();
    loop {
        let complexity = |idx: PlannedIdx| {
            let method = plan.method(idx);
            let literals = method.literal_params().count() as u64 * LITERAL;
            let structures = method
                .structure_params()
                .map(|(ty, _)| simplest.get(&ty).map(|simplest| STRUCTURE + simplest));
            structures.sum::<Option<u64>>().map(|structures| literals + structures)
        };
        let complexities: Vec<Option<u64>> = plan.planned_idxs().map(complexity).collect();
        let before = simplest.clone();
        for (idx, complexity) in plan.planned_idxs().zip(&complexities) {
            let Some(complexity) = *complexity else { continue };
            for output in &plan.method(idx).outputs {
                let known = simplest.entry(output.ty).or_insert(complexity);
                *known = complexity.min(*known);
            }
        }
        if simplest == before {
            return complexities;
        }
    }
}
