//! `beget evolve`.

mod plot;

use crate::records::{EvolveSummary, EvolveText, StagedFile};
use beget_plan::finding::StopReason;
use beget_plan::scope::{Budget, Plan};
use beget_run::Watch;
use beget_run::random::{GenePlan, Targets};
use beget_search::evolve::{ChromosomeFile, ChromosomeOrigin, EvolveOptions};
use beget_search::run::{EvolveRun, PointKind};

use crate::args::{EvolveArgs, General, PointsArg, SummaryFormat};
use crate::ci::{CiOutput, CiReport};
use crate::control::{RunControl, begun};
use crate::error::CliError;
use crate::open::open_sequences;
use crate::output::{prepare_drawing, prepare_file};
use crate::{Catalog, Exit, interrupt, print};

pub(crate) fn run(
    args: &EvolveArgs,
    general: &General,
    catalog: Catalog,
) -> Result<Exit, CliError> {
    let (input, plan) = open_sequences(&args.sequences, catalog, general)?;
    let plan = if args.genetics.enrich { plan.enriched() } else { plan };
    let kind = point_kind(args.genetics.points);
    let source = kind.source(&input).ok_or_else(|| no_points(args.genetics.points, &plan))?;
    let files = EvolveFiles::prepare(args)?;
    let ci = CiOutput::prepare(&args.ci)?;
    interrupt::listen();
    let budget = plan.budget;
    let control = RunControl::new(budget, begun(&plan), general);
    let watch = Watch::new(budget, &control);
    let run = beget_search::run::evolve(plan, options(args, budget), source, &watch);
    let resources = control.start().spent();
    control.finish();
    let file = files.write(args, &run)?;
    let summary = EvolveSummary::of(&run, file).with(resources);
    print::summary(&match args.sequences.summary {
        SummaryFormat::Json => serde_json::to_string(&summary)? + "\n",
        SummaryFormat::Text => {
            let (stop_reason, verbosity) = (run.stop_reason, general.verbosity());
            EvolveText { summary: &summary, stop_reason, verbosity }.to_string()
        }
    })?;
    // A search that had all its generations, or made all its calls, has done its job.
    let is_done =
        matches!(run.stop_reason, StopReason::MaxGenerations(_) | StopReason::MaxCalls(_));
    ci.write(&CiReport {
        command: "evolve",
        scope: &args.sequences.file.path,
        header: &summary.header,
        findings: &summary.findings,
        held: Vec::new(),
        is_done,
        seconds: Some(resources.seconds),
        page: ci.page(&summary)?,
    })?;
    Ok(Exit::of(!run.findings.is_empty(), is_done))
}

fn point_kind(points: PointsArg) -> PointKind {
    match points {
        PointsArg::Best => PointKind::Best,
        PointsArg::Blocks => PointKind::Blocks,
        PointsArg::Predicates => PointKind::Predicates,
        PointsArg::Regions => PointKind::Regions,
        PointsArg::Structures => PointKind::Structures,
    }
}

fn no_points(points: PointsArg, plan: &Plan) -> CliError {
    CliError::Usage(match points {
        PointsArg::Regions => {
            "there are no counters of regions: compile this program with RUSTFLAGS=\"-C instrument-coverage\""
                .to_owned()
        }
        _ => format!(
            "there are no marks in the code of `{}`; use other --points, such as `structures`",
            plan.suite.name
        ),
    })
}

fn options(args: &EvolveArgs, budget: Budget) -> EvolveOptions {
    let (genetics, usual) = (&args.genetics, EvolveOptions::default());
    EvolveOptions {
        seed: args.sequences.seed,
        population: genetics.population as usize,
        generations: genetics.generations,
        mutation_rate: genetics.mutation,
        crossover_rate: genetics.crossover,
        retention: genetics.retention,
        islands: genetics.islands as usize,
        coverage_factor: genetics.coverage_factor,
        test_cases: genetics.test_cases,
        max_calls: budget.max_calls.unwrap_or(usual.max_calls),
        targets: if genetics.deep { Targets::Deep } else { Targets::MainType },
        threads: args.threads.unwrap_or(0),
    }
}

/// The files to write.
struct EvolveFiles {
    chromosome: Option<StagedFile>,
    plot: Option<StagedFile>,
}

impl EvolveFiles {
    /// Checks that all can be written.
    fn prepare(args: &EvolveArgs) -> Result<Self, CliError> {
        if let Some(path) = args.output.as_deref().filter(|path| !args.force && path.exists()) {
            let path = path.display();
            return Err(CliError::Usage(format!(
                "`{path}` exists already; --force replaces it, with all that was changed in it by hand"
            )));
        }
        let plot = prepare_drawing(args.plot.as_deref())?;
        let chromosome = args.output.as_deref().map(prepare_file).transpose()?;
        Ok(EvolveFiles { chromosome, plot })
    }

    /// Writes them and returns the path of the chromosome.
    fn write(self, args: &EvolveArgs, run: &EvolveRun) -> Result<Option<String>, CliError> {
        let mut written = None;
        if let (Some(file), Some(chromosome)) = (self.chromosome, chromosome_file(run)) {
            file.write(&chromosome.to_ron())?;
            written = args.output.as_ref().map(|path| path.display().to_string());
        }
        if let Some(file) = self.plot {
            file.write(&plot::to_svg(&run.plan.suite.name, &run.report.generations))?;
        }
        Ok(written)
    }
}

fn chromosome_file(run: &EvolveRun) -> Option<ChromosomeFile> {
    let (chromosome, evaluation) = run.report.best.as_ref()?;
    let origin = ChromosomeOrigin {
        seed: run.options.seed,
        generations: run.report.generations.last().map_or(0, |last| last.number),
        points_are: run.source.unit().to_owned(),
        points: evaluation.points,
        calls: evaluation.calls,
        fitness: evaluation.fitness,
        ratings: evaluation.ratings,
    };
    let genes = GenePlan::new(&run.plan, run.options.targets);
    Some(ChromosomeFile::new(&run.plan, &genes, chromosome, origin))
}
