//! A heap as boxes with text, before they have places.
//!
//! It is made from the records of a heap, so that structures read from a file are drawn like those
//! just built.

use std::collections::{BTreeMap, BTreeSet};

use beget_heap::graph::short_type;
use layout::core::geometry::Point;

use crate::records::layout::{BoxLink, BoxNode};
use crate::records::{ChangeRecord, FieldRecord, ObjectRecord};

/// The height of a line in a box, and of a label.
pub(crate) const SMALL_LINE: f64 = 14.0;
/// The width of a character there, about.
pub(crate) const SMALL_CHARACTER: f64 = 6.7;
/// Between the side of a box and its text.
pub(crate) const PADDING: f64 = 6.0;
/// Between the side of a cell and its text.
const CELL_PADDING: f64 = 4.0;

/// The most lines of a box; further fields are counted, not shown.
const MOST_LINES: usize = 12;
/// The most cells of an array.
const MOST_CELLS: usize = 16;
/// The longest element shown as a cell; longer ones are lines.
const LONGEST_CELL: usize = 22;

/// Boxes, and the references between them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Diagram {
    pub(crate) boxes: Vec<BoxText>,
    pub(crate) links: Vec<BoxLink>,
}

/// The text of a box.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoxText {
    pub(crate) title: String,
    pub(crate) rows: Vec<BoxRow>,
    pub(crate) mark: Option<ChangeMark>,
    class: String,
    empty_fields: Vec<String>,
}

/// A part of a box, from its left side to its right.
#[derive(Clone, Debug)]
pub(crate) enum BoxRow {
    /// One line.
    Line(String),
    /// The elements of an array side by side.
    Cells(Vec<ArrayCell>),
}

/// An element of an array.
#[derive(Clone, Debug)]
pub(crate) struct ArrayCell {
    /// Its index, or the number of omitted elements.
    pub(crate) head: String,
    pub(crate) text: String,
}

/// The effect of a call on an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChangeMark {
    New,
    Gone,
    Changed,
}

/// The effects of a call, by the numbers of objects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ChangeMarks {
    pub(crate) objects: BTreeMap<usize, ChangeMark>,
    /// Fields with another value than before, by path.
    pub(crate) fields: BTreeSet<(usize, String)>,
}

impl Diagram {
    /// The heap with these objects.
    pub(crate) fn of(objects: &[ObjectRecord], marks: &ChangeMarks) -> Diagram {
        let mut diagram = Diagram::default();
        for object in objects {
            let (mut text, links) = box_of(object, marks);
            text.mark = marks.objects.get(&object.object).copied();
            diagram.boxes.push(text);
            diagram.links.extend(links.into_iter().filter(|link| link.to < objects.len()));
        }
        diagram
    }

    pub(crate) fn nodes(&self) -> Vec<BoxNode> {
        let node = |text: &BoxText| BoxNode {
            size: text.size(),
            class: text.class.clone(),
            empty_fields: text.empty_fields.clone(),
        };
        self.boxes.iter().map(node).collect()
    }

    /// The boxes in words, for readers who cannot see them.
    pub(crate) fn description(&self) -> String {
        const LONGEST: usize = 1200;
        let mut text = String::new();
        for (number, object) in self.boxes.iter().enumerate() {
            if text.len() > LONGEST {
                text.push_str(&format!(" ... and {} more objects.", self.boxes.len() - number));
                break;
            }
            let of_object = self.links.iter().filter(|link| link.from == number);
            let links =
                of_object.map(|link| format!("{} to {}", link.label, self.boxes[link.to].title));
            let parts: Vec<String> = object.rows.iter().map(BoxRow::to_text).chain(links).collect();
            let space = if text.is_empty() { "" } else { " " };
            text.push_str(&format!("{space}{}: {}.", object.title, parts.join(", ").trim()));
        }
        text
    }
}

impl BoxRow {
    fn to_text(&self) -> String {
        match self {
            BoxRow::Line(line) => line.clone(),
            BoxRow::Cells(cells) => {
                let cells: Vec<&str> = cells.iter().map(|cell| cell.text.as_str()).collect();
                format!("[{}]", cells.join(", "))
            }
        }
    }

    pub(crate) fn height(&self) -> f64 {
        match self {
            BoxRow::Line(_) => SMALL_LINE,
            BoxRow::Cells(_) => 2.0 * SMALL_LINE + PADDING,
        }
    }

    fn width(&self) -> f64 {
        match self {
            BoxRow::Line(line) => width_of(line),
            BoxRow::Cells(cells) => cells.iter().map(ArrayCell::width).sum(),
        }
    }
}

