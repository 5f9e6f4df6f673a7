//! A rooted heap as a labelled graph: for pictures, for field extensions, and as the oracle that
//! the canonical form is tested against.
//!
//! Nodes are objects with their primitive values, edges are fields that refer to objects. This is
//! Definition 1 of Politano et al. (FASE 2023).

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::root::{AnyRoot, WalkRoot};
use crate::ties::RecordedWalk;
use crate::{ClassKey, Heap, Identity, Layout, Primitive, Schema, Walker, Wide};

mod diff;
mod fields;

pub use diff::{ChangeKind, HeapChange};
pub use fields::{ShownField, ShownPart};

/// A value without identity, kept in a graph.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A boolean.
    Bool(bool),
    /// An integer of any type.
    Int(i128),
    /// A number that is no integer by itself, see [`Primitive::Word`].
    Word(u64),
    /// A number too long for the other kinds, or a duration, as text.
    Long(String),
    /// A float, by its bits, so that every value equals itself.
    Float(u64, u32),
    /// Text.
    Text(String),
    /// The variant of an enum.
    Variant(&'static str),
    /// No value, or a null pointer.
    Null,
    /// An optional value or pointer is present; the next value at the same path is its content.
    Some,
    /// The number of elements of an array.
    Length(usize),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Int(value) => write!(f, "{value}"),
            Value::Word(value) => write!(f, "{value}"),
            Value::Long(text) => f.write_str(text),
            Value::Float(bits, width) => write_float(f, *bits, *width),
            Value::Text(text) => write!(f, "{text:?}"),
            Value::Variant(name) => f.write_str(name),
            Value::Null => f.write_str("null"),
            Value::Some => f.write_str("some"),
            Value::Length(length) => write!(f, "{length}"),
        }
    }
}

/// Writes a float as Rust does. NaNs other than the usual one show their bits.
fn write_float(f: &mut std::fmt::Formatter<'_>, bits: u64, width: u32) -> std::fmt::Result {
    let (float, nan) = match width {
        32 => (f64::from(f32::from_bits(bits as u32)), u64::from(f32::NAN.to_bits())),
        _ => (f64::from_bits(bits), f64::NAN.to_bits()),
    };
    match width {
        _ if float.is_nan() && bits != nan => write!(f, "NaN({bits:#x})"),
        32 => write!(f, "{:?}", f32::from_bits(bits as u32)),
        _ => write!(f, "{float:?}"),
    }
}

/// One object: its class and its primitive values in walking order.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// The class name.
    pub class: &'static str,
    /// Path of the field within the object, and its value.
    pub values: Vec<(String, Value)>,
    /// The variable that holds it, if it has one of its own ([`HeapGraph::with_variables`]).
    pub variable: Option<String>,
}

/// A field that refers to an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The number of the object whose field it is.
    pub from: usize,
    /// The number of the object that it refers to.
    pub to: usize,
    /// Path of the field within the object.
    pub path: String,
}

/// A value that belongs to a structure but not to its heap, such as a key that it has issued.
#[derive(Clone, Debug)]
pub struct BesideValue {
    /// The kind of such values.
    pub kind: usize,
    /// Its number among those of its kind.
    pub number: usize,
    /// Its own heap.
    pub heap: HeapGraph,
}

/// A rooted heap as a graph. The root is always the object with number 0.
#[derive(Clone, Debug)]
pub struct HeapGraph {
    objects: Vec<Object>,
    links: Vec<Reference>,
    /// The positions of each object's links among all.
    links_of: Vec<Vec<usize>>,
    beside: Vec<BesideValue>,
    /// The address of each object, if the walk reports one. Useful only beside a graph of the same
    /// value while that lives.
    addresses: Vec<Option<usize>>,
    /// The fields that are declared as `Option` and hold `None`, by object and path.
    absent: BTreeSet<(usize, String)>,
}

impl HeapGraph {
    /// The whole heap of `value`, nothing omitted, nothing bounded.
    pub fn of<T: Heap>(value: &T) -> Self {
        let schema = Schema::of::<T>();
        let layout = Layout::new(&schema, &crate::Bounds::unlimited());
        Self::of_any(value, &schema, &layout)
    }

    /// The heap of `value` without the fields that `layout` omits; bounds are not applied.
    pub fn under<R: WalkRoot>(value: &R, schema: &Schema, layout: &Layout) -> Self {
        Self::of_any(value, schema, layout)
    }

    fn of_any(value: &dyn AnyRoot, schema: &Schema, layout: &Layout) -> Self {
        let ties = match layout.can_tie {
            true => RecordedWalk::of(layout, value).ordered(),
            false => None,
        };
        let (class, _) = value.class();
        Self::of_walk(schema, layout, class.shown().name, |walker| match ties {
            Some((recorded, order)) => recorded.replay(&order, walker),
            None => value.draw(walker),
        })
    }

