//! Searches of programs, as a host sees them while their calls are made.
#![allow(missing_docs, reason = "the types stand for those of a library")]

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::time::Duration;

use beget::suites::Suite;
use beget::{HasSuite as _, Heap};
use beget_engine::Interim;
use beget_plan::finding::{Progress, StopReason};
use beget_plan::scope::{Budget, Overrides};
use beget_run::{Catalog, Event, Host, Input, Questions, Watch};
use beget_search::evolve::{EvolveOptions, PointSource};
use beget_search::heuristic::CallOptions;
use beget_search::run::{PointKind, call, evolve};

/// Keeps the first source of a run and the most progress.
#[derive(Default)]
struct Bystander {
    noun: Cell<&'static str>,
    source: RefCell<Option<String>>,
    progress: Cell<Progress>,
    is_enough: Option<fn(Option<&str>, Progress)>,
}

impl Host for Bystander {
    fn seconds(&self) -> f64 {
        0.0
    }

    fn report(&self, event: Event<'_>) {
        if let Event::Progress(progress) = event {
            self.progress.set(progress);
        }
    }

    fn waiting(&self, _: &Interim<'_>, _: Option<StopReason>) {}

    fn waiting_for_answer(&self, runs: &dyn Questions, _: Option<StopReason>) {
        assert_eq!(runs.ended(), None);
        let found = runs.runs().into_iter().find_map(|run| runs.source(run));
        self.noun.set(runs.noun());
        let mut source = self.source.borrow_mut();
        if source.is_none() {
            // Not that of a constructor, which does not wait to be seen.
            *source = found.filter(|source| source.contains("let _ = "));
        }
        if let Some(is_enough) = self.is_enough {
            is_enough(source.as_deref(), self.progress.get());
        }
    }
}

/// Waits until something was seen, ten seconds at most.
fn wait_for(seen: &AtomicBool) {
    for _ in 0..2000 {
        if seen.load(Relaxed) {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    // Later calls need not wait for it again.
    seen.store(true, Relaxed);
}

fn input_of(suite: Suite) -> Input<'static> {
    let text = format!("Scope(suite: {:?}, k: 1, objects: {{\"*\": \"k\"}})", suite.name);
    Input::of_text("scope.ron", text, Catalog::new(vec![suite])).unwrap()
}

static IS_SOURCE_SEEN: AtomicBool = AtomicBool::new(false);
static IS_CASE_SEEN: AtomicBool = AtomicBool::new(false);
static N_RINGS: AtomicU32 = AtomicU32::new(0);

/// Rings once it was seen, and again once a test case was.
#[derive(Clone, Debug, Default, Heap)]
pub struct Gong {
    rings: u8,
}

#[beget::api(name = "test::gong")]
impl Gong {
    pub fn new() -> Self {
        Gong::default()
    }

    pub fn ring(&mut self) {
        self.rings = self.rings.wrapping_add(1);
        wait_for(&IS_SOURCE_SEEN);
        // A case has about a hundred calls, half of them of this method.
        if N_RINGS.fetch_add(1, Relaxed) > 200 {
            wait_for(&IS_CASE_SEEN);
        }
    }
}

#[test]
fn a_search_for_chromosomes_shows_its_calls_and_its_progress() {
    let input = input_of(Gong::suite());
    let plan = input.resolve(&Overrides::default()).unwrap().plan;
    let host = Bystander {
        is_enough: Some(|source, progress| {
            if source.is_some_and(|source| source.contains("gong.ring()")) {
                IS_SOURCE_SEEN.store(true, Relaxed);
            }
            if progress.explored > 0 {
                IS_CASE_SEEN.store(true, Relaxed);
            }
        }),
        ..Bystander::default()
    };
    let options = EvolveOptions {
        population: 2,
        generations: 1,
        test_cases: 8,
        threads: 1,
        ..EvolveOptions::default()
    };
    let source = PointKind::Structures.source(&input).expect("structures are always there");
    let run = evolve(plan, options, source, &Watch::new(Budget::default(), &host));
    assert_eq!(run.stop_reason, StopReason::MaxGenerations(1));
    let source = host.source.take().expect("calls were seen");
    assert!(source.ends_with("let mut gong = Gong::new();\nlet _ = gong.ring();"), "{source}");
    assert_eq!(host.noun.get(), "call");
    assert!(host.progress.get().explored > 0);
}

#[test]
fn points_are_of_the_best_kind_that_there_is() {
    let input = input_of(Gong::suite());
    let kinds = [PointKind::Best, PointKind::Blocks, PointKind::Predicates, PointKind::Structures];
    let units = kinds.map(|kind| kind.source(&input).map(|source: PointSource| source.unit()));
    // The code has no marks.
    assert_eq!(units, [Some("structures"), None, None, Some("structures")]);
}

static IS_CALL_SEEN: AtomicBool = AtomicBool::new(false);

/// Rings once calls and structures were counted.
#[derive(Clone, Debug, Default, Heap)]
pub struct Chime {
    rings: u8,
}

#[beget::api(name = "test::chime")]
impl Chime {
    pub fn new() -> Self {
        Chime::default()
    }

    pub fn chime(&mut self) {
        self.rings = self.rings.wrapping_add(1);
        wait_for(&IS_CALL_SEEN);
    }
}

#[test]
fn a_search_for_calls_shows_its_calls_and_its_progress() {
    let input = input_of(Chime::suite());
    let plan = input.resolve(&Overrides::default()).unwrap().plan;
    let host = Bystander {
        is_enough: Some(|source, progress| {
            if source.is_some() && progress.explored > 0 && progress.structures > 0 {
                IS_CALL_SEEN.store(true, Relaxed);
            }
        }),
        ..Bystander::default()
    };
    let run = call(plan, CallOptions::default(), None, &Watch::new(Budget::default(), &host));
    assert_eq!(run.report.n_called(), 2);
    let source = host.source.take().expect("calls were seen");
    assert!(source.starts_with("let mut chime = Chime::new();"), "{source}");
    let progress = host.progress.get();
    assert!(progress.explored > 0 && progress.structures > 0, "{progress:?}");
}
