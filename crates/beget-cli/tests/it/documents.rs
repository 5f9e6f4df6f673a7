//! What README, ARCHITECTURE, CHANGELOG and the book say: commands print what is shown, paths and
//! flags exist, code is tested code.
//!
//! Rust code of the book is compiled as doc tests of the crate `beget`; here it is only looked up.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use beget_args::cargo::CargoCli;
use regex::Regex;

/// The directory of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("two levels up").to_owned()
}

struct Document {
    path: PathBuf,
    text: String,
}

impl Document {
    fn read(path: PathBuf) -> Document {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        Document { path, text }
    }

    /// The contents of the fenced blocks of a language.
    fn blocks(&self, language: &str) -> Vec<&str> {
        let mut blocks = Vec::new();
        let mut open: Option<(&str, usize)> = None;
        let mut at = 0;
        for line in self.text.split_inclusive('\n') {
            match (line.trim_end().strip_prefix("```"), open) {
                (Some(_), Some((opened, start))) => {
                    if opened == language {
                        blocks.push(&self.text[start..at]);
                    }
                    open = None;
                }
                (Some(opened), None) => open = Some((opened, at + line.len())),
                _ => {}
            }
            at += line.len();
        }
        assert!(open.is_none(), "{:?} ends inside a block", self.path);
        blocks
    }

    /// The text outside of fenced blocks.
    fn prose(&self) -> String {
        let mut is_inside = false;
        let mut prose = String::new();
        for line in self.text.lines() {
            if line.starts_with("```") {
                is_inside = !is_inside;
            } else if !is_inside {
                prose.push_str(line);
                prose.push('\n');
            }
        }
        prose
    }
}

/// The chapters whose commands are typed by `docs/try_tutorials.py`, in crates of their own.
const TUTORIALS: [&str; 3] = ["first-crate.md", "second-crate.md", "foreign-crate.md"];

/// Pages for those who work on beget or build on its crates, which are no part of the book.
const DEVELOPER_PAGES: [&str; 7] = [
    "ablation.md",
    "attacks.md",
    "checking.md",
    "experiments.md",
    "library.md",
    "subjects.md",
    "table1.md",
];

/// The chapters that the summary names, and the summary. What it does not name is not part of the
/// book.
fn book() -> Vec<Document> {
    let directory = root().join("docs/src");
    let summary = Document::read(directory.join("SUMMARY.md"));
    let link = Regex::new(r"\]\(([a-z0-9-]+\.md)\)").unwrap();
    let names: Vec<_> =
        link.captures_iter(&summary.text).map(|found| found[1].to_owned()).collect();
    let files = fs::read_dir(&directory).expect("the chapters").map(|it| it.unwrap().file_name());
    let files = files.filter_map(|name| name.into_string().ok());
    let chapters = |name: &String| name.ends_with(".md") && name != "SUMMARY.md";
    assert_eq!(BTreeSet::from_iter(names.clone()), files.filter(chapters).collect());
    let chapters = names.into_iter().map(|name| Document::read(directory.join(name)));
    chapters.chain([Document::read(directory.join("SUMMARY.md"))]).collect()
}

fn documents() -> Vec<Document> {
    let outer = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"];
    let mut documents: Vec<_> =
        outer.iter().map(|name| Document::read(root().join(name))).collect();
    documents.extend(book());
    documents
        .extend(DEVELOPER_PAGES.map(|name| Document::read(root().join("docs/dev").join(name))));
    documents
}

/// A command line of a `console` block and what is shown below it.
struct Shown<'d> {
    command: &'d str,
    output: String,
}

fn shown(block: &str) -> Vec<Shown<'_>> {
    let mut all: Vec<Shown<'_>> = Vec::new();
    for line in block.lines() {
        match (line.strip_prefix("$ "), all.last_mut()) {
            (Some(command), _) => all.push(Shown { command, output: String::new() }),
            (None, Some(last)) => {
                last.output.push_str(line);
                last.output.push('\n');
            }
            (None, None) => panic!("a console block begins with a command, not with {line:?}"),
        }
    }
    all
}

/// Splits at spaces outside of single quotes.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for letter in command.chars() {
        match letter {
            '\'' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            _ => words.last_mut().expect("there is one").push(letter),
        }
    }
    words
}

