//! Runs shared by several processes.

use beget_args::cli::{HostsArg, MachinesArgs};
use beget_engine::Settings;

use crate::open::n_cores;

/// Returns whether this process shows and writes the result of the run.
pub(crate) fn is_first(machines: &MachinesArgs) -> bool {
    let is_later = matches!(machines.hosts, Some(HostsArg::File(_, me)) if me > 0);
    !is_taking_part() && !is_later
}

/// The settings of one of the processes: those of one machine share its cores.
pub(crate) fn share_of(machines: &MachinesArgs, settings: Settings) -> Settings {
    match machines.hosts {
        Some(HostsArg::Local(n)) if settings.threads == 0 => {
            Settings { threads: (n_cores() / n).max(1), ..settings }
        }
        _ => settings,
    }
}

#[cfg(unix)]
mod cluster {
    use std::ffi::OsString;
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::path::{Path, PathBuf};
    use std::process::Command;

    use beget_args::cli::{General, GenerateArgs, HostsArg};
    use beget_backends::cluster::{
        Cluster, ClusterError, DirectoryFault, Hosts, OwnDirectory, StartedProcesses, is_started,
    };
    use beget_backends::disk::{PartOf, PartRecorder};
    use beget_engine::store::{Store, StoreError};
    use beget_engine::{Corpus, Explorer, Settings};
    use beget_plan::scope::Plan;
    use beget_run::Machines;

    use crate::error::CliError;
    use crate::interrupt::is_interrupted;
    use crate::open::{copy_options, store_kind};
    use crate::saving::{
        DirectoryArg, Purpose, SAVE_LIMIT, holds_run, identity_of, steps_of, store_memory,
        tell_going_on, wanted, what_is_left,
    };
    use crate::{Exit, print, stdout};

    /// The processes of a run, including this one.
    pub(crate) struct RunProcesses {
        cluster: Cluster,
        /// The processes started by this one.
        local: Option<StartedProcesses>,
        /// The directory of this process's part.
        directory: Option<PathBuf>,
    }

    /// Returns whether this process was started by another one to take part in its run.
    pub(crate) fn is_taking_part() -> bool {
        is_started()
    }

    impl RunProcesses {
        /// Connects with the other processes, if the arguments name some.
        pub(crate) fn of(
            args: &GenerateArgs,
            plan: &Plan,
            general: &General,
        ) -> Result<Option<Self>, CliError> {
            let Some(hosts) = &args.machines.hosts else { return Ok(None) };
            refuse_others(args, plan)?;
            let wanted = wanted(&args.run)?;
            let run = run_number(args, plan);
            let connected = match hosts {
                HostsArg::Local(_) if is_started() => (Cluster::join(run, is_interrupted), None),
                HostsArg::Local(n) => {
                    let program = std::env::current_exe().map_err(CliError::Workers)?;
                    let command = || {
                        let mut command = Command::new(&program);
                        command.args(std::env::args_os().skip(1));
                        command
                    };
                    match Cluster::start(*n, run, &command, is_interrupted) {
                        Ok((cluster, local)) => (Ok(cluster), Some(local)),
                        Err(error) => (Err(error), None),
                    }
                }
                HostsArg::File(path, me) => {
                    let none = &mut StartedProcesses::default();
                    let hosts = read_hosts(path)?;
                    (Cluster::of_hosts((&hosts, *me), run, none, is_interrupted), None)
                }
                HostsArg::Ssh(path) => {
                    let hosts = read_hosts(path)?;
                    let commands = commands_by_ssh(path, &hosts).map_err(CliError::Workers)?;
                    let mut started =
                        StartedProcesses::of_commands(commands).map_err(CliError::Workers)?;
                    let cluster = Cluster::of_hosts((&hosts, 0), run, &mut started, is_interrupted);
                    (cluster, Some(started))
                }
            };
            let (cluster, local) = connected;
            let cluster = cluster.map_err(to_error)?;
            let mut together = RunProcesses {
                cluster,
                local,
                directory: wanted.map(|wanted| wanted.path().to_owned()),
            };
            if let Some(wanted) = wanted {
                together.save_in(wanted, plan, general)?;
            }
            Ok(Some(together))
        }

