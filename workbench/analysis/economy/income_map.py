"""Heat map of the income that a piece yields on each space."""

from fractions import Fraction

from workbench.analysis.economy.examination import Economy
from workbench.analysis.economy.heat_map import Heat, heat_map
from workbench.analysis.economy.probes.income_probe import Income
from workbench.errors import RequestError
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.picture import scene_of
from workbench.presentation.picture.tags import format_number


def income_map(economy: Economy, piece: str | None, language: str | None = None) -> str:
    """Return a heat map of a piece's income on each space, as SVG.

    If *piece* is None, the first piece with an income is shown. Raises `RequestError`
    if the piece has no income, or if none of its spaces is on a board.
    """
    income_report, baseline, name = (
        economy.income_report,
        economy.baseline,
        economy.book.name,
    )
    if income_report is None or not income_report.spaces:
        raise RequestError(f"no space of {name} yields income to draw", exit_code=1)
    shown_piece = next(iter(income_report.spaces)) if piece is None else piece
    if shown_piece not in income_report.spaces:
        with_income = ", ".join(income_report.spaces)
        raise RequestError(
            f"no {shown_piece} yields income in {name}",
            f"pieces with an income are {with_income}",
        )
    game = baseline.with_holdings(
        income_report.probe.seat, {}, removed_pieces=income_report.probe.moving_pieces
    )
    scene = scene_of(game, None, language)
    titles, turns = scene.titles, income_report.turns
    heats = {
        space: Heat(
            float(card_count(income) * turns),
            format_number(float(card_count(income) * turns)),
            f"{titles.value(space)}: {income_text(income, turns, titles)}",
        )
        for space, income in income_report.spaces[shown_piece].items()
    }
    if not any(space.name in heats for space in scene.spaces):
        raise RequestError(f"{name} has no board for {shown_piece}", exit_code=1)
    title = f"{game.book.title}: income"
    label = titles.value(shown_piece)
    caption = (
        f"{label}: average income of one, in cards per {turns} turns, computed from"
        " all chance outcomes."
    )
    return heat_map(scene, heats, title, caption, f"cards in {turns} turns")


def card_count(income: Income) -> Fraction:
    """Return the total number of cards in an income."""
    return sum(income.values(), Fraction())


def income_text(income: Income, turns: int, titles: Localizer) -> str:
    """Return an income over *turns* turns as text."""
    parts = [
        f"{format_number(float(value * turns))} {titles.value(kind)}"
        for kind, value in income.items()
    ]
    return f"{', '.join(parts) or 'nothing'} in {turns} turns"