/// The program that a shown command runs, as the tests have it. `None`: it is not one of ours.
fn command_of(shown: &str) -> Option<Command> {
    let beget = Path::new(env!("CARGO_BIN_EXE_beget"));
    let examples = beget.parent().expect("a directory").join("examples");
    let of_example = |name: &str| {
        let words = format!("cargo run -p beget-cli --example {name} -- ");
        Some((examples.join(name), shown.strip_prefix(&words)?))
    };
    let of_beget = shown.strip_prefix("beget ").map(|arguments| (beget.to_owned(), arguments));
    let (program, arguments) =
        of_beget.or_else(|| of_example("own_suites")).or_else(|| of_example("deadly_suites"))?;
    let mut command = Command::new(program);
    command.args(words(arguments)).current_dir(root());
    for name in [
        "NO_COLOR",
        "CLICOLOR",
        "CLICOLOR_FORCE",
        "TERM",
        "RUST_BACKTRACE",
        "COLUMNS",
        "GITHUB_ACTIONS",
    ] {
        command.env_remove(name);
    }
    Some(command)
}

/// Times and memory are those of one machine at one moment.
fn without_measures(output: &str) -> Vec<&str> {
    let measured =
        |line: &str| ["took ", "time ", "memory "].iter().any(|name| line.starts_with(name));
    output.lines().map(|line| if measured(line) { "took ..." } else { line.trim_end() }).collect()
}

/// Whether lines with `...` among them, which stand for any lines, are what was printed.
fn agrees(shown: &[&str], printed: &[&str]) -> bool {
    match shown {
        [] => printed.is_empty(),
        ["...", rest @ ..] => (0..=printed.len()).any(|skipped| agrees(rest, &printed[skipped..])),
        [line, rest @ ..] => printed.first() == Some(line) && agrees(rest, &printed[1..]),
    }
}

#[test]
fn dots_stand_for_any_lines_and_nothing_else_does() {
    assert!(agrees(&["a", "...", "d"], &["a", "b", "c", "d"]));
    assert!(agrees(&["a", "...", "d"], &["a", "d"]));
    assert!(!agrees(&["a", "...", "d"], &["a", "b", "c"]));
    assert!(!agrees(&["a", "c"], &["a", "b", "c"]));
    assert!(!agrees(&["a"], &["a", "b"]));
}

#[test]
fn every_command_prints_what_is_shown() {
    let mut n_run = 0;
    for document in documents() {
        for block in document.blocks("console") {
            for Shown { command, output } in shown(block) {
                let Some(mut program) = command_of(command) else { continue };
                if output.is_empty() {
                    continue;
                }
                let ended = program.output().expect("the program can be started");
                // What is wrong with the input stands alone on stderr; progress does not belong to
                // what is shown.
                let printed = if ended.stdout.is_empty() { ended.stderr } else { ended.stdout };
                let printed = String::from_utf8(printed).expect("text");
                let (wanted, found) = (without_measures(&output), without_measures(&printed));
                if !agrees(&wanted, &found) {
                    assert_eq!(found, wanted, "{:?}: {command}", document.path);
                }
                n_run += 1;
            }
        }
    }
    assert!(n_run >= 5, "only {n_run} commands were found: has the format of the blocks changed?");
}

/// What else may be shown: plain cargo, whose output is not ours to promise.
#[test]
fn every_other_command_is_known_to_be_run_elsewhere() {
    let elsewhere = [
        // By `.ci/run`, which compares the output too.
        "cargo run --profile light -p beget-cli --bin beget -- generate scopes/roops/ncl.ron -k 8",
        "cargo test --workspace",
        // By whoever wants it.
        "cargo install --profile quick --path crates/cargo-beget",
    ];
    let is_followed = |document: &Document| TUTORIALS.iter().any(|it| document.path.ends_with(it));
    for document in documents().into_iter().filter(|document| !is_followed(document)) {
        for Shown { command, .. } in document.blocks("console").into_iter().flat_map(shown) {
            // `own_crate.rs` of `cargo-beget` runs such commands in a crate of its own.
            let is_ours = command_of(command).is_some() || command.starts_with("cargo beget ");
            assert!(is_ours || elsewhere.contains(&command), "{:?}: {command}", document.path);
        }
    }
}

