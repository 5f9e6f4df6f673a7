"""Says which parts of beget the instructions of a call belong to.

Usage: profile.py BEGET [--write]

BEGET is a release build, which has line tables.
Nearly everything is inlined into a few functions, so an instruction belongs to the innermost frame of its inline
chain whose file is one of beget's own. `--write` writes the table to results/profile.md.
"""

import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULT = ROOT / "benchmarks" / "results" / "profile.md"
VALGRIND = shutil.which("valgrind") or sys.exit("valgrind is needed")
ADDR2LINE = shutil.which("addr2line") or sys.exit("addr2line is needed")

RUNS = [
    ("roops/ncl", 7),
    ("korat/searchtree", 10),
    ("korat/slist", 7),
    ("kiasan/treeset", 10),
    ("korat/fibheap", 6),
    ("kiasan/dllist", 7),
]

# The parts, by what the path of a source file matches; the first that fits counts.
PARTS = [
    ("subject's code", r"/beget-cli/src/"),
    ("decode", r"/beget-heap/src/(decode|arena)"),
    ("incremental re-encoding", r"/beget-heap/src/template|/beget-engine/src/worker/reencode"),
    ("patching of siblings", r"/worker/siblings"),
    ("hash, candidates, probe, insert, growth", r"/beget-engine/src/store/|/beget-heap/src/(hash|form)"),
    ("walk and encode", r"/beget-heap/src/"),
    ("allocation", r"/beget-process/src/alloc/(global|kept|checked|range)"),
    ("compare image, save, restore", r"/beget-process/src/alloc/"),
    ("worker loop, glue, outcome", r"/beget-[a-z]+/src/|/beget/src/"),
]
OF_LIBC = "libc (memory copied, compared, asked for)"
OTHER = "other"

TITLE = """# Where the instructions of a call go

`just profile` counts them by callgrind, on one thread. Nearly everything is inlined into a few functions, so an
instruction belongs to the innermost frame of its inline chain that lies in a file of beget; `libc` is what is called
there, and `other` is the start of the process and code of the standard library that no frame of beget has inlined."""


def collect(beget, scope, k):
    """The instructions of one run by address in the program, those of libraries, and its calls."""
    with tempfile.TemporaryDirectory() as directory:
        run = [beget, "generate", f"scopes/{scope}.ron", "-k", str(k), "--threads", "1"]
        out = pathlib.Path(directory, "out")
        options = ["--dump-instr=yes", "--compress-pos=no", "--compress-strings=no", f"--callgrind-out-file={out}"]
        done = subprocess.run([VALGRIND, "--tool=callgrind", *options, *run], cwd=ROOT, capture_output=True, text=True, env={})
        calls = re.search(r"^calls +([\d,]+)", done.stdout, re.MULTILINE)
        if done.returncode != 0 or not calls:
            sys.exit(f"{done.stdout}{done.stderr}")
        own, others, is_own, is_call = collections.Counter(), 0, True, False
        for line in out.open():
            if line.startswith("ob="):
                is_own = line.strip().endswith(pathlib.Path(beget).name)
            elif line.startswith("calls="):
                is_call = True
            elif line.startswith("0x"):
                # What follows `calls=` is what the function called has cost.
                if is_call:
                    is_call = False
                    continue
                address, _, cost = line.split()
                if is_own:
                    own[int(address, 16)] += int(cost)
                else:
                    others += int(cost)
        return own, others, int(calls[1].replace(",", ""))


def frames(beget, addresses):
    """The source files of each address, innermost first."""
    asked = "\n".join(f"{address:#x}" for address in addresses)
    told = subprocess.run([ADDR2LINE, "-a", "-i", "-e", beget], input=asked, capture_output=True, text=True, check=True)
    chains = []
    for line in told.stdout.splitlines():
        if line.startswith("0x"):
            chains.append([])
        else:
            chains[-1].append(line)
    return chains


def part_of(chain):
    for file in chain:
        for part, pattern in PARTS:
            if re.search(pattern, file):
                return part
    return OTHER


def profile(beget, scope, k):
    """Instructions a call by part."""
    own, others, calls = collect(beget, scope, k)
    costs = collections.Counter({OF_LIBC: others})
    # What is met less often than every hundredth call, such as the start, is nobody's.
    often = sorted(address for address, cost in own.items() if cost * 100 >= calls)
    for address, chain in zip(often, frames(beget, often), strict=True):
        costs[part_of(chain)] += own[address]
    costs[OTHER] += sum(own.values()) - sum(own[address] for address in often)
    return {part: cost / calls for part, cost in costs.items()}


def main():
    beget = str(pathlib.Path(sys.argv[1]).resolve())
    profiles = [profile(beget, scope, k) for scope, k in RUNS]
    lines = ["| instructions a call | " + " | ".join(f"{scope} {k}" for scope, k in RUNS) + " |"]
    lines.append("| --- |" + " ---: |" * len(RUNS))
    lines.append("| all | " + " | ".join(f"{sum(costs.values()):.0f}" for costs in profiles) + " |")
    for part in [part for part, _ in PARTS] + [OF_LIBC, OTHER]:
        lines.append(f"| {part} | " + " | ".join(f"{costs.get(part, 0):.0f}" for costs in profiles) + " |")
    table = "\n".join(lines) + "\n"
    print(table, end="")
    if "--write" in sys.argv[2:]:
        RESULT.write_text(f"{TITLE}\n\n{table}")


if __name__ == "__main__":
    main()
