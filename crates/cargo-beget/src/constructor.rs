//! Values of types of the crate, made by its own public functions.

use rustdoc_types::{Function, Impl, Item, ItemEnum, Visibility};

use crate::parameter::ServedParameter;
use crate::planner::Planner;
use crate::ty::{NamedTy, Spelling, Substitution, Ty, has_domain};

/// The inputs of constructors: literals, values made of literals, or nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConstructorInput {
    Literals,
    OtherValues,
    Nothing,
}

impl Planner<'_> {
    /// Ways to make a value of a type, `new` first: it is the most common choice.
    pub(crate) fn constructors(
        &self,
        name: &str,
        named: &NamedTy,
        input: ConstructorInput,
    ) -> Vec<ServedParameter> {
        let mut found = Vec::new();
        let ty = Ty::Named(named.clone());
        for one in self.document.impls(named.id) {
            let mut given = Substitution::new();
            let of_trait = one.trait_.as_ref().map(|path| path.path.as_str());
            let is_known = matches!(of_trait, None | Some("From" | "Default"));
            if is_known && self.document.lower(&one.for_, &given).unify(&ty, &mut given) {
                let items = one.items.iter().filter_map(|id| self.document.item(*id));
                found.extend(
                    items.filter_map(|item| self.constructor(name, &ty, one, item, &given, input)),
                );
            }
        }
        found.sort_by_key(|made| !made.expression.contains("::new("));
        found
    }

    /// The function as a constructor of the type, if it is one.
    fn constructor(
        &self,
        name: &str,
        ty: &Ty,
        of: &Impl,
        item: &Item,
        given: &Substitution,
        input: ConstructorInput,
    ) -> Option<ServedParameter> {
        let ItemEnum::Function(function) = &item.inner else { return None };
        let is_public = item.visibility == Visibility::Public || of.trait_.is_some();
        let output = self.document.lower(function.sig.output.as_ref()?, given);
        let n_inputs = function.sig.inputs.len();
        let is_meant = match input {
            ConstructorInput::Nothing => n_inputs == 0,
            _ => (1..=2).contains(&n_inputs),
        };
        if !is_public
            || !is_meant
            || !is_plain(function)
            || (output != Ty::Subject && output != *ty)
        {
            return None;
        }
        let types = function.sig.inputs.iter().map(|(_, ty)| self.document.lower(ty, given));
        let parts = types.enumerate().map(|(index, ty)| {
            let name = if index == 0 { name.to_owned() } else { format!("{name}_{}", index + 1) };
            match &ty {
                ty if has_domain(ty) => ServedParameter::plain(&name, ty).ok(),
                Ty::Named(inner) if input == ConstructorInput::OtherValues && !inner.is_std => {
                    self.constructors(&name, inner, ConstructorInput::Literals).into_iter().next()
                }
                _ => None,
            }
        });
        let parts: Vec<_> = parts.collect::<Option<_>>()?;
        let list: Vec<_> = parts.iter().map(|part| part.expression.as_str()).collect();
        let source = ty.spell(Spelling { subject: "Self", lifetime: "" }).ok()?;
        let called = item.name.as_deref()?;
        let expression = format!("<{source}>::{called}({})", list.join(", "));
        let declared = parts.into_iter().flat_map(|part| part.declared).collect();
        Some(ServedParameter::made(declared, expression))
    }
}

fn is_plain(function: &Function) -> bool {
    function.generics.params.is_empty() && !function.header.is_unsafe && !function.header.is_async
}
