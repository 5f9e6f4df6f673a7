//! How heaps, forms and what is wrong with them are shown, and what a schema says of its types.
#![allow(clippy::disallowed_types, reason = "maps are subjects of the test")]

use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
use std::sync::atomic::AtomicU8;
use std::time::Duration;

use beget_heap::graph::BesideValue;
use beget_heap::laws::{Violation, check, check_clone};
use beget_heap::{
    Bounds, CanonicalForm, ClassKey, Decoder, Doubts, Encoder, FormRef, Heap, HeapGraph, Identity,
    Layout, OutOfScope, Primitive, Schema, Walker, canonical_form,
};

type Listed = (Box<u8>, Option<Box<String>>, Rc<RefCell<u8>>, Rc<RefCell<u8>>);

fn listed() -> Listed {
    let shared = Rc::new(RefCell::new(7));
    (Box::new(1), Some(Box::new("a\"b\\\nc".to_owned())), shared.clone(), shared)
}

#[test]
fn a_graph_is_drawn_with_every_value_and_reference() {
    let graph = HeapGraph::of(&listed());
    let names: Vec<_> = graph.objects().iter().map(|object| object.class).collect();
    assert_eq!(names.len(), 4);
    let links =
        |number| graph.links_of(number).map(|link| (link.from, link.to)).collect::<Vec<_>>();
    assert_eq!(links(0), [(0, 1), (0, 2), (0, 3), (0, 3)]);
    assert_eq!((links(1), links(3)), (vec![], vec![]));
    let paths: Vec<_> = graph.links().iter().map(|link| link.path.as_str()).collect();
    // Types without the modules they are in.
    let root = "(Box<u8>, Option<Box<String>>, Rc<RefCell<u8>>, Rc<RefCell<u8>>)";
    let nodes = [
        format!("    n0 [label=\"{root}#0\"];\n"),
        format!("    n1 [label=\"{}#1\\n = 1\"];\n", names[1]),
        format!("    n2 [label=\"{}#2\\n = \\\"a\\\\\\\"b\\\\\\\\\\\\nc\\\"\"];\n", names[2]),
        format!("    n3 [label=\"{}#3\\n = 7\"];\n", names[3]),
    ];
    let edges = [1, 2, 3, 3].into_iter().zip(&paths);
    let edges: String =
        edges.map(|(to, path)| format!("    n0 -> n{to} [label=\"{path}\"];\n")).collect();
    let head = "digraph heap {\n    rankdir=LR;\n    node [shape=box, fontname=\"monospace\"];\n";
    assert_eq!(graph.to_dot(), format!("{head}{}{edges}}}\n", nodes.concat()));
    let red = |number: usize| (number == 1).then(|| "color=red".to_owned());
    let coloured = graph.to_dot_with(&red);
    assert!(coloured.contains("#1\\n = 1\", color=red];"), "{coloured}");
    assert_eq!(coloured.replace(", color=red", ""), graph.to_dot());
}

#[test]
fn a_heap_is_blank_if_it_has_nothing_but_zeros() {
    fn is_blank<T: Heap>(value: T) -> bool {
        HeapGraph::of(&value).is_blank()
    }
    assert!(is_blank((0_u8, 0_i64, 0_u128, false, 0.0, "", Rc::new(Cell::new(0_u8)))));
    assert!(is_blank((Vec::<u8>::new(), None::<u8>, BTreeMap::<u8, u8>::new(), [0_u8; 2])));
    assert!(!is_blank((0_u8, Box::new((0_u8, 1_u8)))), "within");
    assert!(!is_blank(vec![0_u8]) && !is_blank(Some(0_u8)) && !is_blank(" "));
    assert!(!is_blank(-1_i8) && !is_blank(true) && !is_blank(-0.0) && !is_blank(u128::MAX));
    assert!(!is_blank(Ordering::Less) && is_blank('\0') && !is_blank('a'));
}

