//! `cargo beget init --crate`: a harness for a crate that knows nothing of beget, from its
//! documentation to its check. One test, because a build serves all.
#![cfg(target_os = "linux")]

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Ended, ended, names_in, of_program};

/// The crate under test: rings of at most as many values as their type says.
fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixture")
}

/// Runs `cargo beget` unoptimised and without the network, in a directory of the tests. What is
/// built is shared with the tests of a crate of one's own.
fn beget(dir: &Path, arguments: &str) -> Ended {
    let program = Path::new(env!("CARGO_BIN_EXE_cargo-beget"));
    let mut command = of_program(program, &format!("beget --profile dev --offline {arguments}"));
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("own-crate/target");
    command.current_dir(dir).env("CARGO_TARGET_DIR", target);
    ended(command)
}

fn init(dir: &Path, ty: &str, rest: &str) -> Ended {
    let path = fixture();
    beget(dir, &format!("init --crate fixture-crate --path {} --type {ty} {rest}", path.display()))
}

#[test]
fn a_crate_gets_a_harness_that_compiles_and_is_checked() {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("foreign");
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    what_is_wrong_is_told_and_nothing_is_written(&dir);

    let ended = init(&dir, "fixture::Ring", "rings");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stdout.starts_with(WROTE), "{ended:?}");
    // The state does not say how rings came about: 1 + 3 + 9 + 27 of at most 3 of 3 values.
    assert!(ended.stdout.contains("\nstructures  40\n"), "{ended:?}");
    assert!(ended.stdout.contains("complete: the space is exhausted"), "{ended:?}");
    assert!(ended.stdout.contains("contracts   9 hold"), "{ended:?}");
    // The panics of a full ring, and of a range beyond the end, are documented.
    let scope = fs::read_to_string(dir.join("rings/scopes/ring.ron")).unwrap();
    for (method, pattern) in
        [("push", r"the ring is full: \\d+ of \\d+"), ("cut", "range end index")]
    {
        assert!(scope.contains(&format!("        // {method}: ")), "{scope}");
        assert!(scope.contains(pattern), "{scope}");
    }
    let manifest = fs::read_to_string(dir.join("rings/Cargo.toml")).unwrap();
    assert!(manifest.contains("fixture-crate = { version = \"=1.2.3\", path = "), "{manifest}");

    // It is a crate like any other, with all commands. Of one value there are two rings.
    let shown = beget(&dir.join("rings"), "show scopes/ring.ron -k 1");
    assert!(
        shown.stdout.contains(
            "Ring 1: 2 calls\n    let mut ring = Ring::new();\n    let _ = ring.push(0);"
        ),
        "{shown:?}"
    );
    let twice = init(&dir, "Ring", "rings");
    assert_eq!((twice.code, twice.stdout.as_str()), (Some(2), ""), "{twice:?}");
    assert!(twice.stderr.contains("`rings` is there already and is not empty"), "{twice:?}");
    a_type_without_a_constructor_is_not_checked(&dir);
    a_text_that_differs_is_given_up(&dir);
    defects_are_found_without_a_line(&dir);
    elements_are_watched_in_a_module(&dir);
    one_double_drop_does_not_hide_the_others(&dir);
    a_panic_is_shown_once(&dir);
    a_panic_that_only_another_function_announces_is_shown(&dir);
    a_call_that_ends_the_process_is_a_finding(&dir);
    a_call_that_does_not_return_is_a_finding(&dir);
    what_the_standard_library_keeps_from_showing_is_found_too(&dir);
}

/// The harness is there, so that its user can add one.
fn a_type_without_a_constructor_is_not_checked(dir: &Path) {
    let ended = init(dir, "Voucher", "vouchers");
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(
        ended.stdout.starts_with("wrote vouchers: a harness for fixture::Voucher\n"),
        "{ended:?}"
    );
    let message = "no function of the harness makes a `fixture::Voucher` from values: add one to the \
                   suite in `vouchers/src/lib.rs`, then run `cargo beget check scopes/voucher.ron` there";
    assert!(ended.stderr.contains(message), "{ended:?}");
}

