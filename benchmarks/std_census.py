#!/usr/bin/env python3
"""How many functions of the standard library a run calls with success: the census of Kuperberg and Omri (HeuriGenJ), for Rust.

    benchmarks/std_census.py list
    benchmarks/std_census.py run CARGO_BEGET [TYPE ...]
    benchmarks/std_census.py table
    benchmarks/std_census.py suites CARGO_BEGET
    benchmarks/std_census.py check CARGO_BEGET

`list` reads the pages of the standard library that come with the toolchain (`rustup component add rust-docs`) and writes
benchmarks/published/std_methods.csv: the public, safe, stable functions of each type below, without those that are deprecated, and of
some traits. It is the denominator, and it is checked in.

`suites` writes a crate, target/std, with a suite and a scope for each type, and a program that runs them. The suites are the harnesses that
`cargo beget init` makes, for a crate whose documentation has these signatures and whose code is the standard library itself. An example of
cargo-beget (`cargo build -p cargo-beget --examples`) makes all of them at once: the documentation is read once, and few builds judge all.

`run` makes that crate; `call` of its program looks for a call of each function, and `random` makes as many calls by chance, ten times and a
hundred times as many. What they found goes to target/std-census; `table` makes benchmarks/results/std.md and std.csv of it. `check` makes
the crate, runs its test, which calls every method, and compares the functions called with benchmarks/results/std.csv.
"""

import csv
import html
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
METHODS = ROOT / "benchmarks/published/std_methods.csv"
TABLE = ROOT / "benchmarks/results/std.md"
ROWS = ROOT / "benchmarks/results/std.csv"
WORK = ROOT / "target/std-census"
CRATE = "std_census"
COLLECTIONS = "collections and strings"
LANGUAGE = "language types"
FURTHER = "further types"
KEY_TRAITS = "Clone Debug Default PartialEq PartialOrd Ord"
INTEGERS = [f"{sign}{bits}" for sign in "ui" for bits in ["8", "16", "32", "64", "128", "size"]]


@dataclass
class Type:
    """A type of the census, and how a harness has it."""

    name: str
    group: str
    page: str
    # How it is declared, and what it is beside the documentation: the type itself if it is not said.
    declaration: str
    real: str = ""
    traits: str = "Clone Debug Default PartialEq"
    # Further implementations from which structures come; they are there in the standard library, but not counted.
    sources: str = ""
    # What is written into harnesses by hand: the number of its choice of arguments, name, parameters, result, body.
    by_hand: list = field(default_factory=list)
    arguments: list = field(default_factory=lambda: [""])
    # What is replaced in signatures.
    words: list = field(default_factory=list)
    # Functions that the list does not count, with the reason.
    without: dict = field(default_factory=dict)

    @property
    def module(self):
        return self.name.lower().replace("::", "_")

    @property
    def own(self):
        """Its name in the crate with the documentation."""
        return re.search(r"pub struct (\w+)", self.declaration)[1]


def collection(name, params, **more):
    page = "vec/struct.Vec.html" if name == "Vec" else f"collections/struct.{name}.html"
    module = "vec" if name == "Vec" else "collections"
    real = f"std::{module}::{name}"
    return Type(name, COLLECTIONS, page, f"pub struct {name}<{params}>(std::marker::PhantomData<({params.split(' =')[0]},)>);", real, **more)


def integer(name):
    own = name.upper()
    return Type(
        name, LANGUAGE, f"primitive.{name}.html", f"pub struct {own}(());", name, "Clone Debug Default PartialEq PartialOrd Ord",
        sources=f"impl From<{name}> for {own} {{ fn from(value: {name}) -> {own} {{ loop {{}} }} }}",
        words=[(rf"(?<![\[\w]){name}\b(?!::)", own)],
    )


def real_number(name):
    return Type(**{**vars(integer(name)), "traits": "Clone Debug Default PartialEq PartialOrd"})


def further(path, params="", traits=KEY_TRAITS, kind="struct", **more):
    """A type by its path in the standard library, with its own name or, where another type has that, the path."""
    module, _, name = path.rpartition("::")
    held = "".join(f"*const {name}, " for name in re.findall(r"(?:^|, )(\w+)", params))
    declaration = f"pub struct {name}<{params}>(std::marker::PhantomData<({held})>);" if params else f"pub struct {name}(());"
    page = f"{module.replace('::', '/')}/{kind}.{name}.html"
    return Type(**{"name": name, "group": FURTHER, "page": page, "declaration": declaration, "real": f"std::{path}", "traits": traits, **more})


def number(name, traits=KEY_TRAITS, **more):
    """A number in a wrapper, for all integers."""
    return further(f"num::{name}", "T", traits, arguments=INTEGERS, **more)


def wrapped(name):
    return number(name, by_hand=[(0, "made_of", "value: u8", "Self", f"std::num::{name}(value as _)")])


def atomic(name):
    return further(f"sync::atomic::{name}", traits="Debug Default", words=[(r"\bOrdering\b", "std::sync::atomic::Ordering")])


def unsized_text(path, source, words=(), **more):
    """A text that is called in a box."""
    own = path.rpartition("::")[2]
    return further(
        path, traits="Debug PartialEq PartialOrd Ord", real=f"Box<std::{path}>",
        sources=f"impl From<{source}> for {own} {{ fn from(text: {source}) -> {own} {{ loop {{}} }} }}",
        by_hand=[(0, "new", "s: &str", "String", f"std::{path}::new(s).display().to_string()")],
        words=[(r"self: Box<Self>", "self"), *((rf"(?<={before}){own}\b", f"std::{path}") for before in ["[&<]", "mut "]), *words], **more,
    )


def weak(path, strong):
    return further(
        path, "T: ?Sized", "Clone Debug Default", name=path,
        words=[(rf"\b{strong}<", f"std::{path.rpartition('::')[0]}::{strong}<")],
    )


def lazy(path):
    return further(path, "T, F = fn() -> T", "Debug Default", by_hand=[(0, "new", "", "Self", f"std::{path}::new(|| 1)")])