    /// The heap that `walk` shows, from a root of class `root`.
    pub fn of_walk(
        schema: &Schema,
        layout: &Layout,
        root: &'static str,
        walk: impl FnOnce(&mut GraphBuilder<'_>),
    ) -> Self {
        let mut builder = GraphBuilder::new(schema, layout, root);
        walk(&mut builder);
        builder.graph
    }

    /// The heap with `text` as the first value of the root.
    #[must_use]
    pub fn with_first_text(mut self, text: String) -> Self {
        if let Some((_, value)) = self.objects.first_mut().and_then(|root| root.values.first_mut())
        {
            *value = Value::Text(text);
        }
        self
    }

    /// Adds a value that belongs to the structure.
    pub fn put_beside(&mut self, value: BesideValue) {
        self.beside.push(value);
    }

    /// The values that belong to the structure and are no part of its heap.
    pub fn beside(&self) -> &[BesideValue] {
        &self.beside
    }

    /// The heap together with the values beside it to which `name` gives a variable, for pictures.
    /// It no longer has a single root.
    pub fn with_variables(mut self, name: impl Fn(&BesideValue) -> Option<String>) -> HeapGraph {
        for value in std::mem::take(&mut self.beside) {
            let Some(variable) = name(&value) else { continue };
            let first = self.objects.len();
            let HeapGraph { mut objects, links, mut addresses, absent, .. } = value.heap;
            objects[0].variable = Some(variable);
            self.objects.append(&mut objects);
            self.addresses.append(&mut addresses);
            self.absent.extend(absent.into_iter().map(|(number, path)| (first + number, path)));
            self.links_of.resize(self.objects.len(), Vec::new());
            for Reference { from, to, path } in links {
                self.add_link(first + from, first + to, path);
            }
        }
        self
    }

    /// The title of an object in pictures: class and number, after its variable.
    pub(crate) fn title(&self, number: usize) -> String {
        let Object { class, variable, .. } = &self.objects[number];
        let variable = variable.as_ref().map(|variable| format!("{variable} = "));
        format!("{}{class}#{number}", variable.unwrap_or_default())
    }

    /// The objects, by number.
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    /// The fields that refer to objects, in the order of the walk.
    pub fn links(&self) -> &[Reference] {
        &self.links
    }

    /// The fields of the object with this number that refer to objects.
    pub fn links_of(&self, number: usize) -> impl Iterator<Item = &Reference> {
        self.links_of[number].iter().map(|&at| &self.links[at])
    }

    /// Returns whether every value is zero, false, empty or absent.
    pub fn is_blank(&self) -> bool {
        let is_blank = |value: &Value| match value {
            Value::Bool(value) => !value,
            Value::Int(value) => *value == 0,
            Value::Word(value) => *value == 0,
            Value::Float(bits, _) => *bits == 0,
            Value::Text(text) => text.is_empty(),
            Value::Length(length) => *length == 0,
            Value::Null => true,
            Value::Long(_) | Value::Variant(_) | Value::Some => false,
        };
        self.objects.iter().all(|object| object.values.iter().all(|(_, value)| is_blank(value)))
    }

    /// The graph in the DOT language.
    pub fn to_dot(&self) -> String {
        self.to_dot_with(&|_| None)
    }

    /// The graph in the DOT language, with further attributes of objects by their numbers.
    pub fn to_dot_with(&self, attributes: &dyn Fn(usize) -> Option<String>) -> String {
        let mut dot = String::from(
            "digraph heap {\n    rankdir=LR;\n    node [shape=box, fontname=\"monospace\"];\n",
        );
        for number in 0..self.objects.len() {
            let label = escape(&self.label(number));
            let more = attributes(number).map(|more| format!(", {more}")).unwrap_or_default();
            let _ = writeln!(dot, "    n{number} [label=\"{label}\"{more}];");
        }
        for Reference { from, to, path } in &self.links {
            let _ = writeln!(dot, "    n{from} -> n{to} [label=\"{}\"];", escape(path));
        }
        dot.push_str("}\n");
        dot
    }

    /// The heap in one line of text per object: `Node#1 { next: #2, value: 3 }`; entries of maps as
    /// `HashMap<u8, Node>#2 { 7 => #3 }`.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for number in 0..self.objects.len() {
            let fields = in_braces(&self.fields(number), |field| field.to_string());
            let _ = writeln!(text, "{} {fields}", self.title(number));
        }
        text
    }

    /// The values of an object that pictures show, each with the path of its field. Optional values
    /// are shown without a marker that they are present.
    pub(crate) fn values(&self, number: usize) -> impl Iterator<Item = &(String, Value)> {
        visible(&self.objects[number])
    }

    /// Class and number, and a line for each value.
    fn label(&self, number: usize) -> String {
        let line = |(path, value): &(String, Value)| match value {
            Value::Null => format!("\n{path} = None"),
            value => format!("\n{path} = {value}"),
        };
        let lines = self.values(number).map(line);
        format!("{}{}", short_type(&self.title(number)), lines.collect::<String>())
    }

    fn add(&mut self, class: &'static str, address: Option<usize>) -> usize {
        self.objects.push(Object { class, values: Vec::new(), variable: None });
        self.links_of.push(Vec::new());
        self.addresses.push(address);
        self.objects.len() - 1
    }

    fn add_link(&mut self, from: usize, to: usize, path: String) {
        self.links_of[from].push(self.links.len());
        self.links.push(Reference { from, to, path });
    }
}

