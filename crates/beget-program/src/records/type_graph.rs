//! The type graph drawn: which methods take which types, and which give them.

use beget_heap::graph::Reference;
use beget_plan::scope::Plan;
use beget_search::heuristic::{ApiEdge, ApiNode, TypeGraph};
use petgraph::dot::{Config, Dot};
use petgraph::visit::{EdgeRef, NodeIndexable};

use crate::records::svg::{BoxText, Cell, Drawing, page};

/// Writes the graph in the DOT language: types are boxes, methods ellipses.
pub fn to_dot(plan: &Plan, graph: &TypeGraph) -> String {
    let label = |_, (_, node): (_, &ApiNode)| {
        let BoxText { title, lines } = text_of(plan, graph, *node);
        let label = std::iter::once(title).chain(lines).collect::<Vec<_>>().join("\\n");
        let shape = if matches!(node, ApiNode::Type(_)) { "box" } else { "ellipse" };
        format!("shape={shape}, label=\"{}\"", label.replace('"', "\\\""))
    };
    let configuration = [Config::NodeNoLabel, Config::EdgeNoLabel];
    let no_label = |_, _| String::new();
    let dot = Dot::with_attr_getters(graph.graph(), &configuration, &no_label, &label);
    format!("{dot:?}")
}

/// Writes the graph as SVG.
pub fn to_svg(plan: &Plan, graph: &TypeGraph) -> String {
    let api = graph.graph();
    let texts: Vec<BoxText> = api.node_weights().map(|node| text_of(plan, graph, *node)).collect();
    let links: Vec<Reference> = api
        .edge_references()
        .map(|edge| Reference {
            from: api.to_index(edge.source()),
            to: api.to_index(edge.target()),
            path: match edge.weight() {
                ApiEdge::Needs(_) => String::new(),
                ApiEdge::Gives(_) => "gives".to_owned(),
            },
        })
        .collect();
    let caption = [format!("{}: types and methods", plan.suite.name)];
    page(&[Cell { drawing: Drawing::of_boxes(&texts, &links, &[]), caption: &caption }])
}

fn text_of(plan: &Plan, graph: &TypeGraph, node: ApiNode) -> BoxText {
    match node {
        ApiNode::Type(ty) => {
            BoxText { title: plan.suite.types[ty.0].name.to_owned(), lines: Vec::new() }
        }
        ApiNode::Method(idx) => {
            let line = match graph.complexity(idx) {
                Some(complexity) => format!("complexity {complexity}"),
                None => "cannot be called".to_owned(),
            };
            BoxText { title: plan.method_name(idx).to_owned(), lines: vec![line] }
        }
    }
}
