//! The loop: a policy proposes calls, they are made on live values, and what they left is learnt
//! from.
//!
//! The engine's executor makes calls on structures, each by itself. Here calls are made on the
//! variables of a sequence: an argument may be changed and used again, two values of one sequence
//! may share, a literal need not be one of the scope. That is why there is a second place where
//! calls are made. What the loops have in common is shared: the guard, what counts as misuse and
//! as failure, counters, sightings, findings.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use beget_engine::PanicTally;
use beget_heap::CanonicalForm;
use beget_heap::hash::fixed_map;
use beget_plan::finding::{Control, Problem, Progress, Sightings, StopReason};
use beget_plan::scope::{Plan, PlannedIdx};
use beget_process::coverage::Coverage;
use beget_process::guard::{PanicReport, guarded};
use beget_suite::{Chooser, Outcome, SplitMix64, TypeIdx, Variable, into_without_keys};

use crate::random::after_panic::PanicFollower;
use crate::random::constants::LiteralPool;
use crate::random::equality::EqualityFilter;
use crate::random::growing::{GrowingSequence, forms_of, known_forms, to_fragment};
use crate::random::inspect::{Inspection, Inspector, LeftValue, distinct};
use crate::random::live::{Live, MadeCall};
use crate::random::policy::{
    ChromosomePolicy, Feedback, NextCall, Opening, Policy, PolicySources, Undirected,
};
use crate::random::rebuild::SequenceRebuilder;
use crate::random::report::{DistinctTotals, FlakyCall, MethodTally, RandomReport, RandomSighting};
use crate::random::start::SequenceStart;
use crate::random::{
    CallStep, CallVerdict, CoursePoint, Direction, EndedSequence, Fragment, InProgress, Judge,
    KnownDeath, Matching, MetStructure, MinimizedFinding, NewStructure, OfferedValue,
    OutcomeSample, PooledSequence, PooledValue, RandomOptions, RandomSoFar, SequenceObserver,
    SequencePool,
};

/// Sequences between two looks at whether to stop.
const CHECK_INTERVAL: u64 = 64;

/// Sequences between progress snapshots.
const PUBLISH_INTERVAL: u64 = 512;

/// Sequences in a row without a call after which there is nothing to call.
const MOST_IDLE: u64 = 10_000;

/// The number of first sequences that are repeated and compared, and the sampling interval after
/// them.
const ALL_COMPARED: u64 = 256;
const ONE_IN: u64 = 64;

/// A random search in progress.
pub struct RandomSearch<'p> {
    plan: &'p Plan,
    options: &'p RandomOptions,
    in_progress: &'p InProgress,
    inspector: Inspector<'p>,
    rebuilder: SequenceRebuilder<'p>,
    literals: LiteralPool,
    pool: SequencePool,
    equality: EqualityFilter,
    judge: &'p mut dyn Judge,
    coverage: Option<&'p dyn Coverage>,
    observer: Option<&'p dyn SequenceObserver>,
    /// The problem of the last call, where an observer is to see it.
    problem: Option<Problem>,
    /// How much was covered when it was asked last.
    n_covered: usize,
    sightings: Sightings<RandomSighting>,
    /// The number of findings at the last report.
    n_published: usize,
    flaky: BTreeMap<(PlannedIdx, String), u64>,
    panics: PanicFollower,
    report: RandomReport,
    /// The structures met, and sequences that show outcomes.
    met: Vec<MetStructure>,
    samples: Vec<OutcomeSample>,
    /// Calls that are not made, the next one first.
    deaths: VecDeque<KnownDeath>,
    /// By method of the plan, how many of these there were.
    n_deaths: Vec<u32>,
    watch: NoveltyWatch,
}

/// The calls and structures when it was seen last whether new ones come.
#[derive(Clone, Copy, Debug, Default)]
struct NoveltyWatch {
    calls: u64,
    structures: u64,
    /// True if the literals cannot widen any more.
    is_widest: bool,
}

/// The calls of a look at whether new structures come, and how few of them must leave one for the
/// literals to widen.
const NOVELTY_WINDOW: u64 = 2_000;
const LEAST_NOVELTY: u64 = 400;

