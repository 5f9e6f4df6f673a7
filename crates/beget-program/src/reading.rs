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
    let mut file = File::open(path)?;
    let mut text = String::new();
    if file.metadata()?.is_file() {
        file.read_to_string(&mut text)?;
        return Ok(text);
    }
    let mut bytes = Vec::new();
    file.take(MOST_STREAMED + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_STREAMED {
        let mib = MOST_STREAMED >> 20;
        return Err(io::Error::other(format!("it is no file, and gives more than {mib} MiB")));
    }
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
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
