//! Pages of checks: each `check!` leaves one in the directory that the variable `BEGET_REPORT`
//! names, with an index of all pages there.
//!
//! A test links no templates and no pictures, so these pages are text: verdict, bounds, and a card
//! for each cause with its test and the states around its last call. `beget report` draws.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{env, fs, io};

use super::{CheckError, CheckedRun, FoundFailures};

/// The directory for pages.
const VARIABLE: &str = "BEGET_REPORT";
const INDEX: &str = "index.html";
/// Marks the pages that an index lists.
const GENERATOR: &str = "<meta name=\"generator\" content=\"beget check\">";

const STYLE: &str = "\
:root{--back:#fff;--text:#1b1b1b;--dim:#555;--code:#f4f4f4;--rule:#949494;--good:#116329;--bad:#a40e26;--open:#7a4b00}\
@media(prefers-color-scheme:dark){:root{--back:#16181c;--text:#e8e8e8;--dim:#b0b0b0;--code:#23262c;--rule:#7a7f88;\
--good:#6fd08c;--bad:#ff9a9a;--open:#f0c060}}\
body{margin:0 auto;max-width:70rem;padding:1.5rem;background:var(--back);color:var(--text);font:16px/1.5 system-ui,\
sans-serif}a{color:inherit}h1{font-size:1.7rem;line-height:1.25}h2{font-size:1.25rem}h3{font-size:1.05rem}\
.good{color:var(--good)}.bad{color:var(--bad)}.open{color:var(--open)}.dim{color:var(--dim)}\
pre{font:13px/1.45 ui-monospace,monospace;background:var(--code);padding:.6rem .8rem;overflow-x:auto}\
article{border-top:1px solid var(--rule);margin-bottom:2rem}";

/// Leaves the page of a check, where one is wanted. A page that cannot be written fails no test.
pub(super) fn leave(suite: &str, run: &Result<CheckedRun, CheckError>) {
    let Some(directory) = env::var_os(VARIABLE).filter(|path| !path.is_empty()) else { return };
    let directory = PathBuf::from(directory);
    let test = std::thread::current().name().unwrap_or("check").to_owned();
    let page = CheckPage::of(&test, suite, run).to_html();
    let written = write(&directory, &file_name(&test, suite), &page);
    if let Err(error) = written {
        eprintln!("{VARIABLE}: no page in `{}`: {error}", directory.display());
    }
}

/// A name that each check of the process has alone.
fn file_name(test: &str, suite: &str) -> String {
    static USED: Mutex<BTreeMap<String, u32>> = Mutex::new(BTreeMap::new());
    let plain = |text: &str| -> String {
        let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
        text.chars().map(letter).collect()
    };
    let name = format!("{}-{}", plain(test), plain(suite));
    let mut used = USED.lock().unwrap_or_else(PoisonError::into_inner);
    let number = used.entry(name.clone()).or_default();
    *number += 1;
    match *number {
        1 => format!("{name}.html"),
        number => format!("{name}-{number}.html"),
    }
}

/// Tests run side by side, so each file appears as a whole.
fn write(directory: &Path, name: &str, page: &str) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    put(directory, name, page)?;
    static INDEXING: Mutex<()> = Mutex::new(());
    let _alone = INDEXING.lock().unwrap_or_else(PoisonError::into_inner);
    put(directory, INDEX, &index_of(directory)?)
}

fn put(directory: &Path, name: &str, text: &str) -> io::Result<()> {
    let staged = directory.join(format!(".{name}.{}", std::process::id()));
    fs::write(&staged, text)?;
    fs::rename(staged, directory.join(name))
}

/// The index of the pages in a directory, by name.
fn index_of(directory: &Path) -> io::Result<String> {
    let mut rows = BTreeMap::new();
    for entry in fs::read_dir(directory)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !name.ends_with(".html") || name.starts_with('.') || name == INDEX {
            continue;
        }
        // Another process may just have replaced it.
        let Ok(page) = fs::read_to_string(directory.join(&name)) else { continue };
        if let Some(heading) = page.contains(GENERATOR).then(|| heading_of(&page)).flatten() {
            rows.insert(name, heading.to_owned());
        }
    }
    let n_bad = rows.values().filter(|heading| heading.contains("class=\"bad\"")).count();
    let verdict = match (rows.len(), n_bad) {
        (1, 0) => "1 check, nothing wrong".to_owned(),
        (n, 0) => format!("{n} checks, nothing wrong"),
        (n, bad) => format!("{bad} of {n} checks found something"),
    };
    let tone = if n_bad == 0 { "good" } else { "bad" };
    let mut body = format!("<h1 class=\"{tone}\">{verdict}</h1>\n<ul>\n");
    for (name, heading) in rows {
        let test = name.strip_suffix(".html").unwrap_or(&name);
        let heading = heading.replacen("<h1", "<span", 1).replacen("</h1>", "</span>", 1);
        let _ = writeln!(body, "<li><a href=\"{name}\">{}</a>: {heading}</li>", escaped(test));
    }
    body.push_str("</ul>\n");
    Ok(document("beget checks", &body))
}

