//! Runs of several processes that are written down: whoever goes on with them leaves the bytes of
//! one thread.
#![cfg(target_os = "linux")]

use crate::common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use common::processes::{beget, by_file, children_of, is_alive};
use common::{Ended, ended, names_in, of_program};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

const SCOPE: &str = "../../../scopes/ours/skewheap.ron -k 4";

/// A run that is long enough to be killed in its midst.
const LONG: &str = "../../../scopes/roops/ncl.ron -k 6";

/// All files that a run leaves in its output directory, by name.
fn output(options: &str) -> (BTreeMap<String, Vec<u8>>, Ended) {
    output_of(SCOPE, options)
}

fn output_of(scope: &str, options: &str) -> (BTreeMap<String, Vec<u8>>, Ended) {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let line = format!("generate {scope} {options} -o {}", out.display());
    let ended = ended(of_program(&beget(), &line));
    let Ok(entries) = fs::read_dir(&out) else { return (BTreeMap::new(), ended) };
    let file = |entry: fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())
    };
    (entries.map(|entry| file(entry.unwrap())).collect(), ended)
}

fn run(options: &str) -> Ended {
    ended(of_program(&beget(), &format!("generate {SCOPE} {options}")))
}

/// A copy of a directory of directories.
fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

/// What is in the directory of a run that so many processes have saved.
fn names_of(n: usize) -> Vec<String> {
    (0..n).map(|index| format!("part-{index}-of-{n}")).collect()
}

#[test]
fn any_number_of_processes_goes_on_with_what_others_have_saved() {
    goes_on_in_any_number("--checkpoint ");
}

#[test]
fn any_number_of_processes_goes_on_with_what_is_on_the_disks_of_others() {
    goes_on_in_any_number("--store disk:");
}

#[track_caller]
fn goes_on_in_any_number(saved_by: &str) {
    let (reference, _) = output("--threads 1");
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run");
    let cut = run(&format!("--max-calls 2000 --hosts local:3 {saved_by}{}", path.display()));
    assert_eq!(cut.code, Some(3), "{cut:?}");
    for n in 1..5 {
        let own = dir.path().join(format!("of-{n}"));
        copy(&path, &own);
        let (found, ended) = output(&format!("--hosts local:{n} --resume {}", own.display()));
        assert!(found == reference, "{n}: {ended:?}");
        assert_eq!(names_in(&own), names_of(n));
    }
    // From the middle by one, and from the end by two.
    let resume = format!("--resume {}", path.display());
    let (found, ended) = output(&resume);
    assert!(found == reference, "{ended:?}");
    assert!(!names_in(&path).iter().any(|name| name.starts_with("part-")));
    let (found, ended) = output(&format!("--hosts local:2 {resume}"));
    assert!(found == reference, "{ended:?}");
}

#[test]
fn processes_go_on_with_what_one_has_saved() {
    let (reference, _) = output("--threads 1");
    for saved_by in ["--checkpoint ", "--store disk:"] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("run");
        let cut = run(&format!("--max-calls 2000 {saved_by}{}", path.display()));
        assert_eq!(cut.code, Some(3), "{cut:?}");
        let (found, ended) = output(&format!("--hosts local:3 --resume {}", path.display()));
        assert!(found == reference, "{saved_by}: {ended:?}");
        let names = names_in(&path);
        assert!(names.iter().filter(|name| *name != "lock").eq(&names_of(3)), "{names:?}");
    }
}

#[test]
fn each_process_may_have_a_directory_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let paths = [0, 1].map(|process| dir.path().join(format!("machine-{process}")));
    let lines = |way: &str| {
        paths
            .each_ref()
            .map(|path| format!("generate {SCOPE} --summary json {way} {}", path.display()))
    };
    let [cut, resumed] = [lines("--max-calls 2000 --checkpoint"), lines("--resume")];
    let [first, second] = by_file(cut.each_ref().map(String::as_str));
    assert_eq!((first.code, second.code), (Some(3), Some(3)), "{first:?} {second:?}");
    let digest = |ended: &Ended| {
        let summary: serde_json::Value = serde_json::from_str(&ended.stdout).expect("an object");
        let fields = ["complete", "digest", "generated", "explored", "kept", "levels"];
        fields.map(|field| summary[field].clone())
    };
    let [first, second] = by_file(resumed.each_ref().map(String::as_str));
    assert_eq!((first.code, second.code), (Some(0), Some(0)), "{first:?} {second:?}");
    assert_eq!(digest(&first), digest(&run("--summary json")));
    // Who goes on in another number needs all parts.
    let one = run(&format!("--resume {}", paths[0].display()));
    assert_eq!(one.code, Some(2), "{one:?}");
    assert!(one.stderr.contains("part-1-of-2` is not there"), "{one:?}");
}

