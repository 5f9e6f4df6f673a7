//! The walk of a table: the same events as the walk of the value it represents.

use super::shape::{ClassShape, Item, Sharing};
use super::{NodeSet, Place, Shapes, Table};
use crate::{Identity, Primitive, Walker};

/// The table holds a null where its type has none, or an object with two owners: no value of the
/// type has this heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unrepresentable;

impl std::fmt::Display for Unrepresentable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a pointer that cannot be null is null, or an object has two owners")
    }
}

impl std::error::Error for Unrepresentable {}

/// Shows the table's heap to `walker`, as [`Heap::walk`](crate::Heap::walk) shows a value. No read
/// is noted.
///
/// # Errors
/// [`Unrepresentable`]; the walk is then cut short, and the walker's result is meaningless.
pub fn walk<W: Walker>(
    shapes: &Shapes,
    table: &Table,
    walker: &mut W,
) -> Result<(), Unrepresentable> {
    let mut walk = Walk { shapes, table, walker, owned: NodeSet::new() };
    walk.object(shapes.class(shapes.root()), Table::ROOT)
}

struct Walk<'t, W> {
    shapes: &'t Shapes,
    table: &'t Table,
    walker: &'t mut W,
    /// The objects whose owners were met.
    owned: NodeSet,
}

impl<'t, W: Walker> Walk<'t, W> {
    fn object(&mut self, class: &'t ClassShape, start: u32) -> Result<(), Unrepresentable> {
        if !class.is_array {
            return self.items(&class.items, start);
        }
        let length = self.table.peek(start);
        if self.walker.length(length as usize) {
            for index in 0..length as u32 {
                self.walker.element(index as usize);
                self.items(&class.items, start + 1 + index * class.n_cells)?;
            }
        }
        Ok(())
    }

    fn items(&mut self, items: &'t [Item], base: u32) -> Result<(), Unrepresentable> {
        items.iter().try_for_each(|item| self.item(item, base))
    }

    fn item(&mut self, item: &'t Item, base: u32) -> Result<(), Unrepresentable> {
        let table = self.table;
        match item {
            Item::Optional { cell, null, item } => {
                let is_there = table.peek(base + cell) != *null;
                self.walker.primitive(Primitive::Present(is_there));
                return if is_there { self.items(item, base) } else { Ok(()) };
            }
            Item::Pointer { cell, class, sharing } => {
                let class = self.shapes.class(*class);
                return self.pointer(class, *sharing, table.peek(base + cell));
            }
            Item::Field { class, index, items, .. } => {
                return if self.walker.field(*class, *index) {
                    self.items(items, base)
                } else {
                    Ok(())
                };
            }
            Item::Record(class, items) => {
                self.walker.begin_record(*class);
                self.items(items, base)?;
                self.walker.end_record();
            }
            Item::Element(index, items) => {
                self.walker.element(*index);
                return self.items(items, base);
            }
            value => self.walker.primitive(primitive(value, base, table)),
        }
        Ok(())
    }

    fn pointer(
        &mut self,
        class: &'t ClassShape,
        sharing: Sharing,
        target: i64,
    ) -> Result<(), Unrepresentable> {
        let has_owner = sharing != Sharing::Shared;
        let place = Place::new(self.table, target as u32);
        if target == 0 || has_owner && !self.owned.insert_place(place) {
            return Err(Unrepresentable);
        }
        let identity = match sharing {
            Sharing::Unique => Identity::Unique,
            Sharing::Owned => Identity::Owned(target as usize),
            Sharing::Shared => Identity::Shared(target as usize),
        };
        let is_new = match class.counts_itself {
            true => self.walker.enter_around(class.key, identity),
            false => self.walker.enter(class.key, identity),
        };
        if is_new {
            self.object(class, target as u32)?;
            self.walker.leave();
        }
        Ok(())
    }
}

fn primitive<'t>(item: &Item, base: u32, table: &'t Table) -> Primitive<'t> {
    let value = |cell: &u32| table.peek(base + cell);
    match item {
        Item::Bool(cell) => Primitive::Bool(value(cell) != 0),
        Item::Signed(cell) => Primitive::Signed(value(cell)),
        Item::Unsigned(cell) => Primitive::Unsigned(value(cell) as u64),
        Item::Char(cell) => Primitive::Word(value(cell) as u64),
        Item::Float(cell, bits) => Primitive::Float(value(cell) as u64, *bits),
        Item::Text(cell) => Primitive::Text(table.text(value(cell))),
        Item::Variant(cell, names) => {
            let index = value(cell) as u32;
            Primitive::Variant { index, of: names.len() as u32, name: names[index as usize] }
        }
        Item::Optional { .. }
        | Item::Pointer { .. }
        | Item::Field { .. }
        | Item::Record(..)
        | Item::Element(..) => unreachable!("walked apart"),
    }
}
