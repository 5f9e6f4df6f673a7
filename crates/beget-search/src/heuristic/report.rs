//! What a run found: for each method the call that went well, or why there is none.

use beget_plan::finding::Finding;
use beget_plan::scope::PlannedIdx;
use beget_run::random::CallStep;

use crate::heuristic::effects::MeasuredEffect;
use crate::heuristic::panics::PanicFamily;

/// What a run tells.
#[derive(Clone, Debug, Default)]
pub struct CallReport {
    /// By method of the plan.
    pub methods: Vec<MethodReport>,
    /// Calls of methods that are to be called.
    pub attempts: u64,
    /// All calls: attempts, calls that measure a length, calls that prepare a structure. Those that
    /// were only made again are not counted.
    pub calls: u64,
}

/// What became of a method.
#[derive(Clone, Debug, Default)]
pub struct MethodReport {
    /// How often it was tried.
    pub attempts: u32,
    /// The first call that went well.
    pub success: Option<SuccessfulCall>,
    /// How the first call that panicked did so, with the message.
    pub first_panic: Option<(PanicFamily, String)>,
    /// Causes of failure, each once, in the order in which they were met.
    pub failures: Vec<FailedCall>,
    /// Promises that calls broke, each once.
    pub broken: Vec<Finding>,
    /// What calls did to the size of each structure that it takes.
    pub effects: Vec<MeasuredEffect>,
    /// Why it was not called; `None` if it was.
    pub reason: Option<String>,
}

/// A call that went well.
#[derive(Clone, Debug)]
pub struct SuccessfulCall {
    /// All calls; the last one is meant.
    pub steps: Vec<CallStep>,
    /// How it came about.
    pub origin: CallOrigin,
}

/// A cause of failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedCall {
    /// The family of the panic; `None` if it did not panic.
    pub family: Option<PanicFamily>,
    /// The message, or what else went wrong.
    pub cause: String,
    /// The literals of the first call that failed so, as source.
    pub literals: Vec<String>,
    /// How many calls failed so.
    pub count: u32,
}

/// How the arguments of a call came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallOrigin {
    /// From a repository.
    Repository,
    /// By the heuristics for arguments.
    Generated,
    /// By a repair.
    Repaired(Repair),
}

/// What a repair has changed, and what made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The family of the panic; `None` if the call returned what it should not.
    pub family: Option<PanicFamily>,
    /// What it has changed.
    pub by: RepairKind,
}

/// What a repair changes, in the order in which it is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RepairKind {
    /// Arguments, by the numbers of the message.
    Message,
    /// Arguments, by bounds and permutations or other literals.
    Arguments,
    /// The structures passed, by relative operations or others of the pool.
    State,
}

impl RepairKind {
    /// Its name in summaries and files.
    pub fn name(self) -> &'static str {
        match self {
            RepairKind::Message => "message",
            RepairKind::Arguments => "arguments",
            RepairKind::State => "state",
        }
    }
}

impl MethodReport {
    /// The repair by which it was called after all.
    pub fn repair(&self) -> Option<Repair> {
        match self.success.as_ref()?.origin {
            CallOrigin::Repaired(repair) => Some(repair),
            CallOrigin::Repository | CallOrigin::Generated => None,
        }
    }

    /// Returns whether a call of it panicked before one went well by a repair.
    pub fn is_repaired(&self) -> bool {
        self.first_panic.is_some() && self.repair().is_some()
    }
}

/// How many first panics of a family there were, and how many of these were repaired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FamilyTally {
    /// Methods of which the first call that panicked did so.
    pub panics: u32,
    /// Of these, those that a repair has called.
    pub repaired: u32,
}

impl CallReport {
    /// How many methods were called.
    pub fn n_called(&self) -> usize {
        self.methods.iter().filter(|method| method.success.is_some()).count()
    }

    /// Panics and repairs by family, those that there were.
    pub fn by_family(&self) -> Vec<(PanicFamily, FamilyTally)> {
        let tally = |family: &PanicFamily| {
            let of_family = self.methods.iter().filter(|method| {
                method.first_panic.as_ref().is_some_and(|(first, _)| first == family)
            });
            of_family.fold(FamilyTally::default(), |tally, method| FamilyTally {
                panics: tally.panics + 1,
                repaired: tally.repaired + u32::from(method.is_repaired()),
            })
        };
        let all = PanicFamily::ALL.iter().map(|family| (*family, tally(family)));
        all.filter(|(_, tally)| tally.panics > 0).collect()
    }

    /// The methods that were not called, with the reasons.
    pub fn not_called(&self) -> impl Iterator<Item = (PlannedIdx, &str)> {
        let methods = self.methods.iter().enumerate();
        methods.filter_map(|(number, method)| {
            Some((PlannedIdx::new(number), method.reason.as_deref()?))
        })
    }
}
