//! `beget call` as a program: what it prints, what it writes, and how it ends.

use crate::common;

use std::path::Path;

use common::{beget_summary, lines_of, run, run_beget, summary};

const VECDEQUE: &str = "call ../../../scopes/real/vecdeque.ron";

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn every_method_of_the_real_containers_is_called() {
    for name in
        ["binaryheap", "btreemap", "hashmap", "indexmap", "smallvec", "stablegraph", "vecdeque"]
    {
        for goal in ["returns", "ok"] {
            let arguments = format!("call ../../../scopes/real/{name}.ron --goal {goal}");
            let summary = beget_summary(&arguments);
            let n_methods = summary["methods"].as_array().unwrap().len();
            assert_eq!(summary["called"], n_methods, "{name}: {}", summary["not_called"]);
            assert_eq!(summary["panics"], summary["repaired"], "{name}");
            // Each can be called on a container with something in it, and then has a result.
            for share in [&summary["filled"], &summary["telling"]] {
                assert_eq!(share["have"], share["all"], "{name} {goal}: {summary}");
                assert!(share["all"].as_u64().unwrap() >= 13, "{name}: {summary}");
            }
            let sum = |field: &str| {
                let families = summary["by_family"].as_object().unwrap().values();
                families.map(|family| family[field].as_u64().unwrap()).sum::<u64>()
            };
            assert_eq!(sum("panics"), summary["panics"].as_u64().unwrap());
            assert_eq!(sum("repaired"), summary["repaired"].as_u64().unwrap());
            assert_eq!(
                (&summary["complete"], &summary["stop_reason"]),
                (&false.into(), &"nothing_left".into())
            );
        }
    }
}

#[test]
fn what_is_looked_up_is_there() {
    for seed in 0..5 {
        let summary =
            beget_summary(&format!("call ../../../scopes/real/btreemap.ron --seed {seed}"));
        let calls = summary["calls"].as_array().unwrap();
        for name in ["get", "get_mut", "remove", "remove_entry", "get_key_value"] {
            let call = calls.iter().find(|call| call["name"] == name).unwrap();
            let source = call["source"].as_str().unwrap();
            let key = source.split(&format!(".{name}(&")).nth(1).unwrap().trim_end_matches(");");
            assert!(source.contains(&format!(".insert({key}, ")), "{source}");
        }
    }
}

#[test]
fn the_seed_decides_everything_that_is_printed() {
    let printed = |seed: u32| lines_of(&format!("{VECDEQUE} --goal ok --seed {seed} -v"));
    assert_eq!(printed(7), printed(7));
    assert_ne!(printed(7), printed(8));
}

#[test]
fn it_ends_with_the_code_of_what_became_of_it() {
    let code = |arguments: &str| run_beget(arguments).code;
    assert_eq!(code(VECDEQUE), Some(0));
    let few = run_beget(&format!("{VECDEQUE} --max-calls 3"));
    assert_eq!(few.code, Some(1), "{few:?}");
    assert!(few.stdout.contains("it was not tried: the budget of 3 calls is spent"), "{few:?}");
    for wrong in [
        "--max-calls 0",
        "--max-attempts 0",
        "--goal best",
        "--methods no_such_method",
        "-o no/such/directory/benches.rs",
        "--graph picture.png",
        "--repository no/such/directory/calls.ron",
    ] {
        assert_eq!(code(&format!("{VECDEQUE} {wrong}")), Some(2), "{wrong}");
    }
}

#[test]
fn a_repository_is_read_at_the_next_start_and_gives_literals() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("calls.ron");
    let arguments = format!("{VECDEQUE} --goal ok --repository {}", path.display());
    let by = |arguments: &str| -> Vec<String> {
        let calls = beget_summary(arguments)["calls"].clone();
        let calls = calls.as_array().unwrap().iter();
        calls.map(|call| call["by"].as_str().unwrap().to_owned()).collect()
    };
    assert!(!by(&arguments).contains(&"repository".to_owned()));
    let written = read(&path);
    assert_eq!(by(&arguments), ["repository"; 32]);
    assert_eq!(read(&path), written);
    let policy = dir.path().join("policy.ron");
    std::fs::write(&policy, "Policy(literals: {\"*\": \"calls.ron\"})").unwrap();
    let random = format!(
        "random ../../../scopes/real/vecdeque.ron --max-calls 100 --policy {}",
        policy.display()
    );
    assert_eq!(run_beget(&random).code, Some(0));
    // Of another suite, of changed methods, of another version, of no use.
    let of_map = format!("call ../../../scopes/real/btreemap.ron --repository {}", path.display());
    assert_eq!(run_beget(&of_map).code, Some(2));
    for (old, new) in [
        ("fingerprint: \"", "fingerprint: \"0"),
        ("    version: 1,", "    version: 2,"),
        ("Calls(", "Calls"),
    ] {
        std::fs::write(&path, written.replacen(old, new, 1)).unwrap();
        for arguments in [&arguments, &random] {
            let ended = run_beget(arguments);
            assert_eq!(ended.code, Some(2), "{new}: {ended:?}");
        }
    }
}

