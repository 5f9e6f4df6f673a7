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

#[cfg(test)]
mod tests {
    #![allow(unreachable_pub, missing_docs, reason = "the types stand for those of a library")]

    use beget::{HasSuite as _, Heap};
    use beget_plan::finding::Kind;
    use beget_suite::{PlainValue, Variable};

    use super::*;
    use crate::DiffPlan;
    use crate::random::tests::{call, plan_of, sequence};

    /// Is made.
    #[derive(Clone, Debug, Heap)]
    pub struct Taper;

    #[beget::api(name = "test::taper")]
    impl Taper {
        pub fn make() -> Self {
            Taper
        }

        pub fn is_lit(&self) -> bool {
            false
        }
    }

    /// Is not made.
    #[derive(Clone, Debug, Heap)]
    pub struct Bracket;

    #[beget::api(name = "test::bracket")]
    impl Bracket {
        pub fn make() -> Self {
            panic!("there is no wall")
        }

        pub fn is_lit(&self) -> bool {
            false
        }
    }

    /// The variable of the result is bound by the call that differs, which is asserted on.
    #[test]
    fn the_last_call_of_a_difference_is_asserted_on_and_binds_nothing() {
        let diff = DiffPlan::new(plan_of(Taper::suite()), &Bracket::suite()).unwrap();
        let plan = diff.plan();
        let made = sequence(&[call(plan, "make", &[], Some(0))]);
        let calls = Sequence { result: Some(Variable(0)), ..made };
        let Err((0, ReplayError::Broken(breach))) =
            Replay::new(plan, &calls).run(&calls, unobserved)
        else {
            panic!("they differ")
        };
        let written = |message: String| {
            body(plan, &calls, &Problem::new(Kind::new("model"), message).with_name("panic"))
        };
        let caught = "std::panic::catch_unwind(std::panic::AssertUnwindSafe";
        let is_panic = format!("    {caught}(|| {{ let _ = Taper::make(); }})).is_err()");
        let lines = written(breach.message).unwrap();
        assert_eq!([&lines[0], &lines[2]], ["let ours = {", &is_panic]);
        assert_eq!(written("another difference".to_owned()), Err(NoFailure::Gone));
    }

    #[test]
    fn results_are_compared_by_the_part_that_both_show() {
        let plain = |text: Option<&str>| {
            let text = text.map(str::to_owned);
            ReturnValue::Plain(PlainValue { ty: "u8", text, literal: None, equals_itself: true })
        };
        let (shown, opaque) = (plain(Some("1")), plain(None));
        let ok = |value: &ReturnValue| ReturnValue::Ok(Box::new(value.clone()));
        let err = |value: &ReturnValue| ReturnValue::Err(Box::new(value.clone()));
        assert_eq!(view_of(&shown, &shown), Some(View::Debug("")));
        assert_eq!(view_of(&ok(&shown), &ok(&shown)), Some(View::Debug(".ok()")));
        assert_eq!(view_of(&err(&shown), &err(&shown)), Some(View::Debug(".err()")));
        assert_eq!(view_of(&ok(&opaque), &err(&shown)), Some(View::Variant(".is_ok()")));
        // A value without `Debug`, and one with a structure in it, show nothing.
        let structure = ReturnValue::Tuple(vec![ReturnValue::Structure(0), shown.clone()]);
        for hidden in [opaque, structure] {
            assert_eq!(view_of(&hidden, &hidden), None);
            assert_eq!([view_of(&hidden, &shown), view_of(&shown, &hidden)], [None, None]);
        }
    }
}
