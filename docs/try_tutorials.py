#!/usr/bin/env python3
"""Follows the tutorials of the book to the letter, in a directory with nothing in it but beget.

    docs/try_tutorials.py PROGRAMS [--optimised]

PROGRAMS is the directory with the built `cargo-beget`. What a page says is done in its order:

- ```` ```rust,file=PATH ```` (or ron): the block is the file PATH;
- ```` ```rust,append=PATH ````: it is added to its end;
- ```` ```rust,before=PATH:LINE ````: it is inserted before the one line that begins with LINE;
- ```` ```rust,replace=PATH ````: its first line is one of the file's, and it replaces what stands from there to the next
  line of the same depth that is `}`;
- ```` ```console ````: lines after `$ ` are typed, and what is shown below one must be what it prints. A line `...` stands for any
  lines, times and thread numbers may differ. All commands must succeed, but the last one of a block ```` ```console,fails ````.

`cargo install` is not run: PROGRAMS comes first in PATH. Nothing is optimised without `--optimised`, not even where a page asks
for it, because that takes less time. What is built is shared with the tests that build a crate of one's own: the clone that the
pages have beside the crate, `../beget`, is this one.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = ["first-crate.md", "second-crate.md", "foreign-crate.md"]
FENCE = re.compile(r"^```(\w+)(?:,(\w+)(?:=(.*))?)?$")


class Mismatch(Exception):
    """What is shown is not what happens."""


def blocks(page):
    """The fenced blocks that are to be followed: language, what to do, with what, the lines."""
    inside, found = None, []
    for line in (ROOT / "docs/src" / page).read_text().splitlines():
        if inside is not None and line == "```":
            found.append(inside)
            inside = None
        elif inside is not None:
            inside[3].append(line)
        elif line.startswith("```"):
            match = FENCE.match(line)
            if not match:
                raise Mismatch(f"this fence is not understood: {line}")
            inside = (match[1], match[2], match[3], [])
    return found


def text(lines):
    return "".join(line + "\n" for line in lines)


def write(path, what, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    if what == "file":
        path.write_text(text(lines))
    elif what == "append":
        path.write_text(path.read_text() + text(lines))
    else:
        path.write_text(replaced(path.read_text().splitlines(), lines, str(path)))


def inserted(old, before, new, name):
    at = [index for index, line in enumerate(old) if line.startswith(before)]
    if len(at) != 1:
        raise Mismatch(f"{name} has {len(at)} lines that begin with {before!r}")
    return text(old[: at[0]] + new + [""] + old[at[0] :])


def replaced(old, new, name):
    """The lines with a block in place of the one that begins with the same line."""
    at = [index for index, line in enumerate(old) if line == new[0]]
    if len(at) != 1:
        raise Mismatch(f"{name} has {len(at)} times the line {new[0]!r}")
    closing = new[0][: len(new[0]) - len(new[0].lstrip())] + "}"
    end = next(index for index in range(at[0], len(old)) if old[index] == closing)
    return text(old[: at[0]] + new + old[end + 1 :])


def without_measures(line):
    line = re.sub(r"finished in [\d.]+s", "finished in ...", line.rstrip())
    return "took ..." if line.startswith("took ") else line


def agrees(shown, printed):
    """Whether lines with `...` among them stand for all that is printed."""
    if not shown:
        return not printed
    if shown[0] == "...":
        return any(agrees(shown[1:], printed[skipped:]) for skipped in range(len(printed) + 1))
    return bool(printed) and shown[0] == printed[0] and agrees(shown[1:], printed[1:])


def commands(lines):
    """The typed lines of a block, each with what is shown below it."""
    typed = []
    for line in lines:
        if line.startswith("$ "):
            typed.append((line[2:], []))
        elif not typed:
            raise Mismatch(f"a console block begins with a command, not with {line!r}")
        else:
            typed[-1][1].append(line)
    return typed


class Shell:
    """Types commands, one after another, in a directory that they may change."""

    def __init__(self, directory, programs):
        self.directory = directory
        self.cwd = programs.parent / "cwd"
        self.environment = {
            name: value
            for name, value in os.environ.items()
            if name not in ("RUST_BACKTRACE", "CARGO_TERM_COLOR", "RUSTFLAGS", "CLICOLOR_FORCE")
        }
        self.environment["PATH"] = f"{programs}{os.pathsep}{os.environ['PATH']}"
        self.environment["CARGO_TARGET_DIR"] = str(ROOT / "target/tmp/own-crate/target")

    def type(self, command, shown, is_to_fail):
        if command.startswith("cargo install "):
            return
        command = command.replace("../beget/", f"{ROOT}/")
        ended = subprocess.run(
            ["bash", "-c", f"{{ {command}\n}} 2>&1; code=$?; pwd > {self.cwd}; exit $code"],
            cwd=self.directory,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.directory = Path(self.cwd.read_text().strip())
        if (ended.returncode != 0) != is_to_fail:
            raise Mismatch(f"$ {command}\nended with {ended.returncode}:\n{ended.stdout}")
        shown = [without_measures(line) for line in shown]
        printed = [without_measures(line) for line in ended.stdout.splitlines()]
        # What a build says is of no interest where nothing is shown.
        if shown and not agrees(shown, printed):
            raise Mismatch(f"$ {command}\nis shown to print\n{text(shown)}\nbut printed\n{ended.stdout}")


def follow(page, directory, programs, is_optimised):
    shell = Shell(directory, programs)
    n_commands = 0
    for language, what, where, lines in blocks(page):
        if language != "console":
            if not is_optimised:
                # All that a page has optimised is built already as it is.
                lines = [re.sub(r"^opt-level = \d$", "opt-level = 0", line) for line in lines]
            if what == "before":
                name, before = where.split(":", 1)
                path = shell.directory / name
                path.write_text(inserted(path.read_text().splitlines(), before, lines, name))
            elif what:
                write(shell.directory / where, what, lines)
            continue
        typed = commands(lines)
        for index, (command, shown) in enumerate(typed):
            is_to_fail = what == "fails" and index == len(typed) - 1
            shell.type(command, shown, is_to_fail)
            n_commands += 1
            if command.startswith("cargo new "):
                # The versions that this workspace is tested with, which are at hand.
                shutil.copy(ROOT / "Cargo.lock", shell.directory)
    if n_commands < 4:
        raise Mismatch(f"only {n_commands} commands were found: has the format of the blocks changed?")
    print(f"{page}: {n_commands} commands do what is shown")


def programs_in(directory, built, is_optimised):
    """A directory for PATH in which `cargo beget` is the built one."""
    options = "" if is_optimised else " --profile dev"
    program = directory / "bin/cargo-beget"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nshift\nexec "{built}/cargo-beget" beget{options} "$@"\n')
    program.chmod(0o755)
    return program.parent


def main(arguments):
    is_optimised = "--optimised" in arguments
    (built,) = [Path(argument).resolve() for argument in arguments if argument != "--optimised"]
    # Always the same name: what was built is found again by the paths of the crates.
    directory = Path(tempfile.gettempdir()) / f"beget-tutorials-{os.getuid()}"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(mode=0o700)
    try:
        programs = programs_in(directory, built, is_optimised)
        place = directory / "work"
        place.mkdir()
        for page in PAGES:
            follow(page, place, programs, is_optimised)
    except Mismatch as mismatch:
        sys.exit(f"{page}: {mismatch}")
    shutil.rmtree(directory)


if __name__ == "__main__":
    main(sys.argv[1:])
