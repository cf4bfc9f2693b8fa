"""`rulebook replay`: does a record still hold, and how does it stand at a step?"""

from argparse import ArgumentParser, Namespace

from interpreter import RecordError
from workbench.cli.command import Command, add_json, add_language, put, put_json
from workbench.narration import outcome_lines, view_lines
from workbench.records import book_of, read
from workbench.replaying import replayed
from workbench.wording import Wording


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD")
    parser.add_argument(
        "--rules", metavar="VARIANT", help="instead of the record's own"
    )
    parser.add_argument("--at", type=int, metavar="STEP", help="after so many events")
    add_language(parser)
    add_json(parser)


def _run(arguments: Namespace) -> int:
    record = read(arguments.record)
    book = book_of(record, arguments.rules)
    words = Wording.of(book, arguments.language)
    try:
        found = replayed(record, book, arguments.at)
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
            }
        )
    else:
        put(f"{found.steps} steps")
        for line in view_lines(game.view(None), game.seats, words):
            put(line)
        points = {seat: game.points(seat) for seat in game.seats}
        for line in outcome_lines(outcome, points, words):
            put(line)
        if found.diverged is not None:
            put(f"diverged at step {found.steps}: {found.sentence}")
    return 0 if found.diverged is None else 1


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
