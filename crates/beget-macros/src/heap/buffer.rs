//! Buffers: the place of their elements, as `#[heap(unsafe(buffer = len, ..))]` describes it, and
//! pointers that look like one by name and type.

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Error, LitInt, Result, Token, Type};

use super::attributes::Role;
use super::model::{FieldDecl, Record};
use super::types::{argument_of, check_pointer, is_integer, is_raw_pointer, pointee};
use crate::options::{Errors, set_once, unknown};

/// The live elements of a buffer.
pub(crate) struct BufferLayout {
    /// Their number.
    pub(crate) length: BufferNumber,
    /// The slot of the first one; the others follow, and wrap around to slot 0.
    pub(crate) start: Option<BufferNumber>,
    /// The number of slots.
    pub(crate) capacity: Option<BufferNumber>,
}

/// A number that describes a buffer.
pub(crate) enum BufferNumber {
    /// The value of the named field.
    Field(Ident),
    Fixed(LitInt),
    /// The number of slots between two fields: `tail - head`.
    Between {
        end: Ident,
        start: Ident,
    },
}

impl BufferNumber {
    fn read(input: ParseStream<'_>) -> Result<Self> {
        input.parse::<Token![=]>()?;
        match input.peek(LitInt) {
            true => input.parse().map(BufferNumber::Fixed),
            false => input.call(Ident::parse_any).map(BufferNumber::Field),
        }
    }

    /// Like [`BufferNumber::read`], or the difference of two fields.
    fn read_length(input: ParseStream<'_>) -> Result<Self> {
        let number = BufferNumber::read(input)?;
        let BufferNumber::Field(end) = number else { return Ok(number) };
        match input.parse::<Option<Token![-]>>()? {
            Some(_) => {
                let start = input.call(Ident::parse_any)?;
                Ok(BufferNumber::Between { end, start })
            }
            None => Ok(BufferNumber::Field(end)),
        }
    }

    fn fields(&self) -> impl Iterator<Item = &Ident> {
        let (first, second) = match self {
            BufferNumber::Field(name) => (Some(name), None),
            BufferNumber::Fixed(_) => (None, None),
            BufferNumber::Between { end, start } => (Some(end), Some(start)),
        };
        first.into_iter().chain(second)
    }

    fn is_zero(&self) -> bool {
        matches!(self, BufferNumber::Fixed(number) if number.base10_digits() == "0")
    }
}

impl BufferLayout {
    /// Reads the layout after `buffer`: `= len, start = head, capacity = cap`.
    pub(crate) fn read(input: ParseStream<'_>) -> Result<Self> {
        let length = BufferNumber::read_length(input)?;
        let (mut start, mut capacity) = (None, None);
        while !input.is_empty() {
            if !input.peek(Token![,]) {
                let message = "the length of a buffer is the name of a field, a number, or the difference of two \
                               fields such as `tail - head`";
                return Err(input.error(message));
            }
            input.parse::<Token![,]>()?;
            let option = input.call(Ident::parse_any)?;
            let place = match option.to_string().as_str() {
                "start" => &mut start,
                "capacity" => &mut capacity,
                _ => return Err(unknown("option of a buffer", &option, &["start", "capacity"])),
            };
            set_once(place, &option, BufferNumber::read(input)?)?;
        }
        if let (None, BufferNumber::Between { start: first, .. }) = (&start, &length) {
            start = Some(BufferNumber::Field(first.clone()));
        }
        Ok(BufferLayout { length, start, capacity })
    }

    fn fields(&self) -> impl Iterator<Item = &Ident> {
        let numbers = [Some(&self.length), self.start.as_ref(), self.capacity.as_ref()];
        numbers.into_iter().flatten().flat_map(BufferNumber::fields)
    }
}

/// Rejects a buffer whose layout names something other than fields, or is incomplete. Also rejects
/// a pointer that looks like a buffer but is followed to one value: its other elements would not be
/// seen.
pub(super) fn check(record: &Record, errors: &mut Errors) {
    for field in &record.fields {
        match &field.role {
            Role::Buffer(layout) => check_layout(record, field, layout, errors),
            Role::Pointer => {
                let length = record.fields.iter().find(|other| is_length(other));
                let Some(length) = length.filter(|_| may_be_buffer(field)) else { continue };
                let (own, length) = (&field.name, &length.name);
                let shown = if length.contains("cap") { "len" } else { length };
                let message = format!(
                    "`{own}` beside `{length}` looks like a buffer, of which a pointer would show the first element only: \
                     write `#[heap(unsafe(buffer = {shown}{}))]` on it, with the field that says how many \
                     elements are live, or `unsafe(buffer = 1)` if it leads to one",
                    behind_the_start(record, &field.ty).unwrap_or_default()
                );
                errors.push_over(&field.ty, message);
            }
            Role::Ordinary if slots_in_place(&field.ty).is_some() => {
                let message = format!(
                    "`{}` holds `MaybeUninit`s, and which of them are live is not known: write \
                     `#[heap(unsafe({}))]` on it",
                    field.name,
                    live_slots(record, &field.ty)
                );
                errors.push_over(&field.ty, message);
            }
            _ => {}
        }
    }
}

