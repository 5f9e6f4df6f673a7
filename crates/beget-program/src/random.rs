//! `beget random`.

mod observing;
mod plot;
mod policy;
mod recording;
mod rehearsal;
mod tests_file;

use crate::records::{CoverageRecord, RandomSummary, RandomText, UncoveredRecord};
use beget_args::cli::{General, RandomArgs, StrategyArg};
use beget_plan::scope::{Plan, suggest};
use beget_run::random::{Constants, Direction, Matching, RandomOptions, SequenceObserver};
use beget_run::{DiffPlan, RandomRun, RoundSettings, Watch};
use beget_suite::{Suite, TypeIdx, unpaired_notes};

use crate::ci::{CiOutput, CiReport, HeldClause};
use crate::control::{RunControl, begun};
use crate::error::CliError;
use crate::measure::Start;
use crate::open::{n_cores, open_sequences};
use crate::output::{prepare_drawing, prepare_file};
use crate::report::{PageFigure, PageParts, PageTable};
use crate::{Catalog, Exit, exit_of, interrupt, literals, name, print};

use observing::ObservationWriter;
use policy::{ConstantSource, MatchBy, PolicyFile, RandomPolicy};

/// The number of calls of a run without a budget.
const DEFAULT_CALLS: u64 = 1_000_000;

/// For how many sequences `--strategy swarm` uses the same methods.
const USUAL_SWARM: u32 = 100;

/// The arguments of a run, with the policy that was read.
struct RandomRequest<'r> {
    args: &'r RandomArgs,
    policy: PolicyFile,
    general: &'r General,
    /// The suite that is compared with.
    against: Option<Suite>,
}

pub(crate) fn run(
    args: &RandomArgs,
    general: &General,
    catalog: Catalog,
) -> Result<Exit, CliError> {
    let policy = PolicyFile::read(args.policy.as_deref())?;
    let against = args.compare.as_deref().filter(|name| !is_recording(name));
    let against = against.map(|name| catalog.against(name).cloned()).transpose()?;
    let request = RandomRequest { args, policy, general, against };
    request.check()?;
    match args.compare.as_deref().filter(|name| is_recording(name)) {
        Some(path) if args.recording().is_some() => {
            recording::replay(path.as_ref(), &request, catalog)
        }
        Some(path) => recording::compare(path.as_ref(), &request, catalog),
        None => request.draw(catalog),
    }
}

/// Returns whether the value of `--compare` names a file, not a suite.
fn is_recording(name: &str) -> bool {
    name.ends_with(".jsonl") || std::path::Path::new(name).is_file()
}