/// What a run has come to.
fn space_of(summary: &serde_json::Value) -> Vec<serde_json::Value> {
    let fields =
        ["generated", "explored", "kept", "matched", "out_of_scope", "failures", "complete"];
    fields.map(|field| summary[field].clone()).to_vec()
}

/// The twin: a scope that lists the literal by itself.
#[test]
fn runs_that_make_every_call_take_the_literals_of_a_repository() {
    let dir = tempfile::tempdir().unwrap();
    let (path, twin) = (dir.path().join("calls.ron"), dir.path().join("twin.ron"));
    let path = path.display();
    assert_eq!(run(&format!("call scopes/tree-all.ron --repository {path}")).code, Some(0));
    let known = read(Path::new(&path.to_string()));
    assert!(known.contains("literal(\"1\")"), "{known}");
    // So far beyond the scope's 0, 1 and 2 that nothing between is reached.
    std::fs::write(path.to_string(), known.replace("literal(\"1\")", "literal(\"70\")")).unwrap();
    let scope = read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scopes/tree-all.ron")));
    let listed = scope.replace("k: 3,", "k: 3, params: {\"insert.info\": [0, 1, 2, 70]},");
    std::fs::write(&twin, listed).unwrap();

    let without = summary("generate scopes/tree-all.ron");
    let with = summary(&format!("generate scopes/tree-all.ron --repository {path}"));
    let listed = summary(&format!("generate {}", twin.display()));
    assert_eq!(space_of(&with), space_of(&listed));
    // Of 3 keys 1 + 3 + 3 * 2 + 5 trees, of 4 keys 1 + 4 + 6 * 2 + 4 * 5.
    assert_eq!((&without["generated"], &with["generated"]), (&15.into(), &37.into()));
    let on_processes =
        summary(&format!("generate scopes/tree-all.ron --repository {path} --processes 2"));
    assert_eq!(
        (space_of(&on_processes), &on_processes["digest"]),
        (space_of(&with), &with["digest"])
    );

    let failed = run(&format!("generate scopes/tree-all.ron --repository {path}"));
    assert!(
        failed.stderr.contains(&format!("note: 1 literals are those of `{path}`")),
        "{failed:?}"
    );
    let again = format!("--methods new,min --repository {path}");
    assert!(failed.stdout.contains(&again), "{failed:?}");
    for (scope, repository) in [("tree-all", "no.ron".to_owned()), ("counter", path.to_string())] {
        let refused = run(&format!("check scopes/{scope}.ron --repository {repository}"));
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.stderr.contains("cannot read the literals of"), "{refused:?}");
    }
    let refused = run(&format!("compare scopes/tree-repok.ron --repository {path}"));
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("know nothing of a --repository"), "{refused:?}");
}

#[test]
fn a_graph_is_drawn_as_its_name_says() {
    let dir = tempfile::tempdir().unwrap();
    for (name, start) in [("graph.svg", "<?xml"), ("graph.dot", "digraph {")] {
        let path = dir.path().join(name);
        assert_eq!(run_beget(&format!("{VECDEQUE} --graph {}", path.display())).code, Some(0));
        let written = read(&path);
        assert!(written.starts_with(start), "{written}");
        assert!(written.contains("swap_remove_front") && written.contains("complexity 3"));
    }
}

#[test]
fn the_benchmarks_of_the_workspace_are_what_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("calls.rs");
    let arguments = format!(
        "call ../../../scopes/apache/ncl.ron --methods all --goal ok -o {}",
        path.display()
    );
    assert_eq!(run_beget(&arguments).code, Some(0));
    // The formatting depends on the place.
    let functions = |path: &Path| -> String {
        let text = read(path);
        let functions = text[text.find("fn call_").unwrap()..].chars();
        functions.filter(|char| !char.is_whitespace() && *char != ',').collect()
    };
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/benches/calls.rs");
    assert!(functions(&path) == functions(&kept), "make the command in its head again");
    // It replaces its own file, and no other.
    assert_eq!(run_beget(&arguments).code, Some(0));
    std::fs::write(&path, "// mine\n").unwrap();
    assert_eq!(run_beget(&arguments).code, Some(2));
    assert_eq!(read(&path), "// mine\n");
}

