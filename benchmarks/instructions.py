"""Counts the instructions of six runs of beget, and compares them with the counts written down beside this file.

Usage: instructions.py BEGET [--write]

Counts are repeatable where times are not, but each compiler makes other instructions, and libc has others for each
processor. So they are kept by both, and by the profile, whose name is that of BEGET's directory: where none are written
down for the ones in use, they are printed only. `--write` replaces those in use. Exits with 1 if a run takes over 3 %
more than was written down, and says so if one takes over 3 % less.
"""

import csv
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
COUNTS = ROOT / "benchmarks" / "instructions.csv"
TOLERANCE = 0.03
VALGRIND = shutil.which("valgrind") or sys.exit("valgrind is needed")

RUNS = [
    ("roops/ncl", 6),
    ("korat/searchtree", 8),
    ("korat/slist", 6),
    ("kiasan/treeset", 8),
    ("korat/fibheap", 5),
    ("kiasan/dllist", 6),
]


def count(beget, scope, k):
    """The instructions of one run, on one thread."""
    with tempfile.TemporaryDirectory() as directory:
        run = [beget, "generate", f"scopes/{scope}.ron", "-k", str(k), "--threads", "1"]
        out = f"--callgrind-out-file={directory}/out"
        command = [VALGRIND, "--tool=callgrind", out, *run]
        # The environment lies in the memory of the process: nothing of it may make a difference.
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env={})
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not found:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return int(found[1])


def platform_in_use(profile):
    """What the counts depend on, as far as it is not in the repository, and the profile if it is not `release`."""
    told = subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout
    fields = dict(line.split(": ", 1) for line in told.splitlines() if ": " in line)
    told = subprocess.run([VALGRIND, "--version"], capture_output=True, text=True, check=True).stdout
    flags = re.search(r"^flags\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    wide = {"avx2", "avx512f", "avx512vl", "erms", "fsrm"} & set(flags[1].split() if flags else [])
    libc = "-".join(platform.libc_ver())
    built = [] if profile == "release" else [f"profile-{profile}"]
    return " ".join([fields["release"], fields["host"], libc, told.strip(), *sorted(wide), *built])


def read():
    """The counts written down, by platform, scope and k."""
    with COUNTS.open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {(row["platform"], row["scope"], int(row["k"])): int(row["instructions"]) for row in rows}


def write(known, counts, used):
    """Puts the counts of the platform in use in the place of its former ones."""
    kept = {key: value for key, value in known.items() if key[0] != used}
    kept |= {(used, scope, k): value for (scope, k), value in counts.items()}
    with COUNTS.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["platform", "scope", "k", "instructions"])
        writer.writerows([*key, value] for key, value in sorted(kept.items()))


def main():
    beget = pathlib.Path(sys.argv[1]).resolve()
    used, known = platform_in_use(beget.parent.name), read()
    counts, slower = {}, []
    for scope, k in RUNS:
        counts[scope, k] = counted = count(str(beget), scope, k)
        before = known.get((used, scope, k))
        ratio = counted / before - 1 if before else None
        note = "" if ratio is None else f" {ratio:+8.2%} of {before:,}"
        print(f"{scope:<18} k = {k} {counted:>14,}{note}", flush=True)
        if ratio is not None and ratio > TOLERANCE:
            slower.append(scope)
        if ratio is not None and ratio < -TOLERANCE:
            print("  less than was written down: `just instructions --write`")
    if "--write" in sys.argv[2:]:
        write(known, counts, used)
    elif slower:
        sys.exit(f"more instructions than written down: {', '.join(slower)}")
    elif not any(key[0] == used for key in known):
        print(f"nothing is written down for {used}: no comparison")


main()
