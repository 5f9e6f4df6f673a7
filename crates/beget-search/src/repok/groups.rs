//! Structures of one side of a comparison, grouped by a common property.
//!
//! Each structure is counted in one group: that of the clause that rejects it or, without one, of
//! its shape. A flaw may hide behind another: if every structure that breaks a clause breaks an
//! earlier one as well, that clause rejects none. It still gets a group, unless its witness, which
//! breaks as few clauses as possible, is already shown.

use std::collections::BTreeMap;

use beget_heap::{CanonicalForm, FormRef};

use crate::repok::compare::Names;
use beget_oracle::rep_ok::Checker;

/// Structures of only one set with a common property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The common property: a broken clause, or the shape.
    pub label: String,
    /// True if the label is a clause.
    pub is_clause: bool,
    /// The clause that rejects the witness, if it differs from the label. Then each structure of
    /// the group is also counted in another group.
    pub rejected_by: Option<String>,
    /// The number of structures.
    pub count: u64,
    /// The canonical form of one that breaks as few clauses as any. For structures of the API it is
    /// the first by number; for those that only the repOK admits it is the shortest, then the first
    /// by bytes.
    pub witness: CanonicalForm,
    /// Its text, object by object.
    pub text: String,
}

/// The most groups of one side: there may be as many shapes as structures.
const MOST_GROUPS: usize = 1000;

/// The label for structures that arrive when there are enough groups.
const OTHERS: &str = "others";

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Label {
    is_clause: bool,
    text: String,
}

impl Label {
    fn clause(name: impl Into<String>) -> Self {
        Label { is_clause: true, text: name.into() }
    }

    fn shape(text: impl Into<String>) -> Self {
        Label { is_clause: false, text: text.into() }
    }
}

/// The name of a structure.
struct StructureName {
    label: Label,
    /// The clauses that it breaks after the one that rejects it.
    hidden: Vec<&'static str>,
}

/// Structures with a common label.
#[derive(Default)]
struct Members {
    count: u64,
    /// The number of clauses that the witness breaks after the one that rejects it.
    n_hidden: usize,
    witness: CanonicalForm,
}

/// Structures that break a clause after another one.
struct HiddenGroup {
    rejected_by: String,
    members: Members,
}

#[derive(Default)]
pub(crate) struct Groups {
    by_label: BTreeMap<Label, Members>,
    hidden: BTreeMap<&'static str, HiddenGroup>,
}

/// Returns whether the second of two structures is the better witness, if both break the same
/// number of clauses.
type IsBetter = fn(FormRef<'_>, FormRef<'_>) -> bool;

impl Groups {
    /// Adds a structure; the first of a group is preferred as witness.
    pub(crate) fn add_first(
        &mut self,
        form: FormRef<'_>,
        checker: &mut Checker<'_>,
        names: Names<'_>,
    ) {
        self.add(form, broken(checker, form, names), |_, _| false);
    }

    /// Adds a structure; the smallest of a group is preferred as witness.
    pub(crate) fn add_smallest(
        &mut self,
        form: FormRef<'_>,
        checker: &mut Checker<'_>,
        names: Names<'_>,
    ) {
        let is_smaller: IsBetter = |kept, new| {
            let (kept, new) = (kept.as_bytes(), new.as_bytes());
            (new.len(), new) < (kept.len(), kept)
        };
        self.add(form, broken(checker, form, names), is_smaller);
    }

    fn add(&mut self, form: FormRef<'_>, broken: StructureName, is_better: IsBetter) {
        let StructureName { label, hidden } = broken;
        for &clause in &hidden {
            let group = self.hidden.entry(clause).or_insert_with(|| HiddenGroup {
                rejected_by: label.text.clone(),
                members: Members::default(),
            });
            if group.members.add(form, hidden.len(), is_better) {
                group.rejected_by.clone_from(&label.text);
            }
        }
        let is_full = self.by_label.len() >= MOST_GROUPS && !self.by_label.contains_key(&label);
        let label = if is_full { Label::shape(OTHERS) } else { label };
        self.by_label.entry(label).or_default().add(form, hidden.len(), is_better);
    }

    /// The number of structures added.
    pub(crate) fn count(&self) -> u64 {
        self.by_label.values().map(|members| members.count).sum()
    }

    /// The groups, those with the smallest witnesses first.
    pub(crate) fn into_sorted(self, checker: &mut Checker<'_>) -> Vec<Group> {
        let Groups { by_label, hidden } = self;
        let is_label = |clause: &str| by_label.contains_key(&Label::clause(clause));
        let hidden: Vec<_> = hidden.into_iter().filter(|(clause, _)| !is_label(clause)).collect();
        let groups = by_label.into_iter();
        let mut groups: Vec<Group> =
            groups.map(|(label, members)| members.into_group(label, None, checker)).collect();
        for (clause, HiddenGroup { rejected_by, members }) in hidden {
            // A structure that is already shown adds nothing under another name.
            if groups.iter().all(|group| group.witness != members.witness) {
                groups.push(members.into_group(Label::clause(clause), Some(rejected_by), checker));
            }
        }
        groups.sort_by_cached_key(|group| {
            let text = group.text.clone();
            (text.lines().count(), text.len(), text, group.label.clone())
        });
        groups
    }
}

impl Members {
    /// Counts a structure; returns whether it is the witness now.
    fn add(&mut self, form: FormRef<'_>, n_hidden: usize, is_better: IsBetter) -> bool {
        self.count += 1;
        let is_new = self.count == 1
            || n_hidden < self.n_hidden
            || n_hidden == self.n_hidden && is_better(self.witness.as_ref(), form);
        if is_new {
            self.n_hidden = n_hidden;
            self.witness = form.to_canonical();
        }
        is_new
    }

    fn into_group(
        self,
        label: Label,
        rejected_by: Option<String>,
        checker: &mut Checker<'_>,
    ) -> Group {
        let Label { is_clause, text: label } = label;
        let text = checker.text(self.witness.as_ref());
        let (count, witness) = (self.count, self.witness);
        Group { label, is_clause, rejected_by, count, witness, text }
    }
}

/// The name of a structure by its broken clauses.
fn broken(checker: &mut Checker<'_>, form: FormRef<'_>, names: Names<'_>) -> StructureName {
    let Names::Clauses(rep_ok) = names else {
        return StructureName { label: Label::shape(checker.shape(form)), hidden: Vec::new() };
    };
    match checker.broken(rep_ok, form) {
        Ok(clauses) => match clauses.split_first() {
            None => broken(checker, form, Names::Shapes),
            Some((&first, hidden)) => {
                StructureName { label: Label::clause(first), hidden: hidden.to_vec() }
            }
        },
        Err(cause) => StructureName { label: Label::clause(cause.to_string()), hidden: Vec::new() },
    }
}
