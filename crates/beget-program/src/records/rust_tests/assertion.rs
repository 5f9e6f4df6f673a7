//! The return value of a call, as an assertion that compiles for all types of the result.
//!
//! A value shows which traits its own parts have. For parts that it does not have, such as the
//! error of an `Ok`, the names in the signature decide: types of the standard library have them;
//! parts of other types are left out of the assertion.

use beget_suite::{Method, PlainValue, ReturnValue};

/// An assertion of what a call returned: the text before the call's expression, and that after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AssertionText {
    pub(super) before: String,
    pub(super) after: String,
}

impl AssertionText {
    fn new(before: &str, after: String) -> Self {
        AssertionText { before: before.to_owned(), after }
    }
}

/// The assertion of what a call of the method returned; `None` if there is nothing to assert.
pub(super) fn assertion(method: &Method, returned: &ReturnValue) -> Option<AssertionText> {
    let result = method.returns.unwrap_or("()");
    assert_value(returned, result)
}

fn assert_value(returned: &ReturnValue, result: &str) -> Option<AssertionText> {
    if let ReturnValue::Plain(PlainValue { ty: "bool", text: Some(text), .. }) = returned {
        let before = if text == "true" { "assert!(" } else { "assert!(!" };
        return Some(AssertionText::new(before, ");".to_owned()));
    }
    if is_unit(returned) {
        return None;
    }
    asserted("", returned, result).or_else(|| assert_variant(returned, result))
}

/// The assertion of a whole value, to which `access` leads from the call's expression.
fn asserted(access: &str, returned: &ReturnValue, result: &str) -> Option<AssertionText> {
    if let Some(source) = comparable_source(returned)
        && has_all(returned, result, |value| value.equals_itself && value.text.is_some())
    {
        return Some(AssertionText::new("assert_eq!(", format!("{access}, {source});")));
    }
    let is_shown = has_all(returned, result, |value| value.text.is_some());
    (is_shown && !returned.has_structures()).then(|| {
        let before = "assert_eq!(format!(\"{:?}\", ";
        AssertionText::new(before, format!("{access}), {:?});", returned.to_string()))
    })
}

/// The assertion of an `Option` or `Result` of which only one side can be asserted.
fn assert_variant(returned: &ReturnValue, result: &str) -> Option<AssertionText> {
    let sides = arguments_of(result);
    let side = |index: usize| sides.get(index).copied().unwrap_or("_");
    let (test, get, inner) = match returned {
        ReturnValue::None => return Some(assert_that("is_none")),
        ReturnValue::Some(_) => return Some(assert_that("is_some")),
        ReturnValue::Ok(inner) => ("is_ok", "ok", (inner, side(0))),
        ReturnValue::Err(inner) => ("is_err", "err", (inner, side(1))),
        _ => return None,
    };
    let (inner, ty) = inner;
    let whole = ReturnValue::Some(inner.clone());
    let of_side =
        (!is_unit(inner)).then(|| asserted(&format!(".{get}()"), &whole, &format!("Option<{ty}>")));
    of_side.flatten().or_else(|| Some(assert_that(test)))
}

/// The assertion of a predicate of the result.
fn assert_that(test: &str) -> AssertionText {
    AssertionText::new("assert!(", format!(".{test}());"))
}

fn is_unit(value: &ReturnValue) -> bool {
    matches!(value, ReturnValue::Tuple(parts) if parts.is_empty())
}

/// Returns the value as an expression whose type is that of the result without annotation.
fn comparable_source(value: &ReturnValue) -> Option<String> {
    let source = value.source()?;
    // The type of the elements of an empty list is unknown.
    let is_typed = !source.contains("[]") && !has_coerced(value);
    is_typed.then_some(source)
}

/// Returns whether a literal is of another type than the value, to which it is coerced where it is
/// passed: an array in place of a slice. One slice alone can be compared with an array.
fn has_coerced(value: &ReturnValue) -> bool {
    let coerced = |value: &PlainValue| value.ty.contains("Box<[") || value.ty.contains("Cow<");
    let is_coerced = |value: &&PlainValue| coerced(value) || is_slice(value.ty);
    match value {
        ReturnValue::Ref(inner) | ReturnValue::Mut(inner) => match &**inner {
            ReturnValue::Plain(value) => coerced(value),
            inner => inner.plain_values().iter().any(is_coerced),
        },
        _ => value.plain_values().iter().any(is_coerced),
    }
}

/// Returns whether the name of a type is that of a slice: `[u8]`, but not `[u8; 2]`.
fn is_slice(ty: &str) -> bool {
    let inner = ty.strip_prefix('[').and_then(|ty| ty.strip_suffix(']'));
    inner.is_some_and(|inner| split_at_depth_0(inner, ';').len() == 1)
}

