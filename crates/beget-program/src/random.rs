//! `beget random`.

mod observing;
mod plot;
mod recording;
mod tests_file;

use std::path::Path;
use std::sync::Arc;

use crate::records::{CoverageRecord, RandomSummary, RandomText, UncoveredRecord};
use beget_plan::finding::StopReason;
use beget_plan::scope::Plan;
use beget_run::random::{
    Chromosome, Constants, Direction, GenePlan, Matching, RandomOptions, SequenceObserver, Targets,
};
use beget_run::{DiffPlan, RandomRun, Watch};
use beget_search::evolve::ChromosomeFile;
use beget_suite::unpaired_notes;

use crate::args::{
    ConstantSource, DrawingArgs, General, MatchArg, RandomArgs, StrategyArg, SummaryFormat,
};
use crate::ci::{CiOutput, CiReport, HeldClause};
use crate::control::{RunControl, begun};
use crate::error::CliError;
use crate::measure::Start;
use crate::open::open_sequences;
use crate::output::{prepare_drawing, prepare_file};
use crate::report::{PageFigure, PageParts, PageTable};
use crate::{Catalog, Exit, exit_of, interrupt, literals, name, print};

use observing::ObservationWriter;
use tests_file::FoundTests;

/// The number of calls of a run without a budget.
const DEFAULT_CALLS: u64 = 1_000_000;

pub(crate) fn run(
    args: &RandomArgs,
    general: &General,
    catalog: Catalog,
) -> Result<Exit, CliError> {
    if let Some(path) = &args.compare {
        return recording::compare(path, args, general, catalog);
    }
    if let Some(path) = &args.replay {
        return recording::replay(path, args, general, catalog);
    }
    let against = args.against.as_ref().map(|name| catalog.against(name).cloned()).transpose()?;
    let (input, plan) = open_sequences(&args.sequences, catalog, general)?;
    let mut plan = enriched(args, plan);
    let mut rep_oks = input.rep_oks(None)?;
    let options = options(args, &plan)?;
    let mut unpaired = Vec::new();
    if let Some(against) = &against {
        // Structures are pairs, which repOKs know nothing of.
        rep_oks.clear();
        let pairs = DiffPlan::new(plan, against)?;
        unpaired = unpaired_notes(
            pairs
                .unpaired()
                .iter()
                .map(|one| (one.suite.as_str(), one.method, one.difference.as_deref())),
        );
        plan = pairs.plan().clone();
    }
    let output = tests_file::prepare(args)?;
    let drawing = prepare_drawing(args.plot.as_deref())?;
    let recorded = args.record.as_deref().map(prepare_file).transpose()?;
    let observations = ObservationWriter::prepare(args, &plan)?;
    let finish_observations = || observations.as_ref().map_or(Ok(()), ObservationWriter::finish);
    let ci = CiOutput::prepare(&args.ci)?;
    interrupt::listen();
    let budget = plan.budget;
    // What a test would show is not run any more where calls do not end.
    let mut rescue = |run: RandomRun, start: &Start| {
        let summary = summary_of(args, &run, &unpaired).with(start.spent());
        exit_of(finish_observations().and_then(|()| show(args, general, &run, &summary, &ci)))
    };
    let control = RunControl::new(budget, begun(&plan), general);
    let observer = observations.as_ref().map(|one| one as &dyn SequenceObserver);
    let control = control.with_random_rescue(&mut rescue).with_sequence_observer(observer);
    let watch = Watch::new(budget, &control);
    let run = beget_run::random(&input, &rep_oks, plan, options, &watch);
    let resources = control.start().spent();
    finish_observations()?;
    let mut summary = summary_of(args, &run, &unpaired).with(resources);
    if let Some(file) = drawing {
        file.write(&plot::to_svg(&run))?;
    }
    let note = recording::write(recorded, args, general, &run, (&input, &watch))?;
    summary.notes.extend(note);
    let tests = output.is_some().then(|| FoundTests::of(args, &run, &input, &watch));
    control.finish();
    let summary = match (output, tests) {
        (Some(output), Some(tests)) => tests.write(args, general, &run, summary, output)?,
        _ => summary,
    };
    show(args, general, &run, &summary, &ci)
}

/// The plan with methods of traits, if they are wanted.
fn enriched(args: &RandomArgs, plan: Plan) -> Plan {
    if args.drawing.enrich { plan.enriched() } else { plan }
}

