//! Reconstructing a value from its canonical form.
//!
//! A decoder mirrors the encoder item by item. Objects are registered under their number before
//! their contents are read, so that references back to an object that is still being made can be
//! resolved: by address for raw pointers, by `Weak` for reference counts. A reference that cannot
//! be resolved (a strong `Rc` to an unfinished object) is [`Undecodable`]; callers then replay the
//! recipe.

use std::any::{Any, TypeId};

use beget_process::guard::stoppable;

use crate::bits::{BitReader, bits_for};
use crate::form::{FormCoding, FormRef};
use crate::{ClassKey, Heap, Layout};

/// The reason why a value could not be decoded from its canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undecodable {
    /// Boxed so that results of decoding stay small: errors are rare, results are not.
    reason: Box<Reason>,
}

/// Text, mostly fixed.
pub(crate) type Reason = std::borrow::Cow<'static, str>;

impl Undecodable {
    /// With a reason to show to the user.
    pub fn new(reason: impl Into<Reason>) -> Self {
        Undecodable { reason: Box::new(reason.into()) }
    }
}

impl std::fmt::Display for Undecodable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Undecodable {}

/// The object that a pointer in the form refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PointerTarget {
    /// An object met for the first time: its contents follow.
    New(ObjectId),
    /// An object met before.
    Known(ObjectId),
}

/// The number of an object in its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ObjectId(usize);

/// The number of objects that are never referred to again.
const ANONYMOUS: ObjectId = ObjectId(usize::MAX);

/// Reads canonical forms. The opposite of [`crate::Encoder`].
#[derive(Debug)]
pub struct Decoder<'l> {
    layout: &'l Layout,
    tag_width: u32,
    bits: BitReader,
    /// The addresses of the objects met, by number; 0 where there is none (yet).
    addresses: Vec<usize>,
    handles: Vec<HandleList>,
    path: Vec<ObjectId>,
    plain_depth: usize,
    /// True if pointers may be shared here: false in a schema without such pointers, and within
    /// plain values.
    is_tracking: bool,
    arenas: Vec<(TypeId, Box<dyn Any>)>,
}

/// Handles of one type, from which counted pointers to objects are made: a `Vec` with a slot for
/// each object, by number.
#[derive(Debug)]
struct HandleList {
    of: TypeId,
    by_object: Box<dyn Any>,
}

/// The memory of an unused decoder, for the next one.
#[derive(Debug, Default)]
pub struct DecoderRoom {
    addresses: Vec<usize>,
    handles: Vec<HandleList>,
    path: Vec<ObjectId>,
    arenas: Vec<(TypeId, Box<dyn Any>)>,
}

impl<'l> Decoder<'l> {
    /// A decoder for forms of one coding, in the memory of an earlier one.
    pub fn in_room(coding: impl Into<FormCoding<'l>>, room: DecoderRoom) -> Self {
        let FormCoding { layout, tag_bits } = coding.into();
        let DecoderRoom { addresses, handles, path, arenas } = room;
        Decoder {
            layout,
            tag_width: tag_bits.width(),
            bits: BitReader::default(),
            addresses,
            handles,
            path,
            plain_depth: 0,
            is_tracking: layout.has_shared,
            arenas,
        }
    }

    /// Empties the decoder and returns its memory.
    pub fn into_room(mut self) -> DecoderRoom {
        self.end();
        let Decoder { addresses, handles, path, arenas, .. } = self;
        DecoderRoom { addresses, handles, path, arenas }
    }

    /// A decoder for forms of one coding, with room for heaps of `n_objects` objects.
    ///
    /// Up to that number it keeps no allocation of its own.
    pub fn new(coding: impl Into<FormCoding<'l>>, n_objects: usize) -> Self {
        let room = DecoderRoom {
            addresses: Vec::with_capacity(n_objects),
            handles: Vec::with_capacity(4),
            path: Vec::with_capacity(n_objects + 1),
            arenas: Vec::with_capacity(4),
        };
        Decoder::in_room(coding, room)
    }

