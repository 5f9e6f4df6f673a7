//! RandomRounds: parts of a random run that know nothing of each other.
//!
//! Each begins with an empty pool and chance of its own, so rounds may run side by side: what they
//! come to is added up in their order, and does not depend on how many threads there are. The pool
//! does not outgrow a round, however long the run is.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::random::{
    InProgress, JudgedStructures, KnownDeath, PositionNote, RandomOptions, RandomOracles,
    RandomOutcome, RandomSoFar, SequenceObserver, SequencePool, run,
};
use beget_oracle::rep_ok::{Predicate, Subject};
use beget_plan::finding::{Progress, StopReason};
use beget_plan::scope::Plan;
use beget_process::coverage::Coverage;

use super::merge::{MergedRounds, RoundEnd};
use super::{ElementJudge, NOT_MINIMISED, RandomRun, RepOkJudge, in_order, numbers_of};
use crate::waiting::wait_for_all;

/// Settings for making the rounds of a run. The result does not depend on them.
pub struct RoundSettings<'s> {
    /// Threads.
    pub threads: usize,
    /// Finds the calls of a round that end the process.
    pub rehearse: Option<&'s Rehearse<'s>>,
    /// Only one round is made.
    pub rehearsal: Option<Rehearsal>,
}

/// Finds the calls of a round that end the process; `None` if the round cannot be made even without
/// them.
pub type Rehearse<'s> = dyn Fn(usize) -> Option<Vec<KnownDeath>> + Sync + 's;

/// The one round that is made, to see which of its calls end the process.
pub struct Rehearsal {
    /// Its number.
    pub round: usize,
    /// The calls that are known.
    pub deaths: Vec<KnownDeath>,
    /// Is shown each call.
    pub note: Mutex<Option<Box<PositionNote>>>,
}

impl Default for RoundSettings<'_> {
    fn default() -> Self {
        RoundSettings { threads: 1, rehearse: None, rehearsal: None }
    }
}

impl std::fmt::Debug for RoundSettings<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RoundSettings").field("threads", &self.threads).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Rehearsal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rehearsal").field("round", &self.round).finish_non_exhaustive()
    }
}

/// The questions that all rounds ask.
pub(super) struct RoundQuestions<'r> {
    pub(super) subject: Option<&'r Subject>,
    pub(super) rep_oks: &'r [&'r Predicate],
    /// The contracts of structures, and those of elements.
    pub(super) asked: Vec<&'static str>,
    pub(super) of_elements: Vec<&'static str>,
    pub(super) coverage: Option<&'r (dyn Coverage + Sync)>,
    pub(super) observer: Option<&'r dyn SequenceObserver>,
}

