//! Adding up what the rounds of a run came to, in their order.

use std::collections::BTreeSet;

use crate::random::{
    DistinctTotals, MetStructure, MethodTally, MinimizedFinding, RandomOutcome, RandomReport,
    SequencePool,
};
use beget_oracle::ContractTally;
use beget_plan::finding::StopReason;
use beget_plan::scope::Plan;

/// The result of a round.
#[derive(Clone)]
pub(super) struct RoundEnd {
    pub(super) outcome: RandomOutcome,
    pub(super) rejections: Vec<(&'static str, MinimizedFinding)>,
}

/// The sum of some rounds.
pub(super) struct MergedRounds {
    max_calls: u64,
    pub(super) n_rounds: usize,
    first: Option<RoundEnd>,
    /// The digests of all structures, once there is a second round.
    met: BTreeSet<u128>,
}

impl MergedRounds {
    /// None yet, of a run with a budget of calls.
    pub(super) fn new(max_calls: u64) -> Self {
        MergedRounds { max_calls, n_rounds: 0, first: None, met: BTreeSet::new() }
    }

    pub(super) fn add(&mut self, mut later: RoundEnd) {
        self.n_rounds += 1;
        let Some(RoundEnd { outcome, rejections }) = &mut self.first else {
            self.first = Some(later);
            return;
        };
        if self.met.is_empty() {
            self.met.extend(outcome.met.drain(..).map(|met| met.digest));
        }
        let mut distinct = std::mem::take(&mut outcome.report.distinct);
        add_met(&mut self.met, &mut distinct, &mut later.outcome);
        outcome.report.append(later.outcome.report);
        outcome.report.distinct = distinct;
        add_findings(&mut outcome.failures, later.outcome.failures);
        add_findings(&mut outcome.breaches, later.outcome.breaches);
        for (name, finding) in later.rejections {
            let known = rejections
                .iter_mut()
                .find(|(known, of_known)| *known == name && is_same(of_known, &finding));
            match known {
                Some((_, known)) => known.finding.count += finding.finding.count,
                None => rejections.push((name, finding)),
            }
        }
        add_tallies(&mut outcome.contracts, later.outcome.contracts);
        outcome.pool.append_maximal(&later.outcome.pool, usize::MAX);
        outcome.samples.extend(later.outcome.samples);
        outcome.stop_reason = later.outcome.stop_reason;
        for note in later.outcome.notes {
            if !outcome.notes.contains(&note) {
                outcome.notes.push(note);
            }
        }
    }

    /// The outcome of all, and the structures that repOKs reject.
    pub(super) fn finish(
        self,
        plan: &Plan,
    ) -> (RandomOutcome, Vec<(&'static str, MinimizedFinding)>) {
        let RoundEnd { mut outcome, rejections } = self.first.unwrap_or_else(|| nothing(plan));
        if let StopReason::MaxCalls(_) = outcome.stop_reason {
            outcome.stop_reason = StopReason::MaxCalls(self.max_calls);
        }
        for &method in &outcome.report.given_up {
            let name = plan.method_name(method);
            outcome.notes.push(format!(
                "`{name}` is not called any more in a round in which 3 of its calls ended the process"
            ));
        }
        (outcome, rejections)
    }
}

/// The sum of no rounds.
fn nothing(plan: &Plan) -> RoundEnd {
    let report = RandomReport {
        by_method: vec![MethodTally::default(); plan.methods.len()],
        distinct: DistinctTotals::new(plan.suite.types.len()),
        ..RandomReport::default()
    };
    let outcome = RandomOutcome {
        report,
        failures: Vec::new(),
        breaches: Vec::new(),
        contracts: Vec::new(),
        pool: SequencePool::default(),
        samples: Vec::new(),
        met: Vec::new(),
        stop_reason: StopReason::LeftOut,
        notes: Vec::new(),
    };
    RoundEnd { outcome, rejections: Vec::new() }
}

/// Counts the structures of a later round that none before has met.
fn add_met(known: &mut BTreeSet<u128>, distinct: &mut DistinctTotals, later: &mut RandomOutcome) {
    if later.met.is_empty() {
        // Of a round that did not end only the totals are known.
        distinct.append(&later.report.distinct);
        return;
    }
    for MetStructure { digest, ty, n_objects } in later.met.drain(..) {
        if known.insert(digest) {
            distinct.add(ty, n_objects, digest);
        }
    }
}

fn add_findings(known: &mut Vec<MinimizedFinding>, later: Vec<MinimizedFinding>) {
    for finding in later {
        match known.iter_mut().find(|known| is_same(known, &finding)) {
            Some(known) => known.finding.count += finding.finding.count,
            None => known.push(finding),
        }
    }
}

/// Returns whether two findings have one cause: shown at one place, or else by one method.
fn is_same(one: &MinimizedFinding, other: &MinimizedFinding) -> bool {
    let method = |found: &MinimizedFinding| found.steps.last().map(|step| step.statement.method);
    let problem = &one.finding.problem;
    problem.signature() == other.finding.problem.signature()
        && (problem.is_placed() || method(one) == method(other))
}

fn add_tallies(known: &mut Vec<ContractTally>, later: Vec<ContractTally>) {
    for tally in later {
        match known.iter_mut().find(|known| known.name == tally.name) {
            Some(known) => {
                known.asked += tally.asked;
                known.broken += tally.broken;
            }
            None => known.push(tally),
        }
    }
}

#[cfg(test)]
mod tests {
    use beget_plan::finding::{Finding, Kind, Problem, Witness};
    use beget_plan::scope::PlannedIdx;
    use beget_suite::TypeIdx;

