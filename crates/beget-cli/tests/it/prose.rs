//! The language of documents and doc comments, held to what a reader expects.
//!
//! The bounds are what was measured when they were last lowered; they may only fall. The limits are
//! 1.5 % of doc lines for [`OPENINGS`], and ten of [`WORDS`]. `just prose` lists what counts.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

/// The doc lines that open with one of [`OPENINGS`], in ten thousandths of all doc lines.
const MOST_OPENINGS: usize = 1;
/// The words of [`WORDS`] in comments.
const MOST_WORDS: usize = 1;
/// The sentences of documents with more than [`LONG_SENTENCE`] words.
const MOST_LONG_SENTENCES: usize = 30;
const LONG_SENTENCE: usize = 35;
const WIDEST: usize = 110;

/// A doc comment opens with a noun phrase or a verb, and not with a clause.
static OPENINGS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\s*//[/!] (What|Whether|Where|Which|Who|As)\b").unwrap());
static WORDS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\b(told|whoever|nobody|so many|what there is)\b").unwrap());

static ENDS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[.?!][)*]*\s").unwrap());

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The files of a directory and those below it with an extension, in order.
pub fn files(directory: &Path, extension: &str) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(files(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            all.push(path);
        }
    }
    all.sort();
    all
}

/// A line with its place.
struct Line {
    place: String,
    text: String,
}

/// The comments of the crates' sources.
fn comments() -> Vec<Line> {
    let mut all = Vec::new();
    for krate in fs::read_dir(root().join("crates")).unwrap() {
        for path in files(&krate.unwrap().path().join("src"), "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let lines = text.lines().enumerate();
            let lines = lines.filter(|(_, line)| line.trim_start().starts_with("//"));
            all.extend(lines.map(|(index, line)| Line {
                place: format!("{}:{}", path.strip_prefix(root()).unwrap().display(), index + 1),
                text: line.to_owned(),
            }));
        }
    }
    all
}

fn documents() -> Vec<PathBuf> {
    let outer = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"].map(|name| root().join(name));
    outer.into_iter().chain(files(&root().join("docs"), "md")).collect()
}

/// The lines of a document that are prose: no code, no tables.
fn prose_lines(path: &Path) -> Vec<Line> {
    let text = fs::read_to_string(path).unwrap();
    let (mut in_code, mut lines) = (false, Vec::new());
    for (index, line) in text.lines().enumerate() {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        if !in_code && !is_fence && !line.starts_with('|') {
            let place = format!("{}:{}", path.strip_prefix(root()).unwrap().display(), index + 1);
            lines.push(Line { place, text: line.to_owned() });
        }
    }
    lines
}

#[track_caller]
fn assert_at_most(found: &[String], most: usize, what: &str) {
    found.iter().for_each(|line| println!("{what}: {line}"));
    println!("{what}: {} of {most}", found.len());
    assert!(found.len() <= most, "{what}: {} of {most}; `just prose` lists them", found.len());
    // A bound that is far off holds nothing.
    assert!(most <= found.len() + most / 20 + 1, "{what}: lower the bound to {}", found.len());
}

#[test]
fn doc_comments_open_with_nouns_and_verbs() {
    let docs = |line: &Line| {
        let text = line.text.trim_start();
        (text.starts_with("///") || text.starts_with("//!")) && text.len() > 4
    };
    let all: Vec<Line> = comments().into_iter().filter(docs).collect();
    let is_one = |line: &&Line| OPENINGS.is_match(&line.text);
    let found: Vec<String> =
        all.iter().filter(is_one).map(|line| format!("{} {}", line.place, line.text)).collect();
    assert_at_most(&found, all.len() * MOST_OPENINGS / 10_000, "openings");
}

#[test]
fn words_that_a_native_would_not_write_are_rare() {
    let all = comments();
    let found = all.iter().flat_map(|line| {
        WORDS.find_iter(&line.text).map(|word| format!("{} {}", line.place, word.as_str()))
    });
    assert_at_most(&found.collect::<Vec<_>>(), MOST_WORDS, "words");
}

#[test]
fn lines_of_documents_fit_a_screen() {
    // A word that is wider by itself, such as an address, cannot be broken.
    let is_wide = |line: &Line| {
        let words = line.text.split_whitespace().map(|word| word.chars().count());
        line.text.chars().count() > WIDEST && words.max().unwrap_or(0) < WIDEST - 20
    };
    let lines = documents().iter().flat_map(|path| prose_lines(path)).collect::<Vec<_>>();
    let wide: Vec<&str> =
        lines.iter().filter(|line| is_wide(line)).map(|line| line.place.as_str()).collect();
    assert_eq!(wide, [""; 0]);
}

#[test]
fn sentences_are_short_enough_to_read_once() {
    let mut long = Vec::new();
    for path in documents() {
        let mut paragraph = String::new();
        let mut place = String::new();
        let lines = prose_lines(&path);
        let end = Line { place: String::new(), text: String::new() };
        for line in lines.iter().chain([&end]) {
            let text = line.text.trim();
            let begins = text.is_empty() || text.starts_with("- ") || text.starts_with('#');
            if begins {
                let sentences = ENDS.split(&paragraph).map(str::trim);
                let is_long = |sentence: &&str| sentence.split_whitespace().count() > LONG_SENTENCE;
                long.extend(
                    sentences.filter(is_long).map(|sentence| format!("{place} {sentence}")),
                );
                paragraph.clear();
                place.clone_from(&line.place);
            }
            paragraph.push(' ');
            paragraph.push_str(text);
        }
    }
    assert_at_most(&long, MOST_LONG_SENTENCES, "long sentences");
}
