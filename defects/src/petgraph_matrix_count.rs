//! `MatrixGraph::remove_node` takes the node's edges away, and counts them as before. The fix was
//! merged in August 2026; no version with it was published when this was written.

crate::defect! {
    old: "petgraph 0.8.3",
    fixed: "none",
    claim: "petgraph #1017",
    what: "`MatrixGraph::remove_node` does not count the edges down",
    shown: 1, "invariant", "counts_edges", "let _ = remove(&mut graph);",
    own: {
        use petgraph_0_8::{matrix_graph::{DiMatrix, NodeIndex}, visit::IntoEdgeReferences};
        type Graph = DiMatrix<(), ()>;
        fn counts(graph: &Graph) -> bool { graph.edge_references().count() == graph.edge_count() }
        fn add(graph: &mut Graph) { graph.update_edge(0.into(), 1.into(), ()); }
        fn remove(graph: &mut Graph) { graph.remove_node(0.into()); }
        beget::suite! { pub suite Graphs for Graph {
            abstraction |graph| -> (usize, bool) { (graph.node_count(), graph.edge_count() > 0) };
            fn default() -> Self;
            fn add_node(&mut self, weight: ()) -> NodeIndex;
            #[requires(self.node_count() > 1)] fn update_edge(&mut self) = self::add;
            #[requires(self.node_count() > 1)] fn remove_node(&mut self) = self::remove;
            #[invariant] fn counts_edges(&self) -> bool = self::counts;
        } }
        pub fn run() -> Run { check!(Graphs, k = 2) }
    }
}
