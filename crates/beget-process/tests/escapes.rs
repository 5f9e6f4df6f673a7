//! Subjects that keep memory beyond a call: each stays right or is reported, and what they keep
//! stays intact.
//!
//! A binary of its own: variables of the process keep what the subjects leave.
#![allow(
    clippy::disallowed_types,
    reason = "maps with keys of the thread are a subject of the test"
)]
#![expect(clippy::vec_box, reason = "the boxes are the memory that the tables keep")]

use std::{
    cell::RefCell,
    collections::HashMap,
    rc::Rc,
    sync::{Mutex, OnceLock},
};

use beget_process::alloc::{BuildError, EscapePlace, Region, RegionLoss, count_live};

beget_process::alloc::install!(unsafe);

/// Builds and calls until the region is lost or `n_structures` are done.
fn run(
    region: &mut Region,
    n_structures: usize,
    call: fn(&mut Vec<u64>),
) -> Result<(), RegionLoss> {
    for _ in 0..n_structures {
        let mut image = match region.build(|| Ok::<_, ()>(vec![1, 2, 3])) {
            Ok(image) => image,
            Err(BuildError::Region(lost)) => return Err(lost),
            Err(BuildError::Make(())) => unreachable!("making a vector does not fail"),
        };
        for _ in 0..20 {
            image.attempt(call, |items, (), _| assert!(items.starts_with(&[1, 2, 3])))?;
        }
    }
    region.check_escape()
}

/// Overwrites a region many times over.
fn churn(region: &mut Region) {
    let overwrite = |items: &mut Vec<u64>| items.resize(2000, u64::MAX);
    run(region, 200, overwrite).expect("pushing keeps nothing");
}

#[track_caller]
fn check_escape(place: EscapePlace, call: fn(&mut Vec<u64>)) -> Region {
    let mut region = Region::open().expect("the allocator is installed in this binary");
    match run(&mut region, 500, call) {
        Err(RegionLoss::Escape(escape)) => assert_eq!(escape.place, place),
        other => panic!("the escape was not reported: {other:?}"),
    }
    churn(&mut region);
    region
}

#[test]
fn a_lazy_static_first_needed_in_a_call_is_reported_and_stays_intact() {
    static NAME: OnceLock<String> = OnceLock::new();
    let name = || NAME.get_or_init(|| "initialised in a call".repeat(3));
    let region = check_escape(EscapePlace::Static, |items| {
        items.push(NAME.get_or_init(|| "initialised in a call".repeat(3)).len() as u64)
    });
    assert_eq!(*name(), "initialised in a call".repeat(3));
    drop(region);
    assert_eq!(*name(), "initialised in a call".repeat(3));
}

#[test]
fn a_cache_of_the_thread_is_reported_and_stays_intact() {
    thread_local! {
        static CACHE: RefCell<Vec<Box<u64>>> = const { RefCell::new(Vec::new()) };
    }
    let _region = check_escape(EscapePlace::ThreadLocal, |_| {
        CACHE.with_borrow_mut(|cache| cache.push(Box::new(cache.len() as u64)));
    });
    CACHE.with_borrow(|cache| {
        assert!(cache.len() > 20);
        assert!(cache.iter().enumerate().all(|(idx, value)| idx as u64 == **value));
    });
}

#[test]
fn a_thread_local_with_destructor_first_touched_in_a_call_is_dropped_at_thread_exit() {
    static DROPPED: Mutex<Vec<String>> = Mutex::new(Vec::new());
    struct Held(String);
    impl Drop for Held {
        fn drop(&mut self) {
            DROPPED.lock().unwrap().push(std::mem::take(&mut self.0));
        }
    }
    thread_local! {
        static HELD: Held = Held("made in a call".to_owned());
    }
    std::thread::spawn(|| {
        drop(check_escape(EscapePlace::ThreadLocal, |items| {
            items.push(HELD.with(|held| held.0.len() as u64))
        }));
    })
    .join()
    .unwrap();
    assert_eq!(*DROPPED.lock().unwrap(), ["made in a call"]);
}

#[test]
fn a_raw_pointer_in_a_static_is_reported_and_stays_valid() {
    struct Shared(*const RefCell<u64>);
    // SAFETY: only this test uses it, on one thread.
    #[expect(unsafe_code, reason = "the subject hides a counted pointer in a static")]
    unsafe impl Send for Shared {}
    static KEPT: Mutex<Option<Shared>> = Mutex::new(None);

    let _region = check_escape(EscapePlace::Static, |items| {
        let count = Rc::new(RefCell::new(items.len() as u64));
        KEPT.lock().unwrap().get_or_insert_with(|| Shared(Rc::into_raw(count)));
    });
    let kept = KEPT.lock().unwrap().take().unwrap();
    // SAFETY: the pointer came from `into_raw`.
    #[expect(unsafe_code, reason = "taking the counted pointer back")]
    let count = unsafe { Rc::from_raw(kept.0) };
    assert_eq!((*count.borrow(), Rc::strong_count(&count)), (3, 1));
}

