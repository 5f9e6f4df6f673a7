//! `beget random` as a program: what it prints, what it writes, and how it ends.

mod common;

use common::{beget_summary, run, run_beget};

const TREESET: &str = "random ../../../scopes/kiasan/treeset.ron -k 20 --calls 2000";

#[test]
fn the_counters_of_the_methods_add_up_to_those_of_the_run() {
    let summary = beget_summary(TREESET);
    let number = |value: &serde_json::Value, field: &str| value[field].as_u64().unwrap();
    let outcomes = ["kept", "matched", "out_of_scope", "misuse", "failures"];
    let of_run = |summary: &serde_json::Value| outcomes.map(|field| number(summary, field));
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
    let printed = |seed: u32| {
        let ended = run_beget(&format!("{TREESET} --seed {seed} -v"));
        assert_eq!(ended.code, Some(0), "{ended:?}");
        let lines = ended.stdout.lines().filter(|line| !line.starts_with("took"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(printed(7), printed(7));
    assert_ne!(printed(7), printed(8));
}

#[test]
fn it_ends_with_the_code_of_what_became_of_it() {
    let code = |arguments: &str| run_beget(arguments).code;
    assert_eq!(code(TREESET), Some(0));
    assert_eq!(code("random ../../../scopes/roops/ncl.ron --calls 5000"), Some(1));
    let late =
        run_beget("random ../../../scopes/korat/slist.ron --calls 100000000 --max-seconds 0.2");
    assert_eq!(late.code, Some(3), "{late:?}");
    assert!(late.stdout.contains("INCOMPLETE, and not reproducible: the time"), "{late:?}");
    for wrong in [
        "--ints 5..5",
        "--repeat often",
        "--none-ratio 2",
        "--calls 0",
        "--literals no/such/file.rs",
        "--methods no_such_method",
        "-o no/such/directory/tests.rs",
    ] {
        assert_eq!(code(&format!("{TREESET} {wrong}")), Some(2), "{wrong}");
    }
}

#[test]
fn failures_are_written_as_tests() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("failures.rs");
    let arguments = format!(
        "random scopes/tree-all.ron --methods new,insert,min --calls 200 -o {}",
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
