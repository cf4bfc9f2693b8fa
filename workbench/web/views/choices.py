"""Choices of a player: legal actions as plain data, narrowed one argument at a time.

Each click names a thing and keeps the actions that contain it, until one is left.
Actions that are offered but illegal are listed too, so that a player can ask why.
"""

from collections.abc import Iterator, Mapping, Sequence
from time import thread_time
from typing import Any

from interpreter import Action, Explanation, Game, Said
from rulebook.model import Member
from workbench.presentation.localization.localizer import PASS, Localizer
from workbench.presentation.localization.refusals import citation, explanation_document
from workbench.web.views.gather_forms import gather_forms
from workbench.web.views.offers import (
    NOT_OFFERED_KEYS,
    card_price,
    count_instances,
    ending_actions,
    fixed_price,
    instances,
    offered_now,
)
from workbench.web.views.phrases import Phrases


def choices(game: Game, seat: str | None, words: Localizer) -> dict[str, Any]:
    """Return the choices of a seat as plain data; empty if it must not decide."""
    if seat is None or game.to_act != seat:
        return {"decides": False, "actions": [], "names": {}, "cannot": [], "forms": []}
    legal, offered = game.legal_actions(seat), offered_now(game.book, game.view(seat))
    gathered = gather_forms(game, seat, legal, words)
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
        entry = _entry(name, actions, game, words, free=offered.get(name, False))
        if name in leads:
            entry["form"] = leads[name]
        listed.append(entry)
    return {
        "decides": True,
        "actions": listed,
        "names": _argument_titles(legal, words),
        "cannot": list(
            _illegal_actions(game, seat, {a.name for a in legal}, offered, words)
        ),
        "forms": gathered,
    }


def _entry(
    name: str, actions: Sequence[Action], game: Game, words: Localizer, *, free: bool
) -> dict[str, Any]:
    """Describe an action: its legal argument lists, sentence, prompts and cost."""
    book = game.book
    entry: dict[str, Any] = {
        "name": name,
        "title": action_title(name, words),
        "say": _sentence_template(name, words),
        "asks": list(_parameter_prompts(name, game, words)),
        "options": [_argument_texts(action) for action in actions],
        "final": any(game.teaches(action) for action in actions[:1]),
    }
    if name in ending_actions(book) or name == PASS:
        entry["ends"] = True
    cost = () if free else fixed_price(book, name)
    if cost:
        entry["cost"] = words.holding_text(dict(cost))
        entry["cards"] = dict(cost)
    elif not free:
        own = {
            argument: words.holding_text(dict(paid))
            for action in actions
            for argument in _argument_texts(action)
            if (paid := card_price(book, name, argument))
        }
        entry |= {"costs": own} if own else {}
    return entry


def action_title(name: str, words: Localizer) -> str:
    """Return the title of an action, without its arguments."""
    return words.action(PASS) if name == PASS else words.short_title(name)


def _sentence_template(name: str, words: Localizer) -> str:
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


def _parameter_prompts(name: str, game: Game, words: Localizer) -> Iterator[str]:
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


def _argument_texts(action: Action) -> list[str]:
    """Return the arguments of an action as they appear in its text."""
    _, bracket, inside = action.text.partition("(")
    return inside.rstrip(")").split(", ") if bracket else []


def _argument_titles(legal: Sequence[Action], words: Localizer) -> dict[str, str]:
    """Return the titles of all arguments of the legal actions."""
    arguments = (argument for action in legal for argument in _argument_texts(action))
    return {argument: words.value(argument) for argument in arguments}


def _illegal_actions(
    game: Game,
    seat: str,
    legal: set[str],
    offered: Mapping[str, Any],
    words: Localizer,
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
        if getattr(reason, "key", "") not in NOT_OFFERED_KEYS:
            yield {"name": name, "title": action_title(name, words)}


# ---------------------------------------------------------------- refusals

WHY_SECONDS = 1.0
"""CPU seconds after which the search for an explanation stops."""


def explain_illegal(
    game: Game,
    seat: str | None,
    words: Localizer,
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
        if about is not None and about not in _split_arguments(text):
            continue
        explanation = game.why(text, seat)
        rank = _met_requirements(explanation, action.requirements)
        if best is None or rank > best[0]:
            best = (rank, explanation)
    if best is None:
        told = {"title": words.value(about) if about else "", "reason": ""}
    else:
        told = refusal_data(best[1], words, whole=about is not None)
    possible = sum(count_instances(game, actions[candidate]) for candidate in names)
    if looked < possible:
        say = Phrases(words.language)
        told["stopped"] = say("page.why_stopped", looked=looked, possible=possible)
    return told


def _split_arguments(text: str) -> list[str]:
    """Split the text of an action into its arguments."""
    return text.partition("(")[2].rstrip(")").split(", ")


def _met_requirements(explanation: Explanation, requirements: Sequence[Any]) -> int:
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


def payment_text(parts: Mapping[str, Any], words: Localizer) -> str:
    """Describe a cost, and what the player has to pay it with."""
    bags = {
        name: words.list_text(words.card_texts(part)) or words.phrase("nothing")
        for name, part in parts.items()
        if isinstance(part, Mapping)
    }
    return Phrases(words.language)("page.costs_so_much", **bags)


def refusal_data(
    explanation: Explanation, words: Localizer, *, whole: bool = True
) -> dict[str, Any]:
    """Describe why an action is illegal: reason, remedy, and place in the rules."""
    said = explanation_document(explanation, words)
    reason = explanation.reason
    if isinstance(reason, Said) and reason.key == COSTS:
        said["reason"] = payment_text(reason.parts, words)
    text = explanation.action
    title = words.action(text) if whole else action_title(text.partition("(")[0], words)
    answer: dict[str, Any] = {
        "legal": explanation.legal,
        "title": title,
        "reason": said["reason"] or "",
        "values": [
            f"{words.title(name)}: {words.value_text(value)}"
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
