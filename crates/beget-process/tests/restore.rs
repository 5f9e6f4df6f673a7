//! Values of many kinds are restored exactly, call after call.
//!
//! A binary of its own: panic hooks belong to the process.
#![allow(clippy::disallowed_types, reason = "maps of all kinds are subjects of the test")]
#![forbid(unsafe_code)]

use std::{
    any::Any,
    cell::RefCell,
    collections::{BTreeMap, HashMap, VecDeque},
    fmt::Debug,
    panic::{AssertUnwindSafe, catch_unwind},
    rc::{Rc, Weak},
};

use beget_process::alloc::{
    After, BuildError, DifferenceList, KeptPlace, Patch, Region, RegionLoss,
};

beget_process::alloc::install!(unsafe);

fn open() -> Region {
    Region::open().expect("the allocator is installed in this binary")
}

/// Calls `call` many times on what `make` makes, and checks each time that it meets the same value
/// and leaves the same value as in plain execution.
#[track_caller]
fn check<T: 'static>(make: fn() -> T, call: fn(&mut T), show: impl Fn(&T) -> String) {
    let mut plain = make();
    let before = show(&plain);
    call(&mut plain);
    let after = show(&plain);

    let mut region = open();
    let mut image = region.build(|| Ok::<_, ()>(make())).unwrap();
    for _ in 0..20_000 {
        let met =
            image.attempt(|_| (), |value, _, after| (show(value), after.is_changed())).unwrap();
        assert_eq!(met, (before.clone(), false));
        let left =
            image.attempt(call, |value, _, after| (show(value), after.is_changed())).unwrap();
        assert_eq!(left, (after.clone(), before != after));
    }
}

fn debug<T: Debug>(value: &T) -> String {
    format!("{value:?}")
}

#[test]
fn a_growing_vector_is_put_back() {
    check(|| vec![1_u8, 2, 3], |items| items.extend(0..100), debug);
}

#[test]
fn a_shrunken_vector_is_put_back() {
    check(
        || Vec::from_iter(0_u32..100),
        |items| {
            items.truncate(3);
            items.shrink_to_fit();
            items.push(7);
        },
        debug,
    );
}

#[test]
fn a_string_is_put_back() {
    check(|| String::from("tree"), |text| text.insert_str(0, "a longer "), debug);
}

#[test]
fn a_queue_is_put_back() {
    check(
        || VecDeque::from_iter(0_u8..8),
        |items| {
            items.rotate_left(3);
            items.push_front(9);
        },
        debug,
    );
}

#[test]
fn an_ordered_map_is_put_back() {
    check(
        || BTreeMap::from_iter((0_u8..40).map(|key| (key, vec![key]))),
        |map| map.retain(|key, _| key % 3 == 0),
        debug,
    );
}

#[test]
fn a_hash_map_is_put_back() {
    check(
        || HashMap::<_, _>::from_iter((0_u8..40).map(|key| (key, key.to_string()))),
        |map| {
            map.retain(|key, _| key % 3 == 0);
            map.extend((100..150).map(|key| (key, String::new())));
        },
        |map| debug(&BTreeMap::from_iter(map)),
    );
}

