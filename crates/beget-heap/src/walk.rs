//! The walk: how one value shows its heap to a walker.
//!
//! [`Heap`] is implemented by types, [`Walker`] by the consumers of the walk. A type never decides
//! what is written, a walker never knows a type: so the bytes, the graph and the pictures show the
//! same heap.

use crate::{ClassKey, Decoder, Schema, Undecodable};

/// A type whose values are rooted heaps.
///
/// Derive it with `#[derive(beget::Heap)]`. By hand, follow three rules, which
/// [`laws::check`](crate::laws::check) tests:
///
/// 1. `walk` reports the same heap each time, and changes nothing;
/// 2. everything that affects the value's behaviour is reported, and nothing else (addresses,
///    capacity);
/// 3. `decode`, if implemented, reads what `walk` wrote, in the same order, and makes an equal
///    value.
///
/// `describe` names the fields that `walk` shows, in the order of their names. Without `decode`,
/// values are replayed.
///
/// ```
/// use beget_heap::{Field, Heap, Schema, Walker, laws};
///
/// struct Version {
///     major: u32,
///     minor: u32,
/// }
///
/// impl Heap for Version {
///     fn describe(schema: &mut Schema) {
///         let field = |name| Field { name, ty: "u32", skipped: false };
///         schema.class(Self::class(), &[field("major"), field("minor")]);
///         schema.not_decodable("it has no decoder");
///     }
///
///     fn walk<W: Walker>(&self, walker: &mut W) {
///         walker.begin_record(Self::class());
///         if walker.field(Self::class(), 0) {
///             self.major.walk(walker);
///         }
///         if walker.field(Self::class(), 1) {
///             self.minor.walk(walker);
///         }
///         walker.end_record();
///     }
/// }
///
/// laws::check(&Version { major: 1, minor: 2 }).unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no heap to walk",
    label = "`beget::Heap` is not implemented for `{Self}`",
    note = "derive `beget::Heap` for it; for a type of another crate mark the field `#[heap(with = function)]` or `#[heap(skip)]`, or give the suite an `abstraction`; slots of `MaybeUninit` are walked with `#[heap(unsafe(buffer = len))]`"
)]
pub trait Heap: 'static {
    /// True if the course of the walk depends on pointers, presence, lengths and variants alone,
    /// and never on an integer that `walk_in_place` shows. Then the forms of two values that differ
    /// only in such integers differ only at known bits, which searches make use of. `derive(Heap)`
    /// sets this; leave it alone in implementations by hand.
    const IS_REGULAR: bool = false;

    /// True if `Ord`, where implemented, calls two values equal only if their forms are. Unknown
    /// for implementations by hand and derived ones, so only types of the standard library claim
    /// it.
    #[doc(hidden)]
    const ORDER_IS_FORM: bool = false;

    /// True if each value counts as an object of its class where it is walked, as an array or
    /// collection does. A pointer to it then adds no further object ([`Walker::enter_around`]).
    const COUNTS_ITSELF: bool = false;

    /// The class that objects of this type count as. Wrappers that add no object of their own
    /// (`RefCell<T>`, `Cell<T>`) give the class of what they wrap.
    fn class() -> ClassKey
    where
        Self: Sized,
    {
        // Walks ask for the key at each object; the name is shortened only for display.
        ClassKey::new::<Self>(std::any::type_name::<Self>())
    }

    /// Declares the classes and pointers below this type.
    fn describe(schema: &mut Schema)
    where
        Self: Sized;

    /// Shows this value, in place, to the walker: primitives as they are, pointers through
    /// [`Walker::enter`]. Depth first, fields in order of their names.
    fn walk<W: Walker>(&self, walker: &mut W);

    /// Shows an optional value of this type. Pointers and integers override it to show presence and
    /// value at once, which is faster and equivalent.
    #[inline(always)]
    fn walk_option<W: Walker>(this: Option<&Self>, walker: &mut W)
    where
        Self: Sized,
    {
        walker.primitive(Primitive::Present(this.is_some()));
        if let Some(value) = this {
            value.walk(walker);
        }
    }

    /// Like `walk`, for a value in place: integers also report their address.
    #[doc(hidden)]
    #[inline(always)]
    fn walk_in_place<W: Walker>(&self, walker: &mut W) {
        self.walk(walker);
    }

    /// Like `walk_option`, for a value in place.
    #[doc(hidden)]
    #[inline(always)]
    fn walk_option_in_place<W: Walker>(this: Option<&Self>, walker: &mut W)
    where
        Self: Sized,
    {
        Self::walk_option(this, walker);
    }

    /// Reconstructs a value from its canonical form; must mirror `walk`.
    ///
    /// # Errors [`Undecodable`] if the type or this value cannot be decoded (a cycle of strong
    /// `Rc`s).
    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable>
    where
        Self: Sized,
    {
        let _ = decoder;
        Err(Undecodable::new(format!("{} has no decoder", std::any::type_name::<Self>())))
    }
}

