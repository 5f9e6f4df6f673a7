//! A signature as the engine sees it: structure parameters, literal parameters, outputs.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident};
use syn::ext::IdentExt;
use syn::{
    Attribute, Expr, FnArg, GenericParam, Pat, PatType, Receiver, ReceiverKind, ReturnType, Safety,
    Signature, Type,
};

use super::declaration::{Advice, Function};
use super::literal::Literal;
use super::result::Shape;
use super::types::Types;
use crate::pretty::pretty;

pub(crate) struct Method {
    pub(crate) cfgs: Vec<Attribute>,
    pub(crate) ident: Ident,
    pub(crate) name: String,
    pub(crate) signature: String,
    pub(crate) path: String,
    pub(crate) callee: Callee,
    pub(crate) params: Vec<Param>,
    pub(crate) result: Shape,
    /// The declared result type, where a variable can be declared with it.
    pub(crate) result_type: Option<Type>,
}

/// What to call.
pub(crate) enum Callee {
    /// `receiver.name(...)`
    Method(Ident),
    /// `path(...)`
    Function(Expr),
}

pub(crate) struct Param {
    pub(crate) name: String,
    /// The local variable of the argument in the emitted call.
    pub(crate) local: Ident,
    pub(crate) kind: ParamKind,
}

pub(crate) enum ParamKind {
    Structure {
        ty: usize,
        passing: Passing,
    },
    Literal {
        literal: Literal,
        written: String,
        /// What it ranges over, if its type does not say so.
        values: Option<Vec<Expr>>,
    },
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Passing {
    Value,
    Ref,
    Mut,
}

/// A signature that cannot be called with every argument of a scope; the message wants the advice how to leave it
/// out.
pub(crate) struct Unsupported {
    tokens: TokenStream,
    message: &'static str,
    /// The parameter or type parameter for which a type could be chosen.
    choosable: Option<String>,
}

impl Unsupported {
    pub(crate) fn new(tokens: &impl ToTokens, message: &'static str) -> Self {
        Unsupported { tokens: tokens.to_token_stream(), message, choosable: None }
    }

    /// The same, where a type chosen for `name` would do.
    pub(crate) fn choosable(self, name: impl ToString) -> Self {
        Unsupported { choosable: Some(name.to_string()), ..self }
    }

    pub(crate) fn with_advice(&self, advice: Advice) -> syn::Error {
        let choose = self.choosable.as_ref().map(|name| advice.how_to_choose(name) + ", or ");
        let (choose, skip) = (choose.unwrap_or_default(), advice.how_to_skip());
        syn::Error::new_spanned(&self.tokens, format!("{}: {choose}{skip}", self.message))
    }
}

type Result<T> = std::result::Result<T, Unsupported>;

impl Method {
    pub(crate) fn of(function: &Function, types: Types<'_>) -> Result<Self> {
        let signature = &function.signature;
        refuse_unsupported(signature)?;
        let params = signature.inputs.iter().enumerate();
        let mut params: Vec<_> =
            params.map(|(index, input)| Param::of(index, input, types)).collect::<Result<_>>()?;
        let callee = Callee::of(function, types);
        let receives = signature.receiver().is_some();
        if let (Callee::Function(_), true) = (&callee, receives) {
            // Recipes write `receiver.name(...)` for a parameter named `self`.
            params[0].name = "receiver".to_owned();
        }
        for (name, list) in &function.values {
            give_values(&mut params, name, list)?;
        }
        let result = Shape::of(&signature.output, types);
        Ok(Method {
            cfgs: function.cfgs.clone(),
            ident: signature.ident.clone(),
            name: function.name.clone().unwrap_or_else(|| signature.ident.unraw().to_string()),
            signature: pretty(signature.to_token_stream()),
            path: path_of(function, types),
            callee,
            params,
            result,
            result_type: result_type(&signature.output, types),
        })
    }

