//! Colours of objects, by the value of a field.

use std::collections::BTreeSet;
use std::fmt;

use beget_heap::graph::{Object, Value};
use beget_heap::{Class, Schema};

/// The fill of an object's box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoxColor {
    /// The colour in SVG and DOT.
    pub(crate) color: &'static str,
    /// A colour of text that is readable on it.
    pub(crate) text: &'static str,
}

const fn light(color: &'static str) -> BoxColor {
    BoxColor { color, text: "black" }
}

const fn dark(color: &'static str) -> BoxColor {
    BoxColor { color, text: "white" }
}

/// The fills for the values in order; further values start again from the first.
const PALETTE: [BoxColor; 8] = [
    light("#f28e8e"),
    dark("#4d4d4d"),
    light("#8fbce6"),
    light("#a5d6a7"),
    light("#ffd97a"),
    light("#c9b3e6"),
    light("#f5b97f"),
    light("#b0bec5"),
];

/// Variants that are colours.
const NAMED: [(&str, BoxColor); 8] = [
    ("red", light("#f28e8e")),
    ("black", dark("#4d4d4d")),
    ("blue", light("#8fbce6")),
    ("green", light("#a5d6a7")),
    ("yellow", light("#ffd97a")),
    ("violet", light("#c9b3e6")),
    ("orange", light("#f5b97f")),
    ("white", light("#ffffff")),
];

/// A field by which objects are coloured: one of booleans, of integers, of characters or of an
/// enum.
#[derive(Clone, Debug)]
pub struct ColorBy {
    /// The class whose field is meant, if it is one of objects; without it the field of any class.
    class: Option<&'static str>,
    field: String,
}

/// The error for a field that does not exist or has no colours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoColorField {
    /// The requested field.
    pub field: String,
    /// The existing fields, as `Class.field`.
    pub known: Vec<String>,
}

impl fmt::Display for NoColorField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no field `{}` to colour objects by: ", self.field)?;
        if self.known.is_empty() {
            return f.write_str("this suite has no field of booleans, integers or enums");
        }
        let known: Vec<String> = self.known.iter().map(|field| format!("`{field}`")).collect();
        write!(f, "the fields of booleans, integers and enums are {}", known.join(", "))
    }
}

impl std::error::Error for NoColorField {}

impl ColorBy {
    /// The field with this name, as `field` or `Class.field`.
    ///
    /// # Errors
    /// If the classes of `schema` have none with values that colours can show.
    pub fn new(schema: &Schema, name: &str) -> Result<ColorBy, NoColorField> {
        let fields: Vec<(&Class, &str)> = color_fields(schema).collect();
        for &(class, field) in &fields {
            let in_class = name.strip_suffix(field).and_then(|rest| rest.strip_suffix('.'));
            if name == field {
                return Ok(ColorBy { class: None, field: field.to_owned() });
            }
            if in_class.is_some_and(|wanted| wanted == class.key.name || wanted == base(class)) {
                let class = class.is_object.then_some(class.key.name);
                return Ok(ColorBy { class, field: field.to_owned() });
            }
        }
        let known = fields.iter().map(|(class, field)| format!("{}.{field}", base(class)));
        Err(NoColorField { field: name.to_owned(), known: known.collect() })
    }

    /// The value of the field in an object, or in a record within it.
    fn value<'o>(&self, object: &'o Object) -> Option<&'o Value> {
        let is_of_class = self.class.is_none_or(|class| object.class == class);
        let is_field = |path: &str| {
            let before = path.strip_suffix(self.field.as_str());
            before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
        };
        let mut values = object.values.iter().filter(|_| is_of_class);
        values.find(|(path, value)| is_field(path) && *value != Value::Some).map(|(_, value)| value)
    }

    /// The fill of each object, for several heaps at once: equal values have equal fills.
    pub(crate) fn fills(&self, heaps: &[&[Object]]) -> Vec<Vec<Option<BoxColor>>> {
        let values = heaps.iter().flat_map(|heap| heap.iter().filter_map(|it| self.value(it)));
        let kinds: BTreeSet<ValueOrder> = values.map(ValueOrder::of).collect();
        let fill = |value: &Value| match value {
            Value::Null => None,
            value => Some(named(value).unwrap_or_else(|| {
                let place = kinds.iter().position(|kind| *kind == ValueOrder::of(value));
                PALETTE[place.unwrap_or(0) % PALETTE.len()]
            })),
        };
        let of_heap = |heap: &&[Object]| {
            heap.iter().map(|object| self.value(object).and_then(fill)).collect()
        };
        heaps.iter().map(of_heap).collect()
    }
}

/// The order of the fills of values: numbers by size, all others by their text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ValueOrder {
    Number(i128),
    Text(String),
}

impl ValueOrder {
    fn of(value: &Value) -> ValueOrder {
        match value {
            Value::Int(value) => ValueOrder::Number(*value),
            other => ValueOrder::Text(other.to_string()),
        }
    }
}

/// The fill of a variant whose name is a colour.
fn named(value: &Value) -> Option<BoxColor> {
    let Value::Variant(name) = value else { return None };
    let is_it = |(color, _): &&(&str, BoxColor)| name.eq_ignore_ascii_case(color);
    NAMED.iter().find(is_it).map(|(_, fill)| *fill)
}

/// The name of a class without its parameters.
fn base(class: &Class) -> &'static str {
    let name = class.key.name;
    name.split_once('<').map_or(name, |(base, _)| base)
}

/// The fields with values that colours can show, by class. Fields of variants have names with a
/// dot; pictures show them in the object that the enum is in.
fn color_fields(schema: &Schema) -> impl Iterator<Item = (&Class, &'static str)> {
    let fields = schema.classes().iter().flat_map(|class| {
        class.fields.iter().filter(|field| !field.skipped).map(move |field| (class, field))
    });
    fields
        .filter(|(_, field)| has_colors(schema, field.ty))
        .map(|(class, field)| (class, field.name))
}

fn has_colors(schema: &Schema, ty: &str) -> bool {
    let ty: String = ty.split_whitespace().collect();
    let ty = ty.strip_prefix("Option<").and_then(|ty| ty.strip_suffix('>')).unwrap_or(&ty);
    let is_number = ["bool", "char", "usize", "isize"].contains(&ty)
        || ty.strip_prefix(['u', 'i']).is_some_and(|bits| bits.parse::<u32>().is_ok());
    is_number || schema.classes().iter().any(|class| class.key.name == ty && is_enum(class))
}

/// An enum that is stored in place: its fields, if there are any, are those of its variants.
fn is_enum(class: &Class) -> bool {
    let of_std = ["String", "str", "f32", "f64", "()"].contains(&class.key.name);
    let in_variants = class.fields.iter().all(|field| field.name.contains('.'));
    !class.is_object && !class.is_array && !of_std && in_variants
}
