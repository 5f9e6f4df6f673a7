//! The bookkeeping of a run: its counters, its progress and its ends.
#![allow(unreachable_pub, missing_docs, reason = "the types stand for those of a library")]

use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use beget::{HasSuite as _, Heap};
use beget_plan::finding::{Finding, Kind, USABLE_AFTER_PANIC};
use beget_suite::Suite;

use beget_engine::Counters;

use super::*;
use crate::random::tests::{Knob, Track, pens, plan_of};
use crate::random::{MINIMIZING, RandomOracles, RandomOutcome, plan_for, run};

/// Made two at a time, both alike.
#[derive(Clone, Debug, Default, Heap)]
pub struct Bookend {
    is_left: bool,
}

#[beget::api(name = "test::bookend")]
impl Bookend {
    pub fn pair() -> (Self, Self) {
        (Bookend::default(), Bookend::default())
    }
}

/// Not even like itself.
#[derive(Clone, Debug, Default, Heap)]
pub struct Sulky {
    mood: u8,
}

impl PartialEq for Sulky {
    fn eq(&self, _: &Self) -> bool {
        false
    }
}

impl Eq for Sulky {}

#[beget::api(name = "test::sulky")]
impl Sulky {
    pub fn new() -> Self {
        Sulky::default()
    }

    pub fn brood(&mut self) {
        self.mood = 1;
    }
}

/// Options for this many calls, each drawn by itself.
fn calls(max_calls: u64) -> RandomOptions {
    RandomOptions { max_calls, repetition_rate: 0.0, ..RandomOptions::default() }
}

