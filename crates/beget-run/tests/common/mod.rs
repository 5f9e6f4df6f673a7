//! A suite of chains, with repOKs that tell some of them apart, and a host that a test writes.
#![allow(missing_docs, dead_code, unreachable_pub, reason = "each test binary uses a part")]

use std::cell::{Cell, RefCell};

use beget::heap::view::{BrokenClause, NodeSet, RepOk, clause};
use beget::{HasSuite, Heap, HeapView};
use beget_engine::{Interim, Settings};
use beget_oracle::rep_ok::Subject;
use beget_plan::finding::StopReason;
use beget_run::{Catalog, Event, Host, Input, Questions};

/// Links in a row, and how many there should be.
#[derive(Clone, Debug, Default, Heap, HeapView)]
pub struct Chain {
    first: Option<Box<Link>>,
    len: u8,
}

#[derive(Clone, Debug, Heap, HeapView)]
pub struct Link {
    next: Option<Box<Link>>,
}

#[beget::api(name = "chain")]
impl Chain {
    /// No link.
    pub fn new() -> Self {
        Chain::default()
    }

    /// One more.
    pub fn push(&mut self) {
        self.sneak();
        self.len += 1;
    }

    /// Two more.
    pub fn push_two(&mut self) {
        self.push();
        self.push();
    }

    /// One less.
    pub fn pop(&mut self) {
        if let Some(link) = self.first.take() {
            self.first = link.next;
            self.len -= 1;
        }
    }

    /// One more that is not counted.
    pub fn sneak(&mut self) {
        self.first = Some(Box::new(Link { next: self.first.take() }));
    }

    /// Another length.
    pub fn claim(&mut self, len: u8) {
        self.len = len;
    }
}

/// How many links there are, which may be in a ring where a search asks.
fn n_links(chain: ChainView<'_>) -> Result<i64, BrokenClause> {
    let (mut seen, mut next) = (NodeSet::new(), chain.first());
    while let Some(link) = next {
        clause("links in a row", seen.insert(link))?;
        next = link.next();
    }
    Ok(seen.len() as i64)
}

pub const SHORT: RepOk<Chain> =
    RepOk::<Chain>::new("short", |chain| clause("at most one link", n_links(chain)? <= 1));

pub const CORRECTED: RepOk<Chain> = RepOk::<Chain>::new("corrected", |chain| {
    clause("as many links as it says", n_links(chain)? == chain.len())
});

pub fn catalog() -> Catalog {
    let subject = Subject::new([SHORT, CORRECTED]);
    Catalog::new(vec![Chain::suite()]).with_rep_oks("chain", subject)
}

/// The scope with these fields. What a repOK admits has up to `k` links, and says 0 to `k`.
pub fn input(fields: &str) -> Input<'static> {
    let space = r#"(
        objects: {"Link": "k"},
        fields: {"Chain.first": "null | Link", "Chain.len": "0..=k", "Link.next": "null | Link"},
    )"#;
    let text = format!(
        r#"Scope(suite: "chain", objects: {{"*": "k"}},
            repoks: {{"short": {space}, "corrected": {space}}}, {fields})"#
    );
    Input::of_text("chain.ron", text, catalog()).unwrap_or_else(|error| panic!("{error}"))
}

/// Two threads.
pub fn settings() -> Settings {
    Settings { threads: 2, ..Settings::default() }
}

/// Measures what a test says, and keeps what is reported.
#[derive(Default)]
pub struct Scripted {
    pub seconds: Cell<f64>,
    pub memory: Option<u64>,
    pub is_interrupted: Cell<bool>,
    pub events: RefCell<Vec<Event<'static>>>,
    /// What is waited for, of the first look at each run of a repOK.
    pub sources: RefCell<Vec<String>>,
    pub due: Cell<Option<StopReason>>,
}

impl Host for Scripted {
    fn seconds(&self) -> f64 {
        self.seconds.get()
    }

    fn memory_bytes(&self) -> Option<u64> {
        self.memory
    }

    fn is_interrupted(&self) -> bool {
        self.is_interrupted.get()
    }

    fn report(&self, event: Event<'_>) {
        let kept = match event {
            Event::Begin => Event::Begin,
            Event::Progress(progress) => Event::Progress(progress),
            Event::MoreSlack { slack, gap } => Event::MoreSlack { slack, gap },
            // What else there is borrows from the run.
            _ => return,
        };
        self.events.borrow_mut().push(kept);
    }

    fn waiting(&self, _: &Interim<'_>, due: Option<StopReason>) {
        self.due.set(due);
    }

    fn waiting_for_answer(&self, runs: &dyn Questions, due: Option<StopReason>) {
        let found = runs.runs().into_iter().filter_map(|run| runs.source(run));
        self.sources.borrow_mut().extend(found);
        self.due.set(due);
    }
}
