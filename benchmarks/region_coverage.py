#!/usr/bin/env python3
"""How much of collection types of published crates chromosomes cover, by LLVM's regions: Figures 7 and 8 of Nighthawk, for Rust.

    benchmarks/region_coverage.py run CARGO_BEGET [TYPE ...]
    benchmarks/region_coverage.py table

`run` writes a harness for each type by `cargo beget init`, and compiles it, and the crate of the type, with LLVM's counters; beget
itself has none. For each of three sets of functions, `cargo beget evolve` searches a chromosome by regions, and `cargo beget random`
makes test cases by it, whose regions `llvm-cov` tells. They go to target/regions; `table` makes benchmarks/results/regions.md of them.
The programs `llvm-profdata` and `llvm-cov` must be those of rustc's version of LLVM; LLVM_SUFFIX is put behind their names.

This module knows which sources count, and which functions of a harness are the type's own. It does not know what a region is.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import harnesses

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "benchmarks/results/regions.md"
WORK = ROOT / "target/regions"
SUFFIX = os.environ.get("LLVM_SUFFIX", "")
MODES = ["plain", "enriched", "deep"]
SEED, CALLS = 1, 10000
# Of one command, with what it builds.
MOST_SECONDS = 600
SEARCH = ["--population", "10", "--generations", "3", "--test-cases", "5"]


@dataclass
class Type:
    """A type of a crate, the sources that are its code, and what is called of the types that it returns."""

    crate: str
    version: str
    name: str
    sources: list
    # Functions of iterators, entries and the like, which borrow from a structure: signature and body, where the structure is `this`.
    deep: list = field(default_factory=list)
    arguments: str = ""
    # The scope's number: 2 where there are too many literals of 3 elements.
    k: int = 3

    @property
    def label(self):
        return f"{self.crate}-{self.name.replace('::', '-')}"


def walk(name, has="", arguments="", receiver="&mut self"):
    """A function that walks an iterator, which has `Debug`, `len`, `Clone` and a back if that is said."""
    lines = [f"let items = this.{name}({arguments});", "let mut seen = Vec::new();"]
    lines += ["seen.push(shown(&items));"] if "debug" in has else []
    lines += ["seen.push(shown(items.len()));"] if "len" in has else []
    lines += ["seen.extend(one_end(items.clone(), taken));"] if "clone" in has else []
    lines += [f"seen.extend({'both_ends' if 'back' in has else 'one_end'}(items, taken));", "seen"]
    return (f"deep_{name}({receiver}, taken: usize) -> Vec<String>", "\n        ".join(lines))


def walks(names, has="", receiver="&mut self"):
    return [walk(name, has, receiver=receiver) for name in names.split()]


MOVED = "self"
ENTRY = ("deep_entry(&mut self, key: {}, value: u8) -> u8", "*this.entry(key).or_insert(value)")
REFERENCES = ("deep_references(&mut self) -> usize", "let seen = (&mut *this).into_iter().count();\n        seen + (&*this).into_iter().count()")


def entry(key):
    return (ENTRY[0].format(key), ENTRY[1])


TYPES = [
    Type("slab", "0.4.12", "Slab", ["lib.rs"], [
        walk("iter", "debug len back clone"), *walks("iter_mut drain", "debug len back"), walk("into_iter", "debug len back", receiver=MOVED),
        ("deep_vacant_entry(&mut self, value: u8) -> usize",
         "let entry = this.vacant_entry();\n        let key = entry.key();\n        entry.insert(value);\n        key"),
        REFERENCES,
    ]),
    Type("smallvec", "1.16.6", "SmallVec", ["lib.rs"], [
        walk("drain", "debug len back", ".."), walk("into_iter", "debug len back clone", receiver=MOVED), REFERENCES,
    ]),
    Type("arrayvec", "0.7.8", "ArrayVec", ["arrayvec.rs"], [
        walk("drain", "len back", ".."), walk("into_iter", "debug len back clone", receiver=MOVED), REFERENCES,
    ]),
    Type("lru", "0.18.5", "LruCache", ["lib.rs"], [
        walk("iter", "len back clone"), walk("iter_mut", "len back"), walk("into_iter", "len", receiver=MOVED), REFERENCES,
    ]),
    Type("rangemap", "1.8.0", "RangeMap", ["map.rs"], [walk("iter"), walk("into_iter", receiver=MOVED)]),
    Type("bit-vec", "0.10.2", "BitVec", ["lib.rs"], [
        walk("iter", "len back clone"), walk("blocks", "back clone"), walk("into_iter", "len back", receiver=MOVED),
    ]),
    Type("bit-set", "0.11.1", "BitSet", ["set.rs", "iter.rs"], [walk("iter", "clone")]),
    Type("slotmap", "1.1.1", "SlotMap", ["basic.rs"], [
        *walks("keys values iter", "len clone"), *walks("values_mut iter_mut drain", "len"), walk("into_iter", "len", receiver=MOVED), REFERENCES,
    ]),
    Type("heapless", "0.9.3", "Vec", ["vec/mod.rs"], [walk("into_iter", "clone", receiver=MOVED), REFERENCES]),
    Type("linked-hash-map", "0.5.6", "LinkedHashMap", ["lib.rs"], [
        *walks("keys values iter", "len back clone"), *walks("iter_mut drain", "len back"), walk("into_iter", "len back clone", receiver=MOVED),
        ("deep_entries(&mut self) -> usize", "this.entries().map(|mut entry| { *entry.get_mut() ^= 1; usize::from(*entry.key() + *entry.get()) }).sum()"),
        entry("u8"), REFERENCES,
    ]),
    Type("vec_map", "0.6.0", "VecMap", ["lib.rs"], [
        *walks("keys values iter", "back clone"), *walks("iter_mut drain", "back"), walk("into_iter", "back", receiver=MOVED),
        entry("usize"), REFERENCES,
    ]),
    Type("generational-arena", "0.2.9", "Arena", ["lib.rs"], [
        *walks("iter iter_mut drain", "len back"), walk("into_iter", "len back", receiver=MOVED), REFERENCES,
    ]),
    Type("thunderdome", "0.6.1", "Arena", ["arena.rs"], [*walks("iter iter_mut drain", "len"), walk("into_iter", "len", receiver=MOVED), REFERENCES]),
    Type("priority-queue", "2.7.0", "PriorityQueue", ["priority_queue/mod.rs"], [walk("iter"), walk("into_iter", receiver=MOVED)]),
    Type("circular-buffer", "1.2.0", "CircularBuffer", ["lib.rs"], [
        walk("iter", "len back clone"), walk("iter_mut", "len back"), walk("drain", "len back", ".."), walk("into_iter", "len back", receiver=MOVED),
        REFERENCES,
    ]),
    Type("tinyvec", "1.10.0", "ArrayVec", ["arrayvec.rs"], [walk("drain", "back", ".."), walk("into_iter", "back", receiver=MOVED), REFERENCES]),
    Type("litemap", "0.8.0", "LiteMap", ["map.rs"], [walk("iter"), walk("iter_mut"), walk("into_iter", receiver=MOVED)]),
    Type("multimap", "0.10.0", "MultiMap", ["lib.rs"], [*walks("iter iter_mut"), walk("into_iter", receiver=MOVED)], k=2),
    Type("bimap", "0.6.3", "BiBTreeMap", ["btree.rs"], [walk("iter", "back clone"), walk("into_iter", "back", receiver=MOVED)]),
]


# What iterators and entries are asked for, in each harness.
DEEP = """
/// Functions of the types that the main type returns, called where these are made.
pub mod deep {
    use std::fmt::Debug;

