//! A structure before and after a call.

use beget_engine::Corpus;
use beget_engine::store::StructureId;
use beget_run::{Film, FilmMaker, FilmStep};
use beget_search::run::calls_of_method;
use beget_suite::Sequence;

use crate::error::CliError;
use crate::records::picture::Picture;
use crate::records::{StepRecord, marks_of};

/// The two pictures of a call of `wanted` on a structure: a method, or a call with its literals.
pub(super) fn pictures(
    corpus: &Corpus,
    id: StructureId,
    wanted: &str,
) -> Result<Vec<Picture>, CliError> {
    let film = film(corpus, id, wanted)?;
    let Some((call, earlier)) = film.steps.split_last() else {
        return Err(CliError::Usage("there is no call to show".to_owned()));
    };
    let variable = call.variable.as_deref();
    let before = earlier.iter().rev().find(|step| step.variable.as_deref() == variable);
    let changes = StepRecord::of(call).changed;
    let returned = call.returned.clone().unwrap_or_default();
    let captions = [
        vec![format!("before `{}`", call.source)],
        vec![format!("after `{}`", call.source), format!("returned {returned}")],
    ];
    let sides = [(before, true), (Some(call), false)].into_iter().zip(captions);
    let picture = |((step, is_before), caption): ((Option<&FilmStep>, bool), Vec<String>)| {
        let heap = step?.heap.clone()?;
        let marks = marks_of(&changes, variable, is_before);
        Some(Picture::of_heap(id.number(), heap, caption).with_marks(marks))
    };
    let pictures: Vec<Picture> = sides.filter_map(picture).collect();
    match (pictures.is_empty(), film.gap) {
        (true, Some(gap)) => Err(CliError::Usage(gap.to_string())),
        (true, None) => Err(CliError::Usage(format!("`{}` leaves no structure", call.source))),
        (false, _) => Ok(pictures),
    }
}

/// The film of the first wanted call that changes something, else of the first wanted call.
fn film(corpus: &Corpus, id: StructureId, wanted: &str) -> Result<Film, CliError> {
    let (plan, recipe, ty) = (&corpus.plan, corpus.recipe(id)?, corpus.type_of(id)?);
    let method = wanted.split('(').next().unwrap_or(wanted);
    let is_wanted = |calls: &Sequence| {
        let last = calls.to_sources(&plan.suite).pop();
        method == wanted || last.is_some_and(|source| source.contains(&format!(".{wanted}")))
    };
    let mut calls = calls_of_method(plan, &recipe, ty, method);
    calls.retain(is_wanted);
    let mut films = FilmMaker::new(plan);
    let mut first = None;
    for calls in calls {
        let film = films.film_calls(&calls);
        if film.steps.last().is_some_and(|step| !step.changes.is_empty()) {
            return Ok(film);
        }
        first = first.or(Some(film));
    }
    first.ok_or_else(|| {
        let planned = plan.planned_idxs().filter(|idx| plan.planned(*idx).structures == [ty]);
        let names: Vec<String> =
            planned.map(|idx| format!("`{}`", plan.method_name(idx))).collect();
        CliError::Usage(format!(
            "the scope has no call `{wanted}` on this structure alone: its methods are {}",
            names.join(", ")
        ))
    })
}
