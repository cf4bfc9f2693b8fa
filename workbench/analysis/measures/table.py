"""The table of measures: what each is called, its unit, what it says, after whom."""

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
    """What a measure is of: the whole game, or each of some things in it."""

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
EACH_TURN = "the mean over the ends of all turns"
AT_END = "when the game was over"
SHARE = "share"
LUDII = "Ludii, Evaluation/src/metrics/"
TAG = "TAG, src/main/java/evaluation/metrics/"
DURATION = (
    f"{LUDII}single/duration/DurationTurns.java; {TAG}GameMetrics.java, GameDuration"
)
LIKE_LUDII = "by points instead of an estimate, after "


@attrs.frozen
class Defined:
    """A named measure: what of, in which unit, what it says, and its source."""

    name: str
    of: MeasureScope
    unit: str
    says: str
    source: str


@attrs.frozen
class Measure(Defined):
    """A measure that is worked out from traces.

    `games` does that: the values of some games by what they are of.
    """

    games: Callable[[Games], Parts]


def declared(legend: Legend, taken: Iterable[str]) -> Iterator[Measure]:
    """The measures that the rules declare; `taken` are names that there are."""
    names, place = set(taken), FIRST_POINTS + len(legend.seats)
    for said in legend.measures:
        name = f"own_{said.name}" if said.name in names else said.name
        of = MeasureScope.SEAT if said.each_player else MeasureScope.GAME
        when = EACH_TURN if said.each_turn else AT_END
        yield Measure(
            name,
            of,
            said.unit or UNIT,
            f"As the rules declare it, {when}.",
            f"the rules, measure {said.name}",
            partial(progress.declared, place=place, measure=said),
        )
        place += len(legend.seats) if said.each_player else 1


