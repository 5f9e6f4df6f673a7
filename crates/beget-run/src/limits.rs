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
            let structures = corpus.store.len().into();
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
mod tests {
    use std::cell::RefCell;

    use beget::HasSuite as _;
    use beget_engine::store::{Recipes, StoreError};
    use beget_engine::{Block, BlockResult, Corpus, Explorer, Run, StoreView};
    use beget_plan::scope::Overrides;

    use super::*;
    use crate::random::tests::Track;
    use crate::{Catalog, CheckRun, Input};

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

    /// A host that only knows the time.
    struct Clock(f64);

    impl Host for Clock {
        fn seconds(&self) -> f64 {
            self.0
        }
    }

    #[test]
    fn a_host_waits_for_no_call_and_does_all_work_unless_it_says_so() {
        let mut n_works = 0;
        Clock(0.0).without_calls(&mut || n_works += 1);
        assert_eq!((n_works, Clock(0.0).is_patient(StopReason::Interrupted)), (1, false));
    }

    /// A host that has a time and other measurements, and is in a hurry or not.
    #[derive(Default)]
    struct Gauges {
        seconds: Cell<f64>,
        is_patient: bool,
        n_works: Cell<u32>,
    }

    impl Host for Gauges {
        fn seconds(&self) -> f64 {
            self.seconds.get()
        }

        fn memory_bytes(&self) -> Option<u64> {
            Some(7)
        }

        fn cpu_seconds(&self) -> Option<f64> {
            Some(3.5)
        }

        fn is_interrupted(&self) -> bool {
            true
        }

        fn outlives_calls(&self) -> bool {
            true
        }

        fn without_calls(&self, work: &mut dyn FnMut()) {
            self.n_works.set(self.n_works.get() + 1);
            work();
        }

        fn is_patient(&self, _: StopReason) -> bool {
            self.is_patient
        }

        fn question_seconds(&self) -> Option<f64> {
            Some(2.5)
        }
    }

    #[test]
    fn a_watch_passes_on_the_measurements_of_its_host() {
        let of = |host: &dyn Host| {
            let watch = Watch::new(Budget::default(), host);
            let seconds = (watch.seconds(), watch.cpu_seconds(), watch.question_seconds());
            (seconds, watch.memory_bytes(), watch.outlives_calls(), watch.due_for_questions())
        };
        // A host that only knows the time has no other time of the processor.
        assert_eq!(of(&Clock(4.0)), ((4.0, 4.0, None), None, false, None));
        let due = Some(StopReason::Interrupted);
        assert_eq!(of(&Gauges::default()), ((0.0, 3.5, Some(2.5)), Some(7), true, due));
        // Its questions are waited for.
        let patient = Gauges { is_patient: true, ..Gauges::default() };
        assert_eq!(of(&patient), ((0.0, 3.5, Some(2.5)), Some(7), true, None));
    }

    #[test]
    fn work_without_calls_is_done_by_the_host() {
        let host = Gauges::default();
        let watch = Watch::new(Budget::default(), &host);
        let mut n_done = 0;
        watch.without_calls(&mut || n_done += 1);
        Observer::without_calls(&mut &watch, &mut || n_done += 1);
        assert_eq!((n_done, host.n_works.get()), (2, 2));
    }

    /// Every five seconds, counted from the last save.
    #[test]
    fn a_run_is_saved_between_levels_and_when_its_time_has_come() {
        let host = Gauges::default();
        let watch = Watch::new(Budget::default(), &host).saving_every(5.0);
        let is_due = |seconds: f64, is_between_levels: bool| {
            host.seconds.set(seconds);
            Observer::is_save_due(&mut &watch, is_between_levels)
        };
        assert_eq!([is_due(4.0, false), is_due(4.0, true)], [false, true]);
        assert_eq!(
            [8.0, 9.0, 10.0, 13.0, 14.5].map(|now| is_due(now, false)),
            [false, true, false, false, true,]
        );
    }

    #[test]
    fn a_debugger_is_the_tracer_of_the_process() {
        let is_debugged_by = |status: Option<&str>| {
            is_debugged(|path| {
                assert_eq!(path, "/proc/self/status");
                status.map(str::to_owned)
            })
        };
        assert!(is_debugged_by(Some("Name:\tbeget\nTracerPid:\t17\nUid:\t0\n")));
        assert!(!is_debugged_by(Some("Name:\tbeget\nTracerPid:\t0\nUid:\t0\n")));
        assert!(!is_debugged_by(Some("Name:\tbeget\n")) && !is_debugged_by(None));
    }

    #[test]
    fn the_store_is_measured_where_the_host_does_not_know_the_memory() {
        let budget = Budget { max_memory_mib: Some(1), ..Budget::default() };
        let watch = Watch::new(budget, &Clock(0.0));
        assert_eq!(watch.stop_reason((1 << 20) - 1), None);
        assert_eq!(watch.stop_reason(1 << 20), Some(StopReason::MaxMemory(1)));
    }

    /// A process or several, which make calls here, and their host. What is said to it is noted.
    #[derive(Default)]
    struct Crew {
        notes: Rc<RefCell<Vec<&'static str>>>,
        are_machines: bool,
        /// True if they wait before they make calls.
        are_slow: bool,
        peers: Vec<Box<dyn Workers>>,
    }

    impl Crew {
        fn note(&self, note: &'static str) {
            self.notes.borrow_mut().push(note);
        }
    }

