//! Repairs on real functions, compared with trying every tuple of integers.

#![allow(
    dropping_copy_types,
    dropping_references,
    clippy::drop_non_drop,
    reason = "what is returned does not matter"
)]

use std::collections::{BTreeMap, BTreeSet};

use beget_process::guard::{guarded, last_panic};
use beget_suite::SplitMix64;

use super::*;

/// A call with integers on a list or a text of some length.
type IntCall = (&'static str, usize, fn(&str, &[usize]));

fn bytes(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

/// Functions that take one, two or three indices.
const CALLS: &[IntCall] = &[
    ("index", 1, |text, ints| drop(bytes(text)[ints[0]])),
    ("remove", 1, |text, ints| drop(bytes(text).remove(ints[0]))),
    ("swap_remove", 1, |text, ints| drop(bytes(text).swap_remove(ints[0]))),
    ("insert", 1, |text, ints| bytes(text).insert(ints[0], 0)),
    ("split_off", 1, |text, ints| drop(bytes(text).split_off(ints[0]))),
    ("split_at", 1, |text, ints| drop(bytes(text).split_at(ints[0]))),
    ("rotate_left", 1, |text, ints| bytes(text).rotate_left(ints[0])),
    ("chunks", 1, |text, ints| drop(bytes(text).chunks(ints[0]))),
    ("nth", 1, |text, ints| drop(bytes(text).select_nth_unstable(ints[0]))),
    ("divide", 1, |text, ints| drop(text.len() / ints[0])),
    ("subtract", 1, |text, ints| drop(text.len() - ints[0])),
    ("char_at", 1, |text, ints| drop(text[ints[0]..].len())),
    ("chars_to", 1, |text, ints| drop(text[..ints[0]].len())),
    ("text_insert", 1, |text, ints| text.to_owned().insert(ints[0], 'a')),
    ("text_remove", 1, |text, ints| drop(text.to_owned().remove(ints[0]))),
    ("swap", 2, |text, ints| bytes(text).swap(ints[0], ints[1])),
    ("slice", 2, |text, ints| drop(bytes(text)[ints[0]..ints[1]].len())),
    ("inclusive", 2, |text, ints| drop(bytes(text)[ints[0]..=ints[1]].len())),
    ("drain", 2, |text, ints| drop(bytes(text).drain(ints[0]..ints[1]))),
    ("substring", 2, |text, ints| drop(text[ints[0]..ints[1]].len())),
    ("range", 2, |text, ints| {
        let set: BTreeSet<usize> = (0..text.len()).collect();
        drop(set.range(ints[0]..ints[1]));
    }),
    ("clamp", 2, |text, ints| drop(text.len().clamp(ints[0], ints[1]))),
    ("equal", 2, |_, ints| assert_eq!(ints[0], ints[1])),
    ("key", 1, |text, ints| {
        let map: BTreeMap<usize, char> = text.char_indices().collect();
        drop(map[&ints[0]]);
    }),
    ("copy_within", 3, |text, ints| bytes(text).copy_within(ints[0]..ints[1], ints[2])),
    ("get_chars", 3, |text, ints| {
        let mut copy = bytes(text);
        let n = ints[1] - ints[0];
        copy[ints[2]..ints[2] + n].copy_from_slice(&text.as_bytes()[ints[0]..ints[1]]);
    }),
];

/// The most tries of a call.
const MOST_TRIES: usize = 80;

/// The clue of a call's panic with these integers; invalid integers make no call.
fn panic_of(call: fn(&str, &[usize]), text: &str, ints: &[i128]) -> Result<(), Option<Clue>> {
    let ints: Result<Vec<usize>, _> = ints.iter().map(|&int| usize::try_from(int)).collect();
    let ints = ints.map_err(|_| None)?;
    guarded(|| call(text, &ints)).map_err(|_| Some(Clue::read(&last_panic().message)))
}

/// The number of calls until one returns, in the order of the search: proposals of the message come
/// first. `None` if none does.
fn tries(call: fn(&str, &[usize]), text: &str, ints: &[i128]) -> Option<usize> {
    let mut choose = SplitMix64::of_seeds(&[0]);
    let mut queue = std::collections::VecDeque::from([ints.to_vec()]);
    let (mut tried, mut families) = (BTreeSet::new(), BTreeSet::new());
    while let Some(ints) = queue.pop_front() {
        if !tried.insert(ints.clone()) {
            continue;
        }
        let Err(clue) = panic_of(call, text, &ints) else { return Some(tried.len()) };
        let Some(clue) = clue else { continue };
        by_message(&clue, &ints).into_iter().rev().for_each(|next| queue.push_front(next));
        if families.insert(clue.family) {
            queue.extend(by_family(clue.family, &ints));
            let range = (!text.is_empty()).then_some(text.len() as u64);
            queue.extend(by_bounds(range, ints.len(), &mut choose));
        }
    }
    None
}

/// All tuples below `end`.
fn grid(n: usize, end: i128) -> Vec<IntTuple> {
    let mut tuples = vec![Vec::new()];
    for _ in 0..n {
        let longer = |tuple: &IntTuple| -> Vec<IntTuple> {
            (0..end).map(|last| [&tuple[..], &[last]].concat()).collect()
        };
        tuples = tuples.iter().flat_map(longer).collect();
    }
    tuples
}

#[test]
fn a_call_is_repaired_exactly_if_some_tuple_goes_well() {
    let mut most = BTreeMap::new();
    for &(name, n, call) in CALLS {
        for text in ["", "a", "é", "ab", "aé", "abc", "éaé"] {
            let all = grid(n, text.len() as i128 + 3);
            let is_possible = all.iter().any(|ints| panic_of(call, text, ints).is_ok());
            for ints in all {
                let tries = tries(call, text, &ints);
                assert_eq!(tries.is_some(), is_possible, "{name} of {text:?} at {ints:?}");
                let most: &mut usize = most.entry(n).or_default();
                *most = tries.unwrap_or(0).max(*most);
            }
        }
    }
    // The most calls for one repair, by the number of integers.
    assert_eq!(most, BTreeMap::from([(1, 3), (2, 5), (3, 17)]));
}

#[test]
fn what_is_proposed_is_bounded_by_the_number_of_integers() {
    let huge = [i128::from(u64::MAX), 0, i128::from(u64::MAX), 7];
    let mut choose = SplitMix64::of_seeds(&[0]);
    for n in 0..=4 {
        for family in PanicFamily::ALL {
            let clue = Clue { family, numbers: vec![1 << 40, 7, 3, 2, 1, 0] };
            let n_message = by_message(&clue, &huge[..n]).len();
            assert!(n_message <= 32 * n.max(1), "{family}: {n_message} of {n}");
            assert!(by_family(family, &huge[..n]).len() <= 9 + 3 * n);
        }
        let bounded = by_bounds(Some(1 << 40), n, &mut choose);
        assert!(bounded.len() <= 3 * crate::heuristic::bound::MOST_ORDERS + 6);
        assert!(bounded.len() < MOST_TRIES);
    }
}

#[test]
fn integers_as_large_as_can_be_overflow_nothing() {
    let extremes = [i128::MIN, i128::MAX, 0, -1];
    let ends = [[i128::MIN, i128::MAX], [i128::MAX, i128::MIN], [i128::MIN, i128::MIN]];
    for family in PanicFamily::ALL {
        for numbers in ends.map(Vec::from) {
            assert!(by_message(&Clue { family, numbers }, &extremes).len() <= 32 * 4);
        }
        let tuples = by_family(family, &extremes);
        assert!(tuples.iter().all(|tuple| tuple.len() == extremes.len()));
    }
}

#[test]
fn halves_are_proposed_beside_the_ends() {
    let clue = Clue { family: PanicFamily::Index, numbers: vec![9, 20] };
    assert_eq!(by_message(&clue, &[20]), [[8], [0], [4]]);
    let bounded = by_bounds(Some(9), 1, &mut SplitMix64::of_seeds(&[0]));
    assert!(bounded.contains(&vec![4]) && bounded.contains(&vec![9]), "{bounded:?}");
    // Below 1 there is 0 only.
    assert_eq!(by_bounds(Some(1), 1, &mut SplitMix64::of_seeds(&[0])), [[0], [1]]);
}
