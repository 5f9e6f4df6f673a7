//! Output whose writing an interrupt has cut short: well-formed files, marked incomplete, that say
//! how many structures they have.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use beget_engine::store::Store;
use beget_engine::{Corpus, Run};
use beget_plan::scope::{Overrides, ScopeFile};
use beget_program::records::{
    BriefRecord, Detail, OutputDir, SCOPE_FILE, StructureRecord, Summary, WrittenDir,
};

const SCOPE: &str = include_str!("../../../../scopes/roops/llist.ron");

fn corpus() -> Corpus {
    let suites = beget_subjects::suites();
    let suite = suites.into_iter().find(|suite| suite.name == "roops::llist").expect("the suite");
    let file = ScopeFile::parse("llist.ron", SCOPE).expect("a scope file");
    let overrides = Overrides { k: Some(5), ..Overrides::default() };
    let no_files = |_: &str| Err("no files".to_owned());
    let resolved = file.resolve(&Arc::new(suite), &overrides, &no_files).expect("a plan");
    Run::new(resolved.plan).go()
}

/// Writes a corpus by some threads until `n` structures are in the files.
fn write(corpus: &Corpus, n: u64, detail: Detail, threads: usize, path: &Path) -> Summary {
    let output = OutputDir::prepare(path).unwrap();
    output.write_file(SCOPE_FILE, SCOPE).unwrap();
    let mut n_left = n;
    let mut may_go_on = || {
        let is_left = n_left > 0;
        n_left = n_left.saturating_sub(1);
        is_left
    };
    output.write(corpus, Summary::of(corpus).unwrap(), detail, threads, &mut may_go_on).unwrap()
}

fn json(path: &Path) -> serde_json::Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn what_is_written_when_time_is_up_is_well_formed_and_marked() {
    let (corpus, dir) = (corpus(), tempfile::tempdir().unwrap());
    let all = corpus.store.len();
    // Enough for each of seven threads to make some in a row.
    assert_eq!(all, 1 + 5 + 25 + 125 + 625);
    for (n, detail, threads) in [
        (0, Detail::Brief, 1),
        (1, Detail::Full, 3),
        (all / 2, Detail::Brief, 1),
        (all / 2, Detail::Full, 2),
        (all - 1, Detail::Full, 7),
        (all - 1, Detail::Brief, 7),
    ] {
        let path = dir.path().join(format!("{n}{detail:?}by{threads}"));
        let summary = write(&corpus, n, detail, threads, &path);
        // The summary that is printed has the totals of the run.
        assert_eq!(summary.written, Some(n));
        assert_eq!(summary.generated, all);
        assert_eq!((summary.header.complete, &*summary.header.stop_reason), (false, "interrupted"));
        assert_eq!(summary.written_of(), Some(format!("{n} of {all} structures")));

        let lines = fs::read_to_string(path.join("structures.jsonl")).unwrap();
        let is_whole = |line: &&str| match detail {
            Detail::Brief => serde_json::from_str::<BriefRecord>(line).is_ok(),
            Detail::Full => serde_json::from_str::<StructureRecord>(line).is_ok(),
        };
        assert_eq!(lines.lines().filter(is_whole).count() as u64, n);
        assert_eq!(lines.lines().count() as u64, n);

        let file = json(&path.join("summary.json"));
        assert_eq!((&file["generated"], &file["written"]), (&n.into(), &n.into()));
        assert_eq!(
            (&file["complete"], &file["stop_reason"]),
            (&false.into(), &"interrupted".into())
        );
        assert_eq!(
            fs::read_to_string(path.join("INCOMPLETE")).unwrap(),
            format!(
                "Structures are missing here: the run was interrupted.\n\
                 Writing was cut short: {n} of {all} structures are here.\n"
            )
        );
        // The summary of the directory is that of its structures, as `verify` makes them again.
        let differences = WrittenDir::open(&path).unwrap().compare(&corpus).unwrap();
        assert_eq!(differences, []);
    }
}

#[test]
fn what_is_written_in_time_is_whole() {
    let (corpus, dir) = (corpus(), tempfile::tempdir().unwrap());
    for threads in [1, 2, 3, 7] {
        let path = dir.path().join(threads.to_string());
        let detail = if threads == 2 { Detail::Full } else { Detail::Brief };
        let summary = write(&corpus, corpus.store.len(), detail, threads, &path);
        assert_eq!((summary.written, summary.header.complete), (None, true));
        assert!(json(&path.join("summary.json")).get("written").is_none());
        assert!(!path.join("INCOMPLETE").exists());
        assert_eq!(WrittenDir::open(&path).unwrap().compare(&corpus).unwrap(), []);
    }
}
