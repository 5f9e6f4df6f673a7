//! The behaviour of a run's structures: for each one the calls that build it and the observer calls
//! on it, with their reproducible results.

mod behaviors;

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::rc::Rc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use beget_engine::store::{Origin, Store, StoreError, StructureId};
use beget_engine::{CallIdx, Corpus};
use beget_heap::{CanonicalForm, Encoder, FormCoding};
use beget_plan::finding::StopReason;
use beget_plan::scope::{Plan, PlannedIdx, PlannedMethod};
use beget_process::guard::guarded;
use beget_run::random::{CallVerdict, OutcomeSample, PooledSequence, with_literals};
use beget_suite::{
    Literal, MethodIdx, Operand, ParamKind, Passing, ReturnValue, Sequence, Statement, TypeIdx,
    Variable,
};

use beget_run::{
    MOST_LOOKS, RandomRun, Replay, ReplayError, Watch, literals_of, observed, on_watched_thread,
};

use behaviors::CallPool;
pub use behaviors::{Behavior, Behaviors, ObservedCall, ResultIdx, StatementIdx};

/// The most tuples of literals of a method that is called as an observer.
const MOST_TUPLES: usize = 16;

/// Runs the calls that build each of `structures` twice, and all methods of `plan` that take only
/// `&self` and few literals. `plan` is that of the run, or one of the same scope with more methods.
///
/// A result that differs is dropped, with all other results of that method; so is a method that
/// changes a structure, and a call that panics. A method that ends the process or does not return
/// on one of them is not called on any. The calls are made on a thread that may be left behind.
///
/// # Errors
///
/// If the store cannot read its contents.
pub fn behaviors<S: Store>(
    corpus: &Corpus<S>,
    plan: &Plan,
    structures: &[StructureId],
    watch: &Watch<'_>,
) -> Result<Behaviors, StoreError> {
    // A run that was stopped has its tests written all the same.
    let is_complete = corpus.report.is_complete();
    let stop_reason = || watch.stop_reason(corpus.store.bytes()).filter(|_| is_complete);
    study(plan, corpus.plan.coding(), &stop_reason, |study| {
        for &id in structures {
            if study.is_stopped() {
                break;
            }
            let Some(building) = study.building(corpus, id)? else { continue };
            let form = corpus.store.form(id)?;
            let ty = corpus.type_of_form(form.as_ref());
            study.look_at(id, &StudiedStructure { building, ty, form: &form });
        }
        Ok(())
    })
}

/// Like [`behaviors`], for at most `most` sequences of a random run, spread over all that are no
/// beginning of a longer one. Their numbers are their positions among these.
pub fn behaviors_by_chance(
    run: &RandomRun,
    plan: &Plan,
    most: usize,
    watch: &Watch<'_>,
) -> Behaviors {
    let maximal = run.pool.maximal();
    let n_chosen = most.min(maximal.len());
    let chosen = (0..n_chosen).map(|index| index * maximal.len() / n_chosen);
    let chosen: Vec<(usize, &PooledSequence)> = chosen.map(|at| (at, maximal[at])).collect();
    let steps = chosen.iter().flat_map(|(_, one)| one.fragment.to_steps());
    let plan = with_literals(plan.clone(), steps);
    // A run whose time is up has its tests written all the same.
    let is_done = matches!(run.stop_reason, StopReason::MaxCalls(_));
    let stop_reason = || watch.stop_reason(0).filter(|_| is_done);
    let found = study(&plan, run.plan.coding(), &stop_reason, |study| {
        for &(number, sequence) in &chosen {
            if study.is_stopped() {
                break;
            }
            let Some(offer) = sequence.offers.iter().min_by_key(|offer| offer.ty) else { continue };
            let statements = sequence.fragment.to_sequence(None).statements;
            let building = study.building_of(statements, offer.variable);
            let subject = StudiedStructure { building, ty: offer.ty, form: &offer.form };
            study.look_at(StructureId::new(number as u64), &subject);
        }
        Ok::<_, Infallible>(())
    });
    let Ok(found) = found;
    found
}

