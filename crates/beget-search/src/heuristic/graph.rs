//! The type graph of a plan: the types that each method needs, and those that it gives.
//!
//! It is the paper's parameter graph (Kuperberg and Omri, section 2). Rust has no subtypes, so a
//! type is obtained from the methods that give it: constructors, and others.

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

/// The meaning of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApiEdge {
    /// From a type to a method: the parameter of that number takes it.
    Needs(usize),
    /// From a method to a type: the output of that number has it.
    Gives(usize),
}

/// The types and methods of a plan, and the complexity of calling each method.
#[derive(Clone, Debug)]
pub struct TypeGraph {
    graph: DiGraph<ApiNode, ApiEdge>,
    /// By method of the plan; `None` if it cannot be called.
    complexities: Vec<Option<u64>>,
}

/// The weight of a literal in a signature, and of a structure.
const LITERAL: u64 = 1;
const STRUCTURE: u64 = 2;

impl TypeGraph {
    /// The graph of a plan.
    pub fn of(plan: &Plan) -> Self {
        let mut graph = DiGraph::new();
        let types: Vec<NodeIndex> = (0..plan.suite.types.len())
            .map(|number| graph.add_node(ApiNode::Type(TypeIdx::new(number))))
            .collect();
        for idx in plan.planned_idxs() {
            let node = graph.add_node(ApiNode::Method(idx));
            let method = plan.method(idx);
            for (number, (ty, _)) in method.structure_params().enumerate() {
                graph.add_edge(types[ty.index()], node, ApiEdge::Needs(number));
            }
            for (number, output) in method.outputs.iter().enumerate() {
                graph.add_edge(node, types[output.ty.index()], ApiEdge::Gives(number));
            }
        }
        TypeGraph { complexities: complexities(plan), graph }
    }

    /// The graph: types, then methods, each in the order of the suite.
    pub fn graph(&self) -> &DiGraph<ApiNode, ApiEdge> {
        &self.graph
    }

    /// The complexity of calling a method: the weights of its parameters, and for each structure
    /// the complexity of the simplest method that gives one. `None` if no sequence of calls gives
    /// its arguments.
    pub fn complexity(&self, method: PlannedIdx) -> Option<u64> {
        self.complexities[method.index()]
    }

    /// The callable methods, the simplest first: a method that gives a structure comes before those
    /// that take it.
    pub fn order(&self) -> Vec<PlannedIdx> {
        let methods = (0..self.complexities.len()).map(PlannedIdx::new);
        let mut order: Vec<_> =
            methods.filter_map(|idx| Some((self.complexity(idx)?, idx))).collect();
        order.sort_unstable();
        order.into_iter().map(|(_, idx)| idx).collect()
    }
}

/// The complexities of the methods: the least consistent ones.
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
