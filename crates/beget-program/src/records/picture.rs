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
use crate::records::diagram::{ChangeMarks, Diagram};
use crate::records::objects_of;
use crate::records::svg::{Cell, Drawing, page};

/// The most objects of a structure that is laid out: the layout's time grows too fast beyond.
pub const MOST_OBJECTS: usize = 200;

/// A structure with what is said about it.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Its number in errors.
    number: u64,
    heap: HeapGraph,
    /// The fill of each object; none if nothing is coloured.
    fills: Vec<Option<BoxColor>>,
    marks: ChangeMarks,
    /// The first line names the structure, the others are its recipe.
    caption: Vec<String>,
}

impl Picture {
    /// The picture of structure `id`.
    ///
    /// # Errors
    /// If the structure cannot be reconstructed, or the store cannot read it.
    pub fn of<S: Store>(corpus: &Corpus<S>, id: StructureId) -> Result<Picture, EmitError> {
        let heap = corpus.graph(id)?.ok_or(EmitError::NotReconstructed(id.number()))?;
        let suite = &corpus.plan.suite;
        let recipe = corpus.recipe(id)?;
        let (ty, calls) = (suite.types[corpus.type_of(id)?.index()].name, recipe.n_calls());
        let plural = if calls == 1 { "" } else { "s" };
        let title = format!("{ty} {}: {calls} call{plural}", id.number());
        // The recipe names the keys that the structure has issued, and so do their boxes.
        let keys: Vec<_> = heap.beside().iter().map(|value| (value.kind, value.number)).collect();
        let (source, names) = to_source_with_keys(suite, &recipe, &keys);
        let name = |value: &BesideValue| {
            let is_named = |key: &(usize, usize)| *key == (value.kind, value.number);
            names.get(keys.iter().position(is_named)?).cloned()
        };
        let heap = heap.with_variables(name);
        let caption = std::iter::once(title).chain(source.lines().map(str::to_owned)).collect();
        Ok(Picture::of_heap(id.number(), heap, caption))
    }

    /// The picture of a heap that is in no corpus; `number` is what errors call it. The first line
    /// of the caption stands out.
    pub fn of_heap(number: u64, heap: HeapGraph, caption: Vec<String>) -> Picture {
        Picture { number, heap, fills: Vec::new(), marks: ChangeMarks::default(), caption }
    }
}

impl Picture {
    /// The picture with signs for what a call has done.
    pub(crate) fn with_marks(self, marks: ChangeMarks) -> Picture {
        Picture { marks, ..self }
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
    let captions: Vec<Vec<String>> = pictures.iter().map(|it| folded(&it.caption)).collect();
    let drawings: Result<Vec<Drawing>, _> = pictures.iter().map(draw).collect();
    let cells = drawings?.into_iter().zip(&captions);
    let cells: Vec<Cell<'_>> = cells.map(|(drawing, caption)| Cell { drawing, caption }).collect();
    Ok(page(&cells))
}

fn draw(picture: &Picture) -> Result<Drawing, EmitError> {
    let (id, objects) = (picture.number, picture.heap.objects().len());
    if objects > MOST_OBJECTS {
        return Err(EmitError::TooLarge { id, objects, most: MOST_OBJECTS });
    }
    let mut diagram = Diagram::of(&objects_of(&picture.heap), &picture.marks);
    for (text, object) in diagram.boxes.iter_mut().zip(picture.heap.objects()) {
        if let Some(variable) = &object.variable {
            text.title = format!("{variable} = {}", text.title);
        }
    }
    Ok(Drawing::of(&diagram, &picture.fills))
}

/// The most lines of a caption.
const MOST_LINES: usize = 20;

/// A caption that fits below a picture: equal lines in a row are one with their count, and of many
/// lines those in the middle are counted.
fn folded(caption: &[String]) -> Vec<String> {
    let mut lines: Vec<(&str, usize)> = Vec::new();
    for line in caption {
        match lines.last_mut() {
            Some((last, count)) if *last == line => *count += 1,
            _ => lines.push((line, 1)),
        }
    }
    let shown = |&(line, count): &(&str, usize)| match count {
        1 => line.to_owned(),
        n => format!("{line} // {n} times"),
    };
    if lines.len() <= MOST_LINES {
        return lines.iter().map(shown).collect();
    }
    let (first, last) = (MOST_LINES / 2, MOST_LINES - MOST_LINES / 2 - 1);
    let middle = &lines[first..lines.len() - last];
    let n_calls: usize = middle.iter().map(|line| line.1).sum();
    let fold = format!("// ... {n_calls} more calls");
    let (before, after) = (&lines[..first], &lines[lines.len() - last..]);
    before.iter().map(shown).chain([fold]).chain(after.iter().map(shown)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_recipe_is_folded_with_counts() {
        let mut caption = vec!["Counter 9: 9 calls".to_owned(), "new".to_owned()];
        caption.extend(std::iter::repeat_n("increment".to_owned(), 8));
        let short = ["Counter 9: 9 calls", "new", "increment // 8 times"];
        assert_eq!(folded(&caption), short);
        let caption: Vec<String> = (0..100).map(|line| line.to_string()).collect();
        let folded = folded(&caption);
        assert_eq!(folded.len(), MOST_LINES);
        assert_eq!((folded[9].as_str(), folded[11].as_str()), ("9", "91"));
        assert_eq!(folded[10], "// ... 81 more calls");
    }
}
