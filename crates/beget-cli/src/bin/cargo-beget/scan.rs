//! The names of a package's suites, read from its sources, so that `init` builds nothing. Suites
//! that macros of the package write are not found, nor those of a file that is no Rust. If there
//! are no others, the tests are built and list them.

use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{ItemImpl, Lit, Macro, Meta, Token, Type};

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
        if let Ok(mut file) = syn::parse_file(source) {
            self.visit_file_mut(&mut file);
        }
    }
}

/// It changes nothing: the library's other visitor would be one more of its features.
impl VisitMut for SuiteNames {
    fn visit_item_impl_mut(&mut self, block: &mut ItemImpl) {
        let options = block.attrs.iter().find_map(|attribute| api_options(&attribute.meta));
        self.names.extend(options.and_then(|options| name_of_block(block, options)));
        visit_mut::visit_item_impl_mut(self, block);
    }

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        if call.path.segments.last().is_some_and(|last| last.ident == "suite") {
            self.names.extend(declared_name(call.tokens.clone()));
        }
    }
}

/// The options of `beget::api`, also in a `cfg_attr`; `None` for another attribute.
fn api_options(meta: &Meta) -> Option<TokenStream> {
    let list = meta.require_list().ok();
    if meta.path().is_ident("cfg_attr") {
        let all = list?.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()?;
        return all.iter().skip(1).find_map(api_options);
    }
    let is_api = meta.path().segments.last().is_some_and(|last| last.ident == "api");
    is_api.then(|| list.map(|list| list.tokens.clone()).unwrap_or_default())
}

/// The name of the suite of a block: its option `name`, or its type. A further block of a type has
/// none.
fn name_of_block(block: &ItemImpl, options: TokenStream) -> Option<String> {
    let options: Vec<TokenTree> = options.into_iter().collect();
    if options.iter().any(|token| is_word(token, "part")) {
        return None;
    }
    option_name(&options).or_else(|| match &*block.self_ty {
        Type::Path(ty) => Some(ty.path.segments.last()?.ident.to_string()),
        _ => None,
    })
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
        (TokenTree::Punct(sign), TokenTree::Literal(text)) if sign.as_char() == '=' => {
            match Lit::new(text.clone()) {
                Lit::Str(text) => Some(text.value()),
                _ => None,
            }
        }
        _ => None,
    }
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
            #[beget::api(only(name, new), name = "docs::ring")]
            impl crate::Ring<u8> {}
            #[beget::api(part = 2)]
            impl Stack {}
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
        assert_eq!(found(source), ["Stack", "docs::ring", "Queue", "Arenas", "models"]);
    }

    #[test]
    fn a_file_that_is_no_rust_has_none() {
        assert_eq!(found("#[beget::api] impl Stack {"), Vec::<String>::new());
    }
}
