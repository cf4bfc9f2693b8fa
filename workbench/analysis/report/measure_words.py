"""Wording of measures on a page, in the words of the rules where possible."""

from collections.abc import Callable, Mapping

import attrs

from workbench.analysis.report.figures import (
    Html,
    fill_sentence,
    marked_name,
    plain_text,
)
from workbench.analysis.statistics.sentences import PHRASES as PLAIN
from workbench.analysis.statistics.sentences import (
    DifferencePhrases,
    count_phrases,
    frequency_phrases,
)
from workbench.presentation.localization.localizer import Localizer

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
OF_ACTIONS = ("actions", "branching_at", "share_of_actions")
OF_PLACES = "wins_from"

WORDS: Mapping[str, DifferencePhrases] = {
    **PLAIN,
    **{
        what: count_phrases("in a game", f"{{of}} are {what}")
        for what in (
            *("produced", "taken", "spent", "exchanged"),
            *("discarded", "traded", "seized"),
        )
    },
    "wins_from": attrs.evolve(PLAIN["wins_from"], start="the {of} player wins"),
    "actions": frequency_phrases("“{of}” is chosen"),
    "branching_at": count_phrases("when “{of}” is chosen", "actions are legal"),
    "share_of_actions": count_phrases("of 100 decisions", "are “{of}”", 100),
}
"""Phrases for differences on pages; actions are quoted, positions are ordinals."""

TITLES: Mapping[str, tuple[str, str]] = {
    "turns": ("Turns", "in a game"),
    "rounds": ("Rounds", "in a game"),
    "decisions": ("Decisions", "in a game"),
    "finished": ("Finished games", "of 100"),
    "draws": ("Drawn games", "of 100"),
    "ties": ("Games without exactly one winner", "of 100"),
    "wins": ("Won by {of}", "of 100 games"),
    "wins_from": ("Won by the {of} player", "of 100 games"),
    "gain": ("Won by {of} beyond its share", "of 100 games"),
    "points": ("Points of {of}", "at the end"),
    "margin": ("Lead of the winner", "in points"),
    "comeback": ("Largest deficit of the winner", "in points"),
    "known_for": ("Turns left when the winner takes the final lead", "in a game"),
    "lead_changes": ("Changes of the lead", "in a game"),
    "branching": ("Legal actions", "in a decision"),
    "branching_at": ("Legal actions when “{of}” is chosen", "in a decision"),
    "real_choices": ("Decisions that leave a choice", "of 100"),
    "idle_turns": ("Turns in which nothing moves", "of 100"),
    "actions": ("“{of}”", "times in a game"),
    "share_of_actions": ("“{of}”", "of 100 decisions"),
    "share_of_cards": ("{of}", "of 100 cards of its sort"),
    "produced": ("Produced: {of}", "in a game"),
    "taken": ("Taken: {of}", "in a game"),
    "spent": ("Spent: {of}", "in a game"),
    "exchanged": ("Exchanged: {of}", "in a game"),
    "discarded": ("Discarded: {of}", "in a game"),
    "traded": ("Traded between players: {of}", "in a game"),
    "seized": ("Seized from players: {of}", "in a game"),
    "first_card": ("First {of} after set-up", "in rounds"),
    "first_piece": ("First {of} after set-up", "in rounds"),
    "first_award": ("{of} first held", "in rounds"),
    "used": ("{of} in use at the end", "of 100 games"),
    "coverage": ("Spaces in use at the end: {of}", "of 100"),
}
"""Title and unit of each measure in the table; `{of}` is the part of the game."""

GROUPS: Mapping[str, tuple[str, ...]] = {
    "Length": ("turns", "rounds", "decisions", "finished"),
    "Fairness": ("wins_from", "wins", "gain", "points", "ties", "draws"),
    "Contest": ("margin", "lead_changes", "comeback", "known_for"),
    "Choice": ("branching", "real_choices", "idle_turns"),
    "Actions, per game": ("actions",),
    "Actions, of 100 decisions": ("share_of_actions",),
    "First appearance": ("first_piece", "first_award", "first_card"),
    "Where": ("coverage", "used"),
    "Cards": (
        *("produced", "taken", "spent", "exchanged", "discarded", "traded", "seized"),
        "share_of_cards",
    ),
}
DECLARED = "Declared in the rules"


@attrs.frozen
class MeasureNames:
    """Names of measures and of parts of the game, in the words of the rules."""

    localizer: Localizer

    def part_name(self, name: str) -> str:
        """Return the part of the game in a column's name, in words.

        Position 2 in the turn order is `second`, for example.
        """
        measure, _, part = name.partition(".")
        if measure == OF_PLACES and part.isdecimal() and 0 < int(part) <= len(ORDINALS):
            return ORDINALS[int(part) - 1]
        if measure in OF_ACTIONS:
            return capitalized(self.localizer.short_title(part))
        return self.localizer.title(part)

    def part_namer(self, name: str) -> Callable[[str], str]:
        """Return a function that always returns the marked name of a column's part."""
        return lambda _: marked_name(
            self.part_name(name) if "." in name else without_underscores(name)
        )

    def plain_title(self, name: str) -> tuple[str, str]:
        """Return the title of a column and its unit, without markup."""
        title, unit = self.column_title(name)
        return plain_text(title), unit

    def column_title(self, name: str) -> tuple[Html, str]:
        """Return the title of a column and its unit."""
        measure, _, part = name.partition(".")
        if measure in TITLES:
            title, unit = TITLES[measure]
            of = self.part_name(name)
            words = capitalized(of) if title.startswith("{of}") else of
            return fill_sentence(title, of=marked_name(words)), unit
        suffix = f": {self.localizer.title(part)}" if part else ""
        return marked_name(capitalized(without_underscores(measure)) + suffix), ""


def is_part(name: str) -> bool:
    """Return whether a column is about a part of the game."""
    return "." in name


def without_underscores(name: str) -> str:
    """Return a name with spaces in place of underscores."""
    return name.replace("_", " ")


def capitalized(text: str) -> str:
    """Return a text with its first letter capitalized."""
    return text[:1].upper() + text[1:]


def group_heading(name: str) -> str:
    """Return the heading of the group to which a column belongs."""
    measure = name.partition(".")[0]
    headings = (group for group, measures in GROUPS.items() if measure in measures)
    return next(headings, DECLARED)


def sort_key(name: str) -> tuple[int, int]:
    """Return the sort key of a column: its group, and its position within the group."""
    group, measure = group_heading(name), name.partition(".")[0]
    headings = list(GROUPS)
    if group not in GROUPS:
        return len(headings), 0
    return headings.index(group), GROUPS[group].index(measure)
