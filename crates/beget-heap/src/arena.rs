//! Arenas: a sibling vector whose indices mean pointers.
//!
//! A struct that keeps its nodes in a `Vec` and links them by index has the same heap as one that
//! links them by pointer: slots are objects, reached through links, and structures that differ only
//! in slot numbers are the same. The vector itself is not walked; a slot that no link leads to is
//! not reachable, unless the type keeps its free list as a link too.
//!
//! `#[heap(arena)]` on the vector opens the arena for the walk of the struct's other fields,
//! `#[heap(link = Node)]` marks the indices, in the struct and in its nodes.

mod fields;

use std::any::Any;

pub use fields::LinkField;

use crate::{ClassKey, Decoder, Heap, Identity, Primitive, Schema, Undecodable, Walker};

/// The arenas that one struct owns, as tuple of slices' owners.
pub trait ArenaSet<'a>: Copy {
    /// The element number `slot` of the arena of `T`, `None` if there is no such arena here.
    ///
    /// # Panics
    /// If the slot lies outside the arena: the link dangles.
    fn slot<T: Heap>(&self, slot: usize) -> Option<&'a T>;
}

#[allow(clippy::ptr_arg, reason = "`dyn Any` needs the sized vector")]
fn slot_of<'a, E: Heap, T: Heap>(arena: &'a Vec<E>, slot: usize) -> Option<&'a T> {
    let arena: &'a Vec<T> = (arena as &'a dyn Any).downcast_ref()?;
    match arena.get(slot) {
        Some(element) => Some(element),
        None => panic!(
            "a link to slot {slot} of an arena of {} slots: mark the value that means \"none\" with `null = ...`",
            arena.len()
        ),
    }
}

macro_rules! arena_sets {
    ($(($($name:ident $index:tt),+))+) => {$(
        impl<'a, $($name: Heap),+> ArenaSet<'a> for ($(&'a Vec<$name>,)+) {
            #[inline(always)]
            fn slot<T: Heap>(&self, slot: usize) -> Option<&'a T> {
                None$(.or_else(|| slot_of::<$name, T>(self.$index, slot)))+
            }
        }
    )+};
}

arena_sets! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
}

/// A walker that can follow links into `arenas`; everything else goes to the walker below.
#[derive(Debug)]
pub struct WithArenas<'w, W, S> {
    walker: &'w mut W,
    arenas: S,
}

impl<'w, W: Walker, S> WithArenas<'w, W, S> {
    /// Opens `arenas` for the walk of the struct that owns them.
    #[inline(always)]
    pub fn new(walker: &'w mut W, arenas: S) -> Self {
        WithArenas { walker, arenas }
    }
}

impl<'a, W: Walker, S: ArenaSet<'a>> Walker for WithArenas<'_, W, S> {
    #[inline(always)]
    fn primitive(&mut self, value: Primitive<'_>) {
        self.walker.primitive(value);
    }

    #[inline(always)]
    fn enter(&mut self, class: ClassKey, identity: Identity) -> bool {
        self.walker.enter(class, identity)
    }

    #[inline(always)]
    fn enter_present(&mut self, class: ClassKey, identity: Identity) -> bool {
        self.walker.enter_present(class, identity)
    }

    #[inline(always)]
    fn leave(&mut self) {
        self.walker.leave();
    }

    #[inline(always)]
    fn field(&mut self, class: ClassKey, index: usize) -> bool {
        self.walker.field(class, index)
    }

    #[inline(always)]
    fn int_at(&mut self, address: usize, size: usize, value: Primitive<'_>) {
        self.walker.int_at(address, size, value);
    }

    #[inline(always)]
    fn begin_sorted(&mut self) {
        self.walker.begin_sorted();
    }

    #[inline(always)]
    fn end_sorted(&mut self) {
        self.walker.end_sorted();
    }

    #[inline(always)]
    fn begin_record(&mut self, class: ClassKey) {
        self.walker.begin_record(class);
    }

    #[inline(always)]
    fn end_record(&mut self) {
        self.walker.end_record();
    }

    #[inline(always)]
    fn element(&mut self, index: usize) {
        self.walker.element(index);
    }

    #[inline(always)]
    fn link<T: Heap>(&mut self, slot: usize) {
        match self.arenas.slot::<T>(slot) {
            Some(target) => {
                if self.enter(T::class(), slot_identity(target)) {
                    target.walk_in_place(self);
                    self.leave();
                }
            }
            None => self.walker.link::<T>(slot),
        }
    }

    #[inline(always)]
    fn link_present<T: Heap>(&mut self, slot: usize) {
        match self.arenas.slot::<T>(slot) {
            Some(target) => {
                if self.enter_present(T::class(), slot_identity(target)) {
                    target.walk_in_place(self);
                    self.leave();
                }
            }
            None => self.walker.link_present::<T>(slot),
        }
    }
}

