//! Templates beside walks: where a form is had from a recorded walk by exchanging integers, it is
//! the form that a walk gives, and it is had so wherever the walk noted what has changed.
#![allow(clippy::disallowed_types, reason = "sets are subjects of the test")]

use std::collections::HashSet;

use beget_heap::arena::{LinkField, WithArenas};
use beget_heap::{
    Bounds, CanonicalForm, Change, Encoder, ExchangedInt, Form, FormCoding, Heap, Layout, Schema,
    TagBits, Template, Walker,
};

/// Codes of four bits, of which the last announces a longer integer: -1 to 13 are short in a signed
/// type, 0 to 14 in an unsigned one.
fn bounds() -> Bounds {
    Bounds::uniform(12)
}

fn recorded<'l, T: Heap>(coding: impl Into<FormCoding<'l>>, value: &T) -> Template {
    let mut encoder = Encoder::new(coding);
    encoder.begin_recording(0, 0);
    encoder.walk(value);
    let len = encoder.finish().map_or(0, |form| form.len);
    let mut template = Template::default();
    encoder.keep_template(len, &mut template);
    template
}

/// The form after `changes`, if the template tells it.
fn after(template: &Template, layout: &Layout, changes: &[Change]) -> Option<CanonicalForm> {
    let mut words = Vec::new();
    let is_told = template.apply(layout, changes.iter().copied(), &mut words);
    is_told.then(|| Form { words: &words, len: template.len() }.to_canonical())
}

fn form<'l, T: Heap>(coding: impl Into<FormCoding<'l>>, value: &T) -> CanonicalForm {
    Encoder::new(coding).encode(value).expect("in scope").to_canonical()
}

/// Where memory of the same length differs, by four bytes.
fn changes(start: usize, old: &[u8], new: &[u8]) -> Vec<Change> {
    assert!(start.is_multiple_of(4) && old.len().is_multiple_of(4));
    let words = old.chunks(4).zip(new.chunks(4)).enumerate();
    let of = |(index, (old, new)): (usize, (&[u8], &[u8]))| Change {
        address: start + 4 * index,
        old: old.try_into().expect("four bytes"),
        new: new.try_into().expect("four bytes"),
    };
    words.map(of).filter(|change| change.old != change.new).collect()
}

fn change_of(place: &i32, new: i32) -> Change {
    let address = std::ptr::from_ref(place).addr();
    Change { address, old: place.to_ne_bytes(), new: new.to_ne_bytes() }
}

/// An integer as it lies in memory.
trait Int: Heap + Copy {
    const IS_SIGNED: bool;

    /// The nearest value of the type.
    fn of(value: i64) -> Self;

    fn value(self) -> i128;

    fn bytes(self) -> Vec<u8>;

    fn is_short(self) -> bool {
        (0..15).contains(&(self.value() + i128::from(Self::IS_SIGNED)))
    }
}

macro_rules! ints {
    ($($ty:ident $is_signed:literal),+) => {$(
        impl Int for $ty {
            const IS_SIGNED: bool = $is_signed;

            fn of(value: i64) -> Self {
                i128::from(value).clamp($ty::MIN.into(), $ty::MAX.into()) as $ty
            }

            fn value(self) -> i128 {
                self.into()
            }

            fn bytes(self) -> Vec<u8> {
                self.to_ne_bytes().to_vec()
            }
        }
    )+};
}

ints!(u8 false, u16 false, u32 false, u64 false, i8 true, i16 true, i32 true, i64 true);

fn bytes_of<T: Int>(list: &[T]) -> Vec<u8> {
    list.iter().flat_map(|int| int.bytes()).collect()
}

/// Of eight integers two are exchanged; their changes come in both orders. Of integers of eight
/// bytes each half is looked at by itself: both may not change.
fn check_exchanges<T: Int>() {
    let layout = Layout::new(&Schema::of::<Vec<T>>(), &bounds());
    let list: Vec<T> = [-1, 3, 7, 12, 0, 13, 1, 2].map(T::of).to_vec();
    let template = recorded(&layout, &list);
    // The ends of what is short, of each type, and of the halves of eight bytes.
    let values = [-1, 0, 5, 13, 14, 15, 1 << 32, 5 | 1 << 32, 5 | -1 << 32, i64::MIN, i64::MAX];
    for (first, second) in (0..8).flat_map(|second| (0..second).map(move |first| (first, second))) {
        for (one, other) in values.iter().flat_map(|one| values.map(|other| (*one, other))) {
            let mut new = list.clone();
            (new[first], new[second]) = (T::of(one), T::of(other));
            let mut differing = changes(list.as_ptr().addr(), &bytes_of(&list), &bytes_of(&new));
            let keeps_high = |at: usize| new[at].value() >> 32 == list[at].value() >> 32;
            let is_told = [first, second]
                .into_iter()
                .all(|at| new[at].is_short() && (size_of::<T>() < 8 || keeps_high(at)));
            let expected = is_told.then(|| form(&layout, &new));
            for order in ["upwards", "downwards"] {
                assert_eq!(
                    after(&template, &layout, &differing),
                    expected,
                    "{order} {first}: {one}, {second}: {other} of {}",
                    std::any::type_name::<T>()
                );
                differing.reverse();
            }
        }
    }
}

