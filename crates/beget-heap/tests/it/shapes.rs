//! Canonical forms of awkward shapes: deep ones, roots of several types, integers that are allowed
//! but not short, many types, arenas and unordered sets.
#![allow(clippy::disallowed_types, reason = "maps are subjects of the test")]

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::{Rc, Weak};

use beget_heap::arena::{LinkField, WithArenas, walk_link};
use beget_heap::unordered::UnorderedCollection;
use beget_heap::view::Viewed;
use beget_heap::{
    Bounds, CanonicalForm, Decoder, Encoder, FormCoding, Heap, HeapGraph, Layout, Schema, TagBits,
    Undecodable, Walker, canonical_form, decode_form,
};

fn form<T: Heap>(value: &T) -> CanonicalForm {
    canonical_form(value, &Bounds::unlimited()).expect("no bounds")
}

record! {
    /// A node of a tree that knows the one above.
    Tree { first: Option<Rc<Tree>>, second: Option<Rc<Tree>>, up: Weak<Tree> }
}

/// Makes the children of the node to be.
type Children<'c> = &'c dyn Fn(&Weak<Tree>) -> [Option<Rc<Tree>>; 2];

fn tree(up: &Weak<Tree>, children: Children<'_>) -> Rc<Tree> {
    Rc::new_cyclic(|this| {
        let [first, second] = children(this);
        Tree { first, second, up: up.clone() }
    })
}

/// A path of so many nodes, and at its end what is given.
fn path(len: usize, up: &Weak<Tree>, end: Children<'_>) -> Option<Rc<Tree>> {
    match len {
        0 => None,
        1 => Some(tree(up, end)),
        _ => Some(tree(up, &|this| [path(len - 1, this, end), None])),
    }
}

const NO_CHILDREN: Children<'_> = &|_| [None, None];

/// A pointer to the object from which one was discovered has a code of two bits wherever it is. So
/// all trees of as many nodes have forms of one length.
#[test]
fn the_way_up_has_a_short_code_at_every_depth() {
    let root = Weak::new();
    let forked = |above: usize, below: usize| {
        let end: Children<'_> =
            &|this| [path(below, this, NO_CHILDREN), path(below, this, NO_CHILDREN)];
        path(above, &root, end).expect("not empty")
    };
    let forms: Vec<_> =
        [(1, 149), (51, 124), (121, 89), (127, 86), (129, 85), (199, 50), (289, 5), (297, 1)]
            .into_iter()
            .map(|(above, below)| form(&forked(above, below)))
            .collect();
    // Presence and novelty of each node below the root, absence of its children, the way up.
    let (n_nodes, n_bits) = (299, |n: usize| 1 + (n - 1) * 2 + (n + 1) + 1 + (n - 1) * 3);
    for form in &forms {
        assert_eq!(form.as_bytes().len(), n_bits(n_nodes).div_ceil(8));
    }
    assert_eq!(forms.iter().collect::<BTreeSet<_>>().len(), forms.len());
}

record! {
    /// A node that is a root, and that boxes lead to.
    Node { value: i32, next: Option<Box<Node>> }
}

fn list(len: i32) -> Node {
    (1..len).fold(Node { value: 0, next: None }, |next, value| Node {
        value,
        next: Some(Box::new(next)),
    })
}

#[test]
fn a_root_counts_once_whether_it_is_stored_in_place_or_behind_a_pointer() {
    let mut schema = Schema::of::<Node>();
    schema.add_root::<Box<Node>>();
    schema.add_root::<(u8, u8)>();
    let layout = Layout::new(&schema, &Bounds::uniform(3));
    let mut encoder = Encoder::new(&layout);
    for len in 1..=5 {
        assert_eq!(encoder.encode(&list(len)).is_ok(), len <= 3, "{len} in place");
        assert_eq!(encoder.encode(&Box::new(list(len))).is_ok(), len <= 3, "{len} in a box");
    }
    assert!(encoder.encode(&(1_u8, 2_u8)).is_ok());
    assert_eq!(encoder.objects_of(0), 0);
    let arrays = |len| canonical_form(&vec![0_u8; len], &Bounds::uniform(3)).is_ok();
    assert_eq!([0, 3, 4].map(arrays), [true, true, false]);
}

