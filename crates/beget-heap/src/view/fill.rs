//! Filling a table from a canonical form.
//!
//! Values need no decoder for this: cycles of `Rc`, or fields that cannot be reconstructed, are no
//! obstacle, because a table only has numbers.

use super::shape::{ClassId, Item, Sharing};
use super::{Shapes, Table};
use crate::decode::PointerTarget;
use crate::{Decoder, Undecodable};

/// Replaces the contents of `table` by the form that `decoder` has begun.
///
/// Fields that the decoder's layout omits become 0.
///
/// # Errors
/// [`Undecodable`] if the form is none of this type, or holds an optional integer of the one value
/// (`i64::MIN`) that stands for none.
pub fn fill(
    shapes: &Shapes,
    table: &mut Table,
    decoder: &mut Decoder<'_>,
) -> Result<(), Undecodable> {
    table.clear();
    let root = shapes.root();
    let start = table.allocate(shapes.class(root).n_cells);
    debug_assert_eq!(start, Table::ROOT);
    Fill { shapes, table, decoder }.items(&shapes.class(root).items, start)
}

struct Fill<'t, 'l> {
    shapes: &'t Shapes,
    table: &'t mut Table,
    decoder: &'t mut Decoder<'l>,
}

impl<'t> Fill<'t, '_> {
    fn items(&mut self, items: &'t [Item], base: u32) -> Result<(), Undecodable> {
        items.iter().try_for_each(|item| self.item(item, base))
    }

    fn item(&mut self, item: &'t Item, base: u32) -> Result<(), Undecodable> {
        let decoder = &mut *self.decoder;
        let (cell, value) = match item {
            Item::Bool(cell) => (cell, i64::from(decoder.bit())),
            Item::Signed(cell) => (cell, decoder.signed()),
            Item::Unsigned(cell) | Item::Char(cell) => (cell, decoder.unsigned() as i64),
            Item::Float(cell, bits) => (cell, decoder.float(*bits) as i64),
            Item::Text(cell) => (cell, self.table.intern(decoder.text()?)),
            Item::Variant(cell, names) => (cell, i64::from(decoder.variant(names.len() as u32))),
            Item::Pointer { cell, class, sharing } => (cell, self.pointer(*class, *sharing)?),
            Item::Optional { cell, null, item } => {
                return self.optional(base + cell, *null, item, base);
            }
            Item::Field { class, index, items, .. } => {
                let takes_part = decoder.has_field(*class, *index);
                return if takes_part { self.items(items, base) } else { Ok(()) };
            }
            Item::Record(_, items) | Item::Element(_, items) => return self.items(items, base),
        };
        self.table.set(base + cell, value);
        Ok(())
    }

    fn optional(
        &mut self,
        cell: u32,
        null: i64,
        item: &'t [Item],
        base: u32,
    ) -> Result<(), Undecodable> {
        if !self.decoder.bit() {
            self.table.set(cell, null);
            return Ok(());
        }
        // A presence with its own cell; any other item overwrites it.
        self.table.set(cell, 1);
        self.items(item, base)?;
        if self.table.peek(cell) == null {
            return Err(Undecodable::new(
                "an optional integer is i64::MIN, which a view cannot show",
            ));
        }
        Ok(())
    }

    fn pointer(&mut self, class: ClassId, sharing: Sharing) -> Result<i64, Undecodable> {
        if self.shapes.class(class).is_array {
            return self.array(class);
        }
        if sharing == Sharing::Unique {
            self.decoder.begin_object();
            return self.object(class, None);
        }
        match self.decoder.reach() {
            PointerTarget::Known(id) => self.decoder.address(id).map(|start| start as i64),
            PointerTarget::New(id) => self.object(class, Some(id)),
        }
    }

    fn object(
        &mut self,
        class: ClassId,
        id: Option<crate::decode::ObjectId>,
    ) -> Result<i64, Undecodable> {
        let class = self.shapes.class(class);
        let start = self.table.allocate(class.n_cells);
        if let Some(id) = id {
            self.decoder.register_address(id, start as usize);
        }
        self.items(&class.items, start)?;
        self.decoder.leave();
        Ok(start.into())
    }

    fn array(&mut self, class: ClassId) -> Result<i64, Undecodable> {
        let class = self.shapes.class(class);
        let length = self.decoder.begin_array() as u32;
        let start = self.table.allocate(1 + length * class.n_cells);
        self.table.set(start, length.into());
        for index in 0..length {
            self.items(&class.items, start + 1 + index * class.n_cells)?;
        }
        self.decoder.leave();
        Ok(start.into())
    }
}
