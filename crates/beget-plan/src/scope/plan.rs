//! The plan: a suite resolved against a scope at one k. It has everything that a search needs, with
//! nothing left to look up.
//!
//! A plan is made only from valid input: all mistakes are found before. It does not know files, nor
//! the search.
//!
//! A plan does not change. A [`PlanDraft`] does: its fields are all that can be chosen. Freezing it
//! makes the rest of the plan (schema, layouts), which follows from them. A run that needs another
//! budget, other literals or other bounds takes another plan, made from a changed draft.
//!
//! # Slack
//!
//! Some structures can only be built from larger ones. With slack s the plan's bounds allow s more
//! objects of each class, s more elements of arrays, and s more literals on both ends of integer
//! ranges; `Proper` is the scope without it, which decides what is reported of the corpus. Integers
//! do not show their origin (a size, a key), so the values of a field are limited by the integer
//! domains that the scope's `repoks` give to fields.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use beget_heap::{Bounds, Doubts, FormCoding, FormRef, Layout, Schema, TagBits};
use beget_suite::{Literal, Method, MethodIdx, StateKind, Suite, TypeIdx};
use regex_lite::Regex;

use crate::scope::ints::{DerivedInts, wider};

/// A suite resolved against a scope. It shows the fields of its draft, and does not change.
#[derive(Clone, Debug)]
pub struct Plan {
    draft: PlanDraft,
    schema: Schema,
    layout: Layout,
    /// With the bounds of the scope proper, if there is slack.
    proper_layout: Option<Layout>,
}

/// The parts of a plan that can be chosen.
#[derive(Clone, Debug)]
pub struct PlanDraft {
    /// The suite.
    pub suite: Arc<Suite>,
    /// The scope's number.
    pub k: u32,
    /// The methods in use, in suite order.
    pub methods: Vec<PlannedMethod>,
    /// The bounds by class name.
    pub bounds: Bounds,
    /// The source of the range of integers in structures, if the scope sets none and it is not
    /// known yet: then integers are unlimited, and [`Plan::limit_ints`] makes the plan that limits
    /// them.
    pub derived_ints: Option<DerivedInts>,
    /// The doubted parts of structures that are identified by their memory.
    pub doubts: Arc<Doubts>,
    /// The outcomes that count as misuse.
    pub misuse: Misuse,
    /// True if the values left by a panic are inspected, used by one more call and dropped. A scope
    /// says nothing of it; only checks want it.
    pub follows_panics: bool,
    /// The audits that calls are repeated for; none unless for checks.
    pub audits: CallAudits,
    /// The number of further calls on matched values whose forms may be incomplete: shown through
    /// an abstraction, or with fields left out.
    pub probe: u32,
    /// The limits that end a run early.
    pub budget: Budget,
    /// True if the run ends with the level that shows the first failure.
    pub ends_at_failure: bool,
    /// The scope proper of a run with slack, which decides what is reported. `None`: no slack,
    /// everything is reported.
    pub slack: Option<Proper>,
}

/// The scope proper of a plan with slack `s`.
///
/// Such a plan explores more than it reports: its bounds have `s` more objects of each class and
/// `s` more elements of each array, its ranges of integer literals `s` more values on both ends. A
/// structure is reported if its walk under [`Proper::bounds`] stays in scope and each field named
/// in [`Proper::fields`] holds a value that the domains there allow.
#[derive(Clone, Debug)]
pub struct Proper {
    /// The slack.
    pub slack: u32,
    /// The bounds without slack.
    pub bounds: Bounds,
    /// The limits of integer fields. The integers of a heap do not show their origin (a size, a
    /// key), so the limits come from the scope's `repoks`: the integer domains that they give to
    /// fields. A field without such a domain has no limit; if several repOKs give one, a value
    /// needs to be in one of them.
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

/// The position of a method in a plan, which may leave methods out. The position in the suite is
/// another type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

impl PlanDraft {
    /// The plan of this draft.
    pub fn freeze(self) -> Plan {
        let schema = self.suite.schema();
        let layout =
            |bounds: &Bounds| Layout::new(&schema, bounds).with_doubts(Arc::clone(&self.doubts));
        let proper_layout = self.slack.as_ref().map(|proper| layout(&proper.bounds));
        let layout = layout(&self.bounds);
        Plan { draft: self, schema, layout, proper_layout }
    }
}

impl Deref for Plan {
    type Target = PlanDraft;

    #[inline]
    fn deref(&self) -> &PlanDraft {
        &self.draft
    }
}

impl Plan {
    /// The plan with a change of its draft.
    #[must_use]
    pub fn with(self, change: impl FnOnce(&mut PlanDraft)) -> Plan {
        let mut draft = self.draft;
        change(&mut draft);
        draft.freeze()
    }

    /// The classes of all types of the suite.
    #[inline]
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The bounds, resolved against the schema.
    #[inline]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The bounds of the scope proper, resolved likewise. `None`: no slack.
    #[inline]
    pub fn proper_layout(&self) -> Option<&Layout> {
        self.proper_layout.as_ref()
    }

