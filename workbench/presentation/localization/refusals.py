"""Explanations of illegal actions in the reader's language.

Sentences of the rules take precedence over phrases of the program.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from interpreter import Explanation, Message
from rulebook import Cite
from rulebook.model import RequirementSort
from workbench.presentation.localization.languages import fill_gaps, phrase_table
from workbench.presentation.localization.localizer import Localizer


def explanation_document(
    explanation: Explanation, localizer: Localizer
) -> dict[str, Any]:
    """Return an explanation as plain data, translated into the reader's language."""
    document = explanation.to_json()
    if explanation.reason is not None:
        document["reason"] = refusal_reason(explanation, localizer)
    if explanation.fix is not None:
        document["fix"] = translate_sentence(explanation.fix, localizer)
    return document


def refusal_reason(explanation: Explanation, localizer: Localizer) -> str:
    """Return why an action is illegal, in the words of the unmet requirement."""
    action, label = explanation.clause or "", explanation.requirement
    own = f"{action}.{label}"
    name = label if label and _is_limit(action, label, localizer) else own
    return localizer.sentence(
        name, translate_sentence(explanation.reason or "", localizer)
    )


def _is_limit(action: str, label: str, localizer: Localizer) -> bool:
    """Return whether a requirement is a limit, which several actions may share."""
    known = {} if localizer.book is None else localizer.book.model.actions
    needs = known[action].requirements if action in known else ()
    return any(
        need.label == label and need.sort is RequirementSort.LIMIT for need in needs
    )


def translate_sentence(sentence: str, localizer: Localizer) -> str:
    """Translate a sentence of the engine; return sentences of the rules unchanged."""
    own = phrase_table(localizer.language)
    if not isinstance(sentence, Message) or sentence.key not in own:
        return sentence
    parts = {
        name: _translate_part(name, part, localizer)
        for name, part in sentence.parts.items()
    }
    return fill_gaps(own[sentence.key], parts)


def _translate_part(name: str, part: Any, localizer: Localizer) -> str:
    """Translate a part of a sentence: cards, alternatives, a name or rule text."""
    match part:
        case Mapping():
            return localizer.list_text(localizer.card_texts(part)) or localizer.phrase(
                "nothing"
            )
        case tuple() | list():
            word = "or" if isinstance(part, tuple) else "and"
            return localizer.list_text(map(localizer.short_title, part), word)
        case str() if name == "rule":
            return part
        case _:
            return localizer.title(str(part))


def citation(explanation: Explanation, localizer: Localizer) -> tuple[str, str] | None:
    """Return the heading and source of the cited passage, or None without one.

    A source in the reader's language is preferred.
    """
    cited, book = explanation.citation, localizer.book
    if cited is None or book is None:
        return None
    own = own_passage(explanation.cites, localizer)
    source = cited["source"]
    return own or (cited["section"], book.sources.get(source, source))


def own_passage(cites: Iterable[Cite], localizer: Localizer) -> tuple[str, str] | None:
    """Return the heading and source of the first passage in the reader's language.

    Examples do not count. Return None if there is no such passage.
    """
    book = localizer.book
    for cite in cites if book is not None else ():
        assert book is not None
        if book.languages.get(cite.source) == localizer.language and not cite.example:
            return cite.heading, book.sources.get(cite.source, cite.source)
    return None
