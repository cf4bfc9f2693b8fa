"""Table of measures, each with its name, scope, unit, definition and source."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from functools import partial
from typing import Self

import attrs

from interpreter.tracing import Legend
from workbench.analysis.measures import game_course, holdings
from workbench.analysis.measures.game_course import ValuesByPart
from workbench.analysis.measures.measured_games import FIRST_POINTS, MeasuredGames


class MeasureScope(Enum):
    """Scope of a measure: the whole game, or each seat, card, space and so on."""

    GAME = "game"
    SEAT = "seat"
    BOT = "bot"
    PLACE = "place"
    ACTION = "action"
    CARD = "card"
    SEAT_CARD = "seat and card"
    PIECE = "piece"
    AWARD = "award"
    SPACE = "space"
    SPACES = "spaces"
    REQUIREMENT = "requirement"
    LINE = "line"
    BRANCH = "branch"


OWN_SOURCE = "ours"
DECLARED_UNIT = "as declared"
EACH_TURN = "averaged over the ends of all turns"
AT_END = "at the end of the game"
SHARE = "share"
LUDII = "Ludii, Evaluation/src/metrics/"
TAG = "TAG, src/main/java/evaluation/metrics/"
DURATION = (
    f"{LUDII}single/duration/DurationTurns.java; {TAG}GameMetrics.java, GameDuration"
)
POINTS_INSTEAD_OF_ESTIMATE = "based on points instead of an estimate, after "


@attrs.frozen
class MeasureDefinition:
    """Definition of a measure.

    `meaning` explains the measure, and `source` is the publication that it is
    taken from.
    """

    name: str
    scope: MeasureScope
    unit: str
    meaning: str
    source: str = attrs.field(default=OWN_SOURCE, kw_only=True)


@attrs.frozen
class Measure(MeasureDefinition):
    """Measure computed from traces.

    `compute` is the function that returns the values of measured games, by part.
    """

    compute: Callable[[MeasuredGames], ValuesByPart]

    @classmethod
    def of_cards(
        cls,
        name: str,
        scope: MeasureScope,
        movement: str,
        compute: Callable[[MeasuredGames], ValuesByPart],
    ) -> Self:
        """Return a measure of the number of cards of a kind with some movement."""
        meaning = f"Number of cards of this kind {movement}"
        return cls(name, scope, "cards", meaning, compute)


def declared_measures(legend: Legend, used_names: Iterable[str]) -> Iterator[Measure]:
    """Yield the measures that the rules declare.

    A name in *used_names* gets the prefix `own_`.
    """
    names, column = set(used_names), FIRST_POINTS + len(legend.seats)
    for own in legend.measures:
        name = f"own_{own.name}" if own.name in names else own.name
        scope = MeasureScope.SEAT if own.each_player else MeasureScope.GAME
        when = EACH_TURN if own.each_turn else AT_END
        yield Measure(
            name,
            scope,
            own.unit or DECLARED_UNIT,
            f"Declared in the rules; measured {when}.",
            partial(game_course.declared_measure, first_column=column, measure=own),
            source=f"the rules, measure {own.name}",
        )
        column += len(legend.seats) if own.each_player else 1


ALL_MEASURES = (
    Measure(
        "turns",
        MeasureScope.GAME,
        "turns",
        "Number of turns started during the game.",
        game_course.turns,
        source=DURATION,
    ),
    Measure(
        "rounds",
        MeasureScope.GAME,
        "rounds",
        "Number of rounds started during the game.",
        game_course.rounds,
        source=f"{TAG}GameMetrics.java, GameDuration",
    ),
    Measure(
        "decisions",
        MeasureScope.GAME,
        "decisions",
        "Number of actions, including passes.",
        game_course.decisions,
        source=(
            f"{LUDII}single/duration/DurationMoves.java; {TAG}GameMetrics.java,"
            " GameDuration (ticks)"
        ),
    ),
    Measure(
        "finished",
        MeasureScope.GAME,
        "games",
        "1 if the game ended, 0 if it was stopped at a limit.",
        game_course.finished,
        source=f"{LUDII}single/outcome/Completion.java",
    ),
    Measure(
        "ties",
        MeasureScope.GAME,
        "games",
        "1 if the game ended with several winners or none, otherwise 0.",
        game_course.ties,
        source=f"{LUDII}single/outcome/Drawishness.java",
    ),
    Measure(
        "wins",
        MeasureScope.SEAT,
        "games",
        "1 if the seat won, alone or with others, otherwise 0.",
        game_course.wins,
        source=f"{TAG}GameMetrics.java, OrdinalPosition",
    ),
    Measure(
        "wins_from",
        MeasureScope.PLACE,
        "games",
        "1 if the player in this position of the turn order, counted from the"
        " first player, won; otherwise 0.",
        game_course.wins_by_turn_order,
        source=f"{LUDII}single/outcome/AdvantageP1.java, for each place",
    ),
    Measure(
        "gain",
        MeasureScope.BOT,
        SHARE,
        "With several bots: the part of the win that went to the bot's seats"
        " (several winners share it), minus the bot's share of the seats; 0"
        " if nobody won.",
        game_course.bot_gains,
    ),
    Measure(
        "points",
        MeasureScope.SEAT,
        "points",
        "Points of the seat at the end of the game.",
        game_course.points,
        source=f"{TAG}GameMetrics.java, GameScore",
    ),
    Measure(
        "points_from",
        MeasureScope.PLACE,
        "points",
        "Final points of the player in this position of the turn order,"
        " counted from the first player.",
        game_course.points_by_turn_order,
        source=f"{TAG}GameMetrics.java, GameScore, for each place",
    ),
    Measure(
        "margin",
        MeasureScope.GAME,
        "points",
        "Lead of the sole winner over the best other player.",
        game_course.margin,
        source=f"{LUDII}multiple/metrics/ScoreDifference.java, at the end",
    ),
    Measure(
        "lead_changes",
        MeasureScope.GAME,
        "times",
        "Number of turns at whose end the sole leader is a different player"
        " than the previous sole leader.",
        game_course.lead_changes,
        source=(
            f"{POINTS_INSTEAD_OF_ESTIMATE}{LUDII}single/stateEvaluation/LeadChange.java"
            " and Browne 2008"
        ),
    ),
    Measure(
        "drama",
        MeasureScope.GAME,
        "points",
        "Points by which the sole winner was behind the best other player,"
        " averaged over the ends of all turns (0 when not behind).",
        game_course.drama,
        source=(
            f"{POINTS_INSTEAD_OF_ESTIMATE}{LUDII}multiple/metrics/Drama.java (average)"
            " and Browne 2008"
        ),
    ),
    Measure(
        "comeback",
        MeasureScope.GAME,
        "points",
        "Largest number of points by which the sole winner was behind the"
        " best other player at the end of a turn; 0 if never behind.",
        game_course.comeback,
        source=(
            f"{POINTS_INSTEAD_OF_ESTIMATE}{LUDII}multiple/metrics/Drama.java (maximum)"
            " and Browne 2008"
        ),
    ),
    Measure(
        "known_for",
        MeasureScope.GAME,
        "turns",
        "Number of turns left when the sole winner took the lead for good,"
        " that is, led alone at the end of every later turn.",
        game_course.turns_after_final_lead,
        source=(
            f"{POINTS_INSTEAD_OF_ESTIMATE}{LUDII}single/stateEvaluation/decisiveness/"
            "DecisivenessMoves.java"
        ),
    ),
    Measure(
        "decisiveness",
        MeasureScope.GAME,
        SHARE,
        "Share of the turns left when the sole winner first had more points"
        " than any other player ever had.",
        game_course.decisiveness,
        source=(
            f"{POINTS_INSTEAD_OF_ESTIMATE}{LUDII}single/stateEvaluation/decisiveness/"
            "DecisivenessMoves.java and DecisivenessThreshold.java"
        ),
    ),
    Measure(
        "branching",
        MeasureScope.GAME,
        "actions",
        "Number of legal actions, averaged over all decisions.",
        game_course.branching,
        source=(
            f"{LUDII}multiple/metrics/BranchingFactor.java; {TAG}GameMetrics.java,"
            " ActionSpace"
        ),
    ),
    Measure(
        "branching_at",
        MeasureScope.ACTION,
        "actions",
        "Number of legal actions when this action was chosen, on average.",
        game_course.branching_by_action,
    ),
    Measure(
        "real_choices",
        MeasureScope.GAME,
        SHARE,
        "Share of decisions with more than one legal action.",
        game_course.real_choices,
        source=(
            f"{LUDII}single/complexity/DecisionMoves.java; {TAG}GameMetrics.java,"
            " Decisions"
        ),
    ),
    Measure(
        "idle_turns",
        MeasureScope.GAME,
        SHARE,
        "Share of turns in which no action moved a card, a piece or an award.",
        game_course.idle_turns,
    ),
    Measure(
        "actions",
        MeasureScope.ACTION,
        "times",
        "Number of times the action was chosen.",
        game_course.actions,
        source=f"{TAG}GameMetrics.java, ActionTypes",
    ),
    Measure(
        "share_of_actions",
        MeasureScope.ACTION,
        SHARE,
        "Share of decisions in which the action was chosen.",
        game_course.shares_of_actions,
        source=f"{TAG}GameMetrics.java, ActionTypes, in a share",
    ),
    Measure(
        "share_of_cards",
        MeasureScope.CARD,
        SHARE,
        "Share of this card among all cards of its sort that seats gained.",
        holdings.shares_of_cards,
    ),
    Measure.of_cards(
        "produced",
        MeasureScope.CARD,
        "that seats gained by chance events, not from other seats.",
        partial(holdings.cards_by_kind, "by chance", "gained"),
    ),
    Measure.of_cards(
        "dealt",
        MeasureScope.CARD,
        "that seats gained before the first turn, not from other seats.",
        partial(holdings.cards_by_kind, "in set-up", "gained"),
    ),
    Measure.of_cards(
        "taken",
        MeasureScope.CARD,
        "that seats gained by an action or at the start of the game,"
        " not from other seats.",
        partial(holdings.cards_by_kind, "not by chance", "gained"),
    ),
    Measure.of_cards(
        "spent",
        MeasureScope.CARD,
        "that seats gave up, not to other seats, by actions with a cost.",
        partial(holdings.cards_by_kind, "paid", "lost"),
    ),
    Measure.of_cards(
        "exchanged",
        MeasureScope.CARD,
        "that seats gave up in exchange for other cards of the same"
        " sort that no seat held.",
        partial(holdings.cards_by_kind, "exchanged", "lost"),
    ),
    Measure.of_cards(
        "discarded",
        MeasureScope.CARD,
        "that seats gave up, not to other seats, without spending or"
        " exchanging them: discarded or played.",
        partial(holdings.cards_by_kind, "discarded", "lost"),
    ),
    Measure.of_cards(
        "traded",
        MeasureScope.CARD,
        "that moved between seats when both seats received something.",
        partial(holdings.cards_by_kind, "mutual", "between_seats"),
    ),
    Measure.of_cards(
        "seized",
        MeasureScope.CARD,
        "that moved between seats when only one seat received something.",
        partial(holdings.cards_by_kind, "one-sided", "between_seats"),
    ),
    Measure(
        "first_card",
        MeasureScope.CARD,
        "round",
        "Round in which a seat first gained such a card during a turn.",
        holdings.first_cards,
    ),
    Measure(
        "first_piece",
        MeasureScope.PIECE,
        "round",
        "Round in which such a piece was first placed on a space during a turn.",
        holdings.first_pieces,
    ),
    Measure(
        "first_award",
        MeasureScope.AWARD,
        "round",
        "Round in which a seat first held the award.",
        holdings.first_awards,
    ),
    Measure(
        "award_points",
        MeasureScope.AWARD,
        "points",
        "Points gained by the new holder between the end of the previous turn"
        " and the end of the turn in which the award changed hands, on"
        " average.",
        holdings.points_by_award,
    ),
    Measure(
        "used",
        MeasureScope.SPACE,
        "games",
        "1 if a piece was on the space at the end of the game, otherwise 0.",
        holdings.used_spaces,
        source=(
            f"{LUDII}single/boardCoverage/BoardCoverageUsed.java, for each space,"
            " at the end"
        ),
    ),
    Measure(
        "coverage",
        MeasureScope.SPACES,
        SHARE,
        "Share of the spaces of a sort that were occupied at the end of the game.",
        holdings.space_coverage,
        source=f"{LUDII}single/boardCoverage/BoardCoverageDefault.java, at the end",
    ),
)
"""All measures computed from traces; games omit those that do not apply to them."""
