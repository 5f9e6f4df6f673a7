//! `beget random` as a program: what it prints, what it writes, and how it ends.

use std::fs;
use std::path::Path;

use crate::common;

use common::{beget_summary, ended, example, lines_of, of_program, run, run_beget, summary};
use serde_json::{Value, json};

const TREESET: &str = "random ../../../scopes/kiasan/treeset.ron -k 20 --max-calls 2000";

/// Five tests of outcomes (`new` has one, `insert` two of each of two), and four others.
const N_TESTS: usize = 9;

/// A directory for policies.
struct PolicyDir(tempfile::TempDir);

impl PolicyDir {
    fn new() -> Self {
        PolicyDir(tempfile::tempdir().unwrap())
    }

    /// The option for a policy with these fields.
    fn of(&self, fields: &str) -> String {
        let n = std::fs::read_dir(self.0.path()).unwrap().count();
        let path = self.0.path().join(format!("{n}.ron"));
        std::fs::write(&path, format!("Policy({fields})")).unwrap();
        format!("--policy {}", path.display())
    }
}

#[test]
fn the_counters_of_the_methods_add_up_to_those_of_the_run() {
    let summary = beget_summary(TREESET);
    let number = |value: &Value, field: &str| value[field].as_u64().unwrap();
    let outcomes = ["kept", "matched", "out_of_scope", "misuse", "failures"];
    let of_run = |summary: &Value| outcomes.map(|field| number(summary, field));
    assert_eq!(number(&summary, "explored"), 2000);
    assert_eq!(of_run(&summary).iter().sum::<u64>(), 2000);
    let methods = summary["by_method"].as_array().unwrap();
    let sums = methods.iter().map(of_run).fold([0; 5], |sums, of_method| {
        std::array::from_fn(|outcome| sums[outcome] + of_method[outcome])
    });
    assert_eq!(sums, of_run(&summary));
    for method in methods {
        let parts = of_run(method).iter().sum::<u64>();
        let others = number(method, "no_inputs") + number(method, "too_long");
        assert_eq!(number(method, "chosen"), parts + others, "{method}");
    }
    assert_eq!(
        (&summary["complete"], &summary["stop_reason"]),
        (&false.into(), &"max_calls".into())
    );
    assert!(number(&summary, "largest") > 10, "{summary}");
}

#[test]
fn the_seed_decides_everything_that_is_printed() {
    let printed = |seed: u32| lines_of(&format!("{TREESET} --seed {seed} -v"));
    assert_eq!(printed(7), printed(7));
    assert_ne!(printed(7), printed(8));
}

#[test]
fn a_strategy_is_short_for_its_options() {
    let policy = PolicyDir::new();
    let strategy = |options: &str| {
        let mut summary = beget_summary(&format!("{TREESET} {options}"));
        for varying in ["seconds", "cpu_seconds", "peak_rss_bytes"] {
            summary.as_object_mut().unwrap().remove(varying);
        }
        (summary["strategy"].as_str().unwrap().to_owned(), summary)
    };
    for (short, options, name) in [
        ("--strategy swarm", "swarm: 100", "swarm"),
        ("--strategy guided", "guided: true", "guided"),
        ("--strategy feedback", "", "feedback"),
    ] {
        let by_name = strategy(short);
        assert_eq!(by_name, strategy(&policy.of(options)), "{short}");
        assert_eq!(by_name.0, name);
    }
    let of_ten = strategy(&policy.of("swarm: 10"));
    assert_ne!(strategy("--strategy swarm").1["digest"], of_ten.1["digest"]);
    assert_eq!(strategy(&format!("--strategy swarm {}", policy.of("swarm: 10"))), of_ten);
}

