//! The treatment of a collection's elements by calls: each must be dropped exactly once.
//!
//! The calls on a structure are repeated, on values that its recipe builds, while the elements are
//! watched; then everything is dropped. Then each call is repeated for each use of a trait of an
//! element in it, and for each destructor of one, which panics. The region and copies are not used
//! here, so the subject's own destructors run as in a program.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use beget_engine::store::StructureId;
use beget_oracle::{
    CONTRACTS, Contract, ContractTally, ELEMENTS_DROPPED, ELEMENTS_DROPPED_ONCE,
    ELEMENTS_SURVIVE_DROP_PANICS, ELEMENTS_SURVIVE_PANICS, Oracle,
};
use beget_plan::finding::{Finding, Problem, StopReason, Witness};
use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::elements::{Census, ElementWatch};
use beget_suite::{Argument, Operand, ParamKind, Recipe, Sequence, Statement, TypeIdx, Variable};

use crate::replay::{Replay, unobserved};
use crate::waiting::Current;

/// The number of structures of each type on which calls are followed: the first ones, which are the
/// smallest.
const MOST_STRUCTURES: usize = 1_000;

/// The same for random runs, whose structures may be large and whose literals may be many, so fewer
/// tuples of literals are used too.
const FEW_STRUCTURES: usize = 100;
const FEW_TUPLES: usize = 8;

/// The number of uses of elements in one call that panic in turn.
pub(crate) const MOST_FAULTS: u64 = 32;

/// Follows the elements in the calls of a run.
pub(crate) struct ElementAudit<'c> {
    plan: &'c Plan,
    /// The most structures of each type that are checked, and the most tuples of literals of a
    /// call.
    most: (usize, usize),
    /// For each type, whether any of the contracts is checked, and the number of structures so far.
    types: Vec<(bool, usize)>,
    counts: BTreeMap<&'static str, Tally>,
    /// By contract and method.
    broken: BTreeMap<(usize, PlannedIdx), BrokenCalls>,
    current: &'c Current,
    stopped: &'c OnceLock<StopReason>,
}

#[derive(Default)]
struct Tally {
    asked: u64,
    broken: u64,
}

struct BrokenCalls {
    /// The order in which they were found.
    order: usize,
    count: u64,
    problem: Problem,
    witness: Witness,
}

/// The calls that build a structure.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BuildingCalls<'r> {
    /// A recipe.
    Recipe(&'r Recipe),
    /// A sequence, whose result is the structure.
    Sequence(&'r Sequence),
}

/// A structure that the calls are made on.
#[derive(Clone, Copy)]
struct FollowedStructure<'r> {
    ty: TypeIdx,
    building: BuildingCalls<'r>,
    /// True if its calls leave elements that are never dropped, so those of a further call cannot
    /// be distinguished from them.
    leaks: bool,
}

/// The faulty behaviour of an element, by its number in the call.
#[derive(Clone, Copy)]
pub(crate) enum ElementFault {
    Use(u64),
    Drop(u64),
    /// A use that lies instead of panicking.
    Lie(u64),
}

impl ElementFault {
    fn place(self) -> &'static str {
        match self {
            ElementFault::Use(_) | ElementFault::Lie(_) => "in the call",
            ElementFault::Drop(_) => "in the call or when all is dropped",
        }
    }
}

/// The fate of the elements of a call.
pub(crate) struct Followed {
    pub(crate) census: Census,
    /// True if the call and all destructors completed.
    pub(crate) has_returned: bool,
    /// Uses of elements in the call, including those that make its arguments.
    uses: u64,
    /// Destructors of elements in the call, and of its results.
    drops: u64,
    /// The trait of an element that panicked on purpose.
    panicked: Option<&'static str>,
}

impl<'c> ElementAudit<'c> {
    /// An audit of the contracts about elements that the oracle checks. The current check is noted
    /// in `current`; there are no more checks once it is `stopped`.
    pub(crate) fn new(
        plan: &'c Plan,
        oracle: &Oracle<'_>,
        current: &'c Current,
        stopped: &'c OnceLock<StopReason>,
    ) -> Self {
        let mut counts = BTreeMap::new();
        let types = (0..plan.suite.types.len()).map(|ty| {
            let asked = oracle.contracts_of(TypeIdx(ty)).map(|contract| contract.name);
            let asked: Vec<_> = asked.filter(|name| is_of_elements(name)).collect();
            let is_asked = !asked.is_empty();
            counts.extend(asked.into_iter().map(|name| (name, Tally::default())));
            (is_asked, 0)
        });
        let types = types.collect();
        let most = (MOST_STRUCTURES, usize::MAX);
        ElementAudit { plan, most, types, counts, broken: BTreeMap::new(), current, stopped }
    }

