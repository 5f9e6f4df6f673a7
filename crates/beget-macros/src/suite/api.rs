//! `#[api]`: the suite of one type from the functions of its impl blocks.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{
    Error, ExprPath, GenericParam, ImplItem, ImplItemFn, ItemImpl, LitInt, LitStr, Path, Result,
    Signature, Token, Type, Visibility, parenthesized, parse_quote,
};

use super::chosen::{self, ParameterChoice};
use super::declaration::{
    AbsentFunction, Advice, Declaration, Function, Implementor, TypeBlock, ValueUse, cfgs_of,
    constants_of, doc_of,
};
use super::emit;
use super::marks::{MarkedWhen, Marks, choices, take};
use super::types::SuiteType;
use crate::options::{Errors, default_crate, option_list, path_value, set_once, unknown};

/// The block without our attributes, followed by the suite or the errors.
pub(crate) fn api(arguments: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let mut block: ItemImpl = syn::parse2(item).map_err(|error| {
        Error::new(error.span(), "`api` goes on an impl block: `#[beget::api] impl Type { ... }`; on a function in such a \
             block write `#[api(skip)]`, without `beget::`, or `#[cfg_attr(test, api(skip))]`")
    })?;
    let options = ApiOptions::of(arguments);
    let krate = options.as_ref().ok().and_then(|options| options.krate.clone());
    let is_first = options.as_ref().is_ok_and(|options| options.part.is_none());
    // Marks are removed in any case: the compiler does not know them.
    let marks = take(&mut block, krate.as_ref());
    let suite = options
        .and_then(|options| declaration(&options, &block, &marks?))
        .and_then(|declaration| emit::suite(&declaration))
        .unwrap_or_else(|error| with_placeholder(&error, &block, krate, is_first));
    Ok(quote!(#block #suite))
}

/// The errors, and a suite that is never made: without it, the compiler would also report the
/// missing suite wherever it is used.
fn with_placeholder(
    error: &Error,
    block: &ItemImpl,
    krate: Option<Path>,
    is_first: bool,
) -> TokenStream {
    let errors = error.to_compile_error();
    if !is_first {
        return errors;
    }
    let krate = krate.unwrap_or_else(default_crate);
    let (generics, _, clause) = block.generics.split_for_impl();
    let ty = &block.self_ty;
    quote! {
        #errors

        impl #generics #krate::HasSuite for #ty #clause {
            type Main = ();

            fn suite() -> #krate::__private::suites::Suite {
                ::core::unreachable!()
            }
        }
    }
}

#[derive(Default)]
struct ApiOptions {
    krate: Option<Path>,
    name: Option<String>,
    only: Option<Vec<Ident>>,
    skip: Option<Vec<Ident>>,
    /// The number of a further block of a type.
    part: Option<u32>,
    /// The option `serde`: values survive a round trip through serde.
    serde: Option<Ident>,
    /// Structures are identified by everything that they show.
    shown: Option<Ident>,
    /// The option `keys`, and the types of the keys that structures return.
    keys: Option<(Ident, Vec<Type>)>,
    /// Constants of the crate that are literals.
    consts: Option<Vec<ExprPath>>,
    /// The choices for generic parameters of the block.
    at: Option<Vec<(Ident, ParameterChoice)>>,
}

impl ApiOptions {
    fn of(arguments: TokenStream) -> Result<Self> {
        let mut options = ApiOptions::default();
        let read = |option: &Ident, input: ParseStream<'_>| match option.to_string().as_str() {
            "crate" => set_once(&mut options.krate, option, path_value(input)?),
            "name" => {
                input.parse::<Token![=]>()?;
                set_once(&mut options.name, option, input.parse::<LitStr>()?.value())
            }
            "only" => set_once(&mut options.only, option, names(input)?),
            "skip" => set_once(&mut options.skip, option, names(input)?),
            "part" => {
                input.parse::<Token![=]>()?;
                set_once(&mut options.part, option, part_number(&input.parse()?)?)
            }
            "at" => set_once(&mut options.at, option, choices(input)?),
            "serde" => set_once(&mut options.serde, option, option.clone()),
            "shown" => set_once(&mut options.shown, option, option.clone()),
            "keys" => {
                let types = key_types(input)?;
                set_once(&mut options.keys, option, (option.clone(), types))
            }
            "consts" => set_once(&mut options.consts, option, constants_of(input)?),
            _ => Err(unknown("option", option, &OPTIONS)),
        };
        option_list(read).parse2(arguments)?;
        Ok(options)
    }

    fn takes(&self, ident: &Ident) -> bool {
        self.only.as_ref().is_none_or(|only| only.contains(ident))
    }

    fn skips(&self, ident: &Ident) -> bool {
        self.skip.as_ref().is_some_and(|skip| skip.contains(ident))
    }
}

