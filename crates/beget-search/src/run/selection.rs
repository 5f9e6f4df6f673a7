//! Some structures of a run, to show them.

use std::collections::BTreeSet;

use beget_engine::Corpus;
use beget_engine::store::{Store, StoreError, StructureId};
use beget_plan::finding::StopReason;
use beget_plan::scope::Plan;

/// A selection among the structures of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// One of the last level of the main type, so that its recipe is among the longest: that with
    /// the most different values, then with the most objects, then the last.
    #[default]
    Last,
    /// The one with this number, of any type.
    Number(u64),
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
        number: u64,
        /// The number of structures.
        found: u64,
    },
    /// The run stopped before it.
    NotReached {
        /// The requested number.
        number: u64,
        /// The number of structures that the run found.
        found: u64,
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
    /// The plan of a run that is cut after a structure selected by number, which needs no later
    /// ones. Returns whether it is cut.
    pub fn cut(self, plan: Plan) -> (Plan, bool) {
        let Selection::Number(number) = self else { return (plan, false) };
        let wanted = number + 1;
        match plan.budget.max_structures.is_none_or(|most| wanted <= most) {
            true => (plan.with(|draft| draft.budget.max_structures = Some(wanted)), true),
            false => (plan, false),
        }
    }

    /// The selected structures, in order.
    ///
    /// # Errors
    /// If there are none, or the store cannot read them.
    pub fn of<S: Store>(self, corpus: &Corpus<S>) -> Result<Vec<StructureId>, SelectionError> {
        if let Selection::Number(number) = self {
            return match number < corpus.store.len() {
                true => Ok(vec![StructureId::new(number)]),
                false => Err(missing(corpus, number)),
            };
        }
        let generated = corpus.reader().generated()?;
        if generated.is_empty() {
            return Err(SelectionError::Nothing(corpus.report.stop_reason));
        }
        match self {
            Selection::Gallery(n) => Ok(spread(&generated, n)),
            _ => Ok(vec![most_varied(corpus, last_level(corpus, &generated)?)?]),
        }
    }
}

/// Structures that are looked at for the most varied one; of more a spread.
const MOST_COMPARED: usize = 1_000;

/// The structures whose recipes have as many calls as the last one's.
fn last_level<'g, S: Store>(
    corpus: &Corpus<S>,
    generated: &'g [StructureId],
) -> Result<&'g [StructureId], StoreError> {
    let n_calls = |id: StructureId| corpus.recipe(id).map(|recipe| recipe.n_calls());
    let Some(&last) = generated.last() else { return Ok(generated) };
    let deepest = n_calls(last)?;
    // Levels follow one another.
    let (mut shallower, mut first) = (0, generated.len() - 1);
    while shallower < first {
        let middle = (shallower + first) / 2;
        match n_calls(generated[middle])? < deepest {
            true => shallower = middle + 1,
            false => first = middle,
        }
    }
    Ok(&generated[first..])
}

/// The structure with the most different values.
fn most_varied<S: Store>(
    corpus: &Corpus<S>,
    structures: &[StructureId],
) -> Result<StructureId, StoreError> {
    let mut best = (structures[structures.len() - 1], None);
    for id in spread(structures, MOST_COMPARED) {
        let Some(heap) = corpus.graph(id)? else { continue };
        let values = heap.objects().iter().flat_map(|object| &object.values);
        let values: BTreeSet<String> = values.map(|(_, value)| value.to_string()).collect();
        let rank = Some((values.len(), heap.objects().len()));
        if rank >= best.1 {
            best = (id, rank);
        }
    }
    Ok(best.0)
}

