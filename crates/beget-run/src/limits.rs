//! Keeping a run within its limits, by what its host measures.

use std::cell::Cell;
use std::collections::BTreeSet;

use beget_engine::store::Store;
use beget_engine::{BlockRunner, Interim, NewStore, Observer, SavedRun, Threads};
use beget_heap::Doubts;
use beget_plan::finding::{Limits, Progress, StopReason};
use beget_plan::scope::{Budget, Plan};

use crate::asking::{AskError, AskJob, LevelEnds, OracleProgress};
use crate::{IntGrowth, Questions};

/// What the caller of a run lends to it: a clock, a look at memory and at interrupts, and a place
/// that progress is reported to.
pub trait Host {
    /// Seconds since the host began to count, which is before its first run.
    fn seconds(&self) -> f64;

    /// The memory that the process holds, where that is known. Elsewhere the store's counts.
    fn memory_bytes(&self) -> Option<u64> {
        None
    }

    /// User and system time of the process since the host began to count, where that is known.
    fn cpu_seconds(&self) -> Option<f64> {
        None
    }

    /// Returns whether the user wants the run to end.
    fn is_interrupted(&self) -> bool {
        false
    }

    /// What makes the calls in place of the threads of this process, if something does.
    fn workers(&self) -> Option<&dyn Workers> {
        None
    }

    /// Processes that make the calls of runs once more and leave other remains in memory, where
    /// structures are told apart by it: each makes all of them.
    fn peers(&self) -> &[Box<dyn Workers>] {
        &[]
    }

    /// What makes the calls in this process in place of plain threads, if something does.
    fn runner(&self) -> Option<&dyn BlockRunner> {
        None
    }

    /// Returns whether calls that end the process, or do not return, are noticed and told. Where
    /// they are, `check` makes some calls once more that may do so.
    fn outlives_calls(&self) -> bool {
        self.workers().is_some()
    }

    /// The processes that make runs of [`generate`](crate::generate()) together, of which this is
    /// one; `None` if it makes them alone.
    fn machines(&self) -> Option<&dyn Machines> {
        None
    }

    /// Does work of a run in which no code under test is run, and which may take long.
    fn without_calls(&self, work: &mut dyn FnMut()) {
        work();
    }

    /// Reports what a run is doing.
    fn report(&self, event: Event<'_>) {
        let _ = event;
    }

    /// Is called about ten times a second while the calls of a batch are made, with what the run
    /// has without them. If the run should end, `due` says why; it does so with the batch. Calls
    /// that do not end cannot be stopped: a host that does not want to wait for them can only use
    /// what there is, and end the process.
    fn waiting(&self, interim: &Interim<'_>, due: Option<StopReason>) {
        let _ = (interim, due);
    }

    /// Like [`Host::waiting`], while repOKs are run.
    fn waiting_for_answer(&self, runs: &dyn Questions, due: Option<StopReason>) {
        let _ = (runs, due);
    }
}

/// Makes the calls of runs elsewhere: on the plan that the run was given.
pub trait Workers: BlockRunner {
    /// Another search begins, in which nothing is known of copies yet. If there are `ints`, they
    /// are those that constructors leave, by which the plan's integers are limited; `doubts` is
    /// what its layout does not believe of memory.
    fn begin(&self, ints: Option<&BTreeSet<i128>>, doubts: &Doubts);

    /// Asks oracles about structures of the search: how far each oracle is then. `wait` is called now
    /// and then meanwhile.
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
/// same run, in step with the others: the same proposals, the same counters, the same numbers. What
/// differs is which blocks it calls and which structures it keeps.
pub trait Machines: BlockRunner {
    /// An empty store whose structures are spread over all processes. This one keeps its own in
    /// `part`, which is empty too.
    ///
    /// # Errors
    /// If one of the processes cannot write its part down, and is to do so.
    fn new_store(&self, plan: &Plan, part: Box<dyn Store>) -> NewStore;

    /// The run that was saved and is to go on, if there is one. Asked once, before anything.
    fn saved(&self) -> Option<SavedRun>;

    /// What becomes of the run after a batch that all have made: `own` is what this process says.
    /// All get the same answer.
    fn agree(&self, own: AfterBatch) -> AfterBatch;

    /// Does what the other processes need not do at the same time. It can read no forms.
    fn aside(&self, work: &mut dyn FnMut());
}

/// What becomes of a run after a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AfterBatch {
    /// Whether it is to stop.
    pub stop: Option<StopReason>,
    /// True if it is to be saved, though no level is at its end.
    pub save: bool,
}

/// The memory that this process holds now, in bytes, where the system tells. `read` gives the text
/// of a file.
pub fn resident_bytes(read: impl FnOnce(&str) -> Option<String>) -> Option<u64> {
    let status = read("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kib * 1024)
}

/// What a run reports while it goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event<'e> {
    /// Another search begins: levels and counts start anew.
    Begin,
    /// A check without a given k goes on to this one.
    Deepen {
        /// The scope's number.
        k: u32,
    },
    /// How far the search has come.
    Progress(Progress),
    /// The search takes long: where it is, and what grows. Reported after two seconds, and then
    /// whenever twice as much time has gone by.
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
    /// A genetic search has had a generation.
    Generation {
        /// Its number; the first is 0.
        number: u32,
        /// The number of the last.
        of: u32,
        /// The points that the best covers on average.
        points: f64,
        /// How many there are, if that is known.
        known: Option<usize>,
        /// Its fitness.
        fitness: f64,
    },
    /// A comparison goes on with more slack.
    MoreSlack {
        /// The slack that was tried.
        slack: u32,
        /// How many of the repOK's structures are not built with it.
        gap: u64,
    },
}

