//! Canonical forms: the depth-first linearization of a rooted heap, packed into bits.
//!
//! The form is self-delimiting: it can be read back without its length, so no form is a proper
//! prefix of another and forms padded with zero bytes stay distinct. Written per item:
//!
//! - `bool` and presence: one bit; the variant of an enum: as many bits as its variants need;
//! - an integer: a few bits chosen from the scope (the values from -1, or 0, up to the scope's
//!   largest), or an escape, a size of 8, 16, 32 or 64 bits, and the value;
//! - a pointer that may be shared: `0` first visit, then the object; `10` the object that this one
//!   was discovered from; `11` and a number: another object seen before;
//! - a pointer that cannot be shared (`Box`, the buffer of a `Vec`) in a schema without shared
//!   pointers: nothing.
//!
//! Source: Politano et al. (FASE 2023), Figure 3 (`linearize`), scope check included. Departures:
//! objects are counted per class; references to the discoverer have a code of their own; the result
//! is bits, not a list.
//!
//! # Decisions
//!
//! - **Ties** are keys of hash containers that have equal forms but are not equal. A walk that
//!   meets some (`Walker::ties`) is recorded and replayed in the order that
//!   `crates/beget-heap/src/ties/search.rs` finds: refinement of colours, parts one by one, then
//!   individualisation. It does not prune by automorphisms, because the bound (`MOST_BRANCHES`)
//!   must not depend on the order in which a map is met. Beyond it `PassedBound::Undecided` ends
//!   the run with `StopReason::Undecided` (`Executor::is_undecided`). Layouts without such contents
//!   (`Layout::can_tie`) skip all this.
//! - The result is **bits**, not a list of tokens. It is self-delimiting: no form is a prefix of
//!   another, so forms padded with zeros stay distinct. That lets the store keep forms at a fixed
//!   stride. Only the types of `crates/beget-heap/src/form.rs` know of this padding: `Form` (lent
//!   by an encoder), `FormRef` (lent by a store) and `CanonicalForm` (owned) compare without it.
//!   `Plan::coding` has the layout and type tag that code the forms of a plan.
//! - **Integers have a width from the scope**: enough bits for -1 (0 for unsigned ones) up to the
//!   largest literal, and an escape for all others. At k = 8 most forms fit in two words.
//! - A pointer that may be shared is `0` (first visit, the object follows), `10` (the object that
//!   this one was discovered from: the usual target of a back link) or `11` and a number. Where a
//!   schema has only owning pointers, nothing is written and no table of addresses is kept.
//! - Bounds are **per class** and are checked in the walk, which stops as soon as one is passed. A
//!   root stored in place counts as an object of its class, which matters where pointers lead to
//!   that class too.
//! - **Integers are bounded too**, or any counter in a field would make a scope endless. Where the
//!   scope file has no rule (`fields`), the ranges are those of its literals, widened by its counts
//!   and by the integers that constructors leave: `crates/beget-run/src/integers.rs` runs level 1
//!   first to find these. The common case costs the encoder nothing: all integers below
//!   `Layout::plain_codes` are allowed and written short by one comparison. Rules of single fields
//!   need the field, so a separate walker checks them. Searches from a repOK take integers from its
//!   domains and have no ranges.
//! - **The bound passed first** is counted for each call out of scope (`Report::passed`). A walk
//!   that stops at an integer is repeated by the walker that knows fields, so calls in scope pay
//!   nothing. The growth of structures during a run (`crates/beget-run/src/growth.rs`) is an
//!   empirical observation on a sample of its structures, made after two seconds and at the end.
//! - Objects are known by address **and size**: a struct and its first field share an address.
//! - Fields left out by the scope are decided once per class, as bits. A type with such fields is
//!   not decoded, because its form does not hold the whole value.
//!
//! petgraph's isomorphism test is the oracle for all this in
//! `crates/beget/tests/it/isomorphism.rs`.

use std::any::TypeId;

use crate::bits::{BitWriter, bits_for};
use crate::form::{CanonicalForm, Form, FormCoding};
use crate::ids::{Ids, ObjectKey, object_key};
use crate::layout::IntRule;
use crate::path::{ANONYMOUS, WalkPath};
use crate::root::{AnyRoot, WalkRoot};
use crate::template::{NotedInt, Template};
use crate::ties::RecordedWalk;
use crate::{Bounds, ClassKey, Heap, Identity, Layout, Primitive, Schema, Walker};

