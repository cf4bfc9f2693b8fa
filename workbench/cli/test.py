"""`rulebook test`: the scenarios and invariants of rule files."""

from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

from interpreter import VerdictStatus
from rulebook import Rulebook
from workbench.cli.frame.games import settings
from workbench.cli.frame.items import kept_records, put_failed
from workbench.cli.frame.output import put, put_json
from workbench.console.progress import progress
from workbench.errors import Refused
from workbench.library.loading import load
from workbench.rule_tests import suite
from workbench.rule_tests.suite import Item


def run(arguments: Namespace) -> int:
    """The exit code of `rulebook test`."""
    if arguments.games < 0:
        raise Refused(f"--games {arguments.games} is less than 0")
    chosen = settings(arguments)
    items: list[Item] = []
    seen: list[Item] = []
    for variant in arguments.variants:
        book = load(variant)
        outcomes = suite.run(book, chosen, arguments.games, arguments.k, progress)
        for item in outcomes:
            if item not in seen:
                seen.append(item)
                items.append(drawn(item, book, arguments.pictures))
    failed = [item for item in items if item.wrong]
    passed = sum(item.status is VerdictStatus.PASSED for item in items)
    kept: Mapping[str, Path] = {}
    if arguments.records is not None or not arguments.json:
        kept = kept_records(failed, Path(arguments.records or "."))
    if arguments.json:
        put_json(
            {
                "passed": passed,
                "failed": len(failed),
                "items": [item.to_json() for item in items],
            }
        )
    else:
        _show(items, failed, kept)
    return 1 if failed else 0


def drawn(item: Item, book: Rulebook, folder: str | None) -> Item:
    """An item with the picture of the position in which it fails, where one is kept."""
    if folder is None or not item.wrong or item.record is None:
        return item
    from workbench.picture.kept import kept_picture

    path = kept_picture(book, item.name, item.record, Path(folder))
    return item if path is None else attrs.evolve(item, picture=str(path))


def _show(
    items: Sequence[Item], failed: Sequence[Item], kept: Mapping[str, Path]
) -> None:
    put_failed(failed, kept)
    passed = sum(item.status is VerdictStatus.PASSED for item in items)
    parts = [f"{passed} passed", f"{len(failed)} failed"]
    skipped = len(items) - passed - len(failed)
    if skipped:
        parts.append(f"{skipped} skipped")
    put(", ".join(parts))
