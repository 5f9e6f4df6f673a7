//! Runs that several processes save in parts: what each reads again, and which files stay.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use beget_backends::disk::{
    Directory, DiskError, DiskStore, PartForm, PartOf, PartRecorder, PartStructures, RecordedStore,
    SavedRest, SavedStep, holds_parts, read_saved, saved_steps,
};
use beget_engine::CallIdx;
use beget_engine::store::{
    Candidate, Candidates, ExactStore, Form, FormRef, Origin, Store, StoreError, StructureId,
    TagBits, Totals,
};
use tempfile::TempDir;

fn identity() -> Vec<(String, String)> {
    vec![("suite".to_owned(), "made up".to_owned())]
}

fn form(id: u64) -> Vec<u8> {
    [&id.to_le_bytes()[..3], &[5]].concat()
}

fn origin(id: u64) -> Origin {
    Origin { call: CallIdx::new(id as u32 % 5), arguments: vec![StructureId::new(id / 2)] }
}

/// The process of `n` that keeps a structure.
fn owner(id: u64, n: u32) -> u32 {
    (id * id % 7) as u32 % n
}

/// The structures as one process of `n` has them.
struct ProcessParts(PartOf);

impl PartStructures for ProcessParts {
    fn scan(
        &self,
        ids: Range<u64>,
        visit: &mut dyn FnMut(StructureId, PartForm<'_>),
    ) -> Result<(), StoreError> {
        for id in ids {
            let own = form(id);
            let form = match owner(id, self.0.n) == self.0.index {
                true => PartForm::Own(FormRef::new(&own)),
                false => PartForm::Other(FormRef::new(&own[..1])),
            };
            visit(StructureId::new(id), form);
        }
        Ok(())
    }

    fn origin(&self, id: StructureId) -> Result<Origin, StoreError> {
        Ok(origin(id.number()))
    }
}

fn totals(n: u64) -> Totals {
    Totals { by_type: vec![n], by_objects: vec![n], digest: u128::from(n) << 90 }
}

fn part(index: u32, n: u32) -> PartOf {
    PartOf { index, n }
}

fn path_of(root: &Path, me: PartOf) -> PathBuf {
    root.join(format!("part-{}-of-{}", me.index, me.n))
}

fn save(recorder: &mut PartRecorder, me: PartOf, n_structures: u64) {
    let state = n_structures.to_le_bytes();
    recorder.save(&ProcessParts(me), n_structures, &totals(n_structures), &state).unwrap();
    assert_eq!((recorder.len(), recorder.is_empty()), (n_structures, n_structures == 0));
}

/// Saves a run of `n` processes at each of these numbers of structures.
fn save_all(root: &Path, n: u32, at: &[u64]) {
    let create = |me| {
        let recorder = PartRecorder::create(root, me, identity()).unwrap();
        assert!(recorder.is_empty());
        (me, recorder)
    };
    let mut recorders: Vec<_> = (0..n).map(|index| create(part(index, n))).collect();
    for &n_structures in at {
        recorders.iter_mut().for_each(|(me, recorder)| save(recorder, *me, n_structures));
    }
}

fn names_in(path: &Path) -> Vec<String> {
    let names = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

/// A structure as it is read: its form or its tag, whether it is kept here, and its origin.
type Read = Vec<(bool, Vec<u8>, Origin)>;

/// Asserts that `read` calls its argument with the first structures, as `me` has them.
#[track_caller]
fn assert_read(
    n_structures: u64,
    is_own: impl Fn(u64) -> bool,
    read: impl FnOnce(
        &mut dyn FnMut(PartForm<'_>, CallIdx, &[StructureId]),
    ) -> Result<SavedRest, DiskError>,
) {
    let mut found = Read::new();
    let rest = read(&mut |form, call, arguments| {
        let (is_own, form) = match form {
            PartForm::Own(form) => (true, form),
            PartForm::Other(tag) => (false, tag),
        };
        let origin = Origin { call, arguments: arguments.to_vec() };
        // The tag 0 is written as nothing.
        let form = form.unpadded().as_bytes().to_vec();
        found.push((is_own, form, origin));
    })
    .unwrap();
    let wanted = (0..n_structures).map(|id| {
        let bytes = form(id);
        let bytes = if is_own(id) { &bytes[..] } else { &bytes[..1] };
        let bytes = FormRef::new(bytes).unpadded().as_bytes().to_vec();
        (is_own(id), bytes, origin(id))
    });
    assert!(found == wanted.collect::<Read>(), "{n_structures}: {} are read", found.len());
    assert_eq!(rest.totals, totals(n_structures));
    assert_eq!(rest.state, n_structures.to_le_bytes());
}

fn steps(root: &Path, me: PartOf) -> Vec<SavedStep> {
    let mut steps = saved_steps(root, me).unwrap().steps;
    steps.sort();
    steps
}

/// They have the same number of structures.
#[test]
fn of_the_moments_that_are_saved_one_after_the_other_the_last_is_the_greatest() {
    let root = TempDir::new().unwrap();
    let root = root.path();
    let all = [part(0, 2), part(1, 2)];
    let mut recorders: Vec<PartRecorder> =
        all.iter().map(|&me| PartRecorder::create(root, me, identity()).unwrap()).collect();
    for state in 1..10_u8 {
        for (&me, mut recorder) in all.iter().zip(std::mem::take(&mut recorders)) {
            recorder.save(&ProcessParts(me), 9, &totals(9), &[state]).unwrap();
        }
        let last = steps(root, all[0]).pop().unwrap();
        let open = |&me| {
            let opened = PartRecorder::open(root, me, identity(), &last, &mut |_, _, _| {});
            let (recorder, rest) = opened.unwrap();
            assert_eq!(rest.state, [state]);
            recorder
        };
        recorders = all.iter().map(open).collect();
    }
}

#[test]
fn each_process_reads_its_part_and_others_read_all() {
    // More than are read at once, and a segment for each save.
    let at = [10, 5000, 9000];
    for n in 1..4 {
        let dir = TempDir::new().unwrap();
        save_all(dir.path(), n, &at);
        assert!(holds_parts(dir.path()));
        let me = part(n - 1, n);
        // The step before the last one is kept too.
        let found = steps(dir.path(), me);
        assert_eq!(found.iter().map(|step| step.n_structures).collect::<Vec<_>>(), at[1..]);
        assert!(found.iter().all(|step| step.is_of(me) && !step.is_whole()));
        for step in &found {
            for me in (0..n).map(|index| part(index, n)) {
                let is_own = |id| owner(id, n) == me.index;
                assert_read(step.n_structures, is_own, |visit| {
                    read_saved(dir.path(), me, step, visit)
                });
            }
            let other = part(4, 5);
            assert!(!step.is_of(other));
            assert_eq!(steps(dir.path(), other), found);
            assert_read(
                step.n_structures,
                |_| true,
                |visit| read_saved(dir.path(), other, step, visit),
            );
        }
    }
}

/// One was killed after it had saved once more: its manifest before becomes the newest.
#[test]
fn a_part_that_is_a_step_ahead_goes_back_and_on() {
    let dir = TempDir::new().unwrap();
    save_all(dir.path(), 2, &[300, 600]);
    let me = part(0, 2);
    let step = &steps(dir.path(), me)[1];
    assert_eq!(step.n_structures, 600);
    let is_own = |id| owner(id, 2) == 0;
    let open = |step: &SavedStep| {
        let mut recorder = None;
        assert_read(step.n_structures, is_own, |visit| {
            let (opened, rest) = PartRecorder::open(dir.path(), me, identity(), step, visit)?;
            recorder = Some(opened);
            Ok(rest)
        });
        recorder.expect("it is open")
    };
    // Without another save nothing changes.
    let path = path_of(dir.path(), me);
    let files = ["lock", "manifest", "manifest.old", "segment-0", "segment-1"];
    drop(open(step));
    assert_eq!(names_in(&path), files);
    save(&mut open(step), me, 900);
    assert_eq!(names_in(&path), [&files[..], &["segment-2"]].concat());
    let found = saved_steps(dir.path(), part(0, 3)).unwrap();
    assert_eq!(found.steps, std::slice::from_ref(step));
    assert_eq!(found.mixed, None);

    let mut recorder = open(step);
    assert_eq!(names_in(&path), ["lock", "manifest", "segment-0", "segment-1"]);
    save(&mut recorder, me, 700);
    assert_eq!(recorder.n_bytes(), segment_bytes(&path));
    drop(recorder);
    let found: Vec<u64> = steps(dir.path(), me).iter().map(|step| step.n_structures).collect();
    assert_eq!(found, [600, 700]);
}

fn segment_bytes(path: &Path) -> u64 {
    let segments = names_in(path).into_iter().filter(|name| name.starts_with("segment-"));
    segments.map(|name| path.join(name).metadata().unwrap().len()).sum()
}

#[test]
fn parts_without_a_step_in_common_are_named() {
    let [dir, other] = [(); 2].map(|()| TempDir::new().unwrap());
    save_all(dir.path(), 2, &[300]);
    save_all(other.path(), 2, &[200]);
    let odd = path_of(dir.path(), part(1, 2));
    fs::remove_dir_all(&odd).unwrap();
    fs::rename(path_of(other.path(), part(1, 2)), &odd).unwrap();
    // Each goes on by itself if the number of processes is the same.
    assert_eq!(steps(dir.path(), part(1, 2))[0].n_structures, 200);
    let found = saved_steps(dir.path(), part(0, 3)).unwrap();
    assert_eq!((found.steps.len(), found.mixed), (0, Some(odd.join("manifest"))));
    let manifests = [0, 1].map(|index| path_of(dir.path(), part(index, 2)).join("manifest"));
    assert_eq!(found.identities, manifests.map(|manifest| (manifest, identity())));
}

/// A run that waits for a level to end may save twice without a new structure.
#[test]
fn saves_of_the_same_state_are_different_steps() {
    let dir = TempDir::new().unwrap();
    save_all(dir.path(), 2, &[300, 300]);
    let me = part(0, 2);
    let found = steps(dir.path(), me);
    assert_eq!((found.len(), found[0] == found[1]), (2, false));
    let manifests = saved_steps(dir.path(), me).unwrap().identities;
    let path = path_of(dir.path(), me);
    assert_eq!(me.manifest_path(dir.path()), path.join("manifest"));
    let manifests: Vec<PathBuf> = manifests.into_iter().map(|(manifest, _)| manifest).collect();
    assert_eq!(manifests, [path.join("manifest"), path.join("manifest.old")]);
}

#[test]
fn what_is_no_directory_holds_no_run() {
    let dir = TempDir::new().unwrap();
    let missing = dir.path().join("missing");
    assert!(!holds_parts(&missing));
    let error = saved_steps(&missing, part(0, 2)).unwrap_err();
    assert!(matches!(error, DiskError::NoRun(_)), "{error}");
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let error = saved_steps(&file, part(0, 2)).unwrap_err().to_string();
    assert!(error.starts_with(&format!("cannot read `{}`: ", file.display())), "{error}");
    // A manifest that cannot be removed stays, and so do its segments.
    let run = dir.path().join("run");
    fs::create_dir_all(run.join("manifest")).unwrap();
    fs::write(run.join("segment-0"), "").unwrap();
    let error = Directory::replace(&run, identity()).map(drop).unwrap_err().to_string();
    let manifest = run.join("manifest");
    assert!(error.starts_with(&format!("cannot write `{}`: ", manifest.display())), "{error}");
    assert!(run.join("segment-0").is_file());
}

#[test]
fn a_missing_part_is_named() {
    let dir = TempDir::new().unwrap();
    let none = saved_steps(dir.path(), part(0, 2)).unwrap_err();
    assert!(matches!(none, DiskError::NoRun(_)), "{none}");
    assert!(!holds_parts(dir.path()));
    save_all(dir.path(), 2, &[30]);
    let missing = path_of(dir.path(), part(1, 2));
    fs::remove_dir_all(&missing).unwrap();
    let error = saved_steps(dir.path(), part(0, 1)).unwrap_err();
    assert!(matches!(&error, DiskError::NoPart(path) if *path == missing), "{error}");
    assert_eq!(steps(dir.path(), part(0, 2)).len(), 1);
    let step = &steps(dir.path(), part(0, 2))[0];
    let read = read_saved(dir.path(), part(1, 2), step, &mut |_, _, _| {});
    assert!(read.is_err());
}

#[test]
fn a_manifest_of_another_part_is_refused() {
    let dir = TempDir::new().unwrap();
    save_all(dir.path(), 2, &[30]);
    let [first, second] = [0, 1].map(|index| path_of(dir.path(), part(index, 2)));
    fs::copy(first.join("manifest"), second.join("manifest")).unwrap();
    let error = saved_steps(dir.path(), part(1, 2)).unwrap_err().to_string();
    let file = second.join("manifest");
    let file = file.display();
    assert_eq!(
        error,
        format!("`{file}` does not belong there: it was saved for part 0 of 2 of a run")
    );
    let whole = TempDir::new().unwrap();
    whole_run(whole.path(), 30);
    fs::copy(whole.path().join("manifest"), second.join("manifest")).unwrap();
    let error = saved_steps(dir.path(), part(1, 2)).unwrap_err().to_string();
    assert_eq!(
        error,
        format!("`{file}` does not belong there: it was saved for a run of one process")
    );
    // Segments have the fingerprint of their part.
    let dir = TempDir::new().unwrap();
    save_all(dir.path(), 2, &[30]);
    let [first, second] = [0, 1].map(|index| path_of(dir.path(), part(index, 2)));
    fs::copy(first.join("segment-0"), second.join("segment-0")).unwrap();
    let error = saved_steps(dir.path(), part(1, 2)).unwrap_err().to_string();
    assert!(error.ends_with("it is of another run, or of another part of the run"), "{error}");
}

/// Saves a run of one process, with its structures in memory.
fn whole_run(path: &Path, n: u64) {
    let exact = ExactStore::new(5, TagBits::default());
    let mut store = RecordedStore::new(exact, Directory::create(path, identity()).unwrap());
    let mut block = Candidates::default();
    for id in 0..n {
        let bytes = form(id);
        let word = u64::from(u32::from_le_bytes(bytes[..].try_into().unwrap()));
        let Origin { call, arguments } = origin(id);
        let form = Form { words: &[word], len: 4 };
        let arguments = &arguments[..];
        block.push(Candidate { form, call, arguments, objects: 0, continues_call: false });
    }
    store.commit(&[block]).unwrap();
    store.save(&n.to_le_bytes()).unwrap();
}

/// A run goes from one process to two, and to one again; each time the files before go when all
/// have saved.
#[test]
fn files_of_another_number_of_processes_go_when_all_have_saved() {
    let dir = TempDir::new().unwrap();
    let root = dir.path();
    whole_run(root, 50);
    assert!(!holds_parts(root));
    let step = &steps(root, part(0, 2))[0];
    assert!(step.is_whole() && !step.is_of(PartOf::WHOLE));
    let mut recorders = [0, 1].map(|index| {
        let me = part(index, 2);
        let mut found = 0;
        let visit = &mut |form: PartForm<'_>, _: CallIdx, _: &[StructureId]| {
            assert!(matches!(form, PartForm::Own(_)));
            found += 1;
        };
        let (mut recorder, rest) = PartRecorder::open(root, me, identity(), step, visit).unwrap();
        assert_eq!((found, rest.state), (50, 50_u64.to_le_bytes().to_vec()));
        assert_eq!(recorder.root(), root);
        save(&mut recorder, me, 60);
        recorder
    });
    let parts = ["part-0-of-2", "part-1-of-2"];
    assert_eq!(names_in(root), [&["lock", "manifest"][..], &parts, &["segment-0"]].concat());
    recorders[0].all_have_saved();
    assert_eq!(names_in(root), [&["lock"][..], &parts].concat());
    recorders[1].all_have_saved();
    drop(recorders);

    let step = &steps(root, PartOf::WHOLE)[0];
    let exact = ExactStore::new(5, TagBits::default());
    let (mut store, state) = RecordedStore::of_parts(exact, root, step, identity()).unwrap();
    assert_eq!((store.len(), state), (60, 60_u64.to_le_bytes().to_vec()));
    store.save(&[1]).unwrap();
    assert_eq!(names_in(root), ["lock", "manifest", "segment-0"]);
    drop(store);
    let (directory, _) = Directory::open(root).unwrap();
    let (store, state) = DiskStore::open(directory, TagBits::default(), 0).unwrap();
    assert_eq!((store.len(), state), (60, vec![1]));
    for id in (0..60).map(StructureId::new) {
        assert_eq!(store.form(id).unwrap().as_ref().unpadded().as_bytes(), form(id.number()));
        assert_eq!(store.origin(id), Ok(origin(id.number())));
    }
}

/// A search that starts anew: what was saved is worth nothing.
#[test]
fn a_recorder_that_begins_again_has_no_files() {
    let dir = TempDir::new().unwrap();
    let me = part(0, 1);
    let mut recorder = PartRecorder::create(dir.path(), me, identity()).unwrap();
    save(&mut recorder, me, 20);
    save(&mut recorder, me, 40);
    recorder.begin_again().unwrap();
    assert_eq!((recorder.len(), recorder.n_bytes()), (0, 0));
    assert_eq!(names_in(&path_of(dir.path(), me)), ["lock"]);
    save(&mut recorder, me, 30);
    drop(recorder);
    assert_eq!(steps(dir.path(), me)[0].n_structures, 30);
}

#[test]
fn a_new_run_needs_a_directory_without_another_one() {
    let me = part(0, 2);
    let refused = |root: &Path| {
        let parts = PartRecorder::create(root, me, identity()).map(drop).unwrap_err();
        let whole = Directory::create(root, identity()).map(drop).unwrap_err();
        [parts, whole]
    };
    let dir = TempDir::new().unwrap();
    whole_run(dir.path(), 3);
    for error in refused(dir.path()) {
        assert!(matches!(error, DiskError::Occupied(_)), "{error}");
    }
    // The manifest before stands for a run too.
    fs::rename(dir.path().join("manifest"), dir.path().join("manifest.old")).unwrap();
    for error in refused(dir.path()) {
        assert!(matches!(error, DiskError::Occupied(_)), "{error}");
    }
    let dir = TempDir::new().unwrap();
    save_all(dir.path(), 3, &[3]);
    for error in refused(dir.path()) {
        assert!(matches!(error, DiskError::Occupied(_)), "{error}");
    }
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("part-2-of-2"), "").unwrap();
    for error in refused(dir.path()) {
        assert!(matches!(error, DiskError::Foreign(_)), "{error}");
    }
}

/// A process that is killed before its first save leaves no run.
#[test]
fn a_directory_with_leavings_is_as_good_as_an_empty_one() {
    let leavings = ["lock", "manifest.new", "segment-0", "segment-12", "candidates-3"];
    let dir = TempDir::new().unwrap();
    for name in leavings {
        fs::write(dir.path().join(name), "torn").unwrap();
    }
    let directory = Directory::create(dir.path(), identity()).unwrap();
    assert_eq!(names_in(dir.path()), ["lock"]);
    drop(directory);
    whole_run(dir.path(), 3);
    for name in &leavings[1..] {
        if *name != "segment-0" {
            fs::write(dir.path().join(name), "torn").unwrap();
        }
    }
    drop(Directory::open(dir.path()).unwrap());
    assert_eq!(names_in(dir.path()), ["lock", "manifest", "segment-0"]);
    drop(Directory::replace(dir.path(), identity()).unwrap());
    assert_eq!(names_in(dir.path()), ["lock"]);
}

#[test]
fn only_an_empty_or_missing_directory_is_empty() {
    let dir = TempDir::new().unwrap();
    assert!(Directory::require_empty(dir.path()).is_ok());
    let file = dir.path().join("file");
    assert!(Directory::require_empty(&file).is_ok());
    fs::write(&file, "").unwrap();
    let error = Directory::require_empty(dir.path()).unwrap_err();
    assert!(matches!(error, DiskError::Foreign(_)), "{error}");
    let error = Directory::require_empty(&file).unwrap_err().to_string();
    assert!(error.starts_with(&format!("cannot read `{}`: ", file.display())), "{error}");
}

/// A copy may lack its lock. A part that is read is not written.
#[test]
fn a_run_is_read_without_its_lock_and_not_while_it_is_written() {
    let dir = TempDir::new().unwrap();
    let me = part(0, 1);
    let mut recorder = PartRecorder::create(dir.path(), me, identity()).unwrap();
    save(&mut recorder, me, 20);
    let step = &steps(dir.path(), me)[0];
    let read = || read_saved(dir.path(), me, step, &mut |_, _, _| {});
    let held = read().unwrap_err();
    assert!(matches!(held, DiskError::InUse(_)), "{held}");
    drop(recorder);
    let lock = path_of(dir.path(), me).join("lock");
    fs::remove_file(&lock).unwrap();
    assert_eq!(read().unwrap().state, 20_u64.to_le_bytes());
    assert!(lock.is_file());
}

/// Exit code 2 is for the wrong directory, 4 for one in a bad state.
#[test]
fn a_wrong_directory_is_not_called_damaged() {
    let path = PathBuf::from("run");
    let wrong = [
        DiskError::Occupied(path.clone()),
        DiskError::Foreign(path.clone()),
        DiskError::NoRun(path.clone()),
        DiskError::NoPart(path.clone()),
        DiskError::MixedParts(path.clone()),
        DiskError::Missing { file: path.clone(), manifest: path.clone() },
        DiskError::Misplaced { file: path.clone(), part: None },
        DiskError::Version { path: path.clone(), found: 1, known: 2 },
    ];
    assert!(wrong.iter().all(DiskError::is_wrong_input));
    let bad = [
        DiskError::Damaged { path: path.clone(), what: String::new() },
        DiskError::InUse(path),
        DiskError::Full,
        DiskError::CutShort,
    ];
    assert!(!bad.iter().any(DiskError::is_wrong_input));
    assert_eq!(StoreError::from(DiskError::Full), StoreError::Full);
    assert_eq!(StoreError::from(DiskError::CutShort), StoreError::CutShort);
}
