//! Types in signatures, with the type arguments of a harness filled in, and their source.

use std::collections::BTreeMap;

use rustdoc_types::Id;

use crate::subject::TRACKED;

/// The replacements of the generic parameters of an implementation.
pub(crate) type Substitution = BTreeMap<String, Ty>;

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ty {
    /// One without parts, such as `u8` or `str`.
    Primitive(String),
    /// A path with its arguments.
    Named(NamedTy),
    /// A reference.
    Ref {
        is_mut: bool,
        inner: Box<Ty>,
    },
    Slice(Box<Ty>),
    Array(Box<Ty>, Box<Ty>),
    Tuple(Vec<Ty>),
    /// A generic parameter without a replacement.
    Param(String),
    /// The type under test.
    Subject,
    /// An associated type of a trait.
    Associated {
        of: Box<Ty>,
        of_trait: Option<Id>,
        trait_name: String,
        name: String,
    },
    /// `impl Trait`.
    Opaque(Vec<TraitBound>),
    /// A type as written by the user, or a value of a constant parameter.
    Verbatim(String),
    /// A type that cannot be written here, with the reason.
    Other(&'static str),
}

/// A type named by a path.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NamedTy {
    pub(crate) id: Id,
    /// The last segment.
    pub(crate) name: String,
    /// The path, which can be written anywhere; none if it is not public.
    pub(crate) path: Option<String>,
    /// True if it belongs to the standard library.
    pub(crate) is_std: bool,
    pub(crate) n_lifetimes: usize,
    pub(crate) args: Vec<Ty>,
}

/// A trait that a parameter must have.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TraitBound {
    /// The last segment of the trait's path.
    pub(crate) name: String,
    pub(crate) id: Id,
    pub(crate) args: Vec<Ty>,
    /// The given associated types, such as `Item = u8`.
    pub(crate) bindings: Vec<(String, Ty)>,
    /// The result of a function, for the traits of functions.
    pub(crate) output: Option<Ty>,
}

/// The spelling of types at a place.
#[derive(Clone, Copy)]
pub(crate) struct Spelling<'s> {
    /// The type under test.
    pub(crate) subject: &'s str,
    /// The lifetime of references, if it has to be written: `'a `.
    pub(crate) lifetime: &'s str,
}

impl Ty {
    /// Returns whether this pattern matches the type, and adds its parameters to `given`.
    pub(crate) fn unify(&self, ty: &Ty, given: &mut Substitution) -> bool {
        let all = |patterns: &[Ty], types: &[Ty], given: &mut Substitution| {
            patterns.len() == types.len()
                && patterns.iter().zip(types).all(|(pattern, ty)| pattern.unify(ty, given))
        };
        match (self, ty) {
            (Ty::Param(name), _) => match given.get(name) {
                Some(known) => known == ty,
                None => {
                    given.insert(name.clone(), ty.clone());
                    true
                }
            },
            (Ty::Named(left), Ty::Named(right)) => {
                left.id == right.id && all(&left.args, &right.args, given)
            }
            (Ty::Ref { is_mut: left, inner: a }, Ty::Ref { is_mut: right, inner: b }) => {
                left == right && a.unify(b, given)
            }
            (Ty::Slice(left), Ty::Slice(right)) => left.unify(right, given),
            (Ty::Array(left, n), Ty::Array(right, m)) => {
                left.unify(right, given) && n.unify(m, given)
            }
            (Ty::Tuple(left), Ty::Tuple(right)) => all(left, right, given),
            (left, right) => left == right,
        }
    }

