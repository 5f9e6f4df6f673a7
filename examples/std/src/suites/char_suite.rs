//! A harness for `std_census::char_type::Char`, written by `cargo beget init` from the documentation of
//! the crate `std_census`, to be read and changed.
#![allow(deprecated, mismatched_lifetime_syntaxes, unused_imports, clippy::all)]

/// The type under test. Other arguments may stand here; the signatures below go with them.
pub type Char = std_census::char_type::Char;

// 43 of 43 public functions take part.

/// What is compared of two structures: what `Debug` shows of it, and what observers say.
///
/// Two with the same state count as one, and one of them is extended: what matters and is not
/// here is to be added. What does not matter makes more structures than there are.
#[derive(beget::Heap)]
pub struct CharState {
    pub text: beget::heap::DebugText,
    pub is_ascii: bool,
    pub is_ascii_alphabetic: bool,
    pub is_ascii_uppercase: bool,
    pub is_ascii_lowercase: bool,
    pub is_ascii_alphanumeric: bool,
    pub is_ascii_digit: bool,
    pub is_ascii_hexdigit: bool,
    pub is_ascii_punctuation: bool,
    pub is_ascii_graphic: bool,
    pub is_ascii_whitespace: bool,
    pub is_ascii_control: bool,
}

impl CharState {
    fn of(char: &Char) -> CharState {
        CharState {
            text: beget::heap::DebugText::of(char),
            is_ascii: char.is_ascii(),
            is_ascii_alphabetic: char.is_ascii_alphabetic(),
            is_ascii_uppercase: char.is_ascii_uppercase(),
            is_ascii_lowercase: char.is_ascii_lowercase(),
            is_ascii_alphanumeric: char.is_ascii_alphanumeric(),
            is_ascii_digit: char.is_ascii_digit(),
            is_ascii_hexdigit: char.is_ascii_hexdigit(),
            is_ascii_punctuation: char.is_ascii_punctuation(),
            is_ascii_graphic: char.is_ascii_graphic(),
            is_ascii_whitespace: char.is_ascii_whitespace(),
            is_ascii_control: char.is_ascii_control(),
        }
    }
}

beget::suite! {
    /// The public functions of `std_census::char_type::Char`.
    #[name = "std::char"]
    pub suite CharSuite for Char {
        abstraction |char| -> CharState { CharState::of(char) };
        fn decode_utf16(iter: Vec<u16>) -> String = calls::decode_utf16;
        fn from_u32(i: u32) -> Option<Self>;
        fn from_digit(num: u32, radix: u32) -> Option<Self>;
        fn is_digit(self, radix: u32) -> bool;
        fn to_digit(self, radix: u32) -> Option<u32>;
        fn escape_unicode(self) -> String = calls::escape_unicode;
        fn escape_debug(self) -> String = calls::escape_debug;
        fn escape_default(self) -> String = calls::escape_default;
        fn len_utf8(self) -> usize;
        fn len_utf16(self) -> usize;
        fn encode_utf8(self, dst: &mut [u8]) -> &mut str;
        fn encode_utf16(self, dst: &mut [u16]) -> &mut [u16];
        fn is_alphabetic(self) -> bool;
        fn is_lowercase(self) -> bool;
        fn is_uppercase(self) -> bool;
        fn is_whitespace(self) -> bool;
        fn is_alphanumeric(self) -> bool;
        fn is_control(self) -> bool;
        fn is_numeric(self) -> bool;
        fn to_lowercase(self) -> String = calls::to_lowercase;
        fn to_uppercase(self) -> String = calls::to_uppercase;
        fn is_ascii(&self) -> bool;
        fn to_ascii_uppercase(&self) -> Self;
        fn to_ascii_lowercase(&self) -> Self;
        fn eq_ignore_ascii_case(&self, other: &Self) -> bool;
        fn make_ascii_uppercase(&mut self);
        fn make_ascii_lowercase(&mut self);
        fn is_ascii_alphabetic(&self) -> bool;
        fn is_ascii_uppercase(&self) -> bool;
        fn is_ascii_lowercase(&self) -> bool;
        fn is_ascii_alphanumeric(&self) -> bool;
        fn is_ascii_digit(&self) -> bool;
        fn is_ascii_hexdigit(&self) -> bool;
        fn is_ascii_punctuation(&self) -> bool;
        fn is_ascii_graphic(&self) -> bool;
        fn is_ascii_whitespace(&self) -> bool;
        fn is_ascii_control(&self) -> bool;
        fn clone(&self) -> Self;
        fn default() -> Self;
        fn eq(&self, other: &Self) -> bool;
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering>;
        fn cmp(&self, other: &Self) -> std::cmp::Ordering;
        fn from(value: char) -> Self = calls::from;
    }
}

/// Functions that take and return what a suite knows, each with one choice of the rest: which
/// closure, which iterator, how what is returned is shown.
pub mod calls {
    use super::Char;

    /// A value shown by `Debug`.
    fn shown(value: &impl std::fmt::Debug) -> String {
        format!("{value:?}")
    }

    pub fn decode_utf16(iter: Vec<u16>) -> String {
        shown(&Char::decode_utf16(iter.into_iter()))
    }

    pub fn escape_unicode(char: Char) -> String {
        shown(&char.escape_unicode())
    }

    pub fn escape_debug(char: Char) -> String {
        shown(&char.escape_debug())
    }

    pub fn escape_default(char: Char) -> String {
        shown(&char.escape_default())
    }

    pub fn to_lowercase(char: Char) -> String {
        shown(&char.to_lowercase())
    }

    pub fn to_uppercase(char: Char) -> String {
        shown(&char.to_uppercase())
    }

    pub fn from(value: char) -> Char {
        <Char as From<_>>::from(value)
    }
}