impl ArrayCell {
    pub(crate) fn width(&self) -> f64 {
        width_of(&self.head).max(width_of(&self.text)) + 2.0 * CELL_PADDING
    }
}

impl BoxText {
    pub(crate) fn new(title: String, lines: Vec<String>) -> BoxText {
        BoxText { title, rows: lines.into_iter().map(BoxRow::Line).collect(), ..BoxText::default() }
    }

    /// The title with a sign for the change of the object.
    pub(crate) fn marked_title(&self) -> String {
        let sign = match self.mark {
            None => return self.title.clone(),
            Some(ChangeMark::New) => '+',
            Some(ChangeMark::Gone) => '-',
            Some(ChangeMark::Changed) => '~',
        };
        format!("{sign} {}", self.title)
    }

    fn size(&self) -> Point {
        let widths = self.rows.iter().map(BoxRow::width);
        let longest = widths.fold(width_of(&self.marked_title()), f64::max);
        let inner = if self.rows.is_empty() { 0.0 } else { PADDING };
        let rows: f64 = self.rows.iter().map(BoxRow::height).sum();
        Point::new(longest + 2.0 * PADDING, rows + SMALL_LINE + PADDING + inner)
    }
}

fn width_of(text: &str) -> f64 {
    text.chars().count() as f64 * SMALL_CHARACTER
}

/// The objects that changes of one structure name. Those that are gone have numbers before the
/// call, all others have numbers after it.
pub(crate) fn marks_of(
    changes: &[ChangeRecord],
    variable: Option<&str>,
    is_before: bool,
) -> ChangeMarks {
    let of_variable = changes.iter().filter(|change| Some(change.variable.as_str()) == variable);
    let mut marks = ChangeMarks::default();
    for change in of_variable {
        let (object, field) = (change.object, change.field.as_ref());
        match (field, &change.before, is_before) {
            (None, Some(_), true) => {
                marks.objects.insert(object, ChangeMark::Gone);
            }
            (None, None, false) => {
                marks.objects.insert(object, ChangeMark::New);
            }
            (Some(field), _, false) => {
                marks.objects.entry(object).or_insert(ChangeMark::Changed);
                marks.fields.insert((object, field.clone()));
            }
            _ => {}
        }
    }
    marks
}

/// The text of a box, and the references that leave it.
fn box_of(object: &ObjectRecord, marks: &ChangeMarks) -> (BoxText, Vec<BoxLink>) {
    let is_changed = |path: &str| marks.fields.contains(&(object.object, path.to_owned()));
    let mut text = BoxText {
        title: format!("{}#{}", short_type(&object.class), object.object),
        class: object.class.clone(),
        ..BoxText::default()
    };
    let mut links = Vec::new();
    let mut fields: Vec<(&str, &FieldRecord)> =
        object.fields.iter().map(|(path, value)| (path.as_str(), value)).collect();
    fields.sort_by_key(|(path, _)| natural(path));
    for array in arrays_of(object) {
        let (inside, others) = fields.into_iter().partition(|(path, _)| array.has(path));
        fields = others;
        array.add_to(&mut text, &mut links, object.object, inside);
    }
    let mut lines = Vec::new();
    for (path, value) in fields {
        add_links(object.object, path, value, &mut links);
        if *value == FieldRecord::Null {
            text.empty_fields.push(path.to_owned());
        }
        if !is_link(value) {
            let sign = if is_changed(path) { "~ " } else { "" };
            lines.push(match path {
                "self" => shown(value),
                path => format!("{sign}{path} = {}", shown(value)),
            });
        }
    }
    if lines.len() > MOST_LINES {
        let more = lines.len() - (MOST_LINES - 1);
        lines.truncate(MOST_LINES - 1);
        lines.push(format!("... {more} more"));
    }
    text.rows.splice(0..0, lines.into_iter().map(BoxRow::Line));
    links.iter_mut().for_each(|link| link.is_changed = is_changed(&link.label));
    (text, links)
}

/// Text in which numbers count as such.
fn natural(path: &str) -> Vec<(u64, &str)> {
    path.split('.').map(|part| (part.parse().map_or(0, |number: u64| number + 1), part)).collect()
}

/// An array of an object: the path before the indices of its elements.
struct ArrayField {
    prefix: String,
    length: String,
}

fn arrays_of(object: &ObjectRecord) -> Vec<ArrayField> {
    let lengths = object.fields.keys().filter(|path| *path == "len" || path.ends_with(".len"));
    let array = |path: &String| ArrayField {
        prefix: path.strip_suffix("len").unwrap_or_default().to_owned(),
        length: path.clone(),
    };
    let has_elements = |array: &ArrayField| {
        object.fields[&array.length] == FieldRecord::Int(0)
            || object.fields.keys().any(|path| array.index(path).is_some())
    };
    lengths.map(array).filter(has_elements).collect()
}

