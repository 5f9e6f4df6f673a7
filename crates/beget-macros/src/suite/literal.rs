//! Parameters that take literals: the domain to draw from, and how the value is passed.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::Type;

use super::lent::{LentType, is_path};
use super::method::{PassingMode, Unsupported};
use crate::options::call_site_at;

/// A literal parameter.
#[derive(Clone)]
pub(crate) struct LiteralParam {
    /// The type that implements `Domain`.
    domain: DomainType,
    passing: PassingMode,
}

#[derive(Clone)]
enum DomainType {
    /// The parameter's own type.
    Own(Box<Type>),
    /// `Text`, for `&str`.
    Text,
    /// `PathText`, for `&Path`.
    Path,
    /// `Slice<T>`, for `&[T]`.
    Slice(Box<Type>),
    /// A slice of what is lent itself, as `&[&str]`.
    SliceOfLent(LentType),
    /// A type with references in it.
    Lent(LentType),
}

impl LiteralParam {
    /// For a parameter of type `ty`, which holds no type of the suite.
    pub(crate) fn of(ty: &Type) -> Result<Self, Unsupported> {
        refuse_uncallable(ty)?;
        let Type::Reference(reference) = ty else {
            let domain = match LentType::of(ty) {
                Some(lent) => DomainType::Lent(lent),
                None => DomainType::Own(Box::new(ty.clone())),
            };
            return Ok(LiteralParam { domain, passing: PassingMode::Value });
        };
        refuse_uncallable(&reference.elem)?;
        let passing =
            if reference.mutability.is_some() { PassingMode::Mut } else { PassingMode::Ref };
        let domain = match &*reference.elem {
            Type::Slice(slice) => match LentType::of(&slice.elem) {
                Some(lent) if passing == PassingMode::Ref => DomainType::SliceOfLent(lent),
                _ => DomainType::Slice(slice.elem.clone()),
            },
            ty if is_path(ty) && passing == PassingMode::Ref => DomainType::Path,
            Type::Path(path) if path.path.is_ident("str") => match passing {
                PassingMode::Mut => return Err(Unsupported::new(ty, "`&mut str` has no literals")),
                _ => DomainType::Text,
            },
            _ => DomainType::Own(reference.elem.clone()),
        };
        Ok(LiteralParam { domain, passing })
    }

    /// The type that implements `Domain`; `suites` is the path of `beget_suite`.
    pub(crate) fn domain(&self, suites: &TokenStream) -> TokenStream {
        match &self.domain {
            DomainType::Own(ty) => quote!(#ty),
            DomainType::Text => quote!(#suites::Text),
            DomainType::Path => quote!(#suites::PathText),
            DomainType::Lent(lent) => lent.domain(suites),
            DomainType::SliceOfLent(lent) => {
                let element = lent.domain(suites);
                quote!(#suites::Slice<#element>)
            }
            DomainType::Slice(element) => {
                quote_spanned!(call_site_at(element)=> #suites::Slice<#element>)
            }
        }
    }

    /// What stands before the literal in source.
    pub(crate) fn prefix(&self) -> &'static str {
        match (&self.domain, self.passing) {
            (DomainType::Text | DomainType::Path, _) | (_, PassingMode::Value) => "",
            (_, PassingMode::Ref) => "&",
            (_, PassingMode::Mut) => "&mut ",
        }
    }

    /// The statement that binds `local` to literal number `index`.
    pub(crate) fn bind(&self, local: &Ident, index: usize, suites: &TokenStream) -> TokenStream {
        let domain = self.domain(suites);
        let literal = quote!(call.literal::<#domain>(#index));
        match &self.domain {
            DomainType::Lent(lent) => {
                let lent = lent.lend(&literal);
                return quote!(let #local = #lent;);
            }
            DomainType::SliceOfLent(lent) => {
                let element = lent.lend(&quote!(inside));
                let elements = quote!(#literal.0.iter().map(|inside| #element));
                return quote!(let #local = #elements.collect::<::std::vec::Vec<_>>(););
            }
            _ => {}
        }
        match self.passing {
            PassingMode::Ref => quote!(let #local = #literal;),
            PassingMode::Value => quote!(let #local = ::core::clone::Clone::clone(#literal);),
            PassingMode::Mut => quote!(let mut #local = ::core::clone::Clone::clone(#literal);),
        }
    }

    /// An expression of the parameter's type, or of one that can be used like it, which leaves
    /// `local` as it is.
    pub(crate) fn look_at(&self, local: &Ident) -> TokenStream {
        let clone = quote!(::core::clone::Clone::clone(&#local));
        match (&self.domain, self.passing) {
            (DomainType::Own(_) | DomainType::Lent(_), PassingMode::Value) => clone,
            (DomainType::Own(_), PassingMode::Mut) => quote!(&#clone),
            (DomainType::Slice(_), PassingMode::Mut) => quote!(&*#clone.0),
            _ => self.pass(local),
        }
    }

    /// The expression that passes `local`.
    pub(crate) fn pass(&self, local: &Ident) -> TokenStream {
        match (&self.domain, self.passing) {
            (DomainType::Text, _) => quote!(#local.0.as_str()),
            (DomainType::Path, _) => quote!(#local.0.as_path()),
            (DomainType::Lent(_), _) => quote!(#local),
            (DomainType::SliceOfLent(_), _) => quote!(#local.as_slice()),
            (DomainType::Slice(_), PassingMode::Mut) => quote!(#local.0.as_mut_slice()),
            (DomainType::Slice(_), _) => quote!(#local.0.as_slice()),
            (DomainType::Own(_), PassingMode::Mut) => quote!(&mut #local),
            (DomainType::Own(_), _) => quote!(#local),
        }
    }
}

fn refuse_uncallable(ty: &Type) -> Result<(), Unsupported> {
    let what = match ty {
        Type::ImplTrait(_) => "an `impl Trait` parameter has no literals",
        Type::TraitObject(_) => "a trait object has no literals",
        Type::FnPtr(_) => "a function has no literals",
        Type::Ptr(_) => "a raw pointer has no literals",
        Type::Infer(_) => "a parameter needs a type",
        _ => return Ok(()),
    };
    Err(Unsupported::new(ty, what))
}
