//! Slots of `MaybeUninit`: the numbers that tell which are live are found by their names, so the
//! message can be pasted.

use std::mem::MaybeUninit;

#[derive(beget::Heap)]
pub struct Stack {
    slots: [MaybeUninit<u8>; 4],
    len: usize,
}

#[derive(beget::Heap)]
pub struct Ring {
    slots: [MaybeUninit<u8>; 4],
    head: usize,
    len: usize,
}

#[derive(beget::Heap)]
pub struct Counting {
    slots: [MaybeUninit<u8>; 4],
    head: usize,
    tail: usize,
}

#[derive(beget::Heap)]
pub struct Strange {
    slots: [MaybeUninit<u8>; 4],
    filled: usize,
}

#[derive(beget::Heap)]
pub struct Wrong {
    #[heap(unsafe(buffer = name))]
    slots: [MaybeUninit<u8>; 4],
    name: String,
}

fn main() {}
