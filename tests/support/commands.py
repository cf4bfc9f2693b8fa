"""Commands that run in the process of the tests, and their output."""

import json
from typing import Any

import pytest

from workbench.cli import main

Output = pytest.CaptureFixture[str]


def output_of(capsys: Output, *words: str, status: int = 0) -> str:
    """Return what a command writes to standard output; check its exit code."""
    capsys.readouterr()
    assert main(words) == status
    return capsys.readouterr().out


def document_of(capsys: Output, *words: str, status: int = 0) -> Any:
    """Return the JSON document of a command; check its exit code."""
    return json.loads(output_of(capsys, *words, "--json", status=status))


def errors_of(capsys: Output, *words: str, status: int = 2) -> str:
    """Return what a rejecting command writes to standard error; check its exit code."""
    capsys.readouterr()
    assert main(words) == status
    return capsys.readouterr().err