/// Returns whether every part of a value has what is asked, and every part of its type that it does
/// not show.
fn has_all(value: &ReturnValue, result: &str, has: impl Fn(&PlainValue) -> bool) -> bool {
    let plain = value.plain_values();
    if !plain.iter().all(|value| has(value)) {
        return false;
    }
    let shown: Vec<&str> = plain.iter().map(|value| last_name(value.ty)).collect();
    !has_hidden_parts(value) || is_of_known_types(result, &shown)
}

/// Returns whether the type has parts that the value does not show.
fn has_hidden_parts(value: &ReturnValue) -> bool {
    match value {
        ReturnValue::None | ReturnValue::Ok(_) | ReturnValue::Err(_) => true,
        ReturnValue::Structure(_) | ReturnValue::Plain(_) => false,
        ReturnValue::Some(inner)
        | ReturnValue::Boxed(inner)
        | ReturnValue::Ref(inner)
        | ReturnValue::Mut(inner) => has_hidden_parts(inner),
        ReturnValue::Tuple(parts) => parts.iter().any(has_hidden_parts),
        ReturnValue::List(_) => true,
    }
}

/// Types with `Debug` and `PartialEq`, if their parameters have them.
const KNOWN: [&str; 43] = [
    "Arc",
    "BTreeMap",
    "BTreeSet",
    "Box",
    "Duration",
    "HashMap",
    "HashSet",
    "LinkedList",
    "NonZero",
    "NonZeroU16",
    "NonZeroU32",
    "NonZeroU64",
    "NonZeroU8",
    "NonZeroUsize",
    "Option",
    "Ordering",
    "OsString",
    "Path",
    "PathBuf",
    "Rc",
    "Result",
    "Reverse",
    "String",
    "Vec",
    "VecDeque",
    "Wrapping",
    "bool",
    "char",
    "f32",
    "f64",
    "i128",
    "i16",
    "i32",
    "i64",
    "i8",
    "isize",
    "str",
    "u128",
    "u16",
    "u32",
    "u64",
    "u8",
    "usize",
];

/// Returns whether a type as the source writes it is made of the known ones, and those in `shown`.
fn is_of_known_types(ty: &str, shown: &[&str]) -> bool {
    // A path or an alias can be anything.
    if ty.contains("::") || ty.contains("dyn ") || ty.contains("impl ") || ty.contains("fn(") {
        return false;
    }
    let is_name = |char: char| char.is_alphanumeric() || char == '_' || char == '\'';
    let words = ty.split(|char| !is_name(char)).filter(|word| !word.is_empty());
    let is_known = |word: &str| {
        let is_number = word.starts_with(|char: char| char.is_ascii_digit());
        let is_word = word == "mut" || word.starts_with('\'') || is_number;
        is_word || KNOWN.contains(&word) || shown.contains(&word)
    };
    let n_results = ty.matches("Result").count();
    words.into_iter().all(is_known) && ty.matches("Result<").count() == n_results && has_errors(ty)
}

/// Returns whether every `Result` names its error: an alias hides it.
fn has_errors(ty: &str) -> bool {
    let mut rest = ty;
    while let Some((_, after)) = rest.split_once("Result<") {
        if arguments_of(&format!("Result<{after}")).len() != 2 {
            return false;
        }
        rest = after;
    }
    true
}

/// The arguments of a type: `A` and `B` of `Result<A, B>`.
fn arguments_of(ty: &str) -> Vec<&str> {
    let Some((_, after)) = ty.split_once('<') else { return Vec::new() };
    let mut depth = 0;
    let end = after.find(|char| {
        depth += match char {
            '<' => 1,
            '>' => -1,
            _ => 0,
        };
        depth < 0
    });
    split_at_depth_0(&after[..end.unwrap_or(after.len())], ',')
}

fn split_at_depth_0(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0);
    for (at, char) in text.char_indices() {
        match char {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            _ if char == separator && depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + char.len_utf8();
            }
            _ => {}
        }
    }
    let last = text[start..].trim();
    if !last.is_empty() {
        parts.push(last);
    }
    parts
}

