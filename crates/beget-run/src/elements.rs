//! The treatment of a collection's elements by calls: each must be dropped exactly once.
//!
//! The calls on a structure are repeated, on values that its recipe builds, while the elements are
//! watched; then everything is dropped. Then each call is repeated for each use of a trait of an
//! element in it, and for each destructor of one, which panics. The region and copies are not used
//! here, so the subject's own destructors run as in a program.

use beget_oracle::{
    ApplicableContracts, BreachGroup, BreachPart, Contract, ELEMENTS_DROPPED,
    ELEMENTS_DROPPED_ONCE, ELEMENTS_SURVIVE_DROP_PANICS, ELEMENTS_SURVIVE_PANICS, Matter, Oracle,
    StructureView, Structures, Verdicts,
};
use beget_plan::finding::{Problem, Witness};
use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::elements::{Census, ElementWatch, owner_of};
use beget_suite::{Argument, Operand, ParamKind, Recipe, Sequence, Statement, TypeIdx, Variable};

use crate::replay::{Replay, unobserved};

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
#[derive(Debug)]
pub(crate) struct Elements {
    /// The contracts to ask, of those that apply.
    asks: Vec<&'static str>,
    /// How many structures of each type are asked about, and how many tuples of literals there are
    /// in a call at most.
    most: (usize, usize),
    /// The contracts that apply: the questions.
    questions: Vec<&'static str>,
    /// By type, whether any of the contracts is asked, and how many structures there were.
    types: Vec<(bool, usize)>,
    /// True if the calls that need no structure were followed.
    is_begun: bool,
}

/// The calls that build a structure.
#[derive(Clone, Copy, Debug)]
enum BuildingCalls<'r> {
    /// A recipe.
    Recipe(&'r Recipe),
    /// A sequence, whose result is the structure.
    Sequence(&'r Sequence),
}

/// A structure that the calls are made on.
#[derive(Clone, Copy)]
struct FollowedStructure<'r> {
    id: u64,
    ty: TypeIdx,
    building: BuildingCalls<'r>,
    /// True if its calls leave elements that are never dropped, so those of a further call cannot
    /// be distinguished from them.
    leaks: bool,
}

/// A call that is followed.
#[derive(Clone, Copy)]
struct FollowedCall<'r> {
    planned: PlannedIdx,
    tuple: usize,
    structure: Option<FollowedStructure<'r>>,
}

impl FollowedCall<'_> {
    fn matter(self) -> Matter {
        Matter::Call(self.structure.map(|built| built.id), (self.planned, self.tuple))
    }
}

/// The act of an element that panics or lies, by its number in the call.
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
pub(crate) struct ElementFate {
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

impl Elements {
    /// Asks those of the contracts about elements that `asks`.
    pub(crate) fn new(asks: impl Fn(&str) -> bool) -> Self {
        let asks = OF_ELEMENTS.iter().map(|contract| contract.name).filter(|name| asks(name));
        let (most, questions, types) = ((MOST_STRUCTURES, usize::MAX), Vec::new(), Vec::new());
        Elements { asks: asks.collect(), most, questions, types, is_begun: false }
    }

    /// The same with fewer structures and calls, for large structures and many literals.
    pub(crate) fn of_few(self) -> Self {
        Elements { most: (FEW_STRUCTURES, FEW_TUPLES), ..self }
    }

    /// Follows the elements in calls that need no structure, once.
    pub(crate) fn ask_constructors(&mut self, plan: &Plan, verdicts: &mut Verdicts<'_>) {
        if !std::mem::replace(&mut self.is_begun, true)
            && self.types.iter().any(|(is_asked, _)| *is_asked)
        {
            self.ask_calls(plan, None, verdicts);
        }
    }

    /// All calls whose structures are all this one, each built anew.
    fn ask_calls(
        &self,
        plan: &Plan,
        structure: Option<FollowedStructure<'_>>,
        verdicts: &mut Verdicts<'_>,
    ) {
        for planned in plan.planned_idxs() {
            let method = plan.planned(planned);
            let is_its = match structure {
                None => method.structures.is_empty(),
                Some(FollowedStructure { ty, .. }) => {
                    !method.structures.is_empty() && method.structures.iter().all(|of| *of == ty)
                }
            };
            let n_tuples = if is_its { method.n_tuples().min(self.most.1) } else { 0 };
            for tuple in 0..n_tuples {
                if verdicts.is_stopped() {
                    return;
                }
                self.ask_call(plan, FollowedCall { planned, tuple, structure }, verdicts);
            }
        }
    }

