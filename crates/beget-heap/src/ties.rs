//! Ties: unordered contents whose own forms are equal.
//!
//! The entries of a hash map are shown in the order of their keys. If two keys have equal forms but
//! are not equal (`Eq` and `Hash` by address), any order of them is a form of the structure, and
//! the choice is observable: something else may share one of them. So the order must depend on the
//! whole structure. It is that of a graph canonicalisation:
//!
//! - The walk is [recorded](RecordedWalk) as a graph. Its vertices are the objects, the unordered
//!   contents and their entries, each labelled by its own values.
//! - Colours are [refined](search) by what the vertices of a colour reach and what reaches them.
//!   What is left falls into parts that have nothing to do with each other, and equal ones among
//!   them are the same in any order. Entries that nothing else shares are such parts.
//! - Where a part still has vertices of one colour, each of them in turn is given a colour of its
//!   own, and the least result is taken.
//!
//! The search has a bound that depends on the graph alone, not on the order in which it was met.
//! Beyond it the order is [`UndecidedTies`].

use std::any::TypeId;
use std::collections::BTreeMap;

use crate::ids::{ObjectKey, object_key};
use crate::root::AnyRoot;
use crate::unordered::KeyBytes;
use crate::{ClassKey, Identity, Layout, Primitive, Walker, Wide};

mod search;

use search::Graph;

/// The ties of a structure would take too long to break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UndecidedTies;

/// The place of each vertex of a recorded walk among all.
#[derive(Debug)]
pub(crate) struct EntryOrder(Vec<u32>);

/// A recorded walk, to be shown again with other orders of its unordered contents.
#[derive(Debug)]
pub(crate) struct RecordedWalk {
    /// The first node is the root of the walk.
    nodes: Vec<Node>,
    /// Pairs of nodes that are one object, such as a struct and its only field.
    aliases: Vec<(usize, usize)>,
    has_ties: bool,
}

/// The own values of an object, of unordered contents, or of one entry of them.
#[derive(Debug)]
struct Node {
    kind: NodeKind,
    events: Vec<WalkEvent>,
}

#[derive(Debug)]
enum NodeKind {
    /// The root, or an object that a pointer leads to.
    Object,
    /// All of its events are entries.
    Contents,
    /// The rank that its own form gives it, if any.
    Entry(Option<Vec<u8>>),
}

/// An event of a walk.
#[derive(Debug)]
enum WalkEvent {
    Primitive(KeptPrimitive),
    Int {
        address: usize,
        size: usize,
        value: KeptPrimitive,
    },
    Enter {
        class: ClassKey,
        identity: Identity,
        node: usize,
        way: Way,
    },
    Contents(usize),
    Entry(usize),
    Field(ClassKey, usize),
    BeginSorted,
    EndSorted,
    BeginRecord(ClassKey),
    EndRecord,
    BeginElements,
    EndElements,
    Wide(Wide),
    Element(usize),
    MapKey(usize),
    /// The number of the entry that contains this as an element or key.
    OwnElement,
    OwnMapKey,
    MapValue,
    SlotNumber(usize),
}

/// The method by which an object was entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Plain,
    Around,
    Present,
}

#[derive(Debug)]
enum KeptPrimitive {
    Text(String),
    Bytes(Vec<u8>),
    Shown(String),
    Other(Primitive<'static>),
}

impl KeptPrimitive {
    fn new(value: Primitive<'_>) -> Self {
        KeptPrimitive::Other(match value {
            Primitive::Text(text) => return KeptPrimitive::Text(text.to_owned()),
            Primitive::Bytes(bytes) => return KeptPrimitive::Bytes(bytes.to_owned()),
            Primitive::Shown(text) => return KeptPrimitive::Shown(text.to_owned()),
            Primitive::Bool(value) => Primitive::Bool(value),
            Primitive::Signed(value) => Primitive::Signed(value),
            Primitive::Unsigned(value) => Primitive::Unsigned(value),
            Primitive::Word(value) => Primitive::Word(value),
            Primitive::Float(bits, width) => Primitive::Float(bits, width),
            Primitive::Present(value) => Primitive::Present(value),
            Primitive::PresentSigned(value) => Primitive::PresentSigned(value),
            Primitive::Variant { index, of, name } => Primitive::Variant { index, of, name },
            Primitive::Length(length) => Primitive::Length(length),
        })
    }

