//! The state: the visible part of a structure, by which structures are compared because their
//! fields are hidden.
//!
//! In order of preference: a derived `Debug` text, because it shows every field; the items of its
//! `iter`; any other `Debug` text; the items of another iteration. Every observer without arguments
//! that returns a number or a boolean is added. Capacities are left out: reserved room is
//! unbounded, and callers must not rely on it.

use rustdoc_types::{ItemEnum, Type, Visibility};

use crate::planner::Planner;
use crate::ty::{Spelling, Ty, has_domain};
use crate::vector;

/// A field of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StateField {
    pub(crate) name: String,
    pub(crate) ty: String,
    pub(crate) value: String,
    /// True if it counts the structure's contents.
    pub(crate) is_size: bool,
}

impl StateField {
    /// Returns whether it is an integer, which a scope can bound.
    pub(crate) fn is_number(&self) -> bool {
        !matches!(self.ty.as_str(), "bool" | "char")
    }

    /// Returns whether it has a `Debug` text.
    pub(crate) fn is_text(&self) -> bool {
        self.ty.contains(TEXT)
    }
}

/// The compared fields.
#[derive(Clone, Debug, Default)]
pub(crate) struct StateFields {
    /// The ways to show a structure's contents, the best first.
    pub(crate) contents: Vec<StateField>,
    pub(crate) observers: Vec<StateField>,
    /// True if `Debug` is derived.
    is_derived: bool,
}

impl StateFields {
    /// Returns whether the contents are the text of a derived `Debug`, which leaves nothing out.
    pub(crate) fn shows_every_field(&self) -> bool {
        self.is_derived && self.contents.first().is_some_and(|field| field.name == "text")
    }
}

const TEXT: &str = "beget::heap::DebugText";

impl Planner<'_> {
    pub(crate) fn state(&self) -> StateFields {
        let variable = &self.subject.variable;
        let text = StateField {
            name: "text".to_owned(),
            ty: TEXT.to_owned(),
            value: format!("{TEXT}::of({variable})"),
            is_size: false,
        };
        let mut impls = self.document.impls(self.subject.id);
        let debug = impls.find(|one| one.trait_.as_ref().is_some_and(|path| path.path == "Debug"));
        let (iter, others): (Vec<_>, Vec<_>) =
            self.iterations.iter().partition(|(name, _)| name == "iter");
        let items = |of: &[&(String, Ty)]| {
            of.first().map(|(method, item)| self.items_of(method, item)).unwrap_or_default()
        };
        let mut contents = items(&iter);
        let is_derived = debug.map(|one| self.document.is_derived(one));
        match is_derived {
            Some(true) => contents.insert(0, text),
            Some(false) => contents.push(text),
            None => {}
        }
        contents.extend(items(&others));
        StateFields { contents, observers: self.observers(), is_derived: is_derived == Some(true) }
    }

    /// The items of an iteration: typed if they have literals, and shown.
    fn items_of(&self, method: &str, item: &Ty) -> Vec<StateField> {
        let variable = &self.subject.variable;
        let field = |ty: String, value: String| StateField {
            name: "items".to_owned(),
            ty: format!("Vec<{ty}>"),
            value: format!("{variable}.{method}().map(|item| {value}).collect()"),
            is_size: false,
        };
        let shown = field(TEXT.to_owned(), format!("{TEXT}::of(&item)"));
        let typed = owned(item, "item").map(|(ty, value)| field(ty, value));
        typed.into_iter().chain([shown]).collect()
    }

    fn observers(&self) -> Vec<StateField> {
        let mut found: Vec<StateField> = Vec::new();
        if self.subject.of_trait.is_some() {
            found.push(vector::length(self.subject));
        }
        for one in self.document.impls(self.subject.id) {
            let Some(given) = self.applies(&one.for_).filter(|_| one.trait_.is_none()) else {
                continue;
            };
            for item in one.items.iter().filter_map(|id| self.document.item(*id)) {
                let (ItemEnum::Function(function), Some(name)) = (&item.inner, &item.name) else {
                    continue;
                };
                let [(receiver, Type::BorrowedRef { is_mutable: false, .. })] =
                    &function.sig.inputs[..]
                else {
                    continue;
                };
                let is_told = item.visibility == Visibility::Public
                    && receiver == "self"
                    && !function.header.is_unsafe
                    && item.deprecation.is_none()
                    && !says_panic(item.docs.as_deref())
                    && !name.contains("capacity")
                    && !changes_through_shared_reference(name)
                    && !found.iter().any(|field| field.name == *name);
                let output = function.sig.output.as_ref().map(|ty| self.lower(ty, &given));
                let Some(output) = output.filter(|ty| is_told && is_plain(ty)) else { continue };
                let Ok(ty) = output.spell(Spelling { subject: "Self", lifetime: "" }) else {
                    continue;
                };
                let is_size = ty == "usize" && (name.contains("len") || name.contains("count"));
                let value = format!("{}.{name}()", self.subject.variable);
                found.push(StateField { name: name.clone(), ty, value, is_size });
            }
        }
        found
    }
}

