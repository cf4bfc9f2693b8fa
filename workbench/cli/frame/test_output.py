"""Reports of failed tests, and the records of their games."""

from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

from interpreter import read_header
from workbench.cli.frame.output import write_line
from workbench.files.library.atomic_files import (
    RECORD_PREFIXES,
    check_replaceable,
    replace_text,
)
from workbench.testing.rule_tests.suite import SCENARIO, SuiteItem

SHORTEST_FOUND = "the shortest such game found"


def save_records(
    failed: Sequence[SuiteItem], arguments: Namespace
) -> Mapping[str, Path]:
    """Write failed games' records to folder `--records`; return each record's file.

    With `--json`, records are written only if `--records` is given.
    """
    if arguments.records is None and arguments.json:
        return {}
    folder = Path(arguments.records or ".")
    records = dict.fromkeys(
        item.record for item in failed if item.record and item.kind != SCENARIO
    )
    record_files: dict[str, Path] = {}
    if records:
        folder.mkdir(parents=True, exist_ok=True)
    for record in records:
        name = read_header(record)["variant"]
        path = folder / f"{name}.broken.jsonl"
        for number in range(2, len(records) + 1):
            if path in record_files.values():
                path = folder / f"{name}.broken-{number}.jsonl"
        check_replaceable(path, RECORD_PREFIXES, "a record")
        replace_text(path, record)
        record_files[record] = path
    return record_files


def write_failures(
    failed: Sequence[SuiteItem],
    record_files: Mapping[str, Path],
    description: str = SHORTEST_FOUND,
) -> None:
    """Write each failure and its record file; *description* names the recorded game."""
    for item in failed:
        write_line(f"{item.status}: {item.kind} “{item.name}”")
        write_line(f"  --> {item.file}:{item.line}")
        for line in (item.message or "").splitlines():
            write_line(f"  {line}")
        if item.picture is not None:
            write_line(f"  the position: {item.picture}")
        if item.scenario is not None:
            write_line("  as a scenario, which fails until the rules are fixed:")
            for line in item.scenario.splitlines():
                write_line(f"    {line}".rstrip())
        path = record_files.get(item.record or "")
        if path is not None:
            write_line(f"  {description} was saved to {path}; to view it:")
            write_line(f"    rulebook replay {path}")
            write_line(
                f"    rulebook board --record {path} --out {path.with_suffix('.svg')}"
            )
        write_line("")