/// The bound that a heap passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutOfScope {
    /// More objects of one class than allowed.
    Objects(&'static str),
    /// An array or collection longer than allowed.
    Array(usize),
    /// A text longer than allowed, in bytes.
    Text(usize),
    /// An integer that is not in its range.
    Int(i128),
    /// No bound of the scope: unordered contents tie, and breaking the ties would take too long.
    Undecided,
}

/// The bound of a layout that a heap passed, by positions in the schema: a countable form of
/// [`OutOfScope`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PassedBound {
    /// That of the objects of a class.
    Objects {
        /// The class.
        class: u16,
    },
    /// That of the length of arrays.
    Arrays,
    /// That of the length of texts.
    Texts,
    /// The range of an integer in a field. Reported only by walks that [know of
    /// fields](Encoder::name_passed).
    Field {
        /// The class of the field.
        class: u16,
        /// Its position there.
        field: u16,
    },
    /// The range of an integer that is in no field, or in an unknown one.
    Ints,
    /// The bound on the structures taken from a returned list. No walk passes it.
    Returned,
    /// No bound of a scope: see [`OutOfScope::Undecided`].
    Undecided,
}

impl std::fmt::Display for OutOfScope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            OutOfScope::Objects(class) => write!(f, "too many objects of class {class}"),
            OutOfScope::Array(length) => write!(f, "an array of {length} elements is too long"),
            OutOfScope::Text(length) => write!(f, "a text of {length} bytes is too long"),
            OutOfScope::Int(value) => write!(f, "the integer {value} is outside its range"),
            OutOfScope::Undecided => {
                f.write_str("contents in no order tie in too many ways to be told apart")
            }
        }
    }
}

/// The walker that writes canonical forms. Reusable: its buffers stay allocated between values.
#[derive(Debug)]
pub struct Encoder<'l> {
    layout: &'l Layout,
    tag_width: u32,
    bits: BitWriter,
    /// The class with most objects, as far as its type shows. It is counted here, down from its
    /// bound. No class once a bound is passed.
    hot_class: TypeId,
    hot_remaining: u32,
    /// Objects of all other classes.
    counts: Vec<u32>,
    /// True if objects of other classes were counted.
    has_counted: bool,
    has_shared: bool,
    ids: Ids,
    /// The path to the object being visited. Only kept when pointers may be shared.
    path: WalkPath,
    /// The address from which integers are noted in `ints`: [`NOWHERE`] for none.
    note_from: usize,
    /// The nesting depth of sorted parts. Integers in them are not noted, because they decide the
    /// order.
    n_sorted: u32,
    ints: Vec<NotedInt>,
    stopped: Option<OutOfScope>,
    /// The bound that was passed, if one was.
    passed: PassedBound,
    /// True if walks know of fields, which is needed when fields have rules of their own.
    knows_fields: bool,
    /// True if a plain walk is not enough: fields have rules, or ties are possible.
    is_special: bool,
    /// True if unordered contents have tied.
    has_ties: bool,
    /// The field being shown; kept only by walks that know of fields.
    place: FieldPlace,
}

/// The memory of an unused encoder, for the next one.
#[derive(Debug, Default)]
pub struct EncoderRoom {
    bits: BitWriter,
    counts: Vec<u32>,
    ids: Ids,
    path: WalkPath,
    ints: Vec<NotedInt>,
}

/// The class of no object.
struct NoClass;

/// No object lies there.
const NOWHERE: usize = usize::MAX;

impl<'l> Encoder<'l> {
    /// An encoder for values of the schema and bounds that `coding` was made from.
    pub fn new(coding: impl Into<FormCoding<'l>>) -> Self {
        Encoder::in_room(coding, EncoderRoom::default())
    }

    /// Like [`Encoder::new`], in the memory of an earlier encoder.
    pub fn in_room(coding: impl Into<FormCoding<'l>>, room: EncoderRoom) -> Self {
        let FormCoding { layout, tag_bits } = coding.into();
        let EncoderRoom { bits, mut counts, ids, path, ints } = room;
        counts.clear();
        counts.resize(layout.classes.len(), 0);
        Encoder {
            layout,
            tag_width: tag_bits.width(),
            bits,
            hot_class: layout.positions.first().map_or(TypeId::of::<NoClass>(), |(id, _)| *id),
            hot_remaining: 0,
            counts,
            has_counted: false,
            has_shared: layout.has_shared,
            ids,
            path,
            note_from: NOWHERE,
            n_sorted: 0,
            ints,
            stopped: None,
            passed: PassedBound::Ints,
            knows_fields: needs_fields(layout),
            is_special: is_special(layout),
            has_ties: false,
            place: FieldPlace::NONE,
        }
    }

