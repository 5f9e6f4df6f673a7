//! How a run is made changes nothing of its output: copies, reconstruction, threads, worker
//! processes, a store on disk.
//!
//! Each awkward suite is run by the program, once for each way, and the whole JSON summary is
//! compared, messages included. What a summary measures or what it says of the way itself is left
//! out ([`MEASURED`]).
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use beget_conformance::awkward;
use beget_conformance::case::Case;
use serde_json::Value;

/// What a run measures, what differs with the way it is made, and notes on the way.
const MEASURED: [&str; 7] =
    ["seconds", "cpu_seconds", "peak_rss_bytes", "store_bytes", "disk_bytes", "ways", "notes"];

/// Ways of copying, each by itself.
const COPIES: [&str; 6] = [
    "--ways region",
    "--ways clone",
    "--ways remake",
    "--ways region,replay",
    "--ways remake,replay",
    "--ways clone,replay",
];

/// The other ways, each compared with the first way of the same copies. A case has a third of them,
/// or all if `BEGET_CONFORMANCE_ALL_WAYS` is set.
const OTHERS: [(usize, &str); 9] = [
    (0, "--threads 2"),
    (0, "--threads 3 --store disk:"),
    (0, "--processes 1"),
    (0, "--processes 2 --store disk:"),
    (1, "--threads 3"),
    (1, "--processes 2"),
    (2, "--processes 1"),
    (2, "--threads 2 --store disk:"),
    (4, "--threads 3 --processes 2"),
];

#[test]
fn the_output_is_the_same_in_all_ways_of_running() {
    let mut cases = awkward::all();
    cases.push(awkward::long_chains::case(2000));
    let only = std::env::var("BEGET_CONFORMANCE_ONLY").unwrap_or_default();
    let chosen: Vec<&Case> = cases.iter().filter(|case| case.name.contains(&only)).collect();
    let dir = tempfile::tempdir().unwrap();
    let (next, differences) = (AtomicUsize::new(0), std::sync::Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let index = next.fetch_add(1, Relaxed)
                    && let Some(case) = chosen.get(index)
                {
                    let found = differences_of(case, &others_of(index), dir.path());
                    differences.lock().unwrap().extend(found);
                }
            });
        }
    });
    let differences = differences.into_inner().unwrap();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// Runs that keep no structures give the numbers of those that keep them all, or say why they
/// cannot.
#[test]
fn counting_without_keeping_gives_the_same_numbers() {
    let counted = in_all_cases(|scope, _| {
        let kept = summary(scope, "--ways remake");
        let ended = start(scope, "--ways remake --keep none");
        if ended.status.code() == Some(2) {
            let stderr = String::from_utf8_lossy(&ended.stderr).into_owned();
            assert!(stderr.contains("`--keep none` cannot be"), "{stderr}");
            return Vec::new();
        }
        let counted = summary_of(&ended, "--keep none");
        if counted["stop_reason"] == "form_dropped" {
            assert_eq!((&counted["complete"], &counted["code"]), (&false.into(), &3.into()));
            return Vec::new();
        }
        let mut differences = vec!["counted".to_owned()];
        if counted != kept {
            differences.push(first_difference(&kept, &counted));
        }
        differences
    });
    let is_part = std::env::var_os("BEGET_CONFORMANCE_ONLY").is_some();
    let n_counted = counted.iter().filter(|line| line.ends_with(": counted")).count();
    let differences: Vec<&String> =
        counted.iter().filter(|line| !line.ends_with(": counted")).collect();
    assert!(differences.is_empty(), "{differences:#?}");
    assert!(is_part || n_counted >= 10, "{n_counted} runs were counted without keeping");
}

/// Where forms tell all that structures are, extending matched values shows nothing new.
#[test]
fn probes_find_the_structures_of_a_run_without() {
    const HIDING: [&str; 2] = ["skipped", "logged_drops"];
    let differences = in_all_cases(|scope, dir| {
        if HIDING.iter().any(|name| scope.to_string_lossy().contains(name)) {
            return Vec::new();
        }
        let text = std::fs::read_to_string(scope).unwrap().replacen('(', "(probe: 1, ", 1);
        let probing = dir.join("probing.ron");
        std::fs::write(&probing, text).unwrap();
        let (without, with) = (summary(scope, ""), summary(&probing, ""));
        let field = ["digest", "levels", "kept", "matched", "out_of_scope", "misuse", "failures"];
        let differ = field.iter().filter(|field| without[**field] != with[**field]);
        differ.map(|field| format!("{field}: {} and {}", without[*field], with[*field])).collect()
    });
    assert!(differences.is_empty(), "{differences:#?}");
}

