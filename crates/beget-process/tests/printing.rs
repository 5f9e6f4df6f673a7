//! Subjects that print, under the test harness's captured output and without.
//!
//! A binary of its own: it starts itself once more.

use std::process::{Command, Output};

use beget_process::alloc::{BuildError, Region, RegionLoss};

beget_process::alloc::install!(unsafe);

const CHILD: &str = "BEGET_ALLOC_PRINTING_CHILD";

/// Calls a printing method until the region is lost or many epochs are over; gives the number of
/// lines printed.
fn print_in_calls(region: &mut Region) -> usize {
    let mut n_lines = 0;
    for _ in 0..300 {
        let mut image = match region.build(|| Ok::<_, ()>(vec![0_u64; 3])) {
            Ok(image) => image,
            Err(BuildError::Region(RegionLoss::Foreign)) => return n_lines,
            Err(error) => panic!("{error:?}"),
        };
        let call = |items: &mut Vec<u64>| {
            println!("line {n_lines} printed in a call");
            items.resize(500, u64::MAX);
        };
        let outcome = image.attempt(call, |_, (), _| ());
        n_lines += 1;
        if outcome == Err(RegionLoss::Foreign) {
            // What an engine does: fresh structures, but the region's memory is used on.
            continue;
        }
        outcome.expect("printing keeps nothing in the region");
    }
    region.check_escape().expect("printing keeps nothing in the region");
    n_lines
}

/// The subject of the tests below; without the variable it has nothing to do.
#[test]
fn child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let mut region = Region::open().expect("the allocator is installed in this binary");
    let n_lines = print_in_calls(&mut region);
    drop(region);
    panic!("{n_lines} lines were printed");
}

fn run_child(harness_flags: &[&str]) -> Output {
    let this = std::env::current_exe().expect("a test has a path");
    let mut command = Command::new(this);
    command.args(["--exact", "child", "--test-threads=2"]).args(harness_flags).env(CHILD, "1");
    command.output().expect("the test starts again")
}

#[track_caller]
fn check_lines(output: &Output) {
    let text = String::from_utf8_lossy(&output.stdout);
    for idx in 0..300 {
        assert!(text.contains(&format!("line {idx} printed in a call\n")), "line {idx}: {text}");
    }
    assert_eq!(output.status.code(), Some(101), "the child ends as a failed test run does");
}

#[test]
fn lines_that_are_captured_stay_intact() {
    check_lines(&run_child(&[]));
}

#[test]
fn lines_that_are_not_captured_stay_intact_and_nothing_is_added() {
    let output = run_child(&["--nocapture"]);
    check_lines(&output);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(!text.contains(" line 0"), "{text}");
    // On the other stream there is the panic alone, from its first byte on.
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.trim_start_matches('\n').starts_with("thread 'child'"), "{text:?}");
}