#[test]
fn an_over_aligned_value_is_put_back() {
    #[derive(Debug)]
    #[repr(align(128))]
    struct Wide(#[expect(dead_code)] u8);

    check(
        || vec![Wide(1)],
        |items| {
            items.push(Wide(2));
            assert!(items.as_ptr().is_aligned());
        },
        debug,
    );
}

#[test]
fn zeroed_memory_is_zero_in_every_epoch() {
    check(
        || vec![7_u8; 100],
        |items| {
            let zeros = vec![0_u8; 5000];
            assert!(zeros.iter().all(|&byte| byte == 0));
            let mut sevens = zeros;
            sevens.fill(7);
            items.extend_from_slice(&sevens[..10]);
        },
        debug,
    );
}

struct Node {
    value: u8,
    next: RefCell<Option<Rc<Node>>>,
    back: RefCell<Weak<Node>>,
}

fn ring() -> Rc<Node> {
    let node = |value| Rc::new(Node { value, next: None.into(), back: Weak::new().into() });
    let nodes = [node(1), node(2), node(3)];
    for (idx, node) in nodes.iter().enumerate() {
        let next = &nodes[(idx + 1) % 3];
        *node.next.borrow_mut() = Some(next.clone());
        *next.back.borrow_mut() = Rc::downgrade(node);
    }
    nodes[0].clone()
}

fn show_ring(root: &Rc<Node>) -> String {
    let mut text = String::new();
    let mut node = Some(root.clone());
    for _ in 0..5 {
        let Some(here) = node else { break };
        let back = here.back.borrow().upgrade().map(|back| back.value);
        let is_borrowed = here.next.try_borrow_mut().is_err();
        let counts = (Rc::strong_count(&here), Rc::weak_count(&here));
        text += &format!("{} {back:?} {is_borrowed} {counts:?};", here.value);
        node = here.next.try_borrow().ok().and_then(|next| next.clone());
    }
    text
}

#[test]
fn a_ring_of_counted_references_is_put_back() {
    check(
        ring,
        |root| {
            let last = root.back.borrow().upgrade().unwrap();
            let fresh =
                Node { value: 4, next: Some(root.clone()).into(), back: Weak::new().into() };
            last.next.replace(Some(Rc::new(fresh)));
        },
        show_ring,
    );
}

#[test]
fn a_leaked_borrow_is_put_back() {
    check(ring, |root| std::mem::forget(root.next.borrow_mut()), show_ring);
}

#[test]
fn a_receiver_taken_by_value_is_back_in_its_slot() {
    type Slots = [Option<Box<dyn Any>>; 2];
    check::<Slots>(
        || [Some(Box::new(String::from("self"))), Some(Box::new(3_u8))],
        |slots| {
            let this = slots[0].take().unwrap().downcast::<String>().unwrap();
            slots[1] = Some(Box::new(this.len() as u8));
        },
        |slots| {
            let this = slots[0].as_ref().and_then(|this| this.downcast_ref::<String>());
            let number = slots[1].as_ref().and_then(|number| number.downcast_ref::<u8>());
            format!("{this:?} {number:?}")
        },
    );
}

#[test]
fn a_panicking_call_is_an_ordinary_attempt() {
    std::panic::set_hook(Box::new(|info| {
        beget_process::alloc::pause(|| drop(info.to_string()));
    }));
    let mut region = open();
    let mut image = region.build(|| Ok::<_, ()>(vec![1_u8])).unwrap();
    for idx in 0..20_000 {
        let call = |items: &mut Vec<u8>| {
            catch_unwind(AssertUnwindSafe(|| {
                items.push(2);
                assert!(idx == usize::MAX, "call {idx} panics");
            }))
        };
        let text = image.attempt(call, |items, outcome, after| {
            assert_eq!((items.as_slice(), after.is_changed()), ([1, 2].as_slice(), true));
            outcome.as_ref().unwrap_err().downcast_ref::<String>().cloned()
        });
        assert_eq!(text.unwrap().unwrap(), format!("call {idx} panics"));
    }
    drop(region);
    drop(std::panic::take_hook());
}

#[test]
fn a_panic_that_leaves_the_region_ends_the_image_but_not_the_region() {
    let mut region = open();
    let mut image = region.build(|| Ok::<_, ()>(String::from("text"))).unwrap();
    let payload = catch_unwind(AssertUnwindSafe(|| {
        image.attempt(
            |text| std::panic::resume_unwind(Box::new(std::mem::take(text) + " kept")),
            |_, (), _| (),
        )
    }))
    .unwrap_err();
    assert_eq!(image.attempt(|_| (), |_, (), _| ()), Err(RegionLoss::Unwound));
    let mut image = region.build(|| Ok::<_, ()>(String::from("next"))).unwrap();
    assert_eq!(image.attempt(|text| text.len(), |_, &len, _| len), Ok(4));
    assert_eq!(payload.downcast_ref::<String>().unwrap(), "text kept");
}

#[test]
fn a_panic_of_the_inspection_still_puts_the_frame_back() {
    let mut region = open();
    let mut image = region.build(|| Ok::<_, ()>(vec![1_u8])).unwrap();
    let inspect = |_: &Vec<u8>, (): &(), _: beget_process::alloc::After<'_>| {
        std::panic::resume_unwind(Box::new(()))
    };
    let unwound = catch_unwind(AssertUnwindSafe(|| image.attempt(|items| items.push(2), inspect)));
    assert!(unwound.is_err());
    assert_eq!(image.attempt(|_| (), |items, (), _| items.clone()), Ok(vec![1]));
}

#[test]
fn a_call_that_overflows_is_reported_and_the_next_structure_is_fine() {
    let mut region = open();
    for _ in 0..3 {
        let mut image = region.build(|| Ok::<_, ()>(Vec::<u8>::new())).unwrap();
        assert_eq!(image.attempt(|items| items.push(1), |items, (), _| items.len()), Ok(1));
        let huge = image.attempt(|items| items.resize(100 << 20, 1), |_, (), _| ());
        assert_eq!(huge, Err(RegionLoss::Overflow));
        assert_eq!(image.attempt(|_| (), |_, (), _| ()), Err(RegionLoss::Overflow));
    }
    let huge = region.build(|| Ok::<_, ()>(vec![1_u8; 100 << 20]));
    assert!(matches!(huge, Err(BuildError::Region(RegionLoss::Overflow))));
}

