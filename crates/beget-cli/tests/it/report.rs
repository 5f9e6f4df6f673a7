//! Pages about runs: one file that says what the run came to and asks for nothing else.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common;

use common::{Ended, command, ended, run, run_beget, summary};
use regex::Regex;

fn in_tmp(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    let _ = fs::remove_dir_all(&path);
    path
}

/// The page of a command, whose name is `-o` or `--report` at the end of the line.
#[track_caller]
fn page_by(run: fn(&str) -> Ended, line: &str, name: &str, code: i32) -> String {
    let path = in_tmp(name);
    let ended = run(&format!("{line} {}", path.display()));
    assert_eq!(ended.code, Some(code), "{ended:?}");
    let page = fs::read_to_string(path).unwrap();
    assert_is_by_itself(&page);
    page
}

/// Whatever a browser would fetch is refused.
#[track_caller]
fn assert_is_by_itself(page: &str) {
    for request in ["src=", "<link", "@import", "<iframe", "fetch(", "<base", "<form"] {
        assert!(!page.contains(request), "{request}");
    }
    let addresses = Regex::new(r"url\(([^)]*)\)").unwrap();
    let mut outside = addresses.captures_iter(page).filter(|found| &found[1] != "#head");
    assert!(outside.next().is_none());
    assert!(!page.contains("href="));
}

fn verdict(page: &str) -> &str {
    let (_, rest) = page.split_once("<h1>").expect("a verdict");
    rest.split_once("</h1>").expect("its end").0
}

fn count(page: &str, text: &str) -> usize {
    page.matches(text).count()
}

/// The page without what differs from run to run.
fn without_times(page: &str) -> String {
    let (before, rest) = page.split_once("<section aria-labelledby=\"resources\"").unwrap();
    let (_, after) = rest.split_once("</section>").unwrap();
    format!("{before}{after}")
}

#[test]
fn the_verdict_of_a_sound_run_names_its_bounds() {
    let line = "report ../../../scopes/roops/ncl.ron -k 3 -o";
    let page = page_by(run_beget, line, "sound.html", 0);
    assert_eq!(verdict(&page), "roops::ncl is sound within these bounds: 18 structures, k = 3");
    assert_eq!(count(&page, "class=\"cause\""), 0);
    assert!(page.contains("109 calls.") && page.contains("27 calls (25 %) led beyond a bound"));
    // All 18 structures are shown, since there are fewer than a gallery holds.
    assert_eq!(count(&page, "<svg class=\"heap\""), 18);
    assert!(page.contains("<td class=\"n\">109</td>"));
}

#[test]
fn each_cause_has_a_card_with_its_test_and_a_film_of_its_calls() {
    let summary = summary("check scopes/tally.ron --all");
    let findings = summary["findings"].as_array().unwrap();
    let page = page_by(run, "report scopes/tally.ron --all -o", "cards.html", 1);
    assert_eq!(verdict(&page), "1 cause of failure in tally");
    assert_eq!(count(&page, "class=\"cause\""), findings.len());
    let cards = page.split_once("<h2 id=\"causes\"").unwrap().1;
    let card = cards.split_once("</article>").unwrap().0;
    let steps = findings[0]["steps"].as_array().unwrap();
    // The structure after each call, and before all but the first.
    assert_eq!(count(card, "<svg class=\"heap\""), 2 * steps.len() - 1);
    assert!(card.contains("#[test]\nfn contract_1_new_push_7_pop() {"), "{card}");
    assert!(card.contains("~ tally: Vec&#60;u8&#62;#1.length: 1 -&#62; 0"), "{card}");
    // The objects that the last two calls changed.
    assert!(count(card, "class=\"object changed\"") >= 2, "{card}");
}

#[test]
fn a_panic_shows_its_source_and_any_text_is_escaped() {
    let page = page_by(run, "report scopes/tree-all.ron -o", "source.html", 1);
    let ended = run("check scopes/tree-all.ron --summary json");
    let summary: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    let n = summary["findings"].as_array().unwrap().len();
    assert_eq!(count(&page, "class=\"cause\""), n);
    assert!(verdict(&page).contains(" of failure in tree"), "{}", verdict(&page));
    assert!(page.contains("The run stopped early (failure found)"));
    let script = Regex::new("(?i)<script").unwrap();
    assert_eq!(script.find_iter(&page).count(), 1);
}

