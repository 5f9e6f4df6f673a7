//! Everything that a value shows, as a state: for types whose fields are hidden.
//!
//! A derived `Debug` shows all fields; a handwritten one, and iteration, show the author's choice;
//! and methods may show more. All of them are used: distinguishing too many values costs time,
//! distinguishing too few hides some.

use std::any::{Any, type_name};
use std::fmt::Write as _;
use std::hash::Hasher;
use std::marker::PhantomData;

use beget_heap::{
    ClassKey, Encoder, Field, HeapGraph, Layout, Primitive, Schema, Undecodable, WalkRoot, Walker,
};
use beget_process::guard::{guarded, last_panic};

use crate::{CloneFn, StateKind, StateView, Type, TypeTraits};

/// The most items taken from an iteration, which may have no end.
const MOST_ITEMS: usize = 1_000;

/// The type of a text field, whose length is not bounded.
const SHOWN: &str = "shown";

/// A type with the observers of its values. The macros implement it.
pub trait Showing: 'static {
    /// The type under test.
    type Of: 'static;

    /// The methods that are called.
    const METHODS: &'static [ShownMethod];

    /// The traits of the type.
    fn traits() -> TypeTraits;
}

/// A method that takes only `&self`.
#[derive(Clone, Copy, Debug)]
pub struct ShownMethod {
    /// Its name.
    pub name: &'static str,
    /// The type of its result as source, if that is a number, a boolean or a character; `None` if
    /// it is shown as text.
    pub plain: Option<&'static str>,
    /// Calls it.
    pub show: fn(&dyn Any) -> ShownResult,
}

/// The answer of such a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShownResult {
    /// A boolean.
    Bool(bool),
    /// A character.
    Char(char),
    /// A signed integer.
    Signed(i64),
    /// An unsigned integer.
    Unsigned(u64),
    /// Any other value by its `Debug`, or the message of a panic; `None` for a value without
    /// `Debug`.
    Text(Option<String>),
}

macro_rules! observed_as {
    ($($variant:ident: $($ty:ty as $wide:ty),+;)+) => {$($(
        impl From<$ty> for ShownResult {
            fn from(value: $ty) -> Self {
                ShownResult::$variant(value as $wide)
            }
        }
    )+)+};
}

observed_as! {
    Bool: bool as bool;
    Char: char as char;
    Signed: i8 as i64, i16 as i64, i32 as i64, i64 as i64, isize as i64;
    Unsigned: u8 as u64, u16 as u64, u32 as u64, u64 as u64, usize as u64;
}

impl ShownResult {
    /// The answer of `method` for `value`. A panic is an answer too: some methods have
    /// preconditions.
    pub(crate) fn of(method: &ShownMethod, value: &dyn Any) -> Self {
        guarded(|| (method.show)(value)).unwrap_or_else(|_| ShownResult::panicked())
    }

    fn panicked() -> Self {
        ShownResult::Text(Some(format!("panics: {}", last_panic().message)))
    }

    fn text(show: impl FnOnce() -> String) -> Self {
        guarded(|| ShownResult::Text(Some(show()))).unwrap_or_else(|_| ShownResult::panicked())
    }

    /// Shows a number. If it is missing, because its method panics, it must differ from all
    /// numbers.
    pub(crate) fn walk_plain<W: Walker>(&self, walker: &mut W) {
        walker.primitive(Primitive::Present(!matches!(self, ShownResult::Text(_))));
        match self {
            ShownResult::Bool(value) => walker.primitive(Primitive::Bool(*value)),
            ShownResult::Char(value) => walker.primitive(Primitive::Word(u64::from(*value))),
            ShownResult::Signed(value) => walker.primitive(Primitive::Signed(*value)),
            ShownResult::Unsigned(value) => walker.primitive(Primitive::Unsigned(*value)),
            ShownResult::Text(_) => walk_text(self, walker),
        }
    }
}

/// Returns whether values of a type show anything.
fn shows_anything<S: Showing>() -> bool {
    !fields(S::METHODS, &S::traits()).is_empty()
}

/// Describes `S::Of`, identified by everything that values show.
pub fn type_shown<S: Showing>(name: &'static str, clone: Option<CloneFn>) -> Type {
    let traits = S::traits();
    crate::types::type_with(name, clone, shown_view_of::<S>()).with_traits(traits)
}

/// Shows values by everything that they show; `None` if they show nothing.
pub fn shown_view<S: Showing>() -> Option<StateView> {
    shows_anything::<S>().then(shown_view_of::<S>)
}

