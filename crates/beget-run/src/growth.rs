//! The growth of a run: the integers whose values keep increasing.
//!
//! An integer that counts makes a scope endless, and a run that only counts shows nothing else. So
//! the structures found last are compared with those found first. This is information for people:
//! large runs are only sampled, and nothing in a run depends on it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};
use std::ops::RangeInclusive;

use beget_engine::store::{Store, StoreError, StructureId};
use beget_engine::{CopyOptions, Corpus, Reader, Reconstruction};
use beget_heap::graph::Value;
use beget_heap::{Bounds, HeapGraph};
use beget_plan::finding::StopReason;
use beget_plan::scope::field_name;

/// The least number of structures that can show growth.
const FEWEST: u64 = 8;

/// The number of values up to which an integer cannot make a run much longer.
const FEW_VALUES: i128 = 256;

/// The most structures sampled among the first ones, and among the last ones.
const MOST: u64 = 1 << 9;

/// The most calls made to reconstruct structures that cannot be decoded.
const MOST_CALLS: u64 = 1 << 18;

/// Integers that grew in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntGrowth {
    /// The level that the run reached.
    pub level: u32,
    /// The fields whose integers went further in the later structures than in the earlier ones, by
    /// name.
    pub fields: Vec<GrownField>,
    /// True if nothing else is new in the later structures.
    pub is_all: bool,
}

/// A field with integers that grew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrownField {
    /// Its name in scope files, `Class.field`; `*` for integers in no field.
    pub name: String,
    /// The least value seen.
    pub least: i128,
    /// The greatest value seen.
    pub most: i128,
    /// The number of values, if all structures were examined.
    pub values: Option<u64>,
}

impl IntGrowth {
    /// The growth in the run that left `corpus`.
    ///
    /// # Errors
    ///
    /// If the store cannot read its contents.
    pub(crate) fn of<S: Store>(corpus: &Corpus<S>) -> Result<IntGrowth, StoreError> {
        let level = corpus.report.levels.last().map_or(0, |level| level.calls);
        let n_structures = corpus.store.len();
        if n_structures < FEWEST || !can_grow(&corpus.plan.bounds) {
            return Ok(IntGrowth { level, fields: Vec::new(), is_all: false });
        }
        let size = (n_structures / 2).min(sample_size(corpus, level));
        let mut sample = Sample { corpus, reader: corpus.reader() };
        let earlier = sample.heaps(0..n_structures.min(size + n_structures % 2))?;
        let later = sample.heaps(n_structures - size..n_structures)?;
        let (before, after) = (values_of(&earlier), values_of(&later));
        let is_whole = earlier.len() + later.len() == n_structures as usize;
        let grown = |(name, values): (&String, &BTreeSet<i128>)| {
            let known = before.get(name)?;
            let (least, most) = (*values.first()?, *values.last()?);
            let (known_least, known_most) = (*known.first()?, *known.last()?);
            (least < known_least || most > known_most).then(|| GrownField {
                name: name.clone(),
                least: least.min(known_least),
                most: most.max(known_most),
                values: is_whole.then(|| known.union(values).count() as u64),
            })
        };
        let fields: Vec<GrownField> = after.iter().filter_map(grown).collect();
        let names: BTreeSet<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        let known: BTreeSet<String> = earlier.iter().map(|heap| heap.without(&names)).collect();
        let is_known = |heap: &NamedHeap| known.contains(&heap.without(&names));
        Ok(IntGrowth { level, is_all: later.iter().all(is_known), fields })
    }

    /// The advice for a run that stopped early, if only integers grew.
    pub(crate) fn advice(&self) -> Option<String> {
        let first = self.fields.first().filter(|_| self.is_all)?;
        let (name, range) = (&first.name, first.range());
        let skip = match name.as_str() {
            "*" => "",
            _ => ", or leave it out with `\"skip\"`",
        };
        Some(format!(
            "only integers grew: {self}; give them a range in the scope, `fields: {{\"{name}\": \
             \"{range}\"}}`{skip}"
        ))
    }
}