/// A run that a budget cut and another process went on with ends as one that nothing cut.
#[test]
fn a_run_that_is_cut_and_resumed_ends_as_one_that_is_not() {
    let differences = in_all_cases(|scope, dir| {
        let whole = summary(scope, "--ways clone");
        let calls = whole["explored"].as_u64().expect("a count");
        let mut differences = Vec::new();
        for (number, (saving, parts)) in
            [("--checkpoint ", 2), ("--store disk:", 3)].into_iter().enumerate()
        {
            let saved = dir.join(number.to_string());
            let saved = saved.display();
            let begin = format!("--ways clone {saving}{saved} --max-calls {}", calls / parts);
            start(scope, &begin);
            let resumed = summary(scope, &format!("--ways clone --resume {saved}"));
            if resumed != whole {
                let how = first_difference(&whole, &resumed);
                differences.push(format!("cut after {} of {calls}: {how}", calls / parts));
            }
        }
        differences
    });
    assert!(differences.is_empty(), "{differences:#?}");
}

/// A corpus that was written in any way is verified. Results that share with arguments, and values
/// whose destructors panic, are written in all ways, the others in one.
#[test]
fn verify_makes_again_what_was_written_in_any_way() {
    const IN_ALL: [&str; 4] = ["lent_", "drop", "destructors", "sharing_results"];
    let differences = in_all_cases(|scope, dir| {
        let name = scope.file_name().expect("a file").to_string_lossy();
        let ways = match IN_ALL.iter().any(|part| name.contains(part)) {
            true => &COPIES[..],
            false => &COPIES[name.len() % COPIES.len()..][..1],
        };
        ways.iter().filter_map(|way| not_verified(scope, way, dir)).collect()
    });
    assert!(differences.is_empty(), "{differences:#?}");
}

/// The output of `verify` for a corpus that is written in this way, unless it is verified.
fn not_verified(scope: &Path, way: &str, dir: &Path) -> Option<String> {
    let out = dir.join(way.replace(' ', "_"));
    start(scope, &format!("{way} -o {}", out.display()));
    let mut verify = Command::new(env!("CARGO_BIN_EXE_awkward"));
    let verified = verify.arg("verify").arg(&out).output().expect("the program can be started");
    let stdout = String::from_utf8_lossy(&verified.stdout);
    let is_verified = verified.status.success() && stdout.contains("verified");
    (!is_verified).then(|| format!("written by `{way}`: {:?}: {stdout}", verified.status))
}

/// Runs `work` with the scope file of each case and a directory of its own; the lines it returns,
/// with the names of their cases.
fn in_all_cases(work: impl Fn(&Path, &Path) -> Vec<String> + Sync) -> Vec<String> {
    let cases = awkward::all();
    let only = std::env::var("BEGET_CONFORMANCE_ONLY").unwrap_or_default();
    let chosen: Vec<&Case> = cases.iter().filter(|case| case.name.contains(&only)).collect();
    let (next, lines) = (AtomicUsize::new(0), std::sync::Mutex::new(Vec::new()));
    std::thread::scope(|threads| {
        for _ in 0..2 {
            threads.spawn(|| {
                while let Some(case) = chosen.get(next.fetch_add(1, Relaxed)) {
                    let dir = tempfile::tempdir().expect("a directory");
                    let scope = write_scope(case, dir.path());
                    let found = work(&scope, dir.path());
                    let found = found.into_iter().map(|line| format!("{}: {line}", case.name));
                    lines.lock().expect("no thread panics").extend(found);
                }
            });
        }
    });
    lines.into_inner().expect("no thread panics")
}

fn write_scope(case: &Case, dir: &Path) -> PathBuf {
    let scope = dir.join(format!("{}.ron", case.name.replace("::", "-")));
    std::fs::write(&scope, case.scope.to_ron(&case.name)).expect("it can be written");
    scope
}

