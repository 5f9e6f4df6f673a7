//! `insert_many` makes room by moving elements, then asks the iterator for others: where it panics,
//! elements are there twice. No version without it was published.

crate::defect! {
    old: "insert_many 0.1.1",
    fixed: "none",
    claim: "RUSTSEC-2021-0042",
    what: "`insert_many` drops elements twice if the iterator panics",
    shown: 1, "contract", "elements_survive_panics", "let _ = insert_cloned(&mut vec, 0, &[beget::elements::Tracked::new(0)]);",
    own: {
        fn insert_cloned(list: &mut Vec<Tracked>, index: usize, values: &[Tracked]) {
            insert_many::InsertMany::insert_many(list, index, values.iter().cloned());
        }
        beget::suite! {
            pub suite List for Vec<Tracked> {
                fn new() -> Self;
                fn insert_many(&mut self, index: usize, values: &[Tracked]) = self::insert_cloned;
            }
        }
        pub fn run() -> Run { check!(List, k = 2, misuse = (panics: ["Index out of bounds"])) }
    }
}
