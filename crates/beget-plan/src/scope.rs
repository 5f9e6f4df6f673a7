//! Scope files: the bounds of a run, read, checked, and resolved to a plan.
//!
//! A scope file bounds a search: the number of objects of each class in a structure, the length of
//! its arrays, the literals that the methods are called with. It is one RON struct; everything in
//! it except `suite` and `k` may be left out if nothing needs it. This is a complete one:
//!
//! ```
//! # use std::sync::Arc;
//! # use beget_heap::{Field, Heap, Schema, Walker};
//! # use beget_suite::{LiteralDomain, Method, Outcome, Output, Param, ParamKind, Passing, Suite, Text, TypeIdx};
//! # struct List { head: Option<Box<Node>>, size: u32 }
//! # struct Node { next: Option<Box<Node>>, mod_count: u32, value: i32 }
//! # fn field(name: &'static str, ty: &'static str) -> Field { Field { name, ty, skipped: false } }
//! # impl Heap for List {
//! #     fn describe(schema: &mut Schema) {
//! #         schema.class(Self::class(), &[field("head", "Option<Box<Node>>"), field("size", "u32")]);
//! #         <Option<Box<Node>>>::describe(schema);
//! #     }
//! #     fn walk<W: Walker>(&self, walker: &mut W) { self.head.walk(walker); self.size.walk(walker); }
//! # }
//! # impl Heap for Node {
//! #     fn describe(schema: &mut Schema) {
//! #         let fields = [field("mod_count", "u32"), field("next", "Option<Box<Node>>"), field("value", "i32")];
//! #         if schema.class(Self::class(), &fields) { <Option<Box<Node>>>::describe(schema); }
//! #     }
//! #     fn walk<W: Walker>(&self, walker: &mut W) { self.next.walk(walker); self.value.walk(walker); self.mod_count.walk(walker); }
//! # }
//! # let receiver = Param { name: "self", kind: ParamKind::Structure { ty: TypeIdx::new(0), passing: Passing::Mut } };
//! # let literal = |name, domain| Param { name, kind: ParamKind::Literal { domain, prefix: "" } };
//! # let method = |name, params: Vec<Param>| Method {
//! #     name, signature: "", returns: None, path: "", call: |_| Outcome::Returned, call_observed: None, stand_in: None, fallible: false,
//! #     outputs: if params.is_empty() { vec![Output { ty: TypeIdx::new(0), access: "" }] } else { vec![] },
//! #     params,
//! # };
//! # let suite = Arc::new(Suite {
//! #     name: "roops::ncl".into(),
//! #     doc: "",
//! #     types: vec![beget_suite::type_of::<List>("List", None)],
//! #     methods: vec![
//! #         method("new", vec![]),
//! #         method("add_last", vec![receiver.clone(), literal("value", LiteralDomain::of::<i32>("i32"))]),
//! #         method("remove_index", vec![receiver.clone(), literal("index", LiteralDomain::of::<usize>("usize"))]),
//! #         method("rename", vec![receiver.clone(), literal("name", LiteralDomain::of::<Text>("&str"))]),
//! #         method("clear", vec![receiver]),
//! #     ],
//! #     ..Suite::default()
//! # });
//! use beget_plan::scope::{Overrides, ScopeFile};
//!
//! let text = r#"
//! Scope(
//!     suite: "roops::ncl",
//!     k: 3,
//!     // Most objects of each class. A class named here wins over "*"; `Node` names `Node<i32>` too.
//!     objects: {"*": "k", "Node": "k + 1"},
//!     // Longest array or collection, and longest vector of literals.
//!     arrays: "k",
//!     // The literals by kind: for integers a range, half-open as in Rust, or a list.
//!     ints: "0..k",                    // or "-k..=k", or [0, "2*k - 1"]
//!     strings: ["a", "b"],
//!     chars: "'a'..'c'",               // or ['a', 'b']
//!     floats: [0.0, 1.5],
//!     bools: [false, true],            // as it is without this line
//!     enums: {},                       // e.g. {"Color": ["Red"]}; all variants of those not named
//!     // One parameter's own literals, written as for its kind.
//!     params: {"remove_index.index": "0..=k", "rename.name": ["x"]},
//!     // Fields left out, by a regular expression for the whole name, `field` or `Class.field`.
//!     omit_fields: "mod_count",
//!     // Or All, Except(["clear"]), or Builders("ncl.builders.ron"), a file beside this one.
//!     methods: Only(["new", "add_last", "remove_index", "rename"]),
//!     // What is misuse, not failure: `Err`, and panics with a message that matches.
//!     misuse: (errors: true, panics: ["index out of bounds"]),
//!     budget: (max_calls: None, max_structures: Some(1000000), max_seconds: 60, max_memory_mib: None),
//!     // How much larger structures may be on the way; see `Proper`.
//!     slack: 0,
//!     // The search spaces of repOKs; see `Finitization`.
//!     repoks: {
//!         "published": (
//!             objects: {"Node": "k"},
//!             arrays: "0..=k",
//!             fields: {"List.size": "0..=k", "List.head": "null | Node", "Node.value": "null | 0..k"},
//!         ),
//!     },
//! )"#;
//! let file = ScopeFile::parse("scopes/roops/ncl.ron", text)?;
//! assert_eq!(file.suite_name(), "roops::ncl");
//! let no_files = |_: &str| Err("no such file".to_owned());
//! let resolved = file.resolve(&suite, &Overrides { k: Some(2), ..Overrides::default() }, &no_files)?;
//! assert_eq!(resolved.plan.methods.len(), 4);
//! assert_eq!(format!("{:?}", resolved.plan.methods[1].domains), "[[0, 1]]");
//! assert_eq!(format!("{:?}", resolved.plan.methods[2].domains), "[[0, 1, 2]]");
//! assert_eq!(resolved.plan.bounds.objects["Node"], 3);
//! assert_eq!(resolved.finitizations[0].objects["Node"], 2);
//! # Ok::<(), beget_plan::scope::Diagnostics>(())
//! ```
//!
//! Expressions may use `k`, integers, `+ - * / %`, parentheses, `min(a, b)` and `max(a, b)`;
//! division truncates.
//!
//! # Mistakes
//!
//! All mistakes in a scope file are found before anything runs, as many at once as possible, and
//! shown with their place and a suggestion:
//!
//! ```text
//! error: no method named `ad_last` in suite `roops::ncl`
//!   --> scopes/roops/ncl.ron:21:27
//!    |
//! 21 |     methods: Only(["new", "ad_last", "remove_index"]),
//!    |                            ^^^^^^^
//!    = help: did you mean `add_last`?
//! ```
//!
//! # Limits
//!
//! The crate reads no files, has no list of suites and searches nothing. It does not know whether a
//! space is small enough to search. It rejects inputs that could not even be listed: more than a
//! million literals or 64 MiB of them, ten million calls on a structure, expressions nested 64
//! levels deep, files of more than 4 MiB. It does not check the variants of enums inside a user's
//! struct, nor the fields in which a literal ends up, because a suite does not know these.
#![warn(missing_docs)]

mod builders_file;
mod default;
mod diagnostic;
mod enrich;
mod expr;
mod file;
mod identity;
mod ints;
mod passed;
mod plan;
mod read;
mod resolve;
mod suite_file;
mod syntax;
mod wide;

pub use builders_file::{
    BUILDERS_FORMAT, BuildersClaim, BuildersError, ClaimedExtent, check_builders, suite_of_file,
};
pub use default::{OPTIMISED_DEPENDENCIES, commented_scope, default_scope};
pub use diagnostic::{Diagnostic, Diagnostics, Markup, Severity, suggest, visible};
pub use file::{Scope, ScopeFile, unknown_suite};
pub use identity::first_difference;
pub use ints::DerivedInts;
pub use passed::{BoundName, field_name};
pub use plan::{
    Budget, CallAudits, ErrorRule, FieldLimit, Misuse, Plan, PlanDraft, PlannedIdx, PlannedMethod,
    Proper,
};
pub use resolve::{
    ArrayLengths, FieldDomain, FieldValues, Finitization, MethodsOverride, Overrides, Resolution,
    UnusedMethod,
};
pub use suite_file::{SuiteFileError, SuiteFileFormat, check_suite, suite_fingerprint};
