//! Integers that are probably indices: their upper bound, tuples of them, and the orders of a
//! tuple.
//!
//! Kuperberg and Omri, Algorithm 1 and Proposition 5.1. Where the paper contradicts itself, its
//! condition holds: the sum of a tuple is *below* the range, so its intervals end one earlier.

use std::ops::RangeInclusive;

use beget_suite::Chooser;

/// The largest integer drawn without a bound.
const LARGEST_DRAWN: u64 = 100;

/// The most orders of a tuple tried: those of four integers.
pub const MOST_ORDERS: usize = 24;

/// The upper bound of the integers of a call (Algorithm 1): the least length of the containers
/// passed, or the receiver's length, or one of the constants, or anything positive.
pub fn upper_bound(
    containers: &[u64],
    receiver: Option<u64>,
    constants: &[u64],
    choose: &mut dyn Chooser,
) -> u64 {
    let least = containers.iter().min().copied();
    least.or(receiver).unwrap_or_else(|| match constants {
        [] => 1 + choose.below(LARGEST_DRAWN),
        constants => constants[choose.index(constants.len())],
    })
}

/// The values of the next integer of a tuple of `n` after those `before` it, so that the integers
/// are in order and their sum stays below `range` (Proposition 5.1). `None` if there is no such
/// tuple.
pub fn interval(range: u64, n: usize, before: &[u64]) -> Option<RangeInclusive<u64>> {
    let least = before.last().copied().unwrap_or(0);
    let left = range.checked_sub(1 + before.iter().sum::<u64>())?;
    let most = left / (n - before.len()) as u64;
    (least <= most).then_some(least..=most)
}

/// A tuple of `n` integers in order whose sum is below `range`; `pick` takes each from its
/// interval. `None` if there is none.
pub fn ordered_tuple(
    range: u64,
    n: usize,
    pick: &mut dyn FnMut(RangeInclusive<u64>) -> u64,
) -> Option<Vec<u64>> {
    let mut tuple = Vec::with_capacity(n);
    while tuple.len() < n {
        let interval = interval(range, n, &tuple)?;
        tuple.push(pick(interval));
    }
    Some(tuple)
}

/// All orders of a tuple, each once, in lexicographic order after the tuple itself; at most
/// [`MOST_ORDERS`].
pub fn orders<T: Ord + Clone>(tuple: &[T]) -> Vec<Vec<T>> {
    let mut orders = vec![tuple.to_vec()];
    let mut next = tuple.to_vec();
    next.sort();
    loop {
        if next != tuple {
            orders.push(next.clone());
        }
        if orders.len() == MOST_ORDERS || !advance(&mut next) {
            return orders;
        }
    }
}

/// Moves to the next order; returns whether there is one.
fn advance<T: Ord>(order: &mut [T]) -> bool {
    let Some(pivot) = (1..order.len()).rev().find(|&at| order[at - 1] < order[at]) else {
        return false;
    };
    let larger = (pivot..order.len()).rev().find(|&at| order[at] > order[pivot - 1]);
    order.swap(pivot - 1, larger.expect("the one behind the pivot is"));
    order[pivot..].reverse();
    true
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use beget_suite::Odometer;

    use super::*;

    /// Every tuple below `range`.
    fn all_tuples(range: u64, n: usize) -> Vec<Vec<u64>> {
        let mut tuples = vec![Vec::new()];
        for _ in 0..n {
            let longer = |tuple: &Vec<u64>| {
                (0..range).map(|last| [&tuple[..], &[last]].concat()).collect::<Vec<_>>()
            };
            tuples = tuples.iter().flat_map(longer).collect();
        }
        tuples
    }

    #[test]
    fn the_intervals_have_exactly_the_tuples_of_the_conditions() {
        for (n, range) in (0..=4).flat_map(|n| (0..=9).map(move |range| (n, range))) {
            let (mut odometer, mut built) = (Odometer::default(), BTreeSet::new());
            loop {
                let mut pick = |interval: RangeInclusive<u64>| {
                    interval.start() + odometer.below(interval.end() - interval.start() + 1)
                };
                built.extend(ordered_tuple(range, n, &mut pick));
                if !odometer.advance() {
                    break;
                }
            }
            let wanted = all_tuples(range.max(1), n)
                .into_iter()
                .filter(|tuple| tuple.is_sorted() && (n == 0 || tuple.iter().sum::<u64>() < range));
            assert_eq!(built, wanted.collect(), "{n} integers below {range}");
        }
    }

    #[test]
    fn the_orders_of_a_tuple_are_its_permutations() {
        for tuple in all_tuples(4, 4).into_iter().chain(all_tuples(3, 3)) {
            let found = orders(&tuple);
            assert_eq!(found[0], tuple);
            let mut sorted = tuple.clone();
            sorted.sort_unstable();
            let wanted: BTreeSet<Vec<u64>> = all_tuples(4, tuple.len())
                .into_iter()
                .filter(|other| {
                    let mut other = other.clone();
                    other.sort_unstable();
                    other == sorted
                })
                .collect();
            assert_eq!(found.len(), wanted.len());
            assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), wanted);
        }
        assert_eq!(orders(&[0, 1, 2, 3, 4]).len(), MOST_ORDERS);
    }

    #[test]
    fn the_bound_is_the_first_that_there_is() {
        let mut choose = Odometer::default();
        assert_eq!(upper_bound(&[7, 3], Some(2), &[9], &mut choose), 3);
        assert_eq!(upper_bound(&[], Some(2), &[9], &mut choose), 2);
        assert_eq!(upper_bound(&[], None, &[9, 8], &mut choose), 9);
        assert_eq!(upper_bound(&[], None, &[], &mut choose), 1);
    }

    #[test]
    fn without_any_bound_an_integer_from_1_to_100_is_drawn() {
        let mut random = beget_suite::SplitMix64::of_seeds(&[1]);
        let drawn: BTreeSet<u64> =
            (0..2000).map(|_| upper_bound(&[], None, &[], &mut random)).collect();
        assert_eq!(drawn, (1..=100).collect());
    }
}
