//! Every type of the standard library that has a heap, over its extreme values: distinct values
//! have distinct forms, equal values equal ones, and a decoded value is the value.
#![allow(clippy::disallowed_types, reason = "maps of all kinds are subjects of the test")]

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::ffi::{CString, OsString};
use std::fmt::Debug;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::{
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI128, NonZeroIsize, NonZeroU8,
    NonZeroU16, NonZeroU32, NonZeroU64, NonZeroU128, NonZeroUsize, Saturating, Wrapping,
};
use std::ops::{
    Bound, ControlFlow, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive,
};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::atomic::{
    AtomicBool, AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicIsize, AtomicU8, AtomicU16,
    AtomicU32, AtomicU64, AtomicUsize, Ordering as Order,
};
use std::sync::{Arc, Mutex, OnceLock, RwLock};
use std::task::Poll;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use beget_heap::{
    Bounds, CanonicalForm, Decoder, Heap, HeapGraph, Layout, Schema, canonical_form, decode_form,
    laws,
};

fn form<T: Heap>(value: &T) -> CanonicalForm {
    canonical_form(value, &Bounds::unlimited()).unwrap()
}

fn decoded<T: Heap>(value: &T) -> T {
    let layout = Layout::new(&Schema::of::<T>(), &Bounds::unlimited());
    decode_form(&layout, &form(value)).unwrap()
}

/// The values, of which no two are the same, have as many forms.
#[track_caller]
fn check_forms<T: Heap>(values: &[T], show: impl Fn(&T) -> String) {
    let mut forms: Vec<CanonicalForm> = Vec::new();
    for value in values {
        laws::check(value).unwrap_or_else(|violation| panic!("{}: {violation}", show(value)));
        // Printing draws on the same walk, and must not panic.
        HeapGraph::of(value).to_text();
        let own = form(value);
        for (other, known) in values.iter().zip(&forms) {
            assert_ne!(own, *known, "{} and {}", show(value), show(other));
        }
        forms.push(own);
    }
}

#[track_caller]
fn check_with<T: Heap, S: PartialEq + Debug>(values: &[T], see: impl Fn(&T) -> S) {
    check_forms(values, |value| format!("{:?}", see(value)));
    for value in values {
        let again = decoded(value);
        assert_eq!(see(&again), see(value));
        assert_eq!(form(&again), form(value));
    }
}

#[track_caller]
fn check<T: Heap + PartialEq + Debug + Clone>(values: &[T]) {
    check_with(values, T::clone);
    // In the places that have walks of their own.
    let optional: Vec<Option<T>> =
        values.iter().cloned().map(Some).chain(std::iter::once(None)).collect();
    check_with(&optional, Option::clone);
    check_with(&[values.to_vec(), vec![]], Vec::clone);
    let boxed: Vec<_> = values.iter().cloned().map(Box::new).collect();
    check_with(&boxed, Box::clone);
}

macro_rules! integers {
    ($($ty:ty),+) => {$(
        let mut values = vec![<$ty>::MIN, <$ty>::MIN + 1, <$ty>::MAX - 1, <$ty>::MAX];
        // Both sides of each size that the form knows, and of the short codes.
        for bits in 0..<$ty>::BITS {
            let power = (1 as $ty) << bits;
            values.extend([power.wrapping_sub(1), power, power.wrapping_neg(), !power]);
        }
        values.extend(0..13);
        values.sort();
        values.dedup();
        check(&values);
    )+};
}

#[test]
fn integers() {
    integers!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);
}

macro_rules! non_zero {
    ($($ty:ident($primitive:ty)),+) => {$(
        let numbers = [<$primitive>::MIN, <$primitive>::MIN + 1, 1, 2, 12, <$primitive>::MAX - 1, <$primitive>::MAX];
        let mut values: Vec<_> = numbers.into_iter().filter_map($ty::new).collect();
        values.dedup();
        check(&values);
    )+};
}