/// Recognised by name, such as `Cell::take`: a state that called it would change what it shows.
fn changes_through_shared_reference(name: &str) -> bool {
    let verb = name.split('_').next().unwrap_or(name);
    ["take", "replace", "swap", "pop", "next", "fetch", "remove", "drain"].contains(&verb)
}

fn says_panic(docs: Option<&str>) -> bool {
    docs.is_some_and(|docs| docs.contains("# Panic"))
}

/// A number, a boolean or a character.
fn is_plain(ty: &Ty) -> bool {
    match ty {
        Ty::Primitive(name) => ty.is_integer() || name == "bool" || name == "char",
        Ty::Named(named) => named.is_std && named.name.starts_with("NonZero"),
        _ => false,
    }
}

/// The type of an item's owned value, and the expression that makes it; an item without literals is
/// shown.
fn owned(item: &Ty, place: &str) -> Option<(String, String)> {
    match item {
        Ty::Ref { inner, .. } => {
            let place = match &**inner {
                Ty::Primitive(name) if name == "str" => {
                    return Some(("String".to_owned(), format!("{place}.to_string()")));
                }
                _ => format!("(*{place})"),
            };
            owned(inner, &place)
        }
        Ty::Tuple(parts) if parts.len() > 1 => {
            let parts = parts
                .iter()
                .enumerate()
                .map(|(index, part)| owned(part, &format!("{place}.{index}")));
            let (types, values): (Vec<_>, Vec<_>) =
                parts.collect::<Option<Vec<_>>>()?.into_iter().unzip();
            Some((format!("({})", types.join(", ")), format!("({})", values.join(", "))))
        }
        ty if is_plain(ty) => {
            let bare = place.strip_prefix('(').and_then(|place| place.strip_suffix(')'));
            Some((ty.text(), bare.unwrap_or(place).to_owned()))
        }
        ty if has_domain(ty) && !ty.has_reference() => {
            let text = ty.spell(Spelling { subject: "Self", lifetime: "" }).ok()?;
            Some((text, format!("{place}.clone()")))
        }
        Ty::Named(_) => Some((TEXT.to_owned(), format!("{TEXT}::of(&{place})"))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_owned_behind_references() {
        let number = || Ty::Primitive("u8".to_owned());
        let lent = |ty| Ty::Ref { is_mut: false, inner: Box::new(ty) };
        let pair = Ty::Tuple(vec![number(), lent(number())]);
        assert_eq!(
            owned(&pair, "item").unwrap(),
            ("(u8, u8)".to_owned(), "(item.0, *item.1)".to_owned())
        );
        assert_eq!(owned(&lent(number()), "item").unwrap().1, "*item");
    }
}
