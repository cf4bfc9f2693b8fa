"""Table of measures, each checked against an independent computation.

`python -m tests.workbench.test_measures` regenerates the page of the table.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from interpreter import Game
from rulebook import Rulebook, loads
from tests.support.commands import Output, document_of, errors_of, output_of
from tests.workbench.test_schemas import valid
from workbench import load
from workbench.analysis.measures.counted import COUNTED_MEASURES
from workbench.analysis.measures.measure_rows import Row
from workbench.analysis.measures.measure_summaries import (
    definitions,
    shown_summaries,
    summarize,
)
from workbench.analysis.measures.measure_table import ALL_MEASURES, MeasureDefinition
from workbench.analysis.measures.seat_holdings import SEAT_MEASURES
from workbench.analysis.simulation.settings import Settings
from workbench.analysis.simulation.simulation import (
    GameLimits,
    GameTask,
    bots_by_seat,
    play_game,
)
from workbench.analysis.simulation.statistics import Result

pytest.importorskip("numpy")

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "measures.md"
ORCHARD = ROOT / "tests" / "workbench" / "economy" / "orchard.rules"
TABLES = {"measures": ALL_MEASURES, "seats": SEAT_MEASURES, "counted": COUNTED_MEASURES}
MADE = "<!-- {}: made by tests/workbench/test_measures.py -->\n"
END = "<!-- end -->\n"
NOTES = ("gives", "asks")
"""Bags that the rules assign and move nothing from."""


def page() -> str:
    """Return the page with the current tables."""
    text = PAGE.read_text("utf-8")
    for name, table in TABLES.items():
        made = MADE.format(name)
        before, rest = text.split(made)
        after = rest.split(END, 1)[1]
        text = before + made + "\n" + "\n".join(rows_of(table)) + "\n\n" + END + after
    return text


def rows_of(table: Sequence[MeasureDefinition]) -> Iterator[str]:
    """Return the lines of a table of the page."""
    yield "| measure | of each | unit | what it says | source |"
    yield "| --- | --- | --- | --- | --- |"
    for said in definitions(table):
        yield f"| `{said['measure']}` | {' | '.join(cells(said))} |"


def cells(said: Mapping[str, str]) -> list[str]:
    """Return the cells of a row after its name."""
    return [said[name] for name in ("of", "unit", "says", "source")]


def test_the_page_has_the_tables() -> None:
    assert page() == PAGE.read_text("utf-8"), "python -m tests.workbench.test_measures"


def test_each_measure_has_a_unique_name_and_a_meaning() -> None:
    every = [measure for table in TABLES.values() for measure in table]
    assert len({measure.name for measure in every}) == len(every)
    for measure in every:
        assert measure.meaning.endswith(".") and len(measure.meaning) > 20, measure.name
        assert measure.source and measure.unit, measure.name


# ---------------------------------------------------------------- independent counts


FIRST = "examples/first/first.rules"
GAMES = ("classic", "examples/games/hearts.rules", FIRST)


@pytest.fixture(scope="module", params=GAMES)
def played(request: pytest.FixtureRequest) -> tuple[Result, list[Game]]:
    """Return a game played by the interpreter, and its state after each event."""
    name = str(ROOT / request.param) if "/" in request.param else request.param
    return played_to_the_end(load(name), 700)


def played_to_the_end(book: Rulebook, decisions: int) -> tuple[Result, list[Game]]:
    """Return a game of at most *decisions* decisions, and its state after each one."""
    settings = Settings(players=None, seed=3)
    seats = settings.start(book, turns=0).seats
    task = GameTask(
        bots_by_seat(["random"], seats),
        settings,
        GameLimits(None, decisions),
        keep_record=True,
        with_measures=True,
        by_seat=True,
    )
    result = play_game(book, task, 0)
    assert result.record is not None
    game = settings.start_bot_game(book, 0)
    stood = [game.copy()]
    for line in result.record.splitlines()[1:]:
        event = json.loads(line)
        if "action" in event:
            game.apply(event["action"])
            stood.append(game.copy())
    return result, stood


def row_of(played: tuple[Result, list[Game]]) -> Row:
    assert played[0].measures is not None
    return dict(played[0].measures)


def ends_of_turns(stood: list[Game]) -> Iterator[Game]:
    """Return the games at the last decision of each turn, and at the end.

    Points change with decisions; after the last decision of a turn they are final.
    """
    for before, after in pairwise(stood):
        if after.turn != before.turn and before.turn:
            yield after
    yield stood[-1]


def test_lengths_and_results_are_those_of_the_game(
    played: tuple[Result, list[Game]],
) -> None:
    row, (result, stood) = row_of(played), played
    assert row["turns"] == result.turns == stood[-1].turn
    assert row["decisions"] == result.decisions == len(stood) - 1
    assert row["finished"] == int(result.finished)
    assert row["rounds"] == stood[-1].position["round"]
    for seat, points in result.points.items():
        assert row[f"points.{seat}"] == points
        assert row[f"wins.{seat}"] == int(seat in result.winners)
    assert sum(row[f"wins.{seat}"] or 0 for seat in result.points) == len(
        result.winners
    )


def test_positions_are_counted_from_the_first_player() -> None:
    book, settings = load(str(ROOT / FIRST)), Settings(players=3, seed=1)
    seats = settings.start(book, turns=0).seats
    task = GameTask(bots_by_seat(["random"], seats), settings, with_measures=True)
    apart = 0
    for number in range(6):
        row = dict(play_game(book, task, number).measures or {})
        starter = settings.start_bot_game(book, number).position["starter"]
        first = seats.index(starter)
        around = [*seats[first:], *seats[:first]]
        for place, seat in enumerate(around, 1):
            assert row[f"wins_from.{place}"] == row[f"wins.{seat}"]
            assert row[f"points_from.{place}"] == row[f"points.{seat}"]
        apart += row["wins_from.2"] != row["wins_from.3"]
    assert apart


def test_actions_and_choices_are_those_of_the_game(
    played: tuple[Result, list[Game]],
) -> None:
    row, (result, stood) = row_of(played), played
    for name, times in result.actions.items():
        assert row[f"actions.{name}"] == times
        share = times / result.decisions
        assert row[f"share_of_actions.{name}"] == pytest.approx(share)
    done = [value for name, value in row.items() if name.startswith("actions.")]
    assert sum(value or 0 for value in done) == result.decisions
    legal = [len(game.legal_actions()) for game in stood[:-1]]
    assert row["branching"] == pytest.approx(sum(legal) / len(legal))
    several = sum(number > 1 for number in legal)
    assert row["real_choices"] == pytest.approx(several / len(legal))
    assert result.record is not None
    events = [json.loads(line) for line in result.record.splitlines()[1:]]
    texts = [event["action"] for event in events if "action" in event]
    names = [text.partition("(")[0] for text in texts]
    for name in result.actions:
        here = [n for n, x in zip(legal, names, strict=True) if x == name]
        assert row[f"branching_at.{name}"] == pytest.approx(sum(here) / len(here))


def test_lead_measures_agree_with_the_points(played: tuple[Result, list[Game]]) -> None:
    row, (result, stood) = row_of(played), played
    race = [[game.points(seat) for seat in game.seats] for game in ends_of_turns(stood)]
    alone = [points.index(max(points)) for points in race if sole(points)]
    assert row["lead_changes"] == sum(a != b for a, b in pairwise(alone))
    if len(result.winners) != 1:
        assert row["margin"] is row["comeback"] is row["known_for"] is None
        assert row["drama"] is row["decisiveness"] is None
        return
    winner = stood[0].seats.index(result.winners[0])
    ahead = [
        points[winner] - max(points[:winner] + points[winner + 1 :]) for points in race
    ]
    assert row["margin"] == ahead[-1]
    assert row["comeback"] == max(0, *[-lead for lead in ahead])
    behind = [max(0, -lead) for lead in ahead]
    assert row["drama"] == pytest.approx(sum(behind) / len(behind))
    others = [points[:winner] + points[winner + 1 :] for points in race]
    most = max(map(max, others))
    beyond = [turn for turn, points in enumerate(race, 1) if points[winner] > most]
    left = len(race) - min(beyond, default=len(race))
    assert row["decisiveness"] == pytest.approx(left / len(race))
    for_good = 0
    for lead in reversed(ahead):
        if lead <= 0:
            break
        for_good += 1
    assert row["known_for"] == max(0, for_good - 1)


def sole(points: list[int]) -> bool:
    """Return whether one seat has more points than all others."""
    return points.count(max(points)) == 1


def test_gains_minus_losses_equal_final_holdings(
    played: tuple[Result, list[Game]],
) -> None:
    row, (_, stood) = row_of(played), played
    held: Counter[str] = Counter()
    for seat in stood[-1].seats:
        held.update(held_by(stood[-1], seat))
    kinds = [name.partition(".")[2] for name in row if name.startswith("produced.")]
    assert kinds
    for kind in kinds:
        came = sum(row[f"{way}.{kind}"] or 0 for way in ("produced", "taken"))
        ways = ("spent", "exchanged", "discarded")
        left = sum(row[f"{way}.{kind}"] or 0 for way in ways)
        assert came - left == held[kind], kind


def test_dealt_cards_arrive_before_the_first_turn(
    played: tuple[Result, list[Game]],
) -> None:
    row, (_, stood) = row_of(played), played
    dealt = [row[name] or 0 for name in row if name.startswith("dealt.")]
    least, most = {"classic": (6, 12), "hearts": (52, 52), "first": (0, 0)}[
        stood[0].book.name
    ]
    assert least <= sum(dealt) <= most


def test_points_by_award_are_the_points_gained_with_it() -> None:
    text = ORCHARD.read_text("utf-8").partition("\nscenario")[0] + "\n"
    line = "points of player\n"
    award = "  settler: 2 if settler's holder = player\n"
    text = text.replace(line, line + award).replace("points >= 4", "points >= 6")
    text = text.replace("player's huts\n  at least 4", "player's huts\n  at least 3")
    result, stood = played_to_the_end(loads(text, "orchard.rules"), 400)
    row = dict(result.measures or {})
    turns = [
        before.turn for before, after in pairwise(stood) if after.turn != before.turn
    ]
    ends = dict(zip([x for x in turns if x], ends_of_turns(stood), strict=False))
    ends[stood[-1].turn] = stood[-1]
    brought: dict[str, list[int]] = {}
    for before, after in pairwise(stood):
        had = before.position["awards"]
        for award, holder in after.position["awards"].items():
            if holder not in {None, had[award]} and before.turn - 1 in ends:
                then, now = ends[before.turn - 1], ends[before.turn]
                more = now.points(holder) - then.points(holder)
                brought.setdefault(award, []).append(more)

    assert brought
    for award, each in brought.items():
        assert row[f"award_points.{award}"] == pytest.approx(sum(each) / len(each))
    for award in set(stood[0].position["awards"]) - set(brought):
        assert row[f"award_points.{award}"] is None


WAYS = ("produced", "taken", "spent", "exchanged", "discarded", "traded", "seized")
CAME = ("produced", "taken", "received", "seized")
LEFT = ("spent", "exchanged", "discarded", "traded", "lost")


def test_seat_measures_agree_with_holdings(
    played: tuple[Result, list[Game]],
) -> None:
    row, (_, stood) = row_of(played), played
    kinds = [name.partition(".")[2] for name in row if name.startswith("produced.")]
    seats = stood[-1].seats
    for kind in kinds:
        for way in WAYS:
            by = [row[f"{way}_by.{seat}.{kind}"] or 0 for seat in seats]
            assert sum(by) == row[f"{way}.{kind}"], (way, kind)
        for way, other in (("traded", "received"), ("seized", "lost")):
            both = [row[f"{x}_by.{s}.{kind}"] or 0 for x in (way, other) for s in seats]
            assert sum(both) == 2 * (row[f"{way}.{kind}"] or 0)
        for seat in seats:
            came = sum(row[f"{way}_by.{seat}.{kind}"] or 0 for way in CAME)
            left = sum(row[f"{way}_by.{seat}.{kind}"] or 0 for way in LEFT)
            assert came - left == held_by(stood[-1], seat)[kind], (seat, kind)


def held_by(game: Game, seat: str) -> Counter[str]:
    """Return the cards that a seat holds."""
    held: Counter[str] = Counter()
    for field, value in game.position["player"][seat].items():
        if isinstance(value, dict) and field not in NOTES:
            held.update(value)
    return held


def test_payments_count_as_spent(played: tuple[Result, list[Game]]) -> None:
    row, (result, stood) = row_of(played), played
    if stood[0].book.name != "first":
        pytest.skip("it says more than one thing of each card")
    free, huts = len(stood[0].seats), result.actions["build_hut"]
    assert huts > free
    assert row["spent.reed"] == 2 * (huts - free)
    assert row["discarded.reed"] == row["exchanged.reed"] == row["taken.reed"] == 0
    assert row["traded.reed"] == row["seized.reed"] == 0
    built = next(x for x in stood if x.turn and huts_on(x) > free)
    assert row["first_piece.hut"] == built.position["round"]
    idle = turns_without(stood)
    assert row["idle_turns"] == pytest.approx(idle / result.turns)
    for seat, (none, turns) in idle_turns_by(stood).items():
        assert row[f"idle_turns_by.{seat}"] == pytest.approx(none / turns)
        own = len(
            [x for x in stood[-1].position["pieces"]["hut"].values() if x == seat]
        )
        assert row[f"spent_by.{seat}.reed"] == 2 * (own - 1)


def huts_on(game: Game) -> int:
    return len(game.position["pieces"]["hut"])


def idle_turns_by(stood: list[Game]) -> dict[str, list[int]]:
    """Return the number of each seat's turns without a building, and of all its
    turns.
    """
    whose = {x.turn: x.position["active"] for x in stood if x.turn}
    busy = {a.turn for a, b in pairwise(stood) if huts_on(a) < huts_on(b)}
    counted = {seat: [0, 0] for seat in stood[-1].seats}
    for turn, seat in whose.items():
        counted[seat][0] += turn not in busy
        counted[seat][1] += 1
    return counted


def turns_without(stood: list[Game]) -> int:
    """Return the number of turns in which nobody built."""
    busy = {
        before.turn
        for before, after in pairwise(stood)
        if before.turn and huts_on(before) < huts_on(after)
    }
    return stood[-1].turn - len(busy)


def test_occupied_spaces_count_as_used(played: tuple[Result, list[Game]]) -> None:
    row, (_, stood) = row_of(played), played
    stands: set[str] = set()
    for where in stood[-1].position.get("pieces", {}).values():
        stands.update(where)
    used = {name.partition(".")[2] for name in row if name.startswith("used.")}
    assert {space for space in used if row[f"used.{space}"]} == stands & used


# ---------------------------------------------------------------- declared measures

DECLARED = """
measure reed_held of player each turn: number of reed in player's basket "reed"
measure free_spots: number of spot where spot has no hut
measure bare of player: player's basket is empty
measure turns each turn: 1
"""


@pytest.fixture(scope="module")
def declaring(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a rule file that declares measures, one with the name of a
    built-in one.
    """
    path = tmp_path_factory.mktemp("declaring") / "declaring.rules"
    path.write_text((ROOT / FIRST).read_text("utf-8") + DECLARED, "utf-8")
    return str(path)


