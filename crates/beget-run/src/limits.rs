//! Keeping a run within its limits, by the measurements of its host.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;

use beget_engine::store::Store;
use beget_engine::{BlockRunner, Interim, NewStore, Observer, SavedRun, Threads};
use beget_heap::Doubts;
use beget_plan::finding::{Limits, Progress, StopReason};
use beget_plan::scope::{Budget, Plan};

use crate::ask_job::{AskError, AskJob, LevelEnds, OracleProgress};
use crate::random::SequenceObserver;
use crate::{IntGrowth, Questions};

/// The services that the caller of a run provides: a clock, measurements of memory and interrupts,
/// and a receiver of progress.
pub trait Host {
    /// Seconds since the host started its clock, which is before its first run.
    fn seconds(&self) -> f64;

    /// The memory of the process, if known. Otherwise the store's counts.
    fn memory_bytes(&self) -> Option<u64> {
        None
    }

    /// User and system time of the process since the host started its clock, if known.
    fn cpu_seconds(&self) -> Option<f64> {
        None
    }

    /// Returns whether the user wants the run to end.
    fn is_interrupted(&self) -> bool {
        false
    }

    /// The workers that make the calls instead of the threads of this process, if any.
    fn workers(&self) -> Option<&dyn Workers> {
        None
    }

    /// Processes that repeat the calls of runs and leave different remains in memory, for
    /// structures identified by it: each makes all calls.
    fn peers(&self) -> &[Box<dyn Workers>] {
        &[]
    }

    /// The runner of calls in this process instead of plain threads, if any.
    fn runner(&self) -> Option<&dyn BlockRunner> {
        None
    }

    /// Returns whether calls that end the process, or do not return, are noticed and reported. If
    /// so, `check` repeats some calls that may do so.
    fn outlives_calls(&self) -> bool {
        self.workers().is_some()
    }

    /// The processes that make runs of [`generate`](crate::generate()) together with this one;
    /// `None` if it is alone.
    fn machines(&self) -> Option<&dyn Machines> {
        None
    }

    /// The observer of the sequences of random runs, if any.
    fn sequence_observer(&self) -> Option<&dyn SequenceObserver> {
        None
    }

    /// Does work of a run that runs no code under test and may take long.
    fn without_calls(&self, work: &mut dyn FnMut()) {
        work();
    }

    /// Reports an event of a run.
    fn report(&self, event: Event<'_>) {
        let _ = event;
    }

    /// Is called about ten times a second while the calls of a batch are made, with the state of
    /// the run without them. If the run should end, `due` is the reason; it will end with the
    /// batch. Calls that do not end cannot be stopped: a host that does not want to wait for them
    /// can only use the state and end the process.
    fn waiting(&self, interim: &Interim<'_>, due: Option<StopReason>) {
        let _ = (interim, due);
    }

    /// Like [`Host::waiting`], for the calls of a check: `levels` has its answers so far.
    fn waiting_in_check(
        &self,
        interim: &Interim<'_>,
        levels: &dyn LevelEnds,
        due: Option<StopReason>,
    ) {
        let _ = levels;
        self.waiting(interim, due);
    }

    /// Returns whether calls and questions are waited for though the run should end for this
    /// reason: until their own time is up.
    fn is_patient(&self, due: StopReason) -> bool {
        let _ = due;
        false
    }

    /// The seconds that a question of an oracle may take before its thread is left; `None` for any
    /// number. Making, copying or dropping a structure for it may take longer by the factor of the
    /// framework's own work.
    fn question_seconds(&self) -> Option<f64> {
        None
    }

    /// Like [`Host::waiting`], while repOKs are run.
    fn waiting_for_answer(&self, runs: &dyn Questions, due: Option<StopReason>) {
        let _ = (runs, due);
    }
}

/// Makes the calls of runs elsewhere, with the plan of the run.
pub trait Workers: BlockRunner {
    /// Begins another search, in which no copies have failed yet. `ints` are the integers that
    /// constructors leave, which limit the plan's integers; `doubts` are those of its layout.
    fn begin(&self, ints: Option<&BTreeSet<i128>>, doubts: &Doubts);