/// Deaths after which a method is not called any more.
const MOST_DEATHS: u32 = 3;

impl std::fmt::Debug for RandomSearch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RandomSearch").field("report", &self.report).finish_non_exhaustive()
    }
}

/// The results of a search.
pub(crate) struct Harvest {
    pub(crate) report: RandomReport,
    /// The sightings, as reported.
    pub(crate) sightings: Vec<RandomSighting>,
    pub(crate) has_dropped: bool,
    pub(crate) pool: SequencePool,
    /// The results of following panics.
    pub(crate) panics: PanicTally,
    pub(crate) samples: Vec<OutcomeSample>,
    pub(crate) met: Vec<MetStructure>,
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AttemptEnd {
    /// Calls were made.
    Called,
    /// None were.
    Idle,
    /// There are none to make.
    Nothing,
}

impl<'p> RandomSearch<'p> {
    /// Before the first call.
    pub fn new(
        plan: &'p Plan,
        options: &'p RandomOptions,
        in_progress: &'p InProgress,
        judge: &'p mut dyn Judge,
        coverage: Option<&'p dyn Coverage>,
    ) -> Self {
        let n_types = plan.suite.types.len();
        RandomSearch {
            plan,
            options,
            in_progress,
            inspector: Inspector::new(plan),
            rebuilder: SequenceRebuilder::new(plan, options.is_by_calls),
            literals: LiteralPool::new(plan, options),
            pool: SequencePool::new(n_types),
            equality: EqualityFilter::new(n_types),
            judge,
            coverage,
            observer: None,
            problem: None,
            n_covered: coverage.map_or(0, Coverage::covered),
            sightings: Sightings::default(),
            n_published: 0,
            flaky: BTreeMap::new(),
            panics: PanicFollower::default(),
            report: RandomReport {
                by_method: vec![MethodTally::default(); plan.methods.len()],
                distinct: DistinctTotals::new(n_types),
                ..RandomReport::default()
            },
            met: Vec::new(),
            samples: Vec::new(),
            deaths: VecDeque::new(),
            n_deaths: vec![0; plan.methods.len()],
            watch: NoveltyWatch::default(),
        }
    }

    /// Does not make these calls, which end the process.
    pub(crate) fn expect_deaths(&mut self, deaths: &[KnownDeath]) {
        self.deaths = deaths.iter().cloned().collect();
    }

    /// Shows every sequence to an observer, if there is one.
    pub(crate) fn observe(&mut self, observer: Option<&'p dyn SequenceObserver>) {
        self.observer = observer;
    }

    /// Runs sequences until the budget is spent, there is nothing to call, or `control`, which is
    /// asked now and then, ends the run.
    pub fn run(&mut self, control: &mut Control<'_>) -> StopReason {
        let mut choose = SplitMix64::of_seeds(&[self.options.seed]);
        let mut policy = self.policy();
        let (mut n_attempts, mut n_idle) = (0_u64, 0);
        while self.report.counters.explored() < self.options.max_calls {
            match self.attempt(&mut *policy, &mut choose) {
                AttemptEnd::Called => n_idle = 0,
                AttemptEnd::Idle => n_idle += 1,
                AttemptEnd::Nothing => return StopReason::NothingToCall,
            }
            if n_idle == MOST_IDLE {
                return StopReason::NothingToCall;
            }
            n_attempts += 1;
            self.note_course();
            self.publish(n_attempts);
            self.look_for_novelty();
            if self.options.stops_at_first && self.n_published > 0 {
                return StopReason::FailureFound;
            }
            if n_attempts.is_multiple_of(CHECK_INTERVAL)
                && let Some(reason) = control(self.progress())
            {
                return reason;
            }
        }
        StopReason::MaxCalls(self.options.max_calls)
    }

    /// Runs `n` sequences whose choices `choose` makes. `control` may end the run after each of
    /// them; its reason is returned.
    pub fn run_sequences(
        &mut self,
        n: u32,
        choose: &mut dyn Chooser,
        control: &mut Control<'_>,
    ) -> Option<StopReason> {
        let mut policy = self.policy();
        (0..n).find_map(|_| {
            self.attempt(&mut *policy, choose);
            control(self.progress())
        })
    }

