//! The looks of messages: their colours, which are removed without a terminal or if the user wants
//! none.

use beget_plan::scope::Markup;
use clap::builder::styling::{AnsiColor, Style};

pub const ERROR: Style = AnsiColor::Red.on_default().bold();
pub const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
pub const FRAME: Style = AnsiColor::Blue.on_default().bold();
pub const NOTE: Style = AnsiColor::Cyan.on_default().bold();

/// The text of a note, with its prefix.
pub fn note(text: &str) -> String {
    format!("{NOTE}note:{NOTE:#} {text}")
}

/// The text of an error, with its prefix.
pub fn error(text: &str) -> String {
    format!("{ERROR}error:{ERROR:#} {text}")
}

/// The colours of messages about scope files.
pub fn markup() -> Markup {
    let around = |style: Style| [style.render().to_string(), style.render_reset().to_string()];
    Markup { error: around(ERROR), warning: around(WARNING), frame: around(FRAME) }
}
