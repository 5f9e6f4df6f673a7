//! Both stores beside the laws of stores and beside the store in memory, and saved runs read again.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use beget_backends::disk::{Directory, DiskError, DiskStore, RecordedStore, SaveLimit};
use beget_engine::CallIdx;
use beget_engine::store::{
    Candidate, Candidates, CanonicalForm, ExactStore, Form, FormRef, Store, StoreError,
    StructureId, TagBits, UnmatchedStore, laws,
};
use tempfile::TempDir;

fn identity() -> Vec<(String, String)> {
    vec![("suite".to_owned(), "made up".to_owned())]
}

fn create(path: &Path) -> Directory {
    Directory::create(path, identity()).unwrap()
}

/// Candidates with few forms, so that most come again, of one word to several.
fn blocks(rng: &mut fastrand::Rng, n_known: u64, n: usize) -> Vec<Candidates> {
    (0..3).map(|_| block(rng, n_known, n)).collect()
}

fn block(rng: &mut fastrand::Rng, n_known: u64, n: usize) -> Candidates {
    let mut block = Candidates::default();
    let mut arguments = Vec::new();
    for position in 0..n {
        let value = rng.u64(0..6000);
        // Of both types; objects are counted of the first.
        let mut words = vec![value << 8 | 2 | value & 1, value * value, 0, value];
        words.truncate(1 + value as usize % 4);
        let n_unused = value as usize % 3;
        let last = words.last_mut().expect("there is a word");
        *last &= u64::MAX >> (8 * n_unused);
        let len = words.len() * 8 - n_unused;
        let continues_call = position > 0 && rng.u8(..4) == 0;
        if !continues_call {
            let n_arguments = [1, 1, 1, 0, 3][rng.usize(..5)];
            let ids = (0..n_arguments).map(|_| StructureId::new(rng.u64(..n_known.max(1))));
            arguments = ids.collect();
        }
        let (call, objects) = (CallIdx::new(rng.u32(..300)), rng.u16(..7));
        let form = Form { words: &words, len };
        block.push(Candidate { form, call, arguments: &arguments, objects, continues_call });
    }
    block
}

/// Everything that can be read.
#[track_caller]
fn assert_same(found: &dyn Store, wanted: &dyn Store) {
    assert_eq!(found.len(), wanted.len());
    assert_eq!(found.totals(), wanted.totals());
    let forms = |store: &dyn Store| {
        let mut forms = Vec::new();
        let visit = &mut |id, form: FormRef<'_>| forms.push((id, form.unpadded().to_canonical()));
        store.scan(0..store.len(), visit).unwrap();
        forms
    };
    assert_eq!(forms(found), forms(wanted));
    for id in (0..wanted.len()).map(StructureId::new) {
        assert_eq!(found.origin(id), wanted.origin(id), "{id:?}");
    }
    for id in (0..wanted.len()).step_by(97).map(StructureId::new) {
        let form = wanted.form(id).unwrap();
        assert_eq!(found.form(id).unwrap().as_ref(), form.as_ref());
        assert_eq!(found.find(form.as_ref()), Ok(Some(id)));
    }
}

#[test]
fn the_laws_hold_on_disk() {
    for memory in [0, 100_000, 1 << 30] {
        let dir = TempDir::new().unwrap();
        laws::check(|tag_bits| DiskStore::new(create(dir.path()), tag_bits, memory)).unwrap();
    }
}

#[test]
fn the_laws_hold_where_a_run_is_recorded() {
    let dir = TempDir::new().unwrap();
    let exact = |tag_bits| ExactStore::new(laws::N_CALLS, tag_bits);
    laws::check(|tag_bits| RecordedStore::new(exact(tag_bits), create(dir.path()))).unwrap();
}

