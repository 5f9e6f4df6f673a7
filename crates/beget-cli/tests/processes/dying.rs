//! Runs that die, hang or run out of time in many ways: each keeps the findings that it had, and
//! has the way as one more.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

use crate::common::{ended, example, of_program};

/// A finding: kind, name, method, message.
type Found = [String; 4];

fn command(line: &str) -> Command {
    let mut command = of_program(&example("deadly_suites"), &format!("{line} --summary json"));
    command.env("BEGET_CALL_SECONDS", "0.5");
    command
}

/// The findings of a summary, most important first.
#[track_caller]
fn findings(summary: &Value) -> Vec<Found> {
    let text = |finding: &Value, field: &str| finding[field].as_str().unwrap_or("").to_owned();
    let found =
        |finding: &Value| ["kind", "name", "method", "message"].map(|field| text(finding, field));
    summary["findings"].as_array().unwrap().iter().map(found).collect()
}

#[track_caller]
fn summary(line: &str) -> Value {
    let ended = ended(command(line));
    assert_eq!(ended.code, Some(1), "{line}: {ended:?}");
    serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("{line}: {ended:?}"))
}

/// Checks the findings of a run in which a method of the stacks dies: first that, and then the
/// panic that was found before.
#[track_caller]
fn check(method: &str, options: &str, kind: &str, message: &str) -> Value {
    let methods = format!("--methods new,push,refuse,{method}");
    let mut last = Value::Null;
    for command in ["generate", "check --all"] {
        let line = format!("{command} scopes/deadly.ron {methods} {options}");
        let summary = summary(&line);
        let found = findings(&summary);
        let [death, panic] = &found[..] else { panic!("{line}: {found:?}") };
        let expected = [kind, "", method, message].map(str::to_owned);
        assert_eq!(death, &expected, "{line}");
        assert_eq!(panic[0], "panic", "{line}: {found:?}");
        assert!(panic[3].ends_with("nothing is there"), "{line}: {found:?}");
        last = summary;
    }
    last
}

/// Checks a death in the process that makes the run, which ends with it.
#[track_caller]
fn check_here(method: &str, kind: &str, message: &str) {
    for threads in ["--threads 1", "--threads 2 --ways remake"] {
        let summary = check(method, threads, kind, message);
        assert_eq!(summary["stop_reason"], "unreturned", "{method} {threads}");
        assert_eq!(summary["complete"], false);
        // The levels before it: nothing, and four stacks of one number.
        assert_eq!(summary["generated"], 5, "{method} {threads}");
    }
}

#[test]
fn a_call_that_aborts_ends_the_run_with_all_that_it_had() {
    check_here("abort", "crash", "the call ended the process by SIGABRT");
}

/// For a debugger or a sanitizer.
#[test]
fn a_crash_can_be_left_to_end_the_process() {
    let mut command = command("generate scopes/deadly.ron --methods new,push,abort");
    command.env("BEGET_OUTLIVE_CRASHES", "0");
    let ended = ended(command);
    assert_eq!((ended.code, &*ended.stdout), (None, ""), "{ended:?}");
}

#[test]
fn a_call_that_exits_ends_the_run_with_all_that_it_had() {
    check_here("exit", "crash", "the call ended the process by `exit`");
}

#[test]
fn a_call_that_faults_ends_the_run_with_all_that_it_had() {
    check_here("fault", "crash", "the call ended the process by SIGSEGV");
}

#[test]
fn a_call_that_overflows_the_stack_ends_the_run_with_all_that_it_had() {
    check_here("overflow", "crash", "the call overflowed the stack");
}

#[test]
fn a_call_that_panics_twice_ends_the_run_with_all_that_it_had() {
    check_here("panic_twice", "crash", "the call ended the process by SIGABRT");
}

#[test]
fn a_call_that_hangs_ends_the_run_with_all_that_it_had() {
    check_here("spin", "hang", "the call does not return");
}

