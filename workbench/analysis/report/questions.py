"""Report sections that answer a question with a chart, such as who wins."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import ceil, isinf
from typing import Any

import numpy as np

from workbench.analysis.comparison.comparison import VariantComparison
from workbench.analysis.comparison.variant_games import VariantGames
from workbench.analysis.report import charts
from workbench.analysis.report.board_maps import space_sections
from workbench.analysis.report.figures import (
    Html,
    figure_key,
    fill_sentence,
    join_html,
    marked_figure,
    marked_name,
    number_text,
)
from workbench.analysis.report.measure_words import MeasureNames, capitalized
from workbench.analysis.report.page import Section
from workbench.analysis.statistics.contrasts import paired_contrast
from workbench.analysis.statistics.family import CONFIDENCE, Verdict
from workbench.analysis.statistics.quantiles import wilson_interval
from workbench.analysis.statistics.sentences import HUNDRED

MIN_GAMES = 10
"""Minimum number of games per variant; with fewer, no question is answered."""
MAX_DOT_COLUMNS = 40
"""Maximum number of columns of dots in a distribution."""
MAX_ROWS = 14
"""Maximum number of rows in a chart of actions or of first appearances."""
TURNS_PER_RATE = 100
QUARTILES = (0.25, 0.5, 0.75)
BAND_QUANTILES = (0.1, 0.9)
FINISHED_SHARE = 0.95
"""Share of finished games at which the chart of points by round ends."""
ARRIVAL_PREFIXES = ("first_piece.", "first_award.", "first_card.")
Row = dict[str, Any]


def question_sections(comparison: VariantComparison) -> Iterator[Section]:
    """Yield a section for each question that the games can answer."""
    if min(side.known_values("turns").size for side in comparison.sides) < MIN_GAMES:
        return
    for make_section in (
        length_section,
        winner_section,
        points_section,
        arrival_section,
        action_section,
    ):
        section = make_section(comparison)
        if section is not None:
            yield section
    yield from space_sections(comparison)


# ---------------------------------------------------------------- length


def length_section(comparison: VariantComparison) -> Section:
    """Return the section about the length of games."""
    measures = [side.known_values("turns") for side in comparison.sides]
    step = dot_spacing(np.concatenate(measures))
    rows: list[Row] = []
    medians: list[Row] = []
    for side, values in zip(comparison.sides, measures, strict=True):
        rows += dot_rows(comparison, side, values, step)
        median = float(np.median(values))
        text = f"half of the games are over by turn {median:g}"
        name = f"{side.letter}: {text}"
        key = figure_key(side.letter, "turns", "median")
        medians.append({"key": key, "game": side.label, "at": median, "text": name})
    halves = [marked_figure(row["key"], f"{row['at']:g}") for row in medians]
    contrast = paired_contrast(
        "turns", *(side.columns["turns"] for side in comparison.sides)
    )
    number = contrast.sample_size or 1
    shorter, longer = (
        (x or 0) / number for x in (contrast.lower_pairs, contrast.higher_pairs)
    )
    shares = {
        name: marked_figure(
            comparison.key("turns", what), number_text(HUNDRED * share, 0)
        )
        for name, what, share in (
            ("shorter", "lower", shorter),
            ("same", "same", 1 - shorter - longer),
            ("longer", "higher", longer),
        )
    }
    dots = charts.dot_chart(rows, medians, comparison.labels, "turns in a game")
    notes = [
        fill_sentence(
            "Each dot is one game in a hundred: the hundred percentiles of all games."
        ),
    ]
    saved = saved_games_sentence(comparison)
    if saved is not None:
        notes.append(saved)
    return Section(
        "How long is a game?",
        fill_sentence(
            "Half of the games are over by turn {a} in {x} and by turn {b} in {y}.",
            a=halves[0],
            b=halves[1],
            x=comparison.first.letter,
            y=comparison.second.letter,
        ),
        notes,
        [dots, charts.pairs_bar(comparison.key("turns", "pairs"), shorter, longer)],
        [
            "",
            fill_sentence(
                "Of 100 pairs, {y} is shorter in {shorter}, equally long in"
                " {same} and longer in {longer}.",
                y=comparison.second.letter,
                **shares,
            ),
        ],
    )


def saved_games_sentence(comparison: VariantComparison) -> Html | None:
    """Return a sentence on how many games the equal seeds saved, or None if none."""
    a, b = (side.columns["turns"] for side in comparison.sides)
    known = ~(np.isnan(a) | np.isnan(b))
    variance = np.var(a[known], ddof=1) + np.var(b[known], ddof=1)
    share = 1 - np.var(b[known] - a[known], ddof=1) / variance if variance else 0.0
    if share <= 0:
        return None
    text = marked_figure(
        comparison.key("turns", "spared"), number_text(HUNDRED * share, 0)
    )
    return fill_sentence(
        "Using the same seeds on both sides saved {share} of 100 games that"
        " the same precision would otherwise need.",
        share=text,
    )


def dot_spacing(values: Any) -> float:
    """Return the distance between columns of dots: 1, 2 or 5 times a power of ten."""
    rough = max((values.max() - values.min()) / MAX_DOT_COLUMNS, 1.0)
    power = 10 ** np.floor(np.log10(rough))
    return float(next(power * m for m in (1, 2, 5, 10) if power * m >= rough))


def dot_rows(
    comparison: VariantComparison, side: VariantGames, values: Any, step: float
) -> Iterator[Row]:
    """Yield the dots of a variant: its percentiles, rounded to multiples of *step*."""
    shares = (np.arange(charts.DOTS_PER_VARIANT) + 0.5) / charts.DOTS_PER_VARIANT
    seen: Counter[float] = Counter()
    for number, value in enumerate(np.quantile(values, shares)):
        at = float(np.round(value / step) * step)
        seen[at] += 1
        key = comparison.key("turns", side.letter, f"dot:{number}")
        yield {"key": key, "game": side.label, "at": at, "height": seen[at]}


# ---------------------------------------------------------------- winners


def winner_section(comparison: VariantComparison) -> Section | None:
    """Return the section about who wins by position in the turn order, or None."""
    measures = [
        name for name in comparison.first.columns if name.startswith("wins_from.")
    ]
    if len(measures) < 2:
        return None
    confidence = 1 - (1 - CONFIDENCE) / (2 * len(measures))
    rows: list[Row] = []
    uneven = []
    even = HUNDRED / len(measures)
    measure_names = MeasureNames(comparison.first.localizer)
    for measure in measures:
        label = f"{capitalized(measure_names.part_name(measure))} player"
        for side in comparison.sides:
            values = side.known_values(measure)
            low, high = wilson_interval(int(values.sum()), values.size, confidence)
            share = HUNDRED * float(values.mean())
            note = (
                f"{number_text(share, 1)} ({HUNDRED * low:.0f} to {HUNDRED * high:.0f})"
            )
            rows.append(
                {
                    "key": comparison.key(measure, side.letter),
                    "label": label,
                    "game": side.label,
                    "low": HUNDRED * low,
                    "middle": share,
                    "high": HUNDRED * high,
                    "note": note,
                }
            )
            if not low <= even / HUNDRED <= high:
                uneven.append(f"{label.lower()} in {side.letter}")
    finding = (
        fill_sentence(
            "Certainly different from an even chance: {who}.", who=", ".join(uneven)
        )
        if uneven
        else fill_sentence(
            "No position certainly wins more or less often than an even chance."
        )
    )
    return Section(
        "Who wins?",
        finding,
        (
            fill_sentence(
                "Positions are counted in turn order from the first player, not"
                " by colour."
            ),
            fill_sentence(
                "Together, all bars hold with 95 % confidence (Wilson). A bar"
                " that touches the dotted line (an even chance) does not"
                " prove fairness: the true value may be anywhere in the bar."
            ),
        ),
        [charts.interval_chart(rows, comparison.labels, "won, of 100 games", even)],
    )


# ---------------------------------------------------------------- points by round


def points_section(comparison: VariantComparison) -> Section | None:
    """Return the section about the best and the last player's points by round."""
    shown_rounds = max(last_drawn_round(side) for side in comparison.sides)
    if shown_rounds < 2:
        return None
    rows: list[Row] = []
    for side in comparison.sides:
        best, last = (table[:, :shown_rounds] for table in side.points_by_round)
        for who, what, table in (
            ("first", "the leader", best),
            ("last", "the last", last),
        ):
            row: Row = {
                "key": comparison.key("race", side.letter, who),
                "game": side.label,
                "who": what,
                "line": np.median(table, axis=0).tolist(),
            }
            if who == "first":
                low, high = np.quantile(table, BAND_QUANTILES, axis=0)
                row |= {"low": low.tolist(), "high": high.tolist()}
            rows.append(row)
    return Section(
        "How do points develop?",
        leader_sentence(comparison),
        (
            fill_sentence(
                "Upper lines: the leader in the median game; lower lines: the"
                " last player; band: the leader in the middle 80 of 100"
                " games. Dashed grey is {a}, solid orange {b}.",
                a=comparison.first.letter,
                b=comparison.second.letter,
            ),
            fill_sentence(
                "A finished game keeps its final points, so that every round"
                " includes all games."
            ),
        ),
        [
            charts.line_chart(
                extend_to_equal_length(rows),
                comparison.labels,
                "rounds played",
                "points",
            )
        ],
    )