#[test]
fn whenever_it_settles_the_store_on_disk_is_that_in_memory() {
    for (seed, memory) in [(1, 0), (2, 30_000), (3, 1 << 30)] {
        let dir = TempDir::new().unwrap();
        let mut rng = fastrand::Rng::with_seed(seed);
        let tag_bits = TagBits::for_types(2);
        let mut disk = DiskStore::new(create(dir.path()), tag_bits, memory);
        let mut exact = ExactStore::new(300, tag_bits);
        let mut n_new = [0; 2];
        for batch in 0..30 {
            let n = rng.usize(0..900);
            let blocks = blocks(&mut rng, exact.len(), n);
            let counts = exact.commit(&blocks).unwrap();
            n_new[0] += counts.iter().map(|counts| counts.calls_with_new).sum::<u64>();
            disk.commit(&blocks).unwrap();
            if batch % 4 == 3 || disk.unsettled().is_due {
                n_new[1] += disk.settle().unwrap().calls_with_new;
                assert_same(&disk, &exact);
            }
        }
        n_new[1] += disk.settle().unwrap().calls_with_new;
        assert_same(&disk, &exact);
        assert_eq!(n_new[0], n_new[1]);
        assert_eq!(disk.unsettled().candidates, 0);
    }
}

#[test]
fn forms_are_found_together_as_they_are_one_by_one() {
    let dir = TempDir::new().unwrap();
    let mut rng = fastrand::Rng::with_seed(6);
    let tag_bits = TagBits::for_types(2);
    let mut disk = DiskStore::new(create(dir.path()), tag_bits, 1 << 20);
    let mut exact = ExactStore::new(300, tag_bits);
    assert_eq!(disk.find_all(&[FormRef::new(&[1])]), Ok(vec![None]));
    // Several segments, of more structures together than one block of the order has.
    for n in [4000, 2000, 10] {
        let blocks = blocks(&mut rng, 1, n);
        exact.commit(&blocks).unwrap();
        disk.commit(&blocks).unwrap();
        disk.settle().unwrap();
    }
    let mut forms = Vec::new();
    let all = 0..exact.len();
    exact.scan(all, &mut |_, form| forms.push(form.to_canonical())).unwrap();
    // Some come twice, and some are not there.
    let other = |form: &CanonicalForm| [&[7], form.as_bytes()].concat();
    forms.extend(forms.iter().step_by(5).cloned().collect::<Vec<_>>());
    forms.extend(forms.iter().step_by(3).map(|form| other(form).into()).collect::<Vec<_>>());
    rng.shuffle(&mut forms);
    let forms: Vec<FormRef<'_>> = forms.iter().map(CanonicalForm::as_ref).collect();
    for n in [0, 1, 50, forms.len()] {
        let forms = &forms[..n];
        let one_by_one: Vec<_> = forms.iter().map(|&form| exact.find(form).unwrap()).collect();
        assert_eq!(disk.find_all(forms), Ok(one_by_one));
    }
}

#[test]
fn structures_can_be_read_again_and_backwards() {
    let dir = TempDir::new().unwrap();
    let mut rng = fastrand::Rng::with_seed(8);
    let tag_bits = TagBits::for_types(2);
    let mut disk = DiskStore::new(create(dir.path()), tag_bits, 1 << 20);
    let mut exact = ExactStore::new(300, tag_bits);
    for n in [4000, 600] {
        let blocks = blocks(&mut rng, 1, n);
        exact.commit(&blocks).unwrap();
        disk.commit(&blocks).unwrap();
        disk.settle().unwrap();
    }
    let mut id = 0_i64;
    for _ in 0..20_000 {
        let step = [0, 0, 1, 1, 2, -1, -1, 700, -700][rng.usize(..9)];
        id = (id + step).rem_euclid(exact.len() as i64);
        let id = StructureId::new(id as u64);
        assert_eq!(disk.form(id).unwrap().as_ref(), exact.form(id).unwrap().as_ref(), "{id:?}");
    }
}

