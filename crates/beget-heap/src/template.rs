//! Templates: the form of a heap that differs from a known one in a few integers only.
//!
//! Calls of one method with different literals often leave heaps that differ in nothing but the
//! literal. A search that can compare the memory of two such heaps need not walk the second: if
//! every difference lies in integers that the first walk noted, the second form is the first with
//! those bits exchanged. That is right for types whose walks do not depend on the integers they
//! show, see [`Schema::is_regular`](crate::Schema::is_regular).
//!
//! One integer may be noted several times: a raw pointer may lead into an object that is shown as a
//! whole, too. All its places in the form are exchanged.

use std::cell::Cell;

use crate::{FormRef, Layout};

const WORD_BYTES: usize = size_of::<u64>();

/// Four bytes of memory that differ from what a template's walk saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The address in the template's walk; a multiple of four.
    pub address: usize,
    /// The bytes that the walk saw, in memory order.
    pub old: [u8; 4],
    /// The bytes now.
    pub new: [u8; 4],
}

/// An integer that a walk wrote in its short form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NotedInt {
    pub(crate) address: usize,
    pub(crate) value: u64,
    /// The position of its code in the form.
    pub(crate) bit: u32,
    pub(crate) n_bytes: u16,
    pub(crate) is_signed: bool,
}

impl NotedInt {
    fn size(&self) -> usize {
        self.n_bytes.into()
    }

    /// Returns whether the integer touches the four bytes of `change`.
    fn touches(&self, change: &Change) -> bool {
        self.address < change.address + 4 && change.address < self.address + self.size()
    }

    /// Returns whether the integer consists of the four bytes of `change`.
    fn is_exactly_at(&self, change: &Change) -> bool {
        self.address == change.address && self.size() == 4
    }

    /// The exchange of this integer, number `index` of its template, for another code.
    fn exchanged(&self, index: usize, code: u64) -> ExchangedInt {
        ExchangedInt {
            address: self.address,
            n_bytes: self.size(),
            old: self.value,
            value: self.of_code(code),
            index,
        }
    }

    /// Returns whether it lies where the exchanged one does.
    fn is_exactly(&self, exchanged: &ExchangedInt) -> bool {
        self.address == exchanged.address && self.size() == exchanged.n_bytes
    }

    /// Takes the value of the exchanged integer, and its code in the form, if the old value
    /// matches. Returns false if it does not stay short.
    #[inline(always)]
    fn follow(&mut self, layout: &Layout, exchanged: &ExchangedInt, words: &mut [u64]) -> bool {
        if self.value != exchanged.old {
            return true;
        }
        let code = self.code(exchanged.value);
        if code >= layout.plain_codes {
            return false;
        }
        put_code(words, self.bit, layout.int_bits, code);
        self.value = exchanged.value;
        true
    }

    /// The value after `change`, and which of the change's bytes it explains.
    fn after(&self, change: &Change) -> (u64, [bool; 4]) {
        let mut bytes = self.value.to_ne_bytes();
        let mut explained = [false; 4];
        for (offset, explains) in explained.iter_mut().enumerate() {
            let within = (change.address + offset).wrapping_sub(self.address);
            if within < self.size() {
                bytes[own_byte(within, self.size())] = change.new[offset];
                *explains = true;
            }
        }
        (self.extended(u64::from_ne_bytes(bytes)), explained)
    }

    /// The value after `change`, which covers exactly the integer.
    #[inline]
    fn changed(&self, change: &Change) -> u64 {
        self.extended(u32::from_ne_bytes(change.new).into())
    }

    /// Sign-extends the value's own bytes.
    fn extended(&self, value: u64) -> u64 {
        let unused = 64 - 8 * u32::from(self.n_bytes);
        if self.is_signed {
            ((value << unused) as i64 >> unused) as u64
        } else {
            value << unused >> unused
        }
    }

    fn code(&self, value: u64) -> u64 {
        if self.is_signed { value.wrapping_add(1) } else { value }
    }

