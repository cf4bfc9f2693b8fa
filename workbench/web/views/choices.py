"""Choices of a player: legal actions as plain data, narrowed one argument at a time.

Each click names a thing and keeps the actions that contain it, until one is left.
Actions that are offered but illegal are listed too, so that a player can ask why.
"""

from collections.abc import Iterator, Mapping, Sequence
from time import thread_time
from typing import Any

from interpreter import Action, Explanation, Game, Said
from rulebook.model import DomainSort, Member
from workbench.presentation.localization.localizer import PASS, Wording
from workbench.presentation.localization.refusals import citation, explanation_document
from workbench.web.views.forms import forms
from workbench.web.views.offers import (
    NEVER_NOW,
    count,
    endings,
    instances,
    is_free,
    offered_now,
    own_price,
    price,
)
from workbench.web.views.phrases import Phrases


def choices(game: Game, seat: str | None, words: Wording) -> dict[str, Any]:
    """Return the choices of a seat as plain data; empty if it must not decide."""
    if seat is None or game.to_act != seat:
        return {"decides": False, "actions": [], "names": {}, "cannot": [], "forms": []}
    legal, offered = game.legal_actions(seat), offered_now(game.book, game.view(seat))
    gathered = forms(game, seat, legal, words)
    leads = {form["lead"]: number for number, form in enumerate(gathered)}
    picks = {
        row["name"] for form in gathered if not form["lead"] for row in form["rows"]
    }
    by_name: dict[str, list[Action]] = {}
    for action in legal:
        if action.name not in picks:
            by_name.setdefault(action.name, []).append(action)
    listed = []
    for name, actions in by_name.items():
        entry = _entry(name, actions, game, words, free=is_free(offered, name))
        if name in leads:
            entry["form"] = leads[name]
        listed.append(entry)
    return {
        "decides": True,
        "actions": listed,
        "names": _names(legal, words),
        "cannot": list(_cannot(game, seat, {a.name for a in legal}, offered, words)),
        "forms": gathered,
    }


def _entry(
    name: str, actions: Sequence[Action], game: Game, words: Wording, *, free: bool
) -> dict[str, Any]:
    """Describe an action: its legal argument lists, sentence, prompts and cost."""
    book = game.book
    entry: dict[str, Any] = {
        "name": name,
        "title": called(name, words),
        "say": _template(name, words),
        "asks": list(_parameter_prompts(name, game, words)),
        "options": [_written(action) for action in actions],
        "final": any(game.teaches(action) for action in actions[:1]),
    }
    if name in endings(book) or name == PASS:
        entry["ends"] = True
    cost = () if free else price(book, name)
    if cost:
        entry["cost"] = words.held(dict(cost))
        entry["cards"] = dict(cost)
    elif not free:
        own = {
            argument: words.held(dict(paid))
            for action in actions
            for argument in _written(action)
            if (paid := own_price(book, name, argument))
        }
        entry |= {"costs": own} if own else {}
    return entry


def called(name: str, words: Wording) -> str:
    """Return the title of an action, without its arguments."""
    return words.action(PASS) if name == PASS else words.called(name)


def _template(name: str, words: Wording) -> str:
    """Return the sentence of an action with numbered gaps: `build here: {0}`."""
    if name == PASS:
        return words.action(PASS)
    sentence = words.sentence(name, "")
    gaps = words.gaps(name)
    if not sentence:
        shown = ", ".join(f"{{{number}}}" for number in range(len(gaps)))
        title = words.title(name)
        return f"{title}: {shown}" if shown else title
    for number, gap in enumerate(gaps):
        sentence = sentence.replace(f"{{{gap}}}", f"{{{number}}}")
    return sentence


def _parameter_prompts(name: str, game: Game, words: Wording) -> Iterator[str]:
    """Yield the prompt for each parameter: the title of the parameter or its domain."""
    model = game.book.model
    described = model.actions.get(name)
    for parameter in described.parameters if described else ():
        if parameter.name not in words.gaps(name):
            continue
        known = parameter.name in words.words and parameter.name not in model.actions
        kind = parameter.type
        if isinstance(kind, Member) and not known:
            yield words.title(kind.domain)
        else:
            yield words.title(parameter.name)


def _written(action: Action) -> list[str]:
    """Return the arguments of an action as they appear in its text."""
    _, bracket, inside = action.text.partition("(")
    return inside.rstrip(")").split(", ") if bracket else []


def _names(legal: Sequence[Action], words: Wording) -> dict[str, str]:
    """Return the titles of all arguments of the legal actions."""
    arguments = (argument for action in legal for argument in _written(action))
    return {argument: words.value(argument) for argument in arguments}