/// Integers that are in scope but have no short code, present ones among them.
#[test]
fn allowed_integers_of_all_ranges_are_told_apart_and_read_back() {
    for (start, end) in [(4, 9), (0, 9), (-1, 9), (-9, 9), (200, 300), (-300, -200)] {
        let bounds = Bounds { ints: vec![start..=end], ..Bounds::unlimited() };
        let layout = Layout::new(&Schema::of::<[Option<i32>; 2]>(), &bounds);
        let values = || (start as i32..=end as i32).map(Some).chain([None]);
        let mut forms = BTreeSet::new();
        for pair in values().flat_map(|one| values().map(move |other| [one, other])) {
            let form = canonical_form(&pair, &bounds).expect("in scope");
            assert_eq!(decode_form::<[Option<i32>; 2]>(&layout, &form).ok(), Some(pair));
            forms.insert(form);
        }
        assert_eq!(forms.len(), values().count().pow(2));
    }
}

#[test]
fn the_type_tag_is_read_back_from_one_of_many_types() {
    let layout = Layout::new(&Schema::of::<u8>(), &Bounds::unlimited());
    for n_types in [1, 2, 200, 256, 257, 300, 70_000] {
        let tag_bits = TagBits::for_types(n_types);
        let mut encoder = Encoder::new(FormCoding { layout: &layout, tag_bits });
        for tag in [0, n_types as u64 / 2, n_types as u64 - 1] {
            encoder.begin(tag);
            encoder.walk(&5_u8);
            let form = encoder.finish().expect("in scope").to_canonical();
            assert_eq!(form.as_ref().type_tag(tag_bits), tag, "of {n_types}");
        }
    }
}

/// A raw pointer and a cell, by themselves and together.
struct Raw<T: 'static>(*const T);

impl<T: Heap> Heap for Raw<T> {
    const IS_REGULAR: bool = true;

