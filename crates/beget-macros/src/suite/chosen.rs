//! Signatures at chosen types and values: `#[api(at(values = Vec<u8>))]` in place of
//! `impl IntoIterator<Item = u8>`, `#[api(at(N = 4))]` in place of `const N: usize`.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Error, Expr, ExprPath, FnArg, GenericArgument, GenericParam, ItemImpl, Lit, Pat, Result,
    Signature, Token, Type, parse_quote, token,
};

/// A choice for a parameter, or for a generic parameter.
#[derive(Clone)]
pub(super) enum ParameterChoice {
    /// A type; also the path of a constant, which is spelled alike.
    Type(Box<Type>),
    Value(Box<Expr>),
}

impl Parse for ParameterChoice {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let is_value = input.peek(Lit) || input.peek(token::Brace) || input.peek(Token![-]);
        Ok(match is_value {
            true => ParameterChoice::Value(input.parse()?),
            false => ParameterChoice::Type(input.parse()?),
        })
    }
}

impl ToTokens for ParameterChoice {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            ParameterChoice::Type(ty) => ty.to_tokens(tokens),
            ParameterChoice::Value(value) => value.to_tokens(tokens),
        }
    }
}

impl ParameterChoice {
    fn to_type(&self) -> Result<Type> {
        match self {
            ParameterChoice::Type(ty) => Ok((**ty).clone()),
            ParameterChoice::Value(value) => {
                let message = "a type is wanted here: values are chosen for `const` parameters";
                Err(Error::new_spanned(value, message))
            }
        }
    }

    fn to_value(&self) -> Result<Expr> {
        match self {
            ParameterChoice::Value(value) => Ok((**value).clone()),
            ParameterChoice::Type(ty) => match &**ty {
                Type::Path(path) if path.qself.is_none() => {
                    let (attrs, qself, path) = (Vec::new(), None, path.path.clone());
                    Ok(Expr::Path(ExprPath { attrs, qself, path }))
                }
                _ => {
                    let message =
                        "a value is wanted here, such as `4`: types are chosen for type parameters";
                    Err(Error::new_spanned(ty, message))
                }
            },
        }
    }
}

/// Replaces parameters' types by name, and generic parameters everywhere; the compiler infers type
/// parameters that no parameter mentions. Returns the arguments to write after the function's name
/// in a call (`::<4>`) if they cannot be inferred.
pub(super) fn apply(
    signature: &mut Signature,
    choices: &[(Ident, ParameterChoice)],
) -> Result<Option<TokenStream>> {
    let behind_name = generic_arguments(signature, choices);
    for (name, choice) in choices {
        let is_parameter = replace_parameter(signature, name, choice)?;
        let is_generic = replace_generic(signature, name, choice)?;
        if !is_parameter && !is_generic {
            let message = format!(
                "`{}` has no parameter or generic parameter `{name}`: `at` chooses what one of them is",
                signature.ident
            );
            return Err(Error::new(name.span(), message));
        }
    }
    if !choices.is_empty() {
        drop_unmentioned(signature);
    }
    Ok(behind_name)
}