/// The advice for the run that left `corpus`, if a limit or the user stopped it and only integers
/// grew.
///
/// # Errors
///
/// If the store cannot read its contents.
/// If the store cannot read what it holds.
pub fn advice_for<S: Store>(corpus: &Corpus<S>) -> Result<Option<String>, StoreError> {
    let reason = corpus.report.stop_reason;
    let is_stopped = reason.is_budget() || reason == StopReason::Interrupted;
    if is_stopped && !corpus.plan.budget.is_enough {
        return Ok(IntGrowth::of(corpus)?.advice());
    }
    Ok(None)
}

/// The fields with their observed values.
impl fmt::Display for IntGrowth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, field) in self.fields.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{field}")?;
        }
        match self.fields.is_empty() {
            true => f.write_str("no integers"),
            false => write!(f, " at level {}", GroupedDigits(self.level.into())),
        }
    }
}

impl GrownField {
    /// A range for it, in scope file syntax.
    fn range(&self) -> String {
        match self.least {
            ..0 => "-k..=k".to_owned(),
            0 => "0..k".to_owned(),
            least => format!("{least}..{least} + k"),
        }
    }
}

impl fmt::Display for GrownField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.as_str() {
            "*" => f.write_str("integers in no field")?,
            name => write!(f, "`{name}`")?,
        }
        match self.values {
            Some(values) => write!(f, " had {} values", GroupedDigits(values.into())),
            None => write!(
                f,
                " had values from {} to {}",
                GroupedDigits(self.least),
                GroupedDigits(self.most)
            ),
        }
    }
}

/// An integer with a comma after each three digits.
struct GroupedDigits(i128);

impl fmt::Display for GroupedDigits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.unsigned_abs().to_string();
        if self.0 < 0 {
            f.write_char('-')?;
        }
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                f.write_char(',')?;
            }
            f.write_char(digit)?;
        }
        Ok(())
    }
}

/// Returns whether the scope allows some integer many values.
fn can_grow(bounds: &Bounds) -> bool {
    let is_wide = |ranges: &Vec<RangeInclusive<i128>>| {
        let n_values = |range: &RangeInclusive<i128>| range.end().saturating_sub(*range.start());
        let n: i128 = ranges.iter().map(n_values).fold(0, i128::saturating_add);
        ranges.is_empty() || n >= FEW_VALUES
    };
    is_wide(&bounds.ints) || bounds.field_ints.values().any(is_wide)
}

/// The number of first and of last structures that can be reconstructed quickly.
fn sample_size<S: Store>(corpus: &Corpus<S>, level: u32) -> u64 {
    let strategies = corpus.copy_strategies(CopyOptions::default());
    let decodes = strategies.iter().all(|one| one.reconstruction == Reconstruction::Decode);
    if decodes { MOST } else { MOST.min(MOST_CALLS / u64::from(level.max(1))).max(2) }
}

/// A heap with the field of each of its integers.
struct NamedHeap {
    graph: HeapGraph,
    /// For each object, the fields of its values; empty for other values.
    fields: Vec<Vec<String>>,
}

impl NamedHeap {
    fn integers(&self) -> impl Iterator<Item = (&String, i128)> {
        let values = self.graph.objects().iter().flat_map(|object| &object.values);
        let named = self.fields.iter().flatten().zip(values);
        named.filter_map(|(name, (_, value))| match value {
            Value::Int(value) => Some((name, *value)),
            _ => None,
        })
    }

    /// The heap without the integers of some fields, as text.
    fn without(&self, names: &BTreeSet<&str>) -> String {
        let mut text = String::new();
        for (object, fields) in self.graph.objects().iter().zip(&self.fields) {
            let _ = write!(text, "{};", object.class);
            for ((path, value), field) in object.values.iter().zip(fields) {
                match (value, names.contains(field.as_str())) {
                    (Value::Int(_), true) => drop(write!(text, "{path};")),
                    (Value::Text(value), _) => drop(write!(text, "{path}={value:?};")),
                    (value, _) => drop(write!(text, "{path}={value};")),
                }
            }
        }
        for link in self.graph.links() {
            let _ = write!(text, "{}.{}={};", link.from, link.path, link.to);
        }
        text
    }
}

