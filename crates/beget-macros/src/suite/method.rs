//! A signature as the engine sees it: structure parameters, literal parameters, outputs.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident};
use syn::ext::IdentExt;
use syn::{
    Attribute, Expr, FnArg, GenericParam, Pat, PatType, Receiver, ReceiverKind, ReturnType, Safety,
    Signature, Type,
};

use super::conditions::Condition;
use super::declaration::{Advice, Function};
use super::literal::LiteralParam;
use super::remedy::Remedy;
use super::result::ResultShape;
use super::types::Types;
use super::wrapped::{Build, Case};
use crate::pretty::pretty;

pub(crate) struct MethodDecl {
    pub(crate) cfgs: Vec<Attribute>,
    pub(crate) ident: Ident,
    pub(crate) name: String,
    pub(crate) signature: String,
    /// The type after the arrow, if there is one.
    pub(crate) returns: Option<String>,
    pub(crate) path: String,
    pub(crate) callee: Callee,
    pub(crate) params: Vec<ParamDecl>,
    /// The arguments, in the order of the signature.
    pub(crate) arguments: Vec<PassedArgument>,
    /// True if the first argument is the receiver.
    pub(crate) receives: bool,
    pub(crate) requires: Vec<Condition>,
    pub(crate) ensures: Vec<Condition>,
    pub(crate) result: ResultShape,
    /// The declared result type, if a variable can be declared with it.
    pub(crate) result_type: Option<Type>,
}

/// The function or method to call.
pub(crate) enum Callee {
    /// `receiver.name(...)`
    Method(Ident),
    /// `path(...)`
    Function(Expr),
}

#[derive(Clone)]
pub(crate) struct ParamDecl {
    pub(crate) name: String,
    /// The local variable of the argument in the emitted call.
    pub(crate) local: Ident,
    pub(crate) kind: ParamDeclKind,
}

#[derive(Clone)]
pub(crate) enum ParamDeclKind {
    Structure {
        ty: usize,
        passing: PassingMode,
    },
    Literal {
        literal: LiteralParam,
        written: String,
        /// The listed values, if its type does not provide them.
        values: Option<Vec<Expr>>,
    },
}

/// The ways to pass a structure or a literal.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum PassingMode {
    Value,
    Ref,
    Mut,
}

/// An argument of the call: a parameter as it is, or something made from several.
pub(crate) struct PassedArgument {
    /// The first of its parameters, and their number.
    pub(crate) first: usize,
    pub(crate) len: usize,
    pub(crate) build: Option<Build>,
}

/// One way to fill a parameter of a signature.
struct Filling {
    suffix: String,
    params: Vec<ParamDecl>,
    build: Option<Build>,
}

/// A signature that cannot be called with every argument of a scope. Its message is followed by
/// advice how to leave it out.
pub(crate) struct UnsupportedSignature {
    tokens: TokenStream,
    message: &'static str,
    /// An alternative that would work, if any.
    remedy: Option<Box<Remedy>>,
}

impl UnsupportedSignature {
    pub(crate) fn new(tokens: &impl ToTokens, message: &'static str) -> Self {
        UnsupportedSignature { tokens: tokens.to_token_stream(), message, remedy: None }
    }

    /// Adds an alternative that would work.
    pub(crate) fn with(self, remedy: Option<Remedy>) -> Self {
        UnsupportedSignature { remedy: remedy.map(Box::new), ..self }
    }

    pub(crate) fn with_advice(&self, advice: Advice) -> syn::Error {
        let remedy = self.remedy.as_ref().map(|remedy| advice.how_to(remedy) + ", or ");
        let (remedy, skip) = (remedy.unwrap_or_default(), advice.how_to_skip());
        syn::Error::new_spanned(&self.tokens, format!("{}: {remedy}{skip}", self.message))
    }
}

type Result<T> = std::result::Result<T, UnsupportedSignature>;