/// The last name of a type's path, without its arguments.
fn last_name(ty: &str) -> &str {
    let path = ty.split_once('<').map_or(ty, |(path, _)| path);
    path.rsplit("::").next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use beget_suite::{Literal, plain_value};

    use super::*;

    #[derive(Debug, PartialEq)]
    struct Shown(u8);

    struct Opaque;

    fn plain<T: beget_suite::Domain + std::fmt::Debug>(value: T) -> ReturnValue {
        ReturnValue::Plain(PlainValue {
            ty: std::any::type_name::<T>(),
            text: Some(format!("{value:?}")),
            equals_itself: true,
            literal: Some(Literal::new(value)),
        })
    }

    fn some(value: ReturnValue) -> ReturnValue {
        ReturnValue::Some(Box::new(value))
    }

    fn ok(value: ReturnValue) -> ReturnValue {
        ReturnValue::Ok(Box::new(value))
    }

    fn err(value: ReturnValue) -> ReturnValue {
        ReturnValue::Err(Box::new(value))
    }

    #[track_caller]
    fn check(value: &ReturnValue, result: &str, expected: &str) {
        let written = assert_value(value, result)
            .map_or("-".to_owned(), |assertion| assertion.before + "x.f()" + &assertion.after);
        assert_eq!(written, expected);
    }

    #[test]
    fn values_with_literals_are_compared() {
        check(&plain(3_u8), "u8", "assert_eq!(x.f(), 3);");
        check(&plain(true), "bool", "assert!(x.f());");
        check(&plain(false), "bool", "assert!(!x.f());");
        check(&some(plain(3_u8)), "Option<u8>", "assert_eq!(x.f(), Some(3));");
        check(&ReturnValue::None, "Option<u8>", "assert_eq!(x.f(), None);");
        check(&ok(plain(3_u8)), "Result<u8, String>", "assert_eq!(x.f(), Ok(3));");
        check(&ReturnValue::Tuple(Vec::new()), "()", "-");
        let pair = ReturnValue::Tuple(vec![plain(1_u8), plain(String::from("a"))]);
        check(&pair, "(u8, String)", "assert_eq!(x.f(), (1, String::from(\"a\")));");
    }

    #[test]
    fn of_types_that_are_not_known_only_what_is_shown_is_asserted() {
        check(&ReturnValue::None, "Option<Shown>", "assert!(x.f().is_none());");
        check(&ok(plain(3_u8)), "Result<u8, Shown>", "assert_eq!(x.f().ok(), Some(3));");
        check(&ok(plain(3_u8)), "Result<u8>", "assert_eq!(x.f().ok(), Some(3));");
        check(&ok(plain(3_u8)), "io::Result<u8>", "assert_eq!(x.f().ok(), Some(3));");
        let nested = ok(ReturnValue::None);
        check(&nested, "Result<Option<u8>, E>", "assert_eq!(x.f().ok(), Some(None));");
        check(&nested, "Result<Option<T>, E>", "assert!(x.f().is_ok());");
        check(&ok(ReturnValue::Tuple(Vec::new())), "Result<(), E>", "assert!(x.f().is_ok());");
        check(&err(plain(3_u8)), "Result<T, u8>", "assert_eq!(x.f().err(), Some(3));");
    }

    #[test]
    fn values_without_literals_are_compared_as_text() {
        let shown = ReturnValue::Plain(plain_value!(&Shown(1)));
        let opaque = ReturnValue::Plain(plain_value!(&Opaque));
        let text = "assert_eq!(format!(\"{:?}\", x.f()), \"Shown(1)\");";
        check(&shown, "Shown", text);
        let text = "assert_eq!(format!(\"{:?}\", x.f()), \"Err(Shown(1))\");";
        check(&err(shown.clone()), "Result<u8, Shown>", text);
        let text = "assert_eq!(format!(\"{:?}\", x.f().err()), \"Some(Shown(1))\");";
        check(&err(shown), "Result<Unknown, Shown>", text);
        check(&opaque, "Opaque", "-");
        check(&err(opaque.clone()), "Result<u8, Opaque>", "assert!(x.f().is_err());");
        check(&some(opaque), "Option<Opaque>", "assert!(x.f().is_some());");
        check(&some(ReturnValue::Structure(0)), "Option<Node>", "assert!(x.f().is_some());");
        // It does not equal itself.
        let nan = ReturnValue::Plain(plain_value!(&f64::NAN));
        check(&nan, "f64", "assert_eq!(format!(\"{:?}\", x.f()), \"NaN\");");
    }

    #[test]
    fn slices_are_compared_with_arrays_where_that_compiles() {
        let slice =
            |values: &[u8]| ReturnValue::Ref(Box::new(ReturnValue::Plain(plain_value!(values))));
        check(&slice(&[1, 2]), "&[u8]", "assert_eq!(x.f(), &[1, 2]);");
        check(&slice(&[]), "&[u8]", "assert_eq!(format!(\"{:?}\", x.f()), \"[]\");");
        let text = "assert_eq!(format!(\"{:?}\", x.f()), \"Some([1])\");";
        check(&some(slice(&[1])), "Option<&[u8]>", text);
        check(&plain([1_u8, 2]), "[u8; 2]", "assert_eq!(x.f(), [1, 2]);");
        let no_items = Vec::<u8>::new();
        let empty = ReturnValue::Plain(plain_value!(&no_items));
        check(&empty, "Vec<u8>", "assert_eq!(format!(\"{:?}\", x.f()), \"[]\");");
    }
}
