//! A suite written by hand: a singly linked list that also takes colours, texts, characters and
//! vectors. Its methods are never called.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses its part")]

use std::sync::Arc;

use beget_heap::{ClassKey, Field, Heap, Schema, Walker};
use beget_plan::scope::{Diagnostics, Overrides, Resolution, ScopeFile};
use beget_suite::{
    Domain, DomainError, DomainKind, LiteralDomain, Method, Outcome, Output, Param, ParamKind,
    Passing, Pools, Slice, Suite, Text, TypeIdx, type_of,
};

pub struct List {
    head: Option<Box<Node>>,
    size: usize,
}

pub struct Node {
    value: i32,
    next: Option<Box<Node>>,
    mod_count: u32,
}

fn field(name: &'static str, ty: &'static str) -> Field {
    Field { name, ty, skipped: false }
}

impl Heap for List {
    fn class() -> ClassKey {
        ClassKey::new::<Self>("List<i32>")
    }

    fn describe(schema: &mut Schema) {
        if schema
            .class(Self::class(), &[field("head", "Option<Box<Node>>"), field("size", "usize")])
        {
            <Option<Box<Node>>>::describe(schema);
        }
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        self.head.walk(walker);
        self.size.walk(walker);
    }
}

impl Heap for Node {
    fn describe(schema: &mut Schema) {
        let fields =
            [field("mod_count", "u32"), field("next", "Option<Box<Node>>"), field("value", "i32")];
        if schema.class(Self::class(), &fields) {
            <Option<Box<Node>>>::describe(schema);
        }
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        self.mod_count.walk(walker);
        self.next.walk(walker);
        self.value.walk(walker);
    }
}

/// A user's enum, as its derive would have it.
#[derive(Clone)]
pub struct Color(&'static str);

const COLORS: [&str; 3] = ["Red", "Green", "Blue"];

impl Domain for Color {
    const KIND: DomainKind = DomainKind::User;

    fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
        let Some(names) = pools.enums.get("Color") else { return Ok(COLORS.map(Color).to_vec()) };
        let find = |name: &String| COLORS.into_iter().find(|known| known == name).map(Color);
        let no_variant = |name: &String| DomainError::NoVariant {
            of: "Color",
            name: name.clone(),
            known: COLORS.to_vec(),
        };
        names.iter().map(|name| find(name).ok_or_else(|| no_variant(name))).collect()
    }

    fn to_source(&self) -> String {
        format!("Color::{}", self.0)
    }
}

fn receiver() -> Param {
    let kind = ParamKind::Structure { ty: TypeIdx::new(0), passing: Passing::Mut };
    Param { name: "self", kind }
}

fn structure(name: &'static str) -> Param {
    Param { name, ..receiver() }
}

fn literal<T: Domain>(name: &'static str, ty: &'static str) -> Param {
    Param { name, kind: ParamKind::Literal { domain: LiteralDomain::of::<T>(ty), prefix: "" } }
}

fn method(name: &'static str, params: Vec<Param>) -> Method {
    let is_constructor = params.is_empty();
    let outputs =
        if is_constructor { vec![Output { ty: TypeIdx::new(0), access: "" }] } else { vec![] };
    Method {
        name,
        signature: "",
        returns: None,
        path: "",
        params,
        outputs,
        fallible: false,
        call_observed: None,
        stand_in: None,
        call: |_| Outcome::Returned,
    }
}

fn suite_of(name: &str, methods: Vec<Method>) -> Arc<Suite> {
    let types = vec![type_of::<List>("List<i32>", None)];
    Arc::new(Suite { name: name.to_owned(), doc: "", types, methods, ..Suite::default() })
}

/// Lists of integers.
pub fn list() -> Arc<Suite> {
    suite_of(
        "test::list",
        vec![
            method("new", vec![]),
            method("add_first", vec![receiver(), literal::<i32>("value", "i32")]),
            method("add_last", vec![receiver(), literal::<i32>("value", "i32")]),
            method("remove_index", vec![receiver(), literal::<usize>("index", "usize")]),
            method("append", vec![receiver(), structure("other")]),
            method("clear", vec![receiver()]),
        ],
    )
}

