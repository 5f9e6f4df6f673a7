//! `KdTree::remove` does not find points that the split of a full bucket has put on the wrong side.
//! A bucket has 32 points.

crate::deep_defect! {
    old: "kiddo 2.0.1",
    fixed: "kiddo 2.0.2",
    claim: "kiddo #28",
    what: "`remove` misses points after a bucket was split",
    shown: "*result == old(count(self, x, y))", 35,
    own: {
        type Tree = kiddo_2::KdTree<f64, 2>;
        fn at(x: u8, y: u8) -> [f64; 2] { [x.into(), y.into()] }
        fn name(x: u8, y: u8) -> usize { usize::from(x) * 256 + usize::from(y) }
        fn all(tree: &Tree) -> Vec<usize> {
            let all = tree.within_unsorted(&at(0, 0), 1e9, &kiddo_2::distance::squared_euclidean);
            all.iter().map(|one| one.item).collect()
        }
        fn count(tree: &Tree, x: u8, y: u8) -> usize {
            all(tree).iter().filter(|item| **item == name(x, y)).count()
        }
        fn add(tree: &mut Tree, x: u8, y: u8) { tree.add(&at(x, y), name(x, y)); }
        fn remove(tree: &mut Tree, x: u8, y: u8) -> usize { tree.remove(&at(x, y), name(x, y)) }
        beget::suite! { pub suite Trees for Tree {
            abstraction |tree| -> Vec<[u8; 2]> {
                all(tree).iter().map(|item| [(item / 256) as u8, *item as u8]).collect()
            };
            fn new() -> Self;
            fn add(&mut self, x: u8, y: u8) = self::add;
            #[ensures(*result == old(count(self, x, y)))]
            fn remove(&mut self, x: u8, y: u8) -> usize = self::remove;
        } }
        pub fn random() -> Run {
            random!(Trees, calls = 20000, k = 100, ints = 0..20, misuse = (panics: ["Too many items"]))
        }
        pub fn exhaustive() -> Run { check!(Trees, k = 4, ints = 0..3) }
    }
}
