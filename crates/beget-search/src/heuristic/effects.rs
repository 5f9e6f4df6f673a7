//! The observed effects of calls on the sizes of structures. They determine the *relative
//! operations* of methods (Kuperberg and Omri, section 5.3), which are measured, not listed.
//!
//! Names decide only for types without an observed change.

use std::cmp::Ordering;

use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::{Passing, TypeIdx};

/// Words in the names of methods that enlarge or shrink something.
const GROWING: [&str; 9] =
    ["push", "insert", "add", "append", "extend", "put", "enqueue", "resize", "set"];
const SHRINKING: [&str; 8] =
    ["pop", "remove", "clear", "take", "truncate", "drain", "delete", "dequeue"];

/// A change of size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeChange {
    /// To a larger one.
    Grows,
    /// To a smaller one.
    Shrinks,
}

/// The numbers of times that a method enlarged or shrank a structure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeasuredEffect {
    /// The number of times that elements were added.
    pub grew: u32,
    /// The number of times that elements were removed.
    pub shrank: u32,
    /// The number of times that the form grew with the same number of elements.
    pub widened: u32,
    /// The number of times that it shrank.
    pub narrowed: u32,
}

/// The size of a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Size {
    /// The number of elements, if a method reports it; 0 otherwise.
    pub(crate) length: u64,
    /// The objects of its heap.
    pub(crate) n_objects: u32,
    /// The bytes of its canonical form.
    pub(crate) n_bytes: usize,
}

/// The measurements of all methods.
#[derive(Clone, Debug)]
pub(crate) struct Effects {
    /// By method, and by structure parameter.
    measured: Vec<Vec<MeasuredEffect>>,
}

/// A method, and its structure parameter.
pub(crate) type RelativeOperation = (PlannedIdx, usize);

impl Effects {
    pub(crate) fn new(plan: &Plan) -> Self {
        let of_method = |idx| vec![MeasuredEffect::default(); plan.planned(idx).structures.len()];
        Effects { measured: plan.planned_idxs().map(of_method).collect() }
    }

    /// Notes that a call took a structure of one size, and left it with another.
    pub(crate) fn note(&mut self, method: PlannedIdx, param: usize, before: Size, after: Size) {
        let effect = &mut self.measured[method.index()][param];
        let counter = match (before.length.cmp(&after.length), before.cmp(&after)) {
            (Ordering::Less, _) => &mut effect.grew,
            (Ordering::Greater, _) => &mut effect.shrank,
            (_, Ordering::Less) => &mut effect.widened,
            (_, Ordering::Greater) => &mut effect.narrowed,
            (_, Ordering::Equal) => return,
        };
        *counter += 1;
    }

    pub(crate) fn of(&self, method: PlannedIdx) -> &[MeasuredEffect] {
        &self.measured[method.index()]
    }

    /// The methods that change the size of a type's structures in this direction: first those that
    /// change the number of elements, and among these those with the fewest other structures.
    pub(crate) fn operations(
        &self,
        plan: &Plan,
        ty: TypeIdx,
        change: SizeChange,
    ) -> Vec<RelativeOperation> {
        let of = |(method, param): RelativeOperation| self.measured[method.index()][param];
        let mut measured = self.operations_by(plan, ty, &|operation| match change {
            SizeChange::Grows => of(operation).grew > 0,
            SizeChange::Shrinks => of(operation).shrank > 0,
        });
        let others = self.operations_by(plan, ty, &|operation| match change {
            SizeChange::Grows => of(operation).grew == 0 && of(operation).widened > 0,
            SizeChange::Shrinks => of(operation).shrank == 0 && of(operation).narrowed > 0,
        });
        measured.extend(others);
        if !measured.is_empty() {
            return measured;
        }
        let words: &[&str] = match change {
            SizeChange::Grows => &GROWING,
            SizeChange::Shrinks => &SHRINKING,
        };
        self.operations_by(plan, ty, &|(method, param)| {
            let name = plan.method_name(method);
            param == 0 && words.iter().any(|word| name.split('_').any(|part| part == *word))
        })
    }

