//! SVG: one drawing of a heap, and a grid of drawings with captions.
//!
//! The layout is `layout-rs`'s. Its own SVG writer gives elements names that clash where several
//! drawings share a file, and sizes that have little to do with the drawing, so the drawing is
//! written here.

use std::fmt::Write as _;

use beget_heap::HeapGraph;
use layout::core::format::{ClipHandle, RenderBackend};
use layout::core::geometry::Point;
use layout::core::style::StyleAttr;

use crate::layout::graph_of;

const GAP: f64 = 24.0;
const LINE: f64 = 16.0;
/// Where the layout begins its drawings.
const MARGIN: f64 = 30.0;
/// The width of a character, about.
const CHARACTER: f64 = 7.3;

/// The height of a line of a label; the layout's `FONT_SIZE` goes with it.
const LABEL_LINE: f64 = 11.0;

/// A laid out graph: SVG elements, and how much room they take.
#[derive(Debug, Default)]
pub(crate) struct Drawing {
    elements: String,
    /// Texts come last, so that no line crosses them.
    texts: String,
    width: f64,
    height: f64,
}

impl Drawing {
    /// Lays out a heap.
    pub(crate) fn of_heap(heap: &HeapGraph) -> Drawing {
        let mut drawing = Drawing::default();
        graph_of(heap).do_it(false, false, false, &mut drawing);
        drawing
    }

    fn make_room(&mut self, point: Point) {
        self.width = self.width.max(point.x);
        self.height = self.height.max(point.y);
    }
}

impl RenderBackend for Drawing {
    fn draw_rect(
        &mut self,
        xy: Point,
        size: Point,
        _: &StyleAttr,
        _: Option<String>,
        _: Option<ClipHandle>,
    ) {
        self.make_room(xy.add(size));
        let _ = writeln!(
            self.elements,
            "<rect class=\"object\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
            xy.x, xy.y, size.x, size.y
        );
    }

    fn draw_line(&mut self, start: Point, stop: Point, _: &StyleAttr, _: Option<String>) {
        self.make_room(start);
        self.make_room(stop);
        let _ = writeln!(
            self.elements,
            "<path class=\"edge\" d=\"M {} {} L {} {}\"/>",
            start.x, start.y, stop.x, stop.y
        );
    }

    fn draw_circle(&mut self, xy: Point, size: Point, _: &StyleAttr, _: Option<String>) {
        self.make_room(xy.add(size));
        let _ = writeln!(
            self.elements,
            "<ellipse class=\"object\" cx=\"{}\" cy=\"{}\" rx=\"{}\" ry=\"{}\"/>",
            xy.x,
            xy.y,
            size.x / 2.0,
            size.y / 2.0
        );
    }

    fn draw_text(&mut self, xy: Point, text: &str, _: &StyleAttr) {
        let n_lines = text.lines().count() as f64;
        let top = xy.y - (n_lines - 1.0) * LABEL_LINE / 2.0;
        for (index, line) in text.lines().enumerate() {
            let y = top + index as f64 * LABEL_LINE;
            let half = line.chars().count() as f64 * CHARACTER / 2.0;
            self.make_room(Point::new(xy.x + half, y + LABEL_LINE / 2.0));
            let line = escape(line);
            let _ = writeln!(
                self.texts,
                "<text class=\"label\" x=\"{}\" y=\"{y}\">{line}</text>",
                xy.x
            );
        }
    }

