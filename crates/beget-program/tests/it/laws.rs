//! Checks of single modules that clippy cannot make.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(directory: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

#[test]
fn records_read_no_clock() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = [vec![src.join("records.rs")], sources(&src.join("records"))].concat();
    assert!(files.len() > 30, "{files:?}");
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        // Text of benchmarks that it writes has clocks, but imports them there.
        for line in text.lines() {
            let takes =
                line.trim_start().starts_with("use std::time") || line.contains("time::Instant");
            let clock = line.contains("Instant") || line.contains("SystemTime");
            assert!(!(takes && clock), "{line} in {}", file.display());
            assert!(!line.contains("time::SystemTime"), "{line} in {}", file.display());
        }
    }
}
