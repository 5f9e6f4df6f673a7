//! Canonical forms as values (lent by an encoder, lent by a store, or owned) and their coding.
//!
//! A form is self-delimiting, so zero bytes after it mean nothing: a store may keep it padded.
//! Equality, order and hashes ignore the zeros at the end, so that no other module needs to know.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use xxhash_rust::xxh3::xxh3_128;

use crate::Layout;

/// The number of bits of the type tag that starts a form and distinguishes the types of one store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TagBits(u32);

impl TagBits {
    /// Enough bits for `n_types` types: none for one.
    pub fn for_types(n_types: usize) -> Self {
        TagBits(n_types.next_power_of_two().trailing_zeros())
    }

    /// The number of bits.
    #[inline(always)]
    pub fn width(self) -> u32 {
        self.0
    }

    /// The lowest bits of a form's first word, as many as the tag has.
    #[inline(always)]
    fn of_word(self, word: u64) -> u64 {
        word & ((1 << self.0) - 1)
    }
}

/// The coding of forms. A reader must use the coding of the writer.
#[derive(Clone, Copy, Debug)]
pub struct FormCoding<'l> {
    /// The schema and the bounds, resolved.
    pub layout: &'l Layout,
    /// The type tag in front.
    pub tag_bits: TagBits,
}

/// Forms of a single type, without a tag.
impl<'l> From<&'l Layout> for FormCoding<'l> {
    fn from(layout: &'l Layout) -> Self {
        FormCoding { layout, tag_bits: TagBits::default() }
    }
}

/// A canonical form lent by an [`Encoder`](crate::Encoder): little-endian words, zero beyond its
/// length.
#[derive(Clone, Copy, Debug)]
pub struct Form<'e> {
    /// The bits, in words of 64.
    pub words: &'e [u64],
    /// The length in bytes.
    pub len: usize,
}

impl<'e> Form<'e> {
    /// Appends the form's bytes to `bytes`.
    pub fn append_to(&self, bytes: &mut Vec<u8>) {
        let end = bytes.len() + self.len;
        self.words.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
        bytes.truncate(end);
    }

    /// A copy.
    pub fn to_canonical(&self) -> CanonicalForm {
        let mut bytes = Vec::with_capacity(self.words.len() * 8);
        self.append_to(&mut bytes);
        CanonicalForm(bytes.into())
    }

    /// The words without the zero words at their end: equal for equal forms.
    #[inline]
    pub fn unpadded_words(&self) -> &'e [u64] {
        let zeros = self.words.iter().rev().take_while(|&&word| word == 0).count();
        &self.words[..self.words.len() - zeros]
    }

    /// The type tag.
    #[inline(always)]
    pub fn type_tag(&self, bits: TagBits) -> u64 {
        self.words.first().map_or(0, |&word| bits.of_word(word))
    }

    /// Like [`FormRef::digest`], without copying forms of the usual lengths.
    #[inline(always)]
    pub fn digest(&self) -> u128 {
        match *self.words {
            [word] => xxh3_128(&word.to_le_bytes()[..self.len]),
            [low, high] => {
                let both = u128::from(high) << 64 | u128::from(low);
                xxh3_128(&both.to_le_bytes()[..self.len])
            }
            _ => self.to_canonical().digest(),
        }
    }
}

impl PartialEq for Form<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.unpadded_words() == other.unpadded_words()
    }
}

impl Eq for Form<'_> {}

/// Compares a form lent by an encoder with one lent by a store.
impl PartialEq<FormRef<'_>> for Form<'_> {
    fn eq(&self, other: &FormRef<'_>) -> bool {
        let n_words = self.words.len().max(other.bytes.len().div_ceil(8));
        (0..n_words).all(|at| self.words.get(at).copied().unwrap_or(0) == other.word(at))
    }
}

/// A canonical form lent as bytes, possibly followed by zeros.
#[derive(Clone, Copy)]
pub struct FormRef<'f> {
    bytes: &'f [u8],
}

impl<'f> FormRef<'f> {
    /// The form in `bytes`, which zeros may follow.
    #[inline(always)]
    pub fn new(bytes: &'f [u8]) -> Self {
        FormRef { bytes }
    }

