//! Misuse of memory, each kind beside a twin without it.
//!
//! A binary of its own: what is freed is noted for all threads.
#![cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]
#![allow(unsafe_code, reason = "safe code does not misuse memory")]

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc, realloc};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::rc::Rc;
use std::sync::Mutex;

use beget_process::alloc::{
    CheckedMemory, MemoryCheck, MemoryFault, MemoryFill, MemoryWatch, NoBlock,
};

beget_process::alloc::install!(unsafe);

fn checked(work: impl FnOnce()) -> CheckedMemory {
    let mut check = MemoryCheck::open().expect("the allocator is installed");
    check.run(MemoryFill::PAIR[0], work);
    check.finish()
}

/// Checks that the first piece of code has this fault, with this text, and the second none.
#[track_caller]
fn assert_fault(text: &str, faulty: impl FnOnce(), sound: impl FnOnce()) {
    let fault = checked(faulty).fault.map(|fault| fault.to_string());
    assert_eq!(fault.as_deref(), Some(text));
    assert_eq!(checked(sound), CheckedMemory::default());
}

fn layout(size: usize, align: usize) -> Layout {
    Layout::from_size_align(size, align).unwrap()
}

/// Gives `work` a block of 24 bytes, and frees it.
fn with_block(work: impl FnOnce(*mut u8)) {
    // SAFETY: the size is not zero, and the block is freed once.
    unsafe {
        let block = alloc(layout(24, 8));
        work(block);
        dealloc(block, layout(24, 8));
    }
}

fn write(block: *mut u8, at: isize) {
    // SAFETY: the memory around blocks of a check is its arena's: nobody else has it.
    unsafe { block.offset(at).write_volatile(1) };
}

fn free_as(freed: Layout) {
    // SAFETY: none: the layout may be another one, which is what it is about.
    unsafe { dealloc(black_box(alloc(layout(24, 8))), freed) };
}

#[test]
fn a_block_freed_by_another_layout_is_noticed() {
    let sound = || free_as(layout(24, 8));
    let size = "a block is allocated with the size 24 and freed with 16";
    assert_fault(size, || free_as(layout(16, 8)), sound);
    let align = "a block is allocated with the alignment 8 and freed with 4";
    assert_fault(align, || free_as(layout(24, 4)), sound);
}

#[test]
fn a_block_resized_by_another_layout_is_noticed() {
    let resize = |from: Layout| {
        // SAFETY: as above.
        unsafe {
            let block = realloc(black_box(alloc(layout(24, 8))), from, 48);
            dealloc(black_box(block), layout(48, 8));
        }
    };
    let size = "a block is allocated with the size 24 and freed with 32";
    assert_fault(size, || resize(layout(32, 8)), || resize(layout(24, 8)));
}

#[test]
fn a_block_freed_twice_is_noticed_and_freed_once() {
    let twice = |n| {
        // SAFETY: none: the block may be freed twice.
        unsafe {
            let block = alloc(layout(24, 8));
            (0..n).for_each(|_| dealloc(black_box(block), layout(24, 8)));
        }
    };
    assert_fault("a block of 24 bytes is freed twice", || twice(2), || twice(1));
}

#[test]
fn what_is_no_block_is_not_freed() {
    static VARIABLE: [u8; 24] = [0; 24];
    // SAFETY: none: what is freed may be anything.
    let free =
        |address: *const u8| unsafe { dealloc(black_box(address.cast_mut()), layout(24, 8)) };
    let local = [0_u8; 24];
    let text = "a local variable, a static or a constant is freed";
    let sound = || with_block(|_| ());
    assert_fault(text, || free((&raw const local).cast()), sound);
    assert_fault(text, || free((&raw const VARIABLE).cast()), sound);
    let middle = "memory is freed in the middle of a block, or beside one";
    assert_fault(middle, || with_block(|block| free(block.wrapping_add(8))), sound);
    let fault = checked(|| with_block(|block| free(block.wrapping_add(8)))).fault;
    assert_eq!(fault, Some(MemoryFault::FreedNoBlock(NoBlock::Place)));
}

