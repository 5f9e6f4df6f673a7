//! Options that a package sets for its commands, in `[package.metadata.beget.COMMAND]`.
//!
//! Each key is the long name of an option, or `k`: a text or number is its value, a list is joined
//! by commas, `true` gives the option without a value, `false` leaves it out. An option of the
//! command line wins.

use std::ffi::OsString;

use serde_json::{Map, Value};

use crate::error::Error;

/// The arguments, and behind them those options of the package that they do not have.
pub(crate) fn with_defaults(
    metadata: &Value,
    arguments: &[OsString],
) -> Result<Vec<OsString>, Error> {
    let mut all = arguments.to_vec();
    let Some(tables) = metadata.as_object() else { return Ok(all) };
    let wrong = tables.iter().find(|(_, table)| !table.is_object());
    if let Some((key, _)) = wrong {
        return Err(Error::Defaults(format!("`{key}` is no table of a command's options")));
    }
    let table = |argument: &OsString| tables.get(argument.to_str()?)?.as_object();
    let Some(options) = arguments.iter().find_map(table) else { return Ok(all) };
    for option in absent(options, arguments) {
        all.extend(words(option)?);
    }
    Ok(all)
}

fn absent<'o>(
    options: &'o Map<String, Value>,
    arguments: &[OsString],
) -> impl Iterator<Item = (&'o String, &'o Value)> {
    let given: Vec<String> = arguments.iter().map(|it| it.to_string_lossy().into_owned()).collect();
    let is_absent = move |(key, _): &(&String, &Value)| {
        let (flag, value) = (flag(key), format!("{}=", flag(key)));
        !given.iter().any(|argument| {
            *argument == flag
                || argument.starts_with(&value)
                || *key == "k" && argument.starts_with("-k")
        })
    };
    options.iter().filter(is_absent)
}

fn flag(key: &str) -> String {
    if key == "k" { "-k".to_owned() } else { format!("--{key}") }
}

/// An option as words of a command line.
fn words((key, value): (&String, &Value)) -> Result<Vec<OsString>, Error> {
    let one = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let shown = match value {
        Value::Bool(true) => return Ok(vec![flag(key).into()]),
        Value::Bool(false) => return Ok(Vec::new()),
        Value::Array(list) => {
            let list: Option<Vec<String>> = list.iter().map(one).collect();
            list.map(|list| list.join(","))
        }
        value => one(value),
    };
    let shown =
        shown.ok_or_else(|| Error::Defaults(format!("`{key}` has no value of an option")))?;
    Ok(vec![flag(key).into(), shown.into()])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn arguments(metadata: &Value, line: &str) -> Vec<String> {
        let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let all = with_defaults(metadata, &arguments).unwrap();
        all.into_iter().map(|argument| argument.into_string().unwrap()).collect()
    }

    #[test]
    fn options_of_the_package_stand_behind_those_of_the_command_line() {
        let metadata = json!({
            "check": {"all": true, "k": 3, "methods": ["new", "push"], "quiet": false},
            "generate": {"threads": 2},
        });
        let all = arguments(&metadata, "check scopes/stack.ron");
        assert_eq!(all[2..], ["--all", "-k", "3", "--methods", "new,push"]);
        let some = arguments(&metadata, "check scopes/stack.ron -k4 --methods=all");
        assert_eq!(some[4..], ["--all"]);
        assert_eq!(arguments(&metadata, "list"), ["list"]);
        assert_eq!(arguments(&Value::Null, "check a.ron"), ["check", "a.ron"]);
    }

    #[test]
    fn a_value_that_is_no_options_is_refused() {
        for metadata in [json!({"check": {"k": {}}}), json!({"k": 3})] {
            assert!(with_defaults(&metadata, &["check".into()]).is_err(), "{metadata}");
        }
    }
}
