//! Layouts, on which encoding and decoding must agree: the bounds of a run, resolved against the
//! classes of a type.

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::Arc;

use beget_process::alloc::ByteMask;

use crate::bits::bits_for;
use crate::{ClassKey, Schema};

/// The bounds of one run, by class name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Most objects of the classes named here. A root is an object too.
    pub objects: BTreeMap<String, u32>,
    /// Most objects of every other class.
    pub other_objects: u32,
    /// Longest array or collection.
    pub arrays: u32,
    /// Longest text, in bytes.
    pub text: u32,
    /// The largest integer expected often; integers up to it are written short. No bound.
    pub common_int: u32,
    /// Fields left out, as (class, field).
    pub omitted: BTreeSet<(String, String)>,
    /// The ranges of integers, the most usual ones first; empty for no restriction. The extremes of
    /// the integer types are allowed too, because many types use them for "none" or "no limit".
    pub ints: Vec<RangeInclusive<i128>>,
    /// The ranges of integers of single fields instead, as (class, field) and ranges. They hold for
    /// the field's own value, not for fields of records within it. Empty for no restriction.
    pub field_ints: BTreeMap<(String, String), Vec<RangeInclusive<i128>>>,
}

impl Bounds {
    /// No bounds, nothing omitted.
    pub fn unlimited() -> Self {
        Bounds {
            objects: BTreeMap::new(),
            other_objects: u32::MAX,
            arrays: u32::MAX,
            text: u32::MAX,
            common_int: 11,
            omitted: BTreeSet::new(),
            ints: Vec::new(),
            field_ints: BTreeMap::new(),
        }
    }

    /// At most `k` objects of each class and arrays of at most `k` elements.
    pub fn uniform(k: u32) -> Self {
        Bounds { other_objects: k, arrays: k, common_int: k, ..Bounds::unlimited() }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct ClassLayout {
    /// The name without its path, which was shortened once for all walks.
    pub(crate) name: &'static str,
    bound: u32,
    /// Bit `i` is set if field `i` is left out. Decided here once, not per visit.
    omitted: Vec<bool>,
    /// For each field the number of its rule for integers.
    ints: Vec<IntRule>,
}

/// A rule for the integers of a field: its position among those of the layout, which begin with the
/// rule for all other integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IntRule(u32);

impl IntRule {
    /// The rule of integers without one of their own.
    pub(crate) const OTHERS: IntRule = IntRule(0);
}

/// Parts of values identified by their memory that the run does not trust.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doubts {
    /// Bytes of the memory.
    pub bytes: ByteMask,
    /// The answers of methods, by position of the field.
    pub answers: BTreeSet<usize>,
}

/// Bounds resolved against a schema: all that encoding and decoding must agree on.
#[derive(Clone, Debug)]
pub struct Layout {
    pub(crate) classes: Vec<ClassLayout>,
    /// Most objects, by class.
    pub(crate) bounds: Vec<u32>,
    /// The bound of the class that `positions` has first.
    pub(crate) hot_bound: u32,
    /// The positions of classes; those that pointers lead to first, because they are looked up
    /// most.
    pub(crate) positions: Vec<(TypeId, usize)>,
    /// The classes of root types that pointers lead to as well. Mostly none.
    pub(crate) counted_roots: Vec<ClassKey>,
    pub(crate) has_shared: bool,
    pub(crate) has_omitted: bool,
    /// True if unordered contents may tie.
    pub(crate) can_tie: bool,
    /// The rules for integers, that for fields without one of their own first.
    int_rules: Vec<Vec<RangeInclusive<i128>>>,
    pub(crate) arrays: u32,
    pub(crate) text: u32,
    pub(crate) int_bits: u32,
    /// The code that announces a longer integer: all ones.
    pub(crate) escape: u64,
    /// Integers with a code below this are allowed and written short; at most `escape`.
    pub(crate) plain_codes: u64,
    doubts: Arc<Doubts>,
}

impl Layout {
    /// Resolves `bounds` for the classes of `schema`.
    pub fn new(schema: &Schema, bounds: &Bounds) -> Self {
        let mut positions: Vec<_> =
            schema.classes().iter().map(|class| class.key.id).zip(0..).collect();
        positions.sort_by_key(|&(_, index)| (!schema.classes()[index].is_object, index));
        let mut int_rules = vec![with_extremes(&bounds.ints)];
        let classes: Vec<_> = schema
            .classes()
            .iter()
            .map(|class| class_layout(class, bounds, &mut int_rules))
            .collect();
        let has_omitted = classes.iter().any(|class| class.omitted.contains(&true));
        // The codes are -1..=common_int and the escape.
        let int_bits = bits_for(bounds.common_int as usize + 3).min(32);
        let escape = (1 << int_bits) - 1;
        Layout {
            hot_bound: positions.first().map_or(0, |&(_, index)| classes[index].bound),
            bounds: classes.iter().map(|class| class.bound).collect(),
            classes,
            positions,
            counted_roots: counted_roots(schema),
            has_shared: schema.has_shared,
            has_omitted,
            can_tie: schema.can_tie(),
            arrays: bounds.arrays,
            text: bounds.text,
            int_bits,
            escape,
            plain_codes: plain_codes(&int_rules[0], escape),
            int_rules,
            doubts: Arc::default(),
        }
    }

