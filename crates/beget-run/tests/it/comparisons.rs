//! Comparisons: how far slack is raised, and what is missing.

use crate::common;

use beget::heap::view::{NodeSet, RepOk, clause};
use beget::{HasSuite, Heap, HeapView};
use beget_oracle::rep_ok::Subject;
use beget_plan::finding::StopReason;
use beget_plan::scope::Overrides;
use beget_run::{Catalog, Event, Input, StoreKind, Watch};
use beget_search::run::{ComparePlan, RepOkSpace, SlackStep, search_rep_ok};
use common::{Chain, Scripted, settings};

/// Parts in a row: none, or seven and more. Only by way of these come some between.
#[derive(Clone, Debug, Default, Heap, HeapView)]
pub struct Long {
    first: Option<Box<Part>>,
}

/// One of them.
#[derive(Clone, Debug, Heap, HeapView)]
pub struct Part {
    next: Option<Box<Part>>,
}

#[beget::api(name = "long")]
impl Long {
    /// No part.
    pub fn new() -> Self {
        Long::default()
    }

    /// Two parts.
    pub fn two() -> Self {
        let mut long = Long::default();
        (0..2).for_each(|_| long.push());
        long
    }

    /// The first seven parts, or one more.
    pub fn grow(&mut self) {
        match self.len() {
            0 => (0..7).for_each(|_| self.push()),
            7.. => self.push(),
            _ => {}
        }
    }

    /// Seven parts less.
    pub fn shrink(&mut self) {
        if self.len() > 7 {
            for _ in 0..7 {
                self.first = self.first.take().and_then(|part| part.next);
            }
        }
    }

    fn push(&mut self) {
        self.first = Some(Box::new(Part { next: self.first.take() }));
    }

    fn len(&self) -> usize {
        std::iter::successors(self.first.as_deref(), |part| part.next.as_deref()).count()
    }
}

/// The suite of parts in a row, and a repOK that admits all of them.
fn of_long(fields: &str) -> Input<'static> {
    const IN_A_ROW: RepOk<Long> = RepOk::<Long>::new("in_a_row", |long| {
        let (mut seen, mut next) = (NodeSet::new(), long.first());
        while let Some(part) = next {
            clause("parts in a row", seen.insert(part))?;
            next = part.next();
        }
        Ok(())
    });
    let text = format!(
        r#"Scope(suite: "long", k: 6, objects: {{"*": "k"}}, {fields}, repoks: {{
            "in_a_row": (objects: {{"Part": "k"}}, fields: {{
                "Long.first": "null | Part", "Part.next": "null | Part",
            }}),
        }})"#
    );
    let catalog = Catalog::new(vec![Long::suite()]).with_rep_oks("long", Subject::new([IN_A_ROW]));
    Input::of_text("long.ron", text, catalog).unwrap()
}

/// Of 7 lengths calls build one with the first slack and another with each raise. There are four,
/// and each is told before it is tried.
#[test]
fn slack_is_raised_four_times_and_told_as_often() {
    let input = of_long(r#"slack: 1, methods: Only(["new", "grow", "shrink"])"#);
    let plan = ComparePlan::new(&input, Overrides::default(), None).unwrap();
    let host = Scripted::default();
    let run =
        plan.run(settings(), StoreKind::Exact, &Watch::new(Default::default(), &host)).unwrap();
    let steps: Vec<_> = run.slack_steps.iter().map(|step| (step.slack, step.api)).collect();
    assert_eq!(steps, [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)]);
    assert_eq!((run.best.slack, run.best.gap(), run.stop_reason), (5, 2, StopReason::Exhausted));
    let raised: Vec<_> = host
        .events
        .take()
        .into_iter()
        .filter_map(|event| match event {
            Event::MoreSlack { slack, gap } => Some((slack, gap)),
            _ => None,
        })
        .collect();
    assert_eq!(raised, [(1, 6), (2, 5), (3, 4), (4, 3)]);
}

/// A repOK that may admit anything has nothing to do with what calls count to.
const ANY: RepOk<Chain> = RepOk::<Chain>::new("any", |_| clause("always", true));

/// The chain's suite with [`ANY`], whose search has up to `k` links and the lengths `len`.
fn with_any(fields: &str, len: &str, rep_ok: RepOk<Chain>) -> Input<'static> {
    let text = format!(
        r#"Scope(suite: "chain", objects: {{"*": "k"}}, {fields}, repoks: {{"any": (
            objects: {{"Link": "k"}},
            fields: {{
                "Chain.first": "null | Link", "Chain.len": "{len}", "Link.next": "null | Link",
            }},
        )}})"#
    );
    let catalog = Catalog::new(vec![Chain::suite()]).with_rep_oks("chain", Subject::new([rep_ok]));
    Input::of_text("chain.ron", text, catalog).unwrap()
}