    /// The structure parameters with their positions among themselves.
    pub(crate) fn structures(&self) -> impl Iterator<Item = (usize, &Param, usize, Passing)> {
        let structures = self.params.iter().filter_map(|param| match param.kind {
            ParamKind::Structure { ty, passing } => Some((param, ty, passing)),
            ParamKind::Literal { .. } => None,
        });
        structures.enumerate().map(|(index, (param, ty, passing))| (index, param, ty, passing))
    }

    /// Whether two structure parameters can be the same structure: both are `&` of one type.
    pub(crate) fn may_alias(&self) -> bool {
        let mut shared = self.structures().filter(|(.., passing)| *passing == Passing::Ref);
        let mut seen = Vec::new();
        shared.any(|(_, _, ty, _)| {
            let known = seen.contains(&ty);
            seen.push(ty);
            known
        })
    }

    /// The literal parameters with their positions among themselves.
    pub(crate) fn literals(&self) -> impl Iterator<Item = (usize, &Param, &Literal)> {
        let literals = self.params.iter().filter_map(|param| match &param.kind {
            ParamKind::Structure { .. } => None,
            ParamKind::Literal { literal, .. } => Some((param, literal)),
        });
        literals.enumerate().map(|(index, (param, literal))| (index, param, literal))
    }
}

fn give_values(params: &mut [Param], name: &Ident, list: &[Expr]) -> Result<()> {
    let wanted = name.unraw().to_string();
    let literal = params.iter_mut().find_map(|param| match &mut param.kind {
        ParamKind::Literal { values, .. } if param.name == wanted => Some(values),
        _ => None,
    });
    match literal {
        Some(values) => {
            *values = Some(list.to_vec());
            Ok(())
        }
        None => {
            Err(Unsupported::new(name, "values are listed for a parameter that takes literals"))
        }
    }
}

impl Callee {
    pub(crate) fn of(function: &Function, types: Types<'_>) -> Self {
        let signature = &function.signature;
        let receives = signature.receiver().is_some();
        if let Some(path) = &function.of_trait {
            let (own, ident) = (&types.own().ty, &signature.ident);
            return Callee::Function(syn::parse_quote!(<#own as #path>::#ident));
        }
        match &function.target {
            Some(path) => match path.get_ident() {
                Some(ident) if receives => Callee::Method(ident.clone()),
                _ => Callee::Function(types.resolve_path(path)),
            },
            None if receives => Callee::Method(signature.ident.clone()),
            None => {
                let ident = &signature.ident;
                Callee::Function(types.resolve_path(&syn::parse_quote!(Self::#ident)))
            }
        }
    }
}

/// What stands before the parenthesis in recipes.
fn path_of(function: &Function, types: Types<'_>) -> String {
    let own = &types.own().path;
    let receives = function.signature.receiver().is_some();
    if let Some(path) = &function.of_trait {
        let path = pretty(path.to_token_stream());
        return format!("<{own} as {path}>::{}", function.signature.ident);
    }
    match &function.target {
        None => format!("{own}::{}", function.signature.ident),
        Some(path) if receives && path.get_ident().is_some() => {
            format!("{own}::{}", path.to_token_stream())
        }
        Some(path) => {
            let written = pretty(path.to_token_stream());
            match written.strip_prefix("Self::") {
                Some(rest) => format!("{own}::{rest}"),
                None => written,
            }
        }
    }
}

fn refuse_unsupported(signature: &Signature) -> Result<()> {
    let generic = signature.generics.params.iter().find(|param| !is_lifetime(param));
    let problem = if let Some(keyword) = &signature.asyncness {
        Some(Unsupported::new(keyword, "an async function is not run by a call"))
    } else if let Safety::Unsafe(keyword) = &signature.safety {
        Some(Unsupported::new(keyword, "an unsafe function cannot be called with every argument"))
    } else if let Some(generic) = generic {
        let unsupported = Unsupported::new(generic, "a generic function has no fixed domains");
        Some(match generic {
            GenericParam::Type(param) => unsupported.choosable(&param.ident),
            _ => unsupported,
        })
    } else {
        let variadic = signature.variadic.as_ref();
        variadic.map(|variadic| {
            Unsupported::new(variadic, "a variadic function has no fixed parameters")
        })
    };
    problem.map_or(Ok(()), Err)
}

fn is_lifetime(param: &GenericParam) -> bool {
    matches!(param, GenericParam::Lifetime(_))
}

/// The type to declare the result with: none for types that only signatures can write.
fn result_type(output: &ReturnType, types: Types<'_>) -> Option<Type> {
    match output {
        ReturnType::Default => Some(syn::parse_quote!(())),
        ReturnType::Type(_, ty) if can_be_declared(ty) => Some(types.resolve(ty)),
        ReturnType::Type(..) => None,
    }
}

fn can_be_declared(ty: &Type) -> bool {
    struct Finder(bool);
    impl syn::visit_mut::VisitMut for Finder {
        fn visit_type_mut(&mut self, ty: &mut Type) {
            self.0 |= matches!(ty, Type::ImplTrait(_) | Type::Never(_));
            syn::visit_mut::visit_type_mut(self, ty);
        }
    }
    let mut finder = Finder(false);
    syn::visit_mut::VisitMut::visit_type_mut(&mut finder, &mut ty.clone());
    !finder.0
}

impl Param {
    fn of(index: usize, input: &FnArg, types: Types<'_>) -> Result<Self> {
        let (name, kind) = match input {
            FnArg::Receiver(receiver) => ("self".to_owned(), receiver_kind(receiver, types)?),
            FnArg::Typed(typed) => {
                let name = name_of(typed, index);
                let kind = typed_kind(&typed.ty, types).map_err(|unsupported| {
                    match (&*typed.ty, &*typed.pat) {
                        (Type::ImplTrait(_), Pat::Ident(_)) => unsupported.choosable(&name),
                        _ => unsupported,
                    }
                })?;
                (name, kind)
            }
        };
        Ok(Param { name, local: format_ident!("argument_{index}", span = Span::call_site()), kind })
    }
}

fn name_of(typed: &PatType, index: usize) -> String {
    match &*typed.pat {
        Pat::Ident(pattern) => pattern.ident.unraw().to_string(),
        _ => format!("argument_{index}"),
    }
}

fn receiver_kind(receiver: &Receiver, types: Types<'_>) -> Result<ParamKind> {
    let message = "a receiver is `self`, `&self` or `&mut self`";
    let passing = match &receiver.kind {
        ReceiverKind::Value => Passing::Value,
        ReceiverKind::Reference(_, _, Some(_)) => Passing::Mut,
        ReceiverKind::Reference(_, _, None) => Passing::Ref,
        ReceiverKind::Typed(_, ty) => {
            return structure(ty, types).ok_or_else(|| Unsupported::new(ty, message));
        }
        _ => return Err(Unsupported::new(receiver, message)),
    };
    Ok(ParamKind::Structure { ty: types.own_index(), passing })
}

fn typed_kind(ty: &Type, types: Types<'_>) -> Result<ParamKind> {
    if let Some(structure) = structure(ty, types) {
        return Ok(structure);
    }
    if types.occur_in(ty) {
        let message =
            "a structure is passed as it is, by `&` or by `&mut`; inside another type it cannot be";
        return Err(Unsupported::new(ty, message));
    }
    let literal = Literal::of(&types.resolve(ty))?;
    Ok(ParamKind::Literal { literal, written: pretty(ty.to_token_stream()), values: None })
}

/// A type of the suite, or a reference to one.
fn structure(ty: &Type, types: Types<'_>) -> Option<ParamKind> {
    let (inner, passing) = match ty {
        Type::Reference(reference) if reference.mutability.is_some() => {
            (&*reference.elem, Passing::Mut)
        }
        Type::Reference(reference) => (&*reference.elem, Passing::Ref),
        _ => (ty, Passing::Value),
    };
    types.find(inner).map(|ty| ParamKind::Structure { ty, passing })
}