/// Whom a run loses.
#[derive(Clone, Copy, Debug)]
enum Victim {
    First,
    Other,
}

/// Kills one of `n` processes after some time, if the run has not ended before; how it ended.
fn killed_after(time: Duration, n: usize, victim: Victim, options: &str) -> Ended {
    let line = format!("generate {LONG} --hosts local:{n} --quiet --summary json {options}");
    let mut command = of_program(&beget(), &line);
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("it starts");
    let mut others = Vec::new();
    while others.len() + 1 < n && is_alive(Pid::from_raw(child.id() as i32)) {
        std::thread::sleep(Duration::from_millis(5));
        others = children_of(child.id());
    }
    std::thread::sleep(time);
    let process = match victim {
        Victim::First => Some(Pid::from_raw(child.id() as i32)),
        Victim::Other => others.last().copied(),
    };
    // That it is over already is fine.
    let _ = process.map(|process| kill(process, Signal::SIGKILL));
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).expect("text");
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    Ended { code: output.status.code(), stdout, stderr }
}

#[test]
fn a_run_of_several_processes_survives_kills() {
    survives_kills("--checkpoint ");
}

#[test]
fn a_run_on_the_disks_of_several_processes_survives_kills() {
    survives_kills("--store disk:");
}

#[track_caller]
fn survives_kills(saved_by: &str) {
    let (reference, _) = output_of(LONG, "--threads 1");
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run");
    let mut n_kills = 0;
    loop {
        let is_saved = (1..5)
            .any(|n| names_of(n).iter().all(|part| path.join(part).join("manifest").exists()));
        if !is_saved && path.exists() {
            // What there is of the first moment is of some processes alone.
            fs::remove_dir_all(&path).unwrap();
        }
        let way = if is_saved { "--resume " } else { saved_by };
        let options = format!("--checkpoint-minutes 0.001 {way}{}", path.display());
        let time = Duration::from_millis(30 + 90 * n_kills);
        let victim = if n_kills % 3 == 2 { Victim::First } else { Victim::Other };
        let n = [3, 2, 4, 3, 1][n_kills as usize % 5];
        let ended = killed_after(time, n, victim, &options);
        if ended.code == Some(0) {
            break;
        }
        match (victim, ended.code) {
            (Victim::First, None) => {}
            // Whoever is left says what there is to go on from, once all are connected.
            (Victim::Other, Some(4)) => {
                let left = ["go on with `--resume", "nothing was saved"];
                let is_told = left.iter().any(|left| ended.stderr.contains(left));
                assert!(is_told || !ended.stderr.contains("is lost"), "{ended:?}");
                assert!(ended.stderr.contains("error: "), "{ended:?}");
            }
            _ => panic!("{victim:?} of {n}: {ended:?}"),
        }
        n_kills += 1;
    }
    assert!(n_kills > 0, "nothing was killed");
    let resume = format!("--hosts local:2 --resume {}", path.display());
    let (found, ended) = output_of(LONG, &resume);
    assert!(found == reference, "{ended:?}");
}

