"""`rulebook test`: the scenarios and invariants of rule files."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from workbench.cli.command import (
    Command,
    add_json,
    add_settings,
    put,
    put_json,
    settings,
)
from workbench.errors import Refused
from workbench.loading import load
from workbench.progress import progress
from workbench.suite import GAMES, PASSED, Item, run


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("variants", metavar="VARIANT", nargs="+")
    parser.add_argument(
        "--games",
        type=int,
        default=GAMES,
        metavar="N",
        help="for each number of players, in which invariants are tested; for each full"
        " twenty one more with every other value of an option",
    )
    parser.add_argument(
        "-k", default="", metavar="TEXT", help="tests with it in the name"
    )
    add_settings(parser)
    add_json(parser)


def _run(arguments: Namespace) -> int:
    if arguments.games < 0:
        raise Refused(f"--games {arguments.games} is less than 0")
    chosen = settings(arguments)
    items: list[Item] = []
    for variant in arguments.variants:
        book = load(variant)
        model = book.model
        total = len(model.scenarios) + len(model.invariants)
        found = progress(run(book, chosen, arguments.games, arguments.k), total)
        items += (item for item in found if item not in items)
    failed = [item for item in items if item.wrong]
    passed = sum(item.status == PASSED for item in items)
    if arguments.json:
        put_json(
            {
                "passed": passed,
                "failed": len(failed),
                "items": [item.to_json() for item in items],
            }
        )
    else:
        _show(items, failed, passed)
    return 1 if failed else 0


def _show(items: Sequence[Item], failed: Sequence[Item], passed: int) -> None:
    for item in failed:
        put(f"{item.status}: {item.kind} “{item.name}”")
        put(f"  --> {item.file}:{item.line}")
        for line in (item.message or "").splitlines():
            put(f"  {line}")
        put("")
    parts = [f"{passed} passed", f"{len(failed)} failed"]
    skipped = len(items) - passed - len(failed)
    if skipped:
        parts.append(f"{skipped} skipped")
    put(", ".join(parts))


TEST = Command(
    "test", "run the scenarios and invariants of rule files", _arguments, _run
)