/// A value without identity, as a walker sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Primitive<'a> {
    /// `true` or `false`.
    Bool(bool),
    /// A signed integer.
    Signed(i64),
    /// An unsigned integer.
    Unsigned(u64),
    /// A number that is no integer by itself: a `char`, half of a wide integer, the nanoseconds of
    /// a duration. Written like `Unsigned`, but no range of integers applies to it.
    Word(u64),
    /// A floating-point number by its bits, and how many of them (32 or 64).
    Float(u64, u32),
    /// Text.
    Text(&'a str),
    /// Text that need not be UTF-8, as its bytes. Written like `Text`.
    Bytes(&'a [u8]),
    /// Text that stands for a value of another type. Written like `Text`, but no bound of texts
    /// applies to it.
    Shown(&'a str),
    /// The presence of an optional value or pointer.
    Present(bool),
    /// Short for `Present(true)` and then `Signed`.
    PresentSigned(i64),
    /// The variant of an enum.
    Variant {
        /// The variant's position.
        index: u32,
        /// The number of variants.
        of: u32,
        /// Its name.
        name: &'static str,
    },
    /// The number of elements of an array or collection; see [`Walker::length`].
    Length(usize),
}

/// A number that takes two words of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wide {
    /// An `i128`.
    Signed(i128),
    /// A `u128`.
    Unsigned(u128),
    /// A duration.
    Duration(std::time::Duration),
}

impl Wide {
    /// The words of its form.
    #[inline(always)]
    pub(crate) fn words(self) -> (u64, u64) {
        match self {
            Wide::Signed(value) => (value as u64, (value >> 64) as u64),
            Wide::Unsigned(value) => (value as u64, (value >> 64) as u64),
            Wide::Duration(value) => (value.as_secs(), value.subsec_nanos().into()),
        }
    }
}

/// The ways to reach an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// Through its only owner, and nothing else can point at it (the buffer of a `Vec`).
    Unique,
    /// Through its only owner (`Box`); raw pointers may point at its address too.
    Owned(usize),
    /// Through a pointer that may share it with others.
    Shared(usize),
}

