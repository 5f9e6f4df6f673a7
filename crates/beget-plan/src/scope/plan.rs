//! The plan: a suite resolved against a scope at one k. Everything a search needs, nothing left to
//! look up.
//!
//! A plan is made only from input that is right: all that can be wrong with it is found before. It
//! knows nothing of files and of how the search goes about it.
//!
//! # Slack
//!
//! Some structures can only be built by way of larger ones. With slack s the plan's bounds allow s
//! more objects of each class, s more elements of arrays, and s more literals on both ends of
//! integer ranges; `Proper` is the scope without it, by which the reader of the corpus decides what
//! is reported. Integers do not tell where they came from (a size, a key), so what a field may hold
//! is taken from the integer domains that the scope's `repoks` give to fields.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use beget_heap::{Bounds, Doubts, FormCoding, FormRef, Layout, Schema, TagBits};
use beget_suite::{Literal, Method, MethodIdx, StateKind, Suite, TypeIdx};
use regex_lite::Regex;

use crate::scope::ints::{DerivedInts, wider};

/// A suite resolved against a scope.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The suite.
    pub suite: Arc<Suite>,
    /// The scope's number.
    pub k: u32,
    /// The methods in use, in suite order.
    pub methods: Vec<PlannedMethod>,
    /// The classes of all types of the suite.
    pub schema: Schema,
    /// The bounds by class name.
    pub bounds: Bounds,
    /// The bounds resolved against the schema.
    pub layout: Layout,
    /// What the range of integers in structures comes from, if the scope does not say it. Until
    /// [`Plan::limit_ints`] is called, they may be anything.
    pub derived_ints: Option<DerivedInts>,
    /// Which outcomes count as misuse.
    pub misuse: Misuse,
    /// True if the values that a panic leaves are looked at, used by one more call and dropped. The
    /// scope does not say it: it is for whoever checks what calls leave.
    pub follows_panics: bool,
    /// What is asked of calls that are made once more for it; likewise.
    pub audits: CallAudits,
    /// By how many calls values are extended that were matched though their forms may not tell all
    /// that they are: seen through an abstraction, or with fields left out.
    pub probe: u32,
    /// When to stop early.
    pub budget: Budget,
    /// True if the run ends with the level that shows the first failure.
    pub ends_at_failure: bool,
    /// What of a run with slack is reported. `None`: no slack, everything found is.
    pub slack: Option<Proper>,
}

/// The scope proper of a plan with slack `s`.
///
/// Such a plan explores more than it reports: its bounds have `s` more objects of each class and
/// `s` more elements of each array, its ranges of integer literals `s` more values on both ends. A
/// structure is reported if its walk under [`Proper::layout`] stays in scope and no field named in
/// [`Proper::fields`] holds another value than the domains there allow.
#[derive(Clone, Debug)]
pub struct Proper {
    /// How much slack there is.
    pub slack: u32,
    /// The bounds without slack.
    pub bounds: Bounds,
    /// These bounds resolved against the schema of the plan.
    pub layout: Layout,
    /// What integer fields may hold. The integers of a heap do not tell where they came from (a
    /// size, a key), so the limits are taken from the scope's `repoks`: the integer domains that
    /// they give to fields. A field that no repOK gives integers has no limit; where several do, a
    /// value is fine if one of them allows it.
    pub fields: Vec<FieldLimit>,
}

/// The integers that a field may hold within the scope proper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldLimit {
    /// The name of the class.
    pub class: String,
    /// The name of the field; `[]` for the elements of an array.
    pub field: String,
    /// The integers, as ranges that may overlap.
    pub values: Vec<std::ops::RangeInclusive<i128>>,
}

impl FieldLimit {
    /// Returns whether the field may hold `value`.
    pub fn allows(&self, value: i128) -> bool {
        self.values.iter().any(|range| range.contains(&value))
    }
}

/// The position of a method in a plan. That in the suite, all of whose methods need not take part,
/// is another type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct PlannedIdx(usize);

impl PlannedIdx {
    /// The position `index`, whether the plan has it or not.
    #[inline]
    pub const fn new(index: usize) -> Self {
        PlannedIdx(index)
    }