#[test]
fn numbers_that_are_not_zero() {
    non_zero!(
        NonZeroU8(u8),
        NonZeroU16(u16),
        NonZeroU32(u32),
        NonZeroU64(u64),
        NonZeroUsize(usize)
    );
    non_zero!(
        NonZeroI8(i8),
        NonZeroI16(i16),
        NonZeroI32(i32),
        NonZeroI64(i64),
        NonZeroIsize(isize)
    );
    non_zero!(NonZeroU128(u128), NonZeroI128(i128));
}

#[test]
fn floats_are_their_bits() {
    let quiet = f64::NAN.to_bits();
    let doubles = [0.0, -0.0, 1.0, -1.0, f64::MIN, f64::MAX, f64::MIN_POSITIVE, 5e-324]
        .map(f64::to_bits)
        .into_iter()
        .chain([f64::INFINITY, f64::NEG_INFINITY].map(f64::to_bits))
        .chain([quiet, quiet | 1, quiet | 1 << 63, 0x7ff0_0000_0000_0001]);
    check_with(&doubles.map(f64::from_bits).collect::<Vec<_>>(), |value| value.to_bits());
    let quiet = f32::NAN.to_bits();
    let singles = [0.0, -0.0, 1.0, f32::MIN, f32::MAX, 1e-45, f32::INFINITY, f32::NEG_INFINITY]
        .map(f32::to_bits)
        .into_iter()
        .chain([quiet, quiet | 1, quiet | 1 << 31, 0x7f80_0001]);
    check_with(&singles.map(f32::from_bits).collect::<Vec<_>>(), |value| value.to_bits());
}

#[test]
fn texts() {
    check(&[false, true]);
    check(&['\0', 'a', '\u{d7ff}', '\u{e000}', char::MAX]);
    let texts =
        ["", "\0", "\0\0", "a", "a\0", "\\", "\\\\", "\\xff", "x", "é", "e\u{301}", "\u{10ffff}"];
    check(&texts.map(String::from));
    check(&texts.map(Box::<str>::from));
    check_with(&texts.map(OsString::from), OsString::clone);
    let without_nul = texts.iter().filter(|text| !text.contains('\0'));
    check(&without_nul.map(|text| CString::new(*text).unwrap()).collect::<Vec<_>>());
    check(
        &[b"\xff".to_vec(), b"\xff\xfe".to_vec(), b"\\\xc3".to_vec()]
            .map(|b| CString::new(b).unwrap()),
    );
    // Paths are equal by their components; a program that prints them sees more.
    let paths = ["a/b", "a//b", "a/b/", "./a/b", "a/./b", "/a/b", "", "."].map(PathBuf::from);
    check_with(&paths, |path| path.clone().into_os_string());
    check_forms(&["", "a", "b"], |text| (*text).to_owned());
}

#[cfg(unix)]
#[test]
fn texts_of_the_system_that_are_not_utf_8() {
    use std::os::unix::ffi::OsStringExt;
    let bytes: &[&[u8]] = &[
        b"\xff",
        b"\xff\xff",
        b"a\xff",
        b"\xffa",
        b"\\xff",
        b"\\\xff",
        b"\xc3",
        b"\xc3\xa9",
        b"\xa9",
    ];
    let texts: Vec<_> = bytes.iter().map(|bytes| OsString::from_vec(bytes.to_vec())).collect();
    check(&texts);
    check(&texts.into_iter().map(PathBuf::from).collect::<Vec<_>>());
}

/// The text begins at every bit of a byte, and its bytes lie in several words.
#[test]
fn a_text_is_changed_in_the_words_of_its_form() {
    let layout = Layout::new(&Schema::of::<(Vec<bool>, String)>(), &Bounds::unlimited());
    let form = |before: usize, text: &str| {
        let value = (vec![true; before], text.to_owned());
        canonical_form(&value, &Bounds::unlimited()).expect("no bounds")
    };
    for (before, at) in (0..9).flat_map(|before| (0..20).map(move |at| (before, at))) {
        let text = "abcdefghijklmnopqrst";
        let (old, mut new) = (form(before, text), text.to_owned().into_bytes());
        let mut words: Vec<u64> = old.as_ref().words().collect();
        let mut decoder = Decoder::new(&layout, 2);
        decoder.begin(old.as_ref());
        assert_eq!(
            Vec::decode(&mut decoder).map(|flags: Vec<bool>| flags.len()).ok(),
            Some(before)
        );
        decoder.change_text(&mut words, |bytes| {
            assert_eq!(bytes, text.as_bytes());
            bytes[at] ^= 0x3f;
        });
        new[at] ^= 0x3f;
        let new = form(before, str::from_utf8(&new).expect("ASCII"));
        assert_eq!(words, new.as_ref().words().collect::<Vec<_>>(), "{before}, {at}");
    }
}