def _cannot(
    game: Game,
    seat: str,
    legal: set[str],
    offered: Mapping[str, Any],
    words: Wording,
) -> Iterator[dict[str, str]]:
    """Yield the actions that the rules offer here, but that are illegal now."""
    for name in offered:
        action = game.book.model.actions[name]
        if name in legal:
            continue
        first = next(instances(game, action), None)
        if first is None:
            continue
        reason = game.why(first, seat).reason
        if getattr(reason, "key", "") not in NEVER_NOW:
            yield {"name": name, "title": called(name, words)}


# ---------------------------------------------------------------- refusals

WHY_SECONDS = 1.0
"""CPU seconds after which the search for an explanation stops."""


def why_not(
    game: Game,
    seat: str | None,
    words: Wording,
    name: str | None = None,
    about: str | None = None,
) -> dict[str, Any]:
    """Explain why an action, or all actions with a thing, are illegal.

    The explanation is about the combination of arguments that meets most requirements.
    The search stops after `WHY_SECONDS`; then the result has a key `stopped`.
    """
    if seat is None:
        return {"title": "", "reason": ""}
    offered = offered_now(game.book, game.view(seat)) if game.to_act == seat else {}
    actions = game.book.model.actions
    names = [name] if name in actions else list(offered) or list(actions)
    candidates = (
        (actions[candidate], text)
        for candidate in names
        for text in instances(game, actions[candidate])
    )
    best: tuple[int, Explanation] | None = None
    looked, ends = 0, thread_time() + WHY_SECONDS
    for action, text in candidates:
        if thread_time() > ends:
            break
        looked += 1
        if about is not None and about not in _parts(text):
            continue
        explanation = game.why(text, seat)
        rank = _rank(explanation, action.requirements)
        if best is None or rank > best[0]:
            best = (rank, explanation)
    if best is None:
        told = {"title": words.value(about) if about else "", "reason": ""}
    else:
        told = refused(best[1], words, whole=about is not None)
    possible = sum(count(game, actions[candidate]) for candidate in names)
    if looked < possible:
        say = Phrases(words.language)
        told["stopped"] = say("page.why_stopped", looked=looked, possible=possible)
    return told


def _parts(text: str) -> list[str]:
    """Split the text of an action into its arguments."""
    return text.partition("(")[2].rstrip(")").split(", ")


def _rank(explanation: Explanation, requirements: Sequence[Any]) -> int:
    """Return how many requirements an action meets, to find the closest one.

    -1 if it is illegal for any other reason.
    """
    if explanation.legal:
        return len(requirements) + 1
    labels = [need.label for need in requirements]
    if explanation.requirement in labels:
        return labels.index(explanation.requirement)
    return -1


COSTS = "costs"


def paid(parts: Mapping[str, Any], words: Wording) -> str:
    """Describe a cost, and what the player has to pay it with."""
    bags = {
        name: words.joined(words.cards(part)) or words.say("nothing")
        for name, part in parts.items()
        if isinstance(part, Mapping)
    }
    return Phrases(words.language)("page.costs_so_much", **bags)


def refused(
    explanation: Explanation, words: Wording, *, whole: bool = True
) -> dict[str, Any]:
    """Describe why an action is illegal: reason, remedy, and place in the rules."""
    said = explanation_document(explanation, words)
    reason = explanation.reason
    if isinstance(reason, Said) and reason.key == COSTS:
        said["reason"] = paid(reason.parts, words)
    text = explanation.action
    title = words.action(text) if whole else called(text.partition("(")[0], words)
    answer: dict[str, Any] = {
        "legal": explanation.legal,
        "title": title,
        "reason": said["reason"] or "",
        "values": [
            f"{words.title(name)}: {words.thing(value)}"
            for name, value in explanation.values.items()
        ],
        "lines": [line["text"] for line in explanation.lines],
        "help": said["fix"] or "",
    }
    passage = citation(explanation, words)
    if passage is not None:
        answer |= {"section": passage[0], "source": passage[1]}
        answer["says"] = (explanation.citation or {}).get("says", "")
    if said["file"]:
        parts = (said["clause"], said["requirement"])
        answer["clause"] = ".".join(part for part in parts if part)
        answer["file"] = str(said["file"]).rsplit("/", 1)[-1]
        answer["line"] = said["line"]
    return answer


def is_space(game: Game, name: str) -> bool:
    """Return whether a name is that of a space of the board."""
    sorts = (DomainSort.SPACE, DomainSort.FACE, DomainSort.CORNER, DomainSort.LINK)
    domains = game.book.model.domains.values()
    return any(d.sort in sorts and name in d.members for d in domains)