    /// The value of a code: the opposite of [`NotedInt::code`].
    fn of_code(&self, code: u64) -> u64 {
        if self.is_signed { code.wrapping_sub(1) } else { code }
    }
}

/// The position of byte `within` of an integer of `size` bytes among the eight of its value.
fn own_byte(within: usize, size: usize) -> usize {
    if cfg!(target_endian = "little") { within } else { 8 - size + within }
}

/// An integer in memory and its new value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExchangedInt {
    /// The address in the template's walk.
    pub address: usize,
    /// The number of bytes, at most eight.
    pub n_bytes: usize,
    /// The value in that walk, or after the last exchange; the lowest bytes count.
    pub old: u64,
    /// The new value; the lowest bytes count.
    pub value: u64,
    /// Its position among the integers of the template.
    index: usize,
}

/// A recorded walk.
#[derive(Debug, Default)]
pub struct Template {
    pub(crate) is_in_scope: bool,
    pub(crate) words: Vec<u64>,
    pub(crate) len: usize,
    pub(crate) ints: Vec<NotedInt>,
    /// The integer that alone explained the last change: in a series of such calls it is usually
    /// the same. Invariant: no other integer of `ints` touches its bytes. A new walk resets it.
    last: Cell<Option<usize>>,
    /// Likewise the last integer that `follow` changed.
    followed: Option<usize>,
    /// The integer that `exchange` changed last, for another form.
    exchanged: Option<usize>,
}

impl Template {
    /// Returns whether the recorded heap was in scope. Heaps that differ from it only by integers
    /// are in scope too.
    pub fn is_in_scope(&self) -> bool {
        self.is_in_scope
    }

    /// The length of the form in bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the form is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Writes the form after `changes` to `words`. Returns false if some change does not consist of
    /// noted integers that stay short: then a walk is needed.
    #[inline(always)]
    pub fn apply(
        &self,
        layout: &Layout,
        changes: impl IntoIterator<Item = Change>,
        words: &mut Vec<u64>,
    ) -> bool {
        words.clear();
        if self.is_in_scope {
            match *self.words {
                // The usual lengths, without a call to copy.
                [a] => words.push(a),
                [a, b] => words.extend([a, b]),
                _ => words.extend_from_slice(&self.words),
            }
        }
        changes.into_iter().all(|change| self.apply_one(layout, &change, words))
    }

    #[inline(always)]
    fn apply_one(&self, layout: &Layout, change: &Change, words: &mut [u64]) -> bool {
        let last = self.last.get().map(|index| &self.ints[index]);
        if let Some(int) = last.filter(|int| int.is_exactly_at(change)) {
            let code = int.code(int.changed(change));
            put_code(words, int.bit, layout.int_bits, code);
            return code < layout.plain_codes;
        }
        self.apply_anywhere(layout, change, words)
    }

    /// Finds the integers that `change` touches.
    #[inline(never)]
    fn apply_anywhere(&self, layout: &Layout, change: &Change, words: &mut [u64]) -> bool {
        let mut unexplained = [0, 1, 2, 3].map(|offset| change.old[offset] != change.new[offset]);
        let mut touching = None;
        let mut n_touching = 0;
        for (index, int) in self.ints.iter().enumerate().filter(|(_, int)| int.touches(change)) {
            // Packed fields may lie across two changes, which are checked one by one.
            if !int.address.is_multiple_of(int.size().min(4)) {
                return false;
            }
            let (value, explained) = match int.is_exactly_at(change) {
                true => (int.changed(change), [true; 4]),
                false => int.after(change),
            };
            // Short codes have at most 32 bits: if an integer has changed in both halves of eight
            // bytes, one of them by itself makes its code too long.
            let code = int.code(value);
            if code >= layout.plain_codes {
                return false;
            }
            put_code(words, int.bit, layout.int_bits, code);
            (touching, n_touching) = (Some(index), n_touching + 1);
            for (open, explains) in unexplained.iter_mut().zip(explained) {
                *open &= !explains;
            }
        }
        self.last.set(touching.filter(|_| n_touching == 1));
        unexplained == [false; 4]
    }

