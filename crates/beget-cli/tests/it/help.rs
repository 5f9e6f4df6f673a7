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

/// Of `check` the fields of `generate` are listed there.
#[test]
fn the_long_help_names_each_field_of_the_summary() {
    for (command, more) in [
        ("generate", ""),
        ("estimate", ""),
        ("builders", ""),
        ("repok", ""),
        ("compare", ""),
        ("check", ""),
        ("random", "--max-calls 200"),
        ("evolve", "--max-calls 2000"),
        ("call", ""),
    ] {
        let help = long_help(command)
            + &if command == "check" { long_help("generate") } else { String::new() };
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let words: Vec<&str> = help.split(|letter| !is_part(letter)).collect();
        let line = format!("{command} ../../../scopes/roops/ncl.ron -k 2 {more} --summary json");
        let summary: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(&run_beget(&line).stdout).unwrap();
        for field in summary.keys() {
            assert!(words.contains(&field.as_str()), "{command}: {field}");
        }
    }
}

fn long_help(command: &str) -> String {
    run_beget(&format!("{command} --help")).stdout
}

#[test]
fn help_begins_with_a_sentence_and_an_example() {
    for command in COMMANDS {
        let help = long_help(command);
        let paragraphs: Vec<&str> = help.split("\n\n").collect();
        assert!(!paragraphs[0].contains('\n') && paragraphs[0].contains(' '), "{help}");
        let example = paragraphs[1].strip_prefix("Example: ").unwrap_or_else(|| panic!("{help}"));
        let words: Vec<&str> =
            example.strip_prefix("cargo ").unwrap_or(example).split(' ').collect();
        assert!(words[0] == "beget" && (words[1] == command || command.is_empty()), "{help}");
    }
}

#[test]
fn the_commands_are_listed_in_groups() {
    let listed = |line: &str| line.strip_prefix("  ")?.split(' ').next().map(str::to_owned);
    let help = long_help("");
    let (lists, _) = help.split_once("\nOptions:\n").expect("options");
    let (_, lists) = lists.split_once("\nRun:\n").expect("groups");
    let mut names: Vec<String> = lists.lines().filter_map(listed).collect();
    names.sort();
    let mut known: Vec<&str> = COMMANDS.into_iter().chain(["man", "help"]).collect();
    known.retain(|name| !name.is_empty());
    known.sort();
    assert_eq!(names, known);
}

#[test]
fn help_of_options_is_short_and_opens_with_no_clause() {
    const CLAUSES: [&str; 9] =
        ["What", "Whether", "Where", "Which", "Who", "When", "Why", "How", "As"];
    for command in COMMANDS {
        let help = long_help(command);
        let (mut option, mut n_lines) = ("", 0);
        for line in help.lines() {
            let text = line.trim_start();
            let is_described = line.starts_with("          ");
            if !is_described && (text.starts_with('-') || line.starts_with("  <")) {
                (option, n_lines) = (text, 0);
            } else if !is_described && !text.is_empty() || text == "Possible values:" {
                option = "";
            } else if !option.is_empty() && !text.is_empty() && !text.starts_with('[') {
                n_lines += 1;
                assert!(n_lines <= 4, "{command} {option}");
            }
            let opening = text.trim_start_matches("- ").split(' ').next().unwrap_or_default();
            assert!(!CLAUSES.contains(&opening), "{command}: {line}");
        }
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
