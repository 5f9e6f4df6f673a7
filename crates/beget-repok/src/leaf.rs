//! The cells of a class by the names of its fields.

use beget_heap::view::{ClassId, Item};

/// A cell of a class that holds one value.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub(crate) path: String,
    pub(crate) offset: u32,
    pub(crate) kind: LeafKind,
    pub(crate) null: Option<i64>,
    /// The presences that must hold for the cell to be there.
    pub(crate) guards: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum LeafKind {
    Bool,
    Number,
    Variant(usize),
    Pointer(ClassId),
    Other,
}

/// The cells that `items` mean, in the order of the walk, under `path`.
pub(crate) fn collect_leaves(items: &[Item], path: &str, leaves: &mut Vec<Leaf>) {
    for item in items {
        let (offset, kind) = match item {
            Item::Bool(cell) => (*cell, LeafKind::Bool),
            Item::Signed(cell) | Item::Unsigned(cell) => (*cell, LeafKind::Number),
            Item::Variant(cell, names) => (*cell, LeafKind::Variant(names.len())),
            Item::Pointer { cell, class, .. } => (*cell, LeafKind::Pointer(*class)),
            Item::Float(cell, _) | Item::Text(cell) => (*cell, LeafKind::Other),
            Item::Optional { cell, null, item } => {
                collect_optional(*cell, *null, item, path, leaves);
                continue;
            }
            Item::Field { name, items, .. } => {
                collect_leaves(items, &joined(path, name), leaves);
                continue;
            }
            Item::Element(index, items) => {
                collect_leaves(items, &joined(path, &index.to_string()), leaves);
                continue;
            }
            Item::Record(_, items) => {
                collect_leaves(items, path, leaves);
                continue;
            }
        };
        leaves.push(Leaf { path: path.to_owned(), offset, kind, null: None, guards: Vec::new() });
    }
}

/// An optional value either says null in its own cell, or has a presence in a cell before it.
fn collect_optional(cell: u32, null: i64, item: &[Item], path: &str, leaves: &mut Vec<Leaf>) {
    let mut inner = Vec::new();
    collect_leaves(item, path, &mut inner);
    match inner.as_mut_slice() {
        [only] if only.offset == cell => only.null = Some(null),
        _ => {
            inner.iter_mut().for_each(|leaf| leaf.guards.push(cell));
            leaves.push(Leaf {
                path: format!("{path}?"),
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
