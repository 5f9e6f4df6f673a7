//! A random run: sequences of calls drawn by chance, with contracts and repOKs.

mod merge;
mod rounds;

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::random::{
    FlakyCall, Fragment, InProgress, Judge, JudgedStructures, MinimizedFinding, NewStructure,
    OutcomeSample, RandomOptions, RandomOutcome, RandomReport, SequencePool, minimize_by,
    minimize_structure, plan_for, with_literals,
};
use beget_engine::Settings;
use beget_heap::view::BrokenClause;
use beget_oracle::rep_ok::{Checker, Predicate, Subject};
use beget_oracle::{
    BreachGroup, ContractTally, Desk, Oracle as _, Shelf, StructureSource, StructureView,
    Structures, Tally, Verdicts, contract_names,
};
use beget_plan::finding::{Finding, Problem, StopReason, USABLE_AFTER_PANIC, Witness};
use beget_plan::scope::Plan;
use beget_process::coverage::{CodeMarks, Coverage, MarkPlace, Session};
use beget_suite::{Sequence, TypeIdx, Variable};

use crate::elements::{Elements, breaks_again, call_on, is_of_elements, witness_of};
use crate::integers::with_int_ranges;
use crate::oracles::MAX_READS;
use rounds::{RandomRounds, RoundQuestions};

use crate::{Event, FailureTest, Input, Questions, RepOkSource, StructureQuestion, Watch};

pub use rounds::{Rehearsal, Rehearse, RoundSettings};

/// The result of a random run.
#[derive(Clone, Debug)]
pub struct RandomRun {
    /// The plan. The domains of its methods have the literals of all findings.
    pub plan: Plan,
    /// How it was drawn.
    pub options: RandomOptions,
    /// Counters, structures, what became of each method.
    pub report: RandomReport,
    /// Failures of calls, what matters most first, then broken contracts, then structures that
    /// repOKs reject; the calls of each are minimised.
    pub findings: Vec<Finding>,
    /// The names of the repOKs of the last findings, one for each.
    pub rejected_by: Vec<&'static str>,
    /// The contracts that apply.
    pub contracts: Vec<ContractTally>,
    /// The sequences that went well and left something new; none if the run did not come to its
    /// end.
    pub pool: SequencePool,
    /// Sequences whose last calls show what becomes of calls; none if the run did not come to its
    /// end.
    pub samples: Vec<OutcomeSample>,
    /// RandomRounds that were made.
    pub rounds: usize,
    /// Why it ended.
    pub stop_reason: StopReason,
    /// The marks in the code that it covered, if there are any.
    pub coverage: Option<MarkCoverage>,
    /// Notes for the user.
    pub notes: Vec<String>,
}

/// The marks in a suite's code that were covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkCoverage {
    /// Points that calls came by.
    pub blocks: usize,
    /// How many points there are.
    pub known: usize,
    /// Pairs of a point and of what was seen there.
    pub predicates: usize,
    /// The points that no call came by, with their places.
    pub uncovered: Vec<(usize, Option<MarkPlace>)>,
}

impl MarkCoverage {
    fn of(session: &Session) -> Self {
        let blocks = session.blocks();
        MarkCoverage {
            blocks: blocks.covered(),
            known: blocks.known().unwrap_or_default(),
            predicates: session.predicates().covered(),
            uncovered: session.uncovered(),
        }
    }
}

/// Makes a random run of `plan` on this process and one thread.
pub fn random(
    input: &Input<'_>,
    rep_oks: &[&Predicate],
    plan: Plan,
    options: RandomOptions,
    watch: &Watch<'_>,
) -> RandomRun {
    random_on(input, rep_oks, plan, options, RoundSettings::default(), watch)
}

