//! `#[derive(Domain)]`: the product of the fields' domains, variant by variant.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{
    Data, DeriveInput, Error, Field, Fields, GenericParam, Generics, Index, Lifetime, Member, Path,
    Result, parse_quote,
};

use crate::options::{
    Errors, call_site_at, default_crate, for_each_option, path_value, set_once, unknown,
};

/// The struct, or a variant of the enum.
struct DomainRecord<'i> {
    /// The variant.
    variant: Option<&'i Ident>,
    fields: &'i Fields,
}

pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    // Literals live as long as the program, so a type with lifetimes has its domain for `'static`.
    let mut input = input.clone();
    let generics = input.generics.clone();
    ForEver.visit_derive_input_mut(&mut input);
    input.generics.params = generics.params;
    let input = &input;
    let krate = crate_of(input)?;
    let records = records(input)?;
    check_fields(input, &records)?;
    let emitter =
        DomainEmitter { suites: quote!(#krate::__private::suites), ident: &input.ident, records };
    Ok(emitter.implementation(input))
}

/// Makes all lifetimes `'static`.
struct ForEver;

impl VisitMut for ForEver {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        *lifetime = Lifetime::new("'static", lifetime.span());
    }
}

/// The type's arguments, lifetimes as `'static`.
fn type_arguments(generics: &Generics) -> TokenStream {
    if generics.params.is_empty() {
        return TokenStream::new();
    }
    let arguments = generics.params.iter().map(|param| match param {
        GenericParam::Lifetime(_) => quote!('static),
        GenericParam::Type(param) => param.ident.to_token_stream(),
        GenericParam::Const(param) => param.ident.to_token_stream(),
    });
    quote!(<#(#arguments),*>)
}

fn crate_of(input: &DeriveInput) -> Result<Path> {
    let mut krate = None;
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("domain")) {
        for_each_option(attribute, |option, input| match option == "crate" {
            true => set_once(&mut krate, option, path_value(input)?),
            false => Err(unknown("option", option, &["crate"])),
        })?;
    }
    Ok(krate.unwrap_or_else(default_crate))
}

fn records(input: &DeriveInput) -> Result<Vec<DomainRecord<'_>>> {
    match &input.data {
        Data::Struct(data) => Ok(vec![DomainRecord { variant: None, fields: &data.fields }]),
        Data::Enum(data) => {
            let variants = data.variants.iter();
            Ok(variants
                .map(|variant| DomainRecord {
                    variant: Some(&variant.ident),
                    fields: &variant.fields,
                })
                .collect())
        }
        Data::Union(_) => Err(Error::new(
            input.ident.span(),
            "`Domain` cannot be derived for a union: its values cannot be told apart",
        )),
    }
}

fn check_fields(input: &DeriveInput, records: &[DomainRecord<'_>]) -> Result<()> {
    let mut errors = Errors::default();
    for field in records.iter().flat_map(|record| record.fields) {
        if mentions(field.ty.to_token_stream(), &input.ident) {
            let message = "the type holds itself, so it has infinitely many values: implement `Domain` by hand, \
                           with a bound on the depth";
            errors.push_over(&field.ty, message);
        }
    }
    errors.finish()
}

/// Returns whether the type's own name occurs.
fn mentions(ty: TokenStream, ident: &Ident) -> bool {
    ty.into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(name) => name == *ident || name == "Self",
        proc_macro2::TokenTree::Group(group) => mentions(group.stream(), ident),
        _ => false,
    })
}

struct DomainEmitter<'i> {
    /// The path of `beget_suite` as the user's crate reaches it.
    suites: TokenStream,
    ident: &'i Ident,
    records: Vec<DomainRecord<'i>>,
}

