//! What calls were seen to do to the size of the structures that they took: which methods are the
//! *relative operations* of others (Kuperberg and Omri, section 5.3), measured, not listed.
//!
//! Names decide only for types of which no call was seen to change the size.

use std::cmp::Ordering;

use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::{Passing, TypeIdx};

/// Words in the names of methods that make something larger, or smaller.
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

/// How often a method has made a structure that it took larger, or smaller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeasuredEffect {
    /// How often it had more elements after the call.
    pub grew: u32,
    /// How often it had fewer.
    pub shrank: u32,
    /// How often there was more to say of it, though it had as many elements as before.
    pub widened: u32,
    /// How often less.
    pub narrowed: u32,
}

/// How large a structure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Size {
    /// The elements, if a method tells; 0 otherwise.
    pub(crate) length: u64,
    /// The objects of its heap.
    pub(crate) n_objects: u32,
    /// The bytes of its canonical form.
    pub(crate) n_bytes: usize,
}

/// What was measured of all methods.
#[derive(Clone, Debug)]
pub(crate) struct Effects {
    /// By method, and by structure parameter.
    measured: Vec<Vec<MeasuredEffect>>,
}

/// A method, and the structure parameter that is meant.
pub(crate) type RelativeOperation = (PlannedIdx, usize);

impl Effects {
    pub(crate) fn new(plan: &Plan) -> Self {
        let of_method = |idx| vec![MeasuredEffect::default(); plan.planned(idx).structures.len()];
        Effects { measured: plan.planned_idxs().map(of_method).collect() }
    }

    /// A call took a structure of one size, and left it with another.
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

    /// The methods that change the size of structures of a type so: those first that change how
    /// many elements there are, and of these those that take the fewest other structures.
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