/// Makes a random run of `plan`, and asks the contracts that the input does not turn off and
/// `rep_oks`, which are of its subject, about each structure that it meets.
///
/// The budget of calls is that of the options; the other limits are those of `watch`. A run that is
/// guided is so by what it covers of the marks too. It has rounds of as many calls as the options
/// say; what it comes to does not depend on `settings`.
pub fn random_on(
    input: &Input<'_>,
    rep_oks: &[&Predicate],
    plan: Plan,
    mut options: RandomOptions,
    settings: RoundSettings<'_>,
    watch: &Watch<'_>,
) -> RandomRun {
    let plan = match options.is_bounded {
        true => with_int_ranges(plan, Settings::default(), watch),
        false => plan_for(plan, &options),
    };
    let plan = plan.with(|draft| draft.follows_panics = input.asks_contract(USABLE_AFTER_PANIC));
    // Other runs that would note the same marks wait.
    let session = input.marks().map(CodeMarks::session);
    let covered = || session.as_ref().map(MarkCoverage::of);
    let predicates = session.as_ref().map(Session::predicates);
    if options.is_guided && predicates.is_some() {
        // A round is guided by what all calls before it have covered.
        options.round = u64::MAX;
    }
    let subject = input.subject().ok().filter(|_| !rep_oks.is_empty());
    let (of_elements, asked): (Vec<&str>, Vec<&str>) = contract_names()
        .into_iter()
        .filter(|name| input.asks_contract(name) && *name != USABLE_AFTER_PANIC)
        .partition(|name| is_of_elements(name));
    let coverage = predicates.as_ref().map(|predicates| predicates as &(dyn Coverage + Sync));
    let observer = watch.sequence_observer();
    let questions = RoundQuestions { subject, rep_oks, asked, of_elements, coverage, observer };
    // An observer sees the sequences in their order.
    let threads = if observer.is_some() { 1 } else { settings.threads };
    let settings = RoundSettings { threads, ..settings };
    let rounds = RandomRounds::new(&plan, &options, &questions, settings);
    let runs = RunsOfRandom { rounds: &rounds, covered: &covered };
    watch.report(Event::Begin);
    let mut wait = || {
        watch.wait_for_answer(&runs);
        if let Some(reason) = watch.check(rounds.progress()) {
            rounds.stop(reason);
        }
    };
    rounds.run(&mut wait);
    let run = rounds.merged();
    RandomRun { coverage: covered(), ..run }
}

impl RandomRun {
    /// The run that came to this, and to structures that repOKs reject.
    fn of(
        plan: Plan,
        options: RandomOptions,
        outcome: RandomOutcome,
        rejections: Vec<(&'static str, MinimizedFinding)>,
    ) -> Self {
        let RandomOutcome { report, failures, breaches, contracts, pool, .. } = outcome;
        let RandomOutcome { samples, stop_reason, notes, .. } = outcome;
        let (rejected_by, rejected): (Vec<_>, Vec<_>) = rejections.into_iter().unzip();
        let found = || failures.iter().chain(&breaches).chain(&rejected);
        let plan = with_literals(plan, found().flat_map(|one| &one.steps));
        let findings = found().map(|one| one.finding.clone()).collect();
        RandomRun {
            plan,
            options,
            report,
            findings,
            rejected_by,
            contracts,
            pool,
            samples,
            rounds: 1,
            stop_reason,
            coverage: None,
            notes,
        }
    }

    /// Returns whether the run made the calls that it was to make.
    pub fn is_done(&self) -> bool {
        matches!(self.stop_reason, StopReason::MaxCalls(_) | StopReason::NothingLeft)
    }

    /// The findings as tests, in order, but for those that end the process. The calls of each one
    /// that is asked for are made again, to see that it fails.
    pub fn failure_tests(&self, rep_oks: RepOkSource) -> impl Iterator<Item = FailureTest<'_>> {
        let n_others = self.findings.len() - self.rejected_by.len();
        let rep_ok_of = move |index: usize| {
            let rep_ok = index.checked_sub(n_others).map(|index| self.rejected_by[index]);
            let rep_ok = rep_ok.filter(|_| rep_oks == RepOkSource::Type);
            rep_ok.map(StructureQuestion::RepOk)
        };
        let test = move |(index, finding)| {
            FailureTest::of(&self.plan, finding, index + 1, rep_ok_of(index))
        };
        let is_survived = |(_, finding): &(usize, &Finding)| !finding.problem.kind.is_fatal();
        self.findings.iter().enumerate().filter(is_survived).map(test)
    }
}

/// The call that is being made, or what is asked after it.
#[derive(Debug)]
pub struct SequenceInProgress<'r> {
    /// The plan of the run.
    pub plan: &'r Plan,
    /// The sequence that runs.
    pub in_progress: &'r InProgress,
}

