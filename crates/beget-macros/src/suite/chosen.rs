//! Signatures at chosen types: `#[api(at(values = Vec<u8>))]` in place of
//! `impl IntoIterator<Item = u8>`.

use proc_macro2::Ident;
use syn::visit_mut::{self, VisitMut};
use syn::{Error, FnArg, GenericParam, ItemImpl, Pat, Result, Signature, Type};

/// Replaces parameters' types by name, and type parameters everywhere; what is left of the type
/// parameters that no parameter mentions is for the compiler to infer.
pub(super) fn apply(signature: &mut Signature, choices: &[(Ident, Type)]) -> Result<()> {
    for (name, ty) in choices {
        let is_parameter = replace_parameter(signature, name, ty);
        let is_generic = replace_generic(signature, name, ty);
        if !is_parameter && !is_generic {
            let message = format!(
                "`{}` has no parameter or type parameter `{name}`: `at` chooses a type for one of them",
                signature.ident
            );
            return Err(Error::new(name.span(), message));
        }
    }
    if !choices.is_empty() {
        drop_unmentioned(signature);
    }
    Ok(())
}

/// The block at types chosen for its type parameters.
pub(super) fn of_block(block: &ItemImpl, choices: &[(Ident, Type)]) -> Result<ItemImpl> {
    let mut block = block.clone();
    for (name, chosen) in choices {
        let is_it = |param: &GenericParam| match param {
            GenericParam::Type(param) => param.ident == *name,
            _ => false,
        };
        let params = std::mem::take(&mut block.generics.params);
        let n_params = params.len();
        block.generics.params = params.into_iter().filter(|param| !is_it(param)).collect();
        if block.generics.params.len() == n_params {
            let message = format!("the block has no type parameter `{name}`");
            return Err(Error::new(name.span(), message));
        }
        // The bounds are checked where the functions are called.
        block.generics.where_clause = None;
        Replacer { name, chosen }.visit_item_impl_mut(&mut block);
    }
    Ok(block)
}

fn replace_parameter(signature: &mut Signature, name: &Ident, chosen: &Type) -> bool {
    let mut found = false;
    for input in &mut signature.inputs {
        if let FnArg::Typed(typed) = input
            && matches!(&*typed.pat, Pat::Ident(pattern) if pattern.ident == *name)
        {
            *typed.ty = chosen.clone();
            found = true;
        }
    }
    found
}

fn replace_generic(signature: &mut Signature, name: &Ident, chosen: &Type) -> bool {
    let is_it =
        |param: &GenericParam| matches!(param, GenericParam::Type(param) if param.ident == *name);
    if !signature.generics.params.iter().any(is_it) {
        return false;
    }
    let params = std::mem::take(&mut signature.generics.params);
    signature.generics.params = params.into_iter().filter(|param| !is_it(param)).collect();
    let mut replacer = Replacer { name, chosen };
    signature.inputs.iter_mut().for_each(|input| replacer.visit_fn_arg_mut(input));
    replacer.visit_return_type_mut(&mut signature.output);
    // The bounds are checked where the function is called.
    signature.generics.where_clause = None;
    true
}

struct Replacer<'c> {
    name: &'c Ident,
    chosen: &'c Type,
}

impl VisitMut for Replacer<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        match ty {
            Type::Path(path) if path.qself.is_none() && path.path.is_ident(self.name) => {
                *ty = self.chosen.clone();
            }
            _ => visit_mut::visit_type_mut(self, ty),
        }
    }
}

fn drop_unmentioned(signature: &mut Signature) {
    let mut mentioned = Mentioned(Vec::new());
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

/// The single names among the types.
struct Mentioned(Vec<Ident>);

impl VisitMut for Mentioned {
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
