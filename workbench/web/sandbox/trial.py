"""A running game under changed rules: does its record hold, and what is otherwise.

A record holds where every event of it can happen by the new rules (law 9), even if it
comes out otherwise; the first difference of either sort is told with the clauses that
make it.
"""

import json
from collections.abc import Mapping
from typing import Any

from interpreter import RecordError
from rulebook import Rulebook, RulesError
from workbench.analysis.impact.blame import Blame, blame
from workbench.analysis.impact.changes import RuleChanges
from workbench.analysis.impact.dual_replay import (
    Difference,
    DualReplay,
    Kind,
    Recorded,
    chosen,
)
from workbench.files.records.replay import Replayed, replayed
from workbench.web.sandbox.rule_texts import Texts, examined

BLAMED_MAX = 4
"""Of so many changes it is looked for which makes a difference: each is tried."""

LINES_MAX = 40
"""How many lines of a change are told."""


def tried(record: str, before: Texts, book: Rulebook) -> dict[str, Any]:
    """What becomes of a recorded game by a book, as plain data.

    `record` in it is the same game of the new rules, as far as it holds.
    """
    mine, _ = examined(before)
    assert mine is not None  # the game is played by it
    recorded = Recorded.read(record)
    changes = RuleChanges(mine, book)
    told: dict[str, Any] = {"events": len(recorded.events), "record": None}
    told["changes"] = [changed(changes, name) for name in changes.names]
    try:
        replay = replayed(under(recorded, record, mine, book), book)
    except (RecordError, RulesError) as error:
        first = Difference(Kind.START, 0, 0, str(error))
        return told | {"holds": False, "steps": 0} | blamed(recorded, changes, first)
    told |= {"holds": replay.diverged is None, "steps": replay.steps}
    told |= {"record": replay.game.record, "over": replay.game.over}
    return told | blamed(recorded, changes, first_of(recorded, mine, book, replay))


def under(recorded: Recorded, record: str, mine: Rulebook, book: Rulebook) -> str:
    """A record whose header is that of other rules."""
    head = json.dumps(header_under(recorded.head, mine, book), ensure_ascii=False)
    _, *events = record.split("\n")
    return "\n".join([head, *events])


def header_under(
    head: Mapping[str, Any], mine: Rulebook, book: Rulebook
) -> dict[str, Any]:
    """The header of a game that goes on by other rules.

    What was chosen for it stays chosen where they have such an option; what was left
    open has the value that they give it.
    """
    same = {name: value for name, value in head.items() if name != "sources"}
    options = chosen(head, mine, book)
    return {**same, "variant": book.name, "digest": book.digest, "options": options}


def first_of(
    recorded: Recorded, mine: Rulebook, book: Rulebook, replay: Replayed
) -> Difference | None:
    """What is told of a game: where it diverges, else what differs first in it."""
    news = list(DualReplay(recorded, mine, book).differences())
    if replay.diverged is None:
        return next((new for new in news if new.kind.breaks), next(iter(news), None))
    event = replay.steps + 1
    exact = (new for new in news if new.event == event and new.kind.breaks)
    plain = Difference(Kind.REFUSED, replay.steps, event, replay.sentence)
    return next(exact, plain)


def blamed(
    recorded: Recorded, changes: RuleChanges, difference: Difference | None
) -> dict[str, Any]:
    """A difference with the changed clauses that make it, as plain data."""
    if difference is None:
        return {"difference": None, "clauses": [], "also": []}
    whose = Blame(changes.names if len(changes.names) == 1 else ())
    if 1 < len(changes.names) <= BLAMED_MAX:
        whose = blame(recorded, changes.before, changes, difference)
    told = {"difference": difference.to_json()}
    return told | {"clauses": list(whose.clauses), "also": list(whose.also)}


def changed(changes: RuleChanges, name: str) -> Mapping[str, Any]:
    """A clause that is otherwise: where it stands, and which of its lines."""
    file, line = changes.place(name) or (None, None)
    gone, new = (
        [part.text for part in lines[:LINES_MAX]] for lines in changes.lines(name)
    )
    return {"clause": name, "file": file, "line": line, "gone": gone, "new": new}
