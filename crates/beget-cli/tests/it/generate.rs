//! `generate`: what it prints, how it ends.

use crate::common;

use common::{assert_fields, beget_summary, ended, example, of_program, run, run_beget, summary};

/// Search trees over 3 keys: for each set of `i` keys the Catalan number of shapes, 1 + 3·1 + 3·2 +
/// 1·5.
const TREES_OF_3: u64 = 15;
/// `new` once, `insert` of 3 literals on each, `absorb` on each pair.
const CALLS_OF_3: u64 = 1 + TREES_OF_3 * 3 + TREES_OF_3 * TREES_OF_3;

#[test]
fn a_run_without_failures_ends_with_0() {
    let ended = run("generate scopes/tree.ron");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(ended.stderr, "");
    assert!(
        ended.stdout.contains("\nstructures  15 (by number of objects 0: 1, 1: 3, 2: 6, 3: 5)\n")
    );
    assert!(ended.stdout.contains("\ncomplete: the space is exhausted\n"));
}

/// `Debug` is derived, so it shows as much as the fields.
#[test]
fn what_trees_show_tells_them_apart_as_their_fields_do() {
    let summary = summary("generate scopes/tree-shown.ron");
    assert_eq!(
        (&summary["generated"], &summary["explored"]),
        (&TREES_OF_3.into(), &CALLS_OF_3.into())
    );
    let listed = run("list scopes/tree-shown.ron");
    assert!(listed.stdout.contains("matched by what it shows"), "{listed:?}");
}

#[test]
fn a_state_that_the_type_does_not_have_ends_with_2() {
    let ended = run("generate scopes/tree-no-abstraction.ron");
    assert_eq!((ended.code, &*ended.stdout), (Some(2), ""), "{ended:?}");
    let told = "scopes/tree-no-abstraction.ron:7:12";
    assert!(ended.stderr.contains(told), "{}", ended.stderr);
    assert!(ended.stderr.contains("the suite has no abstraction of `Tree`"), "{}", ended.stderr);
}

#[test]
fn the_json_summary_has_exactly_the_promised_fields() {
    let summary = summary("generate scopes/tree.ron");
    assert_fields(
        &summary,
        &[
            "suite",
            "k",
            "methods",
            "complete",
            "stop_reason",
            "beget",
            "generated",
            "generated_by_type",
            "generated_by_objects",
            "explored",
            "kept",
            "matched",
            "out_of_scope",
            "out_of_scope_by",
            "expected_panics",
            "misuse",
            "failures",
            "levels",
            "digest",
            "findings",
            "advice",
            "seconds",
            "cpu_seconds",
            "peak_rss_bytes",
            "store_bytes",
            "ways",
            "notes",
        ],
    );
}

#[test]
fn the_json_summary_tells_the_run() {
    let summary = summary("generate scopes/tree.ron");
    assert_eq!(summary["suite"], "tree");
    assert_eq!(summary["k"], 3);
    assert_eq!(summary["methods"], serde_json::json!(["new", "insert", "absorb"]));
    assert_eq!(summary["complete"], true);
    assert_eq!(summary["stop_reason"], "exhausted");
    assert_eq!(summary["generated"], TREES_OF_3);
    assert_eq!(summary["generated_by_type"], serde_json::json!({"Tree": TREES_OF_3}));
    let by_objects = serde_json::json!({"0": 1, "1": 3, "2": 6, "3": 5});
    assert_eq!(summary["generated_by_objects"], by_objects);
    assert_eq!(summary["explored"], CALLS_OF_3);
    assert_eq!(summary["kept"], TREES_OF_3);
    assert_eq!(summary["matched"], CALLS_OF_3 - TREES_OF_3);
    assert_eq!(summary["levels"][1], serde_json::json!({"calls": 2, "new": 3, "explored": 3}));
    let digest = summary["digest"].as_str().unwrap();
    assert!(digest.len() == 32 && digest.chars().all(|digit| digit.is_ascii_hexdigit()));
    assert!(summary["peak_rss_bytes"].as_u64().unwrap() > 1 << 20 || cfg!(not(unix)));
}

