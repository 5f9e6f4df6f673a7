//! One value that contracts are asked about, and what was seen of it.

use std::any::Any;
use std::cell::Cell;
use std::ops::Deref;
use std::rc::Rc;

use beget_plan::scope::{Plan, PlannedIdx};
use beget_process::guard::guarded;
use beget_suite::{Call, Frame, Literal, Outcome, PlainValue, ReturnValue, without_keys};

use crate::applicable::TypeFacts;
use crate::contract::Unmet;
use crate::text::{TypedText, of_returned};

/// The activity during the check of a contract: its panic may concern another contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Activity {
    /// The check that only this contract makes.
    Own,
    /// A method of the subject. The run has made the same call, and tells of its panic.
    Method,
    /// Iteration.
    Iteration,
    /// `Clone`.
    Clone,
}

/// Most items of an iteration that are looked at.
pub(crate) const MOST_ITEMS: usize = 1_000;

/// The items of an iteration.
#[derive(Debug)]
pub(crate) struct Items {
    /// The items; the first [`MOST_ITEMS`] if there are more.
    pub(crate) texts: Vec<String>,
    /// `size_hint` before each step, and after the last.
    pub(crate) hints: Vec<(usize, Option<usize>)>,
    /// True if it came to its end.
    pub(crate) has_ended: bool,
}

/// A value of the subject that is dropped under a guard of its own. Its destructor is the run's
/// affair, and two of them that panic in one unwinding would abort.
pub(crate) struct GuardedValue(Option<Box<dyn Any>>);

impl GuardedValue {
    pub(crate) fn new(value: Box<dyn Any>) -> Self {
        GuardedValue(Some(value))
    }
}

impl Deref for GuardedValue {
    type Target = dyn Any;

    fn deref(&self) -> &dyn Any {
        self.0.as_deref().expect("it is there until it is dropped")
    }
}

impl Drop for GuardedValue {
    fn drop(&mut self) {
        let value = self.0.take();
        let _ = guarded(|| drop(value));
    }
}

/// A value with what was seen of it.
pub(crate) struct Specimen<'o> {
    pub(crate) facts: &'o TypeFacts,
    plan: &'o Plan,
    step: &'o Cell<Activity>,
    frame: Frame,
    /// The number of the literal that was looked up last.
    literal: Option<usize>,
    items: CachedObservation<Items>,
    copy: CachedObservation<GuardedValue>,
}

impl Drop for Specimen<'_> {
    fn drop(&mut self) {
        self.frame.arguments.drain(..).flatten().map(GuardedValue::new).for_each(drop);
    }
}

/// A cached observation.
enum CachedObservation<T> {
    Not,
    /// It was looked at, and that panicked.
    Nothing,
    Value(Rc<T>),
}

impl<'o> Specimen<'o> {
    pub(crate) fn new(
        facts: &'o TypeFacts,
        plan: &'o Plan,
        step: &'o Cell<Activity>,
        value: Box<dyn Any>,
    ) -> Self {
        let frame = Frame::of(vec![Some(value)]);
        let (items, copy) = (CachedObservation::Not, CachedObservation::Not);
        Specimen { facts, plan, step, frame, literal: None, items, copy }
    }

    /// The value.
    pub(crate) fn value(&self) -> &dyn Any {
        without_keys(self.structure())
    }

    /// The value as calls take it.
    fn structure(&self) -> &dyn Any {
        self.frame.arguments[0].as_deref().expect("no contract takes the value away")
    }

    /// The number of the literal that was looked up last: the one that a verdict is about.
    pub(crate) fn literal(&self) -> Option<usize> {
        self.literal
    }