    /// Lists the noted integers that must change for the heap to have `form`, and makes the
    /// template that of the changed heap. Returns false, and changes nothing, if `form` differs in
    /// more than such integers that stay short.
    ///
    /// If all differences lie in the short codes of integers, both forms are read by the same
    /// steps. So both heaps have the same shape, since their type is
    /// [regular](crate::Heap::IS_REGULAR).
    pub fn exchange(
        &mut self,
        layout: &Layout,
        form: FormRef<'_>,
        exchanged: &mut Vec<ExchangedInt>,
    ) -> bool {
        exchanged.clear();
        let n_words = form.as_bytes().len().div_ceil(WORD_BYTES);
        if !self.is_in_scope || n_words != self.words.len() {
            return false;
        }
        if self.exchange_again(layout, form, exchanged) {
            return true;
        }
        // Noted in the order of the walk, which is that of their bits.
        let mut ints = self.ints.iter().enumerate().peekable();
        let mut explained_up_to = 0;
        for (at, &word) in self.words.iter().enumerate() {
            let mut differing = word ^ form.word(at);
            while differing != 0 {
                let bit = at as u32 * 64 + differing.trailing_zeros();
                differing &= differing - 1;
                if bit < explained_up_to {
                    continue;
                }
                while ints.next_if(|(_, int)| int.bit + layout.int_bits <= bit).is_some() {}
                let Some((index, int)) = ints.next_if(|(_, int)| int.bit <= bit) else {
                    return false;
                };
                let code = form.bits(int.bit, layout.int_bits);
                if code >= layout.plain_codes {
                    return false;
                }
                exchanged.push(int.exchanged(index, code));
                explained_up_to = int.bit + layout.int_bits;
            }
        }
        for int in &*exchanged {
            self.ints[int.index].value = int.value;
        }
        self.exchanged = exchanged.last().map(|int| int.index);
        for (at, word) in self.words.iter_mut().enumerate() {
            *word = form.word(at);
        }
        true
    }

    /// Like [`Template::exchange`], if only the integer exchanged last differs: in a series of
    /// siblings it is usually the same.
    fn exchange_again(
        &mut self,
        layout: &Layout,
        form: FormRef<'_>,
        exchanged: &mut Vec<ExchangedInt>,
    ) -> bool {
        let Some(index) = self.exchanged else { return false };
        let int = &mut self.ints[index];
        let code = form.bits(int.bit, layout.int_bits);
        let (start, end) = (int.bit, int.bit + layout.int_bits);
        let mut words = self.words.iter().zip(0..);
        let is_all = words.all(|(&word, at)| {
            let differing = word ^ form.word(at as usize);
            differing == 0
                || at * 64 + differing.trailing_zeros() >= start
                    && at * 64 + 64 - differing.leading_zeros() <= end
        });
        if !is_all || code >= layout.plain_codes {
            return false;
        }
        if int.value != int.of_code(code) {
            exchanged.push(int.exchanged(index, code));
            int.value = int.of_code(code);
            put_code(&mut self.words, int.bit, layout.int_bits, code);
        }
        true
    }

    /// Makes the template that of a heap in which the listed integers have changed, as far as their
    /// old values match; other integers stay. Returns false if one of them was not noted or does
    /// not stay short: then the template is unusable.
    #[inline]
    pub fn follow(&mut self, layout: &Layout, exchanged: &[ExchangedInt]) -> bool {
        exchanged.iter().all(|exchanged| self.follow_one(layout, exchanged))
    }

    #[inline]
    fn follow_one(&mut self, layout: &Layout, exchanged: &ExchangedInt) -> bool {
        let Template { words, ints, followed, .. } = self;
        let known = followed.map(|index| &mut ints[index]);
        match known.filter(|int| int.is_exactly(exchanged)) {
            Some(int) => int.follow(layout, exchanged, words),
            None => self.follow_anywhere(layout, exchanged),
        }
    }

