//! Tests that `cargo beget emit` writes for a crate of one's own, run by Cargo: those of structures
//! pass, those of failures fail as the findings say. One test, because a build serves all.
#![cfg(target_os = "linux")]

use crate::common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{Ended, ended, of_program};

const LIBRARY: &str = r#"
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]
//! Types that go wrong, and types that do not.

pub mod attic;
pub mod ends;
pub mod even;
pub mod marked;
pub mod pile;
pub mod shelf;
pub mod vault;
"#;

/// A panic, an invariant that is broken for an argument and for a result, and a destructor.
const SHELF: &str = r#"
//! Shelves.

/// A list that counts its items, wrongly after a certain call.
#[derive(Clone, Debug)]
#[cfg_attr(test, derive(beget::Heap))]
pub struct Shelf {
    items: Vec<u8>,
    len: usize,
}

#[cfg_attr(test, beget::api)]
impl Shelf {
    /// An empty shelf.
    pub fn new() -> Self {
        Shelf { items: Vec::new(), len: 0 }
    }

    /// Puts an item on it.
    pub fn push(&mut self, item: u8) {
        self.items.push(item);
        self.len += 1;
    }

    /// Takes the last item.
    pub fn pop(&mut self) -> Option<u8> {
        if self.len != 2 {
            self.len = self.len.saturating_sub(1);
        }
        self.items.pop()
    }

    /// The item there.
    pub fn item(&self, at: usize) -> u8 {
        self.items[at]
    }

    /// Another shelf with one item more, which it does not count.
    pub fn longer(&self) -> Result<(u8, Shelf), String> {
        match self.items.first() {
            Some(&first) => {
                let items = [&self.items[..], &[first]].concat();
                Ok((first, Shelf { items, len: self.len }))
            }
            None => Err("there is nothing on it".to_owned()),
        }
    }

    #[cfg_attr(test, beget::invariant)]
    #[cfg(test)]
    fn is_counted(&self) -> Result<(), String> {
        match self.items.len() == self.len {
            true => Ok(()),
            false => Err(format!("{} of {}", self.len, self.items.len())),
        }
    }
}

impl Default for Shelf {
    fn default() -> Self {
        Shelf::new()
    }
}

impl Drop for Shelf {
    fn drop(&mut self) {
        assert!(self.items != [1, 1], "two of a kind");
    }
}
"#;

const EVEN: &str = r#"
//! Even numbers.

/// A number that must stay even, says its repOK.
#[derive(Clone, Debug, Default)]
#[cfg_attr(test, derive(beget::Heap, beget::HeapView))]
pub struct Even {
    value: u8,
}

#[cfg_attr(test, beget::api)]
impl Even {
    /// Zero.
    pub fn new() -> Self {
        Even::default()
    }

    /// Adds to it, up to 4.
    pub fn add(&mut self, n: u8) {
        self.value = (self.value + n).min(4);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beget::heap::view::{RepOk, clause};

    impl beget::HasRepOks for Even {
        fn rep_oks() -> Vec<RepOk<Self>> {
            vec![RepOk::<Even>::new("even", |even| clause("value is even", even.value() % 2 == 0))]
        }
    }
}
"#;

/// Contracts that one value breaks, that two do, and a postcondition.
const PILE: &str = r#"
//! Piles.

/// A pile that says of two items that they are three.
#[derive(Clone, Debug)]
#[cfg_attr(test, derive(beget::Heap))]
pub struct Pile {
    items: Vec<u8>,
}

#[cfg_attr(test, beget::api)]
impl Pile {
    /// An empty pile.
    pub fn new() -> Self {
        Pile { items: Vec::new() }
    }

    /// Puts an item on it.
    #[cfg_attr(test, api(ensures(self.items.contains(&item), self.items.len() == old(self.items.len()) + 1)))]
    pub fn push(&mut self, item: u8) {
        if self.items != [1] || item != 0 {
            self.items.push(item);
        }
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.items.len() + usize::from(self.items.len() == 2)
    }
}

impl PartialEq for Pile {
    fn eq(&self, other: &Self) -> bool {
        self.items == other.items || self.items.is_empty()
    }
}

impl<'p> IntoIterator for &'p Pile {
    type Item = &'p u8;
    type IntoIter = std::slice::Iter<'p, u8>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}
"#;

/// Expected panics, results with structures in them, an enum that is a literal, keywords.
const VAULT: &str = r#"
//! Vaults.

/// How a vault is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(test, derive(beget::Heap, beget::Domain))]
pub enum Type {
    /// For anyone.
    Open,
    /// For nobody.
    Shut,
}

/// A vault that remembers that it has said no.
#[derive(Debug, PartialEq)]
#[cfg_attr(test, derive(beget::Heap))]
pub struct Match {
    coins: u8,
    state: Type,
    is_warned: bool,
    is_half: bool,
}

#[cfg_attr(test, beget::api(name = "vault"))]
impl Match {
    /// Two coins.
    pub fn new(state: Type) -> Self {
        Match { coins: 2, state, is_warned: false, is_half: false }
    }

