//! `TooDee::insert_row` makes room by moving elements, then asks the iterator for others: where it
//! panics, elements are there twice.

crate::defect! {
    old: "toodee 0.2.4",
    fixed: "toodee 0.3.0",
    claim: "RUSTSEC-2021-0028",
    what: "`insert_row` drops elements twice if the iterator panics",
    shown: 1, "contract", "elements_survive_panics", "let _ = insert_cloned(&mut table, 0, &[beget::elements::Tracked::new(0)]);",
    own: {
        type Table = toodee::TooDee<Tracked>;
        fn insert_cloned(table: &mut Table, index: usize, row: &[Tracked]) {
            table.insert_row(index, row.iter().cloned());
        }
        beget::suite! {
            pub suite Tables for Table {
                abstraction |table| -> (usize, Vec<Tracked>) {
                    (toodee::TooDeeOps::num_cols(table), table.data().to_vec())
                };
                fn default() -> Self;
                fn insert_row(&mut self, index: usize, row: &[Tracked]) = self::insert_cloned;
            }
        }
        pub fn run() -> Run { check!(Tables, k = 2, misuse = (panics: ["assertion"])) }
    }
}
