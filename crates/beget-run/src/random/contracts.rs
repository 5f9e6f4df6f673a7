//! Contracts asked about the structures of a random run.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

use beget_oracle::{ApplicableContracts, BrokenContract, CONTRACTS, ContractTally, Inquiry};
use beget_plan::finding::{Finding, Problem, Witness};
use beget_plan::scope::Plan;
use beget_suite::{TypeIdx, Variable};

use crate::random::fragment::to_sequence;
use crate::random::live::Live;
use crate::random::minimize::{Reduction, Shrinker};
use crate::random::{FlakyCall, Fragment, Judge, JudgedStructures, MinimizedFinding, NewStructure};

/// The structures of a type whose calls are kept in any case: as many as an [`Inquiry`] keeps to
/// compare others with.
const SAMPLE: usize = 64;

/// Structures by their numbers: the calls that lead to each.
type StructureOrigins = BTreeMap<u64, (Arc<Fragment>, Variable)>;

/// Asks the contracts that are built in.
#[derive(Debug)]
pub struct ContractJudge<'o> {
    plan: &'o Plan,
    inquiry: Inquiry<'o>,
    /// The calls of the structures that a witness may need.
    origins: StructureOrigins,
    /// By type, how many structures were met.
    n_met: Vec<usize>,
}

impl<'o> ContractJudge<'o> {
    /// Asks those of `oracle`, which is of `plan`.
    pub(crate) fn new(plan: &'o Plan, oracle: &'o ApplicableContracts<'o>) -> Self {
        let n_met = vec![0; plan.suite.types.len()];
        let inquiry = Inquiry::new(oracle);
        ContractJudge { plan, inquiry, origins: BTreeMap::new(), n_met }
    }

    /// Returns the checks made, the broken contracts with minimised calls and their literals, and
    /// the contracts that were broken once but are not when the calls are repeated.
    pub(crate) fn finish(self) -> (Vec<ContractTally>, Vec<MinimizedFinding>, Vec<FlakyCall>) {
        let ContractJudge { plan, inquiry, origins, .. } = self;
        let result = inquiry.finish();
        let (mut findings, mut doubtful) = (Vec::new(), Vec::new());
        for broken in &result.breaches {
            let found = FoundBreach::new(plan, broken, &origins);
            match found.minimized(plan, broken) {
                Ok(finding) => findings.push(finding),
                Err(flaky) => doubtful.extend(flaky),
            }
        }
        (result.tallies, findings, doubtful)
    }
}

impl Judge for ContractJudge<'_> {
    fn judge(&mut self, structure: &mut NewStructure<'_>) {
        let NewStructure { id, ty, .. } = *structure;
        let before = self.inquiry.n_broken();
        self.inquiry.ask(ty, id, structure.make);
        let is_broken = self.inquiry.n_broken() > before;
        self.n_met[ty.index()] += 1;
        if is_broken || self.n_met[ty.index()] <= SAMPLE {
            self.origins.insert(id, (structure.origin)());
        }
    }

    fn n_found(&self) -> usize {
        self.inquiry.n_breaches()
    }

    fn tell(&self, judged: &mut JudgedStructures) {
        let result = self.inquiry.so_far();
        judged.contracts = result.tallies;
        let finding =
            |broken| FoundBreach::new(self.plan, broken, &self.origins).into_finding(self.plan);
        judged.breaches.extend(result.breaches.iter().map(finding));
    }
}

/// A broken contract with the calls that lead to its structures, if it is of any.
struct FoundBreach {
    problem: Problem,
    count: u64,
    /// The structures meant, by one sequence.
    whole: Option<Reduction>,
}

impl FoundBreach {
    fn new(plan: &Plan, broken: &BrokenContract, origins: &StructureOrigins) -> Self {
        let BrokenContract { problem, count, ids, ty, .. } = broken;
        let mut ids = ids.clone();
        ids.sort_unstable();
        ids.dedup();
        let mut problem = problem.clone();
        if plan.suite.types.len() > 1 {
            let name = plan.suite.types[ty.index()].name;
            problem.message = format!("{} ({name})", problem.message).into();
        }
        let known: Option<Vec<_>> = ids.iter().map(|id| origins.get(id)).collect();
        let whole = known.filter(|known| !known.is_empty());
        let whole = whole.map(|known| one_after_another(&known));
        FoundBreach { problem, count: *count, whole }
    }

    /// The finding without minimising. Its witness is the last of its structures, and the message
    /// shows the others.
    fn into_finding(self, plan: &Plan) -> MinimizedFinding {
        let FoundBreach { problem, count, whole } = self;
        match whole {
            Some(whole) => shown(plan, problem, count, &whole),
            None => {
                let witness = Witness::default();
                MinimizedFinding { finding: Finding { problem, count, witness }, steps: Vec::new() }
            }
        }
    }

    /// With the fewest calls that are found.
    ///
    /// # Errors
    /// The last call, if its structures made anew do not break the contract.
    fn minimized(
        self,
        plan: &Plan,
        broken: &BrokenContract,
    ) -> Result<MinimizedFinding, Option<FlakyCall>> {
        let Some(whole) = self.whole.clone() else { return Ok(self.into_finding(plan)) };
        let FoundBreach { problem, count, .. } = self;
        let name = CONTRACTS[broken.contract].name;
        let oracle = ApplicableContracts::new(plan, &|asked| asked == name);
        let breaks = |candidate: &Reduction| breaks(plan, &oracle, broken.ty, candidate);
        if !breaks(&whole) {
            let last = whole.steps.last().and_then(|step| plan.find_planned(step.statement.method));
            let message = problem.to_string();
            return Err(last.map(|method| FlakyCall { method, message, count }));
        }
        Ok(shown(plan, problem, count, &Shrinker::new(plan, &breaks).shrink(whole)))
    }
}

