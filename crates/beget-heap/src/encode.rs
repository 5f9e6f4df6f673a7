//! Canonical forms: the depth-first linearization of a rooted heap, packed into bits.
//!
//! The form is self-delimiting: it can be read back without its length, so no form is a proper
//! prefix of another and forms padded with zero bytes stay distinct. Written per item:
//!
//! - `bool` and presence: one bit; the variant of an enum: as many bits as its variants need;
//! - an integer: a few bits chosen from the scope (the values from -1, or 0, up to the scope's largest), or an escape,
//!   a size of 8, 16, 32 or 64 bits, and the value;
//! - a pointer that may be shared: `0` first visit, then the object; `10` the object that this one was
//!   discovered from; `11` and a number: another object seen before;
//! - a pointer that cannot be shared (`Box`, the buffer of a `Vec`) in a schema without shared pointers: nothing.
//!
//! Source: Politano et al. (FASE 2023), Figure 3 (`linearize`), scope check included. Departures: objects are
//! counted per class; references to the discoverer have a code of their own; the result is bits, not a list.

use std::collections::{BTreeMap, BTreeSet};

use ahash::AHashMap;

use crate::bits::BitWriter;
use crate::{ClassKey, Heap, Identity, Primitive, Schema, Walker};

/// The bounds of one run, by class name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Most objects of the classes named here.
    pub objects: BTreeMap<String, u32>,
    /// Most objects of every other class.
    pub other_objects: u32,
    /// Longest array or collection.
    pub arrays: u32,
    /// Longest text, in bytes.
    pub text: u32,
    /// The largest integer expected often; integers up to it are written short. No bound.
    pub common_int: u32,
    /// Fields left out, as (class, field).
    pub omitted: BTreeSet<(String, String)>,
}

impl Bounds {
    /// No bounds, nothing omitted.
    pub fn unlimited() -> Self {
        Bounds {
            objects: BTreeMap::new(),
            other_objects: u32::MAX,
            arrays: u32::MAX,
            text: u32::MAX,
            common_int: 11,
            omitted: BTreeSet::new(),
        }
    }

    /// At most `k` objects of each class and arrays of at most `k` elements.
    pub fn uniform(k: u32) -> Self {
        Bounds { other_objects: k, arrays: k, common_int: k, ..Bounds::unlimited() }
    }
}

#[derive(Clone, Debug)]
struct ClassLayout {
    key: ClassKey,
    bound: u32,
    /// Bit `i` is set if field `i` is left out. Decided here once, not per visit.
    omitted: Vec<bool>,
}

/// Bounds resolved against a schema: all that encoding and decoding must agree on.
#[derive(Clone, Debug)]
pub struct Layout {
    classes: Vec<ClassLayout>,
    pub(crate) has_shared: bool,
    has_omitted: bool,
    arrays: u32,
    text: u32,
    pub(crate) int_bits: u32,
}

impl Layout {
    /// Resolves `bounds` for the classes of `schema`.
    pub fn new(schema: &Schema, bounds: &Bounds) -> Self {
        let classes: Vec<_> =
            schema.classes().iter().map(|class| class_layout(class, bounds)).collect();
        let has_omitted = classes.iter().any(|class| class.omitted.contains(&true));
        // The codes are -1..=common_int and the escape.
        let int_bits = bits_for(bounds.common_int as usize + 3).min(32);
        Layout {
            classes,
            has_shared: schema.has_shared(),
            has_omitted,
            arrays: bounds.arrays,
            text: bounds.text,
            int_bits,
        }
    }

    /// The position of a class in the schema that this layout was made from.
    #[inline(always)]
    pub(crate) fn index_of(&self, class: ClassKey) -> usize {
        match self.classes.iter().position(|known| known.key == class) {
            Some(index) => index,
            None => unknown_class(class),
        }
    }

    #[inline(always)]
    pub(crate) fn takes_part(&self, class: ClassKey, field: usize) -> bool {
        !self.has_omitted || !self.is_omitted(class, field)
    }

    /// Whether some field is left out by the bounds, so that the form does not hold the whole value.
    pub fn has_omitted(&self) -> bool {
        self.has_omitted
    }

    fn is_omitted(&self, class: ClassKey, field: usize) -> bool {
        self.classes[self.index_of(class)].omitted.get(field).copied().unwrap_or(false)
    }
}

#[cold]
fn unknown_class(class: ClassKey) -> ! {
    panic!(
        "class {} was walked but not described: `Heap::describe` must mention every class that `walk` enters",
        class.name
    )
}