    /// Asks oracles about structures of the search: how far each oracle is then. `wait` is called
    /// now and then meanwhile.
    ///
    /// # Errors
    /// If a process dies by it; or none can be asked.
    fn ask(
        &self,
        job: &AskJob<'_>,
        wait: &mut dyn FnMut(),
    ) -> Result<Vec<OracleProgress>, AskError>;

    /// The run has made its last call.
    fn end(&self);
}

/// Several processes, on one machine or on many, that make one run together. Each of them makes the
/// same run, in step with the others: the same proposals, the same counters, the same numbers. They
/// differ in the blocks they call and the structures they keep.
pub trait Machines: BlockRunner {
    /// An empty store whose structures are spread over all processes. This one keeps its own in
    /// `part`, which is also empty.
    ///
    /// # Errors
    ///
    /// If one of the processes should save its part and cannot.
    fn new_store(&self, plan: &Plan, part: Box<dyn Store>) -> NewStore;

    /// The saved run to continue, if there is one. Called once, first.
    fn saved(&self) -> Option<SavedRun>;

    /// Decides with the other processes how to go on after a batch: `own` is this process's vote.
    /// All get the same answer.
    fn agree(&self, own: AfterBatch) -> AfterBatch;

    /// Does work that the other processes need not do at the same time. It can read no forms.
    fn aside(&self, work: &mut dyn FnMut());
}

/// The decision after a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AfterBatch {
    /// The reason to stop, if any.
    pub stop: Option<StopReason>,
    /// True if the run should be saved, even within a level.
    pub save: bool,
}

/// The memory that this process holds now, in bytes, if the system reports it. `read` returns the
/// text of a file.
pub fn resident_bytes(read: impl FnOnce(&str) -> Option<String>) -> Option<u64> {
    let status = read("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kib * 1024)
}

/// Returns whether a debugger is attached to this process, if the system says so. `read` returns
/// the contents of a file.
pub fn is_debugged(read: impl FnOnce(&str) -> Option<String>) -> bool {
    let status = read("/proc/self/status").unwrap_or_default();
    let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:"));
    tracer.is_some_and(|tracer| tracer.trim() != "0")
}

/// An event of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event<'e> {
    /// Another search begins: levels and counts start again.
    Begin,
    /// A check without a given k continues with this one.
    Deepen {
        /// The scope's number.
        k: u32,
    },
    /// The progress of the search.
    Progress(Progress),
    /// The state and growth of a long search. Reported after two seconds, and then whenever the
    /// time has doubled.
    LongRun {
        /// Structures so far.
        structures: u64,
        /// Calls so far.
        explored: u64,
        /// Of these, those that failed.
        failures: u64,
        /// The level, and the integers that grow.
        growth: &'e IntGrowth,
    },
    /// A genetic search has completed a generation.
    Generation {
        /// Its number; the first is 0.
        number: u32,
        /// The number of the last.
        of: u32,
        /// The points that the best covers on average.
        points: f64,
        /// The total number of points, if known.
        known: Option<usize>,
        /// Its fitness.
        fitness: f64,
    },
    /// A comparison continues with more slack.
    MoreSlack {
        /// The slack that was tried.
        slack: u32,
        /// The number of the repOK's structures that are not built with it.
        gap: u64,
    },
}

/// The limits of a run with the host that measures it. They apply to all searches of the run
/// together.
#[derive(Clone)]
pub struct Watch<'h> {
    limits: Limits,
    host: &'h dyn Host,
    /// The time of the next look at growth, for all runs under this watch.
    next_look: Rc<Cell<f64>>,
    /// The most seconds between two saves of a run, and the time of the last.
    save_every: f64,
    last_save: Cell<f64>,
    /// True if the processes have agreed to save the run now.
    save_agreed: Cell<bool>,
    /// The work at the ends of levels.
    pub(crate) levels: Option<&'h dyn LevelEnds>,
}

/// The default number of seconds of work that may be lost.
const SAVE_EVERY: f64 = 600.0;

/// The seconds after which a run reports its state.
const SECONDS_IN_SILENCE: f64 = 2.0;

