//! Calls in worker processes: what ends a process is a finding, and all else is as if that call
//! were not there.
#![cfg(target_os = "linux")]

use crate::common;
use crate::table;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use common::{Ended, ended, example, names_in, of_program, run_beget};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

fn command(arguments: &str) -> Command {
    of_program(&example("deadly_suites"), arguments)
}

fn run(arguments: &str) -> Ended {
    ended(command(arguments))
}

/// The summary of a run, without what differs from one to the next.
#[track_caller]
fn summary(arguments: &str) -> Value {
    let ended = run(&format!("{arguments} --summary json"));
    let mut summary: Value =
        serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("one object: {ended:?}"));
    for measured in ["seconds", "cpu_seconds", "peak_rss_bytes"] {
        summary[measured] = Value::Null;
    }
    summary
}

/// Stacks of at most 2 of 4 numbers: 1 + 4 + 16.
const N_STACKS: u64 = 21;

/// A 3 is on top of 1 + 4 of them.
const N_DEATHS: u64 = 5;

const GENERATE: &str = "generate scopes/deadly.ron";

/// Checks what a run comes to in which `method` is deadly: that finding, and in all else the run
/// without the method, to the byte in the files of structures.
#[track_caller]
fn check(method: &str, kind: &str, message: &str, options: &str) {
    let dir = tempfile::tempdir().unwrap();
    let (with, without) = (dir.path().join("with"), dir.path().join("without"));
    let plain = summary(&format!("{GENERATE} -o {}", without.display()));
    let line =
        format!("{GENERATE} --methods new,push,pop,{method} {options} -o {}", with.display());
    let found = summary(&line);

    assert_eq!(found["stop_reason"], "exhausted", "{found}");
    assert_eq!(found["failures"], N_DEATHS);
    for same in ["generated", "generated_by_objects", "digest", "kept", "out_of_scope", "misuse"] {
        assert_eq!(found[same], plain[same], "{same}");
    }
    // The method leaves every other stack as it is.
    let all = plain["explored"].as_u64().unwrap() + N_STACKS;
    assert_eq!(found["explored"], all);
    let findings = found["findings"].as_array().unwrap();
    let [finding] = &findings[..] else { panic!("one finding: {findings:?}") };
    assert_eq!((&finding["kind"], &finding["message"]), (&kind.into(), &message.into()));
    assert_eq!((&finding["witnesses"], &finding["method"]), (&N_DEATHS.into(), &method.into()));
    let recipe = finding["recipe"].as_array().unwrap();
    let recipe: Vec<&str> = recipe.iter().map(|line| line.as_str().unwrap()).collect();
    let last = format!("let _ = deadly.{method}();");
    assert_eq!(recipe, ["let mut deadly = Deadly::new();", "let _ = deadly.push(3);", &last]);
    same_files(&with, &without);
}

/// Whether the structures are the same, with their recipes.
#[track_caller]
fn same_files(one: &Path, other: &Path) {
    let read = |dir: &Path| fs::read_to_string(dir.join("structures.jsonl")).unwrap();
    assert!(read(one) == read(other), "{} and {}", one.display(), other.display());
}

#[test]
fn a_call_that_aborts_is_a_finding() {
    let message = "the call ended the process by SIGABRT: malloc(): corrupted top size";
    check("abort", "crash", message, "--processes 1");
    check("abort", "crash", message, "--processes 2 --ways clone");
    check("abort", "crash", message, "--processes 3 --ways remake,replay");
}

#[test]
fn a_call_that_exits_is_a_finding() {
    check("exit", "crash", "the call ended the process with exit code 0", "--processes 1");
}

#[test]
fn a_call_that_writes_where_nothing_is_is_a_finding() {
    check("fault", "crash", "the call ended the process by SIGSEGV", "--processes 2");
}

#[test]
fn a_call_that_overflows_the_stack_is_a_finding() {
    check("overflow", "crash", "the call overflowed the stack", "--processes 2");
}