    fn operations_by(
        &self,
        plan: &Plan,
        ty: TypeIdx,
        is_one: &dyn Fn(RelativeOperation) -> bool,
    ) -> Vec<RelativeOperation> {
        let mut operations = Vec::new();
        for method in plan.planned_idxs() {
            let params = plan.method(method).structure_params().enumerate();
            let changed = params.filter(|(_, (of, passing))| *of == ty && *passing == Passing::Mut);
            operations.extend(changed.map(|(param, _)| (method, param)));
        }
        operations.retain(|&operation| is_one(operation));
        operations.sort_by_key(|&(method, _)| plan.planned(method).structures.len());
        operations
    }
}

#[cfg(test)]
mod tests {
    #![allow(unreachable_pub, missing_docs, reason = "the type stands for one of a library")]

    use beget::{HasSuite as _, Heap};
    use beget_plan::scope::{Overrides, default_scope};
    use beget_run::{Catalog, Input};

    use super::*;

    #[derive(Clone, Debug, Default, Heap)]
    pub struct Basket {
        n_items: u8,
    }

    #[beget::api(name = "test::basket")]
    impl Basket {
        pub fn new() -> Self {
            Basket::default()
        }

        pub fn insert(&mut self) {
            self.n_items += 1;
        }

        pub fn insert_all(&mut self, other: &Basket) {
            self.n_items += other.n_items;
        }

        pub fn take(&mut self) {
            self.n_items -= 1;
        }

        pub fn take_all(&mut self, other: &mut Basket) {
            self.n_items += std::mem::take(&mut other.n_items);
        }

        pub fn take_count(&self) -> u8 {
            self.n_items
        }
    }

    fn size(length: u64, n_bytes: usize) -> Size {
        Size { length, n_objects: 1, n_bytes }
    }

    #[test]
    fn what_calls_have_changed_decides_before_the_names_of_methods() {
        let suite = Basket::suite();
        let text = default_scope::<String>(&suite, &[]);
        let input = Input::of_text("scope", text, Catalog::new(vec![suite])).unwrap();
        let plan = input.resolve(&Overrides::default()).unwrap().plan;
        let find = |name| plan.find_planned(plan.suite.find_method(name).unwrap()).unwrap();
        let mut effects = Effects::new(&plan);
        let operations = |effects: &Effects, change| -> Vec<(&str, usize)> {
            let found = effects.operations(&plan, TypeIdx::new(0), change);
            found.into_iter().map(|(method, param)| (plan.method_name(method), param)).collect()
        };
        // Methods that take `self` alone come first, and those that only look do not count.
        assert_eq!(operations(&effects, SizeChange::Grows), [("insert", 0), ("insert_all", 0)]);
        assert_eq!(operations(&effects, SizeChange::Shrinks), [("take", 0), ("take_all", 0)]);
        effects.note(find("take_all"), 1, size(3, 9), size(0, 9));
        effects.note(find("insert"), 0, size(0, 9), size(0, 11));
        assert_eq!(operations(&effects, SizeChange::Shrinks), [("take_all", 1)]);
        assert_eq!(operations(&effects, SizeChange::Grows), [("insert", 0)]);
        effects.note(find("take_all"), 0, size(0, 9), size(3, 9));
        effects.note(find("take"), 0, size(0, 9), size(0, 8));
        assert_eq!(operations(&effects, SizeChange::Grows), [("take_all", 0), ("insert", 0)]);
        assert_eq!(operations(&effects, SizeChange::Shrinks), [("take_all", 1), ("take", 0)]);
        let (grew, shrank) = (
            MeasuredEffect { grew: 1, ..<_>::default() },
            MeasuredEffect { shrank: 1, ..<_>::default() },
        );
        assert_eq!(effects.of(find("take_all")), [grew, shrank]);
    }
}
