//! Random numbers that depend on a seed alone, for good: the genetic search must repeat itself on
//! every machine and with every version of every library. SplitMix64, after Steele, Lea and Flood
//! (OOPSLA 2014).

#[derive(Clone, Debug)]
pub(crate) struct Random {
    state: u64,
}

impl Random {
    /// A sequence of its own for each combination of `seeds`.
    pub(crate) fn new(seeds: [u64; 3]) -> Self {
        let mut random = Random { state: 0 };
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

    /// A number below `n`; the bias is below `n / 2^64`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    /// True with probability `rate`.
    pub(crate) fn chance(&mut self, rate: f64) -> bool {
        ((self.next() >> 11) as f64) < rate * (1_u64 << 53) as f64
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
        let mut random = Random { state: 1_234_567 };
        assert_eq!([(); 5].map(|()| random.next()), expected);
        let mut random = Random { state: 1_234_567 };
        // The integer parts of a hundred times the outputs as fractions of 2^64.
        assert_eq!([(); 5].map(|()| random.below(100)), [35, 17, 53, 24, 88]);
    }

    #[test]
    fn what_has_no_probability_never_happens() {
        // The state after which the output is 0.
        let zero = Random { state: 0_u64.wrapping_sub(0x9e37_79b9_7f4a_7c15) };
        assert_eq!(zero.clone().next(), 0);
        assert!(!zero.clone().chance(0.0));
        assert!(zero.clone().chance(1e-15));
        let mut random = Random { state: 1_234_567 };
        // The first output is 0.35 of 2^64.
        assert!(!random.clone().chance(0.35) && random.chance(0.3501));
    }
}
