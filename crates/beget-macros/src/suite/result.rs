//! Results: where in a returned value the structures are, how the glue takes them out, how source
//! reaches them.
//!
//! Looked through are `Option`, `Result`, `Box`, tuples and references to these; everything else is
//! a plain value, which the glue drops, or [shows](super::shown) if somebody listens.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{GenericArgument, PathArguments, ReturnType, Type};

use super::types::Types;

/// What a result is made of, as far as its spelling tells.
pub(crate) enum ResultShape {
    /// No structure; `()` and `!` are tuples without parts.
    Value,
    /// A structure of the type of that number; a reference to one lies below `Reference`.
    Structure(usize),
    Option(Box<ResultShape>),
    Result(Box<ResultShape>),
    Boxed(Box<ResultShape>),
    Tuple(Vec<ResultShape>),
    Reference {
        inner: Box<ResultShape>,
        is_mutable: bool,
    },
}

/// A structure in a result.
pub(crate) struct OutputDecl {
    pub(crate) ty: usize,
    /// What source appends to the call to reach it; a leading `*` is put before the call.
    pub(crate) access: String,
    /// It is borrowed from somewhere: an argument, or a part of one.
    pub(crate) is_borrowed: bool,
}

impl ResultShape {
    pub(crate) fn of(output: &ReturnType, types: Types<'_>) -> Self {
        match output {
            ReturnType::Default => ResultShape::Tuple(Vec::new()),
            ReturnType::Type(_, ty) => ResultShape::of_type(ty, types, false),
        }
    }

    fn of_type(ty: &Type, types: Types<'_>, is_borrowed: bool) -> Self {
        if let Some(index) = types.find(ty) {
            return ResultShape::Structure(index);
        }
        let inside = |ty: &Type| Box::new(ResultShape::of_type(ty, types, is_borrowed));
        match ty {
            Type::Paren(paren) => *inside(&paren.elem),
            Type::Group(group) => *inside(&group.elem),
            Type::Never(_) => ResultShape::Tuple(Vec::new()),
            Type::Tuple(tuple) => {
                ResultShape::Tuple(tuple.elems.iter().map(|ty| *inside(ty)).collect())
            }
            // A borrowed borrow cannot be cloned into a structure.
            Type::Reference(reference) if !is_borrowed => ResultShape::Reference {
                inner: Box::new(ResultShape::of_type(&reference.elem, types, true)),
                is_mutable: reference.mutability.is_some(),
            },
            Type::Path(path) => match first_argument(&path.path) {
                (name, Some(inner)) if name == "Option" => ResultShape::Option(inside(inner)),
                (name, Some(inner)) if name == "Result" => ResultShape::Result(inside(inner)),
                (name, None) if name == "Result" => {
                    ResultShape::Result(Box::new(ResultShape::Value))
                }
                (name, Some(inner)) if name == "Box" => match inside(inner) {
                    inner if matches!(*inner, ResultShape::Reference { .. }) => ResultShape::Value,
                    inner => ResultShape::Boxed(inner),
                },
                _ => ResultShape::Value,
            },
            _ => ResultShape::Value,
        }
    }

    /// Whether the call can end with an error.
    pub(crate) fn is_fallible(&self) -> bool {
        matches!(self, ResultShape::Result(_))
    }

    /// The structures from left to right.
    pub(crate) fn outputs(&self) -> Vec<OutputDecl> {
        let mut outputs = Vec::new();
        self.collect(String::new(), false, &mut outputs);
        outputs
    }

