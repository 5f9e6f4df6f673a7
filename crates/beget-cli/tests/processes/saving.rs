//! Runs on disk and runs that go on: the same bytes as in memory, whatever has happened between.
#![cfg(unix)]

use crate::common;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use common::{Ended, ended, of_program, program, run, run_beget};

/// All files that a run leaves in its output directory, by name.
fn output(run: fn(&str) -> Ended, arguments: &str) -> (BTreeMap<String, Vec<u8>>, Ended) {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let ended = run(&format!("{arguments} -o {}", out.display()));
    let Ok(entries) = std::fs::read_dir(&out) else { return (BTreeMap::new(), ended) };
    let file = |entry: std::fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())
    };
    (entries.map(|entry| file(entry.unwrap())).collect(), ended)
}

/// Makes a run in every way that has files, and reads it from there: all leave what it leaves in
/// memory. The directory has the files in `disk` and `recorded`.
#[track_caller]
fn by_all_ways(run: fn(&str) -> Ended, arguments: &str) -> tempfile::TempDir {
    let (reference, memory) = output(run, arguments);
    assert!(reference.contains_key("summary.json"), "{memory:?}");
    let dir = tempfile::tempdir().unwrap();
    let (disk, recorded) = (dir.path().join("disk"), dir.path().join("recorded"));
    for way in [
        format!("--store disk:{}", disk.display()),
        format!("--checkpoint {} --threads 2", recorded.display()),
        // What is complete is read.
        format!("--resume {}", disk.display()),
        format!("--resume {} --threads 1", recorded.display()),
    ] {
        let (found, ended) = output(run, &format!("{arguments} {way}"));
        assert!(found == reference, "{arguments} {way}: {ended:?}");
        assert_eq!(ended.code, memory.code, "{arguments} {way}");
    }
    dir
}

#[track_caller]
fn is_the_same_on_disk(run: fn(&str) -> Ended, arguments: &str) {
    by_all_ways(run, arguments);
}

#[test]
fn a_run_on_disk_leaves_what_one_in_memory_does() {
    is_the_same_on_disk(run, "generate scopes/tree-all.ron -k 4");
    is_the_same_on_disk(run, "generate scopes/tree-slack.ron");
    is_the_same_on_disk(run, "generate scopes/tally.ron");
    for scope in ["roops/ncl", "korat/fibheap", "ours/skewheap", "kiasan/disjsets"] {
        is_the_same_on_disk(run_beget, &format!("generate ../../../scopes/{scope}.ron -k 3"));
    }
}

#[test]
fn budgets_cut_a_run_on_disk_where_they_cut_one_in_memory() {
    for (run, scope) in [
        (run as fn(&str) -> Ended, "scopes/tree-all.ron -k 4"),
        (run_beget, "../../../scopes/ours/skewheap.ron -k 4"),
    ] {
        for budget in
            ["--max-structures 7", "--max-structures 60", "--max-calls 100", "--max-levels 3"]
        {
            is_the_same_on_disk(run, &format!("generate {scope} {budget}"));
        }
    }
}

#[test]
fn a_run_that_was_cut_goes_on_to_the_same_end() {
    let scope = "../../../scopes/ours/skewheap.ron -k 4";
    let (reference, _) = output(run_beget, &format!("generate {scope}"));
    for way in ["--store disk:", "--checkpoint "] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("run");
        let first = run_beget(&format!("generate {scope} --max-calls 10 {way}{}", path.display()));
        assert_eq!(first.code, Some(3), "{first:?}");
        let resume = format!("generate {scope} --resume {}", path.display());
        for most in [40, 200, 1000] {
            let cut = run_beget(&format!("{resume} --max-calls {most}"));
            assert_eq!(cut.code, Some(3), "{cut:?}");
        }
        let (found, ended) = output(run_beget, &resume);
        assert!(found == reference, "{way}: {ended:?}");
    }
}