#[test]
fn equal_runs_have_equal_pages_but_for_times() {
    let page = |name| page_by(run, "check scopes/tree-all.ron --all --report", name, 1);
    let [one, other] = ["one.html", "other.html"].map(page);
    assert_eq!(without_times(&one), without_times(&other));
}

#[test]
fn every_command_that_runs_has_a_page() {
    for (line, code, says) in [
        ("generate scopes/tree.ron --report", 0, "15 structures of tree, k = 3; no call failed"),
        (
            "random scopes/tree.ron --seed 1 --max-calls 500 --report",
            1,
            "4 causes of failure in tree",
        ),
        ("call scopes/tree.ron --report", 0, "Every method of tree was called with success"),
        ("diff scopes/tree.ron --against tree --report", 0, "No difference between tree and tree"),
        ("estimate scopes/tree.ron -k 4 --report", 0, "What tree would take, k = 4"),
        ("generate scopes/tree.ron --max-calls 9 --report", 3, "Incomplete (max calls)"),
    ] {
        let page = page_by(run, line, "every.html", code);
        assert!(verdict(&page).contains(says), "{line}: {}", verdict(&page));
    }
    for (line, code, says) in [
        (
            "random ../../../scopes/real/vecdeque.ron --max-calls 500 --report",
            0,
            "in 500 random calls",
        ),
        (
            "builders ../../../scopes/kiasan/treeset.ron -k 2 --report",
            0,
            "A sufficient and minimal set of methods of kiasan::treeset",
        ),
        ("repok ../../../scopes/roops/ncl.ron -k 2 --report", 0, "that the repOK admits, k = 2"),
        (
            "compare ../../../scopes/roops/ncl.ron -k 2 --repok published --report",
            1,
            "The API builds less than the repOK admits: roops::ncl, k = 2",
        ),
    ] {
        let page = page_by(run_beget, line, "every-beget.html", code);
        assert!(verdict(&page).contains(says), "{line}: {}", verdict(&page));
    }
}

#[test]
fn the_film_of_a_difference_shows_both_sides_in_step_and_marks_the_return() {
    let line = "diff ../../../scopes/real/btreeset.ron -k 2 --against real::btreemap --report";
    let page = page_by(run_beget, line, "sides.html", 1);
    let cards = page.split_once("<h2 id=\"causes\"").unwrap().1;
    let card = cards.split_once("</article>").unwrap().0;
    for side in ["real::btreeset", "real::btreemap"] {
        assert_eq!(count(card, &format!("<p class=\"side-name\">{side}</p>")), 2, "{side}");
    }
    let different = ["false", "None"]
        .map(|returned| format!("<strong>different:</strong> returned <code>{returned}</code>"));
    assert!(different.iter().all(|text| count(card, text) == 1), "{card}");
    assert_eq!(count(card, "<li class=\"differs\">"), 1);
}

#[test]
fn each_witness_of_a_comparison_stands_beside_the_nearest_of_the_other_side() {
    let line = "compare ../../../scopes/roops/ncl.ron -k 2 --repok published";
    let path = in_tmp("nearest.html");
    let summary = common::beget_summary(&format!("{line} --report {}", path.display()));
    let page = fs::read_to_string(path).unwrap();
    let sides = &summary["witnesses"];
    let all = ["only_api", "only_repok"].map(|side| sides[side].as_array().unwrap());
    let all: Vec<_> = all.into_iter().flatten().collect();
    assert!(!all.is_empty());
    assert_eq!(count(&page, "<article class=\"side\">"), all.len());
    assert_eq!(count(&page, "<figcaption>the nearest that calls build</figcaption>"), all.len());
    // The clauses of the corrected repOK are about one value each, so one change leads there.
    let changed: Vec<_> =
        all.iter().map(|one| one["nearest"]["changed"].as_array().unwrap().len()).collect();
    assert_eq!(changed, [1, 1, 1]);
    // Without a page nothing is sought.
    let plain = common::beget_summary(line);
    assert!(!plain.to_string().contains("nearest"));
}