    fn collect(&self, access: String, is_borrowed: bool, outputs: &mut Vec<OutputDecl>) {
        let clone = if is_borrowed { ".clone()" } else { "" };
        match self {
            ResultShape::Value => {}
            ResultShape::Structure(ty) => {
                let access = format!("{access}{clone}");
                outputs.push(OutputDecl { ty: *ty, access, is_borrowed });
            }
            ResultShape::Option(inner) | ResultShape::Result(inner) => {
                let borrow = if is_borrowed { ".as_ref()" } else { "" };
                inner.collect(format!("{access}{borrow}.unwrap()"), is_borrowed, outputs);
            }
            ResultShape::Boxed(inner) if is_borrowed => {
                inner.collect(format!("{access}.as_ref()"), is_borrowed, outputs);
            }
            // A box of something that has parts gives them through itself.
            ResultShape::Boxed(inner) => match **inner {
                ResultShape::Structure(_) | ResultShape::Boxed(_) => {
                    inner.collect(format!("*{access}"), is_borrowed, outputs);
                }
                _ => inner.collect(access, is_borrowed, outputs),
            },
            ResultShape::Tuple(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    part.collect(format!("{access}.{index}"), is_borrowed, outputs);
                }
            }
            ResultShape::Reference { inner, .. } => inner.collect(access, true, outputs),
        }
    }

    fn has_structures(&self) -> bool {
        !self.outputs().is_empty()
    }

    /// Statements that move the structures of `value` into `output_0`, `output_1`, ... from `next`
    /// on; `take` writes the expression for a borrowed one.
    pub(crate) fn extract(
        &self,
        value: &Ident,
        next: &mut usize,
        take: &dyn Fn(usize, &Ident) -> TokenStream,
    ) -> TokenStream {
        self.extract_from(value, false, next, take)
    }

    fn extract_from(
        &self,
        value: &Ident,
        is_borrowed: bool,
        next: &mut usize,
        take: &dyn Fn(usize, &Ident) -> TokenStream,
    ) -> TokenStream {
        if !self.has_structures() {
            return TokenStream::new();
        }
        let inside = format_ident!("inside");
        let mut below = |shape: &ResultShape| shape.extract_from(&inside, is_borrowed, next, take);
        match self {
            ResultShape::Value => TokenStream::new(),
            ResultShape::Structure(ty) => {
                let output = output(*next);
                *next += 1;
                match is_borrowed {
                    true => {
                        let taken = take(*ty, value);
                        quote!(#output = #taken;)
                    }
                    false => quote!(#output = ::core::option::Option::Some(#value);),
                }
            }
            ResultShape::Option(inner) => {
                let inner = below(inner);
                quote!(if let ::core::option::Option::Some(inside) = #value { #inner })
            }
            ResultShape::Result(inner) => {
                let inner = below(inner);
                quote!(if let ::core::result::Result::Ok(inside) = #value { #inner })
            }
            ResultShape::Boxed(inner) => {
                let inner = below(inner);
                let content = if is_borrowed { quote!(&**#value) } else { quote!(*#value) };
                quote!({ let inside = #content; #inner })
            }
            ResultShape::Tuple(parts) => extract_parts(parts, value, is_borrowed, next, take),
            ResultShape::Reference { inner, .. } => inner.extract_from(value, true, next, take),
        }
    }
}

fn extract_parts(
    parts: &[ResultShape],
    value: &Ident,
    is_borrowed: bool,
    next: &mut usize,
    take: &dyn Fn(usize, &Ident) -> TokenStream,
) -> TokenStream {
    let locals: Vec<_> = (0..parts.len()).map(|index| format_ident!("part_{index}")).collect();
    let patterns = parts.iter().zip(&locals).map(|(part, local)| match part.has_structures() {
        true => quote!(#local),
        false => quote!(_),
    });
    let patterns: Vec<_> = patterns.collect();
    let parts = parts.iter().zip(&locals).map(|(part, local)| {
        let part = part.extract_from(local, is_borrowed, next, take);
        quote!({ #part })
    });
    quote!({
        let (#(#patterns,)*) = #value;
        #(#parts)*
    })
}

/// The variable that holds structure number `index` of a result.
pub(crate) fn output(index: usize) -> Ident {
    format_ident!("output_{index}")
}

/// The last segment's name and its first type argument.
fn first_argument(path: &syn::Path) -> (&Ident, Option<&Type>) {
    let segment = path.segments.last().expect("a path has a segment");
    let argument = match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => {
            arguments.args.iter().find_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            })
        }
        _ => None,
    };
    (&segment.ident, argument)
}
