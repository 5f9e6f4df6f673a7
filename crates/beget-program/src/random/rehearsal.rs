//! Rehearsals: the calls of a round, made by a process of its own before this one makes them.
//!
//! A round is a function of its arguments. So a process that dies in the middle of one has found a
//! call that ends processes: it is known by its place in the round, and is not made again, neither
//! by the next process that tries the round nor by this one. What a call does beyond the memory of
//! its process can differ; then it may end this process too.

#[cfg(unix)]
mod processes {
    use std::fs::File;
    use std::io::Read as _;
    use std::os::unix::fs::FileExt as _;
    use std::os::unix::process::CommandExt as _;
    use std::path::PathBuf;
    use std::process::{Child, Command, Stdio};
    use std::sync::{Arc, Mutex, PoisonError};
    use std::time::{Duration, Instant};

    use beget_backends::supervise::{problem_of_exit, problem_of_limit};
    use beget_plan::finding::{Kind, Problem};
    use beget_run::random::{KnownDeath, MINIMIZING};
    use serde::{Deserialize, Serialize};

    use crate::error::CliError;
    use crate::interrupt;

    /// The variable that says which round a process is to try.
    const ROUND: &str = "BEGET_RANDOM_ROUND";

    /// Time between two looks at a process.
    const TICK: Duration = Duration::from_millis(10);

    /// Minimising may take this many times as long as a call.
    const MINIMIZING_FACTOR: f64 = 20.0;

    /// A round in which this many processes died is not made.
    const MOST_DEATHS: usize = 200;

    /// The round that a process is to try.
    #[derive(Debug, Serialize, Deserialize)]
    pub(crate) struct AskedRound {
        pub(super) round: usize,
        /// The file for the position.
        pub(super) position: PathBuf,
        /// Sequence, call, kind and message of the calls that are not made.
        deaths: Vec<(u64, u64, String, String)>,
    }

    impl AskedRound {
        pub(super) fn deaths(&self) -> Vec<KnownDeath> {
            let death = |(sequence, call, kind, message): &(u64, u64, String, String)| KnownDeath {
                sequence: *sequence,
                call: *call,
                problem: Problem::new(Kind::new(kind.clone()), message.clone()),
            };
            self.deaths.iter().map(death).collect()
        }
    }

    /// The round that this process is to try, if it is one that does so.
    pub(crate) fn asked_for() -> Result<Option<AskedRound>, CliError> {
        let Some(asked) = std::env::var_os(ROUND) else { return Ok(None) };
        Ok(Some(serde_json::from_str(&asked.to_string_lossy())?))
    }