/// Has `look_at_all` look at structures on a thread of its own, anew for each call that ends that
/// thread or does not return: it is left out from then on.
fn study<E: Send>(
    plan: &Plan,
    coding: FormCoding<'_>,
    stop_reason: &dyn Fn() -> Option<StopReason>,
    look_at_all: impl Fn(&mut BehaviorStudy<'_>) -> Result<(), E> + Sync,
) -> Result<Behaviors, E> {
    let mut omitted = OmittedCalls::default();
    loop {
        let progress = StudyProgress::default();
        let work = || {
            let mut study = BehaviorStudy::new(plan, coding, &omitted, &progress);
            look_at_all(&mut study)?;
            Ok(study.finish())
        };
        let ask_to_stop = || {
            if let Some(reason) = stop_reason() {
                progress.stopped.get_or_init(|| reason);
            }
        };
        ask_to_stop();
        let (mut n_steps, mut n_looks) = (0, 0);
        let studied = on_watched_thread(work, &mut || {
            ask_to_stop();
            let now = progress.n_steps.load(Relaxed);
            n_looks = if now == n_steps { n_looks + 1 } else { 0 };
            n_steps = now;
            n_looks < MOST_LOOKS
        });
        match studied {
            Ok(found) => return found,
            Err(_) if omitted.add(&progress) => {}
            Err(_) => {
                let left_out = vec!["all structures: no thread can look at them".to_owned()];
                return Ok(Behaviors { left_out, ..Behaviors::default() });
            }
        }
    }
}

/// Calls that are not made again, since they end their thread or do not return.
#[derive(Debug, Default)]
struct OmittedCalls {
    /// Observers.
    methods: BTreeSet<MethodIdx>,
    /// Structures whose own calls do so.
    structures: BTreeSet<u64>,
}

impl OmittedCalls {
    /// Adds the call that was being made. Returns `false` if there was none.
    fn add(&mut self, progress: &StudyProgress) -> bool {
        match (progress.observer.load(Relaxed), progress.structure.load(Relaxed)) {
            (StudyProgress::NONE, StudyProgress::NONE) => false,
            (StudyProgress::NONE, id) => self.structures.insert(id as u64),
            (method, _) => self.methods.insert(MethodIdx::new(method)),
        }
    }

    fn notes(&self, plan: &Plan) -> Vec<String> {
        let methods = self.methods.iter().map(|&method| {
            let name = plan.suite.method(method).name;
            format!("what `{name}` returns: it ends the process or does not return")
        });
        let structures = self.structures.iter().map(|id| {
            format!("structure {id}: run again, its calls end the process or do not return")
        });
        methods.chain(structures).collect()
    }
}

/// The call that the thread of a study is making, for the thread that watches it.
#[derive(Debug)]
struct StudyProgress {
    n_steps: AtomicU64,
    structure: AtomicUsize,
    /// The observer, while one looks.
    observer: AtomicUsize,
    /// Why no more structures are looked at.
    stopped: OnceLock<StopReason>,
}

impl StudyProgress {
    const NONE: usize = usize::MAX;
}

impl Default for StudyProgress {
    fn default() -> Self {
        let [structure, observer] = [(); 2].map(|()| AtomicUsize::new(StudyProgress::NONE));
        StudyProgress { n_steps: AtomicU64::new(0), structure, observer, stopped: OnceLock::new() }
    }
}

/// The sequences of a random run that have tests.
#[derive(Clone, Copy, Debug)]
pub struct TestedSequences<'s> {
    /// Most sequences beside those that show each outcome of each method.
    pub most: usize,
    /// Methods that only look at a structure, whatever their signatures say.
    pub observers: &'s [String],
}

