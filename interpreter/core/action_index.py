"""Action space: every action has a stable index and a text.

Index 0 is `pass`. The other actions follow in the order of the model. Each has one
index for every combination of its parameters, with the first parameter most significant
and `none` first. Parameters that every offer of the action fixes are not part of the
index, and the text may omit their values. Bags are fixed in the same way and never
appear in the text.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from typing import Any

import attrs

from interpreter.core.values import Values
from interpreter.errors import UsageError
from rulebook import model as m
from rulebook import tooling

MAX_INSTANCES = 65_536
PASS_NAME = "pass"
Given = tuple[int, ...]


@attrs.frozen
class Action:
    """Action that a seat may choose, as callers see it."""

    seat: str
    name: str
    arguments: tuple[Any, ...]
    text: str
    index: int

    def __str__(self) -> str:
        return self.text


@attrs.frozen
class ParameterRange:
    """Parameter of an action, with the values `low` to `low + size - 1`.

    Consecutive values change the action index by `stride`. The stride is 0 if every
    offer fixes the parameter.
    """

    slot: int
    name: str
    type: m.Type
    low: int
    size: int
    stride: int


@attrs.define(eq=False)
class PlannedAction:
    """Action in the action space, with the indices `base` to `base + size - 1`.

    `tests` are its requirements as functions of (cells, frame). `compiled_body` is the
    compiled body if the action never waits; otherwise the frame runs as `unit`.
    `observers` returns the seats that may know the arguments; None means all.
    """

    action: m.Action
    base: int
    places: tuple[ParameterRange, ...]
    size: int
    unit: int
    tests: tuple[tuple[m.Requirement, Callable[..., Any]], ...] = ()
    compiled_body: Callable[..., Any] | None = None
    observers: Callable[..., int] | None = None

    @property
    def name(self) -> str:
        """Name of the action."""
        return self.action.name

    @property
    def open_parameters(self) -> tuple[ParameterRange, ...]:
        """Parameters that the seat chooses."""
        return tuple([place for place in self.places if place.stride])

    @property
    def fixed_parameters(self) -> tuple[ParameterRange, ...]:
        """Parameters that every offer of the action fixes, except bags."""
        return tuple([place for place in self.places if not place.stride])

    @property
    def index_of_zero(self) -> int:
        """Index of the action if its only parameter is 0, even if 0 is out of range."""
        return self.base - self.places[0].low

    def failing_requirement(self, s: list[Any], f: list[Any]) -> m.Requirement | None:
        """Return the first requirement that is not met in a frame, or None."""
        for requirement, test in self.tests:
            if requirement.sort is m.RequirementSort.PAYS and f[m.FREE + 2]:
                continue
            if not test(s, f):
                return requirement
        return None


class SeatActions(dict[int, Action]):
    """Cache of the actions of one seat, by index."""

    def __init__(self, space: ActionSpace, seat: int) -> None:
        super().__init__()
        self.space = space
        self.seat = seat

    def __missing__(self, index: int) -> Action:
        """Create the action of an index, without the values that its offer fixes."""
        made = self[index] = self.space.create_action(self.seat, index, ())
        return made


class ActionSpace:
    """All actions of a plan."""

    def __init__(self, model: m.Model, values: Values, units: dict[str, int]) -> None:
        self.values = values
        self.by_name: dict[str, PlannedAction] = {}
        base, given = 1, tooling.fixed_parameter_counts(model)
        for action in model.actions.values():
            places = self.parameter_ranges(action, given[action.name])
            size = 1
            for place in places:
                size *= place.size if place.stride else 1
            if size > MAX_INSTANCES:
                raise UsageError(
                    f"{action.name} has {size} instances, but the limit is"
                    f" {MAX_INSTANCES}: split the choice into several decisions",
                    clause=action.name,
                )
            self.by_name[action.name] = PlannedAction(
                action, base, places, size, units[action.name]
            )
            base += size
        self.size = base
        self.listed = list(self.by_name.values())
        self.bases = [action.base for action in self.listed]
        self.of_seat = [
            SeatActions(self, seat) for seat in range(len(values.names["player"]))
        ]
        self.seen: dict[tuple[int, int, Given], Action] = {}
        self.known: dict[int, tuple[PlannedAction, tuple[int | None, ...]]] = {}

    def parameter_ranges(
        self, action: m.Action, fixed_count: int
    ) -> tuple[ParameterRange, ...]:
        """Return the parameters that can appear in an action text."""
        fixed = {parameter.slot for parameter in action.parameters[:fixed_count]}
        places: list[ParameterRange] = []
        stride = 1
        for parameter in reversed(action.parameters):
            if not isinstance(parameter.type, m.Whole | m.Truth | m.Member):
                continue
            low, size = self.values.extent(parameter.type)
            slot, name = parameter.slot, parameter.name
            if slot in fixed:
                places.append(ParameterRange(slot, name, parameter.type, low, size, 0))
                continue
            places.append(ParameterRange(slot, name, parameter.type, low, size, stride))
            stride *= size
        return tuple(reversed(places))

    def decode(self, index: int) -> tuple[PlannedAction, tuple[int | None, ...]]:
        """Return the action of an index and its parameter values, from a cache.

        A parameter that every offer fixes has the value None.
        """
        known = self.known.get(index)
        if known is None:
            known = self.known[index] = self.decode_uncached(index)
        return known

    def decode_uncached(
        self, index: int
    ) -> tuple[PlannedAction, tuple[int | None, ...]]:
        """Compute the result of `decode`."""
        action = self.listed[bisect_right(self.bases, index) - 1]
        rest = index - action.base
        values: list[int | None] = []
        for place in action.places:
            if not place.stride:
                values.append(None)
                continue
            number, rest = divmod(rest, place.stride)
            values.append(number + place.low)
        return action, tuple(values)

    def encode(self, action: PlannedAction, values: tuple[int, ...]) -> int:
        """Return the index of an action with these parameter values."""
        pairs = zip(action.places, values, strict=True)
        return action.base + sum((v - place.low) * place.stride for place, v in pairs)

    def parse(self, text: str) -> tuple[PlannedAction, Given, Given] | None:
        """Parse an action text into (action, fixed values, chosen values).

        Offers fix the fixed values, which the text may omit. Return None for an unknown
        action or invalid arguments.
        """
        name, arguments = split_text(text)
        action = self.by_name.get(name)
        if action is None:
            return None
        places = (
            action.places
            if len(arguments) == len(action.places)
            else action.open_parameters
        )
        if len(arguments) != len(places):
            return None
        values: dict[bool, list[int]] = {True: [], False: []}
        for place, argument in zip(places, arguments, strict=True):
            value = self.values.from_text(place.type, argument)
            if value is None or not 0 <= value - place.low < place.size:
                return None
            values[place.stride > 0].append(value)
        return action, tuple(values[False]), tuple(values[True])

    def index_of(self, text: str) -> int | None:
        """Return the index of an action text, or None if there is no such action."""
        if split_text(text) == (PASS_NAME, []):
            return 0
        parsed = self.parse(text)
        if parsed is None:
            return None
        action, _, values = parsed
        pairs = zip(action.open_parameters, values, strict=True)
        return action.base + sum((v - place.low) * place.stride for place, v in pairs)

    def fixed_values_in(self, text: str) -> Given:
        """Return the values in an action text that offers fix, or () if omitted."""
        parsed = self.parse(text)
        return () if parsed is None else parsed[1]

    def action(self, seat: int, index: int, fixed_values: Given = ()) -> Action:
        """Return the action for an index, as callers see it.

        `fixed_values` are the values that its offer fixes; they may be omitted.
        """
        if not fixed_values:
            return self.of_seat[seat][index]
        key = (seat, index, fixed_values)
        known = self.seen.get(key)
        if known is None:
            known = self.seen[key] = self.create_action(*key)
        return known

    def create_action(self, seat: int, index: int, fixed_values: Given) -> Action:
        """Create the action of an index."""
        seat_name = self.values.names["player"][seat]
        if index == 0:
            return Action(seat_name, PASS_NAME, (), PASS_NAME, 0)
        action, values = self.decode(index)
        fixed = iter(fixed_values)
        plain = tuple(
            self.values.to_plain(place.type, next(fixed) if value is None else value)
            for place, value in zip(action.places, values, strict=True)
            if value is not None or fixed_values
        )
        return Action(
            seat_name, action.name, plain, action_text(action.name, plain), index
        )


def split_text(text: str) -> tuple[str, list[str]]:
    """Split an action text into name and arguments; malformed text is a name only."""
    text = unicodedata.normalize("NFC", text).strip()
    name, bracket, rest = text.partition("(")
    if not bracket:
        return text, []
    if not rest.endswith(")"):
        return text, []
    arguments = [argument.strip() for argument in rest[:-1].split(",")]
    return name.strip(), [] if arguments == [""] else arguments


def action_text(name: str, arguments: tuple[Any, ...]) -> str:
    """Return the text of an action."""
    if not arguments:
        return name
    return f"{name}({', '.join(map(argument_text, arguments))})"


def argument_text(value: Any) -> str:
    """Return an argument as it appears in an action text."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
