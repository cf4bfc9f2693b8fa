"""`rulebook replay`: does a record still hold, and how does it stand at a step?"""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from interpreter import RecordError
from workbench.cli.command import (
    Command,
    add_json,
    add_language,
    add_step,
    put,
    put_json,
)
from workbench.narration import outcome_lines, view_lines
from workbench.records import book_of, read
from workbench.replaying import replayed
from workbench.wording import Wording


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", help="a game that was recorded")
    parser.add_argument(
        "--rules", metavar="VARIANT", help="rules to play by (default: the record's)"
    )
    parser.add_argument(
        "--list", action="store_true", help="number what happened, for --at"
    )
    add_step(parser)
    add_language(parser)
    add_json(parser)


def _run(arguments: Namespace) -> int:
    record = read(arguments.record)
    book = book_of(record, arguments.rules)
    words = Wording.of(book, arguments.language)
    try:
        found = replayed(record, book, arguments.at, exactly=True)
    except RecordError as error:
        return _not_begun(error, arguments)
    game = found.game
    outcome = game.outcome
    if arguments.json:
        put_json(
            {
                "ok": found.diverged is None,
                "steps": found.steps,
                "position": game.position,
                "end": None if outcome is None else outcome.to_json(),
                "diverged": found.diverged,
                **({"events": list(game.events)} if arguments.list else {}),
            }
        )
    else:
        if arguments.list:
            for line in numbered(game.events):
                put(line)
        put(f"{found.steps} steps")
        for line in view_lines(game.view(None), game.seats, words):
            put(line)
        points = {seat: game.points(seat) for seat in game.seats}
        for line in outcome_lines(outcome, points, words):
            put(line)
        if found.diverged is not None:
            put(f"diverged at step {found.steps}: {found.sentence}")
    return 0 if found.diverged is None else 1


def numbered(events: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Events in the words of records, each behind its number."""
    width = len(str(len(events)))
    for number, event in enumerate(events, 1):
        said = f"{event['seat']}: {event['action']}" if "seat" in event else None
        if said is None:
            outcome = json.dumps(event["outcome"], ensure_ascii=False)
            said = f"{event['chance']}: {outcome}"
        yield f"{number:>{width}}  {said}"


def _not_begun(error: RecordError, arguments: Namespace) -> int:
    """Report a record whose header already does not fit."""
    if not arguments.json:
        raise error
    document = {"ok": False, "steps": 0, "position": None, "end": None}
    found = error.to_json()
    diverged = {key: found[key] for key in ("step", "clause", "expected", "got")}
    if diverged["step"] is None:
        diverged |= {"step": 0, "got": str(error)}
    put_json({**document, "diverged": diverged})
    return 1


REPLAY = Command("replay", "play a record again and compare", _arguments, _run)
