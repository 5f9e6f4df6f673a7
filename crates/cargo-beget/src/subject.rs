//! The type under test with its arguments: the user's, or those that its bounds require.

use rustdoc_types::{
    GenericBound, GenericParamDef, GenericParamDefKind, Generics, Id, Impl, ItemEnum, Type,
    WherePredicate,
};

use crate::document::Document;
use crate::error::DiscoverError;
use crate::names::{camel_case, is_prelude_type, snake_case};
use crate::ty::{NamedTy, Spelling, Substitution, TraitBound, Ty, has_domain};

/// A deterministic hasher: with the standard library's random state the order of iteration differs
/// from run to run.
pub(crate) const HASHER: &str = "std::hash::BuildHasherDefault<std::hash::DefaultHasher>";

/// The arguments chosen for parameters that accept any type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementKind {
    /// `u8`.
    Bytes,
    /// Elements that notice a second drop, and whose traits panic or lie on demand.
    Tracked,
}

impl ElementKind {
    pub(crate) fn ty(self) -> Ty {
        match self {
            ElementKind::Bytes => Ty::Primitive("u8".to_owned()),
            ElementKind::Tracked => Ty::Verbatim(TRACKED.to_owned()),
        }
    }

    /// The usual k: calls are made again for each use of a tracked element.
    pub(crate) fn k(self) -> u32 {
        match self {
            ElementKind::Bytes => 3,
            ElementKind::Tracked => 2,
        }
    }

    /// Tracked elements have few traits: bytes replace them where others are required.
    pub(crate) fn for_bounds(self, bounds: &[TraitBound]) -> ElementKind {
        let is_met = |bound: &TraitBound| TRAITS_OF_TRACKED.contains(&bound.name.as_str());
        if bounds.iter().all(is_met) { self } else { ElementKind::Bytes }
    }
}

/// The path of elements that are watched.
pub(crate) const TRACKED: &str = "beget::elements::Tracked";

/// The traits that they have.
const TRAITS_OF_TRACKED: [&str; 11] = [
    "Default",
    "Clone",
    "Debug",
    "PartialEq",
    "Eq",
    "PartialOrd",
    "Ord",
    "Hash",
    "Sized",
    "Send",
    "Sync",
];

/// The type under test.
#[derive(Debug)]
pub(crate) struct TypeUnderTest {
    pub(crate) id: Id,
    pub(crate) ty: NamedTy,
    pub(crate) elements: ElementKind,
    /// The trait of the crate whose functions are tested, if the type is `Vec`.
    pub(crate) of_trait: Option<Id>,
    /// Its source, with arguments.
    pub(crate) source: String,
    /// Its name in the harness.
    pub(crate) name: String,
    /// A variable of the type.
    pub(crate) variable: String,
}

impl TypeUnderTest {
    pub(crate) fn new(
        ty: NamedTy,
        of_trait: Option<Id>,
        elements: ElementKind,
        source: String,
        name: &str,
    ) -> TypeUnderTest {
        let name = match elements {
            ElementKind::Bytes => name.to_owned(),
            ElementKind::Tracked => format!("Tracked{name}"),
        };
        let variable = snake_case(&name);
        TypeUnderTest { id: ty.id, ty, elements, of_trait, source, name, variable }
    }
}