    fn policy(&self) -> Box<dyn Policy> {
        match &self.options.direction {
            Direction::Feedback => Box::new(Feedback::new(self.plan, self.options)),
            Direction::Undirected => Box::new(Undirected::new(self.plan)),
            Direction::Chromosome(chromosome) => {
                Box::new(ChromosomePolicy::new(self.plan, chromosome.clone()))
            }
        }
    }

    /// Widens the literals if hardly anything new has come for some time.
    fn look_for_novelty(&mut self) {
        let calls = self.report.counters.explored();
        if calls < self.watch.calls + NOVELTY_WINDOW || !self.can_widen() {
            return;
        }
        let structures = self.met.len() as u64;
        let n_new = structures - self.watch.structures;
        let n_calls = calls - self.watch.calls;
        self.watch = NoveltyWatch { calls, structures, ..self.watch };
        if n_new * NOVELTY_WINDOW >= LEAST_NOVELTY * n_calls {
            self.report.saturated = 0;
        } else if !self.watch.is_widest && self.literals.widen() {
            self.report.widened = self.literals.widened();
        } else {
            self.watch.is_widest = true;
            self.report.saturated = if n_new == 0 { self.report.saturated + n_calls } else { 0 };
        }
    }

    fn can_widen(&self) -> bool {
        let RandomOptions { direction, is_widening, is_bounded, fresh_ints, .. } = self.options;
        let is_free = !is_bounded && fresh_ints.is_none();
        *is_widening && is_free && *direction == Direction::Feedback
    }

    /// Notes how far the run has come.
    fn note_course(&mut self) {
        let mut course = std::mem::take(&mut self.report.course);
        course.note(self.report.counters.explored(), || self.course_point());
        self.report.course = course;
    }

    fn course_point(&self) -> CoursePoint {
        CoursePoint {
            calls: self.report.counters.explored(),
            pooled: self.pool.len() as u64,
            structures: self.inspector.forms.len() as u64,
            covered: self.coverage.map_or(0, Coverage::covered) as u64,
        }
    }

    /// Takes a progress snapshot, if one is due or there is something new.
    fn publish(&mut self, n_attempts: u64) {
        let n_found = self.sightings.groups().len() + self.judge.n_found();
        let is_new = std::mem::replace(&mut self.n_published, n_found) != n_found;
        if !is_new && !n_attempts.is_power_of_two() && !n_attempts.is_multiple_of(PUBLISH_INTERVAL)
        {
            return;
        }
        let mut so_far = RandomSoFar { report: self.full_report(), ..RandomSoFar::default() };
        let found = self.sightings.ranked().into_iter();
        so_far.failures = found
            .map(|RandomSighting { problem, count, steps }| {
                MinimizedFinding::of_call(problem, count, steps)
            })
            .collect();
        self.judge.tell(&mut so_far.judged);
        self.in_progress.publish(so_far);
    }

    fn full_report(&self) -> RandomReport {
        let call = |((method, message), count): (&(PlannedIdx, String), &u64)| FlakyCall {
            method: *method,
            message: message.clone(),
            count: *count,
        };
        RandomReport { flaky: self.flaky.iter().map(call).collect(), ..self.report.clone() }
    }

    /// Runs one undirected sequence whose choices `choose` makes.
    pub fn run_undirected(&mut self, choose: &mut dyn Chooser) {
        self.attempt(&mut Undirected::new(self.plan), choose);
    }

    /// The report of the run so far.
    pub fn report(&self) -> &RandomReport {
        &self.report
    }

    /// The forms of all structures that were met, in no order.
    pub fn forms(&self) -> impl Iterator<Item = &CanonicalForm> {
        self.inspector.forms.iter()
    }

    /// The sequences that may be extended.
    pub fn pool(&self) -> &SequencePool {
        &self.pool
    }

    fn progress(&self) -> Progress {
        Progress {
            explored: self.report.counters.explored(),
            failures: self.report.counters.failures,
            structures: self.inspector.forms.len() as u64,
            store_bytes: 0,
            level: None,
        }
    }