    fn get(&self) -> Primitive<'_> {
        match self {
            KeptPrimitive::Text(text) => Primitive::Text(text),
            KeptPrimitive::Bytes(bytes) => Primitive::Bytes(bytes),
            KeptPrimitive::Shown(text) => Primitive::Shown(text),
            KeptPrimitive::Other(value) => *value,
        }
    }
}

impl RecordedWalk {
    /// Records the walk of a value, without the fields that the layout leaves out.
    pub(crate) fn of(layout: &Layout, value: &dyn AnyRoot) -> Self {
        let root = Node { kind: NodeKind::Object, events: Vec::new() };
        let walk = RecordedWalk { nodes: vec![root], aliases: Vec::new(), has_ties: false };
        let mut recorder = WalkRecorder { layout, walk, path: vec![0], known: BTreeMap::new() };
        value.record(&mut recorder);
        recorder.walk
    }

    /// The order of all entries. It is the same for all walks of equal structures.
    pub(crate) fn order(&self) -> Result<EntryOrder, UndecidedTies> {
        search::order(&self.graph()).map(EntryOrder)
    }

    /// The walk with its order, if there are ties that can be broken.
    pub(crate) fn ordered(self) -> Option<(Self, EntryOrder)> {
        let order = self.has_ties.then(|| self.order().ok()).flatten()?;
        Some((self, order))
    }

    /// The walk as a graph.
    fn graph(&self) -> Graph {
        let labels = self.labels();
        let mut vertices: Vec<usize> = (0..self.nodes.len()).collect();
        vertices.sort_by(|&one, &other| labels[one].cmp(&labels[other]));
        let mut colors = vec![0; self.nodes.len()];
        let mut color = 0;
        for pair in vertices.windows(2) {
            color += u32::from(labels[pair[0]] != labels[pair[1]]);
            colors[pair[1]] = color;
        }
        let mut graph = Graph::new(colors);
        for (from, node) in self.nodes.iter().enumerate() {
            for (place, to) in (0..).zip(node.targets()) {
                // Entries have no place.
                let place = if matches!(node.kind, NodeKind::Contents) { 0 } else { place };
                graph.add_edge(from, place, to);
            }
        }
        for &(one, other) in &self.aliases {
            graph.add_edge(one, u32::MAX, other);
            graph.add_edge(other, u32::MAX, one);
        }
        graph
    }

    /// The label of each vertex: its own values. Vertices reached from the root without passing
    /// unordered contents have a place of their own.
    fn labels(&self) -> Vec<(u32, Vec<u8>)> {
        let mut labels: Vec<_> = self.nodes.iter().map(|node| (u32::MAX, node.label())).collect();
        let (mut path, mut n_placed) = (vec![0], 0);
        while let Some(node) = path.pop() {
            if labels[node].0 == u32::MAX {
                labels[node].0 = n_placed;
                n_placed += 1;
                if !matches!(self.nodes[node].kind, NodeKind::Contents) {
                    path.extend(self.nodes[node].targets());
                }
            }
        }
        labels
    }