    /// The bytes, with the zeros that follow them.
    #[inline(always)]
    pub fn as_bytes(self) -> &'f [u8] {
        self.bytes
    }

    /// The form without any zero byte at its end, even those that an encoder wrote. Forms are
    /// compared by this.
    #[inline]
    pub fn unpadded(self) -> FormRef<'f> {
        let zeros = self.bytes.iter().rev().take_while(|&&byte| byte == 0).count();
        FormRef { bytes: &self.bytes[..self.bytes.len() - zeros] }
    }

    /// A copy.
    pub fn to_canonical(self) -> CanonicalForm {
        CanonicalForm(self.bytes.into())
    }

    /// The form as words; at least one.
    pub fn to_words(self) -> Vec<u64> {
        self.words().collect()
    }

    /// The same words, one after another.
    pub fn words(self) -> impl Iterator<Item = u64> + 'f {
        (0..self.bytes.len().div_ceil(8).max(1)).map(move |at| self.word(at))
    }

    /// Returns whether the forms differ in a few places only, each no wider than a short integer.
    /// If so, one may be the other with a few integers exchanged.
    #[inline]
    pub fn resembles(self, other: FormRef<'_>, layout: &Layout) -> bool {
        const FEW: u32 = 3;
        let n_words = self.bytes.len().div_ceil(8);
        if n_words != other.bytes.len().div_ceil(8) {
            return false;
        }
        let mut n_places = 0;
        for at in 0..n_words {
            let mut differing = self.word(at) ^ other.word(at);
            while differing != 0 {
                n_places += 1;
                if n_places > FEW {
                    return false;
                }
                let place = (1 << layout.int_bits) - 1;
                differing &= !(place << differing.trailing_zeros());
            }
        }
        true
    }

    /// The `width` bits from `bit` on, 32 at most.
    pub(crate) fn bits(self, bit: u32, width: u32) -> u64 {
        let (at, shift) = ((bit / 64) as usize, bit % 64);
        let low = self.word(at) >> shift;
        let high = if shift + width > 64 { self.word(at + 1) << (64 - shift) } else { 0 };
        (low | high) & ((1 << width) - 1)
    }

    /// Word number `at` of the form; zero behind it.
    #[inline]
    pub(crate) fn word(self, at: usize) -> u64 {
        let rest = self.bytes.get(at * 8..).unwrap_or(&[]);
        match (rest.first_chunk(), self.bytes.last_chunk()) {
            (Some(bytes), _) => u64::from_le_bytes(*bytes),
            // The last bytes, fewer than eight.
            (None, Some(last)) if !rest.is_empty() => {
                u64::from_le_bytes(*last) >> (64 - rest.len() * 8)
            }
            _ => short_word(rest),
        }
    }

    /// The type tag.
    #[inline]
    pub fn type_tag(self, bits: TagBits) -> u64 {
        let low = self.bytes.iter().take(bits.0.div_ceil(8) as usize).rev();
        bits.of_word(low.fold(0, |tag, &byte| tag << 8 | u64::from(byte)))
    }

    /// The form's part of the order-free digest of a set: the hash of its bytes as they are.
    ///
    /// Sets are digested by forms as their encoder wrote them. A store may not know how long a form
    /// was; then only the digest of the [unpadded](FormRef::unpadded) form is meaningful.
    pub fn digest(self) -> u128 {
        xxh3_128(self.bytes)
    }
}

/// The word of fewer than eight bytes.
#[inline]
fn short_word(bytes: &[u8]) -> u64 {
    match (bytes.first_chunk(), bytes.last_chunk()) {
        // Both halves, which may overlap.
        (Some(first), Some(last)) => {
            let high = u64::from(u32::from_le_bytes(*last));
            u64::from(u32::from_le_bytes(*first)) | high << ((bytes.len() - 4) * 8)
        }
        _ => bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}

impl<'f> From<&'f CanonicalForm> for FormRef<'f> {
    fn from(form: &'f CanonicalForm) -> Self {
        form.as_ref()
    }
}

impl fmt::Debug for FormRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.bytes.fmt(f)
    }
}

impl PartialEq for FormRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.unpadded().bytes == other.unpadded().bytes
    }
}

impl Eq for FormRef<'_> {}

impl PartialOrd for FormRef<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for FormRef<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.unpadded().bytes.cmp(other.unpadded().bytes)
    }
}

impl Hash for FormRef<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.unpadded().bytes.hash(state);
    }
}

/// An owned canonical form. Like a [`FormRef`], it may be followed by zeros, which mean nothing.
#[derive(Clone, Default)]
pub struct CanonicalForm(Box<[u8]>);

impl CanonicalForm {
    /// The form, lent.
    #[inline(always)]
    pub fn as_ref(&self) -> FormRef<'_> {
        FormRef::new(&self.0)
    }

    /// Like [`FormRef::as_bytes`].
    #[inline(always)]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Like [`FormRef::type_tag`].
    #[inline]
    pub fn type_tag(&self, bits: TagBits) -> u64 {
        self.as_ref().type_tag(bits)
    }

    /// Like [`FormRef::digest`].
    pub fn digest(&self) -> u128 {
        self.as_ref().digest()
    }
}