#[test]
fn writes_beside_a_block_are_noticed() {
    let at = |at| move || with_block(|block| write(block, at));
    assert_fault("something is written 1 byte behind a block of 24", at(24), at(23));
    assert_fault("something is written 8 bytes behind a block of 24", at(31), at(23));
    assert_fault("something is written 1 byte in front of a block of 24", at(-1), at(0));
    assert_fault("something is written 16 bytes in front of a block of 24", at(-16), at(0));
    // Of a block that is not freed, too.
    let kept = || {
        // SAFETY: the size is not zero.
        write(unsafe { alloc(layout(3, 1)) }, 3);
    };
    let fault = checked(kept).fault;
    assert_eq!(fault, Some(MemoryFault::WrittenBehind { size: 3, distance: 1 }));
}

#[test]
fn writes_into_what_is_freed_are_noticed() {
    let with_freed = |work: fn(*mut u8)| {
        let mut kept = std::ptr::null_mut();
        with_block(|block| kept = block);
        work(kept);
    };
    let text = "something is written at 5 into a block of 24 bytes that is freed";
    assert_fault(text, || with_freed(|freed| write(freed, 5)), || with_freed(|_| ()));
}

#[test]
fn a_resized_block_moves_so_that_stale_pointers_are_noticed() {
    let grow = |stale: bool| {
        // SAFETY: the stale write goes to memory of the arena.
        unsafe {
            let old = alloc(layout(24, 8));
            let new = black_box(realloc(old, layout(24, 8), 40));
            write(if stale { old } else { new }, 2);
            dealloc(new, layout(40, 8));
        }
    };
    let text = "something is written at 2 into a block of 24 bytes that is freed";
    assert_fault(text, || grow(true), || grow(false));
}