    /// Runs one sequence.
    fn attempt(&mut self, policy: &mut dyn Policy, choose: &mut dyn Chooser) -> AttemptEnd {
        let RandomSearch { plan, ref pool, ref literals, .. } = *self;
        let (values, taken) = match policy.begin(&PolicySources { plan, pool, literals }, choose) {
            Opening::Nothing => return AttemptEnd::Nothing,
            Opening::NoInputs(method) => {
                self.report.by_method[method.index()].no_inputs += 1;
                return AttemptEnd::Idle;
            }
            Opening::Parts(values, None) => (values, Vec::new()),
            Opening::Parts(values, Some((method, taken))) => {
                let of_value = |&value| self.pool.sequence(value).fragment.n_statements();
                if values.iter().map(of_value).sum::<usize>() >= self.max_length() {
                    self.report.by_method[method.index()].too_long += 1;
                    return AttemptEnd::Idle;
                }
                (values, taken)
            }
        };
        let before = (self.report.counters.explored(), self.inspector.forms.len() as u64);
        self.observer.inspect(|observer| observer.begun());
        let Some(mut growing) = self.begin(&values, &taken) else {
            self.show_ended(None, before, Some(CallVerdict::Failure));
            return AttemptEnd::Idle;
        };
        let cut_by = self.grow(&mut growing, policy, choose);
        if cut_by.is_none() && !growing.steps.is_empty() {
            self.offer(&mut growing);
        }
        self.show_ended(Some(&growing), before, cut_by);
        self.end(growing);
        match self.report.counters.explored() > before.0 {
            true => AttemptEnd::Called,
            false => AttemptEnd::Idle,
        }
    }

    /// The values of some sequences one after another, of which those in `taken` are needed; `None`
    /// if there is nothing to go on with.
    fn begin(&mut self, values: &[PooledValue], taken: &[Variable]) -> Option<GrowingSequence<'p>> {
        let by_calls = SequenceStart::by_calls(&self.pool, values);
        self.report.sequences += 1;
        self.in_progress.begin(self.report.sequences, by_calls.prefix.clone());
        let number = self.report.sequences;
        if self.deaths.front().is_some_and(|next| (next.sequence, next.call) == (number, 0)) {
            let steps = by_calls.prefix.to_steps();
            let death = self.deaths.pop_front()?;
            let method = self.method_of(steps.last())?;
            self.sightings.add(RandomSighting { problem: death.problem, count: 1, steps }, method);
            return None;
        }
        let is_compared = number <= ALL_COMPARED || number.is_multiple_of(ONE_IN);
        let growing = |start, live| GrowingSequence {
            start,
            steps: Vec::new(),
            live,
            left: Vec::new(),
            known: fixed_map(),
        };
        if !is_compared
            && !values.is_empty()
            && let Some(start) = by_calls.decoding(&self.pool, values, taken)
            && let Some(live) = start.make(&mut self.rebuilder)
        {
            self.report.spared += start.prefix.n_statements() as u64;
            return Some(growing(start, live));
        }
        self.report.repeated += by_calls.prefix.n_statements() as u64;
        let made = by_calls.make(&mut self.rebuilder);
        match made.filter(|live| !is_compared || self.are_as_before(values, live)) {
            Some(live) => Some(growing(by_calls, live)),
            None => {
                self.note_differing(values, &by_calls);
                None
            }
        }
    }

    /// Returns whether the calls gave the same values as before.
    fn are_as_before(&mut self, values: &[PooledValue], live: &Live<'_>) -> bool {
        let variables = self.offered(values);
        let forms: Vec<_> =
            values.iter().map(|&value| self.pool.offer(value).form.clone()).collect();
        forms_of(&mut self.inspector, live, &variables) == Some(forms)
    }

    /// The variables of some values whose sequences stand one after another.
    fn offered(&self, values: &[PooledValue]) -> Vec<Variable> {
        let mut first = 0;
        let variable = |&value: &PooledValue| {
            let variable = self.pool.offer(value).variable.counted_from(first);
            first += self.pool.sequence(value).fragment.n_variables();
            variable
        };
        values.iter().map(variable).collect()
    }

