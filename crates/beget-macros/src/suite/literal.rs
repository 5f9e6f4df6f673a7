//! Parameters that take literals: their domain, and the way to pass the value.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Expr, Type, parse_quote};

use super::lent::{LentType, borrowed, is_path, owner_of};
use super::method::{PassingMode, UnsupportedSignature};
use crate::heap::argument_of;
use crate::options::call_site_at;
use crate::pretty::{pretty, pretty_expression};

/// A trait object or counted pointer that a call takes.
#[derive(Clone)]
struct MadeType {
    /// The type that owns it, a `Box` or the like.
    owner: Box<Type>,
    /// True if the parameter borrows the object itself, so that values are listed without a box.
    is_borrowed: bool,
}

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
    /// For `&Path`: the type of its literals, by the trait `Borrowed`.
    Path(Box<Type>),
    /// `Slice<T>`, for `&[T]`.
    Slice(Box<Type>),
    /// A slice of borrowed elements, as `&[&str]`.
    SliceOfLent(LentType),
    /// A type with references in it.
    Lent(LentType),
    /// `Made<T>`, for values that cannot be kept as literals: each call makes its own.
    Made(MadeType),
}

impl LiteralParam {
    /// For a parameter of type `ty`, which holds no type of the suite.
    pub(crate) fn of(ty: &Type) -> Result<Self, UnsupportedSignature> {
        refuse_uncallable(ty)?;
        let Type::Reference(reference) = ty else {
            let domain = match LentType::of(ty) {
                _ if is_made(ty) => {
                    let owner = Box::new(ty.clone());
                    DomainType::Made(MadeType { owner, is_borrowed: false })
                }
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
            object @ Type::TraitObject(_) => {
                let owner = Box::new(parse_quote!(::std::boxed::Box<#object>));
                DomainType::Made(MadeType { owner, is_borrowed: true })
            }
            ty if is_made(ty) => {
                let owner = Box::new(ty.clone());
                DomainType::Made(MadeType { owner, is_borrowed: false })
            }
            ty if is_path(ty) && passing == PassingMode::Ref => {
                DomainType::Path(Box::new(ty.clone()))
            }
            Type::Path(path) if path.path.is_ident("str") => match passing {
                PassingMode::Mut => {
                    return Err(UnsupportedSignature::new(ty, "`&mut str` has no literals"));
                }
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
            DomainType::Made(MadeType { owner, .. }) => quote!(#suites::Factory<#owner>),
            DomainType::Text => quote!(#suites::Text),
            DomainType::Path(ty) => owner_of(ty, suites),
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

    /// Accepts values that the suite lists, which have the type in the signature.
    pub(crate) fn need_no_domain(&mut self) {
        if let DomainType::Path(ty) = &self.domain {
            self.domain = DomainType::Own(ty.clone());
        }
    }

    /// Returns whether values must be listed for it, and the text around each of them, if so;
    /// `None` inside for functions.
    pub(crate) fn must_be_listed(&self) -> Option<Option<(&'static str, &'static str)>> {
        match &self.domain {
            DomainType::Made(made) if made.is_borrowed => Some(Some(("", ""))),
            DomainType::Made(made) => Some(Some(match &*made.owner {
                ty if argument_of(ty, "Rc").is_some() => ("Rc::new(", ")"),
                ty if argument_of(ty, "Arc").is_some() => ("Arc::new(", ")"),
                ty if argument_of(ty, "Weak").is_some() => ("Rc::downgrade(&", ")"),
                _ => ("Box::new(", ")"),
            })),
            DomainType::Own(ty) if matches!(**ty, Type::FnPtr(_)) => Some(None),
            _ => None,
        }
    }

    /// The value of a literal that the suite lists as `value`, and its source.
    pub(crate) fn listed(&self, value: &Expr, suites: &TokenStream) -> (TokenStream, String) {
        let ty = self.domain(suites);
        let DomainType::Made(MadeType { owner, is_borrowed }) = &self.domain else {
            let source = match self.must_be_listed() {
                Some(_) => pretty_expression(quote!(#value)),
                None => pretty(quote!(#value)),
            };
            return (quote!({ let value: #ty = #value; value }), source);
        };
        let made = match is_borrowed {
            true => quote!(::std::boxed::Box::new(#value)),
            false => quote!(#value),
        };
        let source = pretty_expression(quote!(#value));
        (quote!(#suites::Factory(|| -> #owner { #made })), source)
    }

    /// The text before the literal in source.
    pub(crate) fn prefix(&self) -> &'static str {
        match (&self.domain, self.passing) {
            (DomainType::Text | DomainType::Path(_), _) | (_, PassingMode::Value) => "",
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
                let lent = lent.lend(&literal, suites);
                return quote!(let #local = #lent;);
            }
            DomainType::SliceOfLent(lent) => {
                let element = lent.lend(&quote!(inside), suites);
                let elements = quote!(#literal.0.iter().map(|inside| #element));
                return quote!(let #local = #elements.collect::<::std::vec::Vec<_>>(););
            }
            DomainType::Path(ty) => {
                let borrowed = borrowed(ty, &literal, suites);
                return quote!(let #local = #borrowed;);
            }
            DomainType::Made(_) => return quote!(let mut #local = (#literal.0)();),
            _ => {}
        }
        match self.passing {
            PassingMode::Ref => quote!(let #local = #literal;),
            PassingMode::Value => quote!(let #local = ::core::clone::Clone::clone(#literal);),
            PassingMode::Mut => quote!(let mut #local = ::core::clone::Clone::clone(#literal);),
        }
    }

    /// An expression of the parameter's type, or of one that can be used like it, which does not
    /// consume `local`.
    pub(crate) fn look_at(&self, local: &Ident) -> TokenStream {
        let clone = quote!(::core::clone::Clone::clone(&#local));
        match (&self.domain, self.passing) {
            (DomainType::Made(_), PassingMode::Value) => quote!(&#local),
            (DomainType::Own(_) | DomainType::Lent(_), PassingMode::Value) => clone,
            (DomainType::Own(_), PassingMode::Mut) => quote!(&#clone),
            (DomainType::Slice(_), PassingMode::Mut) => quote!(&*#clone.0),
            _ => self.pass(local),
        }
    }

    /// The expression that passes `local`.
    pub(crate) fn pass(&self, local: &Ident) -> TokenStream {
        match (&self.domain, self.passing) {
            (DomainType::Made(made), passing) => match (made.is_borrowed, passing) {
                (_, PassingMode::Value) => quote!(#local),
                (true, PassingMode::Ref) => quote!(&*#local),
                (true, PassingMode::Mut) => quote!(&mut *#local),
                (false, PassingMode::Ref) => quote!(&#local),
                (false, PassingMode::Mut) => quote!(&mut #local),
            },
            (DomainType::Text, _) => quote!(#local.0.as_str()),
            (DomainType::Path(_) | DomainType::Lent(_), _) => quote!(#local),
            (DomainType::SliceOfLent(_), _) => quote!(#local.as_slice()),
            (DomainType::Slice(_), PassingMode::Mut) => quote!(#local.0.as_mut_slice()),
            (DomainType::Slice(_), _) => quote!(#local.0.as_slice()),
            (DomainType::Own(_), PassingMode::Mut) => quote!(&mut #local),
            (DomainType::Own(_), _) => quote!(#local),
        }
    }
}

/// Returns whether a type is spelled as the owner of a trait object, or as one that other threads
/// must not have.
fn is_made(ty: &Type) -> bool {
    let owned = ["Box", "Arc"].into_iter().find_map(|owner| argument_of(ty, owner));
    let is_local = ["Rc", "Weak"].into_iter().any(|owner| argument_of(ty, owner).is_some());
    is_local || matches!(owned, Some(Type::TraitObject(_)))
}

fn refuse_uncallable(ty: &Type) -> Result<(), UnsupportedSignature> {
    let what = match ty {
        Type::ImplTrait(_) => "an `impl Trait` parameter has no literals",
        Type::Ptr(_) => "a raw pointer has no literals",
        Type::Infer(_) => "a parameter needs a type",
        _ => return Ok(()),
    };
    Err(UnsupportedSignature::new(ty, what))
}