#[test]
fn exchanged_integers_of_all_types_give_the_form_that_a_walk_gives() {
    check_exchanges::<u8>();
    check_exchanges::<i8>();
    check_exchanges::<u16>();
    check_exchanges::<i16>();
    check_exchanges::<u32>();
    check_exchanges::<i32>();
    check_exchanges::<u64>();
    check_exchanges::<i64>();
}

/// What a template says memory must become for a form: nothing, or the bytes of the value that has
/// it.
fn check_forms<T: Int>() {
    let layout = Layout::new(&Schema::of::<[T; 18]>(), &bounds());
    // With a tag of one bit the code of one integer lies in two words.
    let coding = FormCoding { layout: &layout, tag_bits: TagBits::for_types(2) };
    let list = [-1, 3, 7, 12, 0, 13, 1, 2, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5].map(T::of);
    let start = list.as_ptr().addr();
    let mut exchanged = Vec::new();
    let values = [-1, 0, 5, 13, 14, 15, 5 | 1 << 32, i64::MIN, i64::MAX];
    let pairs = (0..list.len()).flat_map(|second| (0..=second).map(move |first| (first, second)));
    // The last one lies in another word than the second, which comes after it once.
    let pairs = pairs.chain([(list.len() - 1, 1)]);
    for ((first, second), (one, other)) in
        pairs.flat_map(|at| values.map(|one| values.map(|other| (at, (one, other))))).flatten()
    {
        // The second exchange is from what the first has come to.
        let mut template = recorded(coding, &list);
        let mut bytes = bytes_of(&list);
        let mut new = list;
        for (at, value) in [(first, one), (second, other)] {
            new[at] = T::of(value);
            let is_short = new.iter().all(|int| int.is_short());
            let form = form(coding, &new);
            assert_eq!(template.exchange(&layout, form.as_ref(), &mut exchanged), is_short);
            if !is_short {
                break;
            }
            for int in &exchanged {
                let within = int.address - start;
                assert_eq!(int.n_bytes, size_of::<T>());
                let value = int.value.to_le_bytes();
                bytes[within..][..int.n_bytes].copy_from_slice(&value[..int.n_bytes]);
            }
            assert_eq!(bytes, bytes_of(&new), "{first}: {one}, {second}: {other}");
            assert_eq!(after(&template, &layout, &[]), Some(form));
        }
    }
}

#[cfg(target_endian = "little")]
#[test]
fn forms_of_the_same_shape_tell_which_integers_of_all_types_to_exchange() {
    check_forms::<u8>();
    check_forms::<i8>();
    check_forms::<u16>();
    check_forms::<i16>();
    check_forms::<u32>();
    check_forms::<i32>();
    check_forms::<u64>();
    check_forms::<i64>();
}

#[test]
fn forms_that_differ_in_more_than_integers_exchange_nothing() {
    type Parts = (Option<i32>, bool, Vec<i32>);
    let layout = Layout::new(&Schema::of::<Parts>(), &bounds());
    let all: Vec<Parts> = [None, Some(0), Some(9)]
        .into_iter()
        .flat_map(|first| [false, true].map(|second| (first, second)))
        .flat_map(|(first, second)| {
            [vec![], vec![1], vec![8], vec![1, 2]].map(|list| (first, second, list))
        })
        .collect();
    let mut exchanged = Vec::new();
    for old in &all {
        for new in &all {
            let mut template = recorded(&layout, old);
            let form = form(&layout, new);
            let has_shape =
                (old.0.is_some(), old.1, old.2.len()) == (new.0.is_some(), new.1, new.2.len());
            let is_told = template.exchange(&layout, form.as_ref(), &mut exchanged);
            assert_eq!(is_told, has_shape, "{old:?} {new:?}");
            if is_told {
                let differs = [old.0 != new.0, old.2 != new.2];
                assert_eq!(exchanged.len(), differs.into_iter().filter(|&differs| differs).count());
            }
        }
    }
}

