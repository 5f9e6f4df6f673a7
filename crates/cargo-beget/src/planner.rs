//! The common input of all plans of methods (the documentation, the type under test, its
//! iteration), and the replacements of generic parameters of functions.

use rustdoc_types::{GenericParamDefKind, Generics, ItemEnum, Type, Visibility, WherePredicate};

use crate::document::Document;
use crate::parameter::{is_function, is_iteration, std_type};
use crate::subject::{HASHER, TypeUnderTest};
use crate::ty::{Substitution, TraitBound, Ty, has_domain};
use crate::vector;

pub(crate) struct Planner<'d> {
    pub(crate) document: &'d Document,
    pub(crate) subject: &'d TypeUnderTest,
    /// Methods that take only `&self` and iterate over the structure's contents, with the items.
    pub(crate) iterations: Vec<(String, Ty)>,
    /// The types whose values are keys of the structure that returned them.
    pub(crate) keys: Vec<Ty>,
}

impl<'d> Planner<'d> {
    pub(crate) fn new(document: &'d Document, subject: &'d TypeUnderTest) -> Planner<'d> {
        let mut planner = Planner { document, subject, iterations: Vec::new(), keys: Vec::new() };
        planner.iterations = planner.find_iterations();
        planner.keys = planner.find_keys();
        planner
    }

    /// The type with its parameters replaced, and `Self` for the type under test.
    pub(crate) fn lower(&self, ty: &Type, given: &Substitution) -> Ty {
        self.with_subject(&self.document.lower(ty, given))
    }

    pub(crate) fn with_subject(&self, ty: &Ty) -> Ty {
        let own = &self.subject.ty;
        ty.map(&|ty| match ty {
            Ty::Named(named) => {
                (named.id == own.id && named.args == own.args).then_some(Ty::Subject)
            }
            _ => None,
        })
    }

    /// The parameters of an implementation if it applies to the type under test.
    pub(crate) fn applies(&self, for_: &Type) -> Option<Substitution> {
        let mut given = Substitution::new();
        let pattern = self.document.lower(for_, &given);
        let own = Ty::Named(self.subject.ty.clone());
        pattern.unify(&own, &mut given).then_some(given)
    }

    /// The default type of an element.
    pub(crate) fn element(&self) -> Ty {
        let is_element =
            |ty: &&Ty| ty.is_tracked() || is_plain_element(ty) || matches!(ty, Ty::Slice(_));
        let first = self.subject.ty.args.iter().find(is_element);
        match first {
            Some(Ty::Array(element, _) | Ty::Slice(element)) => (**element).clone(),
            Some(ty) => ty.clone(),
            None => Ty::Primitive("u8".to_owned()),
        }
    }

    fn find_iterations(&self) -> Vec<(String, Ty)> {
        if self.subject.of_trait.is_some() {
            return vec![vector::iteration(self.subject)];
        }
        let mut found = Vec::new();
        for one in self.document.impls(self.subject.id) {
            let Some(given) = self.applies(&one.for_).filter(|_| one.trait_.is_none()) else {
                continue;
            };
            for item in one.items.iter().filter_map(|id| self.document.item(*id)) {
                let ItemEnum::Function(function) = &item.inner else { continue };
                let is_public = item.visibility == Visibility::Public;
                let [(_, receiver)] = &function.sig.inputs[..] else { continue };
                let is_lent = matches!(receiver, Type::BorrowedRef { is_mutable: false, .. });
                let Some(output) = &function.sig.output else { continue };
                if let Some(items) = self.items(&self.lower(output, &given))
                    && is_public
                    && is_lent
                {
                    found.push((item.name.clone().unwrap_or_default(), items));
                }
            }
        }
        found.sort_by_key(|(name, _)| name != "iter");
        found
    }

    /// The items of an iterator; none if the type is not known to be one.
    pub(crate) fn items(&self, ty: &Ty) -> Option<Ty> {
        match ty {
            Ty::Opaque(bounds) => {
                let bound = bounds.iter().find(|bound| is_iteration(&bound.name))?;
                let item = bound.bindings.iter().find(|(name, _)| name == "Item");
                Some(item.map_or(Ty::Other("an item"), |(_, item)| item.clone()))
            }
            Ty::Named(named) if named.is_std => {
                let is_one = matches!(
                    named.name.as_str(),
                    "Iter"
                        | "IterMut"
                        | "IntoIter"
                        | "Drain"
                        | "Rev"
                        | "Map"
                        | "Filter"
                        | "Cloned"
                        | "Copied"
                        | "Chunks"
                );
                is_one.then_some(Ty::Other("an item"))
            }
            Ty::Named(named) => {
                let mut impls = self.document.impls(named.id);
                let one = impls
                    .find(|one| one.trait_.as_ref().is_some_and(|path| path.path == "Iterator"))?;
                let mut given = Substitution::new();
                self.document.lower(&one.for_, &given).unify(ty, &mut given);
                let item = self.document.associated_type(one, "Item", &given);
                Some(item.map_or(Ty::Other("an item"), |item| self.with_subject(&item)))
            }
            _ => None,
        }
    }

    /// The replacements of the remaining generic parameters of the implementation and of the
    /// function. It takes several rounds, because one may be named in the bounds of another.
    pub(crate) fn stand_ins(&self, all: [&Generics; 2], mut given: Substitution) -> Substitution {
        let params: Vec<_> = all.iter().flat_map(|generics| &generics.params).collect();
        let known: Vec<String> = given.keys().cloned().collect();
        for _ in 0..3 {
            for param in params.iter().filter(|param| !known.contains(&param.name)) {
                let chosen = match &param.kind {
                    GenericParamDefKind::Lifetime { .. } => continue,
                    GenericParamDefKind::Const { .. } => Ty::Verbatim("2".to_owned()),
                    GenericParamDefKind::Type { .. } => self.stand_in(&param.name, all, &given),
                };
                given.insert(param.name.clone(), chosen);
            }
        }
        given
    }

    fn stand_in(&self, name: &str, all: [&Generics; 2], given: &Substitution) -> Ty {
        let mut open = given.clone();
        open.remove(name);
        let mut bounds: Vec<TraitBound> = Vec::new();
        for generics in all {
            bounds.extend(self.document.bounds_of(name, generics, &open));
        }
        for bound in &mut bounds {
            bound.args = bound.args.iter().map(|ty| self.with_subject(ty)).collect();
            bound.output = bound.output.as_ref().map(|ty| self.with_subject(ty));
            bound.bindings.iter_mut().for_each(|(_, ty)| *ty = self.with_subject(ty));
        }
        if let Some(iteration) = bounds.iter_mut().find(|bound| is_iteration(&bound.name))
            && !iteration.bindings.iter().any(|(name, _)| name == "Item")
            && let Some(items) = self.items_with_trait(name, all, &open)
        {
            iteration.bindings.push(("Item".to_owned(), items));
        }
        self.of_bounds_alone(&bounds)
            .or_else(|| self.asked_by_others(name, all, &open))
            .or_else(|| {
                let own = self.document.stand_in_of_traits(&bounds, self.subject.elements);
                own.map(|ty| self.with_subject(&ty))
            })
            .unwrap_or_else(|| Ty::Primitive("u8".to_owned()))
    }

    /// The replacement of a parameter by its own bounds alone.
    pub(crate) fn of_bounds_alone(&self, bounds: &[TraitBound]) -> Option<Ty> {
        let is_kept = |bound: &&TraitBound| is_function(&bound.name) || is_iteration(&bound.name);
        if bounds.iter().any(|bound| is_kept(&bound)) {
            return Some(Ty::Opaque(bounds.to_vec()));
        }
        bounds.iter().find_map(|bound| match (bound.name.as_str(), &bound.args[..]) {
            ("RangeBounds", [end]) => Some(std_type("Range", vec![end.clone()])),
            ("SliceIndex", _) => Some(Ty::Primitive("usize".to_owned())),
            ("AsRef", [Ty::Primitive(text)]) if text == "str" => {
                Some(reference(bound.args[0].clone()))
            }
            ("AsRef", [text]) if text.std().is_some_and(|(name, _)| is_text_of_system(name)) => {
                Some(std_type("String", Vec::new()))
            }
            ("AsRef", [slice @ Ty::Slice(_)]) => Some(reference(slice.clone())),
            ("BuildHasher", _) => Some(Ty::Verbatim(HASHER.to_owned())),
            ("Hasher", _) => Some(std_type("DefaultHasher", Vec::new())),
            (_, [one]) if has_domain(one) || *one == Ty::Subject => Some(one.clone()),
            _ => None,
        })
    }

    /// The replacement implied by another type's bound: `K: Borrow<Q>` makes `Q` a `K`.
    fn asked_by_others(&self, name: &str, all: [&Generics; 2], open: &Substitution) -> Option<Ty> {
        let predicates = all.into_iter().flat_map(|generics| &generics.where_predicates);
        let of_where = predicates.filter_map(|predicate| match predicate {
            WherePredicate::BoundPredicate { type_, bounds, .. } => {
                Some((self.lower(type_, open), &bounds[..]))
            }
            _ => None,
        });
        let params = all.into_iter().flat_map(|generics| &generics.params);
        let of_params = params.filter_map(|param| match &param.kind {
            GenericParamDefKind::Type { bounds, .. } => {
                Some((open.get(&param.name)?.clone(), &bounds[..]))
            }
            _ => None,
        });
        let wanted = [Ty::Param(name.to_owned())];
        of_where.chain(of_params).find_map(|(of, bounds)| {
            let bounds = self.document.lower_bounds(bounds, open);
            let is_asked = bounds.iter().any(|bound| bound.args == wanted);
            (is_asked && has_domain(&of)).then_some(of)
        })
    }
}

fn is_plain_element(ty: &Ty) -> bool {
    has_domain(ty) && !matches!(ty, Ty::Verbatim(_))
}

fn is_text_of_system(name: &str) -> bool {
    matches!(name, "Path" | "OsStr")
}

fn reference(inner: Ty) -> Ty {
    Ty::Ref { is_mut: false, inner: Box::new(inner) }
}
