//! `beget show`.

mod before_after;

use std::path::Path;

use crate::records::counted;
use crate::records::picture::{self, ColorBy, Picture};
use beget_args::cli::{General, PictureFormat, SelectionArgs, ShowArgs};
use beget_engine::Corpus;
use beget_plan::scope::Plan;
use beget_search::run::Selection;

use crate::error::CliError;
use crate::generate::search;
use crate::open::open_plan;
use crate::output::prepare_file;
use crate::{Catalog, Exit, print};

pub(crate) fn run(args: &ShowArgs, general: &General, catalog: Catalog) -> Result<Exit, CliError> {
    let (input, plan) = open_plan(&args.scope, &args.run.budgets, catalog, general)?;
    let format = format_of(args)?;
    let color_by = color_by(args, format, &plan)?;
    let output = args.output.as_deref().map(prepare_file).transpose()?;
    let selection = selection_of(&args.selection)?;
    let (plan, is_cut) = selection.cut(plan);
    let (corpus, _) = search(plan, &args.run, general)?;
    input.require_built(&corpus)?;
    let chosen = selection.of(&corpus)?;
    let mut pictures = match args.selection.before_after.as_deref() {
        Some([_, method]) => before_after::pictures(&corpus, chosen[0], method)?,
        _ => {
            let pictures = chosen.into_iter().map(|id| Picture::of(&corpus, id));
            pictures.collect::<Result<Vec<Picture>, _>>()?
        }
    };
    if let Some(color_by) = color_by {
        picture::color(&mut pictures, &color_by);
    }
    let drawn = draw(&pictures, format)?;
    match output {
        Some(output) => output.write(&drawn)?,
        None => print::result(&drawn)?,
    }
    Ok(end(&corpus, general, is_cut))
}

/// The structures to draw; by default one of the last level.
fn selection_of(args: &SelectionArgs) -> Result<Selection, CliError> {
    let number = |text: &String| {
        let number = text.parse().map_err(|_| format!("`{text}` is no number of a structure"));
        number.map(Selection::Number).map_err(CliError::Usage)
    };
    match (&args.before_after.as_deref(), args.id, args.gallery) {
        (Some([text, ..]), ..) => number(text),
        (_, Some(number), _) => Ok(Selection::Number(number)),
        (_, None, Some(n)) => Ok(Selection::Gallery(n as usize)),
        (_, None, None) => Ok(Selection::Last),
    }
}

/// Returns the given format, or that of the file's name, or text.
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

/// The field that objects are coloured by.
fn color_by(
    args: &ShowArgs,
    format: PictureFormat,
    plan: &Plan,
) -> Result<Option<ColorBy>, CliError> {
    let Some(field) = &args.color_by else { return Ok(None) };
    if format == PictureFormat::Text {
        let message = "text has no colours for --color-by: say --format svg or --format dot";
        return Err(CliError::Usage(message.to_owned()));
    }
    let color_by = ColorBy::new(plan.schema(), field);
    color_by.map(Some).map_err(|error| CliError::Usage(error.to_string()))
}

fn draw(pictures: &[Picture], format: PictureFormat) -> Result<String, CliError> {
    Ok(match format {
        PictureFormat::Svg => picture::to_svg(pictures)?,
        PictureFormat::Dot => picture::to_dot(pictures),
        PictureFormat::Text => picture::to_text(pictures),
    })
}

/// Other commands report failures, but a note names them here.
fn end(corpus: &Corpus, general: &General, is_cut: bool) -> Exit {
    let failures = corpus.report.ledger.counters.failures;
    if failures > 0 && !general.quiet {
        let failures = counted(failures, "call");
        print::note(&format!("{failures} failed: `generate` shows them"));
    }
    if corpus.report.is_complete() || is_cut {
        return Exit::Done;
    }
    if !general.quiet {
        print::note(&format!("the run is incomplete: {}", corpus.report.stop_reason));
    }
    Exit::Stopped
}
