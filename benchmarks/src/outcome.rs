//! What an enumeration reports, and the numbers it must report.
//!
//! Counting follows the BEAPI paper: every call made by the search is explored, dropped or not,
//! and the constructor runs once in each round. A search makes rounds until one adds nothing.

use serde::Serialize;

/// The largest scope the rivals accept. The one-word model has room for 14 elements, one more than
/// fit into this scope, so that even a result just out of scope is a well-formed word.
pub const MAX_SCOPE: u8 = 14;

/// The counters of one enumeration run to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// Structures kept, pairwise different in canonical form.
    pub generated: u64,
    /// Calls made: builders on every kept structure, and one constructor call per round.
    pub explored: u64,
    /// Rounds of the breadth-first search, the last one adding nothing.
    pub rounds: u64,
}

/// What any correct enumeration of NodeCachingLinkedList reports at scope `k`, in closed form.
///
/// With `m` elements, `k - m` sizes of the cache fit into the scope and `k^m` contents exist. The
/// last structures found hold `k - 1` cached nodes, after as many additions and removals, so
/// there are `2(k - 1) + 2` rounds.
#[must_use]
pub fn expected(k: u8) -> Outcome {
    let k = u64::from(k);
    let generated = (0..k).map(|m| (k - m) * k.pow(m as u32)).sum();
    let rounds = 2 * k;
    Outcome { generated, explored: generated * 2 * k + rounds, rounds }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table 1 of the BEAPI paper prints the last three rows.
    #[test]
    fn closed_form_gives_the_published_counts() {
        for (k, generated, explored) in [
            (1, 1, 4),
            (2, 4, 20),
            (3, 18, 114),
            (6, 11_196, 134_364),
            (7, 160_132, 2_241_862),
            (8, 2_739_136, 43_826_192),
        ] {
            let outcome = expected(k);
            assert_eq!((outcome.generated, outcome.explored), (generated, explored), "k = {k}");
        }
    }
}
