"""Prints what came of the mutants as tables in Markdown: by crate, and those that no test finds.

`unfound.toml` says of mutants that no test finds why no result changes, by group, or what is known of them.
"""

import json
import re
import tomllib
from collections import Counter, defaultdict

from build import HERE, OUT
from run import outcomes

COLUMNS = ["mutants", "not compiled", "not run", "run", "caught", "caught by time", "no result changes", "open"]


def report(packages):
    known, groups = outcomes(), tomllib.loads((HERE / "unfound.toml").read_text())["group"]
    reasons = {line.strip(): group for group in groups for line in group["mutants"].strip().splitlines()}
    refused = set(json.loads((OUT / "refused.json").read_text()))
    compiled = [mutant["name"] for mutant in json.loads((OUT / "mutants.json").read_text())]
    counts, opened = Counter(), []
    for name in [*compiled, *sorted(refused)]:
        package, title, row = package_of(name), short(name), known.get(name)
        if packages and package not in packages:
            continue
        what = "not compiled" if name in refused else row["outcome"] if row else "not run"
        if what in ("survived", "not reached"):
            what = "no result changes" if reasons.get(title, {}).get("equivalent") else "open"
            if title not in reasons:
                opened.append(title)
        for counted in (package, "all"):
            counts[counted, what] += 1
            counts[counted, "mutants"] += 1
            counts[counted, "run"] += row is not None and name not in refused
    print_table(counts, [*sorted({package for package, _ in counts} - {"all"}), "all"])
    for group in groups:
        print_group(group["reason"], group["mutants"].strip().splitlines())
    print_group("Open, nothing else being known", opened)


def package_of(name):
    return re.match(r"crates/([^/]+)/", name)[1]


def short(name):
    return re.sub(r"^crates/beget-(\w+)/src/", r"\1/", name)


def print_table(counts, rows):
    print("| crate |", " | ".join(COLUMNS), "| open, of those that change something |")
    print("| --- |" + " ---: |" * (len(COLUMNS) + 1))
    for row in rows:
        numbers = [counts[row, column] for column in COLUMNS]
        changing = counts[row, "run"] - counts[row, "no result changes"]
        share = f"{100 * counts[row, 'open'] / changing:.1f} %" if changing else ""
        print(f"| {row} |", " | ".join(f"{number:,}" for number in numbers), f"| {share} |")


def print_group(reason, titles):
    """The mutants by file: place, and what is changed."""
    print(f"\n**{reason}** ({len(titles)}):\n")
    by_file = defaultdict(list)
    for title in titles:
        file, place, change = title.strip().split(":", 1)[0], *title.strip().split(":", 1)[1].split(": ", 1)
        change = re.sub(r" in [^`]*$|^replace ", "", change).replace("|", "\\|")
        by_file[file].append(f"{place} `{change}`")
    for file, changes in by_file.items():
        print(f"- {file}: {', '.join(changes)}")
