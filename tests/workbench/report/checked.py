"""Comparison of each figure on a page with the value computed from the tables."""

from math import ceil, isinf
from statistics import NormalDist
from typing import Any

import numpy as np
import polars as pl

from tests.workbench.report.recomputed import (
    HUNDRED,
    NUMBER,
    Figure,
    Page,
    Tables,
    bonferroni,
    quarters,
    scale_of,
    step_of,
    wilson,
)

Wanted = list[float]
NEARLY = 1e-6
PIXELS = 0.06


def wrong(page: Page, tables: Tables) -> list[str]:
    """Return the errors in the figures of a page."""
    checked = Checked(page, tables)
    return [said for figure in page.figures if (said := checked.said(figure))]


class Checked:
    """Checker of figures by their keys; an unknown key is an error."""

    def __init__(self, page: Page, tables: Tables) -> None:
        self.page, self.tables = page, tables
        others = tables.letters[1:]
        self.pairs = {letter: tables.pairs(letter) for letter in others}
        self.factors = {letter: tables.factor(letter) for letter in others}
        self.verdicts = {letter: tables.verdicts(letter) for letter in others}

    def said(self, figure: Figure) -> str:
        """Return the error in a figure, or an empty text."""
        try:
            right = self.is_right(figure)
        except (KeyError, LookupError, ValueError) as error:
            return f"{figure.key}: {error!r}"
        return "" if right else f"{figure.key}: {figure.text or figure.value}"

    def is_right(self, figure: Figure) -> bool:
        match figure.key.split("/"):
            case [letter, measure, "strip"]:
                return self.strip(figure, letter, measure)
            case [letter, measure, "between"]:
                return self.outward(figure, letter, measure)
            case [letter, measure, "change"]:
                return self.change(figure, letter, measure)
            case [letter, "digest"]:
                return str(self.variant(letter)["digest"]).startswith(figure.text)
            case parts:
                return matches(figure, self.wanted(parts))

    # ------------------------------------------------------------ whole numbers

    def wanted(self, parts: list[str]) -> Wanted:
        """Return the exact numbers of the figure with this key."""
        match parts:
            case ["pairs"]:
                return [self.tables.games("A").height]
            case ["players"]:
                return [sum(x.startswith("wins_from.") for x in self.tables.measures)]
            case ["alone"]:
                return [NormalDist().inv_cdf(0.975)]
            case ["seeds", which]:
                seeds = self.tables.games("A")["seed"]
                listed = sorted(seeds.to_list())
                return [listed[0 if which == "first" else -1]]
            case [letter, "unfinished"]:
                games = self.tables.games(letter)
                return [games.filter(pl.col("finished") == 0).height]
            case [letter, "reach"]:
                return [self.reach(letter)]
            case [letter, "all", what]:
                return [self.of_all(letter, what)]
            case [_, "race", "level"]:
                return [self.level()]
            case [letter, "race", side, *what]:
                return self.race(letter, side, what)
            case [letter, "income", of]:
                return [self.income(letter, of)]
            case [letter, "used", what]:
                return [self.used(letter, *what.split(":"))]
            case [letter, measure, what] if what in OF_GAMES:
                return self.of_games(letter, measure, what)
            case [letter, "turns", side, what]:
                return [self.dot(letter, side, int(what.removeprefix("dot:")))]
            case [letter, measure, side, what]:
                return self.of_interval(letter, side, measure, what)
            case [letter, measure, what]:
                return self.compared(letter, measure, what)
        raise KeyError(parts)

    def variant(self, letter: str) -> dict[str, Any]:
        return next(x for x in self.tables.head["variants"] if x["letter"] == letter)

    def of_all(self, letter: str, what: str) -> float:
        verdicts = self.verdicts[letter]
        if what == "factor":
            return self.factors[letter]
        if what == "looked_at":
            return sum(x not in {"same", "rare"} for x in verdicts.values())
        if what.endswith("_parts"):
            of = what.removesuffix("_parts")
            return sum(x == of and "." in name for name, x in verdicts.items())
        return [*verdicts.values()].count(what)

    # ------------------------------------------------------------ pairs

    def compared(self, letter: str, measure: str, what: str) -> Wanted:
        pair, scale = self.pairs[letter][measure], scale_of(measure)
        half = self.factors[letter] * pair.error
        middle = float(pair.difference.mean())
        lower, higher = (float((pair.difference * sign > 0).mean()) for sign in (-1, 1))
        match what:
            case "first" | "second":
                return [scale * float(getattr(pair, what).mean())]
            case "difference":
                return [scale * middle]
            case "interval":
                return [scale * (middle - half), scale * (middle + half)]
            case "lower":
                return [HUNDRED * lower]
            case "higher":
                return [HUNDRED * higher]
            case "same":
                return [HUNDRED * (1 - lower - higher)]
            case "pairs":
                return [lower, higher]
            case "spared":
                apart = np.var(pair.first, ddof=1) + np.var(pair.second, ddof=1)
                return [HUNDRED * (1 - np.var(pair.difference, ddof=1) / apart)]
        raise KeyError(what)

    def outward(self, figure: Figure, letter: str, measure: str) -> bool:
        """Return whether an interval is rounded outward, by less than one digit."""
        low, high = self.compared(letter, measure, "interval")
        ends = sorted((abs(low), abs(high)))
        told = [x for x, _ in figure.numbers]
        digit = 2 * figure.numbers[0][1]
        if len(told) == 1:
            return ends[0] >= told[0] - digit and ends[1] <= told[0] + digit
        coarse = 10.0 * digit if all(x % (10 * digit) == 0 for x in told) else digit
        return (
            len(told) == 2
            and -NEARLY <= ends[0] - told[0] < coarse
            and -NEARLY <= told[1] - ends[1] < coarse
        )

    def swings(self, letter: str, measure: str) -> Wanted:
        """Return a difference, its interval and the slight threshold, in standard
        deviations.
        """
        pair = self.pairs[letter][measure]
        half = self.factors[letter] * pair.error
        middle, swing = float(pair.difference.mean()), pair.swing or 1.0
        return [x / swing for x in (middle - half, middle, middle + half, pair.slight)]

    def reach(self, letter: str) -> float:
        told = [
            name
            for name, x in self.verdicts[letter].items()
            if x not in {"same", "rare"}
        ]
        ends = [abs(x) for name in told for x in self.swings(letter, name)[:3]]
        return next((x for x in (1, 2, 3, 5, 10) if max(ends) <= x), 10)

    def strip(self, figure: Figure, letter: str, measure: str) -> bool:
        """Return whether a strip is drawn correctly, and marked if certain."""
        reach = self.reach(letter)

        def at(swings: float) -> float:
            return 66 + 60 * max(-1.0, min(1.0, swings / reach))

        low, middle, high, slight = self.swings(letter, measure)
        inside = {x.get("class", tag): x for tag, x in figure.inside}
        drawn = [
            *(float(inside["bar"][name]) for name in ("x1", "x2")),
            float(inside["circle"]["cx"]),
            float(inside["slight"]["x"]),
            float(inside["slight"]["width"]),
        ]
        wanted = [at(low), at(high), at(middle), at(-slight), at(slight) - at(-slight)]
        certain = self.verdicts[letter][measure] in {"certain", "slight"}
        side = figure.attributes["class"].split()[-1]
        return (
            float(figure.attributes["data-reach"]) == reach
            and side == ("b" if certain else "u")
            and np.allclose(drawn, wanted, atol=PIXELS, rtol=0)
        )

    # ------------------------------------------------------------ one game

    def of_games(self, letter: str, measure: str, what: str) -> Wanted:
        """Return a number that depends on the games of one variant."""
        values = self.tables.known(letter, measure)
        match what:
            case "median":
                return [float(np.median(values))]
            case "share":
                return [HUNDRED * float(values.mean())]
        turns = self.tables.known(letter, "turns")
        return [HUNDRED * float(values.sum()) / float(turns.sum())]

    def of_interval(self, letter: str, side: str, measure: str, what: str) -> Wanted:
        """Return a number of one variant in a comparison."""
        if measure.startswith("wins_from."):
            places = sum(x.startswith("wins_from.") for x in self.tables.measures)
            values = self.tables.known(side, measure)
            low, high = wilson(values, 1 - 0.05 / (2 * places))
            share = HUNDRED * float(values.mean())
            every = {"bar": [low, high], "dot": [share], "note": [share, low, high]}
            return every[what]
        return self.comes(letter, side, measure, what)

    def comes(self, letter: str, side: str, measure: str, what: str) -> Wanted:
        """Return the quartiles of the first appearance; infinity is at the edge."""
        rounds = self.tables.games(side)[measure].to_list()
        if what == "note":
            return [HUNDRED * sum(x is not None for x in rounds) / len(rounds)]
        edge = self.edge(letter)
        low, middle, high = (min(x, edge) for x in quarters(rounds))
        return {"bar": [low, high], "dot": [middle]}[what]

    def edge(self, letter: str) -> float:
        """Return the right edge of the chart of first appearances."""
        drawn = [
            x.key.split("/")
            for x in self.page.figures
            if x.key.startswith(f"{letter}/first_") and x.key.endswith("/bar")
        ]
        ends = [
            x
            for _, measure, side, _ in drawn
            for x in quarters(self.tables.games(side)[measure].to_list())
        ]
        return max(x for x in ends if not isinf(x)) + 1

    def dot(self, letter: str, side: str, number: int) -> float:
        """Return the position of one of a hundred dots."""
        every = [self.tables.known(x, "turns") for x in ("A", letter)]
        step = step_of(np.concatenate(every))
        turns = self.tables.known(side, "turns")
        value = float(np.quantile(turns, (number + 0.5) / HUNDRED))
        return float(np.round(value / step)) * step

    # ------------------------------------------------------------ points by round

    def table(self, letter: str, what: str, rounds: int) -> np.ndarray[Any, Any]:
        """Return points by game and round; a finished game keeps its last points."""
        seeds = self.tables.games(letter)["seed"].to_list()
        rows = self.tables.of["rounds"].filter(pl.col("variant") == letter)
        made = np.zeros((len(seeds), rounds))
        places = {seed: row for row, seed in enumerate(seeds)}
        for seed, at, points in rows.select("seed", "round", what).iter_rows():
            made[places[seed], at - 1 :] = points
        return made

    def until(self, letter: str) -> int:
        rows = self.tables.of["rounds"].filter(pl.col("variant") == letter)
        last = rows.group_by("seed").agg(pl.col("round").max())["round"]
        return ceil(last.quantile(0.95, "linear") or 0)

    def race(self, letter: str, side: str, what: list[str]) -> Wanted:
        """Return a line or a band by round, or the round that reaches a level."""
        rounds = max(map(self.until, ("A", letter)))
        match what:
            case [who, "line"]:
                which = {"first": "best", "last": "last"}[who]
                return list(np.median(self.table(side, which, rounds), axis=0))
            case [_, "band"]:
                table = self.table(side, "best", rounds)
                low, high = np.quantile(table, (0.1, 0.9), axis=0)
                return [*low, *high]
            case ["when"]:
                line = self.median(side)
                return [int(np.flatnonzero(line >= self.level())[0]) + 1]
        raise KeyError(what)

    def median(self, letter: str) -> np.ndarray[Any, Any]:
        rows = self.tables.of["rounds"].filter(pl.col("variant") == letter)
        longest = int(rows["round"].max())  # type: ignore[arg-type]
        line: np.ndarray[Any, Any] = np.median(
            self.table(letter, "best", longest), axis=0
        )
        return line

    def level(self) -> float:
        return float(ceil(self.median("A")[-1] * 2 / 3))

    # ------------------------------------------------------------ spaces

    def income(self, letter: str, of: str) -> float:
        rows = self.tables.of["income"].filter(pl.col("variant") == letter)
        rows = rows.filter(pl.col("piece") == rows["piece"][0])
        if of == "turns":
            (turns,) = rows["turns"].unique()
            return float(turns)
        there = rows.filter(pl.col("space") == of)
        assert there.height
        return float(there["cards"].sum())

    def spaces(self, domain: str) -> list[str]:
        rows = self.tables.of["spaces"].filter(
            (pl.col("variant") == "A") & (pl.col("domain") == domain)
        )
        return rows["measure"].to_list()

    def domain(self, measure: str) -> str:
        rows = self.tables.of["spaces"].filter(pl.col("measure") == measure)
        return str(rows["domain"][0])

    def certain(self, letter: str, domain: str) -> dict[str, float]:
        """Return the spaces whose difference is certain, with the difference."""
        pairs = {x: self.tables.pair(letter, x) for x in self.spaces(domain)}
        tested = {name: x for name, x in pairs.items() if x.tested}
        if not tested:
            return {}
        factor = bonferroni(len(tested), self.tables.games("A").height)
        return {
            name: float(x.difference.mean())
            for name, x in tested.items()
            if abs(float(x.difference.mean())) > factor * x.error
        }

    def used(self, letter: str, what: str, domain: str) -> float:
        if what == "all":
            spaces = [self.tables.pair(letter, x) for x in self.spaces(domain)]
            return sum(bool(x.first.any() or x.second.any()) for x in spaces)
        sign = {"more": 1, "less": -1}[what]
        return sum(x * sign > 0 for x in self.certain(letter, domain).values())

    def change(self, figure: Figure, letter: str, measure: str) -> bool:
        certain = self.certain(letter, self.domain(measure))
        if measure not in certain:
            return figure.text.strip() == "·"
        return matches(figure, [HUNDRED * certain[measure]])


OF_GAMES = {"median", "share", "rate"}


def matches(figure: Figure, wanted: Wanted) -> bool:
    """Return whether the numbers of a figure are correct to their last digit."""
    if figure.value is not None and not np.allclose(
        figure.values, wanted, atol=NEARLY, rtol=NEARLY
    ):
        return False
    if not NUMBER.search(figure.text):
        return figure.value is not None
    told = figure.numbers
    if figure.attributes.get("class") == "scale":
        told = told[1:]
    return len(told) == len(wanted) and all(
        abs(number - value) <= half + NEARLY
        for (number, half), value in zip(told, wanted, strict=True)
    )