#[test]
fn the_tutorials_are_followed_by_ci() {
    let script = Document::read(root().join("docs/try_tutorials.py")).text;
    let pages = TUTORIALS.map(|page| format!("{page:?}")).join(", ");
    assert!(script.contains(&format!("\nPAGES = [{pages}]\n")), "it follows other pages");
    let ci = Document::read(root().join(".ci/run")).text;
    assert!(ci.contains("\n    step tutorials\n") && ci.contains("docs/try_tutorials.py"));
}

#[test]
fn every_picture_is_what_its_command_draws() {
    let command = Regex::new(r"`beget (show [^`]*) -o (docs/images/[^`]*\.svg)`").unwrap();
    let texts: String = documents().iter().map(Document::prose).collect();
    let mut drawn = BTreeSet::new();
    for found in command.captures_iter(&texts) {
        let mut program = command_of(&format!("beget {} --format svg", &found[1])).unwrap();
        let ended = program.output().expect("the program can be started");
        let wanted = fs::read(root().join(&found[2])).expect("the picture is there");
        assert!(ended.stdout == wanted, "draw it again: beget {} -o {}", &found[1], &found[2]);
        drawn.insert(found[2].to_owned());
    }
    let command = Regex::new(r"`beget (random [^`]*) -o (docs/src/images/[^`]*\.svg)`").unwrap();
    for found in command.captures_iter(&texts) {
        let plot = Path::new(env!("CARGO_TARGET_TMPDIR")).join("documents-plot.svg");
        let run = format!("beget {} -o {}", &found[1], plot.display());
        command_of(&run).unwrap().output().expect("the program can be started");
        let wanted = fs::read(root().join(&found[2])).expect("the picture is there");
        assert!(fs::read(plot).unwrap() == wanted, "draw it again: {} to {}", run, &found[2]);
        drawn.insert(found[2].to_owned());
    }
    // Those of pages are taken by the test that opens them.
    let browser = Document::read(root().join("crates/beget-cli/tests/browser/pages.mjs")).text;
    for place in ["docs/images", "docs/src/images"] {
        for picture in fs::read_dir(root().join(place)).expect("the pictures") {
            let name = picture.expect("an entry").file_name().into_string().expect("text");
            if let Some(screenshot) = name.strip_suffix(".png") {
                let taken = browser.contains(&format!("\"{screenshot}\""));
                assert!(taken && texts.contains(&format!("images/{name})")), "{name}");
                continue;
            }
            let path = format!("{place}/{name}");
            let is_drawn = drawn.contains(&path) || browser.contains(&format!("\"{path}\""));
            assert!(is_drawn, "no command draws {name}");
        }
    }
}

#[test]
fn every_path_exists() {
    let span = Regex::new(r"`([^`]+)`").unwrap();
    let path =
        Regex::new(r"^(crates|scopes|docs|examples|benchmarks|\.ci)/[A-Za-z0-9_./-]+$").unwrap();
    let link = Regex::new(r"\]\(([^)#]+)[^)]*\)").unwrap();
    for document in documents() {
        let prose = document.prose();
        for word in span.captures_iter(&prose).flat_map(|found| {
            found.extract::<1>().1[0].split_whitespace().map(str::to_owned).collect::<Vec<_>>()
        }) {
            let is_there = !path.is_match(&word)
                || root().join(&word).exists()
                || root().join("examples/own-crate").join(&word).exists()
                // A tutorial has it made.
                || document.text.contains(&format!(",file={word}\n"));
            assert!(is_there, "{:?} names {word}", document.path);
        }
        let directory = document.path.parent().expect("a directory");
        for target in link.captures_iter(&prose).map(|found| found.extract::<1>().1[0].to_owned()) {
            let is_there = target.contains("://") || directory.join(&target).exists();
            assert!(is_there, "{:?} leads to {target}", document.path);
        }
    }
}

/// The anchor that mdBook and GitHub make of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|it| it.is_alphanumeric() || [' ', '-', '_'].contains(it));
    kept.flat_map(char::to_lowercase).map(|it| if it == ' ' { '-' } else { it }).collect()
}

