#!/usr/bin/env python3
"""What a crate pays for having beget among its dev-dependencies, beside proptest with its state machine.

Usage: cost_of_having.py [COMMIT ...] [-o FILE]

Makes a small crate with one test for beget as it is here, one for each COMMIT of this repository, and one for proptest. beget is built twice: by its
path, which Cargo compiles incrementally, and as what comes from a registry or by git, without. It measures of each:

- crates: how many are built for the test, the crate itself not counted;
- cold: the seconds of `cargo test --no-run` into an empty target directory, the sources being at hand;
- CPU: user and system seconds of the same, which say more where the machine is shared: on two idle cores at least half of them pass;
- incremental: the same after a line of the crate has changed, the best of three;
- target: the size of the target directory after the cold build.

Then it builds beget's once more to see how the CPU seconds are divided among the crates: it is its own compiler wrapper for that, when COST_LOG says where
to write. Last it takes the way of the first tutorial, from `cargo new` to the first finding, and says how long that was.

Writes a table to benchmarks/results/cost.md, or FILE. Times mean something on an idle machine only: the load is written beside them.
"""

import collections
import os
import pathlib
import platform
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

STACK = """//! A stack.

/// A stack.
#[derive(Clone, Debug, Default)]
#[cfg_attr(test, derive(DERIVE))]
pub struct Stack {
    values: Vec<u8>,
}

API
impl Stack {
    /// An empty stack.
    pub fn new() -> Self {
        Stack::default()
    }

    /// Puts a value on top.
    pub fn push(&mut self, value: u8) {
        self.values.push(value);
    }

    /// Takes the value on top.
    pub fn pop(&mut self) -> Option<u8> {
        self.values.pop()
    }
}
"""

WITH_BEGET = STACK.replace("DERIVE", "beget::Heap").replace("API", "#[cfg_attr(test, beget::api)]") + """
#[test]
fn every_stack_is_sound() {
    beget::check!(Stack, "scopes/stack.ron");
}
"""

SCOPE = 'Scope(suite: "Stack", k: 3, objects: {"*": "k"}, arrays: "k", ints: "0..k")\n'

WITH_PROPTEST = STACK.replace("#[cfg_attr(test, derive(DERIVE))]\n", "").replace("API\n", "") + """
#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};

    #[derive(Clone, Debug)]
    pub enum Call {
        Push(u8),
        Pop,
    }

    pub struct Model;

    impl ReferenceStateMachine for Model {
        type State = Vec<u8>;
        type Transition = Call;

        fn init_state() -> BoxedStrategy<Self::State> {
            Just(Vec::new()).boxed()
        }

        fn transitions(_: &Self::State) -> BoxedStrategy<Call> {
            prop_oneof![any::<u8>().prop_map(Call::Push), Just(Call::Pop)].boxed()
        }

        fn apply(mut state: Self::State, call: &Call) -> Self::State {
            match call {
                Call::Push(value) => state.push(*value),
                Call::Pop => drop(state.pop()),
            }
            state
        }
    }

    impl StateMachineTest for Stack {
        type SystemUnderTest = Stack;
        type Reference = Model;

        fn init_test(_: &Vec<u8>) -> Stack {
            Stack::new()
        }

        fn apply(mut stack: Stack, model: &Vec<u8>, call: Call) -> Stack {
            match call {
                Call::Push(value) => stack.push(value),
                Call::Pop => drop(stack.pop()),
            }
            assert_eq!(&stack.values, model);
            stack
        }
    }

    prop_state_machine! {
        #[test]
        fn stacks_are_sound(sequential 1..20 => Stack);
    }
}
"""