    /// Shows the walk to `walker`, entries in the given order.
    pub(crate) fn replay<W: Walker>(&self, order: &EntryOrder, walker: &mut W) {
        let mut path = vec![Shown::Events { events: &self.nodes[0].events, number: None }];
        while let Some(shown) = path.last_mut() {
            let (event, number) = match shown {
                Shown::Entries { entries, number } => match entries.next() {
                    Some(entry) => {
                        let number = std::mem::replace(number, *number + 1);
                        let events = &self.nodes[entry].events;
                        path.push(Shown::Events { events, number: Some(number) });
                        continue;
                    }
                    None => {
                        path.pop();
                        continue;
                    }
                },
                Shown::Events { events, number } => match events.split_first() {
                    Some((event, rest)) => {
                        *events = rest;
                        (event, *number)
                    }
                    None => {
                        let is_object = number.is_none();
                        path.pop();
                        if is_object && !path.is_empty() {
                            walker.leave();
                        }
                        continue;
                    }
                },
            };
            match event {
                WalkEvent::Enter { class, identity, node, way } => {
                    let is_entered = match way {
                        Way::Plain => walker.enter(*class, *identity),
                        Way::Around => walker.enter_around(*class, *identity),
                        Way::Present => walker.enter_present(*class, *identity),
                    };
                    if is_entered {
                        let events = &self.nodes[*node].events;
                        path.push(Shown::Events { events, number: None });
                    }
                }
                WalkEvent::Contents(node) => {
                    let mut entries: Vec<usize> = self.nodes[*node].targets().collect();
                    entries.sort_by_key(|&entry| order.0[entry]);
                    path.push(Shown::Entries { entries: entries.into_iter(), number: 0 });
                }
                event => event.tell(number.unwrap_or(0), walker),
            }
        }
    }
}

/// The part being shown again.
enum Shown<'r> {
    /// The events of an object, or of an entry with its number.
    Events {
        events: &'r [WalkEvent],
        number: Option<usize>,
    },
    Entries {
        entries: std::vec::IntoIter<usize>,
        number: usize,
    },
}

impl Node {
    /// The vertices that it leads to, in the order of the walk.
    fn targets(&self) -> impl Iterator<Item = usize> {
        self.events.iter().filter_map(|event| match event {
            WalkEvent::Enter { node, .. } | WalkEvent::Contents(node) | WalkEvent::Entry(node) => {
                Some(*node)
            }
            _ => None,
        })
    }

    fn label(&self) -> Vec<u8> {
        let mut label = KeyBytes::default();
        match &self.kind {
            NodeKind::Object => label.write(0, &[]),
            NodeKind::Contents => label.write(1, &[]),
            NodeKind::Entry(None) => label.write(2, &[]),
            NodeKind::Entry(Some(rank)) => {
                label.write(3, &[]);
                label.write_text(rank);
            }
        }
        for event in &self.events {
            match event {
                WalkEvent::Primitive(value) | WalkEvent::Int { value, .. } => {
                    label.primitive(value.get())
                }
                WalkEvent::Wide(value) => label.wide(*value),
                WalkEvent::SlotNumber(slot) => label.slot_number(*slot),
                WalkEvent::Enter { class, way, .. } => {
                    label.write(10, &[u8::from(*way == Way::Present)]);
                    label.write_text(class.name.as_bytes());
                }
                WalkEvent::Contents(_) => label.write(11, &[]),
                // The type determines the rest.
                _ => {}
            }
        }
        label.bytes
    }
}

impl WalkEvent {
    /// Sends the event, which leads nowhere and is in entry number `entry`.
    fn tell<W: Walker>(&self, entry: usize, walker: &mut W) {
        match self {
            WalkEvent::Enter { .. } | WalkEvent::Contents(_) | WalkEvent::Entry(_) => {}
            WalkEvent::Primitive(value) => walker.primitive(value.get()),
            WalkEvent::Int { address, size, value } => walker.int_at(*address, *size, value.get()),
            WalkEvent::Field(class, index) => {
                walker.field(*class, *index);
            }
            WalkEvent::BeginSorted => walker.begin_sorted(),
            WalkEvent::EndSorted => walker.end_sorted(),
            WalkEvent::BeginRecord(class) => walker.begin_record(*class),
            WalkEvent::EndRecord => walker.end_record(),
            WalkEvent::BeginElements => walker.begin_elements(),
            WalkEvent::EndElements => walker.end_elements(),
            WalkEvent::Wide(value) => walker.wide(*value),
            WalkEvent::Element(index) => walker.element(*index),
            WalkEvent::MapKey(index) => walker.map_key(*index),
            WalkEvent::OwnElement => walker.element(entry),
            WalkEvent::OwnMapKey => walker.map_key(entry),
            WalkEvent::MapValue => walker.map_value(),
            WalkEvent::SlotNumber(slot) => walker.slot_number(*slot),
        }
    }
}

