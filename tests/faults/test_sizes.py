"""Every accepted file plays within known limits, which the page states. The files of
`sizes/` once passed the checks, and then hung, used too much memory or crashed. Each
represents a family; variations follow below.

`python tests/faults/test_sizes.py` writes the table of limits into the page.
"""

from __future__ import annotations

import re
import time
from pathlib import Path

import attrs
import pytest

import rulebook
from interpreter import Game
from rulebook import Limits
from rulebook.model import limits
from rulebook.parse import ERRORS_MAX, node_builder
from rulebook.parse.errors import line_mistakes
from rulebook.source import files

HERE = Path(__file__).parent / "sizes"
PAGE = Path(__file__).parents[2] / "docs" / "language" / "limits.md"
TABLE = re.compile(
    r"(?<=<!-- limits: made by tests/faults/test_sizes.py -->\n).*?(?=<!-- end)",
    re.DOTALL,
)
SECONDS = 5
"""Processor seconds that a check may take."""

HEAD = """rules language 1
rulebook bounds "Bounds"
  players 2 to 4
  turns {turns}

kind ware (wares)
  ware | worth | twin
  tin  | 3     | oak
  oak  | 13    | tin

cards omen (omens)
  omen | copies | number | ware | dash
  one  | 3      | 13     | tin  | -
  two  | 2      | 2      | oak  | 4

spaces plot (plots) by column 1 to 4, row 1 to 4
links way (ways) between plot by (1, 0), (0, 1)
piece cart (carts): 5 for each player, stands on way
dice one_die, two_die: 1 to 6

option goal (1 to 9): 3 "points that win"

game has
  count: 0 to 9, seen by all
  heap: bag of ware, seen by all, starts with 9 of each
  pile: stack of omen, seen by nobody, starts with every omen
each plot has
  small: 0 to 3, seen by all
  ware: ware or none, seen by all
  omen: omen or none, seen by all
each player has
  sack: bag of ware, seen by all

"""
ACTION = """
action go
  set count to 1
"""
TURN = """
turn
  phase play
    you do go
"""


def game(rules: str, *, action: str = ACTION, turn: str = TURN, turns: int = 9) -> str:
    return HEAD.format(turns=turns) + rules + action + turn


LOW = Limits(steps=10_000_000)
"""A tenth of the usual steps, so that short rules exceed them."""


def mistakes_in(text: str, limits: Limits = LOW) -> list[tuple[str, str]]:
    """Return the codes and messages of a text, which must be found quickly."""
    begun = time.process_time()
    try:
        rulebook.loads(text, limits=limits)
    except rulebook.RulesError as error:
        return [
            (diagnostic.code, diagnostic.message) for diagnostic in error.diagnostics
        ]
    finally:
        assert time.process_time() - begun < SECONDS
    return []


# ---------------------------------------------------------------- the files


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("repeat9", "RB152", "`go` may take 3,000,000,002 steps"),
        ("no_choice_turn", "RB152", "1,000,000,000 turns without any decision"),
        ("points3", "RB152", "the points of all players may take more than 10^12"),
        ("range_in_rule", "RB152", "the rule `line` may take"),
        ("dice8", "RB152", "one roll has 1,679,616 outcomes, but the limit is"),
        ("dice30", "RB152", "outcomes, but the limit is"),
        ("points_cycle", "RB151", "points -> points"),
        ("spread_type", "RB145", "`v` of a sign is 13 to 13, but `v` holds 0 to 3"),
        ("own_record_refused", "RB145", "-18 is not in the range 1 to 9"),
    ],
)
def test_rejects_files_that_are_too_large(name: str, code: str, said: str) -> None:
    diagnostics = mistakes_in((HERE / f"{name}.rules").read_text(encoding="utf-8"))

    assert any(told == code and said in message for told, message in diagnostics)


@pytest.mark.parametrize("name", ["proc_chain200", "def150"])
def test_plays_a_long_chain_of_calls(name: str) -> None:
    game = Game.start(rulebook.load(HERE / f"{name}.rules"))
    while not game.over:
        game.apply(game.legal_actions()[0])

    assert Game.replay(game.record, game.book) == game


