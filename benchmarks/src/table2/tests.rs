//! Rendering of made-up measurements.

use serde_json::{Map, Value, json};

use super::ablation::{self, Cell, SubjectRuns};
use super::data::{Columns, Data, Ours, Statement, Subject, UnusedMethod};
use super::runner::Ran;
use super::sets::{self, Published, Relation, SubjectSets};

fn summary(fields: Value) -> Map<String, Value> {
    fields.as_object().expect("an object").clone()
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn subject(published: Option<&[&str]>) -> Subject {
    let left_out =
        UnusedMethod { method: "spin".to_owned(), reason: "it never returns".to_owned() };
    Subject {
        suite: "a::b".to_owned(),
        k: 5,
        published: published.map(names),
        left_out: vec![left_out],
        note: "Made up.".to_owned(),
        ..Subject::default()
    }
}

fn found(builders: &[&str], sufficient: bool, cpu: f64) -> Ran {
    let fields = json!({
        "complete": true, "stop_reason": "exhausted", "builders": builders, "sufficient": sufficient,
        "minimal": true, "full_generated": 62, "explored": 931, "peak_rss_bytes": 9_000_000,
    });
    Ran { code: Some(0), wall: 2.0 * cpu, cpu, summary: summary(fields) }
}

fn generated(structures: u64, digest: &str) -> Ran {
    let fields = json!({
        "complete": true, "stop_reason": "exhausted", "generated": structures, "digest": digest,
        "peak_rss_bytes": 8_000_000,
    });
    Ran { code: Some(0), wall: 0.5, cpu: 0.25, summary: summary(fields) }
}

fn published(digest: &str, reduced: &[&str]) -> Published {
    Published {
        full: generated(62, "f0"),
        generated: generated(62, digest),
        reduced: found(reduced, true, 0.1),
    }
}

fn sets_of(published_set: Option<&[&str]>, published: Option<Published>) -> SubjectSets {
    SubjectSets {
        subject: subject(published_set),
        k: 5,
        api: names(&["new", "add", "push", "len"]),
        found: vec![
            found(&["new", "add"], true, 1.5),
            found(&["new"], false, 20.0),
            Ran { code: None, wall: 3.0, cpu: 3.0, ..Ran::default() },
        ],
        published,
    }
}

fn data(ours: Ours) -> Data {
    let statement = Statement { source: "P, 1".to_owned(), text: "It is fast.".to_owned(), ours };
    Data { subjects: Vec::new(), statements: vec![statement] }
}

#[test]
fn a_set_is_compared_with_the_published_one_by_what_both_build() {
    let of = |set: &[&str], digest: &str, found: usize| {
        let sets = sets_of(Some(set), Some(published(digest, set)));
        sets.relation(&sets.found[found])
    };
    assert_eq!(of(&["add", "new"], "f0", 0), Relation::Same);
    assert_eq!(of(&["new", "push"], "f0", 0), Relation::BothSuffice);
    assert_eq!(of(&["new", "push"], "0f", 0), Relation::OnlyFoundSuffices);
    assert_eq!(of(&["new", "push"], "f0", 1), Relation::OnlyPublishedSuffices);
    assert_eq!(of(&["new", "push"], "0f", 1), Relation::NeitherSuffices);
    assert_eq!(of(&["new", "push"], "f0", 2), Relation::Unknown);
    let without = sets_of(None, None);
    assert_eq!(without.relation(&without.found[0]), Relation::Unknown);
}

#[test]
fn sets_have_a_row_for_each_search_and_one_for_the_published_set() {
    let set: &[&str] = &["new", "add", "push"];
    let sets = [sets_of(Some(set), Some(published("f0", &["new", "push"])))];
    let longest = Ours::Identification { search: "genetic".to_owned(), suites: names(&["a::"]) };
    let (markdown, csv) = sets::documents(&data(longest), &sets, "About.");
    let rows = "\
| `a::b` | 5 | 4 | 62 | hill-climbing | `new`, `add` | yes | yes | 1.50 | 3.00 | 9 | another; both suffice |
| `a::b` | 5 | 4 | 62 | genetic | `new` | no | yes | 20.0 | 40.0 | 9 | suffices; this one does not |
| `a::b` | 5 | 4 | 62 | exact | none: failed | – | – | 3.00 | 3.00 | 0 | unknown |
| `a::b` | 5 | 4 | 62 | published | `new`, `add`, `push` | yes | no | 0.25 | 0.50 | 8 | |
";
    assert!(markdown.contains(rows), "{markdown}");
    assert!(markdown.contains("- `a::b`: Made up.\n"), "{markdown}");
    assert!(markdown.contains("- `a::b`, `spin`: it never returns.\n"), "{markdown}");
    let stated = "- It is fast. (P, 1) **Ours:** 20.0 s of CPU (`a::b`, 4 methods, k = 5).\n";
    assert!(markdown.ends_with(stated), "{markdown}");
    let row =
        "a::b,5,4,published,new add push,true,exhausted,true,false,62,,0.250,0.500,8000000,\n";
    assert!(csv.ends_with(row), "{csv}");
}

fn cell(k: u32, stop_reason: &str, seconds: f64, explored: u64, digest: &str) -> Cell {
    let fields = json!({
        "stop_reason": stop_reason, "seconds": seconds, "generated": 10 * k, "explored": explored,
        "digest": digest,
    });
    Cell { k, ran: Ran { summary: summary(fields), ..Ran::default() } }
}

fn runs() -> SubjectRuns {
    let columns = Columns {
        sm_bld: vec![
            cell(1, "exhausted", 0.0, 3, "1"),
            cell(2, "exhausted", 0.5, 30, "2"),
            cell(3, "exhausted", 4.0, 300, "3"),
        ],
        sm: vec![
            cell(1, "exhausted", 0.25, 9, "other"),
            cell(2, "exhausted", 10.0, 90, "2"),
            cell(3, "max_seconds", 60.0, 100, "0"),
        ],
        bld: vec![cell(1, "max_levels", 1.0, 50, "1"), cell(2, "max_memory", 7.0, 99, "0")],
        no_opt: vec![cell(1, "max_seconds", 60.0, 500, "0")],
    };
    let (api, builders) = (names(&["new", "add", "push", "len"]), Some(names(&["new", "add"])));
    SubjectRuns { subject: subject(None), api, builders, columns }
}

#[test]
fn configurations_are_compared_at_the_largest_scope_that_both_finish() {
    let runs = runs();
    let reached = runs.columns.all().map(|cells| SubjectRuns::reached(cells));
    assert_eq!(reached, [3, 2, 1, 0]);
    assert_eq!(runs.speed_up(), Some((20.0, 2)));
    assert_eq!(runs.differs_at(), ["1"]);
}

#[test]
fn a_speed_up_of_next_to_nothing_is_not_told() {
    let mut runs = runs();
    for column in [&mut runs.columns.sm_bld, &mut runs.columns.sm] {
        *column = vec![cell(1, "exhausted", 0.001, 3, "1")];
    }
    assert!(runs.speed_up().is_none() && runs.compared().is_some());
    let (markdown, _) = ablation::documents(&data(Ours::SpeedUp(Vec::new())), &[runs], "About.");
    assert!(markdown.contains("| too short to tell | 3 of 3 | yes |"), "{markdown}");
}

#[test]
fn the_ablation_has_a_summary_and_a_row_of_times_for_each_configuration() {
    let ours = Ours::SpeedUp(names(&["a::b"]));
    let mut runs = runs();
    runs.subject.published_times.sm = Some("1: 0.5".to_owned());
    let (markdown, csv) = ablation::documents(&data(ours), &[runs], "About.");
    let summary = "| `a::b` | 4 | 2 | 3 | 2 | 1 | 0 | 20.0 (k = 2) | 30 of 90 | NOT at k = 1 |\n";
    assert!(markdown.contains(summary), "{markdown}");
    let times = "\
| `a::b` | SM/BLD | 1: 0.00, 2: 0.50, 3: 4.00 |
| `a::b` | SM | 1: 0.25, 2: 10.0, 3: max seconds |
| `a::b` | SM, published | 1: 0.5 |
| `a::b` | BLD | 1: 1.00, 2: max memory |
| `a::b` | NoOPT | 1: max seconds |
";
    assert!(markdown.contains(times), "{markdown}");
    let stated = "**Ours:** `a::b` 20.0 times at k = 2 (0.50 s against 10.0 s).\n";
    assert!(markdown.ends_with(stated), "{markdown}");
    let row = "\na::b,BLD,2,2,false,max_memory,20,99,7.000000,0.000,0,0\n";
    assert!(csv.contains(row), "{csv}");
}

#[test]
fn scopes_are_counted_for_statements_about_them() {
    let of = |ours: Ours| ablation::documents(&data(ours), &[runs()], "About.").0;
    let more = of(Ours::MoreScopes(names(&["a::b"])));
    assert!(more.ends_with("**Ours:** `a::b` 1 more (3 against 2).\n"), "{more}");
    let matching = of(Ours::StateMatching(names(&["a::b"])));
    assert!(matching.ends_with("**Ours:** `a::b` scope 2 with, 0 without.\n"), "{matching}");
    let unknown = of(Ours::SpeedUp(names(&["c::d"])));
    assert!(unknown.ends_with("**Ours:** not measured.\n"), "{unknown}");
}
