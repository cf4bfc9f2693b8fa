"""Table of measures, each with its name, scope, unit, definition and source."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from functools import partial

import attrs

from interpreter.tracing import Legend
from workbench.analysis.measures import holdings, progress
from workbench.analysis.measures.games import FIRST_POINTS, Games
from workbench.analysis.measures.progress import Parts


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


OURS = "ours"
UNIT = "as declared"
EACH_TURN = "averaged over the ends of all turns"
AT_END = "at the end of the game"
SHARE = "share"
LUDII = "Ludii, Evaluation/src/metrics/"
TAG = "TAG, src/main/java/evaluation/metrics/"
DURATION = (
    f"{LUDII}single/duration/DurationTurns.java; {TAG}GameMetrics.java, GameDuration"
)
LIKE_LUDII = "based on points instead of an estimate, after "


@attrs.frozen
class Defined:
    """Definition of a measure.

    `of` is the scope, `says` the meaning, and `source` the publication it is taken
    from.
    """

    name: str
    of: MeasureScope
    unit: str
    says: str
    source: str


@attrs.frozen
class Measure(Defined):
    """Measure computed from traces.

    `games` is the function that returns the values of measured games, by part.
    """

    games: Callable[[Games], Parts]


def declared(legend: Legend, taken: Iterable[str]) -> Iterator[Measure]:
    """Yield the measures that the rules declare.

    A name in *taken* gets the prefix `own_`.
    """
    names, place = set(taken), FIRST_POINTS + len(legend.seats)
    for said in legend.measures:
        name = f"own_{said.name}" if said.name in names else said.name
        of = MeasureScope.SEAT if said.each_player else MeasureScope.GAME
        when = EACH_TURN if said.each_turn else AT_END
        yield Measure(
            name,
            of,
            said.unit or UNIT,
            f"Declared in the rules; measured {when}.",
            f"the rules, measure {said.name}",
            partial(progress.declared, place=place, measure=said),
        )
        place += len(legend.seats) if said.each_player else 1


TABLE = (
    Measure(
        "turns",
        MeasureScope.GAME,
        "turns",
        "Number of turns started during the game.",
        DURATION,
        progress.turns,
    ),
    Measure(
        "rounds",
        MeasureScope.GAME,
        "rounds",
        "Number of rounds started during the game.",
        f"{TAG}GameMetrics.java, GameDuration",
        progress.rounds,
    ),
    Measure(
        "decisions",
        MeasureScope.GAME,
        "decisions",
        "Number of actions, including passes.",
        f"{LUDII}single/duration/DurationMoves.java; {TAG}GameMetrics.java,"
        " GameDuration (ticks)",
        progress.decisions,
    ),
    Measure(
        "finished",
        MeasureScope.GAME,
        "games",
        "1 if the game ended, 0 if it was stopped at a limit.",
        f"{LUDII}single/outcome/Completion.java",
        progress.finished,
    ),
    Measure(
        "ties",
        MeasureScope.GAME,
        "games",
        "1 if the game ended with several winners or none, otherwise 0.",
        f"{LUDII}single/outcome/Drawishness.java",
        progress.ties,
    ),
    Measure(
        "wins",
        MeasureScope.SEAT,
        "games",
        "1 if the seat won, alone or with others, otherwise 0.",
        f"{TAG}GameMetrics.java, OrdinalPosition",
        progress.wins,
    ),
    Measure(
        "wins_from",
        MeasureScope.PLACE,
        "games",
        "1 if the player in this position of the turn order, counted from the"
        " first player, won; otherwise 0.",
        f"{LUDII}single/outcome/AdvantageP1.java, for each place",
        progress.wins_from,
    ),
    Measure(
        "gain",
        MeasureScope.BOT,
        SHARE,
        "With several bots: the part of the win that went to the bot's seats"
        " (several winners share it), minus the bot's share of the seats; 0"
        " if nobody won.",
        OURS,
        progress.gains,
    ),
    Measure(
        "points",
        MeasureScope.SEAT,
        "points",
        "Points of the seat at the end of the game.",
        f"{TAG}GameMetrics.java, GameScore",
        progress.points,
    ),
    Measure(
        "points_from",
        MeasureScope.PLACE,
        "points",
        "Final points of the player in this position of the turn order,"
        " counted from the first player.",
        f"{TAG}GameMetrics.java, GameScore, for each place",
        progress.points_from,
    ),
    Measure(
        "margin",
        MeasureScope.GAME,
        "points",
        "Lead of the sole winner over the best other player.",
        f"{LUDII}multiple/metrics/ScoreDifference.java, at the end",
        progress.margin,
    ),
    Measure(
        "lead_changes",
        MeasureScope.GAME,
        "times",
        "Number of turns at whose end the sole leader is a different player"
        " than the previous sole leader.",
        f"{LIKE_LUDII}{LUDII}single/stateEvaluation/LeadChange.java and Browne 2008",
        progress.lead_changes,
    ),
    Measure(
        "drama",
        MeasureScope.GAME,
        "points",
        "Points by which the sole winner was behind the best other player,"
        " averaged over the ends of all turns (0 when not behind).",
        f"{LIKE_LUDII}{LUDII}multiple/metrics/Drama.java (average) and Browne 2008",
        progress.drama,
    ),
    Measure(
        "comeback",
        MeasureScope.GAME,
        "points",
        "Largest number of points by which the sole winner was behind the"
        " best other player at the end of a turn; 0 if never behind.",
        f"{LIKE_LUDII}{LUDII}multiple/metrics/Drama.java (maximum) and Browne 2008",
        progress.comeback,
    ),
    Measure(
        "known_for",
        MeasureScope.GAME,
        "turns",
        "Number of turns left when the sole winner took the lead for good,"
        " that is, led alone at the end of every later turn.",
        f"{LIKE_LUDII}{LUDII}single/stateEvaluation/decisiveness/"
        "DecisivenessMoves.java",
        progress.known_for,
    ),
    Measure(
        "decisiveness",
        MeasureScope.GAME,
        SHARE,
        "Share of the turns left when the sole winner first had more points"
        " than any other player ever had.",
        f"{LIKE_LUDII}{LUDII}single/stateEvaluation/decisiveness/"
        "DecisivenessMoves.java and DecisivenessThreshold.java",
        progress.decisiveness,
    ),
    Measure(
        "branching",
        MeasureScope.GAME,
        "actions",
        "Number of legal actions, averaged over all decisions.",
        f"{LUDII}multiple/metrics/BranchingFactor.java; {TAG}GameMetrics.java,"
        " ActionSpace",
        progress.branching,
    ),
    Measure(
        "branching_at",
        MeasureScope.ACTION,
        "actions",
        "Number of legal actions when this action was chosen, on average.",
        OURS,
        progress.branching_at,
    ),
    Measure(
        "real_choices",
        MeasureScope.GAME,
        SHARE,
        "Share of decisions with more than one legal action.",
        f"{LUDII}single/complexity/DecisionMoves.java; {TAG}GameMetrics.java,"
        " Decisions",
        progress.real_choices,
    ),
    Measure(
        "idle_turns",
        MeasureScope.GAME,
        SHARE,
        "Share of turns in which no action moved a card, a piece or an award.",
        OURS,
        progress.idle_turns,
    ),
    Measure(
        "actions",
        MeasureScope.ACTION,
        "times",
        "Number of times the action was chosen.",
        f"{TAG}GameMetrics.java, ActionTypes",
        progress.actions,
    ),
    Measure(
        "share_of_actions",
        MeasureScope.ACTION,
        SHARE,
        "Share of decisions in which the action was chosen.",
        f"{TAG}GameMetrics.java, ActionTypes, in a share",
        progress.shares_of_actions,
    ),
    Measure(
        "share_of_cards",
        MeasureScope.CARD,
        SHARE,
        "Share of this card among all cards of its sort that seats gained.",
        OURS,
        holdings.shares_of_cards,
    ),
    Measure(
        "produced",
        MeasureScope.CARD,
        "cards",
        "Number that seats gained by chance events, not from other seats.",
        OURS,
        holdings.produced,
    ),
    Measure(
        "dealt",
        MeasureScope.CARD,
        "cards",
        "Number that seats gained before the first turn, not from other seats.",
        OURS,
        holdings.dealt,
    ),
    Measure(
        "taken",
        MeasureScope.CARD,
        "cards",
        "Number that seats gained by an action or at the start of the game,"
        " not from other seats.",
        OURS,
        holdings.taken,
    ),
    Measure(
        "spent",
        MeasureScope.CARD,
        "cards",
        "Number that seats gave up, not to other seats, by actions with a cost.",
        OURS,
        holdings.spent,
    ),
    Measure(
        "exchanged",
        MeasureScope.CARD,
        "cards",
        "Number that seats gave up in exchange for other cards of the same"
        " sort that no seat held.",
        OURS,
        holdings.exchanged,
    ),
    Measure(
        "discarded",
        MeasureScope.CARD,
        "cards",
        "Number that seats gave up, not to other seats, without spending or"
        " exchanging them: discarded or played.",
        OURS,
        holdings.discarded,
    ),
    Measure(
        "traded",
        MeasureScope.CARD,
        "cards",
        "Number that moved between seats when both seats received something.",
        OURS,
        holdings.traded,
    ),
    Measure(
        "seized",
        MeasureScope.CARD,
        "cards",
        "Number that moved between seats when only one seat received something.",
        OURS,
        holdings.seized,
    ),
    Measure(
        "first_card",
        MeasureScope.CARD,
        "round",
        "Round in which a seat first gained one during a turn.",
        OURS,
        holdings.first_cards,
    ),
    Measure(
        "first_piece",
        MeasureScope.PIECE,
        "round",
        "Round in which one was first placed on a space during a turn.",
        OURS,
        holdings.first_pieces,
    ),
    Measure(
        "first_award",
        MeasureScope.AWARD,
        "round",
        "Round in which a seat first held the award.",
        OURS,
        holdings.first_awards,
    ),
    Measure(
        "award_points",
        MeasureScope.AWARD,
        "points",
        "Points gained by the new holder between the end of the previous turn"
        " and the end of the turn in which the award changed hands, on"
        " average.",
        OURS,
        holdings.points_by_award,
    ),
    Measure(
        "used",
        MeasureScope.SPACE,
        "games",
        "1 if a piece was on the space at the end of the game, otherwise 0.",
        f"{LUDII}single/boardCoverage/BoardCoverageUsed.java, for each space, at the"
        " end",
        holdings.used,
    ),
    Measure(
        "coverage",
        MeasureScope.SPACES,
        SHARE,
        "Share of the spaces of a sort that were occupied at the end of the game.",
        f"{LUDII}single/boardCoverage/BoardCoverageDefault.java, at the end",
        holdings.coverage,
    ),
)
"""All measures computed from traces; games omit those that do not apply to them."""