    /// The same with fewer structures and calls, for large structures and many literals.
    pub(crate) fn of_few(self) -> Self {
        ElementAudit { most: (FEW_STRUCTURES, FEW_TUPLES), ..self }
    }

    /// Follows the elements in calls that need no structure.
    pub(crate) fn ask_constructors(&mut self) {
        if self.types.iter().any(|(is_asked, _)| *is_asked) {
            self.ask_calls(None);
        }
    }

    /// Follows the elements in all calls on a structure, if it is one of the first of its type.
    pub(crate) fn ask(&mut self, ty: TypeIdx, id: StructureId, building: BuildingCalls<'_>) {
        let (is_asked, n_before) = &mut self.types[ty.0];
        *n_before += 1;
        if !*is_asked || *n_before > self.most.0 {
            return;
        }
        self.current.set(id, position(&ELEMENTS_DROPPED_ONCE));
        // Faults of the calls that build it were reported for the last of them.
        let sequence = building.sequence(self.plan);
        if let Some(Followed { census, .. }) = follow(self.plan, &sequence, None)
            && census.dropped_again == 0
        {
            let leaks = census.alive > 0;
            self.ask_calls(Some(FollowedStructure { ty, building, leaks }));
        }
    }

    /// Returns whether one of the next structures of a type is checked.
    pub(crate) fn asks_next(&self, ty: TypeIdx) -> bool {
        let (is_asked, n_before) = self.types[ty.0];
        is_asked && n_before < self.most.0
    }

    /// The number of findings.
    pub(crate) fn n_found(&self) -> usize {
        self.broken.len()
    }

    /// All calls whose structures are all this one, each built separately.
    fn ask_calls(&mut self, structure: Option<FollowedStructure<'_>>) {
        let plan = self.plan;
        for planned in plan.planned_idxs() {
            let method = plan.planned(planned);
            let is_its = match structure {
                None => method.structures.is_empty(),
                Some(FollowedStructure { ty, .. }) => {
                    !method.structures.is_empty() && method.structures.iter().all(|of| *of == ty)
                }
            };
            if is_its {
                let tuples = 0..method.n_tuples().min(self.most.1);
                let tuples = tuples.take_while(|_| self.stopped.get().is_none());
                tuples.for_each(|tuple| self.ask_call(planned, tuple, structure));
            }
        }
    }

    fn ask_call(
        &mut self,
        planned: PlannedIdx,
        tuple: usize,
        structure: Option<FollowedStructure<'_>>,
    ) {
        let plan = self.plan;
        let building = structure.map(|built| built.building);
        let leaks = structure.is_some_and(|built| built.leaks);
        let (sequence, witness) = match building {
            Some(BuildingCalls::Sequence(building)) => {
                let sequence = call_on(plan, planned, tuple, building);
                (sequence.clone(), Witness::of_sequence(sequence))
            }
            Some(BuildingCalls::Recipe(recipe)) => {
                of_call(plan, call(plan, planned, tuple, Some(recipe)))
            }
            None => of_call(plan, call(plan, planned, tuple, None)),
        };
        // If the earlier calls behave differently than in the run, the run reports that.
        let Some(Followed { census, has_returned, uses, drops, .. }) =
            follow(plan, &sequence, None)
        else {
            return;
        };
        let again = (census.dropped_again > 0).then(|| dropped_again(census));
        self.count(&ELEMENTS_DROPPED_ONCE, planned, again, &witness);
        if has_returned && census.dropped_again == 0 && !leaks {
            let left = (census.alive > 0).then(|| never_dropped(census));
            self.count(&ELEMENTS_DROPPED, planned, left, &witness);
        }
        if census.dropped_again == 0 {
            let made = (planned, &sequence, &witness);
            self.ask_faults(&ELEMENTS_SURVIVE_PANICS, ElementFault::Use, uses, made);
            self.ask_faults(&ELEMENTS_SURVIVE_DROP_PANICS, ElementFault::Drop, drops, made);
        }
    }

