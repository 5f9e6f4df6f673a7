//! Bounds of the default scope that cut a run, widened step by step.
//!
//! The default scope knows nothing of the type. A bound is too narrow if it cuts all calls of a
//! method (the buffer of a gap buffer grows to five at once), if it leaves hardly any structures,
//! or if a wider one lets most of the cut calls through. Structures that grow call by call meet
//! their bound at any size, so a step that changes nothing is taken back. Everything depends on
//! counts, never on time.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use beget_engine::{Corpus, MethodReach};
use beget_heap::PassedBound;
use beget_plan::scope::{BoundName, Plan, PlannedIdx};

/// Fewer structures than this are almost none.
pub(crate) const FEW: u64 = 10;

/// The most calls of a run that is repeated with wider bounds.
const MOST_CALLS: u64 = 20_000;

/// The most calls of a run with wider bounds.
pub(crate) const MOST_CALLS_WIDER: u64 = 200_000;

/// The steps for arrays and objects: numbers beyond k.
const LONGER: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];

/// The steps for integers: numbers beyond k, on both sides of 0.
const LARGER: [u32; 4] = [16, 64, 256, 1024];

/// Bounds of the default scope that are wider than there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Widening {
    /// The number by which arrays and texts may be longer than k.
    arrays: Option<u32>,
    /// The number of objects beyond k, by class.
    objects: BTreeMap<String, u32>,
    /// The ranges of integers, by field; `*` for those in no field.
    fields: BTreeMap<String, WiderRange>,
}

/// A range of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WiderRange {
    /// Up to this much more than k, on both sides of 0.
    By(u32),
    /// All values of the type.
    Any,
}

impl fmt::Display for WiderRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WiderRange::By(more) => write!(f, "-k - {more}..=k + {more}"),
            WiderRange::Any => f.write_str("any"),
        }
    }
}

impl Widening {
    /// Returns whether no bound is wider.
    pub fn is_empty(&self) -> bool {
        *self == Widening::default()
    }

    /// The fields of a scope with these bounds, with their values.
    pub(crate) fn scope_fields(&self) -> Vec<(String, String)> {
        let mut fields = Vec::new();
        if !self.objects.is_empty() {
            let named =
                self.objects.iter().map(|(class, more)| format!(r#""{class}": "k + {more}""#));
            let all: Vec<String> = std::iter::once(r#""*": "k""#.to_owned()).chain(named).collect();
            fields.push(("objects".to_owned(), format!("{{{}}}", all.join(", "))));
        }
        if let Some(more) = self.arrays {
            fields.push(("arrays".to_owned(), format!(r#""k + {more}""#)));
        }
        if !self.fields.is_empty() {
            let named = self.fields.iter().map(|(field, range)| format!(r#""{field}": "{range}""#));
            let all: Vec<String> = named.collect();
            fields.push(("fields".to_owned(), format!("{{{}}}", all.join(", "))));
        }
        fields
    }

    /// The fields as `check!` has them.
    pub fn in_check(&self) -> String {
        let fields = self.scope_fields();
        let fields: Vec<String> =
            fields.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        fields.join(", ")
    }

    /// The next step for a bound; `None` if there is none.
    pub(crate) fn with_next(&self, bound: PassedBound, plan: &Plan) -> Option<Widening> {
        let mut next = self.clone();
        let longer = |known: u32| LONGER.into_iter().find(|&more| more > known);
        let name = BoundName::new(bound, plan.schema()).name;
        match bound {
            PassedBound::Arrays | PassedBound::Texts => {
                next.arrays = Some(longer(self.arrays.unwrap_or(0))?);
            }
            PassedBound::Objects { .. } => {
                let class = name?;
                let more = longer(self.objects.get(&class).copied().unwrap_or(0))?;
                next.objects.insert(class, more);
            }
            PassedBound::Field { .. } | PassedBound::Ints => {
                let field = name.unwrap_or_else(|| "*".to_owned());
                let known = match self.fields.get(&field) {
                    Some(WiderRange::Any) => return None,
                    Some(&WiderRange::By(more)) => more,
                    None => 0,
                };
                let range = match LARGER.into_iter().find(|&more| more > known) {
                    Some(more) if !is_of_bytes(bound, plan) => WiderRange::By(more),
                    _ => WiderRange::Any,
                };
                next.fields.insert(field, range);
            }
            PassedBound::Returned | PassedBound::Undecided => return None,
        }
        Some(next)
    }
}

/// The fields as a scope file has them.
impl fmt::Display for Widening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, value)) in self.scope_fields().iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{name}: {value}")?;
        }
        Ok(())
    }
}

/// The field of a scope that a bound is widened by.
fn field_of(bound: PassedBound) -> &'static str {
    match bound {
        PassedBound::Arrays | PassedBound::Texts => "arrays",
        PassedBound::Objects { .. } => "objects",
        PassedBound::Field { .. } | PassedBound::Ints => "fields",
        PassedBound::Returned | PassedBound::Undecided => "",
    }
}

/// Returns whether a bound is that of a field of bytes: they have few values.
fn is_of_bytes(bound: PassedBound, plan: &Plan) -> bool {
    let PassedBound::Field { class, field } = bound else { return false };
    let ty = plan.schema().classes()[usize::from(class)].fields[usize::from(field)].ty;
    let mut words = ty.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words.any(|word| matches!(word, "u8" | "i8"))
}

/// The bounds that cut a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cuts {
    /// The methods without a call within the scope, each with a bound that cut one.
    pub(crate) starved: Vec<(PlannedIdx, PassedBound)>,
    /// The number of structures, if there are few and calls passed a bound.
    pub(crate) few: Option<u64>,
    /// The bound that most calls passed, with their number.
    pub(crate) most: Option<(PassedBound, u64)>,
    /// All calls.
    pub(crate) explored: u64,
}

impl Cuts {
    pub(crate) fn of(corpus: &Corpus) -> Cuts {
        let ledger = &corpus.report.ledger;
        let starved = corpus.plan.planned_idxs().filter_map(|method| {
            let MethodReach { is_in_scope, cut_by } = ledger.reach(method);
            cut_by.filter(|_| !is_in_scope).map(|bound| (method, bound))
        });
        // Of equal ones the first.
        let most = ledger.passed.iter().rev().max_by_key(|passed| passed.calls);
        let n_structures = corpus.store.len();
        Cuts {
            starved: starved.collect(),
            few: (n_structures < FEW && most.is_some()).then_some(n_structures),
            most: most.map(|passed| (passed.bound, passed.calls)),
            explored: ledger.counters.explored(),
        }
    }

