//! Tables in words, for witnesses. Unlike a graph of the walk, they include heaps that no value can
//! have.

use std::fmt::Write as _;

use super::shape::{ClassId, Item};
use super::{Shapes, Table};

/// The table's heap, one line per object in the order of first visit:
/// `Node#1 { next: #2, value: 3 }`.
pub fn to_text(shapes: &Shapes, table: &Table) -> String {
    text_of(shapes, table, true)
}

/// Like [`to_text`], without values: the objects and how they refer to each other.
pub fn to_shape(shapes: &Shapes, table: &Table) -> String {
    text_of(shapes, table, false)
}

fn text_of(shapes: &Shapes, table: &Table, has_values: bool) -> String {
    let root = (Table::ROOT, shapes.root());
    let mut writer =
        TextWriter { shapes, table, has_values, objects: vec![root], line: String::new() };
    let mut lines = String::new();
    let mut next = 0;
    while let Some(&(start, class)) = writer.objects.get(next) {
        writer.object(start, class);
        let line = std::mem::take(&mut writer.line);
        let _ = writeln!(lines, "{}#{next} {{ {line} }}", shapes.class(class).key.name);
        next += 1;
    }
    lines
}

struct TextWriter<'t> {
    shapes: &'t Shapes,
    table: &'t Table,
    /// The objects met, in the order of first visit.
    objects: Vec<(u32, ClassId)>,
    line: String,
    has_values: bool,
}

impl TextWriter<'_> {
    fn object(&mut self, start: u32, class: ClassId) {
        let class = self.shapes.class(class);
        if !class.is_array {
            self.items(&class.items, start, "");
            return;
        }
        for index in 0..self.table.peek(start) as u32 {
            self.items(&class.items, start + 1 + index * class.n_cells, &index.to_string());
        }
    }

    fn items(&mut self, items: &[Item], base: u32, path: &str) {
        items.iter().for_each(|item| self.item(item, base, path));
    }

    fn item(&mut self, item: &Item, base: u32, path: &str) {
        let table = self.table;
        let value = |cell: &u32| table.peek(base + cell);
        match item {
            Item::Bool(cell) => self.put(path, value(cell) != 0),
            Item::Signed(cell) => self.put(path, value(cell)),
            Item::Unsigned(cell) | Item::Char(cell) => self.put(path, value(cell) as u64),
            Item::Float(cell, 32) => self.put(path, f32::from_bits(value(cell) as u32)),
            Item::Float(cell, _) => self.put(path, f64::from_bits(value(cell) as u64)),
            Item::Text(cell) => self.put(path, format_args!("{:?}", table.text(value(cell)))),
            Item::Variant(cell, names) => self.put(path, names[value(cell) as usize]),
            Item::Optional { cell, null, item } if value(cell) == *null => match item.first() {
                Some(Item::Pointer { .. }) => self.put_reference(path, "null"),
                _ => self.put(path, "null"),
            },
            Item::Optional { item, .. } => self.items(item, base, path),
            Item::Pointer { cell, class, .. } => self.pointer(value(cell) as u32, *class, path),
            Item::Field { name, items, .. } => self.items(items, base, &joined(path, name)),
            Item::Element(index, items) => {
                self.items(items, base, &joined(path, &index.to_string()));
            }
            Item::Record(_, items) => self.items(items, base, path),
        }
    }

    fn pointer(&mut self, target: u32, class: ClassId, path: &str) {
        if target == 0 {
            return self.put_reference(path, "null");
        }
        let object = (target, class);
        let number = self.objects.iter().position(|&known| known == object);
        if number.is_none() {
            self.objects.push(object);
        }
        self.put_reference(path, format_args!("#{}", number.unwrap_or(self.objects.len() - 1)));
    }

    fn put(&mut self, path: &str, value: impl std::fmt::Display) {
        if self.has_values {
            self.put_reference(path, value);
        }
    }

    fn put_reference(&mut self, path: &str, value: impl std::fmt::Display) {
        let separator = if self.line.is_empty() { "" } else { ", " };
        let colon = if path.is_empty() { "" } else { ": " };
        let _ = write!(self.line, "{separator}{path}{colon}{value}");
    }
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
