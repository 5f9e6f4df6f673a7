//! Runs whose store drops forms: the plans that allow it, and the note about it.
//!
//! The store decides which forms are dropped; see [`Store::pass`](crate::store::Store).

use std::fmt;

use beget_plan::scope::Plan;

use crate::data::counted::counted_class;
use crate::data::sightings::example_text;
use crate::run::corpus::Corpus;
use crate::store::{Fall, Origin, Store};

/// The reason why a plan needs the forms of all structures to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NeedsForms {
    /// This method takes several structures: each new one with all earlier ones.
    SeveralStructures(String),
    /// There are no objects to count: structures with fewer of them cannot be left behind.
    NoObjects,
    /// The forms decide in the end which structures belong to the scope proper and which to the
    /// slack.
    Slack,
    /// Matched values are extended in the end, together with structures of any level.
    Probes,
}

impl NeedsForms {
    /// The reason for `plan`, if it is known before the run.
    pub fn of(plan: &Plan) -> Option<Self> {
        let takes_several = |idx: &_| plan.planned(*idx).structures.len() > 1;
        if let Some(idx) = plan.planned_idxs().find(takes_several) {
            return Some(NeedsForms::SeveralStructures(plan.method(idx).name.to_string()));
        }
        if counted_class(plan).is_none() {
            return Some(NeedsForms::NoObjects);
        }
        if plan.slack.is_some() {
            return Some(NeedsForms::Slack);
        }
        (plan.probe > 0).then_some(NeedsForms::Probes)
    }
}

impl fmt::Display for NeedsForms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NeedsForms::SeveralStructures(method) => write!(
                f,
                "`{method}` takes several structures, and with each new one all that came before: their forms are \
                 needed to the end"
            ),
            NeedsForms::NoObjects => f.write_str(
                "structures of this suite have no objects that could be counted, so that it cannot be seen which forms \
                 calls have left behind",
            ),
            NeedsForms::Slack => f.write_str(
                "with slack, forms are needed to the end, to tell the structures within the scope from the others",
            ),
            NeedsForms::Probes => {
                f.write_str("`probe` makes calls beside structures of all levels: their forms are needed to the end")
            }
        }
    }
}

impl<S: Store> Corpus<S> {
    /// The number of dropped structures, and the reason why dropping ended; `None` if the store
    /// keeps all.
    pub fn dropping_note(&self) -> Option<String> {
        let Corpus { plan, calls, store, .. } = self;
        let dropped = store.dropped()?;
        let class = counted_class(plan).map(|class| plan.schema().classes()[class].key.name);
        let class = class.unwrap_or("object");
        let n = dropped.structures;
        Some(match &dropped.fall {
            None if n == 0 => format!(
                "no forms were dropped: too few levels have structures with more `{class}` than all before them"
            ),
            None => {
                format!("the forms of {n} structures were dropped: no call takes a `{class}` away")
            }
            Some(fall) => {
                let call = calls.parts(fall.origin.call);
                let name = &plan.method(call.planned).name;
                let so_far = match n {
                    0 => "no forms were dropped".to_owned(),
                    n => format!("the forms of {n} structures were dropped, and no more"),
                };
                let text = format!(
                    "{so_far}: `{name}` leaves {} `{class}` where calls are made on {} or more; leave such methods \
                     out with --methods",
                    fall.objects, fall.least
                );
                let Fall { origin: Origin { call, arguments }, .. } = fall;
                match example_text(plan, calls, store, *call, arguments) {
                    Some(example) => format!("{text}; {example}"),
                    None => text,
                }
            }
        })
    }
}
