//! The build of this program: what distinguishes it from the same program with other code.
//!
//! Most linkers write a build ID into an ELF file: a digest of all that it consists of. Without
//! one, the whole file is read. An ID that was chosen by hand is taken for a digest.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::OnceLock;

use crate::checksum::checksum_of;

/// Returns the build ID of this program, or else the checksum of its file.
pub(super) fn own_build() -> &'static str {
    static BUILD: OnceLock<String> = OnceLock::new();
    BUILD.get_or_init(|| {
        let build = own_file().and_then(|mut file| build_of(&mut file));
        build.unwrap_or_else(|error| format!("unreadable: {error}"))
    })
}

/// The program file of this process, even if it has been replaced since.
fn own_file() -> io::Result<File> {
    File::open("/proc/self/exe").or_else(|_| File::open(std::env::current_exe()?))
}

fn build_of(file: &mut (impl Read + Seek)) -> io::Result<String> {
    if let Some(id) = build_id(file)? {
        return Ok(id.iter().map(|byte| format!("{byte:02x}")).collect());
    }
    file.rewind()?;
    Ok(checksum_of(file)?.1)
}

/// An ELF file of 64 bits, with the lowest byte first.
const ELF: [u8; 6] = [0x7f, b'E', b'L', b'F', 2, 1];

/// The bytes of the file's header, and of a program header.
const FILE_HEADER: usize = 64;
const PROGRAM_HEADER: usize = 56;

/// The type of a segment that has notes.
const NOTES: u32 = 4;

/// The type of a note that has a build ID, of this owner.
const BUILD_ID: u32 = 3;
const OWNER: &[u8] = b"GNU\0";

/// Longer notes are no build ID.
const MOST_NOTES: u64 = 1 << 16;

/// Returns the build ID of an ELF file. `None` if there is none, or the file is another one.
fn build_id(file: &mut (impl Read + Seek)) -> io::Result<Option<Vec<u8>>> {
    let header = read_at(file, 0, FILE_HEADER as u64)?;
    if header.len() < FILE_HEADER || header[..ELF.len()] != ELF {
        return Ok(None);
    }
    let size = u64::from(u16::from_le_bytes([header[54], header[55]]));
    let n_headers = u64::from(u16::from_le_bytes([header[56], header[57]]));
    let headers = read_at(file, u64_at(&header[32..]), size * n_headers)?;
    for segment in headers.chunks_exact(size.max(PROGRAM_HEADER as u64) as usize) {
        if u32_at(segment) != NOTES {
            continue;
        }
        let [place, len, alignment] = [8, 32, 48].map(|at| u64_at(&segment[at..]));
        let notes = read_at(file, place, len.min(MOST_NOTES))?;
        if let Some(id) = build_id_among(&notes, if alignment == 8 { 8 } else { 4 }) {
            return Ok(Some(id.to_vec()));
        }
    }
    Ok(None)
}

/// Each note has the lengths of its owner and of its contents, its type, and then these two, padded
/// to the alignment.
fn build_id_among(mut notes: &[u8], alignment: usize) -> Option<&[u8]> {
    while notes.len() >= 12 {
        let [owner_len, len, kind] = [0, 4, 8].map(|at| u32_at(&notes[at..]));
        let start = (12 + owner_len as usize).next_multiple_of(alignment);
        let end = start + len as usize;
        let contents = notes.get(start..end)?;
        if kind == BUILD_ID && len > 0 && notes[12..12 + owner_len as usize] == *OWNER {
            return Some(contents);
        }
        notes = notes.get(end.next_multiple_of(alignment)..)?;
    }
    None
}

/// The `len` bytes at `place`, or fewer if the file ends there.
fn read_at(file: &mut (impl Read + Seek), place: u64, len: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(place))?;
    file.take(len).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The number in the first four bytes.
fn u32_at(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes[..4].try_into().expect("these are four"))
}