TABLE = (
    Measure(
        "turns",
        MeasureScope.GAME,
        "turns",
        "How many turns had begun when the game was over.",
        DURATION,
        progress.turns,
    ),
    Measure(
        "rounds",
        MeasureScope.GAME,
        "rounds",
        "How many rounds had begun when the game was over.",
        f"{TAG}GameMetrics.java, GameDuration",
        progress.rounds,
    ),
    Measure(
        "decisions",
        MeasureScope.GAME,
        "decisions",
        "How many actions were done, passes among them.",
        f"{LUDII}single/duration/DurationMoves.java; {TAG}GameMetrics.java,"
        " GameDuration (ticks)",
        progress.decisions,
    ),
    Measure(
        "finished",
        MeasureScope.GAME,
        "games",
        "1 if the game came to its end, 0 if it was given up at a limit.",
        f"{LUDII}single/outcome/Completion.java",
        progress.finished,
    ),
    Measure(
        "ties",
        MeasureScope.GAME,
        "games",
        "1 if the game ended with several winners or none, else 0.",
        f"{LUDII}single/outcome/Drawishness.java",
        progress.ties,
    ),
    Measure(
        "wins",
        MeasureScope.SEAT,
        "games",
        "1 if the seat won, alone or with others, else 0.",
        f"{TAG}GameMetrics.java, OrdinalPosition",
        progress.wins,
    ),
    Measure(
        "wins_from",
        MeasureScope.PLACE,
        "games",
        "1 if who sits at that place counted from the first player won, else 0.",
        f"{LUDII}single/outcome/AdvantageP1.java, for each place",
        progress.wins_from,
    ),
    Measure(
        "gain",
        MeasureScope.BOT,
        SHARE,
        "Where several bots play: what the bot's seats had of the win, which several"
        " winners part, less their share of all seats; 0 where nobody won.",
        OURS,
        progress.gains,
    ),
    Measure(
        "points",
        MeasureScope.SEAT,
        "points",
        "What the seat had when the game was over.",
        f"{TAG}GameMetrics.java, GameScore",
        progress.points,
    ),
    Measure(
        "points_from",
        MeasureScope.PLACE,
        "points",
        "What who sits at that place counted from the first player had when the game"
        " was over.",
        f"{TAG}GameMetrics.java, GameScore, for each place",
        progress.points_from,
    ),
    Measure(
        "margin",
        MeasureScope.GAME,
        "points",
        "What the only winner had more than the best of the others.",
        f"{LUDII}multiple/metrics/ScoreDifference.java, at the end",
        progress.margin,
    ),
    Measure(
        "lead_changes",
        MeasureScope.GAME,
        "times",
        "How often who leads alone at the end of a turn is another than the last who"
        " did.",
        f"{LIKE_LUDII}{LUDII}single/stateEvaluation/LeadChange.java and Browne 2008",
        progress.lead_changes,
    ),
    Measure(
        "drama",
        MeasureScope.GAME,
        "points",
        "How far the only winner was behind the best of the others, as the mean over"
        " the ends of all turns, 0 where not.",
        f"{LIKE_LUDII}{LUDII}multiple/metrics/Drama.java (average) and Browne 2008",
        progress.drama,
    ),
    Measure(
        "comeback",
        MeasureScope.GAME,
        "points",
        "The most that the only winner was behind the best of the others at the end of"
        " a turn, 0 if never.",
        f"{LIKE_LUDII}{LUDII}multiple/metrics/Drama.java (maximum) and Browne 2008",
        progress.comeback,
    ),
    Measure(
        "known_for",
        MeasureScope.GAME,
        "turns",
        "How many turns were left when the only winner was ahead for good: from then on"
        " he led alone at the end of every turn.",
        f"{LIKE_LUDII}{LUDII}single/stateEvaluation/decisiveness/"
        "DecisivenessMoves.java",
        progress.known_for,
    ),
    Measure(
        "decisiveness",
        MeasureScope.GAME,
        SHARE,
        "The share of the turns that were left when the only winner first had more than"
        " any other ever had.",
        f"{LIKE_LUDII}{LUDII}single/stateEvaluation/decisiveness/"
        "DecisivenessMoves.java and DecisivenessThreshold.java",
        progress.decisiveness,
    ),
    Measure(
        "branching",
        MeasureScope.GAME,
        "actions",
        "How many actions were legal, as the mean of all decisions.",
        f"{LUDII}multiple/metrics/BranchingFactor.java; {TAG}GameMetrics.java,"
        " ActionSpace",
        progress.branching,
    ),
    Measure(
        "branching_at",
        MeasureScope.ACTION,
        "actions",
        "How many actions were legal when the action was done, as the mean of its"
        " times.",
        OURS,
        progress.branching_at,
    ),
    Measure(
        "real_choices",
        MeasureScope.GAME,
        SHARE,
        "The share of the decisions in which more than one action was legal.",
        f"{LUDII}single/complexity/DecisionMoves.java; {TAG}GameMetrics.java,"
        " Decisions",
        progress.real_choices,
    ),
    Measure(
        "idle_turns",
        MeasureScope.GAME,
        SHARE,
        "The share of the turns in which no action moved a card, a piece or an award.",
        OURS,
        progress.idle_turns,
    ),
    Measure(
        "actions",
        MeasureScope.ACTION,
        "times",
        "How often the action was done.",
        f"{TAG}GameMetrics.java, ActionTypes",
        progress.actions,
    ),
    Measure(
        "share_of_actions",
        MeasureScope.ACTION,
        SHARE,
        "The share of the decisions in which the action was chosen.",
        f"{TAG}GameMetrics.java, ActionTypes, in a share",
        progress.shares_of_actions,
    ),
    Measure(
        "share_of_cards",
        MeasureScope.CARD,
        SHARE,
        "The share of the card among those of its sort that came to seats.",
        OURS,
        holdings.shares_of_cards,
    ),
    Measure(
        "produced",
        MeasureScope.CARD,
        "cards",
        "How many came to seats by an outcome of chance, from where nobody holds them.",
        OURS,
        holdings.produced,
    ),
    Measure(
        "dealt",
        MeasureScope.CARD,
        "cards",
        "How many came to seats before the first turn, from where nobody holds them.",
        OURS,
        holdings.dealt,
    ),
    Measure(
        "taken",
        MeasureScope.CARD,
        "cards",
        "How many came to seats by an action or as the game began, from where nobody"
        " holds them.",
        OURS,
        holdings.taken,
    ),
    Measure(
        "spent",
        MeasureScope.CARD,
        "cards",
        "How many left seats by an action that has a cost, for where nobody holds"
        " them.",
        OURS,
        holdings.spent,
    ),
    Measure(
        "exchanged",
        MeasureScope.CARD,
        "cards",
        "How many left seats for where nobody holds them by an action by which others"
        " of their sort came from there.",
        OURS,
        holdings.exchanged,
    ),
    Measure(
        "discarded",
        MeasureScope.CARD,
        "cards",
        "How many left seats for where nobody holds them, neither spent nor exchanged:"
        " thrown away, or played.",
        OURS,
        holdings.discarded,
    ),
    Measure(
        "traded",
        MeasureScope.CARD,
        "cards",
        "How many went from seat to seat where each of them got something.",
        OURS,
        holdings.traded,
    ),
    Measure(
        "seized",
        MeasureScope.CARD,
        "cards",
        "How many went from seat to seat where only one of them got something.",
        OURS,
        holdings.seized,
    ),
    Measure(
        "first_card",
        MeasureScope.CARD,
        "round",
        "The round in which one first came to a seat in a turn.",
        OURS,
        holdings.first_cards,
    ),
    Measure(
        "first_piece",
        MeasureScope.PIECE,
        "round",
        "The round in which one first came to stand on a space in a turn.",
        OURS,
        holdings.first_pieces,
    ),
    Measure(
        "first_award",
        MeasureScope.AWARD,
        "round",
        "The round in which somebody first had it.",
        OURS,
        holdings.first_awards,
    ),
    Measure(
        "award_points",
        MeasureScope.AWARD,
        "points",
        "How many points more whoever got it had at the end of that turn than at the"
        " end of the turn before, as the mean of the times that somebody got it.",
        OURS,
        holdings.points_by_award,
    ),
    Measure(
        "used",
        MeasureScope.SPACE,
        "games",
        "1 if something stood on the space when the game was over, else 0.",
        f"{LUDII}single/boardCoverage/BoardCoverageUsed.java, for each space, at the"
        " end",
        holdings.used,
    ),
    Measure(
        "coverage",
        MeasureScope.SPACES,
        SHARE,
        "The share of the spaces of a sort on which something stood when the game was"
        " over.",
        f"{LUDII}single/boardCoverage/BoardCoverageDefault.java, at the end",
        holdings.coverage,
    ),
)
"""All measures. What a game cannot say, as who won where nobody did, it leaves out."""
