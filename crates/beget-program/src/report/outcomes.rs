//! The outcomes of calls by method, for a page.
//!
//! A run counts its calls by outcome, not by method. So the calls on some of its structures are
//! made once more, and the table says on how many.

use beget_engine::Corpus;
use beget_engine::store::Store;
use beget_search::run::{LiveCall, LiveOutcome, make_calls_on};

use super::{MOST_LOOKED_AT, PageTable, sample_of};
use crate::records::{counted, grouped};

/// No more structures are taken once this many calls are made.
const MOST_CALLS: usize = 20_000;

/// The outcomes of calls on some structures of a run, by method; `None` if a call of the run ended
/// its process or did not return, or no method takes a structure alone.
pub(crate) fn outcomes_of<S: Store>(corpus: &Corpus<S>) -> Option<PageTable> {
    let mut findings = corpus.report.findings.iter();
    if findings.any(|finding| finding.problem.kind.is_fatal()) {
        return None;
    }
    let plan = &corpus.plan;
    let (mut calls, mut n_structures) = (Vec::new(), 0);
    let sample = sample_of(corpus);
    for &id in &sample {
        if calls.len() >= MOST_CALLS {
            break;
        }
        let (recipe, ty) = (corpus.recipe(id).ok()?, corpus.type_of(id).ok()?);
        calls.extend(make_calls_on(plan, &recipe, ty).calls);
        n_structures += 1;
    }
    let row = |method: &str| {
        let of_method: Vec<&LiveCall> = calls.iter().filter(|call| call.method == method).collect();
        let left_scope = |call: &LiveCall| call.left.iter().any(|left| left.form.is_none());
        let count = |is_meant: &dyn Fn(&LiveCall) -> bool| {
            grouped(of_method.iter().filter(|call| is_meant(call)).count() as u64)
        };
        let ended = |outcome| count(&move |call: &LiveCall| call.outcome == outcome);
        let within = count(&|call| call.outcome == LiveOutcome::Returned && !left_scope(call));
        let numbers = [
            grouped(of_method.len() as u64),
            within,
            count(&left_scope),
            ended(LiveOutcome::Misuse),
            ended(LiveOutcome::Failed),
        ];
        std::iter::once(method.to_owned()).chain(numbers).collect()
    };
    let is_called = |method: &&str| calls.iter().any(|call| call.method == *method);
    let methods = plan.planned_idxs().map(|idx| plan.method_name(idx)).filter(is_called);
    let rows: Vec<Vec<String>> = methods.map(row).collect();
    if rows.is_empty() {
        return None;
    }
    let is_all = n_structures == sample.len() && sample.len() < MOST_LOOKED_AT;
    let title = match is_all {
        true => "Outcomes by method".to_owned(),
        false => format!("Outcomes by method, on {}", counted(n_structures as u64, "structure")),
    };
    let columns = ["method", "calls", "returned", "out of scope", "misuse", "failures"];
    let reading = match corpus.report.is_complete() {
        true => {
            "The calls on structures that are evenly spread over the run; constructors and calls that take a second \
             structure are not among them. A method that never returns within the scope builds nothing."
        }
        false => {
            "The calls on structures that are evenly spread over the run, made for this page: also those that the run \
             did not make before it ended. Constructors and calls that take a second structure are not among them."
        }
    };
    Some(PageTable::of_texts(&title, &columns, rows, reading))
}