/// The texts of at most two bytes of these are 1 + 3 + 9, whatever it takes to show them.
#[cfg(unix)]
#[test]
fn the_length_of_a_text_is_its_number_of_bytes() {
    use std::os::unix::ffi::OsStringExt;
    let mut texts = vec![vec![]];
    for length in 0..3 {
        let longest: Vec<Vec<u8>> =
            texts.iter().filter(|text| text.len() == length).cloned().collect();
        let longer = longest
            .iter()
            .flat_map(|text| [0xff, b'\\', b'a'].map(|byte| [&text[..], &[byte]].concat()));
        texts.extend(longer);
    }
    assert_eq!(texts.len(), 1 + 3 + 9 + 27);
    let bounds = Bounds { text: 2, ..Bounds::unlimited() };
    let within =
        |is_within: &dyn Fn(&[u8]) -> bool| texts.iter().filter(|text| is_within(text)).count();
    let system = |text: &[u8]| OsString::from_vec(text.to_vec());
    assert_eq!(within(&|text| canonical_form(&system(text), &bounds).is_ok()), 13);
    assert_eq!(within(&|text| canonical_form(&PathBuf::from(system(text)), &bounds).is_ok()), 13);
    let c = |text: &[u8]| CString::new(text).unwrap();
    assert_eq!(within(&|text| canonical_form(&c(text), &bounds).is_ok()), 13);
}

/// Durations that differ by more than 64 bits of nanoseconds hold, which is where they were cut.
#[test]
fn times() {
    let seconds = [0, 1, 18_446_744_073, 18_446_744_074, 1 << 32, i64::MAX as u64, u64::MAX];
    let durations: Vec<_> = seconds
        .into_iter()
        .flat_map(|seconds| {
            [0, 1, 709_551_615, 709_551_616, 999_999_999].map(|n| Duration::new(seconds, n))
        })
        .collect();
    assert_eq!(durations.len(), 35);
    check(&durations);
    let both = |distance: &Duration| {
        [UNIX_EPOCH.checked_add(*distance), UNIX_EPOCH.checked_sub(*distance)]
    };
    let mut times: Vec<SystemTime> = durations.iter().flat_map(both).flatten().collect();
    times.sort();
    times.dedup();
    // What the platform holds depends on it.
    assert!(times.len() > 40, "{} times", times.len());
    check(&times);
}

#[test]
fn wrappers() {
    check(&[i32::MIN, -1, 0, 1, i32::MAX].map(Wrapping));
    check(&[u128::MIN, 1, u128::MAX].map(Saturating));
    check(&[i64::MIN, 0, i64::MAX].map(Reverse));
    check_forms::<Cow<'static, str>>(&["".into(), "a".into(), "a".to_owned().into()], |text| {
        format!("{text:?}")
    });
    check_forms::<Cow<'static, [u8]>>(
        &[[1_u8].as_slice().into(), vec![1].into(), vec![].into()],
        |bytes| format!("{bytes:?}"),
    );
}

