//! A heap as a figure of a page: from its record, so that what was written in a file can be drawn.

use std::collections::BTreeSet;

use beget_heap::graph::Reference;

use crate::records::color::BoxColor;
use crate::records::heap::FieldRecord;
use crate::records::picture::MOST_OBJECTS;
use crate::records::svg::{BoxText, Drawing};
use crate::records::{ChangeRecord, ObjectRecord};

/// The most lines of a box; a record with more fields shows how many it leaves out.
const MOST_LINES: usize = 12;

/// The picture of a heap as an SVG element with `title` as its name, in the style of the page
/// around it. `None` if it has more objects than are laid out.
pub(crate) fn figure(
    objects: &[ObjectRecord],
    title: &str,
    changed: &BTreeSet<usize>,
) -> Option<String> {
    if objects.is_empty() || objects.len() > MOST_OBJECTS {
        return None;
    }
    let texts: Vec<BoxText> = objects.iter().map(box_text).collect();
    let links: Vec<Reference> = objects.iter().flat_map(links_of).collect();
    let is_known = |link: &Reference| link.from < objects.len() && link.to < objects.len();
    let links: Vec<Reference> = links.into_iter().filter(is_known).collect();
    let fill = |number| changed.contains(&number).then_some(BoxColor::CHANGED);
    let fills: Vec<Option<BoxColor>> = (0..objects.len()).map(fill).collect();
    Some(Drawing::of_boxes(&texts, &links, &fills).to_figure(title))
}

/// The objects that changes of one structure name.
pub(crate) fn changed_objects(changes: &[ChangeRecord], variable: Option<&str>) -> BTreeSet<usize> {
    let is_of = |change: &&ChangeRecord| Some(change.variable.as_str()) == variable;
    let is_there = |change: &&ChangeRecord| change.field.is_some() || change.after.is_some();
    changes.iter().filter(is_of).filter(is_there).map(|change| change.object).collect()
}

fn box_text(object: &ObjectRecord) -> BoxText {
    let values = object.fields.iter().filter(|(_, value)| !is_link(value));
    let mut lines: Vec<String> = values
        .map(|(path, value)| match path.as_str() {
            "self" => shown(value),
            path => format!("{path} = {}", shown(value)),
        })
        .collect();
    if lines.len() > MOST_LINES {
        let more = lines.len() - (MOST_LINES - 1);
        lines.truncate(MOST_LINES - 1);
        lines.push(format!("... {more} more"));
    }
    let class = object.class.rsplit("::").next().unwrap_or(&object.class);
    BoxText { title: format!("{class}#{}", object.object), lines }
}

fn is_link(value: &FieldRecord) -> bool {
    match value {
        FieldRecord::Reference { .. } => true,
        FieldRecord::Some { some } => is_link(some),
        FieldRecord::Parts(parts) => parts.iter().any(is_link),
        _ => false,
    }
}

fn links_of(object: &ObjectRecord) -> Vec<Reference> {
    let mut links = Vec::new();
    for (path, value) in &object.fields {
        add_links(object.object, path, value, &mut links);
    }
    links
}

fn add_links(from: usize, path: &str, value: &FieldRecord, links: &mut Vec<Reference>) {
    match value {
        FieldRecord::Reference { object } => {
            let path = if path == "self" { "" } else { path };
            links.push(Reference { from, to: *object, path: path.to_owned() });
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
        FieldRecord::Parts(parts) => parts.iter().map(shown).collect::<Vec<_>>().join(" "),
        FieldRecord::Null => "None".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(number: usize, fields: &[(&str, FieldRecord)]) -> ObjectRecord {
        let fields = fields.iter().map(|(path, value)| ((*path).to_owned(), value.clone()));
        ObjectRecord { object: number, class: "list::Node".to_owned(), fields: fields.collect() }
    }

    #[test]
    fn a_figure_has_a_box_for_each_object_and_an_arrow_for_each_reference() {
        let next = FieldRecord::Reference { object: 1 };
        let objects = [
            node(0, &[("next", next), ("value", FieldRecord::Text("<a>".to_owned()))]),
            node(1, &[("next", FieldRecord::Null)]),
        ];
        let svg = figure(&objects, "a & b", &BTreeSet::from([1])).unwrap();
        assert_eq!(svg.matches("<rect class=\"object").count(), 2);
        assert_eq!(svg.matches("var(--changed)").count(), 1);
        assert_eq!(svg.matches("marker-end").count(), 1, "{svg}");
        assert!(svg.contains("<title>a &amp; b</title>"), "{svg}");
        assert!(svg.contains("value = &lt;a&gt;") && svg.contains("next = None"), "{svg}");
        assert!(svg.contains("Node#1") && !svg.contains("list::Node"), "{svg}");
    }

    #[test]
    fn a_heap_that_is_too_large_has_no_figure() {
        let objects: Vec<_> = (0..=MOST_OBJECTS).map(|number| node(number, &[])).collect();
        assert_eq!(figure(&objects, "large", &BTreeSet::new()), None);
        assert_eq!(figure(&[], "empty", &BTreeSet::new()), None);
    }
}
