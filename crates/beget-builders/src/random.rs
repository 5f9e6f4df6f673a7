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
