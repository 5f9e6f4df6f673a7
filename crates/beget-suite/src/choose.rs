//! Sources of choices: random numbers from a seed, a list, or all choices in turn.

/// Makes the choices for drawing calls and values.
///
/// Equal choosers give the same answers to the same questions, for good: nothing depends on the
/// machine or on versions of libraries.
pub trait Chooser {
    /// A number below `n`.
    ///
    /// # Panics
    /// If `n` is 0.
    fn below(&mut self, n: u64) -> u64;

    /// True with probability `rate`; makes no choice if that is 0 or 1.
    fn chance(&mut self, rate: f64) -> bool;

    /// The position of one of `n` things.
    ///
    /// # Panics
    /// If `n` is 0.
    fn index(&mut self, n: usize) -> usize {
        self.below(n as u64) as usize
    }
}

/// SplitMix64: random numbers that depend on a seed alone.
///
/// Steele, Lea and Flood, Fast splittable pseudorandom number generators (OOPSLA 2014), Figure 17.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// A separate sequence for each combination of `seeds`.
    pub fn of_seeds(seeds: &[u64]) -> Self {
        let mut random = SplitMix64 { state: 0 };
        for seed in seeds {
            random.state = random.next() ^ seed;
        }
        random
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

impl Chooser for SplitMix64 {
    /// The bias is below `n / 2^64`.
    fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "there is nothing to choose from");
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }

    fn chance(&mut self, rate: f64) -> bool {
        ((self.next() >> 11) as f64) < rate * (1_u64 << 53) as f64
    }
}

/// Answers from a list, and zeros after its end: repeated or simplified choices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedChoices {
    choices: Vec<u64>,
    next: usize,
}

impl RecordedChoices {
    /// Answers with `choices` in their order; one that is too large is taken modulo.
    pub fn new(choices: Vec<u64>) -> Self {
        RecordedChoices { choices, next: 0 }
    }
}

impl Chooser for RecordedChoices {
    fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "there is nothing to choose from");
        let choice = self.choices.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        choice % n
    }

    fn chance(&mut self, rate: f64) -> bool {
        is_possible(rate, || self.below(2) == 1)
    }
}

/// Makes *all* choices, one combination after another.
///
/// Each pass of questions makes one combination; [`Odometer::advance`] moves to the next. The
/// number of questions may depend on the answers.
///
/// ```
/// use beget_suite::{Chooser, Odometer};
///
/// let (mut odometer, mut pairs) = (Odometer::default(), Vec::new());
/// loop {
///     let first = odometer.below(3);
///     pairs.push((first, odometer.below(1 + first)));
///     if !odometer.advance() {
///         break;
///     }
/// }
/// assert_eq!(pairs, [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Odometer {
    /// The answers given, each with the number of possible ones.
    wheels: Vec<(u64, u64)>,
    next: usize,
}

impl Odometer {
    /// Moves to the next combination; returns whether there is one.
    pub fn advance(&mut self) -> bool {
        self.wheels.truncate(self.next);
        self.next = 0;
        while let Some((answer, n)) = self.wheels.pop() {
            if answer + 1 < n {
                self.wheels.push((answer + 1, n));
                return true;
            }
        }
        false
    }
}

impl Chooser for Odometer {
    fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "there is nothing to choose from");
        if self.next == self.wheels.len() {
            self.wheels.push((0, n));
        }
        let (answer, known) = self.wheels[self.next];
        assert_eq!(n, known, "the same answers must lead to the same questions");
        self.next += 1;
        answer
    }

    fn chance(&mut self, rate: f64) -> bool {
        is_possible(rate, || self.below(2) == 1)
    }
}

fn is_possible(rate: f64, choose: impl FnOnce() -> bool) -> bool {
    match rate {
        rate if rate <= 0.0 => false,
        rate if rate >= 1.0 => true,
        _ => choose(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published outputs for this seed.
    #[test]
    fn it_is_splitmix64() {
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        let mut random = SplitMix64 { state: 1_234_567 };
        assert_eq!([(); 5].map(|()| random.next()), expected);
        let mut random = SplitMix64 { state: 1_234_567 };
        // The integer parts of a hundred times the outputs as fractions of 2^64.
        assert_eq!([(); 5].map(|()| random.below(100)), [35, 17, 53, 24, 88]);
    }

    #[test]
    fn what_has_no_probability_never_happens() {
        // The state after which the output is 0.
        let zero = SplitMix64 { state: 0_u64.wrapping_sub(0x9e37_79b9_7f4a_7c15) };
        assert_eq!(zero.clone().next(), 0);
        assert!(!zero.clone().chance(0.0));
        assert!(zero.clone().chance(1e-15));
        let mut random = SplitMix64 { state: 1_234_567 };
        // The first output is 0.35 of 2^64.
        assert!(!random.clone().chance(0.35) && random.chance(0.3501));
    }

    #[test]
    fn an_odometer_makes_each_combination_once_and_can_be_made_again() {
        let ask = |choose: &mut dyn Chooser| {
            let digits: Vec<u64> = (0..3).map(|_| choose.below(4)).collect();
            (digits, choose.chance(0.5), choose.chance(0.0), choose.chance(1.0))
        };
        let (mut odometer, mut all) = (Odometer::default(), std::collections::BTreeSet::new());
        loop {
            let asked = ask(&mut odometer);
            assert!(!asked.2 && asked.3);
            let choices = odometer.wheels[..odometer.next].iter().map(|(answer, _)| *answer);
            assert_eq!(ask(&mut RecordedChoices::new(choices.collect())), asked);
            assert!(all.insert(asked));
            if !odometer.advance() {
                break;
            }
        }
        assert_eq!(all.len(), 4 * 4 * 4 * 2);
    }

    #[test]
    fn a_list_that_is_over_goes_on_with_zeros() {
        let mut recorded = RecordedChoices::new(vec![7]);
        assert_eq!([(); 3].map(|()| recorded.below(5)), [2, 0, 0]);
    }
}
