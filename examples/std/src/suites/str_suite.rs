//! A harness for `std_census::str_type::Str`, written by `cargo beget init` from the documentation of
//! the crate `std_census`, to be read and changed.
#![allow(deprecated, mismatched_lifetime_syntaxes, unused_imports, clippy::all)]

/// The type under test. Other arguments may stand here; the signatures below go with them.
pub type Str = std_census::str_type::Str;

// 69 of 73 public functions take part.
// Left out:
// - from_utf8: rustc: E0599: no function or associated item named `from_utf8` found for struct `Box<str>` in the current scope
// - from_utf8_mut: rustc: E0599: no function or associated item named `from_utf8_mut` found for struct `Box<str>` in the current scope
// - get: rustc: E0277: the type `str` cannot be indexed by `usize`
// - get_mut: rustc: E0277: the type `str` cannot be indexed by `usize`

/// What is compared of two structures: what `Debug` shows of it, and what observers say.
///
/// Two with the same state count as one, and one of them is extended: what matters and is not
/// here is to be added. What does not matter makes more structures than there are.
#[derive(beget::Heap)]
pub struct StrState {
    pub text: beget::heap::DebugText,
    pub len: usize,
    pub is_empty: bool,
    pub is_ascii: bool,
}

impl StrState {
    fn of(str: &Str) -> StrState {
        StrState {
            text: beget::heap::DebugText::of(str),
            len: str.len(),
            is_empty: str.is_empty(),
            is_ascii: str.is_ascii(),
        }
    }
}

beget::suite! {
    /// The public functions of `std_census::str_type::Str`.
    #[name = "std::str"]
    pub suite StrSuite for Str {
        abstraction |str| -> StrState { StrState::of(str) };
        fn from_utf8(v: &[u8]) -> bool = by_hand::from_utf8;
        fn from_utf8_mut(v: &[u8]) -> bool = by_hand::from_utf8_mut;
        fn get(&self, start: usize) -> Option<String> = by_hand::get;
        fn get_mut(&mut self, start: usize) -> Option<String> = by_hand::get_mut;
        fn len(&self) -> usize;
        fn is_empty(&self) -> bool;
        fn is_char_boundary(&self, index: usize) -> bool;
        fn floor_char_boundary(&self, index: usize) -> usize;
        fn ceil_char_boundary(&self, index: usize) -> usize;
        fn as_bytes(&self) -> &[u8];
        fn as_ptr(&self) -> String = calls::as_ptr;
        fn as_mut_ptr(&mut self) -> String = calls::as_mut_ptr;
        fn split_at(&self, mid: usize) -> (&str, &str);
        fn split_at_mut(&mut self, mid: usize) -> (&mut str, &mut str);
        fn split_at_checked(&self, mid: usize) -> Option<(&str, &str)>;
        fn split_at_mut_checked(&mut self, mid: usize) -> Option<(&mut str, &mut str)>;
        fn chars(&self) -> String = calls::chars;
        fn char_indices(&self) -> String = calls::char_indices;
        fn bytes(&self) -> String = calls::bytes;
        fn split_whitespace(&self) -> String = calls::split_whitespace;
        fn split_ascii_whitespace(&self) -> String = calls::split_ascii_whitespace;
        fn lines(&self) -> String = calls::lines;
        fn encode_utf16(&self) -> String = calls::encode_utf16;
        fn contains(&self, pat: &str) -> bool;
        fn starts_with(&self, pat: &str) -> bool;
        fn ends_with(&self, pat: &str) -> bool;
        fn find(&self, pat: &str) -> Option<usize>;
        fn rfind(&self, pat: &str) -> Option<usize>;
        fn split(&self, pat: &str) -> String = calls::split;
        fn split_inclusive(&self, pat: &str) -> String = calls::split_inclusive;
        fn rsplit(&self, pat: &str) -> String = calls::rsplit;
        fn split_terminator(&self, pat: &str) -> String = calls::split_terminator;
        fn rsplit_terminator(&self, pat: &str) -> String = calls::rsplit_terminator;
        fn splitn(&self, n: usize, pat: &str) -> String = calls::splitn;
        fn rsplitn(&self, n: usize, pat: &str) -> String = calls::rsplitn;
        fn split_once(&self, delimiter: &str) -> Option<(&str, &str)>;
        fn rsplit_once(&self, delimiter: &str) -> Option<(&str, &str)>;
        fn matches(&self, pat: &str) -> String = calls::matches;
        fn rmatches(&self, pat: &str) -> String = calls::rmatches;
        fn match_indices(&self, pat: &str) -> String = calls::match_indices;
        fn rmatch_indices(&self, pat: &str) -> String = calls::rmatch_indices;
        fn trim(&self) -> &str;
        fn trim_start(&self) -> &str;
        fn trim_end(&self) -> &str;
        fn trim_matches(&self, pat: char) -> &str;
        fn trim_start_matches(&self, pat: &str) -> &str;
        fn strip_prefix(&self, prefix: &str) -> Option<&str>;
        fn strip_suffix(&self, suffix: &str) -> Option<&str>;
        fn trim_end_matches(&self, pat: &str) -> &str;
        fn parse(&self) -> Result<u8, String> = calls::parse;
        fn is_ascii(&self) -> bool;
        fn eq_ignore_ascii_case(&self, other: &str) -> bool;
        fn make_ascii_uppercase(&mut self);
        fn make_ascii_lowercase(&mut self);
        fn trim_ascii_start(&self) -> &str;
        fn trim_ascii_end(&self) -> &str;
        fn trim_ascii(&self) -> &str;
        fn escape_debug(&self) -> String = calls::escape_debug;
        fn escape_default(&self) -> String = calls::escape_default;
        fn escape_unicode(&self) -> String = calls::escape_unicode;
        fn into_boxed_bytes(self) -> String = calls::into_boxed_bytes;
        fn replace(&self, from: &str, to: &str) -> String;
        fn replacen(&self, pat: &str, to: &str, count: usize) -> String;
        fn to_lowercase(&self) -> String;
        fn to_uppercase(&self) -> String;
        fn into_string(self) -> String;
        fn repeat(&self, n: usize) -> String;
        fn to_ascii_uppercase(&self) -> String;
        fn to_ascii_lowercase(&self) -> String;
        fn eq(&self, other: &Self) -> bool;
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering>;
        fn cmp(&self, other: &Self) -> std::cmp::Ordering;
        fn from(text: &str) -> Self = calls::from;
    }
}

