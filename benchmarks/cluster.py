#!/usr/bin/env python3
"""What it costs to share a run among processes, over loopback on one machine.

Usage: cluster.py PROGRAM [SCOPE:K ...] [--runs N] [-o FILE]

Runs `PROGRAM generate` on each scope with 1 and 2 threads, and with 1, 2 and 4 processes of one thread each (`--hosts local:N`), N times each (three by default), and
takes the least wall time and the least CPU time (user and system, of all processes). All runs of a scope must print the same summary, what is measured
apart. The bytes sent are those of all processes together, their lengths included, headers of TCP not.

Writes a table to benchmarks/results/cluster.md, or FILE. Times mean something on an idle machine only: the load is written beside them.
"""

import json
import os
import pathlib
import platform
import re
import resource
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCOPES = ["korat/searchtree:12", "roops/ncl:8", "korat/dllist:8", "ours/skewheap:5"]
MEASURED = ["seconds", "cpu_seconds", "peak_rss_bytes", "store_bytes"]
WAYS = [
    ("1 thread", ["--threads", "1"]),
    ("2 threads", ["--threads", "2"]),
    ("1 process", ["--hosts", "local:1", "--threads", "1"]),
    ("2 processes", ["--hosts", "local:2", "--threads", "1"]),
    ("4 processes", ["--hosts", "local:4", "--threads", "1"]),
]
SENT = re.compile(r"the processes sent (\d+) bytes to each other")


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(program, scope, k, options):
    """Wall and CPU seconds, bytes sent, and the summary without what is measured."""
    command = [program, "generate", f"scopes/{scope}.ron", "-k", k, "--summary", "json", "-v"]
    start, cpu = time.monotonic(), cpu_seconds()
    ended = subprocess.run(command + options, cwd=ROOT, capture_output=True, text=True)
    wall, cpu = time.monotonic() - start, cpu_seconds() - cpu
    if ended.returncode not in (0, 1):
        sys.exit(f"{' '.join(ended.args)}: exit code {ended.returncode}\n{ended.stderr}")
    summary = json.loads(ended.stdout)
    for field in MEASURED:
        del summary[field]
    sent = SENT.search(ended.stderr)
    return wall, cpu, int(sent[1]) if sent else 0, summary


def measure(program, scope, k, n_runs):
    rows, summaries = [], []
    for way, options in WAYS:
        runs = [run(program, scope, k, options) for _ in range(n_runs)]
        wall, cpu = min(one[0] for one in runs), min(one[1] for one in runs)
        rows.append((way, wall, cpu, runs[-1][2]))
        summaries += [one[3] for one in runs]
    if any(summary != summaries[0] for summary in summaries):
        sys.exit(f"{scope}, k = {k}: the summaries differ")
    return rows, summaries[0]


def main():
    arguments = sys.argv[1:]
    target = ROOT / "benchmarks/results/cluster.md"
    if "-o" in arguments:
        at = arguments.index("-o")
        target = pathlib.Path(arguments[at + 1])
        del arguments[at : at + 2]
    n_runs = 3
    if "--runs" in arguments:
        at = arguments.index("--runs")
        n_runs = int(arguments[at + 1])
        del arguments[at : at + 2]
    if not arguments:
        sys.exit(__doc__)
    program = os.path.abspath(arguments[0])
    lines = [
        "# One run, several processes",
        "",
        f"`just cluster` on one machine over loopback: the least of {n_runs} runs each. Every run of a scope printed the same summary, what is measured apart.",
        "CPU is that of all processes together; *sent* is what all processes sent to each other, per structure.",
        "",
        f"{os.cpu_count()} cores, {platform.machine()}; load average {os.getloadavg()[0]:.1f} when they began.",
        "",
        "| scope | structures | calls | run by | wall s | CPU s | sent B |",
        "| --- | ---: | ---: | --- | ---: | ---: | ---: |",
    ]
    for scope, k in (text.split(":") for text in arguments[1:] or SCOPES):
        rows, summary = measure(program, scope, k, n_runs)
        n = sum(summary["generated_by_type"].values())
        for at, (way, wall, cpu, sent) in enumerate(rows):
            first = (f"{scope} {k}", f"{n:,}", f"{summary['explored']:,}") if at == 0 else ("", "", "")
            per = f"{sent / n:.1f}" if sent else ""
            lines.append("| " + " | ".join((*first, way, f"{wall:.2f}", f"{cpu:.2f}", per)) + " |")
            print(lines[-1], flush=True)
    target.write_text("\n".join(lines) + "\n")


main()