/// Like [`behaviors_by_chance`], with sequences before them that show each outcome of each method:
/// of each one the first that was met and the last, which has more calls before it.
pub fn behaviors_of_outcomes(
    run: &RandomRun,
    plan: &Plan,
    tested: TestedSequences<'_>,
    watch: &Watch<'_>,
) -> Behaviors {
    let others = behaviors_by_chance(run, plan, tested.most, watch);
    let steps = run.samples.iter().flat_map(|one| one.fragment.to_steps());
    let plan = with_literals(plan.clone(), steps);
    let is_done = run.is_done();
    let stop_reason = || others.stopped.or_else(|| watch.stop_reason(0).filter(|_| is_done));
    let found = study(&plan, run.plan.coding(), &stop_reason, |study| {
        study.add_observers(tested.observers);
        study.look_at_outcomes(&run.samples);
        Ok::<_, Infallible>(())
    });
    let Ok(mut found) = found;
    found.append(others);
    for (number, behavior) in (0..).zip(&mut found.all) {
        behavior.id = StructureId::new(number);
    }
    found
}

/// An outcome of a method: what became of the call, and how its result begins, if it has a plain
/// one.
type ShownOutcome = (PlannedIdx, CallVerdict, Option<String>);

/// The word that a result begins with, such as `Some` or `false`; of numbers and texts none.
fn head_of(result: &str) -> String {
    result.chars().take_while(|letter| letter.is_alphabetic()).collect()
}

/// Methods by their names that take a structure of the main type and few literals, and give no
/// structure.
fn named_observers<'p>(
    plan: &'p Plan,
    names: &[String],
) -> impl Iterator<Item = &'p PlannedMethod> {
    plan.methods.iter().filter(|planned| {
        let method = plan.suite.method(planned.method);
        let mut structures = method.structure_params();
        let is_named = names.iter().any(|name| name == method.name);
        let takes = structures.next();
        is_named
            && takes.is_some_and(|(ty, passing)| ty == TypeIdx::new(0) && passing == Passing::Mut)
            && structures.next().is_none()
            && method.outputs.is_empty()
            && method.call_observed.is_some()
            && planned.n_tuples() <= MOST_TUPLES
    })
}

/// The methods that can only look at structures of the main type, as far as signatures tell.
fn observers(plan: &Plan) -> Vec<&PlannedMethod> {
    let is_observer = |planned: &&PlannedMethod| {
        let method = plan.suite.method(planned.method);
        let mut structures = method.structure_params();
        structures.next() == Some((TypeIdx::new(0), Passing::Ref))
            && structures.next().is_none()
            && method.outputs.is_empty()
            && method.call_observed.is_some()
            && planned.n_tuples() <= MOST_TUPLES
    };
    plan.methods.iter().filter(is_observer).collect()
}

struct BehaviorStudy<'c> {
    plan: &'c Plan,
    omitted: &'c OmittedCalls,
    progress: &'c StudyProgress,
    observers: Vec<&'c PlannedMethod>,
    encoder: Encoder<'c>,
    /// Methods whose results varied.
    unstable: BTreeSet<MethodIdx>,
    /// Observers that have changed a structure.
    changing: BTreeSet<MethodIdx>,
    found: Behaviors,
    /// The literals of the statements of `found`, by their numbers; `None` if one is unknown.
    literals: Vec<Option<Vec<&'c Literal>>>,
    /// The last statements of recipes that extend another one.
    last_calls: BTreeMap<ExtendingCall, BuiltCall>,
    /// The observer calls on a structure in each variable.
    looks: BTreeMap<Variable, Rc<[StatementIdx]>>,
}

/// The last call of a recipe after one of another structure: its number, the variable of that
/// structure, and the number of variables before.
type ExtendingCall = (CallIdx, Variable, usize);

/// A statement of `BehaviorStudy::last_calls`, and the variable of the structure that it leaves.
type BuiltCall = (StatementIdx, Variable);

/// The statements that build a structure, and the variable that holds it.
struct Building {
    statements: Vec<StatementIdx>,
    n_variables: usize,
    variable: Variable,
}

/// A structure to observe: its calls, and its expected form.
struct StudiedStructure<'f> {
    building: Building,
    ty: TypeIdx,
    form: &'f CanonicalForm,
}

/// A structure that is built, with its calls and their results.
struct FirstReplay<'p> {
    replay: Replay<'p>,
    calls: Vec<ObservedCall>,
}

