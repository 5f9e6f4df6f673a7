//! Stores and runners for runs that need more than memory and threads.
//!
//! - [`disk`]: structures in files, and runs that another process goes on with.
//! - `supervise`: calls in worker processes, which may die or hang.
//! - `cluster`: one run that several processes make together.
//!
//! Only the module that writes a message or a file knows its format.

#[cfg(unix)]
pub mod cluster;
pub mod disk;
#[cfg(unix)]
pub mod supervise;

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    fn sources(directory: &Path) -> Vec<PathBuf> {
        let paths = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
        paths.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
    }

    /// A check of one module that clippy cannot make.
    #[test]
    fn stores_on_disk_read_no_clock() {
        let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let files = [vec![src.join("disk.rs")], sources(&src.join("disk"))].concat();
        assert!(files.len() > 10, "{files:?}");
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            for clock in ["Instant", "SystemTime"] {
                assert!(!text.contains(clock), "{clock} in {}", file.display());
            }
        }
    }
}