impl RandomRequest<'_> {
    /// Refuses what does not go together.
    fn check(&self) -> Result<(), CliError> {
        let RandomArgs { strategy, bounded, sequences, compare, .. } = self.args;
        let policy = &self.policy.policy;
        let is_chromosome = self.policy.is_chromosome();
        let compares = compare.as_deref().map(is_recording);
        let has_tests = self.args.tests().is_some();
        let has_budget = sequences.max_calls.is_some() || sequences.seed != 0;
        let wrong = [
            (is_chromosome && strategy.is_some(), "`--strategy` cannot be used with a chromosome"),
            (is_chromosome && *bounded, "`--bounded` cannot be used with a chromosome"),
            (
                is_chromosome && compares == Some(false),
                "a chromosome cannot be compared with a suite",
            ),
            (*bounded && policy.fuzz.0 > 0.0, "`fuzz` cannot be used with `--bounded`"),
            (compares.is_some() && has_tests, "tests cannot be written with `--compare`"),
            (
                compares == Some(false) && policy.enrich,
                "`enrich` cannot be used with `--compare SUITE`",
            ),
            (
                compares == Some(false) && self.args.recording().is_some(),
                "a recording cannot be made with `--compare SUITE`",
            ),
            (
                compares == Some(true)
                    && (*bounded || strategy.is_some() || has_budget || is_chromosome),
                "a recording says which calls are made: leave out --seed, --max-calls, --strategy, --bounded",
            ),
            (
                compares == Some(true) && self.args.observations().is_some(),
                "a comparison with a recording has no sequences to observe",
            ),
            (
                compares == Some(true) && self.args.plot().is_some(),
                "a comparison with a recording has no course to draw",
            ),
            (
                compares != Some(true) && policy.recorder.is_some(),
                "`recorder` is for `--compare` with a recording",
            ),
        ];
        if let Some((_, message)) = wrong.iter().find(|(is_wrong, _)| *is_wrong) {
            return Err(CliError::Usage((*message).to_owned()));
        }
        match self.args.doubled_output() {
            Some(path) => Err(CliError::Usage(format!(
                "`{}`: one output of each kind can be written",
                path.display()
            ))),
            None => Ok(()),
        }
    }

    /// Makes a run and shows what it came to.
    fn draw(&self, catalog: Catalog) -> Result<Exit, CliError> {
        let RandomRequest { args, general, .. } = *self;
        let (input, plan) = open_sequences(&args.sequences, catalog, general)?;
        let mut plan = self.enriched(plan);
        let mut rep_oks = input.rep_oks(None)?;
        let options = self.options(&plan)?;
        let mut unpaired = Vec::new();
        if let Some(against) = &self.against {
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
        if let Some(rehearsal) = rehearsal::asked_for()? {
            return rehearsal::make(&rehearsal, general, &input, &rep_oks, plan, options);
        }
        let output = tests_file::prepare(args)?;
        let drawing = prepare_drawing(args.plot())?;
        let recorded = args.recording().map(prepare_file).transpose()?;
        let observations = self.observations(&plan)?;
        let finish_observations =
            || observations.as_ref().map_or(Ok(()), ObservationWriter::finish);
        let ci = CiOutput::prepare(&args.ci)?;
        interrupt::listen();
        let budget = plan.budget;
        // No test is run any more where calls do not end.
        let mut rescue = |run: RandomRun, start: &Start| {
            let summary = self.summary_of(&run, &unpaired).with(start.spent());
            exit_of(finish_observations().and_then(|()| self.show(&run, &summary, &ci)))
        };
        let control = RunControl::new(budget, begun(&plan), general);
        let observer = observations.as_ref().map(|one| one as &dyn SequenceObserver);
        let processes = self.processes()?;
        let control = control
            .with_random_rescue(&mut rescue, processes.is_some())
            .with_sequence_observer(observer);
        let watch = Watch::new(budget, &control);
        let rehearse = processes.as_ref().map(|processes| |round| processes.deaths(round));
        let settings = RoundSettings {
            threads: self.n_threads(),
            rehearse: rehearse.as_ref().map(|rehearse| rehearse as _),
            rehearsal: None,
        };
        let run = beget_run::random_on(&input, &rep_oks, plan, options, settings, &watch);
        let resources = control.start().spent();
        finish_observations()?;
        let mut summary = self.summary_of(&run, &unpaired).with(resources);
        if let Some(file) = drawing {
            file.write(&plot::to_svg(&run))?;
        }
        let note = recording::write(recorded, self, &run, (&input, &watch))?;
        summary.notes.extend(note);
        let tests = output.is_some().then(|| self.tests_of(&run, &input, &watch));
        control.finish();
        let summary = match (output, tests) {
            (Some(output), Some(tests)) => tests.write(self, &run, summary, output)?,
            _ => summary,
        };
        self.show(&run, &summary, &ci)
    }

    /// The writer of observations, if they are asked for.
    fn observations(&self, plan: &Plan) -> Result<Option<ObservationWriter>, CliError> {
        let Some(path) = self.args.observations() else { return Ok(None) };
        let strategy = match (self.policy.is_chromosome(), self.args.strategy) {
            (true, _) => "chromosome",
            (false, None | Some(StrategyArg::Feedback)) => "feedback",
            (false, Some(StrategyArg::Undirected)) => "undirected",
            (false, Some(StrategyArg::Swarm)) => "swarm",
            (false, Some(StrategyArg::Guided)) => "guided",
        };
        let how = format!("{strategy}, seed {}", self.args.sequences.seed);
        ObservationWriter::prepare(path, how, plan).map(Some)
    }

    /// The processes that try the calls first, if they are asked for.
    fn processes(&self) -> Result<Option<rehearsal::RehearsalProcesses>, CliError> {
        let RandomPolicy { call_seconds, call_memory, .. } = self.policy.policy;
        let start = |_| rehearsal::RehearsalProcesses::new(call_seconds, call_memory);
        self.args.processes.map(start).transpose()
    }

    fn n_threads(&self) -> usize {
        let n_threads = self.args.threads.or(self.args.processes).unwrap_or_else(n_cores);
        n_threads.max(self.args.processes.unwrap_or(1))
    }

    /// The plan with methods of traits, if they are wanted.
    fn enriched(&self, plan: Plan) -> Plan {
        if self.policy.policy.enrich { plan.enriched() } else { plan }
    }

    fn summary_of(&self, run: &RandomRun, unpaired: &[String]) -> RandomSummary {
        let mut summary = RandomSummary::of(run);
        summary.against = self.against.as_ref().map(|suite| suite.name.clone());
        summary.notes.extend_from_slice(unpaired);
        summary
    }

    /// Prints what a run came to.
    fn show(
        &self,
        run: &RandomRun,
        summary: &RandomSummary,
        ci: &CiOutput,
    ) -> Result<Exit, CliError> {
        let RandomRequest { args, general, .. } = *self;
        let is_done = run.is_done();
        let exit = Exit::of(!run.findings.is_empty(), is_done);
        print::summary(args.sequences.summary, summary, exit, || {
            let first = summary.findings.first();
            let rerun = first.map(|_| self.rerun(summary));
            let (stop_reason, verbosity) = (run.stop_reason, general.verbosity());
            let rerun = rerun.as_deref();
            RandomText { summary, stop_reason, verbosity, rerun }.to_string()
        })?;
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
        Ok(exit)
    }

    fn options(&self, plan: &Plan) -> Result<RandomOptions, CliError> {
        let RandomRequest { args, .. } = *self;
        let RandomPolicy { constants, .. } = &self.policy.policy;
        let policy = &self.policy.policy;
        let swarm = (args.strategy == Some(StrategyArg::Swarm)).then_some(USUAL_SWARM);
        let is_chromosome = self.policy.is_chromosome();
        let is_widening = policy.widen.unwrap_or(policy.ints.is_none());
        Ok(RandomOptions {
            seed: args.sequences.seed,
            max_calls: plan.budget.max_calls.unwrap_or(DEFAULT_CALLS),
            direction: self.direction(plan)?,
            max_length: policy.max_length,
            repetition_rate: policy.repeat.0.0,
            most_repetitions: policy.repeat.1,
            none_ratio: policy.none_ratio.0,
            alias_ratio: policy.alias_ratio.0,
            matching: match policy.matching {
                MatchBy::Form => Matching::Form,
                MatchBy::Equality => Matching::Equality,
                MatchBy::None => Matching::None,
            },
            is_by_calls: policy.by_calls,
            is_bounded: args.bounded,
            max_objects: policy.max_objects,
            constants: Constants {
                has_paper: constants.contains(&ConstantSource::Paper),
                has_returned: constants.contains(&ConstantSource::Returned),
                of_source: self.literals(plan)?,
            },
            fresh_ints: policy.ints.as_ref().map(|ints| ints.0.clone()),
            narrows_ints: policy.vary_range,
            is_widening: is_widening && !is_chromosome,
            fuzz_rate: policy.fuzz.0,
            is_on_demand: policy.on_demand,
            swarm: policy.swarm.or(swarm),
            is_guided: policy.guided || args.strategy == Some(StrategyArg::Guided),
            tries_for_short: policy.prefer_short,
            round: policy.round,
            stops_at_first: policy.stop_at_first,
        })
    }

    /// The literals of the files that the policy names, each with the type whose methods take them.
    fn literals(
        &self,
        plan: &Plan,
    ) -> Result<Vec<(Option<TypeIdx>, beget_suite::Pools)>, CliError> {
        let read = |(ty, path): (&String, &std::path::PathBuf)| {
            let types = &plan.suite.types;
            let found = types.iter().position(|known| known.name == ty.as_str());
            if found.is_none() && ty != "*" {
                let names = types.iter().map(|known| known.name).chain(["*"]);
                let message = format!("the suite has no type `{ty}`");
                return Err(self.policy.mistake(ty, &message, suggest(ty, names)));
            }
            Ok((found.map(TypeIdx::new), literals::read(&self.policy.beside(path), plan)?))
        };
        self.policy.policy.literals.iter().map(read).collect()
    }

    fn direction(&self, plan: &Plan) -> Result<Direction, CliError> {
        Ok(match (self.policy.chromosome(plan)?, self.args.strategy) {
            (Some(chromosome), _) => Direction::Chromosome(chromosome),
            (None, Some(StrategyArg::Undirected)) => Direction::Undirected,
            (None, _) => Direction::Feedback,
        })
    }

    /// The command that makes the run again.
    fn rerun(&self, summary: &RandomSummary) -> String {
        let args = self.args;
        let command = name::command_on("random", &args.sequences.file, summary.header.k);
        let policy = args.policy.as_deref();
        let policy = policy.map(|path| format!(" --policy {}", name::quoted_path(path)));
        let policy = policy.unwrap_or_default();
        let compare = args.compare.as_deref();
        let compare = compare.map(|with| format!(" --compare {}", name::shell_quoted(with)));
        let compare = compare.unwrap_or_default();
        if args.compare.as_deref().is_some_and(is_recording) {
            return format!("{command}{compare}{policy}");
        }
        let strategy = match args.strategy {
            None | Some(StrategyArg::Feedback) => "",
            Some(StrategyArg::Undirected) => " --strategy undirected",
            Some(StrategyArg::Swarm) => " --strategy swarm",
            Some(StrategyArg::Guided) => " --strategy guided",
        };
        let bounded = if args.bounded { " --bounded" } else { "" };
        let is_fatal = summary.findings.first().is_some_and(|first| first.kind.is_fatal());
        let processes = if is_fatal { " --processes 1" } else { "" };
        let (seed, calls) = (summary.seed, summary.explored);
        format!(
            "{command} --seed {seed} --max-calls {calls}{compare}{strategy}{bounded}{policy}{processes}"
        )
    }
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
