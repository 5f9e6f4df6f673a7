//! The real inputs: all scope files of the repository, certified builders, and the command lines of
//! documents and tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use beget_oracle::rep_ok::Subject;
use beget_plan::scope::{Overrides, ScopeFile};
use beget_search::builders::{BuilderSearch, BuilderSettings, identify};
use beget_search::builders_file::BuildersFile;
use beget_suite::Suite;

/// What inputs are made from.
#[derive(Debug)]
pub struct Corpus {
    /// The case studies.
    pub(crate) suites: Vec<Arc<Suite>>,
    /// Their repOKs, by the name of the suite.
    pub(crate) subjects: Vec<(String, Subject)>,
    /// Scope files, right and wrong ones.
    pub(crate) scopes: Vec<String>,
    /// Files of builders.
    pub(crate) builders: Vec<String>,
    /// Command lines, word by word.
    pub(crate) lines: Vec<Vec<String>>,
}

/// Scope files whose builders are certified for the corpus; small ones.
const CERTIFIED: [&str; 3] = ["roops/ncl.ron", "kiasan/treeset.ron", "korat/dllist.ron"];

impl Corpus {
    /// Collects them from the repository that this crate stands in.
    ///
    /// # Panics
    /// If the repository is not there.
    pub fn new() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let suites: Vec<_> = beget_subjects::suites().into_iter().map(Arc::new).collect();
        let mut paths = Vec::new();
        for folder in ["scopes", "crates", "examples"] {
            find(&root.join(folder), "ron", &mut paths);
        }
        let mut documents = vec![root.join("README.md")];
        find(&root.join("docs/src"), "md", &mut documents);
        let mut tests = Vec::new();
        find(&root.join("crates/beget-cli/tests"), "rs", &mut tests);
        let documents = documents.iter().flat_map(|path| command_lines(&read(path)));
        let lines: Vec<_> =
            documents.chain(tests.iter().flat_map(|path| tested_lines(&read(path)))).collect();
        assert!(paths.len() > 90 && lines.len() > 60, "the repository is not complete");
        let certified = CERTIFIED.iter().map(|path| {
            let text = read(&root.join("scopes").join(path));
            certified(&text, &suites)
        });
        let subjects = beget_subjects::subjects().into_iter();
        Corpus {
            scopes: paths.iter().map(|path| read(path)).collect(),
            builders: certified.collect(),
            subjects: subjects.map(|checked| (checked.suite, checked.subject)).collect(),
            lines,
            suites,
        }
    }

    /// The suite of that name.
    pub(crate) fn suite(&self, name: &str) -> Option<&Arc<Suite>> {
        self.suites.iter().find(|suite| suite.name == name)
    }
}

impl Default for Corpus {
    fn default() -> Self {
        Corpus::new()
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files with this extension, in the order of their names, so that inputs are the same
/// everywhere.
fn find(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            find(&path, extension, found);
        } else if path.extension().is_some_and(|other| other == extension) {
            found.push(path);
        }
    }
}

/// The calls of the program that a document shows.
fn command_lines(document: &str) -> Vec<Vec<String>> {
    let lines = document.lines().filter_map(|line| line.trim().strip_prefix("$ "));
    let words = lines.filter_map(|line| {
        let line = line.split_once(" -- ").map_or(line, |(_, arguments)| arguments);
        let line = line.strip_prefix("beget ").unwrap_or(line);
        Some(line).filter(|line| !line.starts_with("cargo"))
    });
    words.map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

/// The command lines in the strings of a test.
fn tested_lines(test: &str) -> Vec<Vec<String>> {
    const COMMANDS: [&str; 7] =
        ["list ", "generate ", "repok ", "compare ", "check ", "builders ", "show "];
    let strings = test.split('"').filter(|string| {
        string.lines().count() == 1 && COMMANDS.iter().any(|command| string.starts_with(command))
    });
    strings.map(|string| string.split_whitespace().map(str::to_owned).collect()).collect()
}

/// The file of the builders of a scope.
fn certified(scope: &str, suites: &[Arc<Suite>]) -> String {
    let file = ScopeFile::parse("scope.ron", scope).expect("a right scope");
    let suite = suites.iter().find(|suite| suite.name == file.suite_name()).expect("a known suite");
    let overrides = Overrides { k: Some(2), ..Overrides::default() };
    let no_files = |_: &str| Err("not asked for".to_owned());
    let plan = file.resolve(suite, &overrides, &no_files).expect("a right scope").plan;
    let engine = beget_engine::Settings { threads: 1, ..Default::default() };
    let settings = BuilderSettings { engine, ..BuilderSettings::default() };
    let found =
        identify(&plan, BuilderSearch::HillClimbing, settings, &mut |_| None).expect("no limits");
    BuildersFile::new(&plan, &found, &[]).to_ron()
}
