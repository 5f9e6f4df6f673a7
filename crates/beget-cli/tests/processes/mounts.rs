//! Runs on file systems that are full, or may only be read: both are mounted for the tests, in a
//! namespace of their own.
#![cfg(target_os = "linux")]

use crate::common;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use common::{Ended, run_beget};

/// All files that a run leaves in its output directory, by name.
fn output(arguments: &str) -> (BTreeMap<String, Vec<u8>>, Ended) {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let ended = run_beget(&format!("{arguments} -o {}", out.display()));
    let Ok(entries) = std::fs::read_dir(&out) else { return (BTreeMap::new(), ended) };
    let file = |entry: std::fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())
    };
    (entries.map(|entry| file(entry.unwrap())).collect(), ended)
}

/// The end of `script` where the file systems that it mounts are its own, if that is possible here.
fn with_own_mounts(script: &str) -> Option<Ended> {
    let sh = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--mount", "sh", "-c", script]);
        command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"));
        command
    };
    let dir = tempfile::tempdir().unwrap();
    let mount = format!("mount -t tmpfs -o size=64k tmpfs {}", dir.path().display());
    match sh(&mount).output() {
        Ok(output) if output.status.success() => Some(common::ended(sh(script))),
        Ok(output) => {
            eprintln!("skipped, nothing can be mounted here: {output:?}");
            None
        }
        Err(error) => {
            eprintln!("skipped, there is no `unshare` here: {error}");
            None
        }
    }
}

#[test]
fn a_file_system_that_is_full_ends_a_run_with_4_and_what_was_saved_goes_on() {
    let beget = env!("CARGO_BIN_EXE_beget");
    let scope = "../../../scopes/roops/ncl.ron -k 5";
    let (reference, _) = output(&format!("generate {scope}"));
    for way in ["--store disk:", "--checkpoint "] {
        let dir = tempfile::tempdir().unwrap();
        let (tiny, kept) = (dir.path().join("tiny"), dir.path().join("kept"));
        [&tiny, &kept].iter().for_each(|path| std::fs::create_dir(path).unwrap());
        let (tiny, kept) = (tiny.display(), kept.display());
        let script = format!(
            "mount -t tmpfs -o size=32k tmpfs {tiny} || exit 77
             {beget} generate {scope} {way}{tiny}/run
             code=$?
             cp -r {tiny}/run {kept} && exit $code"
        );
        let Some(ended) = with_own_mounts(&script) else { return };
        assert_eq!(ended.code, Some(4), "{way}: {ended:?}");
        assert!(ended.stderr.contains("No space left on device"), "{way}: {}", ended.stderr);
        assert!(ended.stderr.contains("go on with `--resume "), "{way}: {}", ended.stderr);
        assert!(ended.stdout.contains("INCOMPLETE"), "{way}: {}", ended.stdout);
        let resume = format!("generate {scope} --resume {kept}/run");
        let (found, ended) = output(&resume);
        assert!(found == reference, "{way}: {ended:?}");
    }
}

#[test]
fn a_file_system_that_is_read_only_is_said_before_the_run() {
    let beget = env!("CARGO_BIN_EXE_beget");
    let scope = "../../../scopes/roops/ncl.ron -k 3";
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().display();
    for way in ["--store disk:", "--checkpoint ", "--resume "] {
        let script = format!(
            "mount -t tmpfs -o size=1m tmpfs {path} || exit 77
             {beget} generate {scope} --quiet --checkpoint {path}/run > {path}/first || exit 78
             mount -o remount,ro {path} || exit 79
             case '{way}' in --resume*) name=run ;; *) name=other ;; esac
             exec {beget} generate {scope} {way}{path}/$name"
        );
        let Some(ended) = with_own_mounts(&script) else { return };
        // A new place is wrong input; what is saved is there, but the store cannot go on with it.
        let code = if way == "--resume " { 4 } else { 2 };
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(code), ""), "{way}: {ended:?}");
        assert!(ended.stderr.contains("cannot write `"), "{way}: {}", ended.stderr);
        assert!(ended.stderr.contains("Read-only file system"), "{way}: {}", ended.stderr);
    }
}

