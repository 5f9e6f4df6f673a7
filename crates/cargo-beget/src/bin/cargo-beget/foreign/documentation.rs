//! The documentation of the crate under test, as JSON.

use std::fs;
use std::process::Stdio;

use beget_args::cargo::CargoArgs;

use super::package::HarnessPackage;
use crate::error::Error;
use crate::package::cargo;

/// Has rustdoc write it. The format is not stable yet, so it needs leave; that is given for this
/// one call, in a target directory of its own, so that no other build sees it.
pub(crate) fn of(package: &HarnessPackage, options: &CargoArgs) -> Result<String, Error> {
    let target = package.target.join("beget/documentation");
    let mut command = cargo();
    command.arg("rustdoc").arg("--manifest-path").arg(package.manifest_path());
    command.args([
        "--lib",
        "--quiet",
        "--package",
        &format!("{}@{}", package.krate, package.version),
    ]);
    command.arg("--target-dir").arg(&target);
    if options.offline {
        command.arg("--offline");
    }
    command
        .args(["--", "-Zunstable-options", "--output-format", "json"])
        .env("RUSTC_BOOTSTRAP", "1");
    let ended = command.stdin(Stdio::null()).output().map_err(Error::NoCargo)?;
    if !ended.status.success() {
        let message = String::from_utf8_lossy(&ended.stderr).into_owned();
        return Err(Error::NotDocumented { krate: package.krate.clone(), message });
    }
    let path = target.join("doc").join(format!("{}.json", package.library));
    fs::read_to_string(&path).map_err(|source| Error::NoDocument { path, source })
}