impl MethodDecl {
    /// The methods of a signature: one, or several if types in it can hold different numbers of
    /// structures.
    pub(crate) fn all_of(function: &Function, types: Types<'_>) -> Result<Vec<Self>> {
        let signature = &function.signature;
        refuse_unsupported(signature)?;
        let mut all: Vec<Vec<Filling>> = vec![Vec::new()];
        for (index, input) in signature.inputs.iter().enumerate() {
            let mut longer = Vec::new();
            for before in all {
                let ways = Filling::all_of(index, input, types)?;
                longer.extend(ways.into_iter().map(|way| {
                    let mut ways: Vec<_> = before.iter().map(Filling::copy).collect();
                    ways.push(way);
                    ways
                }));
            }
            all = longer;
        }
        all.into_iter().map(|fillings| MethodDecl::filled(function, fillings, types)).collect()
    }

    fn filled(function: &Function, fillings: Vec<Filling>, types: Types<'_>) -> Result<Self> {
        let signature = &function.signature;
        let mut name = function.name.clone().unwrap_or_else(|| signature.ident.unraw().to_string());
        let (mut params, mut arguments) = (Vec::new(), Vec::new());
        for filling in fillings {
            name.push_str(&filling.suffix);
            let (first, len) = (params.len(), filling.params.len());
            arguments.push(PassedArgument { first, len, build: filling.build });
            params.extend(filling.params);
        }
        let callee = Callee::of(function, types);
        let receives = signature.receiver().is_some();
        if let (Callee::Function(_), true, Some(first)) = (&callee, receives, params.first_mut()) {
            // Recipes write `receiver.name(...)` for a parameter named `self`.
            first.name = "receiver".to_owned();
        }
        for (name, list) in &function.values {
            give_values(&mut params, name, list)?;
        }
        refuse_unlisted(&params, signature)?;
        let path = path_of(function, types);
        Ok(MethodDecl {
            cfgs: function.cfgs.clone(),
            ident: signature.ident.clone(),
            name,
            signature: pretty(signature.to_token_stream()),
            returns: match &signature.output {
                ReturnType::Default => None,
                ReturnType::Type(_, ty) => Some(pretty(ty.to_token_stream())),
            },
            path: template_of(&callee, &path, &arguments).unwrap_or(path),
            callee,
            params,
            arguments,
            receives,
            requires: function.requires.clone(),
            ensures: function.ensures.clone(),
            result: ResultShape::of(&signature.output, types),
            result_type: result_type(&signature.output, types),
        })
    }

    /// The structure parameters with their positions among themselves.
    pub(crate) fn structures(
        &self,
    ) -> impl Iterator<Item = (usize, &ParamDecl, usize, PassingMode)> {
        let structures = self.params.iter().filter_map(|param| match param.kind {
            ParamDeclKind::Structure { ty, passing } => Some((param, ty, passing)),
            ParamDeclKind::Literal { .. } => None,
        });
        structures.enumerate().map(|(index, (param, ty, passing))| (index, param, ty, passing))
    }

    /// Returns whether two structure parameters can be the same structure: both are `&` of one
    /// type.
    pub(crate) fn may_alias(&self) -> bool {
        let mut shared = self.structures().filter(|(.., passing)| *passing == PassingMode::Ref);
        let mut seen = Vec::new();
        shared.any(|(_, _, ty, _)| {
            let known = seen.contains(&ty);
            seen.push(ty);
            known
        })
    }

    /// The literal parameters with their positions among themselves.
    pub(crate) fn literals(&self) -> impl Iterator<Item = (usize, &ParamDecl, &LiteralParam)> {
        let literals = self.params.iter().filter_map(|param| match &param.kind {
            ParamDeclKind::Structure { .. } => None,
            ParamDeclKind::Literal { literal, .. } => Some((param, literal)),
        });
        literals.enumerate().map(|(index, (param, literal))| (index, param, literal))
    }
}

/// Rejects parameters without literals, unless the suite lists them.
fn refuse_unlisted(params: &[ParamDecl], signature: &Signature) -> Result<()> {
    let unlisted = params.iter().find_map(|param| match &param.kind {
        ParamDeclKind::Literal { literal, values: None, .. } => {
            Some((param, literal.must_be_listed()?))
        }
        _ => None,
    });
    let Some((param, around)) = unlisted else { return Ok(()) };
    let input = signature.inputs.iter().enumerate().find_map(|(index, input)| match input {
        FnArg::Typed(typed) if name_of(typed, index) == param.name => Some(&typed.ty),
        _ => None,
    });
    let name = param.name.clone();
    Err(match (input.map(|ty| &**ty), around) {
        (Some(ty), None) => {
            let ty_of_functions = pretty(ty.to_token_stream());
            let remedy = Remedy::ListFunctions { name, chosen: None, ty: ty_of_functions };
            UnsupportedSignature::new(&input, "a function has no literals").with(Some(remedy))
        }
        (_, around) => {
            let message = "a trait object, `Rc` or `Weak` has no literals";
            let around = around.unwrap_or_default();
            UnsupportedSignature::new(&input, message).with(Some(Remedy::List { name, around }))
        }
    })
}