    /// The layout with the parts of values not to trust.
    pub fn with_doubts(self, doubts: Arc<Doubts>) -> Self {
        Layout { doubts, ..self }
    }

    /// The parts of values not to trust, for walks that read memory.
    pub fn doubts(&self) -> &Arc<Doubts> {
        &self.doubts
    }

    /// Returns whether the integers of a field have a rule of their own.
    pub fn bounds_field(&self, class: ClassKey, field: usize) -> bool {
        self.int_rule(self.index_of(class), field) != IntRule::OTHERS
    }

    /// The position of a class in the schema that this layout was made from.
    #[inline(always)]
    pub(crate) fn index_of(&self, class: ClassKey) -> usize {
        match self.positions.iter().find(|(id, _)| *id == class.id) {
            Some((_, index)) => *index,
            None => unknown_class(class),
        }
    }

    #[inline(always)]
    pub(crate) fn takes_part(&self, class: ClassKey, field: usize) -> bool {
        !self.has_omitted || !self.is_omitted(class, field)
    }

    /// Returns whether some field is left out by the bounds, so that the form does not hold the
    /// whole value.
    pub fn has_omitted(&self) -> bool {
        self.has_omitted
    }

    /// Returns whether some field has its own rule for integers.
    pub(crate) fn has_field_rules(&self) -> bool {
        self.int_rules.len() > 1
    }

    /// The rule of a field of the class at this position.
    pub(crate) fn int_rule(&self, class: usize, field: usize) -> IntRule {
        self.classes[class].ints.get(field).copied().unwrap_or(IntRule::OTHERS)
    }

    /// Returns whether an integer may have this value under a rule.
    pub(crate) fn allows(&self, rule: IntRule, value: i128) -> bool {
        let ranges = &self.int_rules[rule.0 as usize];
        ranges.is_empty() || ranges.iter().any(|range| range.contains(&value))
    }

    pub(crate) fn is_omitted(&self, class: ClassKey, field: usize) -> bool {
        self.omits(self.index_of(class), field)
    }

    /// Returns whether a field of the class at this position is left out.
    pub(crate) fn omits(&self, class: usize, field: usize) -> bool {
        self.classes[class].omitted.get(field).copied().unwrap_or(false)
    }
}

/// The classes of roots stored in place that count as objects because pointers lead to more of
/// them. Arrays and collections count themselves when they are entered.
fn counted_roots(schema: &Schema) -> Vec<ClassKey> {
    let counts = |key: &&ClassKey| {
        let mut classes = schema.classes().iter();
        classes.any(|class| class.key == **key && class.is_object && !class.is_array)
    };
    schema.roots().iter().filter(counts).copied().collect()
}

#[cold]
fn unknown_class(class: ClassKey) -> ! {
    panic!(
        "class {} was walked but not described: `Heap::describe` must mention every class that `walk` enters",
        class.name
    )
}

/// The extremes of the integer types up to 64 bits.
pub const EXTREME_INTS: [i128; 12] = [
    u8::MAX as i128,
    u16::MAX as i128,
    u32::MAX as i128,
    u64::MAX as i128,
    i8::MIN as i128,
    i16::MIN as i128,
    i32::MIN as i128,
    i64::MIN as i128,
    i8::MAX as i128,
    i16::MAX as i128,
    i32::MAX as i128,
    i64::MAX as i128,
];

fn with_extremes(ranges: &[RangeInclusive<i128>]) -> Vec<RangeInclusive<i128>> {
    match ranges {
        [] => Vec::new(),
        _ => ranges.iter().cloned().chain(EXTREME_INTS.map(|value| value..=value)).collect(),
    }
}

/// The number of codes for allowed integers, which start at -1 for signed ones and at 0 for
/// unsigned ones.
fn plain_codes(ranges: &[RangeInclusive<i128>], escape: u64) -> u64 {
    let Some(range) = ranges.first() else { return escape };
    if *range.start() > -1 {
        return 0;
    }
    // The code of a signed integer is one more, so the last of the unsigned ones decides.
    u64::try_from(range.end().saturating_add(1)).unwrap_or(0).min(escape)
}

fn class_layout(
    class: &crate::Class,
    bounds: &Bounds,
    int_rules: &mut Vec<Vec<RangeInclusive<i128>>>,
) -> ClassLayout {
    let name = class.key.name;
    let mut rule_of = |field: &crate::Field| match bounds
        .field_ints
        .get(&(name.to_owned(), field.name.to_owned()))
    {
        None => IntRule::OTHERS,
        Some(ranges) => {
            int_rules.push(ranges.clone());
            IntRule(int_rules.len() as u32 - 1)
        }
    };
    // A skipped field is in no form, so omitting it again does not affect decoding.
    let omits = |field: &crate::Field| {
        !field.skipped && bounds.omitted.contains(&(name.to_owned(), field.name.to_owned()))
    };
    ClassLayout {
        name,
        bound: bounds.objects.get(name).copied().unwrap_or(bounds.other_objects),
        omitted: class.fields.iter().map(omits).collect(),
        ints: class.fields.iter().map(&mut rule_of).collect(),
    }
}
