//! What the standard library of the toolchain says when it panics, with the family and the numbers
//! that are read off it.
#![allow(
    clippy::disallowed_types,
    dropping_copy_types,
    dropping_references,
    clippy::drop_non_drop,
    reason = "what is returned does not matter"
)]

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::hint::black_box;
use std::ops::Bound;
use std::time::Duration;

use beget_process::guard::{guarded, last_panic};
use beget_search::heuristic::Clue;

/// Panics, and what it says.
fn said(what: &str, panics: impl FnOnce()) -> String {
    assert!(guarded(panics).is_err(), "{what} does not panic");
    let message = last_panic().message;
    let Clue { family, numbers } = Clue::read(&message);
    format!("{family} {numbers:?} {what}: {}\n", message.replace('\n', " / "))
}

/// Keeps the compiler from seeing what must go wrong.
fn no<T>(value: T) -> T {
    black_box(value)
}

fn bytes() -> Vec<u8> {
    vec![1, 2, 3]
}

fn set() -> BTreeSet<u8> {
    BTreeSet::from([1, 2])
}

#[test]
fn the_messages_of_lists() {
    let all = [
        said("v[9]", || drop(bytes()[no(9)])),
        said("v.swap(1, 9)", || bytes().swap(1, no(9))),
        said("deque[9]", || drop(VecDeque::from(bytes())[no(9)])),
        said("deque.swap(1, 9)", || VecDeque::from(bytes()).swap(1, no(9))),
        said("v[..9]", || drop(bytes()[..no(9)].len())),
        said("v[9..]", || drop(bytes()[no(9)..].len())),
        said("v[..=9]", || drop(bytes()[..=no(9)].len())),
        said("v[3..1]", || drop(bytes()[no(3)..no(1)].len())),
        said("v.drain(2..9)", || drop(bytes().drain(2..no(9)))),
        said("v.drain(9..)", || drop(bytes().drain(no(9)..))),
        said("v.copy_within(0..2, 9)", || bytes().copy_within(0..2, no(9))),
        said("v.insert(9, 1)", || bytes().insert(no(9), 1)),
        said("v.remove(9)", || drop(bytes().remove(no(9)))),
        said("v.swap_remove(9)", || drop(bytes().swap_remove(no(9)))),
        said("v.split_off(9)", || drop(bytes().split_off(no(9)))),
        said("v.split_at(9)", || drop(bytes().split_at(no(9)))),
        said("v.rotate_left(9)", || bytes().rotate_left(no(9))),
        said("v.select_nth_unstable(9)", || drop(bytes().select_nth_unstable(no(9)))),
        said("deque.insert(9, 1)", || VecDeque::from(bytes()).insert(no(9), 1)),
        said("deque.split_off(9)", || drop(VecDeque::from(bytes()).split_off(no(9)))),
        said("deque.rotate_left(9)", || VecDeque::from(bytes()).rotate_left(no(9))),
        said("deque.range(2..9)", || drop(VecDeque::from(bytes()).range(2..no(9)))),
        said("v.chunks(0)", || drop(bytes().chunks(no(0)))),
        said("v.windows(0)", || drop(bytes().windows(no(0)))),
        said("v.chunks_exact(0)", || drop(bytes().chunks_exact(no(0)))),
        said("v.rchunks(0)", || drop(bytes().rchunks(no(0)))),
        said("step_by(0)", || drop((0..3).step_by(no(0)))),
        said("v.copy_from_slice(&[1])", || bytes().copy_from_slice(no(&[1]))),
        said("v.clone_from_slice(&[1])", || bytes().clone_from_slice(no(&[1]))),
        said("v.swap_with_slice(&mut [1])", || bytes().swap_with_slice(no(&mut [1]))),
        said("with_capacity(MAX)", || drop(Vec::<u8>::with_capacity(no(usize::MAX)))),
        said("v.reserve(MAX)", || bytes().reserve(no(usize::MAX))),
        said("repeat(MAX)", || drop("ab".repeat(no(usize::MAX)))),
    ];
    insta::assert_snapshot!(all.concat());
}