# ---------------------------------------------------------------- their relatives

STEPS = {
    "a number that is given to a procedure": """
to rain(0 to 9 n)
  repeat n times: set count to 3
to storm
  rain(1000000000)
""",
    "a `let`": """
to rain
  let n be 1000000000
  repeat n times: set count to 3
""",
    "a `let` that grows in a loop": """
to rain
  let n be 1
  repeat 4000 times: increase n by 5000
  repeat n times: set count to 3
""",
    "a definition that says less than it comes to": """
define much: 0 to 9 = sum over n in 1 to 5000 of 5000
to rain
  repeat much times: set count to 3
""",
    "a definition of what it is given": """
define wide(0 to 9 n): 0 to 99 = n * n
to rain
  repeat wide(9000) times: set count to 3
""",
    "a range by a column": """
to rain
  each ware: repeat ware's worth * 1000000 times: set count to 3
""",
    "cards that come from an endless bag": """
game has
  spring: endless bag of ware, seen by all
to rain
  move 9 tin from spring to heap
  repeat (number of tin in heap) * 9000 times: set count to 3
""",
    "a range in a requirement": """
action halt
  needs odd: no n in 0 to 1000000000 where n = count "odd"
  stop
""",
    "a range in an award": """
award wise of player
  most sum over n in 1 to 99999999 of number of player's carts
""",
    "a range in the hinted value": """
hint value of player
  carts: sum over n in 1 to 99999999 of number of player's carts
""",
    "a range in an invariant": """
invariant "few"
  require no n in 0 to 1000000000 where n = count + 1
""",
    "a range in a scenario": """
scenario "few" with 2 players
  then
    require no n in 0 to 1000000000 where n = count + 1
""",
    "a range in what may be chosen": """
to rain
  p1 chooses plot where no n in 0 to 1000000000 where n = count + 1
""",
    "a range under a roll": """
to rain
  roll one_die and two_die so that no n in 0 to 1000000 where n = one_die + 1
""",
    "a tally of many things": """
to rain
  repeat 9999 times:
    let seen be a tally of plot and plot and plot and plot
""",
    "many numbers inside of none": """
to rain
  each here in 1 to 0:
    each there in 1 to 1000000000:
      set count to 1
""",
    "many numbers never run through": """
to rain
  repeat 0 times:
    each here in 1 to 1000000000:
      set count to 1
""",
    "a card moved often in a stack": """
to rain
  repeat 999999 times: move top card from pile to bottom of pile
""",
}


@pytest.mark.parametrize("rules", STEPS.values(), ids=STEPS)
def test_steps_are_computed_from_actual_sizes(rules: str) -> None:
    diagnostics = mistakes_in(game(rules))

    assert [code for code, _ in diagnostics] == ["RB152"] * len(diagnostics)
    assert diagnostics
    assert "steps" in diagnostics[0][1]


LONG = "repeat 200000 times: set count to 3"
ON_CARTS = {
    f"to rain\n  each way where way has p1's cart: {LONG}\n": True,
    f"to rain\n  each way in (every way where way has p1's cart): {LONG}\n": True,
    "define way is held\n  way has p1's cart\n"
    f"to rain\n  each way where way is held and count > 1: {LONG}\n": True,
    f"to rain\n  each way: {LONG}\n": False,
    f"to rain\n  each way where way has no p1's cart: {LONG}\n": False,
    f"to rain\n  each way where way has a cart: {LONG}\n": False,
    f"to rain\n  each way where way has p1's cart or count > 1: {LONG}\n": False,
    "to rain\n  each way where (some way other where other has p1's cart):\n"
    f"    {LONG}\n": False,
}


@pytest.mark.parametrize(("rules", "few"), ON_CARTS.items())
def test_at_most_as_many_spaces_as_pieces_are_occupied(rules: str, few: bool) -> None:
    diagnostics = mistakes_in(game(rules))

    assert [code for code, _ in diagnostics] == ([] if few else ["RB152"])


