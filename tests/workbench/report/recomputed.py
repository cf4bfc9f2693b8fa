"""Figures of a report, computed again from its tables with polars."""

import json
import re
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from math import ceil, floor, inf, log10, sqrt
from pathlib import Path
from statistics import NormalDist
from typing import Any

import attrs
import numpy as np
import polars as pl
import pyarrow.parquet as pq

from workbench.analysis.measures.measure_table import ALL_MEASURES, SHARE

WITH_FIGURES, PLAIN = "data-figure", ("data-name",)
VOID = {"meta", "br", "link", "img", "input"}
SKIPPED = {"head", "style", "pre"}
NO_FIGURES = {"role-axis-label", "role-axis-title", "board", "names"}
CONVENTIONS = re.compile(
    r"in 95 of 100 such reports|95\s%|80 of 100 games|[Oo]f 100\b|100 turns"
    r"|fewer than 10 pairs"
)
NUMBER = re.compile(r"[+−]?\d[\d,]*(?:\.\d+)?")
HUNDRED = 100
RARE = 10
UNITS = {measure.name: measure.unit for measure in ALL_MEASURES}


@attrs.frozen
class Figure:
    """Figure of a page: its key, its text, and the values that it was drawn from."""

    key: str
    text: str
    value: str | None
    attributes: Mapping[str, str]
    inside: Sequence[tuple[str, Mapping[str, str]]]

    @property
    def numbers(self) -> list[tuple[float, float]]:
        """Return the numbers in the text, each with half a unit of its last digit."""
        return [
            (float(x.replace(",", "").replace("−", "-")), 10.0 ** -places(x) / 2)
            for x in NUMBER.findall(CONVENTIONS.sub("", self.text))
        ]

    @property
    def values(self) -> list[float]:
        """Return the numbers that the figure was drawn from."""
        return [float(x) for x in (self.value or "").split()]


def places(number: str) -> int:
    """Return the number of decimal places of a number."""
    return len(number.partition(".")[2])


