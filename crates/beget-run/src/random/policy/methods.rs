//! The choice of the next method.

use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::Chooser;

use super::draw_weighted;
use crate::random::{CallVerdict, RandomOptions};

/// Draws methods.
pub(crate) struct MethodDraw {
    /// Those that are worth calling.
    worthwhile: Vec<PlannedIdx>,
    swarm: Option<Swarm>,
    /// By method of the plan; `None` if all are alike.
    merits: Option<Vec<Merit>>,
}

/// A random subset of the methods for some sequences at a time, so that some sequences grow what
/// others would shrink (Groce et al., Swarm testing, ISSTA 2012).
struct Swarm {
    /// How many sequences a subset is for.
    period: u32,
    left: u32,
    /// By method of the plan.
    is_in: Vec<bool>,
}

/// The gains of a method's calls.
#[derive(Clone, Copy, Default)]
struct Merit {
    calls: u64,
    /// Calls that left something new, and points that were covered for the first time.
    gains: u64,
}

/// The least share of a method: it is drawn at least once for this many draws of the best.
const LEAST_SHARE: u64 = 16;

impl MethodDraw {
    pub(crate) fn new(plan: &Plan, options: &RandomOptions) -> Self {
        let n = plan.methods.len();
        let swarm = |period| Swarm { period, left: 0, is_in: vec![true; n] };
        MethodDraw {
            worthwhile: plan.planned_idxs().collect(),
            swarm: options.swarm.map(swarm),
            merits: options.is_guided.then(|| vec![Merit::default(); n]),
        }
    }

    /// A method of those that are worth calling; `None` if there is none.
    pub(crate) fn draw(&mut self, choose: &mut dyn Chooser) -> Option<PlannedIdx> {
        if let Some(swarm) = &mut self.swarm {
            swarm.begin_sequence(choose);
        }
        let of_swarm: Vec<PlannedIdx> = match &self.swarm {
            None => Vec::new(),
            Some(swarm) => {
                let all = self.worthwhile.iter().copied();
                all.filter(|idx| swarm.is_in[idx.index()]).collect()
            }
        };
        let candidates = if of_swarm.is_empty() { &self.worthwhile } else { &of_swarm };
        if candidates.is_empty() {
            return None;
        }
        match &self.merits {
            None => Some(candidates[choose.index(candidates.len())]),
            Some(merits) => Some(by_merit(candidates, merits, choose)),
        }
    }

    /// A method whose calls all do the same is called no more.
    pub(crate) fn give_up(&mut self, method: PlannedIdx) {
        self.worthwhile.retain(|&idx| idx != method);
    }

    /// Returns whether it is called still.
    pub(crate) fn is_worthwhile(&self, method: PlannedIdx) -> bool {
        self.worthwhile.contains(&method)
    }

    pub(crate) fn learn(&mut self, method: PlannedIdx, verdict: CallVerdict, gained: u64) {
        if let Some(merits) = &mut self.merits {
            let merit = &mut merits[method.index()];
            merit.calls += 1;
            merit.gains += u64::from(verdict == CallVerdict::Kept) + gained;
        }
    }
}

impl Swarm {
    fn begin_sequence(&mut self, choose: &mut dyn Chooser) {
        if self.left == 0 {
            self.is_in.iter_mut().for_each(|is_in| *is_in = choose.chance(0.5));
            self.left = self.period;
        }
        self.left -= 1;
    }
}

impl Merit {
    /// The share of calls that brought something, in millionths: as if two more calls had been made
    /// of which one did.
    fn share(self) -> u64 {
        (self.gains + 1).saturating_mul(1_000_000) / (self.calls + 2)
    }
}

fn by_merit(candidates: &[PlannedIdx], merits: &[Merit], choose: &mut dyn Chooser) -> PlannedIdx {
    let shares = candidates.iter().map(|idx| merits[idx.index()].share());
    let best = shares.clone().max().unwrap_or(1);
    let weights: Vec<u64> = shares.map(|share| share.max(best / LEAST_SHARE).max(1)).collect();
    candidates[draw_weighted(&weights, choose).expect("weights of at least 1")]
}

#[cfg(test)]
mod tests {
    use beget_suite::SplitMix64;

    use super::*;

    fn draws(merits: Option<Vec<Merit>>, swarm: Option<u32>, n: usize) -> Vec<usize> {
        let worthwhile = (0..4).map(PlannedIdx::new).collect();
        let swarm = swarm.map(|period| Swarm { period, left: 0, is_in: vec![true; 4] });
        let mut draw = MethodDraw { worthwhile, swarm, merits };
        let mut choose = SplitMix64::of_seeds(&[5]);
        (0..n).map(|_| draw.draw(&mut choose).unwrap().index()).collect()
    }

    fn counts(draws: &[usize]) -> [usize; 4] {
        [0, 1, 2, 3].map(|method| draws.iter().filter(|&&drawn| drawn == method).count())
    }

    #[test]
    fn what_brings_nothing_is_still_drawn() {
        let merits = [(100, 100), (100, 50), (100, 0), (0, 0)];
        let merits = merits.map(|(calls, gains)| Merit { calls, gains }).to_vec();
        // 101/102, 51/102, a sixteenth of the best, and a half: of 2.05 in all.
        let [best, half, none, unknown] = counts(&draws(Some(merits), None, 10_000));
        assert!((4700..4900).contains(&best) && (2300..2570).contains(&half), "{best} {half}");
        assert!((250..360).contains(&none) && (2300..2570).contains(&unknown), "{none} {unknown}");
    }

    #[test]
    fn a_swarm_keeps_its_methods_for_its_period() {
        let subsets = |draws: &[usize]| -> Vec<usize> {
            let used = |draws: &[usize]| counts(draws).iter().filter(|&&count| count > 0).count();
            draws.chunks(50).map(used).collect()
        };
        assert!(subsets(&draws(None, None, 1000)).iter().all(|&used| used == 4));
        let used = subsets(&draws(None, Some(50), 1000));
        // Of four methods, a subset has two on average; none at all stands for all of them.
        let mean = used.iter().sum::<usize>() as f64 / used.len() as f64;
        assert!((1.6..2.8).contains(&mean), "{used:?}");
    }

    #[test]
    fn a_method_that_was_given_up_is_worthwhile_no_more() {
        let plan = crate::random::tests::pens("");
        let mut draw = MethodDraw::new(&plan, &RandomOptions::default());
        draw.give_up(PlannedIdx::new(1));
        let worthwhile = [0, 1, 2].map(|idx| draw.is_worthwhile(PlannedIdx::new(idx)));
        assert_eq!(worthwhile, [true, false, true]);
    }

    #[test]
    fn gains_are_new_structures_and_points() {
        let plan = crate::random::tests::pens("");
        let options = RandomOptions { is_guided: true, ..RandomOptions::default() };
        let mut draw = MethodDraw::new(&plan, &options);
        let mut learn = |verdict, gained| {
            draw.learn(PlannedIdx::new(1), verdict, gained);
            let merits = draw.merits.as_ref().expect("it is guided");
            assert_eq!((merits[0].calls, merits[0].gains), (0, 0));
            (merits[1].calls, merits[1].gains)
        };
        assert_eq!(learn(CallVerdict::Kept, 3), (1, 4));
        assert_eq!(learn(CallVerdict::Matched, 2), (2, 6));
        assert_eq!(learn(CallVerdict::Misuse, 0), (3, 6));
    }
}
