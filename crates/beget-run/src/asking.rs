//! Oracles asked about the structures of a run, level by level.
//!
//! When a level is complete, all oracles are asked about its structures, in the order of their
//! numbers; so a run can end with the first level that shows a failure of any kind. What is left
//! when the run is over, since a limit has ended it within a level, is asked then. The answers are
//! the same either way: an oracle sees the same structures in the same order.
//!
//! All that is asked runs the subject's code, on a thread of its own or, where the host lends
//! workers, in one of these. Structures are asked about by chunks. Where asking ends the thread or
//! the process, that is a finding; oracles go on from what they had said and remembered before the
//! chunk, and do not ask that question about that structure again.

mod answers;
mod session;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::panic::resume_unwind;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use beget_engine::store::{Store, StoreError, StructureId};
use beget_engine::{Corpus, Interim, StoreView};
use beget_oracle::rep_ok::RepOks;
use beget_oracle::{BreachGroup, BreachPart, Matter, Oracle, SparedQuestions, Tally};
use beget_plan::finding::{Kind, Problem, StopReason};
use beget_plan::scope::{Plan, PlannedIdx};
use beget_process::guard::{
    CallInProgress, OWN_WORK_FACTOR, ThreadStop, is_exit_taken, run_leavable,
};
use beget_suite::{StateKind, TypeIdx, to_source};

pub(crate) use answers::of_answers;
pub use session::{BorrowedStructures, OracleSession};

use crate::ask_job::{AskError, AskJob, LevelEnds, OracleProgress};
use crate::checked::CheckRun;
use crate::waiting::{AskedPlace, Current, Observation, STACK_SIZE, ThreadLooks};
use crate::{OracleSet, Questions, Watch};

/// The number of structures of a chunk. All are asked about once more if one of them ends
/// the thread or the process.
const CHUNK: u64 = 1 << 11;

/// The threads or processes that a question may end before it is asked no more.
const MOST_DEATHS: usize = 2;

/// The oracles of a run, and what they have said so far.
pub(crate) struct Asking<'a> {
    watch: &'a Watch<'a>,
    set: &'a OracleSet,
    state: RefCell<AskingState>,
}

/// How far asking has come.
#[derive(Default)]
struct AskingState {
    oracles: Option<Vec<AskedOracle>>,
    /// Structures so far.
    n_asked: u64,
    /// Those that cannot be made, copied or dropped without harm.
    left_out: BTreeSet<u64>,
    /// The questions that have ended a thread or process, as often as they did: each by the
    /// positions of its oracle and of itself.
    deadly: Vec<[usize; 2]>,
    /// True if only oracles are asked that make no values.
    is_of_forms: bool,
    /// Why nothing more is asked.
    stopped: Option<StopReason>,
    failure: Option<StoreError>,
    /// Sentences on questions that are asked no more.
    omissions: Vec<String>,
}

/// An oracle with its answers.
pub(crate) struct AskedOracle {
    pub(crate) oracle: Box<dyn Oracle>,
    pub(crate) tally: Tally,
    spared: SparedQuestions,
}

/// The answers of all oracles.
pub(crate) struct OracleAnswers {
    pub(crate) oracles: Vec<AskedOracle>,
    /// Why it ended early.
    pub(crate) stopped: Option<StopReason>,
    /// Sentences on questions that were asked no more after some time: then not all was asked.
    pub(crate) omissions: Vec<String>,
}

/// The oracles that ask repOKs.
pub(crate) fn rep_oks(asked: &[AskedOracle]) -> impl Iterator<Item = &AskedOracle> {
    asked.iter().filter(|one| one.is_of_forms())
}

/// All others.
pub(crate) fn others(asked: &[AskedOracle]) -> impl Iterator<Item = &AskedOracle> {
    asked.iter().filter(|one| !one.is_of_forms())
}

