//! A heap as a figure of a page.

use crate::records::ObjectRecord;
use crate::records::diagram::{ChangeMarks, Diagram};
use crate::records::picture::MOST_OBJECTS;
use crate::records::svg::Drawing;

/// The picture of a heap as an SVG element with `title` as its name, in the style of the page
/// around it. `None` if it has more objects than are laid out.
pub(crate) fn figure(objects: &[ObjectRecord], title: &str, marks: &ChangeMarks) -> Option<String> {
    if objects.is_empty() || objects.len() > MOST_OBJECTS {
        return None;
    }
    Some(Drawing::of(&Diagram::of(objects, marks), &[]).to_figure(title))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::FieldRecord;
    use crate::records::diagram::ChangeMark;

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
        let objects_marked = [(1, ChangeMark::Changed)].into();
        let marks = ChangeMarks { objects: objects_marked, ..ChangeMarks::default() };
        let svg = figure(&objects, "a & b", &marks).unwrap();
        assert_eq!(svg.matches("<rect class=\"object").count(), 2);
        assert_eq!(svg.matches("<rect class=\"object changed\"").count(), 1);
        assert_eq!(svg.matches("marker-end").count(), 1, "{svg}");
        assert!(svg.contains("<title>a &amp; b</title>"), "{svg}");
        assert!(svg.contains("<desc>Node#0: value = &lt;a&gt;, next to Node#1."), "{svg}");
        assert!(svg.contains("value = &lt;a&gt;") && svg.contains("next = None"), "{svg}");
        assert!(svg.contains("~ Node#1") && !svg.contains("list::Node"), "{svg}");
    }

    #[test]
    fn a_heap_that_is_too_large_has_no_figure() {
        let objects: Vec<_> = (0..=MOST_OBJECTS).map(|number| node(number, &[])).collect();
        assert_eq!(figure(&objects, "large", &ChangeMarks::default()), None);
        assert_eq!(figure(&[], "empty", &ChangeMarks::default()), None);
    }
}
