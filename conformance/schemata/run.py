"""Runs mutants: each with the tests that reach it, the quickest first, until one fails.

A test is run as a process of its own, so that it may crash, hang or fill the memory. First each test is run without a
mutant, to see how long it takes and which mutants it asks for (`target/schemata/reached.json`). A test that fails then
is left out. Outcomes are added to `target/schemata/outcomes.jsonl` one by one, and a run goes on where the last ended.
"""

import json
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from build import OUT

# A test may take this many times the processor time that it needs, and some seconds more: the least that is counted.
TIMES, SECONDS = 5, 2
# Processor time stands still in a deadlock, and runs slowly beside other work.
WAITING = 15
# Not of addresses: the region reserves many that it never uses.
MEMORY = 4 << 30
# Messages of workers lie far behind the beginning of their file, which takes no room.
FILE = 1 << 37


@dataclass
class Test:
    program: dict
    name: str
    seconds: float = 0.0
    mutants: set[int] = field(default_factory=set)

    @property
    def title(self):
        return f"{self.program['package']} {self.program['target']} {self.name}"


def limits(seconds):
    processor = int(seconds * TIMES) + SECONDS
    return ["prlimit", f"--cpu={processor}", f"--data={MEMORY}", f"--fsize={FILE}", "--core=0"]


def run_test(test, variables, seconds):
    """`passed`, `failed` or `time`, and the processor time that it took."""
    command = [*limits(seconds), test.program["path"], "--exact", test.name, "--test-threads=1", "--quiet"]
    environment = os.environ | {"INSTA_UPDATE": "no", "CARGO_MANIFEST_DIR": test.program["directory"]} | variables
    process = subprocess.Popen(command, cwd=test.program["directory"], env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    timer = threading.Timer(seconds * TIMES * 3 + WAITING, kill, [process.pid])
    timer.start()
    _, status, usage = os.wait4(process.pid, 0)
    late = not timer.is_alive()
    timer.cancel()
    kill(process.pid)
    process.returncode = os.waitstatus_to_exitcode(status)
    if late or process.returncode == -signal.SIGXCPU or process.returncode == -signal.SIGKILL:
        outcome = "time"
    else:
        outcome = "passed" if process.returncode == 0 else "failed"
    return outcome, usage.ru_utime + usage.ru_stime


def kill(session):
    """Kills a test and all that it has started: workers leave its process group, but not its session.

    With a mutant in the supervisor each may start the next one without end, so this looks until there are no more.
    """
    for _ in range(1000):
        left = members(session)
        for process in left:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        if not left:
            return
        time.sleep(0.002)
    print(f"processes of {session} do not end: {left}", flush=True)


def members(session):
    """The processes of a session that have not ended."""
    found = []
    # Not by a pattern of paths, which looks at each file again and fails if a process has ended meanwhile.
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            # The name before it, in parentheses, may contain anything.
            state, _, _, its, *_ = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(its) == session and state not in "ZX":
            found.append(int(process))
    return found


def list_tests(program):
    command = [program["path"], "--list", "--format", "terse"]
    lines = subprocess.run(command, cwd=program["directory"], check=True, stdout=subprocess.PIPE).stdout.decode()
    return [Test(program, line.removesuffix(": test")) for line in lines.splitlines() if line.endswith(": test")]


def reached(programs, count, jobs, only, without):
    """The tests that are wanted, with what they reach. What was found for a program is used again as long as the program is the same."""
    path = OUT / "reached.json"
    known = json.loads(path.read_text()) if path.exists() else {}
    tests = []
    for program in programs:
        key = f"{program['path']} {os.stat(program['path']).st_mtime_ns} {count}"
        found = [test for test in list_tests(program) if is_wanted(test.title, only, without)]
        rows = known.setdefault(key, {})
        missing = [test for test in found if test.name not in rows]
        with ThreadPoolExecutor(jobs) as pool:
            rows |= dict(pool.map(lambda test: (test.name, look(test, count)), missing))
        if missing:
            path.write_text(json.dumps(known))
            print(f"{len(missing)} tests of {program['package']} {program['target']}", flush=True)
        for test in found:
            test.seconds, passed, mutants = rows[test.name]
            test.mutants = set(mutants)
            if passed:
                tests.append(test)
            else:
                print(f"left out, since it fails without a mutant: {test.title}", flush=True)
    return sorted(tests, key=lambda test: test.seconds)


def is_wanted(title, only, without):
    return (not only or any(word in title for word in only)) and not any(word in title for word in without)


def look(test, count):
    with tempfile.NamedTemporaryFile(dir=OUT) as file:
        file.truncate(count)
        outcome, seconds = run_test(test, {"SCHEMATA_REACHED": file.name}, 300)
        bits = Path(file.name).read_bytes()
    return [seconds, outcome == "passed", [number for number, bit in enumerate(bits) if bit]]


class Runner:
    """Runs mutants on `jobs` threads."""

    def __init__(self, tests, budget, jobs):
        self.tests, self.budget, self.jobs = tests, budget, jobs
        self.killers = defaultdict(list)
        self.lock = threading.Lock()
        self.out = open(OUT / "outcomes.jsonl", "a")

    def run_all(self, mutants):
        started, done = time.monotonic(), 0
        with ThreadPoolExecutor(self.jobs) as pool:
            for row in pool.map(self.run, mutants):
                done += 1
                if done % 100 == 0:
                    print(f"{done} of {len(mutants)} in {time.monotonic() - started:.0f} s", flush=True)

    def run(self, mutant):
        """Tries the tests that reach the mutant, as far as the budget of processor time goes."""
        tests = [test for test in self.tests if mutant["number"] in test.mutants]
        row = {"name": mutant["name"], "package": mutant["package"], "reached_by": len(tests), "tried": 0}
        row["outcome"] = "survived" if tests else "not reached"
        place = (mutant["file"], mutant["function"])
        left = self.budget
        first = [test for test in self.killers[place] if mutant["number"] in test.mutants]
        for test in first + [test for test in tests if test not in first]:
            left -= test.seconds
            if left < 0 and row["tried"]:
                continue
            outcome, _ = run_test(test, {"SCHEMATA_MUTANT": str(mutant["number"])}, test.seconds)
            row["tried"] += 1
            if outcome != "passed":
                row |= {"outcome": "caught" if outcome == "failed" else "caught by time", "by": test.title}
                break
        self.record(row, place, test if "by" in row else None)
        return row

    def record(self, row, place, killer):
        with self.lock:
            self.out.write(json.dumps(row) + "\n")
            self.out.flush()
            if killer and killer not in self.killers[place]:
                self.killers[place].insert(0, killer)


def outcomes():
    """The last outcome of each mutant, by name."""
    path = OUT / "outcomes.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    return {row["name"]: row for row in map(json.loads, lines)}
