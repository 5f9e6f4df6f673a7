//! The names of a package's suites, read from its sources, so that `init` builds nothing. Suites
//! that macros of the package write are not found, nor those of a file that is no Rust. If there
//! are no others, the tests are built and list them.

use std::fs;
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The names in all sources of the package in this directory, in order.
pub(crate) fn suites(package: &Path) -> Vec<String> {
    let mut found = SuiteNames::default();
    for sources in ["src", "tests"] {
        found.read_all(&package.join(sources));
    }
    found.names.sort();
    found.names.dedup();
    found.names
}

#[derive(Default)]
struct SuiteNames {
    names: Vec<String>,
}

impl SuiteNames {
    fn read_all(&mut self, dir: &Path) {
        for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                self.read_all(&path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                self.read(&fs::read_to_string(&path).unwrap_or_default());
            }
        }
    }

    fn read(&mut self, source: &str) {
        if let Ok(tokens) = source.parse() {
            self.read_tokens(tokens);
        }
    }

    /// Tokens suffice: an attribute stands before its block, whatever is around both.
    fn read_tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            let TokenTree::Group(group) = token else { continue };
            let before = &tokens[..at];
            if is_attribute(before, group.delimiter()) {
                let options = api_options(group.stream());
                let name = options.and_then(|options| name_of_block(&tokens[at + 1..], &options));
                self.names.extend(name);
            } else if is_call_of_suite(before) {
                self.names.extend(declared_name(group.stream()));
            } else {
                self.read_tokens(group.stream());
            }
        }
    }
}

/// Returns whether brackets behind these tokens are an attribute's.
fn is_attribute(before: &[TokenTree], delimiter: Delimiter) -> bool {
    delimiter == Delimiter::Bracket && before.last().is_some_and(|last| is_sign(last, '#'))
}

/// Returns whether a token behind an attribute can be a part of the next one.
fn is_of_attribute(token: &TokenTree) -> bool {
    let is_bracketed =
        matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket);
    is_bracketed || is_sign(token, '#')
}

/// Returns whether these tokens end with `suite!`.
fn is_call_of_suite(before: &[TokenTree]) -> bool {
    matches!(before, [.., name, sign] if is_word(name, "suite") && is_sign(sign, '!'))
}

/// The options of `beget::api`, also in a `cfg_attr`; `None` for another attribute.
fn api_options(attribute: TokenStream) -> Option<Vec<TokenTree>> {
    let tokens: Vec<TokenTree> = attribute.into_iter().collect();
    let is_of_path =
        |token: &&TokenTree| matches!(token, TokenTree::Ident(_)) || is_sign(token, ':');
    let path = tokens.iter().take_while(is_of_path);
    let last = path.clone().last()?;
    let options = match tokens.get(path.count()) {
        Some(TokenTree::Group(options)) => options.stream().into_iter().collect(),
        _ => Vec::new(),
    };
    if is_word(last, "cfg_attr") {
        let mut attributes = options.split(|token| is_sign(token, ',')).skip(1);
        return attributes.find_map(|one| api_options(one.iter().cloned().collect()));
    }
    is_word(last, "api").then_some(options)
}

/// The name of the suite of the block that begins here: its option `name`, or its type. A further
/// block of a type has none.
fn name_of_block(block: &[TokenTree], options: &[TokenTree]) -> Option<String> {
    if options.iter().any(|token| is_word(token, "part")) {
        return None;
    }
    let at = block.iter().position(|token| !is_of_attribute(token))?;
    if !is_word(&block[at], "impl") {
        return None;
    }
    option_name(options).or_else(|| name_of_type(&block[at + 1..]))
}

/// The last name of a block's type: `Queue` of `<T: Into<u8>> queue::Queue<T> where ... {`.
fn name_of_type(tokens: &[TokenTree]) -> Option<String> {
    let (mut depth, mut name, mut before) = (0_u32, None, ' ');
    for token in tokens {
        match token {
            TokenTree::Punct(sign) => {
                match (sign.as_char(), before) {
                    ('<', _) => depth += 1,
                    // Not the end of `->`.
                    ('>', letter) if letter != '-' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                before = sign.as_char();
                continue;
            }
            TokenTree::Group(body) if body.delimiter() == Delimiter::Brace => break,
            TokenTree::Ident(word) if depth == 0 && word == "where" => break,
            TokenTree::Ident(word) if depth == 0 => name = Some(word.to_string()),
            _ => {}
        }
        before = ' ';
    }
    name
}

/// The name of the suite that `suite!` declares.
fn declared_name(tokens: TokenStream) -> Option<String> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let at = tokens.iter().position(|token| is_word(token, "suite"))?;
    let given = tokens[..at].iter().find_map(|token| match token {
        TokenTree::Group(attribute) => {
            option_name(&attribute.stream().into_iter().collect::<Vec<_>>())
        }
        _ => None,
    });
    given.or_else(|| tokens.get(at + 1).map(TokenTree::to_string))
}

/// The text of `name = "text"`.
fn option_name(tokens: &[TokenTree]) -> Option<String> {
    let at = tokens.iter().position(|token| is_word(token, "name"))?;
    match (tokens.get(at + 1)?, tokens.get(at + 2)?) {
        (sign, TokenTree::Literal(text)) if is_sign(sign, '=') => unquoted(&text.to_string()),
        _ => None,
    }
}

/// The text of a literal, plain or raw. A name of a suite has no escapes.
fn unquoted(literal: &str) -> Option<String> {
    let text = literal.trim_start_matches('r').trim_matches('#');
    Some(text.strip_prefix('"')?.strip_suffix('"')?.to_owned())
}

fn is_sign(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str) -> Vec<String> {
        let mut found = SuiteNames::default();
        found.read(source);
        found.names
    }

    #[test]
    fn suites_are_found_by_their_attributes_and_declarations() {
        let source = r##"
            #[cfg_attr(test, beget::api)]
            impl Stack { fn new() -> Self {} }
            #[beget::api(only(name, new), name = r"docs::ring")]
            impl crate::Ring<u8> {}
            #[beget::api(part = 2)]
            impl Stack {}
            #[cfg_attr(all(test, unix), allow(dead_code), beget::api)]
            #[allow(unused)]
            impl<F: Fn(u8) -> u8> Wrapped<F> where F: Clone {}
            #[beget::apis]
            impl Other {}
            #[web::api]
            fn of_another_crate() {}
            impl Later {}
            #[beget::api]
            impl<T: Into<Vec<u8>>> queue::Queue<T> {}
            #[cfg(test)]
            mod tests {
                beget::suite! {
                    /// Arenas: suite of all.
                    pub suite Arenas { for Arena {} }
                }
                suite! { #[name = "models"] suite Models for Model {} }
            }
            const ADDRESS: &str = "https://example.org"; // #[beget::api]
            const TEXT: &str = "#[beget::api] impl Quoted {}";
            // #[beget::api]
            // impl Commented {}
        "##;
        assert_eq!(found(source), ["Stack", "docs::ring", "Wrapped", "Queue", "Arenas", "models"]);
    }

    #[test]
    fn a_file_that_is_no_rust_has_none() {
        assert_eq!(found("#[beget::api] impl Stack {"), Vec::<String>::new());
    }
}
