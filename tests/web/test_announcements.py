"""Announcements at a table: in the log of everybody, after a restart and an undo."""

from __future__ import annotations

import pytest

from tests.web.support import OPEN, found_again, new_table
from workbench.presentation.localization.localizer import Localizer
from workbench.web.store import Store
from workbench.web.table import Table
from workbench.web.views.events import recent_log

LOUD = OPEN.replace("action load\n", 'action load\n  announce "{you} loads"\n')


@pytest.fixture
def table(store: Store) -> Table:
    """Three people, nothing hidden; red has loaded and taken, and blue has loaded."""
    table = new_table(store, {"openly": LOUD})
    table.decide("red", "load", table.version)
    table.decide("red", "take(2)", table.version)
    table.decide("blue", "load", table.version)
    return table


def lines(table: Table, seat: str | None) -> list[str]:
    """Return the lines of the log of a seat."""
    game = table.game
    words = Localizer.for_book(game.book, "en")
    log = recent_log(table, seat, words)
    return [line["text"] for line in log["lines"]]


def test_everybody_reads_them(store: Store, table: Table) -> None:
    for now in (table, found_again(store, table.id)):
        assert lines(now, None) == [
            "load",
            "red loads",
            "take: 2",
            "load",
            "blue loads",
        ]
        assert lines(now, "red")[-1] == "blue loads"


def test_an_undo_removes_them(store: Store, table: Table) -> None:
    table.request_undo("blue", table.version)
    table.agree("red", table.version)
    table.agree("green", table.version)
    for now in (table, found_again(store, table.id)):
        assert lines(now, None)[:3] == ["load", "red loads", "take: 2"]
        assert "blue loads" not in lines(now, None)
        assert now.waits_for() == ("blue",)
    table.decide("blue", "load", table.version)
    assert lines(table, None).count("blue loads") == 1
