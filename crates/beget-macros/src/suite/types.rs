//! The types of a suite: their spellings in signatures, and in emitted code.

use proc_macro2::Ident;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::visit_mut::{self, VisitMut};
use syn::{Error, Expr, Lifetime, Path, PathArguments, Result, Type, TypeReference, parse_quote};

use super::method::PassingMode;
use crate::pretty::pretty;

/// A type under test.
pub(crate) struct SuiteType {
    /// The type in emitted code.
    pub(crate) ty: Type,
    /// The name in recipes and lists.
    pub(crate) name: String,
    /// The path before `::function` in recipes.
    pub(crate) path: String,
    /// True if its name in recipes differs from its path's.
    pub(crate) has_short_name: bool,
    /// The spellings, as tokens, by which signatures may mean it.
    spellings: Vec<String>,
}

impl SuiteType {
    /// `short` is the name after `as`; without one the type's last path segment is taken.
    pub(crate) fn new(ty: Type, short: Option<Ident>) -> Result<Self> {
        refuse_unsized(&ty)?;
        let full = tokens_of(&ty);
        if let Some(short) = short {
            let spellings = vec![full, short.to_string()];
            let name = short.unraw().to_string();
            let path = short.to_string();
            return Ok(SuiteType { ty, name, path, has_short_name: true, spellings });
        }
        let Type::Path(path) = &ty else {
            return Err(Error::new_spanned(&ty, "give this type a name: `for Type as Name`"));
        };
        let segment = path.path.segments.last().expect("a path has a segment");
        let path = match &segment.arguments {
            PathArguments::AngleBracketed(arguments) => {
                let ident = &segment.ident;
                let arguments = &arguments.args;
                pretty(quote!(#ident::<#arguments>))
            }
            _ => segment.ident.to_string(),
        };
        let name = pretty(segment.to_token_stream()).trim_start_matches("r#").to_owned();
        let spellings = vec![full, tokens_of(segment)];
        Ok(SuiteType { ty, name, path, has_short_name: false, spellings })
    }
}

/// Refuses a type whose spelling says that its values have no size: rustc's errors would be about
/// each use of it.
fn refuse_unsized(ty: &Type) -> Result<()> {
    let is_unsized = match ty {
        Type::Slice(_) | Type::TraitObject(_) => true,
        Type::Path(path) => path.path.is_ident("str"),
        _ => false,
    };
    if !is_unsized {
        return Ok(());
    }
    let shown = pretty(ty.to_token_stream());
    let message = format!(
        "`{shown}` has no size that is known at compile time, and such a value cannot be stored: test a type that \
         owns one, such as `Box<{shown}>`"
    );
    Err(Error::new_spanned(ty, message))
}

fn tokens_of(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string()
}

/// All types of a suite, as seen from the part of type number `own`, where `Self` means that one.
#[derive(Clone, Copy)]
pub(crate) struct Types<'d> {
    types: &'d [&'d SuiteType],
    own: usize,
}

impl<'d> Types<'d> {
    pub(crate) fn new(types: &'d [&'d SuiteType], own: usize) -> Self {
        Types { types, own }
    }

    /// The type that `Self` means.
    pub(crate) fn own(&self) -> &'d SuiteType {
        self.types[self.own]
    }

    pub(crate) fn own_index(&self) -> usize {
        self.own
    }

    pub(crate) fn get(&self, index: usize) -> &'d SuiteType {
        self.types[index]
    }

    /// The position of the suite's type that `ty` spells.
    pub(crate) fn find(&self, ty: &Type) -> Option<usize> {
        match ty {
            Type::Paren(paren) => return self.find(&paren.elem),
            Type::Group(group) => return self.find(&group.elem),
            Type::Path(path) if path.path.is_ident("Self") => return Some(self.own),
            _ => {}
        }
        let spelling = tokens_of(ty);
        self.types.iter().position(|known| known.spellings.contains(&spelling))
    }

    /// The suite's type that `ty` spells, or refers to.
    pub(crate) fn find_passed(&self, ty: &Type) -> Option<(usize, PassingMode)> {
        let (inner, passing) = match ty {
            Type::Reference(reference) if reference.mutability.is_some() => {
                (&*reference.elem, PassingMode::Mut)
            }
            Type::Reference(reference) => (&*reference.elem, PassingMode::Ref),
            _ => (ty, PassingMode::Value),
        };
        self.find(inner).map(|found| (found, passing))
    }

    /// Returns whether a type of the suite occurs somewhere in `ty`.
    pub(crate) fn occur_in(&self, ty: &Type) -> bool {
        let mut resolver = TypeResolver { types: *self, found: false };
        resolver.visit_type_mut(&mut ty.clone());
        resolver.found
    }

    /// `ty` as it can be written outside the type's own impl block: `Self` and short names
    /// replaced, lifetimes left to inference.
    pub(crate) fn resolve(&self, ty: &Type) -> Type {
        let mut ty = ty.clone();
        TypeResolver { types: *self, found: false }.visit_type_mut(&mut ty);
        ty
    }

    /// A function's path with `Self` replaced.
    pub(crate) fn resolve_path(&self, path: &Path) -> Expr {
        self.resolve_expr(parse_quote!(#path))
    }

    /// An expression with `Self` replaced.
    pub(crate) fn resolve_expr(&self, mut expression: Expr) -> Expr {
        TypeResolver { types: *self, found: false }.visit_expr_mut(&mut expression);
        expression
    }
}

struct TypeResolver<'d> {
    types: Types<'d>,
    found: bool,
}

impl VisitMut for TypeResolver<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Some(index) = self.types.find(ty) {
            self.found = true;
            *ty = self.types.get(index).ty.clone();
        } else if !matches!(ty, Type::FnPtr(_)) {
            visit_mut::visit_type_mut(self, ty);
        }
    }

    fn visit_type_reference_mut(&mut self, reference: &mut TypeReference) {
        if reference.lifetime.as_ref().is_some_and(|lifetime| lifetime.ident != "static") {
            reference.lifetime = None;
        }
        self.visit_type_mut(&mut reference.elem);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident != "static" {
            *lifetime = Lifetime::new("'_", lifetime.span());
        }
    }

    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        if let Expr::Path(path) = expression
            && path.qself.is_none()
            && path.path.segments[0].ident == "Self"
        {
            let own = &self.types.own().ty;
            let rest = path.path.segments.iter().skip(1);
            *expression = parse_quote!(<#own>::#(#rest)::*);
        } else {
            visit_mut::visit_expr_mut(self, expression);
        }
    }
}
