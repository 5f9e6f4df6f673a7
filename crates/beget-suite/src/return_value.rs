//! The result of a call, shown to a listener: structures by number, everything else as text and
//! literal.

use std::fmt;

use crate::domain::referenced;
use crate::{Domain, Literal, Outcome, Slice, Text};

/// The result of a call, as far as its method's signature reveals its parts.
///
/// It is written like the value itself, with `_` for structures, whose values are in the
/// [`Frame`](crate::Frame), and `<opaque TYPE>` for values without `Debug`: `Some((3, _))`.
#[derive(Clone, Debug)]
pub enum ReturnValue {
    /// A structure: the method's output of that number. It need not be recorded: a reference to an
    /// argument adds no structure.
    Structure(usize),
    /// A value that is no structure.
    Plain(PlainValue),
    /// `None`.
    None,
    /// `Some(...)`.
    Some(Box<ReturnValue>),
    /// `Ok(...)`.
    Ok(Box<ReturnValue>),
    /// `Err(...)`.
    Err(Box<ReturnValue>),
    /// A tuple; without parts it is `()`.
    Tuple(Vec<ReturnValue>),
    /// The elements of a list with structures in it, as far as the method has outputs for them.
    List(Vec<ReturnValue>),
    /// The content of a `Box`.
    Boxed(Box<ReturnValue>),
    /// The target of a `&`.
    Ref(Box<ReturnValue>),
    /// The target of a `&mut`.
    Mut(Box<ReturnValue>),
}

/// A returned value that is no structure.
#[derive(Clone, Debug)]
pub struct PlainValue {
    /// The name of its type, from the compiler.
    pub ty: &'static str,
    /// The value by its `Debug`; `None` if the type has none. The text may differ between runs, for
    /// example by an address.
    pub text: Option<String>,
    /// The value as a literal; `None` where the type has no [`Domain`].
    pub literal: Option<Literal>,
    /// True if its type has `PartialEq`, by which the value equals itself.
    pub equals_itself: bool,
}

impl ReturnValue {
    /// Returns whether it contains structures, or lists of them.
    pub fn has_structures(&self) -> bool {
        match self {
            ReturnValue::Structure(_) | ReturnValue::List(_) => true,
            ReturnValue::Plain(_) | ReturnValue::None => false,
            ReturnValue::Some(inner)
            | ReturnValue::Ok(inner)
            | ReturnValue::Err(inner)
            | ReturnValue::Boxed(inner)
            | ReturnValue::Ref(inner)
            | ReturnValue::Mut(inner) => inner.has_structures(),
            ReturnValue::Tuple(parts) => parts.iter().any(ReturnValue::has_structures),
        }
    }

    /// The values that are no structures, from left to right.
    pub fn plain_values(&self) -> Vec<&PlainValue> {
        match self {
            ReturnValue::Plain(value) => vec![value],
            ReturnValue::Structure(_) | ReturnValue::None => Vec::new(),
            ReturnValue::Some(inner)
            | ReturnValue::Ok(inner)
            | ReturnValue::Err(inner)
            | ReturnValue::Boxed(inner)
            | ReturnValue::Ref(inner)
            | ReturnValue::Mut(inner) => inner.plain_values(),
            ReturnValue::Tuple(parts) | ReturnValue::List(parts) => {
                parts.iter().flat_map(Self::plain_values).collect()
            }
        }
    }