record! {
    /// Two integers, the first of which may be missing.
    Pair { first: Option<i32>, last: i32 }
}

/// A template of what a call left follows the integers that differ in what another call is made on,
/// where its walk has noted them and the call has left them alone.
#[test]
fn a_template_follows_the_integers_that_were_exchanged_in_what_it_is_like() {
    let layout = Layout::new(&Schema::of::<Pair>(), &bounds());
    let mut value = Pair { first: Some(1), last: 2 };
    let mut exchanged = Vec::new();
    for left in [None, Some(1), Some(9)] {
        let mut of_image = recorded(&layout, &value);
        value.first = left;
        let mut of_call = recorded(&layout, &value);
        value.first = Some(1);
        let mut met = 1;
        // One after another, the same integer again and another one.
        for (first, last) in [(1, 7), (1, 3), (5, 6), (13, 6), (2, 6), (2, 0), (0, 1)] {
            let meant = form(&layout, &Pair { first: Some(first), last });
            assert!(of_image.exchange(&layout, meant.as_ref(), &mut exchanged));
            assert_eq!(after(&of_image, &layout, &[]), Some(meant));
            let is_missing = left.is_none() && first != met;
            assert_eq!(of_call.follow(&layout, &exchanged), !is_missing, "{first} {last}");
            if is_missing {
                break;
            }
            let expected = Pair { first: if left == Some(1) { Some(first) } else { left }, last };
            assert_eq!(after(&of_call, &layout, &[]), Some(form(&layout, &expected)));
            met = first;
        }
    }
}

/// It shows one integer several times.
struct Shown<const TIMES: usize>(i32);

impl<const TIMES: usize> Heap for Shown<TIMES> {
    const IS_REGULAR: bool = true;

    fn describe(schema: &mut Schema) {
        schema.class(Self::class(), &[]);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        (0..TIMES).for_each(|_| self.0.walk_in_place(walker));
    }
}

#[test]
fn an_integer_that_is_noted_twice_is_followed_in_both_places() {
    let layout = Layout::new(&Schema::of::<Shown<2>>(), &bounds());
    let mut value = Shown::<2>(1);
    let (mut of_image, mut of_call) = (recorded(&layout, &value), recorded(&layout, &value));
    let mut exchanged = Vec::new();
    for next in [2, 3, 4] {
        value.0 = next;
        let meant = form(&layout, &value);
        assert!(of_image.exchange(&layout, meant.as_ref(), &mut exchanged));
        assert!(of_call.follow(&layout, &exchanged));
        assert_eq!(after(&of_call, &layout, &[]), Some(meant));
    }
}

/// Of siblings at most three places differ, each no wider than an integer.
#[test]
fn forms_resemble_each_other_if_few_places_differ() {
    let layout = Layout::new(&Schema::of::<[u8; 40]>(), &bounds());
    let zeros = [0; 40];
    let resembles = |other: &[u8; 40]| {
        let (one, other) = (form(&layout, &zeros), form(&layout, other));
        let resembles = one.as_ref().resembles(other.as_ref(), &layout);
        assert_eq!(other.as_ref().resembles(one.as_ref(), &layout), resembles);
        resembles
    };
    for n_differing in 0..=5 {
        let mut other = zeros;
        // Integers of four bits each, in several words.
        (0..n_differing).for_each(|at| other[7 * at] = 9);
        assert_eq!(resembles(&other), n_differing <= 3, "{n_differing}");
    }
    let longer = form(&layout, &[0_u8; 60]);
    assert!(!form(&layout, &zeros).as_ref().resembles(longer.as_ref(), &layout));
}

/// An integer that is noted, and beside it, in the same four bytes, flags that are not.
#[repr(C, align(4))]
struct Beside<T, const N: usize> {
    int: T,
    flags: [bool; N],
}

impl<T: Int, const N: usize> Heap for Beside<T, N> {
    fn describe(schema: &mut Schema) {
        schema.part::<(T, [bool; N])>();
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        self.int.walk_in_place(walker);
        self.flags.walk_in_place(walker);
    }
}

