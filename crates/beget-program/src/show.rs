//! `beget show`.

use std::path::Path;

use beget_emit::picture::{self, Picture};
use beget_engine::Corpus;
use beget_engine::store::{Store, StructureId};
use beget_scope::Plan;
use beget_suite::TypeIdx;

use crate::args::{General, PictureFormat, Selection, ShowArgs};
use crate::error::CliError;
use crate::generate::search;
use crate::open::open_plan;
use crate::output::prepare_file;
use crate::{Catalog, Exit, print};

pub(crate) fn run(args: &ShowArgs, general: &General, catalog: Catalog) -> Result<Exit, CliError> {
    let mut plan = open_plan(&args.scope, &args.run.budgets, catalog, general)?;
    let format = format_of(args)?;
    let output = args.output.as_deref().map(prepare_file).transpose()?;
    let is_cut = cut_after_wanted(&mut plan, &args.selection);
    let (corpus, _) = search(plan, &args.run, general);
    let pictures = select(&corpus, &args.selection)?;
    let pictures: Result<Vec<Picture>, _> =
        pictures.into_iter().map(|id| Picture::of(&corpus, id)).collect();
    let drawn = draw(&pictures?, format)?;
    match output {
        Some(output) => output.write(&drawn)?,
        None => print::result(&drawn)?,
    }
    Ok(end(&corpus, general, is_cut))
}

/// A structure that is named by its number needs no more of the run than what comes before it.
/// Returns whether the run is cut there.
fn cut_after_wanted(plan: &mut Plan, selection: &Selection) -> bool {
    let Some(id) = selection.id else { return false };
    let wanted = u64::from(id) + 1;
    let is_less = plan.budget.max_structures.is_none_or(|most| wanted <= most);
    if is_less {
        plan.budget.max_structures = Some(wanted);
    }
    is_less
}

fn select(corpus: &Corpus, selection: &Selection) -> Result<Vec<StructureId>, CliError> {
    if let Some(id) = selection.id {
        return if id < corpus.store.len() {
            Ok(vec![StructureId(id)])
        } else {
            Err(no_structure(corpus, id))
        };
    }
    let mut reader = corpus.reader();
    let mut main = Vec::new();
    for id in (0..corpus.store.len()).map(StructureId) {
        let is_reported = corpus.plan.slack.is_none() || reader.reported(id)?.is_some();
        if corpus.type_of(id)? == TypeIdx(0) && is_reported {
            main.push(id);
        }
    }
    if main.is_empty() {
        let reason = corpus.report.stop_reason;
        return Err(CliError::Stopped(format!(
            "no structure of the main type was found: {reason}"
        )));
    }
    Ok(match selection.gallery {
        Some(n) => spread(&main, n as usize),
        None => main[main.len() - 1..].to_vec(),
    })
}

fn no_structure(corpus: &Corpus, id: u32) -> CliError {
    let (found, reason) = (corpus.store.len(), corpus.report.stop_reason);
    if corpus.report.is_complete() {
        CliError::Usage(format!(
            "there is no structure {id}: the scope has {found}, counted from 0"
        ))
    } else {
        CliError::Stopped(format!("structure {id} was not reached among {found}: {reason}"))
    }
}

/// `n` of the structures, evenly spread from the first to the last; all if there are fewer.
fn spread(structures: &[StructureId], n: usize) -> Vec<StructureId> {
    if structures.len() <= n || n < 2 {
        return structures[..n.min(structures.len())].to_vec();
    }
    let last = structures.len() - 1;
    (0..n).map(|index| structures[index * last / (n - 1)]).collect()
}

/// The format asked for, or the one that the file's name tells, or text.
fn format_of(args: &ShowArgs) -> Result<PictureFormat, CliError> {
    if let Some(format) = args.format {
        return Ok(format);
    }
    let extension = args.output.as_deref().and_then(Path::extension);
    match extension.map(|extension| extension.to_string_lossy().to_lowercase()).as_deref() {
        Some("svg") => Ok(PictureFormat::Svg),
        Some("dot" | "gv") => Ok(PictureFormat::Dot),
        Some("txt") | None => Ok(PictureFormat::Text),
        Some(other) => Err(CliError::Usage(format!(
            "pictures of type `{other}` are not made: name a file .svg, .dot or .txt, or say --format; other programs \
             turn SVG into other types"
        ))),
    }
}

fn draw(pictures: &[Picture], format: PictureFormat) -> Result<String, CliError> {
    Ok(match format {
        PictureFormat::Svg => picture::to_svg(pictures)?,
        PictureFormat::Dot => picture::to_dot(pictures),
        PictureFormat::Text => picture::to_text(pictures),
    })
}

/// Failures are the business of other commands, but not kept secret.
fn end(corpus: &Corpus, general: &General, is_cut: bool) -> Exit {
    let failures = corpus.report.counters.failures;
    if failures > 0 && !general.quiet {
        print::note(&format!("{failures} calls failed: `generate` shows them"));
    }
    if corpus.report.is_complete() || is_cut {
        return Exit::Done;
    }
    if !general.quiet {
        print::note(&format!("the run is incomplete: {}", corpus.report.stop_reason));
    }
    Exit::Stopped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gallery_is_spread_from_first_to_last() {
        let all: Vec<_> = (0..10).map(StructureId).collect();
        let chosen = spread(&all, 4);
        assert_eq!(chosen.iter().map(|id| id.0).collect::<Vec<_>>(), [0, 3, 6, 9]);
        assert_eq!(spread(&all, 1), [StructureId(0)]);
        assert_eq!(spread(&all, 99).len(), 10);
    }
}
