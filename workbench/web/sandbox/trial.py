"""Replay of a running game under changed rules, with its first difference.

A record is valid if every event is possible under the new rules, even if effects differ
(law 9 in `ARCHITECTURE.md`). The changed clauses that cause a difference are reported
with it.
"""

import json
from collections.abc import Mapping
from typing import Any

from interpreter import RecordError
from rulebook import Rulebook, RulesError
from workbench.analysis.impact.blame import Blame, find_blame
from workbench.analysis.impact.dual_replay import (
    Difference,
    DifferenceKind,
    DualReplay,
    ParsedRecord,
    shared_options,
)
from workbench.analysis.impact.rule_changes import RuleChanges
from workbench.files.records.record_replay import ReplayResult, replay_text
from workbench.web.sandbox.rule_texts import Texts, check_texts

MAX_BLAMED_CLAUSES = 4
"""Maximum number of changed clauses among which the cause is searched."""

MAX_CLAUSE_LINES = 40
"""Maximum number of removed lines, and of new lines, shown of a changed clause."""


def try_record(record: str, old_texts: Texts, book: Rulebook) -> dict[str, Any]:
    """Replay a recorded game under another rulebook; return the result as plain data.

    The key `record` contains the game under the new rules, up to the first invalid
    event.
    """
    old_book, _ = check_texts(old_texts)
    assert old_book is not None  # the running game uses it
    recorded = ParsedRecord.read(record)
    changes = RuleChanges(old_book, book)
    result: dict[str, Any] = {"events": len(recorded.events), "record": None}
    result["changes"] = [changed_clause_data(changes, name) for name in changes.names]
    try:
        replay = replay_text(adapt_record(recorded, record, old_book, book), book)
    except (RecordError, RulesError) as error:
        first = Difference(DifferenceKind.START, 0, 0, str(error))
        return (
            result
            | {"holds": False, "steps": 0}
            | difference_data(recorded, changes, first)
        )
    result |= {"holds": replay.divergence is None, "steps": replay.steps}
    result |= {"record": replay.game.record, "over": replay.game.over}
    return result | difference_data(
        recorded, changes, first_difference(recorded, old_book, book, replay)
    )


def adapt_record(
    parsed_record: ParsedRecord, record: str, old_book: Rulebook, book: Rulebook
) -> str:
    """Return *record* with its header adapted to the rules of *book*."""
    head = json.dumps(
        adapt_header(parsed_record.head, old_book, book), ensure_ascii=False
    )
    _, *events = record.split("\n")
    return "\n".join([head, *events])


def adapt_header(
    header: Mapping[str, Any], old_book: Rulebook, book: Rulebook
) -> dict[str, Any]:
    """Return a record's header for a game that continues under the rules of *book*.

    Explicitly set options keep their values if the new rules have them. All others
    take the new defaults.
    """
    same = {name: value for name, value in header.items() if name != "sources"}
    options = shared_options(header, old_book, book)
    return {**same, "variant": book.name, "digest": book.digest, "options": options}


def first_difference(
    parsed_record: ParsedRecord,
    old_book: Rulebook,
    book: Rulebook,
    replay: ReplayResult,
) -> Difference | None:
    """Return the difference that ends a replay, or else the first one, or None."""
    differences = list(DualReplay(parsed_record, old_book, book).differences())
    if replay.divergence is None:
        return next(
            (difference for difference in differences if difference.kind.breaks_record),
            next(iter(differences), None),
        )
    event = replay.steps + 1
    exact = (
        difference
        for difference in differences
        if difference.event == event and difference.kind.breaks_record
    )
    plain = Difference(DifferenceKind.REFUSED, replay.steps, event, replay.sentence)
    return next(exact, plain)


def difference_data(
    parsed_record: ParsedRecord, changes: RuleChanges, difference: Difference | None
) -> dict[str, Any]:
    """Return a difference and the changed clauses that cause it, as plain data."""
    if difference is None:
        return {"difference": None, "clauses": [], "also": []}
    blame = Blame(changes.names if len(changes.names) == 1 else ())
    if 1 < len(changes.names) <= MAX_BLAMED_CLAUSES:
        blame = find_blame(parsed_record, changes.before, changes, difference)
    result = {"difference": difference.to_json()}
    return result | {"clauses": list(blame.clauses), "also": list(blame.alternatives)}


def changed_clause_data(changes: RuleChanges, name: str) -> Mapping[str, Any]:
    """Return a changed clause as plain data: location, removed lines and new lines."""
    file, line = changes.place(name) or (None, None)
    removed, added = (
        [changed_line.text for changed_line in lines[:MAX_CLAUSE_LINES]]
        for lines in changes.lines(name)
    )
    return {"clause": name, "file": file, "line": line, "gone": removed, "new": added}