def address(name, traits="Clone Debug PartialEq PartialOrd Ord", kind="struct", parts=(), **more):
    """An address; what it is made of is of the census, too."""
    return further(
        f"net::{name}", traits=traits, kind=kind,
        words=[(rf"\b{part}\b", f"crate::{part.lower()}_type::{part}") for part in parts], **more,
    )


FILES = {name: "it asks the file system" for name in [
    "metadata", "symlink_metadata", "canonicalize", "read_link", "read_dir", "exists", "try_exists", "is_file", "is_dir", "is_symlink"]}
WAITS = "it waits for another thread"


TYPES = [
    collection("Vec", "T", traits=KEY_TRAITS, arguments=["", "[u8; 2]"]),
    collection("VecDeque", "T", traits=KEY_TRAITS),
    collection("LinkedList", "T", traits=KEY_TRAITS),
    collection("BTreeMap", "K, V", traits=KEY_TRAITS),
    collection("BTreeSet", "T", traits=KEY_TRAITS),
    Type("HashMap", COLLECTIONS, "collections/struct.HashMap.html",
         "pub struct HashMap<K, V, S = std::hash::RandomState>(std::marker::PhantomData<(K, V, S)>);", "std::collections::HashMap",
         by_hand=[
             (0, "new", "", "", "let _ = std::collections::HashMap::<u8, u8>::new();"),
             (0, "with_capacity", "capacity: usize", "", "let _ = std::collections::HashMap::<u8, u8>::with_capacity(capacity);"),
         ]),
    Type("HashSet", COLLECTIONS, "collections/struct.HashSet.html",
         "pub struct HashSet<T, S = std::hash::RandomState>(std::marker::PhantomData<(T, S)>);", "std::collections::HashSet",
         by_hand=[
             (0, "new", "", "", "let _ = std::collections::HashSet::<u8>::new();"),
             (0, "with_capacity", "capacity: usize", "", "let _ = std::collections::HashSet::<u8>::with_capacity(capacity);"),
         ]),
    collection("BinaryHeap", "T", traits="Clone Debug Default"),
    Type("slice", COLLECTIONS, "primitive.slice.html", "pub struct Slice<T>(std::marker::PhantomData<T>);", "Box<[T]>",
         traits="Debug PartialEq PartialOrd Ord",
         sources="impl<T> From<Vec<T>> for Slice<T> { fn from(items: Vec<T>) -> Slice<T> { loop {} } }",
         arguments=["", "[u8; 2]"],
         by_hand=[
             *((0, f"write_{kind}_of_slice", "src: &[u8]", "Vec<u8>",
                f"let mut room: Box<[_]> = Box::new_uninit_slice(src.len()); room.write_{kind}_of_slice(src).to_vec()")
               for kind in ["copy", "clone"]),
             (0, "array_windows", "&self", "usize", "this.array_windows::<2>().count()"),
             *((0, f"strip_{end}", f"&self, {end}: &[u8]", "Option<Vec<u8>>", f"this.strip_{end}({end}).map(<[u8]>::to_vec)")
               for end in ["prefix", "suffix"]),
             (0, "split_off", "&self, at: usize", "Option<Vec<u8>>", "let mut rest: &[u8] = this; rest.split_off(at..).map(<[u8]>::to_vec)"),
             (0, "split_off_mut", "&mut self, at: usize", "Option<Vec<u8>>",
              "let mut rest: &mut [u8] = this; rest.split_off_mut(at..).map(|part| part.to_vec())"),
             *((0, f"split_off_{end}", "&self", "Option<u8>", f"let mut rest: &[u8] = this; rest.split_off_{end}().copied()")
               for end in ["first", "last"]),
             *((0, f"split_off_{end}_mut", "&mut self", "Option<u8>",
                f"let mut rest: &mut [u8] = this; rest.split_off_{end}_mut().copied()") for end in ["first", "last"]),
             (1, "join", "&self, separator: u8", "Vec<u8>", "this.join(&separator)"),
         ],
         words=[(r"self: Box<\[T\]>", "self"), (r"self: &mut &'a (mut )?\[T\]", "&mut self")]),
    Type("String", COLLECTIONS, "string/struct.String.html", "pub struct String(());", "std::string::String", traits=KEY_TRAITS,
         sources="impl From<&str> for String { fn from(text: &str) -> String { loop {} } }"),
    Type("str", COLLECTIONS, "primitive.str.html", "pub struct Str(());", "Box<str>", traits="Debug PartialEq PartialOrd Ord",
         sources="impl From<&str> for Str { fn from(text: &str) -> Str { loop {} } }",
         by_hand=[
             (0, "from_utf8", "v: &[u8]", "bool", "str::from_utf8(v).is_ok()"),
             (0, "from_utf8_mut", "v: &[u8]", "bool", "str::from_utf8_mut(&mut v.to_vec()).is_ok()"),
             (0, "get", "&self, start: usize", "Option<String>", "this.get(start..).map(str::to_owned)"),
             (0, "get_mut", "&mut self, start: usize", "Option<String>", "this.get_mut(start..).map(|text| text.to_owned())"),
         ],
         words=[(r"self: Box<str>", "self")]),
    Type("char", LANGUAGE, "primitive.char.html", "pub struct Char(());", "char", KEY_TRAITS,
         sources="impl From<char> for Char { fn from(value: char) -> Char { loop {} } }",
         words=[(r"(?<![\[\w])char\b(?!::)", "Char")]),
    Type("bool", LANGUAGE, "primitive.bool.html", "pub struct Bool(());", "bool", KEY_TRAITS,
         sources="impl From<bool> for Bool { fn from(value: bool) -> Bool { loop {} } }"),
    *map(integer, INTEGERS),
    real_number("f32"),
    real_number("f64"),
    Type("Option", LANGUAGE, "option/enum.Option.html", "pub struct Option<T>(std::marker::PhantomData<T>);", "std::option::Option",
         KEY_TRAITS, sources="impl<T> From<T> for Option<T> { fn from(value: T) -> Option<T> { loop {} } }",
         by_hand=[
             (0, "as_pin_ref", "&self", "Option<u8>", "std::pin::Pin::new(this).as_pin_ref().map(|value| *value)"),
             (0, "as_pin_mut", "&mut self", "Option<u8>", "std::pin::Pin::new(this).as_pin_mut().map(|value| *value)"),
             (0, "as_deref", "&self", "Option<u8>", "this.map(Box::new).as_deref().copied()"),
             (0, "as_deref_mut", "&self", "Option<u8>", "this.map(Box::new).as_deref_mut().copied()"),
             (0, "and_then", "self", "Self", "this.and_then(|value| value.checked_sub(1))"),
             (0, "or_else", "self", "Self", "this.or_else(|| Some(1))"),
             (0, "unzip", "&self", "bool", "this.map(|value| (value, value)).unzip() == (*this, *this)"),
             *((0, f"{name}{of[0]}", f"&{of[2]}self", "Option<u8>", f"this.as_{of[1]}().{name}()")
               for name in ["copied", "cloned"] for of in [("", "ref", ""), ("_2", "mut", "mut ")]),
             (0, "transpose", "self", "bool", "this.map(Ok::<u8, u8>).transpose() == Ok(this)"),
             (0, "flatten", "self", "Self", "Some(this).flatten()"),
         ]),
    Type("Result", LANGUAGE, "result/enum.Result.html", "pub struct Result<T, E>(std::marker::PhantomData<(T, E)>);", "std::result::Result",
         "Clone Debug PartialEq PartialOrd Ord", by_hand=[
             (0, "made_ok", "value: u8", "Self", "Ok(value)"),
             (0, "made_err", "error: u8", "Self", "Err(error)"),
             (0, "as_deref", "&self", "bool", "this.map(Box::new).as_deref().is_ok()"),
             (0, "as_deref_mut", "&self", "bool", "this.map(Box::new).as_deref_mut().is_ok()"),
             (0, "and_then", "self", "Self", "this.and_then(|value| value.checked_sub(1).ok_or(0))"),
             (0, "or_else", "self", "Self", "this.or_else(|error| error.checked_sub(1).ok_or(0))"),
             *((0, f"{name}{of[0]}", f"&{of[2]}self", "bool", f"this.as_{of[1]}().{name}().is_ok()")
               for name in ["copied", "cloned"] for of in [("", "ref", ""), ("_2", "mut", "mut ")]),
             (0, "transpose", "self", "bool", "this.map(Some).transpose() == Some(this)"),
             (0, "flatten", "self", "Self", "this.map(Ok::<u8, u8>).flatten()"),
         ],
         arguments=["u8,u8"]),
    Type("Rc", LANGUAGE, "rc/struct.Rc.html", "pub struct Rc<T: ?Sized>(std::marker::PhantomData<T>);", "std::rc::Rc", KEY_TRAITS,
         by_hand=[
             *((0, f"new_{kind}_slice", "len: usize", "usize", f"std::rc::Rc::<[u8]>::new_{kind}_slice(len).len()") for kind in ["uninit", "zeroed"]),
             (0, "downcast", "self", "bool", "(this as std::rc::Rc<dyn std::any::Any>).downcast::<u8>().is_ok()"),
         ]),
    Type("Cell", LANGUAGE, "cell/struct.Cell.html", "pub struct Cell<T: ?Sized>(std::marker::PhantomData<T>);", "std::cell::Cell", KEY_TRAITS,
         arguments=["", "[u8; 2]"],
         by_hand=[(0, "as_slice_of_cells", "&self", "usize",
                   "let cells: &std::cell::Cell<[u8]> = &std::cell::Cell::new([this.get(); 2]); cells.as_slice_of_cells().len()")]),
    Type("RefCell", LANGUAGE, "cell/struct.RefCell.html", "pub struct RefCell<T: ?Sized>(std::marker::PhantomData<T>);",
         "std::cell::RefCell", KEY_TRAITS),
    Type("Box", LANGUAGE, "boxed/struct.Box.html", "pub struct Box<T: ?Sized>(std::marker::PhantomData<T>);", "std::boxed::Box", KEY_TRAITS,
         by_hand=[
             *((0, f"new_{kind}_slice", "len: usize", "usize", f"Box::<[u8]>::new_{kind}_slice(len).len()") for kind in ["uninit", "zeroed"]),
             *((0, f"downcast{of[0]}", "self", "bool", f"(this as Box<dyn std::any::Any{of[1]}>).downcast::<u8>().is_ok()")
               for of in [("", ""), ("_2", " + Send"), ("_3", " + Send + Sync")]),
             (0, "write", "value: u8", "u8", "*Box::write(Box::<u8>::new_uninit(), value)"),
         ]),
    Type("Cow", LANGUAGE, "borrow/enum.Cow.html", "pub struct Cow(());", "std::borrow::Cow<'static, str>",
         "Clone Debug Default PartialEq PartialOrd Ord",
         sources="impl From<String> for Cow { fn from(text: String) -> Cow { loop {} } }",
         words=[(r"impl<B> Cow<'_, B>.*", "impl Cow"), (r"<B as ToOwned>::Owned", "String")]),
    Type("Range", LANGUAGE, "ops/struct.Range.html", "pub struct Range<Idx>(std::marker::PhantomData<Idx>);", "std::ops::Range",
         "Clone Debug Default PartialEq", by_hand=[(0, "made_from_to", "start: u8, end: u8", "Self", "start..end")]),
    Type("RangeInclusive", LANGUAGE, "ops/struct.RangeInclusive.html", "pub struct RangeInclusive<Idx>(std::marker::PhantomData<Idx>);",
         "std::ops::RangeInclusive", "Clone Debug PartialEq"),
    Type("RangeFrom", LANGUAGE, "ops/struct.RangeFrom.html", "pub struct RangeFrom<Idx>(std::marker::PhantomData<Idx>);",
         "std::ops::RangeFrom", "Clone Debug PartialEq", by_hand=[(0, "made_from", "start: u8", "Self", "start..")]),
    Type("RangeTo", LANGUAGE, "ops/struct.RangeTo.html", "pub struct RangeTo<Idx>(std::marker::PhantomData<Idx>);",
         "std::ops::RangeTo", "Clone Debug PartialEq", by_hand=[(0, "made_to", "end: u8", "Self", "..end")]),
    Type("RangeToInclusive", LANGUAGE, "ops/struct.RangeToInclusive.html",
         "pub struct RangeToInclusive<Idx>(std::marker::PhantomData<Idx>);", "std::ops::RangeToInclusive", "Clone Debug PartialEq",
         by_hand=[(0, "made_to", "end: u8", "Self", "..=end")]),
    number("NonZero", "Clone Debug PartialEq PartialOrd Ord", words=[(r" where T: ZeroablePrimitive,?", "")]),
    wrapped("Saturating"),
    wrapped("Wrapping"),
    *(atomic(f"Atomic{of}") for of in ["Bool", *(f"{sign}{bits}" for sign in "UI" for bits in ["8", "16", "32", "64", "size"])]),
    further("time::Duration"),
    unsized_text("path::Path", "std::path::PathBuf", without=FILES),
    further("path::PathBuf", sources="impl From<&str> for PathBuf { fn from(text: &str) -> PathBuf { loop {} } }"),
    unsized_text("ffi::OsStr", "std::ffi::OsString", [(r"\bDisplay\b", "std::ffi::os_str::Display")]),
    further("ffi::OsString", sources="impl From<&str> for OsString { fn from(text: &str) -> OsString { loop {} } }"),
    further("sync::Mutex", "T: ?Sized", "Debug Default"),
    further("sync::RwLock", "T: ?Sized", "Debug Default"),
    further("sync::Once", traits="Debug", without={"wait": WAITS, "wait_force": WAITS}),
    further("sync::OnceLock", "T", "Clone Debug Default PartialEq", without={"wait": WAITS}),
    lazy("sync::LazyLock"),
    further("cell::OnceCell", "T", "Clone Debug Default PartialEq"),
    lazy("cell::LazyCell"),
    further("sync::Arc", "T: ?Sized", words=[(r"\bWeak<", "std::sync::Weak<")], by_hand=[
        *((0, f"new_{kind}_slice", "len: usize", "usize", f"std::sync::Arc::<[u8]>::new_{kind}_slice(len).len()") for kind in ["uninit", "zeroed"]),
        (0, "downcast", "self", "bool", "(this as std::sync::Arc<dyn std::any::Any + Send + Sync>).downcast::<u8>().is_ok()"),
    ]),
    weak("sync::Weak", "Arc"),
    weak("rc::Weak", "Rc"),
    further("cmp::Ordering", traits="Clone Debug PartialEq PartialOrd Ord", kind="enum", by_hand=[
        *((0, f"made_{name.lower()}", "", "Self", f"std::cmp::Ordering::{name}") for name in ["Less", "Equal", "Greater"]),
        (0, "then_with", "self", "Self", "this.then_with(|| std::cmp::Ordering::Less)"),
    ]),
    further("ops::Bound", "T", "Clone Debug PartialEq", kind="enum", by_hand=[
        *((0, f"made_{name.lower()}", "value: u8", "Self", f"std::ops::Bound::{name}(value)") for name in ["Included", "Excluded"]),
        (0, "made_unbounded", "", "Self", "std::ops::Bound::Unbounded"),
        (0, "cloned", "&self", "Self", "this.as_ref().cloned()"),
    ]),
    further("ops::ControlFlow", "B, C", "Clone Debug PartialEq", kind="enum", arguments=["u8,u8"], by_hand=[
        (0, f"made_{name.lower()}", "value: u8", "Self", f"std::ops::ControlFlow::{name}(value)") for name in ["Break", "Continue"]]),
    further("mem::ManuallyDrop", "T: ?Sized"),
    further("pin::Pin", "Ptr", "Clone Debug PartialEq PartialOrd Ord", arguments=["Box<u8>"],
            words=[(r"<Ptr as Deref>::Target", "u8"), (r"self: Pin<&mut Pin<Ptr>>,?", "&mut self")], by_hand=[
                (0, "as_deref_mut", "&mut self", "u8", "*std::pin::Pin::new(this).as_deref_mut()"),
                (0, "get_ref", "&self", "u8", "*this.as_ref().get_ref()"),
                (0, "into_ref", "&mut self", "u8", "*this.as_mut().into_ref()"),
                (0, "get_mut", "&mut self", "u8", "*this.as_mut().get_mut()"),
                (0, "static_ref", "", "u8", "*std::pin::Pin::static_ref(&1)"),
                (0, "static_mut", "value: u8", "u8", "*std::pin::Pin::static_mut(Box::leak(Box::new(value)))"),
            ]),
    address("IpAddr", kind="enum", sources="".join(
        f"impl From<{parts}> for IpAddr {{ fn from(parts: {parts}) -> IpAddr {{ loop {{}} }} }}" for parts in ["[u8; 4]", "[u16; 8]"])),
    address("Ipv4Addr"),
    address("Ipv6Addr"),
    address("SocketAddr", kind="enum", parts=["IpAddr"]),
    address("SocketAddrV4", parts=["Ipv4Addr"]),
    address("SocketAddrV6", parts=["Ipv6Addr"]),
]