def last_drawn_round(side: VariantGames) -> int:
    """Return the round by which `FINISHED_SHARE` of the games are finished."""
    rounds = [
        points.rounds[-1]
        for x in side.results
        if (points := x.points_by_round) and points.rounds
    ]
    return ceil(np.quantile(rounds, FINISHED_SHARE)) if rounds else 0


def extend_to_equal_length(rows: Sequence[Row]) -> list[Row]:
    """Return lines extended to equal length by repeating their last values."""
    longest = max(len(row["line"]) for row in rows)
    lists = ("line", "low", "high")
    return [
        {
            name: value + value[-1:] * (longest - len(value))
            if name in lists
            else value
            for name, value in row.items()
        }
        for row in rows
    ]


def leader_sentence(comparison: VariantComparison) -> Html | str:
    """Return a sentence on when the leader has 2/3 of the final points, or nothing."""
    lines = [np.median(side.points_by_round[0], axis=0) for side in comparison.sides]
    points = ceil(lines[0][-1] * 2 / 3)
    when = [np.flatnonzero(line >= points) for line in lines]
    if points <= 0 or not all(rounds.size for rounds in when):
        return ""
    a, b = (
        marked_figure(comparison.key("race", side.letter, "when"), str(rounds[0] + 1))
        for side, rounds in zip(comparison.sides, when, strict=True)
    )
    return fill_sentence(
        "In the median game the leader has {points} points after round {a} in {x} and"
        " after round {b} in {y}.",
        points=marked_figure(
            figure_key(comparison.first.letter, "race", "level"), str(points)
        ),
        a=a,
        b=b,
        x=comparison.first.letter,
        y=comparison.second.letter,
    )


