//! The difference of two graphs of one value: before and after a call.
//!
//! Objects are matched in this order. The roots match. Objects of one class at the same address
//! match, if the walk reports addresses: it does for values that pointers lead to. All others are
//! matched along the fields: if a field of two matched objects refers to an object of one class in
//! both graphs, and neither of these is matched yet, they match. So a buffer that has moved and a
//! node that was replaced count as changed objects. The remaining objects are new, or gone.
//!
//! Both graphs must be of a value that lived on in between: otherwise addresses mean nothing. An
//! object that a call frees and another one allocated at the same address count as one object.
//! Addresses appear in no result, and changes are in the order of the walk.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::{HeapGraph, ShownField, ShownPart, Value, in_braces};

/// A change of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeapChange {
    /// The object's number in the graph after the call; that in the graph before if it is gone.
    pub object: usize,
    /// Its class.
    pub class: &'static str,
    /// The kind of change.
    pub kind: ChangeKind,
    /// The field or object before the call, if it existed. Surviving objects have their numbers of
    /// the graph after the call.
    pub before: Option<String>,
    /// The same after the call.
    pub after: Option<String>,
}

/// The kinds of change to an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// A field has changed.
    Field(String),
    /// It did not exist before.
    New,
    /// It no longer exists.
    Gone,
}

impl HeapGraph {
    /// The changes that lead from this graph to `after`, a later graph of the same value: changed
    /// objects, then new ones, then those that are gone.
    pub fn changes_to(&self, after: &HeapGraph) -> Vec<HeapChange> {
        let diff = Diff::new(self, after);
        let mut changes = Vec::new();
        for object in 0..after.objects.len() {
            if let Some(&was) = diff.earlier.get(&object) {
                diff.compare(was, object, &mut changes);
            }
        }
        let new = (0..after.objects.len()).filter(|object| !diff.earlier.contains_key(object));
        changes.extend(new.map(|object| diff.new_object(object)));
        let gone = (0..self.objects.len()).filter(|object| !diff.later.contains_key(object));
        changes.extend(gone.map(|object| diff.gone_object(object)));
        changes
    }
}

struct Diff<'g> {
    before: &'g HeapGraph,
    after: &'g HeapGraph,
    /// The numbers of the objects after the call by those before.
    later: BTreeMap<usize, usize>,
    /// The reverse.
    earlier: BTreeMap<usize, usize>,
}

impl<'g> Diff<'g> {
    fn new(before: &'g HeapGraph, after: &'g HeapGraph) -> Self {
        let (later, earlier) = (BTreeMap::new(), BTreeMap::new());
        let mut diff = Diff { before, after, later, earlier };
        diff.put(0, 0);
        diff.match_addresses();
        diff.match_fields();
        diff
    }

    fn put(&mut self, was: usize, object: usize) {
        self.later.insert(was, object);
        self.earlier.insert(object, was);
    }

