//! Reading typed values from a file, each with the bytes that it came from.
//!
//! Values are read level by level as raw values, which borrow from the file. So the place of each
//! is known and a mistake in one does not hide those in the others.

use std::collections::BTreeSet;

use crate::scope::diagnostic::{Diagnostics, SourceText, Span, nearest, suggest};
use crate::scope::expr::leading;
use crate::scope::syntax::{NO_COMMA, NO_MORE, Raw, RonValue, SyntaxError, parse};

/// The largest file that is read. Files written by hand have some hundred bytes.
const MOST_BYTES: usize = 4 << 20;

/// A value and its place.
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
    /// The start of its contents, if they have no escapes.
    contents: Option<usize>,
}

impl FileText {
    /// A string that is `span` of its source, without quotes.
    pub(crate) fn bare(value: &str, span: Span) -> Self {
        FileText { value: value.to_owned(), contents: Some(span.start), span }
    }

    /// The place of a part of the contents; of the whole literal if the part's is unknown.
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
    /// An integer above those of `i128`.
    Large(u128),
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

impl<'t> Raw<'t> {
    pub(crate) fn span(&self) -> Span {
        self.start..self.start + self.text.len()
    }

    /// The parsed value. It was parsed before, as a part of its parent.
    fn shape(self) -> RonValue<'t> {
        let at = |raw: Raw<'t>| Raw { start: self.start + raw.start, ..raw };
        let (_, shape) = parse(self.text).expect("a part of what was read");
        match shape {
            RonValue::List(items) => RonValue::List(items.into_iter().map(at).collect()),
            RonValue::Tuple(name, items) => {
                RonValue::Tuple(name, items.into_iter().map(at).collect())
            }
            RonValue::Map(entries) => RonValue::Map(
                entries.into_iter().map(|(key, value)| (at(key), at(value))).collect(),
            ),
            RonValue::Struct(name, fields) => RonValue::Struct(
                name,
                fields.into_iter().map(|(field, value)| (field, at(value))).collect(),
            ),
            word => word,
        }
    }
}

/// The fields of a struct as written.
#[derive(Debug, Default)]
pub(crate) struct Fields<'t> {
    entries: Vec<(&'t str, Raw<'t>)>,
}

impl<'t> Fields<'t> {
    pub(crate) fn get(&self, name: &str) -> Option<Raw<'t>> {
        self.entries.iter().find(|(known, _)| *known == name).map(|&(_, raw)| raw)
    }
}