#[test]
fn ranges_and_small_enums() {
    let ends = [u64::MIN, 1, u64::MAX];
    let pairs: Vec<(u64, u64)> = ends.iter().flat_map(|a| ends.map(|b| (*a, b))).collect();
    check(&pairs.iter().map(|&(start, end)| start..end).collect::<Vec<Range<_>>>());
    check(&pairs.iter().map(|&(start, end)| start..=end).collect::<Vec<RangeInclusive<_>>>());
    check(&ends.map(|start| RangeFrom { start }));
    check(&ends.map(|end| RangeTo { end }));
    check(&ends.map(|end| RangeToInclusive { end }));
    check(&[RangeFull]);
    check(&[Ordering::Less, Ordering::Equal, Ordering::Greater]);
    check(&[Bound::Included(0), Bound::Excluded(0), Bound::Included(1), Bound::Unbounded]);
    check(&[ControlFlow::Break(0), ControlFlow::Break(1), ControlFlow::Continue(false)]);
    check(&[Poll::Ready(0), Poll::Ready(1), Poll::Pending]);
    check::<Result<u8, u8>>(&[Ok(0), Err(0), Ok(1), Err(1)]);
    check(&[None, Some(None), Some(Some(0)), Some(Some(u64::MAX))]);
}

#[test]
fn an_exhausted_range_is_another_value_than_a_fresh_one() {
    let mut range = 1..=1;
    let fresh = form(&range);
    assert_eq!(range.next(), Some(1));
    assert_eq!((range.start(), range.end()), (&1, &1));
    assert_ne!(form(&range), fresh);
    let layout = Layout::new(&Schema::of::<RangeInclusive<i32>>(), &Bounds::unlimited());
    decode_form::<RangeInclusive<i32>>(&layout, &form(&range)).unwrap_err();
}

#[test]
fn addresses_of_the_internet() {
    let fours =
        [Ipv4Addr::UNSPECIFIED, Ipv4Addr::LOCALHOST, Ipv4Addr::BROADCAST, [0, 0, 0, 1].into()];
    let sixes = [
        Ipv6Addr::UNSPECIFIED,
        Ipv6Addr::LOCALHOST,
        Ipv6Addr::from_bits(1 << 64),
        Ipv6Addr::from_bits(u128::MAX),
        Ipv4Addr::LOCALHOST.to_ipv6_mapped(),
    ];
    check(&fours);
    check(&sixes);
    check(&fours.into_iter().map(IpAddr::V4).chain(sixes.map(IpAddr::V6)).collect::<Vec<_>>());
    let ports = [0, 1, u16::MAX];
    let of_four = fours.into_iter().flat_map(|ip| ports.map(|port| SocketAddrV4::new(ip, port)));
    let of_four: Vec<_> = of_four.collect();
    check(&of_four);
    let numbers = [(0, 0), (1, 0), (0, 1), (u32::MAX, u32::MAX)];
    let of_six: Vec<_> = sixes
        .into_iter()
        .flat_map(|ip| numbers.map(|(flow, scope)| SocketAddrV6::new(ip, 7, flow, scope)))
        .collect();
    check(&of_six);
    let both =
        of_four.into_iter().map(SocketAddr::V4).chain(of_six.into_iter().map(SocketAddr::V6));
    check(&both.collect::<Vec<_>>());
}

macro_rules! atomics {
    ($($atomic:ident($ty:ty)),+) => {$(
        let values = [<$ty>::MIN, 1, 2, <$ty>::MAX].map($atomic::new);
        check_with(&values, |value| value.load(Order::Relaxed));
    )+};
}

#[test]
fn cells_and_atomics() {
    atomics!(AtomicU8(u8), AtomicU16(u16), AtomicU32(u32), AtomicU64(u64), AtomicUsize(usize));
    atomics!(AtomicI8(i8), AtomicI16(i16), AtomicI32(i32), AtomicI64(i64), AtomicIsize(isize));
    check_with(&[false, true].map(AtomicBool::new), |value| value.load(Order::Relaxed));
    check(&[u64::MIN, 1, u64::MAX].map(Cell::new));
    check(&[i64::MIN, -1, i64::MAX].map(RefCell::new));
    check_with(&[0, 1, u64::MAX].map(Mutex::new), |value| *value.lock().unwrap());
    check_with(&[0, 1, u64::MAX].map(RwLock::new), |value| *value.read().unwrap());
    check(&[OnceCell::new(), OnceCell::from(0), OnceCell::from(1)]);
    check(&[OnceLock::new(), OnceLock::from(0), OnceLock::from(1)]);
}