const OPTIONS: [&str; 10] =
    ["name", "only", "skip", "part", "at", "keys", "serde", "shown", "consts", "crate"];

/// `(Entity, Handle)`
fn key_types(input: ParseStream<'_>) -> Result<Vec<Type>> {
    let content;
    parenthesized!(content in input);
    let types = Punctuated::<Type, Token![,]>::parse_terminated(&content)?;
    Ok(types.into_iter().collect())
}

/// `(one, other)`
fn names(input: ParseStream<'_>) -> Result<Vec<Ident>> {
    let content;
    parenthesized!(content in input);
    let names = Punctuated::<Ident, Token![,]>::parse_terminated(&content)?;
    Ok(names.into_iter().collect())
}

/// Blocks are found by their numbers, so these are few: `beget_suite::part_probe::MOST_PARTS`.
fn part_number(literal: &LitInt) -> Result<u32> {
    match literal.base10_parse() {
        Ok(number @ 2..=MOST_PARTS) => Ok(number),
        _ => {
            let message = format!("further blocks of a type are numbered from 2 to {MOST_PARTS}");
            Err(Error::new(literal.span(), message))
        }
    }
}

pub(super) const MOST_PARTS: u32 = 9;

fn declaration(options: &ApiOptions, block: &ItemImpl, marks: &[Marks]) -> Result<Declaration> {
    let block = &chosen::of_block(block, options.at.as_deref().unwrap_or_default())?;
    refuse_unsupported(block)?;
    let keys = options.keys.as_ref();
    let of_type = options.serde.as_ref().or(options.shown.as_ref()).or(keys.map(|(name, _)| name));
    if let (Some(option), Some(_)) = (of_type, options.part) {
        let message = format!("`{option}` is said of the type, in its first block");
        return Err(Error::new(option.span(), message));
    }
    let ty = SuiteType::new((*block.self_ty).clone(), None)?;
    let functions: Vec<&ImplItemFn> = block.items.iter().filter_map(function_of).collect();
    check_names(options, block, &functions)?;
    let associated = associated_types(block);
    let mut errors = Errors::default();
    let (mut taken, mut absent) = (Vec::new(), Vec::new());
    for (function, marks) in functions.into_iter().zip(marks) {
        let ident = &function.sig.ident;
        let mut cfgs = cfgs_of(&function.attrs);
        if let Some(reason) = absence(options, block, function, marks) {
            absent.push(AbsentFunction { cfgs, ident: ident.clone(), reason });
            continue;
        }
        if let Some((skipped, not_skipped)) = marks.skip.as_ref().and_then(MarkedWhen::cfgs) {
            let cfgs_of_absent = cfgs.iter().cloned().chain([skipped]).collect();
            absent.push(AbsentFunction {
                cfgs: cfgs_of_absent,
                ident: ident.clone(),
                reason: "Skipped",
            });
            cfgs.push(not_skipped);
        }
        let Some((signature, target)) = errors.keep(signature(function, marks, &associated)) else {
            continue;
        };
        taken.push(Function {
            cfgs,
            signature,
            target,
            of_trait: block.trait_.as_ref().map(|(path, _)| path.clone()),
            name: marks.name.as_ref().map(LitStr::value),
            values: marks.values.clone(),
            requires: marks.requires.clone(),
            ensures: marks.ensures.clone(),
            is_invariant: marks.is_invariant,
        });
    }
    errors.finish()?;
    let doc = match doc_of(&block.attrs) {
        doc if doc.is_empty() => format!("The public functions of `{}`.", ty.name),
        doc => doc,
    };
    let short_name = ty.name.split('<').next().unwrap_or(&ty.name).to_owned();
    let own = (*block.self_ty).clone();
    let main = TypeBlock {
        has_serde: options.serde.is_some(),
        is_shown: options.shown.is_some(),
        constants: options.consts.clone().unwrap_or_default(),
        functions: taken,
        ..TypeBlock::new(ty, ValueUse::Found)
    };
    let mut parts = vec![main];
    for ty in keys.into_iter().flat_map(|(_, types)| types) {
        parts.push(TypeBlock::new(SuiteType::new(ty.clone(), None)?, ValueUse::Keys));
    }
    Ok(Declaration {
        krate: options.krate.clone().unwrap_or_else(default_crate),
        name: options.name.clone().unwrap_or(short_name),
        doc,
        implementor: match options.part {
            Some(number) => Implementor::Part { ty: own, number },
            None => Implementor::Existing(own),
        },
        parts,
        absent,
        advice: Advice::Api,
    })
}