/// The number in the first eight bytes.
fn u64_at(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes[..8].try_into().expect("these are eight"))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn note(owner: &[u8], kind: u32, contents: &[u8], alignment: usize) -> Vec<u8> {
        let lengths = [owner.len() as u32, contents.len() as u32, kind];
        let mut bytes: Vec<u8> = lengths.iter().flat_map(|number| number.to_le_bytes()).collect();
        bytes.extend(owner);
        bytes.resize(bytes.len().next_multiple_of(alignment), 0);
        bytes.extend(contents);
        bytes.resize(bytes.len().next_multiple_of(alignment), 0);
        bytes
    }

    /// An ELF file with these notes, behind a segment of another type that looks like notes.
    fn elf(notes: &[u8], alignment: u64) -> Vec<u8> {
        let other = note(OWNER, BUILD_ID, &[6; 20], alignment as usize);
        let mut file = vec![0; FILE_HEADER + 2 * PROGRAM_HEADER];
        file[..ELF.len()].copy_from_slice(&ELF);
        file[32] = FILE_HEADER as u8;
        (file[54], file[56]) = (PROGRAM_HEADER as u8, 2);
        for (segment, kind, bytes) in [(0, 1, &*other), (1, NOTES, notes)] {
            let (at, place) = (FILE_HEADER + segment * PROGRAM_HEADER, file.len() as u64);
            file[at..at + 4].copy_from_slice(&kind.to_le_bytes());
            for (field, number) in [(8, place), (32, bytes.len() as u64), (48, alignment)] {
                file[at + field..][..8].copy_from_slice(&number.to_le_bytes());
            }
            file.extend(bytes);
        }
        file
    }

    fn found(file: &[u8]) -> Option<Vec<u8>> {
        build_id(&mut Cursor::new(file)).unwrap()
    }

    #[test]
    fn a_build_id_is_found_among_other_notes() {
        for alignment in [4, 8] {
            let mut notes = note(OWNER, 5, &[9; 13], alignment);
            notes.extend(note(b"rustc\0", BUILD_ID, &[8; 3], alignment));
            notes.extend(note(OWNER, BUILD_ID, &[7, 1, 2], alignment));
            let mut file = elf(&notes, alignment as u64);
            file.extend([0; 100]);
            assert_eq!(found(&file), Some(vec![7, 1, 2]), "{alignment}");
            assert_eq!(build_of(&mut Cursor::new(file)).unwrap(), "070102");
        }
    }

    #[test]
    fn a_file_without_a_build_id_has_the_checksum_of_all_its_bytes() {
        let without = [
            vec![],
            b"#!/bin/sh\n".repeat(20),
            elf(&[], 4),
            elf(&note(OWNER, 5, &[9; 13], 4), 4),
            elf(&note(OWNER, BUILD_ID, &[], 4), 4),
        ];
        for file in without {
            assert_eq!(found(&file), None);
            let checksum = build_of(&mut Cursor::new(&file)).unwrap();
            assert_eq!(checksum.len(), 32);
            let longer = [&file[..], &[1]].concat();
            assert_ne!(build_of(&mut Cursor::new(longer)).unwrap(), checksum);
        }
    }

    #[test]
    fn a_torn_file_has_no_build_id() {
        let whole = elf(&note(OWNER, BUILD_ID, &[7; 20], 4), 4);
        assert_eq!(found(&whole), Some(vec![7; 20]));
        for len in 0..whole.len() {
            assert_eq!(found(&whole[..len]), None, "{len} bytes");
        }
        // Lengths that nothing has.
        let mut endless = whole.clone();
        let notes = whole.len() - note(OWNER, BUILD_ID, &[7; 20], 4).len();
        endless[notes..notes + 8].fill(0xff);
        assert_eq!(found(&endless), None);
    }

    #[test]
    fn equal_files_are_equal_builds() {
        assert_eq!(own_build(), build_of(&mut own_file().unwrap()).unwrap());
        assert!(own_build().bytes().all(|byte| byte.is_ascii_hexdigit()), "{}", own_build());
    }
}
