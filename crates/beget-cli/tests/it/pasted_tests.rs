//! Tests that `check!` and `diff!` print, pasted beside the test that printed them: wherever that
//! stands, they compile without a warning, and fail as long as the defect is there. One test,
//! because a build serves all. The crate is in `tests/pasted`.
#![cfg(target_os = "linux")]

use crate::common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{Ended, ended};

const FILES: [&str; 5] =
    ["src/lib.rs", "src/open.rs", "src/ring.rs", "src/stack.rs", "tests/it.rs"];

/// What stands where the tests of a test go, around its name.
const PLACE: [&str; 2] = ["// What `", "` prints.\n"];

/// The crate, in a directory of its own; what was built for it is kept.
struct Crate {
    dir: PathBuf,
}

impl Crate {
    fn new() -> Crate {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pasting");
        let krate = Crate { dir };
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        krate.write(
            "Cargo.toml",
            &format!(
                "[package]\nname = \"pasting\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
                 [dependencies]\nbeget = {{ path = {:?} }}\n[workspace]\n",
                workspace.join("crates/beget")
            ),
        );
        // The versions that this workspace is tested with, which are at hand.
        std::fs::copy(workspace.join("Cargo.lock"), krate.dir.join("Cargo.lock")).unwrap();
        krate
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.dir.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Runs all tests, and tells what those that fail say, by their names.
    fn test(&self) -> (Ended, BTreeMap<String, String>) {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(["test", "--no-fail-fast", "--lib", "--tests"]).current_dir(&self.dir);
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("own-crate/target");
        command.env("CARGO_TARGET_DIR", target).env_remove("RUST_BACKTRACE");
        let ended = ended(command);
        let parts = ended.stdout.split("\n---- ").skip(1);
        let named = parts.filter_map(|part| part.split_once(" stdout ----\n"));
        let failed = named.map(|(name, output)| {
            let name = name.rsplit("::").next().unwrap_or(name);
            (name.to_owned(), output.to_owned())
        });
        let failed = failed.collect();
        (ended, failed)
    }
}

fn source(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pasted").join(path);
    std::fs::read_to_string(path).unwrap()
}

/// The tests in what a failed test says: name, text.
fn printed(output: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = output.lines().collect();
    let mut tests = Vec::new();
    for (start, _) in lines.iter().enumerate().filter(|(_, line)| **line == "    #[test]") {
        let end = lines[start..].iter().position(|line| *line == "    }").unwrap();
        let text: String =
            lines[start..=start + end].iter().map(|line| format!("{line}\n")).collect();
        let name = lines[start + 1].trim().strip_prefix("fn ").unwrap();
        tests.push((name.strip_suffix("() {").unwrap().to_owned(), text));
    }
    tests
}

/// The name of each test that has a place, with the file.
fn places() -> Vec<(String, &'static str)> {
    let mut all = Vec::new();
    for file in FILES {
        let text = source(file);
        for part in text.split(PLACE[0]).skip(1) {
            all.push((part.split_once(PLACE[1]).unwrap().0.to_owned(), file));
        }
    }
    all
}

#[test]
fn what_is_printed_can_be_pasted_beside_the_test_that_prints_it() {
    let krate = Crate::new();
    FILES.iter().for_each(|file| krate.write(file, &source(file)));
    let (ended, said) = krate.test();
    let places = places();
    assert_eq!((said.len(), places.len()), (9, 9), "{ended:?}");
    let mut texts: BTreeMap<&str, String> =
        FILES.iter().map(|file| (*file, source(file))).collect();
    let mut pasted = Vec::new();
    for (name, file) in &places {
        let tests = printed(&said[name]);
        assert!(!tests.is_empty(), "{name} prints no test: {}", said[name]);
        let text = texts.get_mut(file).unwrap();
        let place = format!("{}{name}{}", PLACE[0], PLACE[1]);
        let source: String = tests.iter().map(|(_, text)| text.as_str()).collect();
        *text = text.replace(&place, &source);
        pasted.extend(tests.into_iter().map(|(name, _)| name));
    }
    texts.iter().for_each(|(file, text)| krate.write(file, text));
    let (ended, said) = krate.test();
    assert!(!ended.stderr.contains("warning: unused"), "{}", ended.stderr);
    for name in &pasted {
        assert!(said.contains_key(name), "{name} does not fail: {}", ended.stderr);
    }
    assert_eq!(said.len(), places.len() + pasted.len());
}