    /// The calls of the pool do not give the same structures again. If they were made on decoded
    /// values then, and give the same twice now, decoding is to blame.
    #[cold]
    fn note_differing(&mut self, values: &[PooledValue], start: &SequenceStart) {
        let is_by_calls = values.iter().all(|&value| self.pool.sequence(value).is_by_calls);
        let variables = self.offered(values);
        let mut again = || {
            let live = start.make(&mut self.rebuilder)?;
            forms_of(&mut self.inspector, &live, &variables)
        };
        if !is_by_calls && again() == again() {
            self.report.is_decoding_inexact |= self.rebuilder.give_up();
            return;
        }
        let steps = start.prefix.to_steps();
        let problem = Problem::nondeterministic();
        if let Some(method) = self.method_of(steps.last()) {
            *self.flaky.entry((method, problem.message.to_string())).or_default() += 1;
            let sighting = RandomSighting { problem, count: 1, steps };
            self.sightings.add(sighting, method);
        }
    }

    /// How much the calls since the last time were the first to cover.
    fn gained(&mut self) -> u64 {
        let Some(coverage) = self.coverage else { return 0 };
        let before = std::mem::replace(&mut self.n_covered, coverage.covered());
        self.n_covered.saturating_sub(before) as u64
    }

    fn method_of(&self, step: Option<&CallStep>) -> Option<PlannedIdx> {
        self.plan.find_planned(step?.statement.method)
    }

    /// Shows a sequence that is over to the observer; `before` are the calls and the structures
    /// before it.
    fn show_ended(
        &mut self,
        growing: Option<&GrowingSequence<'p>>,
        before: (u64, u64),
        cut_by: Option<CallVerdict>,
    ) {
        let Some(observer) = self.observer else { return };
        observer.ended(&EndedSequence {
            calls: growing.map(|one| one.to_fragment().to_sequence(None)).unwrap_or_default(),
            n_new_calls: self.report.counters.explored() - before.0,
            n_new_structures: self.inspector.forms.len() as u64 - before.1,
            cut_by,
            problem: self.problem.take(),
        });
    }

    /// Adds calls until the policy ends it. Returns the verdict on the last one, if that is why.
    fn grow(
        &mut self,
        growing: &mut GrowingSequence<'p>,
        policy: &mut dyn Policy,
        choose: &mut dyn Chooser,
    ) -> Option<CallVerdict> {
        while self.report.counters.explored() < self.options.max_calls {
            let RandomSearch { plan, ref pool, ref literals, .. } = *self;
            let given = PolicySources { plan, pool, literals };
            let next = policy.next(&given, &growing.live, choose);
            let Some(NextCall { method, step }) = next else { break };
            if growing.n_statements() >= self.max_length() {
                self.report.by_method[method.index()].too_long += 1;
                break;
            }
            if self.n_deaths[method.index()] >= MOST_DEATHS {
                break;
            }
            let is_unbound = |(_, variable)| growing.live.value(variable).is_none();
            if step.statement.variables().any(is_unbound) {
                break;
            }
            let Some(verdict) = self.call(growing, method, step, policy) else {
                policy.learn(method, CallVerdict::Misuse, self.gained());
                continue;
            };
            policy.learn(method, verdict, self.gained());
            match verdict {
                CallVerdict::Kept | CallVerdict::Matched if policy.outlives_misuse() => {
                    growing.note_left();
                }
                CallVerdict::Kept | CallVerdict::Matched => {}
                CallVerdict::Misuse | CallVerdict::OutOfScope if policy.outlives_misuse() => {
                    self.take_back(growing);
                }
                verdict => return Some(verdict),
            }
        }
        None
    }

    /// How many calls a sequence has at most.
    fn max_length(&self) -> usize {
        match self.options.direction {
            Direction::Chromosome(_) => usize::MAX,
            _ => self.options.max_length,
        }
    }