#[test]
fn origins_are_the_same_however_many_blocks_there_are() {
    let dir = TempDir::new().unwrap();
    let mut rng = fastrand::Rng::with_seed(10);
    let mut disk = DiskStore::new(create(dir.path()), TagBits::default(), 1 << 20);
    let mut exact = ExactStore::new(300, TagBits::default());
    // More blocks than are kept, and some with more arguments than there is room for.
    for number in 0..260_u64 {
        let mut block = Candidates::default();
        for value in 0..4 {
            let n_arguments = if number % 50 == 7 { 3000 } else { rng.usize(..4) };
            let arguments: Vec<_> =
                (0..n_arguments).map(|_| StructureId::new(rng.u64(..9))).collect();
            let form = Form { words: &[number << 8 | value << 3 | 1], len: 8 };
            let (call, objects) = (CallIdx::new(rng.u32(..300)), 0);
            let arguments = &arguments[..];
            block.push(Candidate { form, call, arguments, objects, continues_call: false });
        }
        exact.commit(std::slice::from_ref(&block)).unwrap();
        disk.commit(&[block]).unwrap();
        disk.settle().unwrap();
    }
    assert_eq!(exact.len(), 1040);
    for _ in 0..5000 {
        let id = StructureId::new(rng.u64(..1040));
        assert_eq!(disk.origin(id), exact.origin(id), "{id:?}");
    }
}

/// A store in a directory: a new one, or the one that was saved there with its state.
fn open(path: &Path, is_recorded: bool, is_new: bool) -> (Box<dyn Store>, Vec<u8>) {
    let tag_bits = TagBits::for_types(2);
    let exact = ExactStore::new(300, tag_bits);
    if is_new {
        let directory = create(path);
        return match is_recorded {
            false => (Box::new(DiskStore::new(directory, tag_bits, 0)), vec![]),
            true => (Box::new(RecordedStore::new(exact, directory)), vec![]),
        };
    }
    let (directory, manifest) = Directory::open(path).unwrap();
    assert_eq!(manifest.identity, identity());
    if is_recorded {
        let (store, state) = RecordedStore::open(exact, directory, tag_bits).unwrap();
        return (Box::new(store), state);
    }
    let (store, state) = DiskStore::open(directory, tag_bits, 0).unwrap();
    (Box::new(store), state)
}

#[test]
fn what_was_saved_is_there_again_and_nothing_else() {
    for is_recorded in [false, true] {
        let dir = TempDir::new().unwrap();
        let mut rng = fastrand::Rng::with_seed(5);
        let mut exact = ExactStore::new(300, TagBits::for_types(2));
        let (mut store, _) = open(dir.path(), is_recorded, true);
        for round in 0..5_u8 {
            let saved = blocks(&mut rng, exact.len(), 400);
            exact.commit(&saved).unwrap();
            store.commit(&saved).unwrap();
            store.settle().unwrap();
            store.save(&[round, 7]).unwrap();
            // What comes after is lost with the process.
            let lost = blocks(&mut rng, exact.len(), 400);
            store.commit(&lost).unwrap();
            if round % 2 == 0 {
                store.settle().unwrap();
            }
            drop(store);
            let state;
            (store, state) = open(dir.path(), is_recorded, false);
            assert_eq!(state, [round, 7]);
            assert_same(&*store, &exact);
        }
    }
}

#[test]
fn a_recorded_store_answers_as_the_store_that_it_records() {
    let [dir, own] = [(); 2].map(|()| TempDir::new().unwrap());
    let tag_bits = TagBits::for_types(2);
    let mut rng = fastrand::Rng::with_seed(14);
    let blocks = blocks(&mut rng, 1, 500);
    let n: usize = blocks.iter().map(Candidates::len).sum();

    let disk = DiskStore::new(create(&dir.path().join("disk")), tag_bits, 1 << 20);
    let mut delayed = RecordedStore::new(disk, create(own.path()));
    assert!(delayed.lasts() && delayed.matches());
    delayed.commit(&blocks).unwrap();
    assert_eq!((delayed.unsettled().candidates, delayed.len()), (n as u64, 0));
    let mut exact = ExactStore::new(300, tag_bits);
    let counts = exact.commit(&blocks).unwrap();
    let n_new: u64 = counts.iter().map(|counts| counts.new).sum();
    assert_eq!(delayed.settle().unwrap().new, n_new);
    assert_same(&delayed, &exact);

    let path = dir.path().join("unmatched");
    let mut alone = UnmatchedStore::new(300, tag_bits);
    let mut unmatched = RecordedStore::new(UnmatchedStore::new(300, tag_bits), create(&path));
    assert!(!unmatched.matches());
    for store in [&mut alone as &mut dyn Store, &mut unmatched] {
        store.commit(&blocks).unwrap();
    }
    assert_eq!((unmatched.len() as usize, unmatched.bytes()), (n, alone.bytes()));
    unmatched.save(&[]).unwrap();
    drop(unmatched);
    // A store that matches does not take the same form twice.
    let (directory, _) = Directory::open(&path).unwrap();
    let opened = RecordedStore::open(ExactStore::new(300, tag_bits), directory, tag_bits);
    let error = opened.map(drop).unwrap_err().to_string();
    assert!(error.contains("is damaged: structures are in it twice"), "{error}");
}