    /// Writes the position of a process to its file: the sequence and the call.
    pub(super) fn write_position(file: &File, sequence: u64, call: u64) {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&sequence.to_le_bytes());
        bytes[8..].copy_from_slice(&call.to_le_bytes());
        // A position that is not written makes a death be found one call too early.
        let _ = file.write_at(&bytes, 0);
    }

    fn read_position(file: &File) -> (u64, u64) {
        let mut bytes = [0; 16];
        let _ = file.read_at(&mut bytes, 0);
        let number = |part: &[u8]| u64::from_le_bytes(part.try_into().expect("8 bytes"));
        (number(&bytes[..8]), number(&bytes[8..]))
    }

    /// The sequence of a process that has come to its end.
    pub(super) const DONE: u64 = u64::MAX;

    /// Starts the processes.
    pub(crate) struct RehearsalProcesses {
        program: PathBuf,
        /// Has the files of positions, and is removed with them.
        directory: PathBuf,
        call_seconds: f64,
        call_memory: u64,
    }

    /// The end of a process.
    enum Ended {
        Done,
        Died(Problem),
        Interrupted,
    }

    impl RehearsalProcesses {
        pub(crate) fn new(call_seconds: f64, call_memory: u64) -> Result<Self, CliError> {
            let program = std::env::current_exe().map_err(CliError::Workers)?;
            let name = format!("beget-random-{}", std::process::id());
            let directory = std::env::temp_dir().join(name);
            std::fs::create_dir_all(&directory).map_err(CliError::Workers)?;
            Ok(RehearsalProcesses { program, directory, call_seconds, call_memory })
        }

        /// The calls of a round that end its process; `None` if it does not come to its end without
        /// them.
        pub(crate) fn deaths(&self, round: usize) -> Option<Vec<KnownDeath>> {
            let position = self.directory.join(format!("round-{round}"));
            let mut deaths: Vec<KnownDeath> = Vec::new();
            while deaths.len() < MOST_DEATHS {
                let known = deaths.iter().map(|death| {
                    let Problem { kind, message, .. } = &death.problem;
                    (death.sequence, death.call, kind.name().to_owned(), message.to_string())
                });
                let known = known.collect();
                let asked = AskedRound { round, position: position.clone(), deaths: known };
                let (ended, (sequence, call)) = self.try_round(&asked)?;
                let problem = match ended {
                    Ended::Done => return Some(deaths),
                    Ended::Interrupted => return None,
                    Ended::Died(problem) => problem,
                };
                let is_known = |known: &KnownDeath| {
                    (known.sequence, known.call) == (sequence, call)
                        || known.sequence == MINIMIZING && sequence == MINIMIZING
                };
                if deaths.iter().any(is_known) {
                    return None;
                }
                deaths.push(KnownDeath { sequence, call, problem });
            }
            None
        }

        fn try_round(&self, asked: &AskedRound) -> Option<(Ended, (u64, u64))> {
            let file = File::options()
                .create(true)
                .truncate(true)
                .read(true)
                .write(true)
                .open(&asked.position);
            let file = file.ok()?;
            let mut child = Command::new(&self.program)
                .args(std::env::args_os().skip(1))
                .env(ROUND, serde_json::to_string(asked).ok()?)
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .process_group(0)
                .spawn()
                .ok()?;
            let printed = Arc::<Mutex<Vec<u8>>>::default();
            let reader = child.stderr.take().map(|mut stderr| {
                let printed = printed.clone();
                std::thread::spawn(move || {
                    let mut bytes = [0; 4096];
                    while let Ok(n @ 1..) = stderr.read(&mut bytes) {
                        let mut printed = printed.lock().unwrap_or_else(PoisonError::into_inner);
                        printed.extend_from_slice(&bytes[..n]);
                        let n_over = printed.len().saturating_sub(MOST_PRINTED);
                        printed.drain(..n_over);
                    }
                })
            });
            let ended = self.wait(&mut child, &file);
            if let Some(reader) = reader {
                let _ = reader.join();
            }
            let position = read_position(&file);
            let printed = printed.lock().unwrap_or_else(PoisonError::into_inner);
            let ended = match ended? {
                Waited::Status(_) if position.0 == DONE => Ended::Done,
                Waited::Status(status) => Ended::Died(problem_of_exit(status, &printed)),
                Waited::Stopped(problem) => Ended::Died(problem),
                Waited::Interrupted => Ended::Interrupted,
            };
            Some((ended, position))
        }

        fn wait(&self, child: &mut Child, file: &File) -> Option<Waited> {
            let mut seen = (read_position(file), Instant::now());
            loop {
                if let Some(status) = child.try_wait().ok()? {
                    return Some(Waited::Status(status));
                }
                std::thread::sleep(TICK);
                let position = read_position(file);
                if position != seen.0 {
                    seen = (position, Instant::now());
                }
                let factor = if position.0 == MINIMIZING { MINIMIZING_FACTOR } else { 1.0 };
                let is_late = seen.1.elapsed().as_secs_f64() > self.call_seconds * factor;
                let is_large = resident_mib(child.id()) > self.call_memory;
                let stopped = match (is_late, is_large, interrupt::is_interrupted()) {
                    (false, false, false) => continue,
                    (_, _, true) => Waited::Interrupted,
                    (true, _, _) => Waited::Stopped(problem_of_limit(None)),
                    (_, true, _) => Waited::Stopped(problem_of_limit(Some(self.call_memory))),
                };
                let _ = child.kill();
                let _ = child.wait();
                return Some(stopped);
            }
        }
    }

    enum Waited {
        Status(std::process::ExitStatus),
        Stopped(Problem),
        Interrupted,
    }

    /// Bytes of a process's output that are kept.
    const MOST_PRINTED: usize = 1 << 16;

    impl Drop for RehearsalProcesses {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.directory);
        }
    }

    /// The MiB of memory that a process holds; 0 where the system does not tell.
    fn resident_mib(process: u32) -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
        let pages = text.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok());
        pages.map_or(0, |pages| (pages * 4096) >> 20)
    }
}

