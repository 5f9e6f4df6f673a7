//! Errors of the compiler, as far as a harness needs them: the lines and functions that they name.

use cargo_metadata::diagnostic::{Diagnostic, DiagnosticSpan};

/// A compiler error on lines of the text; lines count from 1.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The lines of the error, the main ones first, each as the first and the last.
    pub lines: Vec<(usize, usize)>,
    /// Its message, one line.
    pub message: String,
    /// The functions that it names, such as `Url::from_file_path`.
    pub names: Vec<String>,
}

impl Refusal {
    /// The refusal of an error in the source with that path.
    pub fn of(error: &Diagnostic, path: &str) -> Refusal {
        let (main, others): (Vec<_>, Vec<_>) = error.spans.iter().partition(|span| span.is_primary);
        let children = error.children.iter().flat_map(|child| &child.spans);
        let spans = main.into_iter().chain(others).chain(children);
        let labels = spans.clone().filter_map(|span| span.label.as_deref());
        let messages = error.children.iter().map(|child| child.message.as_str());
        let names = labels.chain(messages).flat_map(names_in).collect();
        let lines = spans.flat_map(|span| lines_of(span, path));
        let code = error.code.as_ref().map_or(String::new(), |code| format!("{}: ", code.code));
        let first = error.message.lines().next().unwrap_or_default();
        Refusal { lines: lines.collect(), message: format!("{code}{first}"), names }
    }
}

/// The paths in backticks.
fn names_in(text: &str) -> impl Iterator<Item = String> {
    text.split('`').skip(1).step_by(2).filter(|name| name.contains("::")).map(str::to_owned)
}

/// The lines of a span, and of the calls of macros that it comes from.
fn lines_of(span: &DiagnosticSpan, path: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut next = Some(span);
    while let Some(span) = next {
        if span.file_name.ends_with(path) && !span.file_name.starts_with('/') {
            found.push((span.line_start, span.line_end));
        }
        next = span.expansion.as_ref().map(|expansion| &expansion.span);
    }
    found
}