/// Functions that take and return what a suite knows, each with one choice of the rest: which
/// closure, which iterator, how what is returned is shown.
pub mod calls {
    use super::Str;

    /// A value shown by `Debug`.
    fn shown(value: &impl std::fmt::Debug) -> String {
        format!("{value:?}")
    }

    pub fn as_ptr(str: &Str) -> String {
        shown(&str.as_ptr())
    }

    pub fn as_mut_ptr(str: &mut Str) -> String {
        shown(&str.as_mut_ptr())
    }

    pub fn chars(str: &Str) -> String {
        shown(&str.chars())
    }

    pub fn char_indices(str: &Str) -> String {
        shown(&str.char_indices())
    }

    pub fn bytes(str: &Str) -> String {
        shown(&str.bytes())
    }

    pub fn split_whitespace(str: &Str) -> String {
        shown(&str.split_whitespace())
    }

    pub fn split_ascii_whitespace(str: &Str) -> String {
        shown(&str.split_ascii_whitespace())
    }

    pub fn lines(str: &Str) -> String {
        shown(&str.lines())
    }

    pub fn encode_utf16(str: &Str) -> String {
        shown(&str.encode_utf16())
    }

    pub fn split(str: &Str, pat: &str) -> String {
        shown(&str.split(pat))
    }

    pub fn split_inclusive(str: &Str, pat: &str) -> String {
        shown(&str.split_inclusive(pat))
    }

    pub fn rsplit(str: &Str, pat: &str) -> String {
        shown(&str.rsplit(pat))
    }

    pub fn split_terminator(str: &Str, pat: &str) -> String {
        shown(&str.split_terminator(pat))
    }

    pub fn rsplit_terminator(str: &Str, pat: &str) -> String {
        shown(&str.rsplit_terminator(pat))
    }

    pub fn splitn(str: &Str, n: usize, pat: &str) -> String {
        shown(&str.splitn(n, pat))
    }

    pub fn rsplitn(str: &Str, n: usize, pat: &str) -> String {
        shown(&str.rsplitn(n, pat))
    }

    pub fn matches(str: &Str, pat: &str) -> String {
        shown(&str.matches(pat))
    }

    pub fn rmatches(str: &Str, pat: &str) -> String {
        shown(&str.rmatches(pat))
    }

    pub fn match_indices(str: &Str, pat: &str) -> String {
        shown(&str.match_indices(pat))
    }

    pub fn rmatch_indices(str: &Str, pat: &str) -> String {
        shown(&str.rmatch_indices(pat))
    }

    pub fn parse(str: &Str) -> Result<u8, String> {
        str.parse().map_err(|error| shown(&error))
    }

    pub fn escape_debug(str: &Str) -> String {
        shown(&str.escape_debug())
    }

    pub fn escape_default(str: &Str) -> String {
        shown(&str.escape_default())
    }

    pub fn escape_unicode(str: &Str) -> String {
        shown(&str.escape_unicode())
    }

    pub fn into_boxed_bytes(str: Str) -> String {
        shown(&str.into_boxed_bytes())
    }

    pub fn from(text: &str) -> Str {
        <Str as From<_>>::from(text)
    }
}

mod by_hand {
    pub fn from_utf8(v: &[u8]) -> bool {
        str::from_utf8(v).is_ok()
    }
    pub fn from_utf8_mut(v: &[u8]) -> bool {
        str::from_utf8_mut(&mut v.to_vec()).is_ok()
    }
    pub fn get(this: &super::Str, start: usize) -> Option<String> {
        this.get(start..).map(str::to_owned)
    }
    pub fn get_mut(this: &mut super::Str, start: usize) -> Option<String> {
        this.get_mut(start..).map(|text| text.to_owned())
    }
}