/// Kills runs again and again, each time at another moment, until one comes to its end.
#[track_caller]
fn survives_kills(way: &str) {
    let scope = "../../../scopes/roops/ncl.ron -k 5 --checkpoint-minutes 0 --summary json --quiet";
    let beget = Path::new(env!("CARGO_BIN_EXE_beget"));
    let digest = |text: &str| {
        let summary: serde_json::Value = serde_json::from_str(text).expect("one JSON object");
        let fields = ["complete", "digest", "generated", "explored", "kept", "levels", "findings"];
        fields.map(|field| summary[field].clone())
    };
    let reference = digest(&run_beget(&format!("generate {scope}")).stdout);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run");
    let mut n_kills = 0_u64;
    loop {
        let resumes = path.join("manifest").exists();
        let saving = if resumes { "--resume " } else { way };
        let mut command =
            of_program(beget, &format!("generate {scope} {saving}{}", path.display()));
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        std::thread::sleep(Duration::from_millis(2 + 7 * n_kills));
        // That it is over already is fine.
        let _ = child.kill();
        let ended = child.wait_with_output().unwrap();
        if ended.status.success() {
            assert_eq!(digest(&String::from_utf8(ended.stdout).unwrap()), reference);
            assert!(n_kills > 0, "nothing was killed");
            return;
        }
        let stderr = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), None, "killed, not ended: {stderr}");
        n_kills += 1;
    }
}

#[test]
fn a_run_on_disk_survives_kills() {
    survives_kills("--store disk:");
}

#[test]
fn a_run_that_is_written_down_survives_kills() {
    survives_kills("--checkpoint ");
}

#[test]
fn another_run_is_not_gone_on_with() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run");
    let path = path.display();
    let first = run(&format!("generate scopes/tree.ron --checkpoint {path}"));
    assert_eq!(first.code, Some(0), "{first:?}");
    for (arguments, says) in [
        ("scopes/tree.ron -k 2", "k was"),
        ("scopes/tree-all.ron", "is another one: "),
        ("scopes/counter.ron", "suite was\n  tree\nand is\n  counter"),
        ("scopes/tree.ron --methods new", "method `"),
    ] {
        let ended = run(&format!("generate {arguments} --resume {path}"));
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.stderr.contains(says), "{arguments}: {}", ended.stderr);
    }
    for (arguments, code, says) in [
        (format!("--checkpoint {path}"), 2, "holds a run: go on with `--resume`"),
        (format!("--store disk:{path}"), 2, "holds a run: go on with `--resume`"),
        (format!("--resume {path}/none"), 2, "holds no saved run"),
        (format!("--resume {path} --store disk:{path}2"), 2, "leave --store out"),
        (format!("--store disk:{path}3 --checkpoint {path}4"), 2, "leave --checkpoint out"),
        (format!("--checkpoint {path}5 --no-state-matching"), 2, "without state matching"),
        (format!("--store disk:{}", dir.path().display()), 2, "is not empty"),
    ] {
        let ended = run(&format!("generate scopes/tree.ron {arguments}"));
        assert_eq!(ended.code, Some(code), "{ended:?}");
        assert!(ended.stderr.contains(says), "{arguments}: {}", ended.stderr);
    }
}

/// The same program with another build ID is another build, as one whose methods changed. Without
/// a build ID, so is one with a byte more.
#[test]
fn a_run_of_another_build_is_not_gone_on_with() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run");
    let path = path.display();
    let cut = run(&format!("generate scopes/tree.ron --checkpoint {path} --max-calls 20"));
    assert_eq!(cut.code, Some(3), "{cut:?}");
    let other = dir.path().join("other");
    let mut bytes = std::fs::read(program()).unwrap();
    // What stands before the build ID: the type of the note, and its owner.
    let head = b"\x03\0\0\0GNU\0";
    match bytes.windows(head.len()).position(|window| window == head) {
        Some(at) => bytes[at + head.len()] ^= 1,
        None => bytes.push(0),
    }
    std::fs::write(&other, bytes).unwrap();
    std::fs::set_permissions(&other, std::fs::metadata(program()).unwrap().permissions()).unwrap();
    let resume = format!("generate scopes/tree.ron --resume {path}");
    let ended = ended(of_program(&other, &resume));
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.stderr.contains("was made by another build of this program"), "{ended:?}");
    let gone_on = run(&resume);
    assert_eq!(gone_on.code, Some(0), "{gone_on:?}");
    let whole = run("generate scopes/tree.ron");
    let digest = whole.stdout.lines().find(|line| line.starts_with("digest")).unwrap();
    assert!(gone_on.stdout.contains(digest), "{}", gone_on.stdout);
}