#[test]
fn every_link_of_the_book_to_a_section_finds_its_heading() {
    let link = Regex::new(r"\]\(((?:\.\./)*[a-z0-9/-]+\.md)?#([^)]+)\)").unwrap();
    let mut n_links = 0;
    for chapter in book() {
        for found in link.captures_iter(&chapter.prose()) {
            let directory = chapter.path.parent().expect("a directory");
            let target =
                found.get(1).map_or(chapter.path.clone(), |it| directory.join(it.as_str()));
            let target = Document::read(target).prose();
            let headings =
                target.lines().filter_map(|line| line.trim_start_matches('#').strip_prefix(' '));
            let is_there = headings.map(anchor).any(|it| it == found[2]);
            assert!(is_there, "{:?} leads to {}", chapter.path, &found[0]);
            n_links += 1;
        }
    }
    assert!(n_links > 50, "only {n_links} links were found: has their format changed?");
}

/// Texts name no flag that a command does not declare: documents, the help, and what programs say.
#[test]
fn every_flag_exists() {
    let flag = Regex::new(r"(?:^|[\s`(\[])(--[a-z][a-z-]*)").unwrap();
    let declared = Regex::new(r"(?m)^ +(?:-\w, )?(--[a-z][a-z-]*)").unwrap();
    // Of cargo and rustfmt, and variables of styles.
    let of_others = [
        "--edition",
        "--back",
        "--k",
        "--line",
        "--line-",
        "--release",
        "--bin",
        "--example",
        "--workspace",
        "--path",
        "--no-run",
        "--lib",
        "--dev",
        "--quiet",
        "--show-output",
    ];
    let mut known: BTreeSet<String> = of_others.map(str::to_owned).into();
    let commands = [
        "",
        "list ",
        "generate ",
        "estimate ",
        "builders ",
        "repok ",
        "compare ",
        "check ",
        "random ",
        "evolve ",
        "call ",
        "diff ",
        "emit ",
        "show ",
        "report ",
        "explore ",
        "init ",
    ];
    let mut texts = Vec::new();
    for command in commands {
        let help = command_of(&format!("beget {command}--help")).unwrap().output().unwrap();
        texts.push((format!("{command}--help"), String::from_utf8(help.stdout).expect("text")));
    }
    let help = CargoCli::read(&["--help".into()]).expect_err("help is no command").to_string();
    texts.push(("cargo beget --help".to_owned(), help));
    for (_, help) in &texts {
        known.extend(declared.captures_iter(help).map(|found| found[1].to_owned()));
    }
    // Another program's chapter, whose flags `benchmarks/tests/it/table1.rs` knows.
    let is_ours = |document: &Document| !document.path.ends_with("table1.md");
    for document in documents().into_iter().filter(is_ours) {
        texts.push((document.path.display().to_string(), document.text));
    }
    // Messages and notes, without the old spellings of options and the texts of tests.
    let messages = Regex::new(r#""[^"\n]*""#).unwrap();
    for crate_name in
        ["beget-args", "beget-program", "beget-run", "beget-search", "beget-plan", "beget-oracle"]
    {
        for path in sources(&root().join("crates").join(crate_name).join("src")) {
            let is_old = path.ends_with("cli/old.rs");
            let source = fs::read_to_string(&path).unwrap();
            let source = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
            let said = messages.find_iter(source).filter(|_| !is_old).map(|found| found.as_str());
            let said = said.map(|text| text.replace('"', " ")).collect();
            texts.push((path.display().to_string(), said));
        }
    }
    let mut unknown = BTreeSet::new();
    for (place, text) in &texts {
        let named = flag.captures_iter(text).map(|found| found[1].to_owned());
        unknown.extend(named.filter(|flag| !known.contains(flag)).map(|flag| (place, flag)));
    }
    assert_eq!(unknown, BTreeSet::new());
}

#[test]
fn code_of_the_readme_is_code_of_the_example_or_the_book() {
    let mut tested = fs::read_to_string(root().join("examples/own-crate/src/lib.rs")).unwrap();
    for language in ["rust", "rust,file=src/lib.rs"] {
        book().iter().for_each(|chapter| tested.extend(chapter.blocks(language)));
    }
    let readme = Document::read(root().join("README.md"));
    for block in readme.blocks("rust") {
        // Paragraph by paragraph, so that the readme may leave some out; closing braces stand where
        // it ends.
        for paragraph in block.split("\n\n") {
            let paragraph = paragraph.trim_end().trim_end_matches("\n}");
            assert!(tested.contains(paragraph), "nothing tests this:\n{paragraph}");
        }
    }
    // What the test prints is shown by the tutorial, which is followed as it stands.
    let tutorial = Document::read(root().join("docs/src/first-crate.md"));
    let printed = tutorial.blocks("console,fails").concat();
    let printed: Vec<&str> = printed.lines().collect();
    for block in readme.blocks("text") {
        let lines: Vec<&str> = block.lines().collect();
        let is_printed = printed.windows(lines.len()).any(|window| window == lines);
        assert!(is_printed, "the tutorial does not show this:\n{block}");
    }
}

#[test]
fn code_of_the_cookbook_is_code_of_its_example() {
    let example = root().join("examples/cookbook");
    let texts: Vec<String> = sources(&example.join("src"))
        .iter()
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    let chapter = Document::read(root().join("docs/src/cookbook.md"));
    let (blocks, mut used) = (chapter.blocks("rust"), BTreeSet::new());
    for block in &blocks {
        // What stands in one block is of one file; it may leave paragraphs out.
        let paragraphs: Vec<&str> = block.trim_end().split("\n\n").collect();
        let is_of = |text: &&String| paragraphs.iter().all(|paragraph| text.contains(paragraph));
        let of = texts.iter().position(|text| is_of(&text));
        used.insert(of.unwrap_or_else(|| panic!("nothing tests this:\n{block}")));
    }
    // A kind of crate each; the library itself is only their list.
    assert_eq!(used.len(), texts.len() - 1);
    let most = texts.iter().map(|text| {
        let is_of_beget = |line: &&str| line.contains("beget::") || line.contains("heap(");
        text.lines().filter(is_of_beget).count()
    });
    let words: Vec<&str> = chapter.text.split_whitespace().collect();
    assert!(words.join(" ").contains("more than twelve lines") && most.max() <= Some(12));
}

#[test]
fn every_scope_of_the_book_can_be_read() {
    let mut n_scopes = 0;
    for chapter in book() {
        for block in chapter.blocks("ron") {
            let scope = match block {
                certificate if certificate.starts_with("Builders(") => continue,
                whole if whole.starts_with("Scope(") => whole.to_owned(),
                fields => format!("Scope(suite: \"roops::ncl\", k: 3,\n{fields}\n)"),
            };
            let path = chapter.path.to_string_lossy();
            if let Err(problems) = beget_plan::scope::ScopeFile::parse(&path, &scope) {
                panic!("{problems}");
            }
            n_scopes += 1;
        }
    }
    assert!(n_scopes > 6, "only {n_scopes} scopes were found");
}

#[test]
fn the_help_of_random_names_every_field_of_a_policy() {
    let path = root().join("crates/beget-program/src/random/policy.rs");
    let source = fs::read_to_string(path).unwrap();
    let (_, fields) = source.split_once("pub(crate) struct RandomPolicy {").unwrap();
    let (fields, _) = fields.split_once("\n}").unwrap();
    let field = Regex::new(r"(?m)^    pub\(crate\) (\w+):").unwrap();
    let fields = field.captures_iter(fields).map(|found| found[1].replace("matching", "match"));
    let fields: BTreeSet<String> = fields.collect();
    let help = command_of("beget random --help").unwrap().output().unwrap();
    let help = String::from_utf8(help.stdout).expect("text");
    let (_, listed) = help.split_once("Its fields, with defaults:\n").expect("a list");
    let (listed, _) = listed.split_once("\n\n").unwrap();
    let row = Regex::new(r"(?m)^  ([a-z_]+)\b").unwrap();
    let listed: BTreeSet<String> =
        row.captures_iter(listed).map(|found| found[1].to_owned()).collect();
    assert_eq!(listed, fields);
}

#[test]
fn the_chapter_on_scope_files_names_every_field() {
    let path = root().join("docs/src/scope-files.md");
    let chapter = Document::read(path);
    let row = Regex::new(r"(?m)^\| `([a-z_]+)` \|").unwrap();
    let named = row.captures_iter(&chapter.text).map(|found| found[1].to_owned());
    let named: BTreeSet<String> = named.collect();
    let told = |field: &str| {
        let scope = format!("Scope(suite: \"tree\", k: 1, {field}: ())");
        let problems = beget_plan::scope::ScopeFile::parse("x.ron", &scope).err();
        problems.map(|problems| problems.to_string()).unwrap_or_default()
    };
    for field in &named {
        assert!(!told(field).contains("unknown field"), "{field}");
    }
    // A field like no other is told some names and how many more there are.
    let known = told("zzzzzzzz");
    let names = known.split("names are ").nth(1).expect("the known names");
    let more = Regex::new(r" and (\d+) more").unwrap().captures(names);
    let n_more = more.map_or(0, |found| found[1].parse::<usize>().unwrap());
    assert_eq!(named.len(), names.matches('`').count() / 2 + n_more);
}

#[test]
fn the_book_explains_every_field_of_the_json_summary() {
    let chapter = Document::read(root().join("docs/src/output.md"));
    let fields = chapter.text.split("## The JSON summary").nth(1).expect("the section");
    let row = Regex::new(r"(?m)^\| (`[a-z_]+`(?:, `[a-z_]+`)*) \|").unwrap();
    let explained: BTreeSet<String> = row
        .captures_iter(fields.split("\n## ").next().unwrap())
        .flat_map(|found| {
            found[1].split(", ").map(|name| name.trim_matches('`').to_owned()).collect::<Vec<_>>()
        })
        .collect();
    let run = "beget generate scopes/roops/ncl.ron -k 2 --summary json";
    let ended = command_of(run).unwrap().output().unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&ended.stdout).unwrap();
    let fields: BTreeSet<String> = summary.as_object().unwrap().keys().cloned().collect();
    assert_eq!(explained, fields);
}

