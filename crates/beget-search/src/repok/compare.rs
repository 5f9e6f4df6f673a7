//! Comparing two sets: the structures that an API builds, and those that a repOK admits.
//!
//! The first set is complete and its owner decides where it is kept. The second is streamed: its
//! structures are looked up in batches, in the order in which they are found. So the comparison
//! needs memory only for the first set, one batch, and a bit for each member.

use beget_heap::view::{Table, Verdict};
use beget_heap::{CanonicalForm, FormCoding, FormRef};
use fixedbitset::FixedBitSet;
use indexmap::IndexSet;

use crate::repok::groups::{Group, Groups};
use crate::repok::report::SearchReport;
use crate::repok::search::{AcceptedCandidate, Search, search};
use beget_oracle::rep_ok::Checker;

/// A set of canonical forms that can be looked up by number.
pub trait FormSet {
    /// The numbers of its forms, in order.
    fn numbers(&self) -> Box<dyn Iterator<Item = usize> + '_>;

    /// The number of a form.
    fn find(&self, form: FormRef<'_>) -> Option<usize>;

    /// Like [`FormSet::find`], for each of some forms.
    fn find_all(&self, forms: &[FormRef<'_>]) -> Vec<Option<usize>> {
        forms.iter().map(|&form| self.find(form)).collect()
    }

    /// The bytes of memory for the forms of one batch.
    fn lookup_bytes(&self) -> u64 {
        0
    }

    /// The form of one of its [numbers](FormSet::numbers).
    fn form(&self, number: usize) -> CanonicalForm;
}

/// A set of canonical forms in memory, numbered in the order of insertion.
#[derive(Clone, Debug, Default)]
pub struct Forms(IndexSet<CanonicalForm>);

impl Forms {
    /// The number of forms.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<CanonicalForm> for Forms {
    fn from_iter<I: IntoIterator<Item = CanonicalForm>>(forms: I) -> Self {
        Forms(forms.into_iter().collect())
    }
}

impl FormSet for Forms {
    fn numbers(&self) -> Box<dyn Iterator<Item = usize> + '_> {
        Box::new(0..self.0.len())
    }

    fn find(&self, form: FormRef<'_>) -> Option<usize> {
        self.0.get_index_of(form.unpadded().as_bytes())
    }

    fn form(&self, number: usize) -> CanonicalForm {
        self.0[number].clone()
    }
}

/// The relation of the two sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The same.
    Equal,
    /// The repOK admits everything that the API builds, and more: it is underspecified, or the API
    /// builds too little.
    Under,
    /// The repOK rejects some structures of the API and admits nothing else: it is overspecified,
    /// or the API builds too much.
    Over,
    /// Each set has structures that the other lacks.
    Different,
}

impl std::fmt::Display for Relation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Relation::Equal => "equal",
            Relation::Under => "under",
            Relation::Over => "over",
            Relation::Different => "different",
        })
    }
}

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Structures that the API builds.
    pub api: u64,
    /// Structures that the repOK admits.
    pub rep_ok: u64,
    /// Structures that only the API builds.
    pub only_api: u64,
    /// Structures that only the repOK admits.
    pub only_rep_ok: u64,
    /// The relation of the sets. Meaningless if the search was not complete.
    pub relation: Relation,
    /// The structures that only the API builds, by the clause that rejects them, or else by shape;
    /// the smallest witness first.
    pub only_api_groups: Vec<Group>,
    /// The structures that only the repOK admits, by clause of another repOK or by shape; the
    /// smallest witness first. Candidates without a value are in no group.
    pub only_rep_ok_groups: Vec<Group>,
    /// The search.
    pub search: SearchReport,
}

/// The naming of the groups of structures that only the repOK admits.
#[derive(Clone, Copy)]
pub enum Names<'a> {
    /// The shape: objects and references, without values.
    Shapes,
    /// The clause of another repOK that rejects them, or else the shape.
    Clauses(&'a (dyn Fn(&Table) -> Verdict + Sync)),
}

/// Compares `api` with the structures that `from` finds. Both have forms of this coding.
pub fn compare<'l>(
    from: &Search<'_>,
    coding: impl Into<FormCoding<'l>>,
    api: &dyn FormSet,
    names: Names<'_>,
) -> Comparison {
    let (coding, max_reads) = (coding.into(), from.settings.max_reads);
    let mut checker = Checker::new(from.space.shapes(), coding, max_reads);
    let mut groups = Groups::default();
    let mut is_met = FixedBitSet::new();
    let mut admitted = AdmittedForms::default();
    let mut look_up = |admitted: &mut AdmittedForms| {
        let forms = admitted.forms();
        for (&form, number) in forms.iter().zip(api.find_all(&forms)) {
            match number {
                Some(number) => is_met.grow_and_insert(number),
                None => groups.add_smallest(form, &mut checker, names),
            }
        }
        admitted.clear();
    };
    let report = search(from, coding, &mut |AcceptedCandidate { form, .. }| {
        admitted.push(form);
        if admitted.n_bytes() >= api.lookup_bytes() {
            look_up(&mut admitted);
        }
    });
    look_up(&mut admitted);
    let only_rep_ok = groups.count() + report.unrepresentable;
    let only_rep_ok_groups = groups.into_sorted(&mut checker);
    let mut groups = Groups::default();
    let mut n_api = 0;
    for number in api.numbers() {
        n_api += 1;
        if !is_met.contains(number) {
            groups.add_first(api.form(number).as_ref(), &mut checker, Names::Clauses(from.rep_ok));
        }
    }
    let only_api = groups.count();
    Comparison {
        api: n_api,
        rep_ok: report.generated,
        only_api,
        only_rep_ok,
        relation: relation(only_api, only_rep_ok),
        only_api_groups: groups.into_sorted(&mut checker),
        only_rep_ok_groups,
        search: report,
    }
}

/// Forms that the repOK admits and that wait for the next batch, in order.
#[derive(Debug, Default)]
struct AdmittedForms {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

/// The approximate memory for looking up a form besides its bytes: its place, in the list and in a
/// table, and the answer.
const BYTES_BESIDES: u64 = 56;

impl AdmittedForms {
    fn push(&mut self, form: FormRef<'_>) {
        self.bytes.extend_from_slice(form.as_bytes());
        self.ends.push(self.bytes.len());
    }

    fn n_bytes(&self) -> u64 {
        self.bytes.len() as u64 + BYTES_BESIDES * self.ends.len() as u64
    }

    fn forms(&self) -> Vec<FormRef<'_>> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let forms = starts.zip(&self.ends).map(|(start, &end)| &self.bytes[start..end]);
        forms.map(FormRef::new).collect()
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }
}

fn relation(only_api: u64, only_rep_ok: u64) -> Relation {
    match (only_api, only_rep_ok) {
        (0, 0) => Relation::Equal,
        (0, _) => Relation::Under,
        (_, 0) => Relation::Over,
        _ => Relation::Different,
    }
}
