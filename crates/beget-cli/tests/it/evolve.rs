//! `beget evolve` and `beget random --policy` as programs: what they print, what is written,
//! and how they end.

use crate::common;

use std::path::Path;

use common::{beget_summary, lines_of, run, run_beget};

const SMALL: &str =
    "evolve ../../../scopes/jpf/bintree.ron --population 4 --generations 3 --test-cases 3";
const LONG: &str =
    "evolve ../../../scopes/jpf/bintree.ron --generations 1000000 --max-calls 1000000000000";

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn a_chromosome_is_found_written_and_drawn_by() {
    let dir = tempfile::tempdir().unwrap();
    let (file, plot) = (dir.path().join("found.ron"), dir.path().join("fitness.svg"));
    let files = format!("-o {} --plot {}", file.display(), plot.display());
    let summary = beget_summary(&format!("{SMALL} {files} --seed 2"));
    let chromosome = read(&file);
    assert!(chromosome.starts_with("// Written by `beget evolve`"), "{chromosome}");
    assert!(read(&plot).starts_with("<svg"));
    assert_eq!(summary["chromosome"], file.display().to_string());
    assert_eq!(
        (&summary["complete"], &summary["stop_reason"], &summary["generations"]),
        (&false.into(), &"max_generations".into(), &3.into())
    );
    assert_eq!((&summary["seed"], &summary["population"]), (&2.into(), &4.into()));
    let generations = summary["by_generation"].as_array().unwrap();
    assert_eq!(generations.len(), 4);
    let points = &summary["points"];
    assert_eq!((&points["kind"], &points["known"]), (&"blocks".into(), &18.into()));
    let (covered, calls) = (points["covered"].as_f64().unwrap(), points["calls"].as_f64().unwrap());
    assert!((summary["fitness"].as_f64().unwrap() - (1000.0 * covered - calls)).abs() < 1e-6);
    assert!(summary["explored"].as_u64().unwrap() > 1000);

    let random = format!("random ../../../scopes/jpf/bintree.ron --policy {}", file.display());
    let drawn = beget_summary(&format!("{random} --max-calls 3000"));
    assert_eq!((&drawn["strategy"], &drawn["explored"]), (&"chromosome".into(), &3000.into()));
    assert_eq!(drawn["coverage"]["covered"], 14);
    assert_eq!(
        lines_of(&format!("{random} --max-calls 500")),
        lines_of(&format!("{random} --max-calls 500"))
    );

    // By hand: nothing is removed any more.
    let (before, remove) = chromosome.split_once("\"remove\": Method(").unwrap();
    let (_, behind) = remove.split_once(',').unwrap();
    let edited = format!("{before}\"remove\": Method(weight: 0,{behind}");
    std::fs::write(&file, edited).unwrap();
    let drawn = beget_summary(&format!("{random} --max-calls 500"));
    let by_method = drawn["by_method"].as_array().unwrap();
    let remove = by_method.iter().find(|method| method["name"] == "remove").unwrap();
    assert_eq!((&remove["chosen"], &remove["unused"]), (&0.into(), &"it was never drawn".into()));
}

#[test]
fn a_file_is_the_same_for_any_number_of_threads_and_replaced_by_force_alone() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("found.ron");
    let evolve = format!("{SMALL} -o {}", file.display());
    assert_eq!(run_beget(&format!("{evolve} --threads 1")).code, Some(0));
    let reference = read(&file);
    let again = run_beget(&format!("{evolve} --threads 2"));
    assert_eq!(again.code, Some(2));
    assert!(again.stderr.contains("exists already; --force replaces it"), "{again:?}");
    assert_eq!(run_beget(&format!("{evolve} --threads 2 --force")).code, Some(0));
    assert_eq!(read(&file), reference);
    assert_eq!(run_beget(&format!("{evolve} --seed 1 --force")).code, Some(0));
    assert_ne!(read(&file), reference);
}

