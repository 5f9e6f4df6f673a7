//! SVG: one drawing of a heap, and a page of drawings with captions.

use std::fmt::Write as _;

use layout::core::geometry::Point;

use crate::records::color::BoxColor;
use crate::records::diagram::{
    ArrayCell, BoxRow, BoxText, ChangeMark, Diagram, PADDING, SMALL_CHARACTER, SMALL_LINE,
};
use crate::records::geometry::{Rect, shown};
use crate::records::labels::{LabelledArrow, place};
use crate::records::layout::{ArrowLine, BoxGraph, arrange};

const GAP: f64 = 24.0;
/// The height of a line of a caption.
const LINE: f64 = 16.0;
/// The width of a character of a caption, about.
const CHARACTER: f64 = 7.3;
/// From the middle of a line to the baseline of its text.
const BASELINE: f64 = 4.0;

/// A page that several drawings are to fit, in pixels: A4, broad side down, at 96 dots an inch.
const PAGE: Point = Point { x: 1123.0, y: 794.0 };

/// A laid out heap: SVG elements, and how much room they take from the origin on.
#[derive(Debug)]
pub(crate) struct Drawing {
    elements: String,
    description: String,
    size: Point,
}

impl Drawing {
    /// Lays out boxes and the arrows between them; `fills` has the fill of each box.
    pub(crate) fn of(diagram: &Diagram, fills: &[Option<BoxColor>]) -> Drawing {
        let Diagram { boxes: texts, links } = diagram;
        let arrangement = arrange(BoxGraph { nodes: &diagram.nodes(), links });
        let label = |arrow: &ArrowLine| {
            let link = &links[arrow.link];
            let sign = if link.is_changed && !link.label.is_empty() { "~ " } else { "" };
            format!("{sign}{}", link.label)
        };
        let has_label = |arrow: &&ArrowLine| arrow.is_labelled && !label(arrow).is_empty();
        let labelled: Vec<_> = arrangement.arrows.iter().filter(has_label).collect();
        let requests: Vec<LabelledArrow<'_>> = labelled
            .iter()
            .map(|arrow| LabelledArrow { curve: &arrow.curve, size: label_size(&label(arrow)) })
            .collect();
        let places = place(&arrangement.boxes, &requests);

        let curves = arrangement.arrows.iter().flat_map(|arrow| arrow.curve.samples());
        let points = curves.map(|point| Rect::at(point, Point::zero()));
        let boxes = arrangement.boxes.iter().copied();
        let all = Rect::of_all(boxes.chain(points).chain(places.iter().copied()));
        let origin = Point::new(all.left, all.top);
        let mut elements = String::new();
        for arrow in &arrangement.arrows {
            write_arrow(&mut elements, arrow, links[arrow.link].is_changed, origin);
        }
        for (number, (place, text)) in arrangement.boxes.iter().zip(texts).enumerate() {
            let fill = fills.get(number).copied().flatten();
            BoxWriter::new(&mut elements, place, fill, origin).write(text);
        }
        for (arrow, place) in labelled.iter().zip(places) {
            write_label(&mut elements, &label(arrow), place, origin);
        }
        let size = Point::new(all.width(), all.height());
        Drawing { elements, description: diagram.description(), size }
    }

    /// The drawing as an element of a page, which defines its style and the marker `head`.
    pub(crate) fn to_figure(&self, title: &str) -> String {
        const EDGE: f64 = 2.0;
        let (width, height) = (shown(self.size.x + 2.0 * EDGE), shown(self.size.y + 2.0 * EDGE));
        format!(
            "<svg class=\"heap\" role=\"img\" width=\"{width}\" height=\"{height}\" viewBox=\"-{EDGE} -{EDGE} {width} {height}\">\n\
             <title>{}</title>\n<desc>{}</desc>\n{}</svg>",
            escape(title),
            escape(&self.description),
            self.elements
        )
    }
}

fn label_size(label: &str) -> Point {
    Point::new(label.chars().count() as f64 * SMALL_CHARACTER, SMALL_LINE)
}

fn write_arrow(elements: &mut String, arrow: &ArrowLine, is_changed: bool, origin: Point) {
    let path = arrow.curve.to_path(origin);
    // A reference back to an earlier rank is laid out the other way round, and its head is at the
    // start.
    let start_head = if arrow.heads.0 { " marker-start=\"url(#head)\"" } else { "" };
    let end_head = if arrow.heads.1 { " marker-end=\"url(#head)\"" } else { "" };
    let class = if is_changed { "edge redirected" } else { "edge" };
    let _ = writeln!(elements, "<path class=\"{class}\" d=\"{path}\"{start_head}{end_head}/>");
}

/// Writes a box from its top to its bottom.
struct BoxWriter<'e> {
    elements: &'e mut String,
    left: f64,
    top: f64,
    size: Point,
    fill: Option<BoxColor>,
}