    /// Repeats the last call of a sequence for each of `n` faults of an element in it.
    fn ask_faults(
        &mut self,
        contract: &Contract,
        fault: fn(u64) -> ElementFault,
        n: u64,
        (planned, sequence, witness): (PlannedIdx, &Sequence, &Witness),
    ) {
        if !self.counts.contains_key(contract.name) {
            return;
        }
        for due in 1..=n.min(MOST_FAULTS) {
            let faulty = follow(self.plan, sequence, Some(fault(due)));
            let Some(Followed { census, panicked: Some(of), .. }) = faulty else { return };
            let again = (census.dropped_again > 0).then(|| {
                let (told, place) = (dropped_again(census), fault(due).place());
                format!("where `{of}` of an element panics {place}, {told}")
            });
            self.count(contract, planned, again, witness);
        }
    }

    fn count(
        &mut self,
        contract: &Contract,
        planned: PlannedIdx,
        broken: Option<String>,
        witness: &Witness,
    ) {
        let Some(tally) = self.counts.get_mut(contract.name) else { return };
        tally.asked += 1;
        let Some(reason) = broken else { return };
        tally.broken += 1;
        let order = self.broken.len();
        let first = || BrokenCalls {
            order,
            count: 0,
            problem: Problem::contract(contract.name, &reason),
            witness: witness.clone(),
        };
        self.broken.entry((position(contract), planned)).or_insert_with(first).count += 1;
    }

    /// Writes the number of checks and breaches of each contract into `tallies`; returns the
    /// findings, one for each contract and method, in order of occurrence.
    pub(crate) fn finish(self, tallies: &mut [ContractTally]) -> Vec<Finding> {
        for ContractTally { name, asked, broken } in tallies {
            if let Some(tally) = self.counts.get(name) {
                (*asked, *broken) = (tally.asked, tally.broken);
            }
        }
        let mut broken: Vec<BrokenCalls> = self.broken.into_values().collect();
        broken.sort_by_key(|broken| broken.order);
        let finding =
            |BrokenCalls { count, problem, witness, .. }| Finding { problem, count, witness };
        broken.into_iter().map(finding).collect()
    }
}

impl BuildingCalls<'_> {
    fn sequence(self, plan: &Plan) -> Sequence {
        match self {
            BuildingCalls::Recipe(recipe) => Sequence::of_recipe(&plan.suite, recipe),
            BuildingCalls::Sequence(sequence) => sequence.clone(),
        }
    }
}

/// Returns whether the calls of a sequence, repeated, break the contract about elements that a
/// problem names.
pub(crate) fn breaks_again(plan: &Plan, sequence: &Sequence, problem: &Problem) -> bool {
    let Some(name) = problem.name.as_deref() else { return false };
    let Some(Followed { census, has_returned, .. }) = follow(plan, sequence, None) else {
        return false;
    };
    let fault = if name == ELEMENTS_DROPPED_ONCE.name {
        return census.dropped_again > 0;
    } else if name == ELEMENTS_DROPPED.name {
        return has_returned && census.dropped_again == 0 && census.alive > 0;
    } else if name == ELEMENTS_SURVIVE_DROP_PANICS.name {
        ElementFault::Drop
    } else {
        ElementFault::Use
    };
    census.dropped_again == 0 && has_fatal_fault(plan, sequence, fault)
}

fn of_call(plan: &Plan, recipe: Recipe) -> (Sequence, Witness) {
    (Sequence::of_call(&plan.suite, &recipe), Witness::of_call(recipe))
}

/// A call whose structures are each built by one sequence.
fn call_on(plan: &Plan, planned: PlannedIdx, tuple: usize, building: &Sequence) -> Sequence {
    let method = plan.planned(planned);
    let n_variables: usize = building.statements.iter().map(|one| one.bindings.len()).sum();
    let mut literals = method.tuple(tuple).into_iter();
    let (mut statements, mut n_built) = (Vec::new(), 0);
    let params = plan.method(planned).params.iter();
    let arguments = params.map(|param| match param.kind {
        ParamKind::Structure { .. } => {
            let first = n_built * n_variables;
            n_built += 1;
            let number = |variable: Variable| variable.counted_from(first);
            statements.extend(building.statements.iter().map(|one| one.renumbered(number)));
            Operand::Variable(number(building.result.expect("it builds a structure")))
        }
        ParamKind::Literal { .. } => {
            Operand::Literal(literals.next().expect("a literal for each parameter").source.clone())
        }
    });
    let arguments = arguments.collect();
    let method = method.method;
    let (bindings, ends) = (Vec::new(), Vec::new());
    statements.push(Statement { method, arguments, bindings, ends, panics: false });
    Sequence { statements, result: None }
}