    /// Takes the last call back, which broke a rule of use or left the scope: it is no step of the
    /// sequence, and what it gave is dropped, as is what it took and changed.
    fn take_back(&mut self, growing: &mut GrowingSequence<'p>) {
        let step = growing.steps.pop().expect("the call's own");
        self.in_progress.pop();
        let results = step.statement.bindings.iter().map(|one| one.variable);
        let mut spoilt: Vec<Variable> = results.collect();
        let arguments = distinct(&step).into_iter();
        spoilt.extend(arguments.filter(|&taken| growing.is_changed(&mut self.inspector, taken)));
        for variable in spoilt {
            let value = growing.live.take(variable);
            // After misuse the destructor need not work.
            let _ = guarded(|| drop(value));
        }
    }

    /// Makes a call. `None` if a precondition forbids it, so that nothing has changed.
    fn call(
        &mut self,
        growing: &mut GrowingSequence<'p>,
        method: PlannedIdx,
        step: Arc<CallStep>,
        policy: &mut dyn Policy,
    ) -> Option<CallVerdict> {
        growing.steps.push(step.clone());
        if !self.deaths.is_empty()
            && let Some(verdict) = self.spare_death(growing, method)
        {
            return Some(verdict);
        }
        self.in_progress.push(step.clone());
        let learns = self.options.constants.has_returned && !self.options.is_bounded;
        let made = growing.live.make(0, &step, learns || policy.observes());
        if let MadeCall::Returned(_, Some(returned)) = &made {
            policy.see(returned);
            if learns {
                self.literals.learn(returned);
            }
        }
        let is_error = matches!(&made, MadeCall::Returned(Outcome::Error, _));
        let panicked = match &made {
            MadeCall::Panicked(report) if self.plan.follows_panics => Some(report.clone()),
            _ => None,
        };
        let (plan, rebuilder) = (self.plan, &mut self.rebuilder);
        let GrowingSequence { start, steps, live, left, .. } = &mut *growing;
        let earlier = &steps[..steps.len() - 1];
        let mut before = |variables: &[Variable]| {
            known_forms(start, earlier, left, variables).or_else(|| {
                let live = start.make_with(earlier, rebuilder)?;
                forms_of(&mut Inspector::new(plan), &live, variables)
            })
        };
        let inspection = self.inspector.inspect(live, &step, made, &mut before);
        let is_forbidden = matches!(inspection, Inspection::Forbidden);
        let verdict = match inspection {
            Inspection::Left(left) => self.take_left(growing, left),
            Inspection::LeftByPanic(left) => {
                let mut step = CallStep::clone(&step);
                step.statement.panics = true;
                *growing.steps.last_mut().expect("the call's own") = Arc::new(step);
                self.take_left(growing, left)
            }
            Inspection::OutOfScope => CallVerdict::OutOfScope,
            Inspection::Misuse | Inspection::Forbidden => CallVerdict::Misuse,
            Inspection::Failure(problem) => {
                self.problem = self.observer.map(|_| problem.clone());
                self.report_failure(&|| growing.to_fragment(), method, problem);
                CallVerdict::Failure
            }
        };
        if let Some(report) = panicked {
            self.follow_panic(growing, method, &report);
        }
        self.count(method, verdict);
        match verdict {
            CallVerdict::Kept | CallVerdict::Matched => self.sample(growing, method, verdict),
            CallVerdict::Misuse if is_error => self.sample_error(growing, method),
            _ => {}
        }
        if is_forbidden {
            growing.steps.pop();
            self.in_progress.pop();
            return None;
        }
        Some(verdict)
    }

    fn count(&mut self, method: PlannedIdx, verdict: CallVerdict) {
        verdict.count(&mut self.report.counters);
        verdict.count(&mut self.report.by_method[method.index()].calls);
    }

    /// Keeps the sequence as one that shows this outcome of the method: the first, the second, the
    /// fourth, ... of them.
    fn sample(&mut self, growing: &GrowingSequence<'p>, method: PlannedIdx, verdict: CallVerdict) {
        let calls = &self.report.by_method[method.index()].calls;
        let n = if verdict == CallVerdict::Kept { calls.kept } else { calls.matched };
        if !n.is_power_of_two() {
            return;
        }
        let left = growing.left.iter().min_by_key(|left| growing.live.type_of(left.variable));
        let Some(LeftValue { variable, form, .. }) = left else { return };
        let ty = growing.live.type_of(*variable);
        let fragment = Arc::new(growing.to_fragment());
        let (variable, form) = (*variable, form.clone());
        self.samples.push(OutcomeSample { method, verdict, fragment, variable, ty, form });
    }