fn shown_view_of<S: Showing>() -> StateView {
    StateView {
        state: StateKind::Shown,
        describe: |schema| {
            schema.add_record_root(class_of::<S>(), &fields(S::METHODS, &S::traits()));
            schema.unseen::<S::Of>();
            schema.seen_through_function("it is seen by what it shows");
        },
        walk: |value, encoder| walk(&ShownValue::of::<S>(value), encoder),
        graph: |value, schema, layout| graph(&ShownValue::of::<S>(value), schema, layout),
        decode: |_| Err(Undecodable::new("it is seen by what it shows")),
    }
}

// Compiled once, not for each type.

fn walk(value: &ShownValue, encoder: &mut Encoder<'_>) {
    encoder.walk(value);
}

fn graph(value: &ShownValue, schema: &Schema, layout: &Layout) -> HeapGraph {
    HeapGraph::under(value, schema, layout)
}

/// A value's answers, in the order of the fields.
struct ShownValue {
    class: ClassKey,
    methods: &'static [ShownMethod],
    shown: Vec<ShownResult>,
}

/// The class of all that values show which `S` shows.
struct ShownOf<S>(PhantomData<S>);

fn class_of<S: Showing>() -> ClassKey {
    ClassKey::new::<ShownOf<S>>(type_name::<S::Of>())
}

/// The traits of a type that show its values.
fn showing(traits: &TypeTraits) -> impl Iterator<Item = &'static ShownTrait> {
    TRAITS.iter().filter(|shown| (shown.is_there)(traits))
}

fn fields(methods: &[ShownMethod], traits: &TypeTraits) -> Vec<Field> {
    let field = |name, ty| Field { name, ty, skipped: false };
    let by_traits = showing(traits).map(|shown| field(shown.name, SHOWN));
    let by_methods = methods.iter().map(|method| field(method.name, method.plain.unwrap_or(SHOWN)));
    by_traits.chain(by_methods).collect()
}

impl ShownValue {
    fn of<S: Showing>(value: &dyn Any) -> Self {
        ShownValue::shown_by(class_of::<S>(), S::METHODS, &S::traits(), value)
    }

    fn shown_by(
        class: ClassKey,
        methods: &'static [ShownMethod],
        traits: &TypeTraits,
        value: &dyn Any,
    ) -> Self {
        let by_traits =
            showing(traits).map(|shown| ShownResult::text(|| (shown.show)(traits, value)));
        let by_methods = methods.iter().map(|method| ShownResult::of(method, value));
        let mut shown: Vec<ShownResult> = by_traits.chain(by_methods).collect();
        rename_addresses(&mut shown);
        ShownValue { class, methods, shown }
    }
}

/// A trait that shows values.
struct ShownTrait {
    name: &'static str,
    is_there: fn(&TypeTraits) -> bool,
    /// The text it shows, if the type has the trait.
    show: fn(&TypeTraits, &dyn Any) -> String,
}

const TRAITS: [ShownTrait; 4] = [
    ShownTrait {
        name: "Debug",
        is_there: |traits| traits.debug.is_some(),
        show: |traits, value| traits.debug_text(value).unwrap_or_default(),
    },
    ShownTrait {
        name: "Display",
        is_there: |traits| traits.display.is_some(),
        show: |traits, value| {
            traits.display_of(value).map(|value| value.to_string()).unwrap_or_default()
        },
    },
    ShownTrait {
        name: "Hash",
        is_there: |traits| traits.hash.is_some(),
        show: |traits, value| {
            let mut hashed = HashedBytes(String::new());
            traits.hash.into_iter().for_each(|hash| hash(value, &mut hashed));
            hashed.0
        },
    },
    ShownTrait {
        name: "IntoIterator",
        is_there: |traits| traits.iterate.is_some(),
        show: |traits, value| {
            let mut text = String::new();
            traits.iterate.into_iter().for_each(|iterate| {
                iterate(value, &mut |items| {
                    for item in std::iter::from_fn(|| items.step()).take(MOST_ITEMS) {
                        // A line each, whatever the items contain.
                        text.push_str(&item.replace('\\', "\\\\").replace('\n', "\\n"));
                        text.push('\n');
                    }
                });
            });
            text
        },
    },
];

/// The bytes that a value feeds to a hasher.
struct HashedBytes(String);

impl Hasher for HashedBytes {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            let _ = write!(self.0, "{byte:02x}");
        }
    }

    fn finish(&self) -> u64 {
        0
    }
}

impl WalkRoot for ShownValue {
    fn root_class(&self) -> ClassKey {
        self.class
    }

