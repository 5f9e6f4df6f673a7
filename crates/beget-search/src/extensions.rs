//! Field extensions: a heap as the set of (field, source, target) triples over canonical numbers.
//!
//! The genetic builder search measures how much of a type's state space a set of methods reaches by
//! the number of distinct triples over all structures. Objects are numbered breadth first per
//! class, as in Ponzio et al., "Automatically identifying sufficient object builders from module
//! APIs" (FASE 2019), section 3.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use beget_heap::HeapGraph;
use beget_heap::graph::Value;

/// An object's class and its number within the class, breadth first from the root.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Source {
    /// The class.
    pub class: &'static str,
    /// 0 for the first object of the class met.
    pub number: usize,
}

/// The value of a field.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// A reference to an object.
    Object(Source),
    /// A primitive value, printed.
    Value(String),
}

/// One element of a field's extension.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Extension {
    /// The field's path within the source's class.
    pub field: String,
    /// The object whose field it is.
    pub source: Source,
    /// The value of the field.
    pub target: Target,
}

/// The field extensions of one heap.
pub fn field_extensions(heap: &HeapGraph) -> BTreeSet<Extension> {
    let numbers = number_breadth_first(heap);
    let mut extensions = BTreeSet::new();
    for (&object, source) in &numbers {
        let values = heap.objects()[object].values.iter();
        for (field, value) in values.filter(|(_, value)| *value != Value::Some) {
            let target = Target::Value(value.to_string());
            extensions.insert(Extension { field: field.clone(), source: source.clone(), target });
        }
    }
    for link in heap.links() {
        // All objects are reachable from the root.
        let target = Target::Object(numbers[&link.to].clone());
        let source = numbers[&link.from].clone();
        extensions.insert(Extension { field: link.path.clone(), source, target });
    }
    extensions
}

fn number_breadth_first(heap: &HeapGraph) -> BTreeMap<usize, Source> {
    let mut targets = vec![Vec::new(); heap.objects().len()];
    heap.links().iter().for_each(|link| targets[link.from].push(link.to));
    let mut next: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut numbers = BTreeMap::new();
    let mut queue = VecDeque::from([0]);
    while let Some(object) = queue.pop_front() {
        if numbers.contains_key(&object) {
            continue;
        }
        let class = heap.objects()[object].class;
        let number = next.entry(class).or_default();
        numbers.insert(object, Source { class, number: *number });
        *number += 1;
        queue.extend(&targets[object]);
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sharing_shows_as_one_target_for_two_fields() {
        let shared = std::rc::Rc::new(5_u8);
        let extensions = field_extensions(&HeapGraph::of(&(shared.clone(), shared)));
        let targets: Vec<_> = extensions.iter().map(|e| (e.field.as_str(), &e.target)).collect();
        let first = Target::Object(Source { class: "u8", number: 0 });
        let value = Target::Value("5".into());
        assert_eq!(targets, [("", &value), ("0", &first), ("1", &first)]);
    }

    #[derive(beget::Heap)]
    struct Node {
        value: u8,
        next: Option<Box<Node>>,
    }

    #[test]
    fn objects_are_numbered_by_class() {
        let last = Node { value: 0, next: None };
        let list = (1..3).fold(last, |next, value| Node { value, next: Some(Box::new(next)) });
        let extensions = field_extensions(&HeapGraph::of(&list));
        let values = extensions.iter().filter(|extension| extension.field == "value");
        let numbers: Vec<_> =
            values.map(|extension| (extension.source.number, extension.target.clone())).collect();
        let expected = [(0, "2"), (1, "1"), (2, "0")];
        assert_eq!(numbers, expected.map(|(n, text)| (n, Target::Value(text.to_owned()))));
    }
}
