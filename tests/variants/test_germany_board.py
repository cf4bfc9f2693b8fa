"""The board file of germany agrees with the reconstruction. `germany_board.json` next
to this file contains the facts of the reconstruction: hexes, corners with the hexes
they touch and their neighbours, links, the pawn's first hex, rewards and starting
positions.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from rulebook.model import Model
from workbench import load

FACTS: dict[str, Any] = json.loads(
    (Path(__file__).parent / "germany_board.json").read_text(encoding="utf-8")
)
SIDES = ("N", "NE", "SE", "S", "SW", "NW")
KINDS = {"open": "open", "city": "city", "landmark": "landmark_field"}


@pytest.fixture(scope="module")
def model() -> Model:
    return load("germany").model


def column(model: Model, domain: str, name: str) -> dict[str, Any]:
    """Return a column by member, with names for values that are members."""
    described = model.domains[domain].columns[name]
    values: list[Any] = list(described.values)
    home = getattr(described.type, "domain", None)
    if home is not None and all(isinstance(value, int) for value in values):
        values = [model.domains[home].members[value] for value in values]
    return dict(zip(model.domains[domain].members, values, strict=True))


def bag(model: Model, counts: tuple[int, ...]) -> dict[str, int]:
    """Return the resources of a bag that it contains at least once."""
    names = model.domains["resource"].members
    return {name: count for name, count in zip(names, counts, strict=True) if count}


def test_the_hexes_have_the_reconstructed_positions(model: Model) -> None:
    assert model.board is not None
    terrain = column(model, "hex", "terrain")
    number = column(model, "hex", "number")
    hexes = [
        [q, r, terrain[name], number[name]]
        for name, (q, r) in zip(
            model.domains["hex"].members, model.board.face_places, strict=True
        )
    ]

    assert len(hexes) == 23
    assert sorted(hexes) == sorted(FACTS["hexes"])


def test_the_corners_touch_the_same_hexes(model: Model) -> None:
    assert model.board is not None
    places, corners = model.board.face_places, model.domains["corner"].members
    touches: dict[str, list[list[Any]]] = {name: [] for name in corners}
    for (q, r), row in zip(places, model.board.face_corners, strict=True):
        for side, index in zip(SIDES, row, strict=True):
            touches[corners[index]].append([q, r, side])
    expected = {name: fact["touches"] for name, fact in FACTS["corners"].items()}

    assert len(touches) == 65
    assert {k: sorted(v) for k, v in touches.items()} == {
        k: sorted(v) for k, v in expected.items()
    }


def test_the_corners_have_their_neighbours(model: Model) -> None:
    assert model.board is not None
    corners = model.domains["corner"].members
    neighbours: dict[str, set[str]] = {name: set() for name in corners}
    for start, end in model.board.link_ends:
        neighbours[corners[start]].add(corners[end])
        neighbours[corners[end]].add(corners[start])

    assert neighbours == {
        name: set(fact["neighbours"]) for name, fact in FACTS["corners"].items()
    }


def test_the_corners_have_the_right_kinds(model: Model) -> None:
    fields = column(model, "corner", "field")

    assert fields == {
        name: KINDS[fact["kind"]] for name, fact in FACTS["corners"].items()
    }


def test_there_are_87_links(model: Model) -> None:
    names = model.domains["path"].members

    assert len(names) == 87
    assert {frozenset(name.split("-")) for name in names} == {
        frozenset(ends) for ends in FACTS["links"]
    }


def test_a_link_is_named_by_its_ends_in_corner_order(model: Model) -> None:
    order = {name: i for i, name in enumerate(model.domains["corner"].members)}
    ends = [name.split("-") for name in model.domains["path"].members]

    assert all(order[start] < order[end] for start, end in ends)


def test_the_mountains_with_the_12_are_east_of_nuremberg(model: Model) -> None:
    assert model.board is not None
    terrain = column(model, "hex", "terrain")
    number = column(model, "hex", "number")
    places = [
        list(place)
        for name, place in zip(
            model.domains["hex"].members, model.board.face_places, strict=True
        )
        if terrain[name] == "mountains" and number[name] == 12
    ]

    assert places == [FACTS["pawn"]]


def test_the_landmarks_have_their_rewards(model: Model) -> None:
    site = column(model, "outer_field", "site")
    roads = column(model, "outer_field", "roads")
    draws = column(model, "outer_field", "draws")
    resources = model.domains["outer_field"].columns["resources"].values
    rewarded = {}
    for name, counts in zip(
        model.domains["outer_field"].members, resources, strict=True
    ):
        brings = [
            ("road", roads[name]),
            ("dev", draws[name]),
            ("resources", bag(model, counts)),
        ]
        rewards = [{"kind": kind, "value": value} for kind, value in brings if value]
        assert len(rewards) == 1
        rewarded[site[name]] = rewards[0]

    assert rewarded == FACTS["landmarks"]


def test_the_starting_positions_equal_the_reconstruction(model: Model) -> None:
    cities = [
        column(model, "starting_position", name)
        for name in ("first", "second", "third")
    ]
    resources = model.domains["starting_position"].columns["resources"].values
    positions = [
        [[city[name] for city in cities], sorted(bag(model, counts))]
        for name, counts in zip(
            model.domains["starting_position"].members, resources, strict=True
        )
    ]

    assert positions == [[names, sorted(cards)] for names, cards in FACTS["positions"]]
