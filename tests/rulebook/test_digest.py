"""The digest is of what rules mean, in a form that no change of our code touches.

`python tests/rulebook/test_digest.py` writes the tables of `docs/digest.md`; a line
that vanishes from them, or changes, orphans records.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import attrs
import pytest

from rulebook import Rulebook, loads
from rulebook import model as m
from rulebook.digests.canonical import (
    NON_RULE_CLASSES,
    TAGS,
    canonical_field_name,
    canonical_text,
    default_of,
    rule_fields,
)
from rulebook.digests.digest import canonical_document, digest
from rulebook.model import value_types as t
from rulebook.tooling import differing_parts
from rulebook.traversal import find, rewrite

PAGE = Path(__file__).parents[2] / "docs" / "digest.md"
BLOCK = re.compile(r"(<!-- (\w+): [^\n]*-->\n).*?(<!-- end -->)", re.DOTALL)

SMALLEST = """rules language 1
rulebook smallest "The smallest game"
  players 2 to 2
  seats near, far
  turns 1
turn
  phase only
    near wins
"""

GAME = """rules language 1
rulebook dare "Dare"
  players 2 to 3
  seats left, right, back
  turns 40
  source book "The book"

# A comment.
cards omen (omens)
  omen  | copies | worth
  raven |      2 |     1
  hare  |      1 |     2
  stag  |      1 |     3

kind mood: calm, wild

option bold: yes "whether to be bold"
option lives (1 to 4): 2 "how many lives"

dice die: 1 to 3

game has
  deck:   stack of omen, seen by nobody, starts with every omen
  turned: bag of omen, seen by all
  feeling: mood, seen by all

each player has
  won: bag of omen, seen by all
  lost: 0 to 9, seen by owner

setup
  shuffle deck
  left starts

action dare_it
  needs brave: bold or die > 1  "you are not bold"
  move top card from deck to turned
  each omen in turned:
    if omen's worth <= die: move 1 omen from turned to your won
  discard everything from turned

action lay_aside
  discard top card from deck

define player is ahead = (number of raven in player's won) > 1

turn
  phase play
    roll die
    you may do dare_it, lay_aside

points of player
  worth: sum over omen in omens of omen's worth * (number of omen in player's won)

rule finish
  whenever deck is empty:
    if left's points > right's points: left wins
    otherwise if right's points > left's points: right wins
    otherwise: nobody wins

scenario "a card is won" with 2 players
  when
    dice show 2
    left does dare_it
    chance gives hare
  then
    require left's won has 1 hare

invariant "nobody has many"
  require left's points < 100

