#!/usr/bin/env python3
"""How much there is to know of the workspace: `just house` prints one row for each measure.

Counts are of text: crates and features as Cargo.toml has them, items and types as their first lines, tests aside.
A circle is a set of modules of one crate that import each other; an import counts for the file that defines what it
names, and between a module and those below it there is none.
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


def leaves(tree):
    """The paths of a `use` item, each with the name that it gives."""
    group = re.match(r"((?:\w+::)*)\{(.*)\}$", tree.strip(), re.S)
    if group:
        return [(group[1] + path, name) for part in split_top(group[2]) if part.strip() for path, name in leaves(part)]
    path, _, name = tree.strip().partition(" as ")
    path = path.removesuffix("::self")
    return [(path, name or path.split("::")[-1])]


def split_top(text):
    """The parts of a list between the commas that stand in no braces."""
    parts, depth = [""], 0
    for char in text:
        depth += (char == "{") - (char == "}")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return parts


def absolute(path, module, modules):
    """The path from the root of the crate; `None` for paths of other crates."""
    names = path.split("::")
    if names[0] == "crate":
        return tuple(names[1:])
    begin = module
    if names[0] in ("self", "super"):
        while names and names[0] in ("self", "super"):
            begin = begin[:-1] if names.pop(0) == "super" else begin
        return begin + tuple(names)
    return module + tuple(names) if module + (names[0],) in modules else None


def imports(module, text, modules):
    """The paths that a module names, and those of its `use` items by the name that they give."""
    text = re.sub(r"//[^\n]*|pub\([^)]*\)", "", text)
    item = re.compile(r"(?m)^(\s*)(?:pub\s+)?use\s+([^;]+);")
    named, paths = {}, set()
    for indent, tree in item.findall(text):
        for path, name in leaves(tree):
            # In a module within the file, `super` is the file.
            path = absolute(path.replace("super::", "self::", 1) if indent.strip("\n") else path, module, modules)
            if path is not None:
                paths.add(path)
                if not indent.strip("\n"):
                    named[name] = path
    others = re.findall(r"\b(?:crate|self|super)(?:::\w+)+", item.sub("", text))
    return paths | {absolute(path, module, modules) for path in others}, named


def circles(crate):
    """How many files of a crate are in import circles, and how many files there are.

    `crates/beget-cli/tests/it/layout.rs` says what an import is, and that there are none in circles.
    """
    texts = {module_of(path, crate): text for path, text in sources(crate)}
    found = {module: imports(module, text, texts) for module, text in texts.items()}

    def definer(path):
        while True:
            module = next(path[:n] for n in range(len(path), -1, -1) if path[:n] in texts)
            name = path[len(module):len(module) + 1]
            target = found[module][1].get(name[0]) if name else None
            if target is None or target == path:
                return module
            path = target + path[len(module) + 1:]

    def are_one(one, other):
        return one[:len(other)] == other or other[:len(one)] == one

    edges = {module: {target for target in map(definer, paths) if not are_one(module, target)}
             for module, (paths, _) in found.items()}

    def reach(start):
        seen, todo = set(), [start]
        while todo:
            for target in edges[todo.pop()] - seen:
                seen.add(target)
                todo.append(target)
        return seen

    return sum(1 for module in edges if module in reach(module)), len(edges)


ITEM = re.compile(r"(?m)^(?:    )?pub (?:const |unsafe |async )*(?:fn|struct|enum|trait|type|const|static|mod) +\w")
HIDDEN = re.compile(r"(?m)^#\[doc\(hidden\)\]\npub mod \w+(?:;| \{\n(?: .*\n|\n)*\})")
RE_EXPORT = re.compile(r"(?m)^ *pub use (beget_\w+)(?: as \w+)?((?:::\w+)*)(?:::\{([^}]*)\})?;")


def reachable(crate):
    """How many public items, methods too, a user of a crate can name: its own, those that it names of other crates,
    and all of the crates and modules that it re-exports whole. Modules that the documentation hides do not count."""
    count = 0
    for _, text in sources(crate):
        text = HIDDEN.sub("", text)
        count += len(ITEM.findall(text))
        for package, rest, group in RE_EXPORT.findall(text):
            if group:
                count += len(re.findall(r"\w+(?: as \w+)?", group))
                continue
            other = ROOT / "crates" / package.replace("_", "-")
            inside = tuple(rest.split("::")[1:])
            files = {module_of(path, other): text for path, text in sources(other)}
            whole = [text for module, text in files.items() if module[:len(inside)] == inside]
            is_whole = not inside or inside in files
            count += sum(len(ITEM.findall(text)) for text in whole) if is_whole else 1
    return count


def main():
    crates = sorted(path.parent for path in ROOT.glob("crates/*/Cargo.toml"))
    texts = [text for crate in crates for _, text in sources(crate)]
    core = [text for crate in crates if crate.name in FOR_TESTS for _, text in sources(crate)]
    lines = sum(text.count("\n") for text in core)
    types = sum(len(re.findall(r"(?m)^(?:pub(?:\([^)]*\))? )?(?:struct|enum|trait) \w", text)) for text in core)
    items = sum(len(re.findall(r"(?m)^\s*pub (?:const |unsafe |async )*(?:fn|struct|enum|trait|type|const|static|mod) +\w",
                               text)) for text in core)
    gates = sum(len(re.findall(r'(?m)^(?!\s*//).*\bfeature = "', text)) for text in texts)
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
    print(f"| public items reachable from `beget` | {reachable(ROOT / 'crates/beget'):,} |")
    print(f"| test targets of the crates | {targets} |")
    print(f"| lines of ARCHITECTURE.md | {(ROOT / 'ARCHITECTURE.md').read_text().count(chr(10))} |")


if __name__ == "__main__":
    sys.exit(main())
