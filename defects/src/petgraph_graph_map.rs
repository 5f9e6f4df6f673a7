//! `GraphMap::remove_node` of a directed graph forgets edges that lead to the node.

crate::defect! {
    old: "petgraph 0.5.1",
    fixed: "petgraph 0.6.0",
    claim: "petgraph's CHANGELOG, 0.6.0 (#432)",
    what: "`GraphMap::remove_node` leaves edges to the node",
    shown: 1, "invariant", "edges_have_nodes", "let _ = graph.remove_node(1);",
    own: {
        type Graph = petgraph::graphmap::DiGraphMap<u8, ()>;
        fn have_nodes(graph: &Graph) -> bool {
            graph.all_edges().all(|(from, to, _)| graph.contains_node(from) && graph.contains_node(to))
        }
        beget::suite! { pub suite Graphs for Graph {
            abstraction |graph| -> (Vec<u8>, Vec<(u8, u8)>) {
                (graph.nodes().collect(), graph.all_edges().map(|(a, b, _)| (a, b)).collect())
            };
            fn new() -> Self;
            fn add_edge(&mut self, from: u8, to: u8, weight: ()) -> Option<()>;
            fn remove_node(&mut self, node: u8) -> bool;
            #[invariant] fn edges_have_nodes(&self) -> bool = self::have_nodes;
        } }
        pub fn run() -> Run { check!(Graphs, k = 3, ints = 0..2, arrays = 4) }
    }
}
