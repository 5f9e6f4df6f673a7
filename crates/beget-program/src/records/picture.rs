//! Pictures of structures: SVG laid out here, DOT for other programs, and text.

use std::fmt::Write as _;

use beget_engine::Corpus;
use beget_engine::store::{Store, StructureId};
use beget_heap::HeapGraph;
use beget_heap::graph::BesideValue;
use beget_suite::to_source_with_keys;

use crate::records::EmitError;
use crate::records::color::BoxColor;
pub use crate::records::color::{ColorBy, NoColorField};
use crate::records::svg::{Cell, Drawing, page};

/// The most objects of a structure that is laid out: the layout's time grows too fast beyond.
pub const MOST_OBJECTS: usize = 200;

/// A structure with what is said about it.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Its number in errors.
    number: u32,
    heap: HeapGraph,
    /// The fill of each object; none if nothing is coloured.
    fills: Vec<Option<BoxColor>>,
    /// The first line names the structure, the others are its recipe.
    caption: Vec<String>,
}

impl Picture {
    /// The picture of structure `id`.
    ///
    /// # Errors
    /// If the structure cannot be reconstructed, or the store cannot read it.
    pub fn of<S: Store>(corpus: &Corpus<S>, id: StructureId) -> Result<Picture, EmitError> {
        let heap = corpus.graph(id)?.ok_or(EmitError::NotReconstructed(id.0))?;
        let suite = &corpus.plan.suite;
        let recipe = corpus.recipe(id)?;
        let (ty, calls) = (suite.types[corpus.type_of(id)?.0].name, recipe.n_calls());
        let plural = if calls == 1 { "" } else { "s" };
        let title = format!("{ty} {}: {calls} call{plural}", id.0);
        // The recipe names the keys that the structure has issued, and so do their boxes.
        let keys: Vec<_> = heap.beside().iter().map(|value| (value.kind, value.number)).collect();
        let (source, names) = to_source_with_keys(suite, &recipe, &keys);
        let name = |value: &BesideValue| {
            let is_named = |key: &(usize, usize)| *key == (value.kind, value.number);
            names.get(keys.iter().position(is_named)?).cloned()
        };
        let heap = heap.with_variables(name);
        let caption = std::iter::once(title).chain(source.lines().map(str::to_owned)).collect();
        Ok(Picture::of_heap(id.0, heap, caption))
    }

    /// The picture of a heap that is in no corpus; `number` is what errors call it. The first line
    /// of the caption stands out.
    pub fn of_heap(number: u32, heap: HeapGraph, caption: Vec<String>) -> Picture {
        Picture { number, heap, fills: Vec::new(), caption }
    }
}

/// Fills the boxes by the value of a field: equal values have one colour in all of the pictures.
pub fn color(pictures: &mut [Picture], by: &ColorBy) {
    let heaps: Vec<_> = pictures.iter().map(|picture| picture.heap.objects()).collect();
    let fills = by.fills(&heaps);
    for (picture, fills) in pictures.iter_mut().zip(fills) {
        picture.fills = fills;
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
        let fill = |number: usize| *picture.fills.get(number)?;
        dot.push_str(&picture.heap.to_dot_with(&|number| {
            let BoxColor { color, text } = fill(number)?;
            Some(format!("style=filled, fillcolor=\"{color}\", fontcolor={text}"))
        }));
    }
    dot
}

/// The pictures in one SVG, each with its caption below; several of them fit a page.
///
/// # Errors
/// If a structure has more than [`MOST_OBJECTS`] objects.
pub fn to_svg(pictures: &[Picture]) -> Result<String, EmitError> {
    let cells: Result<Vec<Cell<'_>>, _> = pictures.iter().map(draw).collect();
    Ok(page(&cells?))
}

fn draw(picture: &Picture) -> Result<Cell<'_>, EmitError> {
    let (id, objects) = (picture.number, picture.heap.objects().len());
    if objects > MOST_OBJECTS {
        return Err(EmitError::TooLarge { id, objects, most: MOST_OBJECTS });
    }
    Ok(Cell { drawing: Drawing::of_heap(&picture.heap, &picture.fills), caption: &picture.caption })
}
