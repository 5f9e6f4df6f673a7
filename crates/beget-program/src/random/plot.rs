//! A chart of a run: its results by number of calls.

use beget_run::RandomRun;
use beget_run::random::CoursePoint;

use crate::plot::{self, Line, LineCourse, Panel};

/// The size of the pool and the structures by calls; below, the coverage of marks in the code, if
/// there are any.
pub(super) fn to_svg(run: &RandomRun) -> String {
    let suite = &run.plan.suite.name;
    let line = |name, height: fn(&CoursePoint) -> u64| {
        let points = run.report.course.points().iter();
        let points = points.map(|one| (one.calls, height(one) as f64)).collect();
        Line { name, points, spread: Vec::new(), course: LineCourse::Steps }
    };
    let panel = |what: &str, upwards, lines| Panel {
        caption: format!("{suite}: {what} by calls, seed {}", run.options.seed),
        across: "calls",
        upwards,
        from_zero: true,
        lines,
    };
    let pool = vec![
        line("distinct structures", |one| one.structures),
        line("sequences in the pool", |one| one.pooled),
    ];
    let mut panels = vec![panel("structures", "number", pool)];
    if run.coverage.is_some() {
        let covered = vec![line("predicates covered", |one| one.covered)];
        panels.push(panel("coverage", "predicates", covered));
    }
    plot::to_svg(&panels)
}