#[test]
fn the_messages_of_texts() {
    let all = [
        said("\"é\"[1..]", || drop("é"[no(1)..].len())),
        said("\"é\"[..9]", || drop("é"[..no(9)].len())),
        said("\"abc\"[2..1]", || drop("abc"[no(2)..no(1)].len())),
        said("\"é\".split_at(1)", || drop("é".split_at(no(1)))),
        said("text.insert(1, 'a')", || String::from("é").insert(no(1), 'a')),
        said("text.remove(9)", || drop(String::from("a").remove(no(9)))),
        said("text.truncate(1)", || String::from("é").truncate(no(1))),
        said("text.split_off(1)", || drop(String::from("é").split_off(no(1)))),
        said("text.split_off(9)", || drop(String::from("é").split_off(no(9)))),
        said("text.drain(9..)", || drop(String::from("ab").drain(no(9)..))),
        said("text.replace_range(1.., \"\")", || String::from("é").replace_range(no(1).., "")),
        said("'a'.to_digit(40)", || drop(no('a').to_digit(no(40)))),
        said("from_digit(3, 40)", || drop(char::from_digit(3, no(40)))),
        said("from_str_radix(\"a\", 40)", || drop(u8::from_str_radix("a", no(40)))),
    ];
    insta::assert_snapshot!(all.concat());
}

#[test]
fn the_messages_of_values_and_cells() {
    let cell = RefCell::new(1);
    let all = [
        said("None.unwrap()", || drop(no(None::<u8>).unwrap())),
        said("None.expect(text)", || drop(no(None::<u8>).expect("there is a value"))),
        said("\"a\".parse().unwrap()", || drop(no("a").parse::<u8>().unwrap())),
        said("\"a\".parse().expect(text)", || drop(no("a").parse::<u8>().expect("a number"))),
        said("binary_search(&3).unwrap()", || drop([1].binary_search(no(&3)).unwrap())),
        said("Ok(1).unwrap_err()", || drop(no(Ok::<u8, u8>(1)).unwrap_err())),
        said("u8::try_from(300).unwrap()", || drop(u8::try_from(no(300)).unwrap())),
        said("borrow while borrowed mutably", || {
            let _held = cell.borrow_mut();
            drop(cell.borrow());
        }),
        said("borrow_mut while borrowed", || {
            let _held = cell.borrow();
            drop(cell.borrow_mut());
        }),
        said("set.range(3..1)", || drop(set().range(no(3)..no(1)))),
        said("set.range of equal excluded ends", || {
            drop(set().range((Bound::Excluded(no(3)), Bound::Excluded(no(3)))));
        }),
        said("hash_map[&3]", || drop(HashMap::<u8, u8>::new()[no(&3)])),
        said("btree_map[&3]", || drop(BTreeMap::<u8, u8>::new()[no(&3)])),
    ];
    insta::assert_snapshot!(all.concat());
}

#[test]
fn the_messages_of_numbers() {
    let all = [
        said("255 + 1", || drop(no(255_u8) + no(1))),
        said("0 - 1", || drop(no(0_u8) - no(1))),
        said("255 * 2", || drop(no(255_u8) * no(2))),
        said("-MIN", || drop(-no(i8::MIN))),
        said("1 << 9", || drop(no(1_u8) << no(9))),
        said("1 >> 9", || drop(no(1_u8) >> no(9))),
        said("MIN / -1", || drop(no(i8::MIN) / no(-1))),
        said("1 / 0", || drop(no(1_u8) / no(0))),
        said("1 % 0", || drop(no(1_u8) % no(0))),
        said("1.clamp(3, 1)", || drop(no(1_u8).clamp(no(3), no(1)))),
        said("1.0.clamp(3.0, 1.0)", || drop(no(1_f64).clamp(no(3.0), no(1.0)))),
        said("0.ilog2()", || drop(no(0_u8).ilog2())),
        said("5.ilog(1)", || drop(no(5_u8).ilog(no(1)))),
        said("(-1).isqrt()", || drop(no(-1_i8).isqrt())),
        said("Duration::from_secs_f64(-1.0)", || drop(Duration::from_secs_f64(no(-1.0)))),
        said("Duration::from_secs_f64(NAN)", || drop(Duration::from_secs_f64(no(f64::NAN)))),
        said("assert_eq!(1, 2)", || assert_eq!(no(1), 2)),
        said("assert_eq!(1, 2, text)", || assert_eq!(no(1), 2, "sizes of {}", 3)),
        said("assert_ne!(1, 1)", || assert_ne!(no(1), 1)),
        said("assert!(3 < 2)", || assert!(no(3) < 2)),
    ];
    insta::assert_snapshot!(all.concat());
}
