//! `show` and `list`.

use crate::common;

use common::run;

#[test]
fn without_a_selection_the_last_structure_is_shown_as_text() {
    let ended = run("show scopes/tree.ron");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    insta::assert_snapshot!(ended.stdout);
}

#[test]
fn a_structure_can_be_named_by_its_number() {
    let ended = run("show scopes/tree.ron --id 4 --format dot");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    insta::assert_snapshot!(ended.stdout);
}

#[test]
fn a_number_needs_no_more_of_the_run_than_what_comes_before_it() {
    let ended = run("show scopes/counter.ron --id 7");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stdout.ends_with("Counter#0 { value: 7 }\n"));
}

/// Each structure takes one call more than the one before it: its recipe is deeper than the stack.
#[test]
fn a_structure_of_25000_calls_is_shown() {
    let ended = run("show scopes/counter.ron --id 25000");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(ended.stdout.matches("counter.increment();").count(), 25_000);
    assert!(ended.stdout.ends_with("Counter#0 { value: 25000 }\n"));
}

#[test]
fn a_number_beyond_the_run_is_wrong_input() {
    let ended = run("show scopes/tree.ron --id 15");
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.stderr.contains("the scope has 15, counted from 0"));
}

#[test]
fn a_number_that_a_budget_keeps_from_being_reached_ends_with_3() {
    let ended = run("show scopes/counter.ron --id 15 --max-calls 5");
    assert_eq!(ended.code, Some(3), "{ended:?}");
    assert!(ended.stderr.contains("structure 15 was not reached among 5"), "{}", ended.stderr);
}

#[test]
fn a_picture_is_one_svg() {
    let ended = run("show scopes/tree.ron --id 4 --format svg");
    insta::assert_snapshot!(ended.stdout);
}

#[test]
fn a_file_of_an_unknown_type_is_refused_before_anything_runs() {
    let ended = run("show scopes/tree.ron -o tree.png");
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{ended:?}");
    assert!(ended.stderr.contains("pictures of type `png` are not made"), "{ended:?}");
}

#[test]
fn a_gallery_has_a_caption_for_each_structure() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("trees.svg");
    let ended = run(&format!("show scopes/tree.ron --gallery 15 -o {}", file.display()));
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let svg = std::fs::read_to_string(&file).unwrap();
    assert_eq!(svg.matches("<svg").count(), 1);
    assert_eq!(svg.matches("class=\"caption title\"").count(), 15);
    assert_eq!(common::names_in(dir.path()), ["trees.svg"]);
}

#[test]
fn a_picture_of_an_incomplete_run_ends_with_3() {
    let ended = run("show scopes/counter.ron --max-calls 5");
    assert_eq!(ended.code, Some(3), "{ended:?}");
    assert!(ended.stdout.ends_with("Counter#0 { value: 4 }\n"));
    assert!(ended.stderr.contains("the budget of 5 calls is spent"));
}

#[test]
fn failures_of_a_run_that_is_only_drawn_are_noted() {
    let ended = run("show scopes/tree-all.ron");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stderr.contains("1 call failed"));
}

#[test]
fn list_names_all_suites() {
    let ended = run("list");
    assert_eq!(ended.code, Some(0));
    insta::assert_snapshot!(ended.stdout);
}

#[test]
fn list_tells_what_a_scope_makes_of_a_suite() {
    let ended = run("list scopes/tree.ron -k 9");
    assert_eq!(ended.code, Some(0));
    // Where there are no region images, structures are copied in another way.
    insta::with_settings!({filters => vec![("then (region image|clone)", "then [COPIED]")]}, {
        insta::assert_snapshot!(ended.stdout);
    });
}

#[test]
fn list_knows_a_suite_from_a_scope_file() {
    let ended = run("list tree");
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.stderr.contains("`tree` is a suite, not a scope file"), "{ended:?}");
    let ended = run("list tre");
    assert!(
        ended.stderr.contains("neither a scope file nor a suite `tre`: did you mean `tree`?"),
        "{ended:?}"
    );
}

#[test]
fn the_binary_has_the_case_studies() {
    let ended = common::run_beget("list");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stdout.contains("\nroops::llist "), "{}", ended.stdout);
}

#[test]
fn arrows_of_a_cycle_lead_both_ways() {
    let ended = common::run_beget("show ../../../scopes/roops/llist.ron -k 2 --last --format svg");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    // The list's header and its one node refer to each other by `next` and `previous`; the list
    // refers to the header.
    assert_eq!(ended.stdout.matches("marker-end").count(), 5);
    assert_eq!(ended.stdout.matches("marker-start").count(), 0);
}

#[test]
fn a_suite_of_another_program_is_said_to_be_run_by_it() {
    let ended = common::run_beget("show scopes/tree.ron");
    assert_eq!(ended.code, Some(2), "{ended:?}");
    let (error, note) = ended.stderr.split_once("note: ").unwrap();
    assert!(error.starts_with("error: no suite named `tree`"), "{ended:?}");
    assert!(note.ends_with("crates/beget-cli` are run there by `cargo beget`\n"), "{ended:?}");
}

#[test]
fn a_call_is_drawn_before_and_after_it() {
    let show = "show ../../../scopes/kiasan/treeset.ron -k 4 --before-after 20";
    let ended = common::run_beget(&format!("{show} remove --format svg"));
    assert_eq!(ended.code, Some(0), "{ended:?}");
    for class in ["object gone", "object changed", "- TreeSetEntry#2", "~ size = 2"] {
        assert!(ended.stdout.contains(class), "{class}: {}", ended.stdout);
    }
    let other = common::run_beget(&format!("{show} remove(2)"));
    assert!(other.stdout.contains("after `let _ = tree_set.remove(2);`"), "{other:?}");
    let none = common::run_beget(&format!("{show} grow"));
    assert_eq!(none.code, Some(2), "{none:?}");
    assert!(none.stderr.contains("its methods are `add`, `remove`\n"), "{none:?}");
}
