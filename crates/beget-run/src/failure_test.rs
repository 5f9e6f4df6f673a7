//! Findings as tests that fail: the calls of the witness, followed by a check.
//!
//! # Tests as files
//!
//! **Tests as files.** The run layer repeats the calls of recipes
//! (`crates/beget-run/src/replay.rs`): a `Behavior` is a structure's sequence, followed by calls of
//! observers, with the results of each call both times; a `FailureTest` is a finding's sequence,
//! with whether it fails again. `crates/beget-program/src/records.rs` writes them. The check of a
//! finding is written in `crates/beget-run/src/failure_test`: that of a built-in contract by its
//! own crate (`crates/beget-oracle/src/assertion.rs`), beside the table of contracts; that of a
//! postcondition from its text, whose names become the test's variables; a difference of two suites
//! as calls on each side (`Suite::sides`). Each is checked again before it is shown, but for
//! those that would end this process.
//! `crates/beget-oracle/tests/emitted` and `crates/beget/tests/printed_tests` hold one test for
//! each kind, which are compiled, fail with the defect and pass without. An assertion must compile
//! whatever the types of a result are (`crates/beget-program/src/records/rust_tests/assertion.rs`):
//! a value tells the traits of its own parts, the signature names the types of the others. Only the
//! program runs Cargo, for a test target of a crate, and rustfmt, where that is asked for.

use std::any::Any;
use std::fmt;

use beget_heap::Encoder;
use beget_oracle::contract_names;
use beget_plan::finding::{Finding, Kind, Problem, USABLE_AFTER_PANIC};
use beget_plan::scope::Plan;
use beget_process::guard::{PanicReport, guarded, last_panic};
use beget_suite::{Binding, Sequence, TestFunction, TypeIdx, Variable, without_keys};

mod after_panic;
mod contract;
mod fatal;
mod memory;
mod model;
mod postcondition;

use crate::replay::{Replay, ReplayError, unobserved};

/// A finding as a test.
#[derive(Debug)]
pub struct FailureTest<'f> {
    /// The finding.
    pub finding: &'f Finding,
    /// The test: the calls that show it.
    pub function: TestFunction,
    /// `Ok` if the test fails as the finding describes.
    pub verdict: Result<(), NoFailure>,
}

/// The reason why a test of a finding does not fail as the finding describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoFailure {
    /// Calls cannot show it: two runs of the same ones, or copies, differ.
    Kind,
    /// The calls do not show it again.
    Gone,
    /// The calls return: a walk of their result panics.
    Walk,
    /// No call shows it.
    NoCalls,
    /// The repOK cannot be called from the test.
    RepOk,
}

/// The check of a structure that the finding alone does not determine.
#[derive(Clone, Copy, Debug)]
pub enum StructureQuestion<'q> {
    /// The repOK of that name, which the type has.
    RepOk(&'q str),
    /// A property, by its source.
    Property(&'q str),
}

impl fmt::Display for NoFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoFailure::Kind => "a test cannot show it",
            NoFailure::Gone => "made again, the calls do not show it",
            NoFailure::Walk => "the calls return, and looking at what they leave panics",
            NoFailure::NoCalls => "no calls show it",
            NoFailure::RepOk => "its type does not name its repOKs (`HasRepOks`)",
        })
    }
}

/// The access of a test to the repOKs of the main type:
/// [`HasRepOks`](beget_oracle::rep_ok::HasRepOks), if implemented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepOkSource {
    /// The type implements it.
    Type,
    /// They come from elsewhere.
    Elsewhere,
}

impl<'f> FailureTest<'f> {
    /// The test of a finding by its number in a run of `plan`; `question` is the check that its
    /// structure fails, if a test can make it.
    pub fn of(
        plan: &Plan,
        finding: &'f Finding,
        number: usize,
        question: Option<StructureQuestion<'_>>,
    ) -> Self {
        let Problem { kind, message, .. } = &finding.problem;
        let suite = &*plan.suite;
        let calls = finding.witness.calls(suite);
        let called = calls.as_ref().map_or(String::new(), |calls| calls.to_name(suite));
        let name = format!("{kind}_{number}_{called}").trim_end_matches('_').to_owned();
        let written = body(plan, finding, calls.as_deref(), question);
        let verdict = written.as_ref().map(drop).map_err(|reason| *reason);
        let body = written.unwrap_or_else(|_| unasked(plan, finding, calls.as_deref(), question));
        let function = TestFunction { doc: message.to_string(), name, body };
        FailureTest { finding, function, verdict }
    }
}

