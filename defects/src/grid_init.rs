//! `Grid::init` of a number of columns and no rows keeps the number of columns, so a row without
//! elements may be pushed: then the grid has a place without an element, and `get` reads it.

crate::defect! {
    old: "grid 0.8.0",
    fixed: "grid 0.8.1",
    claim: "grid #18",
    what: "`init` without rows makes a grid that counts elements it has not",
    shown: 1, "contract", "self.rows() * self.cols() == self.iter().count()", "let _ = grid.push_row(vec![]);",
    own: {
        type Grid = grid::Grid<u8>;
        beget::suite! {
            pub suite Grids for Grid {
                abstraction |grid| -> (usize, usize, Vec<u8>) {
                    (grid.rows(), grid.cols(), grid.iter().copied().collect())
                };
                fn init(rows: usize, cols: usize, data: u8) -> Grid;
                #[ensures(self.rows() * self.cols() == self.iter().count())]
                fn push_row(&mut self, row: Vec<u8>);
            }
        }
        pub fn run() -> Run { check!(Grids, k = 2, arrays = 4, misuse = (panics: ["match", "left"])) }
    }
}
