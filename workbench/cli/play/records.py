"""Commands that read a record: `replay`, `repair`, `why` and `record-to-scenario`."""

import json
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from interpreter import RecordError
from workbench.cli.frame.arguments import JSON, LANGUAGE, RECORD, RULES, STEP
from workbench.cli.frame.declarations import command, flag, option, positional
from workbench.cli.frame.game_arguments import (
    replay_record,
    replayed_game,
    write_notes,
)
from workbench.cli.frame.output import write_json, write_line, write_lines
from workbench.errors import RequestError
from workbench.files.library.atomic_files import create_text
from workbench.files.records.record_files import load_record, read_record
from workbench.files.records.record_headers import (
    HeaderNote,
    header_notes,
    rules_of_record,
)
from workbench.files.records.record_replay import (
    ReplayResult,
    replay_parts,
    replay_text,
)
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.localization.refusals import explanation_document
from workbench.presentation.narration.momentary_fields import relevant_view
from workbench.presentation.narration.selection import name_coordinates
from workbench.presentation.narration.view_text import (
    explanation_lines,
    outcome_lines,
    view_lines,
)

HIDDEN = "?"
"""Text that replaces an action or outcome hidden from a seat."""


@command(
    "replay",
    RECORD,
    RULES,
    flag("--exact", "fail if the digest of the rules differs from that in the record"),
    flag("--list", "list the events with their numbers, for use with --at"),
    option("--seat SEAT", "show only what this seat was told, without the seed"),
    STEP,
    LANGUAGE,
    JSON,
)
def replay(arguments: Namespace) -> int:
    """Replay a record and check that it still matches."""
    record = read_record(arguments.record)
    book = rules_of_record(record, arguments.rules)
    record_notes = header_notes(record, book)
    try:
        if arguments.exact:
            reject_different_rules(record_notes)
        write_notes(record_notes)
        result = replay_text(record, book, arguments.at, exact=True)
    except RecordError as error:
        return _report_invalid_header(error, record_notes, arguments)
    words = Localizer.for_book(book, arguments.language)
    if arguments.seat is not None:
        _write_for_seat(result, arguments, words)
    elif arguments.json:
        document = {
            "ok": result.divergence is None,
            "steps": result.steps,
            "position": result.game.position,
            "end": _outcome_document(result),
            "diverged": result.divergence,
            "notes": [note.text for note in record_notes],
        }
        events = {"events": list(result.game.events)} if arguments.list else {}
        write_json(document | events)
    else:
        game = result.game
        points = {seat: game.points(seat) for seat in game.seats}
        events_shown = game.events if arguments.list else ()
        view = relevant_view(game, None)
        is_whole = arguments.at is None
        _write_state(result, events_shown, view, points, words, is_whole=is_whole)
        if result.divergence is not None:
            write_line(f"diverged at step {result.steps}: {result.sentence}")
    return 0 if result.divergence is None else 1


def _write_for_seat(
    result: ReplayResult, arguments: Namespace, localizer: Localizer
) -> None:
    """Write a game as one seat saw it; report only the step of a divergence."""
    game, ok = result.game, result.divergence is None
    log, view = game.log(arguments.seat), game.view(arguments.seat)
    if arguments.json:
        unknown = {"clause": None, "expected": None, "got": None}
        document = {
            "ok": ok,
            "steps": result.steps,
            "view": view,
            "end": _outcome_document(result),
            "diverged": None if ok else {"step": result.steps, **unknown},
            "events": log,
        }
        write_json(document)
        return
    points = view["points"] if game.outcome is None else game.outcome.points
    is_whole = arguments.at is None
    _write_state(result, log, view, points, localizer, is_whole=is_whole)
    if not ok:
        write_line(f"diverged at step {result.steps}")


def _outcome_document(result: ReplayResult) -> dict[str, Any] | None:
    """Return the outcome of a replayed game as plain data, or None if it has none."""
    outcome = result.game.outcome
    return None if outcome is None else outcome.to_json()


def _write_state(
    result: ReplayResult,
    events: Sequence[Mapping[str, Any]],
    view: Mapping[str, Any],
    points: Mapping[str, int],
    localizer: Localizer,
    *,
    is_whole: bool,
) -> None:
    """Write events and the view after them as text.

    `is_whole` is False if the user asked for a step before the end of the record.
    """
    game = result.game
    for line in numbered_events(events, localizer):
        write_line(line)
    write_line(f"{result.steps} steps")
    for line in view_lines(view, game.seats, localizer):
        write_line(line)
    if game.over:
        for line in outcome_lines(game, points, localizer):
            write_line(line)
    elif result.divergence is None:
        write_line(localizer.phrase("record_ends" if is_whole else "not_over"))