    /// Starts to read `form`, behind its type tag.
    pub fn begin(&mut self, form: FormRef<'_>) {
        self.bits.begin(form.as_bytes());
        self.bits.get(self.tag_width);
        self.addresses.clear();
        self.path.clear();
        self.end();
        self.plain_depth = 0;
        self.is_tracking = self.layout.has_shared;
    }

    /// Releases everything held for the value that was read.
    fn end(&mut self) {
        // Most values need neither.
        if !self.handles.is_empty() {
            self.handles.clear();
        }
        if !self.arenas.is_empty() {
            self.arenas.clear();
        }
    }

    /// Reads a `bool` or a presence.
    #[inline]
    pub(crate) fn bit(&mut self) -> bool {
        self.bits.get(1) == 1
    }

    /// Reads a signed integer.
    #[inline]
    pub(crate) fn signed(&mut self) -> i64 {
        match self.int() {
            Ok(code) => code as i64 - 1,
            Err(zigzag) => (zigzag >> 1) as i64 ^ -((zigzag & 1) as i64),
        }
    }

    /// Reads an unsigned integer or a length.
    #[inline]
    pub fn unsigned(&mut self) -> u64 {
        match self.int() {
            Ok(value) | Err(value) => value,
        }
    }

    /// Short code, or the escaped value.
    #[inline(always)]
    fn int(&mut self) -> Result<u64, u64> {
        let width = self.layout.int_bits;
        let code = self.bits.get(width);
        if code < (1 << width) - 1 { Ok(code) } else { self.escaped_int() }
    }

    #[cold]
    fn escaped_int(&mut self) -> Result<u64, u64> {
        let size = self.bits.get(2);
        Err(self.bits.get(8 << size))
    }

    /// Reads a float's bits.
    pub(crate) fn float(&mut self, width: u32) -> u64 {
        self.bits.get(width)
    }

    /// Reads a text.
    ///
    /// # Errors
    /// If the bytes are not UTF-8, which no encoder writes.
    pub fn text(&mut self) -> Result<String, Undecodable> {
        let bytes = self.bytes();
        String::from_utf8(bytes).map_err(|_| Undecodable::new("the text is not UTF-8"))
    }

    /// Reads a text that need not be UTF-8.
    pub(crate) fn bytes(&mut self) -> Vec<u8> {
        let length = self.unsigned();
        (0..length).map(|_| self.bits.get(8) as u8).collect()
    }

    /// Reads a text and gives it to `change`, which may change bytes of it: those change in
    /// `words`, the words of the form, too.
    pub fn change_text(&mut self, words: &mut [u64], change: impl FnOnce(&mut [u8])) {
        let length = self.unsigned();
        let start = self.bits.position();
        let mut bytes: Vec<u8> = (0..length).map(|_| self.bits.get(8) as u8).collect();
        let before = bytes.clone();
        change(&mut bytes);
        for (index, (byte, before)) in bytes.into_iter().zip(before).enumerate() {
            let (word, shift) = ((start + 8 * index) / 64, (start + 8 * index) % 64);
            let changed = u128::from(byte ^ before) << shift;
            words[word] ^= changed as u64;
            if let Some(next) = words.get_mut(word + 1) {
                *next ^= (changed >> 64) as u64;
            }
        }
    }

    /// Reads which of `of` variants follows.
    pub fn variant(&mut self, of: u32) -> u32 {
        self.bits.get(bits_for(of as usize)) as u32
    }

    /// Returns whether field `index` of `class` was written.
    #[inline]
    pub(crate) fn has_field(&self, class: ClassKey, index: usize) -> bool {
        self.layout.takes_part(class, index)
    }

    /// Reads field `index` of `class`.
    ///
    /// # Errors
    /// If the field was omitted: its value is not known.
    #[inline(always)]
    pub fn field<T: Heap>(&mut self, class: ClassKey, index: usize) -> Result<T, Undecodable> {
        self.expect_field(class, index)?;
        T::decode(self)
    }

