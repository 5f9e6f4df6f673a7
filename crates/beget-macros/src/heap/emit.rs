//! The implementation of `Heap`: calls into `beget_heap`, field by field.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Type;
use syn::ext::IdentExt;

use super::attributes::{Role, SlotOrder};
use super::bounds::with_bounds;
use super::buffer::{self, BufferLayout, BufferNumber};
use super::model::{FieldDecl, Model, Record, Shape, Variant};
use super::types::{argument_of, is_hashed, walked_arguments};
use crate::options::call_site_at;
use crate::pretty::pretty;

/// Enums with more fields than this are walked by a call.
const INLINED_FIELDS: usize = 8;

pub(crate) fn implementation(model: &Model) -> TokenStream {
    let krate = &model.krate;
    HeapEmitter { model, heap: quote!(#krate::__private::heap) }.implementation()
}

struct HeapEmitter<'m> {
    model: &'m Model,
    /// The path of `beget_heap` as the user's crate reaches it.
    heap: TokenStream,
}

impl HeapEmitter<'_> {
    fn implementation(&self) -> TokenStream {
        let heap = &self.heap;
        let generics = with_bounds(self.model, heap);
        let (impl_generics, _, where_clause) = generics.split_for_impl();
        let (_, type_generics, _) = self.model.generics.split_for_impl();
        let (ident, class_name) = (&self.model.ident, &self.model.class_name);
        let (describe, walk, decode) = (self.describe(), self.walk(), self.decode());
        let allow_unsafe = self
            .model
            .fields()
            .any(|field| matches!(field.role, Role::Pointer | Role::Buffer(_)))
            .then(|| quote!(#[allow(unsafe_code, clippy::undocumented_unsafe_blocks)]));
        quote! {
            #[automatically_derived]
            #[allow(clippy::all, clippy::pedantic, unused_variables, unreachable_code, deprecated)]
            #allow_unsafe
            impl #impl_generics #heap::Heap for #ident #type_generics #where_clause {
                const IS_REGULAR: bool = true;

                fn class() -> #heap::ClassKey {
                    #heap::ClassKey::new::<Self>(#class_name)
                }

                #describe
                #walk
                #decode
            }
        }
    }

    fn describe(&self) -> TokenStream {
        let heap = &self.heap;
        let fields = self.model.fields().map(|field| {
            let name = &field.name;
            let ty = match &field.role {
                Role::Link { target, .. } => {
                    format!("link to {}", pretty(target.to_token_stream()))
                }
                _ => pretty(field.ty.to_token_stream()),
            };
            let skipped = matches!(field.role, Role::Skip(_) | Role::Arena(SlotOrder::Any));
            quote!(#heap::Field { name: #name, ty: #ty, skipped: #skipped })
        });
        let below = self.model.fields().map(|field| self.describe_field(field));
        quote! {
            fn describe(schema: &mut #heap::Schema) {
                if schema.class(<Self as #heap::Heap>::class(), &[#(#fields),*]) {
                    #(#below)*
                }
            }
        }
    }

    fn describe_field(&self, field: &FieldDecl) -> TokenStream {
        let (heap, ty) = (&self.heap, &field.ty);
        let span = call_site_at(ty);
        match &field.role {
            Role::Skip(_) => quote_spanned!(span=> #heap::Schema::unseen::<#ty>(schema);),
            Role::Arena(SlotOrder::Any) => TokenStream::new(),
            Role::Arena(SlotOrder::OfCalls) => {
                let (element, name) = (argument_of(ty, "Vec"), self.name_of_field(field));
                quote!(#heap::arena::describe_numbered::<#element>(#name, schema);)
            }
            Role::Ordinary if is_hashed(ty) => {
                let probe = self.probe(ty);
                let parts = walked_arguments(ty).into_iter().map(|part| {
                    quote_spanned!(call_site_at(part)=> #heap::unordered::check_part::<#part>();)
                });
                quote!({ #(#parts)* #probe.describe_field(schema); })
            }
            Role::Ordinary => {
                quote_spanned!(span=> #heap::Schema::part::<#ty>(schema);)
            }
            Role::Plain => quote_spanned!(span=> #heap::plain::describe::<#ty>(schema);),
            Role::Pointer => quote_spanned!(span=> #heap::raw::describe::<#ty>(schema);),
            Role::Buffer(_) => {
                let element = element_of_buffer(ty);
                quote_spanned!(span=> #heap::raw::describe_buffer::<#element>(schema);)
            }
            Role::Link { target, .. } => {
                quote_spanned!(call_site_at(target)=>
                    <#ty as #heap::arena::LinkField>::describe::<#target>(schema);
                )
            }
            Role::With(see) => {
                quote_spanned!(call_site_at(see)=> #heap::seen::describe::<#ty, _>(#see, schema);)
            }
        }
    }

    fn walk(&self) -> TokenStream {
        let heap = &self.heap;
        let body = match &self.model.shape {
            Shape::Struct(record) => self.walk_record(record, |field| {
                let member = &field.member;
                quote!(&self.#member)
            }),
            Shape::Enum(variants) => self.walk_variants(variants),
        };
        let inline = match &self.model.shape {
            Shape::Enum(_) if self.model.fields().count() > INLINED_FIELDS => quote!(#[inline]),
            _ => quote!(#[inline(always)]),
        };
        quote! {
            #inline
            fn walk<BegetWalker: #heap::Walker>(&self, walker: &mut BegetWalker) {
                let class = <Self as #heap::Heap>::class();
                #heap::Walker::begin_record(walker, class);
                #body
                #heap::Walker::end_record(walker);
            }
        }
    }

    fn walk_variants(&self, variants: &[Variant]) -> TokenStream {
        let heap = &self.heap;
        let of = variants.len() as u32;
        let arms = variants.iter().enumerate().map(|(index, variant)| {
            let (ident, index) = (&variant.ident, index as u32);
            let name = name_of(ident);
            let patterns = variant.record.fields.iter().map(|field| {
                let (member, local) = (&field.member, local(field));
                quote!(#member: #local)
            });
            let body = self.walk_record(&variant.record, |field| local(field).to_token_stream());
            quote! {
                Self::#ident { #(#patterns),* } => {
                    let variant = #heap::Primitive::Variant { index: #index, of: #of, name: #name };
                    #heap::Walker::primitive(walker, variant);
                    #body
                }
            }
        });
        if variants.is_empty() { quote!(match *self {}) } else { quote!(match self { #(#arms)* }) }
    }

    /// Walks the fields; `place` gives a reference to each.
    fn walk_record(
        &self,
        record: &Record,
        place: impl Fn(&FieldDecl) -> TokenStream,
    ) -> TokenStream {
        let heap = &self.heap;
        let arenas: Vec<_> = record
            .arenas()
            .iter()
            .map(|(field, _)| match (&field.role, place(field)) {
                (Role::Arena(SlotOrder::OfCalls), place) => {
                    quote!(#heap::arena::NumberedArena(#place))
                }
                (_, place) => place,
            })
            .collect();
        let fields = record
            .fields
            .iter()
            .filter(|field| !matches!(field.role, Role::Skip(_) | Role::Arena(SlotOrder::Any)))
            .map(|field| {
                let walk = match &field.role {
                    Role::Buffer(layout) => self.walk_buffer(record, field, layout, &place),
                    _ => self.walk_field(field, &place(field)),
                };
                let index = field.index;
                quote!(if #heap::Walker::field(walker, class, #index) { #walk })
            });
        if arenas.is_empty() {
            return quote!(#(#fields)*);
        }
        quote! {{
            let walker = &mut #heap::arena::WithArenas::new(walker, (#(#arenas,)*));
            #(#fields)*
        }}
    }

    fn walk_field(&self, field: &FieldDecl, place: &TokenStream) -> TokenStream {
        let (heap, ty) = (&self.heap, &field.ty);
        let span = call_site_at(ty);
        match &field.role {
            Role::Buffer(_) => unreachable!("a buffer is walked beside its numbers"),
            Role::Skip(_) | Role::Arena(SlotOrder::Any) => TokenStream::new(),
            Role::Arena(SlotOrder::OfCalls) => {
                quote_spanned!(span=> #heap::arena::walk_length(#place, walker);)
            }
            Role::Ordinary if is_hashed(ty) => {
                let probe = self.probe(ty);
                quote!({ #probe.walk_field(#place, walker); })
            }
            Role::Ordinary => {
                quote_spanned!(span=> <#ty as #heap::Heap>::walk_in_place(#place, walker);)
            }
            Role::Plain => quote_spanned!(span=> #heap::plain::walk::<#ty, _>(#place, walker);),
            // SAFETY (of the emitted block): the attribute `unsafe(pointer)` is the author's
            // promise that the pointer is null or points to a live target while the structure is
            // walked.
            Role::Pointer => {
                quote_spanned!(span=> unsafe { #heap::raw::walk::<#ty, _>(#place, walker) };)
            }
            Role::Link { target, .. } => {
                let (null, name) = (null_of(&field.role), self.name_of_field(field));
                quote_spanned!(span=>
                    <#ty as #heap::arena::LinkField>::walk::<#target, _>(#place, #null, #name, walker);
                )
            }
            Role::With(see) => {
                quote_spanned!(call_site_at(see)=> #heap::seen::walk::<#ty, _, _>(#see, #place, walker);)
            }
        }
    }

    /// The field's name in messages.
    fn name_of_field(&self, field: &FieldDecl) -> String {
        format!("{}.{}", self.model.ident.unraw(), field.name)
    }

    /// Walks the elements of the buffer's layout; `place` gives a reference to each field.
    fn walk_buffer(
        &self,
        record: &Record,
        field: &FieldDecl,
        layout: &BufferLayout,
        place: &impl Fn(&FieldDecl) -> TokenStream,
    ) -> TokenStream {
        let (heap, ty) = (&self.heap, &field.ty);
        let (place_of_buffer, element) = (place(field), element_of_buffer(ty));
        let place_of = |name: &Ident| place(record.field(name).expect("the field was found"));
        let field_number = |name: &Ident| {
            let place = place_of(name);
            quote!(#heap::raw::SlotNumber::number(#place))
        };
        let number = |number: &BufferNumber| match number {
            BufferNumber::Fixed(number) => quote!((#number) as usize),
            BufferNumber::Field(name) => field_number(name),
            BufferNumber::Between { end, start } => {
                let (start, end) = (place_of(start), place_of(end));
                quote!(#heap::raw::slots_between(#start, #end, capacity))
            }
        };
        let length = number(&layout.length);
        // SAFETY (of the emitted blocks): the attribute `unsafe(buffer = ..)` is the author's
        // promise that these elements are live while the structure is walked.
        let Some(start) = layout.start.as_ref().map(number) else {
            return quote_spanned!(call_site_at(ty)=> unsafe {
                #heap::raw::walk_buffer::<#ty, #element, _>(#place_of_buffer, #length, walker)
            };);
        };
        let capacity = match layout.capacity.as_ref().map(number) {
            Some(capacity) => capacity,
            None => quote!(#heap::raw::BufferRoom::capacity(#place_of_buffer)),
        };
        quote_spanned!(call_site_at(ty)=> unsafe {
            let capacity = #capacity;
            let live = #heap::raw::LiveSlots { start: #start, length: #length, capacity };
            #heap::raw::walk_ring::<#ty, #element, _>(#place_of_buffer, live, walker)
        };)
    }

    /// Hash maps and sets are shown by `Ord` or, if the keys have none, by form: the compiler
    /// chooses.
    fn probe(&self, ty: &syn::Type) -> TokenStream {
        let heap = &self.heap;
        let span = call_site_at(ty);
        quote_spanned!(span=>
            use #heap::unordered::probe::{IsOrdered as _, IsUnordered as _};
            (&#heap::probe::Probe::<#ty>::new())
        )
    }

    /// Empty if a field is seen through a function, or slots of an arena are not known: the default
    /// implementation fails.
    fn decode(&self) -> TokenStream {
        let is_lost = |field: &FieldDecl| {
            matches!(field.role, Role::With(_) | Role::Buffer(_) | Role::Arena(SlotOrder::OfCalls))
        };
        if self.model.fields().any(is_lost) {
            return TokenStream::new();
        }
        let heap = &self.heap;
        let body = match &self.model.shape {
            Shape::Struct(record) => self.decode_record(record, &quote!(Self)),
            Shape::Enum(variants) => self.decode_variants(variants),
        };
        quote! {
            fn decode(
                decoder: &mut #heap::Decoder<'_>,
            ) -> ::core::result::Result<Self, #heap::Undecodable> {
                let class = <Self as #heap::Heap>::class();
                #body
            }
        }
    }

    fn decode_variants(&self, variants: &[Variant]) -> TokenStream {
        let heap = &self.heap;
        let of = variants.len() as u32;
        let arms = variants.iter().enumerate().map(|(index, variant)| {
            let (index, ident) = (index as u32, &variant.ident);
            let body = self.decode_record(&variant.record, &quote!(Self::#ident));
            quote!(#index => { #body })
        });
        quote! {
            match decoder.variant(#of) {
                #(#arms)*
                _ => ::core::result::Result::Err(#heap::Undecodable::new("there is no such variant")),
            }
        }
    }

    fn decode_record(&self, record: &Record, constructor: &TokenStream) -> TokenStream {
        let arenas = record.arenas();
        let open = arenas.iter().map(|(_, element)| quote!(decoder.open_arena::<#element>();));
        let close = arenas.iter().map(|(field, element)| {
            let local = local(field);
            quote!(let #local = decoder.close_arena::<#element>()?;)
        });
        let read = record.fields.iter().filter_map(|field| {
            let (local, ty, value) = (local(field), &field.ty, self.decode_field(field)?);
            Some(quote!(let #local: #ty = #value;))
        });
        let members = record.fields.iter().map(|field| {
            let (member, local) = (&field.member, local(field));
            quote!(#member: #local)
        });
        quote! {
            #(#open)*
            #(#read)*
            #(#close)*
            ::core::result::Result::Ok(#constructor { #(#members),* })
        }
    }

    fn decode_field(&self, field: &FieldDecl) -> Option<TokenStream> {
        let (heap, ty, index) = (&self.heap, &field.ty, field.index);
        let expected = |value| {
            Some(quote!({
                decoder.expect_field(class, #index)?;
                #value
            }))
        };
        match &field.role {
            Role::Arena(_) | Role::Buffer(_) | Role::With(_) => None,
            Role::Ordinary if is_hashed(ty) => {
                let probe = self.probe(ty);
                expected(quote!({ #probe.decode_field(decoder)? }))
            }
            Role::Ordinary => Some(quote!(decoder.field::<#ty>(class, #index)?)),
            Role::Skip(None) => Some(quote!(<#ty as ::core::default::Default>::default())),
            Role::Skip(Some(value)) => Some(quote!(#value)),
            Role::Plain => expected(quote!(decoder.plain::<#ty>()?)),
            Role::Pointer => expected(quote!(#heap::raw::decode::<#ty>(decoder)?)),
            Role::Link { target, .. } => {
                let null = null_of(&field.role);
                expected(quote_spanned!(call_site_at(ty)=>
                    <#ty as #heap::arena::LinkField>::decode::<#target>(#null, decoder)?
                ))
            }
        }
    }
}

/// The type of the elements that a pointer leads to.
fn element_of_buffer(ty: &Type) -> TokenStream {
    let element = buffer::slot_of(ty);
    match element.and_then(|element| argument_of(element, "MaybeUninit")).or(element) {
        Some(element) => element.to_token_stream(),
        // An alias of a pointer: only the compiler knows its target.
        None => quote!(_),
    }
}

/// The `null` of a link as an `Option`.
fn null_of(role: &Role) -> TokenStream {
    match role {
        Role::Link { null: Some(value), .. } => quote!(::core::option::Option::Some(#value)),
        _ => quote!(::core::option::Option::None),
    }
}

/// The local variable for a field: its value while decoding, a reference to it in a pattern.
fn local(field: &FieldDecl) -> Ident {
    format_ident!("field_{}", field.index)
}

fn name_of(ident: &Ident) -> String {
    ident.unraw().to_string()
}