/// The rows of the table of ARCHITECTURE.md below a heading, by the text of their cells.
fn table_rows(heading: &str) -> Vec<Vec<String>> {
    let document = Document::read(root().join("ARCHITECTURE.md"));
    let below = document.text.split(&format!("\n{heading}\n")).nth(1).expect("the heading");
    let lines = below.lines().skip_while(|line| !line.starts_with('|'));
    let rows = lines.take_while(|line| line.starts_with('|')).skip(2);
    let cells =
        |row: &str| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    rows.map(cells).collect()
}

/// What stands between backticks.
fn names_in(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// A definition of a type.
struct Definition {
    name: String,
    /// Whether it is `pub` without a restriction.
    is_public: bool,
}

/// The types that a text defines. An associated type, which has no visibility, is none.
fn definitions_in(text: &str) -> Vec<Definition> {
    static DEFINITION: LazyLock<Regex> = LazyLock::new(|| {
        let start = r"(?m)^( *)((?:pub(?:\([^)]*\))? )?)(?:unsafe )?";
        Regex::new(&format!(r"{start}(struct|enum|trait|type|union) (\w+)")).unwrap()
    });
    let found = DEFINITION.captures_iter(text).map(|found| found.extract::<4>().1);
    let is_associated = |[indent, visibility, keyword, _]: &[&str; 4]| {
        *keyword == "type" && !indent.is_empty() && visibility.is_empty()
    };
    let definition = |[_, visibility, _, name]: [&str; 4]| Definition {
        name: name.to_owned(),
        is_public: visibility == "pub ",
    };
    found.filter(|parts| !is_associated(parts)).map(definition).collect()
}

/// The crates but the case studies, each with the types that it defines outside of its test
/// modules, once for each definition.
fn definitions() -> BTreeMap<String, Vec<Definition>> {
    let mut types = BTreeMap::new();
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let directory = entry.unwrap().path();
        let name = directory.file_name().unwrap().to_string_lossy().into_owned();
        if name != "beget-cli" {
            let texts = sources_without_tests(&directory.join("src"));
            let own = texts.iter().flat_map(|text| definitions_in(text)).collect();
            types.insert(format!("crates/{name}"), own);
        }
    }
    types
}