/// The rounds of a run, in progress.
pub(super) struct RandomRounds<'r> {
    pub(super) plan: &'r Plan,
    options: &'r RandomOptions,
    questions: &'r RoundQuestions<'r>,
    settings: RoundSettings<'r>,
    n_rounds: usize,
    next: AtomicUsize,
    /// No round after this one counts: it ended early.
    last: AtomicUsize,
    stopped: OnceLock<StopReason>,
    explored: AtomicU64,
    structures: AtomicU64,
    running: Mutex<BTreeMap<usize, Arc<InProgress>>>,
    finished: Mutex<BTreeMap<usize, RoundEnd>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'r> RandomRounds<'r> {
    pub(super) fn new(
        plan: &'r Plan,
        options: &'r RandomOptions,
        questions: &'r RoundQuestions<'r>,
        settings: RoundSettings<'r>,
    ) -> Self {
        let n_rounds = options.max_calls.div_ceil(options.round).max(1) as usize;
        RandomRounds {
            plan,
            options,
            questions,
            settings,
            n_rounds,
            next: AtomicUsize::new(0),
            last: AtomicUsize::new(n_rounds),
            stopped: OnceLock::new(),
            explored: AtomicU64::new(0),
            structures: AtomicU64::new(0),
            running: Mutex::default(),
            finished: Mutex::default(),
        }
    }

    /// Makes all rounds. `wait` is called meanwhile.
    pub(super) fn run(&self, wait: &mut dyn FnMut()) {
        let n_threads = self.settings.threads.clamp(1, self.n_rounds);
        let works = (0..n_threads).map(|_| || self.make_rounds()).collect();
        wait_for_all(works, wait);
    }

    fn make_rounds(&self) {
        if let Some(rehearsal) = &self.settings.rehearsal {
            let note = locked(&rehearsal.note).take();
            let in_progress = note.map_or_else(InProgress::default, InProgress::noted_by);
            self.make_round(rehearsal.round, in_progress, &rehearsal.deaths);
            return;
        }
        loop {
            let round = self.next.fetch_add(1, Relaxed);
            if round >= self.n_rounds || round > self.last.load(Relaxed) {
                return;
            }
            if self.stopped.get().is_some() && round > 0 {
                return;
            }
            let deaths = match self.settings.rehearse.map(|rehearse| rehearse(round)) {
                None => Vec::new(),
                Some(Some(deaths)) => deaths,
                Some(None) => {
                    self.stop(StopReason::LeftOut);
                    return;
                }
            };
            self.make_round(round, InProgress::default(), &deaths);
        }
    }

    fn make_round(&self, round: usize, in_progress: InProgress, deaths: &[KnownDeath]) {
        let in_progress = Arc::new(in_progress);
        locked(&self.running).insert(round, in_progress.clone());
        let _stop = in_progress.stop_at_end();
        let end = self.round_end(round, &in_progress, deaths);
        if !matches!(end.outcome.stop_reason, StopReason::MaxCalls(_)) {
            self.last.fetch_min(round, Relaxed);
        }
        locked(&self.running).remove(&round);
        locked(&self.finished).insert(round, end);
    }

    /// The options of a round.
    fn options_of(&self, round: usize) -> RandomOptions {
        let made = self.options.round.saturating_mul(round as u64);
        let left = self.options.max_calls.saturating_sub(made);
        // The first round of a run is the run of that seed if it is the only one.
        let seed = (round as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        RandomOptions {
            seed: self.options.seed.wrapping_add(seed),
            max_calls: left.min(self.options.round),
            ..self.options.clone()
        }
    }

    fn round_end(&self, round: usize, in_progress: &InProgress, deaths: &[KnownDeath]) -> RoundEnd {
        let RoundQuestions { subject, rep_oks, asked, of_elements, coverage, observer } =
            self.questions;
        let (plan, options) = (self.plan, self.options_of(round));
        let mut known = Progress::default();
        let mut control = |progress: Progress| {
            self.explored.fetch_add(progress.explored - known.explored, Relaxed);
            self.structures.fetch_add(progress.structures - known.structures, Relaxed);
            known = progress;
            let is_over = self.last.load(Relaxed) < round;
            self.stopped.get().copied().or(is_over.then_some(StopReason::Interrupted))
        };
        let is_stopped = || self.stopped.get().is_some();
        let mut elements =
            ElementJudge::new(plan, &|name| of_elements.contains(&name), &is_stopped);
        let mut rep_ok_judge = RepOkJudge::new(*subject, rep_oks, plan);
        // Other rounds would cover points in between.
        let coverage = coverage.filter(|_| self.n_rounds == 1);
        let oracles = RandomOracles {
            asks: &|name| asked.contains(&name),
            judge: &mut (&mut elements, &mut rep_ok_judge),
            coverage: coverage.map(|coverage| coverage as &dyn Coverage),
            deaths,
            observer: *observer,
        };
        let mut outcome = run(plan, &options, oracles, in_progress, &mut control);
        let (tallies, broken) = elements.finish();
        let (rejections, doubtful) = rep_ok_judge.finish();
        outcome.report.flaky.extend(doubtful);
        outcome.contracts = in_order(outcome.contracts, tallies);
        outcome.breaches.extend(broken);
        if self.n_rounds > 1 {
            let mut maximal = SequencePool::new(plan.suite.types.len());
            maximal.append_maximal(&outcome.pool, MOST_OF_A_ROUND);
            outcome.pool = maximal;
        }
        RoundEnd { outcome, rejections }
    }

    pub(super) fn progress(&self) -> Progress {
        Progress {
            explored: self.explored.load(Relaxed),
            structures: self.structures.load(Relaxed),
            ..Progress::default()
        }
    }

    /// Ends all rounds.
    pub(super) fn stop(&self, reason: StopReason) {
        self.stopped.get_or_init(|| reason);
    }

    /// The rounds that are being made.
    pub(super) fn in_progress(&self) -> Vec<(usize, Arc<InProgress>)> {
        locked(&self.running).iter().map(|(round, running)| (*round, running.clone())).collect()
    }

    /// The result of all rounds, up to the first that ended early.
    pub(super) fn merged(&self) -> RandomRun {
        let ends = std::mem::take(&mut *locked(&self.finished));
        let is_rehearsal = self.settings.rehearsal.is_some();
        let are_all = ends.len() == self.n_rounds || is_rehearsal;
        let mut run = self.merge(ends.into_values());
        if let Some(&reason) = self.stopped.get().filter(|_| !are_all && run.is_done()) {
            run.stop_reason = reason;
        }
        run
    }

    /// The same of those that are over, and of the others what they have found. The calls that are
    /// `endless` are findings.
    pub(super) fn so_far(&self, stop_reason: StopReason, endless: &[[u64; 2]]) -> RandomRun {
        let mut ends = locked(&self.finished).clone();
        for (round, running) in self.in_progress() {
            let mut so_far = running.so_far();
            let is_endless = endless.contains(&numbers_of(round, &running));
            let hang = is_endless.then(|| running.endless_call());
            so_far.failures.splice(0..0, running.take_end().or(hang));
            ends.insert(round, unfinished(so_far, stop_reason));
        }
        let mut run = self.merge(ends.into_values());
        run.stop_reason = stop_reason;
        if !run.findings.is_empty() {
            run.notes.push(NOT_MINIMISED.to_owned());
        }
        run
    }

    fn merge(&self, ends: impl Iterator<Item = RoundEnd>) -> RandomRun {
        let mut merged = MergedRounds::new(self.options.max_calls);
        for end in ends {
            let is_last = !matches!(end.outcome.stop_reason, StopReason::MaxCalls(_));
            merged.add(end);
            if is_last {
                break;
            }
        }
        let n_rounds = merged.n_rounds;
        let (outcome, rejections) = merged.finish(self.plan);
        let run = RandomRun::of(self.plan.clone(), self.options.clone(), outcome, rejections);
        RandomRun { rounds: n_rounds, ..run }
    }
}

/// Most sequences that are kept of one round of several, for tests and recordings.
const MOST_OF_A_ROUND: usize = 10_000;

fn unfinished(so_far: RandomSoFar, stop_reason: StopReason) -> RoundEnd {
    let RandomSoFar { report, failures, judged } = so_far;
    let JudgedStructures { contracts, breaches, rejections } = judged;
    let outcome = RandomOutcome {
        report,
        failures,
        breaches,
        contracts,
        pool: SequencePool::default(),
        samples: Vec::new(),
        met: Vec::new(),
        stop_reason,
        notes: Vec::new(),
    };
    RoundEnd { outcome, rejections }
}

#[cfg(test)]
mod tests {
    use beget::HasSuite as _;
    use beget_plan::finding::Kind;
    use beget_process::guard::mark_end_of_process;

    use super::super::{MarkCoverage, RunsOfRandom};
    use super::*;
    use crate::Questions;
    use crate::random::tests::{Track, pens, plan_of, step_of};

    /// Asks nothing.
    fn questions(coverage: Option<&(dyn Coverage + Sync)>) -> RoundQuestions<'_> {
        RoundQuestions {
            subject: None,
            rep_oks: &[],
            asked: Vec::new(),
            of_elements: Vec::new(),
            coverage,
            observer: None,
        }
    }

    fn calls(max_calls: u64, round: u64) -> RandomOptions {
        RandomOptions { max_calls, round, ..RandomOptions::default() }
    }

    /// A run of tracks of which the rounds are looked at.
    fn look(
        options: &RandomOptions,
        coverage: Option<&(dyn Coverage + Sync)>,
        look: &dyn Fn(&RandomRounds<'_>) -> RandomRun,
    ) -> RandomRun {
        let (plan, questions) = (plan_of(Track::suite()), questions(coverage));
        look(&RandomRounds::new(&plan, options, &questions, RoundSettings::default()))
    }

    /// A round of ten calls ends before it would see that the run is to stop.
    #[test]
    fn a_run_that_is_stopped_has_the_rounds_before() {
        let stopped = look(&calls(30, 10), None, &|rounds| {
            rounds.stop(StopReason::Interrupted);
            rounds.run(&mut || ());
            rounds.merged()
        });
        assert_eq!((stopped.rounds, stopped.stop_reason), (1, StopReason::Interrupted));
        assert_eq!(stopped.report.counters.explored(), 10);
        let too_late = look(&calls(30, 10), None, &|rounds| {
            rounds.run(&mut || ());
            rounds.stop(StopReason::Interrupted);
            rounds.merged()
        });
        assert_eq!((too_late.rounds, too_late.stop_reason), (3, StopReason::MaxCalls(30)));
    }

    /// It is noted after each 64 attempts. A track of the scope has at most one turn: there are
    /// three.
    #[test]
    fn progress_is_that_of_all_rounds() {
        look(&calls(4_000, 2_000), None, &|rounds| {
            rounds.run(&mut || ());
            let (run, progress) = (rounds.merged(), rounds.progress());
            assert!((3_900..=4_000).contains(&progress.explored), "{progress:?}");
            assert_eq!(progress.structures, 2 * 3);
            run
        });
    }

    /// Has covered seven points.
    struct SevenPoints;

    impl Coverage for SevenPoints {
        fn unit(&self) -> &'static str {
            "points"
        }

        fn covered(&self) -> usize {
            7
        }

        fn known(&self) -> Option<usize> {
            None
        }

        fn reset(&self) {}
    }

    #[test]
    fn several_rounds_keep_the_longest_sequences_and_are_not_guided_by_points() {
        let run = |round| {
            let run = |rounds: &RandomRounds<'_>| {
                rounds.run(&mut || ());
                rounds.merged()
            };
            let run = look(&calls(300, round), Some(&SevenPoints), &run);
            let is_maximal = run.pool.maximal().len() == run.pool.sequences().len();
            (run.rounds, is_maximal, run.report.course.points()[0].covered)
        };
        assert_eq!([run(300), run(100)], [(1, false, 7), (3, true, 0)]);
    }

    #[test]
    fn a_call_of_a_round_is_a_question_until_its_end_is_a_finding() {
        let (plan, options, questions) = (pens(""), calls(30, 10), questions(None));
        let rounds = RandomRounds::new(&plan, &options, &questions, RoundSettings::default());
        let coverage = MarkCoverage { blocks: 3, known: 4, predicates: 5, uncovered: Vec::new() };
        let covered = || Some(coverage.clone());
        let asked = RunsOfRandom { rounds: &rounds, covered: &covered };
        let running = Arc::new(InProgress::default());
        running.begin(5, Arc::default());
        locked(&rounds.running).insert(2, running.clone());
        let begun = [5, 2 << 40];
        assert_eq!((asked.noun(), asked.runs(), asked.source(begun)), ("call", vec![begun], None));
        running.push(Arc::new(step_of(0)));
        let call = [5, (2 << 40) + 1];
        assert_eq!((asked.runs(), asked.source([5, 1])), (vec![call], None));
        let source = asked.source(call).unwrap();
        assert!(source.contains("Pen::new()"), "{source}");

        let so_far = |endless: &[[u64; 2]]| {
            let run = asked.so_far(StopReason::Interrupted, endless).unwrap();
            let run = run.downcast::<RandomRun>().unwrap();
            assert_eq!((run.stop_reason, &run.coverage), (StopReason::Interrupted, &covered()));
            let kinds = run.findings.iter().map(|finding| finding.problem.kind.clone());
            (kinds.collect::<Vec<Kind>>(), run.notes)
        };
        assert_eq!((asked.ended(), so_far(&[begun])), (None, (vec![], vec![])));
        let notes = vec![NOT_MINIMISED.to_owned()];
        assert_eq!(so_far(&[call]), (vec![Kind::Hang], notes.clone()));
        let _guard = running.stop_at_end();
        assert!(mark_end_of_process());
        assert_eq!((asked.ended(), so_far(&[])), (Some(call), (vec![Kind::Crash], notes)));
    }
}
