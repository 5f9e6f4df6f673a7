//! `beget call`.

use std::io::ErrorKind;
use std::path::Path;

use crate::records::{BenchFile, CallSummary, CallText, CalledRecord, StagedFile, type_graph};
use beget_args::cli::{CallArgs, General, GoalArg};
use beget_plan::finding::StopReason;
use beget_plan::scope::{Budget, Plan, suggest};
use beget_run::Watch;
use beget_search::heuristic::{CallGoal, CallOptions, Repository, TypeGraph, VariedParam};
use beget_search::run::CallRun;

use crate::ci::{CiOutput, CiReport, verdict_record};
use crate::control::{RunControl, begun};
use crate::emit::refuse_foreign;
use crate::error::CliError;
use crate::open::open_sequences;
use crate::output::prepare_file;
use crate::reading::file_text;
use crate::report::{PageParts, PageTable};
use crate::{Catalog, Exit, interrupt, name, print};

pub(crate) fn run(args: &CallArgs, general: &General, catalog: Catalog) -> Result<Exit, CliError> {
    let (_, plan) = open_sequences(&args.sequences, catalog, general)?;
    let known = args.repository.as_deref().map(|path| read_repository(path, &plan)).transpose()?;
    let options = options(args, plan.budget, varied(args, &plan)?);
    let files = CallFiles::prepare(args)?;
    let ci = CiOutput::prepare(&args.ci)?;
    interrupt::listen();
    let budget = plan.budget;
    let control = RunControl::new(budget, begun(&plan), general).without_rescue();
    let watch = Watch::new(budget, &control);
    let run = beget_search::run::call(plan, options, known.as_ref(), &watch);
    let resources = control.start().spent();
    control.finish();
    files.write(args, &run, known)?;
    let summary = CallSummary::of(&run).with(resources);
    // A run that tried everything, or made all its calls, has done its job.
    let is_done = matches!(run.stop_reason, StopReason::NothingLeft | StopReason::MaxCalls(_));
    let is_wrong = !summary.findings.is_empty() || is_done && !summary.not_called.is_empty();
    let exit = Exit::of(is_wrong, is_done);
    print::summary(args.sequences.summary, &summary, exit, || {
        let (stop_reason, verbosity) = (run.stop_reason, general.verbosity());
        CallText { summary: &summary, stop_reason, verbosity }.to_string()
    })?;
    let not_called = summary.not_called.iter().filter(|_| is_done);
    let not_called = not_called.map(|one| {
        let message = format!("`{}` was not called: {}", one.name, one.reason);
        verdict_record("not_called", &one.name, message)
    });
    let findings: Vec<_> = summary.findings.iter().cloned().chain(not_called).collect();
    ci.write(&CiReport {
        command: "call",
        scope: &args.sequences.file.path,
        header: &summary.header,
        findings: &findings,
        held: Vec::new(),
        is_done,
        seconds: Some(resources.seconds),
        page: PageParts { tables: vec![by_effort(&summary)], ..ci.page(&summary)? },
    })?;
    Ok(exit)
}

/// The methods that were called, those that took most first.
fn by_effort(summary: &CallSummary) -> PageTable {
    let mut calls: Vec<_> = summary.calls.iter().collect();
    calls.sort_by_key(|one| std::cmp::Reverse(one.attempts));
    let row = |one: &&CalledRecord| {
        let by = match one.by.as_str() {
            "generated" => "arguments drawn",
            "repository" => "a known call repeated",
            "message" => "repaired by the message of its panic",
            "arguments" => "repaired by other arguments",
            "state" => "repaired by another state",
            other => other,
        };
        let panic = one.first_panic.clone().unwrap_or_default();
        let source = one.source.trim_end().to_owned();
        vec![one.name.clone(), by.to_owned(), panic, source, one.attempts.to_string()]
    };
    let rows = calls.iter().map(row).collect();
    let columns = ["method", "called by", "first panic", "code", "attempts"];
    let reading =
        "A method that took many attempts needs arguments or a state that chance rarely gives.";
    PageTable::of_texts("Methods by what they took", &columns, rows, reading).with_bars("attempts")
}