impl ArrayField {
    /// The index and the rest of the path of an element.
    fn index<'p>(&self, path: &'p str) -> Option<(usize, &'p str)> {
        let rest = path.strip_prefix(&self.prefix)?;
        let (index, rest) = rest.split_once('.').unwrap_or((rest, ""));
        Some((index.parse().ok()?, rest))
    }

    fn has(&self, path: &str) -> bool {
        path == self.length || self.index(path).is_some()
    }

    fn add_to(
        &self,
        text: &mut BoxText,
        links: &mut Vec<BoxLink>,
        object: usize,
        fields: Vec<(&str, &FieldRecord)>,
    ) {
        let mut elements = BTreeMap::<usize, Vec<(&str, &FieldRecord)>>::new();
        for &(path, value) in &fields {
            if let Some((index, rest)) = self.index(path) {
                elements.entry(index).or_default().push((rest, value));
            }
        }
        let name = self.prefix.trim_end_matches('.');
        if elements.is_empty() {
            let empty = if name.is_empty() { "empty".to_owned() } else { format!("{name} = []") };
            return text.rows.push(BoxRow::Line(empty));
        }
        if !name.is_empty() {
            text.rows.push(BoxRow::Line(format!("{name} =")));
        }
        let shown: Vec<(usize, String)> =
            elements.iter().map(|(&index, parts)| (index, element(parts))).collect();
        let is_short = shown.iter().all(|(_, text)| text.chars().count() <= LONGEST_CELL);
        let first = links.len();
        for &(path, value) in &fields {
            add_links(object, path, value, links);
        }
        if !is_short {
            let n_more = shown.len().saturating_sub(MOST_LINES);
            let line = |(index, text): &(usize, String)| BoxRow::Line(format!("{index} = {text}"));
            text.rows.extend(shown.iter().take(MOST_LINES).map(line));
            if n_more > 0 {
                text.rows.push(BoxRow::Line(format!("... {n_more} more")));
            }
            return;
        }
        let mut cells: Vec<ArrayCell> = shown
            .into_iter()
            .map(|(index, text)| ArrayCell { head: index.to_string(), text })
            .collect();
        if cells.len() > MOST_CELLS {
            let more = cells.len() - (MOST_CELLS - 1);
            cells.truncate(MOST_CELLS - 1);
            cells.push(ArrayCell { head: "...".to_owned(), text: format!("{more} more") });
        }
        let indices: Vec<usize> = elements.keys().copied().collect();
        for link in &mut links[first..] {
            let Some((index, _)) = self.index(&link.label) else { continue };
            let place = indices.binary_search(&index).unwrap_or(0).min(cells.len() - 1);
            let before: f64 = cells[..place].iter().map(ArrayCell::width).sum();
            link.port = Some(PADDING + before + cells[place].width() / 2.0);
        }
        text.rows.push(BoxRow::Cells(cells));
    }
}

/// An element of an array in one cell.
fn element(parts: &[(&str, &FieldRecord)]) -> String {
    let value = |wanted: &str| parts.iter().find(|(path, _)| *path == wanted).map(|part| part.1);
    match parts {
        [("", one)] => shown(one),
        [_, _] if value("key").is_some() && value("value").is_some() => {
            format!("{}: {}", shown(parts[0].1), shown(parts[1].1))
        }
        _ if parts.iter().all(|(path, _)| path.parse::<usize>().is_ok()) => {
            let values: Vec<String> = parts.iter().map(|(_, value)| shown(value)).collect();
            format!("({})", values.join(", "))
        }
        _ => {
            let part = |(path, value): &(&str, &FieldRecord)| match *path {
                "" => shown(value),
                path => format!("{path} = {}", shown(value)),
            };
            parts.iter().map(part).collect::<Vec<_>>().join(", ")
        }
    }
}

fn is_link(value: &FieldRecord) -> bool {
    match value {
        FieldRecord::Reference { .. } => true,
        FieldRecord::Some { some } => is_link(some),
        FieldRecord::Parts(parts) => parts.iter().any(is_link),
        _ => false,
    }
}

fn add_links(from: usize, path: &str, value: &FieldRecord, links: &mut Vec<BoxLink>) {
    match value {
        FieldRecord::Reference { object } => {
            let label = if path == "self" { "" } else { path }.to_owned();
            links.push(BoxLink { from, to: *object, label, port: None, is_changed: false });
        }
        FieldRecord::Some { some } => add_links(from, path, some, links),
        FieldRecord::Parts(parts) => {
            parts.iter().for_each(|part| add_links(from, path, part, links));
        }
        _ => {}
    }
}

