//! Diagnostics: what is wrong with an input, where, and what to write instead.

use std::fmt;
use std::ops::Range;

/// A range of bytes of a source.
pub(crate) type Span = Range<usize>;

/// A text that mistakes are shown in.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// The name to show: a path as the user gave it, or a flag.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Source {
    pub(crate) fn new(path: &str, text: &str) -> Self {
        Source { path: path.to_owned(), text: text.to_owned() }
    }

    /// An error at `span`.
    pub(crate) fn error(&self, span: Span, message: impl Into<String>) -> Diagnostic {
        self.diagnostic(Severity::Error, span, message.into())
    }

    /// A warning at `span`.
    pub(crate) fn warning(&self, span: Span, message: impl Into<String>) -> Diagnostic {
        self.diagnostic(Severity::Warning, span, message.into())
    }

    fn diagnostic(&self, severity: Severity, span: Span, message: String) -> Diagnostic {
        let start = span.start.min(self.text.len());
        let line_start = self.text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = self.text[start..].find('\n').map_or(self.text.len(), |len| start + len);
        let end = span.end.clamp(start, line_end);
        Diagnostic {
            severity,
            message,
            path: self.path.clone(),
            line: self.text[..start].matches('\n').count() + 1,
            column: self.text[line_start..start].chars().count() + 1,
            source_line: self.text[line_start..line_end].trim_end().to_owned(),
            offending: self.text[start..end].trim_end().to_owned(),
            help: None,
        }
    }
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing can run.
    Error,
    /// It can run, but something has no effect.
    Warning,
}

/// One mistake. Its `Display` is the message as it should be printed, the line of the source included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// The file as the user gave it, or the flag.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// The whole line.
    pub source_line: String,
    /// What of the line is wrong.
    pub offending: String,
    /// What to write instead.
    pub help: Option<String>,
}

impl Diagnostic {
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let width = self.line.to_string().len().max(2);
        let blank = || (self.source_line.chars().take(self.column - 1)).map(blank_of);
        let indent: String = blank().collect();
        let carets = "^".repeat(self.offending.chars().count().max(1));
        writeln!(f, "{kind}: {}", self.message)?;
        writeln!(f, "{:width$}--> {}:{}:{}", "", self.path, self.line, self.column)?;
        writeln!(f, "{:width$} |", "")?;
        writeln!(f, "{}", format!("{:>width$} | {}", self.line, self.source_line).trim_end())?;
        write!(f, "{:width$} | {indent}{carets}", "")?;
        match &self.help {
            Some(help) => write!(f, "\n{:width$} = help: {help}", ""),
            None => Ok(()),
        }
    }
}

/// A tab stays a tab, so that the marks stand below what they mark.
fn blank_of(char: char) -> char {
    if char == '\t' { '\t' } else { ' ' }
}

/// All mistakes found at once, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    /// The mistakes.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.0.iter()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        if !self.0.contains(&diagnostic) {
            self.0.push(diagnostic);
        }
    }

    /// `value` if nothing is wrong.
    pub(crate) fn unless_any<T>(mut self, value: T) -> Result<T, Diagnostics> {
        if self.is_empty() {
            return Ok(value);
        }
        self.sort();
        Err(self)
    }

    pub(crate) fn sort(&mut self) {
        self.0.sort_by(|a, b| (&a.path, a.line, a.column).cmp(&(&b.path, b.line, b.column)));
    }
}

impl<'d> IntoIterator for &'d Diagnostics {
    type Item = &'d Diagnostic;
    type IntoIter = std::slice::Iter<'d, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.iter().enumerate() {
            let gap = if index == 0 { "" } else { "\n\n" };
            write!(f, "{gap}{diagnostic}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostic {}
impl std::error::Error for Diagnostics {}

/// The help for an unknown name: the nearest of the right ones, or all of them if none is near.
pub fn suggest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<String> {
    let mut known: Vec<&str> = known.into_iter().collect();
    known.dedup();
    if known.is_empty() {
        return None;
    }
    if let Some(near) = nearest(name, known.iter().copied()) {
        return Some(format!("did you mean `{near}`?"));
    }
    const SHOWN: usize = 8;
    let shown: Vec<_> = known.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    let more = match known.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!("the known names are {}{more}", shown.join(", ")))
}

/// The name at the least edit distance, if that is small for the name's length.
pub(crate) fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let limit = (name.chars().count() / 3).clamp(1, 4);
    let lower = name.to_lowercase();
    known
        .into_iter()
        .map(|other| (strsim::damerau_levenshtein(&lower, &other.to_lowercase()), other))
        .filter(|&(distance, _)| distance <= limit)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, other)| other)
}