/// The finding with these calls.
fn shown(plan: &Plan, mut problem: Problem, count: u64, calls: &Reduction) -> MinimizedFinding {
    let (&last, others) = calls.marks.split_last().expect("a structure is meant");
    for other in others.iter().filter(|other| **other != last) {
        let Reduction { steps, marks } = calls.only(*other);
        let (source, _) = to_sequence(&steps, marks.first().copied()).to_source(&plan.suite);
        let source = source.lines().collect::<Vec<_>>().join(" ");
        problem.message =
            format!("{}; the other value is that of `{source}`", problem.message).into();
    }
    let Reduction { steps, marks } = calls.only(last);
    let mut shown = MinimizedFinding::of_structure(problem, count, steps, marks[0]);
    if !others.is_empty() {
        let built = |&mark| {
            let Reduction { steps, marks } = calls.only(mark);
            to_sequence(&steps, marks.first().copied())
        };
        shown.finding.witness.members = calls.marks.iter().map(built).collect();
    }
    shown
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

/// Returns whether the structures that are meant break what the oracle asks.
fn breaks(
    plan: &Plan,
    oracle: &ApplicableContracts<'_>,
    ty: TypeIdx,
    candidate: &Reduction,
) -> bool {
    let mut inquiry = Inquiry::new(oracle);
    for (id, &mark) in (0..).zip(&candidate.marks) {
        let mut make = || -> Option<Box<dyn Any>> {
            let mut live = Live::new(plan);
            candidate.steps.iter().try_for_each(|step| live.repeat(0, step)).ok()?;
            live.take(mark)
        };
        inquiry.ask(ty, id, &mut make);
    }
    let breaches = inquiry.finish().breaches;
    breaches.iter().any(|broken| broken.ty == ty)
}

#[cfg(test)]
mod tests {
    #![allow(unreachable_pub, missing_docs, reason = "the types stand for those of a library")]

    use beget::{HasSuite as _, Heap};
    use beget_heap::CanonicalForm;

    use super::*;
    use crate::random::tests::plan_of;
    use crate::random::{RandomOptions, RandomOracles, run};

    /// Not equal to itself from 66 on.
    #[derive(Clone, Debug, Default, Heap)]
    pub struct Grudge {
        depth: u64,
    }

    impl PartialEq for Grudge {
        fn eq(&self, other: &Self) -> bool {
            self.depth < 66 && self.depth == other.depth
        }
    }

    impl Eq for Grudge {}

    #[beget::api(name = "test::grudge")]
    impl Grudge {
        pub fn new() -> Self {
            Grudge::default()
        }
    }

    #[test]
    fn calls_are_kept_of_the_first_structures_and_of_those_that_break_a_contract() {
        let plan = plan_of(Grudge::suite());
        let oracle = ApplicableContracts::new(&plan, &|_| true);
        let mut judge = ContractJudge::new(&plan, &oracle);
        for depth in 0..70 {
            judge.judge(&mut NewStructure {
                id: depth,
                ty: TypeIdx::new(0),
                form: &CanonicalForm::default(),
                make: &mut || Some(Box::new(Grudge { depth })),
                origin: &|| (Arc::default(), Variable(0)),
            });
        }
        let kept: Vec<u64> = judge.origins.into_keys().collect();
        assert_eq!(kept, (0..64).chain(66..70).collect::<Vec<_>>());
    }

    /// Each is equal to all that are no lower.
    #[derive(Clone, Debug, Default, Heap)]
    pub struct Courtier {
        rank: u8,
    }

    impl PartialEq for Courtier {
        fn eq(&self, other: &Self) -> bool {
            self.rank <= other.rank
        }
    }

    #[beget::api(name = "test::courtier")]
    impl Courtier {
        pub fn new() -> Self {
            Courtier::default()
        }

        pub fn rise(&mut self) {
            self.rank = 1;
        }
    }

    #[test]
    fn a_finding_of_two_structures_has_both_and_its_message_shows_the_other() {
        let plan = plan_of(Courtier::suite());
        let options = RandomOptions { max_calls: 100, ..RandomOptions::default() };
        let breaches = |contract: &str| {
            let asks = |name: &str| name == contract;
            let oracles = RandomOracles {
                asks: &asks,
                judge: &mut (),
                coverage: None,
                deaths: &[],
                observer: None,
            };
            run(&plan, &options, oracles, &Default::default(), &mut |_| None).breaches
        };
        let [found] = &breaches("eq_symmetric")[..] else { panic!("one finding") };
        let Finding { problem, witness, .. } = &found.finding;
        let lengths: Vec<usize> =
            witness.members.iter().map(|member| member.statements.len()).collect();
        assert_eq!((lengths, found.steps.len()), (vec![1, 2], 2));
        let other = "; the other value is that of `let courtier = Courtier::new();`";
        assert!(problem.message.ends_with(other), "{problem}");
        assert!(breaches("eq_reflexive").is_empty());
    }
}
