//! Sets of methods, and the complexity of methods.

use std::cmp::Ordering;
use std::fmt;

use beget_plan::scope::PlannedIdx;
use beget_suite::{Method, ParamKind};
use fixedbitset::FixedBitSet;

/// A set of methods of a plan. The order of sets is that of their bit vectors.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MethodSet(FixedBitSet);

impl MethodSet {
    /// The empty set, for `n_methods` methods.
    pub fn empty(n_methods: usize) -> Self {
        MethodSet(FixedBitSet::with_capacity(n_methods))
    }

    /// The set of `methods`, for `n_methods` methods.
    ///
    /// # Panics
    /// If one is not below `n_methods`.
    pub fn of(n_methods: usize, methods: impl IntoIterator<Item = PlannedIdx>) -> Self {
        let mut set = Self::empty(n_methods);
        methods.into_iter().for_each(|method| set.insert(method));
        set
    }

    /// Returns whether `method` is in the set.
    pub fn contains(&self, method: PlannedIdx) -> bool {
        self.0.contains(method.index())
    }

    /// Adds `method`.
    pub fn insert(&mut self, method: PlannedIdx) {
        self.0.insert(method.index());
    }

    /// Adds `method`, or removes it if present.
    pub fn toggle(&mut self, method: PlannedIdx) {
        self.0.toggle(method.index());
    }

    /// The set with `methods` added.
    #[must_use]
    pub fn with(&self, methods: &[PlannedIdx]) -> Self {
        let mut set = self.clone();
        methods.iter().for_each(|&method| set.insert(method));
        set
    }

    /// The set without `method`.
    #[must_use]
    pub fn without(&self, method: PlannedIdx) -> Self {
        let mut set = self.clone();
        set.0.set(method.index(), false);
        set
    }

    /// The methods, in suite order.
    pub fn iter(&self) -> impl Iterator<Item = PlannedIdx> + '_ {
        self.0.ones().map(PlannedIdx::new)
    }

    /// The number of methods.
    pub fn len(&self) -> usize {
        self.0.count_ones(..)
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_clear()
    }

    /// Returns whether some method is in both sets.
    pub(crate) fn meets(&self, other: &MethodSet) -> bool {
        !self.0.is_disjoint(&other.0)
    }
}

impl fmt::Debug for MethodSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The parameters of a method, or of several together. The receiver does not count: all but
/// constructors have one.
///
/// A parameter is *primitive* if it takes a number, a `bool` or a `char`. All others are
/// *references*, whatever their Rust type: structures, texts, slices, optional values, a user's
/// types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Complexity {
    /// Primitive parameters: PP in the papers.
    pub primitive: u32,
    /// Reference parameters: RP in the papers.
    pub reference: u32,
}

impl Complexity {
    /// The complexity of one method.
    pub fn of(method: &Method) -> Self {
        let mut complexity = Complexity::default();
        for param in method.params.iter().filter(|param| param.name != "self") {
            match &param.kind {
                ParamKind::Literal { domain, .. } if is_primitive(domain.ty) => {
                    complexity.primitive += 1;
                }
                _ => complexity.reference += 1,
            }
        }
        complexity
    }

    /// `primitive + per_reference * reference`.
    pub fn weighted(self, per_reference: f64) -> f64 {
        f64::from(self.primitive) + per_reference * f64::from(self.reference)
    }
}

impl std::iter::Sum for Complexity {
    fn sum<I: Iterator<Item = Complexity>>(all: I) -> Self {
        all.fold(Complexity::default(), |sum, one| Complexity {
            primitive: sum.primitive + one.primitive,
            reference: sum.reference + one.reference,
        })
    }
}

fn is_primitive(ty: &str) -> bool {
    const PRIMITIVES: [&str; 16] = [
        "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16",
        "u32", "u64", "u128", "usize",
    ];
    PRIMITIVES.contains(&ty.trim_start_matches('&').trim())
}

/// The complexities of a plan's methods, and the weight of a reference parameter, by which sets are
/// compared.
#[derive(Clone, Debug)]
pub(crate) struct Costs {
    complexities: Vec<Complexity>,
    per_reference: f64,
}

impl Costs {
    pub(crate) fn new(plan: &beget_plan::scope::Plan, per_reference: f64) -> Self {
        let complexity = |planned: &beget_plan::scope::PlannedMethod| {
            Complexity::of(plan.suite.method(planned.method))
        };
        Costs { complexities: plan.methods.iter().map(complexity).collect(), per_reference }
    }

    /// The value PP + w3 * RP of some methods together.
    pub(crate) fn weight(&self, methods: impl IntoIterator<Item = PlannedIdx>) -> f64 {
        let sum: Complexity =
            methods.into_iter().map(|method| self.complexities[method.index()]).sum();
        sum.weighted(self.per_reference)
    }

    /// Cheaper sets first: fewer methods, then simpler parameters, then earlier in the suite.
    pub(crate) fn compare(&self, left: &MethodSet, right: &MethodSet) -> Ordering {
        let by_weight = || self.weight(left.iter()).total_cmp(&self.weight(right.iter()));
        left.len()
            .cmp(&right.len())
            .then_with(by_weight)
            .then_with(|| left.iter().cmp(right.iter()))
    }
}
