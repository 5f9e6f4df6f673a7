//! What test cases cover: points, from one of several sources.

use beget_process::coverage::counters::RegionCounters;
use beget_process::coverage::{CodeMarks, Coverage, MarksApart};
use beget_run::random::RandomReport;

/// Where points come from.
#[derive(Clone, Copy, Debug)]
pub enum PointSource {
    /// The points marked in the subject's code.
    Blocks(&'static CodeMarks),
    /// Pairs of such a point and of what was seen there.
    Predicates(&'static CodeMarks),
    /// The regions of all code that was compiled with counters.
    Regions(RegionCounters),
    /// Distinct structures, of all types.
    Structures,
}

impl PointSource {
    /// What is counted, in the plural.
    pub fn unit(&self) -> &'static str {
        match self {
            PointSource::Blocks(_) => "blocks",
            PointSource::Predicates(_) => "predicates",
            PointSource::Regions(_) => "regions",
            PointSource::Structures => "structures",
        }
    }

    /// How many there are, if that is known.
    pub fn known(&self) -> Option<usize> {
        match self {
            PointSource::Blocks(marks) => Some(marks.n_points()),
            PointSource::Regions(counters) => counters.known(),
            PointSource::Predicates(_) | PointSource::Structures => None,
        }
    }

    /// Returns whether it counts what all threads do together.
    pub(crate) fn is_of_process(&self) -> bool {
        matches!(self, PointSource::Regions(_))
    }

    /// Begins to count what this thread covers.
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
    /// How many were covered by a run, which is over.
    pub(crate) fn points(&self, report: &RandomReport) -> usize {
        match self {
            PointCount::Blocks(marks) => marks.blocks(),
            PointCount::Predicates(marks) => marks.predicates(),
            PointCount::Regions(counters) => counters.covered(),
            PointCount::Structures => report.distinct.by_type.iter().sum::<u64>() as usize,
        }
    }
}