pub(crate) struct WalkRecorder<'l> {
    layout: &'l Layout,
    walk: RecordedWalk,
    /// The vertices that the walk is in.
    path: Vec<usize>,
    /// Objects met before, by class. A struct and its only field lie at one address; each is
    /// recorded separately.
    known: BTreeMap<ObjectKey, Vec<(TypeId, usize)>>,
}

impl WalkRecorder<'_> {
    fn present(&mut self) -> &mut Node {
        let node = *self.path.last().expect("the root stays");
        &mut self.walk.nodes[node]
    }

    fn push(&mut self, event: WalkEvent) {
        self.present().events.push(event);
    }

    fn add(&mut self, kind: NodeKind) -> usize {
        self.walk.nodes.push(Node { kind, events: Vec::new() });
        self.walk.nodes.len() - 1
    }

    /// Returns whether the walk is at the start of an entry.
    fn begins_entry(&mut self) -> bool {
        let node = self.present();
        matches!(node.kind, NodeKind::Entry(_)) && node.events.is_empty()
    }

    fn enter_object(&mut self, class: ClassKey, identity: Identity, way: Way) -> bool {
        let n_nodes = self.walk.nodes.len();
        let node = match identity {
            Identity::Unique => n_nodes,
            Identity::Owned(address) | Identity::Shared(address) => {
                let met = self.known.entry(object_key(address, class.size)).or_default();
                match met.iter().find(|(id, _)| *id == class.id) {
                    Some((_, node)) => *node,
                    None => {
                        self.walk.aliases.extend(met.iter().map(|(_, other)| (*other, n_nodes)));
                        met.push((class.id, n_nodes));
                        n_nodes
                    }
                }
            }
        };
        self.push(WalkEvent::Enter { class, identity, node, way });
        let is_new = node == n_nodes;
        if is_new {
            let node = self.add(NodeKind::Object);
            self.path.push(node);
        }
        is_new
    }
}

impl Walker for WalkRecorder<'_> {
    fn primitive(&mut self, value: Primitive<'_>) {
        self.push(WalkEvent::Primitive(KeptPrimitive::new(value)));
    }

    fn enter(&mut self, class: ClassKey, identity: Identity) -> bool {
        self.enter_object(class, identity, Way::Plain)
    }

    fn enter_around(&mut self, class: ClassKey, identity: Identity) -> bool {
        self.enter_object(class, identity, Way::Around)
    }

    fn enter_present(&mut self, class: ClassKey, identity: Identity) -> bool {
        self.enter_object(class, identity, Way::Present)
    }

    fn leave(&mut self) {
        self.path.pop();
    }

    fn field(&mut self, class: ClassKey, index: usize) -> bool {
        self.push(WalkEvent::Field(class, index));
        self.layout.takes_part(class, index)
    }

    fn int_at(&mut self, address: usize, size: usize, value: Primitive<'_>) {
        self.push(WalkEvent::Int { address, size, value: KeptPrimitive::new(value) });
    }

    fn begin_sorted(&mut self) {
        self.push(WalkEvent::BeginSorted);
    }

    fn end_sorted(&mut self) {
        self.push(WalkEvent::EndSorted);
    }

    fn ties(&mut self) {
        self.walk.has_ties = true;
    }

    fn begin_contents(&mut self) {
        let node = self.add(NodeKind::Contents);
        self.push(WalkEvent::Contents(node));
        self.path.push(node);
    }

    fn begin_entry(&mut self, rank: Option<&[u8]>) {
        let node = self.add(NodeKind::Entry(rank.map(<[u8]>::to_vec)));
        self.push(WalkEvent::Entry(node));
        self.path.push(node);
    }

    fn end_entry(&mut self) {
        self.path.pop();
    }

    fn end_contents(&mut self) {
        self.path.pop();
    }

    fn begin_record(&mut self, class: ClassKey) {
        self.push(WalkEvent::BeginRecord(class));
    }

    fn end_record(&mut self) {
        self.push(WalkEvent::EndRecord);
    }

    fn begin_elements(&mut self) {
        self.push(WalkEvent::BeginElements);
    }

    fn end_elements(&mut self) {
        self.push(WalkEvent::EndElements);
    }

    fn wide(&mut self, value: Wide) {
        self.push(WalkEvent::Wide(value));
    }

    fn element(&mut self, index: usize) {
        let event =
            if self.begins_entry() { WalkEvent::OwnElement } else { WalkEvent::Element(index) };
        self.push(event);
    }

    fn map_key(&mut self, index: usize) {
        let event =
            if self.begins_entry() { WalkEvent::OwnMapKey } else { WalkEvent::MapKey(index) };
        self.push(event);
    }

    fn map_value(&mut self) {
        self.push(WalkEvent::MapValue);
    }

    fn slot_number(&mut self, slot: usize) {
        self.push(WalkEvent::SlotNumber(slot));
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_types, reason = "maps are subjects of the tests")]
mod tests {
    use std::collections::{BTreeSet, HashMap, HashSet};
    use std::hash::{Hash, Hasher};
    use std::rc::Rc;

