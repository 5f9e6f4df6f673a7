//! `cargo beget` in a crate of one's own, as a user would write it: suites behind `cfg(test)`, in a
//! test target, and with a repOK. One test, because a build serves all.
#![cfg(target_os = "linux")]

use crate::common;

use std::path::{Path, PathBuf};

use common::{Ended, ended, of_program};

const LIBRARY: &str = r#"
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, unreachable_pub)]
//! Stacks.

#[cfg(feature = "own-allocator")]
#[global_allocator]
static ALLOCATOR: std::alloc::System = std::alloc::System;

/// A stack.
#[derive(Debug, Default)]
#[cfg_attr(test, derive(beget::Heap, beget::HeapView))]
pub struct Stack {
    head: Option<Box<Node>>,
    len: usize,
}

#[derive(Debug)]
#[cfg_attr(test, derive(beget::Heap, beget::HeapView))]
struct Node {
    value: u8,
    next: Option<Box<Node>>,
}

#[cfg_attr(test, beget::api)]
impl Stack {
    /// An empty stack.
    pub fn new() -> Self {
        Stack::default()
    }

    /// Puts a value on top.
    pub fn push(&mut self, value: u8) {
        println!("pushed {value}");
        let next = self.head.take();
        self.head = Some(Box::new(Node { value, next }));
        self.len += 1;
    }

    /// Takes the value on top.
    pub fn pop(&mut self) -> Option<u8> {
        let node = self.head.take()?;
        self.head = node.next;
        self.len -= 1;
        Some(node.value)
    }

    /// Refuses.
    pub fn dull(&self) -> Result<u8, ()> {
        Err(())
    }

    /// The value on top.
    pub fn top(&self) -> u8 {
        debug_assert!(self.len > 0, "the stack is empty");
        self.head.as_ref().map_or(0, |node| node.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beget::heap::view::{NodeSet, RepOk, clause};

    impl beget::HasRepOks for Stack {
        fn rep_oks() -> Vec<RepOk<Self>> {
            vec![RepOk::<Self>::new("corrected", |stack| {
                let (mut nodes, mut node) = (NodeSet::new(), stack.head());
                while let Some(at) = node {
                    clause("no node is met twice", nodes.insert(at))?;
                    node = at.next();
                }
                clause("len is the number of nodes", stack.len() == nodes.len() as i64)
            })]
        }
    }

    #[test]
    fn tests_of_the_crate_are_not_run() {
        panic!("this is not asked for");
    }
}
"#;

const TEST_TARGET: &str = r#"
beget::suite! {
    /// A queue of the standard library.
    #[name = "std::queue"]
    pub suite Queue for std::collections::VecDeque<u8> {
        fn new() -> Self;
        fn push_back(&mut self, value: u8);
    }
}
"#;

const SCOPE: &str = r#"Scope(
    suite: "Stack",
    k: 3,
    objects: {"*": "k"},
    ints: "0..k",
    methods: Only(["new", "push", "pop"]),
    repoks: {"corrected": (
        objects: {"Node": "k"},
        fields: {"Stack.head": "null | Node", "Stack.len": "0..=k", "Node.next": "null | Node", "Node.value": "0..k"},
    )},
)"#;

const QUEUE_SCOPE: &str =
    r#"Scope(suite: "std::queue", k: 3, objects: {"*": "k"}, arrays: "k", ints: "0..k")"#;

/// A crate in a directory of its own, written anew; what was built for it is kept.
struct Crate {
    dir: PathBuf,
}

impl Crate {
    fn new() -> Crate {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("own-crate");
        let krate = Crate { dir };
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        let beget = workspace.join("crates/beget");
        krate.write(
            "Cargo.toml",
            &format!(
                "[package]\nname = \"fresh\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
                 [features]\nown-allocator = []\n\
                 [dev-dependencies]\nbeget = {{ path = {beget:?} }}\n[workspace]\n"
            ),
        );
        krate.write("src/lib.rs", LIBRARY);
        krate.write("tests/queue.rs", TEST_TARGET);
        krate.write("scopes/stack.ron", SCOPE);
        krate.write("scopes/queue.ron", QUEUE_SCOPE);
        // The versions that this workspace is tested with, which are at hand.
        std::fs::copy(workspace.join("Cargo.lock"), krate.dir.join("Cargo.lock")).unwrap();
        krate
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.dir.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text.trim_start()).unwrap();
    }

    fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.dir.join(path)).unwrap()
    }

    /// Runs `cargo beget` with arguments separated by spaces. Unoptimised: that takes less time to
    /// build. The directory of all crates of the machine stays as it is.
    fn beget(&self, arguments: &str) -> Ended {
        let program = Path::new(env!("CARGO_BIN_EXE_cargo-beget"));
        let mut command = of_program(program, &format!("beget --profile dev {arguments}"));
        command.current_dir(&self.dir).env("CARGO_TARGET_DIR", self.dir.join("target"));
        ended(command)
    }
}

#[test]
fn a_crate_runs_the_commands_on_its_own_suites() {
    let krate = Crate::new();
    let (manifest, first) = (krate.read("Cargo.toml"), krate.beget("list --lib"));
    assert_eq!((first.code, first.stdout.as_str()), (Some(0), LISTED_STACK), "{first:?}");

    // Without --lib the test targets are asked too.
    let both = krate.beget("list");
    assert_eq!(both.stdout, format!("{LISTED_STACK}{LISTED_QUEUE}"), "{both:?}");

    the_allocator_is_installed(&krate);
    results_alone_are_on_stdout(&krate);
    commands_find_the_suite_of_their_scope(&krate);
    a_failure_is_told_with_the_command_that_shows_it(&krate);
    what_is_wrong_is_told(&krate);
    an_allocator_of_ones_own_stays(&krate);
    a_check_needs_no_scope_file(&krate);
    init_writes_what_is_missing(&krate);
    assert_eq!(krate.read("Cargo.toml"), manifest);
    assert!(
        !krate.read("Cargo.lock").contains("name = \"clap\""),
        "only the build of beget has it"
    );
}

const LISTED_STACK: &str = "Stack  The public functions of `Stack`.\n       5 methods on Stack\n";
const LISTED_QUEUE: &str =
    "std::queue  A queue of the standard library.\n            2 methods on VecDeque<u8>\n";

fn the_allocator_is_installed(krate: &Crate) {
    let listed = krate.beget("list scopes/stack.ron");
    assert!(listed.stdout.contains("Stack: decode once, then region image"), "{listed:?}");
}

/// The methods of the suite print, and the test harness does.
fn results_alone_are_on_stdout(krate: &Crate) {
    let ended = krate.beget("generate scopes/stack.ron --summary json");
    let summary: serde_json::Value = serde_json::from_str(&ended.stdout)
        .unwrap_or_else(|error| panic!("one JSON object, {error}: {ended:?}"));
    // All sequences of at most 3 of 3 values: 1 + 3 + 9 + 27.
    assert_eq!((ended.code, &summary["generated"]), (Some(0), &40.into()));
    assert!(ended.stderr.contains("pushed 2"), "{ended:?}");
    assert!(summary["ways"].to_string().contains("region"), "{summary}");
}

fn commands_find_the_suite_of_their_scope(krate: &Crate) {
    let shown = krate.beget("show scopes/queue.ron -k 2 --format text");
    assert!(shown.stdout.contains("vec_deque.push_back(1);"), "{shown:?}");
    let builders = krate.beget("builders scopes/stack.ron -k 2");
    assert!(builders.stdout.contains("new, push"), "{builders:?}");
    for command in ["check", "repok", "compare"] {
        let ended = krate.beget(&format!("{command} scopes/stack.ron"));
        assert_eq!(ended.code, Some(0), "{command}: {ended:?}");
        assert!(ended.stdout.contains("40"), "{command}: {ended:?}");
    }
}

fn a_failure_is_told_with_the_command_that_shows_it(krate: &Crate) {
    let ended = krate.beget("check --lib scopes/stack.ron --methods all");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stdout.contains("the stack is empty"), "{ended:?}");
    let again = "cargo beget --lib generate scopes/stack.ron -k 3 --methods new,top";
    assert!(ended.stdout.contains(again), "{ended:?}");
}

fn what_is_wrong_is_told(krate: &Crate) {
    krate.write("scopes/unknown.ron", &SCOPE.replace("Stack", "Stak"));
    for (arguments, told) in [
        ("generate", "required arguments were not provided"),
        ("generate scopes/unknown.ron", "no suite named `Stak`"),
        ("list --package other", "there is no package `other` in this workspace"),
        ("list --test none", "no test target named `none`"),
        ("check scopes/absent.ron", "scopes/absent.ron"),
    ] {
        let ended = krate.beget(arguments);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{ended:?}");
        assert!(ended.stderr.contains(told), "{ended:?}");
    }
}