impl Document {
    /// The type with that path; `arguments` are in the order of its parameters, and may be fewer.
    /// For a trait that `Vec` has, a vector.
    ///
    /// # Errors
    /// If there is no such type, it has lifetimes, or there are too many arguments.
    pub(crate) fn subject(
        &self,
        path: &str,
        arguments: &[String],
        elements: ElementKind,
    ) -> Result<TypeUnderTest, DiscoverError> {
        let id = match self.find_type(path) {
            Ok(id) => id,
            Err(unknown) => {
                let of_trait = self.find_trait(path).ok_or(unknown)?;
                return self.vector_with(of_trait, arguments, elements);
            }
        };
        let item = self.item(id).expect("a type that was found");
        let public = self.public_path(id).expect("a type is found by its path");
        let unfit = |reason: &str| DiscoverError::Unfit {
            ty: public.to_owned(),
            reason: reason.to_owned(),
        };
        let generics = match &item.inner {
            ItemEnum::TypeAlias(alias) => &alias.generics,
            _ => self.generics(id).ok_or_else(|| unfit("it is no struct, enum or union"))?,
        };
        if generics
            .params
            .iter()
            .any(|param| matches!(param.kind, GenericParamDefKind::Lifetime { .. }))
        {
            return Err(unfit(
                "it has a lifetime; wrap it in a type of your own that owns what it borrows",
            ));
        }
        let chosen = self.chosen(id, public, generics, arguments, elements)?;
        let by = Spelling { subject: "Self", lifetime: "" };
        let written = &chosen[..self.written(&generics.params, &chosen, arguments.len())];
        let words: Result<Vec<_>, _> = written.iter().map(|ty| ty.spell(by)).collect();
        let words =
            words.map_err(|what| unfit(&format!("it needs {what}: choose it by --args")))?;
        let source = if words.is_empty() {
            public.to_owned()
        } else {
            format!("{public}<{}>", words.join(", "))
        };
        let bound = self.bind(&generics.params, &chosen, &Substitution::new());
        let ty = match &item.inner {
            ItemEnum::TypeAlias(alias) => self.lower(&alias.type_, &bound),
            _ => Ty::Named(NamedTy {
                id,
                name: item.name.clone().unwrap_or_default(),
                path: Some(public.to_owned()),
                is_std: false,
                n_lifetimes: 0,
                args: chosen,
            }),
        };
        let Ty::Named(ty) = ty else {
            return Err(unfit("it is an alias of no struct, enum or union"));
        };
        if self.generics(ty.id).is_none() {
            return Err(unfit("it is an alias of a type of another crate: name that crate"));
        }
        let short = public.rsplit("::").next().unwrap_or(public);
        let name = match is_prelude_type(short) {
            true => camel_case(self.crate_name()) + short,
            false => short.to_owned(),
        };
        Ok(TypeUnderTest::new(ty, None, elements, source, &name))
    }

    /// The user's arguments, followed by chosen ones.
    fn chosen(
        &self,
        id: Id,
        public: &str,
        generics: &Generics,
        arguments: &[String],
        elements: ElementKind,
    ) -> Result<Vec<Ty>, DiscoverError> {
        let (wanted, given) = (generics.params.len(), arguments.len());
        if given > wanted {
            return Err(DiscoverError::Arguments { ty: public.to_owned(), wanted, given });
        }
        let mut chosen: Vec<Ty> = Vec::new();
        for (index, param) in generics.params.iter().enumerate() {
            let so_far = self.bind(&generics.params, &chosen, &Substitution::new());
            chosen.push(match arguments.get(index) {
                Some(text) => self.parse(text),
                None => {
                    if let Some(of_trait) = self.unmet(param, generics, &so_far, elements) {
                        let name = &param.name;
                        return Err(DiscoverError::Unfit {
                            ty: public.to_owned(),
                            reason: format!(
                                "its parameter `{name}` takes a type with `{of_trait}`, of which the crate has \
                                 none: choose one by --args"
                            ),
                        });
                    }
                    let mut bounds = self.bounds_of(&param.name, generics, &so_far);
                    bounds.extend(self.bounds_of_blanket_impls(&bounds));
                    let own = self.bounds_of_impls(id, index, &so_far);
                    let slice = self.slice_of_impls(id, index, elements);
                    slice.unwrap_or_else(|| self.choose(param, &so_far, [bounds, own], elements))
                }
            });
        }
        Ok(chosen)
    }

    /// The number of arguments to write: the last ones may be the defaults.
    fn written(&self, params: &[GenericParamDef], chosen: &[Ty], given: usize) -> usize {
        let is_default = |len: usize| {
            self.bind(params, &chosen[..len - 1], &Substitution::new()).get(&params[len - 1].name)
                == Some(&chosen[len - 1])
        };
        (given + 1..=chosen.len()).rev().find(|len| !is_default(*len)).unwrap_or(given)
    }

    /// An argument written by the user.
    pub(crate) fn parse(&self, text: &str) -> Ty {
        let text = text.trim();
        if let Some((element, len)) = text
            .strip_prefix('[')
            .and_then(|text| text.strip_suffix(']'))
            .and_then(|text| text.rsplit_once(';'))
        {
            return Ty::Array(
                Box::new(self.parse(element)),
                Box::new(Ty::Verbatim(len.trim().to_owned())),
            );
        }
        if PRIMITIVES.contains(&text) {
            return Ty::Primitive(text.to_owned());
        }
        if let Ok(id) = self.find_type(text)
            && self.generics(id).is_some_and(|generics| generics.params.is_empty())
        {
            return self.local(id);
        }
        Ty::Verbatim(text.to_owned())
    }

    fn local(&self, id: Id) -> Ty {
        let name = self.item(id).and_then(|item| item.name.clone()).unwrap_or_default();
        let path = self.public_path(id).map(str::to_owned);
        Ty::Named(NamedTy { id, name, path, is_std: false, n_lifetimes: 0, args: Vec::new() })
    }

