//! The results of a run: for each method the successful call, or the reason why there is none.

use beget_plan::finding::Finding;
use beget_plan::scope::PlannedIdx;
use beget_run::random::CallStep;

use crate::heuristic::effects::MeasuredEffect;
use crate::heuristic::panics::PanicFamily;

/// The result of a run.
#[derive(Clone, Debug, Default)]
pub struct CallReport {
    /// By method of the plan.
    pub methods: Vec<MethodReport>,
    /// Calls of target methods.
    pub attempts: u64,
    /// All calls: attempts, calls that measure a length, calls that prepare a structure. Repeated
    /// calls are not counted.
    pub calls: u64,
    /// The successful calls on a structure that holds something, among those that take one of a
    /// type of which there is such a structure.
    pub filled: CallShare,
    /// The successful calls with a result other than `None`, `Err` and an empty list or text, among
    /// those that return something.
    pub telling: CallShare,
}

/// The result for a method.
#[derive(Clone, Debug, Default)]
pub struct MethodReport {
    /// The number of attempts.
    pub attempts: u32,
    /// The first successful call.
    pub success: Option<SuccessfulCall>,
    /// Successful calls with arguments that differ, in the order of their arguments.
    pub samples: Vec<SampledCall>,
    /// The number of times that the successful call went well in a row; `None` if it was not
    /// repeated.
    pub repeats: Option<CallRepeats>,
    /// The family and message of the first panic.
    pub first_panic: Option<(PanicFamily, String)>,
    /// Causes of failure, each once, in order of occurrence.
    pub failures: Vec<FailedCall>,
    /// Promises that calls broke, each once.
    pub broken: Vec<Finding>,
    /// The effects of calls on the size of each structure parameter.
    pub effects: Vec<MeasuredEffect>,
    /// The reason why it was not called; `None` if it was.
    pub reason: Option<String>,
}

/// A successful call.
#[derive(Clone, Debug)]
pub struct SuccessfulCall {
    /// All calls; the last one is meant.
    pub steps: Vec<CallStep>,
    /// The origin of the method's first successful call.
    pub origin: CallOrigin,
    /// Its worth as an example.
    pub worth: CallWorth,
}

/// A successful call among others of its method.
#[derive(Clone, Debug)]
pub struct SampledCall {
    /// The arguments that vary, by name and value: `index = 2`, or `self.len = 3` of a structure.
    pub arguments: Vec<String>,
    /// All calls; the last one is meant.
    pub steps: Vec<CallStep>,
}

/// A successful call made again and again, each time on what the last one left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallRepeats {
    /// The number of calls in a row that succeeded, at least 1.
    pub times: u32,
    /// The reason why the next one did not; `None` if none was tried, because they are enough.
    pub end: Option<String>,
}

/// The worth of a call as an example of its method: `pop` on an empty list shows little.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallWorth {
    /// True if its receiver, the first structure that it takes, holds something. `None` if it takes
    /// none, or its calls are those of a repository.
    pub is_filled: Option<bool>,
    /// True if its result is something other than `None`, `Err` and an empty list or text. `None`
    /// if it returns `()`.
    pub is_telling: Option<bool>,
}

impl CallWorth {
    /// Returns whether it lacks nothing.
    pub(crate) fn is_full(self) -> bool {
        self.lack() == 0
    }

    /// A number that is smaller for better calls: the receiver counts more than the result.
    pub(crate) fn lack(self) -> u32 {
        let lacks = |part: Option<bool>| u32::from(part == Some(false));
        2 * lacks(self.is_filled) + lacks(self.is_telling)
    }
}

/// A share of some calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallShare {
    /// The calls that have what is asked.
    pub have: u32,
    /// All calls.
    pub all: u32,
}

impl CallShare {
    /// Counts the answers that are there.
    pub(crate) fn of(answers: impl Iterator<Item = Option<bool>>) -> Self {
        answers.flatten().fold(CallShare::default(), |share, has| CallShare {
            have: share.have + u32::from(has),
            all: share.all + 1,
        })
    }
}

/// A cause of failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedCall {
    /// The family of the panic; `None` if it did not panic.
    pub family: Option<PanicFamily>,
    /// The message, or another problem.
    pub cause: String,
    /// The literals of the first such call, as source.
    pub literals: Vec<String>,
    /// The number of calls with this failure.
    pub count: u32,
}

/// The origin of a call's arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallOrigin {
    /// From a repository.
    Repository,
    /// By the heuristics for arguments.
    Generated,
    /// By a repair.
    Repaired(Repair),
}

/// The changes of a repair, and its cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The family of the panic; `None` if the call returned an unwanted result.
    pub family: Option<PanicFamily>,
    /// The changed part.
    pub by: RepairKind,
}