impl<'c> BehaviorStudy<'c> {
    /// Of structures whose forms are coded so.
    fn new(
        plan: &'c Plan,
        coding: FormCoding<'c>,
        omitted: &'c OmittedCalls,
        progress: &'c StudyProgress,
    ) -> Self {
        let mut observers = observers(plan);
        observers.retain(|planned| !omitted.methods.contains(&planned.method));
        BehaviorStudy {
            plan,
            omitted,
            progress,
            observers,
            encoder: Encoder::new(coding),
            unstable: BTreeSet::new(),
            changing: BTreeSet::new(),
            found: Behaviors::default(),
            literals: Vec::new(),
            last_calls: BTreeMap::new(),
            looks: BTreeMap::new(),
        }
    }

    /// The statements of a structure's recipe; `None` if its last call does not leave it.
    ///
    /// Most recipes are one of a structure that was looked at before and one more call, which other
    /// structures share. The twin without sharing is `Sequence::of_recipe`.
    fn building<S: Store>(
        &mut self,
        corpus: &Corpus<S>,
        id: StructureId,
    ) -> Result<Option<Building>, StoreError> {
        let Origin { call, arguments } = corpus.store.origin(id)?;
        let extended = match arguments[..] {
            [one] => self.building_before(one),
            _ => None,
        };
        let Some(mut building) = extended else {
            let Sequence { statements, result } = recipe_of(corpus, id)?;
            return Ok(result.map(|variable| self.building_of(statements, variable)));
        };
        let last_call = (call, building.variable, building.n_variables);
        let (statement, variable) = match self.last_calls.get(&last_call) {
            Some(known) => *known,
            None => {
                let Sequence { mut statements, result } = recipe_of(corpus, id)?;
                let (Some(last), Some(variable)) = (statements.pop(), result) else {
                    return Ok(None);
                };
                let built = (self.add_statement(last), variable);
                self.last_calls.insert(last_call, built);
                built
            }
        };
        let bindings = &self.found.pool.statement(statement).bindings;
        building.n_variables += bindings.len();
        building.statements.push(statement);
        Ok(Some(Building { variable, ..building }))
    }

    /// The statements of a structure that was looked at before.
    fn building_before(&self, id: StructureId) -> Option<Building> {
        let all = &self.found.all;
        let behavior = &all[all.binary_search_by_key(&id, |behavior| behavior.id).ok()?];
        let calls = &behavior.calls[..behavior.n_building];
        let mut statements = Vec::with_capacity(calls.len() + 1);
        statements.extend(calls.iter().map(|call| call.statement));
        Some(Building {
            n_variables: self.n_variables(&statements),
            statements,
            variable: behavior.variable,
        })
    }

    fn building_of(&mut self, statements: Vec<Statement>, variable: Variable) -> Building {
        let statements: Vec<_> =
            statements.into_iter().map(|statement| self.add_statement(statement)).collect();
        Building { n_variables: self.n_variables(&statements), statements, variable }
    }

    fn n_variables(&self, statements: &[StatementIdx]) -> usize {
        let pool = &self.found.pool;
        statements.iter().map(|statement| pool.statement(*statement).bindings.len()).sum()
    }

    fn add_statement(&mut self, statement: Statement) -> StatementIdx {
        self.literals.push(literals_of(self.plan, &statement));
        self.found.pool.add_statement(statement)
    }

    /// Returns whether the run must stop.
    fn is_stopped(&mut self) -> bool {
        self.found.stopped = self.progress.stopped.get().copied();
        self.found.stopped.is_some()
    }

    fn look_at(&mut self, id: StructureId, subject: &StudiedStructure<'_>) {
        if self.omitted.structures.contains(&id.number()) {
            return;
        }
        self.progress.structure.store(id.index(), Relaxed);
        match self.behavior(id, subject) {
            Some(behavior) => self.found.all.push(behavior),
            None => self.found.left_out.push(format!(
                "structure {}: run again, the same calls give another one",
                id.number()
            )),
        }
    }

