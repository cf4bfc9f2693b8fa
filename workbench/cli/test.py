"""`rulebook test`: the scenarios and invariants of rule files."""

from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

from interpreter import VerdictStatus, read_header
from workbench.cli.frame.games import settings
from workbench.cli.frame.output import put, put_json
from workbench.console.progress import progress
from workbench.errors import Refused
from workbench.library.files import RECORD, replace_text, spare
from workbench.library.loading import load
from workbench.rule_tests import suite
from workbench.rule_tests.suite import INVARIANT, Item


def run(arguments: Namespace) -> int:
    """The exit code of `rulebook test`."""
    if arguments.games < 0:
        raise Refused(f"--games {arguments.games} is less than 0")
    chosen = settings(arguments)
    items: list[Item] = []
    for variant in arguments.variants:
        book = load(variant)
        outcomes = suite.run(book, chosen, arguments.games, arguments.k, progress)
        items += (item for item in outcomes if item not in items)
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


def kept_records(failed: Sequence[Item], folder: Path) -> Mapping[str, Path]:
    """Write the record of each game that breaks an invariant; the files by record."""
    records = dict.fromkeys(
        item.record for item in failed if item.record and item.kind == INVARIANT
    )
    kept: dict[str, Path] = {}
    if records:
        folder.mkdir(parents=True, exist_ok=True)
    for record in records:
        name = read_header(record)["variant"]
        path = folder / f"{name}.broken.jsonl"
        for number in range(2, len(records) + 1):
            if path in kept.values():
                path = folder / f"{name}.broken-{number}.jsonl"
        spare(path, RECORD, "a record")
        replace_text(path, record)
        kept[record] = path
    return kept


def _show(
    items: Sequence[Item], failed: Sequence[Item], kept: Mapping[str, Path]
) -> None:
    for item in failed:
        put(f"{item.status}: {item.kind} “{item.name}”")
        put(f"  --> {item.file}:{item.line}")
        for line in (item.message or "").splitlines():
            put(f"  {line}")
        path = kept.get(item.record or "")
        if path is not None:
            put(f"  the shortest such game found is kept in {path}; to look at it:")
            put(f"    rulebook replay {path}")
            put(f"    rulebook board --record {path} --out {path.with_suffix('.svg')}")
        put("")
    passed = sum(item.status is VerdictStatus.PASSED for item in items)
    parts = [f"{passed} passed", f"{len(failed)} failed"]
    skipped = len(items) - passed - len(failed)
    if skipped:
        parts.append(f"{skipped} skipped")
    put(", ".join(parts))
