//! Every value of every file that a run has written, changed in turn: `verify` refuses each. No
//! value is exempt; times and memory are not written.

use crate::common;

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use common::{Ended, run, run_beget};

/// What a run has written: a directory or a file.
struct Written {
    _dir: tempfile::TempDir,
    path: PathBuf,
    by: fn(&str) -> Ended,
}

impl Written {
    fn by(by: fn(&str) -> Ended, arguments: &str) -> Written {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out");
        let ended = by(&format!("{arguments} -o {}", path.display()));
        assert!(path.exists(), "{ended:?}");
        Written { _dir: dir, path, by }
    }

    fn files(&self) -> Vec<PathBuf> {
        if self.path.is_file() {
            return vec![self.path.clone()];
        }
        let mut files: Vec<_> =
            fs::read_dir(&self.path).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }

    fn verified(&self) -> Ended {
        (self.by)(&format!("verify {}", self.path.display()))
    }

    /// Checks that `verify` refuses what is there now, and names the file.
    #[track_caller]
    fn assert_refused(&self, file: &Path, what: &str) -> String {
        let ended = self.verified();
        let name = file.file_name().unwrap().to_str().unwrap();
        let said = format!("{}{}", ended.stdout, ended.stderr);
        assert!(matches!(ended.code, Some(1 | 2)), "{name}, {what}: {ended:?}");
        assert!(said.contains(name), "{name}, {what}: {said}");
        assert!(!said.contains("verified:"), "{name}, {what}: {said}");
        said
    }

    /// Changes each value of each file; how many there are.
    #[track_caller]
    fn assert_that_each_value_counts(&self) -> usize {
        assert_eq!(self.verified().code, Some(0), "{:?}", self.verified());
        let mut n = 0;
        for file in self.files() {
            let text = fs::read_to_string(&file).unwrap();
            for place in values(&text) {
                let changed = changed(&text[place.clone()]);
                let line = 1 + text[..place.start].matches('\n').count();
                let what = format!("line {line}: {} became {changed}", &text[place.clone()]);
                fs::write(&file, [&text[..place.start], &changed, &text[place.end..]].concat())
                    .unwrap();
                let said = self.assert_refused(&file, &what);
                if file.ends_with("structures.jsonl") {
                    assert!(said.contains("structures.jsonl, line "), "{what}: {said}");
                }
                n += 1;
            }
            fs::write(&file, text).unwrap();
        }
        assert_eq!(self.verified().code, Some(0));
        n
    }
}

/// The places of numbers, texts and words that are values: not those before a colon or a bracket.
fn values(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let (mut places, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'"' => {
                at += 1;
                while bytes[at] != b'"' {
                    at += 1 + usize::from(bytes[at] == b'\\');
                }
                at += 1;
            }
            byte if byte.is_ascii_alphanumeric() || byte == b'_' => {
                let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
                at += bytes[at..].iter().take_while(|byte| is_word(byte)).count();
            }
            _ => {
                at += 1;
                continue;
            }
        }
        if !text[at..].trim_start().starts_with([':', '(']) {
            places.push(start..at);
        }
    }
    places
}

/// Another value of the same kind.
fn changed(value: &str) -> String {
    if let Ok(number) = value.parse::<u64>() {
        return (number + 1).to_string();
    }
    match value {
        "true" => "false".to_owned(),
        "false" => "true".to_owned(),
        "null" => "0".to_owned(),
        _ => match value.strip_suffix('"') {
            Some(start) => format!("{start}x\""),
            None => format!("{value}x"),
        },
    }
}

#[test]
fn each_value_of_a_corpus_counts() {
    for (options, least) in [("", 60), ("--full", 70)] {
        let written = Written::by(run, &format!("generate scopes/tree.ron -k 1 {options}"));
        let n = written.assert_that_each_value_counts();
        assert!(n > least, "{n} values");
    }
}

/// Of such a run not all is made again; its list of files says that nothing was changed.
#[test]
fn each_value_of_a_corpus_that_was_stopped_counts() {
    let written = Written::by(run, "generate scopes/tree.ron --max-structures 2");
    let n = written.assert_that_each_value_counts();
    assert!(n > 60, "{n} values");
}

