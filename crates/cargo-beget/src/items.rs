//! The items of an iterator that a function takes, where a trait of the crate says what they are:
//! `I: IntoIterator<Item: IntoEdge>` may be tuples, for which the crate implements the trait.

use rustdoc_types::{GenericBound, Generics, Impl, Type, WherePredicate};

use crate::planner::Planner;
use crate::ty::{Substitution, TraitBound, Ty, has_domain};

/// A bound of generics, with the type that it is of.
type BoundOf<'g> = (&'g Type, &'g [GenericBound]);

fn bounds_in<'g>(all: [&'g Generics; 2]) -> impl Iterator<Item = BoundOf<'g>> {
    let predicates = all.into_iter().flat_map(|generics| &generics.where_predicates);
    predicates.filter_map(|predicate| match predicate {
        WherePredicate::BoundPredicate { type_, bounds, .. } => Some((type_, &bounds[..])),
        _ => None,
    })
}

/// The type and the name in `<type as Trait>::name`.
fn associated(ty: &Type) -> Option<(&Type, &str)> {
    match ty {
        Type::QualifiedPath { name, self_type, .. } => Some((self_type, name)),
        _ => None,
    }
}

fn is_item_of(ty: &Type, name: &str) -> bool {
    let item = associated(ty).filter(|(_, of)| *of == "Item");
    item.is_some_and(|(of, _)| matches!(of, Type::Generic(of) if of == name))
}

impl Planner<'_> {
    /// The items of the iterator that a parameter of that name is: the tuple with the fewest parts
    /// that has the required trait.
    pub(crate) fn items_with_trait(
        &self,
        name: &str,
        all: [&Generics; 2],
        given: &Substitution,
    ) -> Option<Ty> {
        let (_, bounds) = bounds_in(all).find(|(ty, _)| is_item_of(ty, name))?;
        let bounds = self.document.lower_bounds(bounds, given);
        let mut found: Vec<Vec<Ty>> = Vec::new();
        for bound in &bounds {
            let implementors = self.document.implementors(bound.id);
            found.extend(implementors.filter_map(|one| {
                let item = self.tuple_of(one, bound, (name, all), given)?;
                let is_owned = item.iter().all(|part| has_domain(part) && !part.has_reference());
                is_owned.then_some(item)
            }));
        }
        found.into_iter().min_by_key(Vec::len).map(Ty::Tuple)
    }

    /// The tuple that an implementation is for, with its parameters replaced by what the bound and
    /// the bounds of associated types require.
    fn tuple_of(
        &self,
        one: &Impl,
        bound: &TraitBound,
        (name, all): (&str, [&Generics; 2]),
        given: &Substitution,
    ) -> Option<Vec<Ty>> {
        let open = Substitution::new();
        let pattern = self.document.lower(&one.for_, &open);
        let mut chosen = Substitution::new();
        let of_trait = self.document.lower_bound(one.trait_.as_ref()?, &open);
        for (pattern, ty) in of_trait.args.iter().zip(&bound.args) {
            pattern.unify(ty, &mut chosen);
        }
        for (name, ty) in &bound.bindings {
            let own = self.document.associated_type(one, name, &open)?;
            own.unify(ty, &mut chosen);
        }
        for (ty, bounds) in bounds_in(all) {
            let of_item = associated(ty).filter(|(of, _)| is_item_of(of, name));
            let Some((_, associated)) = of_item else { continue };
            let own = self.document.associated_type(one, associated, &open)?;
            let bounds = self.document.lower_bounds(bounds, given);
            for into in bounds.iter().filter(|bound| bound.name == "Into") {
                own.unify(&self.source_of(into.args.first()?), &mut chosen);
            }
        }
        match pattern.map(&|ty| match ty {
            Ty::Param(name) => chosen.get(name).cloned(),
            _ => None,
        }) {
            Ty::Tuple(parts) => Some(parts),
            _ => None,
        }
    }

    /// A type with literals that the type is made of by `From`, or the type itself.
    fn source_of(&self, ty: &Ty) -> Ty {
        let Ty::Named(named) = ty else { return ty.clone() };
        let sources = self.document.impls(named.id).filter_map(|one| {
            let path = one.trait_.as_ref().filter(|path| path.path == "From")?;
            let mut given = Substitution::new();
            let is_for = self.document.lower(&one.for_, &given).unify(ty, &mut given);
            let args = self.document.lower_bound(path, &given).args;
            args.into_iter().next().filter(|source| is_for && has_domain(source))
        });
        sources.into_iter().next().unwrap_or_else(|| ty.clone())
    }
}
