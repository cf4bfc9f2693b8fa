"""Pictures in the documents equal what `rulebook board` draws from their records.

`python tests/workbench/test_pictures.py` redraws them from the records next to them.
With `--check` it lists the pictures that would change, and changes nothing.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from workbench.cli import main

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
NAMES = sorted(path.stem for path in PICTURES.glob("*.svg"))


def draw(name: str, out: Path) -> int:
    """Draw a complete picture from its record."""
    record = str(PICTURES / f"{name}.jsonl")
    return main(["board", "--record", record, "--out", str(out)])


def is_kept(name: str, folder: Path) -> bool:
    """Return whether the stored picture equals a newly drawn one."""
    drawn, kept = folder / f"{name}.svg", PICTURES / f"{name}.svg"
    return draw(name, drawn) == 0 and drawn.read_bytes() == kept.read_bytes()


def test_there_are_pictures() -> None:
    assert {"germany", "classic", "cardgame", "connect_four"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_stored_picture_equals_the_drawn_one(name: str, tmp_path: Path) -> None:
    assert is_kept(name, tmp_path), f"run python {Path(__file__).name}, look, keep it"


if __name__ == "__main__":
    if "--check" in sys.argv[1:]:
        with TemporaryDirectory() as folder:
            changed = [name for name in NAMES if not is_kept(name, Path(folder))]
        sys.exit(f"these would change: {', '.join(changed)}" if changed else 0)
    sys.exit(max(draw(name, PICTURES / f"{name}.svg") for name in NAMES))
