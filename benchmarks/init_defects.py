#!/usr/bin/env python3
"""Tries to find the published defects of `defects/` without a line by hand: `cargo beget init --crate` alone.

    benchmarks/init_defects.py CARGO_BEGET [WORD ...]

For each old version, `init` writes and checks a harness below `target/init_defects`; words choose among crates (`lru`) or versions
(`lru@0.5.1`). What the checks print goes into a table, benchmarks/results/init_defects.md; what stands there below "## Examined" is kept, and so are the rows of crates
that are not chosen. A finding counts if its message
and calls match the pattern beside the defect: one that shows something else of the crate, or dies of it, does not.
"""

import os
import re
import shutil
import sys
from pathlib import Path

import harnesses

PLACE = harnesses.ROOT / "target/init_defects"
RESULT = harnesses.ROOT / "benchmarks/results/init_defects.md"
SECONDS = 240
# The crate, its version, the type, the published defect, and a pattern for the message and the calls of a finding that shows it.
DEFECTS = [
    ("arenavec", "0.1.1", "rc::SliceVec", "RUSTSEC-2025-0053", r"dropped twice[^$]*split_off\("),
    ("array-queue", "0.3.3", "ArrayQueue", "RUSTSEC-2020-0047", r"self\.last\(\)[^$]*pop_back\("),
    ("array-queue", "0.3.3", "ArrayQueue", "RUSTSEC-2025-0054", r"`Clone` of an element panics[^$]*push_front\("),
    ("arrayvec", "0.3.17", "ArrayVec", "CHANGELOG, 0.3.18", r"(subtract|add) with overflow[^$]*insert\(|SIG[^$]*insert\([12],[^$]*\Z"),
    ("bit-vec", "0.6.1", "BitVec", "bit-vec #68", r"hash_agrees_with_eq[^$]*append\("),
    ("bytes", "0.5.3", "Bytes", "CHANGELOG, 0.5.4", r"panicked[^$]*slice_ref\(&\[\]\)"),
    ("circular-buffer", "0.1.3", "CircularBuffer", "CHANGELOG, 0.1.4", r"contract[^$]*range\("),
    ("circular-buffer", "0.1.3", "CircularBuffer", "CHANGELOG, 0.1.6", r"panicked[^$]*\.eq\("),
    ("circular-buffer", "1.2.0", "CircularBuffer", "RUSTSEC-2026-0256", r"`Drop` of an element panics[^$]*clear\(\)"),
    ("emap", "0.0.13", "Map", "RUSTSEC-2026-0128", r"an element is dropped twice[^$]*keys\("),
    ("emap", "0.0.13", "Map", "emap #150", r"`elements_dropped` is broken"),
    ("fixed-queue", "0.5.1", "VecDeque", "fixed-queue #1", r"`Drop` of an element panics[^$]*clear\(\)"),
    ("fixedbitset", "0.1.5", "FixedBitSet", "README, 0.1.6", r"panicked[^$]*count_ones\("),
    ("fixedbitset", "0.5.7", "FixedBitSet", "fixedbitset #131", r"contract[^$]*difference_count\("),
    ("generational-arena", "0.2.6", "Arena", "CHANGELOG, 0.2.7", r"`retain` does not ask about each item"),
    ("generational-arena", "0.2.6", "Arena", "generational-arena #30", r"panicked[^$]*drain\([^$]*iter\("),
    ("grid", "0.8.0", "Grid", "grid #18", r"get_unchecked[^$]*init\(0, 1,[^$]*push_row\(vec!\[\]\)"),
    ("hashlink", "0.7.0", "LinkedHashMap", "CHANGELOG, 0.8.0", r"built-in hasher[^$]*shrink_to_fit\("),
    ("hashlink", "0.8.4", "LinkedHashMap", "CHANGELOG, 0.9.0", r"built-in hasher[^$]*reserve\("),
    ("heapless", "0.9.2", "Deque", "heapless #659", r"`Drop` of an element panics[^$]*clear\(\)"),
    ("heapless", "0.9.2", "history_buf::HistoryBuf", "heapless #659, `clear`", r"`Drop` of an element panics[^$]*clear\(\)"),
    ("heapless", "0.9.2", "history_buf::HistoryBuf", "heapless #659, `write`", r"`Drop` of an element panics[^$]*\.write\([^\n]*\n +after the last call"),
    ("id-map", "0.2.1", "IdMap", "RUSTSEC-2021-0052", r"`Clone` of an element panics[^$]*clone_from\("),
    ("id-map", "0.2.1", "IdMap", "RUSTSEC-2025-0050", r"elements are dropped twice[^$]*from_iter\("),
    ("insert_many", "0.1.1", "InsertMany", "RUSTSEC-2021-0042", r"element panics[^$]*insert_many\("),
    ("lru", "0.5.1", "LruCache", "lru #88", r"panicked[^$]*with_hasher\(0\)[^$]*put\("),
    ("lru", "0.16.0", "LruCache", "CHANGELOG, 0.16.1", r"capacity overflow[^$]*unbounded[^$]*clone\(\)"),
    ("min-max-heap", "1.2.0", "MinMaxHeap", "min-max-heap #3", r"is_iteration` is broken[^$]*replace_max\("),
    ("ordnung", "0.0.1", "compact::Vec", "RUSTSEC-2020-0038", r"(double free|dropped twice)[^$]*remove\("),
    ("petgraph", "0.5.1", "matrix_graph::MatrixGraph", "petgraph #425", r"edge[^$]*(update_edge|add_edge|extend_with_edges)\("),
    ("petgraph", "0.5.1", "stable_graph::StableGraph", "CHANGELOG, 0.6.0 (#415)", r"panicked[^$]*extend_with_edges\("),
    ("petgraph", "0.5.1", "graphmap::GraphMap", "CHANGELOG, 0.6.0 (#432)", r"exist1 == exist2[^$]*remove_node\("),
    ("petgraph", "0.8.3", "matrix_graph::MatrixGraph", "petgraph #1017", r"edge_count[^$]*remove_node\("),
    ("priority-queue", "1.0.3", "PriorityQueue", "priority-queue #28", r"[^$]*remove\([^$]*pop\("),
    ("priority-queue", "2.2.1", "DoublePriorityQueue", "README, 2.2.2", r"panicked[^$]*pop_max_if\("),
    ("qwutils", "0.3.0", "VecExt", "RUSTSEC-2021-0018", r"element panics[^$]*insert_slice_clone\("),
    ("radix_trie", "0.1.3", "Trie", "CHANGELOG, 0.1.4 (#40)", r"panicked[^$]*remove\("),
    ("rangemap", "0.1.8", "RangeMap", "CHANGELOG, 0.1.9", r"contract[^$]*insert\("),
    ("rangemap", "1.7.0", "RangeInclusiveSet", "CHANGELOG, 1.7.1", r"hash_agrees_with_eq|eq_same_contents"),
    ("ringbuffer", "0.15.0", "ConstGenericRingBuffer", "ringbuffer #138", r"elements_dropped_once[^$]*from\(\["),
    ("simple-slab", "0.3.2", "Slab", "RUSTSEC-2020-0039", r"index\("),
    ("sized-chunks", "0.6.2", "Chunk", "RUSTSEC-2020-0041", r"`Clone` of an element panics[^$]*insert_from\("),
    ("sized-chunks", "0.6.2", "Chunk", "RUSTSEC-2020-0041, `clone`", r"`Clone` of an element panics[^$]*\.clone\(\)"),
    ("sized-chunks", "0.6.2", "Chunk", "RUSTSEC-2026-0255", r"`Drop` of an element panics[^$]*drop_left\("),
    ("skiplist", "0.2.10", "SkipList", "CHANGELOG, 0.3.0", r"ne_negates_eq"),
    ("skiplist", "0.2.10", "SkipMap", "CHANGELOG, 0.3.0", r"ne_negates_eq"),
    ("slab", "0.4.3", "Slab", "slab #100", r"panicked[^$]*from_iter\([^$]*insert\("),
    ("slice-deque", "0.3.0", "SliceDeque", "RUSTSEC-2021-0047", r"element panics[^$]*drain_filter\("),
    ("slice-ring-buffer", "0.3.4", "SliceRingBuffer", "RUSTSEC-2025-0044", r"dropped twice[^$]*extend_from_slice\("),
    ("smallvec", "0.1.4", "SmallVec", "smallvec #14", r"`Drop` of an element panics[^$]*(from_iter|push)\("),
    ("smartstring", "0.1.0", "SmartString", "CHANGELOG, 0.2.0", r"contract[^$]*drain\("),
    ("smartstring", "0.2.2", "SmartString", "CHANGELOG, 0.2.3", r"panicked[^$]*\.remove\("),
    ("sp-sized-chunks", "0.1.0", "Chunk", "RUSTSEC-2026-0254", r"`Drop` of an element panics[^$]*clear\(\)"),
    ("stable-vec", "0.4.2", "StableVec", "GHSA-mr2v-63pc-gmr4", r"`Drop` of an element panics[^$]*clear\(\)"),
    ("stack_dst", "0.6.0", "StackA", "RUSTSEC-2021-0033", r"element panics[^$]*push_cloned\("),
    ("thin-vec", "0.2.14", "ThinVec", "RUSTSEC-2026-0103", r"`Drop` of an element panics[^$]*clear\(\)"),
    ("thunderdome", "0.5.0", "Arena", "CHANGELOG, 0.5.1 (#36)", r"first_free pointed to an occupied entry"),
    ("toodee", "0.2.4", "TooDee", "RUSTSEC-2021-0028", r"(element panics|iterator lies)[^$]*insert_row\("),
]