impl AskedOracle {
    /// The oracles of a set that apply to a plan.
    fn applying(set: &OracleSet, plan: &Plan) -> Vec<AskedOracle> {
        let applying = set.make().into_iter().filter_map(|mut oracle| {
            let applies = oracle.applies(plan);
            let tally = applies.then(|| Tally::of(oracle.questions()))?;
            Some(AskedOracle { oracle, tally, spared: SparedQuestions::new() })
        });
        applying.collect()
    }

    /// Returns whether it looks at forms alone, and makes no values.
    fn is_of_forms(&self) -> bool {
        self.oracle.name() == RepOks::NAME
    }

    fn progress(&self) -> OracleProgress {
        let AskedOracle { oracle, tally, spared, .. } = self;
        OracleProgress { tally: tally.clone(), memory: oracle.memory(), spared: spared.clone() }
    }

    fn adopt(&mut self, OracleProgress { tally, memory, spared }: OracleProgress) {
        self.oracle.recall(&memory);
        (self.tally, self.spared) = (tally, spared);
    }
}

impl<'a> Asking<'a> {
    /// Before the first level.
    pub(crate) fn new(watch: &'a Watch<'a>, set: &'a OracleSet) -> Self {
        Asking { watch, set, state: RefCell::default() }
    }

    /// Asks about what is left of a run, and ends.
    pub(crate) fn finish(self, corpus: &Corpus) -> Result<OracleAnswers, StoreError> {
        // A run by memory is made several times; the one that counts may not be the last.
        if corpus.plan.state() == StateKind::Bytes {
            self.begin();
        }
        let state = &mut *self.state.borrow_mut();
        let is_begun = state.oracles.is_some();
        if corpus.report.stop_reason == StopReason::CopiesDiffer {
            // What copies have spoilt proves nothing of values.
            let applying = || AskedOracle::applying(self.set, &corpus.plan);
            let oracles = state.oracles.get_or_insert_with(applying);
            oracles.retain(AskedOracle::is_of_forms);
            state.is_of_forms = true;
        }
        if state.stopped.is_none() && (!is_begun || state.n_asked < corpus.store.len()) {
            self.ask_rest(corpus, false, state)?;
        }
        let has_values = !state.is_of_forms && state.failure.is_none();
        if has_values && state.stopped.is_none() && !corpus.report.merged.is_empty() {
            self.ask_rest(&corpus.with_merged(), true, state)?;
        }
        match state.failure.take() {
            Some(error) => Err(error),
            None => {
                let oracles = state.oracles.take().unwrap_or_default();
                let omissions = std::mem::take(&mut state.omissions);
                Ok(OracleAnswers { oracles, stopped: state.stopped, omissions })
            }
        }
    }

    /// Asks about all structures that were not asked about yet, or the merged values behind them.
    fn ask_rest<S: Store>(
        &self,
        corpus: &Corpus<S>,
        are_merged: bool,
        state: &mut AskingState,
    ) -> Result<(), StoreError> {
        let n_structures = corpus.store.len();
        let applying = || AskedOracle::applying(self.set, &corpus.plan);
        if state.oracles.get_or_insert_with(applying).is_empty() {
            state.n_asked = n_structures;
            return Ok(());
        }
        // Why the run should have ended while asking died: the chunk is asked to its end all the
        // same.
        let mut due = None;
        loop {
            let end = n_structures.min(state.n_asked.saturating_add(CHUNK));
            let before: Vec<OracleProgress> =
                state.oracles.iter().flatten().map(AskedOracle::progress).collect();
            let asked = match self.watch.workers() {
                Some(_) => self.ask_elsewhere(corpus, (end, are_merged), &before, state),
                None => self.ask_here(corpus, (end, are_merged), state)?,
            };
            match asked {
                Ok(n_asked) => state.n_asked = n_asked,
                Err(AskError::Died { at, problem }) => {
                    due = due.or(state.stopped);
                    self.go_on_after(corpus, (at, *problem), before, state)?;
                    // A thread that stands in `exit` keeps the next one from being noticed.
                    if !is_exit_taken() {
                        continue;
                    }
                    state.stopped = Some(StopReason::LeftOut);
                }
                Err(AskError::Impossible(reason)) => return Err(StoreError::Failed(reason)),
            }
            state.stopped = state.stopped.or(due);
            if state.n_asked == n_structures || state.stopped.is_some() {
                return Ok(());
            }
        }
    }