#[test]
fn what_is_damaged_is_said_and_ends_with_4() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run");
    let made = run(&format!("generate scopes/tree.ron --store disk:{}", path.display()));
    assert_eq!(made.code, Some(0), "{made:?}");
    let resume = format!("generate scopes/tree.ron --resume {}", path.display());
    for name in ["manifest", "segment-0", "segment-1"] {
        let file = path.join(name);
        let whole = std::fs::read(&file).unwrap();
        let mut changed = whole.clone();
        changed[whole.len() / 2] ^= 4;
        for bytes in [&changed, &whole[..whole.len() / 2].to_vec(), &Vec::new()] {
            std::fs::write(&file, bytes).unwrap();
            // All that was saved is read.
            let (written, ended) = output(run, &resume);
            assert_eq!(ended.code, Some(4), "{name}: {ended:?}");
            assert!(written.is_empty(), "{name}: {ended:?}");
            assert!(ended.stderr.contains(name), "{name}: {}", ended.stderr);
            assert!(ended.stderr.contains("damaged"), "{name}: {}", ended.stderr);
        }
        std::fs::write(&file, &whole).unwrap();
    }
    assert_eq!(output(run, &resume).1.code, Some(0));
}

#[test]
fn a_directory_in_use_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run");
    let made = run(&format!("generate scopes/tree.ron --store disk:{}", path.display()));
    assert_eq!(made.code, Some(0), "{made:?}");
    let lock = std::fs::File::open(path.join("lock")).unwrap();
    lock.lock().unwrap();
    let ended = run(&format!("generate scopes/tree.ron --resume {}", path.display()));
    assert_eq!(ended.code, Some(4), "{ended:?}");
    assert!(ended.stderr.contains("is used by another process"), "{}", ended.stderr);
}

/// A run whose files must not grow beyond `blocks` of 512 bytes: what a full disk does.
fn with_small_files(blocks: u32, arguments: &str) -> Ended {
    let beget = env!("CARGO_BIN_EXE_beget");
    // Without the trap the signal would end the process.
    let line = format!("trap '' XFSZ; ulimit -f {blocks}; exec {beget} {arguments}");
    let mut command = Command::new("sh");
    command.arg("-c").arg(line).current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"));
    common::ended(command)
}

#[test]
fn a_full_disk_ends_a_run_with_4_and_what_was_saved_goes_on() {
    let scope = "../../../scopes/roops/ncl.ron -k 5";
    let (reference, _) = output(run_beget, &format!("generate {scope}"));
    for way in ["--store disk:", "--checkpoint "] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("run");
        let ended = with_small_files(8, &format!("generate {scope} {way}{}", path.display()));
        assert_eq!(ended.code, Some(4), "{way}: {ended:?}");
        assert!(ended.stderr.contains("cannot write `"), "{way}: {}", ended.stderr);
        assert!(ended.stderr.contains("go on with `--resume "), "{way}: {}", ended.stderr);
        assert!(ended.stdout.contains("INCOMPLETE"), "{way}: {}", ended.stdout);
        let (found, ended) =
            output(run_beget, &format!("generate {scope} --resume {}", path.display()));
        assert!(found == reference, "{way}: {ended:?}");
    }
}

#[test]
fn a_place_that_cannot_be_written_to_is_said_before_the_run() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("file"), "").unwrap();
    let path = dir.path().join("file/run");
    for way in ["--store disk:", "--checkpoint "] {
        let ended = run(&format!("generate scopes/tree.ron {way}{}", path.display()));
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.stderr.contains("cannot write `"), "{}", ended.stderr);
        assert_eq!(ended.stdout, "");
    }
}