    /// Looks with methods of these names too.
    fn add_observers(&mut self, names: &[String]) {
        let omitted = self.omitted;
        let named = named_observers(self.plan, names);
        self.observers.extend(named.filter(|one| !omitted.methods.contains(&one.method)));
    }

    /// Keeps the first and the last of the samples that show each outcome.
    fn look_at_outcomes(&mut self, samples: &[OutcomeSample]) {
        let mut by_outcome: BTreeMap<ShownOutcome, Vec<Behavior>> = BTreeMap::new();
        for (number, sample) in (0..).zip(samples) {
            if self.is_stopped() {
                break;
            }
            let OutcomeSample { method, verdict, fragment, variable, ty, form } = sample;
            let building = self.building_of(fragment.to_sequence(None).statements, *variable);
            let subject = StudiedStructure { building, ty: *ty, form };
            self.look_at(StructureId::new(number), &subject);
            // A result that is not the same every time is no outcome.
            self.found.left_out.clear();
            let Some(behavior) = self.found.all.pop() else { continue };
            let last = behavior.calls[behavior.n_building - 1].returned;
            let shown = last.map(|result| head_of(&self.found.result(result).to_string()));
            let outcome = (*method, *verdict, shown);
            let known = by_outcome.entry(outcome).or_default();
            known.truncate(1);
            known.push(behavior);
        }
        self.found.all = by_outcome.into_values().flatten().collect();
    }

    fn finish(mut self) -> Behaviors {
        let mut found = std::mem::take(&mut self.found);
        let Behaviors { all, pool, .. } = &mut found;
        all.iter_mut().for_each(|behavior| self.forget_unreliable(behavior, pool));
        found.left_out.extend(self.unreliable());
        found.left_out.extend(self.omitted.notes(self.plan));
        found
    }

    /// `None` if its calls do not build the structure again.
    fn behavior(&mut self, id: StructureId, subject: &StudiedStructure<'_>) -> Option<Behavior> {
        let mut first = self.build(subject)?;
        // All observe the main type.
        let is_main = subject.ty == TypeIdx::new(0);
        let looks = is_main.then(|| self.looks(subject.building.variable));
        for &statement in looks.iter().flat_map(|looks| &**looks) {
            let method = self.found.pool.statement(statement).method;
            if self.changing.contains(&method) {
                continue;
            }
            let seen = self.look(&mut first.replay, statement);
            if !self.is_there(subject, &first.replay) {
                self.changing.insert(method);
                first.replay = self.build(subject)?.replay;
            } else if let Ok(seen) = seen {
                first.calls.push(self.observed_call(statement, seen));
            }
        }
        self.repeat(subject, &first.calls)?;
        let Building { ref statements, variable, .. } = subject.building;
        Some(Behavior { id, variable, calls: first.calls, n_building: statements.len() })
    }

    fn observed_call(
        &mut self,
        statement: StatementIdx,
        returned: Option<ReturnValue>,
    ) -> ObservedCall {
        let pool = &mut self.found.pool;
        let method = pool.statement(statement).method;
        let returned = returned.map(|returned| pool.add_result(method, returned));
        ObservedCall { statement, returned }
    }

    fn step(
        &self,
        replay: &mut Replay<'_>,
        statement: StatementIdx,
    ) -> Result<Option<ReturnValue>, ReplayError> {
        let literals = self.literals[statement.index()].as_ref().ok_or(ReplayError::Impossible)?;
        replay.step_with(self.found.pool.statement(statement), literals, observed)
    }

    /// Makes a call that only looks, and notes that it is being made.
    fn look(
        &self,
        replay: &mut Replay<'_>,
        look: StatementIdx,
    ) -> Result<Option<ReturnValue>, ReplayError> {
        let method = self.found.pool.statement(look).method;
        self.progress.observer.store(method.index(), Relaxed);
        let seen = self.step(replay, look);
        self.progress.observer.store(StudyProgress::NONE, Relaxed);
        self.progress.n_steps.fetch_add(1, Relaxed);
        seen
    }