impl Questions for SequenceInProgress<'_> {
    fn noun(&self) -> &'static str {
        "call"
    }

    fn runs(&self) -> Vec<[u64; 2]> {
        vec![self.in_progress.numbers()]
    }

    fn source(&self, run: [u64; 2]) -> Option<String> {
        let sequence: Sequence = self.in_progress.sequence();
        let is_same = self.in_progress.numbers() == run && !sequence.statements.is_empty();
        is_same.then(|| sequence.to_source(&self.plan.suite).0)
    }

    fn ended(&self) -> Option<[u64; 2]> {
        self.in_progress.end().map(|_| self.in_progress.numbers())
    }
}

/// A random run in progress.
struct RunsOfRandom<'r> {
    rounds: &'r RandomRounds<'r>,
    covered: &'r dyn Fn() -> Option<MarkCoverage>,
}

impl Questions for RunsOfRandom<'_> {
    fn noun(&self) -> &'static str {
        "call"
    }

    fn runs(&self) -> Vec<[u64; 2]> {
        self.rounds
            .in_progress()
            .iter()
            .map(|(round, running)| numbers_of(*round, running))
            .collect()
    }

    fn source(&self, run: [u64; 2]) -> Option<String> {
        let all = self.rounds.in_progress();
        let (round, running) = all.iter().find(|(round, one)| numbers_of(*round, one) == run)?;
        let sequence: Sequence = running.sequence();
        let is_same = numbers_of(*round, running) == run && !sequence.statements.is_empty();
        is_same.then(|| sequence.to_source(&self.rounds.plan.suite).0)
    }

    fn ended(&self) -> Option<[u64; 2]> {
        let all = self.rounds.in_progress();
        let (round, running) = all.iter().find(|(_, running)| running.end().is_some())?;
        Some(numbers_of(*round, running))
    }

    fn so_far(&self, stop_reason: StopReason, endless: &[[u64; 2]]) -> Option<Box<dyn Any>> {
        let run = self.rounds.so_far(stop_reason, endless);
        Some(Box::new(RandomRun { coverage: (self.covered)(), ..run }))
    }
}

/// The round, the sequence and the call, by two numbers that no other call has.
fn numbers_of(round: usize, running: &InProgress) -> [u64; 2] {
    let [sequence, call] = running.numbers();
    [sequence, call | (round as u64) << 40]
}

/// The note of a run that did not reach its end.
const NOT_MINIMISED: &str =
    "findings are as they were found, and not minimised: the run did not come to its end";

/// The tallies of both in the order of the contracts.
fn in_order(mut tallies: Vec<ContractTally>, more: Vec<ContractTally>) -> Vec<ContractTally> {
    tallies.extend(more);
    let names = contract_names();
    tallies.sort_by_key(|tally| names.iter().position(|name| *name == tally.name));
    tallies
}

/// Follows the elements in calls on the first structures. These are made again by the calls that
/// lead to them, if their literals are all of the scope.
struct ElementJudge<'j> {
    plan: &'j Plan,
    elements: Elements,
    tally: Tally,
    is_stopped: &'j dyn Fn() -> bool,
    /// The calls that build the structures of breaches.
    origins: BTreeMap<u64, Sequence>,
}

/// A structure that a sequence builds.
struct BuiltStructure<'b>(&'b Sequence);

impl StructureSource for BuiltStructure<'_> {
    fn make(&mut self, _: u64) -> Option<Box<dyn Any>> {
        None
    }

    fn sequence(&mut self, _: u64) -> Option<Sequence> {
        Some(self.0.clone())
    }
}

impl<'j> ElementJudge<'j> {
    /// Asks those of the contracts that `asks`.
    fn new(plan: &'j Plan, asks: &dyn Fn(&str) -> bool, is_stopped: &'j dyn Fn() -> bool) -> Self {
        let mut elements = Elements::new(asks).of_few();
        elements.applies(plan);
        let mut tally = Tally::of(elements.questions());
        elements.ask_constructors(plan, &mut verdicts(&mut tally, is_stopped));
        ElementJudge { plan, elements, tally, is_stopped, origins: BTreeMap::new() }
    }