    fn match_addresses(&mut self) {
        let keys = |graph: &'g HeapGraph| {
            let numbered = graph.objects.iter().zip(&graph.addresses).enumerate().skip(1);
            numbered.filter_map(|(number, (object, address))| {
                Some(((object.class, (*address)?), number))
            })
        };
        let known: BTreeMap<_, usize> = keys(self.before).collect();
        for (key, object) in keys(self.after) {
            if let Some(&was) = known.get(&key).filter(|was| !self.later.contains_key(was)) {
                self.put(was, object);
            }
        }
    }

    fn match_fields(&mut self) {
        let mut pending: Vec<(usize, usize)> =
            self.later.iter().rev().map(|(&was, &object)| (was, object)).collect();
        while let Some((was, object)) = pending.pop() {
            let links: BTreeMap<&str, usize> =
                self.before.links_of(was).map(|link| (&*link.path, link.to)).collect();
            for link in self.after.links_of(object) {
                let Some(&from) = links.get(&*link.path) else { continue };
                if self.may_match(from, link.to) {
                    self.put(from, link.to);
                    pending.push((from, link.to));
                }
            }
        }
    }

    fn may_match(&self, was: usize, object: usize) -> bool {
        let is_free = !self.later.contains_key(&was) && !self.earlier.contains_key(&object);
        is_free && self.before.objects[was].class == self.after.objects[object].class
    }

    fn compare(&self, was: usize, object: usize, changes: &mut Vec<HeapChange>) {
        let (before, after) = (self.before.fields(was), self.after.fields(object));
        let old: BTreeMap<&str, &ShownField<'_>> =
            before.iter().map(|field| (field.path, field)).collect();
        let mut change = |field: &ShownField<'_>, before: Option<String>, after: Option<String>| {
            if before != after {
                let class = self.after.objects[object].class;
                let kind = ChangeKind::Field(field.name().to_owned());
                changes.push(HeapChange { object, class, kind, before, after });
            }
        };
        for field in &after {
            let was = old.get(field.path).map(|old| self.shown_before(was, old));
            change(field, was, Some(shown_in(self.after, object, field)));
        }
        let left: BTreeSet<&str> = after.iter().map(|field| field.path).collect();
        for field in before.iter().filter(|field| !left.contains(field.path)) {
            change(field, Some(self.shown_before(was, field)), None);
        }
    }

    fn new_object(&self, object: usize) -> HeapChange {
        let fields = self.after.fields(object);
        let shown = |field: &ShownField<'_>| shown_in(self.after, object, field);
        HeapChange {
            object,
            class: self.after.objects[object].class,
            kind: ChangeKind::New,
            before: None,
            after: Some(in_braces(&fields, shown)),
        }
    }

    fn gone_object(&self, object: usize) -> HeapChange {
        let fields = self.before.fields(object);
        let shown = |field: &ShownField<'_>| self.shown_before(object, field);
        HeapChange {
            object,
            class: self.before.objects[object].class,
            kind: ChangeKind::Gone,
            before: Some(in_braces(&fields, shown)),
            after: None,
        }
    }

    /// A field before the call, with the objects' numbers after it.
    fn shown_before(&self, was: usize, field: &ShownField<'_>) -> String {
        let is_none = self.before.is_none(was, field.path);
        field.shown(|part| match part {
            ShownPart::Object(to) => match self.later.get(to) {
                Some(now) => format!("#{now}"),
                None => format!("a {} that is gone", self.before.objects[*to].class),
            },
            part => shown_part(part, is_none),
        })
    }
}

impl HeapGraph {
    /// Like [`HeapGraph::to_text`], by lines, and with `None` for an `Option` that is known to be
    /// `None`.
    pub fn lines(&self) -> Vec<String> {
        let line = |number: usize| {
            let shown = |field: &ShownField<'_>| shown_in(self, number, field);
            format!("{} {}", self.title(number), in_braces(&self.fields(number), shown))
        };
        (0..self.objects.len()).map(line).collect()
    }

    /// Returns whether a field that is declared as an `Option` holds `None`.
    pub fn is_none(&self, object: usize, path: &str) -> bool {
        self.absent.contains(&(object, path.to_owned()))
    }
}

fn shown_in(graph: &HeapGraph, object: usize, field: &ShownField<'_>) -> String {
    let is_none = graph.is_none(object, field.path);
    field.shown(|part| shown_part(part, is_none))
}

/// A part as text, with `None` for an `Option` that is `None`.
fn shown_part(part: &ShownPart<'_>, is_none: bool) -> String {
    match part {
        ShownPart::Value(Value::Null) if is_none => "None".to_owned(),
        ShownPart::NullWithin(depth) if is_none => {
            format!("{}None{}", "Some(".repeat(*depth), ")".repeat(*depth))
        }
        part => part.to_string(),
    }
}