#[test]
fn a_graph_shows_keys_wide_integers_and_floats() {
    let nan = f64::from_bits(f64::NAN.to_bits() + 1);
    let wide = (u128::MAX, -1_i128, Duration::from_millis(5));
    let floats = (0.1_f32, f32::NAN, f32::from_bits(f32::NAN.to_bits() + 1), f64::NAN, nan);
    let graph = HeapGraph::of(&(wide, floats, BTreeMap::from([(3_u8, 4_u8)])));
    let all = graph.objects().iter().flat_map(|object| &object.values);
    let all: Vec<_> = all.map(|(path, value)| format!("{path} = {value}")).collect();
    let floats =
        ["0.1", "NaN", "NaN(0x7fc00001)", "NaN", "NaN(0x7ff8000000000001)"].into_iter().zip(0..);
    let mut expected =
        vec![format!("0.0 = {}", u128::MAX), "0.1 = -1".to_owned(), "0.2 = 5ms".to_owned()];
    expected.extend(floats.map(|(float, at)| format!("1.{at} = {float}")));
    expected.extend([" = 1", "0.key = 3", "0.value = 4"].map(str::to_owned));
    assert_eq!(all, expected);
}

/// A variant is followed by its content in parentheses, if it has one.
#[test]
fn the_parts_of_a_field_are_shown_in_a_row() {
    fn fields<T: Heap>(value: &T) -> Vec<String> {
        HeapGraph::of(value).fields(0).iter().map(ToString::to_string).collect()
    }
    assert_eq!(fields(&Ok::<u8, u8>(1)), ["Ok(1)"]);
    assert_eq!(fields(&Ordering::Less), ["Less"]);
    assert_eq!(fields(&Some(Ok::<Option<u8>, u8>(None))), ["Ok(null)"]);
}

#[test]
fn short_types_have_no_modules() {
    let short = |name| beget_heap::graph::short_type(name);
    assert_eq!(short("alloc::vec::Vec<core::option::Option<u8>>"), "Vec<Option<u8>>");
    assert_eq!(short("<a::B as c::D>::E"), "<B as D>::E");
    assert_eq!(short("fn(&a::B) -> [u8; 2]"), "fn(&B) -> [u8; 2]");
}

#[test]
fn what_is_out_of_scope_is_said() {
    let all = [
        (OutOfScope::Objects("Node"), "too many objects of class Node"),
        (OutOfScope::Array(4), "an array of 4 elements is too long"),
        (OutOfScope::Text(5), "a text of 5 bytes is too long"),
        (OutOfScope::Int(-6), "the integer -6 is outside its range"),
    ];
    for (found, text) in all {
        assert_eq!(found.to_string(), text);
    }
    let text = "a pointer that cannot be null is null, or an object has two owners";
    assert_eq!(beget_heap::view::Unrepresentable.to_string(), text);
}

thread_local! {
    static WALKS: Cell<u8> = const { Cell::new(0) };
}

/// Walks otherwise each time.
struct Moody;

