//! The suites of the built tests, and handing a command to one of them.

use std::ffi::OsString;
use std::io::Read;
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use beget_args::Exit;
use beget_args::cargo::{ARGUMENTS, SUITES, TEST};
use beget_args::cli::several_suites;

use crate::build::Binary;
use crate::error::Error;
use crate::invocation::suite_of;
use crate::package::Package;

/// How often a command that runs is looked at.
const TICK: Duration = Duration::from_millis(5);

/// The output of a command that has ended.
pub(crate) struct CommandOutput {
    /// Its exit code; none after a signal.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A test binary with suites.
#[derive(Debug)]
pub(crate) struct Program<'p> {
    package: &'p Package,
    binary: Binary,
    suites: Vec<String>,
}

/// The binaries that have suites, each with their names.
pub(crate) fn programs(
    package: &Package,
    binaries: Vec<Binary>,
) -> Result<Vec<Program<'_>>, Error> {
    let mut programs = Vec::new();
    for binary in binaries {
        let program = Program { package, binary, suites: Vec::new() };
        let suites = program.ask()?;
        if let Some(twice) = suites.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::SameName(twice[0].clone()));
        }
        if !suites.is_empty() {
            programs.push(Program { suites, ..program });
        }
    }
    match programs.is_empty() {
        true => Err(Error::NoSuites(package.name.clone())),
        false => Ok(programs),
    }
}

/// The program that has the suite of the scope file. What is wrong with the file any of them tells.
pub(crate) fn of_scope<'a, 'p>(programs: &'a [Program<'p>], scope: &Path) -> &'a Program<'p> {
    let name = suite_of(scope);
    let has_suite =
        |program: &&Program<'_>| name.as_ref().is_some_and(|name| program.suites.contains(name));
    programs.iter().find(has_suite).unwrap_or(&programs[0])
}

/// The program that has the suite of that name, or else the only suite. That a suite is not there
/// any of them tells.
pub(crate) fn of_suite<'a, 'p>(
    programs: &'a [Program<'p>],
    name: Option<&str>,
) -> Result<&'a Program<'p>, Error> {
    let mut names: Vec<&str> =
        programs.iter().flat_map(|one| &one.suites).map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    let name = match (name, &names[..]) {
        (Some(name), _) | (None, &[name]) => name,
        (None, _) => return Err(Error::ManySuites(several_suites(names.iter().copied()))),
    };
    let has_suite = |program: &&Program<'_>| program.suites.iter().any(|suite| suite == name);
    Ok(programs.iter().find(has_suite).unwrap_or(&programs[0]))
}

/// Gives each program the command, one after the other; the first that fails ends it.
pub(crate) fn run_each(
    programs: &[Program<'_>],
    arguments: &[OsString],
) -> Result<ExitCode, Error> {
    let (last, others) = programs.split_last().expect("there is a program");
    for program in others {
        let status = program.start(arguments)?.status();
        let status = status.map_err(|source| program.not_run(source))?;
        if !status.success() {
            let code = status.code().and_then(|code| u8::try_from(code).ok());
            return Ok(code.map_or(Exit::Internal.into(), ExitCode::from));
        }
    }
    last.become_it(arguments)
}

impl Program<'_> {
    /// The names of the suites, in order; none if the binary does not answer.
    fn ask(&self) -> Result<Vec<String>, Error> {
        let (mut answer, out) = std::io::pipe().map_err(|source| self.not_run(source))?;
        let mut command = self.command();
        command.env(SUITES, "1").stdin(out).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|source| self.not_run(source))?;
        // It holds the writing end, without which the answer has an end.
        drop(command);
        let mut text = String::new();
        let _ = answer.read_to_string(&mut text);
        let _ = child.wait();
        Ok(serde_json::from_str(&text).unwrap_or_default())
    }

    /// This process becomes the test binary, so that interrupts and the way it ends are its own.
    pub(crate) fn become_it(&self, arguments: &[OsString]) -> Result<ExitCode, Error> {
        Err(self.not_run(self.start(arguments)?.exec()))
    }

    /// Runs a command of the program, and returns how it ended.
    pub(crate) fn run(&self, arguments: &[OsString]) -> Result<Exit, Error> {
        let status = self.start(arguments)?.status().map_err(|source| self.not_run(source))?;
        let code = status.code().and_then(|code| u8::try_from(code).ok());
        Ok(code.map_or(Exit::Internal, Exit::of_code))
    }

    /// Runs a command of the program, and keeps all that it writes. One that takes longer than
    /// `most` is killed.
    pub(crate) fn capture(
        &self,
        arguments: &[OsString],
        most: Duration,
    ) -> Result<CommandOutput, Error> {
        let not_run = |source| self.not_run(source);
        let (mut answer, out) = std::io::pipe().map_err(not_run)?;
        let mut command = self.start(arguments)?;
        let mut child = command.stdin(out).stderr(Stdio::piped()).spawn().map_err(not_run)?;
        // It holds the writing end, without which the answer has an end.
        drop(command);
        let stderr = child.stderr.take();
        let stderr = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            stderr.map(|mut stderr| stderr.read_to_end(&mut bytes));
            String::from_utf8_lossy(&bytes).into_owned()
        });
        let answer = std::thread::spawn(move || {
            let mut stdout = String::new();
            let _ = answer.read_to_string(&mut stdout);
            stdout
        });
        let start = Instant::now();
        let code = loop {
            if let Some(status) = child.try_wait().map_err(not_run)? {
                break status.code();
            }
            if start.elapsed() >= most {
                let _ = child.kill();
            }
            std::thread::sleep(TICK);
        };
        let [stdout, stderr] = [answer, stderr].map(|text| text.join().unwrap_or_default());
        Ok(CommandOutput { code, stdout, stderr })
    }

    /// The binary with the command to run, its results on our stdout.
    fn start(&self, arguments: &[OsString]) -> Result<Command, Error> {
        let text = |word: &OsString| {
            let not_unicode = || Error::NotUnicode(word.to_string_lossy().into_owned());
            word.to_str().map(str::to_owned).ok_or_else(not_unicode)
        };
        let words: Vec<String> = arguments.iter().map(text).collect::<Result<_, _>>()?;
        let results = std::io::stdout().as_fd().try_clone_to_owned();
        let results = results.map_err(|source| self.not_run(source))?;
        let mut command = self.command();
        command.env(ARGUMENTS, serde_json::to_string(&words)?).stdin(results);
        Ok(command)
    }

    /// Returns the command that runs one test, on the main thread and uncaptured. The output of the
    /// harness is dropped.
    fn command(&self) -> Command {
        let mut command = Command::new(&self.binary.path);
        command
            .args([TEST, "--nocapture", "--test-threads=1"])
            .env_remove("RUST_TEST_THREADS")
            .env_remove("RUST_TEST_SHUFFLE")
            .env("CARGO_MANIFEST_DIR", self.package.dir())
            .stdout(Stdio::null());
        command
    }

    fn not_run(&self, source: std::io::Error) -> Error {
        Error::NoProgram { program: self.binary.path.display().to_string(), source }
    }
}