#[test]
fn commands_without_findings_name_the_call_that_ends_or_blocks_them() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("tests.rs");
    let emit = format!("emit scopes/deadly.ron -o {}", file.display());
    for line in [
        "show scopes/deadly.ron",
        "estimate scopes/deadly.ron -k 3",
        "builders scopes/deadly.ron",
        &emit,
    ] {
        for (method, code, message) in [
            ("abort", 4, "the code under test ended the process in this call"),
            ("spin", 3, "a call does not end"),
        ] {
            let line = format!("{line} --methods new,push,{method}");
            let mut command = of_program(&example("deadly_suites"), &line);
            command.env("BEGET_CALL_SECONDS", "0.5");
            let ended = ended(command);
            let call = format!("let _ = deadly.push(3); let _ = deadly.{method}();");
            let message = format!("{message}: let mut deadly = Deadly::new(); {call}");
            assert_eq!(ended.code, Some(code), "{line}: {ended:?}");
            assert!(
                ended.stderr.contains(&message) && ended.stdout.is_empty(),
                "{line}: {ended:?}"
            );
        }
    }
    assert!(!file.exists());
}

#[test]
fn commands_whose_first_call_ends_them_name_it() {
    for (command, variable) in [("call", "_"), ("compare", "born"), ("builders", "born")] {
        let line = format!("{command} scopes/deadly-born.ron");
        let ended = ended(of_program(&example("deadly_suites"), &line));
        assert_eq!(ended.code, Some(4), "{line}: {ended:?}");
        let call = format!("let {variable} = Born::stillborn();");
        let message = format!("the code under test ended the process in this call: {call}");
        assert!(ended.stderr.contains(&message) && ended.stdout.is_empty(), "{line}: {ended:?}");
    }
}

#[test]
fn a_comparison_ends_with_a_call_that_does_not_return() {
    let mut command = of_program(&example("deadly_suites"), "compare scopes/deadly-stuck.ron");
    command.env("BEGET_CALL_SECONDS", "0.5");
    let ended = ended(command);
    assert_eq!(ended.code, Some(3), "{ended:?}");
    let message = "a call does not end: let mut stuck = Stuck::new(); let _ = stuck.turn_on();";
    assert!(ended.stderr.contains(message), "{ended:?}");
}

#[test]
fn a_random_run_that_a_call_ends_has_that_call_and_all_before_it() {
    for (method, by) in [("abort", "by SIGABRT"), ("exit", "by `exit`")] {
        let line = format!(
            "random scopes/deadly.ron --methods new,push,{method} --max-calls 1000 --threads 1 --summary json"
        );
        let ended = ended(of_program(&example("deadly_suites"), &line));
        assert_eq!(ended.code, Some(1), "{ended:?}");
        let run: Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_eq!(run["complete"], false);
        assert!(run["kept"].as_u64() > Some(0), "{run}");
        let findings = run["findings"].as_array().unwrap();
        let [crash] = &findings[..] else { panic!("{findings:?}") };
        assert_eq!(crash["kind"], "crash");
        assert_eq!(
            crash["message"],
            format!("the call, or what is asked after it, ended the process {by}")
        );
        let recipe = crash["recipe"].as_array().unwrap();
        let last = recipe.last().and_then(Value::as_str);
        assert!(last.unwrap().ends_with(&format!(".{method}();")), "{recipe:?}");
    }
}

#[test]
fn a_random_run_ends_with_a_call_that_does_not_return_and_keeps_what_it_found() {
    for threads in [1, 2] {
        let methods = "--methods new,push,refuse,spin";
        let line =
            format!("random scopes/deadly.ron {methods} --max-calls 1000 --threads {threads}");
        let ended = ended(command(&line));
        assert_eq!(ended.code, Some(1), "{ended:?}");
        let run: Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_eq!((&run["complete"], &run["stop_reason"]), (&false.into(), &"unreturned".into()));
        let found = findings(&run);
        let [hang, panic] = &found[..] else { panic!("{found:?}") };
        let expected = ["hang", "", "spin", "the call, or what is asked after it, does not return"];
        assert_eq!(hang, &expected.map(str::to_owned), "{threads}");
        assert!(panic[0] == "panic" && panic[3].ends_with("nothing is there"), "{found:?}");
    }
}