/// One defect does not hide the others; what cannot be seen is probed.
fn defects_are_found_without_a_line(dir: &Path) {
    let ended = init(dir, "Sieve", "sieves");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    for message in [
        r#"`pop_back` does not ensure `format!("{:?}", result) == old(format!("{:?}", self.last()))`"#,
        "`retain` does not ask about each item",
        "the same call gives other items",
        "it breaks",
    ] {
        assert!(ended.stdout.contains(message), "{message}: {ended:?}");
    }
    assert!(ended.stdout.contains("    let _ = sieve.crack();\n    let _ = sieve.shake();\n"));
}

fn elements_are_watched_in_a_module(dir: &Path) {
    let ended = init(dir, "Pile", "piles");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let note = "and one for fixture::Pile<beget::elements::Tracked>, in its module `tracked`\n";
    assert!(ended.stderr.contains(note), "{ended:?}");
    assert!(ended.stdout.contains("contracts   6 hold\n"), "{ended:?}");
    let library = fs::read_to_string(dir.join("piles/src/lib.rs")).unwrap();
    assert!(library.ends_with("\npub mod tracked;\n"), "{library}");
    // A type of which no element can be watched has no such module.
    assert_eq!(names_in(&dir.join("rings/src")), ["lib.rs"]);
}

/// That of the constructor leaves one structure, with which a check is not to end.
fn one_double_drop_does_not_hide_the_others(dir: &Path) {
    let ended = init(dir, "Spill", "spills");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    for call in ["TrackedSpill::after(", "tracked_spill.tip()"] {
        assert!(ended.stdout.contains(call), "{call}: {ended:?}");
    }
}

/// `offer` panics as `put` announces, and announces nothing.
fn a_panic_that_only_another_function_announces_is_shown(dir: &Path) {
    let ended = init(dir, "Cupboard", "cupboards");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stderr.contains("note: `offer`: panics were seen that only"), "{ended:?}");
    let (first, second) = ended.stdout.split_once("\nno failure found; ").unwrap();
    assert!(first.contains(" 54 misuse + 0 failures"), "{first}");
    assert!(second.contains("the cupboard is full\n    let mut cupboard = "), "{second}");
    assert!(second.contains("    let _ = cupboard.offer(0);\n"), "{second}");
    let scope = fs::read_to_string(dir.join("cupboards/scopes/cupboard_silent.ron")).unwrap();
    assert!(scope.contains("    methods: Except([\"put\"]),\n"), "{scope}");
}

/// The check with tracked elements expects the panics that the one before has shown.
fn a_panic_is_shown_once(dir: &Path) {
    let ended = init(dir, "Chute", "chutes");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let shown = ended.stdout.lines().filter(|line| line.starts_with("failure "));
    assert_eq!(shown.filter(|line| line.ends_with("the chute is stuck")).count(), 1, "{ended:?}");
    let scope = fs::read_to_string(dir.join("chutes/scopes/tracked_chute.ron")).unwrap();
    let rule = "        // slide: shown by the check of `Chute`\n        \"the chute is stuck\",\n";
    assert!(scope.contains(rule), "{scope}");
}

/// The first check, whose output is not shown, ends with the call; the shown one goes on.
fn a_call_that_does_not_return_is_a_finding(dir: &Path) {
    let ended = init(dir, "Pump", "pumps");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stderr.contains("a call ended the process or did not return"), "{ended:?}");
    assert!(ended.stdout.contains("the call does not return: it was stopped"), "{ended:?}");
    assert!(ended.stdout.contains("    let _ = pump.run();\n"), "{ended:?}");
    assert!(ended.stdout.contains("\nstructures  2\n"), "{ended:?}");
}