    /// Asks about the structures up to number `end`, on a thread that can be left. The number of
    /// the next one.
    fn ask_here<S: Store>(
        &self,
        corpus: &Corpus<S>,
        (end, are_merged): (u64, bool),
        state: &mut AskingState,
    ) -> Result<Result<u64, AskError>, StoreError> {
        let AskingState { oracles, n_asked, left_out, .. } = state;
        let asked = oracles.as_mut().expect("it is asked");
        let (stopped, current) = (OnceLock::new(), Current::default());
        let questions = QuestionsOfOracles::new(corpus, &current, asked);
        let is_last = end == corpus.store.len();
        let chunk = session::AskedChunk { first: *n_asked, end, is_last, are_merged };
        let mut died = None;
        let (mut looks, mut standing) = (ThreadLooks::default(), StandingQuestion::default());
        let work = || {
            let _stop = current.stop_at_end();
            let is_stopped = || stopped.get().is_some();
            session::ask_all(corpus, chunk, asked, left_out, &current, &is_stopped)
        };
        let ran = run_leavable(STACK_SIZE, work, &mut |thread| {
            if let Some(end) = current.end() {
                died.get_or_insert_with(|| {
                    let at = current.place();
                    let message = format!("{} {end}", questions.culprit(at));
                    AskError::Died { at, problem: Problem::new(Kind::Crash, message).into() }
                });
                current.tell_end();
            }
            if !looks.count() {
                return;
            }
            if cfg!(target_os = "linux")
                && died.is_none()
                && standing.is_given_up(self.watch, &current)
            {
                let at = current.place();
                let problem = hang_problem(at, &questions.culprit(at));
                died = Some(AskError::Died { at, problem: problem.into() });
                looks.begin_stop();
                thread.stop();
            }
            if !looks.is_stopping() {
                self.look(corpus, &questions, &stopped);
            }
        });
        let ran =
            ran.map_err(|error| StoreError::Failed(format!("no thread can be started: {error}")))?;
        state.stopped = stopped.get().copied();
        match ran {
            Ok(asked) => asked.unwrap_or_else(|panic| resume_unwind(panic)).map(Ok),
            Err(ThreadStop) => {
                // The thread stands in the middle of them.
                std::mem::forget(state.oracles.take());
                Ok(Err(died.expect("it was told to stop")))
            }
        }
    }

    /// Like [`Asking::ask_here`], in a process of the host's.
    fn ask_elsewhere<S: Store>(
        &self,
        corpus: &Corpus<S>,
        (end, are_merged): (u64, bool),
        before: &[OracleProgress],
        state: &mut AskingState,
    ) -> Result<u64, AskError> {
        let asked = state.oracles.as_mut().expect("it is asked");
        let (stopped, current) = (OnceLock::new(), Current::default());
        let questions = QuestionsOfOracles::new(corpus, &current, asked);
        let form_of = |id| corpus.store.form(StructureId::new(id));
        let forms: Result<Vec<_>, StoreError> = (state.n_asked..end).map(form_of).collect();
        let names = questions.names.clone();
        let culprit = move |at: AskedPlace| culprit_of(&names, at);
        let is_given_up = AtomicBool::new(false);
        let mut standing = StandingQuestion::default();
        let job = AskJob {
            plan: &corpus.plan,
            recipes: &corpus.store,
            form_of: &form_of,
            first: state.n_asked,
            forms: forms.map_err(|error| AskError::Impossible(error.to_string()))?,
            is_last: end == corpus.store.len(),
            are_merged,
            progress: before.to_vec(),
            left_out: &state.left_out,
            culprit: &culprit,
            current: &current.note,
            is_given_up: &is_given_up,
        };
        let mut wait = || {
            // The process that asks has its own limits; here only the end of the run counts.
            if self.watch.due_for_questions().is_some()
                && standing.is_given_up(self.watch, &current)
            {
                is_given_up.store(true, Relaxed);
            }
            if !is_given_up.load(Relaxed) {
                self.look(corpus, &questions, &stopped);
            }
        };
        let workers = self.watch.workers().expect("there are some");
        let progress = workers.ask(&job, &mut wait);
        state.stopped = stopped.get().copied();
        asked.iter_mut().zip(progress?).for_each(|(one, progress)| one.adopt(progress));
        Ok(end)
    }

