"""Makes a copy of the workspace that has all mutants, drops those that do not compile, and builds its tests once.

The copy is `target/schemata/workspace`, so nothing here changes the sources. Mutants that were found not to compile are
kept by name in `target/schemata/refused.json`, because finding them takes several builds.
"""

import json
import os
import re
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

from sources import Mutant, instrumented, mutants_at

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OUT = ROOT / "target" / "schemata"
COPY = OUT / "workspace"
TARGET = OUT / "build"

# With the checks of a development build, but fast; and what is told of a crash is not read.
ENVIRONMENT = {
    "CARGO_TARGET_DIR": str(TARGET),
    "CARGO_INCREMENTAL": "0",
    "CARGO_PROFILE_DEV_OPT_LEVEL": "1",
    "CARGO_PROFILE_DEV_DEBUG": "0",
    "RUSTC_BOOTSTRAP": "schemata",
    "RUSTFLAGS": "--cap-lints=warn -Awarnings",
    "CARGO_TERM_COLOR": "never",
}


def build(packages, tested, jobs):
    """Writes the copy with the mutants of `packages`, and builds the tests of `tested`."""
    OUT.mkdir(parents=True, exist_ok=True)
    mutants = listed(packages)
    refused = refused_before(mutants)
    copy_workspace(packages, len(mutants) + 1)
    for attempt in range(40):
        refused |= {mutant.name for mutant in write(mutants, refused)}
        # Tested packages turn on features of those that are mutated.
        faults = faults_of(mutants, [*packages, *tested], jobs)
        print(f"build {attempt}: {len(refused)} mutants are out, {len(faults)} more do not compile", flush=True)
        if not faults:
            break
        refused |= faults
        (OUT / "refused.json").write_text(json.dumps(sorted(refused), indent=1))
    save(OUT / "mutants.json", [vars(mutant) for mutant in mutants if mutant.name not in refused])
    save(OUT / "tests.json", build_tests(tested, jobs))


def listed(packages):
    command = ["cargo", "mutants", "--list", "--json", *flags(packages)]
    rows = json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)
    return [Mutant.read(number, row) for number, row in enumerate(rows, 1)]


def flags(packages):
    return [word for package in packages for word in ("-p", package)]


def refused_before(mutants):
    path = OUT / "refused.json"
    return set(json.loads(path.read_text())) & {mutant.name for mutant in mutants} if path.exists() else set()


def save(path, value):
    path.write_text(json.dumps(value, indent=1))


def copy_workspace(packages, count):
    """Copies what git knows and what is new, and adds the switch as a crate that the mutated ones depend on. Files that
    are as they were keep their times, so that cargo builds no more than it must."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout.decode().split("\0")
    for file in filter(None, files):
        if (ROOT / file).is_file() and not (is_source(file, packages) and (COPY / file).exists()):
            put(COPY / file, manifest(file, packages))
    switch = COPY / "crates" / "schemata"
    put(switch / "Cargo.toml", b'[package]\nname = "schemata"\nversion = "0.0.0"\nedition = "2024"\n')
    put(switch / "src" / "lib.rs", (HERE / "switch.rs").read_bytes())
    put(switch / "src" / "count.in", str(count).encode())


def is_source(file, packages):
    return any(file.startswith(f"crates/{package}/src/") for package in packages)


def manifest(file, packages):
    text = (ROOT / file).read_bytes()
    if any(file == f"crates/{package}/Cargo.toml" for package in packages):
        return text + b'\n[dependencies.schemata]\npath = "../schemata"\n'
    return text


def put(path, content):
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def write(mutants, refused):
    """Writes the sources with all mutants but the refused ones. Returns those that no switch can choose."""
    by_file = defaultdict(list)
    for mutant in mutants:
        by_file[mutant.file].append(mutant)
    unable = []
    for package in {mutant.package for mutant in mutants}:
        for path in sorted((ROOT / "crates" / package / "src").rglob("*.rs")):
            file = str(path.relative_to(ROOT))
            wanted = [mutant for mutant in by_file[file] if mutant.name not in refused]
            text, without = instrumented(path.read_bytes(), wanted)
            put(COPY / file, text)
            unable += without
    return unable


def faults_of(mutants, packages, jobs):
    """The names of mutants that errors of the compiler are about."""
    by_number = {mutant.number: mutant.name for mutant in mutants}
    numbers, unknown = set(), []
    for message in cargo(["check", "--keep-going", *jobs, *flags(packages)], fails=True):
        if message["reason"] != "compiler-message" or message["message"]["level"] != "error":
            continue
        found = blamed(message["message"])
        numbers |= found
        if not found and message["message"]["spans"]:
            unknown.append(message["message"]["rendered"])
    if unknown and not numbers:
        raise SystemExit("errors that are about no mutant:\n" + "\n".join(unknown))
    return {by_number[number] for number in numbers}


def blamed(message):
    spans = sorted(message["spans"], key=lambda span: not span["is_primary"])
    for span in spans:
        path = COPY / span["file_name"]
        if path.exists():
            numbers = mutants_at(path.read_bytes(), span["byte_start"], span["byte_end"])
            if numbers:
                return set(numbers)
    return set()


def cargo(arguments, fails=False):
    command = ["cargo", arguments[0], "--message-format", "json", *arguments[1:]]
    process = subprocess.Popen(command, cwd=COPY, env=os.environ | ENVIRONMENT, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE if fails else None)
    messages = [json.loads(line) for line in process.stdout]
    if process.wait() and not fails:
        raise SystemExit(f"{' '.join(command)} failed")
    return messages


def build_tests(packages, jobs):
    """The test programs: package, path, and the directory that they run in. Some start examples of their package."""
    cargo(["build", "--examples", *jobs, *flags(packages)])
    messages = cargo(["test", "--no-run", "--lib", "--tests", *jobs, *flags(packages)])
    programs = []
    for message in messages:
        if message["reason"] == "compiler-artifact" and is_program(message):
            directory = Path(message["manifest_path"]).parent
            package = re.search(r'^name = "(.*)"', (directory / "Cargo.toml").read_text(), re.M)[1]
            programs.append({"package": package, "target": message["target"]["name"],
                             "path": str(kept(Path(message["executable"]))), "directory": str(directory)})
    return programs


def is_program(message):
    """A test program that can run by itself: that of a procedural macro needs the compiler's libraries."""
    return message["executable"] and message["profile"]["test"] and "proc-macro" not in message["target"]["kind"]


def kept(program):
    """A link that a run can go on with while the next build writes programs."""
    link = OUT / "programs" / program.name
    link.parent.mkdir(exist_ok=True)
    if not (link.exists() and link.samefile(program)):
        link.unlink(missing_ok=True)
        os.link(program, link)
    return link