fn others_of(case: usize) -> Vec<(usize, &'static str)> {
    match std::env::var_os("BEGET_CONFORMANCE_ALL_WAYS") {
        Some(_) => OTHERS.to_vec(),
        None => OTHERS.into_iter().skip(case % 3).step_by(3).collect(),
    }
}

/// In what the outputs of a case differ.
fn differences_of(case: &Case, others: &[(usize, &str)], dir: &Path) -> Vec<String> {
    let scope = write_scope(case, dir);
    let mut differences = Vec::new();
    let mut compare = |(one, first): (&str, &Value), (other, second): (&str, &Value)| {
        if first != second {
            let told = first_difference(first, second);
            differences.push(format!("{}: `{one}` and `{other}`: {told}", case.name));
        }
    };
    let of_copies = COPIES.map(|way| summary(&scope, way));
    assert_eq!(of_copies[0]["suite"], *case.name);
    for (way, second) in COPIES.iter().zip(&of_copies).skip(1) {
        compare((COPIES[0], &of_copies[0]), (way, second));
    }
    for &(like, way) in others {
        let way = format!("{} {way}", COPIES[like]);
        compare((COPIES[like], &of_copies[like]), (&way, &summary(&scope, &way)));
    }
    differences
}

/// The summary of a run, without what is measured. It is complete, or ends as it does in any way.
fn summary(scope: &Path, way: &str) -> Value {
    summary_of(&start(scope, way), way)
}

fn start(scope: &Path, way: &str) -> Output {
    let dir = tempfile::tempdir().expect("a directory");
    let disk = format!("disk:{}", dir.path().join("store").display());
    Command::new(env!("CARGO_BIN_EXE_awkward"))
        .arg("generate")
        .arg(scope)
        .args(["--summary", "json"])
        .args(way.split_whitespace().map(|word| match word {
            "disk:" => disk.clone(),
            word => word.to_owned(),
        }))
        .env_remove("RUST_BACKTRACE")
        .stdin(Stdio::null())
        .output()
        .expect("the program can be started")
}

fn summary_of(output: &Output, way: &str) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    let mut summary: Value = serde_json::from_str(&text)
        .unwrap_or_else(|_| panic!("{way}: {text}{}", String::from_utf8_lossy(&output.stderr)));
    for name in MEASURED {
        summary.as_object_mut().unwrap().remove(name);
    }
    summary["code"] = output.status.code().into();
    summary
}

/// The first field in which two summaries differ.
fn first_difference(one: &Value, other: &Value) -> String {
    let names = [one, other].map(|summary| summary.as_object().unwrap().keys());
    let mut names = names.into_iter().flatten();
    let name = names.find(|&name| one.get(name) != other.get(name)).expect("they differ");
    format!("{name} is {:?} and {:?}", one.get(name), other.get(name))
}

/// Decoding takes a broken promise at its word: told by calls on values that were replayed, and
/// refused, wherever values are decoded.
#[test]
fn a_raw_pointer_that_breaks_its_promise_ends_the_run_where_values_are_decoded() {
    let dir = tempfile::tempdir().unwrap();
    let scope = dir.path().join("scope.ron");
    let ron = r#"Scope(suite: "awkward::broken_promises", k: 3, objects: {"*": "k"}, arrays: 1)"#;
    std::fs::write(&scope, ron).unwrap();
    for way in COPIES.iter().chain(&["--processes 1", "--processes 2 --ways remake"]) {
        let found = summary(&scope, way);
        let findings = found["findings"].as_array().unwrap();
        if way.contains("replay") {
            assert_eq!((&found["complete"], findings.len()), (&true.into(), 0), "{way}: {found}");
            assert_eq!(found["generated"], 6, "{way}: with and without a window, 0 to 2 lamps");
            continue;
        }
        assert_eq!((&found["complete"], findings.len()), (&false.into(), 1), "{way}: {found}");
        assert_eq!(found["stop_reason"], "copies_differ", "{way}");
        assert_eq!(findings[0]["kind"], "decode_differs", "{way}");
        let message = findings[0]["message"].as_str().unwrap();
        assert!(message.contains("decoded values of `House`"), "{way}: {message}");
        assert!(message.contains("`House.window`"), "{way}: {message}");
    }
}