class Page(HTMLParser):
    """Parser that collects the figures of a page, and other texts with digits."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.figures: list[Figure] = []
        self.unmarked: list[str] = []
        self.command = ""
        self._open: list[tuple[str, dict[str, str]]] = []
        self._within: list[tuple[int, list[str], list[Any]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        known = {name: value or "" for name, value in attrs}
        for _, _, inside in self._within:
            inside.append((tag, known))
        if tag in VOID:
            return
        self._open.append((tag, known))
        if WITH_FIGURES in known:
            self._within.append((len(self._open), [], []))

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        name, known = self._open.pop()
        assert name == tag, (name, tag)
        if self._within and self._within[-1][0] > len(self._open):
            _, texts, inside = self._within.pop()
            key, value = known[WITH_FIGURES], known.get("data-value") or None
            self.figures.append(Figure(key, "".join(texts), value, known, inside))

    def handle_data(self, data: str) -> None:
        tags = [tag for tag, _ in self._open]
        if "pre" in tags:
            self.command += data
        if SKIPPED & set(tags):
            return
        known = [attributes for _, attributes in self._open]
        classes = {name for x in known for name in x.get("class", "").split()}
        if classes & NO_FIGURES or any(name in x for x in known for name in PLAIN):
            return
        if self._within:
            if tags[-1] != "title":
                self._within[-1][1].append(data)
        elif re.search(r"\d", CONVENTIONS.sub("", data)):
            self.unmarked.append(data.strip())


@attrs.define(eq=False)
class Pair:
    """Values of a measure in pairs of games in which it applies to both."""

    first: np.ndarray[Any, Any]
    second: np.ndarray[Any, Any]

    @property
    def difference(self) -> np.ndarray[Any, Any]:
        apart: np.ndarray[Any, Any] = self.second - self.first
        return apart

    @property
    def number(self) -> int:
        return len(self.first)

    @property
    def differ(self) -> int:
        return int((self.difference != 0).sum())

    @property
    def error(self) -> float:
        return float(np.std(self.difference, ddof=1)) / sqrt(self.number)

    @property
    def swing(self) -> float:
        return sqrt((np.var(self.first, ddof=1) + np.var(self.second, ddof=1)) / 2)

    @property
    def slight(self) -> float:
        values = set(self.first) | set(self.second)
        return 0.05 if values <= {0.0, 1.0} else 0.2 * self.swing

    @property
    def tested(self) -> bool:
        return self.differ >= RARE


class Tables:
    """Tables next to a page."""

    def __init__(self, page: Path) -> None:
        self.of = {
            name: pl.read_parquet(page.with_suffix(f".{name}.parquet"))
            for name in ("games", "rounds", "spaces", "income")
        }
        said = pq.read_schema(page.with_suffix(".games.parquet")).metadata
        self.head: dict[str, Any] = json.loads(said[b"rulebook"])
        games = self.of["games"]
        self.measures = [x for x in games.columns if x not in ("variant", "seed")]
        self.letters = games["variant"].unique(maintain_order=True).to_list()

    def games(self, letter: str) -> pl.DataFrame:
        return self.of["games"].filter(pl.col("variant") == letter).sort("seed")

    def known(self, letter: str, measure: str) -> np.ndarray[Any, Any]:
        return self.games(letter)[measure].drop_nulls().to_numpy()

    def pair(self, letter: str, measure: str) -> Pair:
        both = self.games("A").join(self.games(letter), on="seed", suffix="_other")
        both = both.select(measure, f"{measure}_other").drop_nulls()
        return Pair(both[measure].to_numpy(), both[f"{measure}_other"].to_numpy())

    def pairs(self, letter: str) -> dict[str, Pair]:
        names = (name for name in self.measures if not name.startswith("used."))
        return {name: self.pair(letter, name) for name in names}

    def factor(self, letter: str) -> float:
        """Return the half-width of a comparison's intervals in standard errors."""
        tested = [x for x in self.pairs(letter).values() if x.tested]
        if not tested:
            return 0.0
        number = min(x.number for x in tested)
        if number < HUNDRED:
            return bonferroni(len(tested), number)
        games = self.games("A").height
        deviations = np.zeros((games, len(tested)))
        names = [name for name, x in self.pairs(letter).items() if x.tested]
        for column, name in enumerate(names):
            first, second = (
                self.games(x)[name].to_numpy().astype(float) for x in ("A", letter)
            )
            apart = second - first
            centred = apart - np.nanmean(apart)
            deviations[:, column] = np.nan_to_num(centred) / np.sqrt(
                np.nansum(centred**2)
            )
        values, vectors = np.linalg.eigh(deviations.T @ deviations)
        root = vectors * np.sqrt(np.clip(values, 0, None)) @ vectors.T
        draws = np.random.default_rng(20_061).standard_normal((20_000, len(tested)))
        return float(np.quantile(np.abs(draws @ root).max(axis=1), 0.95))

    def verdicts(self, letter: str) -> dict[str, str]:
        factor = self.factor(letter)
        return {name: verdict(x, factor) for name, x in self.pairs(letter).items()}


def bonferroni(measures: int, number: int) -> float:
    probability = 1 - 0.05 / 2 / measures
    if number >= HUNDRED:
        return NormalDist().inv_cdf(probability)
    from scipy.stats import t as student  # takes half a second to import

    return float(student.ppf(probability, number - 1))


def verdict(x: Pair, factor: float) -> str:
    if not x.differ:
        return "same"
    if not x.tested:
        return "rare"
    middle, half = float(x.difference.mean()), factor * x.error
    inside = max(abs(middle - half), abs(middle + half)) < x.slight
    if abs(middle) > half:
        return "slight" if inside else "certain"
    return "unchanged" if inside else "not_known"


def scale_of(measure: str) -> int:
    unit = UNITS.get(measure.partition(".")[0])
    return HUNDRED if unit in {SHARE, "games"} else 1


def wilson(values: np.ndarray[Any, Any], sure: float) -> tuple[float, float]:
    n, share = len(values), float(values.mean())
    z = NormalDist().inv_cdf((1 + sure) / 2)
    middle = (share + z**2 / 2 / n) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * sqrt(share * (1 - share) / n + z**2 / 4 / n**2)
    return HUNDRED * (middle - half), HUNDRED * (middle + half)


def quarters(rounds: Sequence[float | None]) -> list[float]:
    ordered = sorted(inf if x is None else x for x in rounds)
    return [ordered[ceil(len(ordered) * share) - 1] for share in (0.25, 0.5, 0.75)]


def step_of(values: np.ndarray[Any, Any]) -> float:
    rough = max((values.max() - values.min()) / 40, 1.0)
    power = 10.0 ** floor(log10(rough))
    return next(power * m for m in (1, 2, 5, 10) if power * m >= rough)