    impl BlockRunner for Crew {
        fn run_all(
            &self,
            explorer: &Explorer<'_>,
            recipes: &dyn Recipes,
            blocks: &[Block],
            wait: &mut dyn FnMut(),
        ) -> Vec<BlockResult> {
            if self.are_slow {
                wait();
            }
            Threads.run_all(explorer, recipes, blocks, wait)
        }
    }

    impl Workers for Crew {
        fn begin(&self, _: Option<&BTreeSet<i128>>, _: &Doubts) {
            self.note("begin");
        }

        fn ask(
            &self,
            _: &AskJob<'_>,
            _: &mut dyn FnMut(),
        ) -> Result<Vec<OracleProgress>, AskError> {
            Err(AskError::Impossible("nothing is asked".to_owned()))
        }

        fn end(&self) {
            self.note("end");
        }
    }

    impl Machines for Crew {
        fn new_store(&self, _: &Plan, part: Box<dyn Store>) -> NewStore {
            Ok(part)
        }

        fn saved(&self) -> Option<SavedRun> {
            None
        }

        fn agree(&self, own: AfterBatch) -> AfterBatch {
            assert_eq!(own, AfterBatch::default());
            AfterBatch { stop: Some(StopReason::StoreFull), save: true }
        }

        fn aside(&self, work: &mut dyn FnMut()) {
            self.note("aside");
            work();
        }
    }

    impl Host for Crew {
        fn seconds(&self) -> f64 {
            0.0
        }

        fn workers(&self) -> Option<&dyn Workers> {
            (!self.are_machines).then_some(self as &dyn Workers)
        }

        fn peers(&self) -> &[Box<dyn Workers>] {
            &self.peers
        }

        fn machines(&self) -> Option<&dyn Machines> {
            self.are_machines.then_some(self as &dyn Machines)
        }
    }

    /// The ends of calls in workers are noticed.
    #[test]
    fn a_search_begins_and_ends_in_workers_and_peers() {
        let peer = Crew::default();
        let notes = peer.notes.clone();
        let host = Crew { notes, peers: vec![Box::new(peer)], ..Crew::default() };
        let watch = Watch::new(Budget::default(), &host);
        assert!(watch.has_workers() && watch.outlives_calls());
        watch.begin_search(None, &Doubts::default());
        watch.end_search();
        assert_eq!(host.notes.take(), ["begin", "begin", "end", "end"]);
    }

    #[test]
    fn processes_agree_after_a_batch_whether_to_stop_and_to_save() {
        let host = Crew { are_machines: true, ..Crew::default() };
        let watch = Watch::new(Budget::default(), &host);
        assert_eq!(watch.check_together(Progress::default()), Some(StopReason::StoreFull));
        assert_eq!([watch.is_save_due(false), watch.is_save_due(false)], [true, false]);
        assert!(!watch.has_workers() && !watch.outlives_calls());
    }

    /// A host whose time goes on by a second whenever progress is reported.
    #[derive(Default)]
    struct BusyHost {
        crew: Crew,
        seconds: Cell<f64>,
        /// The times of reports of a long run.
        long: RefCell<Vec<f64>>,
        n_waits: Cell<u32>,
    }

    impl Host for BusyHost {
        fn seconds(&self) -> f64 {
            self.seconds.get()
        }

        fn runner(&self) -> Option<&dyn BlockRunner> {
            Some(&self.crew)
        }

        fn report(&self, event: Event<'_>) {
            match event {
                Event::Progress(_) => self.seconds.set(self.seconds.get() + 1.0),
                Event::LongRun { .. } => self.long.borrow_mut().push(self.seconds.get()),
                _ => {}
            }
        }

        fn waiting(&self, _: &Interim<'_>, _: Option<StopReason>) {
            self.n_waits.set(self.n_waits.get() + 1);
        }
    }

    /// Does nothing at the ends of levels, and counts the runs.
    #[derive(Default)]
    struct LevelCounter {
        n_runs: Cell<u32>,
    }

    impl LevelEnds for LevelCounter {
        fn begin(&self) {
            self.n_runs.set(self.n_runs.get() + 1);
        }

        fn end_level<'r>(&self, _: &dyn Fn() -> Interim<'r>) -> Result<bool, StopReason> {
            Ok(false)
        }

        fn so_far<'r>(
            &self,
            corpus: Corpus<StoreView<'r>>,
        ) -> Result<CheckRun<StoreView<'r>>, StoreError> {
            Ok(CheckRun::of_calls(corpus))
        }
    }

    /// Tracks of up to nine turns take ten levels, each a batch.
    #[test]
    fn a_long_run_is_reported_whenever_its_time_has_doubled() {
        let fields = r#"k: 9, objects: {"*": "k"}, ints: [0], arrays: "k""#;
        let text = format!(r#"Scope(suite: "test::track", {fields})"#);
        let input = Input::of_text("track.ron", text, Catalog::new(vec![Track::suite()])).unwrap();
        let plan = input.resolve(&Overrides::default()).unwrap().plan;
        for are_slow in [false, true] {
            let crew = Crew { are_slow, ..Crew::default() };
            let (host, levels) =
                (BusyHost { crew, ..BusyHost::default() }, LevelCounter::default());
            let watch = &Watch::new(Budget::default(), &host).with_levels(&levels);
            let run = Run::new(plan.clone()).backend(watch.runner());
            run.observe(&mut { watch }).go();
            assert_eq!((levels.n_runs.get(), host.long.take()), (1, vec![2.0, 4.0, 8.0]));
            // A host that has no other way to wait in a check waits as in any run.
            assert_eq!(host.n_waits.get() >= 10, are_slow);
        }
    }
}
