//! `KdTree::nearest_one` does not look into all nodes that may have the nearest point. A node has
//! 16 points.

crate::deep_defect! {
    old: "kiddo 0.2.3",
    fixed: "kiddo 0.2.4",
    claim: "kiddo_v1 #23",
    what: "`nearest_one` misses the nearest point where the tree has more than one node",
    shown: "*result == nearest(self, x, y)", 19,
    own: {
        type Tree = kiddo::KdTree<f64, [u8; 2], 2>;
        use kiddo::distance::squared_euclidean as metric;
        fn at(x: u8, y: u8) -> [f64; 2] { [x.into(), y.into()] }
        fn add(tree: &mut Tree, x: u8, y: u8) { tree.add(&at(x, y), [x, y]).unwrap(); }
        fn all(tree: &Tree, x: u8, y: u8) -> Vec<(f64, &[u8; 2])> {
            tree.within_unsorted(&at(x, y), 1e9, &metric).unwrap_or_default()
        }
        fn nearest(tree: &Tree, x: u8, y: u8) -> Option<f64> {
            all(tree, x, y).iter().map(|one| one.0).min_by(f64::total_cmp)
        }
        fn nearest_one(tree: &Tree, x: u8, y: u8) -> Option<f64> {
            tree.nearest_one(&at(x, y), &metric).ok().map(|(distance, _)| distance)
        }
        beget::suite! { pub suite Trees for Tree {
            abstraction |tree| -> Vec<[u8; 2]> { all(tree, 0, 0).iter().map(|one| *one.1).collect() };
            fn new() -> Self;
            fn add(&mut self, x: u8, y: u8) = self::add;
            #[ensures(*result == nearest(self, x, y))]
            fn nearest_one(&self, x: u8, y: u8) -> Option<f64> = self::nearest_one;
        } }
        pub fn random() -> Run { random!(Trees, calls = 20000, k = 100, ints = 0..20) }
        pub fn exhaustive() -> Run { check!(Trees, k = 4, ints = 0..3) }
    }
}