impl Heap for Moody {
    fn describe(schema: &mut Schema) {
        u8::describe(schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        WALKS.set(WALKS.get() + 1);
        WALKS.get().walk(walker);
    }
}

/// Decodes to another value.
#[derive(Debug)]
struct Forgetful(u8);

impl Heap for Forgetful {
    fn describe(schema: &mut Schema) {
        u8::describe(schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        self.0.walk(walker);
    }

    fn decode(decoder: &mut beget_heap::Decoder<'_>) -> Result<Self, beget_heap::Undecodable> {
        u8::decode(decoder).map(|_| Forgetful(0))
    }
}

#[test]
fn laws_that_do_not_hold_are_named() {
    let unstable = check(&Moody).unwrap_err();
    assert!(matches!(unstable, Violation::UnstableWalk(..)), "{unstable}");
    assert_eq!(check(&Forgetful(0)), Ok(()));
    let differs = check(&Forgetful(3)).unwrap_err();
    assert!(matches!(differs, Violation::DecodeDiffers(..)), "{differs}");

    let shared = Rc::new(RefCell::new(3_u8));
    let shares = check_clone(&shared, |clone| *clone.borrow_mut() = 4).unwrap_err();
    assert!(matches!(shares, Violation::CloneShares(..)), "{shares}");
    assert_eq!(check_clone(&vec![3_u8], |clone| clone.push(4)), Ok(()));

    let form = |byte: u8| CanonicalForm::from(vec![byte]);
    let texts = [
        (
            Violation::UnstableWalk(form(1), form(2)),
            "two walks of one value differ ([1], [2]): does `walk` depend on addresses or hash order?",
        ),
        (Violation::Undecodable("no".into()), "decoding failed: no"),
        (
            Violation::DecodeDiffers(form(1), form(2)),
            "the decoded value differs ([1], [2]): `decode` must read what `walk` wrote, in its order",
        ),
        (
            Violation::CloneDiffers(form(1), form(2)),
            "the clone differs from its original ([1], [2])",
        ),
        (
            Violation::CloneShares(form(1), form(2)),
            "changing the clone changed the original ([1], [2]): `Clone` must copy what it shares",
        ),
    ];
    for (violation, text) in texts {
        assert_eq!(violation.to_string(), text);
    }
}

#[test]
fn a_schema_says_what_its_types_can_do() {
    let plain = Schema::of::<Vec<(u8, Box<u16>)>>();
    assert!(plain.is_regular() && !plain.has_shared && !plain.has_counted);
    let counted = Schema::of::<Rc<u8>>();
    let mut raw = Schema::of::<u8>();
    beget_heap::raw::describe::<*const u8>(&mut raw);
    assert!(raw.has_raw_pointers && !counted.has_raw_pointers);
    assert!(counted.is_regular() && counted.has_shared && counted.has_counted);
    // What a walk does not see may share if it has a destructor.
    assert!(counted.may_share() && !plain.may_share());
    let mut unseen = Schema::of::<u8>();
    unseen.unseen::<&Rc<u8>>();
    assert!(!unseen.may_share());
    unseen.unseen::<Rc<u8>>();
    assert!(unseen.may_share());
    let mut sharing = Schema::of::<u8>();
    sharing.shares_as(&plain);
    assert!(!sharing.may_share());
    sharing.shares_as(&counted);
    assert!(sharing.may_share());
    // An order that is decided by contents, and contents that are shown elsewhere.
    let sorted = Schema::of::<HashSet<u8>>();
    assert!(sorted.is_regular() && !sorted.has_shared);
    let map = Schema::of::<HashMap<u8, u8>>();
    assert!(map.is_regular());
    assert!(!Schema::of::<(HashSet<u8>, Rc<u8>)>().is_regular());
    assert!(!Schema::of::<HashMap<u8, Rc<u8>>>().is_regular());
    assert!(Schema::of::<BTreeMap<u8, u8>>().is_regular());

    let name = |schema: &Schema| schema.classes()[0].key.name;
    assert!(plain.is_array(name(&plain)) && !plain.is_array("u16"));
    assert!(!plain.is_array("nothing") && !counted.is_array("u8"));
}

#[test]
fn forms_are_ordered_and_hashed_by_their_bytes_without_zeros_at_the_end() {
    let forms = [&[][..], &[0, 1], &[1], &[1, 0, 1], &[1, 1], &[2]];
    for (one, left) in forms.iter().enumerate() {
        for (other, right) in forms.iter().enumerate() {
            let padded = [right, &[0, 0][..]].concat();
            let (left, right) = (FormRef::new(left), FormRef::new(&padded));
            assert_eq!(left.partial_cmp(&right), Some(one.cmp(&other)));
            assert_eq!(left.cmp(&right) == Ordering::Equal, left == right);
        }
    }
}

/// Forms of all lengths, whose last bytes are part of a word.
#[test]
fn the_words_of_a_form_are_its_bytes() {
    let bytes: Vec<u8> = (1..=40).collect();
    for length in 0..=bytes.len() {
        let padded = [&bytes[..length], &[0; 8]].concat();
        let words = FormRef::new(&bytes[..length]).words().flat_map(u64::to_le_bytes);
        let n_words = length.div_ceil(8).max(1);
        assert_eq!(words.collect::<Vec<_>>(), padded[..8 * n_words], "{length}");
    }
}

/// A form as it is lent has the digest of its bytes, however long it is, and equals forms of the
/// same value alone.
#[test]
fn a_form_lent_has_the_digest_of_its_bytes() {
    let layout = Layout::new(&Schema::of::<Vec<u8>>(), &Bounds::unlimited());
    let (mut encoder, mut other) = (Encoder::new(&layout), Encoder::new(&layout));
    let mut lengths = std::collections::BTreeSet::new();
    for n in 0..20_u8 {
        let values: Vec<u8> = (0..n).map(|index| index.wrapping_mul(83) | 1).collect();
        let more = [&values[..], &[1]].concat();
        let form = encoder.encode(&values).unwrap();
        let kept = form.to_canonical();
        lengths.insert(kept.as_bytes().len().div_ceil(8).min(3));
        assert_eq!(form.digest(), kept.digest());
        assert_eq!(form.digest(), kept.as_ref().digest());
        assert!(form == kept.as_ref());
        assert!(form == other.encode(&values).unwrap());
        assert!(form != other.encode(&more).unwrap());
    }
    assert_eq!(lengths.into_iter().collect::<Vec<_>>(), [1, 2, 3]);
}

/// A type that no other one here mentions.
struct Marker;

impl Heap for Marker {
    fn describe(schema: &mut Schema) {
        schema.class(Marker::class(), &[]);
    }

