//! A type of the suite: its entry, and what brings it into the scope of recipes.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{PathArguments, ReceiverKind, ReturnType, Type};

use super::SuiteEmitter;
use crate::options::call_site_at;
use crate::pretty::pretty;
use crate::suite::declaration::{AbstractionDecl, Function, TypeBlock};
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
        let shown = self.shown(part);
        let (described, own) = match (&part.abstraction, part.is_shown) {
            (None, false) => (quote_spanned!(span=> #suites::type_of::<#ty>(#name, #clone)), None),
            (None, true) => {
                (quote!(#suites::type_shown::<BegetShowing>(#name, #clone)), Some(self.own(part)))
            }
            (Some(abstraction), _) => (self.seen_as(part, abstraction), Some(self.own(part))),
        };
        let shown_view =
            (!part.is_shown).then(|| quote!(.with_view(#suites::shown_view::<BegetShowing>())));
        quote! {{
            #shown
            let described = #described;
            described.with_traits(#traits) #own #shown_view
        }}
    }

    /// A type that is seen through the abstraction of its block.
    fn seen_as(&self, part: &TypeBlock, abstraction: &AbstractionDecl) -> TokenStream {
        let (suites, ty, name) = (&self.suites, &part.ty.ty, &part.ty.name);
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
            let clone = (&#suites::clone_probe::Probe::<#ty>::new()).clone_fn();
            #suites::type_seen_as::<BegetAbstraction>(#name, clone)
        }}
    }

    /// What is added to a type for which its own heap, if it has one, does not stand.
    fn own(&self, part: &TypeBlock) -> TokenStream {
        let (suites, ty) = (&self.suites, &part.ty.ty);
        quote! {
            .with_own_form({
                #[allow(unused_imports)]
                use #suites::heap_probe::{HasHeap as _, LacksHeap as _};
                (&#suites::clone_probe::Probe::<#ty>::new()).own_form()
            })
            .with_view({
                #[allow(unused_imports)]
                use #suites::heap_probe::{HasHeap as _, LacksHeap as _};
                (&#suites::clone_probe::Probe::<#ty>::new()).own_view()
            })
        }
    }

    /// What shows the values of a type: its traits, and observers of its block.
    fn shown(&self, part: &TypeBlock) -> TokenStream {
        let (suites, ty) = (&self.suites, &part.ty.ty);
        let observers = part.functions.iter().filter_map(|function| self.observer(ty, function));
        quote! {
            struct BegetShowing;
            impl #suites::Showing for BegetShowing {
                type Of = #ty;
                const METHODS: &'static [#suites::ShownMethod] = &[#(#observers),*];
                fn traits() -> #suites::TypeTraits {
                    #suites::type_traits!(#ty)
                }
            }
        }
    }

    /// The entry of a method that takes nothing but `&self`.
    ///
    /// Capacities are none: reserved room decides nothing that a caller may rely on, and has no
    /// end. Nor are structures, which have observers of their own, and addresses.
    fn observer(&self, ty: &Type, function: &Function) -> Option<TokenStream> {
        let (suites, signature) = (&self.suites, &function.signature);
        let ReturnType::Type(_, result) = &signature.output else { return None };
        let called = match &function.target {
            None => &signature.ident,
            Some(path) => path.get_ident()?,
        };
        let name = signature.ident.unraw().to_string();
        let is_named = !name.contains("capacity") && !name.contains("ptr");
        let is_plain_call = is_observer(function) && is_named && !self.has_structure(result);
        is_plain_call.then(|| {
            let plain = plain_type(result);
            let observed = match plain {
                Some(_) => quote!(#suites::ShownResult::from((*value).#called())),
                None => quote!({
                    #[allow(unused_imports)]
                    use #suites::value_probe::{HasText as _, LacksText as _};
                    let result = (*value).#called();
                    #suites::ShownResult::Text((&#suites::value_probe::ValueProbe::new(&result)).text())
                }),
            };
            let plain = match plain {
                Some(plain) => quote!(::core::option::Option::Some(#plain)),
                None => quote!(::core::option::Option::None),
            };
            quote!(#suites::ShownMethod {
                name: #name,
                plain: #plain,
                observe: |value| {
                    let value: &#ty = #suites::shared_argument::<#ty>(value);
                    #observed
                },
            })
        })
    }

    /// Whether a structure of the suite is in a result.
    fn has_structure(&self, result: &Type) -> bool {
        let base = |path: &str| {
            let path = path.split("::<").next().unwrap_or(path);
            path.rsplit("::").next().unwrap_or(path).to_owned()
        };
        let own = self.types.iter().map(|ty| base(&ty.path));
        let structures: Vec<String> = own.chain(["Self".to_owned()]).collect();
        let result = pretty(result.to_token_stream());
        let mut words = result.split(|char: char| !(char.is_alphanumeric() || char == '_'));
        words.any(|word| structures.iter().any(|structure| structure == word))
    }
}

/// Whether a method can be asked at any time, and takes nothing but `&self`.
fn is_observer(function: &Function) -> bool {
    let signature = &function.signature;
    let is_shared = signature
        .receiver()
        .is_some_and(|receiver| matches!(receiver.kind, ReceiverKind::Reference(_, _, None)));
    let is_generic = signature.generics.type_params().next().is_some()
        || signature.generics.const_params().next().is_some();
    let has_conditions = !function.requires.is_empty() || function.is_invariant;
    let is_own = function.of_trait.is_none() && function.cfgs.is_empty();
    is_shared && signature.inputs.len() == 1 && !is_generic && !has_conditions && is_own
}

/// The name of a type whose values are numbers, truth values or characters.
fn plain_type(ty: &Type) -> Option<String> {
    const PLAIN: [&str; 12] =
        ["bool", "char", "u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize"];
    let Type::Path(path) = ty else { return None };
    let name = path.path.get_ident()?.to_string();
    PLAIN.contains(&&*name).then_some(name)
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