#[cfg(unix)]
mod trial {
    use std::fs::File;
    use std::io::Read as _;
    use std::sync::{Arc, Mutex};

    use beget_args::cli::General;
    use beget_oracle::rep_ok::Predicate;
    use beget_plan::scope::Plan;
    use beget_run::random::RandomOptions;
    use beget_run::{Input, Rehearsal, RoundSettings, Watch};

    use super::processes::{AskedRound, DONE, write_position};
    use crate::control::{RunControl, begun};
    use crate::error::CliError;
    use crate::{Exit, exit_guard};

    /// Makes the round that is asked for, in a process that another one watches.
    pub(crate) fn make(
        asked: &AskedRound,
        general: &General,
        input: &Input<'_>,
        rep_oks: &[&Predicate],
        plan: Plan,
        options: RandomOptions,
    ) -> Result<Exit, CliError> {
        exit_guard::stand_down();
        // It does not outlive the process that has started it.
        std::thread::spawn(|| {
            let _ = std::io::stdin().read(&mut [0]);
            exit_guard::leave(0);
        });
        let file = File::options().write(true).open(&asked.position);
        let file = Arc::new(file.map_err(CliError::Workers)?);
        let noted = file.clone();
        let note = move |sequence, call| write_position(&noted, sequence, call);
        let rehearsal = Rehearsal {
            round: asked.round,
            deaths: asked.deaths(),
            note: Mutex::new(Some(Box::new(note))),
        };
        let settings = RoundSettings { rehearsal: Some(rehearsal), ..RoundSettings::default() };
        let control = RunControl::new(plan.budget, begun(&plan), general);
        let watch = Watch::new(plan.budget, &control);
        beget_run::random_on(input, rep_oks, plan, options, settings, &watch);
        control.finish();
        write_position(&file, DONE, 0);
        Ok(Exit::Done)
    }
}

#[cfg(not(unix))]
mod processes {
    use beget_run::random::KnownDeath;

    use crate::error::CliError;

    pub(crate) struct AskedRound;

    pub(crate) fn asked_for() -> Result<Option<AskedRound>, CliError> {
        Ok(None)
    }

    pub(crate) struct RehearsalProcesses;

    impl RehearsalProcesses {
        pub(crate) fn new(_: f64, _: u64) -> Result<Self, CliError> {
            Err(CliError::Usage("`--processes` needs Linux".to_owned()))
        }

        pub(crate) fn deaths(&self, _: usize) -> Option<Vec<KnownDeath>> {
            None
        }
    }
}

#[cfg(not(unix))]
mod trial {
    use beget_args::cli::General;
    use beget_oracle::rep_ok::Predicate;
    use beget_plan::scope::Plan;
    use beget_run::Input;
    use beget_run::random::RandomOptions;

    use super::processes::AskedRound;
    use crate::Exit;
    use crate::error::CliError;

    pub(crate) fn make(
        _: &AskedRound,
        _: &General,
        _: &Input<'_>,
        _: &[&Predicate],
        _: Plan,
        _: RandomOptions,
    ) -> Result<Exit, CliError> {
        Ok(Exit::Done)
    }
}

pub(super) use processes::{RehearsalProcesses, asked_for};
pub(super) use trial::make;