    /// The same of a call that returned an error, which is misuse.
    fn sample_error(&mut self, growing: &GrowingSequence<'p>, method: PlannedIdx) {
        if !self.report.by_method[method.index()].calls.misuse.is_power_of_two() {
            return;
        }
        let step = growing.steps.last().expect("the call's own");
        let taken = distinct(step).into_iter();
        let Some(variable) = taken.min_by_key(|&taken| growing.live.type_of(taken)) else { return };
        let forms = forms_of(&mut self.inspector, &growing.live, &[variable]);
        let Some(form) = forms.and_then(|mut forms| forms.pop()) else { return };
        let ty = growing.live.type_of(variable);
        let fragment = Arc::new(growing.to_fragment());
        let verdict = CallVerdict::Misuse;
        self.samples.push(OutcomeSample { method, verdict, fragment, variable, ty, form });
    }

    /// Reports the call that would be made, if it is the next one that ends the process.
    #[cold]
    fn spare_death(
        &mut self,
        growing: &GrowingSequence<'p>,
        method: PlannedIdx,
    ) -> Option<CallVerdict> {
        let position = (self.report.sequences, growing.steps.len() as u64);
        self.deaths.front().filter(|next| (next.sequence, next.call) == position)?;
        let KnownDeath { problem, .. } = self.deaths.pop_front()?;
        let steps = match self.sightings.has(&problem, method) {
            true => Vec::new(),
            false => growing.to_fragment().to_steps(),
        };
        self.sightings.add(RandomSighting { problem, count: 1, steps }, method);
        self.n_deaths[method.index()] += 1;
        if self.n_deaths[method.index()] == MOST_DEATHS {
            self.report.given_up.push(method);
        }
        self.count(method, CallVerdict::Failure);
        Some(CallVerdict::Failure)
    }

    /// Sees whether what the last call has left, which panicked, can still be used.
    #[cold]
    fn follow_panic(
        &mut self,
        growing: &GrowingSequence<'p>,
        method: PlannedIdx,
        report: &PanicReport,
    ) {
        if !self.panics.is_due(method, &report.location) {
            return;
        }
        let misuse = &self.plan.misuse;
        let is_kept = misuse.keeps_panicked && misuse.expects(&report.message);
        let mut steps = growing.to_fragment().to_steps();
        steps.last_mut().expect("the call's own").statement.panics = true;
        let found = self.panics.follow(self.plan, self.in_progress, &steps, is_kept);
        if let Some((problem, steps)) = found {
            self.sightings.add(RandomSighting { problem, count: 1, steps }, method);
        }
    }

    /// Notes the structures that a call left.
    fn take_left(
        &mut self,
        growing: &mut GrowingSequence<'p>,
        left: Vec<LeftValue>,
    ) -> CallVerdict {
        let mut verdict = CallVerdict::Matched;
        for left in &left {
            if !left.is_known && !self.inspector.forms.contains(&left.form) {
                verdict = CallVerdict::Kept;
                self.meet(growing, left);
                self.inspector.forms.insert(&left.form, false);
            }
        }
        let before = std::mem::replace(&mut growing.left, left);
        self.inspector.recycle(before);
        verdict
    }

    /// Counts a structure that is met for the first time, and asks the judge about it.
    fn meet(&mut self, growing: &GrowingSequence<'p>, left: &LeftValue) {
        let LeftValue { variable, ref form, n_objects, .. } = *left;
        let ty = growing.live.type_of(variable);
        let id = self.inspector.forms.len() as u64;
        let digest = form.digest();
        self.report.distinct.add(ty, n_objects, digest);
        self.met.push(MetStructure { digest, ty, n_objects });
        let rebuilder = &mut self.rebuilder;
        let value = growing.live.value(variable).expect("it was left");
        let mut make = || {
            let whole = rebuilder.whole(ty, value, form);
            match whole.and_then(|whole| rebuilder.decode(ty, &whole)) {
                Some(value) => Some(value),
                None => growing.start.make_with(&growing.steps, rebuilder)?.take(variable),
            }
        };
        let origin = || (Arc::new(growing.to_fragment()), variable);
        self.judge.judge(&mut NewStructure { id, ty, form, make: &mut make, origin: &origin });
    }