#[test]
fn a_scope_that_leaves_nothing_to_build_is_wrong() {
    for command in ["generate", "check", "show"] {
        let ended = run_beget(&format!("{command} scopes/no-room.ron"));
        assert_eq!((ended.code, &*ended.stdout), (Some(2), ""), "{ended:?}");
        let message = "\
error: no structure was built: 1 call made more objects of class `Node` than the scope allows
  --> scopes/no-room.ron:5:34
   |
 5 |     objects: {\"*\": \"k\", \"Node\": \"k - 3\"},
   |                                  ^^^^^
   = help: write a larger number here, or a larger `k`
";
        assert!(ended.stderr.ends_with(message), "{ended:?}");
    }
}

#[test]
fn a_negative_number_is_too_small_and_no_option() {
    for (line, option) in [
        ("generate scopes/tree.ron -k -1", "--scope <N>"),
        ("generate scopes/tree.ron --slack -1", "--slack <S>"),
        ("random scopes/tree.ron --seed -1", "--seed <N>"),
    ] {
        let ended = run(line);
        assert_eq!((ended.code, &*ended.stdout), (Some(2), ""), "{ended:?}");
        let message = format!("invalid value '-1' for '{option}'");
        assert!(ended.stderr.contains(&message), "{ended:?}");
    }
}

#[test]
fn a_run_that_only_counts_says_what_to_write() {
    let ended = run("generate scopes/counter.ron --max-calls 30");
    assert_eq!(ended.code, Some(3));
    let advice = "only integers grew: `Counter.value` had 30 values at level 30; give them a range in \
        the scope, `fields: {\"Counter.value\": \"0..k\"}`, or leave it out with `\"skip\"`";
    assert!(ended.stdout.contains(&format!("\n{advice}\nbeget ")), "{ended:?}");
    assert!(ended.stdout.ends_with("\nINCOMPLETE: the budget of 30 calls is spent\n"), "{ended:?}");
    assert_eq!(summary("generate scopes/counter.ron --max-calls 30")["advice"], advice);
}

#[test]
fn bounds_that_were_passed_are_named() {
    let summary = summary("generate scopes/tree.ron --slack 0 -k 2 --methods new,insert");
    assert_eq!(summary["out_of_scope_by"], serde_json::json!([]));
    assert_eq!(summary["advice"], serde_json::Value::Null);
    let summary = beget_summary("generate ../../../scopes/roops/ncl.ron");
    let by = serde_json::json!([{"bound": "objects", "name": "Node", "calls": 27}]);
    assert_eq!((&summary["out_of_scope_by"], &summary["out_of_scope"]), (&by, &27.into()));
}

#[test]
fn a_flag_overrides_the_scope_file() {
    let summary = summary("generate scopes/tree.ron -k 2 --methods new,insert");
    // 1 + 2·1 + 1·2 trees over 2 keys; `new`, and `insert` of 2 literals on each.
    assert_eq!(summary["generated"], 5);
    assert_eq!(summary["explored"], 1 + 5 * 2);
    assert_eq!(summary["methods"], serde_json::json!(["new", "insert"]));
}

#[test]
fn slack_explores_more_than_it_reports() {
    let without = summary("generate scopes/tree.ron --methods new,insert");
    let with = summary("generate scopes/tree-slack.ron");
    // Trees of up to 4 nodes over 5 keys: 1 + 5·1 + 10·2 + 10·5 + 5·14.
    assert_eq!(with["kept"], 146);
    for field in ["generated", "generated_by_objects", "digest"] {
        assert_eq!(with[field], without[field], "{field}");
    }
    // No repOK limits the keys here: only the fourth node is slack.
    let unlimited = summary("generate scopes/tree.ron --methods new,insert --slack 1");
    assert_eq!(unlimited["generated"], 146 - 70);
}

#[test]
fn a_failure_ends_with_1_and_shows_its_calls() {
    let ended = run("generate scopes/tree-all.ron");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let shown = ": the tree is empty\n    let tree = Tree::new();\n    let _ = tree.min();\n";
    assert!(ended.stdout.contains(shown), "{}", ended.stdout);
}

#[test]
fn a_failure_in_json_has_its_problem_message_and_recipe() {
    let summary = summary("generate scopes/tree-all.ron");
    assert_eq!(summary["failures"], 1);
    let finding = &summary["findings"][0];
    assert_eq!(finding["kind"], "panic");
    assert!(finding["message"].as_str().unwrap().ends_with(": the tree is empty"));
    let recipe = serde_json::json!(["let tree = Tree::new();", "let _ = tree.min();"]);
    assert_eq!(finding["recipe"], recipe);
}

#[test]
fn the_command_that_the_summary_names_meets_the_same_failure() {
    let first = run("generate scopes/tree-all.ron");
    let rerun = first
        .stdout
        .lines()
        .find_map(|line| line.strip_prefix("to see the first failure again: own_suites "));
    let again = run(rerun.expect("a failing run names a command"));
    assert_eq!(again.code, Some(1));
    let failure =
        |ended: &common::Ended| ended.stdout.lines().take(3).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(failure(&again), failure(&first));
}

#[test]
fn misuse_is_counted_and_no_failure() {
    let ended = run("generate scopes/tree-misuse.ron");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let summary = summary("generate scopes/tree-misuse.ron");
    assert_eq!((&summary["misuse"], &summary["failures"]), (&1.into(), &0.into()));
    let panics = summary["expected_panics"].as_array().expect("a list");
    assert_eq!(panics.len(), 1);
    assert_eq!(
        (&panics[0]["pattern"], &panics[0]["method"]),
        (&"the tree is empty".into(), &"min".into())
    );
    assert_eq!(panics[0]["calls"], 1);
    assert!(panics[0]["place"].as_str().is_some_and(|place| place.contains("own_suites.rs:")));
}

#[test]
fn a_spent_budget_ends_with_3_and_is_never_called_complete() {
    for (flag, reason) in [
        ("--max-calls 10", "max_calls"),
        ("--max-structures 10", "max_structures"),
        ("--max-levels 10", "max_levels"),
    ] {
        let ended = run(&format!("generate scopes/counter.ron {flag} --summary json"));
        assert_eq!(ended.code, Some(3), "{ended:?}");
        let summary: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_eq!(summary["complete"], false);
        assert_eq!(summary["stop_reason"], reason);
        assert_eq!(summary["generated"], 10);
    }
}

#[test]
fn time_and_memory_stop_a_run_too() {
    for (flag, reason) in [("--max-seconds 0.05", "max_seconds"), ("--max-memory 1", "max_memory")]
    {
        let summary = summary(&format!("generate scopes/counter.ron {flag}"));
        assert_eq!(summary["stop_reason"], reason);
    }
}

#[test]
fn failures_found_by_a_run_that_stopped_early_end_with_1() {
    let ended = run("generate scopes/tree-all.ron --max-calls 10");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stdout.contains("INCOMPLETE: the budget of 10 calls is spent"));
}

