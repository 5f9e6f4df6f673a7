//! `StableGraph::extend_with_edges` counts the nodes to know whether there are enough of them:
//! after one was removed, those that it adds may not be those that it needs.

crate::defect! {
    old: "petgraph 0.5.1",
    fixed: "petgraph 0.6.0",
    claim: "petgraph's CHANGELOG, 0.6.0 (#415)",
    what: "`StableGraph::extend_with_edges` panics after a node was removed",
    shown: 1, "panic", "", "let _ = extend(&mut graph, 0, 0);",
    own: {
        type Graph = petgraph::stable_graph::StableGraph<(), (), petgraph::Directed, u32>;
        fn extend(graph: &mut Graph, from: u32, to: u32) { graph.extend_with_edges([(from, to)]); }
        fn remove(graph: &mut Graph, node: u32) { graph.remove_node(node.into()); }
        beget::suite! {
            pub suite Graphs for Graph {
                abstraction |graph| -> (Vec<usize>, usize) {
                    (graph.node_indices().map(|node| node.index()).collect(), graph.edge_count())
                };
                fn default() -> Self;
                fn extend_with_edges(&mut self, from: u32, to: u32) = self::extend;
                fn remove_node(&mut self, node: u32) = self::remove;
            }
        }
        pub fn run() -> Run { check!(Graphs, k = 2) }
    }
}