#[test]
fn a_call_that_panics_twice_is_a_finding_with_both_messages() {
    let source =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/deadly_suites.rs"));
    let source = source.unwrap();
    let place = |text: &str| {
        let line = source.lines().position(|line| line.contains(text)).unwrap();
        let column = source.lines().nth(line).unwrap().find("panic!").unwrap();
        format!("crates/beget-cli/examples/deadly_suites.rs:{}:{}", line + 1, column + 1)
    };
    let message = format!(
        "the call ended the process by SIGABRT: panicked at {}: the first panic; then panicked at {}: the second panic",
        place("the first panic"),
        place("the second panic")
    );
    check("panic_twice", "crash", &message, "--processes 2");
}

/// Of 21 calls, those on 1 + 4 + 8 stacks are made: the third one that does not return is on the
/// eighth stack of two numbers.
#[test]
fn a_call_that_does_not_return_is_a_finding_and_after_three_the_method_is_called_no_more() {
    let dir = tempfile::tempdir().unwrap();
    let (with, without) = (dir.path().join("with"), dir.path().join("without"));
    let plain = summary(&format!("{GENERATE} -o {}", without.display()));
    let line = format!("{GENERATE} --methods new,push,pop,spin --call-seconds 0.3 --processes");
    let found = summary(&format!("{line} 1 -o {}", with.display()));
    same_files(&with, &without);
    assert_eq!((&found["stop_reason"], &found["complete"]), (&"left_out".into(), &false.into()));
    for same in ["generated", "digest", "kept", "out_of_scope", "misuse"] {
        assert_eq!(found[same], plain[same], "{same}");
    }
    let all = plain["explored"].as_u64().unwrap() + 1 + 4 + 8;
    assert_eq!((&found["failures"], &found["explored"]), (&3.into(), &all.into()));
    let [finding] = &found["findings"].as_array().unwrap()[..] else { panic!("{found}") };
    let message = "the call does not return: it was stopped";
    assert_eq!((&finding["kind"], &finding["message"]), (&"hang".into(), &message.into()));
    assert_eq!((&finding["method"], &finding["witnesses"]), (&"spin".into(), &3.into()));
    let omission =
        "calls of `spin` do not return: after 3 of them, in level 4, it was called no more";
    assert_eq!(found["omissions"], Value::from(vec![omission]));
    assert_eq!(summary(&format!("{line} 3")), found);
    // It is said to people, too.
    let ended = run(&format!("{line} 2"));
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stdout.contains(&format!("left out    {omission}\n")), "{}", ended.stdout);
}

#[test]
fn a_call_that_takes_all_memory_is_a_finding() {
    let message = "the call takes more than 128 MiB of memory: it was stopped";
    check("hoard", "memory", message, "--processes 2 --call-memory 128");
}

/// 341 MiB in all, in one block or in several: no call takes more than one.
#[test]
fn what_calls_leave_behind_is_not_blamed_on_the_last_of_them() {
    let plain = summary(&format!("{GENERATE} -k 5"));
    let line = format!("{GENERATE} -k 5 --methods new,push,pop,litter --call-memory 96");
    let found = summary(&format!("{line} --processes 1"));
    assert_eq!(found["findings"], serde_json::json!([]));
    assert_eq!((&found["digest"], &found["failures"]), (&plain["digest"], &0.into()));
    let others = summary(&format!("{line} --processes 2"));
    assert_eq!((&others["digest"], &others["findings"]), (&found["digest"], &found["findings"]));
}

#[test]
fn a_destructor_that_panics_is_a_finding_as_it_is_without_processes() {
    let line = "generate scopes/deadly.ron --methods new,push,pop,leave_grenade";
    assert_eq!(summary(&format!("{line} --processes 2")), summary(line));
}

