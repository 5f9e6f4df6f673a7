//! Arenas: what their owners hold beside links, links that dangle, and two arenas of one struct.

use std::collections::BTreeSet;
use std::rc::Rc;

use beget_heap::arena::{Link, LinkField, NumberedArena, WithArenas, walk_link};
use beget_heap::decode::decode_value;
use beget_heap::{
    Bounds, CanonicalForm, Decoder, Encoder, Heap, Layout, Schema, Undecodable, Walker,
    canonical_form, laws,
};

fn form<T: Heap>(value: &T) -> CanonicalForm {
    canonical_form(value, &Bounds::unlimited()).expect("no bounds")
}

/// Two pointers that may lead to one array.
type Arrays = [Rc<Vec<u8>>; 2];

fn check_arrays<T: Heap>(of: impl Fn(Arrays) -> T) {
    let array = Rc::new(vec![1]);
    let shared = [Rc::clone(&array), array];
    let apart = |value| [Rc::new(vec![1]), Rc::new(vec![value])];
    let forms = [shared, apart(1), apart(2)].map(|arrays| form(&of(arrays)));
    assert_eq!(BTreeSet::from(forms).len(), 3);
}

/// A node in an arena, and what its owner holds beside it.
struct Owner {
    nodes: Vec<u8>,
    first: usize,
    arrays: Arrays,
    wide: u128,
}

impl Heap for Owner {
    fn describe(schema: &mut Schema) {
        <usize as LinkField>::describe::<u8>(schema);
        schema.part::<Arrays>();
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        let walker = &mut WithArenas::new(walker, (&self.nodes,));
        LinkField::walk::<u8, _>(&self.first, None, "Owner.first", walker);
        Heap::walk(&self.arrays, walker);
        self.wide.walk(walker);
    }
}

#[test]
fn what_the_owner_of_an_arena_holds_is_told_apart() {
    let owner = |arrays, wide| Owner { nodes: vec![3], first: 0, arrays, wide };
    check_arrays(|arrays| owner(arrays, 1));
    let wide = [0, 1, 1 << 64].map(|wide| form(&owner(Arrays::default(), wide)));
    assert_eq!(BTreeSet::from(wide).len(), 3);
}

/// Arrays that a function shows.
struct SeenArrays(Arrays);