/// The texts of a crate's Rust files without its test modules, in files of their own or not.
fn sources_without_tests(directory: &Path) -> Vec<String> {
    const START: &str = r"(?m)^#\[cfg\(test\)\]\n(?:#.*\n)*(?:pub(?:\([^)]*\))? )?mod (\w+)";
    static INLINE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(&format!(r"{START} \{{\n(?s:.*?)^\}}\n")).unwrap());
    static ELSEWHERE: LazyLock<Regex> = LazyLock::new(|| Regex::new(&format!("{START};")).unwrap());
    let (mut texts, mut tests) = (BTreeMap::new(), Vec::new());
    for path in sources(directory) {
        let text = fs::read_to_string(&path).unwrap();
        let is_root = ["lib.rs", "main.rs", "mod.rs"].iter().any(|root| path.ends_with(root));
        let below = if is_root { path.with_file_name("") } else { path.with_extension("") };
        tests.extend(ELSEWHERE.captures_iter(&text).map(|found| below.join(&found[1])));
        texts.insert(path, INLINE.replace_all(&text, "").into_owned());
    }
    let is_test = |path: &Path| tests.iter().any(|test| path.with_extension("").starts_with(test));
    texts.retain(|path, _| !is_test(path));
    texts.into_values().collect()
}

/// The Rust files of a directory and those below it.
fn sources(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let of_entry = |path: PathBuf| match path.is_dir() {
        true => sources(&path),
        false => vec![path],
    };
    let mut all: Vec<_> = entries.flat_map(of_entry).collect();
    all.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    all
}

