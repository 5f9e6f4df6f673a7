//! Tests of built-in contracts: the values that break one, built by their calls, and the check in
//! plain Rust.

use std::any::Any;
use std::ops::Not;

use beget_oracle::{
    ApplicableContracts, BrokenContract, ELEMENTS_DROPPED, ELEMENTS_SURVIVE_DROP_PANICS,
    ELEMENTS_SURVIVE_PANICS, Inquiry,
};
use beget_plan::finding::{ELEMENTS_SURVIVE_LIES, Finding, Problem};
use beget_plan::scope::Plan;
use beget_suite::{Sequence, Statement, Suite, TypeIdx};

use super::{NoFailure, built_in};
use crate::elements::{
    ElementFate, ElementFault, MOST_FAULTS, follow, has_fatal_fault, is_of_elements,
};
use crate::replay::{Replay, unobserved};

/// The statements of a test that fails as the contract is broken, after checking it again.
pub(super) fn body(plan: &Plan, finding: &Finding) -> Result<Vec<String>, NoFailure> {
    let name = built_in(&finding.problem).ok_or(NoFailure::Kind)?;
    let built = finding.witness.built(&plan.suite);
    if is_of_elements(name) || name == ELEMENTS_SURVIVE_LIES {
        return of_elements(plan, built.first().ok_or(NoFailure::NoCalls)?, name);
    }
    let oracle = ApplicableContracts::new(plan, &|asked| asked == name);
    if oracle.is_idle() {
        return Err(NoFailure::Kind);
    }
    let broken = ask_again(plan, &oracle, &built, &finding.problem).ok_or(NoFailure::Gone)?;
    let (mut body, names) = build(&plan.suite, &built, &broken);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    body.extend(oracle.assertion(&broken, &names));
    Ok(body)
}

/// Builds the structures again and checks the oracle's contract on them: returns the breach, if it
/// matches the problem.
fn ask_again(
    plan: &Plan,
    oracle: &ApplicableContracts<'_>,
    built: &[Sequence],
    wanted: &Problem,
) -> Option<BrokenContract> {
    let mut inquiry = Inquiry::new(oracle);
    for (id, sequence) in (0..).zip(built) {
        let ty = type_of(&plan.suite, sequence)?;
        inquiry.ask(ty, id, &mut || value_of(plan, sequence));
    }
    let is_wanted = |broken: &BrokenContract| {
        let Problem { message, place, .. } = &broken.problem;
        let ty = format!(" ({})", plan.suite.types[broken.ty.index()].name);
        let rest = wanted.message.strip_prefix(&**message);
        let is_of_type = |rest: &str| plan.suite.types.len() == 1 || rest.starts_with(&ty);
        rest.is_some_and(is_of_type) && *place == wanted.place
    };
    inquiry.finish().breaches.into_iter().find(is_wanted)
}

/// The value that a sequence builds.
fn value_of(plan: &Plan, sequence: &Sequence) -> Option<Box<dyn Any>> {
    let mut replay = Replay::new(plan, sequence);
    replay.run(sequence, unobserved).ok()?;
    replay.take(sequence.result?)
}

/// The type of the value that a sequence builds.
pub(super) fn type_of(suite: &Suite, sequence: &Sequence) -> Option<TypeIdx> {
    let result = sequence.result?;
    let of_statement = |statement: &Statement| {
        let binding = statement.bindings.iter().find(|binding| binding.variable == result)?;
        Some(suite.method(statement.method).outputs[binding.output].ty)
    };
    sequence.statements.iter().find_map(of_statement)
}

/// The statements that build the structures, and the variables of those that break the contract, in
/// its order.
fn build(suite: &Suite, built: &[Sequence], broken: &BrokenContract) -> (Vec<String>, Vec<String>) {
    let of_test = |sequence: &Sequence| sequence.to_test_source(suite, &|_, _| None);
    if let [alone] = built {
        let (body, name) = of_test(alone);
        return (body, vec![name; broken.ids.len()]);
    }
    let (mut body, mut names) = (Vec::new(), Vec::<String>::new());
    for (role, id) in broken.ids.iter().enumerate() {
        if let Some(known) = broken.ids[..role].iter().position(|other| other == id) {
            names.push(names[known].clone());
            continue;
        }
        let (lines, variable) = of_test(&built[usize::try_from(*id).expect("one of these")]);
        let name = ["a", "b", "c"][role];
        body.push(format!("let {name} = {{"));
        body.extend(lines.iter().map(|line| format!("    {line}")));
        body.extend([format!("    {variable}"), "};".to_owned()]);
        names.push(name.to_owned());
    }
    (body, names)
}