    /// A method's name.
    pub(crate) fn name_of(&self, planned: PlannedIdx) -> &'static str {
        self.plan.method_name(planned)
    }

    /// Drops the observations, which no longer hold.
    fn forget(&mut self) {
        self.items = CachedObservation::Not;
        self.copy = CachedObservation::Not;
    }

    fn during<R>(&self, step: Activity, work: impl FnOnce() -> R) -> R {
        self.step.set(step);
        let result = work();
        self.step.set(Activity::Own);
        result
    }

    /// The items of iteration.
    pub(crate) fn items(&mut self) -> Result<Rc<Items>, Unmet> {
        match &self.items {
            CachedObservation::Value(items) => return Ok(items.clone()),
            CachedObservation::Nothing => return Err(Unmet::Unasked),
            CachedObservation::Not => self.items = CachedObservation::Nothing,
        }
        let iterate = self.facts.traits.iterate.ok_or(Unmet::Unasked)?;
        let mut seen = Items { texts: Vec::new(), hints: Vec::new(), has_ended: false };
        self.during(Activity::Iteration, || {
            iterate(self.value(), &mut |items| {
                while seen.texts.len() < MOST_ITEMS {
                    seen.hints.push(items.hint());
                    match items.step() {
                        Some(text) => seen.texts.push(text),
                        None => {
                            seen.has_ended = true;
                            seen.hints.push(items.hint());
                            break;
                        }
                    }
                }
            });
        });
        let seen = Rc::new(seen);
        self.items = CachedObservation::Value(seen.clone());
        Ok(seen)
    }

    /// All that iteration gives, if that is not too much.
    pub(crate) fn all_items(&mut self) -> Result<Rc<Items>, Unmet> {
        self.items().and_then(|items| if items.has_ended { Ok(items) } else { Err(Unmet::Unasked) })
    }

    /// A clone.
    pub(crate) fn copy(&mut self) -> Result<Rc<GuardedValue>, Unmet> {
        match &self.copy {
            CachedObservation::Value(copy) => return Ok(copy.clone()),
            CachedObservation::Nothing => return Err(Unmet::Unasked),
            CachedObservation::Not => self.copy = CachedObservation::Nothing,
        }
        let clone = self.facts.clone.ok_or(Unmet::Unasked)?;
        let copy =
            Rc::new(GuardedValue::new(self.during(Activity::Clone, || clone(self.structure()))));
        self.copy = CachedObservation::Value(copy.clone());
        Ok(copy)
    }

    /// A clone as a specimen of its own.
    pub(crate) fn clone_of(&mut self) -> Result<Specimen<'o>, Unmet> {
        let clone = self.facts.clone.ok_or(Unmet::Unasked)?;
        // A panic is reported once.
        self.copy()?;
        let value = self.during(Activity::Clone, || clone(self.structure()));
        Ok(Specimen::new(self.facts, self.plan, self.step, value))
    }

    /// Makes a call of `planned` with literal number `literal` of its one literal parameter.
    fn call(&mut self, planned: PlannedIdx, literal: Option<usize>) -> Result<ReturnValue, Unmet> {
        self.literal = literal;
        let method = self.plan.method(planned);
        let domains = &self.plan.planned(planned).domains;
        let literals: Option<[&Literal; 1]> = literal.map(|literal| [&domains[0][literal]]);
        let literals: &[&Literal] = literals.as_ref().map_or(&[], |literals| literals);
        self.step.set(Activity::Method);
        let (outcome, value) = method.observe(&mut Call::new(&mut self.frame, literals));
        self.frame.results.clear();
        self.step.set(Activity::Own);
        match outcome {
            Outcome::Returned => value.ok_or(Unmet::Unasked),
            // The run has reported the problem of the call, if any.
            Outcome::Error | Outcome::Misuse | Outcome::Broken | Outcome::LongerList => {
                Err(Unmet::Unasked)
            }
        }
    }

    /// Returns the text that a method gives.
    pub(crate) fn plain(
        &mut self,
        planned: PlannedIdx,
        literal: Option<usize>,
    ) -> Result<String, Unmet> {
        match self.call(planned, literal)? {
            ReturnValue::Plain(PlainValue { text: Some(text), .. }) => Ok(text),
            _ => Err(Unmet::Unasked),
        }
    }

    /// Calls a method that returns `bool`.
    pub(crate) fn truth(
        &mut self,
        planned: PlannedIdx,
        literal: Option<usize>,
    ) -> Result<bool, Unmet> {
        self.plain(planned, literal)?.parse().map_err(|_| Unmet::Unasked)
    }

    /// Calls a method that returns an unsigned integer.
    pub(crate) fn number(&mut self, planned: PlannedIdx) -> Result<u128, Unmet> {
        self.plain(planned, None)?.parse().map_err(|_| Unmet::Unasked)
    }

    /// Calls a method that returns an `Option`.
    pub(crate) fn option(
        &mut self,
        planned: PlannedIdx,
        literal: Option<usize>,
    ) -> Result<Option<TypedText>, Unmet> {
        match self.call(planned, literal)? {
            ReturnValue::None => Ok(None),
            ReturnValue::Some(inner) => of_returned(&inner).map(Some).ok_or(Unmet::Unasked),
            _ => Err(Unmet::Unasked),
        }
    }

    /// Like [`Specimen::option`], where what is there has the type of an item.
    pub(crate) fn item(
        &mut self,
        planned: PlannedIdx,
        literal: Option<usize>,
    ) -> Result<Option<String>, Unmet> {
        let found = self.option(planned, literal)?;
        let items = self.facts.items.as_ref().ok_or(Unmet::Unasked)?;
        match found {
            Some(found) if found.ty != items.ty => Err(Unmet::Unasked),
            found => Ok(found.map(|found| found.text)),
        }
    }

    /// Makes a call that changes the value, with a tuple of literals; what was seen of the value is
    /// forgotten. What it returned, if that can be shown.
    pub(crate) fn change(
        &mut self,
        planned: PlannedIdx,
        tuple: usize,
    ) -> Result<Option<ReturnValue>, Unmet> {
        self.literal = Some(tuple);
        self.forget();
        let literals = self.plan.planned(planned).tuple(tuple);
        self.step.set(Activity::Method);
        let method = self.plan.method(planned);
        let (outcome, value) = method.observe(&mut Call::new(&mut self.frame, &literals));
        self.frame.results.clear();
        self.step.set(Activity::Own);
        if outcome == Outcome::Returned { Ok(value) } else { Err(Unmet::Unasked) }
    }
}
