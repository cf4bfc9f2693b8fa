"""Command `rulebook replay`: check a record, and show the game at a step."""

import json
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from interpreter import RecordError
from workbench.cli.frame.games import put_notes
from workbench.cli.frame.output import put, put_json
from workbench.files.records.headers import Note, book_of, notes
from workbench.files.records.record_files import read
from workbench.files.records.replay import Replayed, replayed
from workbench.presentation.localization.localizer import Wording
from workbench.presentation.narration.momentary_fields import seen
from workbench.presentation.narration.view_text import outcome_lines, view_lines

UNTOLD = "?"


def run(arguments: Namespace) -> int:
    """Run `rulebook replay` and return the exit code."""
    record = read(arguments.record)
    book = book_of(record, arguments.rules)
    words = Wording.of(book, arguments.language)
    said = notes(record, book)
    try:
        if arguments.exact:
            refuse(said)
        put_notes(said)
        replay = replayed(record, book, arguments.at, exactly=True)
    except RecordError as error:
        return _not_begun(error, said, arguments)
    game = replay.game
    if arguments.seat is not None:
        return _show_for_seat(replay, arguments, words)
    outcome = game.outcome
    if arguments.json:
        put_json(
            {
                "ok": replay.diverged is None,
                "steps": replay.steps,
                "position": game.position,
                "end": None if outcome is None else outcome.to_json(),
                "diverged": replay.diverged,
                "notes": [note.text for note in said],
                **({"events": list(game.events)} if arguments.list else {}),
            }
        )
    else:
        if arguments.list:
            for line in numbered(game.events):
                put(line)
        put(f"{replay.steps} steps")
        for line in view_lines(seen(game, None), game.seats, words):
            put(line)
        points = {seat: game.points(seat) for seat in game.seats}
        for line in outcome_lines(outcome, points, words):
            put(line)
        if replay.diverged is not None:
            put(f"diverged at step {replay.steps}: {replay.sentence}")
    return 0 if replay.diverged is None else 1


def _show_for_seat(replay: Replayed, arguments: Namespace, words: Wording) -> int:
    """Show a game as one seat saw it; return the exit code.

    A divergence is shown only by its place.
    """
    game, seat = replay.game, arguments.seat
    log, view, outcome = game.log(seat), game.view(seat), game.outcome
    ok = replay.diverged is None
    if arguments.json:
        end = None if outcome is None else outcome.to_json()
        told = {"ok": ok, "steps": replay.steps, "view": view, "end": end}
        none = {"clause": None, "expected": None, "got": None}
        diverged = None if ok else {"step": replay.steps, **none}
        put_json({**told, "diverged": diverged, "events": log})
        return 0 if ok else 1
    for line in numbered(log):
        put(line)
    put(f"{replay.steps} steps")
    for line in view_lines(view, game.seats, words):
        put(line)
    points = view["points"] if outcome is None else outcome.points
    for line in outcome_lines(outcome, points, words):
        put(line)
    if not ok:
        put(f"diverged at step {replay.steps}")
    return 0 if ok else 1


def numbered(events: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield events as in records, with numbers; hidden ones are `?`."""
    width = len(str(len(events)))
    for number, event in enumerate(events, 1):
        name = "action" if "seat" in event else "outcome"
        said = event[name]
        if said is None:
            said = UNTOLD
        elif name == "outcome":
            said = json.dumps(said, ensure_ascii=False)
        who = event["seat"] if "seat" in event else event["chance"]
        yield f"{number:>{width}}  {who}: {said}"


def refuse(said: Sequence[Note]) -> None:
    """Raise `RecordError` if a note says that the game may be different."""
    for note in said:
        if note.other:
            raise RecordError(note.text)


def _not_begun(error: RecordError, said: Sequence[Note], arguments: Namespace) -> int:
    """Report a record whose header is already invalid; return the exit code."""
    if not arguments.json:
        raise error
    document = {"ok": False, "steps": 0, "position": None, "end": None}
    told = error.to_json()
    diverged = {key: told[key] for key in told if key != "message"}
    if diverged["step"] is None:
        diverged |= {"step": 0, "got": str(error)}
    texts = [note.text for note in said]
    put_json({**document, "diverged": diverged, "notes": texts})
    return 1
