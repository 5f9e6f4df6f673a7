"""Writes mutants into Rust source, so that a program has all of them and a switch chooses one.

cargo-mutants tells what to change, by line and column; tree-sitter tells what the change is about:

    a + b        becomes   (if schemata::on(7) { a - b } else { a + b })
    !a           becomes   (if schemata::on(8) { a } else { !a })
    A => ..      becomes   A if !schemata::on(9) => ..
    A if b => .. becomes   A if schemata::on(10) || (!schemata::on(11) && (b)) => ..
    S { f: a, ..s } becomes (if schemata::on(9) { S { ..s } } else { S { f: a, ..s } })
    { body }     becomes   { if schemata::on(12) { return value; } body }

Comments around each say which mutants an error of the compiler is about. The file keeps its lines.
"""

import re
from dataclasses import dataclass, field

import tree_sitter
import tree_sitter_rust

PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_rust.language()))


@dataclass
class Mutant:
    """One of `cargo mutants --list --json`; `number` is what its switch is asked by."""

    number: int
    package: str
    file: str
    function: str
    returns: str
    genre: str
    replacement: str
    name: str
    start: tuple[int, int]
    end: tuple[int, int]

    @staticmethod
    def read(number, row):
        def place(name):
            return (row["span"][name]["line"], row["span"][name]["column"])

        function = row["function"] or {"function_name": "", "return_type": ""}
        return Mutant(number, row["package"], row["file"], function["function_name"], function["return_type"],
                      row["genre"], row["replacement"], row["name"], place("start"), place("end"))


@dataclass
class Change:
    """What the mutants of one place, bytes `start..end`, make of it. An empty place is one to insert at."""

    start: int
    end: int
    mutants: list[Mutant] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)

    def ends(self):
        """What comes before and after the place."""
        numbers = ",".join(str(mutant.number) for mutant in self.mutants)
        before, after = self.code()
        return f"/*{{{numbers}*/{before}", f"{after}/*{numbers}}}*/"

    def code(self):
        on = [f"::schemata::on({mutant.number})" for mutant in self.mutants]
        match self.mutants[0].genre:
            case "FnValue":
                return "".join(f"if {switch} {{ return {code}; }} " for switch, code in zip(on, self.codes)), ""
            case "BinaryOperator" | "UnaryOperator" | "StructField":
                choices = "".join(f"if {switch} {{ {code} }} else " for switch, code in zip(on, self.codes))
                return f"({choices}{{ ", " })"
            case _ if self.start == self.end:
                return " if " + " && ".join(f"!{switch}" for switch in on), ""
            case _:
                switches = list(zip(self.mutants, on))
                true = "".join(f"{switch} || " for mutant, switch in switches if mutant.replacement == "true")
                false = "".join(f"!{switch} && " for mutant, switch in switches if mutant.replacement == "false")
                gone = "".join(f"!{switch} && " for mutant, switch in switches if mutant.genre == "MatchArm")
                return f"{gone}({true}{false}(", "))"


class NotSwitchable(Exception):
    """There is no expression that would be this mutant or the original by a switch."""


def instrumented(text, mutants):
    """The bytes `text` with `mutants` written into it, and those for which there is no way to."""
    root = PARSER.parse(text).root_node
    lines = [0] + [found.end() for found in re.finditer(b"\n", text)]

    def offset(place):
        line_start = lines[place[0] - 1]
        line = text[line_start:].split(b"\n", 1)[0].decode()
        return line_start + len(line[: place[1] - 1].encode())

    changes, refused = {}, []
    for mutant in mutants:
        try:
            add(changes, root, text, mutant, offset(mutant.start), offset(mutant.end))
        except NotSwitchable:
            refused.append(mutant)
    return merged(text, [changes[key] for key in sorted(changes)]), refused


def add(changes, root, text, mutant, start, end):
    code = ""
    match mutant.genre:
        case "FnValue" if "impl " in mutant.returns:
            # All of its returns would need one type.
            raise NotSwitchable
        case "FnValue":
            place, code = (start, start), mutant.replacement
        case "BinaryOperator" | "UnaryOperator" | "StructField":
            node = expression(root, start, end)
            place = (node.start_byte, node.end_byte)
            mutated = text[node.start_byte:start] + mutant.replacement.encode() + text[end:node.end_byte]
            code = " ".join(without_comments(mutated.decode()).split("\n"))
        case "MatchArm":
            pattern = arm_pattern(root, start, end)
            guard = pattern.child_by_field_name("condition")
            place = (guard.start_byte, guard.end_byte) if guard else (pattern.end_byte, pattern.end_byte)
        case "MatchArmGuard":
            place = (start, end)
        case _:
            raise NotSwitchable
    change = changes.setdefault((code == "", place), Change(*place))
    change.mutants.append(mutant)
    change.codes.append(f"/*[{mutant.number}*/{code}/*{mutant.number}]*/")


def without_comments(code):
    return re.sub(r"//[^\n]*", "", code)


EXPRESSIONS = ("binary_expression", "compound_assignment_expr", "unary_expression", "struct_expression")


def expression(root, start, end):
    """The one whose operator or field is at `start..end`."""
    node = root.descendant_for_byte_range(start, end).parent
    while node.type in ("field_initializer", "shorthand_field_initializer", "field_initializer_list"):
        node = node.parent
    if node.type not in EXPRESSIONS:
        raise NotSwitchable
    return node


def arm_pattern(root, start, end):
    """The pattern of the arm at `start..end`. What it would have taken must go to an arm that takes all."""
    node = root.descendant_for_byte_range(start, end)
    while node.type != "match_arm":
        node = node.parent
        if node is None:
            raise NotSwitchable
    patterns = [arm.child_by_field_name("pattern") for arm in node.parent.named_children if arm.type == "match_arm"]
    if not any(pattern.text == b"_" for pattern in patterns):
        raise NotSwitchable
    return node.child_by_field_name("pattern")


def merged(text, changes):
    """Inserts the changes, which are nested or apart: the outer ones begin first and end last."""
    inserts = []
    for order, change in enumerate(changes):
        before, after = change.ends()
        length = change.end - change.start
        if length:
            inserts.append((change.start, 1, -length, order, before))
            inserts.append((change.end, 0, length, -order, after))
        else:
            inserts.append((change.start, 1, -len(text), order, before + after))
    out, at = [], 0
    for position, *_, code in sorted(inserts):
        out += [text[at:position], code.encode()]
        at = position
    return b"".join([*out, text[at:]])


MARK = re.compile(rb"/\*(\[|\{)([\d,]+)\*/|/\*([\d,]+)(\]|\})\*/")


def mutants_at(text, start, end):
    """The mutants that an error at bytes `start..end` of instrumented text is about: the one whose code it is in, or
    those of the innermost place around it."""
    around, opened = (-1, b""), []
    for mark in MARK.finditer(text):
        if mark[2]:
            opened.append(mark.start())
            continue
        start_of_place = opened.pop()
        if start_of_place <= start and end <= mark.end():
            around = max(around, (start_of_place, mark[3]))
    return [int(number) for number in around[1].split(b",")] if around[1] else []