    /// The check if the run stopped now.
    fn answers<'r>(
        &self,
        mut corpus: Corpus<StoreView<'r>>,
    ) -> Result<CheckRun<StoreView<'r>>, StoreError> {
        // Calls are made, so nothing is asked.
        let state = self.state.try_borrow();
        let omissions = state.as_ref().map(|state| state.omissions.clone()).unwrap_or_default();
        omissions.into_iter().for_each(|one| corpus.report.ledger.add_omission(one));
        let asked = state.as_ref().ok().and_then(|state| state.oracles.as_deref());
        let asked = asked.unwrap_or_default();
        let has_subject = rep_oks(asked).next().is_some();
        of_answers(corpus, has_subject, asked)
    }

    /// Lets the host look on, and asks whether to stop.
    fn look<S: Store>(
        &self,
        corpus: &Corpus<S>,
        questions: &QuestionsOfOracles<'_, S>,
        stopped: &OnceLock<StopReason>,
    ) {
        self.watch.wait_for_answer(questions);
        if let Some(reason) = self.watch.stop_reason(corpus.store.bytes()) {
            stopped.get_or_init(|| reason);
        }
    }

    /// Goes on from `before` a chunk in which asking died at a place: that is a finding, and what
    /// was asked there is not asked again.
    fn go_on_after<S: Store>(
        &self,
        corpus: &Corpus<S>,
        (at, problem): (AskedPlace, Problem),
        before: Vec<OracleProgress>,
        state: &mut AskingState,
    ) -> Result<(), StoreError> {
        let is_known =
            |matter: &Matter| matter.structure().is_none_or(|id| id < corpus.store.len());
        let Some(matter) = at.matter.filter(is_known) else {
            return Err(died_otherwise(&problem));
        };
        let mut oracles = AskedOracle::applying(self.set, &corpus.plan);
        oracles.retain(|one| !state.is_of_forms || one.is_of_forms());
        for (one, progress) in oracles.iter_mut().zip(before) {
            one.adopt(progress);
        }
        let ty = match matter {
            Matter::Type(ty) => ty,
            _ => matter
                .structure()
                .map_or(Ok(TypeIdx::new(0)), |id| corpus.type_of(StructureId::new(id)))?,
        };
        match at.question.filter(|[oracle, _]| *oracle < oracles.len()) {
            Some(place @ [oracle, question]) => {
                let is_hang = problem.kind == Kind::Hang;
                let rest = state.after_death(place, matter, is_hang);
                if let Some(rest) = &rest {
                    let AskedOracle { oracle, tally, .. } = &oracles[oracle];
                    let (noun, name) = (oracle.name(), tally.questions[question].name);
                    let what = rest.sentence(&corpus.plan, is_hang);
                    state.omissions.push(format!("the {noun} `{name}` {what}"));
                }
                let rest = rest.map(|rest| rest.spared());
                oracles[oracle].add_death(question, problem, (ty, matter));
                oracles[oracle].spare(question, matter, rest);
            }
            None => {
                let Some(id) = at.id() else { return Err(died_otherwise(&problem)) };
                state.left_out.insert(id);
                let breach = BreachGroup::of_structure(0, problem, ty, id);
                let values = oracles.iter_mut().find(|one| !one.is_of_forms());
                let part = part_of(ty, Matter::Structure(id));
                values.into_iter().for_each(|one| one.tally.add(part.clone(), breach.clone()));
            }
        }
        state.oracles = Some(oracles);
        Ok(())
    }
}