    fn shown(value: impl Debug) -> String {
        format!("{value:?}")
    }

    /// Some items from the front, what the iterator says of the others then, and these.
    fn one_end<I: Iterator<Item: Debug>>(mut items: I, taken: usize) -> Vec<String> {
        let mut seen = vec![shown(items.size_hint())];
        seen.extend(items.by_ref().take(taken).map(shown));
        seen.push(shown(items.size_hint()));
        seen.extend(items.take(16).map(shown));
        seen
    }

    /// Some items from the back, and then as from one end.
    fn both_ends<I: DoubleEndedIterator<Item: Debug>>(mut items: I, taken: usize) -> Vec<String> {
        let mut seen: Vec<String> = items.by_ref().rev().take(taken).map(shown).collect();
        seen.extend(one_end(items, taken));
        seen
    }
"""


def wrapper():
    """A wrapper of rustc that gives counters to the subjects and their harnesses, and lets beget read them."""
    names = "|".join(sorted({ty.crate.replace("-", "_") for ty in TYPES}))
    path = WORK / "rustc-wrapper"
    text = f"""#!/bin/sh
before=
name=
for argument; do
    [ "$before" = --crate-name ] && name=$argument
    before=$argument
done
case $name in
    {names}|*_harness) exec "$@" -C instrument-coverage ;;
    beget_process) exec "$@" --cfg instrumented ;;
    *) exec "$@" ;;
