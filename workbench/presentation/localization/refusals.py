"""Explanations of illegal actions in the reader's language.

Sentences of the rules take precedence over phrases of the program.
"""

from collections.abc import Mapping
from typing import Any

from interpreter import Explanation, Said
from rulebook.model import RequirementSort
from workbench.presentation.localization.languages import fill_gaps, phrase_table
from workbench.presentation.localization.localizer import Localizer


def explanation_document(explanation: Explanation, words: Localizer) -> dict[str, Any]:
    """Return an explanation as plain data, translated into the reader's language."""
    document = explanation.to_json()
    if explanation.reason is not None:
        document["reason"] = refusal_reason(explanation, words)
    if explanation.fix is not None:
        document["fix"] = translate_sentence(explanation.fix, words)
    return document


def refusal_reason(explanation: Explanation, words: Localizer) -> str:
    """Return why an action is illegal, in the words of the unmet requirement."""
    action, label = explanation.clause or "", explanation.requirement
    own = f"{action}.{label}"
    name = label if label and _is_limit(action, label, words) else own
    return words.sentence(name, translate_sentence(explanation.reason or "", words))


def _is_limit(action: str, label: str, words: Localizer) -> bool:
    """Return whether a requirement is a limit, which several actions may share."""
    known = {} if words.book is None else words.book.model.actions
    needs = known[action].requirements if action in known else ()
    return any(
        need.label == label and need.sort is RequirementSort.LIMIT for need in needs
    )


def translate_sentence(sentence: str, words: Localizer) -> str:
    """Translate a sentence of the engine; return sentences of the rules unchanged."""
    own = phrase_table(words.language)
    if not isinstance(sentence, Said) or sentence.key not in own:
        return sentence
    parts = {
        name: _translate_part(name, part, words)
        for name, part in sentence.parts.items()
    }
    return fill_gaps(own[sentence.key], parts)


def _translate_part(name: str, part: Any, words: Localizer) -> str:
    """Translate a part of a sentence: cards, alternatives, a name or a rules text."""
    match part:
        case Mapping():
            return words.list_text(words.card_texts(part)) or words.phrase("nothing")
        case tuple() | list():
            word = "or" if isinstance(part, tuple) else "and"
            return words.list_text(map(words.short_title, part), word)
        case str() if name == "rule":
            return part
        case _:
            return words.title(str(part))


def citation(explanation: Explanation, words: Localizer) -> tuple[str, str] | None:
    """Return the heading and text of the cited passage, or None without one.

    It is in the reader's language if that is available.
    """
    cited, book = explanation.citation, words.book
    if cited is None or book is None:
        return None
    source, heading = cited["source"], cited["section"]
    for cite in explanation.cites:
        if book.languages.get(cite.source) == words.language and not cite.example:
            source, heading = cite.source, cite.heading
            break
    return heading, book.sources.get(source, source)