    /// The plan with the implied range of the integers in structures, if the scope sets none;
    /// `constructed` are the integers that constructors leave.
    #[must_use]
    pub fn limit_ints(self, constructed: &BTreeSet<i128>) -> Plan {
        self.with(|draft| {
            let Some(derived) = draft.derived_ints.take() else { return };
            draft.bounds.ints = derived.ranges(constructed);
            if let Some(proper) = &mut draft.slack {
                proper.bounds.ints = std::mem::take(&mut draft.bounds.ints);
                let ranges = proper.bounds.ints.iter();
                draft.bounds.ints = ranges.map(|range| wider(range, proper.slack)).collect();
            }
        })
    }

    /// The plan of a search, with the integers that constructors leave, if they are known, and with
    /// doubted parts of structures.
    #[must_use]
    pub fn of_search(self, ints: Option<&BTreeSet<i128>>, doubts: &Arc<Doubts>) -> Plan {
        let plan = self.with(|draft| draft.doubts = Arc::clone(doubts));
        match ints {
            Some(ints) => plan.limit_ints(ints),
            None => plan,
        }
    }

    /// The layout with unlimited integers; its forms are the same. A search from a repOK takes its
    /// integers from domains.
    pub fn layout_of_any_ints(&self) -> Layout {
        let field_ints = BTreeMap::new();
        Layout::new(&self.schema, &Bounds { ints: Vec::new(), field_ints, ..self.bounds.clone() })
    }

    /// The identity of its structures.
    pub fn state(&self) -> StateKind {
        self.suite.types.first().map_or(StateKind::Fields, |main| main.state)
    }

    /// Returns whether a structure of a type that is reconstructed has the state that it had.
    pub fn is_repeatable(&self, ty: TypeIdx) -> bool {
        self.suite.types[ty.index()].state.is_repeatable()
    }

    /// The plan's entry for the method at this position.
    ///
    /// # Panics
    ///
    /// If the plan has none there.
    #[inline]
    pub fn planned(&self, idx: PlannedIdx) -> &PlannedMethod {
        &self.methods[idx.0]
    }

    /// The suite's method at this position of the plan.
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

    /// The position of the suite's method in the plan; `None` if it takes no part.
    pub fn find_planned(&self, method: MethodIdx) -> Option<PlannedIdx> {
        self.methods.iter().position(|planned| planned.method == method).map(PlannedIdx)
    }

    /// The coding of the forms of the plan's structures.
    #[inline]
    pub fn coding(&self) -> FormCoding<'_> {
        FormCoding { layout: &self.layout, tag_bits: self.tag_bits() }
    }

    /// The coding of reported structures: with the layout of the scope proper, if the plan has
    /// slack.
    pub fn reported_coding(&self) -> FormCoding<'_> {
        FormCoding { layout: self.proper_layout().unwrap_or(&self.layout), ..self.coding() }
    }

    /// The bits at the start of a form that distinguish the types of the suite.
    #[inline]
    pub fn tag_bits(&self) -> TagBits {
        TagBits::for_types(self.suite.types.len())
    }

    /// The type of a structure with this form.
    #[inline]
    pub fn type_of(&self, form: FormRef<'_>) -> TypeIdx {
        TypeIdx::new(form.type_tag(self.tag_bits()) as usize)
    }
}

impl PlannedMethod {
    /// The number of structures that a call can mean: its arguments, then its results. A method
    /// that leaves no structure counts as one, for its panics.
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

/// Audits: checks that repeat calls under a watch, on values that their recipes build.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallAudits {
    /// True if calls must only use memory that they own, and use it correctly.
    pub memory_sound: bool,
    /// True if allocations of calls must be freed in the end.
    pub memory_freed: bool,
    /// True if elements whose traits lie must not corrupt memory.
    pub lies: bool,
}

impl CallAudits {
    /// Returns whether there are no audits.
    pub fn is_idle(self) -> bool {
        self == CallAudits::default()
    }
}

/// The outcomes that mean that a call broke a precondition, so that it is neither extended nor
/// reported.
#[derive(Clone, Debug, Default)]
pub struct Misuse {
    /// The meaning of `Err`.
    pub errors: ErrorRule,
    /// A panic whose message matches one of these is expected; any other is a failure. A call with
    /// an expected panic is misuse.
    pub panics: Vec<Regex>,
    /// True if an argument that an expected panic changed is kept: then the call is no misuse, but
    /// counts as returned.
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

/// The meaning of a call that returns `Err`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ErrorRule {
    /// The call returned, like any other.
    #[default]
    Returned,
    /// Misuse, even if arguments changed.
    Misuse,
    /// Misuse, unless an argument changed: then the call returned. The default.
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
    /// Most levels: structures that take more calls are not searched.
    pub max_levels: Option<u32>,
    /// True if a run that stops at one of these limits, or is complete except for doubted memory,
    /// counts as sufficient.
    pub is_enough: bool,
}
