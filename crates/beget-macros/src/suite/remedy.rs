//! Alternatives for parts of signatures that have no values.

use quote::ToTokens;
use syn::{
    FnArg, GenericParam, Ident, PathArguments, Signature, Type, TypeParam, TypeParamBound,
    WherePredicate,
};

use super::method::name_of;
use crate::pretty::pretty;

/// An alternative for a part of a signature that has no values.
pub(crate) enum Remedy {
    /// A type for the parameter or type parameter of that name.
    ChooseType(String),
    /// A value for the `const` parameter of that name.
    ChooseValue(String),
    /// Values of a parameter, with the text around each.
    List { name: String, around: (&'static str, &'static str) },
    /// Functions of this type for a parameter; `chosen` is the parameter or type parameter whose
    /// type must be chosen.
    ListFunctions { name: String, chosen: Option<String>, ty: String },
}

impl Remedy {
    /// For the `impl Trait` of parameter `name`.
    pub(super) fn of_impl<'b>(
        bounds: impl IntoIterator<Item = &'b TypeParamBound>,
        name: &str,
    ) -> Self {
        let chosen = name.to_owned();
        match bounds.into_iter().find_map(function_type) {
            Some(ty) => Remedy::ListFunctions { name: chosen.clone(), chosen: Some(chosen), ty },
            None => Remedy::ChooseType(chosen),
        }
    }

    /// For a generic parameter of a function.
    pub(super) fn of_generic(generic: &GenericParam, signature: &Signature) -> Option<Self> {
        match generic {
            GenericParam::Lifetime(_) => None,
            GenericParam::Const(param) => Some(Remedy::ChooseValue(param.ident.to_string())),
            GenericParam::Type(param) => {
                let chosen = param.ident.to_string();
                let ty = bounds_of(param, signature).into_iter().find_map(function_type);
                Some(match (ty, parameter_of(&param.ident, signature)) {
                    (Some(ty), Some(name)) => {
                        Remedy::ListFunctions { name, chosen: Some(chosen), ty }
                    }
                    _ => Remedy::ChooseType(chosen),
                })
            }
        }
    }
}

/// The bounds of a type parameter, wherever the signature states them.
fn bounds_of<'s>(param: &'s TypeParam, signature: &'s Signature) -> Vec<&'s TypeParamBound> {
    let mut bounds: Vec<_> = param.bounds.iter().collect();
    let clause = signature.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    for predicate in clause {
        if let WherePredicate::Type(predicate) = predicate
            && is_named(&predicate.bounded_ty, &param.ident)
        {
            bounds.extend(&predicate.bounds);
        }
    }
    bounds
}

/// `fn(&u8) -> bool` for `FnMut(&u8) -> bool`.
fn function_type(bound: &TypeParamBound) -> Option<String> {
    let TypeParamBound::Trait(bound) = bound else { return None };
    let segment = bound.path.segments.last()?;
    let is_function = ["Fn", "FnMut", "FnOnce"].iter().any(|name| segment.ident == name);
    match &segment.arguments {
        PathArguments::Parenthesized(arguments) if is_function => {
            Some(format!("fn{}", pretty(arguments.to_token_stream())))
        }
        _ => None,
    }
}

/// The first parameter whose type is a type parameter.
fn parameter_of(ident: &Ident, signature: &Signature) -> Option<String> {
    signature.inputs.iter().enumerate().find_map(|(index, input)| match input {
        FnArg::Typed(typed) if is_named(&typed.ty, ident) => Some(name_of(typed, index)),
        _ => None,
    })
}

fn is_named(ty: &Type, ident: &Ident) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident(ident))
}
