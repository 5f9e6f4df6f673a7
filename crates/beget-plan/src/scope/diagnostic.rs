//! Diagnostics: a mistake in an input, its place, and a suggestion.

use std::fmt;
use std::ops::Deref;
use std::ops::Range;

/// A range of bytes of a source.
pub(crate) type Span = Range<usize>;

/// A text in which mistakes are shown.
#[derive(Clone, Debug)]
pub(crate) struct SourceText {
    /// The name to show: a path as the user gave it, or a flag.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl SourceText {
    /// Skips a byte order mark, which some editors write.
    pub(crate) fn new(path: &str, text: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        SourceText { path: path.to_owned(), text: text.to_owned() }
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
        let column = self.text[line_start..start].chars().count() + 1;
        let offending = self.text[start..end].trim_end();
        let line = self.text[line_start..line_end].trim_end();
        let (source_line, before) = excerpt(line, column - 1, offending.chars().count());
        Diagnostic {
            severity,
            message,
            path: self.path.clone(),
            line: self.text[..start].matches('\n').count() + 1,
            column,
            offending: offending.chars().take(MOST_SHOWN).collect(),
            source_line,
            before,
            help: None,
        }
    }
}

/// The longest part of a line shown, in characters, and the longest message.
const MOST_SHOWN: usize = 400;

/// The part of a line to show for a mistake of `len` characters after the first `before`, and the
/// number of its characters before the mistake.
fn excerpt(line: &str, before: usize, len: usize) -> (String, usize) {
    if line.chars().count() <= MOST_SHOWN {
        return (line.to_owned(), before);
    }
    const AROUND: usize = 40;
    let first = before.saturating_sub(AROUND);
    let last = before + len.min(MOST_SHOWN) + AROUND;
    let part: String = line.chars().skip(first).take(last - first).collect();
    let start = if first > 0 { "..." } else { "" };
    let end = if line.chars().nth(last).is_some() { "..." } else { "" };
    (format!("{start}{part}{end}"), before - first + start.len())
}

/// The severity of a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing can run.
    Error,
    /// It can run, but something has no effect.
    Warning,
}

/// One mistake. Its `Display` is the full message with the source line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The message.
    pub message: String,
    /// The file as the user gave it, or the flag.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// The line; of a very long one, the part around the mistake.
    pub source_line: String,
    /// The wrong part of the line.
    pub offending: String,
    /// The number of characters of `source_line` before it.
    before: usize,
    /// The suggestion.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a range of bytes of a file that is read elsewhere.
    pub fn in_file(path: &str, text: &str, span: Range<usize>, message: &str) -> Self {
        SourceText::new(path, text).error(span, message)
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }
}

/// The text to write before and after parts of a message: the codes of a terminal. Empty by
/// default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Markup {
    /// Around the word `error`, and the marks below the mistake.
    pub error: [String; 2],
    /// Around the word `warning`, and the marks below it.
    pub warning: [String; 2],
    /// Around line numbers and the frame.
    pub frame: [String; 2],
}

impl Diagnostic {
    /// The message with `markup`.
    pub fn marked(&self, markup: &Markup) -> String {
        let (kind, [start, end]) = match self.severity {
            Severity::Error => ("error", &markup.error),
            Severity::Warning => ("warning", &markup.warning),
        };
        let [frame, unframe] = &markup.frame;
        let width = self.line.to_string().len().max(2);
        let indent: String = self.source_line.chars().take(self.before).map(blank_of).collect();
        let carets = "^".repeat(self.offending.chars().count().max(1));
        let (message, path) = (visible(&self.message), visible(&self.path));
        let source_line: String = self.source_line.chars().map(visible_in_line).collect();
        let (number, blank) = (format!("{:>width$}", self.line), " ".repeat(width));
        let place = format!("{path}:{}:{}", self.line, self.column);
        let source_line = format!(" {source_line}");
        let mut text = format!(
            "{start}{kind}:{end} {message}\n\
             {blank}{frame}-->{unframe} {place}\n\
             {blank} {frame}|{unframe}\n\
             {frame}{number} |{unframe}{}\n\
             {blank} {frame}|{unframe} {indent}{start}{carets}{end}",
            source_line.trim_end()
        );
        if let Some(help) = &self.help {
            text += &format!("\n{blank} {frame}={unframe} help: {}", visible(help));
        }
        text
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.marked(&Markup::default()))
    }
}

