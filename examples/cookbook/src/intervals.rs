//! Keys that are ranges.

use std::collections::BTreeMap;
use std::ops::Range;

/// A map from places to values; neighbours of the same value are one range.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(test, derive(beget::Heap))]
pub struct Intervals {
    /// By where they start: where they end, and their value.
    ranges: BTreeMap<u8, (u8, bool)>,
}

#[cfg_attr(test, beget::api)]
impl Intervals {
    /// A map without values.
    pub fn new() -> Self {
        Intervals::default()
    }

    /// Gives all places of a range a value.
    pub fn insert(&mut self, range: Range<u8>, value: bool) {
        if range.is_empty() {
            return;
        }
        self.remove(range.clone());
        let Range { mut start, mut end } = range;
        if let Some((&before, &(touching, same))) = self.ranges.range(..start).next_back()
            && touching == start
            && same == value
        {
            start = before;
        }
        if let Some(&(behind, same)) = self.ranges.get(&end)
            && same == value
        {
            self.ranges.remove(&end);
            end = behind;
        }
        self.ranges.insert(start, (end, value));
    }

    /// Takes the values of all places of a range.
    pub fn remove(&mut self, range: Range<u8>) {
        if range.is_empty() {
            return;
        }
        let touched: Vec<_> = self.ranges.range(..range.end).map(|(&at, &it)| (at, it)).collect();
        for (start, (end, value)) in touched.into_iter().filter(|(_, it)| it.0 > range.start) {
            self.ranges.remove(&start);
            if start < range.start {
                self.ranges.insert(start, (range.start, value));
            }
            if end > range.end {
                self.ranges.insert(range.end, (end, value));
            }
        }
    }

    /// The value of a place.
    pub fn get(&self, place: u8) -> Option<bool> {
        let (_, &(end, value)) = self.ranges.range(..=place).next_back()?;
        (place < end).then_some(value)
    }

    #[cfg(test)]
    #[beget::invariant]
    fn is_sorted_and_joined(&self) -> bool {
        let ranges: Vec<_> = self.ranges.iter().collect();
        let touch = |&(end, value): &(u8, bool), start: u8, next: bool| {
            end > start || end == start && value == next
        };
        ranges.iter().all(|&(&start, &(end, _))| start < end)
            && ranges.windows(2).all(|pair| !touch(pair[0].1, *pair[1].0, pair[1].1.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_map_is_sound() {
        // Ends below 4, so three places, each with one of two values or none.
        assert_eq!(beget::check!(Intervals, k = 3, ints = 0..4).generated(), 3_u64.pow(3));
    }

    #[test]
    fn what_is_inserted_is_there_and_nothing_else_changes() {
        beget::for_all!(Intervals, "scopes/intervals.ron", |map| {
            let mut after = map.clone();
            after.insert(1..3, true);
            (0..4).all(|at| {
                after.get(at) == if at == 1 || at == 2 { Some(true) } else { map.get(at) }
            })
        });
    }
}
