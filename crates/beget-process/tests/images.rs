//! Images of values: what they lead to, wherever it lies.
//!
//! A binary of its own: images lead to all memory of the process.
#![cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::rc::Rc;

use beget_process::alloc::{
    AddressAnchors, BlockKind, BlockPlace, ByteMask, ImageWord, MemoryImage, can_track, track,
};

beget_process::alloc::install!(unsafe);

/// The image of what `make` makes, and of what it makes among other blocks of the same arena.
#[track_caller]
fn image_of<T: 'static>(make: impl Fn() -> T) -> MemoryImage {
    let value = track(|| Box::new(make()));
    let image = MemoryImage::of(&*value, &ByteMask::default());
    let (_before, other) = track(|| (vec![1_u8; 100], Box::new(make())));
    assert_eq!(image, MemoryImage::of(&*other, &ByteMask::default()));
    image
}

fn bytes(word: u64) -> ImageWord {
    ImageWord::Bytes(word.to_le_bytes().map(Some), 8)
}

/// Length, capacity and address of a vector stand in an order that the compiler chooses.
fn sorted(words: &[ImageWord]) -> Vec<String> {
    let mut shown: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
    shown.sort();
    shown
}

#[test]
fn a_vector_leads_to_its_buffer_with_what_pop_has_left() {
    let image = image_of(|| {
        let mut vec = Vec::with_capacity(4);
        vec.extend([7_u64, 8, 9]);
        vec.pop();
        vec
    });
    let [root, buffer] = &image.blocks[..] else { panic!("{image:?}") };
    assert_eq!(sorted(&root.words), sorted(&[bytes(4), ImageWord::Block(1, 0), bytes(2)]));
    assert_eq!(buffer.words, [bytes(7), bytes(8), bytes(9), bytes(0)]);
    assert_eq!((buffer.kind.size, buffer.kind.align), (32, 8));
    assert!(matches!(buffer.kind.place, BlockPlace::InRoot(_)));
}

#[test]
fn a_block_grows_with_zeros() {
    let image = image_of(|| {
        let mut vec = vec![u64::MAX];
        vec.reserve_exact(2);
        vec
    });
    assert_eq!(image.blocks[1].words, [bytes(u64::MAX), bytes(0), bytes(0)]);
}

#[test]
fn addresses_inside_blocks_behind_them_and_in_freed_ones_are_told() {
    let image = image_of(|| {
        let buffer: Box<[u64; 2]> = Box::new([1, 2]);
        let inside = &raw const buffer[1];
        let freed = Box::new(5_u64);
        let dangling = &raw const *freed;
        (inside, buffer, inside.wrapping_add(1), dangling, freed).0
    });
    // All is freed but what is returned.
    assert_eq!(image.blocks[0].words, [ImageWord::Freed]);
    let image = image_of(|| {
        let buffer: Box<[u64; 2]> = Box::new([1, 2]);
        let inside = &raw const buffer[1];
        [Box::into_raw(buffer).cast_const().cast(), inside, inside.wrapping_add(1)]
    });
    let block = |offset| ImageWord::Block(1, offset);
    assert_eq!(image.blocks[0].words, [block(0), block(8), block(16)]);
}

#[test]
fn cycles_and_shared_blocks_are_told_by_the_order_of_discovery() {
    #[derive(Default)]
    struct Node {
        next: RefCell<Option<Rc<Node>>>,
    }
    let ring = || {
        let (one, two) = (Rc::new(Node::default()), Rc::new(Node::default()));
        *one.next.borrow_mut() = Some(two.clone());
        *two.next.borrow_mut() = Some(one.clone());
        one
    };
    let image = image_of(ring);
    assert_eq!(image.blocks.len(), 3);
    assert!(image.blocks[2].words.contains(&ImageWord::Block(1, 0)));
    let two = image_of(|| (Rc::new(1_u64), Rc::new(1_u64)));
    let shared = image_of(|| {
        let one = Rc::new(1_u64);
        (one.clone(), one)
    });
    assert_eq!((two.blocks.len(), shared.blocks.len()), (3, 2));
}

#[test]
fn tables_of_methods_and_constants_are_told_by_their_place_in_the_program() {
    let one = image_of(|| Box::new(1_u32) as Box<dyn Debug>);
    let other = image_of(|| Box::new('a') as Box<dyn Debug>);
    let table = |image: &MemoryImage| image.blocks[0].words[1];
    assert!(matches!(table(&one), ImageWord::Loaded(0, _)));
    assert_ne!(table(&one), table(&other));
    let text = image_of(|| ("same", "same"));
    assert_eq!(text.blocks[0].words[0], text.blocks[0].words[2]);
}

