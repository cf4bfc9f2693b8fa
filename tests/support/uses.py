"""Uses of declared names in a rule file, and misspelt names."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from random import Random

import attrs

from rulebook import syntax as s
from rulebook.parse import parse
from rulebook.source.spans import Span
from rulebook.tooling import walk

USES: dict[type[s.Node], tuple[str, ...]] = {
    s.NameRef: ("name",),
    s.LinkRef: ("first", "second"),
    s.Of: ("name",),
    s.Apply: ("name",),
    s.Is: ("word",),
    s.HasA: ("name",),
    s.HasAnothers: ("kind", "name"),
    s.HasAmount: ("name",),
    s.BinderPhrase: ("kind",),
    s.CostOf: ("name",),
    s.Amount: ("name",),
    s.KindType: ("name",),
    s.HolderType: ("name",),
    s.ParameterPhrase: ("kind",),
    s.ActionOffer: ("name",),
    s.Perform: ("name",),
    s.LetTally: ("kinds",),
    s.LetBag: ("kind",),
    s.Roll: ("dice",),
    s.Spreads: ("field",),
    s.MayNot: ("because",),
    s.IsToMove: ("phase",),
    s.Header: ("extends", "boards"),
    s.AxisPhrase: ("kind",),
    s.FieldLine: ("starts_every",),
    s.PieceClause: ("owner", "stands_on"),
    s.FieldsClause: ("owner",),
    s.NeedsAs: ("action",),
    s.CardTextClause: ("name",),
    s.LimitClause: ("actions",),
    s.PaymentsClause: ("by", "condition"),
    s.Remove: ("name",),
    s.HintClause: ("name",),
    s.Within: ("name",),
}
"""Parts of each node that name something declared elsewhere."""

LETTERS = "abcdefghijklmnopqrstuvwxyz"
LENGTH_MIN = 3
"""Minimum length of names to misspell: shorter ones resemble no other."""


@attrs.frozen
class Use:
    """Use of a name: its place in the file, and the part of the node."""

    name: str
    span: Span
    where: str


def uses(text: str, known: Collection[str]) -> Iterator[Use]:
    """Yield every use of a known name, in the order of the tree."""
    seen = set()
    for node in walk(parse(text, "x").file):
        for part in USES.get(type(node), ()):
            names = getattr(node, part)
            for name in names if isinstance(names, tuple) else (names,):
                if name is None or name.text not in known or name.span in seen:
                    continue
                seen.add(name.span)
                where = f"{type(node).__name__}.{part}"
                if len(name.text) >= LENGTH_MIN:
                    yield Use(name.text, name.span, where)


def misspelt(name: str, numbers: Random, taken: Collection[str]) -> str:
    """Return the name with one typing error that makes no other known name."""
    while True:
        at = numbers.randrange(len(name))
        letter = numbers.choice(LETTERS)
        match numbers.choice(("left out", "doubled", "another", "exchanged")):
            case "left out":
                slip = name[:at] + name[at + 1 :]
            case "doubled":
                slip = name[:at] + name[at] + name[at:]
            case "another":
                slip = name[:at] + letter + name[at + 1 :]
            case _:
                slip = name[:at] + name[at : at + 2][::-1] + name[at + 2 :]
        if slip not in taken and slip[0].isalpha() and slip != name:
            return slip


def put(text: str, span: Span, new: str) -> str:
    """Return the text with a span of one line replaced."""
    lines = text.split("\n")
    line = lines[span.line - 1]
    lines[span.line - 1] = line[: span.column - 1] + new + line[span.end_column - 1 :]
    return "\n".join(lines)
