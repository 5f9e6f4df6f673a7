//! The cells of a class by the names of its fields.

use beget_heap::view::{ClassId, Item, Shapes};

pub(crate) type Owner = (&'static str, &'static str);

/// A cell of a class that holds one value.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub(crate) path: String,
    /// The class and the name of the innermost field that contains it; `[]` for an element of an
    /// array.
    pub(crate) owner: Owner,
    pub(crate) offset: u32,
    pub(crate) kind: LeafKind,
    pub(crate) null: Option<i64>,
    /// The presences that must hold for the cell to exist.
    pub(crate) guards: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum LeafKind {
    Bool,
    Number,
    /// An enum without fields, by the names of its variants.
    Variant(&'static [&'static str]),
    Pointer(ClassId),
    Other,
}

impl Leaf {
    /// The class of the array that the cell refers to, if it does.
    pub(crate) fn array_class(&self, shapes: &Shapes) -> Option<ClassId> {
        match self.kind {
            LeafKind::Pointer(class) if shapes.class(class).is_array => Some(class),
            _ => None,
        }
    }

    /// Returns whether it is the presence of the value after it.
    pub(crate) fn is_presence(&self) -> bool {
        self.path.ends_with('?')
    }

    /// Its kind, in words.
    pub(crate) fn holds(&self, shapes: &Shapes) -> &'static str {
        match self.kind {
            LeafKind::Bool => "a boolean",
            LeafKind::Number if self.null.is_some() => "an integer or null",
            LeafKind::Number => "an integer",
            LeafKind::Variant(_) => "an enum",
            LeafKind::Pointer(_) if self.array_class(shapes).is_some() => "an array",
            LeafKind::Pointer(_) => "a reference",
            LeafKind::Other => "a float or text, which can only be fixed",
        }
    }
}

/// The cells of an object, or of the elements of an array that it owns.
pub(crate) struct ObjectPart {
    /// The path of the array within the object, with `[]`; empty for the object itself.
    pub(crate) path: String,
    pub(crate) leaves: Vec<Leaf>,
    /// For an array, the cells of an element.
    pub(crate) stride: Option<u32>,
}

/// The parts of an object of a class: itself, and the arrays that it owns.
pub(crate) fn parts_of(shapes: &Shapes, class: ClassId) -> Vec<ObjectPart> {
    let mut parts = Vec::new();
    let mut pending = vec![(String::new(), class, None)];
    while let Some((path, class, stride)) = pending.pop() {
        let (shape, mut leaves) = (shapes.class(class), Vec::new());
        collect_leaves(&shape.items, &path, (shape.key.name, "[]"), &mut leaves);
        pending.extend(leaves.iter().filter_map(|leaf| {
            let array = leaf.array_class(shapes)?;
            Some((format!("{}[]", leaf.path), array, Some(shapes.class(array).n_cells)))
        }));
        parts.push(ObjectPart { path, leaves, stride });
    }
    parts
}

/// Collects the cells of `items`, which are part of `owner`, in the order of the walk, under
/// `path`.
fn collect_leaves(items: &[Item], path: &str, owner: Owner, leaves: &mut Vec<Leaf>) {
    for item in items {
        let (offset, kind) = match item {
            Item::Bool(cell) => (*cell, LeafKind::Bool),
            Item::Signed(cell) | Item::Unsigned(cell) | Item::Char(cell) => {
                (*cell, LeafKind::Number)
            }
            Item::Variant(cell, names) => (*cell, LeafKind::Variant(names)),
            Item::Pointer { cell, class, .. } => (*cell, LeafKind::Pointer(*class)),
            Item::Float(cell, _) | Item::Text(cell) => (*cell, LeafKind::Other),
            Item::Optional { cell, null, item } => {
                collect_optional((*cell, *null), item, path, owner, leaves);
                continue;
            }
            Item::Field { class, name, items, .. } => {
                collect_leaves(items, &joined(path, name), (class.name, name), leaves);
                continue;
            }
            Item::Element(index, items) => {
                collect_leaves(items, &joined(path, &index.to_string()), owner, leaves);
                continue;
            }
            Item::Record(_, items) => {
                collect_leaves(items, path, owner, leaves);
                continue;
            }
        };
        let path = path.to_owned();
        leaves.push(Leaf { path, owner, offset, kind, null: None, guards: Vec::new() });
    }
}

/// An optional value either has null in its own cell, or a presence in a cell before it.
fn collect_optional(
    (cell, null): (u32, i64),
    item: &[Item],
    path: &str,
    owner: Owner,
    leaves: &mut Vec<Leaf>,
) {
    let mut inner = Vec::new();
    collect_leaves(item, path, owner, &mut inner);
    match inner.as_mut_slice() {
        [only] if only.offset == cell => only.null = Some(null),
        _ => {
            inner.iter_mut().for_each(|leaf| leaf.guards.push(cell));
            leaves.push(Leaf {
                path: format!("{path}?"),
                owner,
                offset: cell,
                kind: LeafKind::Bool,
                null: None,
                guards: Vec::new(),
            });
        }
    }
    leaves.append(&mut inner);
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
