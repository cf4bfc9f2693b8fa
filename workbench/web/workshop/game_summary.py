"""Summary of a finished game: ranking, points by source, race and numbers.

It contains only what the reader's viewpoint may know, like all pages of a replay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import attrs

from interpreter import Game
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.printing.sentences.names import Titles
from workbench.web.views.choices import action_title
from workbench.web.views.phrases import Phrases
from workbench.web.views.players_panel import winners_text
from workbench.web.views.symbols import localizer_of, seat_symbols
from workbench.web.workshop.race import chart, evenly, race, ranking_field, scores
from workbench.web.workshop.replay_view import Viewpoint
from workbench.web.workshop.roll_counts import RollTable, roll_tables
from workbench.web.workshop.timeline import Timeline

MAX_SUMMARIES = 32
"""Maximum number of summaries in memory per timeline."""

MAX_TABLE_TURNS = 20
"""Maximum number of turns in the table beside the chart."""

MAX_ACTIONS = 40
"""Maximum number of different actions that are listed; the rest is one row."""


def game_summary(
    timeline: Timeline, viewpoint: Viewpoint, language: str
) -> Mapping[str, Any]:
    """Return the summary of a finished game, from a cache of its timeline."""
    summaries, key = timeline.summaries, (viewpoint, language, timeline.steps)
    summary: Mapping[str, Any] | None = summaries.get(key)
    if summary is None:
        summary = GameSummary(timeline, viewpoint, language).content()
        while len(summaries) >= MAX_SUMMARIES:
            summaries.pop(next(iter(summaries)), None)
        summaries[key] = summary
    return summary


@attrs.frozen(slots=False)
class GameSummary:
    """Summary of a finished game from one viewpoint, in one language."""

    timeline: Timeline
    viewpoint: Viewpoint
    language: str

    @cached_property
    def game(self) -> Game:
        """Final position, whose views show what the viewpoint may see."""
        timeline = self.timeline
        return self.viewpoint.game_view(timeline.game_at(timeline.steps))

    @cached_property
    def view(self) -> Mapping[str, Any]:
        """View of the final position."""
        return self.game.view(self.viewpoint.seat)

    @cached_property
    def log(self) -> Sequence[Mapping[str, Any]]:
        """Events that the viewpoint may know."""
        return self.game.log(self.viewpoint.seat)

    @cached_property
    def localizer(self) -> Localizer:
        """Localizer of the game."""
        return localizer_of(self.timeline.book, self.language)

    @cached_property
    def phrases(self) -> Phrases:
        """Phrases of the page."""
        return Phrases(self.language)

    @cached_property
    def scores(self) -> Mapping[str, int]:
        """Final score of each seat; empty without a score."""
        return scores(self.timeline.book, self.view)

    @cached_property
    def score_title(self) -> str:
        """Title of the score: points, or the number that ranks the players."""
        field = ranking_field(self.timeline.book.model)
        if self.timeline.book.model.points.lines or field is None:
            return self.phrases("end.points")
        return self.localizer.field(field.home, field.name)

    def content(self) -> dict[str, Any]:
        """Return the summary as plain data."""
        moments = race(self.timeline, self.viewpoint) if self.scores else []
        seats, outcome = self.game.seats, self.game.outcome
        signs = seat_symbols(self.timeline.book, seats, self.language)
        return {
            "title": winners_text(self.game, self.localizer),
            "seats": {
                seat: {"title": self.localizer.title(seat), "sign": signs[seat]}
                for seat in seats
            },
            "score": self.score_title if self.scores else "",
            "has_teams": any(self._team(seat) for seat in seats),
            "has_places": outcome is not None and outcome.ranked,
            "at_least": list(self.view.get("at_least", ())),
            "ranking": self.ranking(),
            "sources": self.point_sources(),
            "race_text": self._race_text() if moments else "",
            "chart": chart(moments, seats) if moments[1:] else None,
            "moments": [
                {"turn": moments[number].turn, "points": moments[number].points}
                for number in evenly(range(len(moments)), MAX_TABLE_TURNS)
            ],
            "in_rounds": self.timeline.book.model.phases_each_round,
            "numbers": list(self.numbers()),
            "actions": self.action_rows(),
            "rolls": [
                self._roll_table(table)
                for table in roll_tables(self.log, self.localizer)
            ],
        }

    # ------------------------------------------------------------ result

    def ranking(self) -> list[dict[str, Any]]:
        """Return the seats by place, then by points."""
        outcome, points = self.game.outcome, self.scores
        places = {} if outcome is None else outcome.ranks
        order = sorted(
            self.game.seats,
            key=lambda seat: (places.get(seat, 0), -points.get(seat, 0)),
        )
        return [
            {
                "seat": seat,
                "place": places.get(seat),
                "won": outcome is not None and seat in outcome.winners,
                "team": self._team(seat),
                "points": points.get(seat),
                "at_least": seat in self.view.get("at_least", ()),
            }
            for seat in order
        ]

    def _team(self, seat: str) -> str:
        """Return the title of a seat's team; empty without teams."""
        team = self.localizer.column_value(seat, "team")
        return "" if team is None else self.localizer.title(team)

    # ------------------------------------------------------------ points

    def point_sources(self) -> list[dict[str, Any]]:
        """Return a row for each source of points, with a cell for each seat.

        Sources from which nobody can have points are left out.
        """
        known = self.game.visible_point_sources(self.viewpoint.seat)
        most = max(
            (abs(low) for bounds in known.values() for low, _ in bounds.values()),
            default=0,
        )
        titles = Titles(self.timeline.book, self.localizer)
        return [
            {
                "title": titles.heading(label),
                "cells": {
                    seat: {
                        "points": low,
                        "at_least": low < high,
                        "share": round(100 * abs(low) / (most or 1)),
                    }
                    for seat, (low, high) in bounds.items()
                },
            }
            for label, bounds in known.items()
            if any(number for pair in bounds.values() for number in pair)
        ]

    def _race_text(self) -> str:
        """Describe the chart of the race."""
        in_rounds = self.timeline.book.model.phases_each_round
        key = "end.race_text_rounds" if in_rounds else "end.race_text"
        parts = [
            self.phrases(
                "end.line",
                seat=self.localizer.title(seat),
                points=self._points_text(seat),
            )
            for seat in self.game.seats
        ]
        return self.phrases(key, score=self.score_title, points=", ".join(parts))

    def _points_text(self, seat: str) -> str:
        """Return a seat's points in words, if hidden ones may be missing."""
        points = str(self.scores[seat])
        is_minimum = seat in self.view.get("at_least", ())
        return self.phrases("end.at_least", points=points) if is_minimum else points

    # ------------------------------------------------------------ numbers

    def numbers(self) -> Iterator[tuple[str, int]]:
        """Yield titles and numbers: turns, rounds, decisions."""
        if not self.timeline.book.model.phases_each_round:
            yield self.phrases("end.turns"), self.game.turn
        yield self.phrases("end.rounds"), self.view["round"]
        decisions = sum("action" in event for event in self.log)
        yield self.phrases("end.decisions"), decisions

    def action_rows(self) -> list[dict[str, Any]]:
        """Return how often each seat did each action, in the order of the rules."""
        counts: dict[str, Counter[str]] = {}
        for event in self.log:
            if "action" in event:
                name = (event["action"] or "").partition("(")[0]
                counts.setdefault(name, Counter())[event["seat"]] += 1
        order = {name: n for n, name in enumerate(self.timeline.book.model.actions)}
        top_names = sorted(counts, key=lambda name: -counts[name].total())[:MAX_ACTIONS]
        rows = [
            (self._action_title(name), counts[name])
            for name in sorted(top_names, key=lambda name: order.get(name, len(order)))
        ]
        others = Counter[str]()
        for name in counts.keys() - top_names:
            others.update(counts[name])
        rows += [(self.phrases("end.other_actions"), others)] if others else []
        seats = self.game.seats
        return [
            {
                "title": title,
                "counts": [count[seat] for seat in seats],
                "total": count.total(),
            }
            for title, count in rows
        ]

    def _action_title(self, name: str) -> str:
        """Return the title of an action; the empty name means hidden ones."""
        if not name:
            return self.phrases("end.hidden_actions")
        return action_title(name, self.localizer)

    def _roll_table(self, table: RollTable) -> dict[str, Any]:
        """Return a table of rolls as plain data."""
        titles = [self.localizer.field(None, die) for die in table.dice]
        dice = self.localizer.list_text(titles)
        most = max(max(count, expected) for _, count, expected in table.rows)
        return {
            "title": self.phrases("end.sum_of", dice=dice) if table.is_sum else dice,
            "rolls": table.rolls,
            "rows": [
                {
                    "value": self.localizer.value_text(value),
                    "count": count,
                    "expected": self._decimal(expected),
                    "share": round(100 * count / most, 1),
                    "mark": round(100 * expected / most, 1),
                }
                for value, count, expected in table.rows
            ],
        }

    def _decimal(self, number: float) -> str:
        """Return a number with one decimal, in the reader's language."""
        return f"{number:.1f}".replace(".", self.phrases("end.decimal_point"))
