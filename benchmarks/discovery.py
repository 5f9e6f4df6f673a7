#!/usr/bin/env python3
"""Writes a harness for a type of each of twelve crates of the registry, checks it, and tells how far that goes.

    benchmarks/discovery.py CARGO_BEGET [NAME ...]

For each crate, or those that are named, `cargo beget init --crate` runs in a directory of its own below `target/discovery`. What it
prints goes into a table, benchmarks/results/discovery.md; what stands there below "## Examined" is kept. All harnesses share
what is built of beget; one is written beforehand for nothing but that build, so that a crate's seconds are those of its own harness.
"""

import re
import sys
from collections import Counter
from pathlib import Path

import harnesses

RESULT = harnesses.ROOT / "benchmarks/results/discovery.md"
CRATES = [
    ("slab", "0.4.12", "Slab"),
    ("smallvec", "1.16.6", "SmallVec"),
    ("arrayvec", "0.7.8", "ArrayVec"),
    ("indexmap", "2.14.2", "IndexMap"),
    ("lru", "0.18.5", "LruCache"),
    ("rangemap", "1.8.0", "RangeMap"),
    ("bit-vec", "0.10.2", "BitVec"),
    ("hashbrown", "0.17.1", "HashMap"),
    ("slotmap", "1.1.1", "SlotMap"),
    ("heapless", "0.9.3", "Vec"),
    ("petgraph", "0.8.3", "graph::Graph"),
    ("im", "15.1.0", "Vector"),
]
KINDS = [
    ("unsafe", re.compile(r"it is unsafe")),
    ("async", re.compile(r"it is async")),
    ("of other type arguments", re.compile(r"it is a function of")),
    ("needs a value that nothing makes", re.compile(r"it needs")),
    ("refused by rustc", re.compile(r"rustc:")),
    ("receiver", re.compile(r"its receiver")),
]


def kind_of(reason):
    return next(kind for kind, pattern in KINDS if pattern.match(reason))


def run(program, name, version, ty):
    """One crate: what init prints, the seconds it took, how it ended."""
    text, _, seconds, code = harnesses.init(program, harnesses.ROOT / "target/discovery", name, version, ty)
    return text, seconds, code


def row(name, version, text, seconds, code):
    """The line of the table, and the findings with their calls."""
    written = re.search(r"a harness for (.*)\n +(\d+) of (\d+) public functions", text)
    if not written:
        return f"| {name} {version} | | | | | | | | exit code {code} |", []
    ty, n_run, n_all = written[1], int(written[2]), int(written[3])
    left = Counter(kind_of(reason) for reason in re.findall(r"^ +without [^ ]+: (.*)$", text, re.MULTILINE))
    n_safe = n_all - left["unsafe"]
    reasons = ", ".join(f"{count} {kind}" for kind, count in left.most_common()) or "none"
    number = lambda word: (re.search(rf"^{word} +([\d,]+)", text, re.MULTILINE) or [None, "?"])[1].replace(",", "")
    took = (re.search(r"^took +([\d.]+) s", text, re.MULTILINE) or [None, "?"])[1]
    end = "complete" if "complete: the space is exhausted" in text else "budget spent"
    findings = harnesses.findings(text)
    line = (
        f"| {name} {version} | `{ty.replace('std::hash::', '')}` | {n_safe} | {n_run} ({100 * n_run // n_safe} %) | {reasons} "
        f"| {number('structures')} | {number('calls')} | {took} | {seconds:.0f} | {end} | {len(findings)} |"
    )
    return line, [(name, message, calls) for message, calls in findings]


def report(rows, findings):
    text = f"""# Harnesses for crates of the registry

What `cargo beget init --crate` makes of a type of each of twelve crates (`just discover`): the public functions that are safe, its own
and those of well-known traits, how many of them take part, why the others and the unsafe ones are left out, and what the check of the scope that it writes does, unchanged (k = 3, at
most 400,000 calls). "Check" is the check alone, "all" the whole command, with documentation, compiling and several checks, once beget itself is built.

| crate | type | safe functions | take part | left out | structures | calls | check, s | all, s | end | findings |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""
    text += "\n".join(rows) + "\n\n## Findings\n"
    for name, message, calls in findings:
        message = re.sub(r"/\S*/registry/src/[^/]*/", "", message).replace(f"{harnesses.ROOT}/", "")
        # Behind the calls stands what the last one left.
        calls = re.match(r"(?: {4}.*\n)*", calls)[0].splitlines()
        text += f"\n{name}: {message}\n\n```rust\n" + "".join(line[4:] + "\n" for line in calls if "more like it" not in line) + "```\n"
    if not findings:
        text += "\nNone.\n"
    return text


def main(arguments):
    program, *names = arguments
    program = str(Path(program).resolve())
    rows, findings = [], []
    # Builds beget, which is no crate's own time.
    run(program, *CRATES[0])
    for name, version, ty in CRATES:
        if names and name not in names:
            continue
        text, seconds, code = run(program, name, version, ty)
        line, found = row(name, version, text, seconds, code)
        print(line, flush=True)
        rows.append(line)
        findings += found
    if not names:
        RESULT.write_text(report(rows, findings) + harnesses.examined(RESULT))


if __name__ == "__main__":
    main(sys.argv[1:])
