//! The naive engine: search as the Java tool of the BEAPI paper does it.
//!
//! A structure is known by the call sequence that built it. To extend it, the whole sequence is
//! replayed from the constructor, once for every call and argument, because ordinary objects can
//! not be copied. The canonical form is a depth-first linearization over a map of addresses, kept
//! as bytes in a standard hash set.

mod linearize;
mod list;

use std::collections::HashSet;

use crate::outcome::{MAX_SCOPE, Outcome};
use linearize::linearize;
use list::{EmptyList, List};

/// Enumerates scope `k`.
///
/// # Panics
/// If `k` is 0 or above [`MAX_SCOPE`].
#[must_use]
pub fn run(k: u8) -> Outcome {
    assert!((1..=MAX_SCOPE).contains(&k), "scope {k} is not in 1..={MAX_SCOPE}");
    let calls = calls(k);
    let mut known = HashSet::new();
    let mut frontier: Vec<Vec<Call>> = Vec::new();
    let (mut explored, mut rounds) = (0, 0);
    loop {
        rounds += 1;
        explored += 1;
        let mut found = Vec::new();
        keep_if_new(Vec::new(), k, &mut known, &mut found);
        for sequence in &frontier {
            for call in &calls {
                explored += 1;
                let extended = sequence.iter().chain([call]).copied().collect();
                keep_if_new(extended, k, &mut known, &mut found);
            }
        }
        if found.is_empty() {
            return Outcome { generated: known.len() as u64, explored, rounds };
        }
        frontier = found;
    }
}

#[derive(Clone, Copy, Debug)]
enum Call {
    AddLast(i32),
    RemoveIndex(i32),
}

fn calls(k: u8) -> Vec<Call> {
    let literals = 0..i32::from(k);
    literals.clone().map(Call::AddLast).chain(literals.map(Call::RemoveIndex)).collect()
}

/// Runs the sequence; calls that raise, leave the scope or rebuild a known structure are dropped.
fn keep_if_new(
    sequence: Vec<Call>,
    k: u8,
    known: &mut HashSet<Vec<u8>>,
    found: &mut Vec<Vec<Call>>,
) {
    let Ok(list) = replay(&sequence) else { return };
    let Some(canonical_form) = linearize(&list, usize::from(k)) else { return };
    if known.insert(canonical_form) {
        found.push(sequence);
    }
}

/// An empty sequence is the constructor alone.
fn replay(sequence: &[Call]) -> Result<List, EmptyList> {
    let mut list = List::new();
    for call in sequence {
        match *call {
            Call::AddLast(value) => {
                list.add_last(value);
            }
            Call::RemoveIndex(index) => {
                list.remove_index(index)?;
            }
        }
    }
    Ok(list)
}
