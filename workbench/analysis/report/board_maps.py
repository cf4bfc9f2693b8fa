"""Report sections about spaces: their income and use, on maps of the board."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Self

import attrs

from rulebook.model import DomainSort
from workbench.analysis.comparison.comparison import VariantComparison
from workbench.analysis.comparison.variant_games import VariantGames
from workbench.analysis.economy.heat_map import Heat
from workbench.analysis.economy.probes.income_probe import Income
from workbench.analysis.report import maps
from workbench.analysis.report.figures import (
    Html,
    figure_key,
    fill_sentence,
    join_html,
    marked_figure,
    marked_name,
    number_text,
    signed_text,
)
from workbench.analysis.report.page import Section
from workbench.analysis.statistics.contrasts import Contrast, paired_contrast
from workbench.analysis.statistics.family import bonferroni_factor
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
MAX_NAMED_SPACES = 8
"""Maximum number of spaces that are named in a sentence."""
UNCERTAIN_DISC_SIZE = 0.5
"""Relative size of the disc of a space without a certain difference."""


@attrs.frozen(eq=False)
class BoardSpaces:
    """Spaces of one domain on the board.

    `columns` maps each space to the name of the column with its use (0 or 1).
    """

    domain: str
    plural: str
    sort: DomainSort
    columns: Mapping[str, str]


def space_sections(comparison: VariantComparison) -> Iterator[Section]:
    """Yield the sections about the income and use of spaces; none without a board."""
    yield from income_sections(comparison.sides)
    if comparison.first.board_income is not None:
        domains = [
            SpaceUse.of_variants(*comparison.sides, spaces)
            for spaces in used_domains(comparison.first)
        ]
        if domains:
            yield space_use_section(comparison, domains)


def varying_board_note(side: VariantGames) -> str:
    """Return a note if the board differs between games, or an empty string."""
    assert side.board_income is not None
    return (
        "Boards differ from game to game; the picture is the board of the first seed."
        if side.board_income.varies
        else ""
    )


# ---------------------------------------------------------------- income


def income_sections(sides: Sequence[VariantGames]) -> Iterator[Section]:
    """Yield the section about the income of spaces; equal incomes share a map."""
    with_income = [
        side
        for side in sides
        if side.board_income is not None and side.board_income.income
    ]
    if not with_income:
        return
    maps_of = {side.letter: income_map(side) for side in with_income}
    first, *others = with_income
    equal = [x for x in others if cards_by_space(x) == cards_by_space(first)]
    drawn = [first, *(x for x in others if x not in equal)]
    assert first.board_income is not None
    turns = marked_figure(
        figure_key(first.letter, "income", "turns"), str(first.board_income.turns)
    )
    notes = [fill_sentence("It is the same in {b}.", b=x.letter) for x in equal]
    yield Section(
        "Where do cards come from?",
        fill_sentence(
            "Income of one {piece} in cards per {per} turns, computed from"
            " the rules. {which}",
            piece=marked_name(first.localizer.title(income_piece(first))),
            per=turns,
            which=notes[0] if notes else "",
        ),
        [
            fill_sentence(
                "Computed from all chance outcomes, not from the games: it"
                " does not consider whether a space is blocked or ever used."
            ),
            *(
                [fill_sentence(varying_board_note(first))]
                if varying_board_note(first)
                else []
            ),
        ],
        [maps_of[side.letter] for side in drawn],
        [fill_sentence("{side}", side=marked_name(side.label)) for side in drawn]
        if drawn[1:]
        else [],
    )


def income_piece(side: VariantGames) -> str:
    """Return the piece whose income is shown: the first that yields cards."""
    assert side.board_income is not None
    return next(iter(side.board_income.income))


def cards_by_space(side: VariantGames) -> Mapping[str, float]:
    """Return the total number of cards that each space yields in the turns shown."""
    board = side.board_income
    assert board is not None
    income: Mapping[str, Income] = board.income[income_piece(side)]
    return {
        space: float(sum(kinds.values()) * board.turns)
        for space, kinds in income.items()
        if space in board.names
    }


def income_map(side: VariantGames) -> str:
    """Return the map of the income of spaces."""
    assert side.board_income is not None
    heats = {}
    for space, number in cards_by_space(side).items():
        text = number_text(number, 0 if number == round(number) else 1)
        tooltip = f"{side.localizer.value(space)}: {text}"
        key = figure_key(side.letter, "income", space)
        heats[space] = Heat(number, text, tooltip, key)
    return maps.amount_map(side.board_income.scene, heats, "cards", "Income of spaces")


# ---------------------------------------------------------------- use


def used_domains(side: VariantGames) -> list[BoardSpaces]:
    """Return the domains with spaces that are ever in use; links come last."""
    board = side.board_income
    assert board is not None
    domains = side.book.model.domains
    shown_spaces = []
    for name in dict.fromkeys(space.place.domain for space in board.scene.spaces):
        columns = {
            space.name: column
            for space in board.scene.spaces
            if space.place.domain == name
            and (column := usage_column(side, name, space.name)) is not None
        }
        if any(side.columns[column].any() for column in columns.values()):
            plural = side.localizer.plural(name, domains[name].plural)
            shown_spaces.append(BoardSpaces(name, plural, domains[name].sort, columns))
    return sorted(
        shown_spaces,
        key=lambda spaces: (
            spaces.sort is DomainSort.LINK,
            -sum(float(side.columns[x].mean()) for x in spaces.columns.values()),
        ),
    )


def usage_column(side: VariantGames, domain: str, space: str) -> str | None:
    """Return the name of the column with the use (0 or 1) of a space, or None."""
    names = (f"{USED}.{domain}_{space}", f"{USED}.{space}")
    return next((name for name in names if name in side.columns), None)


@attrs.frozen(eq=False)
class SpaceUse:
    """Use of the spaces of a domain in the games of two variants.

    `contrasts` contains each space that is ever in use, and `certain_changes` names
    those whose use differs with certainty.
    """

    spaces: BoardSpaces
    contrasts: Mapping[str, Contrast]
    certain_changes: tuple[str, ...]

    @classmethod
    def of_variants(
        cls, first: VariantGames, other: VariantGames, spaces: BoardSpaces
    ) -> Self:
        """Return the use of these spaces in the games of two variants."""
        contrasts = {
            space: paired_contrast(column, first.columns[column], other.columns[column])
            for space, column in spaces.columns.items()
            if column in other.columns
        }
        tested = [x for x in contrasts.values() if not x.is_same and not x.is_too_rare]
        factor = bonferroni_factor(len(tested), len(first.results)) if tested else 0.0
        certain = [
            space
            for space, x in contrasts.items()
            if x in tested and abs(x.difference) > factor * x.standard_error
        ]
        certain.sort(key=lambda space: -abs(contrasts[space].difference))
        used = {
            space: x for space, x in contrasts.items() if x.first_mean or x.second_mean
        }
        return cls(spaces, used, tuple(certain))


def space_use_section(
    comparison: VariantComparison, domains: Sequence[SpaceUse]
) -> Section:
    """Return the section about spaces in use, with maps of the first domain.

    Every other domain gets a line of text.
    """
    first, main = comparison.first, domains[0]
    a, b = (side.letter for side in comparison.sides)
    drawings = [usage_map(first, main)]
    captions = [fill_sentence("In use at the end, of 100 games of {a}", a=a)]
    if main.certain_changes:
        drawings.append(change_map(comparison, main))
        captions.append(fill_sentence("{b} minus {a}, of 100 games", a=a, b=b))
    notes = [
        IN_USE,
        CERTAIN,
        *([NO_NUMBER] if main.certain_changes else []),
        *([varying_board_note(first)] if varying_board_note(first) else []),
    ]
    return Section(
        "Which spaces are used?",
        changes_sentence(comparison, main),
        [fill_sentence(note) for note in notes],
        drawings,
        captions,
        [
            join_html(
                [
                    changes_sentence(comparison, uses),
                    *changed_spaces(comparison, uses),
                ],
                " ",
            )
            for uses in domains[1:]
        ],
    )


def changes_sentence(comparison: VariantComparison, space_use: SpaceUse) -> Html:
    """Return a sentence with the numbers of spaces used more or less often."""
    spaces = space_use.spaces
    if not space_use.certain_changes:
        return fill_sentence(
            "No difference between {it} is certain.", it=marked_name(spaces.plural)
        )
    more = sum(
        space_use.contrasts[space].difference > 0 for space in space_use.certain_changes
    )
    numbers = {
        "more": more,
        "less": len(space_use.certain_changes) - more,
        "all": len(space_use.contrasts),
    }
    return fill_sentence(
        "Of {all} {spaces} that are ever in use, {more} are certainly used"
        " more often in {b}, {less} less often.",
        spaces=marked_name(spaces.plural),
        b=comparison.second.letter,
        **{
            name: marked_figure(
                comparison.key(USED, f"{name}:{spaces.domain}"), str(number)
            )
            for name, number in numbers.items()
        },
    )


def changed_spaces(
    comparison: VariantComparison, space_use: SpaceUse
) -> Iterator[Html]:
    """Yield text for each space used more or less often, with the difference."""
    for space in space_use.certain_changes[:MAX_NAMED_SPACES]:
        contrast = space_use.contrasts[space]
        number = signed_text(HUNDRED * contrast.difference, 0)
        yield fill_sentence(
            "{space} {number}{end}",
            space=marked_name(comparison.first.localizer.value(space)),
            number=marked_figure(comparison.key(contrast.name, "change"), number),
            end="."
            if space == space_use.certain_changes[:MAX_NAMED_SPACES][-1]
            else ",",
        )
    if len(space_use.certain_changes) > MAX_NAMED_SPACES:
        yield fill_sentence("And more.")


def usage_map(side: VariantGames, space_use: SpaceUse) -> str:
    """Return the map of how often spaces are in use."""
    assert side.board_income is not None
    heats = {}
    for space, contrast in space_use.contrasts.items():
        share = HUNDRED * float(side.known_values(contrast.name).mean())
        text = number_text(share, 0)
        tooltip = f"{side.localizer.value(space)}: {text}"
        heats[space] = Heat(
            share, text, tooltip, figure_key(side.letter, contrast.name, "share")
        )
    return maps.amount_map(
        side.board_income.scene, heats, "of 100 games", "Spaces in use"
    )


def change_map(comparison: VariantComparison, space_use: SpaceUse) -> str:
    """Return the map of differences in use; uncertain differences have no number."""
    side = comparison.first
    assert side.board_income is not None
    heats = {}
    for space, contrast in space_use.contrasts.items():
        certain = space in space_use.certain_changes
        difference = HUNDRED * contrast.difference if certain else 0.0
        text = signed_text(difference, 0) if certain else maps.UNCERTAIN
        tooltip = f"{side.localizer.value(space)}: {text}"
        key = comparison.key(contrast.name, "change")
        heats[space] = Heat(
            difference, text, tooltip, key, 1.0 if certain else UNCERTAIN_DISC_SIZE
        )
    return maps.difference_map(
        side.board_income.scene,
        heats,
        "of 100 games",
        "Spaces that are used more or less",
    )