OTHERS = {
    "points by way of a definition": (
        """
define player's lead: 0 to 99 = player's points
points of player
  lead: player's lead
""",
        "RB151",
        "player's lead -> points -> player's lead",
    ),
    "points that all see": (
        """
points of player
  lead: player's visible_points
""",
        "RB151",
        "points -> points",
    ),
    "a card's attribute": (
        """
setup
  chance spreads omen over plot as number
each plot has
  number: 0 to 12, seen by all
""",
        "RB145",
        "`number` of a omen is 2 to 13, but `number` holds 0 to 12",
    ),
    "a card's attribute that may be missing": (
        """
setup
  chance spreads omen over plot as dash
each plot has
  dash: 0 to 12, seen by all
""",
        "RB145",
        "`dash` of a omen is -1 to 4 (-1 means none), but `dash` holds 0 to 12",
    ),
    "a card where a thing is kept": (
        "setup\n  chance spreads omen over plot as small\n",
        "RB110",
        "a omen is omen, but `small` holds 0 to 3",
    ),
    "a default by the number of players": (
        "option most (1 to 9): 3 * number of players\n",
        "RB145",
        "this may be 6 to 12, which is not in the range 1 to 9",
    ),
    "a default by another option": (
        "option most (1 to 9): goal + 1\n",
        "RB145",
        "this may be 2 to 10",
    ),
    "a field that starts at an option": (
        "game has\n  left: 0 to 5, seen by all, starts at goal\n",
        "RB145",
        "this may be 1 to 9, which is not in the range 0 to 5",
    ),
    "a start that hangs on the game": (
        "game has\n  left: 0 to 9, seen by all, starts at round\n",
        "RB103",
        "known before the game starts",
    ),
    "a default that hangs on the game": (
        "option most (1 to 9999): round\n",
        "RB103",
        "known before the game starts",
    ),
    "many dice one after the other": (
        "dice d1, d2, d3, d4: 1 to 20\nto rain\n  roll d1 and d2 and d3 and d4\n",
        "RB152",
        "160,000 outcomes",
    ),
    "a large bag": (
        "game has\n  hoard: bag of ware, seen by all, starts with 999999 of each\n",
        "RB145",
        "999999 is not in the range 0 to 10000",
    ),
    "a large stack": (
        "cards leaf (leaves)\n  leaf | copies\n"
        + "".join(f"  l{n} | 1000\n" for n in range(11))
        + "game has\n  heaps: stack of leaf, seen by nobody, starts with every leaf\n",
        "RB152",
        "11,000 cards can be here",
    ),
    "a position": (
        "kind mote (motes): " + ", ".join(f"m{n}" for n in range(500)) + "\n"
        "spaces cell by x 1 to 20, y 1 to 20\n"
        "each cell has\n  dust: bag of mote, seen by all\n",
        "RB152",
        "a position has 200,",
    ),
    "a choice of numbers": (
        """
define far: 0 to 9 = sum over n in 1 to 9 of n
to rain
  p1 chooses k in 0 to far
""",
        "RB145",
        "these numbers may be 0 to 81, but the choice is declared for 0 to 9",
    ),
    "a number that grows by itself": (
        """
to rain
  let n be 2
  repeat 9 times: set n to n * n
  set count to smaller of (9, n)
""",
        "RB154",
        "has no upper bound",
    ),
    "a chain of definitions that square": (
        "define d0: 0 to 9 = 9\n"
        + "".join(f"define d{n}: 0 to 9 = d{n - 1} * d{n - 1}\n" for n in range(1, 60)),
        "RB154",
        "may exceed 1,000,000,000,000,000",
    ),
    "a chain that is too deep": (
        "to d0\n  stop\n" + "".join(f"to d{n}\n  d{n - 1}\n" for n in range(1, 300)),
        "RB153",
        "257 levels deep here",
    ),
    "descriptions that ask twice": (
        "define plot is d0\n  plot has no omen\n".replace("has no omen", "is plot_1_1")
        + "".join(
            f"define plot is d{n}\n  plot is d{n - 1} or not plot is d{n - 1}\n"
            for n in range(1, 40)
        )
        + "to rain\n  if plot_1_1 is d39: set count to 1\n",
        "RB152",
        "steps",
    ),
}