hint colour raven: "#000000"
"""

#: What is written otherwise, and is another game. Each is a change of one place.
OTHER_GAMES = (
    ("players 2 to 3", "players 2 to 2"),
    ("seats left, right, back", "seats left, right, middle"),
    ("turns 40", "turns 41"),
    ("raven |      2 ", "raven |      3 "),
    ("stag  |      1 |     3", "stag  |      1 |     4"),
    ("mood: calm, wild", "mood: wild, calm"),
    ("bold: yes", "bold: no"),
    ("lives (1 to 4): 2", "lives (1 to 4): 3"),
    ("lives (1 to 4): 2", "lives (1 to 5): 2"),
    ("dice die: 1 to 3", "dice die: 1 to 4"),
    ("deck:   stack of omen, seen by nobody", "deck:   stack of omen, seen by all"),
    ("lost: 0 to 9, seen by owner", "lost: 0 to 9, seen by all"),
    ("lost: 0 to 9, seen by owner", "lost: 0 to 8, seen by owner"),
    ("left starts", "right starts"),
    ("  shuffle deck\n", ""),
    ("bold or die > 1", "bold and die > 1"),
    ("bold or die > 1", "bold or die >= 1"),
    ("bold or die > 1", "bold or die > 2"),
    ("needs brave:", "needs daring:"),
    ("move top card from deck to turned", "move top card from deck to your won"),
    ("omen's worth <= die", "omen's worth < die"),
    ("from turned to your won", "from turned to left's won"),
    ("  discard everything from turned\n", ""),
    ("player's won) > 1", "player's won) > 2"),
    ("number of raven in player's won) > 1", "number of hare in player's won) > 1"),
    ("    roll die\n", ""),
    ("you may do dare_it, lay_aside", "you do dare_it, lay_aside"),
    ("you may do dare_it, lay_aside", "you may do lay_aside, dare_it"),
    ("you may do dare_it, lay_aside", "you may do dare_it"),
    ("worth: sum over", "price: sum over"),
    ("whenever deck is empty", "whenever turned is empty"),
    ("rule finish", "rule end_of_all"),
    ("if left's points > right's", "if left's points >= right's"),
    ("otherwise: nobody wins", "otherwise: left wins"),
)

#: What is written otherwise, and is the same game.
SAME_GAME = (
    ("# A comment.", "# Another one."),
    ('rulebook dare "Dare"', 'rulebook other "Something else"'),
    ('"you are not bold"', '"be bold"'),
    ('"whether to be bold"', '"how bold"'),
    ("cards omen (omens)", "cards omen (omenses)"),
    ('source book "The book"', 'source book "A book"'),
    ('"a card is won"', '"a card was won"'),
    ("require left's won has 1 hare", "require left's won has 0 hare"),
    ("left's points < 100", "left's points < 90"),
    ('hint colour raven: "#000000"', 'hint colour raven: "#ff0000"'),
    ("  turned: bag", "  turned:   bag"),
    ("bold or die > 1", "(bold) or (die > 1)"),
)


def changed(old: str, new: str) -> Rulebook:
    assert GAME.count(old) >= 1
    text = GAME.replace(old, new)
    if old == "cards omen (omens)":
        text = text.replace("in omens of", "in omenses of")
    return loads(text)


def digest_of(model: m.Model, book: Rulebook) -> str:
    return digest(model, book.players, book.seats)


def model_classes() -> Iterator[type]:
    """Every class that checked rules are made of."""
    bases = {m.Part, m.Typed, m.Binder, m.Combinations, m.Subset}
    for kind in vars(m).values():
        own = getattr(kind, "__module__", "").startswith(m.__name__)
        if own and attrs.has(kind) and kind not in bases:
            yield kind
    yield from get_args(t.Type)


# ------------------------------------------------------------ what is another game


@pytest.mark.parametrize(("old", "new"), OTHER_GAMES)
def test_another_meaning_is_another_digest(old: str, new: str) -> None:
    assert changed(old, new).digest != loads(GAME).digest


def test_no_two_changes_have_one_digest() -> None:
    digests = {changed(old, new).digest for old, new in OTHER_GAMES}

    assert len(digests) == len(OTHER_GAMES)


@pytest.mark.parametrize(("old", "new"), SAME_GAME)
def test_the_same_meaning_is_the_same_digest(old: str, new: str) -> None:
    assert changed(old, new).digest == loads(GAME).digest


@pytest.mark.parametrize(("old", "new"), OTHER_GAMES)
def test_what_differs_is_named(old: str, new: str) -> None:
    names = differing_parts(loads(GAME).parts, changed(old, new).parts)

    assert names
    assert len(names) < 12


def test_the_parts_that_differ_are_the_ones_that_were_changed() -> None:
    game, dearer = loads(GAME), changed("stag  |      1 |     3", "stag | 1 | 4")

    assert differing_parts(game.parts, game.parts) == ()
    assert "domains.omen" in differing_parts(game.parts, dearer.parts)
    aside = changed("  discard top card from deck\n", "  shuffle deck\n")
    assert differing_parts(game.parts, aside.parts) == ("actions.lay_aside",)


# ------------------------------------------------------------ what touches no digest


def test_every_class_of_the_model_has_a_tag_of_its_own() -> None:
    classes = set(model_classes())

    assert set(TAGS) | NON_RULE_CLASSES == classes
    assert not set(TAGS) & NON_RULE_CLASSES
    assert len(set(TAGS.values())) == len(TAGS)
    assert all(re.fullmatch("[a-z]+(_[a-z]+)*", tag) for tag in TAGS.values())


def test_the_name_of_a_class_is_in_no_digest() -> None:
    book, names = loads(GAME), {kind: kind.__name__ for kind in model_classes()}
    try:
        for number, kind in enumerate(names):
            kind.__name__ = kind.__qualname__ = f"Renamed{number}"
        assert type(book.model).__name__.startswith("Renamed")
        assert digest_of(book.model, book) == book.digest
    finally:
        for kind, name in names.items():
            kind.__name__ = kind.__qualname__ = name


@pytest.mark.parametrize("kind", [m.Ask, m.Compare, m.Action, m.Domain, m.Option])
def test_an_optional_field_that_nobody_uses_is_in_no_digest(
    kind: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = loads(GAME)
    extra = {"fresh": attrs.field(default=0, kw_only=True)}
    wider: Any = attrs.make_class("Wider", extra, bases=(kind,), frozen=True)
    monkeypatch.setitem(TAGS, wider, TAGS[kind])
    assert any(find(book.model, kind))

    def digest_with(**given: int) -> str:
        def change(node: Any) -> Any:
            if type(node) is not kind:
                return node
            had = {f.name: getattr(node, f.name) for f in attrs.fields(kind)}
            return wider(**had, **given)

        model = rewrite(book.model, change)
        assert any(find(model, wider))
        return digest_of(model, book)

    assert digest_with() == book.digest
    assert digest_with(fresh=1) != book.digest
    assert digest_with(fresh=False) != book.digest


def test_what_the_checker_finds_out_of_types_is_in_no_digest() -> None:
    book = loads(GAME)

    def change(node: Any) -> Any:
        if isinstance(node, m.Typed) and isinstance(node.type, t.Whole):
            return attrs.evolve(node, type=t.Whole(-7, 12345))
        return node

    model = rewrite(book.model, change)
    assert any(
        compared.type == t.Whole(-7, 12345) for compared in find(model, m.Compare)
    ) or any(constant.type == t.Whole(-7, 12345) for constant in find(model, m.Const))
    assert digest_of(model, book) == book.digest


def test_a_constant_says_what_it_is_of() -> None:
    reed, none = (
        m.Const(value=0, type=t.Member("good")),
        m.Const(value=-1, type=t.Member("good", optional=True)),
    )
    assert canonical_text(reed) == '{"is":"const","of":"good","value":0}'
    assert canonical_text(none) == '{"is":"const","value":null}'
    assert canonical_text(m.Const(value=-1, type=t.Whole(-1, 3))).endswith(":-1}")
    assert canonical_text(m.Const(value=True, type=t.Truth())).endswith(":true}")


def test_the_form_is_as_the_page_says() -> None:
    book = loads(GAME)
    text = canonical_document(book.model, book.players, book.seats)
    parsed = json.loads(text)

    assert text.isascii()
    assert text == json.dumps(parsed, sort_keys=True, separators=(",", ":"))
    assert sorted(parsed) == ["form", "language", "players", "rules", "seats"]
    for texts in ("Dare", "bold or", "not bold", "#000000", "comment", "inline"):
        assert texts not in text


def test_the_digests_of_today_are_those_of_tomorrow() -> None:
    """Pinned: a form that changes needs another number, and this one kept."""
    smallest, dare = loads(SMALLEST), loads(GAME)

    assert smallest.digest == f"sha256:{PINNED['smallest']}"
    assert dare.digest == f"sha256:{PINNED['dare']}"


# ------------------------------------------------------------ the page


def tags() -> Iterator[str]:
    """The table of tags with the fields that are always written, and the others."""
    yield from ("| tag | always | unless it is |", "| --- | --- | --- |")
    for kind, tag in sorted(TAGS.items(), key=lambda row: row[1]):
        always, unless = [], []
        for field in rule_fields(kind):
            default, name = default_of(field), canonical_field_name(tag, field.name)
            if default is attrs.NOTHING:
                always.append(f"`{name}`")
            else:
                value = json.dumps(default, ensure_ascii=True)
                unless.append(f"`{name}` {value}")
        if kind is m.Const:
            always, unless = ["`value`"], ["`of`, see above"]
        yield f"| `{tag}` | {', '.join(always)} | {', '.join(unless)} |"


def example() -> Iterator[str]:
    """The smallest game, its form and its digest."""
    book = loads(SMALLEST)
    text = canonical_document(book.model, book.players, book.seats)
    yield from ("```rules", *SMALLEST.rstrip().splitlines(), "```", "", "```text")
    yield from re.findall(r".{1,95}", text)
    yield from ("", book.digest, "```")


def regenerated(text: str) -> str:
    """The page with its tables as the code has them today."""
    made = {"tags": tags, "example": example}

    def block(match: re.Match[str]) -> str:
        lines = "\n".join(made[match[2]]())
        return f"{match[1]}\n{lines}\n\n{match[3]}"

    return BLOCK.sub(block, text)


def test_the_page_has_the_tables_of_today() -> None:
    text = PAGE.read_text(encoding="utf-8")

    assert text == regenerated(text), f"run {Path(__file__).name} and read the diff"


#: The digests of two games of this file.
PINNED = {
    "smallest": "215ae846daee474ec6c206cb5f412833593a099bdcc3cfca13514255c68045b7",
    "dare": "2a910dae8d6026510dd564a0b6c9f19eaad7968b792f0f30f375645d0112c2f5",
}

if __name__ == "__main__":
    PAGE.write_text(regenerated(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