impl std::fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch").field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl<'h> Watch<'h> {
    /// Keeps the limits of `budget` that are not counted in calls or structures.
    pub fn new(budget: Budget, host: &'h dyn Host) -> Self {
        Watch {
            limits: budget.into(),
            host,
            next_look: Rc::new(Cell::new(SECONDS_IN_SILENCE)),
            save_every: SAVE_EVERY,
            last_save: Cell::new(0.0),
            save_agreed: Cell::new(false),
            levels: None,
        }
    }

    /// The same for one run, with something that is done at the ends of its levels.
    pub(crate) fn with_levels<'l>(&self, levels: &'l dyn LevelEnds) -> Watch<'l>
    where
        'h: 'l,
    {
        Watch { levels: Some(levels), ..self.clone() }
    }

    /// The same for a run that only prepares another: nothing is done at the ends of its levels.
    pub(crate) fn without_levels(&self) -> Self {
        Watch { levels: None, ..self.clone() }
    }

    /// The same, for a run that is saved between the ends of levels too, after this number of
    /// seconds, if it can be.
    pub fn saving_every(self, seconds: f64) -> Self {
        Watch { save_every: seconds, ..self }
    }

    /// Returns whether the run should be saved now.
    pub(crate) fn is_save_due(&self, is_between_levels: bool) -> bool {
        let is_overdue = match self.machines() {
            None => self.is_save_overdue(),
            Some(_) => self.save_agreed.take(),
        };
        let is_due = is_between_levels || is_overdue;
        if is_due {
            self.last_save.set(self.host.seconds());
        }
        is_due
    }

    fn is_save_overdue(&self) -> bool {
        self.host.seconds() - self.last_save.get() >= self.save_every
    }

    /// Seconds since the host began to count.
    pub(crate) fn seconds(&self) -> f64 {
        self.host.seconds()
    }

    /// The memory that the process holds, where that is known.
    pub fn memory_bytes(&self) -> Option<u64> {
        self.host.memory_bytes()
    }

    /// User and system time, or else wall time.
    pub fn cpu_seconds(&self) -> f64 {
        self.host.cpu_seconds().unwrap_or_else(|| self.host.seconds())
    }

    /// Reports an event of the run to the host.
    pub fn report(&self, event: Event<'_>) {
        self.host.report(event);
    }

    pub(crate) fn sequence_observer(&self) -> Option<&'h dyn SequenceObserver> {
        self.host.sequence_observer()
    }

    pub(crate) fn without_calls(&self, work: &mut dyn FnMut()) {
        self.host.without_calls(work);
    }

    /// Returns whether the host survives and reports calls that end the process.
    pub(crate) fn outlives_calls(&self) -> bool {
        self.host.outlives_calls()
    }

    /// The runner of calls.
    pub(crate) fn runner(&self) -> &dyn BlockRunner {
        match self.host.workers() {
            Some(workers) => workers,
            None => self.host.runner().unwrap_or(&Threads),
        }
    }

    /// The processes that make the run together.
    pub(crate) fn machines(&self) -> Option<&'h dyn Machines> {
        self.host.machines()
    }

    /// The workers that make calls outside this process, if there are some.
    pub(crate) fn workers(&self) -> Option<&dyn Workers> {
        self.host.workers()
    }

    /// Returns whether calls are made elsewhere than in this process.
    pub(crate) fn has_workers(&self) -> bool {
        self.workers().is_some()
    }

    /// Begins another search: see [`Workers::begin`].
    pub(crate) fn begin_search(&self, ints: Option<&BTreeSet<i128>>, doubts: &Doubts) {
        self.elsewhere().for_each(|workers| workers.begin(ints, doubts));
    }

    /// All processes that make calls for this one.
    fn elsewhere(&self) -> impl Iterator<Item = &dyn Workers> {
        let peers = self.host.peers().iter().map(|peer| &**peer);
        self.host.workers().into_iter().chain(peers)
    }

    /// The processes that repeat calls.
    pub(crate) fn peers(&self) -> &[Box<dyn Workers>] {
        self.host.peers()
    }

    /// No calls are made any more.
    pub(crate) fn end_search(&self) {
        self.elsewhere().for_each(Workers::end);
    }

    /// Reports the progress and says whether the search must stop.
    pub fn check(&self, progress: Progress) -> Option<StopReason> {
        self.report(Event::Progress(progress));
        self.stop_reason(progress.store_bytes)
    }

    /// Like [`Watch::check`], after a batch of calls: all processes that make the run get the same
    /// answer.
    pub(crate) fn check_together(&self, progress: Progress) -> Option<StopReason> {
        let stop = self.check(progress);
        let Some(machines) = self.machines() else { return stop };
        let AfterBatch { stop, save } =
            machines.agree(AfterBatch { stop, save: self.is_save_overdue() });
        self.save_agreed.set(save);
        stop
    }

    /// Regularly reports the state of a long run.
    pub(crate) fn look<'r>(&self, interim: &dyn Fn() -> Interim<'r>) {
        if self.host.seconds() >= self.next_look.get() {
            self.report_long_run(&interim());
        }
    }

    fn report_long_run(&self, interim: &Interim<'_>) {
        let corpus = interim.corpus(StopReason::Interrupted);
        // Errors of the store end the run soon enough.
        if let Ok(growth) = IntGrowth::of(&corpus) {
            let structures = corpus.store.len();
            let counters = &corpus.report.ledger.counters;
            let (explored, failures) = (counters.explored(), counters.failures);
            self.report(Event::LongRun { structures, explored, failures, growth: &growth });
        }
        self.next_look.set(2.0 * self.host.seconds());
    }

    /// Lets the host look on while calls are made.
    pub(crate) fn wait(&self, interim: &Interim<'_>) {
        if self.host.seconds() >= self.next_look.get() {
            self.report_long_run(interim);
        }
        // The store does not grow before the batch ends.
        let due = self.stop_reason(0);
        match self.levels {
            Some(levels) => self.host.waiting_in_check(interim, levels, due),
            None => self.host.waiting(interim, due),
        }
    }

    /// The reason to stop the run for which questions are not waited for, if any.
    pub(crate) fn due_for_questions(&self) -> Option<StopReason> {
        self.stop_reason(0).filter(|due| !self.host.is_patient(*due))
    }

    /// See [`Host::question_seconds`].
    pub(crate) fn question_seconds(&self) -> Option<f64> {
        self.host.question_seconds()
    }

    /// Lets the host look on while repOKs are run.
    pub fn wait_for_answer(&self, runs: &dyn Questions) {
        self.host.waiting_for_answer(runs, self.stop_reason(0));
    }

    /// Returns the reason to stop the run, if any. If the host does not know the memory of the
    /// process, that of the store counts.
    pub fn stop_reason(&self, store_bytes: u64) -> Option<StopReason> {
        if self.host.is_interrupted() {
            return Some(StopReason::Interrupted);
        }
        let held = || self.host.memory_bytes().unwrap_or(store_bytes);
        self.limits.stop_reason(|| self.host.seconds(), held)
    }
}