    /// The layout by which forms are written.
    pub fn layout(&self) -> &'l Layout {
        self.layout
    }

    /// Returns its memory, for another encoder.
    pub fn into_room(self) -> EncoderRoom {
        let Encoder { bits, counts, ids, path, ints, .. } = self;
        EncoderRoom { bits, counts, ids, path, ints }
    }

    /// Writes the canonical form of `value`, with tag 0.
    ///
    /// # Errors
    /// [`OutOfScope`] as soon as a bound is passed; the rest of the heap is not visited.
    pub fn encode<R: WalkRoot>(&mut self, value: &R) -> Result<Form<'_>, OutOfScope> {
        self.encode_any(value)
    }

    /// Like [`Encoder::encode`].
    pub(crate) fn encode_any(&mut self, value: &dyn AnyRoot) -> Result<Form<'_>, OutOfScope> {
        self.begin(0);
        let (class, is_object) = value.class();
        self.count_root(class, is_object);
        self.walk_specially(value);
        self.finish()
    }

    /// Walks `value` into the form begun.
    #[inline]
    pub fn walk<R: WalkRoot>(&mut self, value: &R) {
        if !self.layout.counted_roots.is_empty() {
            self.count_root(value.root_class(), value.is_object());
        }
        if self.is_special {
            self.walk_specially(value);
        } else {
            value.walk_root(self);
        }
    }

    /// A walk that knows of fields, or that may meet ties. Ties are broken after a first walk has
    /// met one.
    #[inline(never)]
    fn walk_specially(&mut self, value: &dyn AnyRoot) {
        let is_first = self.bits.position() == self.tag_width;
        self.has_ties &= !is_first;
        let had_ties = self.has_ties;
        match self.knows_fields {
            true => value.encode_fields(&mut self.with_fields()),
            false => value.encode(self),
        }
        if self.has_ties {
            // Several values in one form may share objects, which a single walk does not show.
            match is_first && !had_ties {
                true => self.break_ties(value),
                false => self.stop_undecided(),
            }
        }
    }

    /// Writes the form of a value again, with its contents in the order that breaks their ties.
    #[cold]
    #[inline(never)]
    fn break_ties(&mut self, value: &dyn AnyRoot) {
        let recorded = RecordedWalk::of(self.layout, value);
        let Ok(order) = recorded.order() else { return self.stop_undecided() };
        self.restart();
        let (class, is_object) = value.class();
        self.count_root(class, is_object);
        // No integer is noted, because any of them may have decided the order.
        self.n_sorted += 1;
        match self.knows_fields {
            true => recorded.replay(&order, &mut self.with_fields()),
            false => recorded.replay(&order, self),
        }
        self.n_sorted -= 1;
    }

    fn with_fields(&mut self) -> FieldEncoder<'_, 'l> {
        self.place = FieldPlace::NONE;
        FieldEncoder { encoder: self, places: Vec::new() }
    }

    /// Discards everything written after the tag.
    fn restart(&mut self) {
        self.bits.keep_first(self.tag_width);
        self.counts.fill(0);
        self.hot_remaining = self.layout.hot_bound;
        self.stopped = None;
        self.ids.clear();
        self.path.clear();
        self.ints.clear();
        self.n_sorted = 0;
    }

    /// Stops the form as undecided: its contents tie.
    #[cold]
    pub fn stop_undecided(&mut self) {
        self.stop(OutOfScope::Undecided, PassedBound::Undecided);
    }

    /// Forgets the previous value and starts a form with a type tag, which distinguishes the types
    /// in one store.
    #[inline]
    pub fn begin(&mut self, tag: u64) {
        self.note_from = NOWHERE;
        self.bits.clear();
        if self.has_counted {
            self.counts.fill(0);
            self.has_counted = false;
        }
        self.hot_remaining = self.layout.hot_bound;
        self.stopped = None;
        if self.has_shared {
            self.ids.clear();
            self.path.clear();
        }
        self.bits.put(tag, self.tag_width);
    }

    /// Like [`Encoder::begin`], and notes where integers lie in memory and in the form, for a
    /// [`Template`]. Integers before the address `from` are not noted: if they change, a walk is
    /// needed.
    ///
    /// An object beyond the bounds still shows its fields, so that they are noted too.
    pub fn begin_recording(&mut self, tag: u64, from: usize) {
        self.begin(tag);
        // Integers that begin before the address and extend past it are noted, too.
        self.note_from = from.saturating_sub(size_of::<u64>());
        self.n_sorted = 0;
        self.ints.clear();
    }

    /// The bound that the last walk passed first, if any. The field of an integer is known only if
    /// the layout has rules for fields; otherwise use [`Encoder::name_passed`].
    pub fn passed(&self) -> Option<PassedBound> {
        self.stopped.map(|_| self.passed)
    }

    /// The bound that `walk` passes first, with the field of an integer. Slower than other walks,
    /// and leaves no form.
    pub fn name_passed(&mut self, tag: u64, walk: impl FnOnce(&mut Self)) -> Option<PassedBound> {
        self.begin(tag);
        (self.knows_fields, self.is_special) = (true, true);
        walk(self);
        self.knows_fields = needs_fields(self.layout);
        self.is_special = is_special(self.layout);
        self.passed()
    }

    /// Turns the recorded walk that was finished last into a template: its form of `len` bytes, or
    /// that it was out of scope.
    pub fn keep_template(&mut self, len: usize, template: &mut Template) {
        template.is_in_scope = self.stopped.is_none();
        template.words.clear();
        template.words.extend_from_slice(self.bits.words());
        template.len = len;
        template.take_ints(&mut self.ints);
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

    /// The number of objects of class number `class` of the schema in the last walk, which was in
    /// scope.
    pub fn objects_of(&self, class: usize) -> u32 {
        match self.layout.positions.first() {
            Some((_, hot)) if *hot == class => self.layout.hot_bound - self.hot_remaining,
            _ => self.counts[class],
        }
    }

    /// Counts an object. Once a bound is passed no more objects are entered, so the walk ends soon.
    #[inline(always)]
    fn count(&mut self, class: ClassKey) -> bool {
        // The class is passed in parts: as a whole it would be written to memory for each object.
        let ClassKey { id, name, .. } = class;
        if self.hot_class == id {
            return match self.hot_remaining.checked_sub(1) {
                Some(remaining) => {
                    self.hot_remaining = remaining;
                    true
                }
                None => self.stopped.is_none() && self.stop_at_object(id, name),
            };
        }
        self.count_other(id, name)
    }

    /// Counts the root, if it is an object itself and not a pointer to one.
    fn count_root(&mut self, class: ClassKey, is_object: bool) {
        if is_object && self.layout.counted_roots.contains(&class) {
            self.count(class);
        }
    }

    #[inline(never)]
    fn count_other(&mut self, id: TypeId, name: &'static str) -> bool {
        let index = self.layout.index_of(ClassKey { id, name, size: 0 });
        self.counts[index] += 1;
        self.has_counted = true;
        if self.counts[index] > self.layout.bounds[index] {
            return self.stop_at_object(id, name);
        }
        self.stopped.is_none()
    }

    /// Returns whether the object's fields are still to be shown.
    #[cold]
    #[inline(never)]
    fn stop_at_object(&mut self, id: TypeId, name: &'static str) -> bool {
        let is_first = self.stopped.is_none();
        let index = self.layout.index_of(ClassKey { id, name, size: 0 });
        let passed = PassedBound::Objects { class: index as u16 };
        self.stop(OutOfScope::Objects(self.layout.classes[index].name), passed);
        is_first && self.note_from != NOWHERE
    }

    /// Notes an integer. Callers know its kind, so that after inlining only the call below is left.
    #[inline(always)]
    fn note(&mut self, address: usize, size: usize, value: Primitive<'_>) {
        let size = size as u16;
        match value {
            Primitive::Signed(value) => self.note_int(address, size, value as u64, true, 0),
            Primitive::PresentSigned(value) => self.note_int(address, size, value as u64, true, 1),
            Primitive::Unsigned(value) => self.note_int(address, size, value, false, 0),
            _ => {}
        }
    }

    /// Notes an integer whose code begins `before` bits from here.
    #[inline(never)]
    fn note_int(&mut self, address: usize, n_bytes: u16, value: u64, is_signed: bool, before: u32) {
        let code = value.wrapping_add(is_signed.into());
        if self.n_sorted == 0 && code < self.layout.plain_codes {
            let bit = self.bits.position() + before;
            let int = NotedInt { address, value, bit, n_bytes, is_signed };
            // Out of line, so that the common path saves no registers for it.
            if self.ints.len() == self.ints.capacity() {
                return self.note_growing(int);
            }
            self.ints.push(int);
        }
    }

    #[cold]
    #[inline(never)]
    fn note_growing(&mut self, int: NotedInt) {
        self.ints.push(int);
    }

    #[inline(always)]
    fn signed(&mut self, value: i64, before: u64, before_width: u32) {
        let code = value.wrapping_add(1) as u64;
        if code < self.layout.plain_codes {
            let width = self.layout.int_bits;
            self.bits.put(before | code << before_width, before_width + width);
        } else {
            let zigzag = ((value << 1) ^ (value >> 63)) as u64;
            self.check_int(value.into());
            self.int(code, zigzag, before, before_width);
        }
    }

    #[inline(always)]
    fn unsigned(&mut self, value: u64) {
        if value < self.layout.plain_codes {
            self.bits.put(value, self.layout.int_bits);
        } else {
            self.check_int(value.into());
            self.int(value, value, 0, 0);
        }
    }

    /// Stops if no rule allows the integer. Where fields have rules of their own, [`FieldEncoder`]
    /// has asked already.
    #[cold]
    #[inline(never)]
    fn check_int(&mut self, value: i128) {
        if !self.layout.has_field_rules() && !self.layout.allows(IntRule::OTHERS, value) {
            self.stop_at_int(value);
        }
    }

    #[cold]
    fn stop_at_int(&mut self, value: i128) {
        self.stop(OutOfScope::Int(value), self.place.passed());
    }

    /// Writes a number after the bits of `before`: its short code, or the escape and `raw`.
    #[inline(always)]
    fn int(&mut self, code: u64, raw: u64, before: u64, before_width: u32) {
        let width = self.layout.int_bits;
        if code < self.layout.escape {
            self.bits.put(before | code << before_width, before_width + width);
        } else {
            self.bits.put(before, before_width);
            self.escaped_int(raw);
        }
    }

    #[inline(always)]
    fn escaped_int(&mut self, raw: u64) {
        let width = self.layout.int_bits;
        if raw < 1 << 8 {
            self.bits.put(self.layout.escape | raw << (width + 2), width + 10);
        } else {
            self.long_int(raw);
        }
    }

    /// Writes a number of more than eight bits.
    #[cold]
    #[inline(never)]
    fn long_int(&mut self, raw: u64) {
        let needed = 64 - raw.leading_zeros();
        let size = 1 + u64::from(needed > 16) + u64::from(needed > 32);
        let width = self.layout.int_bits;
        self.bits.put(self.layout.escape | size << width, width + 2);
        self.bits.put(raw, 8 << size);
    }

    fn text(&mut self, text: &[u8]) {
        if text.len() > self.layout.text as usize {
            self.stop(OutOfScope::Text(text.len()), PassedBound::Texts);
        } else {
            self.bytes(text);
        }
    }

    fn bytes(&mut self, text: &[u8]) {
        self.int(text.len() as u64, text.len() as u64, 0, 0);
        for &byte in text {
            self.bits.put(u64::from(byte), 8);
        }
    }

    #[cold]
    fn stop(&mut self, reason: OutOfScope, passed: PassedBound) {
        if self.stopped.is_none() {
            self.stopped = Some(reason);
            self.passed = passed;
            self.hot_remaining = 0;
        }
    }

    /// Writes a reference to an object that may have been met before, after the `width` bits of
    /// `before`. Returns whether the object is new.
    #[inline(always)]
    fn refer(&mut self, key: ObjectKey, before: u64, width: u32) -> bool {
        if self.path.discoverer() == key {
            self.bits.put(before | 0b01 << width, width + 2);
            return false;
        }
        match self.ids.find_or_number(key) {
            Some(id) => {
                let id_bits = bits_for(self.ids.len() as usize);
                self.bits.put(before | (u64::from(id) << 2 | 0b11) << width, width + 2 + id_bits);
                false
            }
            None => {
                self.bits.put(before, width + 1);
                true
            }
        }
    }

    /// Enters an object; the `width` bits of `before` are written first.
    #[inline(always)]
    fn enter_after(
        &mut self,
        class: ClassKey,
        identity: Identity,
        before: u64,
        width: u32,
    ) -> bool {
        self.enter_uncounted(class, identity, before, width) && self.count(class)
    }

    /// Like [`Encoder::enter_after`], for an object that is counted elsewhere, if at all.
    #[inline(always)]
    fn enter_uncounted(
        &mut self,
        class: ClassKey,
        identity: Identity,
        before: u64,
        width: u32,
    ) -> bool {
        if !self.has_shared {
            self.bits.put(before, width);
            return true;
        }
        let key = match identity {
            Identity::Unique => {
                self.bits.put(before, width);
                ANONYMOUS
            }
            Identity::Owned(address) | Identity::Shared(address) => {
                let key = object_key(address, class.size);
                if !self.refer(key, before, width) {
                    return false;
                }
                key
            }
        };
        self.path.enter(key);
        true
    }
}

