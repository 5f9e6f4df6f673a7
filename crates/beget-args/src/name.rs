//! The command that starts this program.

use std::path::Path;
use std::sync::OnceLock;

use crate::cli::{MethodsArg, ScopeArgs, ScopeFileArgs};

/// The name of the program within Cargo.
pub const CARGO: &str = "cargo beget";

static NAME: OnceLock<String> = OnceLock::new();

/// Notes that Cargo runs the program, with these options before the command.
pub fn choose(options: &[String]) {
    let words = options.iter().map(|word| shell_quoted(word));
    let name = std::iter::once(CARGO.to_owned()).chain(words).collect::<Vec<_>>().join(" ");
    let _ = NAME.set(name);
}

/// Returns whether the program is run by Cargo.
pub fn is_cargo() -> bool {
    NAME.get().is_some()
}

/// The words that start the program.
pub fn program() -> String {
    if let Some(name) = NAME.get() {
        return name.clone();
    }
    let program = std::env::args_os().next().unwrap_or_default();
    let name = Path::new(&program).file_stem().unwrap_or_default();
    if name.is_empty() { "beget".to_owned() } else { name.to_string_lossy().into_owned() }
}

/// Returns the command line for `command` on a scope file at `k`, with the methods of the
/// arguments.
pub fn command_on(command: &str, file: &ScopeFileArgs, k: u32) -> String {
    let path = quoted_path(&file.path);
    let methods = match &file.methods {
        None => String::new(),
        Some(MethodsArg::All) => " --methods all".to_owned(),
        Some(MethodsArg::Builders) => " --methods builders".to_owned(),
        Some(MethodsArg::Only(names)) => format!(" --methods {}", names.join(",")),
    };
    format!("{} {command} {path} -k {k}{methods}", program())
}

/// Returns the arguments that widen the scope beyond its file.
pub fn wider_scope(scope: &ScopeArgs) -> String {
    let slack = scope.slack.map(|slack| format!(" --slack {slack}"));
    let repository = scope.repository.as_deref();
    let repository = repository.map(|path| format!(" --repository {}", quoted_path(path)));
    slack.unwrap_or_default() + &repository.unwrap_or_default()
}

/// A path quoted for a shell.
pub fn quoted_path(path: &Path) -> String {
    shell_quoted(&path.to_string_lossy())
}

/// A word quoted for a shell.
pub fn shell_quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-+=:@,".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_a_shell_would_change_are_quoted() {
        assert_eq!(shell_quoted("scopes/tree.ron"), "scopes/tree.ron");
        assert_eq!(shell_quoted("it's here"), r"'it'\''s here'");
    }
}
