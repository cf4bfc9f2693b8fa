"""Ways in a game: weighted trails, trails over several sorts, reach, distances."""

from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulebook
from interpreter import Game, run_scenario
from interpreter.algorithms.shortest_paths import costs_along, links_by_space
from rulebook import Limits, RulesError, tooling
from rulebook import model as m
from rulebook.model import Whole
from rulebook.traversal import find

RAILS = (Path(__file__).parent / "rails.rules").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def book() -> rulebook.Rulebook:
    return rulebook.loads(RAILS, "rails")


def placed(book: rulebook.Rulebook, **pieces: dict[str, str]) -> Game:
    """Return a game with pieces of seats on spaces."""
    position = Game.start(book, players=2, seed=1).position
    for piece, at in pieces.items():
        position["pieces"][piece] |= at
    return Game.from_position(book, position)


def red(*spaces: str) -> dict[str, str]:
    return dict.fromkeys(spaces, "red")


def test_the_scenarios_pass(book: rulebook.Rulebook) -> None:
    verdicts = [run_scenario(book, scenario) for scenario in book.model.scenarios]

    assert len(verdicts) == 9
    assert [verdict.message for verdict in verdicts if verdict.status != "passed"] == []


def test_the_default_of_a_distance_exceeds_every_way_by_one(
    book: rulebook.Rulebook,
) -> None:
    """A way over five towns has at most four lines, each with a length of at most 4."""
    types = [distance.type for distance in find(book.model.points.lines, m.Distance)]

    assert types == [Whole(0, 5), Whole(0, 4 * (4 + 3) + 1)]


@given(
    prices=st.lists(st.integers(0, 5), min_size=12, max_size=12),
    ends=st.lists(
        st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=0, max_size=12
    ),
    start=st.sets(st.integers(0, 6), max_size=2),
    shut=st.sets(st.integers(0, 6)),
)
def test_costs_agree_with_networkx(
    prices: list[int], ends: list[tuple[int, int]], start: set[int], shut: set[int]
) -> None:
    """In the graph, a space that may not be crossed has no outgoing links."""
    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph()
    graph.add_nodes_from(range(7))
    for (near, far), price in zip(ends, prices, strict=False):
        for here, there in ((near, far), (far, near)):
            if here in start or here not in shut:
                graph.add_edge(here, there, weight=price)
    expected = nx.multi_source_dijkstra_path_length(graph, start) if start else {}
    around = links_by_space(ends, 7)

    reached = costs_along(
        sorted(start),
        around,
        lambda _: True,
        lambda space: space not in shut,
        lambda link: prices[link],
    )

    assert reached == expected


def test_why_lists_the_links_of_a_trail(book: rulebook.Rulebook) -> None:
    game = placed(book, rail=red("a-b", "b-c", "a-c"))

    refused = game.why("lay(b-d)", "red")

    assert refused.requirement == "short"
    assert refused.values == {"your length": 6}
    (line,) = refused.lines
    trail = line["values"]["a longest trail of player's rails by length"]
    assert sorted(trail) == ["a-b", "a-c", "b-c"]


def test_why_lists_the_reached_spaces(book: rulebook.Rulebook) -> None:
    game = placed(book, rail=red("a-b"), port=red("b"))

    refused = game.why("dock(c)", "red")

    assert refused.requirement == "near"
    (reached,) = [text for text in refused.values if text != "town"]
    assert refused.values == {"town": "c", reached: ["a", "b"]}
    assert reached.startswith("reach from a over line where")


def test_why_shows_a_distance(book: rulebook.Rulebook) -> None:
    game = placed(book, rail={"a-b": "blue", "a-c": "blue"})

    refused = game.why("sail(c-d)", "red")

    assert refused.requirement == "near"
    assert list(refused.values.values()) == [5]


def test_conditions_of_ways_and_trails_may_not_read_secrets() -> None:
    coal = "number of coal in blue's hold"
    hidden = [
        f"longest trail of your rails by {coal}",
        f"longest trail of your rails and your boats changing at town where {coal} > 0",
        f"steps from a to b over line where {coal} > 0",
        f"cheapest way from a to b over line by {coal}",
        f"number of towns in (reach from a over line through town where {coal} > 0)",
        f"number of towns in (reach from a over line within {coal} steps)",
    ]
    for phrase in hidden:
        text = RAILS.replace("your length < 5 ", f"({phrase}) < 5 ")
        with pytest.raises(RulesError) as caught:
            rulebook.loads(text)
        assert [diagnostic.code for diagnostic in caught.value.diagnostics] == [
            "RB150"
        ], phrase


