//! A report in the XML that JUnit and its readers have in common.

use anstream::adapter::strip_str;
use askama::Template;

use crate::records::FindingRecord;

use super::{CiReport, HeldClause};

/// The report: a test case for each cause and each clause that held.
pub(super) fn to_xml(report: &CiReport<'_>) -> String {
    let findings = report.findings.iter().enumerate();
    let mut cases: Vec<JunitCase> =
        findings.map(|(index, one)| JunitCase::of_finding(one, index)).collect();
    cases.extend(report.held.iter().map(|HeldClause { kind, name, .. }| JunitCase {
        name: escaped(&format!("{kind} {name}")),
        status: JunitStatus::Passed,
    }));
    if !report.is_done && report.findings.is_empty() {
        let message = format!("the run stopped early: {}", report.header.stop_reason);
        cases.push(JunitCase {
            name: "the run is complete".to_owned(),
            status: JunitStatus::Skipped(escaped(&message)),
        });
    }
    let n_with = |is: fn(&JunitStatus) -> bool| cases.iter().filter(|one| is(&one.status)).count();
    let template = JunitTemplate {
        command: report.command,
        suite: escaped(&report.header.suite),
        k: report.header.k,
        seconds: report.seconds.map(|seconds| seconds.max(0.0)),
        skipped: n_with(|status| matches!(status, JunitStatus::Skipped(_))),
        failures: n_with(|status| matches!(status, JunitStatus::Failed { .. })),
        cases,
    };
    template.render().expect("what is written is text")
}

#[derive(Template)]
#[template(path = "ci/junit.xml", whitespace = "preserve", escape = "none")]
struct JunitTemplate {
    command: &'static str,
    suite: String,
    k: u32,
    seconds: Option<f64>,
    skipped: usize,
    failures: usize,
    cases: Vec<JunitCase>,
}

struct JunitCase {
    name: String,
    status: JunitStatus,
}

enum JunitStatus {
    Passed,
    Skipped(String),
    Failed { kind: String, message: String, text: String },
}

impl JunitCase {
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
        JunitCase {
            name: escaped(&format!("{} #{}", parts.join(" "), index + 1)),
            status: JunitStatus::Failed {
                kind: escaped(kind.name()),
                message: escaped(message.lines().next().unwrap_or_default()),
                text: escaped(&text),
            },
        }
    }
}

/// The text as XML has it: without colours and what else is not allowed, and with entities by their
/// names, since not every reader of such files knows those by numbers.
fn escaped(text: &str) -> String {
    let mut xml = String::with_capacity(text.len());
    for char in strip_str(text).to_string().chars() {
        match char {
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '&' => xml.push_str("&amp;"),
            '"' => xml.push_str("&quot;"),
            '\'' => xml.push_str("&apos;"),
            '\t' | '\n' | '\r' => xml.push(char),
            '\0'..' ' | '\u{fffe}' | '\u{ffff}' => {}
            char => xml.push(char),
        }
    }
    xml
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
            let text = format!("{place}\n\nlet tree = Tree::new();\nlet _ = tree.min();");
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
        assert_eq!(escaped("\u{1b}[31mred\u{1b}[0m\u{0}\t<\u{fffe}é\n"), "red\t&lt;é\n");
        assert_eq!(escaped("\"a\" & 'b' > c"), "&quot;a&quot; &amp; &apos;b&apos; &gt; c");
    }
}
