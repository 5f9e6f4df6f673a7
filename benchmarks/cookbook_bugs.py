#!/usr/bin/env python3
"""Puts a bug into each type of the cookbook and shows what `cargo test` says of it, by the lines of beget that are there.

    benchmarks/cookbook_bugs.py [--write]

Each bug is a change of one line of a copy of `examples/cookbook`. The test that is printed for it is pasted where `check!`
stands; it must compile, and fail. The table is compared with `benchmarks/results/cookbook.md`, or written there.
What is built is kept in the target directory of the workspace.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULT = ROOT / "benchmarks/results/cookbook.md"
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()

# The file, what is wrong in words, the line as it should be, the line as it is.
BUGS = [
    ("cache", "an evicted key stays in the map", "            self.by_key.remove(&self.slots[slot].key);\n", ""),
    (
        "deque",
        "`back` is left when the last node goes",
        "            self.back = ptr::null_mut();\n",
        "            self.front = ptr::null_mut();\n",
    ),
    (
        "bytes",
        "the room is halved",
        "        (self.first, self.room) = (first, room);",
        "        (self.first, self.room) = (first, room / 2);",
    ),
    ("connection", "the next number stays", "                self.next_seq += 1;\n", ""),
    ("intervals", "an empty range is left behind", "            if end > range.end {", "            if end >= range.end {"),
    (
        "outline",
        "a heading is not added to the one above",
        "        self.cursor.children.borrow_mut().push(heading.clone());\n",
        "",
    ),
    ("node", "a node that moves stays where it was", "        child.detach();\n", ""),
    (
        "pipeline",
        "nothing to take away is not thought of",
        "        self.steps.pop();",
        "        self.steps.remove(self.steps.len() - 1);",
    ),
]


class Missed(Exception):
    """A bug that is not found, or not shown by a test."""


def lines_of_beget(source):
    """Lines with something of beget in them."""
    return sum("beget::" in line or "heap(" in line or "api(" in line for line in source.splitlines())


def tests_of(directory, name):
    """What `cargo test` prints for the tests with this in their names."""
    command = ["cargo", "test", "--quiet", "--lib", name]
    env = dict(os.environ, CARGO_TARGET_DIR=str(TARGET), RUST_BACKTRACE="0")
    ran = subprocess.run(command, cwd=directory, env=env, capture_output=True, text=True)
    return ran.returncode, ran.stdout + ran.stderr


def changed(source, name, right, wrong):
    if source.count(right) != 1:
        raise Missed(f"{name} has {source.count(right)} times the line to change")
    return source.replace(right, wrong)


def finding_of(printed, name):
    """The first finding, and the test that is printed for it."""
    shown = re.search(r"panicked at src/.*\n((?:.*\n)*?)\n((?:    .*\n|\n)+)", printed)
    test = shown and re.search(r"(?:    ///.*\n)*    #\[test\]\n    fn (\w+)\(\) \{\n(?:.*\n)*?    \}\n", shown[0])
    if not test:
        raise Missed(f"nothing is found in {name}:\n{printed}")
    said = [line for line in shown[0].splitlines()[1:] if line and not re.match(r"\d+ of \d+ calls failed", line)]
    return re.sub(r" \(and \d+ more like it\)", "", said[0]), test[0], test[1]


def calls_in(test):
    body = [line.strip() for line in test.splitlines()[:-1] if line.startswith("        ")]
    return [line for line in body if not line.startswith(("use ", "//", "beget::assert"))]


def row(directory, name, what, right, wrong):
    path = directory / f"src/{name}.rs"
    source = path.read_text()
    path.write_text(changed(source, name, right, wrong))
    code, printed = tests_of(directory, f"{name}::")
    if code == 0:
        raise Missed(f"{name}: {what} is not found")
    finding, test, function = finding_of(printed, name)
    start, end = path.read_text().rstrip().removesuffix("}"), "}\n"
    path.write_text(f"{start}\n{test}{end}")
    _, printed = tests_of(directory, f"{name}::tests::{function}")
    if f"{function} ... FAILED" not in printed and f"{name}::tests::{function}\n" not in printed:
        raise Missed(f"the test that is printed for {name} does not fail where it is pasted:\n{printed}")
    path.write_text(source)
    calls = " ".join(calls_in(test))
    return f"| {name} | {lines_of_beget(source)} | {what} | {finding} | `{calls}` |"


def table():
    with tempfile.TemporaryDirectory() as parent:
        directory = Path(parent) / "cookbook"
        shutil.copytree(ROOT / "examples/cookbook", directory)
        manifest = directory / "Cargo.toml"
        manifest.write_text(
            manifest.read_text().replace("../../crates", str(ROOT / "crates")) + "\n[workspace]\n"
        )
        shutil.copy(ROOT / "Cargo.lock", directory)
        return [row(directory, *bug) for bug in BUGS]


def main():
    rows = "\n".join(table())
    text = f"""# The cookbook with bugs in it

One line of each type of [the cookbook](../../docs/src/cookbook.md) is changed, and `cargo test` is typed. All are found. The test that is printed compiles and fails where
`check!` stands. Lines of beget are those with `beget::`, `heap(` or `api(` in them, its tests included; the finding is the first that is shown. Made by `just cookbook-bugs`.

| type | lines of beget | the bug | the finding | the calls |
| --- | ---: | --- | --- | --- |
{rows}
"""
    if "--write" in sys.argv[1:]:
        RESULT.write_text(text)
    elif RESULT.read_text() != text:
        sys.exit(f"{RESULT} is another one; now it would be\n{text}")
    print(f"all {len(BUGS)} bugs are found")


if __name__ == "__main__":
    try:
        main()
    except Missed as missed:
        sys.exit(str(missed))
