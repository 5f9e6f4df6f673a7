//! Reading RON with positions: every value of a file with the bytes that it came from.
//!
//! RON's own parser does the parsing. Values are read level by level as raw values, which borrow
//! from the file, so the place of each is known and a mistake in one does not hide those in the
//! others.

mod seeds;

use std::collections::BTreeSet;

use ron::error::{Error, Position, SpannedError};
use ron::extensions::Extensions;
use ron::value::RawValue;
use serde::de::DeserializeOwned;

use crate::diagnostic::{Diagnostics, SourceText, Span, nearest, suggest};
use crate::expr::leading;
use seeds::{MapEntries, Scalar, StructEntries, VariantContent};

/// The largest file that is read. Those written by hand have some hundred bytes.
const MOST_BYTES: usize = 4 << 20;

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Spanned<T> {
    pub(crate) value: T,
    pub(crate) span: Span,
}

/// A string of the file.
#[derive(Clone, Debug)]
pub(crate) struct FileText {
    pub(crate) value: String,
    /// The literal, quotes included.
    pub(crate) span: Span,
    /// Where its contents start, if they stand in the file as they are, without escapes.
    contents: Option<usize>,
}

impl FileText {
    /// A string that is `span` of its source, without quotes.
    pub(crate) fn bare(value: &str, span: Span) -> Self {
        FileText { value: value.to_owned(), contents: Some(span.start), span }
    }

    /// The place of a part of the contents; of the whole literal if it cannot be told.
    pub(crate) fn at(&self, part: Span) -> Span {
        match self.contents {
            Some(start) => start + part.start..start + part.end,
            None => self.span.clone(),
        }
    }

    /// A part of the contents.
    pub(crate) fn part(&self, part: Span) -> FileText {
        FileText {
            value: self.value[part.clone()].to_owned(),
            span: self.at(part.clone()),
            contents: self.contents.map(|start| start + part.start),
        }
    }

    /// The place of all of the contents.
    pub(crate) fn inside(&self) -> Span {
        self.at(0..self.value.len())
    }
}

/// One element of a list of literals.
#[derive(Clone, Debug)]
pub(crate) enum ListItem {
    Int(i128),
    Float(f64),
    Bool(bool),
    Char(char),
    Text(FileText),
}

/// The values of a parameter or field: a range or the like in a string, or a list.
#[derive(Clone, Debug)]
pub(crate) enum DomainSpec {
    Text(FileText),
    List(Spanned<Vec<Spanned<ListItem>>>),
}

impl DomainSpec {
    pub(crate) fn span(&self) -> Span {
        match self {
            DomainSpec::Text(text) => text.inside(),
            DomainSpec::List(list) => list.span.clone(),
        }
    }
}

/// An integer or an expression.
#[derive(Clone, Debug)]
pub(crate) enum Bound {
    Number(Spanned<i128>),
    Expr(FileText),
}

impl Bound {
    pub(crate) fn span(&self) -> Span {
        match self {
            Bound::Number(number) => number.span.clone(),
            Bound::Expr(text) => text.inside(),
        }
    }
}

/// A part of the file that is valid RON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raw<'t> {
    text: &'t str,
    start: usize,
}

impl Raw<'_> {
    pub(crate) fn span(&self) -> Span {
        self.start..self.start + self.text.len()
    }
}

/// The fields of a struct as they stand in the file.
#[derive(Debug, Default)]
pub(crate) struct Fields<'t> {
    entries: Vec<(&'t str, Raw<'t>)>,
}

impl<'t> Fields<'t> {
    pub(crate) fn get(&self, name: &str) -> Option<Raw<'t>> {
        self.entries.iter().find(|(known, _)| *known == name).map(|&(_, raw)| raw)
    }
}

/// Reads one file, noting each mistake and going on.
pub(crate) struct RonReader<'t> {
    source: &'t SourceText,
    pub(crate) problems: Diagnostics,
}

impl<'t> RonReader<'t> {
    pub(crate) fn new(source: &'t SourceText) -> Self {
        RonReader { source, problems: Diagnostics::default() }
    }

    pub(crate) fn problem(&mut self, span: Span, message: impl Into<String>, help: Option<String>) {
        self.problems.push_with(|| self.source.error(span, message).maybe_help(help));
    }

    /// The struct `name` that is the whole file.
    pub(crate) fn file(&mut self, name: &'static str) -> Option<Fields<'t>> {
        if self.source.text.len() > MOST_BYTES {
            let message = format!("the file has more than {} MiB: refused", MOST_BYTES >> 20);
            self.problem(0..0, message, None);
            return None;
        }
        let entries = options().from_str_seed(&self.source.text, StructEntries(name));
        match entries {
            Ok(entries) => Some(self.without_duplicates(entries)),
            Err(error) => {
                self.syntax_error(&error);
                None
            }
        }
    }

    /// The fields of a nested struct.
    pub(crate) fn fields(&mut self, raw: Raw<'t>, name: &'static str, example: &str) -> Fields<'t> {
        match options().from_str_seed(raw.text, StructEntries(name)) {
            Ok(entries) => self.without_duplicates(entries),
            Err(_) => {
                self.wrong_type::<()>(raw, &format!("a struct such as `{example}`"));
                Fields::default()
            }
        }
    }

