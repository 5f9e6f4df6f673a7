//! `beget evolve`.

mod plot;

use crate::records::{EvolveSummary, EvolveText, StagedFile};
use beget_args::cli::{EvolveArgs, General, PointsArg};
use beget_plan::finding::StopReason;
use beget_plan::scope::{Budget, Plan};
use beget_run::Watch;
use beget_run::random::{GenePlan, Targets};
use beget_search::evolve::{
    ChromosomeFile, ChromosomeOrigin, EvolveOptions, MethodV1, ParamV1, PoolV1,
};
use beget_search::run::{EvolveRun, PointKind};

use crate::ci::{CiOutput, CiReport};
use crate::control::{RunControl, begun};
use crate::error::CliError;
use crate::open::open_sequences;
use crate::output::{prepare_drawing, prepare_file};
use crate::report::{PageFigure, PageParts, PageTable, PageText};
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
    let control = RunControl::new(budget, begun(&plan), general).without_rescue();
    let watch = Watch::new(budget, &control);
    let run = beget_search::run::evolve(plan, options(args, budget), source, &watch);
    let resources = control.start().spent();
    control.finish();
    let file = files.write(args, &run)?;
    let summary = EvolveSummary::of(&run, file).with(resources);
    // A search that had all its generations, or made all its calls, has done its job.
    let is_done =
        matches!(run.stop_reason, StopReason::MaxGenerations(_) | StopReason::MaxCalls(_));
    let exit = Exit::of(!run.findings.is_empty(), is_done);
    print::summary(args.sequences.summary, &summary, exit, || {
        let (stop_reason, verbosity) = (run.stop_reason, general.verbosity());
        EvolveText { summary: &summary, stop_reason, verbosity }.to_string()
    })?;
    let figures = vec![PageFigure {
        title: "Fitness by generation",
        svg: plot::to_svg(&run.plan.suite.name, &run.report.generations),
        reading: "The area around the mean is the standard deviation of the survivors. Where it is narrow and the best \
                  no longer rises, more generations bring little.",
    }];
    let genes = chromosome_file(&run).map(|file| genes_of(&file)).unwrap_or_default();
    ci.write(&CiReport {
        command: "evolve",
        scope: &args.sequences.file.path,
        header: &summary.header,
        findings: &summary.findings,
        held: Vec::new(),
        is_done,
        seconds: Some(resources.seconds),
        page: PageParts { figures, tables: genes.tables, texts: genes.texts, ..ci.page(&summary)? },
    })?;
    Ok(exit)
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
        if let Some(path) = args.output.as_deref().filter(|path| !args.force && path.is_file()) {
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

/// The genes of a chromosome, for a page.
fn genes_of(file: &ChromosomeFile) -> PageParts {
    let method = |(name, genes): (&String, &MethodV1)| {
        let param = |(name, param): (&String, &ParamV1)| format!("{name}: {}", param.pools);
        let params: Vec<String> = genes.params.iter().map(param).collect();
        vec![name.clone(), params.join(", "), genes.weight.to_string()]
    };
    let mut methods: Vec<Vec<String>> = file.methods.iter().map(method).collect();
    methods.sort_by_key(|row| std::cmp::Reverse(row[2].parse::<u32>().unwrap_or(0)));
    let methods = PageTable::of_texts(
        &format!("Genes of the best: methods, {} calls a test case", file.calls),
        &["method", "pools of its parameters", "weight"],
        methods,
        "A method is called in proportion to its weight. A digit stands for each pool that an argument may come from: \
         1 if it is used.",
    );
    let pools = file.pools.iter().flat_map(|(ty, pools)| {
        let row = move |(number, pool): (usize, &PoolV1)| {
            vec![ty.clone(), number.to_string(), pool.values.to_string(), pool.bounds.to_string()]
        };
        (1..).zip(pools).map(row)
    });
    let pools = PageTable::of_texts(
        "Genes of the best: value pools",
        &["type", "pool", "values", "bounds"],
        pools.collect(),
        "Values of a small pool, or within narrow bounds, meet each other more often.",
    );
    let text = PageText {
        title: "The chromosome",
        text: file.to_ron(),
        reading: "`random --policy FILE` draws its calls by these genes.",
    };
    PageParts {
        tables: vec![methods.with_bars("weight"), pools],
        texts: vec![text],
        ..PageParts::default()
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
