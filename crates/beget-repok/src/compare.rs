//! Comparing two sets: the structures that an API builds, and those that a repOK admits.
//!
//! The first is held exactly, the second is streamed: memory is one set and a bit for each member.

use beget_heap::view::{Table, Verdict};
use beget_heap::{CanonicalForm, FormCoding, FormRef};
#[cfg(feature = "forms")]
use indexmap::IndexSet;

use crate::checker::Checker;
use crate::groups::{Group, Groups};
use crate::report::SearchReport;
use crate::search::{AcceptedCandidate, Search, search};

/// A set of canonical forms that can be looked up by number.
pub trait FormSet {
    /// How many there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of a form.
    fn find(&self, form: FormRef<'_>) -> Option<usize>;

    /// The form of a number below [`FormSet::len`].
    fn form(&self, number: usize) -> CanonicalForm;
}

/// A set of canonical forms in memory, numbered in the order of insertion.
#[cfg(feature = "forms")]
#[derive(Clone, Debug, Default)]
pub struct Forms(IndexSet<CanonicalForm>);

#[cfg(feature = "forms")]
impl FromIterator<CanonicalForm> for Forms {
    fn from_iter<I: IntoIterator<Item = CanonicalForm>>(forms: I) -> Self {
        Forms(forms.into_iter().collect())
    }
}

#[cfg(feature = "forms")]
impl FormSet for Forms {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn find(&self, form: FormRef<'_>) -> Option<usize> {
        self.0.get_index_of(form.unpadded().as_bytes())
    }

    fn form(&self, number: usize) -> CanonicalForm {
        self.0[number].clone()
    }
}

/// How the two sets relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The same.
    Equal,
    /// The repOK admits all that the API builds, and more: it is underspecified, or the API builds
    /// too little.
    Under,
    /// The repOK rejects some of what the API builds and admits nothing else: it is overspecified,
    /// or the API builds too much.
    Over,
    /// Each set has what the other has not.
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
    /// Of these, built by the API only.
    pub only_api: u64,
    /// Of these, admitted by the repOK only.
    pub only_rep_ok: u64,
    /// How the sets relate. Means nothing if the search was not complete.
    pub relation: Relation,
    /// What only the API builds, by the clause that rejects it, or else by shape; the smallest
    /// witness first.
    pub only_api_groups: Vec<Group>,
    /// What only the repOK admits, by clause of another repOK or by shape; the smallest witness
    /// first. Candidates that no value can be are in none.
    pub only_rep_ok_groups: Vec<Group>,
    /// The search.
    pub search: SearchReport,
}

/// What the groups of structures that only the repOK admits are named after.
#[derive(Clone, Copy)]
pub enum Names<'a> {
    /// The shape: objects and references, without values.
    Shapes,
    /// The clause of another repOK that rejects them; the shape of those that it admits too.
    Clauses(&'a (dyn Fn(&Table) -> Verdict + Sync)),
}

/// Compares `api` with what `from` finds. Both have forms of this coding.
pub fn compare<'l>(
    from: &Search<'_>,
    coding: impl Into<FormCoding<'l>>,
    api: &dyn FormSet,
    names: Names<'_>,
) -> Comparison {
    let (coding, max_reads) = (coding.into(), from.settings.max_reads);
    let mut checker = Checker::new(from.space.shapes(), coding, max_reads);
    let mut groups = Groups::default();
    let mut is_met = vec![false; api.len()];
    let report = search(from, coding, &mut |AcceptedCandidate { form, .. }| match api.find(form) {
        Some(number) => is_met[number] = true,
        None => groups.add_smallest(form, &mut checker, names),
    });
    let only_rep_ok = groups.count() + report.unrepresentable;
    let only_rep_ok_groups = groups.into_sorted(&mut checker);
    let mut groups = Groups::default();
    for (number, _) in is_met.iter().enumerate().filter(|(_, is_met)| !**is_met) {
        groups.add_first(api.form(number).as_ref(), &mut checker, Names::Clauses(from.rep_ok));
    }
    let only_api = groups.count();
    Comparison {
        api: api.len() as u64,
        rep_ok: report.generated,
        only_api,
        only_rep_ok,
        relation: relation(only_api, only_rep_ok),
        only_api_groups: groups.into_sorted(&mut checker),
        only_rep_ok_groups,
        search: report,
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