    use proptest::prelude::*;

    use super::*;
    use crate::unordered::UnorderedCollection;
    use crate::{Bounds, CanonicalForm, Encoder, Heap, OutOfScope, Schema, canonical_form};

    #[derive(Clone)]
    struct ById(Rc<u8>);

    impl PartialEq for ById {
        fn eq(&self, other: &Self) -> bool {
            Rc::ptr_eq(&self.0, &other.0)
        }
    }

    impl Eq for ById {}

    impl Hash for ById {
        fn hash<H: Hasher>(&self, state: &mut H) {
            Rc::as_ptr(&self.0).hash(state);
        }
    }

    impl Heap for ById {
        fn describe(schema: &mut Schema) {
            schema.part::<Rc<u8>>();
        }

        fn walk<W: Walker>(&self, walker: &mut W) {
            self.0.walk(walker);
        }
    }

    /// Objects, and unordered contents that refer to them.
    #[derive(Default)]
    struct Held {
        list: Vec<ById>,
        map: HashMap<ById, ById>,
        set: HashSet<ById>,
    }

    impl Heap for Held {
        fn describe(schema: &mut Schema) {
            schema.part::<Vec<ById>>();
            <HashMap<ById, ById> as UnorderedCollection>::describe(schema);
            <HashSet<ById> as UnorderedCollection>::describe(schema);
        }

        fn walk<W: Walker>(&self, walker: &mut W) {
            UnorderedCollection::walk(&self.map, walker);
            UnorderedCollection::walk(&self.set, walker);
            self.list.walk(walker);
        }
    }

    /// The parts of a heap: the objects' values, and their places.
    #[derive(Clone, Debug)]
    struct Plan {
        values: Vec<u8>,
        list: Vec<usize>,
        map: Vec<(usize, usize)>,
        set: Vec<usize>,
    }

    const N: usize = 4;

    impl Plan {
        /// A heap made in the order of `numbers`.
        fn heap(&self, numbers: &[usize]) -> Held {
            let mut objects: Vec<Option<ById>> = vec![None; N];
            for &number in numbers {
                objects[number] = Some(ById(Rc::new(self.values[number])));
            }
            let object = |number: usize| objects[number].clone().unwrap();
            Held {
                list: self.list.iter().map(|&number| object(number)).collect(),
                map: self.map.iter().map(|&(key, value)| (object(key), object(value))).collect(),
                set: self.set.iter().map(|&number| object(number)).collect(),
            }
        }
    }

