//! Commands of a workflow of GitHub, and the summary of a step.
//!
//! The form of the lines is described in "Workflow commands for GitHub Actions".

use std::fmt::Write as _;

use crate::records::FindingRecord;

use super::CiReport;
use super::place::SourcePlace;

/// A line for each cause.
pub(super) fn annotations(report: &CiReport<'_>) -> Vec<String> {
    let line = |finding: &FindingRecord| {
        let SourcePlace { file, line, column } = SourcePlace::of(finding, report.scope);
        let column = column.map(|column| format!(",col={column}")).unwrap_or_default();
        let file = escaped_property(&file);
        let title = escaped_property(&title_of(finding));
        let text = format!("{}\n{}", finding.message, finding.recipe.join("\n"));
        let text = escaped(text.trim_end());
        format!("::error file={file},line={line}{column},title={title}::{text}")
    };
    report.findings.iter().map(line).collect()
}

/// The kind of a cause with its details.
fn title_of(finding: &FindingRecord) -> String {
    let name = finding.name.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
    let method = finding.method.as_ref().map(|method| format!(" by {method}")).unwrap_or_default();
    format!("beget: {}{name}{method}", finding.kind)
}

/// Escapes a message: percent signs and line ends would end it.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property, which colons and commas end too.
fn escaped_property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

/// The summary of a run in Markdown.
pub(super) fn step_summary(report: &CiReport<'_>) -> String {
    let CiReport { command, header, findings, held, .. } = report;
    let verdict = match (findings.len(), report.is_done) {
        (0, true) => "nothing wrong within these bounds".to_owned(),
        (0, false) => format!("incomplete ({})", header.stop_reason),
        (1, _) => "1 cause".to_owned(),
        (n, _) => format!("{n} causes"),
    };
    let mut text = format!(
        "### beget {command}: {}, k = {}: {verdict}\n\n",
        in_table(&header.suite),
        header.k
    );
    if !findings.is_empty() {
        text.push_str("| kind | method | place | calls that show it | message |\n");
        text.push_str("| --- | --- | --- | ---: | --- |\n");
    }
    for finding in *findings {
        let message = finding.message.lines().next().unwrap_or_default();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            in_table(finding.kind.name()),
            in_table(finding.method.as_deref().unwrap_or_default()),
            in_table(finding.place.as_deref().unwrap_or_default()),
            finding.witnesses,
            in_table(message)
        );
    }
    for finding in findings.iter().filter(|finding| !finding.recipe.is_empty()) {
        let _ = write!(
            text,
            "\n<details><summary>{}</summary>\n\n{}\n</details>\n",
            in_html(&title_of(finding)),
            fenced(&finding.recipe.join("\n"))
        );
    }
    if !held.is_empty() {
        let names: Vec<String> = held.iter().map(|clause| in_table(&clause.name)).collect();
        let _ = writeln!(text, "\nHeld: {}.", names.join(", "));
    }
    text.push('\n');
    text
}

/// A text in a cell of a table.
fn in_table(text: &str) -> String {
    in_html(text).replace('\\', "\\\\").replace('|', "\\|").replace('`', "\\`").replace('\n', " ")
}

fn in_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A block of code, within more backticks than there are in it.
fn fenced(source: &str) -> String {
    let mut fence = "```".to_owned();
    while source.contains(&fence) {
        fence.push('`');
    }
    format!("{fence}rust\n{source}\n{fence}\n")
}

#[cfg(test)]
mod tests {
    use super::super::with_report;
    use super::*;

    #[test]
    fn each_cause_is_one_line_at_its_place() {
        with_report(|report| {
            let recipe = "%0Alet tree = Tree::new();%0Alet _ = tree.min();";
            let expected = [
                format!(
                    "::error file=src/my tree.rs,line=67,col=43,title=beget%3A panic by min::panicked at \
                     src/my tree.rs:67:43: 100 %25, <empty>{recipe}"
                ),
                format!(
                    "::error file=scopes/tree.ron,line=1,title=beget%3A panic by min::it is, so: wrong%0A\
                     in two lines{recipe}"
                ),
            ];
            assert_eq!(annotations(report), expected);
        });
    }

    #[test]
    fn a_summary_has_a_row_for_each_cause_and_what_held() {
        with_report(|report| {
            let text = step_summary(report);
            assert!(
                text.starts_with("### beget check: tree, k = 3: 2 causes\n\n| kind |"),
                "{text}"
            );
            let row = "| panic | min |  | 3 | it is, so: wrong |\n";
            assert!(text.contains(row), "{text}");
            assert!(text.contains("100 %, &lt;empty&gt; |\n"), "{text}");
            assert_eq!(text.matches("```rust\nlet tree = Tree::new();\n").count(), 2);
            assert!(text.ends_with("\nHeld: clone_equal.\n\n"), "{text}");
            let nothing = CiReport { findings: &[], ..report.clone() };
            let text = step_summary(&nothing);
            assert!(text.contains("k = 3: nothing wrong within these bounds\n"), "{text}");
            let cut = CiReport { is_done: false, ..nothing };
            assert!(step_summary(&cut).contains("incomplete (exhausted)"));
        });
    }

    #[test]
    fn a_fence_is_longer_than_those_within() {
        assert_eq!(fenced("let a = \"```\";"), "````rust\nlet a = \"```\";\n````\n");
    }
}