def numbered_events(
    events: Sequence[Mapping[str, Any]], localizer: Localizer
) -> Iterator[str]:
    """Yield numbered events as lines of text; hidden ones are `?`."""
    width = len(str(len(events)))
    for number, event in enumerate(events, 1):
        if "announced" in event:
            yield f"{number:>{width}}  {localizer.announcement(event)}"
            continue
        name = "action" if "seat" in event else "outcome"
        text = event[name]
        if text is None:
            text = HIDDEN
        elif name == "outcome":
            text = json.dumps(text, ensure_ascii=False)
        actor = event["seat"] if "seat" in event else event["chance"]
        yield f"{number:>{width}}  {actor}: {text}"


def reject_different_rules(record_notes: Sequence[HeaderNote]) -> None:
    """Raise `RecordError` if a note reports that the rules may differ."""
    for note in record_notes:
        if note.may_differ:
            raise RecordError(note.text)


def _report_invalid_header(
    error: RecordError, record_notes: Sequence[HeaderNote], arguments: Namespace
) -> int:
    """Report an invalid header as JSON and return 1, or re-raise without `--json`."""
    if not arguments.json:
        raise error
    document = {"ok": False, "steps": 0, "position": None, "end": None}
    diverged = {
        key: value for key, value in error.to_json().items() if key != "message"
    }
    if diverged["step"] is None:
        diverged |= {"step": 0, "got": str(error)}
    texts = [note.text for note in record_notes]
    write_json({**document, "diverged": diverged, "notes": texts})
    return 1


@command(
    "repair",
    positional("record", "RECORD", "damaged record"),
    RULES,
    JSON,
)
def repair(arguments: Namespace) -> int:
    """Save the intact part of a damaged record."""
    text, torn = load_record(arguments.record)
    lines = [line for line in text.split("\n") if line.strip()]
    result = replay_text(text, rules_of_record(text, arguments.rules))
    intact = lines if result.divergence is None else lines[: result.steps + 1]
    left_out = len(lines) - len(intact) + bool(torn)
    reason = result.sentence or ("the last line is incomplete" if torn else None)
    path = Path(arguments.record)
    out = path.with_name(f"{path.stem}.repaired{path.suffix}") if left_out else None
    if out is not None:
        create_text(out, "".join(f"{line}\n" for line in intact))
    if arguments.json:
        document = {
            "steps": result.steps,
            "lines": len(intact),
            "left_out": left_out,
            "why": reason,
            "out": None if out is None else str(out),
        }
        write_json(document)
        return 0
    write_line(f"{path}: {result.steps} steps are intact")
    if out is not None:
        write_line(f"line {len(intact) + 1}: {reason}")
        write_line(f"Saved the part before this line to {out}. Next step:")
        write_line(f"  rulebook play --resume {out}")
    return 0


@command(
    "why",
    RECORD,
    positional("action", "ACTION", "action as written in records, such as end_turn"),
    STEP,
    option(
        "--seat SEAT",
        "use only what this seat knows",
        default_text="the whole position",
    ),
    LANGUAGE,
    JSON,
)
def why(arguments: Namespace) -> int:
    """Explain why an action is legal or illegal."""
    _, book, result = replay_record(arguments.record, None, arguments.at)
    game = replayed_game(result, arguments.record)
    localizer = Localizer.for_book(book, arguments.language)
    action = name_coordinates(arguments.action, book)
    explanation = game.why(action, arguments.seat)
    if arguments.json:
        write_json(explanation_document(explanation, localizer))
        return 0
    for line in explanation_lines(explanation, localizer):
        write_line(line)
    if game.to_act is None and arguments.at is None:
        write_line("    to ask about an earlier position, add --at STEP;")
        write_line(
            f"    `rulebook replay {arguments.record} --list` numbers the events"
        )
    return 0


@command(
    "record-to-scenario",
    RECORD,
    RULES,
    flag(
        "--whole",
        "include all lines of the position, even those the scenario does not need",
    ),
    STEP,
    JSON,
)
def record_to_scenario(arguments: Namespace) -> int:
    """Convert a position of a record into a scenario for a rule file."""
    from workbench.testing.scenarios.from_records import scenario_of_events

    record, book, result = replay_record(
        arguments.record, arguments.rules, arguments.at, exact=True
    )
    scenario = scenario_of_events(
        *replay_parts(result, record),
        invariants=book.model.invariants,
        keep_all=arguments.whole,
    )
    if scenario is None:
        location = f"{arguments.record}: step {result.steps}"
        raise RequestError(
            f"{location}: this step cannot be written as a scenario", exit_code=1
        )
    if arguments.json:
        write_json(scenario.to_json())
    else:
        write_lines(scenario.text.rstrip("\n"))
    return 0