fn summary_of(args: &RandomArgs, run: &RandomRun, unpaired: &[String]) -> RandomSummary {
    let mut summary = RandomSummary::of(run);
    summary.against.clone_from(&args.against);
    summary.notes.extend_from_slice(unpaired);
    summary
}

/// Prints what a run came to.
fn show(
    args: &RandomArgs,
    general: &General,
    run: &RandomRun,
    summary: &RandomSummary,
    ci: &CiOutput,
) -> Result<Exit, CliError> {
    print::summary(&match args.sequences.summary {
        SummaryFormat::Json => serde_json::to_string(summary)? + "\n",
        SummaryFormat::Text => {
            let first = summary.findings.first();
            let rerun = first.map(|_| rerun(args, summary));
            let (stop_reason, verbosity) = (run.stop_reason, general.verbosity());
            let rerun = rerun.as_deref();
            RandomText { summary, stop_reason, verbosity, rerun }.to_string()
        }
    })?;
    // A run that made the calls that it was to make has done its job.
    let is_done = matches!(run.stop_reason, StopReason::MaxCalls(_) | StopReason::NothingLeft);
    ci.write(&CiReport {
        command: "random",
        scope: &args.sequences.file.path,
        header: &summary.header,
        findings: &summary.findings,
        held: HeldClause::of_contracts(&summary.contracts).collect(),
        is_done,
        seconds: summary.resources.map(|resources| resources.seconds),
        page: page_of(ci, run, summary)?,
    })?;
    Ok(Exit::of(!run.findings.is_empty(), is_done))
}

/// The page of a run: its course, and the marks that it has not come by.
fn page_of(ci: &CiOutput, run: &RandomRun, summary: &RandomSummary) -> Result<PageParts, CliError> {
    if !ci.wants_page() || summary.compared.is_some() {
        return ci.page(summary);
    }
    let course = PageFigure {
        title: "The course of the run",
        svg: plot::to_svg(run),
        reading: "A curve that is flat at its end shows that more calls of this kind bring little.",
    };
    let coverage = summary.coverage.as_ref();
    let uncovered = coverage.filter(|coverage| !coverage.uncovered.is_empty()).map(|coverage| {
        let row = |one: &UncoveredRecord| {
            let unknown = || "unknown".to_owned();
            let place = one.place.clone().unwrap_or_else(unknown);
            vec![place, one.point.to_string(), one.code.clone().unwrap_or_default()]
        };
        let CoverageRecord { covered, known, .. } = coverage;
        PageTable::of_texts(
            &format!("Not covered: {} of {known} marks", known - covered),
            &["place", "mark", "code"],
            coverage.uncovered.iter().map(row).collect(),
            "No call came by these marks in the code. Some may be out of reach of every call.",
        )
    });
    let tables = uncovered.into_iter().collect();
    Ok(PageParts { figures: vec![course], tables, ..ci.page(summary)? })
}

fn options(args: &RandomArgs, plan: &Plan) -> Result<RandomOptions, CliError> {
    let DrawingArgs { constants, literals: file, .. } = &args.drawing;
    let of_source = file.as_deref().map(|path| literals::read(path, plan)).transpose()?;
    let drawing = &args.drawing;
    Ok(RandomOptions {
        seed: args.sequences.seed,
        max_calls: plan.budget.max_calls.unwrap_or(DEFAULT_CALLS),
        direction: direction(drawing, plan)?,
        max_length: drawing.max_length,
        repetition_rate: drawing.repeat.0,
        most_repetitions: drawing.repeat.1,
        none_ratio: drawing.none_ratio,
        alias_ratio: drawing.alias_ratio,
        matching: match drawing.matching {
            MatchArg::Form => Matching::Form,
            MatchArg::Eq => Matching::Equality,
            MatchArg::None => Matching::None,
        },
        is_by_calls: drawing.by_calls,
        is_bounded: drawing.bounded,
        max_objects: drawing.max_objects,
        constants: Constants {
            has_paper: constants.contains(&ConstantSource::Paper),
            has_returned: constants.contains(&ConstantSource::Returned),
            of_source,
        },
        fresh_ints: drawing.ints.clone(),
        narrows_ints: drawing.vary_range,
        fuzz_rate: drawing.fuzz,
        is_on_demand: drawing.on_demand,
        swarm: drawing.swarm(),
        is_guided: drawing.is_guided(),
        tries_for_short: drawing.prefer_short,
    })
}