def run(command, directory, **environment):
    ended = subprocess.run(
        command, cwd=directory, env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    if ended.returncode != 0:
        sys.exit(f"{' '.join(command)} in {directory} failed:\n{ended.stderr}{ended.stdout}")
    return ended.stdout


def crate(directory, dependencies, source, lock=None):
    """A crate of its own, with the sources of all dependencies at hand."""
    (directory / "src").mkdir(parents=True)
    (directory / "scopes").mkdir()
    (directory / "Cargo.toml").write_text(
        '[package]\nname = "stack"\nversion = "0.1.0"\nedition = "2024"\n\n'
        f"[dev-dependencies]\n{dependencies}\n\n[workspace]\n"
    )
    (directory / "src/lib.rs").write_text(source)
    (directory / "scopes/stack.ron").write_text(SCOPE)
    if lock:
        (directory / "Cargo.lock").write_bytes(lock.read_bytes())
    run(["cargo", "fetch"], directory)
    return directory


def of_beget(directory, checkout):
    return crate(directory, f'beget = {{ path = "{checkout}/crates/beget" }}', WITH_BEGET, checkout / "Cargo.lock")


def build(directory, target, **environment):
    start, cpu = time.monotonic(), cpu_seconds()
    run(["cargo", "test", "--no-run", "--offline"], directory, CARGO_TARGET_DIR=str(target), **environment)
    return time.monotonic() - start, cpu_seconds() - cpu


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def n_crates(directory):
    tree = run(["cargo", "tree", "--offline", "-e", "normal,dev,build", "--prefix", "none"], directory)
    packages = {line.removesuffix(" (*)") for line in tree.splitlines() if line and not line.startswith("[")}
    return len(packages) - 1


def size(directory):
    files = (path for path in directory.rglob("*") if path.is_file() and not path.is_symlink())
    # Hard links to one file are one.
    return sum({(stat.st_dev, stat.st_ino): stat.st_size for stat in (path.stat() for path in files)}.values())


def as_wrapper(log, command):
    """Runs the compiler and writes down what it took for which crate."""
    ended = subprocess.run(command)
    if "--crate-name" in command:
        name = command[command.index("--crate-name") + 1]
        with open(log, "a") as lines:
            lines.write(f"{name} {cpu_seconds()}\n")
    sys.exit(ended.returncode)


def by_crate(directory):
    """The CPU seconds of each crate of a cold build, the most first. Scripts that are built for a build are one."""
    log = directory / "cpu.txt"
    build(directory, directory / "by-crate", COST_LOG=str(log), RUSTC_WRAPPER=str(pathlib.Path(__file__).resolve()))
    seconds = collections.Counter()
    for line in log.read_text().splitlines():
        name, cpu = line.split()
        seconds[name] += float(cpu)
    return seconds.most_common()


def measure(directory, **environment):
    target = directory / f"target{len(environment)}"
    crates, (cold, cpu), megabytes = n_crates(directory), build(directory, target, **environment), size(target) / 1e6
    times = []
    for number in range(3):
        source = directory / "src/lib.rs"
        source.write_text(source.read_text() + f"\n/// Changed.\npub const CHANGED_{number}: u8 = {number};\n")
        times.append(build(directory, target)[0])
    source.write_text(source.read_text().split("\n/// Changed.")[0])
    # It is the test that is built, so it has to pass.
    run(["cargo", "test", "--offline"], directory, CARGO_TARGET_DIR=str(target))
    return crates, cold, cpu, min(times), megabytes


def first_finding(directory):
    """The crate of the tutorial: its lines, those that are for beget, the commands, and their seconds."""
    tutorial = (ROOT / "docs/src/first-crate.md").read_text()
    source = tutorial.split("```rust,file=src/lib.rs\n")[1].split("```")[0]
    n_of_beget = source[source.index("#[test]") :].count("\n") + source[: source.index("#[test]")].count("beget::")
    commands = [["cargo", "new", "--quiet", "--lib", "history"]]
    commands.append(["cargo", "add", "--quiet", "--offline", "--dev", "--path", str(ROOT / "crates/beget"), "beget"])
    commands.append(["cargo", "test", "--quiet", "--offline"])
    start, history = time.monotonic(), directory / "history"
    for number, command in enumerate(commands):
        if number == 1:
            (history / "src/lib.rs").write_text(source)
            # The versions that this workspace is tested with, which are at hand.
            (history / "Cargo.lock").write_bytes((ROOT / "Cargo.lock").read_bytes())
        place, target = history if number else directory, {"CARGO_TARGET_DIR": str(directory / "target")}
        ended = subprocess.run(command, cwd=place, env={**os.environ, **target}, capture_output=True, text=True)
    if "index out of bounds: the len is 3 but the index is 3" not in ended.stdout:
        sys.exit(f"the tutorial's bug is not found:\n{ended.stdout}{ended.stderr}")
    return source.count("\n"), n_of_beget, len(commands), time.monotonic() - start


def main(arguments):
    output = ROOT / "benchmarks/results/cost.md"
    if "-o" in arguments:
        at = arguments.index("-o")
        output = pathlib.Path(arguments[at + 1])
        del arguments[at : at + 2]
    load = " ".join(f"{value:.2f}" for value in os.getloadavg())
    rustc = run(["rustc", "--version"], ROOT).strip()
    rows = []
    with tempfile.TemporaryDirectory() as temporary:
        place = pathlib.Path(temporary)
        crates = []
        for commit in arguments:
            checkout = place / f"beget-{commit}"
            checkout.mkdir()
            archive = subprocess.run(["git", "archive", commit], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
            subprocess.run(["tar", "--extract"], cwd=checkout, input=archive, check=True)
            crates.append((f"beget, {commit}", of_beget(place / f"of-{commit}", checkout)))
        crates.append(("beget", of_beget(place / "of-beget", ROOT)))
        proptest = 'proptest = "1.12"\nproptest-state-machine = "0.9"'
        crates.append(("proptest with its state machine", crate(place / "of-proptest", proptest, WITH_PROPTEST)))
        for name, directory in crates:
            rows.append((name, *measure(directory)))
            if directory.name == "of-beget":
                rows.append(("beget as from a registry", *measure(directory, CARGO_INCREMENTAL="0")))
                parts = by_crate(directory)
        n_lines, n_of_beget, n_commands, seconds = first_finding(place)
    output.write_text(
        "# What having beget costs\n\n"
        "A crate with one test of a stack. Written by `benchmarks/cost_of_having.py`, which says what is measured; single samples.\n\n"
        f"Machine: {os.cpu_count()} cores, {platform.system()} {platform.release()}, {rustc}; load at the start {load}.\n\n"
        "| | crates | cold build, s | CPU, s | incremental, s | target, MB |\n| --- | ---: | ---: | ---: | ---: | ---: |\n"
        + "".join(
            f"| {name} | {crates} | {cold:.1f} | {cpu:.1f} | {again:.2f} | {mb:.0f} |\n"
            for name, crates, cold, cpu, again, mb in rows
        )
        + "\nThe CPU seconds by crate, of one more cold build of beget by its path; scripts and crates that take less than 0.2 s are left out:\n\n"
        + ", ".join(f"{name.replace('_', '-')} {cpu:.1f}" for name, cpu in parts if cpu >= 0.2)
        + ".\n"
        + "\nFrom `cargo new` to the first finding, by the first tutorial: a file of "
        + f"{n_lines} lines, {n_of_beget} of them for beget; {n_commands} commands, which took {seconds:.0f} s with a cold build.\n"
    )
    print(output.read_text())


if __name__ == "__main__":
    if "COST_LOG" in os.environ:
        as_wrapper(os.environ["COST_LOG"], sys.argv[1:])
    main(sys.argv[1:])
