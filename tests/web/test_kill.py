"""A server that is killed during play neither loses nor repeats acknowledged
actions.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import attrs
import pytest

from benchmarks.table_kill import Attempt, Browser, Unit, bench, differences, units
from tests.web.support import ROOT, binaries, new_table, postgresql, texts_of, url_in
from workbench.web.storage.journal import JournalLine, LineKind, new_line
from workbench.web.store import Store

BIDS = str(ROOT / "examples" / "games" / "sealed_bids.rules")


@pytest.mark.slow
def test_a_server_that_is_killed(deep: bool) -> None:
    with bench(BIDS, None, seed=1) as played:
        for _ in range(6 if deep else 1):
            played.moment()
            assert played.said == []
        assert played.counts["answered"] >= 1


def test_a_server_that_is_killed_with_postgresql(deep: bool) -> None:
    if not deep:
        pytest.skip("the long form: --deep")
    if binaries() is None:
        pytest.skip("PostgreSQL is not on this machine: the package `postgresql`")
    with postgresql() as url, bench("classic", url, seed=2) as played:
        for _ in range(4):
            played.moment()
            assert played.said == []
        assert played.counts["answered"] >= 1


# ------------------------------------------------------------ detected faults


@pytest.fixture
def played(tmp_path: Path) -> tuple[list[JournalLine], list[Browser]]:
    """Return the lines of a table with simultaneous answers, and the browsers."""
    store = Store.open(url_in(tmp_path))
    table = new_table(store, texts_of("sealed_bids"), 4)
    numbers, counts = Random(3), Counter[str]()
    browsers = {seat: Browser(seat, "", numbers, counts) for seat in table.game.seats}
    for _ in range(30):
        seat = numbers.choice(table.waits_for())
        legal = table.game_for(seat).legal_actions(seat)
        attempt = Attempt(seat, table.version, (numbers.choice(legal).text,))
        table.decide(seat, attempt.texts, attempt.at)
        attempt.version = table.version
        browsers[seat].sent.append(attempt)
    kept = store.read(table.id)
    assert kept is not None
    assert any(each.sort is LineKind.HELD for each in kept.lines)
    return list(kept.lines), list(browsers.values())


def last_decision(lines: list[JournalLine]) -> int:
    """Return the index of the last decision that was applied immediately."""
    done = [unit.number for unit in units(lines)]
    return max(n for n in done if lines[n - 1].sort is LineKind.EVENT) - 1


def test_check_accepts_a_correct_journal(
    played: tuple[list[JournalLine], list[Browser]],
) -> None:
    assert list(differences(*played)) == []


def test_check_detects_a_lost_answer(
    played: tuple[list[JournalLine], list[Browser]],
) -> None:
    lines, browsers = played
    place = last_decision(lines)

    (said, *_) = differences(lines[:place], browsers)

    assert said.startswith("lost: ")


def test_check_detects_a_repeated_decision(
    played: tuple[list[JournalLine], list[Browser]],
) -> None:
    lines, browsers = played
    again = lines[last_decision(lines)]
    number = len(lines) + 1
    twice = attrs.evolve(again, number=number, decision=number)

    (said,) = differences([*lines, twice], browsers)

    assert said.startswith(
        "nobody sent these decisions, or they were carried out twice"
    )


def test_check_detects_a_changed_answer(
    played: tuple[list[JournalLine], list[Browser]],
) -> None:
    lines, browsers = played
    browser = max(browsers, key=lambda each: len(each.sent))
    browser.sent[-1].texts = ("offer(199)",)

    assert any(said.startswith("lost: ") for said in differences(lines, browsers))


def test_check_allows_unacknowledged_decisions(
    played: tuple[list[JournalLine], list[Browser]],
) -> None:
    lines, browsers = played
    place = last_decision(lines)
    (sender,) = [each for each in browsers if each.seat == lines[place].by]
    sender.sent[-1].version = None

    assert list(differences(lines, browsers)) == []
    cut = [each for each in lines if each.number <= place]
    left = [said for said in differences(cut, [sender]) if said.startswith("lost")]
    assert left == []


def test_advance_decision_counts_once() -> None:
    held = new_line(1, LineKind.HELD, "red", seat="red", texts=["offer(3)"])
    done = JournalLine(
        2, LineKind.EVENT, '{"seat": "red", "action": "offer(3)"}', "red", 2
    )

    assert list(units([held, done])) == [Unit("red", 1, ("offer(3)",))]
