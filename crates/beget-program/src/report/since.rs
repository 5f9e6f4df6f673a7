//! Changes since the last run of the same scope, by the page that this one replaces.
//!
//! Each page has a mark: what ran, and its causes. It is read from the file that stands where the
//! new page goes, so two runs are compared only if they write their pages to one place.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::ci::CiReport;
use crate::reading::file_text;
use crate::records::{FindingRecord, counted, escape};

const BEFORE: &str = "<meta name=\"beget-run\" content=\"";

/// A summary of a run for the next page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RunMark {
    command: String,
    suite: String,
    k: u32,
    structures: u64,
    causes: Vec<String>,
}

/// The differences between two runs.
#[derive(Debug, Default)]
pub(super) struct SinceLast {
    pub(super) lines: Vec<String>,
    pub(super) new: Vec<String>,
    pub(super) gone: Vec<String>,
}

impl RunMark {
    pub(super) fn of(report: &CiReport<'_>) -> RunMark {
        let number = report.page.summary.get("generated").and_then(serde_json::Value::as_u64);
        RunMark {
            command: report.command.to_owned(),
            suite: report.header.suite.clone(),
            k: report.header.k,
            structures: number.unwrap_or(0),
            causes: report.findings.iter().map(cause).collect(),
        }
    }

    /// The mark as the content of an attribute.
    pub(super) fn to_attribute(&self) -> String {
        let json = serde_json::to_string(self).unwrap_or_default();
        escape(&json).replace('"', "&quot;")
    }

    /// The mark of the page in a file, if it is one.
    pub(crate) fn read(path: &Path) -> Option<RunMark> {
        let page = file_text(path).ok()?;
        let (_, rest) = page.split_once(BEFORE)?;
        let (content, _) = rest.split_once('"')?;
        let json = content.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">");
        serde_json::from_str(&json.replace("&amp;", "&")).ok()
    }

    /// The changes since `last`, if that was a run of the same scope.
    pub(super) fn since(&self, last: &RunMark) -> Option<SinceLast> {
        if (&self.command, &self.suite) != (&last.command, &last.suite) {
            return None;
        }
        let without = |all: &[String], known: &[String]| -> Vec<String> {
            all.iter().filter(|cause| !known.contains(cause)).cloned().collect()
        };
        let (new, gone) =
            (without(&self.causes, &last.causes), without(&last.causes, &self.causes));
        let n_same = self.causes.len() - new.len();
        let cause = |n: usize| counted(n as u64, "cause");
        let mut lines =
            vec![format!("{} new, {} gone, {n_same} the same.", cause(new.len()), gone.len())];
        if self.k != last.k {
            lines.push(format!("It ran with k = {}, this one with k = {}.", last.k, self.k));
        }
        if self.structures != last.structures {
            let (then, now) = (counted(last.structures, "structure"), self.structures);
            lines.push(format!("It had {then}, this one has {}.", crate::records::grouped(now)));
        }
        Some(SinceLast { lines, new, gone })
    }
}

/// A cause, without the lines of a source that has changed.
fn cause(finding: &FindingRecord) -> String {
    let FindingRecord { kind, name, method, message, place, .. } = finding;
    let message = message.lines().next().unwrap_or_default();
    let file = place.as_ref().and_then(|place| place.split(':').next()).unwrap_or_default();
    let message = match place {
        Some(place) => message.replace(place.as_str(), file),
        None => message.to_owned(),
    };
    let parts = [Some(kind.name()), name.as_deref(), method.as_deref(), Some(message.as_str())];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(causes: &[&str]) -> RunMark {
        RunMark {
            command: "check".to_owned(),
            suite: "Vec<u8>".to_owned(),
            k: 3,
            structures: 15,
            causes: causes.iter().map(|cause| (*cause).to_owned()).collect(),
        }
    }

    #[test]
    fn a_mark_is_read_as_it_was_written() {
        let mark = mark(&["panic · \"a\" & <b>"]);
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("page.html");
        assert_eq!(RunMark::read(&path), None);
        std::fs::write(&path, format!("<head>\n{BEFORE}{}\">", mark.to_attribute())).unwrap();
        assert_eq!(RunMark::read(&path), Some(mark));
    }

    #[test]
    fn causes_are_new_gone_or_the_same() {
        let (last, now) = (mark(&["a", "b"]), mark(&["b", "c", "d"]));
        let since = now.since(&last).unwrap();
        assert_eq!(
            (since.new, since.gone),
            (vec!["c".to_owned(), "d".to_owned()], vec!["a".to_owned()])
        );
        assert_eq!(since.lines, ["2 causes new, 1 gone, 1 the same."]);
        let other = RunMark { suite: "Other".to_owned(), ..last.clone() };
        assert!(now.since(&other).is_none());
        let larger = RunMark { k: 4, structures: 1200, ..last.clone() };
        assert_eq!(larger.since(&last).unwrap().lines.len(), 3);
    }

    #[test]
    fn a_cause_is_the_same_where_only_its_line_has_changed() {
        let finding = |line: u32| {
            let place = format!("src/lib.rs:{line}:9");
            let message = format!("panicked at {place}: too large");
            let mut finding = crate::ci::verdict_record("panic", "x", message);
            finding.place = Some(place);
            finding
        };
        assert_eq!(cause(&finding(3)), cause(&finding(40)));
    }
}