    /// The position as a number, for tables with an entry for each method of the plan.
    #[inline]
    pub const fn index(self) -> usize {
        self.0
    }
}

impl fmt::Debug for PlannedIdx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A method of the plan, with the values of its literal parameters.
#[derive(Clone, Debug)]
pub struct PlannedMethod {
    /// Its position in the suite.
    pub method: MethodIdx,
    /// The types of its structure parameters, in order.
    pub structures: Vec<TypeIdx>,
    /// One domain for each literal parameter, in order.
    pub domains: Vec<Vec<Literal>>,
}

impl Plan {
    /// Gives the integers in structures the range that the scope implies, where it gives none;
    /// `constructed` are those that constructors leave.
    pub fn limit_ints(&mut self, constructed: &BTreeSet<i128>) {
        let Some(derived) = self.derived_ints.take() else { return };
        let doubts = self.layout.doubts().clone();
        self.bounds.ints = derived.ranges(constructed);
        if let Some(proper) = &mut self.slack {
            proper.bounds.ints = std::mem::take(&mut self.bounds.ints);
            proper.layout = Layout::new(&self.schema, &proper.bounds).with_doubts(doubts.clone());
            let ranges = proper.bounds.ints.iter();
            self.bounds.ints = ranges.map(|range| wider(range, proper.slack)).collect();
        }
        self.layout = Layout::new(&self.schema, &self.bounds).with_doubts(doubts);
    }

    /// The layout with integers of any size: the forms are the same. A search from a repOK takes
    /// its integers from domains.
    pub fn layout_of_any_ints(&self) -> Layout {
        let field_ints = BTreeMap::new();
        Layout::new(&self.schema, &Bounds { ints: Vec::new(), field_ints, ..self.bounds.clone() })
    }

    /// What its structures are told apart by.
    pub fn state(&self) -> StateKind {
        self.suite.types.first().map_or(StateKind::Fields, |main| main.state)
    }

    /// Returns whether a structure of a type that is reconstructed has the state that it had.
    pub fn is_repeatable(&self, ty: TypeIdx) -> bool {
        self.suite.types[ty.0].state.is_repeatable()
    }

    /// The plan with what is not believed of structures that are told apart by their memory.
    #[must_use]
    pub fn with_doubts(mut self, doubts: &Arc<Doubts>) -> Self {
        self.layout = self.layout.with_doubts(doubts.clone());
        if let Some(proper) = &mut self.slack {
            proper.layout = proper.layout.clone().with_doubts(doubts.clone());
        }
        self
    }

    /// What the plan says of the method at this position.
    ///
    /// # Panics
    /// If the plan has none there.
    #[inline]
    pub fn planned(&self, idx: PlannedIdx) -> &PlannedMethod {
        &self.methods[idx.0]
    }

    /// The method at this position of the plan, as the suite has it.
    ///
    /// # Panics
    /// If the plan has none there.
    #[inline]
    pub fn method(&self, idx: PlannedIdx) -> &Method {
        self.suite.method(self.planned(idx).method)
    }

    /// The name of the method at this position of the plan.
    ///
    /// # Panics
    /// If the plan has none there.
    pub fn method_name(&self, idx: PlannedIdx) -> &'static str {
        self.method(idx).name
    }

    /// The names of the methods at these positions of the plan.
    ///
    /// # Panics
    /// If the plan has none at one of them.
    pub fn method_names(&self, idxs: &[PlannedIdx]) -> Vec<String> {
        idxs.iter().map(|&idx| self.method_name(idx).to_owned()).collect()
    }

    /// The positions of all methods of the plan, in order.
    pub fn planned_idxs(&self) -> impl ExactSizeIterator<Item = PlannedIdx> + use<> {
        (0..self.methods.len()).map(PlannedIdx)
    }

    /// Where a method of the suite is in the plan; `None` if it takes no part.
    pub fn find_planned(&self, method: MethodIdx) -> Option<PlannedIdx> {
        self.methods.iter().position(|planned| planned.method == method).map(PlannedIdx)
    }

    /// What the forms of the plan's structures are coded by.
    #[inline]
    pub fn coding(&self) -> FormCoding<'_> {
        FormCoding { layout: &self.layout, tag_bits: self.tag_bits() }
    }

    /// The coding of what is reported: with the layout of the scope proper, where the plan has
    /// slack.
    pub fn reported_coding(&self) -> FormCoding<'_> {
        let layout = self.slack.as_ref().map_or(&self.layout, |proper| &proper.layout);
        FormCoding { layout, ..self.coding() }
    }

    /// The bits at the start of a form that tell the types of the suite apart.
    #[inline]
    pub fn tag_bits(&self) -> TagBits {
        TagBits::for_types(self.suite.types.len())
    }

    /// The type of a structure with this form.
    #[inline]
    pub fn type_of(&self, form: FormRef<'_>) -> TypeIdx {
        TypeIdx(form.type_tag(self.tag_bits()) as usize)
    }
}