    fn walk_root<W: Walker>(&self, walker: &mut W) {
        let class = self.class;
        walker.begin_record(class);
        let n_texts = self.shown.len() - self.methods.len();
        for (index, shown) in self.shown.iter().enumerate() {
            if walker.field(class, index) {
                let method = index.checked_sub(n_texts).map(|number| &self.methods[number]);
                match method.and_then(|method| method.plain) {
                    Some(_) => shown.walk_plain(walker),
                    None => walk_text(shown, walker),
                }
            }
        }
        walker.end_record();
    }
}

fn walk_text<W: Walker>(shown: &ShownResult, walker: &mut W) {
    let text = match shown {
        ShownResult::Text(Some(text)) => text,
        _ => "",
    };
    walker.primitive(Primitive::Shown(text));
}

/// The start of an address in a text.
const HEX: &str = "0x";

/// The digits of an address: 12 in programs, heaps and stacks.
const ADDRESS_DIGITS: usize = 12;

/// Replaces each address by a number, the same one in all texts of a value, in order of occurrence:
/// the addresses themselves differ in each run.
fn rename_addresses(shown: &mut [ShownResult]) {
    let mut known = Vec::new();
    for observed in shown {
        if let ShownResult::Text(Some(text)) = observed
            && text.contains(HEX)
        {
            *text = renamed(text, &mut known);
        }
    }
}

fn renamed(text: &str, known: &mut Vec<String>) -> String {
    let mut parts = text.split(HEX);
    let mut renamed = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let n_digits = part.bytes().take_while(u8::is_ascii_hexdigit).count();
        let (digits, rest) = part.split_at(n_digits);
        if n_digits != ADDRESS_DIGITS {
            renamed += HEX;
            renamed += part;
            continue;
        }
        let number = known.iter().position(|address| address == digits).unwrap_or_else(|| {
            known.push(digits.to_owned());
            known.len() - 1
        });
        renamed += &format!("address {number}{rest}");
    }
    renamed
}

#[cfg(test)]
mod tests {
    use beget_heap::Bounds;

    use super::*;

    /// The texts of values, renamed.
    fn renamed_all(texts: &[&str]) -> Vec<ShownResult> {
        let text = |text: &&str| ShownResult::Text(Some((*text).to_owned()));
        let mut shown: Vec<ShownResult> = texts.iter().map(text).collect();
        rename_addresses(&mut shown);
        shown
    }

    #[test]
    fn addresses_are_shown_by_the_order_in_which_they_are_met() {
        let here = ["a: 0x7fa000001230, b: 0x55d000004560", "(0x55d000004560, 0x8, 0xff)"];
        let there = ["a: 0x7fb00000abc0, b: 0x560000000010", "(0x560000000010, 0x8, 0xff)"];
        assert_eq!(renamed_all(&here), renamed_all(&there));
        let expected = ["a: address 0, b: address 1", "(address 1, 0x8, 0xff)"];
        assert_eq!(renamed_all(&here), renamed_all(&expected));
        let shared = ["a: 0x7fa000001230, b: 0x7fa000001230", "(0x7fa000001230, 0x8, 0xff)"];
        assert_ne!(renamed_all(&here), renamed_all(&shared));
    }

    #[test]
    fn a_number_is_there_unless_its_method_panics() {
        let layout = Layout::new(&Schema::default(), &Bounds::unlimited());
        let form = |write: &dyn Fn(&mut Encoder<'_>)| {
            let mut encoder = Encoder::new(&layout);
            encoder.begin(0);
            write(&mut encoder);
            encoder.finish().unwrap().to_canonical()
        };
        for (shown, is_there, number) in [
            (ShownResult::Unsigned(3), true, Primitive::Unsigned(3)),
            (ShownResult::Signed(-3), true, Primitive::Signed(-3)),
            (ShownResult::Bool(true), true, Primitive::Bool(true)),
            (ShownResult::Text(Some("panics".to_owned())), false, Primitive::Shown("panics")),
        ] {
            let expected = form(&|encoder| {
                encoder.primitive(Primitive::Present(is_there));
                encoder.primitive(number);
            });
            assert_eq!(form(&|encoder| shown.walk_plain(encoder)), expected, "{shown:?}");
        }
    }

    struct ShowsNothing;

    impl Showing for ShowsNothing {
        type Of = u8;

        const METHODS: &'static [ShownMethod] = &[];

        fn traits() -> TypeTraits {
            TypeTraits::default()
        }
    }

    #[test]
    fn a_type_without_traits_and_methods_shows_nothing() {
        assert!(shown_view::<ShowsNothing>().is_none());
    }
}