        /// Makes each process save its part of the run.
        fn save_in(
            &mut self,
            wanted: DirectoryArg<'_>,
            plan: &Plan,
            general: &General,
        ) -> Result<(), CliError> {
            let own = own_directory(wanted, self.cluster.part_of(), plan);
            let saved = self.cluster.save_in(own, store_memory(plan), plan).map_err(|error| {
                let error = match error {
                    ClusterError::Lost(reason) => {
                        let failure = StoreError::Failed(reason);
                        self.go_on_after(&failure);
                        self.lost(failure)
                    }
                    error => to_error(error),
                };
                match is_started() {
                    true => CliError::Elsewhere(error.exit()),
                    false => error,
                }
            })?;
            if let Some(n_structures) = saved.filter(|_| self.cluster.is_first()) {
                tell_going_on(wanted.path(), n_structures, general);
            }
            Ok(())
        }

        pub(crate) fn machines(&self) -> &dyn Machines {
            &self.cluster
        }

        /// Ends the run: in the first process, `finish` writes the results, and the others send it
        /// what it needs.
        pub(crate) fn finish(
            mut self,
            verbose: bool,
            finish: impl FnOnce() -> Result<Exit, CliError>,
        ) -> Result<Exit, CliError> {
            if !self.cluster.is_first() {
                return self.serve();
            }
            self.cluster.lead();
            let failed = self.cluster.failure();
            if let Some(failure) = &failed {
                self.go_on_after(failure);
            }
            let finished = finish();
            if let Some(failure) = failed.or_else(|| self.cluster.failure()) {
                return Err(self.lost(failure));
            }
            let exit = crate::exit_of(finished);
            let sent = self
                .cluster
                .end(exit as u8)
                .map_err(|failure| CliError::Machines(reason_of(failure)))?;
            if let Some(local) = self.local {
                local.wait();
            }
            if verbose {
                print::note(&format!("the processes sent {sent} bytes to each other"));
            }
            Ok(exit)
        }

        fn serve(self) -> Result<Exit, CliError> {
            let served = match self.cluster.failure() {
                Some(failure) => Err(failure),
                None => self.cluster.serve(),
            };
            match served {
                Ok(exit) => Ok(Exit::of_code(exit)),
                // The process that started this one reports the error, if it still can.
                Err(_) if is_started() && !self.cluster.has_lost_first() => Ok(Exit::Internal),
                Err(failure) => Err(self.lost(failure)),
            }
        }

        /// Begins this program again, to go on from the last save with new processes in place of
        /// those that it has started, if a process was lost. Returns if that is not possible.
        fn go_on_after(&mut self, failure: &StoreError) {
            let n_before = std::env::var(RESTARTS).ok().and_then(|n| n.parse::<u32>().ok());
            let n_restarts = n_before.unwrap_or(0) + 1;
            let own = self.cluster.part_of();
            let is_saved = self.directory.as_ref().is_some_and(|path| own.are_saved(path));
            let is_lost = self.cluster.has_lost_one() && !is_interrupted();
            let may = is_saved && is_lost && n_restarts <= MOST_RESTARTS;
            let (true, Ok(program)) = (may, std::env::current_exe()) else { return };
            let Some(started) = self.local.take() else { return };
            // They listen where new ones will.
            drop(started);
            let reason = reason_of(failure.clone());
            print::note(&format!("{reason}; the run goes on from its last save"));
            let mut command = Command::new(program);
            command.args(going_on(std::env::args_os().skip(1)));
            command.env(RESTARTS, n_restarts.to_string());
            let error =
                stdout::hand_on(&mut command).map_or_else(|error| error, |()| command.exec());
            print::note(&format!("it cannot be begun again: {error}"));
        }

        /// Returns the error for a lost run, with the state from which it can continue.
        fn lost(&self, failure: StoreError) -> CliError {
            let left = match &self.directory {
                Some(path) => what_is_left(path, holds_run(path)),
                None => "there is no checkpoint, so the run has to be made again from its begin"
                    .to_owned(),
            };
            CliError::Machines(format!("{}; {left}", reason_of(failure)))
        }

        /// Prints the place of the last saved state if a process could not save the run.
        pub(crate) fn tell_saved<S: Store>(&self, corpus: &Corpus<S>) {
            if let (None, Some(failure)) =
                (self.cluster.failure(), corpus.report.store_failure.clone())
            {
                match failure {
                    StoreError::CutShort => print::note(&self.lost(failure).to_string()),
                    failure => print::error(&self.lost(failure)),
                }
            }
        }
    }

