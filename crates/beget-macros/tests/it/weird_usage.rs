//! Legal oddities: raw identifiers, generics, a renamed crate, nested modules, macros that write
//! derives.
#![deny(missing_docs, warnings, clippy::all, clippy::pedantic)]
#![allow(
    dead_code,
    unreachable_pub,
    clippy::must_use_candidate,
    clippy::needless_arbitrary_self_type,
    clippy::needless_pass_by_value,
    clippy::trivially_copy_pass_by_ref
)]
#![forbid(unsafe_code)]

use beget::heap::{Schema, laws};
use beget::{Domain, HasSuite, Heap};
use beget_suite::{Passing, Pools};

/// The crate under another name, as `package = "beget"` in a manifest gives it.
mod renamed {
    pub(crate) use beget as other;
}

mod nested {
    pub(crate) mod deeper {
        /// Everything through the other name.
        #[derive(
            Clone,
            Debug,
            crate::weird_usage::renamed::other::Heap,
            crate::weird_usage::renamed::other::Domain,
        )]
        #[heap(crate = crate::weird_usage::renamed::other)]
        #[domain(crate = crate::weird_usage::renamed::other)]
        pub(crate) struct Renamed {
            pub(crate) inner: super::Sibling,
        }

        #[crate::weird_usage::renamed::other::api(crate = crate::weird_usage::renamed::other)]
        impl Renamed {
            pub fn new(inner: super::Sibling) -> Self {
                Renamed { inner }
            }
        }

        crate::weird_usage::renamed::other::suite! {
            #[crate = crate::weird_usage::renamed::other]
            pub(crate) suite Siblings for super::Sibling {
                fn clone(&self) -> Self;
            }
        }
    }

    #[derive(Clone, Copy, Debug, beget::Heap, beget::Domain)]
    pub(crate) enum Sibling {
        Only,
    }
}

#[test]
fn a_renamed_crate_is_reached_through_the_crate_option() {
    let suite = nested::deeper::Renamed::suite();
    assert_eq!((suite.name.as_str(), suite.methods.len()), ("Renamed", 1));
    assert_eq!(nested::deeper::Siblings::suite().types[0].name, "Sibling");
    let values = nested::deeper::Renamed::values(&Pools::default()).unwrap();
    assert_eq!(values[0].to_source(), "Renamed { inner: Sibling::Only }");
    laws::check(&values[0]).unwrap();
}

/// Raw identifiers, and names that the emitted code uses itself.
#[derive(Clone, Debug, Heap)]
pub struct r#Type {
    r#fn: u8,
    class: u8,
    walker: u8,
    field_0: u8,
    schema: Option<Box<r#Type>>,
    decoder: u8,
}

#[beget::api]
impl r#Type {
    /// A constructor named by a keyword.
    pub fn r#new(r#fn: u8, call: u8, output_0: u8, result: u8) -> Self {
        r#Type { r#fn, class: call, walker: output_0, field_0: result, schema: None, decoder: 0 }
    }

    /// A method named by a keyword, with a pattern for a parameter.
    pub fn r#match(&mut self, (left, _): (u8, u8), mut by: u8) -> Option<u8> {
        by += left;
        self.class += by;
        None
    }

    /// Never returns.
    pub fn diverge(self: &Self) -> ! {
        std::process::exit(1)
    }

    /// Comes and goes with its method.
    #[cfg(any())]
    pub fn left_out(&self) {}
}

