//! Formatting by rustfmt, with the settings of the file's directory.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// The source as rustfmt formats it with the settings of `path`; unchanged if rustfmt is missing or
/// fails.
pub(crate) fn formatted(source: String, path: &Path) -> String {
    by_rustfmt(&source, path).unwrap_or(source)
}

fn by_rustfmt(source: &str, path: &Path) -> Option<String> {
    let program = std::env::var_os("RUSTFMT").unwrap_or_else(|| "rustfmt".into());
    let parent = path.parent().filter(|parent| *parent != Path::new(""));
    let mut rustfmt = Command::new(program)
        .args(["--edition", "2021"])
        .current_dir(parent.unwrap_or(Path::new(".")))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut stdin = rustfmt.stdin.take()?;
    // It reads all before it writes.
    stdin.write_all(source.as_bytes()).ok()?;
    drop(stdin);
    let ended = rustfmt.wait_with_output().ok()?;
    let text = String::from_utf8(ended.stdout).ok()?;
    (ended.status.success() && !text.is_empty()).then_some(text)
}