#[test]
fn a_directory_is_for_one_run_and_one_process() {
    let dir = TempDir::new().unwrap();
    let directory = create(dir.path());
    let again = Directory::create(dir.path(), identity());
    assert!(matches!(again, Err(DiskError::InUse(_))), "{again:?}");
    let mut store = DiskStore::new(directory, TagBits::default(), 0);
    store.save(&[]).unwrap();
    let held = Directory::open(dir.path());
    assert!(matches!(held, Err(DiskError::InUse(_))));
    drop(store);
    let again = Directory::create(dir.path(), identity());
    assert!(matches!(again, Err(DiskError::Occupied(_))), "{again:?}");
    assert!(Directory::open(dir.path()).is_ok());

    let other = TempDir::new().unwrap();
    let none = Directory::open(other.path());
    assert!(matches!(none, Err(DiskError::NoRun(_))));
    std::fs::write(other.path().join("letters.txt"), "").unwrap();
    let foreign = Directory::create(other.path(), identity());
    assert!(matches!(foreign, Err(DiskError::Foreign(_))), "{foreign:?}");
}

/// A saved run with some thousand structures in two segments.
fn saved(path: &Path) {
    let mut rng = fastrand::Rng::with_seed(9);
    let mut store = DiskStore::new(create(path), TagBits::default(), 0);
    for _ in 0..2 {
        store.commit(&blocks(&mut rng, 1, 3000)).unwrap();
        store.settle().unwrap();
    }
    store.save(&[1, 2, 3]).unwrap();
}

/// Reads all that was saved.
fn read(path: &Path) -> Result<(), String> {
    let (directory, _) = Directory::open(path).map_err(|error| error.to_string())?;
    let opened = DiskStore::open(directory, TagBits::default(), 0);
    let (store, _) = opened.map_err(|error| error.to_string())?;
    let all = 0..store.len();
    store.scan(all.clone(), &mut |_, _| {}).map_err(|error| error.to_string())?;
    for id in all {
        store.origin(StructureId::new(id)).map_err(|error| error.to_string())?;
    }
    Ok(())
}

#[test]
fn no_byte_of_a_saved_run_changes_unseen() {
    let dir = TempDir::new().unwrap();
    saved(dir.path());
    read(dir.path()).unwrap();
    let mut rng = fastrand::Rng::with_seed(4);
    for name in ["manifest", "segment-0", "segment-1"] {
        let path = dir.path().join(name);
        let whole = std::fs::read(&path).unwrap();
        for _ in 0..60 {
            let mut bytes = whole.clone();
            let at = rng.usize(..bytes.len());
            bytes[at] ^= 1 << rng.u8(..8);
            std::fs::write(&path, &bytes).unwrap();
            let error = read(dir.path()).expect_err("a byte has changed");
            assert!(error.contains(name), "{at} of {}: {error}", whole.len());
            std::fs::write(&path, &whole[..at]).unwrap();
            let error = read(dir.path()).expect_err("the end is missing");
            assert!(error.contains(name), "{at} of {}: {error}", whole.len());
        }
        std::fs::write(&path, &whole).unwrap();
    }
    std::fs::remove_file(dir.path().join("segment-1")).unwrap();
    let error = read(dir.path()).expect_err("a file is missing");
    assert!(error.contains("segment-1` is not there, and `"), "{error}");
}

