//! Values as text: what can be compared though types are forgotten.

use std::borrow::Cow;

use beget_suite::{Literal, PlainValue, ReturnValue, Text};

/// A value as its `Debug` shows it, with the name of its type without references.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TypedText {
    pub(crate) ty: Cow<'static, str>,
    pub(crate) text: String,
}

/// The types whose values are equal exactly if their texts are.
const SIMPLE: [&str; 15] = [
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "bool",
    "char", "str",
];

/// The type of ranges of indices.
pub(crate) const INDICES: &str = "core::ops::range::Range<usize>";

/// Returns whether values of the type are equal exactly if their texts are.
pub(crate) fn is_simple(ty: &str) -> bool {
    SIMPLE.contains(&ty)
}

/// Returns whether the type is an integer.
pub(crate) fn is_integer(ty: &str) -> bool {
    is_simple(ty) && ty.starts_with(['u', 'i'])
}

/// The name of a type without references, with one name for texts.
pub(crate) fn bare(ty: &str) -> Cow<'_, str> {
    // Asked for every item of every structure.
    if !ty.contains(['&', 'S']) {
        return Cow::Borrowed(ty);
    }
    let bare = ty.replace("&mut ", "").replace('&', "").replace("alloc::string::String", "str");
    Cow::Owned(bare)
}

/// Returns whether a signature may write the type `ty`, which is without references, as `written`:
/// with references, and with shorter paths.
pub(crate) fn is_written(ty: &str, written: &str) -> bool {
    short(ty) == short(&bare(written).replace("String", "str"))
}

/// A type without paths, lifetimes and spaces.
fn short(ty: &str) -> String {
    let mut short = String::new();
    let mut word_start = 0;
    let mut chars = ty.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            ':' => short.truncate(word_start),
            '\'' => while chars.next_if(|next| next.is_alphanumeric() || *next == '_').is_some() {},
            ' ' => {}
            _ => short.push(char),
        }
        if !(char.is_alphanumeric() || matches!(char, '_' | ':')) {
            word_start = short.len();
        }
    }
    short
}

/// The key and the value of a pair's type without references, if the key is simple. Of a range of
/// keys the key is its end.
pub(crate) fn key_and_value(ty: &str) -> Option<(&str, &str)> {
    let (key, value) = ty.strip_prefix('(')?.strip_suffix(')')?.split_once(", ")?;
    let key = end_of_range(key).unwrap_or(key);
    is_simple(key).then_some((key, value))
}

/// The type of the ends of a range of integers.
pub(crate) fn end_of_range(ty: &str) -> Option<&str> {
    let is_range = |path: &str| path.ends_with("::Range") || path.ends_with("::RangeInclusive");
    let (path, end) = ty.strip_suffix('>')?.split_once('<')?;
    (is_range(path) && is_integer(end)).then_some(end)
}

/// Returns whether a range of integers holds an integer, both as text.
pub(crate) fn range_holds(range: &str, key: &str) -> bool {
    let integer = |text: &str| text.parse::<i128>().ok();
    let held = |(start, end): (&str, &str)| {
        let (end, is_closed) = end.strip_prefix('=').map_or((end, false), |end| (end, true));
        let (start, end, key) = (integer(start)?, integer(end)?, integer(key)?);
        Some(start <= key && (key < end || is_closed && key == end))
    };
    range.split_once("..").and_then(held).unwrap_or(false)
}

/// The number of items in the text of a list of simple values.
pub(crate) fn n_listed(text: &str) -> Option<usize> {
    let items = text.strip_prefix('[')?.strip_suffix(']')?;
    let (mut n_commas, mut quote, mut chars) = (0, None, items.chars());
    while let Some(char) = chars.next() {
        match (char, quote) {
            ('\\', Some(_)) => drop(chars.next()),
            ('"' | '\'', None) => quote = Some(char),
            (',', None) => n_commas += 1,
            (_, Some(open)) if char == open => quote = None,
            _ => {}
        }
    }
    Some(if items.is_empty() { 0 } else { n_commas + 1 })
}

/// The text of a literal of a simple type, or of a range of indices.
pub(crate) fn of_literal(literal: &Literal) -> Option<TypedText> {
    let value = &literal.value;
    macro_rules! try_types {
        ($($ty:ty: $name:expr),+) => {$(
            if let Some(value) = value.downcast_ref::<$ty>() {
                return Some(TypedText { ty: Cow::Borrowed($name), text: format!("{value:?}") });
            }
        )+};
    }
    try_types!(
        u8: "u8", u16: "u16", u32: "u32", u64: "u64", u128: "u128", usize: "usize", i8: "i8", i16: "i16",
        i32: "i32", i64: "i64", i128: "i128", isize: "isize", bool: "bool", char: "char", String: "str",
        std::ops::Range<usize>: INDICES
    );
    let Text(text) = value.downcast_ref()?;
    Some(TypedText { ty: Cow::Borrowed("str"), text: format!("{text:?}") })
}