/// The kinds of changes of a repair, in the order in which they are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RepairKind {
    /// Arguments, by the numbers of the message.
    Message,
    /// Arguments, by bounds and permutations or other literals.
    Arguments,
    /// The structures passed, by relative operations or replaced by others of the pool.
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
    /// The calls of its success, then those of each sample.
    pub fn sequences(&self) -> impl Iterator<Item = &[CallStep]> {
        let success = self.success.iter().map(|success| success.steps.as_slice());
        success.chain(self.samples.iter().map(|sample| sample.steps.as_slice()))
    }

    /// The repair that made its call succeed.
    pub fn repair(&self) -> Option<Repair> {
        match self.success.as_ref()?.origin {
            CallOrigin::Repaired(repair) => Some(repair),
            CallOrigin::Repository | CallOrigin::Generated => None,
        }
    }

    /// Returns whether a call of it panicked before a repaired one succeeded.
    pub fn is_repaired(&self) -> bool {
        self.first_panic.is_some() && self.repair().is_some()
    }
}

/// The number of first panics of a family, and of repaired ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FamilyTally {
    /// Methods whose first panic was of this family.
    pub panics: u32,
    /// The number of these that a repair made succeed.
    pub repaired: u32,
}

impl CallReport {
    /// The number of methods called.
    pub fn n_called(&self) -> usize {
        self.methods.iter().filter(|method| method.success.is_some()).count()
    }

    /// Panics and repairs by family, without empty ones.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_panics_and_repairs_are_counted_by_family() {
        let [first, second] = [PanicFamily::ALL[0], PanicFamily::ALL[1]];
        let method = |family: PanicFamily, is_repaired: bool| {
            let by = Repair { family: Some(family), by: RepairKind::Message };
            let repaired = SuccessfulCall {
                steps: vec![],
                origin: CallOrigin::Repaired(by),
                worth: CallWorth::default(),
            };
            MethodReport {
                success: is_repaired.then_some(repaired),
                first_panic: Some((family, String::new())),
                ..MethodReport::default()
            }
        };
        let methods =
            vec![method(first, true), method(second, false), method(first, false), <_>::default()];
        let report = CallReport { methods, ..CallReport::default() };
        let tallies = [
            (first, FamilyTally { panics: 2, repaired: 1 }),
            (second, FamilyTally { panics: 1, repaired: 0 }),
        ];
        assert_eq!(report.by_family(), tallies);
    }

    #[test]
    fn a_call_on_nothing_lacks_more_than_one_that_returns_nothing() {
        let parts = [None, Some(true), Some(false)];
        let lacks = parts.map(|is_filled| {
            parts.map(|is_telling| {
                let worth = CallWorth { is_filled, is_telling };
                assert_eq!(worth.is_full(), worth.lack() == 0);
                worth.lack()
            })
        });
        assert_eq!(lacks, [[0, 0, 1], [0, 0, 1], [2, 2, 3]]);
    }

    #[test]
    fn a_share_counts_the_answers_that_are_there() {
        let answers = [Some(true), None, Some(false), Some(true), None];
        assert_eq!(CallShare::of(answers.into_iter()), CallShare { have: 2, all: 3 });
        assert_eq!(CallShare::of([None].into_iter()), CallShare::default());
    }

    #[test]
    fn kinds_of_repairs_have_the_names_of_files() {
        let kinds = [RepairKind::Message, RepairKind::Arguments, RepairKind::State];
        assert_eq!(kinds.map(RepairKind::name), ["message", "arguments", "state"]);
    }

    #[test]
    fn only_a_call_that_a_repair_made_succeed_after_a_panic_is_repaired() {
        let repair = Repair { family: None, by: RepairKind::State };
        let method = |origin: Option<CallOrigin>, panics: bool| {
            let success = origin.map(|origin| SuccessfulCall {
                steps: vec![],
                origin,
                worth: CallWorth::default(),
            });
            let first_panic = panics.then(|| (PanicFamily::Full, String::new()));
            let reason = success.is_none().then(|| "no call succeeded".to_owned());
            MethodReport { success, first_panic, reason, ..MethodReport::default() }
        };
        let repaired = Some(CallOrigin::Repaired(repair));
        let methods = vec![
            method(repaired, true),
            method(repaired, false),
            method(Some(CallOrigin::Generated), true),
            method(None, true),
            method(Some(CallOrigin::Repository), false),
        ];
        let is_repaired: Vec<bool> = methods.iter().map(MethodReport::is_repaired).collect();
        assert_eq!(is_repaired, [true, false, false, false, false]);
        let repairs: Vec<_> = methods.iter().map(MethodReport::repair).collect();
        assert_eq!(repairs, [Some(repair), Some(repair), None, None, None]);
        let report = CallReport { methods, ..CallReport::default() };
        assert_eq!(report.n_called(), 4);
        let not_called: Vec<_> = report.not_called().collect();
        assert_eq!(not_called, [(PlannedIdx::new(3), "no call succeeded")]);
    }
}