    /// How often each contract was asked, and what breaks one, minimised.
    fn finish(self) -> (Vec<ContractTally>, Vec<MinimizedFinding>) {
        let ElementJudge { plan, tally, origins, .. } = self;
        let minimized = |breach: &BreachGroup| {
            let BreachGroup { problem, count, ids, call, .. } = breach.clone();
            let call = call.expect("elements are followed in calls");
            let building = ids.first().and_then(|id| origins.get(id));
            let mut witness = match building {
                Some(building) => Witness::of_sequence(call_on(plan, call.0, call.1, building)),
                None => witness_of(plan, call, None),
            };
            let breaks = |sequence: &Sequence| breaks_again(plan, sequence, &problem);
            if let Some(calls) = witness.calls(&plan.suite)
                && let Some(fewer) = minimize_by(plan, &calls, &breaks)
            {
                witness = Witness::of_sequence(fewer);
            }
            let finding = Finding { problem, count, witness };
            MinimizedFinding { finding, steps: Vec::new() }
        };
        let found = tally.breaches().into_iter().map(|(_, one)| minimized(one)).collect();
        (tally.questions, found)
    }
}

fn verdicts<'v>(tally: &'v mut Tally, is_stopped: &'v dyn Fn() -> bool) -> Verdicts<'v> {
    Verdicts::new(tally, Desk { is_stopped, ..Desk::default() })
}

impl Judge for ElementJudge<'_> {
    fn judge(&mut self, structure: &mut NewStructure<'_>) {
        let NewStructure { id, ty, .. } = *structure;
        if !self.elements.judges(ty) {
            return;
        }
        let (fragment, variable) = (structure.origin)();
        let sequence = fragment.to_sequence(Some(variable));
        let (mut source, mut shelf) = (BuiltStructure(&sequence), Shelf::default());
        let structures = &mut Structures::new(self.plan, &mut source, &mut shelf);
        let n_before = self.tally.n_breaches();
        let verdicts = &mut verdicts(&mut self.tally, self.is_stopped);
        self.elements.on_structure(&mut StructureView { id, ty, structures }, verdicts);
        if self.tally.n_breaches() > n_before {
            self.origins.insert(id, sequence);
        }
    }

    fn n_found(&self) -> usize {
        self.tally.n_breaches()
    }
}

/// Asks repOKs about structures of the main type.
struct RepOkJudge<'j> {
    plan: &'j Plan,
    /// None if there are no repOKs to ask.
    checker: Option<Checker<'j>>,
    rep_oks: &'j [&'j Predicate],
    rejected: Vec<RejectedClause>,
}

/// Structures that a clause of a repOK rejects, with the calls of the first.
struct RejectedClause {
    rep_ok: usize,
    clause: String,
    count: u64,
    origin: (Arc<Fragment>, Variable),
}

impl<'j> RepOkJudge<'j> {
    fn new(subject: Option<&'j Subject>, rep_oks: &'j [&'j Predicate], plan: &'j Plan) -> Self {
        let checker =
            subject.map(|subject| Checker::new(&subject.shapes, plan.coding(), MAX_READS));
        RepOkJudge { plan, checker, rep_oks, rejected: Vec::new() }
    }

    /// The findings, with the repOKs that reject their structures; and what was rejected once, and
    /// is not if the calls are made again.
    fn finish(mut self) -> (Vec<(&'static str, MinimizedFinding)>, Vec<FlakyCall>) {
        let (mut findings, mut doubtful) = (Vec::new(), Vec::new());
        for rejected in std::mem::take(&mut self.rejected) {
            match self.minimized(&rejected) {
                Some(finding) => findings.push((self.rep_oks[rejected.rep_ok].name, finding)),
                None => doubtful.extend(self.doubtful(&rejected)),
            }
        }
        (findings, doubtful)
    }

    fn minimized(&mut self, rejected: &RejectedClause) -> Option<MinimizedFinding> {
        let RejectedClause { rep_ok, clause, count, origin: (fragment, variable) } = rejected;
        let checker = std::cell::RefCell::new(self.checker.as_mut().expect("it was asked"));
        let predicate = self.rep_oks[*rep_ok];
        let (steps, variable) = minimize_structure(self.plan, fragment, *variable, &|form| {
            let checked = checker.borrow_mut().check(predicate.as_fn(), form.as_ref());
            clause_of(checked).as_ref() == Some(clause)
        })?;
        let problem = self.problem(rejected);
        Some(MinimizedFinding::of_structure(problem, *count, steps, variable))
    }

    fn problem(&self, rejected: &RejectedClause) -> Problem {
        Problem::rejected(self.rep_oks[rejected.rep_ok].name, &rejected.clause)
    }

    fn doubtful(&self, rejected: &RejectedClause) -> Option<FlakyCall> {
        let steps = rejected.origin.0.to_steps();
        let method = self.plan.find_planned(steps.last()?.statement.method)?;
        let message = self.problem(rejected).to_string();
        Some(FlakyCall { method, message, count: rejected.count })
    }
}

fn known_clause<'r>(
    rejected: &'r mut [RejectedClause],
    rep_ok: usize,
    clause: &str,
) -> Option<&'r mut RejectedClause> {
    rejected.iter_mut().find(|known| known.rep_ok == rep_ok && known.clause == clause)
}

