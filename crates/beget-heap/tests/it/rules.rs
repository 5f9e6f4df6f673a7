//! Rules for the integers of single fields, and fields left out: they hold wherever the field's
//! value is shown, and end with it.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use beget_heap::arena::{LinkField, WithArenas};
use beget_heap::{Bounds, CanonicalForm, Encoder, Heap, Layout, Schema, Walker, canonical_form};

/// Integers to 9, and those of one field to 3.
fn bounds(class: &str, field: &str) -> Bounds {
    let field_ints = [((class.to_owned(), field.to_owned()), vec![0..=3])].into();
    Bounds { ints: vec![0..=9], field_ints, ..Bounds::unlimited() }
}

fn is_in_scope<T: Heap>(value: &T, bounds: &Bounds) -> bool {
    Encoder::new(&Layout::new(&Schema::of::<T>(), bounds)).encode(value).is_ok()
}

record! {
    /// A key that is a record.
    #[derive(PartialEq, Eq, PartialOrd, Ord)]
    Key { name: i32 }
}

record! {
    /// Fields whose values have integers in several places.
    Many {
        before: i32,
        boxes: Vec<Box<i32>>,
        map: BTreeMap<Key, i32>,
        options: [Option<Box<i32>>; 2],
        after: i32,
    }
}

fn many(ints: [i32; 10]) -> Many {
    let [before, one, two, key, value, other_key, other_value, first, second, after] = ints;
    Many {
        before,
        boxes: vec![Box::new(one), Box::new(two)],
        map: BTreeMap::from([(Key { name: key }, value), (Key { name: other_key }, other_value)]),
        options: [Some(Box::new(first)), Some(Box::new(second))],
        after,
    }
}

#[test]
fn a_rule_holds_for_all_integers_of_a_field_and_for_none_of_records_in_it() {
    let own: [(&str, &[usize]); 5] = [
        ("before", &[0]),
        ("boxes", &[1, 2]),
        ("map", &[4, 6]),
        ("options", &[7, 8]),
        ("after", &[9]),
    ];
    for (field, places) in own {
        let bounds = bounds("Many", field);
        for at in 0..10 {
            // The keys differ.
            let mut ints = [1, 1, 1, 1, 1, 2, 1, 1, 1, 1];
            assert!(is_in_scope(&many(ints), &bounds));
            ints[at] = 7;
            assert_eq!(is_in_scope(&many(ints), &bounds), !places.contains(&at), "{field}: {at}");
            ints[at] = 10;
            assert!(!is_in_scope(&many(ints), &bounds), "{field}: {at}");
        }
    }
    let bounds = bounds("Key", "name");
    for (at, is_key) in [(3, true), (4, false), (5, true), (6, false), (9, false)] {
        let mut ints = [1, 1, 1, 1, 1, 2, 1, 1, 1, 1];
        ints[at] = 7;
        assert_eq!(is_in_scope(&many(ints), &bounds), !is_key, "{at}");
    }
}

record! {
    /// Two pointers that may be one.
    Pair { left: Rc<i32>, right: Rc<i32>, ruled: i32 }
}

#[test]
fn a_field_is_bounded_if_it_has_a_rule_of_its_own() {
    let fields = ["before", "boxes", "map", "options", "after"];
    for field in fields {
        let layout = Layout::new(&Schema::of::<Many>(), &bounds("Many", field));
        let bounded = (0..fields.len()).filter(|&index| layout.bounds_field(Many::class(), index));
        assert_eq!(bounded.map(|index| fields[index]).collect::<Vec<_>>(), [field]);
    }
}

#[test]
fn sharing_is_told_where_fields_have_rules() {
    let form = |pair: &Pair| canonical_form(pair, &bounds("Pair", "ruled")).expect("in scope");
    let left = Rc::new(1);
    let shared = Pair { right: left.clone(), left, ruled: 0 };
    let apart = Pair { left: Rc::new(1), right: Rc::new(1), ruled: 0 };
    assert_ne!(form(&shared), form(&apart));
    assert_eq!(form(&shared), form(&Pair { left: shared.left.clone(), ..shared }));
}

record! {
    /// Two pointers that may lead to one array.
    Arrays { left: Rc<Vec<i32>>, right: Rc<Vec<i32>>, ruled: i32 }
}