#[test]
fn whatever_reads_a_run_reads_it_from_disk() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run");
    let made = run(&format!("generate scopes/tree.ron --store disk:{}", path.display()));
    assert_eq!(made.code, Some(0), "{made:?}");
    let resume = format!("--resume {}", path.display());
    for command in ["show scopes/tree.ron --id 5", "show scopes/tree.ron --gallery 4"] {
        let (memory, disk) = (run(command), run(&format!("{command} {resume} --quiet")));
        assert_eq!((memory.code, &memory.stdout), (disk.code, &disk.stdout), "{command}");
    }
    let path = dir.path().join("checked");
    let check = "check scopes/tree.ron";
    let checked = run(check);
    let made = run(&format!("{check} --store disk:{}", path.display()));
    assert_eq!(made.code, checked.code, "{made:?}");
    let resume = format!("--resume {}", path.display());
    let again = run(&format!("{check} {resume} --summary json"));
    assert_eq!(again.code, checked.code, "{again:?}");
    let out = dir.path().join("tests.rs");
    let emit = |saving: &str| {
        let ended = run(&format!("emit scopes/tree.ron --force -o {} {saving}", out.display()));
        assert_eq!(ended.code, Some(0), "{ended:?}");
        std::fs::read_to_string(&out).unwrap()
    };
    assert_eq!(emit(""), emit(&resume));
}

#[track_caller]
fn is_compared_the_same_on_disk(run: fn(&str) -> Ended, arguments: &str, n_slacks: usize) {
    let dir = by_all_ways(run, &format!("compare {arguments}"));
    for name in ["disk", "recorded"] {
        let entries = std::fs::read_dir(dir.path().join(name)).unwrap();
        assert_eq!(entries.count(), n_slacks, "{arguments}");
    }
}

#[test]
fn a_comparison_on_disk_says_what_one_in_memory_does() {
    is_compared_the_same_on_disk(run, "scopes/tree-repok.ron", 1);
    is_compared_the_same_on_disk(run, "scopes/tree-repok.ron --repok published", 3);
    // Structures of two types, of which those of one are compared; and both sides have their own.
    let ncl = "../../../scopes/roops/ncl.ron -k 3 --repok published";
    is_compared_the_same_on_disk(run_beget, &format!("{ncl} --slack 1"), 1);
    is_compared_the_same_on_disk(run_beget, "../../../scopes/kiasan/treeset.ron -k 3", 2);
}

#[test]
fn a_comparison_that_was_cut_goes_on_to_the_same_end() {
    let ncl = "compare ../../../scopes/roops/ncl.ron -k 4 --repok published";
    let (reference, _) = output(run_beget, ncl);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run");
    let cut = run_beget(&format!("{ncl} --max-calls 100 --store disk:{}", path.display()));
    assert!(cut.stdout.contains("INCOMPLETE"), "{cut:?}");
    let (found, ended) = output(run_beget, &format!("{ncl} --resume {}", path.display()));
    assert!(found == reference, "{ended:?}");
}

#[test]
fn what_is_wrong_with_the_directory_of_a_comparison_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let compare = "compare scopes/tree-repok.ron";
    let path = dir.path().join("run");
    let made = run(&format!("{compare} --store disk:{}", path.display()));
    assert_eq!(made.code, Some(0), "{made:?}");
    let path = path.display();
    let none = dir.path().join("none");
    for (arguments, code, says) in [
        (format!("{compare} -k 2 --resume {path}"), 2, "k was"),
        (format!("{compare} --store disk:{path}"), 2, "is not empty"),
        (format!("{compare} --resume {}", none.display()), 2, "holds no saved run"),
        (format!("builders scopes/tree.ron --store disk:{path}2"), 2, "leave `--store disk:DIR`"),
        (format!("builders scopes/tree.ron --resume {path}"), 2, "leave `--store disk:DIR`"),
    ] {
        let ended = run(&arguments);
        assert_eq!(ended.code, Some(code), "{ended:?}");
        assert!(ended.stderr.contains(says), "{arguments}: {}", ended.stderr);
    }
    // The form of a tree of one node.
    let segment = dir.path().join("run/slack-0/segment-1");
    let mut bytes = std::fs::read(&segment).unwrap();
    bytes[1] ^= 1;
    std::fs::write(&segment, bytes).unwrap();
    let ended = run(&format!("{compare} --resume {path}"));
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(4), ""), "{ended:?}");
    assert!(ended.stderr.contains("is damaged"), "{}", ended.stderr);
    assert!(ended.stderr.contains("go on with `--resume "), "{}", ended.stderr);
}
