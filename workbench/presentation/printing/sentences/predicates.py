"""Yes/no fields, definitions and local values as statements.

A name with a verb, such as `is_done` or `hive_is_empty`, is a statement itself. Any
other name, such as `passed`, applies or does not apply to its owner.
"""

import re
from collections.abc import Mapping
from functools import cache

import attrs

from workbench.presentation.printing.sentences.forms import Writer
from workbench.presentation.printing.sentences.template_tables import VERBS, templates
from workbench.presentation.printing.sentences.text_runs import (
    Style,
    Text,
    TextRun,
    join_texts,
    plain_text,
    unstyled,
)

SUBJECT = "{subject}"
"""Gap for the subject in a negation that is a complete sentence."""


@attrs.frozen
class Predicate:
    """Title with a verb, split at the verb; `negation` is the verb's negation.

    The negation is a complete sentence if it contains `{subject}`, and empty if the
    verb cannot be negated.
    """

    subject: str
    verb: str
    negation: str
    rest: str

    @property
    def has_own_negation(self) -> bool:
        """True if the negation is a complete sentence with a gap for the subject."""
        return SUBJECT in self.negation


def split_predicate(language: str, title: str) -> Predicate | None:
    """Split a title at its first verb; return None if it has no verb."""
    for start in (0, *[space.end() for space in re.finditer(" ", title)]):
        for pattern, negation in _verbs(language).items():
            match = pattern.match(title, start)
            if match is not None:
                subject, rest = title[:start].strip(), title[match.end() :].strip()
                return Predicate(subject, match[0], match.expand(negation), rest)
    return None


@cache
def _verbs(language: str) -> Mapping[re.Pattern[str], str]:
    rows = templates(language, VERBS)
    return {re.compile(rf"{verb}(?!\w)"): negation for verb, negation in rows.items()}


def predicate_text(
    writer: Writer, title: Text, owner: Text = (), given: Text = (), *, negated: bool
) -> Text:
    """Return the statement that a yes/no value with this title is yes, or no.

    `owner` is the member that has the value, and `given` the other arguments.
    """
    text = verb_text(writer, title, owner, negated=negated)
    if text is not None:
        parts = {"sentence": text, "given": given}
        return writer.names.sentence("CallDefine.given", parts) if given else text
    whose, others = (owner, given) if owner else (given, ())
    marks = ["owner"] * bool(whose) + ["fails"] * negated
    key = ".".join(["applies", *filter(None, ["_".join(marks)])])
    name = tuple(attrs.evolve(run, style=Style.NAME) for run in title)
    text = writer.names.sentence(key, {"name": name, "owner": whose})
    if not others:
        return text
    parts = {"sentence": text, "given": others}
    return writer.names.sentence("CallDefine.given", parts)


def verb_text(
    writer: Writer, title: Text, owner: Text, *, negated: bool
) -> Text | None:
    """Return a title with a verb as a statement, or None if it is no statement."""
    names = writer.names
    predicate = split_predicate(names.language, unstyled(title))
    if predicate is None or not (predicate.subject or owner):
        return None
    place = title[0].place
    subject = owner
    if predicate.subject:
        own = plain_text(predicate.subject, place=place)
        case = "FieldValue.owner" if owner else "FieldValue"
        subject = names.sentence(case, {"field": own, "owner": owner})
        if negated and predicate.has_own_negation and not owner:
            text = predicate.negation.replace(SUBJECT, predicate.subject)
            return plain_text(text, place=place)
    is_split = bool(predicate.negation) and not predicate.has_own_negation
    verb = predicate.negation if negated and is_split else predicate.verb
    style = title[0].style if not predicate.subject else Style.PLAIN
    rest = (TextRun(predicate.rest, style, place),) if predicate.rest else ()
    words = join_texts([subject, plain_text(verb, place=place), rest], " ")
    is_whole = negated and not is_split
    return names.sentence("Not", {"value": words}) if is_whole else words
