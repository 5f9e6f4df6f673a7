#!/usr/bin/env python3
"""Lists the result tables with the recipe, date, commit and machine that made them, and those that are stale.

Usage: results.py
       results.py made TABLE...

Without arguments it prints a line for each table of benchmarks/results/made.csv, and exits with 1 if a table is
stale, is cited by no page, or is not in that file. A recipe of the justfile calls `results.py made` after it has
written its tables, which notes date, commit and machine.

A table of times is stale if an instruction count of benchmarks/instructions.csv differs by more than a tenth
between its commit and the last one. Any other table is stale if what it is made from, in SOURCES, has changed since.
"""

import csv
import datetime
import io
import os
import pathlib
import platform
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
MADE = RESULTS / "made.csv"
COUNTS = "benchmarks/instructions.csv"
TOLERANCE = 0.1

TIMES = None
# The tables: the recipe that makes one, and what it is made from.
SOURCES = {
    "builders.md": ("table2", ["scopes"]),
    "builders_random.md": ("builders-random", ["benchmarks/src/builders_random"]),
    "cluster.md": ("cluster", TIMES),
    "containers.md": ("containers", ["benchmarks/src/containers.rs", "scopes/jpf"]),
    "cookbook.md": ("cookbook-bugs", ["benchmarks/cookbook_bugs.py", "examples/cookbook/src"]),
    "cost.md": ("cost", ["Cargo.lock"]),
    "deep_defects.md": ("defects", ["defects/deep/src"]),
    "defects.md": ("defects", ["defects/src"]),
    "discovery.md": ("discover", ["benchmarks/discovery.py"]),
    "disk.md": ("disk", TIMES),
    "estimate.md": ("estimate", ["benchmarks/results/table1.csv", "benchmarks/src/estimates"]),
    "explorer.md": ("explorer", ["crates/beget-program/src/explore"]),
    "growth.md": ("bench", TIMES),
    "init_defects.md": ("init-defects", ["benchmarks/init_defects.py"]),
    "kills.md": ("disk", ["benchmarks/kills.py"]),
    "korat.md": ("korat", ["benchmarks/published/korat.ron"]),
    "memory_defects.md": ("defects", ["defects/src"]),
    "nighthawk.md": ("nighthawk", ["benchmarks/src/nighthawk.rs"]),
    "peers.md": ("bench", TIMES),
    "profile.md": ("profile", TIMES),
    "random_options.md": ("random-options", ["benchmarks/src/random_options.rs"]),
    "random_speed.md": ("random-speed", TIMES),
    "regions.md": ("regions", ["benchmarks/region_coverage.py"]),
    "shown_defects.md": ("defects", ["defects/src"]),
    "std.md": ("std", ["benchmarks/published/std_methods.csv", "benchmarks/std_census.py"]),
    "table1.md": ("table1", TIMES),
    "table2.md": ("table2", TIMES),
}
# Tables that tests of the workspace compare with what they find, so that none is ever stale.
TESTED = ["seeded.md"]
FIELDS = ["table", "recipe", "date", "commit", "machine"]


def git(*arguments):
    ended = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return ended.stdout.strip() if ended.returncode == 0 else None


def machine():
    cpus = pathlib.Path("/proc/cpuinfo").read_text(errors="replace")
    model = re.search(r"^model name\s*: (.*)$", cpus, re.MULTILINE)
    name = model[1] if model else platform.machine()
    return f"{name}, {os.cpu_count()} cores, {platform.system()} {platform.release()}"


def read():
    with MADE.open() as file:
        return {row["table"]: row for row in csv.DictReader(file)}


def write(rows):
    with MADE.open("w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows[table] for table in sorted(rows))


def note(tables):
    """Notes that the tables were made here and now."""
    rows = read()
    today, commit = datetime.date.today().isoformat(), git("rev-parse", "--short=8", "HEAD")
    for table in tables:
        recipe, _ = SOURCES[table]
        rows[table] = dict(zip(FIELDS, [table, recipe, today, commit, machine()]))
    write(rows)


def counts(text):
    """The instruction counts of a version of the file, by platform, scope and k."""
    rows = csv.DictReader(io.StringIO(text or ""))
    return {(row["platform"], row["scope"], row["k"]): int(row["instructions"]) for row in rows}


def change_of_times(commit):
    """The largest change of an instruction count since the commit, in words, if it is large."""
    before, now = counts(git("show", f"{commit}:{COUNTS}")), counts((ROOT / COUNTS).read_text())
    changes = {key: now[key] / before[key] - 1 for key in now if key in before}
    if not changes:
        return "no instruction counts to compare with"
    (_, scope, k), change = max(changes.items(), key=lambda pair: abs(pair[1]))
    return f"{scope} {k} takes {change:+.0%} instructions" if abs(change) > TOLERANCE else ""


def change_of_sources(commit, sources):
    """A change of what a table is made from since the commit, comments aside."""
    changed = git("diff", "--unified=0", commit, "HEAD", "--", *sources).splitlines()
    changed = [line[1:].strip() for line in changed if re.match(r"[-+](?![-+])", line)]
    if all(re.match(r"(//|#(?!\[)|$)", line) for line in changed):
        return ""
    last = git("log", "-1", "--format=%h %cs", f"{commit}..HEAD", "--", *sources)
    return f"{' '.join(sources)} changed: {last}"


def staleness(table, commit):
    if git("cat-file", "-e", commit) is None:
        return "unknown commit"
    _, sources = SOURCES[table]
    return change_of_times(commit) if sources is TIMES else change_of_sources(commit, sources)


def pages():
    outer = [ROOT / "README.md", ROOT / "ARCHITECTURE.md"]
    return "".join(path.read_text() for path in [*outer, *(ROOT / "docs").rglob("*.md")])


def problems_of(table, row, text):
    if not re.search(rf"(results/|`){re.escape(table)}", text):
        yield "cited by no page"
    if table in TESTED:
        return
    if row is None or table not in SOURCES:
        yield "not in made.csv, or not in SOURCES of results.py"
        return
    if stale := staleness(table, row["commit"]):
        yield f"stale: {stale}"


def show():
    rows, text, is_bad = read(), pages(), False
    for path in sorted(RESULTS.glob("*.md")):
        row = rows.get(path.name)
        made = "by a test" if row is None else f"just {row['recipe']}, {row['date']}, {row['commit']}"
        problems = list(problems_of(path.name, row, text))
        print(f"{path.name:20} {made:42} {'; '.join(problems) or 'current'}")
        is_bad |= bool(problems)
    missing = sorted(table for table in rows if not (RESULTS / table).exists())
    for table in missing:
        print(f"{table:20} is in made.csv, and does not exist")
    sys.exit(1 if is_bad or missing else 0)


if __name__ == "__main__":
    match sys.argv[1:]:
        case []:
            show()
        case ["made", *tables] if tables and all(table in SOURCES for table in tables):
            note(tables)
        case _:
            sys.exit(__doc__)