    /// Checks that field `index` of `class` was written.
    ///
    /// # Errors
    /// If the field was omitted: its value is not known.
    #[inline(always)]
    pub fn expect_field(&self, class: ClassKey, index: usize) -> Result<(), Undecodable> {
        let ClassKey { id, name, .. } = class;
        if self.layout.has_omitted { self.find_field(id, name, index) } else { Ok(()) }
    }

    /// Takes the class in parts, so that it is not written to memory as a whole before it is
    /// needed.
    #[cold]
    #[inline(never)]
    fn find_field(&self, id: TypeId, name: &'static str, index: usize) -> Result<(), Undecodable> {
        match self.has_field(ClassKey { id, name, size: 0 }, index) {
            true => Ok(()),
            false => Err(Undecodable::new(format!("a field of {name} is omitted"))),
        }
    }

    /// Begins an object that nothing else can point at; [`Decoder::leave`] ends it.
    pub(crate) fn begin_object(&mut self) {
        if self.is_tracking {
            self.path.push(ANONYMOUS);
        }
    }

    /// Begins an array or collection that nothing else points at; returns its length.
    pub(crate) fn begin_array(&mut self) -> usize {
        self.begin_object();
        self.unsigned() as usize
    }

    /// Reads a reference to an object that may be known already. After [`PointerTarget::New`] the
    /// object must be registered, its contents read, and [`Decoder::leave`] called.
    #[inline(always)]
    pub(crate) fn reach(&mut self) -> PointerTarget {
        if !self.is_tracking {
            return PointerTarget::New(ANONYMOUS);
        }
        let code = self.bits.peek(2);
        if code & 0b01 == 0 {
            self.bits.skip(1);
            let id = ObjectId(self.addresses.len());
            self.addresses.push(0);
            self.path.push(id);
            return PointerTarget::New(id);
        }
        self.bits.skip(2);
        if code & 0b10 == 0 {
            return PointerTarget::Known(self.path[self.path.len() - 2]);
        }
        PointerTarget::Known(ObjectId(self.bits.get(bits_for(self.addresses.len())) as usize))
    }

    /// Ends the object or array begun last.
    #[inline]
    pub(crate) fn leave(&mut self) {
        if self.is_tracking {
            self.path.pop();
        }
    }

    /// Registers an object by its address, or by its slot in an arena.
    #[inline]
    pub(crate) fn register_address(&mut self, id: ObjectId, address: usize) {
        if id != ANONYMOUS {
            // Shifted by one, because a slot may be 0.
            self.addresses[id.0] = address + 1;
        }
    }

