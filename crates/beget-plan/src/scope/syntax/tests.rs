//! Compares the parser with the library `ron`: on all scope files, and on these with a few
//! characters removed, inserted or doubled.
#![allow(clippy::disallowed_methods, reason = "the inputs are files")]

use std::fs;
use std::path::{Path, PathBuf};

use ron::value::{Number, Value};

use super::*;

/// A value known to both readers. The library forgets names.
#[derive(Clone, Debug, PartialEq)]
enum Tree {
    Int(i128),
    /// By its bits, so that NaN equals itself.
    Float(u64),
    Bool(bool),
    Char(char),
    Text(String),
    Optional(Option<Box<Tree>>),
    Sequence(Vec<Tree>),
    Map(Vec<(Tree, Tree)>),
}

fn of_ours(text: &str) -> Result<Tree, SyntaxError> {
    let (_, shape) = parse(text)?;
    let tree = |raw: &Raw<'_>| of_ours(raw.text).expect("a part of what was read");
    Ok(match shape {
        RonValue::Int(value) => Tree::Int(value),
        RonValue::Large(value) => Tree::Float((value as f64).to_bits()),
        RonValue::Float(value) => Tree::Float(value.to_bits()),
        RonValue::Bool(value) => Tree::Bool(value),
        RonValue::Char(value) => Tree::Char(value),
        RonValue::Text(value) => Tree::Text(value),
        RonValue::Name("None") => Tree::Optional(None),
        RonValue::Name(_) => Tree::Sequence(Vec::new()),
        RonValue::Tuple("Some", held) if held.len() == 1 => {
            Tree::Optional(Some(Box::new(tree(&held[0]))))
        }
        RonValue::List(items) | RonValue::Tuple(_, items) => {
            Tree::Sequence(items.iter().map(tree).collect())
        }
        RonValue::Map(entries) => {
            in_order(entries.iter().map(|(key, value)| (tree(key), tree(value))).collect())
        }
        RonValue::Struct(_, fields) => {
            let name = |name: &str| Tree::Text(name.to_owned());
            in_order(fields.iter().map(|(field, value)| (name(field), tree(value))).collect())
        }
    })
}

/// The library keeps the last of the entries of one key, and sorts them.
fn in_order(entries: Vec<(Tree, Tree)>) -> Tree {
    let mut last: Vec<(Tree, Tree)> = Vec::new();
    for (key, value) in entries {
        last.retain(|(known, _)| *known != key);
        last.push((key, value));
    }
    last.sort_by_key(|(key, _)| format!("{key:?}"));
    Tree::Map(last)
}

fn of_library(value: Value) -> Tree {
    match value {
        Value::Number(number) => match number {
            Number::F32(value) => Tree::Float(f64::from(value.get()).to_bits()),
            Number::F64(value) => Tree::Float(value.get().to_bits()),
            Number::U64(value) => Tree::Int(value.into()),
            Number::I64(value) => Tree::Int(value.into()),
            small => Tree::Int(small.into_f64() as i128),
        },
        Value::Bool(value) => Tree::Bool(value),
        Value::Char(value) => Tree::Char(value),
        Value::String(value) => Tree::Text(value),
        Value::Bytes(value) => panic!("no scope has bytes: {value:?}"),
        // `()`, `( )` and `A()` are the same here, but not to the library.
        Value::Unit => Tree::Sequence(Vec::new()),
        Value::Option(held) => Tree::Optional(held.map(|held| Box::new(of_library(*held)))),
        Value::Seq(items) => Tree::Sequence(items.into_iter().map(of_library).collect()),
        Value::Map(entries) => {
            let tree = |(key, value)| (of_library(key), of_library(value));
            in_order(entries.into_iter().map(tree).collect())
        }
    }
}

fn by_library(text: &str) -> Option<Tree> {
    ron::from_str::<Value>(text).ok().map(of_library)
}

/// All RON files of the workspace with a scope.
fn scope_files() -> Vec<String> {
    let crate_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders: Vec<PathBuf> =
        [crate_dir.join("tests/bad"), crate_dir.join("../../scopes")].to_vec();
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "ron") {
                texts.push(fs::read_to_string(path).unwrap());
            }
        }
    }
    texts
}

/// Inputs that the library reads and no scope has, or that it rejects before their type is known.
fn is_apart(text: &str) -> bool {
    let bytes_or_raw_names = ["b\"", "b'", "br", "r#"];
    let optional_of_others = ["None(", "Some()"];
    bytes_or_raw_names.iter().chain(&optional_of_others).any(|part| text.contains(part))
}

#[track_caller]
fn assert_same(text: &str) {
    let ours = of_ours(text);
    if let Err(SyntaxError { at, .. }) = ours
        && text[at..].starts_with("..")
    {
        // The library has ranges without quotes.
        return;
    }
    let library = by_library(text);
    assert!(ours.clone().ok() == library, "{text}\nhere: {ours:?}\nlibrary: {library:?}");
}

#[test]
fn scope_files_are_read_as_the_library_reads_them() {
    let texts = scope_files();
    assert!(texts.len() > 100, "{}", texts.len());
    texts.iter().for_each(|text| assert_same(text));
}