    /// Finds the integers that the exchanged one touches.
    #[inline(never)]
    fn follow_anywhere(&mut self, layout: &Layout, exchanged: &ExchangedInt) -> bool {
        let Template { words, ints, followed, .. } = self;
        let end = exchanged.address + exchanged.n_bytes;
        let touches =
            |int: &NotedInt| int.address < end && exchanged.address < int.address + int.size();
        let (mut touching, mut n_touching) = (None, 0);
        for (index, int) in ints.iter_mut().enumerate().filter(|(_, int)| touches(int)) {
            if !(int.is_exactly(exchanged) && int.follow(layout, exchanged, words)) {
                return false;
            }
            (touching, n_touching) = (Some(index), n_touching + 1);
        }
        *followed = touching.filter(|_| n_touching == 1);
        n_touching > 0
    }

    /// Takes the integers that a walk noted.
    pub(crate) fn take_ints(&mut self, ints: &mut Vec<NotedInt>) {
        std::mem::swap(&mut self.ints, ints);
        self.last.set(None);
        (self.followed, self.exchanged) = (None, None);
    }
}

/// Exchanges the `width` bits from `bit` on.
fn put_code(words: &mut [u64], bit: u32, width: u32, code: u64) {
    let (word, shift) = ((bit / 64) as usize, bit % 64);
    let mask = (1_u64 << width) - 1;
    // Forms of heaps out of scope may end early; they are never read.
    let Some(low) = words.get_mut(word) else { return };
    *low = *low & !(mask << shift) | code << shift;
    if shift + width > 64
        && let Some(high) = words.get_mut(word + 1)
    {
        let done = 64 - shift;
        *high = *high & !(mask >> done) | code >> done;
    }
}

#[cfg(test)]
mod tests {
    #[allow(clippy::disallowed_types, reason = "its order is what the test is about")]
    use std::collections::HashSet;

    use super::*;
    use crate::{Bounds, CanonicalForm, Encoder, Form, Heap, Schema, canonical_form};

    fn bounds() -> Bounds {
        Bounds::uniform(12)
    }

    fn layout<T: Heap>() -> Layout {
        Layout::new(&Schema::of::<T>(), &bounds())
    }

    fn recorded<T: Heap>(layout: &Layout, value: &T) -> Template {
        let mut encoder = Encoder::new(layout);
        encoder.begin_recording(0, 0);
        encoder.walk(value);
        let len = encoder.finish().expect("in scope").len;
        let mut template = Template::default();
        encoder.keep_template(len, &mut template);
        template
    }

    fn changed<T: Heap>(
        value: &T,
        address: usize,
        old: [u8; 4],
        new: [u8; 4],
    ) -> Option<CanonicalForm> {
        let layout = layout::<T>();
        let template = recorded(&layout, value);
        let mut words = Vec::new();
        let applied = template.apply(&layout, [Change { address, old, new }], &mut words);
        applied.then(|| Form { words: &words, len: template.len() }.to_canonical())
    }

    #[test]
    fn an_exchanged_integer_gives_the_form_that_a_walk_gives() {
        for at in 0..9 {
            for new in -1..=12 {
                let list: Vec<i32> = (0..9).collect();
                let mut other = list.clone();
                other[at] = new;
                let address = std::ptr::from_ref(&list[at]).addr();
                let form = changed(&list, address, list[at].to_ne_bytes(), new.to_ne_bytes());
                assert_eq!(form, canonical_form(&other, &bounds()).ok(), "{at} {new}");
            }
        }
    }

    #[test]
    fn an_integer_that_gets_a_longer_code_is_left_to_a_walk() {
        let list = vec![3_i32];
        let address = std::ptr::from_ref(&list[0]).addr();
        assert_eq!(changed(&list, address, 3_i32.to_ne_bytes(), 1000_i32.to_ne_bytes()), None);
    }

    /// Shows one integer twice, with another between.
    struct Twice(i32, i32);

    impl Heap for Twice {
        fn describe(_: &mut Schema) {}

