//! Floating-point numbers: zeros of both signs, infinities, and what is no number.

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Point { x: f64, y: f32 }
}

impl Point {
    pub fn new(x: f64) -> Self {
        Point { x, y: 0.0 }
    }

    pub fn lift(&mut self, y: f32) {
        self.y = y;
    }

    pub fn scale(&mut self, by: f64) {
        self.x *= by;
    }

    pub fn turn(&mut self) {
        let x = self.x;
        self.x = f64::from(-self.y);
        self.y = x as f32;
    }
}

both! {
    /// Points.
    suite Points "awkward::floats" {
        for Point {
            fn new(x: f64) -> Self;
            fn lift(&mut self, y: f32);
            fn scale(&mut self, by: f64);
            fn turn(&mut self);
        }
    }
}

pub fn case() -> Case {
    let floats = vec![0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    crate::case!(Points, Scope { floats, ..Scope::of(1) })
}