impl Heap for SeenArrays {
    fn describe(schema: &mut Schema) {
        beget_heap::seen::describe(Arrays::clone, schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        beget_heap::seen::walk(Arrays::clone, &self.0, walker);
    }
}

#[test]
fn arrays_that_a_function_shows_are_told_apart() {
    check_arrays(SeenArrays);
}

#[test]
fn two_ways_to_one_array_are_read_back() {
    let array = Rc::new(vec![1_u8]);
    laws::check(&(Rc::clone(&array), array, 2_u8)).unwrap();
    check_arrays(|arrays| arrays);
}

/// One of several slots that show their numbers.
#[derive(Clone)]
struct Numbered {
    nodes: Vec<u8>,
    chosen: usize,
}

impl Heap for Numbered {
    fn describe(schema: &mut Schema) {
        <usize as LinkField>::describe::<u8>(schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        let walker = &mut WithArenas::new(walker, (NumberedArena(&self.nodes),));
        LinkField::walk::<u8, _>(&self.chosen, None, "Numbered.chosen", walker);
    }
}

struct SeenNumbered(Numbered);

impl Heap for SeenNumbered {
    fn describe(schema: &mut Schema) {
        beget_heap::seen::describe(Numbered::clone, schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        beget_heap::seen::walk(Numbered::clone, &self.0, walker);
    }
}

#[test]
fn slots_in_what_a_function_shows_have_their_numbers() {
    let of = |chosen| form(&SeenNumbered(Numbered { nodes: vec![5, 5], chosen }));
    assert_ne!(of(0), of(1));
}

/// A link into the arena of its owner, through a function.
struct SeenLink(usize);

struct ShownLink(usize);

impl Heap for ShownLink {
    fn describe(schema: &mut Schema) {
        <usize as LinkField>::describe::<u8>(schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        walk_link::<u8, _, _>(&self.0, None, "List.link", walker);
    }
}

impl SeenLink {
    fn walk<W: Walker>(&self, walker: &mut W) {
        beget_heap::seen::walk(|link: &usize| ShownLink(*link), &self.0, walker);
    }
}

/// The message of a walk beside an arena of one slot.
fn refusal(walk: impl FnOnce(&mut WithArenas<'_, Encoder<'_>, (&Vec<u8>,)>)) -> String {
    let layout = Layout::new(&Schema::of::<ShownLink>(), &Bounds::unlimited());
    let (mut encoder, nodes) = (Encoder::new(&layout), vec![7]);
    encoder.begin(0);
    let walk = || walk(&mut WithArenas::new(&mut encoder, (&nodes,)));
    let payload = std::panic::catch_unwind(std::panic::AssertUnwindSafe(walk)).unwrap_err();
    *payload.downcast().expect("a formatted message")
}

#[test]
fn a_link_that_dangles_is_refused_by_its_name() {
    fn of<L: Link + PartialEq>(link: L, null: Option<L>) -> String {
        refusal(|walker| walk_link::<u8, L, _>(&link, null, "List.link", walker))
    }
    let plain = "the link `List.link` is 5, and its arena has 1 slots";
    let advice = "; if that value means \"none\", mark the field `#[heap(link = u8, null = 5)]`";
    assert_eq!(of(5, None), format!("{plain}{advice}"));
    assert_eq!(of(5, Some(u8::MAX)), plain);
    assert_eq!(of(Some(5), None), plain.replace('5', "Some(5)"));
    assert_eq!(refusal(|walker| SeenLink(5).walk(walker)), format!("{plain}{advice}"));
}

/// Links into two arenas: one of nodes, one of slots that can be empty.
struct Both {
    nodes: Vec<u8>,
    slots: Vec<Option<u8>>,
    node: usize,
    slot: usize,
}

impl Heap for Both {
    fn describe(schema: &mut Schema) {
        <usize as LinkField>::describe::<u8>(schema);
        <usize as LinkField>::describe::<Option<u8>>(schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        let walker = &mut WithArenas::new(walker, (&self.nodes, &self.slots));
        LinkField::walk::<u8, _>(&self.node, None, "Both.node", walker);
        LinkField::walk::<Option<u8>, _>(&self.slot, None, "Both.slot", walker);
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        decoder.open_arena::<u8>();
        decoder.open_arena::<Option<u8>>();
        let node = LinkField::decode::<u8>(None, decoder)?;
        let slot = LinkField::decode::<Option<u8>>(None, decoder)?;
        let slots = decoder.close_arena()?;
        Ok(Both { nodes: decoder.close_arena()?, slots, node, slot })
    }
}

#[test]
fn a_link_is_read_into_the_arena_of_its_own_type() {
    for slot in 0..2 {
        laws::check(&Both { nodes: vec![1, 2], slots: vec![None, Some(2)], node: 1, slot })
            .unwrap();
    }
}

/// One slot, which can be empty, by a link to what is in it.
struct MaybeEmpty {
    slots: Vec<Option<u8>>,
    slot: usize,
}

impl Heap for MaybeEmpty {
    fn describe(schema: &mut Schema) {
        <usize as LinkField>::describe::<Option<u8>>(schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        let walker = &mut WithArenas::new(walker, (&self.slots,));
        LinkField::walk::<u8, _>(&self.slot, None, "MaybeEmpty.slot", walker);
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        decoder.open_arena::<Option<u8>>();
        let slot = LinkField::decode::<u8>(None, decoder)?;
        Ok(MaybeEmpty { slots: decoder.close_arena()?, slot })
    }
}

/// Cannot be read, and leaves an arena open.
struct Unfinished;

impl Heap for Unfinished {
    fn describe(_: &mut Schema) {}

    fn walk<W: Walker>(&self, _: &mut W) {}

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        decoder.open_arena::<u8>();
        Err(Undecodable::new("on purpose"))
    }
}

#[test]
fn an_arena_that_was_left_open_is_not_that_of_the_next_value() {
    let value = MaybeEmpty { slots: vec![Some(3)], slot: 0 };
    let layout = Layout::new(&Schema::of::<MaybeEmpty>(), &Bounds::unlimited());
    let (form, mut decoder) = (form(&value), Decoder::new(&layout, 4));
    decoder.begin((&form).into());
    assert!(decode_value::<Unfinished>(&mut decoder).is_err());
    decoder.begin((&form).into());
    let again: MaybeEmpty = decode_value(&mut decoder).unwrap();
    assert_eq!((again.slots, again.slot), (vec![Some(3)], 0));
}
