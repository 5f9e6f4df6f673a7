//! Calls that differ in their literals only: what is left differs in integers, some equal to
//! others, some in order.

use std::collections::BTreeMap;

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Grid { cells: [[i16; 2]; 2], wide: u64, sizes: BTreeMap<u8, u32>, flag: Option<i8>, rows: Vec<(u8, Option<i32>)> }
}

impl Grid {
    pub fn new() -> Self {
        Grid { cells: [[0; 2]; 2], wide: 0, sizes: BTreeMap::new(), flag: None, rows: Vec::new() }
    }

    pub fn set(&mut self, value: i16) {
        self.cells[1][0] = value;
        self.cells[0][1] = -value;
    }

    pub fn widen(&mut self, value: u32) {
        self.wide = u64::from(value) << 32 | u64::from(value);
    }

    pub fn size(&mut self, key: u8) {
        self.sizes.clear();
        self.sizes.insert(key % 4, key.into());
    }

    pub fn flag(&mut self, value: i8) {
        self.flag = Some(value % 3);
        self.wide = 0;
    }

    pub fn row(&mut self, value: i32) {
        self.rows = vec![(value as u8, Some(value)), (0, (value > 2).then_some(value))];
    }
}

both! {
    /// Grids.
    suite Grids "awkward::integers_in_place" {
        for Grid {
            fn new() -> Self;
            fn set(&mut self, value: i16);
            fn widen(&mut self, value: u32);
            fn size(&mut self, key: u8);
            fn flag(&mut self, value: i8);
            fn row(&mut self, value: i32);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Grids, Scope { ints: vec![0, 1, 2, 100], ..Scope::of(2) })
}
