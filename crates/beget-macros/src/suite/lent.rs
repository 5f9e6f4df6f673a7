//! References inside parameters' types, as in `Option<&str>` and `&[&str]`: literals own their
//! contents, and the glue lends them.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::{GenericArgument, PathArguments, Type};

use crate::options::call_site_at;

/// The structure of a type that contains references.
#[derive(Clone)]
pub(super) enum LentType {
    Text,
    /// A type of that name, from the standard library or not.
    Path(Box<Type>),
    Reference(Box<Type>),
    Option(Box<LentType>),
    Vec(Box<LentType>),
    Array(Box<LentType>, TokenStream),
    Tuple(Vec<LentType>),
    /// A type without references.
    Own(Box<Type>),
}

impl LentType {
    /// `None` if nothing is lent, or the glue cannot lend it.
    pub(super) fn of(ty: &Type) -> Option<Self> {
        let lent = LentType::read(ty)?;
        lent.lends().then_some(lent)
    }

    fn read(ty: &Type) -> Option<Self> {
        Some(match ty {
            Type::Paren(paren) => LentType::read(&paren.elem)?,
            Type::Group(group) => LentType::read(&group.elem)?,
            Type::Reference(reference) if reference.mutability.is_some() => return None,
            Type::Reference(reference) => match &*reference.elem {
                Type::Path(path) if path.path.is_ident("str") => LentType::Text,
                ty if is_path(ty) => LentType::Path(Box::new(ty.clone())),
                Type::Slice(_) | Type::Reference(_) | Type::TraitObject(_) => return None,
                other => LentType::Reference(Box::new(other.clone())),
            },
            Type::Tuple(tuple) => {
                LentType::Tuple(tuple.elems.iter().map(LentType::read).collect::<Option<_>>()?)
            }
            Type::Array(array) => {
                LentType::Array(Box::new(LentType::read(&array.elem)?), array.len.to_token_stream())
            }
            Type::Path(path) => match argument(path) {
                Some(("Option", inner)) => LentType::Option(Box::new(LentType::read(inner)?)),
                Some(("Vec", inner)) => LentType::Vec(Box::new(LentType::read(inner)?)),
                _ => LentType::Own(Box::new(ty.clone())),
            },
            _ => LentType::Own(Box::new(ty.clone())),
        })
    }

    fn lends(&self) -> bool {
        match self {
            LentType::Text | LentType::Path(_) | LentType::Reference(_) => true,
            LentType::Option(inner) | LentType::Vec(inner) | LentType::Array(inner, _) => {
                inner.lends()
            }
            LentType::Tuple(parts) => parts.iter().any(LentType::lends),
            LentType::Own(_) => false,
        }
    }

    /// The type that owns it and has a domain; `suites` is the path of `beget_suite`.
    pub(super) fn domain(&self, suites: &TokenStream) -> TokenStream {
        match self {
            LentType::Text => quote!(#suites::Text),
            LentType::Path(ty) => owner_of(ty, suites),
            LentType::Reference(ty) => quote!(#suites::Referent<#ty>),
            LentType::Option(inner) => {
                let inner = inner.domain(suites);
                quote!(::core::option::Option<#inner>)
            }
            LentType::Vec(inner) => {
                let inner = inner.domain(suites);
                quote!(::std::vec::Vec<#inner>)
            }
            LentType::Array(inner, len) => {
                let inner = inner.domain(suites);
                quote!([#inner; #len])
            }
            LentType::Tuple(parts) => {
                let parts = parts.iter().map(|part| part.domain(suites));
                quote!((#(#parts,)*))
            }
            LentType::Own(ty) => quote!(#ty),
        }
    }

    /// The parameter's value from `owner`, an expression of a reference to the owning type.
    pub(super) fn lend(&self, owner: &TokenStream, suites: &TokenStream) -> TokenStream {
        let inside = quote!(inside);
        match self {
            LentType::Text => quote!(#owner.0.as_str()),
            LentType::Path(ty) => borrowed(ty, owner, suites),
            LentType::Reference(_) => quote!(&#owner.0),
            LentType::Option(inner) => {
                let inner = inner.lend(&inside, suites);
                quote!(#owner.as_ref().map(|inside| #inner))
            }
            LentType::Vec(inner) => {
                let inner = inner.lend(&inside, suites);
                quote!(#owner.iter().map(|inside| #inner).collect::<::std::vec::Vec<_>>())
            }
            LentType::Array(inner, _) => {
                let inner = inner.lend(&inside, suites);
                quote!(#owner.each_ref().map(|inside| #inner))
            }
            LentType::Tuple(parts) => {
                let parts = parts.iter().enumerate().map(|(index, part)| {
                    let index = syn::Index::from(index);
                    part.lend(&quote!((&inside.#index)), suites)
                });
                quote!({ let inside = #owner; (#(#parts,)*) })
            }
            LentType::Own(_) => quote!(::core::clone::Clone::clone(#owner)),
        }
    }
}

/// The owning type of the literals of `&ty`, for types that a name alone does not determine.
pub(super) fn owner_of(ty: &Type, suites: &TokenStream) -> TokenStream {
    quote_spanned!(call_site_at(ty)=> <#ty as #suites::LiteralOwner>::Owner)
}

/// `&ty` from a reference to that.
pub(super) fn borrowed(ty: &Type, owner: &TokenStream, suites: &TokenStream) -> TokenStream {
    quote!(<#ty as #suites::LiteralOwner>::borrow(#owner))
}

/// `Path`, however it is reached, from the standard library or not.
pub(super) fn is_path(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    path.path.segments.last().is_some_and(|name| name.ident == "Path" && name.arguments.is_none())
}

/// The last segment's name and its only type argument.
fn argument(path: &syn::TypePath) -> Option<(&'static str, &Type)> {
    let segment = path.path.segments.last()?;
    let name = ["Option", "Vec"].into_iter().find(|name| segment.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(ty) if arguments.args.len() == 1 => Some((name, ty)),
        _ => None,
    }
}
