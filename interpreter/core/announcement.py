"""Announcement: a sentence of the rules, with gaps for values."""

from __future__ import annotations

import attrs

from rulebook.model import Type


@attrs.frozen
class Announcement:
    """Sentence that the rules put into the log.

    `names` are the placeholders in braces in the text, and `types` the types of their
    values.
    """

    text: str
    names: tuple[str, ...]
    types: tuple[Type, ...]