fn class_layout(class: &crate::Class, bounds: &Bounds) -> ClassLayout {
    let name = class.key.name;
    let omits =
        |field: &crate::Field| bounds.omitted.contains(&(name.to_owned(), field.name.to_owned()));
    ClassLayout {
        key: class.key,
        bound: bounds.objects.get(name).copied().unwrap_or(bounds.other_objects),
        omitted: class.fields.iter().map(omits).collect(),
    }
}

/// Which bound a heap passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutOfScope {
    /// More objects of one class than allowed.
    Objects(&'static str),
    /// An array or collection longer than allowed.
    Array(usize),
    /// A text longer than allowed, in bytes.
    Text(usize),
}

impl std::fmt::Display for OutOfScope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            OutOfScope::Objects(class) => write!(f, "too many objects of class {class}"),
            OutOfScope::Array(length) => write!(f, "an array of {length} elements is too long"),
            OutOfScope::Text(length) => write!(f, "a text of {length} bytes is too long"),
        }
    }
}

/// A canonical form lent by an [`Encoder`]: little-endian words, zero-padded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form<'e> {
    /// The bits, in words of 64.
    pub words: &'e [u64],
    /// The length in bytes.
    pub len: usize,
}

impl Form<'_> {
    /// Appends the form's bytes to `bytes`.
    pub fn append_to(&self, bytes: &mut Vec<u8>) {
        let end = bytes.len() + self.len;
        self.words.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
        bytes.truncate(end);
    }

    /// The form as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(self.len);
        bytes
    }
}

/// Heaps up to this many objects are searched by a scan of their addresses, larger ones by a map.
const SCANNED_OBJECTS: usize = 24;

/// The walker that writes canonical forms. Reusable: its buffers stay allocated between values.
#[derive(Debug)]
pub struct Encoder<'l> {
    layout: &'l Layout,
    bits: BitWriter,
    counts: Vec<u32>,
    /// Address and class of each numbered object, in numbering order.
    visited: Vec<ObjectKey>,
    by_key: AHashMap<ObjectKey, usize>,
    /// The objects being visited, outermost first. Only kept when pointers may be shared.
    path: Vec<ObjectKey>,
    stopped: Option<OutOfScope>,
}

/// Address and class: two objects of different classes may start at one address.
type ObjectKey = (usize, usize);

/// The path entry of objects that nothing else can point at.
const ANONYMOUS: ObjectKey = (0, usize::MAX);

impl<'l> Encoder<'l> {
    /// An encoder for values of the schema and bounds that `layout` was made from.
    pub fn new(layout: &'l Layout) -> Self {
        Encoder {
            layout,
            bits: BitWriter::default(),
            counts: vec![0; layout.classes.len()],
            visited: Vec::new(),
            by_key: AHashMap::new(),
            path: Vec::new(),
            stopped: None,
        }
    }

