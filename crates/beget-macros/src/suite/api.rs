//! `#[api]`: the suite of one type from the public functions of its impl block.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{
    Error, ImplItem, ImplItemFn, ItemImpl, LitStr, Path, Result, Token, Visibility, parenthesized,
};

use super::declaration::{Declaration, Function, Implementor, Part, cfgs_of, doc_of};
use super::emit;
use super::types::SuiteType;
use crate::options::{
    Errors, default_crate, for_each_option, option_list, path_value, set_once, unknown,
};

/// The block as it was, without our attributes, and the suite or the errors after it.
pub(crate) fn api(arguments: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let mut block: ItemImpl = syn::parse2(item)?;
    let skipped = take_skipped(&mut block);
    let suite = skipped
        .and_then(|skipped| declaration(&Options::of(arguments)?, &block, &skipped))
        .and_then(|declaration| emit::suite(&declaration))
        .unwrap_or_else(Error::into_compile_error);
    Ok(quote!(#block #suite))
}

#[derive(Default)]
struct Options {
    krate: Option<Path>,
    name: Option<String>,
    only: Option<Vec<Ident>>,
}

impl Options {
    fn of(arguments: TokenStream) -> Result<Self> {
        let mut options = Options::default();
        let read = |option: &Ident, input: ParseStream<'_>| match option.to_string().as_str() {
            "crate" => set_once(&mut options.krate, option, path_value(input)?),
            "name" => {
                input.parse::<Token![=]>()?;
                set_once(&mut options.name, option, input.parse::<LitStr>()?.value())
            }
            "only" => {
                let content;
                parenthesized!(content in input);
                let names = Punctuated::<Ident, Token![,]>::parse_terminated(&content)?;
                set_once(&mut options.only, option, names.into_iter().collect())
            }
            _ => Err(unknown("option", option, &["name", "only", "crate"])),
        };
        option_list(read).parse2(arguments)?;
        Ok(options)
    }

    fn takes(&self, ident: &Ident) -> bool {
        self.only.as_ref().is_none_or(|only| only.contains(ident))
    }
}

/// Removes `#[api(...)]` from the methods; the names of those to skip.
fn take_skipped(block: &mut ItemImpl) -> Result<Vec<Ident>> {
    let mut errors = Errors::default();
    let mut skipped = Vec::new();
    for item in &mut block.items {
        let ImplItem::Fn(function) = item else { continue };
        let is_ours = |attribute: &syn::Attribute| {
            let path = attribute.path();
            path.is_ident("api") || pathed_api(path)
        };
        for attribute in function.attrs.iter().filter(|attribute| is_ours(attribute)) {
            errors.keep(for_each_option(attribute, |option, _| {
                if option != "skip" {
                    return Err(unknown("option of a method", option, &["skip"]));
                }
                skipped.push(function.sig.ident.clone());
                Ok(())
            }));
        }
        function.attrs.retain(|attribute| !is_ours(attribute));
    }
    errors.finish().map(|()| skipped)
}

/// `beget::api`
fn pathed_api(path: &Path) -> bool {
    path.segments.len() == 2 && path.segments[0].ident == "beget" && path.segments[1].ident == "api"
}

fn declaration(options: &Options, block: &ItemImpl, skipped: &[Ident]) -> Result<Declaration> {
    refuse_unsupported(block)?;
    let ty = SuiteType::new((*block.self_ty).clone(), None)?;
    let functions: Vec<&ImplItemFn> = block.items.iter().filter_map(public_function).collect();
    check_only(options, &functions)?;
    let taken = functions.iter().filter(|function| {
        options.takes(&function.sig.ident) && !skipped.contains(&function.sig.ident)
    });
    let functions = taken.map(|function| Function {
        cfgs: cfgs_of(&function.attrs),
        signature: function.sig.clone(),
        target: None,
    });
    let doc = match doc_of(&block.attrs) {
        doc if doc.is_empty() => format!("The public functions of `{}`.", ty.name),
        doc => doc,
    };
    let short_name = ty.name.split('<').next().unwrap_or(&ty.name).to_owned();
    let functions = functions.collect();
    Ok(Declaration {
        krate: options.krate.clone().unwrap_or_else(default_crate),
        name: options.name.clone().unwrap_or(short_name),
        doc,
        implementor: Implementor::Existing((*block.self_ty).clone()),
        parts: vec![Part { ty, abstraction: None, functions }],
        how_to_skip: "mark it `#[api(skip)]` to leave it out",
    })
}

fn refuse_unsupported(block: &ItemImpl) -> Result<()> {
    if let Some((path, _)) = &block.trait_ {
        let message =
            "`api` goes on an inherent impl block; methods of traits are named in `beget::suite!`";
        return Err(Error::new_spanned(path, message));
    }
    let generics = &block.generics;
    if let Some(parameter) = generics.params.first() {
        let message = format!(
            "`api` needs a type without parameters: write `beget::suite! {{ pub suite Name for {}<...> {{ ... }} }}` \
             with the arguments filled in",
            block.self_ty.to_token_stream().to_string().split(' ').next().unwrap_or("Type")
        );
        return Err(Error::new_spanned(parameter, message));
    }
    Ok(())
}

fn public_function(item: &ImplItem) -> Option<&ImplItemFn> {
    match item {
        ImplItem::Fn(function) if matches!(function.vis, Visibility::Public(_)) => Some(function),
        _ => None,
    }
}

fn check_only(options: &Options, functions: &[&ImplItemFn]) -> Result<()> {
    let names: Vec<String> =
        functions.iter().map(|function| function.sig.ident.unraw().to_string()).collect();
    let known: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut errors = Errors::default();
    for name in options.only.iter().flatten() {
        if !known.contains(&name.unraw().to_string().as_str()) {
            errors.push(unknown("public function", name, &known));
        }
    }
    errors.finish()
}
