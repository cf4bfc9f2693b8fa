"""A sentence may continue over several lines without changing its meaning."""

import random
import re
from pathlib import Path

import pytest

import rulebook
from rulebook.parse import parse
from rulebook.parse.grammar.continuations import continuation_flags
from rulebook.write import write
from rulebook.write.format import format_text
from tests.support.trees import HEAD

ROOT = Path(__file__).parents[2]
SHIPPED = sorted([*ROOT.glob("variants/*/*.rules"), *ROOT.glob("examples/*/*.rules")])
PIECES = re.compile(r'"[^"]*"|\[[^\]]*\]|#.*|[^"\[#]+')
NEVER_APART = (
    *("is", "are", "clockwise", "reach", "steps", "up", "comes", "players", "seen"),
    *("divided", "way"),
)
BEGIN = (
    "and|or|where|with|from|to|by|because|so that|through|within|changing at|broken at"
)
BEFORE = re.compile(
    "".join(f"(?<!{word})" for word in NEVER_APART) + rf" (?=(?:{BEGIN}) [\w(])|(?<=,) "
)
REASONED = re.compile(r"\s+needs ")
A_ROW = re.compile(r"[\w\s]*\w\s*[:=|]|\s*\w+$")


def broken(text: str, rng: random.Random) -> str:
    """Return the text with line breaks wherever a sentence may continue on the next
    line.
    """

    def end(last: object = None) -> str:
        return "\n" + " " * rng.randint(1, 20)

    def ended(line: str) -> str:
        return "".join(
            end() + piece
            if piece[0] == "[" or (piece[0] == '"' and REASONED.match(line))
            else (piece if piece[0] in '"#' else BEFORE.sub(end, piece))
            for piece in PIECES.findall(line)
        )

    return "".join(
        f"{ended(line) if line[:1] == ' ' and not A_ROW.match(line) else line}\n"
        for line in text.splitlines()
    )


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: str(path.stem))
def test_lines_may_end_wherever_a_sentence_can_go_on(path: Path, deep: bool) -> None:
    text = path.read_text(encoding="utf-8")
    wild = broken(text, random.Random(path.stem))
    read = parse(wild, "t")

    assert read.diagnostics == ()
    whole = parse(text, "t").file
    assert read.file is not None
    assert whole is not None
    assert read.file == whole
    assert write(read.file) == write(whole)
    tidy = format_text(wild, "t")
    assert parse(tidy, "t").file == read.file
    assert not deep or format_text(tidy, "t") == tidy


WHOLE = """\
action build(site)
  needs near: site is touched by you and site is free for you  "too far"  [en "Roads"]
  move 1 wood, 2 clay from your hand to store
"""


@pytest.mark.parametrize(
    "text",
    [
        """\
action build(site)
  needs near: site is touched by you
    and site is free for you
    "too far" [en "Roads"]
  move 1 wood, 2 clay from your hand
       to store
""",
        """\
action build(site)
  needs near: site is touched   # a comment, and more,

    # another, on its own line,
    by you and site is free for you "too far"
    [en "Roads"]  # at the end
  move 1 wood,    # a comment
    2 clay
      from your hand to store
""",
    ],
)
def test_a_sentence_goes_on_past_comments_and_blank_lines(text: str) -> None:
    read = parse(HEAD + text, "t")

    assert read.diagnostics == ()
    assert read.file == parse(HEAD + WHOLE, "t").file


@pytest.mark.parametrize(
    "text",
    [
        "each player has\n  a: 0 to 9\n  from: 0 to 9\n  to: 0 to 9",
        'words de\n  a = "b"\n  of = "c"\n  to.x = "d"',
        "kind word\n  a | b\n  or | 1\n  and | 2",
        "spaces word\n  word\n  or\n  with",
        "to a\n  b's c chooses card x\n  from's c chooses card x\n  by(2)",
        "to a\n  b   # so it is,\n  stop",
    ],
)
def test_a_line_that_only_looks_like_a_continuation_is_separate(text: str) -> None:
    lines = (HEAD + text).splitlines()

    assert not any(continuation_flags(lines))
    assert parse(HEAD + text, "t").diagnostics == ()


TIDY = """\
rules language 1
action build(site)
  needs a:    site is free  "taken"
  needs near: site is touched by you                            # or so
    # between
      and site is free
      "too far"
      [en "Roads"]                                              # here
  move 1 wood,
      2 clay from your hand
      to store
  set x to x
      + 3
  stop
"""


def test_format_indents_continuation_lines_by_two_levels() -> None:
    messy = """\
rules language 1
action build(site)
  needs a: site is free "taken"
  needs near: site is touched by you # or so
         # between
   and site is free
    "too far"
          [en "Roads"] # here
  move 1 wood,
    2 clay from your hand
  to store
  set x to x
          +  3
  stop
"""

    assert format_text(messy, "t") == TIDY
    assert format_text(TIDY, "t") == TIDY


def test_the_text_of_a_span_omits_comments_between_its_lines() -> None:
    text = """\
rules language 1
rulebook a "A"
  players 2
game has
  x: 0 to 9
define b: yes/no = x > 3   # why
  # and this
  and x < 7
action go
  needs ok: b  "no"
  set x to 1
turn
  phase all
    you may do go
"""
    book = rulebook.loads(text)
    (define,) = book.model.defines.values()
    (line,) = define.lines

    assert book.text_at(line.span) == "x > 3 and x < 7"
