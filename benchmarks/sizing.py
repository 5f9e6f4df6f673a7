#!/usr/bin/env python3
"""What a cluster would need for a scope: a model of a run on several machines, fed by measured rates.

Usage: sizing.py [--measure BEGET] [--check]

With --measure it first runs `BEGET generate` on some case studies, one thread each, and writes what these runs measured to
benchmarks/results/sizing.json: calls and structures by level, CPU time, bytes of the store. The same runs by two and by four processes
(`--hosts local:N`) say what those send to each other, and what CPU time they take. `BEGET estimate` says which k has 10^11 structures, and
how many calls a structure there. Then, always, it writes benchmarks/results/sizing.md. With --check it writes nothing, and fails if that file is not what it would write.

The model. A run goes level by level, and within a level by batches of 16 blocks of about 2^15 calls. Each of P processes, of T threads
each, makes its share of the calls, and owns the forms whose hash says so. What goes to one process, its owner or whoever makes the calls
on it (candidates, answers, forms), crosses the wire in (P - 1) / P of the cases; what goes to all (how a new structure was made, what calls
came to) crosses it P - 1 times. The bytes of both follow from what two and four processes sent. A batch takes some rounds in which everybody
hears from everybody. A disk store merges the candidates of a level with everything found before, which is read once for each level. So a
level takes

    work    calls * ns_a_call / (P * T), by the CPU time of two processes if there is more than one
    wire    new * (to_one * (P - 1) / P + to_all * (P - 1)) * overhead / (P * bandwidth)
    rounds  calls / (16 * 2^15) * rounds * round_trip, if there is more than one process
    disk    (structures before the level + 2 * new ones) * bytes on disk / (P * disk_bandwidth)

seconds. Calls are made while candidates are sent, so the longer of work and wire counts; rounds are waited for; merging begins when all
candidates have come, so disk is added. The large scope has the levels of the measured one, scaled: each level has the same share of the
structures, and of the calls and of what goes to one process, which grow as calls a structure do. That is a simplification, since larger
scopes have more levels; for disk, which reads once for each level, `levels_grow` says by how much more.

In memory a process holds its part of the forms, and how each structure of the run was made.

What it leaves out: one process that is slower than the others, memory bandwidth that threads share, a network that others use.
"""

import json
import pathlib
import re
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RATES = ROOT / "benchmarks/results/sizing.json"
TABLE = ROOT / "benchmarks/results/sizing.md"

# Scopes of some million calls each, of different kinds: (scope file, k).
SUBJECTS = [
    ("scopes/kiasan/stack.ron", 7),
    ("scopes/korat/searchtree.ron", 11),
    ("scopes/roops/ncl.ron", 7),
    ("scopes/roops/fibheap.ron", 7),
    ("scopes/kiasan/treemap.ron", 5),
]

# What was not measured by the runs above: (value, unit, where it comes from).
INPUTS = {
    "recipe_held": (1.6, "B a structure", "how a structure was made, as each process holds it"),
    "overhead": (1.06, "", "headers of Ethernet, IP and TCP around 1,448 B of data"),
    "rounds": (6.0, "a batch", "forms, results, candidates, what is new, origins, whether to go on"),
    "round_trip": (1.0e-4, "s", "assumed: machines on one switch"),
    "disk_bytes": (5.0, "B a structure", "measured, recipes included: 3.3 to 7 (disk.md)"),
    "disk_bandwidth": (1.0e9, "B/s", "assumed: one NVMe disk in each machine, read and written in long runs"),
    "levels_grow": (2.0, "", "assumed: levels of the large scope for each level of the measured one"),
}

BATCH = 16 * 2**15
SENT = re.compile(r"the processes sent (\d+) bytes to each other")
NETWORKS = [("1 Gbit/s", 0.125e9), ("10 Gbit/s", 1.25e9), ("25 Gbit/s", 3.125e9)]
CLUSTERS = [(1, 16), (2, 16), (4, 16), (16, 16)]
STRUCTURES = 1e11