#[test]
fn a_full_store_ends_the_run_with_what_it_has() {
    // Forms are spread over 16 parts, here with room for one structure each.
    let ended = run("generate scopes/tree.ron --store exact:1");
    assert_eq!(ended.code, Some(3), "{ended:?}");
    let line = "INCOMPLETE, and not reproducible: the store of structures is full";
    assert!(ended.stdout.contains(line), "{ended:?}");
    let ended = run("generate scopes/tree.ron --store exact:1 --summary json");
    assert_eq!(ended.code, Some(3), "{ended:?}");
    let summary: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(
        (&summary["complete"], &summary["stop_reason"]),
        (&false.into(), &"store_full".into())
    );
    assert!(summary["generated"].as_u64().unwrap() < TREES_OF_3);
}

/// Six points that all refer to each other can be told from others, seven cannot. Those of none and
/// of one are the same.
#[test]
fn ties_that_take_too_long_to_break_end_the_run_undecided() {
    let clique = |options: &str| {
        let arguments = format!("generate scopes/clique.ron {options}");
        ended(of_program(&example("awkward_suites"), &arguments))
    };
    let text = clique("");
    assert_eq!(text.code, Some(3), "{text:?}");
    let line = "INCOMPLETE: a call has left a structure that cannot be told from others";
    assert!(text.stdout.contains(line), "{text:?}");
    let line = "beyond      the ties that can be broken";
    assert!(text.stdout.contains(line), "{text:?}");
    for options in ["--threads 1", "--threads 2", "--threads 4", "--processes 2"] {
        let json = clique(&format!("{options} --summary json"));
        assert_eq!(json.code, Some(3), "{json:?}");
        let summary: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
        let (complete, reason) = (&summary["complete"], &summary["stop_reason"]);
        assert_eq!((complete, reason), (&false.into(), &"undecided".into()));
        assert_eq!((&summary["generated"], &summary["explored"]), (&6.into(), &8.into()));
        let passed = serde_json::json!([{ "bound": "ties", "name": null, "calls": 1 }]);
        assert_eq!(summary["out_of_scope_by"], passed);
    }
    assert_eq!(clique("-k 6").code, Some(0));
}

