//! Findings in SARIF 2.1.0, the Static Analysis Results Interchange Format of OASIS.
//!
//! A rule is a kind of problem, with the contract or clause where there is one. A result is a
//! cause.

use std::fmt::Write as _;
use std::path::Path;

use crate::records::FindingRecord;
use serde_json::{Value, json};

use super::CiReport;
use super::place::SourcePlace;

/// The log of a run.
pub(super) fn log_of(report: &CiReport<'_>) -> Value {
    let (mut rules, mut causes): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let results: Vec<Value> = report
        .findings
        .iter()
        .map(|finding| {
            let rule = rule_of(finding);
            let index = rules.iter().position(|known| *known == rule).unwrap_or_else(|| {
                rules.push(rule.clone());
                rules.len() - 1
            });
            result_of(report, finding, &rule, index, &mut causes)
        })
        .collect();
    let rule = |id: &String| {
        let text = format!("beget finds a problem of the kind {}", id.replace('/', ": "));
        json!({"id": id, "shortDescription": {"text": text}})
    };
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "beget",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(rule).collect::<Vec<_>>(),
            }},
            "invocations": [{
                "executionSuccessful": report.is_done || !report.findings.is_empty(),
                "exitCodeDescription": report.header.stop_reason,
            }],
            "automationDetails": {
                "id": format!("beget/{}/{}/{}/", report.command, report.header.suite, report.header.k),
            },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

/// The rule that a finding breaks: its kind, and the contract or clause.
fn rule_of(finding: &FindingRecord) -> String {
    match &finding.name {
        Some(name) => format!("{}/{name}", finding.kind),
        None => finding.kind.to_string(),
    }
}

/// The result of a finding. `causes` has the fingerprints of those before, and gets its own.
fn result_of(
    report: &CiReport<'_>,
    finding: &FindingRecord,
    rule: &str,
    index: usize,
    causes: &mut Vec<String>,
) -> Value {
    let recipe = finding.recipe.join("\n");
    let text = match recipe.is_empty() {
        true => finding.message.clone(),
        false => format!("{}\n\n{recipe}", finding.message),
    };
    let SourcePlace { file, line, column } = SourcePlace::of(finding, report.scope);
    let region = match column {
        Some(column) => json!({"startLine": line, "startColumn": column}),
        None => json!({"startLine": line}),
    };
    let method = finding.method.as_deref().unwrap_or_default();
    let cause = format!("{}/{rule}/{method}/{file}", report.header.suite);
    // Two repOKs may have the same clause: readers take equal fingerprints for one alert.
    let n_alike = causes.iter().filter(|known| **known == cause).count();
    causes.push(cause.clone());
    let fingerprint = if n_alike == 0 { cause } else { format!("{cause}/{}", n_alike + 1) };
    json!({
        "ruleId": rule,
        "ruleIndex": index,
        "level": "error",
        "message": {"text": text},
        "locations": [{
            "physicalLocation": {"artifactLocation": artifact_of(&file), "region": region},
        }],
        "occurrenceCount": finding.witnesses.max(1),
        // They stay the same when lines move.
        "partialFingerprints": {"cause/v1": fingerprint},
    })
}

/// A file by its URI: one within the project is seen from its root.
fn artifact_of(file: &str) -> Value {
    let path = file.replace('\\', "/");
    match Path::new(file).is_absolute() {
        true => json!({"uri": format!("file://{}", percent_encoded(&path))}),
        false => json!({"uri": percent_encoded(&path), "uriBaseId": "%SRCROOT%"}),
    }
}

/// A path encoded for a URI.
fn percent_encoded(path: &str) -> String {
    let mut encoded = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                encoded.push(byte.into());
            }
            byte => drop(write!(encoded, "%{byte:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::super::with_report;
    use super::*;
    use crate::report::PageParts;

    #[test]
    fn a_result_is_a_cause_at_its_place() {
        with_report(|report| {
            let log = log_of(report);
            let run = &log["runs"][0];
            assert_eq!(run["tool"]["driver"]["rules"].as_array().unwrap().len(), 1);
            let [first, second] = &run["results"].as_array().unwrap()[..] else { panic!("{run}") };
            let place = &first["locations"][0]["physicalLocation"];
            let artifact = json!({"uri": "src/my%20tree.rs", "uriBaseId": "%SRCROOT%"});
            assert_eq!(place["artifactLocation"], artifact);
            assert_eq!(place["region"], json!({"startLine": 67, "startColumn": 43}));
            let place = &second["locations"][0]["physicalLocation"];
            assert_eq!(place["artifactLocation"]["uri"], "scopes/tree.ron");
            assert_eq!(
                (&second["ruleId"], &second["occurrenceCount"]),
                (&json!("panic"), &json!(3))
            );
        });
    }

    #[test]
    fn causes_that_differ_in_their_message_alone_have_two_fingerprints() {
        with_report(|report| {
            let findings = [&report.findings[0], &report.findings[0], &report.findings[1]];
            let findings = findings.map(Clone::clone);
            let log = log_of(&CiReport {
                findings: &findings,
                page: PageParts::default(),
                held: vec![],
                ..*report
            });
            let results = log["runs"][0]["results"].as_array().unwrap();
            let causes: Vec<_> =
                results.iter().map(|one| one["partialFingerprints"]["cause/v1"].as_str()).collect();
            assert_eq!(
                causes,
                [
                    Some("tree/panic/min/src/my tree.rs"),
                    Some("tree/panic/min/src/my tree.rs/2"),
                    Some("tree/panic/min/scopes/tree.ron"),
                ]
            );
        });
    }

    #[test]
    fn files_elsewhere_have_whole_uris() {
        assert_eq!(artifact_of("/a b/é.rs"), json!({"uri": "file:///a%20b/%C3%A9.rs"}));
    }
}
