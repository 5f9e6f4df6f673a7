//! The help of each command, as it stands.

mod common;

use common::run_beget;

#[track_caller]
fn check(name: &str, arguments: &str) {
    let ended = run_beget(arguments);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    insta::assert_snapshot!(name, ended.stdout);
}

#[test]
fn the_short_help_of_each_command_is_as_reviewed() {
    for command in ["", "list", "generate", "show"] {
        check(&format!("short {command}"), &format!("{command} -h"));
    }
}

#[test]
fn the_long_help_of_each_command_is_as_reviewed() {
    for command in ["", "list", "generate", "show"] {
        check(&format!("long {command}"), &format!("{command} --help"));
    }
}

#[test]
fn the_version_is_the_package_s() {
    check("version", "--version");
}