#[test]
fn raw_identifiers_lose_their_mark_in_names_and_keep_it_in_source() {
    let suite = r#Type::suite();
    assert_eq!(suite.name, "Type");
    let method = suite.method_named("match").unwrap();
    assert_eq!(method.path, "r#Type::r#match");
    let names: Vec<_> = method.params.iter().map(|param| param.name).collect();
    assert_eq!(names, ["self", "argument_1", "by"]);
    let diverge = suite.method_named("diverge").unwrap();
    assert_eq!(diverge.structure_params().next().unwrap().1, Passing::Ref);
    assert_eq!(suite.methods.len(), 3);
    let schema = Schema::of::<r#Type>();
    let fields: Vec<_> = schema.classes()[0].fields.iter().map(|field| field.name).collect();
    assert_eq!(fields, ["class", "decoder", "field_0", "fn", "schema", "walker"]);
    laws::check(&r#Type::new(1, 2, 3, 4)).unwrap();
}

/// Parameters with bounds, defaults, constants and where clauses.
#[derive(Debug, Heap)]
pub struct Generic<T: Clone, W, const N: usize = 2>
where
    W: PartialEq,
    Option<T>: Clone,
{
    array: [T; N],
    value: W,
    next: Option<Box<Generic<T, W, N>>>,
}

/// A generic enum without variants for one of its parameters.
#[derive(Clone, Debug, Heap, Domain)]
pub enum Either<L, R> {
    /// One.
    Left(L),
    /// Or the other.
    Right {
        /// The other.
        value: R,
    },
}

/// No values at all.
#[derive(Clone, Debug, Heap, Domain)]
pub enum Never {}

/// No fields, three ways.
#[derive(Clone, Debug, Heap, Domain)]
pub struct Braces {}

/// No fields, three ways.
#[derive(Clone, Debug, Heap, Domain)]
pub struct Parens();

/// More than ten fields, walked in the order of the bytes of their names.
#[derive(Debug, Heap)]
pub struct Wide(u8, u8, bool, u8, u8, u8, u8, u8, u8, u8, String);

#[test]
fn generics_and_empty_types_keep_the_laws() {
    let inner = Generic { array: [1_u8, 2], value: 3_i32, next: None };
    laws::check(&Generic { array: [1, 2], value: 3, next: Some(Box::new(inner)) }).unwrap();
    let pools = Pools { ints: Some(vec![1]), ..Pools::default() };
    for either in Either::<u8, Option<bool>>::values(&pools).unwrap() {
        laws::check(&either).unwrap();
    }
    laws::check(&(Braces {}, Parens(), None::<Box<Never>>)).unwrap();
    assert_eq!(
        (Braces {}.to_source(), Parens().to_source()),
        ("Braces {}".into(), "Parens()".into())
    );
    laws::check(&Wide(1, 2, true, 3, 4, 5, 6, 7, 8, 9, "ten".into())).unwrap();
    let schema = Schema::of::<Wide>();
    let order: Vec<_> = schema.classes()[0].fields.iter().map(|field| field.name).collect();
    assert_eq!(order, ["0", "1", "10", "2", "3", "4", "5", "6", "7", "8", "9"]);
}

macro_rules! node {
    ($name:ident { $($field:ident: $ty:ty),* }, $method:ident($($param:ident: $param_ty:ty),*)) => {
        #[doc = "Written by a macro."]
        #[derive(Clone, Debug, Heap)]
        pub struct $name {
            $($field: $ty,)*
            #[heap(skip)]
            cache: u8,
        }

        #[beget::api]
        impl $name {
            /// Written by a macro.
            pub fn $method($($param: $param_ty),*) -> Self {
                $name { $($field: $param.into(),)* cache: 0 }
            }
        }
    };
}

node!(Node { value: u16, more: u32 }, make(value: u8, more: u16));

#[test]
fn macros_can_write_derives_and_suites() {
    laws::check(&Node::make(1, 2)).unwrap();
    assert_eq!(Node::suite().method_named("make").unwrap().literal_params().count(), 2);
}

/// Types that shadow the prelude.
mod shadowing {
    type Option<T> = std::option::Option<T>;
    struct Some;
    struct Result;
    struct Vec;
    struct String;
    struct Box;

    /// Its own words for common things.
    #[derive(Clone, beget::Heap, beget::Domain)]
    pub(crate) enum Shadow {
        None,
        Ok { some: Option<u8> },
    }

    #[beget::api(only(make))]
    impl Shadow {
        pub fn make(some: Option<u8>) -> Self {
            Shadow::Ok { some }
        }

        pub fn generic<T>(_: T) {}
    }
}

#[test]
fn shadowed_prelude_names_do_no_harm() {
    let suite = shadowing::Shadow::suite();
    assert_eq!(suite.methods.len(), 1);
    laws::check(&shadowing::Shadow::make(Some(1))).unwrap();
}
