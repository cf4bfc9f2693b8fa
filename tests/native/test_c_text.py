"""The C code of a game is reproducible, and no text of its rules can end a comment."""

from __future__ import annotations

from pathlib import Path

import rulebook as rb
from interpreter.native.c_program import translate
from interpreter.native.c_text import comment
from interpreter.planning import plan_for
from workbench import load

TINY = Path(__file__).parents[2] / "examples/tiny/noughts_and_crosses.rules"


def test_no_text_of_a_rule_file_ends_a_comment() -> None:
    hostile = '*/ int main(void) { return 1; } /* \\ ??/ "\n#error'
    assert not set(comment(hostile)) & set('*\\?"#\n')
    assert "return 1" in comment(hostile)


def test_the_c_code_of_a_game_is_reproducible() -> None:
    book = load(str(TINY))
    assert translate(plan_for(book, 2, {})).text == (
        translate(plan_for(rb.load(TINY), 2, {})).text
    )
