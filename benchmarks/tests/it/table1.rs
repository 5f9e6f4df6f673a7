//! The data file of Table 1, what is made of it, and the binary `table1` on a made-up program.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use beget_benchmarks::table1::measured::{Measured, Verdict};
use beget_benchmarks::table1::published::{Beapi, Constructors, Korat, Mark, Row, Table};
use beget_benchmarks::table1::results::Header;
use beget_benchmarks::table1::{Line, State, csv, differing, markdown};
use tempfile::TempDir;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace")
}

fn committed() -> Table {
    let path = root().join("benchmarks/published/table1.ron");
    let text = fs::read_to_string(&path).expect("the data file");
    Table::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_case_study_of_the_four_benchmarks_has_its_rows() {
    let mut scopes = BTreeSet::new();
    for benchmark in ["roops", "fajita", "korat", "kiasan"] {
        let directory = root().join("scopes").join(benchmark);
        for entry in fs::read_dir(directory).expect("the scope files") {
            let name = entry.expect("an entry").file_name().into_string().expect("text");
            scopes.insert(format!("scopes/{benchmark}/{name}"));
        }
    }
    let table = committed();
    let named: BTreeSet<String> = table.subjects.iter().map(|one| one.scope.clone()).collect();
    assert_eq!(named, scopes);
    assert_eq!((table.subjects.len(), table.rows().count()), (29, 267));
    for subject in &table.subjects {
        assert_eq!(subject.scope, format!("scopes/{}.ron", subject.suite.replace("::", "/")));
        assert_eq!(subject.benchmark.to_lowercase(), subject.suite.split("::").next().unwrap());
        assert_eq!(subject.rows[0].k, 1, "{}", subject.suite);
    }
}

#[test]
fn marks_say_whether_a_row_is_in_the_table_of_the_paper() {
    for (subject, row) in committed().rows() {
        let is_printed = matches!(row.mark, Mark::Printed | Mark::PrintedAndVerified);
        let is_finished = matches!(row.beapi, Beapi::Finished { .. });
        assert_eq!(is_printed, is_finished, "{}, k = {}", subject.suite, row.k);
        let is_listed = row.beapi != Beapi::NotListed;
        assert_eq!(is_listed, row.korat != Korat::NotListed, "{}, k = {}", subject.suite, row.k);
        let is_missing = row.generated.is_none() || row.explored.is_none();
        assert!(!is_missing || row.mark == Mark::Inferred, "{}, k = {}", subject.suite, row.k);
    }
}

fn binomial(n: u64, m: u64) -> u64 {
    (0..m).fold(1, |product, i| product * (n - i) / (i + 1))
}

fn catalan(n: u64) -> u64 {
    binomial(2 * n, n) / (n + 1)
}

/// Each list of less than `k` elements, or of up to `k`.
fn lists(k: u64, most: u64) -> u64 {
    (0..=most).map(|m| k.pow(m as u32)).sum()
}

/// A cache of any size beside the header and `m` elements.
fn caching_lists(k: u64) -> u64 {
    (0..k).map(|m| (k - m) * k.pow(m as u32)).sum()
}

/// Each choice of keys in each shape.
fn search_trees(k: u64) -> u64 {
    (0..=k).map(|n| binomial(k, n) * catalan(n)).sum()
}

/// Suites, structures, and the depth of the deepest one, as a number of calls.
type ClosedForm = (&'static [&'static str], fn(u64) -> u64, fn(u64) -> u64);

const CLOSED_FORMS: &[ClosedForm] = &[
    (&["roops::ncl", "fajita::ncl"], caching_lists, |k| 2 * k - 1),
    (
        &["roops::llist", "fajita::cdlist", "fajita::slist", "korat::slist", "kiasan::dllist"],
        |k| lists(k, k - 1),
        |k| k,
    ),
    (&["korat::dllist", "kiasan::stack"], |k| lists(k, k), |k| k + 1),
    (&["korat::sortedlist"], |k| binomial(2 * k - 2, k - 1), |k| k),
    (
        &["roops::bintree", "fajita::bintree", "korat::searchtree", "kiasan::bst"],
        search_trees,
        |k| k + 1,
    ),
    (&["kiasan::disjsets"], |k| lists(k, k - 1) - 1, |k| if k == 1 { 0 } else { k }),
];

#[test]
fn structures_are_as_many_as_the_closed_forms_say() {
    let table = committed();
    for (suites, generated, depth) in CLOSED_FORMS {
        for (subject, row) in table.rows().filter(|(one, _)| suites.contains(&one.suite.as_str())) {
            let of = format!("{}, k = {}", subject.suite, row.k);
            let k = u64::from(row.k);
            assert_eq!(row.generated, Some(generated(k)), "{of}");
            let rounds = n_rounds(&subject.suite, subject.constructors, row);
            assert_eq!(rounds, Some(depth(k) + 1), "{of}");
        }
    }
}

