//! The help of each command, as it stands.

use crate::common;

use common::run_beget;

#[track_caller]
fn check(name: &str, arguments: &str) {
    let ended = run_beget(arguments);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    insta::assert_snapshot!(name, ended.stdout);
}

const COMMANDS: [&str; 19] = [
    "",
    "list",
    "generate",
    "estimate",
    "builders",
    "repok",
    "compare",
    "check",
    "random",
    "evolve",
    "call",
    "diff",
    "emit",
    "show",
    "report",
    "explore",
    "verify",
    "init",
    "completions",
];

#[test]
fn the_short_help_of_each_command_is_as_reviewed() {
    for command in COMMANDS {
        check(&format!("short_{command}"), &format!("{command} -h"));
    }
}

#[test]
fn the_long_help_of_each_command_is_as_reviewed() {
    for command in COMMANDS {
        check(&format!("long_{command}"), &format!("{command} --help"));
    }
}

#[test]
fn shells_and_the_manual_know_every_command() {
    for page in ["completions bash", "completions zsh", "completions fish", "man"] {
        let ended = run_beget(page);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        for command in COMMANDS.into_iter().filter(|command| !command.is_empty()) {
            assert!(ended.stdout.contains(command), "{page}: {command}");
        }
    }
}

#[test]
fn the_version_is_the_package_s() {
    let version = concat!("beget ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(run_beget("--version").stdout, version);
}
