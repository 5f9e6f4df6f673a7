//! A type of the suite: its entry, and the import for recipes.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::{PathArguments, Type};

use super::SuiteEmitter;
use crate::options::call_site_at;
use crate::pretty::pretty;
use crate::suite::declaration::{AbstractionDecl, TypeBlock};
use crate::suite::method::{MethodDecl, ParamDecl, ParamDeclKind, PassingMode};
use crate::suite::types::SuiteType;

impl SuiteEmitter<'_> {
    /// The entry of type number `own`, which has this block.
    pub(super) fn ty(&self, own: usize, part: &TypeBlock, methods: &[MethodDecl]) -> TokenStream {
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
        let shown = self.shown(own, methods);
        let (described, own) = match (&part.abstraction, part.is_shown) {
            (None, false) => (quote_spanned!(span=> #suites::type_of::<#ty>(#name, #clone)), None),
            (None, true) => {
                (quote!(#suites::type_shown::<BegetShowing>(#name, #clone)), Some(self.own(part)))
            }
            (Some(abstraction), _) => (self.seen_as(part, abstraction), Some(self.own(part))),
        };
        let shown_view =
            (!part.is_shown).then(|| quote!(.with_view(#suites::shown_view::<BegetShowing>())));
        let bytes_view = quote!(.with_view(#suites::bytes_view::<BegetShowing>()));
        quote! {{
            #shown
            let described = #described;
            described.with_traits(#traits) #own #shown_view #bytes_view
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

    /// The additions to a type that is not identified by its own heap.
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

    /// The observers of type number `own`: its traits, and methods of the suite.
    fn shown(&self, own: usize, methods: &[MethodDecl]) -> TokenStream {
        let (suites, ty) = (&self.suites, &self.types[own].ty);
        let shown = methods.iter().filter_map(|method| self.shown_method(own, method));
        quote! {
            struct BegetShowing;
            impl #suites::Showing for BegetShowing {
                type Of = #ty;
                const METHODS: &'static [#suites::ShownMethod] = &[#(#shown),*];
                fn traits() -> #suites::TypeTraits {
                    #suites::type_traits!(#ty)
                }
            }
        }
    }

    /// The entry of a method that can be called at any time, and takes only `&self`.
    ///
    /// Capacities are excluded: reserved room matters to no caller, and is unbounded. So are
    /// structures, which show themselves, and addresses.
    fn shown_method(&self, own: usize, method: &MethodDecl) -> Option<TokenStream> {
        let [ParamDecl { local, kind: ParamDeclKind::Structure { ty, passing }, .. }] =
            &method.params[..]
        else {
            return None;
        };
        let is_asked = *ty == own && *passing == PassingMode::Ref && shows_by_itself(method);
        is_asked.then(|| {
            let (suites, ty, name) = (&self.suites, &self.types[own].ty, &method.name);
            let call = self.call(method);
            let (plain, shown) = match method.result_type.as_ref().and_then(plain_type) {
                Some(plain) => (
                    quote!(::core::option::Option::Some(#plain)),
                    quote!(#suites::ShownResult::from(result)),
                ),
                None => (
                    quote!(::core::option::Option::None),
                    quote!(#suites::ShownResult::Text(
                        (&#suites::value_probe::ValueProbe::new(&result)).text()
                    )),
                ),
            };
            quote!(#suites::ShownMethod {
                name: #name,
                plain: #plain,
                show: |value| {
                    use #suites::value_probe::{HasText as _, LacksText as _};
                    let #local: &#ty = #suites::shared_argument::<#ty>(value);
                    #call
                    #shown
                },
            })
        })
    }
}

/// Returns whether a method of one structure can be called at any time, and depends on nothing
/// else.
fn shows_by_itself(method: &MethodDecl) -> bool {
    let is_plain = method.arguments.iter().all(|argument| argument.build.is_none());
    let is_always_there = method.requires.is_empty() && method.cfgs.is_empty();
    let tells_of_values = !method.name.contains("capacity") && !method.name.contains("ptr");
    let has_structures = !method.result.outputs().is_empty();
    let is_unit = |ty: &Type| matches!(ty, Type::Tuple(parts) if parts.elems.is_empty());
    let returns = !method.result_type.as_ref().is_some_and(is_unit);
    is_plain && is_always_there && tells_of_values && !has_structures && returns
}

/// The name of a type whose values are numbers, truth values or characters.
fn plain_type(ty: &Type) -> Option<String> {
    const PLAIN: [&str; 12] =
        ["bool", "char", "u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize"];
    let Type::Path(path) = ty else { return None };
    let name = path.path.get_ident()?.to_string();
    PLAIN.contains(&&*name).then_some(name)
}

/// The import of a type by its name in recipes.
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