/// The statements of a test that fails as the finding describes.
fn body(
    plan: &Plan,
    finding: &Finding,
    calls: Option<&Sequence>,
    question: Option<StructureQuestion<'_>>,
) -> Result<Vec<String>, NoFailure> {
    let problem = &finding.problem;
    if built_in(problem) == Some(USABLE_AFTER_PANIC) {
        return after_panic::body(plan, calls.ok_or(NoFailure::NoCalls)?, problem);
    }
    if built_in(problem).is_some() {
        return contract::body(plan, finding);
    }
    let calls = calls.ok_or(NoFailure::NoCalls)?;
    match (problem.kind.name(), question) {
        ("panic", _) => panics(plan, calls, problem).map(|()| called(plan, calls)),
        ("drop_panics", _) => drop_panics(plan, calls, problem).map(|()| called(plan, calls)),
        ("invariant", _) => {
            let name = problem.name.as_deref().ok_or(NoFailure::Gone)?;
            let (calls, name) = broken_invariant(plan, calls, name)?;
            Ok(asked(plan, &calls, |variable| assertion_of_invariant(name, variable)))
        }
        ("repok" | "property", Some(question)) => {
            Ok(asked(plan, calls, |variable| assertion_of_question(question, variable)))
        }
        ("repok", None) => Err(NoFailure::RepOk),
        ("contract", _) => {
            let condition = problem.name.as_deref().ok_or(NoFailure::Kind)?;
            postcondition::body(plan, calls, condition, &problem.message)
        }
        ("memory" | "leak", _) => memory::body(plan, calls, problem),
        ("model", _) => model::body(plan, calls, problem),
        _ => Err(NoFailure::Kind),
    }
}

/// The built-in contract of the problem, if it is one.
fn built_in(problem: &Problem) -> Option<&'static str> {
    let name = problem.name.as_deref().filter(|_| problem.kind == Kind::Contract)?;
    contract_names().into_iter().find(|known| *known == name)
}

/// The statements of calls that fail by themselves.
fn called(plan: &Plan, calls: &Sequence) -> Vec<String> {
    let calls = Sequence { result: None, ..calls.clone() };
    calls.to_test_source(&plan.suite, &|_, _| None).0
}

/// The statements of calls, followed by a check of the variable that holds their result.
fn asked(plan: &Plan, calls: &Sequence, ask: impl Fn(&str) -> String) -> Vec<String> {
    let (mut body, variable) = calls.to_test_source(&plan.suite, &|_, _| None);
    body.push(ask(&variable));
    body
}

