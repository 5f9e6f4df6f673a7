//! Other integers for a call that panicked: first by the numbers of the message, then by its
//! family, then by the bounds of section 5.1 (Kuperberg and Omri) and all orders.
//!
//! The functions know only integers, so their proposals are compared with trying every tuple. Each
//! list is bounded by the number of integers, not by their sizes.

use beget_suite::Chooser;

use crate::heuristic::bound::{ordered_tuple, orders};
use crate::heuristic::panics::{Clue, PanicFamily};

/// Integers of a call, one after another.
pub type IntTuple = Vec<i128>;

/// The proposals of a message's numbers for the integers of the call that panicked.
pub fn by_message(clue: &Clue, ints: &[i128]) -> Vec<IntTuple> {
    let numbers = &clue.numbers;
    let mut proposals = TupleProposals::new(ints);
    match (clue.family, numbers.as_slice()) {
        (PanicFamily::Index, &[len, index, ..]) => {
            proposals.replace(&[index], &[len.saturating_sub(1), 0, len / 2]);
        }
        (PanicFamily::SliceEnd | PanicFamily::Position, &[index, len, ..]) => {
            // The end of an inclusive range is one less than in the message.
            let (before, last) = (index.saturating_sub(1), len.saturating_sub(1));
            proposals.replace(&[index, before], &[len, last, 0]);
        }
        (PanicFamily::SliceOrder, &[start, end, ..]) => {
            proposals.exchange(start, end);
            proposals.replace(&[start], &[end]);
            proposals.replace(&[end], &[start]);
        }
        (PanicFamily::CharBoundary, &[index, ref bounds @ ..]) => {
            proposals.replace(&[index], bounds);
            proposals.replace(&[index], &[0]);
        }
        // Both values are at the end, after the assertion's own message.
        (PanicFamily::Inequality, &[.., left, right]) => {
            proposals.replace(&[left], &[right]);
            proposals.replace(&[right], &[left]);
            proposals.exchange(left, right);
            for difference in [left.saturating_sub(right), right.saturating_sub(left)] {
                for (place, int) in ints.iter().enumerate() {
                    proposals.replace_at(place, int.saturating_add(difference));
                }
            }
        }
        (_, numbers) => {
            for &number in numbers.iter().take(4) {
                let others = numbers.iter().filter(|other| **other != number);
                let values: Vec<i128> =
                    others.flat_map(|&other| [other, other.saturating_sub(1)]).collect();
                proposals.replace(&[number], &values);
            }
        }
    }
    proposals.tuples
}

/// The proposals of a panic's family without the numbers of its message.
pub fn by_family(family: PanicFamily, ints: &[i128]) -> Vec<IntTuple> {
    let mut proposals = TupleProposals::new(ints);
    match family {
        PanicFamily::Overflow | PanicFamily::Capacity => {
            for bits in [1, 4, 8, 16, 32, 64] {
                proposals.map(&|int| int >> bits);
            }
            [16, 1, 0].iter().for_each(|&value| proposals.all_or_each(value));
        }
        PanicFamily::ZeroDivisor | PanicFamily::ZeroSize => {
            proposals.replace(&[0], &[1, 2]);
            proposals.map(&|int| int.max(1));
        }
        PanicFamily::Clamp | PanicFamily::KeyRange | PanicFamily::SliceOrder => {
            let mut sorted = ints.to_vec();
            sorted.sort_unstable();
            let wider =
                sorted.iter().zip(0..).map(|(&int, more)| int.saturating_add(more)).collect();
            proposals.push(sorted);
            proposals.push(wider);
        }
        PanicFamily::Radix => [10, 2, 36].iter().for_each(|&radix| proposals.all_or_each(radix)),
        PanicFamily::MathDomain => {
            proposals.map(&|int| int.saturating_abs().max(1));
            proposals.all_or_each(2);
        }
        _ => {}
    }
    proposals.tuples
}

/// The proposals of the bounds for `n` integers: the least, the largest and a drawn tuple of
/// ordered integers whose sum is below `range`, each in all orders; then equal integers.
pub fn by_bounds(range: Option<u64>, n: usize, choose: &mut dyn Chooser) -> Vec<IntTuple> {
    let mut proposals = TupleProposals::new(&[]);
    if n == 0 {
        return proposals.tuples;
    }
    if let Some(range) = range {
        let tuples = [
            ordered_tuple(range, n, &mut |interval| *interval.start()),
            ordered_tuple(range, n, &mut |interval| *interval.end()),
            ordered_tuple(range, n, &mut |interval| {
                interval.start() + choose.below(interval.end() - interval.start() + 1)
            }),
        ];
        for tuple in tuples.into_iter().flatten() {
            let tuple: IntTuple = tuple.into_iter().map(i128::from).collect();
            orders(&tuple).into_iter().for_each(|order| proposals.push(order));
        }
    }
    let range = range.map_or(2, i128::from);
    for value in [0, 1, range - 1, range, range / 2] {
        proposals.push(vec![value; n]);
    }
    // Increasing from an index, as the start of a range and its end.
    proposals.push((0..n as i128).collect());
    proposals.tuples
}

/// Tuples, each once, without the one that panicked.
struct TupleProposals<'i> {
    ints: &'i [i128],
    tuples: Vec<IntTuple>,
}

impl<'i> TupleProposals<'i> {
    fn new(ints: &'i [i128]) -> Self {
        TupleProposals { ints, tuples: Vec::new() }
    }

    fn push(&mut self, tuple: IntTuple) {
        if tuple != self.ints && !self.tuples.contains(&tuple) {
            self.tuples.push(tuple);
        }
    }

    /// Puts each of `values` in place of the integers that equal one of `wanted`: one at a time,
    /// then all; in place of any integer, if none does.
    fn replace(&mut self, wanted: &[i128], values: &[i128]) {
        let are_wanted = |at: &usize| wanted.contains(&self.ints[*at]);
        let mut places: Vec<usize> = (0..self.ints.len()).filter(are_wanted).collect();
        if places.is_empty() {
            places = (0..self.ints.len()).collect();
        }
        for &value in values {
            places.iter().for_each(|&place| self.replace_at(place, value));
            let mut tuple = self.ints.to_vec();
            places.iter().for_each(|&place| tuple[place] = value);
            self.push(tuple);
        }
    }

    fn exchange(&mut self, one: i128, other: i128) {
        self.map(&|int| match int {
            int if int == one => other,
            int if int == other => one,
            int => int,
        });
    }

    fn map(&mut self, change: &dyn Fn(i128) -> i128) {
        self.push(self.ints.iter().map(|&int| change(int)).collect());
    }

    fn all_or_each(&mut self, value: i128) {
        self.map(&|_| value);
        (0..self.ints.len()).for_each(|place| self.replace_at(place, value));
    }

    fn replace_at(&mut self, place: usize, value: i128) {
        let mut tuple = self.ints.to_vec();
        tuple[place] = value;
        self.push(tuple);
    }
}

#[cfg(test)]
mod tests;
