//! Integers of 128 bits at their ends, in options, arrays and keys.

use std::collections::BTreeMap;

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Sum { low: u128, high: Option<i128>, both: [i128; 2], by_key: BTreeMap<i128, u128> }
}

impl Sum {
    pub fn new(low: u128, high: i128) -> Self {
        Sum { low, high: None, both: [high, high.wrapping_neg()], by_key: BTreeMap::new() }
    }

    pub fn turn(&mut self) {
        self.low = self.low.rotate_left(64);
        self.both.swap(0, 1);
    }

    pub fn negate(&mut self) {
        self.low = !self.low;
        self.high = Some(self.both[0].wrapping_mul(-1));
    }

    pub fn end(&mut self) {
        self.both[1] = i128::MIN;
        self.low = u128::MAX;
    }

    pub fn keep(&mut self) {
        self.by_key.insert(self.both[0], self.low);
    }
}

both! {
    /// Sums.
    suite Sums "awkward::widest_integers" {
        for Sum {
            fn new(low: u128, high: i128) -> Self;
            fn turn(&mut self);
            fn negate(&mut self);
            fn end(&mut self);
            fn keep(&mut self);
        }
    }
}

pub fn case() -> Case {
    let ints = vec![0, 1, i128::from(u64::MAX)];
    crate::case!(Sums, Scope { ints, arrays: 1, ..Scope::of(1) })
}