fn check_beside<T: Int, const N: usize>() {
    assert_eq!(size_of::<Beside<T, N>>(), 4);
    let layout = Layout::new(&Schema::of::<Beside<T, N>>(), &bounds());
    let value = Beside { int: T::of(3), flags: [false; N] };
    let template = recorded(&layout, &value);
    let bytes = |int: T, flags: [bool; N]| [int.bytes(), flags.map(u8::from).to_vec()].concat();
    for flag in (0..N).map(Some).chain([None]) {
        for int in [3, 4, -1].map(T::of) {
            let mut flags = [false; N];
            flag.inspect(|&at| flags[at] = true);
            let (old, new) = (bytes(value.int, value.flags), bytes(int, flags));
            let differing = changes(std::ptr::from_ref(&value).addr(), &old, &new);
            let expected = flag.is_none().then(|| form(&layout, &Beside { int, flags }));
            assert_eq!(after(&template, &layout, &differing), expected, "{flag:?}");
        }
    }
}

#[test]
fn what_changes_beside_a_small_integer_is_left_to_a_walk() {
    check_beside::<u8, 3>();
    check_beside::<i8, 3>();
    check_beside::<u16, 2>();
    check_beside::<i16, 2>();
}

#[test]
fn optional_integers_are_noted() {
    let layout = Layout::new(&Schema::of::<Vec<Option<i32>>>(), &bounds());
    for at in 0..3 {
        let mut list = vec![Some(3), Some(0), Some(-1), None];
        let template = recorded(&layout, &list);
        for new in -1..=13 {
            let change = change_of(list[at].as_ref().expect("not the last"), new);
            let told = after(&template, &layout, &[change]);
            let old = list[at].replace(new);
            assert_eq!(told, Some(form(&layout, &list)), "{at}: {new}");
            list[at] = old;
        }
    }
}

/// Where all integers from the least code on are allowed, those that are short need not be asked
/// for one by one.
#[test]
fn integers_of_a_range_are_noted_if_it_begins_at_minus_one_or_below() {
    for (start, is_noted) in [(-5, true), (-1, true), (0, false), (2, false)] {
        let bounds = Bounds { ints: vec![start..=9], ..bounds() };
        let layout = Layout::new(&Schema::of::<Vec<i32>>(), &bounds);
        let list = vec![3, 4];
        let template = recorded(&layout, &list);
        let told = after(&template, &layout, &[change_of(&list[1], 8)]);
        assert_eq!(told, is_noted.then(|| form(&layout, &vec![3, 8])), "from {start}");
        assert_eq!(after(&template, &layout, &[change_of(&list[1], 10)]), None);
    }
}

#[test]
fn a_template_has_the_length_of_its_form() {
    assert!(Template::default().is_empty());
    let layout = Layout::new(&Schema::of::<Vec<i32>>(), &bounds());
    let template = recorded(&layout, &vec![1, 2, 3]);
    // Sixteen bits: four integers of four bits, the first of which is the length.
    assert!(template.len() == 2 && !template.is_empty() && template.is_in_scope());
}

record! {
    /// A list by boxes.
    Chain { value: i32, next: Option<Box<Chain>> }
}

fn chain(len: i32) -> Option<Box<Chain>> {
    (0..len).rev().fold(None, |next, value| Some(Box::new(Chain { value, next })))
}

#[test]
fn the_first_object_beyond_the_bounds_is_noted_and_no_further_one() {
    let layout = Layout::new(&Schema::of::<Option<Box<Chain>>>(), &Bounds::uniform(3));
    let list = chain(6);
    let template = recorded(&layout, &list);
    assert!(!template.is_in_scope());
    let mut next = &list;
    let mut noted = Vec::new();
    while let Some(node) = next {
        noted.push(template.apply(&layout, [change_of(&node.value, 1)], &mut Vec::new()));
        next = &node.next;
    }
    assert_eq!(noted, [true, true, true, true, false, false]);
}

record! {
    /// A field with a rule of its own, integers that decide an order, and one behind them.
    Ruled { own: i32, set: HashSet<i32>, last: i32 }
}

/// The integers of `Ruled` that are noted under these bounds.
fn noted(bounds: &Bounds) -> [bool; 3] {
    let layout = Layout::new(&Schema::of::<Ruled>(), bounds);
    let mut value = Ruled { own: 1, set: HashSet::from([1]), last: 1 };
    let template = recorded(&layout, &value);
    let element = *value.set.iter().next().expect("one");
    let changes = [
        change_of(&value.own, 2),
        change_of(value.set.iter().next().expect("one"), element + 1),
        change_of(&value.last, 2),
    ];
    let told = changes.map(|change| after(&template, &layout, &[change]));
    (value.own, value.last) = (2, 1);
    assert!(told[0].as_ref().is_none_or(|told| *told == form(&layout, &value)));
    (value.own, value.last) = (1, 2);
    assert_eq!(told[2], Some(form(&layout, &value)));
    told.map(|told| told.is_some())
}