impl DomainEmitter<'_> {
    fn implementation(&self, input: &DeriveInput) -> TokenStream {
        let (suites, ident) = (&self.suites, self.ident);
        let mut generics = input.generics.clone();
        generics.params = std::mem::take(&mut generics.params)
            .into_iter()
            .filter(|param| !matches!(param, GenericParam::Lifetime(_)))
            .collect();
        for parameter in generics.type_params_mut() {
            parameter.bounds.push(parse_quote!(#suites::Domain));
        }
        let (impl_generics, _, where_clause) = generics.split_for_impl();
        let type_generics = type_arguments(&input.generics);
        let types = self.records.iter().flat_map(|record| record.fields).map(|field| &field.ty);
        let (values, to_source) = (self.values(), self.to_source());
        quote! {
            #[automatically_derived]
            #[allow(clippy::all, clippy::pedantic, deprecated, unused)]
            impl #impl_generics #suites::Domain for #ident #type_generics #where_clause {
                const KIND: #suites::DomainKind =
                    #suites::first_kind([#(<#types as #suites::Domain>::KIND),*]);

                fn values(
                    pools: &#suites::Pools,
                ) -> ::core::result::Result<::std::vec::Vec<Self>, #suites::DomainError> {
                    #values
                }

                fn to_source(&self) -> ::std::string::String {
                    #to_source
                }
            }
        }
    }

    fn values(&self) -> TokenStream {
        let name = self.ident.unraw().to_string();
        let names: Vec<_> = self
            .records
            .iter()
            .filter_map(|record| Some(record.variant?.unraw().to_string()))
            .collect();
        let variants = match names.is_empty() {
            true => TokenStream::new(),
            false => quote!(let variants = pools.variants(#name, &[#(#names),*])?;),
        };
        let products = self.records.iter().enumerate().map(|(index, record)| {
            let product = self.product(record);
            match record.variant {
                Some(_) => quote!(if variants[#index] { #product }),
                None => quote!({ #product }),
            }
        });
        quote! {
            let mut all = ::std::vec::Vec::new();
            #variants
            #(#products)*
            ::core::result::Result::Ok(all)
        }
    }

    /// Pushes every combination of field values, the last field varying fastest.
    fn product(&self, record: &DomainRecord<'_>) -> TokenStream {
        let suites = &self.suites;
        let constructor = constructor(record);
        let lists = record.fields.iter().enumerate().map(|(index, field)| {
            let (list, ty) = (format_ident!("values_{index}"), &field.ty);
            quote_spanned!(call_site_at(ty)=> let #list = <#ty as #suites::Domain>::values(pools)?;)
        });
        let members = record.fields.iter().enumerate().map(|(index, field)| {
            let (member, local) = (member(index, field), local(index));
            quote!(#member: ::core::clone::Clone::clone(#local))
        });
        let push = quote!(all.push(#constructor { #(#members),* }););
        let loops = (0..record.fields.len()).rev().fold(push, |inner, index| {
            let (list, local) = (format_ident!("values_{index}"), local(index));
            quote!(for #local in &#list { #inner })
        });
        // At the field's type, where the compiler reports a missing domain only once.
        let extents = record.fields.iter().enumerate().map(|(index, field)| {
            let (list, ty) = (format_ident!("values_{index}"), &field.ty);
            quote_spanned!(call_site_at(ty)=> #suites::Extent::of::<#ty>(&#list))
        });
        quote!(#(#lists)* #suites::check_product(&[#(#extents),*], all.len())?; #loops)
    }

    fn to_source(&self) -> TokenStream {
        if self.records.is_empty() {
            return quote!(match *self {});
        }
        let arms = self.records.iter().map(|record| {
            let (suites, constructor) = (&self.suites, constructor(record));
            let patterns = record.fields.iter().enumerate().map(|(index, field)| {
                let (member, local) = (member(index, field), local(index));
                quote!(#member: #local)
            });
            let format = self.format_of(record);
            let values = record.fields.iter().enumerate().map(|(index, field)| {
                let (ty, local) = (&field.ty, local(index));
                quote!(<#ty as #suites::Domain>::to_source(#local))
            });
            quote!(#constructor { #(#patterns),* } => ::std::format!(#format, #(#values),*),)
        });
        quote!(match self { #(#arms)* })
    }

    /// The format string of a record's source: `Name::Variant {{ x: {} }}`.
    fn format_of(&self, record: &DomainRecord<'_>) -> String {
        let name = match record.variant {
            Some(variant) => format!("{}::{variant}", self.ident),
            None => self.ident.to_string(),
        };
        let list = |part: &dyn Fn(&Field) -> String| {
            record.fields.iter().map(part).collect::<Vec<_>>().join(", ")
        };
        match record.fields {
            Fields::Unit => name,
            Fields::Named(fields) if fields.named.is_empty() => format!("{name} {{{{}}}}"),
            Fields::Unnamed(_) => format!("{name}({})", list(&|_| "{}".to_owned())),
            Fields::Named(_) => {
                let named = |field: &Field| {
                    field.ident.as_ref().map_or_else(String::new, |ident| format!("{ident}: {{}}"))
                };
                format!("{name} {{{{ {} }}}}", list(&named))
            }
        }
    }
}

fn constructor(record: &DomainRecord<'_>) -> TokenStream {
    match record.variant {
        Some(variant) => quote!(Self::#variant),
        None => quote!(Self),
    }
}

fn member(index: usize, field: &Field) -> Member {
    match &field.ident {
        Some(ident) => Member::Named(ident.clone()),
        None => Member::Unnamed(Index::from(index)),
    }
}

fn local(index: usize) -> Ident {
    format_ident!("field_{index}")
}