    /// Refuses fields that are not `known`.
    pub(crate) fn allow_only(&mut self, fields: &Fields<'t>, known: &[&str]) {
        for &(name, _) in &fields.entries {
            if self.problems.is_full() {
                return;
            }
            if !known.contains(&name) {
                let message = format!("unknown field `{name}`");
                let is_home = |(home, names): &&(&str, &[&str])| {
                    known.contains(home) && names.contains(&name)
                };
                let help = match NESTED.iter().find(is_home) {
                    Some((home, _)) => Some(format!("write `{home}: ({name}: ...)`")),
                    None => suggest(name, known.iter().copied()),
                };
                self.problem(self.span_of(name), message, help);
            }
        }
    }

    /// A field that must be there.
    pub(crate) fn required(
        &mut self,
        fields: &Fields<'t>,
        name: &str,
        example: &str,
    ) -> Option<Raw<'t>> {
        let found = fields.get(name);
        if found.is_none() {
            let help = format!("write `{name}: {example}`");
            self.problem(self.opening(), format!("the field `{name}` is missing"), Some(help));
        }
        found
    }

    /// The name of the struct that is the whole file, or its parenthesis.
    fn opening(&self) -> Span {
        let Ok(whole) = RawValue::from_ron(&self.source.text) else { return 0..1 };
        let whole = self.raw(whole);
        let name = leading(whole.text, char::is_alphanumeric);
        whole.start..whole.start + name.len().max(1)
    }

    /// The elements of a list.
    pub(crate) fn list(&mut self, raw: Raw<'t>, example: &str) -> Option<Vec<Raw<'t>>> {
        match options().from_str::<Vec<&'t RawValue>>(raw.text) {
            Ok(elements) => Some(elements.into_iter().map(|value| self.raw(value)).collect()),
            Err(_) => self.wrong_type(raw, &format!("a list such as `{example}`")),
        }
    }

    /// The entries of a map from strings; a key that comes twice is refused.
    pub(crate) fn map(&mut self, raw: Raw<'t>, example: &str) -> Vec<(FileText, Raw<'t>)> {
        let Ok(entries) = options().from_str::<MapEntries<'t>>(raw.text) else {
            self.wrong_type::<()>(raw, &format!("a map such as `{example}`"));
            return Vec::new();
        };
        let mut read: Vec<(FileText, Raw<'t>)> = Vec::new();
        let mut known = BTreeSet::new();
        for (key, value) in entries.0 {
            let Some(key) = self.text(self.raw(key)) else { continue };
            if !known.insert(key.value.clone()) {
                self.problem(key.inside(), format!("`{}` is given twice", key.value), None);
            }
            let value = self.raw(value);
            read.push((key, value));
        }
        read
    }

    /// A list of strings.
    pub(crate) fn texts(&mut self, raw: Raw<'t>, example: &str) -> Option<Vec<FileText>> {
        let elements = self.list(raw, example)?;
        Some(elements.into_iter().filter_map(|element| self.text(element)).collect())
    }

    /// A string.
    pub(crate) fn text(&mut self, raw: Raw<'t>) -> Option<FileText> {
        let value: String = self.owned(raw, "a string in quotes")?;
        Some(text_at(raw, value))
    }

    /// An integer or an expression.
    pub(crate) fn bound(&mut self, raw: Raw<'t>) -> Option<Bound> {
        let wanted = "an integer or an expression in quotes such as `\"k + 1\"`";
        match self.scalar(raw, wanted)? {
            ListItem::Int(value) => Some(Bound::Number(Spanned { value, span: raw.span() })),
            ListItem::Text(text) => Some(Bound::Expr(text)),
            _ => self.wrong_type(raw, wanted),
        }
    }

    /// The values of a parameter or field.
    pub(crate) fn domain(&mut self, raw: Raw<'t>, example: &str) -> Option<DomainSpec> {
        if let Ok(value) = options().from_str::<String>(raw.text) {
            return Some(DomainSpec::Text(text_at(raw, value)));
        }
        if !raw.text.starts_with('[') {
            return self.wrong_type(raw, &format!("values such as `{example}`"));
        }
        let elements = self.list(raw, example)?;
        let items = elements.into_iter().filter_map(|element| {
            let value = self.scalar(element, "a number, string, character or boolean")?;
            Some(Spanned { value, span: element.span() })
        });
        Some(DomainSpec::List(Spanned { value: items.collect(), span: raw.span() }))
    }

    fn scalar(&mut self, raw: Raw<'t>, wanted: &str) -> Option<ListItem> {
        Some(match self.owned(raw, wanted)? {
            Scalar::Int(value) => ListItem::Int(value),
            Scalar::Float(value) => ListItem::Float(value),
            Scalar::Bool(value) => ListItem::Bool(value),
            Scalar::Char(value) => ListItem::Char(value),
            Scalar::Text(value) => ListItem::Text(text_at(raw, value)),
        })
    }

    /// A value of any type that owns its data; `wanted` says which, for the message.
    pub(crate) fn owned<T: DeserializeOwned>(&mut self, raw: Raw<'t>, wanted: &str) -> Option<T> {
        match options().from_str(raw.text) {
            Ok(value) => Some(value),
            Err(_) => self.wrong_type(raw, wanted),
        }
    }

    /// Which variant of an enum it is, and what stands in its parentheses.
    pub(crate) fn variant(&mut self, raw: Raw<'t>) -> (&'t str, Option<Raw<'t>>) {
        let name = leading(raw.text, |char| char.is_alphanumeric() || char == '_');
        let held =
            raw.text.ends_with(')').then(|| options().from_str::<VariantContent<'t>>(raw.text));
        match held {
            Some(Ok(VariantContent(value))) => (name, Some(self.raw(value))),
            _ => (name, None),
        }
    }

    pub(crate) fn wrong_type<T>(&mut self, raw: Raw<'t>, wanted: &str) -> Option<T> {
        self.problem(raw.span(), format!("expected {wanted}"), None);
        None
    }

    /// Refuses a variant that is not `known`, or not with what it holds.
    pub(crate) fn wrong_variant<T>(
        &mut self,
        raw: Raw<'t>,
        known: &[&str],
        wanted: &str,
    ) -> Option<T> {
        let name = leading(raw.text, char::is_alphanumeric);
        let near = nearest(name, known.iter().copied()).filter(|near| *near != name);
        let help = near.map(|near| format!("did you mean `{near}`?"));
        self.problem(raw.span(), format!("expected {wanted}"), help);
        None
    }

    fn without_duplicates(&mut self, entries: Vec<(&'t str, &'t RawValue)>) -> Fields<'t> {
        let mut fields = Fields::default();
        let mut known = BTreeSet::new();
        for (name, value) in entries {
            if !known.insert(name) {
                self.problem(self.span_of(name), format!("field `{name}` is given twice"), None);
            }
            fields.entries.push((name, self.raw(value)));
        }
        fields
    }

    fn raw(&self, value: &'t RawValue) -> Raw<'t> {
        let text = value.trim().get_ron();
        Raw { text, start: self.span_of(text).start }
    }

    /// Where a part of the file stands in it.
    fn span_of(&self, part: &'t str) -> Span {
        let start = part.as_ptr().addr() - self.source.text.as_ptr().addr();
        start..start + part.len()
    }

    fn syntax_error(&mut self, error: &SpannedError) {
        let text = &self.source.text;
        let (start, end) = (offset(text, error.span.start), offset(text, error.span.end));
        let at = match &error.code {
            Error::ExpectedDifferentStructName { found, .. } => start..start + found.len(),
            _ => end..end + text[end..].chars().next().map_or(0, char::len_utf8),
        };
        let help = match &error.code {
            Error::ExpectedDifferentStructName { expected, .. } => {
                Some(format!("the file is one struct `{expected}(...)`"))
            }
            Error::ExpectedComma => Some(missing_comma(&text[..end], &text[end..]).to_owned()),
            _ => None,
        };
        let message = error.code.to_string();
        self.problem(at, lower_first(&message), help);
    }
}

