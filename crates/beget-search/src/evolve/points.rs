//! Points, the coverage of test cases, from one of several sources.

use beget_process::coverage::counters::RegionCounters;
use beget_process::coverage::{CodeMarks, Coverage, MarksApart};
use beget_run::random::RandomReport;

/// A source of points.
#[derive(Clone, Copy, Debug)]
pub enum PointSource {
    /// The points marked in the subject's code.
    Blocks(&'static CodeMarks),
    /// Pairs of such a point and a fingerprint of what the code saw.
    Predicates(&'static CodeMarks),
    /// The regions of all code that was compiled with counters.
    Regions(RegionCounters),
    /// Distinct structures, of all types.
    Structures,
}

impl PointSource {
    /// The unit counted, in the plural.
    pub fn unit(&self) -> &'static str {
        match self {
            PointSource::Blocks(_) => "blocks",
            PointSource::Predicates(_) => "predicates",
            PointSource::Regions(_) => "regions",
            PointSource::Structures => "structures",
        }
    }

    /// The total number, if known.
    pub fn known(&self) -> Option<usize> {
        match self {
            PointSource::Blocks(marks) => Some(marks.n_points()),
            PointSource::Regions(counters) => counters.known(),
            PointSource::Predicates(_) | PointSource::Structures => None,
        }
    }

    /// Returns whether it counts all threads together.
    pub(crate) fn is_of_process(&self) -> bool {
        matches!(self, PointSource::Regions(_))
    }

    /// Begins to count this thread's points.
    pub(crate) fn begin(self) -> PointCount {
        match self {
            PointSource::Blocks(marks) => PointCount::Blocks(marks.apart()),
            PointSource::Predicates(marks) => PointCount::Predicates(marks.apart()),
            PointSource::Regions(counters) => {
                counters.reset();
                PointCount::Regions(counters)
            }
            PointSource::Structures => PointCount::Structures,
        }
    }
}

/// Points that are being counted.
pub(crate) enum PointCount {
    Blocks(MarksApart),
    Predicates(MarksApart),
    Regions(RegionCounters),
    Structures,
}

impl PointCount {
    /// The number of points that a finished run covered.
    pub(crate) fn points(&self, report: &RandomReport) -> usize {
        match self {
            PointCount::Blocks(marks) => marks.blocks(),
            PointCount::Predicates(marks) => marks.predicates(),
            PointCount::Regions(counters) => counters.covered(),
            PointCount::Structures => report.distinct.by_type.iter().sum::<u64>() as usize,
        }
    }
}

#[cfg(test)]
mod tests {
    use beget_subjects::jpf::bintree::MARKS;

    use super::*;

    #[test]
    fn points_have_a_unit_and_marks_a_known_number() {
        let sources =
            [PointSource::Blocks(&MARKS), PointSource::Predicates(&MARKS), PointSource::Structures];
        let units = sources.map(|source| source.unit());
        assert_eq!(units, ["blocks", "predicates", "structures"]);
        assert!(MARKS.n_points() > 1);
        let known = sources.map(|source| source.known());
        assert_eq!(known, [Some(MARKS.n_points()), None, None]);
        // Marks are noted by each thread separately, so that several may run.
        assert!(sources.iter().all(|source| !source.is_of_process()));
    }
}