    /// The environment variable with the number of times that a run was begun again.
    const RESTARTS: &str = "BEGET_CLUSTER_RESTARTS";

    /// A process that is lost again and again is not waited for.
    const MOST_RESTARTS: u32 = 3;

    /// The arguments of a run that goes on from where one with these arguments has saved itself.
    fn going_on(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
        let mut all: Vec<OsString> = Vec::new();
        for argument in arguments {
            let text = argument.to_string_lossy().into_owned();
            let is_of_store = all.last().is_some_and(|last| last == "--store");
            if let Some(path) = text.strip_prefix("--store=disk:") {
                all.extend(["--resume".into(), path.into()]);
            } else if let Some(path) = text.strip_prefix("disk:").filter(|_| is_of_store) {
                all.pop();
                all.extend(["--resume".into(), path.into()]);
            } else if text == "--checkpoint" {
                all.push("--resume".into());
            } else if let Some(path) = text.strip_prefix("--checkpoint=") {
                all.extend(["--resume".into(), path.into()]);
            } else {
                all.push(argument);
            }
        }
        all
    }

    fn read_hosts(path: &Path) -> Result<Hosts, CliError> {
        let name = path.display();
        let text = crate::reading::file_text(path).map_err(|error| {
            CliError::Usage(format!("cannot read the hosts file `{name}`: {error}"))
        })?;
        Hosts::parse(&text).map_err(|error| CliError::Usage(format!("{name}:{error}")))
    }

    /// The commands that start this program on the hosts of a file, in the same directory, with the
    /// same arguments and the number of each process but the first.
    fn commands_by_ssh(path: &Path, hosts: &Hosts) -> io::Result<Vec<Command>> {
        let (program, directory) = (std::env::current_exe()?, std::env::current_dir()?);
        let (program, directory) = (program.to_string_lossy(), directory.to_string_lossy());
        let asked = format!("{}#ssh", path.display());
        let command = |(me, host): (usize, &str)| {
            let words = std::env::args_os().skip(1).map(|argument| {
                let argument = argument.to_string_lossy();
                match argument.strip_suffix(&asked) {
                    Some(option @ ("" | "--hosts=")) => format!("{option}{}#{me}", path.display()),
                    _ => argument.into_owned(),
                }
            });
            let words: Vec<String> = words.map(|word| quoted(&word)).collect();
            let line = format!(
                "cd {} && exec {} {}",
                quoted(&directory),
                quoted(&program),
                words.join(" ")
            );
            let mut command = Command::new("ssh");
            let host = host.trim_start_matches('[').trim_end_matches(']');
            command.args(["-o", "BatchMode=yes", host, &line]);
            command
        };
        Ok(hosts.names().enumerate().skip(1).map(command).collect())
    }

    /// A word as a shell reads it.
    fn quoted(word: &str) -> String {
        format!("'{}'", word.replace('\'', r"'\''"))
    }

    fn reason_of(failure: StoreError) -> String {
        match failure {
            StoreError::Failed(reason) => reason,
            full => full.to_string(),
        }
    }

    /// The state of the directory of process `me` before the run.
    fn own_directory(
        wanted: DirectoryArg<'_>,
        me: PartOf,
        plan: &Plan,
    ) -> Result<OwnDirectory, DirectoryFault> {
        let identity = identity_of(plan, Purpose::Structures);
        let own = match wanted {
            DirectoryArg::New(path, form) => PartRecorder::create(path, me, identity)
                .map(|recorder| match form.is_on_disk() {
                    true => recorder.that_stores(),
                    false => recorder,
                })
                .map(|recorder| OwnDirectory::New(recorder.with_limit(SAVE_LIMIT)))
                .map_err(CliError::from),
            DirectoryArg::Saved(path) => steps_of(path, me, &identity).map(|steps| {
                let (root, limit) = (path.to_path_buf(), SAVE_LIMIT);
                OwnDirectory::Found { root, identity, steps, limit }
            }),
        };
        own.map_err(|error| DirectoryFault {
            message: error.to_string(),
            is_wrong_input: error.exit() == Exit::Usage,
        })
    }

