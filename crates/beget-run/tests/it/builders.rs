//! Searches for builders: what is reported of them, and who watches.

use crate::common;

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use beget::suites::Suite;
use beget::{HasSuite, Heap};
use beget_engine::Interim;
use beget_plan::finding::StopReason;
use beget_plan::scope::Overrides;
use beget_run::{Catalog, Event, Host, Input, Watch};
use beget_search::builders::BuilderSearch;
use beget_search::run::BuildersPlan;
use common::{Chain, Scripted, settings};

/// Two values, each by a constructor of its own, and nothing to be done with them.
#[derive(Clone, Debug, Heap)]
pub struct Answer {
    is_yes: bool,
}

#[beget::api(name = "answer")]
impl Answer {
    /// Yes.
    pub fn yes() -> Self {
        Answer { is_yes: true }
    }

    /// No.
    pub fn no() -> Self {
        Answer { is_yes: false }
    }
}

/// What begins anew is told before the first progress that goes back, and nothing else is. Scopes
/// that allow any integer need no calls that show which ones constructors leave.
#[test]
fn another_search_is_told_exactly_where_levels_or_counts_go_back() {
    let of = |suite: Suite, fields: &str| {
        let text = format!(
            r#"Scope(suite: "{}", {fields}, objects: {{"*": "k"}}, fields: {{"*": "any"}})"#,
            suite.name
        );
        let input = Input::of_text("s.ron", text, Catalog::new(vec![suite])).unwrap();
        let plan = BuildersPlan::new(&input, &Overrides::default(), &[2]).unwrap();
        let host = Scripted::default();
        let watch = Watch::new(plan.resolved.plan.budget, &host);
        plan.run(BuilderSearch::HillClimbing, settings(), &watch).unwrap();
        host.events.take()
    };
    let mut levels_back = 0;
    for events in [of(Answer::suite(), "k: 1"), of(Chain::suite(), r#"k: 1, ints: "0..=k""#)] {
        let (mut last, mut has_begun) = (None::<(u32, u64)>, false);
        for event in &events {
            if *event == Event::Begin {
                has_begun = true;
                continue;
            }
            let Event::Progress(progress) = event else { panic!("{event:?}") };
            let now = (progress.level.map_or(0, |level| level.number), progress.explored);
            let goes_back = last.is_none_or(|last| now.0 < last.0 || now.1 < last.1);
            assert_eq!(has_begun, goes_back, "{now:?} after {last:?}: {events:?}");
            levels_back += usize::from(last.is_some_and(|last| now.0 < last.0 && now.1 >= last.1));
            (last, has_begun) = (Some(now), false);
        }
    }
    assert_eq!(levels_back, 1, "the search goes on with more methods");
}

static IS_SEEN: AtomicBool = AtomicBool::new(false);

/// Says nothing before it was seen, or two seconds have gone by.
#[derive(Clone, Debug, Default, Heap)]
pub struct Shy {
    is_shown: bool,
}

#[beget::api(name = "shy")]
impl Shy {
    /// Hidden.
    pub fn new() -> Self {
        Shy::default()
    }

    /// Waits, and then is shown.
    pub fn show(&mut self) {
        for _ in 0..400 {
            if !IS_SEEN.load(Relaxed) {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        self.is_shown = true;
    }
}

/// Who waits for calls of a search for builders sees them, as in any other run.
#[test]
fn a_search_for_builders_is_watched_while_calls_are_made() {
    #[derive(Default)]
    struct Watching(RefCell<Option<String>>);
    impl Host for Watching {
        fn seconds(&self) -> f64 {
            0.0
        }
        fn waiting(&self, interim: &Interim<'_>, _: Option<StopReason>) {
            let source = interim.current_calls().iter().find_map(|call| interim.source(call));
            IS_SEEN.store(source.is_some(), Relaxed);
            self.0.borrow_mut().get_or_insert(source.unwrap_or_default());
        }
    }
    let text = r#"Scope(suite: "shy", k: 1, objects: {"*": "k"}, fields: {"*": "any"})"#;
    let catalog = Catalog::new(vec![Shy::suite()]);
    let input = Input::of_text("shy.ron", text.to_owned(), catalog).unwrap();
    let plan = BuildersPlan::new(&input, &Overrides::default(), &[]).unwrap();
    let host = Watching::default();
    let watch = Watch::new(plan.resolved.plan.budget, &host);
    let run = plan.run(BuilderSearch::HillClimbing, settings(), &watch).unwrap();
    assert_eq!(run.found.unwrap().methods.len(), 2);
    assert_eq!(host.0.take().as_deref(), Some("let mut shy = Shy::new();\nlet _ = shy.show();"));
}

/// The search has no structure to start from: the bound is named, and no set of methods is called
/// sufficient.
#[test]
fn a_bound_that_cuts_all_is_an_error_at_its_place() {
    let text = r#"Scope(suite: "chain", k: 1, ints: "0..=k", objects: {"*": "k"}, fields: {"Chain.len": "5..=5"})"#;
    let catalog = Catalog::new(vec![Chain::suite()]);
    let input = Input::of_text("chain.ron", text.to_owned(), catalog).unwrap();
    let plan = BuildersPlan::new(&input, &Overrides::default(), &[]).unwrap();
    let host = Scripted::default();
    let run =
        plan.run(BuilderSearch::HillClimbing, settings(), &Watch::new(Default::default(), &host));
    let error = run.unwrap_err().to_string();
    let message = "no structure was built: 1 call made another integer in `Chain.len`";
    assert!(error.contains(message) && error.contains("5..=5"), "{error}");
}