/// Nothing is said of the calls before, which are no results.
#[test]
fn a_search_for_a_chromosome_ends_with_a_call_that_does_not_return() {
    let ended = ended(command("evolve scopes/deadly.ron --methods new,push,spin --max-calls 1000"));
    assert_eq!(ended.code, Some(3), "{ended:?}");
    let call = ended.stderr.lines().find(|one| one.starts_with("note: a call does not return: "));
    assert!(call.expect("it is named").ends_with(".spin();"), "{ended:?}");
}

#[test]
fn a_search_for_a_chromosome_names_the_call_that_ends_it() {
    let line = "evolve scopes/deadly.ron --methods new,push,abort --max-calls 200";
    let ended = ended(of_program(&example("deadly_suites"), line));
    assert_eq!(ended.code, Some(4), "{ended:?}");
    let message = "the code under test ended the process in this call: ";
    let call = ended.stderr.lines().find_map(|one| one.split_once(message));
    let (_, call) = call.expect("it is named");
    assert!(call.ends_with(".abort();") && ended.stdout.is_empty(), "{ended:?}");
}

#[test]
fn workers_that_die_or_hang_leave_all_that_was_found() {
    let aborts = "the call ended the process by SIGABRT: malloc(): corrupted top size";
    let summary = check("abort", "--processes 1", "crash", aborts);
    assert_eq!((&summary["generated"], &summary["failures"]), (&21.into(), &6.into()));
    let hangs = "the call does not return: it was stopped";
    let summary = check("spin", "--processes 2 --call-seconds 0.3", "hang", hangs);
    assert_eq!((&summary["generated"], &summary["failures"]), (&21.into(), &4.into()));
    assert_eq!(summary["stop_reason"], "left_out");
}

#[test]
fn time_that_is_up_leaves_all_that_was_found() {
    for (options, message) in [
        ("--max-seconds 0.2 --processes 1 --call-seconds 600", "the call does not return"),
        ("--max-seconds 0.2 --threads 2", "the call does not return"),
    ] {
        let methods = "--methods new,push,refuse,spin";
        let mut command = command(&format!("check --all scopes/deadly.ron {methods} {options}"));
        command.env("BEGET_CALL_SECONDS", "0");
        let ended = ended(command);
        assert_eq!(ended.code, Some(1), "{ended:?}");
        let summary: Value = serde_json::from_str(&ended.stdout).unwrap();
        let found = findings(&summary);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!((&*found[0][0], &*found[0][3], &*found[1][0]), ("hang", message, "panic"));
        assert_eq!(summary["complete"], false);
    }
}

#[test]
fn signals_leave_all_that_was_found() {
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let methods = "--methods new,push,refuse,spin";
        let mut command = command(&format!("check --all scopes/deadly.ron {methods}"));
        command.env("BEGET_CALL_SECONDS", "0").stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap()).lines();
        // The call stands.
        assert!(stderr.any(|line| line.unwrap().contains("has not returned for five seconds")));
        kill(Pid::from_raw(child.id() as i32), signal).unwrap();
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(1), "{ended:?}");
        let summary: Value = serde_json::from_slice(&ended.stdout).unwrap();
        assert_eq!(summary["stop_reason"], "interrupted");
        let kinds: Vec<String> = findings(&summary).into_iter().map(|[kind, ..]| kind).collect();
        assert_eq!(kinds, ["hang", "panic"]);
    }
}

/// Stacks of 0 and another number, which says what is deadly when one is shown or dropped.
fn frail(deadly: u8, options: &str) -> Vec<Found> {
    let dir = tempfile::tempdir().unwrap();
    let scope = dir.path().join("frail.ron");
    let bounds = r#"k: 2, objects: {"*": "k"}, arrays: "k""#;
    let text = format!("Scope(suite: \"frail\", {bounds}, ints: [\"0\", \"{deadly}\"])");
    fs::write(&scope, text).unwrap();
    findings(&summary(&format!("check --all {} {options}", scope.display())))
}

