//! From rustdoc's types to ours: with writable paths, arguments and defaults filled in, and aliases
//! and associated types resolved as far as the crate's own items allow.

use rustdoc_types::{
    AssocItemConstraintKind, GenericArg, GenericArgs, GenericBound, GenericParamDef,
    GenericParamDefKind, Generics, Id, Impl, ItemEnum, Path, Term, Type,
};

use crate::document::Document;
use crate::ty::{NamedTy, Substitution, TraitBound, Ty};

/// More associated types than are named by way of each other where there is an end.
const MOST_DEPTH: u32 = 8;

/// The associated types that are being looked up, each for the one before.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TypeLookup {
    depth: u32,
    /// True if there are too many, so that none of them is known.
    is_endless: bool,
}

impl Document {
    /// The type with its parameters replaced.
    pub(crate) fn lower(&self, ty: &Type, given: &Substitution) -> Ty {
        let lower = |ty: &Type| self.lower(ty, given);
        let boxed = |ty: &Type| Box::new(self.lower(ty, given));
        match ty {
            Type::ResolvedPath(path) => self.lower_path(path, given),
            Type::Generic(name) if name == "Self" => Ty::Subject,
            Type::Generic(name) => given.get(name).cloned().unwrap_or(Ty::Param(name.clone())),
            Type::Primitive(name) => {
                Ty::Primitive(if name == "never" { "!".to_owned() } else { name.clone() })
            }
            Type::Tuple(parts) => Ty::Tuple(parts.iter().map(lower).collect()),
            Type::Slice(inner) => Ty::Slice(boxed(inner)),
            Type::Array { type_, len } => Ty::Array(boxed(type_), Box::new(constant(len, given))),
            Type::BorrowedRef { is_mutable, type_, .. } => {
                Ty::Ref { is_mut: *is_mutable, inner: boxed(type_) }
            }
            Type::ImplTrait(bounds) => Ty::Opaque(self.lower_bounds(bounds, given)),
            Type::QualifiedPath { name, self_type, trait_, .. } => {
                let of = lower(self_type);
                self.associated(of, trait_.as_ref(), name)
            }
            Type::DynTrait(_) => Ty::Other("a trait object"),
            Type::FunctionPointer(_) => Ty::Other("a function pointer"),
            Type::RawPointer { .. } => Ty::Other("a raw pointer"),
            Type::Infer | Type::Pat { .. } => Ty::Other("a type of no written form"),
        }
    }

    fn lower_path(&self, path: &Path, given: &Substitution) -> Ty {
        let (mut n_lifetimes, mut args) = (0, Vec::new());
        if let Some(GenericArgs::AngleBracketed { args: all, .. }) = path.args.as_deref() {
            for arg in all {
                match arg {
                    GenericArg::Lifetime(_) => n_lifetimes += 1,
                    GenericArg::Type(ty) => args.push(self.lower(ty, given)),
                    GenericArg::Const(value) => args.push(constant(&value.expr, given)),
                    GenericArg::Infer => args.push(Ty::Verbatim("_".to_owned())),
                }
            }
        }
        let aliased = self.item(path.id).map(|item| &item.inner);
        if let Some(ItemEnum::TypeAlias(alias)) = aliased {
            let named = self.bind(&alias.generics.params, &args, given);
            return self.lower(&alias.type_, &named);
        }
        let name = path.path.rsplit("::").next().unwrap_or_default().to_owned();
        let summary = self.summary(path.id);
        let root = summary.and_then(|summary| summary.path.first()).map(String::as_str);
        let is_local = summary.is_none_or(|summary| summary.crate_id == 0);
        let is_std = !is_local && matches!(root, Some("core" | "alloc" | "std"));
        let path_text = match is_std {
            true => std_path(&name, summary.map(|summary| &summary.path[..]).unwrap_or_default()),
            false if is_local => self.public_path(path.id).map(str::to_owned),
            false => None,
        };
        if let Some(generics) = self.generics(path.id) {
            // Missing arguments of a signature are the defaults.
            let all = self.bind(&generics.params, &args, given);
            let written = generics.params.iter().filter_map(|param| all.get(&param.name));
            args = written.cloned().collect();
        }
        Ty::Named(NamedTy { id: path.id, name, path: path_text, is_std, n_lifetimes, args })
    }