        fn walk<W: crate::Walker>(&self, walker: &mut W) {
            [&self.0, &self.1, &self.0].into_iter().for_each(|part| part.walk_in_place(walker));
        }
    }

    fn form_after(template: &Template, layout: &Layout, change: Change) -> Option<CanonicalForm> {
        let mut words = Vec::new();
        let applied = template.apply(layout, [change], &mut words);
        applied.then(|| Form { words: &words, len: template.len() }.to_canonical())
    }

    #[test]
    fn an_integer_that_is_shown_twice_is_exchanged_in_both_places_each_time() {
        let value = Twice(1, 2);
        let layout = layout::<Twice>();
        let mut template = recorded(&layout, &value);
        let change = |of: &i32, new: i32| Change {
            address: std::ptr::from_ref(of).addr(),
            old: of.to_ne_bytes(),
            new: new.to_ne_bytes(),
        };
        for new in [3, 4, 5] {
            let forms = [
                (form_after(&template, &layout, change(&value.1, new)), Twice(1, new)),
                (form_after(&template, &layout, change(&value.0, new)), Twice(new, 2)),
            ];
            for (form, expected) in forms {
                assert_eq!(form, canonical_form(&expected, &bounds()).ok(), "{new}");
            }
        }
        // The integer that explained the last change is none of another walk's.
        assert!(form_after(&template, &layout, change(&value.1, 3)).is_some());
        let other = Box::new([7_i32]);
        template = {
            let mut encoder = Encoder::new(&layout);
            encoder.begin_recording(0, 0);
            let parts = [&value.0, &other[0], &value.0];
            parts.into_iter().for_each(|part| part.walk_in_place(&mut encoder));
            let len = encoder.finish().expect("in scope").len;
            encoder.keep_template(len, &mut template);
            template
        };
        assert_eq!(form_after(&template, &layout, change(&value.1, 3)), None);
        let form = form_after(&template, &layout, change(&value.0, 3));
        assert_eq!(form, canonical_form(&Twice(3, 7), &bounds()).ok());
    }

    #[test]
    fn either_half_of_eight_bytes_counts() {
        let values = [3_u64, 3 | 1 << 32, 4, 4 | 1 << 32, u64::MAX];
        let layout = layout::<Vec<u64>>();
        for new in values {
            let list = vec![3_u64];
            let template = recorded(&layout, &list);
            let start = std::ptr::from_ref(&list[0]).addr();
            let (old, bytes) = (3_u64.to_ne_bytes(), new.to_ne_bytes());
            let half = |at: usize| Change {
                address: start + at,
                old: old[at..at + 4].try_into().expect("four bytes"),
                new: bytes[at..at + 4].try_into().expect("four bytes"),
            };
            let changes: Vec<_> =
                [half(0), half(4)].into_iter().filter(|change| change.old != change.new).collect();
            let mut words = Vec::new();
            let applied = template.apply(&layout, changes.iter().copied(), &mut words);
            // Longer codes need a walk, all others must be right.
            assert_eq!(applied, new < 12, "{new:x}");
            if applied {
                let form = Form { words: &words, len: template.len() }.to_canonical();
                assert_eq!(form, canonical_form(&vec![new], &bounds()).unwrap());
            }
        }
    }

    #[test]
    fn memory_that_no_integer_explains_is_left_to_a_walk() {
        let list = vec![3_i32];
        let beside = std::ptr::from_ref(&list[0]).addr() + 4;
        assert_eq!(changed(&list, beside, [0; 4], [1; 4]), None);
    }

    #[test]
    fn integers_that_decide_an_order_are_left_to_a_walk() {
        #[allow(clippy::disallowed_types, reason = "its order is what the test is about")]
        let set = HashSet::from([3_i32]);
        let address = std::ptr::from_ref(set.iter().next().expect("one")).addr();
        assert_eq!(changed(&set, address, 3_i32.to_ne_bytes(), 4_i32.to_ne_bytes()), None);
    }
}
