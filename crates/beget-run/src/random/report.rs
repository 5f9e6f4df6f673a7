//! The report of a random run.

use std::collections::BTreeMap;
use std::sync::Arc;

use beget_engine::Counters;
use beget_heap::CanonicalForm;
use beget_plan::finding::{Problem, ShownProblem};
use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::{TypeIdx, Variable};

use crate::random::{CallStep, Course, Fragment};

/// The outcome of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CallVerdict {
    /// It left a structure that was not known.
    Kept,
    /// It left known structures only, or none.
    Matched,
    /// It left one that is beyond the bounds.
    OutOfScope,
    /// It broke a rule of use.
    Misuse,
    /// It broke a promise.
    Failure,
}

/// How often a method was drawn, and what became of its calls. The counters of the calls,
/// `no_inputs` and `too_long` add up to that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MethodTally {
    /// It was not called, because there is no structure of a type that it takes.
    pub no_inputs: u64,
    /// It was not called, because the sequence would be too long.
    pub too_long: u64,
    /// Its calls by what became of them.
    pub calls: Counters,
}

impl MethodTally {
    /// How often it was drawn, repetitions included.
    pub fn chosen(&self) -> u64 {
        self.no_inputs + self.too_long + self.calls.explored()
    }
}

impl CallVerdict {
    /// Counts a call of this kind.
    pub(crate) fn count(self, counters: &mut Counters) {
        *match self {
            CallVerdict::Kept => &mut counters.kept,
            CallVerdict::Matched => &mut counters.matched,
            CallVerdict::OutOfScope => &mut counters.out_of_scope,
            CallVerdict::Misuse => &mut counters.misuse,
            CallVerdict::Failure => &mut counters.failures,
        } += 1;
    }
}

/// A failure, or a group of them with the first.
#[derive(Clone, Debug)]
pub(crate) struct RandomSighting {
    pub(crate) problem: Problem,
    pub(crate) count: u64,
    /// The calls that show it: the last one does.
    pub(crate) steps: Vec<CallStep>,
}

impl ShownProblem for RandomSighting {
    fn problem(&self) -> &Problem {
        &self.problem
    }

    fn count(&self) -> u64 {
        self.count
    }

    fn add(&mut self, more: u64) {
        self.count += more;
    }
}

/// A call that did not go the same way twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlakyCall {
    /// The method.
    pub method: PlannedIdx,
    /// The problem that it showed once, and not again.
    pub message: String,
    /// How often that was seen.
    pub count: u64,
}

/// The structures that a run has met, each counted once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DistinctTotals {
    /// How many there are of each type.
    pub by_type: Vec<u64>,
    /// Those of the main type by number of objects in their heaps.
    pub by_objects: BTreeMap<u32, u64>,
    /// The sum of the digests of the forms.
    pub digest: u128,
}

impl DistinctTotals {
    /// No structures, of a suite with `n_types` types.
    pub(crate) fn new(n_types: usize) -> Self {
        DistinctTotals { by_type: vec![0; n_types], ..DistinctTotals::default() }
    }

    /// Adds the totals of others, as if they had no structure in common.
    pub(crate) fn append(&mut self, others: &DistinctTotals) {
        for (count, more) in self.by_type.iter_mut().zip(&others.by_type) {
            *count += more;
        }
        for (&n_objects, more) in &others.by_objects {
            *self.by_objects.entry(n_objects).or_default() += more;
        }
        self.digest = self.digest.wrapping_add(others.digest);
    }

    /// Adds a structure that is not there yet.
    pub(crate) fn add(&mut self, ty: TypeIdx, n_objects: u32, digest: u128) {
        self.by_type[ty.index()] += 1;
        if ty == TypeIdx::new(0) {
            *self.by_objects.entry(n_objects).or_default() += 1;
        }
        self.digest = self.digest.wrapping_add(digest);
    }

    /// The most objects in the heap of a structure of the main type.
    pub fn largest(&self) -> u32 {
        self.by_objects.last_key_value().map_or(0, |(&largest, _)| largest)
    }
}

/// The numbers of a run besides its findings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RandomReport {
    /// All calls by what became of them, those that were only made again not counted.
    pub counters: Counters,
    /// Calls that were made again, to have their structures.
    pub repeated: u64,
    /// Calls that were not made again, because their structures were decoded.
    pub spared: u64,
    /// Sequences that were run.
    pub sequences: u64,
    /// Sequences of these that may be extended.
    pub kept_sequences: u64,
    /// The length of the longest of these.
    pub longest: usize,
    /// The memory that these take: each by itself, what they share counted once.
    pub pool_bytes: usize,
    /// By method of the plan.
    pub by_method: Vec<MethodTally>,
    /// The structures.
    pub distinct: DistinctTotals,
    /// Calls that do not go the same way twice, the first of each cause.
    pub flaky: Vec<FlakyCall>,
    /// How the run went, call by call.
    pub course: Course,
    /// True if calls on decoded values have left what they do not leave after the calls before
    /// them, so that nothing was decoded any more.
    pub is_decoding_inexact: bool,
    /// The integers that literals have widened to, if they have.
    pub widened: Option<WidenedRange>,
    /// Calls since the last that left a new structure, where the literals had widened as far as
    /// they can.
    pub saturated: u64,
    /// By method of the plan: true if it was not called any more, because its calls end the
    /// process.
    pub given_up: Vec<PlannedIdx>,
}