esac
"""
    WORK.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
        path.chmod(0o755)
    return path


def command(arguments, place, profiles="/dev/null"):
    environment = {"CARGO_TARGET_DIR": WORK / "target", "RUSTC_WRAPPER": wrapper(), "LLVM_PROFILE_FILE": profiles}
    return subprocess.run(
        [str(one) for one in arguments], cwd=place, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=MOST_SECONDS,
        env={**os.environ, **{name: str(value) for name, value in environment.items()}},
    )


def checked(arguments, place, profiles="/dev/null", good=(0,)):
    ended = command(arguments, place, profiles)
    if ended.returncode not in good:
        raise ChildProcessError(f"{' '.join(str(one) for one in arguments)}\n{ended.stdout[-2000:]}{ended.stderr[-4000:]}")
    return ended.stdout


def add_deep(ty, path):
    """Functions of the types that the main type returns, written into a harness."""
    source = path.read_text()
    main = re.search(r"pub suite (\w+)Suite\b", source)[1]
    lines, bodies = "", DEEP
    for signature, body in ty.deep:
        name, params, output = re.fullmatch(r"(\w+)\((.*?)\)(.*)", signature).groups()
        lines += f"        fn {name}({params}){output} = deep::{name};\n"
        variable = re.sub(r"^(&mut |&|)self\b", rf"this: \1super::{main}", params)
        bodies += f"\n    pub fn {name}({variable}){output} {{\n        {body}\n    }}\n"
    source = re.sub(r"(\n +abstraction .*?;\n)", lambda found: found[0] + lines, source, count=1)
    path.write_text(source.replace("#![allow(", "#![allow(dead_code, unused_mut, ", 1) + bodies + "}\n")


def functions_of(source):
    """The names of a harness's functions by what they belong to: the type, its traits, what it returns."""
    suite = source[source.index("beget::suite! {") :]
    names = re.findall(r"^ +(?:#\[.*?\] )*fn (\w+).*", suite[: suite.index("\n}\n")], re.M)
    deep = [name for name in names if name.startswith("deep_")]
    calls = {name: body for name, body in re.findall(r"    pub fn (\w+).*?\{\n(.*?)\n    \}", source, re.S)}
    traits = [name for name in names if name in TRAIT_FUNCTIONS or re.search(r"<\w+ as ", calls.get(name, ""))]
    own = [name for name in names if name not in deep and name not in traits]
    return {"plain": own, "enriched": own + traits, "deep": own + traits + deep}


# Those that a harness calls by their names; the others go by `<Type as Trait>`.
TRAIT_FUNCTIONS = ["clone", "default", "eq", "ne", "partial_cmp", "cmp", "hash"]


