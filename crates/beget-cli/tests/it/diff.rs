//! `diff`: two suites in lockstep, what is compared, how it ends.

use crate::common;

use common::{beget_summary, run_beget};
use serde_json::json;

const LISTS: &str = "diff ../../../scopes/real/linkedlist.ron -k 2 --against real::vecdeque";
const SET_AND_MAP: &str = "diff ../../../scopes/real/btreeset.ron -k 2 --against real::btreemap";

#[test]
fn equal_implementations_end_with_0_and_say_what_was_compared() {
    let ended = run_beget(LISTS);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{ended:?}");
    let compared = "\nagainst     real::vecdeque, 15 methods compared\n            only in real::linkedlist: default, extend,";
    assert!(ended.stdout.contains(compared), "{}", ended.stdout);
    let verdict = "\nequal within these bounds; complete: the space is exhausted\n";
    assert!(ended.stdout.ends_with(verdict), "{}", ended.stdout);
    let summary = beget_summary(LISTS);
    // Lists of at most 2 of 2 elements.
    assert_eq!((&summary["generated"], &summary["failures"]), (&json!(1 + 2 + 4), &json!(0)));
    assert_eq!(summary["against"], json!("real::vecdeque"));
    let only = json!({"suite": "real::linkedlist", "method": "default", "difference": null});
    assert_eq!(summary["unpaired"][0], only);
}

#[test]
fn a_difference_ends_with_1_and_has_a_recipe_and_a_command() {
    let ended = run_beget(SET_AND_MAP);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let shown = "failure     `BTreeSet::<u8>::remove` gives false, `BTreeMap::<u8, u8>::remove` gives None\n    let mut \
                 b_tree_set = BTreeSet::<u8>::new();\n    let _ = b_tree_set.remove(&0);\n";
    assert!(ended.stdout.starts_with(shown), "{}", ended.stdout);
    let again = "to see the first failure again: beget diff --against real::btreemap ../../../scopes/real/btreeset.ron -k 2 \
                 --methods new,remove\n";
    assert!(ended.stdout.contains(again), "{}", ended.stdout);
    let verdict = "\ndifferent: 1 difference; INCOMPLETE: stopped after the first level with a failure; `--all` goes on\n";
    assert!(ended.stdout.ends_with(verdict), "{}", ended.stdout);
    let different = "not compared: `insert`, it has another number of parameters in real::btreemap, `fn insert(&mut self, \
                     key: u8, value: u8) -> Option<u8>`\n";
    assert!(ended.stdout.contains(different), "{}", ended.stdout);
    let finding = &beget_summary(SET_AND_MAP)["findings"][0];
    assert_eq!((&finding["kind"], &finding["name"]), (&json!("model"), &json!("result")));
    assert_eq!(finding["method"], json!("remove"));
}

#[test]
fn steps_of_a_difference_have_both_sides_and_differ_in_the_last_one_only() {
    let steps = beget_summary(SET_AND_MAP)["findings"][0]["steps"].as_array().unwrap().clone();
    let both =
        |step: &serde_json::Value| (step["returned"].clone(), step["other"]["returned"].clone());
    let (last, before) = steps.split_last().unwrap();
    assert_eq!(both(last), (json!("false"), json!("None")));
    assert_eq!(before.len(), 1);
    let variables = [&before[0], &before[0]["other"]].map(|step| step["variable"].clone());
    assert_eq!(variables, [json!("b_tree_set"), json!("b_tree_map")]);
    let heaps = [&last["heap"][0], &last["other"]["heap"][0]].map(|root| root["class"].to_string());
    assert_ne!(heaps[0], heaps[1]);
}

#[test]
fn suites_that_cannot_be_compared_are_wrong_input() {
    let ended = run_beget("diff ../../../scopes/real/linkedlist.ron --against real::vecdequ");
    let message =
        "error: no suite named `real::vecdequ` to compare with: did you mean `real::vecdeque`?\n";
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(2), message));
    let ended = run_beget("diff ../../../scopes/roops/ncl.ron --against real::vecdeque");
    let message = "error: `roops::ncl` and `real::vecdeque` have no constructor, or no other method, in common\n";
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(2), message));
    assert_eq!(ended.stdout, "");
}