/// The option for a buffer, guessed from the names of the fields beside it.
fn live_slots(record: &Record, ty: &Type) -> String {
    let named = |names: &[&str]| {
        let mut fields = record.fields.iter();
        let field = fields.find(|field| names.contains(&&*field.name.to_ascii_lowercase()));
        field.map(|field| field.name.clone())
    };
    let start = behind_the_start(record, ty).unwrap_or_default();
    let length = named(&["len", "length", "size", "count"]);
    let (first, end) = (named(&STARTS), named(&["tail", "end", "back", "last", "write"]));
    match (length, first, end) {
        (Some(length), ..) => format!("buffer = {length}{start}"),
        (None, Some(first), Some(end)) => format!("buffer = {end} - {first}"),
        (None, ..) => format!("buffer = ..{start}"),
    }
}

/// Names of fields for the first slot of a buffer.
const STARTS: [&str; 7] = ["head", "start", "begin", "front", "offset", "first", "read"];

fn check_layout(record: &Record, field: &FieldDecl, layout: &BufferLayout, errors: &mut Errors) {
    for name in layout.fields().filter(|name| record.field(name).is_none()) {
        let message = match matches!(&layout.length, BufferNumber::Field(own) if own == name) {
            true => format!("there is no field `{name}` to tell the length"),
            false => format!("there is no field `{name}`"),
        };
        errors.push_at(name.span(), message);
    }
    let own = &field.name;
    match (&layout.start, &layout.capacity) {
        (None, _) => {
            let Some(options) = behind_the_start(record, &field.ty) else { return };
            let message = format!(
                "where do the elements of `{own}` begin? If a field says so, write `unsafe(buffer = ..{options})`, \
                 `start = 0` if they begin at the first"
            );
            errors.push_over(&field.ty, message);
        }
        (Some(start), None) if !start.is_zero() && is_raw_pointer(&field.ty) => {
            let message = format!(
                "elements that do not begin at the first go on there behind the last: say how many `{own}` \
                 has room for, `unsafe(buffer = .., start = .., capacity = cap)`"
            );
            errors.push_over(&field.ty, message);
        }
        _ => {}
    }
}

/// The text to add after the length if a field looks like the index of the first element.
fn behind_the_start(record: &Record, ty: &Type) -> Option<String> {
    let is_named = |field: &&FieldDecl, names: &[&str]| {
        is_integer(&field.ty) && names.contains(&&*field.name.to_ascii_lowercase())
    };
    let start = &record.fields.iter().find(|field| is_named(field, &STARTS))?.name;
    let mut fields = record.fields.iter();
    let capacity = fields.find(|field| is_named(field, &["cap", "capacity"]));
    Some(match capacity {
        Some(capacity) => format!(", start = {start}, capacity = {}", capacity.name),
        None if is_raw_pointer(ty) => format!(", start = {start}, capacity = ..."),
        None => format!(", start = {start}"),
    })
}

/// Rejects `unsafe(buffer = ..)` on a type that certainly has no slots.
pub(super) fn check_place(ty: &Type) -> Result<()> {
    if slots_in_place(ty).is_some() {
        return Ok(());
    }
    check_pointer(ty).map_err(|_| {
        let message = "`unsafe(buffer = len)` is for raw pointers (`*mut T`, `*const T`, `NonNull<T>`, \
                       `Option<NonNull<T>>`) and for `[MaybeUninit<T>; N]`, also in a `Box` or `Vec`";
        Error::new_spanned(ty, message)
    })
}

/// The slot type of a buffer of this type, if known.
pub(super) fn slot_of(ty: &Type) -> Option<&Type> {
    slots_in_place(ty).or_else(|| pointee(ty))
}

/// `E` of `[E; N]`, `Box<[E]>`, `Box<[E; N]>` and `Vec<E>`, where `E` is a `MaybeUninit`.
fn slots_in_place(ty: &Type) -> Option<&Type> {
    let slot = match argument_of(ty, "Box").unwrap_or(ty) {
        Type::Array(array) => &*array.elem,
        Type::Slice(slice) => &*slice.elem,
        _ => argument_of(ty, "Vec")?,
    };
    argument_of(slot, "MaybeUninit").map(|_| slot)
}

/// Returns whether a field is an integer whose name suggests the length or capacity of a buffer.
fn is_length(field: &FieldDecl) -> bool {
    let names = ["len", "length", "cap", "capacity", "size", "count"];
    is_integer(&field.ty) && names.contains(&&*field.name.to_ascii_lowercase())
}

/// Returns whether a pointer leads to elements by its name, or to no node by its type.
fn may_be_buffer(field: &FieldDecl) -> bool {
    let names = ["ptr", "pointer", "buf", "buffer", "data", "items", "elements", "storage", "base"];
    let is_plain = pointee(&field.ty).is_some_and(|ty| {
        let Type::Path(path) = ty else { return false };
        let name = path.path.segments.last().map(|segment| segment.ident.to_string());
        let name = name.unwrap_or_default();
        // Type parameters for elements usually have one of these names; nodes are an `N`.
        let elements = ["T", "E", "U", "V", "MaybeUninit", "bool", "char"];
        is_integer(ty) || elements.contains(&&*name)
    });
    is_plain || names.contains(&&*field.name.to_ascii_lowercase())
}