/// Integers that literals have widened to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WidenedRange {
    /// The least.
    pub least: i128,
    /// The greatest.
    pub greatest: i128,
    /// The greatest that is drawn where a value may be a size, if that is less.
    pub greatest_size: Option<i128>,
}

impl WidenedRange {
    /// The range of both.
    fn or(self, other: WidenedRange) -> WidenedRange {
        WidenedRange {
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
            greatest_size: self.greatest_size.max(other.greatest_size),
        }
    }
}

/// A sequence whose last call shows an outcome of its method, and a structure that it left.
#[derive(Clone, Debug)]
pub struct OutcomeSample {
    /// The method of the last call.
    pub method: PlannedIdx,
    /// The verdict on it.
    pub verdict: CallVerdict,
    /// The sequence.
    pub fragment: Arc<Fragment>,
    /// The variable that holds the structure.
    pub variable: Variable,
    /// Its type.
    pub ty: TypeIdx,
    /// Its form in the coding of the plan.
    pub form: Arc<CanonicalForm>,
}

/// A structure, as runs of several rounds tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MetStructure {
    /// The digest of its form.
    pub digest: u128,
    /// Its type.
    pub ty: TypeIdx,
    /// Objects in its heap.
    pub n_objects: u32,
}

impl RandomReport {
    /// Adds a later round, whose structures are added by `distinct`.
    pub(crate) fn append(&mut self, later: RandomReport) {
        let calls = self.counters.explored();
        self.course.append(&later.course, calls);
        self.counters += later.counters;
        self.repeated += later.repeated;
        self.spared += later.spared;
        self.sequences += later.sequences;
        self.kept_sequences += later.kept_sequences;
        self.longest = self.longest.max(later.longest);
        self.pool_bytes = self.pool_bytes.max(later.pool_bytes);
        for (tally, more) in self.by_method.iter_mut().zip(later.by_method) {
            tally.no_inputs += more.no_inputs;
            tally.too_long += more.too_long;
            tally.calls += more.calls;
        }
        for flaky in later.flaky {
            let is_same = |known: &&mut FlakyCall| {
                known.method == flaky.method && known.message == flaky.message
            };
            match self.flaky.iter_mut().find(is_same) {
                Some(known) => known.count += flaky.count,
                None => self.flaky.push(flaky),
            }
        }
        self.is_decoding_inexact |= later.is_decoding_inexact;
        self.widened = match (self.widened, later.widened) {
            (Some(one), Some(other)) => Some(one.or(other)),
            (one, other) => one.or(other),
        };
        self.saturated = self.saturated.max(later.saturated);
        self.given_up.extend(later.given_up);
        self.given_up.sort_unstable();
        self.given_up.dedup();
    }