    /// A call failed: it is a finding if it fails again, after all calls before it.
    #[cold]
    fn report_failure(
        &mut self,
        calls: &dyn Fn() -> Fragment,
        method: PlannedIdx,
        problem: Problem,
    ) {
        let steps = match self.sightings.has(&problem, method) {
            true => Vec::new(),
            false => calls().to_steps(),
        };
        if !steps.is_empty()
            && !crate::random::trial::shows(self.plan, &steps, &problem.signature())
        {
            *self.flaky.entry((method, problem.message.to_string())).or_default() += 1;
            return;
        }
        self.sightings.add(RandomSighting { problem, count: 1, steps }, method);
    }

    /// Puts a sequence whose calls all went well into the pool, if it has something to offer.
    fn offer(&mut self, growing: &mut GrowingSequence<'p>) {
        if self.options.direction != Direction::Feedback {
            return;
        }
        let mut offers = Vec::new();
        for left in std::mem::take(&mut growing.left) {
            let LeftValue { variable, ref form, .. } = left;
            let ty = growing.live.type_of(variable);
            if self.is_pooled(ty, form) {
                continue;
            }
            let value = growing.live.value(variable);
            let whole = value.and_then(|value| self.rebuilder.whole(ty, value, form));
            if self.is_new_by_equality(&mut growing.live, &left) {
                let form = left.form;
                self.inspector.forms.insert(&form, true);
                offers.push(OfferedValue { variable, ty, form, whole });
            }
        }
        if offers.is_empty() {
            return;
        }
        let fragment = Arc::new(growing.to_fragment());
        self.report.kept_sequences += 1;
        self.report.longest = self.report.longest.max(fragment.n_statements());
        let is_by_calls = growing.start.is_by_calls();
        self.pool.add(PooledSequence { fragment, offers, is_by_calls });
    }

    /// Returns whether values of a type are compared by `PartialEq`.
    fn is_by_equality(&self, ty: TypeIdx) -> bool {
        let traits = &self.plan.suite.types[ty.index()].traits;
        self.options.matching == Matching::Equality && traits.partial_eq.is_some()
    }

    /// The filter of known forms.
    fn is_pooled(&self, ty: TypeIdx, form: &CanonicalForm) -> bool {
        let is_by_form = self.options.matching != Matching::None && !self.is_by_equality(ty);
        is_by_form && self.inspector.forms.is_pooled(form)
    }

    /// The filter of equal values.
    fn is_new_by_equality(&mut self, live: &mut Live<'_>, left: &LeftValue) -> bool {
        let ty = live.type_of(left.variable);
        if !self.is_by_equality(ty) {
            return true;
        }
        let traits = &self.plan.suite.types[ty.index()].traits;
        let value = live.take(left.variable);
        value.is_some_and(|value| self.equality.is_new(ty, traits, into_without_keys(value)))
    }

    /// Drops the values of a sequence.
    fn end(&mut self, growing: GrowingSequence<'p>) {
        let GrowingSequence { start, steps, live, .. } = growing;
        let ended = self.rebuilder.end(live);
        let Err(report) = ended else { return };
        let calls = || to_fragment(&start, steps.clone());
        if let Some(method) = self.method_of(calls().to_steps().last()) {
            let problem = Problem::drop_panics(&report.message, report.location);
            self.report_failure(&calls, method, problem);
        }
    }

    /// The results when the run is over.
    pub(crate) fn into_harvest(self) -> Harvest {
        let mut report = self.full_report();
        report.course.end(self.course_point());
        report.pool_bytes = self.pool.bytes();
        Harvest {
            report,
            sightings: self.sightings.ranked(),
            has_dropped: self.sightings.groups().len() >= Sightings::<RandomSighting>::MOST,
            pool: self.pool,
            panics: self.panics.tally,
            samples: self.samples,
            met: self.met,
        }
    }
}

#[cfg(test)]
mod tests;