    fn to_error(error: ClusterError) -> CliError {
        match error {
            ClusterError::Usage(message) => CliError::Usage(message),
            error => CliError::Machines(error.to_string()),
        }
    }

    fn usage<T>(message: &str) -> Result<T, CliError> {
        Err(CliError::Usage(message.to_owned()))
    }

    /// Rejects options that cannot be combined with several processes.
    fn refuse_others(args: &GenerateArgs, plan: &Plan) -> Result<(), CliError> {
        if args.supervision.processes.is_some() {
            return usage(
                "`--hosts` and `--processes` do not go together: the calls of a run are either \
                 shared by machines or watched over in worker processes",
            );
        }
        if plan.probe > 0 {
            return usage("`--hosts` does not go together with `probe` in the scope file");
        }
        Ok(())
    }

    /// A number that is equal for equal runs.
    fn run_number(args: &GenerateArgs, plan: &Plan) -> u64 {
        let explorer = Explorer::new(plan, Settings { threads: 1, ..Settings::default() });
        let text = format!(
            "{} {:?} {:?} {:?} {:?}",
            env!("CARGO_PKG_VERSION"),
            plan.budget,
            copy_options(&args.run),
            store_kind(&args.run, None),
            wanted(&args.run).ok().flatten().map(DirectoryArg::form),
        );
        text.bytes().fold(explorer.fingerprint(), |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    }

    #[cfg(test)]
    mod tests {
        use std::ffi::OsStr;

        use super::*;

        #[test]
        fn a_run_that_is_begun_again_resumes_what_it_has_saved() {
            let resumed = |words: &str| {
                let again = going_on(words.split(' ').map(OsString::from));
                again.join(OsStr::new(" ")).into_string().unwrap()
            };
            for directory in
                ["--checkpoint a", "--checkpoint=a", "--store disk:a", "--store=disk:a"]
            {
                let words = format!("generate s.ron -k 8 {directory} --hosts f#ssh -v");
                let expected = "generate s.ron -k 8 --resume a --hosts f#ssh -v";
                assert_eq!(resumed(&words), expected, "{directory}");
            }
            // Other words stay, such as those of a run that was begun again before.
            for words in ["generate disk:a --resume a", "generate s.ron --store exact disk:a"] {
                assert_eq!(resumed(words), words);
            }
        }

        #[test]
        fn a_shell_reads_a_quoted_word_as_it_is() {
            for word in ["", "a b", "it's", "$HOME `id` \\ \"x\" *", "'", "a\nb"] {
                let line = format!("printf %s {}", quoted(word));
                let ended = Command::new("sh").args(["-c", &line]).output().unwrap();
                assert_eq!(String::from_utf8(ended.stdout).unwrap(), word);
            }
        }
    }
}

#[cfg(not(unix))]
mod cluster {
    use beget_args::cli::{General, GenerateArgs};
    use beget_engine::Corpus;
    use beget_engine::store::Store;
    use beget_plan::scope::Plan;
    use beget_run::Machines;

    use crate::Exit;
    use crate::error::CliError;

    /// No other process.
    pub(crate) enum NoMachines {}

    pub(crate) fn is_taking_part() -> bool {
        false
    }

    impl NoMachines {
        pub(crate) fn of(
            args: &GenerateArgs,
            _: &Plan,
            _: &General,
        ) -> Result<Option<Self>, CliError> {
            match args.machines.hosts {
                None => Ok(None),
                Some(_) => {
                    Err(CliError::Usage("`--hosts` needs a system of the Unix family".to_owned()))
                }
            }
        }

        pub(crate) fn machines(&self) -> &dyn Machines {
            match *self {}
        }

        pub(crate) fn tell_saved<S: Store>(&self, _: &Corpus<S>) {
            match *self {}
        }

        pub(crate) fn finish(
            self,
            _: bool,
            _: impl FnOnce() -> Result<Exit, CliError>,
        ) -> Result<Exit, CliError> {
            match self {}
        }
    }
}

#[cfg(not(unix))]
pub(crate) use cluster::NoMachines as RunProcesses;
#[cfg(unix)]
pub(crate) use cluster::RunProcesses;
pub(crate) use cluster::is_taking_part;