/// Calls of builders on each structure.
fn calls_on_each(suite: &str, k: u64) -> u64 {
    match suite.split("::").last().expect("a name") {
        "ncl" | "rbt" | "treeset" => 2 * k,
        "binheap" | "fibheap" | "binaryheap" => k + 1,
        "treemap" | "disjsets_fast" => k * k + k,
        "disjsets" => k * k,
        _ => k,
    }
}

/// In each round all constructors are called, and in one of them the builders on a structure.
/// `None`: a count is not known.
fn n_rounds(suite: &str, constructors: Constructors, row: &Row) -> Option<u64> {
    let on_structures = row.generated? * calls_on_each(suite, u64::from(row.k));
    let in_rounds = row.explored? - on_structures;
    let each = constructors.n_calls(row.k);
    assert_eq!(in_rounds % each, 0, "{suite}, k = {}", row.k);
    Some(in_rounds / each)
}

#[test]
fn calls_are_those_on_each_structure_and_the_constructors_of_each_round() {
    for subject in &committed().subjects {
        let rounds = subject.rows.iter();
        let rounds: Vec<u64> =
            rounds.filter_map(|row| n_rounds(&subject.suite, subject.constructors, row)).collect();
        assert!(rounds.is_sorted() && rounds[0] >= 1, "{}: {rounds:?}", subject.suite);
    }
}

const MADE_UP: &str = r#"(subjects: [(benchmark: "B", suite: "b::a", scope: "a.ron", class: "Made, up", constructors: EachLiteral,
    note: "Of all.", rows: [
        (k: 1, generated: 2, explored: 14, mark: Verified),
        (k: 2, generated: 20_000, explored: 60_006, mark: Printed, beapi: Finished(published_seconds: 1.5),
         korat: Finished(generated: 30_000, explored: 90_000, published_seconds: None), note: "Of one."),
        (k: 3, generated: 200_000, mark: Inferred, beapi: TimedOut, korat: TimedOut),
    ])])"#;

fn made_up(k: u32, generated: u64, explored: u64) -> Measured {
    Measured {
        suite: "b::a".to_owned(),
        k,
        generated,
        explored,
        levels_with_new: 3,
        wall_seconds: 0.5,
        cpu_seconds: 0.6,
        peak_rss_bytes: 2_000_000,
        store_bytes: 400_000,
        digest: "d".to_owned(),
    }
}

/// Rows 1 and 2 are measured.
fn lines(table: &Table, first: Measured) -> Vec<Line<'_>> {
    Line::all(table, |_, row| {
        Some(match row.k {
            1 => State::Measured(first.clone()),
            2 => State::Measured(made_up(2, 20_000, 60_000)),
            _ => State::NotRun("too large".to_owned()),
        })
    })
}

#[test]
fn markdown_has_a_row_for_each_line_and_its_notes() {
    let table = Table::parse(MADE_UP).expect("a table");
    let lines = lines(&table, made_up(1, 3, 11));
    let header = Header { machine: "fast".to_owned(), threads: 2, version: "0.1.0".to_owned() };
    let text = markdown::markdown(&header, &lines);
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| Made")).collect();
    assert_eq!(
        rows,
        [
            "| Made, up (1) | 1 | 2 | 14 | 11 | **differ**: 3 structures, not 2 | 0.50 | 0.60 | 22 | – | – | – | – | – | – | – | – | V |",
            "| Made, up (1) | 2 | 20,000 | 60,006 | 60,000 | equal | 0.50 | 0.60 | 120,000 | 20 | 100 | 1.5 | 3.0 | finished | – | 30,000 | 90,000 | P (2) |",
            "| Made, up (1) | 3 | 200,000 | – | – | not run (too large): needs about 6 MB, 2,572 s of CPU | – | – | – | – | – | timeout | – | timeout | – | – | – | I |",
        ]
    );
    assert!(text.ends_with("\n## Notes\n\n1. Of all.\n2. Of one.\n"), "{text}");
    assert!(text.contains("Machine: fast. beget 0.1.0, threads of each run: 2.\n"), "{text}");
    let summary = "2 of 3 rows were run, and 1 of the 2 that are in the table of the paper: 1 with the counts published, 1 with others, 0 for which none are known.";
    assert!(text.contains(summary), "{text}");
    assert_eq!(differing(&lines), ["b::a, k = 1: 3 structures, not 2"]);
}