#[inline(always)]
fn slot_identity<T>(target: &T) -> Identity {
    Identity::Shared(std::ptr::from_ref(target).addr())
}

/// An integer, or an optional one, that can be a link.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an index that can be a link",
    note = "a link is an integer, or an `Option` of one"
)]
pub trait Link: Sized {
    /// Whether the type has a value of its own for "no link".
    const OPTIONAL: bool;

    /// The slot, `None` for no link.
    fn slot(&self) -> Option<usize>;

    /// The link to `slot`; `None` only if the type is optional.
    ///
    /// # Errors
    /// If the slot does not fit the integer, or there is none and the type is not optional.
    fn from_slot(slot: Option<usize>) -> Result<Self, Undecodable>;
}

macro_rules! links {
    ($($ty:ty),+) => {$(
        impl Link for $ty {
            const OPTIONAL: bool = false;

            #[inline(always)]
            fn slot(&self) -> Option<usize> {
                Some(*self as usize)
            }

            fn from_slot(slot: Option<usize>) -> Result<Self, Undecodable> {
                slot.and_then(|slot| slot.try_into().ok())
                    .ok_or_else(|| Undecodable::new("the slot does not fit the link"))
            }
        }
    )+};
}

links!(u8, u16, u32, u64, usize, i32, isize);

impl<L: Link> Link for Option<L> {
    const OPTIONAL: bool = true;

    #[inline(always)]
    fn slot(&self) -> Option<usize> {
        self.as_ref().and_then(L::slot)
    }

    fn from_slot(slot: Option<usize>) -> Result<Self, Undecodable> {
        slot.map(|slot| L::from_slot(Some(slot))).transpose()
    }
}

/// Declares a link to `T`.
pub fn describe_link<T: Heap>(schema: &mut Schema) {
    schema.shared_object::<T>();
}

/// Walks a link; `null` is the value that means "none" where the type has no `None`.
#[inline(always)]
pub fn walk_link<T: Heap, L: Link + PartialEq, W: Walker>(
    link: &L,
    null: Option<L>,
    walker: &mut W,
) {
    let slot = if null.as_ref() == Some(link) { None } else { link.slot() };
    match slot {
        Some(slot) if L::OPTIONAL || null.is_some() => walker.link_present::<T>(slot),
        Some(slot) => walker.link::<T>(slot),
        None => walker.primitive(Primitive::Present(false)),
    }
}

/// Reads what [`walk_link`] wrote.
///
/// # Errors
/// As [`Decoder::link`].
pub fn decode_link<T: Heap, L: Link>(
    null: Option<L>,
    decoder: &mut Decoder<'_>,
) -> Result<L, Undecodable> {
    if (L::OPTIONAL || null.is_some()) && !decoder.bit() {
        return match null {
            Some(null) => Ok(null),
            None => L::from_slot(None),
        };
    }
    L::from_slot(Some(decoder.link::<T>()?))
}