#[test]
fn integers_with_a_rule_of_their_own_and_those_that_decide_an_order_are_left_to_a_walk() {
    assert_eq!(noted(&bounds()), [true, false, true]);
    let field_ints = [(("Ruled".to_owned(), "own".to_owned()), vec![0..=2])].into();
    assert_eq!(noted(&Bounds { field_ints, ..bounds() }), [false, false, true]);
}

/// A node in the arena of its owner.
type Node = Shown<1>;

struct Owner {
    nodes: Vec<Node>,
    set: HashSet<i32>,
    links: [usize; 2],
    last: i32,
}

impl Heap for Owner {
    const IS_REGULAR: bool = true;

    fn describe(schema: &mut Schema) {
        schema.part::<(HashSet<i32>, i32)>();
        <[usize; 2] as LinkField>::describe::<Node>(schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        let walker = &mut WithArenas::new(walker, (&self.nodes,));
        self.set.walk_in_place(walker);
        LinkField::walk::<Node, _>(&self.links, None, "List.links", walker);
        self.last.walk_in_place(walker);
    }
}

#[test]
fn integers_in_arenas_and_behind_sorted_contents_are_noted() {
    let layout = Layout::new(&Schema::of::<Owner>(), &bounds());
    let owner = |values: [i32; 3]| Owner {
        nodes: vec![Shown(values[0]), Shown(values[1])],
        set: HashSet::from([1]),
        links: [1, 0],
        last: values[2],
    };
    let value = owner([3, 4, 5]);
    let template = recorded(&layout, &value);
    let noted = [&value.nodes[0].0, &value.nodes[1].0, &value.last];
    for (at, place) in noted.into_iter().enumerate() {
        let mut values = [3, 4, 5];
        values[at] = 6;
        let told = after(&template, &layout, &[change_of(place, 6)]);
        assert_eq!(told, Some(form(&layout, &owner(values))), "{at}");
    }
    let in_set = change_of(value.set.iter().next().expect("one"), 2);
    assert_eq!(after(&template, &layout, &[in_set]), None);
}

/// The integers exchanged for the form of `list`: their positions, old and new values.
fn exchanged_for(
    template: &mut Template,
    layout: &Layout,
    recorded: &[u32; 40],
    list: &[u32; 40],
) -> Option<Vec<(usize, u64, u64)>> {
    let mut exchanged = Vec::new();
    let is_exchanged = template.exchange(layout, form(layout, list).as_ref(), &mut exchanged);
    let start = recorded.as_ptr().addr();
    let of = |int: &ExchangedInt| ((int.address - start) / 4, int.old, int.value);
    is_exchanged.then(|| exchanged.iter().map(of).collect())
}

#[test]
fn an_integer_is_exchanged_again_alone_or_with_any_other_one() {
    let layout = Layout::new(&Schema::of::<[u32; 40]>(), &bounds());
    let list = [0_u32; 40];
    for (one, other) in (0..40).flat_map(|one| (0..40).map(move |other| (one, other))) {
        let mut template = recorded(&layout, &list);
        let mut exchange = |changes: &[(usize, u32)]| {
            let mut changed = list;
            changes.iter().for_each(|&(at, value)| changed[at] = value);
            exchanged_for(&mut template, &layout, &list, &changed)
        };
        assert_eq!(exchange(&[(one, 1)]), Some(vec![(one, 0, 1)]));
        assert_eq!(exchange(&[(one, 3)]), Some(vec![(one, 1, 3)]));
        assert_eq!(exchange(&[(one, 3)]), Some(vec![]));
        // A longer code moves what follows.
        assert_eq!(exchange(&[(one, 1000)]), None);
        if one != other {
            let mut both = vec![(one, 3, 2), (other, 0, 5)];
            both.sort();
            assert_eq!(exchange(&[(one, 2), (other, 5)]), Some(both), "{one} {other}");
        }
    }
}

/// Here the first word of both is the same.
#[test]
fn a_form_of_another_length_is_left_to_a_walk() {
    let layout = Layout::new(&Schema::of::<[u32; 16]>(), &bounds());
    let mut template = recorded(&layout, &[0_u32; 16]);
    let longer = form(&Layout::new(&Schema::of::<[u32; 32]>(), &bounds()), &[0_u32; 32]);
    assert_eq!((template.len(), longer.as_ref().as_bytes().len()), (8, 16));
    assert!(!template.exchange(&layout, longer.as_ref(), &mut Vec::new()));
}
