//! Tests of two suites in lockstep: the calls on each side, and an assertion that the last ones
//! agree.

use std::sync::Arc;

use beget_plan::finding::Problem;
use beget_plan::scope::Plan;
use beget_suite::{ReturnValue, Sequence, Suite};

use super::{NoFailure, unformatted};
use crate::replay::{Replay, ReplayError, observed, unobserved};

/// The statements of a test of calls whose last one differs between the two sides.
pub(super) fn body(
    plan: &Plan,
    calls: &Sequence,
    problem: &Problem,
) -> Result<Vec<String>, NoFailure> {
    let mut calls = Sequence { result: None, ..calls.clone() };
    let last = calls.statements.last_mut().ok_or(NoFailure::NoCalls)?;
    last.bindings.clear();
    last.ends.clear();
    let last = last.method;
    match Replay::new(plan, &calls).run(&calls, unobserved) {
        Err((_, ReplayError::Broken(breach))) if *breach.message == *problem.message => {}
        _ => return Err(NoFailure::Gone),
    }
    let sides = plan.suite.sides().ok_or(NoFailure::Kind)?;
    let paths = sides.clone().map(|suite| unformatted(suite.method(last).path));
    let view = match problem.name.as_deref() {
        Some("panic") => View::Panics,
        _ => {
            let [ours, theirs] = sides.clone().map(|suite| returned(plan, suite, &calls));
            view_of(&ours.ok_or(NoFailure::Gone)?, &theirs.ok_or(NoFailure::Gone)?)
                .ok_or(NoFailure::Kind)?
        }
    };
    let [ours, theirs] = &sides;
    let mut body = side("ours", ours, &calls, view);
    body.extend(side("theirs", theirs, &calls, view));
    body.push(format!("assert_eq!(ours, theirs, \"`{}` and `{}` differ\");", paths[0], paths[1]));
    Ok(body)
}

/// The comparable part of two results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum View {
    /// The call panics or not.
    Panics,
    /// The `Debug` text of the expression before this.
    Debug(&'static str),
    /// The value of this expression.
    Variant(&'static str),
}

/// The result of the last call of a sequence on one side.
fn returned(plan: &Plan, suite: Suite, calls: &Sequence) -> Option<ReturnValue> {
    let plan = plan.clone().with(|draft| draft.suite = Arc::new(suite));
    let mut returned = Replay::new(&plan, calls).run(calls, observed).ok()?;
    returned.pop().flatten()
}

/// The comparable part of two results of any types.
fn view_of(ours: &ReturnValue, theirs: &ReturnValue) -> Option<View> {
    use ReturnValue::{Err, None, Ok, Some as There};
    let view = match (ours, theirs) {
        (There(_), None) | (None, There(_)) => View::Variant(".is_some()"),
        (Ok(_), Err(_)) | (Err(_), Ok(_)) => View::Variant(".is_ok()"),
        (Ok(_), Ok(_)) => View::Debug(".ok()"),
        (Err(_), Err(_)) => View::Debug(".err()"),
        _ => View::Debug(""),
    };
    let is_shown = |value: &ReturnValue| {
        value.plain_values().iter().all(|plain| plain.text.is_some()) && !value.has_structures()
    };
    let can_be = matches!(view, View::Variant(_)) || is_shown(ours) && is_shown(theirs);
    can_be.then_some(view)
}

/// The block of one side.
fn side(name: &str, suite: &Suite, calls: &Sequence, view: View) -> Vec<String> {
    let last = calls.statements.len() - 1;
    let as_it_is = |index: usize, call: &str| (index == last).then(|| call.to_owned());
    let (mut lines, _) = calls.to_test_source(suite, &as_it_is);
    let call = lines.pop().unwrap_or_default();
    let returns = suite.method(calls.statements[last].method).returns.is_some();
    let caught = "std::panic::catch_unwind(std::panic::AssertUnwindSafe";
    lines.push(match view {
        // Its result may borrow from the receiver.
        View::Panics => {
            let kept = if returns { "let _ = " } else { "" };
            format!("{caught}(|| {{ {kept}{call}; }})).is_err()")
        }
        View::Debug(part) => format!("format!(\"{{:?}}\", {call}{part})"),
        View::Variant(test) => format!("{call}{test}"),
    });
    let mut block = vec![format!("let {name} = {{")];
    let uses = suite.uses_of(&lines);
    block.extend(uses.into_iter().chain(lines).map(|line| format!("    {line}")));
    block.push("};".to_owned());
    block
}
