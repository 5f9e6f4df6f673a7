//! Regular expressions: the fields left out, and their positions when they are wrong.

use std::collections::BTreeSet;

use regex_lite::{Regex, RegexBuilder};
use regex_syntax::ast::{Ast, parse::Parser};

use super::Resolver;
use super::names::base_name;
use crate::diagnostic::{Span, nearest};
use crate::expr::leading;
use crate::read::FileText;

/// The longest pattern, and the most memory that it may take when it is compiled. A few characters
/// can ask for much: `\pL{1000}`.
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

    /// Compiles `pattern`, which is the contents of `text` or stands around them.
    pub(super) fn regex(&mut self, text: &FileText, pattern: &str) -> Option<Regex> {
        if text.value.len() > MOST_BYTES {
            let n = text.value.len();
            let message = format!("the pattern has {n} bytes; more than {MOST_BYTES} are refused");
            self.problem(text.inside(), message, None);
            return None;
        }
        // The parser knows the place of a mistake, which the small library that matches does not.
        if let Err(error) = Parser::new().parse(&text.value) {
            let message = format!("bad regular expression: {}", error.kind());
            self.problem(text.at(place(error.span())), message, None);
            return None;
        }
        match RegexBuilder::new(pattern).size_limit(MOST_COMPILED).build() {
            Ok(regex) => Some(regex),
            Err(error) => {
                self.problem(text.inside(), format!("bad regular expression: {error}"), None);
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

    /// A part that matches no field is wrong if it looks like a field's misspelled name; otherwise
    /// it may be meant for other versions of the type.
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

/// The places of the alternatives at the top of a pattern.
fn alternatives(pattern: &str) -> Vec<Span> {
    match Parser::new().parse(pattern) {
        Ok(Ast::Alternation(ref parts)) => {
            parts.asts.iter().map(|part| place(part.span())).collect()
        }
        _ => std::iter::once(0..pattern.len()).collect(),
    }
}

fn place(span: &regex_syntax::ast::Span) -> Span {
    span.start.offset..span.end.offset
}
