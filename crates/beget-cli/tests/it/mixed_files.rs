//! Directories of saved runs whose files do not belong together: each is refused, with the name of
//! the file and nothing changed, or the run goes on to the bytes that it has anyway.
#![cfg(unix)]

use crate::common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use common::{Ended, run, run_beget};

/// Files by their path in a directory.
type Files = BTreeMap<PathBuf, Vec<u8>>;

/// All files below a directory but locks, which are empty.
fn files_below(dir: &Path) -> Files {
    let mut files = Files::new();
    let mut left = vec![PathBuf::new()];
    while let Some(path) = left.pop() {
        for entry in fs::read_dir(dir.join(&path)).into_iter().flatten() {
            let entry = entry.unwrap();
            let path = path.join(entry.file_name());
            match entry.path().is_dir() {
                true => left.push(path),
                false if entry.file_name() == "lock" => {}
                false => drop(files.insert(path, fs::read(entry.path()).unwrap())),
            }
        }
    }
    files
}

fn write(files: &Files, dir: &Path) {
    for (name, bytes) in files {
        let path = dir.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

/// Runs of one scope, saved and read again.
struct Scope<'s> {
    run: fn(&str) -> Ended,
    scope: &'s str,
    /// What the run leaves, however it is made.
    reference: Files,
    n_refused: usize,
    n_equal: usize,
}

impl<'s> Scope<'s> {
    fn new(run: fn(&str) -> Ended, scope: &'s str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("out");
        let ended = run(&format!("generate {scope} --quiet -o {}", out.display()));
        assert!(out.exists(), "{ended:?}");
        Scope { run, scope, reference: files_below(&out), n_refused: 0, n_equal: 0 }
    }

    /// The files of a run that is saved with these options.
    fn saved(&self, options: &str) -> Files {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("run");
        let Scope { run, scope, .. } = self;
        let options = options.replace("DIR", path.to_str().unwrap());
        let ended = run(&format!("generate {scope} --quiet {options}"));
        let files = files_below(&path);
        assert!(files.len() > 2, "{ended:?}");
        files
    }

    /// Goes on from files of which those in `odd` are not what was saved: they are refused by name,
    /// or the run leaves what it always does.
    #[track_caller]
    fn resume(&mut self, files: &Files, odd: &[&Path], options: &str) {
        let dir = tempfile::tempdir().unwrap();
        let (path, out) = (dir.path().join("run"), dir.path().join("out"));
        write(files, &path);
        let (scope, paths) = (self.scope, (path.display(), out.display()));
        let line = format!("generate {scope} {options} --resume {} -o {}", paths.0, paths.1);
        let ended = (self.run)(&line);
        if out.exists() {
            assert!(files_below(&out) == self.reference, "{odd:?}: {ended:?}");
            self.n_equal += 1;
            return;
        }
        assert!(matches!(ended.code, Some(2 | 4)), "{odd:?}: {ended:?}");
        assert_eq!(ended.stdout, "", "{odd:?}: {ended:?}");
        let names_one = odd.iter().any(|name| ended.stderr.contains(name.to_str().unwrap()));
        assert!(names_one, "{odd:?}: {ended:?}");
        assert!(files_below(&path) == *files, "{odd:?}: the directory has changed: {ended:?}");
        self.n_refused += 1;
    }

    /// Every file of `run` in place of every file of `of`.
    fn replace(&mut self, of: &Files, run: &Files, options: &str) {
        for name in of.keys() {
            for bytes in run.values() {
                let mut mixed = of.clone();
                mixed.insert(name.clone(), bytes.clone());
                self.resume(&mixed, &[name], options);
            }
        }
    }

    /// Every two files of a run exchanged.
    fn exchange(&mut self, run: &Files, options: &str) {
        for (first, bytes) in run {
            for (second, others) in run.range(first.clone()..).skip(1) {
                let mut mixed = run.clone();
                mixed.insert(first.clone(), others.clone());
                mixed.insert(second.clone(), bytes.clone());
                self.resume(&mixed, &[first, second], options);
            }
        }
    }

    /// Each file cut short, longer than it was, or gone.
    fn damage(&mut self, run: &Files, options: &str) {
        for (name, bytes) in run {
            let n = bytes.len();
            let longer = [bytes.as_slice(), b"\0"].concat();
            for damaged in [&[][..], &bytes[..n / 2], &bytes[..n - 1], &longer] {
                let mut mixed = run.clone();
                mixed.insert(name.clone(), damaged.to_vec());
                self.resume(&mixed, &[name], options);
            }
            let mut mixed = run.clone();
            mixed.remove(name);
            // Of a directory without its manifest not that file is named, but the directory.
            self.resume(&mixed, &[name, Path::new("holds no saved run")], options);
        }
    }
}

/// All mixtures of the files of two runs of a scope, of which one was cut.
fn all_mixtures(run: fn(&str) -> Ended, name: &str, budget: &str) {
    let mut scope = Scope::new(run, name);
    let runs = [
        scope.saved(&format!("--checkpoint DIR {budget}")),
        scope.saved("--checkpoint DIR"),
        scope.saved(&format!("--store disk:DIR {budget}")),
    ];
    for of in &runs {
        scope.exchange(of, "");
        scope.damage(of, "");
        for other in &runs {
            scope.replace(of, other, "");
        }
    }
    // That each file is replaced by itself is no mixture.
    let n_files: usize = runs.iter().map(Files::len).sum();
    assert!(scope.n_equal >= n_files, "{} of {n_files}", scope.n_equal);
    assert!(scope.n_refused > 4 * n_files, "{} of {n_files}", scope.n_refused);
}

#[test]
fn the_files_of_two_runs_of_a_list_are_not_mixed() {
    all_mixtures(run_beget, "../../../scopes/roops/ncl.ron -k 3", "--max-calls 60");
}

#[test]
fn the_files_of_two_runs_of_a_slab_are_not_mixed() {
    all_mixtures(run_beget, "../../../scopes/real/slab.ron -k 2", "--max-calls 40");
}

#[test]
fn the_files_of_two_runs_of_a_tree_are_not_mixed() {
    all_mixtures(run, "scopes/tree.ron", "--max-calls 20");
}

/// The directory of a run of another scope is another one, whichever of its files is there.
#[test]
fn the_files_of_another_scope_are_refused() {
    let mut scope = Scope::new(run, "scopes/tree.ron");
    let (own, other) = (
        scope.saved("--checkpoint DIR"),
        Scope::new(run, "scopes/tree.ron -k 2").saved("--checkpoint DIR"),
    );
    scope.replace(&own, &other, "");
    assert_eq!((scope.n_equal, scope.n_refused), (0, own.len() * other.len()));
}

/// The manifest of a run that was cut, beside the segments of one that was not: it was read as a
/// complete run with less than half of the structures.
#[test]
fn a_manifest_of_another_run_of_the_scope_is_wrong_input() {
    let scope = Scope::new(run_beget, "../../../scopes/roops/ncl.ron -k 5");
    let cut = scope.saved("--checkpoint DIR --max-calls 500");
    let mut mixed = scope.saved("--checkpoint DIR");
    mixed.insert("manifest".into(), cut[Path::new("manifest")].clone());
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run");
    write(&mixed, &path);
    let ended = run_beget(&format!("generate {} --resume {}", scope.scope, path.display()));
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{ended:?}");
    let says = "/manifest` do not belong together: they were not saved together";
    assert!(ended.stderr.contains("/segment-4` and `"), "{ended:?}");
    assert!(ended.stderr.contains(says), "{ended:?}");
    assert!(files_below(&path) == mixed);
}

/// Directories of the format before have no checksums of their segments.
#[test]
fn a_directory_of_another_format_is_wrong_input() {
    let scope = Scope::new(run, "scopes/tree.ron");
    let mut saved = scope.saved("--checkpoint DIR");
    // The version stands behind eight letters.
    saved.get_mut(Path::new("manifest")).unwrap()[8] = 1;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run");
    write(&saved, &path);
    let ended = run(&format!("generate {} --resume {}", scope.scope, path.display()));
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{ended:?}");
    assert!(ended.stderr.contains("manifest` was written by another version"), "{ended:?}");
    assert!(ended.stderr.contains("(format 1, here 3)"), "{ended:?}");
    assert!(files_below(&path) == saved);
}

/// Parts of runs of two processes: each has two manifests, and the segments of a part are not those
/// of the other.
#[test]
#[cfg(target_os = "linux")]
fn the_parts_of_two_runs_are_not_mixed() {
    let mut scope = Scope::new(run_beget, "../../../scopes/roops/ncl.ron -k 3");
    let saved = |budget| scope.saved(&format!("--hosts local:2 --checkpoint DIR {budget}"));
    let (cut, whole) = (saved("--max-calls 20"), saved(""));
    assert!(cut.contains_key(Path::new("part-1-of-2/manifest.old")));
    scope.exchange(&whole, "");
    scope.damage(&cut, "");
    scope.replace(&whole, &cut, "");
    let n_by_one = scope.n_refused;
    assert!(n_by_one > 4 * whole.len(), "{n_by_one}");
    for (name, bytes) in &cut {
        let mut mixed = whole.clone();
        mixed.insert(name.clone(), bytes.clone());
        scope.resume(&mixed, &[name], "--hosts local:2");
    }
    // With one manifest less, all processes go on from the moment before.
    assert_eq!(scope.n_refused, n_by_one);
    for (name, bytes) in whole.iter().filter(|(name, _)| name.starts_with("part-0-of-2")) {
        let mut mixed = whole.clone();
        let other = PathBuf::from(name.to_str().unwrap().replace("part-0", "part-1"));
        mixed.insert(other.clone(), bytes.clone());
        scope.resume(&mixed, &[&other], "--hosts local:2");
    }
    let mut mixed = whole.clone();
    mixed.retain(|name, _| name.starts_with("part-0-of-2"));
    mixed.extend(cut.into_iter().filter(|(name, _)| name.starts_with("part-1-of-2")));
    let manifest = Path::new("part-1-of-2/manifest");
    for by in ["--hosts local:2", "--hosts local:3", ""] {
        scope.resume(&mixed, &[manifest], by);
    }
    assert_eq!(scope.n_refused, n_by_one + whole.len() / 2 + 3);
}
