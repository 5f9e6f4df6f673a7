//! Arguments: the statements that bind them to locals before the call.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::SuiteEmitter;
use crate::suite::method::{MethodDecl, ParamDecl, PassingMode};

impl SuiteEmitter<'_> {
    /// Literals first, then structures by value, then all references at once: each step ends the
    /// borrow of the call that the next one needs.
    pub(super) fn arguments(&self, method: &MethodDecl) -> TokenStream {
        let suites = &self.suites;
        let literals = method
            .literals()
            .map(|(index, param, literal)| literal.bind(&param.local, index, suites));
        let taken = method.structures().filter(|(.., passing)| *passing == PassingMode::Value);
        let taken = taken.map(|(index, param, ty, _)| {
            let (local, ty) = (&param.local, &self.types[ty].ty);
            quote!(let #local: #ty = call.take::<#ty>(#index);)
        });
        let borrow = match method.may_alias() {
            true => self.borrow_together(method),
            false => self.borrow_apart(method),
        };
        let addresses = self.addresses(method);
        quote! {
            #(#literals)*
            #(#taken)*
            #borrow
            #addresses
        }
    }

    /// References to structures that are all different.
    fn borrow_apart(&self, method: &MethodDecl) -> TokenStream {
        let borrowed: Vec<_> =
            method.structures().filter(|(.., passing)| *passing != PassingMode::Value).collect();
        if borrowed.is_empty() {
            return TokenStream::new();
        }
        let suites = &self.suites;
        let indexes = borrowed.iter().map(|(index, ..)| index);
        let locals = borrowed.iter().map(|(_, param, ..)| &param.local);
        let typed = borrowed.iter().map(|(_, param, ty, passing)| {
            let (local, ty) = (&param.local, &self.types[*ty].ty);
            let reference = if *passing == PassingMode::Mut { quote!(&mut) } else { quote!(&) };
            quote!(let #local: #reference #ty = #suites::argument::<#ty>(#local);)
        });
        quote! {
            let [#(#locals),*] = call.structures([#(#indexes),*]);
            #(#typed)*
        }
    }

    /// References; the shared ones among them may be to one structure.
    fn borrow_together(&self, method: &MethodDecl) -> TokenStream {
        let suites = &self.suites;
        let by = |wanted: PassingMode| -> (Vec<usize>, Vec<&Ident>, Vec<&syn::Type>) {
            let found = method.structures().filter(|(.., passing)| *passing == wanted);
            let parts =
                found.map(|(index, param, ty, _)| (index, (&param.local, &self.types[ty].ty)));
            let (indexes, locals): (Vec<_>, Vec<_>) = parts.unzip();
            let (locals, types) = locals.into_iter().unzip();
            (indexes, locals, types)
        };
        let (exclusive, exclusive_locals, exclusive_types) = by(PassingMode::Mut);
        let (shared, shared_locals, shared_types) = by(PassingMode::Ref);
        quote! {
            let ([#(#exclusive_locals),*], [#(#shared_locals),*]) =
                call.borrowed([#(#exclusive),*], [#(#shared),*]);
            #(let #exclusive_locals: &mut #exclusive_types =
                #suites::argument::<#exclusive_types>(#exclusive_locals);)*
            #(let #shared_locals: &#shared_types =
                #suites::shared_argument::<#shared_types>(#shared_locals);)*
        }
    }

    /// The addresses of the structures passed by reference, to recognise them in the result.
    fn addresses(&self, method: &MethodDecl) -> TokenStream {
        if !method.result.outputs().iter().any(|output| output.is_borrowed) {
            return TokenStream::new();
        }
        let addresses = borrowed_params(method).map(|(param, ty)| {
            let (address, local, ty) = (address_of(param), &param.local, &self.types[ty].ty);
            quote!(let #address = ::core::ptr::from_ref::<#ty>(&*#local).addr();)
        });
        quote!(#(#addresses)*)
    }
}

/// The structures passed by reference, with their types.
pub(super) fn borrowed_params(method: &MethodDecl) -> impl Iterator<Item = (&ParamDecl, usize)> {
    let borrowed = method.structures().filter(|(.., passing)| *passing != PassingMode::Value);
    borrowed.map(|(_, param, ty, _)| (param, ty))
}

pub(super) fn address_of(param: &ParamDecl) -> Ident {
    format_ident!("address_of_{}", param.local)
}
