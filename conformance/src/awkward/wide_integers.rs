//! Integers at the ends of their types.

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Wide { a: u64, b: i64, c: u128, d: i128, e: usize, f: Option<i16> }
}

impl Wide {
    pub fn new() -> Self {
        Wide { a: 0, b: 0, c: 0, d: 0, e: 0, f: None }
    }

    pub fn ends(&mut self, high: bool) {
        (self.a, self.b) = if high { (u64::MAX, i64::MAX) } else { (1 << 63, i64::MIN) };
    }

    pub fn wide_ends(&mut self, high: bool) {
        (self.c, self.d) = if high { (u128::MAX, i128::MAX) } else { (1 << 64, i128::MIN) };
    }

    pub fn halve(&mut self) {
        self.a /= 2;
        self.b /= 2;
    }

    pub fn set(&mut self, e: u8) {
        self.e = usize::MAX - usize::from(e);
        self.f = Some(-i16::from(e) * 256);
    }

    pub fn negate(&mut self) {
        self.d = self.d.wrapping_neg();
        self.c = !self.c;
        self.f = self.f.map(i16::wrapping_neg);
    }

    pub fn narrow(&mut self) {
        self.c = self.c.min(self.a.into());
    }
}

both! {
    /// Wide values.
    suite Wides "awkward::wide_integers" {
        for Wide {
            fn new() -> Self;
            fn ends(&mut self, high: bool);
            fn wide_ends(&mut self, high: bool);
            fn set(&mut self, e: u8);
            fn negate(&mut self);
            fn narrow(&mut self);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Wides, Scope { ints: vec![0, 127, 128, 255], ..Scope::of(2) })
}