def test_declared_measures_are_computed(declaring: str) -> None:
    result, stood = played_to_the_end(load(declaring), 700)
    row = dict(result.measures or {})
    over = [a for a, b in pairwise(stood) if a.turn and a.turn != b.turn]
    ends = [*over, stood[-1]]
    spots = stood[0].book.model.domains["spot"].members

    assert row["free_spots"] == len(spots) - huts_on(stood[-1])
    assert row["own_turns"] == 1
    assert row["turns"] == result.turns
    for seat in stood[0].seats:
        held = [game.position["player"][seat]["basket"]["reed"] for game in ends]
        assert len(held) == result.turns
        assert row[f"reed_held.{seat}"] == pytest.approx(sum(held) / len(held))
        assert row[f"bare.{seat}"] == int(held[-1] == 0)


def test_a_measure_changes_no_digest(declaring: str) -> None:
    assert load(declaring).digest == load(str(ROOT / FIRST)).digest


def test_simulate_reports_declared_measures(declaring: str, capsys: Output) -> None:
    text = output_of(capsys, "simulate", declaring, "--games=3", "--measures")

    assert "reed_held red" in text and "reed\n" in text.split("reed_held red")[1]


# ---------------------------------------------------------------- display


def test_means_cover_the_games_with_a_value() -> None:
    rows: list[Row] = [
        {"turns": 3, "margin": None, "first_piece.hut": None, "used.A1": 1},
        {"turns": 4, "margin": 2, "first_piece.hut": None, "used.A1": 0},
    ]
    said = {summary.name: summary for summary in summarize(rows)}

    assert (said["turns"].mean, said["turns"].median) == (3.5, 3.5)
    assert (said["margin"].games, said["margin"].deviation) == (1, None)
    assert said["first_piece hut"].mean is None
    shown = [summary.name for summary in shown_summaries(list(said.values()))]
    assert shown == ["turns", "margin"]


def test_simulate_reports_measures(capsys: Output) -> None:
    tiny = str(ROOT / "examples" / "tiny" / "dare.rules")
    games = [tiny, "--games=3", "--measures"]

    document = document_of(capsys, "simulate", *games)
    text = output_of(capsys, "simulate", *games)

    measures = {(said["measure"], said["of"]): said for said in document["measures"]}
    assert measures["turns", None]["mean"] == document["turns"]["mean"]
    assert measures["turns", None]["games"] == 3
    assert f"{document['turns']['mean']:.2f}" in text.split("branching")[0]


def test_measures_by_seat_are_reported_on_request(capsys: Output) -> None:
    games = ["simulate", str(ROOT / FIRST), "--games=3", "--players=2"]

    document = document_of(capsys, *games, "--measures", "--by-seat")
    valid("simulate", document)
    means = {(x["measure"], x["of"]): x["mean"] for x in document["measures"]}
    by = [means["spent_by", f"{seat}.reed"] for seat in ("red", "blue")]
    assert sum(by) == pytest.approx(means["spent", "reed"])

    assert "spent_by" not in output_of(capsys, *games, "--measures")
    assert "--by-seat requires --measures" in errors_of(capsys, *games, "--by-seat")


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