fn give_values(params: &mut [ParamDecl], name: &Ident, list: &[Expr]) -> Result<()> {
    let wanted = name.unraw().to_string();
    let literal = params.iter_mut().find_map(|param| match &mut param.kind {
        ParamDeclKind::Literal { literal, values, .. } if param.name == wanted => {
            Some((literal, values))
        }
        _ => None,
    });
    match literal {
        Some((literal, values)) => {
            literal.need_no_domain();
            *values = Some(list.to_vec());
            Ok(())
        }
        None => Err(UnsupportedSignature::new(
            name,
            "values are listed for a parameter that takes literals",
        )),
    }
}

impl Callee {
    pub(crate) fn of(function: &Function, types: Types<'_>) -> Self {
        let signature = &function.signature;
        let receives = signature.receiver().is_some();
        if let Some(path) = &function.of_trait {
            let (own, name) = (&types.own().ty, function.called_name());
            return Callee::Function(syn::parse_quote!(<#own as #path>::#name));
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

/// The path before the parenthesis in recipes.
fn path_of(function: &Function, types: Types<'_>) -> String {
    let own = &types.own().path;
    let receives = function.signature.receiver().is_some();
    if let Some(path) = &function.of_trait {
        let path = pretty(path.to_token_stream());
        let name = pretty(function.called_name().to_token_stream());
        return format!("<{own} as {path}>::{name}");
    }
    match &function.target {
        None => format!("{own}::{}", function.signature.ident),
        Some(path) if receives && path.get_ident().is_some() => {
            format!("{own}::{}", path.to_token_stream())
        }
        Some(path) => {
            let written = pretty(path.to_token_stream());
            match (written.strip_prefix("Self::"), written.strip_prefix("self::")) {
                (Some(rest), _) => format!("{own}::{rest}"),
                // The whole module is in scope in source.
                (None, Some(rest)) => rest.to_owned(),
                (None, None) => written,
            }
        }
    }
}

/// The whole call, if an argument is more than a parameter.
fn template_of(callee: &Callee, path: &str, arguments: &[PassedArgument]) -> Option<String> {
    arguments.iter().find(|argument| argument.build.is_some())?;
    let mut passed = arguments.iter().map(|argument| match &argument.build {
        Some(build) => build.template(argument.first),
        None => format!("{{{}}}", argument.first),
    });
    Some(match callee {
        Callee::Function(_) => format!("{path}({})", passed.collect::<Vec<_>>().join(", ")),
        Callee::Method(name) => {
            let receiver = passed.next().expect("a method has a receiver");
            format!("{receiver}.{name}({})", passed.collect::<Vec<_>>().join(", "))
        }
    })
}

fn refuse_unsupported(signature: &Signature) -> Result<()> {
    let generic = signature.generics.params.iter().find(|param| !is_lifetime(param));
    let problem = if let Some(keyword) = &signature.asyncness {
        Some(UnsupportedSignature::new(keyword, "an async function is not run by a call"))
    } else if let Safety::Unsafe(keyword) = &signature.safety {
        Some(UnsupportedSignature::new(
            keyword,
            "an unsafe function cannot be called with every argument",
        ))
    } else if let Some(generic) = generic {
        let unsupported =
            UnsupportedSignature::new(generic, "a generic function has no fixed domains");
        Some(unsupported.with(Remedy::of_generic(generic, signature)))
    } else {
        let variadic = signature.variadic.as_ref();
        variadic.map(|variadic| {
            UnsupportedSignature::new(variadic, "a variadic function has no fixed parameters")
        })
    };
    problem.map_or(Ok(()), Err)
}

fn is_lifetime(param: &GenericParam) -> bool {
    matches!(param, GenericParam::Lifetime(_))
}

/// The type to declare the result with: none for types that only signatures can contain.
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

impl Filling {
    fn all_of(index: usize, input: &FnArg, types: Types<'_>) -> Result<Vec<Self>> {
        let (name, ty) = match input {
            FnArg::Receiver(receiver) => match &receiver.kind {
                ReceiverKind::Typed(_, ty) => ("self".to_owned(), Some(&**ty)),
                _ => ("self".to_owned(), None),
            },
            FnArg::Typed(typed) => (name_of(typed, index), Some(&*typed.ty)),
        };
        if let Some(cases) = ty.and_then(|ty| Case::all_of(ty, types)) {
            return Ok(cases.into_iter().map(|case| Filling::of(index, &name, case)).collect());
        }
        let local = format_ident!("argument_{index}", span = Span::call_site());
        let kind = kind_of(input, &name, types)?;
        let params = vec![ParamDecl { name, local, kind }];
        Ok(vec![Filling { suffix: String::new(), params, build: None }])
    }

    fn of(index: usize, name: &str, case: Case) -> Self {
        let params = case.slots.iter().enumerate().map(|(slot, &(ty, passing))| ParamDecl {
            name: name.to_owned(),
            local: format_ident!("argument_{index}_{slot}", span = Span::call_site()),
            kind: ParamDeclKind::Structure { ty, passing },
        });
        Filling {
            suffix: case.suffix.replace('@', name),
            params: params.collect(),
            build: Some(case.build),
        }
    }

    fn copy(&self) -> Self {
        Filling {
            suffix: self.suffix.clone(),
            params: self.params.clone(),
            build: self.build.clone(),
        }
    }
}

fn kind_of(input: &FnArg, name: &str, types: Types<'_>) -> Result<ParamDeclKind> {
    match input {
        FnArg::Receiver(receiver) => receiver_kind(receiver, types),
        FnArg::Typed(typed) => {
            typed_kind(&typed.ty, types).map_err(|unsupported| match (&*typed.ty, &*typed.pat) {
                (Type::ImplTrait(of), Pat::Ident(_)) => {
                    unsupported.with(Some(Remedy::of_impl(&of.bounds, name)))
                }
                _ => unsupported,
            })
        }
    }
}

pub(super) fn name_of(typed: &PatType, index: usize) -> String {
    match &*typed.pat {
        Pat::Ident(pattern) => pattern.ident.unraw().to_string(),
        _ => format!("argument_{index}"),
    }
}

fn receiver_kind(receiver: &Receiver, types: Types<'_>) -> Result<ParamDeclKind> {
    let message = "a receiver is `self`, `&self`, `&mut self`, or `Self` in a `Box`, `Rc` or `Arc`";
    let passing = match &receiver.kind {
        ReceiverKind::Value => PassingMode::Value,
        ReceiverKind::Reference(_, _, Some(_)) => PassingMode::Mut,
        ReceiverKind::Reference(_, _, None) => PassingMode::Ref,
        ReceiverKind::Typed(_, ty) => {
            return structure(ty, types).ok_or_else(|| UnsupportedSignature::new(ty, message));
        }
        _ => return Err(UnsupportedSignature::new(receiver, message)),
    };
    Ok(ParamDeclKind::Structure { ty: types.own_index(), passing })
}

fn typed_kind(ty: &Type, types: Types<'_>) -> Result<ParamDeclKind> {
    if let Some(structure) = structure(ty, types) {
        return Ok(structure);
    }
    if types.occur_in(ty) {
        let message = "a structure is passed as it is, by `&` or `&mut`, or in a `Box`, `Rc`, `Arc`, `Option`, `Vec` or `&[_]`; \
             inside another type it cannot be";
        return Err(UnsupportedSignature::new(ty, message));
    }
    let literal = LiteralParam::of(&types.resolve(ty))?;
    Ok(ParamDeclKind::Literal { literal, written: pretty(ty.to_token_stream()), values: None })
}

/// A type of the suite, or a reference to one.
fn structure(ty: &Type, types: Types<'_>) -> Option<ParamDeclKind> {
    types.find_passed(ty).map(|(ty, passing)| ParamDeclKind::Structure { ty, passing })
}