fn a_check_needs_no_scope_file(krate: &Crate) {
    let several = krate.beget("check");
    assert_eq!((several.code, several.stdout.as_str()), (Some(2), ""), "{several:?}");
    let told =
        "error: name a scope file, or one of the suites by `--suite`: `Stack`, `std::queue`\n";
    assert!(several.stderr.ends_with(told), "{several:?}");
    // The panic of `top` is there at k = 1, and shown as from a scope file.
    let found = krate.beget("check --suite Stack");
    assert_eq!(found.code, Some(1), "{found:?}");
    assert!(found.stdout.contains("\ndeepened    a failure at k = 1\n"), "{found:?}");
    let again =
        "to see the first failure again: cargo beget check --suite Stack -k 1 --methods new,top\n";
    assert!(found.stdout.contains(again), "{found:?}");
    let again = krate.beget("check --suite Stack -k 1 --methods new,top");
    assert!(again.code == Some(1) && !again.stdout.contains("deepened"), "{again:?}");
    // The only suite of a target needs no name.
    let only = krate.beget("check --lib --methods new,push,pop --max-calls 100 --max-seconds 1000");
    assert_eq!(only.code, Some(0), "{only:?}");
    let deepened = "\ndeepened    every value up to k = 2; k = 3 needs more: the budget of 100 calls is spent\n";
    assert!(only.stdout.contains(deepened), "{only:?}");
    // A method that never succeeds fails a check by cargo, unless the scope accepts it.
    let dull = krate.beget("check --suite Stack -k 1 --methods new,dull");
    assert_eq!(dull.code, Some(5), "{dull:?}");
    assert!(dull.stderr.contains("error: `dull` was never called with success"), "{dull:?}");
    let lenient = SCOPE.replace("push\", \"pop", "dull").replace("k: 3", "k: 1, strict: false");
    krate.write("lenient/stack.ron", &lenient);
    let accepted = krate.beget("check lenient/stack.ron");
    assert_eq!(accepted.code, Some(0), "{accepted:?}");
    assert!(accepted.stderr.contains("warning: `dull` was never called"), "{accepted:?}");
    let unknown = krate.beget("check --suite Stak");
    assert_eq!(unknown.code, Some(2), "{unknown:?}");
    assert!(unknown.stderr.contains("no suite named `Stak`"), "{unknown:?}");
    assert!(unknown.stderr.contains("did you mean `Stack`?"), "{unknown:?}");
}

fn init_writes_what_is_missing(krate: &Crate) {
    // Both suites have a scope file already, whatever its name is.
    let kept = krate.beget("init");
    let expected = "kept  scopes/stack.ron\n      next: cargo beget check scopes/stack.ron\n\
        kept  scopes/queue.ron\n      next: cargo beget check scopes/queue.ron\n";
    assert_eq!((kept.code, kept.stdout.as_str()), (Some(0), expected), "{kept:?}");
    let advice = "note: `check!` in a test is several times faster with optimised dependencies; in Cargo.toml:\n\n      \
                  [profile.dev.package.\"*\"]\n      opt-level = 2\n";
    assert!(kept.stderr.starts_with(advice), "{kept:?}");
    assert_eq!(krate.beget("init --quiet").stderr, "");
    assert_eq!(krate.read("scopes/stack.ron"), SCOPE);
    // A file of that name that is for something else stays as it is.
    let _ = std::fs::remove_dir_all(krate.dir.join("first"));
    krate.write("first/std_queue.ron", "for something else");
    let wrote = krate.beget("init first");
    let expected = "wrote first/stack.ron\n      next: cargo beget check first/stack.ron\n\
        wrote first/std_queue_2.ron\n      next: cargo beget check first/std_queue_2.ron\n";
    assert_eq!((wrote.code, wrote.stdout.as_str()), (Some(0), expected), "{wrote:?}");
    assert_eq!(krate.read("first/std_queue.ron"), "for something else");
    // What `init` says is next finds what a test with `check!(Stack)` does: the panic of `top`.
    let checked = krate.beget("check first/stack.ron");
    assert_eq!(checked.code, Some(1), "{checked:?}");
    assert!(checked.stdout.contains("the stack is empty"), "{checked:?}");
    let again = krate.beget("init first");
    assert_eq!(again.stdout, expected.replace("wrote", "kept "));
}

fn an_allocator_of_ones_own_stays(krate: &Crate) {
    let ended = krate.beget("list --lib --features own-allocator scopes/stack.ron");
    assert!(ended.stderr.contains("has an allocator of its own"), "{ended:?}");
    assert!(ended.stdout.contains("Stack: decode for each call"), "{ended:?}");
}