/// Structures of a corpus as heaps.
struct Sample<'c, S> {
    corpus: &'c Corpus<S>,
    reader: Reader<'c, S>,
}

impl<S: Store> Sample<'_, S> {
    /// Those that can be reconstructed.
    fn heaps(&mut self, ids: std::ops::Range<u64>) -> Result<Vec<NamedHeap>, StoreError> {
        let mut heaps = Vec::new();
        for id in ids.map(StructureId::new) {
            if let Some(graph) = self.reader.graph(id)? {
                let fields = self.fields(&graph);
                heaps.push(NamedHeap { graph, fields });
            }
        }
        Ok(heaps)
    }

    fn fields(&self, graph: &HeapGraph) -> Vec<Vec<String>> {
        let schema = self.corpus.plan.schema();
        // The field that leads to an array is the field of its elements.
        let mut holders: Vec<Option<(&str, &str)>> = vec![None; graph.objects().len()];
        for link in graph.links() {
            let from = &graph.objects()[link.from];
            let holder = schema.field_at(from.class, &link.path).or(holders[link.from]);
            if holders[link.to].is_none() {
                holders[link.to] =
                    holder.filter(|_| schema.is_array(graph.objects()[link.to].class));
            }
        }
        let name = |holder: Option<(&str, &str)>| {
            holder.map_or("*".to_owned(), |(class, field)| field_name(class, field))
        };
        let of_object = |(object, holder): (&beget_heap::graph::Object, &Option<_>)| {
            let of_value = |(path, value): &(String, Value)| match value {
                Value::Int(_) => name(schema.field_at(object.class, path).or(*holder)),
                _ => String::new(),
            };
            object.values.iter().map(of_value).collect()
        };
        graph.objects().iter().zip(&holders).map(of_object).collect()
    }
}

fn values_of(heaps: &[NamedHeap]) -> BTreeMap<String, BTreeSet<i128>> {
    let mut values: BTreeMap<String, BTreeSet<i128>> = BTreeMap::new();
    for (name, value) in heaps.iter().flat_map(NamedHeap::integers) {
        values.entry(name.clone()).or_default().insert(value);
    }
    values
}

#[cfg(test)]
mod tests {
    use beget::HasSuite as _;
    use beget_engine::Run;
    use beget_plan::scope::Overrides;

    use super::*;
    use crate::random::tests::Knob;
    use crate::{Catalog, Input};

    /// With 2^18 calls, 262 structures are made by 1,000 calls each.
    #[test]
    fn a_sample_is_smaller_where_structures_are_made_by_their_calls() {
        let sizes = |value: &str| {
            let fields = format!(r#"ints: "0..3", fields: {{"Knob.value": "{value}"}}"#);
            let text = format!(r#"Scope(suite: "test::knob", k: 1, {fields})"#);
            let input = Input::of_text("knob.ron", text, Catalog::new(vec![Knob::suite()]));
            let plan = input.unwrap().resolve(&Overrides::default()).unwrap().plan;
            let corpus = Run::new(plan).go();
            [1, 1_000, u32::MAX].map(|level| sample_size(&corpus, level))
        };
        assert_eq!(sizes("any"), [512; 3]);
        // A form that leaves out a field cannot be decoded.
        assert_eq!(sizes("skip"), [512, 262, 2]);
    }

    #[test]
    fn only_integers_in_fields_can_be_left_out() {
        let advice = |name: &str| {
            let (name, values) = (name.to_owned(), None);
            let field = GrownField { name, least: 0, most: 9, values };
            IntGrowth { level: 1, fields: vec![field], is_all: true }.advice().unwrap()
        };
        assert!(
            advice("Pen.n")
                .ends_with(r#"`fields: {"Pen.n": "0..k"}`, or leave it out with `"skip"`"#)
        );
        assert!(advice("*").ends_with(r#"`fields: {"*": "0..k"}`"#));
    }
}