    fn plan() -> impl Strategy<Value = Plan> {
        let values = prop::collection::vec((0..5_u8).prop_map(|value| value / 4), N);
        let list = prop::collection::vec(0..N, 0..3);
        let map = prop::collection::btree_map(0..N, 0..N, 0..4);
        let set = prop::collection::btree_set(0..N, 0..4);
        (values, list, map, set).prop_map(|(values, list, map, set)| Plan {
            values,
            list,
            map: map.into_iter().collect(),
            set: set.into_iter().collect(),
        })
    }

    fn form<T: Heap>(value: &T) -> CanonicalForm {
        canonical_form(value, &Bounds::unlimited()).expect("few ties")
    }

    /// All forms that orders of the entries give.
    fn all_forms<T: Heap>(value: &T) -> BTreeSet<Vec<u8>> {
        let layout = Layout::new(&Schema::of::<T>(), &Bounds::unlimited());
        let walk = RecordedWalk::of(&layout, value);
        let contents = walk.nodes.iter().filter(|node| matches!(node.kind, NodeKind::Contents));
        let contents: Vec<Vec<usize>> = contents.map(|node| node.targets().collect()).collect();
        let mut forms = BTreeSet::new();
        let mut order = EntryOrder(vec![0; walk.nodes.len()]);
        each_order(&contents, &mut order, &mut |order| {
            let mut encoder = Encoder::new(&layout);
            encoder.begin(0);
            walk.replay(order, &mut encoder);
            let form = encoder.finish().expect("no bounds").to_canonical();
            forms.insert(form.as_ref().as_bytes().to_vec());
        });
        forms
    }

    fn each_order(
        contents: &[Vec<usize>],
        order: &mut EntryOrder,
        see: &mut impl FnMut(&EntryOrder),
    ) {
        let Some((entries, rest)) = contents.split_first() else { return see(order) };
        let Some((&first, others)) = entries.split_first() else {
            return each_order(rest, order, see);
        };
        // Each entry is once the first of those left.
        for at in 0..entries.len() {
            let mut left = others.to_vec();
            let entry = if at == 0 { first } else { std::mem::replace(&mut left[at - 1], first) };
            order.0[entry] = (order.0.len() - entries.len()) as u32;
            each_order(&[&[left], rest].concat(), order, see);
        }
    }

    /// A set or map is walked in another order each time, as its hasher has other seeds.
    fn check_form<T: Heap>(make: impl Fn() -> T) {
        let first = form(&make());
        (0..20).for_each(|_| assert_eq!(form(&make()), first));
    }

    /// All look the same.
    #[derive(PartialEq, Eq, Hash)]
    struct AlikeKey(u8);

    impl Heap for AlikeKey {
        fn describe(_: &mut Schema) {}

        fn walk<W: Walker>(&self, _: &mut W) {}
    }

    struct TiedMap<K, V>(HashMap<K, V>);

    impl<K: Heap + Eq + Hash, V: Heap> Heap for TiedMap<K, V> {
        fn describe(schema: &mut Schema) {
            <HashMap<K, V> as UnorderedCollection>::describe(schema);
        }

        fn walk<W: Walker>(&self, walker: &mut W) {
            UnorderedCollection::walk(&self.0, walker);
        }
    }

    struct TiedSet<K>(HashSet<K>);

    impl<K: Heap + Eq + Hash> Heap for TiedSet<K> {
        fn describe(schema: &mut Schema) {
            <HashSet<K> as UnorderedCollection>::describe(schema);
        }

        fn walk<W: Walker>(&self, walker: &mut W) {
            UnorderedCollection::walk(&self.0, walker);
        }
    }

    #[test]
    fn keys_that_look_the_same_are_in_the_order_of_their_values() {
        check_form(|| TiedMap((0..4).map(|key| (AlikeKey(key), key)).collect()));
        check_form(|| {
            TiedMap((0..4).map(|key| (AlikeKey(key), u128::MAX - u128::from(key))).collect())
        });
        check_form(|| TiedMap((0..4).map(|key| (ById(Rc::new(1)), i128::from(key))).collect()));
    }