fn visible(object: &Object) -> impl Iterator<Item = &(String, Value)> {
    object.values.iter().filter(|(_, value)| *value != Value::Some)
}

/// The fields of an object, each formatted by `show`.
fn in_braces(fields: &[ShownField<'_>], show: impl Fn(&ShownField<'_>) -> String) -> String {
    let fields: Vec<(&str, String)> =
        fields.iter().map(|field| (field.name(), show(field))).collect();
    let mut parts = parts_of(&fields);
    parts.sort();
    format!("{{ {} }}", parts.join(", "))
}

/// The fields of an object, and the entries of a map whose keys and values are single values.
fn parts_of(fields: &[(&str, String)]) -> Vec<String> {
    let shown = |path: &str| fields.iter().find(|field| field.0 == path).map(|field| &field.1);
    let entry = |key: &str, value: &str| Some(format!("{} => {}", shown(key)?, shown(value)?));
    let part = |(path, value): &(&str, String)| {
        if let Some(number) = path.strip_suffix(".key") {
            let entry = entry(path, &format!("{number}.value"));
            return Some(entry.unwrap_or_else(|| format!("{path}: {value}")));
        }
        let key = path.strip_suffix(".value").map(|number| format!("{number}.key"));
        match key.is_some_and(|key| shown(&key).is_some()) {
            true => None,
            false => Some(format!("{path}: {value}")),
        }
    };
    fields.iter().filter_map(part).collect()
}

/// The name of a type without modules, those of its parameters neither: `Vec<Option<u8>>` for
/// `alloc::vec::Vec<core::option::Option<u8>>`.
pub fn short_type(name: &str) -> String {
    let mut short = String::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let end = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end.max(first.len_utf8()));
        match behind.strip_prefix("::") {
            // A path of an associated type has no module before it.
            Some(inner) if end > 0 => rest = inner,
            _ => {
                short.push_str(word);
                rest = behind;
            }
        }
    }
    short
}

/// Returns whether a type's source is that of an `Option`.
fn is_option(ty: &str) -> bool {
    let name = ty.split('<').next().unwrap_or_default().trim_end();
    name.rsplit("::").next().is_some_and(|name| name.trim() == "Option")
}

fn escape(label: &str) -> String {
    label.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// The position of the walk within an object: one entry for each record or array nested in place.
#[derive(Debug, Default)]
struct Position {
    field: Option<&'static str>,
    /// The field's type as it is declared.
    ty: &'static str,
    element: Option<usize>,
    /// `key` or `value`, in a map.
    part: Option<&'static str>,
}

#[derive(Debug)]
struct ObjectFrame {
    node: usize,
    positions: Vec<Position>,
}

/// The walker that makes a [`HeapGraph`].
#[derive(Debug)]
pub struct GraphBuilder<'s> {
    schema: &'s Schema,
    layout: &'s Layout,
    graph: HeapGraph,
    frames: Vec<ObjectFrame>,
    known: std::collections::BTreeMap<(usize, usize), usize>,
}

impl<'s> GraphBuilder<'s> {
    fn new(schema: &'s Schema, layout: &'s Layout, root: &'static str) -> Self {
        let mut graph = HeapGraph {
            objects: Vec::new(),
            links: Vec::new(),
            links_of: Vec::new(),
            beside: Vec::new(),
            addresses: Vec::new(),
            absent: BTreeSet::new(),
        };
        let node = graph.add(root, None);
        let frames = vec![ObjectFrame { node, positions: vec![Position::default()] }];
        GraphBuilder { schema, layout, graph, frames, known: Default::default() }
    }

    fn frame(&mut self) -> &mut ObjectFrame {
        self.frames.last_mut().expect("the root's frame stays")
    }

    fn position(&mut self) -> &mut Position {
        self.frame().positions.last_mut().expect("an object's own position stays")
    }

