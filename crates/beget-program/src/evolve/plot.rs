//! A chart of the fitness by generation.

use beget_search::evolve::GenerationReport;

use crate::plot::{self, Line, LineCourse, Panel};

/// The best fitness of each generation and the mean with its standard deviation as SVG.
pub(super) fn to_svg(suite: &str, generations: &[GenerationReport]) -> String {
    let line = |name, fitness: &dyn Fn(&GenerationReport) -> f64| {
        let points = generations.iter().map(|one| (u64::from(one.number), fitness(one)));
        let (points, spread) = (points.collect(), Vec::new());
        Line { name, points, spread, course: LineCourse::Straight }
    };
    let mean = line("mean of the survivors", &|one| one.mean_fitness);
    let spread = generations.iter().map(|one| one.deviation).collect();
    plot::to_svg(&[Panel {
        caption: format!("{suite}: fitness by generation"),
        across: "generation",
        upwards: "fitness",
        from_zero: false,
        lines: vec![line("best", &|one| one.best.fitness), Line { spread, ..mean }],
    }])
}