/// The test of calls that mistreat elements, which are followed once more.
fn of_elements(plan: &Plan, calls: &Sequence, name: &str) -> Result<Vec<String>, NoFailure> {
    let mut calls = Sequence { result: None, ..calls.clone() };
    let followed = follow(plan, &calls, None).ok_or(NoFailure::Gone)?;
    let ElementFate { census, has_returned, .. } = followed;
    let fault = if name == ELEMENTS_SURVIVE_LIES {
        Some((ElementFault::Lie as fn(u64) -> ElementFault, "watch.let_lie(due);"))
    } else if name == ELEMENTS_SURVIVE_PANICS.name {
        Some((ElementFault::Use as fn(u64) -> ElementFault, "watch.let_panic(due);"))
    } else if name == ELEMENTS_SURVIVE_DROP_PANICS.name {
        Some((ElementFault::Drop as fn(u64) -> ElementFault, "watch.let_drop_panic(due);"))
    } else {
        None
    };
    let shows = match fault {
        Some((fault, _)) => has_fatal_fault(plan, &calls, fault),
        None if name == ELEMENTS_DROPPED.name => has_returned && census.alive > 0,
        None => census.dropped_again > 0,
    };
    shows.then_some(()).ok_or(NoFailure::Gone)?;
    let last = calls.statements.last_mut().ok_or(NoFailure::NoCalls)?;
    last.panics = fault.is_some() || has_returned.not();
    let (mut lines, _) = calls.to_test_source(&plan.suite, &|_, _| None);
    if let Some((_, line)) = fault {
        lines.insert(lines.len() - 1, line.to_owned());
    }
    Ok(watched(lines, name, fault.is_some()))
}

/// Statements under a watch of the elements.
fn watched(lines: Vec<String>, name: &str, is_faulty: bool) -> Vec<String> {
    let wrong = if name == ELEMENTS_DROPPED.name { "alive" } else { "dropped_again" };
    let mut body = vec!["let watch = beget::elements::ElementWatch::begin();".to_owned()];
    body.push("{".to_owned());
    body.extend(lines.into_iter().map(|line| format!("    {line}")));
    body.push("}".to_owned());
    body.push(format!(
        "assert_eq!(watch.census().{wrong}, 0, \"the contract `{name}` is broken\");"
    ));
    if !is_faulty {
        return body;
    }
    // The number of the use depends on how the arguments are made.
    let mut each = vec![format!("for due in 1..={MOST_FAULTS} {{")];
    each.extend(body.into_iter().map(|line| format!("    {line}")));
    each.push("}".to_owned());
    each
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
    use beget_suite::Variable;

    use super::*;
    use crate::random::tests::{call, plan_of, sequence};

    /// Equals nothing.
    #[derive(Clone, Debug, Heap)]
    pub struct Recluse;

    impl PartialEq for Recluse {
        fn eq(&self, _: &Self) -> bool {
            false
        }
    }

    impl Eq for Recluse {}

    #[beget::api(name = "test::recluse")]
    impl Recluse {
        pub fn new() -> Self {
            Recluse
        }
    }

    #[test]
    fn a_contract_is_broken_again_with_the_same_message_at_the_same_place() {
        let plan = plan_of(Recluse::suite());
        let oracle = ApplicableContracts::new(&plan, &|name| name == "eq_reflexive");
        let new = sequence(&[call(&plan, "new", &[], Some(0))]);
        let built = [Sequence { result: Some(Variable(0)), ..new }];
        let mut inquiry = Inquiry::new(&oracle);
        inquiry.ask(TypeIdx::new(0), 0, &mut || value_of(&plan, &built[0]));
        let Problem { kind, message, .. } = inquiry.finish().breaches[0].problem.clone();
        let is_broken = |problem: &Problem| ask_again(&plan, &oracle, &built, problem).is_some();
        let problem = Problem::new(kind.clone(), message);
        assert!(is_broken(&problem));
        assert!(!is_broken(&Problem::new(kind, "another contract")));
        assert!(!is_broken(&problem.at("src/recluse.rs:1:1")));
    }
}
