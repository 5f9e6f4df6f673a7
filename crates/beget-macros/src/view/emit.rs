//! The view type and the implementation of `Viewed`.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{Error, Generics, Member, Result, Visibility, parse_quote};

use crate::heap::attributes::{Role, SlotOrder};
use crate::heap::model::{FieldDecl, Model, Record, Shape, Variant};
use crate::options::call_site_at;

pub(crate) fn implementation(
    model: &Model,
    visibility: &Visibility,
    view: &Ident,
) -> Result<TokenStream> {
    let krate = &model.krate;
    let emitter = ViewEmitter { model, visibility, view, heap: quote!(#krate::heap) };
    match &model.shape {
        Shape::Struct(record) => emitter.of_struct(record),
        Shape::Enum(variants) => Ok(emitter.of_enum(variants)),
    }
}

struct ViewEmitter<'m> {
    model: &'m Model,
    visibility: &'m Visibility,
    view: &'m Ident,
    /// The path of `beget_heap` as the user's crate reaches it.
    heap: TokenStream,
}

impl ViewEmitter<'_> {
    fn of_struct(&self, record: &Record) -> Result<TokenStream> {
        let fields = self.seen_fields(record)?;
        let (view_type, node_view) = (self.view_type(), self.node_view());
        let (accessors, viewed) = (self.accessors(&fields), self.viewed(&fields));
        Ok(quote!(#view_type #node_view #accessors #viewed))
    }

    /// The type's generics with every type parameter viewed.
    fn generics(&self) -> Generics {
        let heap = &self.heap;
        let mut generics = self.model.generics.clone();
        for parameter in generics.type_params_mut() {
            parameter.bounds.push(parse_quote!(#heap::Heap));
            parameter.bounds.push(parse_quote!(#heap::view::Viewed));
        }
        generics
    }

    /// Like [`ViewEmitter::generics`], with the lifetime of the heap in front.
    fn view_generics(&self) -> Generics {
        let mut generics = self.generics();
        generics.params.insert(0, parse_quote!('beget_heap));
        generics
    }

    fn view_type(&self) -> TokenStream {
        let (heap, view, visibility) = (&self.heap, self.view, self.visibility);
        let ident = &self.model.ident;
        let generics = self.view_generics();
        let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
        let (_, own_generics, _) = self.model.generics.split_for_impl();
        let doc = format!("A [`{ident}`] as a heap view shows it: `Copy`, and equal by identity.");
        let traits = self.view_traits(&impl_generics, &type_generics, where_clause);
        quote! {
            #[doc = #doc]
            #[allow(dead_code, unreachable_pub, private_interfaces, private_bounds)]
            #visibility struct #view #impl_generics (
                #heap::view::Place<'beget_heap>,
                ::core::marker::PhantomData<fn() -> #ident #own_generics>,
            ) #where_clause;

            #traits
        }
    }

    fn view_traits(
        &self,
        impl_generics: &syn::ImplGenerics<'_>,
        type_generics: &syn::TypeGenerics<'_>,
        where_clause: Option<&syn::WhereClause>,
    ) -> TokenStream {
        let view = self.view;
        let name = view.unraw().to_string();
        quote! {
            #[automatically_derived]
            impl #impl_generics ::core::clone::Clone for #view #type_generics #where_clause {
                #[inline(always)]
                fn clone(&self) -> Self {
                    *self
                }
            }

            #[automatically_derived]
            impl #impl_generics ::core::marker::Copy for #view #type_generics #where_clause {}

            #[automatically_derived]
            impl #impl_generics ::core::cmp::PartialEq for #view #type_generics #where_clause {
                #[inline(always)]
                fn eq(&self, other: &Self) -> bool {
                    self.0 == other.0
                }
            }

            #[automatically_derived]
            impl #impl_generics ::core::cmp::Eq for #view #type_generics #where_clause {}

            #[automatically_derived]
            impl #impl_generics ::core::hash::Hash for #view #type_generics #where_clause {
                #[inline(always)]
                fn hash<BegetHasher: ::core::hash::Hasher>(&self, state: &mut BegetHasher) {
                    ::core::hash::Hash::hash(&self.0, state);
                }
            }

            #[automatically_derived]
            impl #impl_generics ::core::fmt::Debug for #view #type_generics #where_clause {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    ::core::write!(f, "{}{:?}", #name, self.0)
                }
            }
        }
    }

    fn node_view(&self) -> TokenStream {
        let (heap, view) = (&self.heap, self.view);
        let generics = self.view_generics();
        let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
        quote! {
            #[automatically_derived]
            impl #impl_generics #heap::view::NodeView<'beget_heap> for #view #type_generics #where_clause {
                #[inline(always)]
                fn place(self) -> #heap::view::Place<'beget_heap> {
                    self.0
                }

                #[inline(always)]
                fn at(place: #heap::view::Place<'beget_heap>) -> Self {
                    Self(place, ::core::marker::PhantomData)
                }
            }
        }
    }

    fn accessors(&self, fields: &[(&FieldDecl, TokenStream)]) -> TokenStream {
        let (heap, view) = (&self.heap, self.view);
        let generics = self.view_generics();
        let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
        let accessors = fields.iter().enumerate().map(|(position, (field, ty))| {
            let name = accessor_name(&field.member);
            let offset = self.cells(&fields[..position]);
            let doc = format!("The field `{}`.", field.name);
            quote_spanned! {call_site_at(&field.ty)=>
                #[doc = #doc]
                #[inline(always)]
                pub fn #name(self) -> <#ty as #heap::view::Viewed>::View<'beget_heap> {
                    <#ty as #heap::view::Viewed>::view(
                        #heap::view::Place::offset(self.0, const { #offset }),
                    )
                }
            }
        });
        quote! {
            #[automatically_derived]
            #[allow(
                dead_code, unreachable_pub, private_interfaces, private_bounds, non_snake_case, clippy::all,
            )]
            impl #impl_generics #view #type_generics #where_clause {
                #(#accessors)*
            }
        }
    }
    /// The number of cells of the fields.
    fn cells(&self, fields: &[(&FieldDecl, TokenStream)]) -> TokenStream {
        let heap = &self.heap;
        let types = fields.iter().map(|(_, ty)| ty);
        quote!(0 #(+ <#types as #heap::view::Viewed>::CELLS)*)
    }

    fn viewed(&self, fields: &[(&FieldDecl, TokenStream)]) -> TokenStream {
        let (heap, view, ident) = (&self.heap, self.view, &self.model.ident);
        let generics = self.generics();
        let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
        let with_heap = self.view_generics_for(quote!('beget_view));
        let cells = self.cells(fields);
        let shapes = fields.iter().map(|(field, ty)| {
            let (index, name) = (field.index, &field.name);
            quote! {
                maker.field::<Self>(#index, #name, <#ty as #heap::view::Viewed>::shape);
            }
        });
        quote! {
            #[automatically_derived]
            #[allow(clippy::all, unused_variables)]
            impl #impl_generics #heap::view::Viewed for #ident #type_generics #where_clause {
                type View<'beget_view> = #view #with_heap;
                type Optional<'beget_view> = ::core::option::Option<#view #with_heap>;
                const CELLS: u32 = #cells;
                const NULL: ::core::option::Option<i64> = ::core::option::Option::None;

                fn shape(maker: &mut #heap::view::Maker) {
                    maker.record::<Self>(|maker| { #(#shapes)* });
                }

                #[inline(always)]
                fn view(place: #heap::view::Place<'_>) -> Self::View<'_> {
                    <Self::View<'_> as #heap::view::NodeView<'_>>::at(place)
                }

                #[inline(always)]
                fn view_optional(place: #heap::view::Place<'_>) -> Self::Optional<'_> {
                    if #heap::view::Place::read(place) == 0 {
                        return ::core::option::Option::None;
                    }
                    ::core::option::Option::Some(Self::view(#heap::view::Place::offset(place, 1)))
                }
            }

            #[automatically_derived]
            impl #impl_generics #heap::view::Root for #ident #type_generics #where_clause {
                type Predicate = for<'beget_view> fn(#view #with_heap) -> #heap::view::Verdict;

                #[inline(always)]
                fn check(
                    holds: Self::Predicate,
                    root: #heap::view::Place<'_>,
                ) -> #heap::view::Verdict {
                    holds(#heap::view::NodeView::at(root))
                }
            }
        }
    }

    /// The arguments of the view type: the lifetime, then the type's own.
    fn view_generics_for(&self, lifetime: TokenStream) -> TokenStream {
        let own = self.model.generics.params.iter().map(|parameter| match parameter {
            syn::GenericParam::Lifetime(lifetime) => {
                let lifetime = &lifetime.lifetime;
                quote!(#lifetime)
            }
            syn::GenericParam::Type(ty) => {
                let ident = &ty.ident;
                quote!(#ident)
            }
            syn::GenericParam::Const(value) => {
                let ident = &value.ident;
                quote!(#ident)
            }
        });
        quote!(<#lifetime #(, #own)*>)
    }

    /// An enum without fields is its own view. One without variants has no value.
    fn of_enum(&self, variants: &[Variant]) -> TokenStream {
        let (heap, ident) = (&self.heap, &self.model.ident);
        let names = variants.iter().map(|variant| variant.ident.unraw().to_string());
        let arms = variants.iter().enumerate().map(|(index, variant)| {
            let (index, variant) = (index as i64, &variant.ident);
            quote!(#index => Self::#variant,)
        });
        quote! {
            #[automatically_derived]
            #[allow(unreachable_code, clippy::all)]
            impl #heap::view::Viewed for #ident {
                type View<'beget_view> = Self;
                type Optional<'beget_view> = ::core::option::Option<Self>;
                const CELLS: u32 = 1;
                const NULL: ::core::option::Option<i64> = ::core::option::Option::Some(-1);

                fn shape(maker: &mut #heap::view::Maker) {
                    maker.record::<Self>(|maker| {
                        maker.cell(|cell| #heap::view::Item::Variant(cell, &[#(#names),*]));
                    });
                }

                #[inline(always)]
                fn view(place: #heap::view::Place<'_>) -> Self {
                    Self::view_optional(place).expect("a variant of the enum")
                }

                #[inline(always)]
                fn view_optional(place: #heap::view::Place<'_>) -> ::core::option::Option<Self> {
                    ::core::option::Option::Some(match #heap::view::Place::read(place) {
                        #(#arms)*
                        _ => return ::core::option::Option::None,
                    })
                }
            }
        }
    }

    /// The fields that are walked, each with the type of its view.
    fn seen_fields<'f>(&self, record: &'f Record) -> Result<Vec<(&'f FieldDecl, TokenStream)>> {
        let walked = record
            .fields
            .iter()
            .filter(|f| !matches!(f.role, Role::Skip(_) | Role::Arena(SlotOrder::Any)));
        walked.map(|field| Ok((field, self.seen_type(field)?))).collect()
    }

    fn seen_type(&self, field: &FieldDecl) -> Result<TokenStream> {
        let (heap, ty) = (&self.heap, &field.ty);
        match &field.role {
            Role::Pointer => Ok(quote!(#heap::view::RawView<#ty>)),
            Role::Link { target, null } => {
                let has_null = null.is_some();
                Ok(quote! {
                    #heap::view::LinkView<#target, { <#ty as #heap::arena::Link>::OPTIONAL || #has_null }>
                })
            }
            Role::Arena(SlotOrder::OfCalls) => Err(Error::new_spanned(
                ty,
                "a repOK does not see which slot is which: write `#[heap(arena(any_order))]`",
            )),
            Role::Plain | Role::Buffer(_) | Role::With(_) => Err(Error::new_spanned(
                ty,
                "a `plain` field, a buffer, or a field seen through a function (`with`), has no view: `#[heap(skip)]` it, or \
                 implement `Viewed` by hand",
            )),
            _ => Ok(quote!(#ty)),
        }
    }
}

fn accessor_name(member: &Member) -> Ident {
    match member {
        Member::Named(name) => name.clone(),
        Member::Unnamed(index) => format_ident!("field_{}", index.index),
    }
}