    /// The calls that may only look at the structure in `variable`.
    fn looks(&mut self, variable: Variable) -> Rc<[StatementIdx]> {
        if let Some(known) = self.looks.get(&variable) {
            return known.clone();
        }
        let mut looks = Vec::new();
        for planned in self.observers.clone() {
            for tuple in 0..planned.n_tuples() {
                looks.push(self.add_statement(look(self.plan, planned, tuple, variable)));
            }
        }
        let looks: Rc<[_]> = looks.into();
        self.looks.insert(variable, looks.clone());
        looks
    }

    /// Builds the structure.
    fn build(&mut self, subject: &StudiedStructure<'_>) -> Option<FirstReplay<'c>> {
        let Building { statements, n_variables, .. } = &subject.building;
        let mut replay = Replay::with_variables(self.plan, *n_variables);
        let mut calls = Vec::with_capacity(statements.len());
        for &statement in statements {
            let returned = self.step(&mut replay, statement).ok()?;
            calls.push(self.observed_call(statement, returned));
        }
        self.is_there(subject, &replay).then_some(FirstReplay { replay, calls })
    }

    /// Repeats all calls and notes the methods with different results. The first values still
    /// exist, so all addresses differ.
    fn repeat(&mut self, subject: &StudiedStructure<'_>, calls: &[ObservedCall]) -> Option<()> {
        let mut replay = Replay::with_variables(self.plan, subject.building.n_variables);
        for ObservedCall { statement, returned } in calls {
            let method = self.found.pool.statement(*statement).method;
            let again = match self.observers.iter().any(|one| one.method == method) {
                true => self.look(&mut replay, *statement),
                false => self.step(&mut replay, *statement),
            };
            let expected = returned.map(|returned| self.found.result(returned));
            let is_same = again.is_ok_and(|again| match (expected, again) {
                (Some(expected), Some(again)) => expected.looks_like(&again),
                (expected, again) => expected.is_none() && again.is_none(),
            });
            if !is_same {
                self.unstable.insert(method);
            }
        }
        self.is_there(subject, &replay).then_some(())
    }

    /// Returns whether the structure is as expected.
    fn is_there(&mut self, subject: &StudiedStructure<'_>, replay: &Replay<'_>) -> bool {
        let Some(value) = replay.value(subject.building.variable) else { return false };
        let ty = subject.ty;
        let walk = self.plan.suite.types[ty.index()].walk;
        let encoder = &mut self.encoder;
        let walked = guarded(|| {
            encoder.begin(ty.index() as u64);
            walk(value, encoder);
            encoder.finish().is_ok_and(|form| form == subject.form.as_ref())
        });
        walked.unwrap_or(false)
    }

    /// Removes unreliable results.
    fn forget_unreliable(&self, behavior: &mut Behavior, pool: &CallPool) {
        let n_building = behavior.n_building;
        let mut index = 0;
        behavior.calls.retain_mut(|call| {
            let method = &pool.statement(call.statement).method;
            let is_stable = !self.unstable.contains(method);
            let is_kept = is_stable && !self.changing.contains(method) && call.returned.is_some();
            call.returned = call.returned.filter(|_| is_stable);
            index += 1;
            index <= n_building || is_kept
        });
    }

    fn unreliable(&self) -> impl Iterator<Item = String> + '_ {
        let name = |method: &MethodIdx| self.plan.suite.method(*method).name;
        let unstable = self.unstable.iter().map(move |method| {
            format!("what `{}` returns: it is not the same every time", name(method))
        });
        let changing = self.changing.iter().map(move |method| {
            format!("`{}` on structures that are built: it changes them", name(method))
        });
        unstable.chain(changing)
    }
}

/// The calls of a structure's recipe.
fn recipe_of<S: Store>(corpus: &Corpus<S>, id: StructureId) -> Result<Sequence, StoreError> {
    Ok(Sequence::of_recipe(&corpus.plan.suite, &corpus.recipe(id)?))
}

