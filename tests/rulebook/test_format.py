"""Formatting of rule files: pairs of texts, and properties of every text."""

import random
from pathlib import Path

import pytest

from rulebook.parse import parse
from rulebook.source.diagnostics import RulesError
from rulebook.write.format import format_text
from tests.support.trees import CASES, CELLS, HEAD

MESSY = """

# what it is
rules   language 1
rulebook x   "Title"[en "Top"]
    players 2 to 3
    source en "One"   # first
    source longer "Two"



kind mood( moods ):calm,wild    [en "Moods"]
kind sky
      name|height | text
      low | -3 | "a | b"  [en "Sky"]
        # about the next
      # about it
      high|12|"c"
      none_|-|-

option goal(1 to 9):3"points"
option long_name: no     "a longer one"

each player has
 hand: bag of mood , seen by owner
 # why
 score:0 to 9

action go( sky )[en "Going"]
  pays 2 calm,1 wild
  needs a: sky's height>=-3 "too low"   # here
  needs longer: the sky is in the hand   "no sky"   [en "Why"]
  if height<3 : stop
  otherwise:
     set height to height-1
  # at the end
# at the side

words de
  a.b = "ein","viele"
  a_longer = "c"
citations
  go [en "Going"]
  go.longer [en "Why" 1,2,example]
"""
TIDY = """\
# what it is
rules language 1
rulebook x "Title"                                              [en "Top"]
  players 2 to 3
  source en     "One"                                           # first
  source longer "Two"

kind mood (moods): calm, wild                                   [en "Moods"]
kind sky
  name  | height | text
  low   |     -3 | "a | b"                                      [en "Sky"]
  # about the next
  # about it
  high  |     12 | "c"
  none_ |      - | -

option goal (1 to 9): 3  "points"
option long_name: no     "a longer one"

each player has
  hand:  bag of mood, seen by owner
  # why
  score: 0 to 9

action go(sky)                                                  [en "Going"]
  pays 2 calm, 1 wild
  needs a:      sky's height >= -3      "too low"               # here
  needs longer: the sky is in the hand  "no sky"                [en "Why"]
  if height < 3: stop
  otherwise:
    set height to height - 1
  # at the end
# at the side

words de
  a.b      = "ein", "viele"
  a_longer = "c"
citations
  go         [en "Going"]
  go.longer  [en "Why" 1, 2, example]
"""


def test_formats_a_messy_file() -> None:
    assert format_text(MESSY, "t.rules").splitlines() == TIDY.splitlines()


def test_a_tidy_file_is_unchanged() -> None:
    assert format_text(TIDY, "t.rules") == TIDY


def test_trailing_parts_of_a_long_line_are_two_spaces_away() -> None:
    line = f'kind {"a" * 60}: b [en "x"] # c'

    assert format_text(f"{HEAD}{line}", "t").splitlines()[1] == (
        f'kind {"a" * 60}: b  [en "x"]  # c'
    )


def test_a_minus_after_the_last_word_of_a_phrase_may_still_subtract() -> None:
    """`place` ends the phrase `card at place`, but is also a name."""
    lines = (
        "to go",
        "  if the card at place -1 of pile is none: stop",
        "  set height to spot's place - 1",
    )
    text = "\n".join((*HEAD.splitlines(), *lines, ""))

    assert format_text(text, "t").splitlines()[-3:] == [*lines]


def test_line_endings_and_byte_order_marks_are_normalised() -> None:
    text = "\ufeffrules language 1\r\nkind Ko\u0308ln: a\r\n\r\n\r\n"

    assert format_text(text, "t") == "rules language 1\nkind K\u00f6ln: a\n"


def test_a_file_that_does_not_parse_is_unchanged() -> None:
    with pytest.raises(RulesError) as caught:
        format_text("rules language 1\nknd a: b\n", "t.rules")

    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["RB012"]


def scattered(text: str, rng: random.Random) -> str:
    """Return the text with other whitespace and with comments, but the same meaning."""
    lines = []
    for line in text.splitlines():
        bare = line.lstrip(" ")
        depth = len(line) - len(bare)
        more = (
            bare.replace(" ", "   ") if '"' not in bare and rng.random() < 0.5 else bare
        )
        lines.append(" " * depth * 3 + more + rng.choice(["", "   ", " # c", "#"]))
        lines += rng.choice([[], [], [""], ["  # a comment"], ["# another"]])
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("text", [text for text, _ in CASES] + [CELLS])
def test_formatting_keeps_the_tree_and_is_stable(text: str) -> None:
    rng = random.Random(text)
    for _ in range(3):
        wild = HEAD + scattered(text, rng)
        tidy = format_text(wild, "t.rules")

        assert parse(tidy, "t").file == parse(HEAD + text, "t").file
        assert format_text(tidy, "t.rules") == tidy


ROOT = Path(__file__).parents[2]
SHIPPED = sorted([*ROOT.glob("variants/*/*.rules"), *ROOT.glob("examples/*/*.rules")])


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: str(path.stem))
def test_shipped_files_are_tidy_and_formatting_keeps_their_meaning(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    wild = scattered(text, random.Random(path.stem))

    assert format_text(text, path.name) == text
    assert wild != text
    assert parse(format_text(wild, path.name), "t").file == parse(text, "t").file