    /// Each of seven objects leads to the next one, in a ring of three or of four: only a look at
    /// the whole ring shows which.
    #[test]
    fn rings_of_different_lengths_are_in_one_order() {
        check_form(|| {
            let objects: Vec<ById> = (0..7).map(|_| ById(Rc::new(1))).collect();
            let next = [1, 2, 0, 4, 5, 6, 3];
            let pairs = (0..7).map(|from| (objects[from].clone(), objects[next[from]].clone()));
            TiedMap(pairs.collect())
        });
    }

    #[test]
    fn only_a_form_of_one_value_has_ties() {
        let layout = Layout::new(&Schema::of::<TiedMap<ById, u8>>(), &Bounds::unlimited());
        let tag_bits = crate::TagBits::for_types(5);
        let mut encoder = Encoder::new(crate::FormCoding { layout: &layout, tag_bits });
        let mut encode = |maps: &[[u8; 2]]| {
            encoder.begin(3);
            for numbers in maps {
                let map = numbers.iter().map(|&number| (ById(Rc::new(number)), 0_u8)).collect();
                encoder.walk(&TiedMap(map));
            }
            encoder.finish().map(|form| form.type_tag(tag_bits)).ok()
        };
        let (untied, tied) = ([1, 2], [1, 1]);
        for (maps, tag) in [
            (&[untied, untied][..], Some(3)),
            (&[tied], Some(3)),
            (&[untied, untied], Some(3)),
            (&[tied, untied], None),
            (&[untied, tied], None),
            (&[untied], Some(3)),
        ] {
            assert_eq!(encode(maps), tag, "{maps:?}");
        }
        // What only looks the same is no tie in a set that shares nothing.
        let layout = Layout::new(&Schema::of::<TiedSet<AlikeKey>>(), &Bounds::unlimited());
        let mut encoder = Encoder::new(&layout);
        encoder.begin(0);
        (0..2).for_each(|_| encoder.walk(&TiedSet(HashSet::from([AlikeKey(1), AlikeKey(2)]))));
        assert!(encoder.finish().is_ok());
    }

    #[test]
    fn a_graph_with_ties_has_each_entry_at_a_number_of_its_own() {
        let objects = [1, 1, 2].map(|value| ById(Rc::new(value)));
        let pairs = (0..3).map(|from| (objects[from].clone(), objects[(from + 1) % 3].clone()));
        let graph = crate::HeapGraph::of(&TiedMap(pairs.collect::<HashMap<_, _>>()));
        let links = graph.links().iter().map(|link| format!("{} {}", link.path, link.to));
        let expected =
            [" 1", "0.key 2", "0.value 3", "1.key 3", "1.value 4", "2.key 4", "2.value 2"];
        assert_eq!(links.collect::<Vec<_>>(), expected);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        /// Heaps have one form exactly if the least of the forms in all orders is the same.
        #[test]
        fn forms_tell_heaps_apart_as_all_orders_do(
            one in plan(),
            other in plan(),
            numbers in Just((0..N).collect::<Vec<_>>()).prop_shuffle(),
        ) {
            let in_order: Vec<usize> = (0..N).collect();
            let (heap, again) = (one.heap(&in_order), one.heap(&numbers));
            let forms = all_forms(&heap);
            prop_assert!(forms.contains(form(&heap).as_ref().as_bytes()));
            prop_assert_eq!(form(&heap), form(&again));
            let other = other.heap(&in_order);
            let least = |forms: &BTreeSet<Vec<u8>>| forms.first().cloned();
            prop_assert_eq!(least(&forms) == least(&all_forms(&other)), form(&heap) == form(&other));
        }
    }

    #[test]
    fn orders_of_entries_are_all_there() {
        let values = vec![1, 2, 3, 4];
        let plan = Plan { values, list: vec![0], map: vec![(0, 1), (1, 2)], set: vec![0, 1, 2] };
        assert_eq!(all_forms(&plan.heap(&[0, 1, 2, 3])).len(), 12);
    }

