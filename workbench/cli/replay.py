"""Command `rulebook replay`: check a record, and show the game at a step."""

import json
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from interpreter import RecordError
from workbench.cli.frame.arguments import AT, JSON, LANGUAGE, RECORD, RULES
from workbench.cli.frame.declarations import command, flag, option
from workbench.cli.frame.games import write_notes
from workbench.cli.frame.output import write_json, write_line
from workbench.files.records.headers import Note, book_of, notes
from workbench.files.records.record_files import read
from workbench.files.records.replay import Replayed, replayed
from workbench.presentation.localization.localizer import Wording
from workbench.presentation.narration.momentary_fields import seen
from workbench.presentation.narration.view_text import outcome_lines, view_lines

HIDDEN = "?"


@command(
    "replay",
    RECORD,
    RULES,
    flag("--exact", "fail if the digest of the rules differs from that in the record"),
    flag("--list", "list the events with their numbers, for use with --at"),
    option("--seat SEAT", "show only what this seat was told, without the seed"),
    AT,
    LANGUAGE,
    JSON,
)
def run(arguments: Namespace) -> int:
    """Replay a record and check that it still matches."""
    record = read(arguments.record)
    book = book_of(record, arguments.rules)
    words = Wording.of(book, arguments.language)
    said = notes(record, book)
    try:
        if arguments.exact:
            reject_different_rules(said)
        write_notes(said)
        replay = replayed(record, book, arguments.at, exactly=True)
    except RecordError as error:
        return _report_invalid_header(error, said, arguments)
    game = replay.game
    if arguments.seat is not None:
        return _write_for_seat(replay, arguments, words)
    outcome = game.outcome
    if arguments.json:
        write_json(
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
            for line in numbered_events(game.events):
                write_line(line)
        write_line(f"{replay.steps} steps")
        for line in view_lines(seen(game, None), game.seats, words):
            write_line(line)
        points = {seat: game.points(seat) for seat in game.seats}
        for line in outcome_lines(outcome, points, words):
            write_line(line)
        if replay.diverged is not None:
            write_line(f"diverged at step {replay.steps}: {replay.sentence}")
    return 0 if replay.diverged is None else 1


def _write_for_seat(replay: Replayed, arguments: Namespace, words: Wording) -> int:
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
        write_json({**told, "diverged": diverged, "events": log})
        return 0 if ok else 1
    for line in numbered_events(log):
        write_line(line)
    write_line(f"{replay.steps} steps")
    for line in view_lines(view, game.seats, words):
        write_line(line)
    points = view["points"] if outcome is None else outcome.points
    for line in outcome_lines(outcome, points, words):
        write_line(line)
    if not ok:
        write_line(f"diverged at step {replay.steps}")
    return 0 if ok else 1


def numbered_events(events: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield events as in records, with numbers; hidden ones are `?`."""
    width = len(str(len(events)))
    for number, event in enumerate(events, 1):
        name = "action" if "seat" in event else "outcome"
        said = event[name]
        if said is None:
            said = HIDDEN
        elif name == "outcome":
            said = json.dumps(said, ensure_ascii=False)
        who = event["seat"] if "seat" in event else event["chance"]
        yield f"{number:>{width}}  {who}: {said}"


def reject_different_rules(said: Sequence[Note]) -> None:
    """Raise `RecordError` if a note says that the game may be different."""
    for note in said:
        if note.other:
            raise RecordError(note.text)


def _report_invalid_header(
    error: RecordError, said: Sequence[Note], arguments: Namespace
) -> int:
    """Report a record whose header is already invalid; return the exit code."""
    if not arguments.json:
        raise error
    document = {"ok": False, "steps": 0, "position": None, "end": None}
    told = error.to_json()
    diverged = {key: told[key] for key in told if key != "message"}
    if diverged["step"] is None:
        diverged |= {"step": 0, "got": str(error)}
    texts = [note.text for note in said]
    write_json({**document, "diverged": diverged, "notes": texts})
    return 1
