"""Declared effects of statements, compared with their kernel code in rule files."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import attrs
import pytest

from rulebook import RulesError
from rulebook import model as m
from rulebook.addresses import ACTION, Address
from rulebook.queries.reads import is_interruption
from rulebook.signatures import (
    Effects,
    FieldPlace,
    PiecePlace,
    VariablePlace,
    effects_of,
)
from rulebook.signatures.statement_signatures import INTERRUPTIONS
from tests.support.statement_kernels import Example, Seen, examples_of
from workbench import load

ROOT = Path(__file__).parents[2]
FOLDERS = ("variants", "examples", "tests", "benchmarks")
COPIES = ("house", "bugs", "corpus", "oracle", "houses", "benchmarks")
"""Folders whose games differ little from shipped games."""

LARGE = ("sizes", "slow")
"""Folders of rule files that take very long."""

CARD_ENDS = ("source", "destination")
PIECE_ENDS = ("source", "destination", "replaces")
SEVERAL_PARTS = (
    *(("writes", None), ("bindings", None), ("reveals", None), ("runs", None)),
    *(("dice", None), ("runs", "seat"), ("blocks", None), ("blocks", "loop")),
)
"""Parts of a declaration with several values, or parts of each value."""

SINGLE_PARTS = (
    "pause",
    "ends",
    "announces",
    "asks",
    "event",
    "dealt_domain",
    "shuffled_stack",
    "until",
)
"""Parts of a declaration that are a single value."""

Statement = type[Any]
Examples = dict[Statement, list[tuple[Example, Effects]]]


@cache
def all_examples(*, deep: bool) -> Examples:
    """Return the statements of the rule files by class, with their declared effects."""
    examples: Examples = {kind: [] for kind in get_args(m.Stmt)}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.rules")):
            names = {*path.relative_to(ROOT).parts}
            if path.name.count(".") > 1 or names & {*LARGE}:
                continue
            if not deep and names & {*COPIES}:
                continue
            try:
                book = load(str(path))
            except RulesError:
                continue
            for example in examples_of(book):
                examples[type(example.node)].append((example, effects_of(example.node)))
    return examples


# ---------------------------------------------------------------- comparison


def uncovered(example: Example, effects: Effects) -> list[Seen]:
    """Return the undeclared effects in the kernel code of a statement."""
    declared = set(declared_effects(example, effects))
    missing = [effect for effect in example.seen if effect not in declared]
    if isinstance(example.node, m.Sees):
        # The event of a look has the name of its step, which no statement contains.
        missing = [effect for effect in missing if effect[0] != "event"]
    inside = {id(node) for block in effects.blocks for node in block.body}
    missing += [("inside", x) for x in example.inside if id(x) not in inside]
    return missing


def declared_effects(example: Example, effects: Effects) -> Iterator[Seen]:
    """Yield the effects that a declaration allows, in the form of kernel effects."""

    places = [write.place for write in effects.writes]
    for write in effects.writes:
        match write.place:
            case FieldPlace() as place if write.knowledge_only:
                yield ("reveal?", place.field)
            case FieldPlace() as place:
                yield ("write", place.field)
            case VariablePlace(slot=slot):
                yield ("variable", slot)
            case PiecePlace(piece=piece):
                yield ("piece?", piece)
            case turn:
                yield ("turn", turn)
    if all(isinstance(x, FieldPlace) and x.card is None for x in places):
        yield ("any card",)
    yield from transfers(example, effects)
    yield from (("failure", str(failure)) for failure in effects.failures)
    yield from (("binding", binding.slot) for binding in effects.bindings)
    yield from (("loop",) for block in effects.blocks if block.loop)
    for run in effects.runs:
        slots = range(run.first, run.first + len(run.arguments))
        yield ("run", run.code, tuple(slots))
        if run.seat is not None:
            yield ("seat", run.code)
    yield ("pause", effects.pause)
    yield ("ends", effects.ends)
    yield ("event", effects.event)
    yield from (("die", name) for name in effects.dice)
    yield ("deal", effects.dealt_domain)
    if effects.until is not None:
        name = str(Address(ACTION, effects.until))
        yield from (("run", name, ()), ("seat", name))
    if effects.announces is not None:
        yield ("announce", len(effects.announces))
    if effects.asks is not None:
        yield ("asks",)


def transfers(example: Example, effects: Effects) -> Iterator[Seen]:
    """Yield the declared effects on cards and pieces, if their writes are declared."""
    fields = {
        (x.place.field, x.knowledge_only)
        for x in effects.writes
        if isinstance(x.place, FieldPlace)
    }
    spaces = {x.place.space for x in effects.writes if isinstance(x.place, PiecePlace)}
    ends: list[tuple[str, m.Expr | None]] = [
        ("reveal", reveal.holder) for reveal in effects.reveals
    ]
    ends += [("write", effects.shuffled_stack), ("shuffle", effects.shuffled_stack)]
    if effects.cards is not None:
        ends += [("loss", effects.cards.source), ("gain", effects.cards.destination)]
    for sort, holder in ends:
        if (
            isinstance(holder, m.FieldValue)
            and (holder.field, sort == "reveal") in fields
        ):
            yield (sort, holder.field)
    moved = effects.pieces
    if moved is None:
        return
    if moved.source in spaces:
        yield ("piece loss", moved.piece)
    if moved.replaces or ("failure", "no_room") in example.seen:
        yield ("unchecked space", moved.piece)
    if moved.destination in spaces:
        yield ("piece gain", moved.piece)
        if example.facts.model.pieces[moved.piece].moves:
            yield ("lifted", moved.piece)


# ---------------------------------------------------------------- broken declarations


def broken(effects: Effects) -> Iterator[tuple[str, Effects]]:
    """Yield a declaration without each of its parts, with the name of the part."""
    for name, ends in (("cards", CARD_ENDS), ("pieces", PIECE_ENDS)):
        moved = getattr(effects, name)
        for end in ends:
            if moved is not None and getattr(moved, end):
                yield f"{name} {end}", changed(effects, name, changed(moved, end, None))
    for name, part in SEVERAL_PARTS:
        parts = getattr(effects, name)
        for place, each in enumerate(parts):
            before, after = parts[:place], parts[place + 1 :]
            fewer = changed(effects, name, (*before, *after))
            if part is None:
                yield f"{name} {place}", fewer
            elif getattr(each, part):
                less = (*before, changed(each, part, None), *after)
                yield f"{name} {place} {part}", changed(effects, name, less)
    for failure in effects.failures:
        yield failure, changed(effects, "failures", effects.failures - {failure})
    nothing = Effects()
    for name in SINGLE_PARTS:
        if getattr(effects, name) != getattr(nothing, name):
            yield name, changed(effects, name, getattr(nothing, name))


def changed(value: Any, name: str, part: Any) -> Any:
    """Return a copy of a value with another part."""
    return attrs.evolve(value, **{name: part})


# ---------------------------------------------------------------- tests


@pytest.fixture(scope="module")
def examples(deep: bool) -> Examples:
    """All statements of the rule files by class, with their declared effects."""
    return all_examples(deep=deep)


@pytest.mark.parametrize("kind", get_args(m.Stmt), ids=lambda kind: kind.__name__)
def test_kernel_has_only_declared_effects(kind: Statement, examples: Examples) -> None:
    assert examples[kind]
    for example, effects in examples[kind]:
        assert not uncovered(example, effects), example.node


@pytest.mark.parametrize("kind", get_args(m.Stmt), ids=lambda kind: kind.__name__)
def test_kernel_has_every_declared_effect(kind: Statement, examples: Examples) -> None:
    """Without any single part, a declaration does not cover some statement."""
    seen: dict[str, bool] = {}
    for example, effects in examples[kind]:
        for part, fewer in broken(effects):
            seen[part] = seen.get(part, False) or bool(uncovered(example, fewer))
    assert seen
    assert not [part for part, is_needed in seen.items() if not is_needed]


def test_a_statement_interrupts_exactly_if_its_class_is_marked() -> None:
    """Lowering relies on the class to know where code may wait or the game may end."""
    for kind, examples in all_examples(deep=False).items():
        for _, effects in examples:
            assert is_interruption(effects) is (kind in INTERRUPTIONS), kind
