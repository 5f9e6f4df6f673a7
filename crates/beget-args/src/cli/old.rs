//! Spellings of options that are no more, with the new ones.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// The commands that had these options.
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

/// The same error, which says the new spelling if the option is an old one of a command among
/// `arguments`.
pub fn with_new_spelling(error: clap::Error, arguments: &[String]) -> clap::Error {
    let is_of_command = arguments.iter().any(|word| COMMANDS.contains(&word.as_str()));
    let unknown = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(option)) if error.kind() == ErrorKind::UnknownArgument => option,
        _ => return error,
    };
    let unknown = unknown.split('=').next().unwrap_or_default();
    match new_spelling(unknown).filter(|_| is_of_command) {
        None => error,
        Some(new) => {
            clap::Error::raw(ErrorKind::UnknownArgument, format!("`{unknown}` is now {new}\n"))
        }
    }
}

fn new_spelling(option: &str) -> Option<String> {
    let known = OPTIONS.iter().find(|(old, _)| *old == option);
    let field = FIELDS.iter().find(|(old, _)| *old == option);
    let guided = (option == "--guided").then(|| "`--strategy guided`".to_owned());
    let known = known.map(|(_, new)| (*new).to_owned());
    known.or(guided).or_else(|| {
        field.map(|(_, new)| format!("`{new}` in the file of `--policy`: Policy({new})"))
    })
}