#[test]
fn tests_in_a_directory_are_named_after_the_scope() {
    let dir = tempfile::tempdir().unwrap();
    let policy = PolicyDir::new();
    let two = policy.of("regressions: 2");
    let run = |output: &str| {
        run_beget(&format!(
            "random ../../../scopes/roops/ncl.ron --max-calls 5000 {two} -o {output}"
        ))
        .code
    };
    assert_eq!(run(&dir.path().display().to_string()), Some(1));
    let in_directory = std::fs::read_to_string(dir.path().join("random_ncl.rs")).unwrap();
    let file = dir.path().join("tests.rs");
    assert_eq!(run(&file.display().to_string()), Some(1));
    let named = std::fs::read_to_string(file).unwrap();
    assert_eq!(in_directory.replace("random_ncl.rs", "tests.rs"), named);
    assert!(named.contains("#[test]"), "{named}");
    // A directory is made.
    let made = dir.path().join("made/tests");
    assert_eq!(run(&made.display().to_string()), Some(1));
    assert!(made.join("random_ncl.rs").is_file());
    assert_eq!(run("/dev/null/tests"), Some(2));
}

#[test]
fn it_ends_with_the_code_of_what_became_of_it() {
    let policy = PolicyDir::new();
    let code = |arguments: &str| run_beget(arguments).code;
    assert_eq!(code(TREESET), Some(0));
    assert_eq!(code("random ../../../scopes/roops/ncl.ron --max-calls 5000"), Some(1));
    let late =
        run_beget("random ../../../scopes/korat/slist.ron --max-calls 100000000 --max-seconds 0.2");
    assert_eq!(late.code, Some(3), "{late:?}");
    assert!(late.stdout.contains("INCOMPLETE, and not reproducible: the time"), "{late:?}");
    for wrong in [
        &policy.of("ints: \"5..5\""),
        &policy.of("repeat: often"),
        &policy.of("none_ratio: 2.0"),
        "--max-calls 0",
        &policy.of("literals: {\"*\": \"no/such/file.rs\"}"),
        &policy.of("literals: {\"Nothing\": \"no/such/file.rs\"}"),
        "--policy no/such/file.ron",
        "--methods no_such_method",
        "-o no/such/directory/tests.rs",
    ] {
        assert_eq!(code(&format!("{TREESET} {wrong}")), Some(2), "{wrong}");
    }
}

#[test]
fn sequences_that_went_well_are_written_as_tests_that_assert_what_they_return() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("regressions.rs");
    let policy = PolicyDir::new();
    let arguments = format!(
        "random scopes/tree-all.ron --methods new,insert --max-calls 300 {} -o {}",
        policy.of("regressions: 4"),
        path.display()
    );
    let written = || {
        let ended = run(&format!("{arguments} --summary json"));
        // RepOKs of the example reject structures, which is none of the calls.
        assert_eq!(ended.code, Some(1), "{ended:?}");
        let summary: Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_eq!((&summary["regressions"], &summary["failures"]), (&N_TESTS.into(), &0.into()));
        std::fs::read_to_string(&path).unwrap()
    };
    let text = written();
    assert_eq!(text.matches("#[test]\nfn sequence_").count(), N_TESTS, "{text}");
    assert!(text.contains("assert"), "{text}");
    assert!(!text.contains("INCOMPLETE"), "{text}");
    assert_eq!(written(), text);
}

#[test]
fn two_suites_are_compared_by_chance() {
    let lists =
        "random ../../../scopes/real/linkedlist.ron -k 6 --max-calls 3000 --compare real::vecdeque";
    let summary = beget_summary(lists);
    assert_eq!(summary["findings"].as_array().map(Vec::len), Some(0), "{summary}");
    assert_eq!(summary["against"], "real::vecdeque");
    // Of at most 2 elements, exhaustively, there are 43.
    assert!(summary["generated"].as_u64().unwrap() > 10 * 43, "{summary}");
    let sets =
        "random ../../../scopes/real/btreeset.ron -k 2 --max-calls 2000 --compare real::btreemap";
    let ended = run_beget(sets);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stdout.contains("--max-calls 2000 --compare real::btreemap"), "{ended:?}");
    let found = &beget_summary(sets)["findings"][0];
    assert_eq!(found["kind"], "model", "{found}");
    assert_eq!(run_beget(&sets.replace("btreemap", "btreemop")).code, Some(2));
}

