//! Structures inside other types: `self: Rc<Self>`, `Option<Self>`, `&[Self]`. The glue wraps the
//! structures; if a type can hold different numbers of them, a signature becomes several methods.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{GenericArgument, PathArguments, Type};

use super::method::PassingMode;
use super::types::Types;

/// The most structures in a list.
const MOST_IN_LIST: usize = 2;

/// One way to fill a parameter.
#[derive(Clone)]
pub(crate) struct Case {
    /// The suffix of the method's name, with `@` for the parameter's.
    pub(crate) suffix: String,
    /// The types of the structures in it.
    pub(crate) slots: Vec<(usize, PassingMode)>,
    pub(crate) build: Build,
}

/// A recipe for a parameter from its structures.
#[derive(Clone)]
pub(crate) enum Build {
    Slot(usize),
    None,
    Some(Box<Build>),
    /// `Box::new` and the like.
    New(&'static str, Box<Build>),
    Vec(Vec<Build>),
    Slice(Vec<Build>),
}

impl Case {
    /// All ways to fill a parameter of type `ty` that has structures in other types; `None` if
    /// there are none, or the glue cannot build it.
    pub(crate) fn all_of(ty: &Type, types: Types<'_>) -> Option<Vec<Case>> {
        let cases = Case::read(ty, types)?;
        cases.iter().any(|case| !matches!(case.build, Build::Slot(_))).then_some(cases)
    }

    fn read(ty: &Type, types: Types<'_>) -> Option<Vec<Case>> {
        if let Some((found, passing)) = types.find_passed(ty) {
            let slots = vec![(found, passing)];
            return Some(vec![Case { suffix: String::new(), slots, build: Build::Slot(0) }]);
        }
        if let Type::Reference(reference) = ty {
            let Type::Slice(slice) = &*reference.elem else { return None };
            let element = single(Case::read(&slice.elem, types)?)?;
            return reference.mutability.is_none().then(|| lists(&element, Build::Slice));
        }
        let Type::Path(path) = ty else { return None };
        let segment = path.path.segments.last()?;
        let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
        let Some(GenericArgument::Type(inner)) = arguments.args.first() else { return None };
        let inner = Case::read(inner, types)?;
        let wrapped = |wrap: &dyn Fn(Box<Build>) -> Build| {
            let wrap = |case: Case| Case { build: wrap(Box::new(case.build)), ..case };
            inner.iter().cloned().map(wrap).collect::<Vec<_>>()
        };
        match &*segment.ident.to_string() {
            "Option" => {
                let none =
                    Case { suffix: "_without_@".to_owned(), slots: vec![], build: Build::None };
                let mut cases = wrapped(&Build::Some);
                cases.push(none);
                Some(cases)
            }
            "Box" => Some(wrapped(&|inner| Build::New("std::boxed::Box", inner))),
            "Rc" => Some(wrapped(&|inner| Build::New("std::rc::Rc", inner))),
            "Arc" => Some(wrapped(&|inner| Build::New("std::sync::Arc", inner))),
            "Vec" => Some(lists(&single(inner)?, Build::Vec)),
            _ => None,
        }
    }
}

fn single(cases: Vec<Case>) -> Option<Case> {
    <[Case; 1]>::try_from(cases).ok().map(|[case]| case)
}

/// Lists of no element and of each number up to the most.
fn lists(element: &Case, list: fn(Vec<Build>) -> Build) -> Vec<Case> {
    let width = element.slots.len();
    let of_length = |length: usize| Case {
        suffix: format!("_{length}_@"),
        slots: element.slots.repeat(length),
        build: list((0..length).map(|index| element.build.shifted(index * width)).collect()),
    };
    (0..=MOST_IN_LIST).map(of_length).collect()
}

impl Build {
    /// The same with later structures.
    fn shifted(&self, by: usize) -> Build {
        let all = |builds: &[Build]| builds.iter().map(|build| build.shifted(by)).collect();
        match self {
            Build::Slot(slot) => Build::Slot(slot + by),
            Build::None => Build::None,
            Build::Some(inner) => Build::Some(Box::new(inner.shifted(by))),
            Build::New(path, inner) => Build::New(path, Box::new(inner.shifted(by))),
            Build::Vec(builds) => Build::Vec(all(builds)),
            Build::Slice(builds) => Build::Slice(all(builds)),
        }
    }

    /// The expression from the locals of its structures.
    pub(crate) fn expression(&self, locals: &[Ident]) -> TokenStream {
        let all = |builds: &[Build]| {
            let elements = builds.iter().map(|build| build.expression(locals));
            quote!(#(#elements),*)
        };
        match self {
            Build::Slot(slot) => {
                let local = &locals[*slot];
                quote!(#local)
            }
            Build::None => quote!(::core::option::Option::None),
            Build::Some(inner) => {
                let inner = inner.expression(locals);
                quote!(::core::option::Option::Some(#inner))
            }
            Build::New(path, inner) => {
                let path: syn::Path = syn::parse_str(path).expect("a path");
                let inner = inner.expression(locals);
                quote!(::#path::new(#inner))
            }
            Build::Vec(builds) => {
                let elements = all(builds);
                quote!(::std::vec![#elements])
            }
            Build::Slice(builds) => {
                let elements = all(builds);
                quote!(&[#elements])
            }
        }
    }

    /// The expression in recipes, with `{n}` for the method's parameter number `n`; `first` is that
    /// of its first structure.
    pub(crate) fn template(&self, first: usize) -> String {
        let all = |builds: &[Build]| {
            builds.iter().map(|build| build.template(first)).collect::<Vec<_>>().join(", ")
        };
        match self {
            Build::Slot(slot) => format!("{{{}}}", first + slot),
            Build::None => "None".to_owned(),
            Build::Some(inner) => format!("Some({})", inner.template(first)),
            Build::New("std::boxed::Box", inner) => format!("Box::new({})", inner.template(first)),
            Build::New(path, inner) => format!("{path}::new({})", inner.template(first)),
            Build::Vec(builds) => format!("vec![{}]", all(builds)),
            Build::Slice(builds) => format!("&[{}]", all(builds)),
        }
    }
}
