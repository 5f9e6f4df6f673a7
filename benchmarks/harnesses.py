"""Harnesses that `cargo beget init --crate` writes for types of crates of the registry, as scripts beside this one need them."""

import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def init(program, place, name, version, ty, seconds=None):
    """Writes and checks a harness in a directory: what init prints and says, the seconds it took, how it ended; None if it was stopped."""
    place.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(place / f"{name}-harness", ignore_errors=True)
    begin = time.monotonic()
    command = [program, "beget", "init", "--crate", f"{name}@={version}", "--type", ty]
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=place, text=True, errors="replace", start_new_session=True, **pipes) as child:
        try:
            text, errors = child.communicate(timeout=seconds)
            code = child.returncode
        except subprocess.TimeoutExpired:
            # With the checks that it has started.
            os.killpg(child.pid, signal.SIGKILL)
            text, errors = child.communicate()
            code = None
    return text, errors, time.monotonic() - begin, code


def without_tracked(place):
    """Leaves a package with the harness that has bytes as elements, and its scope."""
    library = place / "src/lib.rs"
    library.write_text(library.read_text().replace("\npub mod tracked;\n", ""))
    for path in [place / "src/tracked.rs", *(place / "scopes").glob("tracked_*.ron")]:
        path.unlink(missing_ok=True)


def findings(text):
    """The findings that checks print, each as its message and its calls."""
    return re.findall(r"^failure +(.*)\n((?:(?!failure).*\n)*?)(?=\S|\Z)", text, re.MULTILINE)


def examined(result):
    """What was written by hand at the end of a table."""
    if not result.exists():
        return ""
    _, heading, notes = result.read_text().partition("\n## Examined\n")
    return heading + notes