/// The calls return: of 0 and 3 all is well.
#[test]
fn an_invariant_that_ends_its_process_or_does_not_return_is_blamed() {
    let line = "check scopes/deadly-wary.ron --call-seconds 0.3 --processes";
    let found = summary(&format!("{line} 1"));
    assert_eq!((&found["generated"], &found["failures"]), (&2.into(), &2.into()));
    let of = |finding: &Value| {
        let field = |name: &str| finding[name].as_str().unwrap().to_owned();
        (field("kind"), field("name"), field("message"))
    };
    let findings: Vec<_> = found["findings"].as_array().unwrap().iter().map(of).collect();
    let named = |kind: &str, message: &str| {
        (kind.to_owned(), "is_safe".to_owned(), format!("the invariant `is_safe` {message}"))
    };
    let aborts = named("crash", "ended the process by SIGABRT");
    let hangs = named("hang", "does not return: it was stopped");
    assert_eq!(findings, [aborts, hangs]);
    assert_eq!(summary(&format!("{line} 2")), found);
}

/// The number 1 dies when it is shown, 2 in the next call; the others are sound.
#[test]
fn what_a_panic_leaves_is_followed_in_the_workers() {
    let torn = "scopes/deadly-torn.ron";
    let plain = summary(&format!("generate {torn}"));
    assert_eq!((&plain["generated"], &plain["misuse"]), (&4.into(), &4.into()));
    let found = summary(&format!("check {torn} --processes 1"));
    assert_eq!((&found["generated"], &found["digest"]), (&4.into(), &plain["digest"]));
    // The calls that show it have failed.
    assert_eq!((&found["misuse"], &found["failures"]), (&2.into(), &2.into()));
    let findings = found["findings"].as_array().unwrap();
    let parts = |finding: &Value| {
        let field = |name: &str| finding[name].as_str().unwrap().to_owned();
        let recipe = finding["recipe"].as_array().unwrap().clone();
        (field("kind"), field("name"), field("message"), finding["witnesses"].clone(), recipe)
    };
    let shows = "after the panic in `refuse`, looking at what it left or dropping that ended the \
                 process by SIGABRT";
    let caught =
        "let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| torn.refuse()));";
    let recipe =
        |number: u8| vec![format!("let mut torn = Torn::new({number});").into(), caught.into()];
    let of = |message: &str, witnesses: u32, recipe: Vec<Value>| {
        ("crash".into(), "usable_after_panic".into(), message.into(), witnesses.into(), recipe)
    };
    let closes = "after the panic in `refuse`, `close` or dropping what that left ended the \
                  process by SIGABRT";
    // That `refuse` panics is the cause of both.
    assert_eq!(findings.iter().map(parts).collect::<Vec<_>>(), [of(shows, 2, recipe(1))]);
    let called = summary("check scopes/deadly-torn-called.ron --processes 1");
    let closed = recipe(2).into_iter().chain(["let _ = torn.close();".into()]).collect();
    let of_called = called["findings"].as_array().unwrap();
    assert_eq!(of_called.iter().map(parts).collect::<Vec<_>>(), [of(closes, 1, closed)]);
    assert_eq!(summary(&format!("check {torn} --processes 2")), found);
    let contracts = found["contracts"].as_array().unwrap();
    let asked = contracts.iter().find(|one| one["name"] == "usable_after_panic").unwrap();
    // Once two calls of a method have ended their workers, its panics are not followed.
    assert_eq!((&asked["asked"], &asked["broken"]), (&3.into(), &2.into()));
}

/// Of memory that is freed, and of elements that lie, calls are audited in the workers: what ends
/// one there is no failure of the call, which has returned.
#[test]
fn audits_that_end_their_workers_are_findings_and_nothing_is_lost() {
    let trusting = "scopes/deadly-trusting.ron";
    let plain = summary(&format!("generate {trusting}"));
    let line = format!("check {trusting} --all --call-seconds 1 --processes");
    let found = summary(&format!("{line} 1"));
    for same in ["generated", "digest", "explored", "kept", "matched", "out_of_scope", "failures"] {
        assert_eq!(found[same], plain[same], "{same}");
    }
    let findings = found["findings"].as_array().unwrap();
    let parts = |finding: &Value| {
        ["kind", "name", "method", "message"]
            .map(|field| finding[field].as_str().unwrap().to_owned())
    };
    let lies = "where an element or an iterator lies in it, the call or dropping what it left";
    let poisoned = "where freed memory is overwritten, the call or dropping what it left";
    let wanted = [
        ["crash", "memory_sound", "look_back", &format!("{poisoned} ended the process by SIGSEGV")],
        [
            "crash",
            "elements_survive_lies",
            "insist",
            &format!("{lies} ended the process by SIGABRT"),
        ],
    ];
    assert_eq!(findings.iter().map(parts).collect::<Vec<_>>(), wanted);
    let note = "where an element or an iterator lies, `ask_again` does not return, which is allowed: with lies it was \
                called no more";
    assert!(found["notes"].as_array().unwrap().contains(&note.into()), "{}", found["notes"]);
    assert_eq!(summary(&format!("{line} 2")), found);
}