    /// Takes coins.
    pub fn take(&mut self, n: u8) -> Result<u8, &'static str> {
        if n > self.coins {
            self.is_warned = true;
            panic!("only {} coins are left", self.coins);
        }
        self.coins -= n;
        if n == 0 { Err("nothing") } else { Ok(self.coins) }
    }

    /// Half of the coins, and how many that is.
    pub fn halve(&mut self) -> Option<(u8, Match)> {
        let coins = self.coins / 2;
        self.coins -= coins;
        (coins > 0).then(|| (coins, Match { coins, is_half: true, ..Match::new(self.state) }))
    }

    /// How it is left.
    pub fn state(&self) -> Type {
        self.state
    }

    /// Whether it is left so.
    pub fn is(&self, state: Type) -> bool {
        self.state == state
    }

    /// The coins one by one.
    pub fn coins(&self) -> Vec<f32> {
        vec![0.5; usize::from(self.coins)]
    }
}
"#;

/// Keys that belong to the structure that returned them.
const ATTIC: &str = r#"
//! Attics.

/// Boxes in slots, which are used again.
#[derive(Clone, Debug, Default)]
#[cfg_attr(test, derive(beget::Heap))]
pub struct Attic {
    slots: Vec<Option<u8>>,
}

/// Where a box is.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(test, derive(beget::Heap))]
pub struct Ticket(usize);

impl Attic {
    /// An empty one.
    pub fn new() -> Self {
        Attic::default()
    }

    /// Puts a box there, if it is not the third.
    pub fn store(&mut self, item: u8) -> Option<Ticket> {
        let free = self.slots.iter().position(Option::is_none).unwrap_or(self.slots.len());
        if free == 2 {
            return None;
        }
        self.slots.truncate(2);
        self.slots.resize(self.slots.len().max(free + 1), None);
        self.slots[free] = Some(item);
        Some(Ticket(free))
    }

    /// Gives a box back.
    pub fn fetch(&mut self, ticket: Ticket) -> Option<u8> {
        self.slots.get_mut(ticket.0)?.take()
    }

    /// Looks into a box.
    pub fn item(&self, ticket: &Ticket) -> Option<u8> {
        *self.slots.get(ticket.0)?
    }
}

#[cfg(test)]
beget::suite! {
    /// Attics.
    pub suite Attics {
        for Attic {
            fn new() -> Self;
            fn store(&mut self, item: u8) -> Option<Ticket>;
            fn fetch(&mut self, ticket: Ticket) -> Option<u8>;
            fn item(&self, ticket: &Ticket) -> Option<u8>;
        }
        for Ticket {
            keys;
        }
    }
}
"#;

/// What is the same within a process, but not in the next one.
const MARKED: &str = r#"
//! Marked numbers.

/// A number up to 2.
#[derive(Clone, Debug, Default)]
#[cfg_attr(test, derive(beget::Heap))]
pub struct Marked {
    value: u8,
}

#[cfg_attr(test, beget::api)]
impl Marked {
    /// Zero.
    pub fn new() -> Self {
        Marked::default()
    }

    /// Adds one, up to 2.
    pub fn grow(&mut self) {
        self.value = (self.value + 1).min(2);
    }

    /// Something else in each process, at 2.
    pub fn mark(&self) -> u32 {
        if self.value == 2 { std::process::id() } else { 0 }
    }
}
"#;

/// Ends of lists, which share with the lists that they are made from.
const ENDS: &str = r#"
//! Lists and their ends.

use std::rc::Rc;

/// A list, the last item first.
#[derive(Default)]
#[cfg_attr(test, derive(beget::Heap))]
pub struct List {
    items: Vec<Rc<u8>>,
}

/// The first item of a list.
#[cfg_attr(test, derive(beget::Heap))]
pub struct End {
    item: Option<Rc<u8>>,
    owners: usize,
}

impl List {
    /// An empty one.
    pub fn new() -> Self {
        List::default()
    }

