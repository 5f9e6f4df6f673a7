//! Arenas: a sibling vector whose indices mean pointers.
//!
//! A struct that keeps its nodes in a `Vec` and links them by index has the same heap as one that
//! links them by pointer: slots are objects, reached through links, and structures that differ only
//! in slot numbers may be called the same. A slot that no link leads to is not reachable, unless
//! the type keeps its free list as a link too.
//!
//! `#[heap(arena)]` on the vector opens the arena for the walk of the struct's other fields,
//! `#[heap(link = Node)]` marks the indices, in the struct and in its nodes. Code may depend on
//! slot numbers, on purpose or by mistake, so slots show their numbers, and the arena its length.
//! With `#[heap(arena(any_order))]` the author promises that they make no difference.

mod fields;
mod slots;

pub use fields::LinkField;
pub use slots::{ArenaSet, ArenaSlot, NumberedArena, SlotSource, describe_numbered, walk_length};

use crate::{ClassKey, Decoder, Heap, Identity, Primitive, Schema, Undecodable, Walker, Wide};

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
    fn enter_around(&mut self, class: ClassKey, identity: Identity) -> bool {
        self.walker.enter_around(class, identity)
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
    fn length(&mut self, length: usize) -> bool {
        self.walker.length(length)
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
    fn ties(&mut self) {
        self.walker.ties();
    }

    #[inline(always)]
    fn begin_contents(&mut self) {
        self.walker.begin_contents();
    }

    #[inline(always)]
    fn begin_entry(&mut self, rank: Option<&[u8]>) {
        self.walker.begin_entry(rank);
    }

    #[inline(always)]
    fn end_entry(&mut self) {
        self.walker.end_entry();
    }

    #[inline(always)]
    fn end_contents(&mut self) {
        self.walker.end_contents();
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
    fn begin_elements(&mut self) {
        self.walker.begin_elements();
    }

    #[inline(always)]
    fn end_elements(&mut self) {
        self.walker.end_elements();
    }

    #[inline(always)]
    fn wide(&mut self, value: Wide) {
        self.walker.wide(value);
    }

    #[inline(always)]
    fn element(&mut self, index: usize) {
        self.walker.element(index);
    }

    #[inline(always)]
    fn map_key(&mut self, index: usize) {
        self.walker.map_key(index);
    }

    #[inline(always)]
    fn map_value(&mut self) {
        self.walker.map_value();
    }

    #[inline(always)]
    fn slot_number(&mut self, slot: usize) {
        self.walker.slot_number(slot);
    }

    #[inline(always)]
    fn n_slots<T: Heap>(&self) -> Option<usize> {
        self.arenas.n_slots::<T>().or_else(|| self.walker.n_slots::<T>())
    }

    #[inline(always)]
    fn link<T: Heap>(&mut self, slot: usize) {
        match self.arenas.slot::<T>(slot) {
            Some(target) => {
                if crate::walk::enter_target::<T, _>(self, target.identity()) {
                    target.walk(slot, self);
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
                if crate::walk::enter_present_target::<T, _>(self, target.identity()) {
                    target.walk(slot, self);
                    self.leave();
                }
            }
            None => self.walker.link_present::<T>(slot),
        }
    }
}

/// An integer, or an optional one, that can be a link.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an index that can be a link",
    note = "a link is an integer, or an `Option` of one"
)]
pub trait Link: Sized {
    /// True if the type has a value of its own for "no link".
    const OPTIONAL: bool;

    /// The slot, `None` for no link.
    fn slot(&self) -> Option<usize>;

    /// The link to `slot`; `None` only if the type is optional.
    ///
    /// # Errors
    /// If the slot does not fit the integer, or there is none and the type is not optional.
    fn from_slot(slot: Option<usize>) -> Result<Self, Undecodable>;

    /// The link as source.
    fn to_source(&self) -> String;
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

            fn to_source(&self) -> String {
                match *self {
                    <$ty>::MAX => concat!(stringify!($ty), "::MAX").to_owned(),
                    slot => slot.to_string(),
                }
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

    fn to_source(&self) -> String {
        self.as_ref()
            .map_or_else(|| "None".to_owned(), |link| format!("Some({})", link.to_source()))
    }
}

/// Declares a link to `T`. It is a link to `Option<T>` too: both have the same class.
pub(crate) fn describe_link<T: Heap>(schema: &mut Schema) {
    schema.shared_object::<T>();
}

/// Walks a link of the field of that name; `null` is the value that means "none" where the type has
/// no `None`. The arena's elements are `T`s or, where slots can be empty, `Option<T>`s.
///
/// # Panics
/// If the link dangles.
#[inline(always)]
pub fn walk_link<T: Heap, L: Link + PartialEq, W: Walker>(
    link: &L,
    null: Option<L>,
    field: &'static str,
    walker: &mut W,
) {
    match walker.n_slots::<T>() {
        None if walker.n_slots::<Option<T>>().is_some() => {
            walk_slot_with_option::<T, L, W>(link, null, field, walker);
        }
        _ => walk_slot::<T, L, W>(link, null, field, walker),
    }
}

/// Like [`walk_link`], into an arena whose elements are `Option<T>`s. It is a separate function to
/// keep the stack frames of other fields small: otherwise walks of deep structures overflow the
/// stack.
#[inline(never)]
fn walk_slot_with_option<T: Heap, L: Link + PartialEq, W: Walker>(
    link: &L,
    null: Option<L>,
    field: &'static str,
    walker: &mut W,
) {
    walk_slot::<Option<T>, L, W>(link, null, field, walker);
}

/// Like [`walk_link`], into an arena whose elements are `T`s.
#[inline(always)]
fn walk_slot<T: Heap, L: Link + PartialEq, W: Walker>(
    link: &L,
    null: Option<L>,
    field: &'static str,
    walker: &mut W,
) {
    let slot = if null.as_ref() == Some(link) { None } else { link.slot() };
    if let (Some(slot), Some(n_slots)) = (slot, walker.n_slots::<T>())
        && slot >= n_slots
    {
        refuse_dangling::<T, L>(link, null.is_some(), field, n_slots);
    }
    match slot {
        Some(slot) if L::OPTIONAL || null.is_some() => walker.link_present::<T>(slot),
        Some(slot) => walker.link::<T>(slot),
        None => walker.primitive(Primitive::Present(false)),
    }
}

#[cold]
#[inline(never)]
fn refuse_dangling<T: Heap, L: Link>(link: &L, has_null: bool, field: &str, n_slots: usize) -> ! {
    let (slot, target) = (link.to_source(), T::class().shown().name);
    let advice = match L::OPTIONAL || has_null {
        true => String::new(),
        false => format!(
            "; if that value means \"none\", mark the field `#[heap(link = {target}, null = {slot})]`"
        ),
    };
    panic!("the link `{field}` is {slot}, and its arena has {n_slots} slots{advice}")
}

/// Reads what [`walk_link`] wrote.
///
/// # Errors
/// The errors of [`Decoder::link`].
pub(crate) fn decode_link<T: Heap, L: Link>(
    null: Option<L>,
    decoder: &mut Decoder<'_>,
) -> Result<L, Undecodable> {
    if (L::OPTIONAL || null.is_some()) && !decoder.bit() {
        return match null {
            Some(null) => Ok(null),
            None => L::from_slot(None),
        };
    }
    let slot = match decoder.has_arena::<T>() || !decoder.has_arena::<Option<T>>() {
        true => decoder.link::<T>()?,
        false => decode_slot_with_option::<T>(decoder)?,
    };
    L::from_slot(Some(slot))
}

/// Reads what [`walk_slot_with_option`] wrote. Rare, and kept out of the frames of other links.
#[cold]
#[inline(never)]
fn decode_slot_with_option<T: Heap>(decoder: &mut Decoder<'_>) -> Result<usize, Undecodable> {
    decoder.link::<Option<T>>()
}