/// Of the stacks of at most 5 of 4 numbers, 1 + 4 + 16 + 64 + 256 have a 3 on top.
#[test]
fn hundreds_of_deaths_are_all_reported_and_nothing_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let (with, without) = (dir.path().join("with"), dir.path().join("without"));
    let plain = summary(&format!("{GENERATE} -k 5 -o {}", without.display()));
    let line = format!("{GENERATE} -k 5 --methods new,push,pop,abort --processes 2");
    let found = summary(&format!("{line} -o {}", with.display()));
    assert_eq!(found["failures"], 341);
    assert_eq!(found["digest"], plain["digest"]);
    let findings = found["findings"].as_array().unwrap();
    let of = |finding: &Value| (finding["method"].clone(), finding["witnesses"].clone());
    let wanted = [("abort".into(), 341.into())];
    assert_eq!(findings.iter().map(of).collect::<Vec<_>>(), wanted);
    same_files(&with, &without);
}

#[test]
fn any_number_of_workers_writes_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let methods = "--methods new,push,pop,abort,exit,fault";
    let outs = ["1", "2", "3"].map(|n| {
        let out = dir.path().join(n);
        let line = format!("{GENERATE} {methods} --processes {n} -o {}", out.display());
        (summary(&line), out)
    });
    let [(first, one), others @ ..] = &outs;
    for (summary, other) in others {
        assert_eq!(summary, first);
        same_files(one, other);
    }
    assert_eq!(first["failures"], 3 * N_DEATHS);
}

#[test]
fn without_deaths_workers_write_what_threads_write() {
    for scope in ["roops/ncl.ron -k 4", "korat/searchtree.ron -k 4", "ours/skewheap.ron -k 3"] {
        for how in ["", "--ways clone", "--ways remake,replay"] {
            let dir = tempfile::tempdir().unwrap();
            let run = |name: &str, workers: &str| {
                let out = dir.path().join(name);
                let scopes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scopes");
                let path = scopes.join(scope);
                let line =
                    format!("generate {} {how} {workers} -o {}", path.display(), out.display());
                let ended = run_beget(&line);
                assert_eq!(ended.code, Some(0), "{ended:?}");
                out
            };
            same_files(&run("threads", "--threads 2"), &run("workers", "--processes 2"));
        }
    }
}

#[test]
fn a_constructor_that_dies_leaves_the_others() {
    let line = "check scopes/deadly-born.ron --processes 2";
    let found = summary(line);
    assert_eq!((&found["generated"], &found["failures"]), (&4.into(), &1.into()));
    assert_eq!(
        found["findings"][0]["recipe"],
        serde_json::json!(["let born = Born::stillborn();"])
    );
}

#[test]
fn a_comparison_goes_on_where_one_side_dies() {
    let line =
        "diff scopes/deadly.ron --against deadly --methods new,push,pop,abort --all --processes 2";
    let found = summary(line);
    assert_eq!((&found["generated"], &found["failures"]), (&N_STACKS.into(), &N_DEATHS.into()));
    assert_eq!(found["findings"][0]["kind"], "crash");
    let stopped = summary(&line.replace("--all ", ""));
    assert_eq!(
        (&stopped["stop_reason"], &stopped["failures"]),
        (&"failure_found".into(), &1.into())
    );
}

