//! The names of a package's suites, read from its sources, so that `init` builds nothing. Suites
//! that macros of the package write are not found. If there are no others, the tests are built and
//! list them.

use std::fs;
use std::path::Path;

/// The names in all sources of the package in this directory, in order.
pub(crate) fn suites(package: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for sources in ["src", "tests"] {
        collect(&package.join(sources), &mut names);
    }
    names.sort();
    names.dedup();
    names
}

fn collect(dir: &Path, names: &mut Vec<String>) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, names);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            names_in(&fs::read_to_string(&path).unwrap_or_default(), names);
        }
    }
}

/// Adds the names of the suites in a source.
fn names_in(source: &str, names: &mut Vec<String>) {
    let code: Vec<&str> = source.lines().map(without_comment).collect();
    let code = code.join("\n");
    for (at, _) in code.match_indices("beget::api") {
        names.extend(of_block(&code[at + "beget::api".len()..]));
    }
    for (at, _) in code.match_indices("suite!") {
        names.extend(of_declaration(&code[at + "suite!".len()..]));
    }
}

fn without_comment(line: &str) -> &str {
    line.split_once("//").map_or(line, |(code, _)| code)
}

/// The name of the suite whose attribute ends here: its option `name`, or the type of the block. A
/// further block of a type has none.
fn of_block(rest: &str) -> Option<String> {
    let (attribute, block) = rest.split_once("impl")?;
    if attribute.contains("fn ") || attribute.contains("part =") {
        return None;
    }
    named(attribute).or_else(|| {
        let header = block.split(['{', ';']).next()?;
        let ty = behind_parameters(header).split('<').next()?;
        identifier(ty.trim().rsplit("::").next()?)
    })
}

/// The name of a suite that `suite!` declares.
fn of_declaration(rest: &str) -> Option<String> {
    let (before, declared) = rest.split_once("suite ")?;
    match named(before) {
        Some(name) => Some(name),
        None => identifier(declared.trim_start()),
    }
}

/// The text behind `name =`.
fn named(attributes: &str) -> Option<String> {
    let (_, value) = attributes.rsplit_once("name")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start().strip_prefix('"')?;
    value.split_once('"').map(|(name, _)| name.to_owned())
}

/// The text after the parameters of an impl block.
fn behind_parameters(header: &str) -> &str {
    if !header.trim_start().starts_with('<') {
        return header;
    }
    let mut depth = 0;
    for (at, letter) in header.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' if depth == 1 => return &header[at + 1..],
            '>' => depth -= 1,
            _ => {}
        }
    }
    header
}

fn identifier(text: &str) -> Option<String> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let name: String = text.chars().take_while(|&letter| is_part(letter)).collect();
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str) -> Vec<String> {
        let mut names = Vec::new();
        names_in(source, &mut names);
        names
    }

    #[test]
    fn suites_are_found_by_their_attributes_and_declarations() {
        let source = r#"
            #[cfg_attr(test, beget::api)]
            impl Stack { fn new() -> Self; }
            #[beget::api(name = "docs::ring")]
            impl crate::Ring<u8> {}
            #[beget::api(part = 2)]
            impl Stack {}
            #[beget::api]
            impl<T: Into<Vec<u8>>> queue::Queue<T> {}
            beget::suite! {
                /// Arenas.
                pub suite Arenas { for Arena {} }
            }
            suite! { #[name = "models"] suite Models for Model {} }
            // #[beget::api]
            // impl Commented {}
        "#;
        let expected = ["Stack", "docs::ring", "Queue", "Arenas", "models"];
        assert_eq!(found(source), expected);
    }
}
