"""Rules that lead to a dead end: every command that plays them reports it.

Verified by an assertion in place of the message.
"""

from pathlib import Path

import pytest

from tests.native.test_nothing_legal import NOTHING_LEGAL
from workbench.cli import main


@pytest.mark.parametrize(
    "words",
    [
        ["test"],
        ["coverage", "--games", "10"],
        ["coverage", "--games", "20", "--choice", "uniform", "--jobs", "2"],
        ["mutate", "--sample", "2"],
        ["simulate", "--games", "3"],
        ["explore"],
    ],
    ids=" ".join,
)
def test_dead_end_is_reported_as_an_error_of_the_rules(
    words: list[str], working_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("stuck.rules").write_text(NOTHING_LEGAL)
    command, *more = words

    assert main([command, "stuck.rules", *more]) == 1

    said = "".join(capsys.readouterr())
    assert "has no legal action" in said or "can always act" in said
    assert "internal error" not in said
