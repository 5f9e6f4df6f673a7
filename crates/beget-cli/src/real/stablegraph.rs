//! A directed graph whose indices stay valid after removals: [`StableDiGraph`] of `petgraph`.
//!
//! Its state is the set of nodes and the ends of each edge, both by index. The state leaves out the
//! order in which vacant indices are reused and the order of a node's edges.

pub use petgraph::Direction;
pub use petgraph::stable_graph::{EdgeIndex, NodeIndex, StableDiGraph};
use petgraph::visit::NodeIndexable;

/// Operations that take an index or a closure: here the index is a number, and the closure is
/// fixed.
pub trait More {
    /// Calls `add_edge`.
    fn connect(&mut self, from: usize, to: usize) -> usize;
    /// Calls `try_add_edge`.
    fn try_connect(&mut self, from: usize, to: usize) -> Option<usize>;
    /// Calls `update_edge`.
    fn connect_once(&mut self, from: usize, to: usize) -> usize;
    /// Calls `remove_node`.
    fn remove_node_at(&mut self, node: usize) -> bool;
    /// Calls `remove_edge`.
    fn remove_edge_at(&mut self, edge: usize) -> bool;
    /// Calls `retain_nodes` to keep the nodes that have an outgoing edge.
    fn retain_sources(&mut self);
    /// Calls `retain_edges` to keep the edges that are not loops.
    fn retain_no_loops(&mut self);
    /// Calls `extend_with_edges` with one edge, which adds missing ends.
    fn extend_by(&mut self, from: usize, to: usize);
    /// Calls `contains_node`.
    fn has_node(&self, node: usize) -> bool;
    /// Calls `contains_edge`.
    fn has_edge(&self, from: usize, to: usize) -> bool;
    /// Calls `find_edge`.
    fn find(&self, from: usize, to: usize) -> Option<usize>;
    /// Calls `find_edge_undirected`.
    fn find_undirected(&self, from: usize, to: usize) -> Option<usize>;
    /// Calls `edge_endpoints`.
    fn ends(&self, edge: usize) -> Option<(usize, usize)>;
    /// Counts `neighbors`.
    fn count_neighbors(&self, node: usize) -> usize;
    /// Counts `neighbors_undirected`.
    fn count_neighbors_undirected(&self, node: usize) -> usize;
    /// Counts the `externals` without incoming edges.
    fn count_sources(&self) -> usize;
    /// Calls `node_weight`.
    fn node_weight_at(&self, node: usize) -> Option<()>;
    /// Calls `edge_weight`.
    fn edge_weight_at(&self, edge: usize) -> Option<()>;
}

impl More for StableDiGraph<(), ()> {
    fn connect(&mut self, from: usize, to: usize) -> usize {
        self.add_edge(NodeIndex::new(from), NodeIndex::new(to), ()).index()
    }

    fn try_connect(&mut self, from: usize, to: usize) -> Option<usize> {
        let edge = self.try_add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
        edge.ok().map(EdgeIndex::index)
    }

    fn connect_once(&mut self, from: usize, to: usize) -> usize {
        self.update_edge(NodeIndex::new(from), NodeIndex::new(to), ()).index()
    }

    fn remove_node_at(&mut self, node: usize) -> bool {
        self.remove_node(NodeIndex::new(node)).is_some()
    }

    fn remove_edge_at(&mut self, edge: usize) -> bool {
        self.remove_edge(EdgeIndex::new(edge)).is_some()
    }

    fn retain_sources(&mut self) {
        self.retain_nodes(|graph, node| graph.neighbors(node).next().is_some());
    }

    fn retain_no_loops(&mut self) {
        self.retain_edges(|graph, edge| graph.edge_endpoints(edge).is_some_and(|(a, b)| a != b));
    }

    fn extend_by(&mut self, from: usize, to: usize) {
        self.extend_with_edges([(NodeIndex::new(from), NodeIndex::new(to))]);
    }