    /// Returns whether more than a third of the calls passed one bound.
    fn has_large_share(&self) -> bool {
        self.most.is_some_and(|(_, calls)| 3 * calls > self.explored)
    }

    /// Returns whether a run with a wider bound is an improvement on this one.
    fn is_bettered_by(&self, wider: &Cuts, bound: PassedBound) -> bool {
        let n_by = |cuts: &Cuts| cuts.starved.iter().filter(|(_, by)| *by == bound).count();
        let fewer_starved = n_by(wider) < n_by(self) || wider.starved.len() < self.starved.len();
        let is_larger = match (self.few, wider.few) {
            (Some(before), Some(after)) => after > before,
            (before, after) => before.is_some() && after.is_none(),
        };
        fewer_starved || is_larger || self.has_large_share() && !wider.has_large_share()
    }
}

/// The search for bounds that fit.
#[derive(Debug, Default)]
pub(crate) struct Widener {
    /// The current bounds.
    pub(crate) widening: Widening,
    /// The bounds that stay as they are.
    settled: BTreeSet<PassedBound>,
    /// The bounds on trial, and the one among them that is wider.
    trial: Option<(Widening, PassedBound)>,
}

impl Widener {
    /// The bounds to try next after a run with these cuts, if the scope `may_widen` their field.
    pub(crate) fn next(
        &mut self,
        cuts: &Cuts,
        plan: &Plan,
        may_widen: &dyn Fn(&str) -> bool,
    ) -> Option<&Widening> {
        let bounds = if cuts.explored > MOST_CALLS { Vec::new() } else { cuts_to_widen(cuts) };
        for bound in bounds {
            let from = match &self.trial {
                Some((trial, of)) if *of == bound => trial,
                _ => &self.widening,
            };
            let is_open = !self.settled.contains(&bound) && may_widen(field_of(bound));
            match from.with_next(bound, plan).filter(|_| is_open) {
                Some(next) => return Some(&self.trial.insert((next, bound)).0),
                None => drop(self.settled.insert(bound)),
            }
        }
        None
    }

    /// Keeps the bounds on trial.
    pub(crate) fn keep(&mut self) {
        self.trial.take().into_iter().for_each(|(trial, _)| self.widening = trial);
    }

    /// Decides about the bounds on trial and returns whether they are kept. `after` are the cuts of
    /// the run with them, `None` if it did not end.
    pub(crate) fn learn(&mut self, before: &Cuts, after: Option<&Cuts>) -> bool {
        let Some((trial, bound)) = &self.trial else { return false };
        let is_better = after.is_some_and(|after| before.is_bettered_by(after, *bound));
        if is_better {
            self.widening = trial.clone();
            self.trial = None;
        } else if after.is_none() || before.starved.is_empty() && before.few.is_none() {
            // A larger step takes even longer, and the structures would only grow further.
            self.settled.insert(*bound);
            self.trial = None;
        }
        is_better
    }
}

/// The bounds to widen, in the order of trial.
fn cuts_to_widen(cuts: &Cuts) -> Vec<PassedBound> {
    let mut bounds: Vec<PassedBound> = cuts.starved.iter().map(|&(_, bound)| bound).collect();
    let is_wanted = !bounds.is_empty() || cuts.few.is_some() || cuts.has_large_share();
    bounds.extend(cuts.most.filter(|_| is_wanted).map(|(bound, _)| bound));
    bounds.sort_unstable();
    bounds.dedup();
    bounds
}

#[cfg(test)]
mod tests;
