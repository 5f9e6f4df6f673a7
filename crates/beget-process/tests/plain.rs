//! Values and settings that need no allocator of beget: this program has not installed it.
#![cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]
#![allow(
    clippy::disallowed_methods,
    reason = "the limits of a process are in a file of the system"
)]

use std::sync::atomic::Ordering::SeqCst;

use beget_process::alloc::{
    AddressAnchors, BlockKind, BlockPlace, ByteMask, CheckedMemory, SHARED_WORDS, can_track,
    forbid_core_files, is_exit_taken, is_installed, share,
};
use beget_process::guard::{
    CurrentCall, are_ends_noticed, current_calls, guarded, mark_end_of_process, outlive_ends,
    outlives_ends, show_panics, tell_ends,
};

fn anchors(program: u64, mapped: u64) -> AddressAnchors {
    let both = u128::from(program) | u128::from(mapped) << 64;
    AddressAnchors::from_bytes(both.to_le_bytes())
}

#[test]
fn anchors_are_the_same_after_a_message() {
    let bytes: [u8; 16] = std::array::from_fn(|index| index as u8 + 1);
    assert_eq!(AddressAnchors::from_bytes(bytes).to_bytes(), bytes);
    let here = AddressAnchors::here();
    assert_eq!(AddressAnchors::from_bytes(here.to_bytes()), here);
    assert_ne!(here, anchors(0, 0));
}

#[test]
fn processes_are_apart_if_both_parts_are() {
    let (near, far) = (0x5601_2233_4000, 0x5555_7788_9000);
    let one = anchors(near, near);
    assert!(one.are_apart(anchors(far, far)));
    assert!(!one.are_apart(anchors(near, far)));
    assert!(!one.are_apart(anchors(far, near)));
}

#[test]
fn distrusted_bytes_are_counted_over_all_kinds_of_blocks() {
    let kind = |size| BlockKind { place: BlockPlace::Deeper, size, align: 8 };
    let mut mask = ByteMask::default();
    assert_eq!((mask.len(), mask.is_empty()), (0, true));
    let added = [(8, 1), (8, 2), (16, 1), (8, 2)].map(|(size, at)| mask.insert(kind(size), at));
    assert_eq!(added, [true, true, true, false]);
    assert_eq!((mask.len(), mask.is_empty()), (3, false));
    assert!(mask.contains(kind(16), 1) && !mask.contains(kind(16), 2));
}

#[test]
fn blocks_that_something_holds_are_no_leak() {
    let memory = |live_blocks, are_held| {
        let checked = CheckedMemory { live_blocks, are_held, ..CheckedMemory::default() };
        (checked.is_sound(), checked.has_leak())
    };
    assert_eq!(memory(0, false), (true, false));
    assert_eq!(memory(2, true), (false, false));
    assert_eq!(memory(2, false), (false, true));
}

#[test]
fn shared_words_are_those_of_the_file() {
    let path = std::env::temp_dir().join(format!("beget-shared-{}", std::process::id()));
    let mut options = std::fs::OpenOptions::new();
    let file = options.read(true).write(true).create_new(true).open(&path).unwrap();
    let words = share(&file).expect("the system maps files");
    assert_eq!(std::fs::metadata(&path).unwrap().len(), 4 * SHARED_WORDS as u64);
    words[0].store(7, SeqCst);
    words[SHARED_WORDS - 1].store(9, SeqCst);
    let bytes = std::fs::read(&path).unwrap();
    let read = |index: usize| u32::from_ne_bytes(bytes[4 * index..][..4].try_into().unwrap());
    assert_eq!([read(0), read(1), read(SHARED_WORDS - 1)], [7, 0, 9]);
    // A longer file stays as long, and another mapping has the same words.
    file.set_len(1000).unwrap();
    let again = share(&file).expect("the system maps files");
    assert_eq!(again[0].load(SeqCst), 7);
    assert_eq!(std::fs::metadata(&path).unwrap().len(), 1000);
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_process_without_core_files_stays_so() {
    forbid_core_files();
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap();
    let cores = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
    let numbers: Vec<_> = cores.split_whitespace().skip(4).take(2).collect();
    assert_eq!(numbers, ["0", "0"]);
}

#[test]
fn an_end_is_reported_for_the_run_that_noted_it() {
    const RUN: usize = 70_001;
    let call = CurrentCall::on_this_thread(RUN);
    let ends = || current_calls().iter().filter(|call| call.run == RUN).count();
    tell_ends(RUN);
    assert_eq!(ends(), 1);
    assert!(mark_end_of_process());
    tell_ends(RUN + 1);
    assert_eq!(ends(), 1);
    tell_ends(RUN);
    assert_eq!(ends(), 0);
    drop(call);
}

#[test]
fn threads_outlive_ends_once_that_is_asked_for() {
    let call = CurrentCall::on_this_thread(70_002);
    assert!(!outlives_ends() && call.stop_at_end().is_none());
    outlive_ends();
    assert!(outlives_ends() && are_ends_noticed() && call.stop_at_end().is_some());
}

#[test]
fn without_the_allocator_nothing_is_tracked() {
    assert!(!is_installed());
    assert!(!can_track());
    assert!(!is_exit_taken());
}

#[test]
fn guarded_panics_are_shown_where_that_is_asked_for() {
    const CHILD: &str = "BEGET_TEST_SHOWN_CHILD";
    if std::env::var_os(CHILD).is_some() {
        for (shows, text) in [(false, "first"), (true, "second"), (false, "third")] {
            show_panics(shows);
            assert!(guarded(|| panic!("{text}")).is_err());
        }
        return;
    }
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "guarded_panics_are_shown_where_that_is_asked_for"])
        .env(CHILD, "1")
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    let shown = ["first", "second", "third"].map(|text| stderr.contains(text));
    assert!(output.status.success());
    assert_eq!(shown, [false, true, false], "{stderr}");
}
