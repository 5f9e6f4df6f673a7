//! The item as the walk sees it: records of fields in walking order.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{
    Data, DeriveInput, Error, Fields, Generics, Index, Member, Path, Result, Type, WherePredicate,
};

use super::attributes::{Container, Role};
use super::buffer;
use super::types::{arena_element, check_pointer, check_walked};
use crate::options::Errors;
use crate::pretty::pretty;

/// A struct or enum to implement `Heap` for.
pub(crate) struct Model {
    pub(crate) krate: Path,
    pub(crate) ident: Ident,
    /// An expression.
    pub(crate) class_name: TokenStream,
    pub(crate) generics: Generics,
    /// The bounds that the type asks for.
    pub(crate) bounds: Vec<WherePredicate>,
    pub(crate) shape: Shape,
}

pub(crate) enum Shape {
    Struct(Record),
    Enum(Vec<Variant>),
}

pub(crate) struct Variant {
    pub(crate) ident: Ident,
    pub(crate) record: Record,
}

/// Fields in the order of the walk, ascending by the bytes of their names.
pub(crate) struct Record {
    pub(crate) fields: Vec<FieldDecl>,
}

pub(crate) struct FieldDecl {
    pub(crate) member: Member,
    /// The name in schemas and scope files.
    pub(crate) name: String,
    /// The position in the class's whole list of fields.
    pub(crate) index: usize,
    pub(crate) ty: Type,
    pub(crate) role: Role,
}

impl Model {
    pub(crate) fn of(input: DeriveInput) -> Result<Self> {
        let mut errors = Errors::default();
        let container = errors.keep(Container::of(&input.attrs)).unwrap_or_default();
        if let Some(lifetime) = input.generics.lifetimes().next() {
            errors.push_at(
                lifetime.span(),
                "a heap owns what it holds: `Heap` cannot be derived for a type with lifetimes",
            );
        }
        let shape = errors.keep(Shape::of(input.data, &input.ident, &container));
        errors.finish()?;
        let shape = shape.expect("no error was found");
        Ok(Model {
            krate: container.krate,
            bounds: container.bounds,
            class_name: match container.name {
                Some(name) => name.to_token_stream(),
                None => input.ident.unraw().to_string().to_token_stream(),
            },
            ident: input.ident,
            generics: input.generics,
            shape,
        })
    }

    /// All fields in the order of their indexes.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &FieldDecl> {
        let records: Vec<&Record> = match &self.shape {
            Shape::Struct(record) => vec![record],
            Shape::Enum(variants) => variants.iter().map(|variant| &variant.record).collect(),
        };
        records.into_iter().flat_map(|record| &record.fields)
    }
}

impl Shape {
    fn of(data: Data, ident: &Ident, container: &Container) -> Result<Self> {
        match data {
            Data::Struct(data) => Record::of(data.fields, "", 0, container).map(Shape::Struct),
            Data::Enum(data) => variants(data, container).map(Shape::Enum),
            Data::Union(_) => Err(Error::new(
                ident.span(),
                "`Heap` cannot be derived for a union: which of its fields is live is not known",
            )),
        }
    }
}

fn variants(data: syn::DataEnum, container: &Container) -> Result<Vec<Variant>> {
    let mut errors = Errors::default();
    let (mut variants, mut next) = (Vec::new(), 0);
    for variant in data.variants {
        let prefix = format!("{}.", variant.ident.unraw());
        let n_fields = variant.fields.len();
        if let Some(record) = errors.keep(Record::of(variant.fields, &prefix, next, container)) {
            variants.push(Variant { ident: variant.ident, record });
        }
        next += n_fields;
    }
    errors.finish().map(|()| variants)
}

impl Record {
    fn of(fields: Fields, prefix: &str, first_index: usize, container: &Container) -> Result<Self> {
        let mut errors = Errors::default();
        let mut read: Vec<FieldDecl> = fields
            .into_iter()
            .enumerate()
            .filter_map(|(position, field)| {
                errors.keep(FieldDecl::of(field, prefix, position, container))
            })
            .collect();
        read.sort_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
        for (position, field) in read.iter_mut().enumerate() {
            field.index = first_index + position;
        }
        let record = Record { fields: read };
        record.check_arenas(&mut errors);
        buffer::check(&record, &mut errors);
        errors.finish().map(|()| record)
    }

    /// The fields that hold arenas, with their element types.
    pub(crate) fn arenas(&self) -> Vec<(&FieldDecl, &Type)> {
        let arenas = self.fields.iter().filter(|field| matches!(field.role, Role::Arena(_)));
        arenas.filter_map(|field| Some((field, arena_element(&field.ty).ok()?))).collect()
    }

    /// The field of that name.
    pub(crate) fn field(&self, name: &Ident) -> Option<&FieldDecl> {
        let is_it = |field: &&FieldDecl| matches!(&field.member, Member::Named(own) if own == name);
        self.fields.iter().find(is_it)
    }

    fn check_arenas(&self, errors: &mut Errors) {
        let arenas = self.arenas();
        for (position, (field, element)) in arenas.iter().enumerate() {
            let spelling = element.to_token_stream().to_string();
            let same = |other: &Type| other.to_token_stream().to_string() == spelling;
            if arenas[..position].iter().any(|(_, other)| same(other)) {
                let message = format!(
                    "two arenas of `{}`: a link could not tell them apart; give one of them an element type \
                     of its own",
                    pretty(element.to_token_stream())
                );
                errors.push_over(&field.ty, message);
            }
            if position == 3 {
                errors.push_over(&field.ty, "a struct can have at most three arenas");
            }
        }
    }
}

impl FieldDecl {
    fn of(field: syn::Field, prefix: &str, position: usize, container: &Container) -> Result<Self> {
        let role = Role::of(&field, container)?;
        match &role {
            Role::Ordinary | Role::Plain => check_walked(&field.ty)?,
            Role::Arena(_) => check_walked(arena_element(&field.ty)?)?,
            Role::Pointer => check_pointer(&field.ty)?,
            Role::Buffer(_) => buffer::check_place(&field.ty)?,
            Role::Skip(_) | Role::Link { .. } | Role::With(_) => {}
        }
        let (member, name) = match field.ident {
            Some(ident) => (Member::Named(ident.clone()), ident.unraw().to_string()),
            None => (Member::Unnamed(Index::from(position)), position.to_string()),
        };
        Ok(FieldDecl { member, name: format!("{prefix}{name}"), index: 0, ty: field.ty, role })
    }
}