impl BoxWriter<'_> {
    fn new<'e>(
        elements: &'e mut String,
        place: &Rect,
        fill: Option<BoxColor>,
        origin: Point,
    ) -> BoxWriter<'e> {
        let (left, top) = (place.left - origin.x, place.top - origin.y);
        let size = Point::new(place.width(), place.height());
        BoxWriter { elements, left, top, size, fill }
    }

    fn write(&mut self, text: &BoxText) {
        let class = match text.mark {
            None => "object",
            Some(ChangeMark::New) => "object new",
            Some(ChangeMark::Gone) => "object gone",
            Some(ChangeMark::Changed) => "object changed",
        };
        let fill = self.fill.map(|fill| format!(" style=\"fill:{}\"", fill.color));
        self.rect(class, self.left, self.top, self.size, &fill.unwrap_or_default());
        let middle = self.left + self.size.x / 2.0;
        let mut y = self.top + PADDING / 2.0;
        self.text("class", middle, y, &text.marked_title());
        if text.rows.is_empty() {
            return;
        }
        let line = self.top + PADDING + SMALL_LINE;
        let (left, line, right) = (shown(self.left), shown(line), shown(self.left + self.size.x));
        let _ = writeln!(
            self.elements,
            "<path class=\"rule\" d=\"M {left} {line} L {right} {line}\"/>"
        );
        y += PADDING + SMALL_LINE;
        for row in &text.rows {
            match row {
                BoxRow::Line(line) => self.text("field", self.left + PADDING, y, line),
                BoxRow::Cells(cells) => self.cells(y, cells),
            }
            y += row.height();
        }
    }

    fn cells(&mut self, y: f64, cells: &[ArrayCell]) {
        let mut x = self.left + PADDING;
        for cell in cells {
            let middle = x + cell.width() / 2.0;
            self.text("index", middle, y, &cell.head);
            let size = Point::new(cell.width(), SMALL_LINE + 2.0);
            self.rect("cell", x, y + SMALL_LINE, size, "");
            self.text("value", middle, y + SMALL_LINE + 1.0, &cell.text);
            x += cell.width();
        }
    }

    fn rect(&mut self, class: &str, x: f64, y: f64, size: Point, style: &str) {
        let (x, y, width, height) = (shown(x), shown(y), shown(size.x), shown(size.y));
        let _ = writeln!(
            self.elements,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{style}/>"
        );
    }

    /// Writes a line whose top is at `y`.
    fn text(&mut self, class: &str, x: f64, y: f64, text: &str) {
        let color = self.fill.map(|fill| format!(" style=\"fill:{}\"", fill.text));
        let (x, y) = (shown(x), shown(y + SMALL_LINE / 2.0 + BASELINE));
        let (color, text) = (color.unwrap_or_default(), escape(text));
        let _ = writeln!(
            self.elements,
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\"{color}>{text}</text>"
        );
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
        if let Some(title) = self.caption.first() {
            let _ = writeln!(body, "<title>{}</title>", escape(title));
        }
        let _ = writeln!(body, "<desc>{}</desc>", escape(&self.drawing.description));
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

    /// The factor by which a page could be enlarged.
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
    let title = match cells {
        [one] => one.caption.first().cloned().unwrap_or_default(),
        all => format!("{} pictures", all.len()),
    };
    let captions: Vec<&str> =
        cells.iter().filter_map(|cell| cell.caption.first().map(String::as_str)).collect();
    let description = match cells {
        [one] => one.drawing.description.clone(),
        _ => captions.join("; "),
    };
    let names =
        format!("<title>{}</title>\n<desc>{}</desc>\n", escape(&title), escape(&description));
    document(grid.size(), scale, &names, &body)
}

/// The colours have names, so that a page around the picture can have its own.
const STYLE: &str = "\
:root { --back: #fff; --text: #1b1b1b; --dim: #555; --line: #595959; --box: #fff; --rule: #949494; --new: #c9ecd2; --gone: #f6d0d0; --changed: #ffe39a; }
@media (prefers-color-scheme: dark) { :root { --back: #16181c; --text: #e8e8e8; --dim: #b0b0b0; --line: #a8a8a8; --box: #23262c; --rule: #7a7f88; --new: #1f4d2d; --gone: #5c2626; --changed: #5a4500; } }
text { font: 12px monospace; fill: var(--text); }
";

/// The style of all pictures, on pages too.
pub(crate) const PICTURE_STYLE: &str = "\
svg .class, svg .field, svg .label, svg .value { font-size: 11px; }
svg .class, svg .label, svg .index, svg .value { text-anchor: middle; }
svg .index { font-size: 10px; fill: var(--dim); }
svg .class { font-weight: bold; }
svg .label { paint-order: stroke; stroke: var(--back); stroke-width: 3px; }
svg .object { fill: var(--box); stroke: var(--line); }
svg .new { fill: var(--new); stroke-width: 2.5; }
svg .gone { fill: var(--gone); stroke-dasharray: 4 3; }
svg .changed { fill: var(--changed); stroke-width: 2.5; }
svg .cell { fill: none; stroke: var(--rule); }
svg .rule { fill: none; stroke: var(--rule); }
svg .edge { fill: none; stroke: var(--line); }
svg .redirected { stroke: var(--text); stroke-width: 2; }
#head polygon { fill: var(--line); }
";

fn document(size: Point, scale: f64, names: &str, body: &str) -> String {
    let (width, height) = (shown(size.x), shown(size.y));
    let (shown_width, shown_height) = (shown(size.x * scale), shown(size.y * scale));
    format!(
        r##"<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<svg width="{shown_width}" height="{shown_height}" viewBox="0 0 {width} {height}" role="img" xmlns="http://www.w3.org/2000/svg">
{names}<defs>
<marker id="head" markerUnits="userSpaceOnUse" markerWidth="10" markerHeight="7" refX="10" refY="3.5" orient="auto-start-reverse">
<polygon points="0 0, 10 3.5, 0 7"/>
</marker>
</defs>
<style>
{STYLE}{PICTURE_STYLE}.title {{ font-weight: bold; }}
</style>
<rect width="{width}" height="{height}" style="fill: var(--back)"/>
{body}</svg>
"##
    )
}

/// Text as it stands in SVG and HTML.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