    /// Puts an item at its front.
    pub fn push(&mut self, item: u8) {
        self.items.push(Rc::new(item));
    }

    /// What was pushed first.
    pub fn end(&self) -> End {
        let item = self.items.first().cloned();
        let owners = item.as_ref().map_or(0, Rc::strong_count);
        End { item, owners }
    }
}

impl End {
    /// Whether something else owns the item.
    pub fn is_shared(&self) -> bool {
        self.item.as_ref().is_some_and(|item| Rc::strong_count(item) > 1)
    }

    /// Sees anew how many own the item.
    pub fn count(&mut self) {
        self.owners = self.item.as_ref().map_or(0, Rc::strong_count);
    }

    /// How many owned the item when it was seen.
    pub fn owners(&self) -> usize {
        self.owners
    }
}

#[cfg(test)]
beget::suite! {
    /// Ends of lists.
    pub suite Ends {
        for End {
            fn is_shared(&self) -> bool;
            fn count(&mut self);
            fn owners(&self) -> usize;
        }
        for List {
            fn new() -> Self;
            fn push(&mut self, item: u8);
            fn end(&self) -> End;
        }
    }
}
"#;

/// A crate in a directory of its own, written anew; what was built for it is kept, with what
/// `own_crate.rs` builds.
struct Crate {
    dir: PathBuf,
}

impl Crate {
    fn new() -> Crate {
        let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let krate = Crate { dir: temporary.join("emitting-crate") };
        let _ = std::fs::remove_dir_all(&krate.dir);
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        let beget = workspace.join("crates/beget");
        krate.write(
            "Cargo.toml",
            &format!(
                "[package]\nname = \"emitting\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
                 [dev-dependencies]\nbeget = {{ path = {beget:?} }}\n[workspace]\n"
            ),
        );
        krate.write("src/lib.rs", LIBRARY);
        krate.write("src/attic.rs", ATTIC);
        krate.write("src/ends.rs", ENDS);
        for (name, source) in
            [("even", EVEN), ("pile", PILE), ("shelf", SHELF), ("vault", VAULT), ("marked", MARKED)]
        {
            krate.write(&format!("src/{name}.rs"), source);
        }
        let bounds = r#"objects: {"*": "k"}, arrays: "k", ints: "0..k""#;
        krate.write("shelf.ron", &format!("Scope(suite: \"Shelf\", k: 2, {bounds})"));
        krate.write("attic.ron", &format!("Scope(suite: \"Attics\", k: 2, {bounds})"));
        krate.write("ends.ron", &format!("Scope(suite: \"Ends\", k: 2, {bounds})"));
        krate.write("pile.ron", &format!("Scope(suite: \"Pile\", k: 2, {bounds})"));
        krate.write("even.ron", "Scope(suite: \"Even\", k: 2, ints: [1, 2])");
        krate.write("marked.ron", "Scope(suite: \"Marked\", k: 2)");
        let misuse = "misuse: (panics: [\"coins are left\"], keep_panicked: true)";
        krate.write("vault.ron", &format!("Scope(suite: \"vault\", k: 4, {bounds}, {misuse})"));
        krate.write("tests/.keep", "");
        std::fs::create_dir_all(krate.dir.join("src/shelf")).unwrap();
        std::fs::create_dir_all(krate.dir.join("src/even")).unwrap();
        std::fs::create_dir_all(krate.dir.join("src/pile")).unwrap();
        // The versions that this workspace is tested with, which are at hand.
        std::fs::copy(workspace.join("Cargo.lock"), krate.dir.join("Cargo.lock")).unwrap();
        krate
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.dir.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text.trim_start()).unwrap();
    }

    fn append(&self, path: &str, text: &str) {
        let text = self.read(path) + text;
        std::fs::write(self.dir.join(path), text).unwrap();
    }

    fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.dir.join(path)).unwrap()
    }

    fn run(&self, mut command: Command) -> Ended {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("own-crate/target");
        command.current_dir(&self.dir).env("CARGO_TARGET_DIR", target);
        ended(command)
    }

    /// Runs `cargo beget` with arguments separated by spaces. Unoptimised: that takes less time to
    /// build.
    fn beget(&self, arguments: &str) -> Ended {
        let program = Path::new(env!("CARGO_BIN_EXE_cargo-beget"));
        self.run(of_program(program, &format!("beget --profile dev {arguments}")))
    }

    /// Runs `cargo test` with arguments separated by spaces.
    fn test(&self, arguments: &str) -> Ended {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.arg("test").args(arguments.split_whitespace());
        command.env_remove("RUST_BACKTRACE");
        self.run(command)
    }
}

