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
