//! The lines of a source file around the place of a finding.

use std::path::Path;

/// Lines shown before and after the place.
const AROUND: usize = 4;
/// Longer files are not written by hand.
const MOST_BYTES: u64 = 4 << 20;

/// An excerpt of a source file.
#[derive(Debug)]
pub(super) struct Excerpt {
    pub(super) place: String,
    pub(super) lines: Vec<SourceLine>,
}

#[derive(Debug)]
pub(super) struct SourceLine {
    /// Its number, to a width of five.
    pub(super) number: String,
    pub(super) text: String,
    pub(super) is_place: bool,
}

/// Returns the lines around `place`, a `file:line:column`; `None` if the file cannot be read.
pub(super) fn excerpt(place: &str) -> Option<Excerpt> {
    let (rest, _) = place.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    let line: usize = line.parse().ok()?;
    let path = Path::new(file);
    let is_short = path.metadata().is_ok_and(|known| known.is_file() && known.len() < MOST_BYTES);
    let text = is_short.then(|| std::fs::read_to_string(path).ok()).flatten()?;
    let lines = around(&text, line)?;
    Some(Excerpt { place: place.to_owned(), lines })
}

fn around(text: &str, line: usize) -> Option<Vec<SourceLine>> {
    let all: Vec<&str> = text.lines().collect();
    if line == 0 || line > all.len() {
        return None;
    }
    let range = line.saturating_sub(AROUND + 1)..(line + AROUND).min(all.len());
    let shown = range.map(|index| SourceLine {
        number: format!("{:5}", index + 1),
        text: all[index].to_owned(),
        is_place: index + 1 == line,
    });
    Some(shown.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_marked_and_the_ends_of_a_file_are_no_trouble() {
        let text = "a\nb\nc\n";
        let shown = around(text, 1).unwrap();
        assert_eq!(shown.len(), 3);
        assert!(shown[0].is_place && !shown[1].is_place);
        assert_eq!(around(text, 3).unwrap().iter().position(|line| line.is_place), Some(2));
        assert!(around(text, 4).is_none() && around(text, 0).is_none());
    }

    #[test]
    fn a_place_that_is_no_file_has_no_excerpt() {
        assert!(excerpt("an unknown place").is_none());
        assert!(excerpt("no/such/file.rs:1:1").is_none());
    }
}