fn missing<S: Store>(corpus: &Corpus<S>, number: u64) -> SelectionError {
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
    #![allow(unreachable_pub, missing_docs, reason = "the type stands for one of a library")]

    use beget::{HasSuite as _, Heap};
    use beget_engine::Settings;
    use beget_plan::scope::Overrides;
    use beget_run::{Catalog, Host, Input, StoreKind, Watch, generate};

    use super::*;

    #[derive(Clone, Debug, Default, Heap)]
    pub struct Digits {
        digits: Vec<u8>,
    }

    #[beget::api(name = "test::digits")]
    impl Digits {
        pub fn new() -> Self {
            Digits::default()
        }

        pub fn push(&mut self, digit: u8) {
            self.digits.push(digit);
        }
    }

    struct Waiting;

    impl Host for Waiting {
        fn seconds(&self) -> f64 {
            0.0
        }
    }

    /// All lists of at most k of the digits 5 and 7, or the first `max_structures`.
    fn lists(k: u32, max_structures: Option<u64>) -> Corpus {
        let text = format!(
            r#"Scope(suite: "test::digits", k: {k}, objects: {{"*": "k"}}, arrays: "k", ints: [5, 7])"#
        );
        let catalog = Catalog::new(vec![Digits::suite()]);
        let input = Input::of_text("digits.ron", text, catalog).unwrap();
        let plan = input.resolve(&Overrides::default()).unwrap().plan;
        let plan = plan.with(|draft| draft.budget.max_structures = max_structures);
        let watch = Watch::new(plan.budget, &Waiting);
        generate(plan, Settings::default(), StoreKind::Exact, &watch)
    }

    #[test]
    fn a_level_has_the_lists_of_one_length() {
        let corpus = lists(3, None);
        let all: Vec<_> = (0..15).map(StructureId::new).collect();
        // One empty list, two of one digit, four of two, eight of three.
        for (n, first) in [(1, 0), (2, 1), (3, 1), (4, 3), (7, 3), (8, 7), (12, 7), (15, 7)] {
            assert_eq!(last_level(&corpus, &all[..n]), Ok(&all[first..n]), "of {n}");
        }
        assert_eq!(last_level(&corpus, &[]), Ok(&[][..]));
    }

    #[test]
    fn a_structure_is_selected_by_its_number() {
        let (whole, cut) = (lists(2, None), lists(2, Some(3)));
        assert_eq!((whole.store.len(), cut.store.len()), (7, 3));
        let select = |corpus: &Corpus, number| {
            let selected = Selection::Number(number).of(corpus);
            selected.map(|ids| ids[0].number()).map_err(|error| error.to_string())
        };
        assert_eq!((select(&whole, 6), select(&cut, 2)), (Ok(6), Ok(2)));
        let missing = "there is no structure 7: the scope has 7, counted from 0".to_owned();
        assert_eq!(select(&whole, 7), Err(missing));
        let reason = StopReason::MaxStructures(3);
        let not_reached = SelectionError::NotReached { number: 3, found: 3, reason };
        assert_eq!(Selection::Number(3).of(&cut), Err(not_reached.clone()));
        let message = format!("structure 3 was not reached among 3: {reason}");
        assert_eq!(not_reached.to_string(), message);
        let nothing = format!("no structure of the main type was found: {reason}");
        assert_eq!(SelectionError::Nothing(reason).to_string(), nothing);
    }

    #[test]
    fn a_run_is_cut_after_the_selected_number_if_it_comes_so_far() {
        let plan = lists(1, None).plan;
        let cut = |selection: Selection, most| {
            let plan = plan.clone().with(|draft| draft.budget.max_structures = most);
            let (plan, is_cut) = selection.cut(plan);
            (plan.budget.max_structures, is_cut)
        };
        for most in [None, Some(5), Some(6)] {
            assert_eq!(cut(Selection::Number(4), most), (Some(5), true));
        }
        assert_eq!(cut(Selection::Number(4), Some(4)), (Some(4), false));
        for selection in [Selection::Last, Selection::Gallery(4)] {
            assert_eq!(cut(selection, None), (None, false));
        }
    }

    #[test]
    fn a_gallery_has_structures_of_the_run() {
        let ids = Selection::Gallery(3).of(&lists(2, None)).unwrap();
        assert_eq!(ids.iter().map(|id| id.number()).collect::<Vec<_>>(), [0, 3, 6]);
    }

    /// Of two digits, 5 and 7, the last level has 5 5, 5 7, 7 5 and 7 7.
    #[test]
    fn the_last_of_the_most_varied_of_the_last_level_is_shown() {
        let corpus = lists(2, None);
        assert_eq!(Selection::Last.of(&corpus), Ok(vec![StructureId::new(5)]));
    }

    #[test]
    fn a_gallery_is_spread_from_first_to_last() {
        let all: Vec<_> = (0..10).map(StructureId::new).collect();
        let chosen = spread(&all, 4);
        assert_eq!(chosen.iter().map(|id| id.number()).collect::<Vec<_>>(), [0, 3, 6, 9]);
        assert_eq!(spread(&all, 1), [StructureId::new(0)]);
        assert_eq!(spread(&all, 99).len(), 10);
    }
}