/// Reads one file, noting each mistake and continuing.
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

    /// The struct `name` that makes up the whole file.
    pub(crate) fn file(&mut self, name: &'static str) -> Option<Fields<'t>> {
        let text = &self.source.text;
        if text.len() > MOST_BYTES {
            let message = format!("the file has more than {} MiB: refused", MOST_BYTES >> 20);
            self.problem(0..0, message, None);
            return None;
        }
        match parse(text) {
            Ok((whole, shape)) => self.whole(whole, shape, name),
            Err(error) => {
                self.syntax_error(error, name);
                None
            }
        }
    }

    /// The fields of the struct `name`, if the whole file is one.
    fn whole(&mut self, whole: Raw<'t>, shape: RonValue<'t>, name: &str) -> Option<Fields<'t>> {
        match shape {
            RonValue::Struct(found, _) | RonValue::Tuple(found, _) | RonValue::Name(found)
                if !found.is_empty() && found != name =>
            {
                let message = format!("expected struct `{name}` but found `{found}`");
                self.problem(self.span_of(found), message, Some(one_struct(name)));
                None
            }
            shape => match struct_fields(shape, name) {
                Some(fields) => Some(self.without_duplicates(fields)),
                None => {
                    let message = format!("expected struct `{name}`");
                    self.problem(whole.span(), message, Some(one_struct(name)));
                    None
                }
            },
        }
    }

    /// The fields of a nested struct.
    pub(crate) fn fields(
        &mut self,
        raw: Raw<'t>,
        name: &'static str,
        example: &str,
    ) -> Option<Fields<'t>> {
        match struct_fields(raw.shape(), name) {
            Some(fields) => Some(self.without_duplicates(fields)),
            None => self.wrong_type(raw, &format!("a struct such as `{example}`")),
        }
    }

    /// Rejects fields that are not `known`.
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

    /// A required field.
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

    /// The name of the struct that makes up the file, or its parenthesis.
    fn opening(&self) -> Span {
        let Ok((whole, _)) = parse(&self.source.text) else { return 0..1 };
        let name = leading(whole.text, char::is_alphanumeric);
        whole.start..whole.start + name.len().max(1)
    }

    /// The elements of a list.
    pub(crate) fn list(&mut self, raw: Raw<'t>, example: &str) -> Option<Vec<Raw<'t>>> {
        match raw.shape() {
            RonValue::List(elements) => Some(elements),
            _ => self.wrong_type(raw, &format!("a list such as `{example}`")),
        }
    }

    /// The entries of a map from strings; a repeated key is an error.
    pub(crate) fn map(&mut self, raw: Raw<'t>, example: &str) -> Vec<(FileText, Raw<'t>)> {
        let RonValue::Map(entries) = raw.shape() else {
            self.wrong_type::<()>(raw, &format!("a map such as `{example}`"));
            return Vec::new();
        };
        let mut read: Vec<(FileText, Raw<'t>)> = Vec::new();
        let mut known = BTreeSet::new();
        for (key, value) in entries {
            let Some(key) = self.text(key) else { continue };
            if !known.insert(key.value.clone()) {
                self.problem(key.inside(), format!("`{}` is given twice", key.value), None);
            }
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
        match raw.shape() {
            RonValue::Text(value) => Some(text_at(raw, value)),
            _ => self.wrong_type(raw, "a string in quotes"),
        }
    }

    /// `true` or `false`.
    pub(crate) fn boolean(&mut self, raw: Raw<'t>) -> Option<bool> {
        match raw.shape() {
            RonValue::Bool(value) => Some(value),
            _ => self.wrong_type(raw, "`true` or `false`"),
        }
    }

    /// An integer of some type.
    pub(crate) fn number<N: TryFrom<i128>>(&mut self, raw: Raw<'t>, wanted: &str) -> Option<N> {
        let number = match raw.shape() {
            RonValue::Int(value) => N::try_from(value).ok(),
            _ => None,
        };
        number.or_else(|| self.wrong_type(raw, wanted))
    }

    /// An integer or a float.
    pub(crate) fn float(&mut self, raw: Raw<'t>, wanted: &str) -> Option<f64> {
        match raw.shape() {
            RonValue::Int(value) => Some(value as f64),
            RonValue::Large(value) => Some(value as f64),
            RonValue::Float(value) => Some(value),
            _ => self.wrong_type(raw, wanted),
        }
    }

    /// The content of a `Some`, or else the value itself; `None` for `None`.
    pub(crate) fn optional(&mut self, raw: Raw<'t>) -> Option<Raw<'t>> {
        match raw.shape() {
            RonValue::Name("None") => None,
            RonValue::Tuple("Some", held) if held.len() == 1 => Some(held[0]),
            _ => Some(raw),
        }
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
        let elements = match raw.shape() {
            RonValue::Text(value) => return Some(DomainSpec::Text(text_at(raw, value))),
            RonValue::List(elements) => elements,
            _ => return self.wrong_type(raw, &format!("values such as `{example}`")),
        };
        let items = elements.into_iter().filter_map(|element| {
            let value = self.scalar(element, "a number, string, character or boolean")?;
            Some(Spanned { value, span: element.span() })
        });
        Some(DomainSpec::List(Spanned { value: items.collect(), span: raw.span() }))
    }

    fn scalar(&mut self, raw: Raw<'t>, wanted: &str) -> Option<ListItem> {
        Some(match raw.shape() {
            RonValue::Int(value) => ListItem::Int(value),
            RonValue::Large(value) => ListItem::Large(value),
            RonValue::Float(value) => ListItem::Float(value),
            RonValue::Bool(value) => ListItem::Bool(value),
            RonValue::Char(value) => ListItem::Char(value),
            RonValue::Text(value) => ListItem::Text(text_at(raw, value)),
            _ => return self.wrong_type(raw, wanted),
        })
    }

    /// The variant of an enum, and the content of its parentheses.
    pub(crate) fn variant(&mut self, raw: Raw<'t>) -> (&'t str, Option<Raw<'t>>) {
        match raw.shape() {
            RonValue::Name(name) => (name, None),
            RonValue::Tuple(name, held) if held.len() == 1 => (name, Some(held[0])),
            _ => ("", None),
        }
    }

    pub(crate) fn wrong_type<T>(&mut self, raw: Raw<'t>, wanted: &str) -> Option<T> {
        self.problem(raw.span(), format!("expected {wanted}"), None);
        None
    }

    /// Rejects a variant that is not `known`, or has the wrong content.
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

    fn without_duplicates(&mut self, entries: Vec<(&'t str, Raw<'t>)>) -> Fields<'t> {
        let mut known = BTreeSet::new();
        for (name, _) in &entries {
            if !known.insert(*name) {
                self.problem(self.span_of(name), format!("field `{name}` is given twice"), None);
            }
        }
        Fields { entries }
    }

    /// The place of a part of the file.
    fn span_of(&self, part: &'t str) -> Span {
        let start = part.as_ptr().addr() - self.source.text.as_ptr().addr();
        start..start + part.len()
    }

    fn syntax_error(&mut self, SyntaxError { at, message }: SyntaxError, name: &str) {
        let (before, after) = self.source.text.split_at(at);
        let help = match message {
            NO_COMMA => Some(missing_comma(before, after).to_owned()),
            NO_MORE => Some(one_struct(name)),
            _ => None,
        };
        let len = after.chars().next().map_or(0, char::len_utf8);
        self.problem(at..at + len, message, help);
    }
}

/// The fields of a struct whose name is optional.
fn struct_fields<'t>(shape: RonValue<'t>, name: &str) -> Option<Vec<(&'t str, Raw<'t>)>> {
    let (found, fields) = match shape {
        RonValue::Struct(found, fields) => (found, fields),
        RonValue::Tuple(found, items) if items.is_empty() => (found, Vec::new()),
        _ => return None,
    };
    (found.is_empty() || found == name).then_some(fields)
}

fn one_struct(name: &str) -> String {
    format!("the file is one struct `{name}(...)`")
}

/// The fields of `budget`.
pub(crate) const BUDGET_FIELDS: [&str; 6] =
    ["max_calls", "max_structures", "max_seconds", "max_memory_mib", "max_levels", "enough"];

/// The fields of `misuse`.
pub(crate) const MISUSE_FIELDS: [&str; 3] = ["errors", "panics", "keep_panicked"];

/// The structs in a scope, with their fields.
const NESTED: [(&str, &[&str]); 2] = [("budget", &BUDGET_FIELDS), ("misuse", &MISUSE_FIELDS)];

/// The help for a missing comma, most often because a range or an expression has no quotes.
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

fn text_at(raw: Raw<'_>, value: String) -> FileText {
    let quote = raw.text.find('"').map_or(0, |index| index + 1);
    let verbatim = raw.text[quote..].starts_with(value.as_str());
    FileText { value, span: raw.span(), contents: verbatim.then_some(raw.start + quote) }
}