impl PlannedMethod {
    /// The number of structures that a call can mean: its arguments, then its results. A method
    /// that leaves no structure counts as one: its panics are findings.
    pub fn n_meant(&self, method: &Method) -> usize {
        (self.structures.len() + method.outputs.len()).max(1)
    }

    /// The number of tuples of literals.
    pub fn n_tuples(&self) -> usize {
        self.domains.iter().map(Vec::len).product()
    }

    /// Tuple number `index` of the literals, in lexicographic order of the parameters.
    pub fn tuple(&self, mut index: usize) -> Vec<&Literal> {
        let mut tuple: Vec<&Literal> = Vec::with_capacity(self.domains.len());
        for domain in self.domains.iter().rev() {
            tuple.push(&domain[index % domain.len()]);
            index /= domain.len();
        }
        tuple.reverse();
        tuple
    }
}

/// What is asked of calls by making them once more, on values that their recipes build, under a
/// watch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CallAudits {
    /// True if they use no memory but what they have, and as they have it.
    pub memory_sound: bool,
    /// True if what they allocate is freed at last.
    pub memory_freed: bool,
    /// True if elements whose traits lie do no harm to memory.
    pub lies: bool,
}

impl CallAudits {
    /// Returns whether nothing is asked.
    pub fn is_idle(self) -> bool {
        self == CallAudits::default()
    }
}

/// Which outcomes mean that a call broke a rule of use, so that it is neither extended nor
/// reported.
#[derive(Clone, Debug, Default)]
pub struct Misuse {
    /// What `Err` means.
    pub errors: ErrorRule,
    /// A panic whose message matches one of these is expected; any other is a failure. A call with
    /// an expected one is misuse.
    pub panics: Vec<Regex>,
    /// True if an argument that an expected panic changed is kept: then the call is no misuse, but
    /// counts as one that returned.
    pub keeps_panicked: bool,
}

impl Misuse {
    /// Returns whether a panic with this message is expected.
    pub fn expects(&self, message: &str) -> bool {
        self.pattern_of(message).is_some()
    }

    /// The position of the first pattern that expects a panic with this message.
    pub fn pattern_of(&self, message: &str) -> Option<usize> {
        self.panics.iter().position(|pattern| pattern.is_match(message))
    }
}

/// What a call means that returns `Err`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ErrorRule {
    /// The call simply returned.
    #[default]
    Returned,
    /// Misuse, whatever became of the arguments.
    Misuse,
    /// Misuse, unless an argument changed: then the call returned. What holds if the scope file
    /// says nothing.
    MisuseUnlessChanged,
}

/// Limits after which a search stops early; each has its own stop reason.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Budget {
    /// Most calls.
    pub max_calls: Option<u64>,
    /// Most structures.
    pub max_structures: Option<u64>,
    /// Most seconds of wall time.
    pub max_seconds: Option<f64>,
    /// Most memory of the process, in MiB.
    pub max_memory_mib: Option<u64>,
    /// Most levels: no structure is looked for that takes more calls.
    pub max_levels: Option<u32>,
    /// True if a run that stops at one of these limits, or is complete but for what is doubted of
    /// memory, has done its whole job.
    pub is_enough: bool,
}