/// Several processes that save their parts to the same place, which is full before the run ends.
/// They go on in the same mount, once it has room.
#[test]
fn a_file_system_that_is_full_ends_all_processes_and_they_go_on_with_room() {
    let beget = env!("CARGO_BIN_EXE_beget");
    let scope = "../../../scopes/roops/ncl.ron -k 5";
    let (reference, _) = output(&format!("generate {scope}"));
    let dir = tempfile::tempdir().unwrap();
    let (tiny, kept) = (dir.path().join("tiny"), dir.path().join("kept"));
    [&tiny, &kept].iter().for_each(|path| std::fs::create_dir(path).unwrap());
    let (tiny, kept) = (tiny.display(), kept.display());
    let script = format!(
        "mount -t tmpfs -o size=64k tmpfs {tiny} || exit 77
         {beget} generate {scope} --hosts local:2 --checkpoint {tiny}/run; full=$?
         mount -o remount,size=4m {tiny} || exit 78
         {beget} generate {scope} --hosts local:2 --quiet --resume {tiny}/run -o {kept}/out >&2
         echo went on: $?; exit $full"
    );
    let Some(ended) = with_own_mounts(&script) else { return };
    assert_eq!(ended.code, Some(4), "{ended:?}");
    assert!(ended.stderr.contains("No space left on device"), "{ended:?}");
    assert!(ended.stderr.contains("go on with `--resume "), "{ended:?}");
    assert!(ended.stdout.contains("INCOMPLETE"), "{ended:?}");
    assert!(ended.stdout.ends_with("went on: 0\n"), "{ended:?}");
    let file = |name: &String| std::fs::read(dir.path().join("kept/out").join(name)).unwrap();
    assert!(reference.iter().all(|(name, bytes)| file(name) == *bytes));
}

/// The results of a run that do not fit leave nothing, also no temporary directory.
#[test]
fn an_output_that_does_not_fit_leaves_nothing_and_ends_with_4() {
    let beget = env!("CARGO_BIN_EXE_beget");
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().display();
    let script = format!(
        "mount -t tmpfs -o size=64k tmpfs {path} || exit 77
         {beget} generate ../../../scopes/roops/ncl.ron -k 5 -o {path}/out; code=$?
         ls -A {path} | sed 's/^/left: /'; exit $code"
    );
    let Some(ended) = with_own_mounts(&script) else { return };
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(4), ""), "{ended:?}");
    assert!(ended.stderr.contains("No space left on device"), "{ended:?}");
}

/// What was there before stays where a file is replaced that does not fit.
#[test]
fn emitted_tests_that_do_not_fit_leave_the_file_that_was_there() {
    let beget = env!("CARGO_BIN_EXE_beget");
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().display();
    let emit = format!("{beget} emit ../../../scopes/roops/ncl.ron");
    let script = format!(
        "mount -t tmpfs -o size=128k tmpfs {path} || exit 77
         {emit} -k 1 --quiet -o {path}/tests.rs > /dev/null || exit 78
         before=$(cksum < {path}/tests.rs)
         head -c 100k /dev/zero > {path}/filler
         {emit} -k 4 --most 400 --force -o {path}/tests.rs; code=$?
         [ \"$before\" = \"$(cksum < {path}/tests.rs)\" ] || exit 79
         ls -A {path}; exit $code"
    );
    let Some(ended) = with_own_mounts(&script) else { return };
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(4), "filler\ntests.rs\n"), "{ended:?}");
    assert!(ended.stderr.contains("No space left on device"), "{ended:?}");
}

/// A place that may only be read is said before the run, which would be endless here.
#[test]
fn an_output_on_a_read_only_file_system_is_refused_before_the_run() {
    let beget = env!("CARGO_BIN_EXE_beget");
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().display();
    let script = format!(
        "mount -t tmpfs -o size=64k,ro tmpfs {path} || exit 77
         {beget} generate ../../../scopes/roops/ncl.ron -k 40 -o {path}/out"
    );
    let Some(ended) = with_own_mounts(&script) else { return };
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{ended:?}");
    assert!(ended.stderr.contains("/out`: "), "{ended:?}");
    assert!(ended.stderr.contains("read-only"), "{ended:?}");
}