    /// The type with each part replaced that `change` replaces, the whole first.
    pub(crate) fn map(&self, change: &dyn Fn(&Ty) -> Option<Ty>) -> Ty {
        if let Some(changed) = change(self) {
            return changed;
        }
        let boxed = |ty: &Ty| Box::new(ty.map(change));
        match self {
            Ty::Named(named) => {
                let args = named.args.iter().map(|ty| ty.map(change)).collect();
                Ty::Named(NamedTy { args, ..named.clone() })
            }
            Ty::Ref { is_mut, inner } => Ty::Ref { is_mut: *is_mut, inner: boxed(inner) },
            Ty::Slice(inner) => Ty::Slice(boxed(inner)),
            Ty::Array(inner, len) => Ty::Array(boxed(inner), boxed(len)),
            Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(|ty| ty.map(change)).collect()),
            other => other.clone(),
        }
    }

    /// Returns whether `wanted` holds for a part.
    pub(crate) fn has(&self, wanted: &dyn Fn(&Ty) -> bool) -> bool {
        let found = std::cell::Cell::new(false);
        self.map(&|ty| {
            if wanted(ty) {
                found.set(true);
            }
            None
        });
        found.get()
    }

    pub(crate) fn has_reference(&self) -> bool {
        self.has(&|ty| match ty {
            Ty::Ref { .. } => true,
            Ty::Named(named) => named.n_lifetimes > 0,
            _ => false,
        })
    }

    pub(crate) fn has_subject(&self) -> bool {
        self.has(&|ty| *ty == Ty::Subject)
    }

    /// The type behind references.
    pub(crate) fn referent(&self) -> &Ty {
        match self {
            Ty::Ref { inner, .. } => inner.referent(),
            other => other,
        }
    }

    /// A type of the standard library, with its arguments.
    pub(crate) fn std(&self) -> Option<(&str, &[Ty])> {
        match self {
            Ty::Named(named) if named.is_std => Some((&named.name, &named.args)),
            _ => None,
        }
    }

    /// Returns whether it is an element that can be watched.
    pub(crate) fn is_tracked(&self) -> bool {
        matches!(self, Ty::Verbatim(text) if text == TRACKED)
    }

    pub(crate) fn is_integer(&self) -> bool {
        let is_one = |name: &str| {
            matches!(name.strip_prefix(['u', 'i']), Some("8" | "16" | "32" | "64" | "128" | "size"))
        };
        matches!(self, Ty::Primitive(name) | Ty::Verbatim(name) if is_one(name))
    }

    pub(crate) fn is_unit(&self) -> bool {
        matches!(self, Ty::Tuple(parts) if parts.is_empty())
    }

    /// True for the type of `..`.
    pub(crate) fn is_full_range(&self) -> bool {
        self.std().is_some_and(|(name, _)| name == "RangeFull")
    }

    /// Its source, or the reason why it has none.
    pub(crate) fn spell(&self, by: Spelling<'_>) -> Result<String, String> {
        let list = |types: &[Ty]| {
            let all: Result<Vec<_>, _> = types.iter().map(|ty| ty.spell(by)).collect();
            all.map(|all| all.join(", "))
        };
        Ok(match self {
            Ty::Primitive(text) | Ty::Verbatim(text) => text.clone(),
            Ty::Subject => by.subject.to_owned(),
            Ty::Ref { is_mut, inner } => {
                let word = if *is_mut { "mut " } else { "" };
                format!("&{}{word}{}", by.lifetime, inner.spell(by)?)
            }
            Ty::Slice(inner) => format!("[{}]", inner.spell(by)?),
            Ty::Array(inner, len) => format!("[{}; {}]", inner.spell(by)?, len.spell(by)?),
            Ty::Tuple(parts) if parts.len() == 1 => format!("({},)", parts[0].spell(by)?),
            Ty::Tuple(parts) => format!("({})", list(parts)?),
            Ty::Named(named) => {
                let Some(path) = &named.path else {
                    return Err(format!("`{}`, which has no public path", named.name));
                };
                let lifetime = if by.lifetime.is_empty() { "'_" } else { by.lifetime.trim() };
                let mut args = vec![lifetime.to_owned(); named.n_lifetimes];
                for arg in &named.args {
                    args.push(arg.spell(by)?);
                }
                match args.is_empty() {
                    true => path.clone(),
                    false => format!("{path}<{}>", args.join(", ")),
                }
            }
            Ty::Param(name) => return Err(format!("a type for `{name}`")),
            Ty::Associated { of, trait_name, name, .. } => {
                return Err(format!("`<{} as {trait_name}>::{name}`", of.text()));
            }
            Ty::Opaque(bounds) => {
                let names: Vec<_> = bounds.iter().map(|bound| bound.name.as_str()).collect();
                return Err(format!("`impl {}`", names.join(" + ")));
            }
            Ty::Other(what) => return Err((*what).to_owned()),
        })
    }

    /// Its source as far as it can be written, for messages.
    pub(crate) fn text(&self) -> String {
        match self {
            Ty::Named(named) if named.args.is_empty() => named.name.clone(),
            Ty::Named(named) => {
                let args: Vec<_> = named.args.iter().map(Ty::text).collect();
                format!("{}<{}>", named.name, args.join(", "))
            }
            Ty::Ref { is_mut, inner } => {
                format!("&{}{}", if *is_mut { "mut " } else { "" }, inner.text())
            }
            Ty::Slice(inner) => format!("[{}]", inner.text()),
            Ty::Param(name) => name.clone(),
            other => {
                let by = Spelling { subject: "Self", lifetime: "" };
                other.spell(by).unwrap_or_else(|what| what.trim_matches('`').to_owned())
            }
        }
    }
}

/// The kinds of types whose values a scope gives as literals.
pub(crate) fn has_domain(ty: &Ty) -> bool {
    match ty {
        Ty::Primitive(name) => name != "!" && name != "str",
        Ty::Verbatim(text) => !text.starts_with("std::hash::"),
        Ty::Ref { inner, .. } => match &**inner {
            Ty::Primitive(name) => name != "!",
            Ty::Slice(element) => has_domain(element),
            // A suite lends one level only.
            Ty::Ref { .. } => false,
            inner => has_domain(inner),
        },
        Ty::Tuple(parts) => parts.len() <= 8 && parts.iter().all(has_domain),
        Ty::Array(element, len) => has_domain(element) && matches!(**len, Ty::Verbatim(_)),
        Ty::Named(named) if named.is_std => {
            let is_known = matches!(
                named.name.as_str(),
                "Option"
                    | "Box"
                    | "Vec"
                    | "String"
                    | "Range"
                    | "RangeInclusive"
                    | "RangeFrom"
                    | "RangeTo"
                    | "RangeToInclusive"
                    | "RangeFull"
                    | "Bound"
                    | "Duration"
                    | "Ordering"
                    | "VecDeque"
                    | "LinkedList"
                    | "BTreeSet"
                    | "BTreeMap"
                    | "PathBuf"
                    | "OsString"
            ) || named.name.starts_with("NonZero");
            is_known && !is_memory_order(named) && named.args.iter().all(has_domain)
        }
        _ => false,
    }
}

/// True for the order of an atomic access, which has the name of a result of comparisons.
pub(crate) fn is_memory_order(named: &NamedTy) -> bool {
    named.path.as_deref() == Some("std::sync::atomic::Ordering")
}
