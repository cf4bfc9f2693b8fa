"""Command `rulebook record-to-scenario`: a step of a record as a scenario."""

from argparse import Namespace

from workbench.cli.frame.arguments import AT, JSON, RECORD, RULES
from workbench.cli.frame.declarations import command, flag
from workbench.cli.frame.games import write_notes
from workbench.cli.frame.output import write_json, write_lines
from workbench.errors import Refused
from workbench.files.records.headers import book_of, notes
from workbench.files.records.record_files import read
from workbench.files.records.replay import replayed, retold
from workbench.testing.scenarios.from_records import of_events


@command(
    "record-to-scenario",
    RECORD,
    RULES,
    flag(
        "--whole",
        "include all lines of the position, even those the scenario does not need",
    ),
    AT,
    JSON,
)
def run(arguments: Namespace) -> int:
    """Convert a position of a record into a scenario for a rule file."""
    record = read(arguments.record)
    book = book_of(record, arguments.rules)
    write_notes(notes(record, book))
    replay = replayed(record, book, arguments.at, exactly=True)
    begin, events, wrong = retold(replay, record)
    made = of_events(
        *(begin, events, wrong),
        invariants=book.model.invariants,
        whole=arguments.whole,
    )
    if made is None:
        where = f"{arguments.record}: step {replay.steps}"
        raise Refused(f"{where}: this step cannot be written as a scenario", status=1)
    if arguments.json:
        write_json(made.to_json())
    else:
        write_lines(made.text.rstrip("\n"))
    return 0
