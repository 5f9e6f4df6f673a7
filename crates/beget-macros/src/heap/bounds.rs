//! The bounds of a derived implementation: those that its fields require of the type's parameters.
//!
//! A parameter needs `Heap` where it is walked; as the key of a map, or in a `Cell`, it needs the
//! bounds that these require. Skipped fields need only be `'static`. If that is not enough,
//! `#[heap(bound = "...")]` adds more.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{GenericArgument, Generics, PathArguments, Type, WherePredicate, parse_quote};

use super::attributes::Role;
use super::model::Model;

/// The type's generics with the bounds; `heap` is the path of `beget_heap`.
pub(super) fn with_bounds(model: &Model, heap: &TokenStream) -> Generics {
    let mut generics = model.generics.clone();
    let names: BTreeSet<String> =
        generics.type_params().map(|param| param.ident.to_string()).collect();
    if names.is_empty() {
        return generics;
    }
    let mut found = WalkedParams { names: &names, walked: BTreeSet::new(), predicates: Vec::new() };
    for field in model.fields() {
        found.read_field(&field.role, &field.ty, heap);
    }
    for param in generics.type_params_mut() {
        let is_walked = found.walked.contains(&param.ident.to_string());
        param.bounds.push(if is_walked {
            parse_quote!(#heap::Heap)
        } else {
            parse_quote!('static)
        });
    }
    let clause = generics.make_where_clause();
    let mut written = BTreeSet::new();
    for predicate in found.predicates.into_iter().chain(model.bounds.iter().cloned()) {
        if written.insert(predicate.to_token_stream().to_string()) {
            clause.predicates.push(predicate);
        }
    }
    generics
}

struct WalkedParams<'n> {
    names: &'n BTreeSet<String>,
    /// The parameters that are walked somewhere.
    walked: BTreeSet<String>,
    predicates: Vec<WherePredicate>,
}

impl WalkedParams<'_> {
    fn read_field(&mut self, role: &Role, ty: &Type, heap: &TokenStream) {
        match role {
            Role::Skip(None) if self.mentions(ty) => {
                self.predicates.push(parse_quote!(#ty: ::core::default::Default));
            }
            Role::Skip(_) | Role::With(_) => {}
            Role::Link { target, .. } => {
                self.read(target, heap);
                self.read(ty, heap);
            }
            Role::Ordinary | Role::Plain | Role::Pointer | Role::Buffer(_) | Role::Arena(_) => {
                self.read(ty, heap)
            }
        }
    }

    fn read(&mut self, ty: &Type, heap: &TokenStream) {
        match ty {
            Type::Paren(paren) => self.read(&paren.elem, heap),
            Type::Group(group) => self.read(&group.elem, heap),
            Type::Array(array) => self.read(&array.elem, heap),
            Type::Slice(slice) => self.read(&slice.elem, heap),
            Type::Ptr(pointer) => self.read(&pointer.elem, heap),
            Type::Tuple(tuple) => tuple.elems.iter().for_each(|ty| self.read(ty, heap)),
            Type::Path(path) => self.read_path(path, heap),
            _ => {}
        }
    }

    fn read_path(&mut self, path: &syn::TypePath, heap: &TokenStream) {
        if let Some(qself) = &path.qself {
            // Only the compiler knows the type `<T as Trait>::Name`.
            if self.mentions(&qself.ty) {
                self.predicates.push(parse_quote!(#path: #heap::Heap));
            }
            return;
        }
        let segments = &path.path.segments;
        if self.names.contains(&segments[0].ident.to_string()) {
            if segments.len() == 1 {
                self.walked.insert(segments[0].ident.to_string());
            } else {
                self.predicates.push(parse_quote!(#path: #heap::Heap));
            }
            return;
        }
        let segment = segments.last().expect("a path has a segment");
        let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return };
        if segment.ident == "PhantomData" {
            return;
        }
        let types = arguments.args.iter().filter_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        });
        let name = segment.ident.to_string();
        for (index, ty) in types.enumerate() {
            let is_hasher = matches!((&*name, index), ("HashMap", 2) | ("HashSet", 1));
            if let Some(bound) = asked_of(&name, index).filter(|_| self.mentions(ty)) {
                self.predicates.push(parse_quote!(#ty: #bound));
            }
            if !is_hasher {
                self.read(ty, heap);
            }
        }
    }

    fn mentions(&self, ty: &Type) -> bool {
        mentions(ty.to_token_stream(), self.names)
    }
}

fn mentions(tokens: TokenStream, names: &BTreeSet<String>) -> bool {
    tokens.into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => names.contains(&ident.to_string()),
        proc_macro2::TokenTree::Group(group) => mentions(group.stream(), names),
        _ => false,
    })
}

/// The bounds that a type of the standard library requires of its type argument at `index`, besides
/// a heap.
fn asked_of(name: &str, index: usize) -> Option<TokenStream> {
    Some(match (name, index) {
        ("BTreeMap" | "BTreeSet" | "BinaryHeap", 0) => quote!(::core::cmp::Ord),
        ("HashMap" | "HashSet", 0) => quote!(::core::cmp::Eq + ::core::hash::Hash),
        ("HashMap", 2) | ("HashSet", 1) => {
            quote!(::core::hash::BuildHasher + ::core::default::Default + 'static)
        }
        ("Cell", 0) => quote!(::core::marker::Copy),
        _ => return None,
    })
}
