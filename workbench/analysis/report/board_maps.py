"""Report sections about spaces: their income and use, on maps of the board."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Self

import attrs

from rulebook.model import DomainSort
from workbench.analysis.economy.heat_map import Heat
from workbench.analysis.economy.probes.income import Income
from workbench.analysis.report import maps
from workbench.analysis.report.figures import (
    Html,
    figure,
    fill_sentence,
    key,
    listed,
    named,
    number_text,
    signed,
)
from workbench.analysis.report.page import Section
from workbench.analysis.report.variants import ReportVariant
from workbench.analysis.statistics.contrasts import Contrast, paired
from workbench.analysis.statistics.family import bonferroni
from workbench.analysis.statistics.sentences import HUNDRED

USED = "used"
CERTAIN = (
    "Certain: true for all of these spaces together with 95 % confidence (Bonferroni)."
)
IN_USE = (
    "A space is in use if it is occupied at the end of the game. Shorter"
    " games leave fewer spaces in use."
)
NO_NUMBER = "A small disc without a number means that no difference is certain."
LISTED = 8
"""Maximum number of spaces that are named in a sentence."""
SMALL = 0.5
"""Relative size of the disc of a space without a certain difference."""


@attrs.frozen(eq=False)
class Spaces:
    """Spaces of one domain on the board.

    `columns` maps each space to the column that says whether it is in use.
    """

    domain: str
    plural: str
    sort: DomainSort
    columns: Mapping[str, str]


def places_of(
    first: ReportVariant, other: ReportVariant, letter: str
) -> Iterator[Section]:
    """Yield the sections about the income and use of spaces; none without a board."""
    yield from incomes((first, other))
    if first.ground is not None:
        domains = [Uses.of(first, other, spaces) for spaces in domains_of(first)]
        if domains:
            yield stand(first, other, domains, letter)


def varies(side: ReportVariant) -> str:
    """Return a note if the board differs between games, or an empty text."""
    assert side.ground is not None
    return (
        "Boards differ from game to game; the picture is the board of the first seed."
        if side.ground.varies
        else ""
    )


# ---------------------------------------------------------------- income


def incomes(sides: Sequence[ReportVariant]) -> Iterator[Section]:
    """Yield the section about the income of spaces, with the maps that differ."""
    told = [side for side in sides if side.ground is not None and side.ground.income]
    if not told:
        return
    maps_of = {side.letter: income_map(side) for side in told}
    first, *others = told
    same = [x for x in others if cards(x) == cards(first)]
    drawn = [first, *(x for x in others if x not in same)]
    assert first.ground is not None
    per = figure(key(first.letter, "income", "turns"), str(first.ground.per))
    which = [fill_sentence("It is the same in {b}.", b=x.letter) for x in same]
    yield Section(
        "Where do cards come from?",
        fill_sentence(
            "Income of one {piece} in cards per {per} turns, computed from"
            " the rules. {which}",
            piece=named(first.words.title(piece_of(first))),
            per=per,
            which=which[0] if which else "",
        ),
        [
            fill_sentence(
                "Computed from all chance outcomes, not from the games: it"
                " does not consider whether a space is blocked or ever used."
            ),
            *([fill_sentence(varies(first))] if varies(first) else []),
        ],
        [maps_of[side.letter] for side in drawn],
        [fill_sentence("{side}", side=named(side.label)) for side in drawn]
        if drawn[1:]
        else [],
    )


def piece_of(side: ReportVariant) -> str:
    """Return the piece whose income is shown: the first that yields cards."""
    assert side.ground is not None
    return next(iter(side.ground.income))


def cards(side: ReportVariant) -> Mapping[str, float]:
    """Return the number of cards of all kinds that each space yields."""
    ground = side.ground
    assert ground is not None
    income: Mapping[str, Income] = ground.income[piece_of(side)]
    return {
        space: float(sum(kinds.values()) * ground.per)
        for space, kinds in income.items()
        if space in ground.names
    }


def income_map(side: ReportVariant) -> str:
    """Return the map of the income of spaces."""
    assert side.ground is not None
    heats = {}
    for space, number in cards(side).items():
        text = number_text(number, 0 if number == round(number) else 1)
        told = f"{side.words.value(space)}: {text}"
        of = key(side.letter, "income", space)
        heats[space] = Heat(number, text, told, of)
    return maps.heat(side.ground.scene, heats, "cards", "Income of spaces")


# ---------------------------------------------------------------- use


def domains_of(side: ReportVariant) -> list[Spaces]:
    """Return the domains with spaces that are ever in use; links come last."""
    ground = side.ground
    assert ground is not None
    domains = side.book.model.domains
    made = []
    for name in dict.fromkeys(space.place.domain for space in ground.scene.spaces):
        columns = {
            space.name: column
            for space in ground.scene.spaces
            if space.place.domain == name
            and (column := column_of(side, name, space.name)) is not None
        }
        if any(side.columns[column].any() for column in columns.values()):
            plural = side.words.plural(name, domains[name].plural)
            made.append(Spaces(name, plural, domains[name].sort, columns))
    return sorted(
        made,
        key=lambda spaces: (
            spaces.sort is DomainSort.LINK,
            -sum(float(side.columns[x].mean()) for x in spaces.columns.values()),
        ),
    )


def column_of(side: ReportVariant, domain: str, space: str) -> str | None:
    """Return the name of the column that says whether a space is in use, or None."""
    names = (f"{USED}.{domain}_{space}", f"{USED}.{space}")
    return next((name for name in names if name in side.columns), None)


@attrs.frozen(eq=False)
class Uses:
    """How two variants use the spaces of a domain.

    `contrasts` contains each space that is ever in use, and `certain` names those whose
    use certainly differs.
    """

    spaces: Spaces
    contrasts: Mapping[str, Contrast]
    certain: tuple[str, ...]

    @classmethod
    def of(cls, first: ReportVariant, other: ReportVariant, spaces: Spaces) -> Self:
        """Return how two variants use these spaces."""
        contrasts = {
            space: paired(column, first.columns[column], other.columns[column])
            for space, column in spaces.columns.items()
            if column in other.columns
        }
        tested = [x for x in contrasts.values() if not x.same and not x.rare]
        factor = bonferroni(len(tested), first.games) if tested else 0.0
        certain = [
            space
            for space, x in contrasts.items()
            if x in tested and abs(x.difference) > factor * x.error
        ]
        certain.sort(key=lambda space: -abs(contrasts[space].difference))
        ever = {space: x for space, x in contrasts.items() if x.first or x.second}
        return cls(spaces, ever, tuple(certain))


def stand(
    first: ReportVariant, other: ReportVariant, domains: Sequence[Uses], letter: str
) -> Section:
    """Return the section about spaces in use, with maps of the first domain.

    Each other domain gets a line of text.
    """
    whole = domains[0]
    drawings = [use_map(first, whole)]
    captions = [fill_sentence("In use at the end, of 100 games of {a}", a=first.letter)]
    if whole.certain:
        drawings.append(change_map(first, whole, letter))
        captions.append(
            fill_sentence("{b} minus {a}, of 100 games", a=first.letter, b=other.letter)
        )
    notes = [
        IN_USE,
        CERTAIN,
        *([NO_NUMBER] if whole.certain else []),
        *([varies(first)] if varies(first) else []),
    ]
    return Section(
        "Which spaces are used?",
        counted(whole, other, letter),
        [fill_sentence(note) for note in notes],
        drawings,
        captions,
        [
            listed([counted(uses, other, letter), *changed(first, uses, letter)], " ")
            for uses in domains[1:]
        ],
    )


def counted(uses: Uses, other: ReportVariant, letter: str) -> Html:
    """Return a sentence with the numbers of spaces used more or less often."""
    spaces = uses.spaces
    if not uses.certain:
        return fill_sentence(
            "No difference between {it} is certain.", it=named(spaces.plural)
        )
    more = sum(uses.contrasts[space].difference > 0 for space in uses.certain)
    numbers = {
        "more": more,
        "less": len(uses.certain) - more,
        "all": len(uses.contrasts),
    }
    return fill_sentence(
        "Of {all} {spaces} that are ever in use, {more} are certainly used"
        " more often in {b}, {less} less often.",
        spaces=named(spaces.plural),
        b=other.letter,
        **{
            name: figure(key(letter, USED, f"{name}:{spaces.domain}"), str(number))
            for name, number in numbers.items()
        },
    )


def changed(side: ReportVariant, uses: Uses, letter: str) -> Iterator[Html]:
    """Yield text for each space used more or less often, with the difference."""
    for space in uses.certain[:LISTED]:
        contrast = uses.contrasts[space]
        number = signed(HUNDRED * contrast.difference, 0)
        yield fill_sentence(
            "{space} {number}{end}",
            space=named(side.words.value(space)),
            number=figure(key(letter, contrast.name, "change"), number),
            end="." if space == uses.certain[:LISTED][-1] else ",",
        )
    if len(uses.certain) > LISTED:
        yield fill_sentence("And more.")


def use_map(side: ReportVariant, uses: Uses) -> str:
    """Return the map of how often spaces are in use."""
    assert side.ground is not None
    heats = {}
    for space, contrast in uses.contrasts.items():
        share = HUNDRED * float(side.known(contrast.name).mean())
        text = number_text(share, 0)
        told = f"{side.words.value(space)}: {text}"
        heats[space] = Heat(share, text, told, key(side.letter, contrast.name, "share"))
    return maps.heat(side.ground.scene, heats, "of 100 games", "Spaces in use")


def change_map(side: ReportVariant, uses: Uses, letter: str) -> str:
    """Return the map of differences in use; only certain ones have a number."""
    assert side.ground is not None
    heats = {}
    for space, contrast in uses.contrasts.items():
        sure = space in uses.certain
        more = HUNDRED * contrast.difference if sure else 0.0
        text = signed(more, 0) if sure else maps.UNCERTAIN
        told = f"{side.words.value(space)}: {text}"
        of = key(letter, contrast.name, "change")
        heats[space] = Heat(more, text, told, of, 1.0 if sure else SMALL)
    return maps.difference(
        side.ground.scene, heats, "of 100 games", "Spaces that are used more or less"
    )