@pytest.mark.parametrize(
    "phrase",
    [
        "longest trail of red's rails and red's boats by length changing at town",
        "steps from a to d over line",
        "cheapest way from a to d over line by length",
        "number of towns in (reach from a over line within 3 steps)",
    ],
)
def test_ways_are_counted(phrase: str) -> None:
    text = f'{RAILS}\ninvariant "asked"\n  require ({phrase}) < 999\n'
    rulebook.loads(text)
    low = Limits(steps=5)
    with pytest.raises(RulesError) as caught:
        rulebook.loads(text, limits=low)

    assert {error.code for error in caught.value.diagnostics} - {"RB158"} == {"RB152"}


@pytest.mark.parametrize(
    "phrase",
    [
        "longest trail of red's rails by 1000000000 * 900000",
        "cheapest way from a to d over line by 1000000000 * 900000",
    ],
)
def test_a_way_does_not_exceed_the_largest_number(phrase: str) -> None:
    text = f'{RAILS}\ninvariant "asked"\n  require ({phrase}) > 0\n'
    with pytest.raises(RulesError) as caught:
        rulebook.loads(text)

    assert {diagnostic.code for diagnostic in caught.value.diagnostics} == {"RB154"}


def test_two_sorts_of_links_may_exceed_the_maximum_trail() -> None:
    """The warning is about the sum of the sizes of both sets."""
    grid = """rules language 1
rulebook grid "Grid"
  players 2
  turns 9
spaces cell (cells) by column 1 to 6, row 1 to 6
links way (ways) between cell by (1, 0), (0, 1)
piece road (roads): 16 for each player, stands on way
piece ship (ships): 16 for each player, stands on way
turn
  phase play
    stop
points of player
  trail: longest trail of {sets}
"""
    assert not warnings(grid.format(sets="player's roads"))
    assert warnings(grid.format(sets="player's roads and player's ships")) == ["RB158"]


def warnings(text: str) -> list[str]:
    """Return the codes of the warnings about a game without errors."""
    rulebook.loads(text)
    return [diagnostic.code for diagnostic in rulebook.examine_text(text)[1]]


@pytest.mark.parametrize("seed", range(3))
def test_random_games_can_be_replayed(book: rulebook.Rulebook, seed: int) -> None:
    game = Game.start(book, players=2 + seed % 2, seed=seed)
    number = seed
    while game.to_act is not None:
        legal = game.legal_actions()
        seat = game.seats[number % game.players]
        sample = game.sample(seat, number)
        assert sample.view(seat) == game.view(seat)
        assert [game.points(seat) for seat in game.seats] == [
            Game.from_position(book, game.position).points(seat) for seat in game.seats
        ]
        assert game.worth(seat) == Game.from_position(book, game.position).worth(seat)
        number = (number * 31 + 7) % 1_000
        game.apply(legal[number % len(legal)])

    assert Game.replay(game.record, book) == game


@pytest.mark.parametrize(
    ("address", "change"),
    [
        ("voyage", "condition dropped: changing at"),
        ("voyage", "condition dropped: broken at"),
        ("voyage", "part dropped: by length"),
        ("net", "part dropped: and player's boats"),
    ],
)
def test_mutants_change_each_part_of_a_trail(
    book: rulebook.Rulebook, address: str, change: str
) -> None:
    what, _, dropped = change.partition(": ")
    mutants = [
        mutant
        for mutant in tooling.mutants(book, f"define.{address}(player)")
        if mutant.description == what and dropped not in " ".join(mutant.after)
    ]

    assert mutants
    assert all(
        rulebook.recheck(book, mutant.clauses)[0] is not None for mutant in mutants
    )


def test_mutants_change_each_part_of_a_way(book: rulebook.Rulebook) -> None:
    lines = [
        line for mutant in tooling.mutants(book, "action.dock") for line in mutant.after
    ]
    near = [line for line in lines if line.startswith("needs near")]

    assert any("through" not in line and "within 2 steps" in line for line in near)
    assert any("through" in line and "within" not in line for line in near)
    points = [mutant.after for mutant in tooling.mutants(book, "points")]
    assert ("far: 5 - 0",) in points


GARDENS = (Path(__file__).parent / "gardens.rules").read_text(encoding="utf-8")


def test_routes_stay_on_the_board_of_their_player() -> None:
    book = rulebook.loads(GARDENS, "gardens")

    verdicts = [run_scenario(book, scenario) for scenario in book.model.scenarios]

    assert [verdict.message for verdict in verdicts if verdict.status != "passed"] == []
    assert verdicts


def test_a_link_of_each_player_has_no_name_without_its_player() -> None:
    named = GARDENS.replace(
        "where border has no fence\n  place", "where border = bed_1_1-bed_1_2\n  place"
    )

    with pytest.raises(RulesError, match="each player has a border of this name"):
        rulebook.loads(named, "gardens")