#[test]
fn what_is_not_believed_is_neither_told_nor_followed() {
    let value = track(|| Box::new((vec![1_u64], 5_u64)));
    let whole = MemoryImage::of(&*value, &ByteMask::default());
    assert_eq!(whole.blocks.len(), 2);
    let root = &whole.blocks[0];
    let at = root.words.iter().position(|word| *word == ImageWord::Block(1, 0)).expect("a buffer");
    let mut mask = ByteMask::default();
    assert!(mask.insert(root.kind, 8 * at + 3));
    assert!(!mask.insert(root.kind, 8 * at + 3));
    let image = MemoryImage::of(&*value, &mask);
    let [root] = &image.blocks[..] else { panic!("{image:?}") };
    let ImageWord::Bytes(bytes, 8) = root.words[at] else { panic!("{root:?}") };
    assert_eq!(bytes.map(|byte| byte.is_some()), std::array::from_fn(|index| index != 3));
}

#[test]
fn equal_maps_that_were_made_alike_have_equal_images_and_others_have_not() {
    let map = |last: u8| {
        image_of(move || (0..20).chain([last]).map(|key| (key, 1_u8)).collect::<BTreeMap<u8, u8>>())
    };
    assert_eq!(map(30), map(30));
    assert_ne!(map(30), map(31));
}

/// Seven bytes behind a truth value.
#[repr(C)]
struct Padded {
    flag: bool,
    number: u64,
    /// Two fields would be passed in registers, which have no padding.
    other: u64,
}

/// The value in a place that optimised code, too, copies as a whole, with its padding.
#[inline(never)]
fn padded(number: u64) -> MaybeUninit<Padded> {
    let mut place = MaybeUninit::uninit();
    black_box(&mut place).write(Padded { flag: number > 2, number, other: 1 });
    place
}

#[test]
fn padding_holds_what_the_stack_was_painted_with_whatever_ran_before() {
    let make = || {
        let value = track(|| Box::new(padded(black_box(3))));
        MemoryImage::of(&*value, &ByteMask::default()).blocks[0].words.clone()
    };
    let mut padding = [Some(0x5A); 8];
    padding[0] = Some(1);
    let expected = [ImageWord::Bytes(padding, 8), bytes(3), bytes(1)];
    assert_eq!(make(), expected);
    black_box(deep(40));
    assert_eq!(make(), expected);
    let elsewhere = std::thread::spawn(make).join().expect("it does not panic");
    assert_eq!(elsewhere, expected);
}

/// Leaves numbers on the stack.
#[inline(never)]
fn deep(depth: u64) -> u64 {
    let numbers = black_box([depth; 20]);
    if depth == 0 { 0 } else { deep(depth - 1) + numbers[7] }
}

#[test]
fn an_address_inside_the_value_itself_is_told() {
    let mut value = Box::new([7_usize, 0]);
    value[1] = (&raw const value[1]).addr();
    let image = MemoryImage::of(&*value, &ByteMask::default());
    assert_eq!(image.blocks.len(), 1);
    assert_eq!(image.blocks[0].words, [bytes(7), ImageWord::Block(0, 8)]);
}

#[test]
fn memory_that_is_free_is_used_by_the_next_call() {
    let address = || {
        let value = track(|| Box::new([5_u64; 100]));
        (&raw const *value).addr()
    };
    let first = address();
    assert_eq!([address(), address()], [first; 2]);
}

#[test]
fn a_mask_has_the_bytes_that_were_put_in() {
    let kind = image_of(|| 1_u64).blocks[0].kind;
    let mut mask = ByteMask::default();
    assert!(mask.insert(kind, 3) && !mask.insert(kind, 3));
    assert!(mask.contains(kind, 3) && !mask.contains(kind, 4));
    assert!(!mask.contains(BlockKind { size: kind.size + 8, ..kind }, 3));
}

#[test]
fn a_block_behind_the_value_is_another_one_and_the_last_word_may_be_a_part() {
    let value = track(|| {
        let mut value = Box::new((None, [7_u8; 11]));
        value.0 = Some(Box::new([8_u8; 3]));
        value
    });
    let image = MemoryImage::of(&value.0, &ByteMask::default());
    let [root, block] = &image.blocks[..] else { panic!("{image:?}") };
    assert_eq!(root.words, [ImageWord::Block(1, 0)]);
    let part = |byte: u8, len: usize| {
        let bytes = std::array::from_fn(|index| (index < len).then_some(byte));
        ImageWord::Bytes(bytes, len)
    };
    assert_eq!(block.words, [part(8, 3)]);
    let image = MemoryImage::of(&value.1, &ByteMask::default());
    assert_eq!(image.blocks[0].words, [part(7, 8), part(7, 3)]);
}

#[test]
fn an_address_in_the_program_is_told_by_its_distance_from_the_start() {
    static NUMBER: u64 = 5;
    let image = MemoryImage::of(&&NUMBER, &ByteMask::default());
    let anchors = AddressAnchors::here().to_bytes();
    let start = usize::from_le_bytes(*anchors.first_chunk().expect("the program comes first"));
    let distance = (&raw const NUMBER).addr() - start;
    assert_eq!(image.blocks[0].words, [ImageWord::Loaded(0, distance)]);
}

/// There are 256 arenas.
#[test]
fn the_memory_of_a_thread_that_has_ended_is_used_again() {
    for _ in 0..300 {
        assert!(std::thread::spawn(can_track).join().expect("it does not panic"));
    }
}
