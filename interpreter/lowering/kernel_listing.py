"""Readable text of the lowered program of a plan, under the addresses of its clauses.

Constant tables come last.
"""

from __future__ import annotations

import rulebook as rb
from interpreter.kernel.passes.pipeline import Optimiser
from interpreter.kernel.text import KernelPrinter, Lines, indented
from interpreter.lowering.program_parts import (
    BlockPart,
    DefinitionPart,
    EnumeratorPart,
    Part,
    StepsPart,
    parts_of,
)
from interpreter.plan.plan import Plan


def listing(plan: Plan, first_line: str, optimiser: Optimiser) -> str:
    """Return the lowered program of a plan as text that starts with *first_line*.

    `optimiser` runs the passes over each operation.
    """
    text, clauses = KernelPrinter(), dict[str, Lines]()
    for part in parts_of(plan, optimiser):
        text.new_part()
        lines = [f"{part.title} ({text.slots(part.parameters)}):"]
        lines += indented(body(text, part, optimiser) or ["nothing"])
        clauses.setdefault(part.address, []).extend(["", *lines])
    result = [first_line]
    for clause, lines in clauses.items():
        result += ["", "", f"# ---- {headline(plan.book, clause)}", *lines]
    result += ["", "", "# ---- tables", "", *text.table_lines()]
    return "\n".join(result) + "\n"


def body(text: KernelPrinter, part: Part, optimiser: Optimiser) -> Lines:
    """Return the lines of one part of a program."""
    change = optimiser.optimise
    match part:
        case EnumeratorPart(block=block):
            return text.block(map(optimiser.narrow, block))
        case BlockPart(block=block):
            return text.block(map(change, block))
        case StepsPart(steps=steps, places=places):
            return text.steps([tuple(map(change, step)) for step in steps], places)
        case DefinitionPart(lines=lines, adds=adds):
            word = "add" if adds else "return"
            output: Lines = []
            for line in lines:
                for slot, value in line.named:
                    output.append(f"let {text.slot(slot)} = {text.text(change(value))}")
                result = f"{word} {text.text(change(line.result))}"
                if line.condition is None:
                    output.append(result)
                else:
                    output += [
                        f"if {text.text(change(line.condition))}:",
                        f"    {result}",
                    ]
            return output
        case _:
            raise AssertionError(part)


def headline(book: rb.Rulebook, clause: str) -> str:
    """Return the address of a clause with its file and line."""
    info = book.clauses.get(clause)
    return clause if info is None else f"{clause}  ({info.span.file}:{info.span.line})"
