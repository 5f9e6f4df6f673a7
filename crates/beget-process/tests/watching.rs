//! What is left outside the region is counted to the byte, watched within its limits, and seen by
//! root scans; and what the inspection of a call is told of the frame's memory.
//!
//! A binary of its own: watched memory belongs to the process.

use std::{
    hint::black_box,
    panic::{AssertUnwindSafe, catch_unwind, panic_any},
    sync::{Barrier, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use beget_process::alloc::{
    After, BuildError, DifferenceList, Escape, EscapePlace, ImageCalls, KeptPlace, MemoryWatch,
    Region, RegionLoss, Survivors, count_live, pause,
};

beget_process::alloc::install!(unsafe);

/// Watched memory belongs to the process, and frees of all threads are noted, so all tests here run
/// one after another.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

const MOST_BLOCKS: usize = 1 << 12;
const MOST_BYTES: usize = 1 << 20;

fn watched<R>(work: impl FnOnce() -> R) -> (R, Survivors) {
    let mut watch = MemoryWatch::new();
    let result = watch.run(work);
    (result, watch.finish())
}

/// A system's allocator may know where the block after this one would be. So that this is no
/// address in the block, lengths are multiples of 16 where it is asked who holds it.
fn block(len: usize) -> Vec<u8> {
    black_box(vec![1; len])
}

/// As [`watched`], whoever holds it: the system's allocator may know where the block after one that
/// has grown would be, which may be an address in it.
fn counted<R>(work: impl FnOnce() -> R) -> (R, Survivors) {
    let (result, left) = watched(work);
    (result, Survivors { are_held: false, ..left })
}

const NOTHING: Survivors =
    Survivors { blocks: 0, bytes: 0, has_freed_older: false, are_held: false, are_watched: true };

#[test]
fn what_is_left_is_counted_and_what_was_there_before_is_not() {
    let _alone = alone();
    assert_eq!(counted(|| drop(block(96))).1, NOTHING);
    assert!(NOTHING.is_empty());
    let (_kept, left) = counted(|| [block(96), block(32)]);
    assert_eq!(left, Survivors { blocks: 2, bytes: 128, ..NOTHING });
    assert!(!left.is_empty());

    // A block of its own that grows is one block; an older one that does is not its own.
    let grown = counted(|| {
        let mut block = block(8);
        block.reserve_exact(1000);
        block
    });
    assert_eq!(grown.1, Survivors { blocks: 1, bytes: 1008, ..NOTHING });
    let mut older = block(10);
    let (_, left) = counted(|| older.reserve_exact(990));
    assert_eq!(left, Survivors { has_freed_older: true, ..NOTHING });
    assert!(!left.is_empty());
    let (_, left) = counted(|| drop(older));
    assert_eq!(left, Survivors { has_freed_older: true, ..NOTHING });
}

#[test]
#[allow(clippy::disallowed_methods, reason = "the time is what is tested")]
fn many_blocks_are_recorded_whatever_the_order_in_which_they_are_freed() {
    let _alone = alone();
    const N: usize = 400_000;
    let begin = Instant::now();
    let (kept, left) = counted(|| {
        let mut blocks: Vec<Option<Vec<u8>>> = (0..N).map(|_| Some(block(16))).collect();
        // From the first to the last, but for every tenth.
        for (index, block) in blocks.iter_mut().enumerate() {
            if index % 10 != 0 {
                drop(block.take());
            }
        }
        let kept: Vec<Vec<u8>> = blocks.into_iter().flatten().collect();
        kept.into_boxed_slice()
    });
    let bytes = 16 * (N / 10) + size_of_val(&*kept);
    assert_eq!(left, Survivors { blocks: N / 10 + 1, bytes, are_watched: false, ..NOTHING });
    // A list that is moved at each free takes half a minute.
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    // Nothing of it is left for the next watch.
    assert_eq!(counted(|| drop(block(96))).1, NOTHING);
}

#[test]
fn only_what_runs_under_the_watch_is_recorded() {
    let _alone = alone();
    let mut watch = MemoryWatch::new();
    let mut kept = vec![watch.run(|| block(100))];
    kept.push(block(200));
    kept.extend(watch.run(|| [block(30), pause(|| block(400)), block(5)]));
    kept.push(block(500));
    let left = watch.finish();
    assert_eq!((left.blocks, left.bytes, left.has_freed_older), (3, 135, false));

    // A watch under a watch has what it records to itself.
    let mut outer = MemoryWatch::new();
    let mut inner = MemoryWatch::new();
    let inside = outer.run(|| [block(1), inner.run(|| block(20)), block(300)]);
    assert_eq!(inner.finish().bytes, 20);
    let left = outer.finish();
    assert_eq!((left.blocks, left.bytes, left.has_freed_older), (2, 301, false));
    drop((kept, inside));
}

#[test]
fn memory_that_a_static_points_to_is_held_and_a_leak_is_not() {
    let _alone = alone();
    static KEPT: Mutex<Option<Vec<u8>>> = Mutex::new(None);
    let (_, left) = watched(|| *KEPT.lock().unwrap() = Some(block(64)));
    assert_eq!(left, Survivors { blocks: 1, bytes: 64, are_held: true, ..NOTHING });
    *KEPT.lock().unwrap() = None;
    // The address is in this variable alone, which no scan reads; inverted, not even there.
    let (hidden, left) =
        watched(|| !Box::into_raw(block(64).into_boxed_slice()).cast::<u8>().expose_provenance());
    assert_eq!(left, Survivors { blocks: 1, bytes: 64, ..NOTHING });
    let leaked = std::ptr::with_exposed_provenance_mut::<[u8; 64]>(!hidden);
    // SAFETY: it came from `into_raw`, as a slice of this length.
    #[expect(unsafe_code, reason = "taking back what was leaked")]
    drop(unsafe { Box::from_raw(leaked) });
}

#[test]
fn so_many_blocks_and_bytes_are_watched_and_no_more() {
    let _alone = alone();
    let blocks = |n: usize| watched(|| (0..n).map(|_| Box::new(7_u8)).collect::<Vec<_>>());
    // The list of them is a block as well.
    for (n, are_watched) in [(MOST_BLOCKS - 1, true), (MOST_BLOCKS, false), (10, true)] {
        let (_kept, left) = blocks(n);
        assert_eq!((left.blocks, left.are_watched), (n + 1, are_watched));
    }
    let bytes = |n: usize| watched(|| block(n)).1.are_watched;
    assert!(bytes(MOST_BYTES) && !bytes(MOST_BYTES + 1));
    // What is watched already takes room, until it is freed.
    let (half, left) = watched(|| block(MOST_BYTES / 2));
    assert!(left.are_watched);
    assert!(!bytes(MOST_BYTES / 2 + 1));
    assert!(bytes(MOST_BYTES / 2));
    drop(half);
    assert!(bytes(MOST_BYTES));
    let (kept, left) = blocks(MOST_BLOCKS / 2 - 1);
    assert!(left.are_watched);
    assert!(!blocks(MOST_BLOCKS / 2).1.are_watched);
    drop(kept);
    assert!(blocks(MOST_BLOCKS - 1).1.are_watched);
}

#[test]
fn what_another_thread_frees_meanwhile_is_not_watched() {
    let _alone = alone();
    let mut watch = MemoryWatch::new();
    let large = watch.run(|| block(MOST_BYTES));
    std::thread::spawn(move || drop(large)).join().unwrap();
    let left = watch.finish();
    assert_eq!((left.bytes, left.are_watched), (MOST_BYTES, true));
    let (_kept, left) = watched(|| block(MOST_BYTES));
    assert!(left.are_watched, "there is room for it");
}

#[test]
fn what_another_thread_freed_stays_noted_while_more_is_allocated() {
    let _alone = alone();
    let mut watch = MemoryWatch::new();
    let half = watch.run(|| block(MOST_BYTES / 2));
    std::thread::spawn(move || drop(half)).join().unwrap();
    let _small = watch.run(|| block(16));
    assert!(watch.finish().are_watched);
    let (_kept, left) = watched(|| block(MOST_BYTES - 16));
    assert!(left.are_watched, "there is room for it");
}

#[test]
fn frees_between_watches_are_not_noted() {
    let _alone = alone();
    // One of 16 is watched, so that most of the others lie between watched blocks.
    let mut watch = MemoryWatch::new();
    let (mut kept, mut others) = (vec![], vec![]);
    for index in 0..3 * MOST_BLOCKS {
        match index % 16 {
            0 => kept.push(watch.run(|| Box::new([7_u8; 16]))),
            _ => others.push(Box::new([7_u8; 16])),
        }
    }
    let left = watch.finish();
    assert_eq!((left.blocks, left.are_watched), (3 * MOST_BLOCKS / 16, true));
    drop(others);
    assert!(watched(|| block(16)).1.are_watched);
    drop(kept);
}

#[test]
fn more_frees_than_can_be_noted_keep_one_watch_from_watching() {
    let _alone = alone();
    let frees = |n: usize| {
        let older: Vec<Box<u8>> = (0..n).map(|_| Box::new(7)).collect();
        watched(|| {
            drop(older);
            block(16)
        })
        .1
        .are_watched
    };
    // Each watch begins anew.
    assert_eq!([1000; 6].map(frees), [true; 6]);
    assert!(!frees(2 * MOST_BLOCKS));
    assert!(frees(1000));
}

#[test]
fn a_block_where_another_was_freed_is_watched() {
    let _alone = alone();
    let older = block(MOST_BYTES);
    let (_kept, left) = watched(|| {
        drop(older);
        block(MOST_BYTES)
    });
    assert_eq!((left.blocks, left.has_freed_older, left.are_watched), (1, true, true));
    assert!(!watched(|| block(16)).1.are_watched, "there is no room for more");
}

/// Calls on a region until it is lost.
fn lost(call: impl Fn(&mut u64)) -> Result<(), RegionLoss> {
    let mut region = Region::open().expect("the allocator is installed in this binary");
    let mut image = region.build(|| Ok::<_, ()>(7_u64)).expect("a frame");
    image.attempt(|frame| call(frame), |_, (), _| ())?;
    image.check_escape()
}

#[test]
fn a_pointer_in_watched_memory_is_seen_until_that_is_freed() {
    let _alone = alone();
    static TABLE: Mutex<Option<Vec<usize>>> = Mutex::new(None);
    // What lies before and behind it is watched too.
    let (_before, _) = watched(|| block(40));
    watched(|| *TABLE.lock().unwrap() = Some(vec![0; 64 << 10]));
    let (_behind, _) = watched(|| block(40));
    let keep = |address: usize| TABLE.lock().unwrap().as_mut().unwrap()[4711] = address;
    assert_eq!(lost(|_| keep(1)), Ok(()));
    let kept = lost(|_| keep(Box::into_raw(Box::new(3_u64)).expose_provenance()));
    let Err(RegionLoss::Escape(Escape { place, holder })) = kept else { panic!("{kept:?}") };
    let first = TABLE.lock().unwrap().as_ref().unwrap().as_ptr().addr();
    assert_eq!((place, holder), (EscapePlace::Watched, first + 4711 * size_of::<usize>()));
    let text = format!(
        "a table of the subject's outside its values at {holder:#x} keeps memory that a call allocated"
    );
    assert_eq!(RegionLoss::Escape(Escape { place, holder }).to_string(), text);
    // So much memory is given back to the system when it is freed: nobody may read it any more.
    *TABLE.lock().unwrap() = None;
    assert_eq!(lost(|frame| *frame += 1), Ok(()));
}

#[test]
fn a_count_within_a_count_leaves_the_outer_one_on() {
    let _alone = alone();
    let ((kept, inner), outer) = count_live(|| {
        let (kept, inner) = count_live(|| block(100));
        ([kept, block(20)], inner)
    });
    assert_eq!((inner.blocks, inner.bytes), (1, 100));
    assert_eq!((outer.blocks, outer.bytes), (2, 120));
    let (_, freed) = count_live(|| drop(kept));
    assert_eq!((freed.blocks, freed.bytes), (-2, -120));
    assert!(!freed.is_balanced() && count_live(|| drop(block(5))).1.is_balanced());
}

/// By whole lines of 64 bytes.
#[test]
fn the_inspection_is_told_where_the_first_change_is() {
    let _alone = alone();
    let mut region = Region::open().unwrap();
    let mut image = region.build(|| Ok::<_, ()>([0_u64; 20])).unwrap();
    for first in 0..20 {
        let changed = |frame: &mut [u64; 20]| frame[first..].iter_mut().for_each(|word| *word += 9);
        let told = image.attempt(changed, |frame, (), after| {
            assert!(after.is_changed());
            (after.changed_from(), (&raw const frame[first - first % 8]).addr())
        });
        assert_eq!(told.map(|(told, address)| told == address), Ok(true), "{first}");
    }
    let told = image.attempt(
        |_| (),
        |frame, (), after| {
            assert!(!after.is_changed());
            // Frames end with a line of 64 bytes.
            after.changed_from() == frame.as_ptr_range().end.addr().next_multiple_of(64)
        },
    );
    assert_eq!(told, Ok(true));
}

#[test]
fn of_calls_one_after_another_those_that_change_nothing_are_inspected_by_themselves() {
    let _alone = alone();
    let mut region = Region::open().unwrap();
    let mut image = region.build(|| Ok::<_, ()>(vec![1_u64, 2, 3])).unwrap();
    let mut calls = image.calls().unwrap();
    let mut told = Vec::new();
    for added in [0, 1, 0, 2] {
        let sum = calls.attempt(
            &mut told,
            |items| {
                items[2] += added;
                items.iter().sum::<u64>()
            },
            |told, items, sum| {
                assert_eq!(*items, [1, 2, 3]);
                told.push("unchanged");
                *sum
            },
            |told, items, sum, after| {
                assert_eq!((after.is_changed(), items[2]), (true, 3 + added));
                told.push("changed");
                *sum
            },
        );
        assert_eq!(sum, Ok(6 + added));
    }
    assert_eq!(told, ["unchanged", "changed", "unchanged", "changed"]);
}

/// Makes a call that changes nothing.
fn look(calls: &mut ImageCalls<'_, Vec<u64>>) -> Result<Vec<u64>, RegionLoss> {
    let changed = |(): &mut (), items: &Vec<u64>, (): &(), _: After<'_>| items.clone();
    calls.attempt(&mut (), |_| (), |(), items, ()| items.clone(), changed)
}

#[test]
fn calls_are_over_when_one_of_them_has_lost_the_region() {
    let _alone = alone();
    let mut region = Region::open().unwrap();
    for (call, lost) in [
        ((|items| items.resize(100 << 20, 1)) as fn(&mut Vec<u64>), RegionLoss::Overflow),
        (|_| std::panic::resume_unwind(Box::new(())), RegionLoss::Unwound),
    ] {
        let mut image = region.build(|| Ok::<_, ()>(vec![1_u64])).unwrap();
        let mut calls = image.calls().unwrap();
        assert_eq!(look(&mut calls), Ok(vec![1]));
        let inspected = |(): &mut (), _: &Vec<u64>, (): &(), _: After<'_>| ();
        let made = catch_unwind(AssertUnwindSafe(|| {
            calls.attempt(&mut (), call, |(), _, ()| (), inspected)
        }));
        assert_eq!(made.ok(), (lost != RegionLoss::Unwound).then_some(Err(lost)));
        assert_eq!(look(&mut calls), Err(lost));
        assert_eq!(image.calls().err(), Some(lost));
    }
    // What was lost is not lost once more.
    let mut image = region.build(|| Ok::<_, ()>(vec![2_u64])).unwrap();
    assert_eq!(look(&mut image.calls().unwrap()), Ok(vec![2]));
}

#[test]
fn the_inspection_can_compare_with_a_call_that_was_kept() {
    let _alone = alone();
    let mut region = Region::open().unwrap();
    let mut image = region.build(|| Ok::<_, ()>([1_u64, 2, 3, 4])).unwrap();
    let mut differences = DifferenceList::default();
    let place_of_kept = KeptPlace::default();
    let mut keep = |value: u64| {
        let set = move |frame: &mut [u64; 4]| frame[2] = value;
        image.attempt(set, |frame, (), mut after| {
            let is_like = after.is_like_kept(place_of_kept, &mut differences);
            after.keep(place_of_kept);
            let place = (&raw const frame[2]).addr();
            let of = |bytes: [u8; 4]| u32::from_ne_bytes(bytes);
            let listed = differences.iter();
            let listed = listed.map(|found| (found.address - place, of(found.old), of(found.new)));
            (is_like, listed.collect::<Vec<_>>())
        })
    };
    assert_eq!(keep(50), Ok((false, vec![])));
    assert_eq!(keep(50), Ok((true, vec![])));
    assert_eq!(keep(60), Ok((true, vec![(0, 50, 60)])));
    let high = 4 * usize::from(cfg!(target_endian = "little"));
    assert_eq!(keep(60 | 1 << 32), Ok((true, vec![(high, 0, 1)])));
}

#[test]
fn frames_can_be_built_again_and_again() {
    let _alone = alone();
    let mut region = Region::open().unwrap();
    // 32 MiB in all, of which a region has 8.
    for index in 0..2048 {
        let image = region.build(|| Ok::<_, ()>(block(16 << 10)));
        assert!(image.is_ok(), "{index}");
    }
}

#[test]
fn a_vector_that_grows_beyond_the_region_is_reported() {
    let _alone = alone();
    let mut region = Region::open().unwrap();
    for exact in [false, true] {
        let mut image = region.build(|| Ok::<_, ()>(Vec::<u64>::new())).unwrap();
        let grow = |items: &mut Vec<u64>| {
            for index in 0..2 << 20 {
                if exact && items.len() == items.capacity() {
                    items.reserve_exact(1 << 16);
                }
                items.push(index);
            }
        };
        assert_eq!(image.attempt(grow, |_, (), _| ()), Err(RegionLoss::Overflow));
        // The next one is a fresh one.
        let mut image = region.build(|| Ok::<_, ()>(vec![1_u64])).unwrap();
        assert_eq!(image.attempt(|items| items.push(2), |items, (), _| items.len()), Ok(2));
    }
}

#[test]
fn a_frame_larger_than_the_region_is_reported() {
    let _alone = alone();
    let build = || {
        let mut region = Region::open().unwrap();
        let image = region.build(|| -> Result<[u8; 9 << 20], ()> { unreachable!("no room") });
        image.map(drop)
    };
    let large_stack = std::thread::Builder::new().stack_size(256 << 20);
    let built = large_stack.spawn(build).unwrap().join().unwrap();
    assert_eq!(built, Err(BuildError::Region(RegionLoss::Overflow)));
}

#[test]
fn what_a_panic_carries_out_of_the_region_stays_as_it_is() {
    let _alone = alone();
    let mut region = Region::open().unwrap();
    let text = || "carried out of the call".repeat(3);
    let mut image = region.build(|| Ok::<_, ()>(vec![0_u64])).unwrap();
    let unwinding = AssertUnwindSafe(|| {
        let _ = image.attempt(|_| panic_any(text()), |_, (), _| ());
    });
    let payload = catch_unwind(unwinding).unwrap_err();
    for _ in 0..100 {
        let mut image = region.build(|| Ok::<_, ()>(vec![u64::MAX; 4000])).unwrap();
        let fill = |items: &mut Vec<u64>| items.resize(20_000, u64::MAX);
        assert_eq!(image.attempt(fill, |_, (), _| ()), Ok(()));
    }
    assert_eq!(payload.downcast_ref::<String>(), Some(&text()));
}

#[test]
fn memory_that_is_given_back_is_that_of_the_own_region() {
    let _alone = alone();
    let opened = Barrier::new(3);
    let done = Barrier::new(3);
    let keep = || {
        let mut region = Region::open().unwrap();
        let mut image = region.build(|| Ok::<_, ()>(vec![7_u8; 4000])).unwrap();
        opened.wait();
        done.wait();
        let is_whole =
            |items: &Vec<u8>, (): &(), _: beget_process::alloc::After<'_>| *items == [7; 4000];
        assert_eq!(image.attempt(|_| (), is_whole), Ok(true));
    };
    let churn = || {
        let mut region = Region::open().unwrap();
        opened.wait();
        let mut image = region.build(|| Ok::<_, ()>(vec![5_u8; 4000])).unwrap();
        for _ in 0..8 {
            // More than is kept between two scans.
            let call = |items: &mut Vec<u8>| items.resize(3 << 20, 1);
            assert_eq!(image.attempt(call, |items, (), _| items.len()), Ok(3 << 20));
            let is_whole = image.attempt(|_| (), |items, (), _| *items == [5; 4000]);
            assert_eq!(is_whole, Ok(true));
        }
        done.wait();
    };
    // One of those that keep has the memory behind that of the one between them.
    std::thread::scope(|scope| {
        let first = scope.spawn(keep);
        let middle = scope.spawn(churn);
        let last = scope.spawn(keep);
        for thread in [first, middle, last] {
            thread.join().unwrap();
        }
    });
}

#[test]
fn losses_say_what_happened() {
    let _alone = alone();
    let losses = [
        RegionLoss::Foreign,
        RegionLoss::Overflow,
        RegionLoss::Unwound,
        RegionLoss::Exhausted,
        RegionLoss::Escape(Escape { place: EscapePlace::Static, holder: 0x10 }),
        RegionLoss::Escape(Escape { place: EscapePlace::ThreadLocal, holder: 0x18 }),
    ];
    let texts = [
        "a call freed or resized memory that is not its own",
        "a call needs more than 8388608 bytes of memory",
        "a panic left the region",
        "too many regions were lost",
        "a static at 0x10 keeps memory that a call allocated",
        "a thread-local variable at 0x18 keeps memory that a call allocated",
    ];
    assert_eq!(losses.map(|loss| loss.to_string()), texts);
}
