//! The modules of a crate import each other in one direction, and its dependencies are used.
//!
//! An import is a path in code that begins with `crate`, `self`, `super` or a module below. It
//! counts for the module that defines what it names, through all re-exports. A module and those
//! below it are one thing seen from two sides, so imports between them do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use crate::prose::files;

/// The folders of the engine: each imports itself and those before it.
const ENGINE: [&str; 7] = ["data", "store", "rebuild", "worker", "strategy", "run", "read"];

/// The names that lead to a module, or to an item, from the root of its crate.
type Names = Vec<String>;

static USE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^( *)(?:pub\s+)?use\s+([^;]+);").unwrap());
static COMMENT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"//[^\n]*|pub\([^)]*\)").unwrap());
static UNIT_TESTS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^#\[cfg\(test\)\]\n(?:pub )?mod ").unwrap());
static WORD: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\w+").unwrap());
static PATH: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b(?:crate|self|super)(?:::\w+)+").unwrap());

/// The imports of one module.
#[derive(Debug, Default)]
struct Imports {
    /// Its `use` items, by the name that they give.
    named: BTreeMap<String, Names>,
    /// All paths.
    paths: BTreeSet<Names>,
}

/// The modules of a crate.
#[derive(Debug)]
struct Modules(BTreeMap<Names, Imports>);

impl Modules {
    fn of(crate_name: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(crate_name).join("src");
        let texts = files(&root, "rs").into_iter().map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            (module_of(path.strip_prefix(&root).unwrap()), text)
        });
        let is_tests = |module: &Names| module.iter().any(|name| name == "tests");
        Modules::of_texts(texts.filter(|(module, _)| !is_tests(module)).collect())
    }

    fn of_texts(texts: BTreeMap<Names, String>) -> Self {
        let mut modules: BTreeMap<Names, Imports> = BTreeMap::new();
        for (module, text) in &texts {
            let begin = |path: &str| absolute(path, module, |names| texts.contains_key(names));
            modules.insert(module.clone(), Imports::of(text, begin));
        }
        Modules(modules)
    }

    /// The module that defines what a path names.
    fn definer(&self, path: &[String]) -> &Names {
        let mut path = path.to_vec();
        loop {
            let n = (0..=path.len()).rev().find(|&n| self.0.contains_key(&path[..n])).unwrap();
            let (module, imports) = self.0.get_key_value(&path[..n]).unwrap();
            match path.get(n).and_then(|name| imports.named.get(name)) {
                Some(target) if target[..] != path[..] => {
                    path = [target, &path[n + 1..]].concat();
                }
                _ => return module,
            }
        }
    }

    /// The modules that each module imports.
    fn edges(&self) -> BTreeMap<&Names, BTreeSet<&Names>> {
        let mut edges = BTreeMap::new();
        for (module, imports) in &self.0 {
            let targets = imports.paths.iter().map(|path| self.definer(path));
            edges.insert(module, targets.filter(|target| !are_one(module, target)).collect());
        }
        edges
    }

    /// The modules that import themselves, through others.
    fn in_circles(&self) -> Vec<String> {
        let edges = self.edges();
        let reaches_itself = |module: &&&Names| {
            let (mut seen, mut todo) = (BTreeSet::new(), vec![**module]);
            while let Some(next) = todo.pop() {
                todo.extend(edges[next].iter().filter(|target| seen.insert(**target)));
            }
            seen.contains(**module)
        };
        edges.keys().filter(reaches_itself).map(|module| module.join("::")).collect()
    }

    /// Imports of a folder that stands behind the importing one in `order`.
    fn upward(&self, order: &[&str]) -> Vec<String> {
        let place = |module: &Names| order.iter().position(|folder| module[0] == *folder).unwrap();
        let is_in_folder = |module: &Names| !module.is_empty();
        let edges = self.edges();
        let mut upward = Vec::new();
        for (module, targets) in edges.iter().filter(|(module, _)| is_in_folder(module)) {
            for target in targets.iter().filter(|target| is_in_folder(target)) {
                if place(target) > place(module) {
                    upward.push(format!("{} imports {}", module.join("::"), target.join("::")));
                }
            }
        }
        upward
    }
}