/// A region has 8 MiB, and no block in its first and last line of 64 bytes.
#[test]
fn a_structure_may_fill_a_region_but_for_its_first_and_last_line() {
    let room = (8 << 20) - 2 * 64 - size_of::<Vec<u8>>();
    assert!(open().build(|| Ok::<_, ()>(vec![1_u8; room])).is_ok());
    let larger = open().build(|| Ok::<_, ()>(vec![1_u8; room + 1])).map(|_| ());
    assert!(matches!(larger, Err(BuildError::Region(RegionLoss::Overflow))));
}

#[test]
fn a_structure_larger_than_an_epoch_is_put_back() {
    let mut region = open();
    let mut image = region.build(|| Ok::<_, ()>(vec![1_u8; 1 << 20])).unwrap();
    for idx in 0..100 {
        let before =
            image.attempt(|items| std::mem::replace(&mut items[idx << 13], 2), |_, &was, _| was);
        assert_eq!(before, Ok(1));
        let pushed = image.attempt(|items| items.push(3), |items, (), _| items.ends_with(&[1, 3]));
        assert_eq!(pushed, Ok(true));
    }
}

#[test]
fn a_failed_make_gives_its_error() {
    let mut region = open();
    let failed = region.build(|| Err::<String, _>(3));
    assert!(matches!(failed, Err(BuildError::Make(3))));
}

#[test]
fn a_thread_has_one_open_region_at_a_time() {
    let region = open();
    assert!(Region::open().is_none());
    drop(region);
    assert!(Region::open().is_some());
}

/// Of 8 MiB a line at either end stays free.
#[test]
fn a_value_may_fill_its_region_to_the_last_byte() {
    const ROOM: usize = (8 << 20) - 128;
    let build = || {
        let fills = open().build(|| Ok::<_, ()>([1_u8; ROOM])).map(drop);
        (fills, open().build(|| Ok::<_, ()>([1_u8; ROOM + 1])).map(drop))
    };
    let thread = std::thread::Builder::new().stack_size(1 << 28).spawn(build);
    let built = thread.unwrap().join().unwrap();
    assert_eq!(built, (Ok(()), Err(BuildError::Region(RegionLoss::Overflow))));
}

/// What calls meet in a list of three numbers, one of which is found by its address.
fn patched_list(
    region: &mut Region,
    image: beget_process::alloc::ImageId,
    patches: &[Patch],
) -> Vec<i32> {
    assert!(region.patch(image, patches, |_| false));
    let mut image = region.newest::<Vec<i32>>().expect("it was built last");
    for _ in 0..3 {
        image.attempt(|list| list.clear(), |_, (), after| assert!(after.is_changed())).unwrap();
    }
    image.attempt(|_| (), |list, (), after| (list.clone(), after.is_changed())).unwrap().0
}

#[test]
fn a_patched_image_is_what_calls_meet_and_are_put_back_to() {
    let mut region = open();
    let mut image = region.build(|| Ok::<_, ()>(vec![1, 2, 3])).unwrap();
    let id = image.id();
    let address_of = |at: usize| move |list: &Vec<i32>| std::ptr::from_ref(&list[at]).addr();
    let first = image.attempt(|_| (), |list, (), _| address_of(0)(list)).unwrap();
    let last = first + 8;
    assert_eq!(patched_list(&mut region, id, &[]), [1, 2, 3]);
    let patches = [Patch::of_int(last, 4, 3, 9), Patch::of_int(first, 4, 1, -5_i64 as u64)];
    assert_eq!(patched_list(&mut region, id, &patches), [-5, 2, 9]);
    assert_eq!(patched_list(&mut region, id, &[Patch::of_int(last, 1, 0x209, 0x107)]), [-5, 2, 7]);
}