#[test]
fn what_is_covered_of_the_marks_is_in_the_summary() {
    let summary = beget_summary("random ../../../scopes/jpf/bintree.ron --max-calls 20000");
    let coverage = &summary["coverage"];
    let numbers = ["kind", "covered", "known", "predicates"].map(|key| coverage[key].clone());
    assert_eq!(numbers, [json!("blocks"), json!(14), json!(18), json!(54)]);
    // The four points of `find`, which is not called.
    let uncovered = coverage["uncovered"].as_array().unwrap().iter();
    let points: Vec<&Value> = uncovered.clone().map(|one| &one["point"]).collect();
    assert_eq!(points, [5, 6, 7, 16]);
    for one in uncovered {
        let code = one["code"].as_str().unwrap();
        let place = one["place"].as_str().unwrap();
        let (file, line) = place.rsplit_once(':').unwrap();
        let text = fs::read_to_string(Path::new("../..").join(file)).unwrap();
        let line = text.lines().nth(line.parse::<usize>().unwrap() - 1).unwrap();
        assert_eq!(line.trim(), code, "{place}");
        assert!(code.starts_with("self.mark("), "{code}");
    }
    assert_eq!(beget_summary(TREESET)["coverage"], Value::Null);
}

#[test]
fn tests_are_not_put_into_the_directory_of_another_run() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    run(&format!("generate scopes/tree.ron -o {}", out.display()));
    let ended = run(&format!("random scopes/tree.ron --max-calls 100 -o {}", out.display()));
    assert_eq!((ended.code, &*ended.stdout), (Some(2), ""), "{ended:?}");
    assert!(ended.stderr.contains("holds the structures of a run"), "{ended:?}");
    let verified = run(&format!("verify {}", out.display()));
    assert_eq!(verified.code, Some(0), "{verified:?}");
}

#[test]
fn failures_are_written_as_tests() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("failures.rs");
    let arguments = format!(
        "random scopes/tree-all.ron --methods new,insert,min --max-calls 200 -o {}",
        path.display()
    );
    let ended = run(&arguments);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let written = std::fs::read_to_string(&path).unwrap();
    assert!(written.contains("fn panic_1_new_min() {"), "{written}");
    assert!(
        written.contains("    let tree = Tree::new();\n    let _ = tree.min();\n"),
        "{written}"
    );
    // It replaces its own file, and no other.
    assert_eq!(run(&arguments).code, Some(1));
    std::fs::write(&path, "// mine\n").unwrap();
    assert_eq!(run(&arguments).code, Some(2));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "// mine\n");
}

/// A run one of whose methods does not return where the top is 3, and fails there as well.
const DEADLY: &str = "random scopes/deadly.ron --methods new,push,pop,spin --max-calls 100000";

/// That a run was ended in the middle of `spin`, with what it had.
#[track_caller]
fn names_the_call_that_hangs(stdout: &[u8], stop_reason: &str) {
    let found: Value = serde_json::from_slice(stdout).expect("one JSON object");
    assert_eq!((&found["stop_reason"], &found["complete"]), (&stop_reason.into(), &false.into()));
    let notes = found["notes"].as_array().unwrap();
    let names_it = |note: &Value| {
        let note = note.as_str().unwrap();
        note.starts_with("a call does not return: ") && note.ends_with("let _ = deadly.spin();")
    };
    assert!(notes.iter().any(names_it), "{notes:?}");
    // All that a summary has, of the sequences before.
    assert!(found["explored"].as_u64().unwrap() > 0, "{found}");
    assert!(found["generated"].as_u64().unwrap() > 1, "{found}");
    assert_eq!(found["by_method"].as_array().unwrap().len(), 4, "{found}");
}