/// A text escaped for formatting.
fn unformatted(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

/// The calls of a finding, if a test cannot be seen to fail by them.
fn unasked(
    plan: &Plan,
    finding: &Finding,
    calls: Option<&Sequence>,
    question: Option<StructureQuestion<'_>>,
) -> Vec<String> {
    let Some(calls) = calls else { return Vec::new() };
    let Problem { kind, .. } = &finding.problem;
    if kind.is_fatal() {
        return fatal::body(plan, finding, calls, question);
    }
    let said = match built_in(&finding.problem) {
        Some(_) => "This is what breaks the contract.",
        None if *kind == Kind::Property => "Of this the property does not hold.",
        None => return called(plan, calls),
    };
    let said = format!("// {said}");
    asked(plan, calls, |variable| match variable {
        // A panic leaves none.
        "" => said.clone(),
        _ => format!("let _ = {variable}; {said}"),
    })
}

/// Adds to findings whose repeated calls do not show them that this is so.
pub(crate) fn tell_unreproduced(plan: &Plan, findings: &mut [Finding]) {
    // The calls alone do not determine others.
    let of_calls =
        [Kind::Panic, Kind::DropPanics, Kind::Invariant, Kind::Contract, Kind::new("model")];
    for finding in findings.iter_mut().filter(|one| of_calls.contains(&one.problem.kind)) {
        if FailureTest::of(plan, finding, 0, None).verdict == Err(NoFailure::Gone) {
            let message = format!("{}; {UNREPRODUCED}", finding.problem.message);
            finding.problem.message = message.into();
        }
    }
}

const UNREPRODUCED: &str = "this was seen on a structure of the same form, but these calls, made again, \
                            do not show it: what the form leaves out makes a difference (a skipped field, \
                            the slots of an arena marked `any_order`), or chance does";

/// Checks that the last call panics as the problem describes.
fn panics(plan: &Plan, calls: &Sequence, wanted: &Problem) -> Result<(), NoFailure> {
    let mut calls = calls.clone();
    let left = bind_all(plan, &mut calls);
    let mut replay = Replay::new(plan, &calls);
    let shown = match replay.run(&calls, unobserved) {
        Ok(_) => {
            let walked = left
                .iter()
                .find_map(|(variable, ty)| panic_of_walk(plan, *ty, replay.value(*variable)?));
            return shows(walked, wanted).and(Err(NoFailure::Walk));
        }
        Err((at, ReplayError::Panicked(PanicReport { message, location })))
            if at + 1 == calls.statements.len() =>
        {
            Some(Problem::panic(&message, location))
        }
        _ => None,
    };
    shows(shown, wanted)
}

/// The problem of a panicking walk of a structure.
fn panic_of_walk(plan: &Plan, ty: TypeIdx, value: &dyn Any) -> Option<Problem> {
    let mut encoder = Encoder::new(plan.coding());
    encoder.begin(ty.index() as u64);
    let walk = plan.suite.types[ty.index()].walk;
    guarded(|| walk(value, &mut encoder)).err()?;
    let PanicReport { message, location } = last_panic();
    Some(Problem::panic(&message, location))
}

/// Checks that the shown problem has the wanted cause: its text may contain an address, or follow
/// the order of a hash map.
fn shows(shown: Option<Problem>, wanted: &Problem) -> Result<(), NoFailure> {
    let is_it = shown.is_some_and(|shown| shown.signature() == wanted.signature());
    is_it.then_some(()).ok_or(NoFailure::Gone)
}

/// Checks that dropping the results of the calls panics as the problem describes.
fn drop_panics(plan: &Plan, calls: &Sequence, wanted: &Problem) -> Result<(), NoFailure> {
    let mut replay = Replay::new(plan, calls);
    let ended = match replay.run(calls, unobserved) {
        Ok(_) => replay.end().err(),
        Err((at, ReplayError::Dropped(report))) if at + 1 == calls.statements.len() => Some(report),
        Err(_) => None,
    };
    let shown = ended.map(|report| Problem::drop_panics(&report.message, report.location));
    shows(shown, wanted)
}

fn assertion_of_question(question: StructureQuestion<'_>, variable: &str) -> String {
    match question {
        StructureQuestion::RepOk(name) => format!("beget::assert_rep_ok({name:?}, &{variable});"),
        StructureQuestion::Property(source) => {
            format!("beget::assert_property({variable}, {source});")
        }
    }
}

fn assertion_of_invariant(name: &str, variable: &str) -> String {
    format!("beget::assert_invariant({name:?}, {variable}.{name}());")
}

/// The calls whose result is a structure that breaks the invariant of that name, by the last one.
pub(crate) fn broken_invariant(
    plan: &Plan,
    calls: &Sequence,
    name: &str,
) -> Result<(Sequence, &'static str), NoFailure> {
    let mut calls = Sequence { result: None, ..calls.clone() };
    let left = bind_all(plan, &mut calls);
    let mut replay = Replay::new(plan, &calls);
    replay.run(&calls, unobserved).map_err(|_| NoFailure::Gone)?;
    let mut invariants = plan.suite.invariants.iter();
    let invariant = invariants.find(|one| one.name == name);
    let invariant = invariant.ok_or(NoFailure::Gone)?;
    let is_broken =
        |value: &dyn Any| !matches!(guarded(|| (invariant.check)(without_keys(value))), Ok(Ok(())));
    let broken = left.into_iter().find(|(variable, ty)| {
        *ty == invariant.ty && replay.value(*variable).is_some_and(is_broken)
    });
    calls.result = Some(broken.ok_or(NoFailure::Gone)?.0);
    Ok((calls, invariant.name))
}

/// Binds all structures that the last call returns; these and its arguments with their types.
pub fn bind_all(plan: &Plan, calls: &mut Sequence) -> Vec<(Variable, TypeIdx)> {
    let n_bindings: usize = calls.statements.iter().map(|one| one.bindings.len()).sum();
    let Some(last) = calls.statements.last_mut() else { return Vec::new() };
    let method = plan.suite.method(last.method);
    // The run inspects the call's results before any variable ends.
    last.ends.clear();
    let n_others = n_bindings - last.bindings.len();
    let outputs = 0..method.outputs.len();
    last.bindings =
        outputs.map(|output| Binding { output, variable: Variable(n_others + output) }).collect();
    let types = method.structure_params().map(|(ty, _)| ty);
    let arguments = last.variables().map(|(_, variable)| variable).zip(types);
    let results = last.bindings.iter().zip(&method.outputs);
    arguments.chain(results.map(|(binding, output)| (binding.variable, output.ty))).collect()
}

#[cfg(test)]
mod tests {
    #![allow(
        unreachable_pub,
        missing_docs,
        clippy::new_without_default,
        reason = "the type stands for one of a library"
    )]

    use beget::{HasSuite as _, Heap};
    use beget_plan::finding::Witness;

    use super::*;
    use crate::random::tests::{call, crockery, pens, plan_of, sequence};

    /// A level that is to be even and low.
    #[derive(Clone, Debug, Heap)]
    pub struct Gutter {
        level: u8,
    }

    #[beget::api(name = "test::gutter")]
    impl Gutter {
        pub fn new() -> Self {
            Gutter { level: 0 }
        }

        pub fn flooded() -> Self {
            Gutter { level: 7 }
        }

        #[beget::invariant]
        fn is_even(&self) -> bool {
            self.level.is_multiple_of(2)
        }

        #[beget::invariant]
        fn is_low(&self) -> bool {
            self.level < 5
        }
    }

    /// The panic does not name the first of the invariants that are broken.
    #[test]
    fn an_invariant_is_shown_by_a_structure_that_breaks_it() {
        let plan = plan_of(Gutter::suite());
        let of = |name: &str| sequence(&[call(&plan, name, &[], None)]);
        let shown = |calls: &Sequence| broken_invariant(&plan, calls, "is_low");
        assert_eq!(shown(&of("new")), Err(NoFailure::Gone));
        let (calls, name) = shown(&of("flooded")).unwrap();
        assert_eq!((calls.result, name), (Some(Variable(0)), "is_low"));
        let problem = Problem::new(Kind::Contract, "what the panic left breaks `is_low`");
        let body = after_panic::body(&plan, &of("flooded"), &problem).unwrap();
        let assertion = r#"beget::assert_invariant("is_low", gutter.is_low());"#;
        assert_eq!(body, ["let gutter = Gutter::flooded();", assertion]);
    }

    /// The structure that calls build is kept only where it is looked at.
    #[test]
    fn calls_of_a_property_are_written_with_what_they_show() {
        let plan = pens("");
        let new = sequence(&[call(&plan, "new", &[], Some(0))]);
        let built = Sequence { result: Some(Variable(0)), ..new.clone() };
        assert_eq!(called(&plan, &built), ["let _ = Pen::new();"]);
        let body = |calls: &Sequence| {
            let problem = Problem::new(Kind::Property, "it is empty");
            let witness = Witness::of_sequence(calls.clone());
            let finding = Finding { problem, count: 1, witness };
            FailureTest::of(&plan, &finding, 1, None).function.body
        };
        let said = "// Of this the property does not hold.";
        assert_eq!(body(&new), ["let _ = Pen::new();", said]);
        assert_eq!(body(&built), ["let pen = Pen::new();", &format!("let _ = pen; {said}")]);
    }

    #[test]
    fn only_the_last_call_shows_a_panic() {
        let plan = pens("");
        let [new, bend, write] =
            [("new", Some(0)), ("bend", None), ("write", None)].map(|(name, bound)| {
                call(&plan, name, if bound.is_some() { &[] } else { &[0] }, bound)
            });
        let calls = sequence(&[new.clone(), bend.clone()]);
        let Err((1, ReplayError::Panicked(PanicReport { message, location }))) =
            Replay::new(&plan, &calls).run(&calls, unobserved)
        else {
            panic!("it is stiff")
        };
        let wanted = Problem::panic(&message, location);
        assert_eq!(panics(&plan, &calls, &wanted), Ok(()));
        let goes_on = sequence(&[new.clone(), bend, write.clone()]);
        assert_eq!(panics(&plan, &goes_on, &wanted), Err(NoFailure::Gone));
        assert_eq!(panics(&plan, &sequence(&[new, write]), &wanted), Err(NoFailure::Gone));
    }

    #[test]
    fn only_the_last_result_or_the_end_shows_a_panic_of_a_destructor() {
        let plan = crockery();
        let unused = sequence(&[call(&plan, "second_hand", &[], None)]);
        let Err((0, ReplayError::Dropped(PanicReport { message, location }))) =
            Replay::new(&plan, &unused).run(&unused, unobserved)
        else {
            panic!("it breaks")
        };
        let wanted = Problem::drop_panics(&message, location);
        let shows = |calls: &Sequence| drop_panics(&plan, calls, &wanted);
        assert_eq!(shows(&unused), Ok(()));
        assert_eq!(shows(&sequence(&[call(&plan, "second_hand", &[], Some(0))])), Ok(()));
        let new = call(&plan, "new", &[], Some(0));
        let earlier = [&unused.statements[..], std::slice::from_ref(&new)].concat();
        assert_eq!(shows(&sequence(&earlier)), Err(NoFailure::Gone));
        assert_eq!(shows(&sequence(&[new])), Err(NoFailure::Gone));
    }

    /// The results of the last call are numbered after those of the others.
    #[test]
    fn all_results_of_the_last_call_are_bound() {
        let plan = crockery();
        let new = call(&plan, "new", &[], Some(0));
        for bound in [None, Some(1)] {
            let mut calls = sequence(&[new.clone(), call(&plan, "pair", &[], bound)]);
            let left = bind_all(&plan, &mut calls);
            assert_eq!(left, [1, 2].map(|number| (Variable(number), TypeIdx::new(0))));
            let bindings = [0, 1].map(|output| Binding { output, variable: Variable(1 + output) });
            assert_eq!(calls.statements[1].bindings, bindings);
        }
    }
}
