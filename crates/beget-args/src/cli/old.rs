//! Spellings of options that are no more, with the new ones.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// The commands that had [`OPTIONS`] and [`FIELDS`].
const COMMANDS: [&str; 3] = ["random", "evolve", "call"];

/// Options, and what is written in their place.
const OPTIONS: [(&str, &str); 9] = [
    ("--calls", "`--max-calls`"),
    ("--chromosome", "`--policy FILE`: a chromosome is a policy"),
    ("--against", "`--compare SUITE`"),
    ("--record", "`-o FILE.jsonl`"),
    ("--replay", "`--compare FILE.jsonl -o FILE.jsonl`"),
    ("--plot", "`-o FILE.svg`"),
    ("--observe", "`-o FILE.tyche.jsonl`"),
    ("--force", "a name that no other file has: `-o` replaces only files that beget wrote"),
    ("--vary-range", "`vary_range: true` in the file of `--policy`"),
];

/// Options that the other commands had, and what is written in their place.
const RUN_OPTIONS: [(&str, &str); 3] = [
    ("--copies", "`--ways region`, `--ways clone` or `--ways remake`"),
    ("--making", "`--ways decode` or `--ways replay`; with one of copies `--ways clone,replay`"),
    ("--process", "`--hosts FILE#I`"),
];

/// Options that are fields of a policy, with a value of each.
const FIELDS: [(&str, &str); 17] = [
    ("--recorder", "recorder: \"COMMAND\""),
    ("--regressions", "regressions: 30"),
    ("--enrich", "enrich: true"),
    ("--by-calls", "by_calls: true"),
    ("--match", "match: Form"),
    ("--max-length", "max_length: 100"),
    ("--max-objects", "max_objects: 1000"),
    ("--repeat", "repeat: (0.1, 100)"),
    ("--none-ratio", "none_ratio: 0.05"),
    ("--alias-ratio", "alias_ratio: 0.1"),
    ("--ints", "ints: \"0..=99\""),
    ("--constants", "constants: [Paper, Returned]"),
    ("--literals", "literals: {\"*\": \"src/lib.rs\"}"),
    ("--fuzz", "fuzz: 0.1"),
    ("--on-demand", "on_demand: true"),
    ("--swarm", "swarm: 100"),
    ("--prefer-short", "prefer_short: 3"),
];

/// The same error, which says the new spelling if the option is an old one of the command among
/// `arguments`.
pub(super) fn with_new_spelling(error: clap::Error, arguments: &[OsString]) -> clap::Error {
    let is_command = |word: &OsString| COMMANDS.iter().any(|command| word == command);
    let has_policy = arguments.iter().any(is_command);
    let unknown = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(option)) if error.kind() == ErrorKind::UnknownArgument => option,
        _ => return error,
    };
    let unknown = unknown.split('=').next().unwrap_or_default();
    match new_spelling(unknown, has_policy) {
        None => error,
        Some(new) => {
            clap::Error::raw(ErrorKind::UnknownArgument, format!("`{unknown}` is now {new}\n"))
        }
    }
}

fn new_spelling(option: &str, has_policy: bool) -> Option<String> {
    let among = |options: &[(&str, &str)]| {
        options.iter().find(|(old, _)| *old == option).map(|(_, new)| (*new).to_owned())
    };
    if !has_policy {
        return among(&RUN_OPTIONS);
    }
    let guided = (option == "--guided").then(|| "`--strategy guided`".to_owned());
    among(&OPTIONS).or(guided).or_else(|| {
        let new = among(&FIELDS)?;
        Some(format!("`{new}` in the file of `--policy`: Policy({new})"))
    })
}
