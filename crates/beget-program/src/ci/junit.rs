//! A report in the XML that JUnit and its readers have in common.

use std::time::Duration;

use crate::records::FindingRecord;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{CiReport, HeldClause};

/// The report: a test case for each cause and each clause that held.
pub(super) fn to_xml(report: &CiReport<'_>) -> String {
    let class = format!("beget.{}.{}", report.command, report.header.suite);
    let mut suite = TestSuite::new(format!("{} k={}", report.header.suite, report.header.k));
    if let Some(seconds) = report.seconds {
        suite.set_time(Duration::from_secs_f64(seconds.max(0.0)));
    }
    for (index, finding) in report.findings.iter().enumerate() {
        suite.add_test_case(case_of_finding(finding, index, &class));
    }
    for HeldClause { kind, name, .. } in &report.held {
        let mut case = TestCase::new(format!("{kind} {name}"), TestCaseStatus::success());
        case.set_classname(class.as_str());
        suite.add_test_case(case);
    }
    if !report.is_done && report.findings.is_empty() {
        let mut status = TestCaseStatus::skipped();
        status.set_message(format!("the run stopped early: {}", report.header.stop_reason));
        let mut case = TestCase::new("the run is complete", status);
        case.set_classname(class.as_str());
        suite.add_test_case(case);
    }
    let mut all = Report::new(format!("beget {}", report.command));
    all.add_test_suite(suite);
    all.to_string().expect("what is written is text")
}

/// The case of a cause. Causes of one kind and method have numbers, since names must differ.
fn case_of_finding(finding: &FindingRecord, index: usize, class: &str) -> TestCase {
    let FindingRecord { kind, name, method, message, recipe, after, changed, .. } = finding;
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_message(message.lines().next().unwrap_or_default()).set_type(kind.name());
    let mut text = format!("{message}\n\n{}\n", recipe.join("\n"));
    for (heading, lines) in [("after", after), ("changed by", changed)] {
        if !lines.is_empty() {
            text += &format!("\n{heading} the last call\n{}\n", lines.join("\n"));
        }
    }
    status.set_description(text);
    let parts = [Some(kind.name()), name.as_deref(), method.as_deref()];
    let parts: Vec<&str> = parts.into_iter().flatten().collect();
    let mut case = TestCase::new(format!("{} #{}", parts.join(" "), index + 1), status);
    case.set_classname(class);
    case
}

#[cfg(test)]
mod tests {
    use super::super::with_report;
    use super::*;

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
            let nothing =
                CiReport { findings: &[], is_done: false, held: vec![], ..report.clone() };
            let read = Report::deserialize_from_str(&to_xml(&nothing)).unwrap();
            assert_eq!((read.test_suites[0].tests, read.test_suites[0].skipped), (1, 1));
        });
    }
}
