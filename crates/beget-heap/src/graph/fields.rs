//! The fields of an object as a reader sees them: each path once, with everything the walk showed
//! there.
//!
//! A walk may show several parts at one path, because wrappers have no path of their own: the
//! variant of a `Result` and its content, an optional value that is itself optional. Nothing is
//! lost here: two heaps of one type that differ have different fields.

use std::fmt;

use super::{HeapGraph, Value};

/// One field of an object, or one element of an array within it.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownField<'g> {
    /// The path of the field within the object; empty if the object is the value itself.
    pub path: &'g str,
    /// The parts of its value in the order of the walk; nearly always one.
    pub parts: Vec<ShownPart<'g>>,
}

impl ShownField<'_> {
    /// The path, or a word for the object itself if it has none.
    pub fn name(&self) -> &str {
        match (self.path, self.parts.first()) {
            ("", Some(ShownPart::Value(Value::Length(_)))) => "length",
            ("", _) => "self",
            (path, _) => path,
        }
    }
}

/// A part of what a field holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShownPart<'g> {
    /// A value.
    Value(&'g Value),
    /// No value, within this many optional values that are present: 1 for `Some(None)`.
    NullWithin(usize),
    /// The object with this number.
    Object(usize),
}

impl HeapGraph {
    /// The fields of the object with this number, in the order of the walk, those that refer to
    /// objects last.
    pub fn fields(&self, number: usize) -> Vec<ShownField<'_>> {
        let mut fields: Vec<OpenField<'_>> = Vec::new();
        for (path, value) in &self.objects[number].values {
            open(&mut fields, path).take(value);
        }
        for link in self.links_of(number) {
            open(&mut fields, &link.path).field.parts.push(ShownPart::Object(link.to));
        }
        fields.into_iter().map(|open| open.field).filter(|field| !field.parts.is_empty()).collect()
    }
}

/// A field, with the number of present optional values around its next part.
struct OpenField<'g> {
    field: ShownField<'g>,
    present: usize,
}

impl<'g> OpenField<'g> {
    fn take(&mut self, value: &'g Value) {
        let part = match value {
            Value::Some => {
                self.present += 1;
                return;
            }
            Value::Null if self.present > 0 => ShownPart::NullWithin(self.present),
            value => ShownPart::Value(value),
        };
        self.present = 0;
        self.field.parts.push(part);
    }
}

/// The field at `path`, usually the last one.
fn open<'f, 'g>(fields: &'f mut Vec<OpenField<'g>>, path: &'g str) -> &'f mut OpenField<'g> {
    let at = fields.iter().rposition(|open| open.field.path == path).unwrap_or_else(|| {
        fields.push(OpenField { field: ShownField { path, parts: Vec::new() }, present: 0 });
        fields.len() - 1
    });
    &mut fields[at]
}

impl fmt::Display for ShownPart<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShownPart::Value(value) => write!(f, "{value}"),
            ShownPart::NullWithin(depth) => {
                write!(f, "{}null{}", "some(".repeat(*depth), ")".repeat(*depth))
            }
            ShownPart::Object(number) => write!(f, "#{number}"),
        }
    }
}

/// The parts in a row; the content of a variant stands in parentheses, as in Rust.
impl fmt::Display for ShownField<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown(|part| part.to_string()))
    }
}

impl ShownField<'_> {
    /// The parts in a row, each formatted by `show`.
    pub(super) fn shown(&self, show: impl Fn(&ShownPart<'_>) -> String) -> String {
        let mut text = String::new();
        let mut open = 0;
        for (at, part) in self.parts.iter().enumerate() {
            text.push_str(&show(part));
            let is_last = at + 1 == self.parts.len();
            if !is_last && matches!(part, ShownPart::Value(Value::Variant(_))) {
                text.push('(');
                open += 1;
            } else if !is_last {
                text.push(' ');
            }
        }
        text + &")".repeat(open)
    }
}