impl Walker for Encoder<'_> {
    #[inline(always)]
    fn primitive(&mut self, value: Primitive<'_>) {
        match value {
            Primitive::Bool(value) | Primitive::Present(value) => self.bits.put(value.into(), 1),
            Primitive::Signed(value) => self.signed(value, 0, 0),
            Primitive::Unsigned(value) => self.unsigned(value),
            Primitive::Word(value) => self.int(value, value, 0, 0),
            Primitive::PresentSigned(value) => self.signed(value, 1, 1),
            Primitive::Float(bits, width) => self.bits.put(bits, width),
            Primitive::Text(text) => self.text(text.as_bytes()),
            Primitive::Bytes(bytes) => self.text(bytes),
            Primitive::Shown(text) => self.bytes(text.as_bytes()),
            Primitive::Variant { index, of, .. } => {
                self.bits.put(u64::from(index), bits_for(of as usize));
            }
            Primitive::Length(length) => {
                if length > self.layout.arrays as usize {
                    self.stop(OutOfScope::Array(length), PassedBound::Arrays);
                } else {
                    self.int(length as u64, length as u64, 0, 0);
                }
            }
        }
    }

    #[inline(always)]
    fn enter(&mut self, class: ClassKey, identity: Identity) -> bool {
        self.enter_after(class, identity, 0, 0)
    }

    #[inline(always)]
    fn enter_around(&mut self, class: ClassKey, identity: Identity) -> bool {
        self.enter_uncounted(class, identity, 0, 0) && self.stopped.is_none()
    }

    #[inline(always)]
    fn enter_present(&mut self, class: ClassKey, identity: Identity) -> bool {
        self.enter_after(class, identity, 1, 1)
    }

    #[inline(always)]
    fn leave(&mut self) {
        if self.has_shared {
            self.path.leave();
        }
    }

    /// Shows elements out of scope only where integers are noted, as theirs count too.
    #[inline(always)]
    fn length(&mut self, length: usize) -> bool {
        self.primitive(Primitive::Length(length));
        length <= self.layout.arrays as usize || self.note_from != NOWHERE
    }

    #[inline(always)]
    fn int_at(&mut self, address: usize, size: usize, value: Primitive<'_>) {
        if address >= self.note_from {
            self.note(address, size, value);
        }
        self.primitive(value);
    }

    fn begin_sorted(&mut self) {
        self.n_sorted += 1;
    }

    fn end_sorted(&mut self) {
        self.n_sorted -= 1;
    }

    fn ties(&mut self) {
        self.has_ties = true;
        if !self.layout.can_tie {
            // The type has not described everything that it shows.
            self.stop_undecided();
        }
    }

    /// All fields take part by the same rule. Otherwise [`Encoder::walk`] uses another walker.
    #[inline(always)]
    fn field(&mut self, _: ClassKey, _: usize) -> bool {
        true
    }
}

