"""What is worth showing now: fields that a hint keeps for their moment.

`hint during FIELD: "clause / clause"` says that a field means something to people only
while one of these clauses goes on: what is offered, during an offer.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from rulebook import Rulebook


def at_rest(book: Rulebook, view: Mapping[str, Any]) -> frozenset[str]:
    """The fields that are not to be shown now, as a view says what goes on."""
    going = set(going_on(view))
    return frozenset(
        name for name, clauses in momentary(book).items() if going.isdisjoint(clauses)
    )


def momentary(book: Rulebook) -> Mapping[str, tuple[str, ...]]:
    """The fields that have their moment, and the clauses that are it."""
    return {
        hint.name: tuple(clause.strip() for clause in hint.text.split("/"))
        for hint in book.model.hints
        if hint.word == "during"
    }


def going_on(view: Mapping[str, Any]) -> Iterator[str]:
    """The clauses that go on; a phase of the turn, and with it the turn."""
    for frame in view.get("pending") or ():
        yield frame["clause"]
        yield frame["clause"].partition(".")[0]