/// The number of tests of a file.
fn n_tests(text: &str) -> usize {
    text.matches("#[test]\n").count()
}

#[test]
fn emitted_tests_do_in_a_crate_what_the_run_has_seen() {
    let krate = Crate::new();
    structures_with_expected_panics_pass_as_a_target(&krate);
    keys_are_variables_of_their_tests(&krate);
    what_a_call_is_made_on_ends_with_it(&krate);
    what_another_process_does_otherwise_is_left_out(&krate);
    a_target_that_does_not_compile_is_not_kept(&krate);
    failures_fail_as_they_were_found(&krate);
}

fn structures_with_expected_panics_pass_as_a_target(krate: &Crate) {
    let ended = krate.beget("emit vault.ron -o tests/vault.rs --summary json");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let summary: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    let text = krate.read("tests/vault.rs");
    assert_eq!(summary["tests"], summary["generated"]);
    assert_eq!(summary["generated"], n_tests(&text));
    assert_eq!(summary["left_out"], serde_json::json!([]));
    for part in [
        "use emitting::vault::Match;\nuse emitting::vault::*;\n",
        "let mut value = Match::new(Type::Open);\n",
        "let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| value.take(3)));\n",
        // A structure of the result.
        ".halve().unwrap().1;\n",
        "assert_eq!(value.take(1), Ok(1));\n",
        "assert_eq!(value.state(), Type::Open);\n",
        "assert!(!value.is(Type::Shut));\n",
        "assert_eq!(value.coins(), vec![0.5]);\n",
        // An empty list does not tell its type.
        "assert_eq!(format!(\"{:?}\", value.coins()), \"[]\");\n",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert!(!krate.dir.join("tests").join("beget_trial").exists());
    assert_eq!(common::names_in(&krate.dir.join("tests")), [".keep", "vault.rs"]);
    let tested = krate.test("--test vault");
    let passed = format!("test result: ok. {} passed; 0 failed", n_tests(&text));
    assert!(tested.stdout.contains(&passed), "{tested:?}");
    assert!(!tested.stderr.contains("warning"), "{tested:?}");
    // The tests are of what the code does: other code, other results.
    let source = krate.read("src/vault.rs");
    krate.write("src/vault.rs", &source.replace("self.coins -= n;", "self.coins -= n / 2;"));
    assert_eq!(krate.test("--test vault").code, Some(101));
    krate.write("src/vault.rs", &source);
}

fn keys_are_variables_of_their_tests(krate: &Crate) {
    let ended = krate.beget("emit attic.ron -o tests/attic.rs --summary json");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let summary: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(summary["left_out"], serde_json::json!([]), "{ended:?}");
    let text = krate.read("tests/attic.rs");
    assert_eq!(summary["generated"], n_tests(&text));
    for part in [
        "let key = attic.store(1).unwrap();\n    let key_2 = attic.store(0).unwrap();\n",
        "assert_eq!(attic.fetch(key), Some(0));\n    assert_eq!(attic.item(&key), None);\n",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert!(!ended.stderr.contains("warning"), "{ended:?}");
    std::fs::remove_file(krate.dir.join("tests/attic.rs")).unwrap();
}

fn what_a_call_is_made_on_ends_with_it(krate: &Crate) {
    let ended = krate.beget("emit ends.ron -o tests/ends.rs --summary json");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let summary: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(summary["left_out"], serde_json::json!([]), "{ended:?}");
    let text = krate.read("tests/ends.rs");
    assert_eq!(summary["generated"], n_tests(&text));
    for part in [
        "let end = list.end();\n    drop(list);\n    assert!(!end.is_shared());\n",
        "let mut end = list.end();\n    drop(list);\n    end.count();\n",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert!(!text.contains("assert!(end.is_shared())"), "{text}");
    let tested = krate.test("--test ends");
    assert_eq!(tested.code, Some(0), "{tested:?}");
    assert!(!tested.stderr.contains("warning"), "{tested:?}");
    // A list that lives on is seen.
    krate.write("tests/ends.rs", &text.replace("    drop(list);\n", ""));
    assert_eq!(krate.test("--test ends").code, Some(101));
    std::fs::remove_file(krate.dir.join("tests/ends.rs")).unwrap();
}

fn what_another_process_does_otherwise_is_left_out(krate: &Crate) {
    let ended = krate.beget("emit marked.ron -o tests/marked.rs");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let told = "left out: the test `structure_2_new_grow_grow`: it fails in a process of its own";
    assert!(ended.stderr.contains(told), "{ended:?}");
    let text = krate.read("tests/marked.rs");
    assert!(
        text.starts_with("//! `Marked` at k = 2: 2 tests of structures, 0 tests of failures.\n")
    );
    assert!(n_tests(&text) == 2 && !text.contains("structure_2"), "{text}");
}

fn a_target_that_does_not_compile_is_not_kept(krate: &Crate) {
    krate.write(
        "src/lib.rs",
        &LIBRARY.replace("pub mod marked;", "mod marked;\npub use marked::Marked;"),
    );
    let ended = krate.beget("emit --lib marked.ron -o tests/private.rs");
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{ended:?}");
    assert!(ended.stderr.contains("nothing is written: the tests do not compile"), "{ended:?}");
    let names = [".keep", "marked.rs", "vault.rs"];
    assert_eq!(common::names_in(&krate.dir.join("tests")), names);
    krate.write("src/lib.rs", LIBRARY);
}

/// What a failed test wrote, by name.
fn outputs(stdout: &str) -> BTreeMap<String, String> {
    let parts = stdout.split("\n---- ").skip(1);
    let named = parts.filter_map(|part| part.split_once(" stdout ----\n"));
    named.map(|(name, output)| (name.to_owned(), output.to_owned())).collect()
}

fn failures_fail_as_they_were_found(krate: &Crate) {
    let mut messages = BTreeMap::new();
    let all: [(&str, &[&str]); 3] = [
        ("shelf", &["drop_panics", "invariant", "panic"]),
        ("even", &["repok"]),
        ("pile", &["contract"]),
    ];
    for (name, kinds) in all {
        let path = format!("src/{name}/failures.rs");
        let ended =
            krate.beget(&format!("emit {name}.ron --only failures -o {path} --summary json"));
        assert_eq!(ended.code, Some(1), "{ended:?}");
        let summary: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_eq!(summary["left_out"], serde_json::json!([]), "{summary}");
        let findings = summary["findings"].as_array().unwrap();
        assert_eq!(summary["tests"], findings.len());
        assert_eq!(summary["failure_tests"], findings.len());
        let found: std::collections::BTreeSet<_> =
            findings.iter().map(|finding| finding["kind"].as_str().unwrap()).collect();
        assert_eq!(Vec::from_iter(found), kinds);
        let text = krate.read(&path);
        let tests = text.lines().filter_map(|line| line.strip_prefix("fn ")?.strip_suffix("() {"));
        for (test, finding) in tests.zip(findings) {
            let test = format!("{name}::failures::{test}");
            messages.insert(test, finding["message"].as_str().unwrap().to_owned());
        }
        krate.append(&format!("src/{name}.rs"), "\n#[cfg(test)]\nmod failures;\n");
    }
    let ended = krate.test("--lib failures");
    assert!(!ended.stderr.contains("warning"), "{ended:?}");
    let outputs = outputs(&ended.stdout);
    assert_eq!(
        outputs.keys().collect::<Vec<_>>(),
        messages.keys().collect::<Vec<_>>(),
        "{ended:?}"
    );
    for (test, message) in messages {
        // A panic's place and message are two lines of the harness.
        let at = message.split_once("panicked at ").map_or("", |(_, at)| at);
        let at = at.split_once(": ").map(|(place, said)| format!("panicked at {place}:\n{said}"));
        let wanted = match message.split_once(" is broken: ") {
            // Both sides are shown by the assertion.
            Some((contract, _)) => format!("{contract} is broken"),
            None if message.contains("invariant") => message.clone(),
            None => at.unwrap_or(message.clone()),
        };
        assert!(
            outputs[&test].contains(&wanted),
            "{test}: {wanted:?} is not in {}",
            outputs[&test]
        );
    }
    // A postcondition, `eq_symmetric`, `eq_same_contents` of two that are equal by mistake, and
    // `len_is_iteration`.
    assert_eq!(outputs.keys().filter(|test| test.starts_with("pile")).count(), 4, "{outputs:?}");
    // Once the code is right, they pass.
    let source = krate.read("src/even.rs");
    krate.write(
        "src/even.rs",
        &source.replace("(self.value + n).min(4)", "(self.value + n).min(4) & !1"),
    );
    let repaired = krate.test("--lib even::failures");
    assert!(repaired.stdout.contains("test result: ok. 1 passed"), "{repaired:?}");
}