    /// The value as a Rust expression of the method's result type; `None` if it contains a
    /// structure or a value without literals.
    pub fn source(&self) -> Option<String> {
        let source = match self {
            // An empty list does not determine the type.
            ReturnValue::Structure(_) | ReturnValue::List(_) => return None,
            ReturnValue::Plain(value) => value.source()?.to_owned(),
            ReturnValue::None => "None".to_owned(),
            ReturnValue::Some(inner) => format!("Some({})", inner.source()?),
            ReturnValue::Ok(inner) => format!("Ok({})", inner.source()?),
            ReturnValue::Err(inner) => format!("Err({})", inner.source()?),
            ReturnValue::Boxed(inner) => format!("Box::new({})", inner.source()?),
            ReturnValue::Ref(inner) => match inner.is_text() {
                true => inner.source()?,
                false => referenced("&", &inner.source()?),
            },
            ReturnValue::Mut(inner) => referenced("&mut ", &inner.source()?),
            ReturnValue::Tuple(parts) => {
                tuple(parts.iter().map(Self::source).collect::<Option<Vec<_>>>()?)
            }
        };
        Some(source)
    }

    /// Returns whether another result of the same method shows the same: equal text, equal
    /// literals, and both or neither equal to itself.
    pub fn looks_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Structure(_), Self::Structure(_)) | (Self::None, Self::None) => true,
            (Self::Plain(one), Self::Plain(other)) => {
                (one.ty, &one.text, one.source(), one.equals_itself)
                    == (other.ty, &other.text, other.source(), other.equals_itself)
            }
            (Self::Some(one), Self::Some(other))
            | (Self::Ok(one), Self::Ok(other))
            | (Self::Err(one), Self::Err(other))
            | (Self::Boxed(one), Self::Boxed(other))
            | (Self::Ref(one), Self::Ref(other))
            | (Self::Mut(one), Self::Mut(other)) => one.looks_like(other),
            (Self::Tuple(parts), Self::Tuple(others)) | (Self::List(parts), Self::List(others)) => {
                let mut pairs = parts.iter().zip(others);
                parts.len() == others.len() && pairs.all(|(one, other)| one.looks_like(other))
            }
            _ => false,
        }
    }

    /// Returns whether it is a `str`, whose literals are references already.
    fn is_text(&self) -> bool {
        match self {
            ReturnValue::Plain(value) => {
                value.literal.as_ref().is_some_and(|literal| literal.value.is::<Text>())
            }
            _ => false,
        }
    }
}

/// Formats it as the value's own `Debug` would.
impl fmt::Display for ReturnValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReturnValue::Structure(_) => f.write_str("_"),
            ReturnValue::Plain(value) => value.fmt(f),
            ReturnValue::None => f.write_str("None"),
            ReturnValue::Some(inner) => write!(f, "Some({inner})"),
            ReturnValue::Ok(inner) => write!(f, "Ok({inner})"),
            ReturnValue::Err(inner) => write!(f, "Err({inner})"),
            ReturnValue::Boxed(inner) | ReturnValue::Ref(inner) | ReturnValue::Mut(inner) => {
                inner.fmt(f)
            }
            ReturnValue::Tuple(parts) => {
                f.write_str(&tuple(parts.iter().map(Self::to_string).collect()))
            }
            ReturnValue::List(parts) => {
                let parts: Vec<_> = parts.iter().map(Self::to_string).collect();
                write!(f, "[{}]", parts.join(", "))
            }
        }
    }
}

impl PlainValue {
    /// Returns whether only its type can be shown.
    pub fn is_opaque(&self) -> bool {
        self.text.is_none()
    }

    fn source(&self) -> Option<&str> {
        self.literal.as_ref().map(|literal| &*literal.source)
    }
}

impl fmt::Display for PlainValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.text {
            Some(text) => f.write_str(text),
            None => write!(f, "<opaque {}>", self.ty),
        }
    }
}

fn tuple(parts: Vec<String>) -> String {
    let comma = if parts.len() == 1 { "," } else { "" };
    format!("({}{comma})", parts.join(", "))
}

/// A listener to the results of calls. The glue of a method is generic over it.
pub trait Listener {
    /// Receives the result of the call. `show` produces it only on demand.
    fn hear(&mut self, show: impl FnOnce() -> ReturnValue);
}

/// The [`Listener`] of a plain call: shows nothing.
#[derive(Clone, Copy, Debug)]
pub struct Nobody;

