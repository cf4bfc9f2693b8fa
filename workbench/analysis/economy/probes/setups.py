"""Set-ups: what each player has when the first turn starts.

If set-up contains no decisions, it is dealt often enough to see all set-ups. Otherwise
players choose at random in many set-ups, and a search finds the best choices for one
seat.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

import attrs

from interpreter import Action, Game
from workbench.analysis.economy.probes.baseline import (
    Baseline,
    Pieces,
    first_turn,
    pieces_of,
)
from workbench.analysis.economy.probes.income_probe import Income, IncomeProbe
from workbench.analysis.simulation.settings import Settings

MAX_LISTED_SETUPS = 24
"""Maximum number of dealt set-ups that are listed individually."""
MAX_TRIED_CHOICES = 4_000
"""Maximum number of choices tried in the search for the best set-up."""


@attrs.frozen
class SetUp:
    """Pieces and cards that a player may have when the first turn starts.

    `label` names the card that dealt the set-up, or `best`, `middle` or `poorest` if
    players choose. It is empty if nothing distinguishes the set-up. `count` is how
    often it occurred in the sample.
    """

    label: str
    pieces: Pieces
    cards: Mapping[str, int]
    count: int = 1


@attrs.frozen
class SetUps:
    """Set-ups to examine, and the mean income over the sample.

    `chosen_by_players` is true if players choose them; `sample_size` is the size of the
    sample.
    """

    setups: tuple[SetUp, ...]
    chosen_by_players: bool
    sample_size: int
    mean: Income


def sample_setups(probe: IncomeProbe, settings: Settings, games: int) -> SetUps:
    """Return the set-ups on one board, sampled from *games* games."""
    baseline = probe.baseline
    fixed = attrs.evolve(
        settings, board=baseline.board if baseline.deals_board else settings.board
    )
    seen: dict[str, SetUp] = {}
    count = 0
    total: dict[str, Fraction] = {}
    first = settings.seed or 0
    for offset in range(games):
        seed = first if baseline.has_setup_decisions else first + offset
        rng = Random(f"set-up {settings.seed} {offset}")
        game, _ = first_turn(baseline.book, attrs.evolve(fixed, seed=seed), rng)
        for seat in game.seats:
            current = setup_of(probe, game, seat)
            key = repr(current.pieces)
            if not baseline.has_setup_decisions:
                key = repr((current.label, current.pieces))
            before = seen.setdefault(key, attrs.evolve(current, count=0))
            seen[key] = attrs.evolve(before, count=before.count + 1)
            count += 1
            for kind, value in total_income(probe, current.pieces).items():
                total[kind] = total.get(kind, Fraction()) + value
    average = {kind: value / count for kind, value in total.items()}
    distinct = sorted(
        seen.values(), key=lambda setup: (setup.label, repr(setup.pieces))
    )
    if not baseline.has_setup_decisions and len(distinct) <= MAX_LISTED_SETUPS:
        return SetUps(tuple(distinct), False, count, average)
    sample = [setup for setup in distinct for _ in range(setup.count)]
    ranked = sorted(sample, key=lambda setup: total_cards(probe, setup.pieces))
    extremes = [
        attrs.evolve(ranked[0], label="poorest"),
        attrs.evolve(ranked[len(ranked) // 2], label="middle"),
    ]
    best = attrs.evolve(ranked[-1], label="best")
    if baseline.has_setup_decisions:
        best = find_best_setup(probe, fixed, best)
    listed = [*extremes, best] if len(ranked) > 1 else [best]
    return SetUps(tuple(reversed(listed)), baseline.has_setup_decisions, count, average)


def total_income(probe: IncomeProbe, pieces: Pieces) -> dict[str, Fraction]:
    """Return the total income of the spaces of the given pieces, by kind."""
    total: dict[str, Fraction] = {}
    for name, spaces in pieces.items():
        for space in spaces:
            for kind, value in (
                probe.income_by_space.get(name, {}).get(space, {}).items()
            ):
                total[kind] = total.get(kind, Fraction()) + value
    return total


def setup_of(probe: IncomeProbe, game: Game, seat: str) -> SetUp:
    """Return the pieces and cards of a seat in a game, as a set-up."""
    position, baseline = game.position, probe.baseline
    pieces: dict[str, list[str]] = {}
    for name, space in pieces_of(position, seat, baseline.book.model):
        pieces.setdefault(name, []).append(space)
    ordered = {name: tuple(sorted(spaces)) for name, spaces in pieces.items()}
    held = position["player"].get(seat, {}) if "player" in position else {}
    payments = baseline.payments
    bag = {} if payments is None or payments.field is None else held[payments.field]
    cards = {kind: count for kind, count in bag.items() if count}
    return SetUp(setup_label(baseline, held), ordered, cards)


def setup_label(baseline: Baseline, holdings: Mapping[str, Any]) -> str:
    """Return the name of a player's only card that cannot pay, or an empty string."""
    payments = baseline.payments
    cards = [
        card
        for field in baseline.bags
        if payments is None or field.name != payments.field
        for card, count in holdings.get(field.name, {}).items()
        for _ in range(count)
    ]
    return cards[0] if len(cards) == 1 else ""


