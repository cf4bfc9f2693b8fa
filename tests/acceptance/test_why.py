"""Explanations of 500 illegal actions, sampled from games by seed.

`python -m tests.acceptance.test_why` writes docs/why.md anew; a test compares it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import attrs
import pytest

import workbench
from interpreter import Explanation, Game
from interpreter.explain.evaluator import ExpressionEvaluator
from interpreter.game import state_of
from interpreter.state.wait_points import AskStep
from rulebook import Rulebook
from rulebook.model import FREE
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.view_text import explanation_lines

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "why.md"
VARIANT = "germany"
COUNT = 500
SHOWN = 10
BEGIN = 80
Plain = dict[str, Any]


@attrs.frozen
class Refusal:
    """Illegal action in a game, with its explanation by `why`."""

    game: Game
    seed: int
    seat: str
    text: str
    why: Explanation


def refusals(book: Rulebook, count: int) -> Iterator[Refusal]:
    """Yield illegal actions of the seat to act in random games, one for every position.
    Half of them are offered actions with other arguments.
    """
    seed = refused = 0
    while refused < count:
        seed += 1
        numbers = Random(f"why/{seed}")
        game = Game.start(book, players=3 + seed % 2, seed=seed)
        for step in range(2_000):
            legal = game.legal_actions()
            if not legal or refused == count:
                break
            if step >= BEGIN and step % 11 == 0:
                text = illegal(game, numbers)
                if text is not None:
                    assert game.to_act is not None
                    why = game.why(text, game.to_act)
                    yield Refusal(game.copy(), seed, game.to_act, text, why)
                    refused += 1
            game.apply(legal[int(numbers.random() * len(legal))])


def illegal(game: Game, numbers: Random) -> str | None:
    """Return the text of an action that is illegal for the seat to act."""
    assert game.to_act is not None
    seat = game.seats.index(game.to_act)
    legal = set(game.legal_indices())
    space, waiting = state_of(game).plan.actions, state_of(game).waiting
    named = list(space.listed)
    if isinstance(waiting, AskStep) and numbers.random() < 0.8:
        named = [space.by_name[name] for name in waiting.offers]
    for _ in range(20):
        action = named[int(numbers.random() * len(named))]
        index = action.base + int(numbers.random() * action.size)
        if index not in legal:
            return space.action(seat, index).text
    return None


# ---------------------------------------------------------------- the fixes


def into_phase(refusal: Refusal, position: Plain, match: re.Match[str]) -> None:
    position["pending"] = [{"clause": "game", "at": match[1]}]
    position["active"] = refusal.seat
    for key in ("split", "answers", "triggers"):
        position.pop(key, None)


def more_cards(refusal: Refusal, position: Plain, match: re.Match[str]) -> None:
    for number, card in re.findall(r"(\d+) (\w+)", match[0]):
        position["player"][refusal.seat]["hand"][card] += int(number)


def more_of(refusal: Refusal, position: Plain, match: re.Match[str]) -> None:
    number, card, holder = match.groups()
    if card not in position["player"][refusal.seat][holder]:
        card = re.split(r"[(,)]", refusal.text)[1]
    position["player"][refusal.seat][holder][card] += int(number)


def fewer_times(refusal: Refusal, position: Plain, match: re.Match[str]) -> None:
    position["player"][refusal.seat][f"limit.{match[2]}"] -= int(match[1])


def fewer(refusal: Refusal, position: Plain, match: re.Match[str]) -> None:
    del refusal
    position["game"][match[2]] -= int(match[1])


def more_left(refusal: Refusal, position: Plain, match: re.Match[str]) -> None:
    number, words = match.groups()
    stands = position["pieces"][words.removesuffix("s")]
    mine = [space for space, owner in stands.items() if owner == refusal.seat]
    for space in mine[: int(number)]:
        del stands[space]


FIXES: tuple[tuple[str, Callable[[Refusal, Plain, re.Match[str]], None]], ...] = (
    (r"this action is available in (\w+)", into_phase),
    (r"(\d+ \w+)(, \d+ \w+)*( and \d+ \w+)? more", more_cards),
    (r"(\d+) more: number of (\w+) in your (\w+)", more_of),
    (r"(\d+) more: (\w+) left", more_left),
    (r"(\d+) fewer: (\w+)", fewer),
    (r"(\d+) fewer: times of (\w+)", fewer_times),
)


def with_fix_applied(refusal: Refusal) -> Game:
    """Return the game changed as the fix suggests."""
    position = deepcopy(refusal.game.position)
    for pattern, mend in FIXES:
        match = re.fullmatch(pattern, str(refusal.why.fix))
        if match:
            mend(refusal, position, match)
            return Game.from_any_position(refusal.game.book, position, chance="given")
    raise AssertionError(f"nobody knows how to mend: {refusal.why.fix}")


def place_of(game: Game, why: Explanation) -> int:
    """Return the number of the failing requirement, or -1 without an offer."""
    name = why.action.partition("(")[0]
    needs = state_of(game).plan.actions.by_name[name].action.requirements
    labels = [need.label for need in needs]
    return labels.index(why.requirement) if why.requirement in labels else -1


# ---------------------------------------------------------------- the tests


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return workbench.load(VARIANT)


@pytest.fixture(scope="module")
def drawn(book: Rulebook) -> list[Refusal]:
    return list(refusals(book, COUNT))


def test_all_actions_are_illegal_and_have_a_reason(drawn: list[Refusal]) -> None:
    assert len(drawn) == COUNT
    for refusal in drawn:
        assert not refusal.why.legal
        assert refusal.why.reason
        assert refusal.why == refusal.game.why(refusal.text)
    kinds = Counter((refusal.why.clause, refusal.why.requirement) for refusal in drawn)
    assert len(kinds) >= 30
    assert sum(refusal.why.requirement is not None for refusal in drawn) > COUNT // 4


def test_the_named_requirement_is_the_first_that_is_false(
    drawn: list[Refusal],
) -> None:
    tested = 0
    for refusal in drawn:
        plan, state = state_of(refusal.game).plan, state_of(refusal.game)
        waiting = state.waiting
        name = refusal.text.partition("(")[0]
        place = place_of(refusal.game, refusal.why)
        if place < 0 or not isinstance(waiting, AskStep):
            continue
        action, values = plan.actions.decode(plan.actions.index_of(refusal.text) or 0)
        needs = action.action.requirements
        for frame in waiting.frames(state, name, values):
            held = [
                (need.sort == "pays" and frame[FREE + 2])
                or bool(ExpressionEvaluator(plan, state.s, frame).value(need.condition))
                for need in needs[: place + 1]
            ]
            assert held == [True] * place + [False], refusal.why.sentence
            tested += 1
    assert tested > COUNT // 4


def test_an_action_reported_as_unavailable_is_not_offered(drawn: list[Refusal]) -> None:
    for refusal in drawn:
        if refusal.why.reason and "is not available now" in refusal.why.reason:
            names = {action.name for action in refusal.game.legal_actions()}
            assert refusal.text.partition("(")[0] not in names


def test_a_fix_makes_the_action_legal_or_leads_to_a_later_requirement(
    drawn: list[Refusal],
) -> None:
    mends: Counter[str] = Counter()
    for refusal in drawn:
        if refusal.why.fix is None:
            continue
        if named := re.fullmatch(r"available now: (.+)", refusal.why.fix):
            names = set(re.split(r", | or ", named[1]))
            assert names == {each.name for each in refusal.game.legal_actions()}
            continue
        there = with_fix_applied(refusal)
        after = there.why(refusal.text, refusal.seat)
        before = place_of(refusal.game, refusal.why)
        mends["legal" if after.legal else "later"] += 1
        assert after.legal or place_of(there, after) > before, (refusal.why, after)
    assert min(mends["legal"], mends["later"]) > 20


# ---------------------------------------------------------------- the page


def page(book: Rulebook) -> str:
    """Return the page with ten illegal actions, each failing another requirement."""
    lines = [
        "# Explanations of illegal actions",
        "",
        f"`rulebook why` explained {COUNT} illegal actions. These ten are from random",
        f"games of *{book.title}*. Games and actions are drawn with fixed seeds.",
        "`python -m tests.acceptance.test_why` writes this page.",
    ]
    shown: dict[Any, None] = {}
    for refusal in refusals(book, COUNT):
        kind = (refusal.why.clause, refusal.why.requirement)
        if refusal.why.requirement is None or kind in shown or len(shown) == SHOWN:
            continue
        shown[kind] = None
        bare = attrs.evolve(refusal.why, file=None, line=None, column=None)
        told = "\n".join(
            line[2:] for line in explanation_lines(bare, Localizer.for_book(book))
        )
        lines += [
            "",
            f"Seat {refusal.seat}, game with seed {refusal.seed}:",
            "",
            "```text",
        ]
        lines += [told, "```"]
    return "\n".join(lines) + "\n"


def test_the_page_is_up_to_date(book: Rulebook) -> None:
    told = "write it anew: python -m tests.acceptance.test_why"
    assert PAGE.read_text(encoding="utf-8") == page(book), told


if __name__ == "__main__":
    PAGE.write_text(page(workbench.load(VARIANT)), encoding="utf-8", newline="\n")