    fn describe(schema: &mut Schema) {
        beget_heap::raw::describe::<*const T>(schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        walker.primitive(beget_heap::Primitive::Present(!self.0.is_null()));
    }
}

#[test]
fn a_raw_pointer_and_a_cell_are_regular_unless_they_are_together() {
    assert!(Schema::of::<Raw<u8>>().is_regular());
    assert!(Schema::of::<(Cell<u8>, Rc<u8>)>().is_regular());
    assert!(!Schema::of::<Raw<Cell<u8>>>().is_regular());
    assert!(!Schema::of::<(Cell<u8>, Raw<u8>)>().is_regular());
    assert!(form(&Raw::<u8>(std::ptr::null())).as_bytes().len() == 1);
}

/// An owner of nodes in an arena, and an array and a map beside the links.
struct Owner {
    nodes: Vec<u8>,
    links: [usize; 2],
    array: [u8; 2],
    map: BTreeMap<u8, u8>,
}

impl Heap for Owner {
    fn describe(schema: &mut Schema) {
        <[usize; 2] as LinkField>::describe::<u8>(schema);
        schema.part::<([u8; 2], BTreeMap<u8, u8>)>();
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        let walker = &mut WithArenas::new(walker, (&self.nodes,));
        LinkField::walk::<u8, _>(&self.links, None, "List.links", walker);
        Heap::walk(&self.array, walker);
        Heap::walk(&self.map, walker);
    }
}

#[test]
fn elements_beside_an_arena_are_named_by_their_positions() {
    let (array, map) = ([5, 6], [(3, 4)].into());
    let graph = HeapGraph::of(&Owner { nodes: vec![7, 8], links: [1, 0], array, map });
    let links: Vec<_> = graph.links().iter().map(|link| link.path.as_str()).collect();
    assert_eq!(links, ["0", "1", ""]);
    let values = |number: usize| -> Vec<_> {
        let values = graph.objects()[number].values.iter();
        values.map(|(path, value)| format!("{path} = {value}")).collect()
    };
    assert_eq!([0, 1, 2].map(values), [vec!["0 = 5", "1 = 6"], vec![" = 8"], vec![" = 7"]]);
    assert_eq!(values(3), [" = 1", "0.key = 3", "0.value = 4"]);
    let is_described = |schema: &Schema| schema.classes().iter().any(|c| c.key.name == "u8");
    assert!(is_described(&Schema::of::<Owner>()));
}

fn walk_without_arena<L: beget_heap::arena::Link + PartialEq>(link: L) {
    let layout = Layout::new(&Schema::of::<u8>(), &Bounds::unlimited());
    walk_link::<u8, L, _>(&link, None, "List.link", &mut Encoder::new(&layout));
}

#[test]
#[should_panic(expected = "a link to u8 was walked, but no `#[heap(arena)]` field of that type")]
fn a_link_needs_an_open_arena() {
    walk_without_arena(0_usize);
}

#[test]
#[should_panic(expected = "a link to u8 was walked, but no `#[heap(arena)]` field of that type")]
fn an_optional_link_needs_an_open_arena() {
    walk_without_arena(Some(0_usize));
}

/// A set that is shown in the order of its elements' forms.
pub struct ByForm<T: 'static>(pub HashSet<T>);

impl<T: Heap + std::hash::Hash + Eq> Heap for ByForm<T> {
    fn describe(schema: &mut Schema) {
        <HashSet<T> as UnorderedCollection>::describe(schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        UnorderedCollection::walk(&self.0, walker);
    }
}

#[test]
fn sets_without_an_order_of_their_own_are_told_apart_by_their_elements() {
    let sets: [&[u8]; 6] = [&[], &[1], &[2], &[1, 2], &[1, 3], &[1, 2, 3]];
    let forms = sets.map(|set| form(&ByForm(set.iter().copied().collect())));
    assert_eq!(BTreeSet::from(forms.clone()).len(), 6);
    let turned = sets.map(|set| form(&ByForm(set.iter().rev().copied().collect())));
    assert_eq!(forms, turned);
}

record! {
    /// Knows the club that it is in.
    Fellow { name: u8, club: Weak<Club> }
}

record! {
    Club { fellows: ByForm<ById<Fellow>> }
}

record! {
    Meeting { speaker: Option<Rc<Fellow>>, club: Rc<Club> }
}

/// Equal by address.
pub struct ById<T: 'static>(pub Rc<T>);

impl<T: Heap> Heap for ById<T> {
    fn class() -> beget_heap::ClassKey {
        <Rc<T>>::class()
    }

    fn describe(schema: &mut Schema) {
        schema.part::<Rc<T>>();
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        self.0.walk_in_place(walker);
    }
}

impl<T> PartialEq for ById<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Eq for ById<T> {}

impl<T> std::hash::Hash for ById<T> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        Rc::as_ptr(&self.0).hash(state);
    }
}

/// A meeting of fellows with these names, where the one at this place speaks.
fn meeting(names: &[u8], speaker: Option<usize>) -> Meeting {
    let mut all = Vec::new();
    let club = Rc::new_cyclic(|club: &Weak<Club>| {
        all.extend(names.iter().map(|&name| Rc::new(Fellow { name, club: club.clone() })));
        Club { fellows: ByForm(all.iter().cloned().map(ById).collect()) }
    });
    Meeting { speaker: speaker.map(|speaker| Rc::clone(&all[speaker])), club }
}

#[test]
fn keys_that_reach_their_own_set_are_told_apart_by_what_they_reach_beside_it() {
    let names: [&[u8]; 6] = [&[], &[0], &[1], &[0, 0], &[0, 1], &[0, 0, 1]];
    let silent: BTreeSet<_> = names.iter().map(|names| form(&meeting(names, None))).collect();
    assert_eq!(silent.len(), 6);
    let with_speaker = |speaker| form(&meeting(&[0, 1, 0, 1, 1], Some(speaker)));
    let spoken: Vec<_> = (0..5).map(with_speaker).collect();
    assert_eq!((&spoken[0], &spoken[1], &spoken[1]), (&spoken[2], &spoken[3], &spoken[4]));
    assert_ne!(spoken[0], spoken[1]);
}

