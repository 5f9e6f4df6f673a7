//! LLVM's counters, in a program that is built with them and in one without.

use std::path::Path;
use std::process::Command;

/// Output of the example, built with these flags and `beget-process` at this level.
fn example(flags: &str, level: u8) -> String {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("counters{level}"));
    let run = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--offline", "--example", "counters", "--target-dir"])
        .arg(&target)
        .arg(format!("--config=profile.dev.package.beget-process.opt-level={level}"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("RUSTFLAGS", flags)
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env("LLVM_PROFILE_FILE", "/dev/null")
        .output()
        .expect("cargo runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).expect("text")
}

#[test]
fn a_branch_not_taken_before_is_seen() {
    let expected = "\
optimised: false
before a reset: more
again: no more, another branch: more
counted: regions
covered at most all: true
";
    assert_eq!(example("-C instrument-coverage", 0), expected);
}

#[test]
fn a_program_without_counters_says_so() {
    assert_eq!(example("", 1), "optimised: true\nno counters\n");
}