    fn walk<W: Walker>(&self, _: &mut W) {}
}

#[test]
fn types_describe_what_they_hold() {
    fn describes<T: Heap>() -> bool {
        Schema::of::<T>().classes().iter().any(|class| class.key == Marker::class())
    }
    assert!(describes::<Box<Marker>>() && describes::<Vec<Marker>>());
    assert!(describes::<[Box<Marker>; 2]>() && describes::<Option<Box<Marker>>>());
    assert!(describes::<Result<Box<Marker>, u8>>() && describes::<Result<u8, Box<Marker>>>());
    assert!(describes::<std::ops::Range<Box<Marker>>>());
    assert!(describes::<std::ops::RangeInclusive<Box<Marker>>>());
    assert!(describes::<std::ops::Bound<Box<Marker>>>());
    assert!(describes::<(u8, Rc<RefCell<Marker>>)>() && !describes::<Box<u8>>());
}

/// A value that is walked as `walk` says, with what `describe` says.
struct By<T: 'static>(T);

/// How a [`By`] is walked.
trait Way: Sized + 'static {
    fn describe_by(schema: &mut Schema);
    fn walk_by<W: Walker>(&self, walker: &mut W);
}

impl<T: Way> Heap for By<T> {
    fn describe(schema: &mut Schema) {
        T::describe_by(schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        self.0.walk_by(walker);
    }
}

/// A field seen through a function that makes a tuple in a vector of it.
struct Seen(u8);

fn see(seen: &Seen) -> Vec<(u8, Box<[u8; 2]>)> {
    vec![(seen.0, Box::new([seen.0, 7])), (3, Box::new([5, 6]))]
}

impl Way for Seen {
    fn describe_by(schema: &mut Schema) {
        beget_heap::seen::describe(see, schema);
    }

    fn walk_by<W: Walker>(&self, walker: &mut W) {
        beget_heap::seen::walk(see, self, walker);
    }
}

/// A plain field with a value behind pointers.
struct Whole(Box<Option<Box<u8>>>);

impl Way for Whole {
    fn describe_by(schema: &mut Schema) {
        beget_heap::plain::describe::<Box<Option<Box<u8>>>>(schema);
    }

    fn walk_by<W: Walker>(&self, walker: &mut W) {
        beget_heap::plain::walk(&self.0, walker);
    }
}

/// Bytes that a function makes, in a vector behind a pointer.
struct SeenBytes(u8);

#[allow(clippy::box_collection, reason = "a pointer to a vector is the subject")]
fn see_bytes(seen: &SeenBytes) -> Box<Vec<u8>> {
    Box::new(vec![seen.0; 3])
}

impl Way for SeenBytes {
    fn describe_by(schema: &mut Schema) {
        beget_heap::seen::describe(see_bytes, schema);
    }