#[test]
fn the_overview_names_types_of_every_crate_that_exist() {
    let known = definitions();
    let rows = table_rows("### Main types");
    let named: BTreeSet<String> = rows.iter().flat_map(|row| names_in(&row[0])).collect();
    // The macros' types are tokens; what they emit belongs to the other crates. Programs have no
    // types for others.
    let is_without = |name: &str| ["crates/beget-macros", "crates/beget-cli"].contains(&name);
    let with_types: BTreeSet<String> =
        known.keys().filter(|name| !is_without(name)).cloned().collect();
    assert_eq!(named, with_types);
    for row in rows {
        let own = &known[&names_in(&row[0])[0]];
        let types = names_in(&row[1]);
        assert!(!types.is_empty(), "no types: {row:?}");
        for name in types {
            let is_it = |own: &Definition| own.is_public && own.name == name;
            assert!(own.iter().any(is_it), "{} has no public type `{name}`", row[0]);
        }
    }
}

#[test]
fn a_type_name_is_used_twice_only_with_a_reason() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for definition in definitions().into_values().flatten() {
        *counts.entry(definition.name).or_default() += 1;
    }
    counts.retain(|_, count| *count > 1);
    let twice: BTreeSet<String> = counts.into_keys().collect();
    let rows = table_rows("### Names used twice");
    assert!(rows.iter().all(|row| row.len() == 2 && !row[1].is_empty()), "each needs a reason");
    let explained: BTreeSet<String> = rows.iter().flat_map(|row| names_in(&row[0])).collect();
    assert_eq!(twice, explained);
}

/// Code in fences, tables and what cannot be broken stay as they are.
#[test]
fn comments_wrap_at_100_columns() {
    let mut long = Vec::new();
    for path in sources(&root().join("crates")) {
        let text = fs::read_to_string(&path).unwrap();
        let mut in_code = false;
        for (number, line) in text.lines().enumerate() {
            let Some((_, comment)) = line.trim_start().split_once("//") else { continue };
            if !line.trim_start().starts_with("//") {
                continue;
            }
            let comment = comment.trim_start_matches(['/', '!']).trim_start();
            in_code ^= comment.starts_with("```");
            let can_break = !in_code && !comment.starts_with('|') && comment.contains(' ');
            if can_break && line.chars().count() > 100 {
                long.push(format!("{}:{}", path.display(), number + 1));
            }
        }
    }
    assert_eq!(long, [""; 0]);
}