    /// Why no call of a method left anything; `None` if one did.
    pub fn why_unused(&self, plan: &Plan, method: PlannedIdx) -> Option<String> {
        let MethodTally { no_inputs, too_long, calls } = self.by_method[method.index()];
        let structures = &plan.planned(method).structures;
        let missing = structures.iter().find(|ty| self.distinct.by_type[ty.index()] == 0);
        let reason = match calls {
            Counters { kept: 0, matched: 0, out_of_scope, misuse, failures } => {
                match (out_of_scope, misuse, failures) {
                    (0, 0, 0) if no_inputs > 0 => match missing {
                        Some(ty) => format!("there is no {}", plan.suite.types[ty.index()].name),
                        None => "no structure that it takes can be extended".to_owned(),
                    },
                    (0, 0, 0) if too_long > 0 => "the sequences would be too long".to_owned(),
                    (0, 0, 0) => "it was never drawn".to_owned(),
                    (_, 0, 0) => "all that its calls left is out of scope".to_owned(),
                    (0, _, 0) => "all its calls broke a rule of use".to_owned(),
                    (0, 0, _) => "all its calls failed".to_owned(),
                    _ => "all its calls failed, broke a rule of use or left the scope".to_owned(),
                }
            }
            _ => return None,
        };
        Some(reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(
        n: u64,
        flaky: &str,
        widened: Option<WidenedRange>,
        given_up: &[usize],
    ) -> RandomReport {
        let counters = Counters { kept: n, ..Counters::default() };
        let method = PlannedIdx::new(0);
        RandomReport {
            counters,
            repeated: n,
            spared: 2 * n,
            sequences: 3 * n,
            kept_sequences: 4 * n,
            longest: n as usize,
            pool_bytes: 5 * n as usize,
            by_method: vec![MethodTally { no_inputs: n, too_long: 2 * n, calls: counters }],
            flaky: vec![FlakyCall { method, message: flaky.to_owned(), count: n }],
            widened,
            saturated: n,
            given_up: given_up.iter().copied().map(PlannedIdx::new).collect(),
            ..RandomReport::default()
        }
    }

    #[test]
    fn rounds_add_up_to_the_run() {
        let range =
            |least, greatest, greatest_size| Some(WidenedRange { least, greatest, greatest_size });
        let mut sum = report(3, "a", None, &[2]);
        sum.append(RandomReport {
            is_decoding_inexact: true,
            ..report(1, "a", range(-1, 1, None), &[1, 2])
        });
        // The longest, the memory and the calls without a new structure are those of one round.
        let expected = RandomReport {
            longest: 3,
            pool_bytes: 15,
            saturated: 3,
            is_decoding_inexact: true,
            ..report(4, "a", range(-1, 1, None), &[1, 2])
        };
        assert_eq!(sum, expected);
        sum.append(report(7, "b", range(0, 9, Some(8)), &[]));
        let flaky: Vec<_> = sum.flaky.iter().map(|one| (&*one.message, one.count)).collect();
        assert_eq!((flaky, sum.widened), (vec![("a", 4), ("b", 7)], range(-1, 9, Some(8))));
        assert_eq!((sum.longest, sum.pool_bytes, sum.saturated), (7, 35, 7));
    }

    #[test]
    fn a_method_is_drawn_as_often_as_it_was_called_or_could_not_be() {
        let calls = Counters { kept: 3, misuse: 4, ..Counters::default() };
        assert_eq!(MethodTally { no_inputs: 1, too_long: 2, calls }.chosen(), 10);
    }

    #[test]
    fn sightings_of_a_problem_add_up() {
        let problem = Problem::new(beget_plan::finding::Kind::Panic, "it leaks");
        let mut sighting = RandomSighting { problem, count: 2, steps: Vec::new() };
        sighting.add(3);
        assert_eq!(sighting.count(), 5);
    }

    #[test]
    fn structures_are_counted_by_type_and_those_of_the_main_type_by_objects() {
        let mut totals = DistinctTotals::new(2);
        for (ty, n_objects, digest) in [(0, 3, 5), (1, 9, 7), (0, 3, 11), (0, 4, 13)] {
            totals.add(TypeIdx::new(ty), n_objects, digest);
        }
        let by_objects = BTreeMap::from([(3, 2), (4, 1)]);
        assert_eq!(totals, DistinctTotals { by_type: vec![3, 1], by_objects, digest: 36 });
        assert_eq!([DistinctTotals::new(2).largest(), totals.largest()], [0, 4]);
        let others = DistinctTotals {
            by_type: vec![10, 20],
            by_objects: BTreeMap::from([(4, 7), (8, 3)]),
            digest: u128::MAX,
        };
        totals.append(&others);
        let by_objects = BTreeMap::from([(3, 2), (4, 8), (8, 3)]);
        assert_eq!(totals, DistinctTotals { by_type: vec![13, 21], by_objects, digest: 35 });
    }

    #[test]
    fn the_reason_why_a_method_left_nothing_is_what_became_of_its_calls() {
        let plan = crate::random::tests::pens("");
        let write = plan.planned_idxs().find(|&idx| plan.method_name(idx) == "write").unwrap();
        let why = |tally: MethodTally, n_pens: u64| {
            let mut by_method = vec![MethodTally::default(); plan.methods.len()];
            by_method[write.index()] = tally;
            let distinct = DistinctTotals { by_type: vec![n_pens], ..DistinctTotals::default() };
            let report = RandomReport { by_method, distinct, ..RandomReport::default() };
            report.why_unused(&plan, write)
        };
        let of = |calls: Counters| why(MethodTally { calls, ..MethodTally::default() }, 1);
        let none = Counters::default();
        assert_eq!(of(Counters { kept: 1, failures: 2, ..none }), None);
        assert_eq!(of(Counters { matched: 1, ..none }), None);
        let undrawn = |no_inputs, too_long, n_pens| {
            why(MethodTally { no_inputs, too_long, calls: none }, n_pens).unwrap()
        };
        assert_eq!(undrawn(3, 0, 0), "there is no Pen");
        assert_eq!(undrawn(3, 2, 1), "no structure that it takes can be extended");
        assert_eq!(undrawn(0, 2, 0), "the sequences would be too long");
        assert_eq!(undrawn(0, 0, 0), "it was never drawn");
        let drawn = |out_of_scope, misuse, failures| {
            of(Counters { out_of_scope, misuse, failures, ..none }).unwrap()
        };
        assert_eq!(drawn(1, 0, 0), "all that its calls left is out of scope");
        assert_eq!(drawn(0, 1, 0), "all its calls broke a rule of use");
        assert_eq!(drawn(0, 0, 1), "all its calls failed");
        let several = "all its calls failed, broke a rule of use or left the scope";
        assert_eq!([drawn(1, 1, 0), drawn(0, 1, 1), drawn(1, 0, 1)], [several; 3]);
    }
}