#[test]
fn a_process_that_has_saved_once_more_goes_back_to_what_all_have() {
    let (reference, _) = output("--threads 1");
    let dir = tempfile::tempdir().unwrap();
    let [path, before] = ["run", "before"].map(|name| dir.path().join(name));
    let cut = |way: &str| {
        let ended = run(&format!("--hosts local:2 --max-calls 2000 {way} {}", path.display()));
        assert_eq!(ended.code, Some(3), "{ended:?}");
    };
    cut("--checkpoint");
    copy(&path, &before);
    // It has nothing to do but to save.
    cut("--resume");
    let behind = path.join("part-1-of-2");
    fs::remove_dir_all(&behind).unwrap();
    copy(&before.join("part-1-of-2"), &behind);
    let (found, ended) = output(&format!("--hosts local:2 --resume {}", path.display()));
    assert!(found == reference, "{ended:?}");
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let [path, other] = ["run", "other"].map(|name| dir.path().join(name));
    let save = |path: &Path, budget: &str| {
        let ended = run(&format!("--hosts local:2 --checkpoint {} {budget}", path.display()));
        assert_eq!(ended.code, Some(3), "{ended:?}");
    };
    save(&path, "--max-calls 2000");
    save(&other, "--max-calls 3000");
    let resume = format!("--resume {}", path.display());
    for (options, code, says) in [
        (format!("--hosts local:2 --checkpoint {}", path.display()), 2, "holds a run"),
        (format!("--checkpoint {}", path.display()), 2, "holds a run"),
        (format!("--hosts local:2 --store disk:{}", path.display()), 2, "holds a run"),
        (format!("--hosts local:2 {resume} --methods new,insert"), 2, "is another one: method"),
        (format!("{resume} --methods new,insert"), 2, "is another one: method"),
    ] {
        let ended = run(&options);
        assert_eq!(ended.code, Some(code), "{ended:?}");
        assert_eq!(ended.stderr.matches(says).count(), 1, "{options}: {}", ended.stderr);
    }
    // Another moment of the same run, and then no part at all.
    let part = path.join("part-1-of-2");
    fs::remove_dir_all(&part).unwrap();
    copy(&other.join("part-1-of-2"), &part);
    for (options, says) in [
        (format!("--hosts local:2 {resume}"), "no moment that all processes have saved"),
        (format!("--hosts local:3 {resume}"), "do not belong together"),
        (resume.clone(), "do not belong together"),
    ] {
        let ended = run(&options);
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert_eq!(ended.stderr.matches(says).count(), 1, "{options}: {}", ended.stderr);
    }
    fs::remove_dir_all(&part).unwrap();
    for options in [format!("--hosts local:2 {resume}"), resume] {
        let ended = run(&options);
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.stderr.contains("part-1-of-2` is not there"), "{}", ended.stderr);
    }
}

#[test]
fn a_part_that_is_damaged_is_named_and_ends_all_with_4() {
    names_what_is_damaged("--checkpoint ");
}

#[test]
fn a_part_on_disk_that_is_damaged_is_named_and_ends_all_with_4() {
    names_what_is_damaged("--store disk:");
}

#[track_caller]
fn names_what_is_damaged(saved_by: &str) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run");
    let made = run(&format!("--hosts local:2 --max-calls 2000 {saved_by}{}", path.display()));
    assert_eq!(made.code, Some(3), "{made:?}");
    for name in ["manifest", "segment-0", "segment-1"] {
        let file = path.join("part-1-of-2").join(name);
        let whole = fs::read(&file).unwrap();
        let mut changed = whole.clone();
        changed[whole.len() / 2] ^= 4;
        for bytes in [&changed, &whole[..whole.len() / 2].to_vec()] {
            for hosts in ["--hosts local:2", "--hosts local:3", ""] {
                fs::write(&file, bytes).unwrap();
                let (written, ended) = output(&format!("{hosts} --resume {}", path.display()));
                assert_eq!(ended.code, Some(4), "{hosts} {name}: {ended:?}");
                assert!(written.is_empty(), "{hosts} {name}: {ended:?}");
                assert_eq!(ended.stdout, "");
                assert!(ended.stderr.contains(name), "{hosts} {name}: {}", ended.stderr);
                assert!(ended.stderr.contains("damaged"), "{hosts} {name}: {}", ended.stderr);
            }
        }
        fs::write(&file, &whole).unwrap();
    }
    let ended = run(&format!("--hosts local:3 --resume {}", path.display()));
    assert_eq!(ended.code, Some(0), "{ended:?}");
}