# What stands for a bound that stable code cannot name: a pattern is a text, a pattern of slices a slice.
PLAIN_BOUNDS = [
    (r"SlicePattern<Item = T>", "AsRef<[T]>"),
    (r"GetDisjointMutIndex \+ ", ""),
    (r"T: CloneToUninit \+ \?Sized", "T: Clone"),
    (r"OneSidedRange<usize>", "RangeBounds<usize>"),
]


def documentation():
    found = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True, check=True)
    return Path(found.stdout.strip()) / "share/doc/rust/html/std"


def plain(markup):
    markup = re.sub(r'<a [^>]*class="tooltip"[^>]*>.*?</a>', "", markup)
    text = re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "", markup))).strip()
    return re.sub(r"(?<=[\w>\])])where\b", " where", text)


def inherent_functions(page):
    """Each function of a page: its implementation, its signature, whether it is stable, whether it may panic."""
    begin = page.index('id="implementations-list"')
    ends = [page.find(f'id="{end}') for end in ("deref-methods", "trait-implementations", "synthetic-implementations")]
    page = page[begin : min(end for end in ends if end > begin)]
    parts = re.finditer(
        r'<section id="impl[^"]*" class="impl">.*?<h3 class="code-header">(?P<impl>.*?)</h3>'
        r'|<section id="method\.[^"]*" class="method">.*?<h4 class="code-header">(?P<signature>.*?)</h4></section>'
        r'(?P<rest>.*?)(?=<section id="(?:impl|method|associated)|\Z)',
        page,
        re.S,
    )
    implementation = None
    for part in parts:
        if part["impl"]:
            implementation = plain(part["impl"])
            continue
        info = part["rest"].partition("docblock")[0]
        is_stable = "stab unstable" not in info and "stab deprecated" not in info
        yield implementation, plain(part["signature"]), is_stable, 'id="panics' in part["rest"]


