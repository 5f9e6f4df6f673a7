"""Prints what came of the mutants as tables in Markdown: by crate, and those that no test finds.

`unfound.toml` says of mutants that no test finds why no result changes, by group, or what is known of them.
"""

import json
import re
import tomllib
from collections import Counter

from build import HERE, OUT, listed
from run import outcomes

COLUMNS = ["mutants", "not compiled", "not run", "run", "caught", "caught by time", "no result changes", "open"]


def report(packages):
    known, groups = outcomes(), tomllib.loads((HERE / "unfound.toml").read_text())["group"]
    reasons = {line.strip(): group for group in groups for line in group["mutants"].strip().splitlines()}
    refused = set(json.loads((OUT / "refused.json").read_text()))
    mutants = listed(packages)
    counts, opened, unused = Counter(), [], set(reasons)
    for mutant in mutants:
        title, row = short(mutant.name), known.get(mutant.name)
        what = "not compiled" if mutant.name in refused else row["outcome"] if row else "not run"
        if what in ("survived", "not reached"):
            what = "no result changes" if reasons.get(title, {}).get("equivalent") else "open"
            unused.discard(title)
            if title not in reasons:
                opened.append(f"{title} ({row['outcome']}, {row['reached_by']} tests reach it, {row['tried']} tried)")
        for package in (mutant.package, "all"):
            counts[package, what] += 1
            counts[package, "mutants"] += 1
            counts[package, "run"] += row is not None and mutant.name not in refused
    print_table(counts, [*packages, "all"])
    for group in groups:
        print_group(group)
    print("\nWithout a reason:\n", *opened, sep="\n")
    print("\nReasons of mutants that are caught, or are none:\n", *sorted(unused), sep="\n")


def short(name):
    return re.sub(r"^crates/beget-(\w+)/src/", r"\1/", name)


def print_table(counts, rows):
    print("| crate |", " | ".join(COLUMNS), "| open, of those that change something |")
    print("| --- |", " ---: |" * (len(COLUMNS) + 1))
    for row in rows:
        numbers = [counts[row, column] for column in COLUMNS]
        changing = counts[row, "run"] - counts[row, "no result changes"]
        share = f"{100 * counts[row, 'open'] / changing:.1f} %" if changing else ""
        print(f"| {row} |", " | ".join(f"{number:,}" for number in numbers), f"| {share} |")


def print_group(group):
    mutants = group["mutants"].strip().splitlines()
    print(f"\n{group['reason']} ({len(mutants)}):\n")
    print(*(f"- `{mutant.strip()}`" for mutant in mutants), sep="\n")
