//! Building the tests of a package with the command line in them.

use std::io::BufReader;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use beget_args::cargo::CargoArgs;
use cargo_metadata::diagnostic::DiagnosticLevel;
use cargo_metadata::{CompilerMessage, Message};

use crate::error::Error;
use crate::package::{Package, cargo};

/// Optimised, but with the checks of a development build: those of std and of the crate itself are
/// what finds faults. It says all it means, so that a profile of the manifest cannot undo it.
const PROFILE: [&str; 9] = [
    "inherits = \"dev\"",
    "opt-level = 3",
    "debug = \"line-tables-only\"",
    "debug-assertions = true",
    "overflow-checks = true",
    "incremental = false",
    "codegen-units = 16",
    // Places in dependencies are of no use to who tests a crate; panics tell theirs all the same.
    "package.\"*\".debug = false",
    // It packs structures on disk alone, and takes the C compiler half as long as with 3.
    "package.zstd-sys.opt-level = 1",
];

/// Crates of the command line in which no run spends its time: to optimise them takes longer than
/// they will ever save.
const NOT_OPTIMISED: [&str; 16] = [
    "anstream",
    "beget-args",
    "beget-program",
    "clap",
    "clap_builder",
    "clap_complete",
    "clap_lex",
    "clap_mangen",
    "console",
    "indicatif",
    "layout-rs",
    "roff",
    "ron",
    "syn",
    "terminal_size",
    "tiny_http",
];

/// The settings of the profile.
fn settings() -> impl Iterator<Item = String> {
    let all = PROFILE.iter().map(|setting| (*setting).to_owned());
    all.chain(NOT_OPTIMISED.iter().map(|name| format!("package.{name}.opt-level = 0")))
}

fn with_profile(command: &mut Command) {
    command.args(["--profile", "beget"]);
    for setting in settings() {
        command.arg("--config").arg(format!("profile.beget.{setting}"));
    }
}

/// A built test binary.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Binary {
    /// The library comes first, then the rest by name.
    is_other: bool,
    name: String,
    pub(crate) path: PathBuf,
}

/// The result of a build.
enum Built {
    Well(Vec<Binary>),
    /// The crate has an allocator of its own.
    TwoAllocators,
    Badly,
}

/// Builds the test binaries of the package.
pub(crate) fn build(
    package: &Package,
    options: &CargoArgs,
    quiet: bool,
) -> Result<Vec<Binary>, Error> {
    let both = ["command-line", "region-allocator"];
    let built = match run(package, options, quiet, &both)? {
        Built::TwoAllocators => {
            anstream::eprintln!(
                "note: package `{}` has an allocator of its own: there are no region images",
                package.name
            );
            run(package, options, quiet, &both[..1])?
        }
        built => built,
    };
    match built {
        Built::Well(mut binaries) => {
            binaries.sort();
            Ok(binaries)
        }
        Built::TwoAllocators | Built::Badly => Err(Error::Build(package.name.clone())),
    }
}

fn run(
    package: &Package,
    options: &CargoArgs,
    quiet: bool,
    features: &[&str],
) -> Result<Built, Error> {
    let features = features.iter().map(|feature| format!("{}/{feature}", package.beget));
    let features = features.collect::<Vec<_>>().join(",");
    let mut command = cargo();
    command.args(["test", "--no-run", "--message-format", "json", "--features", &features]);
    command.arg("--target-dir").arg(&package.target);
    match &options.profile {
        Some(profile) => {
            command.args(["--profile", profile]);
        }
        None => with_profile(&mut command),
    }
    command.args(options.selection());
    match options.targets() {
        // Without the examples, which are built for tests otherwise.
        targets if targets.is_empty() => command.arg("--tests"),
        targets => command.args(targets),
    };
    if options.package.is_none() {
        command.args(["--package", &package.name]);
    }
    if quiet {
        command.arg("--quiet");
    }
    if !options.offline && is_at_hand(package, options, &features) {
        command.arg("--offline");
    }
    follow(command)
}

/// Returns whether all that the build needs is on this machine. Cargo.lock does not have what only
/// our features need, so Cargo would otherwise ask the registry for it each time.
fn is_at_hand(package: &Package, options: &CargoArgs, features: &str) -> bool {
    let mut command = cargo();
    command.args(["metadata", "--format-version", "1", "--offline", "--features", features]);
    command.arg("--manifest-path").arg(&package.manifest);
    if options.locked {
        command.arg("--locked");
    }
    let ended = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    ended.is_ok_and(|status| status.success())
}

/// Runs Cargo and reads what it says. Its progress and the compiler's errors go to stderr.
fn follow(mut command: Command) -> Result<Built, Error> {
    let mut cargo =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(Error::NoCargo)?;
    let stdout = BufReader::new(cargo.stdout.take().expect("it is piped"));
    let mut binaries = Vec::new();
    let mut has_two_allocators = false;
    for message in Message::parse_stream(stdout) {
        match message.map_err(Error::NoCargo)? {
            Message::CompilerArtifact(artifact) if artifact.profile.test => {
                let is_other = !artifact.target.is_lib();
                let name = artifact.target.name;
                binaries.extend(artifact.executable.map(|path| Binary {
                    is_other,
                    name,
                    path: path.into(),
                }));
            }
            Message::CompilerMessage(CompilerMessage { message, .. }) => {
                has_two_allocators |= message.message.contains("conflicts with global allocator");
                let is_error =
                    matches!(message.level, DiagnosticLevel::Error | DiagnosticLevel::Ice);
                if is_error && !has_two_allocators {
                    eprint!("{}", message.rendered.unwrap_or(message.message));
                }
            }
            _ => {}
        }
    }
    let status = cargo.wait().map_err(Error::NoCargo)?;
    Ok(match status.success() {
        true => Built::Well(binaries),
        false if has_two_allocators => Built::TwoAllocators,
        false => Built::Badly,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cargo warns of a name that no package has.
    #[test]
    fn what_is_not_optimised_is_among_the_packages() {
        let lock = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock");
        let lock = std::fs::read_to_string(lock).expect("the workspace has one");
        for name in NOT_OPTIMISED {
            assert!(lock.contains(&format!("name = \"{name}\"\n")), "{name}");
        }
        let ours = settings().last().expect("there are settings");
        assert_eq!(ours, "package.tiny_http.opt-level = 0");
    }

    /// Tests of whole commands build with the profile `dev`, which takes less time.
    #[test]
    fn cargo_takes_the_settings_of_the_profile() {
        let dir = std::env::temp_dir().join(format!("beget-profile-{}", std::process::id()));
        let manifest = "[package]\nname = \"empty\"\nedition = \"2024\"\n[workspace]\n";
        std::fs::create_dir_all(dir.join("src")).expect("a directory");
        std::fs::write(dir.join("Cargo.toml"), manifest).expect("a manifest");
        std::fs::write(dir.join("src/lib.rs"), "").expect("a library");
        let mut command = cargo();
        command.args(["rustc", "--verbose", "--offline", "--target-dir", "target"]);
        with_profile(&mut command);
        let built = command.current_dir(&dir).output().expect("Cargo runs");
        std::fs::remove_dir_all(&dir).expect("it is ours");
        let said = String::from_utf8_lossy(&built.stderr);
        assert!(built.status.success(), "{said}");
        for option in ["opt-level=3", "debug-assertions=on", "debuginfo=line-tables-only"] {
            assert!(said.contains(option), "{option}: {said}");
        }
    }
}