    fn walk_by<W: Walker>(&self, walker: &mut W) {
        beget_heap::seen::walk(see_bytes, self, walker);
    }
}

#[test]
fn a_vector_behind_a_pointer_is_seen_with_its_contents() {
    let form = |byte| {
        let seen = By(SeenBytes(byte));
        beget_heap::canonical_form(&seen, &Bounds::unlimited()).unwrap()
    };
    assert_ne!(form(1), form(2));
}

#[test]
fn what_is_seen_through_a_function_is_shown_as_itself() {
    let own = HeapGraph::of(&see(&Seen(9)));
    let seen = HeapGraph::of(&By(Seen(9)));
    let values = |graph: &HeapGraph| -> Vec<_> {
        graph.objects()[1..].iter().map(|object| object.values.clone()).collect()
    };
    let links = |graph: &HeapGraph| -> Vec<_> {
        graph.links().iter().map(|link| (link.from, link.to, link.path.clone())).collect()
    };
    assert_eq!((values(&seen), links(&seen)), (values(&own), links(&own)));
    assert!(values(&own).iter().any(|values| !values.is_empty()));
}

#[test]
fn plain_values_are_told_apart_by_their_contents() {
    let form = |value: Option<u8>| {
        let whole = By(Whole(Box::new(value.map(Box::new))));
        beget_heap::canonical_form(&whole, &Bounds::unlimited()).unwrap()
    };
    let forms = [form(None), form(Some(0)), form(Some(1))];
    for (one, left) in forms.iter().enumerate() {
        for (other, right) in forms.iter().enumerate() {
            assert_eq!(left == right, one == other);
        }
    }
}

/// Its order is that of its length, against its equality.
#[derive(Clone, PartialEq, Eq, Hash)]
struct ByLength(String);

impl PartialOrd for ByLength {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ByLength {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.len().cmp(&other.0.len())
    }
}

impl Heap for ByLength {
    fn describe(schema: &mut Schema) {
        String::describe(schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        self.0.walk(walker);
    }
}

#[test]
fn sets_are_told_apart_by_what_their_elements_hold() {
    fn form<T: Heap>(value: &T) -> CanonicalForm {
        beget_heap::canonical_form(value, &Bounds::unlimited()).unwrap()
    }
    let set = |texts: &[&str]| -> HashSet<Box<String>> {
        texts.iter().map(|text| Box::new((*text).to_owned())).collect()
    };
    let sets: [&[&str]; 7] =
        [&[], &[""], &["\0"], &["", "\0"], &["a", "a\0"], &["a", "a\0b"], &["a\0", "a\0b"]];
    for (one, left) in sets.iter().enumerate() {
        for (other, right) in sets.iter().enumerate() {
            let turned: Vec<&str> = right.iter().rev().copied().collect();
            assert_eq!(form(&set(left)) == form(&set(&turned)), one == other, "{left:?} {right:?}");
        }
    }
    // Elements of which some are equal by their order alone.
    let by_length = |texts: &[&str]| -> HashMap<ByLength, u8> {
        texts.iter().map(|text| (ByLength((*text).to_owned()), 0)).collect()
    };
    let sets = [by_length(&["a", "b", "cc"]), by_length(&["a", "c", "cc"])].map(|map| {
        let keys = map.keys().cloned().collect::<HashSet<_>>();
        (form(&map), form(&keys))
    });
    assert!(sets[0].0 != sets[1].0 && sets[0].1 != sets[1].1);
    // Objects that elements share are one in the form.
    let shared = Rc::new(3_u8);
    let pairs = |second: &Rc<u8>| -> HashMap<u8, Rc<u8>> {
        HashMap::from([(1, shared.clone()), (2, second.clone())])
    };
    let (same, equal) = (pairs(&shared), pairs(&Rc::new(3)));
    assert_eq!(form(&same), form(&pairs(&shared)));
    assert_ne!(form(&same), form(&equal));
    let of_pairs = |same: bool| -> HashSet<(u8, Rc<u8>, Rc<u8>)> {
        let one = Rc::new(3);
        let other = if same { one.clone() } else { Rc::new(3) };
        HashSet::from([(1, one, other), (2, Rc::new(3), Rc::new(3))])
    };
    assert_eq!(form(&of_pairs(true)), form(&of_pairs(true)));
    assert_ne!(form(&of_pairs(true)), form(&of_pairs(false)));
}

/// As many objects as are numbered in the table, more, and heaps that come after such ones.
#[test]
fn heaps_of_many_objects_have_the_forms_of_their_shapes() {
    let layout = Layout::new(&Schema::of::<Vec<Rc<u8>>>(), &Bounds::unlimited());
    let mut encoder = Encoder::new(&layout);
    let items: Vec<Rc<u8>> = (0..400).map(|_| Rc::new(7)).collect();
    let turned: Vec<Rc<u8>> = items.iter().rev().cloned().collect();
    for n in [126, 127, 128, 129, 130, 300, 400, 2] {
        let distinct = encoder.encode(&items[..n].to_vec()).unwrap().to_canonical();
        assert_eq!(encoder.encode(&turned[..n].to_vec()).unwrap().to_canonical(), distinct, "{n}");
        // The last is one of the others: each time another shape.
        let mut shapes = std::collections::BTreeSet::from([distinct]);
        for known in [0, 1, n / 2, n - 2] {
            let again = [&items[..n - 1], &items[known..][..1]].concat();
            shapes.insert(encoder.encode(&again).unwrap().to_canonical());
        }
        assert_eq!(shapes.len(), if n == 2 { 2 } else { 5 }, "{n}");
    }
}

#[test]
fn a_form_without_its_zeros_decodes_to_the_value() {
    let layout = Layout::new(&Schema::of::<Vec<Option<u8>>>(), &Bounds::unlimited());
    for n in [0, 1, 100, 1000] {
        let values = vec![None::<u8>; n];
        let form = beget_heap::canonical_form(&values, &Bounds::unlimited()).unwrap();
        let bytes = form.as_bytes();
        let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        let short = CanonicalForm::from(bytes[..end].to_vec());
        let decoded: Vec<Option<u8>> = beget_heap::decode_form(&layout, &short).unwrap();
        assert_eq!(decoded, values);
    }
}

#[test]
fn a_large_integer_takes_one_two_four_or_eight_bytes() {
    let len = |value: u64| {
        let form = beget_heap::canonical_form(&value, &Bounds::unlimited()).unwrap();
        form.as_bytes().len()
    };
    let least = len(255);
    for bits in [4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64] {
        let value = u64::MAX >> (64 - bits);
        let bytes: usize = match bits {
            0..=8 => 1,
            9..=16 => 2,
            17..=32 => 4,
            _ => 8,
        };
        let expected = if bits == 4 { len(15) } else { least - 1 + bytes };
        assert_eq!(len(value), expected, "{bits} bits");
    }
}

#[test]
fn integers_are_in_scope_exactly_within_their_ranges() {
    #[track_caller]
    fn check_range<T: Heap + TryFrom<i128>>(range: std::ops::RangeInclusive<i128>) {
        let bounds = Bounds { ints: vec![range.clone()], ..Bounds::unlimited() };
        let layout = Layout::new(&Schema::of::<T>(), &bounds);
        for value in (-5..=8).chain([100, 120]) {
            let Ok(typed) = T::try_from(value) else { continue };
            let is_within = Encoder::new(&layout).encode(&typed).is_ok();
            assert_eq!(is_within, range.contains(&value), "{value} in {range:?}");
        }
    }
    for start in -4..=4 {
        for end in start..=6 {
            check_range::<i8>(start..=end);
            check_range::<i64>(start..=end);
            check_range::<u8>(start..=end);
        }
    }
    check_range::<i32>(-1..=100);
    check_range::<u16>(-1..=100);
}

record!(InnerRecord { value: u8, next: Option<Box<u8>> });
record!(OuterRecord { inner: InnerRecord, list: Vec<u8>, map: BTreeMap<u8, u8> });

fn outer(value: u8, next: Option<u8>) -> OuterRecord {
    let next = next.map(Box::new);
    OuterRecord {
        inner: InnerRecord { value, next },
        list: vec![5],
        map: BTreeMap::from([(3, 4), (6, 7)]),
    }
}

#[test]
fn a_path_of_a_class_leads_to_the_field_that_holds_a_value() {
    let schema = Schema::of::<OuterRecord>();
    for (class, path, field) in [
        ("OuterRecord", "list", Some(("OuterRecord", "list"))),
        ("OuterRecord", "inner.value", Some(("InnerRecord", "value"))),
        ("InnerRecord", "next", Some(("InnerRecord", "next"))),
        ("OuterRecord", "value", None),
        ("OuterRecord", "inner.list", None),
        ("Nothing", "list", None),
    ] {
        assert_eq!(schema.field_at(class, path), field, "{class} {path}");
    }
}

#[test]
fn values_beside_a_heap_are_shown_with_it_by_their_variables() {
    let mut graph = HeapGraph::of(&outer(1, Some(2)));
    for (number, next) in [(0, None), (1, Some(8)), (2, None)] {
        graph.put_beside(BesideValue {
            kind: 4,
            number,
            heap: HeapGraph::of(&Box::new(outer(7, next))),
        });
    }
    assert_eq!(graph.beside().iter().map(|one| one.number).collect::<Vec<_>>(), [0, 1, 2]);
    let variable = |one: &BesideValue| {
        let is_shown = one.number > 0;
        is_shown.then(|| format!("key_{}_{}", one.kind, one.number))
    };
    let all = graph.with_variables(variable);
    let lines = [
        "OuterRecord#0 { inner.next: #1, inner.value: 1, list: #2, map: #3 }",
        "u8#1 { self: 2 }",
        "Vec<u8>#2 { 0: 5, length: 1 }",
        "BTreeMap<u8, u8>#3 { 3 => 4, 6 => 7, length: 2 }",
        "key_4_1 = OuterRecord#4 { self: #5 }",
        "OuterRecord#5 { inner.next: #6, inner.value: 7, list: #7, map: #8 }",
        "u8#6 { self: 8 }",
        "Vec<u8>#7 { 0: 5, length: 1 }",
        "BTreeMap<u8, u8>#8 { 3 => 4, 6 => 7, length: 2 }",
        "key_4_2 = OuterRecord#9 { self: #10 }",
        "OuterRecord#10 { inner.next: None, inner.value: 7, list: #11, map: #12 }",
        "Vec<u8>#11 { 0: 5, length: 1 }",
        "BTreeMap<u8, u8>#12 { 3 => 4, 6 => 7, length: 2 }",
    ];
    assert_eq!(all.lines(), lines);
    let is_none = |object| all.is_none(object, "inner.next");
    assert_eq!(
        (0..all.objects().len()).filter(|&object| is_none(object)).collect::<Vec<_>>(),
        [10]
    );
    let links: Vec<_> = all.links().iter().map(|link| (link.from, link.to)).collect();
    let of_value = |first: usize, to: &[usize]| to.iter().map(|to| (first, *to)).collect();
    let expected: [Vec<_>; 5] = [
        of_value(0, &[1, 2, 3]),
        of_value(4, &[5]),
        of_value(5, &[6, 7, 8]),
        of_value(9, &[10]),
        of_value(10, &[11, 12]),
    ];
    assert_eq!(links, expected.concat());
}

#[test]
fn an_optional_value_in_a_present_one_is_shown_within_it() {
    let parts = |graph: &HeapGraph| format!("{:?}", graph.fields(0)[0].parts);
    assert_eq!(parts(&HeapGraph::of(&None::<Option<u8>>)), "[Value(Null)]");
    assert_eq!(parts(&HeapGraph::of(&Some(None::<u8>))), "[NullWithin(1)]");
}

#[test]
fn a_schema_says_what_its_types_are() {
    let mut schema = Schema::default();
    assert!(schema.is_regular() && !schema.has_elements && !schema.has_raw_pointers);
    schema.element();
    assert!(schema.is_regular() && schema.has_elements);
    schema.seen_through_function("it is seen by what it shows");
    assert!(!schema.is_regular());
    assert_eq!(schema.undecodable, ["it is seen by what it shows"]);
}

#[test]
fn each_class_has_its_own_bound() {
    type Boxes = (Vec<Box<u8>>, Vec<Box<u16>>, Vec<Box<u32>>);
    let boxes = |n: [usize; 3]| -> Boxes {
        let [one, two, three] = n;
        let of_two = (0..two).map(|_| Box::new(0)).collect();
        ((0..one).map(|_| Box::new(0)).collect(), of_two, (0..three).map(|_| Box::new(0)).collect())
    };
    let bounds = Bounds { other_objects: 3, ..Bounds::unlimited() };
    for (n, is_in_scope) in [
        ([3, 3, 3], true),
        ([0, 3, 3], true),
        ([3, 0, 0], true),
        ([4, 0, 0], false),
        ([0, 4, 0], false),
        ([0, 0, 4], false),
    ] {
        let form = canonical_form(&boxes(n), &bounds);
        assert_eq!(form.is_ok(), is_in_scope, "{n:?} {form:?}");
    }
}

#[test]
fn a_field_is_left_out_alone() {
    let omitted = [("InnerRecord".to_owned(), "value".to_owned())].into();
    let bounds = Bounds { omitted, ..Bounds::unlimited() };
    let form = |value, next| canonical_form(&outer(value, next), &bounds).unwrap();
    assert_eq!(form(1, Some(2)), form(3, Some(2)));
    assert_ne!(form(1, Some(2)), form(1, Some(4)));
    let (schema, value) = (Schema::of::<OuterRecord>(), outer(1, None));
    let graph = HeapGraph::under(&value, &schema, &Layout::new(&schema, &bounds));
    let fields: Vec<_> = graph.fields(0).iter().map(|field| field.name().to_owned()).collect();
    assert_eq!(fields, ["inner.next", "list", "map"]);
}

#[test]
fn a_layout_has_the_doubts_that_it_is_given() {
    let doubts = Doubts { answers: [2].into(), ..Doubts::default() };
    let layout = Layout::new(&Schema::of::<u8>(), &Bounds::unlimited());
    assert!(layout.doubts().answers.is_empty());
    assert_eq!(**layout.with_doubts(doubts.clone().into()).doubts(), doubts);
}

#[test]
fn a_decoder_holds_nothing_of_a_value_once_it_reads_the_next() {
    type Shared = (Rc<u8>, Rc<u8>);
    let shared = Rc::new(7_u8);
    let layout = Layout::new(&Schema::of::<Shared>(), &Bounds::unlimited());
    let form = canonical_form(&(shared.clone(), shared), &Bounds::unlimited()).unwrap();
    let mut decoder = Decoder::new(&layout, 2);
    decoder.begin(form.as_ref());
    let (one, other) = Shared::decode(&mut decoder).unwrap();
    assert!(Rc::ptr_eq(&one, &other));
    decoder.begin(form.as_ref());
    assert_eq!(Rc::strong_count(&one), 2);
}

#[test]
fn slots_lie_between_counters_that_grow_or_start_again() {
    use beget_heap::raw::slots_between;
    for (start, end, n_slots) in
        [(2, 5, 3), (5, 5, 0), (6, 2, 4), (8, 2, 2_usize.wrapping_sub(8)), (usize::MAX, 1, 2)]
    {
        assert_eq!(slots_between(&start, &end, 8), n_slots, "{start} {end}");
    }
    // Narrow counters wrap around earlier.
    assert_eq!(slots_between(&255_u8, &1_u8, 8), 2);
    assert_eq!(slots_between(&u16::MAX, &7_u16, 8), 8);
    assert_eq!(slots_between(&Cell::new(u32::MAX), &Cell::new(0_u32), 8), 1);
    assert_eq!(slots_between(&i8::MAX, &(i8::MIN + 1), 8), 2);
    assert_eq!(slots_between(&AtomicU8::new(254), &AtomicU8::new(3), 8), 5);
}

/// A number that is seen as a map and a wide integer.
struct SeenMap(u8);

fn see_map(&number: &u8) -> (BTreeMap<u8, u8>, u128) {
    (BTreeMap::from([(number, 1), (number + 1, 2)]), u128::from(number) << 70)
}

impl Heap for SeenMap {
    fn describe(schema: &mut Schema) {
        beget_heap::seen::describe(see_map, schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        beget_heap::seen::walk(see_map, &self.0, walker);
    }
}

#[test]
fn what_is_seen_through_a_function_is_shown_as_if_it_were_there() {
    let there = HeapGraph::of(&see_map(&3));
    assert_eq!(HeapGraph::of(&SeenMap(3)).lines()[1..], there.lines()[1..]);
    let values = |graph: &HeapGraph| format!("{:?}", graph.objects()[0].values);
    assert_eq!(values(&HeapGraph::of(&SeenMap(3))), values(&there));
}

#[test]
fn a_link_is_written_as_in_source() {
    use beget_heap::arena::Link;
    let links = [Some(3_usize), None].map(|link| link.to_source());
    assert_eq!(links, ["Some(3)", "None"]);
}

/// The positions of keys and elements, by a walker that does not ask for keys.
#[derive(Default)]
struct Positions(Vec<usize>);

impl Walker for Positions {
    fn primitive(&mut self, _: Primitive<'_>) {}

    fn enter(&mut self, _: ClassKey, _: Identity) -> bool {
        true
    }

    fn leave(&mut self) {}

    fn field(&mut self, _: ClassKey, _: usize) -> bool {
        true
    }

    fn element(&mut self, index: usize) {
        self.0.push(index);
    }
}

#[test]
fn keys_of_a_map_are_elements_for_a_walker_without_keys() {
    let mut positions = Positions::default();
    BTreeMap::from([(1_u8, 2_u8), (3, 4), (5, 6)]).walk(&mut positions);
    assert_eq!(positions.0, [0, 1, 2]);
}