/// A pipe in place of a segment: opening it would wait for a writer.
#[test]
#[cfg(unix)]
fn what_is_no_file_is_refused() {
    let dir = TempDir::new().unwrap();
    saved(dir.path());
    let segment = dir.path().join("segment-1");
    std::fs::remove_file(&segment).unwrap();
    // No process is started for it: that would hold the locks of other tests until it has begun.
    nix::unistd::mkfifo(&segment, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let error = read(dir.path()).expect_err("a segment is a pipe");
    assert!(error.contains("segment-1` is damaged: it is no file"), "{error}");
}

thread_local! {
    /// The number of times that this thread's stores may ask their limit before it is over.
    static N_QUESTIONS: Arc<AtomicU32> = Arc::new(AtomicU32::new(u32::MAX));
}

/// A limit that is over after [`N_QUESTIONS`], on any threads.
const COUNTED: SaveLimit = SaveLimit(|| {
    let n_left = N_QUESTIONS.with(Arc::clone);
    let take_one = |n: u32| n.checked_sub(1);
    Box::new(move || n_left.fetch_update(Relaxed, Relaxed, take_one).is_err())
});

fn limited(path: &Path, is_recorded: bool) -> Box<dyn Store> {
    let tag_bits = TagBits::for_types(2);
    let directory = match Directory::holds_run(path) {
        true => Directory::open(path).unwrap().0,
        false => create(path),
    };
    match is_recorded {
        true => {
            let exact = ExactStore::new(300, tag_bits);
            Box::new(RecordedStore::new(exact, directory).with_limit(COUNTED))
        }
        false => Box::new(DiskStore::new(directory, tag_bits, 0).with_limit(COUNTED)),
    }
}

/// A save that an interrupt cuts anywhere leaves the files of the last one, and the store can save
/// again.
#[test]
fn a_save_that_is_cut_short_leaves_what_was_saved_before() {
    for is_recorded in [false, true] {
        let dir = TempDir::new().unwrap();
        let mut rng = fastrand::Rng::with_seed(12);
        let mut exact = ExactStore::new(300, TagBits::for_types(2));
        let mut store = limited(dir.path(), is_recorded);
        let save =
            |store: &mut Box<dyn Store>, number| store.settle().and_then(|_| store.save(&[number]));
        let first = blocks(&mut rng, 1, 3000);
        exact.commit(&first).unwrap();
        store.commit(&first).unwrap();
        save(&mut store, 1).unwrap();
        let saved = files_of(dir.path());

        let second = blocks(&mut rng, exact.len(), 6000);
        exact.commit(&second).unwrap();
        store.commit(&second).unwrap();
        let unsettled = store.unsettled();
        let mut n_cuts = 0;
        loop {
            N_QUESTIONS.with(|left| left.store(n_cuts, Relaxed));
            let told = save(&mut store, 2);
            N_QUESTIONS.with(|left| left.store(u32::MAX, Relaxed));
            if told.is_ok() {
                break;
            }
            assert_eq!(told, Err(StoreError::CutShort));
            assert_eq!(files_of(dir.path()), saved, "{n_cuts} questions");
            assert_eq!(store.unsettled(), unsettled);
            n_cuts += 1 + n_cuts / 4;
        }
        // One question for 1,024 structures, and for each partition of a store on disk.
        let least = if is_recorded { 1 } else { 250 };
        assert!(n_cuts >= least, "{n_cuts} questions");
        assert_same(&*store, &exact);
        drop(store);
        let (store, state) = open(dir.path(), is_recorded, false);
        assert_eq!(state, [2]);
        assert_same(&*store, &exact);
    }
}

/// The files of a saved run, by name; the candidates that wait in files are none.
fn files_of(path: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), entry.path()))
        .filter(|(name, _)| name == "manifest" || name.starts_with("segment-"))
        .map(|(name, path)| (name, std::fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}
