//! What a row that was not run may need, by the largest row of its class that was.
//!
//! Time goes by nanoseconds of CPU a call, memory by bytes of the store a structure beside what the
//! smallest run of the class took. Neither is a bound: a call and a structure cost a little more as
//! k grows.

use std::fmt;

use super::measured::Measured;
use super::published::{Row, Subject};
use crate::table::grouped;

/// An estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Need {
    /// Memory.
    pub bytes: f64,
    /// CPU time.
    pub seconds: f64,
}

/// Estimates a row from what was measured of its class. `None`: nothing was, or its counts are not
/// known.
#[must_use]
pub fn need(subject: &Subject, row: &Row, measured: &[&Measured]) -> Option<Need> {
    let by_calls = |one: &&&Measured| one.explored;
    let largest = measured.iter().filter(|one| one.generated > 0).max_by_key(by_calls)?;
    let start = measured.iter().map(|one| one.peak_rss_bytes).min()?;
    let calls = subject.likely_explored(row.k)?;
    let structures = subject.likely_generated(row.k)?;
    Some(Need {
        bytes: start as f64 + largest.store_bytes as f64 / largest.generated as f64 * structures,
        seconds: largest.cpu_seconds / largest.explored as f64 * calls,
    })
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = grouped(self.seconds.ceil() as u64);
        match self.bytes < 1e9 {
            true => write!(f, "about {:.0} MB, {seconds} s of CPU", self.bytes / 1e6),
            false => write!(f, "about {:.1} GB, {seconds} s of CPU", self.bytes / 1e9),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table1::published::Table;

    fn measured(k: u32, generated: u64, explored: u64) -> Measured {
        Measured {
            suite: "s".to_owned(),
            k,
            generated,
            explored,
            levels_with_new: 1,
            wall_seconds: 1.0,
            cpu_seconds: explored as f64 * 1e-6,
            peak_rss_bytes: 1_000_000 + generated,
            store_bytes: 5 * generated,
            digest: String::new(),
        }
    }

    #[test]
    fn the_largest_row_measured_is_what_counts() {
        let text = r#"(subjects: [(benchmark: "B", suite: "s", scope: "s", class: "C", constructors: One, rows: [
            (k: 1, generated: 0, explored: 10, mark: Verified),
            (k: 2, generated: 1_000, explored: 4_000, mark: Verified),
            (k: 3, generated: 1_000_000, explored: 8_000_000, mark: Verified),
            (k: 4, generated: 2_000_000, mark: Inferred)])])"#;
        let subject = &Table::parse(text).expect("a table").subjects[0];
        let rows = [measured(1, 0, 10), measured(2, 1_000, 4_000)];
        let rows: Vec<_> = rows.iter().collect();
        let found = need(subject, &subject.rows[2], &rows).expect("an estimate");
        assert!((found.seconds - 8.0).abs() < 1e-9, "{found:?}");
        assert!((found.bytes - 6e6).abs() < 1.0, "{found:?}");
        assert_eq!(found.to_string(), "about 6 MB, 8 s of CPU");
        assert_eq!(need(subject, &subject.rows[2], &rows[..1]), None);
        // The calls at 4 grow by the factor from 2 to 3.
        let found = need(subject, &subject.rows[3], &rows).expect("an estimate");
        assert!((found.seconds - 16_000.0).abs() < 1e-6, "{found:?}");
    }
}