fn direction(args: &DrawingArgs, plan: &Plan) -> Result<Direction, CliError> {
    Ok(match (&args.chromosome, args.strategy) {
        (Some(path), _) => Direction::Chromosome(Arc::new(read_chromosome(path, plan)?)),
        (None, StrategyArg::Undirected) => Direction::Undirected,
        (None, _) => Direction::Feedback,
    })
}

fn read_chromosome(path: &Path, plan: &Plan) -> Result<Chromosome, CliError> {
    let refused = |reason: &dyn std::fmt::Display| {
        CliError::Usage(format!("cannot use `{}`: {reason}", path.display()))
    };
    let text = std::fs::read_to_string(path).map_err(|error| refused(&error))?;
    let file = ChromosomeFile::from_ron(&text);
    let read = file.and_then(|file| file.to_chromosome(plan, &GenePlan::new(plan, Targets::Deep)));
    read.map_err(|error| refused(&error))
}

/// The command that makes the run again.
fn rerun(args: &RandomArgs, summary: &RandomSummary) -> String {
    let command = name::command_on("random", &args.sequences.file, summary.header.k);
    if let Some(path) = &args.compare {
        let recorder = args.recorder.as_ref();
        let recorder =
            recorder.map(|command| format!(" --recorder {}", name::shell_quoted(command)));
        let path = name::quoted_path(path);
        let enrich = if args.drawing.enrich { " --enrich" } else { "" };
        return format!("{command}{enrich} --compare {path}{}", recorder.unwrap_or_default());
    }
    let (seed, calls) = (summary.seed, summary.explored);
    let drawing = drawing(&args.drawing);
    let against = args.against.as_ref().map(|name| format!(" --against {name}"));
    let against = against.unwrap_or_default();
    format!("{command} --seed {seed} --calls {calls}{against}{drawing}")
}

/// The options of drawing that are not as they are by default.
fn drawing(args: &DrawingArgs) -> String {
    let usual = RandomOptions::default();
    let mut options = String::new();
    let mut add = |is_other: bool, option: String| {
        if is_other {
            options += &format!(" --{option}");
        }
    };
    if let Some(path) = &args.chromosome {
        add(true, format!("chromosome {}", name::quoted_path(path)));
    }
    add(args.strategy == StrategyArg::Undirected, "strategy undirected".to_owned());
    add(args.enrich, "enrich".to_owned());
    add(args.bounded, "bounded".to_owned());
    add(args.by_calls, "by-calls".to_owned());
    add(args.matching == MatchArg::Eq, "match eq".to_owned());
    add(args.matching == MatchArg::None, "match none".to_owned());
    let DrawingArgs { max_length, max_objects, repeat: (rate, most), .. } = args;
    add(*max_length != usual.max_length, format!("max-length {max_length}"));
    add(*max_objects != usual.max_objects, format!("max-objects {max_objects}"));
    let usual_repeat = (usual.repetition_rate, usual.most_repetitions);
    add((*rate, *most) != usual_repeat, format!("repeat {rate},{most}"));
    add(args.none_ratio != usual.none_ratio, format!("none-ratio {}", args.none_ratio));
    add(args.alias_ratio != usual.alias_ratio, format!("alias-ratio {}", args.alias_ratio));
    if let Some(ints) = &args.ints {
        add(true, format!("ints {}..={}", ints.start(), ints.end()));
    }
    add(args.vary_range, "vary-range".to_owned());
    for source in &args.constants {
        let name = match source {
            ConstantSource::Paper => "paper",
            ConstantSource::Returned => "returned",
        };
        add(true, format!("constants {name}"));
    }
    if let Some(path) = &args.literals {
        add(true, format!("literals {}", name::quoted_path(path)));
    }
    add(args.fuzz != usual.fuzz_rate, format!("fuzz {}", args.fuzz));
    add(args.on_demand, "on-demand".to_owned());
    if let Some(period) = args.swarm() {
        add(true, format!("swarm {period}"));
    }
    add(args.is_guided(), "guided".to_owned());
    add(args.prefer_short != usual.tries_for_short, format!("prefer-short {}", args.prefer_short));
    options
}