#[test]
fn what_does_not_fit_an_image_is_not_patched() {
    let mut region = open();
    let address = |list: &Vec<i32>| list.as_ptr().addr();
    // So the next image does not lie at the start.
    region.build(|| Ok::<_, ()>([0_u8; 8192])).unwrap();
    let mut image = region.build(|| Ok::<_, ()>(vec![1, 2, 3])).unwrap();
    let old = image.id();
    let place = image.attempt(|_| (), |list, (), _| address(list)).unwrap();
    // Outside, in part or as a whole, and with one that fits before it.
    let elsewhere = [0, place - 4096, place + 4096, usize::MAX - 3];
    for address in elsewhere {
        let patches = [Patch::of_int(place, 4, 1, 7), Patch::of_int(address, 8, 1, 7)];
        assert!(!region.patch(old, &patches, |_| false));
    }
    // In the place of another integer than what is there.
    let patches = [Patch::of_int(place, 4, 1, 7), Patch::of_int(place + 4, 4, 3, 7)];
    assert!(!region.patch(old, &patches, |_| false));
    assert_eq!(patched_list(&mut region, old, &[]), [1, 2, 3]);
    assert!(region.newest::<Vec<u32>>().is_none(), "of another type");
    // Another image is there now.
    region.build(|| Ok::<_, ()>(vec![4, 5, 6])).unwrap();
    assert!(!region.patch(old, &[], |_| false));
    assert!(region.newest::<Vec<i32>>().is_some());
    // One that could not be made took its place.
    assert!(matches!(region.build(|| Err::<Vec<i32>, _>(())), Err(BuildError::Make(()))));
    assert!(region.newest::<Vec<i32>>().is_none());
}

#[test]
fn no_image_of_a_lost_region_is_taken_up() {
    let mut region = open();
    let mut image = region.build(|| Ok::<_, ()>(vec![1, 2, 3])).unwrap();
    let id = image.id();
    let lost = image.attempt(|list| list.resize(1 << 24, 0), |_, (), _| ());
    assert_eq!(lost, Err(RegionLoss::Overflow));
    assert!(!region.patch(id, &[], |_| false));
    assert!(region.newest::<Vec<i32>>().is_none());
}

type Boxed = (Vec<i32>, Option<Box<u64>>);

/// A call on a patched image is like one that was kept before where what was kept follows the
/// patch: also where memory was allocated, and where the call itself has written an integer.
#[test]
fn what_is_kept_follows_a_patch_or_is_forgotten() {
    let mut region = open();
    let mut image = region.build(|| Ok::<Boxed, ()>((vec![1, 2, 3], None))).unwrap();
    let id = image.id();
    let [stays, goes, never] = [0, 1, 2].map(KeptPlace::of);
    let call = |(list, boxed): &mut Boxed| {
        list[0] = 7;
        *boxed = Some(Box::new(4));
    };
    let keep = |after: &mut After<'_>| {
        after.keep(stays);
        after.keep(goes);
    };
    image.attempt(call, |_, (), mut after| keep(&mut after)).unwrap();
    let start = image.attempt(|_| (), |(list, _), (), _| list.as_ptr().addr()).unwrap();
    // What the call has written in the place of the first integer stays.
    let patches = [(0, 1, 8), (2, 3, 9)];
    let patches = patches.map(|(at, old, new)| Patch::of_int(start + 4 * at, 4, old, new));
    let mut asked = Vec::new();
    let follows = |place| {
        asked.push(place);
        place == stays
    };
    assert!(region.patch(id, &patches, follows));
    assert_eq!(asked, [stays, goes]);
    let mut image = region.newest::<Boxed>().expect("it was built last");
    let mut differences = DifferenceList::default();
    let mut told = |(list, _): &Boxed, after: After<'_>| {
        let is_kept = [stays, goes, never].map(|place| after.is_kept(place));
        assert!(!after.is_like_kept(goes, &mut differences));
        let is_like = after.is_like_kept(stays, &mut differences);
        (list.clone(), is_kept, is_like.then_some(differences.len()))
    };
    let met = image.attempt(call, |value, (), after| told(value, after)).unwrap();
    assert_eq!(met, (vec![7, 2, 9], [true, false, false], Some(0)));
    // Another literal is one difference.
    let other = |value: &mut Boxed| {
        call(value);
        value.0[1] = 5;
    };
    let met = image.attempt(other, |value, (), after| told(value, after)).unwrap();
    assert_eq!(met, (vec![7, 5, 9], [true, false, false], Some(1)));
    // A new epoch uses the addresses of the kept call's blocks again.
    for _ in 0..100 {
        image.attempt(|(list, _)| list.resize(1 << 10, 0), |_, (), _| ()).unwrap();
    }
    let is_kept = image.attempt(call, |_, (), after| after.is_kept(stays)).unwrap();
    assert!(!is_kept);
    // Of another image nothing is kept, though its frame may have as many words.
    let met = image.attempt(call, |_, (), mut after| {
        after.keep(stays);
        after.is_kept(stays)
    });
    assert!(met.unwrap());
    let mut image = region.build(|| Ok::<Boxed, ()>((vec![1, 2, 3], None))).unwrap();
    let is_kept = image.attempt(call, |_, (), after| after.is_kept(stays)).unwrap();
    assert!(!is_kept);
}
