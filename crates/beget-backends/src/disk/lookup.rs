//! Looking up many forms at once: their partitions are read once, then the order of the structures,
//! which gives the numbers of those found.

use beget_engine::store::{FormRef, StructureId};
use hashbrown::HashTable;

use crate::disk::error::DiskError;
use crate::disk::partition::{N_PARTITIONS, hash_of, partition_of, trimmed};
use crate::disk::segment::{CHUNK, Segment, Unpacker};
use crate::disk::stored::StoredSegments;

/// A stored structure with one of the forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct FoundForm {
    /// Its position in its partition of the segment.
    index: u32,
    /// The number of the form among those sought.
    number: u32,
}

/// The forms found in a segment, by partition, in the order of the structures.
type FoundInSegment = Vec<Vec<FoundForm>>;

/// Finds the structures with these forms.
pub(crate) fn find_all(
    stored: &StoredSegments,
    forms: &[FormRef<'_>],
) -> Result<Vec<Option<StructureId>>, DiskError> {
    let mut wanted: Vec<WantedForms<'_>> =
        (0..N_PARTITIONS).map(|_| WantedForms::default()).collect();
    for (number, form) in (0..).zip(forms) {
        let form = trimmed(form.as_bytes());
        let hash = hash_of(form);
        wanted[partition_of(hash)].push(hash, form, number);
    }
    let segments = stored.segments();
    let mut found: Vec<FoundInSegment> = vec![vec![Vec::new(); N_PARTITIONS]; segments.len()];
    for (partition, wanted) in wanted.iter().enumerate() {
        let mut n_left = wanted.forms.len();
        for (segment, found) in segments.iter().zip(&mut found) {
            wanted.find_in(segment, partition, &mut n_left, &mut found[partition])?;
        }
    }
    let mut ids = vec![None; forms.len()];
    for ((segment, first), found) in stored.with_firsts().zip(found) {
        number(segment, first, &found, &mut ids)?;
    }
    Ok(ids)
}

/// The forms that are sought in a partition.
#[derive(Debug, Default)]
struct WantedForms<'f> {
    /// Each form, with its number among all sought.
    forms: Vec<(&'f [u8], u32)>,
    /// The places of forms in the list; equal ones have a place each.
    table: HashTable<u32>,
}

impl<'f> WantedForms<'f> {
    fn push(&mut self, hash: u64, form: &'f [u8], number: u32) {
        let WantedForms { forms, table } = self;
        forms.push((form, number));
        table.insert_unique(hash, forms.len() as u32 - 1, |&at| hash_of(forms[at as usize].0));
    }

    /// Finds the forms that a segment has, unless all were found before.
    fn find_in(
        &self,
        segment: &Segment,
        partition: usize,
        n_left: &mut usize,
        found: &mut Vec<FoundForm>,
    ) -> Result<(), DiskError> {
        let (mut unpacker, mut forms) = (Unpacker::new(), Vec::new());
        for chunk in 0..segment.n_chunks(partition) {
            if *n_left == 0 {
                break;
            }
            let stride = segment.read_chunk(partition, chunk, &mut unpacker, &mut forms)?;
            for index in 0..segment.chunk_len(partition, chunk) {
                let form = trimmed(&forms[index * stride..][..stride]);
                let equal = self.table.iter_hash(hash_of(form)).map(|&at| self.forms[at as usize]);
                for (_, number) in equal.filter(|(wanted, _)| *wanted == form) {
                    let index = (chunk * CHUNK + index) as u32;
                    found.push(FoundForm { index, number });
                    *n_left -= 1;
                }
            }
        }
        Ok(())
    }
}

/// Gives numbers to the structures found in a segment, which are numbered from `first` on.
fn number(
    segment: &Segment,
    first: u64,
    found: &FoundInSegment,
    ids: &mut [Option<StructureId>],
) -> Result<(), DiskError> {
    let mut left: Vec<&[FoundForm]> = found.iter().map(Vec::as_slice).collect();
    let mut n_left: usize = left.iter().map(|found| found.len()).sum();
    let mut next = 0;
    while n_left > 0 {
        let (start, mut block) = segment.order_block(next)?;
        for (id, partition) in (first + u64::from(start)..).zip(block.partitions.iter().copied()) {
            let partition = usize::from(partition);
            let index = block.positions[partition];
            block.positions[partition] += 1;
            while let Some((one, rest)) = left[partition].split_first()
                && one.index == index
            {
                ids[one.number as usize] = Some(StructureId::new(id));
                left[partition] = rest;
                n_left -= 1;
            }
        }
        next = start + block.partitions.len() as u32;
    }
    Ok(())
}
