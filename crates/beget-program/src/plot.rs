//! Lines over counts, drawn as SVG: how runs went.

use plotters::coord::Shift;
use plotters::prelude::*;

/// One picture: its lines share their axes.
pub(crate) struct Panel {
    pub(crate) caption: String,
    /// The quantity of the horizontal axis.
    pub(crate) across: &'static str,
    /// The quantity of the lines.
    pub(crate) upwards: &'static str,
    pub(crate) lines: Vec<Line>,
}

/// A line of a panel.
pub(crate) struct Line {
    pub(crate) name: &'static str,
    pub(crate) points: Vec<(u64, f64)>,
}

/// Colours of lines, in their order.
const COLORS: [RGBColor; 3] = [BLUE, RED, RGBColor(0, 128, 0)];

/// The panels one below the other.
///
/// # Panics
/// Never: what is drawn is in memory.
pub(crate) fn to_svg(panels: &[Panel]) -> String {
    let mut svg = String::new();
    draw(&mut svg, panels).expect("drawing in memory does not fail");
    svg
}

type DrawResult = Result<(), Box<dyn std::error::Error>>;

fn draw(svg: &mut String, panels: &[Panel]) -> DrawResult {
    let area = SVGBackend::with_string(svg, (720, 400 * panels.len() as u32)).into_drawing_area();
    area.fill(&WHITE)?;
    for (area, panel) in area.split_evenly((panels.len(), 1)).iter().zip(panels) {
        draw_panel(area, panel)?;
    }
    area.present()?;
    Ok(())
}

fn draw_panel(area: &DrawingArea<SVGBackend<'_>, Shift>, panel: &Panel) -> DrawResult {
    let points = || panel.lines.iter().flat_map(|line| &line.points);
    let heights = || points().map(|(_, height)| *height);
    let (least, most) = (heights().fold(0.0, f64::min), heights().fold(1.0, f64::max));
    let last = points().map(|(count, _)| *count).fold(1, u64::max);
    let mut chart = ChartBuilder::on(area)
        .caption(&panel.caption, ("sans-serif", 16))
        .margin(12)
        // Half of the last number stands beyond the axis.
        .margin_right(32)
        .x_label_area_size(32)
        .y_label_area_size(64)
        .build_cartesian_2d(0..last, least..most * 1.05)?;
    chart
        .configure_mesh()
        .x_desc(panel.across)
        .y_desc(panel.upwards)
        .y_label_formatter(&|height| format!("{height}"))
        .light_line_style(WHITE)
        .draw()?;
    for (line, color) in panel.lines.iter().zip(COLORS) {
        chart
            .draw_series(LineSeries::new(line.points.iter().copied(), &color))?
            .label(line.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], color));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerRight)
        .background_style(WHITE)
        .border_style(BLACK)
        .draw()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_lines_are_drawn_in_their_colours_with_their_names() {
        let line = |name, height| Line { name, points: vec![(0, 0.0), (10, height)] };
        let panel =
            |lines| Panel { caption: "runs".to_owned(), across: "calls", upwards: "n", lines };
        let svg = to_svg(&[panel(vec![line("pooled", 3.0), line("met", 5.0)]), panel(Vec::new())]);
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{svg}");
        for shown in ["pooled", "met", "calls", "#0000FF", "#FF0000", "height=\"800\""] {
            assert!(svg.contains(shown), "{shown}: {svg}");
        }
        assert!(!svg.contains("#008000"), "{svg}");
    }
}