/// The limits of a run with the host that measures it. They hold for all searches of the run
/// together.
#[derive(Clone)]
pub struct Watch<'h> {
    limits: Limits,
    host: &'h dyn Host,
    /// When to look next at what grows.
    next_look: Cell<f64>,
    /// How many seconds at most are between two moments at which a run is saved, and when it was.
    save_every: f64,
    last_save: Cell<f64>,
    /// Whether the processes have agreed to save the run now.
    save_agreed: Cell<bool>,
    /// What is done at the ends of levels.
    pub(crate) levels: Option<&'h dyn LevelEnds>,
}

/// So many seconds of work may be lost by default.
const SAVE_EVERY: f64 = 600.0;

/// A run that takes longer says where it is.
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
            next_look: Cell::new(SECONDS_IN_SILENCE),
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

    /// The same, for a run that is saved every so many seconds, where it can be, besides the ends
    /// of levels.
    pub fn saving_every(self, seconds: f64) -> Self {
        Watch { save_every: seconds, ..self }
    }

    /// Returns whether the run is to be saved now.
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
    pub fn seconds(&self) -> f64 {
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

    pub(crate) fn without_calls(&self, work: &mut dyn FnMut()) {
        self.host.without_calls(work);
    }

    /// Returns whether what calls do to the process is noticed and told.
    pub(crate) fn outlives_calls(&self) -> bool {
        self.host.outlives_calls()
    }

    /// What makes the calls of runs.
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

    /// What makes calls elsewhere than in this process, if something does.
    pub(crate) fn workers(&self) -> Option<&dyn Workers> {
        self.host.workers()
    }

    /// Returns whether calls are made elsewhere than in this process.
    pub(crate) fn has_workers(&self) -> bool {
        self.workers().is_some()
    }

    /// Another search begins: see [`Workers::begin`].
    pub(crate) fn begin_search(&self, ints: Option<&BTreeSet<i128>>, doubts: &Doubts) {
        self.elsewhere().for_each(|workers| workers.begin(ints, doubts));
    }

    /// All processes that make calls for this one.
    fn elsewhere(&self) -> impl Iterator<Item = &dyn Workers> {
        let peers = self.host.peers().iter().map(|peer| &**peer);
        self.host.workers().into_iter().chain(peers)
    }

    /// The processes that make calls once more.
    pub(crate) fn peers(&self) -> &[Box<dyn Workers>] {
        self.host.peers()
    }

    /// No calls are made any more.
    pub fn end_search(&self) {
        self.elsewhere().for_each(Workers::end);
    }

    /// Reports the progress and says whether the search must stop.
    pub fn check(&self, progress: Progress) -> Option<StopReason> {
        self.report(Event::Progress(progress));
        self.stop_reason(progress.store_bytes)
    }

    /// Like [`Watch::check`], after a batch of calls: all processes that make the run say the same.
    pub(crate) fn check_together(&self, progress: Progress) -> Option<StopReason> {
        let stop = self.check(progress);
        let Some(machines) = self.machines() else { return stop };
        let AfterBatch { stop, save } =
            machines.agree(AfterBatch { stop, save: self.is_save_overdue() });
        self.save_agreed.set(save);
        stop
    }

    /// Reports now and then where a run that takes long is.
    pub(crate) fn look<'r>(&self, interim: &dyn Fn() -> Interim<'r>) {
        if self.host.seconds() >= self.next_look.get() {
            self.report_long_run(&interim());
        }
    }

    fn report_long_run(&self, interim: &Interim<'_>) {
        let corpus = interim.corpus(StopReason::Interrupted);
        // What the store cannot read ends the run soon enough.
        if let Ok(growth) = IntGrowth::of(&corpus) {
            let structures = corpus.store.len().into();
            let counters = &corpus.report.ledger.counters;
            let (explored, failures) = (counters.explored(), counters.failures);
            self.report(Event::LongRun { structures, explored, failures, growth: &growth });
        }
        self.next_look.set(2.0 * self.host.seconds());
    }

    /// Lets the host look on while calls are made.
    pub fn wait(&self, interim: &Interim<'_>) {
        if self.host.seconds() >= self.next_look.get() {
            self.report_long_run(interim);
        }
        // The store does not grow before the batch ends.
        self.host.waiting(interim, self.stop_reason(0));
    }

    /// Lets the host look on while repOKs are run.
    pub fn wait_for_answer(&self, runs: &dyn Questions) {
        self.host.waiting_for_answer(runs, self.stop_reason(0));
    }

    /// Whether the run must stop. The store is what is measured where the host does not know the
    /// memory of the process.
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
mod tests {
    use super::*;

    #[test]
    fn resident_memory_is_read_off_the_status_of_the_process() {
        let status = "Name:\tbeget\nVmHWM:\t   99 kB\nVmRSS:\t    2048 kB\nThreads:\t1\n";
        let told = resident_bytes(|path| {
            assert_eq!(path, "/proc/self/status");
            Some(status.to_owned())
        });
        assert_eq!(told, Some(2 << 20));
        assert_eq!(resident_bytes(|_| None), None);
        assert_eq!(resident_bytes(|_| Some("Name:\tbeget\n".to_owned())), None);
    }

    /// A host that knows nothing but the time.
    struct Clock(f64);

    impl Host for Clock {
        fn seconds(&self) -> f64 {
            self.0
        }
    }

    #[test]
    fn the_store_is_measured_where_the_host_does_not_know_the_memory() {
        let budget = Budget { max_memory_mib: Some(1), ..Budget::default() };
        let watch = Watch::new(budget, &Clock(0.0));
        assert_eq!(watch.stop_reason((1 << 20) - 1), None);
        assert_eq!(watch.stop_reason(1 << 20), Some(StopReason::MaxMemory(1)));
    }
}
