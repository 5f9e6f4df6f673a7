//! The fitness over the generations, drawn.

use beget_evolve::GenerationReport;
use plotters::prelude::*;

/// The best and the mean fitness of each generation as SVG.
///
/// # Panics
/// Never: what is drawn is in memory.
pub(super) fn to_svg(suite: &str, generations: &[GenerationReport]) -> String {
    let mut svg = String::new();
    draw(&mut svg, suite, generations).expect("drawing in memory does not fail");
    svg + "\n"
}

type DrawResult = Result<(), Box<dyn std::error::Error>>;

fn draw(svg: &mut String, suite: &str, generations: &[GenerationReport]) -> DrawResult {
    let area = SVGBackend::with_string(svg, (720, 400)).into_drawing_area();
    area.fill(&WHITE)?;
    let best = generations.iter().map(|one| one.best.fitness);
    let mean = generations.iter().map(|one| one.mean_fitness);
    let least = best.clone().chain(mean.clone()).fold(0.0, f64::min);
    let most = best.clone().chain(mean.clone()).fold(1.0, f64::max);
    let last = generations.last().map_or(1, |last| last.number.max(1));
    let mut chart = ChartBuilder::on(&area)
        .caption(format!("{suite}: fitness by generation"), ("sans-serif", 16))
        .margin(12)
        .x_label_area_size(32)
        .y_label_area_size(64)
        .build_cartesian_2d(0..last, least..most * 1.05)?;
    chart.configure_mesh().x_desc("generation").y_desc("fitness").draw()?;
    let numbers = || generations.iter().map(|one| one.number);
    chart
        .draw_series(LineSeries::new(numbers().zip(best), &BLUE))?
        .label("best")
        .legend(|(x, y)| PathElement::new([(x, y), (x + 16, y)], BLUE));
    chart
        .draw_series(LineSeries::new(numbers().zip(mean), &RED))?
        .label("mean of the survivors")
        .legend(|(x, y)| PathElement::new([(x, y), (x + 16, y)], RED));
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerRight)
        .background_style(WHITE)
        .border_style(BLACK)
        .draw()?;
    area.present()?;
    Ok(())
}
