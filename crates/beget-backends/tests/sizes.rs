//! Stores on disk at their ends: segments of several blocks, forms of any length, and the bytes
//! that all of it takes.

use std::fs;
use std::path::Path;

use beget_backends::disk::{Directory, DiskStore, RecordedStore};
use beget_engine::CallIdx;
use beget_engine::store::{
    Candidate, Candidates, ExactStore, Form, FormRef, Store, StoreError, StructureId, TagBits,
};
use tempfile::TempDir;

/// The structures of a block of the order, and those of a chunk or a block of origins.
const ORDER_BLOCK: u64 = 1 << 14;
const CHUNK: u64 = 1024;
const N_PARTITIONS: u64 = 256;

fn create(path: &Path) -> Directory {
    Directory::create(path, Vec::new()).unwrap()
}

fn disk_store(path: &Path, memory: u64) -> DiskStore {
    DiskStore::new(create(path), TagBits::default(), memory)
}

/// Candidates with these forms, each from a call of its own on the structure before it.
fn block_of<'f>(forms: impl IntoIterator<Item = &'f [u8]>) -> Candidates {
    let mut block = Candidates::default();
    let mut words = Vec::new();
    for (number, form) in (0..).zip(forms) {
        words.clear();
        for bytes in form.chunks(8) {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            words.push(u64::from_le_bytes(word));
        }
        let form = Form { words: &words, len: form.len() };
        let (call, arguments) =
            (CallIdx::new(number % 7), &[StructureId::new(u64::from(number) / 2)][..]);
        block.push(Candidate { form, call, arguments, objects: 0, continues_call: false });
    }
    block
}

/// A form for each number, of four to six bytes.
fn form(number: u64) -> Vec<u8> {
    let len = 4 + number as usize % 3;
    [&number.to_le_bytes()[..3], &[9; 3]].concat()[..len].to_vec()
}

fn forms(numbers: std::ops::Range<u64>) -> Vec<Vec<u8>> {
    numbers.map(form).collect()
}

fn add(store: &mut dyn Store, forms: &[Vec<u8>]) {
    store.commit(&[block_of(forms.iter().map(Vec::as_slice))]).unwrap();
    store.settle().unwrap();
}

/// All structures from a number to another one, with their forms.
fn scanned(store: &dyn Store, ids: std::ops::Range<u64>) -> Vec<(u64, Vec<u8>)> {
    let mut found = Vec::new();
    let visit = &mut |id: StructureId, form: FormRef<'_>| {
        found.push((id.number(), form.unpadded().as_bytes().to_vec()));
    };
    store.scan(ids, visit).unwrap();
    found
}

#[test]
fn structures_are_found_on_both_sides_of_every_block() {
    let dir = TempDir::new().unwrap();
    let mut store = disk_store(dir.path(), 1 << 30);
    let first = 2 * ORDER_BLOCK + 5000;
    let n = first + ORDER_BLOCK;
    add(&mut store, &forms(0..first));
    // This segment ends with a block.
    add(&mut store, &forms(first..n));
    assert_eq!(store.len(), n);
    let ends = [0, CHUNK, ORDER_BLOCK, 2 * ORDER_BLOCK, first, first + CHUNK, n];
    let mut places: Vec<u64> = ends.iter().flat_map(|end| end.saturating_sub(2)..end + 2).collect();
    places.retain(|&id| id < n);
    for &id in &places {
        assert_eq!(store.find(FormRef::new(&form(id))), Ok(Some(StructureId::new(id))));
        let kept = store.form(StructureId::new(id)).unwrap();
        assert_eq!(kept.as_ref().unpadded().as_bytes(), form(id), "{id}");
        assert_eq!(
            store.origin(StructureId::new(id)).unwrap().call,
            CallIdx::new(call_of(id, first))
        );
    }
    for id in [20_000, 35_000, 100, 35_000, first + 100, n - 100] {
        let kept = store.form(StructureId::new(id)).unwrap();
        assert_eq!(kept.as_ref().unpadded().as_bytes(), form(id), "{id}");
    }
    // Without compression a form takes four bytes or more, its place one and its origin two.
    let n_bytes = store.disk_bytes();
    assert!(n_bytes < 5 * n, "{n_bytes} for {n}");
    for id in places.iter().rev().copied() {
        let ids = id..(id + 5).min(n);
        let wanted: Vec<(u64, Vec<u8>)> = ids.clone().map(|id| (id, form(id))).collect();
        assert_eq!(scanned(&store, ids), wanted, "{id}");
    }
    let wanted: Vec<Vec<u8>> = places.iter().map(|&id| form(id)).chain([form(n), vec![]]).collect();
    let sought: Vec<FormRef<'_>> = wanted.iter().map(|form| FormRef::new(form)).collect();
    let found: Vec<Option<StructureId>> =
        places.iter().map(|&id| Some(StructureId::new(id))).chain([None, None]).collect();
    assert_eq!(store.find_all(&sought), Ok(found));
    assert_eq!(store.find(FormRef::new(&form(n))), Ok(None));
    let beyond = store.scan(n - 1..n + 1, &mut |_, _| {});
    assert!(matches!(beyond, Err(StoreError::Failed(_))), "{beyond:?}");
    assert!(matches!(store.origin(StructureId::new(n)), Err(StoreError::Failed(_))));
}

