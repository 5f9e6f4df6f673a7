//! Relations that must be transitive, among few values.

/// The most values of a relation.
pub(crate) const SAMPLE: usize = 64;

/// A relation of the values of a sample.
pub(crate) struct SampleRelation {
    /// For each value those that it is related to, as bits.
    holds: [u64; SAMPLE],
    /// For each value those of which it is known.
    known: [u64; SAMPLE],
}

impl Default for SampleRelation {
    fn default() -> Self {
        SampleRelation { holds: [0; SAMPLE], known: [0; SAMPLE] }
    }
}

/// Triples `i`, `j`, `k` of which all is known, and those with `i` related to `j` and `j` to `k`,
/// but not `i` to `k`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Intransitive {
    pub(crate) asked: u64,
    pub(crate) broken: u64,
    /// The one whose largest number is least.
    pub(crate) first: Option<[usize; 3]>,
}

impl SampleRelation {
    pub(crate) fn set(&mut self, i: usize, j: usize, is_related: Option<bool>) {
        self.known[i] |= u64::from(is_related.is_some()) << j;
        self.holds[i] |= u64::from(is_related == Some(true)) << j;
    }

    pub(crate) fn intransitive(&self) -> Intransitive {
        let mut found = Intransitive { asked: 0, broken: 0, first: None };
        for i in 0..SAMPLE {
            for j in bits(self.known[i]) {
                let known = self.known[i] & self.known[j];
                found.asked += u64::from(known.count_ones());
                if self.holds[i] >> j & 1 == 0 {
                    continue;
                }
                let broken = self.holds[j] & !self.holds[i] & known;
                found.broken += u64::from(broken.count_ones());
                let triples = bits(broken).map(|k| [i, j, k]).chain(found.first);
                found.first = triples.min_by_key(|triple| (triple.iter().max().copied(), *triple));
            }
        }
        found
    }
}

fn bits(set: u64) -> impl Iterator<Item = usize> {
    (0..SAMPLE).filter(move |bit| set >> bit & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation(n: usize, holds: impl Fn(usize, usize) -> Option<bool>) -> Intransitive {
        let mut relation = SampleRelation::default();
        for i in 0..n {
            (0..n).for_each(|j| relation.set(i, j, holds(i, j)));
        }
        relation.intransitive()
    }

    #[test]
    fn triples_are_counted_as_three_loops_count_them() {
        let less = relation(SAMPLE, |i, j| Some(i < j));
        assert_eq!(less, Intransitive { asked: 64 * 64 * 64, broken: 0, first: None });
        let game = |i: usize, j: usize| (i + 1) % 3 == j % 3;
        for n in [1, 2, 3, 4, 7] {
            let all = || 0..n;
            let triples =
                all().flat_map(|i| all().flat_map(move |j| all().map(move |k| [i, j, k])));
            let is_broken = |&[i, j, k]: &[usize; 3]| game(i, j) && game(j, k) && !game(i, k);
            let broken: Vec<_> = triples.filter(is_broken).collect();
            let first =
                broken.iter().copied().min_by_key(|triple| (triple.iter().max().copied(), *triple));
            let (asked, broken) = ((n * n * n) as u64, broken.len() as u64);
            assert_eq!(relation(n, |i, j| Some(game(i, j))), Intransitive { asked, broken, first });
        }
    }

    #[test]
    fn what_is_not_known_is_not_counted() {
        // Of three values, the third is not related to anything that is known.
        let found = relation(3, |i, j| (i < 2 && j < 2).then_some(true));
        assert_eq!(found, Intransitive { asked: 8, broken: 0, first: None });
        // The first is related to the second, and only of the second is it known what else is.
        let found = relation(3, |i, j| (j == 1 || i == 1).then_some((i, j) != (1, 0)));
        assert_eq!(found, Intransitive { asked: 7, broken: 0, first: None });
    }
}
