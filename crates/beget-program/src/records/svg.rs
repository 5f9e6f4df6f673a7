//! SVG: one drawing of a heap, and a page of drawings with captions.

use std::fmt::Write as _;

use beget_heap::HeapGraph;
use beget_heap::graph::Reference;
use layout::core::geometry::Point;

use crate::records::color::BoxColor;
use crate::records::geometry::{Rect, shown};
use crate::records::labels::{Labelled, place};
use crate::records::layout::{ArrowLine, arrange};

const GAP: f64 = 24.0;
/// The height of a line of a caption.
const LINE: f64 = 16.0;
/// The width of a character of a caption, about.
const CHARACTER: f64 = 7.3;

/// The height of a line in a box, and of a label.
const SMALL_LINE: f64 = 14.0;
/// The width of a character there, about.
const SMALL_CHARACTER: f64 = 6.7;
/// From the middle of a line to the baseline of its text.
const BASELINE: f64 = 4.0;
/// Between the side of a box and its text.
const PADDING: f64 = 6.0;

/// A page that several drawings are to fit, in pixels: A4, broad side down, at 96 dots an inch.
const PAGE: Point = Point { x: 1123.0, y: 794.0 };

/// A laid out heap: SVG elements, and how much room they take from the origin on.
#[derive(Debug)]
pub(crate) struct Drawing {
    elements: String,
    size: Point,
}

/// The text of a box.
pub(crate) struct BoxText {
    pub(crate) title: String,
    pub(crate) lines: Vec<String>,
}

impl BoxText {
    fn of(heap: &HeapGraph, number: usize) -> BoxText {
        let lines = heap.values(number).map(|(path, value)| match path.as_str() {
            // The value of a root that is no record.
            "" => value.to_string(),
            path => format!("{path} = {value}"),
        });
        BoxText { title: heap.title(number), lines: lines.collect() }
    }

    fn size(&self) -> Point {
        let lines = std::iter::once(&self.title).chain(&self.lines);
        let longest = lines.map(|line| line.chars().count()).max().unwrap_or(0);
        let inner = if self.lines.is_empty() { 0.0 } else { PADDING };
        Point::new(
            longest as f64 * SMALL_CHARACTER + 2.0 * PADDING,
            (self.lines.len() as f64 + 1.0) * SMALL_LINE + PADDING + inner,
        )
    }
}

impl Drawing {
    /// Lays out a heap; `fills` has the fill of each object.
    pub(crate) fn of_heap(heap: &HeapGraph, fills: &[Option<BoxColor>]) -> Drawing {
        let numbers = 0..heap.objects().len();
        let texts: Vec<BoxText> = numbers.map(|number| BoxText::of(heap, number)).collect();
        Drawing::of_boxes(&texts, heap.links(), fills)
    }

    /// Lays out boxes and the arrows between them.
    pub(crate) fn of_boxes(
        texts: &[BoxText],
        links: &[Reference],
        fills: &[Option<BoxColor>],
    ) -> Drawing {
        let sizes: Vec<Point> = texts.iter().map(BoxText::size).collect();
        let arrangement = arrange(links, &sizes);
        let label = |arrow: &ArrowLine| links[arrow.link].path.as_str();
        let labelled: Vec<_> =
            arrangement.arrows.iter().filter(|arrow| !label(arrow).is_empty()).collect();
        let requests: Vec<Labelled<'_>> = labelled
            .iter()
            .map(|arrow| Labelled { curve: &arrow.curve, size: label_size(label(arrow)) })
            .collect();
        let places = place(&arrangement.boxes, &requests);

        let curves = arrangement.arrows.iter().flat_map(|arrow| arrow.curve.samples());
        let points = curves.map(|point| Rect::at(point, Point::zero()));
        let boxes = arrangement.boxes.iter().copied();
        let all = Rect::of_all(boxes.chain(points).chain(places.iter().copied()));
        let origin = Point::new(all.left, all.top);
        let mut elements = String::new();
        for arrow in &arrangement.arrows {
            write_arrow(&mut elements, arrow, origin);
        }
        for (number, (place, text)) in arrangement.boxes.iter().zip(texts).enumerate() {
            write_box(&mut elements, place, text, fills.get(number).copied().flatten(), origin);
        }
        for (arrow, place) in labelled.iter().zip(places) {
            write_label(&mut elements, label(arrow), place, origin);
        }
        Drawing { elements, size: Point::new(all.width(), all.height()) }
    }
}

