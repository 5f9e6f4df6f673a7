//! An oracle and a report as another crate adds them: two of the plugs of ARCHITECTURE.md.

use std::fmt;
use std::sync::Arc;

use beget_engine::store::StoreError;
use beget_engine::{Corpus, Run};
use beget_plan::finding::{Finding, Kind, Problem, Witness};
use beget_plan::scope::{Overrides, ScopeFile};
use beget_program::records::{FindingRecord, Header};
use serde::Serialize;

/// All lists of at most two nodes with the values 0 and 1.
fn corpus() -> Corpus {
    let suites = beget_subjects::suites();
    let suite = suites.into_iter().find(|suite| suite.name == "roops::llist").expect("the suite");
    let text = include_str!("../../../../scopes/roops/llist.ron");
    let file = ScopeFile::parse("llist.ron", text).expect("a scope file");
    let overrides = Overrides { k: Some(2), ..Overrides::default() };
    let no_files = |_: &str| Err("no files".to_owned());
    let resolved = file.resolve(&Arc::new(suite), &overrides, &no_files).expect("a plan");
    Run::new(resolved.plan).go()
}

/// The oracle: no structure has more than `most` objects. A kind of problem with a name of its own.
const TOO_LARGE: Kind = Kind::new("too_large");

fn find_large(corpus: &Corpus, most: usize) -> Result<Option<Finding>, StoreError> {
    let mut reader = corpus.reader();
    let mut found: Option<Finding> = None;
    for id in reader.generated()? {
        let Some(heap) = reader.graph(id)? else { continue };
        let n_objects = heap.objects().len();
        if n_objects <= most {
            continue;
        }
        match &mut found {
            Some(finding) => finding.count += 1,
            None => {
                let problem = Problem::new(TOO_LARGE, format!("it has {n_objects} objects"));
                let of_recipe = Witness::of_recipe(corpus.recipe(id)?);
                let witness = Witness { heap: Some(heap), ..of_recipe };
                found = Some(Finding { problem, count: 1, witness });
            }
        }
    }
    Ok(found)
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
    fn of(corpus: &Corpus, most: usize) -> Result<Self, StoreError> {
        let findings = find_large(corpus, most)?;
        let record = |finding| FindingRecord::of(&corpus.plan.suite, finding);
        Ok(SizeReport {
            header: Header::new(&corpus.plan, corpus.report.stop_reason),
            most_objects: most,
            findings: findings.iter().map(record).collect(),
        })
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
    let corpus = corpus();
    let totals = corpus.totals().unwrap();
    let report = SizeReport::of(&corpus, 0).unwrap();
    let json = serde_json::to_value(&report).unwrap();
    // Every structure has an object, its root.
    assert_eq!(json["findings"][0]["witnesses"], totals.by_type[0]);
    assert_eq!(json["findings"][0]["kind"], "too_large");
    assert_eq!(json["findings"][0]["calls"], 1);
    assert_eq!((&json["suite"], &json["complete"]), (&"roops::llist".into(), &true.into()));
    assert!(report.to_string().starts_with("roops::llist at k = 2\n"));
    // Nothing has a hundred objects.
    assert!(find_large(&corpus, 100).unwrap().is_none());
}