/// Returns whether a plain walk is not enough.
fn is_special(layout: &Layout) -> bool {
    needs_fields(layout) || layout.can_tie
}

/// Returns whether walks must know of fields.
fn needs_fields(layout: &Layout) -> bool {
    layout.has_omitted || layout.has_field_rules()
}

/// A field that is shown, with its rule.
#[derive(Clone, Copy, Debug)]
struct FieldPlace {
    rule: IntRule,
    class: u16,
    field: u16,
}

impl FieldPlace {
    /// The place of integers outside of any field.
    const NONE: FieldPlace = FieldPlace { rule: IntRule::OTHERS, class: u16::MAX, field: u16::MAX };

    fn passed(self) -> PassedBound {
        match self {
            FieldPlace { class: u16::MAX, .. } => PassedBound::Ints,
            FieldPlace { class, field, .. } => PassedBound::Field { class, field },
        }
    }
}

/// The encoder for layouts that leave fields out or have rules for their integers, and for walks
/// that name fields. It is separate so that other walks need no check at each field.
pub(crate) struct FieldEncoder<'e, 'l> {
    encoder: &'e mut Encoder<'l>,
    /// The fields on the way to the one being shown.
    places: Vec<FieldPlace>,
}

impl FieldEncoder<'_, '_> {
    /// Without rules for fields the encoder checks by itself.
    #[inline]
    fn check_int(&mut self, value: Primitive<'_>) {
        if !self.encoder.layout.has_field_rules() {
            return;
        }
        let value = match value {
            Primitive::Signed(value) | Primitive::PresentSigned(value) => value.into(),
            Primitive::Unsigned(value) => value.into(),
            _ => return,
        };
        if !self.encoder.layout.allows(self.encoder.place.rule, value) {
            self.encoder.stop_at_int(value);
        }
    }

