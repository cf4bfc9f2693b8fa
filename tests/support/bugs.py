"""Catalogue of bugs: the place of each, and the tool that finds it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import attrs
import pytest

from interpreter.play.courses.reference import ReferenceCourse
from interpreter.state.state import State
from rulebook.model import NONE

BUGS = Path(__file__).parents[1] / "acceptance" / "bugs"
PLAYERS = 2
RED = 0

CHECK = "`rulebook check`"
SCENARIO = "`rulebook test`, a scenario"
MADE_UP = "`rulebook test`, a generated game"
EXPLORE = "`rulebook explore`"

Double = Callable[[], Any]


@attrs.frozen
class Bug:
    """Bug: its row in the catalogue, its place, and the tool that finds it.

    `title` is the title of the scenario or invariant that fails, or a part of the error
    message. `given` is the position from which to explore, to the depth `depth`. A bug
    that no rule file can have is planted in the engine by `double`; `law` gives the
    reason.
    """

    row: int
    file: str
    what: str
    tool: str
    title: str
    given: str = ""
    depth: int = 1
    double: Double = nullcontext
    law: str = ""
    quick: bool = False

    @property
    def name(self) -> str:
        """Name of the bug in the list of tests."""
        return f"{self.row:02}_{self.file}" + "_in_the_engine" * bool(self.law)

    @property
    def path(self) -> Path:
        """Rule file with the bug."""
        return BUGS / f"{self.row:02}_{self.file}.rules"


# ---------------------------------------------------------------- in the engine


@contextmanager
def what_was_there_stays() -> Iterator[None]:
    """Plant a bug: a piece that replaces another one leaves it on the space."""
    plain = ReferenceCourse.apply

    def apply(course: ReferenceCourse, action: Any) -> Any:
        before = course.state.s.copy()
        done = plain(course, action)
        if str(done[0].get("action")).startswith("build_city"):
            s = course.state.s
            pairs = enumerate(zip(before, s, strict=True))
            for place in [n for n, (b, a) in pairs if b == RED and a == NONE]:
                s[place] = RED
        return done

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ReferenceCourse, "apply", apply)
        yield


@contextmanager
def only_roads_settle_awards() -> Iterator[None]:
    """Plant a bug: after one kind of build action, no award is settled."""
    plain_apply, plain_settle = ReferenceCourse.apply, State.settle_award
    building = False

    def apply(course: ReferenceCourse, action: Any) -> Any:
        nonlocal building
        chosen = [
            c.text for c in course.choices() if getattr(c, "index", None) == action
        ]
        building = bool(chosen) and chosen[0].startswith("build_settlement")
        return plain_apply(course, action)

    def settle(state: State, award: Any) -> bool:
        return False if building else plain_settle(state, award)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ReferenceCourse, "apply", apply)
        patch.setattr(State, "settle_award", settle)
        yield


CONSERVED = "no resource card is lost or made"
AT_HARBOURS = "who has a building at a harbour trades at its rate"
EIGHT = """
    place robber on H01
    move 8 wool from bank to red's hand
    red is to move in production
"""
EIGHT_GERMANY = """
    place robber on Z18
    move 8 wool from bank to red's hand
    red is to move in production
"""
EMPTY_HANDS = """
    place robber on H01
    place blue's settlement on C19
    place blue's road on C19-C25
    red is to move in production
"""
CITY = """
    place red's settlement on C19
    place red's road on C19-C25
    place robber on H01
    move 3 ore, 2 grain from bank to red's hand
    red is to move in trade_and_build
"""
LOOP = """
    place robber on H01
    place red's road on C19-C24, C24-C30, C30-C36, C31-C36, C25-C31
    place white's road on C36-C41
    move 1 brick, 1 lumber, 1 wool, 1 grain from bank to white's hand
    white is to move in trade_and_build
"""
FOUR_ROADS = """
    place robber on H01
    place red's road on C19-C24, C24-C30, C30-C36, C31-C36
    move 1 brick, 1 lumber from bank to red's hand
    red is to move in trade_and_build
"""
TWO_KNIGHTS = """
    place robber on H01
    move 2 knight from deck to red's face_up
    move 1 knight from deck to red's developments
    red is to move in production
"""
HARBOUR = """
    set harbour_NW's harbour_sign to any_goods
    set harbour_WN's harbour_sign to ore_sign
    place robber on H01
    place red's road on C1-C4
    move 1 brick, 1 lumber, 1 wool, 1 grain from bank to red's hand
    red is to move in trade_and_build
"""
BOTH_HARBOURS = """
    set harbour_NW's harbour_sign to any_goods
    set harbour_WN's harbour_sign to ore_sign
    place robber on H01
    place red's settlement on C1
    place red's road on C17-C22
    place red's road on C1-C4
    move 1 brick, 1 lumber, 1 wool, 1 grain from bank to red's hand
    red is to move in trade_and_build
"""
THREE = """
    place robber on H01
    place red's settlement on C1, C9, C18
    place red's road on C1-C4, C9-C13, C18-C23, C29-C35
    move 1 brick, 1 lumber, 1 wool, 1 grain from bank to red's hand
    red is to move in trade_and_build
