//! How the cost of a call and of a structure grows with the scope.
//!
//! A curve is one subject over several k. Its points are medians of runs in processes of their own;
//! the table has all numbers, the plot shows them over the size of the store.

use std::fmt::Write as _;

use plotters::prelude::*;
use serde::Deserialize;

use crate::machine::Machine;
use crate::table::{Spread, grouped};
use crate::table1::measured::Measured;

/// What is measured.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrowthPlan {
    /// How often each run is made.
    pub repeats: u32,
    /// The subjects.
    pub curves: Vec<Curve>,
}

/// One subject at several k.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Curve {
    /// What it is called.
    pub name: String,
    /// Its scope file.
    pub scope: String,
    /// The least k and the largest.
    pub ks: (u32, u32),
}

/// The runs of one curve at one k. Invariant: there is at least one, and all have the same counts.
#[derive(Clone, Debug)]
pub struct Point {
    /// The scope.
    pub k: u32,
    /// What was measured, run by run.
    pub runs: Vec<Measured>,
}

impl Point {
    /// Nanoseconds of CPU a call.
    fn ns_per_call(&self) -> Spread {
        let each = |run: &Measured| run.cpu_seconds * 1e9 / run.explored as f64;
        Spread::of(self.runs.iter().map(each))
    }

    fn store_bytes(&self) -> f64 {
        self.runs[0].store_bytes as f64
    }

    fn bytes_per_structure(&self) -> f64 {
        self.store_bytes() / self.runs[0].generated as f64
    }
}

const HEAD: &str = "\
| subject | k | calls | structures | ns CPU/call | store B/structure | store MB | peak RSS MB |
|---|---:|---:|---:|---:|---:|---:|---:|
";

const NOTE: &str = "\
![CPU time a call and bytes a structure, over the bytes of the store](growth.svg)

CPU is user and system time of the whole process, its start included, which is what small scopes
show most of; medians, with the least and the largest in brackets.
";

/// The curves as a table.
pub fn markdown(curves: &[(Curve, Vec<Point>)], machine: &Machine) -> String {
    let mut text = String::from("# Cost over the size of the scope\n\n");
    writeln!(text, "Machine: {machine}. One thread.\n\n{HEAD}").expect("a string takes all text");
    text.pop();
    for (curve, points) in curves {
        for point in points {
            let run = &point.runs[0];
            let peak = Spread::of(point.runs.iter().map(|run| run.peak_rss_bytes as f64 / 1e6));
            writeln!(
                text,
                "| {} | {} | {} | {} | {} | {:.1} | {:.1} | {:.0} |",
                curve.name,
                point.k,
                grouped(run.explored),
                grouped(run.generated),
                point.ns_per_call().show(0),
                point.bytes_per_structure(),
                point.store_bytes() / 1e6,
                peak.median,
            )
            .expect("a string takes all text");
        }
    }
    text.push('\n');
    text + NOTE
}

/// Nanoseconds a call and bytes a structure over the bytes of the store, as an SVG picture.
///
/// # Errors
/// If there is nothing to draw.
pub fn svg(curves: &[(Curve, Vec<Point>)]) -> Result<String, String> {
    let mut text = String::new();
    draw(curves, &mut text).map_err(|error| error.to_string())?;
    Ok(text)
}

fn draw(
    curves: &[(Curve, Vec<Point>)],
    text: &mut String,
) -> Result<(), Box<dyn std::error::Error>> {
    let root = SVGBackend::with_string(text, (900, 420)).into_drawing_area();
    root.fill(&WHITE)?;
    let (left, right) = root.split_horizontally(450);
    panel(&left, "CPU time, ns a call", curves, &|point| point.ns_per_call().median)?;
    panel(&right, "store, bytes a structure", curves, &Point::bytes_per_structure)?;
    root.present()?;
    Ok(())
}

fn panel<DB: DrawingBackend>(
    area: &DrawingArea<DB, plotters::coord::Shift>,
    caption: &str,
    curves: &[(Curve, Vec<Point>)],
    height: &dyn Fn(&Point) -> f64,
) -> Result<(), Box<dyn std::error::Error>>
where
    DB::ErrorType: 'static,
{
    let points = || curves.iter().flat_map(|(_, points)| points);
    let widths: Vec<f64> = points().map(Point::store_bytes).collect();
    let least = widths.iter().copied().reduce(f64::min).ok_or("there is nothing to draw")?;
    let largest = widths.iter().copied().fold(least, f64::max);
    let highest = points().map(height).fold(0.0, f64::max);
    let mut chart = ChartBuilder::on(area)
        .caption(caption, ("sans-serif", 16))
        .margin(10)
        .x_label_area_size(36)
        .y_label_area_size(44)
        .build_cartesian_2d((least / 2.0..largest * 2.0).log_scale(), 0.0..highest * 1.15)?;
    chart
        .configure_mesh()
        .x_desc("bytes of the store")
        .x_label_formatter(&|bytes| format!("{bytes:.0e}"))
        .light_line_style(TRANSPARENT)
        .draw()?;
    for (i, (curve, points)) in curves.iter().enumerate() {
        let color = Palette99::pick(i).to_rgba();
        let line = || points.iter().map(|point| (point.store_bytes(), height(point)));
        chart
            .draw_series(LineSeries::new(line(), color.stroke_width(2)))?
            .label(&curve.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 14, y)], color));
        chart.draw_series(line().map(|at| Circle::new(at, 3, color.filled())))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerRight)
        .background_style(WHITE.mix(0.8))
        .draw()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(k: u32, cpu_seconds: [f64; 3]) -> Point {
        let run = |cpu_seconds| Measured {
            suite: "s".to_owned(),
            k,
            generated: 1_000 * u64::from(k),
            explored: 1_000_000,
            levels_with_new: 3,
            wall_seconds: cpu_seconds,
            cpu_seconds,
            peak_rss_bytes: 2_000_000,
            store_bytes: 10_500 * u64::from(k),
            digest: String::new(),
        };
        Point { k, runs: cpu_seconds.map(run).to_vec() }
    }

    fn curves() -> Vec<(Curve, Vec<Point>)> {
        let curve = Curve { name: "List".to_owned(), scope: "l.ron".to_owned(), ks: (2, 3) };
        vec![(curve, vec![point(2, [0.3, 0.1, 0.2]), point(3, [0.25, 0.25, 0.25])])]
    }

    #[test]
    fn the_committed_plan_parses() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/growth.ron");
        let text = std::fs::read_to_string(path).expect("the plan");
        let plan: GrowthPlan = ron::from_str(&text).expect("a plan");
        assert!(plan.curves.iter().all(|curve| curve.ks.0 < curve.ks.1));
    }

    #[test]
    fn rows_show_medians_and_what_a_structure_costs() {
        let text = markdown(&curves(), &Machine::read());
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| List")).collect();
        assert_eq!(
            rows,
            [
                "| List | 2 | 1,000,000 | 2,000 | 200 [100, 300] | 10.5 | 0.0 | 2 |",
                "| List | 3 | 1,000,000 | 3,000 | 250 [250, 250] | 10.5 | 0.0 | 2 |",
            ]
        );
    }

    #[test]
    fn the_picture_has_two_panels_with_each_point() {
        let picture = svg(&curves()).expect("a picture");
        assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"));
        assert_eq!(picture.matches("<circle").count(), 4);
        assert_eq!(picture.matches(">\nList\n<").count(), 2, "{picture}");
        assert_eq!(svg(&[]).err().as_deref(), Some("there is nothing to draw"));
    }
}