    /// An argument for a parameter of the type, by the traits that its declaration and the type's
    /// implementations require.
    fn choose(
        &self,
        param: &GenericParamDef,
        so_far: &Substitution,
        [declared, of_impls]: [Vec<TraitBound>; 2],
        elements: ElementKind,
    ) -> Ty {
        let default = match &param.kind {
            GenericParamDefKind::Const { type_, .. } => {
                let is_bool = matches!(type_, Type::Primitive(name) if name == "bool");
                let value = if is_bool { "true".to_owned() } else { elements.k().to_string() };
                return Ty::Verbatim(value);
            }
            GenericParamDefKind::Type { default, .. } => default.as_ref(),
            GenericParamDefKind::Lifetime { .. } => None,
        };
        let default = default.map(|ty| self.lower(ty, so_far));
        let last = elements.for_bounds(&declared);
        let bounds = [declared, of_impls].concat();
        let is_hasher = bounds.iter().any(|bound| bound.name == "BuildHasher")
            || default.as_ref().is_some_and(|ty| {
                matches!(ty.text().as_str(), "RandomState" | "DefaultHashBuilder" | "DefaultHasher")
            });
        match default {
            _ if is_hasher => Ty::Verbatim(HASHER.to_owned()),
            Some(default) => default,
            None => self
                .stand_in_of_traits(&bounds, elements)
                .or_else(|| array(&bounds, elements))
                .unwrap_or_else(|| last.ty()),
        }
    }

    /// The first trait of this crate that a parameter without a default needs, and that no type of
    /// the crate has.
    fn unmet(
        &self,
        param: &GenericParamDef,
        generics: &Generics,
        so_far: &Substitution,
        elements: ElementKind,
    ) -> Option<String> {
        let GenericParamDefKind::Type { default: None, .. } = &param.kind else { return None };
        let bounds = self.bounds_of(&param.name, generics, so_far);
        let is_own = |bound: &&TraitBound| {
            self.item(bound.id).is_some_and(|item| matches!(item.inner, ItemEnum::Trait(_)))
        };
        let first = bounds.iter().find(is_own)?;
        let is_met = self.stand_in_of_traits(&bounds, elements).is_some()
            || self.implementors(first.id).any(is_for_all);
        (!is_met).then(|| first.name.clone())
    }

    /// The traits of a parameter at its declaration.
    pub(crate) fn bounds_of(
        &self,
        name: &str,
        generics: &Generics,
        given: &Substitution,
    ) -> Vec<TraitBound> {
        let mut all: Vec<&[GenericBound]> = Vec::new();
        for param in &generics.params {
            if let GenericParamDefKind::Type { bounds, .. } = &param.kind
                && param.name == name
            {
                all.push(bounds);
            }
        }
        for predicate in &generics.where_predicates {
            if let WherePredicate::BoundPredicate { type_: Type::Generic(of), bounds, .. } =
                predicate
                && of == name
            {
                all.push(bounds);
            }
        }
        all.into_iter().flat_map(|bounds| self.lower_bounds(bounds, given)).collect()
    }

    /// The traits that the type's own implementations require of its parameter of that number.
    fn bounds_of_impls(&self, id: Id, index: usize, given: &Substitution) -> Vec<TraitBound> {
        let mut found = Vec::new();
        for one in self.impls(id).filter(|one| one.trait_.is_none()) {
            let Ty::Named(of) = self.lower(&one.for_, &Substitution::new()) else { continue };
            if let Some(Ty::Param(name)) = of.args.get(index) {
                found.extend(self.bounds_of(name, &one.generics, given));
            }
        }
        found
    }

    /// The traits of all types that have one of the given traits: `impl<T: AsRef<[u8]>> Own for T`.
    fn bounds_of_blanket_impls(&self, bounds: &[TraitBound]) -> Vec<TraitBound> {
        let impls = bounds.iter().flat_map(|bound| self.implementors(bound.id));
        let of_impl = |one: &Impl| match &one.for_ {
            Type::Generic(name) => self.bounds_of(name, &one.generics, &Substitution::new()),
            _ => Vec::new(),
        };
        impls.flat_map(of_impl).collect()
    }