/// Why there are no answers if asking died while it was about no structure and asked no question.
fn died_otherwise(problem: &Problem) -> StoreError {
    StoreError::Failed(format!("asking died between two structures: {problem}"))
}

/// The part of a death.
fn part_of(ty: TypeIdx, matter: Matter) -> BreachPart {
    let (number, clause) = match matter {
        Matter::Call(_, (planned, _)) => (planned.index(), "the end of the process in a call"),
        _ => (ty.index(), "the end of the process"),
    };
    BreachPart { number: number as u64, clause: clause.into() }
}

/// Questions that are not asked any more after one of their kind was deadly.
enum UnaskedRest {
    /// Of calls of a method.
    OfMethod(PlannedIdx),
    /// Of structures from this number on.
    From(u64),
}

impl UnaskedRest {
    fn spared(&self) -> Option<Matter> {
        match self {
            UnaskedRest::OfMethod(planned) => Some(Matter::Method(*planned)),
            UnaskedRest::From(_) => None,
        }
    }

    /// The predicate of a sentence about the question.
    fn sentence(&self, plan: &Plan, is_hang: bool) -> String {
        let how = if is_hang { "did not return" } else { "ended its process" };
        match self {
            UnaskedRest::OfMethod(planned) => {
                let method = plan.method(*planned).name;
                format!("{how} in a call of `{method}`: of that method it was asked no more")
            }
            UnaskedRest::From(id) => {
                let twice = if is_hang { "" } else { " twice" };
                format!("{how}{twice}: from structure {id} on it was asked no more")
            }
        }
    }
}

impl AskingState {
    /// Counts a death by a question, and says which of its kind are not asked any more: those of
    /// the same method at once, those of structures after the second death or a hang.
    fn after_death(
        &mut self,
        place: [usize; 2],
        matter: Matter,
        is_hang: bool,
    ) -> Option<UnaskedRest> {
        match matter {
            Matter::Call(_, (planned, _)) | Matter::Method(planned) => {
                Some(UnaskedRest::OfMethod(planned))
            }
            Matter::Type(_) => None,
            Matter::Structure(id) => {
                self.deadly.push(place);
                let n_deaths = self.deadly.iter().filter(|deadly| **deadly == place).count();
                (is_hang || n_deaths >= MOST_DEATHS).then_some(UnaskedRest::From(id))
            }
        }
    }
}

impl AskedOracle {
    /// A question about a matter has ended the thread or process that asked it.
    fn add_death(&mut self, question: usize, problem: Problem, (ty, matter): (TypeIdx, Matter)) {
        let breach = BreachGroup {
            question,
            problem: problem.with_name(self.tally.questions[question].name),
            count: 0,
            ty,
            ids: matter.structure().into_iter().collect(),
            literal: None,
            call: if let Matter::Call(_, call) = matter { Some(call) } else { None },
        };
        self.tally.add_broken(question, part_of(ty, matter), || breach);
    }

    /// Does not ask a question about a matter again, nor about the `rest`.
    fn spare(&mut self, question: usize, matter: Matter, rest: Option<Option<Matter>>) {
        self.spared.insert((question, Some(matter)));
        self.spared.extend(rest.map(|rest| (question, rest)));
    }
}

impl LevelEnds for Asking<'_> {
    fn begin(&self) {
        *self.state.borrow_mut() = AskingState::default();
    }

    fn so_far<'r>(
        &self,
        corpus: Corpus<StoreView<'r>>,
    ) -> Result<CheckRun<StoreView<'r>>, StoreError> {
        self.answers(corpus)
    }

    fn end_level<'r>(&self, interim: &dyn Fn() -> Interim<'r>) -> Result<bool, StopReason> {
        let corpus = interim().corpus(StopReason::Interrupted);
        let state = &mut *self.state.borrow_mut();
        if state.n_asked >= corpus.store.len() || corpus.plan.state() == StateKind::Bytes {
            return Ok(false);
        }
        if let Err(error) = self.ask_rest(&corpus, false, state) {
            let reason = error.clone().into();
            (state.stopped, state.failure) = (Some(reason), Some(error));
        }
        match state.stopped {
            Some(reason) => Err(reason),
            None => {
                let mut tallies = state.oracles.iter().flatten().map(|one| &one.tally);
                Ok(tallies.any(|tally| tally.n_broken() > 0))
            }
        }
    }
}