# ---------------------------------------------------------------- first appearances


def arrival_section(comparison: VariantComparison) -> Section | None:
    """Return the section about the first appearance of pieces, cards and awards."""
    names = [
        name
        for prefix in ARRIVAL_PREFIXES
        for name in comparison.first.columns
        if name.startswith(prefix) and name in comparison.second.columns
    ]
    quarters = {
        name: [arrival_quartiles(side.columns[name]) for side in comparison.sides]
        for name in names
    }
    drawn = [name for name in names if not any(isinf(q[1]) for q in quarters[name])]
    drawn = sorted(
        sorted_arrivals(comparison, drawn)[:MAX_ROWS],
        key=lambda name: quarters[name][0][1],
    )
    rare = [name for name in names if all(isinf(q[1]) for q in quarters[name])]
    if not drawn:
        return None
    measure_names = MeasureNames(comparison.first.localizer)
    ends = [x for name in drawn for q in quarters[name] for x in q if not isinf(x)]
    limit = max(ends) + 1
    rows = [
        {
            "key": comparison.key(name, side.letter),
            "label": capitalized(measure_names.part_name(name)),
            "game": side.label,
            **{
                what: min(value, limit)
                for what, value in zip(("low", "middle", "high"), quarter, strict=True)
            },
            "note": f"in {number_text(arrival_percentage(side, name), 0)} of 100 games",
        }
        for name in drawn
        for side, quarter in zip(comparison.sides, quarters[name], strict=True)
    ]
    titles = [marked_name(capitalized(measure_names.part_name(name))) for name in rare]
    rare_sentence = fill_sentence(
        "In fewer than half of the games: {them}.", them=join_html(titles)
    )
    return Section(
        "When do pieces, cards and awards first appear?",
        fill_sentence(
            "The dot is the median game, the bar the middle half of all games."
        ),
        (
            fill_sentence(
                "Games in which one never appeared count as later than all"
                " others; a bar that reaches the right edge is open-ended."
            ),
            fill_sentence(
                "The bars show how games differ, not how sure the report is."
            ),
        ),
        [
            charts.interval_chart(
                rows, comparison.labels, "round of the first appearance"
            )
        ],
        [rare_sentence if rare else ""],
    )