#[test]
fn each_value_of_admitted_structures_counts() {
    let scope = "../../../scopes/kiasan/treeset.ron";
    let written = Written::by(run_beget, &format!("repok {scope} -k 1"));
    let n = written.assert_that_each_value_counts();
    assert!(n > 40, "{n} values");
}

#[test]
fn each_value_of_a_file_of_builders_counts() {
    let written = Written::by(run, "builders scopes/tree.ron -k 1 --confirm-at 2");
    let n = written.assert_that_each_value_counts();
    assert!(n > 40, "{n} values");
}

/// The fields that are made again are told as such, beside the checksum.
#[test]
fn what_a_certificate_says_of_witnesses_and_observers_is_made_again() {
    let written = Written::by(run, "builders scopes/tree.ron -k 2");
    let text = fs::read_to_string(&written.path).unwrap();
    for (old, new, says) in [
        ("calls: ", "calls: 1", "`observers` is"),
        ("returned: ", "returned: 1", "`observers` is"),
        ("recipe: \"", "recipe: \" ", "lost` is"),
        ("picture: \"", "picture: \" ", "lost` is"),
    ] {
        assert!(text.contains(old), "{old}: {text}");
        fs::write(&written.path, text.replacen(old, new, 1)).unwrap();
        let ended = written.verified();
        assert_eq!(ended.code, Some(1), "{ended:?}");
        assert!(ended.stdout.contains(says), "{old}: {}", ended.stdout);
        assert!(ended.stdout.contains("the checksum in its last line"), "{}", ended.stdout);
    }
}

/// Changes the first `old` of the scope file, which the same structures may come of.
#[track_caller]
fn assert_scope_counts(old: &str, new: &str) {
    let written = Written::by(run, "generate scopes/tree.ron -k 2");
    let file = written.path.join("scope.ron");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains(old), "{text}");
    fs::write(&file, text.replacen(old, new, 1)).unwrap();
    written.assert_refused(&file, new);
}

#[test]
fn a_scope_file_is_the_one_of_the_run() {
    assert_scope_counts("k: ", "k: 1");
    assert_scope_counts("Scope(", "Scope(\n    budget: (max_calls: 100000),");
    assert_scope_counts("Scope(", "Scope(\n    misuse: (errors: true),");
    assert_scope_counts("Scope(", "// A comment.\nScope(");
}

#[test]
fn files_that_no_run_has_written_are_refused() {
    let scope = "../../../scopes/kiasan/treeset.ron";
    for (by, arguments) in [
        (run as fn(&str) -> Ended, "generate scopes/tree.ron -k 1".to_owned()),
        (run_beget, format!("repok {scope} -k 1")),
    ] {
        let written = Written::by(by, &arguments);
        for name in ["structures.ron", "notes.txt", "repository.ron", "INCOMPLETE", ".hidden"] {
            let file = written.path.join(name);
            let before = fs::read(&file).ok();
            fs::write(&file, "garbage").unwrap();
            written.assert_refused(&file, "added");
            match before {
                Some(before) => fs::write(&file, before).unwrap(),
                None => fs::remove_file(&file).unwrap(),
            }
        }
        let folder = written.path.join("folder");
        fs::create_dir(&folder).unwrap();
        written.assert_refused(&folder, "added");
        fs::remove_dir(&folder).unwrap();
        assert_eq!(written.verified().code, Some(0));
        for file in written.files() {
            let before = fs::read(&file).unwrap();
            fs::remove_file(&file).unwrap();
            written.assert_refused(&file, "removed");
            fs::write(&file, before).unwrap();
        }
    }
}

/// Each file of another run of the same scope in its place.
#[test]
fn files_of_two_runs_do_not_go_together() {
    let [one, other] = ["3", "7"]
        .map(|n| Written::by(run, &format!("generate scopes/tree.ron --max-structures {n}")));
    for file in one.files() {
        let (before, name) = (fs::read(&file).unwrap(), file.file_name().unwrap());
        let theirs = fs::read(other.path.join(name)).unwrap();
        if theirs != before {
            fs::write(&file, theirs).unwrap();
            let ended = one.verified();
            assert!(matches!(ended.code, Some(1 | 2)), "{name:?}: {ended:?}");
            fs::write(&file, before).unwrap();
        }
    }
}
