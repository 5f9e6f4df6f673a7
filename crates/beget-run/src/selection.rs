//! Some structures of a run, to show them.

use beget_engine::Corpus;
use beget_engine::store::{Store, StoreError, StructureId};
use beget_plan::finding::StopReason;
use beget_plan::scope::Plan;

/// A selection among the structures of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// The last one of the main type, whose recipe is among the longest.
    #[default]
    Last,
    /// The one with this number, of any type.
    Number(u32),
    /// This many of the main type, evenly spread from the first to the last; all if there are
    /// fewer.
    Gallery(usize),
}

/// The reason why a run does not have the selected structures.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SelectionError {
    /// The whole scope has fewer structures.
    NoStructure {
        /// The requested number.
        number: u32,
        /// The number of structures.
        found: u32,
    },
    /// The run stopped before it.
    NotReached {
        /// The requested number.
        number: u32,
        /// The number of structures that the run found.
        found: u32,
        /// The reason why it stopped.
        reason: StopReason,
    },
    /// The run found nothing of the main type.
    Nothing(StopReason),
    /// The store cannot read them.
    Store(StoreError),
}

impl std::fmt::Display for SelectionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SelectionError::NoStructure { number, found } => {
                write!(f, "there is no structure {number}: the scope has {found}, counted from 0")
            }
            SelectionError::NotReached { number, found, reason } => {
                write!(f, "structure {number} was not reached among {found}: {reason}")
            }
            SelectionError::Nothing(reason) => {
                write!(f, "no structure of the main type was found: {reason}")
            }
            SelectionError::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SelectionError {}

impl From<StoreError> for SelectionError {
    fn from(error: StoreError) -> Self {
        SelectionError::Store(error)
    }
}

impl Selection {
    /// Cuts the run of a structure selected by number, which needs no later ones. Returns whether
    /// it was cut.
    pub fn cut(self, plan: &mut Plan) -> bool {
        let Selection::Number(number) = self else { return false };
        let wanted = u64::from(number) + 1;
        let is_less = plan.budget.max_structures.is_none_or(|most| wanted <= most);
        if is_less {
            plan.budget.max_structures = Some(wanted);
        }
        is_less
    }

    /// The selected structures, in order.
    ///
    /// # Errors
    /// If there are none, or the store cannot read them.
    pub fn of<S: Store>(self, corpus: &Corpus<S>) -> Result<Vec<StructureId>, SelectionError> {
        if let Selection::Number(number) = self {
            return match number < corpus.store.len() {
                true => Ok(vec![StructureId(number)]),
                false => Err(missing(corpus, number)),
            };
        }
        let generated = corpus.reader().generated()?;
        let Some(&last) = generated.last() else {
            return Err(SelectionError::Nothing(corpus.report.stop_reason));
        };
        Ok(match self {
            Selection::Gallery(n) => spread(&generated, n),
            _ => vec![last],
        })
    }
}

fn missing<S: Store>(corpus: &Corpus<S>, number: u32) -> SelectionError {
    let (found, reason) = (corpus.store.len(), corpus.report.stop_reason);
    match corpus.report.is_complete() {
        true => SelectionError::NoStructure { number, found },
        false => SelectionError::NotReached { number, found, reason },
    }
}

/// `n` of the structures, evenly spread from the first to the last; all if there are fewer.
fn spread(structures: &[StructureId], n: usize) -> Vec<StructureId> {
    if structures.len() <= n || n < 2 {
        return structures[..n.min(structures.len())].to_vec();
    }
    let last = structures.len() - 1;
    (0..n).map(|index| structures[index * last / (n - 1)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gallery_is_spread_from_first_to_last() {
        let all: Vec<_> = (0..10).map(StructureId).collect();
        let chosen = spread(&all, 4);
        assert_eq!(chosen.iter().map(|id| id.0).collect::<Vec<_>>(), [0, 3, 6, 9]);
        assert_eq!(spread(&all, 1), [StructureId(0)]);
        assert_eq!(spread(&all, 99).len(), 10);
    }
}