record! {
    /// One of a set of equal elements, and a number.
    Choice { set: ByForm<ById<u8>>, chosen: Rc<u8>, number: u8 }
}

/// Keys whose own forms depend on the order of the set in each.
type Choices = ByForm<ById<Choice>>;

fn choices(numbers: &[u8]) -> Choices {
    let choice = |&number: &u8| {
        let all = [(); 3].map(|()| Rc::new(7));
        let chosen = Rc::clone(&all[usize::from(number % 3)]);
        ById(Rc::new(Choice { set: ByForm(all.into_iter().map(ById).collect()), chosen, number }))
    };
    ByForm(numbers.iter().map(choice).collect())
}

/// The numbers of choices, which a function makes.
struct SeenChoices(Vec<u8>);

fn see_choices(seen: &SeenChoices) -> Choices {
    choices(&seen.0)
}

impl Heap for SeenChoices {
    fn describe(schema: &mut Schema) {
        beget_heap::seen::describe(see_choices, schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        beget_heap::seen::walk(see_choices, self, walker);
    }
}

/// Choices as a plain value.
struct PlainChoices(Choices);

impl Heap for PlainChoices {
    fn describe(schema: &mut Schema) {
        beget_heap::plain::describe::<Choices>(schema);
        Choices::describe(schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        beget_heap::plain::walk(&self.0, walker);
    }
}

/// Choices beside an arena.
struct ArenaChoices(Vec<u8>, Choices);

impl Heap for ArenaChoices {
    fn describe(schema: &mut Schema) {
        schema.part::<Choices>();
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        let walker = &mut WithArenas::new(walker, (&self.0,));
        Heap::walk(&self.1, walker);
    }
}

/// The order of a hash set is another one each time; the form is not.
fn check_choices<T: Heap>(of: impl Fn(&[u8]) -> T) {
    let one = form(&of(&[1, 2, 3]));
    for _ in 0..20 {
        assert_eq!(form(&of(&[1, 2, 3])), one);
    }
    assert_ne!(form(&of(&[1, 2, 4])), one);
    assert_ne!(form(&of(&[1, 2])), one);
}

#[test]
fn keys_that_have_sets_of_equal_elements_are_told_apart() {
    check_choices(choices);
}

#[test]
fn keys_are_told_apart_in_what_a_function_makes() {
    check_choices(|numbers| SeenChoices(numbers.to_vec()));
}

#[test]
fn keys_are_told_apart_in_plain_values() {
    check_choices(|numbers| PlainChoices(choices(numbers)));
}

#[test]
fn keys_are_told_apart_beside_an_arena() {
    check_choices(|numbers| ArenaChoices(vec![], choices(numbers)));
}

record! {
    /// Equal elements, and others that have places.
    Placed { equal: ByForm<ById<u8>>, places: [u8; 2] }
}

#[test]
fn elements_beside_equal_ones_are_named_by_their_positions() {
    let equal = ByForm([7, 7].map(|value| ById(Rc::new(value))).into());
    let graph = HeapGraph::of(&Placed { equal, places: [5, 6] });
    let values = graph.objects()[0].values.iter();
    let values: Vec<_> = values.map(|(path, value)| format!("{path} = {value}")).collect();
    assert_eq!(values, ["places.0 = 5", "places.1 = 6"]);
}

/// A key that shows one number and is ordered by the other.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Ranked {
    rank: u8,
    shown: u8,
}

impl Heap for Ranked {
    fn describe(schema: &mut Schema) {
        <u8 as Heap>::describe(schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        self.shown.walk_in_place(walker);
    }
}

/// Links into an arena, by key.
struct Links {
    nodes: Vec<u8>,
    links: BTreeMap<Ranked, usize>,
}

impl Heap for Links {
    fn describe(schema: &mut Schema) {
        <BTreeMap<Ranked, usize> as LinkField>::describe::<u8>(schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        let walker = &mut WithArenas::new(walker, (&self.nodes,));
        LinkField::walk::<u8, _>(&self.links, None, "Links.links", walker);
    }
}

#[test]
fn links_of_a_map_are_in_the_order_of_what_their_keys_show() {
    let links = |ranks: [u8; 3]| {
        let key = |slot: usize| Ranked { rank: ranks[slot], shown: slot as u8 };
        Links { nodes: vec![7, 8, 9], links: (0..3).map(|slot| (key(slot), slot)).collect() }
    };
    assert_eq!(form(&links([0, 1, 2])), form(&links([1, 2, 0])));
    assert_eq!(form(&links([0, 1, 2])), form(&links([2, 1, 0])));
}

#[test]
fn a_view_has_a_cell_for_each_part_and_one_for_presence_where_no_value_is_free() {
    fn cells<T: Viewed>() -> u32 {
        T::CELLS
    }
    assert_eq!([cells::<()>(), cells::<u8>(), cells::<f64>(), cells::<Vec<u8>>()], [0, 1, 1, 1]);
    // A number of eight bits leaves values free, and a reference may be null.
    assert_eq!([cells::<Option<u8>>(), cells::<Option<f64>>()], [1, 2]);
    assert_eq!([cells::<Option<Vec<u8>>>(), cells::<Option<[u8; 2]>>()], [1, 3]);
    assert_eq!([cells::<[u8; 3]>(), cells::<[(); 3]>(), cells::<[Option<f64>; 2]>()], [3, 0, 4]);
}

#[test]
fn a_decoder_keeps_no_handle_of_what_it_has_read() {
    type Pair = (Rc<u8>, Rc<u8>);
    let shared = Rc::new(1);
    let pair = form(&(Rc::clone(&shared), shared));
    let layout = Layout::new(&Schema::of::<Pair>(), &Bounds::unlimited());
    let mut decoder = Decoder::new(&layout, 4);
    decoder.begin((&pair).into());
    let (left, _right): Pair = beget_heap::decode::decode_value(&mut decoder).unwrap();
    assert_eq!((Rc::strong_count(&left), Rc::weak_count(&left)), (2, 0));
}

/// A plain value within a plain value, with a pointer behind it.
struct Nested {
    inner: Box<u8>,
    after: Box<u8>,
}

/// A plain value between pointers that may share.
struct Nesting(Rc<u8>, Nested, Rc<u8>);

impl Heap for Nested {
    fn describe(schema: &mut Schema) {
        beget_heap::plain::describe::<Box<u8>>(schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        beget_heap::plain::walk(&self.inner, walker);
        self.after.walk(walker);
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        Ok(Nested { inner: decoder.plain()?, after: Box::decode(decoder)? })
    }
}

impl Heap for Nesting {
    fn describe(schema: &mut Schema) {
        schema.part::<Rc<u8>>();
        beget_heap::plain::describe::<Nested>(schema);
    }

    fn walk<W: Walker>(&self, walker: &mut W) {
        self.0.walk(walker);
        beget_heap::plain::walk(&self.1, walker);
        self.2.walk(walker);
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
        Ok(Nesting(Rc::decode(decoder)?, decoder.plain()?, Rc::decode(decoder)?))
    }
}

#[test]
fn plain_values_within_plain_values_are_read_back() {
    let shared = Rc::new(1);
    let nested = Nested { inner: Box::new(2), after: Box::new(3) };
    let nesting = Nesting(Rc::clone(&shared), nested, shared);
    beget_heap::laws::check(&nesting).unwrap();
    let layout = Layout::new(&Schema::of::<Nesting>(), &Bounds::unlimited());
    let again: Nesting = decode_form(&layout, &form(&nesting)).unwrap();
    assert_eq!((*again.1.inner, *again.1.after), (2, 3));
    assert!(Rc::ptr_eq(&again.0, &again.2));
}