    /// Writes the canonical form of `value`.
    ///
    /// # Errors
    /// [`OutOfScope`] as soon as a bound is passed; the rest of the heap is not visited.
    pub fn encode<T: Heap>(&mut self, value: &T) -> Result<Form<'_>, OutOfScope> {
        self.begin(0, 0);
        value.walk(self);
        self.finish()
    }

    /// Forgets the previous value and starts a form with a tag of `width` bits, which tells
    /// values of several types apart in one store.
    #[inline]
    pub fn begin(&mut self, tag: u64, width: u32) {
        self.bits.clear();
        self.counts.fill(0);
        self.visited.clear();
        self.path.clear();
        self.stopped = None;
        if !self.by_key.is_empty() {
            self.by_key.clear();
        }
        self.bits.put(tag, width);
    }

    /// Ends the form begun last.
    ///
    /// # Errors
    /// [`OutOfScope`] if the walk passed a bound.
    #[inline]
    pub fn finish(&mut self) -> Result<Form<'_>, OutOfScope> {
        if let Some(reason) = self.stopped {
            return Err(reason);
        }
        let (words, len) = self.bits.finish();
        Ok(Form { words, len })
    }

    /// How many objects of class number `class` of the schema the last walk met.
    pub fn objects_of(&self, class: usize) -> u32 {
        self.counts[class]
    }

    #[inline(always)]
    fn count(&mut self, class: usize) -> bool {
        self.counts[class] += 1;
        if self.counts[class] > self.layout.classes[class].bound {
            self.stopped = Some(OutOfScope::Objects(self.layout.classes[class].key.name));
            return false;
        }
        true
    }

    #[inline(always)]
    fn int(&mut self, code: u64, raw: u64) {
        let width = self.layout.int_bits;
        let escape = (1_u64 << width) - 1;
        if code < escape {
            self.bits.put(code, width);
        } else {
            self.escaped_int(escape, raw);
        }
    }

    #[cold]
    fn escaped_int(&mut self, escape: u64, raw: u64) {
        self.bits.put(escape, self.layout.int_bits);
        let needed = 64 - raw.leading_zeros();
        let size = [8, 16, 32].iter().filter(|&&limit| needed > limit).count() as u64;
        self.bits.put(size, 2);
        self.bits.put(raw, 8 << size);
    }

    fn text(&mut self, text: &str) {
        if text.len() > self.layout.text as usize {
            self.stop(OutOfScope::Text(text.len()));
            return;
        }
        self.int(text.len() as u64, text.len() as u64);
        for byte in text.bytes() {
            self.bits.put(u64::from(byte), 8);
        }
    }

    #[cold]
    fn stop(&mut self, reason: OutOfScope) {
        self.stopped.get_or_insert(reason);
    }

    /// Writes a reference to an object that may have been met before. Returns whether it is new.
    #[inline(always)]
    fn refer(&mut self, key: ObjectKey) -> bool {
        let depth = self.path.len();
        if depth >= 2 && self.path[depth - 2] == key {
            self.bits.put(0b01, 2);
            return false;
        }
        if let Some(index) = self.find(key) {
            self.bits.put(0b11, 2);
            self.bits.put(index as u64, bits_for(self.visited.len()));
            return false;
        }
        self.bits.put(0, 1);
        self.number(key);
        true
    }

    #[inline(always)]
    fn find(&self, key: ObjectKey) -> Option<usize> {
        if self.visited.len() <= SCANNED_OBJECTS {
            self.visited.iter().position(|&seen| seen == key)
        } else {
            self.by_key.get(&key).copied()
        }
    }

    #[inline(always)]
    fn number(&mut self, key: ObjectKey) {
        self.visited.push(key);
        if self.visited.len() > SCANNED_OBJECTS {
            self.number_in_map();
        }
    }

    #[cold]
    fn number_in_map(&mut self) {
        for index in self.by_key.len()..self.visited.len() {
            self.by_key.insert(self.visited[index], index);
        }
    }
}

impl Walker for Encoder<'_> {
    #[inline(always)]
    fn primitive(&mut self, value: Primitive<'_>) {
        match value {
            Primitive::Bool(value) | Primitive::Present(value) => self.bits.put(value.into(), 1),
            Primitive::Signed(value) => {
                let zigzag = ((value << 1) ^ (value >> 63)) as u64;
                self.int(value.wrapping_add(1) as u64, zigzag);
            }
            Primitive::Unsigned(value) => self.int(value, value),
            Primitive::Float(bits, width) => self.bits.put(bits, width),
            Primitive::Text(text) => self.text(text),
            Primitive::Variant { index, of, .. } => {
                self.bits.put(u64::from(index), bits_for(of as usize));
            }
            Primitive::Length(length) => {
                if length > self.layout.arrays as usize {
                    self.stop(OutOfScope::Array(length));
                } else {
                    self.int(length as u64, length as u64);
                }
            }
        }
    }

    #[inline(always)]
    fn enter(&mut self, class: ClassKey, identity: Identity) -> bool {
        if self.stopped.is_some() {
            return false;
        }
        let class = self.layout.index_of(class);
        if self.layout.has_shared {
            let key = match identity {
                Identity::Unique => ANONYMOUS,
                Identity::Owned(address) | Identity::Shared(address) => {
                    let key = (address, class);
                    if !self.refer(key) {
                        return false;
                    }
                    key
                }
            };
            self.path.push(key);
        }
        self.count(class)
    }

    #[inline(always)]
    fn leave(&mut self) {
        self.path.pop();
    }

    #[inline(always)]
    fn field(&mut self, class: ClassKey, index: usize) -> bool {
        self.layout.takes_part(class, index)
    }
}

/// The bits needed to tell `n` values apart: the smallest `b` with `2^b >= n`.
#[inline(always)]
pub(crate) fn bits_for(n: usize) -> u32 {
    usize::BITS - n.saturating_sub(1).leading_zeros()
}

/// The canonical form of one value, for tests and small uses; the engine keeps an [`Encoder`].
///
/// # Errors
/// [`OutOfScope`] if the value passes a bound.
pub fn canonical_form<T: Heap>(value: &T, bounds: &Bounds) -> Result<Vec<u8>, OutOfScope> {
    let layout = Layout::new(&Schema::of::<T>(), bounds);
    let form = Encoder::new(&layout).encode(value)?.to_bytes();
    Ok(form)
}