    fn draw_arrow(
        &mut self,
        path: &[(Point, Point)],
        _: bool,
        (at_start, at_end): (bool, bool),
        _: &StyleAttr,
        _: Option<String>,
        text: &str,
    ) {
        let Some((&(start, leaving), rest)) = path.split_first() else { return };
        self.make_room(start);
        let mut curve = format!("M {} {} C {} {},", start.x, start.y, leaving.x, leaving.y);
        for (index, &(arriving, point)) in rest.iter().enumerate() {
            self.make_room(point);
            // A further point continues the curve smoothly.
            let command = if index == 0 { "" } else { " S" };
            let _ =
                write!(curve, "{command} {} {}, {} {}", arriving.x, arriving.y, point.x, point.y);
        }
        // An edge back to an earlier rank is laid out the other way round, and its head is at the
        // start.
        let start_head = if at_start { " marker-start=\"url(#head)\"" } else { "" };
        let end_head = if at_end { " marker-end=\"url(#head)\"" } else { "" };
        let heads = format!("{start_head}{end_head}");
        let _ = writeln!(self.elements, "<path class=\"edge\" d=\"{curve}\"{heads}/>");
        if !text.is_empty() {
            let end = path[path.len() - 1].1;
            let middle = Point::new((start.x + end.x) / 2.0, (start.y + end.y) / 2.0);
            self.draw_text(middle, text, &StyleAttr::simple());
        }
    }

    fn create_clip(&mut self, _: Point, _: Point, _: usize) -> ClipHandle {
        0
    }
}

/// A drawing with the lines that stand below it.
#[derive(Debug)]
pub(crate) struct Cell<'c> {
    pub(crate) drawing: Drawing,
    pub(crate) caption: &'c [String],
}

impl Cell<'_> {
    fn width(&self) -> f64 {
        let longest = self.caption.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        self.drawing.width.max(MARGIN + longest as f64 * CHARACTER) + GAP
    }

    fn height(&self) -> f64 {
        self.drawing.height + (self.caption.len() as f64 + 1.0) * LINE + GAP
    }

    fn write(&self, body: &mut String, x: f64, y: f64) {
        let _ = writeln!(body, "<g transform=\"translate({x} {y})\">");
        body.push_str(&self.drawing.elements);
        body.push_str(&self.drawing.texts);
        for (index, line) in self.caption.iter().enumerate() {
            let class = if index == 0 { "caption title" } else { "caption" };
            let baseline = self.drawing.height + (index as f64 + 1.5) * LINE;
            let line = escape(line);
            let _ = writeln!(
                body,
                "<text class=\"{class}\" x=\"{MARGIN}\" y=\"{baseline}\">{line}</text>"
            );
        }
        body.push_str("</g>\n");
    }
}

/// All cells in one SVG, row by row, about as many rows as columns.
pub(crate) fn grid(cells: &[Cell<'_>]) -> String {
    let columns = (cells.len() as f64).sqrt().ceil().max(1.0) as usize;
    let rows: Vec<&[Cell<'_>]> = cells.chunks(columns).collect();
    let widest = |column| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(Cell::width).fold(0.0, f64::max)
    };
    let widths: Vec<f64> = (0..columns).map(widest).collect();
    let mut body = String::new();
    let mut y = GAP;
    for row in rows {
        let mut x = GAP;
        for (cell, width) in row.iter().zip(&widths) {
            cell.write(&mut body, x, y);
            x += width;
        }
        y += row.iter().map(Cell::height).fold(0.0, f64::max);
    }
    document(widths.iter().sum::<f64>() + GAP, y, &body)
}

fn document(width: f64, height: f64, body: &str) -> String {
    format!(
        r##"<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<defs>
<marker id="head" markerWidth="10" markerHeight="7" refX="10" refY="3.5" orient="auto-start-reverse">
<polygon points="0 0, 10 3.5, 0 7"/>
</marker>
</defs>
<style>
text {{ font: 12px monospace; }}
.label {{ font-size: 10px; text-anchor: middle; dominant-baseline: middle; paint-order: stroke; stroke: white; stroke-width: 4px; }}
.title {{ font-weight: bold; }}
.object {{ fill: white; stroke: black; }}
.edge {{ fill: none; stroke: black; }}
</style>
<rect width="{width}" height="{height}" fill="white"/>
{body}</svg>
"##
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