/// The text of a returned value, behind references; `None` if it contains a structure or a value
/// without `Debug`.
pub(crate) fn of_returned(value: &ReturnValue) -> Option<TypedText> {
    match value {
        ReturnValue::Plain(PlainValue { ty, text, .. }) => {
            Some(TypedText { ty: bare(ty), text: text.clone()? })
        }
        ReturnValue::Ref(inner) | ReturnValue::Mut(inner) => of_returned(inner),
        ReturnValue::Tuple(parts) if parts.len() > 1 => {
            let parts = parts.iter().map(of_returned).collect::<Option<Vec<_>>>()?;
            let join = |part: fn(&TypedText) -> &str| {
                format!("({})", parts.iter().map(part).collect::<Vec<_>>().join(", "))
            };
            Some(TypedText { ty: Cow::Owned(join(|part| &part.ty)), text: join(|part| &part.text) })
        }
        _ => None,
    }
}

/// Returns whether a text may hold an address, which is not the same for equal values.
pub(crate) fn may_hold_address(text: &str) -> bool {
    text.contains("0x")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_compared_without_references() {
        assert_eq!(bare("(&u8, &mut alloc::string::String)"), "(u8, str)");
        assert_eq!(key_and_value("(u8, (u8, u8))"), Some(("u8", "(u8, u8)")));
        assert_eq!(key_and_value("((u8, u8), u8)"), None);
        assert_eq!(key_and_value("u8"), None);
        assert_eq!(key_and_value("(core::ops::range::Range<u8>, bool)"), Some(("u8", "bool")));
        assert_eq!(key_and_value("(core::ops::range::Range<(u8, u8)>, bool)"), None);
    }

    #[test]
    fn a_range_holds_what_is_between_its_ends() {
        let held = |range| [-1, 0, 1, 2, 3].map(|key: i32| range_holds(range, &key.to_string()));
        assert_eq!(held("0..2"), [false, true, true, false, false]);
        assert_eq!(held("-1..=2"), [true, true, true, true, false]);
        assert_eq!(held("2..0"), [false; 5]);
        assert_eq!([held("0"), held("a..b")], [[false; 5]; 2]);
    }

    #[test]
    fn items_of_a_list_are_counted_though_texts_have_commas() {
        let n = |text: &str| n_listed(text);
        assert_eq!([n("[]"), n("[7]"), n("[1, -2]")], [Some(0), Some(1), Some(2)]);
        let texts = format!("{:?}", ["a, b", "\"", "", "'", "\\"]);
        assert_eq!([n(&texts), n(&format!("{:?}", [',', '\'', '"']))], [Some(5), Some(3)]);
        assert_eq!(n("7"), None);
    }

    #[test]
    fn a_type_is_written_with_shorter_paths() {
        assert!(is_written("(u8, str)", "(&'a u8, &String)"));
        assert!(is_written("alloc::vec::Vec<(u8, a::b::Key)>", "&'_ Vec<(u8, Key)>"));
        assert!(is_written("u8", "&mut u8") && is_written("u8", "u8"));
        assert!(!is_written("u8", "usize") && !is_written("a::Key", "a::Value"));
        assert!(!is_written("u8", "T"));
    }

    #[test]
    fn literals_and_results_of_equal_values_have_equal_texts() {
        let literal = of_literal(&Literal::new(Text("a\"".to_owned()))).unwrap();
        let text = Some("\"a\\\"\"".to_owned());
        let plain = PlainValue { ty: "str", text, literal: None, equals_itself: true };
        let returned = ReturnValue::Ref(Box::new(ReturnValue::Plain(plain.clone())));
        assert_eq!(of_returned(&returned), Some(literal));
        let number = of_literal(&Literal::new(3_u8)).unwrap();
        assert_eq!((&*number.ty, number.text.as_str()), ("u8", "3"));
        let pair = ReturnValue::Tuple(vec![returned, ReturnValue::Plain(plain)]);
        let pair = of_returned(&pair).unwrap();
        assert_eq!((&*pair.ty, pair.text.as_str()), ("(str, str)", "(\"a\\\"\", \"a\\\"\")"));
    }
}
