//! The list of the files of an output directory, with their lengths and checksums.
//!
//! It detects a file that was changed, added, removed or taken from another directory, even if
//! repeating the run would not show it. Checksums guard against accidents. A forger can write a
//! list that fits, but not a run that repeats.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::checksum::checksum_of;

/// The name of the list in its directory.
pub(crate) const MANIFEST: &str = "manifest.json";

const VERSION: u32 = 1;

/// The files of a directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FileList {
    version: u32,
    files: BTreeMap<String, FileEntry>,
}

/// A file by its contents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileEntry {
    bytes: u64,
    /// XXH3 of 128 bits, as hexadecimal digits.
    checksum: String,
}

impl FileList {
    /// The list of the files in `dir`, except the list itself.
    pub(crate) fn of(dir: &Path) -> io::Result<FileList> {
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(dir)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name != MANIFEST {
                files.insert(name, FileEntry::of(&entry.path())?);
            }
        }
        Ok(FileList { version: VERSION, files })
    }

    /// The text of the file.
    pub(crate) fn to_text(&self) -> String {
        serde_json::to_string_pretty(self).expect("plain data") + "\n"
    }

    /// Reads a file's text, which must be what this program writes, byte by byte.
    pub(crate) fn from_text(text: &str) -> Result<FileList, String> {
        let manifest: FileList =
            serde_json::from_str(text).map_err(|error| format!("is no list of files: {error}"))?;
        if manifest.version != VERSION {
            return Err(format!("has version {}; this program has {VERSION}", manifest.version));
        }
        match manifest.to_text() == text {
            true => Ok(manifest),
            false => Err("was changed after it was written".to_owned()),
        }
    }

    /// The files that differ between `self` and the list `found`, each with the difference.
    pub(crate) fn differences(&self, found: &FileList) -> Vec<(String, String)> {
        let names: BTreeSet<&String> = self.files.keys().chain(found.files.keys()).collect();
        let difference = |name: &String| match (self.files.get(name), found.files.get(name)) {
            (Some(written), Some(found)) if written == found => None,
            (Some(written), Some(found)) => {
                Some(format!("{MANIFEST} says {}; the file has {}", written.told(), found.told()))
            }
            (Some(_), None) => Some(format!("{MANIFEST} names it, but it is not there")),
            _ => Some(format!("no run has written it: {MANIFEST} does not name it")),
        };
        names.into_iter().filter_map(|name| Some((name.clone(), difference(name)?))).collect()
    }
}

impl FileEntry {
    fn of(path: &Path) -> io::Result<FileEntry> {
        if path.is_dir() {
            return Ok(FileEntry { bytes: 0, checksum: "directory".to_owned() });
        }
        let (bytes, checksum) = checksum_of(&mut File::open(path)?)?;
        Ok(FileEntry { bytes, checksum })
    }

    fn told(&self) -> String {
        format!("{} bytes with checksum {}", self.bytes, self.checksum)
    }
}
