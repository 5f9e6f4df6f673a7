//! Pairs of two suites that a call leaves just out of scope, because an integer left its range:
//! they are not extended, but methods that only look at them are asked.
//!
//! A difference that a call makes may show in the next result only. Ranges of integers are mostly
//! the scope's own guess, so what lies behind them must not hide it.

use beget_finding::{Kind, Problem};
use beget_heap::PassedBound;
use beget_scope::PlannedIdx;
use beget_suite::{Breach, Frame, Outcome, ParamKind, Passing, Slot, TypeIdx};

use super::{Attempt, Parent, Worker};
use crate::reconstruct::{call_guarded, drop_frame};

/// A call that left a pair just out of scope: the method, and which of its literals it took.
pub(super) type CallBeyond = (PlannedIdx, u32);

impl<'e> Worker<'e> {
    /// Remembers a call on pairs that an integer took out of scope.
    #[cold]
    pub(super) fn note_beyond(&mut self, attempt: Attempt<'_>) {
        let call = (attempt.planned, attempt.tuple);
        let passed = self.encoder.passed();
        let is_by_int = matches!(passed, Some(PassedBound::Ints | PassedBound::Field { .. }));
        if is_by_int && !self.beyond.contains(&call) {
            self.beyond.push(call);
        }
    }

    /// Makes the remembered calls once more, on rebuilt structures, and asks what they leave.
    pub(super) fn compare_beyond(&mut self, parents: &[Parent<'_>]) {
        for (planned, tuple) in std::mem::take(&mut self.beyond) {
            let Ok(mut frame) = self.make_frame(parents) else { return };
            let attempt = self.attempt(planned, tuple);
            let returned = call_guarded(attempt.method, &mut frame, attempt.literals);
            if returned == Ok(Outcome::Returned)
                && let Some(problem) = self.difference_in(&mut frame, attempt)
            {
                self.report_call(problem, attempt, parents);
            }
            drop_frame(frame);
        }
    }

    fn attempt(&self, planned: PlannedIdx, tuple: u32) -> Attempt<'e> {
        let literals = &self.shared.tuples[planned.index()][tuple as usize];
        Attempt { planned, tuple, literals, method: self.plan().method(planned) }
    }

    /// The first difference that shows where the structures of a frame are looked at.
    fn difference_in(&mut self, frame: &mut Frame, attempt: Attempt<'_>) -> Option<Problem> {
        let method = attempt.method;
        let arguments = method.structure_params().map(|(ty, _)| ty);
        let types = arguments.chain(method.outputs.iter().map(|output| output.ty));
        let slots = frame.arguments.iter_mut().chain(&mut frame.results);
        slots.zip(types).find_map(|(slot, ty)| self.difference_of(slot, ty))
    }

    fn difference_of(&mut self, slot: &mut Slot, ty: TypeIdx) -> Option<Problem> {
        let n_methods = self.plan().methods.len();
        let looks = |planned: &PlannedIdx| {
            let params = &self.plan().method(*planned).params;
            let mut structures = params.iter().filter_map(|param| match param.kind {
                ParamKind::Structure { ty, passing } => Some((ty, passing)),
                ParamKind::Literal { .. } => None,
            });
            structures.next() == Some((ty, Passing::Ref)) && structures.next().is_none()
        };
        let observers: Vec<_> = (0..n_methods).map(PlannedIdx::new).filter(looks).collect();
        observers.into_iter().find_map(|planned| {
            let n_tuples = self.shared.tuples[planned.index()].len() as u32;
            (0..n_tuples).find_map(|tuple| self.difference_by(slot, self.attempt(planned, tuple)))
        })
    }

    /// What is different where a method looks at the structure in `slot`.
    fn difference_by(&self, slot: &mut Slot, look: Attempt<'_>) -> Option<Problem> {
        let mut frame = Frame { arguments: vec![Some(slot.take()?)], results: Vec::new() };
        let returned = call_guarded(look.method, &mut frame, look.literals);
        *slot = frame.arguments.first_mut().and_then(Slot::take);
        let problem = match (returned, frame.breach()) {
            (Ok(Outcome::Broken), Some(breach)) => self.problem_beyond(breach, look),
            _ => None,
        };
        drop_frame(frame);
        problem
    }

    fn problem_beyond(&self, breach: &Breach, look: Attempt<'_>) -> Option<Problem> {
        let expected = breach.panic.as_ref();
        if expected.is_some_and(|message| self.plan().misuse.expects(message)) {
            return None;
        }
        let literals: Vec<&str> = look.literals.iter().map(|literal| &*literal.source).collect();
        let (name, literals) = (look.method.name, literals.join(", "));
        let message = format!(
            "{}, where `{name}({literals})` is called on what the last call leaves, an integer of \
             which is just out of scope",
            breach.message
        );
        Some(Problem::new(Kind::new(breach.kind), message).with_name(breach.name))
    }
}