/// No, one or two values, each there or taken: 1 + 2 + 4. Keys that are stale: 1, and 1 + 1 + 2.
#[test]
fn keys_go_to_workers_and_name_what_is_deadly() {
    let found = summary("generate scopes/deadly-keys.ron --processes 2");
    let counted = ["generated", "failures"].map(|name| found[name].as_u64());
    assert_eq!(counted, [Some(7), Some(5)]);
    let calls = ["let mut lockers = Lockers::new();", "let key = lockers.insert(0);"];
    let calls = [&calls[..], &["let _ = lockers.take(key);"; 2]].concat();
    let finding = &found["findings"][0];
    assert_eq!((&finding["kind"], &finding["recipe"]), (&"crash".into(), &calls.into()));
}

/// Clearing 0, 1, 2 or 3 bits leaves what is matched with the first structure; filled again, the
/// latter two abort.
#[test]
fn what_was_matched_dies_in_a_worker() {
    let found = summary("generate scopes/deadly-worn.ron --processes 2");
    let counted = ["generated", "explored", "failures"].map(|name| found[name].as_u64());
    assert_eq!(counted, [Some(4), Some(9), Some(0)]);
    let probes = serde_json::json!({"extended": 4, "calls": 8, "failures": 2, "unknown": 0});
    assert_eq!((&found["probes"], found["findings"].as_array().unwrap().len()), (&probes, 1));
    let calls = ["let mut worn = Worn::new();", "let _ = worn.fill();", "let _ = worn.fill();"];
    let calls = [&calls[..], &["let _ = worn.clear();", "let _ = worn.fill();"]].concat();
    let finding = &found["findings"][0];
    let (kind, recipe, witnesses) = (&finding["kind"], &finding["recipe"], &finding["witnesses"]);
    assert_eq!((kind, recipe, witnesses), (&"crash".into(), &calls.into(), &2.into()));
    let told = run("generate scopes/deadly-worn.ron --processes 1").stdout;
    assert!(told.contains("probes      8 calls on 4 matched values, 2 failures\n"), "{told}");
}

/// `fill` ends the process on a matched value, and so does showing it, which is asked only if no
/// call has ended it.
#[test]
fn contracts_of_what_was_matched_are_asked_in_a_worker() {
    let found =
        summary("check scopes/deadly-worn.ron --methods new,fill,clear --all --processes 2");
    let of = |name: &str| {
        let findings = found["findings"].as_array().unwrap().iter();
        let mut named = findings.filter(|finding| finding["name"] == name);
        named.next().map(|finding| finding["recipe"].clone())
    };
    let calls = ["let mut worn = Worn::new();", "let _ = worn.fill();", "let _ = worn.fill();"];
    let calls = [&calls[..], &["let _ = worn.clear();"]].concat();
    assert_eq!(of("debug_returns"), Some(calls.into()), "{:?}", found["findings"]);
}

/// The processes that a process has started.
fn children(parent: u32) -> Vec<Pid> {
    let of_thread = |entry: fs::DirEntry| fs::read_to_string(entry.path().join("children")).ok();
    let threads = fs::read_dir(format!("/proc/{parent}/task")).unwrap().flatten();
    let lists: Vec<String> = threads.filter_map(of_thread).collect();
    let words = lists.iter().flat_map(|list| list.split_whitespace());
    words.map(|word| Pid::from_raw(word.parse().unwrap())).collect()
}