#[test]
fn pages_of_searches_show_how_they_went_and_what_they_found() {
    let random = "random ../../../scopes/jpf/bintree.ron --max-calls 300 --report";
    let page = page_by(run_beget, random, "course.html", 0);
    assert!(page.contains("distinct structures") && page.contains("predicates covered"));
    // `find` is not called, so its four marks are not covered; this is one of them.
    let source = "crates/beget-cli/src/jpf/bintree.rs";
    let text = fs::read_to_string(Path::new("../..").join(source)).unwrap();
    let line = text.lines().position(|line| line.contains("self.mark(16,")).unwrap() + 1;
    assert!(page.contains(&format!("<td>{source}:{line}</td>")), "{page}");
    assert!(page.contains("<code>self.mark(16, None, None, None);</code>"));

    let evolve = "evolve ../../../scopes/jpf/bintree.ron --generations 2 --population 4 --report";
    let page = page_by(run_beget, evolve, "genes.html", 0);
    assert!(page.contains("class=\"spread\"") && page.contains("mean of the survivors"));
    assert!(
        page.contains("Genes of the best: methods")
            && page.contains("Genes of the best: value pools")
    );
    assert!(page.contains("fingerprint: "), "the chromosome itself");

    let call = "call ../../../scopes/real/vecdeque.ron --report";
    let page = page_by(run_beget, call, "effort.html", 0);
    let methods =
        page.split_once("Methods by what they took").unwrap().1.split_once("</table>").unwrap().0;
    let attempts = Regex::new(r"<td class=.n.>([0-9]+)</td>").unwrap();
    let attempts = attempts.captures_iter(methods);
    let attempts: Vec<u64> = attempts.map(|found| found[1].parse().unwrap()).collect();
    assert!(attempts.is_sorted_by(|one, next| one >= next) && attempts.len() > 10, "{attempts:?}");

    let builders = "builders ../../../scopes/kiasan/treeset.ron -k 2 --report";
    let page = page_by(run_beget, builders, "certificate.html", 0);
    assert!(page.contains("The certificate") && page.contains("What is lost without each builder"));
    assert!(page.contains("structures without it") && page.contains("fingerprint: "));
}

#[test]
fn a_written_directory_has_a_page_without_a_run() {
    let dir = in_tmp("written-for-page");
    let brief = in_tmp("briefly-written-for-page");
    for (dir, options) in [(&brief, ""), (&dir, "--full")] {
        let ended = run(&format!("generate scopes/tree.ron {options} -o {}", dir.display()));
        assert_eq!(ended.code, Some(0), "{ended:?}");
    }
    let page = page_by(run, &format!("report {} -o", brief.display()), "brief.html", 0);
    assert_eq!(verdict(&page), "15 structures of tree, k = 3; no call failed");
    assert_eq!(count(&page, "<svg class=\"heap\""), 0);
    let line = format!("report {} -o", dir.display());
    let page = page_by(run, &line, "written.html", 0);
    assert_eq!(verdict(&page), "15 structures of tree, k = 3; no call failed");
    assert_eq!(count(&page, "<svg class=\"heap\""), 15);
    fs::write(dir.join("structures.jsonl"), "{}\n").unwrap();
    let refused = in_tmp("refused.html");
    let ended = run(&format!("report {} -o {}", dir.display(), refused.display()));
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.stderr.contains("structures.jsonl"), "{ended:?}");
    assert!(!refused.exists());
}

#[test]
fn a_page_of_many_structures_stays_small() {
    let line = "generate ../../../scopes/kiasan/treeset.ron -k 8 --report";
    let page = page_by(run_beget, line, "many.html", 0);
    assert_eq!(count(&page, "<svg class=\"heap\""), 24);
    assert!(page.len() < 400_000, "{}", page.len());
}

#[test]
fn wrong_arguments_write_nothing() {
    let path = in_tmp("never.html");
    for line in ["report scopes/no-such.ron -o", "report scopes/unknown-suite.ron -o"] {
        let ended = run(&format!("{line} {}", path.display()));
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(!path.exists(), "{line}");
    }
    let default = in_tmp("nothing-here");
    fs::create_dir(&default).unwrap();
    let mut without_place = command("report no-such.ron");
    without_place.current_dir(&default);
    let ended = ended(without_place);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert_eq!(fs::read_dir(&default).unwrap().count(), 0);
    let ended = run("report scopes/tree.ron -o no/such/directory/page.html");
    assert_eq!(ended.code, Some(2), "{ended:?}");
}
