"""On a board of many spaces both engines play the same games."""

import shutil
from pathlib import Path

import pytest

from benchmarks.growth import OPTIONS, VARIANTS, enlarged
from interpreter.native.printing.c_expressions import MAX_COMBINED_WORDS
from tests.native.compilers import NEEDS_C
from tests.support.side_by_side import Setting, play
from workbench import load

pytestmark = [NEEDS_C, pytest.mark.usefixtures("own_cache")]

RINGS, STEPS, WORD = 5, 260, 64


def test_finds_neighbours_on_boards_of_many_bit_words(
    tmp_path: Path,
) -> None:
    shutil.copytree(VARIANTS, tmp_path / "variants")
    enlarged(tmp_path / "variants", RINGS)
    book = load(str(tmp_path / "variants" / "classic" / "classic.rules"))
    setting = Setting(book, 3, 1, OPTIONS)
    paths = len(setting.plan().values.names["path"])
    assert paths // WORD + 1 > MAX_COMBINED_WORDS
    assert play(setting, STEPS) == STEPS