    fn push(&mut self) {
        self.places.push(self.encoder.place);
    }

    fn pop(&mut self) {
        self.encoder.place = self.places.pop().unwrap_or(FieldPlace::NONE);
    }
}

impl Walker for FieldEncoder<'_, '_> {
    #[inline(always)]
    fn primitive(&mut self, value: Primitive<'_>) {
        self.check_int(value);
        self.encoder.primitive(value);
    }

    #[inline(always)]
    fn enter(&mut self, class: ClassKey, identity: Identity) -> bool {
        let is_entered = self.encoder.enter(class, identity);
        if is_entered {
            self.push();
        }
        is_entered
    }

    #[inline(always)]
    fn enter_around(&mut self, class: ClassKey, identity: Identity) -> bool {
        let is_entered = self.encoder.enter_around(class, identity);
        if is_entered {
            self.push();
        }
        is_entered
    }

    #[inline(always)]
    fn enter_present(&mut self, class: ClassKey, identity: Identity) -> bool {
        let is_entered = self.encoder.enter_present(class, identity);
        if is_entered {
            self.push();
        }
        is_entered
    }

    #[inline(always)]
    fn leave(&mut self) {
        self.pop();
        self.encoder.leave();
    }

    #[inline(always)]
    fn length(&mut self, length: usize) -> bool {
        self.encoder.length(length)
    }