def end_of(text, errors, code):
    """Why there was no finding, as far as what is printed says it."""
    if code is None:
        return f"not done in {SECONDS} s"
    if code == 2 or not text.startswith("wrote "):
        error = re.search(r"^error: (.*)$|panicked at (.*)$", errors, re.MULTILINE)
        return "no harness: " + (error[1] or error[2] if error else f"exit code {code}")
    ends = re.findall(r"^(?:.*; )?(complete: .*|a part, and enough.*|INCOMPLETE.*)$", text, re.MULTILINE)
    return "; ".join(dict.fromkeys(ends)) or f"exit code {code}"


def checked(program, name, version, ty):
    """What init prints of a type, with the findings of its checks in their order."""
    # The directory of a crate's documentation is the same for all its versions.
    shutil.rmtree(PLACE / "built/beget/documentation/doc", ignore_errors=True)
    place = PLACE / ty.replace("::", ".")
    text, errors, seconds, code = harnesses.init(program, place, name, version, ty, seconds=SECONDS)
    return text, harnesses.findings(text), seconds, end_of(text, errors, code)


def row(defect, text, found, seconds, end):
    name, version, ty, claim, pattern = defect
    shown = [message + "\n" + calls for message, calls in found]
    rank = next((at for at, one in enumerate(shown, 1) if re.search(pattern, one)), None)
    calls = sum(int(number.replace(",", "")) for number in re.findall(r"^calls +([\d,]+)", text, re.MULTILINE))
    verdict = f"found | {rank} of {len(found)}" if rank else f"not found | - of {len(found)}"
    why = "" if rank else end.replace("|", "/")
    return f"| {name} {version} | `{ty}` | {claim} | {verdict} | {calls} | {seconds:.0f} | {why} |"


