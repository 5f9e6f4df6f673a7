//! A report in the XML that JUnit and its readers have in common.

use anstream::adapter::strip_str;
use askama::Template;

use crate::records::FindingRecord;

use super::{CiReport, HeldClause};

/// The report: a test case for each cause and each clause that held.
pub(super) fn to_xml(report: &CiReport<'_>) -> String {
    let findings = report.findings.iter().enumerate();
    let mut cases: Vec<Case> = findings.map(|(index, one)| Case::of_finding(one, index)).collect();
    cases.extend(report.held.iter().map(|HeldClause { kind, name, .. }| Case {
        name: plain(&format!("{kind} {name}")),
        status: CaseStatus::Passed,
    }));
    if !report.is_done && report.findings.is_empty() {
        let message = format!("the run stopped early: {}", report.header.stop_reason);
        cases.push(Case {
            name: "the run is complete".to_owned(),
            status: CaseStatus::Skipped(plain(&message)),
        });
    }
    let n_with = |is: fn(&CaseStatus) -> bool| cases.iter().filter(|one| is(&one.status)).count();
    let template = JunitTemplate {
        command: report.command,
        suite: plain(&report.header.suite),
        k: report.header.k,
        seconds: report.seconds.map(|seconds| seconds.max(0.0)),
        skipped: n_with(|status| matches!(status, CaseStatus::Skipped(_))),
        failures: n_with(|status| matches!(status, CaseStatus::Failed { .. })),
        cases,
    };
    template.render().expect("what is written is text")
}

#[derive(Template)]
#[template(path = "ci/junit.xml", whitespace = "preserve")]
struct JunitTemplate {
    command: &'static str,
    suite: String,
    k: u32,
    seconds: Option<f64>,
    skipped: usize,
    failures: usize,
    cases: Vec<Case>,
}

struct Case {
    name: String,
    status: CaseStatus,
}

enum CaseStatus {
    Passed,
    Skipped(String),
    Failed { kind: String, message: String, text: String },
}

impl Case {
    /// The case of a cause. Causes of one kind and method have numbers, since names must differ.
    fn of_finding(finding: &FindingRecord, index: usize) -> Self {
        let FindingRecord { kind, name, method, message, recipe, after, changed, .. } = finding;
        let mut text = format!("{message}\n\n{}\n", recipe.join("\n"));
        for (heading, lines) in [("after", after), ("changed by", changed)] {
            if !lines.is_empty() {
                text += &format!("\n{heading} the last call\n{}\n", lines.join("\n"));
            }
        }
        let parts = [Some(kind.name()), name.as_deref(), method.as_deref()];
        let parts: Vec<&str> = parts.into_iter().flatten().collect();
        Case {
            name: plain(&format!("{} #{}", parts.join(" "), index + 1)),
            status: CaseStatus::Failed {
                kind: plain(kind.name()),
                message: plain(message.lines().next().unwrap_or_default()),
                text: plain(&text),
            },
        }
    }
}

/// The text without colours and what else XML does not allow.
fn plain(text: &str) -> String {
    let is_allowed = |char: &char| match char {
        '\t' | '\n' | '\r' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        char => *char >= ' ',
    };
    strip_str(text).to_string().chars().filter(is_allowed).collect()
}

#[cfg(test)]
mod tests {
    use quick_junit::{Report, TestCaseStatus};

    use super::super::with_report;
    use super::*;

    /// Read by a library of which test runners write such files.
    #[test]
    fn causes_fail_and_clauses_that_held_pass() {
        with_report(|report| {
            let xml = to_xml(report);
            let read = Report::deserialize_from_str(&xml).unwrap();
            let suite = &read.test_suites[0];
            assert_eq!(
                (suite.tests, suite.failures, suite.errors, suite.disabled.unwrap_or(0)),
                (3, 2, 0, 0)
            );
            let names: Vec<&str> = suite.test_cases.iter().map(|case| case.name.as_str()).collect();
            assert_eq!(names, ["panic min #1", "panic min #2", "contract clone_equal"]);
            let TestCaseStatus::NonSuccess { message, description, .. } =
                &suite.test_cases[0].status
            else {
                panic!("{xml}");
            };
            let place = "panicked at src/my tree.rs:67:43: 100 %, <empty>";
            assert_eq!(message.as_ref().unwrap().as_str(), place);
            let text = format!("{place}\n\nlet tree = Tree::new();\nlet _ = tree.min();\n");
            assert_eq!(description.as_ref().unwrap().as_str(), text);
            assert_eq!(suite.time.unwrap().as_millis(), 250);
            let nothing =
                CiReport { findings: &[], is_done: false, held: vec![], ..report.clone() };
            let read = Report::deserialize_from_str(&to_xml(&nothing)).unwrap();
            assert_eq!((read.test_suites[0].tests, read.test_suites[0].skipped), (1, 1));
        });
    }

    #[test]
    fn what_xml_does_not_allow_is_left_out() {
        assert_eq!(plain("\u{1b}[31mred\u{1b}[0m\u{0}\t<\u{fffe}é\n"), "red\t<é\n");
    }
}
