"""Command `rulebook why`: why an action is legal or not, at a step of a record."""

from argparse import Namespace

from workbench.cli.frame.arguments import AT, JSON, LANGUAGE, RECORD
from workbench.cli.frame.declarations import command, option, positional
from workbench.cli.frame.games import write_notes
from workbench.cli.frame.output import write_json, write_line
from workbench.errors import Refused
from workbench.files.records.headers import book_of, notes
from workbench.files.records.record_files import read
from workbench.files.records.replay import replayed
from workbench.presentation.localization.localizer import Wording
from workbench.presentation.localization.refusals import explanation_document
from workbench.presentation.narration.selection import coordinates
from workbench.presentation.narration.view_text import why_lines


@command(
    "why",
    RECORD,
    positional("action", "ACTION", "action as written in records, such as end_turn"),
    AT,
    option("--seat SEAT", "use only what this seat knows", usual="the whole position"),
    LANGUAGE,
    JSON,
)
def run(arguments: Namespace) -> int:
    """Explain why an action is legal or illegal."""
    record = read(arguments.record)
    book = book_of(record)
    words = Wording.of(book, arguments.language)
    write_notes(notes(record, book))
    replay = replayed(record, book, arguments.at)
    if replay.diverged is not None:
        raise Refused(f"{arguments.record}: {replay.sentence}", status=1)
    action = coordinates(arguments.action, book)
    explanation = replay.game.why(action, arguments.seat)
    if arguments.json:
        write_json(explanation_document(explanation, words))
        return 0
    for line in why_lines(explanation, words):
        write_line(line)
    if replay.game.to_act is None and arguments.at is None:
        write_line("    to ask about an earlier position, add --at STEP;")
        write_line(
            f"    `rulebook replay {arguments.record} --list` numbers the events"
        )
    return 0
