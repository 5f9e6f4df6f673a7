//! References inside parameters' types, as in `Option<&str>` and `&[&str]`: literals own what they
//! hold, and the glue lends it.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{GenericArgument, PathArguments, Type};

/// What a type that has references in it is made of.
#[derive(Clone)]
pub(super) enum Lent {
    Text,
    Path,
    Reference(Box<Type>),
    Option(Box<Lent>),
    Vec(Box<Lent>),
    Array(Box<Lent>, TokenStream),
    Tuple(Vec<Lent>),
    /// No reference is in it.
    Own(Box<Type>),
}

impl Lent {
    /// `None` if nothing is lent, or not so that the glue could do it.
    pub(super) fn of(ty: &Type) -> Option<Self> {
        let lent = Lent::read(ty)?;
        lent.lends().then_some(lent)
    }

    fn read(ty: &Type) -> Option<Self> {
        Some(match ty {
            Type::Paren(paren) => Lent::read(&paren.elem)?,
            Type::Group(group) => Lent::read(&group.elem)?,
            Type::Reference(reference) if reference.mutability.is_some() => return None,
            Type::Reference(reference) => match &*reference.elem {
                Type::Path(path) if path.path.is_ident("str") => Lent::Text,
                ty if is_path(ty) => Lent::Path,
                Type::Slice(_) | Type::Reference(_) | Type::TraitObject(_) => return None,
                other => Lent::Reference(Box::new(other.clone())),
            },
            Type::Tuple(tuple) => {
                Lent::Tuple(tuple.elems.iter().map(Lent::read).collect::<Option<_>>()?)
            }
            Type::Array(array) => {
                Lent::Array(Box::new(Lent::read(&array.elem)?), array.len.to_token_stream())
            }
            Type::Path(path) => match argument(path) {
                Some(("Option", inner)) => Lent::Option(Box::new(Lent::read(inner)?)),
                Some(("Vec", inner)) => Lent::Vec(Box::new(Lent::read(inner)?)),
                _ => Lent::Own(Box::new(ty.clone())),
            },
            _ => Lent::Own(Box::new(ty.clone())),
        })
    }

    fn lends(&self) -> bool {
        match self {
            Lent::Text | Lent::Path | Lent::Reference(_) => true,
            Lent::Option(inner) | Lent::Vec(inner) | Lent::Array(inner, _) => inner.lends(),
            Lent::Tuple(parts) => parts.iter().any(Lent::lends),
            Lent::Own(_) => false,
        }
    }

    /// The type that owns it and has a domain; `suites` is the path of `beget_suite`.
    pub(super) fn domain(&self, suites: &TokenStream) -> TokenStream {
        match self {
            Lent::Text => quote!(#suites::Text),
            Lent::Path => quote!(#suites::PathText),
            Lent::Reference(ty) => quote!(#suites::Lent<#ty>),
            Lent::Option(inner) => {
                let inner = inner.domain(suites);
                quote!(::core::option::Option<#inner>)
            }
            Lent::Vec(inner) => {
                let inner = inner.domain(suites);
                quote!(::std::vec::Vec<#inner>)
            }
            Lent::Array(inner, len) => {
                let inner = inner.domain(suites);
                quote!([#inner; #len])
            }
            Lent::Tuple(parts) => {
                let parts = parts.iter().map(|part| part.domain(suites));
                quote!((#(#parts,)*))
            }
            Lent::Own(ty) => quote!(#ty),
        }
    }

    /// The parameter's value from `owner`, an expression of a reference to the owning type.
    pub(super) fn lend(&self, owner: &TokenStream) -> TokenStream {
        let inside = quote!(inside);
        match self {
            Lent::Text => quote!(#owner.0.as_str()),
            Lent::Path => quote!(#owner.0.as_path()),
            Lent::Reference(_) => quote!(&#owner.0),
            Lent::Option(inner) => {
                let inner = inner.lend(&inside);
                quote!(#owner.as_ref().map(|inside| #inner))
            }
            Lent::Vec(inner) => {
                let inner = inner.lend(&inside);
                quote!(#owner.iter().map(|inside| #inner).collect::<::std::vec::Vec<_>>())
            }
            Lent::Array(inner, _) => {
                let inner = inner.lend(&inside);
                quote!(#owner.each_ref().map(|inside| #inner))
            }
            Lent::Tuple(parts) => {
                let parts = parts.iter().enumerate().map(|(index, part)| {
                    let index = syn::Index::from(index);
                    part.lend(&quote!((&inside.#index)))
                });
                quote!({ let inside = #owner; (#(#parts,)*) })
            }
            Lent::Own(_) => quote!(::core::clone::Clone::clone(#owner)),
        }
    }
}

/// `Path`, however it is reached.
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