impl Listener for Nobody {
    #[inline]
    fn hear(&mut self, _: impl FnOnce() -> ReturnValue) {}
}

impl Listener for Option<ReturnValue> {
    fn hear(&mut self, show: impl FnOnce() -> ReturnValue) {
        *self = Some(show());
    }
}

/// Makes a call with `call`, and returns its result as the listener received it.
pub fn observed(
    call: impl FnOnce(&mut Option<ReturnValue>) -> Outcome,
) -> (Outcome, Option<ReturnValue>) {
    let mut heard = None;
    let outcome = call(&mut heard);
    (outcome, heard)
}

/// A value that can be a literal: those of a [`Domain`], and the targets of references to texts and
/// slices.
pub trait ToLiteral {
    /// The value as a literal, of the type by which parameters take it.
    fn to_literal(&self) -> Literal;
}

impl<T: Domain> ToLiteral for T {
    fn to_literal(&self) -> Literal {
        Literal::new(self.clone())
    }
}

impl ToLiteral for str {
    fn to_literal(&self) -> Literal {
        Literal::new(Text(self.to_owned()))
    }
}

impl<T: Domain> ToLiteral for [T] {
    fn to_literal(&self) -> Literal {
        Literal::new(Slice(self.to_vec()))
    }
}

/// The [`PlainValue`] of the target of a reference, by whichever of `Debug`, `PartialEq` and
/// [`Domain`] its type has.
#[macro_export]
macro_rules! plain_value {
    ($value:expr) => {{
        #[allow(unused_imports)]
        use $crate::value_probe::{
            HasEquality as _, HasLiteral as _, HasText as _, LacksEquality as _, LacksLiteral as _,
            LacksText as _,
        };
        let probe = $crate::value_probe::ValueProbe::new($value);
        $crate::PlainValue {
            ty: probe.type_name(),
            text: (&probe).text(),
            literal: (&probe).literal(),
            equals_itself: (&probe).equals_itself(),
        }
    }};
}

/// Shows a value of a concrete type that may or may not have `Debug`, `PartialEq` and [`Domain`],
/// in emitted code that cannot ask by bounds; [`Probe`](beget_heap::probe::Probe) describes how.
pub mod value_probe {
    use std::fmt::{self, Debug, Write as _};

    use super::ToLiteral;
    use crate::Literal;

