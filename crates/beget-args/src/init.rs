//! `cargo beget init`: a first scope file for each suite.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use beget_plan::scope::{OPTIMISED_DEPENDENCIES, ScopeFile, commented_scope};
use beget_suite::Suite;

use crate::cli::InitArgs;
use crate::name;

/// The result of `init`.
#[derive(Debug)]
pub struct FirstScopes {
    /// The files, with the command for each: the result.
    pub text: String,
    /// Advice on the manifest, if it has nothing of the kind.
    pub advice: Option<&'static str>,
}

/// A file cannot be written.
#[derive(Debug)]
pub struct InitError {
    pub path: PathBuf,
    pub source: io::Error,
}

impl Display for InitError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "cannot write `{}`: {}", self.path.display(), self.source)
    }
}

impl Error for InitError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.source)
    }
}

/// Writes a first scope file for each suite of these names, if the package has none for it.
///
/// # Errors
/// A file or its directory cannot be written.
pub fn first_scopes<'n>(
    args: &InitArgs,
    suites: impl Iterator<Item = &'n str>,
    package: &Path,
) -> Result<FirstScopes, InitError> {
    let dir = args.dir.clone().unwrap_or_else(|| package.join("scopes"));
    fs::create_dir_all(&dir).map_err(|source| not_written(&dir, source))?;
    let known = scopes_in(&dir);
    let mut text = String::new();
    for name in suites {
        let known = known.iter().find(|(_, of)| of == name).map(|(path, _)| path.clone());
        let suite = Suite { name: name.to_owned(), ..Suite::default() };
        let (path, what) = match known {
            Some(path) => (path, "kept "),
            None => (write(&dir, name, &commented_scope(&suite))?, "wrote"),
        };
        let path = name::shell_quoted(&shown(&path));
        text += &format!("{what} {path}\n      next: {} check {path}\n", name::program());
    }
    let manifest = fs::read_to_string(package.join("Cargo.toml")).unwrap_or_default();
    let is_advised = !manifest.contains("[profile.dev.package");
    Ok(FirstScopes { text, advice: is_advised.then_some(OPTIMISED_DEPENDENCIES) })
}

/// The scope files of a directory, each with the name of its suite.
fn scopes_in(dir: &Path) -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let suite_of = |path: PathBuf| {
        let text = fs::read_to_string(&path).ok()?;
        let file = ScopeFile::parse(&path.to_string_lossy(), &text).ok()?;
        Some((path, file.suite_name().to_owned()))
    };
    paths.into_iter().filter_map(suite_of).collect()
}

/// Writes the text of a suite's scope to a new file.
fn write(dir: &Path, suite: &str, text: &str) -> Result<PathBuf, InitError> {
    let base = file_name(suite);
    let names = std::iter::once(base.clone()).chain((2..).map(|n| format!("{base}_{n}")));
    for name in names {
        let path = dir.join(format!("{name}.ron"));
        match fs::File::create_new(&path) {
            Ok(mut file) => {
                let written = file.write_all(text.as_bytes());
                written.map_err(|source| not_written(&path, source))?;
                return Ok(path);
            }
            // Another file has the name.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(not_written(&path, error)),
        }
    }
    unreachable!("there is always a next name")
}

fn not_written(path: &Path, source: io::Error) -> InitError {
    InitError { path: path.to_owned(), source }
}

/// The name of a suite as that of a file: `std::RingBuffer` is `std_ring_buffer`.
fn file_name(suite: &str) -> String {
    let mut name = String::new();
    let mut follows_lowercase = false;
    for char in suite.chars() {
        if char.is_uppercase() && follows_lowercase {
            name.push('_');
        }
        follows_lowercase = char.is_lowercase();
        match char.is_alphanumeric() {
            true => name.extend(char.to_lowercase()),
            false if name.is_empty() || name.ends_with('_') => {}
            false => name.push('_'),
        }
    }
    let name = name.trim_end_matches('_');
    if name.is_empty() { "scope".to_owned() } else { name.to_owned() }
}

/// A path as it can be typed here.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let path = path.strip_prefix(here).unwrap_or(path);
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_as_its_suite() {
        for (suite, file) in [
            ("Stack", "stack"),
            ("RingBuffer", "ring_buffer"),
            ("std::queue", "std_queue"),
            ("Map<u8, Key>", "map_u8_key"),
            ("LRU", "lru"),
            ("::", "scope"),
        ] {
            assert_eq!(file_name(suite), file);
        }
    }
}
