//! The table of seeded defects, `benchmarks/results/seeded.md`: each section is written by the test
//! that has the subjects.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses a part")]
#![allow(clippy::disallowed_methods, reason = "the file is one of the tests' own")]

use std::fs;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benchmarks/results/seeded.md");

/// Fails if the section of that title is not made of these rows. `BEGET_BLESS=1` writes it anew.
#[track_caller]
pub fn check_section(title: &str, head: &[&str], rows: &[Vec<String>]) {
    let text = fs::read_to_string(PATH).unwrap();
    let heading = format!("## {title}\n");
    let start = text.find(&heading).unwrap_or_else(|| panic!("no section `{title}` in {PATH}"));
    let body = start + heading.len();
    let end = text[body..].find("\n## ").map_or(text.len(), |at| body + at + 1);
    let mut section = format!("{heading}\n");
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let cells: Vec<String> = cells.map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    section.push_str(&line(&mut head.iter().copied()));
    section.push_str(&line(&mut head.iter().map(|_| "---")));
    for row in rows {
        assert_eq!(row.len(), head.len(), "{row:?}");
        section.push_str(&line(&mut row.iter().map(String::as_str)));
    }
    if end < text.len() {
        section.push('\n');
    }
    if std::env::var_os("BEGET_BLESS").is_some() {
        fs::write(PATH, format!("{}{section}{}", &text[..start], &text[end..])).unwrap();
        return;
    }
    assert_eq!(text[start..end], section, "BEGET_BLESS=1 writes `{title}` anew");
}

/// What a row says of the subject without its defect: quiet, and that it was asked about.
#[track_caller]
pub fn quiet(n_findings: usize, asked: u64) -> String {
    assert!(n_findings == 0 && asked > 0, "{n_findings} findings, asked {asked} times");
    "quiet".to_owned()
}
