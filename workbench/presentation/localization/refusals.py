"""What the engine says of an action, in a reader's language.

The sentences of the rules come first, the phrases of the engine are the program's own.
"""

from collections.abc import Mapping
from typing import Any

from interpreter import Explanation, Said
from rulebook.model import RequirementSort
from workbench.presentation.localization.languages import filled, table
from workbench.presentation.localization.localizer import Wording


def explanation_document(explanation: Explanation, words: Wording) -> dict[str, Any]:
    """An explanation as plain data, its sentences in a language."""
    document = explanation.to_json()
    if explanation.reason is not None:
        document["reason"] = reason(explanation, words)
    if explanation.fix is not None:
        document["fix"] = translate_sentence(explanation.fix, words)
    return document


def reason(explanation: Explanation, words: Wording) -> str:
    """Why an action is refused: the sentence of the requirement."""
    action, label = explanation.clause or "", explanation.requirement
    own = f"{action}.{label}"
    name = label if label and _is_limit(action, label, words) else own
    return words.sentence(name, translate_sentence(explanation.reason or "", words))


def _is_limit(action: str, label: str, words: Wording) -> bool:
    """Whether a requirement is a limit, which several actions may share."""
    known = {} if words.book is None else words.book.model.actions
    needs = known[action].requirements if action in known else ()
    return any(
        need.label == label and need.sort is RequirementSort.LIMIT for need in needs
    )


def translate_sentence(sentence: str, words: Wording) -> str:
    """A sentence of the engine; one of the rules stays as it is."""
    own = table(words.language)
    if not isinstance(sentence, Said) or sentence.key not in own:
        return sentence
    parts = {name: _part(name, part, words) for name, part in sentence.parts.items()}
    return filled(own[sentence.key], parts)


def _part(name: str, part: Any, words: Wording) -> str:
    """A part of a sentence: cards, alternatives, a name, or a text of the rules."""
    match part:
        case Mapping():
            return words.joined(words.cards(part)) or words.say("nothing")
        case tuple() | list():
            word = "or" if isinstance(part, tuple) else "and"
            return words.joined(map(words.called, part), word)
        case str() if name == "rule":
            return part
        case _:
            return words.title(str(part))


def citation(explanation: Explanation, words: Wording) -> tuple[str, str] | None:
    """The heading and the text that say so, in this language if there is one."""
    cited, book = explanation.citation, words.book
    if cited is None or book is None:
        return None
    source, heading = cited["source"], cited["section"]
    for cite in explanation.cites:
        if book.languages.get(cite.source) == words.language and not cite.example:
            source, heading = cite.source, cite.heading
            break
    return heading, book.sources.get(source, source)