"""
TAKEN_OFF = (
    "the supply is the number of pieces off the board, not a separate value; and a"
    " statement that places a second piece on a space is rejected (RB142)"
)
SETTLED = (
    "awards are settled after every change of the values they read, and no rule"
    " controls the time (docs/language/ending.md)"
)

CATALOGUE = (
    Bug(
        1,
        "discards_lost",
        "discarded cards do not return to the supply",
        EXPLORE,
        CONSERVED,
        EIGHT,
        8,
    ),
    Bug(
        1,
        "discards_lost_germany",
        "discarded cards do not return to the supply, in *germany*",
        SCENARIO,
        "back",
    ),
    Bug(
        2,
        "loot_from_the_bank",
        "a stolen card is not taken from the victim",
        SCENARIO,
        "the robber leaves its hex",
    ),
    Bug(
        2,
        "empty_victims",
        "a player without cards can be robbed",
        SCENARIO,
        "the robber steals one card",
        quick=True,
    ),
    Bug(
        2,
        "steal_hangs",
        "stealing hangs if nobody has a card",
        EXPLORE,
        "red can always act",
        EMPTY_HANDS,
        4,
        quick=True,
    ),
    Bug(
        3,
        "",
        "a city does not remove its settlement",
        EXPLORE,
        "a corner holds one building, and its neighbours none",
        CITY,
        1,
        what_was_there_stays,
        TAKEN_OFF,
        quick=True,
    ),
    Bug(
        4,
        "roads_pass_others",
        "a road continues past another player's building",
        SCENARIO,
        "a road goes on from a road",
    ),
    Bug(
        5,
        "nothing_interrupts",
        "a building does not interrupt a road",
        SCENARIO,
        "a road into another player's building counts",
    ),
    Bug(
        5,
        "",
        "the award is not updated when a settlement interrupts a road",
        EXPLORE,
        "the holder of the Longest Road has 5 roads or more, and nobody has more",
        LOOP,
        1,
        only_roads_settle_awards,
        SETTLED,
    ),
    Bug(
        6,
        "ties_take",
        "a tie takes the award from its holder",
        SCENARIO,
        "five roads in a row are the Longest Road",
    ),
    Bug(
        6,
        "ties_keep_base",
        "a tie leaves the award with its holder, in *base*, whose rules say nobody",
        SCENARIO,
        "Longest Road",
    ),
    Bug(
        6,
        "ties_keep_cardgame",
        "the Knight token stays on a tie, in *cardgame*",
        SCENARIO,
        "question 13: a knight that makes the strength equal",
    ),
    Bug(
        6,
        "road_of_six",
        "five roads in a row do not get the award",
        EXPLORE,
        "who alone has the longest road, of 5 or more, holds the Longest Road",
        FOUR_ROADS,
    ),
    Bug(
        6,
        "army_of_four",
        "three knights do not get the award",
        EXPLORE,
        "who alone has the largest army, of 3 or more, holds the Largest Army",
        TWO_KNIGHTS,
    ),
    Bug(
        7,
        "road_anywhere",
        "the second founding road is placed at the first settlement",
        MADE_UP,
        "once all are settled, each building has a road of its owner beside it",
        quick=True,
    ),
    Bug(
        8,
        "robber_blocks_nothing",
        "the robber blocks nothing",
        SCENARIO,
        "a settlement brings one card",
    ),
    Bug(
        8,
        "robber_blocks_settlements",
        "the robber blocks a settlement on all its hexes",
        SCENARIO,
        "each terrain brings its resource",
    ),
    Bug(
        9,
        "played_at_once",
        "a card can be played in the turn in which it was bought",
        SCENARIO,
        "one card a turn",
    ),
    Bug(
        9,
        "always_affordable",
        "a card costs nothing",
        CHECK,
        "`buy_development_card` has no requirement `pays`",
        quick=True,
    ),
    Bug(
        10,
        "like_for_like",
        "the bank exchanges cards for one of the same kind",
        SCENARIO,
        "the supply gives one card for four equal ones",
    ),
    Bug(
        10,
        "without_owning",
        "the bank gives a card for fewer than its price",
        SCENARIO,
        "the supply gives one card for four equal ones",
    ),
    Bug(
        10,
        "best_rate_only",
        "a harbour for all goods hides the better one",
        EXPLORE,
        AT_HARBOURS,
        BOTH_HARBOURS,
        1,
    ),
    Bug(
        11,
        "late_settlement",
        "a harbour has no effect for a player who settles there late",
        EXPLORE,
        AT_HARBOURS,
        HARBOUR,
        1,
    ),
    Bug(
        12,
        "points_stop",
        "points stop counting at the fourth settlement",
        EXPLORE,
        "each building counts, whatever else does",
        THREE,
        1,
    ),
    Bug(
        13,
        "no_shortage",
        "the first claimant gets the rest of the supply",
        SCENARIO,
        "when the supply cannot serve two claimants",
    ),
    Bug(
        13,
        "no_shortage_base",
        "the first claimant gets the rest of the supply, in *base*",
        SCENARIO,
        "when the stock cannot serve all",
    ),
)