#[test]
fn without_state_matching_known_structures_are_extended_again() {
    let summary = summary("generate scopes/tree.ron --no-state-matching --max-calls 500");
    assert!(summary["generated"].as_u64().unwrap() > TREES_OF_3);
}

#[test]
fn without_state_matching_a_limit_of_levels_gives_every_sequence_of_so_many_calls() {
    let run = "generate scopes/tree.ron --methods new,insert --no-state-matching --max-levels 4";
    let summary = summary(run);
    // Of three values: what changes nothing is not extended, so a sequence of insertions goes on
    // while it has new values.
    assert_eq!(summary["explored"], 1 + 3 + 3 * 3 + 3 * 2 * 3);
    assert_eq!(summary["kept"], 1 + 3 + 3 * 2 + 3 * 2);
    assert_eq!(summary["stop_reason"], "max_levels");
}

/// Calls on the image of a structure, on its clone and on what its recipe builds agree on whether a
/// call has changed something. The second suite has calls that change memory and not the form, the
/// third has calls on two structures.
#[test]
fn without_state_matching_every_way_of_making_calls_comes_to_the_same() {
    for scope in ["roops/ncl", "korat/fibheap", "fajita/cdlist"] {
        let of_way = |way: &str| {
            let line = format!(
                "generate ../../../scopes/{scope}.ron -k 2 --methods all --no-state-matching \
                 --max-levels 4 {way}"
            );
            let summary = beget_summary(&line);
            ["generated", "kept", "matched", "out_of_scope"].map(|count| summary[count].as_u64())
        };
        let counts = of_way("--ways remake,replay");
        for way in ["", "--threads 1", "--ways clone", "--ways remake", "--ways replay"] {
            assert_eq!(of_way(way), counts, "{scope} {way}");
        }
    }
}

#[test]
fn a_limit_of_levels_that_is_not_reached_leaves_the_run_complete() {
    let summary = summary("generate scopes/tree.ron --max-levels 9");
    assert_eq!((&summary["generated"], &summary["complete"]), (&TREES_OF_3.into(), &true.into()));
}

#[test]
fn verbose_adds_levels_and_ways() {
    let ended = run("generate scopes/tree.ron -v");
    assert!(ended.stdout.contains("\nlevel 2     3 new, 3 calls\n"), "{}", ended.stdout);
    assert!(ended.stdout.contains("\nrebuilt     Tree: decode once, then "));
    assert!(ended.stderr.starts_with("level 1: "));
}