/// The question in progress, and since when.
#[derive(Default)]
struct StandingQuestion {
    seen: Observation<CallInProgress>,
}

impl StandingQuestion {
    /// Looks at the question in progress. Returns whether it is not to be waited for any longer:
    /// it takes more than its time, or the run should have ended.
    fn is_given_up(&mut self, watch: &Watch<'_>, current: &Current) -> bool {
        let (now, due) = (watch.seconds(), watch.due_for_questions());
        let note = current.note.read();
        let is_own_work = note.method.is_none();
        if self.seen.look(now, vec![note], due).is_some_and(|(_, standing)| !standing.is_empty()) {
            return true;
        }
        let factor = if is_own_work { f64::from(OWN_WORK_FACTOR) } else { 1.0 };
        let is_long = |most| !self.seen.longer_than(now, most * factor).is_empty();
        watch.question_seconds().is_some_and(is_long)
    }
}

/// The problem of a question that does not return, or of a structure that cannot be made for one.
fn hang_problem(at: AskedPlace, culprit: &str) -> Problem {
    match at.question {
        Some(_) => Problem::new(Kind::Hang, format!("{culprit} does not return: it was stopped")),
        None => Problem::left_out(culprit),
    }
}

/// Of each oracle, its name and those of its questions.
type QuestionNames = Vec<(&'static str, Vec<&'static str>)>;

/// The questions of a run: one at most at a time.
struct QuestionsOfOracles<'c, S> {
    corpus: &'c Corpus<S>,
    current: &'c Current,
    names: QuestionNames,
}

impl<'c, S: Store> QuestionsOfOracles<'c, S> {
    fn new(corpus: &'c Corpus<S>, current: &'c Current, asked: &[AskedOracle]) -> Self {
        let names = asked.iter().map(|one| (one.oracle.name(), one.oracle.questions()));
        QuestionsOfOracles { corpus, current, names: names.collect() }
    }

    fn culprit(&self, at: AskedPlace) -> String {
        culprit_of(&self.names, at)
    }
}

/// The work at a place, for people.
fn culprit_of(names: &QuestionNames, at: AskedPlace) -> String {
    let named = at.question.and_then(|[oracle, question]| {
        let (noun, names) = names.get(oracle)?;
        Some(format!("asking the {noun} `{}`", names.get(question)?))
    });
    named.unwrap_or_else(|| "making, copying or dropping the structure".to_owned())
}

