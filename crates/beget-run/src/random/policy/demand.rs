//! Structures made on demand: where the pool has none of a type that a method takes, calls that
//! make one come first, and before these what they lack in turn.
//!
//! Invariant: a method that is due is called, or tried, once. So calls that never make what they
//! could make keep nothing else from being drawn.
//!
//! Source: the component Detective of GRT (Ma et al., ASE 2015), which Randoop has as inputs driven
//! by demand.

use std::collections::VecDeque;

use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::{Chooser, TypeIdx};

use super::PolicySources;
use super::methods::MethodDraw;

/// Decides what is called before a method that lacks something.
pub(crate) struct Demand {
    /// By type, the methods that may give one.
    makers: Vec<Vec<PlannedIdx>>,
    /// The methods to call next.
    due: VecDeque<PlannedIdx>,
}

/// Calls in an order in which each has what it takes, if those before it go well.
#[derive(Default)]
struct CallOrder {
    calls: VecDeque<PlannedIdx>,
    /// The types that these make.
    made: Vec<TypeIdx>,
    /// The methods that wait for what they lack: none of them is to make it.
    waiting: Vec<PlannedIdx>,
}

impl Demand {
    pub(crate) fn new(plan: &Plan) -> Self {
        let makers_of = |ty| {
            let gives = |idx: &PlannedIdx| plan.method(*idx).outputs.iter().any(|out| out.ty == ty);
            plan.planned_idxs().filter(gives).collect()
        };
        let types = (0..plan.suite.types.len()).map(TypeIdx::new);
        Demand { makers: types.map(makers_of).collect(), due: VecDeque::new() }
    }

    /// The call that is to be tried next, if one is due.
    pub(crate) fn due(&mut self) -> Option<PlannedIdx> {
        self.due.pop_front()
    }

    /// The first method to call on the way to a call of `method`: the method itself if it lacks
    /// nothing. The rest is due.
    pub(crate) fn first_for(
        &mut self,
        given: &PolicySources<'_>,
        methods: &MethodDraw,
        method: PlannedIdx,
        choose: &mut dyn Chooser,
    ) -> PlannedIdx {
        let mut order = CallOrder::default();
        self.put((given, methods), method, &mut order, choose);
        self.due = order.calls;
        self.due.pop_front().unwrap_or(method)
    }

    /// Puts calls that make what `method` lacks, then its own.
    fn put(
        &self,
        (given, methods): (&PolicySources<'_>, &MethodDraw),
        method: PlannedIdx,
        order: &mut CallOrder,
        choose: &mut dyn Chooser,
    ) {
        order.waiting.push(method);
        for (ty, _) in given.plan.method(method).structure_params() {
            if given.pool.n_values(ty) > 0 || order.made.contains(&ty) {
                continue;
            }
            let is_free = |maker: &&PlannedIdx| {
                methods.is_worthwhile(**maker) && !order.waiting.contains(maker)
            };
            let makers: Vec<PlannedIdx> =
                self.makers[ty.index()].iter().filter(is_free).copied().collect();
            if !makers.is_empty() {
                let maker = makers[choose.index(makers.len())];
                self.put((given, methods), maker, order, choose);
                order.made.push(ty);
            }
        }
        order.waiting.pop();
        order.calls.push_back(method);
    }
}

#[cfg(test)]
mod tests {
    #![allow(unreachable_pub, missing_docs, reason = "the types stand for those of a library")]

    use std::sync::Arc;

    use beget::{HasSuite as _, Heap};
    use beget_plan::scope::Overrides;
    use beget_suite::{RecordedChoices, Variable};

    use super::*;
    use crate::random::constants::LiteralPool;
    use crate::random::{OfferedValue, PooledSequence, RandomOptions, SequencePool};
    use crate::{Catalog, Input};

    #[derive(Clone, Debug, Default, Heap)]
    pub struct Quill {
        ink: u8,
    }

    #[derive(Clone, Debug, Default, Heap)]
    pub struct Inkwell {
        ink: u8,
    }

    impl Quill {
        pub fn new() -> Self {
            Quill::default()
        }

        pub fn dip(&mut self, inkwell: &Inkwell) {
            self.ink = inkwell.ink;
        }
    }

    impl Inkwell {
        pub fn beside(quill: &Quill) -> Self {
            Inkwell { ink: quill.ink }
        }
    }

    beget::suite! {
        #[name = "test::quill"]
        pub suite Quills {
            for Quill {
                fn new() -> Self;
                fn dip(&mut self, inkwell: &Inkwell);
            }
            for Inkwell {
                fn beside(quill: &Quill) -> Self;
            }
        }
    }

    #[test]
    fn what_a_method_lacks_is_made_first() {
        let text = r#"Scope(suite: "test::quill", k: 1, objects: {"*": "k"})"#.to_owned();
        let input = Input::of_text("quill.ron", text, Catalog::new(vec![Quills::suite()])).unwrap();
        let plan = input.resolve(&Overrides::default()).unwrap().plan;
        let options = RandomOptions::default();
        let literals = LiteralPool::new(&plan, &options);
        let mut methods = MethodDraw::new(&plan, &options);
        let find = |name| plan.planned_idxs().find(|&idx| plan.method_name(idx) == name).unwrap();
        let order = |pool: &SequencePool, methods: &MethodDraw| {
            let mut demand = Demand::new(&plan);
            let given = PolicySources { plan: &plan, pool, literals: &literals };
            let mut choose = RecordedChoices::default();
            let first = demand.first_for(&given, methods, find("dip"), &mut choose);
            let rest = std::iter::from_fn(|| demand.due());
            std::iter::once(first).chain(rest).map(|idx| plan.method_name(idx)).collect::<Vec<_>>()
        };
        let mut pool = SequencePool::new(2);
        assert_eq!(order(&pool, &methods), ["new", "beside", "dip"]);
        let quill = OfferedValue {
            variable: Variable(0),
            ty: TypeIdx::new(0),
            form: Arc::default(),
            whole: None,
        };
        pool.add(PooledSequence {
            fragment: Arc::default(),
            offers: vec![quill],
            is_by_calls: true,
        });
        assert_eq!(order(&pool, &methods), ["beside", "dip"]);
        // What is not called any more makes nothing.
        methods.give_up(find("beside"));
        assert_eq!(order(&pool, &methods), ["dip"]);
    }
}
