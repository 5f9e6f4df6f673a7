//! Regular expressions: the fields left out, and their positions when they are wrong.

use std::collections::BTreeSet;

use regex_lite::{Regex, RegexBuilder};

use super::Resolver;
use super::names::base_name;
use crate::scope::diagnostic::{Span, nearest};
use crate::scope::expr::leading;
use crate::scope::read::FileText;

/// The longest pattern, and the most memory of a compiled one. A few characters can take much:
/// `\pL{1000}`.
const MOST_BYTES: usize = 4096;
const MOST_COMPILED: usize = 1 << 20;

impl Resolver<'_> {
    /// The fields that `omit_fields` leaves out, as (class, field).
    pub(super) fn omitted(&mut self) -> BTreeSet<(String, String)> {
        let Some(text) = &self.scope.omit_fields else { return BTreeSet::new() };
        let Some(pattern) = self.regex(text, &format!("^(?:{})$", text.value)) else {
            return BTreeSet::new();
        };
        for part in alternatives(&text.value) {
            self.check_alternative(text, part);
        }
        self.fields_matching(&pattern)
    }

    /// Compiles `pattern`, which is the contents of `text` or surrounds them.
    pub(super) fn regex(&mut self, text: &FileText, pattern: &str) -> Option<Regex> {
        if text.value.len() > MOST_BYTES {
            let n = text.value.len();
            let message = format!("the pattern has {n} bytes; more than {MOST_BYTES} are refused");
            self.problem(text.inside(), message, None);
            return None;
        }
        let compile = |pattern| RegexBuilder::new(pattern).size_limit(MOST_COMPILED).build();
        match compile(&text.value).and_then(|_| compile(pattern)) {
            Ok(regex) => Some(regex),
            Err(error) => {
                // The library does not report the place of a mistake.
                let mut parts = alternatives(&text.value).into_iter();
                let wrong = parts.find(|part| compile(&text.value[part.clone()]).is_err());
                let place = wrong.map_or_else(|| text.inside(), |part| text.at(part));
                self.problem(place, format!("bad regular expression: {error}"), None);
                None
            }
        }
    }

    fn fields_matching(&self, pattern: &Regex) -> BTreeSet<(String, String)> {
        let mut matching = BTreeSet::new();
        for class in self.schema.classes() {
            let name = class.key.name;
            for field in &class.fields {
                let full = [name, base_name(name)].map(|class| format!("{class}.{}", field.name));
                if pattern.is_match(field.name) || full.iter().any(|full| pattern.is_match(full)) {
                    matching.insert((name.to_owned(), field.name.to_owned()));
                }
            }
        }
        matching
    }

    /// A part that matches no field is wrong if it looks like a misspelled field; otherwise it may
    /// be meant for other versions of the type.
    fn check_alternative(&mut self, text: &FileText, part: Span) {
        let pattern = &text.value[part.clone()];
        let is_used = match Regex::new(&format!("^(?:{pattern})$")) {
            Ok(regex) => !self.fields_matching(&regex).is_empty(),
            Err(_) => true,
        };
        if is_used {
            return;
        }
        let message = format!("`{pattern}` matches no field");
        let span = text.at(part);
        match self.near_field(pattern) {
            Some(near) => self.problem(span, message, Some(format!("did you mean `{near}`?"))),
            None => self.warnings.push(self.file.source.warning(span, message)),
        }
    }

    fn near_field(&self, pattern: &str) -> Option<String> {
        let is_name =
            leading(pattern, |char| char.is_alphanumeric() || "_.".contains(char)) == pattern;
        let classes = self.schema.classes().iter();
        let names: Vec<String> = classes
            .flat_map(|class| class.fields.iter().map(move |field| (class, field.name)))
            .map(|(class, field)| match pattern.contains('.') {
                true => format!("{}.{field}", base_name(class.key.name)),
                false => field.to_owned(),
            })
            .collect();
        let near = nearest(pattern, names.iter().map(String::as_str));
        near.filter(|_| is_name).map(str::to_owned)
    }
}

/// The places of the alternatives at the top of a pattern. A bar may also be in a group, in a
/// character class, or after a backslash.
fn alternatives(pattern: &str) -> Vec<Span> {
    let (mut parts, mut start) = (Vec::new(), 0);
    let (mut n_groups, mut class_start) = (0_u32, None);
    let mut chars = pattern.char_indices();
    while let Some((at, char)) = chars.next() {
        match (char, class_start) {
            ('\\', _) => drop(chars.next()),
            // The first character of a class may be its bracket.
            (']', Some(first)) if at > first => class_start = None,
            (_, Some(_)) => {}
            ('[', None) => {
                let negation = usize::from(pattern[at + 1..].starts_with('^'));
                class_start = Some(at + 1 + negation);
            }
            ('(', None) => n_groups += 1,
            (')', None) => n_groups = n_groups.saturating_sub(1),
            ('|', None) if n_groups == 0 => {
                parts.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(start..pattern.len());
    parts
}

#[cfg(test)]
mod tests {
    use regex_syntax::ast::{Ast, parse::Parser};

    use super::*;

    /// The result of the large library's parser.
    fn by_library(pattern: &str) -> Option<Vec<Span>> {
        let place = |ast: &Ast| ast.span().start.offset..ast.span().end.offset;
        Some(match &Parser::new().parse(pattern).ok()? {
            Ast::Alternation(parts) => parts.asts.iter().map(place).collect(),
            _ => std::iter::once(0..pattern.len()).collect(),
        })
    }

    #[test]
    fn alternatives_are_those_of_the_library() {
        let parts = ["a", "|", "(", ")", "[", "]", "^", "\\", "-", "é", "+"];
        let mut rng = fastrand::Rng::with_seed(1);
        let mut n_compared = 0;
        for _ in 0..50_000 {
            let pattern: String =
                (0..rng.usize(..9)).map(|_| parts[rng.usize(..parts.len())]).collect();
            // The library that matches does not support classes in classes.
            let has_nested = pattern.matches('[').count() > 1;
            if let Some(expected) = by_library(&pattern)
                && !has_nested
            {
                assert_eq!(alternatives(&pattern), expected, "{pattern}");
                n_compared += usize::from(expected.len() > 1);
            }
        }
        assert!(n_compared > 1_000, "{n_compared}");
    }
}
