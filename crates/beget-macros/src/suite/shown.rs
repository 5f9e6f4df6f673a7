//! Results shown to a listener: the expression that describes a returned value, by reference,
//! before its structures are taken out of it.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::result::{MOST_RETURNED, ResultShape};

impl ResultShape {
    /// Returns whether the result says anything besides its structures: an option says whether
    /// there is one, which may be an argument.
    pub(crate) fn is_more_than_structures(&self) -> bool {
        match self {
            ResultShape::Value | ResultShape::Result { .. } | ResultShape::Option(_) => true,
            ResultShape::Structure(_) | ResultShape::Counted(..) => false,
            ResultShape::Boxed(inner)
            | ResultShape::List { element: inner, .. }
            | ResultShape::Reference { inner, .. } => inner.is_more_than_structures(),
            ResultShape::Tuple(parts) => parts.iter().any(ResultShape::is_more_than_structures),
        }
    }

    /// The `ReturnValue` of the result that the local `value` refers to; `suites` is the path of
    /// `beget_suite`.
    pub(crate) fn show(&self, value: &Ident, suites: &TokenStream) -> TokenStream {
        self.show_from(value, &mut 0, suites)
    }

    /// `next` is the number of the next structure.
    fn show_from(&self, value: &Ident, next: &mut usize, suites: &TokenStream) -> TokenStream {
        let inside = format_ident!("inside");
        match self {
            ResultShape::Value => {
                quote!(#suites::ReturnValue::Plain(#suites::plain_value!(#value)))
            }
            ResultShape::Structure(_) | ResultShape::Counted(..) => {
                let output = *next;
                *next += 1;
                quote!(#suites::ReturnValue::Structure(#output))
            }
            ResultShape::Option(inner) => {
                let some = shown_inside("Some", &inner.show_from(&inside, next, suites), suites);
                quote!(match #value {
                    ::core::option::Option::None => #suites::ReturnValue::None,
                    ::core::option::Option::Some(inside) => #some,
                })
            }
            ResultShape::Result { ok, err } => {
                let ok = shown_inside("Ok", &ok.show_from(&inside, next, suites), suites);
                let error = shown_inside("Err", &err.show_from(&inside, next, suites), suites);
                quote!(match #value {
                    ::core::result::Result::Ok(inside) => #ok,
                    ::core::result::Result::Err(inside) => #error,
                })
            }
            ResultShape::Boxed(inner) => {
                let boxed = shown_inside("Boxed", &inner.show_from(&inside, next, suites), suites);
                quote!({ let inside = &**#value; #boxed })
            }
            ResultShape::Reference { inner, is_mutable } => {
                let variant = if *is_mutable { "Mut" } else { "Ref" };
                let inner = shown_inside(variant, &inner.show_from(&inside, next, suites), suites);
                quote!({ let inside = &**#value; #inner })
            }
            ResultShape::Tuple(parts) => show_parts(parts, value, next, suites),
            ResultShape::List { element, .. } => {
                let shown = (0..MOST_RETURNED).map(|_| element.show_from(&inside, next, suites));
                quote!({
                    let mut elements = ::core::iter::IntoIterator::into_iter(#value);
                    let mut shown = ::std::vec::Vec::new();
                    #(if let ::core::option::Option::Some(inside) = elements.next() {
                        shown.push(#shown);
                    })*
                    #suites::ReturnValue::List(shown)
                })
            }
        }
    }
}

/// `ReturnValue::Variant(...)` around the inner part.
fn shown_inside(variant: &str, inside: &TokenStream, suites: &TokenStream) -> TokenStream {
    let variant = format_ident!("{variant}");
    quote!(#suites::ReturnValue::#variant(::std::boxed::Box::new(#inside)))
}

fn show_parts(
    parts: &[ResultShape],
    value: &Ident,
    next: &mut usize,
    suites: &TokenStream,
) -> TokenStream {
    let locals: Vec<_> = (0..parts.len()).map(|index| format_ident!("part_{index}")).collect();
    let shown: Vec<_> = parts
        .iter()
        .zip(&locals)
        .map(|(part, local)| part.show_from(local, next, suites))
        .collect();
    quote!({
        let (#(#locals,)*) = #value;
        #suites::ReturnValue::Tuple(::std::vec![#(#shown),*])
    })
}