/// Calls leave lengths of up to 1, and no field may hold more; the domain of the repOK has 0 to 9.
/// It admits each with no link, with one, and with a ring of one, which no value is like.
#[test]
fn integers_of_a_repok_are_those_of_its_domains_and_rings_of_boxes_are_no_gap() {
    for ints in ["", r#", fields: {"Chain.len": "0..=1"}"#, r#", fields: {"*": "0..=1"}"#] {
        let fields = format!(r#"k: 1, methods: Only(["new", "push"]){ints}"#);
        let input = with_any(&fields, "0..=9", ANY);
        let given = Overrides { slack: Some(0), ..Overrides::default() };
        let plan = ComparePlan::new(&input, given, None).unwrap();
        let host = Scripted::default();
        let watch = Watch::new(Default::default(), &host);
        let resolved = input.resolve_without_slack(&Overrides::default()).unwrap();
        let from = RepOkSpace::new(&input, None, &resolved).unwrap();
        let mut n_found = 0;
        let run = search_rep_ok(&from, &resolved.plan, Some(1), &watch, &mut |_| n_found += 1);
        assert_eq!((run.report.generated, run.report.unrepresentable, n_found), (30, 10, 20));
        let run = plan.run(settings(), StoreKind::Exact, &watch).unwrap();
        // All but no link of length 0, and one of length 1.
        assert_eq!((run.best.comparison.api, run.best.comparison.only_rep_ok), (2, 28));
        assert_eq!(run.best.gap(), 18, "{ints}");
    }
}

/// Whether something is missing is not known then, and no slack would tell.
#[test]
fn slack_is_not_raised_for_a_repok_that_does_not_always_answer() {
    const LAZY: RepOk<Chain> = RepOk::<Chain>::new("any", |chain| {
        assert!(chain.first().is_none(), "links are not looked at");
        clause("always", true)
    });
    let input = with_any(r#"k: 1, methods: Only(["new"])"#, "0..=k", LAZY);
    let plan = ComparePlan::new(&input, Overrides::default(), None).unwrap();
    let host = Scripted::default();
    let run =
        plan.run(settings(), StoreKind::Exact, &Watch::new(Default::default(), &host)).unwrap();
    assert_eq!(run.slack_steps, [SlackStep { slack: 0, api: 1, only_rep_ok: 1 }]);
    assert_eq!((run.best.gap(), run.best.comparison.search.findings.len()), (1, 1));
}

/// No chain has the length 5 at once.
#[test]
fn a_bound_that_cuts_all_with_every_slack_is_an_error_at_its_place() {
    let run = |fields: &str, slack| {
        let given = Overrides { slack, ..Overrides::default() };
        let input = with_any(fields, "0..=k", ANY);
        let plan = ComparePlan::new(&input, given, None).unwrap();
        plan.run(
            settings(),
            StoreKind::Exact,
            &Watch::new(Default::default(), &Scripted::default()),
        )
    };
    let fields = r#"k: 1, methods: Only(["new"]), fields: {"Chain.len": "5..=5"}"#;
    for slack in [None, Some(0), Some(1)] {
        let error = run(fields, slack).unwrap_err().to_string();
        let message = "no structure was built: 1 call made another integer in `Chain.len`";
        assert!(error.contains(message) && error.contains("5..=5"), "{error}");
    }
}

/// Two parts are built with a slack of 1 only: no step before is the last word.
#[test]
fn a_bound_that_cuts_all_with_too_little_slack_is_no_error() {
    let run = |slack| {
        let given = Overrides { k: Some(1), slack, ..Overrides::default() };
        let input = of_long(r#"methods: Only(["two"])"#);
        let plan = ComparePlan::new(&input, given, None).unwrap();
        plan.run(
            settings(),
            StoreKind::Exact,
            &Watch::new(Default::default(), &Scripted::default()),
        )
    };
    let error = run(Some(0)).unwrap_err().to_string();
    assert!(error.contains("1 call made more objects of class `Part`"), "{error}");
    // Within the scope proper there is none of two parts, so nothing comes of it.
    let steps = run(None).unwrap().slack_steps;
    assert_eq!(steps.iter().map(|step| step.api).collect::<Vec<_>>(), [0; 3]);
}