    /// Registers an object by a handle from which more handles can be made (`Rc`, `Weak`).
    pub(crate) fn register_handle<H: 'static>(&mut self, id: ObjectId, handle: H) {
        if id == ANONYMOUS {
            return;
        }
        let by_object = self.handles_of::<H>();
        while by_object.len() <= id.0 {
            by_object.push(None);
        }
        by_object[id.0] = Some(handle);
    }

    fn handles_of<H: 'static>(&mut self) -> &mut Vec<Option<H>> {
        let of = TypeId::of::<H>();
        let at = self.handles.iter().position(|list| list.of == of).unwrap_or_else(|| {
            // Objects not met yet will have handles too.
            let room = 2 * self.addresses.len().max(8);
            let by_object = Box::new(Vec::<Option<H>>::with_capacity(room));
            self.handles.push(HandleList { of, by_object });
            self.handles.len() - 1
        });
        self.handles[at].by_object.downcast_mut().expect("the list is of this type")
    }

    /// The address of a known object.
    ///
    /// # Errors
    /// If the object was not made through a pointer that has one.
    #[inline]
    pub(crate) fn address(&self, id: ObjectId) -> Result<usize, Undecodable> {
        match self.addresses.get(id.0) {
            Some(&address) if address != 0 => Ok(address - 1),
            _ => Err(Undecodable::new("an object is owned by a pointer of another kind")),
        }
    }

    /// The newest handle of a known object, if there is one of type `H`.
    pub(crate) fn handle<H: 'static>(&self, id: ObjectId) -> Option<&H> {
        let list = self.handles.iter().find(|list| list.of == TypeId::of::<H>())?;
        let by_object: &Vec<Option<H>> = list.by_object.downcast_ref()?;
        by_object.get(id.0)?.as_ref()
    }

    /// Reads `T` with its pointers taken as plain values (see `#[heap(plain)]`).
    ///
    /// # Errors
    /// The errors of `T::decode`.
    pub fn plain<T: Heap>(&mut self) -> Result<T, Undecodable> {
        self.plain_depth += 1;
        self.is_tracking = false;
        let value = T::decode(self);
        self.plain_depth -= 1;
        self.is_tracking = self.layout.has_shared && self.plain_depth == 0;
        value
    }

    /// Opens an arena of `T` whose slots are filled by [`Decoder::link`].
    pub fn open_arena<T: Heap>(&mut self) {
        self.arenas.push((TypeId::of::<T>(), Box::new(Vec::<Option<T>>::new())));
    }

    /// Returns whether an arena of `T` is open.
    #[inline]
    pub(crate) fn has_arena<T: Heap>(&self) -> bool {
        self.arenas.iter().rev().any(|(id, _)| *id == TypeId::of::<T>())
    }

    /// Reads a link into the open arena of `T` and returns its slot. Slots are numbered in the
    /// order of first visit.
    ///
    /// Fails if no such arena is open, and as `T::decode` does.
    pub fn link<T: Heap>(&mut self) -> Result<usize, Undecodable> {
        match self.reach() {
            PointerTarget::Known(id) => self.address(id),
            PointerTarget::New(id) => {
                let slot = self.arena::<T>()?.len();
                self.arena::<T>()?.push(None);
                self.register_address(id, slot);
                let value = T::decode(self)?;
                self.leave();
                self.arena::<T>()?[slot] = Some(value);
                Ok(slot)
            }
        }
    }

    /// Closes the arena of `T` opened last.
    ///
    /// # Errors
    /// If none is open.
    pub fn close_arena<T: Heap>(&mut self) -> Result<Vec<T>, Undecodable> {
        let slots = std::mem::take(self.arena::<T>()?);
        let position = self.arenas.iter().rposition(|(id, _)| *id == TypeId::of::<T>());
        self.arenas.remove(position.expect("the arena was found a moment ago"));
        Ok(slots.into_iter().flatten().collect())
    }

    fn arena<T: Heap>(&mut self) -> Result<&mut Vec<Option<T>>, Undecodable> {
        self.arenas
            .iter_mut()
            .rev()
            .find_map(|(_, slots)| slots.downcast_mut())
            .ok_or_else(|| Undecodable::new("a link was read outside its arena"))
    }
}

/// Makes a value from its canonical form; the entry point for whole values.
///
/// # Errors
/// [`Undecodable`] if the type has no decoder or this value cannot be made by it.
pub fn decode_value<T: Heap>(decoder: &mut Decoder<'_>) -> Result<T, Undecodable> {
    let decoded = stoppable::<Undecodable, _>(|| T::decode(decoder));
    decoder.end();
    decoded.flatten()
}

/// Makes a value from its canonical form, which has no tag.
///
/// # Errors
/// [`Undecodable`] if the type has no decoder or this value cannot be made by it.
///
/// ```
/// use beget_heap::{canonical_form, decode_form, Bounds, Layout, Schema};
///
/// let bounds = Bounds::unlimited();
/// let layout = Layout::new(&Schema::of::<Vec<u8>>(), &bounds);
/// let form = canonical_form(&vec![3_u8, 1, 2], &bounds).unwrap();
/// assert_eq!(decode_form::<Vec<u8>>(&layout, &form).unwrap(), [3, 1, 2]);
/// ```
pub fn decode_form<'f, T: Heap>(
    layout: &Layout,
    form: impl Into<FormRef<'f>>,
) -> Result<T, Undecodable> {
    let mut decoder = Decoder::new(layout, 16);
    decoder.begin(form.into());
    decode_value(&mut decoder)
}