def write_harness(program, ty):
    place = WORK / "harness" / ty.label
    shutil.rmtree(place, ignore_errors=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    arguments = ["--args", ty.arguments] if ty.arguments else []
    init = ["beget", "init", "--crate", f"{ty.crate}@={ty.version}", "--type", ty.name, "--no-check", place]
    checked([program, *init, *arguments], WORK)
    harnesses.without_tracked(place)
    path = place / "src/lib.rs"
    add_deep(ty, path)
    scope = next((place / "scopes").glob("*.ron"))
    # Contracts call functions of traits, which only the enriched runs are to call.
    scope.write_text(scope.read_text().replace("    // What a check asks besides", "    contracts: Off,\n    // What a check asks besides"))
    return place, scope.relative_to(place), functions_of(path.read_text())


def cover(program, ty, place, scope, mode, functions):
    """The regions that the test cases of a chromosome reach."""
    common = ["-k", ty.k, "--methods", ",".join(functions), "--seed", SEED, "--summary", "json", "-q"] + (["--enrich"] if mode != "plain" else [])
    search = ["--points", "regions", *SEARCH, "-o", f"{mode}.ron", "--force"] + (["--deep"] if mode == "deep" else [])
    evolved = json.loads(checked([program, "beget", "evolve", scope, *common, *search], place, good=(0, 1)))
    profiles = place / "profiles" / mode
    shutil.rmtree(profiles, ignore_errors=True)
    run = ["--policy", f"{mode}.ron", "--max-calls", CALLS]
    ran = json.loads(checked([program, "beget", "random", scope, *without_enrich(common), *run], place, profiles / "%p.profraw", good=(0, 1)))
    regions = regions_of(ty, place, profiles)
    return {
        "regions": regions, "functions": len(functions), "searched": evolved["explored"], "calls": ran["explored"],
        "failures": len(evolved["findings"]) + len(ran["findings"]), "seconds": evolved["seconds"] + ran["seconds"],
    }


def without_enrich(options):
    """A chromosome says itself whether methods of traits are called."""
    return [option for option in options if option != "--enrich"]


def newest(pattern):
    found = [path for path in (WORK / "target/beget/beget/deps").glob(pattern) if path.suffix in ("", ".rlib")]
    return max(found, key=lambda path: path.stat().st_mtime)


def regions_of(ty, place, profiles):
    """Each region of the type's sources, with whether it was executed in some instantiation."""
    merged = profiles / "merged.profdata"
    checked([f"llvm-profdata{SUFFIX}", "merge", "-sparse", *profiles.glob("*.profraw"), "-o", merged], place)
    crate = ty.crate.replace("-", "_")
    # Functions that the harness does not instantiate have their regions in the crate's own library.
    objects = [newest(f"{crate}_harness-*"), "-object", newest(f"lib{crate}-*.rlib")]
    export = json.loads(checked([f"llvm-cov{SUFFIX}", "export", *objects, "-instr-profile", merged], place))
    regions = {}
    for function in export["data"][0]["functions"]:
        for begin, column, end, end_column, count, file, _, kind in function["regions"]:
            source = source_of(ty, function["filenames"][file])
            if kind == CODE and source is not None:
                place_of_region = f"{source}:{begin}:{column}-{end}:{end_column}"
                regions[place_of_region] = regions.get(place_of_region, False) or count > 0
    return regions


# The kind of a region that is code; the others stand for what a macro or a gap between two regions is.
CODE = 0


def source_of(ty, path):
    """The path in the crate's directory `src`, if it counts."""
    found = re.search(rf"/{re.escape(ty.crate)}-{re.escape(ty.version)}/src/(.*)$", path)
    return found[1] if found and found[1] in ty.sources else None


def run(program, labels):
    (WORK / "found").mkdir(parents=True, exist_ok=True)
    for ty in TYPES:
        if labels and ty.label not in labels:
            continue
        try:
            found = measured(program, ty)
        except (ChildProcessError, subprocess.TimeoutExpired) as error:
            found = {"error": str(error)}
        (WORK / f"found/{ty.label}.json").write_text(json.dumps(found, indent=1))
        print(ty.label, found.get("error") or summary(found), flush=True)


def measured(program, ty):
    place, scope, functions = write_harness(program, ty)
    return {mode: cover(program, ty, place, scope, mode, functions[mode]) for mode in MODES}


def summary(found):
    return ", ".join(f"{mode} {sum(one['regions'].values())}/{len(one['regions'])} in {one['seconds']:.0f} s" for mode, one in found.items())



def source_text(ty, source):
    registry = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo")) / "registry/src"
    return next(registry.glob(f"*/{ty.crate}-{ty.version}/src/{source}")).read_text().splitlines()


def reason(ty, lines, line):
    """Why a line is not reached, as far as its surroundings say."""
    text = lines[line - 1]
    header = next((one for one in reversed(lines[:line]) if re.match(r" *(pub(\([a-z]+\))? )?(const |unsafe )*fn ", one)), "")
    implementation = " ".join(re.split(r"\bwhere\b|\{", "".join(block_before(lines, line)))[0].split())
    if "unsafe fn" in header:
        return "unsafe functions"
    if re.search(r"panic!|unreachable|expect\(|unwrap\(|assert|handle_alloc|overflow|Err\(|\?;|\bloop\b.*abort", text, re.I):
        return "panics and errors"
    own = ty.name.split("::")[-1]
    target = implementation.rpartition(" for ")[2] if " for " in implementation else implementation
    if implementation and not re.search(rf"\b{own}\b", target):
        return "functions of other types"
    if " for " in implementation:
        return "functions of traits"
    return "own functions"


def block_before(lines, line):
    """The header of the `impl` in which a line is."""
    begins = [number for number, text in enumerate(lines[:line]) if re.match(r"(unsafe )?impl\b", text)]
    if not begins:
        return []
    return [text + " " for text in lines[begins[-1] : begins[-1] + 6]]


REASONS = ["unsafe functions", "panics and errors", "functions of other types", "functions of traits", "own functions"]


def missing(ty, regions):
    """How many regions are not reached, by reason."""
    counts, texts = Counter(), {source: source_text(ty, source) for source in ty.sources}
    for region, is_reached in regions.items():
        if not is_reached:
            source, line, _ = region.split(":", 2)
            counts[reason(ty, texts[source], int(line))] += 1
    return counts


def share(found):
    return sum(found["regions"].values()) / len(found["regions"])


def ratio(value):
    """As in the paper, without the zero; rounded down, so that no bound is met by rounding."""
    hundredths = int(100 * value + 1e-9)
    return "1.0" if hundredths == 100 else f".{hundredths:02}"


def write_table():
    paths = {ty.label: WORK / f"found/{ty.label}.json" for ty in TYPES}
    found = {ty.label: json.loads(paths[ty.label].read_text()) for ty in TYPES if paths[ty.label].exists()}
    rated = [ty for ty in TYPES if ty.label in found and "error" not in found[ty.label]]
    text, reasons, orders = HEAD.format(**search_settings()), "", Counter()
    for ty in rated:
        modes = found[ty.label]
        shares = [share(modes[mode]) for mode in MODES]
        orders["enriched"] += shares[0] < shares[1]
        orders["deep"] += shares[1] < shares[2]
        calls = sum(one["searched"] + one["calls"] for one in modes.values())
        text += f"| {ty.crate} {ty.version} | `{ty.name}` | {', '.join(ty.sources)} | {len(modes['deep']['regions'])} | "
        text += " | ".join(ratio(one) for one in shares) + f" | {calls} |\n"
        counts = missing(ty, modes["deep"]["regions"])
        reasons += f"| {ty.crate} `{ty.name}` | {sum(counts.values())} | " + " | ".join(str(counts[one]) for one in REASONS) + " |\n"
    text += "\n" + conclusion(rated, found, orders)
    text += f"\n## Not reached\n\n{NOT_REACHED}\n| type | regions | " + " | ".join(REASONS) + " |\n|---|" + "---:|" * (1 + len(REASONS)) + "\n" + reasons
    left_out = [ty for ty in TYPES if ty not in rated]
    text += "".join(f"\nNot measured: {ty.crate} `{ty.name}`, whose harness or search failed or took too long.\n" for ty in left_out)
    old = TABLE.read_text() if TABLE.exists() else ""
    TABLE.write_text(text + ("\n" + old[old.index("## Remarks") :] if "## Remarks" in old else ""))


def search_settings():
    return {"search": " ".join(SEARCH), "calls": CALLS, "seed": SEED}


def conclusion(rated, found, orders):
    deep = [share(found[ty.label]["deep"]) for ty in rated]
    means = [sum(share(found[ty.label][mode]) for ty in rated) / len(rated) for mode in MODES]
    return (
        f"Of {len(rated)} types, {sum(one >= 0.82 for one in deep)} have .82 or more with all functions, and {sum(one >= 0.9 for one in deep)} have .90 or more. "
        f"On average it is {ratio(means[0])} plain, {ratio(means[1])} enriched and {ratio(means[2])} deep; the least deep one is {ratio(min(deep))}. "
        f"Plain is below enriched on {orders['enriched']} types, enriched below deep on {orders['deep']}. "
        "The paper has .82 or more of the lines of 16 classes of java.util, and .90 or more of 11.\n"
    )


HEAD = """# Collection types of published crates, by LLVM's regions

What `beget evolve` and test cases by the chromosome that it finds cover of the code of collection types (`benchmarks/region_coverage.py`, `just regions`).
The denominator is all regions of code in the sources named: those that define the type. Everything that is compiled there counts: unsafe functions, which beget does not call, all traits, and other
types in the same file, such as iterators and entries. A generic function has its regions once, however often it is instantiated, and also if nobody calls it, where rustc writes a map for it: for some crates it does not (see the remarks); a region is reached if it is in some
instantiation. What tests, and features that are off, would compile is not there.

- **plain**: the functions of the type itself. How a structure is shown and compared calls some of its observers too.
- **enriched**: with `--enrich`, and those of the traits that `cargo beget init` finds.
- **deep**: with what the type's iterators, entries and the like have. They borrow from the structure, so they are no types of a suite: the script writes functions into the harness that make one and
  call it. This stands for the paper's `--deep`.

The search is short, `{search}` by regions; then the test cases of the chromosome make {calls} calls. The seed is {seed}, contracts are off. "Calls" are those of all three searches and runs. Nothing here depends on the machine.

| crate | type | sources | regions | plain | enriched | deep | calls |
|---|---|---|---:|---:|---:|---:|---:|
"""

NOT_REACHED = """
The regions that the deep runs left, by where they are: within a function that is unsafe; in a line that panics, fails or hands on an error; in an `impl` of another type; in an `impl` of a trait for the
type; in the type's own functions. The script reads that off the lines, so it is a rough sorting.
""".strip() + "\n"

if __name__ == "__main__":
    match sys.argv[1:]:
        case ["run", program, *labels]:
            run(Path(program).resolve(), labels)
        case ["table"]:
            write_table()
        case _:
            sys.exit(__doc__)