#[test]
fn time_that_is_up_ends_a_run_whose_call_hangs_with_what_it_has() {
    let line = format!("{DEADLY} --max-seconds 1 --summary json");
    let ended = ended(of_program(&example("deadly_suites"), &line));
    assert_eq!(ended.code, Some(3), "{ended:?}");
    names_the_call_that_hangs(ended.stdout.as_bytes(), "max_seconds");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_run_whose_call_hangs_with_what_it_has() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    let line = format!("{DEADLY} --summary json");
    let mut command = of_program(&example("deadly_suites"), &line);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap()).lines();
    // It does not wait for the call to be slow: it is interrupted as soon as it hangs.
    std::thread::sleep(std::time::Duration::from_secs(1));
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    assert!(stderr.any(|line| line.unwrap().contains("a call does not return")));
    drop(stderr);
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(3), "{ended:?}");
    names_the_call_that_hangs(&ended.stdout, "interrupted");
}

#[test]
fn an_old_spelling_is_refused_with_the_new_one() {
    for (old, new) in [
        ("--calls 5", "`--calls` is now `--max-calls`"),
        ("--chromosome x.ron", "`--policy FILE`"),
        ("--against real::vecdeque", "`--compare SUITE`"),
        ("--ints 0..=9", "`ints: \"0..=99\"`"),
        ("--guided", "`--strategy guided`"),
        ("--record x.jsonl", "`-o FILE.jsonl`"),
        ("--observe x.jsonl", "`-o FILE.tyche.jsonl`"),
    ] {
        let ended = run_beget(&format!("{TREESET} {old}"));
        assert_eq!(ended.code, Some(2), "{old}: {ended:?}");
        assert!(ended.stderr.contains(new), "{old}: {}", ended.stderr);
    }
    let evolve = run_beget("evolve ../../../scopes/jpf/bintree.ron --calls 5");
    assert!(evolve.stderr.contains("`--calls` is now `--max-calls`"), "{evolve:?}");
}

/// Without what differs from run to run.
fn reproducible(arguments: &str) -> Value {
    let mut summary = beget_summary(arguments);
    for varying in ["seconds", "cpu_seconds", "peak_rss_bytes"] {
        summary.as_object_mut().unwrap().remove(varying);
    }
    summary
}

#[test]
fn rounds_come_to_the_same_for_any_number_of_threads_and_processes() {
    let policy = PolicyDir::new();
    let rounds = policy.of("round: 1000");
    let run = format!("random ../../../scopes/jpf/fibheap.ron --max-calls 4500 {rounds}");
    let reference = reproducible(&format!("{run} --threads 1"));
    assert_eq!(reference["rounds"], 5);
    assert_eq!(reference["explored"], 4500);
    // A structure that several rounds met counts once.
    assert!(reference["generated"].as_u64() < reference["kept"].as_u64(), "{reference}");
    for other in ["--threads 2", "--threads 7", "--processes 2"] {
        assert_eq!(reproducible(&format!("{run} {other}")), reference, "{other}");
    }
}

#[test]
fn literals_widen_when_nothing_new_comes() {
    let policy = PolicyDir::new();
    let run = "random ../../../scopes/jpf/treemap.ron --max-calls 20000 --threads 1";
    let narrow = beget_summary(&format!("{run} {}", policy.of("widen: false")));
    assert_eq!((&narrow["generated"], &narrow["ints"]), (&11.into(), &Value::Null));
    let wide = beget_summary(run);
    assert!(wide["generated"].as_u64().unwrap() > 1000, "{wide}");
    assert_eq!(wide["ints"]["from"], 0);
    assert!(wide["ints"]["to"].as_u64().unwrap() > 3, "{wide}");
    let bounded = beget_summary(&format!("{run} --bounded"));
    assert_eq!((&bounded["generated"], &bounded["ints"]), (&11.into(), &Value::Null));
}

/// `resize` would make a list of as many elements as the greatest integer.
#[test]
fn where_sizes_end_before_other_integers_is_said() {
    let arguments = "random ../../../scopes/real/vecdeque.ron -k 4 --max-calls 60000 --threads 1";
    let text = run_beget(arguments);
    let line = text.stdout.lines().find(|line| line.starts_with("literals ")).unwrap();
    assert!(line.ends_with(", sizes to 65535, as nothing new came"), "{line}");
    let ints = &beget_summary(arguments)["ints"];
    assert!(ints["to"].as_u64().unwrap() > 65535, "{ints}");
    assert_eq!(ints["sizes_to"], 65535);
}

