//! How the values are made that a sequence begins with.
//!
//! A pooled sequence is extended by calls on values that it leaves. To have these, its calls are
//! made again, or the values are decoded from their forms, which takes less. Decoding is exact
//! where a type can be decoded at all, for one value of a sequence: two may share what no form of
//! one of them shows.

use std::sync::Arc;

use beget_heap::CanonicalForm;
use beget_suite::{TypeIdx, Variable};

use crate::random::live::Live;
use crate::random::rebuild::SequenceRebuilder;
use crate::random::{CallStep, Fragment, PooledValue, SequencePool};

/// The start of a sequence.
#[derive(Clone, Debug)]
pub(crate) struct SequenceStart {
    /// The calls that give its values.
    pub(crate) prefix: Arc<Fragment>,
    /// Those of the values that are needed, to be decoded; `None` if the calls are made.
    decoded: Option<Vec<StartValue>>,
}

/// A value to decode.
#[derive(Clone, Debug)]
struct StartValue {
    variable: Variable,
    ty: TypeIdx,
    /// By which it is made.
    whole: Arc<CanonicalForm>,
    /// Its form in the coding of the plan.
    form: Arc<CanonicalForm>,
}

impl SequenceStart {
    /// The sequences of `values` one after another, by their calls.
    pub(crate) fn by_calls(pool: &SequencePool, values: &[PooledValue]) -> Self {
        let fragment = |&value| pool.sequence(value).fragment.clone();
        let prefix = match values {
            [one] => fragment(one),
            several => Arc::new(Fragment::new(several.iter().map(fragment).collect(), Vec::new())),
        };
        SequenceStart { prefix, decoded: None }
    }

    /// The same, with the values of the variables in `taken` decoded; `None` if one of them cannot
    /// be, or two are values of one sequence.
    pub(crate) fn decoding(
        &self,
        pool: &SequencePool,
        values: &[PooledValue],
        taken: &[Variable],
    ) -> Option<Self> {
        let (mut first, mut decoded) = (0, Vec::with_capacity(values.len()));
        for &value in values {
            let sequence = pool.sequence(value);
            let before = decoded.len();
            for offer in &sequence.offers {
                let variable = offer.variable.counted_from(first);
                if taken.contains(&variable) {
                    let (whole, form) = (offer.whole.clone()?, offer.form.clone());
                    decoded.push(StartValue { variable, ty: offer.ty, whole, form });
                }
            }
            if decoded.len() > before + 1 {
                return None;
            }
            first += sequence.fragment.n_variables();
        }
        Some(SequenceStart { prefix: self.prefix.clone(), decoded: Some(decoded) })
    }

    /// Returns whether the calls are made.
    pub(crate) fn is_by_calls(&self) -> bool {
        self.decoded.is_none()
    }

    /// The form of a value that is decoded.
    pub(crate) fn form_of(&self, variable: Variable) -> Option<&Arc<CanonicalForm>> {
        let mut values = self.decoded.iter().flatten();
        values.find(|value| value.variable == variable).map(|value| &value.form)
    }

    /// Makes the values; `None` if the calls do not go as before, or a form cannot be decoded.
    pub(crate) fn make<'p>(&self, rebuilder: &mut SequenceRebuilder<'p>) -> Option<Live<'p>> {
        let mut live = rebuilder.empty();
        match &self.decoded {
            None => live.replay(&self.prefix).ok()?,
            Some(values) => {
                live.make_room(self.prefix.n_variables());
                for StartValue { variable, ty, whole, .. } in values {
                    live.bind(*variable, *ty, rebuilder.decode(*ty, whole)?);
                }
            }
        }
        Some(live)
    }

    /// Like [`SequenceStart::make`], with some steps made after it that went well before.
    pub(crate) fn make_with<'p>(
        &self,
        steps: &[Arc<CallStep>],
        rebuilder: &mut SequenceRebuilder<'p>,
    ) -> Option<Live<'p>> {
        let mut live = self.make(rebuilder)?;
        steps.iter().try_for_each(|step| live.repeat(0, step)).ok()?;
        Some(live)
    }
}

#[cfg(test)]
mod tests {
    use beget_suite::Binding;

    use super::*;
    use crate::random::growing::known_forms;
    use crate::random::tests::{call, crockery, step_of};
    use crate::random::{LeftValue, OfferedValue, PooledSequence};

    fn form(byte: u8) -> Arc<CanonicalForm> {
        Arc::new(CanonicalForm::from(vec![byte]))
    }

    /// A pool of one sequence that offers both of its variables, of the forms 1 and 2.
    fn pool_of_pairs() -> SequencePool {
        let variables = [0, 1].map(Variable);
        let ty = TypeIdx::new(0);
        let offers = variables.map(|variable| {
            let form = form(variable.0 as u8 + 1);
            OfferedValue { variable, ty, whole: Some(form.clone()), form }
        });
        let bindings = variables.map(|variable| Binding { output: variable.0, variable });
        let mut statement = call(&crockery(), "pair", &[], None);
        statement.bindings = bindings.to_vec();
        let step = Arc::new(CallStep { statement, literals: Vec::new() });
        let fragment = Arc::new(Fragment::new(Vec::new(), vec![step]));
        let mut pool = SequencePool::new(1);
        pool.add(PooledSequence { fragment, offers: offers.to_vec(), is_by_calls: true });
        pool
    }

    #[test]
    fn one_value_of_each_sequence_is_decoded() {
        let pool = pool_of_pairs();
        let values = [0, 1].map(|offer| PooledValue { sequence: 0, offer });
        let by_calls = SequenceStart::by_calls(&pool, &values);
        let decoding = |taken: &[usize]| {
            let taken: Vec<Variable> = taken.iter().map(|&number| Variable(number)).collect();
            by_calls.decoding(&pool, &values, &taken)
        };
        // Variables 0 and 1 are those of the first sequence, 2 and 3 those of the second.
        assert!(decoding(&[0]).is_some() && decoding(&[2]).is_some());
        assert!(decoding(&[0, 1]).is_none() && decoding(&[2, 3]).is_none());
        let start = decoding(&[0, 3]).unwrap();
        assert_eq!([&by_calls, &start].map(SequenceStart::is_by_calls), [true, false]);
        let forms = [0, 1, 2, 3].map(|number| start.form_of(Variable(number)).cloned());
        assert_eq!(forms, [Some(form(1)), None, None, Some(form(2))]);
    }

    #[test]
    fn forms_are_known_of_decoded_values_and_of_those_that_the_last_call_left() {
        let pool = pool_of_pairs();
        let values = [PooledValue { sequence: 0, offer: 1 }];
        let by_calls = SequenceStart::by_calls(&pool, &values);
        let start = by_calls.decoding(&pool, &values, &[Variable(1)]).unwrap();
        let left = [(2, 7), (3, 8)].map(|(number, byte)| LeftValue {
            variable: Variable(number),
            form: form(byte),
            n_objects: 1,
            is_known: false,
        });
        let known = |steps: &[Arc<CallStep>], numbers: &[usize]| {
            let variables: Vec<Variable> = numbers.iter().map(|&number| Variable(number)).collect();
            known_forms(&start, steps, &left, &variables)
        };
        assert_eq!(known(&[], &[1]), Some(vec![form(2)]));
        assert_eq!((known(&[], &[0]), known(&[], &[2])), (None, None));
        let steps = [Arc::new(step_of(0))];
        assert_eq!(known(&steps, &[3, 2]), Some(vec![form(8), form(7)]));
        assert_eq!(known(&steps, &[1]), None);
    }
}
