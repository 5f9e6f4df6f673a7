//! The index of a directory's structures: their places in the file, and the data that needs no
//! reading (level, number of objects, the structure that the last call was made on).
//!
//! The file is read by position; 48 bytes are held of each structure. It is not mapped into memory:
//! that takes unsafe code, and a file that becomes shorter meanwhile would end the program by a
//! signal.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;
use xxhash_rust::xxh3::xxh3_64;

use crate::records::StructureRecord;

/// No structure.
const NONE: u32 = u32::MAX;

/// The structures of a file, by position from 0.
#[derive(Debug)]
pub(super) struct Index {
    file: File,
    /// The start of each line, and the end of the file.
    offsets: Vec<u64>,
    ids: Vec<u64>,
    calls: Vec<u32>,
    objects: Vec<u32>,
    /// The structure whose recipe is all but the last call.
    parents: Vec<u32>,
    /// Fingerprints of canonical forms in order, each with its position.
    forms: Vec<(u64, u32)>,
}

/// The data that the index takes from a line.
#[derive(Deserialize)]
struct LineHead {
    id: u64,
    calls: u32,
    form: String,
    recipe: Vec<String>,
    heap: Option<Vec<IgnoredAny>>,
}

impl Index {
    /// Reads the file once.
    pub(super) fn of(path: &Path) -> io::Result<Index> {
        let file = File::open(path)?;
        let mut index = Index {
            file: File::open(path)?,
            offsets: vec![0],
            ids: Vec::new(),
            calls: Vec::new(),
            objects: Vec::new(),
            parents: Vec::new(),
            forms: Vec::new(),
        };
        let mut by_recipe: BTreeMap<u64, u32> = BTreeMap::new();
        let mut reader = BufReader::with_capacity(1 << 20, file);
        let mut line = Vec::new();
        let mut end = 0;
        loop {
            line.clear();
            let n_bytes = reader.read_until(b'\n', &mut line)?;
            if n_bytes == 0 {
                index.forms.sort_unstable();
                return Ok(index);
            }
            let head: LineHead = serde_json::from_slice(&line)?;
            end += n_bytes as u64;
            index.offsets.push(end);
            let position = u32::try_from(index.ids.len()).ok().filter(|&position| position != NONE);
            let position =
                position.ok_or_else(|| io::Error::other("the file has too many structures"))?;
            let before = &head.recipe[..head.recipe.len().saturating_sub(1)];
            let parent = by_recipe.get(&fingerprint(before)).copied();
            index.parents.push(parent.filter(|_| !before.is_empty()).unwrap_or(NONE));
            by_recipe.entry(fingerprint(&head.recipe)).or_insert(position);
            index.forms.push((xxh3_64(head.form.as_bytes()), position));
            index.ids.push(head.id);
            index.calls.push(head.calls);
            index.objects.push(head.heap.map_or(0, |heap| heap.len() as u32));
        }
    }

    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// The structure at a position.
    pub(super) fn read(&self, position: usize) -> io::Result<StructureRecord> {
        let (begin, end) = (self.offsets[position], self.offsets[position + 1]);
        let mut line = vec![0; (end - begin) as usize];
        let mut file = &self.file;
        file.seek(SeekFrom::Start(begin))?;
        file.read_exact(&mut line)?;
        Ok(serde_json::from_slice(&line)?)
    }

    /// The position of the structure with that number.
    pub(super) fn position(&self, id: u64) -> Option<usize> {
        self.ids.binary_search(&id).ok()
    }

    /// The position of the structure with that canonical form, in hexadecimal digits.
    pub(super) fn position_of_form(&self, form: &str) -> io::Result<Option<usize>> {
        let fingerprint = xxh3_64(form.as_bytes());
        let begin = self.forms.partition_point(|&(one, _)| one < fingerprint);
        for &(_, position) in self.forms[begin..].iter().take_while(|one| one.0 == fingerprint) {
            if self.read(position as usize)?.form == form {
                return Ok(Some(position as usize));
            }
        }
        Ok(None)
    }

    pub(super) fn id(&self, position: usize) -> u64 {
        self.ids[position]
    }

    pub(super) fn calls(&self, position: usize) -> u32 {
        self.calls[position]
    }

    pub(super) fn objects(&self, position: usize) -> u32 {
        self.objects[position]
    }

    /// The structure that the recipe of this one comes from by its last call.
    pub(super) fn parent(&self, position: usize) -> Option<usize> {
        Some(self.parents[position]).filter(|&parent| parent != NONE).map(|parent| parent as usize)
    }

    /// The structures whose recipes go on from that of this one, in order.
    pub(super) fn children(&self, position: usize) -> Vec<usize> {
        let parent = position as u32;
        let all = self.parents.iter().enumerate();
        all.filter(|(_, one)| **one == parent).map(|(child, _)| child).collect()
    }
}

/// A recipe by 64 bits: two of a million are one by chance in one of 30 million files.
fn fingerprint(recipe: &[String]) -> u64 {
    xxh3_64(recipe.join("\n").as_bytes())
}