fn outcome_of(
    plan: &Plan,
    options: &RandomOptions,
    (deaths, observer): (&[KnownDeath], Option<&dyn SequenceObserver>),
    (in_progress, control): (&InProgress, &mut Control<'_>),
) -> RandomOutcome {
    let asks = |_: &str| true;
    let oracles = RandomOracles { asks: &asks, judge: &mut (), coverage: None, deaths, observer };
    run(&plan_for(plan.clone(), options), options, oracles, in_progress, control)
}

fn random(plan: &Plan, options: &RandomOptions) -> RandomOutcome {
    outcome_of(plan, options, (&[], None), (&InProgress::default(), &mut |_| None))
}

/// Pens that may be bent, which is misuse.
fn stiff() -> Plan {
    pens(r#"misuse: (panics: ["it is stiff"])"#)
}

/// The control is asked after each 64 attempts, of which those without a pen are no sequences. A
/// snapshot is taken after 1, 2, 4, ... attempts, and after each 512.
#[test]
fn a_run_shows_its_progress_by_the_number_of_its_attempts() {
    let (in_progress, mut seen) = (InProgress::default(), Vec::new());
    let mut control = |progress: Progress| {
        seen.push((progress, in_progress.so_far().report.counters.explored()));
        None
    };
    let outcome = outcome_of(&stiff(), &calls(2_000), (&[], None), (&in_progress, &mut control));
    let report = &outcome.report;
    assert_eq!(outcome.stop_reason, StopReason::MaxCalls(2_000));
    assert_eq!((report.counters.explored(), report.kept_sequences), (2_000, 2));
    let n_idle: u64 = report.by_method.iter().map(|tally| tally.no_inputs + tally.too_long).sum();
    assert!(n_idle > 0);
    assert_eq!(seen.len() as u64, (report.sequences + n_idle) / 64);
    let explored = |at: usize| seen[at - 1].0.explored;
    for (at, (progress, published)) in (1_usize..).zip(&seen) {
        assert_eq!((progress.structures, progress.failures), (2, 0));
        let last = if at < 8 { 1 << at.ilog2() } else { at - at % 8 };
        assert_eq!(*published, explored(last), "{at}");
    }
}

#[test]
fn a_run_ends_when_its_control_says_so_or_with_its_first_finding() {
    let mut control =
        |progress: Progress| (progress.explored > 100).then_some(StopReason::Interrupted);
    let in_progress = InProgress::default();
    let ended = outcome_of(&stiff(), &calls(2_000), (&[], None), (&in_progress, &mut control));
    assert_eq!(ended.stop_reason, StopReason::Interrupted);
    assert!((101..=164).contains(&ended.report.counters.explored()));

    let first = RandomOptions { stops_at_first: true, ..calls(2_000) };
    let failed = random(&pens(""), &first);
    assert_eq!((failed.stop_reason, failed.failures.len()), (StopReason::FailureFound, 1));
    assert_eq!((failed.report.counters.failures, &failed.notes[..]), (1, &[] as &[String]));
    let broken = random(&plan_of(Sulky::suite()), &first);
    assert_eq!((broken.stop_reason, broken.breaches.len()), (StopReason::FailureFound, 1));
    assert_eq!(random(&stiff(), &first).stop_reason, StopReason::MaxCalls(2_000));
}

/// The run looks for new structures after each 2,000 calls. The first look sees both pens.
#[test]
fn a_run_is_saturated_by_all_calls_but_those_of_the_first_look() {
    assert_eq!(random(&stiff(), &calls(20_000)).report.saturated, 18_000);
}

#[test]
fn literals_widen_where_less_than_a_fifth_of_the_calls_leave_something_new() {
    let options = calls(2_000);
    let widens = |suite: Suite, options: &RandomOptions| {
        random(&plan_of(suite), options).report.widened.is_some()
    };
    assert!(widens(Knob::suite(), &options) && !widens(Track::suite(), &options));
    // One call less, and there is no look.
    assert!(!widens(Knob::suite(), &calls(1_999)));
    let is_bounded = RandomOptions { is_bounded: true, ..options.clone() };
    let is_fixed = RandomOptions { is_widening: false, ..options.clone() };
    let of_range = RandomOptions { fresh_ints: Some(0..=9), ..options.clone() };
    let undirected = RandomOptions { direction: Direction::Undirected, ..options };
    for without in [is_bounded, is_fixed, of_range, undirected] {
        assert!(!widens(Knob::suite(), &without), "{without:?}");
    }
}

/// Sequences that begin with decoded values make fewer calls again, and come to the same.
#[test]
fn calls_are_spared_or_repeated() {
    let by_calls = RandomOptions { is_by_calls: true, ..calls(2_000) };
    let (decoding, repeating) =
        (random(&stiff(), &calls(2_000)).report, random(&stiff(), &by_calls).report);
    assert!(decoding.spared > 0 && decoding.repeated > 0);
    assert_eq!((repeating.spared, repeating.repeated), (0, decoding.spared + decoding.repeated));
    assert_eq!((repeating.counters, repeating.distinct), (decoding.counters, decoding.distinct));
}

/// Two calls are all that a sequence may have: `new` and one more.
#[test]
fn calls_beyond_the_longest_sequence_are_not_made() {
    let of = |direction| {
        let options = RandomOptions { max_length: 2, direction, ..calls(1_000) };
        let report = random(&plan_of(Track::suite()), &options).report;
        let too_long = report.by_method.iter().map(|tally| tally.too_long).sum::<u64>();
        (too_long, report)
    };
    let (too_long, report) = of(Direction::Feedback);
    assert!(too_long > 1 && report.longest == 2);
    // Each sequence that has two calls ends with a third one, which is not made.
    let (too_long, report) = of(Direction::Undirected);
    assert!(too_long > 1 && too_long <= report.sequences);
    let repeated = RandomOptions { max_length: 2, repetition_rate: 1.0, ..calls(1_000) };
    let report = random(&plan_of(Track::suite()), &repeated).report;
    assert!(report.by_method.iter().any(|tally| tally.too_long > 1));
}

/// Those of the first, the second, the fourth, ... call of each outcome.
#[test]
fn outcomes_are_sampled_at_powers_of_two() {
    let outcome = random(&plan_of(Knob::suite()), &calls(1_000));
    for (index, tally) in outcome.report.by_method.iter().enumerate() {
        let n_samples = |verdict| {
            let is_its =
                |one: &&OutcomeSample| (one.method.index(), one.verdict) == (index, verdict);
            outcome.samples.iter().filter(is_its).count() as u64
        };
        let expected = |n: u64| n.checked_ilog2().map_or(0, |log| u64::from(log) + 1);
        let Counters { kept, matched, misuse, .. } = tally.calls;
        assert_eq!(n_samples(CallVerdict::Kept), expected(kept));
        assert_eq!(n_samples(CallVerdict::Matched), expected(matched));
        assert_eq!(n_samples(CallVerdict::Misuse), expected(misuse));
        assert!(index != 2 || misuse > 2);
    }
}

#[test]
fn two_equal_structures_that_one_call_leaves_are_met_once() {
    let outcome = random(&plan_of(Bookend::suite()), &calls(100));
    assert_eq!((&outcome.report.distinct.by_type[..], outcome.met.len()), (&[1][..], 1));
}

/// Keeps the sequences of a run.
#[derive(Default)]
struct HeardSequences {
    n_begun: Mutex<u64>,
    ended: Mutex<Vec<EndedSequence>>,
}

impl SequenceObserver for HeardSequences {
    fn begun(&self) {
        *self.n_begun.lock().unwrap() += 1;
    }

    fn ended(&self, sequence: &EndedSequence) {
        self.ended.lock().unwrap().push(sequence.clone());
    }
}

#[test]
fn an_observer_sees_all_sequences_with_their_shares_of_the_run() {
    let (heard, in_progress) = (HeardSequences::default(), InProgress::default());
    let observed = (&[] as &[KnownDeath], Some(&heard as &dyn SequenceObserver));
    let plan = pens("");
    let report = outcome_of(&plan, &calls(500), observed, (&in_progress, &mut |_| None)).report;
    let ended = heard.ended.into_inner().unwrap();
    assert_eq!(
        (*heard.n_begun.lock().unwrap(), ended.len() as u64),
        (report.sequences, report.sequences)
    );
    let sum = |of: fn(&EndedSequence) -> u64| ended.iter().map(of).sum::<u64>();
    assert_eq!(sum(|one| one.n_new_calls), report.counters.explored());
    assert_eq!(sum(|one| one.n_new_structures), 2);
    assert_eq!(sum(|one| u64::from(one.problem.is_some())), report.counters.failures);
    for one in &ended {
        assert_eq!(one.cut_by == Some(CallVerdict::Failure), one.problem.is_some());
        assert!(!one.calls.statements.is_empty());
    }
}

fn death(sequence: u64, call: u64) -> KnownDeath {
    KnownDeath { sequence, call, problem: Problem::new(Kind::Crash, "the call ends the process") }
}

/// Only `new` can be called first, so a run without it has nothing to call.
#[test]
fn a_method_whose_calls_ended_the_process_three_times_is_given_up() {
    let of = |deaths: &[KnownDeath]| {
        let in_progress = InProgress::default();
        outcome_of(&stiff(), &calls(100), (deaths, None), (&in_progress, &mut |_| None))
    };
    let given_up = of(&[death(1, 1), death(2, 1), death(3, 1)]);
    assert_eq!(given_up.stop_reason, StopReason::NothingToCall);
    assert_eq!(given_up.report.given_up, [PlannedIdx::new(0)]);
    let counters = Counters { failures: 3, ..Counters::default() };
    assert_eq!(
        (given_up.report.counters, given_up.report.by_method[0].calls),
        (counters, counters)
    );
    let [failure] = &given_up.failures[..] else { panic!("{:?}", given_up.failures) };
    assert_eq!((failure.finding.count, failure.steps.len()), (3, 1));
    // With one death less it is called. The second of these deaths is at no call of its sequence.
    let spared = of(&[death(1, 1), death(2, 9), death(3, 1)]);
    assert_eq!((spared.stop_reason, spared.report.given_up), (StopReason::MaxCalls(100), vec![]));
    assert_eq!(spared.report.counters.failures, 1);
    assert_eq!(spared.failures[0].finding.count, 1);
}

/// The tenth sequence extends the pen that the first one made.
#[test]
fn a_sequence_that_begins_with_a_death_is_a_finding_without_a_call() {
    let in_progress = InProgress::default();
    let deaths = [death(10, 0)];
    let outcome = outcome_of(&stiff(), &calls(100), (&deaths, None), (&in_progress, &mut |_| None));
    let [failure] = &outcome.failures[..] else { panic!("{:?}", outcome.failures) };
    assert!(!failure.steps.is_empty());
    assert_eq!((outcome.report.counters.failures, outcome.report.counters.explored()), (0, 100));
}

#[test]
fn the_course_of_a_run_goes_from_its_beginning_to_its_end() {
    let report = random(&stiff(), &calls(2_000)).report;
    let calls: Vec<u64> = report.course.points().iter().map(|point| point.calls).collect();
    assert!(calls.len() > 100 && calls.is_sorted(), "{calls:?}");
    assert_eq!((calls[0], calls.last()), (0, Some(&2_000)));
}

/// Bending is misuse, and no error.
#[test]
fn a_call_that_panics_is_no_sample_of_an_error() {
    let outcome = random(&stiff(), &calls(500));
    assert!(outcome.report.counters.misuse > 0);
    assert!(outcome.samples.iter().all(|sample| sample.verdict != CallVerdict::Misuse));
}

/// An error changes it.
#[derive(Clone, Debug, Default, Heap)]
pub struct Tin {
    dents: u8,
}

#[beget::api(name = "test::tin")]
impl Tin {
    pub fn new() -> Self {
        Tin::default()
    }

    pub fn dent(&mut self) -> Result<(), u8> {
        self.dents = (self.dents + 1) % 3;
        Err(self.dents)
    }
}

#[test]
fn an_error_that_changes_a_structure_is_no_misuse() {
    let report = random(&plan_of(Tin::suite()), &calls(1_000)).report;
    assert_eq!((report.counters.misuse, report.distinct.by_type), (0, vec![3]));
}

/// The first one of all is grey.
#[derive(Clone, Debug, Default, Heap)]
pub struct Moth {
    is_grey: bool,
}

static N_MOTHS: AtomicU8 = AtomicU8::new(0);

#[beget::api(name = "test::moth")]
impl Moth {
    pub fn new() -> Self {
        let is_first = N_MOTHS.fetch_update(Relaxed, Relaxed, |n| n.checked_add(1)) == Ok(0);
        Moth { is_grey: is_first }
    }

    pub fn flutter(&mut self) {}
}

/// From the second on all moths are alike: made twice, the calls give the same.
#[test]
fn calls_that_give_something_else_than_before_are_flaky() {
    let outcome = random(&plan_of(Moth::suite()), &calls(100));
    let [failure] = &outcome.failures[..] else { panic!("{:?}", outcome.failures) };
    let Finding { problem, count, .. } = &failure.finding;
    assert_eq!(problem.kind, Kind::Nondeterministic);
    let [flaky] = &outcome.report.flaky[..] else { panic!("{:?}", outcome.report.flaky) };
    assert_eq!((flaky.method, flaky.count), (PlannedIdx::new(0), *count));
    assert!(*count > 1 && !outcome.report.is_decoding_inexact);
}

/// It hides what it has heard until its next word.
#[derive(Clone, Debug, Default, Heap)]
pub struct Parrot {
    is_wary: bool,
    word: u8,
    #[heap(skip)]
    heard: u8,
}

#[beget::api(name = "test::parrot")]
impl Parrot {
    pub fn new() -> Self {
        Parrot::default()
    }

    pub fn listen(&mut self) {
        *self = Parrot { is_wary: true, word: 0, heard: 1 };
    }

    pub fn talk(&mut self) {
        self.word = 1 + self.heard;
    }
}

/// A wary parrot that was decoded says 1, while the calls that build one leave one that says 2.
#[test]
fn decoding_is_given_up_where_calls_on_decoded_values_come_to_something_else() {
    let outcome = random(&plan_of(Parrot::suite()), &calls(20_000));
    assert!(outcome.report.is_decoding_inexact);
    let note = "calls on decoded structures left something else than after the calls that build \
                these: from then on, all calls were made again";
    assert_eq!(outcome.notes, [note]);
    assert_eq!((outcome.failures.len(), outcome.report.flaky.len()), (0, 0));
}

/// Covers as many points as a test says.
#[derive(Default)]
struct SaidCoverage(AtomicU8);

impl Coverage for SaidCoverage {
    fn unit(&self) -> &'static str {
        "points"
    }

    fn covered(&self) -> usize {
        self.0.load(Relaxed).into()
    }

    fn known(&self) -> Option<usize> {
        None
    }

    fn reset(&self) {}
}

#[test]
fn points_are_gained_by_the_calls_that_cover_them_first() {
    let (plan, options, in_progress) = (pens(""), calls(1), InProgress::default());
    let coverage = SaidCoverage(AtomicU8::new(4));
    let mut judge = ();
    let mut search = RandomSearch::new(&plan, &options, &in_progress, &mut judge, Some(&coverage));
    let gained = [4, 7, 9, 9].map(|covered| {
        coverage.0.store(covered, Relaxed);
        search.gained()
    });
    assert_eq!(gained, [0, 3, 2, 0]);
}

/// Gives more parts than a call may give, and may be too heavy then.
#[derive(Clone, Debug, Default, Heap)]
pub struct Puzzle {
    weight: u8,
}

impl Puzzle {
    pub fn new() -> Self {
        Puzzle::default()
    }

    pub fn parts(&mut self, weight: u8) -> Vec<Self> {
        self.weight = weight;
        vec![Puzzle::new(); 20]
    }

    pub fn is_light(&self) -> bool {
        self.weight < 2
    }
}

beget::suite! {
    #[name = "test::puzzle"]
    pub suite Puzzles for Puzzle {
        fn new() -> Self;
        fn parts(&mut self, weight: u8) -> Vec<Self>;
        #[invariant]
        fn is_light(&self) -> bool;
    }
}

/// The scope has the weights 0, 1 and 2.
#[test]
fn a_longer_list_of_structures_is_out_of_scope_unless_the_call_breaks_an_invariant() {
    let outcome = random(&plan_of(Puzzles::suite()), &calls(500));
    let Counters { out_of_scope, failures, .. } = outcome.report.by_method[1].calls;
    assert!(out_of_scope > 0 && failures > 0);
    let [failure] = &outcome.failures[..] else { panic!("{:?}", outcome.failures) };
    assert_eq!(
        (failure.finding.problem.kind.clone(), failure.finding.count),
        (Kind::Invariant, failures)
    );
}

/// Is used up by the fourth call.
#[derive(Clone, Debug, Default, Heap)]
pub struct Candle {
    burnt: u8,
    is_warm: bool,
}

#[beget::api(name = "test::candle")]
impl Candle {
    pub fn new() -> Self {
        Candle::default()
    }

    pub fn burn(&mut self) {
        self.burnt += 1;
        assert!(self.burnt < 4, "nothing is left");
    }

    pub fn touch(&mut self) {
        self.is_warm = !self.is_warm;
    }
}

#[test]
fn findings_are_minimised_unless_that_is_known_to_end_the_process() {
    let plan = plan_of(Candle::suite());
    let n_steps = |deaths: &[KnownDeath]| {
        let in_progress = InProgress::default();
        let outcome =
            outcome_of(&plan, &calls(1_000), (deaths, None), (&in_progress, &mut |_| None));
        assert!(outcome.contracts.iter().all(|one| one.name != USABLE_AFTER_PANIC));
        outcome.failures[0].steps.len()
    };
    assert_eq!([n_steps(&[]), n_steps(&[death(u64::MAX - 2, 0)])], [5, 5]);
    assert!(n_steps(&[death(MINIMIZING, 0)]) > 5);
}

#[test]
fn a_run_without_the_bounds_of_its_scope_has_its_own_for_objects_arrays_and_texts() {
    let plan = pens(r#"fields: {"Pen.is_empty": "skip"}, strings: ["ab"]"#);
    let options = RandomOptions { max_objects: 7, ..RandomOptions::default() };
    let bounds = &plan_for(plan.clone(), &options).bounds;
    assert_eq!([bounds.other_objects, bounds.arrays, bounds.text], [7; 3]);
    assert_eq!((&bounds.omitted, bounds.omitted.len()), (&plan.bounds.omitted, 1));
    let bounded = RandomOptions { is_bounded: true, ..options };
    assert_eq!(plan_for(plan.clone(), &bounded).bounds, plan.bounds);
}