    fn ask_call(&self, plan: &Plan, call: FollowedCall<'_>, verdicts: &mut Verdicts<'_>) {
        let leaks = call.structure.is_some_and(|built| built.leaks);
        if !verdicts.begin_on(0, call.matter()) {
            return;
        }
        let building = call.structure.map(|built| built.building);
        let sequence = match building {
            Some(BuildingCalls::Sequence(building)) => {
                call_on(plan, call.planned, call.tuple, building)
            }
            Some(BuildingCalls::Recipe(recipe)) => {
                of_call(plan, call.planned, call.tuple, Some(recipe))
            }
            None => of_call(plan, call.planned, call.tuple, None),
        };
        // If the earlier calls behave differently than in the run, the run reports that.
        let Some(ElementFate { census, has_returned, uses, drops, .. }) =
            follow(plan, &sequence, None)
        else {
            return;
        };
        let again = (census.dropped_again > 0).then(|| dropped_again(census));
        self.count(&ELEMENTS_DROPPED_ONCE, call, again, verdicts);
        if has_returned && census.dropped_again == 0 && !leaks {
            let left = (census.alive > 0).then(|| never_dropped(census));
            self.count(&ELEMENTS_DROPPED, call, left, verdicts);
        }
        if census.dropped_again == 0 {
            let made = (plan, &sequence, call);
            let of_uses = (ElementFault::Use as fn(u64) -> ElementFault, uses);
            self.ask_faults(&ELEMENTS_SURVIVE_PANICS, of_uses, made, verdicts);
            let of_drops = (ElementFault::Drop as fn(u64) -> ElementFault, drops);
            self.ask_faults(&ELEMENTS_SURVIVE_DROP_PANICS, of_drops, made, verdicts);
        }
    }

    /// Repeats the last call of a sequence for each of `n` faults of an element in it.
    fn ask_faults(
        &self,
        contract: &Contract,
        (fault, n): (fn(u64) -> ElementFault, u64),
        (plan, sequence, call): (&Plan, &Sequence, FollowedCall<'_>),
        verdicts: &mut Verdicts<'_>,
    ) {
        let Some(question) = self.question_of(contract) else { return };
        if !verdicts.begin_on(question, call.matter()) {
            return;
        }
        for due in 1..=n.min(MOST_FAULTS) {
            let faulty = follow(plan, sequence, Some(fault(due)));
            let Some(ElementFate { census, panicked: Some(of), .. }) = faulty else { return };
            let again = (census.dropped_again > 0).then(|| {
                let (told, place) = (dropped_again(census), fault(due).place());
                format!("where `{of}` of {} panics {place}, {told}", owner_of(of))
            });
            self.count(contract, call, again, verdicts);
        }
    }

    fn question_of(&self, contract: &Contract) -> Option<usize> {
        self.questions.iter().position(|name| *name == contract.name)
    }

    fn count(
        &self,
        contract: &Contract,
        FollowedCall { planned, tuple, structure }: FollowedCall<'_>,
        broken: Option<String>,
        verdicts: &mut Verdicts<'_>,
    ) {
        let Some(question) = self.question_of(contract) else { return };
        let Some(reason) = broken else { return verdicts.holds(question) };
        let part = BreachPart { number: planned.index() as u64, ..BreachPart::default() };
        verdicts.broken(question, part, || BreachGroup {
            question,
            problem: Problem::contract(contract.name, &reason),
            count: 0,
            ty: structure.map_or(TypeIdx::new(0), |built| built.ty),
            ids: structure.map(|built| built.id).into_iter().collect(),
            literal: None,
            call: Some((planned, tuple)),
        });
    }
}

impl Oracle for Elements {
    fn name(&self) -> &'static str {
        "contract"
    }

    fn questions(&self) -> Vec<&'static str> {
        self.questions.clone()
    }