fn a_call_that_ends_the_process_is_a_finding(dir: &Path) {
    let ended = init(dir, "Fuse", "fuses");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stderr.contains("calls are made in a process of their own"), "{ended:?}");
    assert!(ended.stdout.contains("the call ended the process by SIGABRT"), "{ended:?}");
    assert!(ended.stdout.contains("\nstructures  2\n"), "{ended:?}");
}

/// A check of the standard library ends the process with the first number. Without it the second
/// one shows what else is wrong.
fn what_the_standard_library_keeps_from_showing_is_found_too(dir: &Path) {
    let ended = init(dir, "Overhang", "overhangs");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let (first, second) = ended.stdout.split_once("\n1 cause of failure; INCOMPLETE").unwrap();
    assert!(first.contains("unsafe precondition(s) violated: slice::get_unchecked_mut"), "{first}");
    assert!(!first.contains("the overhang breaks"), "{first}");
    assert!(second.contains("the overhang breaks"), "{second}");
    assert!(!second.contains("unsafe precondition"), "{second}");
    let manifest = fs::read_to_string(dir.join("overhangs/Cargo.toml")).unwrap();
    let left_out = "\n[profile.dev.package.fixture-crate]\ndebug-assertions = false\n\
                    [profile.dev.package.fixture-crate-harness]\ndebug-assertions = false\n";
    assert!(manifest.ends_with(left_out), "{manifest}");
}

/// The number that each value has is in its `Debug` text, and tells two defaults apart.
fn a_text_that_differs_is_given_up(dir: &Path) {
    let ended = init(dir, "Numbered", "numbered");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let note = "note: after equal calls `Debug` shows another text, as with an address or a counter in it; \
                the harness now compares what iteration and observers show\n";
    assert_eq!(ended.stderr.matches(note).count(), 1, "{ended:?}");
    assert!(ended.stderr.contains("leaves out the contract `default_repeats`\n"), "{ended:?}");
    assert!(ended.stdout.contains("\nstructures  40\n"), "{ended:?}");
    let source = fs::read_to_string(dir.join("numbered/src/lib.rs")).unwrap();
    assert!(source.contains("items: numbered.iter()"), "{source}");
    assert!(!source.contains("text: "), "{source}");
    let scope = fs::read_to_string(dir.join("numbered/scopes/numbered.ron")).unwrap();
    assert!(scope.contains("\n    contracts: Except([\"default_repeats\"]),\n"), "{scope}");
}

const WROTE: &str = "wrote rings: a harness for fixture::Ring<u8, 3>
      19 of 24 public functions take part
      without at_unchecked: it is unsafe
      without ready: it is async
      without open: it needs `Sealed`, which has no domain
      without words: rustc: E0277: the trait bound `u8: AsRef<str>` is not satisfied
      without joined: it is a function of `Ring<String, N>`
";

fn what_is_wrong_is_told_and_nothing_is_written(dir: &Path) {
    let path = fixture().display().to_string();
    for (arguments, told) in [
        (format!("init --crate fixture-crate --path {path}"), "--type"),
        ("init --type Ring".to_owned(), "--crate"),
        (
            format!("init --crate fixture-crate --path {path} --type Rign"),
            "no public type `Rign`; it has fixture::Ring",
        ),
        (format!("init --crate fixture-crate --path {path} --type Lent"), "it has a lifetime"),
        (format!("init --crate fixture-crate --path {path}/none --type Ring"), "none"),
        (format!("init --crate other --path {path} --type Ring"), "other"),
        ("init --crate no/name --type Ring".to_owned(), "NAME or NAME@VERSION"),
        (
            format!("init --crate fixture-crate --path {path} --type Loose"),
            "error: `fixture::Loose` has no size that is known at compile time, and such a value cannot be stored; \
             try a type of the crate that owns one, such as a box\n",
        ),
    ] {
        let ended = beget(dir, &arguments);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{arguments}: {ended:?}");
        assert!(ended.stderr.contains(told), "{arguments}: {ended:?}");
        assert_eq!(names_in(dir), Vec::<String>::new(), "{arguments}");
    }
}