/// The clause that does not hold, or how the repOK ended if it gave no answer.
fn clause_of<E: std::fmt::Display>(checked: Result<Result<(), BrokenClause>, E>) -> Option<String> {
    match checked {
        Ok(Ok(())) => None,
        Ok(Err(BrokenClause(clause))) => Some(clause.to_owned()),
        Err(cause) => Some(cause.to_string()),
    }
}

impl Judge for RepOkJudge<'_> {
    fn n_found(&self) -> usize {
        self.rejected.len()
    }

    fn tell(&self, judged: &mut JudgedStructures) {
        for rejected in &self.rejected {
            let (problem, (fragment, variable)) = (self.problem(rejected), &rejected.origin);
            let steps = fragment.to_steps();
            let finding = MinimizedFinding::of_structure(problem, rejected.count, steps, *variable);
            judged.rejections.push((self.rep_oks[rejected.rep_ok].name, finding));
        }
    }

    fn judge(&mut self, structure: &mut NewStructure<'_>) {
        let Some(checker) = self.checker.as_mut().filter(|_| structure.ty == TypeIdx::new(0))
        else {
            return;
        };
        for (index, rep_ok) in self.rep_oks.iter().enumerate() {
            // The table is filled once for all of them.
            let checked = match index {
                0 => checker.check(rep_ok.as_fn(), structure.form.as_ref()),
                _ => checker.check_again(rep_ok.as_fn()),
            };
            if let Ok(Err(BrokenClause(clause))) = checked
                && let Some(known) = known_clause(&mut self.rejected, index, clause)
            {
                known.count += 1;
                continue;
            }
            let Some(clause) = clause_of(checked) else { continue };
            match known_clause(&mut self.rejected, index, &clause) {
                Some(known) => known.count += 1,
                None => {
                    let origin = (structure.origin)();
                    self.rejected.push(RejectedClause { rep_ok: index, clause, count: 1, origin });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(unreachable_pub, missing_docs, reason = "the types stand for those of a library")]

    use std::collections::BTreeSet;
    use std::sync::Mutex;

    use beget::elements::Tracked;
    use beget::heap::view::{RepOk, clause};
    use beget::{HasSuite as _, Heap, HeapView};
    use beget_plan::scope::Overrides;
    use beget_process::guard::mark_end_of_process;

    use super::*;
    use crate::random::tests::{Track, call, form_after, input_of, plan_of, step_of};
    use crate::random::{CallStep, EndedSequence, SequenceObserver};

    /// Its clock stands still.
    struct StillClock;

    impl crate::Host for StillClock {
        fn seconds(&self) -> f64 {
            0.0
        }
    }

    fn run_of(suite: beget_suite::Suite, options: &RandomOptions, threads: usize) -> RandomRun {
        let input = input_of(suite);
        let plan = input.resolve(&Overrides::default()).unwrap().plan;
        let watch = Watch::new(plan.budget, &StillClock);
        let settings = RoundSettings { threads, ..RoundSettings::default() };
        random_on(&input, &[], plan, options.clone(), settings, &watch)
    }

    /// Rounds of 400, 400 and 200 calls, each with another seed.
    #[test]
    fn a_run_is_the_sum_of_its_rounds() {
        let calls = |max_calls| RandomOptions { max_calls, round: 400, ..RandomOptions::default() };
        let of = |max_calls, threads| run_of(Track::suite(), &calls(max_calls), threads);
        let (whole, first) = (of(1_000, 1), of(400, 1));
        assert_eq!((whole.rounds, whole.stop_reason), (3, StopReason::MaxCalls(1_000)));
        assert_eq!((first.rounds, first.stop_reason), (1, StopReason::MaxCalls(400)));
        assert_eq!(whole.report.counters.explored(), 1_000);
        let two = of(800, 1).report;
        assert_ne!(two.sequences, 2 * first.report.sequences);
        let parallel = of(1_000, 2);
        assert_eq!((&parallel.report, parallel.rounds), (&whole.report, 3));
        // Of one round all sequences are kept, of several those that no other extends.
        let n_pooled = |run: &RandomRun| run.pool.sequences().len() as u64;
        assert_eq!(n_pooled(&first), first.report.kept_sequences);
        assert!(n_pooled(&whole) < whole.report.kept_sequences);
        // Without marks nothing of one round guides the next one.
        let guided = RandomOptions { is_guided: true, ..calls(1_000) };
        assert_eq!(run_of(Track::suite(), &guided, 1).rounds, 3);
        // Contracts of structures and of elements, in one order.
        let names = contract_names();
        let place =
            |tally: &ContractTally| names.iter().position(|name| *name == tally.name).unwrap();
        let places: Vec<usize> = whole.contracts.iter().map(place).collect();
        assert!(places.len() > 1 && places.is_sorted(), "{places:?}");
    }

    #[test]
    fn a_sequence_in_progress_is_a_question_until_it_is_over() {
        let plan = crate::random::tests::pens("");
        let in_progress = InProgress::default();
        let question = SequenceInProgress { plan: &plan, in_progress: &in_progress };
        in_progress.begin(5, Arc::new(Fragment::default()));
        assert_eq!(
            (question.source([5, 0]), question.noun(), question.ended()),
            (None, "call", None)
        );
        in_progress.push(Arc::new(step_of(0)));
        assert_eq!(question.runs(), [[5, 1]]);
        let source = question.source([5, 1]).unwrap();
        assert!(source.contains("Pen::new()"), "{source}");
        assert_eq!(question.source([5, 2]), None);
        let _guard = in_progress.stop_at_end();
        assert!(mark_end_of_process());
        assert_eq!(question.ended(), Some([5, 1]));
    }

    /// Notes the threads on which sequences begin.
    #[derive(Default)]
    struct ThreadLog(Mutex<BTreeSet<String>>);

    impl SequenceObserver for ThreadLog {
        fn begun(&self) {
            self.0.lock().unwrap().insert(format!("{:?}", std::thread::current().id()));
        }

        fn ended(&self, _: &EndedSequence) {}
    }

    impl crate::Host for ThreadLog {
        fn seconds(&self) -> f64 {
            0.0
        }

        fn sequence_observer(&self) -> Option<&dyn SequenceObserver> {
            Some(self)
        }
    }

    /// The scope turns the contracts off.
    #[test]
    fn an_observed_run_has_one_thread_and_asks_what_its_scope_says() {
        let input = crate::random::tests::pen_input("contracts: Off");
        let plan = input.resolve(&Overrides::default()).unwrap().plan;
        let log = ThreadLog::default();
        let watch = Watch::new(plan.budget, &log);
        let options = RandomOptions { max_calls: 4_000, round: 100, ..RandomOptions::default() };
        let settings = RoundSettings { threads: 2, ..RoundSettings::default() };
        let run = random_on(&input, &[], plan, options, settings, &watch);
        assert_eq!((run.rounds, run.contracts.len()), (40, 0));
        assert_eq!(log.0.lock().unwrap().len(), 1);
    }

    /// Never drops what it loses.
    #[derive(Debug, Default, Heap)]
    pub struct Satchel {
        kept: Vec<Tracked>,
    }

    #[beget::api(name = "test::satchel")]
    impl Satchel {
        pub fn new() -> Self {
            Satchel::default()
        }

        pub fn keep(&mut self, value: Tracked) {
            self.kept.push(value);
        }

        pub fn lose(&mut self) {
            std::mem::forget(self.kept.pop());
        }
    }

    #[test]
    fn an_element_that_is_never_dropped_is_a_finding() {
        let options = |stops_at_first| RandomOptions {
            max_calls: 500,
            stops_at_first,
            ..RandomOptions::default()
        };
        let run = run_of(Satchel::suite(), &options(true), 1);
        assert_eq!((run.findings.len(), run.stop_reason), (1, StopReason::FailureFound));
        assert_eq!(run.findings[0].problem.name.as_deref(), Some("elements_dropped"));
        let all = run_of(Satchel::suite(), &options(false), 1);
        assert_eq!((all.findings.len(), all.stop_reason), (1, StopReason::MaxCalls(500)));
    }

    #[test]
    fn no_element_is_followed_once_the_run_is_to_stop() {
        let plan = plan_of(Satchel::suite());
        let n_asked = |is_stopped: bool| {
            let is_stopped = || is_stopped;
            let (tallies, _) = ElementJudge::new(&plan, &|_| true, &is_stopped).finish();
            tallies.iter().map(|tally| tally.asked).sum::<u64>()
        };
        assert!(n_asked(false) > 0);
        assert_eq!(n_asked(true), 0);
    }

    #[derive(Clone, Debug, Default, Heap, HeapView)]
    pub struct SweetJar {
        n_sweets: u8,
    }

    #[beget::api(name = "test::sweet_jar")]
    impl SweetJar {
        pub fn new() -> Self {
            SweetJar::default()
        }

        pub fn fill(&mut self) {
            self.n_sweets = 1;
        }
    }

    const EMPTY: RepOk<SweetJar> =
        RepOk::<SweetJar>::new("empty", |jar| clause("no sweets", jar.n_sweets() == 0));

    const FRAIL: RepOk<SweetJar> = RepOk::<SweetJar>::new("frail", |jar| {
        assert!(jar.n_sweets() == 0, "it is too heavy");
        Ok(())
    });

    /// The structure is a full jar, and the calls that are said to build it leave an empty one.
    #[test]
    fn what_a_repok_rejects_is_flaky_if_the_calls_do_not_show_it_again() {
        let plan = plan_of(SweetJar::suite());
        let subject = Subject::new([EMPTY, FRAIL]);
        let rep_oks: Vec<&Predicate> = subject.rep_oks.iter().collect();
        let mut judge = RepOkJudge::new(Some(&subject), &rep_oks, &plan);
        let new = call(&plan, "new", &[], Some(0));
        let form = form_after(&plan, &[new.clone(), call(&plan, "fill", &[0], None)]);
        let new = Arc::new(CallStep { statement: new, literals: Vec::new() });
        let built = Arc::new(Fragment::new(Vec::new(), vec![new]));
        for id in 0..3 {
            judge.judge(&mut NewStructure {
                id,
                ty: TypeIdx::new(0),
                form: &form,
                make: &mut || None,
                origin: &|| (built.clone(), Variable(0)),
            });
        }
        assert_eq!(judge.n_found(), 2);
        let mut judged = JudgedStructures::default();
        judge.tell(&mut judged);
        let rejections = judged.rejections.iter();
        let counts: Vec<_> = rejections.map(|(name, found)| (*name, found.finding.count)).collect();
        assert_eq!(counts, [("empty", 3), ("frail", 3)]);
        let (findings, doubtful) = judge.finish();
        let flaky: Vec<_> = doubtful.iter().map(|one| (one.method.index(), one.count)).collect();
        assert_eq!((findings.len(), flaky), (0, vec![(0, 3); 2]));
    }

    #[test]
    fn no_element_was_dropped_twice_before_any_call() {
        let plan = crate::random::tests::pens("");
        assert_eq!(ElementJudge::new(&plan, &|_| true, &|| false).n_found(), 0);
    }

    #[test]
    fn no_two_calls_of_a_run_have_the_same_numbers() {
        let step = Arc::new(step_of(0));
        let running = InProgress::default();
        running.begin(5, Arc::new(Fragment::default()));
        (0..3).for_each(|_| running.push(step.clone()));
        assert_eq!(numbers_of(0, &running), [5, 3]);
        assert_eq!(numbers_of(2, &running), [5, (2 << 40) + 3]);
    }
}
