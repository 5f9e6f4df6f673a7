//! An oracle and a report as another crate adds them: two of the plugs of ARCHITECTURE.md.

use std::borrow::Cow;
use std::fmt;

use beget_engine::Settings;
use beget_oracle::{Oracle, StructureView, Verdicts};
use beget_plan::finding::{Kind, Problem, StopReason};
use beget_plan::scope::Overrides;
use beget_program::records::{FindingRecord, Header};
use beget_run::{Catalog, CheckRun, Host, Input, StoreKind, Watch};
use serde::Serialize;

/// The oracle: no structure has more than `most` objects. A kind of problem with a name of its own.
struct Smallness {
    most: usize,
}

const TOO_LARGE: Kind = Kind::Other(Cow::Borrowed("too_large"));

impl Oracle for Smallness {
    fn name(&self) -> &'static str {
        "smallness"
    }

    fn on_structure(&mut self, structure: &mut StructureView<'_, '_>, verdicts: &mut Verdicts<'_>) {
        verdicts.judge(structure, |structure| {
            let n_objects = structure.graph().map_or(0, |heap| heap.objects().len());
            match n_objects <= self.most {
                true => Ok(()),
                false => Err(Problem::new(TOO_LARGE, format!("it has {n_objects} objects"))),
            }
        });
    }
}

/// A host with neither clock nor limits.
struct Nothing;

impl Host for Nothing {
    fn seconds(&self) -> f64 {
        0.0
    }
}

/// A check of all lists of at most two nodes with the values 0 and 1.
fn check(most: usize, ends_at_failure: bool) -> CheckRun {
    let text = include_str!("../../../../scopes/roops/llist.ron").to_owned();
    let catalog = Catalog::new(beget_subjects::suites());
    let catalog = catalog.with_oracle(move || Smallness { most });
    let input = Input::of_text("llist.ron", text, catalog).expect("a scope file");
    let overrides = Overrides { k: Some(2), ends_at_failure, ..Overrides::default() };
    let plan = input.resolve(&overrides).expect("a plan").plan;
    let watch = Watch::new(plan.budget, &Nothing);
    let (settings, store) = (Settings::default(), StoreKind::Exact);
    beget_run::check(&input, &[], plan, settings, store, &watch).expect("the store is in memory")
}

/// The report: the header of every summary, and a body of its own, as JSON and as text.
#[derive(Serialize)]
struct SizeReport {
    #[serde(flatten)]
    header: Header,
    most_objects: usize,
    findings: Vec<FindingRecord>,
}

impl SizeReport {
    fn of(run: &CheckRun, most: usize) -> Self {
        let plan = &run.corpus.plan;
        let record = |finding| FindingRecord::of(&plan.suite, finding);
        SizeReport {
            header: Header::new(plan, run.stop_reason),
            most_objects: most,
            findings: run.breaches.iter().map(record).collect(),
        }
    }
}

impl fmt::Display for SizeReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} at k = {}", self.header.suite, self.header.k)?;
        self.findings.iter().try_for_each(|one| writeln!(f, "{}: {}", one.witnesses, one.message))
    }
}

#[test]
fn an_oracle_and_a_report_of_another_crate_need_no_change_elsewhere() {
    let run = check(0, false);
    let totals = run.corpus.totals().unwrap();
    let json = serde_json::to_value(SizeReport::of(&run, 0)).unwrap();
    // Every structure has an object, its root.
    assert_eq!(json["findings"][0]["witnesses"], totals.by_type[0]);
    assert_eq!(json["findings"][0]["kind"], "too_large");
    assert_eq!(json["findings"][0]["calls"], 1);
    assert_eq!((&json["suite"], &json["complete"]), (&"roops::llist".into(), &true.into()));
    assert!(SizeReport::of(&run, 0).to_string().starts_with("roops::llist at k = 2\n"));
    let tally = run.contracts.iter().find(|tally| tally.name == "smallness").unwrap();
    assert_eq!((tally.asked, tally.broken), (totals.by_type[0], totals.by_type[0]));
}

#[test]
fn a_run_ends_with_the_first_level_that_an_oracle_rejects() {
    let sizes = |run: &CheckRun| run.corpus.report.levels.iter().map(|level| level.new).collect();
    let all: Vec<u64> = sizes(&check(usize::MAX, true));
    for most in 0..3 {
        let (first, whole) = (check(most, true), check(most, false));
        assert_eq!(first.stop_reason, StopReason::FailureFound);
        // Each level adds a node to the list and its header.
        let levels = &all[..most.max(1)];
        assert_eq!(sizes(&first), levels, "{most}");
        assert_eq!(sizes(&whole), all);
        let witness = |run: &CheckRun| run.breaches[0].witness.clone();
        assert_eq!(witness(&first), witness(&whole));
        assert_eq!(first.breaches[0].count, *levels.last().unwrap());
    }
}
