//! `verify`: what was written is made again, and each change of it is told.

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Ended, run, run_beget};
use serde_json::{Value, json};

/// What a run has written, in a directory of its own.
struct Written {
    _dir: tempfile::TempDir,
    path: PathBuf,
}

impl Written {
    fn by(run: fn(&str) -> Ended, arguments: &str) -> Written {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out");
        let ended = run(&format!("{arguments} -o {}", path.display()));
        assert!(path.exists(), "{ended:?}");
        Written { _dir: dir, path }
    }

    fn of_trees(options: &str) -> Written {
        Written::by(run, &format!("generate scopes/tree.ron {options}"))
    }

    fn verified(&self) -> Ended {
        run(&format!("verify {}", self.path.display()))
    }

    /// The summary of a check that ends with this code.
    #[track_caller]
    fn checked(&self, by: fn(&str) -> Ended, code: i32) -> Value {
        let ended = by(&format!("verify {} --summary json", self.path.display()));
        assert_eq!(ended.code, Some(code), "{ended:?}");
        serde_json::from_str(&ended.stdout).expect("one JSON object")
    }

    /// Exchanges the first `old` of a file, or of the file itself.
    fn change(&self, name: &str, old: &str, new: &str) {
        let file = if name.is_empty() { self.path.clone() } else { self.path.join(name) };
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(old), "{text}");
        fs::write(file, text.replacen(old, new, 1)).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path.join(name)).unwrap()
    }
}

fn differences(summary: &Value) -> Vec<(&str, &Value, &str)> {
    let differences = summary["differences"].as_array().unwrap().iter();
    differences
        .map(|one| (one["file"].as_str().unwrap(), &one["line"], one["message"].as_str().unwrap()))
        .collect()
}

#[test]
fn what_was_not_touched_is_verified() {
    let treeset = "../../../scopes/kiasan/treeset.ron";
    for (by, arguments, kind, structures) in [
        (run as fn(&str) -> Ended, "generate scopes/tree.ron".to_owned(), "corpus", 15),
        // Stopped early, when the calls on one structure had all been made: what it has.
        (run, "generate scopes/tree.ron --max-structures 7".to_owned(), "corpus", 8),
        (run, "generate scopes/tree.ron --max-structures 7 --full".to_owned(), "corpus", 8),
        (run, "generate scopes/tree.ron --methods all -k 2".to_owned(), "corpus", 5),
        // Red-black trees over subsets of three keys: 1 + 3 + 3 * 2 + 2. With slack, only what is
        // reported is written.
        (run_beget, format!("generate {treeset} -k 3 --slack 1"), "corpus", 12),
        (run_beget, format!("generate {treeset} -k 3 --slack 1 --full"), "corpus", 12),
        (run_beget, format!("repok {treeset} -k 3"), "admitted", 12),
        (run_beget, format!("repok {treeset} -k 3 --max-structures 4"), "admitted", 4),
        (run, "builders scopes/tree.ron --confirm-at 4".to_owned(), "certificate", 15),
    ] {
        let written = Written::by(by, &arguments);
        let summary = written.checked(by, 0);
        let told = (&summary["written"], &summary["verified"], &summary["differences"]);
        assert_eq!(told, (&json!(kind), &json!(true), &json!([])), "{arguments}");
        assert_eq!(summary["structures"], structures, "{arguments}");
        assert_eq!(
            (&summary["complete"], &summary["stop_reason"]),
            (&json!(true), &json!("exhausted"))
        );
    }
}

#[test]
fn each_changed_file_is_told_with_line_and_field() {
    for (options, file, old, new, line, says) in [
        (
            "",
            "structures.jsonl",
            "#1.insert(2)",
            "#1.insert(1)",
            json!(6),
            "`made_by` is \"#1.insert(1)\"; made again it is \"#1.insert(2)\"",
        ),
        (
            "--full",
            "structures.jsonl",
            "tree.insert(2)",
            "tree.insert(1)",
            json!(4),
            "`recipe` is [\"let mut tree",
        ),
        ("--full", "structures.jsonl", "\"size\":0", "\"size\":1", json!(1), "`heap` is"),
        (
            "",
            "structures.jsonl",
            "\"calls\":2",
            "\"calls\":3",
            json!(2),
            "`calls` is 3; made again it is 2",
        ),
        (
            "",
            "summary.json",
            "\"generated\": 15",
            "\"generated\": 16",
            Value::Null,
            "`generated` is 16; made again it is 15",
        ),
        ("", "summary.json", "\"digest\": \"", "\"digest\": \"0", Value::Null, "`digest` is \"0"),
        ("", "summary.json", "\"matched\": ", "\"matched\": 1", Value::Null, "`matched` is 1"),
    ] {
        let written = Written::of_trees(options);
        written.change(file, old, new);
        let summary = written.checked(run, 1);
        let [(in_file, at, message)] = differences(&summary)[..] else { panic!("{summary}") };
        assert_eq!((in_file, at), (file, &line), "{message}");
        assert!(message.contains(says), "{message}");
        assert_eq!(summary["verified"], false);
    }
}

