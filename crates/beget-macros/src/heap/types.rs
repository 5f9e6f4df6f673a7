//! Facts that the macro can read off the spelling of a field's type.

use syn::{Error, GenericArgument, Path, PathArguments, Result, Type};

/// Rejects types that are walked by their own `Heap` but cannot have one.
pub(crate) fn check_walked(ty: &Type) -> Result<()> {
    if let Some(message) = problem_at_top(ty) {
        return Err(Error::new_spanned(ty, message));
    }
    inner_types(ty).into_iter().try_for_each(check_inner)
}

fn check_inner(ty: &Type) -> Result<()> {
    if is_raw_pointer(ty) {
        return Err(nested_pointer(ty));
    }
    check_walked(ty)
}

fn nested_pointer(ty: &Type) -> Error {
    Error::new_spanned(
        ty,
        "a raw pointer inside another type: put it into a struct of its own whose field is marked \
         `#[heap(unsafe(pointer))]`, or use `#[heap(skip)]` or `#[heap(with = function)]`",
    )
}

fn problem_at_top(ty: &Type) -> Option<&'static str> {
    match ty {
        _ if is_raw_pointer(ty) => Some(
            "a raw pointer is walked only on request: write `#[heap(unsafe(pointer))]` to promise that, \
             whenever the value is walked, it is null or points to a live value that was allocated as `Box` \
             does and belongs to this structure; or `#[heap(skip)]` to leave it out",
        ),
        Type::Reference(reference) if !is_static_str(reference) => Some(
            "a heap owns what it holds, so a reference cannot be walked: use `#[heap(skip)]`, or \
             `#[heap(with = function)]` to show what it means",
        ),
        Type::FnPtr(_) => Some(
            "functions show no heap: use `#[heap(skip)]`, or `#[heap(with = function)]` to show what tells \
             two of them apart",
        ),
        Type::TraitObject(_) => Some(
            "trait objects show no heap: use `#[heap(debug)]` if their `Debug` tells two of them \
             apart, `#[heap(with = function)]` to show what does, or `#[heap(skip)]`",
        ),
        _ => None,
    }
}

fn is_static_str(reference: &syn::TypeReference) -> bool {
    let is_static = reference.lifetime.as_ref().is_some_and(|name| name.ident == "static");
    let is_str = matches!(&*reference.elem, Type::Path(path) if path.path.is_ident("str"));
    is_static && is_str && reference.mutability.is_none()
}

/// Rejects `unsafe(pointer)` on a type that is certainly no raw pointer; a name may be an alias of
/// one.
pub(crate) fn check_pointer(ty: &Type) -> Result<()> {
    let owners = ["Arc", "Box", "Cell", "Option", "Rc", "RefCell", "Vec", "VecDeque", "Weak"];
    let may_be_pointer = match ty {
        Type::Path(_) => owners.iter().all(|owner| argument_of(ty, owner).is_none()),
        _ => false,
    };
    if is_raw_pointer(ty) || may_be_pointer {
        return Ok(());
    }
    let message =
        "`unsafe(pointer)` is for `*mut T`, `*const T`, `NonNull<T>` and `Option<NonNull<T>>`";
    Err(Error::new_spanned(ty, message))
}

/// `*mut T`, `*const T`, `NonNull<T>`, `Option<NonNull<T>>`.
pub(super) fn is_raw_pointer(ty: &Type) -> bool {
    match ty {
        Type::Ptr(_) => true,
        Type::Path(_) => match argument_of(ty, "Option") {
            Some(inner) => argument_of(inner, "NonNull").is_some(),
            None => argument_of(ty, "NonNull").is_some(),
        },
        _ => false,
    }
}

/// `T` of a raw pointer.
pub(super) fn pointee(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Ptr(pointer) => Some(&pointer.elem),
        _ => argument_of(argument_of(ty, "Option").unwrap_or(ty), "NonNull"),
    }
}

/// Returns whether a type is spelled as an integer.
pub(super) fn is_integer(ty: &Type) -> bool {
    const INTEGERS: [&str; 12] =
        ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];
    matches!(ty, Type::Path(path) if INTEGERS.iter().any(|name| path.path.is_ident(name)))
}

/// `T` if the type is spelled `...name<T>`.
pub(crate) fn argument_of<'t>(ty: &'t Type, name: &str) -> Option<&'t Type> {
    let Type::Path(path) = ty else { return None };
    let segment = path.path.segments.last().filter(|segment| segment.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(inner) if arguments.args.len() == 1 => Some(inner),
        _ => None,
    }
}

/// The types within the spelling of a type; none for `PhantomData`, which holds nothing.
fn inner_types(ty: &Type) -> Vec<&Type> {
    match ty {
        Type::Array(array) => vec![&array.elem],
        Type::Slice(slice) => vec![&slice.elem],
        Type::Paren(paren) => vec![&paren.elem],
        Type::Group(group) => vec![&group.elem],
        Type::Tuple(tuple) => tuple.elems.iter().collect(),
        Type::Path(path) => path_arguments(&path.path),
        _ => Vec::new(),
    }
}

fn path_arguments(path: &Path) -> Vec<&Type> {
    let Some(segment) = path.segments.last() else { return Vec::new() };
    match &segment.arguments {
        PathArguments::AngleBracketed(arguments) if segment.ident != "PhantomData" => arguments
            .args
            .iter()
            .filter_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// The element type of an arena.
pub(crate) fn arena_element(ty: &Type) -> Result<&Type> {
    argument_of(ty, "Vec").ok_or_else(|| {
        Error::new_spanned(ty, "an arena is a `Vec<Node>`: links are positions in it")
    })
}

/// Returns whether a type is spelled as a hash map or set.
pub(crate) fn is_hashed(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    let name = path.path.segments.last().map(|segment| segment.ident.to_string());
    matches!(name.as_deref(), Some("HashMap" | "HashSet"))
}

/// The keys' and values' types of a hash map or set; not the hasher's.
pub(crate) fn walked_arguments(ty: &Type) -> Vec<&Type> {
    let Type::Path(path) = ty else { return Vec::new() };
    let is_map = path.path.segments.last().is_some_and(|segment| segment.ident == "HashMap");
    let mut arguments = path_arguments(&path.path);
    arguments.truncate(if is_map { 2 } else { 1 });
    arguments
}