@pytest.mark.parametrize(("rules", "code", "said"), OTHERS.values(), ids=OTHERS)
def test_other_sizes_are_limited(rules: str, code: str, said: str) -> None:
    diagnostics = mistakes_in(game(rules))

    assert any(told == code and said in message for told, message in diagnostics)


NAMED = """
define plot is rich
  let most be {value}
  no n in 1 to 1000 where n + 1 = most + n
action halt
  needs rich: plot_1_1 is rich "no"
  stop
"""


@pytest.mark.parametrize(
    ("value", "fits"),
    [
        ("sum over n in 1 to 30000 of 1", True),
        ("total", True),
        ("total + total", True),
        ("sum over n in 1 to 30000 of total", False),
    ],
)
def test_a_named_value_counts_once_for_each_call(value: str, fits: bool) -> None:
    total = "define total: 0 to 99999 = sum over n in 1 to 30000 of 1\n"
    diagnostics = mistakes_in(game(total + NAMED.format(value=value)))

    assert {code for code, _ in diagnostics} == (set() if fits else {"RB152"})


def test_names_of_names_count_once() -> None:
    lets = [f"  let v{n} be v{n - 1} or not v{n - 1}" for n in range(1, 40)]
    first = "  let v0 be some n in 1 to 9 where n = count"
    rules = "\n".join(["define plot is odd", first, *lets, "  v39"])

    assert mistakes_in(game(rules + ACTION.replace("go", "halt"))) == []


EXPENSIVE = {
    "a loop over numbers": (
        """
to rain
  set count to 0
  each n in 1 to 20000000: set count to 3
""",
        ["each n in 1 to 20000000: set count to 3: this loop may take 80,000,003"],
        "use a smaller range: it may contain 20,000,000 numbers",
    ),
    "a procedure in a loop": (
        """
to rain
  each ware: storm
  each plot: storm
to storm
  set count to 1
  repeat 900000 times: set count to 3
""",
        [
            "each plot: storm: this loop may take 43,200,",
            "repeat 900000 times: set count to 3: this loop takes up to 2,700,",
        ],
        "loop over fewer members, which may be 16 here",
    ),
    "a definition in a definition": (
        """
define plot is far
  plot is wide
define plot is wide
  no way where (sum over n in 1 to 900000 of n) = 0
action halt
  needs far: plot_1_1 is far "no"
  stop
""",
        [
            "no way where (sum over n in 1 to 900000 of n) = 0: this search may take",
        ],
        "loop over fewer members, which may be 24 here",
    ),
    "a requirement of an action": (
        """
action halt(plot, ware, 1 to 999 amount)
  needs far: amount > 3 and no n in 1 to 900 where n = amount "no"
  stop
""",
        ['needs far: amount > 3 and no n in 1 to 900 where n = amount "no": this'],
        "use a smaller range: it may contain 900 numbers",
    ),
    "spaces with pieces": (
        f"""
to rain
  each way:
    if way has p1's cart: {LONG}
""",
        [
            "each way:: this loop may take",
            "if way has p1's cart: repeat 200000 times",
        ],
        "loop over fewer things: `way in player's carts where …` visits only",
    ),
}


@pytest.mark.parametrize(("rules", "notes", "help_"), EXPENSIVE.values(), ids=EXPENSIVE)
def test_points_at_the_most_expensive_lines(
    rules: str, notes: list[str], help_: str
) -> None:
    text = game(rules)
    with pytest.raises(rulebook.RulesError) as error:
        rulebook.loads(text, limits=LOW)

    first = error.value.diagnostics[0]
    lines = text.splitlines()
    told = [f"{lines[span.line - 1].strip()}: {note}" for span, note in first.related]
    assert len(told) == len(notes), told
    for shown, note in zip(told, notes, strict=True):
        assert shown.startswith(note), told
    assert first.help is not None and first.help.startswith(help_)


LONG_STACK = """
cards card (cards)
  card | copies
  a    | 3
  b    | 2
game has
  box:   bag of card, seen by all, starts with every card
  deck:  stack of card, seen by nobody
  shown: card or none, seen by all
  table: bag of card, seen by all
action show(card)
  set shown to card
to rain
  {move}
  move up to 1 shown from box to table
  repeat 300 times: move everything from deck to box
"""


