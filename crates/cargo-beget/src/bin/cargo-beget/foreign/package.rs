//! The package of a harness: its directory, its manifest with both dependencies pinned.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use beget_args::cargo::CargoArgs;
use beget_discover::{DocumentedPanic, Harness};
use cargo_metadata::{Metadata, MetadataCommand};

use crate::error::Error;
use crate::invocation::ForeignType;
use crate::package::cargo;

/// The source of the library.
const LIBRARY: &str = "src/lib.rs";

/// The package of a harness that is being written. It is removed again unless it is kept.
#[derive(Debug)]
pub(crate) struct HarnessPackage {
    dir: PathBuf,
    /// The package under test.
    pub(crate) krate: String,
    pub(crate) version: String,
    /// The name of its library.
    pub(crate) library: String,
    /// The modules of its library.
    modules: Vec<&'static str>,
    /// Cargo's target directory.
    pub(crate) target: PathBuf,
    /// True if the directory was made, not found empty.
    is_new: bool,
    is_kept: bool,
}

impl HarnessPackage {
    /// Writes a manifest into a new or empty directory, and has Cargo choose the versions.
    pub(crate) fn create(
        foreign: &ForeignType,
        cargo: &CargoArgs,
    ) -> Result<HarnessPackage, Error> {
        let (krate, version) = foreign.krate.split_once('@').unwrap_or((&foreign.krate, "*"));
        let is_name = |letter: char| letter.is_alphanumeric() || letter == '-' || letter == '_';
        if krate.is_empty()
            || !krate.chars().all(is_name)
            || version.is_empty()
            || version.contains('"')
        {
            return Err(Error::BadCrate(foreign.krate.clone()));
        }
        let dir = foreign.dir.clone().unwrap_or_else(|| PathBuf::from(format!("{krate}-harness")));
        let is_new = !dir.exists();
        if !is_new && fs::read_dir(&dir).map_or(true, |mut entries| entries.next().is_some()) {
            return Err(Error::NotEmpty(dir));
        }
        let mut package = HarnessPackage {
            dir,
            krate: krate.to_owned(),
            version: String::new(),
            library: String::new(),
            modules: Vec::new(),
            target: PathBuf::new(),
            is_new,
            is_kept: false,
        };
        let path = foreign.path.as_deref().map(absolute).transpose()?;
        package.write("src/lib.rs", "")?;
        package.write("Cargo.toml", &package.manifest(version, path.as_deref()))?;
        let metadata = package.resolve(cargo, path.is_some())?;
        package.take(&metadata)?;
        let exact = format!("={}", package.version);
        package.write("Cargo.toml", &package.manifest(&exact, path.as_deref()))?;
        package.resolve(cargo, true)?;
        Ok(package)
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    pub(crate) fn manifest_path(&self) -> PathBuf {
        self.dir.join("Cargo.toml")
    }

    /// Keeps the directory.
    pub(crate) fn keep(&mut self) {
        self.is_kept = true;
    }

    /// Changes to the directory. Commands that a check prints are typed there.
    pub(crate) fn enter(&mut self) -> Result<(), Error> {
        let dir = std::mem::replace(&mut self.dir, PathBuf::from("."));
        std::env::set_current_dir(&dir).map_err(|source| Error::Unwritable { path: dir, source })
    }

    pub(crate) fn write_scope(
        &self,
        harness: &Harness,
        expected: &[DocumentedPanic],
    ) -> Result<(), Error> {
        self.write(&harness.scope_path(), &harness.scope(harness.usual_k(), expected))
    }

    /// Writes the source of a harness, a module of the library or the library itself.
    pub(crate) fn write_source(&self, harness: &Harness) -> Result<(), Error> {
        let text = harness.source();
        match harness.module() {
            None => self.write(LIBRARY, &(text + &self.declared_modules())),
            Some(_) => self.write(&harness.source_path(), &text),
        }
    }

    /// Adds a module to the library, whose own harness is `library`.
    pub(crate) fn add_module(
        &mut self,
        library: &Harness,
        name: &'static str,
    ) -> Result<(), Error> {
        self.modules.push(name);
        self.write_source(library)
    }

    /// Removes the module that was added last.
    pub(crate) fn remove_module(&mut self, library: &Harness) -> Result<(), Error> {
        if let Some(name) = self.modules.pop() {
            let _ = fs::remove_file(self.dir.join(format!("src/{name}.rs")));
        }
        self.write_source(library)
    }

    fn declared_modules(&self) -> String {
        self.modules.iter().map(|name| format!("\npub mod {name};\n")).collect()
    }

    /// Leaves out what the standard library checks of unsafe code, in the crate under test and in
    /// the harness, where its generic functions are compiled.
    pub(crate) fn leave_out_std_checks(&self) -> Result<(), Error> {
        let path = self.manifest_path();
        let manifest = fs::read_to_string(&path);
        let mut manifest = manifest.map_err(|source| Error::Unwritable { path, source })?;
        manifest +=
            "\n# Without the standard library's checks of unsafe code, which end the process.\n";
        for package in [&self.krate, &format!("{}-harness", self.krate)] {
            manifest += &format!("[profile.dev.package.{package}]\ndebug-assertions = false\n");
        }
        self.write("Cargo.toml", &manifest)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> Result<(), Error> {
        write(&self.dir.join(name), text)
    }

    fn manifest(&self, version: &str, path: Option<&Path>) -> String {
        let path =
            path.map_or(String::new(), |path| format!(", path = {:?}", path.display().to_string()));
        format!(
            "[package]\nname = \"{krate}-harness\"\nversion = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\n\
             [dependencies]\n{krate} = {{ version = \"{version}\"{path} }}\nbeget = {beget}\n\n\
             # It is no member of a workspace around it.\n[workspace]\n",
            krate = self.krate,
            beget = beget(),
        )
    }

    /// Asks Cargo for the metadata of the manifest; offline, with local crates alone, if
    /// `is_at_hand`.
    fn resolve(&self, cargo_args: &CargoArgs, is_at_hand: bool) -> Result<Metadata, Error> {
        let ask = |is_offline: bool| {
            let mut command = MetadataCommand::new();
            command.cargo_path(cargo().get_program()).manifest_path(self.manifest_path());
            let mut options: Vec<String> = Vec::new();
            if let Some(host) = host() {
                // What only other systems need would be downloaded, too.
                options.extend(["--filter-platform".to_owned(), host]);
            }
            if is_offline {
                options.push("--offline".to_owned());
            }
            command.other_options(options);
            command.exec().map_err(|error| match error {
                cargo_metadata::Error::CargoMetadata { stderr } => Error::Cargo(stderr),
                cargo_metadata::Error::Io(source) => Error::NoCargo(source),
                other => Error::Cargo(other.to_string()),
            })
        };
        match cargo_args.offline || is_at_hand {
            true => {
                ask(true).or_else(|error| if cargo_args.offline { Err(error) } else { ask(false) })
            }
            false => ask(false),
        }
    }

    /// Notes the package under test as Cargo has chosen it.
    fn take(&mut self, metadata: &Metadata) -> Result<(), Error> {
        let nodes = metadata.resolve.iter().flat_map(|resolve| &resolve.nodes);
        let harness = format!("{}-harness", self.krate);
        let root = metadata.packages.iter().find(|package| *package.name == harness);
        let mut of_root = nodes.filter(|node| root.is_some_and(|root| root.id == node.id));
        let direct = of_root.next().map(|node| &node.dependencies[..]).unwrap_or_default();
        let is_meant = |package: &&cargo_metadata::Package| {
            *package.name == self.krate && direct.contains(&package.id)
        };
        let package = metadata.packages.iter().find(is_meant);
        let package = package.ok_or_else(|| Error::UnknownPackage(self.krate.clone()))?;
        let library = package.targets.iter().find(|target| target.is_lib() || target.is_rlib());
        let library = library.ok_or_else(|| Error::NoLibrary(self.krate.clone()))?;
        self.version = package.version.to_string();
        self.library = library.name.replace('-', "_");
        self.target = metadata.target_directory.clone().into();
        Ok(())
    }
}

impl Drop for HarnessPackage {
    /// Nothing is left of a harness that came to nothing.
    fn drop(&mut self) {
        if self.is_kept {
        } else if self.is_new {
            let _ = fs::remove_dir_all(&self.dir);
        } else {
            for name in ["Cargo.toml", "Cargo.lock"] {
                let _ = fs::remove_file(self.dir.join(name));
            }
            for name in ["src", "scopes", "target"] {
                let _ = fs::remove_dir_all(self.dir.join(name));
            }
        }
    }
}

/// The system that this one is, as rustc names it.
fn host() -> Option<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let ended = Command::new(rustc).arg("-vV").output().ok()?;
    let text = String::from_utf8(ended.stdout).ok()?;
    text.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned)
}

/// Writes a file and the directories around it.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Error> {
    let dir = path.parent().unwrap_or(Path::new("."));
    let written = fs::create_dir_all(dir).and_then(|()| fs::write(path, text));
    written.map_err(|source| Error::Unwritable { path: path.to_owned(), source })
}

fn absolute(path: &Path) -> Result<PathBuf, Error> {
    path.canonicalize().map_err(|source| Error::NoDocument { path: path.to_owned(), source })
}

/// The dependency on beget: of the checkout that this program was built in, or the published one.
fn beget() -> String {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../beget");
    match checkout.canonicalize() {
        Ok(path) => format!("{{ path = {:?} }}", path.display().to_string()),
        Err(_) => format!("\"={}\"", env!("CARGO_PKG_VERSION")),
    }
}
