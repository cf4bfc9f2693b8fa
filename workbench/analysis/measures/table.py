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


class Of(Enum):
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
    of: Of
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
        of = Of.SEAT if said.each_player else Of.GAME
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
        Of.GAME,
        "turns",
        "How many turns had begun when the game was over.",
        DURATION,
        progress.turns,
    ),
    Measure(
        "rounds",
        Of.GAME,
        "rounds",
        "How many rounds had begun when the game was over.",
        f"{TAG}GameMetrics.java, GameDuration",
        progress.rounds,
    ),
    Measure(
        "decisions",
        Of.GAME,
        "decisions",
        "How many actions were done, passes among them.",
        f"{LUDII}single/duration/DurationMoves.java; {TAG}GameMetrics.java,"
        " GameDuration (ticks)",
        progress.decisions,
    ),
    Measure(
        "finished",
        Of.GAME,
        "games",
        "1 if the game came to its end, 0 if it was given up at a limit.",
        f"{LUDII}single/outcome/Completion.java",
        progress.finished,
    ),
    Measure(
        "ties",
        Of.GAME,
        "games",
        "1 if the game ended with several winners or none, else 0.",
        f"{LUDII}single/outcome/Drawishness.java",
        progress.ties,
    ),
    Measure(
        "wins",
        Of.SEAT,
        "games",
        "1 if the seat won, alone or with others, else 0.",
        f"{TAG}GameMetrics.java, OrdinalPosition",
        progress.wins,
    ),
    Measure(
        "wins_from",
        Of.PLACE,
        "games",
        "1 if who sits at that place counted from the first player won, else 0.",
        f"{LUDII}single/outcome/AdvantageP1.java, for each place",
        progress.wins_from,
    ),
    Measure(
        "gain",
        Of.BOT,
        SHARE,
        "Where several bots play: what the bot's seats had of the win, which several"
        " winners part, less their share of all seats; 0 where nobody won.",
        OURS,
        progress.gains,
    ),
    Measure(
        "points",
        Of.SEAT,
        "points",
        "What the seat had when the game was over.",
        f"{TAG}GameMetrics.java, GameScore",
        progress.points,
    ),
    Measure(
        "points_from",
        Of.PLACE,
        "points",
        "What who sits at that place counted from the first player had when the game"
        " was over.",
        f"{TAG}GameMetrics.java, GameScore, for each place",
        progress.points_from,
    ),
    Measure(
        "margin",
        Of.GAME,
        "points",
        "What the only winner had more than the best of the others.",
        f"{LUDII}multiple/metrics/ScoreDifference.java, at the end",
        progress.margin,
    ),
    Measure(
        "lead_changes",
        Of.GAME,
        "times",
        "How often who leads alone at the end of a turn is another than the last who"
        " did.",
        f"{LIKE_LUDII}{LUDII}single/stateEvaluation/LeadChange.java and Browne 2008",
        progress.lead_changes,
    ),
    Measure(
        "drama",
        Of.GAME,
        "points",
        "How far the only winner was behind the best of the others, as the mean over"
        " the ends of all turns, 0 where not.",
        f"{LIKE_LUDII}{LUDII}multiple/metrics/Drama.java (average) and Browne 2008",
        progress.drama,
    ),
    Measure(
        "comeback",
        Of.GAME,
        "points",
        "The most that the only winner was behind the best of the others at the end of"
        " a turn, 0 if never.",
        f"{LIKE_LUDII}{LUDII}multiple/metrics/Drama.java (maximum) and Browne 2008",
        progress.comeback,
    ),
    Measure(
        "known_for",
        Of.GAME,
        "turns",
        "How many turns were left when the only winner was ahead for good: from then on"
        " he led alone at the end of every turn.",
        f"{LIKE_LUDII}{LUDII}single/stateEvaluation/decisiveness/"
        "DecisivenessMoves.java",
        progress.known_for,
    ),
    Measure(
        "decisiveness",
        Of.GAME,
        SHARE,
        "The share of the turns that were left when the only winner first had more than"
        " any other ever had.",
        f"{LIKE_LUDII}{LUDII}single/stateEvaluation/decisiveness/"
        "DecisivenessMoves.java and DecisivenessThreshold.java",
        progress.decisiveness,
    ),
    Measure(
        "branching",
        Of.GAME,
        "actions",
        "How many actions were legal, as the mean of all decisions.",
        f"{LUDII}multiple/metrics/BranchingFactor.java; {TAG}GameMetrics.java,"
        " ActionSpace",
        progress.branching,
    ),
    Measure(
        "branching_at",
        Of.ACTION,
        "actions",
        "How many actions were legal when the action was done, as the mean of its"
        " times.",
        OURS,
        progress.branching_at,
    ),
    Measure(
        "real_choices",
        Of.GAME,
        SHARE,
        "The share of the decisions in which more than one action was legal.",
        f"{LUDII}single/complexity/DecisionMoves.java; {TAG}GameMetrics.java,"
        " Decisions",
        progress.real_choices,
    ),
    Measure(
        "idle_turns",
        Of.GAME,
        SHARE,
        "The share of the turns in which no action moved a card, a piece or an award.",
        OURS,
        progress.idle_turns,
    ),
    Measure(
        "actions",
        Of.ACTION,
        "times",
        "How often the action was done.",
        f"{TAG}GameMetrics.java, ActionTypes",
        progress.actions,
    ),
    Measure(
        "share_of_actions",
        Of.ACTION,
        SHARE,
        "The share of the decisions in which the action was chosen.",
        f"{TAG}GameMetrics.java, ActionTypes, in a share",
        progress.shares_of_actions,
    ),
    Measure(
        "share_of_cards",
        Of.CARD,
        SHARE,
        "The share of the card among those of its sort that came to seats.",
        OURS,
        holdings.shares_of_cards,
    ),
    Measure(
        "produced",
        Of.CARD,
        "cards",
        "How many came to seats by an outcome of chance, from where nobody holds them.",
        OURS,
        holdings.produced,
    ),
    Measure(
        "dealt",
        Of.CARD,
        "cards",
        "How many came to seats before the first turn, from where nobody holds them.",
        OURS,
        holdings.dealt,
    ),
    Measure(
        "taken",
        Of.CARD,
        "cards",
        "How many came to seats by an action or as the game began, from where nobody"
        " holds them.",
        OURS,
        holdings.taken,
    ),
    Measure(
        "spent",
        Of.CARD,
        "cards",
        "How many left seats by an action that has a cost, for where nobody holds"
        " them.",
        OURS,
        holdings.spent,
    ),
    Measure(
        "exchanged",
        Of.CARD,
        "cards",
        "How many left seats for where nobody holds them by an action by which others"
        " of their sort came from there.",
        OURS,
        holdings.exchanged,
    ),
    Measure(
        "discarded",
        Of.CARD,
        "cards",
        "How many left seats for where nobody holds them, neither spent nor exchanged:"
        " thrown away, or played.",
        OURS,
        holdings.discarded,
    ),
    Measure(
        "traded",
        Of.CARD,
        "cards",
        "How many went from seat to seat where each of them got something.",
        OURS,
        holdings.traded,
    ),
    Measure(
        "seized",
        Of.CARD,
        "cards",
        "How many went from seat to seat where only one of them got something.",
        OURS,
        holdings.seized,
    ),
    Measure(
        "first_card",
        Of.CARD,
        "round",
        "The round in which one first came to a seat in a turn.",
        OURS,
        holdings.first_cards,
    ),
    Measure(
        "first_piece",
        Of.PIECE,
        "round",
        "The round in which one first came to stand on a space in a turn.",
        OURS,
        holdings.first_pieces,
    ),
    Measure(
        "first_award",
        Of.AWARD,
        "round",
        "The round in which somebody first had it.",
        OURS,
        holdings.first_awards,
    ),
    Measure(
        "award_points",
        Of.AWARD,
        "points",
        "How many points more whoever got it had at the end of that turn than at the"
        " end of the turn before, as the mean of the times that somebody got it.",
        OURS,
        holdings.points_by_award,
    ),
    Measure(
        "used",
        Of.SPACE,
        "games",
        "1 if something stood on the space when the game was over, else 0.",
        f"{LUDII}single/boardCoverage/BoardCoverageUsed.java, for each space, at the"
        " end",
        holdings.used,
    ),
    Measure(
        "coverage",
        Of.SPACES,
        SHARE,
        "The share of the spaces of a sort on which something stood when the game was"
        " over.",
        f"{LUDII}single/boardCoverage/BoardCoverageDefault.java, at the end",
        holdings.coverage,
    ),
)
"""All measures. What a game cannot say, as who won where nobody did, it leaves out."""
