//! Recordings of one version of a crate, and their comparison with another.

use std::cell::RefCell;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::records::{ComparedRecord, RandomSummary, RecordingFile, StagedFile};
use beget_plan::scope::{MethodsOverride, Overrides, Plan};
use beget_run::{Input, RandomRun, Watch};
use beget_search::run::{RecordedSequence, compare_recording, record, replay_all};
use beget_suite::{Sequence, Suite};

use crate::ci::CiOutput;
use crate::control::{RunControl, begun};
use crate::emit::tell_left_out;
use crate::error::CliError;
use crate::open::open_sequences;
use crate::output::{Trial, prepare_file};
use crate::random::RandomRequest;
use crate::reading::file_text;
use crate::{Catalog, Exit, interrupt, print};

/// The plan with all methods, if the scope has literals for all: those that take no part may tell
/// something of structures.
pub(super) fn observing_plan(request: &RandomRequest<'_>, input: &Input<'_>, plan: &Plan) -> Plan {
    let methods = Some(MethodsOverride::All);
    let k = request.args.sequences.file.k;
    let all = input.resolve(&Overrides { k, methods, ..Overrides::default() });
    all.map_or_else(|_| plan.clone(), |all| request.enriched(all.plan))
}

/// Writes what the sequences of a run did, if that is wanted.
pub(super) fn write(
    file: Option<StagedFile>,
    request: &RandomRequest<'_>,
    run: &RandomRun,
    (input, watch): (&Input<'_>, &Watch<'_>),
) -> Result<Option<String>, CliError> {
    let Some(file) = file else { return Ok(None) };
    let recording = record(run, &observing_plan(request, input, &run.plan), watch);
    tell_left_out(&recording.left_out, request.general);
    file.write(&RecordingFile::of(&run.plan.suite, &recording.sequences).to_text()?)?;
    Ok(Some(format!("{} sequences are recorded", recording.sequences.len())))
}

/// Makes the calls of a file, in place of drawing them, and writes what they do.
pub(super) fn replay(
    path: &Path,
    request: &RandomRequest<'_>,
    catalog: Catalog,
) -> Result<Exit, CliError> {
    let (plan, (sequences, _)) = open_recording(path, request, catalog)?;
    let output = prepare_file(request.args.recording().expect("the caller has seen it"))?;
    let sequences = sequences.into_iter().map(|one| one.calls).collect();
    let recorded = replay_all(&plan, sequences);
    output.write(&RecordingFile::of(&plan.suite, &recorded).to_text()?)?;
    print::result(&format!("{} sequences are recorded\n", recorded.len()))?;
    Ok(Exit::Done)
}

/// Makes the calls of a recording again and shows what they do differently.
pub(super) fn compare(
    path: &Path,
    request: &RandomRequest<'_>,
    catalog: Catalog,
) -> Result<Exit, CliError> {
    let (plan, (recorded, missing)) = open_recording(path, request, catalog)?;
    let recorder = RecordingProgram {
        request,
        k: plan.k,
        path,
        suite: plan.suite.clone(),
        failed: RefCell::default(),
    };
    if recorder.command().is_some() && recorder.ask(&[]).is_none() {
        recorder.outcome()?;
    }
    let ci = CiOutput::prepare(&request.args.ci)?;
    interrupt::listen();
    let control = RunControl::new(plan.budget, begun(&plan), request.general);
    let watch = Watch::new(plan.budget, &control);
    let found = compare_recording(plan, &recorded, &|asked| recorder.ask(asked), &watch);
    recorder.outcome()?;
    let resources = control.start().spent();
    let run = found.into_run();
    let mut summary = RandomSummary::of(&run).with(resources);
    control.finish();
    "recording".clone_into(&mut summary.strategy);
    summary.compared = Some(ComparedRecord {
        recording: path.display().to_string(),
        sequences: run.report.sequences as usize,
        calls: summary.explored,
    });
    if !missing.is_empty() {
        summary.notes.push(format!("only in the recording: {}", missing.join(", ")));
    }
    request.show(&run, &summary, &ci)
}