/// Makes any text printable: on one line, with a picture for each control character, cut off if it
/// is long.
pub fn visible(text: &str) -> String {
    let mut shown: String = text.chars().take(MOST_SHOWN).map(visible_char).collect();
    if text.chars().nth(MOST_SHOWN).is_some() {
        shown.push_str("...");
    }
    shown
}

/// Replaces one character by one, so that the marks stay aligned.
fn visible_char(char: char) -> char {
    match char {
        // The pictures of the control characters are in the same order.
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(char)).unwrap_or(char),
        '\x7f' => '\u{2421}',
        // Other controls, and characters that reverse or hide the text around them.
        '\u{80}'..='\u{9f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{feff}' => '\u{fffd}',
        _ => char,
    }
}

fn visible_in_line(char: char) -> char {
    if char == '\t' { char } else { visible_char(char) }
}

/// A tab stays a tab, so that the marks stay aligned.
fn blank_of(char: char) -> char {
    if char == '\t' { '\t' } else { ' ' }
}

/// The most mistakes noted: each one reads the whole file, and more would not be read.
const MOST_NOTED: usize = 100;

/// The mistakes found together, in the order of the file: all of them, or the first hundred.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics {
    noted: Vec<Diagnostic>,
    /// True if there were more.
    is_cut: bool,
}

impl Diagnostics {
    /// Returns whether the limit of noted mistakes is reached, so that the search can stop.
    pub(crate) fn is_full(&self) -> bool {
        self.noted.len() == MOST_NOTED
    }

    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        self.push_with(|| diagnostic);
    }

    /// Notes a mistake, which is only described if there is room.
    pub(crate) fn push_with(&mut self, describe: impl FnOnce() -> Diagnostic) {
        if self.is_full() {
            self.is_cut = true;
            return;
        }
        let diagnostic = describe();
        if !self.noted.contains(&diagnostic) {
            self.noted.push(diagnostic);
        }
    }

    /// These mistakes and the `others` of the same file, sorted by place.
    #[must_use]
    pub fn joined(mut self, others: Diagnostics) -> Self {
        self.is_cut |= others.is_cut;
        others.noted.into_iter().for_each(|other| self.push(other));
        self.sort();
        self
    }

    /// Returns `value` if there are no mistakes.
    pub(crate) fn unless_any<T>(mut self, value: T) -> Result<T, Diagnostics> {
        if self.is_empty() {
            return Ok(value);
        }
        self.sort();
        Err(self)
    }

    pub(crate) fn sort(&mut self) {
        self.noted.sort_by(|a, b| (&a.path, a.line, a.column).cmp(&(&b.path, b.line, b.column)));
    }
}

/// The mistakes noted.
impl Deref for Diagnostics {
    type Target = [Diagnostic];

    fn deref(&self) -> &[Diagnostic] {
        &self.noted
    }
}

impl<'d> IntoIterator for &'d Diagnostics {
    type Item = &'d Diagnostic;
    type IntoIter = std::slice::Iter<'d, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Diagnostics {
    /// The messages with `markup`.
    pub fn marked(&self, markup: &Markup) -> String {
        let mut texts: Vec<String> = self.iter().map(|one| one.marked(markup)).collect();
        if self.is_cut {
            texts.push("further mistakes are not shown".to_owned());
        }
        texts.join("\n\n")
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.marked(&Markup::default()))
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

/// The name at the least edit distance, if that is small relative to the name's length.
pub(crate) fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let len = name.chars().count();
    let limit = (len / 3).clamp(1, 4);
    let lower = name.to_lowercase();
    known
        .into_iter()
        // The lengths differ by at most the distance, which is expensive to compute for long names.
        .filter(|other| len.abs_diff(other.chars().count()) <= limit)
        .map(|other| (strsim::damerau_levenshtein(&lower, &other.to_lowercase()), other))
        .filter(|&(distance, _)| distance <= limit)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, other)| other)
}