    /// A slice for the parameter of that number, if some functions exist only for slices, as in
    /// `impl<T> Stack<[T]>`, and the type has a size with them.
    fn slice_of_impls(&self, id: Id, index: usize, elements: ElementKind) -> Option<Ty> {
        let open = Substitution::new();
        let own: Vec<(&Impl, Ty)> = self
            .impls(id)
            .filter(|one| one.trait_.is_none())
            .filter_map(|one| match self.lower(&one.for_, &open) {
                Ty::Named(of) => Some((one, of.args.into_iter().nth(index)?)),
                _ => None,
            })
            .collect();
        let makes_unsized = own.iter().any(|(one, arg)| {
            let Ty::Param(name) = arg else { return false };
            let bounds = self.bounds_of(name, &one.generics, &open);
            bounds.iter().any(|bound| bound.name == "Sized") && self.returns_own(one, id)
        });
        own.iter().filter(|_| makes_unsized).find_map(|(one, arg)| {
            let Ty::Slice(element) = arg else { return None };
            let Ty::Param(name) = &**element else { return None };
            let bounds = self.bounds_of(name, &one.generics, &open);
            Some(Ty::Slice(Box::new(elements.for_bounds(&bounds).ty())))
        })
    }

    /// Returns whether a function returns the type by value, which then has a size.
    fn returns_own(&self, one: &Impl, id: Id) -> bool {
        let mut items = one.items.iter().filter_map(|id| self.item(*id));
        items.any(|item| {
            let ItemEnum::Function(function) = &item.inner else { return false };
            let output = function.sig.output.as_ref();
            output.is_some_and(|ty| match self.lower(ty, &Substitution::new()) {
                Ty::Named(named) => named.id == id,
                ty => ty == Ty::Subject,
            })
        })
    }

    /// A type with those of the traits that belong to this crate.
    pub(crate) fn stand_in_of_traits(
        &self,
        bounds: &[TraitBound],
        elements: ElementKind,
    ) -> Option<Ty> {
        bounds.iter().find_map(|bound| {
            let ItemEnum::Trait(of_trait) = &self.item(bound.id)?.inner else { return None };
            let implementors = of_trait.implementations.iter().filter_map(|id| self.impl_of(*id));
            let types = implementors.filter(|one| one.blanket_impl.is_none());
            let types = types.map(|one| self.lower(&one.for_, &Substitution::new()));
            let ranked = types.filter_map(|ty| Some((rank(&ty)?, ty)));
            ranked.min_by_key(|(rank, _)| *rank).map(|(_, ty)| concrete(ty, elements))
        })
    }
}

/// The suitability of a type as an argument; none if it has unreplaced parameters.
fn rank(ty: &Ty) -> Option<u32> {
    match ty {
        Ty::Named(named) if named.path.is_none() || !named.args.is_empty() => None,
        Ty::Named(named) if named.name.starts_with("Default") => Some(0),
        Ty::Primitive(name) if name == "u8" => Some(1),
        Ty::Named(_) => Some(2),
        Ty::Array(_, len) => match &**len {
            Ty::Param(_) => Some(3),
            Ty::Verbatim(len) if len == "2" => Some(3),
            _ => Some(5),
        },
        Ty::Primitive(_) => Some(4),
        _ => None,
    }
}

/// Returns whether an implementation is written for all types with certain traits.
fn is_for_all(one: &Impl) -> bool {
    matches!(one.for_, Type::Generic(_))
}

/// An array for a parameter that lends a slice: of two, as a collection keeps its items in one, or
/// of eight words, which are memory for items of any type.
fn array(bounds: &[TraitBound], elements: ElementKind) -> Option<Ty> {
    let mut args = bounds
        .iter()
        .filter(|bound| matches!(bound.name.as_str(), "AsRef" | "AsMut"))
        .flat_map(|bound| &bound.args);
    let element = args.find_map(|arg| match arg {
        Ty::Slice(element) => Some(&**element),
        _ => None,
    })?;
    // The item of a trait of another crate is not known.
    let element = if has_domain(element) { element.clone() } else { elements.ty() };
    let len = if element == Ty::Primitive("usize".to_owned()) { "8" } else { "2" };
    Some(Ty::Array(Box::new(element), Box::new(Ty::Verbatim(len.to_owned()))))
}

/// The type with elements for the parameters of types and 2 for those of constants.
fn concrete(ty: Ty, elements: ElementKind) -> Ty {
    let Ty::Array(element, len) = ty else { return ty };
    let u8_of = |ty: &Ty| matches!(ty, Ty::Param(_)).then(|| elements.ty());
    let len = if matches!(*len, Ty::Param(_)) { Ty::Verbatim("2".to_owned()) } else { *len };
    Ty::Array(Box::new(element.map(&u8_of)), Box::new(len))
}

const PRIMITIVES: [&str; 16] = [
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "bool",
    "char", "f32", "f64",
];