# ---------------------------------------------------------------- best set-up


def find_best_setup(
    probe: IncomeProbe, settings: Settings, known_setup: SetUp
) -> SetUp:
    """Return the best set-up that the first seat can choose without competition.

    All other seats make the choices with the least income. The result is optimal unless
    there are too many choices to try. *known_setup* is a set-up that occurred.
    """
    game = settings.start(probe.baseline.book)
    seat = game.to_act or probe.seat
    search = SetUpSearch(
        probe, seat, total_cards(probe, known_setup.pieces), known_setup
    )
    search.explore(game)
    return attrs.evolve(search.best, label="best")


def total_cards(probe: IncomeProbe, pieces: Pieces) -> Fraction:
    """Return the number of cards of all kinds that the given pieces yield."""
    return sum(total_income(probe, pieces).values(), Fraction())


@attrs.define
class SetUpSearch:
    """Search for the best set-up of a seat.

    `best` is the best set-up so far, `best_income` its income, and `tried_count` the
    number of tried choices.
    """

    probe: IncomeProbe
    seat: str
    best_income: Fraction
    best: SetUp
    tried_count: int = 0

    def explore(self, game: Game) -> None:
        """Explore the remaining decisions of set-up, best choices first."""
        while not game.turn and not game.over:
            actions: Sequence[Action] = game.legal_actions()
            if not actions:
                return
            if game.to_act == self.seat and len(actions) > 1:
                self.explore_choices(game, actions)
                return
            game.apply(min(actions, key=self.richest_argument_income))
        setup = setup_of(self.probe, game, self.seat)
        if total_cards(self.probe, setup.pieces) > self.best_income:
            self.best_income, self.best = total_cards(self.probe, setup.pieces), setup

    def explore_choices(self, game: Game, actions: Sequence[Action]) -> None:
        """Explore the choices of the seat; if none adds income, only the first."""
        income = total_cards(self.probe, setup_of(self.probe, game, self.seat).pieces)
        tried = []
        for number, action in enumerate(actions):
            after = game.copy()
            after.apply(action)
            setup = setup_of(self.probe, after, self.seat)
            value = total_cards(self.probe, setup.pieces)
            tried.append((value, -number, self.count_useful_pieces(setup), after))
        if all(value == income for value, *_ in tried):
            tried = tried[:1]
        for value, _, placed, after in sorted(tried, key=lambda entry: entry[:2])[::-1]:
            self.tried_count += 1
            bound = (
                value
                + (self.count_useful_pieces(self.best) - placed)
                * self.richest_space_income
            )
            if bound <= self.best_income or self.tried_count > MAX_TRIED_CHOICES:
                return
            self.explore(after)

    def count_useful_pieces(self, setup: SetUp) -> int:
        """Return the number of pieces of a set-up that can yield income."""
        table = self.probe.income_by_space
        return sum(len(setup.pieces[name]) for name in setup.pieces if name in table)

    @property
    def richest_space_income(self) -> Fraction:
        """Maximum income of a space, over the pieces that set-up places."""
        rows = self.probe.income_by_space
        names = [name for name in self.best.pieces if name in rows]
        values = (
            sum(kinds.values()) for name in names for kinds in rows[name].values()
        )
        return max(map(Fraction, values), default=Fraction())

    def richest_argument_income(self, action: Action) -> Fraction:
        """Return the highest income of a space among an action's arguments."""
        rows = self.probe.income_by_space
        named = set(map(str, action.arguments))
        values: Iterator[Fraction] = (
            sum(rows[name][space].values(), Fraction())
            for name in self.best.pieces
            if name in rows
            for space in named & set(rows[name])
        )
        return max(values, default=Fraction())
