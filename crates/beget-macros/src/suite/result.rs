//! Results: the places of structures in a returned value, and the ways in which the glue takes them
//! out and source reaches them.
//!
//! `Option`, `Result`, `Box`, tuples, lists, and references to these are searched; a structure may
//! be counted. Everything else is a plain value, which the glue drops, or [shows](super::shown) to
//! a listener.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{GenericArgument, PathArguments, ReturnType, Type};

use super::types::Types;

/// The most structures taken from a list. A call that returns more is out of scope.
pub(crate) const MOST_RETURNED: usize = 8;

/// The shape of a result, as far as its spelling shows.
pub(crate) enum ResultShape {
    /// No structure; `()` and `!` are tuples without parts.
    Value,
    /// A structure of the type of that number; a reference to one lies below `Reference`.
    Structure(usize),
    Option(Box<ResultShape>),
    Result {
        ok: Box<ResultShape>,
        err: Box<ResultShape>,
    },
    Boxed(Box<ResultShape>),
    Tuple(Vec<ResultShape>),
    /// A list of any length, or an array; there are structures in its elements, and no list.
    List {
        element: Box<ResultShape>,
        is_vec: bool,
    },
    /// A structure of the type of that number in an `Rc` or `Arc`, whose path is the second part.
    Counted(usize, &'static str),
    Reference {
        inner: Box<ResultShape>,
        is_mutable: bool,
    },
}

/// A structure in a result.
pub(crate) struct OutputDecl {
    pub(crate) ty: usize,
    /// The access of `beget_suite::Output`; for counted structures it depends on whether the type
    /// has `Clone`.
    pub(crate) access: String,
    pub(crate) is_counted: bool,
    /// True if it is borrowed from somewhere: an argument, or a part of one.
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
            Type::Array(array) => ResultShape::list_of(inside(&array.elem), false),
            Type::Slice(slice) => ResultShape::list_of(inside(&slice.elem), false),
            Type::Path(path) => match first_arguments(&path.path) {
                (name, Some(inner), _) if name == "Vec" || name == "VecDeque" => {
                    ResultShape::list_of(inside(inner), name == "Vec")
                }
                (name, Some(inner), _) if name == "Rc" || name == "Arc" => {
                    let path = if name == "Rc" { "std::rc::Rc" } else { "std::sync::Arc" };
                    types
                        .find(inner)
                        .map_or(ResultShape::Value, |ty| ResultShape::Counted(ty, path))
                }
                (name, Some(inner), _) if name == "Option" => ResultShape::Option(inside(inner)),
                (name, ok, err) if name == "Result" => {
                    let value = || Box::new(ResultShape::Value);
                    let (ok, err) = (ok.map_or_else(value, inside), err.map_or_else(value, inside));
                    // Without structures an error is shown as a whole.
                    let err = if err.has_structures() { err } else { value() };
                    ResultShape::Result { ok, err }
                }
                (name, Some(inner), _) if name == "Box" => match inside(inner) {
                    inner if !inner.can_be_boxed() => ResultShape::Value,
                    inner => ResultShape::Boxed(inner),
                },
                _ => ResultShape::Value,
            },
            _ => ResultShape::Value,
        }
    }

    fn list_of(element: Box<ResultShape>, is_vec: bool) -> Self {
        match element.has_structures() && !element.has_lists() {
            true => ResultShape::List { element, is_vec },
            false => ResultShape::Value,
        }
    }

    /// Returns whether the source expression of a part can begin with a star.
    fn can_be_boxed(&self) -> bool {
        !matches!(self, ResultShape::Reference { .. } | ResultShape::Counted(..))
            && !matches!(self, ResultShape::Boxed(inner) if !inner.can_be_boxed())
    }

    /// Returns whether it contains a list, so that it can hold more structures than are taken.
    pub(crate) fn has_lists(&self) -> bool {
        match self {
            ResultShape::List { .. } => true,
            ResultShape::Value | ResultShape::Structure(_) | ResultShape::Counted(..) => false,
            ResultShape::Option(inner)
            | ResultShape::Boxed(inner)
            | ResultShape::Reference { inner, .. } => inner.has_lists(),
            ResultShape::Result { ok, err } => ok.has_lists() || err.has_lists(),
            ResultShape::Tuple(parts) => parts.iter().any(ResultShape::has_lists),
        }
    }

    /// Returns whether the call can end with an error.
    pub(crate) fn is_fallible(&self) -> bool {
        matches!(self, ResultShape::Result { .. })
    }

    /// Returns whether an error of the call can hold structures.
    pub(crate) fn has_structures_in_error(&self) -> bool {
        matches!(self, ResultShape::Result { err, .. } if err.has_structures())
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
                outputs.push(OutputDecl { ty: *ty, access, is_counted: false, is_borrowed });
            }
            ResultShape::Counted(ty, _) if is_borrowed => {
                let access = format!("{access}.as_ref().clone()");
                outputs.push(OutputDecl { ty: *ty, access, is_counted: false, is_borrowed });
            }
            ResultShape::Counted(ty, path) => {
                let access = format!("{path}::into_inner({{{access}}}).unwrap()");
                // A structure that is also held elsewhere is cloned like a borrowed one.
                outputs.push(OutputDecl { ty: *ty, access, is_counted: true, is_borrowed: true });
            }
            ResultShape::List { element, is_vec } => {
                let collected = if *is_vec { "" } else { ".into_iter().collect::<Vec<_>>()" };
                for index in 0..MOST_RETURNED {
                    let access = match is_borrowed {
                        true => format!("{access}.get({index}).unwrap()"),
                        false => format!("{access}{collected}.remove({index})"),
                    };
                    element.collect(access, is_borrowed, outputs);
                }
            }
            ResultShape::Option(inner) => {
                let borrow = if is_borrowed { ".as_ref()" } else { "" };
                inner.collect(format!("{access}{borrow}.unwrap()"), is_borrowed, outputs);
            }
            ResultShape::Result { ok, err } => {
                let borrow = if is_borrowed { ".as_ref()" } else { "" };
                // The other side need not have `Debug`, which `unwrap` requires.
                let of_ok = if err.has_structures() { ".ok()" } else { "" };
                ok.collect(format!("{access}{borrow}{of_ok}.unwrap()"), is_borrowed, outputs);
                err.collect(format!("{access}{borrow}.err().unwrap()"), is_borrowed, outputs);
            }
            ResultShape::Boxed(inner) if is_borrowed => {
                inner.collect(format!("{access}.as_ref()"), is_borrowed, outputs);
            }
            // A box of several parts gives them through itself.
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
        if let ResultShape::List { element, .. } = self {
            let elements: Vec<_> = (0..MOST_RETURNED)
                .map(|_| element.extract_from(&inside, is_borrowed, next, take))
                .collect();
            return quote!({
                let mut elements = ::core::iter::IntoIterator::into_iter(#value);
                #(if let ::core::option::Option::Some(inside) = elements.next() { #elements })*
                beget_is_longer |= elements.next().is_some();
            });
        }
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
            ResultShape::Counted(ty, path) => {
                let output = output(*next);
                *next += 1;
                if is_borrowed {
                    let taken = take(*ty, &inside);
                    return quote!({ let inside = &**#value; #output = #taken; });
                }
                let (path, taken) = (counted_path(path), take(*ty, &inside));
                quote!(#output = match ::#path::try_unwrap(#value) {
                    ::core::result::Result::Ok(inside) => ::core::option::Option::Some(inside),
                    ::core::result::Result::Err(counted) => {
                        let taken = {
                            let inside = &*counted;
                            #taken
                        };
                        beget_held.push(::std::boxed::Box::new(counted));
                        taken
                    }
                };)
            }
            ResultShape::List { .. } => unreachable!("a list is taken apart above"),
            ResultShape::Option(inner) => {
                let inner = below(inner);
                quote!(if let ::core::option::Option::Some(inside) = #value { #inner })
            }
            ResultShape::Result { ok, err } => {
                let (has_ok, has_err) = (ok.has_structures(), err.has_structures());
                let (ok, err) = (below(ok), below(err));
                match (has_ok, has_err) {
                    (true, false) => {
                        quote!(if let ::core::result::Result::Ok(inside) = #value { #ok })
                    }
                    (false, _) => {
                        quote!(if let ::core::result::Result::Err(inside) = #value { #err })
                    }
                    (true, true) => quote!(match #value {
                        ::core::result::Result::Ok(inside) => { #ok }
                        ::core::result::Result::Err(inside) => { #err }
                    }),
                }
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

fn counted_path(path: &str) -> syn::Path {
    syn::parse_str(path).expect("a path")
}

/// The variable that holds structure number `index` of a result.
pub(crate) fn output(index: usize) -> Ident {
    format_ident!("output_{index}")
}

/// The last segment's name and its first two type arguments.
fn first_arguments(path: &syn::Path) -> (&Ident, Option<&Type>, Option<&Type>) {
    let segment = path.segments.last().expect("a path has a segment");
    let arguments = match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => Some(&arguments.args),
        _ => None,
    };
    let mut types = arguments.into_iter().flatten().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    (&segment.ident, types.next(), types.next())
}