#[test]
fn arrays_that_are_shared_are_told_apart_where_fields_have_rules() {
    let arrays = |left, right| Arrays { left, right, ruled: 0 };
    let left = Rc::new(vec![1]);
    let of = |value| arrays(Rc::new(vec![1]), Rc::new(vec![value]));
    let forms = [arrays(Rc::clone(&left), left), of(1), of(2)]
        .map(|arrays| canonical_form(&arrays, &bounds("Arrays", "ruled")).expect("in scope"));
    assert_eq!(BTreeSet::from(forms).len(), 3);
}

/// Shown as a map whose keys are records, made for the walk.
struct Seen([i32; 4]);

fn see(seen: &Seen) -> BTreeMap<Key, i32> {
    let [key, value, other_key, other_value] = seen.0;
    BTreeMap::from([(Key { name: key }, value), (Key { name: other_key }, other_value)])
}

struct Seeing(Seen);

impl Heap for Seeing {
    fn describe(schema: &mut Schema) {
        let field = beget_heap::Field { name: "seen", ty: "Seen", skipped: false };
        schema.class(Self::class(), &[field]);
        beget_heap::seen::describe(see, schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        walker.begin_record(Self::class());
        if walker.field(Self::class(), 0) {
            beget_heap::seen::walk(see, &self.0, walker);
        }
        walker.end_record();
    }
}

#[test]
fn rules_hold_in_what_a_function_makes() {
    for (class, field, ruled) in [("Seeing", "seen", [1, 3]), ("Key", "name", [0, 2])] {
        let bounds = bounds(class, field);
        for at in 0..4 {
            let mut ints = [1, 1, 2, 1];
            assert!(is_in_scope(&Seeing(Seen(ints)), &bounds));
            ints[at] = 7;
            let is_allowed = is_in_scope(&Seeing(Seen(ints)), &bounds);
            assert_eq!(is_allowed, !ruled.contains(&at), "{class}.{field}: {at}");
        }
    }
    let omitted = BTreeSet::from([("Key".to_owned(), "name".to_owned())]);
    let bounds = Bounds { omitted, ..Bounds::unlimited() };
    let form = |ints| canonical_form(&Seeing(Seen(ints)), &bounds).expect("no bounds");
    assert_eq!(form([1, 5, 2, 6]), form([3, 5, 4, 6]));
    assert_ne!(form([1, 5, 2, 6]), form([1, 5, 2, 7]));
}

/// A record that is shown as a plain value.
struct Whole(Key);

impl Heap for Whole {
    fn describe(schema: &mut Schema) {
        beget_heap::plain::describe::<Key>(schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        beget_heap::plain::walk(&self.0, walker);
    }
}

#[test]
fn a_plain_value_is_shown_with_all_its_fields() {
    let form = |name| canonical_form(&Whole(Key { name }), &Bounds::unlimited());
    assert_ne!(form(1), form(2));
}

/// Links into the arena of their owner; the second is seen through a function.
struct Linking {
    nodes: Vec<i32>,
    links: [usize; 2],
}

struct Link(usize);

impl Heap for Link {
    fn describe(schema: &mut Schema) {
        <usize as LinkField>::describe::<i32>(schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        LinkField::walk::<i32, _>(&self.0, None, "List.links", walker);
    }
}

impl Heap for Linking {
    fn describe(schema: &mut Schema) {
        <[usize; 2] as LinkField>::describe::<i32>(schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        let walker = &mut WithArenas::new(walker, (&self.nodes,));
        Link(self.links[0]).walk(walker);
        beget_heap::seen::walk(|linking: &Linking| Link(linking.links[1]), self, walker);
    }
}

#[test]
fn links_are_followed_in_what_a_function_makes() {
    let form = |links| -> CanonicalForm {
        let linking = Linking { nodes: vec![1, 1, 2], links };
        canonical_form(&linking, &Bounds::unlimited()).expect("no bounds")
    };
    // The same node, an equal one, another one.
    let forms = [[0, 0], [0, 1], [0, 2]].map(form);
    assert_eq!(BTreeSet::from(forms.clone()).len(), 3);
    assert_eq!(forms[..2], [[1, 1], [1, 0]].map(form));
}