#[test]
fn a_run_ends_with_its_first_finding_if_that_is_asked_for() {
    let policy = PolicyDir::new();
    let run = "random ../../../scopes/roops/ncl.ron --max-calls 5000";
    let first = beget_summary(&format!("{run} {}", policy.of("stop_at_first: true")));
    assert_eq!(first["stop_reason"], "failure_found");
    assert!(first["explored"].as_u64().unwrap() < 5000, "{first}");
    assert_eq!(beget_summary(run)["explored"], 5000);
}

#[cfg(unix)]
#[test]
fn calls_that_end_their_process_are_findings_and_the_run_goes_on() {
    let policy = PolicyDir::new();
    let hangs = policy.of("call_seconds: 2.0");
    let line = format!(
        "random scopes/deadly.ron --methods new,push,pop,abort,spin --max-calls 3000 --processes 1 \
         --summary json {hangs}"
    );
    let ended = ended(of_program(&example("deadly_suites"), &line));
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let summary: Value = serde_json::from_str(&ended.stdout).expect("one JSON object");
    assert_eq!(
        (&summary["explored"], &summary["stop_reason"]),
        (&3000.into(), &"max_calls".into())
    );
    let findings = summary["findings"].as_array().unwrap();
    let found = |kind: &str, method: &str| {
        findings.iter().any(|one| one["kind"] == kind && one["method"] == method)
    };
    assert!(found("crash", "abort"), "{findings:?}");
    assert!(found("hang", "spin"), "{findings:?}");
    // Each has the calls that show it.
    assert!(findings.iter().all(|one| one["calls"].as_u64() > Some(1)), "{findings:?}");
    let notes = summary["notes"].to_string();
    assert!(notes.contains("is not called any more"), "{notes}");
}

/// The schema is that of the observations of Hypothesis, with beget's own keys where that is open.
#[test]
fn each_sequence_is_an_observation_by_the_schema() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/observation.schema.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let schema = jsonschema::validator_for(&schema).expect("it is a schema");
    for (line, statuses) in [
        ("random scopes/tree-all.ron --seed 1 --max-calls 300", &["failed", "passed"][..]),
        ("random scopes/tree-misuse.ron --max-calls 300 --bounded", &["gave_up", "passed"]),
    ] {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("observed.tyche.jsonl");
        let plain = summary(line);
        let observed = summary(&format!("{line} -o {}", file.display()));
        // Observing changes nothing about the run.
        for key in ["digest", "explored", "sequences", "findings"] {
            assert_eq!(observed[key], plain[key], "{line}: {key}");
        }
        let text = fs::read_to_string(file).unwrap();
        let lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len() as u64, observed["sequences"].as_u64().unwrap(), "{line}");
        let mut found: Vec<&str> = Vec::new();
        for (number, one) in (1..).zip(&lines) {
            let problems: Vec<_> = schema.iter_errors(one).map(|one| one.to_string()).collect();
            assert_eq!(problems, [""; 0], "{one}");
            assert_eq!(one["metadata"]["sequence"], json!(number));
            let calls = one["arguments"]["calls"].as_array().unwrap();
            assert_eq!(one["features"]["calls"], json!(calls.len()));
            found.push(one["status"].as_str().unwrap());
        }
        let sum = |key: &str| -> u64 {
            lines.iter().map(|one| one["features"][key].as_u64().unwrap()).sum()
        };
        assert_eq!(sum("new_calls"), observed["explored"].as_u64().unwrap(), "{line}");
        let of_types = observed["generated_by_type"].as_object().unwrap().values();
        let structures: u64 = of_types.map(|count| count.as_u64().unwrap()).sum();
        assert_eq!(sum("new_structures"), structures, "{line}");
        let failed = found.iter().filter(|status| **status == "failed").count();
        assert_eq!(failed as u64, observed["failures"].as_u64().unwrap(), "{line}");
        found.sort_unstable();
        found.dedup();
        assert_eq!(found, statuses, "{line}");
    }
}