    fn path(&mut self) -> String {
        let mut path = String::new();
        let mut push = |part: &str| {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(part);
        };
        for position in &self.frame().positions {
            position.field.into_iter().for_each(&mut push);
            position.element.into_iter().for_each(|element| push(&element.to_string()));
            position.part.into_iter().for_each(&mut push);
        }
        path
    }

    fn push(&mut self, value: Value) {
        let path = self.path();
        let node = self.frame().node;
        if value == Value::Null && is_option(self.position().ty) {
            self.graph.absent.insert((node, path.clone()));
        }
        self.graph.objects[node].values.push((path, value));
    }

    fn node_of(&mut self, class: ClassKey, identity: Identity) -> (usize, bool) {
        let new = |builder: &mut Self, address| builder.graph.add(class.shown().name, address);
        match identity {
            Identity::Unique => (new(self, None), true),
            Identity::Owned(address) | Identity::Shared(address) => {
                let key = (address, class.size);
                match self.known.get(&key) {
                    Some(&node) => (node, false),
                    None => {
                        let node = new(self, Some(address));
                        self.known.insert(key, node);
                        (node, true)
                    }
                }
            }
        }
    }
}

impl Walker for GraphBuilder<'_> {
    fn primitive(&mut self, value: Primitive<'_>) {
        if let Primitive::PresentSigned(_) = value {
            self.push(Value::Some);
        }
        self.push(match value {
            Primitive::Bool(value) => Value::Bool(value),
            Primitive::Signed(value) | Primitive::PresentSigned(value) => Value::Int(value.into()),
            Primitive::Unsigned(value) => Value::Int(value.into()),
            Primitive::Word(value) => Value::Word(value),
            Primitive::Float(bits, width) => Value::Float(bits, width),
            Primitive::Text(text) | Primitive::Shown(text) => Value::Text(text.to_owned()),
            Primitive::Bytes(bytes) => Value::Text(escaped(bytes).into_owned()),
            Primitive::Present(true) => Value::Some,
            Primitive::Present(false) => Value::Null,
            Primitive::Variant { name, .. } => Value::Variant(name),
            Primitive::Length(length) => Value::Length(length),
        });
    }

    fn enter(&mut self, class: ClassKey, identity: Identity) -> bool {
        let from = self.frame().node;
        let path = self.path();
        let (node, is_new) = self.node_of(class, identity);
        self.graph.add_link(from, node, path);
        if is_new {
            self.frames.push(ObjectFrame { node, positions: vec![Position::default()] });
        }
        is_new
    }

    fn leave(&mut self) {
        self.frames.pop();
    }

    fn field(&mut self, class: ClassKey, index: usize) -> bool {
        let field = &self.schema.classes()[self.layout.index_of(class)].fields[index];
        *self.position() =
            Position { field: Some(field.name), ty: field.ty, ..Position::default() };
        self.layout.takes_part(class, index)
    }

    fn begin_record(&mut self, _: ClassKey) {
        self.frame().positions.push(Position::default());
    }

    fn end_record(&mut self) {
        self.frame().positions.pop();
    }

    fn element(&mut self, index: usize) {
        let position = self.position();
        (position.element, position.part) = (Some(index), None);
    }

    fn begin_elements(&mut self) {
        self.frame().positions.push(Position::default());
    }

    fn end_elements(&mut self) {
        self.frame().positions.pop();
    }

    fn wide(&mut self, value: Wide) {
        self.push(match value {
            Wide::Signed(value) => Value::Int(value),
            Wide::Unsigned(value) => match i128::try_from(value) {
                Ok(value) => Value::Int(value),
                Err(_) => Value::Long(value.to_string()),
            },
            Wide::Duration(value) => Value::Long(format!("{value:?}")),
        });
    }

    fn slot_number(&mut self, slot: usize) {
        let node = self.frame().node;
        let value = ("slot".to_owned(), Value::Word(slot as u64));
        self.graph.objects[node].values.push(value);
    }

    fn map_key(&mut self, index: usize) {
        let position = self.position();
        (position.element, position.part) = (Some(index), Some("key"));
    }

    fn map_value(&mut self) {
        self.position().part = Some("value");
    }
}

/// Shows bytes as a text: unchanged where they are UTF-8, `\xff` where they are not; `\` is `\\`.
fn escaped(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = str::from_utf8(bytes)
        && !text.contains('\\')
    {
        return text.into();
    }
    let of_chunk = |chunk: std::str::Utf8Chunk<'_>| {
        let invalid: String = chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")).collect();
        chunk.valid().replace('\\', "\\\\") + &invalid
    };
    bytes.utf8_chunks().map(of_chunk).collect()
}