#[test]
fn what_does_not_fit_is_refused_before_anything_runs() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("found.ron");
    let file = file.display();
    assert_eq!(run_beget(&format!("{SMALL} -o {file}")).code, Some(0));
    let of_bintree = format!("random ../../../scopes/jpf/bintree.ron --policy {file}");
    for (arguments, expected) in [
        (format!("{of_bintree} --strategy swarm"), "cannot be used with"),
        (format!("{of_bintree} --bounded"), "cannot be used with"),
        (format!("{of_bintree} --compare jpf::treemap"), "cannot be compared"),
        (format!("{of_bintree} --enrich"), "`enrich: true` in the file of `--policy`"),
        (format!("{of_bintree} --methods all"), "no genes for `find`"),
        (
            format!("random ../../../scopes/jpf/treemap.ron --policy {file}"),
            "this chromosome is for suite `jpf::bintree`, not for `jpf::treemap`",
        ),
        (
            "random ../../../scopes/jpf/bintree.ron --policy missing.ron".to_owned(),
            "cannot use `missing.ron`",
        ),
        ("evolve ../../../scopes/roops/ncl.ron --points blocks".to_owned(), "there are no marks"),
        (format!("{SMALL} --points regions"), "there are no counters of regions"),
        (format!("{SMALL} --plot fitness.png"), "name a file .svg"),
        (format!("{SMALL} --mutation 2"), "give a number from 0 to 1"),
        (format!("{SMALL} --coverage-factor 0"), "give a number greater than 0"),
        (format!("{SMALL} -o no/such/directory/found.ron"), "does not exist"),
    ] {
        let ended = run_beget(&arguments);
        assert_eq!(ended.code, Some(2), "{arguments}: {ended:?}");
        assert!(ended.stderr.contains(expected), "{arguments}: {}", ended.stderr);
    }
}

fn names_of(summary: &serde_json::Value) -> Vec<&str> {
    let by_method = summary["by_method"].as_array().unwrap();
    by_method.iter().map(|method| method["name"].as_str().unwrap()).collect()
}

#[test]
fn methods_of_traits_take_part_if_they_are_wanted() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("found.ron");
    assert_eq!(run_beget(&format!("{SMALL} --enrich -o {}", file.display())).code, Some(0));
    let chromosome = read(&file);
    assert!(chromosome.contains("\"clone\": Method("), "{chromosome}");
    let random = format!("random ../../../scopes/jpf/bintree.ron --policy {}", file.display());
    // The chromosome says that they do.
    let drawn = beget_summary(&format!("{random} --max-calls 2000"));
    let names = ["new", "add", "remove", "clone", "default"];
    assert_eq!(names_of(&drawn), names);
    let called = drawn["by_method"].as_array().unwrap();
    let clone = called.iter().find(|method| method["name"] == "clone").unwrap();
    assert!(clone["chosen"].as_u64().unwrap() > 10, "{clone}");
    // Feedback draws from them too, and a finding is shown again with them.
    let policy = dir.path().join("policy.ron");
    std::fs::write(&policy, "Policy(enrich: true)").unwrap();
    let policy = format!("--policy {}", policy.display());
    let fed =
        beget_summary(&format!("random ../../../scopes/jpf/bintree.ron --max-calls 2000 {policy}"));
    assert_eq!(names_of(&fed), names);
    let failed = run(&format!("random scopes/tree-all.ron {policy} --max-calls 500"));
    assert_eq!(failed.code, Some(1), "{failed:?}");
    assert!(failed.stdout.contains(&format!("--max-calls 500 {policy}")), "{failed:?}");
}

/// `min` of the tree panics if it is empty.
#[test]
fn failures_of_test_cases_are_findings() {
    let evolve = "evolve scopes/tree-all.ron --population 3 --generations 1 --points structures";
    let ended = run(evolve);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(
        ended
            .stdout
            .contains("the tree is empty\n    let tree = Tree::new();\n    let _ = tree.min();\n"),
        "{ended:?}"
    );
    assert!(ended.stdout.contains("done: there was 1 generation"), "{ended:?}");
}

#[test]
fn a_search_that_spends_its_calls_has_done_its_job() {
    let summary = beget_summary(&format!("{SMALL} --max-calls 500"));
    assert_eq!(summary["stop_reason"], "max_calls");
    assert_eq!(run_beget(&format!("{SMALL} --max-calls 500")).code, Some(0));
    let stopped = run_beget(&format!("{LONG} --max-seconds 1"));
    assert_eq!(stopped.code, Some(3), "{stopped:?}");
}
