//! The last round: calls that show more than the first successful one of their method.
//!
//! A method is called as soon as there is something to call it on, which for most is an empty
//! structure. Now that structures of all kinds are there, it is called again on those that hold
//! something, with the literals in turn, until its result says something too.

use beget_plan::finding::Control;
use beget_plan::scope::PlannedIdx;
use beget_run::random::TrialReturn;
use beget_suite::ReturnValue;

use super::{CallCandidate, CallSearch, Stop, steps_of};
use crate::heuristic::effects::SizeChange;
use crate::heuristic::pool::PoolIdx;
use crate::heuristic::report::{CallOrigin, CallWorth};

/// The most structures of a type that a method is called on, and the most choices of literals for
/// each.
const MOST_STRUCTURES: usize = 4;
const MOST_CHOICES: usize = 24;

impl CallSearch<'_> {
    /// Replaces the successful call of a method by one that shows more, if one is found. The calls
    /// of a repository stay.
    pub(super) fn look_for_fuller(
        &mut self,
        method: PlannedIdx,
        control: &mut Control<'_>,
    ) -> Result<(), Stop> {
        let Some(success) = &self.reports[method.index()].success else { return Ok(()) };
        let mut best = success.worth;
        if success.origin == CallOrigin::Repository {
            return Ok(());
        }
        for row in 0..MOST_STRUCTURES {
            let Some(structures) = self.filled_structures(method, row) else { break };
            let n_choices = if self.menus[method.index()].is_empty() { 1 } else { MOST_CHOICES };
            for choice in 0..n_choices {
                if best.is_full() {
                    return Ok(());
                }
                self.check(control)?;
                let literals = self.generated_literals(method, &structures, choice);
                let structures = structures.clone();
                let candidate = CallCandidate { structures, literals, repair: None, n_messages: 0 };
                best = self.try_fuller(method, &candidate, best);
            }
        }
        Ok(())
    }

    /// The structures of a method, from the given row of those that hold something; of types with
    /// fewer rows the last one. `None` beyond the last row of all.
    pub(super) fn filled_structures(
        &mut self,
        method: PlannedIdx,
        row: usize,
    ) -> Option<Vec<PoolIdx>> {
        let types = &self.plan.planned(method).structures;
        let (mut structures, mut is_new) = (Vec::with_capacity(types.len()), row == 0);
        for ty in types {
            if !self.pool.has_filled(*ty) {
                let first = *self.pool.ranked(*ty).first()?;
                // What it leaves is in the pool.
                let _ = self.resized(first, SizeChange::Grows, 1, &[]);
            }
            let mut ranked = self.pool.ranked(*ty);
            if self.pool.has_filled(*ty) {
                ranked.retain(|idx| !self.pool.get(*idx).is_empty);
            }
            is_new |= row < ranked.len();
            structures.push(*ranked.get(row).or(ranked.last())?);
        }
        is_new.then_some(structures)
    }

    /// Makes a call, and keeps it if it is worth more than the best so far; returns the best.
    fn try_fuller(
        &mut self,
        method: PlannedIdx,
        candidate: &CallCandidate,
        best: CallWorth,
    ) -> CallWorth {
        let (prefix, step) = self.calls_of(method, candidate);
        let Ok(returned) = self.make(method, &prefix, &step) else { return best };
        let is_wanted = self.not_wanted(&returned).is_none();
        let worth = self.worth_of(method, &returned, &candidate.structures);
        self.keep(method, &prefix, &step, returned, &candidate.structures);
        if !is_wanted || worth.lack() >= best.lack() {
            return best;
        }
        if let Some(success) = &mut self.reports[method.index()].success {
            success.steps = steps_of(&prefix, &step);
            success.worth = worth;
        }
        worth
    }

    /// The worth of a call on these structures of the pool.
    pub(super) fn worth_of(
        &self,
        method: PlannedIdx,
        returned: &TrialReturn,
        structures: &[PoolIdx],
    ) -> CallWorth {
        let is_filled = structures.first().map(|idx| !self.pool.get(*idx).is_empty);
        let is_telling = match &returned.value {
            Some(value) => is_telling(value),
            // No more than structures.
            None => self.plan.method(method).returns.map(|_| true),
        };
        CallWorth { is_filled, is_telling }
    }
}

/// Returns whether a result is something other than `None`, `Err` and an empty list or text; `None`
/// of `()`.
fn is_telling(value: &ReturnValue) -> Option<bool> {
    match value {
        ReturnValue::Tuple(parts) if parts.is_empty() => None,
        ReturnValue::None | ReturnValue::Err(_) => Some(false),
        ReturnValue::List(parts) => Some(!parts.is_empty()),
        ReturnValue::Boxed(inner) | ReturnValue::Ref(inner) | ReturnValue::Mut(inner) => {
            is_telling(inner)
        }
        ReturnValue::Plain(value) => {
            Some(!matches!(value.text.as_deref(), Some("[]" | "{}" | "\"\"")))
        }
        _ => Some(true),
    }
}

#[cfg(test)]
mod tests {
    use beget_suite::PlainValue;

    use super::*;

    fn plain(text: Option<&str>) -> ReturnValue {
        let text = text.map(str::to_owned);
        ReturnValue::Plain(PlainValue { ty: "T", text, literal: None, equals_itself: true })
    }

    #[test]
    fn results_without_contents_say_nothing() {
        let boxed = |value| ReturnValue::Ref(Box::new(ReturnValue::Boxed(Box::new(value))));
        let one = || ReturnValue::Structure(0);
        assert_eq!(is_telling(&ReturnValue::Tuple(vec![])), None);
        assert_eq!(is_telling(&ReturnValue::Tuple(vec![one()])), Some(true));
        for empty in ["[]", "{}", "\"\""] {
            assert_eq!(is_telling(&boxed(plain(Some(empty)))), Some(false), "{empty}");
        }
        assert_eq!(is_telling(&plain(Some("[0]"))), Some(true));
        assert_eq!(is_telling(&plain(None)), Some(true));
        let lists = [vec![], vec![one()]].map(ReturnValue::List);
        assert_eq!(lists.map(|list| is_telling(&list)), [Some(false), Some(true)]);
        let error = ReturnValue::Err(Box::new(one()));
        assert_eq!([ReturnValue::None, error].map(|one| is_telling(&one)), [Some(false); 2]);
    }
}