#[test]
fn lines_too_many_and_too_few_are_told() {
    let written = Written::of_trees("");
    let lines = written.read("structures.jsonl");
    let file = written.path.join("structures.jsonl");
    fs::write(&file, format!("{lines}{{}}\n")).unwrap();
    let text = written.verified().stdout;
    assert!(
        text.contains("DIFFERENT   structures.jsonl, line 16: no run writes this line: {}"),
        "{text}"
    );
    // A torn last line, and one that is gone from the middle: all behind it are others.
    fs::write(&file, &lines[..lines.len() - 10]).unwrap();
    assert!(written.verified().stdout.contains("line 15 (structure 14)"));
    let without_second: Vec<&str> = lines
        .split_inclusive('\n')
        .enumerate()
        .filter(|&(at, _)| at != 1)
        .map(|(_, line)| line)
        .collect();
    fs::write(&file, without_second.concat()).unwrap();
    let ended = written.verified();
    assert_eq!(ended.code, Some(1));
    assert!(ended.stdout.contains("line 2 (structure 1): `form`"), "{}", ended.stdout);
    assert!(ended.stdout.contains("14 lines of this file differ"), "{}", ended.stdout);
}

#[test]
fn a_corpus_is_complete_as_it_is_marked() {
    let written = Written::of_trees("--max-structures 7");
    fs::remove_file(written.path.join("INCOMPLETE")).unwrap();
    let summary = written.checked(run, 1);
    assert_eq!(differences(&summary)[0].0, "INCOMPLETE");
    // What is missing of a run that calls itself complete.
    let written = Written::of_trees("--max-structures 7");
    written.change("summary.json", "\"complete\": false", "\"complete\": true");
    let ended = written.verified();
    assert_eq!(ended.code, Some(1));
    assert!(
        ended.stdout.contains("structures.jsonl, line 9 (structure 8): the line is missing"),
        "{}",
        ended.stdout
    );
    assert!(
        ended.stdout.contains("INCOMPLETE: says that structures are missing"),
        "{}",
        ended.stdout
    );
}

#[test]
fn a_run_is_not_made_with_a_scope_that_was_changed() {
    let written = Written::of_trees("");
    written.change("scope.ron", "0..k", "1..k + 1");
    let summary = written.checked(run, 1);
    let [(file, _, message)] = differences(&summary)[..] else { panic!("{summary}") };
    assert_eq!(file, "scope.ron");
    assert!(message.contains("manifest.json says"), "{message}");
    assert_eq!(summary["structures"], 0);
    // Nor is it read as one, if it is none.
    written.change("scope.ron", "Scope(", "Scope((");
    let ended = written.verified();
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    assert!(ended.stderr.contains("scope.ron:"), "{}", ended.stderr);
}

#[test]
fn each_claim_of_a_certificate_is_made_again() {
    for (old, new, says) in [
        ("structures: 15", "structures: 16", "these builders do not suffice"),
        ("structures: 0", "structures: 1", "the set without `new` gives 0 structures"),
        ("k: 4", "k: 5", "the builders give"),
    ] {
        let written = Written::by(run, "builders scopes/tree.ron --confirm-at 4");
        written.change("", old, new);
        let ended = written.verified();
        assert_eq!(ended.code, Some(1), "{ended:?}");
        assert!(ended.stdout.contains(says), "{}", ended.stdout);
    }
    let written = Written::by(run, "builders scopes/tree.ron");
    written.change("", "suite: \"tree\"", "suite: \"counter\"");
    assert_eq!(written.verified().code, Some(2));
}

#[test]
fn what_is_no_corpus_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let none = dir.path().join("none");
    for (path, says) in [
        (dir.path(), "has no `summary.json`"),
        (&*none, "has no `summary.json`"),
        (Path::new("scopes/tree.ron"), "this is no file of builders"),
    ] {
        let ended = run(&format!("verify {}", path.display()));
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{ended:?}");
        assert!(ended.stderr.contains(says), "{}", ended.stderr);
    }
    let written = Written::of_trees("");
    written.change("summary.json", "\"version\": 1", "\"version\": 9");
    let ended = written.verified();
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.stderr.contains("has version 9 of the formats; this program has 1"),
        "{}",
        ended.stderr
    );
}

/// The check has its own limits, and says that it was not at its end.
#[test]
fn a_check_that_is_stopped_says_so() {
    let written = Written::by(run_beget, "generate ../../../scopes/roops/ncl.ron -k 5");
    let ended = run_beget(&format!("verify {} --max-memory 1", written.path.display()));
    assert_eq!(ended.code, Some(3), "{ended:?}");
    assert!(ended.stdout.contains("not checked to the end: max_memory"), "{}", ended.stdout);
}

/// Literals of a repository are part of the run, and are kept with it.
#[test]
fn literals_of_a_repository_are_kept_with_the_structures() {
    let dir = tempfile::tempdir().unwrap();
    let repository = dir.path().join("calls.ron");
    let called = run(&format!("call scopes/tree.ron --repository {}", repository.display()));
    assert!(repository.exists(), "{called:?}");
    let written = Written::of_trees(&format!("--repository {}", repository.display()));
    fs::remove_file(&repository).unwrap();
    assert_eq!(written.checked(run, 0)["verified"], true);
    fs::remove_file(written.path.join("repository.ron")).unwrap();
    let summary = written.checked(run, 1);
    assert_eq!(differences(&summary)[0].0, "repository.ron");
}
