//! The type graph drawn: which methods take which types, and which give them.

use beget_plan::scope::Plan;
use beget_search::heuristic::{ApiEdge, ApiNode, TypeGraph};
use petgraph::dot::{Config, Dot};
use petgraph::visit::{EdgeRef, NodeIndexable};

use crate::records::diagram::{BoxText, Diagram};
use crate::records::layout::BoxLink;
use crate::records::svg::{Cell, Drawing, page};

/// Writes the graph in the DOT language: types are boxes, methods ellipses.
pub fn to_dot(plan: &Plan, graph: &TypeGraph) -> String {
    let label = |_, (_, node): (_, &ApiNode)| {
        let (title, line) = text_of(plan, graph, *node);
        let label = std::iter::once(title).chain(line).collect::<Vec<_>>().join("\\n");
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
    let text = |node: &ApiNode| {
        let (title, line) = text_of(plan, graph, *node);
        BoxText::new(title, line.into_iter().collect())
    };
    let boxes: Vec<BoxText> = api.node_weights().map(text).collect();
    let links: Vec<BoxLink> = api
        .edge_references()
        .map(|edge| BoxLink {
            from: api.to_index(edge.source()),
            to: api.to_index(edge.target()),
            port: None,
            is_changed: false,
            label: match edge.weight() {
                ApiEdge::Needs(_) => String::new(),
                ApiEdge::Gives(_) => "gives".to_owned(),
            },
        })
        .collect();
    let caption = [format!("{}: types and methods", plan.suite.name)];
    page(&[Cell { drawing: Drawing::of(&Diagram { boxes, links }, &[]), caption: &caption }])
}

/// The name of a node, and a line about it.
fn text_of(plan: &Plan, graph: &TypeGraph, node: ApiNode) -> (String, Option<String>) {
    match node {
        ApiNode::Type(ty) => (plan.suite.types[ty.index()].name.to_owned(), None),
        ApiNode::Method(idx) => {
            let line = match graph.complexity(idx) {
                Some(complexity) => format!("complexity {complexity}"),
                None => "cannot be called".to_owned(),
            };
            (plan.method_name(idx).to_owned(), Some(line))
        }
    }
}