/// The sequences of a file, and the methods of it that are not there any more.
type ReadRecording = (Vec<RecordedSequence>, Vec<String>);

/// A recording with the plan that its calls are made by.
fn open_recording(
    path: &Path,
    request: &RandomRequest<'_>,
    catalog: Catalog,
) -> Result<(Plan, ReadRecording), CliError> {
    let (input, plan) = open_sequences(&request.args.sequences, catalog, request.general)?;
    let plan = request.enriched(plan);
    let plan = observing_plan(request, &input, &plan);
    let recording = read(path, &plan.suite)?;
    Ok((plan, recording))
}

fn read(path: &Path, suite: &Suite) -> Result<ReadRecording, CliError> {
    let refused = |reason: &dyn std::fmt::Display| {
        CliError::Usage(format!("cannot use `{}`: {reason}", path.display()))
    };
    let text = file_text(path).map_err(|error| refused(&error))?;
    let file = RecordingFile::read(&text).map_err(|error| refused(&error))?;
    file.sequences(suite).map_err(|error| refused(&error))
}

/// The program that recorded, which can be asked what other calls do.
struct RecordingProgram<'r> {
    request: &'r RandomRequest<'r>,
    k: u32,
    /// The recording: questions and answers stand beside it for a while.
    path: &'r Path,
    suite: std::sync::Arc<Suite>,
    /// Why it could not be asked.
    failed: RefCell<Option<CliError>>,
}

impl RecordingProgram<'_> {
    /// The program with its first arguments, if the policy names it.
    fn command(&self) -> Option<&str> {
        self.request.policy.policy.recorder.as_deref()
    }

    /// The results of the calls of some sequences there; `None` if it cannot be asked.
    fn ask(&self, sequences: &[Sequence]) -> Option<Vec<RecordedSequence>> {
        let command = self.command().filter(|_| self.failed.borrow().is_none())?;
        let answers = self.try_ask(command, sequences);
        answers.map_err(|error| self.failed.replace(Some(error))).ok()
    }

    fn try_ask(
        &self,
        command: &str,
        sequences: &[Sequence],
    ) -> Result<Vec<RecordedSequence>, CliError> {
        let beside = |what: &str| {
            let path = std::path::absolute(self.path)?;
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let name = format!(".{name}.{}.{what}.jsonl", std::process::id());
            Ok::<_, std::io::Error>(path.with_file_name(name))
        };
        let failed = |reason: String| CliError::Usage(format!("cannot ask `{command}`: {reason}"));
        let [questions, answers] = [beside("questions"), beside("answers")];
        let [questions, answers] = [questions?, answers?];
        let asked = |calls: &Sequence| RecordedSequence { calls: calls.clone(), did: Vec::new() };
        let asked: Vec<_> = sequences.iter().map(asked).collect();
        let text = RecordingFile::of(&self.suite, &asked).to_text()?;
        let _questions = Trial::write(&questions, &text)?;
        let _answers = Trial::write(&answers, "")?;
        let mut words = command.split_whitespace();
        let program = words.next().unwrap_or_default();
        let scope = &self.request.args.sequences.file.path;
        let run = Command::new(program)
            .args(words)
            .arg("random")
            .arg(std::path::absolute(scope)?)
            .args(["-k", &self.k.to_string(), "--quiet", "--compare"])
            .arg(&questions)
            .arg("-o")
            .arg(&answers)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .output();
        let run = run.map_err(|error| failed(error.to_string()))?;
        if !run.status.success() {
            let said = String::from_utf8_lossy(&run.stderr);
            let said = said.lines().last().unwrap_or("it says nothing").trim().to_owned();
            return Err(failed(said));
        }
        let (answered, _) = read(&answers, &self.suite)?;
        match answered.len() == sequences.len() {
            true => Ok(answered),
            false => Err(failed("it does not answer".to_owned())),
        }
    }

    /// Returns an error if one of the requests failed.
    fn outcome(&self) -> Result<(), CliError> {
        self.failed.take().map_or(Ok(()), Err)
    }
}
