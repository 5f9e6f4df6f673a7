//! The help of each command, as it stands.

mod common;

use common::run_beget;

#[track_caller]
fn check(name: &str, arguments: &str) {
    let ended = run_beget(arguments);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    insta::assert_snapshot!(name, ended.stdout);
}

const COMMANDS: [&str; 8] =
    ["", "list", "generate", "builders", "repok", "compare", "check", "show"];

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
fn the_version_is_the_package_s() {
    let version = concat!("beget ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(run_beget("--version").stdout, version);
}