#[test]
fn words_are_read_as_the_library_reads_them() {
    for text in [
        "0",
        "-1",
        "+7",
        "007",
        "1_000",
        "0x_1",
        "0xFf",
        "-0x10",
        "0b101",
        "0b2",
        "0o17",
        "0o8",
        "1.5",
        "-1.5",
        ".5",
        "5.",
        "1e3",
        "1E-3",
        "1e",
        "1e+",
        "1e+5",
        "--1",
        "1-1",
        "1..2",
        "1...2",
        "..",
        "1.e3",
        "1_.5",
        "1._5",
        "1.5_0",
        "9223372036854775807",
        "-9223372036854775808",
        "18446744073709551615",
        "inf",
        "-inf",
        "+inf",
        "NaN",
        "info",
        "true",
        "false",
        "truer",
        "-true",
        "+false",
        "'a'",
        "'\\''",
        "'''",
        "''",
        "'ab'",
        "'\\n'",
        "'\\u{e4}'",
        "'\\x41'",
        "\"\"",
        "\"a\\\"b\"",
        "\"a\\qb\"",
        "\"\\x4\"",
        "\"\\u{}\"",
        "\"\\u{110000}\"",
        "\"\\u{1234567}\"",
        "\"a\\\n   b\"",
        "\"\\u{+41}\"",
        "r\"a\\b\"",
        "r#\"a\"b\"#",
        "r##\"a\"#b\"##",
        "r#\"a\"",
        "\"ä→\"",
        "()",
        "( )",
        "(1)",
        "(1,)",
        "(,)",
        "(1,,2)",
        "[1,]",
        "[,]",
        "{}",
        "{1:2,}",
        "{1}",
        "{1:2 3:4}",
        "(a:1)",
        "(a:1,b:2,)",
        "(a 1)",
        "(a:)",
        "(1:2)",
        "A",
        "A()",
        "A(1)",
        "A(1,2)",
        "A (1)",
        "A(a:1)",
        "A{}",
        "_a",
        "ä",
        "Some(1)",
        "Some(None)",
        "None",
        "Some",
        "Some()",
        "Some(1,)",
        "Some(1, 2)",
        "Some(a: 1)",
        "Some ( Some (1) )",
        "None()",
        "None (a: 1)",
        "(a: None (b: 1))",
        "// x",
        "1 // x",
        "/* x */ 1",
        "/* / * x */ 1",
        "1 /* /* */ */",
        "1 /* /* */",
        "/ 1",
        "1 /",
        "",
        " ",
        "1 2",
        "(a: 1) b",
        "@",
        "a.b",
        "a-b",
        "true_",
        "[true false]",
        "('a', \"b\", 1.0)",
        "1\u{85}",
        "\u{a0}1",
        "\u{200e}1",
        "'\\u{d800}'",
    ] {
        assert_same(text);
    }
}

#[test]
fn broken_scope_files_are_read_or_refused_as_by_the_library() {
    const PARTS: [&str; 24] = [
        "(", ")", "[", "]", "{", "}", ",", ":", "\"", "'", "\\", ".", "-", "0", "7", "e", "k", "_",
        "/*", "*/", "//", "Some(", "None", "\n",
    ];
    let texts = scope_files();
    let mut rng = fastrand::Rng::with_seed(1);
    let (mut n_read, mut n_refused) = (0, 0);
    for _ in 0..20_000 {
        let text = &texts[rng.usize(..texts.len())];
        let mut chars: Vec<char> = text.chars().collect();
        for _ in 0..rng.usize(1..4) {
            let at = rng.usize(..=chars.len());
            let end = (at + rng.usize(..4)).min(chars.len());
            let part = chars[at..end].to_vec();
            match rng.u8(..3) {
                0 => drop(chars.drain(at..end)),
                1 => drop(chars.splice(at..at, part)),
                _ => drop(chars.splice(at..at, PARTS[rng.usize(..PARTS.len())].chars())),
            }
        }
        let text: String = chars.into_iter().collect();
        if !is_apart(&text) {
            assert_same(&text);
            *(if parse(&text).is_ok() { &mut n_read } else { &mut n_refused }) += 1;
        }
    }
    assert!(n_read > 1_000 && n_refused > 1_000, "{n_read} {n_refused}");
}

#[test]
fn what_is_wrong_is_told_where_it_is() {
    let told = |text| {
        let SyntaxError { at, message } = parse(text).unwrap_err();
        (at, message)
    };
    assert_eq!(told("(a: 1 b: 2)"), (6, NO_COMMA));
    assert_eq!(told("(a: 0..k)"), (5, NO_COMMA));
    assert_eq!(told("(a: \"x"), (5, "expected end of string"));
    assert_eq!(told("(a: 1"), (5, NO_MORE));
    assert_eq!(told("(a: 1x)"), (4, "this is no number"));
    assert_eq!(told("(a: '\\q')"), (7, "invalid escape sequence: write `\\\\` for a backslash"));
    assert_eq!(told("#![enable(unwrap_newtypes)] 1"), (10, "only `implicit_some` can be enabled"));
    assert_eq!(told("[1, 2"), (5, NO_MORE));
    assert_eq!(told("1 2"), (2, "non-whitespace trailing characters"));
}