    fn has_node(&self, node: usize) -> bool {
        self.contains_node(NodeIndex::new(node))
    }

    fn has_edge(&self, from: usize, to: usize) -> bool {
        self.contains_edge(NodeIndex::new(from), NodeIndex::new(to))
    }

    fn find(&self, from: usize, to: usize) -> Option<usize> {
        self.find_edge(NodeIndex::new(from), NodeIndex::new(to)).map(EdgeIndex::index)
    }

    fn find_undirected(&self, from: usize, to: usize) -> Option<usize> {
        let found = self.find_edge_undirected(NodeIndex::new(from), NodeIndex::new(to));
        found.map(|(edge, _)| edge.index())
    }

    fn ends(&self, edge: usize) -> Option<(usize, usize)> {
        let ends = self.edge_endpoints(EdgeIndex::new(edge));
        ends.map(|(from, to)| (from.index(), to.index()))
    }

    fn count_neighbors(&self, node: usize) -> usize {
        self.neighbors(NodeIndex::new(node)).count()
    }

    fn count_neighbors_undirected(&self, node: usize) -> usize {
        self.neighbors_undirected(NodeIndex::new(node)).count()
    }

    fn count_sources(&self) -> usize {
        self.externals(Direction::Incoming).count()
    }

    fn node_weight_at(&self, node: usize) -> Option<()> {
        self.node_weight(NodeIndex::new(node)).copied()
    }

    fn edge_weight_at(&self, edge: usize) -> Option<()> {
        self.edge_weight(EdgeIndex::new(edge)).copied()
    }
}

/// Returns the ends of the edges by index, up to the last edge.
fn edges(graph: &StableDiGraph<(), ()>) -> Vec<Option<(usize, usize)>> {
    let n_slots = graph.edge_indices().map(|edge| edge.index() + 1).max().unwrap_or(0);
    (0..n_slots).map(|edge| graph.ends(edge)).collect()
}

beget::suite! {
    /// A directed graph without weights whose indices stay valid after removals.
    #[name = "real::stablegraph"]
    pub suite Stablegraph for StableDiGraph<(), ()> {
        abstraction |graph| -> (Vec<bool>, Vec<Option<(usize, usize)>>) {
            let nodes = (0..graph.node_bound()).map(|node| graph.has_node(node));
            (nodes.collect(), self::edges(graph))
        };
        fn new() -> Self;
        fn with_capacity(nodes: usize, edges: usize) -> Self;
        fn add_node(&mut self, weight: ()) -> NodeIndex;
        fn connect(&mut self, from: usize, to: usize) -> usize;
        fn try_connect(&mut self, from: usize, to: usize) -> Option<usize>;
        fn connect_once(&mut self, from: usize, to: usize) -> usize;
        fn remove_node_at(&mut self, node: usize) -> bool;
        fn remove_edge_at(&mut self, edge: usize) -> bool;
        fn retain_sources(&mut self);
        fn retain_no_loops(&mut self);
        fn extend_by(&mut self, from: usize, to: usize);
        fn reverse(&mut self);
        fn clear(&mut self);
        fn clear_edges(&mut self);
        fn clone(&self) -> Self;
        fn has_node(&self, node: usize) -> bool;
        fn has_edge(&self, from: usize, to: usize) -> bool;
        fn find(&self, from: usize, to: usize) -> Option<usize>;
        fn find_undirected(&self, from: usize, to: usize) -> Option<usize>;
        fn ends(&self, edge: usize) -> Option<(usize, usize)>;
        fn count_neighbors(&self, node: usize) -> usize;
        fn count_neighbors_undirected(&self, node: usize) -> usize;
        fn count_sources(&self) -> usize;
        fn node_weight_at(&self, node: usize) -> Option<()>;
        fn edge_weight_at(&self, edge: usize) -> Option<()>;
        fn node_count(&self) -> usize;
        fn edge_count(&self) -> usize;
        fn is_directed(&self) -> bool;
    }
}