/// Starts a run in one worker, and kills that in the middle of a call that then would return.
/// `before` is done when the call has begun.
fn killed_while_it_ponders(program: &Path, arguments: &str, before: impl Fn()) -> Output {
    let dir = tempfile::tempdir().unwrap();
    let line = format!("{GENERATE} --methods new,push,pop,ponder --processes 1 {arguments}");
    let mut command = of_program(program, &line);
    command.env("DEADLY_DIRECTORY", dir.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    wait_until(|| dir.path().join("begun").exists());
    before();
    kill(children(child.id())[0], Signal::SIGKILL).unwrap();
    fs::write(dir.path().join("go"), "").unwrap();
    child.wait_with_output().unwrap()
}

#[track_caller]
fn wait_until(is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(60), "it is never so");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_worker_that_is_killed_from_outside_is_told_and_its_calls_are_made_again() {
    let ended = killed_while_it_ponders(&example("deadly_suites"), "--summary json", || ());
    assert_eq!(ended.status.code(), Some(1), "{ended:?}");
    let found: Value = serde_json::from_slice(&ended.stdout).unwrap();
    // All calls count as what they came to.
    assert_eq!((&found["generated"], &found["failures"]), (&21.into(), &0.into()));
    let findings = found["findings"].as_array().unwrap();
    let [finding] = &findings[..] else { panic!("one finding: {findings:?}") };
    assert_eq!((&finding["kind"], &finding["method"]), (&"crash".into(), &"ponder".into()));
    let message = finding["message"].as_str().unwrap();
    assert!(message.starts_with("the call ended the process by SIGKILL (once: "), "{message}");
}

#[test]
fn a_worker_that_cannot_be_started_ends_the_run_with_what_it_has() {
    let dir = tempfile::tempdir().unwrap();
    let (program, out) = (dir.path().join("program"), dir.path().join("out"));
    fs::copy(example("deadly_suites"), &program).unwrap();
    let arguments = format!("--summary json -o {}", out.display());
    let remove = || fs::remove_file(&program).unwrap();
    let ended = killed_while_it_ponders(&program, &arguments, remove);
    assert_eq!(ended.status.code(), Some(4), "{ended:?}");
    let found: Value = serde_json::from_slice(&ended.stdout).unwrap();
    assert_eq!(
        (&found["stop_reason"], &found["complete"]),
        (&"store_failed".into(), &false.into())
    );
    let notes = found["notes"].to_string();
    assert!(notes.contains("a worker process cannot be started: "), "{notes}");
    assert!(names_in(&out).contains(&"INCOMPLETE".to_owned()));
}

#[test]
fn an_interrupt_ends_a_run_whose_call_hangs_and_no_worker_is_left() {
    let line = format!(
        "{GENERATE} --methods new,push,pop,spin --processes 2 --call-seconds 600 --summary json"
    );
    let mut child = command(&line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap()).lines();
    // The call has been seen.
    assert!(stderr.any(|line| line.unwrap().contains("has not returned for five seconds")));
    let workers = children(child.id());
    assert_eq!(workers.len(), 2);
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(1), "{ended:?}");
    let found: Value = serde_json::from_slice(&ended.stdout).unwrap();
    assert_eq!(found["stop_reason"], "interrupted");
    let finding = &found["findings"][0];
    assert_eq!((&finding["kind"], &finding["method"]), (&"hang".into(), &"spin".into()));
    let notes = found["notes"].as_array().unwrap();
    let spins = "a call does not end: let mut deadly = Deadly::new(); let _ = deadly.push(3); \
                 let _ = deadly.spin();";
    assert!(notes.iter().any(|note| note == spins), "{notes:?}");
    let is_alive = |worker: &Pid| Path::new(&format!("/proc/{worker}/stat")).exists();
    wait_until(|| !workers.iter().any(is_alive));
}

#[test]
fn time_that_is_up_ends_a_run_whose_call_hangs() {
    let line = format!("{GENERATE} --methods new,push,pop,spin --processes 1 --call-seconds 600");
    let found = summary(&format!("{line} --max-seconds 1"));
    assert_eq!((&found["stop_reason"], &found["complete"]), (&"max_seconds".into(), &false.into()));
}

#[test]
fn what_a_subject_prints_in_a_worker_is_shown_and_is_no_result() {
    let ended = ended(of_program(
        &example("awkward_suites"),
        "generate scopes/awkward-print.ron --summary json --processes 2",
    ));
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let summary: Value = serde_json::from_str(&ended.stdout).expect("one JSON object");
    assert_eq!(summary["generated"], 4);
    assert!(ended.stderr.contains("the value is 3\n"), "{}", ended.stderr);
}

/// Walks take twenty times as long as calls may.
#[test]
fn a_limit_of_calls_is_none_of_what_beget_does_between_them() {
    let found = summary("generate scopes/deadly-foggy.ron --processes 1 --call-seconds 0.2");
    assert_eq!((&found["complete"], &found["generated"]), (&true.into(), &3.into()), "{found}");
    assert_eq!(found["findings"].as_array().map(Vec::len), Some(0), "{found}");
}

