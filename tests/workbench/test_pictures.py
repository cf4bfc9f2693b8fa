"""The pictures in the documents are what `rulebook board` draws today.

`python tests/workbench/test_pictures.py` draws them anew, from the records beside them.
"""

import sys
from pathlib import Path

import pytest

from workbench.cli import main

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
STEPS = {"germany": 270, "classic": 1390, "cardgame": 1030, "connect_four": 17}


def draw(name: str, out: Path) -> int:
    """Draw a picture from its record."""
    record = str(PICTURES / f"{name}.jsonl")
    at = str(STEPS[name])
    return main(["board", "--record", record, "--at", at, "--out", str(out)])


@pytest.mark.parametrize("name", STEPS)
def test_a_picture_is_as_it_would_be_drawn(name: str, tmp_path: Path) -> None:
    assert draw(name, tmp_path / "now.svg") == 0

    now = (tmp_path / "now.svg").read_text(encoding="utf-8")
    kept = (PICTURES / f"{name}.svg").read_text(encoding="utf-8")
    assert now == kept, f"run python {Path(__file__).name}, look, and keep it"


if __name__ == "__main__":
    sys.exit(max(draw(name, PICTURES / f"{name}.svg") for name in STEPS))
