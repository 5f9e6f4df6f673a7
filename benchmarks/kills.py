"""Kills runs at random moments and goes on with what they have saved, until each has come to its end.

    python3 benchmarks/kills.py BEGET [--kills 1000] [--scope scopes/roops/ncl.ron] [-k 6]

Half of the runs keep their structures on disk, half in memory with checkpoints; in half of each the run is written down
after every batch of calls, so that most kills come while something is written. A run that has come to its end must say
what an uninterrupted one says. What was saved must never become less. Writes benchmarks/results/kills.md.
"""

import argparse
import json
import pathlib
import random
import re
import shutil
import signal
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIELDS = ["complete", "stop_reason", "digest", "generated", "explored", "kept", "matched", "levels", "findings"]
WAYS = {
    "on disk": "--store disk:",
    "in memory": "--checkpoint ",
}


def command(beget, scope, k, saving, every_batch):
    line = [beget, "generate", scope, "-k", str(k), "--summary", "json", *saving]
    return line + (["--checkpoint-minutes", "0"] if every_batch else [])


def told(stdout):
    summary = json.loads(stdout)
    return {name: summary[name] for name in FIELDS}


class Run:
    """One run, killed again and again."""

    def __init__(self, args, way, every_batch, directory, chance):
        self.args, self.way, self.every_batch, self.chance = args, way, every_batch, chance
        self.directory = directory
        self.kills = 0
        self.saved = 0

    def start(self):
        if (self.directory / "manifest").exists():
            saving = ["--resume", str(self.directory)]
        else:
            saving = (WAYS[self.way] + str(self.directory)).split(" ")
        line = command(self.args.beget, self.args.scope, self.args.k, saving, self.every_batch)
        return subprocess.Popen(line, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def to_its_end(self, seconds, most_kills):
        """Returns what the run says in the end, and how often it was killed before."""
        while True:
            process = self.start()
            if self.kills < most_kills:
                try:
                    stdout, stderr = process.communicate(timeout=self.chance.uniform(0, seconds))
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    _, stderr = process.communicate()
                    self.look_at(stderr)
                    self.kills += 1
                    continue
            else:
                stdout, stderr = process.communicate()
            self.look_at(stderr)
            assert process.returncode == 0, f"exit code {process.returncode}: {stderr}"
            return told(stdout)

    def look_at(self, stderr):
        found = re.search(r"going on from .* with (\d+) structures", stderr)
        if found:
            assert int(found[1]) >= self.saved, f"{found[1]} structures where {self.saved} were saved"
            self.saved = int(found[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("beget")
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--scope", default="scopes/roops/ncl.ron")
    parser.add_argument("-k", type=int, default=7)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.beget = str(pathlib.Path(args.beget).resolve())
    begun = time.monotonic()
    line = command(args.beget, args.scope, args.k, [], False)
    whole = subprocess.run(line, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    seconds, reference = time.monotonic() - begun, told(whole.stdout)
    kinds = [(way, every_batch) for way in WAYS for every_batch in (False, True)]
    rows = {kind: [0, 0] for kind in kinds}
    chance = random.Random(args.seed)
    while sum(kills for _, kills in rows.values()) < args.kills:
        kind = min(kinds, key=lambda kind: rows[kind][1])
        directory = pathlib.Path(tempfile.mkdtemp()) / "run"
        run = Run(args, *kind, directory, chance)
        # So that every run comes to its end, and has been killed a number of times.
        left = args.kills - sum(kills for _, kills in rows.values())
        found = run.to_its_end(seconds, min(left, 40))
        assert found == reference, f"{kind}: {found} where an uninterrupted run says {reference}"
        shutil.rmtree(directory.parent)
        rows[kind][0] += 1
        rows[kind][1] += run.kills
    report(args, seconds, reference, rows)


def report(args, seconds, reference, rows):
    lines = [
        "# Runs that were killed",
        "",
        f"`python3 benchmarks/kills.py BEGET --kills {args.kills} --scope {args.scope} -k {args.k}`: runs of"
        f" {reference['generated']:,} structures ({seconds:.1f} s without interruption) that were sent SIGKILL at random"
        " moments and went on with what they had saved, up to 40 times each. Every one has come to the end of an"
        f" uninterrupted run: digest `{reference['digest']}`, the same counters, levels and findings. What was saved"
        " never became less.",
        "",
        "| structures | written down | runs | kills |",
        "| --- | --- | ---: | ---: |",
    ]
    for (way, every_batch), (runs, kills) in rows.items():
        lines.append(f"| {way} | after each {'batch' if every_batch else 'level'} | {runs} | {kills} |")
    runs, kills = (sum(row[at] for row in rows.values()) for at in (0, 1))
    lines.append(f"| all | | {runs} | {kills} |")
    text = "\n".join(lines) + "\n"
    (ROOT / "benchmarks/results/kills.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
