//! `MatrixGraph` loses edges where the matrix grows: it moves the rows to the wrong places.

crate::defect! {
    old: "petgraph 0.5.1",
    fixed: "petgraph 0.6.0",
    claim: "petgraph #425",
    what: "`MatrixGraph` loses edges where it grows",
    shown: 1, "invariant", "has_its_edges", "let _ = add(&mut graph, 0, 4);",
    own: {
        use petgraph::{matrix_graph::DiMatrix, visit::IntoEdgeReferences};
        type Graph = DiMatrix<(), ()>;
        fn has_all(graph: &Graph) -> bool { graph.edge_references().count() == graph.edge_count() }
        fn new() -> Graph { (0..8).fold(DiMatrix::default(), |mut all, _| { all.add_node(()); all }) }
        fn add(graph: &mut Graph, from: u16, to: u16) { graph.update_edge(from.into(), to.into(), ()); }
        beget::suite! { pub suite Graphs for Graph {
            abstraction |graph| -> Vec<(usize, usize)> {
                graph.edge_references().map(|(a, b, _)| (a.index(), b.index())).collect()
            };
            fn new() -> Graph = self::new;
            fn update_edge(&mut self, from: u16, to: u16) = self::add;
            #[invariant] fn has_its_edges(&self) -> bool = self::has_all;
        } }
        pub fn run() -> Run { check!(Graphs, k = 2, ints = 0..8) }
    }
}