/// A value as Rust writes it.
pub(crate) fn shown(value: &FieldRecord) -> String {
    match value {
        FieldRecord::Bool(value) => value.to_string(),
        FieldRecord::Int(value) => value.to_string(),
        FieldRecord::Float(value) => format!("{value:?}"),
        FieldRecord::Text(text) => text.clone(),
        FieldRecord::Reference { object } => format!("#{object}"),
        FieldRecord::Variant { variant } => variant.clone(),
        FieldRecord::Some { some } => format!("Some({})", shown(some)),
        FieldRecord::Parts(parts) => shown_parts(parts),
        FieldRecord::Null => "None".to_owned(),
    }
}

/// Several parts as Rust writes them: the fields of a variant stand in parentheses.
fn shown_parts(parts: &[FieldRecord]) -> String {
    match parts {
        [] => String::new(),
        [one] => shown(one),
        [FieldRecord::Variant { variant }, rest @ ..] => {
            format!("{variant}({})", shown_parts(rest))
        }
        [first, rest @ ..] => format!("{} {}", shown(first), shown_parts(rest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(number: usize, fields: &[(&str, FieldRecord)]) -> ObjectRecord {
        let fields = fields.iter().map(|(path, value)| ((*path).to_owned(), value.clone()));
        ObjectRecord { object: number, class: "list::Node".to_owned(), fields: fields.collect() }
    }

    fn rows(text: &BoxText) -> Vec<String> {
        text.rows.iter().map(BoxRow::to_text).collect()
    }

    #[test]
    fn elements_are_cells_in_the_order_of_their_indices() {
        let elements: Vec<(String, FieldRecord)> =
            (0..12).map(|index| (index.to_string(), FieldRecord::Int(index))).collect();
        let mut fields: Vec<(&str, FieldRecord)> =
            elements.iter().map(|(path, value)| (path.as_str(), value.clone())).collect();
        fields.push(("len", FieldRecord::Int(12)));
        let (text, _) = box_of(&object(0, &fields), &ChangeMarks::default());
        assert_eq!(rows(&text), ["[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]"]);
        let (text, _) =
            box_of(&object(0, &[("len", FieldRecord::Int(0))]), &ChangeMarks::default());
        assert_eq!(rows(&text), ["empty"]);
    }

    #[test]
    fn pairs_and_entries_are_one_cell_each() {
        let int = FieldRecord::Int;
        let pairs = [("0.0", int(1)), ("0.1", int(2)), ("len", int(1))];
        assert_eq!(rows(&box_of(&object(0, &pairs), &ChangeMarks::default()).0), ["[(1, 2)]"]);
        let entries = [("0.key", int(1)), ("0.value", FieldRecord::Null), ("len", int(1))];
        assert_eq!(rows(&box_of(&object(0, &entries), &ChangeMarks::default()).0), ["[1: None]"]);
    }

    #[test]
    fn an_arrow_begins_at_its_cell() {
        let to = |object| FieldRecord::Reference { object };
        let fields =
            [("0", to(1)), ("1", FieldRecord::Null), ("2", to(2)), ("len", FieldRecord::Int(3))];
        let (text, links) = box_of(&object(0, &fields), &ChangeMarks::default());
        let [first, second] = &links[..] else { panic!("{links:?}") };
        assert!(first.port < second.port, "{links:?}");
        assert_eq!(rows(&text), ["[#1, None, #2]"]);
    }

    #[test]
    fn only_what_was_there_before_can_be_gone() {
        let change = |object, field: Option<&str>, before: Option<&str>| ChangeRecord {
            variable: "x".to_owned(),
            object,
            class: "Node".to_owned(),
            field: field.map(str::to_owned),
            before: before.map(str::to_owned),
            after: None,
        };
        let changes = [
            change(1, None, None),
            change(1, Some("next"), Some("null")),
            change(2, None, Some("Node")),
            change(3, Some("next"), None),
        ];
        let after = marks_of(&changes, Some("x"), false);
        assert_eq!(after.objects, BTreeMap::from([(1, ChangeMark::New), (3, ChangeMark::Changed)]));
        assert_eq!(after.fields.len(), 2);
        let before = marks_of(&changes, Some("x"), true);
        assert_eq!(before.objects, BTreeMap::from([(2, ChangeMark::Gone)]));
        assert_eq!(marks_of(&changes, Some("y"), false), ChangeMarks::default());
    }
}
