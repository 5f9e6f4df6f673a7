//! Shapes: the meaning of the cells of each class.
//!
//! A shape is made once per type, by [`Viewed::shape`]. From it come the walk of a table, the
//! filling of a table from a canonical form, and the names and domains of fields that a search
//! needs. All three are interpreters of one list, so they cannot disagree.

use std::any::TypeId;

use super::Viewed;
use crate::{ClassKey, Heap};

/// A class of a [`Shapes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassId(u32);

impl ClassId {
    /// The position among [`Shapes::classes`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The ways to reach the target of a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// By this pointer alone.
    Unique,
    /// By its owner, and by raw pointers.
    Owned,
    /// By many pointers.
    Shared,
}

/// One item that the walk of an object shows. Cells count from the start of the object, or of the
/// array's element.
#[derive(Clone, Debug)]
pub enum Item {
    /// A boolean.
    Bool(u32),
    /// A signed integer.
    Signed(u32),
    /// An unsigned integer.
    Unsigned(u32),
    /// A character.
    Char(u32),
    /// A float, with its number of bits.
    Float(u32, u32),
    /// A text, by its number.
    Text(u32),
    /// The variant of an enum without fields, by position.
    Variant(u32, &'static [&'static str]),
    /// A value that may be missing: the cell then holds `null`.
    Optional {
        /// The cell that shows whether it is missing.
        cell: u32,
        /// The cell's value if it is missing.
        null: i64,
        /// The value, if present.
        item: Vec<Item>,
    },
    /// A reference.
    Pointer {
        /// Its cell.
        cell: u32,
        /// The class of its target.
        class: ClassId,
        /// How the target can be reached.
        sharing: Sharing,
    },
    /// A field of a record.
    Field {
        /// The class of the record.
        class: ClassKey,
        /// The field's number there.
        index: usize,
        /// Its name.
        name: &'static str,
        /// Its contents.
        items: Vec<Item>,
    },
    /// A record stored in place.
    Record(ClassKey, Vec<Item>),
    /// An element of an array stored in place.
    Element(usize, Vec<Item>),
}

/// The cells of one class.
#[derive(Clone, Debug)]
pub struct ClassShape {
    /// The class as walkers see it.
    pub key: ClassKey,
    /// The number of cells of an object; of an array, of each element.
    pub n_cells: u32,
    /// True if an object is nothing but an array that counts itself.
    pub counts_itself: bool,
    /// True if it is an array: a cell for the length comes before the elements.
    pub is_array: bool,
    /// The items that the walk shows; of an array, for each element.
    pub items: Vec<Item>,
}

/// The classes below a root type.
#[derive(Clone, Debug)]
pub struct Shapes {
    classes: Vec<ClassShape>,
}

impl Shapes {
    /// The classes reachable from `T`; `T` itself is the first.
    pub fn of<T: Heap + Viewed>() -> Self {
        let mut maker = Maker::default();
        maker.class_id::<T>();
        while let Some((id, shape)) = maker.pending.pop() {
            maker.next_cell = 0;
            shape(&mut maker);
            maker.classes[id.index()].items = std::mem::take(&mut maker.items);
        }
        Shapes { classes: maker.classes }
    }

    /// All classes.
    pub fn classes(&self) -> &[ClassShape] {
        &self.classes
    }

    /// One class.
    #[inline]
    pub fn class(&self, id: ClassId) -> &ClassShape {
        &self.classes[id.index()]
    }

    /// The class of the root.
    pub fn root(&self) -> ClassId {
        ClassId(0)
    }

    /// The class with a name.
    pub fn find(&self, name: &str) -> Option<ClassId> {
        self.classes
            .iter()
            .position(|class| class.key.name == name)
            .map(|index| ClassId(index as u32))
    }
}

type MakeShape = fn(&mut Maker);

/// Makes [`Shapes`]: each type adds the meanings of its cells, one after the other.
#[derive(Debug, Default)]
pub struct Maker {
    classes: Vec<ClassShape>,
    /// The types, and whether the class is the array object of a sequence or a place that refers to
    /// one.
    ids: Vec<(TypeId, bool)>,
    pending: Vec<(ClassId, MakeShape)>,
    items: Vec<Item>,
    next_cell: u32,
}

impl Maker {
    /// Takes the next cell and adds its meaning.
    pub fn cell(&mut self, item: impl FnOnce(u32) -> Item) {
        let item = item(self.next_cell);
        self.next_cell += 1;
        self.items.push(item);
    }

    /// Adds a pointer to `T` in the next cell.
    pub(crate) fn pointer<T: Heap + Viewed>(&mut self, sharing: Sharing) {
        let class = self.class_id::<T>();
        self.cell(|cell| Item::Pointer { cell, class, sharing });
    }

    /// Adds an array of `T` of its own, an object of class `key`, in the next cell.
    pub(crate) fn array<A: Heap, T: Viewed>(&mut self) {
        let class = self.id(TypeId::of::<A>(), A::class().shown(), T::CELLS, true, T::shape);
        self.cell(|cell| Item::Pointer { cell, class, sharing: Sharing::Unique });
    }

    /// Adds a value that may be missing.
    pub(crate) fn optional<T: Viewed>(&mut self) {
        let cell = self.next_cell;
        let null = T::NULL.unwrap_or(0);
        if T::NULL.is_none() {
            self.next_cell += 1;
        }
        let item = self.nested(T::shape);
        self.items.push(Item::Optional { cell, null, item });
    }

    /// Adds a nullable reference, which `item` adds.
    pub(crate) fn nullable(&mut self, item: impl FnOnce(&mut Maker)) {
        let cell = self.next_cell;
        let item = self.nested(item);
        self.items.push(Item::Optional { cell, null: 0, item });
    }

    /// Adds a record, whose fields are added by `fields`.
    pub fn record<T: Heap>(&mut self, fields: impl FnOnce(&mut Maker)) {
        let items = self.nested(fields);
        self.items.push(Item::Record(T::class().shown(), items));
    }

    /// Adds field number `index` of the record `T`.
    pub fn field<T: Heap>(
        &mut self,
        index: usize,
        name: &'static str,
        field: impl FnOnce(&mut Maker),
    ) {
        let items = self.nested(field);
        self.items.push(Item::Field { class: T::class().shown(), index, name, items });
    }

    /// Adds an element of an array stored in place.
    pub(crate) fn element<T: Viewed>(&mut self, index: usize) {
        let items = self.nested(T::shape);
        self.items.push(Item::Element(index, items));
    }

    fn nested(&mut self, add: impl FnOnce(&mut Maker)) -> Vec<Item> {
        let outer = std::mem::take(&mut self.items);
        add(self);
        std::mem::replace(&mut self.items, outer)
    }

    fn class_id<T: Heap + Viewed>(&mut self) -> ClassId {
        let class = self.id(T::object_id(), T::class().shown(), T::CELLS, false, T::shape);
        self.classes[class.index()].counts_itself = T::COUNTS_ITSELF;
        class
    }

    fn id(
        &mut self,
        id: TypeId,
        key: ClassKey,
        n_cells: u32,
        is_array: bool,
        shape: MakeShape,
    ) -> ClassId {
        if let Some(index) = self.ids.iter().position(|&known| known == (id, is_array)) {
            return ClassId(index as u32);
        }
        let new = ClassId(self.classes.len() as u32);
        self.ids.push((id, is_array));
        self.classes.push(ClassShape {
            key,
            n_cells,
            counts_itself: false,
            is_array,
            items: Vec::new(),
        });
        self.pending.push((new, shape));
        new
    }
}