def kept_rows():
    """The rows of the table as it stands, by their defects."""
    text = RESULT.read_text() if RESULT.exists() else ""
    lines = {tuple(line.split(" | ")[:3]): line for line in text.splitlines()}
    places = {defect[:4]: (f"| {defect[0]} {defect[1]}", f"`{defect[2]}`", defect[3]) for defect in DEFECTS}
    return {key: lines[place] for key, place in places.items() if place in lines}


def report(rows):
    n_found = sum("| found |" in line for line in rows)
    return f"""# Published defects without a line by hand

What `cargo beget init --crate NAME@VERSION --type TYPE` shows of the defects in `defects/` (`just init-defects`): {n_found} of {len(rows)} are
found. "Rank" is the place of the finding among all that the checks print, "calls" those of all checks; "seconds" are those of the whole
command, once beget itself is built. The last column says how the checks ended where the defect is not found.

| crate | type | published in | | rank | calls | seconds | end |
| --- | --- | --- | --- | --- | ---: | ---: | --- |
""" + "".join(line + "\n" for line in rows)


def main(arguments):
    program, *words = arguments
    program = str(Path(program).resolve())
    os.environ["CARGO_TARGET_DIR"] = str(PLACE / "built")
    # Builds beget, which is no crate's own time.
    harnesses.init(program, PLACE / "first", "slab", "0.4.12", "Slab")
    rows, known = kept_rows(), {}
    for defect in DEFECTS:
        if words and not {defect[0], f"{defect[0]}@{defect[1]}"} & set(words):
            continue
        key = defect[:3]
        if key not in known:
            known[key] = checked(program, *key)
        rows[defect[:4]] = row(defect, *known[key])
        print(rows[defect[:4]], flush=True)
    RESULT.write_text(report([rows[defect[:4]] for defect in DEFECTS if defect[:4] in rows]) + harnesses.examined(RESULT))


if __name__ == "__main__":
    main(sys.argv[1:])