/// A partition with this number of structures has more than one chunk.
#[test]
fn structures_are_found_in_any_chunk_of_their_partition() {
    let dir = TempDir::new().unwrap();
    let mut store = disk_store(dir.path(), 1 << 30);
    let n = N_PARTITIONS * (CHUNK + 200);
    add(&mut store, &forms(0..n));
    let some: Vec<u64> = (0..n).step_by(1009).chain([n - 1]).collect();
    let wanted: Vec<Vec<u8>> = some.iter().map(|&id| form(id)).collect();
    let sought: Vec<FormRef<'_>> = wanted.iter().map(|form| FormRef::new(form)).collect();
    let found: Vec<_> = some.iter().map(|&id| Some(StructureId::new(id))).collect();
    assert_eq!(store.find_all(&sought), Ok(found.clone()));
    for (form, found) in sought.into_iter().zip(found).rev().step_by(10) {
        assert_eq!(store.find(form), Ok(found));
    }
}

#[test]
fn a_segment_that_is_cut_off_while_it_is_read_is_damaged() {
    let dir = TempDir::new().unwrap();
    let mut store = disk_store(dir.path(), 1 << 30);
    add(&mut store, &forms(0..3000));
    let segment = dir.path().join("segment-0");
    let file = fs::File::options().write(true).open(&segment).unwrap();
    file.set_len(10).unwrap();
    let error = store.scan(0..3000, &mut |_, _| {}).unwrap_err().to_string();
    let name = segment.display();
    let message = format!("`{name}` is damaged: it does not end as it was written");
    assert!(error.contains(&message), "{error}");
}

/// The call of a structure: numbers begin anew with each segment.
fn call_of(id: u64, first: u64) -> u32 {
    let within = if id < first { id } else { id - first };
    (within % 7) as u32
}

/// Lengths below 255 take a byte among the forms of a partition, others five.
#[test]
fn forms_of_any_length_differ() {
    let dir = TempDir::new().unwrap();
    let mut disk = disk_store(dir.path(), 0);
    let mut exact = ExactStore::new(7, TagBits::default());
    let of_len = |len: usize, last: u8| [vec![1; len], vec![last]].concat();
    let some: Vec<Vec<u8>> = (0..600).step_by(3).map(|len| of_len(len, 1)).collect();
    let ends: Vec<Vec<u8>> =
        (250..260).flat_map(|len| [1, 2].map(|end| of_len(len, end))).collect();
    let again = [some.clone(), ends.clone()].concat();
    let zeros: Vec<Vec<u8>> = (0..600).step_by(2).map(|len| of_len(len, 0)).collect();
    for forms in [some, ends, again, zeros] {
        add(&mut exact, &forms);
        add(&mut disk, &forms);
        assert_eq!(scanned(&disk, 0..disk.len()), scanned(&exact, 0..exact.len()));
        assert_eq!(disk.totals(), exact.totals());
        for form in &forms {
            let form = FormRef::new(form);
            assert_eq!(disk.find(form), exact.find(form));
        }
    }
}

/// A chunk is compressed if that is shorter, and its length says whether it is: chunks that are
/// shorter, as long, or longer.
#[test]
fn chunks_are_read_again_however_well_they_compress() {
    let dir = TempDir::new().unwrap();
    let mut rng = fastrand::Rng::with_seed(11);
    let mut store = disk_store(dir.path(), 1 << 30);
    let mut all = Vec::new();
    for n_random in 8..24_usize {
        let form = |number: u16| {
            let random = (0..n_random).map(|_| rng.u8(..));
            let mut form: Vec<u8> = random.chain(std::iter::repeat(7)).take(24).collect();
            form[..3].copy_from_slice(&[n_random as u8, number as u8, (number >> 8) as u8]);
            form
        };
        let forms: Vec<Vec<u8>> = (0..4 * N_PARTITIONS as u16).map(form).collect();
        add(&mut store, &forms);
        all.extend(forms);
    }
    let wanted: Vec<(u64, Vec<u8>)> = (0..).zip(all).collect();
    assert!(scanned(&store, 0..store.len()) == wanted);
}

/// The sizes of the files that hold structures or candidates.
fn file_bytes(path: &Path) -> u64 {
    let files = fs::read_dir(path).unwrap().map(|entry| entry.unwrap());
    let is_own = |name: &str| name.starts_with("segment-") || name.starts_with("candidates-");
    let own = files.filter(|file| is_own(&file.file_name().to_string_lossy()));
    own.map(|file| file.metadata().unwrap().len()).sum()
}