#[test]
fn wrong_input_ends_with_2_and_names_the_right_word() {
    let cases = [
        ("generate scopes/missing.ron", "cannot read `scopes/missing.ron`"),
        ("generate scopes/unknown-suite.ron", "did you mean `tree`?"),
        ("generate scopes/tree.ron --methods new,insrt", "did you mean `insert`?"),
        ("generate scopes/tree.ron --thread 2", "--threads"),
        ("generate scopes/tree.ron --store disk", "name the directory: disk:DIR"),
        ("generate scopes/tree.ron -k many", "invalid value 'many'"),
        ("generat scopes/tree.ron", "generate"),
        ("generate", "<SCOPE>"),
        ("", "Usage: "),
    ];
    for (arguments, expected) in cases {
        let ended = run(arguments);
        assert_eq!(ended.code, Some(2), "{arguments}: {ended:?}");
        assert!(ended.stderr.contains(expected), "{arguments}: {}", ended.stderr);
        assert_eq!(ended.stdout, "", "{arguments}");
    }
}

#[test]
fn messages_are_coloured_only_where_wanted() {
    let escape = '\u{1b}';
    let plain = run("generate scopes/missing.ron");
    assert!(!plain.stderr.contains(escape));
    let coloured = run("generate scopes/missing.ron --color always");
    assert!(coloured.stderr.contains(escape));
}

#[test]
fn a_list_counts_the_calls_for_each_structure_or_pair() {
    let listed = run("list scopes/tree.ron").stdout;
    let line = |signature: &str| {
        let mut lines = listed.lines().skip_while(|line| !line.contains(signature));
        lines.nth(1).map(str::trim).unwrap_or_default().to_owned()
    };
    assert_eq!(line("fn new("), "constructor, 1 call in all");
    assert_eq!(line("fn insert("), "3 calls on each structure");
    assert_eq!(line("fn absorb("), "1 call on each pair of structures");
}

/// The word and the marks in red, what frames the line in blue.
#[test]
fn mistakes_in_scope_files_are_coloured() {
    let plain = run("generate scopes/unknown-suite.ron").stderr;
    let coloured = |options: &str, variable: Option<&str>| {
        let mut command = common::command(&format!("generate scopes/unknown-suite.ron {options}"));
        variable.map(|name| command.env(name, "1"));
        common::ended(command).stderr
    };
    let marked = coloured("--color always", None);
    let (red, blue, reset) = ("\u{1b}[1m\u{1b}[31m", "\u{1b}[1m\u{1b}[34m", "\u{1b}[0m");
    assert!(marked.starts_with(&format!("{red}error:{reset} no suite named")), "{marked:?}");
    assert!(marked.contains(&format!("{blue}-->{reset} scopes/unknown-suite.ron:")), "{marked:?}");
    assert!(marked.contains(&format!("{red}^^^")), "{marked:?}");
    let unmarked = [red, blue, "\u{1b}[1m\u{1b}[36m", reset]
        .iter()
        .fold(marked, |text, code| text.replace(code, ""));
    assert_eq!(unmarked, plain);
    // Without a terminal there are none, and less so where the user wants none.
    assert_eq!(coloured("", Some("NO_COLOR")), plain);
    assert_eq!(coloured("--color never", Some("CLICOLOR_FORCE")), plain);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut command = common::command("generate scopes/tree.ron");
    let mut child = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn results_that_cannot_be_written_end_with_4() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let status = common::command("generate scopes/tree.ron").stdout(full).status().unwrap();
    assert_eq!(status.code(), Some(4));
}

/// All that a summary says except of memory and time, and the last of its notes.
fn without_measures(mut summary: serde_json::Value) -> (serde_json::Value, String) {
    let fields = summary.as_object_mut().unwrap();
    for name in ["seconds", "cpu_seconds", "peak_rss_bytes", "store_bytes"] {
        fields.remove(name);
    }
    let notes = fields.remove("notes").unwrap();
    let last = notes.as_array().unwrap().last().and_then(|note| note.as_str());
    (summary, last.unwrap_or_default().to_owned())
}