/// The turbofish `::<4, _>`, if a chosen generic parameter is in no parameter's type.
fn generic_arguments(
    signature: &Signature,
    choices: &[(Ident, ParameterChoice)],
) -> Option<TokenStream> {
    let mut mentioned = MentionedNames(Vec::new());
    signature.inputs.clone().iter_mut().for_each(|input| mentioned.visit_fn_arg_mut(input));
    let chosen = |name: &Ident| choices.iter().find(|(chosen, _)| chosen == name);
    let is_unseen = |name: &Ident| chosen(name).is_some() && !mentioned.0.contains(name);
    let names: Vec<&Ident> = signature.generics.params.iter().filter_map(name_of).collect();
    names.iter().any(|name| is_unseen(name)).then(|| {
        let arguments = names.iter().map(|name| match chosen(name) {
            Some((_, choice)) => quote!(#choice),
            None => quote!(_),
        });
        quote!(::<#(#arguments),*>)
    })
}

/// The name of a parameter that takes arguments in angle brackets.
fn name_of(param: &GenericParam) -> Option<&Ident> {
    match param {
        GenericParam::Type(param) => Some(&param.ident),
        GenericParam::Const(param) => Some(&param.ident),
        GenericParam::Lifetime(_) => None,
    }
}

/// The block with the choices for its generic parameters applied.
pub(super) fn of_block(block: &ItemImpl, choices: &[(Ident, ParameterChoice)]) -> Result<ItemImpl> {
    let mut block = block.clone();
    for (name, choice) in choices {
        let taken = Replacer::taken_from(&mut block.generics.params, name, choice)?;
        let Some(mut replacer) = taken else {
            let message = format!("the block has no generic parameter `{name}`");
            return Err(Error::new(name.span(), message));
        };
        // The bounds are checked where the functions are called.
        block.generics.where_clause = None;
        replacer.visit_item_impl_mut(&mut block);
    }
    Ok(block)
}

fn replace_parameter(
    signature: &mut Signature,
    name: &Ident,
    choice: &ParameterChoice,
) -> Result<bool> {
    let mut found = false;
    for input in &mut signature.inputs {
        if let FnArg::Typed(typed) = input
            && matches!(&*typed.pat, Pat::Ident(pattern) if pattern.ident == *name)
        {
            *typed.ty = choice.to_type()?;
            found = true;
        }
    }
    Ok(found)
}

fn replace_generic(
    signature: &mut Signature,
    name: &Ident,
    choice: &ParameterChoice,
) -> Result<bool> {
    let Some(mut replacer) = Replacer::taken_from(&mut signature.generics.params, name, choice)?
    else {
        return Ok(false);
    };
    signature.inputs.iter_mut().for_each(|input| replacer.visit_fn_arg_mut(input));
    replacer.visit_return_type_mut(&mut signature.output);
    // The bounds are checked where the function is called.
    signature.generics.where_clause = None;
    Ok(true)
}

/// Replaces a generic parameter by its choice.
enum Replacer<'c> {
    Type(&'c Ident, Type),
    Value(&'c Ident, Expr),
}

impl<'c> Replacer<'c> {
    /// Takes the parameter of that name out of `params`.
    fn taken_from(
        params: &mut Punctuated<GenericParam, Token![,]>,
        name: &'c Ident,
        choice: &ParameterChoice,
    ) -> Result<Option<Self>> {
        let is_it = |param: &GenericParam| name_of(param) == Some(name);
        let Some(param) = params.iter().find(|param| is_it(param)) else { return Ok(None) };
        let replacer = match param {
            GenericParam::Const(_) => Replacer::Value(name, choice.to_value()?),
            _ => Replacer::Type(name, choice.to_type()?),
        };
        *params = std::mem::take(params).into_iter().filter(|param| !is_it(param)).collect();
        Ok(Some(replacer))
    }
}

impl VisitMut for Replacer<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        match (&*self, &*ty) {
            (Replacer::Type(name, chosen), Type::Path(path)) if path.path.is_ident(*name) => {
                *ty = chosen.clone();
            }
            _ => visit_mut::visit_type_mut(self, ty),
        }
    }

    /// `N` in `Ring<N>` is read as a type.
    fn visit_generic_argument_mut(&mut self, argument: &mut GenericArgument) {
        match (&*self, &*argument) {
            (Replacer::Value(name, value), GenericArgument::Type(Type::Path(path)))
                if path.path.is_ident(*name) =>
            {
                *argument = match value {
                    Expr::Lit(_) | Expr::Block(_) => GenericArgument::Const(value.clone()),
                    // A path of one name needs no braces.
                    Expr::Path(path) if path.path.get_ident().is_some() => parse_quote!(#path),
                    _ => GenericArgument::Const(parse_quote!({ #value })),
                };
            }
            _ => visit_mut::visit_generic_argument_mut(self, argument),
        }
    }

    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        match (&*self, &*expression) {
            (Replacer::Value(name, value), Expr::Path(path)) if path.path.is_ident(*name) => {
                *expression = value.clone();
            }
            _ => visit_mut::visit_expr_mut(self, expression),
        }
    }
}

fn drop_unmentioned(signature: &mut Signature) {
    let mut mentioned = MentionedNames(Vec::new());
    let (mut inputs, mut output) = (signature.inputs.clone(), signature.output.clone());
    inputs.iter_mut().for_each(|input| mentioned.visit_fn_arg_mut(input));
    mentioned.visit_return_type_mut(&mut output);
    let params = std::mem::take(&mut signature.generics.params);
    let is_kept = |param: &GenericParam| match param {
        GenericParam::Type(param) => mentioned.0.contains(&param.ident),
        _ => true,
    };
    signature.generics.params = params.into_iter().filter(is_kept).collect();
}

/// The single names that occur in types.
struct MentionedNames(Vec<Ident>);

impl VisitMut for MentionedNames {
    fn visit_ident_mut(&mut self, ident: &mut Ident) {
        self.0.push(ident.clone());
    }
}

/// Replaces `Self::Name` by the associated type of that name.
pub(super) fn name_associated(signature: &mut Signature, types: &[(Ident, Type)]) {
    let mut namer = Namer { types };
    signature.inputs.iter_mut().for_each(|input| namer.visit_fn_arg_mut(input));
    namer.visit_return_type_mut(&mut signature.output);
}

struct Namer<'c> {
    types: &'c [(Ident, Type)],
}

impl VisitMut for Namer<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        visit_mut::visit_type_mut(self, ty);
        let Type::Path(path) = &*ty else { return };
        let segments = &path.path.segments;
        if path.qself.is_some() || segments.len() != 2 || segments[0].ident != "Self" {
            return;
        }
        if let Some((_, known)) = self.types.iter().find(|(name, _)| *name == segments[1].ident) {
            *ty = known.clone();
        }
    }
}