fn heading_of(page: &str) -> Option<&str> {
    let start = page.find("<h1")?;
    let end = start + page[start..].find("</h1>")? + "</h1>".len();
    Some(&page[start..end])
}

/// The parts of a page.
struct CheckPage {
    test: String,
    verdict: String,
    /// `good`, `bad` or `open`.
    tone: &'static str,
    summary: String,
    cards: Vec<[String; 2]>,
}

impl CheckPage {
    fn of(test: &str, suite: &str, run: &Result<CheckedRun, CheckError>) -> CheckPage {
        let (verdict, tone, summary, cards) = match run {
            Ok(checked) => {
                let (n, k) = (checked.generated(), checked.corpus().plan.k);
                let verdict =
                    format!("{suite} is sound within these bounds: {n} structures, k = {k}");
                (verdict, "good", checked.to_string(), Vec::new())
            }
            Err(CheckError::Findings(found)) => {
                let verdict = match found.findings.len() {
                    1 => format!("1 cause of failure in {suite}"),
                    n => format!("{n} causes of failure in {suite}"),
                };
                let summary = found.text.lines().next().unwrap_or_default().to_owned();
                (verdict, "bad", summary, cards(found))
            }
            Err(error) => {
                let verdict = format!("Incomplete: {suite} was not checked to the end");
                (verdict, "open", error.to_string(), Vec::new())
            }
        };
        CheckPage { test: test.to_owned(), verdict, tone, summary, cards }
    }

    fn to_html(&self) -> String {
        let CheckPage { test, verdict, tone, summary, cards } = self;
        let mut body = format!(
            "<p class=\"dim\">beget check · {}</p>\n<h1 class=\"{tone}\">{}</h1>\n<p>{}</p>\n",
            escaped(test),
            escaped(verdict),
            escaped(summary)
        );
        for (number, [title, text]) in cards.iter().enumerate() {
            let _ = write!(
                body,
                "<article class=\"cause\">\n<h2>{}. {}</h2>\n<pre tabindex=\"0\"><code>{}</code></pre>\n</article>\n",
                number + 1,
                escaped(title),
                escaped(text)
            );
        }
        body.push_str(
            "<p class=\"dim\">Larger values, other literals and methods that take no part were not tried.</p>\n",
        );
        document(verdict, &body)
    }
}

/// A title and the text of each cause.
fn cards(found: &FoundFailures) -> Vec<[String; 2]> {
    let card = |(index, finding): (usize, &super::Finding)| {
        let problem = &finding.problem;
        let name = problem.name.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
        let text = found.shown.get(&index).cloned().unwrap_or_else(|| problem.to_string());
        [format!("{}{name}", problem.kind.name()), text]
    };
    found.findings.iter().enumerate().map(card).collect()
}

fn document(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{GENERATOR}\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>{STYLE}</style>\n</head>\n\
         <body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escaped(title)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_lists_the_pages_and_nothing_else() {
        let directory = env::temp_dir().join(format!("beget-pages-{}", std::process::id()));
        let page = |verdict: &str, tone| CheckPage {
            test: "a<b".to_owned(),
            verdict: verdict.to_owned(),
            tone,
            summary: String::new(),
            cards: vec![["panic".to_owned(), "x < y".to_owned()]],
        };
        write(&directory, "one.html", &page("Vec<u8> is sound", "good").to_html()).unwrap();
        fs::write(directory.join("other.html"), "<h1>by somebody else</h1>").unwrap();
        let index = fs::read_to_string(directory.join(INDEX)).unwrap();
        assert_eq!(index.matches("<li>").count(), 1, "{index}");
        assert!(index.contains("1 check, nothing wrong"), "{index}");
        assert!(index.contains("<span class=\"good\">Vec&lt;u8&gt; is sound</span>"), "{index}");
        write(&directory, "two.html", &page("1 cause of failure", "bad").to_html()).unwrap();
        let index = fs::read_to_string(directory.join(INDEX)).unwrap();
        assert!(index.contains("1 of 2 checks found something"), "{index}");
        let page = fs::read_to_string(directory.join("two.html")).unwrap();
        assert!(page.contains("<code>x &lt; y</code>") && page.contains("a&lt;b"), "{page}");
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn two_checks_of_a_test_have_two_pages() {
        let names = ["Vec<u8>", "Vec<u8>"].map(|suite| file_name("module::test", suite));
        assert_eq!(names, ["module--test-Vec-u8-.html", "module--test-Vec-u8--2.html"]);
    }
}