/// As [`list`], with parameters of every kind.
pub fn rich() -> Arc<Suite> {
    suite_of(
        "test::rich",
        vec![
            method("new", vec![]),
            method("add", vec![receiver(), literal::<u8>("value", "u8")]),
            method("paint", vec![receiver(), literal::<Color>("color", "Color")]),
            method("mark", vec![receiver(), literal::<char>("mark", "char")]),
            method("name", vec![receiver(), literal::<Text>("text", "&str")]),
            method("scale", vec![receiver(), literal::<f64>("factor", "f64")]),
            method("flip", vec![receiver(), literal::<bool>("on", "bool")]),
            method("extend", vec![receiver(), literal::<Slice<u8>>("values", "&[u8]")]),
        ],
    )
}

/// A page with a text, whose methods take points, pairs and short floats.
pub struct Page {
    title: String,
    n: u32,
}

impl Heap for Page {
    fn class() -> ClassKey {
        ClassKey::new::<Self>("Page")
    }

    fn describe(schema: &mut Schema) {
        schema.class(Self::class(), &[field("title", "String"), field("n", "u32")]);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        self.title.walk(walker);
        self.n.walk(walker);
    }
}

/// A user's struct that takes integers.
#[derive(Clone)]
pub struct Point(u8);

impl Domain for Point {
    const KIND: DomainKind = DomainKind::User;

    fn values(pools: &Pools) -> Result<Vec<Self>, DomainError> {
        Ok(u8::values(pools)?.into_iter().map(Point).collect())
    }

    fn to_source(&self) -> String {
        format!("Point({})", self.0)
    }
}

/// Pages, see [`Page`]. There is a method that takes no structure and makes none.
pub fn pages() -> Arc<Suite> {
    let types = vec![type_of::<Page>("Page", None)];
    let methods = vec![
        method("new", vec![]),
        method("move_to", vec![receiver(), literal::<Point>("point", "Point")]),
        method("link", vec![receiver(), literal::<(u16, u16)>("pair", "(u16, u16)")]),
        method("scale", vec![receiver(), literal::<f32>("factor", "f32")]),
        method("mark", vec![literal::<u16>("one", "u16"), literal::<u16>("other", "u16")]),
        method("fill", vec![receiver(), literal::<Vec<u8>>("values", "Vec<u8>")]),
    ];
    Arc::new(Suite { types, ..(*suite_of("test::pages", methods)).clone() })
}

/// Deques, whose only class is an array.
pub fn deque() -> Arc<Suite> {
    let types = vec![type_of::<std::collections::VecDeque<u8>>("VecDeque<u8>", None)];
    Arc::new(Suite { types, ..(*suite_of("test::deque", vec![method("new", vec![])])).clone() })
}

pub fn no_files(path: &str) -> Result<String, String> {
    match path {
        "scopes/list.builders.ron" => Ok(BUILDERS.to_owned()),
        "scopes/other.builders.ron" => Ok(BUILDERS.replace("test::list", "test::rich")),
        "scopes/old.builders.ron" => Ok(BUILDERS.replace("add_last", "ad_last").replace('1', "7")),
        "scopes/typo.builders.ron" => Ok(BUILDERS.replace("add_last", "ad_last")),
        _ => Err("no such file".to_owned()),
    }
}

const BUILDERS: &str = r#"Builders(
    version: 1,
    suite: "test::list",
    methods: ["add_last", "new"],
    certificate: (sufficient: "checked at k = 4"),
)"#;

/// Resolves `text` against the suite that it names.
pub fn resolve(path: &str, text: &str, overrides: &Overrides) -> Result<Resolution, Diagnostics> {
    let file = ScopeFile::parse(path, text)?;
    let suites = [list(), rich(), deque(), pages()];
    let suite = suites.iter().find(|suite| suite.name == file.suite_name());
    file.resolve(suite.expect("a known suite"), overrides, &no_files)
}