    #[test]
    fn a_key_that_is_shared_elsewhere_is_the_same_for_any_seed() {
        let forms = |n: usize, shared: usize| -> BTreeSet<_> {
            let forms = (0..40).map(|_| {
                let keys: Vec<ById> = (0..n).map(|_| ById(Rc::new(7))).collect();
                let list = keys[..shared].to_vec();
                form(&Held { list, set: keys.into_iter().collect(), ..Held::default() })
            });
            forms.map(|form| form.as_ref().as_bytes().to_vec()).collect()
        };
        let all: Vec<_> =
            [(4, 0), (4, 1), (4, 2), (4, 4)].map(|(n, shared)| forms(n, shared)).into();
        assert!(all.iter().all(|forms| forms.len() == 1), "{all:?}");
        assert_eq!(all.into_iter().flatten().collect::<BTreeSet<_>>().len(), 4);
        // Independent parts cost nothing, however many there are.
        assert_eq!(forms(200, 0).len() + forms(200, 200).len(), 2);
    }

    /// All keys of a set refer to each other by pairs.
    struct Pairs(HashSet<(ById, ById)>);

    impl Heap for Pairs {
        fn describe(schema: &mut Schema) {
            <HashSet<(ById, ById)> as UnorderedCollection>::describe(schema);
        }

        fn walk<W: Walker>(&self, walker: &mut W) {
            UnorderedCollection::walk(&self.0, walker);
        }
    }

    #[test]
    fn too_many_ties_are_refused() {
        let pairs = |n: u8| {
            let keys: Vec<ById> = (0..n).map(|_| ById(Rc::new(0))).collect();
            let all = keys.iter().flat_map(|one| keys.iter().map(move |other| (one, other)));
            let pairs = all.filter(|(one, other)| one != other);
            Pairs(pairs.map(|(one, other)| (one.clone(), other.clone())).collect())
        };
        assert_eq!(form(&pairs(5)), form(&pairs(5)));
        let unlimited = Bounds::unlimited();
        assert_eq!(canonical_form(&pairs(7), &unlimited), Err(OutOfScope::Undecided));
        // A heap out of scope is so in any order.
        let narrow = canonical_form(&pairs(7), &Bounds { other_objects: 6, ..unlimited });
        assert!(matches!(narrow, Err(OutOfScope::Objects(_))), "{narrow:?}");
        assert_eq!(crate::HeapGraph::of(&pairs(7)).objects().len(), 9);
    }

    /// Keys that tie, beside a pointer to what counts itself.
    struct Beside(TiedMap<ById, ()>, Rc<Vec<u8>>);

    impl Heap for Beside {
        fn describe(schema: &mut Schema) {
            schema.part::<TiedMap<ById, ()>>();
            schema.part::<Rc<Vec<u8>>>();
        }

        fn walk<W: Walker>(&self, walker: &mut W) {
            self.0.walk(walker);
            self.1.walk(walker);
        }
    }

    #[test]
    fn an_array_behind_a_pointer_is_one_object_beside_ties() {
        let once = Bounds { objects: [("Vec<u8>".to_owned(), 1)].into(), ..Bounds::unlimited() };
        for values in [[1, 2], [1, 1]] {
            let keys = values.map(|value| (ById(Rc::new(value)), ()));
            let heap = Beside(TiedMap(keys.into()), Rc::new(vec![7]));
            let form = canonical_form(&heap, &once).map(|_| ());
            assert_eq!(form, Ok(()), "{values:?}");
        }
    }

    #[test]
    fn graphs_follow_the_order_of_forms() {
        let text = || {
            let keys = [7, 7, 7, 7].map(|value| ById(Rc::new(value)));
            let list = keys[..2].to_vec();
            let map = HashMap::from([(keys[0].clone(), keys[3].clone())]);
            let set = keys.into_iter().collect();
            crate::HeapGraph::of(&Held { list, map, set }).to_text()
        };
        let texts: BTreeSet<String> = (0..40).map(|_| text()).collect();
        assert_eq!(texts.len(), 1, "{texts:?}");
    }
}
