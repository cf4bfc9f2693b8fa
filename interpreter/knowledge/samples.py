"""Samples: states that agree with what a seat knows, with everything else redrawn.

All cards of a domain that the seat cannot see are shuffled together and redistributed.
Hidden holders keep their sizes, and stacks keep the places of cards that others know.
Public stacks keep their cards, but not an order that only others know. Every other
hidden value is drawn from all values of its field.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

import attrs

from interpreter.core.chance import Stream
from interpreter.core.layout import TURN, Block
from interpreter.core.slots import FIRST_LOCAL
from interpreter.errors import SampleError
from interpreter.knowledge.block_replay import BlockReplay
from interpreter.knowledge.hidden_variables import (
    VariableRedraw,
    knows,
    redraw_variables,
)
from interpreter.knowledge.invariants import (
    CardPlace,
    UnknownCells,
    Value,
    restore_invariants,
    restore_relations,
    satisfies_invariants,
    satisfies_relations,
)
from interpreter.knowledge.pending_picks import PendingPick, pending_picks
from interpreter.knowledge.random_values import random_value
from interpreter.knowledge.views import acting_seat
from interpreter.knowledge.visibility import unseen_rows
from interpreter.plan.plan import Plan
from interpreter.plan.units import HiddenDeal
from interpreter.state.state import Frame, State
from interpreter.state.wait_points import ChanceStep, Decision, GatherStep
from rulebook import model as m

Counts = list[int]
SET_VALUES = 64
"""Number of random values that a search considers for a hidden set."""

MAX_REPLAYS = 24
"""Number of deals tried with all answers, and then without those of other seats."""

MAX_DEALS = 1_000
"""Maximum number of deals tried until the deciding seat can act."""


def draw_sample(g: State, seat: int, seed: int) -> State:
    """Return a sample of a state for a search by a seat.

    It depends only on what the seat knows and on the seed. A sample of a sample with
    the same seed is the same sample.
    """
    chance = Stream(seed, "sample")
    new = (
        redrawn_state(g, seat, chance)
        if g.split is None
        else sample_block(g, seat, chance)
    )
    new.given = False
    new.seed = seed
    new.counts = {}
    new.legal = None
    new.clear_events()
    return new


def redrawn_state(g: State, seat: int, chance: Stream) -> State:
    """Return a state with hidden information redrawn; the deciding seat can act.

    Raise `SampleError` if no such state is found in `MAX_DEALS` attempts.
    """
    acting = acting_seat(g)
    for _ in range(MAX_DEALS):
        new = g.copy()
        if redraw(new, seat, chance, acting) and has_same_decision(g, new, seat):
            return new
    raise SampleError(MAX_DEALS)


def has_same_decision(g: State, new: State, seat: int) -> bool:
    """Return whether the decision due in a redrawn state agrees with the real one.

    The same seat decides. It can act, and if it is `seat`, its legal actions are equal.
    """
    acting, waiting = acting_seat(g), g.waiting
    if acting is None:
        return True
    if acting_seat(new) != acting:
        return False
    if acting != seat:
        return can_act(new)
    top = g.frames[-1]
    if top[1] not in g.plan.units[top[0]].hidden_waits:
        return True
    assert isinstance(waiting, Decision)
    return waiting.legal(new, new.s, new.frames[-1]) == waiting.legal(g, g.s, top)


def can_act(g: State) -> bool:
    """Return whether the seat that must decide has a legal action."""
    waiting = g.waiting
    if not isinstance(waiting, Decision):
        return False
    legal = waiting.legal(g, g.s, g.frames[-1])
    return any(legal) if isinstance(waiting, GatherStep) else bool(legal)


def sample_block(g: State, seat: int, chance: Stream) -> State:
    """Return a sample of a state inside a simultaneous block.

    First the whole block is replayed. If no replay is found, the answers of other seats
    are omitted, because they have no effect yet. If that fails too, many more deals are
    tried. Raise `SampleError` after `MAX_DEALS` deals.
    """
    whole = BlockReplay(g, seat, chance)
    partial = BlockReplay(g, seat, chance)
    for number in range(MAX_DEALS):
        omits_others = MAX_REPLAYS <= number < 2 * MAX_REPLAYS
        start = block_start(g, seat, chance)
        if start is None:
            continue
        state = (
            partial.without_other_answers(start)
            if omits_others
            else whole.replay(start)
        )
        if state is not None:
            return state
    raise SampleError(MAX_DEALS)


def block_start(g: State, seat: int, chance: Stream) -> State | None:
    """Return the start of the simultaneous block, with hidden information redrawn.

    All awards and rules are evaluated after the block, because those that are due would
    reveal what the other seats have answered. Return None if the frames contradict the
    redrawn information.
    """
    assert g.split is not None
    new = g.copy()
    new.s = list(g.split)
    open_block = g.current_block()
    assert open_block is not None
    height, split = open_block
    asked = {answer.seat for answer in g.answered}
    asked.add(g.frames[height][split.member])
    del new.frames[height + 1 :]
    frame = new.frames[height]
    frame[split.rest], frame[1] = frame[split.all_members], split.next_step
    for place in split.part:
        frame[place] = None
    if not redraw(new, seat, chance, None):
        return None
    if not knows(seat, frame, split.grade):
        variables = VariableRedraw(new, seat, (), chance, None)
        members = tuple(variables.members_of_block(frame, split, asked))
        frame[split.rest] = frame[split.all_members] = members
    new.split = tuple(new.s)
    new.given, new.waiting, new.answered = True, None, ()
    new.triggers = g.plan.all_triggers
    return new


def redraw(
    g: State,
    seat: int,
    chance: Stream,
    acting: int | None,
    *,
    in_action: bool = False,
) -> bool:
    """Redraw the information that is hidden from a seat.

    `acting` is the seat that must decide. Return False if the frames contradict the
    redrawn information. Invariants that are true before also hold afterwards. Relations
    found in trial games also hold if a search finds suitable cells. Inside an action
    (`in_action`) only cells are redrawn, without invariants and relations.
    """
    plan, s = g.plan, g.s
    has_invariants = not (in_action or is_dealing(g)) and satisfies_invariants(plan, s)
    picks = [*pending_picks(g)]
    redrawn_picks = [pick for pick in picks if not is_bag_unchanged(g, pick, seat)]
    known = [pick for pick in redrawn_picks if pick.is_known_to(seat)]
    for pick in known:
        pick.add_to_bag(s, -1)
    deals = [*deals_in_progress(g)]
    for domain, blocks in plan.hidden.cards.items():
        hidden = unseen_rows(plan, s, blocks, seat)
        deck = [0] * plan.facts.sizes[domain]
        sizes = [
            size
            for block, row in hidden
            for size in collect_unknown(s, block, row, seat, deck)
        ]
        sizes += [each.collect(deck) for each in deals if each.fills(domain)]
        if len(sizes) - sizes.count(0) > 1:
            dealt = iter(deal(deck, sizes, chance))
            for block, row in hidden:
                put_back(s, block, row, seat, dealt)
            for each in deals:
                if each.fills(domain):
                    each.remaining = next(dealt)
    shuffle_public_stacks(plan, s, seat, chance)
    for each in deals:
        if not each.deal.is_holder:
            copies = plan.facts.copies(each.deal.cards)
            each.remaining = chance.draw([*copies], sum(each.remaining))
    for block, row in unseen_rows(plan, s, plan.hidden.values, seat):
        s[row] = random_value(plan, block.field.type, chance)
    possible = True
    for pick in redrawn_picks:
        if pick not in known:
            possible &= pick.redraw(s, chance)
            pick.add_to_bag(s, -1)
    for pick in redrawn_picks:
        pick.add_to_bag(s, 1)
    if in_action:
        return possible
    promised_rows = {pick.row for pick in redrawn_picks}
    if has_invariants and not satisfies_invariants(plan, s):
        restore_invariants(g, unknown_cells(g, seat, chance, promised_rows), chance)
    if not satisfies_relations(plan, s):
        changing = unknown_cells(g, seat, chance, promised_rows)
        restore_relations(g, changing, chance, with_invariants=has_invariants)
    return possible and redraw_variables(g, seat, picks, chance, acting)


def shuffle_public_stacks(plan: Plan, s: list[Any], seat: int, chance: Stream) -> None:
    """Shuffle the cards of each public stack whose places the seat does not know."""
    for block in plan.hidden.public_stacks:
        for row in map(block.row, range(block.count)):
            deck = [0] * len(s[row][1])
            sizes = [*collect_unknown(s, block, row, seat, deck)]
            if len(sizes) - sizes.count(0) > 1:
                put_back(s, block, row, seat, iter(deal(deck, sizes, chance)))


@attrs.define(eq=False)
class DealInProgress:
    """Deal to a hidden field that waits for its next card, in a frame."""

    frame: Frame
    deal: HiddenDeal

    @property
    def remaining(self) -> Counts:
        """Number of remaining cards of each kind."""
        return list(self.frame[self.deal.slot + FIRST_LOCAL])

    @remaining.setter
    def remaining(self, counts: Counts) -> None:
        self.frame[self.deal.slot + FIRST_LOCAL] = tuple(counts)

    def fills(self, domain: str) -> bool:
        """Return whether the remaining cards and hidden cards of a domain mix."""
        return self.deal.is_holder and self.deal.cards == domain

    def collect(self, deck: Counts) -> int:
        """Add the remaining cards to a deck; return their number."""
        add(deck, self.remaining)
        return sum(self.remaining)


def deals_in_progress(g: State) -> Iterator[DealInProgress]:
    """Yield the deals to hidden fields that wait for their next card."""
    for frame in g.frames:
        for dealt in g.plan.units[frame[0]].hidden_deals:
            if frame[dealt.slot + FIRST_LOCAL] is not None:
                yield DealInProgress(frame, dealt)


def is_dealing(g: State) -> bool:
    """Return whether set-up is still dealing; invariants may then be false."""
    return g.s[TURN] == 0 and isinstance(g.waiting, ChanceStep)


def unknown_cells(
    g: State, seat: int, chance: Stream, pending_bags: Collection[int]
) -> UnknownCells:
    """Return the cells that a sample may change, except bags with pending picks."""
    plan, places = g.plan, {}
    for domain, blocks in plan.hidden.cards.items():
        places[domain] = [
            place
            for block, row in unseen_rows(plan, g.s, blocks, seat)
            if row not in pending_bags
            for place in exchangeable_places(g.s, block, row, seat)
        ]
    values = [
        Value(row, tuple(dict.fromkeys(sample_values(plan, block.field.type, chance))))
        for block, row in unseen_rows(plan, g.s, plan.hidden.values, seat)
    ]
    return UnknownCells(values, places)


def exchangeable_places(
    s: list[Any], block: Block, row: int, seat: int
) -> Iterator[CardPlace]:
    """Yield the places of a holder whose cards a seat does not know."""
    yield CardPlace(block, row)
    if isinstance(block.field.type, m.Stack):
        for at, (card, mask) in enumerate(s[row][0]):
            if card >= 0 and not mask >> seat & 1:
                yield CardPlace(block, row, at)


def sample_values(plan: Plan, kind: m.Type, chance: Stream) -> Iterator[Any]:
    """Yield all values of a type, or random values if the type is a set."""
    if isinstance(kind, m.SetOf):
        yield from (random_value(plan, kind, chance) for _ in range(SET_VALUES))
        return
    low, size = plan.values.extent(kind)
    for number in range(low, low + size):
        yield bool(number) if isinstance(kind, m.Truth) else number


def is_bag_unchanged(g: State, pick: PendingPick, seat: int) -> bool:
    """Return whether the bag of a pending pick is not redrawn.

    A seat that sees the bag has also seen the pick.
    """
    return not any(
        row == pick.row
        for blocks in g.plan.hidden.cards.values()
        for _, row in unseen_rows(g.plan, g.s, blocks, seat)
    )


def collect_unknown(
    s: list[Any], block: Block, row: int, seat: int, deck: Counts
) -> Iterator[int]:
    """Add a holder's unknown cards to a deck; yield the number of cards at each place.

    A bag is one place. In a stack, each card that only other seats know is a place, and
    all unknown cards together are one place.
    """
    if isinstance(block.field.type, m.Bag):
        counts = s[row : row + block.size]
        add(deck, counts)
        yield sum(counts)
    elif isinstance(block.field.type, m.Stack):
        entries, pool = s[row]
        for card, mask in entries:
            if card >= 0 and not mask >> seat & 1:
                deck[card] += 1
                yield 1
        add(deck, pool)
        yield sum(pool)
    elif s[row] >= 0:
        deck[s[row]] += 1
        yield 1


def add(deck: Counts, counts: Iterable[int]) -> None:
    """Add counts of cards to a deck."""
    for card, number in enumerate(counts):
        deck[card] += number


def deal(deck: Counts, sizes: list[int], chance: Stream) -> list[Counts]:
    """Deal a deck into groups of these sizes; the largest gets the remaining cards."""
    dealt: list[Counts] = [[]] * len(sizes)
    order = sorted(range(len(sizes)), key=sizes.__getitem__)
    for group in order[:-1]:
        dealt[group] = chance.draw(deck, sizes[group])
    if order:
        dealt[order[-1]] = deck
    return dealt


def put_back(
    s: list[Any], block: Block, row: int, seat: int, dealt_counts: Iterator[Counts]
) -> None:
    """Put dealt cards into the places of a holder."""
    if isinstance(block.field.type, m.Bag):
        s[row : row + block.size] = next(dealt_counts)
    elif isinstance(block.field.type, m.Stack):
        entries, _ = s[row]
        cards = [
            (c, mask)
            if c < 0 or mask >> seat & 1
            else (next(dealt_counts).index(1), mask)
            for c, mask in entries
        ]
        s[row] = (tuple(cards), tuple(next(dealt_counts)))
    elif s[row] >= 0:
        s[row] = next(dealt_counts).index(1)
