//! Places in the source, as findings have them.

use std::path::Path;

use crate::records::FindingRecord;

/// A place for an annotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SourcePlace {
    /// The file.
    pub(super) file: String,
    /// The line, from 1.
    pub(super) line: u32,
    /// The column, from 1, if it is known.
    pub(super) column: Option<u32>,
}

impl SourcePlace {
    /// The place of a finding, or the scope file if none is known.
    pub(super) fn of(finding: &FindingRecord, scope: &Path) -> Self {
        let known = finding.place.as_deref().and_then(SourcePlace::parse);
        known.unwrap_or_else(|| SourcePlace {
            file: scope.to_string_lossy().into_owned(),
            line: 1,
            column: None,
        })
    }

    /// The place of a text such as `src/lib.rs:7:9`.
    fn parse(place: &str) -> Option<Self> {
        let (rest, column) = place.rsplit_once(':')?;
        let (file, line) = rest.rsplit_once(':')?;
        Some(SourcePlace {
            file: file.to_owned(),
            line: line.parse().ok()?,
            column: Some(column.parse().ok()?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_has_a_file_a_line_and_a_column() {
        let place = |file: &str| SourcePlace { file: file.to_owned(), line: 7, column: Some(9) };
        assert_eq!(SourcePlace::parse("src/lib.rs:7:9"), Some(place("src/lib.rs")));
        assert_eq!(SourcePlace::parse(r"C:\a\lib.rs:7:9"), Some(place(r"C:\a\lib.rs")));
        assert_eq!(SourcePlace::parse("an unknown place"), None);
    }
}