def name_of(signature):
    return re.search(r"\bfn (\w+)", signature)[1]


TRAIT_FUNCTIONS = {
    "Clone": "clone", "Default": "default", "PartialEq": "eq", "PartialOrd": "partial_cmp", "Ord": "cmp",
}


def list_methods():
    root = documentation()
    version = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    counts = Counter()
    with METHODS.open("w", newline="") as file:
        file.write(f"# The public, safe, stable functions of the standard library of Rust {version}, read off its documentation.\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["group", "type", "implementation", "signature", "panics"])
        for ty in TYPES:
            for implementation, signature, is_stable, panics in inherent_functions((root / ty.page).read_text()):
                is_of_box = ty.name == "slice" and "Box<" in implementation
                is_counted = not is_of_box and name_of(signature) not in ty.without
                if is_stable and "unsafe " not in signature and is_counted:
                    writer.writerow([ty.group, ty.name, implementation, signature, "yes" if panics else "no"])
                    counts[ty.group] += 1
            for name in ty.traits.split():
                if name in TRAIT_FUNCTIONS:
                    writer.writerow([ty.group, ty.name, name, f"fn {TRAIT_FUNCTIONS[name]}", "no"])
                    counts[ty.group] += 1
    print(dict(counts), "of", len(TYPES), "types")


def census():
    """The rows of the list by type."""
    rows = defaultdict(list)
    with METHODS.open(newline="") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            rows[row["type"]].append(row)
    return rows


def without_allocator(text):
    text = re.sub(r"\bA: (Allocator|Clone|'a|'static)( \+ Clone)?,? ?", "", text)
    text = re.sub(r"<A>", "", text)
    return re.sub(r", A(?=[,>])", "", text)


def declared(ty, text):
    """An implementation or a signature as the crate with the documentation has it."""
    text = without_allocator(text)
    if "P: Pattern" in text:
        pattern = "char" if "DoubleEndedSearcher" in text else "&str"
        text = re.sub(r"<P as Pattern>::Searcher<'a>: [^,]*,|<P>|\bP: Pattern,", "", text)
        text = re.sub(r"\bP\b", pattern, text)
    for pattern, by in PLAIN_BOUNDS + ty.words:
        text = re.sub(pattern, by, text)
    text = re.sub(r"\bpub (const )?fn", "pub fn", text)
    return re.sub(r" where ?$", "", text)


def header(ty, implementation):
    text = declared(ty, implementation)
    if ty.name == "slice":
        text = re.sub(r"^(impl(?:<.*?>)?) \[(.*)\]$", rf"\1 {ty.own}<\2>", text)
    elif ty.own.lower() == ty.name.lower() and ty.own != ty.name:
        text = re.sub(rf"^impl {ty.name}$", f"impl {ty.own}", text)
    return text


# What signatures name without a path; the module of the type itself comes by a glob before.
NAMES = """
pub use std::any::Any;
pub use std::borrow::{Borrow, Cow};
pub use std::cmp::Ordering;
pub use std::collections::TryReserveError;
pub use std::ffi::{OsStr, OsString};
pub use std::fmt::Debug;
pub use std::hash::{BuildHasher, Hash, RandomState};
pub use std::mem::MaybeUninit;
pub use std::num::*;
pub use std::ops::{Add, AddAssign, Bound, ControlFlow, Deref, DerefMut, Range, RangeBounds};
pub use std::path::{Path, PathBuf};
pub use std::pin::Pin;
pub use std::rc::Weak;
pub use std::slice::{Concat, Join, SliceIndex, GetDisjointMutError};
pub use std::str::{FromStr, Utf8Chunks, Utf8Error};
pub use std::string::{FromUtf8Error, FromUtf16Error};
""".strip()


def module_of(ty):
    """The module of the standard library from which signatures name iterators and the like."""
    of = {
        "slice": "slice", "str": "str", "char": "char", "u8": "ascii", "Vec": "vec", "String": "string",
        **{name: f"collections::{module}" for name, module in [
            ("VecDeque", "vec_deque"), ("LinkedList", "linked_list"), ("BTreeMap", "btree_map"), ("BTreeSet", "btree_set"),
            ("HashMap", "hash_map"), ("HashSet", "hash_set"), ("BinaryHeap", "binary_heap"),
        ]},
        "Option": "option", "Result": "result", "Rc": "rc", "Cell": "cell", "RefCell": "cell", "Box": "boxed", "Cow": "borrow",
    }
    return of.get(ty.name) or ty.page.rpartition("/")[0].replace("/", "::") or "num"


def documented(ty, rows):
    """The type with its signatures and no code."""
    # What is ordered is `Eq`, which has no function.
    derived = ", ".join([*ty.traits.split(), *(["Eq"] if " Ord" in ty.traits else [])])
    text = f"pub mod {ty.module}_type {{\nuse std::{module_of(ty)}::*;\n"
    text += "use crate::names::*;\n"
    text += f"/// A type of the census.\n#[derive({derived})]\n{ty.declaration}\n{ty.sources}\n"
    implementation = None
    for row in rows:
        if row["implementation"] in TRAIT_FUNCTIONS:
            continue
        if row["implementation"] != implementation:
            text += "}\n" if implementation else ""
            implementation = row["implementation"]
            text += f"{header(ty, implementation)} {{\n"
        text += f"    {declared(ty, row['signature'])} {{ loop {{}} }}\n"
    text += "}\n" if implementation else ""
    return text + "}\n"


def real(ty):
    params = re.search(r"pub struct \w+(<[^({]*>)?", ty.declaration)[1]
    if "::" in ty.real and not ty.real.endswith(">"):
        return f"pub mod {ty.module}_type {{ pub use {ty.real}; }}\n"
    return f"pub mod {ty.module}_type {{ pub type {ty.own}{params or ''} = {ty.real}; }}\n"


def write_documentation(rows):
    """The documentation, as JSON, of a crate with the signatures of the types and no code."""
    text = "#![feature(slice_concat_trait)]\n#![allow(unused, ambiguous_glob_imports)]\n" + f"mod names {{\n{NAMES}\n}}\n"
    text += "".join(documented(ty, rows[ty.name]) for ty in TYPES)
    WORK.mkdir(parents=True, exist_ok=True)
    source = WORK / f"{CRATE}.rs"
    source.write_text(text)
    options = ["--edition", "2024", "--crate-type", "lib", "--crate-name", CRATE, "--cap-lints", "allow"]
    options += ["-Zunstable-options", "--output-format", "json", "--out-dir", WORK]
    subprocess.run(["rustdoc", *options, source], check=True, env={**os.environ, "RUSTC_BOOTSTRAP": "1"})
    return WORK / f"{CRATE}.json"


def suite_functions(source):
    """The functions that a harness declares."""
    suite = source[source.index("beget::suite! {") :]
    return re.findall(r"^ +(?:#\[.*?\] )*fn (\w+)", suite[: suite.index("\n}\n")], re.M)


def add_by_hand(ty, number, left_out, path):
    """Constructors that the language has and the library does not, and calls of functions that no harness of `init` has."""
    source = path.read_text()
    name = re.search(r"pub suite (\w+)Suite\b", source)[1]
    lines, bodies = "", ""
    for choice, function, params, result, body in ty.by_hand:
        is_constructor = function.startswith("made_")
        if not is_constructor and (choice != number or re.sub(r"_\d$", "", function) not in left_out):
            continue
        output = f" -> {result}" if result else ""
        lines += f"        fn {function}({params}){output} = by_hand::{function};\n"
        variable = re.sub(r"^(&mut |&|)self\b", rf"this: \1super::{name}", params)
        bodies += f"    pub fn {function}({variable}){output.replace('Self', f'super::{name}')} {{\n        {body}\n    }}\n"
    if lines:
        source = re.sub(r"(\n +abstraction .*?;\n)", lambda found: found[0] + lines, source, count=1)
        source += f"\nmod by_hand {{\n{bodies}}}\n"
        path.write_text(source)


STD = ROOT / "target/std"
BY_HAND = ROOT / "benchmarks/std_suites"
TARGET = {**os.environ, "CARGO_TARGET_DIR": str(ROOT / "target")}

# Foreign crates that the tests of the workspace have built are of use only with the same profile. Those of beget have other
# features there, so they are built once more, and not optimised: all calls take a second, and level 1 longer to build.
PROFILE = re.search(r"^\[profile\.dev\]\n.*?\n\n", (ROOT / "Cargo.toml").read_text(), re.M | re.S)[0]

MANIFEST = f"""# Written by benchmarks/std_census.py.
[package]
name = "std-suites"
version = "0.1.0"
edition = "2024"
publish = false

[workspace]

[features]
program = ["dep:beget-program"]

[[bin]]
name = "std-suites"
path = "src/main.rs"
required-features = ["program"]

[dependencies]
beget = {{ path = "{ROOT}/crates/beget" }}
beget-program = {{ path = "{ROOT}/crates/beget-program", optional = true }}

[dev-dependencies]
beget-plan = {{ path = "{ROOT}/crates/beget-plan" }}
beget-run = {{ path = "{ROOT}/crates/beget-run" }}
beget-search = {{ path = "{ROOT}/crates/beget-search" }}

{PROFILE}# As `cargo beget` builds.
[profile.release]
debug-assertions = true
overflow-checks = true
"""


def suite_of(ty, number):
    """The name of the suite of a harness, as that of its module: further choices of arguments have numbers."""
    return f"{ty.module}_{number + 1}" if number else ty.module


def settle_name(text, pattern, name):
    text, n = re.subn(pattern, name, text)
    assert n == 1, (name, pattern)
    return text


def settle_suite(ty, number, left_out):
    """Gives a suite its name and what is written by hand; gives its source."""
    name = suite_of(ty, number)
    path, scope = STD / f"src/suites/{name}_suite.rs", STD / f"scopes/{name}.ron"
    module, n_tests = re.subn(r"#\[cfg\(test\)\]\nmod tests \{.*?\n\}\n", "", path.read_text(), flags=re.S)
    assert n_tests == 1, path
    path.write_text(settle_name(module, r'#\[name = "\w+"\]', f'#[name = "std::{name}"]'))
    add_by_hand(ty, number, left_out, path)
    text = settle_name(scope.read_text(), r'suite: "\w+"', f'suite: "std::{name}"')
    if "128" in ty.name:
        # Of arrays of 16 bytes there are too many to be listed.
        text = text.replace('ints: "0..k"', 'ints: "0..2"')
    scope.write_text(text)
    return path.read_text()


def choices():
    """Each type with each choice of its arguments."""
    return [(ty, number, arguments) for ty in TYPES for number, arguments in enumerate(ty.arguments)]


def write_harnesses(program):
    """Writes all harnesses and their scopes; gives for each what is left out."""
    lines = [f"{suite_of(ty, number)}\t{ty.module}_type::{ty.own}\t{arguments}\n" for ty, number, arguments in choices()]
    command = [program.parent / "examples/harnesses", write_documentation(census()), STD]
    ended = subprocess.run(command, check=True, input="".join(lines), stdout=subprocess.PIPE, text=True, env=TARGET)
    left_out = defaultdict(dict)
    for line in ended.stdout.splitlines():
        name, function, reason = line.split("\t")
        left_out[name][function] = reason
    return left_out


def write_suites(program):
    """Writes the crate with all suites; gives for each type the functions and the refusals of its harnesses."""
    shutil.rmtree(STD, ignore_errors=True)
    for place in ["src/suites", "scopes", "tests"]:
        (STD / place).mkdir(parents=True)
    for source, place in [("lib.rs", "src"), ("main.rs", "src"), ("calls.rs", "tests")]:
        shutil.copy(BY_HAND / source, STD / place / source)
    (STD / "Cargo.toml").write_text(MANIFEST)
    shutil.copy(ROOT / "Cargo.lock", STD)
    (STD / "src/types.rs").write_text(types_module())
    left_out = write_harnesses(program)
    found, names, structs = defaultdict(list), [], []
    for ty, number, _ in choices():
        name = suite_of(ty, number)
        module = settle_suite(ty, number, left_out[name])
        names.append(name)
        structs.append(re.search(r"pub suite (\w+)", module)[1])
        # That each function of the suites is called is what the crate's test says.
        found[ty.name].append({"functions": suite_functions(module), "left_out": left_out[name], "call": {"not_called": []}})
    (STD / "src/suites.rs").write_text(suites_module(names, structs))
    return found


def types_module():
    """The types under test, where harnesses look for them."""
    return "//! The types of the census, by the names that harnesses have for them.\n\n" + "".join(real(ty) for ty in TYPES)


def suites_module(names, structs):
    text = "//! The suites, each in the harness that `init` writes for its type.\n\nuse beget::HasSuite;\nuse beget::suites::Suite;\n\n"
    text += "".join(f"pub mod {name}_suite;\n" for name in names)
    calls = "".join(f"{name}_suite::{struct}::suite(),\n" for name, struct in zip(names, structs))
    return f"{text}\n/// All suites.\npub fn suites() -> Vec<Suite> {{\nvec![{calls}]\n}}\n"


def check(program):
    """Fails unless every method of the suites is called, and these are the functions of the table."""
    found = write_suites(program)
    # Without the program, which takes longer to be linked than all tests to run.
    subprocess.run(["cargo", "test", "--test", "calls", "--manifest-path", STD / "Cargo.toml"], check=True, env=TARGET)
    with ROWS.open(newline="") as file:
        table = [tuple(row.values())[:5] for row in csv.DictReader(file)]
    today = []
    for ty in TYPES:
        rows = census()[ty.name]
        today += outcomes_of(ty, rows, found[ty.name])
    different = [row for row in map(tuple, today) if row[:5] not in table]
    for row in different:
        print("not as in", ROWS.relative_to(ROOT), ":", *row)
    if different or len(today) != len(table):
        sys.exit(f"{len(today)} functions, {len(table)} in the table: run `just std`")
    print(f"{len(today)} functions, as in {ROWS.relative_to(ROOT)}")


CHANCES = [1, 10, 100]


def command(name, *options):
    """What the program with the suites says of the scope of that name, and what it says otherwise."""
    command = [ROOT / "target/release/std-suites", *map(str, options), "--summary", "json", "-q"]
    command.insert(2, f"scopes/{name}.ron")
    ended = subprocess.run(command, cwd=STD, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return (json.loads(ended.stdout), "") if ended.stdout.startswith("{") else (None, ended.stderr + ended.stdout)


def run_suite(name):
    """A call of each function of a suite, and as many by chance."""
    called, error = command(name, "call")
    if error:
        return {"error": error}
    chances = {f"random {factor}": by_chance(name, factor * called["explored"]) for factor in CHANCES}
    return {"call": called, **chances}


def by_chance(name, calls):
    """What so many calls by chance come to; a repeated call reaches no other function."""
    found, error = command(name, "random", "--max-calls", calls, "--policy", "chance.policy.ron")
    return {"by_method": [], "error": error} if error else found


def run(program, names):
    suites = write_suites(program)
    subprocess.run(["cargo", "build", "--release", "--features", "program", "--manifest-path", STD / "Cargo.toml"], check=True, env=TARGET)
    (STD / "chance.policy.ron").write_text("Policy(repeat: (0.0, 1))\n")
    (WORK / "found").mkdir(parents=True, exist_ok=True)
    for ty, number, arguments in choices():
        if names and ty.name not in names:
            continue
        suite = suites[ty.name][number]
        found = {key: suite[key] for key in ["functions", "left_out"]} | run_suite(suite_of(ty, number))
        (WORK / f"found/{ty.module}-{number}.json").write_text(json.dumps(found, indent=1))
        if "error" in found:
            print(f"{ty.name}<{arguments}>: {found['error'][-1500:]}")
        else:
            print(f"{ty.name}<{arguments}>: {found['call']['called']} of {len(found['functions'])} called", flush=True)


def unique_names(rows):
    """The names of a harness for the functions of a type, in their order: a second `copied` is `copied_2`."""
    seen = set()
    for row in rows:
        name = own = name_of(row["signature"])
        number = 1
        while name in seen:
            number += 1
            name = f"{own}_{number}"
        seen.add(name)
        yield name


def outcome(name, path, harnesses):
    """Whether a function was called by some harness of its type, and why not."""
    reasons = []
    for found in harnesses:
        call = found.get("call")
        if call is None:
            reasons.append("its harness did not run")
        elif name in found["functions"]:
            refused = {one["name"]: one["reason"] for one in call["not_called"]}
            if name not in refused:
                return True, ""
            reasons.append(refused[name])
        else:
            reasons.append(found["left_out"].get(path, "not in the harness"))
    # What one choice of arguments says is worth more than that another has no such function.
    telling = [reason for reason in reasons if not reason.startswith("it is a function of")]
    return False, (telling or reasons)[0]


def is_called_by_chance(name, harnesses, factor):
    for found in harnesses:
        for one in found.get(f"random {factor}", {"by_method": []})["by_method"]:
            if one["name"] == name and one["kept"] + one["matched"] + one["out_of_scope"] > 0:
                return True
    return False


def percent(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "-"


def harnesses_of(ty):
    paths = [WORK / f"found/{ty.module}-{number}.json" for number in range(len(ty.arguments))]
    return [json.loads(path.read_text()) if path.exists() else {} for path in paths]


def functions_of(rows):
    """Each function with the name that it has in a harness and the one by which it is left out."""
    for row, name in zip(rows, unique_names(rows)):
        own = name_of(row["signature"])
        path = f"{row['implementation']}::{own}" if row["implementation"] in TRAIT_FUNCTIONS else own
        yield row, name, own, path


def outcomes_of(ty, rows, harnesses):
    """The rows of the table for a type: whether each function was called, and why not."""
    for row, name, own, path in functions_of(rows):
        was_called, reason = outcome(name, path, harnesses)
        yield ty.group, ty.name, row["implementation"], own, "called" if was_called else "not called", reason


def sums_of(ty, rows, families):
    """The counts of a type, and the outcome of each of its functions."""
    harnesses, sums = harnesses_of(ty), Counter()
    outcomes = [*outcomes_of(ty, rows, harnesses)]
    sums["functions"] = len(outcomes)
    sums["called"] = sum(row[4] == "called" for row in outcomes)
    for _, name, _, _ in functions_of(rows):
        for factor in CHANCES:
            sums[f"chance {factor}"] += is_called_by_chance(name, harnesses, factor)
    for found in harnesses:
        call = found.get("call", {})
        for key, of in [("panics", "panics"), ("repaired", "repaired"), ("calls", "explored")]:
            sums[key] += call.get(of, 0)
        for key in ["filled", "telling"]:
            sums[key] += call.get(key, {}).get("have", 0)
            sums[f"all {key}"] += call.get(key, {}).get("all", 0)
        sums["microseconds"] += round(1e6 * call.get("seconds", 0))
        for family, counts in call.get("by_family", {}).items():
            families[family].update(counts)
    return sums, outcomes


def line(name, sums):
    shares = [*(("functions", f"chance {factor}") for factor in CHANCES), ("all filled", "filled"), ("all telling", "telling")]
    shares = " | ".join(percent(sums[part], sums[whole]) for whole, part in shares)
    return (
        f"| {name} | {sums['functions']} | {sums['called']} | {percent(sums['called'], sums['functions'])} | {shares} | "
        f"{sums['panics']} | {sums['repaired']} | {sums['calls']} | {sums['microseconds'] / 1e6:.2f} |\n"
    )


def write_table():
    rows = census()
    totals, families, outcomes = defaultdict(Counter), defaultdict(Counter), []
    text = HEAD
    for ty in TYPES:
        sums, of_type = sums_of(ty, rows[ty.name], families)
        outcomes += of_type
        totals[ty.group].update(sums)
        text += line(f"`{ty.name}`", sums)
    for group, sums in totals.items():
        text += line(f"**{group}**", sums)
        print(group, sums["called"], "of", sums["functions"], percent(sums["called"], sums["functions"]))
    with ROWS.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["group", "type", "implementation", "function", "outcome", "reason"])
        writer.writerows(outcomes)
    text += "\n## Repairs\n\n| family of the first panic | panicked | repaired | |\n|---|---:|---:|---:|\n"
    everything = sum(families.values(), Counter())
    for family, counts in [*sorted(families.items()), ("**all**", everything)]:
        text += f"| {family} | {counts['panics']} | {counts['repaired']} | {percent(counts['repaired'], counts['panics'])} |\n"
    text += "\n## Not called\n\n" + ("" if any(one[4] != "called" for one in outcomes) else "None.\n")
    missing = defaultdict(list)
    for _, name, _, own, found, reason in outcomes:
        if found != "called":
            missing[name, reason].append(f"`{own}`")
    for (name, reason), functions in missing.items():
        text += f"- `{name}`: {', '.join(functions)}: {reason}\n"
    text += "\n## Not in the list\n\n"
    for ty in TYPES:
        for reason in dict.fromkeys(ty.without.values()):
            functions = ", ".join(f"`{function}`" for function, why in ty.without.items() if why == reason)
            text += f"- `{ty.name}`: {functions}: {reason}\n"
    old = TABLE.read_text() if TABLE.exists() else ""
    kept = old[old.index("## Remarks") :] if "## Remarks" in old else "## Remarks\n"
    TABLE.write_text(text + "\n" + kept)


HEAD = """# Functions of the standard library that are called with success

Kuperberg and Omri let HeuriGenJ call the public methods of two packages of Java (HeuriGenJ, section 6): 668 of 738 of `java.util`, 90.51 %, and 790 of 861
of `java.lang`, 91.75 %; of the methods that threw first, 59.37 % and 74.01 % were repaired; it took 169 and 259 s on a machine of 2010. Here it is the
standard library of Rust: all public, safe, stable inherent functions of the types below, without those that are deprecated, and those of some traits
(`benchmarks/published/std_methods.csv`, read off the documentation of the toolchain). What beget cannot call stays in the denominator.

The *further types* are such as Java has in other packages (`java.util.concurrent`, `java.nio.file`, `java.net`, `java.time`).

Each type has a harness as `cargo beget init` writes it (`benchmarks/std_census.py`), with several choices of its type arguments where functions are there
for some only; what was written by hand besides is in that script. A function counts once. Chance is `beget random` with the policy `repeat: (0.0, 1)`,
which makes as many calls, ten times and a hundred times as many. *Filled* are the calls on a receiver that is neither empty nor zero, where the type has
such values; *telling* those that return something other than `None`, `Err` and an empty list or text. The seconds are those of the runs, without the
builds; all suites are in one program.

| type | functions | called | | chance | × 10 | × 100 | filled | telling | panicked first | repaired | calls | s |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
"""


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["list"]:
            list_methods()
        case ["run", program, *names]:
            run(Path(program).resolve(), names)
        case ["table"]:
            write_table()
        case ["suites", program]:
            write_suites(Path(program).resolve())
        case ["check", program]:
            check(Path(program).resolve())
        case _:
            sys.exit(__doc__)
