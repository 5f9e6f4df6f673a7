#!/usr/bin/env python3
"""How much there is to know of the workspace: `just house` prints one row for each measure.

Counts are of text: crates and features as Cargo.toml has them, items and types as their first lines, tests aside.
A circle is a set of modules of one crate that import each other; a module and the modules below it count as one file
each, and an import counts for the file that it names.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOR_TESTS = ("beget", "beget-macros", "beget-process", "beget-heap", "beget-suite", "beget-plan", "beget-oracle",
             "beget-engine", "beget-run")


def sources(crate):
    """The files of a crate without its test modules, with their text."""
    for path in sorted((crate / "src").rglob("*.rs")):
        if path.name == "tests.rs" or "tests" in path.relative_to(crate).parts:
            continue
        yield path, re.split(r"(?m)^#\[cfg\(test\)\]\nmod ", path.read_text())[0]


def features(crate):
    section = re.search(r"(?ms)^\[features\]\n(.*?)(?=^\[|\Z)", (crate / "Cargo.toml").read_text())
    names = re.findall(r"(?m)^([\w-]+) = \[", section[1]) if section else []
    return [name for name in names if name != "default"]


def module_of(path, crate):
    parts = path.relative_to(crate / "src").with_suffix("").parts
    return tuple(part for part in parts if part not in ("lib", "mod", "main"))


def imports(text):
    """Paths that begin with `crate::`, groups taken apart at the first brace."""
    for path, group in re.findall(r"\bcrate::([\w:]+?)(?:::)?(?:\{([^;]*?)\})?(?=[^\w:{])", text):
        begin = tuple(path.split("::"))
        names = re.findall(r"(?:^|,)\s*([\w:]+)", group) if group else [""]
        for name in names:
            yield begin + tuple(part for part in name.split("::") if part)


def circles(crate):
    """How many files of a crate are in import circles, and how many files there are."""
    modules = {module_of(path, crate): text for path, text in sources(crate)}
    edges = {}
    for module, text in modules.items():
        reached = set()
        for target in imports(text):
            known = [target[:n] for n in range(len(target), 0, -1) if target[:n] in modules]
            reached.update(known[:1])
        edges[module] = reached - {module}

    def reach(start):
        seen, todo = set(), [start]
        while todo:
            for target in edges[todo.pop()] - seen:
                seen.add(target)
                todo.append(target)
        return seen

    return sum(1 for module in modules if module in reach(module)), len(modules)


def main():
    crates = sorted(path.parent for path in ROOT.glob("crates/*/Cargo.toml"))
    texts = [text for crate in crates for _, text in sources(crate)]
    core = [text for crate in crates if crate.name in FOR_TESTS for _, text in sources(crate)]
    lines = sum(text.count("\n") for text in core)
    types = sum(len(re.findall(r"(?m)^(?:pub(?:\([^)]*\))? )?(?:struct|enum|trait) \w", text)) for text in core)
    items = sum(len(re.findall(r"(?m)^\s*pub (?:const |unsafe |async )*(?:fn|struct|enum|trait|type|const|static|mod) ?\w",
                               text)) for text in core)
    gates = sum(text.count('feature = "') for text in texts)
    targets = sum(len(list(ROOT.glob(f"{crate.relative_to(ROOT)}/tests/*.rs")))
                  + len(list(ROOT.glob(f"{crate.relative_to(ROOT)}/tests/*/main.rs"))) for crate in crates)
    print("| measure | now |\n| --- | --- |")
    print(f"| crates | {len(crates)} |")
    print(f"| features / lines with `feature =` | {sum(len(features(crate)) for crate in crates)} / {gates} |")
    print(f"| of the {len(FOR_TESTS)} crates of a test: lines / `pub` items / types / types in 1,000 lines | {lines:,} / "
          f"{items:,} / {types:,} / {1000 * types / lines:.1f} |")
    for name in ("beget-engine", "beget-suite", "beget-run"):
        inside, all_files = circles(ROOT / "crates" / name)
        print(f"| files of `{name}` in import circles | {inside} of {all_files} |")
    print(f"| test targets of the crates | {targets} |")
    print(f"| lines of ARCHITECTURE.md | {(ROOT / 'ARCHITECTURE.md').read_text().count(chr(10))} |")


if __name__ == "__main__":
    sys.exit(main())