    /// Carries the value asked about.
    pub struct ValueProbe<'v, T: ?Sized>(&'v T);

    impl<T: ?Sized> Debug for ValueProbe<'_, T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "ValueProbe({})", self.type_name())
        }
    }

    impl<'v, T: ?Sized> ValueProbe<'v, T> {
        /// A probe for `value`.
        pub fn new(value: &'v T) -> Self {
            ValueProbe(value)
        }

        /// The name of the value's type.
        pub fn type_name(&self) -> &'static str {
            std::any::type_name::<T>()
        }
    }

    /// Chosen where `T: Debug`.
    pub trait HasText {
        /// The value as text.
        fn text(&self) -> Option<String>;
    }

    impl<T: Debug + ?Sized> HasText for ValueProbe<'_, T> {
        fn text(&self) -> Option<String> {
            Some(text_of(&self.0))
        }
    }

    /// The text of a value by its `Debug`. It is like `format!`, with room for a short text.
    fn text_of(value: &dyn Debug) -> String {
        let mut text = String::with_capacity(SHORT_TEXT);
        write!(text, "{value:?}").expect("a `Debug` fails only if what it writes to does");
        text
    }

    /// The bytes that hold most numbers and words.
    const SHORT_TEXT: usize = 24;

    /// Chosen otherwise.
    pub trait LacksText {
        /// `None`.
        fn text(&self) -> Option<String>;
    }

    impl<T: ?Sized> LacksText for &ValueProbe<'_, T> {
        fn text(&self) -> Option<String> {
            None
        }
    }

    /// Chosen where `T: ToLiteral`.
    pub trait HasLiteral {
        /// The value as a literal.
        fn literal(&self) -> Option<Literal>;
    }

    impl<T: ToLiteral + ?Sized> HasLiteral for ValueProbe<'_, T> {
        fn literal(&self) -> Option<Literal> {
            Some(self.0.to_literal())
        }
    }

    /// Chosen otherwise.
    pub trait LacksLiteral {
        /// `None`.
        fn literal(&self) -> Option<Literal>;
    }

    impl<T: ?Sized> LacksLiteral for &ValueProbe<'_, T> {
        fn literal(&self) -> Option<Literal> {
            None
        }
    }

    /// Chosen where `T: PartialEq`.
    pub trait HasEquality {
        /// Returns whether the value equals itself: a `NaN` does not.
        fn equals_itself(&self) -> bool;
    }

    impl<T: PartialEq + ?Sized> HasEquality for ValueProbe<'_, T> {
        fn equals_itself(&self) -> bool {
            let same = self.0;
            *self.0 == *same
        }
    }

    /// Chosen otherwise.
    pub trait LacksEquality {
        /// `false`.
        fn equals_itself(&self) -> bool;
    }

    impl<T: ?Sized> LacksEquality for &ValueProbe<'_, T> {
        fn equals_itself(&self) -> bool {
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_look_alike_if_their_texts_and_literals_do() {
        let plain = |value: u8| ReturnValue::Plain(plain_value!(&value));
        let float = |value: f64| ReturnValue::Plain(plain_value!(&value));
        let some = |value: &ReturnValue| ReturnValue::Some(Box::new(value.clone()));
        let ok = |value: &ReturnValue| ReturnValue::Ok(Box::new(value.clone()));
        let err = |value: &ReturnValue| ReturnValue::Err(Box::new(value.clone()));
        let (one, two) = (plain(1), plain(2));
        let pairs = [(&one, &one), (&one, &two), (&two, &one)];
        let mut all = vec![ReturnValue::None, one.clone(), two.clone(), float(0.0), float(-0.0)];
        all.extend([&one, &two].into_iter().flat_map(|value| [some(value), ok(value), err(value)]));
        all.extend(pairs.map(|(a, b)| ReturnValue::Tuple(vec![a.clone(), b.clone()])));
        all.extend(pairs.map(|(a, b)| ReturnValue::List(vec![a.clone(), b.clone()])));
        all.extend([ReturnValue::Tuple(vec![]), ReturnValue::Tuple(vec![one.clone()])]);
        for (index, value) in all.iter().enumerate() {
            let alike: Vec<usize> =
                (0..all.len()).filter(|&other| value.looks_like(&all[other])).collect();
            assert_eq!(alike, [index], "{value}");
        }
        let mut other = plain_value!(&1_u8);
        other.literal = plain_value!(&2_u8).literal;
        assert!(!one.looks_like(&ReturnValue::Plain(other)), "its literal is another one");
        // The value is in the frame; a NaN is written like any other.
        assert!(ReturnValue::Structure(0).looks_like(&ReturnValue::Structure(1)));
        assert!(float(f64::NAN).looks_like(&float(f64::NAN)));
    }

    #[test]
    fn a_value_equals_itself_if_its_type_says_so() {
        struct OpaqueValue;
        let equals = [plain_value!(&1.5_f64), plain_value!(&f64::NAN), plain_value!(&OpaqueValue)];
        assert_eq!(equals.map(|value| value.equals_itself), [true, false, false]);
    }

    #[test]
    fn structures_are_found_at_any_depth() {
        let (plain, structure) =
            (ReturnValue::Plain(plain_value!(&1_u8)), ReturnValue::Structure(0));
        for (value, has_structures) in [(plain, false), (structure, true)] {
            let inside = ReturnValue::Some(Box::new(ReturnValue::Tuple(vec![value])));
            assert_eq!(inside.has_structures(), has_structures);
        }
        assert!(ReturnValue::List(vec![]).has_structures() && !ReturnValue::None.has_structures());
    }
}