/// An observer call with one tuple of literals.
fn look(plan: &Plan, planned: &PlannedMethod, tuple: usize, variable: Variable) -> Statement {
    let mut literals = planned.tuple(tuple).into_iter();
    let params = &plan.suite.method(planned.method).params;
    let arguments = params.iter().map(|param| match param.kind {
        ParamKind::Structure { .. } => Operand::Variable(variable),
        ParamKind::Literal { .. } => {
            let literal = literals.next().expect("a literal for each literal parameter");
            Operand::Literal(literal.source.clone())
        }
    });
    let arguments = arguments.collect();
    let (bindings, ends) = (Vec::new(), Vec::new());
    Statement { method: planned.method, arguments, bindings, ends, panics: false }
}

#[cfg(test)]
mod tests {
    #![allow(unreachable_pub, missing_docs, reason = "the types stand for those of a library")]

    use beget::{HasSuite as _, Heap};
    use beget_plan::scope::Overrides;
    use beget_run::{Catalog, Input};

    use super::*;

    #[derive(Clone, Debug, Default, Heap)]
    pub struct Padlock {
        turns: u8,
    }

    #[derive(Clone, Debug, Default, Heap)]
    pub struct Bolt {
        is_drawn: bool,
    }

    impl Padlock {
        pub fn new() -> Self {
            Padlock::default()
        }

        pub fn peek(&mut self) -> u8 {
            self.turns
        }

        pub fn turns(&self) -> u8 {
            self.turns
        }

        pub fn try_all(&mut self, code: u8) -> bool {
            self.turns == code
        }

        pub fn open(self) -> u8 {
            self.turns
        }

        pub fn copy(&mut self) -> Self {
            self.clone()
        }

        pub fn is_like(&mut self, other: &Padlock) -> bool {
            self.turns == other.turns
        }
    }

    impl Bolt {
        pub fn shut() -> Self {
            Bolt::default()
        }

        pub fn slide(&mut self) -> bool {
            self.is_drawn
        }
    }

    beget::suite! {
        #[name = "test::locks"]
        pub suite Padlocks {
            for Padlock {
                fn new() -> Self;
                fn peek(&mut self) -> u8;
                fn turns(&self) -> u8;
                fn try_all(&mut self, code: u8) -> bool;
                fn open(self) -> u8;
                fn copy(&mut self) -> Self;
                fn is_like(&mut self, other: &Padlock) -> bool;
            }
            for Bolt {
                fn shut() -> Self;
                fn slide(&mut self) -> bool;
            }
        }
    }

    fn plan() -> Plan {
        let text =
            r#"Scope(suite: "test::locks", k: 1, objects: {"*": "k"}, ints: "0..17")"#.to_owned();
        let input =
            Input::of_text("locks.ron", text, Catalog::new(vec![Padlocks::suite()])).unwrap();
        input.resolve(&Overrides::default()).unwrap().plan
    }

    /// Of the methods with `&mut self` of the main type, `try_all` takes more than 16 literals.
    #[test]
    fn methods_named_as_observers_take_the_main_type_alone_and_few_literals() {
        let plan = plan();
        let all = ["new", "peek", "turns", "try_all", "open", "copy", "is_like", "shut", "slide"]
            .map(str::to_owned);
        let named = |names: &[String]| -> Vec<&str> {
            named_observers(&plan, names).map(|one| plan.suite.method(one.method).name).collect()
        };
        assert_eq!(named(&all), ["peek"]);
        assert_eq!(named(&["slide".to_owned()]), [] as [&str; 0]);
    }

    #[test]
    fn a_result_begins_with_a_word_or_none() {
        let heads = ["Some(3)", "false", "-7", "\"text\"", "Ok"].map(head_of);
        assert_eq!(heads, ["Some", "false", "", "", "Ok"]);
    }

    #[test]
    fn all_is_left_out_if_the_work_itself_fails() {
        let plan = plan();
        let found = study(&plan, plan.coding(), &|| None, |_| -> Result<(), Infallible> {
            panic!("no structure can be looked at")
        });
        let Ok(found) = found;
        assert!(found.all.is_empty());
        assert_eq!(found.left_out, ["all structures: no thread can look at them"]);
    }
}