#[test]
fn a_contract_that_dies_or_hangs_leaves_all_that_was_found() {
    let abort = "asking the contract `debug_returns` ended the process by SIGABRT";
    let hang = "asking the contract `debug_returns` does not return: it was stopped";
    let drop = "making, copying or dropping the structure ended the process by SIGABRT";
    for (deadly, kind, message) in [(1, "crash", abort), (2, "hang", hang), (3, "crash", drop)] {
        for way in ["--threads 1", "--processes 1 --call-seconds 0.5"] {
            let found = frail(deadly, way);
            let kinds: Vec<&str> = found.iter().map(|one| &*one[0]).collect();
            assert_eq!(kinds, ["panic", "contract", kind], "{deadly} {way}: {found:?}");
            assert_eq!(found[2][3], message, "{deadly} {way}");
        }
    }
}

/// What is shown with a finding is made once more, and is not survived; findings are kept.
#[test]
fn a_result_whose_text_dies_or_hangs_leaves_all_that_was_found() {
    let found = findings(&summary("generate scopes/deadly-grim.ron"));
    let messages: Vec<&str> = found.iter().map(|one| one[3].rsplit('\n').next().unwrap()).collect();
    assert_eq!(found.len(), 2, "{messages:?}");
    assert!(found.iter().all(|one| one[0] == "panic"), "{found:?}");
}

/// Calls whose copies of memory cannot be relied on are made again, and say what is wrong.
#[test]
fn misused_memory_is_named_and_the_run_begins_again_without_copies() {
    for options in ["--threads 1", "--threads 2", "--processes 1"] {
        let line = "generate scopes/deadly-careless.ron --methods new,set,guess";
        let found = summary(&format!("{line} {options}"));
        let expected = [
            "memory",
            "memory_sound",
            "guess",
            "in the call, or when all is dropped, what is returned has been read from memory to which \
             nothing was written",
        ];
        assert_eq!(findings(&found), [expected.map(str::to_owned)], "{options}");
        assert_eq!((&found["stop_reason"], &found["generated"]), (&"exhausted".into(), &6.into()));
        let notes = found["notes"].to_string();
        assert!(notes.contains("started again with structures that are replayed"), "{notes}");
    }
}

/// The harm of a call shows when its structure is dropped: the call is to blame.
#[test]
fn memory_that_is_freed_twice_is_the_failure_of_its_call() {
    let line = "generate scopes/deadly-careless.ron --methods new,set,recycle --processes 1";
    let found = summary(line);
    // Three structures, by three numbers; `recycle` dies on each with each number.
    assert_eq!((&found["generated"], &found["explored"]), (&3.into(), &19.into()));
    let failures = found["failures"].as_u64().unwrap();
    assert!(failures > 0, "{found}");
    assert!(findings(&found).iter().all(|one| one[0] == "crash" && one[2] == "recycle"), "{found}");
    let line = "check scopes/deadly-careless.ron --methods new,set,recycle --processes 1";
    let named = findings(&summary(line));
    let freed = "in the call, or when all is dropped, a block of 32 bytes is freed twice";
    assert!(named.iter().any(|one| one[3] == freed), "{named:?}");
}

/// The first line says what is wrong, not the last one.
#[test]
fn an_abort_is_told_by_what_the_standard_library_says_first() {
    let unchecked = "unsafe precondition(s) violated: slice::get_unchecked requires that the index is \
                     within the slice";
    for (method, said) in [("unchecked", unchecked), ("panic_across", "the first line")] {
        let methods = format!("--methods new,push,{method}");
        let line = format!("generate scopes/deadly.ron {methods} --processes 1");
        let [found] = &findings(&summary(&line))[..] else { panic!("{line}") };
        let message = &found[3];
        assert!(message.starts_with("the call ended the process by SIGABRT: "), "{message}");
        assert!(message.ends_with(said), "{message}");
    }
}