/// The position of a contract in [`CONTRACTS`].
fn position(contract: &Contract) -> usize {
    let found = CONTRACTS.iter().position(|one| one.name == contract.name);
    found.expect("a contract of the table")
}

/// Returns whether the contract of that name is about the elements in calls.
pub(crate) fn is_of_elements(name: &str) -> bool {
    let all = [
        ELEMENTS_DROPPED,
        ELEMENTS_DROPPED_ONCE,
        ELEMENTS_SURVIVE_PANICS,
        ELEMENTS_SURVIVE_DROP_PANICS,
    ];
    all.iter().any(|contract| contract.name == name)
}

/// A call whose structures are each built by one recipe.
fn call(plan: &Plan, planned: PlannedIdx, tuple: usize, structure: Option<&Recipe>) -> Recipe {
    let method = plan.planned(planned);
    let mut literals = method.tuple(tuple).into_iter();
    let argument = |kind: ParamKind| match (kind, structure) {
        (ParamKind::Structure { .. }, Some(recipe)) => {
            Argument::Structure(Box::new(recipe.clone()))
        }
        _ => {
            Argument::Literal(literals.next().expect("a literal for each parameter").source.clone())
        }
    };
    let params = plan.method(planned).params.iter().map(|param| param.kind);
    let arguments = params.map(argument).collect();
    Recipe { method: method.method, arguments, output: 0, panics: false }
}

/// Makes the calls of a sequence, and drops everything. In the last one, an element panics at the
/// `fault`, if there is one. `None` if the earlier calls behave differently than before.
pub(crate) fn follow(
    plan: &Plan,
    sequence: &Sequence,
    fault: Option<ElementFault>,
) -> Option<Followed> {
    let (last, before) = sequence.statements.split_last()?;
    let watch = ElementWatch::begin();
    let mut replay = Replay::new(plan, sequence);
    for statement in before {
        replay.step(statement, unobserved).ok()?;
    }
    watch.let_panic(0);
    watch.let_drop_panic(0);
    match fault {
        None => {}
        Some(ElementFault::Use(due)) => watch.let_panic(due),
        Some(ElementFault::Drop(due)) => watch.let_drop_panic(due),
        Some(ElementFault::Lie(due)) => watch.let_lie(due),
    }
    let made = replay.step(last, unobserved);
    let uses = watch.uses();
    let dropped = replay.end();
    let (drops, panicked) = (watch.drops(), watch.panicked());
    let has_returned = made.is_ok() && dropped.is_ok();
    Some(Followed { census: watch.census(), has_returned, uses, drops, panicked })
}

/// Returns whether some fault of an element, in the last call of a sequence or in the final drop,
/// causes a double drop.
pub(crate) fn has_fatal_fault(
    plan: &Plan,
    sequence: &Sequence,
    fault: fn(u64) -> ElementFault,
) -> bool {
    let Some(Followed { uses, drops, .. }) = follow(plan, sequence, None) else { return false };
    let n = match fault(0) {
        ElementFault::Use(_) | ElementFault::Lie(_) => uses,
        ElementFault::Drop(_) => drops,
    };
    (1..=n.min(MOST_FAULTS)).any(|due| {
        let faulty = follow(plan, sequence, Some(fault(due)));
        faulty.is_some_and(|faulty| faulty.census.dropped_again > 0)
    })
}

fn dropped_again(Census { dropped_again, .. }: Census) -> String {
    match dropped_again {
        1 => "an element is dropped twice".to_owned(),
        n => format!("elements are dropped twice, {n} times in all"),
    }
}

fn never_dropped(Census { alive, .. }: Census) -> String {
    match alive {
        1 => "an element is never dropped".to_owned(),
        n => format!("{n} elements are never dropped"),
    }
}
