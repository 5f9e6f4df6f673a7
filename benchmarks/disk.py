"""Measures runs on disk beside runs in memory.

    python3 benchmarks/disk.py BEGET [--memory MIB] [--runs SCOPE:K[:DIGEST] ...] [--write]

Each scope is run in memory and on disk, on one thread; both must say the same digest, counters and levels. Beside times and
memory it shows the bytes a structure takes in the files: for forms with what tells their order, and with recipes. A digest
after K stands for the run in memory, where there is not the memory for it. With `--write` the table goes to
benchmarks/results/disk.md.
"""

import argparse
import json
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The last one takes ten minutes, and more memory than most machines have if it is not on disk. Its digest is that of Table 1.
RUNS = ["roops/ncl:8", "korat/searchtree:11", "korat/slist:8", "korat/dllist:8", "korat/dllist:9:76f5c694aa8c889b57e872504363c205"]
SAME = ["complete", "digest", "generated", "explored", "kept", "matched", "out_of_scope", "levels", "findings"]


def run(beget, scope, k, options):
    line = [beget, "generate", f"scopes/{scope}.ron", "-k", k, "--threads", "1", "--summary", "json", "--quiet", *options]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = subprocess.run(line, cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    summary = json.loads(text)
    summary["cpu"] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return summary


class Reader:
    """Reads an index as postcard writes it."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def number(self):
        number, shift = 0, 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return number

    def block(self):
        """The length of a block, of which the index has the offset, the length and the checksum."""
        _, length = self.number(), self.number()
        self.at += 8
        return length


def parts_of(segment):
    """Bytes of the forms, the order and the recipes of a segment."""
    data = segment.read_bytes()
    offset, length = int.from_bytes(data[-28:-20], "little"), int.from_bytes(data[-20:-16], "little")
    reader = Reader(data[offset : offset + length])
    # The run, the number and the first structure of the segment, and its length.
    for _ in range(4):
        reader.number()
    forms = 0
    for _ in range(reader.number()):
        for _ in range(reader.number()):
            forms += reader.block()
            reader.number(), reader.number()
    order = sum(reader.block() for _ in range(reader.number()))
    recipes = sum(reader.block() for _ in range(reader.number()))
    return forms, order, recipes


def parts_of_all(directory):
    """The same, of all segments; they are too large to be held together."""
    return [sum(parts) for parts in zip(*(parts_of(path) for path in directory.glob("segment-*")))]


def measured(beget, scope, k, memory, known):
    in_memory = None if known else run(beget, scope, k, [])
    with tempfile.TemporaryDirectory(dir=os.environ.get("BEGET_DISK", None)) as parent:
        directory = pathlib.Path(parent) / "run"
        on_disk = run(beget, scope, k, ["--store", f"disk:{directory}", "--max-memory", str(memory)])
        forms, order, recipes = parts_of_all(directory)
        shutil.rmtree(directory)
    if in_memory:
        for name in SAME:
            assert in_memory[name] == on_disk[name], f"{scope} {k}: {name}"
    else:
        assert on_disk["digest"] == known and on_disk["complete"], f"{scope} {k}: {on_disk['digest']}"
    n = sum(on_disk["generated_by_type"].values())
    row = {"scope": scope, "k": k, "n": n, "digest": on_disk["digest"]}
    row["memory"] = f"{in_memory['cpu']:.1f}" if in_memory else "—"
    row["disk"] = f"{on_disk['cpu']:.1f}"
    row["ratio"] = f"{on_disk['cpu'] / in_memory['cpu']:.2f}" if in_memory else "—"
    row["held"] = f"{in_memory['peak_rss_bytes'] >> 20:,}" if in_memory else "—"
    row["held_disk"] = f"{on_disk['peak_rss_bytes'] >> 20:,}"
    row["forms"] = f"{(forms + order) / n:.1f}"
    row["all"] = f"{on_disk['disk_bytes'] / n:.1f}"
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("beget")
    parser.add_argument("--memory", type=int, default=2000)
    parser.add_argument("--runs", nargs="+", default=RUNS)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    beget = str(pathlib.Path(args.beget).resolve())
    lines = [
        "# Runs on disk",
        "",
        f"`python3 benchmarks/disk.py BEGET --memory {args.memory} --runs {' '.join(args.runs)}`: the same digest, counters and"
        f" levels in memory and with `--store disk:DIR --max-memory {args.memory}`, on one thread. CPU in seconds, the most"
        " memory of the process in MiB, bytes a structure in the files: its form and its place in the order, and all with"
        " the recipe.",
        "",
        "| scope | k | structures | digest | CPU, memory | CPU, disk | ratio | MiB, memory | MiB, disk | B, forms | B, all |",
        "| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for text in args.runs:
        scope, k, *known = text.split(":")
        row = measured(beget, scope, k, args.memory, known[0] if known else None)
        lines.append(
            f"| {row['scope']} | {row['k']} | {row['n']:,} | `{row['digest'][:8]}` | {row['memory']} | {row['disk']} |"
            f" {row['ratio']} | {row['held']} | {row['held_disk']} | {row['forms']} | {row['all']} |"
        )
        print(lines[-1], flush=True)
    if args.write:
        (ROOT / "benchmarks/results/disk.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