/// The reason why a function is certainly left out.
fn absence(
    options: &ApiOptions,
    block: &ItemImpl,
    function: &ImplItemFn,
    marks: &Marks,
) -> Option<&'static str> {
    let ident = &function.sig.ident;
    let is_public = block.trait_.is_some() || matches!(function.vis, Visibility::Public(_));
    if marks.is_invariant {
        None
    } else if options.skips(ident) || matches!(marks.skip, Some(MarkedWhen::Always)) {
        Some("Skipped")
    } else if !is_public {
        Some("NotPublic")
    } else if !options.takes(ident) {
        Some("NotChosen")
    } else {
        None
    }
}

/// The signature with its choices applied, and the function to call if the name alone does not
/// determine it.
fn signature(
    function: &ImplItemFn,
    marks: &Marks,
    associated: &[(Ident, Type)],
) -> Result<(Signature, Option<Path>)> {
    let mut signature = function.sig.clone();
    chosen::name_associated(&mut signature, associated);
    let behind_name = chosen::apply(&mut signature, &marks.at)?;
    let ident = &signature.ident;
    let target = behind_name.map(|behind_name| parse_quote!(Self::#ident #behind_name));
    Ok((signature, target))
}

/// The types of `Self::Name`.
fn associated_types(block: &ItemImpl) -> Vec<(Ident, Type)> {
    let types = block.items.iter().filter_map(|item| match item {
        ImplItem::Type(item) => Some((item.ident.clone(), item.ty.clone())),
        _ => None,
    });
    types.collect()
}

fn refuse_unsupported(block: &ItemImpl) -> Result<()> {
    if let Some((path, _)) = &block.trait_
        && path.segments.last().is_some_and(|name| name.ident == "Drop")
    {
        let message =
            "`drop` cannot be called: beget drops what it makes anyway; take `api` off this block";
        return Err(Error::new_spanned(path, message));
    }
    let parameters = &block.generics.params;
    if let Some(lifetime) = block.generics.lifetimes().next() {
        let message = "a type under test owns what it holds, so it has no lifetimes: test one that owns what \
                       this one borrows";
        return Err(Error::new_spanned(lifetime, message));
    }
    if !parameters.is_empty() {
        let chosen: Vec<String> = parameters.iter().map(choice_of).collect();
        let message = format!(
            "`api` needs a type without parameters: choose them by `#[beget::api(at({}))]`, or write \
             `beget::suite! {{ pub suite Name for {}<...> {{ ... }} }}` with the arguments filled in",
            chosen.join(", "),
            block.self_ty.to_token_stream().to_string().split(' ').next().unwrap_or("Type")
        );
        return Err(Error::new_spanned(parameters, message));
    }
    Ok(())
}

/// An example of a choice for the parameter.
fn choice_of(parameter: &GenericParam) -> String {
    match parameter {
        GenericParam::Type(parameter) => format!("{} = u8", parameter.ident),
        GenericParam::Const(parameter) => format!("{} = 2", parameter.ident),
        GenericParam::Lifetime(parameter) => parameter.lifetime.to_string(),
    }
}

fn function_of(item: &ImplItem) -> Option<&ImplItemFn> {
    match item {
        ImplItem::Fn(function) => Some(function),
        _ => None,
    }
}

/// Rejects unknown names in `only` and `skip`.
fn check_names(options: &ApiOptions, block: &ItemImpl, functions: &[&ImplItemFn]) -> Result<()> {
    let is_public = |function: &&&ImplItemFn| {
        block.trait_.is_some() || matches!(function.vis, Visibility::Public(_))
    };
    let names: Vec<String> = functions
        .iter()
        .filter(is_public)
        .map(|function| function.sig.ident.unraw().to_string())
        .collect();
    let known: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut errors = Errors::default();
    for name in options.only.iter().chain(&options.skip).flatten() {
        if !known.contains(&name.unraw().to_string().as_str()) {
            errors.push(unknown("public function", name, &known));
        }
    }
    errors.finish()
}
