//! The package whose suites are meant.

use std::path::{Path, PathBuf};
use std::process::Command;

use beget_args::cargo::CargoArgs;
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand};
use serde_json::Value;

use crate::error::Error;

/// A package that depends on beget.
#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) manifest: PathBuf,
    /// The name of beget in the package.
    pub(crate) beget: String,
    /// The target directory of beget's builds in the workspace.
    pub(crate) target: PathBuf,
    /// `[package.metadata.beget]`.
    pub(crate) metadata: Value,
}

/// Cargo, the one that has started this program.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

impl Package {
    /// The package that the options name, or that of the current directory, or the only one of the
    /// workspace that depends on beget.
    pub(crate) fn find(options: &CargoArgs) -> Result<Package, Error> {
        let metadata = read_workspace(options)?;
        let package = match &options.package {
            Some(name) => metadata.packages.iter().find(|package| *package.name == *name),
            None => around(&metadata, options),
        };
        match (package, &options.package) {
            (Some(package), _) => Package::of(package, &metadata),
            (None, Some(name)) => Err(Error::UnknownPackage(name.clone())),
            (None, None) => only(&metadata),
        }
    }

    fn of(package: &cargo_metadata::Package, metadata: &Metadata) -> Result<Package, Error> {
        let name = package.name.to_string();
        let beget = beget_of(package).ok_or_else(|| Error::NoDependency(name.clone()))?;
        let manifest = package.manifest_path.clone().into();
        let target = target_of(metadata);
        let metadata = package.metadata.get("beget").cloned().unwrap_or_default();
        Ok(Package { name, manifest, beget, target, metadata })
    }

    /// The directory of the manifest.
    pub(crate) fn dir(&self) -> &Path {
        self.manifest.parent().unwrap_or(Path::new("."))
    }
}

/// The directory of beget's builds: one for all workspaces of this machine and this version, so
/// that the command line is built once. Another target directory than the workspace's `target` is
/// respected.
fn target_of(metadata: &Metadata) -> PathBuf {
    let own = metadata.target_directory.as_std_path();
    let is_chosen = std::env::var_os("CARGO_TARGET_DIR").is_some()
        || own != metadata.workspace_root.join("target").as_std_path();
    target(own, is_chosen, cache())
}

fn target(own: &Path, is_chosen: bool, cache: Option<PathBuf>) -> PathBuf {
    match cache {
        Some(cache) if !is_chosen => cache.join("beget").join(env!("CARGO_PKG_VERSION")),
        _ => own.join("beget"),
    }
}

/// The directory for files that programs can make again.
fn cache() -> Option<PathBuf> {
    let absolute =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let usual = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
    absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(usual)))
}

fn read_workspace(options: &CargoArgs) -> Result<Metadata, Error> {
    let mut command = MetadataCommand::new();
    command.cargo_path(cargo().get_program()).no_deps();
    if let Some(path) = &options.manifest_path {
        command.manifest_path(path);
    }
    command.exec().map_err(|error| match error {
        cargo_metadata::Error::CargoMetadata { stderr } => Error::Cargo(stderr),
        cargo_metadata::Error::Io(source) => Error::NoCargo(source),
        other => Error::Cargo(other.to_string()),
    })
}

/// The innermost package that the directory, or the manifest of the options, is in.
fn around<'m>(metadata: &'m Metadata, options: &CargoArgs) -> Option<&'m cargo_metadata::Package> {
    let place = match &options.manifest_path {
        Some(manifest) => std::path::absolute(manifest).ok()?.parent()?.to_owned(),
        None => std::env::current_dir().ok()?,
    };
    let place = place.canonicalize().ok()?;
    let around = |package: &&cargo_metadata::Package| {
        let dir = package.manifest_path.parent().and_then(|dir| dir.canonicalize().ok());
        dir.is_some_and(|dir| place.starts_with(dir))
    };
    let packages = metadata.packages.iter().filter(around);
    packages.max_by_key(|package| package.manifest_path.as_str().len())
}

/// The only package with beget among its dependencies.
fn only(metadata: &Metadata) -> Result<Package, Error> {
    let members = metadata.workspace_packages();
    let mut found: Vec<_> = members.into_iter().filter(|one| beget_of(one).is_some()).collect();
    match found.pop() {
        None => Err(Error::NoPackage),
        Some(package) if found.is_empty() => Package::of(package, metadata),
        Some(last) => {
            let names = found.iter().chain([&last]).map(|package| package.name.to_string());
            Err(Error::ManyPackages(names.collect()))
        }
    }
}

/// Returns the name of beget in the package's source, if it depends on it.
fn beget_of(package: &cargo_metadata::Package) -> Option<String> {
    let is_beget = |dependency: &&cargo_metadata::Dependency| {
        dependency.name == "beget" && dependency.kind != DependencyKind::Build
    };
    let dependency = package.dependencies.iter().find(is_beget)?;
    Some(dependency.rename.clone().unwrap_or_else(|| dependency.name.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_directory_that_is_chosen_is_respected() {
        let (own, cache) = (Path::new("/crate/target"), Some(PathBuf::from("/cache")));
        let of_version = format!("/cache/beget/{}", env!("CARGO_PKG_VERSION"));
        assert_eq!(target(own, false, cache.clone()), Path::new(&of_version));
        assert_eq!(target(own, true, cache), Path::new("/crate/target/beget"));
        assert_eq!(target(own, false, None), Path::new("/crate/target/beget"));
    }
}