impl Drawing {
    /// The drawing as an element of a page, which defines its style and the marker `head`.
    pub(crate) fn to_figure(&self, title: &str) -> String {
        const EDGE: f64 = 2.0;
        let (width, height) = (shown(self.size.x + 2.0 * EDGE), shown(self.size.y + 2.0 * EDGE));
        format!(
            "<svg class=\"heap\" role=\"img\" width=\"{width}\" height=\"{height}\" viewBox=\"-{EDGE} -{EDGE} {width} {height}\">\n\
             <title>{}</title>\n{}</svg>",
            escape(title),
            self.elements
        )
    }
}

fn label_size(label: &str) -> Point {
    Point::new(label.chars().count() as f64 * SMALL_CHARACTER, SMALL_LINE)
}

fn write_arrow(elements: &mut String, arrow: &ArrowLine, origin: Point) {
    let path = arrow.curve.to_path(origin);
    // A reference back to an earlier rank is laid out the other way round, and its head is at the
    // start.
    let start_head = if arrow.heads.0 { " marker-start=\"url(#head)\"" } else { "" };
    let end_head = if arrow.heads.1 { " marker-end=\"url(#head)\"" } else { "" };
    let _ = writeln!(elements, "<path class=\"edge\" d=\"{path}\"{start_head}{end_head}/>");
}

fn write_box(
    elements: &mut String,
    place: &Rect,
    text: &BoxText,
    fill: Option<BoxColor>,
    origin: Point,
) {
    let (left, top) = (place.left - origin.x, place.top - origin.y);
    let (width, height) = (shown(place.width()), shown(place.height()));
    let (x, y) = (shown(left), shown(top));
    let (style, color) = match fill {
        Some(fill) => {
            (format!(" style=\"fill:{}\"", fill.color), format!(" style=\"fill:{}\"", fill.text))
        }
        None => (String::new(), String::new()),
    };
    let _ = writeln!(
        elements,
        "<rect class=\"object\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{style}/>"
    );
    let mut baseline = top + PADDING / 2.0 + SMALL_LINE / 2.0 + BASELINE;
    let (middle, title) = (shown(left + place.width() / 2.0), escape(&text.title));
    let at = shown(baseline);
    let _ =
        writeln!(elements, "<text class=\"class\" x=\"{middle}\" y=\"{at}\"{color}>{title}</text>");
    if text.lines.is_empty() {
        return;
    }
    let (line, right) = (shown(top + PADDING + SMALL_LINE), shown(left + place.width()));
    let _ = writeln!(elements, "<path class=\"edge\" d=\"M {x} {line} L {right} {line}\"/>");
    baseline += PADDING;
    for line in &text.lines {
        baseline += SMALL_LINE;
        let (x, y, line) = (shown(left + PADDING), shown(baseline), escape(line));
        let _ =
            writeln!(elements, "<text class=\"field\" x=\"{x}\" y=\"{y}\"{color}>{line}</text>");
    }
}

fn write_label(elements: &mut String, label: &str, place: Rect, origin: Point) {
    let middle = place.middle().sub(origin);
    let (x, y, label) = (shown(middle.x), shown(middle.y + BASELINE), escape(label));
    let _ = writeln!(elements, "<text class=\"label\" x=\"{x}\" y=\"{y}\">{label}</text>");
}