/// The consumer of a walk.
///
/// Protocol: for each field of a struct `field` is asked first, and the field is shown only if it
/// answers true; for each pointer `enter` is asked, and the pointee is shown, then `leave` called,
/// only if it answers true (first visit, within scope). An array or collection is entered, then its
/// `length` is asked about, and its elements follow if it answers true. Everything else is
/// `primitive`.
pub trait Walker: Sized {
    /// Takes a primitive value.
    fn primitive(&mut self, value: Primitive<'_>);

    /// Asks whether the object should be shown: true on its first visit while within scope.
    fn enter(&mut self, class: ClassKey, identity: Identity) -> bool;

    /// Like [`Walker::enter`], for an object that consists of one that [counts
    /// itself](Heap::COUNTS_ITSELF).
    #[inline(always)]
    fn enter_around(&mut self, class: ClassKey, identity: Identity) -> bool {
        self.enter(class, identity)
    }

    /// Short for `primitive(Present(true))` and then `enter`.
    #[inline(always)]
    fn enter_present(&mut self, class: ClassKey, identity: Identity) -> bool {
        self.primitive(Primitive::Present(true));
        self.enter(class, identity)
    }

    /// Ends the object entered last.
    fn leave(&mut self);

    /// Takes the length of the array or collection entered last. Returns false if no element need
    /// be shown: a walk that has left the scope does not pass through a million of them.
    #[inline(always)]
    fn length(&mut self, length: usize) -> bool {
        self.primitive(Primitive::Length(length));
        true
    }

    /// Asks whether field number `index` of `class` takes part.
    fn field(&mut self, class: ClassKey, index: usize) -> bool;

    /// Takes an integer that lies at `address` and is `size` bytes long.
    #[inline(always)]
    fn int_at(&mut self, address: usize, size: usize, value: Primitive<'_>) {
        let _ = (address, size);
        self.primitive(value);
    }

    /// Begins contents in an order that depends on integers (sorted contents of a hash map).
    #[inline(always)]
    fn begin_sorted(&mut self) {}

    /// Ends what `begin_sorted` began last.
    #[inline(always)]
    fn end_sorted(&mut self) {}

    /// Reports that some of the following contents tie: they are unordered, and their own forms are
    /// equal. See `ties`.
    #[doc(hidden)]
    #[inline(always)]
    fn ties(&mut self) {}

    /// The maps among whose keys this is a walk of one by itself; none in a walk of a structure.
    #[doc(hidden)]
    #[inline(always)]
    fn maps_around(&self) -> &[usize] {
        &[]
    }

    /// Meets a cell or lock that something holds.
    ///
    /// # Panics
    /// In a walk of a structure, because a method leaked a guard. `what` says of which kind.
    #[doc(hidden)]
    #[cold]
    fn held(&mut self, what: &str) {
        panic!("{what} after the call")
    }

    /// Begins unordered contents. Only the walker that breaks ties uses this.
    #[doc(hidden)]
    #[inline(always)]
    fn begin_contents(&mut self) {}

    /// Begins an entry of the contents begun last. Entries with smaller `rank`s come first; an
    /// entry without a rank has none that depends on its form alone.
    #[doc(hidden)]
    #[inline(always)]
    fn begin_entry(&mut self, rank: Option<&[u8]>) {
        let _ = rank;
    }

    /// Ends the entry begun last.
    #[doc(hidden)]
    #[inline(always)]
    fn end_entry(&mut self) {}

    /// Ends the contents begun last.
    #[doc(hidden)]
    #[inline(always)]
    fn end_contents(&mut self) {}

    /// Begins a struct or enum stored in place. Only walkers that name fields use this.
    #[inline(always)]
    fn begin_record(&mut self, class: ClassKey) {
        let _ = class;
    }

    /// Ends the record begun last.
    #[inline(always)]
    fn end_record(&mut self) {}

    /// Begins elements stored in place: those of a tuple, a range or an array of fixed length. Only
    /// walkers that name fields use this.
    #[inline(always)]
    fn begin_elements(&mut self) {}

    /// Ends what `begin_elements` began last.
    #[inline(always)]
    fn end_elements(&mut self) {}

    /// Takes a number that is as long as two words.
    #[inline(always)]
    fn wide(&mut self, value: Wide) {
        let (low, high) = value.words();
        self.primitive(Primitive::Word(low));
        self.primitive(Primitive::Word(high));
    }

    /// Announces element number `index` of the array entered last, or of the elements begun last.
    #[inline(always)]
    fn element(&mut self, index: usize) {
        let _ = index;
    }

    /// Announces the key of entry number `index` of the map entered last.
    #[inline(always)]
    fn map_key(&mut self, index: usize) {
        self.element(index);
    }

    /// Announces the value of the key shown last.
    #[inline(always)]
    fn map_value(&mut self) {}

    /// Reports the slot of the object entered last in its arena.
    #[inline(always)]
    fn slot_number(&mut self, slot: usize) {
        self.primitive(Primitive::Word(slot as u64));
    }

    /// The number of slots of the open arena of `T`, `None` if none is open.
    #[inline(always)]
    fn n_slots<T: Heap>(&self) -> Option<usize> {
        None
    }

    /// Short for `primitive(Present(true))` and then `link`.
    #[inline(always)]
    fn link_present<T: Heap>(&mut self, slot: usize) {
        self.primitive(Primitive::Present(true));
        self.link::<T>(slot);
    }

    /// Follows a link into an arena of `T` (see [`crate::arena`]).
    ///
    /// # Panics
    /// If no arena of `T` is open: the struct that owns the arena must mark it `#[heap(arena)]`.
    fn link<T: Heap>(&mut self, slot: usize) {
        let _ = slot;
        panic!(
            "a link to {} was walked, but no `#[heap(arena)]` field of that type is open above it",
            std::any::type_name::<T>()
        );
    }
}
/// Asks whether the target of a pointer, a `T`, should be shown.
#[inline(always)]
pub(crate) fn enter_target<T: Heap, W: Walker>(walker: &mut W, identity: Identity) -> bool {
    match T::COUNTS_ITSELF {
        true => walker.enter_around(T::class(), identity),
        false => walker.enter(T::class(), identity),
    }
}

/// Short for `primitive(Present(true))` and then [`enter_target`].
#[inline(always)]
pub(crate) fn enter_present_target<T: Heap, W: Walker>(walker: &mut W, identity: Identity) -> bool {
    match T::COUNTS_ITSELF {
        true => {
            walker.primitive(Primitive::Present(true));
            walker.enter_around(T::class(), identity)
        }
        false => walker.enter_present(T::class(), identity),
    }
}
