//! `-o FILE.tyche.jsonl`: a line for each sequence of a run, while it runs.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use beget_plan::scope::Plan;
use beget_run::random::{EndedSequence, SequenceObserver};

use crate::error::CliError;
use crate::output::prepare_file;
use crate::records::{EmitError, ObservedRun, StagedFile};

/// Bytes of lines that are written at once.
const BUFFER: usize = 1 << 16;

/// Writes the observations of a run.
pub(super) struct ObservationWriter {
    run: ObservedRun,
    lines: Mutex<ObservationLines>,
}

struct ObservationLines {
    /// `None` once it has its name.
    file: Option<StagedFile>,
    pending: String,
    begun: Instant,
    /// The sequences so far.
    n: u64,
    failed: Option<EmitError>,
}

impl ObservationWriter {
    /// Makes sure that the file can be written.
    pub(super) fn prepare(
        path: &Path,
        how_generated: String,
        plan: &Plan,
    ) -> Result<Self, CliError> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let run = ObservedRun {
            suite: (*plan.suite).clone(),
            start: since.map_or(0.0, |since| since.as_secs_f64()),
            how_generated,
        };
        let (file, begun) = (Some(prepare_file(path)?), Instant::now());
        let lines = ObservationLines { file, pending: String::new(), begun, n: 0, failed: None };
        Ok(ObservationWriter { run, lines: Mutex::new(lines) })
    }

    /// Gives the file its name.
    pub(super) fn finish(&self) -> Result<(), CliError> {
        let mut lines = self.lines();
        let pending = std::mem::take(&mut lines.pending);
        if let Some(error) = lines.failed.take() {
            return Err(error.into());
        }
        Ok(lines.file.take().map_or(Ok(()), |file| file.write(&pending))?)
    }

    fn lines(&self) -> MutexGuard<'_, ObservationLines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ObservationLines {
    fn flush(&mut self) -> Result<(), EmitError> {
        let pending = std::mem::take(&mut self.pending);
        self.file.as_mut().map_or(Ok(()), |file| file.append(&pending))
    }
}

impl SequenceObserver for ObservationWriter {
    fn begun(&self) {
        self.lines().begun = Instant::now();
    }

    fn ended(&self, sequence: &EndedSequence) {
        let mut lines = self.lines();
        let seconds = lines.begun.elapsed().as_secs_f64();
        lines.n += 1;
        let line = serde_json::to_string(&self.run.record(lines.n, sequence, seconds));
        lines.pending += &line.expect("it has no maps but those of texts");
        lines.pending.push('\n');
        if lines.pending.len() >= BUFFER && lines.failed.is_none() {
            lines.failed = lines.flush().err();
        }
    }
}