/// What may stand in `budget`.
pub(crate) const BUDGET_FIELDS: [&str; 6] =
    ["max_calls", "max_structures", "max_seconds", "max_memory_mib", "max_levels", "enough"];

/// What may stand in `misuse`.
pub(crate) const MISUSE_FIELDS: [&str; 3] = ["errors", "panics", "keep_panicked"];

/// The structs in a scope, with their fields.
const NESTED: [(&str, &[&str]); 2] = [("budget", &BUDGET_FIELDS), ("misuse", &MISUSE_FIELDS)];

/// The help where a comma is missing, most often because a range or an expression has no quotes.
fn missing_comma(before: &str, after: &str) -> &'static str {
    if before.trim_end().ends_with('.') || after.starts_with('.') {
        return "write ranges in quotes: `\"0..k\"`";
    }
    if after.starts_with('=') {
        return "write a colon between a name and its value: `name: value`";
    }
    match after.starts_with(['+', '-', '*', '/', '%']) {
        true => "write expressions in quotes: `\"k + 1\"`",
        false => "write a comma after what stands before this",
    }
}

fn lower_first(message: &str) -> String {
    let mut chars = message.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

fn options() -> ron::Options {
    ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME)
}

fn text_at(raw: Raw<'_>, value: String) -> FileText {
    let quote = raw.text.find('"').map_or(0, |index| index + 1);
    let verbatim = raw.text[quote..].starts_with(value.as_str());
    FileText { value, span: raw.span(), contents: verbatim.then_some(raw.start + quote) }
}

/// The byte at a position given by line and column in characters, both from 1.
fn offset(text: &str, position: Position) -> usize {
    let line_start = match position.line {
        0 | 1 => 0,
        line => text.match_indices('\n').nth(line - 2).map_or(text.len(), |(index, _)| index + 1),
    };
    let line = &text[line_start..];
    let column = line.char_indices().nth(position.col.saturating_sub(1));
    column.map_or(text.len(), |(index, _)| line_start + index)
}
