"""Completions inside a worker process, by the same code as in editors.

The names come from the edited texts. Parts that no text declares come from the rules of
the table, which are valid.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from rulebook import Desk, Rulebook, uses_in
from workbench.editor.completion_items import clause_before, completion_items
from workbench.files.library.loading import ENDING
from workbench.web.sandbox.rule_texts import Texts, check_texts

MAX_ITEMS = 500
"""Maximum number of completions in an answer."""

_DESK = Desk()
"""Cache of parsed clauses."""


def completion_request(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the completions at a place of the texts in a request."""
    book, read = _checked_rules(tuple(request["before"].items()))
    texts = {**read, **{f"{name}{ENDING}": it for name, it in request["texts"].items()}}
    file = f"{request['file']}{ENDING}"
    *above, before = texts[file][: request["at"]].split("\n")
    things = uses_in(texts, book, _DESK).things
    items = completion_items(things, book, file, clause_before(above, before))
    return {
        "items": [
            {
                "name": item.name,
                "sort": "" if item.thing is None else str(item.thing.sort),
                "owner": "" if item.thing is None else _owner(item.thing.owner),
                "keyword": item.thing is None and not item.is_name,
                "preferred": item.is_preferred,
            }
            for item in items[:MAX_ITEMS]
        ]
    }


def _owner(owner: str) -> str:
    """Return the owner of a thing for people; variables are owned by their place."""
    return owner if owner.isidentifier() else ""


@lru_cache(maxsize=1)
def _checked_rules(
    texts: tuple[tuple[str, str], ...],
) -> tuple[Rulebook | None, Texts]:
    """Return the book of valid rules, and the texts of all its files."""
    read: dict[str, str] = {}
    book, _ = check_texts(dict(texts), read)
    return book, read