    fn begin_record(&mut self, class: ClassKey) {
        self.push();
        self.encoder.begin_record(class);
    }

    fn end_record(&mut self) {
        self.encoder.end_record();
        self.pop();
    }

    /// An integer with a rule of its own is not noted, because a template knows only one rule.
    #[inline(always)]
    fn int_at(&mut self, address: usize, size: usize, value: Primitive<'_>) {
        match self.encoder.place.rule == IntRule::OTHERS {
            true => {
                self.check_int(value);
                self.encoder.int_at(address, size, value);
            }
            false => self.primitive(value),
        }
    }

    fn begin_sorted(&mut self) {
        self.encoder.begin_sorted();
    }

    fn end_sorted(&mut self) {
        self.encoder.end_sorted();
    }

    fn ties(&mut self) {
        self.encoder.ties();
    }

    #[inline(always)]
    fn field(&mut self, class: ClassKey, index: usize) -> bool {
        let layout = self.encoder.layout;
        let class = layout.index_of(class);
        let rule = layout.int_rule(class, index);
        self.encoder.place = FieldPlace { rule, class: class as u16, field: index as u16 };
        !layout.omits(class, index)
    }
}

/// The canonical form of one value, for tests and small uses; the engine keeps an [`Encoder`].
///
/// # Errors
/// [`OutOfScope`] if the value passes a bound.
pub fn canonical_form<T: Heap>(value: &T, bounds: &Bounds) -> Result<CanonicalForm, OutOfScope> {
    canonical_form_of(value, &Schema::of::<T>(), bounds)
}

fn canonical_form_of(
    value: &dyn AnyRoot,
    schema: &Schema,
    bounds: &Bounds,
) -> Result<CanonicalForm, OutOfScope> {
    let layout = Layout::new(schema, bounds);
    let form = Encoder::new(&layout).encode_any(value)?.to_canonical();
    Ok(form)
}