/// One line, such as `~ Node#1 next: #2 -> None`, `+ Node#2 { value: 1 }`, `- Node#3 { value: 2 }`.
impl fmt::Display for HeapChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let HeapChange { object, class, kind, before, after } = self;
        let field = match kind {
            ChangeKind::Field(field) => format!(" {field}:"),
            ChangeKind::New | ChangeKind::Gone => String::new(),
        };
        match (before, after) {
            (Some(before), Some(after)) => {
                write!(f, "~ {class}#{object}{field} {before} -> {after}")
            }
            (None, Some(after)) => write!(f, "+ {class}#{object}{field} {after}"),
            (Some(before), None) => write!(f, "- {class}#{object}{field} {before}"),
            (None, None) => write!(f, "~ {class}#{object}{field}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::rc::Rc;

    use super::*;
    use crate::Heap;

    /// The changes that `call` makes to `value`.
    #[track_caller]
    fn check<T: Heap>(mut value: T, call: impl FnOnce(&mut T), expected: &[&str]) {
        let before = HeapGraph::of(&value);
        call(&mut value);
        let changes = before.changes_to(&HeapGraph::of(&value));
        let lines: Vec<String> = changes.iter().map(ToString::to_string).collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn an_option_that_is_known_to_be_none_is_shown_so() {
        for (part, is_none, shown) in [
            (ShownPart::Value(&Value::Null), false, "null"),
            (ShownPart::Value(&Value::Null), true, "None"),
            (ShownPart::NullWithin(2), false, "some(some(null))"),
            (ShownPart::NullWithin(2), true, "Some(Some(None))"),
            (ShownPart::Object(3), true, "#3"),
        ] {
            assert_eq!(shown_part(&part, is_none), shown);
        }
    }

    type Boxes = Vec<Box<u8>>;

    #[test]
    fn nothing_changes_where_nothing_is_done() {
        check(vec![Box::new(1_u8), Box::new(2)], |_| (), &[]);
        let shared = Rc::new(Cell::new(1_u8));
        check((shared.clone(), shared, Some(1.5)), |_| (), &[]);
    }

    #[test]
    fn an_object_that_moves_to_another_field_is_the_same_one() {
        let change = |boxes: &mut Boxes| boxes.insert(0, Box::new(7));
        let expected = [
            "~ Vec<alloc::boxed::Box<u8>>#1 length: 2 -> 3",
            "~ Vec<alloc::boxed::Box<u8>>#1 0: #3 -> #2",
            "~ Vec<alloc::boxed::Box<u8>>#1 1: #4 -> #3",
            "+ Vec<alloc::boxed::Box<u8>>#1 2: #4",
            "+ u8#2 { self: 7 }",
        ];
        check(vec![Box::new(1_u8), Box::new(2)], change, &expected);
        let change = |boxes: &mut Boxes| drop(boxes.remove(0));
        let expected = [
            "~ Vec<alloc::boxed::Box<u8>>#1 length: 2 -> 1",
            "~ Vec<alloc::boxed::Box<u8>>#1 0: a u8 that is gone -> #2",
            "- Vec<alloc::boxed::Box<u8>>#1 1: #2",
            "- u8#2 { self: 1 }",
        ];
        check(vec![Box::new(1_u8), Box::new(2)], change, &expected);
    }

    #[test]
    fn a_value_changes_in_the_object_that_holds_it() {
        let change = |boxes: &mut Boxes| *boxes[1] = 9;
        check(vec![Box::new(1_u8), Box::new(2)], change, &["~ u8#3 self: 2 -> 9"]);
        // A replaced object counts as changed.
        let replaced = |boxes: &mut Boxes| {
            let _old = std::mem::replace(&mut boxes[1], Box::new(9));
        };
        check(vec![Box::new(1_u8), Box::new(2)], replaced, &["~ u8#3 self: 2 -> 9"]);
        let change = |pair: &mut (bool, Option<Option<u8>>)| *pair = (true, Some(None));
        let class = HeapGraph::of(&(false, Some(Some(3_u8)))).objects[0].class;
        let lines =
            [format!("~ {class}#0 0: false -> true"), format!("~ {class}#0 1: 3 -> some(null)")];
        check((false, Some(Some(3))), change, &lines.each_ref().map(|line| &**line));
    }

    #[test]
    fn an_object_without_an_address_is_matched_along_the_fields() {
        let value = Rc::new(RefCell::new(vec![Box::new(1_u8)]));
        let mut before = HeapGraph::of(&value);
        before.addresses.fill(None);
        *value.borrow_mut()[0] = 2;
        value.borrow_mut().push(Box::new(3));
        let changes = before.changes_to(&HeapGraph::of(&value));
        let lines: Vec<String> = changes.iter().map(ToString::to_string).collect();
        assert!(lines.iter().any(|line| line.ends_with(" self: 1 -> 2")), "{lines:?}");
        assert!(lines.iter().any(|line| line.starts_with("+ u8#")), "{lines:?}");
        assert_eq!(changes.iter().filter(|change| change.kind == ChangeKind::New).count(), 1);
    }

    #[test]
    fn options_are_known_by_the_source_of_their_type() {
        for (ty, is) in [
            ("Option<u8>", true),
            ("std::option::Option<Box<Node>>", true),
            ("Vec<Option<u8>>", false),
            ("*mut Node", false),
            ("Optional", false),
        ] {
            assert_eq!(super::super::is_option(ty), is, "{ty}");
        }
    }
}