/// The parameters that `--vary` names.
fn varied(args: &CallArgs, plan: &Plan) -> Result<Vec<VariedParam>, CliError> {
    let refused = |text: &str, message: String, help: Option<String>| {
        let help = help.map(|help| format!("\n{help}")).unwrap_or_default();
        CliError::Usage(format!("cannot vary `{text}`: {message}{help}"))
    };
    let varied = |text: &String| {
        let Some((method_name, param_name)) = text.split_once('.') else {
            return Err(refused(text, "a parameter is named `method.param`".to_owned(), None));
        };
        let mut methods = plan.planned_idxs();
        let Some(method) = methods.find(|idx| plan.method_name(*idx) == method_name) else {
            let help = suggest(method_name, plan.planned_idxs().map(|idx| plan.method_name(idx)));
            return Err(refused(text, format!("no method named `{method_name}` is called"), help));
        };
        let names = || plan.method(method).params.iter().map(|param| param.name);
        let position = names().position(|name| name == param_name).ok_or_else(|| {
            let message = format!("`{method_name}` has no parameter named `{param_name}`");
            refused(text, message, suggest(param_name, names()))
        })?;
        Ok(VariedParam { method, position })
    };
    args.vary.iter().map(varied).collect()
}

fn options(args: &CallArgs, budget: Budget, varied: Vec<VariedParam>) -> CallOptions {
    let usual = CallOptions::default();
    CallOptions {
        seed: args.sequences.seed,
        goal: match args.goal {
            GoalArg::Returns => CallGoal::Returns,
            GoalArg::Ok => CallGoal::Ok,
        },
        max_attempts: args.max_attempts,
        max_calls: budget.max_calls.unwrap_or(usual.max_calls),
        n_samples: args.samples as usize,
        varied,
        max_repeats: args.repeat,
        ..usual
    }
}

/// Reads the repository of earlier runs; an empty one if there is no file yet.
fn read_repository(path: &Path, plan: &Plan) -> Result<Repository, CliError> {
    let refused = |reason: &dyn std::fmt::Display| {
        CliError::Usage(format!("cannot use `{}`: {reason}", path.display()))
    };
    match file_text(path) {
        Ok(text) => Repository::from_ron(&text, &plan.suite).map_err(|error| refused(&error)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Repository::new(&plan.suite)),
        Err(error) => Err(refused(&error)),
    }
}

/// The files to write.
struct CallFiles {
    repository: Option<StagedFile>,
    benches: Option<StagedFile>,
    graph: Option<(StagedFile, GraphFormat)>,
}

/// The drawing of the type graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GraphFormat {
    Svg,
    Dot,
}

impl CallFiles {
    /// Checks that all can be written.
    fn prepare(args: &CallArgs) -> Result<CallFiles, CliError> {
        let format = args.graph.as_deref().map(format_of).transpose()?;
        if let Some(path) = &args.output {
            refuse_foreign(path, args.force)?;
        }
        let prepare = |path: Option<&Path>| path.map(prepare_file).transpose();
        Ok(CallFiles {
            repository: prepare(args.repository.as_deref())?,
            benches: prepare(args.output.as_deref())?,
            graph: prepare(args.graph.as_deref())?.zip(format),
        })
    }

    fn write(
        self,
        args: &CallArgs,
        run: &CallRun,
        known: Option<Repository>,
    ) -> Result<(), CliError> {
        if let Some((file, mut known)) = self.repository.zip(known) {
            known.learn(&run.plan, &run.report);
            file.write(&known.to_ron())?;
        }
        if let Some(file) = self.benches {
            let bench_file = BenchFile { run, command: &command(args, run) };
            file.write(&bench_file.to_text())?;
        }
        if let Some((file, format)) = self.graph {
            let graph = TypeGraph::of(&run.plan);
            file.write(&match format {
                GraphFormat::Svg => type_graph::to_svg(&run.plan, &graph),
                GraphFormat::Dot => type_graph::to_dot(&run.plan, &graph),
            })?;
        }
        Ok(())
    }
}

fn format_of(path: &Path) -> Result<GraphFormat, CliError> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("svg") => Ok(GraphFormat::Svg),
        Some("dot" | "gv") => Ok(GraphFormat::Dot),
        _ => {
            let message =
                format!("name a file .svg or .dot for the graph, not `{}`", path.display());
            Err(CliError::Usage(message))
        }
    }
}

/// The command that repeats the benchmarks.
fn command(args: &CallArgs, run: &CallRun) -> String {
    let mut command = name::command_on("call", &args.sequences.file, run.plan.k);
    command += &format!(" --seed {}", args.sequences.seed);
    if args.goal == GoalArg::Ok {
        command += " --goal ok";
    }
    if args.max_attempts != CallOptions::default().max_attempts {
        command += &format!(" --max-attempts {}", args.max_attempts);
    }
    if args.samples > 1 {
        command += &format!(" --samples {}", args.samples);
    }
    for param in &args.vary {
        command += &format!(" --vary {param}");
    }
    if let Some(repository) = &args.repository {
        command += &format!(" --repository {}", name::quoted_path(repository));
    }
    let output = args.output.as_deref().map(name::quoted_path).unwrap_or_default();
    command + &format!(" -o {output}")
}