#[test]
fn what_always_panics_is_named_with_its_message() {
    let ended = run("call scopes/awkward-panic.ron");
    assert_eq!(ended.code, Some(2), "it is of another program: {ended:?}");
    let tree = run("call scopes/tree-all.ron -v");
    assert_eq!(tree.code, Some(0), "{tree:?}");
    assert!(tree.stdout.contains("call        min: state, 2 attempts\n"), "{tree:?}");
}

/// The twin: the statements of the samples are those of the benchmarks.
#[test]
fn samples_are_written_as_benchmarks_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("get.rs");
    let arguments =
        format!("{VECDEQUE} --samples 6 --vary get.self --vary get.index -o {}", path.display());
    let summary = beget_summary(&arguments);
    let calls = summary["calls"].as_array().unwrap();
    let written = read(&path);
    for call in calls {
        let (name, samples) = (&call["name"], call["samples"].as_array());
        assert_eq!(samples.map(Vec::len), (name == "get").then_some(6), "{call}");
        for sample in samples.into_iter().flatten() {
            let arguments: Vec<_> = sample["arguments"].as_array().unwrap().iter().collect();
            let [length, index] = arguments[..] else { panic!("{sample}") };
            let label = format!(
                "\"real::vecdeque/get/{}, {}\"",
                length.as_str().unwrap(),
                index.as_str().unwrap()
            );
            let (_, benchmark) =
                written.split_once(&label).unwrap_or_else(|| panic!("{label}: {written}"));
            let (benchmark, _) = benchmark.split_once("time += ").unwrap();
            let index = index.as_str().unwrap().replace("index = ", "");
            assert!(benchmark.contains(&format!(".get({index}))")), "{benchmark}");
            let length: usize =
                length.as_str().unwrap().replace("self.len = ", "").parse().unwrap();
            assert!(benchmark.lines().count() >= length + 5, "{benchmark}");
        }
    }
    assert_eq!(written.matches("vecdeque/get").count(), 6);
    let head = written.replace("\\\n//!     ", "");
    assert!(head.contains(" --samples 6 --vary get.self --vary get.index "), "{written}");
    // One function a method all the same.
    assert_eq!(written.matches("\nfn call_").count(), calls.len());
    let text = run_beget(&arguments.replace(" -o ", " --force -o ")).stdout;
    assert!(text.contains("samples     6 calls of 1 method, 6 each\n"), "{text}");
    // There are fewer sizes than samples: no structure is enlarged beyond 128 elements.
    let many = run_beget(&format!("{VECDEQUE} --samples 50 --vary get.self")).stdout;
    let (_, line) = many.split_once("samples     ").expect("there are samples");
    let n: usize = line.split_once(' ').unwrap().0.parse().unwrap();
    assert!(
        (6..50).contains(&n) && line.starts_with(&format!("{n} calls of 1 method, {n} each\n")),
        "{many}"
    );
}

#[test]
fn calls_that_use_up_their_structure_are_named() {
    let arguments = "call scopes/tree-all.ron --repeat 5";
    let text = run(arguments).stdout;
    let summary = summary(arguments);
    assert!(
        text.contains("ends        absorb: after 1 call, it takes its structure away\n"),
        "{text}"
    );
    for call in summary["calls"].as_array().unwrap() {
        let (name, repeats) = (call["name"].as_str().unwrap(), &call["repeats"]);
        let ends = format!("ends        {name}: after ");
        assert_eq!(text.contains(&ends), !repeats["end"].is_null(), "{call}: {text}");
        assert_eq!(repeats["times"] == 5, repeats["end"].is_null(), "{call}");
    }
    assert!(text.contains(" calls succeed 5 times in a row\n"), "{text}");
}

#[test]
fn a_parameter_to_vary_must_be_there() {
    for (vary, message) in [
        ("get", "a parameter is named `method.param`"),
        ("gt.index", "no method named `gt` is called\ndid you mean `get`?"),
        ("get.indx", "`get` has no parameter named `indx`\ndid you mean `index`?"),
    ] {
        let ended = run_beget(&format!("{VECDEQUE} --samples 2 --vary {vary}"));
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.stderr.contains(&format!("cannot vary `{vary}`: {message}")), "{ended:?}");
    }
    for wrong in ["--vary get.self", "--samples 0", "--repeat 0", "--repeat 1001"] {
        assert_eq!(run_beget(&format!("{VECDEQUE} {wrong}")).code, Some(2), "{wrong}");
    }
}
