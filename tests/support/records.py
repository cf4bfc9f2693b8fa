"""Records for tests with changed headers, and the output of commands."""

import json
from pathlib import Path
from typing import Any

import pytest

from workbench.cli import main

FILES = Path(__file__).parents[1] / "faults" / "records"


DARE = (FILES / "dare.rules").read_text(encoding="utf-8")


Output = pytest.CaptureFixture[str]


def changed(record: str, **new: Any) -> str:
    """Return a record with changed header values; `...` removes a value."""
    head, rest = record.split("\n", 1)
    header = {**json.loads(head), **new}
    return json.dumps({k: v for k, v in header.items() if v is not ...}) + "\n" + rest


def told(capsys: Output, *arguments: str) -> tuple[int, str]:
    """Return the exit code of a command, and everything that it writes."""
    capsys.readouterr()
    status = main(arguments)
    written = capsys.readouterr()
    assert "Traceback" not in written.err
    return status, written.out + written.err