    use super::*;
    use crate::random::tests::step_of;

    /// A round of one call that left a structure of this digest, with one finding and one note.
    fn round(digest: u128, note: &str, stop_reason: StopReason) -> RoundEnd {
        let RoundEnd { mut outcome, .. } = nothing(&crate::random::tests::pens(""));
        let ty = TypeIdx::new(0);
        outcome.report.distinct.add(ty, 1, digest);
        outcome.report.sequences = 1;
        outcome.met = vec![MetStructure { digest, ty, n_objects: 1 }];
        outcome.contracts = vec![ContractTally { name: "clone", asked: 2, broken: 1 }];
        outcome.notes = vec![note.to_owned()];
        outcome.stop_reason = stop_reason;
        let problem = Problem::rejected("short", "one clause");
        let finding = Finding { problem, count: 1, witness: Witness::default() };
        let rejected = MinimizedFinding { finding, steps: vec![step_of(0)] };
        let of_other = MinimizedFinding { steps: vec![step_of(1)], ..rejected.clone() };
        let rejections = vec![("short", rejected.clone()), ("long", rejected), ("short", of_other)];
        RoundEnd { outcome, rejections }
    }

    #[test]
    fn rounds_are_added_up() {
        let plan = crate::random::tests::pens("");
        let calls = StopReason::MaxCalls(1);
        let mut merged = MergedRounds::new(3);
        [(5, "a", calls), (7, "b", calls), (5, "a", calls)]
            .into_iter()
            .for_each(|(digest, note, reason)| merged.add(round(digest, note, reason)));
        assert_eq!(merged.n_rounds, 3);
        let (outcome, rejections) = merged.finish(&plan);
        // The structure of the last round is that of the first.
        let distinct = &outcome.report.distinct;
        assert_eq!((&distinct.by_type[..], distinct.digest), (&[2][..], 12));
        assert_eq!(
            (outcome.report.sequences, &outcome.notes[..]),
            (3, &["a", "b"].map(str::to_owned)[..])
        );
        let [tally] = &outcome.contracts[..] else { panic!("{:?}", outcome.contracts) };
        assert_eq!((tally.name, tally.asked, tally.broken), ("clone", 6, 3));
        let rejected: Vec<_> =
            rejections.iter().map(|(name, found)| (*name, found.finding.count)).collect();
        assert_eq!(rejected, [("short", 3), ("long", 3), ("short", 3)]);
        assert_eq!(outcome.stop_reason, StopReason::MaxCalls(3));
    }

    /// Only the totals of a round that did not end are known, and another contract was asked there.
    #[test]
    fn a_round_that_did_not_end_adds_its_totals() {
        let plan = crate::random::tests::pens("");
        let mut merged = MergedRounds::new(3);
        merged.add(round(5, "a", StopReason::MaxCalls(1)));
        let mut last = round(5, "a", StopReason::Interrupted);
        last.outcome.met.clear();
        last.outcome.contracts[0].name = "drop";
        last.outcome.report.given_up = vec![PlannedIdx::new(0)];
        merged.add(last);
        let (outcome, _) = merged.finish(&plan);
        assert_eq!(outcome.report.distinct.by_type, [2]);
        let names: Vec<_> = outcome.contracts.iter().map(|one| (one.name, one.asked)).collect();
        assert_eq!(names, [("clone", 2), ("drop", 2)]);
        assert_eq!(outcome.stop_reason, StopReason::Interrupted);
        let note =
            "`new` is not called any more in a round in which 3 of its calls ended the process";
        assert_eq!(outcome.notes, ["a", note]);
        // No round has a place for each method and type.
        let (outcome, _) = MergedRounds::new(3).finish(&plan);
        let report = outcome.report;
        assert_eq!((report.by_method.len(), report.distinct.by_type.len()), (5, 1));
    }

    #[test]
    fn what_one_method_or_place_shows_in_several_rounds_is_one_finding() {
        let found = |method, message: &'static str| {
            let problem = Problem::new(Kind::Crash, message);
            MinimizedFinding {
                finding: Finding { problem, count: 3, witness: Witness::default() },
                steps: vec![step_of(method)],
            }
        };
        let mut known = vec![found(0, "one")];
        add_findings(&mut known, vec![found(0, "one"), found(0, "other"), found(1, "one")]);
        let counts = |known: &[MinimizedFinding]| {
            known.iter().map(|one| one.finding.count).collect::<Vec<_>>()
        };
        assert_eq!(counts(&known), [6, 3, 3]);
        let at = |method, place| {
            let mut found = found(method, "one");
            found.finding.problem = Problem::panic("one", place);
            found
        };
        let [one, other] = ["src/lib.rs:1:1", "src/lib.rs:2:1"].map(str::to_owned);
        add_findings(&mut known, vec![at(0, one.clone()), at(1, one), at(1, other)]);
        assert_eq!(counts(&known), [6, 3, 3, 6, 3]);
    }
}
