"""What the workbench itself says to players, by language.

Titles and reasons of a game come from its rule file; these are the words around them.
A language that is not here, or a phrase that it lacks, falls back to English.
"""

from collections.abc import Mapping

import attrs

PHRASES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "and": "and",
        "before": "before the first turn",
        "decides": "{seat} decides",
        "draw": "a draw",
        "in_turn": "turn {turn}, {seat}",
        "legend": "Legend",
        "over": "the game is over",
        "pips": "dots: in how many of {rolls} rolls the number comes",
        "points": "{n} points",
        "seats": "Players",
        "common": "For all",
        "to_act": "{seat} is to act",
        "won": "{seats} wins",
    },
    "de": {
        "and": "und",
        "before": "vor dem ersten Zug",
        "decides": "{seat} entscheidet",
        "draw": "unentschieden",
        "in_turn": "Zug {turn}, {seat}",
        "legend": "Legende",
        "over": "das Spiel ist zu Ende",
        "pips": "Punkte: bei wie vielen von {rolls} Würfen die Zahl fällt",
        "points": "{n} Punkte",
        "seats": "Spieler",
        "common": "Für alle",
        "to_act": "{seat} ist dran",
        "won": "{seats} gewinnt",
    },
}


@attrs.frozen
class Phrases:
    """The phrases of one language."""

    language: str = "en"

    def say(self, phrase: str, **values: object) -> str:
        """A phrase with its values filled in."""
        table = PHRASES.get(self.language, {})
        return table.get(phrase, PHRASES["en"][phrase]).format(**values)