/// A drawing with the lines that stand below it.
#[derive(Debug)]
pub(crate) struct Cell<'c> {
    pub(crate) drawing: Drawing,
    pub(crate) caption: &'c [String],
}

impl Cell<'_> {
    fn size(&self) -> Point {
        let longest = self.caption.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        Point::new(
            self.drawing.size.x.max(longest as f64 * CHARACTER) + GAP,
            self.drawing.size.y + (self.caption.len() as f64 + 1.0) * LINE + GAP,
        )
    }

    fn write(&self, body: &mut String, x: f64, y: f64) {
        let _ = writeln!(body, "<g transform=\"translate({} {})\">", shown(x), shown(y));
        body.push_str(&self.drawing.elements);
        for (index, line) in self.caption.iter().enumerate() {
            let class = if index == 0 { "caption title" } else { "caption" };
            let baseline = shown(self.drawing.size.y + (index as f64 + 1.5) * LINE);
            let line = escape(line);
            let _ =
                writeln!(body, "<text class=\"{class}\" x=\"0\" y=\"{baseline}\">{line}</text>");
        }
        body.push_str("</g>\n");
    }
}

/// The columns of a page and the rows of it, as wide and as high as their cells.
struct Grid {
    widths: Vec<f64>,
    heights: Vec<f64>,
}

impl Grid {
    fn new(sizes: &[Point], columns: usize) -> Grid {
        let mut grid =
            Grid { widths: vec![0.0; columns], heights: vec![0.0; sizes.len().div_ceil(columns)] };
        for (index, size) in sizes.iter().enumerate() {
            let (row, column) = (index / columns, index % columns);
            grid.widths[column] = size.x.max(grid.widths[column]);
            grid.heights[row] = size.y.max(grid.heights[row]);
        }
        grid
    }

    fn size(&self) -> Point {
        let sum = |sizes: &[f64]| sizes.iter().sum::<f64>() + GAP;
        Point::new(sum(&self.widths), sum(&self.heights))
    }

    /// How much larger a page could be shown than it is.
    fn scale(&self) -> f64 {
        let size = self.size();
        (PAGE.x / size.x).min(PAGE.y / size.y)
    }
}

/// All cells on one page, row by row, in as many columns as let it be shown largest. Several cells
/// fit [`PAGE`]; one has its own size.
pub(crate) fn page(cells: &[Cell<'_>]) -> String {
    let sizes: Vec<Point> = cells.iter().map(Cell::size).collect();
    let grids = (1..=cells.len().max(1)).map(|columns| Grid::new(&sizes, columns));
    let best = grids.reduce(|best, next| if next.scale() > best.scale() { next } else { best });
    let grid = best.expect("there is one column at least");
    let mut body = String::new();
    let mut y = GAP;
    for (row, height) in cells.chunks(grid.widths.len()).zip(&grid.heights) {
        let mut x = GAP;
        for (cell, width) in row.iter().zip(&grid.widths) {
            cell.write(&mut body, x, y);
            x += width;
        }
        y += height;
    }
    let scale = if cells.len() > 1 { grid.scale().min(1.0) } else { 1.0 };
    document(grid.size(), scale, &body)
}

fn document(size: Point, scale: f64, body: &str) -> String {
    let (width, height) = (shown(size.x), shown(size.y));
    let (shown_width, shown_height) = (shown(size.x * scale), shown(size.y * scale));
    format!(
        r##"<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<svg width="{shown_width}" height="{shown_height}" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<defs>
<marker id="head" markerWidth="10" markerHeight="7" refX="10" refY="3.5" orient="auto-start-reverse">
<polygon points="0 0, 10 3.5, 0 7"/>
</marker>
</defs>
<style>
text {{ font: 12px monospace; }}
.class, .field, .label {{ font-size: 11px; }}
.class {{ font-weight: bold; text-anchor: middle; }}
.label {{ text-anchor: middle; paint-order: stroke; stroke: white; stroke-width: 3px; }}
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
