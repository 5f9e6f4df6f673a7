//! Pictures of structures: SVG laid out here, DOT for other programs, and text.

use std::fmt::Write as _;

use beget_engine::Corpus;
use beget_engine::store::{Store, StructureId};
use beget_heap::HeapGraph;
use beget_suite::to_source;
use layout::backends::svg::SVGWriter;
use layout::gv::{DotParser, GraphBuilder};

use crate::EmitError;

/// The most objects of a structure that is laid out: the layout's time grows too fast beyond.
pub const MOST_OBJECTS: usize = 200;

/// A structure with what is said about it.
#[derive(Clone, Debug)]
pub struct Picture {
    id: StructureId,
    heap: HeapGraph,
    /// The first line names the structure, the others are its recipe.
    caption: Vec<String>,
}

impl Picture {
    /// The picture of structure `id`.
    ///
    /// # Errors
    /// If the structure cannot be made again.
    pub fn of<S: Store>(corpus: &Corpus<S>, id: StructureId) -> Result<Picture, EmitError> {
        let heap = corpus.graph(id).ok_or(EmitError::NotMade(id.0))?;
        let suite = &corpus.plan.suite;
        let recipe = corpus.recipe(id);
        let (ty, calls) = (suite.types[corpus.type_of(id).0].name, recipe.n_calls());
        let plural = if calls == 1 { "" } else { "s" };
        let title = format!("{ty} {}: {calls} call{plural}", id.0);
        let (source, _) = to_source(suite, &recipe);
        let caption = std::iter::once(title).chain(source.lines().map(str::to_owned)).collect();
        Ok(Picture { id, heap, caption })
    }
}

/// The pictures as text: caption and objects.
pub fn to_text(pictures: &[Picture]) -> String {
    let mut text = String::new();
    for (index, picture) in pictures.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        let _ = writeln!(text, "{}", picture.caption[0]);
        for line in &picture.caption[1..] {
            let _ = writeln!(text, "    {line}");
        }
        text.push_str(&picture.heap.to_text());
    }
    text
}

/// The pictures as graphs in the DOT language, one after another, captions as comments.
pub fn to_dot(pictures: &[Picture]) -> String {
    let mut dot = String::new();
    for picture in pictures {
        for line in &picture.caption {
            let _ = writeln!(dot, "// {line}");
        }
        dot.push_str(&picture.heap.to_dot());
    }
    dot
}

/// The pictures in one SVG: a grid, each with its caption below.
///
/// # Errors
/// If a structure has more than [`MOST_OBJECTS`] objects.
pub fn to_svg(pictures: &[Picture]) -> Result<String, EmitError> {
    let drawn = pictures.iter().enumerate().map(|(index, picture)| Cell::draw(index, picture));
    Ok(grid(&drawn.collect::<Result<Vec<_>, _>>()?))
}

const GAP: f64 = 24.0;
const LINE: f64 = 16.0;
/// The width of a character of the captions' font, about.
const CHARACTER: f64 = 7.3;

/// A drawing with its measures, which the caption is part of.
struct Cell<'p> {
    drawing: String,
    caption: &'p [String],
    /// Width and height of the drawing.
    drawn: (f64, f64),
}

impl<'p> Cell<'p> {
    fn draw(index: usize, picture: &'p Picture) -> Result<Cell<'p>, EmitError> {
        let (id, objects) = (picture.id.0, picture.heap.graph().node_count());
        if objects > MOST_OBJECTS {
            return Err(EmitError::TooLarge { id, objects, most: MOST_OBJECTS });
        }
        let refused = |reason: String| EmitError::Layout { id, reason };
        let graph = DotParser::new(&picture.heap.to_dot()).process().map_err(refused)?;
        let mut builder = GraphBuilder::new();
        builder.visit_graph(&graph);
        let mut svg = SVGWriter::new();
        builder.get().do_it(false, false, false, &mut svg);
        let drawing = svg.finalize();
        let size = size_of(&drawing);
        let drawn = size.ok_or_else(|| refused("the drawing has no size".to_owned()))?;
        Ok(Cell { drawing: embedded(&drawing, index), caption: &picture.caption, drawn })
    }

    fn width(&self) -> f64 {
        let longest = self.caption.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        self.drawn.0.max(longest as f64 * CHARACTER) + GAP
    }

    fn height(&self) -> f64 {
        self.drawn.1 + (self.caption.len() as f64 + 1.0) * LINE + GAP
    }
}

/// The text of attribute `name` of the outermost element.
fn attribute<'s>(svg: &'s str, name: &str) -> Option<&'s str> {
    let (_, element) = svg.split_once("<svg")?;
    let (_, value) = element.split_once(&format!("{name}=\""))?;
    value.split_once('"').map(|(value, _)| value)
}

fn size_of(svg: &str) -> Option<(f64, f64)> {
    Some((attribute(svg, "width")?.parse().ok()?, attribute(svg, "height")?.parse().ok()?))
}

/// A drawing without its XML header, with names that no other drawing of the grid has.
fn embedded(svg: &str, index: usize) -> String {
    let element = svg.find("<svg").map_or(svg, |start| &svg[start..]);
    ["arrow", "C"].iter().fold(element.to_owned(), |svg, name| {
        svg.replace(&format!("id=\"{name}"), &format!("id=\"p{index}-{name}"))
            .replace(&format!("\"#{name}"), &format!("\"#p{index}-{name}"))
            .replace(&format!("url(#{name}"), &format!("url(#p{index}-{name}"))
    })
}

fn grid(cells: &[Cell<'_>]) -> String {
    let columns = (cells.len() as f64).sqrt().ceil().max(1.0) as usize;
    let rows: Vec<&[Cell<'_>]> = cells.chunks(columns).collect();
    let widths: Vec<f64> = (0..columns)
        .map(|column| {
            rows.iter().filter_map(|row| row.get(column)).map(Cell::width).fold(0.0, f64::max)
        })
        .collect();
    let mut body = String::new();
    let mut y = GAP;
    for row in rows {
        let mut x = GAP;
        for (cell, width) in row.iter().zip(&widths) {
            place(&mut body, cell, x, y);
            x += width;
        }
        y += row.iter().map(Cell::height).fold(0.0, f64::max);
    }
    let width = widths.iter().sum::<f64>() + GAP;
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
         <svg width=\"{width}\" height=\"{y}\" viewBox=\"0 0 {width} {y}\" \
         xmlns=\"http://www.w3.org/2000/svg\">\n\
         <style>.caption {{ font: 12px monospace; }} .title {{ font-weight: bold; }}</style>\n\
         <rect width=\"{width}\" height=\"{y}\" fill=\"white\"/>\n{body}</svg>\n"
    )
}

fn place(body: &mut String, cell: &Cell<'_>, x: f64, y: f64) {
    let positioned = cell.drawing.replacen("<svg", &format!("<svg x=\"{x}\" y=\"{y}\""), 1);
    let _ = writeln!(body, "{positioned}");
    for (index, line) in cell.caption.iter().enumerate() {
        let class = if index == 0 { "caption title" } else { "caption" };
        let baseline = y + cell.drawn.1 + (index as f64 + 1.0) * LINE;
        let line = escape(line);
        let _ = writeln!(body, "<text class=\"{class}\" x=\"{x}\" y=\"{baseline}\">{line}</text>");
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
