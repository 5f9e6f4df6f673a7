//! A chart of the fitness by generation.

use beget_search::evolve::GenerationReport;

use crate::plot::{self, Line, LineCourse, Panel};

/// The best and the mean fitness of each generation as SVG.
pub(super) fn to_svg(suite: &str, generations: &[GenerationReport]) -> String {
    let line = |name, fitness: &dyn Fn(&GenerationReport) -> f64| {
        let points = generations.iter().map(|one| (u64::from(one.number), fitness(one)));
        Line { name, points: points.collect(), course: LineCourse::Straight }
    };
    plot::to_svg(&[Panel {
        caption: format!("{suite}: fitness by generation"),
        across: "generation",
        upwards: "fitness",
        lines: vec![
            line("best", &|one| one.best.fitness),
            line("mean of the survivors", &|one| one.mean_fitness),
        ],
    }])
}