#[test]
fn csv_has_plain_numbers_and_quoted_texts() {
    let table = Table::parse(MADE_UP).expect("a table");
    let text = csv::csv(&lines(&table, made_up(1, 2, 11)));
    let lines: Vec<&str> = text.lines().collect();
    let shown = [
        r#"B,b::a,"Made, up",1,verified,2,14,equal,2,11,14,0.500,0.600,22,2000000,400000,200000.0,1000000.0,d,,,,,,,,,Of all."#,
        r#"B,b::a,"Made, up",2,printed,20000,60006,equal,20000,60000,60006,0.500,0.600,120000,2000000,400000,20.0,100.0,d,,,finished,1.5,finished,,30000,90000,Of all. Of one."#,
        r#"B,b::a,"Made, up",3,inferred,200000,,not run: too large,,,,,,,,,,,,6000000,2572,timeout,,timeout,,,,Of all."#,
    ];
    assert_eq!(lines[1..], shown);
    assert_eq!(lines[0].split(',').count(), shown[2].split(',').count() - 1, "one text is quoted");
}

#[test]
fn what_is_not_known_can_not_differ() {
    let table = Table::parse(MADE_UP).expect("a table");
    let row = |mut row: Row, generated, explored| {
        (row.generated, row.explored) = (generated, explored);
        row
    };
    let measured = made_up(3, 7, 11);
    let verdict = |generated, explored| {
        measured.verdict(&row(table.subjects[0].rows[2].clone(), generated, explored), 3)
    };
    assert_eq!(verdict(None, None), Verdict::Unknown);
    assert_eq!(verdict(Some(7), None), Verdict::Equal);
    assert_eq!(verdict(Some(7), Some(20)), Verdict::Equal);
    let both = "7 structures, not 8; 20 calls as published, not 11";
    assert_eq!(verdict(Some(8), Some(11)), Verdict::Differs(both.to_owned()));
}

/// A directory with a made-up table and a script in place of beget, which counts 2 structures and
/// ends with an exit code of its own at k = 3. It notes its arguments. As `sh` is what runs,
/// `generate` is the script: a file that was just written may still be open in a process that
/// another test starts, so it can not be run itself.
struct MadeUp {
    directory: TempDir,
}

impl MadeUp {
    fn new(table: &str) -> Self {
        let directory = TempDir::new().expect("a directory");
        fs::write(directory.path().join("table.ron"), table).expect("the table is written");
        let script = "echo \"$@\" >> called\n\
            complete=true\n\
            test \"$3\" = 3 && complete=false\n\
            echo '{\"complete\": '$complete', \"stop_reason\": \"max_memory\", \"generated\": 2, \"explored\": 11, \"store_bytes\": 9,'\n\
            echo '\"levels\": [{\"new\": 1}, {\"new\": 1}, {\"new\": 0}], \"digest\": \"d\", \"more\": 0}'\n\
            test $complete = true || exit 3\n";
        fs::write(directory.path().join("generate"), script).expect("the script is written");
        Self { directory }
    }