#[test]
fn leaks_are_counted_and_what_a_static_holds_is_none() {
    thread_local! {
        static KEPT: RefCell<Option<Rc<u64>>> = const { RefCell::new(None) };
    }
    let leak = || {
        black_box(Box::leak(Box::new(7_u64)));
    };
    let leaked = checked(|| {
        leak();
        leak();
    });
    assert_eq!((leaked.live_blocks, leaked.live_bytes, leaked.has_leak()), (2, 16, true));
    // A cycle of counted pointers is one.
    struct Link(#[allow(dead_code)] RefCell<Option<Rc<Link>>>);
    let cycle = checked(|| {
        let link = Rc::new(Link(RefCell::new(None)));
        *link.0.borrow_mut() = Some(link.clone());
    });
    assert!(cycle.has_leak());
    let kept = checked(|| KEPT.set(Some(Rc::new(1))));
    assert!(kept.live_blocks > 0 && kept.are_held && !kept.has_leak() && kept.fault.is_none());
    KEPT.set(None);
}

/// The second text lies behind the list's memory, which the first check has left.
#[test]
fn what_a_list_in_a_static_takes_later_is_held_too() {
    static LOG: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut check = MemoryCheck::open().unwrap();
    for text in ["one", "two", "three"] {
        check.run(MemoryFill::PAIR[0], || LOG.lock().unwrap().push(text.to_owned()));
        let checked = check.finish();
        assert!(checked.live_blocks > 0 && checked.are_held, "{text}: {checked:?}");
    }
    // A block beside it is leaked all the same.
    check.run(MemoryFill::PAIR[0], || {
        black_box(Box::leak(Box::new(7_u64)));
    });
    assert!(check.finish().has_leak());
    LOG.lock().unwrap().clear();
}

#[test]
fn blocks_have_what_their_fill_says_and_zeros_where_asked() {
    let mut check = MemoryCheck::open().unwrap();
    for MemoryFill { fresh, freed } in MemoryFill::PAIR {
        check.run(MemoryFill { fresh, freed }, || {
            // SAFETY: the blocks are read where they are; that one is freed is what it is about.
            unsafe {
                let block = alloc(layout(3, 1));
                assert_eq!(block.add(2).read_volatile(), fresh);
                dealloc(block, layout(3, 1));
                assert_eq!(block.add(2).read_volatile(), freed);
                let zeroed = alloc_zeroed(layout(3, 1));
                assert_eq!(zeroed.add(2).read_volatile(), 0);
                dealloc(zeroed, layout(3, 1));
            }
        });
        assert!(check.finish().is_sound());
    }
}

/// What lives on when a check is over is nobody's fault, may be freed at any time, and its memory
/// is not handed out again.
#[test]
fn blocks_may_outlive_their_check() {
    let mut check = MemoryCheck::open().unwrap();
    let kept = check.run(MemoryFill::PAIR[0], || vec![5_u8; 100]);
    assert_eq!(check.finish().live_blocks, 1);
    for _ in 0..3 {
        let others = check.run(MemoryFill::PAIR[1], || vec![vec![6_u8; 100]; 100]);
        assert!(kept.iter().all(|&byte| byte == 5));
        check.run(MemoryFill::PAIR[1], move || drop(others));
        assert_eq!(check.finish(), CheckedMemory::default());
    }
    let mut grown = kept.clone();
    grown.extend_from_slice(&kept);
    drop(check);
    std::thread::spawn(move || drop(kept)).join().unwrap();
    assert_eq!(grown.len(), 200);
}

/// It is filled as the check before fills, which is no fault of the next one.
#[test]
fn what_is_freed_between_two_checks_may_be_filled_otherwise() {
    let mut check = MemoryCheck::open().unwrap();
    let kept = check.run(MemoryFill::PAIR[1], || vec![5_u8; 100]);
    assert_eq!(check.finish().live_blocks, 1);
    drop(kept);
    check.run(MemoryFill::PAIR[0], || drop(vec![6_u8; 100]));
    assert_eq!(check.finish(), CheckedMemory::default());
}

/// Blocks that another thread frees are freed; those that it allocates are its own.
#[test]
fn other_threads_may_free_what_is_checked() {
    let found = checked(|| {
        let sent: Vec<u64> = (0..10).collect();
        let back = std::thread::spawn(move || sent.iter().map(|one| one + 1).collect::<Vec<_>>());
        drop(back.join().unwrap());
    });
    // The standard library keeps something of a thread; nothing is wrong with it.
    assert_eq!(found.fault, None);
}

#[test]
fn collections_of_the_standard_library_are_sound() {
    let found = checked(|| {
        let mut map = BTreeMap::new();
        for key in 0..300_u64 {
            map.insert(key * 7 % 300, vec![key; 3]);
        }
        map.retain(|key, _| key % 3 == 0);
        let text: String = map.keys().map(u64::to_string).collect();
        assert!(text.len() > 100);
        // Larger than what an arena has room for.
        drop(black_box(vec![0_u8; 64 << 20]));
        drop(black_box(vec![0_u8; 900 << 10]));
    });
    assert_eq!(found, CheckedMemory::default());
}

#[test]
fn an_arena_that_is_full_leaves_the_rest_to_the_system() {
    let found = checked(|| {
        let all: Vec<Vec<u8>> = (0..40).map(|_| vec![1; 900 << 10]).collect();
        assert!(all.iter().all(|one| one.iter().all(|&byte| byte == 1)));
    });
    assert_eq!(found, CheckedMemory::default());
}

#[test]
fn what_is_sound_has_no_fault_and_leaves_nothing() {
    let sound = |fault, live_blocks| CheckedMemory { fault, live_blocks, ..<_>::default() };
    let fault = || Some(MemoryFault::FreedTwice { size: 24 });
    assert!(sound(None, 0).is_sound());
    assert!(!sound(None, 1).is_sound() && !sound(fault(), 0).is_sound());
    assert!(!sound(fault(), 1).is_sound());
}

#[test]
fn checks_that_are_open_together_have_memory_of_their_own() {
    let mut checks = [(); 3].map(|()| MemoryCheck::open().expect("the allocator is installed"));
    for faulty in 0..3 {
        for (number, check) in checks.iter_mut().enumerate() {
            check.run(MemoryFill::PAIR[0], || {
                let at = if number == faulty { 24 } else { 23 };
                with_block(|block| write(block, at));
            });
            assert_eq!(check.finish().is_sound(), number != faulty);
        }
    }
}

/// There are 256 arenas.
#[test]
fn the_memory_of_a_check_that_is_over_is_used_again() {
    for _ in 0..300 {
        assert!(MemoryCheck::open().is_some());
    }
}

/// Of blocks larger than a mebibyte nothing is known. Nine of this size are more than half of an
/// arena, eighteen are more than one.
#[test]
fn a_check_goes_on_where_blocks_that_stay_have_filled_its_memory() {
    let mut check = MemoryCheck::open().expect("the allocator is installed");
    for (size, n_known) in [(1 << 20, 9), (1 << 20, 9), ((1 << 20) + 1, 0)] {
        let mut blocks = [std::ptr::null_mut(); 9];
        check.run(MemoryFill::PAIR[0], || {
            // SAFETY: the size is not zero.
            blocks.fill_with(|| unsafe { alloc(layout(size, 8)) });
        });
        assert_eq!(check.finish().live_blocks, n_known);
        if n_known == 0 {
            // SAFETY: each is the system's, and freed once.
            blocks.into_iter().for_each(|block| unsafe { dealloc(block, layout(size, 8)) });
        }
    }
}

#[test]
fn blocks_with_the_alignment_of_a_page_are_checked_and_with_more_are_not() {
    let mut check = MemoryCheck::open().expect("the allocator is installed");
    for (align, n_known) in [(1, 1), (4096, 1), (8192, 0)] {
        let mut block = std::ptr::null_mut();
        check.run(MemoryFill::PAIR[0], || {
            // SAFETY: the size is not zero.
            block = unsafe { alloc(layout(8, align)) };
        });
        assert_eq!((check.finish().live_blocks, block.addr() % align), (n_known, 0), "{align}");
        // SAFETY: the block is freed once.
        unsafe { dealloc(block, layout(8, align)) };
    }
}

#[test]
fn a_block_whose_check_is_over_can_be_resized() {
    let mut check = MemoryCheck::open().expect("the allocator is installed");
    let mut kept = check.run(MemoryFill::PAIR[0], || vec![5_u8; 100]);
    assert_eq!(check.finish().live_blocks, 1);
    kept.extend([6; 100]);
    assert_eq!(kept, [[5; 100], [6; 100]].concat());
}

#[test]
fn a_block_of_a_check_is_older_than_what_is_watched_later() {
    let mut check = MemoryCheck::open().expect("the allocator is installed");
    let kept = check.run(MemoryFill::PAIR[0], || vec![5_u8; 100]);
    let mut watch = MemoryWatch::new();
    watch.run(|| drop(kept));
    let left = watch.finish();
    assert_eq!((left.blocks, left.has_freed_older), (0, true));
    assert!(check.finish().is_sound());
}

/// A thread frees some of what it was given after the scope has joined it.
#[test]
fn what_a_joined_thread_frees_is_no_leak() {
    let mut check = MemoryCheck::open().expect("the allocator is installed");
    for round in 0..300 {
        let work = || {
            std::thread::scope(|scope| {
                scope.spawn(|| black_box(vec![1, 2, 3]));
                scope.spawn(|| black_box(vec![4]));
            });
        };
        check.run(MemoryFill::PAIR[0], work);
        let found = check.finish();
        assert!(!found.has_leak() && found.fault.is_none(), "round {round}: {found:?}");
    }
}