impl Imports {
    fn of(text: &str, absolute: impl Fn(&str) -> Option<Names>) -> Self {
        let text = UNIT_TESTS.split(text).next().unwrap();
        let text = COMMENT.replace_all(text, "");
        let mut imports = Imports::default();
        for item in USE.captures_iter(&text) {
            let is_of_file = item[1].is_empty();
            for (path, name) in leaves("", &item[2]) {
                // In a module within the file, `super` is the file.
                let inner = path.replacen("super::", "self::", 1);
                let Some(path) = absolute(if is_of_file { &path } else { &inner }) else {
                    continue;
                };
                imports.paths.insert(path.clone());
                if is_of_file {
                    imports.named.insert(name, path);
                }
            }
        }
        let rest = USE.replace_all(&text, "");
        imports.paths.extend(PATH.find_iter(&rest).filter_map(|path| absolute(path.as_str())));
        imports
    }
}

/// The module of a file of `src`.
fn module_of(path: &Path) -> Names {
    let names = path.with_extension("");
    let names = names.iter().map(|name| name.to_str().unwrap().to_owned());
    names.filter(|name| !["lib", "mod", "main"].contains(&name.as_str())).collect()
}

/// Returns whether one module is the other or is below it.
fn are_one(one: &[String], other: &[String]) -> bool {
    one.starts_with(other) || other.starts_with(one)
}

/// The path from the root of the crate; `None` for paths of other crates and the prelude.
fn absolute(path: &str, module: &Names, is_module: impl Fn(&Names) -> bool) -> Option<Names> {
    let mut names = path.split("::").map(str::to_owned).peekable();
    let mut begin = module.clone();
    match names.peek()?.as_str() {
        "crate" => {
            names.next();
            begin.clear();
        }
        "self" | "super" => {
            while let Some(name) = names.next_if(|name| name == "self" || name == "super") {
                if name == "super" {
                    begin.pop();
                }
            }
        }
        child => {
            let below = [&module[..], &[child.to_owned()]].concat();
            is_module(&below).then_some(())?;
        }
    }
    begin.extend(names);
    Some(begin)
}

/// The paths of a `use` item, each with the name that it gives.
fn leaves(begin: &str, tree: &str) -> Vec<(String, String)> {
    let tree = tree.trim();
    if let Some((before, group)) = tree.split_once('{') {
        let begin = format!("{begin}{}", before.trim());
        let group = group.trim_end().strip_suffix('}').expect("a group has an end");
        let parts = top_level_parts(group).into_iter();
        return parts.flat_map(|part| leaves(&begin, part)).collect();
    }
    let (path, name) = tree.split_once(" as ").map_or((tree, None), |(p, n)| (p, Some(n.trim())));
    let path = format!("{begin}{}", path.trim());
    let path = path.strip_suffix("::self").unwrap_or(&path);
    let last = path.rsplit("::").next().unwrap();
    vec![(path.to_owned(), name.unwrap_or(last).to_owned())]
}