    fn applies(&mut self, plan: &Plan) -> bool {
        let asks = |name: &str| self.asks.contains(&name);
        let applicable = ApplicableContracts::new(plan, &asks);
        let types = (0..plan.suite.types.len()).map(TypeIdx::new);
        let is_asked = |ty| applicable.contracts_of(ty).next().is_some();
        self.types = types.map(|ty| (is_asked(ty), 0)).collect();
        let is_any = self.types.iter().any(|(is_asked, _)| *is_asked);
        self.questions = if is_any { self.asks.clone() } else { Vec::new() };
        is_any
    }

    fn judges(&self, ty: TypeIdx) -> bool {
        let (is_asked, n_before) = self.types[ty.index()];
        is_asked && n_before < self.most.0
    }

    /// Follows the elements in all calls on a structure, if it is one of the first of its type.
    fn on_structure(&mut self, structure: &mut StructureView<'_, '_>, verdicts: &mut Verdicts<'_>) {
        let (id, ty, plan) = (structure.id, structure.ty, structure.plan());
        self.ask_constructors(plan, verdicts);
        self.types[ty.index()].1 += 1;
        let recipe = structure.structures.recipe(id);
        let sequence = if recipe.is_none() { structure.structures.sequence(id) } else { None };
        let building = match (&recipe, &sequence) {
            (Some(recipe), _) => BuildingCalls::Recipe(recipe),
            (None, Some(sequence)) => BuildingCalls::Sequence(sequence),
            (None, None) => return,
        };
        if !verdicts.begin(0, id) {
            return;
        }
        // A problem of the calls that build it was reported for the last of them.
        if let Some(ElementFate { census, .. }) = follow(plan, &building.sequence(plan), None)
            && census.dropped_again == 0
        {
            let leaks = census.alive > 0;
            let followed = FollowedStructure { id, ty, building, leaks };
            self.ask_calls(plan, Some(followed), verdicts);
        }
    }

    fn finish(&mut self, structures: &mut Structures<'_>, verdicts: &mut Verdicts<'_>) {
        self.ask_constructors(structures.plan, verdicts);
    }

    fn memory(&self) -> Vec<u64> {
        let types = self.types.iter().map(|(_, n_before)| *n_before as u64);
        std::iter::once(u64::from(self.is_begun)).chain(types).collect()
    }

    fn recall(&mut self, memory: &[u64]) {
        let Some((is_begun, types)) = memory.split_first() else { return };
        self.is_begun = *is_begun != 0;
        let known = self.types.iter_mut().zip(types);
        known.for_each(|((_, n_before), known)| *n_before = *known as usize);
    }
}

/// The witness of a call whose structures are all built by one recipe.
pub(crate) fn witness_of(
    plan: &Plan,
    (planned, tuple): (PlannedIdx, usize),
    structure: Option<&Recipe>,
) -> Witness {
    Witness::of_call(call(plan, planned, tuple, structure))
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
    let Some(ElementFate { census, has_returned, .. }) = follow(plan, sequence, None) else {
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

fn of_call(plan: &Plan, planned: PlannedIdx, tuple: usize, built: Option<&Recipe>) -> Sequence {
    Sequence::of_call(&plan.suite, &call(plan, planned, tuple, built))
}

/// A call whose structures are all built by one sequence, each by itself.
pub(crate) fn call_on(
    plan: &Plan,
    planned: PlannedIdx,
    tuple: usize,
    building: &Sequence,
) -> Sequence {
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

/// The contracts about elements in calls, in the order of all contracts.
const OF_ELEMENTS: [Contract; 4] = [
    ELEMENTS_DROPPED,
    ELEMENTS_DROPPED_ONCE,
    ELEMENTS_SURVIVE_PANICS,
    ELEMENTS_SURVIVE_DROP_PANICS,
];

/// Returns whether the contract of that name is about the elements in calls.
pub(crate) fn is_of_elements(name: &str) -> bool {
    OF_ELEMENTS.iter().any(|contract| contract.name == name)
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
) -> Option<ElementFate> {
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
    Some(ElementFate { census: watch.census(), has_returned, uses, drops, panicked })
}

/// Returns whether some fault of an element, in the last call of a sequence or in the final drop,
/// causes a double drop.
pub(crate) fn has_fatal_fault(
    plan: &Plan,
    sequence: &Sequence,
    fault: fn(u64) -> ElementFault,
) -> bool {
    let Some(ElementFate { uses, drops, .. }) = follow(plan, sequence, None) else { return false };
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

#[cfg(test)]
mod tests;