#[test]
fn a_cached_clone_of_a_node_is_reported_and_stays_valid() {
    thread_local! {
        static LAST: RefCell<Option<Rc<u64>>> = const { RefCell::new(None) };
    }
    let mut region = Region::open().unwrap();
    let mut image = region.build(|| Ok::<_, ()>(Rc::new(7_u64))).unwrap();
    let cache = |node: &mut Rc<u64>| LAST.with_borrow_mut(|last| *last = Some(node.clone()));
    let _ = image.attempt(cache, |_, (), after| assert!(after.is_changed()));
    assert!(matches!(image.check_escape(), Err(RegionLoss::Escape(_))));
    assert!(matches!(image.attempt(|_| (), |_, (), _| ()), Err(RegionLoss::Escape(_))));
    churn(&mut region);
    assert_eq!(LAST.take().as_deref(), Some(&7));
}

#[test]
fn a_static_whose_memory_lies_outside_is_reported_when_a_call_replaces_it() {
    static LAST: Mutex<Option<String>> = Mutex::new(None);
    *LAST.lock().unwrap() = Some("from outside".to_owned());
    let mut region = Region::open().unwrap();
    let replace = |_: &mut Vec<u64>| *LAST.lock().unwrap() = Some("from a call".to_owned());
    assert_eq!(run(&mut region, 1, replace), Err(RegionLoss::Foreign));
    churn(&mut region);
    assert_eq!(LAST.lock().unwrap().as_deref(), Some("from a call"));
}

#[test]
fn a_static_table_from_outside_is_reported_when_a_call_makes_it_grow() {
    static TABLE: Mutex<Vec<Box<u64>>> = Mutex::new(Vec::new());
    TABLE.lock().unwrap().push(Box::new(0));
    let mut region = Region::open().unwrap();
    let push = |_: &mut Vec<u64>| {
        let mut table = TABLE.lock().unwrap();
        let next = Box::new(table.len() as u64);
        table.push(next);
    };
    assert_eq!(run(&mut region, 1, push), Err(RegionLoss::Foreign));
    churn(&mut region);
    let table = TABLE.lock().unwrap();
    assert!(table.len() > 1);
    assert!(table.iter().enumerate().all(|(idx, value)| idx as u64 == **value));
}

#[test]
fn a_static_without_memory_does_no_harm() {
    static COUNT: Mutex<u64> = Mutex::new(0);
    let mut region = Region::open().unwrap();
    assert_eq!(run(&mut region, 500, |_| *COUNT.lock().unwrap() += 1), Ok(()));
    assert_eq!(*COUNT.lock().unwrap(), 10_000);
}

#[test]
fn a_hash_map_made_in_calls_does_no_harm() {
    let mut region = Region::open().unwrap();
    let count = |items: &mut Vec<u64>| {
        let map: HashMap<u64, String> = items.iter().map(|&key| (key, key.to_string())).collect();
        items.push(map.len() as u64);
    };
    assert_eq!(run(&mut region, 500, count), Ok(()));
}

#[test]
fn threads_started_and_joined_in_calls_do_no_harm() {
    let mut region = Region::open().unwrap();
    let sum = |items: &mut Vec<u64>| {
        let theirs = items.clone();
        let sum = std::thread::spawn(move || theirs.iter().sum::<u64>().to_string());
        items.push(sum.join().unwrap().len() as u64);
    };
    let outcome = run(&mut region, 5, sum);
    // A started thread may leave its mark in std's own variables; then it is reported.
    assert!(
        matches!(outcome, Ok(()) | Err(RegionLoss::Escape(_) | RegionLoss::Foreign)),
        "{outcome:?}"
    );
    churn(&mut region);
}

#[test]
fn the_survivors_probe_sees_what_a_call_leaves() {
    static KEPT: Mutex<Vec<Box<u64>>> = Mutex::new(Vec::new());
    let ((), clean) = count_live(|| drop(vec![String::from("dropped")]));
    assert!(clean.is_balanced());
    KEPT.lock().unwrap().reserve(10);
    let ((), kept) = count_live(|| KEPT.lock().unwrap().push(Box::new(1)));
    assert_eq!((kept.blocks, kept.bytes), (1, 8));
    let ((), freed) = count_live(|| KEPT.lock().unwrap().clear());
    assert_eq!((freed.blocks, freed.bytes), (-1, -8));
    let ((), grown) = count_live(|| KEPT.lock().unwrap().reserve(11));
    assert_eq!(grown.blocks, 0);
    assert!(!grown.is_balanced());
}

#[test]
fn region_memory_may_be_freed_and_resized_anywhere() {
    static SENT: Mutex<Option<String>> = Mutex::new(None);
    let mut region = Region::open().unwrap();
    let mut image = region.build(|| Ok::<_, ()>(String::from("sent"))).unwrap();
    let send = |text: &mut String| *SENT.lock().unwrap() = Some(text.clone());
    let _ = image.attempt(send, |_, (), _| ());
    assert!(matches!(image.check_escape(), Err(RegionLoss::Escape(_))));
    std::thread::spawn(|| {
        let mut text = SENT.lock().unwrap().take().unwrap();
        text.push_str(" to another thread");
        assert_eq!(text, "sent to another thread");
        text.shrink_to_fit();
        drop(text);
    })
    .join()
    .unwrap();
}