def value(name):
    return INPUTS[name][0]


def summary_of(command):
    """The JSON summary that a command prints."""
    return json.loads(subprocess.run(command + ["--summary", "json"], cwd=ROOT, check=True, capture_output=True, text=True).stdout)


def shared(beget, scope, k, processes):
    """What a run by several processes sends, in bytes a structure, and its CPU time."""
    line = [beget, "generate", scope, "-k", str(k), "--threads", "1", "--hosts", f"local:{processes}", "-v", "--summary", "json"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run(line, cwd=ROOT, check=True, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    structures = sum(json.loads(ended.stdout)["generated_by_type"].values())
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return int(SENT.search(ended.stderr)[1]) / structures, cpu


def large(beget, scope, k):
    """The first k that likely has as many structures as are asked about, and calls a structure there: a parabola through the last three
    scopes that were counted, since calls a structure grow with the literals of one parameter or two."""
    while True:
        k += 1
        estimate = summary_of([beget, "estimate", scope, "-k", str(k), "--max-calls", "3000000"])
        if estimate["structures"]["likely"] >= STRUCTURES:
            known = [(one["k"], one["explored"] / one["generated"]) for one in estimate["counted"][-3:]]
            return {"k": k, "calls_a_structure": round(parabola(known, k), 1)}


def parabola(points, at):
    """The value there of the parabola through three points.

    >>> parabola([(1, 2), (2, 6), (3, 12)], 9)
    90.0
    """
    value = 0.0
    for x, y in points:
        factors = [(at - other) / (x - other) for other, _ in points if other != x]
        value += y * factors[0] * factors[1]
    return value


def measure(beget):
    """What the runs measure, in the order of SUBJECTS."""
    rates = []
    for scope, k in SUBJECTS:
        run = summary_of([beget, "generate", scope, "-k", str(k), "--threads", "1"])
        (by_two, cpu_of_two), (by_four, _) = (shared(beget, scope, k, processes) for processes in (2, 4))
        rates.append(
            {
                "suite": run["suite"],
                "k": k,
                "structures": sum(run["generated_by_type"].values()),
                "calls": run["explored"],
                "cpu_seconds": round(run["cpu_seconds"], 3),
                "cpu_seconds_of_two": round(cpu_of_two, 3),
                "sent_by_two": round(by_two, 2),
                "sent_by_four": round(by_four, 2),
                "store_bytes": run["store_bytes"],
                "large": large(beget, scope, k),
                "levels": [[level["new"], level["explored"]] for level in run["levels"]],
            }
        )
    return rates


def growth(rate):
    """How many calls a structure has in the large scope for each one in the measured scope."""
    return rate["large"]["calls_a_structure"] / (rate["calls"] / rate["structures"]) if "large" in rate else 1.0


def to_one_and_all(rate):
    """Bytes a structure that go to one process, and those that go to all, from what two processes sent (to_one / 2 + to_all) and
    four (3 / 4 to_one + 3 to_all).

    >>> to_one_and_all({"sent_by_two": 12.0, "sent_by_four": 21.0})
    (20.0, 2.0)
    """
    to_one = (3 * rate["sent_by_two"] - rate["sent_by_four"]) / 0.75
    return to_one, rate["sent_by_two"] - to_one / 2


def sent_bytes(rate, new, more_calls, processes):
    """What all processes together send for so many new structures, with so many times the calls a structure.

    >>> rate = {"sent_by_two": 12.0, "sent_by_four": 21.0}
    >>> [round(sent_bytes(rate, 1, 1, processes) / value("overhead"), 6) for processes in (1, 2, 4)]
    [0.0, 12.0, 21.0]
    >>> round(sent_bytes(rate, 10, 3, 2) / value("overhead"), 6)
    320.0
    """
    to_one, to_all = to_one_and_all(rate)
    return new * (to_one * more_calls * (processes - 1) / processes + to_all * (processes - 1)) * value("overhead")


def simulate(rate, structures, processes, threads, bandwidth):
    """Seconds of work, wire, rounds and disk, and how long the run takes, level by level.

    Two levels of 1 and 9 structures with 10 and 90 calls of 1 microsecond, without rounds and disk: a second of work for each million
    calls. Four processes make a quarter each, unless the wire is slower.

    >>> rate = {"structures": 10, "calls": 100, "cpu_seconds": 1e-4, "cpu_seconds_of_two": 1e-4, "levels": [[1, 10], [9, 90]]}
    >>> rate |= {"sent_by_two": 12.0, "sent_by_four": 21.0}
    >>> INPUTS.update({name: (0.0, "", "") for name in ("rounds", "disk_bytes")})
    >>> round(simulate(rate, 1e6, 1, 1, 1e9)["total"], 9)
    10.0
    >>> round(simulate(rate, 1e6, 4, 1, 1e9)["total"], 9)
    2.5
    >>> slow = simulate(rate, 1e6, 4, 1, 1e6)
    >>> slow["total"] == slow["wire"] and round(slow["wire"], 6) == round(sent_bytes(rate, 1e6, 1, 4) / 4e6, 6)
    True
    """
    scale = structures / rate["structures"]
    more_calls = growth(rate)
    seconds_a_call = rate["cpu_seconds_of_two" if processes > 1 else "cpu_seconds"] / rate["calls"]
    spent = {"work": 0.0, "wire": 0.0, "rounds": 0.0, "disk": 0.0, "total": 0.0}
    before = 0.0
    for new, calls in rate["levels"]:
        new, calls = new * scale, calls * scale * more_calls
        work = calls * seconds_a_call / (processes * threads)
        wire = sent_bytes(rate, new, more_calls, processes) / (processes * bandwidth)
        rounds = calls / BATCH * value("rounds") * value("round_trip") if processes > 1 else 0.0
        passes = value("levels_grow")
        moved = (before * passes + new * (passes + 1) / 2 + 2 * new) * value("disk_bytes")
        disk = moved / (processes * value("disk_bandwidth"))
        before += new
        spent["work"] += work
        spent["wire"] += wire
        spent["rounds"] += rounds
        spent["disk"] += disk
        spent["total"] += max(work, wire) + rounds + disk
    return spent


def hours(seconds):
    hours = seconds / 3600
    return f"{hours:.2f}" if hours < 1 else f"{hours:.1f}" if hours < 100 else f"{hours:,.0f}"


def row(cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |\n"


def head(cells):
    return row(cells) + "|---" + "|---:" * (len(cells) - 1) + "|\n"


def table(rates):
    text = "# What a cluster would need\n\n"
    text += "Written by `python3 benchmarks/sizing.py`, whose head says what the model is, from the rates in `sizing.json`. "
    text += "It is arithmetic on measured rates, not a measurement of a cluster.\n\n## What went in\n\nMeasured, on one thread and by processes of one thread; the last two columns are estimates of `beget estimate`:\n\n"
    text += head(["subject", "k", "structures", "calls a structure", "ns a call", "of two processes", "B to one", "B to all", "store B a structure", "levels", "k of 10^11 structures", "calls a structure there"])
    for rate in rates:
        n = rate["structures"]
        text += row(
            [
                rate["suite"],
                rate["k"],
                f"{n:,}",
                f"{rate['calls'] / n:.1f}",
                f"{rate['cpu_seconds'] / rate['calls'] * 1e9:.0f}",
                f"{rate['cpu_seconds_of_two'] / rate['calls'] * 1e9:.0f}",
                *(f"{size:.1f}" for size in to_one_and_all(rate)),
                f"{rate['store_bytes'] / n:.1f}",
                len(rate["levels"]),
                rate["large"]["k"],
                rate["large"]["calls_a_structure"],
            ]
        )
    text += "\nNot measured by these runs:\n\n" + "| input | value | from |\n|---|---:|---|\n"
    for name, (number, unit, source) in INPUTS.items():
        shown = f"{number:g} {unit}".replace("1e+09", "10^9").strip()
        text += row([f"`{name}`", shown, source])
    text += scenario(rates)
    text += networks(rates)
    text += sensitivity(rates)
    return text


def scenario(rates):
    """Time, wire, memory and disk of 10^11 structures by cluster."""
    text = "\n## 10^11 structures\n\nHours on processes of 16 threads, a machine each, over 10 Gbit/s. *Wire* and *work* overlap, *rounds* and *disk* are added. "
    text += "*Hours in memory* are those without the disk. Memory is that of the memory store, disk that of the disk store: one of them is needed.\n\n"
    names = ["subject", "processes", "hours on disk", "hours in memory", "work h", "wire h", "rounds h", "disk h"]
    text += head(names + ["TB sent", "B sent a structure", "memory GB a process", "disk GB a process"])
    for rate in rates:
        for processes, threads in CLUSTERS:
            spent = simulate(rate, STRUCTURES, processes, threads, NETWORKS[1][1])
            sent = sent_bytes(rate, 1.0, growth(rate), processes)
            held = rate["store_bytes"] / rate["structures"] / processes + (value("recipe_held") if processes > 1 else 0.0)
            text += row(
                [
                    rate["suite"],
                    processes,
                    hours(spent["total"]),
                    hours(spent["total"] - spent["disk"]),
                    hours(spent["work"]),
                    hours(spent["wire"]),
                    hours(spent["rounds"]),
                    hours(spent["disk"]),
                    f"{sent * STRUCTURES / 1e12:.1f}",
                    f"{sent:.0f}",
                    f"{held * STRUCTURES / 1e9:,.0f}",
                    f"{value('disk_bytes') * STRUCTURES / processes / 1e9:,.0f}",
                ]
            )
    return text


def networks(rates):
    """Which network is fast enough."""
    text = "\n## Which network is fast enough\n\nHours of 16 processes of 16 threads; in brackets the hours that the wire alone needs.\n\n"
    text += head(["subject"] + [name for name, _ in NETWORKS])
    for rate in rates:
        spent = [simulate(rate, STRUCTURES, 16, 16, bandwidth) for _, bandwidth in NETWORKS]
        text += row([rate["suite"]] + [f"{hours(one['total'])} ({hours(one['wire'])})" for one in spent])
    return text


def sensitivity(rates):
    """What the answer hangs on: each assumed input doubled."""
    text = "\n## What the answer hangs on\n\nBy how much the hours of 16 processes of 16 threads over 10 Gbit/s grow if an input is twice as large.\n\n"
    names = ["rounds", "round_trip", "disk_bytes", "levels_grow"]
    text += head(["subject"] + [f"`{name}`" for name in names])
    for rate in rates:
        usual = simulate(rate, STRUCTURES, 16, 16, NETWORKS[1][1])["total"]
        cells = [rate["suite"]]
        for name in names:
            kept = INPUTS[name]
            INPUTS[name] = (kept[0] * 2,) + kept[1:]
            grown = simulate(rate, STRUCTURES, 16, 16, NETWORKS[1][1])["total"]
            INPUTS[name] = kept
            cells.append(f"{100 * (grown / usual - 1):.0f} %")
        text += row(cells)
    return text


def main(arguments):
    if "--measure" in arguments:
        rates = measure(arguments[arguments.index("--measure") + 1])
        lines = ",\n".join(json.dumps(rate) for rate in rates)
        RATES.write_text(f"[\n{lines}\n]\n")
    text = table(json.loads(RATES.read_text()))
    if "--check" in arguments:
        import doctest

        failed = doctest.testmod().failed
        if failed or TABLE.read_text() != text:
            sys.exit("sizing.md is not what the model gives: run benchmarks/sizing.py")
        return
    TABLE.write_text(text)


if __name__ == "__main__":
    main(sys.argv[1:])
