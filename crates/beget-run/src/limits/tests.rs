//! The watch over runs, with hosts that a test plays.

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
    let resident = resident_bytes(|path| {
        assert_eq!(path, "/proc/self/status");
        Some(status.to_owned())
    });
    assert_eq!(resident, Some(2 << 20));
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

    fn ask(&self, _: &AskJob<'_>, _: &mut dyn FnMut()) -> Result<Vec<OracleProgress>, AskError> {
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
        let (host, levels) = (BusyHost { crew, ..BusyHost::default() }, LevelCounter::default());
        let watch = &Watch::new(Budget::default(), &host).with_levels(&levels);
        let run = Run::new(plan.clone()).backend(watch.runner());
        run.observe(&mut { watch }).go();
        assert_eq!((levels.n_runs.get(), host.long.take()), (1, vec![2.0, 4.0, 8.0]));
        // A host that has no other way to wait in a check waits as in any run.
        assert_eq!(host.n_waits.get() >= 10, are_slow);
    }
}