#[test]
fn a_store_takes_the_bytes_of_its_files() {
    let dir = TempDir::new().unwrap();
    let mut store = disk_store(dir.path(), 0);
    assert!(store.lasts());
    for round in 0..5 {
        let more = forms(round * 700..round * 700 + 1000);
        store.commit(&[block_of(more.iter().map(Vec::as_slice))]).unwrap();
        assert_eq!(store.disk_bytes(), file_bytes(dir.path()));
        if round % 2 == 1 {
            store.settle().unwrap();
            assert_eq!(store.disk_bytes(), file_bytes(dir.path()));
        }
    }
    store.settle().unwrap();
    store.save(&[]).unwrap();
    assert_eq!(store.disk_bytes(), file_bytes(dir.path()));

    let dir = TempDir::new().unwrap();
    let exact = ExactStore::new(7, TagBits::default());
    let mut store = RecordedStore::new(exact, create(dir.path()));
    for n in [10, 3000] {
        add(&mut store, &forms(0..n));
        store.save(&[]).unwrap();
        assert_eq!(store.disk_bytes(), file_bytes(dir.path()));
    }
}

/// Where the memory goes: the index has 32 bytes for each chunk and 24 for each other block, the
/// cache of origins room for 256 blocks of calls, ends and two arguments each.
#[test]
fn a_store_on_disk_holds_an_index_and_what_it_read_last() {
    let dir = TempDir::new().unwrap();
    let mut store = disk_store(dir.path(), 1 << 30);
    let cache = 256 * CHUNK * (4 + 4 + 2 * 8);
    assert_eq!(store.bytes(), cache);
    let n = ORDER_BLOCK + 5 * CHUNK;
    let candidates = forms(0..n);
    store.commit(&[block_of(candidates.iter().map(Vec::as_slice))]).unwrap();
    // Two bytes before each form, and four or more of its head.
    let n_form_bytes: usize = candidates.iter().map(Vec::len).sum();
    let least = n_form_bytes as u64 + 6 * n;
    let pending = store.bytes() - cache;
    assert!((least..3 * least).contains(&pending), "{pending} for {least}");
    store.settle().unwrap();
    let n_origin_blocks = n / CHUNK;
    let index = 32 * N_PARTITIONS + 24 * (2 + n_origin_blocks);
    assert_eq!(store.bytes(), cache + index);
    // One chunk of each partition stays unpacked, each form in the room of the longest.
    assert_eq!(scanned(&store, 0..n).len(), n as usize);
    assert_eq!(store.bytes(), cache + index + 6 * n);
}

#[test]
fn candidates_have_a_third_of_the_memory() {
    let dir = TempDir::new().unwrap();
    assert_eq!(disk_store(dir.path(), 300).lookup_bytes(), 100);
}

/// Settling reads all structures, so it is due only when candidates take as many bytes.
#[test]
fn settling_is_due_when_memory_is_full_and_candidates_take_the_bytes_of_structures() {
    let dir = TempDir::new().unwrap();
    let commit = |store: &mut DiskStore, numbers: std::ops::Range<u64>| {
        let more = forms(numbers);
        store.commit(&[block_of(more.iter().map(Vec::as_slice))]).unwrap();
    };
    // Without memory for candidates they go to a file when the next ones come.
    let mut measured = disk_store(&dir.path().join("measured"), 0);
    commit(&mut measured, 0..2000);
    commit(&mut measured, 0..1);
    let of_one = measured.disk_bytes();

    let mut store = disk_store(&dir.path().join("run"), 3 * of_one);
    commit(&mut store, 0..1999);
    assert!(!store.unsettled().is_due, "memory is not full");
    commit(&mut store, 1999..30_000);
    assert_eq!((store.unsettled().candidates, store.unsettled().is_due), (30_000, true));
    store.settle().unwrap();
    assert_eq!((store.unsettled().candidates, store.unsettled().is_due), (0, false));
    let stored = store.disk_bytes();
    let n_until_due = stored.div_ceil(of_one);
    for n in 1..=n_until_due {
        commit(&mut store, 0..2000);
        assert_eq!(store.unsettled().is_due, n == n_until_due, "{n} of {n_until_due}");
    }
    assert_eq!(store.disk_bytes(), stored + (n_until_due - 1) * of_one);
}

#[test]
fn candidates_that_change_in_their_file_are_noticed() {
    let dir = TempDir::new().unwrap();
    let mut store = disk_store(dir.path(), 0);
    let some = forms(0..2000);
    for _ in 0..2 {
        store.commit(&[block_of(some.iter().map(Vec::as_slice))]).unwrap();
    }
    let file = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().path());
    let is_full = |path: &std::path::PathBuf| {
        path.to_string_lossy().contains("candidates-") && path.metadata().unwrap().len() > 0
    };
    let file = file.into_iter().find(is_full).expect("memory for none");
    let whole = fs::read(&file).unwrap();
    for at in [0, whole.len() / 2, whole.len() - 1] {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        fs::write(&file, &bytes).unwrap();
        let error = store.settle().unwrap_err().to_string();
        let name = file.display();
        let message = format!("`{name}` is damaged: it does not hold what was written");
        assert!(error.contains(&message), "{error}");
    }
    fs::write(&file, &whole[..whole.len() - 1]).unwrap();
    let error = store.settle().unwrap_err().to_string();
    assert!(error.contains(&format!("cannot read `{}`", file.display())), "{error}");
    fs::write(&file, &whole).unwrap();
    assert_eq!(store.settle().unwrap().new, 2000);
}