/// The watch over a run of calls.
impl Observer for &Watch<'_> {
    fn begin(&mut self) {
        self.levels.into_iter().for_each(LevelEnds::begin);
    }

    fn end_level<'r>(&mut self, interim: &dyn Fn() -> Interim<'r>) -> Result<bool, StopReason> {
        self.levels.map_or(Ok(false), |levels| levels.end_level(interim))
    }

    fn check(&mut self, progress: Progress) -> Option<StopReason> {
        self.check_together(progress)
    }

    fn is_save_due(&mut self, is_between_levels: bool) -> bool {
        Watch::is_save_due(self, is_between_levels)
    }

    fn without_calls(&mut self, work: &mut dyn FnMut()) {
        Watch::without_calls(self, work);
    }

    fn look<'r>(&mut self, interim: &dyn Fn() -> Interim<'r>) {
        self.aside(&mut || Watch::look(self, interim));
    }

    fn wait(&mut self, interim: &Interim<'_>) {
        self.aside(&mut || Watch::wait(self, interim));
    }
}

impl Watch<'_> {
    /// Looks at the run at a time of this process's own.
    fn aside(&self, look: &mut dyn FnMut()) {
        match self.machines() {
            None => look(),
            Some(machines) => machines.aside(look),
        }
    }
}

#[cfg(test)]
mod tests;
