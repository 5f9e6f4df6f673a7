//! Reading files that a user names: what is no file must not fill the memory.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// The most bytes of a device or a pipe, which need not end.
const MOST_STREAMED: u64 = 64 << 20;

/// The text of a file, or what a pipe gives.
///
/// # Errors
///
/// If it cannot be read, is no text, or is no file and does not end.
pub(crate) fn file_text(path: &Path) -> io::Result<String> {
    let file = File::open(path)?;
    let most = if file.metadata()?.is_file() { u64::MAX } else { MOST_STREAMED };
    let mut text = String::new();
    file.take(most.saturating_add(1)).read_to_string(&mut text)?;
    if text.len() as u64 > most {
        let mib = most >> 20;
        return Err(io::Error::other(format!("it is no file, and gives more than {mib} MiB")));
    }
    Ok(text)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_device_that_does_not_end_is_refused() {
        let error = file_text(Path::new("/dev/zero")).unwrap_err();
        assert_eq!(error.to_string(), "it is no file, and gives more than 64 MiB");
        assert_eq!(file_text(Path::new("/dev/null")).unwrap(), "");
    }
}