#[test]
fn structures_that_are_not_kept_count_all_the_same() {
    let grows = "generate ../../../scopes/korat/searchtree.ron -k 6";
    let shrinks = "generate ../../../scopes/kiasan/treeset.ron -k 5";
    for (arguments, says) in [
        // 731 trees, of which 132 have all six keys: calls are made on these last.
        (grows, "the forms of 599 structures were dropped: no call takes a `Node` away"),
        (shrinks, "no forms were dropped: `remove` leaves 0 `TreeSetEntry`"),
    ] {
        let kept = without_measures(beget_summary(arguments)).0;
        for ways in ["", " --threads 1", " --processes 2", " --ways replay"] {
            let dropped = beget_summary(&format!("{arguments} --keep none{ways}"));
            let (dropped, note) = without_measures(dropped);
            for name in ["digest", "generated_by_objects", "levels", "explored", "complete"] {
                assert_eq!(dropped[name], kept[name], "{arguments}{ways}");
            }
            assert!(note.starts_with(says), "{note}");
        }
        let ended = run_beget(&format!("{arguments} --keep none"));
        assert!(ended.stderr.starts_with(&format!("note: {says}")), "{ended:?}");
        assert_eq!(run_beget(&format!("{arguments} --keep none --quiet")).stderr, "");
    }
}

/// Barrels of four lead back to the empty one, which was dropped two levels before.
#[test]
fn a_run_that_may_meet_what_it_has_dropped_is_incomplete() {
    let awkward = |arguments: &str| ended(of_program(&example("awkward_suites"), arguments));
    let dropped = awkward("generate scopes/barrel.ron --keep none");
    assert_eq!(dropped.code, Some(3), "{dropped:?}");
    let why = "a call has left a structure that may be one of those whose forms were dropped; run again without \
               `--keep none`";
    assert!(dropped.stdout.contains(why), "{dropped:?}");
    let says = "and no more: `pour` leaves 0 `Drink` where calls are made on 4 or more";
    assert!(dropped.stderr.contains(says), "{dropped:?}");
    let kept = awkward("generate scopes/barrel.ron");
    // 1 + 2 + 4 + 8 + 16 lists.
    assert!(kept.code == Some(0) && kept.stdout.contains("\nstructures  31 "), "{kept:?}");
}

#[test]
fn structures_that_are_needed_are_not_dropped() {
    let scope = "generate ../../../scopes/korat/searchtree.ron -k 3 --keep none";
    for (more, says) in [
        (
            "-o kept-none",
            "is for totals and findings of a run in memory: leave it out, or --output",
        ),
        ("--checkpoint kept-none", "leave it out, or --store, --checkpoint and --resume"),
        ("--store disk:kept-none", "leave it out, or --store, --checkpoint and --resume"),
        ("--hosts local:2", "leave it out, or --hosts"),
        ("--no-state-matching", "leave it out, or --no-state-matching"),
        ("--slack 1", "`--keep none` cannot be: with slack, forms are needed to the end"),
    ] {
        let ended = run_beget(&format!("{scope} {more}"));
        assert_eq!((ended.code, &*ended.stdout), (Some(2), ""), "{ended:?}");
        assert!(ended.stderr.contains(says), "{more}: {ended:?}");
    }
    assert!(!std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kept-none").exists());
    let ended = run("generate scopes/tree.ron --keep none");
    let says = "error: `--keep none` cannot be: `absorb` takes several structures, and with each new one all that came \
                before: their forms are needed to the end\n";
    assert_eq!((ended.code, &*ended.stderr), (Some(2), says));
}

#[test]
fn ways_are_one_of_each_kind() {
    for (options, message) in [
        ("--ways clone,remake", "one of region, clone, remake"),
        ("--ways replay,decode", "one of decode, replay"),
        ("--ways copy", "there is no way `copy`"),
        ("--copies clone", "`--copies` is now `--ways region`, `--ways clone`"),
        ("--making replay", "`--making` is now `--ways decode`"),
        ("--hosts hosts --process 0", "`--process` is now `--hosts FILE#I`"),
        ("--hosts hosts", "from 0: `hosts#0`"),
    ] {
        let ended = run_beget(&format!("generate ../../../scopes/tree.ron {options}"));
        assert_eq!(ended.code, Some(2), "{options}: {ended:?}");
        assert!(ended.stderr.contains(message), "{options}: {}", ended.stderr);
    }
}