    /// The replacement of each parameter: an argument, or its default.
    pub(crate) fn bind(
        &self,
        params: &[GenericParamDef],
        args: &[Ty],
        given: &Substitution,
    ) -> Substitution {
        let mut bound = Substitution::new();
        let mut args = args.iter();
        for param in params {
            let default = match &param.kind {
                GenericParamDefKind::Lifetime { .. } => continue,
                GenericParamDefKind::Type { default, .. } => {
                    default.as_ref().map(|ty| self.lower(ty, &bound))
                }
                GenericParamDefKind::Const { default, .. } => {
                    default.as_ref().map(|value| constant(value, given))
                }
            };
            let value = args.next().cloned().or(default);
            bound.insert(param.name.clone(), value.unwrap_or(Ty::Param(param.name.clone())));
        }
        bound
    }

    pub(crate) fn generics(&self, id: Id) -> Option<&Generics> {
        match &self.item(id)?.inner {
            ItemEnum::Struct(one) => Some(&one.generics),
            ItemEnum::Enum(one) => Some(&one.generics),
            ItemEnum::Union(one) => Some(&one.generics),
            _ => None,
        }
    }

    pub(crate) fn lower_bounds(
        &self,
        bounds: &[GenericBound],
        given: &Substitution,
    ) -> Vec<TraitBound> {
        let traits = bounds.iter().filter_map(|bound| match bound {
            GenericBound::TraitBound { trait_, .. } => Some(trait_),
            _ => None,
        });
        traits.map(|path| self.lower_bound(path, given)).collect()
    }

    pub(crate) fn lower_bound(&self, path: &Path, given: &Substitution) -> TraitBound {
        let name = path.path.rsplit("::").next().unwrap_or_default().to_owned();
        let mut bound =
            TraitBound { name, id: path.id, args: Vec::new(), bindings: Vec::new(), output: None };
        match path.args.as_deref() {
            Some(GenericArgs::AngleBracketed { args, constraints }) => {
                bound.args = args
                    .iter()
                    .filter_map(|arg| match arg {
                        GenericArg::Type(ty) => Some(self.lower(ty, given)),
                        _ => None,
                    })
                    .collect();
                bound.bindings = constraints
                    .iter()
                    .filter_map(|one| match &one.binding {
                        AssocItemConstraintKind::Equality(Term::Type(ty)) => {
                            Some((one.name.clone(), self.lower(ty, given)))
                        }
                        _ => None,
                    })
                    .collect();
            }
            Some(GenericArgs::Parenthesized { inputs, output }) => {
                bound.args = inputs.iter().map(|ty| self.lower(ty, given)).collect();
                let unit = Ty::Tuple(Vec::new());
                bound.output = Some(output.as_ref().map_or(unit, |ty| self.lower(ty, given)));
            }
            _ => {}
        }
        bound
    }

    /// `<of as Trait>::name`, found among the implementations of a trait of the crate. It stays as
    /// it is where implementations for all types lead from one to the next without end.
    pub(crate) fn associated(&self, of: Ty, of_trait: Option<&Path>, name: &str) -> Ty {
        let trait_name = of_trait.map(|path| path.path.clone()).unwrap_or_default();
        let of_trait = of_trait.map(|path| path.id);
        let found = of_trait.and_then(|id| self.looked_up(id, &of, name));
        if let Some(ty) = found {
            return ty;
        }
        // For the traits of other crates that arrays have, as `Array` of `arrayvec`.
        if let (Ty::Array(element, _), "Item") = (&of, name) {
            return (**element).clone();
        }
        Ty::Associated { of: Box::new(of), of_trait, trait_name, name: name.to_owned() }
    }