fn panics_with(expected: &str, walk: impl FnOnce() + std::panic::UnwindSafe) {
    let payload = std::panic::catch_unwind(walk).unwrap_err();
    assert_eq!(payload.downcast_ref::<String>().unwrap(), expected);
}

/// How often a cell is borrowed, or that a lock is poisoned, is state that no form tells: walks
/// refuse it.
#[test]
fn a_guard_that_was_leaked_and_a_poisoned_lock_are_not_passed_over() {
    let (reading, writing) = (RefCell::new(1), RefCell::new(1));
    std::mem::forget((reading.borrow(), writing.borrow_mut()));
    for cell in [reading, writing] {
        let walk = std::panic::AssertUnwindSafe(|| drop(form(&cell)));
        panics_with("a `RefCell` is still borrowed after the call", walk);
    }
    let (mutex, lock) = (Mutex::new(1), RwLock::new(1));
    std::mem::forget((mutex.lock().unwrap(), lock.read().unwrap()));
    panics_with("a lock is still held after the call", || drop(form(&mutex)));
    panics_with("a lock is still held after the call", || drop(form(&lock)));
    let poisoned = Mutex::new(1);
    let while_locked = || {
        let _guard = poisoned.lock().unwrap();
        panic!("poisoned on purpose")
    };
    std::panic::catch_unwind(while_locked).unwrap_err();
    panics_with("a lock is poisoned after the call", || drop(form(&poisoned)));
}

#[test]
fn sequences_and_maps() {
    let sequences = [vec![], vec![0], vec![0, 0], vec![0, 1], vec![1, 0], vec![u64::MAX]];
    check(&sequences);
    check(&sequences.clone().map(VecDeque::from));
    check(&sequences.clone().map(LinkedList::from_iter));
    check(&sequences.clone().map(Vec::into_boxed_slice));
    check(&[[0, 1], [1, 0], [0, u64::MAX]]);
    let sets = [vec![], vec![0], vec![0, 1], vec![u64::MAX], vec![0, u64::MAX]];
    check(&sets.clone().map(BTreeSet::from_iter));
    check(&sets.clone().map(HashSet::<u64>::from_iter));
    let maps = [vec![], vec![(0, 0)], vec![(0, 1)], vec![(1, 0)], vec![(0, 1), (1, 0)]];
    check(&maps.clone().map(BTreeMap::<u8, u8>::from_iter));
    check(&maps.map(HashMap::<u8, u8>::from_iter));
    check(&[(
        (),
        0_u8,
        -1_i8,
        'a',
        false,
        0.5_f32,
        1_u16,
        2_u32,
        3_u64,
        4_u128,
        String::new(),
        5_usize,
    )]);
    check_forms(&sets.map(BinaryHeap::from), |heap| format!("{heap:?}"));
}

#[test]
fn sharing_is_told_from_equality() {
    let (rc, arc) = (Rc::new(u64::MAX), Arc::new(i64::MIN));
    check_with(&[(rc.clone(), rc.clone()), (rc.clone(), Rc::new(u64::MAX))], |(a, b)| {
        (**a, **b, Rc::ptr_eq(a, b))
    });
    check_with(&[(arc.clone(), arc.clone()), (arc.clone(), Arc::new(i64::MIN))], |(a, b)| {
        (**a, **b, Arc::ptr_eq(a, b))
    });
}

/// Heaps of such elements are shown by their sorted contents.
#[test]
fn an_order_tells_forms_if_the_orders_of_all_parts_do() {
    fn is_form<T: Heap>() -> bool {
        T::ORDER_IS_FORM
    }
    assert!(is_form::<Result<u8, String>>() && is_form::<(u8, Option<String>)>());
    // `a//b` and `a/b` are equal as paths.
    assert!(!is_form::<PathBuf>());
    assert!(!is_form::<Result<PathBuf, u8>>() && !is_form::<Result<u8, PathBuf>>());
    assert!(!is_form::<(PathBuf, u8)>() && !is_form::<(u8, PathBuf)>());
}
