//! Tests of calls, and of questions about what they leave, that end their process or do not return.
//!
//! They are written and not run, because they would end this process too.

use std::iter;

use beget_oracle::ApplicableContracts;
use beget_plan::finding::Finding;
use beget_plan::scope::Plan;
use beget_suite::{Passing, Sequence};

use super::contract::type_of;
use super::{
    StructureQuestion, asked, assertion_of_invariant, assertion_of_question, bind_all, called,
};

/// The calls, with the question that has ended the process, if it was one.
pub(super) fn body(
    plan: &Plan,
    finding: &Finding,
    calls: &Sequence,
    question: Option<StructureQuestion<'_>>,
) -> Vec<String> {
    if let Some(question) = question {
        return asked(plan, calls, |variable| assertion_of_question(question, variable));
    }
    let name = finding.problem.name.as_deref();
    let of_name = name.and_then(|name| {
        of_invariant(plan, calls, name).or_else(|| of_contract(plan, finding, name))
    });
    of_name.unwrap_or_else(|| called(plan, calls))
}

/// The calls, and the invariant asked of each structure that the last of them may have left.
fn of_invariant(plan: &Plan, calls: &Sequence, name: &str) -> Option<Vec<String>> {
    let invariant = plan.suite.invariants.iter().find(|one| one.name == name)?;
    let mut calls = Sequence { result: None, ..calls.clone() };
    let method = plan.suite.method(calls.statements.last()?.method);
    let are_left = method.structure_params().map(|(_, passing)| passing != Passing::Value);
    let are_left = are_left.chain(iter::repeat(true));
    let left = bind_all(plan, &mut calls).into_iter().zip(are_left);
    let of_type = left.filter(|((_, ty), is_left)| *is_left && *ty == invariant.ty);
    let mut body = Vec::new();
    for ((variable, _), _) in of_type {
        calls.result = Some(variable);
        let (lines, name) = calls.to_test_source(&plan.suite, &|_, _| None);
        let assertion = assertion_of_invariant(invariant.name, &name);
        if body.is_empty() {
            body.extend(lines);
            body.push(assertion);
        } else if body.starts_with(&lines) {
            body.push(assertion);
        } else {
            // Another result, which has no name in the calls so far.
            let again = lines.into_iter().chain([assertion]).map(|line| format!("    {line}"));
            body.extend(iter::once("{".to_owned()).chain(again).chain(["}".to_owned()]));
        }
    }
    (!body.is_empty()).then_some(body)
}

/// The calls that build the value, and the contract asked of it.
fn of_contract(plan: &Plan, finding: &Finding, name: &str) -> Option<Vec<String>> {
    let built = finding.witness.built(&plan.suite);
    let [built] = &built[..] else { return None };
    let contracts = ApplicableContracts::new(plan, &|asked| asked == name);
    let (mut body, variable) = built.to_test_source(&plan.suite, &|_, _| None);
    body.extend(contracts.assertion_of_value(name, type_of(&plan.suite, built)?, &variable)?);
    Some(body)
}
