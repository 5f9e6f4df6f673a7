"""Runs all mutants of some crates in one build: mutant schemata.

cargo-mutants builds the crate again for each mutant. Here every mutant is compiled in, and a switch in the environment
chooses one, so a mutant costs a few runs of tests and no build. Needs cargo-mutants 27.1 and requirements.txt.

    python3 conformance/schemata build -p beget-engine ..   writes, compiles and builds; drops what does not compile
    python3 conformance/schemata run -p beget-engine        runs mutants that have no outcome, by the cheapest tests
    python3 conformance/schemata run --survivors ..         runs those again that survived or were not reached
    python3 conformance/schemata run --since COMMIT ..      runs mutants of lines that are newer than a commit
    python3 conformance/schemata report                     the table, and the mutants that no test finds

`build` names all crates whose mutants are compiled in; `run` takes those of some of them. All is in target/schemata.
"""

import argparse
import json
import random
import re
import subprocess

import build
import run


# Where else tests of a crate are: those that would take too long to compile if they were optimised with it.
TESTED_IN = {"beget-oracle": "beget"}


def arguments():
    parser = argparse.ArgumentParser(prog="schemata", description=__doc__.splitlines()[0])
    parser.add_argument("command", choices=["build", "run", "report"])
    parser.add_argument("-p", "--package", action="append", default=[])
    parser.add_argument("-t", "--tested", action="append", default=[], help="a package whose tests are run; else those with tests of the mutated ones")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--budget", type=float, default=20, help="processor seconds of tests for each mutant")
    parser.add_argument("--survivors", action="store_true", help="those that survived or were not reached, again")
    parser.add_argument("--match", default="", help="only mutants whose name has this regular expression")
    parser.add_argument("--since", help="only mutants of lines that commits after this one wrote; moved lines are none")
    parser.add_argument("--sample", type=int, help="of the first so many of each package, in a random order that is always the same")
    parser.add_argument("--without", action="append", default=[], help="leaves out tests with this in their title")
    parser.add_argument("--only", action="append", default=[], help="takes only tests with one of these in their title")
    return parser.parse_args()


def chosen(mutants, options):
    known = run.outcomes()
    mutants = [mutant for mutant in mutants if mutant["package"] in (options.package or [mutant["package"]])]
    if options.since:
        mutants = written_since(options.since, mutants)

    def is_open(mutant):
        row = known.get(mutant["name"])
        return row is None or (options.survivors and row["outcome"] in ("survived", "not reached"))

    wanted = [mutant for mutant in mutants if is_open(mutant) and re.search(options.match, mutant["name"])]
    if options.survivors:
        wanted = [mutant for mutant in wanted if mutant["name"] in known]
    if options.sample:
        drawn = sample(mutants, options.sample)
        wanted = [mutant for mutant in wanted if mutant["name"] in drawn]
    return wanted


def written_since(commit, mutants):
    """The mutants that begin in a line which a commit after `commit` wrote."""
    lines = {}
    for file in {mutant["file"] for mutant in mutants}:
        command = ["git", "blame", "-s", "-w", "-M", "-C", "-C", f"{commit}..", "--", file]
        rows = subprocess.run(command, cwd=build.ROOT, check=True, stdout=subprocess.PIPE).stdout.decode().splitlines()
        # A line that is older is said to be of the commit, marked as a boundary.
        lines[file] = {number for number, row in enumerate(rows, 1) if not row.startswith("^")}
    return [mutant for mutant in mutants if mutant["start"][0] in lines[mutant["file"]]]


def sample(mutants, size):
    """The names of the first `size` mutants of each package in a random order. A larger sample contains a smaller one."""
    names = {}
    for mutant in mutants:
        names.setdefault(mutant["package"], []).append(mutant["name"])
    for package in names.values():
        random.Random(0).shuffle(package)
    return {name for package in names.values() for name in package[:size]}


def main():
    options = arguments()
    if options.command == "build":
        elsewhere = [TESTED_IN[package] for package in options.package if package in TESTED_IN]
        tested = options.tested or list(dict.fromkeys([*options.package, *elsewhere]))
        build.build(options.package, tested, ["-j", str(options.jobs)])
    elif options.command == "run":
        mutants = json.loads((build.OUT / "mutants.json").read_text())
        programs = json.loads((build.OUT / "tests.json").read_text())
        count = int((build.COPY / "crates/schemata/src/count.in").read_text())
        tests = run.reached(programs, count, options.jobs, options.only, options.without)
        run.Runner(tests, options.budget, options.jobs).run_all(chosen(mutants, options))
    else:
        import report

        report.report(options.package)


main()