impl<S: Store> Questions for QuestionsOfOracles<'_, S> {
    fn noun(&self) -> &'static str {
        let asked = self.current.place().question;
        let asked = asked.and_then(|[oracle, _]| self.names.get(oracle));
        asked.map_or("contract", |(noun, _)| noun)
    }

    fn runs(&self) -> Vec<[u64; 2]> {
        self.current.get()
    }

    fn source(&self, run: [u64; 2]) -> Option<String> {
        let at = AskedPlace::of_run(run);
        let [oracle, question] = at.question?;
        let name = self.names.get(oracle)?.1.get(question)?;
        let Some(id) = at.id() else { return Some(format!("`{name}`")) };
        let recipe = self.corpus.recipe(StructureId::new(id)).ok()?;
        let (source, _) = to_source(&self.corpus.plan.suite, &recipe);
        Some(format!("`{name}` on the structure {source}"))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use beget_engine::Run;
    use beget_plan::scope::Budget;

    use super::*;
    use crate::Host;
    use crate::random::tests::{pen_input, pens};

    /// A host whose time is set. A question may take two seconds.
    #[derive(Default)]
    struct SetClock {
        seconds: Cell<f64>,
    }

    impl Host for SetClock {
        fn seconds(&self) -> f64 {
            self.seconds.get()
        }

        fn question_seconds(&self) -> Option<f64> {
            Some(2.0)
        }
    }

    #[test]
    fn nothing_is_asked_yet_when_a_run_begins_anew() {
        let (host, set) = (SetClock::default(), OracleSet::of(&pen_input(""), &[]));
        let watch = Watch::new(Budget::default(), &host);
        let asking = Asking::new(&watch, &set);
        asking.state.borrow_mut().n_asked = 7;
        LevelEnds::begin(&asking);
        assert_eq!(asking.state.borrow().n_asked, 0);
    }

    #[test]
    fn making_a_structure_may_take_longer_than_a_question() {
        let host = SetClock::default();
        let watch = Watch::new(Budget::default(), &host);
        let seconds_until_given_up = |current: &Current| {
            let mut standing = StandingQuestion::default();
            let mut half_seconds = 0..200;
            let given_up = half_seconds.find(|&n| {
                host.seconds.set(f64::from(n) / 2.0);
                standing.is_given_up(&watch, current)
            });
            f64::from(given_up.unwrap()) / 2.0
        };
        let current = Current::default();
        current.begin(StructureId::new(0));
        assert_eq!(seconds_until_given_up(&current), 2.0 * f64::from(OWN_WORK_FACTOR));
        current.set(Matter::Structure(0), [0, 0]);
        assert_eq!(seconds_until_given_up(&current), 2.0);
    }

    #[test]
    fn the_question_in_progress_is_the_only_one() {
        let (corpus, current) = (Run::new(pens("")).go(), Current::default());
        let questions = QuestionsOfOracles::new(&corpus, &current, &[]);
        assert_eq!(questions.runs(), [[0; 2]; 0]);
        current.set(Matter::Structure(7), [0, 3]);
        assert_eq!(questions.runs(), [[7, 3]]);
    }

    #[test]
    fn a_deadly_question_is_not_asked_about_the_method_or_later_structures() {
        let plan = crate::random::tests::pens("");
        let mut state = AskingState::default();
        let mut after = |place, matter, is_hang| {
            let rest = state.after_death(place, matter, is_hang)?;
            Some((rest.sentence(&plan, is_hang), rest.spared()))
        };
        let write = PlannedIdx::new(1);
        let of_method =
            |how: &str| format!("{how} in a call of `write`: of that method it was asked no more");
        let spared = Some(Matter::Method(write));
        let ended = Some((of_method("ended its process"), spared));
        assert_eq!(after([0, 1], Matter::Call(Some(7), (write, 2)), false), ended);
        let hung = Some((of_method("did not return"), spared));
        assert_eq!(after([0, 1], Matter::Method(write), true), hung);
        assert_eq!(after([0, 1], Matter::Type(TypeIdx::new(0)), false), None);
        // Structures: at once after a hang, and after the second death of one question.
        let from = |how: &str, id: u64| {
            Some((format!("{how}: from structure {id} on it was asked no more"), None))
        };
        assert_eq!(after([1, 0], Matter::Structure(3), true), from("did not return", 3));
        assert_eq!(after([0, 2], Matter::Structure(4), false), None);
        assert_eq!(after([0, 3], Matter::Structure(5), false), None);
        let twice = from("ended its process twice", 6);
        assert_eq!(after([0, 2], Matter::Structure(6), false), twice);
    }

    #[test]
    fn a_death_in_a_call_is_no_part_of_that_of_a_structure() {
        let ty = TypeIdx::new(2);
        let part = |matter| {
            let BreachPart { number, clause } = part_of(ty, matter);
            (number, clause.to_string())
        };
        let call = Matter::Call(None, (PlannedIdx::new(5), 0));
        assert_eq!(part(call), (5, "the end of the process in a call".to_owned()));
        let of_type = (2, "the end of the process".to_owned());
        assert_eq!(
            [part(Matter::Structure(9)), part(Matter::Type(ty))],
            [of_type.clone(), of_type]
        );
    }
}
