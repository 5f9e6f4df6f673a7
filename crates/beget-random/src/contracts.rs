//! Contracts asked about the structures of a random run.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

use beget_finding::{Finding, Witness};
use beget_oracle::{BrokenContract, CONTRACTS, ContractTally, Inquiry, Oracle};
use beget_scope::Plan;
use beget_suite::{TypeIdx, Variable};

use crate::fragment::to_sequence;
use crate::live::Live;
use crate::minimize::{Reduction, Shrinker};
use crate::{Fragment, Judge, MinimizedFinding, NewStructure};

/// The structures of a type whose calls are kept in any case: as many as an [`Inquiry`] keeps to
/// compare others with.
const SAMPLE: usize = 64;

/// Asks the contracts that are built in.
#[derive(Debug)]
pub struct ContractJudge<'o> {
    plan: &'o Plan,
    inquiry: Inquiry<'o>,
    /// The calls of the structures that a witness may need.
    origins: BTreeMap<u64, (Arc<Fragment>, Variable)>,
    /// By type, how many structures were met.
    n_met: Vec<usize>,
}

impl<'o> ContractJudge<'o> {
    /// Asks those of `oracle`, which is of `plan`.
    pub fn new(plan: &'o Plan, oracle: &'o Oracle<'o>) -> Self {
        let n_met = vec![0; plan.suite.types.len()];
        let inquiry = Inquiry::new(oracle, &|_| {});
        ContractJudge { plan, inquiry, origins: BTreeMap::new(), n_met }
    }

    /// What was asked, and what is broken, each with minimised calls and the literals in them.
    pub(crate) fn finish(self) -> (Vec<ContractTally>, Vec<MinimizedFinding>) {
        let ContractJudge { plan, inquiry, origins, .. } = self;
        let result = inquiry.finish();
        let finding = |broken: &BrokenContract| finding_of(plan, broken, &origins);
        (result.tallies, result.breaches.iter().map(finding).collect())
    }
}

impl Judge for ContractJudge<'_> {
    fn judge(&mut self, structure: &mut NewStructure<'_>) {
        let NewStructure { id, ty, .. } = *structure;
        let before = self.inquiry.n_broken();
        self.inquiry.ask(ty, id, structure.make);
        let is_broken = self.inquiry.n_broken() > before;
        self.n_met[ty.0] += 1;
        if is_broken || self.n_met[ty.0] <= SAMPLE {
            self.origins.insert(id, (structure.origin)());
        }
    }
}

/// The finding of a broken contract: its witness is the last of its structures, and the message
/// shows the others.
fn finding_of(
    plan: &Plan,
    broken: &BrokenContract,
    origins: &BTreeMap<u64, (Arc<Fragment>, Variable)>,
) -> MinimizedFinding {
    let BrokenContract { problem, count, ids, ty, contract, .. } = broken;
    let mut ids = ids.clone();
    ids.sort_unstable();
    ids.dedup();
    let mut finding =
        Finding { problem: problem.clone(), count: *count, witness: Witness::default() };
    if plan.suite.types.len() > 1 {
        let name = plan.suite.types[ty.0].name;
        finding.problem.message = format!("{} ({name})", problem.message).into();
    }
    let known: Option<Vec<_>> = ids.iter().map(|id| origins.get(id)).collect();
    let Some(known) = known.filter(|known| !known.is_empty()) else {
        return MinimizedFinding { finding, steps: Vec::new() };
    };
    let whole = one_after_another(&known);
    let name = CONTRACTS[*contract].name;
    let oracle = Oracle::new(plan, &|asked| asked == name);
    let breaks = |candidate: &Reduction| breaks(plan, &oracle, *ty, candidate);
    let candidate = match breaks(&whole) {
        true => Shrinker::new(plan, &breaks).shrink(whole),
        false => whole,
    };
    let (&last, others) = candidate.marks.split_last().expect("a structure is meant");
    for other in others.iter().filter(|other| **other != last) {
        let Reduction { steps, marks } = candidate.only(*other);
        let (source, _) = to_sequence(&steps, marks.first().copied()).to_source(&plan.suite);
        let source = source.lines().collect::<Vec<_>>().join(" ");
        finding.problem.message =
            format!("{}; the other value is that of `{source}`", finding.problem.message).into();
    }
    let built = |mark| {
        let Reduction { steps, marks } = candidate.only(mark);
        to_sequence(&steps, marks.first().copied())
    };
    finding.witness = Witness::of_sequence(built(last));
    if !others.is_empty() {
        finding.witness.members = candidate.marks.iter().map(|&mark| built(mark)).collect();
    }
    let Reduction { steps, .. } = candidate.only(last);
    MinimizedFinding { finding, steps }
}

/// Some structures by one sequence.
fn one_after_another(known: &[&(Arc<Fragment>, Variable)]) -> Reduction {
    let (mut first, mut marks) = (0, Vec::new());
    for (fragment, variable) in known {
        marks.push(variable.counted_from(first));
        first += fragment.n_variables();
    }
    let parts = known.iter().map(|(fragment, _)| fragment.clone()).collect();
    Reduction { steps: Fragment::new(parts, Vec::new()).to_steps(), marks }
}

/// Whether the structures that are meant break what the oracle asks.
fn breaks(plan: &Plan, oracle: &Oracle<'_>, ty: TypeIdx, candidate: &Reduction) -> bool {
    let mut inquiry = Inquiry::new(oracle, &|_| {});
    for (id, &mark) in (0..).zip(&candidate.marks) {
        let mut make = || -> Option<Box<dyn Any>> {
            let mut live = Live::new(plan);
            candidate.steps.iter().try_for_each(|step| live.repeat(0, step)).ok()?;
            let is_of_type = live.value(mark).is_some() && live.type_of(mark) == ty;
            is_of_type.then(|| live.take(mark)).flatten()
        };
        inquiry.ask(ty, id, &mut make);
    }
    let breaches = inquiry.finish().breaches;
    breaches.iter().any(|broken| broken.ty == ty)
}
