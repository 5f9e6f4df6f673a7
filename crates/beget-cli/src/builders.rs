//! `beget builders`.

use std::path::Path;

use beget_builders::{
    BuildersFile, Confirmation, Exact, Genetic, Goal, Identification, Search, Settings, Stage,
    confirm, identify,
};
use beget_emit::{BuildersSummary, BuildersText, Measures, StagedFile};
use beget_finding::{Progress, StopReason};
use beget_scope::{MethodsOverride, Overrides, Plan, Resolved};
use beget_suite::Suite;

use crate::args::{BuildersArgs, General, Methods, SearchKind, SummaryFormat};
use crate::control::Control;
use crate::error::CliError;
use crate::open::{Opened, settings, warn};
use crate::output::prepare_file;
use crate::{Exit, interrupt, print};

pub(crate) fn run(
    args: &BuildersArgs,
    general: &General,
    suites: Vec<Suite>,
) -> Result<Exit, CliError> {
    if args.run.budgets.no_state_matching {
        let message = "builders cannot be found without state matching".to_owned();
        return Err(CliError::Usage(message));
    }
    if args.methods == Some(Methods::Builders) {
        let message = "`--methods builders` is what this command finds; name methods, or `all`";
        return Err(CliError::Usage(message.to_owned()));
    }
    let opened = Opened::read(&args.scope, crate::Catalog::new(suites))?;
    let resolved = opened.resolve(&overrides(args, args.k))?;
    let larger = args.confirm_at.iter().map(|&k| opened.resolve(&overrides(args, Some(k))));
    let larger = larger.collect::<Result<Vec<Resolved>, _>>()?;
    warn(&resolved, general);
    let output = args.output.as_deref().map(prepare).transpose()?;
    let (summary, stop_reason) = find(args, general, &resolved, &larger, output)?;
    let exit = exit_of(&summary);
    print::result(&match args.summary {
        SummaryFormat::Json => serde_json::to_string(&summary)? + "\n",
        SummaryFormat::Text => BuildersText { summary: &summary, stop_reason }.to_string(),
    })?;
    Ok(exit)
}

fn overrides(args: &BuildersArgs, k: Option<u32>) -> Overrides {
    let methods = match &args.methods {
        Some(Methods::Only(names)) => MethodsOverride::Only(names.clone()),
        _ => MethodsOverride::WithLiterals,
    };
    Overrides {
        k,
        methods: Some(methods),
        slack: args.slack,
        budget: args.run.budgets.to_budget(),
        state_matching: None,
    }
}

/// A place for the file, which must not be there yet: a certificate is worth more than a moment's search.
fn prepare(path: &Path) -> Result<StagedFile, CliError> {
    if path.symlink_metadata().is_ok() {
        return Err(CliError::Usage(format!(
            "`{}` exists already: name a file that does not exist, or remove it first",
            path.display()
        )));
    }
    Ok(prepare_file(path)?)
}

/// Identifies, confirms, writes the file.
fn find(
    args: &BuildersArgs,
    general: &General,
    resolved: &Resolved,
    larger: &[Resolved],
    output: Option<StagedFile>,
) -> Result<(BuildersSummary, StopReason), CliError> {
    interrupt::listen();
    let plan = &resolved.plan;
    let mut watch = Watch::new(Control::new(plan.budget, general));
    let settings = Settings { engine: settings(&args.run), ..Settings::default() };
    let search = search_of(args);
    let mut summary = BuildersSummary::new(resolved, search);
    let identified = identify(plan, search, settings, &mut |stage| watch.check(stage));
    let stop_reason = match identified {
        Ok(found) => {
            let (confirmed, stop_reason) = confirm_at(larger, plan, &found, settings, &mut watch)?;
            summary.identified(plan, &found, &confirmed);
            if let Some(output) = output {
                output.write(&BuildersFile::new(plan, &found, &confirmed).to_ron())?;
            }
            stop_reason
        }
        Err(stop_reason) => stop_reason,
    };
    summary.ended(stop_reason, &watch.control.start().measure(Measures::default()));
    watch.control.finish();
    Ok((summary, stop_reason))
}

fn search_of(args: &BuildersArgs) -> Search {
    match args.search {
        SearchKind::HillClimbing => Search::HillClimbing,
        SearchKind::Genetic => Search::Genetic(Genetic { seed: args.seed, ..Genetic::default() }),
        SearchKind::Exact => Search::Exact(Exact::default()),
    }
}

/// The confirmations that could be made, and why there are no more.
fn confirm_at(
    larger: &[Resolved],
    plan: &Plan,
    found: &Identification,
    settings: Settings,
    watch: &mut Watch,
) -> Result<(Vec<Confirmation>, StopReason), CliError> {
    let mut confirmed = Vec::new();
    for Resolved { plan: larger, .. } in larger {
        let methods = positions(plan, &found.methods, larger)?;
        let mut check = |progress| watch.check(Stage::Certifying(progress));
        match confirm(larger, &methods, Goal::Everything, settings.engine, &mut check) {
            // Positions are those of the first plan from here on.
            Ok(one) => confirmed.push(Confirmation {
                superfluous: positions(larger, &one.superfluous, plan)?,
                ..one
            }),
            Err(reason) => return Ok((confirmed, reason)),
        }
    }
    Ok((confirmed, StopReason::Exhausted))
}

/// Where methods of one plan are in another: a range that is empty at one k leaves methods out there.
fn positions(plan: &Plan, methods: &[usize], other: &Plan) -> Result<Vec<usize>, CliError> {
    let position = |&method: &usize| {
        let method = plan.methods[method].method;
        let found = other.methods.iter().position(|planned| planned.method == method);
        found.ok_or_else(|| {
            let (name, k) = (plan.suite.methods[method].name, other.k);
            CliError::Usage(format!("at k = {k} the scope has no literals for builder `{name}`"))
        })
    };
    methods.iter().map(position).collect()
}

fn exit_of(summary: &BuildersSummary) -> Exit {
    if summary.is_refuted() || summary.has_failures() {
        Exit::Findings
    } else if summary.complete {
        Exit::Done
    } else {
        Exit::Stopped
    }
}

/// Watches over the generations and the search between them.
struct Watch {
    control: Control,
    last: Progress,
}

impl Watch {
    fn new(control: Control) -> Self {
        Watch { control, last: Progress::default() }
    }

    fn check(&mut self, stage: Stage) -> Option<StopReason> {
        if let Stage::Exploring(progress) | Stage::Certifying(progress) = stage {
            if level_of(progress) < level_of(self.last) || progress.explored < self.last.explored {
                self.control.restart_levels();
            }
            self.last = progress;
        }
        self.control.check(self.last)
    }
}

fn level_of(progress: Progress) -> u32 {
    progress.level.map_or(0, |level| level.number)
}