def sorted_arrivals(comparison: VariantComparison, names: Sequence[str]) -> list[str]:
    """Return names with pieces and awards first, then cards by size of difference."""
    sizes = {
        judged.contrast.name: judged.size
        for judged in comparison.family.measures
        if judged.verdict in {Verdict.CERTAIN, Verdict.SLIGHT}
    }
    return sorted(
        names,
        key=lambda name: (name.startswith(ARRIVAL_PREFIXES[-1]), -sizes.get(name, 0.0)),
    )


def arrival_quartiles(rounds: Any) -> tuple[float, ...]:
    """Return the quartiles of rounds by nearest rank; NaN counts as infinity."""
    ordered = np.sort(np.where(np.isnan(rounds), np.inf, rounds))
    return tuple(float(ordered[ceil(share * ordered.size) - 1]) for share in QUARTILES)


def arrival_percentage(side: VariantGames, name: str) -> float:
    """Return in how many of 100 games the item of a column appears."""
    return HUNDRED * float(np.mean(~np.isnan(side.columns[name])))


# ---------------------------------------------------------------- actions


def action_section(comparison: VariantComparison) -> Section | None:
    """Return the section about the number of actions per hundred turns."""
    turns = [float(side.known_values("turns").sum()) for side in comparison.sides]
    names = [name for name in comparison.first.columns if name.startswith("actions.")]
    if not names or not min(turns):
        return None
    rates: Mapping[str, list[float]] = {
        name: [
            TURNS_PER_RATE * float(side.known_values(name).sum()) / all_turns
            for side, all_turns in zip(comparison.sides, turns, strict=True)
        ]
        for name in names
    }
    drawn = sorted(rates, key=lambda name: -max(rates[name]))[:MAX_ROWS]
    measure_names = MeasureNames(comparison.first.localizer)
    rows = [
        {
            "key": figure_key(side.letter, name, "rate"),
            "label": capitalized(measure_names.part_name(name)),
            "game": side.label,
            "value": rate,
            "note": number_text(rate, 1),
        }
        for name in drawn
        if max(rates[name])
        for side, rate in zip(comparison.sides, rates[name], strict=True)
    ]
    return Section(
        "What do players do?",
        fill_sentence("The actions chosen most often."),
        (
            fill_sentence(
                "Counted per 100 turns, so that shorter games do not seem to"
                " have fewer."
            ),
        ),
        [
            charts.bar_chart(
                rows, comparison.labels, "times per 100 turns, all players together"
            )
        ],
    )
