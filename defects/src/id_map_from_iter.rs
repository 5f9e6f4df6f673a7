//! `IdMap::from_iter` gives every slot of its buffer an id, whether there is a value in it or not.
//! An iterator that says how long it is leaves no such slots; one that filters does.

crate::defect! {
    old: "id-map 0.2.1",
    fixed: "id-map 0.2.2",
    claim: "RUSTSEC-2025-0050",
    what: "`from_iter` gives ids to slots without a value",
    shown: 1, "contract", "result.len() == old(values.len())", "let id_map = collect(&[beget::elements::Tracked::new(0)]);",
    own: {
        fn collect(values: &[Tracked]) -> id_map::IdMap<Tracked> {
            values.iter().filter(|_| true).cloned().collect()
        }
        beget::suite! {
            pub suite Map for id_map::IdMap<Tracked> {
                abstraction |map| -> Vec<usize> { map.ids().collect() };
                fn new() -> Self;
                #[ensures(result.len() == old(values.len()))]
                fn from_iter(values: &[Tracked]) -> id_map::IdMap<Tracked> = self::collect;
            }
        }
        pub fn run() -> Run { check!(Map, k = 2) }
    }
}
