//! A type of the suite: its entry, and what brings it into the scope of recipes.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::{PathArguments, Type};

use super::SuiteEmitter;
use crate::options::call_site_at;
use crate::pretty::pretty;
use crate::suite::declaration::TypeBlock;
use crate::suite::types::SuiteType;

impl SuiteEmitter<'_> {
    pub(super) fn ty(&self, part: &TypeBlock) -> TokenStream {
        let suites = &self.suites;
        let (ty, name) = (&part.ty.ty, &part.ty.name);
        let span = call_site_at(ty);
        let clone = quote!((&#suites::clone_probe::Probe::<#ty>::new()).clone_fn());
        let mut traits = quote!(#suites::type_traits!(#ty));
        if part.has_serde {
            let krate = self.krate;
            let round_trip = quote_spanned!(span=> #krate::serde_round_trip!(#ty));
            traits = quote!(#suites::TypeTraits { serde: #round_trip, ..#traits });
        }
        let Some(abstraction) = &part.abstraction else {
            let described = quote_spanned!(span=> #suites::type_of::<#ty>(#name, #clone));
            return quote!(#described.with_traits(#traits));
        };
        let (value, seen, body) = (&abstraction.value, &abstraction.seen, &abstraction.body);
        quote! {{
            struct BegetAbstraction;
            impl #suites::Abstraction for BegetAbstraction {
                type Of = #ty;
                type Seen = #seen;
                fn see(#value: &#ty) -> #seen {
                    #body
                }
            }
            #suites::type_seen_as::<BegetAbstraction>(#name, #clone).with_traits(#traits).with_own_form({
                #[allow(unused_imports)]
                use #suites::heap_probe::{HasHeap as _, LacksHeap as _};
                (&#suites::clone_probe::Probe::<#ty>::new()).own_form()
            })
        }}
    }
}

/// What brings a type into scope by the name that recipes write.
pub(super) fn import(ty: &SuiteType, suites: &TokenStream) -> Option<TokenStream> {
    const OF_PRELUDE: [&str; 19] = [
        "Box", "Option", "Result", "String", "Vec", "bool", "char", "u8", "u16", "u32", "u64",
        "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
    ];
    let line = |line: String| quote!(#suites::Import::Line(#line));
    let Type::Path(path) = &ty.ty else {
        return Some(line(format!("type {} = {};", ty.path, pretty(ty.ty.to_token_stream()))));
    };
    let mut whole = path.path.clone();
    let last = whole.segments.last_mut()?;
    last.arguments = PathArguments::None;
    let name = last.ident.to_string();
    if ty.has_short_name {
        let written = pretty(ty.ty.to_token_stream());
        Some(line(format!("type {} = {written};", ty.path)))
    } else if whole.segments.len() > 1 {
        Some(line(format!("use {};", pretty(whole.to_token_stream()))))
    } else if OF_PRELUDE.contains(&&*name) {
        None
    } else {
        let module = quote!(#suites::SourceModule::new(::core::module_path!()));
        Some(quote!(#suites::Import::Item(#module, #name)))
    }
}