    /// An associated type that is not one of a chain without end.
    pub(crate) fn looked_up(&self, of_trait: Id, of: &Ty, name: &str) -> Option<Ty> {
        let TypeLookup { depth, .. } = self.lookup.get();
        if depth >= MOST_DEPTH {
            self.lookup.set(TypeLookup { depth, is_endless: true });
            return None;
        }
        self.lookup.set(TypeLookup { depth: depth + 1, ..self.lookup.get() });
        let found = self
            .implementation(of_trait, of)
            .and_then(|(one, given)| self.associated_type(one, name, &given));
        let TypeLookup { is_endless, .. } = self.lookup.get();
        self.lookup.set(TypeLookup { depth, is_endless: is_endless && depth > 0 });
        found.filter(|_| !is_endless)
    }

    /// The implementation of a trait of this crate for a type, with its parameters' replacements:
    /// one for all types only if there is no other.
    pub(crate) fn implementation(&self, of_trait: Id, ty: &Ty) -> Option<(&Impl, Substitution)> {
        let Some(ItemEnum::Trait(of_trait)) = self.item(of_trait).map(|item| &item.inner) else {
            return None;
        };
        let all = of_trait.implementations.iter().filter_map(|id| self.impl_of(*id));
        let (for_all, others): (Vec<_>, Vec<_>) =
            all.partition(|one| matches!(one.for_, Type::Generic(_)));
        others.into_iter().chain(for_all).find_map(|one| {
            let mut given = Substitution::new();
            let pattern = self.lower(&one.for_, &given);
            pattern.unify(ty, &mut given).then_some((one, given))
        })
    }

    /// An associated type of an implementation.
    pub(crate) fn associated_type(
        &self,
        of: &Impl,
        name: &str,
        given: &Substitution,
    ) -> Option<Ty> {
        of.items.iter().find_map(|id| {
            let item = self.item(*id).filter(|item| item.name.as_deref() == Some(name))?;
            match &item.inner {
                ItemEnum::AssocType { type_: Some(ty), .. } => Some(self.lower(ty, given)),
                _ => None,
            }
        })
    }
}

/// A constant, or the replacement of a parameter.
fn constant(text: &str, given: &Substitution) -> Ty {
    let name = text.trim_matches(|letter| matches!(letter, '{' | '}' | ' '));
    let is_name = name.starts_with(|letter: char| letter.is_ascii_uppercase())
        && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    match given.get(name) {
        Some(value) => value.clone(),
        None if is_name => Ty::Param(name.to_owned()),
        None => Ty::Verbatim(text.to_owned()),
    }
}

/// The public path of a type of the standard library: that of its definition may be private.
fn std_path(name: &str, defined: &[String]) -> Option<String> {
    let module = match name {
        // The harness never shadows these.
        "Option" | "Result" | "String" | "Vec" | "Box" => return Some(name.to_owned()),
        "Rc" => "rc",
        "Arc" => "sync",
        "Cow" => "borrow",
        "Ordering" if !defined.iter().any(|module| module == "atomic") => "cmp",
        "Duration" => "time",
        "PathBuf" | "Path" => "path",
        "OsString" => "ffi",
        "Wrapping" | "Saturating" => "num",
        "PhantomData" => "marker",
        "Bound" | "Range" | "RangeInclusive" | "RangeFrom" | "RangeTo" | "RangeToInclusive"
        | "RangeFull" => "ops",
        "HashMap" | "HashSet" | "BTreeMap" | "BTreeSet" | "VecDeque" | "LinkedList"
        | "BinaryHeap" => "collections",
        "BuildHasherDefault" | "RandomState" | "DefaultHasher" => "hash",
        _ if name.starts_with("NonZero") => "num",
        _ => {
            let path = defined.join("::");
            let rest = path.split_once("::").map_or("", |(_, rest)| rest);
            return Some(format!("std::{rest}"));
        }
    };
    Some(format!("std::{module}::{name}"))
}