@pytest.mark.parametrize(
    ("move", "fits"),
    [
        ("move everything from box to deck", True),
        ("move everything from shown to deck", False),
    ],
)
def test_a_field_that_names_a_card_adds_none(move: str, fits: bool) -> None:
    diagnostics = mistakes_in(game(LONG_STACK.format(move=move)))

    assert {code for code, _ in diagnostics} == (set() if fits else {"RB152"})


def test_links_are_counted_while_they_are_created() -> None:
    strides = ", ".join(f"(0, {n})" for n in range(1, 60))
    rules = game("").replace("column 1 to 4, row 1 to 4", "column 1 to 60, row 1 to 60")

    diagnostics = mistakes_in(rules.replace("(1, 0), (0, 1)", strides))

    assert "there are more than 4,000 links" in diagnostics[0][1]


def test_turns_without_decisions_count_as_one_run() -> None:
    alone = "\nturn\n  phase play\n    roll one_die\n    set count to one_die\n"
    asks = "rule six\n  whenever count = 6: p1 chooses plot\n"

    assert mistakes_in(game("", turn=alone, turns=1_000)) == []
    assert "1,000,000 turns" in mistakes_in(game("", turn=alone, turns=1_000_000))[0][1]
    assert mistakes_in(game(asks, turn=alone, turns=1_000_000)) == []


@pytest.mark.parametrize(
    ("limit", "rules"),
    [
        ("spaces", ""),
        ("actions", ""),
        ("outcomes", "to rain\n  roll one_die and two_die\n"),
        ("cells", ""),
        ("calls", "to rain\n  storm\nto storm\n  stop\nto hail\n  rain\n"),
        ("steps", "to rain\n  repeat 9 times: set count to 3\n"),
    ],
)
def test_each_limit_is_enforced(limit: str, rules: str) -> None:
    number = getattr(Limits(), limit)
    assert mistakes_in(game(rules)) == []

    assert mistakes_in(game(rules), attrs.evolve(Limits(), **{limit: 1}))
    assert mistakes_in(game(rules), attrs.evolve(Limits(), **{limit: number * 9})) == []


# ---------------------------------------------------------------- the page


def table() -> str:
    rows = [
        f"| `{field.name}` | {field.default:,} | {field.metadata['counted']} |"
        for field in attrs.fields(Limits)
    ]
    return "\n".join(
        [
            "",
            "| limit | number | what is counted |",
            "| --- | --- | --- |",
            *rows,
            "",
            "",
        ]
    )


def test_the_page_states_the_limits() -> None:
    page = PAGE.read_text(encoding="utf-8")
    fixed = [
        (files.BYTES_MAX, "bytes"),
        (line_mistakes.LINE_MAX, "characters"),
        (node_builder.NESTING_MAX, "levels of nesting"),
        (node_builder.NUMBER_MAX, "a number literal"),
        (limits.NUMBER_MAX, "a computed number"),
        (limits.PLAYERS_MAX, "players"),
        (limits.COPIES_MAX, "copies"),
        (limits.HOLDER_MAX, "cards of one kind"),
        (limits.DEAL_SEARCHES_MAX, "steps of the search"),
        (ERRORS_MAX, "errors"),
    ]

    assert TABLE.search(page)[0] == table()  # type: ignore[index]
    for number, what in fixed:
        assert re.search(rf"^\| {number:,} \| {what}", page, re.MULTILINE), what


def main() -> None:
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(TABLE.sub(lambda _: table(), page), encoding="utf-8")


if __name__ == "__main__":
    main()


def test_warns_of_rules_above_a_tenth_of_the_limit() -> None:
    text = game("to rain\n  repeat 9 times: set count to 3\n")
    enough = next(n for n in range(1, 10_000) if not mistakes_in(text, Limits(steps=n)))

    def codes(steps: int) -> set[tuple[str, str]]:
        _, warnings = rulebook.examine_text(text, limits=Limits(steps=steps))
        return {(diagnostic.code, diagnostic.severity) for diagnostic in warnings}

    assert codes(enough - 1) & {("RB152", "error")}
    assert codes(enough) == codes(10 * enough - 1) == {("RB158", "warning")}
    assert codes(10 * enough) == set()