#[test]
fn a_run_without_what_takes_too_long_to_walk_is_not_complete() {
    let line = "generate scopes/deadly-foggy.ron -k 3 --processes 1 --call-seconds 0.05";
    let found = summary(line);
    assert_eq!(found["stop_reason"], "left_out", "{found}");
    // 0, 1, and three more than these.
    assert_eq!((&found["complete"], &found["generated"]), (&false.into(), &4.into()));
    let [finding] = &found["findings"].as_array().unwrap()[..] else { panic!("{found}") };
    let message =
        "walking what the call left takes too long: it was stopped, and is left out of the run";
    assert_eq!((&finding["kind"], &finding["message"]), (&"left_out".into(), &message.into()));
    assert_eq!(finding["recipe"], serde_json::json!(["let foggy = Foggy::new(2);"]));
    let ended = run(line);
    assert!(
        ended.stdout.contains("calls, walks of structures or questions are left out: "),
        "{ended:?}"
    );
}

#[test]
fn limits_of_calls_are_those_of_processes() {
    let ended = run("generate scopes/deadly.ron --call-seconds 3");
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("--processes <N>"), "{}", ended.stderr);
}

/// Each way of dying, by workers, beside the same run without the method or the value that dies.
#[test]
fn the_table_of_seeded_defects_has_every_way_of_dying() {
    const DEADLY: [&str; 2] = ["scopes/deadly.ron", "scopes/deadly-tame.ron"];
    // What the run is of, and what that without the defect is of.
    let of = |what: &'static str, number: usize, lines: [String; 2]| (what, number, lines);
    let deadly = |method: &str| {
        DEADLY.map(|scope| format!("generate {scope} --methods new,push,pop,{method}"))
    };
    let torn = |deadly: &str| {
        [deadly, "-tame"].map(|which| format!("check scopes/deadly-torn{which}.ron"))
    };
    let without = |line: &str, methods: &str| {
        let line = line.to_owned();
        [line.clone(), format!("{line} --methods {methods}")]
    };
    let trusting =
        || without("check scopes/deadly-trusting.ron --all --call-seconds 1", "new,push");
    let ways = [
        of("abort", 0, deadly("abort")),
        of("exit", 0, deadly("exit")),
        of("a write where nothing is", 0, deadly("fault")),
        of("a stack that overflows", 0, deadly("overflow")),
        of("two panics at once", 0, deadly("panic_twice")),
        of("an endless loop", 0, deadly("spin --call-seconds 0.3")),
        of("all memory", 0, deadly("hoard --call-memory 128")),
        of("`Drop` that panics", 0, deadly("leave_grenade")),
        of("looking at what a panic left", 0, torn("")),
        of("a call on what a panic left", 0, torn("-called")),
        of("a comparison that an element lies in", 1, trusting()),
        of("a read of freed memory", 0, trusting()),
        of("a constructor", 0, without("check scopes/deadly-born.ron", "new")),
        of("a value that was matched", 0, without("generate scopes/deadly-worn.ron", "new,fill")),
        of("a key that is stale", 0, without("generate scopes/deadly-keys.ron", "new,insert")),
    ];
    let places = regex::Regex::new(r":\d+:\d+").unwrap();
    let rows: Vec<Vec<String>> = ways
        .iter()
        .map(|(what, number, [line, without])| {
            let found = summary(&format!("{line} --processes 1"));
            let finding = &found["findings"][*number];
            let field = |name: &str| finding[name].as_str().unwrap();
            let message = places.replace_all(field("message"), "").into_owned();
            let n_calls = finding["recipe"].as_array().unwrap().len().to_string();
            let sound = summary(&format!("{without} --processes 1"));
            let n_findings = sound["findings"].as_array().unwrap().len();
            let quiet = table::quiet(n_findings, sound["explored"].as_u64().unwrap());
            [*what, field("kind"), &message, &n_calls, &quiet].map(str::to_owned).to_vec()
        })
        .collect();
    table::check_section("Ways of dying", &["way", "kind", "finding", "calls", "without"], &rows);
}
