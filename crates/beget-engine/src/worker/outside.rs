//! Pairs of two suites that a call leaves just out of scope, because an integer left its range:
//! they are not extended, but methods that only look at them are asked.
//!
//! A difference that a call makes may show in the next result only. Ranges of integers are mostly
//! the scope's own guess, so what lies behind them must not hide it.

use beget_heap::PassedBound;
use beget_plan::finding::{Kind, Problem};
use beget_plan::scope::PlannedIdx;
use beget_suite::{Breach, Frame, Outcome, ParamKind, Passing, Slot, TypeIdx};

use super::{Attempt, Parent, Worker};
use crate::rebuild::reconstruct::{call_guarded, drop_frame, drop_guarded};

/// A call that is made again does not return.
struct NothingLeft;

impl<'e> Worker<'e> {
    /// Remembers a call on pairs that an integer took out of scope.
    #[cold]
    pub(super) fn note_beyond(&mut self, attempt: Attempt) {
        let passed = self.encoder.passed();
        let is_by_int = matches!(passed, Some(PassedBound::Ints | PassedBound::Field { .. }));
        if is_by_int && !self.beyond.contains(&attempt) {
            self.beyond.push(attempt);
        }
    }

    /// Makes the remembered calls once more, on rebuilt structures, and asks what they leave.
    pub(super) fn compare_beyond(&mut self, parents: &[Parent<'_>]) {
        for attempt in std::mem::take(&mut self.beyond) {
            let method = self.method_of(attempt);
            let arguments = method.structure_params().map(|(ty, _)| ty);
            let types = arguments.chain(method.outputs.iter().map(|output| output.ty));
            for (position, ty) in types.enumerate() {
                let Ok(mut slot) = self.left_at(position, attempt, parents) else { break };
                let problem = self.difference_of(&mut slot, ty);
                drop_guarded(slot);
                if let Some(problem) = problem {
                    self.report_call(problem, attempt, parents);
                    break;
                }
            }
        }
    }

    /// Makes a call on rebuilt structures: the structure at this position among those that it
    /// leaves. The others end before that one is looked at.
    fn left_at(
        &mut self,
        position: usize,
        attempt: Attempt,
        parents: &[Parent<'_>],
    ) -> Result<Slot, NothingLeft> {
        let mut frame = self.make_frame(parents).map_err(|_| NothingLeft)?;
        let (method, literals) = (self.method_of(attempt), self.literals_of(attempt));
        let returned = call_guarded(method, &mut frame, literals);
        let mut slots = frame.arguments.iter_mut().chain(&mut frame.results);
        let left = slots.nth(position).and_then(Slot::take);
        drop_frame(frame);
        match returned {
            Ok(Outcome::Returned) => Ok(left),
            _ => {
                drop_guarded(left);
                Err(NothingLeft)
            }
        }
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
            (0..n_tuples).find_map(|tuple| self.difference_by(slot, Attempt { planned, tuple }))
        })
    }

    /// What is different where a method looks at the structure in `slot`.
    fn difference_by(&self, slot: &mut Slot, look: Attempt) -> Option<Problem> {
        let mut frame = Frame { arguments: vec![Some(slot.take()?)], results: Vec::new() };
        let returned = call_guarded(self.method_of(look), &mut frame, self.literals_of(look));
        *slot = frame.arguments.first_mut().and_then(Slot::take);
        let problem = match (returned, frame.breach()) {
            (Ok(Outcome::Broken), Some(breach)) => self.problem_beyond(breach, look),
            _ => None,
        };
        drop_frame(frame);
        problem
    }

    fn problem_beyond(&self, breach: &Breach, look: Attempt) -> Option<Problem> {
        let expected = breach.panic.as_ref();
        if expected.is_some_and(|message| self.plan().misuse.expects(message)) {
            return None;
        }
        let literals = self.literals_of(look).iter();
        let literals: Vec<&str> = literals.map(|literal| &*literal.source).collect();
        let (name, literals) = (self.method_of(look).name, literals.join(", "));
        let message = format!(
            "{}, where `{name}({literals})` is called on what the last call leaves, an integer of \
             which is just out of scope",
            breach.message
        );
        Some(Problem::new(Kind::new(breach.kind), message).with_name(breach.name))
    }
}