/// The parts of a list between the commas that stand in no braces.
fn top_level_parts(list: &str) -> Vec<&str> {
    let mut depth = 0;
    let is_end = |char: char| {
        match char {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        char == ',' && depth == 0
    };
    list.split(is_end).filter(|part| !part.trim().is_empty()).collect()
}

#[test]
fn no_module_of_these_crates_is_in_an_import_circle() {
    for crate_name in ["beget-engine", "beget-run", "beget-suite"] {
        assert_eq!(Modules::of(crate_name).in_circles(), [""; 0], "{crate_name}");
    }
}

#[test]
fn folders_of_the_engine_import_only_those_before_them() {
    assert_eq!(Modules::of("beget-engine").upward(&ENGINE), [""; 0]);
}

#[test]
fn circles_and_imports_of_later_folders_are_found() {
    let modules = |texts: &[(&str, &str)]| {
        let texts = texts.iter().map(|(path, text)| (module_of(Path::new(path)), text.to_string()));
        Modules::of_texts(texts.collect())
    };
    let circle = modules(&[
        ("lib.rs", "mod data;\nmod run;\npub use run::walk::Walk;\n"),
        ("data.rs", "pub(crate) mod form;\npub(crate) mod word;\n"),
        ("data/form.rs", "use super::word::{self, Word};\nuse crate::{\n    Walk as Other,\n};\n"),
        ("data/word.rs", "// crate::data::form is not imported here\nuse std::fmt;\n"),
        ("run.rs", "pub(crate) mod walk;\n"),
        ("run/walk.rs", "fn walk() -> crate::data::form::Form {}\n"),
    ]);
    assert_eq!(circle.in_circles(), ["data::form", "run::walk"]);
    assert_eq!(circle.upward(&["data", "run"]), ["data::form imports run::walk"]);
    let line = modules(&[
        ("lib.rs", "mod a;\nmod b;\n"),
        ("a.rs", "mod part;\nuse part::Part;\n"),
        ("a/part.rs", "use super::Whole;\n#[cfg(test)]\nmod tests {\n    use crate::b::B;\n}\n"),
        ("b.rs", "use crate::a::Whole;\n"),
    ]);
    assert_eq!(line.in_circles(), [""; 0]);
    assert_eq!(line.upward(&["b", "a"]), ["b imports a"]);
}

static DEPENDENCY: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^([\w-]+)(?: =|\.)").unwrap());

/// The dependencies in the sections of a manifest whose header is accepted.
fn dependencies(manifest: &str, is_asked: impl Fn(&str) -> bool) -> BTreeSet<String> {
    let sections = manifest.split("\n[").filter_map(|section| section.split_once("]\n"));
    let asked = sections.filter(|(header, _)| is_asked(header));
    asked
        .flat_map(|(_, lines)| DEPENDENCY.captures_iter(lines))
        .map(|line| line[1].to_owned())
        .collect()
}

/// The dependencies that none of the files names.
fn unused(dependencies: &BTreeSet<String>, files: &[PathBuf]) -> Vec<String> {
    let text: String = files.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let code = COMMENT.replace_all(&text, "");
    let words: BTreeSet<&str> = WORD.find_iter(&code).map(|word| word.as_str()).collect();
    // The library of `layout-rs` is `layout`.
    let library = |name: &str| name.strip_suffix("-rs").unwrap_or(name).replace('-', "_");
    let is_unused = |name: &&String| !words.contains(library(name).as_str());
    dependencies.iter().filter(is_unused).cloned().collect()
}

#[test]
fn every_dependency_is_named_by_the_code_that_has_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let workspace = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let mut listed = dependencies(&workspace, |header| header == "workspace.dependencies");
    assert!(listed.contains("beget-heap") && listed.contains("serde"), "{listed:?}");
    let members = [
        "benchmarks",
        "conformance",
        "examples/cookbook",
        "examples/own-crate",
        "examples/two-versions",
        "fuzz",
    ];
    let crates = fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path());
    for place in crates.chain(members.map(|member| root.join(member))) {
        let manifest = fs::read_to_string(place.join("Cargo.toml")).unwrap();
        let of_code = dependencies(&manifest, |header| {
            header == "dependencies" || header.starts_with("target") && !header.contains("dev-")
        });
        let of_tests = dependencies(&manifest, |header| header.ends_with("dev-dependencies"));
        listed.retain(|name| !of_code.contains(name) && !of_tests.contains(name));
        let beside = ["examples", "benches", "tests", "fuzz_targets"].map(|name| place.join(name));
        let beside = beside.iter().filter(|path| path.is_dir()).flat_map(|path| files(path, "rs"));
        let src = files(&place.join("src"), "rs");
        let all: Vec<PathBuf> = src.iter().cloned().chain(beside).collect();
        let unused = [unused(&of_tests, &all), unused(&of_code, &src)].concat();
        assert_eq!(unused, [""; 0], "{}", place.display());
    }
    assert_eq!(listed, BTreeSet::new(), "no crate has these of the workspace's dependencies");
}

#[test]
fn a_dependency_that_only_a_comment_names_is_found() {
    let manifest =
        "[package]\nname = \"a\"\n\n[dependencies]\nserde = \"1\"\nbeget-heap.workspace = true\n";
    let found = dependencies(manifest, |header| header == "dependencies");
    assert_eq!(found, BTreeSet::from(["beget-heap".to_owned(), "serde".to_owned()]));
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dependencies.rs");
    fs::write(&file, "// serde\nuse beget_heap::Heap;\n").unwrap();
    assert_eq!(unused(&found, &[file]), ["serde"]);
}