impl From<Vec<u8>> for CanonicalForm {
    fn from(bytes: Vec<u8>) -> Self {
        CanonicalForm(bytes.into())
    }
}

/// The bytes that forms are compared by: look a form up in a set by those of [`FormRef::unpadded`].
impl Borrow<[u8]> for CanonicalForm {
    fn borrow(&self) -> &[u8] {
        self.as_ref().unpadded().bytes
    }
}

impl fmt::Debug for CanonicalForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl PartialEq for CanonicalForm {
    fn eq(&self, other: &Self) -> bool {
        self.as_ref() == other.as_ref()
    }
}

impl Eq for CanonicalForm {}

impl PartialOrd for CanonicalForm {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for CanonicalForm {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_ref().cmp(&other.as_ref())
    }
}

impl Hash for CanonicalForm {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_ref().hash(state);
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_types, reason = "the set is only asked what it holds")]
mod tests {
    use std::collections::{BTreeSet, HashSet};

    use super::*;

    #[test]
    fn padding_tells_no_forms_apart() {
        let forms: Vec<CanonicalForm> = [&[5][..], &[5, 0], &[5, 0, 0, 0, 0, 0, 0, 0, 0]]
            .map(|form| form.to_vec().into())
            .into();
        let other = CanonicalForm::from(vec![5, 0, 1]);
        for form in &forms {
            assert_eq!(form, &forms[0]);
            assert!(form < &other);
            let words = form.as_ref().to_words();
            for of_encoder in [Form { words: &[5], len: 1 }, Form { words: &words, len: 2 }] {
                assert!(of_encoder == form.as_ref());
                assert!(of_encoder != other.as_ref());
                assert_eq!(of_encoder, Form { words: &[5, 0], len: 9 });
            }
        }
        assert_eq!(forms.iter().collect::<BTreeSet<_>>().len(), 1);
        let hashed: HashSet<_> = forms.into_iter().collect();
        assert_eq!(hashed.len(), 1);
        assert!(hashed.contains(FormRef::new(&[5, 0, 0]).unpadded().as_bytes()));
        assert!(!hashed.contains(other.as_bytes()));
    }

    #[test]
    fn a_form_of_any_length_has_the_words_of_its_bytes() {
        let bytes: Vec<u8> = (1..=30).collect();
        for len in 0..=bytes.len() {
            let form = FormRef::new(&bytes[..len]);
            for at in 0..5 {
                let of_byte = |within: usize| bytes[..len].get(at * 8 + within).copied();
                let word =
                    u64::from_le_bytes(std::array::from_fn(|byte| of_byte(byte).unwrap_or(0)));
                assert_eq!(form.word(at), word, "word {at} of {len} bytes");
            }
        }
    }

    #[test]
    fn forms_resemble_each_other_if_they_differ_in_three_places_at_most() {
        let layout = crate::Layout::new(&crate::Schema::of::<u8>(), &crate::Bounds::uniform(12));
        let form = [0xa5_u8; 16];
        for (places, resembles) in [
            (&[][..], true),
            (&[0], true),
            (&[0, 5, 15], true),
            (&[0, 5, 9, 15], false),
            (&[0, 5, 6, 15], false),
        ] {
            let mut other = form;
            places.iter().for_each(|&place| other[place] ^= 1);
            let [form, other] = [FormRef::new(&form), FormRef::new(&other)];
            assert_eq!(form.resembles(other, &layout), resembles, "{places:?}");
            assert!(!form.resembles(FormRef::new(&[0xa5; 17]), &layout));
        }
    }

    #[test]
    fn words_and_bytes_have_the_same_digest_and_tag() {
        for len in [1, 8, 9, 16, 17, 40] {
            let bytes: Vec<u8> = (1..=len).map(|byte: u8| byte.wrapping_mul(37)).collect();
            let form = CanonicalForm::from(bytes);
            let words = form.as_ref().to_words();
            let lent = Form { words: &words, len: len.into() };
            assert_eq!(lent.digest(), form.digest(), "{len}");
            assert_eq!(lent.to_canonical().as_bytes(), form.as_bytes());
            for n_types in [1, 2, 5, 300] {
                let bits = TagBits::for_types(n_types);
                assert_eq!(lent.type_tag(bits), form.type_tag(bits), "{n_types}");
            }
        }
        assert_eq!(TagBits::for_types(1).width(), 0);
        assert_eq!(TagBits::for_types(5).width(), 3);
        assert_eq!(FormRef::new(&[0b1010_1101]).type_tag(TagBits::for_types(5)), 0b101);
    }
}