    fn run(&self, flags: &str) -> Output {
        Command::new(env!("CARGO_BIN_EXE_table1"))
            .args(["--beget", "sh", "--table", "table.ron", "-o", "out", "--threads", "1"])
            .args(flags.split_whitespace())
            .current_dir(self.directory.path())
            .output()
            .expect("table1 starts")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

fn table_of(rows: &str) -> String {
    format!(
        r#"(subjects: [(benchmark: "B", suite: "b::a", scope: "a.ron", class: "C", constructors: One, rows: [{rows}])])"#
    )
}

const RIGHT: &str = "(k: 1, generated: 2, explored: 13, mark: Verified)";

#[test]
fn equal_counts_end_with_0_and_a_stopped_row_is_not_run() {
    let rows = format!("{RIGHT}, (k: 3, generated: 4, explored: 26, mark: Verified)");
    let made_up = MadeUp::new(&table_of(&rows));
    let output = made_up.run("--max-memory 100");
    assert!(output.status.success(), "{output:?}");
    let called = "a.ron -k 1 --threads 1 --summary json --max-memory 100\n\
                  a.ron -k 3 --threads 1 --summary json --max-memory 100\n";
    assert_eq!(made_up.text("called"), called);
    let table = made_up.text("out/table1.md");
    assert!(table.contains("| C | 1 | 2 | 13 | 11 | equal |"), "{table}");
    assert!(table.contains("| not run (stopped by max_memory): needs about "), "{table}");
    assert_eq!(made_up.text("out/table1.csv").lines().count(), 3);
}

#[test]
fn a_row_that_is_expected_to_need_too_much_memory_is_not_begun() {
    let rows = format!("{RIGHT}, (k: 2, generated: 2, explored: 13, mark: Verified)");
    let made_up = MadeUp::new(&table_of(&rows));
    assert!(made_up.run("--max-memory 1").status.success());
    assert_eq!(made_up.text("called").lines().count(), 1);
    let table = made_up.text("out/table1.md");
    assert!(table.contains("| not run (more than 1 MiB): needs about "), "{table}");
}

#[test]
fn a_wrong_count_ends_with_1_and_names_the_row() {
    let rows = format!("{RIGHT}, (k: 2, generated: 2, explored: 14, mark: Printed)");
    let made_up = MadeUp::new(&table_of(&rows));
    let output = made_up.run("");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let told = String::from_utf8(output.stderr).expect("text");
    let wrong = "table1: wrong rows: 1\nb::a, k = 2: 13 calls as published, not 14\n";
    assert!(told.ends_with(wrong), "{told}");
    let table = made_up.text("out/table1.md");
    assert!(table.contains("**differ**: 13 calls as published, not 14"), "{table}");
    // What was measured stays wrong when nothing is left to run.
    assert_eq!(made_up.run("--continue").status.code(), Some(1));
}

#[test]
fn a_program_that_fails_ends_with_1_after_all_rows() {
    let made_up = MadeUp::new(&table_of(RIGHT));
    fs::write(made_up.path("generate"), "exit 1").expect("the script is written");
    let output = made_up.run("");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let told = String::from_utf8(output.stderr).expect("text");
    assert!(told.contains("b::a, k = 1: `sh generate a.ron -k 1"), "{told}");
    assert!(made_up.text("out/table1.md").contains("| not run (`sh generate"));
}

#[test]
fn what_was_measured_is_kept_to_the_last_whole_line() {
    let rows = format!("{RIGHT}, (k: 2, generated: 2, explored: 13, mark: Verified)");
    let made_up = MadeUp::new(&table_of(&rows));
    assert!(made_up.run("--max-explored 12").status.success());
    assert!(!made_up.path("called").exists());
    let table = made_up.text("out/table1.md");
    assert_eq!(table.matches("| not run (more than 12 calls) |").count(), 2, "{table}");

    assert!(made_up.run("--continue").status.success());
    let results = made_up.text("out/table1.jsonl");
    assert_eq!(results.lines().count(), 3, "{results}");
    // As if killed while the last row was written.
    fs::write(made_up.path("out/table1.jsonl"), &results[..results.len() - 5]).expect("written");
    fs::remove_file(made_up.path("called")).expect("it was called");
    assert!(made_up.run("--continue").status.success());
    assert_eq!(made_up.text("called"), "a.ron -k 2 --threads 1 --summary json\n");
    assert_eq!(made_up.text("out/table1.jsonl").lines().count(), 3);
}

#[test]
fn rows_of_other_threads_are_not_mixed_in() {
    let made_up = MadeUp::new(&table_of(RIGHT));
    assert!(made_up.run("").status.success());
    let results = made_up.text("out/table1.jsonl").replace("\"threads\":1", "\"threads\":7");
    fs::write(made_up.path("out/table1.jsonl"), &results).expect("written");
    let output = made_up.run("--continue");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let told = String::from_utf8(output.stderr).expect("text");
    assert!(told.contains("with 7 threads on") && told.contains("with 1 threads on"), "{told}");
    assert_eq!(made_up.text("out/table1.jsonl"), results);
}

#[test]
fn only_the_classes_asked_for_are_shown() {
    let made_up = MadeUp::new(&table_of(RIGHT));
    assert!(made_up.run("--subject other --quick").status.success());
    assert!(!made_up.path("called").exists());
    assert_eq!(made_up.text("out/table1.csv").lines().count(), 1);
}

#[test]
fn the_book_names_flags_that_exist() {
    let help = Command::new(env!("CARGO_BIN_EXE_table1")).arg("--help").output().expect("help");
    let help = String::from_utf8(help.stdout).expect("text");
    let chapter = fs::read_to_string(root().join("docs/dev/table1.md")).expect("the chapter");
    let words = chapter.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-');
    let is_flag = |word: &&str| {
        word.strip_prefix("--").is_some_and(|name| name.starts_with(char::is_alphabetic))
    };
    let flags: BTreeSet<&str> = words.filter(is_flag).collect();
    assert!(flags.len() >= 5, "{flags:?}");
    for flag in flags.iter().filter(|flag| **flag != "--release") {
        assert!(
            help.contains(&format!("{flag} ")) || help.contains(&format!("{flag}\n")),
            "{flag}"
        );
    }
}
