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

/// Returns whether two findings have one cause, shown by one method.
fn is_same(one: &MinimizedFinding, other: &MinimizedFinding) -> bool {
    let method = |found: &MinimizedFinding| found.steps.last().map(|step| step.statement.method);
    one.finding.problem.signature() == other.finding.problem.signature()
        && method(one) == method(other)
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

    use super::*;
    use crate::random::tests::step_of;

    #[test]
    fn what_one_method_shows_in_several_rounds_is_one_finding() {
        let found = |method, message: &'static str| {
            let problem = Problem::new(Kind::Crash, message);
            MinimizedFinding {
                finding: Finding { problem, count: 2, witness: Witness::default() },
                steps: vec![step_of(method)],
            }
        };
        let mut known = vec![found(0, "one")];
        add_findings(&mut known, vec![found(0, "one"), found(0, "other"), found(1, "one")]);
        let counts: Vec<u64> = known.iter().map(|one| one.finding.count).collect();
        assert_eq!(counts, [4, 2, 2]);
    }
}
