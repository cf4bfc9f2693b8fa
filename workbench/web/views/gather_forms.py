"""Forms for gathers, in which a seat selects several cards: one stepper per card.

A form may begin with an action that leads to a gather, and has one row per gather if
several follow one another. A form is computed in a sample of the game, so it reveals
nothing. An action that reveals something leads to no form, because its result is not
known in advance.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from interpreter import Action, Game, Gathering
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.selection import action_title
from workbench.presentation.narration.view_text import gathered_cards

MAX_ROWS = 4
"""Maximum number of rows in a form, one for each consecutive gather."""
SMALL_DOMAIN_SIZE = 8
"""Maximum number of cards in a domain for which a form has a column for each card."""
MAX_CARD_COUNT = 99
"""Maximum number of copies of one card that a form lets a player select."""


def gather_forms(
    game: Game, seat: str, legal: Sequence[Action], localizer: Localizer
) -> list[dict[str, Any]]:
    """Return the form of the current gather, or of each action that leads to one."""
    if game.gathering is not None:
        form = _form_rows(game.sample(seat, 0), seat, localizer)
        form |= {"lead": None, "title": _gather_title(game, localizer)}
        made = gathered_cards(game.view(seat)) if game.gathering.made else {}
        return [form | {"chosen": localizer.holding_text(made) if made else ""}]
    sample = game.sample(seat, 0)
    forms = []
    for action in legal:
        if action.arguments or sample.teaches(action.text):
            continue
        ahead = sample.copy()
        ahead.apply(action.text)
        if ahead.gathering is not None and ahead.to_act == seat:
            title = action_title(action.name, localizer)
            form = {"lead": action.text, "title": title, "chosen": ""}
            forms.append(form | _form_rows(ahead, seat, localizer))
    return forms


def _gather_title(game: Game, localizer: Localizer) -> str:
    """Return the title of the clause to which the current gather belongs, or ""."""
    for frame in reversed(game.view(game.to_act).get("pending") or []):
        if frame["clause"] in localizer.words:
            return action_title(frame["clause"], localizer)
    return ""


def _form_rows(game: Game, seat: str, localizer: Localizer) -> dict[str, Any]:
    """Return the rows of a form that starts with the current gather of a game."""
    gathering = game.gathering
    assert gathering is not None
    rows = [_form_row(gathering, game)]
    excludes: dict[str, list[str]] = {}
    later: dict[str, dict[str, int]] = {}
    limits: dict[str, tuple[int, int]] = {}
    by_first: dict[str, dict[str, set[str]]] = {}
    for pick, _ in gathering.left:
        trial = game.copy()
        row = 0
        while row < MAX_ROWS and (after := _next_gather(trial, seat, pick.text)):
            name = after.left[0][0].name if after.left else ""
            counts = later.setdefault(name, {})
            for other, count in after.left:
                counts[_picked_card(other)] = max(
                    counts.get(_picked_card(other), 0), count
                )
            low, high = limits.get(name, (after.fewest, 0))
            limits[name] = (min(low, after.fewest), max(high, after.most))
            possible = {_picked_card(other) for other, _ in after.left}
            by_first.setdefault(name, {})[_picked_card(pick)] = possible
            row += 1
    for name, cards in later.items():
        rows.append(FormRow(name, cards, *limits[name]))
        for card, possible in by_first[name].items():
            missing = [other for other in cards if other not in possible]
            if missing and len(by_first[name]) > 1:
                excludes[card] = missing
    cards_shown = _columns(game, [card for row in rows for card in row.cards])
    return {
        "rows": [row.to_data(cards_shown, localizer) for row in rows],
        "excludes": excludes,
    }


def _columns(game: Game, cards: Sequence[str]) -> list[str]:
    """Return the cards that need a column; for a small domain, all its cards."""
    for domain in game.book.model.domains.values():
        if (
            cards
            and cards[0] in domain.members
            and len(domain.members) <= SMALL_DOMAIN_SIZE
        ):
            return list(domain.members)
    return list(dict.fromkeys(cards))


@attrs.frozen
class FormRow:
    """Row of a form: the maximum number of each card, and the limits of their total."""

    name: str
    cards: Mapping[str, int]
    minimum: int
    maximum: int

    def to_data(self, columns: Sequence[str], localizer: Localizer) -> dict[str, Any]:
        """Return the row as plain data."""
        picks = [
            {
                "card": card,
                "title": localizer.value(card),
                "most": min(self.cards.get(card, 0), MAX_CARD_COUNT),
            }
            for card in columns
        ]
        title = action_title(self.name, localizer).replace("…", "").strip()
        row = {"name": self.name, "title": " ".join(title.split()), "picks": picks}
        return row | {"fewest": self.minimum, "most": self.maximum}


def _next_gather(game: Game, seat: str, pick_text: str) -> Gathering | None:
    """Apply the shortest selection with a given pick; return the next gather if any."""
    gathering = game.gathering
    if gathering is None or not gathering.left:
        return None
    name = gathering.left[0][0].name
    texts = [
        pick.text
        for pick, count in gathering.left
        for _ in range(min(count, MAX_CARD_COUNT))
    ]
    first = [text for text in texts if text == pick_text]
    rest = [text for text in texts if text != pick_text]
    picked = (first + rest)[: max(gathering.fewest, 1)]
    order = {pick.text: n for n, (pick, _) in enumerate(gathering.left)}
    for text in sorted(picked, key=lambda text: order[text]):
        if not _apply_if_certain(game, text):
            return None
    after = game.gathering
    if after is not None and after.made and _apply_if_certain(game, after.ends.text):
        after = game.gathering
    if after is None or not after.left or game.to_act != seat or after.made:
        return None
    return after if after.left[0][0].name != name else None


def _apply_if_certain(game: Game, text: str) -> bool:
    """Apply an action; return false if it is illegal or leads to a chance event."""
    if all(action.text != text for action in game.legal_actions()):
        return False
    return not any("chance" in event for event in game.apply(text))


def _form_row(gathering: Gathering, game: Game) -> FormRow:
    """Return the form row of a game's current gather.

    If cards have been picked already, only the picks that may follow are included.
    """
    legal_texts = {action.text for action in game.legal_actions()}
    cards = {
        _picked_card(pick): count
        for pick, count in gathering.left
        if not gathering.made or pick.text in legal_texts
    }
    name = gathering.left[0][0].name if gathering.left else ""
    return FormRow(name, cards, gathering.fewest, gathering.most)


def _picked_card(pick: Action) -> str:
    """Return the card in the text of a pick action."""
    return pick.text.partition("(")[2].rstrip(")")


# ---------------------------------------------------------------- submitted forms


def complete_actions(game: Game, texts: Sequence[str]) -> list[str]:
    """Insert the actions that end gathers into the actions that a form sends.

    A form sends its leading action and a selection per row; an empty one is `NAME()`.
    From the first illegal action on, the sequence is left unchanged, so that the rules
    reject it.
    """
    ahead, actions = game.copy(), list[str]()
    for text in texts:
        gathering = ahead.gathering
        name, arguments = text.partition("(")[0], text.partition("(")[2]
        if gathering is not None and gathering.made and not _is_pick(name, gathering):
            actions += _apply_if_legal(ahead, gathering.ends.text)
        gathering = ahead.gathering
        if arguments == ")" and gathering is not None and _is_pick(name, gathering):
            actions += _apply_if_legal(ahead, gathering.ends.text)
        else:
            actions += _apply_if_legal(ahead, text)
    last = ahead.gathering
    if last is not None and last.made and last.fewest <= 0 and "(" in texts[-1]:
        actions.append(last.ends.text)
    return actions


def _is_pick(name: str, gathering: Gathering) -> bool:
    """Return whether an action with this name picks cards in a gather."""
    return any(pick.name == name for pick, _ in gathering.left)


def _apply_if_legal(copy: Game, text: str) -> list[str]:
    """Apply an action to *copy* if it is legal; return `[text]` in either case."""
    if copy.why(text).legal:
        copy.apply(text)
    return [text]
