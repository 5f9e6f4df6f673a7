//! A program that finds the kind of a triangle from its three sides.
//!
//! It is the program of DeMillo and Offutt (IEEE TSE 1991). Michael, McGraw and Schatz compare
//! generators on it (IEEE TSE 2001), and Andrews, Li and Menzies do so later (Nighthawk, ASE 2007).
//! Random integers rarely give equal sides. The program is a function, so the type is empty.

use beget::{Heap, HeapView};
use beget_process::coverage::marks;

marks! {
    /// Each condition has two points: one for false and one for true.
    pub static MARKS: 34 points, 1, in "triangle.rs";
}

/// The empty type that owns the function.
#[derive(Clone, Debug, Default, Heap, HeapView)]
pub struct Triangle {}

#[beget::api(name = "paper::triangle")]
impl Triangle {
    /// Creates the only value.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns 1 for three different sides, 2 for two equal ones, 3 for three, 4 for no triangle.
    pub fn classify(a: i32, b: i32, c: i32) -> u8 {
        let [a, b, c] = [a, b, c].map(i64::from);
        if seen(0, a <= 0) || seen(1, b <= 0) || seen(2, c <= 0) {
            // points 0, 1, 2, 3, 4, 5
            return 4;
        }
        let mut equal = 0;
        for (condition, (one, other)) in [(3, (a, b)), (4, (a, c)), (5, (b, c))] {
            if seen(condition, one == other) {
                // points 6, 7, 8, 9, 10, 11
                equal += condition - 2;
            }
        }
        if seen(6, equal == 0) {
            // points 12, 13
            let is_none = seen(7, a + b <= c) || seen(8, b + c <= a) || seen(9, a + c <= b); // points 14, 15, 16, 17, 18, 19
            return if is_none { 4 } else { 1 };
        }
        if seen(10, equal > 3) {
            // points 20, 21
            return 3;
        }
        let has_two = seen(11, equal == 1) && seen(12, a + b > c) // points 22, 23, 24, 25
            || seen(13, equal == 2) && seen(14, a + c > b) // points 26, 27, 28, 29
            || seen(15, equal == 3) && seen(16, b + c > a); // points 30, 31, 32, 33
        if has_two { 2 } else { 4 }
    }
}

/// Records and returns whether a condition holds.
fn seen(condition: usize, holds: bool) -> bool {
    MARKS.note(2 * condition + usize::from(holds), 0);
    holds
}

#[cfg(test)]
mod tests {
    use beget_process::coverage::Coverage;

    use super::*;

    /// Returns the kind of triangle, by definition.
    fn kind_of(mut sides: [i32; 3]) -> u8 {
        sides.sort_unstable();
        let [least, middle, most] = sides;
        match sides {
            _ if least <= 0 || least + middle <= most => 4,
            _ if least == most => 3,
            _ if least == middle || middle == most => 2,
            _ => 1,
        }
    }

    #[test]
    fn all_small_triangles_are_classified_and_all_directions_are_feasible() {
        let session = MARKS.session();
        for a in -1..7 {
            for b in -1..7 {
                for c in -1..7 {
                    assert_eq!(Triangle::classify(a, b, c), kind_of([a, b, c]), "{a} {b} {c}");
                }
            }
        }
        assert_eq!(session.blocks().covered(), 34);
    }
}
